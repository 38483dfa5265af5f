/* weft inspect: what a mesh suffers from, what mending changes, what cloth it makes; or how a body
 * moves. */
#include <string.h>

#include "cmd_inspect.h"

#include "cli.h"
#include "geodesic.h"
#include "outputs.h"
#include "surface.h"

typedef struct inspect_options {
  const char *json, *motion, *animation;
  float fps;
} inspect_options;

static const weft_option extra[] = {
    OPTION(TEXT, "json", "FILE", "write the report as JSON. Default: not written", .common = true,
           .offset = offsetof(inspect_options, json)),
    OPTION(TEXT, "motion", "FILE",
           "report a moving body instead\n"
           "A point cache (.pc2, .mdd) or keys (.json) that move the mesh FILE; or alone a\n"
           "skinned .glb or .gltf, or OBJ files as body-%04d.obj",
           .common = true, .offset = offsetof(inspect_options, motion)),
    OPTION(NUMBER, "fps", "N",
           "frames a second of a PC2 cache or OBJ files, which do not say; for glTF and keys, how\n"
           "often they are measured. Default: 60",
           .offset = offsetof(inspect_options, fps), RANGE(1e-3, 1e5)),
    OPTION(TEXT, "animation", "NAME",
           "of several in a glTF file; those without a name have numbers from 0; all: together,\n"
           "where they move different nodes",
           .offset = offsetof(inspect_options, animation)),
};

/* ---- the rows of a mesh report ---- */

typedef struct row {
  const char *label, *key;
  size_t offset; /* of a uint32_t in weft_mesh_report */
  bool defect;
} row;

