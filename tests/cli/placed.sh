#!/usr/bin/env bash
# Files in another unit, with another axis up, that begin turned and moved; bodies from the same tool; and what is
# written, which is in the file's own unit and axes.
. "$(dirname "$0")/helpers.bash"

hash_of() { sed -n 's/^  hash *//p' "$work/out"; }
# A sheet that leans, a metre of y-up metres; the same with z up in half metres, so that all is exact.
awk 'BEGIN { n = 7; for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) print "v", c / 8, 1 - r / 16, r / 32
  for (r = 0; r + 1 < n; ++r) for (c = 0; c + 1 < n; ++c) { a = n * r + c + 1; print "f", a, a + n, a + n + 1, a + 1 } }' >"$work/y.obj"
printf 'v %s\n' "-1 0.25 -1" "1 0.25 -1" "1 0.25 1" "-1 0.25 1" "0 0 0" >"$work/ybody.obj"
printf 'f %s\n' "1 4 3 2" "1 2 5" "2 3 5" "3 4 5" "4 1 5" >>"$work/ybody.obj"
to_z() { awk '$1 == "v" { print "v", 2 * $2, -2 * $4, 2 * $3; next } 1' "$1"; }
# stands FILE WANTED AWK: vertices of FILE are those of WANTED, of which AWK prints three numbers, to within rounding.
stands() {
  paste <(grep '^v ' "$1") <(awk -v OFMT=%.9g '$1 == "v" { print '"$3"' }' "$2") | awk '
    { for (k = 2; k < 5; ++k) { d = $k - $(k + 3); if (d < 0) d = -d; if (d > most) most = d } }
    END { exit !(NR == 49 && most < 1e-6) }'
}
to_z "$work/y.obj" >"$work/z.obj"
to_z "$work/ybody.obj" >"$work/zbody.obj"
common=(--frames 5 --backend cpu --pin none)

run 0 simulate "$work/y.obj" "${common[@]}" -o "$work/y-out.obj"
wanted=$(hash_of)
run 0 simulate "$work/z.obj" "${common[@]}" --up z --unit 0.5 -o "$work/z-out.obj"
[ "$(hash_of)" = "$wanted" ] || complain "z up in half metres is another cloth"
stands "$work/z-out.obj" "$work/y-out.obj" '2 * $2, -2 * $4, 2 * $3' ||
  complain "what is written is not in the unit and axes of the file: $(head -2 "$work/z-out.obj")"
run 0 simulate "$work/z.obj" "${common[@]}" --up z --unit 0.25 --scale 2
[ "$(hash_of)" = "$wanted" ] || complain "--scale is not beside --unit"
run 0 simulate "$work/y.obj" "${common[@]}" --scale 0.01 --frames 1
scaled=$(hash_of)
run 0 simulate "$work/y.obj" "${common[@]}" --unit cm --frames 1
[ "$(hash_of)" = "$scaled" ] || complain "centimetres are no hundredths"
for unit in "m 1" "dm 0.1" "cm 0.01" "mm 0.001" "in 0.0254" "ft 0.3048"; do
  run 0 inspect "$work/y.obj" --scale "${unit#* }"
  cp "$work/out" "$work/scaled"
  run 0 inspect "$work/y.obj" --unit "${unit% *}"
  cmp -s "$work/out" "$work/scaled" || complain "--unit ${unit% *} is not --scale ${unit#* }"
done
# At rest the file comes back as it is.
still=(--frames 1 --gravity 0,0,0 --backend cpu --damping 0)
run 0 simulate "$work/z.obj" "${still[@]}" --up z -o "$work/o.obj"
stands "$work/o.obj" "$work/z.obj" '$2, $3, $4' || complain "z up does not come back as it was"
grep -q '^v.* -0\b\( \|$\)' "$work/o.obj" && complain "0 comes back as -0"

