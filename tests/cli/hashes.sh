#!/bin/bash
# Runs every line of hashes.txt on ref, cpu and gl and compares the hash of the final state with the one that stands
# there: a change of the solver's text that must not move a bit is held to that.
#   hashes.sh WEFT              checks; status 1 when a hash differs
#   RECORD=1 hashes.sh WEFT     writes the hashes of ref into hashes.txt, where cpu and gl agree
#   BACKENDS="ref cpu", RUNS=FILE   only these backends, another list
#   ONLY="drape .*"             only runs whose options match
# Meshes made by others are in the folder WEFT_MESH_DIR.
set -u
export LC_ALL=C
weft=$1
runs=${RUNS:-$(dirname "$0")/hashes.txt}
meshes=${WEFT_MESH_DIR:-}
backends=${BACKENDS:-ref cpu gl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$weft" info 2>/dev/null | grep -q '^  probe: exact' || backends=${backends/gl/}
checked=0 left_out=0 failures=0

hash_of() { # BACKEND OPTIONS...
  local backend=$1
  shift
  "$weft" simulate "$@" --backend "$backend" --log-level error 2>"$work/err" </dev/null | sed -n 's/^  hash *//p'
}

# Every backend must end in the state `wanted`; when recording, in that of the first.
check() { # WANTED OPTIONS...
  local wanted=$1 backend got
  shift
  for backend in $backends; do
    got=$(hash_of "$backend" "$@")
    [ "$wanted" = - ] && [ -n "${RECORD:-}" ] && wanted=${got:--}
    if [ "$got" != "$wanted" ]; then
      echo "FAILED: $* --backend $backend: ${got:-$(head -1 "$work/err")}, wanted $wanted" >&2
      failures=$((failures + 1))
    fi
  done
  found=$wanted
}

while IFS= read -r line; do
  case $line in
    '' | '#'*) echo "$line" >>"$work/runs"; continue ;;
    *MESHES/*) if [ ! -d "$meshes" ]; then
        left_out=$((left_out + 1)); echo "$line" >>"$work/runs"; continue
      fi ;;
  esac
  read -r wanted options <<<"$line"
  [[ $options =~ ^${ONLY:-.*}$ ]] || { echo "$line" >>"$work/runs"; continue; }
  [ -n "${RECORD:-}" ] && wanted=-
  # shellcheck disable=SC2086 # options are words
  check "$wanted" ${options//MESHES/$meshes}
  echo "$found $options" >>"$work/runs"
  checked=$((checked + 1))
done <"$runs"

[ $left_out = 0 ] || echo "left out: $left_out runs, since there is no folder of meshes (WEFT_MESH_DIR)"
echo "$checked runs on:$(printf ' %s' $backends); $failures failed"
[ $failures = 0 ] || exit 1
[ -z "${RECORD:-}" ] || cp "$work/runs" "$runs"
[ "$checked" -ge "$([ -n "${ONLY:-}" ] && echo 1 || echo 60)" ]
