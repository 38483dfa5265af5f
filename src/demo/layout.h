/* layout.h: what the panels leave free, and the scene in the middle of it. */
#ifndef WEFT_DEMO_LAYOUT_H
#define WEFT_DEMO_LAYOUT_H

#include "render.h"
#include "scenes.h"

/* Of a window, in pixels. */
typedef struct weft_demo_layout {
  double width, height;
  double left, right; /* taken by panels */
} weft_demo_layout;

/* Where free room begins, and how wide it is: never less than a quarter of the window. */
double weft_demo_free_left(const weft_demo_layout *layout);
double weft_demo_free_width(const weft_demo_layout *layout);

/* From where the scene would be seen whole in the free room. */
weft_camera weft_demo_home_camera(const weft_scene_instance *scene, const weft_demo_layout *layout);
/* The same camera, with what it looks at in the middle of the free room. */
void weft_demo_centre(weft_camera *camera, const weft_demo_layout *layout);

#endif
