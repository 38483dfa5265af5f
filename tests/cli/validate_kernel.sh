#!/bin/bash
# Every shader alone against its twin, at every count; a second seed on the small counts is free.
source "$(dirname "$0")/helpers.bash"
have_gl || { echo "skipped: no exact GL"; exit 77; }
run 0 validate --level kernel --json "$work/kernel.json"
prints "EQUAL in every bit"
for text in "$(dirname "$0")"/../../shaders/passes/*.h; do
  name=$(basename "$text" .h)
  ! grep -q "PASS(pass_$name)" "$text" || [ "$name" = project ] || prints "  $name"
done
for name in $(sed -n 's/^WEFT_CONSTRAINT([A-Z]*, \([a-z]*\),.*/\1/p' "$(dirname "$0")"/../../include/weft/constraints.def); do
  prints "  project_$name"
done
# Seven counts of every variant that is named, and one huge one.
variants=$(sed -n '/^kernel: each/,/^kernel: [0-9]/p' "$work/out" | grep -c ' equal$')
[ "$variants" -ge 25 ] || complain "only $variants variants ran"
grep -q "\"cases\": $((8 * variants))," "$work/kernel.json" || complain "not all cases ran"
# A pass by itself; and what is not one.
run 0 validate --level kernel --pass predict
prints "EQUAL in every bit"
grep -q "  lra" "$work/out" && complain "--pass predict runs others"
refuses 2 "no pass is called" validate --level kernel --pass predicts
refuses 2 "needs --level kernel" validate --pass predict
finish
