#!/usr/bin/env bash
# What stands around the cloth by option: the ground, colliders, their friction; in every command alike.
. "$(dirname "$0")/helpers.bash"

# sheet N: a level sheet of a metre in x and z at y = 1, N x N vertices, quads.
sheet() {
  awk -v n="$1" 'BEGIN { for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) printf "v %.6f 1 %.6f\n", c / (n - 1) - 0.5, r / (n - 1) - 0.5
    for (r = 0; r + 1 < n; ++r) for (c = 0; c + 1 < n; ++c) { a = n * r + c + 1; print "f", a, a + n, a + n + 1, a + 1 } }'
}
sheet 9 >"$work/sheet.obj"
hash_of() { sed -n 's/^  hash *//p' "$work/out"; }
low() { sed -n 's/^  box  *(.*, \(.*\), .*) to .*/\1/p' "$work/out"; }
high() { sed -n 's/^  box .* to (.*, \(.*\), .*) m/\1/p' "$work/out"; }
# near VALUE WANTED ALLOWED WHAT
near() { awk -v v="$1" -v w="$2" -v a="$3" 'BEGIN { exit !(v != "" && v >= w - a && v <= w + a) }' || complain "$4: $1, wanted $2"; }
fall=(simulate "$work/sheet.obj" --pin none --backend cpu --thickness 0.01 --frames 90)

# ---- a sheet with a thickness: two layers nearer than cloth keeps apart, and a rim ----
thick() {
  awk -v n=11 -v t="$1" 'function rim(a, b) { print "f", a, b, b + n * n, a + n * n }
    BEGIN {
      for (s = 0; s < 2; ++s) for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) print "v", c / (n - 1) - 0.5, 1 - s * t, r / (n - 1) - 0.5
      for (r = 0; r + 1 < n; ++r) for (c = 0; c + 1 < n; ++c) {
        a = n * r + c + 1; print "f", a, a + n, a + n + 1, a + 1
        a += n * n; print "f", a, a + 1, a + n + 1, a + n }
      for (i = 1; i < n; ++i) { rim(i, i + 1); rim(n * (n - 1) + i + 1, n * (n - 1) + i); rim(n * i + 1, n * (i - 1) + 1); rim(n * i, n * (i + 1)) }
    }'
}
for apart in 0.001 0.0005; do
  thick $apart >"$work/thick.obj"
  run 0 simulate "$work/thick.obj" --pin none --frames 40 --backend cpu --count-intersections
  awk -v v="$(high)" 'BEGIN { exit !(v != "" && v < 0.5) }' || complain "layers $apart m apart have not fallen by 0.5 m: $(high)"
  [ "$(grep -c "intersects in 0 pairs of triangles" "$work/out")" = 40 ] || complain "layers $apart m apart intersect"
done

# ---- ground ----

# A file has none, and the first line says so: after n substeps the sheet has fallen by g dt^2 n(n+1)/2.
run 0 simulate "$work/sheet.obj" --pin none --backend cpu --frames 60 --air-density 0 --plain --json "$work/o.json"
head -1 "$work/out" | grep -q "no ground" || complain "no word of no ground: $(head -1 "$work/out")"
fallen=$(awk 'BEGIN { n = 60 * 20; dt = 1 / 60 / 20; print 1 - 9.81 * dt * dt * n * (n + 1) / 2 }')
near "$(low)" "$fallen" 0.005 "free fall"
near "$(low)" -3.905 0.0245 "free fall of a second, without what nobody asked for"
prints "  world     gravity 0,-9.81,0 m/s^2, no air, damping 0/s"
run 0 simulate "$work/sheet.obj" --pin none --backend cpu --frames 120 --air-density 0 --plain
near "$(low)" -18.62 0.098 "free fall of two seconds"

# A file has air, in which a level sheet soon sinks at the speed at which drag is its weight; the lines and JSON say all that acts.
run 0 simulate "$work/sheet.obj" --pin none --backend cpu --frames 120 --plain --json "$work/air.json"
prints "  world     gravity 0,-9.81,0 m/s^2, air of 1.2 kg/m^3, damping 0/s"
prints "  contact   cloth kept 0.003 m off, friction 0.5/0.4"
if command -v python3 >/dev/null; then
  python3 - "$work" <<'PY' || complain "what acts, as JSON"
