#!/usr/bin/env bash
# Options that cannot act are refused by name, and what a scene does unless told otherwise never is.
. "$(dirname "$0")/helpers.bash"

printf 'v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 2\nf 2 3 4\n' >"$work/file.obj"
printf 'v 0 -1 0\nv 1 -1 0\nv 0 -1 1\nv 0 -2 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' >"$work/body.obj"
sheet=(hanging --size 8 --frames 1 --backend ref)
heap=(heap --size 8 --frames 1 --backend ref)
over=("$work/file.obj" --frames 1 --backend ref --body "$work/body.obj")

# idle NAME NEEDS ARGS...: --NAME is refused with what it needs.
idle() {
  refuses 2 "--$1 does nothing here: it needs $2" simulate "${@:3}"
}
for backend in ref gl f64; do
  idle threads "--backend cpu" hanging --size 8 --frames 1 --backend $backend --threads 2
done
refuses 2 "--threads does nothing here" validate hanging --size 8 --threads 2
refuses 2 "--threads does nothing here" bench --scene hanging --size 8 --backend ref --threads 2
for option in "--group-size 32" --gl-debug --minimum-limits; do
  name=${option#--}
  idle "${name% *}" "--backend gl" "${sheet[@]}" $option
done
idle attach "cloth from a file" "${sheet[@]}" --attach off
idle pbd-stretch "--method pbd" "${sheet[@]}" --pbd-stretch 0.5
idle pbd-bending "--method pbd" "${sheet[@]}" --pbd-bending 0.5
idle relaxation "--mode jacobi" "${sheet[@]}" --relaxation 0.9
idle hybrid-min "--mode hybrid" "${sheet[@]}" --mode jacobi --plain --hybrid-min 8
idle lra-slack "--lra" "${sheet[@]}" --lra 0 --lra-slack 0.1
idle multilevel "cloth that is a grid of rectangles" skirt --size 8 --frames 1 --backend ref --multilevel 2
idle multilevel-slack "--multilevel" "${sheet[@]}" --multilevel 0 --multilevel-slack 0.1
idle multilevel-sweeps "--multilevel" "${sheet[@]}" --multilevel 0 --multilevel-sweeps 2
for option in "self-room 8" "self-thickness 0.01" "self-static 1" "self-dynamic 1" "self-iterations 2" "tangled refuse"; do
  idle "${option% *}" "--self-collision on" "${sheet[@]}" --$option
done
idle self-static "--self-collision on and --self-iterations" "${heap[@]}" --self-iterations 0 --self-static 1
idle layer "--tangled loosen" "${heap[@]}" --layer a:1
idle body-friction "--self-collision on and --self-iterations" "${over[@]}" --body-friction 1 --self-iterations 0
idle body-thickness "--self-collision on and --self-iterations" "${over[@]}" --body-thickness 0.01 --self-iterations 0
for option in "friction 1" "thickness 0.1" collide-each-iteration; do
  idle "${option% *}" "colliders (--ground, --collider)" pendulum --frames 1 --backend ref --$option
done
for option in "particle-friction 1" "contact-iterations 2"; do
  idle "${option% *}" "particles that keep apart" "${sheet[@]}" --$option
done
idle wind "cloth" rope --frames 1 --backend ref --wind 1,0,0
idle air-density "cloth" rope --frames 1 --backend ref --air-density 1
idle gust "--wind" "${sheet[@]}" --gust 0.5
idle wind "an --air-density above 0" "${sheet[@]}" --wind 3,0,0 --air-density 0
idle format "an --output without an ending" "${sheet[@]}" --format ply
idle format "an --output without an ending" "${sheet[@]}" --format ply -o "$work/x.obj"
for name in "csv b.json" "json b.csv"; do
  refuses 2 "--output ends like another format than that of --format" \
    bench --scene hanging --size 8 --samples 1 --frames 1 --backend ref --format ${name% *} -o "$work/${name#* }"
done

# Of the scene itself, with sentences of their own.
refuses 2 "--pin none holds nothing" simulate "${sheet[@]}" --pin none --pin top
refuses 2 "takes no pattern or shear" simulate "$work/file.obj" --pattern alternating
refuses 2 "takes no pattern or shear" simulate skirt --size 12 --no-shear
refuses 2 "has 0 colliders" simulate pendulum --shift-collider 0,1,0,0
refuses 2 "--vary needs --instances" simulate "${sheet[@]}" --vary density=1:2
for option in "--group a" "--scale 2" "--weld all" --keep-order; do
  refuses 2 "${option% *} is for files" simulate "${sheet[@]}" $option
done
refuses 2 "--body-scale: stands behind the --body" simulate "${sheet[@]}" --body-scale 2
refuses 2 "has no body" simulate "${sheet[@]}" --pin-to-body
refuses 2 "--dress: needs a --body" simulate "${sheet[@]}" --dress

# What acts is not called idle, and a bench of several scenes only names what some cannot use.
for options in "--method pbd --plain --pbd-stretch 0.9" "--plain --mode hybrid --hybrid-min 8 --relaxation 0.9" \
  "--lra 2 --lra-slack 0.01" "--lra 0 --lra-slack 0" "--wind 1,0,0 --gust 0.5 --air-density 1" \
  "--self-collision on --self-room 8 --self-static 1" "--pin none --pin none" "--pattern alternating --no-shear"; do
  run 0 simulate "${sheet[@]}" $options
  grep -q "does nothing here" "$work/err" && complain "$options: $(cat "$work/err")"
done
run 0 simulate "${over[@]}" --body-friction 1 --body-thickness 0.01
run 0 simulate hanging --size 8 --frames 1 --backend cpu --threads 2
run 0 bench --scene hanging,heap --size 8 --samples 1 --frames 1 --backend ref --self-room 8
[ "$(grep -c 'self-room does nothing here' "$work/err")" = 1 ] || complain "bench: $(cat "$work/err")"
for scene in $("$weft" --help all | awk '/^Scenes:/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
  run 0 simulate "$scene" --frames 1 --backend ref
  grep -q "does nothing here" "$work/err" && complain "$scene by itself: $(cat "$work/err")"
done
finish
