#!/usr/bin/env bash
# Scenes of particles and links from the outside: simulated, written, inspected, validated, drawn.
. "$(dirname "$0")/helpers.bash"

run 0 simulate pendulum --links 2 --masses 1,3 --lengths 0.4,0.2 --angle 90 --frames 4 --backend ref \
  -o "$work/p.obj" --json "$work/p.json"
prints "8 links"
prints "strain    mean"
[ "$(grep -c '^v ' "$work/p.obj")" = 12 ] || complain "a vertex for each particle"
[ "$(grep '^l ' "$work/p.obj" | head -2 | tr '\n' ';')" = "l 1 2;l 2 3;" ] || complain "lines"
grep -q '^[fp] ' "$work/p.obj" && complain "faces or points in a pendulum"
grep -q '"links": 8' "$work/p.json" || complain "links in the JSON"
run 0 simulate rope --size 8 --frames 2 --backend ref -o "$work/r.obj"
[ "$(grep -c '^l ' "$work/r.obj")" = 64 ] || complain "links that stand for bending are no lines"

run 0 inspect rope --size 8 --json "$work/i.json"
prints "linked pieces"
prints "only when stretched"
grep -q '"linked_pieces": 8' "$work/i.json" || complain "pieces in the JSON"
grep -q as_cloth "$work/i.json" && complain "a rope as cloth"

refuses 2 "drape takes no number of links" simulate drape --links 4
refuses 2 "pendulum, rope" simulate drape --links 4
refuses 2 "takes no angle" simulate rope --angle 4
refuses 2 "heap takes no turns; the scenes that do are wring" simulate heap --turns 4
refuses 2 "takes no fabric" simulate bead --fabric denim
refuses 2 "--masses" simulate bead --masses 1,0
refuses 2 "--masses" simulate bead --masses 1,,2
refuses 2 "--lengths" simulate bead --lengths abc
refuses 2 "at most 64" simulate bead --masses "$(printf '1,%.0s' {1..64})1"
refuses 2 "--links" simulate pendulum --links 0
refuses 2 "particles" simulate pendulum --links 100000 --size 4096
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/t.obj"
refuses 2 "takes no number of links" simulate "$work/t.obj" --links 3

have_gl || finish
for scene in bead pendulum rope fur threads; do
  for mode in gs jacobi hybrid; do
    run 0 validate $scene --size 6 --frames 6 --mode $mode --gl-debug
    prints "EQUAL in every bit"
  done
  run 0 render $scene --size 6 --frame 5 --samples 2 --shadow-size 128 --width 90 --height 60 \
    --gl-debug -o "$work/$scene.png"
  prints "90 x 60"
  [ -s "$work/err" ] && complain "messages: $(cat "$work/err")"
  run 0 render $scene --size 6 --frame 5 --samples 2 --shadow-size 128 --width 90 --height 60 \
    --minimum-limits -o "$work/again.png"
  cmp "$work/$scene.png" "$work/again.png" || complain "$scene: another picture"
done
run 0 validate pendulum --links 40 --frames 5 --iterations 3
prints "EQUAL in every bit"

# ---- theory beside: how far it is, against a bead integrated here ----
tiny="--samples 1 --shadow-size 64 --width 200 --height 120"
run 0 simulate bead --frames 26 -o "$work/bead.obj"
wanted=$(awk '/^v/ && ++n % 2 { cx = $2; cy = $3; next }
  /^v/ { split("0.12 0.18 0.24 0.16 0.21", radii, " "); r = radii[n / 2]; g = 9.81 / r
    a = 2 * atan2(0, -1) / 3; w = 0; steps = 20000; h = 26 / 60 / steps
    for (k = 0; k < steps; ++k) { # leapfrog
      w -= h / 2 * g * sin(a); a += h * w; w -= h / 2 * g * sin(a) }
    d = sqrt(($2 - cx - r * sin(a)) ^ 2 + ($3 - cy + r * cos(a)) ^ 2); if (d > most) most = d }
  END { print 1000 * most }' "$work/bead.obj")
# shellcheck disable=SC2086 # a list
run 0 render bead --frame 26 $tiny --gl-debug -o "$work/both.png"
[ -s "$work/err" ] && complain "messages: $(cat "$work/err")"
sed -n 's/.*, \([0-9.]*\) mm from theory$/\1/p' "$work/out" |
  awk -v wanted="$wanted" '{ seen = 1; d = $1 - wanted; ok = d * d < 0.001 ^ 2 }
    END { exit !(seen && ok) }' || complain "$(cat "$work/out"), not $wanted mm"
for other in --no-trails --no-analytic; do
  # shellcheck disable=SC2086
  run 0 render bead --frame 26 $tiny $other -o "$work/other.png"
  cmp -s "$work/both.png" "$work/other.png" && complain "$other changed nothing"
done
grep -q theory "$work/out" && complain "without theory: $(cat "$work/out")"
# shellcheck disable=SC2086
run 0 render pendulum --links 40 --size 4 --frame 2 $tiny --log-level info -o "$work/other.png"
grep -q "no theory beside it: theory goes up to 32 links" "$work/err" || complain "$(cat "$work/err")"
# shellcheck disable=SC2086
run 0 render bead --gravity 1,-9,0 --frame 2 $tiny --log-level info -o "$work/other.png"
grep -q "straight down" "$work/err" || complain "sideways: $(cat "$work/err")"
finish
