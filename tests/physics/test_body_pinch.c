/* Cloth between two bodies that close on it and open again, as a sleeve between arm and chest: it
 * passes neither itself nor them, what is inside of them is counted, and nothing of it is left when
 * there is room again. */
#include "rig.h"
/* after rig.h */
#include "ball.h"
#include "intersections.h"

enum { CHEST, ARM, BODIES, RINGS = 24, SEGMENTS = 32 };
static const float apart = 0.22f, closing = 0.055f;

/* ---- two bodies and a cloth ---- */

/* Half axes. */
static const weft_vec3 half[BODIES] = {{0.15f, 0.3f, 0.12f}, {0.04f, 0.28f, 0.045f}};

typedef struct pinch {
  weft_mesh meshes[BODIES];
  weft_body bodies[BODIES];
  weft_model *model;
  weft_solver *solver;
  uint32_t pins[64], pin_count;
  weft_vec3 *before, *now;
  float arm;              /* how far it has come to the chest, m */
  double fastest, in_jam; /* m/s: over a frame, and of a substep */
} pinch;

static weft_mesh egg(int body) {
  weft_mesh mesh = ball(RINGS, SEGMENTS, 1, weft_v3(0, 0, 0));
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    weft_vec3 *p = &mesh.positions[i];
    *p = weft_v3(p->x * half[body].x + (body == ARM ? apart : 0), p->y * half[body].y,
                 p->z * half[body].z);
  }
  return mesh;
}

/* A grid bent around the arm, its sides sewn together; or hung between arm and chest. */
static weft_mesh cloth_of(bool sleeve) {
  enum { ROWS = 24, COLUMNS = 24 };
  weft_mesh mesh = rig_grid(&(weft_grid_desc){
      .rows = ROWS, .columns = COLUMNS + 1, .width = 1, .height = 0.36f, .centre = {0, 0.02f, 0}});
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    weft_vec3 *p = &mesh.positions[i];
    float along = (float)(i % (COLUMNS + 1)) / COLUMNS, turn = 6.2831853f * along;
    *p = sleeve ? weft_v3(apart - 0.056f * cosf(turn), p->y, 0.056f * sinf(turn))
                : weft_v3(0.165f, p->y, 0.24f * (along - 0.5f));
  }
  for (size_t c = 0; c < 3 * (size_t)mesh.triangle_count && sleeve; ++c) {
    if (mesh.triangles[c] % (COLUMNS + 1) == COLUMNS) mesh.triangles[c] -= COLUMNS;
  }
  weft_mesh whole = {.vertex_count = mesh.vertex_count, .triangle_count = mesh.triangle_count};
  whole.positions = mesh.positions;
  whole.triangles = mesh.triangles;
  mesh.positions = NULL;
  mesh.triangles = NULL;
  weft_mesh_free(&mesh);
  weft_error err = {0};
  assert_int_equal(weft_mesh_repair(&whole, NULL, &err), WEFT_OK);
  return whole;
}

static void open_pinch(pinch *p, bool sleeve) {
  *p = (pinch){.meshes = {egg(CHEST), egg(ARM)}};
  for (int b = 0; b < BODIES; ++b) {
    p->bodies[b] =
        (weft_body){.mesh = &p->meshes[b], .friction_static = 0.4f, .friction_dynamic = 0.3f};
  }
  weft_mesh cloth = cloth_of(sleeve);
  for (uint32_t i = 0; i < cloth.vertex_count; ++i) {
    if (cloth.positions[i].y > 0.1999f) p->pins[p->pin_count++] = i;
  }
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = p->pins, .list_count = p->pin_count};
  p->model = rig_preprocess(&(weft_model_desc){
      .mesh = &cloth, .material = weft_material_find("tshirt"), .pins = &pin, .pin_count = 1});
  weft_mesh_free(&cloth);
  const weft_params params = {.bodies = p->bodies,
                              .body_count = BODIES,
                              .self_static = 0.3f,
                              .self_dynamic = 0.2f,
                              .damping = 0.2f};
  p->solver = rig_solver(p->model, &params, weft_backend_cpu(0));
  p->before = weft_alloc(p->model->particle_count, sizeof *p->before);
  p->now = weft_alloc(p->model->particle_count, sizeof *p->now);
}

static void close_pinch(pinch *p) {
  weft_solver_destroy(p->solver);
  weft_model_destroy(p->model);
  for (int b = 0; b < BODIES; ++b) weft_mesh_free(&p->meshes[b]);
  weft_free(p->before);
  weft_free(p->now);
}

/* ---- what is looked at in every frame ---- */

static void intersects_nothing(pinch *p, uint32_t frame) {
  uint32_t n = p->model->particle_count, t = p->model->triangle_count;
  uint32_t all = n + 2 * p->meshes[0].vertex_count, both = t + 2 * p->meshes[0].triangle_count;
  weft_vec3 *x = weft_alloc(all, sizeof *x);
  uint32_t *corners = weft_alloc(3 * (size_t)both, sizeof *corners), next = 3 * t;
  weft_error err = {0};
  memcpy(x, p->now, n * sizeof *x);
  memcpy(corners, p->model->triangles, 3 * (size_t)t * sizeof *corners);
  for (uint32_t b = 0; b < BODIES; ++b) {
    const weft_mesh *mesh = &p->meshes[b];
    uint32_t first = n + b * mesh->vertex_count;
    assert_int_equal(weft_solver_read_body(p->solver, b, x + first, &err), WEFT_OK);
    for (uint32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
      corners[next++] = mesh->triangles[c] + first;
    }
  }
  weft_intersections found[2];
  assert_int_equal(weft_count_intersections_with(x, all, corners, both, t, NULL, found, &err),
                   WEFT_OK);
  weft_free(x);
  weft_free(corners);
  if (found[0].triangle_pairs == 0 && found[1].triangle_pairs == 0) return;
  fail_msg("frame %u: %llu pairs of cloth intersect, %llu with bodies", frame,
           (unsigned long long)found[0].triangle_pairs,
           (unsigned long long)found[1].triangle_pairs);
}

