#!/usr/bin/env bash
# Caches and stills that simulate writes: point caches against OBJ files to the last bit, on meshes made by others where they are
# there; standard output; particles, instances; outputs that cannot be written. Usage: caches.sh WEFT
. "$(dirname "$0")/helpers.bash"
cd "$work" || exit 1

# same_frames PC2 MDD PATTERN FRAMES: the numbers as each format has them, read with nothing of weft's.
same_frames() {
  python3 - "$@" <<'PY' || complain "$1, $2 and $3 hold other positions"
import array, struct, sys
pc2, mdd, pattern, frames = sys.argv[1:4] + [int(sys.argv[4])]
b = open(pc2, "rb").read()
assert b[:12] == b"POINTCACHE2\0"
version, points, start, rate, samples = struct.unpack("<iiffi", b[12:32])
assert (version, start, rate, samples) == (1, 0, 1, frames + 1) and len(b) == 32 + 12 * points * samples
m = open(mdd, "rb").read()
assert struct.unpack(">ii", m[:8]) == (samples, points) and len(m) == 8 + 4 * samples + 12 * points * samples
times = struct.unpack(">%df" % samples, m[8:8 + 4 * samples])
assert all(abs(t - k / 60) < 1e-6 for k, t in enumerate(times)), times
swapped = array.array("I", m[8 + 4 * samples:])
swapped.byteswap()
assert swapped.tobytes() == b[32:], "PC2 and MDD"
for k in range(1, frames + 1):
    text = [line.split()[1:4] for line in open(pattern % k) if line.startswith("v ")]
    packed = b"".join(struct.pack("<3f", *map(float, p)) for p in text)
    assert packed == b[32 + 12 * points * k:32 + 12 * points * (k + 1)], "frame %d" % k
assert b[32:32 + 12 * points] != b[32 + 12 * points * frames:], "nothing moved"
PY
}

