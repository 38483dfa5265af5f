/* program_text.c: the text of programs that follows from the registries. */
#include "program_text.h"

#include <string.h>

/* ---- elements ---- */

/* One scalar of an element, from the words t0, t1, ... that were fetched. */
static void add_scalar(weft_string *text, char scalar, uint32_t byte) {
  uint32_t words = weft_scalar_words(scalar);
  const char *as = weft_scalar_is_float(scalar) ? "uintBitsToFloat" : "";
  weft_string_add(text, "%s(t%u.%.*s)", as, byte / 16, (int)words, &"xyzw"[byte % 16 / 4]);
}

/* Reads an element from a buffer texture: one fetch of up to four words, or several of four. Words
 * are fetched as integers, which no driver rounds or flushes. */
static void add_texel_element(weft_string *text, const weft_buffer_info *info, uint32_t unit) {
  uint32_t stride = info->stride / info->each, textured = (stride + 15) / 16, byte = 0;
  weft_string_add(text, "%s %s_element(int i) {\n", info->element, info->id);
  for (uint32_t k = 0; k < textured; ++k) {
    weft_string_add(text, "  uvec4 t%u = texelFetch(u_texels[%u], %u * i + %u);\n", k, unit,
                    textured, k);
  }
  weft_string_add(text, "  return %s(", info->element);
  for (const char *s = info->scalars; *s; ++s) {
    if (s != info->scalars) weft_string_add(text, ", ");
    add_scalar(text, *s, byte);
    byte += 4 * weft_scalar_words(*s);
  }
  weft_string_add(text, ");\n}\n#define %s(i) %s_element(int(i))\n", info->id, info->id);
}

static void add_block(weft_string *text, const weft_gl_place *place, const weft_buffer_info *info) {
  const char *access = !place->writes ? "readonly " : !place->reads ? "writeonly " : "";
  weft_string_add(text, "layout(std430, binding = %u) %srestrict %sbuffer b_%s { %s %s%s[]; };\n",
                  place->slot, place->coherent ? "coherent " : "", access, info->name,
                  info->element, info->id, place->shared ? "_outside" : "");
}

static const char *zero_of(char scalar) {
  switch (scalar) {
    case 'f':
      return "0.0";
    case 'u':
      return "0u";
    case 'T':
      return "vec3(0.0)";
    case 'W':
      return "uvec3(0u)";
    case 'V':
      return "vec4(0.0)";
    default:
      return "uvec4(0u)";
  }
}

/* What this variant never reads; a value, since compilers warn of what has none. */
static void add_unbound(weft_string *text, const weft_buffer_info *info) {
  weft_string_add(text, "%s %s[1] = %s[1](%s(", info->element, info->id, info->element,
                  info->element);
  for (const char *s = info->scalars; *s; ++s) {
    weft_string_add(text, "%s%s", s == info->scalars ? "" : ", ", zero_of(*s));
  }
  weft_string_add(text, "));\n");
}

static void add_place(weft_string *text, const weft_gl_places *places, int id) {
  const weft_gl_place *place = &places->of[id];
  const weft_buffer_info *info = &weft_buffer_infos[id];
  if (place->block) add_block(text, place, info);
  if (place->shared)
    weft_string_add(text, "shared %s %s[%u];\n", info->element, info->id, places->shared_elements);
  if (place->unbound) add_unbound(text, info);
  if (place->textured) {
    add_texel_element(text, info, place->unit);
  } else if (place->block || place->shared || place->unbound || place->packed) {
    weft_string_add(text, "#define %s(i) %s[i]\n", info->id, info->id);
  }
}

bool weft_gl_element_has_vectors(weft_buffer_id id) {
  return strpbrk(weft_buffer_infos[id].scalars, "TWVU") != NULL;
}

/* Tables that never change, one after the other, with lengths that are part of the program: those
 * with vectors of 16 bytes first, so that nothing lies between two. */
