#!/usr/bin/env bash
# Draws docs/stretch/same-fabric.png: the cloth of `drape` after 100 frames, simulated on the processor and drawn from
# the mesh that came out (so without the ball), plain above and with lines below.
#   scripts/stretch_pictures.sh [PROGRAM [SIZES...]]     default: build/weft 64 256
# What was simulated stays in the folder named by KEEP and is not simulated again.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-} in
  -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
weft=$(realpath "${1:-$root/build/weft}")
shift || true
[ $# -gt 0 ] || set -- 64 256
keep=${KEEP:-$(mktemp -d)}
mkdir -p "$root/docs/stretch"

for lines in 0 1; do
  row=()
  for size in "$@"; do
    name=$keep/drape-$size-$lines
    [ -s "$name.obj" ] ||
      "$weft" simulate drape --size "$size" --frames 100 --line-sweeps "$lines" --backend cpu -o "$name.obj"
    "$weft" render "$name.obj" --frame 0 --pin none --ground on --fabric trousers --width 440 --height 360 --samples 16 \
      --box -0.55,0,-0.55,0.55,0.68,0.55 --yaw 40 --pitch 24 --zoom 1.25 -o "$name.png"
    row+=(-i "$name.png")
  done
  ffmpeg -loglevel error -y "${row[@]}" -filter_complex "hstack=inputs=$#" "$keep/row-$lines.png"
done
ffmpeg -loglevel error -y -i "$keep/row-0.png" -i "$keep/row-1.png" -filter_complex vstack \
  "$root/docs/stretch/same-fabric.png"
echo "docs/stretch/same-fabric.png"
