#!/usr/bin/env bash
# weft as a part of a C++ project, by FetchContent. Arguments: as of check.sh.
set -euo pipefail
. "$(dirname "$0")/helpers.bash" "$@"
quietly "$work/configure.log" cmake -S "$here/parent" -B "$work/parent" -G "$generator" -DWEFT="$root" -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_C_FLAGS=-O1
quietly "$work/build.log" cmake --build "$work/parent" --target parent
"$work/parent/parent"
[ -z "$(find "$work/parent" -name 'libweft*.so*')" ] || complain "a shared library that was not asked for"
quietly "$work/install.log" cmake --install "$work/parent" --prefix "$work/nothing"
[ -z "$(find "$work/nothing" -type f 2>/dev/null)" ] || complain "installs what was not asked for: $(find "$work/nothing" -type f)"
finish