static void add_packed(weft_string *text, const weft_gl_places *places) {
  bool any = false;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) any = any || places->of[id].packed;
  if (!any) return;
  weft_string_add(text, "layout(std430, binding = %u) restrict readonly buffer b_tables {\n",
                  places->packed_slot);
  for (int part = 0; part < 2; ++part) {
    for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
      const weft_buffer_info *info = &weft_buffer_infos[id];
      if (!places->of[id].packed || weft_gl_element_has_vectors((weft_buffer_id)id) == (part == 1))
        continue;
      weft_string_add(text, "  %s %s[%llu];\n", info->element, info->id,
                      (unsigned long long)places->of[id].packed);
    }
  }
  weft_string_add(text, "};\n");
}

void weft_gl_text_places(weft_string *text, const weft_gl_places *places) {
  if (places->units)
    weft_string_add(text, "layout(binding = 0) uniform usamplerBuffer u_texels[%u];\n",
                    places->units);
  add_packed(text, places);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) add_place(text, places, id);
}

/* ---- constraints ---- */

static bool has(const weft_gl_places *places, weft_buffer_id id) {
  if (id == WEFT_BUFFER_COUNT) return false;
  const weft_gl_place *place = &places->of[id];
  return place->block || place->textured || place->packed;
}

static bool is_last(uint32_t bits, uint32_t bit) { return bits >> bit == 1u; }

/* A function that asks `type`: the statement of each row, and one for all others; NULL: there are
 * no others. */
typedef void row_statement(weft_string *text, const weft_gl_places *places,
                           weft_constraint_type type);
static void add_choice(weft_string *text, const weft_gl_places *places, uint32_t types,
                       const char *head, row_statement *statement, const char *otherwise) {
  weft_string_add(text, "%s {\n", head);
  for (uint32_t type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    if (!(types >> type & 1u)) continue;
    weft_string row = {0};
    statement(&row, places, (weft_constraint_type)type);
    bool asks = otherwise || !is_last(types, type);
    if (row.count && asks) weft_string_add(text, "  if (type == %uu)", type);
    if (row.count) weft_string_add(text, "  %s\n", row.bytes);
    weft_string_free(&row);
  }
  weft_string_add(text, "  %s\n}\n", otherwise ? otherwise : "");
}

static void arity_statement(weft_string *text, const weft_gl_places *places,
                            weft_constraint_type type) {
  (void)places;
  weft_string_add(text, "return %uu;", weft_constraint_infos[type].arity);
}

static void pair_statement(weft_string *text, const weft_gl_places *places,
                           weft_constraint_type type) {
  (void)places;
  weft_string_add(text, "return %s;", weft_constraint_infos[type].pair ? "true" : "false");
}

static void element_text(weft_string *text, const weft_gl_places *places,
                         weft_constraint_type type) {
  weft_buffer_id id = weft_constraint_buffers_of[type].elements;
  const char *shape = weft_constraint_infos[type].pair ? "pair" : "quad";
  if (has(places, id))
    weft_string_add(text, "return element_of_%s(%s(i));", shape, weft_buffer_infos[id].id);
}

static void terms_statement(weft_string *text, const weft_gl_places *places,
                            weft_constraint_type type) {
  weft_buffer_id id = weft_constraint_buffers_of[type].terms;
  if (has(places, id)) weft_string_add(text, "return %s(i);", weft_buffer_infos[id].id);
}

static void multiplier_statement(weft_string *text, const weft_gl_places *places,
                                 weft_constraint_type type) {
  weft_buffer_id id = weft_constraint_buffers_of[type].multipliers;
  const char *name = weft_buffer_infos[id].id;
  if (!has(places, id)) return;
  if (weft_constraint_infos[type].multipliers == 1) {
    weft_string_add(text, "return vec3(%s(i), 0.0, 0.0);", name);
  } else {
    weft_string_add(text, "return %s(i).xyz;", name);
  }
}

static void set_statement(weft_string *text, const weft_gl_places *places,
                          weft_constraint_type type) {
  weft_buffer_id id = weft_constraint_buffers_of[type].multipliers;
  bool one = weft_constraint_infos[type].multipliers == 1;
  if (!has(places, id)) return;
  weft_string_add(text, "%s[i] = %s;", weft_buffer_infos[id].id,
                  one ? "value.x" : "vec4(value, 0.0)");
}

