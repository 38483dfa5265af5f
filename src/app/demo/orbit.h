/* orbit.h: a camera led by the mouse. */
#ifndef WEFT_DEMO_ORBIT_H
#define WEFT_DEMO_ORBIT_H

#include "render.h"

/* dx, dy: pixels of a picture `height` pixels high, y down. */
void weft_demo_orbit(weft_camera *camera, double dx, double dy);
void weft_demo_pan(weft_camera *camera, double dx, double dy, double height);
/* Wheel notches, positive nearer; never nearer than `nearest` nor further than `furthest`. */
void weft_demo_zoom(weft_camera *camera, double notches, float nearest, float farthest);

/* Through a pixel of a width x height picture, y down; without thickness. */
weft_ray weft_demo_ray(const weft_camera *camera, double x, double y, double width, double height);
/* The pixel at which a point is seen; false for one behind the eye. */
bool weft_demo_project(const weft_camera *camera, weft_vec3 point, double width, double height,
                       double *x, double *y);
/* Where the ray meets the plane through `point` that faces the camera. */
weft_vec3 weft_demo_facing(const weft_camera *camera, const weft_ray *ray, weft_vec3 point);

#endif
