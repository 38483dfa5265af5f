/* figure_pose.c: bones that turn, a gait, and the skin that follows by linear blend skinning
 * (Magnenat-Thalmann, Laperriere and Thalmann 1988). */
#include <math.h>

#include "base.h"
#include "figure_internal.h"

/* ---- bones ---- */

static weft_vec3d turned(const weft_bone_frame *f, weft_vec3d v) {
  weft_vec3d out = weft_v3d_scale(weft_v3d_at(f->axes[0]), v.x);
  out = weft_v3d_add_scaled(out, v.y, weft_v3d_at(f->axes[1]));
  return weft_v3d_add_scaled(out, v.z, weft_v3d_at(f->axes[2]));
}

static weft_vec3d placed(const weft_bone_frame *f, weft_vec3d p) {
  return weft_v3d_add(turned(f, p), weft_v3d_at(f->origin));
}

static void put(weft_vec3d v, double *p) {
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
}

/* Lean after swing after twist, about a joint. */
static weft_bone_frame about_joint(weft_vec3d joint, double swing, double lean, double twist) {
  weft_bone_frame f;
  for (int k = 0; k < 3; ++k) {
    weft_vec3d axis = weft_v3d(k == 0, k == 1, k == 2);
    axis = weft_v3d_rotate(axis, weft_v3d(0, twist, 0));
    axis = weft_v3d_rotate(axis, weft_v3d(-swing, 0, 0));
    put(weft_v3d_rotate(axis, weft_v3d(0, 0, lean)), f.axes[k]);
  }
  put(weft_v3d_sub(joint, turned(&f, joint)), f.origin);
  return f;
}

static weft_bone_frame after(const weft_bone_frame *outer, const weft_bone_frame *inner) {
  weft_bone_frame f;
  for (int k = 0; k < 3; ++k) put(turned(outer, weft_v3d_at(inner->axes[k])), f.axes[k]);
  put(placed(outer, weft_v3d_at(inner->origin)), f.origin);
  return f;
}

void weft_pose_frames(const weft_pose *pose, weft_bone_frames *frames) {
  weft_bone_frame all = about_joint(weft_v3d(0, 0, 0), 0, 0, (double)pose->turn);
  all.origin[1] -= (double)pose->drop;
  for (int b = 0; b < WEFT_BONE_COUNT; ++b) {
    const weft_joint *joint = weft_joint_of((weft_bone)b);
    weft_vec3d place = weft_v3d_from(joint->place);
    if (weft_bone_is_right((weft_bone)b)) place.x = -place.x;
    weft_bone_frame own =
        about_joint(place, (double)pose->swing[b], (double)pose->lean[b], (double)pose->twist[b]);
    weft_bone parent = weft_bone_parent((weft_bone)b);
    frames->of[b] = after(b == WEFT_BONE_PELVIS ? &all : &frames->of[parent], &own);
  }
}

weft_vec3 weft_pose_point(const weft_bone_frames *frames, weft_bone bone, weft_vec3 point) {
  return weft_v3d_round(placed(&frames->of[bone], weft_v3d_from(point)));
}

float weft_figure_drop(const weft_pose *pose) {
  weft_pose level = *pose;
  weft_bone_frames frames;
  weft_figure_capsule c;
  float lowest = INFINITY;
  level.drop = 0;
  weft_pose_frames(&level, &frames);
  for (uint32_t k = 0; weft_figure_capsule_at(k, &c); ++k) {
    weft_vec3 a = weft_pose_point(&frames, c.bone, c.a), b = weft_pose_point(&frames, c.bone, c.b);
    lowest = fminf(lowest, fminf(a.y, b.y) - c.radius);
  }
  return lowest;
}

/* ---- the skin ---- */

void weft_figure_posed(const weft_figure *figure, const weft_pose *pose, const weft_vec3 *offsets,
                       weft_vec3 *positions) {
  weft_bone_frames frames;
  weft_pose_frames(pose, &frames);
  for (int b = 0; offsets && b < WEFT_BONE_COUNT; ++b) {
    double *origin = frames.of[b].origin;
    put(weft_v3d_add(weft_v3d_at(origin), weft_v3d_from(offsets[b])), origin);
  }
  for (uint32_t v = 0; v < figure->mesh.vertex_count; ++v) {
    const weft_figure_weights *w = &figure->weights[v];
    weft_vec3d rest = weft_v3d_from(figure->mesh.positions[v]), p = {0, 0, 0};
    for (uint32_t k = 0; k < w->count; ++k) {
      p = weft_v3d_add_scaled(p, w->weights[k], placed(&frames.of[w->bones[k]], rest));
    }
    positions[v] = weft_v3d_round(p);
  }
}

/* ---- a walk ---- */

/* An angle over a stride, radians: its mean, and cosine and sine of each harmonic. */
typedef struct curve {
  double mean, cosine[3], sine[3];
} curve;

/* Fitted to the mean of normal gait (Winter 1991, "The biomechanics and motor control of human
 * gait"), from heel strike to heel strike. */
static const curve hip = {0.154, {0.313, -0.039, 0}, {-0.062, -0.035, 0}};
static const curve knee = {0.391, {-0.025, -0.276, -0.012}, {-0.338, 0.089, 0.083}};
static const curve ankle = {-0.002, {-0.006, -0.002, -0.042}, {0.102, -0.109, 0.022}};

static const double stride_seconds = 1.1, ease_seconds = 0.5;
static const double full_turn = 6.283185307179586;

static double at_phase(const curve *c, double phase) {
  double sum = c->mean;
  for (int k = 0; k < 3; ++k) {
    sum += c->cosine[k] * cos((k + 1) * phase) + c->sine[k] * sin((k + 1) * phase);
  }
  return sum;
}

static void walk_leg(weft_pose *pose, int right, double phase, double part) {
  pose->swing[WEFT_BONE_THIGH + right] = (float)(part * at_phase(&hip, phase));
  pose->swing[WEFT_BONE_SHIN + right] = (float)(part * -at_phase(&knee, phase));
  pose->swing[WEFT_BONE_FOOT + right] = (float)(part * at_phase(&ankle, phase));
}

/* Against the leg of its side. */
static void walk_arm(weft_pose *pose, int right, double phase, double part) {
  pose->swing[WEFT_BONE_ARM + right] = (float)(part * (0.05 - 0.32 * cos(phase)));
  pose->swing[WEFT_BONE_FOREARM + right] = (float)(part * (0.22 - 0.16 * cos(phase)));
}

weft_pose weft_figure_walk(double time) {
  double t = fmin(fmax(time / ease_seconds, 0), 1), part = t * t * (3 - 2 * t);
  double phase = full_turn * (fmax(time, 0) / stride_seconds + 0.25);
  weft_pose pose = {0};
  for (int right = 0; right < 2; ++right) {
    double own = phase + right * full_turn / 2;
    walk_leg(&pose, right, own, part);
    walk_arm(&pose, right, own, part);
  }
  pose.twist[WEFT_BONE_PELVIS] = (float)(part * -0.07 * cos(phase));
  pose.twist[WEFT_BONE_CHEST] = (float)(part * 0.13 * cos(phase));
  pose.lean[WEFT_BONE_PELVIS] = (float)(part * 0.04 * sin(phase));
  pose.lean[WEFT_BONE_CHEST] = -pose.lean[WEFT_BONE_PELVIS];
  pose.swing[WEFT_BONE_CHEST] = (float)(part * -0.03);
  pose.drop = weft_figure_drop(&pose);
  return pose;
}