static void project_statement(weft_string *text, const weft_gl_places *places,
                              weft_constraint_type type) {
  (void)places;
  weft_string_add(text, "return project_%s(p, data, keeps, past, acts);",
                  weft_constraint_infos[type].name);
}

void weft_gl_text_constraints(weft_string *text, const weft_gl_places *places, uint32_t types) {
  if (!types) return;
  weft_string_add(text, "#include \"solver/constraint_element.glsl\"\n");
  for (uint32_t type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    if (!(types >> type & 1u)) continue;
    weft_string_add(text, "#include \"kernels/constraint_%s.h\"\n",
                    weft_constraint_infos[type].name);
  }
  add_choice(text, places, types, "uint arity_of(uint type)", arity_statement, NULL);
  add_choice(text, places, types, "bool is_pair(uint type)", pair_statement, NULL);
  add_choice(text, places, types, "constraint_element constraint_at(uint type, uint i)",
             element_text, "return constraint_element(uvec4(0u), vec4(0.0));");
  add_choice(text, places, types, "weft_xpbd terms_at(uint type, uint i)", terms_statement,
             "return weft_xpbd(0.0, 0.0);");
  add_choice(text, places, types, "vec3 multiplier_at(uint type, uint i)", multiplier_statement,
             "return vec3(0.0);");
  add_choice(text, places, types, "void set_multiplier(uint type, uint i, vec3 value)",
             set_statement, "");
  add_choice(text, places, types,
             "projection project_constraint(uint type, corners p, vec4 data, bool keeps, history "
             "past, uint acts)",
             project_statement, NULL);
}

/* ---- shapes ---- */

uint32_t weft_gl_all_shapes(void) { return (1u << WEFT_SHAPE_COUNT) - 1u; }

/* What a shape gives where all give the same kind of thing: %s is its name. */
static void add_shape_choice(weft_string *text, uint32_t shapes, const char *head,
                             const char *call) {
  weft_string_add(text, "%s {\n", head);
  for (uint32_t k = 0; k < WEFT_SHAPE_COUNT; ++k) {
    const weft_shape_info *shape = &weft_shape_infos[k];
    if (!(shapes >> k & 1u)) continue;
    if (!is_last(shapes, k)) weft_string_add(text, "  if (pose.shape == %uu)", k);
    weft_string_add(text, "  return %s_%s;\n", shape->name, call);
  }
  weft_string_add(text, "}\n");
}

/* What only some shapes have. */
static void add_shape_exception(weft_string *text, uint32_t shapes, bool swept, const char *head,
                                const char *with, const char *without) {
  weft_string_add(text, "%s {\n", head);
  for (uint32_t k = 0; k < WEFT_SHAPE_COUNT; ++k) {
    const weft_shape_info *shape = &weft_shape_infos[k];
    if (!(shapes >> k & 1u) || !(swept ? shape->swept : shape->axis)) continue;
    weft_string_add(text, "  if (pose.shape == %uu) return %s;\n", k, with);
  }
  weft_string_add(text, "  return %s;\n}\n", without);
}

void weft_gl_text_shapes(weft_string *text, uint32_t shapes) {
  if (!shapes) return;
  weft_string_add(text, "#include \"kernels/shape.h\"\n");
  for (uint32_t k = 0; k < WEFT_SHAPE_COUNT; ++k) {
    if (shapes >> k & 1u) {
      weft_string_add(text, "#include \"kernels/shape_%s.h\"\n", weft_shape_infos[k].name);
    }
  }
  add_shape_exception(text, shapes, true, "bool shape_is_swept(weft_collider_pose pose)", "true",
                      "false");
  add_shape_exception(text, shapes, false, "shape_axis shape_axis_now(weft_collider_pose pose)",
                      "shape_axis_at_end(pose)", "shape_axis_none()");
  add_shape_exception(text, shapes, false, "shape_axis shape_axis_then(weft_collider_pose pose)",
                      "shape_axis_at_start(pose)", "shape_axis_none()");
  add_shape_choice(text, shapes,
                   "contact shape_contact(weft_collider_pose pose, shape_axis axis, bool pairs, "
                   "pair3 from)",
                   "contact(pose, axis, pairs, from)");
  add_shape_choice(text, shapes,
                   "vec3 shape_carried(weft_collider_pose pose, shape_axis axis, vec3 from)",
                   "carried(pose, axis, from)");
  add_shape_choice(text, shapes,
                   "vec3 shape_start(weft_collider_pose pose, shape_axis axis_then, vec3 before)",
                   "start(pose, axis_then, before)");
  add_shape_choice(
      text, shapes,
      "float shape_enter(weft_collider_pose pose, shape_axis axis, vec3 from, vec3 move)",
      "enter(pose, axis, from, move)");
}

