/* lanes_far.h: passes/self_find_patches.h in vectors: eight patches in a row go down the tree
 * together, then each of them is compared with eight others at a time. A part of lanes_kernels.h.
 */

enum { EIGHT = WEFT_SELF_FAN, LEVELS = 11 };

/* A walk of eight patches of a part through its tree, whose boxes are arrays. */
typedef struct walk {
  weft_self_run *run;
  const float *tree; /* of this part */
  size_t stride;
  uint32_t part, levels;
  uint32_t first[LEVELS], count[LEVELS]; /* nodes of a level */
  uint32_t group, begin, end;            /* these patches */
  float reach;
  self_box box;
  twos found;
} walk;

/* Boxes of all nodes, component by component. */
LANE void split_tree(const weft_self_run *run, float *tree, size_t stride) {
  uint32_t nodes = run->u->self_nodes * run->cache->parts, rows[WEFT_LANES];
  for (uint32_t k = 0; k < nodes; k += WEFT_LANES) {
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      uint32_t node = k + l < nodes ? k + l : nodes - 1;
      rows[l] = node * (uint32_t)sizeof(weft_self_node);
    }
    self_box box = load_boxes(run->nodes, rows);
    const v3 parts[4] = {box.low, box.high, box.move_low, box.move_high};
    for (int p = 0; p < 4; ++p) store_split(&tree[3 * (size_t)p * stride + k], stride, parts[p]);
  }
}

LANE self_box boxes_from(const walk *w, uint32_t node) {
  v3 parts[4];
  for (int p = 0; p < 4; ++p) {
    parts[p] = load_three(&w->tree[3 * (size_t)p * w->stride + node], w->stride);
  }
  return (self_box){parts[0], parts[1], parts[2], parts[3]};
}

LANE self_box box_everywhere(const walk *w, uint32_t node) {
  v3 parts[4];
  for (size_t p = 0; p < 4; ++p) {
    const float *at = &w->tree[3 * p * w->stride + node];
    parts[p] = (v3){all(at[0]), all(at[w->stride]), all(at[2 * w->stride])};
  }
  return (self_box){parts[0], parts[1], parts[2], parts[3]};
}

/* Bits of eight nodes of a level, from number k on, that meet a box. */
LANE uint32_t nodes_that_meet(const walk *w, uint32_t level, uint32_t k, self_box box, vf reach) {
  uint32_t bits = 0, left = w->count[level] - k;
  for (uint32_t l = 0; l < EIGHT && l < left; l += WEFT_LANES) {
    bits |= signs(self_boxes_meet(box, boxes_from(w, w->first[level] + k + l), reach)) << l;
  }
  return bits & ((1u << (left < EIGHT ? left : EIGHT)) - 1);
}

static bool are_beside(const weft_self_run *run, uint32_t patch, uint32_t other) {
  const weft_self_patch *of = &run->patches[patch];
  const weft_self_adjacent *beside = &run->beside[of->beside_first];
  for (uint32_t k = 0; k < of->beside_count; ++k) {
    if (beside[k].second == other) return true;
  }
  return false;
}

/* Patches of this group against those behind them of another one. */
LANE void compare_groups(walk *w, uint32_t group) {
  uint32_t open = (1u << EIGHT) - 1, before = w->part * w->run->u->self_patches;
  if (group != w->group) {
    self_box other = box_everywhere(w, w->first[1] + group);
    open = nodes_that_meet(w, 0, EIGHT * w->group, other, all(w->reach));
  }
  for (; open; open &= open - 1) {
    uint32_t own = EIGHT * w->group + (uint32_t)__builtin_ctz(open);
    if (own < w->begin || own >= w->end || w->run->patches[before + own].body) continue;
    vf reach = all(w->run->patches[before + own].reach);
    uint32_t met = nodes_that_meet(w, 0, EIGHT * group, box_everywhere(w, own), reach);
    if (group == w->group) met &= ~0u << (own % EIGHT + 1);
    for (; met; met &= met - 1) {
      uint32_t other = before + EIGHT * group + (uint32_t)__builtin_ctz(met);
      if (are_beside(w->run, before + own, other)) continue;
      add_two(w->run, &w->found, (weft_self_two){before + own, other});
    }
  }
}

/* Down from a node to all groups from this one on that it meets. */
LANE void walk_down(walk *w) {
  struct {
    uint32_t level, index;
  } open[EIGHT * LEVELS];
  uint32_t count = 0;
  open[count].level = w->levels - 1;
  open[count++].index = 0;
  while (count) {
    uint32_t level = open[--count].level, index = open[count].index;
    if (level == 1) {
      compare_groups(w, index);
      continue;
    }
    uint32_t met = nodes_that_meet(w, level - 1, EIGHT * index, w->box, all(w->reach));
    for (; met; met &= met - 1) {
      uint32_t child = EIGHT * index + (uint32_t)__builtin_ctz(met);
      if (((child + 1) << 3 * (level - 2)) <= w->group) continue; /* all lie before */
      open[count].level = level - 1;
      open[count++].index = child;
    }
  }
}

LANE void walk_group(walk *w) {
  w->reach = 0;
  for (uint32_t k = w->begin; k < w->end; ++k) {
    float reach = w->run->patches[w->part * w->run->u->self_patches + k].reach;
    if (w->reach < reach) w->reach = reach;
  }
  w->box = box_everywhere(w, w->first[1] + w->group);
  walk_down(w);
}

LANE void begin_walk(weft_self_run *run, walk *w) {
  weft_self_tree *tree = &run->cache->trees[run->member];
  w->run = run;
  w->stride = run->cache->tree_stride;
  if (tree->stamp != run->stamp) split_tree(run, tree->boxes, w->stride);
  tree->stamp = run->stamp;
  w->found.count = w->levels = 0;
  w->found.patches = true;
  for (uint32_t left = run->u->self_patches, at = 0;; left = (left - 1) / EIGHT + 1) {
    w->first[w->levels] = at;
    w->count[w->levels++] = left;
    at += left;
    if (left == 1) break;
  }
}

static void self_find_patches(weft_self_run *run, uint32_t first, uint32_t count) {
  walk w;
  begin_walk(run, &w);
  uint32_t patches = run->u->self_patches, end = first + count;
  for (uint32_t k = first; w.levels > 1 && k < end; k += w.end - w.begin) {
    w.part = k / patches;
    uint32_t before = w.part * patches, last = before + patches;
    w.tree = run->cache->trees[run->member].boxes + (size_t)w.part * run->u->self_nodes;
    w.begin = k - before;
    w.group = w.begin / EIGHT;
    w.end = EIGHT * (w.group + 1);
    if (w.end > (end < last ? end : last) - before) w.end = (end < last ? end : last) - before;
    if (w.found.count && w.found.part != w.part) list_twos(run, &w.found);
    w.found.part = w.part;
    walk_group(&w);
  }
  if (w.found.count) list_twos(run, &w.found);
}
