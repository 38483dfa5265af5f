/* weft/memory.h: what happens when memory runs out.
 *
 * No function of weft reports this as an error. It calls the handler that the program has set; if
 * there is none, or it returns, weft prints one sentence on stderr and aborts. Memory that a driver
 * cannot give is an error like any other, WEFT_ERROR_LIMIT. */
#ifndef WEFT_MEMORY_H
#define WEFT_MEMORY_H

#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called on the thread that called weft, while no thread of weft's own is at work. `bytes` is what
 * could not be had in one piece, SIZE_MAX where it is more than can be counted.
 *
 * The handler may end the process, or leave by longjmp to a place in the program that called weft.
 * After that the program may go on using weft, but for the objects that the interrupted call was
 * making or changing: they are lost, as is the memory it had got by then, and must not be destroyed
 * either. C++: an exception must not leave the handler. */
typedef void (*weft_out_of_memory)(size_t bytes, void *context);

/* Sets the handler and what it is given; NULL: none, which is the default. For the whole process;
 * to be called while no other thread uses weft. */
WEFT_API void weft_set_out_of_memory(weft_out_of_memory handler, void *context);

#ifdef __cplusplus
}
#endif

#endif
