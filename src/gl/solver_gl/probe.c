/* probe.c: tests, before any cloth is made, whether the driver's float arithmetic keeps the
 * exactness contract: shaders/solver/probe.comp over seeded data against the same statements in C.
 */
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "solver_gl_internal.h"

enum { PROBE_ITEMS = 65536, PROBE_SHAPES = 15, PROBE_OUTPUTS = 16 };

/* The items go in passes that are told different things, one right after the other. */
enum { PROBE_PASSES = 4, PROBE_PART = PROBE_ITEMS / PROBE_PASSES, ELEMENT_BYTES = 256 };

/* The last output is a bare product: what the driver does with subnormals is told, not judged,
 * since no pass lets them arise. */
static const char *const probe_shapes[PROBE_SHAPES] = {
    "a*b+c",           "a*b-c*d",      "a+b+c+d",       "dot",   "reciprocal",
    "reciprocal root", "atan2",        "snap",          "flush", "trim",
    "cross",           "vector chain", "sum in a loop", "zero",  "parameters",
};

static weft_pass probe_pass(uint32_t k) {
  return (weft_pass){.first = k * PROBE_PART,
                     .count = PROBE_PART,
                     .first_iteration = k % 2,
                     .acts = (k + 1) % 3,
                     .steps = 2 + k};
}

static float probe_power(weft_rng *rng, int lowest, int highest) {
  uint32_t bits = weft_rng_u32(rng);
  uint32_t span = (uint32_t)(highest - lowest + 1);
  uint32_t exponent = (uint32_t)(127 + lowest) + weft_rng_u32(rng) % span;
  return exact_from_bits((bits & 0x807FFFFFu) | (exponent << 23));
}

/* Magnitudes over the range a solver sees, 2^-30 to 2^30, either sign. Every fourth item cancels in
 * the first shape, where a fused product shows; every fourth begins with a number around one of the
 * limits below which values become 0; every fourth has a subnormal product. */
static void probe_inputs(vec4 *inputs) {
  static const int limits[3] = {-40, -60, -100};
  weft_rng rng = weft_rng_seed(1);
  for (uint32_t i = 0; i < PROBE_ITEMS; ++i) {
    float x = probe_power(&rng, -30, 30), y = probe_power(&rng, -30, 30);
    float z = probe_power(&rng, -30, 30), w = probe_power(&rng, -30, 30);
    int limit = limits[i / 4 % 3];
    if (i % 4 == 0) z = -(x * y);
    if (i % 4 == 1) x = probe_power(&rng, limit - 1, limit);
    if (i % 4 == 2) {
      x = probe_power(&rng, -100, -99);
      y = probe_power(&rng, -30, -29);
    }
    inputs[i] = (vec4){x, y, z, w};
  }
}

static void probe_expected(vec4 q, const weft_pass *pass, float *out) {
  weft_vec3 xyz = weft_v3(q.x, q.y, q.z), yzw = weft_v3(q.y, q.z, q.w);
  float product = q.x * q.y;
  float other = q.z * q.w;
  float left = q.x + q.y;
  left = left + q.z;
  left = left + q.w;
  weft_vec3 chain = weft_v3_add(weft_v3_scale(xyz, q.w), yzw);
  weft_vec3 sum = weft_v3(0, 0, 0);
  for (uint32_t k = 0; k < pass->steps; ++k) {
    sum = weft_v3_add(sum, weft_v3_scale(yzw, q.z));
  }
  out[0] = product + q.z;
  out[1] = product - other;
  out[2] = left;
  out[3] = exact_dot(xyz, yzw);
  out[4] = exact_rcp(fabsf(q.x));
  out[5] = exact_rsqrt(fabsf(q.y));
  out[6] = exact_atan2(q.z, q.w);
  out[7] = exact_snap(q.x);
  out[8] = exact_flush(q.x);
  out[9] = exact_trim(q.x);
  out[10] = exact_cross(xyz, yzw).y;
  out[11] = chain.z;
  out[12] = sum.x;
  out[13] = 0.0f;
  out[14] = pass->first_iteration ? q.x : q.y;
  if (pass->acts == WEFT_ACTS_STRETCHED) out[14] = out[14] + q.z;
  if (pass->acts == WEFT_ACTS_COMPRESSED) out[14] = out[14] - q.w;
  out[15] = product;
}

static void judge(weft_gl_probe *probe, const uint32_t *wrong, bool flushes) {
  const char *first = NULL;
  for (uint32_t k = 0; k < PROBE_SHAPES; ++k) {
    probe->mismatches += wrong[k];
    if (wrong[k] && !first) first = probe_shapes[k];
  }
  probe->exact = probe->mismatches == 0;
  const char *subnormals = flushes ? "flushed" : "kept";
  if (probe->exact) {
    snprintf(probe->verdict, sizeof probe->verdict,
             "exact: %u results of %d shapes of arithmetic equal in every bit; subnormals %s",
             probe->tested, PROBE_SHAPES, subnormals);
  } else {
    snprintf(probe->verdict, sizeof probe->verdict,
             "NOT exact: %u of %u results differ, first in %s; expect bounds in ulps, not "
             "equality; subnormals %s",
             probe->mismatches, probe->tested, first, subnormals);
  }
}

