/* overlay.h: what is shown beside scenes that have a theory: trails, and theory as a ghost. The
 * host makes and leads it; a host without, or a scene that has none, is none. */
#ifndef WEFT_DEMO_OVERLAY_H
#define WEFT_DEMO_OVERLAY_H

#include "session.h"

weft_result weft_demo_overlay_open(weft_demo_session *session, weft_error *err);
void weft_demo_overlay_close(weft_demo_session *session);
void weft_demo_overlay_step(weft_demo_session *session);
/* State or parameters have changed: theory goes on from what is there now. */
void weft_demo_overlay_restart(weft_demo_session *session, bool forget_trails);
void weft_demo_overlay_show(const weft_demo_session *session, weft_picture *picture);

#endif
