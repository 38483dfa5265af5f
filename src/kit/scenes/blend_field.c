/* blend_field.c: the distance to tapered capsules that flow into one another. */
#include "blend.h"

static weft_vec3d stretched(const weft_field_part *part, weft_vec3d p) {
  return weft_v3d_add_scaled(p, part->stretch * weft_v3d_dot(part->flat, p), part->flat);
}

static weft_vec3d lower(weft_vec3d a, weft_vec3d b) {
  return weft_v3d(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static weft_vec3d higher(weft_vec3d a, weft_vec3d b) {
  return weft_v3d(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

/* A flattened solid is told to be nearer than it is, at most by its flatness. */
static void bound(const weft_blend_solid *s, double flatness, double seen, weft_field_part *part) {
  weft_vec3d a = weft_v3d_from(s->a), b = weft_v3d_from(s->b);
  double reach = fmax((double)s->radius_a, (double)s->radius_b) + seen / flatness;
  part->low = weft_v3d(fmin(a.x, b.x) - reach, fmin(a.y, b.y) - reach, fmin(a.z, b.z) - reach);
  part->high = weft_v3d(fmax(a.x, b.x) + reach, fmax(a.y, b.y) + reach, fmax(a.z, b.z) + reach);
}

static void make_part(const weft_blend_solid *s, double seen, weft_field_part *part) {
  weft_vec3d flat = weft_v3d_from(s->flat);
  double length = weft_v3d_length(flat), flatness = s->flatness > 0 ? (double)s->flatness : 1;
  part->flat = length > 0 ? weft_v3d_scale(flat, 1 / length) : flat;
  part->stretch = 1 / flatness - 1;
  part->blend = (double)s->blend;
  part->a = stretched(part, weft_v3d_from(s->a));
  weft_vec3d along = weft_v3d_sub(stretched(part, weft_v3d_from(s->b)), part->a);
  part->length = weft_v3d_length(along);
  part->radius = (double)s->radius_a;
  bound(s, flatness, seen, part);
  if (!(part->length > 0)) return;
  part->axis = weft_v3d_scale(along, 1 / part->length);
  part->slope = ((double)s->radius_b - (double)s->radius_a) / part->length;
  part->lean = part->slope / sqrt(fmax(1 - part->slope * part->slope, 1e-12));
}

static void make_limb(const weft_blend_solid *solids, uint32_t count, uint32_t limb, double seen,
                      weft_field *field) {
  weft_field_limb *made = &field->limbs[field->limb_count++];
  *made = (weft_field_limb){.first = field->part_count};
  for (uint32_t k = 0; k < count; ++k) {
    if (solids[k].limb != limb) continue;
    make_part(&solids[k], seen, &field->parts[field->part_count++]);
  }
  made->end = field->part_count;
  if (made->first < made->end) made->blend = field->parts[made->first].blend;
}

/* ---- boxes ---- */

static bool boxes_meet(const weft_field_part *p, const weft_field_part *q, double blend) {
  double by = blend * (2 + p->stretch + q->stretch);
  return p->low.x - by <= q->high.x && q->low.x - by <= p->high.x && p->low.y - by <= q->high.y &&
         q->low.y - by <= p->high.y && p->low.z - by <= q->high.z && q->low.z - by <= p->high.z;
}

/* Over which a part flows into those from first to before end: nothing where none is near. */
static double reach_to(const weft_field *field, uint32_t part, uint32_t first, uint32_t end,
                       double into_limb) {
  const weft_field_part *p = &field->parts[part];
  double reach = 0;
  for (uint32_t k = first; k < end; ++k) {
    const weft_field_part *q = &field->parts[k];
    double blend = into_limb > 0 ? into_limb : k > part ? q->blend : p->blend;
    if (k != part && blend > reach && boxes_meet(p, q, blend)) reach = blend;
  }
  return reach;
}

static double reach_of(const weft_field *field, uint32_t limb, uint32_t part) {
  const weft_field_limb *own = &field->limbs[limb], *trunk = &field->limbs[0];
  double reach = reach_to(field, part, own->first, own->end, 0);
  if (limb > 0) return fmax(reach, reach_to(field, part, trunk->first, trunk->end, own->blend));
  for (uint32_t k = 1; k < field->limb_count; ++k) {
    const weft_field_limb *l = &field->limbs[k];
    reach = fmax(reach, reach_to(field, part, l->first, l->end, l->blend));
  }
  return reach;
}

/* Boxes are as large as what a part flows into asks for, and no larger: most of the time goes into
 * parts whose box holds a point. */
static void widen_boxes(weft_field *field) {
  double *reaches = weft_alloc(field->part_count, sizeof *reaches);
  for (uint32_t k = 0; k < field->limb_count; ++k) {
    const weft_field_limb *limb = &field->limbs[k];
    for (uint32_t p = limb->first; p < limb->end; ++p) reaches[p] = reach_of(field, k, p);
  }
  for (uint32_t k = 0; k < field->limb_count; ++k) {
    weft_field_limb *limb = &field->limbs[k];
    limb->low = weft_v3d(1e9, 1e9, 1e9);
    limb->high = weft_v3d(-1e9, -1e9, -1e9);
    for (uint32_t p = limb->first; p < limb->end; ++p) {
      weft_field_part *part = &field->parts[p];
      double by = reaches[p] * (1 + part->stretch);
      part->low = weft_v3d_sub(part->low, weft_v3d(by, by, by));
      part->high = weft_v3d_add(part->high, weft_v3d(by, by, by));
      limb->low = lower(limb->low, part->low);
      limb->high = higher(limb->high, part->high);
    }
  }
  weft_free(reaches);
}

/* The lowest number of a limb above this one; UINT32_MAX where there is none. */
static uint32_t limb_after(const weft_blend_solid *solids, uint32_t count, uint32_t limb) {
  uint32_t following = UINT32_MAX;
  for (uint32_t k = 0; k < count; ++k) {
    if (solids[k].limb > limb && solids[k].limb < following) following = solids[k].limb;
  }
  return following;
}

void weft_field_make(const weft_blend_solid *solids, uint32_t count, double seen,
                     weft_field *field) {
  *field = (weft_field){.parts = weft_alloc(count, sizeof *field->parts),
                        .limbs = weft_alloc((size_t)count + 1, sizeof *field->limbs)};
  for (uint32_t limb = 0; limb != UINT32_MAX; limb = limb_after(solids, count, limb)) {
    make_limb(solids, count, limb, seen, field);
  }
  widen_boxes(field);
}

void weft_field_free(weft_field *field) {
  weft_free(field->parts);
  weft_free(field->limbs);
}

/* The distance is that to the largest of the balls along the axis, found where the derivative is
 * zero. */
double weft_field_part_at(const weft_field_part *part, weft_vec3d p, weft_vec3d *gradient) {
  weft_vec3d from = weft_v3d_sub(stretched(part, p), part->a);
  double along = weft_v3d_dot(from, part->axis);
  double away = sqrt(fmax(weft_v3d_dot(from, from) - along * along, 0));
  double at = fmin(fmax(along + away * part->lean, 0), part->length);
  weft_vec3d out = weft_v3d_add_scaled(from, -at, part->axis);
  double far = weft_v3d_length(out);
  weft_vec3d way = far > 0 ? weft_v3d_scale(out, 1 / far) : weft_v3d(0, 1, 0);
  way = weft_v3d_add_scaled(way, part->stretch * weft_v3d_dot(part->flat, way), part->flat);
  double steep = weft_v3d_length(way);
  *gradient = weft_v3d_scale(way, 1 / steep);
  return (far - part->radius - at * part->slope) / steep;
}

static bool is_within(weft_vec3d p, weft_vec3d low, weft_vec3d high) {
  return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z &&
         p.z <= high.z;
}

static double limb_at(const weft_field *field, const weft_field_limb *limb, weft_vec3d p,
                      weft_vec3d *gradient) {
  double value = WEFT_FIELD_FAR;
  *gradient = weft_v3d(0, 0, 0);
  if (!is_within(p, limb->low, limb->high)) return value;
  for (uint32_t k = limb->first; k < limb->end; ++k) {
    const weft_field_part *part = &field->parts[k];
    if (!is_within(p, part->low, part->high)) continue;
    weft_vec3d way;
    double row = weft_field_part_at(part, p, &way);
    value = weft_field_join(value, row, part->blend, gradient, &way);
  }
  return value;
}

double weft_field_at(const weft_field *field, weft_vec3d p, weft_vec3d *gradient) {
  weft_vec3d of_trunk;
  double trunk = limb_at(field, &field->limbs[0], p, &of_trunk), value = trunk;
  *gradient = of_trunk;
  for (uint32_t k = 1; k < field->limb_count; ++k) {
    weft_vec3d way, joined = of_trunk;
    double limb = limb_at(field, &field->limbs[k], p, &way);
    double both = weft_field_join(trunk, limb, field->limbs[k].blend, &joined, &way);
    if (!(both < value)) continue;
    value = both;
    *gradient = joined;
  }
  return value;
}
