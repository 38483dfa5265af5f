// whole: every pass of a substep, and every substep of a frame, in one dispatch: what would be hundreds of
// dispatches with hardly any work in each. A cloth has one work group; steps are the passes of a substep,
// and between two of them the group waits and sees what it wrote. Which buffers and passes there are comes
// as defines, so that plain cloth needs no more storage blocks than GL promises: WEFT_AT_ the binding of a
// buffer, WEFT_RUN_ the number of a pass in the table of steps. Of a joined model each part has a work group.
// permutations: WEFT_AT_X=1 WEFT_AT_X_PREV=2 WEFT_AT_V=3 WEFT_RUN_PREDICT=0 WEFT_RUN_UPDATE_VELOCITY=1
// permutations: WEFT_WHOLE_SHARED=2048 WEFT_AT_X=1 WEFT_AT_DISTANCES=2 WEFT_RUN_PROJECT_DISTANCE=0 WEFT_AT_ISOMETRICS=3 WEFT_RUN_PROJECT_ISOMETRIC=1 WEFT_AT_DIHEDRALS=4 WEFT_RUN_PROJECT_DIHEDRAL=2
// permutations: WEFT_AT_X=1 WEFT_AT_X_PREV=2 WEFT_AT_DISTANCES=3 WEFT_AT_DISTANCE_XPBD=4 WEFT_AT_DISTANCE_LAMBDA=5 WEFT_RUN_PROJECT_DISTANCE_LAMBDA=0
// permutations: WEFT_AT_X=1 WEFT_AT_X_PREV=2 WEFT_AT_ISOMETRICS=3 WEFT_AT_ISOMETRIC_XPBD=4 WEFT_AT_ISOMETRIC_LAMBDA=5 WEFT_RUN_PROJECT_ISOMETRIC_LAMBDA=0
// permutations: WEFT_AT_X=1 WEFT_AT_X_PREV=2 WEFT_AT_DIHEDRALS=3 WEFT_AT_DIHEDRAL_LAMBDA=4 WEFT_RUN_PROJECT_DIHEDRAL_LAMBDA=0
// permutations: WEFT_AT_X=1 WEFT_AT_X_PREV=2 WEFT_AT_V=3 WEFT_AT_PINS=4 WEFT_AT_GRAB=5 WEFT_AT_SUBSTEPS=6 WEFT_RUN_MOVE_PINS=0 WEFT_RUN_GRAB=1
// permutations: WEFT_AT_X=1 WEFT_AT_X_PREV=2 WEFT_AT_TETHERS=3 WEFT_AT_COLLIDERS=4 WEFT_RUN_TETHER=0 WEFT_RUN_COLLIDE=1
// permutations: WEFT_AT_X=1 WEFT_AT_V=2 WEFT_AT_TRIANGLES=3 WEFT_AT_FORCES=4 WEFT_AT_CORNER_OFFSETS=5 WEFT_AT_CORNER_ITEMS=6 WEFT_AT_SUBSTEPS=7 WEFT_RUN_AERO_FORCE=0 WEFT_RUN_AERO_GATHER=1
// permutations: WEFT_AT_X=1 WEFT_AT_V=2 WEFT_AT_MOTION=3 WEFT_RUN_DAMP_LINEAR=0 WEFT_RUN_DAMP_SUM=1 WEFT_RUN_DAMP_ANGULAR=2 WEFT_RUN_DAMP_RIGID=3 WEFT_RUN_DAMP_VELOCITY=4
// permutations: WEFT_AT_X=1 WEFT_AT_LEVEL_X=2 WEFT_AT_LEVEL_BASE=3 WEFT_AT_LEVEL_OFFSETS=4 WEFT_AT_LEVEL_CHILDREN=5 WEFT_RUN_LEVEL_GATHER=0 WEFT_RUN_LEVEL_RESTRICT=1
// permutations: WEFT_AT_X=1 WEFT_AT_LEVEL_X=2 WEFT_AT_LEVEL_BASE=3 WEFT_AT_LEVEL_EDGES=4 WEFT_AT_LEVEL_PARENTS=5 WEFT_AT_LEVEL_NODE_PARENTS=6 WEFT_RUN_LEVEL_PROJECT=0 WEFT_RUN_LEVEL_PROLONG=1 WEFT_RUN_LEVEL_SPREAD=2
// permutations: WEFT_UNIFORM_STEPS=1 WEFT_AT_X=0 WEFT_AT_V=1 WEFT_AT_FORCES=2 WEFT_AT_TABLES=3 WEFT_LENGTH_ISOMETRICS=5 WEFT_LENGTH_CORNER_OFFSETS=7 WEFT_LENGTH_CORNER_ITEMS=9 WEFT_RUN_PROJECT_ISOMETRIC=0 WEFT_RUN_AERO_GATHER=1
#ifndef WEFT_WHOLE_GROUP
#define WEFT_WHOLE_GROUP 256
#endif
#define WEFT_PASS_GROUP WEFT_WHOLE_GROUP
#define WEFT_TABLES_AT_REST
#define WEFT_WHOLE_RUN
#include "lib/pass.glsl"

