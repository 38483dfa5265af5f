/* keys.h: what the user can ask for, and the one table of keys, which --help and the key h print.
 */
#ifndef WEFT_DEMO_KEYS_H
#define WEFT_DEMO_KEYS_H

#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_demo_action {
  WEFT_DEMO_NOTHING = 0,
  WEFT_DEMO_PAUSE,
  WEFT_DEMO_STEP,
  WEFT_DEMO_SLOWER,
  WEFT_DEMO_FASTER,
  WEFT_DEMO_RESET,
  WEFT_DEMO_NEXT_SCENE,
  WEFT_DEMO_PREVIOUS_SCENE,
  WEFT_DEMO_NEXT_VIEW,
  WEFT_DEMO_PREVIOUS_VIEW,
  WEFT_DEMO_NEXT_BATCH,
  WEFT_DEMO_GUST,
  WEFT_DEMO_TRAILS,
  WEFT_DEMO_ANALYTIC,
  WEFT_DEMO_CAMERA,
  WEFT_DEMO_VALIDATE,
  WEFT_DEMO_HASH,
  WEFT_DEMO_SCREENSHOT,
  WEFT_DEMO_TIMES,
  WEFT_DEMO_PINS,
  WEFT_DEMO_PANEL,
  WEFT_DEMO_HELP,
  WEFT_DEMO_QUIT,
  WEFT_DEMO_ACTION_COUNT
} weft_demo_action;

typedef struct weft_demo_key {
  const char *name;   /* "space", "n" ... */
  uint32_t character; /* typed; the user's own keyboard layout decides where it is */
  bool repeats;       /* while the key is held */
  weft_demo_action action;
  const char *help;
} weft_demo_key;

/* The index-th row, NULL past the last. */
const weft_demo_key *weft_demo_key_at(uint32_t index);
/* What a typed character asks for. */
const weft_demo_key *weft_demo_key_of(uint32_t character);

/* What the mouse does, for the same listings; NULL past the last. */
typedef struct weft_demo_gesture {
  const char *name, *help;
} weft_demo_gesture;
const weft_demo_gesture *weft_demo_gesture_at(uint32_t index);

/* The numbers GLFW gives keys, buttons, actions and modifiers. */
enum {
  WEFT_KEY_ESCAPE = 256,
  WEFT_KEY_ENTER = 257,
  WEFT_KEY_TAB = 258,
  WEFT_KEY_BACKSPACE = 259,
  WEFT_KEY_DELETE = 261,
  WEFT_KEY_RIGHT = 262,
  WEFT_KEY_LEFT = 263,
  WEFT_KEY_DOWN = 264,
  WEFT_KEY_UP = 265,
  WEFT_KEY_HOME = 268,
  WEFT_KEY_END = 269,
  WEFT_KEY_KEYPAD_ENTER = 335,
  WEFT_BUTTON_LEFT = 0,
  WEFT_BUTTON_RIGHT = 1,
  WEFT_BUTTON_MIDDLE = 2,
  WEFT_RELEASE = 0,
  WEFT_PRESS = 1,
  WEFT_REPEAT = 2,
  WEFT_SHIFT = 1,
  WEFT_CONTROL = 2,
};

#ifdef __cplusplus
}
#endif

#endif
