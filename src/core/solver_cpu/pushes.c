/* pushes.c: what pushes of self-collision keep for each other. */
#include "pushes.h"

#include <string.h>

#include "base.h"
#include "lanes.h"

/* A list that ran over is as long as its room. */
static uint32_t table_size(uint32_t count) {
  uint32_t size = 64;
  while (size < 2 * (uint64_t)count && size < 1u << 30) size *= 2;
  return size;
}

void weft_pushes_create(weft_pushes *pushes, const weft_memory *memory, uint32_t members) {
  *pushes = (weft_pushes){.members = members};
  pushes->particles = (uint32_t)(memory->bytes[WEFT_BUFFER_X] / sizeof(vec4));
  size_t pairs = memory->bytes[WEFT_BUFFER_SELF_PAIRS] / sizeof(uvec4);
  size_t lanes = pairs + 3 * (size_t)members * WEFT_LANES_MAX;
  pushes->words = weft_alloc_lines(lanes * WEFT_PUSH_WORDS, sizeof *pushes->words);
  for (uint32_t m = 1; m < members; ++m) {
    pushes->sums[m] = weft_alloc_lines((size_t)pushes->particles * 4, sizeof *pushes->sums[m]);
  }
  size_t kept = memory->bytes[WEFT_BUFFER_SELF_CACHE] / sizeof(weft_self_cached);
  pushes->table = weft_alloc(table_size((uint32_t)kept), sizeof *pushes->table);
}

void weft_pushes_free(weft_pushes *pushes) {
  weft_free(pushes->words);
  for (uint32_t m = 1; m < pushes->members; ++m) weft_free(pushes->sums[m]);
  weft_free(pushes->table);
  *pushes = (weft_pushes){0};
}

static void forget_chunk(weft_push_chunk *chunk) {
  __atomic_store_n(&chunk->known, false, __ATOMIC_RELAXED);
}

void weft_pushes_forget(weft_pushes *pushes) {
  for (uint32_t m = 0; m < pushes->members; ++m) forget_chunk(&pushes->chunks[m]);
}

/* In lanes. The last blocks of either kind are not full. */
static size_t begin_of(uint32_t member, uint32_t first) {
  return first + (size_t)3 * WEFT_LANES_MAX * member;
}

static size_t end_of(uint32_t member, uint32_t first, uint32_t count) {
  return begin_of(member, first) + count + 2 * WEFT_LANES_MAX;
}

/* Members that a pass shares a list among have blocks apart. Where those of another member lie in
 * the way, the list was shared out otherwise then: they are forgotten. */
weft_push_chunk *weft_pushes_begin(weft_pushes *pushes, uint32_t member, uint32_t first,
                                   uint32_t count) {
  size_t begin = begin_of(member, first), end = end_of(member, first, count);
  for (uint32_t m = 0; m < pushes->members; ++m) {
    weft_push_chunk *other = &pushes->chunks[m];
    bool before = end_of(m, other->first, other->count) <= begin;
    if (m != member && !before && begin_of(m, other->first) < end) forget_chunk(other);
  }
  weft_push_chunk *chunk = &pushes->chunks[member];
  *chunk = (weft_push_chunk){.first = first, .count = count, .known = true};
  chunk->words = pushes->words + begin * WEFT_PUSH_WORDS;
  return chunk;
}

void weft_pushes_wrote(weft_pushes *pushes) {
  weft_pushes_forget(pushes);
  if (pushes->mask) memset(pushes->table, 0, ((size_t)pushes->mask + 1) * sizeof *pushes->table);
  pushes->mask = 0;
  pushes->entered = false;
}

void weft_pushes_settle(weft_pushes *pushes, const weft_memory *memory) {
  if (!pushes->apart) return;
  uint32_t *whole = (void *)memory->payload[WEFT_BUFFER_SELF_CORRECTIONS];
  for (uint32_t m = 1; m < pushes->members; ++m) {
    for (size_t k = 0; k < (size_t)pushes->particles * 4; ++k) whole[k] += pushes->sums[m][k];
    memset(pushes->sums[m], 0, (size_t)pushes->particles * 4 * sizeof *whole);
  }
  pushes->apart = false;
}

/* ---- what friction remembers ---- */

static uint64_t hash_of(uvec4 pair) {
  uint64_t a = pair.x | (uint64_t)pair.y << 32, b = pair.z | (uint64_t)pair.w << 32;
  uint64_t h = a * 0x9e3779b97f4a7c15u + (b ^ b >> 29) * 0xc2b2ae3d27d4eb4fu;
  h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
  return h ^ h >> 32;
}

static bool same_pair(uvec4 a, uvec4 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

void weft_pushes_enter(weft_pushes *pushes, const weft_memory *memory, uint32_t first,
                       uint32_t count, uint32_t all) {
  const weft_self_cached *kept = (const void *)memory->payload[WEFT_BUFFER_SELF_CACHE];
  uint32_t mask = table_size(all) - 1;
  __atomic_store_n(&pushes->mask, mask, __ATOMIC_RELAXED); /* the same by all members */
  __atomic_store_n(&pushes->entered, true, __ATOMIC_RELAXED);
  for (uint32_t k = first; k < first + count; ++k) {
    uint64_t hash = hash_of(kept[k].pair), entry = (hash & ~(uint64_t)UINT32_MAX) | (k + 1);
    for (uint32_t at = (uint32_t)hash & mask;; at = (at + 1) & mask) {
      uint64_t free = 0;
      if (__atomic_load_n(&pushes->table[at], __ATOMIC_RELAXED)) continue;
      if (__atomic_compare_exchange_n(&pushes->table[at], &free, entry, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        break;
      }
    }
  }
}

bool weft_pushes_leave(weft_pushes *pushes, const weft_memory *memory, uint32_t first,
                       uint32_t count, uint32_t all) {
  if (!pushes->entered) return false;
  size_t size = (size_t)pushes->mask + 1;
  if (!count) return true;
  size_t begin = size * first / all, end = size * ((uint64_t)first + count) / all;
  memset(&pushes->table[begin], 0, (end - begin) * sizeof *pushes->table);
  uint32_t *kept_count = (void *)memory->payload[WEFT_BUFFER_SELF_CACHE_COUNT];
  if (first == 0) *kept_count = 0;
  return true;
}

/* In the chains of self_cache_load, where somebody else entered them. */
static const weft_self_cached *find_in_chain(const weft_self_run *run, uvec4 pair) {
  for (uint32_t k = run->heads[weft_self_first(pair)]; k; k = run->next[k - 1]) {
    if (same_pair(run->kept[k - 1].pair, pair)) return &run->kept[k - 1];
  }
  return NULL;
}

const weft_self_cached *weft_pushes_find(const weft_pushes *pushes, const weft_self_run *run,
                                         uvec4 pair) {
  if (!pushes->entered) return find_in_chain(run, pair);
  uint64_t hash = hash_of(pair), entry;
  for (uint32_t at = (uint32_t)hash & pushes->mask; (entry = pushes->table[at]);
       at = (at + 1) & pushes->mask) {
    const weft_self_cached *found = &run->kept[(uint32_t)entry - 1];
    if ((entry ^ hash) >> 32 == 0 && same_pair(found->pair, pair)) return found;
  }
  return NULL;
}
