#!/usr/bin/env bash
# weft inspect --motion: what it prints and writes of moving bodies, and how it refuses the broken ones.
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
