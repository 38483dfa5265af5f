#!/usr/bin/env bash
# The solver on each software implementation of OpenGL that is installed: every pass alone, the layout of
# every buffer, and short trajectories, some with cloth that touches cloth and bodies, each compared with
# the reference bit for bit. And, where build/test has the tests, contexts of a caller's: their state, buffers
# that are shared, an example. Ends with a table.
#   scripts/drivers.sh [--fetch] [PROGRAM] [DRIVER...]   default: build/release/weft, all drivers
# Drivers: llvmpipe, softpipe, zink-lavapipe, zink-swiftshader. --fetch unpacks lavapipe and SwiftShader
# from Debian's packages (mesa-vulkan-drivers, chromium-common) into build/drivers, and installs nothing.
# WEFT_SWIFTSHADER_ICD is the JSON file of SwiftShader's Vulkan driver, where it is not found by itself.
# WEFT_DRIVER_LIMIT is how many seconds one check may take (default 1200).
# Exit status 1 when something differs or fails; a driver that is absent is skipped.
set -uo pipefail
fetch=0
case ${1:-} in
  -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --fetch) fetch=1; shift ;;
esac
fetched=$(cd "$(dirname "$0")/.." && pwd)/build/drivers
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

# An unpacked lavapipe is not where its JSON file says.
fetch_drivers() {
  mkdir -p "$fetched/packages" || return
  (cd "$fetched/packages" && apt-get download mesa-vulkan-drivers chromium-common >&2) || return
  local package library
  for package in "$fetched"/packages/*.deb; do dpkg-deb -x "$package" "$fetched" || return; done
  library=$(ls "$fetched"/usr/lib/*/libvulkan_lvp.so) || return
  sed -i "s|\"library_path\": \"[^\"]*\"|\"library_path\": \"$library\"|" \
    "$fetched"/usr/share/vulkan/icd.d/lvp_icd*.json
}
[ $fetch = 0 ] || fetch_drivers || { echo "drivers.sh: --fetch: packages could not be had" >&2; exit 2; }

lavapipe_icd() {
  local folder
  for folder in /etc /usr/local/share /usr/share "$fetched/usr/share"; do
    ls "$folder"/vulkan/icd.d/lvp_icd*.json 2>/dev/null
  done | head -1
}

swiftshader_icd() {
  # shellcheck disable=SC2012 # names without spaces
  ls "${WEFT_SWIFTSHADER_ICD:-/usr/lib/chromium/vk_swiftshader_icd.json}" \
    "$fetched/usr/lib/chromium/vk_swiftshader_icd.json" 2>/dev/null | head -1
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
      icd=$(swiftshader_icd) word=SwiftShader
      [ -e "$icd" ] || absent="SwiftShader is not found (--fetch, or WEFT_SWIFTSHADER_ICD)"
      # shellcheck disable=SC2206 # two words
      environment=(MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink "VK_ICD_FILENAMES=$icd" $needs_override
        "$needs_extensions") ;;
    *) echo "drivers.sh: no driver is called \"$1\"; see --help" >&2; exit 2 ;;
  esac
}

# Cloth on cloth, layers on layers, cloth on a body that stands still, and a body that comes up, turns
# and lifts it. Short, since softpipe is slow.
# shellcheck disable=SC1090 # a function of the tests
. <(sed -n '/^ball() {/,/^}/p' "$(dirname "$0")/../tests/cli/helpers.bash")
ball 0.15 8 12 >"$work/ball.obj"
echo '{"keys": [{"time": 0, "translation": [0, 1.4, 0]},
  {"time": 0.12, "translation": [0.02, 1.65, 0], "axis": [0, 0, 1], "angle": 90}]}' >"$work/rise.json"
heap=(heap --size 12 --substeps 10 --frames 20)
stack=(stack --size 10 --layers 6 --substeps 8 --frames 10)
handkerchief=(handkerchief --size 10 --substeps 10 --frames 10)
body=(hanging --size 10 --substeps 10 --frames 8 --body "$work/ball.obj" --body-motion "$work/rise.json")

# touches ARGUMENTS...: a run that meets nothing compares nothing.
touches() {
  "$weft" simulate "$@" --backend cpu --count-intersections --log-level error >"$work/out" 2>&1 &&
    grep -qE ' [1-9][0-9]* pairs a contact step at most' "$work/out" && return
  echo "drivers.sh: nothing touches in weft simulate $*" >&2
  exit 2
}
touches "${heap[@]}"; touches "${stack[@]}"; touches "${handkerchief[@]}"; touches "${body[@]}"

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
  echo "  $*: $verdict"
  case $status in 0 | 77 | 124) return ;; esac
  failed=1
  echo "  weft validate $*: status $status"
  # What differs, and the line before that names the pass.
  grep -E -B1 "DIFFERENT|UNWRITTEN|OUTSIDE|error|weft" "$work/out" | grep -v ' equal$' | head -16 | cut -c1-160 |
    sed 's/^/  | /'
}

# embed: the same of contexts that are not weft's.
tests=$(cd "$(dirname "$0")/.." && pwd)/build/test/tests
embed() {
  local status=0 begin=$SECONDS test
  verdict="not built"
  for test in test_adopt test_share own_context; do
    [ -x "$tests/$test" ] || return
    env "${environment[@]}" WEFT_TEST_FRAMES=20 timeout "$limit" "$tests/$test" >"$work/out" 2>&1 || status=$?
    [ $status -eq 0 ] || break
  done
  case $status in
    0) verdict="as it was" ;;
    77) verdict="refused" ;;
    124) verdict="too slow" ;;
    *) verdict="FAILED" failed=1 ;;
  esac
  verdict="$verdict $((SECONDS - begin)) s"
  echo "  $test: $verdict"
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
  row=$(printf '%-18s %-14s %-14s %-14s %-14s' "$driver" "$layout" "$kernel" "$drape" "$sand")
  for run in heap stack handkerchief body; do
    declare -n arguments=$run
    check "${arguments[@]}"
    row+=$(printf ' %-14s' "$verdict")
  done
  embed
  row+=$(printf ' %-14s' "$verdict")
  table+=("$row")
done

if [ ${#table[@]} -eq 0 ]; then
  echo "no driver of these is on this machine"
  exit 77
fi
echo
printf '%-18s %-14s %-14s %-14s %-14s %-14s %-14s %-14s %-14s %-14s\n' driver layout kernel drape sand heap stack handkerchief body adopted
printf '%s\n' "${table[@]}"
exit $failed