import json, math, sys
o, air = (json.load(open(f"{sys.argv[1]}/{f}.json")) for f in ("o", "air"))
p, q = o["parameters"], air["parameters"]
assert p["air_density"] == 0 and abs(q["air_density"] - 1.2) < 1e-6
for r in p, q:
    assert r["damping"] == r["global_damping"] == 0 and r["gravity"][0] == 0 and abs(r["gravity"][1] + 9.81) < 1e-6
    assert abs(r["self_thickness_kept"] - 0.003) < 1e-9 and r["self_static"] == 0.5 and r["friction_of_colliders"] == []
    assert abs(r["thickness"] - 0.002 * math.sqrt(2)) < 1e-5, r["thickness"]
# sqrt(2 m g / (rho c A)), c of params.def
mass = air["metrics"]["momentum_kg_m_s"][1] / -air["metrics"]["max_speed_m_s"]
v = math.sqrt(2 * mass * 9.81 / (1.2 * q["drag"]))
assert abs(air["metrics"]["max_speed_m_s"] - v) < 0.01 * v, (v, air["metrics"]["max_speed_m_s"])
PY
fi
run 0 simulate "$work/sheet.obj" --pin none --backend cpu --frames 1 --ground -5 --collider sphere:0,0,0,0.5 --collider-friction 0.7,0.6 --thickness 0.01 \
  --damping 0.25 --wind 1,0,2 --gravity 0,0,-3.7 --air-density 1.5
prints "  world     gravity 0,0,-3.7 m/s^2, air of 1.5 kg/m^3 that blows by 1,0,2 m/s, damping 0.25/s"
prints "  contact   colliders kept 0.01 m off, friction 0.6/0.5, 0.7/0.6; cloth kept 0.003 m off, friction 0.5/0.4"
run 0 "${fall[@]}" --ground -0.25
head -1 "$work/out" | grep -q "ground" && complain "a ground that is there is denied: $(head -1 "$work/out")"
near "$(low)" -0.24 1e-4 "on a ground at -0.25"
# on: a tenth of its size (here of the diagonal) below it.
run 0 "${fall[@]}" --ground on
near "$(low)" "$(awk 'BEGIN { print 1 - 0.1 * sqrt(2) + 0.01 }')" 1e-3 "on the ground below it"
# It comes down to bodies unless it was put at a height.
printf 'v %s\n' "-3 0.2 -3" "3 0.2 -3" "3 0.2 3" "-3 0.2 3" "0 0.1 0" >"$work/slab.obj"
printf 'f %s\n' "1 4 3 2" "1 2 5" "2 3 5" "3 4 5" "4 1 5" >>"$work/slab.obj"
run 0 "${fall[@]}" --body "$work/slab.obj" --body-thickness 0.01 --ground 0.5
near "$(low)" 0.51 1e-3 "on a ground at 0.5 above a body"
run 0 "${fall[@]}" --body "$work/slab.obj" --body-thickness 0.01 --ground on
near "$(low)" 0.21 2e-3 "on the body that the ground came down under"

# Cloth that starts below it is named, with how many and how deep; cloth on it is not.
run 0 simulate "$work/sheet.obj" --pin none --backend cpu --frames 1 --ground 1.25
grep -q "sheet.obj: 81 particles are inside of colliders at the start, up to 0.25 m deep in collider 0 (a plane)" "$work/err" ||
  complain "no word of cloth below the ground: $(cat "$work/err")"
run 0 simulate "$work/sheet.obj" --pin none --backend cpu --frames 1 --ground 1
grep -q "inside of colliders" "$work/err" && complain "cloth on the ground is said to be in it: $(cat "$work/err")"

# Two sheets too near to be told apart are said to stand still, and why.
awk 'BEGIN { for (l = 0; l < 2; ++l) for (r = 0; r < 9; ++r) for (c = 0; c < 9; ++c) print "v", 0.025 * c, 5e-7 * l, 0.025 * r
  for (l = 0; l < 2; ++l) for (r = 0; r < 8; ++r) for (c = 0; c < 8; ++c) { a = 81 * l + 9 * r + c + 1; print "f", a, a + 1, a + 10, a + 9 } }' >"$work/near.obj"
