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
  run 0 simulate "$mesh" --frames 6 --backend cpu --log-level error -o a.pc2 -o a.MDD -o f-%02d.obj
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

# Frames are numbered from where --first-frame says, and are the same frames.
run 0 simulate hanging --size 12 --frames 5 --backend ref --dt 1/24 --first-frame 1001 -o n.pc2 -o n.mdd -o n-%04d.obj -o n.usda
prints "wrote     n-1002.obj to n-1006.obj"
run 0 simulate hanging --size 12 --frames 5 --backend ref --dt 1/24 -o z.pc2 -o z.mdd -o z-%01d.obj -o z.usda
for k in 1 2 3 4 5; do cmp n-100$((k + 1)).obj z-$k.obj || complain "frame $k is another"; done
python3 - <<'PY2' || complain "numbers of the first frame"
import re, struct
n, z = open("n.pc2", "rb").read(), open("z.pc2", "rb").read()
assert struct.unpack("<f", n[20:24]) == (1001,) and struct.unpack("<f", z[20:24]) == (0,)
assert n[:20] + n[24:] == z[:20] + z[24:]
n, z = open("n.mdd", "rb").read(), open("z.mdd", "rb").read()
for b, start in (n, 1001), (z, 0):
    assert all(abs(t - (start + k) / 24) < 1e-5 for k, t in enumerate(struct.unpack(">6f", b[8:32]))), struct.unpack(">6f", b[8:32])
assert n[32:] == z[32:]
n, z = open("n.usda").read(), open("z.usda").read()
assert re.search(r"endTimeCode = 1006 ", n) and "startTimeCode = 1001\n" in n and "startTimeCode = 0\n" in z
samples = lambda text: re.findall(r"^        (\d+): (\[.*\]),$", text, re.M)
assert [(int(k) - 1001, v) for k, v in samples(n)] == [(int(k), v) for k, v in samples(z)] and len(samples(n)) == 12
PY2
refuses 2 "--first-frame does nothing here" simulate hanging --first-frame 5 -o one.obj
refuses 2 "--first-frame does nothing here" simulate hanging --first-frame 5 --instances 2 -o i-%01d.obj
refuses 2 "both write $work/n-1004.obj" simulate hanging --size 8 --frames 3 --first-frame 1001 -o n-%04d.obj -o ./n-1004.obj
rm -f n-* z-*

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
run 0 simulate sheet.obj --frames 1 --backend ref --pin list:0,1,2,3 --gravity 0,0,-9.81 -o z.usda -o lies.glb --log-level info
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

