/* cli.h: what the commands of the weft program share: options, scene, backend, messages.
 *
 * This room is the only one that prints and exits. A command is a function of the shape
 * int weft_cmd_NAME(int argc, char **argv), argv[0] being its own name; it returns the program's
 * exit status. It says what it takes in a weft_cli_spec, calls weft_cli_parse, and opens a
 * weft_cli_session, which owns scene, GL context and solver. */
#ifndef WEFT_CLI_H
#define WEFT_CLI_H

#include <weft_gl/gl.h>
#include <weft_kit/source.h>

#include "base.h"
#include "inspect.h"
#include "options.h"
#include "scenes.h"
#include "setup.h"
#include "solver_gl.h"

/* Exit statuses of the program; exits.def has the list. */
typedef enum weft_exit {
#define WEFT_EXIT(name, status, meaning) WEFT_EXIT_##name = status,
#include "exits.def"
#undef WEFT_EXIT
} weft_exit;

/* ---- options shared by the commands ---- */

typedef enum weft_cli_backend {
  WEFT_CLI_BACKEND_DEFAULT = 0, /* gl on a GPU; cpu where the driver is a software one or there
                                   is no GL */
  WEFT_CLI_BACKEND_REF,
  WEFT_CLI_BACKEND_GL,
  WEFT_CLI_BACKEND_F64,
  WEFT_CLI_BACKEND_CPU,
} weft_cli_backend;

enum { WEFT_CLI_MAX_VARIED = 4 };

/* One of --vary. */
typedef struct weft_cli_vary {
  int what;
  float from, to;
} weft_cli_vary;

typedef struct weft_cli_options {
  weft_setup setup;     /* what the run is made of; after weft_cli_parse scene or mesh is set (see
                           weft_cli_spec.default_scene) */
  const char *texture;  /* a PNG on the cloth, or NULL */
  const char *reads[3]; /* by options of the command alone: files that it reads besides, or NULL */
  uint32_t frames;      /* always set after weft_cli_parse */
  uint32_t instances;   /* 0 and 1: one */
  weft_cli_vary vary[WEFT_CLI_MAX_VARIED];
  uint32_t vary_count;
  weft_cli_backend backend;
  int beside;       /* weft_beside, of what is drawn */
  uint32_t threads; /* of the backend cpu; 0: all */
  uint32_t group_size;
  bool gl_debug, minimum_limits;
  const char *device; /* as in weft_gl_desc */
  int log;            /* weft_log_level */
  /* Whether other options were given, where their values alone do not say so. */
  bool frames_given, beside_given;
} weft_cli_options;

#define weft_cli_gave(options, name) weft_setup_gave(&(options)->setup, name)

/* Which of the shared tables a command takes; --log and --help it always takes. */
enum {
  WEFT_CLI_SCENE = 1,      /* --scene ... --seed, --links ..., and one positional SCENE|FILE */
  WEFT_CLI_FRAMES = 2,     /* --frames */
  WEFT_CLI_SIMULATION = 4, /* --plain ..., parameters, --ground ... */
  WEFT_CLI_BACKEND = 8,    /* --backend */
  WEFT_CLI_DRAWN = 128,    /* --backend of what is drawn */
  WEFT_CLI_THREADS = 32,   /* --threads */
  WEFT_CLI_INSTANCES = 64, /* --instances, --vary */
  WEFT_CLI_GL = 16,        /* --group-size, --gl-debug, --minimum-limits */
};

typedef struct weft_cli_spec {
  const char *command;       /* "simulate" */
  const char *arguments;     /* "SCENE|FILE [options]" */
  const char *summary;       /* a paragraph for --help */
  const char *notes;         /* printed after the options; may be NULL */
  unsigned tables;           /* WEFT_CLI_... */
  const char *default_scene; /* with WEFT_CLI_SCENE, when none is named; NULL: one is required */
  const char **instead_of_scene; /* the value of an option that, given, stands in for a scene and
                                    leaves both scene and mesh NULL; may be NULL */
  bool beside_scene;             /* ... or stands beside one that is named */
  uint32_t default_frames;       /* with WEFT_CLI_FRAMES */
  uint32_t max_positionals;      /* of the command's own */
  const weft_option *extra;      /* the command's own options, their offsets into extra_base */
  size_t extra_count;
  void *extra_base;
  weft_positionals *positionals; /* where its own positionals go, also with WEFT_CLI_SCENE; NULL:
                                    none of its own */
} weft_cli_spec;

/* Reads the command line. True: go on. False: return *exit_status (0 after help, 2 after a
 * sentence on stderr). Sets the log level. */
bool weft_cli_parse(const weft_cli_spec *spec, int argc, char **argv, weft_cli_options *options,
                    int *exit_status);
