/* reader_scene.c: a scene of the importer library as OBJ text, so that weft's one reader of meshes
 * takes polygons, texture coordinates, colours and names of all formats.
 *
 * The tree of nodes is walked; each mesh that hangs on a node is written at the node's place. The
 * node is its object; its groups are the nodes above and the mesh. */
#include "reader_internal.h"

#ifdef WEFT_HAVE_ASSIMP

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <float.h>
#include <unistd.h>

#include "put_number.h"

enum { CHUNK = 1 << 16, LONGEST_LINE = 8 * WEFT_LONGEST_NUMBER, MOST_ABOVE = 64 };

/* A mesh on a node. */
typedef struct part {
  const struct aiMesh *mesh;
  const struct aiNode *node;
  struct aiMatrix4x4 place;
  uint32_t number;       /* among the meshes of its node */
  uint32_t first_vertex; /* of the file */
  uint32_t first_uv;
  bool shares; /* the vertices of an earlier one */
} part;

typedef struct text {
  int fd;
  const struct aiScene *scene;
  uint64_t most;             /* bytes */
  weft_reader_solids solids; /* behind the last that was written */
  part *parts;
  size_t count, room;
  bool *used; /* of the latest vertices: faces of an earlier part have them */
  uint64_t vertices, uvs, corners;
  char *chunk, *at;
} text;

/* ---- what is in a mesh ---- */

static bool is_face(const struct aiFace *face) { return face->mNumIndices >= 3; }

static uint64_t count_corners(const struct aiMesh *mesh) {
  uint64_t corners = 0;
  for (unsigned f = 0; mesh->mFaces && f < mesh->mNumFaces; ++f) {
    if (is_face(&mesh->mFaces[f])) corners += mesh->mFaces[f].mNumIndices;
  }
  return corners;
}

static bool same_items(const void *a, const void *b, size_t bytes) {
  return (!a && !b) || (a && b && memcmp(a, b, bytes) == 0);
}

static bool same_vertices(const struct aiMesh *a, const struct aiMesh *b) {
  const size_t count = a->mNumVertices;
  return count == b->mNumVertices &&
         same_items(a->mVertices, b->mVertices, count * sizeof *a->mVertices) &&
         same_items(a->mTextureCoords[0], b->mTextureCoords[0],
                    count * sizeof *a->mTextureCoords[0]) &&
         same_items(a->mColors[0], b->mColors[0], count * sizeof *a->mColors[0]);
}

static bool is_number(float x) { return fabsf(x) <= FLT_MAX; }

/* ---- places ---- */

static struct aiVector3D placed(const part *p, uint32_t vertex) {
  struct aiVector3D at = p->mesh->mVertices[vertex];
  aiTransformVecByMatrix4(&at, &p->place);
  return at;
}

/* Turns surfaces inside out. */
static bool is_mirrored(const struct aiMatrix4x4 *m) {
  const double x = (double)m->b2 * m->c3 - (double)m->b3 * m->c2;
  const double y = (double)m->b3 * m->c1 - (double)m->b1 * m->c3;
  const double z = (double)m->b1 * m->c2 - (double)m->b2 * m->c1;
  return m->a1 * x + m->a2 * y + m->a3 * z < 0;
}

static _Noreturn void refuse(const text *t, const char *reason) {
  weft_reader_send_reason(t->fd, WEFT_FOREIGN_REFUSED, reason);
}

static void check_vertices(const text *t, const part *p) {
  char reason[80];
  for (uint32_t v = 0; v < p->mesh->mNumVertices; ++v) {
    const struct aiVector3D at = placed(p, v);
    if (fabsf(at.x) <= 1e9f && fabsf(at.y) <= 1e9f && fabsf(at.z) <= 1e9f) continue;
    snprintf(reason, sizeof reason, "vertex %u is not finite or beyond 1e9", p->first_vertex + v);
    refuse(t, reason);
  }
}

static void check_faces(const text *t, const struct aiMesh *mesh) {
  char reason[80];
  for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
    for (unsigned c = 0; c < mesh->mFaces[f].mNumIndices; ++c) {
      if (mesh->mFaces[f].mIndices[c] < mesh->mNumVertices) continue;
      snprintf(reason, sizeof reason, "face %u of a mesh names a vertex that does not exist", f);
      refuse(t, reason);
    }
  }
}

