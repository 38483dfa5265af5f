/* Contact: small scenes drawn at random, in which cloth lies, falls, is thrown or is pressed on
 * cloth and bodies. After every frame the backends have equal bits and equal counts, and nothing
 * that started free intersects, as an exact counter says that knows nothing of the solver.
 *
 *   fuzz_contact SECONDS [FIRST]    scenes FIRST, FIRST + 1, ... (from 1) for so long
 *   fuzz_contact --count N [FIRST]  N scenes
 *   fuzz_contact --scene N [NAME=X...] [FILE.obj]
 *     one, with some of what was drawn put otherwise, to find the least that still shows something;
 *     the file gets how its cloth starts
 *
 * Ends with how many scenes touched; fewer than two thirds are a failure, since the rest compares
 * nothing. What it finds it prints as the line that runs it once more. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <weft/solver.h>
#include <weft_gl/gl.h>

#include "base.h"
#include "cpu.h"
#include "fuzz.h"
#include "inspect.h"
#include "intersections.h"
#include "vec3.h"

/* ---- what is drawn ---- */

/* All are numbers, so that each can be put otherwise by its name. Metres, seconds, rad. The kind of
 * scene; how many sheets, of `columns` along x and `rows` along z, `edge` between vertices; `gap`
 * between layers, and to what is below; height of waves, in gaps; how each sheet is turned against
 * the one before; how far all is from the origin; rest 1: cloth is at rest as it starts, 0: flat or
 * round as it was made. Speeds of layers towards and past each other. Ground 1: a plane, 2: a ball.
 * Bodies 1: a ball of triangles below, 2: one above as well, their speed towards the cloth and
 * their spin. Pins, and how fast they are led down into what lies there. */
/* clang-format off */
#define FIELDS(F)                                                                                   \
  F(kind) F(sheets) F(columns) F(rows) F(edge) F(gap) F(wave) F(turned) F(pattern) F(away) F(rest)  \
  F(fabric) F(bending) F(speed) F(sideways)                                                         \
  F(frames) F(substeps) F(iterations) F(self_iterations) F(thickness) F(room) F(mu_s) F(mu_k)       \
  F(lines) F(levels) F(lra) F(mode) F(patches) F(wind)                                              \
  F(ground) F(bodies) F(body_speed) F(body_spin) F(body_rings) F(body_thickness)                    \
  F(pins) F(pin_speed) F(instances)
/* clang-format on */

typedef struct drawn {
#define F(name) double name;
  FIELDS(F)
#undef F
} drawn;

