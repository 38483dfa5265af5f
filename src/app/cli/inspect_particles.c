/* inspect_particles.c: what there is to say of a scene without triangles. */
#include <float.h>
#include <math.h>

#include "cli.h"
#include "cmd_inspect.h"

typedef struct particle_report {
  uint32_t particles, pinned, links, bending, by_sense[3], loose, chains;
  double mass, lightest, heaviest;   /* kg, of what can move */
  double shortest, longest, softest; /* m, m, m/N; of links that are not for bending */
  weft_vec3 low, high;               /* of the rest pose */
} particle_report;

static void weigh(const weft_model *model, particle_report *r) {
  const float *w = weft_model_inverse_masses(model);
  const weft_vec3 *x = weft_model_rest_positions(model);
  r->lightest = INFINITY;
  r->low = r->high = x[0];
  for (uint32_t i = 0; i < r->particles; ++i) {
    r->low = weft_v3(fminf(r->low.x, x[i].x), fminf(r->low.y, x[i].y), fminf(r->low.z, x[i].z));
    r->high = weft_v3(fmaxf(r->high.x, x[i].x), fmaxf(r->high.y, x[i].y), fmaxf(r->high.z, x[i].z));
    if (w[i] == 0) continue;
    double mass = 1 / (double)w[i];
    r->mass += mass;
    r->lightest = fmin(r->lightest, mass);
    r->heaviest = fmax(r->heaviest, mass);
  }
}

static uint32_t root_of(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Pieces hang together by links; a particle without any is loose. */
static void join(const weft_model *model, particle_report *r) {
  const weft_link *links = weft_model_links(model);
  uint32_t *parent = weft_alloc(r->particles, sizeof *parent);
  bool *linked = weft_alloc(r->particles, sizeof *linked);
  r->shortest = INFINITY;
  for (uint32_t i = 0; i < r->particles; ++i) parent[i] = i;
  for (uint32_t k = 0; k < r->links; ++k) {
    parent[root_of(parent, links[k].a)] = root_of(parent, links[k].b);
    linked[links[k].a] = linked[links[k].b] = true;
    r->by_sense[links[k].sense]++;
    r->bending += links[k].bending;
    if (links[k].bending) continue;
    r->shortest = fmin(r->shortest, (double)links[k].rest_length);
    r->longest = fmax(r->longest, (double)links[k].rest_length);
    r->softest = fmax(r->softest, (double)links[k].compliance);
  }
  for (uint32_t i = 0; i < r->particles; ++i) {
    r->loose += !linked[i];
    r->chains += linked[i] && parent[i] == i;
  }
  weft_free(parent);
  weft_free(linked);
}

static particle_report measure(const weft_model *model) {
  particle_report r = {.particles = weft_model_particle_count(model),
                       .pinned = weft_model_pinned_count(model),
                       .links = weft_model_link_count(model)};
  weigh(model, &r);
  join(model, &r);
  return r;
}

static void print_report(const particle_report *r) {
  printf("  %-22s %12s\n", "particles", weft_cli_grouped(r->particles));
  printf("  %-22s %12s\n", "pinned", weft_cli_grouped(r->pinned));
  printf("  %-22s %12s\n", "without links", weft_cli_grouped(r->loose));
  printf("  %-22s %12s\n", "linked pieces", weft_cli_grouped(r->chains));
  printf("  %-22s %12s  (%s for bending)\n", "links", weft_cli_grouped(r->links),
         weft_cli_grouped(r->bending));
  printf("  %-22s %12s\n", "  only when stretched", weft_cli_grouped(r->by_sense[1]));
  printf("  %-22s %12s\n", "  only when compressed", weft_cli_grouped(r->by_sense[2]));
  if (r->links > r->bending) {
    printf("  %-22s %.4g to %.4g m, compliance up to %.4g m/N\n", "link lengths", r->shortest,
           r->longest, r->softest);
  }
  if (r->particles > r->pinned) {
    printf("  %-22s %.4g to %.4g kg, %.4g kg in all\n", "masses", r->lightest, r->heaviest,
           r->mass);
  }
  printf("  %-22s (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m\n", "box", (double)r->low.x,
         (double)r->low.y, (double)r->low.z, (double)r->high.x, (double)r->high.y,
         (double)r->high.z);
}

static json_t *to_json(const particle_report *r) {
  json_t *o = json_object();
  json_object_set_new(o, "without_links", json_integer(r->loose));
  json_object_set_new(o, "linked_pieces", json_integer(r->chains));
  json_object_set_new(o, "links", json_integer(r->links));
  json_object_set_new(o, "bending_links", json_integer(r->bending));
  json_object_set_new(o, "links_equal", json_integer(r->by_sense[0]));
  json_object_set_new(o, "links_at_most", json_integer(r->by_sense[1]));
  json_object_set_new(o, "links_at_least", json_integer(r->by_sense[2]));
  json_object_set_new(o, "mass_kg", weft_json_real(r->mass));
  json_object_set_new(o, "shortest_link_m", weft_json_real(r->shortest));
  json_object_set_new(o, "longest_link_m", weft_json_real(r->longest));
  json_object_set_new(o, "box_min_m", weft_json_vec3(r->low));
  json_object_set_new(o, "box_max_m", weft_json_vec3(r->high));
  return o;
}

void weft_inspect_particles(const weft_model *model, json_t *json) {
  particle_report r = measure(model);
  print_report(&r);
  json_object_set_new(json, "as_particles", to_json(&r));
}