void weft_cli_options_free(weft_cli_options *options);
/* Whether a word on the command line is a file rather than a scene. */
bool weft_cli_names_file(const char *text);
/* The error of a word that is neither; `hint` ends the sentence. */
weft_result weft_cli_no_scene(const char *name, const char *hint, weft_error *err);
/* The help of an option about scene or simulation that is no parameter, NULL for others. */
const char *weft_cli_help_of(const char *option);

/* ---- scene, backend, solver ---- */

/* One scene by name and size, or without a name the mesh that the options name, with the options
 * applied to its parameters; whatever is asked for in --instances. */
weft_result weft_cli_make_one_scene(const weft_cli_options *options, const char *name,
                                    uint32_t size, weft_scene_instance *scene, weft_error *err);
/* Warns of a mesh from a file that cannot be in metres, or hangs by a few vertices. */
void weft_cli_warn_mesh(const weft_cli_options *options, const weft_scene_instance *scene);
/* The scene or imported mesh the options name, as many times as --instances says. */
weft_result weft_cli_make_scene(const weft_cli_options *options, weft_scene_instance *scene,
                                weft_error *err);
/* The same for one scene by name and size, for commands that run through several. */
weft_result weft_cli_make_scene_sized(const weft_cli_options *options, const char *name,
                                      uint32_t size, weft_scene_instance *scene, weft_error *err);
weft_gl_desc weft_cli_gl_desc(const weft_cli_options *options);
weft_result weft_cli_make_gl(const weft_cli_options *options, weft_gl **gl, weft_error *err);
/* Where the solver of what is drawn runs: the backend the options ask for, or else gl, and cpu
 * where the driver is a software one. *shown is NULL for gl, else what the backend belongs to. */
weft_result weft_cli_drawn_backend(const weft_cli_options *options, weft_gl *gl, weft_shown **shown,
                                   const weft_backend **backend, weft_error *err);

typedef struct weft_cli_session {
  weft_scene_instance scene;
  weft_gl *gl; /* NULL where nothing is drawn and gl is not the backend */
  weft_shown *shown;
  const weft_backend *backend;
  weft_solver *solver;
} weft_cli_session;

/* Of a scene that is only simulated a machine without usable GL gets the reference and a warning,
 * unless --backend gl was given. */
weft_result weft_cli_session_open(const weft_cli_options *options, bool drawn,
                                  weft_cli_session *session, weft_error *err);
void weft_cli_session_close(weft_cli_session *session); /* a zeroed or half-open one as well */

/* "96 pairs with a body at the start; nothing left after 4 iterations, ..." */
const char *weft_cli_loosened_text(const weft_untangled *loosened);

/* Bodies that are open, inside out or of an unlikely size. */
void weft_cli_warn_bodies(const weft_cli_options *options, const weft_scene_instance *scene);
/* What came of --dress and --tangled loosen, in the output and in the log. */
void weft_cli_tell_fit(const weft_scene_instance *scene);
void weft_cli_tell_loosened(const weft_scene_instance *scene);

/* ---- messages ---- */

void weft_cli_set_command(const char *command); /* whose sentences follow; main does it */
const char *weft_cli_command(void);             /* "" before there is one */
/* Log lines go to stderr, up to this level, and so does weft_progress: where that is a terminal as
 * a bar, drawn a few times a second, elsewhere as a line every ten seconds at most. */
void weft_cli_log_level(weft_log_level level);

/* Prints "weft COMMAND: sentence" on stderr and returns the exit status that goes with the error.
 */
int weft_cli_fail(const weft_error *err);
/* The same for an error met while writing: WEFT_EXIT_OUTPUT, but for an argument that is refused.
 */
int weft_cli_fail_output(const weft_error *err);
/* For weft_memory_set_last_resort: says so, removes unfinished files and ends with
 * WEFT_EXIT_MEMORY. */
_Noreturn void weft_cli_out_of_memory(size_t bytes, void *context);
int weft_cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Seconds as "40 s", "3 min" or "2.5 h". */
void weft_cli_duration(double seconds, char *text, size_t size);

/* "1,234,567" into one of a few turning buffers. */
const char *weft_cli_grouped(uint64_t value);
/* A name from a file or the command line, printable, in one of a few turning buffers. */
const char *weft_cli_shown(const char *name);
/* What self-collision did in the last frame: "3 motions cut, 1 pair uncertain, ...". */
const char *weft_cli_self_text(const weft_metrics *m);
/* Who is inside of bodies, and how far these are from where they were told to be. */
const char *weft_cli_body_text(const weft_metrics *m);

/* ---- the commands ---- */
int weft_cmd_demo(int argc, char **argv);
int weft_cmd_info(int argc, char **argv);
int weft_cmd_inspect(int argc, char **argv);
int weft_cmd_scene(int argc, char **argv);
int weft_cmd_simulate(int argc, char **argv);
int weft_cmd_validate(int argc, char **argv);
int weft_cmd_bench(int argc, char **argv);
int weft_cmd_render(int argc, char **argv);

#endif