static const struct {
  const char *name;
  size_t offset;
} fields[] = {
#define F(name) {#name, offsetof(drawn, name)},
    FIELDS(F)
#undef F
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static double *field(drawn *d, size_t k) { return (double *)((char *)d + fields[k].offset); }

enum { KIND_SHEETS, KIND_FOLD, KIND_THROWN, KIND_TUBE, KIND_SHIRT, KIND_COUNT };
static const char *const kinds[] = {"sheets", "fold", "thrown", "tube", "shirt"};
static const char *const fabrics[] = {"denim",  "tablecloth", "tshirt",      "ribknit",
                                      "jacket", "ponte",      "inextensible"};

static uint32_t below(weft_rng *rng, uint32_t bound) { return weft_rng_u32(rng) % bound; }
static bool one_in(weft_rng *rng, uint32_t n) { return below(rng, n) == 0; }
static double from_to(weft_rng *rng, double low, double high) {
  return low + (high - low) * (double)weft_rng_float(rng, 0, 1);
}
/* As often between 1 and 2 as between 2 and 4. */
static double by_ratio(weft_rng *rng, double low, double high) {
  return low * pow(high / low, (double)weft_rng_float(rng, 0, 1));
}

static void draw_cloth(weft_rng *rng, drawn *d) {
  d->kind = below(rng, KIND_COUNT);
  d->sheets = 2 + below(rng, 4);
  d->columns = 4 + below(rng, 9);
  d->rows = 4 + below(rng, 9);
  d->edge = by_ratio(rng, 0.003, 0.04);
  d->gap = by_ratio(rng, 0.0003, 0.006);
  d->wave = one_in(rng, 2) ? from_to(rng, 0, 6) : 0;
  d->turned = one_in(rng, 3) ? 0 : from_to(rng, -3, 3);
  d->pattern = below(rng, 3);
  d->away = one_in(rng, 4) ? by_ratio(rng, 0.5, 20) : 0;
  d->rest = !one_in(rng, 3);
  d->fabric = below(rng, sizeof fabrics / sizeof *fabrics);
  d->bending = below(rng, 5);
  d->speed = d->kind == KIND_THROWN || one_in(rng, 5) ? by_ratio(rng, 0.1, 8) : 0;
  d->sideways = one_in(rng, 4) ? by_ratio(rng, 0.1, 4) : 0;
}

static void draw_solver(weft_rng *rng, drawn *d) {
  d->frames = 2 + below(rng, 6);
  d->substeps = floor(by_ratio(rng, 5, 81));
  d->iterations = one_in(rng, 5) ? 2 : 1;
  d->self_iterations = one_in(rng, 8) ? 0 : 1 + below(rng, 10);
  d->thickness = by_ratio(rng, 0.0005, 0.008);
  d->room = one_in(rng, 12) ? 1 + below(rng, 8) : 16U << below(rng, 3);
  d->mu_s = one_in(rng, 3) ? 0 : from_to(rng, 0, 1.2);
  d->mu_k = d->mu_s * from_to(rng, 0.3, 1);
  d->lines = one_in(rng, 2) ? 1 + below(rng, 4) : 0;
  d->levels = one_in(rng, 4) ? 24 : 0;
  d->mode = one_in(rng, 4) ? 1 + below(rng, 2) : 0;
  d->patches = d->mode == 0 && one_in(rng, 5);
  d->wind = one_in(rng, 6) ? from_to(rng, -8, 8) : 0;
}

static void draw_around(weft_rng *rng, drawn *d) {
  d->ground = one_in(rng, 2) ? 1 : below(rng, 3);
  d->bodies = one_in(rng, 2) ? 0 : 1 + below(rng, 2);
  d->body_speed = one_in(rng, 3) ? 0 : by_ratio(rng, 0.05, 4);
  d->body_spin = one_in(rng, 2) ? from_to(rng, -10, 10) : 0;
  d->body_rings = 3 + below(rng, 7);
  d->body_thickness = one_in(rng, 2) ? by_ratio(rng, 0.0005, 0.01) : 0;
  d->pins = one_in(rng, 3) ? 1 + below(rng, 3) : 0;
  d->pin_speed = one_in(rng, 2) ? from_to(rng, -3, 3) : 0;
  d->lra = d->pins > 0 ? below(rng, 3) : 0;
  d->instances = one_in(rng, 5) ? 2 + below(rng, 2) : 1;
}

/* What does not go together gives way. */
static void make_fit(drawn *d) {
  if (d->instances > 1) {
    d->bodies = d->lines = d->mode = d->patches = 0;
    d->rest = 1;
  }
}

static drawn draw(uint64_t number) {
  weft_rng rng = weft_rng_seed(number);
  drawn d = {0};
  draw_cloth(&rng, &d);
  draw_solver(&rng, &d);
  draw_around(&rng, &d);
  make_fit(&d);
  return d;
}

/* ---- cloth ---- */

/* A mesh as it is at rest, and where its vertices start and how fast. */
typedef struct cloth {
  weft_mesh mesh;
  weft_vec3 *start, *velocities;
} cloth;

static void free_cloth(cloth *c) {
  weft_mesh_free(&c->mesh);
  weft_free(c->start);
  weft_free(c->velocities);
}

static weft_vec3 v3(double x, double y, double z) { return weft_v3((float)x, (float)y, (float)z); }

static void begin(cloth *c, uint32_t vertices, uint32_t triangles) {
  c->mesh.vertex_count = vertices;
  c->mesh.triangle_count = triangles;
  c->mesh.positions = weft_alloc(vertices, sizeof *c->mesh.positions);
  c->mesh.triangles = weft_alloc(3 * (size_t)triangles, sizeof *c->mesh.triangles);
}

static weft_mesh grid(const drawn *d) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  const weft_grid_desc desc = {.rows = (uint32_t)d->rows,
                               .columns = (uint32_t)d->columns,
                               .width = (float)(d->edge * (d->columns - 1)),
                               .height = (float)(d->edge * (d->rows - 1)),
                               .pattern = (weft_grid_pattern)d->pattern,
                               .plane = WEFT_PLANE_XZ};
  EXPECT(weft_mesh_grid(&desc, &mesh, &err) == WEFT_OK);
  return mesh;
}

static double wave(const drawn *d, weft_vec3 p) {
  double x = (double)p.x / d->edge, z = (double)p.z / d->edge;
  return d->wave * d->gap * sin(0.7 * x + 0.2) * cos(0.6 * z - 0.1);
}

/* Layers over each other, all with the same waves. */
static void make_sheets(const drawn *d, cloth *c) {
  const uint32_t sheets = (uint32_t)d->sheets;
  weft_mesh one = grid(d);
  begin(c, sheets * one.vertex_count, sheets * one.triangle_count);
  for (uint32_t s = 0; s < sheets; ++s) {
    double angle = s * d->turned;
    for (uint32_t i = 0; i < one.vertex_count; ++i) {
      weft_vec3 p = one.positions[i];
      p = v3((double)p.x * cos(angle) + (double)p.z * sin(angle), s * d->gap,
             (double)p.z * cos(angle) - (double)p.x * sin(angle));
      p.y += (float)wave(d, p);
      c->mesh.positions[s * one.vertex_count + i] = p;
    }
    for (uint32_t k = 0; k < 3 * one.triangle_count; ++k) {
      c->mesh.triangles[3 * s * one.triangle_count + k] = one.triangles[k] + s * one.vertex_count;
    }
  }
  weft_mesh_free(&one);
}

