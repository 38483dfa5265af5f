/* probe.c: asks the driver, before any cloth, whether its float arithmetic keeps the exactness
 * contract: shaders/solver/probe.comp over seeded data against the same statements in C. */
#include <stdio.h>

#include "exact.h"
#include "inside.h"

enum { PROBE_ITEMS = 65536, PROBE_OUTPUTS = 8 };

static const char *const probe_shapes[PROBE_OUTPUTS] = {
    "a*b+c", "a*b-c*d", "a+b+c+d", "dot", "reciprocal", "reciprocal root", "atan2", "snap",
};

/* Magnitudes over the range a solver sees: 2^-30 to 2^30, either sign. */
static float probe_value(weft_rng *rng) {
  uint32_t bits = weft_rng_u32(rng);
  uint32_t exponent = 127 - 30 + weft_rng_u32(rng) % 61;
  return exact_from_bits((bits & 0x807FFFFFu) | (exponent << 23));
}

static void probe_inputs(vec4 *inputs) {
  weft_rng rng = weft_rng_seed(1);
  for (uint32_t i = 0; i < PROBE_ITEMS; ++i) {
    float x = probe_value(&rng), y = probe_value(&rng);
    float z = probe_value(&rng), w = probe_value(&rng);
    /* Every fourth item cancels in the first shapes: there a fused product shows. */
    if (i % 4 == 0) z = -(x * y);
    inputs[i] = (vec4){x, y, z, w};
  }
}

static void probe_expected(vec4 q, float *out) {
  float product = q.x * q.y;
  float other = q.z * q.w;
  float left = q.x + q.y;
  left = left + q.z;
  left = left + q.w;
  out[0] = product + q.z;
  out[1] = product - other;
  out[2] = left;
  out[3] = exact_dot(weft_v3(q.x, q.y, q.z), weft_v3(q.y, q.z, q.w));
  out[4] = exact_rcp(fabsf(q.x));
  out[5] = exact_rsqrt(fabsf(q.y));
  out[6] = exact_atan2(q.z, q.w);
  out[7] = exact_snap(q.x);
}

static void compare(const vec4 *inputs, const float *outputs, weft_gl_probe *probe) {
  uint32_t wrong[PROBE_OUTPUTS] = {0};
  for (uint32_t i = 0; i < PROBE_ITEMS; ++i) {
    float expected[PROBE_OUTPUTS];
    probe_expected(inputs[i], expected);
    for (uint32_t k = 0; k < PROBE_OUTPUTS; ++k) {
      if (exact_to_bits(expected[k]) != exact_to_bits(outputs[PROBE_OUTPUTS * i + k])) wrong[k]++;
    }
  }
  *probe = (weft_gl_probe){.exact = true, .tested = PROBE_ITEMS * PROBE_OUTPUTS};
  const char *first = NULL;
  for (uint32_t k = 0; k < PROBE_OUTPUTS; ++k) {
    probe->mismatches += wrong[k];
    if (wrong[k] && !first) first = probe_shapes[k];
  }
  probe->exact = probe->mismatches == 0;
  if (probe->exact) {
    snprintf(probe->verdict, sizeof probe->verdict,
             "exact: %u results of 8 shapes of arithmetic equal in every bit", probe->tested);
  } else {
    snprintf(probe->verdict, sizeof probe->verdict,
             "NOT exact: %u of %u results differ, first in %s; expect bounds in ulps, not equality",
             probe->mismatches, probe->tested, first);
  }
}

weft_result weft_gl_run_probe(weft_gl *gl, weft_gl_probe *probe, weft_error *err) {
  GLuint program = 0;
  char defines[32];
  snprintf(defines, sizeof defines, "WEFT_GROUP_SIZE=%u", gl->desc.group_size);
  weft_result result = weft_gl_compute_program(gl, "solver/probe.comp", defines, &program, err);
  if (result != WEFT_OK) return result;
  vec4 *inputs = weft_alloc(PROBE_ITEMS, sizeof *inputs);
  float *outputs = weft_alloc(PROBE_ITEMS * PROBE_OUTPUTS, sizeof *outputs);
  probe_inputs(inputs);
  weft_gl_buffer in = {0}, out = {0};
  uint64_t out_bytes = PROBE_ITEMS * PROBE_OUTPUTS * sizeof *outputs;
  result = weft_gl_buffer_create(gl, "probe inputs", PROBE_ITEMS * sizeof *inputs, 0,
                                 GL_STATIC_DRAW, inputs, &in, err);
  if (result == WEFT_OK) {
    result =
        weft_gl_buffer_create(gl, "probe outputs", out_bytes, 0, GL_DYNAMIC_READ, NULL, &out, err);
  }
  if (result == WEFT_OK) {
    glUseProgram(program);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out.name);
    glUniform1ui(WEFT_LOCATION_FIRST, 0);
    glUniform1ui(WEFT_LOCATION_COUNT, PROBE_ITEMS);
    glDispatchCompute((PROBE_ITEMS + gl->desc.group_size - 1) / gl->desc.group_size, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    weft_gl_buffer_read(&out, 0, out_bytes, outputs);
    compare(inputs, outputs, probe);
    result = weft_gl_check("the start-up probe", err);
  }
  weft_gl_buffer_destroy(&in);
  weft_gl_buffer_destroy(&out);
  glDeleteProgram(program);
  weft_free(inputs);
  weft_free(outputs);
  return result;
}
