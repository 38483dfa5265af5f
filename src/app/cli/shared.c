/* shared.c: the tables of options that several commands take, and the reading of a command line. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "environment.h"
#include "idle.h"
#include "inspect.h"
#include "max_strain.h"
#include "opt_attach.h"
#include "opt_instances.h"
#include "opt_layers.h"
#include "opt_pins.h"

#define AT(field) .offset = offsetof(weft_cli_options, field)
#define GIVEN(field) .given = offsetof(weft_cli_options, field)
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char *const patterns[] = {"same", "alternating", "equilateral", NULL};
static const char *const ups[] = {"y", "z", NULL};                       /* weft_up */
static const char *const tangled[] = {"keep", "refuse", "loosen", NULL}; /* weft_cli_tangled */
static const char *const besides[] = {"off", "plain", NULL};             /* weft_beside */
static const char *const mannequins[] = {"capsules", "mesh", NULL};      /* weft_mannequin */
static const char *const levels[] = {"error", "warning", "info", "debug", NULL};

/* ---- values with a reader of their own ---- */

static weft_result take_fabric(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  options->fabric = weft_material_find(text);
  if (options->fabric) return WEFT_OK;
  char list[256] = "";
  for (uint32_t k = 0; weft_material_at(k); ++k) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", weft_material_at(k)->name);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--fabric: \"%s\" is none of %s", text, list);
}

static weft_result take_compliance(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  float *c = options->compliance;
  weft_result result = weft_read_numbers("--compliance", text, -1, 1e12, 3, c, err);
  if (result == WEFT_OK && c[2] == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--compliance: bending needs one above 0");
  }
  options->compliance_given = result == WEFT_OK;
  return result;
}

static weft_result take_layer(void *base, const char *text, weft_error *err) {
  return weft_cli_read_layer(text, base, err);
}

static weft_result take_attach(void *base, const char *text, weft_error *err) {
  return weft_cli_read_attach(text, base, err);
}

static weft_result take_weld(void *base, const char *text, weft_error *err) {
  static const struct {
    const char *name;
    weft_weld weld;
  } rules[] = {{"seams", WEFT_WELD_SEAMS}, {"all", WEFT_WELD_ALL}, {"off", WEFT_WELD_NONE}};
  weft_cli_options *options = base;
  options->weld_given = true;
  for (size_t k = 0; k < COUNT_OF(rules); ++k) {
    if (strcmp(rules[k].name, text) != 0) continue;
    options->weld = rules[k].weld;
    options->weld_distance = 0;
    return WEFT_OK;
  }
  float millimetres = 0;
  if (weft_read_number("--weld", text, 1e-6, 1e6, &millimetres, NULL) != WEFT_OK) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--weld: \"%s\" is none of seams, all, off, a number of millimetres from "
                     "1e-06 to 1e+06",
                     text);
  }
  options->weld_distance = 0.001f * millimetres;
  return WEFT_OK;
}

/* Metres. */
static weft_result read_unit(const char *option, const char *text, float *unit, weft_error *err) {
  static const struct {
    const char *name;
    float metres;
  } units[] = {{"m", 1},       {"dm", 0.1f},    {"cm", 0.01f},
               {"mm", 0.001f}, {"in", 0.0254f}, {"ft", 0.3048f}};
  for (size_t k = 0; k < COUNT_OF(units); ++k) {
    if (strcmp(units[k].name, text) != 0) continue;
    *unit = units[k].metres;
    return WEFT_OK;
  }
  if (weft_read_number(option, text, 1e-6, 1e6, unit, NULL) == WEFT_OK) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "%s: \"%s\" is none of m, dm, cm, mm, in, ft, a number of metres from 1e-06 "
                   "to 1e+06",
                   option, text);
}

static weft_result take_unit(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  options->unit_given = true;
  return read_unit("--unit", text, &options->unit, err);
}

/* ---- bodies: what is said of one stands behind it ---- */

weft_result weft_cli_add_body(weft_cli_options *options, const char *file, weft_error *err) {
  if (options->body_count == WEFT_MAX_BODIES) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body: more than %d of them", WEFT_MAX_BODIES);
  }
  options->bodies[options->body_count++] =
      (weft_cli_body){.file = file, .friction = {0.4f, 0.3f}, .scale = 1, .up = -1};
  return WEFT_OK;
}

static weft_result take_body(void *base, const char *text, weft_error *err) {
  return weft_cli_add_body(base, text, err);
}

static weft_result last_body(weft_cli_options *options, const char *option, weft_cli_body **body,
                             weft_error *err) {
  if (options->body_count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: stands behind the --body that it is of",
                     option);
  }
  *body = &options->bodies[options->body_count - 1];
  return WEFT_OK;
}

