#define _POSIX_C_SOURCE 200809L
/* What is written frame by frame is read back by weft's own readers, and what a header says is held
 * against the length of the file. */
#include <dirent.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft_kit/export.h>
#include <weft_kit/import.h>

#include "export_resume.h"
#include "motion_rig.h"
#include "output.h"

/* ---- a quad and a triangle in centimetres, with a vertex of no face ---- */

enum { POINTS = 6, FRAMES = 5 };

static const char *const cloth_text =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0.5 0\nv 7 7 7\nf 1 2 3 4\nf 2 5 3\n";

static weft_source read_cloth(float scale) {
  write_text(in_folder("cloth.obj"), cloth_text);
  weft_source source;
  weft_import_desc desc = {.scale = scale};
  assert_int_equal(weft_source_read(in_folder("cloth.obj"), &desc, &source, NULL), WEFT_OK);
  return source;
}

/* Values whose last bits a rounding would lose. */
static weft_vec3 moved(const weft_source *source, uint32_t vertex, uint32_t frame) {
  weft_vec3 p = source->positions[vertex];
  p.x += 0.1f * (float)frame + 1e-7f * (float)vertex;
  p.y *= 1 + (float)frame / 3;
  p.z = frame == 2 ? -0.0f : (float)frame * 1.0000001f / 7;
  return p;
}

static weft_export *begin(const weft_export_desc *desc) {
  weft_export *cache;
  weft_error err = {0};
  if (weft_export_open(desc, &cache, &err) != WEFT_OK) fail_msg("%s", err.message);
  return cache;
}

static void put_frames(weft_export *cache, const weft_source *source, uint32_t count) {
  for (uint32_t frame = 0; frame < count; ++frame) {
    weft_vec3 placed[POINTS];
    for (uint32_t v = 0; v < POINTS; ++v) placed[v] = moved(source, v, frame);
    assert_int_equal(weft_export_frame(cache, placed, NULL), WEFT_OK);
  }
}

static void close_well(weft_export *cache) {
  weft_error err = {0};
  if (weft_export_close(cache, &err) != WEFT_OK) fail_msg("%s", err.message);
}

static uint32_t files_in_folder(void) {
  DIR *all = opendir(folder);
  uint32_t count = 0;
  while (readdir(all)) ++count;
  closedir(all);
  return count - 2;
}

/* ---- point caches ---- */

static void has_frames(const char *name, uint32_t count, double interval) {
  weft_motion_desc desc = {
      .mesh = in_folder("cloth.obj"),
      .motion = in_folder(name),
      .frames_per_second = strcasecmp(strchr(name, '.'), ".mdd") == 0 ? 0 : 1 / interval,
      .max_speed = 1e9};
  weft_source source = read_cloth(1);
  weft_motion *motion = load(&desc);
  assert_int_equal(weft_motion_describe(motion).frame_count, count);
  for (uint32_t frame = 0; frame < count; ++frame) {
    weft_vec3 found[POINTS];
    const double seconds = weft_motion_frame_seconds(motion, frame);
    assert_true(fabs(seconds - frame * interval) < 1e-7);
    at(motion, seconds, found);
    for (uint32_t v = 0; v < POINTS; ++v) {
      weft_vec3 wanted = moved(&source, v, frame);
      assert_memory_equal(&found[v], &wanted, sizeof wanted);
    }
  }
  weft_motion_free(motion);
  weft_source_free(&source);
}

static void point_caches_are_read_back_to_the_bit(void **state) {
  (void)state;
  static const char *const names[] = {"cloth.pc2", "cloth.MDD", "cloth.mdd"};
  weft_source source = read_cloth(1);
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    weft_export_desc desc = {.path = in_folder(names[k]),
                             .source = &source,
                             .frame_seconds = 0.04,
                             .frame_count = FRAMES};
    weft_export *cache = begin(&desc);
    put_frames(cache, &source, FRAMES);
    close_well(cache);
    has_frames(names[k], FRAMES, 0.04);
  }
  weft_source_free(&source);
}

