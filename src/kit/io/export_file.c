/* export_file.c: the life of a file that frames are written to. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "export_internal.h"
#include "files.h"
#include "output.h"

/* ---- what can be written ---- */

static weft_result find_writer(const weft_export_desc *desc, const weft_export_writer **writer,
                               weft_error *err) {
  const weft_export_format *wanted =
      desc->format ? desc->format : weft_export_format_of(desc->path);
  for (*writer = weft_export_writers; (*writer)->format.name; ++*writer) {
    if (&(*writer)->format == wanted) return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: its ending is of no format that is written",
                   weft_shown_path(desc->path));
}

static weft_result check_desc(const weft_export_desc *desc, weft_error *err) {
  const char *path = weft_shown_path(desc->path);
  if (!isfinite(desc->frame_seconds) || desc->frame_seconds < 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: frames of %g s", path, desc->frame_seconds);
  }
  if (desc->frame_count > INT32_MAX || desc->first_frame > INT32_MAX - desc->frame_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %u frames from number %u on are too many", path,
                     desc->frame_count, desc->first_frame);
  }
  for (size_t k = 0; k < 2 * (size_t)desc->link_count; ++k) {
    if (desc->links[k] < desc->source->vertex_count) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: line %zu names vertex %u, and there are %u",
                     path, k / 2, desc->links[k], desc->source->vertex_count);
  }
  return WEFT_OK;
}

/* What is completed at the end must be a file, not a pipe. */
static weft_result check_place(const weft_export *c, weft_error *err) {
  if (!c->writer->finish) return WEFT_OK;
  bool standard = strcmp(c->desc.path, "-") == 0; /* may be a file that is added to */
  if (!standard && fseeko(weft_export_file(c), 0, SEEK_SET) == 0) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "%s: %s is completed at its beginning, so it goes into a file, not a pipe",
                   standard ? "standard output" : weft_shown_path(c->desc.path),
                   c->writer->format.name);
}

/* ---- life ---- */

static void release(weft_export *c) {
  weft_owned_end(&c->owned);
  if (c->writer->free) c->writer->free(c);
  weft_free((char *)(uintptr_t)c->desc.path);
  weft_free(c->latest);
  weft_free(c->ends);
  weft_free(c);
}

void weft_export_abandon(weft_export *cache) {
  if (!cache) return;
  if (cache->owned.lost) {
    weft_owned_release(&cache->owned);
    return;
  }
  weft_output_abandon(cache->output);
  release(cache);
}

static weft_export *new_cache(const weft_export_desc *desc, const weft_export_writer *writer) {
  weft_export *c = weft_alloc(1, sizeof *c);
  *c = (weft_export){.desc = *desc, .writer = writer};
  c->desc.path = weft_strdup(desc->path);
  c->desc.format = &writer->format;
  if (c->desc.frame_seconds == 0) c->desc.frame_seconds = 1.0 / 60;
  if (c->desc.frame_count == 0) c->desc.frame_count = 1;
  if (!writer->format.animated) {
    c->latest = weft_alloc(desc->source->vertex_count, sizeof *c->latest);
  }
  return c;
}

static weft_result begin(weft_export *c, weft_error *err) {
  if (c->writer->own_file) return weft_output_check(c->desc.path, err);
  weft_result result = weft_output_open(c->desc.path, &c->output, err);
  if (result == WEFT_OK) result = check_place(c, err);
  if (result != WEFT_OK || !c->writer->begin) return result;
  result = c->writer->begin(c, err);
  return result == WEFT_OK && ferror(weft_export_file(c)) ? weft_export_failed(c, err) : result;
}

weft_result weft_export_open(const weft_export_desc *desc, weft_export **cache, weft_error *err) {
  WEFT_NEED(cache);
  *cache = NULL;
  WEFT_GUARD(err);
  WEFT_NEED(desc);
  WEFT_NEED(desc->path);
  WEFT_NEED(desc->source);
  WEFT_NEED_ITEMS(desc->links, desc->link_count);
  const weft_export_writer *writer;
  weft_result result = find_writer(desc, &writer, err);
  if (result == WEFT_OK) result = check_desc(desc, err);
  if (result != WEFT_OK) return result;
  weft_export *c = new_cache(desc, writer);
  result = begin(c, err);
  if (result == WEFT_OK) {
    weft_owned_begin(&c->owned);
    *cache = c;
  } else {
    weft_export_abandon(c);
  }
  return result;
}

/* ---- frames ---- */

