/* Linked into sanitized programs only: libraries stay loaded until the end, so that the leak
 * checker can name the module of a driver's leaks, and tests/lsan.supp can tell them from ours. */
int dlclose(void *handle);
int dlclose(void *handle) {
  (void)handle;
  return 0;
}