/* ---- passes ---- */

void weft_gl_text_include(weft_string *text, weft_pass_kind kind) {
  const char *name = weft_pass_constraint(kind) < 0 ? weft_pass_infos[kind].name : "project";
  weft_string_add(text, "#include \"passes/%s.h\"\n", name);
}

void weft_gl_text_call(weft_string *text, weft_pass_kind kind, uint32_t variant, const char *pass,
                       const char *substep) {
  int type = weft_pass_constraint(kind);
  if (type < 0) {
    weft_string_add(text, "pass_%s(%s, %s, i)", weft_pass_infos[kind].name, pass, substep);
    return;
  }
  const char *keeps = variant & WEFT_VARIANT_LAMBDA ? "true" : "false";
  const char *jacobi = variant & WEFT_VARIANT_JACOBI ? "true" : "false";
  weft_string_add(text, "pass_project(%s, %s, i, %uu, %s, %s)", pass, substep, (unsigned)type,
                  keeps, jacobi);
}

/* Of the buffers that passes bind. */
static void rank_buffers(uint32_t ranks[WEFT_BUFFER_COUNT]) {
  bool bound[WEFT_BUFFER_COUNT] = {false};
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    const weft_pass_info *info = &weft_pass_infos[kind];
    for (uint32_t k = 0; k < info->binding_count; ++k) bound[info->bindings[k].buffer] = true;
  }
  uint32_t rank = 0;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    ranks[id] = rank;
    rank += bound[id];
  }
}

/* The first from `wanted` on that none of the first k has. */
static uint32_t free_number(const uint32_t *numbers, uint32_t k, uint32_t wanted, uint32_t count) {
  for (uint32_t other = 0; other < k; ++other) {
    if (numbers[other] != wanted % count) continue;
    ++wanted;
    other = UINT32_MAX; /* from the first on again */
  }
  return wanted % count;
}

weft_gl_numbers weft_gl_numbers_of(weft_pass_kind kind, uint32_t slots, uint32_t units) {
  uint32_t ranks[WEFT_BUFFER_COUNT];
  rank_buffers(ranks);
  const weft_pass_info *info = &weft_pass_infos[kind];
  weft_gl_numbers numbers = {{0}, {0}};
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    uint32_t rank = ranks[info->bindings[k].buffer];
    numbers.slot[k] = free_number(numbers.slot, k, rank, slots);
    numbers.unit[k] = free_number(numbers.unit, k, rank, units);
  }
  return numbers;
}

enum { PROMISED_SLOTS = 8, PROMISED_UNITS = 16 };

static weft_gl_places places_of_pass(const weft_gl_pass_desc *desc) {
  const weft_pass_info *info = &weft_pass_infos[desc->kind];
  bool textured = desc->textured && info->textured;
  const weft_gl_numbers numbers =
      weft_gl_numbers_of(desc->kind, desc->slots ? desc->slots : PROMISED_SLOTS,
                         desc->units ? desc->units : PROMISED_UNITS);
  weft_gl_places places = {.units = 0};
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    weft_gl_place *place = &places.of[b->buffer];
    *place = (weft_gl_place){
        .slot = numbers.slot[k], .unit = numbers.unit[k], .reads = b->reads, .writes = b->writes};
    place->unbound = !weft_binding_used(b, desc->variant);
    place->textured = textured && b->reads && !place->unbound;
    if (place->textured && places.units <= place->unit) places.units = place->unit + 1;
    place->block = !place->unbound && (b->writes || !place->textured);
    place->coherent = b->writes && info->single == WEFT_SINGLE_STEPS;
  }
  return places;
}

/* A driver that runs shaders on the processor works through invocations that have nothing to do. */
enum { GROUP_ON_PROCESSORS = 32 };