static weft_result check_frame(const weft_export *c, const weft_vec3 *placed, weft_error *err) {
  const char *path = weft_shown_path(c->desc.path);
  if (c->writer->format.animated && c->frames >= c->desc.frame_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: more than the %u frames that were announced",
                     path, c->desc.frame_count);
  }
  for (uint32_t v = 0; v < c->desc.source->vertex_count; ++v) {
    if (weft_v3_finite(placed[v])) continue;
    return weft_fail(err, WEFT_ERROR_NOT_FINITE, "%s: not written: vertex %u is not finite", path,
                     v);
  }
  return WEFT_OK;
}

/* On the disk, so that a frame is good or the one that failed. */
static weft_result write_frame(weft_export *c, const weft_vec3 *placed, weft_error *err) {
  FILE *file = weft_export_file(c);
  errno = 0;
  c->writer->frame(c, placed);
  const bool written = ferror(file) == 0 && fflush(file) == 0;
  const off_t end = written && c->writer->finish ? ftello(file) : 0;
  if (!written || end < 0) {
    weft_fail(&c->why, WEFT_ERROR_FILE, "%s: frame %u: cannot write: %s",
              weft_shown_path(c->desc.path), c->frames, strerror(errno));
    return weft_fail(err, c->why.code, "%s", c->why.message);
  }
  void *ends = c->ends;
  weft_grow(&ends, &c->room, c->frames + (size_t)1, sizeof *c->ends);
  c->ends = ends;
  c->ends[c->frames] = (uint64_t)end;
  return WEFT_OK;
}

weft_result weft_export_frame(weft_export *cache, const weft_vec3 *placed, weft_error *err) {
  WEFT_NEED(cache);
  WEFT_NEED(placed);
  WEFT_GUARD_CHANGE(&cache->owned, err);
  if (cache->why.code != WEFT_OK) return weft_fail(err, cache->why.code, "%s", cache->why.message);
  weft_result result = check_frame(cache, placed, err);
  if (result != WEFT_OK) return result;
  if (cache->latest) {
    memcpy(cache->latest, placed, cache->desc.source->vertex_count * sizeof *placed);
  } else {
    result = write_frame(cache, placed, err);
  }
  if (result == WEFT_OK) cache->frames++;
  return result;
}

/* ---- the end ---- */

static weft_result complete(weft_export *c, weft_error *err) {
  if (c->frames == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: not written: it got no frame",
                     weft_shown_path(c->desc.path));
  }
  if (c->latest) return c->writer->still(c, c->latest, err);
  if (!c->writer->finish) return WEFT_OK;
  weft_result result = c->writer->finish(c, err);
  if (result != WEFT_OK) return result;
  errno = 0;
  const bool written = ferror(weft_export_file(c)) == 0 && fflush(weft_export_file(c)) == 0;
  return written ? WEFT_OK : weft_export_failed(c, err);
}

/* Of the frames that are whole as many as there is room for, with what stands behind them. */
static bool keep_good(weft_export *c) {
  weft_error ignored;
  if (!c->writer->finish) return false;
  for (; c->frames > 0; --c->frames) {
    if (!weft_output_cut(c->output, c->ends[c->frames - 1])) return false;
    if (complete(c, &ignored) == WEFT_OK) return true;
    if (!c->writer->appends) return false;
  }
  return false;
}

static weft_result close_kept(weft_export *c, weft_error *err) {
  const uint32_t last = c->frames - 1;
  weft_result result = weft_output_close(c->output, err);
  c->output = NULL;
  if (result != WEFT_OK) return result;
  return weft_fail(err, WEFT_ERROR_FILE, "%.900s; frames 0 to %u are kept", c->why.message, last);
}

static weft_result close_failed(weft_export *c, weft_error *err) {
  if (keep_good(c)) return close_kept(c, err);
  weft_output_abandon(c->output);
  return weft_fail(err, WEFT_ERROR_FILE, "%s", c->why.message);
}

static weft_result close_whole(weft_export *c, weft_error *err) {
  weft_error why = {.code = WEFT_OK};
  weft_result result = complete(c, &why);
  if (result == WEFT_OK) return c->output ? weft_output_close(c->output, err) : WEFT_OK;
  c->why = why;
  if (result == WEFT_ERROR_FILE && !c->latest) return close_failed(c, err);
  weft_output_abandon(c->output);
  return weft_fail(err, why.code, "%s", why.message);
}

static weft_result close_file(weft_export *c, weft_error *err) {
  WEFT_GUARD_CHANGE(&c->owned, err);
  return c->why.code == WEFT_OK ? close_whole(c, err) : close_failed(c, err);
}

weft_result weft_export_close(weft_export *cache, weft_error *err) {
  WEFT_NEED(cache);
  weft_result result = close_file(cache, err);
  if (cache->owned.lost) {
    weft_owned_release(&cache->owned);
  } else {
    release(cache);
  }
  return result;
}
