// single: every pass of a substep, and every substep of a frame, in one dispatch: what would be hundreds of
// dispatches with hardly any work in each. A cloth has one work group; steps are the passes of a substep,
// and between two of them the group waits and sees what it wrote. Of a joined model each part has a work group.
// made.glsl is what the host makes for the list of passes: buffers at their slots, so that plain cloth
// needs no more storage blocks than GL promises; the choices among constraints and shapes; the includes of
// passes; and ALL_STEPS, a ONCE or an AGAIN for each kind of step.
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

// A step, its elements shared among the group: k counts them, i is the element.
#define STEP(gate, call)                                              \
  weft_pass s = steps[at];                                            \
  uint count = (gate & u_run.skip) == 0u ? s.count : 0u;              \
  uint first = s.first + gl_WorkGroupID.x * s.count;                  \
  uint done = 0u;                                                     \
  do {                                                                \
    uint k = done + gl_LocalInvocationID.x;                           \
    uint i = first + k;                                               \
    if (k < count) {                                                  \
      call;                                                           \
    }                                                                 \
    done += uint(WEFT_PASS_GROUP);                                    \
  } while (done < count);                                             \
  wait_for_all();                                                     \
  ++at;

// The same, an element for each team. All teams make as many rounds, since they wait for each other.
#define TEAM_STEP(gate, call)                                         \
  weft_pass s = steps[at];                                            \
  s.first += gl_WorkGroupID.x * s.count;                              \
  uint done = 0u;                                                     \
  do {                                                                \
    uint i = s.first + done + TEAM;                                   \
    call;                                                             \
    wait_for_all();                                                   \
    done += uint(WEFT_TEAMS);                                         \
  } while (done < s.count);                                           \
  ++at;

// Every kind has a text of its own, in the order of the pass list: a driver that only masks lanes runs the text of
// a loop once even if no lane takes part, so that in one loop over the steps every step would cost as much as all
// kinds together. Kinds of which several steps come one after the other have a loop over these. The others have
// none: drivers that go through a loop twice to know what it changes take twice as long for each loop around a text.
#define ONCE(kind_step, number, gate, call) \
  if (is_next(at, number)) {          \
    kind_step(gate, call)               \
  }
#define AGAIN(kind_step, number, gate, call) \
  if (is_next(at, number)) {           \
    do {                               \
      kind_step(gate, call)            \
    } while (is_next(at, number));     \
  }

void main() {
#ifdef SHARED_POSITIONS
  for (uint i = gl_LocalInvocationID.x; i < u.particle_count; i += uint(WEFT_PASS_GROUP)) X[i] = X_outside[i];
  wait_for_all();
#endif
  uint at = 0u;
  uint substep = u_substep;
  do {
    ALL_STEPS
    bool over = at >= u_run.steps;
    at = over ? 0u : at;
    substep += over ? 1u : 0u;
  } while (substep - u_substep < u_run.substeps);
#ifdef SHARED_POSITIONS
  for (uint i = gl_LocalInvocationID.x; i < u.particle_count; i += uint(WEFT_PASS_GROUP)) X_outside[i] = X[i];
#endif
}
