#!/usr/bin/env bash
# Loose pieces of a file that ride on the cloth: found, named, left alone; in every output, on every backend.
. "$(dirname "$0")/helpers.bash"

hash_of() { sed -n 's/^  hash *//p' "$work/out"; }

# A sheet of 21 by 17, a button 12 mm wide 2 mm over it, a patch of 50 mm, and a second sheet that hangs beside.
shirt() {
  awk 'BEGIN {
    pi = 3.14159265358979
    print "o front"
    for (r = 0; r < 21; ++r) for (c = 0; c < 17; ++c) printf "v %.6f %.6f 0\n", 0.02 * c, -0.02 * r
    for (r = 0; r < 20; ++r) for (c = 0; c < 16; ++c) { a = r * 17 + c + 1; print "f", a, a + 17, a + 18; print "f", a, a + 18, a + 1 }
    print "o button\nusemtl horn"
    for (k = 0; k < 6; ++k) printf "v %.6f %.6f 0.0035\n", 0.193 + 0.006 * cos(pi * k / 3), -0.171 + 0.006 * sin(pi * k / 3)
    print "v 0.193 -0.171 0.005\nv 0.193 -0.171 0.002"
    for (k = 0; k < 6; ++k) { a = 358 + k; b = 358 + (k + 1) % 6; print "f", a, b, 364; print "f", b, a, 365 }
    print "o patch\nusemtl felt"
    for (r = 0; r < 6; ++r) for (c = 0; c < 6; ++c) printf "v %.6f %.6f 0.002\n", 0.05 + 0.01 * c, -0.25 - 0.01 * r
    for (r = 0; r < 5; ++r) for (c = 0; c < 5; ++c) { a = 366 + r * 6 + c; print "f", a, a + 6, a + 7, a + 1 }
    print "o apron"
    for (r = 0; r < 4; ++r) for (c = 0; c < 4; ++c) printf "v %.6f %.6f 0.05\n", 0.1 + 0.03 * c, -0.1 - 0.03 * r
    for (r = 0; r < 3; ++r) for (c = 0; c < 3; ++c) { a = 402 + r * 4 + c; print "f", a, a + 4, a + 5, a + 1 }
  }'
}
shirt >"$work/shirt.obj"
blow=(simulate "$work/shirt.obj" --pin top --wind 6,1,9 --frames 60 --backend cpu --plain)

# mm, in an OBJ file: from the middle of the button (358 to 365) to the corner of the sheet that it is nearest to at the start, 8 rows down.
off() { awk '$1 == "v" { ++n; if (n >= 358 && n <= 365) { for (k = 2; k < 5; ++k) m[k] += $k / 8 } if (n == 9 * 17 - 17 + 11) for (k = 2; k < 5; ++k) c[k] = $k }
  END { for (k = 2; k < 5; ++k) d += (m[k] - c[k]) ^ 2; printf "%d\n", 1000 * sqrt(d) }' "$1"; }

run 0 "${blow[@]}" -o "$work/after.obj" --json "$work/json"
python3 - "$work/json" <<'PY' || complain "JSON: $(cat "$work/json")"
import json, sys
o = json.load(open(sys.argv[1]))
assert o["attached"] == 44 and o["particles"] == 417 and o["triangles"] == 640 + 12 + 50 + 18, o
PY
prints "attached  2 loose pieces (44 vertices) ride on the cloth beneath; --attach off leaves small ones alone"
[ "$(off "$work/after.obj")" -le 25 ] || complain "the button is $(off "$work/after.obj") mm off"
run 0 "${blow[@]}" --attach off -o "$work/loose.obj"
grep -q "on the cloth beneath" "$work/out" && complain "--attach off: told all the same"
[ "$(off "$work/loose.obj")" -gt 25 ] || complain "--attach off: the button goes with the cloth"
sed -n 's/^  *hash *//p' "$work/out" >"$work/none"
run 0 "${blow[@]}" --attach none
[ "$(hash_of)" = "$(cat "$work/none")" ] || complain "none is not off"

# By name, material and number.
rides() { # WHAT PIECES VERTICES
  grep -q "$2 loose piece.* ($3 vertices) ride" "$work/out" || complain "$1: $(head -3 "$work/out")"
}
short=(simulate "$work/shirt.obj" --pin top --frames 2 --backend cpu --plain)
for name in button horn @1; do
  run 0 "${short[@]}" --attach off --attach $name
  rides "$name" 1 8
done
run 0 "${short[@]}" --attach apron
rides apron 3 60
run 0 "${short[@]}" --attach @3
rides @3 3 60
refuses 2 "has 4 connected pieces, and 9 is not among them" "${short[@]}" --attach @9
refuses 2 "nosuch" "${short[@]}" --attach nosuch
refuses 2 "cloth from a file" simulate hanging --size 8 --frames 1 --attach off
refuses 2 "all of the cloth is attached" "${short[@]}" --attach @0 --attach @1 --attach @2 --attach @3
refuses 2 "is attached to the cloth, and goes where that goes" "${short[@]}" --attach button --pin list:358
run 0 "${short[@]}" --pin list:358
rides "a pinned button stays where it is pinned" 1 36
sed -e 's/^f 1 18 19$/f 1 18 358/' "$work/shirt.obj" >"$work/sewn.obj"
refuses 2 "hangs together with the rest" simulate "$work/sewn.obj" --frames 1 --attach button

# Outputs have them, the same in each; a cache and the last frame agree.
run 0 "${short[@]}" -o "$work/a.obj" -o "$work/a.ply" -o "$work/a.pc2"
[ "$(grep -c '^v ' "$work/a.obj")" = 417 ] || complain "vertices of the OBJ"
grep -aq "element vertex 417" "$work/a.ply" || complain "vertices of the PLY"
python3 - "$work/a.obj" "$work/a.pc2" <<'PY' || complain "the PC2 differs from the OBJ"
import struct, sys
v = [tuple(map(float, l.split()[1:4])) for l in open(sys.argv[1]) if l.startswith("v ")]
d = open(sys.argv[2], "rb").read()
n, = struct.unpack_from("<i", d, 16)
assert n == len(v), n
last = struct.unpack_from("<%df" % (3 * n), d, len(d) - 12 * n)
worst = max(abs(last[3 * i + k] - v[i][k]) for i in range(n) for k in range(3))
assert worst < 1e-6, worst
PY

# All backends alike, alone and several at once.
for several in "" "--instances 3"; do
  run 0 simulate "$work/shirt.obj" --pin top --frames 3 --wind 6,1,9 --backend ref $several ${several:+-o "$work/i-%03d.obj"}
  reference=$(hash_of)
  for backend in cpu $(have_gl && echo gl); do
    run 0 simulate "$work/shirt.obj" --pin top --frames 3 --wind 6,1,9 --backend $backend $several ${several:+-o "$work/i-%03d.obj"}
    [ "$(hash_of)" = "$reference" ] || complain "$backend $several differs"
  done
done
cmp -s "$work/i-001.obj" "$work/i-003.obj" || complain "instances differ"

# Moved out of a body, they come along.
ball 0.05 12 18 | awk '$1 == "v" { print "v", $2 + 0.193, $3 - 0.171, $4 - 0.02; next } 1' >"$work/ball.obj"
run 0 simulate "$work/shirt.obj" --pin none --body "$work/ball.obj" --tangled loosen --gravity 0,0,0 --frames 1 --backend cpu -o "$work/out.obj"
[ "$(off "$work/out.obj")" -le 25 ] || complain "loosened: the button is $(off "$work/out.obj") mm off"
finish
