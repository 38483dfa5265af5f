/* validate_print.h: the findings of verify, on the terminal and as JSON. */
#ifndef WEFT_CLI_VALIDATE_PRINT_H
#define WEFT_CLI_VALIDATE_PRINT_H

#include <jansson.h>

#include "verify.h"

void weft_print_layout(const weft_layout_findings *findings);
json_t *weft_layout_json(const weft_layout_findings *findings);

/* `other`: the name of the backend beside the reference. */
void weft_print_kernels(const weft_kernel_findings *findings, const char *other);
json_t *weft_kernels_json(const weft_kernel_findings *findings);

void weft_print_substep(const weft_trajectory_findings *findings, const char *other);
json_t *weft_substep_json(const weft_trajectory_findings *findings);

/* `gl`: what runs the other; NULL for the backend cpu. */
void weft_print_trajectory(const weft_trajectory_findings *findings, uint32_t frames,
                           const char *other, const weft_gl *gl);
json_t *weft_trajectory_json(const weft_trajectory_findings *findings, uint32_t frames);

void weft_print_repeat(const weft_repeat_findings *findings, uint32_t frames);
json_t *weft_repeat_json(const weft_repeat_findings *findings);

#endif
