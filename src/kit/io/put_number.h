/* put_number.h: numbers as text, whatever the locale. */
#ifndef WEFT_IO_PUT_NUMBER_H
#define WEFT_IO_PUT_NUMBER_H

#include <stdint.h>

enum { WEFT_LONGEST_NUMBER = 40 }; /* characters */

/* Both return the end of what they wrote, which no zero follows. */
char *weft_put_uint(char *out, uint64_t value);
/* As printf's %.9g in the C locale, of a finite float. */
char *weft_put_float(char *out, float value);

#endif
