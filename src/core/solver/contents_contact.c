/* contents_contact.c: the grid, the lists of neighbours and the uniforms of contact between
 * particles.
 */
#include "exact.h"
#include "solver.h"

/* Cells are wider than two radii by this factor, so that neighbours found once a substep include
 * all that corrections bring into contact. */
static const double contact_reach = 1.1;

static void contact_uniforms(float radius, uint64_t buckets, weft_uniforms *u) {
  double reach = 2 * (double)radius * contact_reach;
  u->inverse_cell = (float)(1 / reach);
  u->contact_reach2 = (float)(reach * reach);
  u->contact_distance = 2 * radius;
  u->grid_mask = (uint32_t)(buckets - 1);
}

/* Contact would fight a link that is shorter than two radii. */
static weft_result check_links(const weft_model *model, weft_error *err) {
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    if (group->type != WEFT_CONSTRAINT_DISTANCE || group->sense == WEFT_SENSE_AT_LEAST) continue;
    for (uint32_t i = 0; i < group->count; ++i) {
      if (group->rest[i] >= 1.999f * model->radius) continue;
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "particles %u and %u are linked at %g m and would be kept %g m apart by "
                       "contact: use a smaller radius, or no contact between particles",
                       weft_model_number(model, group->particles[2 * (size_t)i]),
                       weft_model_number(model, group->particles[2 * (size_t)i + 1]),
                       (double)group->rest[i], 2 * (double)model->radius);
    }
  }
  return WEFT_OK;
}

weft_result weft_contact_fill(const weft_model *model, const weft_params *params,
                              weft_contents *contents, weft_error *err) {
  if (!weft_contact_active(model, params)) return WEFT_OK;
  uint64_t n = model->particle_count;
  weft_grid_plan plan = weft_grid_plan_for(model->particle_count);
  if (n * WEFT_CONTACT_SLOTS > UINT32_MAX || plan.entries > UINT32_MAX) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "contact between %u particles needs more than 2^32 entries; at most %u can "
                     "keep each other away",
                     model->particle_count, UINT32_MAX / WEFT_CONTACT_SLOTS);
  }
  contact_uniforms(model->radius, plan.buckets, contents->buffers[WEFT_BUFFER_UNIFORMS].data);
  weft_contents_set(contents, WEFT_BUFFER_GRID, plan.entries);
  weft_contents_set(contents, WEFT_BUFFER_GRID_LOOSE, n);
  weft_contents_set(contents, WEFT_BUFFER_GRID_ITEMS, n);
  weft_contents_set(contents, WEFT_BUFFER_CONTACTS, n);
  weft_contact_forget(weft_contents_set(contents, WEFT_BUFFER_CONTACTS_KEPT, n), n);
  weft_contents_set(contents, WEFT_BUFFER_CONTACT_FOUND, n);
  weft_contents_set(contents, WEFT_BUFFER_CONTACT_LOAD, n);
  weft_contents_set(contents, WEFT_BUFFER_CONTACT_DELTA, n);
  return check_links(model, err);
}