/* As many frames in the header and the file as came, and not as were announced. */
static void a_run_that_stops_early_leaves_whole_caches(void **state) {
  (void)state;
  static const char *const names[] = {"short.pc2", "short.mdd"};
  weft_source source = read_cloth(1);
  for (size_t k = 0; k < 2; ++k) {
    for (uint32_t came = 1; came <= FRAMES; ++came) {
      weft_export_desc desc = {
          .path = in_folder(names[k]), .source = &source, .frame_count = 30000};
      weft_export *cache = begin(&desc);
      put_frames(cache, &source, came);
      close_well(cache);
      struct stat info;
      assert_int_equal(stat(in_folder(names[k]), &info), 0);
      assert_int_equal(info.st_size, (k == 0 ? 32u : 8u + 4u * came) + 12u * POINTS * came);
      has_frames(names[k], came, 1.0 / 60);
    }
  }
  weft_source_free(&source);
}

/* ---- USDA ---- */

static char *read_text(const char *path, size_t *length) {
  static char text[1 << 16];
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  *length = fread(text, 1, sizeof text - 1, file);
  text[*length] = 0;
  fclose(file);
  return text;
}

static const char *const two_frames =
    "#usda 1.0\n(\n    defaultPrim = \"cloth\"\n    endTimeCode = 1         \n"
    "    framesPerSecond = 24.0\n    metersPerUnit = 0.01\n    startTimeCode = 0\n"
    "    timeCodesPerSecond = 24.0\n    upAxis = \"Z\"\n)\n\n"
    "def Mesh \"cloth\"\n{\n    uniform bool doubleSided = 1\n"
    "    int[] faceVertexCounts = [4, 3]\n    int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 2]\n"
    "    uniform token orientation = \"rightHanded\"\n"
    "    uniform token subdivisionScheme = \"none\"\n"
    "    texCoord2f[] primvars:st = [(0, 0), (0.5, 1), (0, 0)] (\n"
    "        interpolation = \"faceVarying\"\n    )\n"
    "    int[] primvars:st:indices = [0, 1, 1, 0, 2, 2, 2]\n"
    "    point3f[] points.timeSamples = {\n"
    "        0: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, -0.5, 0)],\n"
    "        1: [(0, 0, 3), (1, 0, 3), (1, 1, 3), (0, 1, 3), (2, -0.5, 3)],\n    }\n"
    "    float3[] extent.timeSamples = {\n        0: [(0, -0.5, 0), (2, 1, 0)],\n"
    "        1: [(0, -0.5, 3), (2, 1, 3)],\n    }\n\n"
    "    def GeomSubset \"material_1_red__satin_\" (\n        customData = {\n"
    "            string name = \"red ?satin?\"\n        }\n    )\n    {\n"
    "        uniform token elementType = \"face\"\n"
    "        uniform token familyName = \"material\"\n        int[] indices = [0]\n    }\n\n"
    "    def GeomSubset \"group_0_1\" (\n        customData = {\n"
    "            string name = \"1\"\n        }\n    )\n    {\n"
    "        uniform token elementType = \"face\"\n        uniform token familyName = \"group\"\n"
    "        int[] indices = [1]\n    }\n}\n";

