/* Models of particles and links: what is refused, and that links keep what they were given. */
#include "rig.h"

static const weft_vec3 places[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
static const float weights[4] = {0, 1, 0.5f, 2};

static void refused(const weft_particles_desc *desc, const char *sentence) {
  weft_model *model = NULL;
  weft_error err = {0};
  assert_int_equal(weft_model_create_particles(desc, &model, &err), WEFT_ERROR_ARGUMENT);
  assert_null(model);
  if (!strstr(err.message, sentence))
    fail_msg("\"%s\" says nothing of \"%s\"", err.message, sentence);
}

static void links_are_grouped_by_sense_and_keep_their_values(void **state) {
  (void)state;
  const weft_link links[] = {
      {.a = 0, .b = 1, .rest_length = 1, .compliance = 0.25f, .damping = 3},
      {.a = 1, .b = 2, .rest_length = 1.5f, .sense = WEFT_SENSE_AT_MOST},
      {.a = 2, .b = 3, .rest_length = 0.5f, .sense = WEFT_SENSE_AT_LEAST, .damping = 3},
      {.a = 0, .b = 2, .rest_length = 2, .bending = true, .compliance = 0.5f},
      {.a = 1, .b = 2, .rest_length = 1.25f, .sense = WEFT_SENSE_AT_LEAST},
  };
  weft_model *model = rig_particles(&(weft_particles_desc){.particle_count = 4,
                                                           .positions = places,
                                                           .masses = weights,
                                                           .links = links,
                                                           .link_count = 5,
                                                           .radius = 0.125f});
  assert_int_equal(model->group_count, 4);
  assert_int_equal(model->pinned_count, 1);
  assert_true(weft_model_radius(model) == 0.125f);
  uint32_t seen = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    for (uint32_t i = 0; i < group->count; ++i) {
      const weft_link *l = &links[group->source[i]];
      seen |= 1u << group->source[i];
      assert_int_equal(group->particles[2 * i], l->a);
      assert_int_equal(group->particles[2 * i + 1], l->b);
      assert_true(group->rest[i] == l->rest_length);
      assert_true(group->compliance[i] == l->compliance);
      assert_true(group->damping[i] == (l->compliance > 0 ? l->damping : 0));
      assert_int_equal(group->sense, l->sense);
      assert_int_equal(group->role, l->bending ? WEFT_ROLE_BENDING : WEFT_ROLE_STRETCH);
    }
  }
  assert_int_equal(seen, 31);
  assert_int_equal(weft_model_link_count(model), 5);
  assert_memory_equal(weft_model_links(model), links, sizeof links);
  weft_model_destroy(model);
}

static void links_at_one_particle_get_colours_of_their_own(void **state) {
  (void)state;
  enum { LINKS = 40 };
  weft_vec3 x[LINKS + 1];
  float m[LINKS + 1];
  weft_link links[LINKS];
  for (uint32_t i = 0; i <= LINKS; ++i) {
    x[i] = (weft_vec3){(float)i, 0, 0};
    m[i] = 1;
  }
  for (uint32_t i = 0; i < LINKS; ++i) links[i] = (weft_link){.a = i, .b = i + 1, .rest_length = 1};
  weft_model *chain =
      rig_particles(&(weft_particles_desc){LINKS + 1, x, m, links, LINKS, NULL, 0, 0});
  assert_int_equal(weft_model_group(chain, 0).colour_count, 2);
  weft_model_destroy(chain);
  for (uint32_t i = 0; i < LINKS; ++i) links[i].a = LINKS, links[i].b = i;
  weft_model *star =
      rig_particles(&(weft_particles_desc){LINKS + 1, x, m, links, LINKS, NULL, 0, 0});
  assert_int_equal(weft_model_group(star, 0).colour_count, LINKS);
  weft_model_destroy(star);
}

