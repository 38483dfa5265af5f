/* values.c: values as text, read by tables. */
#include "values.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base.h"

/* ---- strict readers ---- */

static bool is_digits(const char *text) {
  if (!*text) return false;
  for (; *text; ++text) {
    if (*text < '0' || *text > '9') return false;
  }
  return true;
}

/* False when the digits do not fit. */
static bool read_digits(const char *text, uint64_t *value) {
  uint64_t sum = 0;
  for (; *text; ++text) {
    uint64_t digit = (uint64_t)(*text - '0');
    if (sum > (UINT64_MAX - digit) / 10) return false;
    sum = sum * 10 + digit;
  }
  *value = sum;
  return true;
}

weft_result weft_read_count(const char *what, const char *text, uint32_t low, uint32_t high,
                            uint32_t *value, weft_error *err) {
  if (!is_digits(text)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is not a whole number", what, text);
  }
  uint64_t wide;
  if (!read_digits(text, &wide) || wide < low || wide > high) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %s is out of range, allowed is %u to %u", what,
                     text, low, high);
  }
  *value = (uint32_t)wide;
  return WEFT_OK;
}

static weft_result read_seed(const char *what, const char *text, uint64_t *value, weft_error *err) {
  if (is_digits(text) && read_digits(text, value)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is not a whole number below 2^64", what,
                   text);
}

/* Hexadecimal, "inf" and "nan" are no numbers here. */
static bool read_decimal(const char *begin, const char *end, double *value) {
  bool plain = end > begin;
  for (const char *c = begin; c < end; ++c) plain = plain && strchr("0123456789+-.eE", *c);
  return plain && weft_parse_double(begin, end, value) == end && isfinite(*value);
}

/* A number, or one over another: 1/24. */
static bool read_fraction(const char *begin, const char *end, double *value) {
  const char *over = memchr(begin, '/', (size_t)(end - begin));
  double below = 1;
  if (!read_decimal(begin, over ? over : end, value)) return false;
  if (over && !read_decimal(over + 1, end, &below)) return false;
  *value /= below;
  return isfinite(*value);
}

/* Reads one number that ends at `end`. */
static weft_result read_piece(const char *what, const char *begin, const char *end, double low,
                              double high, float *value, weft_error *err) {
  int length = (int)(end - begin);
  double wide = 0;
  if (!read_fraction(begin, end, &wide)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%.*s\" is not a number", what, length, begin);
  }
  /* A limit that is a float is not quite the decimal number that it is written as. */
  float near = (float)wide;
  if ((wide < low && near < (float)low) || (wide > high && near > (float)high)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %.*s is out of range, allowed is %g to %g",
                     what, length, begin, low, high);
  }
  *value = near;
  return WEFT_OK;
}

weft_result weft_read_number(const char *what, const char *text, double low, double high,
                             float *value, weft_error *err) {
  return read_piece(what, text, text + strlen(text), low, high, value, err);
}

weft_result weft_read_numbers(const char *what, const char *text, double low, double high,
                              uint32_t count, float *values, weft_error *err) {
  const char *at = text;
  for (uint32_t k = 0; k < count; ++k) {
    const char *end = strchr(at, ',');
    if ((end == NULL) != (k + 1 == count)) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is not %u numbers with commas between",
                       what, text, count);
    }
    if (!end) end = at + strlen(at);
    weft_result result = read_piece(what, at, end, low, high, &values[k], err);
    if (result != WEFT_OK) return result;
    at = end + 1;
  }
  return WEFT_OK;
}

/* ---- names ---- */

enum { LONGEST_NAME = 31 };

static size_t smallest(size_t a, size_t b, size_t c) {
  size_t min = a < b ? a : b;
  return min < c ? min : c;
}

/* Levenshtein's distance, row by row. */
static size_t edit_distance(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > LONGEST_NAME || nb > LONGEST_NAME) return LONGEST_NAME;
  size_t row[LONGEST_NAME + 1];
  for (size_t j = 0; j <= nb; ++j) row[j] = j;
  for (size_t i = 1; i <= na; ++i) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= nb; ++j) {
      size_t above = row[j];
      row[j] = smallest(above + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1]));
      corner = above;
    }
  }
  return row[nb];
}

const char *weft_nearest_name(const char *text, const char *const *names, size_t count) {
  const char *best = NULL;
  size_t min = strlen(text) / 3 < 3 ? strlen(text) / 3 + 1 : 4; /* one slip in three letters */
  for (size_t k = 0; k < count; ++k) {
    size_t distance = edit_distance(text, names[k]);
    if (distance < min) {
      min = distance;
      best = names[k];
    }
  }
  return best;
}

/* ---- one option ---- */

static weft_result read_choice(const char *what, const char *const *choices, const char *text,
                               int *value, weft_error *err) {
  char list[256] = "";
  for (int k = 0; choices[k]; ++k) {
    if (strcmp(choices[k], text) == 0) {
      *value = k;
      return WEFT_OK;
    }
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", choices[k]);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is none of %s", what, text, list);
}

static const char *const off_on[] = {"off", "on", NULL};

weft_result weft_option_take(const weft_option_set *set, const weft_option *option,
                             const char *text, weft_error *err) {
  char what[48];
  snprintf(what, sizeof what, "--%s", option->name);
  void *place = (char *)set->base + option->offset;
  float three[3] = {0, 0, 0};
  int on = 0;
  weft_result result = WEFT_OK;
  switch (option->kind) {
    case WEFT_OPTION_FLAG:
      *(bool *)place = true;
      break;
    case WEFT_OPTION_SWITCH:
      result = read_choice(what, off_on, text, &on, err);
      if (result == WEFT_OK) *(bool *)place = on;
      break;
    case WEFT_OPTION_TEXT:
    case WEFT_OPTION_OPTIONAL:
      *(const char **)place = text;
      break;
    case WEFT_OPTION_COUNT:
      result =
          weft_read_count(what, text, (uint32_t)option->low, (uint32_t)option->high, place, err);
      break;
    case WEFT_OPTION_SEED:
      result = read_seed(what, text, place, err);
      break;
    case WEFT_OPTION_NUMBER:
      result = weft_read_number(what, text, option->low, option->high, place, err);
      break;
    case WEFT_OPTION_VECTOR:
      result = weft_read_numbers(what, text, option->low, option->high, 3, three, err);
      if (result == WEFT_OK) *(weft_vec3 *)place = weft_v3(three[0], three[1], three[2]);
      break;
    case WEFT_OPTION_CHOICE:
      result = read_choice(what, option->choices, text, place, err);
      break;
    case WEFT_OPTION_CUSTOM:
      result = option->take(set->base, text, err);
      break;
  }
  if (result == WEFT_OK && option->given) *((bool *)set->base + option->given) = true;
  if (result != WEFT_OK || !set->note) return result;
  return set->note(set->base, option->name, text ? text : "", err);
}
