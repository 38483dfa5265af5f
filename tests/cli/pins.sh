#!/usr/bin/env bash
# --pin of what a file names: groups, objects, materials, colours.
. "$(dirname "$0")/helpers.bash"

hash_of() { sed -n 's/^  hash *//p' "$work/out"; }
# A sheet of 8 x 8 whose first row of quads is a waistband, with a material of its own; corners are painted.
awk 'BEGIN { n = 8
  print "mtllib cloth.mtl"
  for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) {
    paint = (r == 0 || r == n - 1) && (c == 0 || c == n - 1) ? "1 0 0" : r == 3 ? "0.1 0.9 0.2" : "0 0 0"
    print "v", c / n, 1 - r / n, 0, paint }
  print "o a skirt"
  for (r = 0; r + 1 < n; ++r) {
    if (r == 0) print "g waist upper\nusemtl dark blue"
    if (r == 1) print "g panel\nusemtl light"
    if (r == 4) print "g panel\nusemtl dark blue"
    if (r == 6) print "g hem"
    for (c = 0; c + 1 < n; ++c) { a = n * r + c + 1; print "f", a, a + n, a + n + 1, a + 1 } } }' >"$work/skirt.obj"
# rows FROM TO...: --pin list of these rows
rows() {
  local list=
  while [ $# -gt 0 ]; do
    list+=,$(seq -s, $((8 * $1)) $((8 * $2 + 7)))
    shift 2
  done
  echo "list:${list#,}"
}
base=(simulate "$work/skirt.obj" --frames 3 --backend cpu --plain)
# same PINNED RULE LIST
same() {
  run 0 "${base[@]}" --pin "$3"
  local wanted
  wanted=$(hash_of)
  prints "($1 pinned)"
  run 0 "${base[@]}" --pin "$2"
  prints "($1 pinned)"
  [ "$(hash_of)" = "$wanted" ] || complain "--pin $2 is not --pin $3"
}
same 16 group:waist "$(rows 0 1)"
same 16 group:upper "$(rows 0 1)"
same 48 group:panel "$(rows 1 6)"
same 16 group:hem "$(rows 6 7)"
same 64 "group:a skirt" "$(rows 0 7)"
same 48 "material:dark blue" "$(rows 0 1 4 7)"
same 32 material:light "$(rows 1 4)"
same 4 colour:1,0,0 list:0,7,56,63
same 8 colour:0,1,0 "$(rows 3 3)"
same 52 colour:0,0,0,0.05 "list:$(seq -s, 0 63 | tr , '\n' | grep -vxE '0|7|56|63|2[4-9]|3[01]' | paste -sd,)"
# Several add up, with others too.
run 0 "${base[@]}" --pin group:waist --pin colour:1,0,0 --pin list:30
prints "(19 pinned)"
# A group with commas in its name is named as it is; the longest name counts.
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 1 1 0' 'v 0 1 0' 'v 2 0 0' 'v 2 1 0' 'v 3 0 0' 'v 3 1 0' 'g left,front' 'f 1 2 3 4' 'g left' 'f 2 5 6 3' \
  'o the hem, folded' 'g hem' 'f 5 7 8 6' >"$work/commas.obj"
taken() {
  run 0 simulate "$work/commas.obj" --frames 1 --backend ref --plain --pin none --log-level error --group "$2"
  prints "commas.obj: $1 particles"
}
taken 4 left,front
taken 4 left
taken 6 "left , left,front"
taken 8 "left,front, the hem, folded,left"
refuses 2 "no group, object or material 'front'; it has left,front" simulate "$work/commas.obj" --group left,hem,front
# Of --group, what the cloth has.
run 0 "${base[@]}" --group panel --pin group:waist
prints "(8 pinned)"
run 0 "${base[@]}" --pin group:waist --instances 2
prints "hash"
# What is not there is refused, with what there is.
refuses 2 "--pin group:belt: no group or object 'belt'; the file has a skirt, waist, upper, panel, hem" "${base[@]}" --pin group:belt
refuses 2 "--pin material:blue: no material 'blue'; the file has dark blue, light" "${base[@]}" --pin material:blue
refuses 2 "no vertex has a colour within 0.25 of 0,0,1; the file has 1,0,0; 0,0,0; 0.1,0.9,0.2" "${base[@]}" --pin colour:0,0,1
refuses 2 "--pin group:hem: none of its vertices is in the cloth" "${base[@]}" --group waist --pin group:hem
refuses 2 '"group:" names nothing' "${base[@]}" --pin group:
refuses 2 'is not 3 numbers' "${base[@]}" --pin colour:1,0
refuses 2 'within -1 of it is nothing' "${base[@]}" --pin colour:1,0,0,-1
refuses 2 "--pin group:waist: is for files, drape is a built-in scene" simulate drape --pin group:waist
refuses 2 'list:1,2,3, group:NAME, material:NAME, colour:R,G,B' "${base[@]}" --pin bottom
grep '^v' "$work/skirt.obj" | cut -d' ' -f1-4 >"$work/plain.obj"
grep '^f' "$work/skirt.obj" >>"$work/plain.obj"
refuses 2 "no group or object 'x'; the file has none" simulate "$work/plain.obj" --pin group:x
refuses 2 "no vertex of the file has a colour" simulate "$work/plain.obj" --pin colour:1,0,0
refuses 2 'pin rule "box" selects no vertex: they are from (0, 0.125, 0) to (0.875, 1, 0) m' "${base[@]}" --pin box:2,2,2,3,3,3
finish
