/* weft_kit/export.h: what cloth does, as files that other programs read: caches, which hold every
 * frame, and stills, which hold one.
 *
 * Positions go in as weft_source_place gives them: in number, order, unit and axis of the file that
 * the cloth came from. A cache is written as frames come and holds one of them in memory at most,
 * whatever their number. It stands under a temporary name until it is closed, so that an older file
 * stays whole where something fails. docs/formats.md says what each format holds. */
#ifndef WEFT_KIT_EXPORT_H
#define WEFT_KIT_EXPORT_H

#include <weft_kit/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A format that is written. */
typedef struct weft_export_format {
  const char *name;   /* "PC2" */
  const char *ending; /* of file names, ".pc2" */
  bool animated;      /* a cache of all frames; false: a still, of the latest one */
} weft_export_format;

/* Those there are, from 0; NULL behind the last. */
WEFT_API const weft_export_format *weft_export_format_at(uint32_t index);
/* By the ending of a name, in capitals or not; NULL for one that is not known, and for none. */
WEFT_API const weft_export_format *weft_export_format_of(const char *path);

/* What to write. Everything zero or NULL but `path` and `source` is fine. What pointers lead to
 * must last until the cache is closed. */
typedef struct weft_export_desc {
  const char *path;                 /* where it goes; "-": standard output, for stills. Needed */
  const weft_export_format *format; /* default: by the ending of `path` */
  /* Vertices and faces as the file has them, texture coordinates, groups and materials; scale is
   * metres a unit. One without faces is of particles. Needed. */
  const weft_source *source;
  const weft_mesh_map *map; /* which of its vertices are one, for normals. Default: none */
  /* Lines between particles: [2*link_count] vertices. */
  const uint32_t *links;
  uint32_t link_count;
  double frame_seconds; /* from a frame to the next, above 0. Default 1/60 */
  uint32_t frame_count; /* the maximum number of frames that will come, at least 1. Default 1 */
  /* The number of the start: PC2's first frame, USD's first time code, and an MDD's times begin
   * after so many frames. Default 0. */
  uint32_t first_frame;
  bool z_up; /* the file's z points up. Default: y */
} weft_export_desc;

typedef struct weft_export weft_export;

/* Begins a file. WEFT_ERROR_FILE where it cannot be written; WEFT_ERROR_ARGUMENT for an ending that
 * no format has, members out of range, and a format that is completed at its beginning, where it
 * goes into a place that cannot be rewound. */
WEFT_API weft_result weft_export_open(const weft_export_desc *desc, weft_export **cache,
                                      weft_error *err);

/* The next frame: placed, [vertex_count of the source]. A still keeps the latest.
 * WEFT_ERROR_NOT_FINITE for a position that is not finite, WEFT_ERROR_ARGUMENT for more frames than
 * were announced, WEFT_ERROR_FILE where writing fails: no frame is taken from then on, and
 * weft_export_close keeps those before. */
WEFT_API weft_result weft_export_frame(weft_export *cache, const weft_vec3 *placed,
                                       weft_error *err);

/* Completes the file, with as many frames as there were, and gives it its name. Frees the cache
 * whatever comes out. WEFT_ERROR_FILE where writing fails or failed: the file then holds the frames
 * that are whole, as the sentence says, or an older file of that name is as it was, as it is with
 * WEFT_ERROR_ARGUMENT, where there was no frame. */
WEFT_API weft_result weft_export_close(weft_export *cache, weft_error *err);

/* Frees a cache and leaves no file. */
WEFT_API void weft_export_abandon(weft_export *cache);

/* Writes an OBJ file: under a temporary name, checked when closed, then renamed, so that a failure
 * leaves an older file as it was. `positions`, [vertex_count] metres, stand in for those of the
 * mesh where they are not NULL: the triangles of a model with the state of a solver. Nine
 * significant digits, so that reading it gives the same floats. WEFT_ERROR_FILE where it cannot be
 * written, WEFT_ERROR_NOT_FINITE and WEFT_ERROR_MESH where there is no sense in it. */
WEFT_API weft_result weft_mesh_export_obj(const char *path, const weft_mesh *mesh,
                                          const weft_vec3 *positions, weft_error *err);

/* The same for particles without triangles: a line ("l") for each pair of `pairs`, [2*pair_count]
 * indices below `count`, and a point ("p") for each of the `count` positions that no line has.
 * WEFT_ERROR_ARGUMENT for an index out of range. */
WEFT_API weft_result weft_mesh_export_lines(const char *path, const weft_vec3 *positions,
                                            uint32_t count, const uint32_t *pairs,
                                            uint32_t pair_count, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
