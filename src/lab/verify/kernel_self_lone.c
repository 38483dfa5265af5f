/* kernel_self_lone.c: pairs by themselves, for self-collision with bodies. In a crowd what is the
 * rule for one pair is hidden by the others of its particles: how a lone pair is shared, what
 * stands still, who gives way. A scene is a triangle of cloth over one of a body, and in another
 * place two of cloth. */
#include "kernel_data.h"

enum { CLOTHS = 3, CORNERS = 3, KINDS = 3, MOTIONS = 8, IN_A_ROW = 7 };

#define SIDE 0.05f /* m, half that of a triangle */
#define GAP 0.001f /* m, nearer than any thickness here */
#define CELL 0.3f  /* m between places */

/* ---- how they lie ---- */

/* Corners of the triangle above, in units of SIDE: a corner over a face, a face over a corner, an
 * edge over an edge. The lower triangle is that of the other kind, upside down; edges cross. */
static const float above[KINDS][CORNERS][3] = {
    {{0, 0, 0}, {-1, 0.1f, 1}, {1, 0.2f, 1}},
    {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
    {{-1, 0, 0}, {1, 0, 0}, {0, 0.1f, 1.5f}},
};
static const float below[KINDS][CORNERS][3] = {
    {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
    {{0, 0, 0}, {-1, 0.1f, -1}, {1, 0.2f, -1}},
    {{0, -1, 0}, {0, 1, 0}, {0.1f, 0, -1.5f}},
};

/* How many of the upper triangle's corners touch, the first ones. */
static const uint32_t touching[KINDS] = {1, 3, 2};

/* ---- how they move, m up ---- */

typedef struct lone_motion {
  float below, touching, others;
  bool pinned; /* what touches; the others too where they move alike */
} lone_motion;

static const lone_motion motions[MOTIONS] = {
    {0, -0.0005f, -0.0005f, false},   /* pressed down */
    {0.004f, 0, 0, true},             /* driven against what is still */
    {0.004f, -0.004f, -0.004f, true}, /* neither side gives way */
    {0, 0, 0, true},                  /* all still */
    {0, 0, -0.12f, true},             /* the pair still, its triangle not */
    {0, -0.01f, -0.01f, false},       /* it would pass through */
    {0.004f, 0, 0, false},            /* driven against what can move */
    {0, 0.0005f, 0.0005f, false},     /* leaves, by less than cloth parts from cloth */
};

/* ---- a pair of triangles ---- */

typedef struct lone_pair {
  uint32_t place, kind;
  const lone_motion *motion;
  uint32_t upper, lower; /* first particle of each */
} lone_pair;

static void put(const lone_pair *pair, uint32_t particle, const float at[3], float up, float move,
                weft_rng *rng, weft_contents *contents) {
  vec4 *x = contents->buffers[WEFT_BUFFER_X].data;
  vec4 *x_prev = contents->buffers[WEFT_BUFFER_X_PREV].data;
  vec4 place = weft_kernel_small_vector(rng, 1e-4f, x[particle].w);
  place.x += CELL * (float)(pair->place % IN_A_ROW) + SIDE * at[0];
  place.y += -2 * CELL - CELL * (float)(pair->place / IN_A_ROW) + SIDE * at[1];
  place.z += up + SIDE * at[2];
  x_prev[particle] = x[particle] = place;
  x[particle].z += move;
}

static void set_mass(uint32_t particle, bool pinned, weft_rng *rng, weft_contents *contents) {
  vec4 *x = contents->buffers[WEFT_BUFFER_X].data;
  x[particle].w = pinned ? 0 : weft_rng_float(rng, 0.5f, 2);
}

static void put_upper(const lone_pair *pair, weft_rng *rng, weft_contents *contents) {
  const lone_motion *motion = pair->motion;
  for (uint32_t k = 0; k < CORNERS; ++k) {
    bool touches = k < touching[pair->kind], alike = motion->others == motion->touching;
    set_mass(pair->upper + k, motion->pinned && (touches || alike), rng, contents);
    put(pair, pair->upper + k, above[pair->kind][k], GAP,
        touches ? motion->touching : motion->others, rng, contents);
  }
}

/* Masses of bodies are as they are. */
static void put_lower(const lone_pair *pair, bool body, weft_rng *rng, weft_contents *contents) {
  for (uint32_t k = 0; k < CORNERS; ++k) {
    if (!body) set_mass(pair->lower + k, false, rng, contents);
    put(pair, pair->lower + k, below[pair->kind][k], 0, pair->motion->below, rng, contents);
  }
}

static void join(uint32_t triangle, uint32_t first, weft_contents *contents) {
  weft_self_triangle *t = contents->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  t[triangle].corners = (weft_uvec3){first, first + 1, first + 2};
  t[triangle].flags = (t[triangle].flags | 63) & ~(uint32_t)WEFT_SELF_TANGLED;
}

static void put_scene(const weft_kernel_lone *lone, uint32_t s, weft_rng *rng,
                      weft_contents *contents) {
  uint32_t cloth = lone->cloth_first + CLOTHS * CORNERS * s;
  uint32_t body = lone->body_first + CORNERS * s;
  lone_pair pair = {2 * s, s % KINDS, &motions[s % MOTIONS], cloth, body};
  put_upper(&pair, rng, contents);
  put_lower(&pair, true, rng, contents);
  pair.place++;
  pair.upper = cloth + CORNERS;
  pair.lower = cloth + 2 * CORNERS;
  put_upper(&pair, rng, contents);
  put_lower(&pair, false, rng, contents);
  for (uint32_t k = 0; k < CLOTHS; ++k) {
    join(lone->places[CLOTHS * s + k], cloth + CORNERS * k, contents);
  }
  join(lone->places[lone->body_triangle_first + s], body, contents);
}

weft_kernel_lone weft_kernel_lone_of(uint32_t cloth, uint32_t bodies) {
  uint32_t scenes = bodies / (2 * CORNERS);
  return (weft_kernel_lone){.scenes = scenes,
                            .cloth_first = cloth - CLOTHS * CORNERS * scenes,
                            .body_first = cloth + bodies - CORNERS * scenes};
}

void weft_kernel_self_lone(const weft_kernel_lone *lone, weft_rng *rng, weft_contents *contents) {
  for (uint32_t s = 0; s < lone->scenes; ++s) put_scene(lone, s, rng, contents);
}
