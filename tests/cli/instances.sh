#!/usr/bin/env bash
# --instances: every one ends where a run of its own ends, with the values that --vary gave it.
. "$(dirname "$0")/helpers.bash"

# The hash that a run of its own prints.
alone() {
  "$weft" simulate "$@" 2>/dev/null | awk '$1 == "hash" {print $2}'
}

# The hash of the N-th instance in the last output.
of_instance() {
  awk -v n="$1" '/^  instances/ {on = 1; next} on && $1 == n {print $NF}' "$work/out"
}

scene=(hanging --size 8 --frames 4 --plain) # the default is chosen for one fabric
on=(ref cpu)
have_gl && on+=(gl)
for backend in "${on[@]}"; do
  run 0 simulate "${scene[@]}" --instances 3 --vary stretch-compliance=1e-6:1e-4 \
    --vary bending-compliance=10:1000 --backend $backend -o "$work/c-%02d.obj" --json "$work/j.json"
  [ "$(of_instance 1)" = "$(alone "${scene[@]}" --compliance 1e-6,-1,10 --backend ref)" ] ||
    complain "the first of several on $backend"
  [ "$(of_instance 3)" = "$(alone "${scene[@]}" --compliance 1e-4,-1,1000 --backend ref -o "$work/last.obj")" ] ||
    complain "the last of several on $backend"
  cmp -s "$work/c-03.obj" "$work/last.obj" || complain "the file of the last instance on $backend"
  [ -s "$work/c-01.obj" ] && [ -s "$work/c-02.obj" ] || complain "a file for each instance on $backend"
done
# Equal ratios: the middle of 1e-6 and 1e-4.
awk '/^  instances/ {on = 1; next} on && $1 == 2 {exit !($2 > 0.99e-5 && $2 < 1.01e-5)}' "$work/out" ||
  complain "values in equal ratios"
if command -v python3 >/dev/null; then
  python3 - "$work/j.json" <<'PY' || complain "instances as JSON"
import json, sys
rows = json.load(open(sys.argv[1]))["instances"]
assert [r["instance"] for r in rows] == [1, 2, 3]
assert len({r["hash"] for r in rows}) == 3
assert all(r["metrics"]["strain_mean"] > 0 and r["varied"]["bending-compliance"] >= 10 for r in rows)
PY
fi

# Moving pins, levels, attachments, lines; links without triangles.
firm=(curtain --size 8 --frames 3 --multilevel 24 --lra 2 --line-sweeps 2)
for backend in "${on[@]}"; do
  run 0 simulate "${firm[@]}" --instances 2 --backend $backend
  own=$(alone "${firm[@]}" --backend ref)
  [ "$(of_instance 1)" = "$own" ] && [ "$(of_instance 2)" = "$own" ] || complain "a curtain twice on $backend"
done
for options in "" "--plain"; do
  run 0 simulate curtain --size 8 --frames 3 --instances 2 $options
  own=$(alone curtain --size 8 --frames 3 --backend ref $options)
  [ "$(of_instance 1)" = "$own" ] && [ "$(of_instance 2)" = "$own" ] || complain "a curtain twice by default $options"
done
run 0 simulate rope --frames 2 --instances 2
own=$(alone rope --frames 2 --backend ref)
[ "$(of_instance 1)" = "$own" ] && [ "$(of_instance 2)" = "$own" ] || complain "a rope twice"
# Cloth that meets itself, and each instance no other; the sums are told.
heap=(heap --size 16 --frames 26)
for backend in "${on[@]}"; do
  run 0 simulate "${heap[@]}" --instances 2 --vary bending-compliance=1000:100000 --backend $backend
  [ "$(of_instance 2)" = "$(alone "${heap[@]}" --compliance -1,-1,100000 --backend ref)" ] ||
    complain "the second of two heaps on $backend"
  awk '$1 == "self" {exit !($2 > 50)}' "$work/out" || complain "pairs of two heaps on $backend"
