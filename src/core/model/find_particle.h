/* find_particle.h: the particle that somebody names by a number. */
#ifndef WEFT_MODEL_FIND_PARTICLE_H
#define WEFT_MODEL_FIND_PARTICLE_H

#include <weft/model.h>

/* As weft_model_numbered. WEFT_ERROR_ARGUMENT and a sentence with the numbers that there are where
 * no particle is called so; *particle is then as it was. */
weft_result weft_model_find_particle(const weft_model *model, uint32_t number, uint32_t *particle,
                                     weft_error *err);

#endif