/* A small file that places one mesh a thousand times takes a lot of text. */
static void check_size(const text *t) {
  enum { OF_VERTEX = 40, OF_CORNER = 20 };
  if (t->vertices > WEFT_MESH_MAX_VERTICES || t->corners > WEFT_MESH_MAX_TRIANGLES) {
    refuse(t, "too many vertices or triangles");
  }
  if (OF_VERTEX * t->vertices + OF_CORNER * t->corners > t->most) {
    refuse(t,
           "its nodes repeat meshes so often that it takes more memory than a file of its size "
           "may");
  }
}

/* Whether faces of this mesh have vertices that earlier ones have. */
static bool is_used(const text *t, const struct aiMesh *mesh) {
  for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
    for (unsigned c = 0; is_face(&mesh->mFaces[f]) && c < mesh->mFaces[f].mNumIndices; ++c) {
      if (t->used[mesh->mFaces[f].mIndices[c]]) return true;
    }
  }
  return false;
}

static void mark_used(text *t, const struct aiMesh *mesh) {
  for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
    for (unsigned c = 0; is_face(&mesh->mFaces[f]) && c < mesh->mFaces[f].mNumIndices; ++c) {
      t->used[mesh->mFaces[f].mIndices[c]] = true;
    }
  }
}

/* What the file has once comes once for every mesh that is made of it: by the materials of a node,
 * or by nodes in one place, each with vertices of its own. */
static bool shares(const text *t, const part *p, const part *before) {
  if (!same_vertices(p->mesh, before->mesh)) return false;
  if (p->node == before->node) return true;
  return memcmp(&p->place, &before->place, sizeof p->place) == 0 && !is_used(t, p->mesh);
}

static void begin_vertices(text *t, part *p) {
  p->first_vertex = (uint32_t)t->vertices;
  p->first_uv = (uint32_t)t->uvs;
  t->vertices += p->mesh->mNumVertices;
  if (p->mesh->mTextureCoords[0]) t->uvs += p->mesh->mNumVertices;
  check_size(t);
  check_vertices(t, p);
  weft_free(t->used);
  t->used = weft_alloc(p->mesh->mNumVertices, sizeof *t->used);
}

static void add_part(text *t, const struct aiNode *node, uint32_t number,
                     const struct aiMatrix4x4 *place) {
  part p = {.mesh = t->scene->mMeshes[node->mMeshes[number]], .node = node, .place = *place};
  const part *before = t->count > 0 ? &t->parts[t->count - 1] : NULL;
  const uint64_t corners = count_corners(p.mesh);
  if (corners == 0 || !p.mesh->mVertices) return;
  p.number = number;
  t->corners += corners;
  check_size(t);
  check_faces(t, p.mesh);
  p.shares = before && shares(t, &p, before);
  if (p.shares) {
    p.first_vertex = before->first_vertex;
    p.first_uv = before->first_uv;
  } else {
    begin_vertices(t, &p);
  }
  mark_used(t, p.mesh);
  void *parts = t->parts;
  weft_grow(&parts, &t->room, t->count + 1, sizeof *t->parts);
  t->parts = parts;
  t->parts[t->count++] = p;
}

static void walk(text *t, const struct aiNode *node, const struct aiMatrix4x4 *above) {
  struct aiMatrix4x4 place = *above;
  aiMultiplyMatrix4(&place, &node->mTransformation);
  for (unsigned k = 0; k < node->mNumMeshes; ++k) add_part(t, node, k, &place);
  for (unsigned k = 0; k < node->mNumChildren; ++k) walk(t, node->mChildren[k], &place);
}

/* ---- lines ---- */

static void flush(text *t, bool all) {
  if (!all && t->at - t->chunk < CHUNK) return;
  weft_reader_send(t->fd, t->chunk, (size_t)(t->at - t->chunk));
  t->at = t->chunk;
}

static void put_numbers(text *t, const char *word, const float *values, int count) {
  while (*word) *t->at++ = *word++;
  for (int k = 0; k < count; ++k) {
    *t->at++ = ' ';
    t->at = weft_put_float(t->at, values[k]);
  }
  *t->at++ = '\n';
  flush(t, false);
}

static void put_vertices(text *t, const part *p) {
  const struct aiColor4D *colours = p->mesh->mColors[0];
  for (uint32_t v = 0; v < p->mesh->mNumVertices; ++v) {
    const struct aiVector3D at = placed(p, v);
    float values[6] = {at.x, at.y, at.z};
    if (colours) values[3] = colours[v].r, values[4] = colours[v].g, values[5] = colours[v].b;
    const bool shown =
        colours && is_number(values[3]) && is_number(values[4]) && is_number(values[5]);
    put_numbers(t, "v", values, shown ? 6 : 3);
  }
}

