#!/usr/bin/env bash
# The solver on each software implementation of OpenGL that is installed: every pass alone, the layout of
# every buffer, and a short trajectory, each compared with the reference bit for bit. Ends with a table.
#   scripts/drivers.sh [PROGRAM] [DRIVER...]   default: build/release/weft, all drivers
# Drivers: llvmpipe, softpipe, zink-lavapipe, zink-swiftshader. WEFT_SWIFTSHADER_ICD is the JSON file of
# SwiftShader's Vulkan driver. WEFT_DRIVER_LIMIT is how many seconds one check may take (default 1200).
# Exit status 1 when something differs or fails; a driver that is absent is skipped.
set -uo pipefail
case ${1:-} in -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
weft=${1:-$(dirname "$0")/../build/release/weft}
if [ $# -gt 0 ]; then shift; fi
drivers=("$@")
[ $# -gt 0 ] || drivers=(llvmpipe softpipe zink-lavapipe zink-swiftshader)
limit=${WEFT_DRIVER_LIMIT:-1200}
[ -x "$weft" ] || { echo "drivers.sh: no program $weft; build it or give its path" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1 XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$work}
failed=0
table=()

lavapipe_icd() {
  local folder
  for folder in /etc /usr/local/share /usr/share; do
    ls "$folder"/vulkan/icd.d/lvp_icd*.json 2>/dev/null
  done | head -1
}

# Softpipe and SwiftShader announce less than OpenGL 4.3, and have what weft needs of it.
needs_override="MESA_GL_VERSION_OVERRIDE=4.3 MESA_GLSL_VERSION_OVERRIDE=430"
needs_extensions="MESA_EXTENSION_OVERRIDE=+GL_ARB_compute_shader +GL_ARB_shader_image_load_store +GL_ARB_shader_storage_buffer_object"

# choose DRIVER: the environment it needs, the word in its renderer's name, or why it is not there.
choose() {
  environment=() word=$1 absent=""
  local icd
  case $1 in
    llvmpipe) environment=(GALLIUM_DRIVER=llvmpipe WEFT_EGL_DEVICE=software) ;;
    softpipe)
      # shellcheck disable=SC2206 # two words
      environment=(GALLIUM_DRIVER=softpipe WEFT_EGL_DEVICE=software $needs_override) ;;
    zink-lavapipe)
      icd=$(lavapipe_icd) word=llvmpipe
      [ -n "$icd" ] || absent="lavapipe is not installed (Debian: mesa-vulkan-drivers)"
      environment=(MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink "VK_ICD_FILENAMES=$icd") ;;
    zink-swiftshader)
      icd=${WEFT_SWIFTSHADER_ICD:-} word=SwiftShader
      [ -e "$icd" ] || absent="WEFT_SWIFTSHADER_ICD names no file"
      # shellcheck disable=SC2206 # two words
      environment=(MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink "VK_ICD_FILENAMES=$icd" $needs_override
        "$needs_extensions") ;;
    *) echo "drivers.sh: no driver is called \"$1\"; see --help" >&2; exit 2 ;;
  esac
}

# check ARGUMENTS...: sets `verdict`.
check() {
  local status=0 begin=$SECONDS
  env "${environment[@]}" timeout "$limit" "$weft" validate "$@" >"$work/out" 2>&1 || status=$?
  case $status in
    0) verdict="equal" ;;
    1) verdict="DIFFERENT" ;;
    77) verdict="refused" ;;
    124) verdict="too slow" ;;
    *) verdict="FAILED" ;;
  esac
  verdict="$verdict $((SECONDS - begin)) s"
  case $status in 0 | 77 | 124) return ;; esac
  failed=1
  echo "  weft validate $*: status $status"
  # What differs, and the line before that names the pass.
  grep -E -B1 "DIFFERENT|UNWRITTEN|OUTSIDE|error|weft" "$work/out" | grep -v ' equal$' | head -16 | cut -c1-160 |
    sed 's/^/  | /'
}

# info_of LABEL: what `weft info` says of it.
info_of() { sed -n "s/^ *$1: *//p" "$work/info" | head -1; }

for driver in "${drivers[@]}"; do
  choose "$driver"
  if [ -z "$absent" ]; then
    env "${environment[@]}" "$weft" info >"$work/info" 2>&1
    renderer=$(info_of renderer)
    grep -qi "$word" <<<"$renderer" || absent="this machine gives ${renderer:-no OpenGL} instead"
    case $driver in
      zink-*) grep -qi zink <<<"$renderer" || absent="this machine gives ${renderer:-no OpenGL} instead" ;;
    esac
  fi
  if [ -n "$absent" ]; then
    echo "$driver: skipped, $absent"
    continue
  fi
  echo "$driver: $renderer; probe $(info_of probe | cut -d: -f1)"
  check --level layout; layout=$verdict
  check --level kernel; kernel=$verdict
  check drape --size 24 --frames 8 --iterations 2 --lra 4 --line-sweeps 1; drape=$verdict
  check sand --size 8 --frames 12; sand=$verdict
  table+=("$(printf '%-18s %-16s %-16s %-16s %-16s' "$driver" "$layout" "$kernel" "$drape" "$sand")")
done

if [ ${#table[@]} -eq 0 ]; then
  echo "no driver of these is on this machine"
  exit 77
fi
echo
printf '%-18s %-16s %-16s %-16s %-16s\n' driver layout kernel drape sand
printf '%s\n' "${table[@]}"
exit $failed
