/* json.h: the parts of JSON that several commands write. */
#ifndef WEFT_BENCH_JSON_H
#define WEFT_BENCH_JSON_H

#include <jansson.h>
#include <weft_gl/gl.h>

#include "watch.h"

/* A number, or null when it is infinite or NaN, which JSON cannot hold. */
json_t *weft_json_real(double value);
/* A name from elsewhere: what is no UTF-8, and controls, as \x1b. */
json_t *weft_json_text(const char *text);
json_t *weft_json_vec3(weft_vec3 v);
json_t *weft_json_hash(uint64_t hash); /* "0x..." as text: JSON numbers lose bits */
/* All of weft/params.def by name; rows of the benchmark are compared by it. */
json_t *weft_json_parameters(const weft_params *params);
json_t *weft_json_groups(const weft_model *model);
json_t *weft_json_metrics(const weft_metrics *metrics);
/* Program version, commit, compiler, processor; driver when there is a GL. */
json_t *weft_json_build(const weft_gl *gl);
/* Where a run stopped. */
json_t *weft_json_stop(const weft_stop *stop);
/* What a limit of strain made of the parameters, and what was reached; null without a limit. */
json_t *weft_json_strain(const weft_params *params, const weft_strain_choice *held,
                         const weft_strain_seen *seen);

/* Writes and releases `json`. */
weft_result weft_json_write(const char *path, json_t *json, weft_error *err);

#endif
