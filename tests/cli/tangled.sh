#!/usr/bin/env bash
# Starts that are tangled: kept with a warning, refused with the first triangles of the file, or loosened; and then free of
# intersections in every frame.
. "$(dirname "$0")/helpers.bash"

# sheet FIRST WIDTH X Y Z PLANE: a grid of 12 by 12 around X Y Z, its vertices numbered from FIRST.
sheet() {
  awk -v first="$1" -v width="$2" -v x="$3" -v y="$4" -v z="$5" -v plane="$6" 'BEGIN {
    n = 12
    for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) {
      u = width * (c / (n - 1) - 0.5); v = width * (r / (n - 1) - 0.5)
      printf "v %.6f %.6f %.6f\n", x + u, y + (plane == "lying" ? 0 : v), z + (plane == "lying" ? v : 0)
    }
    for (r = 0; r + 1 < n; ++r) for (c = 0; c + 1 < n; ++c) {
      i = first + r * n + c
      printf "f %d %d %d\nf %d %d %d\n", i, i + n, i + 1, i + 1, i + n, i + n + 1
    }
  }'
}
most() { sed -n 's/^  intersects in \([0-9,]*\) at most.*/\1/p' "$work/out"; }

# A sheet of which the lower edge has gone through another.
{ sheet 1 0.5 0 0 0 lying; sheet 145 0.4 0.007 0.17 0.011 standing; } >"$work/two.obj"
scene=("$work/two.obj" --pin none --frames 20 --backend ref --self-collision on --count-intersections)
run 0 simulate "${scene[@]}"
grep -q 'warning: the start pose is tangled: [0-9]* pairs of triangles intersect, first [0-9]* and [0-9]*' "$work/err" ||
  complain "no warning: $(cat "$work/err")"
prints "tangled at the start"
[ "$(most)" != 0 ] || complain "the sheets do not intersect"
kept=$(awk '$1 == "hash" { print $2 }' "$work/out")
run 0 simulate "${scene[@]}" --tangled keep
prints "hash      $kept"

refuses 3 "the start pose is tangled: " simulate "${scene[@]}" --tangled refuse
refuses 3 "loosen them (--tangled loosen, weft_untangle) or keep them (--tangled keep)" \
  simulate "${scene[@]}" --tangled refuse
first=$("$weft" inspect "$work/two.obj" 2>/dev/null | sed -n 's/^ *first faces *\([0-9]*\) and \([0-9]*\),.*/\1 \2/p')
read -r a b <<<"$first"
grep -q "first $a and $b, " "$work/err" || complain "not faces $first of the file: $(cat "$work/err")"

run 0 simulate "${scene[@]}" --tangled loosen
[ "$(most)" = 0 ] || complain "loosened sheets intersect: $(grep 'intersects in' "$work/out" | tail -2)"
grep -q '^  loosened  [0-9]* pairs of triangles of the cloth at the start; nothing left after' "$work/out" ||
  complain "what was loosened: $(grep loosened "$work/out")"
grep -q tangled "$work/out" "$work/err" && complain "loosened, and tangled: $(grep tangled "$work/out" "$work/err")"
loosened=$(awk '$1 == "hash" { print $2 }' "$work/out")
run 0 simulate "${scene[@]}" --tangled loosen --backend cpu
prints "hash      $loosened"
run 0 validate "${scene[@]:0:5}" --self-collision on --tangled loosen --backend cpu

# Where nothing is tangled nothing changes, and where nothing is kept apart it does nothing.
run 0 simulate drape --size 12 --frames 2 --backend ref
free=$(awk '$1 == "hash" { print $2 }' "$work/out")
for choice in refuse loosen; do
  run 0 simulate drape --size 12 --frames 2 --backend ref --tangled $choice
  prints "hash      $free"
done
refuses 2 "--tangled does nothing here: it needs --self-collision on" \
  simulate drape --size 12 --frames 2 --backend ref --self-collision off --tangled loosen
refuses 2 "--tangled loosen: not for several --instances" \
  simulate "$work/two.obj" --pin none --frames 1 --backend ref --self-collision on --tangled loosen --instances 2
refuses 3 "the start pose is tangled: " simulate "${scene[@]}" --tangled refuse --instances 2

# With bodies: an open one.
sheet 1 0.5 0 0 0 lying >"$work/lying.obj"
sheet 1 0.4 0.007 0.17 0.011 standing >"$work/standing.obj"
body=("$work/standing.obj" --body "$work/lying.obj" --pin none --frames 20 --backend ref --count-intersections)
run 3 simulate "${body[@]}" --tangled refuse # and a warning: it is open
grep -q "pairs of a triangle of the cloth and one of a body intersect, first " "$work/err" || complain "$(cat "$work/err")"
run 0 simulate "${body[@]}" --tangled loosen
prints "pairs with a body at the start; nothing left after"
prints "with bodies in 0 at most"

