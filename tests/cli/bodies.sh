#!/usr/bin/env bash
# Bodies on the command line: what is inside of them is counted, and what is wrong with one is named.
. "$(dirname "$0")/helpers.bash"

# A sheet of 11 x 11 particles, a metre wide, pinned but for an edge; a cube below it, and one turned inside out.
{
  for z in -5 -4 -3 -2 -1 0 1 2 3 4 5; do
    for x in -5 -4 -3 -2 -1 0 1 2 3 4 5; do echo "v ${x}e-1 0 ${z}e-1"; done
  done
  for row in 0 1 2 3 4 5 6 7 8 9; do
    for column in 1 2 3 4 5 6 7 8 9 10; do
      a=$((11 * row + column))
      echo "f $a $((a + 11)) $((a + 12)) $((a + 1))"
    done
  done
} >"$work/sheet.obj"
for y in -0.605 -0.205; do
  for z in -0.23 0.22; do
    for x in -0.21 0.24; do echo "v $x $y $z"; done
  done
done >"$work/corners"
{
  cat "$work/corners"
  printf 'f %s\n' "1 2 4 3" "5 7 8 6" "1 5 6 2" "3 4 8 7" "1 3 7 5" "2 6 8 4"
} >"$work/cube.obj"
sed 's/^f \(.\) \(.\) \(.\) \(.\)/f \1 \4 \3 \2/' "$work/cube.obj" >"$work/inwards.obj"
sed '$d' "$work/cube.obj" >"$work/open.obj"
{
  cat "$work/cube.obj"
  echo "v 0 -0.9 0"
  echo "f 1 2 9"
} >"$work/fin.obj"
keys() { echo "{\"keys\": [{\"time\": 0}, $1]}" >"$work/keys.json"; }
cloth=("$work/sheet.obj" --pin box:-1,-1,-1,0.45,1,1 --backend ref --substeps 4)
on() { run 0 simulate "${cloth[@]}" "$@"; }
warns() {
  [ "$(grep warning "$work/err" | grep -vc "cloth held back")" = 1 ] || complain "not one warning: $(cat "$work/err")"
  grep -qF -e "$1" "$work/err" || complain "no \"$1\" in: $(cat "$work/err")"
}
quiet() { [ -s "$work/err" ] && complain "warned: $(cat "$work/err")"; }

# ---- what is inside ----

# The cube is told to go on through the pinned sheet, which holds its four upper corners back, and to go away again.
keys '{"time": 0.4, "translation": [0, 0.4, 0]}, {"time": 0.5, "translation": [0, 0.4, 0]}, {"time": 0.9}'
on --frames 60 --body "$work/cube.obj" --body-motion "$work/keys.json" --count-intersections --json "$work/o.json"
warns_of_lag() { # VERTICES BODY
  [ "$(grep -c "cloth held back" "$work/err")" = 1 ] || complain "not one word of a body held back: $(cat "$work/err")"
  grep -qE "warning: cloth held back $1 of body $2 by up to [0-9.]+ mm \(frame [0-9]+\): it had no room to make way, or no time; more substeps \(--substeps 8\)" "$work/err" ||
    complain "a body held back: $(cat "$work/err")"
}
warns_of_lag "4 vertices" "0 \(cube.obj\)"
[ "$(grep -c warning "$work/err")" = 1 ] || complain "warned: $(cat "$work/err")"
[ "$(grep -c "bodies: 25 particles inside, 4 of their vertices held back" "$work/out")" -ge 20 ] ||
  complain "not 5 x 5 particles inside for a third of a second: $(grep bodies: "$work/out" | sort | uniq -c)"
prints "bodies: 25 particles inside, 4 of their vertices held back, by 195 mm at most"
prints "  intersects in 0 at most"
prints "with bodies in 0 at most"
prints "25 particles inside bodies at most (frame 13)"
prints "  bodies    0 particles inside, all where they were told to be"
if command -v python3 >/dev/null; then
  python3 - "$work/o.json" <<'PY' || complain "what is inside, as JSON"