#define ROW(text, field, defect) \
  { text, #field, offsetof(weft_mesh_report, field), defect }
static const row rows[] = {
    ROW("vertices", vertex_count, false),
    ROW("triangles", triangle_count, false),
    ROW("edges", edge_count, false),
    ROW("boundary edges", boundary_edges, false),
    ROW("components", components, false),
    ROW("non-manifold edges", nonmanifold_edges, true),
    ROW("flipped edges", flipped_edges, true),
    ROW("zero-area triangles", zero_area_triangles, true),
    ROW("duplicate triangles", duplicate_triangles, true),
    ROW("unused vertices", unused_vertices, true),
    ROW("duplicate positions", duplicate_positions, true),
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static uint32_t row_value(const weft_mesh_report *report, const row *r) {
  return *(const uint32_t *)((const char *)report + r->offset);
}

static void print_reports(const weft_mesh_report *raw, const weft_mesh_report *mended) {
  printf("  %-22s %12s  %12s\n", "mesh", raw ? "in the file" : "", "as cloth");
  for (size_t k = 0; k < ROW_COUNT; ++k) {
    uint32_t after = row_value(mended, &rows[k]);
    uint32_t before = raw ? row_value(raw, &rows[k]) : after;
    printf("  %-22s %12s  %12s%s\n", rows[k].label, raw ? weft_cli_grouped(before) : "",
           weft_cli_grouped(after), before != after ? "  changed" : "");
  }
  printf("  %-22s %.4g to %.4g m, mean %.4g m\n", "edge lengths", (double)mended->shortest_edge,
         (double)mended->longest_edge, (double)mended->mean_edge);
  printf("  %-22s %.3g degrees\n", "smallest angle", (double)mended->smallest_angle);
  printf("  %-22s %.4g m^2\n", "area", mended->area);
  printf("  %-22s (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m\n", "box", (double)mended->box_min.x,
         (double)mended->box_min.y, (double)mended->box_min.z, (double)mended->box_max.x,
         (double)mended->box_max.y, (double)mended->box_max.z);
}

static json_t *report_json(const weft_mesh_report *report) {
  json_t *o = json_object();
  for (size_t k = 0; k < ROW_COUNT; ++k) {
    json_object_set_new(o, rows[k].key, json_integer(row_value(report, &rows[k])));
  }
  json_object_set_new(o, "shortest_edge_m", weft_json_real((double)report->shortest_edge));
  json_object_set_new(o, "longest_edge_m", weft_json_real((double)report->longest_edge));
  json_object_set_new(o, "mean_edge_m", weft_json_real((double)report->mean_edge));
  json_object_set_new(o, "smallest_angle_degrees", weft_json_real((double)report->smallest_angle));
  json_object_set_new(o, "area_m2", weft_json_real(report->area));
  json_object_set_new(o, "box_min_m", weft_json_vec3(report->box_min));
  json_object_set_new(o, "box_max_m", weft_json_vec3(report->box_max));
  return o;
}

/* ---- groups of a file ---- */

static weft_result inspect_groups(const char *path, json_t *json, weft_error *err) {
  weft_mesh_group *groups;
  uint32_t count;
  weft_result result = weft_mesh_groups(path, &groups, &count, err);
  if (result != WEFT_OK) return result;
  json_t *list = json_array();
  if (count) printf("  groups, objects and materials (choose with --group)\n");
  for (uint32_t k = 0; k < count; ++k) {
    printf("    %-30s %10s faces\n", weft_cli_shown(groups[k].name),
           weft_cli_grouped(groups[k].face_count));
    json_t *group = json_object();
    json_object_set_new(group, "name", weft_json_text(groups[k].name));
    json_object_set_new(group, "faces", json_integer(groups[k].face_count));
    json_array_append_new(list, group);
  }
  json_object_set_new(json, "groups", list);
  weft_mesh_groups_free(groups, count);
  return WEFT_OK;
}

/* ---- what attachments would hold ---- */

static void inspect_lra(const weft_model *model, json_t *json) {
  weft_geodesics g;
  weft_geodesics_build(model, &g);
  uint32_t with[WEFT_MAX_LRA + 1] = {0};
  double longest = 0;
  for (uint32_t i = 0; i < g.particle_count; ++i) {
    const size_t first = WEFT_MAX_LRA * (size_t)i;
    uint32_t count = 0;
    while (count < WEFT_MAX_LRA && g.anchors[first + count] != UINT32_MAX) {
      if (g.lengths[first + count] > longest) longest = g.lengths[first + count];
      ++count;
    }
    with[count]++;
  }
  uint32_t tethered = with[1] + with[2] + with[3] + with[4];
  printf("  %-22s ", "lra");
  if (tethered == 0) {
    printf("none: nothing is pinned that a free particle hangs on\n");
  } else {
    printf(
        "%s particles within reach of %u group%s of pins (1: %s, 2: %s, 3: %s, 4: %s), "
        "longest %.4g m\n",
        weft_cli_grouped(tethered), g.island_count, weft_plural(g.island_count),
        weft_cli_grouped(with[1]), weft_cli_grouped(with[2]), weft_cli_grouped(with[3]),
        weft_cli_grouped(with[4]), longest);
  }
  json_object_set_new(
      json, "lra",
      json_pack("{s:i, s:i, s:[i,i,i,i], s:f}", "particles", (int)tethered, "groups_of_pins",
                (int)g.island_count, "particles_with_1_to_4", (int)with[1], (int)with[2],
                (int)with[3], (int)with[4], "longest_m", longest));
  weft_geodesics_free(&g);
}

/* ---- groups of constraints ---- */

static void print_sizes(const weft_group_info *info) {
  enum { MOST = 12 };
  for (uint32_t c = 0; c < info->colour_count && c < MOST; ++c) {
    printf("%s%u", c ? " " : "", info->colour_sizes[c]);
  }
  if (info->colour_count > MOST) {
    printf(" ... %u", info->colour_sizes[info->colour_count - 1]);
  }
}

static void print_groups(const weft_model *model) {
  printf("  %-16s %11s  %7s  %11s  %s\n", "constraints", "count", "colours", "lower bound",
         "constraints of each colour");
  for (uint32_t g = 0; g < weft_model_group_count(model); ++g) {
    weft_group_info info = weft_model_group(model, g);
    printf("  %-16s %11s  %7u  %11u  ", info.name, weft_cli_grouped(info.constraint_count),
           info.colour_count, info.lower_bound);
    print_sizes(&info);
    printf("\n");
  }
}

/* ---- verdict ---- */

static void verdict(const weft_mesh_report *cloth, const weft_model *model, char *text,
                    size_t size) {
  char remarks[400] = "";
  size_t used = 0;
  if (cloth->components > 1) {
    used += (size_t)snprintf(remarks + used, sizeof remarks - used,
                             "; %u separate pieces, each falls unless pinned", cloth->components);
  }
  if (cloth->nonmanifold_edges) {
    used += (size_t)snprintf(remarks + used, sizeof remarks - used,
                             "; %u edge%s of more than two triangles", cloth->nonmanifold_edges,
                             weft_plural(cloth->nonmanifold_edges));
  }
  snprintf(text, size, "usable as cloth: %s particles, %s constraints%s",
           weft_cli_grouped(weft_model_particle_count(model)),
           weft_cli_grouped(weft_model_constraint_count(model)), remarks);
}

/* ---- the command ---- */

/* A mesh and what was found in it. */
typedef struct findings {
  weft_mesh_report report;
  weft_intersections intersections;
} findings;

static weft_result inspect_file(const weft_cli_options *options, findings *raw, weft_error *err) {
  weft_mesh mesh = {0};
  weft_import_desc import = weft_setup_import_desc(&options->setup);
  import.keep_defects = true;
  import.weld_distance = 0;
  weft_result result = weft_mesh_import(options->setup.mesh, &import, &mesh, err);
  if (result == WEFT_OK) {
    weft_mesh_inspect(&mesh, &raw->report);
    result = weft_inspect_file_intersections(&mesh, &raw->intersections, err);
  }
  weft_mesh_free(&mesh);
  return result;
}

static json_t *findings_json(const findings *f) {
  json_t *o = report_json(&f->report);
  json_object_set_new(o, "intersections", weft_inspect_intersections_json(&f->intersections));
  return o;
}

/* A line where there are any, and JSON always. */
static void inspect_gaps(const weft_mesh *mesh, json_t *json) {
  char text[300];
  const weft_mesh_gaps gaps = weft_mesh_find_gaps(mesh);
  if (weft_cli_gaps_text(&gaps, text, sizeof text)) printf("  %-22s %s\n", "gaps", text);
  json_object_set_new(json, "gaps",
                      json_pack("{s:I, s:o, s:I, s:I}", "vertices", (json_int_t)gaps.vertices,
                                "widest_m", weft_json_real(gaps.widest), "pieces",
                                (json_int_t)gaps.pieces, "pieces_welded", (json_int_t)gaps.after));
}

static weft_result inspect_cloth(const weft_scene_instance *scene, const findings *raw,
                                 json_t *json, weft_error *err) {
  findings mended;
  weft_mesh_inspect(&scene->mesh, &mended.report);
  weft_result result = weft_inspect_cloth_intersections(&scene->mesh, &mended.intersections, err);
  if (result != WEFT_OK) return result;
  print_reports(raw ? &raw->report : NULL, &mended.report);
  inspect_gaps(&scene->mesh, json);
  weft_inspect_print_intersections(raw ? &raw->intersections : NULL, &mended.intersections);
  if (scene->params.body_count > 0) result = weft_inspect_bodies(scene, json, err);
  if (result != WEFT_OK) return result;
  print_groups(scene->model);
  inspect_lra(scene->model, json);
  char text[600];
  verdict(&mended.report, scene->model, text, sizeof text);
  printf("  %s\n", text);
  if (raw) json_object_set_new(json, "in_the_file", findings_json(raw));
  json_object_set_new(json, "as_cloth", findings_json(&mended));
  return WEFT_OK;
}

static weft_result inspect(const weft_cli_options *options, json_t *json, weft_error *err) {
  findings raw;
  const char *name = options->setup.mesh ? options->setup.mesh : options->setup.scene;
  weft_result result = WEFT_OK;
  json_object_set_new(json, "name", weft_json_text(name));
  if (options->setup.mesh) result = inspect_file(options, &raw, err);
  if (result != WEFT_OK) return result;
  printf("%s\n", weft_cli_shown(name));
  if (options->setup.mesh) result = inspect_groups(options->setup.mesh, json, err);
  weft_scene_instance scene;
  if (result == WEFT_OK) result = weft_cli_make_scene(options, &scene, err);
  if (result != WEFT_OK) return result;
  if (scene.mesh.triangle_count > 0) {
    result = inspect_cloth(&scene, options->setup.mesh ? &raw : NULL, json, err);
  } else {
    weft_inspect_particles(scene.model, json);
    print_groups(scene.model);
  }
  json_object_set_new(json, "particles", json_integer(weft_model_particle_count(scene.model)));
  json_object_set_new(json, "pinned", json_integer(weft_model_pinned_count(scene.model)));
  json_object_set_new(json, "constraint_groups", weft_json_groups(scene.model));
  weft_scene_free(&scene);
  return result;
}

static weft_result choose(const weft_cli_options *options, const inspect_options *own, json_t *json,
                          weft_error *err) {
  if (own->motion) {
    const weft_motion_desc desc = {
        .motion = own->motion, .animation = own->animation, .frames_per_second = (double)own->fps};
    return weft_inspect_motion(options, desc, json, err);
  }
  if (own->animation || own->fps > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s is for --motion",
                     own->animation ? "animation" : "fps");
  }
  return inspect(options, json, err);
}

int weft_cmd_inspect(int argc, char **argv) {
  inspect_options own = {0};
  weft_cli_options options;
  const weft_cli_spec spec = {
      .command = "inspect",
      .arguments = "FILE|SCENE [options]",
      .summary =
          "Reports what a mesh suffers from, what mending changes (zero-area and duplicate "
          "triangles\nand unused vertices go, flipped triangles turn), and the constraints "
          "preprocessed from it, with\nthe number of graph colours beside the least any "
          "colouring could need, what attachments would\nhold, and where the mesh passes through "
          "itself or through a --body. With --motion, how a body\nmoves.",
      .notes = "A mesh that no cloth can be made of is refused with a sentence and status 3.",
      .tables = WEFT_CLI_SCENE,
      .instead_of_scene = &own.motion,
      .beside_scene = true,
      .extra = extra,
      .extra_count = sizeof extra / sizeof extra[0],
      .extra_base = &own,
  };
  int status;
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  options.reads[0] = own.motion;
  weft_error err = {0};
  json_t *json = json_object();
  if (weft_cli_output_check(&options, own.json, &err) != WEFT_OK) {
    status = weft_cli_fail_output(&err);
  } else if (choose(&options, &own, json, &err) != WEFT_OK) {
    status = weft_cli_fail(&err);
  } else if (own.json && weft_json_write(own.json, json_incref(json), &err) != WEFT_OK) {
    status = weft_cli_fail_output(&err);
  } else {
    status = WEFT_EXIT_OK;
  }
  json_decref(json);
  weft_cli_options_free(&options);
  return status;
}
