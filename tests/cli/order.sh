#!/usr/bin/env bash
# A large file with its vertices at random is put in order in memory; whoever reads or writes numbers
# sees those of the file.
. "$(dirname "$0")/helpers.bash"

# 132 x 132 vertices in columns that widen, which are no grid; vertex i of the sheet stands at place i * 7919 mod n of the file.
awk 'BEGIN {
  rows = 132; n = rows * rows; step = 7919
  for (i = 0; i < n; ++i) place[i] = i * step % n
  for (i = 0; i < n; ++i) at[place[i]] = i
  for (k = 0; k < n; ++k) {
    u = at[k] % rows / rows
    printf "v %.6f 1 %.6f\n", u * (1 + u) / 2, int(at[k] / rows) / rows
  }
  for (r = 0; r < rows - 1; ++r) for (c = 0; c < rows - 1; ++c) {
    a = r * rows + c; b = a + 1; d = a + rows; e = d + 1
    printf "f %d %d %d\nf %d %d %d\n", place[a] + 1, place[d] + 1, place[b] + 1, place[b] + 1, place[d] + 1, place[e] + 1
  }
}' >"$work/shuffled.obj"

pins=list:5,7000,17000
for keep in "" --keep-order; do
  run 0 simulate "$work/shuffled.obj" $keep --frames 4 --substeps 5 --backend ref --bending none \
    --pin "$pins" --output "$work/out$keep.obj" --log-level debug
  if [ -z "$keep" ]; then grep -q "ordered" "$work/err" || complain "not put in order"; fi
done
# The same triangles in the same lines, and the pinned vertices where the file has them.
for f in "$work/out.obj" "$work/out--keep-order.obj"; do
  grep '^f' "$f" | cmp -s - <(grep '^f' "$work/shuffled.obj") || complain "$f: other triangles"
  for number in 5 7000 17000; do
    awk -v n=$number 'FNR == 1 { k = 0 } /^v/ { if (k++ == n) { x[++files] = $2; y[files] = $3; z[files] = $4 } }
      function far(a, b) { return a - b > 1e-5 || b - a > 1e-5 }
      END { exit far(x[1], x[2]) || far(y[1], y[2]) || far(z[1], z[2]) }' "$work/shuffled.obj" "$f" ||
      complain "$f: vertex $number was not pinned"
  done
done
# And every vertex near where it is without: it has its own place in the file.
paste <(grep '^v' "$work/out.obj") <(grep '^v' "$work/out--keep-order.obj") |
  awk '{ d = ($2-$6)^2 + ($3-$7)^2 + ($4-$8)^2; if (d > 1e-3) bad++ } END { exit bad > 0 }' ||
  complain "vertices changed places"

# Of several, each is written as it is alone.
run 0 simulate "$work/shuffled.obj" --frames 4 --substeps 5 --backend ref --bending none \
  --pin "$pins" --instances 2 --output "$work/each-%01d.obj"
for k in 1 2; do
  cmp -s "$work/out.obj" "$work/each-$k.obj" || complain "instance $k is written otherwise"
done

refuses 2 "--keep-order" simulate drape --keep-order
finish
