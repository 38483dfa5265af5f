/* interrupt.h: Ctrl-C as a request. The first one (or SIGTERM, SIGHUP) is only remembered, so that
 * a long run can finish what it has begun; the second ends the program at once. */
#ifndef WEFT_CLI_INTERRUPT_H
#define WEFT_CLI_INTERRUPT_H

#include <sys/types.h>

/* From here on signals are caught; those the program was started to ignore stay ignored. `advice`
 * is shown on a terminal at the first; it must outlive the run. */
void weft_interrupt_open(const char *advice);
void weft_interrupt_close(void); /* signals do again what they did before */

int weft_interrupted(void);                 /* the signal's number, 0 for none yet */
const char *weft_interrupt_name(int signo); /* "Ctrl-C", "SIGTERM" */

/* What the second signal takes along: a child to kill and a file to remove. 0, NULL: nothing. */
void weft_interrupt_guard(pid_t child, const char *file);

#endif
