/* team.h: threads that wait for work between calls, and barriers between its parts.
 *
 * Passes of a small cloth last microseconds, so who waits looks for a while before it goes to
 * sleep; a program that does something else between frames has no thread spinning. */
#ifndef WEFT_CPU_TEAM_H
#define WEFT_CPU_TEAM_H

#include <stdint.h>

typedef struct weft_team weft_team;

/* Called on every member, 0 being the caller's own thread. */
typedef void weft_team_work(void *context, uint32_t member);

enum { WEFT_TEAM_MAX = 64 };

/* Processors this process may run on, at most WEFT_TEAM_MAX. */
uint32_t weft_team_processors(void);
/* `size` members. Where the system gives no more threads the team is smaller, with a warning. */
weft_team *weft_team_create(uint32_t size);
void weft_team_destroy(weft_team *team);
uint32_t weft_team_size(const weft_team *team);
/* Returns when all members have returned. */
void weft_team_run(weft_team *team, weft_team_work *work, void *context);
/* For members, inside work: nobody goes on before all have come here. */
void weft_team_barrier(weft_team *team);

#endif
