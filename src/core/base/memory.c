/* memory.c: what is allocated is listed in a scope, and given back where memory runs out. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

/* The innermost scope of this thread. */
static _Thread_local weft_scope *innermost;

weft_owned weft_kept_by_nobody;

/* ---- rings: blocks of one may be freed by threads that work for the same call ---- */

static pthread_mutex_t rings = PTHREAD_MUTEX_INITIALIZER;

static void begin_ring(weft_chain *ring) { ring->before = ring->after = ring; }

static void take_out(weft_chain *link) {
  link->before->after = link->after;
  link->after->before = link->before;
  link->before = link->after = NULL;
}

static void put_behind(weft_chain *place, weft_chain *link) {
  link->before = place;
  link->after = place->after;
  place->after->before = link;
  place->after = link;
}

static void enter(weft_block *block) {
  if (!innermost) return;
  pthread_mutex_lock(&rings);
  put_behind(&innermost->blocks, &block->link);
  pthread_mutex_unlock(&rings);
}

/* Whether a block is in a ring changes only while no other thread may have it. */
static void leave(weft_block *block) {
  if (!block->link.after) return;
  pthread_mutex_lock(&rings);
  take_out(&block->link);
  pthread_mutex_unlock(&rings);
}

void weft_keep_memory(void *p) { leave((weft_block *)p - 1); }

static void replace(weft_chain *old, weft_chain *fresh) {
  *fresh = (weft_chain){NULL, NULL};
  if (!old->after) return;
  pthread_mutex_lock(&rings);
  put_behind(old, fresh);
  take_out(old);
  pthread_mutex_unlock(&rings);
}

/* All of one ring, in front of what is in the other. */
static void move_ring(weft_chain *from, weft_chain *to) {
  pthread_mutex_lock(&rings);
  if (from->after != from) {
    from->before->after = to->after;
    to->after->before = from->before;
    from->after->before = to;
    to->after = from->after;
    begin_ring(from);
  }
  pthread_mutex_unlock(&rings);
}

/* The blocks stay a ring, which nobody begins. */
static void leave_ring(weft_chain *ring) {
  pthread_mutex_lock(&rings);
  take_out(ring);
  begin_ring(ring);
  pthread_mutex_unlock(&rings);
}

/* ---- what is deferred ---- */

struct weft_deferred {
  void (*release)(void *what);
  void *what;
};

weft_deferred *weft_defer(void (*release)(void *what), void *what) {
  weft_deferred *deferred = weft_alloc(1, sizeof *deferred);
  *deferred = (weft_deferred){release, what};
  ((weft_block *)(void *)deferred - 1)->deferred = true;
  return deferred;
}

void weft_defer_end(weft_deferred *deferred) { weft_free(deferred); }

static weft_deferred *find_deferred(const weft_chain *ring) {
  for (weft_chain *link = ring->after; link != ring; link = link->after) {
    weft_block *block = (weft_block *)link;
    if (block->deferred) return (weft_deferred *)(void *)(block + 1);
  }
  return NULL;
}

/* The last come first. Each may free what is in the ring. */
static void run_deferred(const weft_chain *ring) {
  for (weft_deferred *d = find_deferred(ring); d; d = find_deferred(ring)) {
    const weft_deferred now = *d;
    weft_defer_end(d);
    now.release(now.what);
  }
}

static void release_ring(weft_chain *ring) {
  run_deferred(ring);
  while (ring->after != ring) weft_free((weft_block *)ring->after + 1);
}

/* ---- scopes ---- */

bool weft_guarded(void) { return innermost != NULL; }

void weft_scope_open(weft_scope *scope, weft_owned *owner, bool catches) {
  begin_ring(&scope->blocks);
  scope->owner = owner;
  scope->outer = innermost;
  scope->missing = 0;
  scope->catches = catches;
  scope->open = true;
  innermost = scope;
}

void weft_scope_close(weft_scope *scope) {
  if (!scope->open) return;
  scope->open = false;
  innermost = scope->outer;
  if (scope->owner && scope->owner != &weft_kept_by_nobody) {
    move_ring(&scope->blocks, &scope->owner->blocks);
  } else if (!scope->owner && innermost) {
    move_ring(&scope->blocks, &innermost->blocks);
  } else {
    leave_ring(&scope->blocks);
  }
}

static void say_out_of_memory(size_t bytes, weft_error *err) {
  char digits[32];
  if (bytes == SIZE_MAX) {
    weft_fail(err, WEFT_ERROR_MEMORY, "out of memory: more was wanted than can be addressed");
  } else {
    weft_group_digits(digits, bytes);
    weft_fail(err, WEFT_ERROR_MEMORY, "out of memory: %s more bytes could not be had", digits);
  }
}

void weft_scope_failed(weft_scope *scope, weft_error *err) {
  if (scope->owner) {
    scope->owner->lost = true;
  } else {
    release_ring(&scope->blocks);
  }
  weft_scope_close(scope);
  say_out_of_memory(scope->missing, err);
}

