/* setup_attach.c: --attach: pieces of a file that ride on the cloth beneath them. */
#include <string.h>

#include "mesh_internal.h"
#include "setup_internal.h"

weft_result weft_setup_take_attach(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  if (strcmp(text, "off") == 0 || strcmp(text, "none") == 0) {
    options->attach_off = true;
    return WEFT_OK;
  }
  if (options->attach_count == WEFT_SETUP_MAX_ATTACHED) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--attach: given more than %d times",
                     WEFT_SETUP_MAX_ATTACHED);
  }
  options->attach[options->attach_count++] = text;
  return WEFT_OK;
}

/* Pieces of which a vertex is pinned by its name or number are held there. */
static void leave_pinned(const weft_setup *o, const weft_mesh *mesh, const weft_pin *pins,
                         bool *attached) {
  uint32_t *root = weft_mesh_pieces(mesh);
  bool *held = weft_alloc(mesh->vertex_count, sizeof *held);
  for (uint32_t k = 0; k < o->pin_count; ++k) {
    for (uint32_t i = 0; i < pins[k].list_count && pins[k].rule == WEFT_PIN_LIST; ++i) {
      const uint32_t number = pins[k].list[i];
      if (number >= mesh->map.source_vertex_count) continue;
      const uint32_t v = mesh->map.vertices[number];
      if (v != WEFT_NO_VERTEX) held[root[v]] = true;
    }
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) attached[v] &= !held[root[v]];
  weft_free(held);
  weft_free(root);
}

/* What is named must be whole pieces. */
static weft_result check_whole(const weft_mesh *mesh, const char *name, const bool *named,
                               weft_error *err) {
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = mesh->triangles + 3 * t;
    if (named[c[0]] == named[c[1]] && named[c[1]] == named[c[2]]) continue;
    const uint32_t own = named[c[0]] ? c[0] : named[c[1]] ? c[1] : c[2];
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--attach %s: at vertex %u it hangs together with the rest, and goes with it "
                     "anyhow; loose pieces alone ride (weft inspect, @0, @1 ...)",
                     name, weft_mesh_number(mesh, own));
  }
  return WEFT_OK;
}

static weft_result add_named(const weft_setup *o, const weft_mesh *mesh, const char *name,
                             bool *attached, weft_error *err) {
  bool *named = weft_alloc(mesh->vertex_count, sizeof *named);
  weft_result result = weft_setup_mark_named(o, mesh, o->mesh, "--attach", name, named, err);
  if (result == WEFT_OK) result = check_whole(mesh, name, named, err);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) attached[v] |= named[v];
  weft_free(named);
  return result;
}

weft_result weft_setup_find_attached(const weft_setup *o, const weft_mesh *mesh,
                                     const weft_pin *pins, bool **attached, weft_error *err) {
  bool *found = weft_alloc(mesh->vertex_count, sizeof *found), any = false;
  weft_result result = WEFT_OK;
  *attached = NULL;
  if (!o->attach_off && weft_mesh_find_attached(mesh, found) > 0) {
    leave_pinned(o, mesh, pins, found);
  }
  for (uint32_t k = 0; k < o->attach_count && result == WEFT_OK; ++k) {
    result = add_named(o, mesh, o->attach[k], found, err);
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) any = any || found[v];
  if (result == WEFT_OK && any) *attached = found;
  if (!*attached) weft_free(found);
  return result;
}
