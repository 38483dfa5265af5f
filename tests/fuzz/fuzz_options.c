/* Command lines: whatever the arguments, values within what the table allows or one sentence. Every
 * line of the input is an argument. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "options.h"

typedef struct values {
  bool flag, count_given;
  const char *text, *optional;
  uint32_t count;
  uint64_t seed;
  float number;
  weft_vec3 vector;
  int choice;
  float list[3];
} values;

static weft_result take_list(void *base, const char *text, weft_error *err) {
  return weft_read_numbers("--list", text, -1, 1, 3, ((values *)base)->list, err);
}

static const char *const choices[] = {"gs", "jacobi", "hybrid", NULL};

#define AT(member) .offset = offsetof(values, member)
static const weft_option table[] = {
    {.name = "flag", .letter = 'f', .kind = WEFT_OPTION_FLAG, .help = "", AT(flag)},
    {.name = "text", .letter = 'o', .kind = WEFT_OPTION_TEXT, .argument = "T", AT(text)},
    {.name = "optional", .kind = WEFT_OPTION_OPTIONAL, .argument = "T", AT(optional)},
    {.name = "count",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .low = 1,
     .high = 1000,
     .given = offsetof(values, count_given),
     AT(count)},
    {.name = "seed", .kind = WEFT_OPTION_SEED, .argument = "N", AT(seed)},
    {.name = "number",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "X",
     .low = -2,
     .high = 3.5,
     AT(number)},
    {.name = "vector",
     .kind = WEFT_OPTION_VECTOR,
     .argument = "X,Y,Z",
     .low = -9,
     .high = 9,
     AT(vector)},
    {.name = "choice", .kind = WEFT_OPTION_CHOICE, .argument = "C", .choices = choices, AT(choice)},
    {.name = "list", .kind = WEFT_OPTION_CUSTOM, .argument = "A,B,C", .take = take_list},
};

static bool within(float value, float low, float high) { return value >= low && value <= high; }

static void expect_within(const values *v) {
  EXPECT(!v->count_given || (v->count >= 1 && v->count <= 1000));
  EXPECT(within(v->number, -2, 3.5f));
  EXPECT(within(v->vector.x, -9, 9) && within(v->vector.y, -9, 9) && within(v->vector.z, -9, 9));
  EXPECT(v->choice >= 0 && v->choice < 3);
  for (int k = 0; k < 3; ++k) EXPECT(within(v->list[k], -1, 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  enum { MOST = 64 };
  char *line = malloc(size + 1), *arguments[MOST] = {"fuzz"};
  EXPECT(line);
  memcpy(line, bytes, size);
  line[size] = 0;
  int count = 1;
  for (char *at = strtok(line, "\n"); at && count < MOST; at = strtok(NULL, "\n")) {
    arguments[count++] = at;
  }
  values v = {.choice = 0};
  const weft_option_set set = {"Fuzzed", table, sizeof table / sizeof *table, &v, NULL};
  weft_positionals positionals;
  weft_help help = WEFT_HELP_NONE;
  weft_error err = {0};
  weft_result result = weft_options_parse(&set, 1, count, arguments, &positionals, &help, &err);
  if (result == WEFT_OK) {
    expect_within(&v);
    EXPECT(positionals.count <= WEFT_MAX_POSITIONALS);
  } else {
    EXPECT(err.code == result && err.message[0]);
  }
  free(line);
  return 0;
}
