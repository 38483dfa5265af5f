// rows.glsl: how passes read their rows; pass.glsl includes it.
//
// A driver that runs shaders on the processor takes a load from a storage block apart into words and
// lanes, each with a test of its bounds: some 30 ns a row. A texel comes in one piece, in 1 ns. Where
// WEFT_TEXELS is set, buffer textures lie over the same buffers, and rows are read from those. Words travel
// as integers, which nobody rounds or flushes.
//
// A texel need not show what the same dispatch wrote: only passes whose invocations read no row that
// another one writes may do this, and say so by WEFT_ROWS_AT_REST. One that does read what it wrote says
// WEFT_TABLES_AT_REST, and has texels for the tables that no pass writes. All others read the blocks.
#if defined(WEFT_TEXELS) && (defined(WEFT_ROWS_AT_REST) || defined(WEFT_TABLES_AT_REST))
#ifndef WEFT_TEXEL_UNITS
#define WEFT_TEXEL_UNITS 8
#endif
layout(binding = 0) uniform usamplerBuffer u_texels[WEFT_TEXEL_UNITS];
#define weft_texel(unit, i) texelFetch(u_texels[unit], int(i))
#define weft_texel_float(unit, i) uintBitsToFloat(weft_texel(unit, i))
#endif

// ---- rows that passes write ----

#if defined(WEFT_TEXELS) && defined(WEFT_ROWS_AT_REST)
#define x_at(i) weft_texel_float(WEFT_SLOT_X, i)
#define x_prev_at(i) weft_texel_float(WEFT_SLOT_X_PREV, i)
#define v_at(i) weft_texel_float(WEFT_SLOT_V, i)
#define level_x_at(i) weft_texel_float(WEFT_SLOT_LEVEL_X, i)
#define level_base_at(i) weft_texel_float(WEFT_SLOT_LEVEL_BASE, i)
#define force_at(i) weft_texel_float(WEFT_SLOT_FORCES, i)
#define motion_a_at(i) weft_texel_float(WEFT_SLOT_MOTION, 3u * (i))
#define motion_b_at(i) weft_texel_float(WEFT_SLOT_MOTION, 3u * (i) + 1u)
#define motion_c_at(i) weft_texel_float(WEFT_SLOT_MOTION, 3u * (i) + 2u)
#define delta_at(slot) weft_texel_float(WEFT_SLOT_DELTA, slot).xyz
#define lambda_at(i) weft_texel_float(WEFT_SLOT_LAMBDA, i).x
#define lambda3_at(i) weft_texel_float(WEFT_SLOT_LAMBDA, i).xyz
#define contact_found_at(i) weft_texel(WEFT_SLOT_CONTACT_FOUND, i).x
#define contact_load_at(i) weft_texel(WEFT_SLOT_CONTACT_LOAD, i).x
#define contact_delta_at(i) weft_texel_float(WEFT_SLOT_CONTACT_DELTA, i).xyz
#define grid_at(i) weft_texel(WEFT_SLOT_GRID, i).x
#define grid_loose_at(i) weft_texel(WEFT_SLOT_GRID_LOOSE, i).x
#define grid_item_at(i) weft_texel(WEFT_SLOT_GRID_ITEMS, i).x

weft_neighbour weft_neighbour_of(uvec4 row) {
  vec3 slide = uintBitsToFloat(row.xyz);
  return weft_neighbour(slide.x, slide.y, slide.z, row.w);
}
#define contact_row_at(i) weft_neighbour_of(weft_texel(WEFT_SLOT_CONTACTS, i))
#define contact_kept_at(i) weft_neighbour_of(weft_texel(WEFT_SLOT_CONTACTS_KEPT, i))
#else
#define x_at(i) x[i]
#define x_prev_at(i) x_prev[i]
#define v_at(i) v[i]
#define level_x_at(i) level_x[i]
#define level_base_at(i) level_base[i]
#define force_at(i) forces[i]
#define motion_a_at(i) motion[i].a
#define motion_b_at(i) motion[i].b
#define motion_c_at(i) motion[i].c
#define delta_at(slot) vec3(delta[3u * (slot)], delta[3u * (slot) + 1u], delta[3u * (slot) + 2u])
#define lambda_at(i) lambda[i]
#define lambda3_at(i) lambda[i].xyz
#define contact_found_at(i) contact_found[i]
#define contact_load_at(i) contact_load[i]
#define contact_delta_at(i) \
  vec3(contact_delta[3u * (i)], contact_delta[3u * (i) + 1u], contact_delta[3u * (i) + 2u])
