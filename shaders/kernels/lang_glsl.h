// lang_glsl.h: the language of kernels and passes in GLSL; see docs/extending.md. Kernels are texts that GLSL, C (in
// floats and in doubles) and vectors of C compile: + - * on scalars, one operation a statement, each result `precise`;
// functions on vectors of three; K() around constants; SELECT, AND, OR, NOT and WHEN ... END for what depends on data.
#define KERNEL
#define KERNEL_STRUCT(name) struct name {
#define KERNEL_STRUCT_END(name) };
#define real float
#define real3 vec3
#define real4 vec4
#define mask bool
#define K(x) (x)
#define AS_BITS(x) floatBitsToUint(x)
#define AS_REAL(x) uintBitsToFloat(x)
#define SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#define LESS(a, b) SELECT((a) < (b), a, b)
#define MORE(a, b) SELECT((a) > (b), a, b)
#define AND(a, b) ((a) && (b))
#define OR(a, b) ((a) || (b))
#define NOT(a) (!(a))
#define WHEN(condition) if (condition) {
#define END }
#define NEVER false
#define ALWAYS true
#define UNUSED(x)
#define UNI(x) (x)
#define UNI3(v) (v).xyz
#define ABS(x) abs(x)
#define INT(x) int(x)
#define UINT(x) uint(x)
#define REAL(x) float(x)
#define XYZ(v) (v).xyz
#define V3(x, y, z) vec3(x, y, z)
#define V4(v, w) vec4(v, w)
#define PART4(v, k) (v)[k]

vec3 v3_add(vec3 a, vec3 b) {
  precise vec3 c = a + b;
  return c;
}
vec3 v3_sub(vec3 a, vec3 b) {
  precise vec3 c = a - b;
  return c;
}
vec3 v3_scale(vec3 a, float s) {
  precise vec3 c = a * s;
  return c;
}
vec3 v3_neg(vec3 a) {
  precise vec3 c = -a;
  return c;
}
vec3 v3_select(bool condition, vec3 yes, vec3 no) { return condition ? yes : no; }

// What is smaller than a power of two becomes +0. On bits: GLSL does not say which of the two zeros an operation on
// floats gives.
float exact_unless_below(float x, uint least) {
  uint bits = floatBitsToUint(x);
  return uintBitsToFloat((bits & 0x7fffffffu) < least ? 0u : bits);
}
float exact_snap(float x) { return exact_unless_below(x, WEFT_SNAP_BITS); }
float exact_flush(float x) { return exact_unless_below(x, WEFT_FLUSH_BITS); }
float exact_trim(float x) { return exact_unless_below(x, WEFT_TRIM_BITS); }

// The floats next to pi and 2 pi.
#define EXACT_PI 3.14159274101257324219
#define EXACT_TWO_PI 6.28318548202514648438
// 2^12 + 1: half of the bits of a float (kernels/pair.h).
#define EXACT_SPLIT 4097.0

// ---- passes: loads and stores around kernels. The accessors of buffers are made by the host, by their ids in buffers.def: ID(i) reads an element ----
// Functions of passes that touch buffers take these as BUFFERS m, which is nothing here: buffers are everywhere.
#define BUFFERS uint
const uint m = 0u;
#define U u
#define AT(buffer, i) buffer(i)
#define SET(buffer, i, value) buffer[i] = (value)
#define ATOMIC_ADD(buffer, i, value) atomicAdd(buffer[i], value)
#define ATOMIC_MIN(buffer, i, value) atomicMin(buffer[i], value)
#define ATOMIC_OR(buffer, i, value) atomicOr(buffer[i], value)
#define ATOMIC_SWAP(buffer, i, value) atomicExchange(buffer[i], value)
#define PASS(name) void name(weft_pass pass, uint substep, uint i)
#define GROUP_PASS(name) PASS(name)
#define CALL(name, i) name(pass, substep, i)
// Permutations of one text: what a constraint is, whether multipliers are kept (KEEPS), whether positions and
// velocities are pairs (PAIRS, see kernels/pair.h), whether corrections go to slots.
#define PROJECT_PASS(name) void name(weft_pass pass, uint substep, uint i, uint type, bool keeps, bool jacobi)
#define SWEEP_PASS(name) void name(weft_pass pass, uint i, uint type, bool keeps, uint acts)
#define SWEEP(name, i, type, keeps, acts) name(pass, i, type, keeps, acts)
#define CONSTRAINT_AT(type, i) constraint_at(type, i)
#define MULTIPLIER_AT(type, i) multiplier_at(type, i)
#define SET_MULTIPLIER(type, i, value) set_multiplier(type, i, value)
#define TERMS_AT(type, i) terms_at(type, i)
#define PROJECT_CONSTRAINT(type, p, data, keeps, past, acts) project_constraint(type, p, data, keeps, past, acts)
// A work group of WEFT_TEAMS teams, which is 1 but in a single dispatch: what a team's invocations share (TEAM_ROOM: of an
// array of so many), elements first, first + step, ... below `end` among them, and waiting, which all teams do together.
#define GROUP_ARRAY(type, name, length) shared type name[WEFT_TEAMS * TEAM_ROOM(length)];
#define TEAM_MEMBERS uint(WEFT_PASS_GROUP / WEFT_TEAMS)
#define TEAM (WEFT_TEAMS == 1 ? 0u : gl_LocalInvocationID.x / TEAM_MEMBERS)
#define TEAM_MEMBER (WEFT_TEAMS == 1 ? gl_LocalInvocationID.x : gl_LocalInvocationID.x % TEAM_MEMBERS)
#define OF_TEAM(name, length, k) name[TEAM * uint(TEAM_ROOM(length)) + (k)]
#define EACH(k, first, step, end) for (uint k = (first) + (step) * TEAM_MEMBER; k < (end); k += (step) * TEAM_MEMBERS)
// barrier() alone is for the order of invocations: of GLSL 4.30 it is not clear that it orders shared memory.
#define WAIT_FOR_GROUP \
  memoryBarrierShared(); \
  barrier();
#define WAIT_FOR_BUFFERS \
  memoryBarrierBuffer(); \
  barrier();

#define MIN(a, b) min(a, b)
#define U4(x, y, z, w) uvec4(x, y, z, w)
#define PART4U(v, k) (v)[k]
#define PART3U(v, k) (v)[k]
vec3 of_delta(weft_delta d) { return vec3(d.x, d.y, d.z); }
weft_delta delta_of(vec3 d) { return weft_delta(d.x, d.y, d.z); }