done
# Shapes that hold edges and faces, which without self-collision pass them.
coarse=(hanging --plain --size 8 --frames 24 --self-collision on --collider sphere:0.1,1.5,0.02,0.03
  --collider box:-0.3,1.2,-0.1,-0.05,1.45,0.1 --collider-rotation 0,10,20 --collider-key 0,0,0,-0.1 --collider-key 0.3,0.05,0.15,0,0,60,30)
on_its_own=$(alone "${coarse[@]}" --compliance -1,-1,100 --backend ref)
for backend in "${on[@]}"; do
  run 0 simulate "${coarse[@]}" --instances 3 --vary bending-compliance=10000:100 --backend $backend --count-intersections --json "$work/j.json"
  [ "$(of_instance 3)" = "$on_its_own" ] || complain "the third of three over shapes on $backend"
  [ "$(of_instance 1)" != "$on_its_own" ] || complain "instances over shapes are all alike"
  grep -q "collider" "$work/err" && complain "instances over shapes are warned of: $(cat "$work/err")"
  grep -q '"max_with_shapes": 0' "$work/j.json" || complain "shapes: $(grep shapes "$work/j.json")"
done
run 0 simulate "${coarse[@]}" --instances 2 --self-collision off --count-intersections --json "$work/j.json"
grep -q '"max_with_shapes": 0' "$work/j.json" && complain "vertices alone hold this cloth"
if have_gl; then
  run 0 validate "${coarse[@]}" --frames 8 --instances 3 --vary density=0.1:0.3
  prints "EQUAL in every bit"
  run 0 validate stack --size 8 --layers 2 --frames 10 --instances 2 --vary density=0.1:0.3
  prints "EQUAL in every bit"
  for schedule in colours single; do
    run 0 validate skirt --size 10 --frames 2 --instances 3 --vary density=0.1:0.3 --line-sweeps 4 --schedule $schedule
    prints "EQUAL in every bit"
    prints "instances   3"
  done
fi
run 0 bench --scene hanging --size 8 --samples 1 --frames 1 --backend ref --instances 4 --format json
prints "4 instances"

refuses 2 "contact between particles" simulate sand --size 8 --frames 1 --backend ref --instances 2
refuses 2 "global damping" simulate hanging --size 8 --frames 1 --backend ref --instances 2 --global-damping 1
refuses 2 "a mode other than gs" simulate hanging --size 8 --frames 1 --backend ref --instances 2 --plain --mode jacobi
refuses 2 "--vary needs --instances" simulate drape --vary density=1:2
refuses 2 "stretch-compliance" simulate drape --instances 2 --vary colour=1:2
refuses 2 "--vary" simulate drape --instances 2 --vary density=0:2
refuses 2 "--vary: \"x\"" simulate drape --instances 2 --vary density=x:2
refuses 2 "--max-strain" simulate hanging --size 8 --instances 2 --vary density=1:2 --max-strain 1%
refuses 2 "number of the instance" simulate drape --instances 2 -o all.obj
refuses 2 "--instances" simulate drape --instances 0
refuses 2 "--instances: 4000000000 is out of range, allowed is 1 to 10000" simulate hanging --instances 4000000000
# What is too much is refused before anything is built: this sheet alone would take seconds.
start=$(date +%s%N)
refuses 2 "--instances: 10000 of about 16,777,216 particles are 167,772,160,000, and at most" \
  simulate hanging --size 4096 --instances 10000
refuses 2 "--instances: 1000 of about 1,000,000 particles take 860 GB of memory, and there are" \
  simulate hanging --size 1000 --instances 1000
[ $(($(date +%s%N) - start)) -lt 2000000000 ] || complain "too many instances are refused late"
"$weft" simulate hanging --size 100 -o "$work/file.obj" --frames 1 >/dev/null 2>&1
refuses 2 "--instances: 10000 of 10,000 particles take 86 GB" simulate "$work/file.obj" --instances 10000
refuses 2 "unknown option --instances" render drape --instances 2
finish