// ---- buffers ----

// Few steps are a uniform block: it saves a storage block, of which plain cloth needs the promised eight.
#ifdef WEFT_UNIFORM_STEPS
layout(std140, binding = WEFT_WHOLE_BINDING) uniform Steps {
  weft_pass steps[WEFT_WHOLE_UNIFORM_STEPS];
};
#else
#ifndef WEFT_AT_STEPS
#define WEFT_AT_STEPS 0
#endif
layout(std430, binding = WEFT_AT_STEPS) restrict readonly buffer Steps { weft_pass steps[]; };
#endif

#ifdef WEFT_WHOLE_SHARED
// Positions in the group's own memory while the dispatch lasts.
layout(std430, binding = WEFT_AT_X) restrict buffer Positions { vec4 x_outside[]; };
shared vec4 x[WEFT_WHOLE_SHARED];
#elif defined(WEFT_AT_X)
layout(std430, binding = WEFT_AT_X) coherent restrict buffer Positions { vec4 x[]; };
#endif
#ifdef WEFT_AT_X_PREV
layout(std430, binding = WEFT_AT_X_PREV) coherent restrict buffer Previous { vec4 x_prev[]; };
#endif
#ifdef WEFT_AT_V
layout(std430, binding = WEFT_AT_V) coherent restrict buffer Velocities { vec4 v[]; };
#endif
#ifdef WEFT_AT_SUBSTEPS
layout(std430, binding = WEFT_AT_SUBSTEPS) restrict readonly buffer Substeps { weft_substep substeps[]; };
#endif
#ifdef WEFT_AT_PINS
layout(std430, binding = WEFT_AT_PINS) restrict readonly buffer Pins { weft_pin_path pins[]; };
#endif
#ifdef WEFT_AT_GRAB
layout(std430, binding = WEFT_AT_GRAB) restrict readonly buffer Grab { weft_grab grab[]; };
#endif
#ifdef WEFT_AT_COLLIDERS
layout(std430, binding = WEFT_AT_COLLIDERS) restrict readonly buffer Colliders {
  weft_collider_pose colliders[];
};
#endif
#ifdef WEFT_AT_DISTANCE_LAMBDA
layout(std430, binding = WEFT_AT_DISTANCE_LAMBDA) coherent restrict buffer DistanceLambda {
  float distance_lambda[];
};
#endif
#ifdef WEFT_AT_ISOMETRIC_LAMBDA
layout(std430, binding = WEFT_AT_ISOMETRIC_LAMBDA) coherent restrict buffer IsometricLambda {
  vec4 isometric_lambda[];
};
#endif
#ifdef WEFT_AT_DIHEDRAL_LAMBDA
layout(std430, binding = WEFT_AT_DIHEDRAL_LAMBDA) coherent restrict buffer DihedralLambda {
  float dihedral_lambda[];
};
#endif
#ifdef WEFT_AT_FORCES
layout(std430, binding = WEFT_AT_FORCES) coherent restrict buffer Forces { vec4 forces[]; };
#endif
#ifdef WEFT_AT_MOTION
layout(std430, binding = WEFT_AT_MOTION) coherent restrict buffer Motion { weft_motion motion[]; };
#endif
#ifdef WEFT_AT_LEVEL_X
layout(std430, binding = WEFT_AT_LEVEL_X) coherent restrict buffer LevelX { vec4 level_x[]; };
#endif
#ifdef WEFT_AT_LEVEL_BASE
layout(std430, binding = WEFT_AT_LEVEL_BASE) coherent restrict buffer LevelBase { vec4 level_base[]; };
#endif

