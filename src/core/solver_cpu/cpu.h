/* cpu.h: the backend cpu with more said than weft_backend_cpu() lets on, for tests. */
#ifndef WEFT_CPU_H
#define WEFT_CPU_H

#include "backend.h"
#include "lanes.h"

/* Particles of a tile: with their velocities and constraints they stay in a core's cache. */
enum { WEFT_CPU_TILE = 8192 };

typedef struct weft_cpu_desc {
  uint32_t threads;        /* 0: one a processor */
  const weft_lanes *lanes; /* NULL: the best there are */
  bool plain;              /* no vectors: the reference's functions alone */
  bool no_split;           /* positions stay rows, also on a grid */
  uint32_t tile;           /* particles; 0: pass by pass */
  bool exactly;            /* all threads take part, even where fewer would be faster */
  bool narrow;             /* strips may be narrow, even where wide ones would be faster */
} weft_cpu_desc;

/* The description must outlive the backend. */
weft_backend weft_cpu_backend_of(const weft_cpu_desc *desc);

#endif
