/* inputs.c: files that a run reads, known by device and inode. */
#define _POSIX_C_SOURCE 200809L
#include "inputs.h"

#include <string.h>
#include <sys/stat.h>

#include "sequence.h"

typedef struct file {
  dev_t device;
  ino_t inode;
} file;

typedef struct files {
  file *items;
  size_t count, space;
} files;

/* Devices and pipes hold nothing that could be lost. */
static bool find_file(const char *path, file *found) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  *found = (file){info.st_dev, info.st_ino};
  return true;
}

static void add_file(const char *path, void *user) {
  files *f = user;
  file found;
  if (!find_file(path, &found)) return;
  weft_grow((void **)&f->items, &f->space, f->count + 1, sizeof *f->items);
  f->items[f->count++] = found;
}

/* What is wrong with a name is for its reader to say. */
static void add_named(files *f, const char *path) {
  if (!path) return;
  if (weft_is_sequence(path)) {
    weft_sequence_list(path, add_file, f, NULL);
  } else {
    add_file(path, f);
  }
}

static void add_all(files *f, const weft_cli_options *o) {
  add_named(f, o->setup.mesh);
  add_named(f, o->texture);
  for (size_t k = 0; k < sizeof o->reads / sizeof *o->reads; ++k) add_named(f, o->reads[k]);
  for (uint32_t b = 0; b < o->setup.body_count; ++b) {
    add_named(f, o->setup.bodies[b].file);
    add_named(f, o->setup.bodies[b].motion);
  }
}

/* "-" is standard output. */
static bool have(const files *f, const char *path) {
  file wanted;
  if (strcmp(path, "-") == 0 || !find_file(path, &wanted)) return false;
  for (size_t k = 0; k < f->count; ++k) {
    if (f->items[k].device == wanted.device && f->items[k].inode == wanted.inode) return true;
  }
  return false;
}

weft_result weft_cli_protect_inputs(const weft_cli_options *options, const char *path,
                                    const weft_numbered *pattern, uint64_t first, uint64_t last,
                                    weft_error *err) {
  files f = {0};
  weft_result result = WEFT_OK;
  char name[WEFT_LONGEST_PATH];
  add_all(&f, options);
  if (!pattern->numbered) last = first;
  for (uint64_t k = first; k <= last && f.count > 0 && result == WEFT_OK; ++k) {
    weft_numbered_name(path, pattern, k, name, sizeof name);
    if (!have(&f, name)) continue;
    result = weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "%.3000s: is an input of this run, and is not overwritten", name);
  }
  weft_free(f.items);
  return result;
}
