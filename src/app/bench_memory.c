/* bench_memory.c: what the system says: how much memory the process has had at most, and how busy
 * others keep the machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bench.h"

/* Kibibytes from "VmHWM:	   12345 kB". */
static uint64_t kibibytes_of(const char *field) {
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[256];
  uint64_t kibibytes = 0;
  while (kibibytes == 0 && fgets(line, sizeof line, file)) {
    if (strncmp(line, field, 6) == 0) kibibytes = strtoull(line + 6, NULL, 10);
  }
  fclose(file);
  return kibibytes;
}

uint64_t weft_bench_peak_memory(void) {
  uint64_t kibibytes = kibibytes_of("VmHWM:");
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

uint64_t weft_bench_resident_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return 1024 * kibibytes_of("VmRSS:");
}

double weft_bench_load(void) {
  FILE *file = fopen("/proc/loadavg", "r");
  if (!file) return NAN;
  double load = NAN;
  if (fscanf(file, "%lf", &load) != 1) load = NAN;
  fclose(file);
  return load;
}
