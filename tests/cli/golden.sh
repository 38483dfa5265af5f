#!/bin/bash
# Small pictures of four scenes against kept ones, as an eye would compare them.
# Usage: golden.sh WEFT [--keep]     --keep draws tests/render/golden anew; look at each before it stays
#
# The simulation is the same in every bit everywhere, but rasterisers round edges in their own way, so
# bytes cannot be compared. CIEDE2000 counts in differences that are just noticed: on the mean a
# quarter of one is allowed, and 2 in 99 of 100 pixels. A shadow map of 640 texels instead of 512 gives
# 0.07 and 1.1; fuzz without its glow is the weakest fault tried.
source "$(dirname "$0")/helpers.bash"
golden=$(cd "$(dirname "$0")/../render/golden" && pwd)
shaders=$(cd "$(dirname "$0")/../../shaders" && pwd)
difference=${WEFT_PICTURE_DIFFERENCE:-$(dirname "$weft")/tests/picture_difference}
mean=0.25 p99=2

picture() { # NAME FILE: the picture of that name
  local how
  case $1 in
    drape) how="drape --size 24 --frame 60 --zoom 1.25" ;;                     # cloth, ball, floor
    skirt) how="skirt --size 20 --frame 30 --target 0,0.67,0 --zoom 1.5" ;;    # two-sided, limbs
    poncho) how="poncho --size 14 --frame 20 --target 0,1.15,0 --zoom 2" ;;      # wool
    rope) how="rope --size 12 --frame 40 --zoom 1.2" ;;                        # strands and rods
  esac
  "$weft" render $how --plain --width 160 --height 90 --samples 16 --shadow-size 512 -o "$2" >/dev/null 2>"$work/err"
}

picture drape "$work/drape.png"
status=$?
if [ $status = 77 ]; then
  echo "skipped: $(cat "$work/err")"
  exit 77
fi
[ $status = 0 ] || complain "drape: status $status: $(cat "$work/err")"

if [ "${2:-}" = --keep ]; then
  for name in drape skirt poncho rope; do picture $name "$golden/$name.png" && echo "$golden/$name.png"; done
  finish
fi

for name in drape skirt poncho rope; do
  [ $name = drape ] || picture $name "$work/$name.png" || complain "$name: $(cat "$work/err")"
  found=$("$difference" "$golden/$name.png" "$work/$name.png" $mean $p99)
  [ $? = 0 ] || complain "$name looks different: $found, allowed is mean $mean p99 $p99"
  echo "$name: $found"
done

# Faults on purpose, each in a copy of the shaders, must be seen.
fault() { # WHAT FILE OLD NEW [PICTURE]
  local name=${5:-drape}
  rm -rf "$work/shaders"
  cp -r "$shaders" "$work/shaders"
  grep -qF -e "$3" "$work/shaders/render/$2" || complain "$1: $2 holds no $3"
  OLD=$3 NEW=$4 perl -0777 -pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$work/shaders/render/$2"
  WEFT_SHADER_DIR=$work/shaders picture "$name" "$work/fault.png" || complain "$1: $(cat "$work/err")"
  found=$("$difference" "$golden/$name.png" "$work/fault.png" $mean $p99)
  [ $? = 1 ] || complain "$1 was not seen: $found"
  echo "$1: $found"
}
fault "flipped normals" normals.comp "sum / size" "-sum / size"
fault "no shadows" shadow.glsl "return open / count" "return 1.0"
fault "shadows where there is light" shadow.glsl "open += step(" "open += 1.0 - step("
fault "no sky that is hidden" shadow.glsl "return 2.0 * sum /" "return 0.0 * sum /"
fault "another print" print.glsl "0.5 * (stripes(q.x" "1.0 * (stripes(q.x"
fault "light from the wrong side" surface.frag "view, frame.sun.xyz)" "view, vec3(-frame.sun.x, frame.sun.yz))"
fault "no glow of fuzz" surface.frag "(albedo + glow)" "(albedo)" poncho
finish
