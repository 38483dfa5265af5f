/* reader.h: the command of the program that reads a model through the importer library, for a
 * process that weft_mesh_import starts. */
#ifndef WEFT_READER_READER_H
#define WEFT_READER_READER_H

/* FILE SECONDS BYTES: the file, seconds of a processor and bytes of memory that it may take. Writes
 * what foreign_pipe.h says to standard output. */
int weft_reader_main(int argc, char **argv);

/* The importer library and its version. */
const char *weft_reader_importer(void);

#endif