/* Announced are more frames than come. */
static void usda_is_this_text(void **state) {
  (void)state;
  write_text(in_folder("parts.obj"),
             "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 -0.5 0\nvt 0 0\nvt 0.5 1\n"
             "usemtl red \"satin\"\nf 1/1 2/2 3/2 4/1\nusemtl unused\nusemtl blue\ng 1\nusemtl\n"
             "f 2 5 3\n");
  weft_source source;
  weft_import_desc import = {.scale = 0.01f};
  assert_int_equal(weft_source_read(in_folder("parts.obj"), &import, &source, NULL), WEFT_OK);
  weft_export_desc desc = {.path = in_folder("parts.usda"),
                           .source = &source,
                           .frame_seconds = 1.0 / 24,
                           .frame_count = 500,
                           .z_up = true};
  weft_export *cache = begin(&desc);
  weft_vec3 placed[5];
  for (int frame = 0; frame < 2; ++frame) {
    for (uint32_t v = 0; v < 5; ++v) {
      placed[v] = source.positions[v];
      placed[v].z = 3.0f * (float)frame;
    }
    assert_int_equal(weft_export_frame(cache, placed, NULL), WEFT_OK);
  }
  close_well(cache);
  size_t length;
  assert_string_equal(read_text(in_folder("parts.usda"), &length), two_frames);
  weft_source_free(&source);
}

/* ---- stills ---- */

static void write_still(const weft_source *source, const char *name, const uint32_t *links,
                        uint32_t link_count) {
  weft_export_desc desc = {.path = in_folder(name),
                           .source = source,
                           .links = links,
                           .link_count = link_count,
                           .frame_count = 3};
  weft_export *cache = begin(&desc);
  put_frames(cache, source, 3); /* the latest is kept */
  close_well(cache);
}

static uint32_t word_at(const char *at_byte) {
  uint32_t word;
  memcpy(&word, at_byte, sizeof word);
  return word;
}

static void ply_has_polygons_and_the_latest_frame(void **state) {
  (void)state;
  static const char *const header =
      "ply\nformat binary_little_endian 1.0\ncomment weft\nelement vertex 6\n"
      "property float x\nproperty float y\nproperty float z\nelement face 2\n"
      "property list uchar int vertex_indices\nend_header\n";
  static const uint32_t corners[7] = {0, 1, 2, 3, 1, 4, 2};
  weft_source source = read_cloth(1);
  size_t length;
  write_still(&source, "cloth.ply", NULL, 0);
  const char *at = read_text(in_folder("cloth.ply"), &length);
  assert_int_equal(length, strlen(header) + 12 * POINTS + 2 + 4 * 7);
  assert_memory_equal(at, header, strlen(header));
  at += strlen(header);
  for (uint32_t v = 0; v < POINTS; ++v, at += 12) {
    const weft_vec3 wanted = moved(&source, v, 2);
    assert_memory_equal(at, &wanted, sizeof wanted);
  }
  for (uint32_t c = 0; c < 7; ++c, at += 4) {
    if (c == 0 || c == 4) assert_int_equal(*at++, c == 0 ? 4 : 3);
    assert_int_equal(word_at(at), corners[c]);
  }
  weft_source_free(&source);
}

static void particles_are_vertices_and_lines(void **state) {
  (void)state;
  weft_source cloth = read_cloth(1);
  const weft_source source = {.vertex_count = POINTS, .positions = cloth.positions, .scale = 1};
  const uint32_t links[4] = {0, 1, 1, 5};
  size_t length;
  write_still(&source, "rope.ply", links, 2);
  const char *text = read_text(in_folder("rope.ply"), &length);
  assert_non_null(strstr(text, "element edge 2\nproperty int vertex1\nproperty int vertex2\n"));
  assert_memory_equal(text + length - sizeof links, links, sizeof links);
  write_still(&source, "rope.obj", links, 2);
  assert_non_null(strstr(read_text(in_folder("rope.obj"), &length), "l 1 2\nl 2 6\np 3\n"));
  write_still(&source, "rope.glb", links, 2);
  text = read_text(in_folder("rope.glb"), &length);
  assert_non_null(strstr(text + 20, "\"mode\":1"));
  assert_non_null(strstr(text + 20, "\"mode\":0"));
  write_still(&source, "rope.gltf", links, 2);
  text = read_text(in_folder("rope.gltf"), &length);
  assert_non_null(strstr(text, "\"mode\": 1"));
  write_still(&source, "rope.usda", links, 2);
  text = read_text(in_folder("rope.usda"), &length);
  assert_non_null(strstr(text, "def Points \"cloth\""));
  assert_non_null(strstr(text, "custom int2[] lines = [(0, 1), (1, 5)]\n"));
  assert_null(strstr(text, "faceVertex"));
  weft_source_free(&cloth);
}