// What never changes: a block each, or, where those are too many, all in one, with lengths that are part of
// the program. Those with 16-byte vectors come first.
#ifdef WEFT_AT_ISOMETRICS
layout(std430, binding = WEFT_AT_ISOMETRICS) restrict readonly buffer Isometrics {
  weft_isometric isometrics[];
};
#endif
#ifdef WEFT_AT_DIHEDRALS
layout(std430, binding = WEFT_AT_DIHEDRALS) restrict readonly buffer Dihedrals { weft_dihedral dihedrals[]; };
#endif
#ifdef WEFT_AT_TETHERS
layout(std430, binding = WEFT_AT_TETHERS) restrict readonly buffer Tethers { weft_tether tethers[]; };
#endif
#ifdef WEFT_AT_LEVEL_PARENTS
layout(std430, binding = WEFT_AT_LEVEL_PARENTS) restrict readonly buffer ParticleParents {
  weft_level_parents particle_parents[];
};
#endif
#ifdef WEFT_AT_LEVEL_NODE_PARENTS
layout(std430, binding = WEFT_AT_LEVEL_NODE_PARENTS) restrict readonly buffer NodeParents {
  weft_level_parents parents[];
};
#endif
#ifdef WEFT_AT_DISTANCES
layout(std430, binding = WEFT_AT_DISTANCES) restrict readonly buffer Distances { weft_distance distances[]; };
#endif
#ifdef WEFT_AT_LEVEL_EDGES
layout(std430, binding = WEFT_AT_LEVEL_EDGES) restrict readonly buffer LevelEdges { weft_distance edges[]; };
#endif
#ifdef WEFT_AT_DISTANCE_XPBD
layout(std430, binding = WEFT_AT_DISTANCE_XPBD) restrict readonly buffer DistanceXpbd {
  weft_xpbd distance_xpbd[];
};
#endif
#ifdef WEFT_AT_ISOMETRIC_XPBD
layout(std430, binding = WEFT_AT_ISOMETRIC_XPBD) restrict readonly buffer IsometricXpbd {
  weft_xpbd isometric_xpbd[];
};
#endif
#ifdef WEFT_AT_LEVEL_CHILDREN
layout(std430, binding = WEFT_AT_LEVEL_CHILDREN) restrict readonly buffer LevelChildren {
  weft_level_child children[];
};
#endif
#ifdef WEFT_AT_LEVEL_OFFSETS
layout(std430, binding = WEFT_AT_LEVEL_OFFSETS) restrict readonly buffer LevelOffsets { uint offsets[]; };
#endif
#ifdef WEFT_AT_TRIANGLES
layout(std430, binding = WEFT_AT_TRIANGLES) restrict readonly buffer Triangles { uint triangles[]; };
#endif
#ifdef WEFT_AT_CORNER_OFFSETS
layout(std430, binding = WEFT_AT_CORNER_OFFSETS) restrict readonly buffer CornerOffsets {
  uint corner_offsets[];
};
#endif
#ifdef WEFT_AT_CORNER_ITEMS
layout(std430, binding = WEFT_AT_CORNER_ITEMS) restrict readonly buffer CornerItems { uint corner_items[]; };
#endif
#ifdef WEFT_AT_TABLES
layout(std430, binding = WEFT_AT_TABLES) restrict readonly buffer Tables {
#ifdef WEFT_LENGTH_ISOMETRICS
  weft_isometric isometrics[WEFT_LENGTH_ISOMETRICS];
#endif
#ifdef WEFT_LENGTH_DIHEDRALS
  weft_dihedral dihedrals[WEFT_LENGTH_DIHEDRALS];
#endif
#ifdef WEFT_LENGTH_TETHERS
  weft_tether tethers[WEFT_LENGTH_TETHERS];
#endif
#ifdef WEFT_LENGTH_LEVEL_PARENTS
  weft_level_parents particle_parents[WEFT_LENGTH_LEVEL_PARENTS];
#endif
#ifdef WEFT_LENGTH_LEVEL_NODE_PARENTS
  weft_level_parents parents[WEFT_LENGTH_LEVEL_NODE_PARENTS];
#endif
#ifdef WEFT_LENGTH_DISTANCES
  weft_distance distances[WEFT_LENGTH_DISTANCES];
#endif
#ifdef WEFT_LENGTH_LEVEL_EDGES
  weft_distance edges[WEFT_LENGTH_LEVEL_EDGES];
#endif
#ifdef WEFT_LENGTH_DISTANCE_XPBD
  weft_xpbd distance_xpbd[WEFT_LENGTH_DISTANCE_XPBD];
#endif
#ifdef WEFT_LENGTH_ISOMETRIC_XPBD
  weft_xpbd isometric_xpbd[WEFT_LENGTH_ISOMETRIC_XPBD];
#endif
#ifdef WEFT_LENGTH_LEVEL_CHILDREN
  weft_level_child children[WEFT_LENGTH_LEVEL_CHILDREN];
#endif
#ifdef WEFT_LENGTH_LEVEL_OFFSETS
  uint offsets[WEFT_LENGTH_LEVEL_OFFSETS];
#endif
#ifdef WEFT_LENGTH_TRIANGLES
  uint triangles[WEFT_LENGTH_TRIANGLES];
#endif
#ifdef WEFT_LENGTH_CORNER_OFFSETS
  uint corner_offsets[WEFT_LENGTH_CORNER_OFFSETS];
#endif
#ifdef WEFT_LENGTH_CORNER_ITEMS
  uint corner_items[WEFT_LENGTH_CORNER_ITEMS];
#endif
};
#endif