static bool has_uv(const struct aiMesh *mesh, uint32_t vertex) {
  const struct aiVector3D *uvs = mesh->mTextureCoords[0];
  return uvs && is_number(uvs[vertex].x) && is_number(uvs[vertex].y);
}

/* One that is broken keeps its number, and no corner names it. */
static void put_uvs(text *t, const part *p) {
  for (uint32_t v = 0; p->mesh->mTextureCoords[0] && v < p->mesh->mNumVertices; ++v) {
    const struct aiVector3D *uv = &p->mesh->mTextureCoords[0][v];
    const float values[2] = {uv->x, uv->y}, none[2] = {0, 0};
    put_numbers(t, "vt", has_uv(p->mesh, v) ? values : none, 2);
  }
}

static void put_corner(text *t, const part *p, uint32_t vertex) {
  *t->at++ = ' ';
  t->at = weft_put_uint(t->at, (uint64_t)p->first_vertex + vertex + 1);
  if (has_uv(p->mesh, vertex)) {
    *t->at++ = '/';
    t->at = weft_put_uint(t->at, (uint64_t)p->first_uv + vertex + 1);
  }
  flush(t, false);
}

static void put_faces(text *t, const part *p) {
  const bool mirrored = is_mirrored(&p->place);
  for (unsigned f = 0; f < p->mesh->mNumFaces; ++f) {
    const struct aiFace *face = &p->mesh->mFaces[f];
    if (!is_face(face)) continue;
    *t->at++ = 'f';
    for (unsigned c = 0; c < face->mNumIndices; ++c) {
      const unsigned back = c == 0 ? 0 : face->mNumIndices - c;
      put_corner(t, p, face->mIndices[mirrored ? back : c]);
    }
    *t->at++ = '\n';
  }
}

/* ---- names ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/* As a line of OBJ can hold it; a word is one of several on its line. */
static void add_name(weft_string *out, const struct aiString *name, bool word) {
  char before = ' ';
  for (uint32_t k = 0; k < name->length; ++k) {
    char c = name->data[k];
    const bool comments = c == '#' && is_blank(before),
               goes_on = c == '\\' && k + 1 == name->length;
    if (c == 0 || c == '\n' || c == '\r' || comments || goes_on || (word && is_blank(c))) c = '_';
    if (!is_blank(c) || out->count > 0) weft_string_add_bytes(out, &c, 1);
    before = c;
  }
  while (out->count > 0 && is_blank(out->bytes[out->count - 1])) out->bytes[--out->count] = 0;
}

/* One that the library made up, as "<OFFRoot>". */
static bool is_made_up(const struct aiString *name) {
  if (name->length == 0) return true;
  const bool bracketed = name->data[0] == '<' && name->data[name->length - 1] == '>';
  return bracketed || strstr(name->data, "$AssimpFbx$");
}

