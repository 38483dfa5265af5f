/* setup_layers.c: --layer: which particles of a scene lie over which others. */
#include <stdlib.h>
#include <string.h>
#include <weft_kit/import.h>

#include "mesh_internal.h"
#include "setup_internal.h"

/* One thing cannot be in two places of the order. */
static weft_result check_again(const weft_setup *options, const weft_setup_layer *layer,
                               weft_error *err) {
  for (const weft_setup_layer *l = options->layer; l < layer; ++l) {
    if (strcmp(l->name, layer->name) != 0 || l->number == layer->number) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--layer: %s is given twice, with %u and %u",
                     layer->name, l->number, layer->number);
  }
  return WEFT_OK;
}

weft_result weft_setup_take_layer(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  const char *colon = strrchr(text, ':');
  if (!colon || colon == text) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--layer: \"%s\" is not NAME:N, a group of the file or @ and the number of a "
                     "connected piece, and its place in the order",
                     text);
  }
  if (options->layer_count == WEFT_SETUP_MAX_LAYERS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--layer: given more than %d times",
                     WEFT_SETUP_MAX_LAYERS);
  }
  weft_setup_layer *layer = &options->layer[options->layer_count];
  int written = snprintf(layer->name, sizeof layer->name, "%.*s", (int)(colon - text), text);
  if (written >= (int)sizeof layer->name) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--layer: the name in \"%.60s...\" is too long",
                     text);
  }
  weft_result result = weft_read_count("--layer", colon + 1, 0, 1000, &layer->number, err);
  if (result == WEFT_OK) result = check_again(options, layer, err);
  options->layer_count += result == WEFT_OK;
  return result;
}

/* ---- connected pieces ---- */

/* The number of the piece of each particle, counted by their lowest particles. */
static uint32_t number_pieces(const weft_mesh *mesh, uint32_t *piece) {
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) { /* lowest ones come first */
    piece[i] = piece[i] == i ? pieces++ : piece[piece[i]];
  }
  return pieces;
}

static weft_result mark_piece(const weft_mesh *mesh, const char *file, const char *option,
                              const char *name, bool *marked, weft_error *err) {
  char what[32];
  uint32_t number, *piece = weft_mesh_pieces(mesh);
  uint32_t pieces = number_pieces(mesh, piece);
  snprintf(what, sizeof what, "%s @", option);
  weft_result result = weft_read_count(what, name + 1, 0, UINT32_MAX, &number, err);
  if (result == WEFT_OK && number >= pieces) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "%s: %s has %u connected piece%s, and %u is not among them (from 0)", option,
                       file, pieces, weft_plural(pieces), number);
  }
  for (uint32_t i = 0; i < mesh->vertex_count && result == WEFT_OK; ++i) {
    marked[i] |= piece[i] == number;
  }
  weft_free(piece);
  return result;
}

/* ---- groups of a file ---- */

static int by_place(const void *left, const void *right) {
  const weft_vec3 *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return a->z < b->z ? -1 : a->z > b->z;
}

/* A file of other formats has other numbers when a group of it is read: vertices of the cloth lie
 * where those of the file do. */
static uint32_t mark_by_place(const weft_mesh *mesh, const weft_mesh *group, bool *marked) {
  uint32_t found = 0;
  qsort(group->positions, group->vertex_count, sizeof *group->positions, by_place);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    if (!bsearch(&mesh->positions[i], group->positions, group->vertex_count,
                 sizeof *group->positions, by_place)) {
      continue;
    }
    ++found;
    marked[i] = true;
  }
  return found;
}

static uint32_t mark_by_number(const weft_mesh *mesh, const weft_mesh *group, bool *marked) {
  const weft_mesh_map *all = &mesh->map, *part = &group->map;
  uint32_t found = 0;
  for (uint32_t s = 0; s < all->source_vertex_count; ++s) {
    if (part->vertices[s] == WEFT_NO_VERTEX || all->vertices[s] == WEFT_NO_VERTEX) continue;
    ++found;
    marked[all->vertices[s]] = true;
  }
  return found;
}

static weft_result mark_group(const weft_setup *options, const weft_mesh *mesh, const char *file,
                              const char *option, const char *name, bool *marked, weft_error *err) {
  if (!options->mesh) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "%s %s: %s is no file with groups; @0, @1 are its connected pieces", option,
                     name, file);
  }
  weft_mesh group;
  weft_import_desc desc = weft_setup_import_desc(options);
  desc.groups = name;
  desc.weld = WEFT_WELD_SEAMS;
  desc.weld_distance = 0;
  weft_result result = weft_mesh_import(options->mesh, &desc, &group, err);
  if (result != WEFT_OK) return result;
  const bool numbered = group.map.source_vertex_count == mesh->map.source_vertex_count;
  uint32_t found = (numbered ? mark_by_number : mark_by_place)(mesh, &group, marked);
  weft_mesh_free(&group);
  if (found > 0) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s %s: nothing of it is in the cloth", option, name);
}

weft_result weft_setup_mark_named(const weft_setup *options, const weft_mesh *mesh,
                                  const char *file, const char *option, const char *name,
                                  bool *marked, weft_error *err) {
  return name[0] == '@' ? mark_piece(mesh, file, option, name, marked, err)
                        : mark_group(options, mesh, file, option, name, marked, err);
}

static weft_result set_layer(const weft_setup *options, const weft_scene_instance *scene,
                             const weft_setup_layer *layer, int32_t *layers, weft_error *err) {
  bool *marked = weft_alloc(scene->mesh.vertex_count, sizeof *marked);
  weft_result result = weft_setup_mark_named(options, &scene->mesh, scene->name, "--layer",
                                             layer->name, marked, err);
  for (uint32_t i = 0; i < scene->mesh.vertex_count && result == WEFT_OK; ++i) {
    if (marked[i]) layers[i] = (int32_t)layer->number;
  }
  weft_free(marked);
  return result;
}

weft_result weft_setup_find_layers(const weft_setup *options, const weft_scene_instance *scene,
                                   int32_t **layers, weft_error *err) {
  *layers = NULL;
  if (options->layer_count == 0) return WEFT_OK;
  *layers = weft_alloc(scene->mesh.vertex_count, sizeof **layers);
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < options->layer_count && result == WEFT_OK; ++k) {
    result = set_layer(options, scene, &options->layer[k], *layers, err);
  }
  if (result == WEFT_OK) return WEFT_OK;
  weft_free(*layers);
  *layers = NULL;
  return result;
}
