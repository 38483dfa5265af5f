#!/bin/bash
# Every shader alone against its twin, at every count; a second seed on the small counts is free.
source "$(dirname "$0")/helpers.bash"
have_gl || { echo "skipped: no exact GL"; exit 77; }
run 0 validate --level kernel --json "$work/kernel.json"
prints "EQUAL in every bit"
for pass in "$(dirname "$0")"/../../shaders/solver/*.comp; do
  name=$(basename "$pass" .comp)
  [ "$name" = probe ] || prints "  $name"
done
grep -q '"cases": 200' "$work/kernel.json" || complain "not all cases ran"
finish
