// Strain of edges and links, and the lists of those at each particle. A rope that hangs loose and a
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
  if (sense == WEFT_ACTS_STRETCHED) return max(strain, 0.0);
  if (sense == WEFT_ACTS_COMPRESSED) return min(strain, 0.0);
  return strain;
}
