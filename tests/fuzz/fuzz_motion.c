/* Moving bodies: whatever the bytes, a motion that keeps its promises or one sentence. The first
 * byte chooses the kind of file and what is asked for, the rest is the file; of OBJ files a form
 * feed begins the next one. */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <weft_kit/motion.h>

#include "base.h"
#include "fuzz.h"

enum { KINDS = 6, MOST_FRAMES = 3 };

/* Files of this process's own, removed at its end: the mesh, then one of each kind. */
static const char *const names[KINDS] = {"b.pc2", "b.mdd", "b.glb", "b.gltf", "b.json", "b-%d.obj"};
static char folder[64], mesh[96], paths[KINDS][96];

static void frame_path(char *path, size_t size, int frame) {
  snprintf(path, size, "%s/b-%d.obj", folder, frame);
}

static void remove_files(void) {
  char path[96];
  for (int k = 0; k < KINDS; ++k) unlink(paths[k]);
  for (int k = 0; k < MOST_FRAMES; ++k) {
    frame_path(path, sizeof path, k);
    unlink(path);
  }
  unlink(mesh);
  rmdir(folder);
}

static void write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  EXPECT(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static void start(void) {
  static const char body[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\n";
  const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* in memory */
  snprintf(folder, sizeof folder, "%s/weft-fuzz-XXXXXX", place);
  EXPECT(mkdtemp(folder));
  snprintf(mesh, sizeof mesh, "%s/mesh.obj", folder);
  for (int k = 0; k < KINDS; ++k) snprintf(paths[k], sizeof paths[k], "%s/%s", folder, names[k]);
  write_file(mesh, body, sizeof body - 1);
  atexit(remove_files);
}

static void write_frames(const uint8_t *bytes, size_t size) {
  char path[96];
  for (int k = 0; k < MOST_FRAMES; ++k) {
    const uint8_t *end = k + 1 < MOST_FRAMES && size ? memchr(bytes, '\f', size) : NULL;
    size_t length = end ? (size_t)(end - bytes) : size;
    frame_path(path, sizeof path, k);
    unlink(path);
    if (k == 0 || size > 0) write_file(path, bytes, length);
    size -= end ? length + 1 : length;
    bytes += end ? length + 1 : length;
  }
}

/* One line that a terminal can show: shown once more nothing changes. */
static void expect_sentence(const weft_error *err) {
  char shown[2 * sizeof err->message];
  EXPECT(err->code != WEFT_OK && err->message[0]);
  weft_printable(err->message, strlen(err->message), shown, sizeof shown);
  EXPECT(strcmp(shown, err->message) == 0);
}

static void expect_sound(weft_motion *motion) {
  const weft_mesh *m = weft_motion_mesh(motion);
  weft_motion_info info = weft_motion_describe(motion);
  EXPECT(m->vertex_count > 0 && m->triangle_count > 0);
  EXPECT(info.frame_count > 0 && info.duration >= 0 && info.fastest_speed >= 0);
  EXPECT(info.fastest_vertex < m->vertex_count && info.fastest_frame < info.frame_count);
  for (size_t c = 0; c < 3 * (size_t)m->triangle_count; ++c) {
    EXPECT(m->triangles[c] < m->vertex_count);
  }
  weft_vec3 *positions = malloc(m->vertex_count * sizeof *positions);
  EXPECT(positions);
  const double seconds[] = {0, 0.37 * info.duration, 1e9, info.duration, -1, 0.01};
  for (size_t k = 0; k < sizeof seconds / sizeof *seconds; ++k) {
    weft_error err = {0};
    if (weft_motion_at(motion, seconds[k], positions, &err) != WEFT_OK) {
      expect_sentence(&err);
      continue;
    }
    for (uint32_t v = 0; v < m->vertex_count; ++v) {
      weft_vec3 p = positions[v];
      EXPECT(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
    }
  }
  free(positions);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size == 0) return 0;
  if (!folder[0]) start();
  int kind = bytes[0] % 8 % KINDS;
  bool brings_mesh = kind == 2 || kind == 3 || kind == 5;
  if (kind == 5) {
    write_frames(bytes + 1, size - 1);
  } else {
    write_file(paths[kind], bytes + 1, size - 1);
  }
  weft_motion_desc desc = {.motion = paths[kind],
                           .mesh = brings_mesh ? NULL : mesh,
                           .animation = brings_mesh && kind != 5 && (bytes[0] & 16) ? "0" : NULL,
                           .frames_per_second = kind == 1 ? 0 : 0.05,
                           .max_speed = bytes[0] & 32 ? 0 : DBL_MAX};
  weft_motion *motion = (weft_motion *)&desc;
  weft_error err = {0};
  if (weft_motion_load(&desc, &motion, &err) == WEFT_OK) {
    expect_sound(motion);
  } else {
    EXPECT(!motion);
    expect_sentence(&err);
  }
  weft_motion_free(motion);
  return 0;
}
