#!/usr/bin/env bash
# Borders that coordinates of so many digits have opened: inspect and simulate name the pieces, how many vertices lie
# nearly on each other, and the --weld that makes them one; which it then does.
. "$(dirname "$0")/helpers.bash"

# quads JITTER [LIFT]: a sheet of 10 x 10 quads of 5 cm, each with vertices of its own, off by up to half of JITTER; a second one lifted by LIFT.
quads() {
  awk -v jitter="$1" -v lift="${2:-}" 'BEGIN {
    srand(7); n = 10
    for (layer = 0; layer <= (lift != ""); ++layer) for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) {
      for (k = 0; k < 4; ++k) {
        x = c + (k == 1 || k == 2); z = r + (k > 1)
        printf "v %.9f %.9f %.9f\n", x / 20 + (rand() - 0.5) * jitter, 1 + layer * lift + (rand() - 0.5) * jitter, z / 20 + (rand() - 0.5) * jitter
      }
      m = 4 * (n * n * layer + n * r + c); print "f", m + 4, m + 3, m + 2, m + 1
    } }'
}

for jitter in 1e-7 1e-6 1e-5 1e-4; do
  quads $jitter >"$work/quads.obj"
  run 0 simulate "$work/quads.obj" --frames 2 --backend ref
  # All but the four corners of the sheet.
  said=$(grep -oE "quads.obj: 100 pieces; 39[0-6] vertices of borders lie up to [0-9.e-]+ mm off each other, as exporters round: --weld [0-9.e-]+ joins them into 1 piece" "$work/err")
  [ -n "$said" ] || complain "$jitter: $(cat "$work/err")"
  weld=$(sed -n 's/.*--weld \([^ ]*\) joins.*/\1/p' <<<"$said")
  awk -v weld="$weld" -v jitter=$jitter 'BEGIN { exit !(weld <= 5 * 1000 * jitter && weld > 1000 * jitter) }' || complain "$jitter: --weld $weld"
  run 0 inspect "$work/quads.obj" --json "$work/o.json"
  prints "  gaps                   ${said#quads.obj: }"
  python3 - "$work/o.json" $jitter <<'PY' || complain "gaps as JSON"
import json, sys
g, jitter = json.load(open(sys.argv[1]))["gaps"], float(sys.argv[2])
assert g["pieces"] == 100 and g["pieces_welded"] == 1 and 390 <= g["vertices"] <= 396 and jitter < g["widest_m"] < 1.8 * jitter, g
PY
  run 0 simulate "$work/quads.obj" --frames 2 --backend ref --weld "$weld"
  [ -s "$work/err" ] && complain "welded: $(cat "$work/err")"
  prints "121 particles (2 pinned), 200 triangles, a grid of 11 x 11"
done

# Nothing is said of borders in one place exactly, of layers further apart, and of a fine fringe that is joined.
none() { # FILE
  run 0 inspect "$1"
  grep -q "  gaps " "$work/out" && complain "$2: $(grep "  gaps " "$work/out")"
  grep -q "off each other" "$work/err" && complain "$2: $(cat "$work/err")"
}
quads 0 >"$work/seams.obj"
none "$work/seams.obj" "seams"
quads 0 0.002 >"$work/layers.obj"
none "$work/layers.obj" "layers 2 mm apart"
awk 'BEGIN { for (k = 0; k < 40; ++k) { print "v", k * 1e-4, 0, 0; print "v", k * 1e-4, 1, 0 }
  for (k = 0; k < 39; ++k) print "f", 2 * k + 1, 2 * k + 3, 2 * k + 4, 2 * k + 2 }' >"$work/fringe.obj"
none "$work/fringe.obj" "a fringe"
finish
