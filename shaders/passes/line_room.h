/* line_room.h: what teams that solve lines keep of every edge in their group's memory: directions
 * of edges, or bends. */
#ifndef WEFT_PASSES_LINE_ROOM_H
#define WEFT_PASSES_LINE_ROOM_H

GROUP_ARRAY(float, s_nx, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_ny, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_nz, WEFT_LINE_ROOM)

#define LINE(name, k) OF_TEAM(name, WEFT_LINE_ROOM, k)
#define DIRECTION(k) V3(LINE(s_nx, k), LINE(s_ny, k), LINE(s_nz, k))
/* Whether the edge after k begins where k ends. */
#define GOES_ON(k) \
  ((k) + 1u < count && AT(LINE_EDGES, first + (k) + 1u).a == AT(LINE_EDGES, first + (k)).b)

#endif
