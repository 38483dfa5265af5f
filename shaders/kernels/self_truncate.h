/* self_truncate.h: step fractions of a pair's corners for which its plane separates them all the way. */
#ifndef WEFT_KERNELS_SELF_LIMIT_H
#define WEFT_KERNELS_SELF_LIMIT_H
#include "kernels/self_gap.h"

/* How far a corner approaches the other feature with the step fraction `share`, `along` the normal, rounding included; negative if it moves away. */
KERNEL real self_comes(real along, real share, real rounding) {
  precise real way = along * share;
  way = way + rounding;
  return SELECT(share == K(0.0), K(0.0), way);
}

/* The rounding of a truncated displacement: 2^-20 of it, and 2^-21 of the position. */
KERNEL real self_slack(real3 position, real3 move) {
  precise real of_move = self_extent(move) * K(9.5367431640625e-07);
  precise real of_position = self_extent(position) * K(4.76837158203125e-07);
  precise real slack = of_move + of_position;
  return slack;
}

/* The split of a pair's allowance between its two sides, in proportion to their approaches; a side that moves away leaves all of it to the other. */
KERNEL real self_first_side(real room, real first, real second) {
  precise real both = first + second;
  precise real part = first * exact_rcp(both);
  part = SELECT(part > K(0.05), part, K(0.05));
  part = SELECT(part < K(0.95), part, K(0.95));
  precise real side = part * room;
  precise real rest = room - second;
  side = SELECT(second > K(0.0), side, rest);
  return SELECT(first > K(0.0), side, first);
}

/* The allowance of a side whose pin approaches by this much: up to all of it, plus what the other side moves away. */
KERNEL real self_override_side(real room, real wanted, real other) {
  precise real flees = room - other;
  real most = SELECT(other < K(0.0), flees, room);
  return self_less(wanted, most);
}

/* How far a corner approaches the other feature along the normal. */
KERNEL real self_towards_other(real3 move, real3 n, mask of_first) {
  real along = self_flushed_dot(move, n);
  return SELECT(of_first, self_negative(along), along);
}

/* The largest approach of the corners of both features; and of pinned corners alone, which get up to the whole allowance. */
KERNEL_STRUCT(self_wants)
  real first;
  real second;
  real first_pinned;
  real second_pinned;
KERNEL_STRUCT_END(self_wants)

KERNEL self_wants self_wants_nothing(void) {
  self_wants wants;
  wants.first = K(-1.0e30);
  wants.second = K(-1.0e30);
  wants.first_pinned = K(-1.0e30);
  wants.second_pinned = K(-1.0e30);
  return wants;
}

KERNEL self_wants self_wants_also(self_wants before, mask of_first, mask pinned, real comes) {
  self_wants wants;
  wants.first = SELECT(of_first, self_more(before.first, comes), before.first);
  wants.second = SELECT(of_first, before.second, self_more(before.second, comes));
  wants.first_pinned = SELECT(AND(of_first, pinned), self_more(before.first_pinned, comes), before.first_pinned);
  wants.second_pinned = SELECT(AND(NOT(of_first), pinned), self_more(before.second_pinned, comes), before.second_pinned);
  return wants;
}

KERNEL mask self_fit(real room, self_wants wants) {
  precise real both = wants.first + wants.second;
  return both <= room;
}

/* The split of the allowance between the two features. */
KERNEL_STRUCT(self_sides)
  real first;
  real second;
KERNEL_STRUCT_END(self_sides)

KERNEL self_sides self_sides_of(real room, self_wants wants) {
  real first_side = self_first_side(room, wants.first, wants.second);
  precise real second_side = room - first_side;
  mask first_drives = AND(wants.first_pinned > first_side, NOT(wants.second_pinned > second_side));
  mask second_drives = AND(wants.second_pinned > second_side, NOT(wants.first_pinned > first_side));
  first_side = SELECT(first_drives, self_override_side(room, wants.first_pinned, wants.second), first_side);
  second_side = SELECT(second_drives, self_override_side(room, wants.second_pinned, wants.first), second_side);
  precise real beside_second = room - second_side;
  precise real beside_first = room - first_side;
  self_sides sides;
  sides.first = SELECT(second_drives, beside_second, first_side);
  sides.second = SELECT(first_drives, beside_first, second_side);
  return sides;
}

/* The step fraction of a corner as an integer, rounded down. It is less than `share` only if the corner would use more than `side`. */
KERNEL uint self_cut(uint share, real along, real rounding, real side) {
  precise real part = REAL(share) * K(5.9604644775390625e-08);
  real comes = self_comes(along, part, rounding);
  precise real left = side - rounding;
  precise real most = left * exact_rcp(along);
  most = most * K(0.99999904632568359375);
  most = SELECT(AND(left > K(0.0), along > K(1.0e-18)), most, K(0.0));
  most = SELECT(most < K(1.0), most, K(1.0));
  precise real scaled = most * K(16777216.0);
  uint cut = UINT(scaled);
  cut = cut < share ? cut : share;
  return comes > side ? cut : share;
}

/* The allowance of a pair: 0.9 of the gap beyond half of epsilon, at least 0. */
KERNEL real self_room(real gap, real least) {
  precise real half_floor = least * K(0.5);
  precise real room = gap - half_floor;
  room = room * K(0.9);
  return SELECT(room > K(0.0), room, K(0.0));
}

/* A step fraction as an integer. */
KERNEL real self_share(uint share) {
  precise real part = REAL(share) * K(5.9604644775390625e-08);
  return part;
}

/* The end of a particle that makes a step fraction. */
KERNEL real3 self_held(real3 before, real3 move, uint share) {
  return exact_flush3(v3_add(before, exact_flush3(v3_scale(move, self_share(share)))));
}

/* Whether a displacement is longer than the limit, and its end when shortened to it. */
KERNEL mask self_is_longer(real3 move, real step) {
  precise real step2 = step * step;
  return exact_dot(move, move) > step2;
}
KERNEL real3 self_shortened(real3 before, real3 move, real step) {
  precise real part = step * exact_rsqrt(exact_dot(move, move));
  return exact_flush3(v3_add(before, exact_flush3(v3_scale(move, part))));
}

/* The end of a displacement that is repeated for so many substeps. */
KERNEL real3 self_redetect(real3 before, real3 move, real substeps) {
  return exact_flush3(v3_add(before, exact_flush3(v3_scale(move, substeps))));
}

/* The velocity after one more rejected step in a row. */
KERNEL real3 self_slowed(real3 velocity) { return exact_snap3(v3_scale(velocity, K(0.5))); }

/* Whether no component of a velocity is NaN. */
KERNEL mask self_is_known(real3 v) { return self_extent(v) < K(1.0e30); }

#endif
