/* bench_memory.c: how much memory the process has had at most. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"

/* Kibibytes from "VmHWM:	   12345 kB". */
static uint64_t high_water(void) {
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[256];
  uint64_t kibibytes = 0;
  while (kibibytes == 0 && fgets(line, sizeof line, file)) {
    if (strncmp(line, "VmHWM:", 6) == 0) kibibytes = strtoull(line + 6, NULL, 10);
  }
  fclose(file);
  return kibibytes;
}

uint64_t weft_bench_peak_memory(void) {
  uint64_t kibibytes = high_water();
  struct rusage usage;
  if (kibibytes == 0 && getrusage(RUSAGE_SELF, &usage) == 0) {
    kibibytes = (uint64_t)usage.ru_maxrss;
  }
  return 1024 * kibibytes;
}

bool weft_bench_reset_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file) return false;
  bool written = fputs("5", file) >= 0;
  return fclose(file) == 0 && written;
}
