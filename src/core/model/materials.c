/* Fabric presets, measured by Wang, O'Brien and Ramamoorthi, "Data-driven elastic models for cloth:
 * modeling and measurement", 2011. */
#include <math.h>
#include <string.h>
#include <weft/model.h>

/* Bending was measured along 0, 45 and 90 degrees, in micronewton metres; one B serves all. */
#define MEAN_MICRO(a, b, c) ((float)(((a) + (b) + (c)) / 3.0 * 1e-6))

static const weft_material presets[] = {
    {"denim", 0.324f, 411, 2028, 53, MEAN_MICRO(16, 18, 24), 0},
    {"trousers", 0.220f, 4033, 4070, 105, MEAN_MICRO(31, 27, 31), 0},
    {"tablecloth", 0.128f, 4004, 4055, 19, MEAN_MICRO(13, 10, 8), 0},
    {"tshirt", 0.187f, 33, 69, 37, MEAN_MICRO(5.8, 6.2, 3.6), 0},
    {"ribknit", 0.276f, 86, 130, 83, MEAN_MICRO(12, 7.5, 8), 0},
    {"ponte", 0.284f, 62, 88, 32, MEAN_MICRO(9, 8, 9), 0},
    {"jacket", 0.113f, 86, 343, 14, MEAN_MICRO(3.6, 5.5, 5.1), 0},
    {"inextensible", 0.128f, INFINITY, INFINITY, INFINITY, MEAN_MICRO(13, 10, 8), 0},
};

const weft_material *weft_material_at(uint32_t index) {
  return index < sizeof presets / sizeof presets[0] ? &presets[index] : NULL;
}

const weft_material *weft_material_find(const char *name) {
  for (uint32_t i = 0; name && weft_material_at(i); ++i) {
    if (strcmp(presets[i].name, name) == 0) return &presets[i];
  }
  return NULL;
}