/* By the formula of the shapes that bodies were told to have, `least` of their size. */
static uint32_t inside_eggs(const pinch *p, double least) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->model->particle_count; ++i) {
    bool in = false;
    for (int b = 0; b < BODIES; ++b) {
      double x = (double)p->now[i].x - (b == ARM ? (double)(apart - p->arm) : 0);
      in |= pow(x / (double)half[b].x, 2) + pow((double)p->now[i].y / (double)half[b].y, 2) +
                pow((double)p->now[i].z / (double)half[b].z, 2) <
            least * least;
    }
    count += in;
  }
  return count;
}

static weft_metrics detection(pinch *p, double body_speed, uint32_t frame) {
  weft_metrics m;
  weft_error err = {0};
  uint32_t n = p->model->particle_count;
  memcpy(p->before, p->now, n * sizeof *p->now);
  assert_int_equal(weft_solver_read(p->solver, p->now, NULL, &err), WEFT_OK);
  assert_int_equal(weft_solver_metrics(p->solver, &m, &err), WEFT_OK);
  intersects_nothing(p, frame);
  assert_int_equal(m.self_overflows, 0);
  double way = 0;
  for (uint32_t i = 0; i < n && frame > 1; ++i) {
    way = fmax(way, weft_v3_distance(p->before[i], p->now[i]));
  }
  /* Over a frame. In a jam, a particle that is shoved to and fro may have more in a substep. */
  double most = fmax(60 * way, m.body_inside ? 0 : m.max_speed);
  p->fastest = fmax(p->fastest, most);
  p->in_jam = fmax(p->in_jam, m.max_speed);
  if (most > 2 * body_speed + 2) {
    fail_msg("frame %u: a particle has %g m/s, the bodies %g", frame, most, body_speed);
  }
  /* The triangles lie within their chords of the formula. */
  const double chord = cos(3.14159265 / SEGMENTS) * cos(3.14159265 / (2 * RINGS));
  assert_in_range(m.body_inside, inside_eggs(p, chord), inside_eggs(p, 1));
  assert_true((m.body_held > 0) == (m.body_held_most > 0));
  return m;
}

/* The arm goes to so far from where it began. */
static void reach(pinch *p, float arm) {
  weft_vec3 *to = weft_alloc(p->meshes[ARM].vertex_count, sizeof *to), pins[64];
  weft_error err = {0};
  for (uint32_t i = 0; i < p->meshes[ARM].vertex_count; ++i) {
    to[i] = weft_v3_sub(p->meshes[ARM].positions[i], weft_v3(arm, 0, 0));
  }
  for (uint32_t k = 0; k < p->pin_count; ++k) {
    pins[k] = weft_v3_sub(p->model->rest_positions[p->pins[k]], weft_v3(arm, 0, 0));
  }
  assert_int_equal(weft_solver_move_body(p->solver, ARM, to, &err), WEFT_OK);
  assert_int_equal(weft_solver_move_pins(p->solver, p->pins, pins, p->pin_count, &err), WEFT_OK);
  weft_free(to);
  p->arm = arm;
}

/* ---- the test ---- */

static void pinch_and_let_go(bool sleeve) {
  enum { CLOSES = 15, STAYS = 12, OPENS = 15, HEALS = 30 };
  enum { FRAMES = CLOSES + STAYS + HEALS }; /* half a second after it begins to open */
  pinch p;
  open_pinch(&p, sleeve);
  const double speed = 60 * (double)closing / CLOSES;
  uint32_t frame = 0, most = 0, healed = 0, held = 0;
  double late = 0;
  weft_metrics m = {0};
  while (frame < FRAMES) {
    uint32_t opened = frame >= CLOSES + STAYS ? frame + 1 - CLOSES - STAYS : 0;
    uint32_t closed = frame < CLOSES ? frame + 1 : CLOSES;
    float part = opened ? 1 - fminf(1, (float)opened / OPENS) : (float)closed / CLOSES;
    if (frame < CLOSES || (opened && opened <= OPENS)) reach(&p, closing * part);
    rig_step(p.solver, 1);
    ++frame;
    m = detection(&p, frame <= CLOSES || opened ? speed : 0, frame);
    if (m.body_inside > most) most = m.body_inside;
    if (m.body_held > held) held = m.body_held;
    late = fmax(late, m.body_held_most);
    if (m.body_inside || m.body_held) healed = frame + 1;
    if (frame > CLOSES && !opened) assert_true(m.body_inside > 0 && m.body_held > 0);
  }
  print_message(
      "%s: %u particles inside at most, %u vertices held back by %.3g mm; whole %.3g s "
      "after the arm began to open; at most %.3g m/s, %.3g in a substep, where the arm has %.3g\n",
      sleeve ? "sleeve" : "strip", most, held, 1e3 * late, ((double)healed - CLOSES - STAYS) / 60,
      p.fastest, p.in_jam, speed);
  assert_int_equal(m.body_inside, 0);
  assert_int_equal(m.body_held, 0);
  close_pinch(&p);
}

static void a_sleeve_between_arm_and_chest_comes_free(void **state) {
  (void)state;
  pinch_and_let_go(true);
}

static void a_strip_between_arm_and_chest_comes_free(void **state) {
  (void)state;
  pinch_and_let_go(false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sleeve_between_arm_and_chest_comes_free),
      cmocka_unit_test(a_strip_between_arm_and_chest_comes_free),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
