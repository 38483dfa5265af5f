/* lanes_fast.h: the fast path. A third of a projection sees to it that no number gets so small that
 * a machine may flush it, which hardly ever has anything to do. Where all that went in and came out
 * is at least 2^-26, it has nothing to do at all (metres; on a sheet a metre wide, one coordinate
 * in ten million is less):
 *   - differences of two are 0 or at least 2^-49;
 *   - what trim, or flush inside of a bend, would have made 0 moves nobody: it is a part of 2^-25
 * of the position, given that inverse masses are not out of this world (see fast_safe.c);
 *   - a pair at rest comes out as it went in.
 * So the kernels are compiled here once more with flush and trim left out. A vector is first done
 * that way, and done again by the whole text where a number was smaller. A part of
 * lanes_kernels.h. */

/* Numbers that are all at least 2^-26 have exponents of 101 and more, and what their exponents have
 * in common is no larger than any of them. 27 more is a number of 128 and more: its top bit. */
LANE vu top_bit_if_large(vu common) { return common + (27u << 23); }

LANE bool all_have_top_bit(vu v) {
#if WEFT_LANES == 16 && defined __AVX512F__
  return !_mm512_testn_epi32_mask((__m512i)v, _mm512_set1_epi32(1 << 30));
#else
  return everywhere((vi)(v + v));
#endif
}

LANE vu common(vf a, vf b) { return (vu)a & (vu)b; }

/* ---- the texts without flush and trim ---- */
#define exact_flush3(v) (v)

LANE v3 fast_apart(bool pairs, v3 a, v3 a_low, v3 b, v3 b_low) {
  return pairs ? apart(pairs, a, a_low, b, b_low) : sub(a, b);
}
#define apart fast_apart

/* Of a hinge what is left of flush and trim counts: the sine, and the step. */
#undef WEFT_KERNELS_CONSTRAINT_DIHEDRAL_H
#define hinge fast_hinge
#define dihedral_measure fast_dihedral_measure
#define dihedral_excess fast_dihedral_excess
#define dihedral_weight fast_dihedral_weight
#define dihedral_sum fast_dihedral_sum
#define dihedral_turned fast_dihedral_turned
#define dihedral_step fast_dihedral_step
#define dihedral_move fast_dihedral_move
#define project_dihedral fast_project_dihedral
#include <kernels/constraint_dihedral.h>
#undef hinge
#undef dihedral_measure
#undef dihedral_excess
#undef dihedral_weight
#undef dihedral_sum
#undef dihedral_turned
#undef dihedral_step
#undef dihedral_move
#undef project_dihedral

#define exact_flush(x) (x)
#define exact_trim(x) (x)
#define exact_trim3(v) (v)

#undef WEFT_KERNELS_CONSTRAINT_DISTANCE_H
#define distance_parted fast_distance_parted
#define distance_excess fast_distance_excess
#define distance_stops fast_distance_stops
#define distance_pull fast_distance_pull
#define distance_measure fast_distance_measure
#define distance_moves fast_distance_moves
#define project_distance fast_project_distance
#include <kernels/constraint_distance.h>
#undef distance_parted
#undef distance_excess
#undef distance_stops
#undef distance_pull
#undef distance_measure
#undef distance_moves
#undef project_distance

#undef WEFT_KERNELS_CONSTRAINT_ISOMETRIC_H
#define isometric_sum fast_isometric_sum
#define isometric_sum_of fast_isometric_sum_of
#define isometric_last_weight fast_isometric_last_weight
#define isometric_held fast_isometric_held
#define isometric_step fast_isometric_step
#define isometric_share fast_isometric_share
#define isometric_move fast_isometric_move
#define isometric_move3 fast_isometric_move3
#define project_isometric fast_project_isometric
#include <kernels/constraint_isometric.h>
#undef isometric_sum
#undef isometric_sum_of
#undef isometric_last_weight
#undef isometric_held
#undef isometric_step
#undef isometric_share
#undef isometric_move
#undef isometric_move3
#undef project_isometric

#undef WEFT_KERNELS_LEVEL_H
#define level_add_child fast_level_add_child
#define level_mean fast_level_mean
#define level_add_child3 fast_level_add_child3
#define level_mean3 fast_level_mean3
#define level_moved fast_level_moved
#define level_follow fast_level_follow
#define level_moved3 fast_level_moved3
#define level_follow3 fast_level_follow3
#define level_direction fast_level_direction
#define pulled_edge fast_pulled_edge
#define level_project fast_level_project
#include <kernels/level.h>
#undef level_add_child
#undef level_mean
#undef level_add_child3
#undef level_mean3
#undef level_moved
#undef level_follow
#undef level_moved3
#undef level_follow3
#undef level_direction
#undef pulled_edge
#undef level_project

#undef apart
#undef exact_flush
#undef exact_flush3
#undef exact_trim
#undef exact_trim3
