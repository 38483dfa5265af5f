/* The patch schedule sweeps every constraint once, and no two patches of a dispatch touch the same
 * particle: on every scene, on real garments, and on graphs made to be awkward. */
#include <weft_kit/import.h>

#include "clusters.h"
#include "patches.h"
#include "rig_scene.h"

static void check_model(const weft_model *model, uint32_t max) {
  weft_patches patches;
  weft_error err = {0};
  weft_patches_build(model, max, &patches);
  if (weft_patches_validate(model, &patches, &err) != WEFT_OK) fail_msg("%s", err.message);
  for (uint32_t k = 0; k < patches.patch_count; ++k) {
    assert_true(patches.patches[k].particle_count <= max);
    assert_true(patches.patches[k].range_count > 0);
  }
  for (uint32_t d = 0; d < patches.dispatch_count; ++d) {
    assert_true(patches.dispatch_first[d] < patches.dispatch_first[d + 1]);
  }
  if (getenv("WEFT_TEST_VERBOSE")) {
    printf("  %u particles, most %u:", model->particle_count, max);
    for (uint32_t d = 0; d < patches.dispatch_count; ++d) {
      uint32_t first = patches.dispatch_first[d], end = patches.dispatch_first[d + 1], held = 0;
      uint64_t swept = 0, barriers = 0;
      for (uint32_t k = first; k < end; ++k) {
        const weft_patch *p = &patches.patches[k];
        held += p->particle_count;
        barriers += p->range_count;
        for (uint32_t r = 0; r < p->range_count; ++r) {
          swept += patches.ranges[p->range_first + r].count;
        }
      }
      printf(" [%u patches, %.1f%% of constraints, %u particles, %.1f ranges each]", end - first,
             100.0 * (double)swept / patches.item_count, held, (double)barriers / (end - first));
    }
    printf("\n");
  }
  weft_patches_free(&patches);
}

static void check_sizes(const weft_model *model) {
  static const uint32_t sizes[] = {16, 100, 256, WEFT_PATCH_MAX};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) check_model(model, sizes[k]);
}

static void every_scene_has_sound_patches(void **state) {
  (void)state;
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    for (uint32_t size = 12; size <= 120; size *= 10) {
      const weft_scene_options options = {.size = size == 12 ? 12 : 65};
      weft_scene_instance s = rig_scene_of(weft_scene_at(k), &options);
      check_sizes(s.model);
      weft_scene_free(&s);
    }
  }
}

static weft_model *linked(uint32_t particles, const weft_link *links, uint32_t count) {
  weft_vec3 *x = weft_alloc(particles, sizeof *x);
  float *m = weft_alloc(particles, sizeof *m);
  for (uint32_t i = 0; i < particles; ++i) {
    x[i] = weft_v3((float)i * 0.01f, 0, 0);
    m[i] = 1;
  }
  const weft_particles_desc desc = {.particle_count = particles,
                                    .positions = x,
                                    .masses = m,
                                    .links = links,
                                    .link_count = count};
  weft_model *model = rig_particles(&desc);
  weft_free(x);
  weft_free(m);
  return model;
}

/* A hub with more links than any patch has particles, all with all, a long chain, and links between
 * any two: nothing that could be cut with few seams. */
static void awkward_graphs_have_sound_patches(void **state) {
  (void)state;
  enum { MANY = 3000, CLIQUE = 70 };
  weft_link *links = weft_alloc(2 * MANY + CLIQUE * CLIQUE, sizeof *links);
  for (int kind = 0; kind < 4; ++kind) {
    uint32_t count = 0;
    weft_rng rng = weft_rng_seed(5);
    for (uint32_t i = 0; i + 1 < MANY && kind < 3; ++i) {
      uint32_t a = kind == 0 ? 0 : kind == 1 ? i : weft_rng_u32(&rng) % MANY;
      uint32_t b = kind == 2 ? weft_rng_u32(&rng) % MANY : i + 1;
      if (a != b) links[count++] = (weft_link){.a = a, .b = b, .rest_length = 0.01f};
    }
    for (uint32_t i = 0; i < CLIQUE && kind == 3; ++i) {
      for (uint32_t j = 0; j < i; ++j)
        links[count++] = (weft_link){.a = i, .b = j, .rest_length = 1};
    }
    weft_model *model = linked(MANY, links, count);
    check_sizes(model);
    weft_model_destroy(model);
  }
  weft_free(links);
}

static void garments_have_sound_patches(void **state) {
  (void)state;
  static const char *const files[] = {"garments/diffcloth_tshirt1900.obj",
                                      "cloth/cipc_tableCloth.obj",
                                      "garments/makehuman_female_elegantsuit01.obj"};
  uint32_t seen = 0;
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", WEFT_MESH_DIR, files[k]);
    weft_mesh mesh = {0};
    weft_model *model = NULL;
    if (weft_mesh_import(path, &(weft_import_desc){0}, &mesh, NULL) != WEFT_OK) continue;
    const weft_model_desc desc = {.mesh = &mesh};
    if (weft_model_create(&desc, &model, NULL) == WEFT_OK) {
      check_sizes(model);
      ++seen;
    }
    weft_model_destroy(model);
    weft_mesh_free(&mesh);
  }
  if (seen == 0) {
    print_message("no garments in %s\n", WEFT_MESH_DIR);
    skip();
  }
}

/* What a validator does not see wrong it cannot vouch for. */
static void the_validator_sees_what_is_wrong(void **state) {
  (void)state;
  weft_scene_instance s = {0};
  assert_int_equal(
      weft_scene_make(weft_scene_find("hanging"), &(weft_scene_options){.size = 40}, &s, NULL),
      WEFT_OK);
  for (int fault = 0; fault < 5; ++fault) {
    weft_patches p;
    weft_patches_build(s.model, 256, &p);
    assert_int_equal(weft_patches_validate(s.model, &p, NULL), WEFT_OK);
    switch (fault) {
      case 0: /* a constraint twice, another never */
        p.items[1] = p.items[0];
        break;
      case 1: /* two colours in one range */
        p.ranges[0].count += p.ranges[1].count;
        p.ranges[1].count = 0;
        break;
      case 2: /* two dispatches at once */
        p.dispatch_first[1] = p.dispatch_first[2];
        break;
      case 3:
        p.locals[0] ^= 1;
        break;
      default: /* the last patch never runs */
        p.dispatch_first[p.dispatch_count]--;
        break;
    }
    weft_error err = {0};
    assert_int_not_equal(weft_patches_validate(s.model, &p, &err), WEFT_OK);
    assert_true(err.message[0] != 0);
    weft_patches_free(&p);
  }
  weft_scene_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene_has_sound_patches),
      cmocka_unit_test(awkward_graphs_have_sound_patches),
      cmocka_unit_test(garments_have_sound_patches),
      cmocka_unit_test(the_validator_sees_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