static void compare(const vec4 *inputs, const float *outputs, weft_gl_probe *probe) {
  uint32_t wrong[PROBE_SHAPES] = {0};
  bool flushes = false;
  for (uint32_t i = 0; i < PROBE_ITEMS; ++i) {
    float expected[PROBE_OUTPUTS];
    const float *seen = &outputs[PROBE_OUTPUTS * i];
    const weft_pass pass = probe_pass(i / PROBE_PART);
    probe_expected(inputs[i], &pass, expected);
    for (uint32_t k = 0; k < PROBE_SHAPES; ++k) {
      if (exact_to_bits(expected[k]) != exact_to_bits(seen[k])) wrong[k]++;
    }
    if (expected[PROBE_SHAPES] != 0.0f && seen[PROBE_SHAPES] == 0.0f) flushes = true;
  }
  *probe = (weft_gl_probe){.tested = PROBE_ITEMS * PROBE_SHAPES};
  judge(probe, wrong, flushes);
}

/* Each in a dispatch of its own. */
static void probe_passes(weft_gl *gl, const weft_gl_buffer *elements) {
  for (uint32_t k = 0; k < PROBE_PASSES; ++k) {
    glBindBufferRange(GL_UNIFORM_BUFFER, WEFT_PASS_BINDING, elements->name,
                      (GLintptr)k * ELEMENT_BYTES, sizeof(weft_pass));
    glDispatchCompute((PROBE_PART + gl->desc.group_size - 1) / gl->desc.group_size, 1, 1);
  }
}

static weft_result probe_dispatch(weft_gl *gl, GLuint program, const vec4 *inputs, float *outputs,
                                  weft_error *err) {
  weft_gl_buffer in = {0}, out = {0}, elements = {0};
  unsigned char told[PROBE_PASSES * ELEMENT_BYTES] = {0};
  for (uint32_t k = 0; k < PROBE_PASSES; ++k) {
    const weft_pass pass = probe_pass(k);
    memcpy(told + (size_t)k * ELEMENT_BYTES, &pass, sizeof pass);
  }
  uint64_t out_bytes = PROBE_ITEMS * PROBE_OUTPUTS * sizeof *outputs;
  weft_result result = weft_gl_buffer_create(gl, "probe inputs", PROBE_ITEMS * sizeof *inputs, 0,
                                             GL_STATIC_DRAW, inputs, &in, err);
  if (result == WEFT_OK) {
    result =
        weft_gl_buffer_create(gl, "probe outputs", out_bytes, 0, GL_DYNAMIC_READ, NULL, &out, err);
  }
  if (result == WEFT_OK) {
    result = weft_gl_buffer_create(gl, "probe passes", sizeof told, 0, GL_STATIC_DRAW, told,
                                   &elements, err);
  }
  if (result == WEFT_OK) {
    for (uint32_t slot = 0; slot < 2; ++slot)
      weft_gl_keep_range(gl, GL_SHADER_STORAGE_BUFFER, slot);
    weft_gl_keep_range(gl, GL_UNIFORM_BUFFER, WEFT_PASS_BINDING);
    glUseProgram(program);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out.name);
    probe_passes(gl, &elements);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    weft_gl_buffer_read(&out, 0, out_bytes, outputs);
    result = weft_gl_check("the start-up probe", err);
  }
  weft_gl_buffer_destroy(&in);
  weft_gl_buffer_destroy(&out);
  weft_gl_buffer_destroy(&elements);
  return result;
}

weft_result weft_gl_run_probe(weft_gl *gl, weft_gl_probe *probe, weft_error *err) {
  WEFT_NEED(gl);
  WEFT_NEED(probe);
  WEFT_GL_ENTER(gl);
  WEFT_GUARD(err);
  vec4 *inputs = weft_alloc(PROBE_ITEMS, sizeof *inputs);
  float *outputs = weft_alloc(PROBE_ITEMS * PROBE_OUTPUTS, sizeof *outputs);
  GLuint program = 0;
  char defines[32];
  snprintf(defines, sizeof defines, "WEFT_GROUP_SIZE=%u", gl->desc.group_size);
  weft_result result =
      weft_gl_compute_program(gl, "solver/probe.comp", defines, NULL, &program, err);
  probe_inputs(inputs);
  if (result == WEFT_OK) {
    result = probe_dispatch(gl, program, inputs, outputs, err);
    glDeleteProgram(program);
  }
  if (result == WEFT_OK) compare(inputs, outputs, probe);
  weft_free(inputs);
  weft_free(outputs);
  return result;
}
