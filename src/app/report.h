/* report.h: results as text and JSON. */
#ifndef WEFT_APP_REPORT_H
#define WEFT_APP_REPORT_H

#include <jansson.h>

#include "app.h"
#include "watch.h"

/* A number, or null when it is infinite or NaN, which JSON cannot hold. */
json_t *weft_json_real(double value);
json_t *weft_json_vec3(weft_vec3 v);
json_t *weft_json_hash(uint64_t hash); /* "0x..." as text: JSON numbers lose bits */
json_t *weft_json_groups(const weft_model *model);
json_t *weft_json_metrics(const weft_metrics *metrics);
/* Program version, commit, compiler, processor; driver when there is a GL. */
json_t *weft_json_build(weft_gl *gl);

/* Where a run stopped. */
json_t *weft_stop_json(const weft_stop *stop);

/* Writes and releases `json`. */
weft_result weft_json_write(const char *path, json_t *json, weft_error *err);

/* One line a group: constraints, colours, lower bound, colour sizes. */
void weft_print_groups(const weft_model *model);
uint64_t weft_constraint_count(const weft_model *model);
uint32_t weft_colour_count(const weft_model *model);
/* "llvmpipe (LLVM 15.0.6, 256 bits), 4.5 (Core Profile) Mesa 22.3.6", or NULL without GL. */
const char *weft_driver_name(const weft_gl *gl, char *text, size_t size);

#endif