/* A second one is of another body, whose --body was forgotten. */
static weft_result take_text(void *base, const char *option, const char **of, const char *text,
                             weft_error *err) {
  const weft_cli_options *options = base;
  if (*of) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s %.1000s: %.1000s has one already, %.1000s",
                     option, text, options->bodies[options->body_count - 1].file, *of);
  }
  *of = text;
  return WEFT_OK;
}

static weft_result take_body_motion(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-motion", &body, err);
  return result == WEFT_OK ? take_text(base, "--body-motion", &body->motion, text, err) : result;
}

static weft_result take_body_animation(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-animation", &body, err);
  if (result != WEFT_OK) return result;
  return take_text(base, "--body-animation", &body->animation, text, err);
}

static weft_result take_body_fps(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-fps", &body, err);
  if (result != WEFT_OK) return result;
  return weft_read_number("--body-fps", text, 1e-3, 1e5, &body->fps, err);
}

static weft_result take_body_group(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-group", &body, err);
  return result == WEFT_OK ? take_text(base, "--body-group", &body->group, text, err) : result;
}

static weft_result take_body_scale(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-scale", &body, err);
  if (result != WEFT_OK) return result;
  return weft_read_number("--body-scale", text, 1e-6, 1e6, &body->scale, err);
}

static weft_result take_body_unit(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-unit", &body, err);
  return result == WEFT_OK ? read_unit("--body-unit", text, &body->unit, err) : result;
}

static weft_result take_body_up(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-up", &body, err);
  if (result != WEFT_OK) return result;
  for (int k = 0; ups[k]; ++k) {
    if (strcmp(ups[k], text) != 0) continue;
    body->up = k;
    return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body-up: \"%s\" is none of y, z", text);
}

static weft_result take_body_thickness(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-thickness", &body, err);
  if (result != WEFT_OK) return result;
  return weft_read_number("--body-thickness", text, 1e-6, 1, &body->thickness, err);
}

static weft_result take_body_friction(void *base, const char *text, weft_error *err) {
  weft_cli_body *body = NULL;
  weft_result result = last_body(base, "--body-friction", &body, err);
  if (result != WEFT_OK) return result;
  body->friction_given = true;
  return weft_cli_read_friction("--body-friction", text, body->friction, err);
}

/* Up to WEFT_CLI_MAX_LIST positive numbers. */
static weft_result take_list(const char *what, const char *text, float *list, uint32_t *count,
                             weft_error *err) {
  uint32_t wanted = 1;
  for (const char *c = text; *c; ++c) wanted += *c == ',';
  if (wanted > WEFT_CLI_MAX_LIST) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %u values, at most %d are allowed", what,
                     wanted, WEFT_CLI_MAX_LIST);
  }
  *count = wanted;
  return weft_read_numbers(what, text, 1e-6, 1e6, wanted, list, err);
}

static weft_result take_masses(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  return take_list("--masses", text, options->masses, &options->mass_count, err);
}

static weft_result take_lengths(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  return take_list("--lengths", text, options->lengths, &options->length_count, err);
}

static weft_result take_backend(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  if (strcmp(text, "ref") == 0) {
    options->backend = WEFT_CLI_BACKEND_REF;
  } else if (strcmp(text, "gl") == 0) {
    options->backend = WEFT_CLI_BACKEND_GL;
  } else if (strcmp(text, "f64") == 0) {
    options->backend = WEFT_CLI_BACKEND_F64;
  } else if (strcmp(text, "cpu") == 0) {
    options->backend = WEFT_CLI_BACKEND_CPU;
  } else {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--backend: \"%s\" is none of gl, cpu, ref, f64",
                     text);
  }
  return WEFT_OK;
}

static weft_result take_max_strain(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  return weft_cli_read_max_strain(text, &options->max_strain, err);
}

static weft_result take_vary(void *base, const char *text, weft_error *err) {
  return weft_cli_read_vary(text, base, err);
}