run 9 simulate "$work/near.obj" --pin none --backend cpu --frames 2 --json "$work/o.json"
still="162 of 162 free particles stand still since frame 1 (162 in pairs too near to be told apart, the nearest edges "
grep -qF "the cloth does not move, although something pulls it: $still" "$work/err" || complain "$(cat "$work/err")"
grep -qF "  still     $still" "$work/out" || complain "no line of what stands still: $(cat "$work/out")"
python3 - "$work/o.json" <<'EOF' || complain "standstill in JSON: $(grep -A22 standstill "$work/o.json")"
import json, sys
s = json.load(open(sys.argv[1]))["standstill"]
assert s["particles"] == s["free"] == s["reasons"]["uncertain"] == s["most"] == 162 and s["all"] and s["since_frame"] == 1
assert s["reason"] == "uncertain" and len(set(s["pair"]["vertices"])) == 4 and max(s["pair"]["vertices"]) < 162 and s["pair"]["distance_m"] > 0
EOF

# A sheet in wind moves at all speeds: what is cut holds back what is near, and not the sheet. Nothing passes.
for wind in 50 100 200; do
  run 0 simulate hanging --size 24 --frames 8 --backend cpu --self-collision on --wind 0,0,$wind --count-intersections --json "$work/o.json"
  python3 - "$work/o.json" <<'EOF' || complain "wind of $wind m/s: $(cat "$work/out")"
import json, sys
s = json.load(open(sys.argv[1]))
assert (s["standstill"] or {"most": 0})["most"] < 50 and s["metrics"]["self_limited"] > 0 and s["metrics"]["kinetic_energy_J"] > 0.5
assert s["intersections"]["max_triangle_pairs"] == s["intersections"]["pauses"] == 0
EOF
done

# So does cloth that a ball throws out of itself.
awk 'BEGIN { n = 32; m = 12
  for (r = 0; r <= m; ++r) for (c = 0; c < n; ++c) { a = 6.2831853 * c / n; R = 0.2 + 0.1 * r / m; print "v", R * cos(a), 1.2 - 0.3 * r / m, R * sin(a) }
  for (r = 0; r < m; ++r) for (c = 0; c < n; ++c) { a = n * r + c + 1; b = n * r + (c + 1) % n + 1; print "f", a, b, b + n, a + n } }' >"$work/tube.obj"
tube=(simulate "$work/tube.obj" --backend cpu --frames 2 --substeps 20 --line-sweeps 4)
run 0 "${tube[@]}" --collider sphere:0,1,0,0.33 --count-intersections
prints "intersects in 0 at most"
grep -q "does not move" "$work/err" && complain "$(cat "$work/err")"
grep -q "(a sphere), which throws cloth out where that does not take it through itself: put" "$work/err" ||
  complain "$(cat "$work/err")"
run 0 "${tube[@]}" --collider sphere:0,1,0,0.5 --gravity 0,0,0
grep -q "stand still\|does not move" "$work/err" && complain "cloth that nothing pulls is said to stand still"
run 0 "${tube[@]}" --collider sphere:0,1,0,0.5 --self-collision off
grep -q "stand still\|does not move" "$work/err" && complain "cloth that moves is said to stand still"
grep -q "(a sphere), which throws cloth out: put it elsewhere" "$work/err" || complain "$(cat "$work/err")"
run 0 "${tube[@]}"
grep -q "stand still\|does not move" "$work/err" && complain "$(cat "$work/err")"
for self in on off; do
  run 0 "${tube[@]}" --pin "list:$(seq -s, 0 415)" --self-collision $self
  grep -q "stand still\|does not move" "$work/err" && complain "pinned cloth, self-collision $self: $(cat "$work/err")"
done

# Built-in scenes keep theirs; it can be left out, moved, or brought where there is none.
drape=(simulate drape --size 12 --frames 40 --backend cpu)
run 0 "${drape[@]}"
own=$(hash_of)
for same in "--ground on" "--ground 0"; do
  run 0 "${drape[@]}" $same
  [ "$(hash_of)" = "$own" ] || complain "drape $same is not drape"
