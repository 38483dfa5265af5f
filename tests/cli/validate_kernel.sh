#!/bin/bash
# Every shader alone against its twin, at every count; a second seed on the small counts is free.
source "$(dirname "$0")/helpers.bash"
have_gl || { echo "skipped: no exact GL"; exit 77; }
run 0 validate --level kernel --json "$work/kernel.json"
prints "EQUAL in every bit"
for pass in "$(dirname "$0")"/../../shaders/solver/*.comp; do
  name=$(basename "$pass" .comp)
  # whole is many passes: parity.test_whole and the runs of cli.validate compare it.
  [ "$name" = probe ] || [ "$name" = whole ] || prints "  $name"
done
# Seven counts of every variant that is named, and one huge one.
variants=$(sed -n '/^kernel: each/,/^kernel: [0-9]/p' "$work/out" | grep -c ' equal$')
[ "$variants" -ge 25 ] || complain "only $variants variants ran"
grep -q "\"cases\": $((8 * variants))," "$work/kernel.json" || complain "not all cases ran"
finish