/* A hem: what is past a row lies back over the rest. */
static void make_fold(const drawn *d, cloth *c) {
  c->mesh = grid(d);
  uint32_t columns = (uint32_t)d->columns, rows = (uint32_t)d->rows, hem = 1 + rows / 2;
  double line = (double)c->mesh.positions[(rows - hem) * columns].z;
  c->start = weft_alloc(c->mesh.vertex_count, sizeof *c->start);
  for (uint32_t i = 0; i < c->mesh.vertex_count; ++i) {
    weft_vec3 p = c->mesh.positions[i];
    double past = (double)p.z - line;
    c->start[i] = past > 1e-6 ? v3((double)p.x, d->gap, line - past) : p;
    c->start[i].y += (float)wave(d, c->start[i]);
  }
}

/* A sleeve that lies on its side, pressed flat but for the gap. */
static void make_tube(const drawn *d, cloth *c) {
  uint32_t segments = 4 + (uint32_t)d->rows;
  double radius = d->edge * segments / 6.2832;
  const weft_tube_desc desc = {.top_radius = (float)radius,
                               .bottom_radius = (float)(radius * (d->turned > 0 ? 1.3 : 1)),
                               .height = (float)(d->edge * (d->columns - 1)),
                               .rings = (uint32_t)d->columns,
                               .segments = segments};
  weft_error err = {0};
  EXPECT(weft_mesh_tube(&desc, &c->mesh, &err) == WEFT_OK);
  c->start = weft_alloc(c->mesh.vertex_count, sizeof *c->start);
  double flat = fmin(1, d->gap / radius);
  for (uint32_t i = 0; i < c->mesh.vertex_count; ++i) {
    weft_vec3 p = c->mesh.positions[i];
    c->mesh.positions[i] = v3((double)p.y, (double)p.x, (double)p.z);
    c->start[i] = v3((double)p.y, (double)p.x * flat, (double)p.z);
  }
}

/* Front and back, cut as a T and sewn at the sides; neck and hem are open. */
static bool is_cloth(const drawn *d, int column, int row) {
  int columns = (int)d->columns, rows = (int)d->rows, side = columns / 4;
  if (column < 0 || row < 0 || column >= columns - 1 || row >= rows - 1) return false;
  return row < (rows + 1) / 2 || (column >= side && column < columns - 1 - side);
}

static bool is_sewn(const drawn *d, int column, int row) {
  int around = 0, columns = (int)d->columns;
  for (int k = 0; k < 4; ++k) around += is_cloth(d, column - (k & 1), row - (k >> 1));
  bool hem = row == (int)d->rows - 1 && column > columns / 4 && column < columns - 1 - columns / 4;
  bool neck = row == 0 && abs(2 * column - columns + 1) <= 2;
  return around < 4 && !hem && !neck;
}

static void make_shirt(const drawn *d, cloth *c) {
  int columns = (int)d->columns, rows = (int)d->rows;
  uint32_t places = (uint32_t)(columns * rows), next = 0;
  uint32_t *number = weft_alloc(2 * (size_t)places, sizeof *number);
  begin(c, 2 * places, 4 * places);
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < columns * rows; ++k) {
      int x = k % columns, z = k / columns, around = 0;
      for (int n = 0; n < 4; ++n) around += is_cloth(d, x - (n & 1), z - (n >> 1));
      bool sewn = is_sewn(d, x, z);
      number[side * columns * rows + k] = side && sewn ? number[k] : next;
      if (around == 0 || (side && sewn)) continue;
      weft_vec3 p = v3(d->edge * x, sewn ? 0 : d->gap * (0.5 - side), d->edge * z);
      p.y += (float)wave(d, p);
      c->mesh.positions[next++] = p;
    }
  }
  c->mesh.vertex_count = next;
  uint32_t *t = c->mesh.triangles;
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < columns * rows; ++k) {
      if (!is_cloth(d, k % columns, k / columns)) continue;
      const int corners[2][3] = {{k, k + columns, k + 1}, {k + 1, k + columns, k + columns + 1}};
      for (int half = 0; half < 2; ++half) {
        int sewn = 0;
        for (int n = 0; n < 3; ++n)
          sewn += is_sewn(d, corners[half][n] % columns, corners[half][n] / columns);
        if (sewn == 3 && side == 1) continue; /* front and back would be one */
        for (int n = 0; n < 3; ++n)
          *t++ = number[side * columns * rows + corners[half][side ? 2 - n : n]];
      }
    }
  }
  c->mesh.triangle_count = (uint32_t)(t - c->mesh.triangles) / 3;
  weft_free(number);
}

/* In the middle between the lowest and the highest. */
static double middle(const cloth *c) {
  double low = 1e9, high = -1e9;
  for (uint32_t i = 0; i < c->mesh.vertex_count; ++i) {
    double y = (double)c->start[i].y;
    low = fmin(low, y), high = fmax(high, y);
  }
  return (low + high) / 2;
}

