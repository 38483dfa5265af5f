/* case_layers.c: layers of cloth come to rest a thickness apart, wherever they start. */
#include <math.h>

#include "base.h"
#include "cases.h"
#include "stack.h"

enum { SUBSTEPS = 10, SETTLES = 20, LOOKS = 4 };
static const double thickness = 0.003;
static const double starts[] = {0.003, 0.006, 0.010, 0.020, 0.030, 0.060};
enum { STARTS = sizeof starts / sizeof *starts };

static const char source[] =
    "the thickness: layers that lie on each other are 3 mm apart; within one piece 0.9 of their "
    "distance at rest where that is less";
static const char why[] = "5 %: what lies presses in by a part of its thickness";

static const weft_params usual = {
    .self_collision = true, .self_thickness = 0.003f, .substeps = SUBSTEPS, .damping = 4};

static void claim_gap(weft_physics_run *run, const char *what, double gap, double expected) {
  weft_physics_expect(run, what, "m", gap, expected, 0.05 * expected, source, why);
}

/* ---- sheets of their own ---- */

typedef struct lying {
  const char *name;
  uint32_t sheets; /* the uppermost of 6 particles a side, each below it of 2 more */
  bool pinned;     /* the lowest; else it lies on a plane */
} lying;

static weft_stack stack_of(const lying *l, double edge, double start) {
  weft_stack stack = {.count = l->sheets};
  for (uint32_t k = 0; k < l->sheets; ++k) {
    uint32_t side = 6 + 2 * (l->sheets - 1 - k);
    stack.sheets[k] = (weft_sheet){.rows = side,
                                   .columns = side,
                                   .edge = edge,
                                   .height = k * start,
                                   .x = 0.13 * edge * k,
                                   .askew = 0.11 * k,
                                   .pinned = l->pinned && k == 0};
  }
  return stack;
}

/* From sheet to sheet: the means of the last frames, once they lie. */
static void measure_gaps(weft_rig *rig, const weft_stack *stack, double *gaps) {
  for (uint32_t k = 0; k + 1 < stack->count; ++k) gaps[k] = 0;
  weft_rig_step(rig, SETTLES);
  for (int f = 0; f < LOOKS; ++f) {
    weft_rig_step(rig, 1);
    weft_rig_read(rig);
    for (uint32_t k = 0; k + 1 < stack->count; ++k) {
      double low = weft_stack_mean(rig, stack, k).height;
      gaps[k] += (weft_stack_mean(rig, stack, k + 1).height - low) / LOOKS;
    }
  }
}

static void claim_lying(weft_physics_run *run, const lying *l, double edge, double start) {
  weft_stack stack = stack_of(l, edge, start);
  weft_model *model = weft_stack_model(run, &stack);
  const weft_collider plane = {.b = {0, 1, 0}};
  weft_params params = usual;
  double gaps[WEFT_STACK_SHEETS];
  weft_rig rig;
  params.colliders = &plane;
  params.collider_count = l->pinned ? 0 : 1;
  weft_rig_open(run, model, &params, &rig);
  measure_gaps(&rig, &stack, gaps);
  for (uint32_t k = 0; k + 1 < stack.count; ++k) {
    const char *which = stack.count == 2 ? "" : k ? ", upper gap" : ", lower gap";
    claim_gap(run,
              weft_physics_text("%s, edges %.0f mm, from %.0f mm%s", l->name, 1e3 * edge,
                                1e3 * start, which),
              gaps[k], thickness);
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* ---- a fold within one piece ---- */

enum { ROWS = 5, LOWER = 10, UPPER = 7 };

/* The columns of a sheet go along x, up a wall, and back; all edges as long as can be. */
static weft_model *make_fold(weft_physics_run *run, double edge, double apart, uint32_t *columns) {
  uint32_t cells = (uint32_t)fmax(1, floor(apart / edge)), width = LOWER + cells - 1 + UPPER;
  const weft_grid_desc grid = {.rows = ROWS, .columns = width, .plane = WEFT_PLANE_XZ};
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  uint32_t list[ROWS * LOWER], pinned = 0;
  *columns = width;
  if (!weft_physics_ok(run) || weft_mesh_grid(&grid, &mesh, &run->err) != WEFT_OK) return NULL;
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    uint32_t c = i % width, climbed = c < LOWER ? 0 : c - (LOWER - 1);
    double way = edge * (LOWER - 1);
    if (climbed == 0) {
      way = edge * c;
      list[pinned++] = i;
    }
    if (climbed > cells) way -= edge * (climbed - cells);
    climbed = climbed < cells ? climbed : cells;
    /* The wall leans, so that the vertices above are not over those below. */
    way -= 0.37 * edge * climbed / cells;
    mesh.positions[i] =
        weft_v3((float)way, (float)(apart * climbed / cells), (float)(edge * (double)(i / width)));
  }
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = list, .list_count = pinned};
  const weft_model_desc desc = {
      .mesh = &mesh, .bending = WEFT_BENDING_NONE, .pins = &pin, .pin_count = 1};
  weft_model_create(&desc, &model, &run->err);
  weft_mesh_free(&mesh);
  return model;
}

