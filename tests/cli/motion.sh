#!/usr/bin/env bash
# weft inspect --motion: what it prints and writes of moving bodies, and how it refuses the broken ones; and what is said of a motion
# by the options of --body.
. "$(dirname "$0")/helpers.bash"

# A closed tetrahedron that faces outwards, and one turned inside out.
cat >"$work/body.obj" <<'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
OBJ
sed 's/^f \(.\) \(.\) \(.\)/f \1 \3 \2/' "$work/body.obj" >"$work/inside.obj"
sed '$d' "$work/body.obj" >"$work/open.obj"
echo '{"keys": [{"time": 0}, {"time": 0.5, "translation": [2, 0, 0]},
  {"time": 0.6, "translation": [2, 0.7, 0]}, {"time": 1, "translation": [2, 3, 0]}]}' >"$work/keys.json"

run 0 inspect "$work/body.obj" --motion "$work/keys.json" --fps 10 --json "$work/o.json"
prints "moving body              rigid keys"
prints "vertices                          4"
prints "closed, faces outwards, 0.1667 m^3"
prints "frames                           11  1 s, 10 a second"
prints "  7 m/s: 0.7 m from frame 5 to the next, at 0.5 s"
prints "box at last            (2, 3, 0) to (3, 4, 1) m"
prints "box of all frames      (0, 0, 0) to (3, 4, 1) m"
if command -v python3 >/dev/null; then
  python3 - "$work/o.json" <<'PY' || complain "the report as JSON"
import json, sys
m = json.load(open(sys.argv[1]))["motion"]
assert m["kind"] == "rigid keys" and m["vertex_count"] == 4 and m["triangle_count"] == 4
assert m["closed"] is True and m["inside_out"] is False and abs(m["volume_m3"] - 1 / 6) < 1e-7
assert m["frame_count"] == len(m["frames"]) == 11 and m["duration_s"] == 1
assert m["fastest_frame"] == 5 and abs(m["fastest_speed_m_per_s"] - 7) < 1e-5
assert abs(m["frames"][3]["seconds"] - 0.3) < 1e-9 and abs(m["frames"][3]["box_min_m"][0] - 1.2) < 1e-6
PY
fi

run 0 inspect "$work/inside.obj" --motion "$work/keys.json" --scale 0.01
prints "closed, inside out, 1.667e-07 m^3"
prints "(0.02, 0.03, 0) to (0.03, 0.04, 0.01) m"
run 0 inspect "$work/open.obj" --motion "$work/keys.json"
prints "not closed: 3 edges of one triangle"
echo '{"keys": [{"time": 0}, {"time": 0.01, "translation": [5, 0, 0]}]}' >"$work/jump.json"
run 0 inspect "$work/body.obj" --motion "$work/jump.json"
prints "it jumps: more than 100 m/s is refused as a body"

# OBJ files, where they begin on disk.
for frame in 7 8 9; do
  sed "s/^v 0 0 0/v 0 0 -0.0$((frame * frame - 39))/" "$work/body.obj" >"$work/walk-00$frame.obj"
done
run 0 inspect --motion "$work/walk-%03d.obj" --fps 100
prints "moving body               OBJ files"
prints "frames                            3  0.02 s, 100 a second"
prints "1.7 m/s: 0.017 m from frame 1 to the next"
mv "$work/walk-008.obj" "$work/away.obj"
refuses 3 "walk-008.obj is missing: the sequence goes on with" inspect --motion "$work/walk-%03d.obj"

refuses 2 "not a motion that weft reads" inspect "$work/body.obj" --motion "$work/body.fbx"
refuses 2 "moves a mesh, and none is named" inspect --motion "$work/keys.json"
refuses 2 "brings its mesh" inspect "$work/body.obj" --motion "$work/walk-%03d.obj"
refuses 2 "drape is a scene" inspect drape --motion "$work/keys.json"
refuses 2 "--fabric is about cloth" inspect "$work/body.obj" --motion "$work/keys.json" --fabric denim
refuses 2 "--fps is for --motion" inspect drape --fps 3
refuses 2 "--animation is for --motion" inspect drape --animation walk
refuses 2 "no animations to choose from" inspect "$work/body.obj" --motion "$work/keys.json" --animation walk
echo '{"keys": [{"time": 0}, {"time": 0}]}' >"$work/keys.json"
refuses 3 "keys.json: key 1: its time is not after" inspect "$work/body.obj" --motion "$work/keys.json"
printf 'POINTCACHE2' >"$work/body.pc2"
refuses 3 "body.pc2: 11 bytes" inspect "$work/body.obj" --motion "$work/body.pc2"
printf 'glTF\2\0\0\0' >"$work/body.glb"
refuses 3 "body.glb: " inspect --motion "$work/body.glb"
refuses 3 "absent.mdd: cannot read" inspect "$work/body.obj" --motion "$work/absent.mdd"

