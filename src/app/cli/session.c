/* session.c: from options to a backend and a solver. */
#include "cli.h"

/* In a debug build the driver's messages always go to the log. */
#ifdef NDEBUG
static const bool debug_build = false;
#else
static const bool debug_build = true;
#endif

weft_gl_desc weft_cli_gl_desc(const weft_cli_options *options) {
  return (weft_gl_desc){.debug = options->gl_debug || debug_build,
                        .minimum_limits = options->minimum_limits,
                        .group_size = options->group_size,
                        .device = options->device};
}

weft_result weft_cli_make_gl(const weft_cli_options *options, weft_gl **gl, weft_error *err) {
  weft_gl_desc desc = weft_cli_gl_desc(options);
  const weft_result result = weft_gl_create_headless(&desc, gl, err);
  if (result == WEFT_OK) weft_gl_make_current(*gl);
  return result;
}

/* gl on a GPU. A software driver computes the same, many times slower than cpu does. */
static weft_result make_gl_backend(const weft_cli_options *options, weft_gl **gl,
                                   const weft_backend **backend, weft_error *err) {
  weft_result result = weft_cli_make_gl(options, gl, err);
  if (result != WEFT_OK) return result;
  if (options->backend == WEFT_CLI_BACKEND_DEFAULT && weft_gl_is_software(*gl)) {
    *backend = weft_backend_cpu(options->threads);
  } else {
    result = weft_backend_gl(*gl, backend, err);
    if (result == WEFT_OK) return WEFT_OK;
  }
  weft_gl_destroy(*gl);
  *gl = NULL;
  return result;
}

/* *gl is NULL for the others. */
static weft_result make_backend(const weft_cli_options *options, weft_gl **gl,
                                const weft_backend **backend, weft_error *err) {
  *gl = NULL;
  *backend = weft_backend_ref();
  if (options->backend == WEFT_CLI_BACKEND_REF) return WEFT_OK;
  if (options->backend == WEFT_CLI_BACKEND_F64) {
    *backend = weft_backend_f64();
    return WEFT_OK;
  }
  if (options->backend == WEFT_CLI_BACKEND_CPU) {
    *backend = weft_backend_cpu(options->threads);
    return WEFT_OK;
  }
  weft_error why = {0};
  weft_result result = make_gl_backend(options, gl, backend, &why);
  if (result == WEFT_OK) return WEFT_OK;
  if (result != WEFT_ERROR_NO_GL || options->backend == WEFT_CLI_BACKEND_GL) {
    return weft_fail(err, result, "%s", why.message);
  }
  weft_log(WEFT_LOG_WARNING, "%s; using the backend cpu instead", why.message);
  *backend = weft_backend_cpu(options->threads);
  return WEFT_OK;
}

weft_result weft_cli_drawn_backend(const weft_cli_options *options, weft_gl *gl, weft_shown **shown,
                                   const weft_backend **backend, weft_error *err) {
  bool own = options->backend == WEFT_CLI_BACKEND_DEFAULT;
  bool cpu = options->backend == WEFT_CLI_BACKEND_CPU || (own && weft_gl_is_software(gl));
  *shown = NULL;
  if (!cpu && options->backend != WEFT_CLI_BACKEND_REF) return weft_backend_gl(gl, backend, err);
  *shown = weft_shown_create(gl, cpu ? weft_backend_cpu(options->threads) : weft_backend_ref());
  *backend = weft_backend_shown(*shown);
  return WEFT_OK;
}

static weft_result open_backend(const weft_cli_options *options, bool drawn, weft_cli_session *s,
                                weft_error *err) {
  if (!drawn) return make_backend(options, &s->gl, &s->backend, err);
  weft_result result = weft_cli_make_gl(options, &s->gl, err);
  if (result != WEFT_OK) return result;
  return weft_cli_drawn_backend(options, s->gl, &s->shown, &s->backend, err);
}

weft_result weft_cli_session_open(const weft_cli_options *options, bool drawn,
                                  weft_cli_session *session, weft_error *err) {
  *session = (weft_cli_session){0};
  weft_result result = weft_cli_make_scene(options, &session->scene, err);
  if (result == WEFT_OK) {
    result = open_backend(options, drawn, session, err);
  }
  if (result == WEFT_OK) {
    result = weft_solver_create(session->scene.model, &session->scene.params, session->backend,
                                &session->solver, err);
  }
  if (result != WEFT_OK) weft_cli_session_close(session);
  return result;
}

void weft_cli_session_close(weft_cli_session *session) {
  weft_solver_destroy(session->solver);
  weft_shown_destroy(session->shown);
  weft_scene_free(&session->scene);
  if (session->gl) weft_gl_destroy(session->gl);
  *session = (weft_cli_session){0};
}
