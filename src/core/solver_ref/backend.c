/* backend.c: the reference backend: buffers on the heap, passes as loops. */
#include "backend.h"

#include <string.h>

#include "memory.h"
#include "ref.h"

static weft_result ref_create(const weft_backend *backend, weft_contents *contents, uint32_t guard,
                              void **instance, weft_error *err) {
  (void)backend;
  (void)err;
  weft_memory *memory = weft_alloc(1, sizeof *memory);
  weft_memory_create(memory, contents, guard);
  *instance = memory;
  return WEFT_OK;
}

static void ref_destroy(void *instance) {
  weft_memory_destroy(instance);
  weft_free(instance);
}

static void ref_run(void *instance, const weft_pass *pass, uint32_t substep) {
  const weft_memory *memory = instance;
  weft_ref_run(memory->payload, pass, substep);
}

static void ref_finish(void *instance) { (void)instance; }

static weft_result ref_check(void *instance, const char *what, weft_error *err) {
  (void)instance;
  (void)what;
  (void)err;
  return WEFT_OK;
}

static void ref_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                     void *data) {
  const weft_memory *memory = instance;
  memcpy(data, weft_memory_elements(memory, id, first, count),
         (size_t)(count * memory->stride[id]));
}

static const void *ref_elements(void *instance, weft_buffer_id id) {
  return weft_memory_elements(instance, id, 0, 0);
}

static void ref_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                      const void *data) {
  const weft_memory *memory = instance;
  memcpy(weft_memory_elements(memory, id, first, count), data,
         (size_t)(count * memory->stride[id]));
}

static void ref_save(void *instance) { weft_memory_save(instance); }

static void ref_restore(void *instance) { weft_memory_restore(instance); }

static void ref_unmoved(void *instance, uint64_t first, uint64_t count, bool *unmoved) {
  weft_memory_unmoved(instance, first, count, unmoved);
}

static weft_result ref_resize(void *instance, const weft_self_room *room, weft_error *err) {
  (void)err;
  weft_memory *memory = instance;
  weft_memory_resize(memory, room);
  weft_self_set_room(memory->payload[WEFT_BUFFER_UNIFORMS], room);
  return WEFT_OK;
}

static weft_result ref_refill(void *instance, const weft_contents *tables, const weft_pass *passes,
                              size_t count, weft_error *err) {
  (void)passes;
  (void)count;
  (void)err;
  weft_memory_refill(instance, tables);
  return WEFT_OK;
}

static weft_buffer_id ref_broken_guard(void *instance) {
  return weft_memory_broken_guard(instance);
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
      .elements = ref_elements,
      .write = ref_write,
      .save = ref_save,
      .restore = ref_restore,
      .unmoved = ref_unmoved,
      .resize = ref_resize,
      .refill = ref_refill,
      .broken_guard = ref_broken_guard,
  };
  return &backend;
}
