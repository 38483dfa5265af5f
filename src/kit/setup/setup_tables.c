/* setup_tables.c: the tables of settings, which options and keys of scene files share. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inspect.h"
#include "model.h"
#include "setup_internal.h"

#define AT(field) .offset = offsetof(weft_setup, field)
#define GIVEN(field) .given = offsetof(weft_setup, field)
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char *const patterns[] = {"same", "alternating", "equilateral", NULL};
static const char *const tangled[] = {"keep", "refuse", "loosen", NULL}; /* weft_setup_tangled */
static const char *const mannequins[] = {"capsules", "mesh", NULL};      /* weft_mannequin */

/* ---- values with a reader of their own ---- */

static const struct {
  const char *name;
  size_t offset;
  double low;
} measures[] = {{"area_density", offsetof(weft_material, area_density), 1e-6},
                {"stretch_warp", offsetof(weft_material, stretch_warp), 0},
                {"stretch_weft", offsetof(weft_material, stretch_weft), 0},
                {"shear", offsetof(weft_material, shear), 0},
                {"bending", offsetof(weft_material, bending), 0},
                {"damping_time", offsetof(weft_material, damping_time), 0}};

const char *const weft_fabric_measures[] = {
    "area_density", "stretch_warp", "stretch_weft", "shear", "bending", "damping_time", NULL};

/* One of what a fabric is measured by, up to the next comma. */
static weft_result take_measure(weft_material *fabric, const char *text, size_t length,
                                weft_error *err) {
  char piece[80], what[100], list[160] = "";
  snprintf(piece, sizeof piece, "%.*s", (int)length, text);
  char *equals = strchr(piece, '=');
  if (equals) *equals = 0;
  for (size_t k = 0; k < COUNT_OF(measures); ++k) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", measures[k].name);
    if (!equals || strcmp(measures[k].name, piece) != 0) continue;
    snprintf(what, sizeof what, "--fabric %s", piece);
    return weft_read_number(what, equals + 1, measures[k].low, 1e12,
                            (float *)(void *)((char *)fabric + measures[k].offset), err);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--fabric: \"%s\" is none of %s", piece, list);
}

static weft_result no_such_fabric(const char *text, size_t length, weft_error *err) {
  char list[256] = "";
  for (uint32_t k = 0; weft_material_at(k); ++k) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", weft_material_at(k)->name);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--fabric: \"%.*s\" is none of %s", (int)length, text,
                   list);
}

/* A preset, and what of it is otherwise. */
static weft_result take_fabric(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  const size_t length = strcspn(text, ",");
  char name[40];
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  options->fabric = weft_material_find(name);
  if (!options->fabric) return no_such_fabric(text, length, err);
  if (!text[length]) return WEFT_OK;
  weft_material *own = &options->own_fabric;
  *own = *options->fabric;
  options->fabric = own;
  weft_result result = WEFT_OK;
  for (const char *at = text + length; *at && result == WEFT_OK; at += strcspn(at, ",")) {
    ++at;
    result = take_measure(own, at, strcspn(at, ","), err);
  }
  return result;
}

static weft_result take_compliance(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  float *c = options->compliance;
  weft_result result = weft_read_numbers("--compliance", text, -1, 1e12, 3, c, err);
  if (result == WEFT_OK && c[2] == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--compliance: bending needs one above 0");
  }
  options->compliance_given = result == WEFT_OK;
  return result;
}

static weft_result take_weld(void *base, const char *text, weft_error *err) {
  static const struct {
    const char *name;
    weft_weld weld;
  } rules[] = {{"seams", WEFT_WELD_SEAMS}, {"all", WEFT_WELD_ALL}, {"off", WEFT_WELD_NONE}};
  weft_setup *options = base;
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

static weft_result take_unit(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  options->unit_given = true;
  return weft_setup_read_unit("--unit", text, &options->unit, err);
}

/* Up to WEFT_SETUP_MAX_LIST positive numbers. */
static weft_result take_list(const char *what, const char *text, float *list, uint32_t *count,
                             weft_error *err) {
  uint32_t wanted = 1;
  for (const char *c = text; *c; ++c) wanted += *c == ',';
  if (wanted > WEFT_SETUP_MAX_LIST) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %u values, at most %d are allowed", what,
                     wanted, WEFT_SETUP_MAX_LIST);
  }
  *count = wanted;
  return weft_read_numbers(what, text, 1e-6, 1e6, wanted, list, err);
}

static weft_result take_masses(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  return take_list("--masses", text, options->masses, &options->mass_count, err);
}

static weft_result take_lengths(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  return take_list("--lengths", text, options->lengths, &options->length_count, err);
}

static const double min_target = 1e-5, max_target = 0.5;

