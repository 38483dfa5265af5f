/* weft demo: the window. Options, words and scenes come from here, everything else from src/demo.
 */
#include "cli.h"

#include <string.h>

#include "demo.h"
#include "drawing.h"
#include "max_strain.h"
#include "outputs.h"
#include "surface.h"
#include "theory.h"

typedef struct demo_options {
  uint32_t frames, width, height;
  const char *screenshot;
  weft_view_mode view;
  int quality; /* weft_demo_quality + 1 */
  float speed;
  bool paused, no_panel, keys, no_trails, no_analytic, times, no_pins, pick_given;
  uint32_t pick;
} demo_options;

#define AT(field) .offset = offsetof(demo_options, field)

static weft_result take_view(void *base, const char *text, weft_error *err) {
  demo_options *own = base;
  weft_error why = {0};
  weft_result result = weft_view_parse(text, &own->view, &why);
  return result ? weft_fail(err, result, "--view: %s", why.message) : WEFT_OK;
}

static const char *const qualities[] = {"auto", "fine", "plain", "coarse", NULL};

static const weft_option extra[] = {
    OPTION(COUNT, "frames", "N",
           "simulate so many frames, print the state's hash and quit. Default: until you quit",
           AT(frames), RANGE(1, 1e6)),
    OPTION(TEXT, "screenshot", "FILE", "write the last picture of the window to a PNG",
           .common = true, AT(screenshot)),
    OPTION(CUSTOM, "view", "NAME",
           "what colours mean at the start, as strain; h and the panel have all. Default: shaded\n"
           "shaded, wire, strain, compression, colours, bending, bend-angle, velocity, contacts,\n"
           "gaps, tangled or normals",
           .common = true, .take = take_view),
    OPTION(CHOICE, "drawing", "HOW",
           "fine, plain (no smooth edges), coarse (a quarter of the pixels), or auto: as\n"
           "fine as the machine is fast, and fine where nothing moves. Default: auto",
           AT(quality), .choices = qualities),
    OPTION(NUMBER, "speed", "FACTOR", "simulated seconds a second, 0.03125 to 4. Default: 1",
           .common = true, AT(speed), RANGE(0.03125, 4)),
    OPTION(FLAG, "paused", NULL, "start paused", AT(paused)),
    OPTION(FLAG, "keys", NULL, "start with the list of keys", .common = true, AT(keys)),
    OPTION(FLAG, "times", NULL, "print the time of each kind of pass twice a second", AT(times)),
    OPTION(FLAG, "no-pins", NULL, "no marks at pinned particles, not even near the mouse",
           AT(no_pins)),
    OPTION(COUNT, "pick", "N",
           "pick particle N, counted from 0: a ring around it, its values in the panel and,\n"
           "at the end, printed",
           AT(pick), .given = offsetof(demo_options, pick_given), RANGE(0, 4294967294.0)),
    OPTION(FLAG, "no-panel", NULL, "no panel", AT(no_panel)),
    OPTION(FLAG, "no-trails", NULL, "bead and pendulum: start without trails", AT(no_trails)),
    OPTION(FLAG, "no-analytic", NULL,
           "bead and pendulum: start without the motion of theory beside weft's", AT(no_analytic)),
    OPTION(COUNT, "width", "UNITS", "of the window. Default: 1280, more on a dense display",
           AT(width), RANGE(64, 8192)),
    OPTION(COUNT, "height", "UNITS", "of the window. Default: 800, likewise", AT(height),
           RANGE(64, 8192)),
};

/* ---- what the demo asks of its host ---- */

typedef struct demo_user {
  const weft_cli_options *options;
  bool software; /* the driver of OpenGL */
} demo_user;

/* Two solvers and two pictures: where processors do all of it a scene beside another is small. */
static uint32_t own_size(const demo_user *u, const weft_cli_options *options,
                         const weft_scene *scene) {
  bool beside = options->beside_given ? options->beside != 0 : scene->uses & WEFT_SCENE_BESIDE;
  return u->software && beside && scene->picture_size < scene->default_size ? scene->picture_size
                                                                            : 0;
}