done
run 0 "${drape[@]}" --ground 0.3 --frames 60
near "$(low)" 0.303 1e-3 "drape with its ground at 0.3"
run 0 "${drape[@]}" --ground off --shift-collider 0,100,0,0 --frames 60
awk -v v="$(high)" 'BEGIN { exit !(v < -1) }' || complain "drape without a ground and its ball rests at $(high)"
run 0 simulate sand --size 4 --frames 60 --backend cpu --ground off
awk -v v="$(high)" 'BEGIN { exit !(v < 0) }' || complain "sand without a ground: $(high)"
run 0 simulate bead --size 4 --frames 1 --backend ref --ground on --shift-collider 0,0,0,0
refuses 2 "bead has 0 colliders" simulate bead --size 4 --frames 1 --shift-collider 0,0,0,0
run 0 simulate skirt --size 12 --frames 2 --backend cpu --ground off
refuses 2 "is none of off, on, a height in metres" simulate drape --ground up

# ---- colliders ----

# The ball of drape, put away and brought back by option, is the ball of drape. (With self-collision shapes have bodies, and
# how large coordinates may come counts.)
drape+=(--self-collision off)
run 0 "${drape[@]}"
own=$(hash_of)
run 0 "${drape[@]}" --shift-collider 1,100,0,0 --collider sphere:0,0.34,0,0.34
[ "$(hash_of)" = "$own" ] || complain "a sphere by option is another one than that of the scene"
run 0 "${drape[@]}" --collider sphere:0.9,0.95,0.9,0.02
[ "$(hash_of)" = "$own" ] || complain "a sphere far away has an effect"
# A level plane is a ground.
run 0 "${fall[@]}" --ground 0.7 --friction 0.5
as_ground=$(hash_of)
run 0 "${fall[@]}" --collider plane:0,2,0,1.4 --friction 0.5
[ "$(hash_of)" = "$as_ground" ] || complain "a level plane is no ground"
# Tops: a box, a ball, a capsule and a plane that leans, each with the thickness on it. Edges lie on what is round, so
# their ends are a little above it: 125 mm of chord are 6.5 mm of 300.
run 0 "${fall[@]}" --collider box:-2,-1,-2,2,0.6,2
near "$(low)" 0.61 1e-4 "on a box"
run 0 "${fall[@]}" --collider capsule:-3,0.4,0,3,0.4,0,0.3
near "$(high)" 0.712 3e-3 "over a capsule"
run 0 "${fall[@]}" --collider sphere:0,0.4,0,0.3
near "$(high)" 0.712 3e-3 "over a ball"
# 45 degrees without friction: down its middle line, at 0.01 above it. y + z = d is the plane.
run 0 "${fall[@]}" --collider plane:0,1,1,0.5 --collider-friction 0 --frames 40 --damping 0 -o "$work/o.obj"
awk '$1 == "v" { d = ($3 + $4 - 0.5) / sqrt(2); if (!n++ || d < least) least = d } END { print least }' "$work/o.obj" >"$work/least"
near "$(cat "$work/least")" 0.01 1e-4 "above a plane that leans"

# A box that is turned: by 90 degrees its sides change places; by 45 an edge is on top. By nothing, it is the box.
run 0 "${fall[@]}" --collider box:-0.3,-2,-2,0.3,2,2 --collider-rotation 0,0,90
near "$(low)" 0.31 1e-4 "on a box on its side"
run 0 "${fall[@]}" --collider box:-0.2,0,-2,0.2,0.4,2 --collider-rotation 0,0,45
near "$(high)" "$(awk 'BEGIN { print 0.2 + 0.2 * sqrt(2) + 0.01 }')" 3e-3 "over the edge of a box"
run 0 "${fall[@]}" --collider box:-2,-1,-2,2,0.6,2 --frames 40
flat=$(hash_of)
run 0 "${fall[@]}" --collider box:-2,-1,-2,2,0.6,2 --collider-rotation 0,0,0 --frames 40
[ "$(hash_of)" = "$flat" ] || complain "a box turned by nothing is another box"