weft_result weft_setup_take_max_strain(void *base, const char *text, weft_error *err) {
  size_t length = strlen(text);
  bool percent = length > 0 && text[length - 1] == '%';
  const char *end = text + length - percent;
  double value = 0;
  bool plain = end > text;
  for (const char *c = text; c < end; ++c) plain = plain && strchr("0123456789+-.eE", *c);
  if (!plain || weft_parse_double(text, end, &value) != end || !isfinite(value)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--max-strain: \"%s\" is neither a percentage (1%%) nor a part (0.01)", text);
  }
  if (percent) value /= 100;
  if (value < min_target || value > max_target) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--max-strain: %s is out of range, allowed is 0.001%% to 50%%, or 0.00001 to "
                     "0.5",
                     text);
  }
  ((weft_setup *)base)->max_strain = value;
  return WEFT_OK;
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
           .common = true, AT(up), GIVEN(up_given), .choices = weft_setup_ups),
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
    OPTION(CUSTOM, "fabric", "NAME[,WHAT=N]",
           "a measured fabric; weft info lists them\n"
           "What is otherwise with it may follow: area_density (kg/m^2), stretch_warp,\n"
           "stretch_weft, shear (N/m), bending (N m), damping_time (s).\n"
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
           .common = true, .take = weft_setup_take_pin),
    OPTION(CUSTOM, "pin-key", "T,X,Y,Z[,X,Y,Z]",
           "at T seconds what the --pin before it holds is so many metres from where it began,\n"
           "and turned about its middle: an axis times degrees. It goes straight from key to\n"
           "key. May be given several times",
           .take = weft_setup_take_pin_key),
    OPTION(CUSTOM, "pin-weight", "W[@T]",
           "how firmly the --pin before it holds, from T seconds on: 1 for good, 0 not at all,\n"
           "in between like a spring. May be given several times. Default: 1",
           .take = weft_setup_take_pin_weight),
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
           .common = true, .take = weft_setup_take_max_strain),
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
           .take = weft_setup_take_layer),
    OPTION(
        CUSTOM, "attach", "NAME",
        "a group, object or material of the file, or @0, @1, ... of its connected pieces, rides\n"
        "on the cloth beneath, which carries its weight: buttons, zips, patches. May be given\n"
        "several times. Loose pieces of less than 2 % of the area that lie on another ride by\n"
        "default; off: only those that are named",
        .take = weft_setup_take_attach),
    OPTION(CUSTOM, "key", "NAME=VALUE@T",
           "a parameter, an option below without its dashes, has this value at T seconds\n"
           "Numbers and vectors that change at once (wind, gravity, damping, friction) go\n"
           "straight from key to key, others change at their key. May be given several times",
           .take = weft_setup_take_key),
};

/* What stands around the cloth. */
static const weft_option world_table[] = {
    OPTION(CUSTOM, "ground", "WHERE",
           "the level plane under the cloth: off, on, or a height in metres\n"
           "on: that of the scene, else one a tenth of the cloth's size below it, or below its\n"
           "bodies. Default: that of the scene; none for a file",
           .common = true, .take = weft_setup_take_ground),
    OPTION(CUSTOM, "collider", "SHAPE", weft_collider_help, .common = true,
           .take = weft_setup_take_collider),
    OPTION(CUSTOM, "collider-rotation", "X,Y,Z",
           "the box before it is turned about its centre: an axis times degrees",
           .take = weft_setup_take_collider_rotation),
    OPTION(CUSTOM, "collider-key", "T,X,Y,Z[,X,Y,Z]",
           "at T seconds the --collider before it is so many metres from where it was put, and\n"
           "turned: an axis times degrees, of balls and capsules a spin that friction feels.\n"
           "It goes straight from key to key. May be given several times",
           .take = weft_setup_take_collider_key),
    OPTION(CUSTOM, "collider-friction", "S[,K]",
           "of cloth on the --collider before it, at rest and sliding. Default: that of\n"
           "--friction, else 0.4,0.3",
           .take = weft_setup_take_collider_friction),
    OPTION(CUSTOM, "shift-collider", "N,X,Y,Z",
           "put collider N, counted from 0, by so many metres, as a drag in the demo does;\n"
           "those of the scene come first, then each --collider. May be given several times",
           .take = weft_setup_take_shift),
    OPTION(CUSTOM, "friction", "MU[,MU]",
           "of all colliders: static and kinetic, or one number for both.\n"
           "Default: that of the scene",
           .take = weft_setup_take_friction),
};

/* ---- all of them ---- */

/* Those that do not depend on the setup. */
static const weft_option_set tables[] = {
    {"Scene", scene_table, COUNT_OF(scene_table), NULL, weft_setup_note_scene},
    {"Bodies", weft_setup_body_options, WEFT_SETUP_BODY_OPTIONS, NULL, weft_setup_note_scene},
    {"Particles", particle_table, COUNT_OF(particle_table), NULL, weft_setup_note_scene},
    {"Simulation", simulation_table, COUNT_OF(simulation_table), NULL, weft_setup_note},
    {"Parameters", NULL, 0, NULL, weft_setup_note},
    {"Surroundings", world_table, COUNT_OF(world_table), NULL, weft_setup_note_world},
};

void weft_setup_sets(weft_setup *setup, weft_option_set sets[WEFT_SETUP_SETS]) {
  size_t count = 0;
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    if (weft_param_infos[row].option) setup->rows[count++] = weft_setup_param_option(row);
  }
  memcpy(sets, tables, sizeof tables);
  for (int s = 0; s < WEFT_SETUP_SETS; ++s) sets[s].base = setup;
  sets[WEFT_SETUP_PARAMETERS].options = setup->rows;
  sets[WEFT_SETUP_PARAMETERS].count = count;
}

static const weft_option_set *table_of(const char *name, const weft_option **option) {
  for (size_t s = 0; s < COUNT_OF(tables); ++s) {
    for (size_t k = 0; k < tables[s].count; ++k) {
      *option = &tables[s].options[k];
      if (strcmp((*option)->name, name) == 0) return &tables[s];
    }
  }
  return NULL;
}

bool weft_setup_option(const char *name, weft_option *option) {
  const weft_option *found;
  if (table_of(name, &found)) {
    *option = *found;
    return true;
  }
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    *option = weft_setup_param_option(row);
    if (strcmp(option->name, name) == 0) return true;
  }
  return false;
}

weft_note *weft_setup_note_of(const char *option) {
  const weft_option *found;
  const weft_option_set *table = table_of(option, &found);
  return table ? table->note : weft_setup_note;
}
