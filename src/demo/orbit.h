/* orbit.h: a camera led by the mouse. */
#ifndef WEFT_DEMO_ORBIT_H
#define WEFT_DEMO_ORBIT_H

#include "render.h"

/* dx, dy: pixels of a picture `height` pixels high, y down. */
void weft_demo_orbit(weft_camera *camera, double dx, double dy);
void weft_demo_pan(weft_camera *camera, double dx, double dy, double height);
/* Wheel notches, positive nearer; never nearer than `nearest` nor further than `furthest`. */
void weft_demo_zoom(weft_camera *camera, double notches, float nearest, float furthest);

#endif
