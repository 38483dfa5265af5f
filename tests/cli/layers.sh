#!/usr/bin/env bash
# Layers that lie in one place: with self-collision they start over each other and stay apart; --tangled keep leaves them.
. "$(dirname "$0")/helpers.bash"

most() { sed -n 's/^  intersects in \([0-9,]*\) at most.*/\1/p' "$work/out"; }
hash_of() { sed -n 's/^  hash *//p' "$work/out"; }
# over FILE N: the least by which vertices N and on lie over those before them, in the order of the file, in tenths of a mm.
over() {
  awk -v n="$2" '$1 == "v" { y[++k] = $3 } END { for (i = 1; i <= n; ++i) { d = y[n + i] - y[i]; if (i == 1 || d < least) least = d } printf "%d\n", 1e4 * least }' "$1"
}

# Two quads and two sheets of 6 by 6, each twice in one place, seen from above; the second group faces the other way with `down`.
twice() { # N [down]
  awk -v n="$1" -v down="${2:-}" 'BEGIN {
    for (l = 0; l < 2; ++l) {
      print "g layer" l
      for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) printf "v %.6f 0.2 %.6f\n", 0.5 * c / (n - 1), 0.5 * r / (n - 1)
      for (r = 0; r + 1 < n; ++r) for (c = 0; c + 1 < n; ++c) {
        a = l * n * n + r * n + c + 1
        if (l && down) print "f", a, a + 1, a + n + 1, a + n; else print "f", a, a + n, a + n + 1, a + 1
      }
    }
  }'
}
for n in 2 6; do
  twice $n >"$work/twice.obj"
  fall=(simulate "$work/twice.obj" --pin none --ground 0.15 --frames 60 --backend cpu --count-intersections)
  run 0 "${fall[@]}" --self-collision on -o "$work/after.obj"
  prints "layers    $((n * n)) vertices that lay on another piece start over it"
  prints "0 pairs uncertain"
  grep -q tangled "$work/out" "$work/err" && complain "$n: layers are tangled: $(grep tangled "$work/out" "$work/err")"
  [ "$(most)" = 0 ] || complain "$n: layers cross each other"
  [ "$(over "$work/after.obj" $((n * n)))" -ge 10 ] || complain "$n: layers end $(over "$work/after.obj" $((n * n))) tenths of a mm apart"
  run 0 "${fall[@]}" --frames 1 --gravity 0,0,0 -o "$work/start.obj"
  [ "$(over "$work/start.obj" $((n * n)))" -ge 26 ] || complain "$n: 3 mm at the start: $(over "$work/start.obj" $((n * n)))"
  run 0 "${fall[@]}" --frames 1 --gravity 0,0,0 --self-thickness 0.01 -o "$work/start.obj"
  [ "$(over "$work/start.obj" $((n * n)))" -ge 88 ] || complain "$n: 10 mm at the start: $(over "$work/start.obj" $((n * n)))"
  for same in "--tangled keep" "--self-collision off" "--schedule single" "--compensated on"; do
    run 0 "${fall[@]}" --frames 1 --gravity 0,0,0 $same -o "$work/start.obj"
    grep -q "start over" "$work/out" && complain "$n: $same: layers were parted"
    [ "$(over "$work/start.obj" $((n * n)))" = 0 ] || complain "$n: $same: layers start apart"
  done
  run 3 "${fall[@]}" --tangled refuse
done
run 0 "${fall[@]}" --frames 1 --tangled keep
grep -q "the start pose is tangled: .* --tangled loosen (weft_untangle) parts them" "$work/err" || complain "no word of what parts them: $(cat "$work/err")"
run 0 simulate "$work/twice.obj" --weld all --frames 1 --backend cpu
prints "36 particles"

# A lining faces the other way, and lies beneath; --layer takes groups by the numbers of the file, not by their places.
twice 6 down >"$work/lined.obj"
run 0 simulate "$work/lined.obj" --pin none --frames 1 --gravity 0,0,0 --backend cpu --self-collision on -o "$work/start.obj"
awk '$1 == "v" { y[++k] = $3 } END { exit !(y[37] - y[1] < -0.0026) }' "$work/start.obj" || complain "a lining does not lie beneath"
run 0 simulate "$work/twice.obj" --pin none --frames 1 --gravity 0,0,0 --backend cpu --self-collision on --tangled loosen --layer layer0:1 -o "$work/start.obj"
awk '$1 == "v" { y[++k] = $3 } END { exit !(y[1] > y[37]) }' "$work/start.obj" || complain "--layer layer0:1: it is not over the other"
run 0 simulate "$work/twice.obj" --pin none --frames 1 --gravity 0,0,0 --backend cpu --self-collision on --tangled loosen --layer layer1:1 -o "$work/start.obj"
grep -q loosened "$work/out" && complain "--layer layer1:1: layers in their order were loosened"
awk '$1 == "v" { y[++k] = $3 } END { exit !(y[37] - y[1] > 0.0026) }' "$work/start.obj" || complain "--layer layer1:1: it is not over the other"

# All backends alike.
run 0 simulate "$work/lined.obj" --pin corners --frames 3 --backend ref --self-collision on
reference=$(hash_of)
for backend in cpu $(have_gl && echo gl); do
  run 0 simulate "$work/lined.obj" --pin corners --frames 3 --backend $backend --self-collision on
  [ "$(hash_of)" = "$reference" ] || complain "$backend differs"
done

# A garment made by others, over itself.
shirt=${WEFT_MESH_DIR:-}/garments/diffcloth_tshirt1900.obj
if [ -f "$shirt" ]; then
  awk '$1 == "v" { v[++n] = $2 " " $3 " " $4 } $1 == "f" { for (k = 2; k <= 4; ++k) { split($k, w, "/"); c[++m] = w[1] } }
       END { for (l = 0; l < 2; ++l) { print "o layer" l; for (i = 1; i <= n; ++i) print "v", v[i]
         for (i = 1; i <= m; i += 3) print "f", c[i] + l * n, c[i + 1] + l * n, c[i + 2] + l * n } }' "$shirt" >"$work/shirts.obj"
  run 0 simulate "$work/shirts.obj" --unit dm --frames 10 --backend cpu --count-intersections
  prints "layers    1,921 vertices that lay on another piece start over it"
  [ "$(most)" = 0 ] || complain "shirts cross each other"
else
  echo "meshes of others are not here: a shirt over itself is left out"
fi
finish
