/* crowd_run.h: chains of passes over a crowd (crowd.h) wait until somebody looks or writes; then
 * each block goes through all of them, and whoever of the threads is done takes the next block. So
 * what a chain needs of its substep (the fraction of the frame's path, shapes, whether multipliers
 * begin at 0) is kept with it. Lanes past the last part do all that the last part does. */
#ifndef WEFT_CPU_CROWD_RUN_H
#define WEFT_CPU_CROWD_RUN_H

#include <stdatomic.h>

#include "plan.h"
#include "staying.h"

/* Working memory of lines: of the members, one after the other. */
typedef struct weft_line_rooms {
  void *room;
  size_t each; /* bytes */
} weft_line_rooms;

static inline void *weft_line_room(const weft_line_rooms *rooms, uint32_t member) {
  return (char *)rooms->room + member * rooms->each;
}

/* Parts of the frame's path at which a substep begins and ends. */
weft_way weft_way_of(const weft_memory *memory, uint32_t substep);

/* What packed elements read and write, as far as it is in buffers; and runs an item of a pass. */
weft_packed_run weft_packed_run_of(const weft_memory *memory);
void weft_packed_run_item(const weft_packed_run *of, const weft_lanes *lanes,
                          const weft_memory *memory, const weft_pass *pass,
                          const weft_cpu_item *item, const uint32_t *words);

typedef struct weft_crowd_step weft_crowd_step;

/* What is given, before it is created: the first four. */
typedef struct weft_crowd_run {
  const weft_memory *memory;
  const weft_lanes *lanes;
  const weft_line_rooms *line_rooms;
  uint32_t members;
  weft_crowd crowd; /* without parts where there is none */
  weft_staying staying;
  weft_crowd_step *steps; /* that wait */
  uint32_t step_count;
  atomic_uint next_block;
  weft_job_pace pace;
} weft_crowd_run;

void weft_crowd_run_create(weft_crowd_run *run, uint32_t parts);
void weft_crowd_run_free(weft_crowd_run *run);
/* A chain of the plan's passes; the plan is kept until it has run. shapes: NULL where nothing is
 * known of them. */
void weft_crowd_run_add(weft_crowd_run *run, const weft_cpu_plan *plan, const weft_pass *passes,
                        uint32_t substep, const weft_shapes *shapes);
/* Runs all that wait. */
void weft_crowd_run_steps(weft_crowd_run *run);

#endif
