#include "find_particle.h"

#include "base.h"
#include "model.h"

/* Range of the source's vertices that are particles. */
static uint32_t first_number(const weft_model *model) {
  uint32_t number = 0;
  while (weft_model_numbered(model, number) == WEFT_NO_VERTEX) ++number;
  return number;
}

weft_result weft_model_find_particle(const weft_model *model, uint32_t number, uint32_t *particle,
                                     weft_error *err) {
  const bool mapped = model->map.vertices != NULL;
  const uint32_t count = mapped ? model->map.source_vertex_count : model->particle_count;
  const uint32_t found = weft_model_numbered(model, number);
  if (number >= count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "particle %u does not exist: there are 0 to %u",
                     number, count - 1);
  }
  if (found >= model->particle_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "vertex %u of the file is no particle: no face that cloth is made of has it; "
                     "%u is the first that is one",
                     number, first_number(model));
  }
  *particle = found;
  return WEFT_OK;
}
