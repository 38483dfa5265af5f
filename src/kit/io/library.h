/* library.h: names of material files, as a file in another folder has to name them. */
#ifndef WEFT_IO_LIBRARY_H
#define WEFT_IO_LIBRARY_H

/* `names`, which stand behind mtllib in the file `source`, for the file `path`. A name of no file
 * that is there stays as it is, and all do where `source` is NULL or `path` is "-". Freed with
 * weft_free. */
char *weft_library_from(const char *path, const char *source, const char *names);

/* The name of a file as seen from the folder of another, which need not be there; where one of the
 * folders is not, as it is. To be freed with weft_free. */
char *weft_name_from(const char *path, const char *other);

#endif
