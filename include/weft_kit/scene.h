/* weft_kit/scene.h: scene files: a cloth, what it meets and what changes over time, as one JSON
 * file, and a run of it. docs/scenes.md lists the keys; docs/scene.schema.json is their schema.
 *
 *   weft_scene_file *scene;
 *   weft_scene_file_read("skirt.weft.json", &scene, &err);
 *   weft_scene_file_solver(scene, weft_backend_cpu(0), &solver, &err);
 *   for (uint32_t f = 0; f < weft_scene_file_frames(scene); ++f) {
 *     weft_scene_file_step(scene, solver, &err);
 *   }
 *
 * The state is that of `weft simulate skirt.weft.json`, bit for bit. */
#ifndef WEFT_KIT_SCENE_H
#define WEFT_KIT_SCENE_H

#include <weft/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_scene_file weft_scene_file;

/* Reads a scene file and makes all that is in it ready: meshes, bodies with their motions, the
 * model. Paths in it are relative to its folder.
 *
 * WEFT_ERROR_FILE for a file that cannot be read; WEFT_ERROR_FORMAT for what is no scene file. Any
 * message names file, line and key, the value and what is allowed. Else the errors of the functions
 * that read meshes and motions and make models. */
WEFT_API weft_result weft_scene_file_read(const char *path, weft_scene_file **scene,
                                          weft_error *err);
/* The same of its text. `folder`: what its paths are relative to. Default, and what NULL means: the
 * folder we are in. A built-in scene is {"weft": 1, "cloth": {"scene": "skirt"}}. */
WEFT_API weft_result weft_scene_file_parse(const char *text, const char *folder,
                                           weft_scene_file **scene, weft_error *err);
/* Writes it, a built-in scene with what it has by itself; under a temporary name and renamed.
 * WEFT_ERROR_FILE where it cannot be written. */
WEFT_API weft_result weft_scene_file_write(const weft_scene_file *scene, const char *path,
                                           weft_error *err);
/* No solver of it may be stepped after it. */
WEFT_API void weft_scene_file_destroy(weft_scene_file *scene);

/* They belong to it and live as long. */
WEFT_API const weft_model *weft_scene_file_model(const weft_scene_file *scene);
WEFT_API const weft_params *weft_scene_file_params(const weft_scene_file *scene);
/* How many frames it says; 120 where it does not. 0 for NULL. */
WEFT_API uint32_t weft_scene_file_frames(const weft_scene_file *scene);

/* A solver of it, as weft_solver_create. */
WEFT_API weft_result weft_scene_file_solver(const weft_scene_file *scene,
                                            const weft_backend *backend, weft_solver **solver,
                                            weft_error *err);
/* One frame of a solver of it: before that, pins, bodies and parameters go on by its keys, at the
 * solver's time. Several solvers of it go each for itself, one at a time. Errors as of
 * weft_solver_step and of the functions of weft/change.h. */
WEFT_API weft_result weft_scene_file_step(weft_scene_file *scene, weft_solver *solver,
                                          weft_error *err);

/* The name of the index-th built-in scene, NULL past the last. */
WEFT_API const char *weft_scene_builtin(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
