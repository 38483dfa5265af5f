/* build_info.h: what this binary was made with, so that a figure or a bug report can be repeated.
 */
#ifndef WEFT_BUILD_INFO_H
#define WEFT_BUILD_INFO_H

typedef struct weft_build_info {
  const char *compiler; /* "GNU 12.2.0" */
  const char *flags;
  const char *type;   /* "Release" */
  const char *commit; /* 12 digits, "-dirty" when files differ from it; "unknown" outside git */
} weft_build_info;

extern const weft_build_info weft_build;

#endif