static weft_result take_group_size(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  weft_result result = weft_read_count("--group-size", text, 32, 128, &options->group_size, err);
  if (result != WEFT_OK || options->group_size == 32 || options->group_size == 64 ||
      options->group_size == 128) {
    return result;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--group-size: %s is none of 32, 64, 128", text);
}

/* ---- the tables ---- */

static const weft_option scene_table[] = {
    OPTION(TEXT, "scene", "NAME", "a built-in scene; weft info lists them. The same as naming it",
           AT(scene)),
    OPTION(TEXT, "mesh", "FILE",
           "a mesh to simulate (OBJ, or what assimp reads). The same as naming it", AT(mesh)),
    OPTION(TEXT, "group", "NAMES",
           "only these groups, objects (of other formats than OBJ nodes with what hangs on them, "
           "and\n"
           "meshes) or materials of the file, commas between. Default: all",
           AT(group)),
    OPTION(NUMBER, "scale", "FACTOR",
           "makes the cloth of a file so many times as large, beside --unit. Default: 1", AT(scale),
           GIVEN(scale_given), RANGE(1e-6, 1e6)),
    OPTION(CUSTOM, "unit", "UNIT",
           "of the coordinates of cloth and bodies: m, dm, cm, mm, in, ft, or so many metres\n"
           "What is written is in the same unit. Default: m",
           .common = true, .take = take_unit),
    OPTION(CHOICE, "up", "AXIS",
           "the axis that points up in files of cloth and bodies, y or z. Default: y\n"
           "What is written has the same axes",
           .common = true, AT(up), GIVEN(up_given), .choices = ups),
    OPTION(VECTOR, "turn", "X,Y,Z",
           "the cloth of a file begins turned by so many degrees about the origin: about x first,\n"
           "then y, then z, with y up. Default: as the file has it",
           AT(turn), GIVEN(turn_given), RANGE(-3600, 3600)),
    OPTION(VECTOR, "move", "X,Y,Z",
           "and moved by so many metres, y up, after it was turned. Default: as the file has it",
           AT(move), GIVEN(move_given), RANGE(-1e6, 1e6)),
    OPTION(CUSTOM, "weld", "WHAT",
           "which vertices of a file that lie in one place become one: seams (where edges of a\n"
           "surface meet; layers that lie on each other stay two), all, off, or a number: all\n"
           "that are nearer to each other than so many millimetres. Default: seams",
           .take = take_weld),
    OPTION(
        FLAG, "keep-order", NULL,
        "leave a file's vertices in the file's order in memory: a sheet is then not taken as the\n"
        "grid that it is. Without it those of a grid go row by row, and those of other large\n"
        "files where neighbours lie close, if that is faster; what is shown and written has\n"
        "the file's numbers either way",
        AT(keep_order)),
    OPTION(COUNT, "size", "N",
           "of built-in scenes: N x N particles, about as many for garments, 4 to 4096\n"
           "N beads, pendulums, threads or links of a rope, N x N hairs. Default: that of the\n"
           "scene",
           .common = true, AT(size), GIVEN(size_given), RANGE(4, 4096)),
    OPTION(CHOICE, "pattern", "NAME",
           "how sheets are cut into triangles: same, alternating or equilateral.\n"
           "Default: same",
           AT(pattern), GIVEN(pattern_given), .choices = patterns),
    OPTION(FLAG, "no-shear", NULL, "leave out the second diagonal of each quad of a sheet",
           AT(no_shear), GIVEN(no_shear_given)),
    OPTION(CUSTOM, "fabric", "NAME",
           "a measured fabric; weft info lists them\n"
           "Default: that of the scene, tablecloth for a file",
           .common = true, .take = take_fabric),
    OPTION(CUSTOM, "compliance", "S,S,B",
           "instead of the fabric's: of stretch and shear in m/N (0: inextensible), of bending\n"
           "in 1/(N m); -1: the fabric's own",
           .take = take_compliance),
    OPTION(CHOICE, "bending", "KIND", weft_bending_help, AT(bending), GIVEN(bending_given),
           .choices = weft_bending_names),
    OPTION(CUSTOM, "pin", "RULE",
           "particles held in place: corners, top, left, none, a box, a list, parts of a file\n"
           "box:x0,y0,z0,x1,y1,z1 (metres), list:1,2,3 (vertices from 0), or of a file\n"
           "group:NAME (of a group or object), material:NAME, colour:R,G,B[,WITHIN] (vertices of\n"
           "that colour, as the file has it, each number to within a quarter of the whole). May be "
           "given several times. Of a file, top and "
           "left hold each piece by its\n"
           "topmost ring (waist, neck hole), by its level edge, or else by its highest 2 %.\n"
           "Default: that of the scene; for a file top, or two corners when it lies flat",
           .common = true, .take = weft_cli_take_pin),
    OPTION(CUSTOM, "body", "FILE",
           "a mesh that pushes the cloth, still or moving. May be given several times\n"
           "Read as --mesh is; turns self-collision on. Bodies that move: an animated glTF file "
           "(.glb, .gltf), a name\n"
           "like body-%04d.obj for a file a frame, or --body-motion",
           .common = true, .take = take_body),
    OPTION(CUSTOM, "body-motion", "FILE",
           "how the --body before it moves: a point cache (.pc2, .mdd) or rigid keys (.json)\n"
           "Default: it stands still",
           .common = true, .take = take_body_motion),
    OPTION(CUSTOM, "body-fps", "N",
           "frames a second of the --body before it, of PC2 and OBJ files, which do not say.\n"
           "Default: those of --fps or --dt, else 60",
           .take = take_body_fps),
    OPTION(CUSTOM, "body-animation", "NAME",
           "of several in the glTF file of the --body before it, those without a name by their\n"
           "numbers from 0; or all, together, where they move different nodes",
           .take = take_body_animation),
    OPTION(CUSTOM, "body-group", "NAMES",
           "only these groups or objects of the --body before it, which stands still: a motion is\n"
           "of all of its file. Default: all",
           .take = take_body_group),
    OPTION(CUSTOM, "body-scale", "FACTOR",
           "makes the --body before it so many times as large, beside its unit. Default: 1",
           .take = take_body_scale),
    OPTION(CUSTOM, "body-unit", "UNIT",
           "of the --body before it, as --unit. Default: that of --unit; m for glTF",
           .take = take_body_unit),
    OPTION(CUSTOM, "body-up", "AXIS",
           "of the --body before it, as --up. Default: that of --up; y for glTF",
           .take = take_body_up),
    OPTION(CUSTOM, "body-friction", "S[,K]",
           "of cloth on the --body before it, at rest and sliding. Default: 0.4,0.3",
           .take = take_body_friction),
    OPTION(CUSTOM, "body-thickness", "METRES",
           "how far cloth keeps away from the --body before it. Default: that of\n"
           "--self-thickness",
           .take = take_body_thickness),
    OPTION(OPTIONAL, "pin-to-body", "N",
           "pinned particles go with the body that each is nearest to at the start, or all with\n"
           "body N, counted from 0. Default: they stay, or go as the scene has it",
           AT(pin_to_body)),
    OPTION(OPTIONAL, "dress", "SECONDS",
           "cloth that starts partly inside of bodies or through them begins outside: bodies are\n"
           "made smaller and grow back in so many simulated seconds. Default: it starts as it\n"
           "is; without seconds 1",
           AT(dress)),
    OPTION(NUMBER, "turns", "N",
           "by how many the towel of wring is wrung; beyond 3 it is a narrower one. Default: 3",
           AT(turns), RANGE(0.25, 20)),
    OPTION(NUMBER, "drawn", "PART",
           "of its width that the curtain has when it is drawn. Default: 0.5", AT(drawn),
           RANGE(0.05, 1)),
    OPTION(COUNT, "layers", "N", "cloths of stack. Default: 10", AT(layers), RANGE(1, 64)),
    OPTION(
        CHOICE, "mannequin", "WHAT",
        "what cloth meets of the mannequin of skirt, poncho and pleats: capsules in its skin, or\n"
        "the mesh that is seen, a body of 24,772 triangles, which takes longer and knows\n"
        "no --instances. Default: capsules",
        AT(mannequin), .choices = mannequins),
    OPTION(SEED, "seed", "N", "of everything random. Default: 1", AT(seed)),
};

static const weft_option particle_table[] = {
    OPTION(COUNT, "links", "N",
           "links of each chain: pendulum, rope, fur, threads. Default: that of the scene",
           AT(links), RANGE(1, 100000)),
    OPTION(CUSTOM, "masses", "KG,KG,...",
           "of beads, or of the bobs of a pendulum from the pivot on; the last value\n"
           "repeats. Default: that of the scene",
           .take = take_masses),
    OPTION(CUSTOM, "lengths", "M,M,...",
           "radii of the beads' wires, or lengths of a pendulum's links; the last value\n"
           "repeats. Default: that of the scene; pendulum: 0.9 m in all",
           .take = take_lengths),
    OPTION(NUMBER, "angle", "DEGREES",
           "where beads and pendulums start, from hanging straight down (default 120); how\n"
           "far the sheet of hanging is turned down, 90 is upright (default 0)",
           AT(angle), GIVEN(angle_given), RANGE(-360, 360)),
};

static const weft_option simulation_table[] = {
    OPTION(FLAG, "plain", NULL,
           "the textbook sweep: 20 substeps without lines, levels and attachments, unless\n"
           "these are given. Default: what keeps cloth within a hundredth above the stretch\n"
           "that its fabric takes",
           AT(plain)),
    OPTION(CUSTOM, "max-strain", "PART",
           "hold p99 of strain below this, 1% or 0.01\n"
           "Chooses substeps, levels, their sweeps and slack, attachments and, where need be,\n"
           "iterations; those given beside it stay.\n"
           "Says what it chose and what was reached, and warns when that is more. For cloth",
           .common = true, .take = take_max_strain),
    OPTION(NUMBER, "fps", "N", "frames a second, which is --dt 1/N", AT(fps), RANGE(1, 1e6)),
    OPTION(FLAG, "mueller2007", NULL,
           "the full algorithm of Mueller et al. 2007: one step a frame, 10 iterations with\n"
           "contacts in each, pbd, global damping 0.1 a step. Options given beside it win",
           AT(mueller2007)),
    OPTION(CHOICE, "tangled", "CHOICE",
           "where cloth passes through itself or through a --body at the start: keep (a warning\n"
           "names the first triangles, which are not parted), refuse, or loosen (cloth is moved\n"
           "until it is free; pins and bodies stay). Default: keep, but pieces that lie in one\n"
           "place start over each other",
           AT(tangled), GIVEN(tangled_given), .choices = tangled),
    OPTION(CUSTOM, "layer", "NAME:N",
           "with --tangled loosen: a group or object of the file, or @0, @1, ... of its connected\n"
           "pieces, belongs over all with a lower N: in front of their surface, as their\n"
           "triangles face. May be given several times. Default: 0 for all",
           .take = take_layer),
    OPTION(
        CUSTOM, "attach", "NAME",
        "a group, object or material of the file, or @0, @1, ... of its connected pieces, rides\n"
        "on the cloth beneath, which carries its weight: buttons, zips, patches. May be given\n"
        "several times. Loose pieces of less than 2 % of the area that lie on another ride by\n"
        "default; off: only those that are named",
        .take = take_attach),
};

/* What stands around the cloth. */
static const weft_option world_table[] = {
    OPTION(CUSTOM, "ground", "WHERE",
           "the level plane under the cloth: off, on, or a height in metres\n"
           "on: that of the scene, else one a tenth of the cloth's size below it, or below its\n"
           "bodies. Default: that of the scene; none for a file",
           .common = true, .take = weft_cli_take_ground),
    OPTION(CUSTOM, "collider", "SHAPE", weft_collider_help, .common = true,
           .take = weft_cli_take_collider),
    OPTION(CUSTOM, "collider-rotation", "X,Y,Z",
           "the box before it is turned about its centre: an axis times degrees",
           .take = weft_cli_take_collider_rotation),
    OPTION(CUSTOM, "collider-key", "T,X,Y,Z[,X,Y,Z]",
           "at T seconds the --collider before it is so many metres from where it was put, and\n"
           "turned: an axis times degrees, of balls and capsules a spin that friction feels.\n"
           "It goes straight from key to key. May be given several times",
           .take = weft_cli_take_collider_key),
    OPTION(CUSTOM, "collider-friction", "S[,K]",
           "of cloth on the --collider before it, at rest and sliding. Default: that of\n"
           "--friction, else 0.4,0.3",
           .take = weft_cli_take_collider_friction),
    OPTION(CUSTOM, "shift-collider", "N,X,Y,Z",
           "put collider N, counted from 0, by so many metres, as a drag in the demo does;\n"
           "those of the scene come first, then each --collider. May be given several times",
           .take = weft_cli_take_shift),
    OPTION(CUSTOM, "friction", "MU[,MU]",
           "of all colliders: static and kinetic, or one number for both.\n"
           "Default: that of the scene",
           .take = weft_cli_take_friction),
};

static const weft_option instances_table[] = {
    OPTION(COUNT, "instances", "N",
           "number of cloths that do not touch, in the same passes, 1 to 10000. Each goes as\n"
           "it would alone. Not with global damping or particles that keep apart. Default: 1",
           AT(instances), RANGE(1, 10000)),
    OPTION(CUSTOM, "vary", "NAME=A:B",
           "from A in the first instance to B in the last, in equal ratios (in equal steps\n"
           "when one is 0): stretch-compliance, shear-compliance (m/N), bending-compliance\n"
           "(1/(N m)) or density (kg/m^2). May be given several times",
           .take = take_vary),
};

static weft_result take_drawn(void *base, const char *text, weft_error *err) {
  if (strcmp(text, "f64") != 0) return take_backend(base, text, err);
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--backend: doubles are not drawn: gl, cpu or ref");
}

static const weft_option drawn_table[] = {
    OPTION(CUSTOM, "backend", "NAME",
           "what simulates: gl (compute shaders), cpu (all processors) or ref (the C reference)\n"
           "The same in every bit. Default: gl, and cpu where the driver of OpenGL is a\n"
           "software one",
           .common = true, .take = take_drawn),
    OPTION(CHOICE, "beside", "WHAT",
           "plain: in the left half the same cloth under a plain sweep: 20 substeps, no line\n"
           "solver, levels or attachments; off: the scene alone. Default: plain in duel",
           AT(beside), GIVEN(beside_given), .choices = besides),
    OPTION(TEXT, "texture", "FILE",
           "a PNG to print on the cloth: over the whole of a sheet, and as vt lays it on a\n"
           "mesh of a file; where it is transparent the fabric is seen",
           AT(texture)),
};

static const weft_option backend_table[] = {
    OPTION(CUSTOM, "backend", "NAME",
           "gl (compute shaders), cpu (all processors), ref (the C reference) or f64 (doubles)\n"
           "Default: gl on a GPU, and cpu where the driver of OpenGL is a software one or there\n"
           "is none",
           .common = true, .take = take_backend),
};

static const weft_option threads_table[] = {
    OPTION(COUNT, "threads", "N", "threads of the backend cpu, 1 to 64. Default: one a processor",
           AT(threads), RANGE(1, 64)),
};

static const weft_option gl_table[] = {
    OPTION(TEXT, "device", "WHICH",
           "the EGL device: a number, hardware, software, or a part of its name, as weft info\n"
           "lists them. Default: WEFT_EGL_DEVICE, else the first that works",
           AT(device)),
    OPTION(CUSTOM, "group-size", "N", "invocations per work group: 32, 64 or 128. Default: 64",
           .take = take_group_size),
    OPTION(FLAG, "gl-debug", NULL,
           "ask the driver for messages and log them. Default: in debug builds", AT(gl_debug)),
    OPTION(FLAG, "minimum-limits", NULL, "pretend the driver had no more than OpenGL 4.3 promises",
           AT(minimum_limits)),
};

static const weft_option general_table[] = {
    OPTION(CHOICE, "log", "LEVEL", "error, warning, info or debug, on stderr. Default: warning",
           AT(log), .choices = levels),
    {.name = "help",
     .letter = 'h',
     .argument = "[all]",
     .help = "print this; --help all: every option, with units, ranges and defaults",
     .common = true},
};

const char *weft_cli_help_of(const char *option) {
  const struct {
    const weft_option *options;
    size_t count;
  } tables[] = {{simulation_table, COUNT_OF(simulation_table)},
                {world_table, COUNT_OF(world_table)},
                {scene_table, COUNT_OF(scene_table)}};
  for (size_t t = 0; t < COUNT_OF(tables); ++t) {
    for (size_t k = 0; k < tables[t].count; ++k) {
      if (strcmp(tables[t].options[k].name, option) == 0) return tables[t].options[k].help;
    }
  }
  return NULL;
}

/* ---- parameters: what weft/params.def says of them ---- */

static weft_option parameter_table[WEFT_PARAM_COUNT];

static size_t fill_parameter_table(void) {
  static const weft_option_kind kinds[] = {[WEFT_KIND_REAL] = WEFT_OPTION_NUMBER,
                                           [WEFT_KIND_COUNT] = WEFT_OPTION_COUNT,
                                           [WEFT_KIND_CHOICE] = WEFT_OPTION_CHOICE,
                                           [WEFT_KIND_FLAG] = WEFT_OPTION_SWITCH,
                                           [WEFT_KIND_VEC3] = WEFT_OPTION_VECTOR};
  size_t count = 0;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const weft_param_info *p = &weft_param_infos[k];
    if (!p->option) continue;
    parameter_table[count++] = (weft_option){
        .name = p->option,
        .kind = p->kind == WEFT_KIND_FLAG && !p->argument ? WEFT_OPTION_FLAG : kinds[p->kind],
        .argument = p->argument,
        .help = p->help,
        .common = p->common,
        .offset = offsetof(weft_cli_options, params) + p->offset,
        .given = offsetof(weft_cli_options, given) + k * sizeof(bool),
        .low = p->low,
        .high = p->high,
        .choices = p->choices};
  }
  return count;
}

