/* foreign_child.c: the importer library, in a process of its own with limits on time and memory. It
 * opens regular files in the folder of its file and nothing else. */
#define _POSIX_C_SOURCE 200809L
#include "foreign_pipe.h"

#ifdef WEFT_HAVE_ASSIMP

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the pipe ---- */

static void send_bytes(int fd, const void *bytes, size_t count) {
  const char *at = bytes;
  while (count > 0) {
    ssize_t n = write(fd, at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    at += n;
    count -= (size_t)n;
  }
}

static _Noreturn void send_reason(int fd, weft_foreign_end end, const char *reason) {
  size_t length = strlen(reason);
  weft_foreign_header h = {.magic = WEFT_FOREIGN_MAGIC,
                           .end = end,
                           .text_length = (uint32_t)(length < 400 ? length : 400)};
  send_bytes(fd, &h, sizeof h);
  send_bytes(fd, reason, h.text_length);
  _exit(0);
}

/* ---- limits ---- */

/* Address space used so far plus an allowance: the parent may have mapped a lot. Sanitizers
 * reserve terabytes and carry a limit of their own. */
static void limit_memory(uint64_t allowance) {
#if !defined(__SANITIZE_ADDRESS__)
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)allowance;
  struct rlimit limit = {bytes, bytes};
  if (pages > 0) setrlimit(RLIMIT_AS, &limit);
#else
  (void)allowance;
#endif
}

/* What the parent would do is not this process's to do. */
static _Noreturn void give_up(size_t bytes, void *context) {
  (void)bytes, (void)context;
  _exit(1);
}

static void confine(const weft_foreign_wish *wish) {
  weft_set_out_of_memory(give_up, NULL);
  const int signals[] = {SIGALRM, SIGXCPU, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) signal(signals[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  struct rlimit no_core = {0, 0}, time = {wish->seconds, wish->seconds + 1};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &time);
  limit_memory(wish->memory);
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3 && null >= 0; ++fd) dup2(null, fd); /* the library prints */
}

/* ---- the files that it may open ---- */

/* Of the file that is read, and the first name that led out of it. */
static struct {
  char folder[4096];
  char refused[200];
} gate;

static void set_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  const size_t length = slash ? (size_t)(slash + 1 - path) : 0;
  if (length >= sizeof gate.folder) _exit(1);
  memcpy(gate.folder, path, length);
  gate.folder[length] = 0;
}

static bool may_open(const char *path) {
  const size_t length = strlen(gate.folder);
  const char *name = path;
  /* The library puts the folder before names, once or twice. */
  while (length > 0 && strncmp(name, gate.folder, length) == 0) name += length;
  char *decoded = weft_uri_decode(name);
  const bool stays = weft_name_stays(name) && weft_name_stays(decoded);
  weft_free(decoded);
  if (!stays && !gate.refused[0]) snprintf(gate.refused, sizeof gate.refused, "%s", name);
  return stays;
}

static size_t read_file(struct aiFile *file, char *bytes, size_t size, size_t count) {
  return fread(bytes, size, count, (FILE *)file->UserData);
}

static size_t write_file(struct aiFile *file, const char *bytes, size_t size, size_t count) {
  (void)file, (void)bytes, (void)size, (void)count;
  return 0;
}

static size_t tell_file(struct aiFile *file) { return (size_t)ftell((FILE *)file->UserData); }

static size_t size_file(struct aiFile *file) {
  struct stat info = {0};
  return fstat(fileno((FILE *)file->UserData), &info) == 0 ? (size_t)info.st_size : 0;
}

static aiReturn seek_file(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  const int whence[] = {SEEK_SET, SEEK_CUR, SEEK_END};
  if ((unsigned)origin > aiOrigin_END) return aiReturn_FAILURE;
  return fseek((FILE *)file->UserData, (long)offset, whence[origin]) ? aiReturn_FAILURE
                                                                     : aiReturn_SUCCESS;
}

static void flush_file(struct aiFile *file) { (void)file; }

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode) {
  (void)io;
  if (mode[0] != 'r' || !may_open(path)) return NULL;
  struct stat info = {0};
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  FILE *stream = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? fdopen(fd, "rb") : NULL;
  struct aiFile *file = stream ? malloc(sizeof *file) : NULL;
  if (!file) {
    if (stream) fclose(stream);
    if (!stream) close(fd);
    return NULL;
  }
  *file = (struct aiFile){.ReadProc = read_file,
                          .WriteProc = write_file,
                          .TellProc = tell_file,
                          .FileSizeProc = size_file,
                          .SeekProc = seek_file,
                          .FlushProc = flush_file,
                          .UserData = (aiUserData)stream};
  return file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
  (void)io;
  if (file) fclose((FILE *)file->UserData);
  free(file);
}