weft_result weft_fail_lost(weft_error *err) {
  return weft_fail(err, WEFT_ERROR_MEMORY,
                   "memory ran out while this was being changed: it can only be destroyed");
}

/* ---- memory that is out ---- */

/* Set before threads start. */
static struct {
  weft_out_of_memory handler;
  void *context;
} last_resort;

void weft_memory_set_last_resort(weft_out_of_memory handler, void *context) {
  last_resort.handler = handler;
  last_resort.context = context;
}

_Noreturn void weft_memory_is_out(size_t bytes) {
  while (innermost && !innermost->catches) {
    release_ring(&innermost->blocks);
    innermost = innermost->outer;
  }
  if (innermost) {
    innermost->missing = bytes;
    run_deferred(&innermost->blocks); /* now: what they release may be a variable further up */
    longjmp(innermost->way, 1);
  }
  if (last_resort.handler) last_resort.handler(bytes, last_resort.context);
  weft_error err;
  say_out_of_memory(bytes, &err);
  fprintf(stderr, "weft: %s\n", err.message);
  abort();
}

/* ---- giving and taking ---- */

static _Noreturn void out_of_memory(size_t count, size_t size) {
  size_t bytes;
  weft_memory_is_out(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

/* The whole for so many items; of cache lines a whole number. */
static size_t whole_of(size_t count, size_t size, size_t lead) {
  const size_t spare = lead == WEFT_CACHE_LINE ? 2 * lead - 1 : lead;
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) out_of_memory(count, size);
  if (__builtin_add_overflow(bytes, spare, &bytes)) out_of_memory(count, size);
  return lead == WEFT_CACHE_LINE ? bytes / lead * lead : bytes;
}

static void *allocate(size_t count, size_t size, uint32_t lead) {
  weft_block *block = weft_heap_take(whole_of(count, size, lead), lead);
  if (!block) out_of_memory(count, size);
  enter(block);
  return block + 1;
}

void *weft_alloc(size_t count, size_t size) { return allocate(count, size, sizeof(weft_block)); }

void *weft_alloc_lines(size_t count, size_t size) { return allocate(count, size, WEFT_CACHE_LINE); }

/* Meanwhile another link holds its place: other threads may change those beside it. */
void *weft_realloc(void *p, size_t count, size_t size) {
  if (!p) return weft_alloc(count, size);
  const size_t bytes = whole_of(count, size, sizeof(weft_block));
  weft_block *block = (weft_block *)p - 1;
  weft_chain place;
  replace(&block->link, &place);
  weft_block *grown = weft_heap_grow(block, bytes);
  replace(&place, grown ? &grown->link : &block->link);
  if (!grown) out_of_memory(count, size);
  return grown + 1;
}

void weft_free(void *p) {
  if (!p) return;
  weft_block *block = (weft_block *)p - 1;
  leave(block);
  weft_heap_give(block);
}

char *weft_strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = weft_alloc(n, 1);
  memcpy(copy, s, n);
  return copy;
}

void weft_grow(void **items, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity) return;
  size_t grown = *capacity ? *capacity : 16;
  while (grown < need) {
    if (__builtin_mul_overflow(grown, (size_t)2, &grown)) out_of_memory(need, size);
  }
  *items = weft_realloc(*items, grown, size);
  *capacity = grown;
}

/* ---- owners ---- */

void weft_owned_begin(weft_owned *owned) {
  begin_ring(&owned->blocks);
  owned->lost = false;
  if (innermost) move_ring(&innermost->blocks, &owned->blocks);
}

uint64_t weft_owned_bytes(const weft_owned *owned) {
  const weft_chain *ring = &owned->blocks;
  uint64_t bytes = 0;
  pthread_mutex_lock(&rings);
  for (const weft_chain *link = ring->after; link && link != ring; link = link->after) {
    bytes += ((const weft_block *)link)->bytes;
  }
  pthread_mutex_unlock(&rings);
  return bytes;
}

void weft_owned_end(weft_owned *owned) {
  if (owned->blocks.after) leave_ring(&owned->blocks);
}

void weft_owned_join(weft_owned *owned, weft_owned *other) {
  move_ring(&other->blocks, &owned->blocks);
}

void weft_owned_release(weft_owned *owned) {
  weft_chain ring;
  begin_ring(&ring);
  move_ring(&owned->blocks, &ring); /* the owner is in one of them */
  release_ring(&ring);
}

void weft_owned_hand_over(weft_owned *made) {
  if (innermost) {
    move_ring(&made->blocks, &innermost->blocks);
  } else {
    leave_ring(&made->blocks);
  }
}

static bool run_caught(weft_scope *scope, void (*work)(void *context), void *context) {
  if (setjmp(scope->way)) return false;
  work(context);
  return true;
}

bool weft_memory_try(void (*work)(void *context), void *context, weft_owned *made,
                     size_t *missing) {
  weft_scope scope;
  begin_ring(&made->blocks);
  made->lost = false;
  weft_scope_open(&scope, made, true);
  const bool done = run_caught(&scope, work, context);
  *missing = scope.missing;
  weft_scope_close(&scope);
  return done;
}
