#!/usr/bin/env bash
# A file that went through simulate comes out with all that it held, vertex for vertex; what people
# type and read counts as the file does.
. "$(dirname "$0")/helpers.bash"

lines() { grep -cE "^$1([[:blank:]]|\$)" "$2"; }

# same_file IN OUT: everything but coordinates, and as many of these.
same_file() {
  local word
  for word in v vt f usemtl mtllib g o s; do
    [ "$(lines $word "$1")" = "$(lines $word "$2")" ] ||
      complain "$1: $(lines $word "$1") lines of $word in, $(lines $word "$2") out"
  done
  # Faces as polygons of the same vertices and texture coordinates, under the same material.
  cmp -s <(tr -d '\r' <"$1" | faces) <(faces <"$2") || complain "$1: other faces come out"
}
faces() {
  awk '$1 == "usemtl" || $1 == "g" { sub(/[ \t]+$/, ""); print }
    $1 == "f" { line = "f"; for (k = 2; k <= NF; ++k) { split($k "//", n, "/"); line = line " " n[1] "/" n[2] }; print line }'
}
# moved IN OUT: the farthest that a vertex has gone.
moved() {
  paste <(grep '^v[[:blank:]]' "$1") <(grep '^v ' "$2") |
    awk '{ for (k = 2; k < 5; ++k) { d = $k - $(k + NF / 2); if (d < 0) d = -d; if (d > most) most = d } }
      END { printf "%.9f", most }'
}

# Two sheets of quads across a seam, each with a material; a face twice, a vertex of none, one pentagon.
cat >"$work/seam.obj" <<'OBJ'
mtllib cloth.mtl
o front
v 0 0 0
v 0.1 0 0
v 0.1 0.1 0
v 0 0.1 0
v 5 5 5
vt 0 0
vt 1 0
vt 1 1
vt 0 1
g left
usemtl red
f 1/1 2/2 3/3 4/4
v 0.1 0 0
v 0.1 0.1 0
v 0.2 0 0
v 0.2 0.1 0
v 0.25 0.05 0
g right
usemtl blue
s 1
f 6/1 8/2 10/3 9/3 7/4
f 6 8 10 9 7
OBJ
run 0 simulate "$work/seam.obj" --frames 1 --gravity 0,0,0 --backend ref --pin list:9,6 -o "$work/out.obj"
prints "mended    2 vertices welded, 1 face dropped, 0 turned"
prints "(2 pinned)"
same_file "$work/seam.obj" "$work/out.obj"
awk -v m="$(moved "$work/seam.obj" "$work/out.obj")" 'BEGIN { exit !(m < 1e-6) }' || complain "it moved without gravity"
run 0 simulate "$work/seam.obj" --frames 3 --backend ref --pin list:9,6 -o "$work/f-%02d.obj"
same_file "$work/seam.obj" "$work/f-03.obj"
# 2 and 6 are held as one, 9 is held, 4 is nowhere; 0 falls.
at() { grep '^v ' "$1" | sed -n "$(($2 + 1))p" | awk '{ printf "%.6f %.6f %.6f\n", $2, $3, $4 }'; }
for held in 2 6 9 4; do
  [ "$(at "$work/f-03.obj" $held)" = "$(at "$work/seam.obj" $held)" ] || complain "vertex $held moved"
done
[ "$(at "$work/f-03.obj" 1)" = "$(at "$work/f-03.obj" 5)" ] || complain "the seam opened"
[ "$(at "$work/f-03.obj" 0)" != "$(at "$work/seam.obj" 0)" ] || complain "vertex 0 does not fall"
refuses 2 "vertex 4 is in no face that cloth is made of" simulate "$work/seam.obj" --backend ref --pin list:4
refuses 2 "vertex 10 does not exist, the mesh has 10 vertices" simulate "$work/seam.obj" --backend ref --pin list:10

# Instances, each a file of its own; a group, of which the rest stays.
run 0 simulate "$work/seam.obj" --frames 3 --backend ref --pin list:9,6 --instances 2 -o "$work/each-%01d.obj"
cmp -s "$work/each-2.obj" "$work/f-03.obj" || complain "an instance is written otherwise"
run 0 simulate "$work/seam.obj" --group left --frames 3 --backend ref --pin list:2 -o "$work/left.obj"
same_file "$work/seam.obj" "$work/left.obj"
[ "$(at "$work/left.obj" 9)" = "$(at "$work/seam.obj" 9)" ] || complain "a group left out moves"

# Two sheets in one place stay two, unless asked otherwise.
awk 'BEGIN { for (s = 0; s < 2; ++s) {
  for (k = 0; k < 9; ++k) print "v", k % 3 / 10, 0, int(k / 3) / 10
  for (r = 0; r < 2; ++r) for (c = 0; c < 2; ++c) { a = 9 * s + 3 * r + c + 1; print "f", a, a + 3, a + 4, a + 1 } } }' >"$work/two.obj"
