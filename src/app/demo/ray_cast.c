/* ray_cast.c: rays against spheres, capsules, boxes and triangles. */
#include "ray_cast.h"

#include <math.h>

#include "inspect.h"
#include "vec3d.h"

static weft_vec3 point(vec4 v) { return weft_v3(v.x, v.y, v.z); }

static float nearer(float a, float b) {
  if (a < 0 || b < 0) return fmaxf(a, b);
  return fminf(a, b);
}

/* The ray comes from `at` with unit direction `way`; both seen from the centre. */
static float touch_ball(weft_vec3 at, weft_vec3 way, float radius) {
  float half = weft_v3_dot(at, way), rest = weft_v3_dot(at, at) - radius * radius;
  float root = half * half - rest;
  return root < 0 || rest < 0 ? -1 : -half - sqrtf(root);
}

/* Around an axis of unit direction through the origin, as far as `length` along it. */
static float touch_tube(weft_vec3 at, weft_vec3 way, weft_vec3 axis, float length, float radius) {
  weft_vec3 off = weft_v3_sub(at, weft_v3_scale(axis, weft_v3_dot(at, axis)));
  weft_vec3 go = weft_v3_sub(way, weft_v3_scale(axis, weft_v3_dot(way, axis)));
  float a = weft_v3_dot(go, go), half = weft_v3_dot(off, go);
  float root = half * half - a * (weft_v3_dot(off, off) - radius * radius);
  if (!(a > 1e-12f) || root < 0) return -1;
  float t = (-half - sqrtf(root)) / a;
  float along = weft_v3_dot(at, axis) + t * weft_v3_dot(way, axis);
  return along >= 0 && along <= length ? t : -1;
}

static float touch_capsule(weft_vec3 at, weft_vec3 way, weft_vec3 a, weft_vec3 b, float radius) {
  weft_vec3 from_a = weft_v3_sub(at, a), axis = weft_v3_sub(b, a);
  float length = weft_v3_length(axis);
  float ends = nearer(touch_ball(from_a, way, radius), touch_ball(weft_v3_sub(at, b), way, radius));
  if (!(length > 0)) return ends;
  axis = weft_v3_scale(axis, 1 / length);
  return nearer(ends, touch_tube(from_a, way, axis, length, radius));
}

/* Between three pairs of planes (Kay and Kajiya 1986), in the box's own frame. */
static float touch_box(const weft_collider_pose *pose, weft_vec3 at, weft_vec3 way) {
  const weft_vec3 axes[] = {point(pose->axis_x), point(pose->axis_y), point(pose->axis_z)};
  const float half[] = {pose->b.x, pose->b.y, pose->b.z};
  weft_vec3 from = weft_v3_sub(at, point(pose->a));
  float enter = 0, leave = INFINITY;
  for (int k = 0; k < 3; ++k) {
    float x = weft_v3_dot(from, axes[k]), v = weft_v3_dot(way, axes[k]);
    if (fabsf(v) < 1e-9f) {
      if (fabsf(x) > half[k]) return -1;
      continue;
    }
    float t0 = (-half[k] - x) / v, t1 = (half[k] - x) / v;
    enter = fmaxf(enter, fminf(t0, t1));
    leave = fminf(leave, fmaxf(t0, t1));
  }
  return enter > 0 && enter <= leave ? enter : -1;
}

float weft_demo_ray_cast(const weft_collider *c, double time, const weft_ray *ray) {
  weft_collider_pose pose = weft_collider_pose_at(c, time, time, 0);
  weft_vec3 way = weft_v3_scale(ray->direction, 1 / weft_v3_length(ray->direction));
  const weft_shape_info *shape = &weft_shape_infos[c->shape];
  switch (shape->size) {
    case WEFT_SHAPE_RADIUS:
      if (shape->axis) {
        return touch_capsule(ray->origin, way, point(pose.a), point(pose.b), c->radius);
      }
      return touch_ball(weft_v3_sub(ray->origin, point(pose.a)), way, c->radius);
    case WEFT_SHAPE_HALF:
      return touch_box(&pose, ray->origin, way);
    case WEFT_SHAPE_ENDLESS:
      break;
  }
  return -1;
}

/* Moeller and Trumbore 1997. In doubles: rounding leaves no gap beside an edge that is seen. */
static double touch_triangle(weft_vec3d from, weft_vec3d way, const weft_vec3d corner[3]) {
  weft_vec3d ab = weft_v3d_sub(corner[1], corner[0]), ac = weft_v3d_sub(corner[2], corner[0]);
  weft_vec3d across = weft_v3d_cross(way, ac), off = weft_v3d_sub(from, corner[0]);
  double volume = weft_v3d_dot(ab, across);
  if (volume == 0) return -1;
  double u = weft_v3d_dot(off, across) / volume;
  weft_vec3d turned = weft_v3d_cross(off, ab);
  double v = weft_v3d_dot(way, turned) / volume;
  return u >= 0 && v >= 0 && u + v <= 1 ? weft_v3d_dot(ac, turned) / volume : -1;
}

float weft_demo_ray_cast_mesh(const weft_mesh *mesh, const weft_vec3 *positions,
                              const weft_ray *ray) {
  weft_vec3d from = weft_v3d_from(ray->origin), way = weft_v3d_from(ray->direction);
  double length = weft_v3d_length(way), first = INFINITY;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    weft_vec3d corner[3];
    for (int k = 0; k < 3; ++k)
      corner[k] = weft_v3d_from(positions[mesh->triangles[3 * t + (size_t)k]]);
    double far = touch_triangle(from, way, corner);
    if (far >= 0 && far < first) first = far;
  }
  return isinf(first) ? -1 : (float)(first * length);
}
