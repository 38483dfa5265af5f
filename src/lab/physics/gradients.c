/* gradients.c: one constraint, one pass, one move; what that says of the gradient. */
#include "gradients.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "f64.h"
#include "gradient_case.h"

/* ---- one pass over one stencil ---- */

/* Numbers into an element of floats or of doubles. */
static void pack(const char *format, bool wide, const double *scalars, unsigned char *out) {
  size_t at = 0;
  for (size_t k = 0; format[k]; ++k) {
    if (format[k] == 'u') {
      uint32_t whole = (uint32_t)scalars[k];
      memcpy(out + at, &whole, sizeof whole);
      at += sizeof whole;
    } else if (wide) {
      at = (at + sizeof(double) - 1) / sizeof(double) * sizeof(double);
      memcpy(out + at, &scalars[k], sizeof(double));
      at += sizeof(double);
    } else {
      float single = (float)scalars[k];
      memcpy(out + at, &single, sizeof single);
      at += sizeof single;
    }
  }
}

static void put(weft_contents *contents, bool wide, const weft_element *element) {
  char format[WEFT_F64_SCALARS];
  weft_f64_format(element->buffer, format);
  size_t scalars = strlen(format);
  WEFT_CHECK(scalars * element->count <= WEFT_STENCIL_SCALARS, "a stencil of too many numbers");
  unsigned char *out = wide ? weft_f64_contents_set(contents, element->buffer, element->count)
                            : weft_contents_set(contents, element->buffer, element->count);
  uint32_t stride = contents->buffers[element->buffer].stride;
  for (uint32_t i = 0; i < element->count; ++i) {
    pack(format, wide, element->scalars + i * scalars, out + (size_t)i * stride);
  }
}

static void put_particles(weft_contents *contents, bool wide, const weft_gradient_case *c,
                          const weft_stencil *s) {
  weft_element e = {.buffer = WEFT_BUFFER_X, .count = c->arity};
  for (uint32_t i = 0; i < c->arity; ++i) {
    const double row[4] = {s->x[i].x, s->x[i].y, s->x[i].z, s->w[i]};
    memcpy(&e.scalars[4 * i], row, sizeof row);
  }
  put(contents, wide, &e);
  e.buffer = WEFT_BUFFER_X_PREV;
  put(contents, wide, &e);
}

/* What the pass asks for and the case does not give is there, full of zeros. */
static void put_rest(weft_contents *contents, const weft_gradient_case *c) {
  const weft_pass_info *info = &weft_pass_infos[c->pass];
  for (uint32_t b = 0; b < info->binding_count; ++b) {
    weft_buffer_id id = info->bindings[b].buffer;
    if (!contents->buffers[id].data) weft_contents_set(contents, id, 16);
  }
}

static void make_contents(const weft_gradient_case *c, const weft_stencil *s, bool wide,
                          weft_contents *contents) {
  weft_contents_init(contents);
  weft_uniforms *u = weft_contents_set(contents, WEFT_BUFFER_UNIFORMS, 1);
  *u = (weft_uniforms){.dt = 1, .inv_dt = 1, .keep = 1, .collider_count = 1};
  put_particles(contents, wide, c, s);
  weft_element elements[WEFT_STENCIL_BUFFERS];
  memset(elements, 0, sizeof elements);
  uint32_t count = c->contents(s, elements, u);
  for (uint32_t k = 0; k < count; ++k) put(contents, wide, &elements[k]);
  put_rest(contents, c);
}

/* Rows of x (of 4) or delta (of 3) as doubles. */
static void read_rows(const weft_backend *backend, void *instance, weft_buffer_id id,
                      uint32_t count, uint32_t size, weft_vec3d *out) {
  float singles[4 * WEFT_STENCIL_PARTICLES];
  bool wide = backend == weft_backend_f64();
  const double *doubles = wide ? weft_f64_elements(instance, id, 0, count) : NULL;
  if (!wide) backend->read(instance, id, 0, count, singles);
  for (uint32_t i = 0; i < count; ++i) {
    const float *row = &singles[size * i];
    out[i] =
        wide ? weft_v3d_at(&doubles[size * i]) : weft_v3d_from(weft_v3(row[0], row[1], row[2]));
  }
}