// ---- passes ----

#ifdef WEFT_RUN_AERO_FORCE
#include "lib/aero_force.glsl"
#endif
#ifdef WEFT_RUN_AERO_GATHER
#include "lib/aero_gather.glsl"
#endif
#ifdef WEFT_RUN_DAMP_LINEAR
#include "lib/damp_linear.glsl"
#endif
#ifdef WEFT_RUN_DAMP_SUM
#include "lib/damp_sum.glsl"
#endif
#ifdef WEFT_RUN_DAMP_ANGULAR
#include "lib/damp_angular.glsl"
#endif
#ifdef WEFT_RUN_DAMP_RIGID
#include "lib/damp_rigid.glsl"
#endif
#ifdef WEFT_RUN_DAMP_VELOCITY
#include "lib/damp_velocity.glsl"
#endif
#ifdef WEFT_RUN_PREDICT
#include "lib/predict.glsl"
#endif
#ifdef WEFT_RUN_MOVE_PINS
#include "lib/move_pins.glsl"
#endif
#ifdef WEFT_RUN_GRAB
#include "lib/grab.glsl"
#endif
#if defined(WEFT_RUN_LEVEL_GATHER) || defined(WEFT_RUN_LEVEL_RESTRICT)
#define WEFT_LEVEL_MEAN
#endif
#ifdef WEFT_RUN_LEVEL_PROJECT
#define WEFT_LEVEL_EDGES
#endif
#if defined(WEFT_RUN_LEVEL_SPREAD) || defined(WEFT_RUN_LEVEL_PROLONG)
#define WEFT_LEVEL_FOLLOW
#endif
#include "lib/level.glsl"
#ifdef WEFT_RUN_LEVEL_GATHER
#include "lib/level_gather.glsl"
#endif
#ifdef WEFT_RUN_LEVEL_RESTRICT
#include "lib/level_restrict.glsl"
#endif
#ifdef WEFT_RUN_LEVEL_PROLONG
#include "lib/level_prolong.glsl"
#endif
#ifdef WEFT_RUN_LEVEL_SPREAD
#include "lib/level_spread.glsl"
#endif
#include "lib/distance.glsl"
#include "lib/isometric.glsl"
#include "lib/dihedral.glsl"
#include "lib/moved.glsl"
#ifdef WEFT_RUN_TETHER
#include "lib/tether.glsl"
#endif
#ifdef WEFT_RUN_COLLIDE
#include "lib/contact.glsl"
#include "lib/collide.glsl"
#endif
#ifdef WEFT_RUN_UPDATE_VELOCITY
#include "lib/update_velocity.glsl"
#endif

