#!/usr/bin/env bash
# From a bare Debian 12 to a simulated garment: installs what is missing, builds Release, checks the
# GPU (or llvmpipe) against the CPU bit for bit, times both, and draws a picture, or opens the demo
# where there is a display.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck disable=SC2086 # a list
need_packages $build_packages

step() { printf '\n== %s\n' "$*"; }

step "building (Release) in build/release"
mkdir -p build
cmake --preset release -DWEFT_BUILD_TESTS=OFF >build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
cmake --build --preset release
weft=build/release/weft

step "weft info"
"$weft" info
step "weft validate skirt --frames 30"
"$weft" validate skirt --frames 30
step "weft bench --quick"
"$weft" bench --quick

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && "$weft" demo --help >/dev/null 2>&1; then
  step "weft demo"
  exec "$weft" demo
fi
# A quarter of the usual light samples: drawn on a CPU, the full number takes minutes.
set -- render skirt --frame 90 --samples 16 --width 960 --height 540 -o out/skirt.png
step "weft $*"
mkdir -p out
"$weft" "$@"
echo "picture: $PWD/out/skirt.png"