/* How far the pass moves each particle. */
static weft_result correct(const weft_backend *backend, const weft_gradient_case *c,
                           const weft_stencil *s, uint32_t variant, weft_vec3d *moves,
                           weft_error *err) {
  weft_contents contents;
  void *instance = NULL;
  make_contents(c, s, backend == weft_backend_f64(), &contents);
  weft_result result = backend->create(backend, &contents, 0, &instance, err);
  weft_contents_free(&contents);
  if (result != WEFT_OK) return result;
  weft_pass pass = {.kind = c->pass,
                    .variant = variant,
                    .count = c->count,
                    .first_iteration = 1,
                    .acts = c->sense};
  weft_vec3d before[WEFT_STENCIL_PARTICLES];
  read_rows(backend, instance, WEFT_BUFFER_X, c->arity, 4, before);
  backend->run(instance, &pass, 0);
  backend->finish(instance);
  bool jacobi = (variant & WEFT_VARIANT_JACOBI) != 0;
  weft_buffer_id id = jacobi ? WEFT_BUFFER_DELTA : c->moves;
  read_rows(backend, instance, id, c->arity, id == WEFT_BUFFER_X ? 4 : 3, moves);
  for (uint32_t i = 0; i < c->arity && id == WEFT_BUFFER_X; ++i) {
    moves[i] = weft_v3d_sub(moves[i], before[i]);
  }
  result = backend->check(instance, c->name, err);
  backend->destroy(instance);
  return result;
}

/* ---- gradients ---- */

/* Along a unit vector; the error is of fourth order in h. */
static double difference_quotient(const weft_gradient_case *c, const weft_stencil *s, uint32_t i,
                                  weft_vec3d axis) {
  static const double weights[4] = {1, -8, 8, -1};
  static const double steps[4] = {-2, -1, 1, 2};
  double h = 2e-4 * c->edge, sum = 0;
  weft_vec3d x[WEFT_STENCIL_PARTICLES];
  memcpy(x, s->x, sizeof x);
  for (int k = 0; k < 4; ++k) {
    x[i] = weft_v3d_add_scaled(s->x[i], steps[k] * h, axis);
    sum += weights[k] * c->value(s, x);
  }
  return sum / (12 * h);
}

/* move_i = -w_i g_i C/S with S = sum of w |g|^2: so the sum of |move|^2/w is C^2/S, and that gives
 * S. A wrong S shows as gradients of a wrong length. */
static void gradients_of(const weft_gradient_case *c, const weft_stencil *s,
                         const weft_vec3d *moves, weft_vec3d *g) {
  double work = 0, value = c->value(s, s->x);
  for (uint32_t i = 0; i < c->arity; ++i) {
    if (s->w[i] > 0) work += weft_v3d_dot(moves[i], moves[i]) / s->w[i];
  }
  for (uint32_t i = 0; i < c->arity; ++i) {
    g[i] = weft_v3d_scale(moves[i], s->w[i] > 0 ? -value / (s->w[i] * work) : 0);
  }
}

static void differences_of(const weft_gradient_case *c, const weft_stencil *s, weft_vec3d *g) {
  for (uint32_t i = 0; i < c->arity; ++i) {
    if (!(s->w[i] > 0)) continue;
    g[i].x = difference_quotient(c, s, i, weft_v3d(1, 0, 0));
    g[i].y = difference_quotient(c, s, i, weft_v3d(0, 1, 0));
    g[i].z = difference_quotient(c, s, i, weft_v3d(0, 0, 1));
  }
}

static double largest(uint32_t count, const weft_vec3d *v) {
  double max = 0;
  for (uint32_t i = 0; i < count; ++i) max = fmax(max, weft_v3d_length(v[i]));
  return max;
}

/* A NaN must not hide behind fmax. */
static void note(double *max, double error) {
  if (!(error <= *max)) *max = error;
}

/* No force and no torque come of a constraint between particles. Torque about the first one. */
static void check_sums(const weft_gradient_case *c, const weft_stencil *s, const weft_vec3d *g,
                       double scale, weft_gradient_error *error) {
  weft_vec3d force = {0, 0, 0}, torque = {0, 0, 0};
  double reach = 0;
  for (uint32_t i = 0; i < c->arity; ++i) {
    weft_vec3d arm = weft_v3d_sub(s->x[i], s->x[0]);
    reach = fmax(reach, weft_v3d_length(arm));
    force = weft_v3d_add(force, g[i]);
    torque = weft_v3d_add(torque, weft_v3d_cross(arm, g[i]));
  }
  note(&error->force, weft_v3d_length(force) / scale);
  note(&error->torque, weft_v3d_length(torque) / (scale * reach));
}

