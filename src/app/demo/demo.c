/* demo.c: the window's life and its loop. */
#include "demo.h"

#include <math.h>
#include <string.h>

#include "demo_internal.h"
#include "find_particle.h"
#include "model.h"
#include "window.h"

/* ---- opening ---- */

enum { SCENES, FABRICS, VIEWS, MAX_NAMES = 64 };

static const char *const quality_names[] = {"fine", "plain", "coarse"};

static void tell_quality(weft_demo_quality quality) {
  weft_log(WEFT_LOG_DEBUG, "drawing %s", quality_names[quality]);
}

static void fill_lists(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  for (uint32_t k = 0; weft_scene_at(k) && k < MAX_NAMES - 1; ++k) {
    demo->names[SCENES][b->scene_count++] = weft_scene_at(k)->name;
  }
  if (demo->desc->host->file) {
    demo->names[SCENES][b->scene_count++] = demo->desc->host->file;
  }
  for (uint32_t k = 0; weft_material_at(k) && k < MAX_NAMES; ++k) {
    demo->names[FABRICS][b->fabric_count++] = weft_material_at(k)->name;
  }
  for (; b->view_count < WEFT_VIEW_MODE_COUNT; ++b->view_count) {
    demo->names[VIEWS][b->view_count] = weft_view_name((weft_view_mode)b->view_count);
  }
  b->scenes = demo->names[SCENES];
  b->fabrics = demo->names[FABRICS];
  b->bendings = weft_bending_names;
  while (weft_bending_names[b->bending_count]) b->bending_count++;
  b->views = demo->names[VIEWS];
}

/* "cpu: 8 lanes, AVX2; drawing on llvmpipe", or the one that does both. */
static void fill_runs(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  const char *name = weft_backend_name(demo->session.backend), *driver = demo->gl->renderer;
  bool gl = strcmp(name, "gl") == 0, cpu = strcmp(name, "cpu") == 0;
  const char *detail = strstr(driver, " ("), *bus = strchr(driver, '/');
  size_t all = strlen(driver), until = detail ? (size_t)(detail - driver) : all;
  if (bus && (size_t)(bus - driver) < until) until = (size_t)(bus - driver);
  if (gl) {
    snprintf(demo->runs, sizeof demo->runs, "gl: solver and drawing on %.*s", (int)until, driver);
  } else {
    snprintf(demo->runs, sizeof demo->runs, "%s%s%s; drawing on %.*s", name, cpu ? ": " : "",
             cpu ? weft_backend_cpu_describe() : "", (int)until, driver);
  }
  b->runs = demo->runs;
  b->who = gl && !weft_gl_is_software(demo->gl) ? "GPU" : name;
}

static void tell_place(const char *name, double x, double y) {
  weft_log(WEFT_LOG_DEBUG, "panel: %s at %.0f %.0f", name, x, y);
}

static void make_panel(weft_demo *demo) {
  weft_demo_panel_destroy(demo->panel);
  demo->scale = weft_gl_window_scale(demo->gl);
  demo->panel = weft_demo_panel_create(demo->scale, demo->height);
}

static void open_panel(weft_demo *demo) {
  if (demo->desc->no_panel) return;
  make_panel(demo);
  if (!demo->panel) {
    weft_log(
        WEFT_LOG_WARNING,
        "no panel: weft was built without Dear ImGui (Debian: libimgui-dev and g++); the key h "
        "lists the keys");
  }
}

static weft_result open_window(weft_demo *demo, weft_error *err) {
  const weft_demo_desc *d = demo->desc;
  bool any = d->width || d->height;
  int width = any && !d->width ? 1280 : (int)d->width,
      height = any && !d->height ? 800 : (int)d->height;
  weft_result result = weft_gl_create_window(&d->gl, width, height, "weft demo", &demo->gl, err);
  if (result != WEFT_OK) return result;
  weft_gl_window_size(demo->gl, &demo->width, &demo->height);
  demo->density = weft_gl_window_density(demo->gl);
  weft_demo_quality begin = weft_demo_pace_begin(&demo->pace, weft_gl_is_software(demo->gl));
  demo->session =
      (weft_demo_session){.host = d->host,
                          .gl = demo->gl,
                          .width = (uint32_t)demo->width,
                          .height = (uint32_t)demo->height,
                          .quality = d->quality > 0 ? (weft_demo_quality)(d->quality - 1) : begin,
                          .hide_trails = d->no_trails,
                          .hide_analytic = d->no_analytic};
  tell_quality(demo->session.quality);
  result =
      d->host->choose_backend(d->host->user, demo->gl, &demo->shown, &demo->session.backend, err);
  if (result == WEFT_OK) result = weft_demo_session_open(&demo->session, &d->choice, err);
  return result;
}