import json, sys
o = json.load(open(sys.argv[1]))
m, seen = o["metrics"], o["intersections"]
assert m["body_inside"] == m["body_held"] == m["body_held_most_m"] == 0
assert seen["inside"] == 0 and seen["max_inside"] == 25 and seen["max_inside_frame"] == 13
lag = o["body_lag"]
assert lag["body"] == 0 and lag["vertices"] == 4 and abs(lag["most_m"] - 0.195) < 2e-3, lag
assert 13 <= lag["frame"] <= 40 and 20 <= lag["looks"] <= 45, lag
assert seen["max_with_bodies"] == seen["max_triangle_pairs"] == 0
PY
fi
# What there is nothing of takes no line.
[ "$(grep -c "bodies: 0 particles inside, all where" "$work/out")" = 0 ] || complain "lines of nothing: $(grep -c "bodies: 0" "$work/out")"
[ "$(grep -c "^ *with bodies in" "$work/out")" = 1 ] || complain "lines of nothing: $(grep "with bodies" "$work/out" | head -2)"
keys '{"time": 0.4, "translation": [0, 0.4, 0]}'
on --frames 30 --body "$work/inwards.obj" --body-motion "$work/keys.json" --json "$work/o.json"
warns "inwards.obj is inside out: its faces look inwards"
prints "  bodies    25 particles inside, 4 of their vertices held back, by 195 mm at most"

# Of two bodies the one that is held back further is named; looked at every 10th frame only, it is seen as well. One that goes
# freely, or less than three thicknesses too far, is not named.
sed 's/^v \([^ ]*\) \([^ ]*\)/v \1 -0.9\2/' "$work/cube.obj" | sed 's/-0.9-0\.6/-1.6/; s/-0.9-0\.2/-1.2/' >"$work/lower.obj"
keys '{"time": 0.4, "translation": [0, 0.4, 0]}'
on --frames 30 --body "$work/lower.obj" --body "$work/cube.obj" --body-motion "$work/keys.json"
warns_of_lag "4 vertices" "1 \(cube.obj\)"
on --frames 30 --body "$work/lower.obj" --body-motion "$work/keys.json" --json "$work/o.json"
quiet
grep -q '"body_lag": null' "$work/o.json" || complain "a body that went freely lags: $(grep -A5 body_lag "$work/o.json")"
on --frames 30 --body "$work/cube.obj" --body-motion "$work/keys.json" --body-thickness 0.08
quiet

# ---- room ----

# Lists grow, and more than they may hold is told, with a thickness that is too wide for the mesh.
full() { grep -E "in [0-9]+ contact steps? of the last frame nothing moved: more than $1" "$work/err" || complain "no word of room: $(cat "$work/err")"; }
room=(simulate "$work/sheet.obj" --pin none --backend cpu --frames 1 --body "$work/cube.obj")
hash_of_room() { run 0 "${room[@]}" --body-thickness 1 --self-room "$1" --log-level debug; grep '  hash' "$work/out"; }
[ "$(hash_of_room 1)" = "$(hash_of_room 256)" ] || complain "the state depends on the room that lists have at first"
run 0 "${room[@]}" --body-thickness 1 --log-level debug
grep -q "self-collision has room for 64 pairs a particle from frame 1 on" "$work/err" || complain "lists do not grow: $(cat "$work/err")"
grep -q "nothing moved" "$work/err" && complain "there is room, and yet: $(cat "$work/err")"
run 9 simulate stack --size 8 --layers 4 --self-thickness 1 --substeps 4 --backend cpu --frames 1
full "256 pairs a particle, which is the most that is looked at; a thickness of 1 m spans 7.69 edges of the mesh: make it less \(--self-thickness\)" >"$work/found"

# ---- cloth that starts inside ----

