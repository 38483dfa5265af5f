/* Where cpu has but bounds of what certificates ask for, it certifies the same pairs of patches as
 * the reference: of sheets that are bent and turned bit by bit until no certificate holds,
 * and of some whose columns come together, that are written anew, folded or far away, between two
 * frames, or whose axes turn far while particles hardly move. */
#include "../rig.h"
/* after rig.h */
#include "cpu.h"

enum { SIDE = 32, PARTICLES = SIDE * SIDE, FRAMES = 40, KINDS = 5, TOUCHY = 4 };

static const char *const kinds[KINDS] = {"bent", "turned", "pushed together", "written anew",
                                         "of touchy axes"};

/* Of one patch, whose axes nobody else's are compared with. */
static uint32_t side_of(uint32_t kind) { return kind == TOUCHY ? 6 : SIDE; }

/* Where a particle at (u, v) is in a frame. */
static weft_vec3 place_of(uint32_t kind, uint32_t frame, float u, float v) {
  float part = (float)frame / FRAMES, wave = sinf(14.0f * u + 3 * v);
  if (kind == 0) return weft_v3(u, 0.22f * part * wave, v);
  if (kind == 1) {
    float angle = 3 * part, flat = 0.05f * part * wave;
    return weft_v3(cosf(angle) * u - sinf(angle) * flat, sinf(angle) * u + cosf(angle) * flat, v);
  }
  if (kind == 2) {
    float jump = frame % 2 ? (0.8f + 0.15f * part) / (SIDE - 1) : 0;
    return weft_v3(lroundf(u * (SIDE - 1)) % 2 ? u + jump : u, 0, v);
  }
  float fold = frame % 8 == 5 && u > 0.5f ? 1 - u : u, far = frame % 16 == 11 ? 300 : 0;
  return weft_v3(fold + far, 0.02f * wave + 0.03f * (u - fold), frame % 8 == 6 ? -v : v);
}

static void place_all(uint32_t kind, uint32_t frame, weft_vec3 *x) {
  weft_rng rng = weft_rng_seed(frame);
  float most = frame % 10 == 7 ? 1e-4f : 1e-7f;
  uint32_t side = side_of(kind);
  for (uint32_t i = 0; i < side * side; ++i) {
    float u = (float)(i % side) / (float)(side - 1), v = (float)(i / side) / (float)(side - 1);
    x[i] = place_of(kind, frame, u, v);
    if (kind == TOUCHY) x[i] = weft_v3(u + weft_rng_float(&rng, -most, most), 0, v);
  }
}

/* What of three directions comes to nothing, in a plane: the first of them counts once. */
static void null_of(const weft_vec3 d[3], float c[3]) {
  float across = d[1].x * d[2].z - d[1].z * d[2].x;
  c[0] = 1;
  c[1] = -(d[0].x * d[2].z - d[0].z * d[2].x) / across;
  c[2] = -(d[1].x * d[0].z - d[1].z * d[0].x) / across;
}

/* Second axes are turned by some ten thousand times what particles move against each other. */
static void make_touchy(weft_solver *solver) {
  weft_self_patch p;
  weft_vec3 x[PARTICLES], d[3];
  float c[3], turn = 20000;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_PATCHES, 0, 1, &p);
  place_all(TOUCHY, 0, x);
  const uint32_t at[4] = {p.fixed_a.x, p.fixed_a.y, p.fixed_a.z, p.fixed_b.x};
  for (int k = 0; k < 3; ++k) d[k] = weft_v3_sub(x[at[k + 1]], x[at[0]]);
  null_of(d, c);
  p.v_a.y += turn * c[0];
  p.v_a.z += turn * c[1];
  p.v_b.x += turn * c[2];
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_PATCHES, 0, 1, &p);
}

/* Of the last substep of each frame. */
typedef struct seen {
  uint32_t meets, asked, candidates;
  uint64_t hash;
} seen;

static void watch(const weft_model *model, uint32_t kind, const weft_backend *backend,
                  seen all[FRAMES]) {
  const weft_params params = {.substeps = 1, .self_collision = true, .self_room = 64};
  weft_solver *solver = rig_solver(model, &params, backend);
  if (kind == TOUCHY) make_touchy(solver);
  weft_vec3 *x = calloc(PARTICLES, sizeof *x), *v = calloc(PARTICLES, sizeof *v);
  for (uint32_t f = 0; f < FRAMES; ++f) {
    place_all(kind, f, x);
    rig_write(solver, x, v);
    rig_step(solver, 1);
    uint32_t counts[WEFT_SELF_COUNTS];
    weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, 0, WEFT_SELF_COUNTS, counts);
    all[f] = (seen){counts[WEFT_SELF_AT_PATCH_PAIRS], counts[WEFT_SELF_AT_UNCERTIFIED],
                    counts[WEFT_SELF_AT_CANDIDATES], rig_hash(solver)};
  }
  free(x);
  free(v);
  weft_solver_destroy(solver);
}

static void expect_same(uint32_t kind, const char *who, const seen *want, const seen *got) {
  for (uint32_t f = 0; f < FRAMES; ++f) {
    bool same = want[f].meets == got[f].meets && want[f].asked == got[f].asked &&
                want[f].candidates == got[f].candidates && want[f].hash == got[f].hash;
    if (same) continue;
    fail_msg("%s, frame %u on %s: %u pairs of patches, %u stars, %u candidates, not %u, %u, %u",
             kinds[kind], f, who, got[f].meets, got[f].asked, got[f].candidates, want[f].meets,
             want[f].asked, want[f].candidates);
  }
}

/* Some frames have all pairs certified, others have none of them. */
static void bounds_certify_what_gradients_do(void **state) {
  (void)state;
  const weft_cpu_desc descs[] = {{.threads = 1},
                                 {.threads = 1, .lanes = weft_lanes_usable(4)},
                                 {.threads = 1, .lanes = weft_lanes_usable(8)},
                                 {.threads = 2, .exactly = true}};
  for (uint32_t kind = 0; kind < KINDS; ++kind) {
    const weft_grid_desc grid = {.rows = side_of(kind),
                                 .columns = side_of(kind),
                                 .width = 1,
                                 .height = 1,
                                 .plane = WEFT_PLANE_XZ};
    weft_model *model = rig_sheet(&grid, NULL, WEFT_BENDING_NONE, true, WEFT_PIN_NONE);
    seen want[FRAMES], got[FRAMES];
    watch(model, kind, weft_backend_ref(), want);
    uint32_t most = 0, least = UINT32_MAX, levels = 0;
    for (uint32_t f = 0; f < FRAMES; ++f) {
      most = most > want[f].meets ? most : want[f].meets;
      least = least < want[f].meets ? least : want[f].meets;
      levels += f && want[f].meets != want[f - 1].meets;
    }
    printf("%s: %u to %u pairs of patches, %u changes\n", kinds[kind], least, most, levels);
    uint32_t some = kind == TOUCHY ? 1 : 20;
    assert_true(least < some && most >= some && levels > 5);
    for (size_t b = 0; b < sizeof descs / sizeof *descs; ++b) {
      if (b && !descs[b].lanes && descs[b].threads == 1) continue;
      weft_backend cpu = weft_cpu_backend_of(&descs[b]);
      watch(model, kind, &cpu, got);
      expect_same(kind, descs[b].lanes ? descs[b].lanes->name : "cpu", want, got);
    }
    weft_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_certify_what_gradients_do)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