static bool is_own_scene(const weft_cli_options *options, const weft_demo_choice *choice) {
  const weft_scene *scene = weft_scene_at(choice->scene);
  if (!scene && choice->cloth) return false;
  return scene ? options->setup.scene && strcmp(scene->name, options->setup.scene) == 0 : true;
}

/* Options that only some scenes take hold for the scene they were given with. */
static void leave_scene_options(weft_cli_options *options) {
  options->setup.mesh = options->setup.group = NULL;
  options->setup.fabric = NULL;
  options->setup.compliance_given = false;
  options->setup.bending_given = options->setup.no_shear = options->setup.angle_given = false;
  options->setup.pattern = 0;
  options->setup.size = options->setup.links = options->setup.layers = 0;
  options->setup.turns = options->setup.drawn = 0;
  options->setup.mannequin = 0;
  options->setup.shift_count = options->setup.collider_count = 0;
  options->setup.ground = WEFT_GROUND_OWN;
  options->setup.pin_to_body = NULL;
  options->setup.turn = options->setup.move = weft_v3(0, 0, 0);
  options->setup.pin_count = options->setup.mass_count = options->setup.length_count = 0;
  options->setup.pin_key_count = options->setup.param_key_count = 0;
}

static weft_result make(void *user, const weft_demo_choice *choice, weft_scene_instance *scene,
                        weft_error *err) {
  const demo_user *u = user;
  const weft_cli_options *given = u->options;
  weft_cli_options options = *given;
  const weft_scene *built_in = weft_scene_at(choice->scene);
  options.setup.many_scenes = !is_own_scene(given, choice);
  if (options.setup.many_scenes) leave_scene_options(&options);
  if (built_in && !(built_in->uses & WEFT_SCENE_CLOTH) && !is_own_scene(given, choice)) {
    options.setup.max_strain = 0;
    options.beside_given = false;
    options.setup.body_count = 0;
  }
  options.setup.scene = built_in ? built_in->name : NULL;
  if (!built_in && choice->cloth) options.setup.mesh = choice->cloth;
  for (uint32_t b = 0; b < choice->body_count; ++b) {
    weft_result added = weft_setup_add_body(&options.setup, choice->bodies[b], err);
    if (added != WEFT_OK) return added;
  }
  if (choice->size) options.setup.size = choice->size;
  if (built_in && !options.setup.size) options.setup.size = own_size(u, &options, built_in);
  if (choice->fabric >= 0) options.setup.fabric = weft_material_at((uint32_t)choice->fabric);
  for (int k = 0; k < 3; ++k) {
    if (!choice->softened[k]) continue;
    for (int j = 0; j < 3 && !options.setup.compliance_given; ++j) options.setup.compliance[j] = -1;
    options.setup.compliance_given = true;
    options.setup.compliance[k] = choice->compliance[k];
  }
  if (choice->bending >= 0) {
    options.setup.bending = choice->bending;
    options.setup.bending_given = true;
  }
  return weft_cli_make_scene(&options, scene, err);
}

static weft_result look_at(void *user, const char *file, weft_demo_file *found, weft_error *err) {
  weft_setup_body asked = {.file = file, .scale = 1, .up = -1};
  weft_setup_body_follow(&((const demo_user *)user)->options->setup, &asked);
  weft_scene_body body = {0};
  weft_result result = weft_setup_load_body(&asked, &body, err);
  if (result != WEFT_OK) return result;
  const weft_mesh *mesh = weft_scene_body_mesh(&body);
  weft_motion_info motion = weft_motion_describe(body.motion);
  weft_cli_surface surface = weft_cli_surface_of(mesh);
  weft_vec3 diagonal = weft_v3_sub(surface.report.box_max, surface.report.box_min);
  *found = (weft_demo_file){.vertices = surface.report.vertex_count,
                            .triangles = surface.report.triangle_count,
                            .extent = weft_v3_length(diagonal),
                            .closed = surface.closed,
                            .seconds = motion.duration};
  weft_scene_free_body(&body);
  return WEFT_OK;
}