# A small sheet in the cube meets none of its faces. All of it is named with units, a piece of two with --dress.
inside=(--scale 0.2 --move 0,-0.4,0 --pin none --backend ref --substeps 4 --frames 2 --body "$work/cube.obj")
run 0 simulate "$work/sheet.obj" "${inside[@]}"
warns "all 121 particles of the cloth are inside of a body at the start, and cannot come out of it: one of the two may be in another unit (--body-unit, --unit)"
refuses 3 "the start pose is tangled: all 121 particles of the cloth are inside of a body: one of the two may be in another unit" \
  simulate "$work/sheet.obj" "${inside[@]}" --tangled refuse
awk '/^v / { print $1, $2, $3 + 5, $4 } /^f / { print $1, $2 + 121, $3 + 121, $4 + 121, $5 + 121 }' "$work/sheet.obj" |
  sort -rs -k1,1 | cat "$work/sheet.obj" - >"$work/two.obj"
run 0 simulate "$work/two.obj" "${inside[@]}"
warns "121 of 242 particles are inside of a body at the start, and cannot come out of it: --dress (weft_fit) brings cloth out"
refuses 3 "tangled: 121 of 242 particles are inside of a body: --dress" simulate "$work/two.obj" "${inside[@]}" --tangled refuse
run 0 simulate "$work/sheet.obj" "${inside[@]}" --move 0,0.4,0 --tangled refuse
quiet
# An open one has no inside.
run 0 simulate "$work/sheet.obj" "${inside[@]::${#inside[@]}-1}" "$work/open.obj" --tangled refuse
warns "open.obj is open"

# ---- sizes ----

run 0 simulate "$work/sheet.obj" --pin none --frames 1 --backend cpu --move 0,90,0 --self-thickness 0.03 \
  --body "$work/cube.obj" --body-scale 100
warns "cube.obj is 75.2 m from corner to corner: if it is in centimetres, --body-unit cm makes it 0.752 m"
run 0 simulate "$work/sheet.obj" --pin none --frames 1 --backend cpu --body "$work/cube.obj" --body-unit cm
warns "cube.obj is 0.00752 m from corner to corner: if it is in metres, --body-unit m makes it 0.752 m"
run 0 simulate "$work/sheet.obj" --pin none --frames 1 --backend cpu --body "$work/cube.obj" --body-unit dm
warns "cube.obj is 0.0752 m from corner to corner: if it is in metres"
for scale in 0.1 15; do
  run 0 simulate "$work/sheet.obj" --pin none --frames 1 --backend cpu --move 0,20,0 --body "$work/cube.obj" --body-scale $scale
  quiet
done

# ---- surfaces ----

on --frames 1 --body "$work/cube.obj"
quiet
on --frames 30 --body "$work/open.obj" --body-motion "$work/keys.json"
warns "open.obj is open, 4 edges of one triangle: an open part has no inside"
prints "  bodies    0 particles inside, 4 of their vertices held back"
on --frames 1 --body "$work/fin.obj"
grep -qF "fin.obj has 1 edge of more than two triangles" "$work/err" || complain "fin: $(cat "$work/err")"
grep -qF "fin.obj is open, 2 edges of one triangle" "$work/err" || complain "fin: $(cat "$work/err")"
# Files of a sequence are taken as they are, so a face may be turned round.
for frame in 1 2; do sed 's/^f 5 7 8 6/f 5 6 8 7/' "$work/cube.obj" >"$work/turned-$frame.obj"; done
on --frames 1 --body "$work/turned-%d.obj"
warns "turned-%d.obj has 4 edges whose triangles face apart: such a part has no inside"

# ---- ways ----

