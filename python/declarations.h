/* declarations.h: what the Python package declares: the public headers, as the preprocessor leaves them. */
#include <weft/weft.h>
#include <weft_gl/gl.h>
#include <weft_kit/weft_kit.h>
