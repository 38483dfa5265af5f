/* reader.c: the importer library, in a process of its own with limits on time and memory. It opens
 * regular files in the folder of its file and nothing else. */
#define _POSIX_C_SOURCE 200809L
#include "reader.h"

#include "reader_internal.h"

#ifdef WEFT_HAVE_ASSIMP

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/version.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "named_file.h"

/* ---- limits ---- */

/* Address space used so far, by libraries, plus an allowance. Sanitizers reserve terabytes and
 * carry a limit of their own. */
static void limit_memory(uint64_t allowance) {
#if !defined(__SANITIZE_ADDRESS__)
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)allowance;
  struct rlimit limit = {bytes, bytes};
  if (pages > 0) setrlimit(RLIMIT_AS, &limit);
#else
  (void)allowance;
#endif
}

static _Noreturn void give_up(size_t bytes, void *context) {
  (void)bytes, (void)context;
  _exit(1);
}

static void confine(const weft_reader_job *job) {
  weft_memory_set_last_resort(give_up, NULL);
  struct rlimit no_core = {0, 0}, time = {job->seconds, job->seconds + 1};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &time);
  limit_memory(job->memory);
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3 && null >= 0; ++fd) dup2(null, fd); /* the library prints */
}

/* ---- the files that it may open ---- */

/* The file that is read, and the first name that led out of its folder. After a file that is
 * missing the library tries other places, which its file did not name. */
static struct {
  const char *path;
  char refused[200];
  bool missing;
} gate;

/* The library puts the folder before names, once or twice. */
static const char *without_folder(const char *path) {
  const char *slash = strrchr(gate.path, '/');
  const size_t length = slash ? (size_t)(slash + 1 - gate.path) : 0;
  while (length > 0 && strncmp(path, gate.path, length) == 0) path += length;
  return path;
}

/* -1 where there is no file of that name, or none that may be opened. */
static int open_named(const char *path) {
  const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
  if (strcmp(path, gate.path) == 0) return open(path, flags);
  const char *name = without_folder(path);
  char *place;
  const weft_named found = weft_find_beside(gate.path, name, &place);
  const int fd = found == WEFT_NAMED_FOUND ? open(place, flags) : -1;
  weft_free(place);
  gate.missing = gate.missing || found == WEFT_NAMED_MISSING;
  if (found == WEFT_NAMED_OUTSIDE && !gate.missing && !gate.refused[0]) {
    snprintf(gate.refused, sizeof gate.refused, "%s", name);
  }
  return fd;
}

static size_t read_file(struct aiFile *file, char *bytes, size_t size, size_t count) {
  return fread(bytes, size, count, (FILE *)file->UserData);
}

static size_t write_file(struct aiFile *file, const char *bytes, size_t size, size_t count) {
  (void)file, (void)bytes, (void)size, (void)count;
  return 0;
}

static size_t tell_file(struct aiFile *file) { return (size_t)ftell((FILE *)file->UserData); }

static size_t size_file(struct aiFile *file) {
  struct stat info = {0};
  return fstat(fileno((FILE *)file->UserData), &info) == 0 ? (size_t)info.st_size : 0;
}

static aiReturn seek_file(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  const int whence[] = {SEEK_SET, SEEK_CUR, SEEK_END};
  if ((unsigned)origin > aiOrigin_END) return aiReturn_FAILURE;
  return fseek((FILE *)file->UserData, (long)offset, whence[origin]) ? aiReturn_FAILURE
                                                                     : aiReturn_SUCCESS;
}

static void flush_file(struct aiFile *file) { (void)file; }

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode) {
  (void)io;
  struct stat info = {0};
  const int fd = mode[0] == 'r' ? open_named(path) : -1;
  if (fd < 0) return NULL;
  FILE *stream = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? fdopen(fd, "rb") : NULL;
  struct aiFile *file = stream ? malloc(sizeof *file) : NULL;
  if (!file) {
    if (stream) fclose(stream);
    if (!stream) close(fd);
    return NULL;
  }
  *file = (struct aiFile){.ReadProc = read_file,
                          .WriteProc = write_file,
                          .TellProc = tell_file,
                          .FileSizeProc = size_file,
                          .SeekProc = seek_file,
                          .FlushProc = flush_file,
                          .UserData = (aiUserData)stream};
  return file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
  (void)io;
  if (file) fclose((FILE *)file->UserData);
  free(file);
}

/* ---- the whole ---- */

/* As the file has it: polygons stay polygons, and vertices where the format shares them. */
static const struct aiScene *import(int fd, const char *path) {
  struct aiPropertyStore *options = aiCreatePropertyStore();
  struct aiFileIO io = {.OpenProc = open_file, .CloseProc = close_file};
  aiSetImportPropertyInteger(options, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, 1);
  gate.path = path;
  const struct aiScene *scene = aiImportFileExWithProperties(path, 0, &io, options);
  if (gate.refused[0]) {
    char reason[300];
    snprintf(reason, sizeof reason, "it names the file \"%s\", which is not in its folder",
             gate.refused);
    weft_reader_send_reason(fd, WEFT_FOREIGN_REFUSED, reason);
  }
  if (!scene) weft_reader_send_reason(fd, WEFT_FOREIGN_FAILED, aiGetErrorString());
  return scene;
}

/* Names of solids are read from the file itself. */
static weft_reader_solids solids_of(const char *path) {
  const char *dot = strrchr(path, '.');
  char *bytes;
  size_t length;
  if (!dot || strcasecmp(dot, ".stl") != 0) return (weft_reader_solids){0};
  if (weft_mesh_load(path, &bytes, &length, NULL) != WEFT_OK) return (weft_reader_solids){0};
  return (weft_reader_solids){bytes, bytes + length};
}

int weft_reader_main(int argc, char **argv) {
  if (argc != 3) return 2;
  weft_reader_job job = {.path = argv[0],
                         .seconds = (unsigned)strtoul(argv[1], NULL, 10),
                         .memory = strtoull(argv[2], NULL, 10)};
  const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  confine(&job);
  job.solids = solids_of(job.path);
  weft_reader_send_scene(fd, import(fd, job.path), &job);
  _exit(0); /* the importer's destructors have nothing to add */
}

const char *weft_reader_importer(void) {
  static char text[48];
  snprintf(text, sizeof text, "assimp %u.%u.%u", aiGetVersionMajor(), aiGetVersionMinor(),
           aiGetVersionPatch());
  return text;
}

#else

int weft_reader_main(int argc, char **argv) {
  (void)argc, (void)argv;
  weft_reader_send_reason(1, WEFT_FOREIGN_REFUSED,
                          "this build of weft reads OBJ only (it was built without assimp)");
}

const char *weft_reader_importer(void) { return "none: only OBJ is read"; }

#endif
