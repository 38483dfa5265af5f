/* stack.c: sheets of cloth that lie one over the other. */
#include "stack.h"

#include <math.h>
#include <string.h>

#include "base.h"

static uint32_t size_of(const weft_sheet *sheet) { return sheet->rows * sheet->columns; }

static uint32_t first_of(const weft_stack *stack, uint32_t sheet) {
  uint32_t first = 0;
  for (uint32_t k = 0; k < sheet; ++k) first += size_of(&stack->sheets[k]);
  return first;
}

static weft_vec3d up(const weft_stack *s) { return weft_v3d(sin(s->tilt), cos(s->tilt), 0); }
static weft_vec3d down(const weft_stack *s) { return weft_v3d(cos(s->tilt), -sin(s->tilt), 0); }

/* ---- making it ---- */

static void place_sheet(const weft_stack *stack, const weft_sheet *sheet, weft_vec3 *to) {
  double c = cos(sheet->askew), s = sin(sheet->askew);
  for (uint32_t i = 0; i < size_of(sheet); ++i) {
    double a = sheet->edge * (i % sheet->columns - 0.5 * (sheet->columns - 1));
    double b = sheet->edge * (double)(i / sheet->columns) - 0.5 * sheet->edge * (sheet->rows - 1);
    weft_vec3d p = weft_v3d(0, 0, s * a + c * b);
    p = weft_v3d_add_scaled(p, sheet->x + c * a - s * b, down(stack));
    to[i] = weft_v3d_round(weft_v3d_add_scaled(p, sheet->height, up(stack)));
  }
}

weft_vec3 *weft_stack_places(const weft_stack *stack) {
  weft_vec3 *places = weft_alloc(first_of(stack, stack->count), sizeof *places);
  for (uint32_t k = 0; k < stack->count; ++k) {
    place_sheet(stack, &stack->sheets[k], places + first_of(stack, k));
  }
  return places;
}

/* Squares are cut along alternating diagonals. Returns how many triangles there are. */
static uint32_t cut_sheet(const weft_sheet *sheet, uint32_t first, uint32_t *triangles) {
  uint32_t n = 0;
  for (uint32_t r = 0; r + 1 < sheet->rows; ++r) {
    for (uint32_t c = 0; c + 1 < sheet->columns; ++c, n += 2) {
      uint32_t a = first + r * sheet->columns + c, b = a + 1, d = a + sheet->columns, e = d + 1;
      bool odd = (r + c) % 2;
      const uint32_t corners[6] = {a, d, odd ? e : b, odd ? a : b, odd ? e : d, odd ? b : e};
      memcpy(triangles + 3 * (size_t)n, corners, sizeof corners);
    }
  }
  return n;
}

weft_model *weft_stack_model(weft_physics_run *run, const weft_stack *stack) {
  uint32_t total = first_of(stack, stack->count), pinned = 0;
  weft_mesh mesh = {.vertex_count = total};
  uint32_t *list = weft_alloc(total, sizeof *list);
  weft_model *model = NULL;
  mesh.positions = weft_stack_places(stack);
  mesh.triangles = weft_alloc(6 * (size_t)total, sizeof *mesh.triangles);
  for (uint32_t k = 0; k < stack->count; ++k) {
    const weft_sheet *sheet = &stack->sheets[k];
    uint32_t first = first_of(stack, k);
    mesh.triangle_count +=
        cut_sheet(sheet, first, mesh.triangles + 3 * (size_t)mesh.triangle_count);
    for (uint32_t i = 0; sheet->pinned && i < size_of(sheet); ++i) list[pinned++] = first + i;
  }
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = list, .list_count = pinned};
  const weft_model_desc desc = {.mesh = &mesh, .pins = &pin, .pin_count = pinned ? 1 : 0};
  if (weft_physics_ok(run)) weft_model_create(&desc, &model, &run->err);
  weft_free(list);
  weft_free(mesh.positions);
  weft_free(mesh.triangles);
  return model;
}

/* ---- looking at it ---- */

weft_sheet_mean weft_stack_mean(const weft_rig *rig, const weft_stack *stack, uint32_t sheet) {
  weft_vec3d x = weft_v3d(0, 0, 0), v = x;
  uint32_t n = size_of(&stack->sheets[sheet]), first = first_of(stack, sheet);
  for (uint32_t i = first; i < first + n && weft_physics_ok(rig->run); ++i) {
    x = weft_v3d_add_scaled(x, 1.0 / n, weft_rig_at(rig, i));
    v = weft_v3d_add_scaled(v, 1.0 / n, weft_v3d_at(rig->v + 3 * (size_t)i));
  }
  return (weft_sheet_mean){weft_v3d_dot(x, down(stack)), weft_v3d_dot(x, up(stack)),
                           weft_v3d_dot(v, down(stack)), weft_v3d_dot(v, up(stack))};
}

weft_stack_motion weft_stack_move(const weft_rig *rig, const weft_stack *stack) {
  weft_stack_motion sums = {0, 0};
  for (uint32_t i = 0; i < rig->count && weft_physics_ok(rig->run); ++i) {
    weft_vec3d v = weft_v3d_at(rig->v + 3 * (size_t)i);
    double m = (double)rig->model->masses[i];
    sums.energy += 0.5 * m * weft_v3d_dot(v, v);
    sums.momentum += m * weft_v3d_dot(v, up(stack));
  }
  return sums;
}

void weft_stack_throw(weft_rig *rig, const weft_stack *stack, const double *speeds) {
  weft_vec3 *v = weft_alloc(first_of(stack, stack->count), sizeof *v);
  for (uint32_t k = 0; k < stack->count; ++k) {
    uint32_t first = first_of(stack, k);
    for (uint32_t i = 0; i < size_of(&stack->sheets[k]); ++i) {
      v[first + i] = weft_v3d_round(weft_v3d_scale(up(stack), speeds[k]));
    }
  }
  weft_rig_write(rig, NULL, v);
  weft_free(v);
}
