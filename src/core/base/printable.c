/* printable.c: text from elsewhere as it can be shown: UTF-8 without anything that moves a cursor.
 */
#include <string.h>

#include "base.h"

/* Bytes of the character that begins here (Unicode 15, table 3-7); 0 where it is none. */
static size_t character_length(const unsigned char *b, size_t left) {
  const size_t n = b[0] < 0x80 ? 1 : b[0] < 0xc2 ? 0 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
  if (n == 0 || n > left || b[0] > 0xf4) return 0;
  for (size_t k = 1; k < n; ++k) {
    if ((b[k] & 0xc0) != 0x80) return 0;
  }
  if (b[0] == 0xe0 && b[1] < 0xa0) return 0; /* longer than need be */
  if (b[0] == 0xed && b[1] > 0x9f) return 0; /* surrogates */
  if (b[0] == 0xf0 && b[1] < 0x90) return 0;
  if (b[0] == 0xf4 && b[1] > 0x8f) return 0;
  return n;
}

/* Controls of ASCII and of Latin-1, and those that turn the direction of writing. */
static bool is_control(const unsigned char *b, size_t length) {
  if (length == 1) return b[0] < ' ' || b[0] == 0x7f;
  if (length == 2) return b[0] == 0xc2 && b[1] < 0xa0;
  if (length != 3 || b[0] != 0xe2) return false;
  if (b[1] == 0x80) return (b[2] >= 0xaa && b[2] <= 0xae) || b[2] == 0xa8 || b[2] == 0xa9;
  return b[1] == 0x81 && b[2] >= 0xa6 && b[2] <= 0xa9;
}

/* Writes at most 4 bytes a byte of the text; returns how many of the text were taken. */
static size_t put_character(const unsigned char *b, size_t left, bool lines, char *out) {
  size_t length = character_length(b, left);
  const bool line = lines && (b[0] == '\n' || b[0] == '\t');
  if (line || (length > 0 && !is_control(b, length))) {
    memcpy(out, b, length);
    out[length] = 0;
    return length;
  }
  if (length == 0) length = 1;
  for (size_t k = 0; k < length; ++k) snprintf(out + 4 * k, 5, "\\x%02x", b[k]);
  return length;
}

static size_t shown_length(const char *text, size_t length, bool lines) {
  size_t sum = 0;
  for (size_t at = 0; at < length;) {
    char shown[17];
    at += put_character((const unsigned char *)text + at, length - at, lines, shown);
    sum += strlen(shown);
  }
  return sum;
}

static void show(const char *text, size_t length, bool lines, char *out, size_t size) {
  static const char more[] = "...";
  const bool whole = shown_length(text, length, lines) < size;
  const size_t room = whole ? size : size - (sizeof more - 1);
  size_t used = 0;
  for (size_t at = 0; at < length;) {
    char shown[17];
    at += put_character((const unsigned char *)text + at, length - at, lines, shown);
    if (used + strlen(shown) >= room) break;
    memcpy(out + used, shown, strlen(shown));
    used += strlen(shown);
  }
  snprintf(out + used, size - used, "%s", whole ? "" : more);
}

const char *weft_printable(const char *text, size_t length, char *out, size_t size) {
  show(text, length, false, out, size);
  return out;
}

void weft_printable_lines(const char *text, char *out, size_t size) {
  show(text, strlen(text), true, out, size);
}
