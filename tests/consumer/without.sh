#!/usr/bin/env bash
# What can be left out is not missed: without GL; without files, the core alone; the program's reader without assimp; mistakes are
# told. parent.sh builds without GL. Arguments: as of check.sh.
set -euo pipefail
. "$(dirname "$0")/helpers.bash" "$@"
# configure FOLDER ARGUMENTS...
configure() {
  quietly "$work/configure.log" cmake -S "$root" -B "$work/$1" -G "$generator" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" \
    -DWEFT_WERROR=ON "${@:2}"
}
# has FOLDER PATTERN: the targets of this name.
has() { cmake --build "$work/$1" --target help | grep -oE "^weft[a-z_]*: phony|^test_[a-z_]+" | grep -E "$2" || true; }

configure no_gl -DWEFT_BUILD_GL=OFF
[ -z "$(has no_gl '^weft(_gl|_render|):')" ] || complain "without GL there is $(has no_gl '^weft(_gl|_render|):')"
[ -n "$(has no_gl 'weft_physics')" ] || complain "without GL there is no physics"

configure core -DWEFT_BUILD_GL=OFF -DWEFT_BUILD_KIT=OFF -DWEFT_BUILD_PROGRAM=OFF -DWEFT_BUILD_TESTS=OFF -DBUILD_SHARED_LIBS=OFF
[ -z "$(has core 'kit|room_io|physics|shared|test_')" ] || complain "the core alone has $(has core 'kit|room_io|physics|shared|test_')"
[ -n "$(has core 'weft_core_static')" ] || complain "the core alone is not there"
if cmake -S "$root" -B "$work/mistake" -G "$generator" -DWEFT_BUILD_KIT=OFF >"$work/mistake.log" 2>&1 || ! grep -q "WEFT_BUILD_KIT" "$work/mistake.log"; then
  complain "tests without the kit: $(cat "$work/mistake.log")"
fi

configure no_assimp -DWEFT_WITH_ASSIMP=OFF
quietly "$work/build.log" cmake --build "$work/no_assimp" --target weft_room_reader
finish