/* A quad and a triangle that meet at an edge, whose ends have other coordinates in each. */
static const char *const seam_text =
    "v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\nv 200 50 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
    "vt 0 1\nvt 0.25 0.125\nf 1/1 2/2 3/3 4/4\nf 2/5 5/1 3/5\n";

/* The container and its numbers by the specification: vertex n of the file is vertex n, those of
 * the seam come again, behind all; v counts downwards. */
static void glb_splits_vertices_at_seams(void **state) {
  (void)state;
  static const uint32_t split[7] = {0, 1, 2, 3, 4, 1, 2};
  static const float uvs[7][2] = {{0, 1}, {1, 1},          {1, 0},         {0, 0},
                                  {0, 1}, {0.25f, 0.875f}, {0.25f, 0.875f}};
  write_text(in_folder("seam.obj"), seam_text);
  weft_source source;
  assert_int_equal(weft_source_read(in_folder("seam.obj"), NULL, &source, NULL), WEFT_OK);
  weft_export_desc desc = {.path = in_folder("seam.glb"), .source = &source, .z_up = true};
  source.scale = 0.01f;
  weft_export *cache = begin(&desc);
  assert_int_equal(weft_export_frame(cache, source.positions, NULL), WEFT_OK);
  close_well(cache);
  size_t length;
  const char *text = read_text(in_folder("seam.glb"), &length);
  assert_memory_equal(text, "glTF\2\0\0\0", 8);
  assert_int_equal(word_at(text + 8), length);
  assert_non_null(strstr(text + 20, "\"rotation\":[-0.70710678"));
  assert_non_null(strstr(text + 20, "\"scale\":[0.0099999997"));
  const char *binary = text + 20 + word_at(text + 12);
  assert_memory_equal(binary + 4, "BIN", 4);
  assert_int_equal(word_at(binary), 7 * (12 + 12 + 8) + 9 * 4);
  const char *normals = binary + 8 + 7 * 12, *coordinates = normals + 7 * 12;
  for (size_t k = 0; k < 7; ++k) {
    const float up[3] = {0, 0, 1};
    assert_memory_equal(binary + 8 + 12 * k, &source.positions[split[k]], 12);
    assert_memory_equal(normals + 12 * k, up, sizeof up);
    assert_memory_equal(coordinates + 8 * k, uvs[k], sizeof uvs[k]);
  }
  const uint32_t last[3] = {word_at(coordinates + 56 + 24), word_at(coordinates + 56 + 28),
                            word_at(coordinates + 56 + 32)};
  assert_true(last[0] == 5 && last[1] == 4 && last[2] == 6);
  weft_source_free(&source);
}

/* The importer library brings units and axes to metres and y up as any program does. */
static void importers_read_stills(void **state) {
  (void)state;
  static const char *const names[] = {"seam.glb", "cloth.ply"};
  if (!getenv("WEFT_PROGRAM")) skip();
  for (size_t k = 0; k < 2; ++k) {
    weft_mesh mesh;
    weft_error err = {0};
    if (weft_mesh_import(in_folder(names[k]), NULL, &mesh, &err) != WEFT_OK) {
      fail_msg("%s", err.message);
    }
    weft_mesh_report report;
    weft_mesh_inspect(&mesh, &report);
    assert_int_equal(report.vertex_count, 5);
    assert_int_equal(report.triangle_count, 3);
    if (k == 0) {
      near_point(report.box_min, 0, 0, -1, 1e-6);
      near_point(report.box_max, 2, 0, 0, 1e-6);
    }
    weft_mesh_free(&mesh);
  }
}

/* ---- meshes that come from no file ---- */

