/* The reference backend: buffers on the heap, passes as loops. */
#include "ref.h"

#include <stdlib.h>

typedef struct weft_ref_instance {
  weft_ref ref; /* the same memory as `payload`, typed */
  unsigned char *memory[WEFT_BUFFER_COUNT];
  unsigned char *payload[WEFT_BUFFER_COUNT];
  uint64_t bytes[WEFT_BUFFER_COUNT];
  uint32_t stride[WEFT_BUFFER_COUNT];
  uint32_t guard;
} weft_ref_instance;

static const unsigned char guard_byte = 0xA5;

static weft_pass_function *const functions[WEFT_PASS_KIND_COUNT] = {
    [WEFT_PASS_AERO_FORCE] = weft_pass_aero_force,
    [WEFT_PASS_AERO_GATHER] = weft_pass_aero_gather,
    [WEFT_PASS_PREDICT] = weft_pass_predict,
    [WEFT_PASS_MOVE_PINS] = weft_pass_move_pins,
    [WEFT_PASS_PROJECT_DISTANCE] = weft_pass_project_distance,
    [WEFT_PASS_PROJECT_ISOMETRIC] = weft_pass_project_isometric,
    [WEFT_PASS_PROJECT_DIHEDRAL] = weft_pass_project_dihedral,
    [WEFT_PASS_JACOBI_APPLY] = weft_pass_jacobi_apply,
    [WEFT_PASS_COLLIDE] = weft_pass_collide,
    [WEFT_PASS_UPDATE_VELOCITY] = weft_pass_update_velocity,
};

static void point_at_payload(weft_ref_instance *self) {
  unsigned char **p = self->payload;
  self->ref = (weft_ref){
      .u = (const void *)p[WEFT_BUFFER_UNIFORMS],
      .x = (void *)p[WEFT_BUFFER_X],
      .x_prev = (void *)p[WEFT_BUFFER_X_PREV],
      .v = (void *)p[WEFT_BUFFER_V],
      .distance = (const void *)p[WEFT_BUFFER_DISTANCE],
      .distance_xpbd = (const void *)p[WEFT_BUFFER_DISTANCE_XPBD],
      .distance_lambda = (void *)p[WEFT_BUFFER_DISTANCE_LAMBDA],
      .isometric = (const void *)p[WEFT_BUFFER_ISOMETRIC],
      .isometric_xpbd = (const void *)p[WEFT_BUFFER_ISOMETRIC_XPBD],
      .isometric_lambda = (void *)p[WEFT_BUFFER_ISOMETRIC_LAMBDA],
      .dihedral = (const void *)p[WEFT_BUFFER_DIHEDRAL],
      .dihedral_lambda = (void *)p[WEFT_BUFFER_DIHEDRAL_LAMBDA],
      .delta = (void *)p[WEFT_BUFFER_DELTA],
      .gather_offsets = (const void *)p[WEFT_BUFFER_GATHER_OFFSETS],
      .gather_slots = (const void *)p[WEFT_BUFFER_GATHER_SLOTS],
      .triangles = (const void *)p[WEFT_BUFFER_TRIANGLES],
      .forces = (void *)p[WEFT_BUFFER_FORCES],
      .corner_offsets = (const void *)p[WEFT_BUFFER_CORNER_OFFSETS],
      .corner_items = (const void *)p[WEFT_BUFFER_CORNER_ITEMS],
      .substeps = (const void *)p[WEFT_BUFFER_SUBSTEPS],
      .colliders = (const void *)p[WEFT_BUFFER_COLLIDERS],
      .pins = (const void *)p[WEFT_BUFFER_PINS],
  };
}

static weft_result ref_create(const weft_backend *backend, const weft_tables *tables,
                              uint32_t guard, void **instance, weft_error *err) {
  (void)backend;
  (void)err;
  weft_ref_instance *self = weft_alloc(1, sizeof *self);
  self->guard = guard;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_table *table = &tables->buffers[id];
    uint64_t bytes = table->count * table->stride;
    self->bytes[id] = bytes;
    self->stride[id] = table->stride;
    self->memory[id] = weft_alloc((size_t)bytes + 2 * (size_t)guard, 1);
    self->payload[id] = self->memory[id] + guard;
    memset(self->memory[id], guard_byte, guard);
    memset(self->payload[id] + bytes, guard_byte, guard);
    if (table->data) memcpy(self->payload[id], table->data, (size_t)bytes);
  }
  point_at_payload(self);
  *instance = self;
  return WEFT_OK;
}

static void ref_destroy(void *instance) {
  weft_ref_instance *self = instance;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) weft_free(self->memory[id]);
  weft_free(self);
}

static void ref_run(void *instance, const weft_pass *pass, uint32_t substep) {
  weft_ref_instance *self = instance;
  weft_dispatch d = {
      .first = pass->first,
      .count = pass->count,
      .substep = substep,
      .offset = pass->offset,
      .reset = pass->reset,
      .sense = pass->sense,
      .jacobi = (pass->variant & WEFT_VARIANT_JACOBI) != 0,
      .lambda = (pass->variant & WEFT_VARIANT_LAMBDA) != 0,
  };
  functions[pass->kind](&self->ref, &d);
}

static void ref_finish(void *instance) { (void)instance; }

static weft_result ref_check(void *instance, const char *what, weft_error *err) {
  (void)instance;
  (void)what;
  (void)err;
  return WEFT_OK;
}

static unsigned char *row(weft_ref_instance *self, weft_buffer_id id, uint64_t first,
                          uint64_t count) {
  WEFT_CHECK((first + count) * self->stride[id] <= self->bytes[id], "rows past the buffer's end");
  return self->payload[id] + first * self->stride[id];
}

static void ref_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                     void *data) {
  weft_ref_instance *self = instance;
  memcpy(data, row(self, id, first, count), (size_t)(count * self->stride[id]));
}

static void ref_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                      const void *data) {
  weft_ref_instance *self = instance;
  memcpy(row(self, id, first, count), data, (size_t)(count * self->stride[id]));
}

static weft_buffer_id ref_broken_guard(void *instance) {
  weft_ref_instance *self = instance;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const unsigned char *behind = self->payload[id] + self->bytes[id];
    for (uint32_t k = 0; k < self->guard; ++k) {
      if (self->memory[id][k] != guard_byte || behind[k] != guard_byte) return (weft_buffer_id)id;
    }
  }
  return WEFT_BUFFER_COUNT;
}

const weft_backend *weft_backend_ref(void) {
  static const weft_backend backend = {
      .name = "ref",
      .create = ref_create,
      .destroy = ref_destroy,
      .run = ref_run,
      .finish = ref_finish,
      .check = ref_check,
      .read = ref_read,
      .write = ref_write,
      .broken_guard = ref_broken_guard,
  };
  return &backend;
}