/* ---- reading ---- */

enum { MAX_SETS = 13 }; /* all of those below */

/* What a scene or file is made with, but for which. */
static weft_result note_of_scene(void *base, const char *option, const char *text,
                                 weft_error *err) {
  const bool which = strcmp(option, "scene") == 0 || strcmp(option, "mesh") == 0;
  return which || strcmp(option, "size") == 0 ? WEFT_OK : weft_cli_note(base, option, text, err);
}

static size_t gather_sets(const weft_cli_spec *spec, weft_cli_options *options,
                          weft_option_set *sets, char *frames_help, size_t frames_help_size,
                          weft_option *frames) {
  snprintf(frames_help, frames_help_size, "how many frames, 1 to 1000000. Default: %u",
           spec->default_frames);
  *frames = (weft_option)OPTION(COUNT, "frames", "N", frames_help, .common = true, AT(frames),
                                GIVEN(frames_given), RANGE(1, 1e6));
  const struct {
    unsigned table;
    const char *title;
    const weft_option *options;
    size_t count;
  } tables[] = {{WEFT_CLI_FRAMES, "Length", frames, 1},
                {WEFT_CLI_SCENE, "Scene", scene_table, COUNT_OF(scene_table)},
                {WEFT_CLI_SCENE, "Particles", particle_table, COUNT_OF(particle_table)},
                {WEFT_CLI_SIMULATION, "Simulation", simulation_table, COUNT_OF(simulation_table)},
                {WEFT_CLI_SIMULATION, "Parameters", parameter_table, fill_parameter_table()},
                {WEFT_CLI_SIMULATION, "Surroundings", world_table, COUNT_OF(world_table)},
                {WEFT_CLI_INSTANCES, "Instances", instances_table, COUNT_OF(instances_table)},
                {WEFT_CLI_BACKEND, "Backend", backend_table, COUNT_OF(backend_table)},
                {WEFT_CLI_DRAWN, "Drawing", drawn_table, COUNT_OF(drawn_table)},
                {WEFT_CLI_THREADS, "CPU", threads_table, COUNT_OF(threads_table)},
                {WEFT_CLI_GL, "OpenGL", gl_table, COUNT_OF(gl_table)},
                {UINT_MAX, "General", general_table, COUNT_OF(general_table)}};
  size_t n = 0;
  if (spec->extra_count) {
    sets[n++] =
        (weft_option_set){"Options", spec->extra, spec->extra_count, spec->extra_base, NULL};
  }
  for (size_t k = 0; k < COUNT_OF(tables); ++k) {
    const bool scene = tables[k].table == WEFT_CLI_SCENE;
    if (tables[k].table != UINT_MAX && !(spec->tables & tables[k].table)) continue;
    sets[n++] = (weft_option_set){tables[k].title, tables[k].options, tables[k].count, options,
                                  scene ? note_of_scene : NULL};
  }
  return n;
}

