/* find_particle.h: the particle with a number as users give it. */
#ifndef WEFT_MODEL_FIND_PARTICLE_H
#define WEFT_MODEL_FIND_PARTICLE_H

#include <weft/model.h>

/* As weft_model_numbered. If no particle has that number: WEFT_ERROR_ARGUMENT, with a sentence
 * that gives the valid numbers, and *particle unchanged. */
weft_result weft_model_find_particle(const weft_model *model, uint32_t number, uint32_t *particle,
                                     weft_error *err);

#endif