/* ---- names ---- */

typedef struct names {
  weft_foreign_name *items;
  uint32_t count;
} names;

/* Faces counted under a name; past the last that there is room for they are not. */
static void count_name(names *n, const struct aiString *name, uint32_t faces) {
  char text[WEFT_FOREIGN_LONGEST_NAME];
  if (name->length == 0 || faces == 0) return;
  snprintf(text, sizeof text, "%.*s", (int)name->length, name->data);
  uint32_t k = 0;
  while (k < n->count && strcmp(n->items[k].name, text) != 0) ++k;
  if (k == WEFT_FOREIGN_NAMES) return;
  if (k == n->count) memcpy(n->items[n->count++].name, text, sizeof text);
  n->items[k].face_count += faces;
}

static uint32_t count_faces(const struct aiMesh *part) {
  uint32_t faces = 0;
  for (unsigned f = 0; f < part->mNumFaces; ++f) faces += part->mFaces[f].mNumIndices >= 3;
  return faces;
}

static bool has_faces(const struct aiScene *scene, const struct aiNode *node) {
  bool some = false;
  for (unsigned k = 0; k < node->mNumMeshes; ++k) {
    some = some || count_faces(scene->mMeshes[node->mMeshes[k]]) > 0;
  }
  for (unsigned k = 0; k < node->mNumChildren; ++k) {
    some = some || has_faces(scene, node->mChildren[k]);
  }
  return some;
}

static void name_of_material(const struct aiScene *scene, const struct aiMesh *part,
                             struct aiString *name) {
  *name = (struct aiString){0};
  if (part->mMaterialIndex >= scene->mNumMaterials) return;
  aiGetMaterialString(scene->mMaterials[part->mMaterialIndex], AI_MATKEY_NAME, name);
  if (strcmp(name->data, AI_DEFAULT_MATERIAL_NAME) == 0)
    *name = (struct aiString){0}; /* of no file */
}

