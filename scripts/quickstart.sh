#!/usr/bin/env bash
# From a bare Debian 12 to cloth: installs what is missing, builds, draws a skirt (or opens the demo where there is
# a display), times six rows, and compares OpenGL with the reference bit by bit. Details go to build/quickstart.log.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build out
log=build/quickstart.log
: >"$log"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

terminal=no bold='' green='' plain=''
if [ -t 1 ]; then terminal=yes bold=$'\033[1m' green=$'\033[32m' plain=$'\033[0m'; fi
say() { printf '%s\n' "$*" | tee -a "$log"; }
stop() { # stop TEXT: with the end of the log, which says why
  tail -n 15 "$log" >&2
  echo "quickstart: $1; all of it is in $log" >&2
  exit 1
}
since() { echo $(($(date +%s) - $1)); }
# details COMMAND...: into the log alone.
details() { { printf '\n$ %s\n' "$*" && "$@" </dev/null; } >>"$log" 2>&1; }

# shellcheck disable=SC2086 # a list
packages_log=$log need_packages $build_packages
say "packages   all that building takes is installed"
start=$(date +%s)
details cmake --preset release -DWEFT_BUILD_TESTS=OFF || stop "the build could not be configured"
if [ $terminal = yes ]; then printf 'build      ...'; fi
if ! NINJA_STATUS='[%f/%t] ' cmake --build --preset release </dev/null 2>&1 | tee -a "$log" |
  while read -r line; do
    case $line in
      \[*/*) if [ $terminal = yes ]; then printf '\rbuild      %s\033[K' "${line%%]*}]"; fi ;;
    esac
  done; then
  echo
  stop "the build failed"
fi
if [ $terminal = yes ]; then printf '\r\033[K'; fi
say "build      $(since "$start") s, build/release/weft"
weft=build/release/weft

start=$(date +%s)
picture=out/skirt.png
set -- render skirt --size 36 --frame 75 --draft --width 800 --height 450 -o "$picture"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ $terminal = yes ] && say "window     weft demo; Escape closes it, and this goes on" &&
  details "$weft" demo; then
  :
else
  details "$weft" "$@" || stop "weft $* failed"
  say "picture    $PWD/$picture, $(since "$start") s after the build"
  say "           weft $*"
fi

say "times      weft bench --quick"
status=0
"$weft" bench --quick 2>>"$log" | tee -a "$log" | sed "1s/.*/$bold&$plain/; s/^/           /" || status=$?
if [ $status -gt 1 ]; then stop "weft bench --quick failed"; fi # 1: no OpenGL here, the rest is timed

set -- validate skirt --size 36 --frames 30
status=0
details "$weft" "$@" || status=$?
say "compared   weft $*, after every substep"
case $status in
  0) say "           $green$(sed -n 's/^  EQUAL in every bit: //p' "$log" | tail -n 1)$plain" ;;
  77) say "           not possible: there is no OpenGL 4.3 here" ;;
  *) stop "weft $*: status $status" ;;
esac
say "next       $weft --help; details are in $log"
