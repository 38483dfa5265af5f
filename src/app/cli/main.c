/* main.c: the command table. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <jansson.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>
#include <unistd.h>
#include <weft/version.h>

#include "cli.h"
#include "foreign_pipe.h"
#include "interrupt.h"
#include "reader.h"

typedef struct command {
  const char *name;
  const char *summary;
  int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"demo", "open a window and play with cloth", weft_cmd_demo},
    {"simulate", "run a scene or mesh, print what came out, write it", weft_cmd_simulate},
    {"validate", "compare GPU and CPU reference bit by bit; --physics: with theory",
     weft_cmd_validate},
    {"render", "draw frames to PNGs or a video, without a display", weft_cmd_render},
    {"bench", "time scenes or your own cloth, sizes and backends", weft_cmd_bench},
    {"verify", "run again what simulate --log wrote, compare every frame", weft_cmd_verify},
    {"plot", "draw what simulate --log wrote", weft_cmd_plot},
    {"scene", "write a scene or your own cloth as a scene file", weft_cmd_scene},
    {"inspect", "what a mesh suffers from, and what cloth it makes", weft_cmd_inspect},
    {"info", "version, driver, limits, scenes, fabrics: for bug reports", weft_cmd_info},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_exits(void) {
  static const struct {
    int status;
    const char *meaning;
  } exits[] = {
#define WEFT_EXIT(name, status, meaning) {status, meaning},
#include "exits.def"
#undef WEFT_EXIT
  };
  printf("\nExit status:\n");
  for (size_t k = 0; k < sizeof exits / sizeof *exits; ++k) {
    const char *text = exits[k].meaning;
    printf(" %3d  ", exits[k].status);
    for (; *text; ++text) printf(*text == '\n' ? "\n      " : "%c", *text);
    printf("\n");
  }
}

static void print_scenes(void) {
  printf("\nScenes:\n");
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    printf("  %-10s %s\n", weft_scene_at(k)->name, weft_scene_at(k)->summary);
  }
}

static void print_scene_names(void) {
  enum { WIDTH = 90 };
  printf("\nScenes:");
  int column = WIDTH;
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    const char *name = weft_scene_at(k)->name;
    const int length = (int)strlen(name) + 2;
    if (column + length > WIDTH) printf("\n ");
    column = column + length > WIDTH ? length : column + length;
    printf(" %s%s", name, weft_scene_at(k + 1) ? "," : "\n");
  }
}

static void print_help(bool all) {
  printf(
      "weft simulates cloth on the GPU and proves the result against a CPU reference, bit for "
      "bit.\n\nusage: weft COMMAND [SCENE|FILE] [options]\n\nCommands:\n");
  for (size_t k = 0; k < COMMAND_COUNT; ++k) {
    printf("  %-10s %s\n", commands[k].name, commands[k].summary);
  }
  (all ? print_scenes : print_scene_names)();
  printf(
      "\nExamples:\n"
      "  weft demo skirt\n"
      "  weft simulate skirt --frames 120 -o skirt.obj\n"
      "  weft simulate shirt.obj --pin top --fabric tshirt\n"
      "\nGeneral:\n"
      "  weft COMMAND --help         the options that most people use\n"
      "  weft COMMAND --help all     every option, with unit and default\n"
      "  weft --help all             what the scenes are, and every exit status\n"
      "  weft --version              the version alone\n");
  if (all) print_exits();
}

static int unknown_command(const char *name) {
  const char *names[COMMAND_COUNT];
  char list[128] = "";
  for (size_t k = 0; k < COMMAND_COUNT; ++k) {
    names[k] = commands[k].name;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", names[k]);
  }
  const char *near = weft_nearest_name(name, names, COMMAND_COUNT);
  if (near) return weft_cli_usage("unknown command \"%s\", did you mean %s?", name, near);
  return weft_cli_usage("unknown command \"%s\", the commands are %s", name, list);
}

static int run(int argc, char **argv) {
  if (argc < 2) return weft_cli_usage("name a command, see weft --help");
  const char *name = argv[1];
  const weft_help help = weft_help_asked(argc, argv, 1);
  if (help) {
    print_help(help == WEFT_HELP_ALL);
    return WEFT_EXIT_OK;
  }
  if (!strcmp(name, "--version")) {
    printf("weft %s\n", WEFT_VERSION);
    return WEFT_EXIT_OK;
  }
  for (size_t k = 0; k < COMMAND_COUNT; ++k) {
    if (strcmp(commands[k].name, name) != 0) continue;
    weft_cli_set_command(commands[k].name);
    return commands[k].run(argc - 1, argv + 1);
  }
  return unknown_command(name);
}

static void *json_alloc(size_t bytes) { return weft_alloc(bytes, 1); }

/* glibc moves the size from which arrays have pages of their own up to the largest that was freed.
 * What lies below stays with the process when it is freed, and is copied where it grows. */
static void give_memory_back(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

/* Another copy of this program reads formats other than OBJ. */
static void set_reader(char *own_name) {
  const char *self = "/proc/self/exe";
  weft_mesh_set_reader(access(self, X_OK) == 0 ? self : own_name);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], WEFT_FOREIGN_COMMAND) == 0) {
    return weft_reader_main(argc - 2, argv + 2);
  }
  set_reader(argv[0]);
  give_memory_back();
  weft_cli_log_level(WEFT_LOG_WARNING);
  weft_interrupt_install();
  weft_memory_set_last_resort(weft_cli_out_of_memory, NULL);
  json_set_alloc_funcs(json_alloc, weft_free);
  int status = run(argc, argv);
  /* What was printed counts as output: a full disk behind stdout is an error too. */
  if ((fflush(stdout) != 0 || ferror(stdout)) && status == WEFT_EXIT_OK) {
    weft_error err = {.code = WEFT_ERROR_FILE};
    snprintf(err.message, sizeof err.message, "standard output: cannot write: %s", strerror(errno));
    status = weft_cli_fail_output(&err);
  }
  return status;
}
