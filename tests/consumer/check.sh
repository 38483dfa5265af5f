#!/usr/bin/env bash
# Installs weft into a folder, moves that folder, and builds and runs small programs against it with find_package and with
# pkg-config, against the static and the shared library. Arguments: build folder, CMake generator, C compiler, flags.
set -euo pipefail
. "$(dirname "$0")/helpers.bash" "$@"

install_weft
echo "== what the libraries show"
python3 "$here/symbols.py" "$prefix"

for kind in $kinds; do
  echo "== find_package, $kind"
  consume "$work/$kind" "$kind"
done
if cmake -S "$here" -B "$work/twice" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" -DTWICE=ON >"$work/twice.log" 2>&1; then
  complain "CMake lets a program link two libraries of weft"
elif ! grep -q "weft_library" "$work/twice.log"; then
  complain "$(cat "$work/twice.log")"
fi
printf 'cmake_minimum_required(VERSION 3.25)\nproject(asks LANGUAGES C)\nfind_package(weft 0.1 COMPONENTS core nonsense REQUIRED)\n' >"$work/CMakeLists.txt"
if cmake -S "$work" -B "$work/asks" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" >"$work/asks.log" 2>&1 || ! grep -q 'no component "nonsense"' "$work/asks.log"; then
  complain "a component that there is not: $(cat "$work/asks.log")"
fi

echo "== core alone: libc, libm and threads; no file, no process, no GL"
for core in "$prefix"/lib*/libweft-core.a; do
  foreign=$(nm -g "$core" | awk '$1 == "U" { print $2 }' |
    grep -E '^(weft_|json_|ai[A-Z]|gl[A-Z]|egl[A-Z]|glfw|v?fork|exec|posix_spawn|system|popen|dlopen|f?open|creat|unlink|rename|socket)' || true)
  [ -z "$foreign" ] || complain "weft::core calls $foreign"
done
for binary in "$work/static/core/consumer_core" "$prefix"/lib*/libweft-core.so; do
  needed=$(objdump -p "$binary" | awk '$1 == "NEEDED" { print $2 }' | grep -vE '^(lib(c|m|pthread)|ld-linux[^.]*)\.so' || true)
  [ -n "$flags" ] || [ -z "$needed" ] || complain "$binary needs $needed"
done

echo "== pkg-config"
with_gl=$([ "$(pkg-config --variable=gl weft)" = yes ] && echo -DWITH_GL || true)
# by_hand OUTPUT ARGUMENTS...
by_hand() {
  # shellcheck disable=SC2086 # lists of flags are meant to be split
  "$compiler" -std=c11 -Wall -Wextra -Werror $flags "${@:2}" -Wl,-rpath,"$(pkg-config --variable=libdir weft)" -o "$work/$1"
  echo "$1"
}
# shellcheck disable=SC2046,SC2086
for kind in $kinds; do
  libraries() { if [ $kind = static ]; then pkg-config --variable=static "$1"; else pkg-config --libs "$1"; fi; }
  by_hand consumer_$kind $with_gl -DWITH_KIT "$here/consumer.c" $(pkg-config --cflags weft) $(libraries weft)
  PATH=$(dirname "${weft:-.}"):$PATH WEFT_PROGRAM= "$work/consumer_$kind" ${weft:+"$work/quad.off"}
  by_hand consumer_core_$kind "$here/consumer.c" $(pkg-config --cflags weft-core) $(libraries weft-core)
  "$work/consumer_core_$kind"
  if [ -n "$with_gl" ]; then
    echo "== a GL loader of the program's own, $kind"
    glad=$build/generated/glad
    by_hand own_loader_$kind "$here/own_loader.c" -D_GNU_SOURCE -I"$glad/include" "$glad/src/gl.c" $(pkg-config --cflags weft-gl) $(libraries weft-gl) -ldl
    "$work/own_loader_$kind" || [ $? = 77 ] || complain "a GL loader of the program's own, $kind"
  fi
done

echo "== each public header alone, as C and as C++"
for header in "$prefix"/include/weft*/*.h; do
  "$compiler" -std=c11 -Wall -Wextra -Werror -I"$prefix/include" -x c -fsyntax-only -include "$header" /dev/null
  if command -v c++ >/dev/null; then
    c++ -std=c++11 -Wall -Wextra -Werror -I"$prefix/include" -x c++ -fsyntax-only -include "$header" /dev/null
  fi
done
finish
