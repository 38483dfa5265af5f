/* setup.h: what a run is made of, said by options of the command line or by keys of a scene file,
 * and the scene that is made of it. Both are one list of settings, an option and a text each: they
 * have the same names, ranges and messages, and a later setting wins over an earlier one. */
#ifndef WEFT_SETUP_H
#define WEFT_SETUP_H

#include <weft_kit/source.h>

#include "param.h"
#include "scenes.h"
#include "values.h"

/* weft_tangled, and one more. */
typedef enum weft_setup_tangled {
  WEFT_SETUP_TANGLED_KEEP = WEFT_TANGLED_KEEP,
  WEFT_SETUP_TANGLED_REFUSE = WEFT_TANGLED_REFUSE,
  WEFT_SETUP_TANGLED_LOOSEN,
} weft_setup_tangled;

enum {
  WEFT_SETUP_MAX_PINS = 16,
  WEFT_SETUP_MAX_LIST = 64,
  WEFT_SETUP_MAX_LAYERS = 16,
  WEFT_SETUP_MAX_ATTACHED = 32,
  WEFT_SETUP_MAX_KEYS = 256, /* of each kind */
  WEFT_SETUP_MAX_OUTPUTS = 16,
};

/* One of --layer: a group, or @ and the number of a piece. */
typedef struct weft_setup_layer {
  char name[120];
  uint32_t number;
} weft_setup_layer;

/* A --pin that is of names or colours of a file, and how it holds over time. */
typedef struct weft_setup_pin {
  const char *text; /* as it was given; NULL for other pins, and nothing else is set */
  const char *name;
  weft_source_word word;
  bool coloured; /* instead of a name */
  float rgb[3], within;
} weft_setup_pin;

/* A --body and what stands behind it. */
typedef struct weft_setup_body {
  const char *file, *motion, *group, *animation;
  float fps;   /* frames a second; 0: not given */
  double rate; /* what they are; 0: as the file says */
  float friction[2], thickness, scale;
  bool friction_given;
  float unit; /* metres; 0: that of the cloth's file */
  int up;     /* weft_up; -1: that of the cloth's file */
} weft_setup_body;

/* A --collider, with friction of its own or not, and its way among collider_keys. */
typedef struct weft_setup_collider {
  weft_collider shape;
  bool friction_given;
  uint32_t first_key, key_count;
} weft_setup_collider;

/* A setting as it was given. */
typedef struct weft_given {
  const char *option, *text;
  bool around;     /* it makes the cloth, or what stands around it */
  const char *key; /* of the scene file, "cloth.size"; NULL: it is of the command line */
} weft_given;

typedef struct weft_setup {
  const char *scene, *mesh; /* one of them is what a scene is made of */
  const char *group;
  float scale, unit; /* what the file's coordinates are multiplied by is the product; unit: m */
  int up;            /* weft_up */
  weft_vec3 turn;    /* degrees */
  weft_vec3 move;    /* m */
  weft_weld weld;
  float weld_distance; /* m */
  uint32_t size;
  int pattern; /* weft_grid_pattern */
  bool no_shear;
  const weft_material *fabric; /* a preset, or own_fabric */
  weft_material own_fabric;
  float compliance[3]; /* as in weft_scene_options */
  int bending;         /* weft_bending */
  struct {
    uint32_t collider;
    weft_vec3 by; /* m */
  } shifts[WEFT_MAX_COLLIDERS];
  uint32_t shift_count;
  weft_scene_ground ground;
  float ground_height; /* m */
  weft_setup_collider colliders[WEFT_MAX_COLLIDERS];
  uint32_t collider_count;
  weft_collider_key collider_keys[WEFT_SETUP_MAX_KEYS]; /* a: m from where the shape was put */
  uint32_t collider_key_count;
  weft_setup_body bodies[WEFT_MAX_BODIES];
  uint32_t body_count;
  const char *pin_to_body; /* number of a body, or empty: of all bodies. NULL: not given */
  const char *dress; /* seconds as they were given, empty for none; NULL: as the scene begins */
  weft_pin pins[WEFT_SETUP_MAX_PINS];
  weft_setup_pin pin_names[WEFT_SETUP_MAX_PINS]; /* of each of them */
  uint32_t pin_count;
  bool pins_yield; /* those that there are go where another is given */
  weft_timed_pin pin_keys[WEFT_SETUP_MAX_KEYS];
  uint32_t pin_key_count;
  weft_timed_param param_keys[WEFT_SETUP_MAX_KEYS];
  uint32_t param_key_count;
  uint64_t seed;
  uint32_t links;
  float masses[WEFT_SETUP_MAX_LIST], lengths[WEFT_SETUP_MAX_LIST];
  uint32_t mass_count, length_count;
  float angle; /* degrees */
  float turns; /* 0: that of the scene; so with the next two */
  float drawn;
  uint32_t layers;
  int mannequin;                               /* weft_mannequin */
  uint32_t frames;                             /* of a scene file; 0: it does not say */
  const char *outputs[WEFT_SETUP_MAX_OUTPUTS]; /* of a scene file */
  uint32_t output_count;
  float fps; /* 1/s: weft_setup_settle sets params.frame_dt of it; 0: not given */
  /* Of weft/params.def: values, and whether they were given. weft_setup_gave asks for one by name.
   */
  weft_params params;
  bool given[WEFT_PARAM_COUNT];
  int tangled; /* weft_setup_tangled */
  weft_setup_layer layer[WEFT_SETUP_MAX_LAYERS];
  uint32_t layer_count;
  const char *attach[WEFT_SETUP_MAX_ATTACHED]; /* names as --layer has them */
  uint32_t attach_count;
  bool attach_off; /* nothing but these */
  bool keep_order;
  bool mueller2007;
  double max_strain; /* a part; 0: what the fabric takes */
  bool plain;
  float friction[2];           /* at rest, sliding: of all colliders */
  bool several;                /* of --instances: several cloths are made of the scene */
  const weft_backend *dresses; /* what brings cloth out of bodies; NULL: all processors */
  bool many_scenes; /* the settings are of several: one that cannot act is named, not refused */
  /* Whether other settings were given, where their values alone do not say so. */
  bool compliance_given, angle_given, scale_given, unit_given, up_given, turn_given, move_given,
      weld_given, size_given, pattern_given, no_shear_given, bending_given, tangled_given,
      friction_given;
  weft_given *said; /* [said_count] all of them, in order */
  size_t said_count, said_capacity;
  char **texts; /* [text_count] owned: what of a scene file others point to */
  size_t text_count, text_capacity;
  const char *file; /* the scene file as it is shown, and its text; NULL: none */
  const char *source;
  const char *reading;                /* the key that is being taken from it; NULL: none */
  weft_option rows[WEFT_PARAM_COUNT]; /* of weft_setup_sets */
} weft_setup;

