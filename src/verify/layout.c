/* layout.c: what C believes of structs and slots against what the driver reports of every
 * compiled solver program. A struct edited on one side only, or a block bound to the wrong slot, is
 * named here before it moves a particle. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gl.h"
#include "verify.h"

/* ---- what C believes ---- */

typedef struct member {
  const char *name;
  uint32_t offset;
  GLenum type;
} member;

#define MEMBER(structure, field, type) \
  { #field, (uint32_t)offsetof(structure, field), type }

static const member distance_members[] = {
    MEMBER(weft_distance, a, GL_UNSIGNED_INT),
    MEMBER(weft_distance, b, GL_UNSIGNED_INT),
    MEMBER(weft_distance, rest_length, GL_FLOAT),
    MEMBER(weft_distance, inv_denominator, GL_FLOAT),
    {NULL, 0, 0},
};
static const member xpbd_members[] = {
    MEMBER(weft_xpbd, compliance, GL_FLOAT),
    MEMBER(weft_xpbd, gamma, GL_FLOAT),
    {NULL, 0, 0},
};
static const member isometric_members[] = {
    MEMBER(weft_isometric, particles, GL_UNSIGNED_INT_VEC4),
    MEMBER(weft_isometric, weights, GL_FLOAT_VEC4),
    {NULL, 0, 0},
};
static const member dihedral_members[] = {
    MEMBER(weft_dihedral, particles, GL_UNSIGNED_INT_VEC4),
    MEMBER(weft_dihedral, rest_angle, GL_FLOAT),
    MEMBER(weft_dihedral, compliance, GL_FLOAT),
    MEMBER(weft_dihedral, gamma, GL_FLOAT),
    MEMBER(weft_dihedral, relaxation, GL_FLOAT),
    {NULL, 0, 0},
};
static const member substep_members[] = {
    MEMBER(weft_substep, wind, GL_FLOAT_VEC4),
    {NULL, 0, 0},
};
static const member pose_members[] = {
    MEMBER(weft_collider_pose, a, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, b, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, move_a, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, move_b, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, axis_x, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, axis_y, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, axis_z, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, turn_x, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, turn_y, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, turn_z, GL_FLOAT_VEC4),
    MEMBER(weft_collider_pose, shape, GL_UNSIGNED_INT),
    MEMBER(weft_collider_pose, unused_1, GL_UNSIGNED_INT),
    MEMBER(weft_collider_pose, unused_2, GL_UNSIGNED_INT),
    MEMBER(weft_collider_pose, unused_3, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member patch_distance_members[] = {
    MEMBER(weft_patch_distance, ab, GL_UNSIGNED_INT),
    MEMBER(weft_patch_distance, rest_length, GL_FLOAT),
    MEMBER(weft_patch_distance, inv_denominator, GL_FLOAT),
    {NULL, 0, 0},
};
static const member patch_quad_members[] = {
    MEMBER(weft_patch_quad, p01, GL_UNSIGNED_INT),
    MEMBER(weft_patch_quad, p23, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member pin_members[] = {
    MEMBER(weft_pin_path, from, GL_FLOAT_VEC4),
    MEMBER(weft_pin_path, to, GL_FLOAT_VEC4),
    MEMBER(weft_pin_path, particle, GL_UNSIGNED_INT),
    MEMBER(weft_pin_path, unused_1, GL_UNSIGNED_INT),
    MEMBER(weft_pin_path, unused_2, GL_UNSIGNED_INT),
    MEMBER(weft_pin_path, unused_3, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member motion_members[] = {
    MEMBER(weft_motion, a, GL_FLOAT_VEC4),
    MEMBER(weft_motion, b, GL_FLOAT_VEC4),
    MEMBER(weft_motion, c, GL_FLOAT_VEC4),
    {NULL, 0, 0},
};
static const member child_members[] = {
    MEMBER(weft_level_child, node, GL_UNSIGNED_INT),
    MEMBER(weft_level_child, share, GL_FLOAT),
    {NULL, 0, 0},
};
static const member parents_members[] = {
    MEMBER(weft_level_parents, nodes, GL_UNSIGNED_INT_VEC4),
    MEMBER(weft_level_parents, weights, GL_FLOAT_VEC4),
    {NULL, 0, 0},
};
static const member step_members[] = {
    MEMBER(weft_level_step, kind, GL_UNSIGNED_INT),
    MEMBER(weft_level_step, first, GL_UNSIGNED_INT),
    MEMBER(weft_level_step, count, GL_UNSIGNED_INT),
    MEMBER(weft_level_step, level, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member line_edge_members[] = {
    MEMBER(weft_line_edge, a, GL_UNSIGNED_INT),
    MEMBER(weft_line_edge, b, GL_UNSIGNED_INT),
    MEMBER(weft_line_edge, rest_length, GL_FLOAT),
    MEMBER(weft_line_edge, compliance, GL_FLOAT),
    {NULL, 0, 0},
};
static const member line_bundle_members[] = {
    MEMBER(weft_line_bundle, first, GL_UNSIGNED_INT),
    MEMBER(weft_line_bundle, count, GL_UNSIGNED_INT),
    MEMBER(weft_line_bundle, steps, GL_UNSIGNED_INT),
    MEMBER(weft_line_bundle, colour, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member tether_members[] = {
    MEMBER(weft_tether, anchors, GL_UNSIGNED_INT_VEC4),
    MEMBER(weft_tether, lengths, GL_FLOAT_VEC4),
    {NULL, 0, 0},
};
static const member grab_members[] = {
    MEMBER(weft_grab, from, GL_FLOAT_VEC4),
    MEMBER(weft_grab, to, GL_FLOAT_VEC4),
    MEMBER(weft_grab, pull, GL_FLOAT),
    MEMBER(weft_grab, brake, GL_FLOAT),
    MEMBER(weft_grab, most, GL_FLOAT),
    MEMBER(weft_grab, particle, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member pick_ray_members[] = {
    MEMBER(weft_pick_ray, origin, GL_FLOAT_VEC4),
    MEMBER(weft_pick_ray, direction, GL_FLOAT_VEC4),
    {NULL, 0, 0},
};
static const member pick_members[] = {
    MEMBER(weft_pick, along, GL_FLOAT),
    MEMBER(weft_pick, offset2, GL_FLOAT),
    MEMBER(weft_pick, particle, GL_UNSIGNED_INT),
    MEMBER(weft_pick, unused_1, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member uniform_members[] = {
    MEMBER(weft_uniforms, gravity_step, GL_FLOAT_VEC4),
    MEMBER(weft_uniforms, dt, GL_FLOAT),
    MEMBER(weft_uniforms, inv_dt, GL_FLOAT),
    MEMBER(weft_uniforms, keep, GL_FLOAT),
    MEMBER(weft_uniforms, drag, GL_FLOAT),
    MEMBER(weft_uniforms, skin, GL_FLOAT),
    MEMBER(weft_uniforms, third, GL_FLOAT),
    MEMBER(weft_uniforms, collider_count, GL_UNSIGNED_INT),
    MEMBER(weft_uniforms, particle_count, GL_UNSIGNED_INT),
    MEMBER(weft_uniforms, inv_total_mass, GL_FLOAT),
    MEMBER(weft_uniforms, global_damping, GL_FLOAT),
    MEMBER(weft_uniforms, inverse_cell, GL_FLOAT),
    MEMBER(weft_uniforms, contact_reach2, GL_FLOAT),
    MEMBER(weft_uniforms, contact_distance, GL_FLOAT),
    MEMBER(weft_uniforms, contact_relaxation, GL_FLOAT),
    MEMBER(weft_uniforms, contact_static, GL_FLOAT),
    MEMBER(weft_uniforms, contact_dynamic, GL_FLOAT),
    MEMBER(weft_uniforms, grid_mask, GL_UNSIGNED_INT),
    MEMBER(weft_uniforms, line_scale, GL_FLOAT),
    MEMBER(weft_uniforms, unused_2, GL_UNSIGNED_INT),
    MEMBER(weft_uniforms, unused_3, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member contact_members[] = {
    MEMBER(weft_neighbour, slide_x, GL_FLOAT),
    MEMBER(weft_neighbour, slide_y, GL_FLOAT),
    MEMBER(weft_neighbour, slide_z, GL_FLOAT),
    MEMBER(weft_neighbour, other, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
/* Blocks of plain values: one member without a name. */
static const member vec4_members[] = {{"", 0, GL_FLOAT_VEC4}, {NULL, 0, 0}};
static const member float_members[] = {{"", 0, GL_FLOAT}, {NULL, 0, 0}};
static const member uint_members[] = {{"", 0, GL_UNSIGNED_INT}, {NULL, 0, 0}};

/* The block each buffer is in the shaders, and the size of an element there. */
static const struct {
  const char *block;
  uint32_t stride;
  const member *members;
} expected[WEFT_BUFFER_COUNT] = {
    [WEFT_BUFFER_UNIFORMS] = {"Uniforms", sizeof(weft_uniforms), uniform_members},
    [WEFT_BUFFER_X] = {"Positions", sizeof(vec4), vec4_members},
    [WEFT_BUFFER_X_PREV] = {"Previous", sizeof(vec4), vec4_members},
    [WEFT_BUFFER_V] = {"Velocities", sizeof(vec4), vec4_members},
    [WEFT_BUFFER_DISTANCE] = {"Constraints", sizeof(weft_distance), distance_members},
    [WEFT_BUFFER_DISTANCE_XPBD] = {"Xpbd", sizeof(weft_xpbd), xpbd_members},
    [WEFT_BUFFER_DISTANCE_LAMBDA] = {"Lambda", sizeof(float), float_members},
    [WEFT_BUFFER_ISOMETRIC] = {"Constraints", sizeof(weft_isometric), isometric_members},
    [WEFT_BUFFER_ISOMETRIC_XPBD] = {"Xpbd", sizeof(weft_xpbd), xpbd_members},
    [WEFT_BUFFER_ISOMETRIC_LAMBDA] = {"Lambda", sizeof(vec4), vec4_members},
    [WEFT_BUFFER_DIHEDRAL] = {"Constraints", sizeof(weft_dihedral), dihedral_members},
    [WEFT_BUFFER_DIHEDRAL_LAMBDA] = {"Lambda", sizeof(float), float_members},
    [WEFT_BUFFER_DELTA] = {"Delta", sizeof(float), float_members},
    [WEFT_BUFFER_GATHER_OFFSETS] = {"GatherOffsets", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_GATHER_SLOTS] = {"GatherSlots", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_TRIANGLES] = {"Triangles", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_FORCES] = {"Forces", sizeof(vec4), vec4_members},
    [WEFT_BUFFER_CORNER_OFFSETS] = {"CornerOffsets", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_CORNER_ITEMS] = {"CornerItems", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_SUBSTEPS] = {"Substeps", sizeof(weft_substep), substep_members},
    [WEFT_BUFFER_COLLIDERS] = {"Colliders", sizeof(weft_collider_pose), pose_members},
    [WEFT_BUFFER_PINS] = {"Pins", sizeof(weft_pin_path), pin_members},
    [WEFT_BUFFER_MOTION] = {"Motion", sizeof(weft_motion), motion_members},
    [WEFT_BUFFER_TETHERS] = {"Tethers", sizeof(weft_tether), tether_members},
    [WEFT_BUFFER_LEVEL_X] = {"LevelX", sizeof(vec4), vec4_members},
    [WEFT_BUFFER_LEVEL_BASE] = {"LevelBase", sizeof(vec4), vec4_members},
    [WEFT_BUFFER_LEVEL_EDGES] = {"LevelEdges", sizeof(weft_distance), distance_members},
    [WEFT_BUFFER_LEVEL_OFFSETS] = {"LevelOffsets", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_LEVEL_CHILDREN] = {"LevelChildren", sizeof(weft_level_child), child_members},
    [WEFT_BUFFER_LEVEL_PARENTS] = {"LevelParents", sizeof(weft_level_parents), parents_members},
    [WEFT_BUFFER_LEVEL_NODE_PARENTS] = {"LevelParents", sizeof(weft_level_parents),
                                        parents_members},
    [WEFT_BUFFER_LINE_EDGES] = {"LineEdges", sizeof(weft_line_edge), line_edge_members},
    [WEFT_BUFFER_LINE_BUNDLES] = {"LineBundles", sizeof(weft_line_bundle), line_bundle_members},
    [WEFT_BUFFER_LINE_LAMBDA] = {"LineLambda", sizeof(float), float_members},
    [WEFT_BUFFER_LEVEL_STEPS] = {"LevelSteps", sizeof(weft_level_step), step_members},
    [WEFT_BUFFER_GRID] = {"Grid", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_GRID_LOOSE] = {"GridLoose", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_GRID_ITEMS] = {"GridItems", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_CONTACTS] = {"Contacts", sizeof(weft_neighbour), contact_members},
    [WEFT_BUFFER_CONTACTS_KEPT] = {"ContactsKept", sizeof(weft_neighbour), contact_members},
    [WEFT_BUFFER_CONTACT_FOUND] = {"ContactFound", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_CONTACT_LOAD] = {"ContactLoad", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_CONTACT_DELTA] = {"ContactDelta", sizeof(float), float_members},
    [WEFT_BUFFER_GRAB] = {"Grab", sizeof(weft_grab), grab_members},
    [WEFT_BUFFER_PICK_RAY] = {"PickRay", sizeof(weft_pick_ray), pick_ray_members},
    [WEFT_BUFFER_PICK] = {"Pick", sizeof(weft_pick), pick_members},
    [WEFT_BUFFER_PATCH_WORDS] = {"PatchWords", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_PATCH_DISTANCE] = {"PatchDistances", sizeof(weft_patch_distance),
                                    patch_distance_members},
    [WEFT_BUFFER_PATCH_QUAD] = {"PatchQuads", sizeof(weft_patch_quad), patch_quad_members},
    [WEFT_BUFFER_PATCH_WEIGHTS] = {"PatchWeights", sizeof(vec4), vec4_members},
    [WEFT_BUFFER_PATCH_XPBD] = {"Xpbd", sizeof(weft_xpbd), xpbd_members},
    [WEFT_BUFFER_PATCH_LAMBDA] = {"Lambda", sizeof(float), float_members},
    [WEFT_BUFFER_PATCH_DISPATCHES] = {"PatchDispatches", sizeof(uint32_t), uint_members},
    [WEFT_BUFFER_PATCH_SOURCES] = {"PatchSources", sizeof(uint32_t), uint_members},
};

static const member pass_members[] = {
    MEMBER(weft_pass, kind, GL_UNSIGNED_INT),
    MEMBER(weft_pass, variant, GL_UNSIGNED_INT),
    MEMBER(weft_pass, first, GL_UNSIGNED_INT),
    MEMBER(weft_pass, count, GL_UNSIGNED_INT),
    MEMBER(weft_pass, first_iteration, GL_UNSIGNED_INT),
    MEMBER(weft_pass, acts, GL_UNSIGNED_INT),
    MEMBER(weft_pass, group, GL_UNSIGNED_INT),
    MEMBER(weft_pass, batch, GL_UNSIGNED_INT),
    MEMBER(weft_pass, delta_first, GL_UNSIGNED_INT),
    MEMBER(weft_pass, gather_first, GL_UNSIGNED_INT),
    MEMBER(weft_pass, quad_first, GL_UNSIGNED_INT),
    MEMBER(weft_pass, steps, GL_UNSIGNED_INT),
    MEMBER(weft_pass, level_first, GL_UNSIGNED_INT),
    MEMBER(weft_pass, below_first, GL_UNSIGNED_INT),
    MEMBER(weft_pass, above_first, GL_UNSIGNED_INT),
    MEMBER(weft_pass, tree_rows, GL_UNSIGNED_INT),
    {NULL, 0, 0},
};
static const member substep_number_members[] = {{"", 0, GL_UNSIGNED_INT}, {NULL, 0, 0}};

typedef struct uniform_block {
  const char *block;
  uint32_t binding, size;
  const member *members;
} uniform_block;

static const uniform_block uniform_blocks[] = {
    {"Uniforms", WEFT_UNIFORM_BINDING, sizeof(weft_uniforms), uniform_members},
    {"Pass", WEFT_PASS_BINDING, sizeof(weft_pass), pass_members},
    {"Substep", WEFT_SUBSTEP_BINDING, sizeof(vec4), substep_number_members},
};

/* ---- what the driver reports ---- */

typedef struct layout_check {
  GLuint program;
  weft_pass_kind kind;
  uint32_t variant;
  char name[96];
  weft_layout_findings *findings;
} layout_check;

static void complain_plain(layout_check *c, const char *sentence_end) {
  weft_layout_findings *f = c->findings;
  void *items = f->items;
  weft_grow(&items, &f->capacity, f->count + 1, sizeof *f->items);
  f->items = items;
  snprintf(f->items[f->count].text, sizeof f->items->text, "%s: %s", c->name, sentence_end);
  f->count++;
}

static void complain(layout_check *c, const char *what, const char *item, uint64_t is,
                     uint64_t should) {
  char sentence[220];
  snprintf(sentence, sizeof sentence, "%s of %s is %llu, C has %llu", what, item,
           (unsigned long long)is, (unsigned long long)should);
  complain_plain(c, sentence);
}

static GLint property(const layout_check *c, GLenum interface, GLuint index, GLenum name) {
  GLint value = -1;
  glGetProgramResourceiv(c->program, interface, index, 1, &name, 1, NULL, &value);
  return value;
}

static GLuint resources(const layout_check *c, GLenum interface) {
  GLint count = 0;
  glGetProgramInterfaceiv(c->program, interface, GL_ACTIVE_RESOURCES, &count);
  return (GLuint)count;
}

static void resource_name(const layout_check *c, GLenum interface, GLuint index, char *name,
                          GLsizei size) {
  name[0] = 0;
  glGetProgramResourceName(c->program, interface, index, size, NULL, name);
}

static void check(layout_check *c, const char *what, const char *item, int64_t is, int64_t should) {
  c->findings->checked++;
  if (is != should) complain(c, what, item, (uint64_t)is, (uint64_t)should);
}

/* "constraints[0].rest_length" -> "rest_length"; "x[0]" -> "". */
static const char *member_part(const char *variable) {
  const char *dot = strrchr(variable, '.');
  return dot ? dot + 1 : "";
}

static const member *find_member(const member *members, const char *name) {
  for (const member *m = members; m->name; ++m) {
    if (strcmp(m->name, name) == 0) return m;
  }
  return NULL;
}

static void check_variable(layout_check *c, GLenum interface, GLuint index, const member *members,
                           uint32_t wanted_stride, const char *block) {
  char name[128];
  resource_name(c, interface, index, name, sizeof name);
  const member *m = find_member(members, member_part(name));
  if (!m) {
    char sentence[192];
    snprintf(sentence, sizeof sentence, "C knows no %s in block %s", name, block);
    complain_plain(c, sentence);
    return;
  }
  check(c, "offset", name, property(c, interface, index, GL_OFFSET), m->offset);
  check(c, "type", name, property(c, interface, index, GL_TYPE), m->type);
  if (interface == GL_BUFFER_VARIABLE) {
    GLint stride = property(c, interface, index, GL_TOP_LEVEL_ARRAY_STRIDE);
    /* A block of an array of plain values has its stride as the array's own. */
    if (stride == 0) stride = property(c, interface, index, GL_ARRAY_STRIDE);
    check(c, "array stride", name, stride, wanted_stride);
  }
}

static void check_variables(layout_check *c, GLenum interface, GLuint index, const member *members,
                            uint32_t stride, const char *block) {
  for (GLuint k = 0; k < resources(c, interface); ++k) {
    if (property(c, interface, k, GL_BLOCK_INDEX) == (GLint)index) {
      check_variable(c, interface, k, members, stride, block);
    }
  }
}

/* Which buffer the pass table binds under a block's name, or WEFT_BUFFER_COUNT. */
static const weft_binding *binding_of(const layout_check *c, const char *block) {
  const weft_pass_info *info = &weft_pass_infos[c->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    if (weft_binding_used(b, c->variant) && strcmp(expected[b->buffer].block, block) == 0) return b;
  }
  return NULL;
}

static void check_storage_blocks(layout_check *c) {
  uint32_t wanted = 0, seen = 0;
  const weft_pass_info *info = &weft_pass_infos[c->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    wanted += weft_binding_used(&info->bindings[k], c->variant);
  }
  for (GLuint block = 0; block < resources(c, GL_SHADER_STORAGE_BLOCK); ++block) {
    char name[128];
    resource_name(c, GL_SHADER_STORAGE_BLOCK, block, name, sizeof name);
    const weft_binding *binding = binding_of(c, name);
    if (!binding) {
      char sentence[192];
      snprintf(sentence, sizeof sentence, "the pass table binds nothing to block %s", name);
      complain_plain(c, sentence);
      continue;
    }
    ++seen;
    check(c, "binding", name, property(c, GL_SHADER_STORAGE_BLOCK, block, GL_BUFFER_BINDING),
          binding->slot);
    check_variables(c, GL_BUFFER_VARIABLE, block, expected[binding->buffer].members,
                    expected[binding->buffer].stride, name);
  }
  /* A driver may drop a block nothing reads; more blocks than the table has were named above. */
  c->findings->checked++;
  if (seen > wanted) complain(c, "number", "storage blocks", seen, wanted);
}

static const uniform_block *find_block(const char *name) {
  for (size_t k = 0; k < sizeof uniform_blocks / sizeof *uniform_blocks; ++k) {
    if (strcmp(uniform_blocks[k].block, name) == 0) return &uniform_blocks[k];
  }
  return NULL;
}

static void check_uniforms(layout_check *c) {
  for (GLuint k = 0; k < resources(c, GL_UNIFORM_BLOCK); ++k) {
    char name[128], sentence[192];
    resource_name(c, GL_UNIFORM_BLOCK, k, name, sizeof name);
    const uniform_block *wanted = find_block(name);
    if (!wanted) {
      snprintf(sentence, sizeof sentence, "C knows no uniform block %s", name);
      complain_plain(c, sentence);
      continue;
    }
    check(c, "binding", name, property(c, GL_UNIFORM_BLOCK, k, GL_BUFFER_BINDING), wanted->binding);
    /* Some drivers leave the padding behind the last member out. */
    GLint size = property(c, GL_UNIFORM_BLOCK, k, GL_BUFFER_DATA_SIZE);
    check(c, "size", name, (size + 15) / 16 * 16, wanted->size);
    check_variables(c, GL_UNIFORM, k, wanted->members, 0, name);
  }
}

static weft_result check_program(weft_gl *gl, layout_check *c, weft_error *err) {
  static const char *const defines[] = {"", "WEFT_JACOBI=1", "WEFT_LAMBDA=1",
                                        "WEFT_JACOBI=1 WEFT_LAMBDA=1"};
  char path[96], all[96];
  weft_pass pass = {.kind = c->kind, .variant = c->variant};
  weft_pass_describe(&pass, c->name, sizeof c->name);
  snprintf(path, sizeof path, "solver/%s.comp", weft_pass_infos[c->kind].name);
  snprintf(all, sizeof all, "WEFT_GROUP_SIZE=64 %s", defines[c->variant]);
  weft_result result = weft_gl_compute_program(gl, path, all, &c->program, err);
  if (result != WEFT_OK) return result;
  check_storage_blocks(c);
  check_uniforms(c);
  glDeleteProgram(c->program);
  return WEFT_OK;
}

weft_result weft_verify_layout(const weft_verify_request *request, weft_layout_findings *findings,
                               weft_error *err) {
  *findings = (weft_layout_findings){0};
  layout_check c = {.findings = findings};
  weft_result result = WEFT_OK;
  weft_gl_make_current(request->gl);
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    for (uint32_t variant = 0; variant < WEFT_VARIANT_COUNT && result == WEFT_OK; ++variant) {
      if (variant & ~weft_pass_infos[kind].variants) continue;
      c.kind = (weft_pass_kind)kind;
      c.variant = variant;
      result = check_program(request->gl, &c, err);
      findings->programs++;
    }
  }
  return result;
}

void weft_layout_findings_free(weft_layout_findings *findings) {
  weft_free(findings->items);
  *findings = (weft_layout_findings){0};
}
