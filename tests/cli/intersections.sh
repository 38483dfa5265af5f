#!/usr/bin/env bash
# Counts of self-intersections: simulate says what inspect says of the frames that it wrote, validate what simulate says; faces
# have the numbers of the file.
. "$(dirname "$0")/helpers.bash"

pairs_of() { sed -n "s/^  frame *$1 *intersects in \([0-9,]*\) pair.*/\1/p" "$work/out"; }
row() { awk '/^  intersecting pairs/ { print $3, $4 }' "$work/out"; }

# A sheet that falls together over a ball, and through itself.
through=(--plain --size 16 --frames 40 --self-collision off)
run 0 simulate drape "${through[@]}" --backend ref --count-intersections -o "$work/f-%02d.obj" --json "$work/s.json"
[ "$(grep -c 'intersects in .* pairs* of triangles' "$work/out")" = 40 ] || complain "not a line for each frame"
last=$(pairs_of 40) most=$(sed -n 's/^  intersects in \([0-9,]*\) at most.*/\1/p' "$work/out")
[ "$(pairs_of 1)" = 0 ] || complain "flat cloth intersects"
[ "${last:-0}" != 0 ] || complain "fallen cloth passes through itself nowhere"
for frame in 1 20 40; do
  count=$(pairs_of $frame)
  "$weft" inspect "$work/f-$(printf %02d $frame).obj" >"$work/inspected" 2>/dev/null
  [ "$(awk '/^  intersecting pairs/ { print $3, $4 }' "$work/inspected")" = "$count $count" ] ||
    complain "frame $frame: $(grep "intersecting pairs" "$work/inspected"), not $count"
done
if command -v python3 >/dev/null; then
  python3 - "$work/s.json" "$last" "$most" <<'PY' || complain "the summary as JSON"
import json, sys
seen = json.load(open(sys.argv[1]))["intersections"]
assert seen["frames_counted"] == 40 and seen["last_frame"] == 40
assert seen["last"]["triangle_pairs"] == int(sys.argv[2].replace(",", "")) > 0
assert seen["max_triangle_pairs"] == int(sys.argv[3].replace(",", "")) >= seen["last"]["triangle_pairs"]
assert 1 <= seen["max_frame"] <= 40 and seen["last"]["triangles"] > 1
PY
fi
run 0 validate drape "${through[@]}" --backend cpu
prints "intersects  in $last pair"

# It changes no bit, and every instance is counted alone.
hash=$("$weft" simulate drape "${through[@]}" --backend ref 2>/dev/null | awk '$1 == "hash" { print $2 }')
run 0 simulate drape "${through[@]}" --backend ref --count-intersections --instances 2
prints "hash"
[ "$(pairs_of 40)" = $((2 * last)) ] || complain "two instances: $(pairs_of 40), not twice $last"
run 0 simulate drape "${through[@]}" --backend ref --count-intersections
prints "hash      $hash"
# Unless it is kept apart, as it is when nothing is said.
run 0 simulate drape --size 16 --frames 40 --backend ref --count-intersections --json "$work/s.json"
[ "$(sed -n 's/^  intersects in \([0-9,]*\) at most.*/\1/p' "$work/out")" = 0 ] || complain "$(tail -3 "$work/out")"
prints "pairs a contact step at most, 0 contact steps paused, 0 for want of room"
if command -v python3 >/dev/null; then
  python3 - "$work/s.json" <<'PY' || complain "what self-collision did over all frames, as JSON"
import json, sys
s = json.load(open(sys.argv[1]))
seen = s["intersections"]
assert seen["most_pairs"] >= s["metrics"]["self_pairs"] and seen["most_pairs"] > 0
assert seen["pauses"] == seen["overflows"] == 0
PY
fi
# Where nothing pushes, too, the last frame is told alone.
run 9 simulate stack --size 8 --layers 4 --frames 3 --substeps 10 --self-thickness 1 --self-iterations 0 --backend ref --count-intersections
prints " 10 contact steps paused, 10 for want of room"
prints " 30 contact steps paused, 30 for want of room"
[ "$(grep -c "is the most that is looked at" "$work/err")" = 1 ] || complain "want of room is told $(grep -c "is the most that is looked at" "$work/err") times"
refuses 2 "--count-intersections: rope has no triangles" simulate rope --frames 1 --backend ref --count-intersections

# A quad and a triangle through it, both with vertices of their own for every face; the second face is somewhere else.
cat >"$work/cross.obj" <<'OBJ'
v 0 0 0
v 1 0 0
v 1 0 1
v 0 0 1
v 5 0 0
v 6 0 0
v 5 1 0
v 0.2 -1 0.4
v 0.2 1 0.4
v 0.3 1 0.5
v 0.2 -1 0.4
v 0.3 1 0.5
v 0.4 -1 0.6
g cloth
f 1 2 3 4
g other
f 5 6 7
g cloth
f 8 9 10
f 11 12 13
OBJ
run 0 inspect "$work/cross.obj" --json "$work/i.json"
[ "$(row)" = "2 2" ] || complain "two faces through a quad: $(row)"
prints "faces                0 and 2, 0 and 3"
run 0 inspect "$work/cross.obj" --group cloth
prints "faces                0 and 2, 0 and 3"
if command -v python3 >/dev/null; then
  python3 - "$work/i.json" <<'PY' || complain "the report as JSON"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["in_the_file"]["intersections"]["first_faces"] == [[0, 2], [0, 3]]
assert report["as_cloth"]["intersections"]["triangle_pairs"] == 2
PY
fi
run 0 inspect hanging --size 12
[ "$(row)" = "0 " ] || complain "a flat sheet intersects: $(row)"
finish
