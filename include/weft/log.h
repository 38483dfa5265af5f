/* weft/log.h: what weft says while it works. Without a function that listens it says nothing: no
 * line goes to stdout or stderr, but for the last word of weft/memory.h. What a caller must know is
 * in results and errors; the log tells people why something is slow or looks odd.
 *
 * Listeners are of the whole process and called on the thread that called weft, never on threads of
 * weft's own. Where several threads use weft, each calls them, at the same time: they lock what
 * they share. They are set while no other thread uses weft, and call no function of weft. */
#ifndef WEFT_LOG_H
#define WEFT_LOG_H

#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From grave to talkative. */
typedef enum weft_log_level {
  WEFT_LOG_ERROR = 0, /* a driver complains, or weft contradicts itself */
  WEFT_LOG_WARNING,   /* goes on, but not as whoever asked will have meant: cloth that starts inside
                         a body, fewer threads than wanted */
  WEFT_LOG_INFO,      /* what is good to know */
  WEFT_LOG_DEBUG,     /* times and sizes, for who works on weft */
} weft_log_level;

/* `line` is UTF-8, has no newline at its end and is lost after the call; `user` is what was set. */
typedef void (*weft_log_function)(weft_log_level level, const char *line, void *user);

/* Who hears lines up to this level. NULL: nobody, which is the default. */
WEFT_API void weft_log_set(weft_log_function function, void *user, weft_log_level up_to);

/* Of `total` parts `done` are done of `what`, such as "dressing". Such work ends with "", 0 and 0,
 * also where it is cut short. weft_fit and weft_motion_load tell. */
typedef void (*weft_progress_function)(const char *what, uint64_t done, uint64_t total, void *user);

/* Who hears how far long work is. NULL: nobody, which is the default. */
WEFT_API void weft_progress_set(weft_progress_function function, void *user);

#ifdef __cplusplus
}
#endif

#endif
