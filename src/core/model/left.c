/* left.c: a count of holders, and the last of them frees. */
#include "left.h"

#include "base.h"

weft_left *weft_left_new(void) {
  weft_left *left = weft_alloc(1, sizeof *left);
  pthread_mutex_init(&left->lock, NULL);
  left->holders = 1;
  return left;
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
