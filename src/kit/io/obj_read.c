/* Reads Wavefront OBJ text. Tolerant of what exporters really write, strict about what would give
 * a wrong cloth: every refusal names file, line and reason. */
#include <string.h>

#include "obj.h"

typedef struct token {
  const char *begin, *end;
} token;

typedef struct reader {
  const char *path;
  const char *at, *end;
  uint32_t line;
  double scale;
  weft_obj *obj;
  size_t position_space, colour_space, uv_space, depth_space, normal_space, corner_space,
      corner_uv_space, corner_normal_space, face_space, name_space, list_name_space, list_space,
      line_space;
  uint32_t *name_table; /* open addressing: name + 1, 0 for free */
  size_t name_slots;
  uint32_t *name_list; /* [name] the last list it is in, so that a list holds it once */
  size_t name_list_space, part_space;
  uint32_t object, material, list; /* current; UINT32_MAX for no object, no material */
  weft_error *err;
} reader;

/* ---- text ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

static bool is_newline(char c) { return c == '\n' || c == '\r'; }

/* Steps over one of LF, CR LF, CR. */
static void take_newline(reader *r) {
  if (r->at == r->end) return;
  if (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n') ++r->at;
  ++r->at;
  ++r->line;
}

static bool at_continuation(const reader *r) {
  return *r->at == '\\' && (r->at + 1 == r->end || is_newline(r->at[1]));
}

/* To the next token of the line; false when there is none. A backslash before the end of a line
 * makes the next line part of it. */
static bool skip_blanks(reader *r) {
  while (r->at < r->end) {
    if (is_blank(*r->at)) {
      ++r->at;
    } else if (at_continuation(r)) {
      ++r->at;
      take_newline(r);
    } else {
      return !is_newline(*r->at) && *r->at != '#';
    }
  }
  return false;
}

static bool next_token(reader *r, token *t) {
  if (!skip_blanks(r)) return false;
  t->begin = r->at;
  while (r->at < r->end && !is_blank(*r->at) && !is_newline(*r->at) && !at_continuation(r)) ++r->at;
  t->end = r->at;
  return true;
}

/* A comment is not continued: a path that ends in a backslash would swallow the next line. */
static void skip_line(reader *r) {
  token ignored;
  while (next_token(r, &ignored)) continue;
  while (r->at < r->end && !is_newline(*r->at)) ++r->at;
  if (r->at < r->end) take_newline(r);
}

static bool token_is(token t, const char *word) {
  size_t length = strlen(word);
  return (size_t)(t.end - t.begin) == length && memcmp(t.begin, word, length) == 0;
}

/* What a message quotes: short. */
typedef struct quoted {
  char text[48];
} quoted;

static quoted quote(token t) {
  quoted q;
  const bool whole = t.end - t.begin <= 40;
  snprintf(q.text, sizeof q.text, "%.*s%s", whole ? (int)(t.end - t.begin) : 40, t.begin,
           whole ? "" : "...");
  return q;
}

static weft_result refuse(reader *r, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static weft_result refuse(reader *r, uint32_t line, const char *format, ...) {
  char reason[400];
  va_list list;
  va_start(list, format);
  vsnprintf(reason, sizeof reason, format, list);
  va_end(list);
  return weft_fail(r->err, WEFT_ERROR_FORMAT, "%s:%u: %s", r->path, line, reason);
}

/* ---- names ---- */

static uint32_t *name_slot(const reader *r, token t) {
  size_t length = (size_t)(t.end - t.begin);
  uint64_t hash = weft_hash_bytes(WEFT_HASH_SEED, t.begin, length);
  size_t slot = (size_t)(hash ^ hash >> 32) & (r->name_slots - 1);
  while (r->name_table[slot] != 0) {
    const char *name = r->obj->names[r->name_table[slot] - 1];
    if (strlen(name) == length && memcmp(name, t.begin, length) == 0) break;
    slot = (slot + 1) & (r->name_slots - 1);
  }
  return r->name_table + slot;
}

static void grow_name_table(reader *r) {
  weft_free(r->name_table);
  r->name_slots = r->name_slots ? 4 * r->name_slots : 64;
  r->name_table = weft_alloc(r->name_slots, sizeof *r->name_table);
  for (size_t n = 0; n < r->obj->name_count; ++n) {
    const char *name = r->obj->names[n];
    *name_slot(r, (token){name, name + strlen(name)}) = (uint32_t)n + 1;
  }
}

static uint32_t intern(reader *r, token t) {
  weft_obj *obj = r->obj;
  if (2 * (obj->name_count + 1) > r->name_slots) grow_name_table(r);
  uint32_t *slot = name_slot(r, t);
  if (*slot != 0) return *slot - 1;
  size_t length = (size_t)(t.end - t.begin);
  weft_grow((void **)&obj->names, &r->name_space, obj->name_count + 1, sizeof *obj->names);
  weft_grow((void **)&r->name_list, &r->name_list_space, obj->name_count + 1, sizeof *r->name_list);
  weft_grow((void **)&obj->parts, &r->part_space, obj->name_count + 1, sizeof *obj->parts);
  obj->parts[obj->name_count] = false;
  char *copy = weft_alloc(length + 1, 1);
  memcpy(copy, t.begin, length);
  obj->names[obj->name_count] = copy;
  r->name_list[obj->name_count] = 0; /* list 0 is the empty one */
  *slot = (uint32_t)++obj->name_count;
  return *slot - 1;
}

static void begin_list(reader *r) {
  weft_obj *obj = r->obj;
  weft_grow((void **)&obj->lists, &r->list_space, obj->list_count + 1, sizeof *obj->lists);
  obj->lists[obj->list_count] = (weft_obj_list){obj->list_name_count, 0};
  r->list = (uint32_t)obj->list_count++;
}

/* g NAME ...: the faces that follow are in all of them. */
static void read_groups(reader *r) {
  weft_obj *obj = r->obj;
  token t;
  begin_list(r);
  while (next_token(r, &t)) {
    uint32_t name = intern(r, t);
    obj->parts[name] = true;
    if (r->name_list[name] == r->list) continue;
    r->name_list[name] = r->list;
    weft_grow((void **)&obj->list_names, &r->list_name_space, obj->list_name_count + 1,
              sizeof *obj->list_names);
    obj->list_names[obj->list_name_count++] = name;
    ++obj->lists[r->list].count;
  }
}

/* The rest of the line is a name, blanks inside included; UINT32_MAX for none. */
static uint32_t read_name(reader *r) {
  token t, last;
  if (!next_token(r, &t)) return UINT32_MAX;
  uint32_t line = r->line;
  while (next_token(r, &last) && r->line == line) t.end = last.end;
  return intern(r, t);
}

static void read_object(reader *r) {
  r->object = read_name(r);
  if (r->object != UINT32_MAX) r->obj->parts[r->object] = true;
}

/* ---- lines that are kept as they are ---- */

/* The rest of a line, with blanks instead of where it goes on in the next; nothing is taken. */
static void keep_line(reader *r, weft_source_word word) {
  weft_obj *obj = r->obj;
  const reader before = *r;
  token t, all = {r->at, r->at};
  if (next_token(r, &t)) all = t;
  while (next_token(r, &t)) all.end = t.end;
  r->at = before.at;
  r->line = before.line;
  size_t length = (size_t)(all.end - all.begin);
  char *text = weft_alloc(length + 1, 1);
  for (size_t k = 0; k < length; ++k) {
    bool goes_on = all.begin[k] == '\\' && k + 1 < length && is_newline(all.begin[k + 1]);
    text[k] = goes_on || is_newline(all.begin[k]) ? ' ' : all.begin[k];
  }
  weft_grow((void **)&obj->lines, &r->line_space, obj->line_count + 1, sizeof *obj->lines);
  obj->lines[obj->line_count++] = (weft_source_line){word, (uint32_t)obj->face_count, text};
}

/* ---- vertices and faces ---- */

/* Three numbers after the coordinates are a colour. Broken ones are passed over. */
static void read_colour(reader *r) {
  weft_obj *obj = r->obj;
  float rgb[3] = {NAN, NAN, NAN};
  int count = 0;
  token t;
  double value;
  while (next_token(r, &t) && count < 4) {
    if (count < 3 && weft_text_number(t.begin, t.end, &value)) rgb[count] = (float)value;
    ++count;
  }
  bool whole = count == 3 && isfinite(rgb[0]) && isfinite(rgb[1]) && isfinite(rgb[2]);
  if (!whole && !obj->colours) return;
  size_t known = r->colour_space ? obj->position_count - 1 : 0;
  weft_grow((void **)&obj->colours, &r->colour_space, obj->position_count, sizeof *obj->colours);
  for (; known < obj->position_count; ++known) {
    for (int k = 0; k < 3; ++k) obj->colours[known][k] = NAN;
  }
  if (whole) memcpy(obj->colours[obj->position_count - 1], rgb, sizeof rgb);
}

static weft_result read_vertex(reader *r) {
  weft_obj *obj = r->obj;
  uint32_t line = r->line;
  if (obj->position_count == WEFT_MESH_MAX_VERTICES) {
    return refuse(r, line, "more than %u vertices", (unsigned)WEFT_MESH_MAX_VERTICES);
  }
  float coordinates[3];
  for (int i = 0; i < 3; ++i) {
    token t;
    double value;
    if (!next_token(r, &t)) return refuse(r, line, "a vertex has %d coordinates; it needs 3", i);
    if (!weft_text_number(t.begin, t.end, &value)) {
      return refuse(r, line, "'%s' is not a number", quote(t).text);
    }
    value *= r->scale;
    if (!(fabs(value) <= 1e9)) {
      return refuse(r, line, "coordinate %s is too large; at most 1e9 m", quote(t).text);
    }
    coordinates[i] = (float)value;
  }
  weft_grow((void **)&obj->positions, &r->position_space, obj->position_count + 1,
            sizeof *obj->positions);
  obj->positions[obj->position_count++] = weft_v3(coordinates[0], coordinates[1], coordinates[2]);
  read_colour(r);
  return WEFT_OK;
}

/* The third number of the latest texture coordinate, NAN for none. */
static void keep_depth(reader *r, float depth) {
  weft_obj *obj = r->obj;
  if (isnan(depth) && !obj->uv_depths) return;
  size_t known = obj->uv_depths ? obj->uv_count - 1 : 0;
  weft_grow((void **)&obj->uv_depths, &r->depth_space, obj->uv_count, sizeof *obj->uv_depths);
  for (; known < obj->uv_count; ++known) obj->uv_depths[known] = NAN;
  obj->uv_depths[obj->uv_count - 1] = depth;
}

/* Texture coordinates are for show: what is broken of them is passed over, and keeps its number. */
static void read_uv(reader *r) {
  weft_obj *obj = r->obj;
  token t;
  double value[3] = {0, 0, NAN};
  for (int k = 0; k < 3 && next_token(r, &t); ++k) {
    if (!weft_text_number(t.begin, t.end, &value[k]) || !(fabs(value[k]) < 1e6)) value[k] = 0;
  }
  weft_grow((void **)&obj->uvs, &r->uv_space, obj->uv_count + 1, sizeof *obj->uvs);
  obj->uvs[obj->uv_count][0] = (float)value[0];
  obj->uvs[obj->uv_count++][1] = (float)value[1];
  keep_depth(r, (float)value[2]);
}

/* Normals as well. */
static void read_normal(reader *r) {
  weft_obj *obj = r->obj;
  token t;
  double value[3] = {0, 0, 0};
  for (int k = 0; k < 3 && next_token(r, &t); ++k) {
    if (!weft_text_number(t.begin, t.end, &value[k]) || !(fabs(value[k]) < 1e6)) value[k] = 0;
  }
  weft_grow((void **)&obj->normals, &r->normal_space, obj->normal_count + 1, sizeof *obj->normals);
  obj->normals[obj->normal_count++] = weft_v3((float)value[0], (float)value[1], (float)value[2]);
}

/* What stands behind the first slash of V/T/N, or the second, from 0; WEFT_SOURCE_NONE for nothing.
 * Counted from the last of `count` where it is negative. */
static uint32_t corner_part(token t, int slash, size_t count) {
  const char *at = t.begin;
  for (int k = 0; k < slash && at; ++k) {
    at = memchr(at, '/', (size_t)(t.end - at));
    if (at) ++at;
  }
  if (!at || at == t.end || *at == '/') return WEFT_SOURCE_NONE;
  bool negative = *at == '-';
  int64_t value = 0;
  if (*at == '-' || *at == '+') ++at;
  for (; at < t.end && *at >= '0' && *at <= '9' && value < UINT32_MAX; ++at) {
    value = 10 * value + (*at - '0');
  }
  value = negative ? (int64_t)count - value : value - 1;
  return value >= 0 && value < UINT32_MAX ? (uint32_t)value : WEFT_SOURCE_NONE;
}

/* The vertex number of V, V/T, V//N or V/T/N; false for anything else. */
static bool corner_number(token t, int64_t *number) {
  const char *at = t.begin;
  bool negative = at < t.end && *at == '-';
  if (at < t.end && (*at == '-' || *at == '+')) ++at;
  const char *digits = at;
  int64_t value = 0;
  for (; at < t.end && *at >= '0' && *at <= '9'; ++at) {
    if (value < INT64_C(1) << 40) value = 10 * value + (*at - '0');
  }
  if (at == digits || (at < t.end && *at != '/')) return false;
  for (; at < t.end; ++at) {
    if ((*at < '0' || *at > '9') && *at != '/' && *at != '-' && *at != '+') return false;
  }
  *number = negative ? -value : value;
  return true;
}

static weft_result read_corner(reader *r, token t, uint32_t line, uint32_t *corner) {
  int64_t number, count = (int64_t)r->obj->position_count;
  if (!corner_number(t, &number)) {
    return refuse(r, line, "'%s' is not a face corner", quote(t).text);
  }
  if (number == 0) return refuse(r, line, "a face names vertex 0; vertices count from 1");
  if (number < 0 && number + count < 0) {
    return refuse(r, line, "a face names vertex %lld, but only %lld came before it",
                  (long long)number, (long long)count);
  }
  /* Later vertices may be named; the end of the file settles whether they exist. */
  if (number > WEFT_MESH_MAX_VERTICES) {
    return refuse(r, line, "a face names vertex %lld, beyond the last", (long long)number);
  }
  *corner = (uint32_t)(number < 0 ? number + count : number - 1);
  return WEFT_OK;
}

static weft_result read_face(reader *r) {
  weft_obj *obj = r->obj;
  uint32_t line = r->line;
  size_t first = obj->corner_count;
  token t;
  while (next_token(r, &t)) {
    uint32_t corner = 0;
    weft_result result = read_corner(r, t, line, &corner);
    if (result != WEFT_OK) return result;
    weft_grow((void **)&obj->corners, &r->corner_space, obj->corner_count + 1,
              sizeof *obj->corners);
    weft_grow((void **)&obj->corner_uvs, &r->corner_uv_space, obj->corner_count + 1,
              sizeof *obj->corner_uvs);
    weft_grow((void **)&obj->corner_normals, &r->corner_normal_space, obj->corner_count + 1,
              sizeof *obj->corner_normals);
    obj->corner_uvs[obj->corner_count] = corner_part(t, 1, obj->uv_count);
    obj->corner_normals[obj->corner_count] = corner_part(t, 2, obj->normal_count);
    obj->corners[obj->corner_count++] = corner;
  }
  size_t size = obj->corner_count - first;
  if (size < 3) return refuse(r, line, "a face has %zu corners; it needs 3", size);
  if (obj->corner_count > WEFT_MESH_MAX_TRIANGLES) {
    return refuse(r, line, "more than %u face corners", (unsigned)WEFT_MESH_MAX_TRIANGLES);
  }
  bool in_list = r->object != UINT32_MAX && r->list != 0 && r->name_list[r->object] == r->list;
  weft_grow((void **)&obj->faces, &r->face_space, obj->face_count + 1, sizeof *obj->faces);
  obj->faces[obj->face_count++] = (weft_obj_face){.first = (uint32_t)first,
                                                  .line = line,
                                                  .object = in_list ? UINT32_MAX : r->object,
                                                  .material = r->material,
                                                  .list = r->list};
  return WEFT_OK;
}

/* By weft_source_word. */
static const char *const kept_words[] = {"g", "o", "usemtl", "mtllib", "s"};

static weft_result read_line(reader *r) {
  token keyword;
  weft_result result = WEFT_OK;
  if (next_token(r, &keyword)) {
    if (token_is(keyword, "v")) result = read_vertex(r);
    if (token_is(keyword, "vt")) read_uv(r);
    if (token_is(keyword, "f")) result = read_face(r);
    if (token_is(keyword, "vn")) read_normal(r);
    for (size_t k = 0; k < sizeof kept_words / sizeof *kept_words; ++k) {
      if (token_is(keyword, kept_words[k])) keep_line(r, (weft_source_word)k);
    }
    if (token_is(keyword, "g")) read_groups(r);
    if (token_is(keyword, "o")) read_object(r);
    if (token_is(keyword, "usemtl")) r->material = read_name(r);
  }
  skip_line(r);
  return result;
}

/* ---- the whole file ---- */

static uint32_t line_of(const char *text, const char *at) {
  uint32_t line = 1;
  for (; text < at; ++text) line += *text == '\n';
  return line;
}

static weft_result check_text(reader *r) {
  const unsigned char *bytes = (const unsigned char *)r->at;
  size_t length = (size_t)(r->end - r->at);
  if (length == 0) return weft_fail(r->err, WEFT_ERROR_FORMAT, "%s: the file is empty", r->path);
  bool marked = length >= 2 &&
                ((bytes[0] == 0xfe && bytes[1] == 0xff) || (bytes[0] == 0xff && bytes[1] == 0xfe));
  bool wide = length >= 4 && ((bytes[0] == 0 && bytes[2] == 0 && bytes[1] && bytes[3]) ||
                              (bytes[1] == 0 && bytes[3] == 0 && bytes[0] && bytes[2]));
  if (marked || wide) return refuse(r, 1, "UTF-16 text; save it as UTF-8");
  const char *zero = memchr(r->at, 0, length);
  if (zero) return refuse(r, line_of(r->at, zero), "a zero byte; this is not OBJ text");
  if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) r->at += 3;
  return WEFT_OK;
}

static weft_result check_faces(reader *r) {
  const weft_obj *obj = r->obj;
  if (obj->face_count == 0) {
    return weft_fail(r->err, WEFT_ERROR_FORMAT,
                     "%s: %zu vertices and no faces: there is no surface in it", r->path,
                     obj->position_count);
  }
  size_t face = 0;
  for (size_t c = 0; c < obj->corner_count; ++c) {
    if (obj->corners[c] < obj->position_count) continue;
    while (face + 1 < obj->face_count && obj->faces[face + 1].first <= c) ++face;
    return refuse(r, obj->faces[face].line, "a face names vertex %u, but there are %zu",
                  obj->corners[c] + 1, obj->position_count);
  }
  return WEFT_OK;
}

weft_result weft_obj_read(const char *path, const char *text, size_t length, double scale,
                          weft_obj *obj, weft_error *err) {
  *obj = (weft_obj){0};
  reader r = {.path = path,
              .at = text,
              .end = text + length,
              .line = 1,
              .scale = scale,
              .obj = obj,
              .object = UINT32_MAX,
              .material = UINT32_MAX,
              .err = err};
  weft_result result = check_text(&r);
  begin_list(&r);
  while (result == WEFT_OK && r.at < r.end) result = read_line(&r);
  if (result == WEFT_OK) result = check_faces(&r);
  weft_free(r.name_table);
  weft_free(r.name_list);
  if (result != WEFT_OK) weft_obj_free(obj);
  return result;
}

bool weft_obj_is_named(const char *name, size_t name_length, const char *said, size_t length) {
  if (name_length != length) return false;
  for (size_t k = 0; k < length; ++k) {
    if (name[k] != said[k] && !(name[k] == '_' && is_blank(said[k]))) return false;
  }
  return true;
}

void weft_obj_free(weft_obj *obj) {
  for (size_t n = 0; n < obj->name_count; ++n) weft_free(obj->names[n]);
  weft_free(obj->names);
  weft_free(obj->parts);
  weft_free(obj->positions);
  weft_free(obj->corners);
  weft_free(obj->colours);
  weft_free(obj->corner_uvs);
  weft_free(obj->corner_normals);
  weft_free(obj->normals);
  for (size_t n = 0; n < obj->line_count; ++n) weft_free(obj->lines[n].text);
  weft_free(obj->lines);
  weft_free(obj->uvs);
  weft_free(obj->uv_depths);
  weft_free(obj->faces);
  weft_free(obj->list_names);
  weft_free(obj->lists);
  *obj = (weft_obj){0};
}
