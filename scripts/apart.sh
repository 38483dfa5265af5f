#!/usr/bin/env bash
# Shows that cloth does not pass through itself where that is hard: counts the intersections of every frame, exactly and apart from
# the solver, and ends with a table in Markdown.
#   scripts/apart.sh [--quick] [PROGRAM] [ROW...]   default: build/release/weft, all rows; --quick: a tenth of the frames
# WEFT_MESH_DIR is a folder with the garments and bodies of some rows; where a file is absent its row is skipped. WEFT_APART_THREADS
# is for the backend cpu (default 1). WEFT_APART_LIMIT is after how many seconds a row ends with the frame it is at (default: never).
# Exit status 1 when something intersects or fails.
set -uo pipefail
part=1
case ${1:-} in
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --quick) part=10; shift ;;
esac
weft=${1:-$(dirname "$0")/../build/release/weft}
if [ $# -gt 0 ]; then shift; fi
[ -x "$weft" ] || { echo "apart.sh: no program $weft; build it or give its path" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
meshes=${WEFT_MESH_DIR:-}

# Name, frames, options; FLAT: a garment that lies flat above the ground. M is the folder of meshes.
rows=$(
  cat <<'ROWS'
wring-48          600  wring --size 48
wring-96          600  wring --size 96
wring-192         480  wring --size 192
wring-6-48        1100 wring --size 48 --turns 6
wring-6-96        1100 wring --size 96 --turns 6
wring-6-192       900  wring --size 192 --turns 6
heap-64           300  heap --size 64
heap-32           300  heap --size 32
heap-128          200  heap --size 128
heap-256          100  heap --size 256
heap-limit-alone  90   heap --size 32 --self-iterations 0
heap-lines        200  heap --size 64 --line-sweeps 1
stack-10x64       240  stack --size 64
stack-50x70       120  stack --size 70 --layers 50
stack-gl          3    stack --size 70 --layers 50 --backend gl
curtain-tenth     300  curtain --drawn 0.1
curtain-lines     300  curtain --drawn 0.1 --line-sweeps 1 --lra 4
knot              300  knot
flag-30           300  flag --wind 30,0,6
flag-30-lines     300  flag --wind 30,0,6 --line-sweeps 1 --lra 4
fine-edges        200  heap --size 128 --self-thickness 0.024
tshirt-flat       240  FLAT garments/diffcloth_tshirt1900.obj 0.1 --pin none --ground on --fabric tshirt
worksuit-flat     240  FLAT garments/makehuman_male_worksuit01.obj 0.1 --pin none --ground on
drape             240  drape
tumble            240  tumble
poncho            240  poncho
skirt             240  skirt
pleats            240  pleats
wring-32          600  wring --size 32
wring-64          600  wring --size 64
wring-128         600  wring --size 128
stack-32          240  stack --size 32
stack-128         120  stack --size 128
knot-32           300  knot --size 32
knot-64           300  knot --size 64
knot-128          300  knot --size 128
tumble-32         240  tumble --size 32
tumble-64         240  tumble --size 64
tumble-128        240  tumble --size 128
drape-32          240  drape --size 32
drape-64          240  drape --size 64
drape-128         240  drape --size 128
walk-32           240  walk --size 32
walk-64           240  walk --size 64
walk-128          240  walk --size 128
curtain-32        240  curtain --size 32
curtain-64        240  curtain --size 64
curtain-128       240  curtain --size 128
suit-on-body      60   M/garments/makehuman_male_casualsuit04.obj --scale 0.1 --pin none --dress --body M/bodies/makehuman_base.obj --body-scale 0.1 --body-group body
worksuit-on-body  60   M/garments/makehuman_male_worksuit01.obj --scale 0.1 --pin none --dress --tangled loosen --body M/animated/makehuman_walk_rest.obj
helper-skirt      120  M/bodies/makehuman_base.obj --scale 0.1 --group helper-skirt --pin top --body M/bodies/makehuman_base.obj --body-scale 0.1 --body-group body
skirt-walks       240  M/animated/makehuman_skirt.obj --pin top --pin-to-body --body M/animated/makehuman_walk.glb
tights-walk       240  M/animated/makehuman_tights.obj --pin top --tangled loosen --pin-to-body --body M/animated/makehuman_walk.glb
tablecloth        240  M/cloth/cipc_tableCloth.obj --pin none --ground on --body M/bodies/cipc_table.obj
skirt-falls       240  M/garments/diffcloth_skirt2011.obj --pin none --ground on
fedora-falls      240  M/garments/makehuman_fedora.obj --scale 0.1 --pin none --ground on
ROWS
)

# flat FILE SCALE: the garment turned to lie on its back, as a file of its own.
flat() {
  awk '$1 == "v" { print "v", $2, -$4, $3; next } { print }' "$meshes/$1" >"$work/flat.obj"
  options=(--mesh "$work/flat.obj" --scale "$2")
}

report() { # report NAME FRAMES: a row of the table from the summary
  python3 - "$work/summary.json" "$1" "$2" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
m, seen = s["metrics"], s["intersections"]
frames = format(seen["frames_counted"], ",") + (" of " + sys.argv[3] if s["cut_short"] else "")
print("| %s | %s | %s | %d | %d | %d | %d | %d | %d | %.2f | %.1f |" % (
    sys.argv[2], format(s["particles"], ","), frames, seen["max_triangle_pairs"], seen["max_with_bodies"], m["self_tangled"],
    round(seen["most_pairs"] / m["self_steps"]), seen["pauses"], seen["overflows"], 100 * m["strain_threads_p99"], s["ms_per_frame"]),
    flush=True)
sys.exit(seen["max_triangle_pairs"] + seen["max_with_bodies"] > m["self_tangled"])
PY
}

failed=0 done=0
printf '| row | particles | frames | most pairs that intersect | with bodies | tangled at the start | most pairs a contact step | %s |\n' \
  'contact steps paused | for want of room | strain of threads, p99 % | ms a frame'
printf '|---|---|---|---|---|---|---|---|---|---|---|\n'
while read -r name frames scene options_text; do
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  if [[ "$scene $options_text" == *M/* ]]; then
    [ -d "$meshes" ] || { echo "$name: skipped, no folder WEFT_MESH_DIR" >&2; continue; }
    scene=${scene/#M\//$meshes/} options_text=${options_text// M\// $meshes/}
  fi
  # shellcheck disable=SC2206 # words
  more=($options_text) options=("$scene")
  if [ "$scene" = FLAT ]; then
    [ -e "$meshes/${more[0]}" ] || { echo "$name: skipped, no ${more[0]} in WEFT_MESH_DIR" >&2; continue; }
    flat "${more[0]}" "${more[1]}"
    more=("${more[@]:2}")
  fi
  frames=$(((frames + part - 1) / part))
  [[ " ${more[*]} " == *" --backend "* ]] || more+=(--backend cpu --threads "${WEFT_APART_THREADS:-1}")
  status=0
  rm -f "$work/summary.json"
  timeout --signal=INT "${WEFT_APART_LIMIT:-0}" "$weft" simulate "${options[@]}" "${more[@]}" --frames "$frames" --self-collision on \
    --count-intersections --json "$work/summary.json" --log-level error >"$work/out" 2>&1 </dev/null || status=$?
  if [ $status = 124 ] && [ ! -e "$work/summary.json" ]; then
    echo "| $name | no frame in ${WEFT_APART_LIMIT} s | | | | | | | | | |"
    continue
  fi
  if [ $status != 0 ] && [ $status != 124 ]; then
    echo "| $name | status $status: $(tail -1 "$work/out") | | | | | | | | | |"
    failed=$((failed + 1))
    continue
  fi
  report "$name" "$frames" || failed=$((failed + 1))
  done=$((done + 1))
done <<<"$rows"
if [ $failed = 0 ] && [ $done -gt 0 ]; then
  echo "apart.sh: $done rows, no intersection in any frame beyond what was tangled at the start"
else
  echo "apart.sh: $done rows run, $failed failed or intersect" >&2
  exit 1
fi