uint32_t weft_gl_pass_group(weft_pass_kind kind, uint32_t group) {
  const weft_pass_info *info = &weft_pass_infos[kind];
  if (info->group) return info->group;
  return info->counted ? WEFT_SELF_GROUP : group;
}

char *weft_gl_pass_text(const weft_gl_pass_desc *desc) {
  const weft_pass_info *info = &weft_pass_infos[desc->kind];
  const weft_gl_places places = places_of_pass(desc);
  uint32_t group = weft_gl_pass_group(desc->kind, desc->group);
  if (info->group && desc->textured) group = GROUP_ON_PROCESSORS;
  int type = weft_pass_constraint(desc->kind);
  weft_string text = {0};
  weft_string_add(&text, "#define WEFT_PASS_GROUP %u\nlayout(local_size_x = %u) in;\n", group,
                  group);
  weft_string_add(&text, "#define WEFT_TEAMS 1\n#define TEAM_ROOM(length) length\n");
  weft_string_add(&text, "#define KEEPS %s\n",
                  desc->variant & WEFT_VARIANT_LAMBDA ? "true" : "false");
  weft_string_add(&text, "#define PAIRS %s\n",
                  desc->variant & WEFT_VARIANT_PAIRS ? "true" : "false");
  weft_gl_text_places(&text, &places);
  weft_gl_text_constraints(&text, &places,
                           type >= 0                       ? 1u << type
                           : desc->kind == WEFT_PASS_PATCH ? desc->types
                                                           : 0);
  weft_gl_text_shapes(&text, desc->kind == WEFT_PASS_COLLIDE ? desc->shapes : 0);
  weft_gl_text_include(&text, desc->kind);
  if (info->group) weft_string_add(&text, "#define BY_GROUP\n");
  weft_string_add(&text, "#define RUN ");
  weft_gl_text_call(&text, desc->kind, desc->variant, "u_pass", "u_substep");
  weft_string_add(&text, "\n");
  return text.bytes;
}

void weft_gl_pass_defines(const weft_gl_pass_desc *desc, char *text, size_t size) {
  snprintf(text, size, "WEFT_PASS=%s%s%s%s%s", weft_pass_infos[desc->kind].name,
           desc->variant & WEFT_VARIANT_JACOBI ? " WEFT_JACOBI=1" : "",
           desc->variant & WEFT_VARIANT_LAMBDA ? " WEFT_LAMBDA=1" : "",
           desc->variant & WEFT_VARIANT_PAIRS ? " WEFT_PAIRS=1" : "",
           desc->textured ? " WEFT_TEXTURES=1" : "");
}

/* ---- all passes at once ---- */

void weft_gl_use(weft_gl_kinds *used, weft_pass_kind kind, uint32_t variant) {
  const weft_pass_info *info = &weft_pass_infos[kind];
  used->used[kind][variant] = true;
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    weft_buffer_id id = info->bindings[k].buffer;
    used->named[id] = true;
    if (weft_binding_used(&info->bindings[k], variant)) used->buffers[id] = true;
    if (info->bindings[k].writes) used->written[id] = true;
  }
}

bool weft_gl_is_fixed(weft_buffer_id id) { return weft_buffer_infos[id].use == WEFT_USE_CONSTANT; }

bool weft_gl_is_read_only(weft_buffer_id id) {
  return weft_gl_is_fixed(id) || weft_buffer_infos[id].use == WEFT_USE_FRAME;
}

enum { VARIANT_SHIFT = 8, KIND_BITS = 255 };

uint32_t weft_gl_step_number(uint32_t kind, uint32_t variant) {
  return kind | variant << VARIANT_SHIFT;
}
uint32_t weft_gl_step_kind(uint32_t number) { return number & KIND_BITS; }

static weft_gl_place block_of(const weft_gl_single_desc *desc, weft_buffer_id id, uint32_t slot) {
  bool writes = desc->used->written[id], shared = desc->shared_elements && id == WEFT_BUFFER_X;
  return (weft_gl_place){.block = true,
                         .shared = shared,
                         .reads = true,
                         .writes = writes,
                         .coherent = writes && !shared,
                         .slot = slot};
}

