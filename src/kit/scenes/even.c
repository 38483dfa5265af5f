/* even.c: triangles of even size and shape on the surface of a field: long edges are split, short
 * ones collapsed, edges flipped towards six at a vertex, and vertices moved along the surface to
 * the middle of their neighbours (Botsch and Kobbelt 2004, "A remeshing approach to multiresolution
 * modeling"). Instead of an older mesh it is the field that vertices are kept on. */
#include "blend.h"
#include "fewer.h"

enum { ROUNDS = 5, LAST_STEPS = 6 };
static const double longest = 4.0 / 3, shortest = 4.0 / 5; /* by the edge wanted */

typedef struct work {
  weft_surface *s;
  const weft_field *field;
  double edge;
  double facing;      /* square of the cosine of the angle by which a triangle may turn */
  uint32_t *valences; /* [vertex_capacity] */
  size_t valence_capacity;
} work;

/* ---- half-edges ---- */

static uint32_t next(uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
static uint32_t last(uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
static uint32_t from(const weft_surface *s, uint32_t h) { return s->corners[h]; }
static uint32_t to(const weft_surface *s, uint32_t h) { return s->corners[next(h)]; }
static uint32_t across(const weft_surface *s, uint32_t h) { return s->corners[last(h)]; }
/* The next one that leaves the same vertex. */
static uint32_t turned(const weft_surface *s, uint32_t h) { return s->twins[last(h)]; }
static bool is_gone(const weft_surface *s, uint32_t h) {
  return s->corners[h - h % 3] == WEFT_SURFACE_NONE;
}
static weft_vec3d place(const weft_surface *s, uint32_t vertex) { return s->positions[vertex]; }
static double length_of(const weft_surface *s, uint32_t h) {
  return weft_v3d_distance(place(s, from(s, h)), place(s, to(s, h)));
}

static void link(weft_surface *s, uint32_t h, uint32_t g) {
  s->twins[h] = g;
  s->twins[g] = h;
}

/* The half-edges that leave each vertex, from starts[v] on. */
static void leaving(const weft_surface *s, uint32_t *starts, uint32_t *items) {
  uint32_t count = 3 * s->triangle_count;
  for (uint32_t h = 0; h < count; ++h) ++starts[from(s, h) + 2];
  for (uint32_t v = 0; v < s->vertex_count; ++v) starts[v + 2] += starts[v + 1];
  for (uint32_t h = 0; h < count; ++h) items[starts[from(s, h) + 1]++] = h;
}

bool weft_surface_join(weft_surface *s) {
  uint32_t count = 3 * s->triangle_count;
  bool closed = true;
  uint32_t *starts = weft_alloc((size_t)s->vertex_count + 2, sizeof *starts);
  uint32_t *items = weft_alloc(count, sizeof *items);
  leaving(s, starts, items);
  for (uint32_t h = 0; h < count && closed; ++h) {
    uint32_t back = 0, same = 0, a = from(s, h), b = to(s, h);
    for (uint32_t k = starts[a]; k < starts[a + 1]; ++k) same += to(s, items[k]) == b;
    for (uint32_t k = starts[b]; k < starts[b + 1]; ++k) {
      if (to(s, items[k]) != a) continue;
      s->twins[h] = items[k];
      ++back;
    }
    closed = back == 1 && same == 1;
  }
  weft_free(starts);
  weft_free(items);
  return closed;
}

static bool are_joined(const weft_surface *s, uint32_t h, uint32_t vertex) {
  uint32_t g = h;
  do {
    if (to(s, g) == vertex) return true;
    g = turned(s, g);
  } while (g != h);
  return false;
}

/* ---- onto the surface ---- */

/* By steps of Newton's method along the gradient. */
static weft_vec3d on_surface(const work *w, weft_vec3d p, int steps, weft_vec3d *normal) {
  for (int k = 0; k < steps; ++k) {
    double value = weft_field_at(w->field, p, normal);
    double steep = weft_v3d_dot(*normal, *normal);
    if (!(steep > 1e-6) || fabs(value) > 4 * w->edge) return p;
    p = weft_v3d_add_scaled(p, -value / steep, *normal);
    *normal = weft_v3d_scale(*normal, 1 / sqrt(steep));
    if (fabs(value) < 1e-7 * w->edge) return p;
  }
  return p;
}

/* ---- what changes triangles ---- */

static weft_vec3d twice_area(weft_vec3d a, weft_vec3d b, weft_vec3d c) {
  return weft_v3d_cross(weft_v3d_sub(b, a), weft_v3d_sub(c, a));
}

/* Whether a triangle looks about the same way after one of its corners has moved. */
static bool keeps_facing(const work *w, weft_vec3d before, weft_vec3d after) {
  double along = weft_v3d_dot(before, after);
  double square = weft_v3d_dot(before, before) * weft_v3d_dot(after, after);
  return along > 0 && along * along > w->facing * square;
}

static uint32_t add_triangle(weft_surface *s, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t h = 3 * s->triangle_count++;
  size_t capacity = s->triangle_capacity;
  weft_grow((void **)&s->corners, &s->triangle_capacity, (size_t)h + 3, sizeof *s->corners);
  if (capacity != s->triangle_capacity) {
    s->twins = weft_realloc(s->twins, s->triangle_capacity, sizeof *s->twins);
  }
  s->corners[h] = a;
  s->corners[h + 1] = b;
  s->corners[h + 2] = c;
  return h;
}

static uint32_t add_vertex(work *w, weft_vec3d p) {
  weft_surface *s = w->s;
  uint32_t v = s->vertex_count++;
  weft_grow((void **)&s->positions, &s->vertex_capacity, s->vertex_count, sizeof *s->positions);
  weft_grow((void **)&w->valences, &w->valence_capacity, s->vertex_count, sizeof *w->valences);
  s->positions[v] = p;
  return v;
}

static void split(work *w, uint32_t h) {
  weft_surface *s = w->s;
  uint32_t g = s->twins[h], b = to(s, h), c = across(s, h), d = across(s, g);
  uint32_t beyond_bc = s->twins[next(h)], beyond_db = s->twins[last(g)];
  weft_vec3d middle = weft_v3d_scale(weft_v3d_add(place(s, from(s, h)), place(s, to(s, h))), 0.5);
  uint32_t m = add_vertex(w, middle);
  s->corners[next(h)] = m;
  s->corners[g] = m;
  uint32_t n = add_triangle(s, m, b, c), o = add_triangle(s, b, m, d);
  link(s, n + 1, beyond_bc);
  link(s, o + 2, beyond_db);
  link(s, next(h), n + 2);
  link(s, last(g), o + 1);
  link(s, n, o);
  w->valences[m] = 4;
  ++w->valences[c];
  ++w->valences[d];
}

static void flip(work *w, uint32_t h) {
  weft_surface *s = w->s;
  uint32_t g = s->twins[h], a = from(s, h), b = to(s, h), c = across(s, h), d = across(s, g);
  uint32_t hn = next(h), hl = last(h), gn = next(g), gl = last(g);
  uint32_t beyond[] = {s->twins[hn], s->twins[hl], s->twins[gn], s->twins[gl]};
  s->corners[h] = d, s->corners[hn] = c, s->corners[hl] = a;
  s->corners[g] = c, s->corners[gn] = d, s->corners[gl] = b;
  link(s, hn, beyond[1]);
  link(s, hl, beyond[2]);
  link(s, gn, beyond[3]);
  link(s, gl, beyond[0]);
  --w->valences[a], --w->valences[b];
  ++w->valences[c], ++w->valences[d];
}

/* Its beginning becomes its end. */
static void collapse(work *w, uint32_t h) {
  weft_surface *s = w->s;
  uint32_t g = s->twins[h], a = from(s, h), b = to(s, h), c = across(s, h), d = across(s, g);
  uint32_t beyond[] = {s->twins[next(h)], s->twins[last(h)], s->twins[next(g)], s->twins[last(g)]};
  uint32_t k = h;
  do {
    s->corners[k] = b;
    k = turned(s, k);
  } while (k != h);
  link(s, beyond[0], beyond[1]);
  link(s, beyond[2], beyond[3]);
  s->corners[h - h % 3] = s->corners[g - g % 3] = WEFT_SURFACE_NONE;
  w->valences[b] += w->valences[a] - 4;
  w->valences[a] = 0;
  --w->valences[c], --w->valences[d];
}

/* ---- whether it may ---- */

/* Triangles around the beginning of h, the two at h left out, with that corner at p. */
static bool fits(const work *w, uint32_t h, weft_vec3d p) {
  const weft_surface *s = w->s;
  uint32_t g = turned(s, h), left_out = s->twins[h];
  for (; g != h; g = turned(s, g)) {
    weft_vec3d b = place(s, to(s, g)), c = place(s, across(s, g));
    if (weft_v3d_distance(p, b) > longest * w->edge) return false;
    if (g / 3 == left_out / 3) continue;
    if (!keeps_facing(w, twice_area(place(s, from(s, g)), b, c), twice_area(p, b, c))) return false;
  }
  return true;
}

/* Only the two corners across may be neighbours of both, or the surface would close up. */
static bool may_join(const work *w, uint32_t h) {
  const weft_surface *s = w->s;
  uint32_t g = s->twins[h], both = 0;
  if (w->valences[across(s, h)] < 5 || w->valences[across(s, g)] < 5) return false;
  for (uint32_t k = turned(s, h); k != h; k = turned(s, k)) both += are_joined(s, g, to(s, k));
  return both == 2;
}

static double off_six(uint32_t valence) {
  double off = (double)valence - 6;
  return off * off;
}

static bool is_better_flipped(const work *w, uint32_t h) {
  const weft_surface *s = w->s;
  uint32_t g = s->twins[h], a = from(s, h), b = to(s, h), c = across(s, h), d = across(s, g);
  const uint32_t *n = w->valences;
  if (n[a] < 5 || n[b] < 5 || are_joined(s, last(h), d)) return false;
  double now = off_six(n[a]) + off_six(n[b]) + off_six(n[c]) + off_six(n[d]);
  double then = off_six(n[a] - 1) + off_six(n[b] - 1) + off_six(n[c] + 1) + off_six(n[d] + 1);
  if (!(then < now)) return false;
  weft_vec3d p = place(s, a), q = place(s, b), r = place(s, c), t = place(s, d);
  weft_vec3d before = weft_v3d_add(twice_area(p, q, r), twice_area(q, p, t));
  return keeps_facing(w, before, twice_area(p, t, r)) &&
         keeps_facing(w, before, twice_area(t, q, r));
}

/* ---- rounds ---- */

static void split_long(work *w) {
  for (uint32_t h = 0, count = 3 * w->s->triangle_count; h < count; ++h) {
    if (!is_gone(w->s, h) && length_of(w->s, h) > longest * w->edge) split(w, h);
  }
}

static void collapse_short(work *w) {
  weft_surface *s = w->s;
  for (uint32_t h = 0; h < 3 * s->triangle_count; ++h) {
    if (is_gone(s, h) || length_of(s, h) >= shortest * w->edge || !may_join(w, h)) continue;
    uint32_t g = s->twins[h], b = to(s, h);
    weft_vec3d unused,
        middle = weft_v3d_scale(weft_v3d_add(place(s, from(s, h)), place(s, b)), 0.5);
    middle = on_surface(w, middle, 1, &unused);
    if (!fits(w, h, middle) || !fits(w, g, middle)) continue;
    collapse(w, h);
    s->positions[b] = middle;
  }
}

static void flip_uneven(work *w) {
  for (uint32_t h = 0; h < 3 * w->s->triangle_count; ++h) {
    if (!is_gone(w->s, h) && is_better_flipped(w, h)) flip(w, h);
  }
}

/* Along the surface, by the normals of where vertices were before. */
static void smooth(work *w, weft_vec3d *sums, weft_vec3d *normals) {
  weft_surface *s = w->s;
  memset(sums, 0, s->vertex_count * sizeof *sums);
  for (uint32_t h = 0; h < 3 * s->triangle_count; ++h) {
    if (!is_gone(s, h)) sums[from(s, h)] = weft_v3d_add(sums[from(s, h)], place(s, to(s, h)));
  }
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    if (w->valences[v] == 0) continue;
    weft_vec3d p = place(s, v), middle = weft_v3d_scale(sums[v], 1.0 / w->valences[v]);
    weft_vec3d way = weft_v3d_sub(middle, p);
    way = weft_v3d_add_scaled(way, -weft_v3d_dot(way, normals[v]), normals[v]);
    s->positions[v] = on_surface(w, weft_v3d_add_scaled(p, 0.7, way), 1, &normals[v]);
  }
}

/* Vertices onto the surface and, twice, to the middle of their neighbours. */
static void relax(work *w) {
  weft_surface *s = w->s;
  weft_vec3d *sums = weft_alloc(s->vertex_count, sizeof *sums);
  weft_vec3d *normals = weft_alloc(s->vertex_count, sizeof *normals);
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    if (w->valences[v] > 0) s->positions[v] = on_surface(w, place(s, v), 1, &normals[v]);
  }
  for (int k = 0; k < 2; ++k) smooth(w, sums, normals);
  weft_free(sums);
  weft_free(normals);
}