# ---- options of --body ----

awk 'BEGIN {
  for (r = 0; r < 5; ++r) for (c = 0; c < 9; ++c) printf "v %g 1.05 %g\n", -1 + c / 4, -0.5 + r / 4
  for (r = 0; r < 4; ++r) for (c = 0; c < 8; ++c) { a = 9 * r + c + 1; print "f", a, a + 9, a + 10, a + 1 }
}' >"$work/sheet.obj"
sheet=(simulate "$work/sheet.obj" --pin none --frames 6 --backend ref --substeps 4 --body)
hash_with() { # FILE OPTIONS...
  run 0 "${sheet[@]}" "$@"
  sed -n 's/^  hash *//p' "$work/out"
}
same() { [ -n "$2" ] && [ "$2" = "$3" ] || complain "$1: $2 and $3"; }
other() { [ -n "$2" ] && [ "$2" != "$3" ] || complain "$1: the same state, $2"; }

# Frames a second of files that do not say.
cp "$work/body.obj" "$work/rise-1.obj"
sed 's/^v \(.*\) 0 0$/v \1 0.25 0/; s/^v 0 1 0/v 0 1.25 0/; s/^v 0 0 1/v 0 0.25 1/' "$work/body.obj" >"$work/rise-2.obj"
files_16=$(hash_with "$work/rise-%d.obj" --body-fps 16)
other "OBJ files at 16 and at 60 frames a second" "$files_16" "$(hash_with "$work/rise-%d.obj")"
same "60 frames a second" "$(hash_with "$work/rise-%d.obj")" "$(hash_with "$work/rise-%d.obj" --body-fps 60)"
echo '{"keys": [{"time": 0}, {"time": 0.0625, "translation": [0, 0.25, 0]}]}' >"$work/rise.json"
same "a sixteenth of a second" "$files_16" "$(hash_with "$work/body.obj" --body-motion "$work/rise.json")"
if command -v python3 >/dev/null; then
  python3 - "$work" <<'PY'
import base64, json, struct, sys
work = sys.argv[1]
rest = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
def pc2(name, rise):
    with open(f"{work}/{name}", "wb") as f:
        f.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 4, 0, 1, 2))
        for y in (0, rise):
            f.write(struct.pack("<12f", *[x + (y if k % 3 == 1 else 0) for k, x in enumerate(rest)]))
pc2("rise.pc2", 0.25)
pc2("jump.pc2", 6)
with open(f"{work}/rise.mdd", "wb") as f:
    f.write(struct.pack(">ii2f", 2, 4, 0, 0.0625))
    for y in (0, 0.25):
        f.write(struct.pack(">12f", *[x + (y if k % 3 == 1 else 0) for k, x in enumerate(rest)]))

# Two tetrahedra, each with an animation of its own or both in one.
data = struct.pack("<12f", *rest) + struct.pack("<12H", 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2)
data += struct.pack("<2f", 0, 0.0625) + struct.pack("<6f", 0, 0, 0, 0, 0.25, 0) + struct.pack("<6f", -1, 0, 0, -1, 0.5, 0)
cuts = [(0, 48), (48, 24), (72, 8), (80, 24), (104, 24)]
kinds = [(5126, 4, "VEC3"), (5123, 12, "SCALAR"), (5126, 2, "SCALAR"), (5126, 2, "VEC3"), (5126, 2, "VEC3")]
def channel(node, sampler): return {"sampler": sampler, "target": {"node": node, "path": "translation"}}
def sampler(output): return {"input": 2, "output": output}
def write(name, animations):
    json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0}, {"mesh": 0, "translation": [-1, 0, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        "bufferViews": [{"buffer": 0, "byteOffset": a, "byteLength": n} for a, n in cuts],
        "accessors": [{"bufferView": k, "componentType": t, "count": n, "type": w, **({"min": [0] * 3, "max": [1] * 3} if k == 0 else {})}
                      for k, (t, n, w) in enumerate(kinds)],
        **({"animations": animations} if animations else {})}, open(f"{work}/{name}", "w"))
