# Sourced by the scripts beside it: installs what is missing on Debian, and nothing when all is there.

# What building and running takes. EGL and Mesa are the GL of machines without a GPU (llvmpipe).
build_packages="gcc libc6-dev cmake ninja-build pkg-config python3-glad libegl-dev libglfw3-dev
  libcglm-dev libpng-dev libjansson-dev libassimp-dev libimgui-dev g++
  libegl1 libegl-mesa0 libgl1 libgl1-mesa-dri"
# What the tests take on top. (Videos need ffmpeg and pages matplotlib; everything else does without.)
test_packages="git libcmocka-dev libgmp-dev libx11-dev glslang-tools clang-format xvfb xauth xdotool x11-utils ffmpeg python3-matplotlib"
# What some tests take, which else say that they are skipped: the Python package, the schema of scene files; a Slurm of one machine.
optional_packages="python3-jsonschema python3-cffi python3-numpy python3-venv"
slurm_packages="slurm-wlm munge"
# A second compiler with its sanitizers and libFuzzer.
clang_packages="clang libclang-rt-dev"

# The command a package is wanted for, where any provider of it will do.
command_of() {
  case $1 in
    gcc) echo cc ;;
    g++) echo c++ ;;
    clang) echo clang++ ;;
    cmake | clang-format | git | pkg-config | ffmpeg) echo "$1" ;;
    ninja-build) echo ninja ;;
    python3-glad) echo glad ;;
    glslang-tools) echo glslangValidator ;;
    xvfb) echo xvfb-run ;;
    xauth) echo xauth ;;
    xdotool) echo xdotool ;;
    x11-utils) echo xprop ;;
  esac
}

is_there() {
  local program
  program=$(command_of "$1")
  if [ -n "$program" ] && command -v "$program" >/dev/null; then return 0; fi
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# What apt-get is run with, empty for root; fails without root and sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then return 0; fi
  command -v sudo >/dev/null && echo sudo
}

# apt_get SUDO ARGS...: apt-get, again while another package manager holds a lock, for ten minutes at most. What it says goes
# to $packages_log; where that is not set it is shown if it failed.
apt_get() {
  local sudo=$1 said tries=0 status
  shift
  said=$(mktemp)
  while true; do
    status=0
    $sudo env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq "$@" >"$said" 2>&1 || status=$?
    if [ $status = 0 ] || [ $tries = 300 ] || ! grep -qE "Could not get lock|Unable to (lock|acquire)" "$said"; then break; fi
    if [ $tries = 0 ]; then echo "weft: another package manager is at work; waiting for it, ten minutes at most" >&2; fi
    tries=$((tries + 1))
    sleep 2
  done
  if [ -n "${packages_log:-}" ]; then
    cat "$said" >>"$packages_log"
  elif [ $status != 0 ]; then
    cat "$said" >&2
  fi
  rm -f "$said"
  return $status
}

# need_packages PACKAGES...
need_packages() {
  local package missing="" sudo
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    for package in "$@"; do
      local program
      program=$(command_of "$package")
      if [ -n "$program" ] && ! command -v "$program" >/dev/null; then missing="$missing $program"; fi
    done
    if [ -z "$missing" ]; then return 0; fi
    echo "weft: this is not Debian, and these programs are missing:$missing; please install what" \
      "your distribution calls these Debian packages: $*" >&2
    return 1
  fi
  for package in "$@"; do
    is_there "$package" || missing="$missing $package"
  done
  if [ -z "$missing" ]; then return 0; fi
  if ! sudo=$(as_root); then
    echo "weft: these packages are missing, and neither root nor sudo is at hand to install them:" \
      "apt-get install$missing" >&2
    return 1
  fi
  echo "installing$missing" >&2
  # shellcheck disable=SC2086 # lists are meant to be split
  apt_get "$sudo" update && apt_get "$sudo" install -y --no-install-recommends $missing || {
    echo "weft: apt-get could not install$missing; see its message${packages_log:+ in $packages_log}" >&2
    return 1
  }
}
