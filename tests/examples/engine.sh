#!/usr/bin/env bash
# examples/engine: cloth on the engine's ball, never in it, and both in the picture. Arguments: the example.
set -euo pipefail
example=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$example" 24 "$work/picture.ppm" >"$work/out" || status=$?
cat "$work/out"
[ $status -eq 0 ] || exit $status
grep -q '^engine: 24 frames, .* 0 particles in the ball, OpenGL error 0$' "$work/out"
# Lifted by a ball that only the GPU has moved.
awk '{ exit !($6 < -0.1 && $8 > 0.05) }' "$work/out"
python3 "$(dirname "$0")/count_colour.py" "$work/picture.ppm" 2 20000 # blue
