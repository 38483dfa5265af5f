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

/* weft_tangled, and one more. */
typedef enum weft_cli_tangled {
  WEFT_CLI_TANGLED_KEEP = WEFT_TANGLED_KEEP,
  WEFT_CLI_TANGLED_REFUSE = WEFT_TANGLED_REFUSE,
  WEFT_CLI_TANGLED_LOOSEN,
} weft_cli_tangled;

enum { WEFT_CLI_MAX_PINS = 16, WEFT_CLI_MAX_LIST = 64, WEFT_CLI_MAX_VARIED = 4 };

/* One of --vary. */
typedef struct weft_cli_vary {
  int what;
  float from, to;
} weft_cli_vary;

/* One of --layer: a group, or @ and the number of a piece. */
enum { WEFT_CLI_MAX_LAYERS = 16 };
typedef struct weft_cli_layer {
  char name[120];
  uint32_t number;
} weft_cli_layer;

enum { WEFT_CLI_MAX_ATTACHED = 32 };

/* A --pin that is of names or colours of a file. */
typedef struct weft_cli_pin_name {
  const char *text; /* as it was given; NULL for other pins, and nothing else is set */
  const char *name;
  weft_source_word word;
  bool coloured; /* instead of a name */
  float rgb[3], within;
} weft_cli_pin_name;

/* A --body and what stands behind it. */
typedef struct weft_cli_body {
  const char *file, *motion, *group, *animation;
  float fps;   /* frames a second; 0: not given */
  double rate; /* what they are; 0: as the file says */
  float friction[2], thickness, scale;
  bool friction_given;
  float unit; /* metres; 0: that of the cloth's file */
  int up;     /* weft_up; -1: that of the cloth's file */
} weft_cli_body;

enum { WEFT_CLI_MAX_KEYS = 256, WEFT_CLI_MAX_AROUND = 512 };

/* A --collider, with friction of its own or not, and its way among collider_keys. */
typedef struct weft_cli_collider {
  weft_collider shape;
  bool friction_given;
  uint32_t first_key, key_count;
} weft_cli_collider;

/* An option as it was given. */
typedef struct weft_cli_given {
  const char *option, *text;
} weft_cli_given;

typedef struct weft_cli_options {
  const char *scene,
      *mesh; /* one of them set after weft_cli_parse (see weft_cli_spec.default_scene) */
  const char *group;
  const char *texture;  /* a PNG on the cloth, or NULL */
  const char *reads[2]; /* by options of the command alone: files that it reads besides, or NULL */
  float scale, unit;    /* what the file's coordinates are multiplied by is the product; unit: m */
  int up;               /* weft_up */
  weft_vec3 turn;       /* degrees */
  weft_vec3 move;       /* m */
  weft_weld weld;
  float weld_distance; /* m */
  uint32_t size;
  int pattern; /* weft_grid_pattern */
  bool no_shear;
  const weft_material *fabric;
  float compliance[3]; /* as in weft_scene_options */
  int bending;         /* weft_bending */
  struct {
    uint32_t collider;
    weft_vec3 by; /* m */
  } shifts[WEFT_MAX_COLLIDERS];
  uint32_t shift_count;
  weft_scene_ground ground;
  float ground_height; /* m */
  weft_cli_collider colliders[WEFT_MAX_COLLIDERS];
  uint32_t collider_count;
  weft_collider_key collider_keys[WEFT_CLI_MAX_KEYS]; /* a: m from where the shape was put */
  uint32_t key_count;
  weft_cli_given around[WEFT_CLI_MAX_AROUND]; /* what makes the cloth, and stands around it, by
                                                 option */
  uint32_t around_count;
  weft_cli_body bodies[WEFT_MAX_BODIES];
  uint32_t body_count;
  const char *pin_to_body; /* number of a body, or empty: of all bodies. NULL: not given */
  const char *dress; /* seconds as they were given, empty for none; NULL: as the scene begins */
  weft_pin pins[WEFT_CLI_MAX_PINS];
  weft_cli_pin_name pin_names[WEFT_CLI_MAX_PINS]; /* of each of them */
  uint32_t pin_count;
  uint64_t seed;
  uint32_t links;
  float masses[WEFT_CLI_MAX_LIST], lengths[WEFT_CLI_MAX_LIST];
  uint32_t mass_count, length_count;
  float angle; /* degrees */
  float turns; /* 0: that of the scene; so with the next two */
  float drawn;
  uint32_t layers;
  int mannequin;   /* weft_mannequin */
  uint32_t frames; /* always set after weft_cli_parse */
  float fps;       /* 1/s: after weft_cli_parse params.frame_dt is of it; 0: not given */
  /* Of weft/params.def: values, and whether they were given. weft_cli_gave asks for one by name. */
  weft_params params;
  bool given[WEFT_PARAM_COUNT];
  int tangled; /* weft_cli_tangled */
  weft_cli_layer layer[WEFT_CLI_MAX_LAYERS];
  uint32_t layer_count;
  const char *attach[WEFT_CLI_MAX_ATTACHED]; /* names as --layer has them */
  uint32_t attach_count;
  bool attach_off; /* nothing but these */
  bool keep_order;
  bool mueller2007;
  double max_strain; /* a part; 0: what the fabric takes */
  bool plain;
  float friction[2];  /* at rest, sliding: of all colliders */
  uint32_t instances; /* 0 and 1: one */
  weft_cli_vary vary[WEFT_CLI_MAX_VARIED];
  uint32_t vary_count;
  weft_cli_backend backend;
  int beside;       /* weft_beside, of what is drawn */
  uint32_t threads; /* of the backend cpu; 0: all */
  uint32_t group_size;
  bool gl_debug, minimum_limits;
  const char *device; /* as in weft_gl_desc */
  int log;            /* weft_log_level */
  bool many_scenes;   /* the options are of several: one that cannot act is named, not refused */
  /* Whether other options were given, where their values alone do not say so. */
  bool compliance_given, angle_given, scale_given, unit_given, up_given, turn_given, move_given,
      weld_given, size_given, pattern_given, no_shear_given, bending_given, frames_given,
      tangled_given, friction_given, beside_given;
} weft_cli_options;

