// delta.glsl: where the Jacobi permutations put a particle's correction.
layout(std430, binding = WEFT_SLOT_DELTA) restrict writeonly buffer Delta { float delta[]; };

void put_delta(uint slot, vec3 d) {
  delta[3u * slot] = exact_flush(d.x);
  delta[3u * slot + 1u] = exact_flush(d.y);
  delta[3u * slot + 2u] = exact_flush(d.z);
}