// The projections as in project_NAME.comp without Jacobi; where a step is 0, its direction may be anything
// and must not reach the positions.
#if defined(WEFT_RUN_PROJECT_DISTANCE) || defined(WEFT_RUN_PROJECT_DISTANCE_LAMBDA)
void move_two(weft_distance c, vec4 pa, vec4 pb, vec3 n, float step) {
  if (step == 0.0) return;
  precise vec3 delta_a = distance_delta(n, step, pa.w);
  precise vec3 delta_b = distance_delta(n, step, pb.w);
  x[c.a] = vec4(moved_back(pa.xyz, delta_a), pa.w);
  x[c.b] = vec4(moved_on(pb.xyz, delta_b), pb.w);
}
#endif
#ifdef WEFT_RUN_PROJECT_DISTANCE
void pass_project_distance(uint i, uint sense) {
  weft_distance c = distance_at(i);
  vec4 pa = x[c.a];
  vec4 pb = x[c.b];
  precise vec3 n;
  precise float violation;
  bool defined;
  distance_measure(pa.xyz, pb.xyz, c.rest_length, n, violation, defined);
  precise float step = distance_step(violation, defined, c.inv_denominator, sense);
  move_two(c, pa, pb, n, step);
}
#endif
#ifdef WEFT_RUN_PROJECT_DISTANCE_LAMBDA
void pass_project_distance_lambda(uint i, uint sense, uint reset) {
  weft_distance c = distance_at(i);
  vec4 pa = x[c.a];
  vec4 pb = x[c.b];
  precise vec3 n;
  precise float violation;
  bool defined;
  distance_measure(pa.xyz, pb.xyz, c.rest_length, n, violation, defined);
  float multiplier = reset == 1u ? 0.0 : distance_lambda[i];
  precise float parted = distance_parted(n, pa.xyz, pb.xyz, x_prev[c.a].xyz, x_prev[c.b].xyz);
  precise float step = distance_step_lambda(violation, parted, defined, c.inv_denominator,
                                            distance_xpbd_at(i), sense, multiplier);
  distance_lambda[i] = multiplier;
  move_two(c, pa, pb, n, step);
}
#endif

#if defined(WEFT_RUN_PROJECT_ISOMETRIC) || defined(WEFT_RUN_PROJECT_ISOMETRIC_LAMBDA)
void move_four(uvec4 q, vec4 p0, vec4 p1, vec4 p2, vec4 p3, vec4 k, vec3 step) {
  precise float k3 = isometric_last_weight(k);
  precise vec3 delta_0 = isometric_delta(step, p0.w, k.x);
  precise vec3 delta_1 = isometric_delta(step, p1.w, k.y);
  precise vec3 delta_2 = isometric_delta(step, p2.w, k.z);
  precise vec3 delta_3 = isometric_delta(step, p3.w, k3);
  x[q.x] = vec4(moved_back(p0.xyz, delta_0), p0.w);
  x[q.y] = vec4(moved_back(p1.xyz, delta_1), p1.w);
  x[q.z] = vec4(moved_back(p2.xyz, delta_2), p2.w);
  x[q.w] = vec4(moved_back(p3.xyz, delta_3), p3.w);
}
#endif
#ifdef WEFT_RUN_PROJECT_ISOMETRIC
void pass_project_isometric(uint i) {
  weft_isometric c = isometric_at(i);
  uvec4 q = c.particles;
  vec4 k = c.weights;
  vec4 p0 = x[q.x];
  vec4 p1 = x[q.y];
  vec4 p2 = x[q.z];
  vec4 p3 = x[q.w];
  precise vec3 violation = isometric_sum(p0.xyz, p1.xyz, p2.xyz, p3.xyz, k);
  precise vec3 step = isometric_step(violation, k.w);
  move_four(q, p0, p1, p2, p3, k, step);
}
#endif
#ifdef WEFT_RUN_PROJECT_ISOMETRIC_LAMBDA
void pass_project_isometric_lambda(uint i, uint reset) {
  weft_isometric c = isometric_at(i);
  uvec4 q = c.particles;
  vec4 k = c.weights;
  vec4 p0 = x[q.x];
  vec4 p1 = x[q.y];
  vec4 p2 = x[q.z];
  vec4 p3 = x[q.w];
  precise vec3 violation = isometric_sum(p0.xyz, p1.xyz, p2.xyz, p3.xyz, k);
  vec3 multiplier = reset == 1u ? vec3(0.0) : isometric_lambda[i].xyz;
  precise vec3 then = isometric_sum(x_prev[q.x].xyz, x_prev[q.y].xyz, x_prev[q.z].xyz,
                                    x_prev[q.w].xyz, k);
  precise vec3 step = isometric_step_lambda(violation, then, k.w, isometric_xpbd_at(i), multiplier);
  isometric_lambda[i] = vec4(multiplier, 0.0);
  move_four(q, p0, p1, p2, p3, k, step);
}
#endif