static void check_pose(const weft_gradient_case *c, const weft_stencil *s, const weft_vec3d *moves,
                       weft_gradient_error *error) {
  weft_vec3d g[WEFT_STENCIL_PARTICLES], fd[WEFT_STENCIL_PARTICLES] = {{0, 0, 0}};
  gradients_of(c, s, moves, g);
  differences_of(c, s, fd);
  double scale = largest(c->arity, fd);
  for (uint32_t i = 0; i < c->arity; ++i) {
    note(&error->gradient, weft_v3d_distance(g[i], fd[i]) / scale);
  }
  if (!c->outside) check_sums(c, s, g, scale, error);
  error->moves++;
}

/* ---- poses, turned poses ---- */

/* By name: another case in the table changes no poses. */
static weft_rng rng_of(uint64_t seed, const weft_gradient_case *c) {
  return weft_rng_seed(weft_hash_bytes(seed, c->name, strlen(c->name)));
}

uint32_t weft_physics_gradient_count(void) { return weft_gradient_case_count; }
const char *weft_physics_gradient_name(uint32_t index) { return weft_gradient_cases[index].name; }

weft_result weft_physics_gradient_errors(const weft_backend *backend, uint64_t seed,
                                         weft_gradient_error *errors, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t index = 0; index < weft_gradient_case_count; ++index) {
    const weft_gradient_case *c = &weft_gradient_cases[index];
    errors[index] = (weft_gradient_error){.name = c->name};
    weft_rng rng = rng_of(seed, c);
    for (int pose = 0; pose < WEFT_GRADIENT_POSES; ++pose) {
      weft_stencil s = {0};
      c->pose(&rng, &s);
      for (uint32_t variant = 0; variant < WEFT_VARIANT_COUNT; ++variant) {
        if (variant & ~weft_pass_infos[c->pass].variants) continue;
        weft_vec3d moves[WEFT_STENCIL_PARTICLES];
        result = correct(backend, c, &s, variant, moves, err);
        if (result != WEFT_OK) return result;
        check_pose(c, &s, moves, &errors[index]);
      }
    }
  }
  return result;
}

typedef struct motion {
  weft_vec3d turn[3]; /* rows */
  weft_vec3d shift;
} motion;

/* A random rotation, from a random quaternion. */
static motion random_motion(weft_rng *rng) {
  double q[4], length2;
  do {
    length2 = 0;
    for (int k = 0; k < 4; ++k) {
      q[k] = (double)weft_rng_float(rng, -1, 1);
      length2 += q[k] * q[k];
    }
  } while (length2 > 1 || length2 < 0.01);
  double n = sqrt(length2), w = q[0] / n, x = q[1] / n, y = q[2] / n, z = q[3] / n;
  motion m = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}},
              {0, 0, 0}};
  m.shift.x = (double)weft_rng_float(rng, -1, 1);
  m.shift.y = (double)weft_rng_float(rng, -1, 1);
  m.shift.z = (double)weft_rng_float(rng, -1, 1);
  return m;
}

static weft_vec3d turn(const motion *m, weft_vec3d v) {
  return weft_v3d(weft_v3d_dot(m->turn[0], v), weft_v3d_dot(m->turn[1], v),
                  weft_v3d_dot(m->turn[2], v));
}

static weft_vec3d move_point(const motion *m, weft_vec3d p) {
  return weft_v3d_add(turn(m, p), m->shift);
}

static weft_stencil moved(const weft_stencil *s, const motion *m) {
  weft_stencil out = *s;
  for (int k = 0; k < 4; ++k) {
    out.x[k] = move_point(m, s->x[k]);
    out.points[k] = move_point(m, s->points[k]);
    out.directions[k] = turn(m, s->directions[k]);
  }
  return out;
}

weft_result weft_physics_turned_error(const weft_backend *backend, uint64_t seed, uint32_t index,
                                      double *metres, weft_error *err) {
  const weft_gradient_case *c = &weft_gradient_cases[index];
  weft_rng rng = rng_of(seed, c);
  *metres = 0;
  for (int pose = 0; pose < WEFT_GRADIENT_POSES; ++pose) {
    weft_stencil s = {0};
    c->pose(&rng, &s);
    motion m = random_motion(&rng);
    weft_stencil other = moved(&s, &m);
    weft_vec3d here[WEFT_STENCIL_PARTICLES], there[WEFT_STENCIL_PARTICLES];
    weft_result result = correct(backend, c, &s, 0, here, err);
    if (result == WEFT_OK) result = correct(backend, c, &other, 0, there, err);
    if (result != WEFT_OK) return result;
    for (uint32_t i = 0; i < c->arity; ++i) {
      note(metres, weft_v3d_distance(turn(&m, here[i]), there[i]));
    }
  }
  return WEFT_OK;
}
