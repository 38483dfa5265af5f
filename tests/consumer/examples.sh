#!/usr/bin/env bash
# The programs of examples/ against an installed weft, by CMake and by pkg-config, and what they print. Arguments: as of check.sh.
set -euo pipefail
. "$(dirname "$0")/helpers.bash" "$@"
install_weft
strict="-Wall -Wextra -Wshadow -Wconversion -Werror $flags"

quietly "$work/configure.log" cmake -S "$root/examples" -B "$work/cmake" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$strict" -DCMAKE_CXX_FLAGS="$strict"
quietly "$work/build.log" cmake --build "$work/cmake"

# prints NAME PATTERN [ARGUMENTS...]: one line that the pattern matches, the same from the program that is built by hand.
prints() {
  local name=$1 pattern=$2 line source hand=("$compiler" -std=c11)
  shift 2
  line=$("$work/cmake/$name" "$@") || complain "$name failed"
  echo "$line"
  [ "$(wc -l <<<"$line")" = 1 ] && grep -qE "^$name: $pattern$" <<<"$line" || complain "$name should print \"$pattern\""
  source=$(ls "$root/examples/$name".c*)
  if [[ $source = *.cpp ]]; then hand=(c++ -std=c++17); fi
  # shellcheck disable=SC2046,SC2086 # lists of flags are meant to be split
  "${hand[@]}" $strict "$source" -o "$work/$name" $(pkg-config --cflags --libs weft) -Wl,-rpath,"$(pkg-config --variable=libdir weft)"
  [ "$("$work/$name" "$@")" = "$line" ] || complain "$name by pkg-config prints \"$("$work/$name" "$@")\""
}
prints hang 'lowest -0\.[0-9]+ m, strain p99 0\.[0-9]+ %, at most [0-9.]+ m/s, hash [0-9a-f]{16}' "$work/sheet.obj"
if [ -n "$weft" ]; then
  hash=$("$weft" simulate "$work/sheet.obj" --pin corners --frames 60 --self-collision off --air-density 0 | awk '$1 == "hash" { print $2 }')
  grep -q "hash $hash$" <<<"$("$work/hang")" || complain "hang and weft simulate differ: $hash"
fi
prints batch '8 cloths, lowest -[01]\.[0-9]+ m to -[01]\.[0-9]+ m, 8 as alone'
prints body '120 frames, top 0\.[0-9]+ m, 0 particles inside, strain p99 [0-3]\.[0-9]+ %, hash [0-9a-f]{16}'

# Each file is a program, and one that is checked, here or by a script of its name.
for source in "$root"/examples/*.c "$root"/examples/*.cpp; do
  name=$(basename "$source")
  grep -q "$name" "$root/examples/CMakeLists.txt" || complain "examples/CMakeLists.txt has no $name"
  [ -e "$root/tests/examples/${name%.*}.sh" ] || grep -q "^prints ${name%.*} " "$0" || complain "$0 does not run $name"
done
finish
