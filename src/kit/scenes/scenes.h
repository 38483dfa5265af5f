/* scenes.h: the one table of scenes: what is tested is what is timed is what is seen. */
#ifndef WEFT_SCENES_H
#define WEFT_SCENES_H

#include <weft/solver.h>
#include <weft_kit/fit.h>
#include <weft_kit/motion.h>
#include <weft_kit/untangle.h>

/* The level plane under a scene. */
typedef enum weft_scene_ground {
  WEFT_GROUND_OWN = 0, /* as the scene has it; none under a mesh from a file */
  WEFT_GROUND_OFF,
  WEFT_GROUND_ON, /* that of the scene, else one a tenth of its size below the cloth */
  WEFT_GROUND_AT, /* at ground_height */
} weft_scene_ground;

/* What cloth on a mannequin meets. Its skin is what is seen either way. */
typedef enum weft_mannequin {
  WEFT_MANNEQUIN_CAPSULES = 0, /* fitted to the skin, at most 4 mm beneath it: quick */
  WEFT_MANNEQUIN_MESH,         /* the skin, a body of triangles */
} weft_mannequin;

/* What a caller may ask of a scene; zero-initialise. */
typedef struct weft_scene_options {
  uint32_t size; /* particles along a side (roughly, for garments), beads, pendulums, links of a
                    rope, hairs along a side, threads; 0: that of the scene */
  weft_grid_pattern pattern; /* grids; default same diagonal */
  bool no_shear;
  const weft_material *material; /* NULL: that of the scene */
  const float *compliance; /* [3] of stretch (m/N), shear (m/N) and bending (1/(N m)); below 0:
                              the material's own. NULL: all its own */
  weft_bending bending;
  bool bending_set;     /* false: that of the scene */
  const weft_pin *pins; /* replaces the scene's pins when pin_count > 0 */
  uint32_t pin_count;
  const bool *attached; /* [vertices of a file's mesh] of weft_model_desc; NULL: none */
  uint64_t seed;
  /* Systems of particles; lists shorter than needed repeat their last value. */
  uint32_t links;                /* of each chain; 0: that of the scene */
  const float *masses, *lengths; /* kg, m; NULL: that of the scene */
  uint32_t mass_count, length_count;
  float angle; /* radians from hanging straight down, at the start */
  bool angle_set;
  float turns;     /* of a towel that is wrung; 0: that of the scene */
  float drawn;     /* part of its width that a curtain has when drawn; 0: that of the scene */
  uint32_t layers; /* of a stack; 0: that of the scene */
  weft_mannequin mannequin;
  weft_scene_ground ground;
  float ground_height; /* m, with WEFT_GROUND_AT */
  bool plain;          /* leave out what keeps cloth from stretching: weft_scene_hold */
} weft_scene_options;

/* What of the options a scene uses; those it does not are refused when given. */
enum {
  WEFT_SCENE_CLOTH = 1, /* material, bending, pins */
  WEFT_SCENE_LINKS = 2,
  WEFT_SCENE_MASSES = 4,
  WEFT_SCENE_LENGTHS = 8,
  WEFT_SCENE_ANGLE = 16,
  WEFT_SCENE_TURNS = 32,
  WEFT_SCENE_DRAWN = 64,
  WEFT_SCENE_LAYERS = 128,
  WEFT_SCENE_SHEET = 512, /* pattern, shear: of cloth that is cut as a grid */
  WEFT_SCENE_MANNEQUIN = 1024,
  WEFT_SCENE_BESIDE = 256, /* no option: what it is drawn beside unless told otherwise */
};

/* A rod that stands in the picture and is no collider: a wire, a rail. */
typedef struct weft_scene_prop {
  weft_vec3 a, b;
  float radius;    /* m */
  uint32_t colour; /* 0xRRGGBB */
} weft_scene_prop;

/* How particles without triangles are drawn; all in the instance's storage. */
typedef struct weft_scene_drawing {
  const float *radii;      /* [particle_count] m, 0: not drawn. NULL: the model's radius for all */
  const uint32_t *colours; /* [particle_count] 0xRRGGBB, links take that of their second end.
                              NULL: the dye */
  float link_radius;       /* m; 0: links are not drawn */
  const weft_scene_prop *props;
  uint32_t prop_count;
} weft_scene_drawing;

/* A good picture of a scene: it shows what is there in this frame, without the room that the view
 * leaves for what moves later. */
typedef struct weft_scene_still {
  uint32_t frame;
  float zoom;       /* nearer than the view by this; 0: the view itself */
  weft_vec3 target; /* what to look at when nearer, metres */
} weft_scene_still;

/* What a scene is drawn beside, under the same colliders and from the same start. */
typedef enum weft_beside {
  WEFT_BESIDE_NOTHING = 0,
  WEFT_BESIDE_PLAIN, /* the same model under weft_params_plain */
} weft_beside;

