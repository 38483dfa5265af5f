/* drop.c: files dropped on the window: what they are asked to be, and what becomes of them. */
#include <string.h>

#include "demo_internal.h"

void weft_demo_drop(weft_demo *demo, const char *file) {
  void *files = demo->files;
  if (demo->asked == demo->file_count) *demo->ui.message = 0;
  weft_grow(&files, &demo->file_room, demo->file_count + 1, sizeof *demo->files);
  demo->files = files;
  demo->files[demo->file_count++] = weft_strdup(file);
  weft_log(WEFT_LOG_INFO, "dropped %s", file);
}

void weft_demo_reply(weft_demo *demo, weft_demo_answer answer) { demo->ui.answer = answer; }

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

/* ---- asking ---- */

static void describe(const weft_demo_file *found, char *text, size_t size) {
  char vertices[32], triangles[32];
  weft_group_digits(vertices, found->vertices);
  weft_group_digits(triangles, found->triangles);
  int used =
      snprintf(text, size, "%s vertices, %s triangles, %.3g m from corner to corner, %s", vertices,
               triangles, (double)found->extent, found->closed ? "closed" : "open");
  if (found->seconds > 0) {
    snprintf(text + used, size - (size_t)used, ", moves for %.3g s", found->seconds);
  }
}

/* What cannot be read is not asked about. */
static void ask_about(weft_demo *demo, const char *file) {
  const weft_demo_host *host = demo->desc->host;
  weft_demo_ui *b = &demo->ui;
  weft_demo_file found;
  weft_error err = {0};
  *b->notice = 0;
  if (host->look_at(host->user, file, &found, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    demo->asked++;
  } else {
    b->file = name_of(file);
    describe(&found, b->facts, sizeof b->facts);
    weft_log(WEFT_LOG_INFO, "asking about %s: %s", b->file, b->facts);
  }
  weft_demo_clock_forgive(&demo->clock);
}

/* ---- what becomes of it ---- */

static void name_tangled(weft_demo *demo, const char *file, uint64_t pairs) {
  char digits[32];
  weft_group_digits(digits, pairs);
  snprintf(demo->ui.message, sizeof demo->ui.message,
           "the scene begins anew with %.60s, tangled: %s pair%s of triangles of cloth and body "
           "cross and are not kept apart, all others are",
           name_of(file), digits, weft_plural(pairs));
  weft_log(WEFT_LOG_INFO, "%s", demo->ui.message);
}

static void hang(weft_demo *demo, const char *file) {
  weft_demo_choice choice = demo->session.choice;
  choice.scene = weft_demo_file_scene();
  choice.size = 0;
  choice.fabric = choice.bending = -1;
  memset(choice.softened, 0, sizeof choice.softened);
  choice.cloth = file;
  if (!weft_demo_play(demo, &choice)) return;
  demo->cloth = file;
  demo->names[0][choice.scene] = file;
  demo->ui.scene_count = choice.scene + 1;
  weft_demo_home(demo);
  char text[200];
  uint64_t pairs = 0;
  weft_error err = {0};
  snprintf(text, sizeof text, "%.100s is the cloth now", name_of(file));
  weft_demo_notify(demo, text);
  if (choice.body_count == 0) return;
  if (weft_demo_session_tangled(&demo->session, &pairs, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
  } else if (pairs > 0) {
    name_tangled(demo, file, pairs);
  }
}

static void tell_joined(weft_demo *demo, const char *file, const weft_demo_joined *joined,
                        bool self_before) {
  char text[200];
  const char *how = joined->moves  ? "moves in the scene, which begins anew with it"
                    : joined->anew ? "is in the scene, which begins anew: the cloth was in its way"
                                   : "is in the scene; it can be dragged";
  snprintf(text, sizeof text, "%.60s %s%s", name_of(file), how,
           self_before ? "" : "; self-collision is on");
  weft_demo_notify(demo, text);
  if (joined->tangled > 0) name_tangled(demo, file, joined->tangled);
}

static void stand(weft_demo *demo, const char *file) {
  weft_demo_session *session = &demo->session;
  weft_demo_choice choice = session->choice;
  weft_params params = weft_demo_session_params(session);
  weft_demo_joined joined;
  weft_error err = {0};
  bool self = params.self_collision;
  if (choice.body_count == WEFT_MAX_BODIES) {
    weft_fail(&err, WEFT_ERROR_LIMIT, "%d bodies were dropped already", WEFT_MAX_BODIES);
    weft_demo_complain(demo, &err);
    return;
  }
  choice.bodies[choice.body_count++] = file;
  if (weft_demo_session_add_body(session, &choice, &params, &joined, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return;
  }
  if (joined.anew) weft_demo_start_over(demo);
  if (!demo->away) weft_demo_home(demo);
  demo->holding = false;
  weft_demo_show_settings(demo);
  tell_joined(demo, file, &joined, self);
}

/* What went wrong with the one before stays until it was read. */
void weft_demo_ask(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  if (b->file && b->answer != WEFT_DEMO_UNANSWERED) {
    const char *file = demo->files[demo->asked++];
    if (b->answer == WEFT_DEMO_AS_CLOTH) hang(demo, file);
    if (b->answer == WEFT_DEMO_AS_BODY) stand(demo, file);
    b->file = NULL;
    weft_demo_clock_forgive(&demo->clock);
  }
  b->answer = WEFT_DEMO_UNANSWERED;
  if (!b->file && demo->asked < demo->file_count && !*b->message) {
    ask_about(demo, demo->files[demo->asked]);
  }
}
