#!/usr/bin/env bash
# A file whose rest pose is creased gets mixed bending, and a line says so; others keep isometric bending, to the bit.
. "$(dirname "$0")/helpers.bash"

hash_of() { sed -n 's/^  hash *//p' "$work/out"; }
# accordion DEGREES: eight panels of two columns, each turned from the last by so many degrees, to and fro.
accordion() {
  awk -v degrees="$1" 'BEGIN { slope = degrees * 3.14159265358979 / 360
    for (r = 0; r < 9; ++r) for (c = 0; c < 17; ++c) {
      up = c % 4 <= 2 ? c % 4 : 4 - c % 4
      printf "v %.7f %.7f %.7f\n", 0.02 * c * cos(slope), -0.03 * r, 0.02 * up * sin(slope)
    }
    for (r = 0; r < 8; ++r) for (c = 0; c < 16; ++c) { a = 17 * r + c + 1; print "f", a, a + 17, a + 18, a + 1 } }'
}
run_on() { run 0 simulate "$work/cloth.obj" --frames 5 --backend ref "$@"; }

accordion 80 >"$work/cloth.obj"
run_on --json "$work/o.json"
prints "  creases   56 hinges bent by up to 80 degrees at rest: kept by mixed bending"
[ -s "$work/err" ] && complain "warned: $(cat "$work/err")"
grep -q '"creases": 56,' "$work/o.json" || complain "creases in JSON: $(grep creases "$work/o.json")"
mixed=$(hash_of)
run_on --bending mixed
[ "$(hash_of)" = "$mixed" ] || complain "creased, and not mixed"
run_on --bending isometric
[ "$(hash_of)" != "$mixed" ] || complain "isometric bending is mixed"
grep -q "creases   " "$work/out" && complain "what was asked for is called a choice"
grep -q "warning: the rest pose is creased at 56 hinges (up to 80.0 degrees), and isometric bending flattens creases: mixed bending keeps them" "$work/err" ||
  complain "isometric bending of creases: $(cat "$work/err")"

# Roundness, of up to 20 degrees, is none.
accordion 19 >"$work/cloth.obj"
run_on
grep -q "creases   " "$work/out" && complain "19 degrees: $(grep "creases   " "$work/out")"
round=$(hash_of)
run_on --bending isometric
[ "$(hash_of)" = "$round" ] && [ ! -s "$work/err" ] || complain "19 degrees: $(cat "$work/err")"
finish
