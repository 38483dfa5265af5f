/* opt_bodies.c: doubts about the meshes of --body. */
#include "cli.h"
#include "opt_units.h"
#include "surface.h"

/* Such bodies stop cloth as any other, from either side; they are seldom meant. */
static void warn_of(const weft_setup_body *body, const weft_scene_body *source) {
  const weft_cli_surface s = weft_cli_surface_of(weft_scene_body_mesh(source));
  const weft_mesh_report *r = &s.report;
  if (r->nonmanifold_edges > 0) {
    weft_log(WEFT_LOG_WARNING, "--body: %s has %u edge%s of more than two triangles", body->file,
             r->nonmanifold_edges, weft_plural(r->nonmanifold_edges));
  }
  if (r->boundary_edges > 0) {
    weft_log(
        WEFT_LOG_WARNING,
        "--body: %s is open, %u edge%s of one triangle: an open part has no inside, so nothing "
        "counts as inside of it",
        body->file, r->boundary_edges, weft_plural(r->boundary_edges));
  }
  if (r->flipped_edges > 0) {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s has %u edge%s whose triangles face apart: such a part has no inside, so "
             "nothing "
             "counts as inside of it",
             body->file, r->flipped_edges, weft_plural(r->flipped_edges));
  }
  if (s.closed && s.volume < 0) {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s is inside out: its faces look inwards (cloth keeps off either side)",
             body->file);
  }
}

/* ---- sizes ---- */

/* m: of the box around it, from corner to corner. */
static double extent_of(const weft_vec3 *positions, uint32_t count) {
  weft_vec3 low, high;
  weft_v3_bounds(positions, count, &low, &high);
  return (double)weft_v3_length(weft_v3_sub(high, low));
}

static void doubt_large(const weft_setup_body *body, double extent) {
  const double numbers = extent / (double)body->unit;
  const weft_cli_unit *unit = weft_cli_likely_unit(numbers);
  if (unit && unit->metres < (double)body->unit) {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s is %.3g m from corner to corner: if it is in %s, --body-unit %s makes it "
             "%.3g m",
             body->file, extent, unit->name, unit->option, numbers * unit->metres);
  } else {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s is %.3g m from corner to corner: --body-scale makes it smaller",
             body->file, extent);
  }
}

static void doubt_small(const weft_setup_body *body, double extent, double in_metres) {
  if (body->unit < 1) {
    weft_log(
        WEFT_LOG_WARNING,
        "--body: %s is %.3g m from corner to corner: if it is in metres, --body-unit m makes it "
        "%.3g m",
        body->file, extent, in_metres);
  } else {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s is %.3g m from corner to corner: --body-scale makes it larger", body->file,
             extent);
  }
}

/* Much larger than a room; smaller than a button; or smaller than a hand and little beside the
 * cloth, where in metres it would be a thing that cloth is put on. */
static void doubt_size(const weft_setup_body *body, const weft_scene_body *source,
                       const weft_scene_instance *scene) {
  enum { LARGE = 20 };
  const double button = 0.02, hand = 0.25, person = 5;
  const weft_mesh *mesh = weft_scene_body_mesh(source);
  const double extent = extent_of(mesh->positions, mesh->vertex_count);
  const double cloth =
      extent_of(weft_model_rest_positions(scene->model), weft_model_particle_count(scene->model));
  const double in_metres = extent / (double)body->unit;
  const bool little = extent < hand && extent < cloth / 4 && body->unit < 1 && in_metres < person;
  if (extent > LARGE) {
    doubt_large(body, extent);
  } else if (extent < button || little) {
    doubt_small(body, extent, in_metres);
  }
}

void weft_cli_warn_bodies(const weft_cli_options *options, const weft_scene_instance *scene) {
  const weft_setup *setup = &options->setup;
  for (uint32_t b = 0; b < setup->body_count; ++b) {
    weft_setup_body body = setup->bodies[b];
    const uint32_t own = scene->params.body_count - setup->body_count;
    weft_setup_body_follow(setup, &body);
    warn_of(&body, &scene->body_sources[own + b]);
    doubt_size(&body, &scene->body_sources[own + b], scene);
  }
}
