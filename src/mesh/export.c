/* Wavefront OBJ output.
 *
 * printf's decimal point follows the locale and costs most of the time of a large file, so numbers
 * are written here: nine significant digits, which read back as the same float, rounded exactly in
 * 64-bit integers over the range cloth lives in. */
#include <locale.h>
#include <string.h>

#include "mesh_inside.h"

enum { CHUNK = 1 << 16, LONGEST_LINE = 128 };

static char *put_uint(char *out, uint64_t value) {
  char digits[24];
  int n = 0;
  do digits[n++] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  while (n > 0) *out++ = digits[--n];
  return out;
}

/* Any finite float by printf, with the locale's decimal point put right. */
static char *put_float_by_printf(char *out, float value) {
  int n = snprintf(out, 40, "%.9g", (double)value);
  const char *point = localeconv()->decimal_point;
  char *found = strcmp(point, ".") == 0 ? NULL : strstr(out, point);
  if (found) {
    size_t width = strlen(point);
    *found = '.';
    memmove(found + 1, found + width, strlen(found + width) + 1);
    n -= (int)width - 1;
  }
  return out + n;
}

static const uint64_t powers[] = {1,
                                  10,
                                  100,
                                  1000,
                                  10000,
                                  100000,
                                  1000000,
                                  10000000,
                                  100000000,
                                  1000000000,
                                  UINT64_C(10000000000),
                                  UINT64_C(100000000000),
                                  UINT64_C(1000000000000)};

/* magnitude * 10^places rounded to nearest, ties to even; magnitude * 10^places < 1e9 and
 * magnitude >= 1e-4, so that 24 bits times 10^12 fit into 64. */
static uint64_t scaled(float magnitude, int places) {
  int exponent;
  uint64_t mantissa = (uint64_t)ldexpf(frexpf(magnitude, &exponent), 24);
  exponent -= 24;
  uint64_t product = mantissa * powers[places];
  if (exponent >= 0) return product << exponent;
  uint64_t half = UINT64_C(1) << (-exponent - 1);
  uint64_t whole = product >> -exponent, rest = product & (2 * half - 1);
  return whole + (rest > half || (rest == half && (whole & 1)));
}

/* As printf's %.9g in the C locale. */
static char *put_float(char *out, float value) {
  float magnitude = fabsf(value);
  if (!((double)magnitude >= 1e-4 && magnitude < 1e8f) && magnitude != 0) {
    return put_float_by_printf(out, value);
  }
  if (signbit(value)) *out++ = '-';
  int places = 12; /* digits after the point */
  while (places > 0 && (double)magnitude * (double)powers[places] >= 999999999.5) --places;
  uint64_t digits = magnitude == 0 ? 0 : scaled(magnitude, places);
  out = put_uint(out, digits / powers[places]);
  uint64_t fraction = digits % powers[places];
  if (fraction == 0) return out;
  *out++ = '.';
  while (fraction != 0) {
    fraction *= 10;
    *out++ = (char)('0' + fraction / powers[places]);
    fraction %= powers[places];
  }
  return out;
}

static char *put_vertex(char *out, weft_vec3 p) {
  *out++ = 'v';
  const float coordinates[3] = {p.x, p.y, p.z};
  for (int i = 0; i < 3; ++i) {
    *out++ = ' ';
    out = put_float(out, coordinates[i]);
  }
  *out++ = '\n';
  return out;
}

static char *put_face(char *out, const uint32_t *t) {
  *out++ = 'f';
  for (int corner = 0; corner < 3; ++corner) {
    *out++ = ' ';
    out = put_uint(out, (uint64_t)t[corner] + 1);
  }
  *out++ = '\n';
  return out;
}

static void write_lines(FILE *file, const weft_mesh *mesh, const weft_vec3 *positions) {
  char *chunk = weft_alloc(CHUNK + LONGEST_LINE, 1), *at = chunk;
  uint64_t lines = (uint64_t)mesh->vertex_count + mesh->triangle_count;
  for (uint64_t line = 0; line < lines; ++line) {
    at = line < mesh->vertex_count
             ? put_vertex(at, positions[line])
             : put_face(at, mesh->triangles + 3 * (size_t)(line - mesh->vertex_count));
    if (at - chunk < CHUNK && line + 1 < lines) continue;
    fwrite(chunk, 1, (size_t)(at - chunk), file); /* weft_output_close gives the verdict */
    at = chunk;
  }
  weft_free(chunk);
}

weft_result weft_mesh_export_obj(const char *path, const weft_mesh *mesh,
                                 const weft_vec3 *positions, weft_error *err) {
  if (!positions) positions = mesh->positions;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (weft_v3_finite(positions[v])) continue;
    return weft_fail(err, WEFT_ERROR_NOT_FINITE, "%s: not written: vertex %u is not finite",
                     weft_shown_path(path), v);
  }
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  FILE *file = weft_output_file(out);
  fprintf(file, "# weft: %u vertices, %u triangles, metres\n", mesh->vertex_count,
          mesh->triangle_count);
  write_lines(file, mesh, positions);
  return weft_output_close(out, err);
}
