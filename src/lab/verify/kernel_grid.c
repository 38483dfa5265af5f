/* kernel_grid.c: contents for the grid and for contact between particles: a cloud of grains,
 * some in one place, on the borders of cells, touching by a bit, or far outside the grid. What a
 * pass finds in the grid and in the lists is made by the reference's passes before it. */
#include <math.h>
#include <string.h>

#include "kernel_data.h"

static const float radius = 0.05f;

/* ---- the cloud ---- */

static void place_specially(weft_rng *rng, uint32_t i, vec4 *x) {
  float w = x[i].w, cell = 2.2f * radius;
  switch (i % 16) {
    case 1: /* in one place, sometimes three of them */
    case 2:
      x[i] = x[i - 1];
      break;
    case 4: /* on the border of a cell */
      x[i].x = cell * (float)(int)(weft_rng_u32(rng) % 9) - 4 * cell;
      break;
    case 6: /* apart by two radii, or a bit more or less */
      x[i] = x[i - 1];
      x[i].y += 2 * radius * weft_rng_float(rng, 1 - 3e-7f, 1 + 3e-7f);
      break;
    case 8: /* as near as two can be */
      x[i] = x[i - 1];
      x[i].z += (float)WEFT_SNAP;
      break;
    case 10:
      x[i] = weft_kernel_vector(rng, w);
      break;
    case 12: /* beyond the grid */
      x[i].x = i % 32 == 12 ? 3e38f : -1e25f;
      break;
    default:
      break;
  }
  x[i].w = w;
}

static vec4 *fill_cloud(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t n = weft_kernel_elements(c);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->inverse_cell = 1 / (2.2f * radius);
  u->contact_reach2 = 4.84f * radius * radius;
  u->contact_distance = 2 * radius;
  u->contact_relaxation = 1.2f;
  u->contact_static = 0.6f;
  u->contact_dynamic = 0.4f;
  u->grid_mask = (uint32_t)(weft_grid_plan_for(n).buckets - 1);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, n);
  vec4 *x_prev = weft_contents_set(contents, WEFT_BUFFER_X_PREV, n);
  float side = 0.9f * radius * cbrtf((float)n);
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = weft_kernel_small_vector(rng, side, weft_kernel_inverse_mass(rng));
    if (i > 1) place_specially(rng, i, x);
    x_prev[i] = i % 5 == 0 ? x[i] : weft_kernel_nearby(rng, x[i]);
  }
  return x;
}

/* ---- what earlier passes leave ---- */

static void set_all(bool lists, uint32_t n, weft_contents *contents) {
  weft_contents_set(contents, WEFT_BUFFER_GRID, weft_grid_plan_for(n).entries);
  static const weft_buffer_id ids[] = {WEFT_BUFFER_GRID_LOOSE,    WEFT_BUFFER_GRID_ITEMS,
                                       WEFT_BUFFER_CONTACTS,      WEFT_BUFFER_CONTACTS_KEPT,
                                       WEFT_BUFFER_CONTACT_FOUND, WEFT_BUFFER_CONTACT_LOAD,
                                       WEFT_BUFFER_CONTACT_DELTA};
  size_t count = lists ? sizeof ids / sizeof *ids : 2;
  for (size_t k = 0; k < count; ++k) weft_contents_set(contents, ids[k], n);
  if (lists) weft_contact_forget(contents->buffers[WEFT_BUFFER_CONTACTS_KEPT].data, n);
}

/* The passes of contact before one of a kind, over all particles, on the reference. */
static void run_up_to(weft_pass_kind end, uint32_t n, weft_contents *contents) {
  weft_pass_list list = {0};
  weft_model model = {.particle_count = n, .radius = radius};
  weft_params params = {.particle_contact = true, .contact_iterations = 1, .iterations = 1};
  weft_solver_pass_list(&model, &params, NULL, &list);
  weft_instance *instance = NULL;
  weft_instance_create(weft_backend_ref(), contents, 0, &instance, NULL);
  for (size_t k = 0; k < list.count && list.items[k].kind != end; ++k) {
    weft_pass_kind kind = list.items[k].kind;
    bool contact = kind >= WEFT_PASS_GRID_CLEAR && kind <= WEFT_PASS_CONTACT_KEEP;
    if (contact) weft_instance_run(instance, &list.items[k], 0);
  }
  for (int id = WEFT_BUFFER_GRID; id <= WEFT_BUFFER_CONTACT_DELTA; ++id) {
    weft_buffer_contents *table = &contents->buffers[id];
    weft_instance_read(instance, (weft_buffer_id)id, table->count, table->data);
  }
  weft_instance_destroy(instance);
  weft_free(list.items);
}

