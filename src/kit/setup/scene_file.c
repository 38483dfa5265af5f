/* scene_file.c: scene files as an object: read, made, run. */
#include <weft_kit/scene.h>

#include <string.h>

#include "files.h"
#include "output.h"
#include "setup_internal.h"

enum { FRAMES = 120 };

struct weft_scene_file {
  weft_setup setup;
  weft_scene_instance scene;
};

/* What a file says, made. */
static weft_result make(weft_scene_file *made, weft_error *err) {
  weft_setup *setup = &made->setup;
  weft_result result = weft_setup_settle(setup, err);
  if (result == WEFT_OK) result = weft_setup_check_subject(setup, err);
  if (result == WEFT_OK) {
    const char *name = setup->mesh ? NULL : setup->scene;
    result = weft_setup_make(setup, name, setup->size, &made->scene, err);
  }
  return weft_setup_locate(setup, result, err);
}

/* What owns its memory; all else goes with the scope. */
static void release(void *made) { weft_model_destroy(((weft_scene_file *)made)->scene.model); }

/* What makes the setup of it: a file or a text. */
typedef struct origin {
  const char *path, *text, *folder;
} origin;

static weft_result read_setup(weft_setup *setup, const origin *from, weft_error *err) {
  if (from->path) return weft_setup_read(setup, from->path, err);
  const size_t length = from->folder ? strlen(from->folder) : 0;
  const bool open = length > 0 && from->folder[length - 1] != '/';
  weft_string folder = {0};
  weft_string_add(&folder, "%s%s", length > 0 ? from->folder : "", open ? "/" : "");
  weft_result result =
      weft_setup_read_text(setup, from->text, strlen(from->text), "scene", folder.bytes, err);
  weft_string_free(&folder);
  return result;
}

static weft_result create(const origin *from, weft_scene_file **scene, weft_error *err) {
  weft_scene_file *made = weft_alloc(1, sizeof *made);
  made->setup = weft_setup_empty();
  weft_deferred *deferred = weft_defer(release, made);
  weft_error why = {0};
  weft_result result = read_setup(&made->setup, from, &why);
  if (result == WEFT_OK) result = make(made, &why);
  weft_defer_end(deferred);
  if (result == WEFT_OK) {
    *scene = made;
    return WEFT_OK;
  }
  weft_scene_file_destroy(made);
  return weft_fail(err, result, "%s", why.message);
}

weft_result weft_scene_file_read(const char *path, weft_scene_file **scene, weft_error *err) {
  WEFT_NEED(scene);
  *scene = NULL;
  WEFT_NEED(path);
  WEFT_GUARD(err);
  return create(&(origin){.path = path}, scene, err);
}

weft_result weft_scene_file_parse(const char *text, const char *folder, weft_scene_file **scene,
                                  weft_error *err) {
  WEFT_NEED(scene);
  *scene = NULL;
  WEFT_NEED(text);
  WEFT_GUARD(err);
  return create(&(origin){.text = text, .folder = folder}, scene, err);
}

weft_result weft_scene_file_write(const weft_scene_file *scene, const char *path, weft_error *err) {
  WEFT_NEED(scene);
  WEFT_NEED(path);
  WEFT_GUARD(err);
  char *text = NULL;
  weft_output *out = NULL;
  weft_result result = weft_setup_write(&scene->setup, &scene->scene, path, &text, err);
  if (result == WEFT_OK) result = weft_output_open(path, &out, err);
  if (result == WEFT_OK) {
    fputs(text, weft_output_file(out));
    result = weft_output_close(out, err);
  }
  weft_free(text);
  return result;
}

void weft_scene_file_destroy(weft_scene_file *scene) {
  if (!scene) return;
  weft_scene_free(&scene->scene);
  weft_setup_free(&scene->setup);
  weft_free(scene);
}

const weft_model *weft_scene_file_model(const weft_scene_file *scene) {
  return scene ? scene->scene.model : NULL;
}

const weft_params *weft_scene_file_params(const weft_scene_file *scene) {
  return scene ? &scene->scene.params : NULL;
}

uint32_t weft_scene_file_frames(const weft_scene_file *scene) {
  return !scene ? 0 : scene->setup.frames ? scene->setup.frames : FRAMES;
}

weft_result weft_scene_file_solver(const weft_scene_file *scene, const weft_backend *backend,
                                   weft_solver **solver, weft_error *err) {
  WEFT_NEED(solver);
  *solver = NULL;
  WEFT_NEED(scene);
  WEFT_NEED(backend);
  WEFT_GUARD(err);
  return weft_solver_create(scene->scene.model, &scene->scene.params, backend, solver, err);
}

weft_result weft_scene_file_step(weft_scene_file *scene, weft_solver *solver, weft_error *err) {
  WEFT_NEED(scene);
  WEFT_NEED(solver);
  WEFT_GUARD(err);
  return weft_scene_step(&scene->scene, solver, err);
}

const char *weft_scene_builtin(uint32_t index) {
  const weft_scene *scene = weft_scene_at(index);
  return scene ? scene->name : NULL;
}
