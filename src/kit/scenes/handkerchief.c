/* handkerchief.c: a handkerchief falls on an open hand, a closed mesh made of blended solids: palm
 * up, hollow, fingers raised. Lengths are those of a hand of 0.19 m (Drillis and Contini 1966). */
#include <math.h>

#include "blend.h"
#include "scenes_internal.h"

enum { FINGERS = 4, PHALANGES = 3, THUMB = 3, TRUNK = 8, MAX_SOLIDS = 32 };
static const float edge = 0.0055f; /* of a triangle, m */

/* clang-format off */
#define UP {0, 1, 0}
/* Arm, palm and the balls of thumb and little finger flow into one another. */
static const weft_blend_solid trunk[TRUNK] = {
    {{0, 0.048f, -0.235f}, {0, 0.205f, -0.125f}, 0.043f, 0.034f, 0, 0, UP, 0},
    {{0, 0.205f, -0.125f}, {0, 0.279f, -0.068f}, 0.034f, 0.026f, 0.03f, 0, UP, 0},
    {{0.010f, 0.286f, -0.060f}, {0.034f, 0.291f, 0.040f}, 0.020f, 0.0130f, 0.025f, 0.85f, UP, 0},
    {{0.004f, 0.286f, -0.060f}, {0.012f, 0.287f, 0.047f}, 0.020f, 0.0130f, 0.020f, 0.85f, UP, 0},
    {{-0.004f, 0.286f, -0.060f}, {-0.010f, 0.288f, 0.042f}, 0.020f, 0.0125f, 0.020f, 0.85f, UP, 0},
    {{-0.010f, 0.286f, -0.060f}, {-0.031f, 0.292f, 0.031f}, 0.019f, 0.0120f, 0.020f, 0.85f, UP, 0},
    {{0.020f, 0.291f, -0.048f}, {0.046f, 0.299f, -0.008f}, 0.019f, 0.0145f, 0.020f, 0, UP, 0},
    {{-0.020f, 0.291f, -0.045f}, {-0.031f, 0.296f, 0.000f}, 0.017f, 0.0130f, 0.020f, 0, UP, 0},
};

static const struct {
  weft_vec3 knuckle;
  double aside; /* degrees to the thumb's side */
  double lengths[PHALANGES];
  float radius; /* at the knuckle */
} fingers[FINGERS] = {
    {{0.034f, 0.292f, 0.040f}, 9, {0.042f, 0.026f, 0.019f}, 0.0098f},
    {{0.012f, 0.288f, 0.047f}, 1, {0.046f, 0.030f, 0.020f}, 0.0100f},
    {{-0.010f, 0.289f, 0.042f}, -7, {0.043f, 0.028f, 0.020f}, 0.0095f},
    {{-0.031f, 0.293f, 0.031f}, -16, {0.035f, 0.021f, 0.018f}, 0.0085f},
};
static const double raised[PHALANGES] = {30, 56, 76}; /* degrees above the level */

static const weft_vec3 thumb[THUMB + 1] = {
    {0.046f, 0.299f, -0.008f}, {0.064f, 0.313f, 0.018f}, {0.074f, 0.331f, 0.042f},
    {0.078f, 0.350f, 0.058f}};
/* clang-format on */
static const float thumb_radii[THUMB + 1] = {0.0135f, 0.0112f, 0.0105f, 0.0080f};

static weft_blend_solid piece(weft_vec3 a, weft_vec3 b, float radius_a, float radius_b, bool first,
                              uint32_t limb) {
  return (weft_blend_solid){.a = a,
                            .b = b,
                            .radius_a = radius_a,
                            .radius_b = radius_b,
                            .blend = first ? 0.012f : 0.004f,
                            .limb = limb};
}

static uint32_t add_finger(uint32_t f, weft_blend_solid *solids) {
  const double degree = 0.017453292519943295;
  weft_vec3 at = fingers[f].knuckle;
  float radius = fingers[f].radius;
  for (uint32_t k = 0; k < PHALANGES; ++k) {
    double up = raised[k] * degree, aside = fingers[f].aside * degree;
    double length = fingers[f].lengths[k];
    weft_vec3 way = weft_v3((float)(length * cos(up) * sin(aside)), (float)(length * sin(up)),
                            (float)(length * cos(up) * cos(aside)));
    weft_vec3 to = weft_v3_add(at, way);
    float thinner = 0.91f * radius;
    solids[k] = piece(at, to, radius, thinner, k == 0, f + 1);
    at = to;
    radius = thinner;
  }
  return PHALANGES;
}

static weft_result make_hand(weft_mesh *mesh, weft_error *err) {
  weft_blend_solid solids[MAX_SOLIDS];
  uint32_t count = 0;
  while (count < TRUNK) solids[count] = trunk[count], ++count;
  for (uint32_t f = 0; f < FINGERS; ++f) count += add_finger(f, solids + count);
  for (uint32_t k = 0; k < THUMB; ++k) {
    solids[count++] =
        piece(thumb[k], thumb[k + 1], thumb_radii[k], thumb_radii[k + 1], k == 0, FINGERS + 1);
  }
  return weft_mesh_blend(&(weft_blend_desc){.solids = solids, .solid_count = count, .edge = edge},
                         mesh, err);
}

weft_result weft_make_handkerchief(const weft_scene_options *o, weft_scene_instance *s,
                                   weft_error *err) {
  const float width = 0.25f;
  weft_grid_desc grid = {.rows = o->size,
                         .columns = o->size,
                         .width = width,
                         .height = width,
                         .pattern = o->pattern,
                         .plane = WEFT_PLANE_XZ,
                         .centre = {0.006f, 0.41f, -0.014f}};
  weft_result result = weft_mesh_grid(&grid, &s->mesh, err);
  weft_scene_body hand = {.name = "hand"};
  if (result == WEFT_OK) result = make_hand(&hand.mesh, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 1, width / (float)o->size, o->seed);
  s->params.substeps = 20;
  s->params.damping = 0.5f;
  s->params.air_density = WEFT_AIR;
  weft_scene_keep_apart(s);
  weft_scene_add_ground(s, 0);
  s->still = (weft_scene_still){80, 1.75f, {0, 0.25f, -0.03f}};
  weft_scene_look(s, weft_v3(0, 0.24f, -0.03f), 0.25f, 0.87f, 0.42f);
  result = weft_scene_add_body(
      s, &hand, &(weft_body){.friction_static = 0.6f, .friction_dynamic = 0.5f}, err);
  if (result != WEFT_OK) return result;
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"tablecloth", WEFT_BENDING_ISOMETRIC, NULL, 0}, err);
}
