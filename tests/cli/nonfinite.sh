#!/usr/bin/env bash
# A state that becomes infinite or NaN stops every command with status 5; the sentence names frame,
# substep, pass, batch and particle, and the last good frame is kept. The states are spoiled by
# copies of the shaders that write NaN at one place.
. "$(dirname "$0")/helpers.bash"
have_gl || {
  echo "skipped: no usable GL"
  exit 77
}

# break FILE FROM TO: the first occurrence in a fresh copy of the shaders.
break_shader() {
  rm -rf "$work/shaders"
  cp -r "$(dirname "$0")/../../shaders" "$work/shaders"
  perl -0777 -pi -e 'BEGIN { $old = shift; $new = shift } $i = index($_, $old);
      $i < 0 ? exit 1 : substr($_, $i, length($old), $new)' "$2" "$3" "$work/shaders/$1" ||
    complain "the break of $1 does not apply: $2"
  export WEFT_SHADER_DIR="$work/shaders"
}

same() { cmp -s "$1" "$2" || complain "$1 is not $2"; }

# The sound run whose frames a stopped one must leave behind.
run 0 simulate hanging --plain --size 8 --frames 8 --backend gl --pin none -o "$work/good-%02d.obj"

# Free fall reaches 0.5 m/s in the 62nd substep: the 2nd of the 4th frame.
break_shader passes/predict.h "velocity3(XYZ(AT(V, i)), XYZ(U.gravity_step), U.keep);" \
  "velocity3(XYZ(AT(V, i)), XYZ(U.gravity_step), U.keep * (AT(V, i).y + U.gravity_step.y < -0.5 ? uintBitsToFloat(0x7FC00000u) : 1.0));"
place="in frame 4, substep 2 of 20: pass predict made the position of particle 0 NaN"
refuses 5 "$place" simulate hanging --plain --size 8 --frames 60 --backend gl --pin none \
  -o "$work/kept-%02d.obj"
[ "$(cd "$work" && echo kept-*)" = "kept-01.obj kept-02.obj kept-03.obj" ] ||
  complain "kept: $(ls "$work")"
for frame in 01 02 03; do same "$work/kept-$frame.obj" "$work/good-$frame.obj"; done
# A checkpoint is that of the last good frame, and goes on where the fault is gone.
refuses 5 "$place" simulate hanging --plain --size 8 --frames 60 --backend gl --pin none --checkpoint "$work/n.ckpt" --every 1
broken=$WEFT_SHADER_DIR
unset WEFT_SHADER_DIR
run 0 simulate hanging --plain --size 8 --frames 8 --backend gl --pin none --resume "$work/n.ckpt" -o "$work/after-%02d.obj"
prints "resumed   after frame 3"
same "$work/after-08.obj" "$work/good-08.obj"
export WEFT_SHADER_DIR=$broken
# Caches hold the start and the good frames.
refuses 5 "$work/n.pc2, $work/n.mdd and $work/n.usda hold the last good frame, 3" simulate hanging --plain --size 8 \
  --frames 60 --backend gl --pin none -o "$work/n.pc2" -o "$work/n.mdd" -o "$work/n.usda"
[ "$(stat -c %s "$work/n.pc2")" = $((32 + 12 * 64 * 4)) ] || complain "n.pc2 holds other frames than 0 to 3"
[ "$(stat -c %s "$work/n.mdd")" = $((8 + 4 * 4 + 12 * 64 * 4)) ] || complain "n.mdd holds other frames than 0 to 3"
grep -q "endTimeCode = 3 *\$" "$work/n.usda" || complain "n.usda: $(grep endTimeCode "$work/n.usda")"
refuses 5 "$work/last.obj holds the last good frame, 3" simulate hanging --plain --size 8 --frames 60 \
  --backend gl --pin none -o "$work/last.obj" --json "$work/last.json"
same "$work/last.obj" "$work/good-03.obj"
if command -v python3 >"/dev/null"; then
  python3 - "$work/last.json" <<'PY' || complain "JSON"
import json, sys
s = json.load(open(sys.argv[1]))
assert s["frames"] == 3 and "particle 0 NaN" in s["error"]
assert s["stopped"] == {"frame": 4, "substep": 2, "pass": "predict", "particle": 0}
assert s["metrics"]["nonfinite"] == 0
PY
fi
refuses 5 "$place" render hanging --plain --backend gl --size 8 --pin none --frame 12 --width 32 --height 32 \
  --samples 1 -o "$work/last.png"
grep -qF "picture shows the last good frame, 3" "$work/err" || complain "$(cat "$work/err")"
[ -s "$work/last.png" ] || complain "no picture of the last good frame"
refuses 5 "pass predict made the position of particle" bench --scene hanging --size 8 --frames 30 \
  --samples 1 --backend gl

# One constraint of one batch: the batch, the group and its particle. Pins move and a collider too:
# the frames that run again see the same motion, so the same particle is named from any look.
break_shader passes/project.h "  if (jacobi) {" \
  "  if (arity == 4u && c.particles.x == 13u && p.p0.x > -0.95) to.d0 = vec3(uintBitsToFloat(0x7F800000u));
  if (jacobi) {"
if [ "$failures" = 0 ]; then
  run 5 simulate curtain --size 12 --frames 30 --backend gl --schedule colours -o "$work/curtain-%02d.obj"
  grep -q "made the position of particle 13 infinite" "$work/err" || complain "$(cat "$work/err")"
  first=$(sed 's/;.*//' "$work/err")
  grep -qE "pass project_isometric, batch [0-9]+ of group bend isometric," "$work/err" ||
    complain "no batch and group in: $(cat "$work/err")"
  run 5 simulate curtain --size 12 --frames 30 --backend gl --schedule colours
  [ "$(sed 's/;.*//' "$work/err")" = "$first" ] || complain "another place: $(cat "$work/err")"
fi

# Both backends alike are no proof; a difference stays a difference.
break_shader passes/update_velocity.h "V4(velocity," \
  "V4(i == 9u ? vec3(uintBitsToFloat(0x7FC00000u)) : velocity,"
run 1 validate hanging --size 8 --frames 2
prints "DIFFERENT"
prints "pass        update_velocity"
prints "particle    9"
refuses 5 "in frame 1, substep 1 of 20: pass update_velocity made the velocity of particle 9 NaN" \
  simulate hanging --size 8 --frames 2 --backend gl --plain --mode jacobi
finish