static weft_result choose_backend(void *user, weft_gl *gl, weft_shown **shown,
                                  const weft_backend **backend, weft_error *err) {
  demo_user *u = user;
  u->software = weft_gl_is_software(gl);
  return weft_cli_drawn_backend(u->options, gl, shown, backend, err);
}

static weft_result make_renderer(void *user, const weft_demo_choice *choice,
                                 const weft_scene_instance *scene, weft_gl *gl,
                                 weft_renderer_desc *desc, weft_renderer **renderer,
                                 weft_error *err) {
  const weft_cli_options *options = ((const demo_user *)user)->options;
  weft_cli_drawing drawing;
  weft_cli_drawing_of(scene, desc, &drawing);
  bool own = is_own_scene(options, choice);
  weft_result result = own ? weft_cli_texture_of(options, scene, desc, &drawing, err) : WEFT_OK;
  if (result == WEFT_OK) result = weft_renderer_create(gl, desc, renderer, err);
  weft_cli_drawing_free(&drawing);
  return result;
}

static void dress(void *user, const weft_scene_instance *scene, const weft_demo_choice *choice,
                  weft_picture *picture) {
  const weft_cli_options *options = ((const demo_user *)user)->options;
  const weft_material *fabric = is_own_scene(options, choice) ? options->setup.fabric : NULL;
  if (choice->fabric >= 0) fabric = weft_material_at((uint32_t)choice->fabric);
  picture->look = weft_cli_look_of(scene->name, fabric ? fabric->name : NULL, NULL);
  weft_cli_ground_of(scene, picture);
  weft_cli_figure_of(scene, picture);
}

static void say(void *user, const char *line) {
  (void)user;
  printf("%s\n", line);
  fflush(stdout);
}

static weft_result open_theory(void *user, const weft_scene_instance *scene, weft_solver *solver,
                               weft_gl *gl, void **theory, weft_error *err) {
  (void)user;
  weft_cli_theory *made = NULL;
  weft_result result = weft_cli_theory_open(scene, solver, gl, &made, err);
  *theory = made;
  return result;
}

static void close_theory(void *theory) { weft_cli_theory_close(theory); }

static void step_theory(void *theory, weft_solver *solver) { weft_cli_theory_step(theory, solver); }

static void restart_theory(void *theory, weft_solver *solver, bool forget_trails) {
  weft_cli_theory_restart(theory, solver, forget_trails);
}

static double measure_theory(void *theory, weft_solver *solver) {
  return weft_cli_theory_measure(theory, solver);
}

static void show_theory(const void *theory, bool trails, bool analytic, weft_picture *picture) {
  weft_cli_theory_show(theory, trails, analytic, picture);
}

static const weft_demo_theory theory_host = {.open = open_theory,
                                             .close = close_theory,
                                             .step = step_theory,
                                             .restart = restart_theory,
                                             .measure = measure_theory,
                                             .show = show_theory};

/* ---- the command ---- */

static void describe_keys(char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "Keys:\n");
  for (uint32_t k = 0; weft_demo_key_at(k) && used < size; ++k) {
    used += (size_t)snprintf(text + used, size - used, "  %-22s %s\n", weft_demo_key_at(k)->name,
                             weft_demo_key_at(k)->help);
  }
  used += (size_t)snprintf(text + used, size - used, "Mouse:\n");
  for (uint32_t k = 0; weft_demo_gesture_at(k) && used < size; ++k) {
    used += (size_t)snprintf(text + used, size - used, "  %-22s %s\n",
                             weft_demo_gesture_at(k)->name, weft_demo_gesture_at(k)->help);
  }
  snprintf(text + used, size - used,
           "\nThe simulation's step never depends on the frame rate. On a machine that is too slow "
           "the\nmotion gets slower, and the window says so.");
}

