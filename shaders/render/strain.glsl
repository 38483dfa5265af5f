// Strain of edges and links, 0 or more, and the lists of those at each particle. A rope that hangs loose and a
// strut that has lifted off are not strained.
layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_OFFSETS) readonly buffer offsets_block { uint offsets[]; };
layout(std430, binding = WEFT_RENDER_SLOT_ITEMS) readonly buffer items_block { uint items[]; };
layout(std430, binding = WEFT_RENDER_SLOT_LENGTHS) readonly buffer distance_block {
  weft_pair_element distances[];
};

float strain_of(uint item) {
  weft_pair_element c = distances[item & WEFT_ITEM_INDEX];
  float strain = length(x[c.a].xyz - x[c.b].xyz) / c.rest - 1.0;
  uint sense = item >> WEFT_ITEM_SHIFT;
#ifdef COMPRESSION
  return sense == WEFT_ACTS_STRETCHED ? 0.0 : max(-strain, 0.0);
#else
  return sense == WEFT_ACTS_COMPRESSED ? 0.0 : max(strain, 0.0);
#endif
}