/* Lists for millions of particles exceed a storage block on many drivers: zeros without memory. */
static bool leave_empty(const weft_kernel_case *c, weft_contents *contents) {
  if (!c->sparse) return false;
  uint32_t n = weft_kernel_elements(c);
  for (int id = WEFT_BUFFER_GRID; id <= WEFT_BUFFER_CONTACT_DELTA; ++id) {
    contents->buffers[id].count = id == WEFT_BUFFER_GRID ? weft_grid_plan_for(n).entries : n;
  }
  return true;
}

static void mark_unwritten(weft_buffer_contents *table) {
  uint32_t bits = WEFT_KERNEL_UNWRITTEN;
  char *elements = table->data;
  for (uint64_t k = 0; k < table->count * table->stride / 4; ++k)
    memcpy(elements + 4 * k, &bits, 4);
}

static void fill_from(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  fill_cloud(c, rng, contents);
  bool lists = c->pass.kind >= WEFT_PASS_CONTACT_FIND;
  if (lists && leave_empty(c, contents)) return;
  set_all(lists, weft_kernel_elements(c), contents);
  run_up_to(c->pass.kind, weft_kernel_elements(c), contents);
}

/* ---- a fill for each pass ---- */

void weft_kernel_grid(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  fill_from(c, rng, contents);
}

void weft_kernel_grid_clear(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t n = weft_kernel_elements(c);
  uint32_t *grid = weft_contents_set(contents, WEFT_BUFFER_GRID, n);
  for (uint32_t i = 0; i < n; ++i) grid[i] = weft_rng_u32(rng);
}

/* Blocks and the level above them behind; sums may wrap around, as uints do on both sides. */
void weft_kernel_grid_tree(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint64_t n = weft_kernel_elements(c);
  uint64_t entries = c->pass.level_first + n * WEFT_GRID_BLOCK + n;
  if (c->sparse) {
    contents->buffers[WEFT_BUFFER_GRID].count = entries;
    return;
  }
  uint32_t *grid = weft_contents_set(contents, WEFT_BUFFER_GRID, entries);
  for (uint64_t k = 0; k < entries; ++k) {
    grid[k] = k % 7 == 0 ? weft_rng_u32(rng) : weft_rng_u32(rng) % 4;
  }
}

/* Among what is remembered: partners still there, partners gone, full lists and empty ones. */
void weft_kernel_contact_find(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  fill_from(c, rng, contents);
  if (c->sparse) return;
  uint32_t n = weft_kernel_elements(c);
  run_up_to(WEFT_PASS_KIND_COUNT, n, contents);
  weft_neighbour *kept = contents->buffers[WEFT_BUFFER_CONTACTS_KEPT].data;
  for (uint64_t k = 0; k < (uint64_t)n * WEFT_CONTACT_SLOTS; ++k) {
    vec4 slide = weft_kernel_small_vector(rng, 1e-3f, 0);
    kept[k].slide_x = slide.x, kept[k].slide_y = slide.y, kept[k].slide_z = slide.z;
    bool full = k / WEFT_CONTACT_SLOTS % 9 == 0;
    if (full && kept[k].other == WEFT_CONTACT_NONE) kept[k].other = weft_rng_u32(rng) % n;
  }
  mark_unwritten(&contents->buffers[WEFT_BUFFER_CONTACT_FOUND]);
}

static void remember_slides(weft_rng *rng, weft_contents *contents) {
  weft_buffer_contents *contacts = &contents->buffers[WEFT_BUFFER_CONTACTS];
  weft_neighbour *c = contacts->data;
  for (uint64_t k = 0; k < contacts->count * WEFT_CONTACT_SLOTS; ++k) {
    float size = k % 4 == 0 ? 0 : k % 4 == 1 ? (float)WEFT_FLUSH : 1e-2f;
    vec4 slide = weft_kernel_small_vector(rng, size, 0);
    c[k].slide_x = slide.x, c[k].slide_y = slide.y, c[k].slide_z = slide.z;
  }
}

void weft_kernel_contact_list(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  fill_from(c, rng, contents);
  if (c->sparse) return;
  remember_slides(rng, contents);
  weft_buffer_id out = c->pass.kind == WEFT_PASS_CONTACT_COUNT ? WEFT_BUFFER_CONTACT_LOAD
                                                               : WEFT_BUFFER_CONTACT_DELTA;
  if (c->pass.kind != WEFT_PASS_CONTACT_KEEP) mark_unwritten(&contents->buffers[out]);
}

void weft_kernel_contact_apply(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t n = weft_kernel_elements(c);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, n);
  float *delta = weft_contents_set(contents, WEFT_BUFFER_CONTACT_DELTA, n);
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    vec4 d = weft_kernel_vector(rng, 0);
    float size = i % 3 == 0 ? -1 : 1e-3f; /* back to where it came from, too */
    delta[3 * (size_t)i] = i % 3 == 0 ? size * x[i].x : size * d.x;
    delta[3 * (size_t)i + 1] = exact_flush(size * d.y);
    delta[3 * (size_t)i + 2] = exact_flush(size * d.z);
  }
}
