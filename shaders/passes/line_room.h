/* line_room.h: shared memory of the teams that solve lines: what they keep of every edge, for directions of edges or for bends. */
#ifndef WEFT_PASSES_LINE_ROOM_H
#define WEFT_PASSES_LINE_ROOM_H

GROUP_ARRAY(float, s_nx, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_ny, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_nz, WEFT_LINE_ROOM)

/* Element k of the team's part of a shared array. */
#define LINE(name, k) OF_TEAM(name, WEFT_LINE_ROOM, k)

KERNEL real3 line_kept(uint k) { return V3(LINE(s_nx, k), LINE(s_ny, k), LINE(s_nz, k)); }
KERNEL void line_keep(uint k, real3 to) {
  LINE(s_nx, k) = to.x;
  LINE(s_ny, k) = to.y;
  LINE(s_nz, k) = to.z;
}

/* The bundle of element i; without edges for a team beyond the last bundle. */
KERNEL weft_line_bundle line_bundle_of(BUFFERS m, uint i, uint end) {
  weft_line_bundle bundle = AT(LINE_BUNDLES, MIN(i, end - 1u));
  bundle.count = i < end ? bundle.count : 0u;
  return bundle;
}

/* Whether the edge after k begins where k ends. */
KERNEL bool line_goes_on(BUFFERS m, weft_line_bundle bundle, uint k) {
  return k + 1u < bundle.count && AT(LINE_EDGES, bundle.first + k + 1u).a == AT(LINE_EDGES, bundle.first + k).b;
}

#endif