static void particles_without_links_are_a_model(void **state) {
  (void)state;
  weft_model *model = rig_particles(&(weft_particles_desc){
      .particle_count = 4, .positions = places, .masses = weights, .radius = 0.01f});
  assert_int_equal(weft_model_group_count(model), 0);
  weft_model_destroy(model);
}

static void nonsense_is_refused_by_name(void **state) {
  (void)state;
  weft_particles_desc base = {.particle_count = 4, .positions = places, .masses = weights};
  weft_particles_desc d = base;
  d.particle_count = 0;
  refused(&d, "at least one particle");
  d = base;
  d.radius = -1;
  refused(&d, "radius of -1");
  d.radius = 1e-39f; /* 1/(2.2 radius) is infinite, and infinite times 0 no number */
  refused(&d, "radius of");
  d.radius = NAN;
  refused(&d, "radius of");
  const float bad_masses[] = {-1, NAN, INFINITY, 1e-42f};
  for (size_t k = 0; k < 4; ++k) {
    float m[4] = {1, 1, bad_masses[k], 1};
    d = base;
    d.masses = m;
    refused(&d, "particle 2 has a mass");
  }
  const float bad_places[] = {NAN, -INFINITY, 2e6f};
  for (size_t k = 0; k < 3; ++k) {
    weft_vec3 x[4] = {{0, 0, 0}, {0, bad_places[k], 0}, {0, 0, 0}, {0, 0, 0}};
    d = base;
    d.positions = x;
    refused(&d, "particle 1 lies at");
  }
  const struct {
    weft_link link;
    const char *sentence;
  } links[] = {
      {{.a = 1, .b = 1, .rest_length = 1}, "link 1 names particle 1 twice"},
      {{.a = 1, .b = 4, .rest_length = 1}, "link 1 names particle 4, but there are 4"},
      {{.a = 1, .b = 2, .rest_length = 0}, "link 1 has a rest length of 0"},
      {{.a = 1, .b = 2, .rest_length = -1}, "link 1 has a rest length of -1"},
      {{.a = 1, .b = 2, .rest_length = NAN}, "link 1 has a rest length"},
      {{.a = 1, .b = 2, .rest_length = INFINITY}, "link 1 has a rest length"},
      {{.a = 1, .b = 2, .rest_length = 1, .compliance = -1}, "link 1: its compliance"},
      {{.a = 1, .b = 2, .rest_length = 1, .compliance = INFINITY}, "link 1: its compliance"},
      {{.a = 1, .b = 2, .rest_length = 1, .damping = -1}, "link 1: its damping"},
      {{.a = 1, .b = 2, .rest_length = 1, .sense = (weft_sense)3}, "link 1: its sense"},
  };
  for (size_t k = 0; k < sizeof links / sizeof *links; ++k) {
    const weft_link two[2] = {{.a = 0, .b = 1, .rest_length = 1}, links[k].link};
    d = base;
    d.links = two;
    d.link_count = 2;
    refused(&d, links[k].sentence);
  }
  const struct {
    weft_hinge hinge;
    const char *sentence;
  } hinges[] = {
      {{.particles = {0, 1, 2, 0}}, "hinge 0 names particle 0 twice"},
      {{.particles = {0, 1, 2, 9}}, "hinge 0 names particle 9"},
      {{.particles = {0, 1, 2, 3}, .rest_angle = 4}, "hinge 0: its rest angle"},
      {{.particles = {0, 1, 2, 3}, .compliance = -1}, "hinge 0: its compliance"},
      {{.particles = {0, 1, 2, 3}, .damping = NAN}, "hinge 0: its damping"},
  };
  for (size_t k = 0; k < sizeof hinges / sizeof *hinges; ++k) {
    d = base;
    d.hinges = &hinges[k].hinge;
    d.hinge_count = 1;
    refused(&d, hinges[k].sentence);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_are_grouped_by_sense_and_keep_their_values),
      cmocka_unit_test(links_at_one_particle_get_colours_of_their_own),
      cmocka_unit_test(particles_without_links_are_a_model),
      cmocka_unit_test(nonsense_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
