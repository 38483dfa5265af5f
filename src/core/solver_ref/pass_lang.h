/* pass_lang.h: the language of passes (shaders/kernels/lang_glsl.h) in C: a pass works on one
 * element of the buffers of `m`, as do functions that it calls (BUFFERS m). */
#ifndef WEFT_REF_PASS_LANG_H
#define WEFT_REF_PASS_LANG_H

#include <kernels/lang_c.h>

#define MAYBE_UNUSED __attribute__((unused))
#define INLINED static inline __attribute__((always_inline))

#define BUFFERS const weft_ref *
#define U (*m->UNIFORMS)
#define AT(buffer, i) (m->buffer[i])
#define SET(buffer, i, value) (m->buffer[i] = (value))
#define ATOMIC_ADD(buffer, i, value) added_to(&m->buffer[i], value)
#define ATOMIC_MIN(buffer, i, value) lowered_to(&m->buffer[i], value)
#define ATOMIC_OR(buffer, i, value) __atomic_fetch_or(&m->buffer[i], value, __ATOMIC_RELAXED)
#define ATOMIC_SWAP(buffer, i, value) __atomic_exchange_n(&m->buffer[i], value, __ATOMIC_RELAXED)
#define PASS(name)                                                                     \
  INLINED void name(const weft_ref *m MAYBE_UNUSED, const weft_pass pass MAYBE_UNUSED, \
                    uint substep MAYBE_UNUSED, uint i MAYBE_UNUSED)
#define CALL(name, i) name(m, pass, substep, i)
#define KEEPS ((pass.variant & WEFT_VARIANT_LAMBDA) != 0)
#define PAIRS ((pass.variant & WEFT_VARIANT_PAIRS) != 0)
#define PROJECT_PASS(name)                                                            \
  INLINED void name(const weft_ref *m, const weft_pass pass, uint i, const uint type, \
                    const bool keeps, const bool jacobi)
#define SWEEP_PASS(name)                                                              \
  INLINED void name(const weft_ref *m, const weft_pass pass, uint i, const uint type, \
                    const bool keeps, const uint acts)
#define SWEEP(name, i, type, keeps, acts) name(m, pass, i, type, keeps, acts)
#define CONSTRAINT_AT(type, i) constraint_at(m, type, i)
#define MULTIPLIER_AT(type, i) multiplier_at(m, type, i)
#define SET_MULTIPLIER(type, i, value) set_multiplier(m, type, i, value)
#define TERMS_AT(type, i) terms_at(m, type, i)
#define PROJECT_CONSTRAINT(type, p, data, keeps, past, acts) \
  project_constraint(type, p, data, keeps, past, acts)
/* A work group is one thread here, and what its invocations share is the thread's. */
#define GROUP_PASS(name) PASS(name)
#define GROUP_ARRAY(type, name, length) static _Thread_local type name[length];
#define OF_TEAM(name, length, k) name[k]
#define EACH(k, first, step, end) for (uint k = (first); k < (end); k += (step))
#define WAIT_FOR_GROUP
#define WAIT_FOR_BUFFERS

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define U4(x, y, z, w) ((uvec4){x, y, z, w})
#define PART4U(v, k) ((const uint[4]){(v).x, (v).y, (v).z, (v).w}[k])
#define PART3U(v, k) ((const uint[3]){(v).x, (v).y, (v).z}[k])

/* Threads may share a pass. */
static inline uint added_to(uint *place, uint value) {
  return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}
static inline void lowered_to(uint *place, uint value) {
  uint before = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (value < before && !__atomic_compare_exchange_n(place, &before, value, true,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
static inline weft_vec3 of_delta(weft_delta d) { return weft_v3(d.x, d.y, d.z); }
static inline weft_delta delta_of(weft_vec3 d) { return (weft_delta){d.x, d.y, d.z}; }

#endif
