/* staying.c: the ways between rows and what stays split. */
#include "staying.h"

#include "base.h"
#include "thread_pool.h"

static size_t share_of(const weft_staying *s) {
  enum { WHOLE = 2 * WEFT_LANES_MAX };
  size_t vectors = (s->particles + WHOLE - 1) / WHOLE;
  return s->shares > 1 ? (vectors + s->shares - 1) / s->shares * WHOLE : 0;
}

/* Positions and those before change places, each with inverse masses. */
enum { COMPONENTS = 11 };

static weft_halves halves_of(const weft_staying *s) {
  size_t particles = s->memory->bytes[WEFT_BUFFER_X] / sizeof(vec4);
  size_t places = particles / 2 + 1 + s->shares * WEFT_APART;
  size_t half = (places + 1023) / 1024 * 1024 + WEFT_OFF_BEAT;
  size_t component = 2 * half + WEFT_OFF_BEAT;
  return (weft_halves){.half = half, .component = component, .share = share_of(s)};
}

/* Every particle a vector; the first half of them count as even, and one may be nobody. */
static weft_halves halves_of_block(const weft_crowd *crowd) {
  size_t half = (crowd->particles + 1) / 2 * (size_t)crowd->lanes;
  size_t component = (2 * half + WEFT_LANES_MAX - 1) / WEFT_LANES_MAX * WEFT_LANES_MAX;
  return (weft_halves){.half = half, .component = component + WEFT_OFF_BEAT};
}

weft_crowd weft_crowd_of(uint32_t parts, uint32_t particles, uint32_t lanes) {
  weft_crowd crowd = {.parts = parts, .lanes = lanes, .particles = particles};
  crowd.blocks = (parts + lanes - 1) / lanes;
  crowd.block = COMPONENTS * halves_of_block(&crowd).component;
  return crowd;
}

weft_halves weft_staying_block(const weft_staying *s, const weft_halves *halves, uint32_t block) {
  weft_halves h = *halves;
  h.x += block * s->crowd->block;
  h.x_prev += block * s->crowd->block;
  h.v += block * s->crowd->block;
  return h;
}

void weft_staying_create(weft_staying *s) {
  s->halves = s->crowd ? halves_of_block(s->crowd) : halves_of(s);
  size_t component = s->halves.component;
  size_t floats = s->crowd ? s->crowd->blocks * s->crowd->block : COMPONENTS * component;
  s->room = weft_alloc_lines(floats, sizeof(float));
  s->halves.x = s->room;
  s->halves.x_prev = s->room + 4 * component;
  s->halves.v = s->room + 8 * component;
}

void weft_staying_free(weft_staying *s) { weft_free(s->room); }

/* ---- ways ---- */

typedef struct way {
  const weft_staying *staying;
  weft_buffer_id id; /* WEFT_BUFFER_COUNT: positions and velocities into the split ones */
} way;

static vec4 *rows_of(const weft_staying *s, weft_buffer_id id) {
  return (void *)s->memory->payload[id];
}

/* Rows of a part into a lane of split ones, and back. w: what the fourth component is, NULL: none,
 * or 0. */
static void split_lane(const weft_crowd *crowd, size_t component, const vec4 *rows, float *to,
                       float *w) {
  for (size_t i = 0, at = 0; i < crowd->particles; ++i, at += crowd->lanes) {
    to[at] = rows[i].x;
    to[at + component] = rows[i].y;
    to[at + 2 * component] = rows[i].z;
    if (w) w[at] = rows[i].w;
  }
}

static void join_lane(const weft_crowd *crowd, size_t component, const float *from, const float *w,
                      vec4 *rows) {
  for (size_t i = 0, at = 0; i < crowd->particles; ++i, at += crowd->lanes) {
    rows[i] = (vec4){from[at], from[at + component], from[at + 2 * component], w ? w[at] : 0};
  }
}

static void run_lane(const way *w, const weft_halves *h, size_t row, uint32_t lane) {
  const weft_staying *s = w->staying;
  const weft_crowd *crowd = s->crowd;
  size_t component = h->component;
  float *x = h->x + lane, *x_prev = h->x_prev + lane, *v = h->v + lane, *mass = x + 3 * component;
  if (w->id == WEFT_BUFFER_COUNT) {
    const vec4 *rows = rows_of(s, WEFT_BUFFER_X) + row;
    split_lane(crowd, component, rows, x, mass);
    split_lane(crowd, component, rows, x_prev, x_prev + 3 * component);
    split_lane(crowd, component, rows_of(s, WEFT_BUFFER_V) + row, v, NULL);
  } else if (w->id == WEFT_BUFFER_V) {
    join_lane(crowd, component, v, NULL, rows_of(s, w->id) + row);
  } else {
    join_lane(crowd, component, w->id == WEFT_BUFFER_X ? x : x_prev, mass, rows_of(s, w->id) + row);
  }
}

