/* opt_instances.c: the models of --instances, each made as it would be for a run of its own. */
#include "opt_instances.h"

#include <math.h>
#include <string.h>

enum { STRETCH, SHEAR, BENDING, DENSITY };
static const char *const names[] = {"stretch-compliance", "shear-compliance", "bending-compliance",
                                    "density"};
enum { NAMES = sizeof names / sizeof *names };

uint32_t weft_cli_instance_count(const weft_cli_options *options) {
  return options->instances > 1 ? options->instances : 1;
}

/* ---- --vary ---- */

static weft_result no_such_name(const char *text, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--vary: \"%s\" is not NAME=A:B with one of stretch-compliance, "
                   "shear-compliance, bending-compliance, density",
                   text);
}

weft_result weft_cli_read_vary(const char *text, weft_cli_options *options, weft_error *err) {
  const char *equals = strchr(text, '='), *colon = equals ? strchr(equals, ':') : NULL;
  if (!colon) return no_such_name(text, err);
  if (options->vary_count == WEFT_CLI_MAX_VARIED) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--vary: given more than %d times",
                     WEFT_CLI_MAX_VARIED);
  }
  weft_cli_vary vary = {.what = -1};
  for (int k = 0; k < NAMES; ++k) {
    size_t length = strlen(names[k]);
    if (length == (size_t)(equals - text) && strncmp(text, names[k], length) == 0) vary.what = k;
  }
  if (vary.what < 0) return no_such_name(text, err);
  char from[40];
  snprintf(from, sizeof from, "%.*s", (int)(colon - equals - 1), equals + 1);
  double low = vary.what == BENDING || vary.what == DENSITY ? 1e-12 : 0;
  weft_result result = weft_read_number("--vary", from, low, 1e12, &vary.from, err);
  if (result == WEFT_OK) result = weft_read_number("--vary", colon + 1, low, 1e12, &vary.to, err);
  if (result == WEFT_OK) options->vary[options->vary_count++] = vary;
  return result;
}

const char *weft_cli_varied_name(const weft_cli_options *options, uint32_t v) {
  return names[options->vary[v].what];
}

double weft_cli_varied_value(const weft_cli_options *options, uint32_t v, uint32_t instance) {
  const weft_cli_vary *vary = &options->vary[v];
  double a = (double)vary->from, b = (double)vary->to;
  if (instance == 0 || options->instances < 2) return a;
  if (instance + 1 == options->instances) return b;
  double t = (double)instance / (options->instances - 1);
  double value = a > 0 && b > 0 ? a * pow(b / a, t) : a + t * (b - a);
  return (double)(float)value; /* what the model is made with, and what is printed */
}

void weft_cli_describe_instances(const weft_cli_options *options, char *text, size_t size) {
  int used = snprintf(text, size, "%u instance%s", weft_cli_instance_count(options),
                      weft_plural(weft_cli_instance_count(options)));
  for (uint32_t v = 0; v < options->vary_count && used > 0 && (size_t)used < size; ++v) {
    used += snprintf(text + used, size - (size_t)used, ", %s %g to %g",
                     weft_cli_varied_name(options, v), (double)options->vary[v].from,
                     (double)options->vary[v].to);
  }
}

/* ---- models ---- */

/* The model of one instance: that of a scene made with its values as options. */
static weft_result make_model(const weft_cli_options *options, uint32_t size,
                              const weft_scene_instance *scene, uint32_t instance,
                              weft_model **model, weft_error *err) {
  weft_cli_options own = *options;
  weft_material fabric = scene->fabric;
  own.instances = own.vary_count = 0;
  for (int k = 0; k < 3 && !options->setup.compliance_given; ++k) own.setup.compliance[k] = -1;
  for (uint32_t v = 0; v < options->vary_count; ++v) {
    float value = (float)weft_cli_varied_value(options, v, instance);
    if (options->vary[v].what == DENSITY) {
      fabric.area_density = value;
      own.setup.fabric = &fabric;
    } else {
      own.setup.compliance[options->vary[v].what] = value;
      own.setup.compliance_given = true;
    }
  }
  weft_scene_instance one;
  weft_result result =
      weft_cli_make_one_scene(&own, own.setup.mesh ? NULL : scene->name, size, &one, err);
  if (result != WEFT_OK) return result;
  *model = one.model;
  one.model = NULL;
  weft_scene_free(&one);
  return WEFT_OK;
}