static void scene_names(char *list, size_t size) {
  *list = 0;
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", k ? ", " : "", weft_scene_at(k)->name);
  }
}

/* One that was given and is about files alone, or NULL. --unit and --up are of bodies too. */
static const char *option_of_files(const weft_cli_options *o) {
  const bool bodies = o->body_count > 0;
  const struct {
    bool given;
    const char *name;
  } options[] = {{o->group, "group"},
                 {o->scale_given, "scale"},
                 {o->unit_given && !bodies, "unit"},
                 {o->up_given && !bodies, "up"},
                 {o->turn_given, "turn"},
                 {o->move_given, "move"},
                 {o->weld_given, "weld"},
                 {o->keep_order, "keep-order"}};
  for (size_t k = 0; k < COUNT_OF(options); ++k) {
    if (options[k].given) return options[k].name;
  }
  return NULL;
}

/* What was meant as the value of an option that takes one as --name=value alone; NULL: nothing. */
static const char *detached_value(const weft_positionals *named, char *hint, size_t size) {
  *hint = 0;
  for (uint32_t k = 0; k < named->count; ++k) {
    if (!named->behind[k]) continue;
    snprintf(hint, size, " (a value of --%s is written --%s=%.100s)", named->behind[k],
             named->behind[k], named->items[k]);
    return named->items[k];
  }
  return NULL;
}

