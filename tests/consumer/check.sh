#!/usr/bin/env bash
# Installs weft into a folder, moves that folder, and builds and runs a small program against it
# with find_package and with pkg-config. Arguments: build folder, CMake
# generator, C compiler, flags.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 generator=$2 compiler=$3 flags=${4-}
# The consumer lets the driver be unloaded; what a driver never frees would then have no name that a
# suppression could give.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix" # nothing may remember where it was installed

echo "== find_package"
cmake -S "$here" -B "$work/cmake" -G "$generator" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" >"$work/configure.log"
cmake --build "$work/cmake" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
printf 'OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n' >"$work/quad.off"
weft=$(find "$work/prefix" -path '*/bin/weft')
WEFT_PROGRAM=$weft "$work/cmake/consumer" ${weft:+"$work/quad.off"}
"$work/cmake/consumer_core"

echo "== core alone: libc, libm and threads; no file, no process, no GL"
core=$(find "$work/prefix" -name libweft_core.a)
foreign=$(nm -g "$core" 2>/dev/null | awk '$1 == "U" { asked[$2] } NF == 3 { there[$3] }
  END { for (name in asked) if (!(name in there)) print name }' |
  grep -E '^(json_|ai[A-Z]|gl[A-Z]|egl[A-Z]|glfw|v?fork|exec|posix_spawn|system|popen|dlopen|f?open|creat|unlink|rename|socket)' || true)
[ -z "$foreign" ] || { echo "weft::core calls $foreign"; exit 1; }
if [ -z "$flags" ]; then
  needed=$(objdump -p "$work/cmake/consumer_core" | awk '$1 == "NEEDED" { print $2 }' | grep -vE '^(lib(c|m|pthread)|ld-linux[^.]*)\.so' || true)
  [ -z "$needed" ] || { echo "a program of weft::core needs $needed"; exit 1; }
fi

echo "== pkg-config"
pc=$(find "$work/prefix" -name weft.pc -printf '%h\n')
export PKG_CONFIG_PATH="$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
with_gl=$([ "$(pkg-config --variable=gl weft)" = yes ] && echo -DWITH_GL || true)
# shellcheck disable=SC2046,SC2086 # lists of flags are meant to be split
"$compiler" -std=c11 -Wall -Wextra -Werror $flags $with_gl -DWITH_KIT "$here/consumer.c" -o "$work/consumer" \
  $(pkg-config --cflags --libs weft)
PATH=$(dirname "${weft:-.}"):$PATH WEFT_PROGRAM= "$work/consumer" ${weft:+"$work/quad.off"}
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c11 -Wall -Wextra -Werror $flags "$here/consumer.c" -o "$work/consumer_core" $(pkg-config --cflags --libs weft-core)
"$work/consumer_core"

echo "== each public header alone, as C and as C++"
for header in "$work"/prefix/include/weft*/*.h; do
  "$compiler" -std=c11 -Wall -Wextra -Werror -I"$work/prefix/include" -x c -fsyntax-only \
    -include "$header" /dev/null
  if command -v c++ >/dev/null; then
    c++ -std=c++11 -Wall -Wextra -Werror -I"$work/prefix/include" -x c++ -fsyntax-only \
      -include "$header" /dev/null
  fi
done
