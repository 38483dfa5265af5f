#!/usr/bin/env bash
# Fuzzes the readers of OBJ files, moving bodies, headers of other formats and command lines with libFuzzer under AddressSanitizer and UBSan.
#   scripts/fuzz.sh [SECONDS]   each for so long, 300 unless told; stops with status 1 at what it finds
# Inputs that reach new code are kept in build/fuzz/NAME and are where the next run starts; what breaks a
# promise stands in build/fuzz/NAME-crash-*, to be given to build/fuzz/tests/fuzz_NAME once more.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-300}
case $seconds in
  -h | --help) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *[!0-9]*) echo "fuzz.sh: \"$seconds\" is no number of seconds; see --help" >&2; exit 2 ;;
esac

# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck disable=SC2086 # lists
need_packages $build_packages $test_packages $clang_packages

cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
  -DCMAKE_CXX_COMPILER=clang++ -DWEFT_FUZZ=ON -DWEFT_BUILD_GL=OFF -DWEFT_WITH_ASSIMP=OFF
cmake --build build/fuzz --target fuzz_obj fuzz_motion fuzz_header fuzz_options
failed=0
for name in obj motion header options; do
  echo "== $name, $seconds s"
  text=1
  case $name in motion | header) text=0 ;; esac
  mkdir -p "build/fuzz/$name"
  build/fuzz/tests/fuzz_$name -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -only_ascii=$text -artifact_prefix="build/fuzz/$name-" "build/fuzz/$name" "tests/fuzz/seeds/$name" 2>&1 |
    grep -vE '# Uses:|^#[0-9]+.*(NEW|REDUCE|RELOAD)|recommended dictionary' || failed=1
done
exit $failed
