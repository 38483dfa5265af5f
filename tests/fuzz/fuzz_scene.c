/* Scene files: whatever the bytes, a scene that writes itself again and is then the same, or one
 * sentence. No file is read but those of a folder that is empty; what would take long is left out.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <unistd.h>
#include <weft_kit/scene.h>

#include "base.h"
#include "fuzz.h"

static char folder[64];

static void remove_folder(void) { rmdir(folder); }

static void start(void) {
  snprintf(folder, sizeof folder, "/tmp/weft-fuzz-XXXXXX");
  EXPECT(mkdtemp(folder));
  atexit(remove_folder);
}

/* One line that a terminal can show: shown once more nothing changes. */
static void expect_sentence(weft_result result, const weft_error *err) {
  char shown[2 * sizeof err->message];
  EXPECT(err->code == result && err->message[0]);
  weft_printable(err->message, strlen(err->message), shown, sizeof shown);
  EXPECT(strcmp(shown, err->message) == 0);
}

/* Large scenes, long lists and other files are right, and slow. */
static bool takes_long(const char *text) {
  static const char *const words[] = {"size", "links", "dress", "loosen", "/", "..", "layers"};
  bool found = false;
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
    found = found || strstr(text, words[k]) != NULL;
  }
  return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char *text = malloc(size + 1);
  EXPECT(text);
  memcpy(text, bytes, size);
  text[size] = 0;
  if (!folder[0]) start();
  if (!takes_long(text)) {
    weft_scene_file *scene = (weft_scene_file *)&text;
    weft_error err = {0};
    const weft_result result = weft_scene_file_parse(text, folder, &scene, &err);
    if (result == WEFT_OK) {
      EXPECT(weft_scene_file_model(scene) && weft_scene_file_frames(scene) >= 1);
    } else {
      EXPECT(!scene);
      expect_sentence(result, &err);
    }
    weft_scene_file_destroy(scene);
  }
  free(text);
  return 0;
}
