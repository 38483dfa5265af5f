/* crowd.h: the parts of a joined model side by side: a block of them has a part in each lane of a
 * vector. Parts share no particle and have one structure, so the particles of a constraint are
 * vectors as they lie in memory, on any mesh; and a block goes through all substeps that are asked
 * for while it is in the cache, before the next block begins. */
#ifndef WEFT_CPU_CROWD_H
#define WEFT_CPU_CROWD_H

#include <stddef.h>
#include <stdint.h>

typedef struct weft_crowd {
  uint32_t parts, lanes, particles; /* of one part */
  uint32_t blocks;                  /* lanes past the last part do what that does */
  size_t block;                     /* floats from what is split of a block to the next */
} weft_crowd;

static inline uint32_t weft_crowd_part(const weft_crowd *crowd, uint32_t block, uint32_t lane) {
  uint32_t part = block * crowd->lanes + lane;
  return part < crowd->parts ? part : crowd->parts - 1;
}

/* Lanes that are parts of their own. */
static inline uint32_t weft_crowd_filled(const weft_crowd *crowd, uint32_t block) {
  uint32_t left = crowd->parts - block * crowd->lanes;
  return left < crowd->lanes ? left : crowd->lanes;
}

/* Of a particle of the joined model, whose part is in this lane: counted from the block's first. */
static inline uint32_t weft_crowd_place(const weft_crowd *crowd, uint32_t particle, uint32_t lane) {
  return particle % crowd->particles * crowd->lanes + lane;
}

weft_crowd weft_crowd_of(uint32_t parts, uint32_t particles, uint32_t lanes);

#endif
