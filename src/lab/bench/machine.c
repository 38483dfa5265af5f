/* machine.c: what the system says of itself and of this process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "machine.h"

#include "build_info.h"
#include "gl.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

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

uint64_t weft_peak_memory(void) {
  uint64_t kibibytes = kibibytes_of("VmHWM:");
  struct rusage usage;
  if (kibibytes == 0 && getrusage(RUSAGE_SELF, &usage) == 0) {
    kibibytes = (uint64_t)usage.ru_maxrss;
  }
  return 1024 * kibibytes;
}

bool weft_reset_peak_memory(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file) return false;
  bool written = fputs("5", file) >= 0;
  return fclose(file) == 0 && written;
}

uint64_t weft_resident_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return 1024 * kibibytes_of("VmRSS:");
}

double weft_machine_load(void) {
  FILE *file = fopen("/proc/loadavg", "r");
  if (!file) return NAN;
  double load = NAN;
  if (fscanf(file, "%lf", &load) != 1) load = NAN;
  fclose(file);
  return load;
}

/* ---- names ---- */

const char *weft_processor_name(void) {
  static char name[128];
  FILE *file = name[0] ? NULL : fopen("/proc/cpuinfo", "r");
  char line[256];
  while (file && !name[0] && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
  }
  if (file) fclose(file);
  if (!name[0]) snprintf(name, sizeof name, "unknown");
  return name;
}

bool weft_build_is_slow(void) {
#if defined(SANITIZED) || !defined(__OPTIMIZE__)
  return true;
#else
  return strcmp(weft_build.type, "Debug") == 0;
#endif
}

const char *weft_driver_name(const weft_gl *gl, char *text, size_t size) {
  if (!gl) return NULL;
  snprintf(text, size, "%s, %s", gl->renderer, gl->version);
  return text;
}

const char *weft_driver_short_name(const weft_gl *gl, char *text, size_t size) {
  const char *name = gl ? gl->renderer : "none";
  size_t length = strcspn(name, "(/");
  while (length > 1 && name[length - 1] == ' ') --length;
  snprintf(text, size, "%.*s", (int)length, name);
  return text;
}