static weft_gl_places places_of_single(const weft_gl_single_desc *desc) {
  weft_gl_places places = {.packed_slot = desc->uniform_steps ? 0 : 1,
                           .shared_elements = desc->shared_elements};
  uint32_t slot = places.packed_slot + (desc->packed ? 1 : 0);
  for (int k = 0; k < WEFT_BUFFER_COUNT; ++k) {
    weft_buffer_id id = (weft_buffer_id)k;
    weft_gl_place *place = &places.of[id];
    if (id == WEFT_BUFFER_UNIFORMS || !desc->used->named[id]) continue;
    if (!desc->used->buffers[id]) {
      place->unbound = true;
    } else if (desc->packed && weft_gl_is_fixed(id)) {
      uint64_t elements = desc->counts[id] * weft_buffer_infos[id].each;
      place->packed = elements ? elements : 1;
    } else if (desc->textured && weft_gl_is_read_only(id)) {
      *place = (weft_gl_place){.textured = true, .unit = places.units++};
    } else {
      *place = block_of(desc, id, slot++);
    }
  }
  return places;
}

static uint32_t gate_of(weft_pass_kind kind) {
  if (kind == WEFT_PASS_MOVE_PINS) return WEFT_GATE_PINS;
  return kind == WEFT_PASS_GRAB ? WEFT_GATE_GRAB : 0;
}

/* A line for each kind and variant of step, in the order of the list of passes. */
static void add_steps(weft_string *text, const weft_gl_kinds *used) {
  weft_string_add(text, "#define ALL_STEPS");
  for (uint32_t kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    for (uint32_t variant = 0; variant < WEFT_VARIANT_COUNT; ++variant) {
      if (!used->used[kind][variant]) continue;
      uint32_t gate = gate_of((weft_pass_kind)kind), number = weft_gl_step_number(kind, variant);
      bool teams = weft_pass_infos[kind].single == WEFT_SINGLE_TEAMS;
      weft_string_add(text, " \\\n  %s(%s, %uu, %uu, ",
                      used->repeated[kind][variant] ? "AGAIN" : "ONCE",
                      teams ? "TEAM_STEP" : "STEP", number, gate);
      weft_gl_text_call(text, (weft_pass_kind)kind, variant, "s", "substep");
      weft_string_add(text, ")");
    }
  }
  weft_string_add(text, "\n");
}

static bool is_used(const weft_gl_kinds *used, uint32_t kind) {
  for (uint32_t variant = 0; variant < WEFT_VARIANT_COUNT; ++variant) {
    if (used->used[kind][variant]) return true;
  }
  return false;
}

static uint32_t types_of(const weft_gl_kinds *used) {
  uint32_t types = 0;
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    if (is_used(used, weft_project_pass((weft_constraint_type)type))) types |= 1u << type;
  }
  return types;
}

char *weft_gl_single_text(const weft_gl_single_desc *desc, weft_gl_places *places) {
  weft_string text = {0};
  *places = places_of_single(desc);
  weft_string_add(&text, "#define WEFT_PASS_GROUP %u\nlayout(local_size_x = %u) in;\n", desc->group,
                  desc->group);
  weft_string_add(&text, "#define WEFT_TEAMS %u\n#define TEAM_ROOM(length) %u\n", desc->teams,
                  desc->team_room);
  if (desc->uniform_steps) weft_string_add(&text, "#define UNIFORM_STEPS\n");
  if (desc->shared_elements) weft_string_add(&text, "#define SHARED_POSITIONS\n");
  bool pairs = desc->used->used[WEFT_PASS_PREDICT][WEFT_VARIANT_PAIRS];
  weft_string_add(&text, "#define PAIRS %s\n", pairs ? "true" : "false");
  weft_gl_text_places(&text, places);
  weft_gl_text_constraints(&text, places, types_of(desc->used));
  weft_gl_text_shapes(&text, is_used(desc->used, WEFT_PASS_COLLIDE) ? desc->shapes : 0);
  for (uint32_t kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    if (is_used(desc->used, kind)) weft_gl_text_include(&text, (weft_pass_kind)kind);
  }
  add_steps(&text, desc->used);
  return text.bytes;
}
