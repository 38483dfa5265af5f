/* validate_report.c: values as people and as JSON read them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "validate.h"

json_t *weft_hex_json(uint64_t value, int digits) {
  char text[32];
  snprintf(text, sizeof text, "%0*llx", digits, (unsigned long long)value);
  return json_string(text);
}

const char *weft_bits_text(uint32_t bits) {
  static char texts[4][48];
  static unsigned turn;
  char *text = texts[turn++ % 4];
  float value;
  memcpy(&value, &bits, sizeof value);
  snprintf(text, sizeof texts[0], "0x%08x (%.9g)", bits, (double)value);
  return text;
}

json_t *weft_difference_json(const weft_difference *d) {
  json_t *json = json_pack("{s:I, s:I, s:I}", "compared", (json_int_t)d->compared, "differing",
                           (json_int_t)d->differing, "largest_ulps", (json_int_t)d->largest_ulps);
  /* JSON has no infinity. */
  json_object_set_new(json, "largest", isfinite(d->largest) ? json_real(d->largest) : json_null());
  if (d->differing == 0) return json;
  json_object_set_new(json, "row", json_integer((json_int_t)d->row));
  json_object_set_new(json, "component", json_integer(d->component));
  json_object_set_new(json, "ref", weft_hex_json(d->ref_bits, 8));
  json_object_set_new(json, "gl", weft_hex_json(d->gl_bits, 8));
  return json;
}