static weft_result pick_first(weft_demo *demo, weft_error *err) {
  uint32_t particle = 0;
  if (!demo->desc->pick) return WEFT_OK;
  weft_result result =
      weft_model_find_particle(demo->session.scene.model, demo->desc->particle, &particle, err);
  if (result == WEFT_OK) weft_demo_choose(demo, particle);
  return result;
}

static weft_result open_demo(weft_demo *demo, weft_error *err) {
  weft_result result = open_window(demo, err);
  if (result != WEFT_OK) return result;
  fill_lists(demo);
  weft_demo_meter_open(&demo->meter);
  demo->meter.by_clock = demo->times.by_clock = demo->shown != NULL;
  weft_demo_clock_start(&demo->clock);
  if (demo->desc->speed > 0) demo->clock.speed = demo->desc->speed;
  demo->clock.paused = demo->desc->paused;
  demo->ui.show_panel = true;
  demo->ui.batch = -1;
  demo->ui.picked = WEFT_NO_PARTICLE;
  demo->ui.show_help = demo->desc->help;
  demo->ui.scene_asked = demo->ui.wind_asked = demo->ui.strain_asked = -1;
  demo->ui.place = tell_place;
  demo->ui.hint = demo->desc->host->hint;
  demo->tell_times = demo->desc->times;
  demo->ui.view = (uint32_t)demo->desc->view;
  demo->ui.quality = demo->desc->quality - 1;
  demo->ui.title = demo->title;
  fill_runs(demo);
  demo->cloth_size = demo->desc->choice.size;
  open_panel(demo);
  result = pick_first(demo, err);
  if (result != WEFT_OK) return result;
  weft_demo_settle(demo);
  weft_demo_home(demo);
  weft_demo_show_settings(demo);
  weft_demo_listen(demo);
  return WEFT_OK;
}

static void close_demo(weft_demo *demo) {
  if (!demo->gl) return;
  weft_gl_window_listen(demo->gl, NULL);
  weft_demo_panel_destroy(demo->panel);
  weft_demo_meter_close(&demo->meter);
  weft_log(WEFT_LOG_DEBUG, "%llu queries for times of passes",
           (unsigned long long)demo->times.queries);
  weft_demo_times_close(&demo->times);
  weft_demo_partners_free(&demo->partners);
  weft_demo_prompt_close(&demo->sign);
  weft_demo_session_close(&demo->session);
  weft_shown_destroy(demo->shown);
  weft_gl_destroy(demo->gl);
  for (size_t k = 0; k < demo->file_count; ++k) weft_free(demo->files[k]);
  weft_free(demo->files);
}

/* ---- the loop ---- */

static weft_demo_quality quality_for(weft_demo *demo, double now) {
  if (demo->ui.quality >= 0) return (weft_demo_quality)demo->ui.quality;
  return weft_demo_pace_next(&demo->pace, demo->session.quality, demo->ui.render_ms,
                             now - demo->moved_at);
}

/* A renderer of the window's size, once the user has let go of its edge. */
static weft_result follow_size(weft_demo *demo, double now, weft_error *err) {
  static const double patience = 0.2; /* seconds */
  weft_gl_window_size(demo->gl, &demo->width, &demo->height);
  if (demo->width < 1 || demo->height < 1) return WEFT_OK; /* minimised */
  demo->density = weft_gl_window_density(demo->gl);
  if (demo->panel && weft_gl_window_scale(demo->gl) != demo->scale) make_panel(demo);
  weft_demo_settle(demo);
  bool panels = demo->width == demo->sized_width && demo->height == demo->sized_height;
  bool same = (uint32_t)demo->layout.across == demo->session.width &&
              (uint32_t)demo->layout.height == demo->session.height;
  weft_demo_quality quality = quality_for(demo, now);
  if (same) demo->resized_at = 0;
  if (same && quality == demo->session.quality) return WEFT_OK;
  if (demo->resized_at == 0) demo->resized_at = now;
  if (!same && !panels && now - demo->resized_at < patience) return WEFT_OK;
  demo->resized_at = 0;
  demo->ui.render_ms = 0;
  if (!same) weft_demo_pace_forget(&demo->pace);
  if (quality != demo->session.quality) tell_quality(quality);
  weft_demo_meter_forget(&demo->meter);
  weft_demo_times_forget(&demo->times);
  weft_demo_clock_forgive(&demo->clock);
  demo->sized_width = demo->width;
  demo->sized_height = demo->height;
  weft_result result = weft_demo_session_resize(&demo->session, (uint32_t)demo->layout.across,
                                                (uint32_t)demo->layout.height, quality, err);
  if (!same && !demo->away) weft_demo_home(demo);
  return result;
}

