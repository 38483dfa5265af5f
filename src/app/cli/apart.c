/* apart.c: every name that a run writes is a file of its own. */
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "outputs.h"

typedef struct name {
  uint64_t hash; /* of its place */
  const char *text;
  const weft_numbered *pattern;
  uint64_t number;
  size_t order; /* as given */
} name;

typedef struct names {
  name *items;
  size_t count, space;
} names;

static char *place_of(const name *n) {
  char path[WEFT_LONGEST_PATH];
  weft_numbered_name(n->text, n->pattern, n->number, path, sizeof path);
  return strcmp(path, "-") == 0 ? weft_strdup(path) : weft_output_place(path);
}

static void add_names(names *all, const char *text, const weft_numbered *pattern, uint64_t first,
                      uint64_t last) {
  for (uint64_t k = first; k <= (pattern->numbered ? last : first); ++k) {
    name n = {0, text, pattern, k, all->count};
    char *place = place_of(&n);
    n.hash = weft_hash_bytes(WEFT_HASH_SEED, place, strlen(place));
    weft_free(place);
    void *items = all->items;
    weft_grow(&items, &all->space, all->count + 1, sizeof *all->items);
    all->items = items;
    all->items[all->count++] = n;
  }
}

static int compare_hashes(const void *a, const void *b) {
  const name *one = a, *other = b;
  if (one->hash != other->hash) return one->hash < other->hash ? -1 : 1;
  return (one->order > other->order) - (one->order < other->order);
}

static weft_result check_pair(const name *a, const name *b, weft_error *err) {
  char *one = place_of(a), *other = place_of(b);
  const bool same = strcmp(one, other) == 0;
  weft_free(other);
  weft_result result =
      same ? weft_fail(err, WEFT_ERROR_ARGUMENT, "--output: %.300s and %.300s both write %.300s",
                       a->text, b->text, one)
           : WEFT_OK;
  weft_free(one);
  return result;
}

weft_result weft_cli_outputs_apart(const weft_cli_outputs *outputs, const char *const *others,
                                   uint32_t count, const weft_cli_options *options,
                                   weft_error *err) {
  static const weft_numbered plain = {0};
  weft_result result = WEFT_OK;
  names all = {0};
  const weft_cli_numbers numbers = weft_cli_outputs_numbers(outputs, options);
  for (uint32_t k = 0; k < outputs->count; ++k) {
    add_names(&all, outputs->items[k].path, &outputs->items[k].pattern, numbers.first,
              numbers.last);
  }
  for (uint32_t k = 0; k < count; ++k) {
    if (others[k]) add_names(&all, others[k], &plain, 1, 1);
  }
  if (all.count > 0) qsort(all.items, all.count, sizeof *all.items, compare_hashes);
  const name *first = NULL; /* of two that are one, the first as given */
  for (const name *n = all.items; all.count > 0 && n + 1 < all.items + all.count; ++n) {
    if (n[0].hash == n[1].hash && (!first || n->order < first->order)) first = n;
  }
  if (first) result = check_pair(first, first + 1, err);
  weft_free(all.items);
  return result;
}
