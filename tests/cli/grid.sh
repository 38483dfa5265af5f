#!/usr/bin/env bash
# The sheet of a scene, written as a file, is the grid that it was: the same bits, whatever the order
# of the file's vertices, faces and corners; whoever reads or writes numbers sees those of the file.
. "$(dirname "$0")/helpers.bash"

size=20
n=$((size * size))

# Held everywhere it does not move: nine digits give the same floats.
run 0 simulate hanging --size $size --frames 1 --pin box:-9,-9,-9,9,9,9 --output "$work/sheet.obj"
prints "a grid of $size x $size"

# reorder STEP [WHAT] [FORMAT]: vertex i at place i * STEP mod n of the file, faces and first corners in another order;
# WHAT: quads, or columns (numbered column by column). FORMAT of coordinates.
reorder() {
  awk -v step="$1" -v what="${2:-}" -v format="${3:-}" -v size=$size '
    /^v / { x[vertices++] = format ? sprintf(format " " format " " format, $2, $3, $4) : $2 " " $3 " " $4 }
    /^f / { split($2 " " $3 " " $4, c, "[ /]"); face[faces++] = c[1] - 1 " " c[3] - 1 " " c[5] - 1 }
    END {
      for (i = 0; i < vertices; ++i) {
        place[i] = what == "columns" ? i % size * size + int(i / size) : i * step % vertices
        at[place[i]] = i
      }
      for (k = 0; k < vertices; ++k) print "v", x[at[k]]
      corners = 3
      if (what == "quads") { # a c e, a e b
        corners = 4
        for (f = 0; f < faces; f += 2) { split(face[f + 1], c, " "); face[f / 2] = face[f] " " c[3] }
        faces /= 2
      }
      for (k = 0; k < faces; ++k) {
        f = what == "columns" ? k : k * 101 % faces
        split(face[f], c, " ")
        line = "f"
        for (i = 0; i < corners; ++i) line = line " " place[c[(i + k) % corners + 1]] + 1
        print line
      }
    }' "$work/sheet.obj"
}
reorder 149 >"$work/shuffled.obj"
reorder 271 quads >"$work/quads.obj"
reorder 1 columns >"$work/columns.obj"
reorder 149 "" %.6f >"$work/rounded.obj"

# swings FILE.obj or SCENE, ARGS...: its hash, in $hash.
swings() {
  run 0 simulate "$@" --frames 12 --backend cpu --damping 0.2 --air-density 0
  hash=$(sed -n 's/^  hash  *//p' "$work/out")
}
for self in off on; do
  swings hanging --size $size --self-collision $self
  wanted=$hash
  [ -n "$wanted" ] || complain "no hash: $(cat "$work/out")"
  for file in sheet shuffled quads columns; do
    swings "$work/$file.obj" --self-collision $self
    prints "a grid of $size x $size"
    [ "$hash" = "$wanted" ] || complain "$file, self-collision $self: hash $hash, the scene's $wanted"
  done
done
for backend in ref gl; do
  [ $backend = ref ] || have_gl || continue
  swings "$work/shuffled.obj" --backend $backend --self-collision on
  [ "$hash" = "$wanted" ] || complain "$backend: hash $hash, cpu $wanted"
done
for pins in top left; do # of a sheet that lies, as if seen from above
  swings hanging --size $size --pin $pins
  wanted=$hash
  swings "$work/quads.obj" --pin $pins --self-collision off
  [ "$hash" = "$wanted" ] || complain "--pin $pins: hash $hash, the scene's $wanted"
done

swings hanging --size $size --no-shear
wanted=$hash
swings "$work/shuffled.obj" --no-shear --self-collision off
[ "$hash" = "$wanted" ] || complain "--no-shear: hash $hash, the scene's $wanted"
refuses 2 "takes no pattern or shear" simulate "$work/shuffled.obj" --no-shear --keep-order
refuses 2 "takes no pattern or shear" simulate "$work/shuffled.obj" --pattern alternating

# Decimals that lose bits are a grid all the same.
swings "$work/rounded.obj"
prints "a grid of $size x $size"

# Vertices 5, 70 and 211 of the file are held, and faces and texture coordinates are the file's.
cp "$work/sheet.obj" "$work/textured.obj"
for file in shuffled quads textured; do
  for keep in "" --keep-order; do
    swings "$work/$file.obj" $keep --pin list:5,70,211 --output "$work/out$keep.obj"
    if [ -z "$keep" ]; then
      prints "a grid of"
    else
      grep -q "a grid of" "$work/out" && complain "$keep: a grid"
    fi
    cmp -s <(grep -E '^(f|vt)' "$work/out$keep.obj") <(grep -E '^(f|vt)' "$work/$file.obj") ||
      complain "$file $keep: other faces or texture coordinates"
    for number in 6 71 212; do # lines from 1
      cmp -s <(grep '^v ' "$work/out$keep.obj" | sed -n ${number}p) \
        <(grep '^v ' "$work/$file.obj" | sed -n ${number}p) ||
        complain "$file $keep: vertex $((number - 1)) was not held"
    done
  done
  # Every other one has its own place in the file: after one frame it is still near it.
  run 0 simulate "$work/$file.obj" --frames 1 --backend cpu --pin list:5,70,211 --output "$work/out.obj"
  paste <(grep '^v ' "$work/out.obj") <(grep '^v ' "$work/$file.obj") |
    awk '{ d = ($2-$6)^2 + ($3-$7)^2 + ($4-$8)^2; if (d > 25e-6) bad++ } END { exit bad > 0 || NR != '$n' }' ||
    complain "$file: vertices changed places"
done

# Row 0 of a grid from a file is not where it hangs: of one that stands and shows its back, --pin top
# holds the upper edge, and left the one to the left.
run 0 simulate hanging --angle 90 --size $size --frames 1 --pin box:-9,-9,-9,9,9,9 --output "$work/sheet.obj"
reorder 149 | awk '/^f/ { print $1, $2, $4, $3; next } { print }' >"$work/back.obj"
for pins in top left; do
  run 0 simulate "$work/back.obj" --pin $pins --frames 3 --backend cpu --output "$work/out.obj"
  prints "($size pinned)"
  prints "a grid of $size x $size"
  paste <(grep '^v ' "$work/back.obj") <(grep '^v ' "$work/out.obj") | awk -v pins=$pins '
    (pins == "top" ? $3 > 1.599 : $2 < -0.499) { ++edge; if ($2 != $6 || $3 != $7 || $4 != $8) ++moved }
    END { exit edge != '$size' || moved > 0 }' || complain "--pin $pins held something else"
done

# A triangle less, or a vertex that lies elsewhere, is no grid.
grep -vxF "$(grep '^f' "$work/shuffled.obj" | sed -n 300p)" "$work/shuffled.obj" >"$work/gap.obj"
awk '/^v/ && ++k == 100 { $2 += 0.02 / 19 } { print }' "$work/shuffled.obj" >"$work/moved.obj"
for file in gap moved; do
  swings "$work/$file.obj"
  grep -q "a grid of" "$work/out" && complain "$file: a grid"
done

# It inspects and draws as other files do.
run 0 inspect "$work/quads.obj"
prints "usable as cloth: $n particles"
finish
