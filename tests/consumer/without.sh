#!/usr/bin/env bash
# What can be left out: without GL, and without files the core alone, installed and built against; the program's reader without
# assimp. Arguments: as of check.sh.
set -euo pipefail
. "$(dirname "$0")/helpers.bash" "$@"
# configure FOLDER ARGUMENTS...
configure() {
  quietly "$work/configure.log" cmake -S "$root" -B "$work/$1" -G "$generator" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS="$flags" -DWEFT_WERROR=ON "${@:2}"
}

echo "== no GL"
configure no_gl -DWEFT_BUILD_GL=OFF
quietly "$work/build.log" cmake --build "$work/no_gl" --target weft_core_static weft_core_shared weft_all_static weft_all_shared test_log
"$work/no_gl/tests/test_log"
install_weft "$work/no_gl"
[ -z "$weft" ] || complain "there is a program without GL"
[ -z "$(find "$prefix" -path '*weft_gl*')" ] || complain "there are headers without GL"
for kind in $kinds; do consume "$work/$kind" "$kind"; done
python3 "$here/symbols.py" "$prefix"

echo "== the core alone"
configure core -DWEFT_BUILD_GL=OFF -DWEFT_BUILD_KIT=OFF -DWEFT_BUILD_PROGRAM=OFF -DWEFT_BUILD_TESTS=OFF -DBUILD_SHARED_LIBS=OFF
cmake --build "$work/core" --target help | grep -E "weft_(kit|room_io|physics|render|cli)\b" && complain "the core alone has more than the core"

echo "== no assimp"
configure no_assimp -DWEFT_WITH_ASSIMP=OFF
quietly "$work/build.log" cmake --build "$work/no_assimp" --target weft_room_reader
finish
