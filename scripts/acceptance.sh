#!/usr/bin/env bash
# The long proof: GPU against CPU, bit for bit after every substep, over whole trajectories. Takes hours
# on a CPU's llvmpipe, minutes on a GPU.
#   scripts/acceptance.sh [PROGRAM]     default: build/release/weft
# Meshes made by others are read from $WEFT_MESH_DIR (default ../shared/meshes) and left out where absent.
set -uo pipefail
cd "$(dirname "$0")/.."
weft=${1:-build/release/weft}
meshes=${WEFT_MESH_DIR:-../shared/meshes}
failed=0

check() {
  local text
  printf '%-72s ' "weft validate $*"
  if text=$("$weft" validate "$@" 2>&1); then
    echo "equal"
  else
    echo "FAILED"
    echo "$text"
    failed=1
  fi
}

"$weft" info | grep -E 'commit|renderer|OpenGL:|probe'
check --level layout
check --level kernel
for mode in gs jacobi "hybrid --hybrid-min 4000"; do
  # shellcheck disable=SC2086 # a mode may bring an option
  check hanging --size 128 --frames 600 --mode $mode
done
for scene in drape flag skirt curtain; do check "$scene" --frames 300; done
for scene in pleats tumble bead pendulum rope fur threads sand; do check "$scene" --frames 120; done
for scene in heap wring stack handkerchief walk knot; do check $scene --size 32 --frames 300; done
check heap --size 128 --frames 20
check wring --size 192 --frames 20
check hanging --frames 120 --lra 4
check hanging --frames 300 --mueller2007
for scene in hanging drape curtain; do check $scene --frames 120 --multilevel 24 --lra 4; done
for scene in skirt poncho; do check $scene --frames 120 --lra 4; done
check hanging --size 256 --frames 20 --multilevel 24 --lra 4
check skirt --frames 60 --lra 4 --iterations 3 --mode jacobi --collide-each-iteration
for mesh in garments/diffcloth_tshirt1900 garments/makehuman_female_elegantsuit01; do
  [ -e "$meshes/$mesh.obj" ] && check "$meshes/$mesh.obj" --scale 0.1 --frames 300
done
for mesh in garments/diffcloth_skirt2011 cloth/cipc_tableCloth; do
  [ -e "$meshes/$mesh.obj" ] && check "$meshes/$mesh.obj" --frames 300
done
check hanging --size 1000 --frames 3
check flag --frames 60 --level repeat
check --physics
exit $failed
