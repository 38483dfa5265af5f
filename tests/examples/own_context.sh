#!/usr/bin/env bash
# examples/own_context: no read-back in its frames, the bits of the program, cloth in its picture.
# Arguments: the example, the program.
set -euo pipefail
example=$1 weft=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$example" "$work/picture.ppm" "$work/cloth.obj" >"$work/out" || status=$?
cat "$work/out"
[ $status -eq 0 ] || exit $status
grep -q '120 frames, 0 read-backs, .* OpenGL error 0,' "$work/out"
# As its head says.
arguments=$(sed -n 's/^ \* //; /`weft simulate/,/`/p' "$(dirname "$0")/../../examples/own_context.c" | tr '\n' ' ' |
  sed -n 's/.*`weft simulate CLOTH.obj \([^`]*\)`.*/\1/p')
[ -n "$arguments" ]
# shellcheck disable=SC2086 # words
hash=$("$weft" simulate "$work/cloth.obj" $arguments --backend cpu | awk '$1 == "hash" { print $2 }')
grep -q "hash $hash\$" "$work/out" || { echo "weft simulate ends with $hash"; exit 1; }
python3 "$(dirname "$0")/count_colour.py" "$work/picture.ppm" 0 20000 # red
