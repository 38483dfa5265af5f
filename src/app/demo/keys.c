/* keys.c: the table. */
#include "keys.h"

static const weft_demo_key keys[] = {
    {"space", ' ', false, WEFT_DEMO_PAUSE, "pause, and go on"},
    {"n", 'n', true, WEFT_DEMO_STEP, "pause, and simulate one frame"},
    {",", ',', true, WEFT_DEMO_SLOWER, "half the speed: slow motion, the step stays the same"},
    {".", '.', true, WEFT_DEMO_FASTER, "twice the speed, to 4 times real time"},
    {"r", 'r', false, WEFT_DEMO_RESET, "back to the start"},
    {"s", 's', false, WEFT_DEMO_NEXT_SCENE, "next scene"},
    {"S", 'S', false, WEFT_DEMO_PREVIOUS_SCENE, "previous scene"},
    {"v", 'v', false, WEFT_DEMO_NEXT_VIEW, "next view: shaded, wire, strain, colours, bending ..."},
    {"V", 'V', false, WEFT_DEMO_PREVIOUS_VIEW, "previous view"},
    {"b", 'b', true, WEFT_DEMO_NEXT_BATCH, "view colours: the batches one by one"},
    {"g", 'g', false, WEFT_DEMO_GUST, "a gust of wind away from the camera"},
    {"t", 't', false, WEFT_DEMO_TRAILS, "bead, pendulum: trails on or off"},
    {"a", 'a', false, WEFT_DEMO_ANALYTIC,
     "bead, pendulum: the analytic motion beside it, on or off"},
    {"c", 'c', false, WEFT_DEMO_CAMERA, "camera back to where the scene put it"},
    {"d", 'd', false, WEFT_DEMO_VALIDATE,
     "compare every bit of the last frames with the reference"},
    {"k", 'k', false, WEFT_DEMO_HASH, "hash of the state"},
    {"p", 'p', false, WEFT_DEMO_SCREENSHOT, "write a PNG of the window"},
    {"f", 'f', false, WEFT_DEMO_TIMES, "time of each kind of pass, on and off"},
    {"m", 'm', false, WEFT_DEMO_PINS, "marks at pinned particles: always, or near the mouse"},
    {"i", 'i', false, WEFT_DEMO_PANEL, "show or hide the panels"},
    {"h", 'h', false, WEFT_DEMO_HELP, "show or hide this list"},
    {"q", 'q', false, WEFT_DEMO_QUIT, "quit; escape closes what is open, then quits"},
};

static const weft_demo_gesture gestures[] = {
    {"click", "pick a particle: its values in the panel; beside everything: none"},
    {"left drag on cloth", "pull it, or lead a pin"},
    {"left drag on a shape", "move a collider or a body; with shift also one under cloth"},
    {"ctrl and click", "pin a particle, or free it, also one that the scene moves"},
    {"left or right drag", "turn the camera"},
    {"shift or middle drag", "beside all shapes: move the camera sideways"},
    {"wheel", "nearer, further"},
    {"drop a file", "a mesh as cloth (c) or as a body (b): the window asks"},
};

const weft_demo_key *weft_demo_key_at(uint32_t index) {
  return index < sizeof keys / sizeof keys[0] ? &keys[index] : NULL;
}

const weft_demo_key *weft_demo_key_of(uint32_t character) {
  for (uint32_t k = 0; weft_demo_key_at(k); ++k) {
    if (keys[k].character == character) return &keys[k];
  }
  return NULL;
}

const weft_demo_gesture *weft_demo_gesture_at(uint32_t index) {
  return index < sizeof gestures / sizeof gestures[0] ? &gestures[index] : NULL;
}