static weft_result join(const weft_cli_options *options, uint32_t size,
                        const weft_scene_instance *scene, weft_model **joined, weft_error *err) {
  uint32_t count = options->instances, made = 0;
  weft_model **models = weft_alloc(count, sizeof *models);
  weft_result result = WEFT_OK;
  while (made < count && options->vary_count && result == WEFT_OK) {
    result = make_model(options, size, scene, made, &models[made], err);
    made += result == WEFT_OK;
  }
  for (uint32_t k = made; k < count && result == WEFT_OK; ++k) models[k] = scene->model;
  if (result == WEFT_OK) {
    result = weft_model_join((const weft_model *const *)models, count, joined, err);
  }
  for (uint32_t k = 0; k < made; ++k) weft_model_destroy(models[k]);
  weft_free(models);
  return result;
}

static weft_result check(const weft_cli_options *options, weft_error *err) {
  if (options->vary_count && options->instances < 2) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--vary needs --instances, at least 2");
  }
  if (options->vary_count && options->setup.max_strain > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--max-strain chooses for one fabric, and --vary makes several");
  }
  return WEFT_OK;
}

/* ---- what is too much ---- */

/* A model and its solver on cpu, bytes a particle; docs/internals.md. */
static const double particle_bytes = 860;

static weft_result check_room(const weft_cli_options *options, uint64_t particles,
                              const char *about, weft_error *err) {
  const uint64_t all = particles * weft_cli_instance_count(options);
  const double wanted = particle_bytes * (double)all, memory = (double)weft_memory_size();
  if (options->instances < 2) return WEFT_OK;
  if (all > UINT32_MAX / 4) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--instances: %u of %s%s particles are %s, and at most %s fit together",
                     options->instances, about, weft_cli_grouped(particles), weft_cli_grouped(all),
                     weft_cli_grouped(UINT32_MAX / 4));
  }
  if (wanted <= memory) return WEFT_OK;
  return weft_fail(
      err, WEFT_ERROR_ARGUMENT,
      "--instances: %u of %s%s particles take %.3g GB of memory, and there are %.3g GB",
      options->instances, about, weft_cli_grouped(particles), 1e-9 * wanted, 1e-9 * memory);
}

/* Before anything is built: a sheet has size^2 particles, a garment about as many. */
static weft_result check_size(const weft_cli_options *options, const char *name, uint32_t size,
                              weft_error *err) {
  const weft_scene *scene = name ? weft_scene_find(name) : NULL;
  if (!scene || !(scene->uses & WEFT_SCENE_CLOTH)) return WEFT_OK;
  const uint64_t side = size ? size : scene->default_size;
  const bool sheet = scene->uses & WEFT_SCENE_SHEET;
  return check_room(options, sheet ? side * side : side * side / 2, "about ", err);
}

static weft_result check_bodies(const weft_cli_options *options, const weft_scene_instance *scene,
                                weft_error *err) {
  if (options->instances < 2 || scene->params.body_count == 0) return WEFT_OK;
  const bool own = options->setup.body_count == 0;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--instances: several cloths go with no %s%s",
                   own ? "body, and there is one in " : "--body", own ? scene->name : "");
}

/* Puts as many models as were asked for in the place of the scene's one. */
static weft_result multiply(const weft_cli_options *options, uint32_t size,
                            weft_scene_instance *scene, weft_error *err) {
  weft_result result = check_bodies(options, scene, err);
  if (result == WEFT_OK) {
    result = check_room(options, weft_model_particle_count(scene->model), "", err);
  }
  weft_model *joined = NULL;
  if (result == WEFT_OK && options->instances > 1) {
    result = join(options, size, scene, &joined, err);
  }
  if (result != WEFT_OK) {
    weft_scene_free(scene);
    return result;
  }
  if (!joined) return WEFT_OK;
  scene->single = scene->model;
  scene->model = joined;
  return WEFT_OK;
}

/* ---- scenes ---- */

weft_result weft_cli_make_scene_sized(const weft_cli_options *options, const char *name,
                                      uint32_t size, weft_scene_instance *scene, weft_error *err) {
  *scene = (weft_scene_instance){0};
  weft_result result = check(options, err);
  if (result == WEFT_OK) result = check_size(options, name, size, err);
  if (result == WEFT_OK) result = weft_cli_make_one_scene(options, name, size, scene, err);
  if (result != WEFT_OK) return result;
  if (!name) weft_cli_warn_mesh(options, scene);
  return multiply(options, size, scene, err);
}

weft_result weft_cli_make_scene(const weft_cli_options *options, weft_scene_instance *scene,
                                weft_error *err) {
  return weft_cli_make_scene_sized(options, options->setup.scene,
                                   options->setup.scene ? options->setup.size : 0, scene, err);
}
