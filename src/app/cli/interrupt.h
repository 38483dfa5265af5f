/* interrupt.h: Ctrl-C and other signals that ask the program to end.
 *
 * From weft_interrupt_install on none of them leaves a temporary file behind. By itself a signal
 * ends the program at once; between weft_interrupt_open and weft_interrupt_close the first one is
 * only remembered, so that a long run can finish what it has begun, and the second ends the
 * program. A reader of standard output that has gone away ends it at once, always. */
#ifndef WEFT_CLI_INTERRUPT_H
#define WEFT_CLI_INTERRUPT_H

#include <sys/types.h>

/* On the thread that outputs belong to. Signals that the program was started to ignore stay
 * ignored. */
void weft_interrupt_install(void);

/* Until weft_interrupt_open or weft_interrupt_close the end at once says what there is of the run,
 * "before frame 1; nothing was written", which must outlive it: for what comes before anything that
 * could be kept, such as preprocessing a large model. */
void weft_interrupt_prepare(const char *left);

/* `advice` is shown on a terminal at the first signal; it must outlive the run. */
void weft_interrupt_open(const char *advice);
void weft_interrupt_close(void);
int weft_interrupt_is_open(void);

int weft_interrupted(void); /* the number of the signal that was remembered, 0 for none */

/* Says that a signal ended the run, and what there is of it; returns the exit status. */
int weft_interrupt_tell(const char *what);

/* A child that the end at once takes along; 0: none. */
void weft_interrupt_guard(pid_t child);

#endif
