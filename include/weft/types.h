/* weft/types.h: the small types every other header uses.
 *
 * Units are SI throughout weft: metres, kilograms, seconds, newtons, radians. */
#ifndef WEFT_TYPES_H
#define WEFT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In front of every public function: what a shared library of weft offers; all else is hidden. */
#if defined __GNUC__
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

/* A point or direction, in metres unless a member says otherwise. */
typedef struct weft_vec3 {
  float x, y, z;
} weft_vec3;

/* What kind of failure there was.
 *
 * NULL where something is needed never crashes. A function that returns a weft_result answers
 * WEFT_ERROR_ARGUMENT with a sentence that names the argument, also for an array that is NULL
 * although its count is not 0. One that returns a value answers 0, false, NULL or what is stated
 * beside it, for an index out of range too; one that returns nothing does nothing. What frees or
 * destroys takes NULL. A descriptor may be NULL where all of its members have a default; a place
 * for results only where that is stated. Where a function fails, a pointer that it should have set
 * is NULL, and other results are as before unless stated.
 *
 * Memory that runs out is an error of every function that allocates, see weft/memory.h: one that
 * returns a weft_result answers WEFT_ERROR_MEMORY with how many bytes could not be had, one that
 * returns a value what is stated above. */
typedef enum weft_result {
  WEFT_OK = 0,
  WEFT_ERROR_ARGUMENT,   /* NULL, or a parameter outside its stated range */
  WEFT_ERROR_FILE,       /* a file that cannot be opened, read, written or renamed */
  WEFT_ERROR_FORMAT,     /* a file whose contents are broken; the message names file and line */
  WEFT_ERROR_MESH,       /* a mesh that no cloth can be made of */
  WEFT_ERROR_NO_GL,      /* no usable OpenGL 4.3 on this machine */
  WEFT_ERROR_GL,         /* the driver refused something it should have accepted */
  WEFT_ERROR_LIMIT,      /* the model does not fit the driver's limits or memory */
  WEFT_ERROR_NOT_FINITE, /* the state became infinite or NaN */
  WEFT_ERROR_TANGLED,    /* cloth that passes through a body could not be brought out of it */
  WEFT_ERROR_MEMORY,     /* memory ran out; weft/memory.h says what becomes of objects */
} weft_result;

/* Where a failing function leaves its one sentence. Written only when a result is not WEFT_OK.
 * Every function that takes a weft_error accepts NULL and then keeps silent. */
typedef struct weft_error {
  weft_result code;   /* the result of the function */
  char message[1024]; /* names the file, parameter or limit and the reason; one line, no newline */
} weft_error;

#ifdef __cplusplus
}
#endif

#endif