bool weft_cli_names_file(const char *text) {
  return !weft_scene_find(text) &&
         (strchr(text, '/') || strchr(text, '.') || access(text, F_OK) == 0);
}

weft_result weft_cli_no_scene(const char *name, const char *hint, weft_error *err) {
  enum { MOST = 64 };
  const char *names[MOST], *near;
  size_t count = 0;
  char list[256];
  for (; weft_scene_at((uint32_t)count) && count < MOST; ++count) {
    names[count] = weft_scene_at((uint32_t)count)->name;
  }
  near = weft_nearest_name(name, names, count);
  if (near) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "\"%s\" is neither a file nor a scene, did you mean %s?%s", name, near, hint);
  }
  scene_names(list, sizeof list);
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "\"%s\" is neither a file nor a scene, the scenes are %s%s", name, list, hint);
}

weft_result weft_cli_check_subject(const weft_cli_options *options, weft_error *err) {
  if (options->mesh) {
    if (!options->size_given) return WEFT_OK;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--size is for built-in scenes, %s is a file",
                     options->mesh);
  }
  if (weft_cli_named_pin(options)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin %s: is for files, %s is a built-in scene",
                     weft_cli_named_pin(options), options->scene);
  }
  const char *idle = option_of_files(options);
  if (!idle) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s is for files, %s is a built-in scene", idle,
                   options->scene);
}