# Every name is a file of its own, however it is spelled; nothing is touched.
echo older >f-0001.obj
ln -s f-0001.obj near.obj
ln -s . here
for pair in "f-0001.obj f-%04d.obj" "f-0003.obj f-%04d.obj" "f-%04d.obj f-0001.obj" "f-0001.obj ./f-0001.obj" "f-0001.obj near.obj" "here/f-0001.obj f-%04d.obj" \
  "$work/f-0001.obj f-0001.obj" "f-%04d.obj f-00%02d.obj" "new.ply here/new.ply"; do
  refuses 2 "both write $work/" simulate hanging --size 8 --frames 3 --backend ref -o ${pair% *} -o ${pair#* }
done
refuses 2 "both write $work/f-0001.obj" simulate hanging --size 8 --frames 3 --backend ref -o f-%04d.obj --json ./f-0001.obj
refuses 2 "i-%01d.pc2 and ./i-%01d.pc2 both write $work/i-1.pc2" simulate hanging --size 8 --frames 1 --backend ref --instances 2 -o i-%01d.pc2 -o ./i-%01d.pc2
[ "$(cat f-0001.obj)" = older ] || complain "what was there is overwritten"
run 0 simulate hanging --size 8 --frames 3 --backend ref -o f-%04d.obj -o f-0004.obj -o "f-%02d.obj"
cmp -s f-0003.obj f-0004.obj && cmp -s f-03.obj f-0004.obj || complain "names that are others are refused"
rm -f f-* near.obj here

# What is written takes the place of an older file: its mode stays, links are followed.
small=(hanging --size 8 --frames 1 --backend ref)
run 0 simulate "${small[@]}" -o fresh.obj -o mode.ply
chmod 640 mode.ply
run 0 simulate "${small[@]}" -o mode.ply
[ "$(stat -c %a mode.ply)" = 640 ] || complain "mode 640 became $(stat -c %a mode.ply)"
mkdir away
ln -s away/there.obj link.obj
ln -s away/none.obj second.obj
ln -s second.obj first.obj
ln -s loop.obj loop.obj
echo older >away/there.obj
run 0 simulate "${small[@]}" -o link.obj -o first.obj
for link in link.obj first.obj second.obj; do [ -L $link ] || complain "$link is no link any more"; done
cmp away/there.obj fresh.obj && cmp away/none.obj fresh.obj || complain "what a link names is not written"
refuses 4 "loop.obj: cannot write" simulate "${small[@]}" -o loop.obj
# One that its owner made read-only is refused; root may write whatever there is.
cp fresh.obj keep.ply && chmod 444 keep.ply
chmod 777 .
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
status=0
"${as[@]}" "$weft" simulate "${small[@]}" -o keep.ply >out 2>err || status=$?
[ $status = 4 ] && grep -q "keep.ply: cannot write: Permission denied" err || complain "read-only: status $status, $(cat err)"
cmp keep.ply fresh.obj || complain "a read-only file is overwritten"
rm -rf away *.obj keep.ply mode.ply

# A pipe is opened once: who reads it has all of it, and nothing else.
run 0 simulate "${small[@]}" -o want.obj -o want.ply --json want.json
for ending in obj ply; do
  mkfifo pipe.$ending
  timeout 120 cat pipe.$ending >got &
  timeout -k 5 100 "$weft" simulate "${small[@]}" -o pipe.$ending >out 2>err || complain "a pipe: status $?, $(cat err)"
  wait
  cmp got want.$ending || complain "a pipe has $(wc -c <got) bytes of $(wc -c <want.$ending)"
done
# Without a reader it waits before the run, and the first signal ends it.
timeout -k 5 3 "$weft" simulate "${small[@]}" -o pipe.obj >out 2>err
[ $? = 124 ] || complain "it waits for a reader, and one SIGTERM does not end it"
rm -f pipe.*

# An older sequence is left standing, which is said.
run 0 simulate hanging --size 8 --frames 5 --backend ref -o "s-%02d.obj"
[ -s err ] && complain "a new sequence: $(cat err)"
run 0 simulate hanging --size 8 --frames 2 --backend ref -o "s-%02d.obj"
grep -q "s-03.obj to s-05.obj stood there before and is not of this run" err || complain "an older sequence: $(cat err)"
run 0 simulate hanging --size 8 --frames 4 --backend ref -o "s-%02d.obj"
grep -q "s-05.obj stood there before" err || complain "one older file: $(cat err)"
rm -f s-*

# A file that may not grow: what is whole stays, under headers that say so, and other outputs go on.
# An MDD of 8 x 8 has 768 bytes a frame, PC2 the same, USDA about 2,100.
limited() {
  local wanted=$1 status=0
  shift
  (ulimit -f 16 && exec "$weft" simulate hanging --size 8 --frames 9 --backend ref "$@") >out 2>err </dev/null || status=$?
  [ $status = "$wanted" ] || complain "$*: status $status, wanted $wanted: $(cat err)"
}
run 0 simulate hanging --size 8 --frames 9 --backend ref -o w.pc2 -o w.usda -o w-%02d.obj
limited 4 -o l.pc2 -o l.usda -o l-%02d.obj --json l.json
grep -q "l.usda: frame [1-9]: cannot write: File too large; frames 0 to [0-9] are kept; the other outputs go on" err || complain "$(cat err)"
grep -q "1 of 3 outputs was not written whole" err || complain "$(cat err)"
cmp l.pc2 w.pc2 && cmp l-09.obj w-09.obj || complain "what had room is not whole"
grep -q "wrote     l.pc2" out && ! grep -q "wrote     l.usda" out || complain "$(grep wrote out)"
[ -s l.json ] || complain "the summary is gone"
kept=$(sed -n 's/.*frames 0 to \([0-9]\) are kept.*/\1/p' err)
python3 - l.usda w.usda "$kept" <<'PY2' || complain "USDA of $kept good frames: $(tail -c 300 l.usda)"
import re, sys
less, whole, kept = open(sys.argv[1]).read(), open(sys.argv[2]).read(), int(sys.argv[3])
assert re.search(r"endTimeCode = (\d+)", less).group(1) == str(kept)
samples = lambda text: re.findall(r"^        (\d+): (\[.*\]),$", text, re.M)
assert kept > 0 and len(samples(less)) == 2 * (kept + 1)
assert samples(less)[:kept + 1] == samples(whole)[:kept + 1]
assert samples(less)[kept + 1:] == samples(whole)[10:10 + kept + 1]
assert less.endswith("}\n") and less.count("{") == less.count("}")
PY2
run 0 simulate hanging --size 8 --frames 99 --backend ref -o w.pc2 -o w.mdd
for cache in pc2 mdd; do
  status=0
  (ulimit -f 16 && exec "$weft" simulate hanging --size 8 --frames 99 --backend ref -o l.$cache) >out 2>err || status=$?
  [ $status = 4 ] || complain "$cache: status $status: $(cat err)"
  [ "$(wc -l <err)" = 1 ] && grep -q "l.$cache: frame [0-9]*: cannot write: File too large; frames 0 to [0-9]* are kept" err || complain "$(cat err)"
  [ -e l.$cache ] || continue
done
python3 - <<'PY2' || complain "PC2 and MDD with fewer frames"
import struct
points = 64
p, w = open("l.pc2", "rb").read(), open("w.pc2", "rb").read()
samples = struct.unpack("<i", p[28:32])[0]
assert samples == (16384 - 32) // (12 * points), samples
assert len(p) == 32 + 12 * points * samples and p[:28] == w[:28] and p[32:] == w[32:len(p)]
m, w = open("l.mdd", "rb").read(), open("w.mdd", "rb").read()
frames = struct.unpack(">i", m[:4])[0]
assert frames == (16384 - 8 - 4 * 100) // (12 * points), frames
assert len(m) == 8 + 4 * frames + 12 * points * frames
assert m[8:8 + 4 * frames] == w[8:8 + 4 * frames] and m[8 + 4 * frames:] == w[8 + 400:8 + 400 + 12 * points * frames]
PY2
run 0 simulate hanging --size 30 --frames 1 --backend ref -o older.obj
cp older.obj before.obj
status=0
(ulimit -f 16 && exec "$weft" simulate hanging --size 30 --frames 2 --backend ref -o older.obj) >out 2>err || status=$?
[ $status = 4 ] && grep -q "older.obj: cannot write: File too large (frame 2)" err || complain "status $status: $(cat err)"
cmp older.obj before.obj || complain "an older file is gone"
[ -z "$(ls | grep tmp)" ] || complain "left behind: $(ls | grep tmp)"

# A full disk is told at the frame that does not fit.
if [ -w /dev/full ]; then
  ln -s /dev/full full.pc2
  refuses 4 "No space left" simulate hanging --size 100 --plain --frames 100000 --backend cpu -o full.pc2
fi
finish
