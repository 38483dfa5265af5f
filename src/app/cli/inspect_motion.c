/* inspect_motion.c: what a moving body is like, without a solver. */
#include <float.h>
#include <string.h>
#include <weft_kit/import.h>

#include "body_times.h"
#include "cmd_inspect.h"
#include "surface.h"

typedef struct box {
  weft_vec3 low, high;
} box;

/* ---- boxes over time ---- */

static box box_of(const weft_vec3 *positions, uint32_t count) {
  box b = {positions[0], positions[0]};
  for (uint32_t v = 1; v < count; ++v) {
    weft_vec3 p = positions[v];
    b.low = weft_v3(fminf(b.low.x, p.x), fminf(b.low.y, p.y), fminf(b.low.z, p.z));
    b.high = weft_v3(fmaxf(b.high.x, p.x), fmaxf(b.high.y, p.y), fmaxf(b.high.z, p.z));
  }
  return b;
}

static weft_result find_boxes(weft_motion *motion, box **boxes, weft_error *err) {
  weft_motion_info info = weft_motion_describe(motion);
  uint32_t count = weft_motion_mesh(motion)->vertex_count;
  weft_vec3 *positions = weft_alloc(count, sizeof *positions);
  weft_result result = WEFT_OK;
  *boxes = weft_alloc(info.frame_count, sizeof **boxes);
  for (uint32_t k = 0; k < info.frame_count && result == WEFT_OK; ++k) {
    result = weft_motion_at(motion, weft_motion_frame_seconds(motion, k), positions, err);
    if (result == WEFT_OK) (*boxes)[k] = box_of(positions, count);
  }
  weft_free(positions);
  return result;
}

/* ---- the report ---- */

static void print_box(const char *label, box b) {
  printf("  %-22s (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m\n", label, (double)b.low.x,
         (double)b.low.y, (double)b.low.z, (double)b.high.x, (double)b.high.y, (double)b.high.z);
}

static void print_surface(const weft_cli_surface *s) {
  const weft_mesh_report *r = &s->report;
  printf("  %-22s ", "surface");
  if (s->closed) {
    printf("closed, %s, %.4g m^3\n", s->volume < 0 ? "inside out" : "faces outwards",
           fabs(s->volume));
    return;
  }
  printf(
      "not closed: %s edges of one triangle, %s of more than two, %s whose triangles face apart\n",
      weft_cli_grouped(r->boundary_edges), weft_cli_grouped(r->nonmanifold_edges),
      weft_cli_grouped(r->flipped_edges));
}

static void print_frames(const weft_motion_info *info, const weft_motion_desc *desc) {
  printf("  %-22s %12s  %.6g s", "frames", weft_cli_grouped(info->frame_count), info->duration);
  if (info->frame_count > 1) {
    printf(", %.4g a second", (info->frame_count - 1) / info->duration);
  }
  weft_cli_print_file_start(stdout, info);
  printf("%s\n", desc->frames_per_second == 0 && strcmp(info->kind, "MDD cache") != 0
                     ? " (60 unless --fps says otherwise)"
                     : "");
}

static void print_motion(const weft_motion *motion, const weft_motion_desc *desc,
                         const weft_cli_surface *s, const box *boxes) {
  weft_motion_info info = weft_motion_describe(motion);
  const weft_mesh *mesh = weft_motion_mesh(motion);
  printf("%s\n  %-22s %12s\n", desc->motion, "moving body", info.kind);
  printf("  %-22s %12s\n", "vertices", weft_cli_grouped(mesh->vertex_count));
  printf("  %-22s %12s\n", "triangles", weft_cli_grouped(mesh->triangle_count));
  printf("  %-22s %12s\n", "pieces", weft_cli_grouped(s->report.components));
  print_surface(s);
  print_frames(&info, desc);
  printf("  %-22s %12u  %.4g m/s: %.4g m from frame %u to the next, at %.4g s\n", "fastest vertex",
         info.fastest_vertex, info.fastest_speed, info.fastest_step, info.fastest_frame,
         info.fastest_seconds);
  if (desc->mesh) {
    printf("  %-22s %.4g m at most from %s\n", "first frame", info.rest_distance, desc->mesh);
  }
  print_box("box at first", boxes[0]);
  print_box("box at last", boxes[info.frame_count - 1]);
  print_box("box of all frames", (box){info.box_min, info.box_max});
  if (info.fastest_speed > WEFT_MOTION_MAX_SPEED) {
    printf("  it jumps: more than %d m/s is refused as a body\n", WEFT_MOTION_MAX_SPEED);
  }
}

static json_t *boxes_json(const weft_motion *motion, const box *boxes) {
  json_t *list = json_array();
  uint32_t count = weft_motion_describe(motion).frame_count;
  for (uint32_t k = 0; k < count; ++k) {
    json_t *o = json_object();
    json_object_set_new(o, "seconds", weft_json_real(weft_motion_frame_seconds(motion, k)));
    json_object_set_new(o, "box_min_m", weft_json_vec3(boxes[k].low));
    json_object_set_new(o, "box_max_m", weft_json_vec3(boxes[k].high));
    json_array_append_new(list, o);
  }
  return list;
}