count=0
for mesh in "${WEFT_MESH_DIR:-none}"/garments/*tshirt*.obj "${WEFT_MESH_DIR:-none}"/animated/*skirt.obj; do
  [ -e "$mesh" ] || continue
  count=$((count + 1))
  run 0 simulate "$mesh" --frames 6 --backend cpu --log error -o a.pc2 -o a.MDD -o f-%02d.obj
  same_frames a.pc2 a.MDD f-%02d.obj 6
  # The start is where the file has its vertices, as weft's own reader says.
  run 0 inspect "$mesh" --motion a.pc2
  grep -q "^  frames  *7  0.1 s" out || complain "$(grep frames out)"
  grep -q "first frame  *0 m at most from" out || complain "$(grep first out)"
done
[ $count -gt 0 ] || echo "no meshes made by others: only built-in scenes are looked at"
rm -f f-*
run 0 simulate hanging --size 12 --frames 5 --backend ref -o a.pc2 -o a.mdd -o f-%02d.obj -o last.obj -o a.usda -o a.ply -o a.glb
prints "wrote     a.pc2"
prints "wrote     f-01.obj to f-05.obj"
same_frames a.pc2 a.mdd f-%02d.obj 5
cmp f-05.obj last.obj || complain "the last of the numbered files is another than the last frame"
grep -q "^vt " last.obj || complain "a sheet has no texture coordinates"
grep -q "timeCodesPerSecond = 60.0" a.usda || complain "$(grep timeCodes a.usda)"
for again in a.ply a.glb last.obj; do # what is written is read
  run 0 inspect "$again"
  prints "144"
done
run 0 simulate last.obj --frames 1 --backend ref -o again.pc2

# A file's own vertices: those of a seam that is welded, and one of no face that stays.
cat >seam.obj <<'OBJ'
v 0 0 0
v 0.1 0 0
v 0.1 0.1 0
v 5 5 5
v 0.1 0 0
v 0.1 0.1 0
v 0.2 0 0
f 1 2 3
f 5 7 6
OBJ
run 0 simulate seam.obj --frames 2 --backend ref --pin list:0 -o s.pc2 -o s.mdd -o s-%01d.obj
same_frames s.pc2 s.mdd s-%01d.obj 2
[ "$(od -An -tu4 -j16 -N4 s.pc2 | tr -d ' ')" = 7 ] || complain "a file of 7 vertices comes out with$(od -An -tu4 -j16 -N4 s.pc2)"
grep -qx "v 5 5 5" s-2.obj || complain "a vertex of no face moves: $(grep '^v' s-2.obj)"

# Without an ending, and to standard output: OBJ, or as --format says; words go to standard error.
run 0 simulate hanging --size 12 --frames 5 --backend ref -o plain
cmp plain last.obj || complain "a name without an ending is no OBJ"
run 0 simulate hanging --size 12 --frames 5 --backend ref -o -
cmp out last.obj || complain "standard output holds something else"
grep -q "wrote     standard output" err || complain "the words are gone"
run 0 simulate hanging --size 12 --frames 5 --backend ref -o - --format ply
cmp out a.ply || complain "standard output holds no PLY"
run 0 simulate hanging --size 12 --frames 5 --backend ref --json -
python3 -c 'import json, sys; assert json.load(open("out"))["frames"] == 5' || complain "standard output is no JSON"

# Z points up where things fall along -z.
run 0 simulate hanging --size 8 --frames 1 --backend ref --gravity 0,0,-9.81 -o z.usda
grep -q 'upAxis = "Z"' z.usda || complain "$(grep upAxis z.usda)"
# but not where --up or the format of the file says what is up: a sheet that stands in the plane z = 0 stays upright.
printf '%s\n' 'v 0 0 0' 'v 0.2 0 0' 'v 0.2 0.2 0' 'v 0 0.2 0' 'f 1 2 3' 'f 1 3 4' >sheet.obj
run 0 simulate sheet.obj --frames 1 --backend ref --pin list:0,1,2,3 --gravity 0,0,-9.81 -o z.usda -o lies.glb --log info
grep -q 'upAxis = "Z"' z.usda || complain "$(grep upAxis z.usda)"
grep -q "z points up in what is written, since --gravity" err || complain "not a word of the axis: $(cat err)"
run 0 simulate sheet.obj --frames 1 --backend ref --pin list:0,1,2,3 --gravity 0,0,-9.81 --up y -o y.usda -o sheet.glb
grep -q 'upAxis = "Y"' y.usda || complain "--up y: $(grep upAxis y.usda)"
run 0 simulate sheet.glb --frames 1 --backend ref --pin list:0,1,2,3 --gravity 0,0,-9.81 -o sideways.glb
# heights GLB: how far its vertices reach up, with the rotation of its node.
heights() {
  python3 - "$1" <<'PY'
import json, struct, sys
b = open(sys.argv[1], "rb").read()
j = json.loads(b[20:20 + struct.unpack("<I", b[12:16])[0]])
a = next(a for a in j["accessors"] if a["type"] == "VEC3" and "max" in a)
turned = any("rotation" in n for n in j["nodes"])
print("%.3f" % (a["max"][2] - a["min"][2] if turned else a["max"][1] - a["min"][1]))
PY
}
[ "$(heights lies.glb) $(heights sheet.glb) $(heights sideways.glb)" = "0.000 0.200 0.200" ] ||
  complain "heights: $(heights lies.glb) $(heights sheet.glb) $(heights sideways.glb)"

# Particles; instances, each as it is alone.
run 0 simulate rope --size 8 --frames 3 --backend ref -o r.pc2 -o r.mdd -o r-%01d.obj -o r.ply -o r.glb
same_frames r.pc2 r.mdd r-%01d.obj 3
run 0 simulate hanging --size 8 --frames 3 --backend ref --instances 2 -o i-%01d.pc2 -o i-%01d.ply
run 0 simulate hanging --size 8 --frames 3 --backend ref -o one.pc2 -o one.ply
cmp i-2.pc2 one.pc2 && cmp i-2.ply one.ply || complain "an instance is written otherwise"

# What is written and cannot be read is named.
refuses 3 "a.usda: USD is written, and not read" simulate a.usda
refuses 3 "a.usda: USD is written, and not read" simulate hanging --body a.usda
refuses 3 "a.pc2: a point cache (PC2) moves the vertices of a mesh, and is none" inspect a.pc2
refuses 3 "a.mdd: a point cache (MDD)" simulate a.mdd
cp a.usda a.model
refuses 3 "a.model: USD is written" simulate a.model

# What cannot be written is told before anything runs, and older files stay.
echo older >keep.obj
long=(hanging --size 1000 --frames 100000)
for wrong in no/x.pc2 no/x.usda no/f-%03d.ply; do
  refuses 4 "no/" simulate "${long[@]}" -o keep.obj -o $wrong
done
refuses 4 "no/x.json" simulate "${long[@]}" -o keep.obj --json no/x.json
refuses 4 "no/x.json" validate "${long[@]}" --json no/x.json
refuses 4 "no/x.json" validate --physics --json no/x.json
refuses 4 "no/x.json" bench --size 1000 --format json -o no/x.json
refuses 4 "no/x.json" inspect hanging --size 2000 --json no/x.json
refuses 4 "no/x-000.png" render "${long[@]}" -o no/x-%03d.png
refuses 4 "no/x.mp4" render "${long[@]}" -o no/x.mp4
[ "$(cat keep.obj)" = older ] || complain "an older file is gone"
[ -z "$(ls | grep tmp)" ] || complain "left behind: $(ls | grep tmp)"

# A full disk is told at the frame that does not fit.
if [ -w /dev/full ]; then
  ln -s /dev/full full.pc2
  refuses 4 "No space left" simulate hanging --size 100 --plain --frames 100000 --backend cpu -o full.pc2
fi
finish
