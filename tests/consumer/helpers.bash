# Sourced by the scripts beside it. Arguments: build folder, CMake generator, C compiler, flags.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$1 generator=$2 compiler=$3 flags=${4-}
# Programs here let the driver be unloaded; what a driver never frees would then have no name that a
# suppression could give.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
complain() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
finish() { exit $((failures > 0)); }
# quietly LOG COMMAND...: its output only where it fails, which ends the script.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || {
    cat "$log"
    exit 1
  }
}

# use_prefix FOLDER: what lies there is found from now on. Sets prefix, weft (the program, empty: none) and kinds.
use_prefix() {
  prefix=$1
  weft=$(find "$prefix" -path '*/bin/weft')
  kinds=
  [ -z "$(find "$prefix" -name libweft-core.a)" ] || kinds="static"
  [ -z "$(find "$prefix" -name libweft-core.so)" ] || kinds="$kinds shared"
  PKG_CONFIG_PATH=$(find "$prefix" -name weft-core.pc -printf '%h\n')
  export PKG_CONFIG_PATH
}
# install_weft [BUILD]: installed and moved, for nothing may remember where it was installed.
install_weft() {
  quietly "$work/install.log" cmake --install "${1:-$build}" --prefix "$work/first"
  mv "$work/first" "$work/prefix"
  use_prefix "$work/prefix"
}

printf 'OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n' >"$work/quad.off"
# consume FOLDER KIND [ARGUMENTS OF CMAKE...]: builds the project beside this file there, and runs its programs.
consume() {
  local folder=$1 kind=$2
  quietly "$work/configure.log" cmake -S "$here" -B "$folder" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" -DKIND="$kind" \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" "${@:3}"
  quietly "$work/build.log" cmake --build "$folder"
  WEFT_PROGRAM=$weft "$folder/consumer" ${weft:+"$work/quad.off"}
  "$folder/core/consumer_core"
  "$folder/consumer_cpp"
  local links
  links=$(readelf -d "$folder/consumer" "$folder/core/consumer_core" | { grep -oE 'libweft[^]]*' || true; } | xargs)
  case $kind in
    static) [ -z "$links" ] || complain "$kind: programs need $links" ;;
    shared) [[ $links =~ ^libweft\.so\.[0-9.]+\ libweft-core\.so\.[0-9.]+$ ]] || complain "$kind: programs need $links" ;;
  esac
}