static cloth make_cloth(const drawn *d) {
  cloth c = {0};
  if (d->kind == KIND_SHEETS || d->kind == KIND_THROWN) make_sheets(d, &c);
  if (d->kind == KIND_FOLD) make_fold(d, &c);
  if (d->kind == KIND_TUBE) make_tube(d, &c);
  if (d->kind == KIND_SHIRT) make_shirt(d, &c);
  uint32_t n = c.mesh.vertex_count;
  if (!c.start) {
    c.start = weft_alloc(n, sizeof *c.start);
    memcpy(c.start, c.mesh.positions, n * sizeof *c.start);
  }
  const weft_vec3 away = v3(d->away, d->away / 2, -d->away);
  c.velocities = weft_alloc(n, sizeof *c.velocities);
  double between = middle(&c);
  for (uint32_t i = 0; i < n; ++i) {
    double up = (double)c.start[i].y > between ? -1 : 1;
    c.velocities[i] = v3(up * d->sideways, up * d->speed, 0);
    c.start[i] = weft_v3_add(c.start[i], away);
    c.mesh.positions[i] = d->rest ? c.start[i] : weft_v3_add(c.mesh.positions[i], away);
  }
  if (d->rest && d->kind != KIND_FOLD) c.mesh.grid_rows = c.mesh.grid_columns = 0;
  return c;
}

/* ---- what is around it ---- */

typedef struct around {
  weft_collider ground;
  weft_mesh balls[2];
  weft_body bodies[2];
  double radius;
  weft_vec3 low, high;
} around;

static weft_mesh ball(uint32_t rings, double radius, weft_vec3 centre) {
  uint32_t segments = 2 * rings;
  weft_mesh mesh = {.vertex_count = 2 + (rings - 1) * segments,
                    .triangle_count = 2 * (rings - 1) * segments};
  mesh.positions = weft_alloc(mesh.vertex_count, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(3 * (size_t)mesh.triangle_count, sizeof *mesh.triangles);
  uint32_t last = mesh.vertex_count - 1, *t = mesh.triangles;
  for (uint32_t i = 0; i <= last; ++i) {
    double down = i == 0      ? 0
                  : i == last ? 3.14159265
                              : 3.14159265 * (1 + (i - 1) / segments) / rings;
    double along = 6.2831853 * ((i + segments - 1) % segments + 0.37) / segments;
    weft_vec3 p =
        v3(radius * sin(down) * cos(along), radius * cos(down), radius * sin(down) * sin(along));
    mesh.positions[i] = weft_v3_add(p, centre);
  }
  for (uint32_t r = 0; r + 1 <= rings; ++r) {
    for (uint32_t s = 0; s < segments; ++s) {
      uint32_t over = 1 + (r - 1) * segments, under = 1 + r * segments, next = (s + 1) % segments;
      if (r > 0) *t++ = over + s, *t++ = over + next, *t++ = r + 1 == rings ? last : under + s;
      if (r + 1 == rings) continue;
      *t++ = r == 0 ? 0 : over + next, *t++ = under + next, *t++ = under + s;
    }
  }
  return mesh;
}

static void make_around(const drawn *d, const cloth *c, around *a) {
  weft_v3_bounds(c->start, c->mesh.vertex_count, &a->low, &a->high);
  const weft_vec3 centre = weft_v3_scale(weft_v3_add(a->low, a->high), 0.5f);
  double under = (double)a->low.y - d->gap, over = (double)a->high.y + d->gap;
  double wide = (double)(a->high.x - a->low.x);
  a->radius = wide * 0.4;
  a->ground = (weft_collider){.a = v3((double)centre.x, under, (double)centre.z),
                              .b = v3(0, 1, 0),
                              .friction_static = (float)d->mu_s,
                              .friction_dynamic = (float)d->mu_k};
  if (d->ground == 2) {
    a->ground.shape = WEFT_COLLIDER_SPHERE;
    a->ground.radius = (float)wide;
    a->ground.a.y = (float)(under - wide);
  }
  for (int b = 0; b < (int)d->bodies; ++b) {
    double y = b == 0 ? under - a->radius : over + a->radius;
    a->balls[b] =
        ball((uint32_t)d->body_rings, a->radius, v3((double)centre.x, y, (double)centre.z));
    a->bodies[b] = (weft_body){.mesh = &a->balls[b],
                               .friction_static = (float)d->mu_s,
                               .friction_dynamic = (float)d->mu_k,
                               .thickness = (float)d->body_thickness};
  }
}

/* Bodies come nearer and turn until they would be half into each other. */
static void move_bodies(const drawn *d, const around *a, weft_solver *solver, uint32_t frame) {
  weft_error err = {0};
  double t = (frame + 1) / 60.0, by = fmin(d->body_speed * t, a->radius), turn = d->body_spin * t;
  for (int b = 0; b < (int)d->bodies && (d->body_speed > 0 || d->body_spin != 0); ++b) {
    const weft_mesh *mesh = &a->balls[b];
    const weft_vec3 first = mesh->positions[0];
    weft_vec3 *to = weft_alloc(mesh->vertex_count, sizeof *to);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      const weft_vec3 p = weft_v3_sub(mesh->positions[i], first);
      const weft_vec3 turned = v3((double)p.x * cos(turn) + (double)p.z * sin(turn), (double)p.y,
                                  (double)p.z * cos(turn) - (double)p.x * sin(turn));
      to[i] = weft_v3_add(weft_v3_add(turned, first), v3(0, b == 0 ? by : -by, 0));
    }
    EXPECT(weft_solver_move_body(solver, (uint32_t)b, to, &err) == WEFT_OK);
    weft_free(to);
  }
}