static void a_grid_has_texture_coordinates(void **state) {
  (void)state;
  weft_mesh mesh;
  weft_grid_desc desc = {.rows = 3, .columns = 5};
  weft_source source;
  assert_int_equal(weft_mesh_grid(&desc, &mesh, NULL), WEFT_OK);
  assert_int_equal(weft_source_from_mesh(&mesh, &source, NULL), WEFT_OK);
  assert_int_equal(source.vertex_count, 15);
  assert_int_equal(source.face_count, mesh.triangle_count);
  assert_memory_equal(source.positions, mesh.positions, 15 * sizeof *mesh.positions);
  assert_memory_equal(source.corners, mesh.triangles, 3 * mesh.triangle_count * sizeof(uint32_t));
  for (uint32_t c = 0; c < source.corner_count; ++c) {
    const uint32_t v = source.corners[c];
    const float *uv = source.uvs[source.corner_uvs[c]];
    assert_true(uv[0] == (float)(v % 5) / 4 && uv[1] == 1 - (float)(v / 5) / 2);
  }
  weft_source_free(&source);
  weft_mesh_free(&mesh);
}

/* ---- files appear whole or not at all ---- */

static void an_older_file_stays_until_the_new_one_is_whole(void **state) {
  (void)state;
  weft_source source = read_cloth(1);
  const char *path = in_folder("old.pc2");
  for (int ending = 0; ending < 2; ++ending) { /* given up, and closed without a frame */
    write_text(path, "what was there");
    const uint32_t files = files_in_folder();
    weft_export_desc desc = {.path = path, .source = &source, .frame_count = FRAMES};
    weft_export *cache = begin(&desc);
    assert_int_equal(files_in_folder(), files + 1);
    if (ending == 0) {
      put_frames(cache, &source, 2);
      weft_export_abandon(cache);
    } else {
      assert_int_equal(weft_export_close(cache, NULL), WEFT_ERROR_ARGUMENT);
    }
    assert_int_equal(files_in_folder(), files);
    char text[20] = "";
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(text, 1, sizeof text, file), 14);
    fclose(file);
    assert_string_equal(text, "what was there");
  }
  weft_source_free(&source);
}

/* ---- refusals ---- */

static void refuses(const weft_export_desc *desc, weft_result code, const char *words) {
  weft_export *cache = (weft_export *)&code;
  weft_error err = {0};
  assert_int_equal(weft_export_open(desc, &cache, &err), code);
  assert_null(cache);
  if (!strstr(err.message, words)) fail_msg("\"%s\" lacks \"%s\"", err.message, words);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  weft_source source = read_cloth(1);
  weft_export_desc desc = {.path = in_folder("x.pc2"), .source = &source, .frame_count = 2};
  weft_export_desc other = desc;
  other.path = in_folder("x.stl");
  refuses(&other, WEFT_ERROR_ARGUMENT, "x.stl: its ending is of no format");
  other.path = "/no/such/folder/x.pc2";
  refuses(&other, WEFT_ERROR_FILE, "/no/such/folder/x.pc2: cannot write");
  other = desc;
  other.frame_seconds = (double)NAN;
  refuses(&other, WEFT_ERROR_ARGUMENT, "frames of nan s");
  other = desc;
  other.path = "-";
  other.format = weft_export_format_of("x.pc2");
  refuses(&other, WEFT_ERROR_ARGUMENT, "standard output: PC2");
  const uint32_t links[2] = {0, 6};
  other = desc;
  other.links = links;
  other.link_count = 1;
  refuses(&other, WEFT_ERROR_ARGUMENT, "names vertex 6, and there are 6");
  other.links = NULL;
  refuses(&other, WEFT_ERROR_ARGUMENT, "links");
  weft_source_free(&source);
}

