#!/usr/bin/env bash
# C and C++ programs by gcc and clang, against the static and the shared library. Arguments: as of check.sh.
set -euo pipefail
. "$(dirname "$0")/helpers.bash" "$@"
install_weft
for pair in gcc:g++ clang:clang++; do
  if ! command -v "${pair%:*}" >/dev/null || ! command -v "${pair#*:}" >/dev/null; then
    echo "$pair: not on this machine"
    continue
  fi
  compiler=${pair%:*}
  for kind in $kinds; do
    echo "== $pair, $kind"
    consume "$work/$compiler-$kind" "$kind" -DCMAKE_CXX_COMPILER="${pair#*:}"
  done
done
finish
