/* Pins selected by rules. */
#include <math.h>

#include "base.h"
#include "preprocess.h"

static const char *const rule_names[] = {"none", "corners", "top", "left", "box", "list"};

/* In a grid that was found in a file, which has a map, row 0 need not be at the top. */
static bool has_grid(const weft_mesh *mesh) { return mesh->grid_rows > 0 && !mesh->map.numbers; }

/* The vertex nearest to (x, y), depth ignored, or in top view to (x, -z); the first of several. */
static uint32_t nearest(const weft_mesh *mesh, const bool *rides, bool lies, float x, float y) {
  uint32_t best = 0;
  double min = INFINITY;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    if (rides && rides[i]) continue;
    const weft_vec3 p = mesh->positions[i];
    double dx = (double)p.x - (double)x, dy = (double)(lies ? -p.z : p.y) - (double)y;
    if (dx * dx + dy * dy < min) {
      min = dx * dx + dy * dy;
      best = i;
    }
  }
  return best;
}

static void pin_corners(const weft_mesh *mesh, const bool *rides, bool *pinned) {
  weft_vec3 low, high;
  weft_v3_bounds(mesh->positions, mesh->vertex_count, &low, &high);
  const bool lies = mesh->grid_rows > 0 && weft_lies_flat(low, high, weft_v3(0, 1, 0));
  const float top = lies ? -low.z : high.y;
  pinned[has_grid(mesh) ? 0 : nearest(mesh, rides, lies, low.x, top)] = true;
  pinned[has_grid(mesh) ? mesh->grid_columns - 1 : nearest(mesh, rides, lies, high.x, top)] = true;
}

static void pin_top(const weft_mesh *mesh, bool *pinned) {
  if (!has_grid(mesh)) weft_pin_end(mesh, weft_v3(0, 1, 0), pinned);
  for (uint32_t i = 0; has_grid(mesh) && i < mesh->grid_columns; ++i) pinned[i] = true;
}

static void pin_left(const weft_mesh *mesh, bool *pinned) {
  if (!has_grid(mesh)) weft_pin_end(mesh, weft_v3(-1, 0, 0), pinned);
  for (uint32_t i = 0; has_grid(mesh) && i < mesh->grid_rows; ++i) {
    pinned[i * mesh->grid_columns] = true;
  }
}

static uint32_t pin_box(const weft_mesh *mesh, const weft_pin *pin, const bool *rides,
                        bool *pinned) {
  uint32_t selected = 0;
  weft_vec3 a = pin->box_min, b = pin->box_max;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    weft_vec3 x = mesh->positions[i];
    if (rides && rides[i]) continue;
    if (!(x.x >= a.x && x.y >= a.y && x.z >= a.z && x.x <= b.x && x.y <= b.y && x.z <= b.z)) {
      continue;
    }
    pinned[i] = true;
    ++selected;
  }
  return selected;
}

static weft_result empty_box(const weft_mesh *mesh, weft_error *err) {
  weft_vec3 low, high;
  weft_v3_bounds(mesh->positions, mesh->vertex_count, &low, &high);
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "pin rule \"box\" selects no vertex: they are from (%.3g, %.3g, %.3g) to (%.3g, "
                   "%.3g, %.3g) m",
                   (double)low.x, (double)low.y, (double)low.z, (double)high.x, (double)high.y,
                   (double)high.z);
}

static weft_result pin_list(const weft_mesh *mesh, const weft_pin *pin, const bool *rides,
                            bool *pinned, weft_error *err) {
  WEFT_NEED_ITEMS(pin->list, pin->list_count);
  const weft_mesh_map *map = &mesh->map;
  const uint32_t count = map->vertices ? map->source_vertex_count : mesh->vertex_count;
  for (uint32_t i = 0; i < pin->list_count; ++i) {
    if (pin->list[i] >= count) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "pin list: vertex %u does not exist, the mesh has %u vertices", pin->list[i],
                       count);
    }
    const uint32_t v = map->vertices ? map->vertices[pin->list[i]] : pin->list[i];
    if (v == WEFT_NO_VERTEX) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "pin list: vertex %u is in no face that cloth is made of", pin->list[i]);
    }
    if (rides && rides[v]) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "pin list: vertex %u is of a piece that is attached to the cloth, and goes "
                       "where that goes",
                       pin->list[i]);
    }
    pinned[v] = true;
  }
  return WEFT_OK;
}

static weft_result apply(const weft_mesh *mesh, const weft_pin *pin, const bool *rides,
                         bool *pinned, weft_error *err) {
  uint32_t selected = 1;
  switch (pin->rule) {
    case WEFT_PIN_NONE:
      return WEFT_OK;
    case WEFT_PIN_CORNERS:
      pin_corners(mesh, rides, pinned);
      break;
    case WEFT_PIN_TOP:
      pin_top(mesh, pinned);
      break;
    case WEFT_PIN_LEFT:
      pin_left(mesh, pinned);
      break;
    case WEFT_PIN_BOX:
      selected = pin_box(mesh, pin, rides, pinned);
      break;
    case WEFT_PIN_LIST:
      selected = pin->list_count;
      break;
    default:
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "pin rule %d does not exist", (int)pin->rule);
  }
  if (selected == 0 && pin->rule == WEFT_PIN_BOX) return empty_box(mesh, err);
  if (selected == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "pin rule \"%s\" selects no vertex",
                     rule_names[pin->rule]);
  }
  return pin->rule == WEFT_PIN_LIST ? pin_list(mesh, pin, rides, pinned, err) : WEFT_OK;
}

weft_result weft_pins_select(const weft_mesh *mesh, const weft_pin *pins, uint32_t pin_count,
                             const bool *rides, bool *pinned, weft_error *err) {
  for (uint32_t i = 0; i < pin_count; ++i) {
    weft_result result = apply(mesh, &pins[i], rides, pinned, err);
    if (result != WEFT_OK) return result;
  }
  for (uint32_t i = 0; rides && i < mesh->vertex_count; ++i) pinned[i] &= !rides[i];
  return WEFT_OK;
}