static void add_json(const weft_motion *motion, const weft_motion_desc *desc,
                     const weft_cli_surface *s, const box *boxes, json_t *json) {
  weft_motion_info info = weft_motion_describe(motion);
  json_t *o = json_object();
  json_object_set_new(json, "name", json_string(desc->motion));
  json_object_set_new(json, "motion", o);
  json_object_set_new(o, "kind", json_string(info.kind));
  json_object_set_new(o, "mesh", desc->mesh ? json_string(desc->mesh) : json_null());
  json_object_set_new(o, "vertex_count", json_integer(weft_motion_mesh(motion)->vertex_count));
  json_object_set_new(o, "triangle_count", json_integer(weft_motion_mesh(motion)->triangle_count));
  json_object_set_new(o, "components", json_integer(s->report.components));
  json_object_set_new(o, "boundary_edges", json_integer(s->report.boundary_edges));
  json_object_set_new(o, "nonmanifold_edges", json_integer(s->report.nonmanifold_edges));
  json_object_set_new(o, "flipped_edges", json_integer(s->report.flipped_edges));
  json_object_set_new(o, "closed", json_boolean(s->closed));
  json_object_set_new(o, "inside_out", s->closed ? json_boolean(s->volume < 0) : json_null());
  json_object_set_new(o, "volume_m3", s->closed ? weft_json_real(fabs(s->volume)) : json_null());
  json_object_set_new(o, "frame_count", json_integer(info.frame_count));
  json_object_set_new(o, "file_start", weft_json_real(info.file_start));
  json_object_set_new(o, "file_step", weft_json_real(info.file_step));
  json_object_set_new(o, "duration_s", weft_json_real(info.duration));
  json_object_set_new(o, "fastest_vertex", json_integer(info.fastest_vertex));
  json_object_set_new(o, "fastest_frame", json_integer(info.fastest_frame));
  json_object_set_new(o, "fastest_at_s", weft_json_real(info.fastest_seconds));
  json_object_set_new(o, "fastest_step_m", weft_json_real(info.fastest_step));
  json_object_set_new(o, "fastest_speed_m_per_s", weft_json_real(info.fastest_speed));
  json_object_set_new(o, "rest_distance_m", weft_json_real(info.rest_distance));
  json_object_set_new(o, "box_min_m", weft_json_vec3(info.box_min));
  json_object_set_new(o, "box_max_m", weft_json_vec3(info.box_max));
  json_object_set_new(o, "frames", boxes_json(motion, boxes));
}

/* ---- the command ---- */

/* The first option given that is about cloth; NULL for none. */
static const char *idle_option(const weft_cli_options *o) {
  const struct {
    bool given;
    const char *name;
  } options[] = {
      {o->setup.group, "group"},
      {o->setup.keep_order, "keep-order"},
      {o->setup.size_given, "size"},
      {o->setup.pattern_given, "pattern"},
      {o->setup.no_shear, "no-shear"},
      {o->setup.fabric, "fabric"},
      {o->setup.compliance_given, "compliance"},
      {o->setup.bending_given, "bending"},
      {o->setup.pin_count, "pin"},
      {o->setup.turn_given, "turn"},
      {o->setup.move_given, "move"},
      {o->setup.turns > 0, "turns"},
      {o->setup.drawn > 0, "drawn"},
      {o->setup.layers, "layers"},
      {o->setup.mannequin, "mannequin"},
      {o->setup.links, "links"},
      {o->setup.mass_count, "masses"},
      {o->setup.length_count, "lengths"},
      {o->setup.angle_given, "angle"},
  };
  for (size_t k = 0; k < sizeof options / sizeof *options; ++k) {
    if (options[k].given) return options[k].name;
  }
  return NULL;
}

weft_result weft_inspect_motion(const weft_cli_options *options, weft_motion_desc desc,
                                json_t *json, weft_error *err) {
  const char *idle = idle_option(options);
  if (options->setup.scene) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--motion moves the mesh of a file; %s is a scene",
                     options->setup.scene);
  }
  if (idle) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s is about cloth; with --motion it does nothing",
                     idle);
  }
  desc.mesh = options->setup.mesh;
  desc.scale = options->setup.scale * options->setup.unit;
  desc.up = (weft_up)options->setup.up;
  desc.max_speed = DBL_MAX; /* to be shown */
  weft_motion *motion;
  box *boxes = NULL;
  weft_result result = weft_motion_load(&desc, &motion, err);
  if (result == WEFT_OK) result = find_boxes(motion, &boxes, err);
  if (result == WEFT_OK) {
    weft_cli_surface s = weft_cli_surface_of(weft_motion_mesh(motion));
    print_motion(motion, &desc, &s, boxes);
    add_json(motion, &desc, &s, boxes, json);
  }
  weft_free(boxes);
  weft_motion_free(motion);
  return result;
}