# Bodies are of the same tool, unless said otherwise.
run 0 simulate "$work/y.obj" "${common[@]}" --frames 30 --body "$work/ybody.obj"
on_body=$(hash_of)
run 0 simulate "$work/z.obj" "${common[@]}" --frames 30 --up z --unit 0.5 --body "$work/zbody.obj"
[ "$(hash_of)" = "$on_body" ] || complain "a body does not have the unit and axis of the cloth"
run 0 simulate "$work/z.obj" "${common[@]}" --frames 30 --up z --unit 0.5 --body "$work/ybody.obj" --body-up y --body-unit m
[ "$(hash_of)" = "$on_body" ] || complain "a body with an axis and unit of its own"
run 0 simulate "$work/y.obj" "${common[@]}" --frames 30 --body "$work/zbody.obj" --body-up z --body-unit 0.25 --body-scale 2
[ "$(hash_of)" = "$on_body" ] || complain "--body-scale is not beside --body-unit"
run 0 simulate "$work/z.obj" "${common[@]}" --frames 30 --up z --unit 0.5 --scale 1 --body "$work/zbody.obj" --body-scale 1
[ "$(hash_of)" = "$on_body" ] || complain "scales of 1 have an effect"
# A body beside a built-in scene.
run 0 simulate drape --size 8 --frames 2 --backend cpu --body "$work/ybody.obj"
on_body=$(hash_of)
run 0 simulate drape --size 8 --frames 2 --backend cpu --up z --unit 0.5 --body "$work/zbody.obj"
[ "$(hash_of)" = "$on_body" ] || complain "--up and --unit are not of a body beside a scene"
for frame in 1 2; do cp "$work/zbody.obj" "$work/zbody-$frame.obj"; done
run 0 inspect --motion "$work/zbody-%d.obj" --up z --unit 0.5
grep -q "0.25" "$work/out" || complain "a motion with z up: $(cat "$work/out")"
if command -v python3 >/dev/null; then # glTF says its own axis and unit
  python3 - "$work/ybody.obj" "$work/body.gltf" <<'PY'
import base64, json, struct, sys
v, f = [], []
for line in open(sys.argv[1]):
    word, *rest = line.split()
    if word == "v": v += map(float, rest)
    else: f += [(int(rest[0]) - 1, int(rest[k]) - 1, int(rest[k + 1]) - 1) for k in range(1, len(rest) - 1)]
i = [c for t in f for c in t]
still = [0, 1] + 6 * [0]  # an animation in which it rests
data = struct.pack("<%df%dI8f" % (len(v), len(i)), *v, *i, *still)
json.dump({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(v) // 3, "type": "VEC3", "min": [-1, 0, -1], "max": [1, 0.25, 1]},
                  {"bufferView": 1, "componentType": 5125, "count": len(i), "type": "SCALAR"},
                  {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                  {"bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3"}],
    "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                    "samplers": [{"input": 2, "output": 3}]}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 4 * len(v)},
                    {"buffer": 0, "byteOffset": 4 * len(v), "byteLength": 4 * len(i)},
                    {"buffer": 0, "byteOffset": 4 * len(v) + 4 * len(i), "byteLength": 8},
                    {"buffer": 0, "byteOffset": 4 * len(v) + 4 * len(i) + 8, "byteLength": 24}],
    "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]},
    open(sys.argv[2], "w"))
PY
  run 0 simulate "$work/y.obj" "${common[@]}" --frames 30 --body "$work/body.gltf"
  on_body=$(hash_of)
  run 0 simulate "$work/z.obj" "${common[@]}" --frames 30 --up z --unit 0.5 --body "$work/body.gltf"
  [ "$(hash_of)" = "$on_body" ] || complain "glTF follows the unit and axis of an OBJ file"
  run 0 simulate "$work/y.obj" "${common[@]}" --body "$work/body.gltf" --body-up z
  grep -q "body.gltf is y up by its format" "$work/err" || complain "no word of glTF with z up"
  run 0 simulate "$work/body.gltf" --frames 1 --backend cpu --up z
  grep -q "body.gltf is y up by its format" "$work/err" || complain "no word of cloth of glTF with z up"
fi

# Turned and moved: about x, then y, then z, then away. It is not undone in what is written.
run 0 simulate "$work/y.obj" "${still[@]}" --turn 90,0,0 --move 1,2,3 -o "$work/o.obj"
stands "$work/o.obj" "$work/y.obj" '$2 + 1, 2 - $4, $3 + 3' ||
  complain "turned about x: $(head -3 "$work/o.obj")"
run 0 simulate "$work/y.obj" "${still[@]}" --turn 90,90,0 -o "$work/o.obj"
stands "$work/o.obj" "$work/y.obj" '$3, -$4, -$2' ||
  complain "turned about x, then y: $(head -3 "$work/o.obj")"