/* A body and what moves it. */
typedef struct weft_scene_body {
  weft_mesh mesh;                        /* owned; empty where what moves it has its own */
  weft_motion *motion;                   /* owned; NULL: no file moves it */
  struct weft_figure *figure;            /* owned; NULL: none */
  struct weft_pose (*pose)(double time); /* of the figure; NULL: it stands */
  weft_vec3 *positions; /* owned; of the scene it is in: where its vertices shall be next */
  weft_vec3 offset;     /* m, from where mesh or motion have it: weft_scene_shift_body */
  char name[64];        /* for people; empty: none */
} weft_scene_body;

void weft_scene_free_body(weft_scene_body *body);
/* Whether anything but weft_scene_shift_body moves it. */
bool weft_scene_body_moves(const weft_scene_body *body);
/* At rest, or at time 0 of its motion. */
const weft_mesh *weft_scene_body_mesh(const weft_scene_body *body);

/* A figure that moves under the cloth and is only seen; what the cloth meets are colliders. */
typedef struct weft_scene_figure weft_scene_figure;

/* A scene made ready: model and parameters for weft_solver_create. */
typedef struct weft_scene_instance weft_scene_instance;
struct weft_scene_instance {
  const char *name;
  uint32_t size;        /* as in weft_scene_options; 0 for a file */
  weft_mesh mesh;       /* empty when the model has no triangles */
  weft_material fabric; /* what a model with triangles was preprocessed from */
  weft_model *model;
  uint32_t creases;   /* of a file, where mixed bending was chosen to keep them; 0: it was not */
  double sharpest;    /* rad: the sharpest of them */
  weft_model *single; /* when `model` is this one several times over: what animate knows */
  weft_params params; /* colliders point into the instance */
  weft_strain_choice held; /* what made them hold cloth against stretch; target 0: nothing did */
  weft_fit_report fitted;  /* what brought cloth out of bodies; frames 0: nothing */
  double fitted_in;        /* seconds; 0: it was not asked for */
  weft_untangled loosened; /* what weft_scene_untangle did; iterations 0: nothing */
  uint32_t
      least_substeps; /* to be held: what happens is quicker than the cloth's weight makes it */
  weft_collider *colliders;
  weft_body *bodies;             /* [params.body_count] params.bodies points here */
  weft_scene_body *body_sources; /* [params.body_count] */
  weft_scene_figure *figure;     /* seen instead of some of the colliders; NULL: none */
  void *storage;                 /* keys and the like, owned */
  bool ground;                   /* draw a ground plane (there is a plane collider facing up) */
  weft_scene_ground ground_asked;
  float ground_height;   /* m, with WEFT_GROUND_AT */
  weft_vec3 view_centre; /* where all of it happens, metres */
  float view_radius;     /* metres around it */
  weft_scene_drawing drawing;
  float view_yaw, view_pitch; /* radians: camera direction; pitch above the horizon */
  weft_scene_still still;     /* a good picture of it */
  weft_beside beside;         /* WEFT_BESIDE_PLAIN where the row says WEFT_SCENE_BESIDE */
  bool swings; /* beads or pendulums: their motion is known, and seen better with a trail */
  /* Moves pins for the coming frame, NULL when they stand still. */
  weft_result (*animate)(weft_scene_instance *scene, weft_solver *solver, weft_error *err);
  struct weft_scene_bonds *bonds; /* what goes with bodies; NULL: nothing */
  bool *bound;                    /* [particle_count] pins that do, or NULL: none */
  struct weft_timeline *timeline; /* what changes by keys; NULL: nothing */
  bool *timed;                    /* [particle_count] pins that keys move, or NULL: none */
  bool *let_go; /* [particle_count] pins that animate leaves alone from now on, or NULL: none */
};

typedef struct weft_scene {
  const char *name;
  const char *summary; /* one line for listings */
  uint32_t default_size;
  uint32_t picture_size; /* fine enough for a small picture, and not slow */
  unsigned uses;         /* WEFT_SCENE_... */
  weft_result (*make)(const weft_scene_options *options, weft_scene_instance *instance,
                      weft_error *err);
} weft_scene;

const weft_scene *weft_scene_find(const char *name); /* NULL when unknown */
const weft_scene *weft_scene_at(uint32_t index);     /* NULL past the last */

weft_result weft_scene_make(const weft_scene *scene, const weft_scene_options *options,
                            weft_scene_instance *instance, weft_error *err);
/* Any imported mesh, hung by options->pins. Takes the mesh over. */
weft_result weft_scene_from_mesh(const char *name, weft_mesh *mesh,
                                 const weft_scene_options *options, weft_scene_instance *instance,
                                 weft_error *err);
void weft_scene_free(weft_scene_instance *instance);

/* One body more, with friction and thickness of `like`; takes the source over, also where it fails.
 * The ground comes down to where the body begins unless it was asked for at a height, and the view
 * takes it in. */
