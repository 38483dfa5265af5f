#!/usr/bin/env bash
# Fuzzes the readers of OBJ files, scene files, moving bodies, headers of other formats, saved states and command lines with libFuzzer under AddressSanitizer and
# UBSan, and cloth in contact by scenes drawn at random, on all backends.
#   scripts/fuzz.sh [SECONDS [NAME...]]   obj, scene, motion, header, checkpoint, options, contact (default: all) for so long each, 300 unless told;
#                                         status 1 where one finds something
# Inputs that reach new code are kept in build/fuzz/NAME and are where the next run starts; what breaks a
# promise stands in build/fuzz/NAME-crash-*, to be given to build/fuzz/tests/fuzz_NAME once more. Scenes of contact go on where the
# last run ended, build/fuzz/contact-next; one that is found is printed as a line that runs it again, with build/fuzz-contact/tests/fuzz_contact.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-300}
case $seconds in
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *[!0-9]*) echo "fuzz.sh: \"$seconds\" is no number of seconds; see --help" >&2; exit 2 ;;
esac
[ $# = 0 ] || shift
names=("$@")
[ $# -gt 0 ] || names=(obj scene motion header checkpoint options contact)
for name in "${names[@]}"; do
  case $name in
    obj | scene | motion | header | checkpoint | options | contact) ;;
    *) echo "fuzz.sh: \"$name\" is no fuzzer; see --help" >&2; exit 2 ;;
  esac
done

# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck disable=SC2086 # lists
need_packages $build_packages $test_packages $clang_packages

failed=0
# bytes NAME: gives libFuzzer's bytes to a reader.
bytes() {
  local text=1
  case $1 in motion | header | checkpoint) text=0 ;; esac
  cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
    -DCMAKE_CXX_COMPILER=clang++ -DWEFT_FUZZ=ON -DWEFT_BUILD_GL=OFF -DWEFT_WITH_ASSIMP=OFF >/dev/null
  cmake --build build/fuzz --target "fuzz_$1"
  mkdir -p "build/fuzz/$1"
  "build/fuzz/tests/fuzz_$1" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -only_ascii=$text -artifact_prefix="build/fuzz/$1-" "build/fuzz/$1" "tests/fuzz/seeds/$1" 2>&1 |
    grep -vE '# Uses:|^#[0-9]+.*(NEW|REDUCE|RELOAD)|recommended dictionary' || failed=1
}

# Without sanitizers, which slow the driver's compiler down and find its leaks.
contact() {
  local next=1 ran out=build/fuzz/contact.txt
  cmake -S . -B build/fuzz-contact -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build build/fuzz-contact --target fuzz_contact
  mkdir -p build/fuzz
  [ ! -e build/fuzz/contact-next ] || next=$(cat build/fuzz/contact-next)
  LIBGL_ALWAYS_SOFTWARE=1 WEFT_EGL_DEVICE=software \
    build/fuzz-contact/tests/fuzz_contact "$seconds" "$next" | tee "$out" || failed=1
  ran=$(sed -n 's/^\([0-9]*\) scenes,.*/\1/p' "$out")
  echo $((next + ${ran:-0})) >build/fuzz/contact-next
}

for name in "${names[@]}"; do
  echo "== $name, $seconds s"
  if [ "$name" = contact ]; then contact; else bytes "$name"; fi
done
exit $failed