static uint64_t left_to_do(const weft_demo *demo) {
  uint64_t frame = weft_solver_frame(demo->session.solver), end = demo->desc->frames;
  return end == 0 ? UINT64_MAX : end > frame ? end - frame : 0;
}

/* Simulating for one picture may take so long that the window still answers. */
static uint32_t max_steps(const weft_demo *demo) {
  static const double patience = 60; /* ms */
  double ms = demo->ui.solver_ms + demo->session.beside.ms, steps = ms > 0 ? patience / ms : 1;
  return steps < 1 ? 1 : steps < WEFT_DEMO_MAX_STEPS ? (uint32_t)steps : WEFT_DEMO_MAX_STEPS;
}

/* Passes are timed only while the times are shown. */
static bool times_wanted(const weft_demo *demo) {
  return demo->tell_times || (demo->panel && demo->ui.show_panel && demo->ui.show_times);
}

static weft_result simulate(weft_demo *demo, double wall, weft_error *err) {
  demo->clock.max = max_steps(demo);
  double dt = (double)weft_solver_params(demo->session.solver)->frame_dt;
  uint32_t steps = weft_demo_clock_advance(&demo->clock, wall, dt);
  if (steps > left_to_do(demo)) steps = (uint32_t)left_to_do(demo);
  weft_result result = WEFT_OK;
  weft_demo_times *times = times_wanted(demo) ? &demo->times : NULL;
  weft_demo_meter_solver_begin(&demo->meter);
  for (uint32_t k = 0; k < steps && result == WEFT_OK; ++k) { /* one frame a picture is timed */
    result = weft_demo_session_step(&demo->session, k == 0 ? times : NULL, err);
  }
  if (demo->shown) weft_solver_finish(demo->session.solver);
  weft_demo_meter_solver_end(&demo->meter, steps);
  return result == WEFT_OK ? weft_demo_beside_follow(&demo->session, err) : result;
}

/* What has not changed is shown as it is. */
static weft_result draw_session(weft_demo *demo, weft_error *err) {
  if (demo->session.drawn) return WEFT_OK;
  weft_demo_meter_render_begin(&demo->meter);
  weft_result result = weft_demo_session_draw(&demo->session, err);
  weft_demo_meter_render_end(&demo->meter);
  return result;
}

static void show_picture(const weft_demo *demo) {
  const weft_demo_session *session = &demo->session;
  const weft_demo_layout *room = &demo->layout;
  if (session->beside.solver) {
    weft_demo_beside_show(session, room->left);
    return;
  }
  bool same = (uint32_t)room->across == session->drawn_width &&
              (uint32_t)room->height == session->drawn_height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, weft_renderer_framebuffer(session->renderer));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, (GLint)session->drawn_width, (GLint)session->drawn_height, room->left, 0,
                    room->left + room->across, room->height, GL_COLOR_BUFFER_BIT,
                    same ? GL_NEAREST : GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  weft_renderer_draw_legend(session->renderer, &session->picture, room->left, room->across,
                            room->height);
}

static weft_result draw(weft_demo *demo, weft_error *err) {
  weft_result result = draw_session(demo, err);
  weft_demo_meter_shown(&demo->meter);
  if (result != WEFT_OK && demo->ui.view != WEFT_VIEW_SHADED) { /* past a driver's limit */
    weft_demo_complain(demo, err);
    demo->ui.view = WEFT_VIEW_SHADED;
    result = WEFT_OK;
  }
  if (result != WEFT_OK) return result;
  show_picture(demo);
  glViewport(0, 0, demo->width, demo->height);
  return WEFT_OK;
}