/* ---- a scene ---- */

enum { MOST_PINS = 3, MOST_FRAMES = 64 };

typedef struct scene {
  drawn d;
  cloth cloth;
  around around;
  weft_model *one, *model;
  weft_params params;
  uint32_t pins[MOST_PINS];
} scene;

static uint32_t pin_count(const scene *s) { return (uint32_t)s->d.pins; }

static void set_params(scene *s) {
  const drawn *d = &s->d;
  weft_params *p = &s->params;
  *p = (weft_params){
      .substeps = (uint32_t)d->substeps,
      .iterations = (uint32_t)d->iterations,
      .mode = (weft_mode)d->mode,
      .schedule = d->patches > 0 ? WEFT_SCHEDULE_PATCHES : WEFT_SCHEDULE_AUTO,
      .line_sweeps = (uint32_t)d->lines,
      .multilevel = (uint32_t)d->levels,
      .lra = (uint32_t)d->lra,
      .self_collision = true,
      .self_iterations = (uint32_t)d->self_iterations,
      .no_self_pushes =
          d->self_iterations<1, .self_room = (uint32_t)d->room,
                             .self_thickness = (float)d->thickness, .self_static = (float)d->mu_s,
                             .self_dynamic = (float)d->mu_k, .bodies = s->around.bodies,
                             .body_count = (uint32_t)d->bodies, .colliders = &s->around.ground,
                             .collider_count = d->ground> 0,
      .start = d->rest > 0 ? NULL : s->cloth.start};
  if (d->wind != 0) p->air_density = 1.2f, p->wind = v3(d->wind / 3, d->wind, 0);
}

static void open_scene(const drawn *d, scene *s) {
  *s = (scene){.d = *d, .cloth = make_cloth(d)};
  make_around(&s->d, &s->cloth, &s->around);
  const uint32_t n = s->cloth.mesh.vertex_count;
  for (uint32_t k = 0; k < pin_count(s); ++k) s->pins[k] = k * (n - 1) / MOST_PINS;
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = s->pins, .list_count = pin_count(s)};
  const weft_model_desc desc = {.mesh = &s->cloth.mesh,
                                .material = weft_material_find(fabrics[(size_t)d->fabric]),
                                .bending = (weft_bending)d->bending,
                                .pins = &pin,
                                .pin_count = pin_count(s) > 0};
  weft_error err = {0};
  if (weft_model_create(&desc, &s->one, &err) != WEFT_OK) fprintf(stderr, "%s\n", err.message);
  EXPECT(s->one);
  if (d->instances > 1) {
    const weft_model *parts[] = {s->one, s->one, s->one};
    EXPECT(weft_model_join(parts, (uint32_t)d->instances, &s->model, &err) == WEFT_OK);
  }
  set_params(s);
}

static const weft_model *model_of(const scene *s) { return s->model ? s->model : s->one; }

static void close_scene(scene *s) {
  weft_model_destroy(s->model);
  weft_model_destroy(s->one);
  weft_mesh_free(&s->around.balls[0]);
  weft_mesh_free(&s->around.balls[1]);
  free_cloth(&s->cloth);
}

/* Instances are thrown a little differently. */
static void throw_cloth(const scene *s, weft_solver *solver) {
  if (s->d.speed == 0 && s->d.sideways == 0) return;
  const uint32_t n = s->cloth.mesh.vertex_count;
  weft_vec3 *v = weft_alloc((size_t)n * (size_t)s->d.instances, sizeof *v);
  for (uint32_t m = 0; m < (uint32_t)s->d.instances; ++m) {
    for (uint32_t i = 0; i < n; ++i) {
      v[m * n + i] = weft_v3_scale(s->cloth.velocities[i], 1 + 0.25f * (float)m);
    }
    for (uint32_t k = 0; k < pin_count(s); ++k) v[m * n + s->pins[k]] = weft_v3(0, 0, 0);
  }
  weft_error err = {0};
  EXPECT(weft_solver_write(solver, NULL, v, &err) == WEFT_OK);
  weft_free(v);
}

