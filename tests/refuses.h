/* refuses.h: an argument that a public function must refuse. */
#ifndef WEFT_TESTS_REFUSES_H
#define WEFT_TESTS_REFUSES_H

#include <string.h>
#include <weft/types.h>

#include "cmocka_all.h"

/* The call answers WEFT_ERROR_ARGUMENT with `words` in its sentence. E in it is the weft_error:
 * there first, then NULL. */
#define REFUSES(words, call)                                                          \
  do {                                                                                \
    weft_error sentence = {0}, *E = &sentence;                                        \
    weft_result with = (call);                                                        \
    E = NULL;                                                                         \
    weft_result without = (call);                                                     \
    if (with != WEFT_ERROR_ARGUMENT || without != with) {                             \
      fail_msg("%s: %d with a sentence, %d without", #call, (int)with, (int)without); \
    }                                                                                 \
    if (sentence.code != with || !strstr(sentence.message, words)) {                  \
      fail_msg("%s: \"%s\" lacks \"%s\"", #call, sentence.message, words);            \
    }                                                                                 \
  } while (0)

#endif