static void run_blocks(const way *w, size_t first, size_t count) {
  const weft_crowd *crowd = w->staying->crowd;
  for (size_t b = first; b < first + count; ++b) {
    weft_halves h = weft_staying_block(w->staying, &w->staying->halves, (uint32_t)b);
    bool in = w->id == WEFT_BUFFER_COUNT;
    uint32_t lanes = in ? crowd->lanes : weft_crowd_filled(crowd, (uint32_t)b);
    for (uint32_t l = 0; l < lanes; ++l) {
      run_lane(w, &h, (size_t)weft_crowd_part(crowd, (uint32_t)b, l) * crowd->particles, l);
    }
  }
}

/* Particles, or blocks of a crowd. */
static void run_way(const way *w, size_t first, size_t count) {
  if (w->staying->crowd) {
    run_blocks(w, first, count);
    return;
  }
  const weft_staying *s = w->staying;
  const weft_halves *h = &s->halves;
  const float *masses = h->x + 3 * h->component;
  if (w->id == WEFT_BUFFER_COUNT) {
    weft_halves before = *h;
    before.x = h->x_prev;
    s->lanes->split(h, rows_of(s, WEFT_BUFFER_X), first, count);
    s->lanes->split(&before, rows_of(s, WEFT_BUFFER_X), first, count);
    s->lanes->split_three(h, h->v, rows_of(s, WEFT_BUFFER_V), first, count);
  } else if (w->id == WEFT_BUFFER_X) {
    s->lanes->join(h, h->x, masses, rows_of(s, w->id), first, count);
  } else if (w->id == WEFT_BUFFER_X_PREV) {
    s->lanes->join(h, h->x_prev, masses, rows_of(s, w->id), first, count);
  } else {
    s->lanes->join(h, h->v, NULL, rows_of(s, w->id), first, count);
  }
}

static uint32_t parts_of(void *context, uint32_t phase) {
  (void)phase;
  return ((const way *)context)->staying->members;
}

/* Parts begin where vectors of both parities do. */
static size_t part_begin(const weft_staying *s, uint32_t part) {
  if (s->crowd) return (size_t)s->crowd->blocks * part / s->members;
  size_t begin = (size_t)s->particles * part / s->members;
  return part == s->members ? begin : begin / (2 * WEFT_LANES_MAX) * (2 * WEFT_LANES_MAX);
}

static void run_part(void *context, uint32_t phase, uint32_t part) {
  (void)phase;
  const way *w = context;
  size_t begin = part_begin(w->staying, part);
  run_way(w, begin, part_begin(w->staying, part + 1) - begin);
}

static void go(weft_staying *s, weft_buffer_id id) {
  enum { MIN_FOR_THREADS = 16384 };
  way w = {s, id};
  if (s->particles < MIN_FOR_THREADS) {
    run_way(&w, 0, s->crowd ? s->crowd->blocks : s->particles);
    return;
  }
  const weft_job job = {.context = &w, .phases = 1, .parts = parts_of, .run = run_part};
  weft_thread_pool_run(&job, NULL);
}

/* ---- the state ---- */

static const weft_buffer_id kept[] = {WEFT_BUFFER_X, WEFT_BUFFER_X_PREV, WEFT_BUFFER_V};
enum { KEPT = sizeof kept / sizeof kept[0] };

bool weft_staying_keeps(weft_buffer_id id) {
  for (int k = 0; k < KEPT; ++k) {
    if (kept[k] == id) return true;
  }
  return false;
}

void weft_staying_enter(weft_staying *s) {
  if (!s->split) go(s, WEFT_BUFFER_COUNT);
  s->split = true;
}

void weft_staying_begin(weft_staying *s) {
  float *before = s->halves.x;
  s->halves.x = s->halves.x_prev;
  s->halves.x_prev = before;
}

void weft_staying_moved(weft_staying *s) {
  for (int k = 0; k < KEPT; ++k) s->stale[kept[k]] = true;
}

void weft_staying_show(weft_staying *s, weft_buffer_id id) {
  if (s->stale[id]) go(s, id);
  s->stale[id] = false;
}

void weft_staying_leave(weft_staying *s) {
  for (int k = 0; k < KEPT; ++k) weft_staying_show(s, kept[k]);
  s->split = false;
}