static void move_pins(const scene *s, weft_solver *solver, uint32_t frame) {
  weft_error err = {0};
  for (uint32_t k = 0; k < pin_count(s) && s->d.pin_speed != 0; ++k) {
    weft_vec3 to = s->cloth.start[s->pins[k]];
    to.y -= (float)(s->d.pin_speed * fmin(frame + 1, 4) / 60);
    for (uint32_t m = 0; m < (uint32_t)s->d.instances; ++m) {
      const uint32_t pin = m * s->cloth.mesh.vertex_count + s->pins[k];
      EXPECT(weft_solver_move_pins(solver, &pin, &to, 1, &err) == WEFT_OK);
    }
  }
}

/* ---- a run ---- */

typedef struct seen {
  bool refused;
  weft_error why;
  uint64_t hashes[MOST_FRAMES + 1], crossings[MOST_FRAMES + 1];
  weft_metrics counts; /* the fields self_, summed over frames */
  double fastest;      /* m/s */
} seen;

static uint64_t count_crossings(const scene *s, const weft_vec3 *x, const weft_vec3 *body) {
  const weft_mesh *mesh = &s->cloth.mesh;
  const uint32_t n = mesh->vertex_count;
  uint64_t sum = 0;
  uint32_t vertices = n, triangles = mesh->triangle_count;
  for (int b = 0; b < (int)s->d.bodies; ++b) {
    vertices += s->around.balls[b].vertex_count, triangles += s->around.balls[b].triangle_count;
  }
  weft_vec3 *all = weft_alloc(vertices, sizeof *all);
  uint32_t *corners = weft_alloc(3 * (size_t)triangles, sizeof *corners);
  memcpy(corners, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof *corners);
  uint32_t *next = corners + 3 * (size_t)mesh->triangle_count, first = n;
  for (int b = 0; b < (int)s->d.bodies; ++b) {
    const weft_mesh *one = &s->around.balls[b];
    for (uint32_t k = 0; k < 3 * one->triangle_count; ++k) *next++ = one->triangles[k] + first;
    first += one->vertex_count;
  }
  for (uint32_t m = 0; m < (uint32_t)s->d.instances; ++m) {
    weft_intersections found[2];
    weft_error err = {0};
    memcpy(all, x + (size_t)m * n, n * sizeof *all);
    memcpy(all + n, body, (vertices - n) * sizeof *all);
    EXPECT(weft_count_intersections_with(all, vertices, corners, triangles, mesh->triangle_count,
                                         NULL, found, &err) == WEFT_OK);
    sum += found[0].triangle_pairs + found[1].triangle_pairs;
  }
  weft_free(all);
  weft_free(corners);
  return sum;
}

/* Hash of cloth and bodies after `frame`, and what intersects where `count` asks for it. */
static void detection(const scene *s, weft_solver *solver, uint32_t frame, bool count, seen *out) {
  const uint32_t n = weft_model_particle_count(model_of(s));
  uint32_t more = 0;
  for (int b = 0; b < (int)s->d.bodies; ++b) more += s->around.balls[b].vertex_count;
  weft_vec3 *x = weft_alloc((size_t)n + more + 1, sizeof *x);
  weft_error err = {0};
  EXPECT(weft_solver_hash(solver, &out->hashes[frame], &err) == WEFT_OK);
  uint32_t first = n;
  for (int b = 0; b < (int)s->d.bodies; ++b) {
    EXPECT(weft_solver_read_body(solver, (uint32_t)b, x + first, &err) == WEFT_OK);
    first += s->around.balls[b].vertex_count;
  }
  out->hashes[frame] = weft_hash_bytes(out->hashes[frame], x + n, more * sizeof *x);
  if (count) {
    EXPECT(weft_solver_read(solver, x, NULL, &err) == WEFT_OK);
    out->crossings[frame] = count_crossings(s, x, x + n);
  }
  weft_free(x);
}

static void add_counts(const scene *s, weft_solver *solver, seen *out) {
  weft_metrics now, *sum = &out->counts;
  weft_error err = {0};
  EXPECT(weft_solver_metrics(solver, &now, &err) == WEFT_OK);
  EXPECT(now.nonfinite == 0);
  EXPECT(now.self_pauses <= (uint32_t)(s->d.substeps * s->d.instances));
  /* A list that is too short holds whatever came first. */
  if (now.self_overflows > 0) now.self_detections = now.self_uncertain = 0;
  sum->self_candidates += now.self_candidates, sum->self_pairs += now.self_pairs;
  sum->self_limited += now.self_limited, sum->self_uncertain += now.self_uncertain;
  sum->self_detections += now.self_detections, sum->self_pauses += now.self_pauses;
  sum->self_overflows += now.self_overflows, sum->self_driven += now.self_driven;
  sum->self_tangled = now.self_tangled;
  out->fastest = fmax(out->fastest, now.max_speed);
}