# Faces of the body count as in its file, from 0, alike in all that names them, and each pair once: squares of two triangles.
awk 'BEGIN {
  n = 4
  for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) printf "v %.6f 0 %.6f\n", 0.6 * (c / (n - 1) - 0.51), 0.6 * (r / (n - 1) - 0.52)
  for (r = 0; r + 1 < n; ++r) for (c = 0; c + 1 < n; ++c) { i = 1 + r * n + c; print "f", i, i + n, i + n + 1, i + 1 }
}' >"$work/squares.obj"
faces() { grep -oE '[0-9]+ and [0-9]+' "$1"; }
squares=("$work/standing.obj" --body "$work/squares.obj" --pin none)
run 0 simulate "${squares[@]}" --frames 1 --backend ref
pairs=$(sed -n 's/.*with a body: \([0-9]*\) pairs.*/\1/p' "$work/err")
faces <(grep "tangled with a body" "$work/err") >"$work/kept"
grep -q -- "--dress (weft_fit) brings cloth out of bodies, and --tangled loosen" "$work/err" || complain "no remedy: $(cat "$work/err")"
run 3 simulate "${squares[@]}" --frames 1 --backend ref --tangled refuse
faces <(grep "is tangled: " "$work/err") | cmp -s - "$work/kept" || complain "kept and refused differ: $(cat "$work/kept" "$work/err")"
run 0 inspect "${squares[@]}" --json "$work/i.json"
faces <(grep -A1 "pairs with bodies  *$pairs$" "$work/out") | cmp -s - "$work/kept" ||
  complain "kept and inspected differ: $(cat "$work/kept" "$work/out")"
[ "$(sort -u "$work/kept" | wc -l)" = "$(wc -l <"$work/kept")" ] || complain "a pair twice: $(cat "$work/kept")"
awk '$3 > 8 { exit 1 } END { exit NR < 3 }' "$work/kept" || complain "not faces of nine: $(cat "$work/kept")"
prints "particles inside                                0"
grep -q '"with_bodies"' "$work/i.json" || complain "no bodies in the JSON of inspect"

# What loosening makes worse it leaves as it was.
ball 0.3 12 24 >"$work/ball.obj"
ball 0.1 8 16 >"$work/small.obj"
run 0 simulate "$work/small.obj" --body "$work/ball.obj" --pin none --frames 1 --backend ref --tangled loosen --count-intersections
grep -q -- "--tangled loosen: the cloth begins as it is: " "$work/err" || complain "not as it was: $(cat "$work/err" "$work/out")"
prints "with bodies in 0 at most"

# Trousers and a dress over them, which is partly inside: tubes around the y axis, seen from outside.
tube() { # FIRST RADIUS WAVE NAME
  awk -v first="$1" -v radius="$2" -v wave="$3" -v name="$4" 'BEGIN {
    rows = 12; n = 40; tau = 6.283185307
    print "g " name
    for (r = 0; r < rows; ++r) for (c = 0; c < n; ++c) {
      R = radius + wave * cos(3 * tau * c / n) * sin(tau * r / (rows - 1))
      printf "v %.6f %.6f %.6f\n", R * cos(tau * c / n), 0.3 - 0.6 * r / (rows - 1), R * sin(tau * c / n)
    }
    for (r = 0; r + 1 < rows; ++r) for (c = 0; c < n; ++c) {
      a = first + r * n + c; b = first + r * n + (c + 1) % n
      printf "f %d %d %d\nf %d %d %d\n", a, b, a + n, b, b + n, a + n
    }
  }'
}
{ tube 1 0.15 0 trousers; tube 481 0.16 0.02 dress; } >"$work/dressed.obj"
dressed=("$work/dressed.obj" --pin none --bending dihedral --frames 1 --gravity 0,0,0 --backend ref --self-collision on --count-intersections)
# The least by which the dress is wider than the trousers, of vertices of one row and column, in mm.
wider() {
  awk '$1 == "v" { r[++n] = sqrt($2 * $2 + $4 * $4) }
       END { for (i = 1; i <= 480; ++i) { d = r[480 + i] - r[i]; if (i == 1 || d < least) least = d } printf "%d\n", 1000 * least }' "$1"
}
[ "$(wider "$work/dressed.obj")" -lt -5 ] || complain "the dress is over the trousers from the beginning"
for layer in dress:1 @1:1; do
  run 0 simulate "${dressed[@]}" --tangled loosen --layer $layer -o "$work/after.obj"
  prints "nothing left after"
  [ "$(most)" = 0 ] || complain "the dress crosses the trousers"
  [ "$(wider "$work/after.obj")" -ge 0 ] || complain "--layer $layer: the dress is $(wider "$work/after.obj") mm over the trousers"
done
refuses 2 "--layer: \"dress\" is not NAME:N" simulate "${dressed[@]}" --tangled loosen --layer dress
refuses 2 "--layer: $(basename "$work/dressed.obj") has 2 connected pieces, and 2 is not among them" \
  simulate "${dressed[@]}" --tangled loosen --layer @2:1
refuses 2 "hat" simulate "${dressed[@]}" --tangled loosen --layer hat:1
refuses 2 "--layer skirt: drape is no file with groups" \
  simulate drape --size 8 --frames 1 --backend ref --tangled loosen --layer skirt:1
refuses 2 "--layer does nothing here: it needs --tangled loosen" simulate "${dressed[@]}" --layer dress:1

# Garments made by others.
meshes=${WEFT_MESH_DIR:-}
if [ -f "$meshes/animated/makehuman_tights.obj" ]; then
  run 0 simulate "$meshes/animated/makehuman_tights.obj" --body "$meshes/animated/makehuman_walk_rest.obj" \
    --frames 2 --plain --backend cpu --tangled loosen --count-intersections
  prints "96 pairs with a body, 2 particles inside at the start; nothing left after"
  prints "with bodies in 0 at most"
  run 0 simulate "$meshes/garments/makehuman_male_worksuit01.obj" --scale 0.1 --attach off --self-collision on \
    --frames 2 --plain --backend cpu --tangled loosen --count-intersections
  prints "124 pairs of triangles of the cloth at the start; nothing left after"
  [ "$(most)" = 0 ] || complain "the worksuit intersects"
else
  echo "meshes of others are not here: garments are left out"
fi
finish