/* Leaves exactly one of scene and mesh set. */
static weft_result choose_subject(const weft_cli_spec *spec, const weft_positionals *named,
                                  weft_cli_options *options, weft_error *err) {
  char list[256];
  scene_names(list, sizeof list);
  uint32_t subjects = named->count + (options->scene != NULL) + (options->mesh != NULL);
  char hint[240];
  const char *detached = detached_value(named, hint, sizeof hint);
  if (subjects > 1) {
    const char *second = detached       ? detached
                         : named->count ? named->items[named->count - 1]
                                        : options->mesh;
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "one scene or one file at a time, \"%s\" is too many%s", second, hint);
  }
  if (spec->instead_of_scene && *spec->instead_of_scene) {
    if (subjects == 0) return WEFT_OK;
  }
  if (spec->instead_of_scene && *spec->instead_of_scene && !spec->beside_scene) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "all scenes were asked for, \"%s\" is too many",
                     named->count     ? named->items[0]
                     : options->scene ? options->scene
                                      : options->mesh);
  }
  if (named->count && weft_cli_names_file(named->items[0])) {
    options->mesh = named->items[0];
  } else if (named->count) {
    options->scene = named->items[0];
  }
  if (!options->scene && !options->mesh) options->scene = spec->default_scene;
  if (!options->scene && !options->mesh) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "name a scene (%s) or a mesh file", list);
  }
  if (options->scene && !weft_scene_find(options->scene)) {
    return weft_cli_no_scene(options->scene, hint, err);
  }
  return weft_cli_check_subject(options, err);
}

