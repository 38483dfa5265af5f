/* render_beside.c: the same cloth once more under a plain sweep, in the left half of the picture.
 */
#include "inspect.h"
#include "render_job.h"

weft_result weft_render_beside_open(render_job *job, weft_error *err) {
  const weft_cli_session *s = &job->session;
  render_beside *b = &job->beside;
  if (s->scene.beside == WEFT_BESIDE_NOTHING) return WEFT_OK;
  weft_params params = s->scene.params;
  weft_params_plain(&params);
  weft_result result = weft_solver_create(s->scene.model, &params, s->backend, &b->solver, err);
  if (result != WEFT_OK) return result;
  b->pair = weft_pair_of(job->width, job->height);
  job->desc.width = b->pair.half;
  job->desc.height = b->pair.above;
  return weft_watch_open(&job->session.scene, b->solver, &b->watch, err);
}

void weft_render_beside_close(render_job *job) {
  weft_watch_close(&job->beside.watch);
  weft_solver_destroy(job->beside.solver);
}

/* Whose end it was is said: the scene itself may be well. */
static weft_result blame(weft_result result, weft_error *err) {
  weft_error why = *err;
  return weft_fail(err, result, "the plain sweep beside (--beside off leaves it out) %.900s",
                   why.message);
}

weft_result weft_render_beside_step(render_job *job, bool look, weft_error *err) {
  if (!job->beside.solver) return WEFT_OK;
  weft_result result = weft_watch_step(&job->beside.watch, look, err);
  return result == WEFT_ERROR_NOT_FINITE ? blame(result, err) : result;
}

static weft_result caption(weft_solver *solver, const char *name, weft_caption *out,
                           weft_error *err) {
  weft_metrics metrics;
  weft_result result = weft_solver_metrics(solver, &metrics, err);
  if (result == WEFT_OK) weft_caption_write(name, weft_solver_params(solver), &metrics, 0, out);
  return result;
}

/* job->image is the scene's own half. */
static weft_result join(render_job *job, weft_image *left, weft_error *err) {
  render_beside *b = &job->beside;
  weft_result result = caption(b->solver, "plain sweep", &b->captions[0], err);
  if (result == WEFT_OK) result = caption(job->session.solver, "weft", &b->captions[1], err);
  if (result != WEFT_OK) return result;
  weft_image whole = weft_pair_join(&b->pair, (weft_image[]){*left, job->image}, b->captions);
  weft_free(job->image.pixels);
  job->image = whole;
  return WEFT_OK;
}

weft_result weft_render_beside_draw(render_job *job, const weft_picture *picture, weft_error *err) {
  weft_solver *solver = job->beside.solver;
  weft_picture left = *picture;
  if (!solver) return WEFT_OK;
  left.solver = solver;
  left.origin = weft_v3d_round(weft_solver_origin(solver));
  if (!weft_solver_gl_view(solver, WEFT_BUFFER_X, &left.positions)) {
    return weft_fail(err, WEFT_ERROR_GL, "the solver's positions are not in a GL buffer");
  }
  weft_image image = {0};
  weft_result result = weft_renderer_draw(job->renderer, &left, err);
  if (result == WEFT_OK) result = weft_renderer_read(job->renderer, &image, err);
  if (result == WEFT_OK) result = join(job, &image, err);
  weft_free(image.pixels);
  return result;
}

void weft_render_beside_tell(const render_job *job) {
  for (int side = 0; side < 2 && job->beside.solver; ++side) {
    const weft_caption *c = &job->beside.captions[side];
    printf("  %-9s %s; %s\n", side ? "right" : "left", c->lines[0], c->lines[1]);
  }
}