#if defined(WEFT_RUN_PROJECT_DIHEDRAL) || defined(WEFT_RUN_PROJECT_DIHEDRAL_LAMBDA)
void pass_project_dihedral(uint i, uint reset, bool keeps) {
  weft_dihedral c = dihedral_at(i);
  uvec4 q = c.particles;
  vec4 p0 = x[q.x];
  vec4 p1 = x[q.y];
  vec4 p2 = x[q.z];
  vec4 p3 = x[q.w];
  precise vec3 g0;
  precise vec3 g1;
  precise vec3 g2;
  precise vec3 g3;
  precise float violation;
  precise float weight;
  bool defined;
  dihedral_measure(p0, p1, p2, p3, c.rest_angle, g0, g1, g2, g3, violation, weight, defined);
  precise float step;
#ifdef WEFT_RUN_PROJECT_DIHEDRAL_LAMBDA
  if (keeps) {
    float multiplier = reset == 1u ? 0.0 : dihedral_lambda[i];
    precise vec4 turned = vec4(dihedral_turned(g0, p0.xyz, x_prev[q.x].xyz),
                               dihedral_turned(g1, p1.xyz, x_prev[q.y].xyz),
                               dihedral_turned(g2, p2.xyz, x_prev[q.z].xyz),
                               dihedral_turned(g3, p3.xyz, x_prev[q.w].xyz));
    step = dihedral_step_lambda(violation, weight, defined, turned, c.compliance, c.gamma, c.relaxation,
                                multiplier);
    dihedral_lambda[i] = multiplier;
  } else
#endif
  {
    step = dihedral_step(violation, weight, defined, c.compliance, c.relaxation);
  }
  if (step == 0.0) return;
  precise vec3 delta_0 = dihedral_delta(g0, step, p0.w);
  precise vec3 delta_1 = dihedral_delta(g1, step, p1.w);
  precise vec3 delta_2 = dihedral_delta(g2, step, p2.w);
  precise vec3 delta_3 = dihedral_delta(g3, step, p3.w);
  x[q.x] = vec4(moved_back(p0.xyz, delta_0), p0.w);
  x[q.y] = vec4(moved_back(p1.xyz, delta_1), p1.w);
  x[q.z] = vec4(moved_back(p2.xyz, delta_2), p2.w);
  x[q.w] = vec4(moved_back(p3.xyz, delta_3), p3.w);
}
#endif

// ---- the loop ----

void wait_for_all() {
  memoryBarrierBuffer();
  memoryBarrierShared();
  barrier();
}

bool is_next(uint at, uint kind) { return at < u_run.steps && steps[at].kind == kind; }

// All steps of a kind that come next, their elements shared among the group: k counts them, i is the element.
// Every kind has loops of its own, in the order of the pass list, and looks at their end whether they go on:
// a driver that only masks lanes runs the text of a loop once even if nobody takes part, so that in one loop
// over the steps every step would cost as much as all kinds together.
#define WEFT_EACH(number, call) WEFT_EACH_UNLESS(0u, number, call)
#define WEFT_EACH_UNLESS(gate, number, call)                          \
  if (is_next(at, uint(number))) {                                    \
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
        done += uint(WEFT_WHOLE_GROUP);                               \
      } while (done < count);                                         \
      wait_for_all();                                                 \
      ++at;                                                           \
    } while (is_next(at, uint(number)));                              \
  }