static weft_demo_choice first_choice(const weft_cli_options *options) {
  weft_demo_choice choice = {.fabric = -1, .bending = -1, .size = options->setup.size};
  while (weft_scene_at(choice.scene)) {
    if (options->setup.scene &&
        strcmp(weft_scene_at(choice.scene)->name, options->setup.scene) == 0)
      break;
    choice.scene++;
  }
  return choice;
}

static int fail(const weft_cli_options *options, const weft_demo_outcome *outcome,
                weft_error *err) {
  if (err->code == WEFT_ERROR_NO_GL) {
    char why[700];
    snprintf(why, sizeof why, "%.690s", err->message);
    weft_fail(err, WEFT_ERROR_NO_GL, "%s; without a window: weft render %s -o picture.png", why,
              options->setup.scene ? options->setup.scene : options->setup.mesh);
  }
  return outcome->output_failed ? weft_cli_fail_output(err) : weft_cli_fail(err);
}

static void tell_strain(const weft_demo_outcome *outcome) {
  weft_cli_strain_print_choice(stdout, &outcome->params, &outcome->held);
  weft_cli_strain_print_reached(stdout, &outcome->params, &outcome->held, &outcome->strain);
}

static int run(const weft_cli_options *options, const demo_options *own) {
  demo_user user = {.options = options};
  const weft_demo_host host = {.user = &user,
                               .file = options->setup.mesh,
                               .look_at = look_at,
                               .make = make,
                               .choose_backend = choose_backend,
                               .make_renderer = make_renderer,
                               .dress = dress,
                               .say = say,
                               .hint = weft_cli_help_of,
                               .theory = &theory_host};
  const weft_demo_desc desc = {
      .gl = {.debug = options->gl_debug,
             .minimum_limits = options->minimum_limits,
             .group_size = options->group_size},
      .width = own->width,
      .height = own->height,
      .choice = first_choice(options),
      .view = own->view,
      .quality = own->quality,
      .speed = (double)own->speed,
      .frames = own->frames,
      .screenshot = own->screenshot,
      .paused = own->paused,
      .no_panel = own->no_panel,
      .help = own->keys,
      .no_trails = own->no_trails,
      .no_analytic = own->no_analytic,
      .times = own->times,
      .no_pins = own->no_pins,
      .pick = own->pick_given,
      .particle = own->pick,
      .host = &host,
  };
  weft_demo_outcome outcome;
  weft_error err = {0};
  if (weft_demo_run(&desc, &outcome, &err) != WEFT_OK) return fail(options, &outcome, &err);
  printf("%s: frame %llu, %llu picture%s shown\n  hash      %016llx\n", outcome.scene,
         (unsigned long long)outcome.frames, (unsigned long long)outcome.pictures,
         weft_plural(outcome.pictures), (unsigned long long)outcome.hash);
  tell_strain(&outcome);
  return WEFT_EXIT_OK;
}

int weft_cmd_demo(int argc, char **argv) {
  demo_options own = {0};
  weft_cli_options options;
  char notes[3000];
  describe_keys(notes, sizeof notes);
  const weft_cli_spec spec = {
      .command = "demo",
      .arguments = "[SCENE|FILE] [options]",
      .summary =
          "Opens a window in which a scene runs and is drawn from the solver's own "
          "buffers.\nNeeds a display and libglfw; without them see weft render.",
      .notes = notes,
      .tables =
          WEFT_CLI_SCENE | WEFT_CLI_SIMULATION | WEFT_CLI_DRAWN | WEFT_CLI_THREADS | WEFT_CLI_GL,
      .default_scene = "duel",
      .extra = extra,
      .extra_count = sizeof extra / sizeof extra[0],
      .extra_base = &own,
  };
  int status;
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  weft_error err = {0};
  status = weft_cli_output_check(&options, own.screenshot, &err) == WEFT_OK
               ? run(&options, &own)
               : weft_cli_fail_output(&err);
  weft_cli_options_free(&options);
  return status;
}
