#!/usr/bin/env bash
# Draws the pictures of docs/gallery anew, with the commands that docs/gallery/README.md names.
#   scripts/gallery.sh [PROGRAM]            all of them (default program: build/weft)
#   scripts/gallery.sh PROGRAM NAME...      those commands that write one of these files
# The window's pictures need a display; without one they are taken under Xvfb.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-} in
  -h | --help) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
weft=$(realpath "${1:-$root/build/weft}")
shift || true
meshes=${WEFT_MESH_DIR:-$root/../shared/meshes}
cd "$root/docs/gallery"

wanted() { # wanted LINE NAMES...: the command writes one of the names
  local line=$1 name
  shift
  [ $# = 0 ] && return 0
  for name in "$@"; do
    case "$line " in *" $name "*) return 0 ;; esac
  done
  return 1
}

# One command a line: continuation lines joined, comments gone.
awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md |
  sed -e ':a' -e '/\\$/N; s/ *\\\n */ /; ta' | sed -E 's/ +# .*//' | grep '^weft ' |
  while read -r line; do
    wanted "$line" "$@" || continue
    case $line in *MESHES/*) [[ -d $meshes ]] || continue ;; esac # made by others, and not everywhere
    line=${line//MESHES/$meshes}
    echo "$line"
    run=("$weft")
    if [[ $line == "weft demo "* && -z ${DISPLAY:-} ]]; then
      run=(xvfb-run -a -s "-screen 0 1300x820x24" "$weft")
    fi
    # shellcheck disable=SC2086 # words of a command
    "${run[@]}" ${line#weft } </dev/null
  done