static bool same_name(const struct aiString *a, const struct aiString *b) {
  return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

/* Meshes that one mesh of a file was split into are called NAME-0, NAME-1 and so on. */
static struct aiString name_of_mesh(const text *t, const part *p) {
  struct aiString name = p->mesh->mName;
  const struct aiString *first = &t->scene->mMeshes[p->node->mMeshes[0]]->mName;
  char end[16];
  const uint32_t length = (uint32_t)snprintf(end, sizeof end, "-%u", p->number);
  const bool split = p->node->mNumMeshes > 1 && name.length > length &&
                     memcmp(name.data + name.length - length, end, length) == 0 &&
                     first->length == name.length - length + 2 &&
                     memcmp(first->data, name.data, name.length - length) == 0;
  if (split) name.length -= length;
  if (strncmp(name.data, "meshes[", 7) == 0) name.length = 0; /* of none */
  return name;
}

static void add_word(weft_string *out, const struct aiString *name) {
  if (is_made_up(name)) return;
  if (out->count > 0) weft_string_add_bytes(out, " ", 1);
  weft_string word = {0};
  add_name(&word, name, true);
  weft_string_add_bytes(out, word.bytes, word.count);
  weft_string_free(&word);
}

/* Nodes above, outermost first, without the root, which is everything; then the mesh. */
static weft_string groups_of(const text *t, const part *p) {
  const struct aiNode *above[MOST_ABOVE];
  const struct aiString mesh = name_of_mesh(t, p);
  uint32_t count = 0;
  weft_string groups = {0};
  for (const struct aiNode *n = p->node->mParent; n && count < MOST_ABOVE; n = n->mParent) {
    const bool whole = !n->mParent && n->mNumMeshes == 0;
    if (!whole && !same_name(&n->mName, &p->node->mName)) above[count++] = n;
  }
  while (count-- > 0) add_word(&groups, &above[count]->mName);
  if (!same_name(&mesh, &p->node->mName)) add_word(&groups, &mesh);
  return groups;
}

static weft_string object_of(text *t, const part *p) {
  struct aiString whole = p->node->mName;
  weft_string object = {0};
  const char *name;
  size_t length;
  if (is_made_up(&whole)) return object;
  if (weft_reader_next_solid(&t->solids, whole.data, whole.length, &name, &length)) {
    whole.length = (uint32_t)(length < sizeof whole.data ? length : sizeof whole.data - 1);
    memcpy(whole.data, name, whole.length);
  }
  add_name(&object, &whole, false);
  return object;
}

/* "(null)" is what exporters call none; before any other there is no need to. */
static weft_string material_of(const text *t, const part *p, const weft_string *before) {
  struct aiString name = {0};
  weft_string material = {0};
  if (p->mesh->mMaterialIndex < t->scene->mNumMaterials) {
    aiGetMaterialString(t->scene->mMaterials[p->mesh->mMaterialIndex], AI_MATKEY_NAME, &name);
  }
  if (strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) != 0) add_name(&material, &name, false);
  if (material.count == 0 && before->count > 0) weft_string_add(&material, "(null)");
  return material;
}

/* Where it is another than before; it takes its place. */
static void put_name(text *t, const char *word, weft_string *before, weft_string now) {
  const bool same = before->count == now.count &&
                    (now.count == 0 || memcmp(before->bytes, now.bytes, now.count) == 0);
  if (!same) {
    flush(t, true);
    weft_reader_send(t->fd, word, strlen(word));
    weft_reader_send(t->fd, now.bytes, now.count);
    weft_reader_send(t->fd, "\n", 1);
  }
  weft_string_free(before);
  *before = now;
}

/* ---- the whole ---- */

static bool is_seen_through(const struct aiMesh *mesh) {
  bool any = false;
  for (uint32_t v = 0; mesh->mColors[0] && v < mesh->mNumVertices; ++v) {
    any = any || mesh->mColors[0][v].a != 1;
  }
  return any;
}

static weft_foreign_header header_of(const struct aiScene *scene) {
  weft_foreign_header h = {.magic = WEFT_FOREIGN_MAGIC, .end = WEFT_FOREIGN_TEXT};
  h.loses_animation = scene->mNumAnimations > 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    h.loses_skin |= scene->mMeshes[m]->mNumBones > 0;
    h.loses_alpha |= is_seen_through(scene->mMeshes[m]);
  }
  return h;
}

static void put_all(text *t) {
  weft_string object = {0}, groups = {0}, material = {0};
  for (size_t k = 0; k < t->count; ++k) {
    if (!t->parts[k].shares) put_vertices(t, &t->parts[k]);
  }
  for (size_t k = 0; k < t->count; ++k) {
    if (!t->parts[k].shares) put_uvs(t, &t->parts[k]);
  }
  for (size_t k = 0; k < t->count; ++k) {
    put_name(t, "o ", &object, object_of(t, &t->parts[k]));
    put_name(t, "g ", &groups, groups_of(t, &t->parts[k]));
    put_name(t, "usemtl ", &material, material_of(t, &t->parts[k], &material));
    put_faces(t, &t->parts[k]);
  }
  flush(t, true);
}

void weft_reader_send_scene(int fd, const struct aiScene *scene, const weft_reader_job *job) {
  text t = {.fd = fd, .scene = scene, .most = job->memory / 4, .solids = job->solids};
  struct aiMatrix4x4 identity;
  aiIdentityMatrix4(&identity);
  if (scene->mRootNode) walk(&t, scene->mRootNode, &identity);
  if (t.count == 0) refuse(&t, "no triangles in it");
  t.chunk = t.at = weft_alloc(CHUNK + LONGEST_LINE, 1);
  const weft_foreign_header h = header_of(scene);
  weft_reader_send(fd, &h, sizeof h);
  put_all(&t);
}

#else
typedef int weft_reader_scene_is_empty;
#endif