keys '{"time": 0.02}, {"time": 0.04, "translation": [0, 0, -1.5]}'
on --frames 6 --body "$work/cube.obj" --body-motion "$work/keys.json"
warns "is to go 1 m in frame 2, which is 60 m/s; cloth in its way holds it back"
grep -qF "cube.obj jumps: its vertex" "$work/err" || complain "$(cat "$work/err")"
keys '{"time": 0.02}, {"time": 0.04, "translation": [0, 0, -0.35]}' # 17 m/s, half of its size
on --frames 6 --body "$work/cube.obj" --body-motion "$work/keys.json"
quiet
body=(simulate "${cloth[@]}" --frames 1 --body)
keys '{"time": 1, "axis": [0, 1, 0], "angle": 21600}' # the same pose in each frame
refuses 3 "keys.json: from 0 s on it turns by 360 degrees in a frame of 1/60 s, 60 times around in a second" \
  "${body[@]}" "$work/cube.obj" --body-motion "$work/keys.json"
run 0 inspect "$work/cube.obj" --motion "$work/keys.json"
warns "60 times around in a second"
refuses 2 "moves, and a motion is of all of its file: save the part that is meant as a file of its own" \
  "${body[@]}" "$work/cube.obj" --body-motion "$work/keys.json" --body-group side
keys '{"time": 0.01, "translation": [5, 0, 0]}'
refuses 3 "keys.json: vertex 0 jumps" "${body[@]}" "$work/cube.obj" --body-motion "$work/keys.json"
sed 's/^v .*-0.605 .*/v 0 nan 0/' "$work/cube.obj" >"$work/nan.obj"
refuses 3 "nan.obj" "${body[@]}" "$work/nan.obj"
for frame in 1 2; do cp "$work/cube.obj" "$work/walk-$frame.obj"; done
cp "$work/fin.obj" "$work/walk-3.obj"
refuses 3 "walk-3.obj: it has 9 vertices, and the first frame has 8" "${body[@]}" "$work/walk-%d.obj"
sed '1s/.*/v 0 inf 0/' "$work/cube.obj" >"$work/walk-3.obj"
refuses 3 "walk-3.obj" "${body[@]}" "$work/walk-%d.obj"
sed 's/^f 1 2 4 3/f 2 1 4 3/' "$work/cube.obj" >"$work/walk-3.obj"
refuses 3 "walk-3.obj: its faces are not those of the first frame" "${body[@]}" "$work/walk-%d.obj"
rm "$work/walk-2.obj"
refuses 3 "walk-2.obj is missing" "${body[@]}" "$work/walk-%d.obj"
if command -v python3 >/dev/null; then
  # cache FILE POINTS SCALE [VALUE]: two frames of the cube, enlarged; of the second a coordinate is VALUE.
  cache() {
    python3 - "$work/corners" "$work/$1" "$2" "$3" "${4:-}" <<'PY'
import struct, sys
corners, out, points, scale, value = sys.argv[1:]
x = [float(n) * float(scale) for line in open(corners) for n in line.split()[1:]]
x = (x + [0.0] * 300)[:3 * int(points)]
later = list(x)
if value: later[7] = float(value)
with open(out, "wb") as f:
    f.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, int(points), 0, 1, 2))
    f.write(struct.pack("<%df" % (2 * len(x)), *x, *later))
PY
  }
  cache good.pc2 8 1
  on --frames 1 --body "$work/cube.obj" --body-motion "$work/good.pc2"
  quiet
  cache many.pc2 9 1
  refuses 3 "many.pc2: it has 9 points, and" "${body[@]}" "$work/cube.obj" --body-motion "$work/many.pc2"
  cache large.pc2 8 5
  refuses 3 "a cache of another mesh" "${body[@]}" "$work/cube.obj" --body-motion "$work/large.pc2"
  cache nan.pc2 8 1 nan
  refuses 3 "nan.pc2: frame 1: vertex 2 is not finite" "${body[@]}" "$work/cube.obj" --body-motion "$work/nan.pc2"
  cache far.pc2 8 1 9
  refuses 3 "far.pc2: vertex 2 jumps" "${body[@]}" "$work/cube.obj" --body-motion "$work/far.pc2"
fi

