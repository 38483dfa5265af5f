#!/bin/bash
# weft validate as a user meets it: what it prints, its exit statuses, its JSON, every scene and mode.
# shellcheck disable=SC2086 # options are words
source "$(dirname "$0")/helpers.bash"

run 0 validate --help
prints "--level"
refuses 2 "level" validate --level everything
refuses 2 "sceene" validate sceene
refuses 3 "nothing.obj" validate nothing.obj

if ! have_gl; then
  run 77 validate hanging --size 8 --frames 1
  finish
fi

# The passes of self-collision are the same in every mode, and cost more than all others.
alone="--self-collision off"
for mode in gs jacobi hybrid; do
  touching=
  [ $mode = gs ] || touching=$alone
  for scene in hanging drape flag curtain skirt; do
    run 0 validate "$scene" --size 24 --frames 8 --mode "$mode" $touching --gl-debug
    prints "differing   0 of"
    prints "EQUAL in every bit"
  done
done
for bending in isometric dihedral across none; do
  run 0 validate hanging --size 20 --frames 5 --bending "$bending" --iterations 3 --fabric tshirt $alone
  prints "EQUAL in every bit"
done
for mode in gs jacobi hybrid; do # both kinds of bending in one model
  [ $mode = gs ] && { run 0 validate sand --size 12 --frames 15; prints "EQUAL in every bit"; }
  touching=
  [ $mode = gs ] || touching=$alone
  run 0 validate pleats --size 20 --frames 6 --mode $mode --iterations 2 $touching
  prints "EQUAL in every bit"
done
# Levels: of 4,900 nodes, which have dispatches of their own, and small ones; of a grid whose pins lie
# between the nodes and move; of rings.
run 0 validate hanging --size 140 --frames 1 --substeps 6 --multilevel 24 --lra 4 $alone
prints "EQUAL in every bit"
for scene in curtain wring; do
  run 0 validate $scene --size 40 --frames 4 --multilevel 24 --multilevel-sweeps 2 --iterations 2 $alone
  prints "EQUAL in every bit"
done
run 0 validate drape --size 24 --frames 5 --minimum-limits --group-size 128
prints "EQUAL in every bit"

for mode in gs jacobi hybrid; do
  touching=
  [ $mode = gs ] || touching=$alone
  run 0 validate skirt --size 24 --frames 6 --level substep --mode $mode --iterations 2 $touching
  prints "EQUAL in every bit"
  run 0 validate flag --size 24 --frames 6 --level substep --mode $mode --bending dihedral $touching
  prints "EQUAL in every bit"
done
run 0 validate drape --size 16 --frames 6 --level substep --multilevel 24 --lra 4 --line-sweeps 2
prints "EQUAL in every bit"
run 0 validate skirt --size 16 --frames 6 --level substep --lra 4 --line-sweeps 2
prints "EQUAL in every bit"
run 0 validate --level layout --json "$work/layout.json"
prints "0 different: EQUAL"
run 0 validate flag --size 20 --frames 4 --level repeat
prints "one hash for all"

# The report as JSON says what the text says.
run 0 validate flag --size 16 --frames 3 --json "$work/report.json"
for key in '"equal": true' '"substeps_compared": 60' '"differing": 0' '"verdict"' '"hash"' \
  '"strain_p99"' '"residual_rms"'; do
  grep -q -- "$key" "$work/report.json" || complain "no $key in the JSON report"
done
run 4 validate flag --size 8 --frames 1 --json "$work/no/such/folder/report.json"

# Imported garments and cloths, where they are at hand, the modes in turn. With twice the room a list would not fit 16 MiB.
meshes=("${WEFT_MESH_DIR:-/nonexistent}"/garments/*.obj "${WEFT_MESH_DIR:-/nonexistent}"/cloth/*.obj)
modes=(gs jacobi "hybrid --hybrid-min 300")
count=0
for mesh in "${meshes[@]}"; do
  [ -e "$mesh" ] || continue
  run 0 validate "$mesh" --frames 4 --substeps 8 --self-room 16 --mode ${modes[count % 3]}
  prints "EQUAL in every bit"
  count=$((count + 1))
done
if [ $count = 0 ]; then echo "no meshes made by others on this machine: none validated"; fi
finish
