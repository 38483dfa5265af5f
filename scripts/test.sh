#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests, on llvmpipe unless WEFT_TEST_GPU=1.
#   scripts/test.sh           installs what is missing, builds Release in build/test, runs CTest
#   scripts/test.sh --asan    the same under AddressSanitizer and UBSan (tests of core and gl)
set -euo pipefail
cd "$(dirname "$0")/.."

asan=no
for argument in "$@"; do
  case $argument in
    --asan) asan=yes ;;
    -h | --help) sed -n '2,4s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "test.sh: unknown argument \"$argument\"; see --help" >&2; exit 2 ;;
  esac
done

# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck disable=SC2086 # lists
need_packages $build_packages $test_packages

if [ "${WEFT_TEST_GPU:-0}" != 1 ]; then
  export WEFT_EGL_DEVICE=software LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
  export __GLX_VENDOR_LIBRARY_NAME=mesa
fi

jobs=$(nproc)
if [ $asan = yes ]; then
  cmake --preset asan
  cmake --build --preset asan
  exec ctest --preset asan --parallel "$jobs"
fi
cmake -S . -B build/test -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_WERROR=ON \
  ${WEFT_MESH_DIR:+"-DWEFT_MESH_DIR=$WEFT_MESH_DIR"}
cmake --build build/test
exec ctest --test-dir build/test --output-on-failure --parallel "$jobs"
