/* replay.c: feeds a fuzzer without libFuzzer: every file of the folders that are named, and what
 * comes of them by random changes. The same every time. Usage: FUZZER CHANGES FOLDER... */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <string.h>

#include "base.h"
#include "fuzz.h"

enum { LONGEST = 1 << 16 };

static uint8_t seed[LONGEST], changed[2 * LONGEST];

static uint32_t below(weft_rng *rng, size_t bound) {
  return (uint32_t)(weft_rng_u32(rng) % (bound ? bound : 1));
}

/* Overwrites, takes out or doubles a stretch, or puts in something that means something. */
static size_t change(weft_rng *rng, size_t size) {
  static const char *const words[] = {"\n",  " ",       "/",  "-",   "1e999", "4294967296",
                                      "nan", "f 1 2 3", "v ", "g a", "\\\n",  "=",
                                      ",",   "--",      "0x", "."};
  size_t at = below(rng, size + 1), rest = size - at,
         length = below(rng, rest < 40 ? rest + 1 : 40);
  const char *word = words[below(rng, sizeof words / sizeof *words)];
  switch (below(rng, 4)) {
    case 0:
      if (at < size) changed[at] = (uint8_t)weft_rng_u32(rng);
      return size;
    case 1:
      memmove(changed + at, changed + at + length, rest - length);
      return size - length;
    case 2:
      if (size + length > LONGEST) return size;
      memmove(changed + at + length, changed + at, rest);
      return size + length;
    default:
      if (size + strlen(word) > LONGEST) return size;
      memmove(changed + at + strlen(word), changed + at, rest);
      memcpy(changed + at, word, strlen(word));
      return size + strlen(word);
  }
}

static void feed(const char *path, uint32_t changes) {
  FILE *file = fopen(path, "rb");
  EXPECT(file);
  size_t size = fread(seed, 1, LONGEST, file);
  fclose(file);
  LLVMFuzzerTestOneInput(seed, size);
  weft_rng rng = weft_rng_seed(weft_hash_bytes(WEFT_HASH_SEED, seed, size));
  for (uint32_t k = 0; k < changes; ++k) {
    memcpy(changed, seed, size);
    size_t length = size;
    for (uint32_t n = 1 + below(&rng, 6); n > 0; --n) length = change(&rng, length);
    LLVMFuzzerTestOneInput(changed, length);
  }
}

int main(int argc, char **argv) {
  EXPECT(argc > 2);
  uint32_t files = 0, changes = (uint32_t)strtoul(argv[1], NULL, 10);
  for (int k = 2; k < argc; ++k) {
    DIR *folder = opendir(argv[k]);
    EXPECT(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", argv[k], entry->d_name);
      if (entry->d_name[0] == '.') continue;
      feed(path, changes);
      ++files;
    }
    closedir(folder);
  }
  printf("%u files, %u changes of each\n", files, changes);
  return files == 0;
}
