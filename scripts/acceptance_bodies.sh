#!/usr/bin/env bash
# Shows that cloth passes through neither itself nor a body of triangles, still or moving: counts the intersections of every frame,
# exactly and apart from the solver, compares states of the backends ref, cpu and gl, and prints a table in Markdown.
#   scripts/acceptance_bodies.sh [--quick] [PROGRAM] [ROW...]   default: build/release/weft, all rows; --quick: a tenth of the frames
# WEFT_MESH_DIR is the folder of the meshes made by others (default ../shared/meshes); where it is absent only the rows of weft's own
# scenes run. WEFT_BODIES_THREADS is for the backend cpu (default 1).
# Exit status 1 when something intersects, differs or fails, or more than 0.1 % of the particles are inside a body in some frame.
set -uo pipefail
part=1
case ${1:-} in
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --quick) part=10; shift ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd)
weft=${1:-$root/build/release/weft}
if [ $# -gt 0 ]; then shift; fi
[ -x "$weft" ] || { echo "acceptance_bodies.sh: no program $weft; build it or give its path" >&2; exit 2; }
meshes=${WEFT_MESH_DIR:-$root/../shared/meshes}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Name, frames, frames after which backends are compared, options. M is the folder of meshes, W has those that are put elsewhere.
rows=$(
  cat <<'ROWS'
handkerchief      300 120 handkerchief
walk              300 120 walk
walk-20k          300 30  walk --size 141
walk-80k          300 4   walk --size 283
skirt-still       300 120 M/animated/makehuman_skirt.obj --pin top --body M/animated/makehuman_walk_rest.obj
skirt-walk        300 120 M/animated/makehuman_skirt.obj --pin top --pin-to-body --body M/animated/makehuman_walk.glb
skirt-walk-cache  300 120 M/animated/makehuman_skirt.obj --pin top --pin-to-body --body M/animated/makehuman_walk_rest.obj --body-motion M/animated/makehuman_walk.pc2
tights-still      300 120 M/animated/makehuman_tights.obj --pin top --tangled loosen --body M/animated/makehuman_walk_rest.obj
tights-walk       300 120 M/animated/makehuman_tights.obj --pin top --tangled loosen --pin-to-body --body M/animated/makehuman_walk.glb
tshirt-on-spot    300 120 W/tshirt.obj --pin none --ground on --fabric tshirt --body W/spot.obj
tablecloth        300 120 M/cloth/cipc_tableCloth.obj --pin none --ground on --body M/bodies/cipc_table.obj
ROWS
)

# placed FILE SCALE X Y Z TURN NAME: a mesh scaled, turned on its back where TURN is "flat", and moved, as a file of its own.
placed() {
  awk -v s="$2" -v x="$3" -v y="$4" -v z="$5" -v turn="$6" '
    $1 == "v" && turn == "flat" { print "v", s * $2 + x, y - s * $4, s * $3 + z; next }
    $1 == "v" { print "v", s * $2 + x, s * $3 + y, s * $4 + z; next }
    { print }' "$meshes/$1" >"$work/$7.obj"
}
if [ -d "$meshes" ]; then
  placed bodies/mujoco_spot.obj 0.5 0 0 0 upright spot
  placed garments/diffcloth_tshirt1900.obj 0.1 0 0.85 -0.6 flat tshirt
else
  echo "acceptance_bodies.sh: no folder $meshes, rows of meshes made by others are left out" >&2
fi

hash_of() { # BACKEND FRAMES: of the row in $options
  "$weft" simulate "${options[@]}" --frames "$2" --backend "$1" --log-level error 2>>"$work/err" </dev/null |
    sed -n 's/^  hash *//p'
}

report() { # report NAME FRAMES EQUAL: a row of the table from the summary
  python3 - "$work/summary.json" "$@" <<'PY'
import json, sys
s, (name, frames, equal) = json.load(open(sys.argv[1])), sys.argv[2:]
m, seen = s["metrics"], s["intersections"]
print("| %s | %s | %s | %d | %d | %d | %d | %.2f | %s |" % (
    name, format(s["particles"], ","), frames, seen["max_triangle_pairs"], seen["max_with_bodies"], seen["max_inside"], m["self_driven"],
    100 * m["strain_threads_p99"], equal), flush=True)
sys.exit(seen["frames_counted"] != int(frames) or seen["max_triangle_pairs"] + seen["max_with_bodies"] > 0
         or 1000 * seen["max_inside"] > s["particles"] or equal.startswith("no"))
PY
}

failed=0 done=0
echo '| row | particles | frames | max pairs of the cloth | max with bodies | max particles inside bodies | held back in the last frame, in vertices of substeps | strain of threads, p99 % | ref, cpu and gl equal |'
echo '|---|---|---|---|---|---|---|---|---|'
while read -r name frames compared words; do
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  if [[ $words == *[MW]/* ]] && [ ! -d "$meshes" ]; then continue; fi
  words=${words//M\//$meshes/} words=${words//W\//$work/}
  # shellcheck disable=SC2206 # words
  options=($words)
  frames=$(((frames + part - 1) / part)) compared=$(((compared + part - 1) / part))
  if ! "$weft" simulate "${options[@]}" --frames "$frames" --backend cpu --threads "${WEFT_BODIES_THREADS:-1}" \
    --count-intersections --json "$work/summary.json" --log-level error >"$work/out" 2>&1 </dev/null; then
    echo "| $name | $(tail -1 "$work/out") | | | | | | | |"
    failed=$((failed + 1))
    continue
  fi
  ref=$(hash_of ref "$compared") cpu=$(hash_of cpu "$compared") gl=$(hash_of gl "$compared")
  equal="yes, after $compared frames"
  [ -n "$ref" ] && [ "$ref" = "$cpu" ] && [ "$ref" = "$gl" ] || equal="no: $ref, $cpu, $gl"
  report "$name" "$frames" "$equal" || failed=$((failed + 1))
  done=$((done + 1))
done <<<"$rows"
if [ $failed = 0 ] && [ $done -gt 0 ]; then
  echo "acceptance_bodies.sh: $done rows, no intersection in any frame, ref, cpu and gl agree"
else
  echo "acceptance_bodies.sh: $done rows run, $failed failed" >&2
  exit 1
fi