static weft_result read_line(const weft_cli_spec *spec, const weft_option_set *sets, size_t count,
                             int argc, char **argv, weft_cli_options *options, weft_help *help,
                             weft_error *err) {
  weft_positionals named;
  weft_result result = weft_options_parse(sets, count, argc, argv, &named, help, err);
  if (result != WEFT_OK || *help) return result;
  if ((spec->tables & WEFT_CLI_SCENE) && !spec->positionals) {
    return choose_subject(spec, &named, options, err);
  }
  if (named.count > spec->max_positionals) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "too many arguments at \"%s\"",
                     named.items[spec->max_positionals]);
  }
  if (spec->positionals) *spec->positionals = named;
  return WEFT_OK;
}

/* A page is enough at first; what fits it is not cut. */
static void print_help(const weft_cli_spec *spec, const weft_option_set *sets, size_t count,
                       weft_help wanted) {
  enum { FEW = 8 };
  const bool all = wanted == WEFT_HELP_ALL || weft_options_count(sets, count) <= FEW;
  printf("usage: weft %s %s\n\n%s\n", spec->command, spec->arguments, spec->summary);
  if (!all) {
    weft_options_print_common(stdout, sets, count);
    return;
  }
  weft_options_print(stdout, sets, count);
  if (spec->notes) printf("\n%s\n", spec->notes);
}

/* Both may be given where they say the same. */
static weft_result settle_frame_time(weft_cli_options *options, weft_error *err) {
  const double rate = (double)options->fps, dt = (double)options->params.frame_dt;
  if (!(rate > 0)) return WEFT_OK;
  if (weft_cli_gave(options, frame_dt) && !(fabs(dt * rate - 1) < 1e-4)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--dt %.7g and --fps %.7g say different things: frames of %.7g s are %.7g a "
                     "second",
                     dt, rate, dt, 1 / dt);
  }
  options->given[WEFT_PARAM_frame_dt] = true;
  options->params.frame_dt = (float)(1 / rate);
  return WEFT_OK;
}

bool weft_cli_parse(const weft_cli_spec *spec, int argc, char **argv, weft_cli_options *options,
                    int *exit_status) {
  *options = (weft_cli_options){
      .scale = 1, .unit = 1, .seed = 1, .frames = spec->default_frames, .log = WEFT_LOG_WARNING};
  weft_option_set sets[MAX_SETS];
  weft_option frames;
  char frames_help[80];
  size_t count = gather_sets(spec, options, sets, frames_help, sizeof frames_help, &frames);
  weft_help help = WEFT_HELP_NONE;
  weft_error err = {0};
  weft_result result = read_line(spec, sets, count, argc, argv, options, &help, &err);
  if (result == WEFT_OK && !help) result = settle_frame_time(options, &err);
  if (result == WEFT_OK && !help) result = weft_cli_check_options(spec, options, &err);
  if (result == WEFT_OK && !help) {
    weft_cli_log_level((weft_log_level)options->log);
    return true;
  }
  if (help) {
    print_help(spec, sets, count, help);
    *exit_status = WEFT_EXIT_OK;
  } else {
    weft_cli_fail(&err);
    *exit_status = WEFT_EXIT_USAGE;
  }
  weft_cli_options_free(options);
  return false;
}

void weft_cli_options_free(weft_cli_options *options) {
  for (uint32_t k = 0; k < options->pin_count; ++k) {
    weft_free((void *)(uintptr_t)options->pins[k].list);
  }
  options->pin_count = 0;
}
