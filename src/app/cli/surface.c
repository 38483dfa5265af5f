/* surface.c: closed or open, and how much is inside. */

#include "surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "mesh_internal.h"
#include "vec3d.h"

static double volume_of(const weft_mesh *mesh) {
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *corner = mesh->triangles + 3 * t;
    weft_vec3d a = weft_v3d_from(mesh->positions[corner[0]]),
               b = weft_v3d_from(mesh->positions[corner[1]]),
               c = weft_v3d_from(mesh->positions[corner[2]]);
    sum += weft_v3d_dot(a, weft_v3d_cross(b, c)) / 6;
  }
  return sum;
}

weft_cli_surface weft_cli_surface_of(const weft_mesh *mesh) {
  weft_cli_surface s;
  weft_mesh welded = {.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count};
  welded.positions = weft_alloc(mesh->vertex_count, sizeof *welded.positions);
  welded.triangles = weft_alloc(3 * (size_t)mesh->triangle_count, sizeof *welded.triangles);
  memcpy(welded.positions, mesh->positions, mesh->vertex_count * sizeof *mesh->positions);
  memcpy(welded.triangles, mesh->triangles,
         3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
  weft_mesh_weld(&welded, 0);
  weft_mesh_inspect(&welded, &s.report);
  s.closed = s.report.boundary_edges + s.report.nonmanifold_edges + s.report.flipped_edges == 0;
  s.volume = volume_of(&welded);
  weft_mesh_free(&welded);
  return s;
}

/* Millimetres, 1, 2 or 5 of some power of ten, at least so many metres. */
static double round_up(double metres) {
  const double wanted = 1000 * metres * 1.001, power = pow(10, floor(log10(wanted)));
  return wanted <= power       ? power
         : wanted <= 2 * power ? 2 * power
         : wanted <= 5 * power ? 5 * power
                               : 10 * power;
}

bool weft_cli_gaps_text(const weft_mesh_gaps *gaps, char *text, size_t size) {
  *text = 0;
  if (gaps->vertices == 0) return false;
  snprintf(
      text, size,
      "%s piece%s; %s vert%s of borders lie%s up to %.2g mm off each other, as exporters round: "
      "--weld %.4g joins them into %s piece%s",
      weft_cli_grouped(gaps->pieces), weft_plural(gaps->pieces), weft_cli_grouped(gaps->vertices),
      gaps->vertices == 1 ? "ex" : "ices", gaps->vertices == 1 ? "s" : "", 1000 * gaps->widest,
      round_up(gaps->widest), weft_cli_grouped(gaps->after), weft_plural(gaps->after));
  return true;
}