void run(uint substep) {
  uint at = 0u;
  do {
#ifdef WEFT_RUN_AERO_FORCE
    WEFT_EACH(WEFT_RUN_AERO_FORCE, pass_aero_force(i, substep))
#endif
#ifdef WEFT_RUN_AERO_GATHER
    WEFT_EACH(WEFT_RUN_AERO_GATHER, pass_aero_gather(i))
#endif
#ifdef WEFT_RUN_DAMP_LINEAR
    WEFT_EACH(WEFT_RUN_DAMP_LINEAR, pass_damp_linear(i, s.level_first))
#endif
#ifdef WEFT_RUN_DAMP_SUM
    WEFT_EACH(WEFT_RUN_DAMP_SUM, pass_damp_sum(i, s.below_first, s.level_first))
#endif
#ifdef WEFT_RUN_DAMP_ANGULAR
    WEFT_EACH(WEFT_RUN_DAMP_ANGULAR, pass_damp_angular(i, s.level_first))
#endif
#ifdef WEFT_RUN_DAMP_RIGID
    WEFT_EACH(WEFT_RUN_DAMP_RIGID, pass_damp_rigid(i, s.tree_rows - 1u + k, 2u * s.tree_rows - 1u + k))
#endif
#ifdef WEFT_RUN_DAMP_VELOCITY
    WEFT_EACH(WEFT_RUN_DAMP_VELOCITY, pass_damp_velocity(i, 2u * s.tree_rows))
#endif
#ifdef WEFT_RUN_PREDICT
    WEFT_EACH(WEFT_RUN_PREDICT, pass_predict(i))
#endif
#ifdef WEFT_RUN_MOVE_PINS
    WEFT_EACH_UNLESS(WEFT_GATE_PINS, WEFT_RUN_MOVE_PINS, pass_move_pins(i, substep))
#endif
#ifdef WEFT_RUN_GRAB
    WEFT_EACH_UNLESS(WEFT_GATE_GRAB, WEFT_RUN_GRAB, pass_grab(i, substep))
#endif
#ifdef WEFT_RUN_LEVEL_GATHER
    WEFT_EACH(WEFT_RUN_LEVEL_GATHER, pass_level_gather(i))
#endif
#ifdef WEFT_RUN_LEVEL_RESTRICT
    WEFT_EACH(WEFT_RUN_LEVEL_RESTRICT, pass_level_restrict(i))
#endif
#ifdef WEFT_RUN_LEVEL_PROJECT
    WEFT_EACH(WEFT_RUN_LEVEL_PROJECT, level_project(level_edge_at(i)))
#endif
#ifdef WEFT_RUN_LEVEL_PROLONG
    WEFT_EACH(WEFT_RUN_LEVEL_PROLONG, pass_level_prolong(i))
#endif
#ifdef WEFT_RUN_LEVEL_SPREAD
    WEFT_EACH(WEFT_RUN_LEVEL_SPREAD, pass_level_spread(i))
#endif
#ifdef WEFT_RUN_PROJECT_DISTANCE
    WEFT_EACH(WEFT_RUN_PROJECT_DISTANCE, pass_project_distance(i, s.acts))
#endif
#ifdef WEFT_RUN_PROJECT_DISTANCE_LAMBDA
    WEFT_EACH(WEFT_RUN_PROJECT_DISTANCE_LAMBDA, pass_project_distance_lambda(i, s.acts, s.first_iteration))
#endif
#ifdef WEFT_RUN_PROJECT_ISOMETRIC
    WEFT_EACH(WEFT_RUN_PROJECT_ISOMETRIC, pass_project_isometric(i))
#endif
#ifdef WEFT_RUN_PROJECT_ISOMETRIC_LAMBDA
    WEFT_EACH(WEFT_RUN_PROJECT_ISOMETRIC_LAMBDA, pass_project_isometric_lambda(i, s.first_iteration))
#endif
#ifdef WEFT_RUN_PROJECT_DIHEDRAL
    WEFT_EACH(WEFT_RUN_PROJECT_DIHEDRAL, pass_project_dihedral(i, s.first_iteration, false))
#endif
#ifdef WEFT_RUN_PROJECT_DIHEDRAL_LAMBDA
    WEFT_EACH(WEFT_RUN_PROJECT_DIHEDRAL_LAMBDA, pass_project_dihedral(i, s.first_iteration, true))
#endif
#ifdef WEFT_RUN_TETHER
    WEFT_EACH(WEFT_RUN_TETHER, pass_tether(i))
#endif
#ifdef WEFT_RUN_COLLIDE
    WEFT_EACH(WEFT_RUN_COLLIDE, pass_collide(i, substep))
#endif
#ifdef WEFT_RUN_UPDATE_VELOCITY
    WEFT_EACH(WEFT_RUN_UPDATE_VELOCITY, pass_update_velocity(i))
#endif
  } while (at < u_run.steps);
}

void main() {
#ifdef WEFT_WHOLE_SHARED
  for (uint i = gl_LocalInvocationID.x; i < u.particle_count; i += uint(WEFT_WHOLE_GROUP)) {
    x[i] = x_outside[i];
  }
  wait_for_all();
#endif
  uint n = 0u;
  do {
    run(u_substep + n);
  } while (++n < u_run.substeps);
#ifdef WEFT_WHOLE_SHARED
  for (uint i = gl_LocalInvocationID.x; i < u.particle_count; i += uint(WEFT_WHOLE_GROUP)) {
    x_outside[i] = x[i];
  }
#endif
}