static void count_valences(work *w) {
  const weft_surface *s = w->s;
  weft_grow((void **)&w->valences, &w->valence_capacity, s->vertex_count, sizeof *w->valences);
  memset(w->valences, 0, s->vertex_count * sizeof *w->valences);
  for (uint32_t h = 0; h < 3 * s->triangle_count; ++h) {
    if (!is_gone(s, h)) ++w->valences[from(s, h)];
  }
}

void weft_surface_even(weft_surface *surface, const weft_field *field, double edge) {
  work w = {.s = surface, .field = field, .edge = edge, .facing = 0.25};
  surface->twins = weft_alloc(surface->triangle_capacity, sizeof *surface->twins);
  WEFT_CHECK(weft_surface_join(surface), "a surface of marching tetrahedra is closed");
  for (int round = 0; round < ROUNDS; ++round) {
    count_valences(&w);
    split_long(&w);
    collapse_short(&w);
    flip_uneven(&w);
    relax(&w);
  }
  weft_vec3d unused;
  for (uint32_t v = 0; v < surface->vertex_count; ++v) {
    surface->positions[v] = on_surface(&w, place(surface, v), LAST_STEPS, &unused);
  }
  weft_free(w.valences);
}

/* ---- fewer ---- */

static void thin_out(work *w) {
  const weft_surface *s = w->s;
  for (uint32_t h = 0; h < 3 * s->triangle_count; ++h) {
    if (is_gone(s, h) || length_of(s, h) >= w->edge || !may_join(w, h)) continue;
    if (fits(w, h, place(s, to(s, h)))) collapse(w, h);
  }
}

