/* prompt.h: a few words in the window where there is no panel to say them. */
#ifndef WEFT_DEMO_PROMPT_H
#define WEFT_DEMO_PROMPT_H

#include "gl.h"
#include "ui_state.h"

/* Zero-initialise. */
typedef struct weft_demo_prompt {
  GLuint texture, from; /* what is written, and its frame buffer */
  int width, height;    /* pixels */
  int room;             /* that there was for it */
  char text[600];       /* empty: nothing is shown */
} weft_demo_prompt;

/* What waits for an answer, or went wrong, or was done, at the top of the window. */
void weft_demo_prompt_draw(weft_demo_prompt *sign, const weft_demo_ui *ui, int width, int height);
void weft_demo_prompt_close(weft_demo_prompt *sign);

#endif