# Ways: a box, a plane and a capsule that rise take the sheet along, and one that falls away sets it down; a key's rotation
# stands in for that of the box, which holds where it has none. Before its first key and after its last a shape rests.
keys=(--collider-key 0.25,0,-0.5,0 --collider-key 1,0.3,0.1,0)
run 0 "${fall[@]}" --collider box:-2,-1,-2,2,0.5,2 "${keys[@]}"
near "$(low)" 0.61 1e-3 "on a box that came up"
run 0 "${fall[@]}" --collider plane:0,1,0,0.5 "${keys[@]}"
near "$(low)" 0.61 1e-3 "on a plane that came up"
run 0 "${fall[@]}" --collider capsule:-3,0.2,0,3,0.2,0,0.3 "${keys[@]}"
near "$(high)" 0.612 3e-3 "over a capsule that came up"
run 0 "${fall[@]}" --collider box:-0.3,-2,-2,0.3,2,2 --collider-rotation 0,0,90 --collider-key 0,0,0.1,0
near "$(low)" 0.41 1e-3 "on a box on its side, by a key without a rotation"
run 0 "${fall[@]}" --collider box:-0.3,-2,-2,0.3,2,2 --collider-key 0,0,0.1,0,0,0,90
near "$(low)" 0.41 1e-3 "on a box on its side, by a key's rotation"
# A turntable carries what lies on it, by friction: a corner of the sheet goes a quarter round in a second.
run 0 "${fall[@]}" --frames 120 --collider plane:0,1,0,0.98 --collider-friction 1 --collider-key 0.5,0,0,0,0,0,0 --collider-key 1.5,0,0,0,0,90,0 -o "$work/turned.obj"
awk '$1 == "v" { x = $2; z = $4; exit } END { exit !(x < -0.45 && x > -0.55 && z > 0.45 && z < 0.55) }' "$work/turned.obj" ||
  complain "a turntable: the corner of (-0.5, -0.5) is at $(grep -m 1 ^v "$work/turned.obj")"
run 0 "${fall[@]}" --frames 60 --collider sphere:0,0.4,0,0.3 --collider-key 0,0,0,0 --collider-key 1,0.2,0,0
moved=$(hash_of)
if have_gl; then
  run 0 simulate "$work/sheet.obj" --pin none --thickness 0.01 --frames 60 --backend gl --collider sphere:0,0.4,0,0.3 --collider-key 0,0,0,0 --collider-key 1,0.2,0,0
  [ "$(hash_of)" = "$moved" ] || complain "gl differs with keys"
fi

# Friction: of all by --friction, of one by what stands behind it.
slope=("${fall[@]}" --air-density 0 --frames 60 --collider plane:0,1,0.5,0)
run 0 "${slope[@]}" --collider-friction 0
slides=$(low)
run 0 "${slope[@]}" --collider-friction 0.9
awk -v s="$slides" -v h="$(low)" 'BEGIN { exit !(h > s + 0.3) }' || complain "friction of a collider: $slides without, $(low) with"
held=$(hash_of)
run 0 "${slope[@]}" --friction 0.9
[ "$(hash_of)" = "$held" ] || complain "--friction leaves out a collider given by option"
run 0 "${slope[@]}" --friction 0 --collider-friction 0.9
[ "$(hash_of)" = "$held" ] || complain "--friction wins over --collider-friction"

# What cannot be is refused in a sentence.
refuses 2 '"torus:1,2" is none of plane:nx,ny,nz,d, sphere:x,y,z,r' simulate drape --collider torus:1,2
refuses 2 'is none of plane:' simulate drape --collider sphere
refuses 2 'is not 4 numbers' simulate drape --collider sphere:1,2,3
refuses 2 'has the radius -1 m' simulate drape --collider sphere:0,0,0,-1
refuses 2 'has the radius 0 m' simulate drape --collider capsule:0,0,0,1,0,0,0
refuses 2 'is empty' simulate drape --collider box:0,0,0,1,-1,1
refuses 2 'has no normal' simulate drape --collider plane:0,0,0,1
refuses 2 'is farther than' simulate drape --collider plane:0,0.001,0,10000
for option in friction=1 rotation=1,2,3 key=0,0,0,0; do
  refuses 2 "--collider-${option%=*}: stands behind the --collider that it is of" simulate drape "--collider-$option"
