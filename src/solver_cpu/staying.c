/* staying.c: the ways between rows and what stays split. */
#include "staying.h"

#include "base.h"
#include "thread_pool.h"

static size_t share_of(const weft_staying *s) {
  enum { WHOLE = 2 * WEFT_LANES_MAX };
  size_t vectors = (s->particles + WHOLE - 1) / WHOLE;
  return s->shares > 1 ? (vectors + s->shares - 1) / s->shares * WHOLE : 0;
}

void weft_staying_create(weft_staying *s) {
  size_t particles = s->memory->bytes[WEFT_BUFFER_X] / sizeof(vec4);
  size_t places = particles / 2 + 1 + s->shares * WEFT_APART;
  size_t half = (places + 1023) / 1024 * 1024 + WEFT_OFF_BEAT, component;
  component = 2 * half + WEFT_OFF_BEAT;
  s->halves = (weft_halves){.half = half, .component = component, .share = share_of(s)};
  /* Positions and those before change places, each with inverse masses. */
  s->room = weft_alloc_lines(11 * component, sizeof(float));
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

static void run_way(const way *w, size_t first, size_t count) {
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
    run_way(&w, 0, s->particles);
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