static void take_triangles(const weft_surface *s, uint32_t **triangles, uint32_t *count) {
  *count = 0;
  *triangles = weft_alloc(3 * (size_t)s->triangle_count, sizeof **triangles);
  for (uint32_t h = 0; h < 3 * s->triangle_count; h += 3) {
    if (is_gone(s, h)) continue;
    memcpy(*triangles + 3 * (size_t)(*count)++, s->corners + h, 3 * sizeof **triangles);
  }
}

void weft_mesh_fewer(const weft_mesh *mesh, double edge, uint32_t **triangles, uint32_t *count) {
  enum { STEPS = 5 };
  size_t corners = 3 * (size_t)mesh->triangle_count;
  weft_surface s = {.vertex_count = mesh->vertex_count,
                    .triangle_count = mesh->triangle_count,
                    .positions = weft_alloc(mesh->vertex_count, sizeof *s.positions),
                    .corners = weft_alloc(corners, sizeof *s.corners),
                    .twins = weft_alloc(corners, sizeof *s.twins)};
  for (uint32_t v = 0; v < s.vertex_count; ++v) {
    s.positions[v] = weft_v3d_from(mesh->positions[v]);
  }
  memcpy(s.corners, mesh->triangles, corners * sizeof *s.corners);
  work w = {.s = &s, .facing = 0.88};
  if (weft_surface_join(&s)) {
    count_valences(&w);
    for (int k = 1; k <= STEPS; ++k) {
      w.edge = edge * k / STEPS;
      thin_out(&w);
    }
  }
  take_triangles(&s, triangles, count);
  weft_free(s.positions);
  weft_free(s.corners);
  weft_free(s.twins);
  weft_free(w.valences);
}