weft_result weft_scene_add_body(weft_scene_instance *scene, weft_scene_body *source,
                                const weft_body *like, weft_error *err);

/* A further collider with friction of cloth on a smooth solid; the caller sets shape and place. At
 * most WEFT_MAX_COLLIDERS. */
weft_collider *weft_scene_add_collider(weft_scene_instance *scene);
/* The ball that is seen grows to hold a box. */
void weft_scene_take_in(weft_scene_instance *scene, weft_vec3 low, weft_vec3 high);

/* Pins go with a body from now on: each with the triangle nearest to where both are at the start.
 * With all bodies that are there or with one of them, counted from 0. The scene itself moves them
 * no more. WEFT_ERROR_ARGUMENT where there is no such body or nothing is pinned. */
#define WEFT_NEAREST_BODY UINT32_MAX
weft_result weft_scene_bind_pins(weft_scene_instance *scene, uint32_t body, weft_error *err);

/* Takes out where cloth passes through itself or through bodies at the start (weft_untangle):
 * params.start, and `loosened` says what it did. `layers` as there, NULL: none. */
weft_result weft_scene_untangle(weft_scene_instance *scene, const int32_t *layers, weft_error *err);

/* Room for where its particles begin, freed with it. To become its params.start once it is filled.
 */
weft_vec3 *weft_scene_start_room(weft_scene_instance *scene);

/* Room for the way of a collider, freed with it. */
weft_collider_key *weft_scene_key_room(weft_scene_instance *scene, uint32_t count);

/* Where the offset of a body shall be at the end of the next frame. A motion goes on beneath it.
 * Pins bound to it go along. How far it goes in a
 * frame is the caller's to bound. Errors as of weft_solver_move_body. */
weft_result weft_scene_shift_body(weft_scene_instance *scene, weft_solver *solver, uint32_t body,
                                  weft_vec3 offset, weft_error *err);

/* The figure as a closed mesh, made when first asked for; NULL where a scene has none. */
const weft_mesh *weft_scene_figure_mesh(const weft_scene_instance *scene);
/* Where its vertices are at a time, [vertex_count] m, until the next call. Limbs follow colliders
 * that were dragged: those of the scene or of a solver. */
const weft_vec3 *weft_scene_figure_at(const weft_scene_instance *scene,
                                      const weft_collider *colliders, double time);
/* The colliders that are not seen besides, a bit each. */
uint64_t weft_scene_figure_hides(const weft_scene_instance *scene);

/* Chooses parameters with which the scene's cloth does not stretch: weft_params_choose_for_strain
 * for this scene. What makes a scene does so with target 0, unless it shall be plain. */
weft_result weft_scene_hold(const weft_scene_instance *scene, const weft_model *model,
                            double target, unsigned kept, weft_params *params,
                            weft_strain_choice *choice, weft_error *err);

/* From now on a pin is not the scene's to move: it may be freed, or stay where the user put it. */
void weft_scene_let_go(weft_scene_instance *scene, uint32_t particle);
/* Whether the scene itself, or a body of it, moves this particle. */
bool weft_scene_leads(const weft_scene_instance *scene, uint32_t particle);

/* ---- what changes during a run ---- */

/* A parameter at a time: a row of weft/params.def, which is not frame_dt, and its value; of others
 * than vectors value[0]. Numbers and vectors that a solver takes at once go straight from key to
 * key and rest before the first and after the last; others change at their key. */
typedef struct weft_timed_param {
  float time; /* s, ascending for each row */
  uint32_t row;
  double value[3];
} weft_timed_param;
/* Of the particles of a pin: how firmly they are held (weft_solver_set_pins) from a time on, or how
 * far they are from where they began, and turned about their middle, going straight from key to
 * key. */
typedef struct weft_timed_pin {
  float time; /* s, ascending for each pin */
  uint32_t pin;
  bool weighs; /* it says a weight, else a place */
  float weight;
  weft_vec3 move, turn; /* m; axis times rad */
} weft_timed_pin;
enum { WEFT_TIMED_PINS = 16 };
void weft_scene_time_params(weft_scene_instance *scene, const weft_timed_param *keys,
                            uint32_t count);
/* Particles of a pin, and those of the keys that are of it. */
void weft_scene_time_pins(weft_scene_instance *scene, const uint32_t *particles, uint32_t count,
                          uint32_t pin, const weft_timed_pin *keys, uint32_t key_count);

/* Wind, m/s, and with it air where there is none: without, wind moves nothing. */
#define WEFT_AIR 1.2f /* kg/m^3 */
void weft_scene_blow(weft_params *params, weft_vec3 wind);

/* Before a frame: animate, move bodies, and change what has keys. */
weft_result weft_scene_lead(weft_scene_instance *scene, weft_solver *solver, weft_error *err);
/* One frame: lead, then step. */
weft_result weft_scene_step(weft_scene_instance *scene, weft_solver *solver, weft_error *err);

#endif
