/* What is loaded into a solver: whatever the bytes, it is refused and nothing has changed, or the
 * solver goes on. The first byte chooses: 1: the rest is all there is; else it changes a state that
 * was saved, three bytes a change (where, and with what), under a hash that is right; 2: another
 * solver; 4: and cuts it where the next two bytes say. */
#include <string.h>
#include <weft/change.h>

#include "base.h"
#include "fuzz.h"

typedef struct target {
  weft_solver *solver;
  unsigned char *saved;
  size_t size;
  uint64_t hash; /* of that state */
} target;

static target targets[2];

static uint64_t hash_of(weft_solver *solver) {
  uint64_t hash = 0;
  EXPECT(weft_solver_hash(solver, &hash, NULL) == WEFT_OK);
  return hash;
}

static void keep(target *t) {
  void *bytes;
  for (int f = 0; f < 12; ++f) EXPECT(weft_solver_step(t->solver, NULL) == WEFT_OK);
  EXPECT(weft_solver_save(t->solver, &bytes, &t->size, NULL) == WEFT_OK);
  t->saved = bytes;
  t->hash = hash_of(t->solver);
}

/* Cloth that folds over a ball and a board, held softly, pinned and grabbed. */
static void make_cloth(target *t) {
  weft_mesh sheet, board;
  const weft_grid_desc grid = {.rows = 7, .columns = 7, .plane = WEFT_PLANE_XZ},
                       low = {.rows = 2,
                              .columns = 2,
                              .plane = WEFT_PLANE_XZ,
                              .centre = {0, -0.1f, 0}};
  EXPECT(weft_mesh_grid(&grid, &sheet, NULL) == WEFT_OK);
  EXPECT(weft_mesh_grid(&low, &board, NULL) == WEFT_OK);
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  const weft_body body = {.mesh = &board, .friction_static = 0.5f, .friction_dynamic = 0.5f};
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.2f, .a = {0, -0.25f, 0}};
  const weft_params p = {.substeps = 4,
                         .self_static = 0.5f,
                         .grab = true,
                         .keep_multipliers = true,
                         .colliders = &ball,
                         .collider_count = 1,
                         .bodies = &body,
                         .body_count = 1};
  weft_model *model;
  EXPECT(weft_model_create(&(weft_model_desc){.mesh = &sheet, .pins = &pin, .pin_count = 1}, &model,
                           NULL) == WEFT_OK);
  EXPECT(weft_solver_create(model, &p, weft_backend_ref(), &t->solver, NULL) == WEFT_OK);
  EXPECT(weft_solver_set_pins(t->solver, &(uint32_t){24}, 1, 0.5f, NULL) == WEFT_OK);
  EXPECT(weft_solver_grab(t->solver, 30, (weft_vec3){0, 0.5f, 0}, NULL) == WEFT_OK);
  weft_mesh_free(&sheet);
  weft_mesh_free(&board);
}

/* Grains that lie on each other. */
static void make_grains(target *t) {
  enum { GRAINS = 27 };
  weft_vec3 positions[GRAINS];
  float masses[GRAINS];
  for (int k = 0; k < GRAINS; ++k) {
    positions[k] = (weft_vec3){0.02f * (float)(k % 3), 0.02f * (float)(k / 9) + 0.01f,
                               0.02f * (float)(k / 3 % 3)};
    masses[k] = 0.001f;
  }
  const weft_particles_desc desc = {
      .positions = positions, .masses = masses, .particle_count = GRAINS, .radius = 0.01f};
  const weft_collider floor = {.b = {0, 1, 0}, .friction_static = 0.6f, .friction_dynamic = 0.5f};
  const weft_params p = {.substeps = 4,
                         .contact_static = 0.4f,
                         .contact_dynamic = 0.3f,
                         .colliders = &floor,
                         .collider_count = 1};
  weft_model *model;
  EXPECT(weft_model_create_particles(&desc, &model, NULL) == WEFT_OK);
  EXPECT(weft_solver_create(model, &p, weft_backend_ref(), &t->solver, NULL) == WEFT_OK);
}

static void prepare(void) {
  if (targets[0].solver) return;
  make_cloth(&targets[0]);
  make_grains(&targets[1]);
  for (int k = 0; k < 2; ++k) keep(&targets[k]);
}

static void put(unsigned char *at, uint64_t value) {
  for (int k = 0; k < 8; ++k) at[k] = (unsigned char)(value >> 8 * k);
}

/* Size and hash are those of what is there. */
static size_t change(const target *t, const uint8_t *bytes, size_t size, unsigned char *out) {
  size_t whole = t->size, k = 1;
  memcpy(out, t->saved, whole);
  if ((bytes[0] & 4) && size >= 3) {
    const size_t cut = ((size_t)bytes[1] << 8 | bytes[2]) % whole;
    if (cut >= 32) whole = cut;
    k = 3;
  }
  for (; k + 3 <= size; k += 3) {
    const size_t at = ((size_t)bytes[k] << 8 | bytes[k + 1]) * whole >> 16;
    out[at] = bytes[k + 2];
  }
  put(out + 16, whole);
  put(out + whole - 8, weft_hash_bytes(WEFT_HASH_SEED, out, whole - 8));
  return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  prepare();
  if (size == 0) return 0;
  target *t = &targets[(bytes[0] & 2) != 0];
  const bool raw = bytes[0] & 1;
  unsigned char *file = malloc(raw ? size : t->size); /* no byte behind its end */
  EXPECT(file);
  const size_t length = raw ? size - 1 : change(t, bytes, size, file);
  if (raw) memcpy(file, bytes + 1, length);
  weft_error err = {0};
  const weft_result result = weft_solver_load(t->solver, file, length, &err);
  free(file);
  if (result == WEFT_OK) {
    (void)weft_solver_step(t->solver, &err);
    weft_metrics metrics;
    weft_standstill still;
    (void)weft_solver_metrics(t->solver, &metrics, &err);
    (void)weft_solver_standstill(t->solver, &still, &err);
  } else {
    EXPECT(result == WEFT_ERROR_FORMAT || result == WEFT_ERROR_ARGUMENT);
    EXPECT(err.message[0] && hash_of(t->solver) == t->hash);
  }
  EXPECT(weft_solver_load(t->solver, t->saved, t->size, &err) == WEFT_OK);
  EXPECT(hash_of(t->solver) == t->hash);
  return 0;
}