/* The mean height of the layer above, without the half that is near the fold. */
static double height_of(const weft_rig *rig, uint32_t columns) {
  double sum = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < rig->count && weft_physics_ok(rig->run); ++i) {
    if (i % columns < columns - UPPER / 2) continue;
    sum += weft_rig_at(rig, i).y;
    ++count;
  }
  return sum / fmax(count, 1);
}

static void claim_fold(weft_physics_run *run, double edge, double apart) {
  uint32_t columns = 1;
  weft_model *model = make_fold(run, edge, apart, &columns);
  double gap = 0;
  weft_rig rig;
  weft_rig_open(run, model, &usual, &rig);
  weft_rig_step(&rig, SETTLES);
  for (int f = 0; f < LOOKS; ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    gap += height_of(&rig, columns) / LOOKS;
  }
  claim_gap(run, weft_physics_text("fold, edges %.0f mm, from %.0f mm", 1e3 * edge, 1e3 * apart),
            gap, fmin(thickness, 0.9 * apart));
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void layers(weft_physics_run *run) {
  static const double edges[] = {0.010, 0.020};
  static const lying fixed = {"on a fixed sheet", 2, true};
  static const lying plane = {"on a sheet on a plane", 2, false};
  static const lying three = {"three layers", 3, true};
  claim_fold(run, 0.020, 0.006);
  claim_fold(run, 0.020, 0.030);
  claim_lying(run, &plane, 0.020, 0.006);
  claim_lying(run, &three, 0.020, 0.010);
  if (run->place == WEFT_PHYSICS_GL) return; /* these are enough there */
  claim_lying(run, &plane, 0.020, 0.030);
  claim_lying(run, &three, 0.020, 0.003);
  claim_lying(run, &three, 0.020, 0.030);
  for (int e = 0; e < 2; ++e) {
    for (int k = 0; k < STARTS; ++k) claim_lying(run, &fixed, edges[e], starts[k]);
  }
  claim_fold(run, 0.010, 0.002);
  claim_fold(run, 0.020, 0.002);
  claim_fold(run, 0.010, 0.006);
  claim_fold(run, 0.010, 0.030);
  claim_lying(run, &plane, 0.010, 0.006);
  claim_lying(run, &three, 0.010, 0.010);
}

const weft_physics_case weft_case_layers = {
    "layers", "Layers of cloth come to rest a thickness apart, wherever they start",
    "Sheets of cloth are laid out 3 to 60 mm above each other, as pieces of one mesh, with edges "
    "of "
    "10 and 20 mm and a thickness of 3 mm: on a sheet that is fixed, on one that lies on a plane, "
    "and three of them; and a sheet that is folded over 2, 6 and 30 mm apart. After 0.4 s the mean "
    "distance between "
    "layers is the thickness.",
    layers};