static seen run(const scene *s, const weft_backend *backend, bool count) {
  seen out = {0};
  weft_solver *solver = NULL;
  weft_error err = {0};
  if (weft_solver_create(model_of(s), &s->params, backend, &solver, &err) != WEFT_OK) {
    out.refused = true;
    out.why = err;
    return out;
  }
  throw_cloth(s, solver);
  detection(s, solver, 0, count, &out);
  for (uint32_t f = 0; f < (uint32_t)s->d.frames; ++f) {
    move_bodies(&s->d, &s->around, solver, f);
    move_pins(s, solver, f);
    EXPECT(weft_solver_step(solver, &err) == WEFT_OK);
    detection(s, solver, f + 1, count, &out);
    add_counts(s, solver, &out);
  }
  weft_solver_destroy(solver);
  return out;
}

/* ---- all backends ---- */

enum { ON_CPU = 6, BACKENDS = ON_CPU + 1 };
typedef struct machine {
  weft_cpu_desc descs[ON_CPU];
  weft_backend on_cpu[ON_CPU];
  const weft_backend *backends[BACKENDS];
  char names[BACKENDS][40];
  uint32_t count;
  weft_gl *gl;
} machine;

static void open_machine(machine *m) {
  *m = (machine){.count = 0};
  for (uint32_t k = 0; k < ON_CPU; ++k) {
    const uint32_t lanes = 4u << k % 3, threads = 1 + k / 3;
    const weft_lanes *usable = weft_lanes_usable(lanes);
    if (!usable) continue;
    const uint32_t b = m->count++;
    m->descs[b] = (weft_cpu_desc){
        .threads = threads, .lanes = usable, .exactly = true, .tile = k == 4 ? 100 : 0};
    m->on_cpu[b] = weft_cpu_backend_of(&m->descs[b]);
    m->backends[b] = &m->on_cpu[b];
    snprintf(m->names[b], sizeof m->names[b], "cpu, %u lanes, %u threads", lanes, threads);
  }
  weft_error err = {0};
  const weft_backend *gl = NULL;
  if (weft_gl_create_headless(&(weft_gl_desc){0}, &m->gl, &err) != WEFT_OK ||
      weft_backend_gl(m->gl, &gl, &err) != WEFT_OK) {
    fprintf(stderr, "no gl: %s\n", err.message);
    return;
  }
  snprintf(m->names[m->count], sizeof m->names[0], "gl");
  m->backends[m->count++] = gl;
}

typedef struct tally {
  uint32_t scenes, refused, tangled, touched, cut, paused, overflowed, driven, faults;
  uint32_t kinds[KIND_COUNT];
  uint64_t pairs, frames;
  double fastest;
  uint64_t fastest_scene;
} tally;

static void print_scene(uint64_t number, const drawn *d, const drawn *plain) {
  fprintf(stderr, "  fuzz_contact --scene %llu", (unsigned long long)number);
  for (size_t k = 0; k < FIELD_COUNT; ++k) {
    drawn copy = *d, other = *plain;
    if (*field(&copy, k) != *field(&other, k)) {
      fprintf(stderr, " %s=%.9g", fields[k].name, *field(&copy, k));
    }
  }
  fprintf(stderr, "\n  |");
  for (size_t k = 0; k < FIELD_COUNT; ++k) {
    drawn copy = *d;
    fprintf(stderr, " %s=%.6g", fields[k].name, *field(&copy, k));
  }
  fprintf(stderr, "\n");
}

static bool is_same(const scene *s, const char *name, const seen *ref, const seen *other) {
  if (ref->refused != other->refused) {
    fprintf(stderr, "%s: refused on one alone: %s%s\n", name, ref->why.message, other->why.message);
    return false;
  }
  for (uint32_t f = 0; f <= (uint32_t)s->d.frames; ++f) {
    if (ref->hashes[f] == other->hashes[f]) continue;
    fprintf(stderr, "%s: DIFFERENT from ref after frame %u\n", name, f);
    return false;
  }
  if (memcmp(&ref->counts, &other->counts, sizeof ref->counts) == 0) return true;
  fprintf(stderr, "%s: other counts than ref\n", name);
  return false;
}

static bool is_free(const scene *s, const seen *ref) {
  bool started_free = ref->crossings[0] == 0;
  for (uint32_t f = 1; f <= (uint32_t)s->d.frames && started_free; ++f) {
    if (ref->crossings[f] == 0) continue;
    fprintf(stderr, "%llu pairs INTERSECT after frame %u\n", (unsigned long long)ref->crossings[f],
            f);
    return false;
  }
  return true;
}

static void add_to(tally *t, uint64_t number, const scene *s, const seen *ref) {
  const weft_metrics *m = &ref->counts;
  t->refused += ref->refused;
  t->tangled += ref->crossings[0] > 0;
  t->touched += m->self_pairs > 0;
  t->cut += m->self_limited > 0;
  t->paused += m->self_pauses > 0;
  t->overflowed += m->self_overflows > 0;
  t->driven += m->self_driven > 0;
  t->pairs += m->self_pairs;
  t->frames += (uint64_t)s->d.frames;
  ++t->kinds[(int)s->d.kind];
  if (ref->fastest > t->fastest) t->fastest = ref->fastest, t->fastest_scene = number;
}