static bool same_name(const struct aiString *a, const struct aiString *b) {
  return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

/* A name that node, mesh and material share counts once. The root is often the library's own, and
 * is everything. */
static uint32_t list_names(const struct aiScene *scene, const struct aiNode *node, names *n) {
  uint32_t below = 0;
  for (unsigned k = 0; k < node->mNumMeshes; ++k) {
    const struct aiMesh *part = scene->mMeshes[node->mMeshes[k]];
    const uint32_t faces = count_faces(part);
    struct aiString material;
    name_of_material(scene, part, &material);
    below += faces;
    if (!same_name(&part->mName, &node->mName)) count_name(n, &part->mName, faces);
    if (!same_name(&material, &node->mName) && !same_name(&material, &part->mName)) {
      count_name(n, &material, faces);
    }
  }
  for (unsigned k = 0; k < node->mNumChildren; ++k) {
    below += list_names(scene, node->mChildren[k], n);
  }
  if (node->mParent || node->mNumMeshes > 0) count_name(n, &node->mName, below);
  return below;
}

static void send_names(int fd, const struct aiScene *scene, weft_foreign_end end) {
  names n = {malloc(WEFT_FOREIGN_NAMES * sizeof *n.items), 0};
  if (!n.items) _exit(1);
  memset(n.items, 0, WEFT_FOREIGN_NAMES * sizeof *n.items);
  list_names(scene, scene->mRootNode, &n);
  weft_foreign_header h = {.magic = WEFT_FOREIGN_MAGIC, .end = end, .name_count = n.count};
  send_bytes(fd, &h, sizeof h);
  send_bytes(fd, n.items, n.count * sizeof *n.items);
  free(n.items);
}

/* ---- the choice of groups ---- */

/* Whether a list with commas between names this; marks which of the list it was. */
static bool is_listed(const char *list, const struct aiString *name, uint64_t *met) {
  bool listed = false;
  uint32_t item = 0;
  for (const char *at = list;; ++at, ++item) {
    at += strspn(at, " \t");
    const size_t whole = strcspn(at, ",");
    size_t length = whole;
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t')) --length;
    if (length > 0 && length == name->length && memcmp(at, name->data, length) == 0) {
      listed = true;
      if (item < 64) *met |= UINT64_C(1) << item;
    }
    at += whole;
    if (*at == 0) return listed;
  }
}

static bool is_part_listed(const struct aiScene *scene, const struct aiMesh *part, const char *list,
                           uint64_t *met) {
  struct aiString material;
  name_of_material(scene, part, &material);
  const bool by_mesh = is_listed(list, &part->mName, met);
  return is_listed(list, &material, met) || by_mesh;
}

static void find_listed(const struct aiScene *scene, const struct aiNode *node, const char *list,
                        uint64_t *met) {
  is_listed(list, &node->mName, met);
  for (unsigned k = 0; k < node->mNumMeshes; ++k) {
    is_part_listed(scene, scene->mMeshes[node->mMeshes[k]], list, met);
  }
  for (unsigned k = 0; k < node->mNumChildren; ++k) {
    find_listed(scene, node->mChildren[k], list, met);
  }
}

/* Leaves a node the meshes that are chosen by its name, one above it, their own or a material's. */
static void keep_listed(const struct aiScene *scene, struct aiNode *node, const char *list,
                        bool all) {
  unsigned kept = 0;
  uint64_t met = 0;
  all = is_listed(list, &node->mName, &met) || all;
  for (unsigned k = 0; k < node->mNumMeshes; ++k) {
    const bool part = is_part_listed(scene, scene->mMeshes[node->mMeshes[k]], list, &met);
    if (all || part) node->mMeshes[kept++] = node->mMeshes[k];
  }
  node->mNumMeshes = kept;
  for (unsigned k = 0; k < node->mNumChildren; ++k) {
    keep_listed(scene, node->mChildren[k], list, all);
  }
}

static uint32_t count_items(const char *list) {
  uint32_t count = 1;
  for (; *list; ++list) count += *list == ',';
  return count;
}

/* Ends with the names that there are where one is asked for that is not. */
static void choose_groups(int fd, const weft_foreign_wish *wish, const struct aiScene *scene) {
  const uint32_t items = count_items(wish->groups);
  uint64_t met = 0;
  if (items > 64) send_reason(fd, WEFT_FOREIGN_REFUSED, "more than 64 groups are asked for");
  find_listed(scene, scene->mRootNode, wish->groups, &met);
  if (met != (items == 64 ? UINT64_MAX : (UINT64_C(1) << items) - 1)) {
    send_names(fd, scene, WEFT_FOREIGN_NAMED);
    _exit(0);
  }
  keep_listed(scene, scene->mRootNode, wish->groups, false);
}

/* ---- the mesh ---- */

static bool is_triangles(const struct aiMesh *part) {
  return part && part->mVertices && part->mFaces && part->mNumFaces > 0;
}

/* What a cloth leaves behind of a file. */
static void note_losses(const struct aiScene *scene, weft_foreign_header *h) {
  h->loses_animation = scene->mNumAnimations > 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m)
    h->loses_skin |= scene->mMeshes[m]->mNumBones > 0;
}

static void count_mesh(int fd, const struct aiScene *scene, weft_foreign_header *h) {
  uint64_t vertices = 0, triangles = 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (!is_triangles(part)) continue;
    vertices += part->mNumVertices;
    for (unsigned f = 0; f < part->mNumFaces; ++f) triangles += part->mFaces[f].mNumIndices == 3;
  }
  if (vertices > WEFT_MESH_MAX_VERTICES || triangles > WEFT_MESH_MAX_TRIANGLES) {
    send_reason(fd, WEFT_FOREIGN_REFUSED, "too many vertices or triangles");
  }
  if (triangles == 0) send_reason(fd, WEFT_FOREIGN_REFUSED, "no triangles in it");
  h->vertex_count = (uint32_t)vertices;
  h->triangle_count = (uint32_t)triangles;
}

static void send_triangles(int fd, const struct aiMesh *part, uint32_t base) {
  uint32_t *chunk = malloc((size_t)part->mNumFaces * 3 * sizeof *chunk), *at = chunk;
  if (!chunk) _exit(1);
  for (unsigned f = 0; f < part->mNumFaces; ++f) {
    if (part->mFaces[f].mNumIndices != 3) continue;
    for (int c = 0; c < 3; ++c) {
      uint32_t index = part->mFaces[f].mIndices[c];
      *at++ = index < part->mNumVertices ? base + index : UINT32_MAX;
    }
  }
  send_bytes(fd, chunk, (size_t)(at - chunk) * sizeof *chunk);
  free(chunk);
}

static void send_mesh(int fd, const struct aiScene *scene, weft_foreign_header h) {
  count_mesh(fd, scene, &h);
  send_bytes(fd, &h, sizeof h);
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (is_triangles(part)) {
      send_bytes(fd, part->mVertices, part->mNumVertices * sizeof *part->mVertices);
    }
  }
  uint32_t base = 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (!is_triangles(part)) continue;
    send_triangles(fd, part, base);
    base += part->mNumVertices;
  }
}

