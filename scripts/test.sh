#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests, on llvmpipe unless WEFT_TEST_GPU=1.
#   scripts/test.sh           installs what is missing, builds Release in build/test, runs the suite
#   scripts/test.sh --all     and what takes long: what continuous integration runs, with the recipes of docs/extending.md
#   scripts/test.sh --quick   style, units, the oracle and a few runs on every backend alone: a minute or two once built
#   scripts/test.sh --long    only the long forms of tests, which leave no setting and no case out
#   scripts/test.sh --clang   the same with clang, in build/clang
#   scripts/test.sh --asan    under AddressSanitizer and UBSan, in build/asan (tests of core and gl)
# What follows a -- goes to CTest: scripts/test.sh --asan -- -R unit
set -euo pipefail
cd "$(dirname "$0")/.."

job=test only=(-LE full) target=()
while [ $# -gt 0 ]; do
  case $1 in
    --all) only=(-C extend) ;;
    --quick) only=(-L quick) target=(--target quick) ;;
    --long) only=(-C long -L long) ;;
    --clang) job=clang ;;
    --asan) job=asan ;;
    --) shift; [ "${only[*]}" != "-LE full" ] || only=(); break ;; # whoever names tests may name any
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "test.sh: unknown argument \"$1\"; see --help" >&2; exit 2 ;;
  esac
  shift
done

# shellcheck source=scripts/packages.sh
. scripts/packages.sh
packages="$build_packages $test_packages"
if [ $job = clang ]; then packages="$packages $clang_packages"; fi
# shellcheck disable=SC2086 # lists
need_packages $packages
if [ "${only[*]}" = "-C extend" ]; then optional_packages="$optional_packages $slurm_packages"; fi
# shellcheck disable=SC2086 # lists
need_packages $optional_packages || echo "weft: tests that need them are skipped" >&2

if [ "${WEFT_TEST_GPU:-0}" != 1 ]; then
  export WEFT_EGL_DEVICE=software LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
  export __GLX_VENDOR_LIBRARY_NAME=mesa
fi

meshes=${WEFT_MESH_DIR:+"-DWEFT_MESH_DIR=$WEFT_MESH_DIR"}
parallel=(--parallel "$(nproc)")
if [ $job = asan ]; then
  cmake --preset asan ${meshes:+"$meshes"}
  cmake --build --preset asan "${target[@]}"
  exec ctest --preset asan "${parallel[@]}" "${only[@]}" "$@"
fi
compilers=()
if [ $job = clang ]; then compilers=(-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++); fi
cmake -S . -B build/$job -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_WERROR=ON "${compilers[@]}" \
  ${meshes:+"$meshes"}
cmake --build build/$job "${target[@]}"
exec ctest --test-dir build/$job --output-on-failure "${parallel[@]}" "${only[@]}" "$@"
