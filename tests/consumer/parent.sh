#!/usr/bin/env bash
# weft as a part of a C++ project, by FetchContent; built without GL, and then installed with that project, static alone.
# Arguments: as of check.sh.
set -euo pipefail
. "$(dirname "$0")/helpers.bash" "$@"
# parent FOLDER ARGUMENTS...
parent() {
  quietly "$work/configure.log" cmake -S "$here/parent" -B "$work/$1" -G "$generator" -DWEFT="$root" "${@:2}"
}

echo "== with GL: settings, and that its loader and shaders are made where they belong"
parent gl
quietly "$work/build.log" cmake --build "$work/gl" --target weft_glad weft_shaders weft_room_gl

echo "== without"
parent no_gl -DWEFT_BUILD_GL=OFF -DWEFT_INSTALL=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0
quietly "$work/build.log" cmake --build "$work/no_gl"
"$work/no_gl/parent"
install_weft "$work/no_gl"
[ "$kinds" = static ] && [ -z "$weft" ] || complain "installs what was not asked for: $kinds $weft"
[ -z "$(find "$prefix" -path '*weft[_-]gl*')" ] || complain "there is something of GL: $(find "$prefix" -path '*weft[_-]gl*')"
python3 "$here/symbols.py" "$prefix"
consume "$work/static" static
# shellcheck disable=SC2046,SC2086 # lists of flags are meant to be split
"$compiler" -std=c11 $flags "$here/consumer.c" -o "$work/consumer" $(pkg-config --cflags --libs weft)
"$work/consumer"
finish
