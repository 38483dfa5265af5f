/* drop_file WINDOW FILE...: drops files on an X window where the pointer is, as a file manager does
 * (XDND, version 5).
 * Status 0 once the window has taken them. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Display *display;
static Window source, target;

static Atom atom(const char *name) { return XInternAtom(display, name, False); }

static void tell(const char *what, long b, long c, long d, long e) {
  XClientMessageEvent event = {.type = ClientMessage,
                               .display = display,
                               .window = target,
                               .message_type = atom(what),
                               .format = 32};
  const long data[] = {(long)source, b, c, d, e};
  memcpy(event.data.l, data, sizeof data);
  XSendEvent(display, target, False, NoEventMask, (XEvent *)&event);
  XFlush(display);
}

/* Both coordinates in one number, as XdndPosition has them. */
static long pointer(void) {
  Window root, child;
  int x = 0, y = 0, inner_x, inner_y;
  unsigned mask;
  XQueryPointer(display, DefaultRootWindow(display), &root, &child, &x, &y, &inner_x, &inner_y,
                &mask);
  return (long)x << 16 | y;
}

/* "file:///a/b" for each, a line each. */
static char *list_of(int count, char **files) {
  size_t size = 1;
  for (int k = 0; k < count; ++k) size += strlen(files[k]) + 10;
  char *list = calloc(size, 1);
  for (int k = 0; k < count && list; ++k) {
    size_t used = strlen(list);
    snprintf(list + used, size - used, "file://%s\r\n", files[k]);
  }
  return list;
}

static void hand_over(const XSelectionRequestEvent *asked, const char *list) {
  XSelectionEvent answer = {.type = SelectionNotify,
                            .display = display,
                            .requestor = asked->requestor,
                            .selection = asked->selection,
                            .target = asked->target,
                            .property = asked->property,
                            .time = asked->time};
  XChangeProperty(display, asked->requestor, asked->property, asked->target, 8, PropModeReplace,
                  (const unsigned char *)list, (int)strlen(list));
  XSendEvent(display, asked->requestor, False, NoEventMask, (XEvent *)&answer);
  XFlush(display);
}

/* Until the window says that it is done. */
static int serve(const char *list) {
  for (;;) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type == SelectionRequest) hand_over(&event.xselectionrequest, list);
    if (event.type != ClientMessage) continue;
    if (event.xclient.message_type == atom("XdndStatus")) {
      if (!(event.xclient.data.l[1] & 1)) return 1;
      tell("XdndDrop", 0, CurrentTime, 0, 0);
    }
    if (event.xclient.message_type == atom("XdndFinished")) return 0;
  }
}

int main(int argc, char **argv) {
  display = XOpenDisplay(NULL);
  if (!display || argc < 3) return 2;
  target = (Window)strtoul(argv[1], NULL, 0);
  source = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  char *list = list_of(argc - 2, argv + 2);
  XSetSelectionOwner(display, atom("XdndSelection"), source, CurrentTime);
  tell("XdndEnter", 5L << 24, (long)atom("text/uri-list"), 0, 0);
  tell("XdndPosition", 0, pointer(), CurrentTime, (long)atom("XdndActionCopy"));
  int status = list ? serve(list) : 2;
  free(list);
  XCloseDisplay(display);
  return status;
}