first = {"name": "first", "channels": [channel(0, 0)], "samplers": [sampler(3)]}
second = {"channels": [channel(1, 0)], "samplers": [sampler(4)]}
write("two.gltf", [first, second])
write("one.gltf", [{"channels": [channel(0, 0), channel(1, 1)], "samplers": [sampler(3), sampler(4)]}])
write("clash.gltf", [first, {"name": "again", "channels": [channel(0, 0)], "samplers": [sampler(4)]}])
write("called.gltf", [first, {**second, "name": "all"}])
write("still.gltf", [])
PY
  same "a PC2 at 16 frames a second" "$files_16" "$(hash_with "$work/body.obj" --body-motion "$work/rise.pc2" --body-fps 16)"
  refuses 3 "which is 360 m/s" "${sheet[@]}" "$work/body.obj" --body-motion "$work/jump.pc2"
  refuses 3 "which is 144 m/s" "${sheet[@]}" "$work/body.obj" --body-motion "$work/jump.pc2" --body-fps 24
  refuses 2 "--body-fps: $work/rise.mdd has times of its own" "${sheet[@]}" "$work/body.obj" --body-motion "$work/rise.mdd" --body-fps 24

  # Several animations: one of them, or all together.
  refuses 2 "--body-animation: $work/two.gltf: it has 2 animations; choose one of first, 1, or all, which plays them together" \
    "${sheet[@]}" "$work/two.gltf"
  both=$(hash_with "$work/one.gltf")
  same "two animations together" "$both" "$(hash_with "$work/two.gltf" --body-animation all)"
  other "the first animation alone" "$both" "$(hash_with "$work/two.gltf" --body-animation first)"
  other "the second animation alone" "$both" "$(hash_with "$work/two.gltf" --body-animation 1)"
  run 0 inspect --motion "$work/two.gltf" --animation all
  prints "box at last            (-1, 0.25, 0) to (1, 1.5, 1) m"
  run 0 inspect --motion "$work/called.gltf" --animation all # that one
  prints "box at last            (-1, 0, 0) to (1, 1.5, 1) m"
  refuses 2 "its animations first and again both move node 0; choose one of them" "${sheet[@]}" "$work/clash.gltf" --body-animation all
  refuses 2 "no animation 'walk'; it has first, 1" "${sheet[@]}" "$work/two.gltf" --body-animation walk
  refuses 2 "--body-animation: $work/still.gltf stands still" "${sheet[@]}" "$work/still.gltf" --body-animation all
  refuses 2 "--body-fps: $work/one.gltf has times of its own" "${sheet[@]}" "$work/one.gltf" --body-fps 24
fi
refuses 2 "--body-fps: $work/body.obj stands still" "${sheet[@]}" "$work/body.obj" --body-fps 24
refuses 2 "--body-fps: $work/rise.json has times of its own" "${sheet[@]}" "$work/body.obj" --body-motion "$work/rise.json" --body-fps 24
refuses 2 "--body-animation: $work/body.obj stands still" "${sheet[@]}" "$work/body.obj" --body-animation walk
refuses 2 "--body-animation: $work/rise.json is no glTF file" "${sheet[@]}" "$work/body.obj" --body-motion "$work/rise.json" --body-animation walk
refuses 2 "--body-fps: stands behind the --body that it is of" simulate "$work/sheet.obj" --body-fps 24
refuses 2 "--body-motion b.json: $work/body.obj has one already, a.json" "${sheet[@]}" "$work/body.obj" --body-motion a.json --body-motion b.json
refuses 2 "--body-motion $work/rise.json: $work/rise-%d.obj brings its own motion" \
  "${sheet[@]}" "$work/rise-%d.obj" --body-motion "$work/rise.json"

# A file is what it is called, whatever is in its name; and keys may begin with a mark of UTF-8.
still=$(hash_with "$work/body.obj")
for name in "50% cotton" "100%d" "x-%04d"; do
  cp "$work/body.obj" "$work/$name.obj"
  same "$name.obj" "$still" "$(hash_with "$work/$name.obj")"