static void run_scene(const machine *m, uint64_t number, const drawn *d, bool tell, tally *t) {
  scene s;
  open_scene(d, &s);
  seen ref = run(&s, weft_backend_ref(), true);
  bool good = is_free(&s, &ref);
  for (uint32_t b = 0; b < m->count; ++b) {
    seen other = run(&s, m->backends[b], false);
    good = is_same(&s, m->names[b], &ref, &other) && good;
  }
  ++t->scenes;
  add_to(t, number, &s, &ref);
  if (ref.refused)
    fprintf(stderr, "scene %llu is refused: %s\n", (unsigned long long)number, ref.why.message);
  if (!good || tell) {
    const drawn plain = draw(number);
    print_scene(number, d, &plain);
  }
  if (tell) {
    printf(
        "%u particles, %u pairs, %u cut, %u pauses, %u overflows, at most %.3g m/s, %llu start "
        "tangled\n",
        weft_model_particle_count(model_of(&s)), ref.counts.self_pairs, ref.counts.self_limited,
        ref.counts.self_pauses, ref.counts.self_overflows, ref.fastest,
        (unsigned long long)ref.crossings[0]);
  }
  t->faults += !good;
  close_scene(&s);
}

/* ---- the program ---- */

static bool finish(const tally *t) {
  printf("%u scenes, %llu frames:", t->scenes, (unsigned long long)t->frames);
  for (int k = 0; k < KIND_COUNT; ++k) printf(" %u %s", t->kinds[k], kinds[k]);
  printf(
      "\n%u touched, %llu pairs; in %u motions were cut, in %u pins or bodies held back, %u "
      "paused, %u of these for want "
      "of room\n",
      t->touched, (unsigned long long)t->pairs, t->cut, t->driven, t->paused, t->overflowed);
  printf("%u started tangled, %u were refused; fastest %.3g m/s in scene %llu\n", t->tangled,
         t->refused, t->fastest, (unsigned long long)t->fastest_scene);
  printf("%u differ or intersect\n", t->faults);
  if (t->faults > 0) return false;
  if (3 * t->touched >= 2 * t->scenes && 20 * t->tangled <= t->scenes &&
      20 * t->refused <= t->scenes)
    return true;
  printf(
      "fewer than two thirds touched, or more than a twentieth started tangled or were refused\n");
  return false;
}

static void write_obj(const char *path, const drawn *d) {
  cloth made = make_cloth(d);
  const cloth *c = &made;
  FILE *file = fopen(path, "w");
  EXPECT(file);
  for (uint32_t i = 0; i < c->mesh.vertex_count; ++i) {
    const weft_vec3 p = c->start[i];
    fprintf(file, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
  }
  for (uint32_t k = 0; k < c->mesh.triangle_count; ++k) {
    const uint32_t *t = &c->mesh.triangles[3 * k];
    fprintf(file, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  fclose(file);
  free_cloth(&made);
}

static void put(drawn *d, const char *text) {
  for (size_t k = 0; k < FIELD_COUNT; ++k) {
    size_t length = strlen(fields[k].name);
    if (strncmp(text, fields[k].name, length) || text[length] != '=') continue;
    *field(d, k) = strtod(text + length + 1, NULL);
    return;
  }
  fprintf(stderr, "fuzz_contact: nothing is called %s\n", text);
  exit(2);
}

static void print_error(weft_log_level level, const char *line, void *user) {
  (void)user;
  if (level == WEFT_LOG_ERROR) fprintf(stderr, "%s\n", line);
}

int main(int argc, char **argv) {
  EXPECT(argc > 1);
  machine m;
  tally t = {0};
  weft_log_set(print_error, NULL, WEFT_LOG_ERROR);
  open_machine(&m);
  bool one = !strcmp(argv[1], "--scene"), count = !strcmp(argv[1], "--count");
  EXPECT(!(one || count) || argc > 2);
  const int after = one || count ? 3 : 2;
  if (one) {
    const uint64_t number = strtoull(argv[2], NULL, 10);
    drawn d = draw(number);
    const char *path = strstr(argv[argc - 1], ".obj") ? argv[--argc] : NULL;
    for (int k = after; k < argc; ++k) put(&d, argv[k]);
    if (path) write_obj(path, &d);
    run_scene(&m, number, &d, true, &t);
    weft_gl_destroy(m.gl);
    return t.faults > 0;
  }
  const double limit = strtod(argv[after - 1], NULL);
  uint64_t number = argc > after ? strtoull(argv[after], NULL, 10) : 1;
  const time_t begin_time = time(NULL);
  while (count ? t.scenes < limit : difftime(time(NULL), begin_time) < limit) {
    const drawn d = draw(number);
    run_scene(&m, number++, &d, false, &t);
  }
  weft_gl_destroy(m.gl);
  return finish(&t) ? 0 : 1;
}
