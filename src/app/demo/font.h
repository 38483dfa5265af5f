/* font.h: a font of this machine for the panel. */
#ifndef WEFT_DEMO_FONT_H
#define WEFT_DEMO_FONT_H

#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The file of a readable TrueType font, by libfontconfig, which is loaded at run time. False where
 * there is no library or no such font. */
bool weft_demo_font_file(char *path, size_t size);

#ifdef __cplusplus
}
#endif

#endif
