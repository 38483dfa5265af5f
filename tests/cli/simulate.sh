#!/usr/bin/env bash
# What simulate writes can be read again, broken inputs and outputs have their status, and both
# backends print one hash.
. "$(dirname "$0")/helpers.bash"

hash_of() { sed -n 's/^  hash *//p' "$work/out"; }

run 0 simulate hanging --size 12 --frames 5 --backend ref --log-level error
reference=$(hash_of)
[ ${#reference} = 16 ] || complain "no hash: $reference"
run 0 simulate --scene=hanging --size=12 --frames=5 --backend=ref
[ "$(hash_of)" = "$reference" ] || complain "--name=value is not --name value"
run 0 simulate hanging --size 12 --frames 5 --backend ref --seed 2
[ "$(hash_of)" != "$reference" ] || complain "the seed has no effect"
# By default what suits the machine: on a software driver that is not OpenGL.
if LIBGL_ALWAYS_SOFTWARE=1 have_gl && "$weft" info | grep -qi llvmpipe; then
  run 0 simulate hanging --size 12 --frames 5
  prints "backend   cpu"
  [ "$(hash_of)" = "$reference" ] || complain "another hash by default"
fi
run 0 simulate hanging --size 12 --frames 5 --backend f64
prints "backend   f64"
[ "$(hash_of)" != "$reference" ] || complain "doubles leave no trace"
run 0 simulate hanging --size 12 --frames 5 --backend ref --lra 4 --lra-slack 0 --fabric tshirt
tethered=$(hash_of)
run 0 simulate hanging --size 12 --frames 5 --backend ref --lra 4 --fabric tshirt --lra-slack 9
[ "$(hash_of)" != "$tethered" ] || complain "attachments have no effect"
run 0 simulate hanging --size 12 --frames 2 --backend ref --lra 4 --pin none
grep -q "nothing is pinned" "$work/err" || complain "no warning of attachments without pins"
run 0 simulate heap --size 8 --frames 1 --backend ref --self-room 8 --self-static 1
[ ! -s "$work/err" ] || complain "what acts is called idle: $(cat "$work/err")"
refuses 2 "lra" simulate hanging --lra 5
refuses 2 "lra-slack" simulate hanging --lra 1 --lra-slack -1
run 0 inspect hanging --size 12
prints "142 particles within reach of 2 groups of pins"
# Friction and air, as the panel of the demo has them.
run 0 simulate sand --size 4 --frames 30 --backend ref
own=$(hash_of)
run 0 simulate sand --size 4 --frames 30 --backend ref --friction 1
[ "$(hash_of)" = "$own" ] || complain "the floor under sand has another friction than 1"
run 0 simulate sand --size 4 --frames 30 --backend ref --friction 1,0.2
[ "$(hash_of)" != "$own" ] || complain "sliding friction has no effect"
refuses 2 "friction" simulate sand --friction -1
refuses 2 "friction" simulate sand --friction 1,0.5,0.2
run 0 simulate drape --size 12 --frames 5 --backend ref --air-density 1.2
airy=$(hash_of)
run 0 simulate drape --size 12 --frames 5 --backend ref --wind 0,0,0
[ "$(hash_of)" = "$airy" ] || complain "still air is not air"
run 0 simulate drape --size 12 --frames 5 --backend ref --wind 0,0,0 --air-density 0
[ "$(hash_of)" != "$airy" ] || complain "no air is not no air"
# Inextensible is what the fabric of that name is; what is not given is the fabric's own.
run 0 simulate drape --size 12 --frames 5 --backend ref --fabric inextensible
hard=$(hash_of)
run 0 simulate drape --size 12 --frames 5 --backend ref --fabric tablecloth --compliance 0,0,-1
[ "$(hash_of)" = "$hard" ] || complain "without compliance, a tablecloth still stretches"
run 0 simulate drape --size 12 --frames 5 --backend ref --fabric inextensible --compliance 0.01,-1,-1
[ "$(hash_of)" != "$hard" ] || complain "compliance has no effect"
refuses 2 "compliance" simulate drape --compliance 0,0,0
refuses 2 "fabric" simulate rope --compliance 0,0,-1
if have_gl; then
  for size in 32 64 128; do
    run 0 simulate hanging --size 12 --frames 5 --backend gl --group-size $size
    [ "$(hash_of)" = "$reference" ] || complain "gl and ref differ at group size $size"
  done
  for mode in jacobi hybrid; do
    run 0 simulate drape --size 12 --frames 3 --mode $mode --backend ref
    reference=$(hash_of)
    run 0 simulate drape --size 12 --frames 3 --mode $mode --backend gl
    [ "$(hash_of)" = "$reference" ] || complain "gl and ref differ in mode $mode"
  done
fi

# Under a locale with a decimal comma, where there is one.
comma=$(locale -a 2>/dev/null | grep -iE '^(de_DE|fr_FR|de_AT|es_ES)' | head -1)
run 0 simulate hanging --size 12 --frames 3 --backend ref --dt 0.02
plain=$(hash_of)
if [ -n "$comma" ]; then
  LC_ALL=$comma run 0 simulate hanging --size 12 --frames 3 --backend ref --dt 0.02
  [ "$(hash_of)" = "$plain" ] || complain "the locale changes the result"
fi

# Written cloth is read again: same vertices, same triangles, nothing to mend.
run 0 simulate skirt --size 16 --frames 3 --backend ref -o "$work/skirt.obj" --json "$work/s.json"
triangles=$(sed -n '1s/.*, \([0-9,]*\) triangles.*/\1/p' "$work/out")
prints "wrote     $work/skirt.obj"
run 0 inspect "$work/skirt.obj" --json "$work/i.json"
prints "usable as cloth"
[ "$(awk '$1 == "triangles" { print $3 }' "$work/out")" = "$triangles" ] || complain "triangles"
run 0 simulate "$work/skirt.obj" --frames 2 --backend ref --pin top --pin top
[ -s "$work/err" ] && complain "a skirt of metres held by its waist is doubted"
grep -q "(27 pinned)" "$work/out" || complain "a waist of 27 is not held"
run 0 simulate "$work/skirt.obj" --frames 1 --backend ref --pin list:0,1,2
grep -q "held by" "$work/err" && complain "pins that were listed are doubted"
run 0 simulate "$work/skirt.obj" --frames 1 --backend ref --pin box:-1,1,-0.02,1,2,0
grep -q "is held by [123] vert" "$work/err" || complain "no warning of few pins"
# Units that are no metres.
awk '$1 == "v" { print "v", 10 * $2, 10 * $3, 10 * $4; next } 1' "$work/skirt.obj" >"$work/large.obj"
run 0 simulate "$work/large.obj" --frames 1 --backend ref
grep -q "in decimetres, --unit dm makes it" "$work/err" || complain "no word of decimetres"
run 0 simulate "$work/large.obj" --frames 1 --backend ref --scale 0.1
grep -q "corner to corner" "$work/err" && complain "a scale that is given is doubted"
# A size that is given is doubted as well where it is no cloth's.
run 0 simulate "$work/large.obj" --frames 1 --backend ref --scale 1
grep -q "as --scale makes it, the size of no cloth: if it is in decimetres, --unit dm makes it" "$work/err" || complain "$(cat "$work/err")"
run 0 simulate "$work/skirt.obj" --frames 1 --backend ref --unit mm
grep -q "as --unit makes it, the size of no cloth: if it is in metres, --unit m makes it" "$work/err" || complain "$(cat "$work/err")"
run 0 simulate "$work/skirt.obj" --frames 1 --backend ref --unit cm --scale 3000
grep -q "as --unit and --scale make it, the size of no cloth" "$work/err" || complain "$(cat "$work/err")"
run 0 simulate "$work/large.obj" --frames 1 --backend ref --unit dm
grep -q "corner to corner" "$work/err" && complain "the unit that it is in is doubted"
if command -v python3 >"/dev/null"; then
  python3 - "$work/s.json" "$work/i.json" <<'PY' || complain "JSON"
import json, sys
s, i = (json.load(open(p)) for p in sys.argv[1:])
assert s["backend"] == "ref" and s["frames"] == 3 and s["hash"].startswith("0x")
assert s["particles"] == i["as_cloth"]["vertex_count"] == i["particles"]
assert s["metrics"]["nonfinite"] == 0
assert all(sum(g["colour_sizes"]) == g["constraints"] for g in s["groups"])
assert all(g["colours"] >= g["colours_lower_bound"] for g in s["groups"])
PY
fi
mkdir "$work/frames"
run 0 simulate hanging --size 8 --frames 3 --backend ref -o "$work/frames/f-%03d.obj"
[ "$(ls "$work/frames")" = "$(printf 'f-001.obj\nf-002.obj\nf-003.obj')" ] || complain "frames"

# Inputs that are refused.
refuses 3 "$work/none.obj" simulate "$work/none.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >"$work/bad.obj"
refuses 3 "$work/bad.obj:4" simulate "$work/bad.obj"
refuses 3 "$work/bad.obj:4" inspect "$work/bad.obj"
: >"$work/empty.obj"
refuses 3 "empty.obj" inspect "$work/empty.obj"
refuses 3 "$work" inspect "$work/"
refuses 2 "nosuch" inspect "$work/skirt.obj" --group nosuch

# Outputs that cannot be written.
refuses 4 "$work/no/such/folder.obj" simulate hanging --size 8 --frames 1 --backend ref \
  -o "$work/no/such/folder.obj"
mkdir "$work/folder"
refuses 4 "$work" simulate hanging --size 8 --frames 1 --backend ref -o "$work/folder"
refuses 4 "$work/no/x.json" simulate hanging --size 8 --frames 1 --backend ref \
  --json "$work/no/x.json"
refuses 4 "$work/no/x.json" inspect hanging --size 8 --json "$work/no/x.json"
if [ "$(id -u)" != 0 ]; then
  mkdir "$work/locked" && chmod a-w "$work/locked"
  refuses 4 "$work/locked/x.obj" simulate hanging --size 8 --frames 1 --backend ref \
    -o "$work/locked/x.obj"
fi
if [ -w /dev/full ]; then
  status=0
  "$weft" --help >/dev/full 2>"$work/err" || status=$?
  [ $status = 4 ] || complain "a full standard output gives status $status"
fi

# What a scene does unless told otherwise yields to what it does not go with, in words; what was asked for does not.
tiny=(--size 8 --frames 1 --backend ref)
for other in "--compensated on" "--schedule single"; do
  run 0 simulate drape "${tiny[@]}" $other
  grep -qF "self-collision is off: it does not go with ${other%% *}" "$work/err" || complain "$other: $(cat "$work/err")"
done
refuses 2 "it does not go with compensated" simulate drape "${tiny[@]}" --compensated on --self-collision on
if have_gl; then
  # The single dispatch has no passes for it: auto takes colours and says why, single is refused.
  on_gl=(--size 8 --frames 1 --backend gl)
  run 0 simulate heap "${on_gl[@]}" --log-level debug
  prints "mode gs, schedule colours"
  grep -qF "schedule colours instead of single: it has no self-collision" "$work/err" || complain "auto does not say why"
  run 0 simulate heap "${on_gl[@]}" --self-collision off
  prints "mode gs, schedule single"
  refuses 6 "schedule single cannot run this: it has no self-collision; use auto" simulate heap "${on_gl[@]}" --schedule single --self-collision on
fi
run 0 simulate wring "${tiny[@]}" --method pbd
grep -qF "the sweep is plain and cloth may stretch: lines go with --method xpbd " "$work/err" || complain "--method pbd: $(cat "$work/err")"

# A ball put elsewhere holds nothing up: all that is left is a sheet on the floor, as thick as it is.
run 0 simulate drape --size 12 --frames 60 --backend ref
grep -q ", 0.68[0-9], " "$work/out" || complain "$(grep box "$work/out")"
run 0 simulate drape --size 12 --frames 60 --backend ref --shift-collider 1,10,0,0
grep -q "box  *(.*, 0.003, .*) to (.*, 0.003, .*) m" "$work/out" || complain "$(grep box "$work/out")"
refuses 2 "drape has 2 colliders, and 2 is not among them" simulate drape --shift-collider 2,0,0,0
refuses 2 "begin with the number of a collider" simulate drape --shift-collider 0.5,0,0,0
refuses 2 "--shift-collider" simulate drape --shift-collider 1,0,0

# Pins go with a body, here one that moves a metre a second.
printf '%s\n' 'v 0 0.6 0' 'v 1 0.6 0' 'v 0 0.6 1' 'v 0.3 0.5 0.3' 'f 1 3 2' 'f 1 2 4' 'f 2 3 4' 'f 3 1 4' >"$work/floor.obj"
echo '{"keys": [{"time": 0}, {"time": 1, "translation": [0, 1, 0]}]}' >"$work/up.json"
hung=(hanging --size 8 --frames 6 --backend ref --body "$work/floor.obj" --body-motion "$work/up.json")
first_pin() { grep -m 1 '^v ' "$work/hung.obj"; }
run 0 simulate "${hung[@]}" -o "$work/hung.obj"
stays=$(first_pin)
for which in "" =0; do
  run 0 simulate "${hung[@]}" -o "$work/hung.obj" "--pin-to-body$which"
  echo "$stays $(first_pin)" | awk '{ d = $7 - $3 - 0.1; exit !(d * d < 1e-12 && $6 == $2 && $8 == $4) }' ||
    complain "pins did not go along: $stays, $(first_pin)"
done
refuses 2 "--pin-to-body: hanging has no body that pins could go with" simulate hanging --pin-to-body
refuses 2 "--pin-to-body: hanging has 1 body, and 1 is not among them" simulate "${hung[@]}" --pin-to-body=1
refuses 2 "--pin-to-body" simulate "${hung[@]}" --pin-to-body=x
refuses 2 "--pin-to-body: nothing of drape is pinned" simulate drape --size 8 --body "$work/floor.obj" --pin-to-body

# One of a thing is named as one.
run 0 simulate drape --size 8 --frames 1 --substeps 1 --backend ref
prints "1 frame of 0.01667 s (60 a second), 1 substep, 1 iteration,"
grep -E "(^|[^0-9.])1 [a-z]+s\b" "$work/out" && complain "one of a thing is named as several"

# A reader that goes away early is no reason for noise.
"$weft" --help 2>"$work/err" | head -1 >/dev/null
[ -s "$work/err" ] && complain "a broken pipe makes noise: $(cat "$work/err")"

# The edge that is strained most is named by its vertices in the file: here the first vertex is no part of the cloth and
# one stands twice. Its strain is that of what is written.
if command -v python3 >/dev/null; then
  python3 - "$work/edge.obj" <<'PY'
import sys
n, lines = 6, ["v 9 9 9"]
lines += [f"v {k % n / n:.4f} {-(k // n) / n:.4f} {0.01 * (k % 2)}" for k in range(n * n)]
lines += [lines[1 + 2 * n]]
faces = [(k // (n - 1) * n + k % (n - 1) + 2) for k in range((n - 1) * (n - 1))]
lines += [f"f {a} {a + 1} {a + n + 1} {a + n}" for a in faces]
lines[-1] = lines[-1].replace(f" {2 * n + 2} ", f" {n * n + 2} ")
open(sys.argv[1], "w").write("\n".join(lines) + "\n")
PY
  run 0 simulate "$work/edge.obj" --frames 20 --plain --substeps 2 --backend ref --fabric tshirt --pin list:1,6 --bending none \
    --self-collision off -o "$work/edge_last.obj" --json "$work/edge.json" --log-level error
  python3 - "$work/edge.obj" "$work/edge_last.obj" "$work/out" "$work/edge.json" <<'PY' || complain "the edge of the largest strain"
import json, math, re, sys
def read(path):
    rows = [line.split() for line in open(path)]
    return [[float(c) for c in r[1:4]] for r in rows if r and r[0] == "v"], [[int(c) - 1 for c in r[1:]] for r in rows if r and r[0] == "f"]
(rest, faces), (last, _) = read(sys.argv[1]), read(sys.argv[2])
part, a, b = re.search(r"max (\S+) % from vertex (\d+) to (\d+)", open(sys.argv[3]).read()).groups()
strain = lambda a, b: abs(math.dist(last[a], last[b]) / math.dist(rest[a], rest[b]) - 1)
sides = {(min(f[k], f[k - 1]), max(f[k], f[k - 1])) for f in faces for k in range(4)}
assert abs(100 * strain(int(a), int(b)) - float(part)) < 0.006 * float(part) + 1e-3, (part, strain(int(a), int(b)))
assert max(strain(*s) for s in sides) <= strain(int(a), int(b)) * 1.0001
assert float(part) > 1 and 0 not in (int(a), int(b))
assert json.load(open(sys.argv[4]))["strain_max_edge"] == [int(a), int(b)]
PY
fi
# A log learns every ten seconds how far a long run is.
timeout -s TERM 15 "$weft" simulate hanging --size 32 --backend ref --plain --frames 1000000 >"$work/out" 2>"$work/err"
[ "$(grep -cE '^weft: so far: simulating, [0-9]+ %, [0-9]+:[0-9][0-9] left$' "$work/err")" = 1 ] || complain "a line in fifteen seconds: $(cat "$work/err")"
finish
