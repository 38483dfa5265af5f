/* opt_fit.c: what came of --dress. */
#include "cli.h"

void weft_cli_tell_fit(const weft_scene_instance *scene) {
  const weft_fit_report *r = &scene->fitted;
  if (!(scene->fitted_in > 0)) return;
  const weft_fit_state *b = &r->before, *a = &r->after;
  if (r->frames == 0) {
    weft_log(WEFT_LOG_WARNING, "--dress: the cloth is outside of all bodies already");
    return;
  }
  printf("dressed in %u frames, %.3g s; bodies were eroded by %.3g mm at most\n", r->frames,
         scene->fitted_in, 1e3 * r->eroded);
  printf("  %-22s %12s  %12s\n", "", "before", "after");
  printf("  %-22s %12s  %12s\n", "particles inside", weft_cli_grouped(b->inside),
         weft_cli_grouped(a->inside));
  printf("  %-22s %12s  %12s\n", "pairs with bodies", weft_cli_grouped(b->with_bodies),
         weft_cli_grouped(a->with_bodies));
  printf("  %-22s %12s  %12s\n", "pairs with itself", weft_cli_grouped(b->with_itself),
         weft_cli_grouped(a->with_itself));
  printf("  %-22s %10.3g %%  %10.3g %%\n", "strain p99", 100 * b->strain_p99, 100 * a->strain_p99);
}
