#!/usr/bin/env bash
# The programs of examples/python at small sizes, and what they print. Usage: examples.sh PACKAGES WEFT
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
complain() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
in_python() { bash "$root/tests/python/run.sh" "$packages" "$@"; }
packages=$1 weft=$2
in_python -c pass >/dev/null || { in_python -c pass; exit 77; }

# prints NAME PATTERN [ARGUMENTS...]: its last line, which the pattern matches.
prints() {
  local name=$1 pattern=$2
  said=$(in_python "$root/examples/python/$name.py" "${@:3}" 2>&1) || complain "$name.py failed"
  echo "$said"
  tail -n 1 <<<"$said" | grep -qE "^$name: $pattern$" || complain "$name.py should end with \"$name: $pattern\""
}
prints hang 'strain p99 0\.[0-9]+ %, hash [0-9a-f]{16}'
in_python -c 'import sys, weft
grid = weft.Mesh.grid(32, 32, plane="xz")
with weft.Cache(sys.argv[1], grid) as cache: cache.write(grid.vertices)' "$work/sheet.obj"
hash=$("$weft" simulate "$work/sheet.obj" --pin corners --frames 60 --self-collision off --air-density 0 | awk '$1 == "hash" { print $2 }')
[[ $said = *"hash $hash" ]] || complain "hang.py and weft simulate differ: $hash"

prints dress "40 frames in $work/poncho.pc2, 0 particles inside the body, lowest [01]\.[0-9]+ m" --frames 39 --output "$work/poncho.pc2"
[ "$(head -c 11 "$work/poncho.pc2")" = POINTCACHE2 ] || complain "dress.py wrote no PC2 file"

prints stiffness '[0-9.e-]+ N m found, 2\.500e-05 N m was meant' --size 12 --frames 200
awk '$1 == "stiffness:" { d = $2 / $6 - 1; exit !(d < 0.01 && d > -0.01) }' <<<"$said" || complain "stiffness.py found another stiffness"

prints towels '12 of 10 x 10, self-collision on: [0-9]+ environment steps a second, mean reward -0\.[0-9]+' --towels 12 --size 10 --steps 12

# Every program is one that is run here; cells of the notebook are Python, and name what there is.
for source in "$root"/examples/python/*.py; do
  grep -q "^prints $(basename "$source" .py) " "$0" || complain "$0 does not run $(basename "$source")"
done
in_python - "$root"/examples/python/*.ipynb <<'E2' || complain "the notebook is broken"
import ast, json, sys, weft
cells = [cell for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
for node in ast.walk(ast.parse("\n".join("".join(cell["source"]) for cell in cells))):
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "weft":
        getattr(weft, node.attr)
assert len(cells) > 2
E2
exit $((failures > 0))
