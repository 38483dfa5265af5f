/* progress.c: how far all rows are. A row counts by its particles and by what its backend usually
 * costs, so that the time left means something; nothing else depends on these numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_internal.h"
#include "gl.h"

/* Of a frame, beside one on cpu. */
static double cost_of(const weft_bench_plan *plan, const char *backend) {
  bool gl = strcmp(backend, "gl") == 0, slow = gl && plan->gl && weft_gl_is_software(plan->gl);
  if (gl && !slow) return plan->gl ? 0.3 : 0;
  return slow ? 6 : strcmp(backend, "ref") == 0 ? 10 : strcmp(backend, "f64") == 0 ? 20 : 1;
}

/* What a row is counted by; all rows of a mesh are of one size. */
static double area_of(const weft_bench_request *request, double size) {
  return request->mesh ? 1 : size * size;
}

static uint32_t at_least_one(uint32_t count) { return count ? count : 1; }

void weft_bench_progress_begin(const weft_bench_request *request, weft_bench_progress *progress) {
  uint32_t ways = at_least_one(request->modes.count) * at_least_one(request->schedules.count);
  *progress = (weft_bench_progress){0};
  for (uint32_t k = 0; k < request->sizes.count; ++k) {
    double size = strtod(request->sizes.text[k], NULL);
    for (uint32_t b = 0; b < request->backends.count; ++b) {
      double cost = cost_of(&request->plan, request->backends.text[b]);
      uint32_t rows = cost > 0 ? request->scenes.count * ways : 0;
      progress->all += rows * area_of(request, size) * cost;
      progress->count += rows;
    }
  }
}

void weft_bench_progress_next(const weft_bench_request *request, const char *scene, uint32_t size,
                              const char *backend) {
  weft_bench_progress *p = request->plan.progress;
  p->done += p->row;
  p->row = area_of(request, size) * cost_of(&request->plan, backend);
  snprintf(p->what, sizeof p->what, "row %u of %u: %s %u, %s", ++p->number, p->count, scene, size,
           backend);
  weft_bench_progress_show(&request->plan, 0);
}

void weft_bench_progress_show(const weft_bench_plan *plan, double part) {
  enum { PARTS = 10000 };
  const weft_bench_progress *p = plan->progress;
  double done = (p->done + p->row * fmin(part, 1)) / fmax(p->all, 1);
  weft_progress(p->what, (uint64_t)(PARTS * fmin(done, 0.9999)), PARTS);
}
