#!/usr/bin/env bash
# Broken and extreme files and options: a sentence with the right status, or a run whose numbers are
# all finite. Nothing crashes, hangs or prints NaN.
. "$(dirname "$0")/helpers.bash"

mesh() { printf "$2" >"$work/$1.obj"; }
# sound ARGS...: runs on the reference and prints only finite numbers.
sound() {
  run 0 simulate "$@" --backend ref --log error
  grep -qiE '\b(nan|inf)' "$work/out" && complain "weft simulate $*: $(grep -iE 'nan|inf' "$work/out")"
  [ -s "$work/err" ] && complain "weft simulate $*: $(cat "$work/err")"
}

# ---- files that are no cloth: status 3, the file named, the line where there is one ----
mesh nan 'v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n'
mesh inf 'v 0 0 0\nv 1 0 0\nv 0 -inf 0\nf 1 2 3\n'
mesh overflow 'v 0 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\n'
mesh huge 'v 0 0 0\nv 1e38 0 0\nv 0 1e38 0\nf 1 2 3\n'
mesh far 'v 0 0 0\nv 2e6 0 0\nv 0 1 0\nf 1 2 3\n'
mesh tiny 'v 0 0 0\nv 1e-30 0 0\nv 0 1e-30 0\nf 1 2 3\n'
mesh light 'v 0 0 0\nv 2e-9 0 0\nv 0 2e-9 0\nf 1 2 3\n'
mesh line 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n'
mesh point 'v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n'
mesh single 'v 0 0 0\nf 1 1 1\n'
mesh faceless 'v 0 0 0\n'
mesh index 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4294967297\n'
for case in nan:2 inf:3 overflow:2 huge:2 index:4; do
  refuses 3 "$work/${case%:*}.obj:${case#*:}: " simulate "$work/${case%:*}.obj" --backend ref
  refuses 3 "$work/${case%:*}.obj:${case#*:}: " inspect "$work/${case%:*}.obj"
done
for name in far tiny light line point single faceless; do
  refuses 3 "$name.obj: " simulate "$work/$name.obj" --backend ref
done
refuses 3 "further than 1e+06 m" simulate "$work/far.obj" --backend ref
refuses 3 "no triangle is left; all 1 have no area" simulate "$work/line.obj" --backend ref

# ---- files that are strange cloth: they run ----
mesh micro 'v 0 0 0\nv 1e-6 0 0\nv 0 1e-6 0\nv 1e-6 1e-6 0\nf 1 2 3\nf 2 4 3\n'
mesh mega 'v 0 0 0\nv 1e6 0 0\nv 0 1e6 0\nv 1e6 1e6 0\nf 1 2 3\nf 2 4 3\n'
mesh deep 'v 0 -1e6 0\nv 1e6 -1e6 0\nv 0 1e6 0\nf 1 2 3\n'
mesh needle 'v 0 0 0\nv 1 0 0\nv 0.5 1e-4 0\nv 0.5 -1e-4 0.1\nf 1 2 3\nf 2 1 4\n'
mesh repeated 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\nf 3 2 1\n'
mesh coincident 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 1 0 0\nv 0 -1 0\nf 1 2 3\nf 4 6 5\n'
mesh book 'v 0 0 0\nv 0 1 0\nv 1 0 0\nv -1 0 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 2 5\n'
mesh folded 'v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nf 2 1 4\n'
for name in micro mega deep needle repeated coincident book folded; do
  for bending in isometric dihedral across; do
    sound "$work/$name.obj" --frames 40 --bending $bending --iterations 2
  done
done
for scale in 1e-6 1e-3 1e3 1e6; do
  mesh unit 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n'
  sound "$work/unit.obj" --frames 20 --scale $scale
done

# ---- options at and past their ends ----
for value in 0 -1 nan inf -inf 1e-7 2 1e999 0x1p-3; do
  refuses 2 "--dt: " simulate hanging --backend ref --dt $value
done
for option in substeps iterations; do
  for value in 0 -1 1001 1e3 nan; do
    refuses 2 "--$option: " simulate hanging --backend ref --$option $value
  done
done
for pair in damping:-1 damping:1e5 damping:nan thickness:-1e-9 thickness:1e4 gust:1.1 gust:-0.1 \
  relaxation:0 relaxation:1.4 relaxation:-1 gravity:nan,0,0 gravity:0,2e6,0 wind:0,0,1001 \
  wind:inf,0,0 pbd-stretch:0 pbd-stretch:1.1 pbd-bending:-1 global-damping:-1 \
  global-damping:1e9; do
  refuses 2 "--${pair%%:*}: " simulate hanging --backend ref --${pair%%:*}=${pair#*:}
done
refuses 2 "--scale" simulate "$work/unit.obj" --scale 0
refuses 2 "--scale" simulate "$work/unit.obj" --scale nan
refuses 2 "--frames" simulate hanging --frames 1000001
refuses 2 "--pin box" simulate hanging --pin box:nan,0,0,1,1,1

everything=box:-100,-100,-100,100,100,100
run 0 simulate hanging --size 6 --frames 20 --backend ref --pin $everything
grep -q "every particle is pinned" "$work/err" || complain "no warning that all is pinned"
prints "speed     at most 0 m/s"
sound hanging --size 5 --frames 2 --substeps 1000
sound hanging --size 5 --frames 1 --substeps 1000 --iterations 1000
sound hanging --size 6 --frames 60 --pin none --gravity 0,-1e6,0
sound hanging --size 6 --frames 60 --gravity 1e6,1e6,1e6
sound flag --size 6 --frames 60 --wind 1000,0,0 --fabric jacket
sound flag --size 6 --frames 60 --wind 1000,-1000,1000 --gust 1 --substeps 1
sound drape --size 6 --frames 60 --thickness 1000
sound drape --size 6 --frames 60 --dt 1e-6
sound drape --size 6 --frames 60 --dt 1
for mode in jacobi hybrid; do
  for relaxation in 0.001 1.333; do
    sound drape --size 6 --frames 30 --mode $mode --relaxation $relaxation
  done
done
if have_gl; then
  hash_of() { sed -n 's/^  hash *//p' "$work/out"; }
  for arguments in "flag --size 6 --frames 20 --wind 1000,0,0 --fabric jacket" \
    "drape --size 6 --frames 10 --thickness 1000" "$work/mega.obj --frames 10" \
    "$work/micro.obj --frames 10 --bending dihedral --iterations 2" \
    "$work/needle.obj --frames 10 --bending dihedral"; do
    sound $arguments
    reference=$(hash_of)
    run 0 simulate $arguments --backend gl --log error
    [ "$(hash_of)" = "$reference" ] || complain "gl and ref differ: $arguments"
  done
fi

# ---- files by others, made to break readers ----
if [ -d "${WEFT_MESH_DIR:-}/hostile" ]; then
  while IFS= read -r -d '' file; do
    status=0
    timeout 60 "$weft" simulate "$file" --frames 3 --substeps 5 --backend ref --log error \
      >"$work/out" 2>"$work/err" </dev/null || status=$?
    case $status in
      0) grep -qiE '\b(nan|inf)\b' "$work/out" && complain "$file: $(cat "$work/out")" ;;
      3) [ "$(wc -l <"$work/err")" = 1 ] || complain "$file: not one line: $(cat "$work/err")" ;;
      *) complain "$file: status $status: $(head -3 "$work/err")" ;;
    esac
  done < <(find "$WEFT_MESH_DIR/hostile" -type f -print0)
else
  echo "skipped: no meshes by others in ${WEFT_MESH_DIR:-WEFT_MESH_DIR}"
fi
finish