static void frames_that_make_no_sense_are_refused(void **state) {
  (void)state;
  weft_source source = read_cloth(1);
  weft_export_desc desc = {.path = in_folder("y.pc2"), .source = &source, .frame_count = 2};
  weft_vec3 placed[POINTS] = {{0, 0, 0}};
  weft_export *cache = begin(&desc);
  weft_error err = {0};
  placed[3].y = NAN;
  assert_int_equal(weft_export_frame(cache, placed, &err), WEFT_ERROR_NOT_FINITE);
  assert_non_null(strstr(err.message, "vertex 3 is not finite"));
  put_frames(cache, &source, 2);
  placed[3].y = 0;
  assert_int_equal(weft_export_frame(cache, placed, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "more than the 2 frames"));
  assert_int_equal(weft_export_frame(cache, NULL, &err), WEFT_ERROR_ARGUMENT);
  close_well(cache);
  desc.path = in_folder("cloth.obj");
  has_frames("y.pc2", 2, 1.0 / 60);
  assert_int_equal(weft_export_open(NULL, &cache, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_export_open(&desc, NULL, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_export_close(NULL, NULL), WEFT_ERROR_ARGUMENT);
  weft_export_abandon(NULL);
  weft_source_free(&source);
}

static void a_full_disk_is_told_at_once(void **state) {
  (void)state;
  if (access("/dev/full", W_OK) != 0) skip();
  weft_source source = read_cloth(1);
  weft_export_desc desc = {.path = "/dev/full", .source = &source, .frame_count = 100000};
  desc.format = weft_export_format_of(".mdd");
  weft_export *cache;
  weft_error err = {0};
  weft_result result = weft_export_open(&desc, &cache, &err);
  weft_vec3 placed[POINTS] = {{0, 0, 0}};
  for (uint32_t k = 0; k < 1000 && result == WEFT_OK; ++k) {
    result = weft_export_frame(cache, placed, &err);
  }
  assert_int_equal(result, WEFT_ERROR_FILE);
  if (!strstr(err.message, "/dev/full: cannot write: No space left")) fail_msg("%s", err.message);
  weft_export_abandon(cache);
  weft_source_free(&source);
}

static void formats_are_found_by_their_endings(void **state) {
  (void)state;
  for (uint32_t k = 0; weft_export_format_at(k); ++k) {
    const weft_export_format *format = weft_export_format_at(k);
    char name[40];
    snprintf(name, sizeof name, "a.b/c%s", format->ending);
    assert_ptr_equal(weft_export_format_of(name), format);
  }
  assert_ptr_equal(weft_export_format_of("x.PC2"), weft_export_format_of("y.pc2"));
  assert_null(weft_export_format_of("a.pc2/b"));
  assert_null(weft_export_format_of("pc2"));
  assert_null(weft_export_format_of(NULL));
}

/* ---- runs that go on ---- */

static void place_frame(const weft_source *source, uint32_t frame, weft_vec3 placed[POINTS]) {
  for (uint32_t v = 0; v < POINTS; ++v) placed[v] = moved(source, v, frame);
}

static void frames_of_a_killed_run_are_taken(void **state) {
  (void)state;
  static const char *const names[] = {"k.pc2", "k.mdd", "k.usda"};
  weft_source source = read_cloth(0.01f);
  for (int k = 0; k < 3; ++k) {
    char path[400], whole[420];
    snprintf(path, sizeof path, "%s", in_folder(names[k]));
    snprintf(whole, sizeof whole, "%s.whole%s", path, strrchr(path, '.'));
    weft_export_desc desc = {.path = whole, .source = &source, .frame_count = FRAMES};
    weft_export *cache = begin(&desc);
    put_frames(cache, &source, FRAMES);
    close_well(cache);
    desc.path = path;
    desc.frame_count = FRAMES + 7; /* that run was to be longer */
    cache = begin(&desc);
    put_frames(cache, &source, FRAMES - 1);
    assert_int_equal(weft_export_hold(cache, NULL), WEFT_OK);
    weft_export_abandon(cache);
    assert_null(weft_output_aside(path));
    weft_output_set_aside(path, (uint64_t)getpid());
    char *aside = weft_output_aside(path);
    assert_non_null(aside);
    weft_vec3 last[POINTS], other[POINTS];
    place_frame(&source, 2, last);
    place_frame(&source, 1, other);
    desc.frame_count = FRAMES;
    cache = begin(&desc);
    assert_false(weft_export_take(cache, path, 3, last));        /* there is none */
    assert_false(weft_export_take(cache, aside, 3, other));      /* of another run */
    assert_false(weft_export_take(cache, aside, FRAMES, other)); /* too few */
    assert_false(weft_export_take(cache, in_folder("cloth.obj"), 3, last));
    assert_true(weft_export_take(cache, aside, 3, last)); /* -0 as well */
    for (uint32_t f = 3; f < FRAMES; ++f) {
      place_frame(&source, f, other);
      assert_int_equal(weft_export_frame(cache, other, NULL), WEFT_OK);
    }
    close_well(cache);
    char command[900];
    snprintf(command, sizeof command, "cmp '%s' '%s'", path, whole);
    assert_int_equal(system(command), 0);
    cache = begin(&desc); /* and of one that is whole */
    assert_true(weft_export_take(cache, whole, 3, last));
    weft_export_abandon(cache);
    weft_output_forget_aside(path);
    assert_null(weft_output_aside(path));
    weft_free(aside);
  }
  weft_source_free(&source);
}

/* A kill may come at any moment: what a checkpoint counts on is never changed, only replaced. */
static void frames_that_a_checkpoint_counts_on_stay_as_they_are(void **state) {
  (void)state;
  enum { HEADER = 8, POINT = 12, ROOM = FRAMES + 7 };
  unsigned char before[ROOM * (4 + POINT * POINTS)], after[sizeof before];
  weft_source source = read_cloth(0.01f);
  weft_export_desc desc = {.path = in_folder("stay.mdd"), .source = &source, .frame_count = ROOM};
  weft_export *cache = begin(&desc);
  put_frames(cache, &source, FRAMES);
  assert_int_equal(weft_export_hold(cache, NULL), WEFT_OK);
  char temporary[400];
  snprintf(temporary, sizeof temporary, "%s.tmp.%ld", in_folder("stay.mdd"), (long)getpid());
  FILE *file = fopen(temporary, "rb");
  assert_non_null(file);
  const size_t size = fread(before, 1, sizeof before, file);
  assert_int_equal(size, HEADER + 4 * ROOM + POINT * POINTS * FRAMES);
  close_well(cache);
  rewind(file);
  assert_int_equal(fread(after, 1, sizeof after, file), size);
  assert_memory_equal(after, before, size);
  fclose(file);
  struct stat info;
  assert_int_equal(stat(in_folder("stay.mdd"), &info), 0);
  assert_int_equal(info.st_size, HEADER + (4 + POINT * POINTS) * FRAMES);
  weft_source_free(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(point_caches_are_read_back_to_the_bit),
      cmocka_unit_test(a_run_that_stops_early_leaves_whole_caches),
      cmocka_unit_test(frames_of_a_killed_run_are_taken),
      cmocka_unit_test(frames_that_a_checkpoint_counts_on_stay_as_they_are),
      cmocka_unit_test(usda_is_this_text),
      cmocka_unit_test(ply_has_polygons_and_the_latest_frame),
      cmocka_unit_test(particles_are_vertices_and_lines),
      cmocka_unit_test(glb_splits_vertices_at_seams),
      cmocka_unit_test(importers_read_stills),
      cmocka_unit_test(a_grid_has_texture_coordinates),
      cmocka_unit_test(an_older_file_stays_until_the_new_one_is_whole),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(frames_that_make_no_sense_are_refused),
      cmocka_unit_test(a_full_disk_is_told_at_once),
      cmocka_unit_test(formats_are_found_by_their_endings),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
