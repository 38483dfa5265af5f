#!/bin/bash
# weft validate --physics as a user meets it: the whole table passes, JSON and page are what they
# claim to be, and broken shaders make rows fail.
source "$(dirname "$0")/helpers.bash"

run 0 validate --help
prints "--physics"
run 0 validate --physics --help
prints "pendulum"
prints "--report"
refuses 2 'no case is called "pendulm", did you mean pendulum?' validate --physics pendulm
refuses 2 'the cases are fall, ' validate --physics=fall,everythingelse
refuses 4 "no/such/folder" validate --physics pair --report "$work/no/such/folder/page.html"

# One case, some, in the order asked for.
run 0 validate --physics pair
prints "every one within what theory allows"
grep -q "^fall: " "$work/out" && complain "--physics pair ran fall as well"
run 0 validate --physics=pair,fall rigid
[ "$(grep -cE '^(pair|fall|rigid): ' "$work/out")" = 3 ] || complain "three cases were asked for"

# All of it.
run 0 validate --physics --json "$work/table.json" --report "$work/table.html"
prints "every one within what theory allows"
awk 'length > 100 && !/^(driver|probe)/ {long = 1; print} END {exit long}' "$work/out" >"$work/long" ||
  complain "lines of more than 100 columns: $(head -3 "$work/long")"
if command -v python3 >/dev/null; then
  python3 - "$work/table.json" <<'PYTHON' || complain "the JSON is not what it should be"
import json, sys
table = json.load(open(sys.argv[1]))
assert table["passed"] and table["rows_failed"] == 0
names = [case["name"] for case in table["cases"]]
for name in "fall bead pendulum pair spring stiffness chain rope catenary bend rigid momentum " \
            "strain slope gradient tether levels lines carry bullet sand mueller drape cantilever".split():
    assert name in names, name
rows = [row for case in table["cases"] for row in case["rows"]]
assert len(rows) == table["rows"] > 150
for row in rows:
    assert row["what"] and row["source"] and row["passed"] is True
    assert row["expected"] is None or row["allowed_because"], row["what"]
    assert row["measured"]
    for place in row["measured"].values():
        assert row["expected"] is None or abs(place["error"]) <= place["allowed"], row["what"]
gl = table["backends"]["gl"] == "ran"
for row in rows:
    if gl and "gl" in row["measured"] and table["probe"]["exact"]:
        assert row["measured"]["gl"]["value"] == row["measured"]["ref"]["value"], row["what"]
# Every claim but those of double precision alone is measured on the GPU or said to be too long.
for case in table["cases"]:
    assert not gl or any("gl" in row["measured"] for row in case["rows"]), case["name"]
    assert all(series["x"] for plot in case["plots"] for series in plot["series"]), case["name"]
PYTHON
fi

# The page: well-formed, plots inside, nothing fetched, no scripts.
page=$work/table.html
if command -v xmllint >/dev/null; then
  xmllint --noout "$page" 2>"$work/xml" || complain "the page is not well-formed: $(head -3 "$work/xml")"
fi
[ "$(grep -c '<svg ' "$page")" -ge 15 ] || complain "too few plots in the page"
grep -q "prefers-color-scheme:dark" "$page" || complain "the page has no dark colours"
grep -qiE '<script|<link|<img|<iframe|@import|url\(|src=|href="[^#]|javascript:' "$page" &&
  complain "the page refers to something outside itself"
grep -oE 'https?://[^" <]*' "$page" | sort -u |
  grep -vxE 'http://www\.w3\.org/(1999/xhtml|2000/svg)' >"$work/urls"
[ -s "$work/urls" ] && complain "addresses in the page: $(cat "$work/urls")"
commit=$(grep -o '"commit": "[^"]*"' "$work/table.json" | cut -d'"' -f4)
grep -qF "commit $commit" "$page" || complain "the page does not say what was built"

# Without OpenGL the rest is measured, and the column says so.
(
  export WEFT_EGL_DEVICE=99 EGL_PLATFORM=nonsense __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent
  run 0 validate --physics pair --json "$work/no_gl.json"
  have_gl || prints "gl            not measured: "
  exit "$failures"
) || complain "--physics without OpenGL"

# ---- a table that cannot fail shows nothing ----
have_gl || finish

# sabotage CASE FILE FROM TO: the first occurrence, in a copy of the shaders.
sabotage() {
  rm -rf "$work/shaders"
  cp -r "$(dirname "$0")/../../shaders" "$work/shaders"
  perl -0777 -pi -e 'BEGIN { $old = shift; $new = shift } $i = index($_, $old);
      $i < 0 ? exit 1 : substr($_, $i, length($old), $new)' "$3" "$4" "$work/shaders/$2" &&
    grep -qF -- "$4" "$work/shaders/$2" || complain "sabotage of $2 does not apply: $3"
  WEFT_SHADER_DIR=$work/shaders run 1 validate --physics "$1"
  grep -q " FAIL$" "$work/out" || complain "$1 passes with \"$4\" in $2"
}
# A shader that does not compile is named.
rm -rf "$work/shaders"
cp -r "$(dirname "$0")/../../shaders" "$work/shaders"
echo "nonsense" >>"$work/shaders/kernels/constraint_distance.h"
WEFT_SHADER_DIR=$work/shaders run 6 validate --physics pair
grep -q "kernels/constraint_distance.h" "$work/err" || complain "the broken shader is not named"
sabotage pair kernels/constraint.h "v3_add(XYZ(p), d)" "v3_sub(XYZ(p), d)"
# Coefficients wrong by 2 %.
sabotage fall kernels/motion.h "v + gravity_step" "v + 1.02 * gravity_step"
sabotage spring kernels/constraint_distance.h "violation + held" "violation + 1.02 * held"
sabotage bend kernels/constraint_dihedral.h "sum + data.y" "sum + 1.02 * data.y"
sabotage slope kernels/collide.h "UNI(pose.move_b.w)" "1.02 * UNI(pose.move_b.w)"
sabotage carry kernels/collide.h "shape_carried(pose, axis, look.at)" "1.02 * shape_carried(pose, axis, look.at)"
sabotage bullet kernels/collide.h "v3_select(look.swept, entry, p)" "p"
sabotage mueller kernels/damping.h "v3_scale(change, part)" "v3_scale(change, 1.02 * part)"
# A line a little short of its own stretch.
sabotage lines kernels/line.h "len - rest_length" "len - 1.002 * rest_length"
sabotage tether kernels/tether.h "len > length" "len == length"
finish