/* Nothing was given. */
weft_setup weft_setup_empty(void);
void weft_setup_free(weft_setup *setup);

#define weft_setup_gave(setup, name) ((setup)->given[WEFT_PARAM_##name])

/* The tables of settings, with the setup as what they fill; they note what is given. They live as
 * long as the setup stays where it is. */
enum {
  WEFT_SETUP_SCENE,
  WEFT_SETUP_BODIES,
  WEFT_SETUP_PARTICLES,
  WEFT_SETUP_SIMULATION,
  WEFT_SETUP_PARAMETERS,
  WEFT_SETUP_WORLD,
  WEFT_SETUP_SETS
};
void weft_setup_sets(weft_setup *setup, weft_option_set sets[WEFT_SETUP_SETS]);
/* An option by its name, of parameters without one their row; false for none. */
bool weft_setup_option(const char *name, weft_option *option);
/* A text that lives as long as the setup. */
const char *weft_setup_keep(weft_setup *setup, const char *text);

/* What goes with a file or with built-in scenes alone; one of the two is named. */
weft_result weft_setup_check_subject(const weft_setup *setup, weft_error *err);
/* Once all is given: frame time of frames a second. */
weft_result weft_setup_settle(weft_setup *setup, weft_error *err);

/* One scene by name and size, or without a name the mesh of the settings, with the settings applied
 * to its parameters. */
weft_result weft_setup_make(const weft_setup *setup, const char *name, uint32_t size,
                            weft_scene_instance *scene, weft_error *err);

/* How the settings want the file of the cloth to be read. */
weft_import_desc weft_setup_import_desc(const weft_setup *setup);
bool weft_setup_is_gltf(const char *file); /* by its name */
/* The first --pin that needs names of a file, as it was given; NULL: none does. */
const char *weft_setup_named_pin(const weft_setup *setup);

/* A --body more, as it is unless more is said of it; the name is not copied. */
weft_result weft_setup_add_body(weft_setup *setup, const char *file, weft_error *err);
weft_result weft_setup_load_body(const weft_setup_body *body, weft_scene_body *source,
                                 weft_error *err);
/* Unit and axis are those of the cloth's file where nothing else is said, and frames a second those
 * of the run; glTF says its own. */
void weft_setup_body_follow(const weft_setup *setup, weft_setup_body *body);
/* Frames a second of a body whose motion has none of its own, PC2 and OBJ files, and whose word
 * that is; 0 for one that keeps the times of its file. */
double weft_setup_body_rate(const weft_setup *setup, const weft_setup_body *body,
                            const char **said_by);
extern const char weft_setup_rate_guess[]; /* nobody's word */

/* Chooses parameters with which the scene's cloth does not stretch, by max_strain if that was
 * given, unless it shall be plain. */
weft_result weft_setup_hold(const weft_setup *setup, weft_scene_instance *scene, weft_error *err);

/* Options that were given and do nothing, "--NAME does nothing here: it needs NEEDS": refused, or
 * with name_only each is named in a warning. */
typedef struct weft_idle_check {
  bool given, acts;
  const char *name, *needs;
} weft_idle_check;
weft_result weft_check_idle(const weft_idle_check *checks, size_t count, bool name_only,
                            weft_error *err);
#define WEFT_CHECK_IDLE(checks, name_only, err) \
  weft_check_idle(checks, sizeof(checks) / sizeof *(checks), name_only, err)

/* ---- scene files: docs/scenes.md ---- */

/* Whether this is one, by its name. */
bool weft_is_scene_file(const char *path);
/* Takes the settings of one, or of its text with the folder that its paths are relative to, NULL:
 * the one we are in. WEFT_ERROR_FILE and WEFT_ERROR_FORMAT with file, line, key and value. */
weft_result weft_setup_read(weft_setup *setup, const char *path, weft_error *err);
weft_result weft_setup_read_text(weft_setup *setup, const char *text, size_t length,
                                 const char *name, const char *folder, weft_error *err);
/* The settings as such a file, and with a scene that was made of them what a built-in one has by
 * itself; NULL: without. Paths are as seen from `file`, NULL: from the folder we are in. *text is
 * to be freed with weft_free. */
weft_result weft_setup_write(const weft_setup *setup, const weft_scene_instance *scene,
                             const char *file, char **text, weft_error *err);
/* The schema of such files, to be freed with weft_free. */
char *weft_setup_schema(void);
/* An error of making a scene names the place in the file that it is about. */
weft_result weft_setup_locate(const weft_setup *setup, weft_result result, weft_error *err);

#endif