/* ---- how it looks ---- */

/* Of vertex v, `size` of three floats; NAN where the part has none. */
static void send_of_vertices(int fd, const struct aiScene *scene, bool colours) {
  const uint32_t size = colours ? 3 : 2;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (!is_triangles(part)) continue;
    float *chunk = malloc((size_t)part->mNumVertices * size * sizeof *chunk), *at = chunk;
    if (!chunk) _exit(1);
    for (unsigned v = 0; v < part->mNumVertices; ++v, at += size) {
      const struct aiVector3D *uv = part->mTextureCoords[0];
      const struct aiColor4D *colour = part->mColors[0];
      at[0] = at[1] = at[size - 1] = NAN;
      if (colours && colour) at[0] = colour[v].r, at[1] = colour[v].g, at[2] = colour[v].b;
      if (!colours && uv) at[0] = uv[v].x, at[1] = uv[v].y;
    }
    send_bytes(fd, chunk, (size_t)(at - chunk) * sizeof *chunk);
    free(chunk);
  }
}

static void send_materials(int fd, const struct aiScene *scene) {
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (!is_triangles(part)) continue;
    weft_foreign_name of = {.face_count = 0};
    struct aiString material;
    name_of_material(scene, part, &material);
    snprintf(of.name, sizeof of.name, "%.*s", (int)material.length, material.data);
    for (unsigned f = 0; f < part->mNumFaces; ++f)
      of.face_count += part->mFaces[f].mNumIndices == 3;
    send_bytes(fd, &of, sizeof of);
  }
}

static void note_look(const struct aiScene *scene, weft_foreign_header *h) {
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (!is_triangles(part)) continue;
    h->part_count += 1;
    h->has_uvs |= part->mTextureCoords[0] != NULL;
    h->has_colours |= part->mColors[0] != NULL;
  }
  if (h->part_count > WEFT_FOREIGN_NAMES) h->part_count = 0;
}

static void send_look(int fd, const struct aiScene *scene, const weft_foreign_header *h) {
  if (h->has_uvs) send_of_vertices(fd, scene, false);
  if (h->has_colours) send_of_vertices(fd, scene, true);
  if (h->part_count > 0) send_materials(fd, scene);
}

/* ---- the whole ---- */

/* As the file has it; what is made of it comes after the choice of groups. */
static const struct aiScene *import(int fd, const char *path) {
  struct aiPropertyStore *options = aiCreatePropertyStore();
  struct aiFileIO io = {.OpenProc = open_file, .CloseProc = close_file};
  aiSetImportPropertyInteger(options, AI_CONFIG_PP_SBP_REMOVE,
                             aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  set_folder(path);
  const struct aiScene *scene = aiImportFileExWithProperties(path, 0, &io, options);
  if (gate.refused[0]) {
    char reason[300];
    snprintf(reason, sizeof reason, "it names the file \"%s\", which is not in its folder",
             gate.refused);
    send_reason(fd, WEFT_FOREIGN_REFUSED, reason);
  }
  if (!scene) send_reason(fd, WEFT_FOREIGN_FAILED, aiGetErrorString());
  if (!scene->mRootNode) send_reason(fd, WEFT_FOREIGN_REFUSED, "no triangles in it");
  return scene;
}

_Noreturn void weft_foreign_run_child(int fd, const weft_foreign_wish *wish) {
  confine(wish);
  const struct aiScene *scene = import(fd, wish->path);
  weft_foreign_header h = {.magic = WEFT_FOREIGN_MAGIC, .end = WEFT_FOREIGN_MESH};
  note_losses(scene, &h);
  if (wish->list) {
    send_names(fd, scene, WEFT_FOREIGN_LIST);
    _exit(0);
  }
  if (wish->groups) choose_groups(fd, wish, scene);
  /* Without, the library ends badly. */
  if (!has_faces(scene, scene->mRootNode)) {
    send_reason(fd, WEFT_FOREIGN_REFUSED, "no triangles in it");
  }
  scene = aiApplyPostProcessing(
      scene, aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices);
  if (!scene) send_reason(fd, WEFT_FOREIGN_FAILED, aiGetErrorString());
  if (wish->look) note_look(scene, &h);
  send_mesh(fd, scene, h);
  if (wish->look) send_look(fd, scene, &h);
  _exit(0);
}

#else
typedef int weft_foreign_child_is_empty;
#endif
