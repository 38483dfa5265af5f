// exact.glsl: arithmetic whose bits every driver must agree on.
//
// Twin of src/solver/exact.h, statement for statement. Only + - *, comparison, bit casts and
// selects; every value passes through a `precise` variable, so that nothing is fused or reordered.

// 1/x for normal positive x: integer seed, three Newton steps, the last in residual form
// (at most 1.2 ulp).
float exact_rcp(float x) {
  precise float y = uintBitsToFloat(0x7EF311C7u - floatBitsToUint(x));
  precise float t = x * y;
  t = 2.0 - t;
  y = y * t;
  t = x * y;
  t = 2.0 - t;
  y = y * t;
  t = x * y;
  t = 1.0 - t;
  t = y * t;
  y = y + t;
  return y;
}

// 1/sqrt(x) for normal positive x, built the same way.
float exact_rsqrt(float x) {
  precise float h = 0.5 * x;
  precise float y = uintBitsToFloat(0x5F375A86u - (floatBitsToUint(x) >> 1));
  precise float t = h * y;
  t = t * y;
  t = 1.5 - t;
  y = y * t;
  t = h * y;
  t = t * y;
  t = 1.5 - t;
  y = y * t;
  t = h * y;
  t = t * y;
  t = 0.5 - t;
  t = y * t;
  y = y + t;
  return y;
}

// Three sizes below which a value becomes 0, so that subnormals cannot arise from it: state
// (WEFT_SNAP), lengths, positions on their way (WEFT_FLUSH), multipliers (WEFT_TRIM).
// On bits: GLSL does not say which of the two zeros an operation on floats gives, and this is +0.
float exact_unless_below(float x, uint least) {
  uint bits = floatBitsToUint(x);
  return uintBitsToFloat((bits & 0x7fffffffu) < least ? 0u : bits);
}
float exact_snap(float x) { return exact_unless_below(x, WEFT_SNAP_BITS); }
float exact_flush(float x) { return exact_unless_below(x, WEFT_FLUSH_BITS); }
float exact_trim(float x) { return exact_unless_below(x, WEFT_TRIM_BITS); }

vec3 exact_snap3(vec3 v) { return vec3(exact_snap(v.x), exact_snap(v.y), exact_snap(v.z)); }
vec3 exact_flush3(vec3 v) { return vec3(exact_flush(v.x), exact_flush(v.y), exact_flush(v.z)); }
vec3 exact_trim3(vec3 v) { return vec3(exact_trim(v.x), exact_trim(v.y), exact_trim(v.z)); }

float exact_dot(vec3 a, vec3 b) {
  precise float xx = a.x * b.x;
  precise float yy = a.y * b.y;
  precise float zz = a.z * b.z;
  precise float s = xx + yy;
  s = s + zz;
  return s;
}

vec3 exact_cross(vec3 a, vec3 b) {
  precise vec3 l = vec3(a.y * b.z, a.z * b.x, a.x * b.y);
  precise vec3 r = vec3(a.z * b.y, a.x * b.z, a.y * b.x);
  precise vec3 c = l - r;
  return c;
}

// Angle of (x, y) in (-pi, pi], within 3e-7: the polynomial of Cephes' atanf (Moshier) after one
// reduction to [0, tan(pi/8)]. At least one of x and y must not be 0.
float exact_atan2(float y, float x) {
  precise float ax = abs(x);
  precise float ay = abs(y);
  bool steep = ay > ax;
  precise float high = steep ? ay : ax;
  precise float low = steep ? ax : ay;
  precise float cut = high * 0.414213567972183227539;
  bool wide = low > cut;
  precise float sum = low + high;
  precise float difference = low - high;
  precise float numerator = wide ? difference : low;
  precise float denominator = wide ? sum : high;
  precise float inverse = exact_rcp(denominator);
  precise float t = numerator * inverse;
  t = exact_flush(t);
  precise float z = t * t;
  precise float p = 0.0805374458432197570801 * z;
  p = p - 0.138776853680610656738;
  p = p * z;
  p = p + 0.199777111411094665527;
  p = p * z;
  p = p - 0.333329498767852783203;
  p = p * z;
  p = p * t;
  p = p + t;
  precise float shifted = p + 0.785398185253143310547;
  precise float angle = wide ? shifted : p;
  precise float complement = 1.57079637050628662109 - angle;
  angle = steep ? complement : angle;
  precise float supplement = 3.14159274101257324219 - angle;
  angle = x < 0.0 ? supplement : angle;
  precise float negative = -angle;
  angle = y < 0.0 ? negative : angle;
  return angle;
}