#define weft_cli_gave(options, name) ((options)->given[WEFT_PARAM_##name])

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
void weft_cli_options_free(weft_cli_options *options); /* the pin lists */
/* Whether a word on the command line is a file rather than a scene. */
bool weft_cli_names_file(const char *text);
/* The error of a word that is neither; `hint` ends the sentence. */
weft_result weft_cli_no_scene(const char *name, const char *hint, weft_error *err);
/* What goes with a file or with built-in scenes alone; one of the two is named. */
weft_result weft_cli_check_subject(const weft_cli_options *options, weft_error *err);
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

bool weft_cli_is_gltf(const char *file); /* by its name */
/* How the options want their file to be read. */
weft_import_desc weft_cli_import_desc(const weft_cli_options *options);

/* --tangled loosen, told of in the log. */
weft_result weft_cli_untangle(const weft_cli_options *options, weft_scene_instance *scene,
                              weft_error *err);

/* "96 pairs with a body at the start; nothing left after 4 iterations, ..." */
const char *weft_cli_loosened_text(const weft_untangled *loosened);

/* A --body more, as it is unless more is said of it; the name is not copied. */
weft_result weft_cli_add_body(weft_cli_options *options, const char *file, weft_error *err);
weft_result weft_cli_load_body(const weft_cli_body *body, weft_scene_body *source, weft_error *err);
/* Unit and axis are those of the cloth's file where nothing else is said, and frames a second those
 * of the run; glTF says its own. */
void weft_cli_body_follow(const weft_cli_options *options, weft_cli_body *body);
/* Reads the bodies of the options into a scene. */
weft_result weft_cli_add_bodies(const weft_cli_options *options, weft_scene_instance *scene,
                                weft_error *err);
/* What --pin-to-body asks for, once bodies are there and the cloth is where it begins. */
weft_result weft_cli_bind_pins(const weft_cli_options *options, weft_scene_instance *scene,
                               weft_error *err);
/* What --dress asks for, into params.start of the scene; says what came of it. */
weft_result weft_cli_fit(const weft_cli_options *options, weft_scene_instance *scene,
                         weft_error *err);

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
int weft_cmd_simulate(int argc, char **argv);
int weft_cmd_validate(int argc, char **argv);
int weft_cmd_bench(int argc, char **argv);
int weft_cmd_render(int argc, char **argv);
int weft_cmd_plot(int argc, char **argv);

#endif