# A glTF without animation stands still, as the same mesh as OBJ does.
run 0 simulate "$work/cube.obj" --frames 1 --backend cpu --pin list:0,1,2,3,4,5,6,7 -o "$work/cube.glb"
for body in cube.obj cube.glb; do
  run 0 simulate "$work/sheet.obj" --pin none --frames 20 --backend cpu --body "$work/$body"
  grep -q "^  bodies" "$work/out" || complain "$body is no body"
  sed -n 's/^  hash *//p' "$work/out" >"$work/hash.$body"
done
cmp -s "$work/hash.cube.obj" "$work/hash.cube.glb" || complain "a cube is another as GLB"

# ---- far from the world's zero ----

# Cloth that falls on a body which stands, then rises, does the same 256 m away, to half of what tells two floats of the files apart.
keys '{"time": 0.3}, {"time": 0.8, "translation": [0, 0.125, 0]}'
for at in 0 256; do
  awk -v CONVFMT=%.12g -v at=$at '$1 == "v" { $2 = at + $2 * 1.25; $4 = at / 2 + $4 * 1.25 } 1' "$work/sheet.obj" >"$work/sheet-$at.obj"
  awk -v CONVFMT=%.12g -v at=$at '$1 == "v" { for (k = 2; k < 5; ++k) $k = int(64 * $k) / 64; $2 += at; $4 += at / 2 } 1' "$work/cube.obj" >"$work/cube-$at.obj"
  for backend in ref cpu; do
    run 0 simulate "$work/sheet-$at.obj" --pin none --backend $backend --substeps 8 --frames 40 -o "$work/at-$at-$backend.obj" \
      --body "$work/cube-$at.obj" --body-motion "$work/keys.json" --count-intersections --log-level error
    prints "with bodies in 0 at most"
  done
  cmp -s "$work/at-$at-ref.obj" "$work/at-$at-cpu.obj" || complain "ref and cpu differ at $at m"
  grep '^v ' "$work/at-$at-ref.obj" >"$work/at-$at"
done
paste -d' ' "$work/at-0" "$work/at-256" | awk '
  function off(a, b) { return a < b ? b - a : a - b }
  { most = off($2 + 256, $6) > most ? off($2 + 256, $6) : most; most = off($3, $7) > most ? off($3, $7) : most
    most = off($4 + 128, $8) > most ? off($4 + 128, $8) : most; lowest = $3 < lowest ? $3 : lowest }
  END { if (NR != 121 || most > 1.6e-5 || lowest > -0.2) { print NR " particles, " most " m off, down to " lowest; exit 1 } }' ||
  complain "a body far out is another"

# The mannequin of garments as the mesh that is seen: cloth meets its triangles, and passes none, in every backend alike.
for scene in skirt poncho pleats; do
  for backend in ref cpu; do
    run 0 simulate $scene --mannequin mesh --size 48 --frames 6 --backend $backend --count-intersections
    for line in "intersects in 0 at most" "with bodies in 0 at most" "0 particles inside bodies at most"; do
      grep -q "$line" "$work/out" || complain "$scene, $backend: no \"$line\" in: $(tail -12 "$work/out")"
    done
    sed -n 's/^  hash *//p' "$work/out" >"$work/hash.$backend"
  done
  cmp -s "$work/hash.ref" "$work/hash.cpu" || complain "$scene: ref and cpu differ"
  run 0 simulate $scene --size 48 --frames 1 --backend cpu
  grep -q "^  bodies" "$work/out" && complain "$scene has a body without --mannequin mesh"
done
run 2 simulate drape --mannequin mesh
grep -q "drape takes no mannequin; the scenes that do are skirt, poncho, pleats" "$work/err" || complain "$(cat "$work/err")"
run 2 simulate walk --self-collision off --frames 1 --backend cpu
grep -q -- "--self-collision off does nothing here: it needs a scene without bodies" "$work/err" || complain "$(cat "$work/err")"
finish
