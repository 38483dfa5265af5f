/* left.c: a count of holders, and the last of them frees. */
#include "left.h"

#include "base.h"

/* Of whether a model has one. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static weft_left *make(void) {
  WEFT_KEEP_MEMORY(); /* several models may hold it */
  weft_left *left = weft_alloc(1, sizeof *left);
  pthread_mutex_init(&left->lock, NULL);
  left->holders = 1;
  return left;
}

void weft_left_want(weft_left **left) {
  weft_left *made = make();
  pthread_mutex_lock(&lock);
  const bool first = *left == NULL;
  if (first) *left = made;
  pthread_mutex_unlock(&lock);
  if (!first) weft_left_drop(made);
}

weft_left *weft_left_share(weft_left *left) {
  if (!left) return NULL;
  pthread_mutex_lock(&left->lock);
  ++left->holders;
  pthread_mutex_unlock(&left->lock);
  return left;
}

void weft_left_drop(weft_left *left) {
  if (!left) return;
  pthread_mutex_lock(&left->lock);
  const bool last = --left->holders == 0;
  pthread_mutex_unlock(&left->lock);
  if (!last) return;
  if (left->data) left->release(left->data);
  pthread_mutex_destroy(&left->lock);
  weft_free(left);
}
