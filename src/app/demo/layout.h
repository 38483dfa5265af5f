/* layout.h: what the panels leave free, where the scene is drawn, and from where it is seen. */
#ifndef WEFT_DEMO_LAYOUT_H
#define WEFT_DEMO_LAYOUT_H

#include "render.h"
#include "scenes.h"

/* Of a window, in pixels. */
typedef struct weft_demo_layout {
  int width, height; /* all of it */
  int left, across;  /* where what is free begins, and how wide it is */
} weft_demo_layout;

/* With panels so wide at either side; a quarter of the window is always free. */
weft_demo_layout weft_demo_layout_of(int width, int height, double left, double right);

/* From where a picture of this size has the scene as it begins between its left and right edge. */
weft_camera weft_demo_home_camera(const weft_scene_instance *scene, int width, int height);

#endif
