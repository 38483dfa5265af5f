/* cpu_need.h: what an instance of the backend cpu takes. */
#ifndef WEFT_CPU_NEED_H
#define WEFT_CPU_NEED_H

#include "backend.h"

/* For so many members of the pool. */
void weft_cpu_need(uint32_t members, weft_need *need);

#endif
