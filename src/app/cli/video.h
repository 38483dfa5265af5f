/* video.h: pictures to a video file, through ffmpeg where it is installed.
 *
 * ffmpeg runs as a child that reads raw RGB from a pipe and writes under a temporary name; the file
 * is renamed when ffmpeg says that all went well. The child has a process group of its own: Ctrl-C
 * is meant for weft, which then ends the stream, so that the file becomes a playable one. */
#include "render.h"

#ifndef WEFT_CLI_VIDEO_H
#define WEFT_CLI_VIDEO_H

typedef enum weft_video_format {
  WEFT_VIDEO_NONE = 0,
  WEFT_VIDEO_MP4,  /* H.264, as every browser and editor reads it */
  WEFT_VIDEO_WEBM, /* VP9 */
  WEFT_VIDEO_GIF,  /* loops; at most 50 fps, faster ones are slowed down by viewers */
} weft_video_format;

weft_video_format weft_video_format_of(const char *path); /* by its ending */

typedef struct weft_video_desc {
  const char *path;
  weft_video_format format;
  uint32_t width, height; /* pixels; even for MP4 and WebM, whose colours have half the size */
  uint32_t count;         /* pictures to come, at most */
  double fps;
} weft_video_desc;

typedef struct weft_video weft_video;

/* Starts ffmpeg, so that whatever is missing is said before the first picture. */
weft_result weft_video_open(const weft_video_desc *desc, weft_video **video, weft_error *err);
weft_result weft_video_write(weft_video *video, const weft_image *image, weft_error *err);
/* Ends the stream, waits for ffmpeg, renames the file. Frees the video whatever comes out. */
weft_result weft_video_close(weft_video *video, weft_error *err);
void weft_video_abandon(weft_video *video); /* NULL is allowed */

#endif