static void fill_ui(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  b->time = weft_solver_time(demo->session.solver);
  b->frame = weft_solver_frame(demo->session.solver);
  b->speed = demo->clock.speed;
  b->achieved = demo->clock.achieved;
  b->paused = demo->clock.paused;
  b->drawn = demo->session.quality;
  b->batch_count =
      b->view == WEFT_VIEW_COLOURS ? weft_view_batch_count(demo->session.scene.model) : 0;
  b->too_slow = demo->clock.too_slow && !demo->clock.paused;
  b->has_theory = demo->session.theory != NULL;
  b->shows_trails = !demo->session.hide_trails;
  b->shows_analytic = !demo->session.hide_analytic;
  if (*b->notice && weft_clock_seconds() > demo->notice_until) *b->notice = 0;
}

static void update_title(weft_demo *demo) {
  const weft_demo_ui *b = &demo->ui;
  char title[240];
  int used = snprintf(title, sizeof title, "weft: %s, %.0f pictures/s", demo->title,
                      b->pictures_per_second);
  if (b->paused) {
    snprintf(title + used, sizeof title - (size_t)used, ", paused");
  } else if (b->too_slow) {
    snprintf(title + used, sizeof title - (size_t)used,
             ", TOO SLOW for real time: slow motion, %.2g x", b->achieved);
  }
  weft_gl_window_title(demo->gl, title);
}

/* As often as the state is measured, and at the end. */
static void show_picked(weft_demo *demo) {
  if (demo->meter.measured_at == demo->picked_shown) return;
  demo->picked_shown = demo->meter.measured_at;
  weft_demo_read_picked(demo);
}

static void say_times(weft_demo *demo) {
  const weft_demo_ui *b = &demo->ui;
  char line[4000]; /* a row takes 50 at most */
  if (b->pass_count == 0) return;
  int used = snprintf(line, sizeof line,
                      "times frame %llu: solver %.4g ms a frame =", (unsigned long long)b->frame,
                      b->passes_whole_ms);
  for (uint32_t k = 0; k < b->pass_count; ++k) {
    used += snprintf(line + used, sizeof line - (size_t)used, "%s %s %.4g", k ? " +" : "",
                     b->passes[k].name, b->passes[k].ms);
  }
  snprintf(line + used, sizeof line - (size_t)used,
           " + other %.4g; drawing %.4g ms a picture; %.4g projections/s",
           fmax(0, b->passes_whole_ms - b->passes_ms), b->render_ms, b->projections_per_second);
  weft_demo_say(demo, line);
}

/* Speeds, twice a second. */
static void show_times(weft_demo *demo, double now) {
  if (!weft_demo_meter_speeds(&demo->meter, demo->session.solver, now, &demo->ui)) return;
  weft_demo_times_show(&demo->times, &demo->ui);
  if (demo->tell_times) say_times(demo);
}

static void show_apart(weft_demo *demo) {
  if (demo->meter.measured_at == demo->apart_shown) return;
  demo->apart_shown = demo->meter.measured_at;
  demo->ui.apart = weft_demo_session_apart(&demo->session);
}

/* As often as the state is measured. */
static weft_result show_captions(weft_demo *demo, weft_error *err) {
  if (demo->meter.measured_at == demo->captions_shown) return WEFT_OK;
  demo->captions_shown = demo->meter.measured_at;
  return weft_demo_beside_measure(&demo->session, &demo->ui.metrics, demo->ui.solver_ms, err);
}

static weft_result look(weft_demo *demo, double now, bool at_once, weft_error *err) {
  weft_result result =
      weft_demo_meter_state(&demo->meter, demo->session.solver, now, at_once, &demo->ui, err);
  if (result == WEFT_OK) result = show_captions(demo, err);
  if (result == WEFT_OK) show_picked(demo);
  if (result == WEFT_OK) show_apart(demo);
  if (result != WEFT_OK || demo->ui.metrics.nonfinite == 0) return result;
  if (!demo->clock.paused) {
    snprintf(demo->ui.message, sizeof demo->ui.message,
             "the state became infinite or NaN; r goes back to the start (more substeps, softer "
             "fabric or damping may help, and \"weft simulate\" names the pass)");
    demo->clock.paused = true;
    weft_log(WEFT_LOG_WARNING, "the state became infinite or NaN by frame %llu",
             (unsigned long long)weft_solver_frame(demo->session.solver));
  }
  return WEFT_OK;
}

