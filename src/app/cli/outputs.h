/* outputs.h: where the cloth goes that simulate is asked to write: -o, several times. */
#ifndef WEFT_CLI_OUTPUTS_H
#define WEFT_CLI_OUTPUTS_H

#include <weft_kit/export.h>

#include "cli.h"
#include "numbered.h"

enum { WEFT_CLI_MAX_OUTPUTS = 16 };

typedef struct weft_cli_output {
  const char *path;
  weft_numbered pattern; /* of frames; with instances of these */
  const weft_export_format *format;
  weft_export **caches; /* [instances] that take every frame; each NULL once it is closed */
  bool failed;          /* it takes nothing more */
  uint64_t last;        /* number of the latest file, of those that are numbered */
} weft_cli_output;

/* Zero-initialised: nothing is written. */
typedef struct weft_cli_outputs {
  weft_cli_output items[WEFT_CLI_MAX_OUTPUTS];
  uint32_t count;
  uint32_t instances, particles; /* particles of one */
  weft_source source;
  uint32_t *links;
  weft_export_desc desc; /* all but paths and formats */
  bool from_file;        /* the source is what was read, and not the scene's own mesh */
  weft_vec3 *positions, *placed;
  uint64_t frame;       /* the latest that was written */
  uint32_t first_frame; /* number of the start in what is written */
  bool first_given;
  uint64_t left_by; /* process whose files go on; 0: none */
  uint32_t failures;
  bool failed; /* the error is one of writing: WEFT_EXIT_OUTPUT */
} weft_cli_outputs;

bool weft_cli_outputs_have(const weft_cli_outputs *outputs, const char *path);
/* One -o more. */
weft_result weft_cli_outputs_add(weft_cli_outputs *outputs, const char *path, weft_error *err);
/* Before anything runs: whether there is a format for each, by its ending or, where it has none, by
 * `format`, an ending without the dot or NULL for obj; and whether all can be written, none over
 * what the options name to be read. */
weft_result weft_cli_outputs_check(weft_cli_outputs *outputs, const char *format,
                                   const weft_cli_options *options, weft_error *err);

/* The numbers of numbered files: of frames after the start, or of instances. */
typedef struct weft_cli_numbers {
  uint64_t first, last;
} weft_cli_numbers;
weft_cli_numbers weft_cli_outputs_numbers(const weft_cli_outputs *outputs,
                                          const weft_cli_options *options);

/* WEFT_ERROR_ARGUMENT where two of them, or of the others that are written, write one file. others:
 * [count], each may be NULL. After weft_cli_outputs_check. */
weft_result weft_cli_outputs_apart(const weft_cli_outputs *outputs, const char *const *others,
                                   uint32_t count, const weft_cli_options *options,
                                   weft_error *err);

/* Begins what takes every frame; so many frames come at most, the start not counted. */
weft_result weft_cli_outputs_open(weft_cli_outputs *outputs, const weft_cli_options *options,
                                  const weft_cli_session *session, weft_error *err);
/* Those that take every frame get the frames up to this one, the start included, that an earlier
 * run wrote. WEFT_ERROR_FORMAT where a file does not hold them. */
weft_result weft_cli_outputs_resume(weft_cli_outputs *outputs, const weft_kept_state *state,
                                    weft_error *err);
/* What they have so far is needed to go on; and what earlier runs left no longer. */
weft_result weft_cli_outputs_hold(weft_cli_outputs *outputs, weft_error *err);
void weft_cli_outputs_forget(const weft_cli_outputs *outputs);
/* Whether any takes every frame. */
bool weft_cli_outputs_take_all(const weft_cli_outputs *outputs);
/* A frame, 0 being the start, of all instances, for those that take every one. One that cannot be
 * written is named, keeps the frames before and takes nothing more; the others go on, and it is an
 * error where there are none. */
weft_result weft_cli_outputs_frame(weft_cli_outputs *outputs, const weft_kept_state *state,
                                   uint64_t frame, weft_error *err);
/* The last frame, for those that take one; then completes all files, whatever became of others. An
 * error where one failed, then or before. */
weft_result weft_cli_outputs_close(weft_cli_outputs *outputs, const weft_kept_state *state,
                                   uint64_t frame, weft_error *err);
/* Frees all there is; files that are not complete go. */
void weft_cli_outputs_free(weft_cli_outputs *outputs);

/* A file's name, of a frame or an instance. */
void weft_cli_output_name(const weft_cli_output *output, uint64_t number, char *name, size_t size);

/* Whether a file that is written at the end can be: weft_output_check; WEFT_ERROR_ARGUMENT for one
 * that the options name to be read. From then on standard output is for it alone where its name
 * is "-". NULL is nothing to be written. */
weft_result weft_cli_output_check(const weft_cli_options *options, const char *path,
                                  weft_error *err);

#endif