#define grid_at(i) grid[i]
#define grid_loose_at(i) grid_loose[i]
#define grid_item_at(i) grid_items[i]
#define contact_row_at(i) contacts[i]
#define contact_kept_at(i) contacts_kept[i]
#endif

// ---- tables that no pass writes ----

// Units are numbered like the slots of a pass; where there are all tables at once the host numbers them.
#ifndef WEFT_TABLES_AT_REST
#define WEFT_UNIT_DISTANCES WEFT_SLOT_CONSTRAINTS
#define WEFT_UNIT_DISTANCE_XPBD WEFT_SLOT_XPBD
#define WEFT_UNIT_ISOMETRICS WEFT_SLOT_CONSTRAINTS
#define WEFT_UNIT_ISOMETRIC_XPBD WEFT_SLOT_XPBD
#define WEFT_UNIT_DIHEDRALS WEFT_SLOT_CONSTRAINTS
#define WEFT_UNIT_TRIANGLES WEFT_SLOT_TRIANGLES
#define WEFT_UNIT_CORNER_OFFSETS WEFT_SLOT_CORNER_OFFSETS
#define WEFT_UNIT_CORNER_ITEMS WEFT_SLOT_CORNER_ITEMS
#define WEFT_UNIT_LEVEL_EDGES WEFT_SLOT_LEVEL_EDGES
#define WEFT_UNIT_LEVEL_OFFSETS WEFT_SLOT_LEVEL_OFFSETS
#define WEFT_UNIT_LEVEL_CHILDREN WEFT_SLOT_LEVEL_CHILDREN
#define WEFT_UNIT_LEVEL_PARENTS WEFT_SLOT_LEVEL_PARENTS
#define WEFT_UNIT_LEVEL_NODE_PARENTS WEFT_SLOT_LEVEL_PARENTS
#define WEFT_UNIT_TETHERS WEFT_SLOT_TETHERS
#define WEFT_UNIT_COLLIDERS WEFT_SLOT_COLLIDERS
#define WEFT_UNIT_SUBSTEPS WEFT_SLOT_SUBSTEPS
#define WEFT_UNIT_PINS WEFT_SLOT_PINS
#define WEFT_UNIT_GRAB WEFT_SLOT_GRAB
#endif

#if defined(WEFT_TEXELS) && (defined(WEFT_ROWS_AT_REST) || defined(WEFT_TABLES_AT_REST))
#define gather_offset_at(i) weft_texel(WEFT_SLOT_GATHER_OFFSETS, i).x
#define gather_slot_at(i) weft_texel(WEFT_SLOT_GATHER_SLOTS, i).x
#define triangle_at(i) weft_texel(WEFT_UNIT_TRIANGLES, i).xyz
#define corner_offset_at(i) weft_texel(WEFT_UNIT_CORNER_OFFSETS, i).x
#define corner_item_at(i) weft_texel(WEFT_UNIT_CORNER_ITEMS, i).x
#define level_offset_at(i) weft_texel(WEFT_UNIT_LEVEL_OFFSETS, i).x

weft_distance weft_distance_of(uvec4 row) {
  return weft_distance(row.x, row.y, uintBitsToFloat(row.z), uintBitsToFloat(row.w));
}
#define distance_at(i) weft_distance_of(weft_texel(WEFT_UNIT_DISTANCES, i))
#define level_edge_at(i) weft_distance_of(weft_texel(WEFT_UNIT_LEVEL_EDGES, i))

#define isometric_at(i)                                   \
  weft_isometric(weft_texel(WEFT_UNIT_ISOMETRICS, 2u * (i)), \
                 weft_texel_float(WEFT_UNIT_ISOMETRICS, 2u * (i) + 1u))

weft_dihedral weft_dihedral_of(uvec4 particles, vec4 rest) {
  return weft_dihedral(particles, rest.x, rest.y, rest.z, rest.w);
}
#define dihedral_at(i)                                       \
  weft_dihedral_of(weft_texel(WEFT_UNIT_DIHEDRALS, 2u * (i)), \
                   weft_texel_float(WEFT_UNIT_DIHEDRALS, 2u * (i) + 1u))

#define patch_word_at(i) weft_texel(WEFT_SLOT_PATCH_WORDS, i).x
#define patch_weights_at(i) weft_texel_float(WEFT_SLOT_PATCH_WEIGHTS, i)
weft_patch_distance weft_patch_distance_of(uvec4 row) {
  return weft_patch_distance(row.x, uintBitsToFloat(row.y), uintBitsToFloat(row.z));
}
weft_patch_quad weft_patch_quad_of(uvec4 row) { return weft_patch_quad(row.x, row.y); }
#define patch_distance_at(i) weft_patch_distance_of(weft_texel(WEFT_SLOT_PATCH_DISTANCE, i))
#define patch_quad_at(i) weft_patch_quad_of(weft_texel(WEFT_SLOT_PATCH_QUAD, i))

