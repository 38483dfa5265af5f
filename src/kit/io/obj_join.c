/* obj_join.c: vertices of files whose importer gave each corner one of its own. */
#include "obj.h"

static bool is_split(const weft_obj *obj) {
  uint8_t *used = weft_alloc(obj->position_count, 1);
  bool split = true;
  for (size_t c = 0; c < obj->corner_count && split; ++c) {
    split = !used[obj->corners[c]];
    used[obj->corners[c]] = 1;
  }
  weft_free(used);
  return split;
}

/* ---- vertices ---- */

/* Which vertices of an object are one: those of one seam. */
typedef struct joined {
  uint32_t *seam;   /* [position_count] a number that vertices of one seam share */
  uint32_t *object; /* [position_count] whose it is */
  uint32_t *heads;  /* [position_count] by seam: the latest that was kept + 1; 0 for none */
  uint32_t *next;   /* [count] the one before that, likewise */
  uint32_t *kept;   /* [count] vertices, in their order */
  uint32_t *number; /* [position_count] among these */
  uint32_t count;
} joined;

static void begin_joined(const weft_obj *obj, joined *j) {
  const size_t count = obj->position_count;
  weft_mesh mesh;
  weft_obj_cut(obj, NULL, &mesh);
  weft_mesh_weld_seams(&mesh);
  *j = (joined){.seam = mesh.map.vertices};
  mesh.map.vertices = NULL;
  weft_mesh_free(&mesh);
  j->object = weft_alloc(count, sizeof *j->object);
  j->heads = weft_alloc(count, sizeof *j->heads);
  j->next = weft_alloc(count, sizeof *j->next);
  j->kept = weft_alloc(count, sizeof *j->kept);
  j->number = weft_alloc(count, sizeof *j->number);
  for (size_t f = 0; f < obj->face_count; ++f) {
    const uint32_t first = obj->faces[f].first, size = weft_obj_face_size(obj, f);
    for (uint32_t c = first; c < first + size; ++c) {
      j->object[obj->corners[c]] = obj->faces[f].object;
    }
  }
}

static void end_joined(joined *j) {
  weft_free(j->seam);
  weft_free(j->object);
  weft_free(j->heads);
  weft_free(j->next);
  weft_free(j->kept);
  weft_free(j->number);
}

static uint32_t number_of(joined *j, uint32_t vertex) {
  uint32_t *head = &j->heads[j->seam[vertex]];
  for (uint32_t k = *head; k != 0; k = j->next[k - 1]) {
    if (j->object[j->kept[k - 1]] == j->object[vertex]) return k - 1;
  }
  j->kept[j->count] = vertex;
  j->next[j->count] = *head;
  *head = ++j->count;
  return j->count - 1;
}

static void join_vertices(weft_obj *obj) {
  joined j;
  begin_joined(obj, &j);
  for (uint32_t v = 0; v < obj->position_count; ++v) j.number[v] = number_of(&j, v);
  for (uint32_t k = 0; k < j.count; ++k) {
    obj->positions[k] = obj->positions[j.kept[k]];
    if (obj->colours) memmove(obj->colours[k], obj->colours[j.kept[k]], sizeof *obj->colours);
  }
  for (size_t c = 0; c < obj->corner_count; ++c) obj->corners[c] = j.number[obj->corners[c]];
  obj->position_count = j.count;
  end_joined(&j);
}

/* ---- texture coordinates ---- */

static void join_uvs(weft_obj *obj) {
  const uint32_t before = (uint32_t)obj->uv_count;
  weft_vec3 *at = weft_alloc(before, sizeof *at);
  uint32_t *kept = weft_alloc(before, sizeof *kept), *number = weft_alloc(before, sizeof *number);
  for (uint32_t t = 0; t < before; ++t) at[t] = weft_v3(obj->uvs[t][0], obj->uvs[t][1], 0);
  weft_weld_map(at, before, 0, kept);
  obj->uv_count = 0;
  for (uint32_t t = 0; t < before; ++t) {
    number[t] = kept[t] == t ? (uint32_t)obj->uv_count : number[kept[t]];
    if (kept[t] == t) memmove(obj->uvs[obj->uv_count++], obj->uvs[t], sizeof *obj->uvs);
  }
  for (size_t c = 0; c < obj->corner_count; ++c) {
    if (obj->corner_uvs[c] < before) obj->corner_uvs[c] = number[obj->corner_uvs[c]];
  }
  weft_free(at);
  weft_free(kept);
  weft_free(number);
}

void weft_obj_join(weft_obj *obj) {
  if (!is_split(obj)) return;
  join_vertices(obj);
  join_uvs(obj);
}