static void photograph_numbered(weft_demo *demo) {
  char path[200];
  snprintf(path, sizeof path, "weft-%.100s-%05llu.png", demo->session.scene.name,
           (unsigned long long)weft_solver_frame(demo->session.solver));
  for (char *c = path; *c; ++c) {
    if (*c == '/') *c = '_';
  }
  weft_error err = {0};
  if (weft_demo_photograph(demo, path, &err) != WEFT_OK) weft_demo_complain(demo, &err);
}

/* Before it is decided how finely to draw: what has begun to move is to be quick at once. Slow
 * motion moves between its frames, too, or each would be drawn coarsely and then finely. */
static weft_result compose(weft_demo *demo, double now, weft_error *err) {
  bool moves = false;
  demo->ui.near_pin = weft_demo_near_pin(demo);
  weft_result result =
      weft_demo_session_compose(&demo->session, &demo->camera, &demo->ui, &moves, err);
  if (moves || !demo->clock.paused) demo->moved_at = now;
  return result;
}

/* Numbers are those of the frame beside them where one has time to read them: while it stands, and
 * in a picture that is kept. */
static bool wants_numbers(const weft_demo *demo) {
  bool other = weft_solver_frame(demo->session.solver) != demo->meter.measured_frame;
  return other && (demo->clock.paused || demo->photograph);
}

static weft_result turn(weft_demo *demo, double now, double wall, bool *last, weft_error *err) {
  weft_gl_window_poll(demo->gl);
  weft_demo_obey(demo);
  weft_demo_ask(demo);
  weft_demo_tune(demo);
  weft_result result = simulate(demo, wall, err);
  if (demo->tunings != demo->session.tunings) weft_demo_show_settings(demo);
  *last = left_to_do(demo) == 0 || demo->quit || weft_gl_window_should_close(demo->gl);
  if (result == WEFT_OK) result = look(demo, now, *last || wants_numbers(demo), err);
  if (result == WEFT_OK) result = compose(demo, now, err);
  if (result == WEFT_OK) result = follow_size(demo, now, err);
  if (result == WEFT_OK && demo->width > 0 && demo->height > 0) result = draw(demo, err);
  if (result != WEFT_OK) return result;
  fill_ui(demo);
  weft_demo_panel_draw(demo->panel, &demo->ui, demo->width, demo->height, wall);
  if (!demo->panel) weft_demo_prompt_draw(&demo->sign, &demo->ui, demo->width, demo->height);
  if (demo->photograph) photograph_numbered(demo);
  demo->photograph = false;
  return WEFT_OK;
}

static weft_result run(weft_demo *demo, weft_demo_outcome *outcome, weft_error *err) {
  double before = weft_clock_seconds();
  for (bool last = false; !last;) {
    double now = weft_clock_seconds();
    weft_result result = turn(demo, now, now - before, &last, err);
    if (result != WEFT_OK) return result;
    before = now;
    if (last && demo->desc->screenshot) {
      result = weft_demo_photograph(demo, demo->desc->screenshot, err);
      outcome->output_failed = result != WEFT_OK;
      if (result != WEFT_OK) return result;
    }
    weft_gl_window_swap(demo->gl);
    demo->pictures++;
    show_times(demo, now);
    if (demo->pictures % 8 == 1) update_title(demo);
  }
  weft_demo_say_picked(demo);
  snprintf(outcome->scene, sizeof outcome->scene, "%.299s", demo->session.scene.name);
  outcome->held = demo->session.scene.held;
  outcome->params = demo->session.scene.params;
  outcome->params.colliders = NULL;
  outcome->params.collider_count = 0;
  outcome->strain = demo->meter.strain;
  outcome->frames = weft_solver_frame(demo->session.solver);
  outcome->pictures = demo->pictures;
  outcome->gl_messages = weft_gl_message_count(demo->gl);
  return weft_solver_hash(demo->session.solver, &outcome->hash, err);
}

weft_result weft_demo_run(const weft_demo_desc *desc, weft_demo_outcome *outcome, weft_error *err) {
  *outcome = (weft_demo_outcome){0};
  weft_demo *demo = weft_alloc(1, sizeof *demo);
  demo->desc = desc;
  weft_result result = open_demo(demo, err);
  if (result == WEFT_OK) result = run(demo, outcome, err);
  close_demo(demo);
  weft_free(demo);
  return result;
}
