/* What is read of files that the importer library is given: whatever the bytes, their header is
 * held against their length or refused in one sentence; and names in them are shown and held to
 * their folder. The first byte chooses the format, the rest is the file. */
#include <string.h>

#include "foreign.h"
#include "fuzz.h"

static const char *const paths[] = {"a.ply", "a.stl", "a.off", "a.glb", "a.gltf"};
enum { PATHS = sizeof paths / sizeof *paths };

/* Of something that is as it is shown nothing changes when it is shown. */
static void expect_printable(const char *text) {
  char again[8192];
  EXPECT(strcmp(weft_printable(text, strlen(text), again, sizeof again), text) == 0);
}

static void expect_checked(const char *path, const char *bytes, size_t size) {
  weft_error err = {0};
  if (weft_foreign_check_header(path, bytes, size, &err) == WEFT_OK) return;
  EXPECT(err.code == WEFT_ERROR_FORMAT && strstr(err.message, path) == err.message);
  expect_printable(err.message);
}

static void expect_shown(const char *bytes, size_t size) {
  char shown[4200], cut[20];
  weft_printable(bytes, size, shown, sizeof shown);
  expect_printable(shown);
  EXPECT(strlen(weft_printable(bytes, size, cut, sizeof cut)) < sizeof cut);
  char said[401], reason[420];
  snprintf(said, sizeof said, "%.400s", shown);
  weft_foreign_words(said, reason, sizeof reason);
  EXPECT(reason[0] && strlen(reason) < sizeof reason);
}

/* What stays in its folder still does once it is decoded twice, as long as nothing is escaped. */
static void expect_named(const char *bytes, size_t size) {
  char *name = weft_alloc(size + 1, 1);
  memcpy(name, bytes, size);
  char *decoded = weft_uri_decode(name), *again = weft_uri_decode(decoded);
  EXPECT(strlen(again) <= strlen(decoded) && strlen(decoded) <= strlen(name));
  if (weft_name_stays(decoded))
    EXPECT(decoded[0] != '/' && strncmp(decoded, "..", 3) != 0 && strncmp(decoded, "../", 3) != 0);
  weft_free(name);
  weft_free(decoded);
  weft_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size == 0) return 0;
  /* A copy without a byte behind its end. */
  char *file = malloc(size > 1 ? size - 1 : 1);
  EXPECT(file);
  memcpy(file, bytes + 1, size - 1);
  expect_checked(paths[bytes[0] % PATHS], file, size - 1);
  expect_shown(file, size - 1);
  expect_named(file, size - 1);
  free(file);
  return 0;
}
