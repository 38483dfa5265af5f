// single: every pass of a substep, and every substep of a frame, in one dispatch: what would be hundreds of
// dispatches with hardly any work in each. A cloth has one work group; steps are the passes of a substep,
// and between two of them the group waits and sees what it wrote. Of a joined model each part has a work group.
// made.glsl is what the host makes for the list of passes: buffers at their slots, so that plain cloth
// needs no more storage blocks than GL promises; the choices among constraints and shapes; the includes of
// passes; and ALL_STEPS, an EACH_STEP(gate, number, call) or EACH_TEAM_STEP for each kind of step.
#include "solver/blocks.glsl"
#include "made.glsl"

// Few steps are a uniform block: it saves a storage block, of which plain cloth needs the promised eight.
#ifdef UNIFORM_STEPS
layout(std140, binding = WEFT_SINGLE_BINDING) uniform Steps { weft_pass steps[WEFT_SINGLE_UNIFORM_STEPS]; };
#else
layout(std430, binding = 0) restrict readonly buffer Steps { weft_pass steps[]; };
#endif

void wait_for_all() {
  memoryBarrierBuffer();
  memoryBarrierShared();
  barrier();
}

bool is_next(uint at, uint kind) { return at < u_run.steps && steps[at].kind == kind; }

// All steps of a kind that come next, their elements shared among the group: k counts them, i is the element.
// Every kind has loops of its own, in the order of the pass list, and looks at their end whether they go on:
// a driver that only masks lanes runs the text of a loop once even if no lane takes part, so that in one loop
// over the steps every step would cost as much as all kinds together.
#define EACH_STEP(gate, number, call)                                 \
  if (is_next(at, number)) {                                          \
    do {                                                              \
      weft_pass s = steps[at];                                        \
      uint count = (gate & u_run.skip) == 0u ? s.count : 0u;          \
      uint first = s.first + gl_WorkGroupID.x * s.count;              \
      uint done = 0u;                                                 \
      do {                                                            \
        uint k = done + gl_LocalInvocationID.x;                       \
        uint i = first + k;                                           \
        if (k < count) {                                              \
          call;                                                       \
        }                                                             \
        done += uint(WEFT_PASS_GROUP);                                \
      } while (done < count);                                         \
      wait_for_all();                                                 \
      ++at;                                                           \
    } while (is_next(at, number));                                    \
  }

// The same, an element for each team. All teams make as many rounds, since they wait for each other.
#define EACH_TEAM_STEP(gate, number, call)                            \
  if (is_next(at, number)) {                                          \
    do {                                                              \
      weft_pass s = steps[at];                                        \
      s.first += gl_WorkGroupID.x * s.count;                          \
      uint done = 0u;                                                 \
      do {                                                            \
        uint i = s.first + done + TEAM;                               \
        call;                                                         \
        wait_for_all();                                               \
        done += uint(WEFT_TEAMS);                                     \
      } while (done < s.count);                                       \
      ++at;                                                           \
    } while (is_next(at, number));                                    \
  }

void run(uint substep) {
  uint at = 0u;
  do {
    ALL_STEPS
  } while (at < u_run.steps);
}

void main() {
#ifdef SHARED_POSITIONS
  for (uint i = gl_LocalInvocationID.x; i < u.particle_count; i += uint(WEFT_PASS_GROUP)) X[i] = X_outside[i];
  wait_for_all();
#endif
  uint n = 0u;
  do {
    run(u_substep + n);
  } while (++n < u_run.substeps);
#ifdef SHARED_POSITIONS
  for (uint i = gl_LocalInvocationID.x; i < u.particle_count; i += uint(WEFT_PASS_GROUP)) X_outside[i] = X[i];
#endif
}