run 0 simulate "$work/z.obj" "${still[@]}" --up z --unit 0.5 --move 0,1,0 -o "$work/o.obj"
stands "$work/o.obj" "$work/z.obj" '$2, $3, $4 + 2' ||
  complain "a metre up is not two half metres of z"

# A scale that cannot be metres is named before the run, with the likely unit.
awk '$1 == "v" { print "v", 100 * $2, 100 * $3, 100 * $4; next } 1' "$work/y.obj" >"$work/cm.obj"
run 0 simulate "$work/cm.obj" --frames 1 --backend cpu
grep -q "if it is in centimetres, --unit cm makes it" "$work/err" || complain "no word of centimetres: $(cat "$work/err")"
# From 3 to 5 m cloth may be a curtain, but nothing that goes around a body: a sheet is named only above, flat or in waves, and so is a
# short tube, as of a tent; a hat (a bowl that opens less than its brim is wide) and a long sleeve are named.
large() { # SHAPE
  awk -v shape="$1" 'BEGIN { n = 24; pi = 3.14159265
    for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) {
      u = c / (n - 1); v = r / (n - 1)
      if (shape == "flat") { x = 3 * u; y = 2 * v; z = 0 }
      if (shape == "waves") { x = 3 * u; y = 2 * v; z = 0.2 * sin(20 * u) }
      if (shape == "tent") { x = 1.3 * cos(2 * pi * u); y = v; z = 1.3 * sin(2 * pi * u) }
      if (shape == "sleeve") { x = 0.3 * cos(2 * pi * u); y = 3.3 * v; z = 0.3 * sin(2 * pi * u) }
      if (shape == "hat") { t = 0.85 * pi * v; x = sin(t) * cos(2 * pi * u); y = -cos(t); z = sin(t) * sin(2 * pi * u) }
      printf "v %.5f %.5f %.5f\n", x, y, z
    }
    round = shape != "flat" && shape != "waves"
    for (r = 0; r + 1 < n; ++r) for (c = 0; c + 1 < n; ++c) { a = r * n + c + 1; b = round && c == n - 2 ? r * n + 1 : a + 1; print "f", a, b, b + n, a + n }
  }' >"$work/$1.obj"
  run 0 simulate "$work/$1.obj" --pin none --frames 1 --plain --backend ref --self-collision off
}
for shape in flat waves tent; do
  large $shape
  grep -q "from corner to corner" "$work/err" && complain "$shape: $(cat "$work/err")"
done
for shape in sleeve hat; do
  large $shape
  grep -q "$shape.obj is 3[.0-9]* m from corner to corner: if it is in decimetres, --unit dm makes it 0.3[0-9]* m" "$work/err" || complain "$shape: $(cat "$work/err")"
done
if [ -f "${WEFT_MESH_DIR:-}/garments/makehuman_fedora.obj" ]; then
  run 0 simulate "$WEFT_MESH_DIR/garments/makehuman_fedora.obj" --frames 1 --plain --backend ref --self-collision off
  grep -q "makehuman_fedora.obj is 3.48 m from corner to corner: if it is in decimetres, --unit dm makes it 0.348 m" "$work/err" || complain "the hat: $(cat "$work/err")"
fi
run 0 simulate "$work/cm.obj" --frames 1 --backend cpu --unit cm
[ -s "$work/err" ] && complain "a unit that is given is doubted: $(cat "$work/err")"

for unit in 0 -1 1e30; do
  refuses 2 "\"$unit\" is none of m, dm, cm, mm, in, ft, a number of metres from 1e-06 to 1e+06" simulate "$work/y.obj" --unit $unit
done
refuses 2 '"furlong" is none of m, dm, cm, mm, in, ft, a number of metres' simulate "$work/y.obj" --unit furlong
refuses 2 '"-1" is none of m' simulate "$work/y.obj" --unit -1
refuses 2 '"x" is none of y, z' simulate "$work/y.obj" --up x
refuses 2 '"x" is none of y, z' simulate "$work/y.obj" --body "$work/ybody.obj" --body-up x
refuses 2 'stands behind the --body' simulate "$work/y.obj" --body-unit cm
refuses 2 'is not 3 numbers' simulate "$work/y.obj" --turn 90
for idle in "unit cm" "up z" "turn 1,2,3" "move 1,2,3"; do
  refuses 2 "--${idle% *} is for files" simulate drape --${idle}
done
refuses 2 "--move is about cloth" inspect --motion "$work/zbody-%d.obj" --move 1,0,0
finish