weft_xpbd weft_xpbd_of(vec4 row) { return weft_xpbd(row.x, row.y); }
#define xpbd_at(i) weft_xpbd_of(weft_texel_float(WEFT_SLOT_XPBD, i))
#define distance_xpbd_at(i) weft_xpbd_of(weft_texel_float(WEFT_UNIT_DISTANCE_XPBD, i))
#define isometric_xpbd_at(i) weft_xpbd_of(weft_texel_float(WEFT_UNIT_ISOMETRIC_XPBD, i))

#define tether_at(i) \
  weft_tether(weft_texel(WEFT_UNIT_TETHERS, 2u * (i)), weft_texel_float(WEFT_UNIT_TETHERS, 2u * (i) + 1u))

weft_level_child weft_level_child_of(uvec4 row) { return weft_level_child(row.x, uintBitsToFloat(row.y)); }
#define level_child_at(i) weft_level_child_of(weft_texel(WEFT_UNIT_LEVEL_CHILDREN, i))
#define weft_parents_of(unit, i) \
  weft_level_parents(weft_texel(unit, 2u * (i)), weft_texel_float(unit, 2u * (i) + 1u))
#define level_parents_at(i) weft_parents_of(WEFT_UNIT_LEVEL_NODE_PARENTS, i)
#define particle_parents_at(i) weft_parents_of(WEFT_UNIT_LEVEL_PARENTS, i)

#define weft_pose_part(i, part) weft_texel_float(WEFT_UNIT_COLLIDERS, 11u * (i) + part)
#define collider_at(i)                                                                            \
  weft_collider_pose(weft_pose_part(i, 0u), weft_pose_part(i, 1u), weft_pose_part(i, 2u),         \
                     weft_pose_part(i, 3u), weft_pose_part(i, 4u), weft_pose_part(i, 5u),         \
                     weft_pose_part(i, 6u), weft_pose_part(i, 7u), weft_pose_part(i, 8u),         \
                     weft_pose_part(i, 9u), weft_texel(WEFT_UNIT_COLLIDERS, 11u * (i) + 10u).x, 0u, \
                     0u, 0u)

#define substep_at(i) weft_substep(weft_texel_float(WEFT_UNIT_SUBSTEPS, i))
#define pin_at(i)                                                                                \
  weft_pin_path(weft_texel_float(WEFT_UNIT_PINS, 3u * (i)), weft_texel_float(WEFT_UNIT_PINS, 3u * (i) + 1u), \
                weft_texel(WEFT_UNIT_PINS, 3u * (i) + 2u).x, 0u, 0u, 0u)

weft_grab weft_grab_of(vec4 from, vec4 to, uvec4 rest) {
  vec3 pull = uintBitsToFloat(rest.xyz);
  return weft_grab(from, to, pull.x, pull.y, pull.z, rest.w);
}
#define grab_at(i)                                             \
  weft_grab_of(weft_texel_float(WEFT_UNIT_GRAB, 3u * (i)),     \
               weft_texel_float(WEFT_UNIT_GRAB, 3u * (i) + 1u), \
               weft_texel(WEFT_UNIT_GRAB, 3u * (i) + 2u))
#else
#define gather_offset_at(i) gather_offsets[i]
#define gather_slot_at(i) gather_slots[i]
#define triangle_at(i) uvec3(triangles[3u * (i)], triangles[3u * (i) + 1u], triangles[3u * (i) + 2u])
#define corner_offset_at(i) corner_offsets[i]
#define corner_item_at(i) corner_items[i]
#define level_offset_at(i) offsets[i]
#define distance_at(i) distances[i]
#define level_edge_at(i) edges[i]
#define isometric_at(i) isometrics[i]
#define dihedral_at(i) dihedrals[i]
#define patch_word_at(i) words[i]
#define patch_distance_at(i) distances[i]
#define patch_quad_at(i) quads[i]
#define patch_weights_at(i) weights[i]
#define xpbd_at(i) xpbd[i]
#define distance_xpbd_at(i) distance_xpbd[i]
#define isometric_xpbd_at(i) isometric_xpbd[i]
#define tether_at(i) tethers[i]
#define level_child_at(i) children[i]
#define level_parents_at(i) parents[i]
#define particle_parents_at(i) particle_parents[i]
#define collider_at(i) colliders[i]
#define substep_at(i) substeps[i]
#define pin_at(i) pins[i]
#define grab_at(i) grab[i]
#endif