done
{ printf '\357\273\277' && cat "$work/rise.json"; } >"$work/100%.json"
same "keys with a mark" "$(hash_with "$work/body.obj" --body-motion "$work/rise.json")" "$(hash_with "$work/body.obj" --body-motion "$work/100%.json")"
refuses 3 "no file has a name like this" "${sheet[@]}" "$work/none-%04d.obj"

# ---- when a body moves: it rises by 1 m/s, and a pin that is bound to it says how far ----

if command -v python3 >/dev/null; then
  python3 - "$work" <<'PY'
import struct, sys
rest = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
def risen(y): return [x + (y if k % 3 == 1 else 0) for k, x in enumerate(rest)]
def pc2(name, samples, start, step):
    with open(f"{sys.argv[1]}/{name}", "wb") as f:
        f.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 4, start, step, samples))
        for k in range(samples): f.write(struct.pack("<12f", *risen(k * step / 24)))
pc2("lift.pc2", 25, 0, 1)
pc2("sparse.pc2", 13, 7, 2)
with open(f"{sys.argv[1]}/lift.mdd", "wb") as f:
    f.write(struct.pack(">ii25f", 25, 4, *[5 + k / 24 for k in range(25)]))
    for k in range(25): f.write(struct.pack(">12f", *risen(k / 24)))
for k in range(25):
    with open(f"{sys.argv[1]}/lift-{k + 3:03}.obj", "w") as f:
        p = risen(k / 24)
        for v in range(4): print("v", *p[3 * v:3 * v + 3], file=f)
        print("f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3", file=f)
PY
  # lifts HEIGHT LINE OPTIONS...: what the pin does by the end, and what the line of the body says.
  lifts() {
    local height=$1 line=$2
    shift 2
    run 0 simulate "$work/sheet.obj" --pin list:0,4 --pin-to-body --backend ref --substeps 4 -o "$work/lifted.obj" "$@"
    grep -m1 '^v' "$work/lifted.obj" | awk -v h="$height" '{ d = $3 - 1.05 - h; exit !(d < 1e-4 && d > -1e-4) }' ||
      complain "$*: the pin is at $(grep -m1 '^v' "$work/lifted.obj"), wanted $height m above 1.05"
    prints "  body 0    $line"
  }
  rest=(--body "$work/body.obj" --body-motion "$work/lift.pc2")
  moved="$work/body.obj, moved by $work"
  for step in "--dt 0.0416667" "--dt 1/24" "--dt 1001/24024" "--dt=1/24"; do
    lifts 0.25 "$moved/lift.pc2: PC2 cache, 25 frames, 24 a second (--dt), from 0 to 1 s, of which the run has 0.25" "${rest[@]}" $step --frames 6
  done
  lifts 0.25 "$moved/lift.pc2: PC2 cache, 25 frames, 24 a second (--fps), from 0 to 1 s, of which the run has 0.25" "${rest[@]}" --fps 24 --dt 0.0416667 --frames 6
  prints "6 frames of 0.04167 s (24 a second)"
  lifts 0.25 "$moved/lift.pc2: PC2 cache, 25 frames, 24 a second (--body-fps), from 0 to 1 s, of which the run has 0.25" "${rest[@]}" --body-fps 24 --frames 15
  lifts 0.25 "$moved/lift.pc2: PC2 cache, 25 frames, 12 a second (--body-fps), from 0 to 2 s, of which the run has 0.5" "${rest[@]}" --body-fps 12 --fps 24 --frames 12
  lifts 0.25 "$moved/lift.pc2: PC2 cache, 25 frames, 60 a second (a guess: --body-fps says it), from 0 to 0.4 s, of which the run has 0.1" "${rest[@]}" --frames 6
  lifts 0.25 "$moved/sparse.pc2: PC2 cache, 13 frames, from frame 7 of the file on, one every 2 frames, 24 a second (--fps), from 0 to 1 s" \
    --body "$work/body.obj" --body-motion "$work/sparse.pc2" --fps 24 --frames 6
  lifts 0.25 "$moved/lift.mdd: MDD cache, 25 frames, from 5 s of the file on, times of its own (about 24 a second), from 0 to 1 s" \
    --body "$work/body.obj" --body-motion "$work/lift.mdd" --fps 48 --frames 12
  lifts 0.25 "$work/lift-%03d.obj: OBJ files, 25 frames, from frame 3 of the file on, 24 a second (--fps)" --body "$work/lift-%03d.obj" --fps 24 --frames 6
  lifts 0.1 "$work/body.obj, moved by $work/rise.json: rigid keys, times of its own, from 0 to 0.0625 s" \
    --body "$work/body.obj" --body-motion "$work/rise.json" --fps 40 --frames 1
  lifts 0 "$work/body.obj: at rest" --body "$work/body.obj" --frames 1
  run 0 inspect "$work/body.obj" --motion "$work/sparse.pc2" --fps 24
  prints "13  1 s, 12 a second, from frame 7 of the file on, one every 2 frames"

  # One that ends before the run is told, and whose word its rate is; keys may end.
  lifts 1 "$moved/lift.pc2: PC2 cache, 25 frames, 60 a second (a guess: --body-fps says it), from 0 to 0.4 s, then at rest" "${rest[@]}" --frames 30 \
    --json "$work/o.json"
  grep -qF "warning: --body: $work/lift.pc2 ends at 0.4 s, and the run at 0.5 s: the body rests for the last 6 frames (60 frames a second are a guess" \
    "$work/err" || complain "an early end: $(cat "$work/err")"
  python3 - "$work" <<'PY' || complain "bodies as JSON"