done
refuses 2 '--collider-rotation: turns a box, and this is a sphere' simulate drape --collider sphere:0,1,0,0.1 --collider-rotation 0,90,0
refuses 2 'is not 3 numbers' simulate drape --collider box:0,0,0,1,1,1 --collider-rotation 90
refuses 2 'is not 4 numbers' simulate drape --collider sphere:0,1,0,0.1 --collider-key 0,0,0
refuses 2 'the time 1 s does not come after 1 s' simulate drape --collider sphere:0,1,0,0.1 --collider-key 1,0,0,0 --collider-key 1,0,1,0
refuses 2 'quarter turn' simulate drape --size 8 --collider sphere:0,1,0,0.1 --collider-key 0,0,0,0,0,0,0 --collider-key 0.01,0,0,0,0,3600,0
many=() && for k in $(seq 257); do many+=(--collider-key "$k,0,0,0"); done
refuses 2 '--collider-key: more than 256 of them' simulate drape --collider sphere:0,1,0,0.1 "${many[@]}"
many=() && for k in $(seq 64); do many+=(--collider "sphere:$k,9,0,0.1"); done
refuses 2 'more than 64 of them' simulate drape "${many[@]}" --collider sphere:0,9,0,0.1
refuses 2 '64 beside the 2 of drape are more than 64' simulate drape "${many[@]}"
run 0 simulate drape --size 8 --frames 1 --backend ref "${many[@]:4}"

# ---- every command takes them ----

ball=(--ground 0.1 --collider sphere:0,0.6,0,0.3 --collider-friction 0.5)
run 0 validate drape --size 8 --frames 3 --backend cpu "${ball[@]}"
# A row that was measured with them says so, whole in JSON, and is not compared with one without.
timed=(bench --scene drape --size 8 --backend cpu --frames 1 --samples 1 --warm-up-frames 0 --log-level error)
run 0 "${timed[@]}" "${ball[@]}" --format json -o "$work/with.json"
run 0 "${timed[@]}" --format json -o "$work/without.json"
run 0 "${timed[@]}" "${ball[@]}" --format csv
prints "ground 0.1, collider sphere:0,0.6,0,0.3, collider-friction 0.5"
many=() && for k in $(seq 60); do many+=(--collider "sphere:$k,9,0,0.1"); done
run 0 "${timed[@]}" "${many[@]}" --format json -o "$work/many.json"
python3 - "$work" <<'PY' || complain "around"
import json, sys
rows = {name: json.load(open(f"{sys.argv[1]}/{name}.json"))["rows"][0] for name in ("with", "without", "many")}
assert rows["with"]["around"] == ["ground 0.1", "collider sphere:0,0.6,0,0.3", "collider-friction 0.5"], rows["with"]["around"]
assert "around" not in rows["without"]
assert rows["many"]["around"] == [f"collider sphere:{k},9,0,0.1" for k in range(1, 61)]
assert "options more" in rows["many"]["settings"], rows["many"]["settings"]
# Where the words are cut, the list still tells rows apart.
other = json.load(open(sys.argv[1] + "/many.json"))
other["rows"][0]["around"][-1] = "collider sphere:60,9,0,0.2"
json.dump(other, open(sys.argv[1] + "/other.json", "w"))
PY
run 0 bench --from "$work/with.json" --compare "$work/with.json"
prints "1 of 1 rows compared"
for pair in "with without" "with many" "many other"; do
  run 1 bench --from "$work/${pair% *}.json" --compare "$work/${pair#* }.json"
  prints "0 of 1 rows compared"
done
run 0 inspect "$work/sheet.obj"
if have_gl; then
  run 0 simulate drape --size 8 --frames 20 --backend ref "${ball[@]}"
  reference=$(hash_of)
  run 0 simulate drape --size 8 --frames 20 --backend gl "${ball[@]}"
  [ "$(hash_of)" = "$reference" ] || complain "gl differs"
  small=(render "$work/sheet.obj" --frame 1 --width 96 --height 64 --samples 1)
  run 0 "${small[@]}" -o "$work/bare.png"
  run 0 "${small[@]}" --ground on -o "$work/ground.png"
  cmp -s "$work/bare.png" "$work/ground.png" && complain "a ground is not seen"
  run 0 "${small[@]}" --collider sphere:0,1.5,0,0.3 -o "$work/ball.png"
  cmp -s "$work/bare.png" "$work/ball.png" && complain "a ball is not seen"
fi
finish
