/* importing.c: how options want the file of the cloth to be read. */
#include "cli.h"

weft_import_desc weft_cli_import_desc(const weft_cli_options *o) {
  const float degree = 0.017453292f;
  return (weft_import_desc){.groups = o->group,
                            .scale = o->scale * o->unit,
                            .up = (weft_up)o->up,
                            .turn = weft_v3_scale(o->turn, degree),
                            .move = o->move,
                            .weld = o->weld,
                            .weld_distance = o->weld_distance};
}