import json, sys
(b,) = json.load(open(f"{sys.argv[1]}/o.json"))["bodies"]
assert b["file"].endswith("body.obj") and b["motion"].endswith("lift.pc2") and b["kind"] == "PC2 cache" and b["moves"]
assert b["frames"] == 25 and b["frames_per_second"] == 60 and b["rate_said_by"] == "default" and abs(b["end_s"] - 0.4) < 1e-9, b
PY
  lifts 1 "$moved/lift.pc2" "${rest[@]}" --fps 24 --frames 25
  grep -qF "the body rests for the last 1 frame" "$work/err" || complain "an early end: $(cat "$work/err")"
  grep -qF "a guess" "$work/err" && complain "a rate that was said is called a guess"
  lifts 1 "$moved/lift.pc2" "${rest[@]}" --fps 24 --frames 24
  grep -q "the body rests" "$work/err" && complain "warned of a motion that lasts: $(cat "$work/err")"
  lifts 0.25 "$moved/rise.json" --body "$work/body.obj" --body-motion "$work/rise.json" --frames 20
  grep -q "the body rests" "$work/err" && complain "keys that end: $(cat "$work/err")"
  run 0 validate "$work/sheet.obj" --pin list:0,4 "${rest[@]}" --backend cpu --frames 6 --fps 24 --substeps 4
  prints "  body 0    $moved/lift.pc2: PC2 cache, 25 frames, 24 a second (--fps), from 0 to 1 s, of which the run has 0.25"
  if have_gl; then
    run 0 render "$work/sheet.obj" --pin list:0,4 "${rest[@]}" --frame 30 --dt 1/24 --substeps 4 -o "$work/x.png" --width 64 --height 64
    prints "  body 0    $moved/lift.pc2: PC2 cache, 25 frames, 24 a second (--dt), from 0 to 1 s, then at rest"
    grep -qF "the body rests for the last 6 frames" "$work/err" || complain "an early end in a picture: $(cat "$work/err")"
  fi
fi
refuses 2 "--dt 0.04 and --fps 24 say different things: frames of 0.04 s are 25 a second" simulate hanging --dt 1/25 --fps 24
for wrong in 1/ /24 1/0 1/2/3 1/24x; do refuses 2 "--dt: \"$wrong\" is not a number" simulate hanging --dt $wrong; done
refuses 2 "--dt: 5/2 is out of range" simulate hanging --dt 5/2
refuses 2 "--fps: 0 is out of range" simulate hanging --fps 0

# The walking body made by others: the same from its skin and from its cache.
walk=${WEFT_MESH_DIR:-}/animated/makehuman_walk
if [ -f "$walk.glb" ]; then
  run 0 inspect --motion "$walk.glb"
  prints "13,380"
  prints "closed, faces outwards, 0.0549 m^3"
  fastest=$(grep "fastest vertex" "$work/out")
  run 0 inspect "${walk}_rest.obj" --motion "$walk.pc2"
  prints "$fastest"
else
  echo "no walking body in ${WEFT_MESH_DIR:-WEFT_MESH_DIR}"
fi
finish
