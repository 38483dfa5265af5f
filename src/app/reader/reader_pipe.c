/* reader_pipe.c: what standard output is sent. */
#define _POSIX_C_SOURCE 200809L
#include "reader_internal.h"

#include <errno.h>
#include <unistd.h>

void weft_reader_send(int fd, const void *bytes, size_t count) {
  const char *at = bytes;
  while (count > 0) {
    ssize_t n = write(fd, at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    at += n;
    count -= (size_t)n;
  }
}

_Noreturn void weft_reader_send_reason(int fd, weft_foreign_end end, const char *reason) {
  const size_t length = strlen(reason);
  const weft_foreign_header h = {.magic = WEFT_FOREIGN_MAGIC,
                                 .end = end,
                                 .text_length = (uint32_t)(length < 400 ? length : 400)};
  weft_reader_send(fd, &h, sizeof h);
  weft_reader_send(fd, reason, h.text_length);
  _exit(0);
}
