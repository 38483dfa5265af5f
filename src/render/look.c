/* What fabrics look like, and colours from text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "render.h"

static float linear_of(uint32_t byte) {
  float s = (float)byte / 255.0f;
  return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

static weft_colour colour_of(uint32_t rgb) {
  return (weft_colour){linear_of(rgb >> 16 & 255), linear_of(rgb >> 8 & 255), linear_of(rgb & 255)};
}

static weft_colour blend(weft_colour a, weft_colour b, float t) {
  return (weft_colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

typedef struct look_row {
  const char *material;
  uint32_t front, back; /* sRGB */
  float sheen, sheen_roughness, transmission;
  weft_weave weave;
  float yarn;
} look_row;

static const look_row rows[] = {
    {"denim", 0x4a6288, 0x8d9bb0, 0.10f, 0.45f, 0.02f, WEFT_WEAVE_TWILL, 0.0011f},
    {"trousers", 0x75785f, 0x686b55, 0.09f, 0.40f, 0.03f, WEFT_WEAVE_TWILL, 0.0008f},
    {"tablecloth", 0xb0514f, 0xa34a49, 0.12f, 0.35f, 0.08f, WEFT_WEAVE_PLAIN, 0.0009f},
    {"tshirt", 0x4f9590, 0x498883, 0.14f, 0.50f, 0.10f, WEFT_WEAVE_KNIT, 0.0012f},
    {"ribknit", 0xd9c7a4, 0xcbb994, 0.16f, 0.60f, 0.10f, WEFT_WEAVE_KNIT, 0.0030f},
    {"ponte", 0x76506f, 0x6c4966, 0.14f, 0.45f, 0.04f, WEFT_WEAVE_KNIT, 0.0012f},
    {"jacket", 0xcf9a4e, 0xb5843f, 0.08f, 0.30f, 0.10f, WEFT_WEAVE_PLAIN, 0.0006f},
    {"inextensible", 0x8fa3bd, 0x8395ad, 0.10f, 0.40f, 0.06f, WEFT_WEAVE_PLAIN, 0.0010f},
};
static const look_row neutral = {NULL,  0xa9adb5, 0x9da1a9,         0.06f,
                                 0.40f, 0.06f,    WEFT_WEAVE_PLAIN, 0.0010f};

static weft_colour sheen_of(weft_colour dye, float strength) {
  const weft_colour white = {1, 1, 1};
  weft_colour c = blend(dye, white, 0.35f);
  return (weft_colour){c.r * strength, c.g * strength, c.b * strength};
}

weft_fabric_look weft_fabric_look_of(const char *material) {
  const look_row *row = &neutral;
  for (size_t i = 0; material && i < sizeof rows / sizeof *rows; ++i) {
    if (!strcmp(rows[i].material, material)) row = &rows[i];
  }
  weft_colour front = colour_of(row->front);
  return (weft_fabric_look){front,
                            colour_of(row->back),
                            sheen_of(front, row->sheen),
                            row->sheen_roughness,
                            row->transmission,
                            row->weave,
                            row->yarn};
}

void weft_fabric_dye(weft_fabric_look *look, weft_colour colour) {
  float strength = fmaxf(fmaxf(look->sheen.r, look->sheen.g), look->sheen.b);
  look->front = colour;
  look->back = (weft_colour){0.85f * colour.r, 0.85f * colour.g, 0.85f * colour.b};
  look->sheen = sheen_of(colour, strength);
}

weft_result weft_colour_parse(const char *text, weft_colour *colour, weft_error *err) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!strcmp(rows[i].material, text)) {
      *colour = colour_of(rows[i].front);
      return WEFT_OK;
    }
  }
  const char *digits = *text == '#' ? text + 1 : text;
  if (strlen(digits) != 6 || strspn(digits, "0123456789abcdefABCDEF") != 6) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "colour \"%.80s\" is neither six hexadecimal digits nor the name of a fabric",
                     text);
  }
  *colour = colour_of((uint32_t)strtoul(digits, NULL, 16));
  return WEFT_OK;
}
