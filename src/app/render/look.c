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
  const char *name;
  uint32_t front, back; /* sRGB */
  float sheen, sheen_roughness, transmission;
  weft_weave weave;
  float yarn;
  struct {
    float gloss, roughness;
  } shine;
  struct {
    weft_print kind;
    uint32_t ink;
    float repeat, inked;
  } print;
} look_row;

#define SHINE(gloss, roughness) \
  { gloss, roughness }
#define MATT SHINE(0, 0)
#define PRINT(kind, ink, repeat, inked) \
  { WEFT_PRINT_##kind, ink, repeat, inked }
#define PLAIN PRINT(NONE, 0, 0, 0)

/* The measured fabrics, and clothes that scenes wear. */
static const look_row rows[] = {
    {"denim", 0x4a6288, 0x8d9bb0, 0.10f, 0.45f, 0.02f, WEFT_WEAVE_TWILL, 0.0011f, MATT, PLAIN},
    {"trousers", 0x75785f, 0x686b55, 0.09f, 0.40f, 0.03f, WEFT_WEAVE_TWILL, 0.0008f, MATT, PLAIN},
    {"tablecloth", 0xb0514f, 0xa34a49, 0.12f, 0.35f, 0.08f, WEFT_WEAVE_PLAIN, 0.0009f, MATT, PLAIN},
    {"tshirt", 0x4f9590, 0x498883, 0.14f, 0.50f, 0.10f, WEFT_WEAVE_KNIT, 0.0012f, MATT, PLAIN},
    {"ribknit", 0xd9c7a4, 0xcbb994, 0.16f, 0.60f, 0.10f, WEFT_WEAVE_KNIT, 0.0030f, MATT, PLAIN},
    {"ponte", 0x76506f, 0x6c4966, 0.14f, 0.45f, 0.04f, WEFT_WEAVE_KNIT, 0.0012f, MATT, PLAIN},
    {"jacket", 0xcf9a4e, 0xb5843f, 0.08f, 0.30f, 0.10f, WEFT_WEAVE_PLAIN, 0.0006f, MATT, PLAIN},
    {"inextensible", 0x8fa3bd, 0x8395ad, 0.10f, 0.40f, 0.06f, WEFT_WEAVE_PLAIN, 0.0010f, MATT,
     PLAIN},
    {"satin", 0x2f6f96, 0x5b8296, 0.05f, 0.30f, 0.05f, WEFT_WEAVE_TWILL, 0.0003f,
     SHINE(0.07f, 0.42f), PLAIN},
    {"silk", 0xc98a48, 0xdcb680, 0.05f, 0.30f, 0.24f, WEFT_WEAVE_PLAIN, 0.0003f,
     SHINE(0.06f, 0.36f), PLAIN},
    {"linen", 0xb9b79c, 0xa9a98f, 0.08f, 0.40f, 0.22f, WEFT_WEAVE_PLAIN, 0.0016f, MATT, PLAIN},
    {"wool", 0xb0804c, 0x8f6a42, 0.34f, 0.65f, 0.02f, WEFT_WEAVE_TWILL, 0.0026f, MATT,
     PRINT(STRIPES, 0x5a3524, 0.16f, 0.30f)},
    {"crepe", 0xa63a40, 0x5a2a36, 0.10f, 0.35f, 0.03f, WEFT_WEAVE_PLAIN, 0.0007f,
     SHINE(0.02f, 0.5f), PLAIN},
    {"flannel", 0x566e49, 0x46593c, 0.24f, 0.55f, 0.03f, WEFT_WEAVE_TWILL, 0.0014f, MATT, PLAIN},
    {"checked", 0xece5d8, 0xddd5c6, 0.08f, 0.35f, 0.08f, WEFT_WEAVE_PLAIN, 0.0009f, MATT,
     PRINT(CHECK, 0xa92c31, 0.10f, 0.5f)},
    {"dotted", 0x2f6763, 0x55837c, 0.10f, 0.40f, 0.06f, WEFT_WEAVE_PLAIN, 0.0008f, MATT,
     PRINT(DOTS, 0xefe3c8, 0.075f, 0.42f)},
    {"towel", 0xe9e0cd, 0xe3d9c4, 0.28f, 0.70f, 0.04f, WEFT_WEAVE_KNIT, 0.0030f, MATT,
     PRINT(STRIPES, 0x2f6390, 0.11f, 0.4f)},
    {"jeans", 0x3b557f, 0x9aabc2, 0.10f, 0.45f, 0.02f, WEFT_WEAVE_TWILL, 0.0011f, MATT, PLAIN},
    {"felt", 0xc3872f, 0xa9762c, 0.30f, 0.70f, 0.02f, WEFT_WEAVE_PLAIN, 0, MATT, PLAIN},
    {"ribbon", 0x9c1f3c, 0x742036, 0.05f, 0.30f, 0.03f, WEFT_WEAVE_TWILL, 0.0003f,
     SHINE(0.08f, 0.35f), PLAIN},
};
static const look_row neutral = {NULL,  0xa9adb5,         0x9da1a9, 0.06f, 0.40f,
                                 0.06f, WEFT_WEAVE_PLAIN, 0.0010f,  MATT,  PLAIN};

static weft_colour sheen_of(weft_colour dye, float strength) {
  const weft_colour white = {1, 1, 1};
  weft_colour c = blend(dye, white, 0.35f);
  return (weft_colour){c.r * strength, c.g * strength, c.b * strength};
}

weft_fabric_look weft_fabric_look_of(const char *name) {
  const look_row *row = &neutral;
  for (size_t i = 0; name && i < sizeof rows / sizeof *rows; ++i) {
    if (!strcmp(rows[i].name, name)) row = &rows[i];
  }
  weft_colour front = colour_of(row->front);
  return (weft_fabric_look){.front = front,
                            .back = colour_of(row->back),
                            .sheen = sheen_of(front, row->sheen),
                            .sheen_roughness = row->sheen_roughness,
                            .transmission = row->transmission,
                            .weave = row->weave,
                            .yarn = row->yarn,
                            .gloss = row->shine.gloss,
                            .roughness = row->shine.roughness,
                            .print = row->print.kind,
                            .ink = colour_of(row->print.ink),
                            .repeat = row->print.repeat,
                            .inked = row->print.inked};
}

void weft_fabric_dye(weft_fabric_look *look, weft_colour colour) {
  float strength = fmaxf(fmaxf(look->sheen.r, look->sheen.g), look->sheen.b);
  look->front = colour;
  look->back = (weft_colour){0.85f * colour.r, 0.85f * colour.g, 0.85f * colour.b};
  look->sheen = sheen_of(colour, strength);
}

weft_result weft_colour_parse(const char *text, weft_colour *colour, weft_error *err) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!strcmp(rows[i].name, text)) {
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