run 0 simulate "$work/two.obj" --frames 1 --backend ref -o "$work/out.obj"
prints "two.obj: 18 particles"
same_file "$work/two.obj" "$work/out.obj"
run 0 simulate "$work/two.obj" --frames 1 --backend ref --weld all -o "$work/out.obj"
prints "mended    9 vertices welded, 4 faces dropped, 0 turned"
same_file "$work/two.obj" "$work/out.obj"
run 0 simulate "$work/seam.obj" --frames 1 --backend ref --weld off --pin list:9
prints "seam.obj: 9 particles"
run 0 simulate "$work/seam.obj" --frames 1 --backend ref --weld 120 --pin list:9
grep -q "seam.obj: [1-4] particles" "$work/out" || complain "120 mm weld next to nothing: $(head -1 "$work/out")"
refuses 2 '"0" is none of seams, all, off, a number of millimetres from 1e-06 to 1e+06' simulate "$work/seam.obj" --weld 0
refuses 2 "is none of seams, all, off, a number of millimetres" simulate "$work/seam.obj" --weld some
refuses 2 "--weld is for files" simulate drape --weld all

# Materials are named from where the file goes, as far as they are there; a third texture coordinate stays.
mkdir -p "$work/m/sub folder" "$work/m/out/deep" "$work/else"
touch "$work/m/cloth.mtl" "$work/m/sub folder/a b.mtl" "$work/m/two.mtl"
cat >"$work/m/plane.obj" <<OBJ
mtllib cloth.mtl two.mtl none.mtl
mtllib sub folder/a b.mtl
mtllib $work/m/cloth.mtl
vt 0 0 0.25
vt 1 0
vt 1 1 -2
v 0 0 0
v 0.1 0 0
v 0.1 0.1 0
f 1/1 2/2 3/3
OBJ
still=(--frames 1 --backend ref --pin none)
# libraries FILE: what it names, where that is.
libraries() { grep '^mtllib' "$1" | cut -d' ' -f2- | tr '\n' ';'; }
for place in out/p.obj:../ out/deep/p.obj:../../ p.obj: "sub folder/p.obj:../"; do
  run 0 simulate "$work/m/plane.obj" "${still[@]}" -o "$work/m/${place%:*}"
  way=${place##*:}
  [ "$(libraries "$work/m/${place%:*}")" = "${way}cloth.mtl ${way}two.mtl none.mtl;${way}sub folder/a b.mtl;$work/m/cloth.mtl;" ] ||
    complain "${place%:*}: $(libraries "$work/m/${place%:*}")"
done
(cd "$work/else" && "$weft" simulate ../m/plane.obj "${still[@]}" -o p.obj >/dev/null && "$weft" simulate ../m/plane.obj "${still[@]}" -o - 2>/dev/null >"$work/dash.obj")
[ "$(libraries "$work/else/p.obj" | cut -d';' -f2)" = "../m/sub folder/a b.mtl" ] || complain "another folder: $(libraries "$work/else/p.obj")"
[ "$(libraries "$work/dash.obj")" = "$(libraries "$work/m/plane.obj")" ] || complain "standard output: $(libraries "$work/dash.obj")"
cmp -s <(grep '^vt' "$work/m/plane.obj") <(grep '^vt' "$work/m/p.obj") || complain "texture coordinates: $(grep '^vt' "$work/m/p.obj")"

# In another unit it comes back in that unit.
run 0 simulate "$work/seam.obj" --frames 1 --gravity 0,0,0 --scale 0.5 --backend ref -o "$work/half.obj"
awk -v m="$(moved "$work/seam.obj" "$work/half.obj")" 'BEGIN { exit !(m < 1e-6) }' || complain "the unit is lost"

# Garments of others. Their layers lie closer than a thickness, so self-collision would part them.
meshes=${WEFT_MESH_DIR:-}
if [ -d "$meshes/garments" ]; then
  files=0
  for file in "$meshes"/garments/*.obj "$meshes"/cloth/*.obj "$meshes"/animated/*.obj; do
    run 0 simulate "$file" --frames 1 --plain --substeps 1 --gravity 0,0,0 --bending none --self-collision off --backend cpu -o "$work/out.obj"
    same_file "$file" "$work/out.obj"
    awk -v m="$(moved "$file" "$work/out.obj")" 'BEGIN { exit !(m < 1e-3) }' ||
      complain "$file: a vertex went $(moved "$file" "$work/out.obj") in 1/60 s without gravity"
    files=$((files + 1))
  done
  [ $files -ge 13 ] || complain "only $files files"
else
  echo "no meshes in \"$meshes\""
fi
finish
