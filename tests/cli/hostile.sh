#!/usr/bin/env bash
# Broken and extreme files and options: a sentence with the right status, or a run whose numbers are
# all finite. Nothing crashes, hangs or prints NaN.
. "$(dirname "$0")/helpers.bash"

mesh() { printf "$2" >"$work/$1.obj"; }
# sound ARGS...: runs on the reference and prints only finite numbers.
wanted=0
sound() {
  run $wanted simulate "$@" --backend ref --log-level error
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
  [ $name != folded ] || wanted=9 # edges that cross at rest: it cannot move, and the status says so
  for bending in isometric dihedral across; do
    sound "$work/$name.obj" --frames 40 --bending $bending --iterations 2
  done
done
wanted=0
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
    run 0 simulate $arguments --backend gl --log-level error
    [ "$(hash_of)" = "$reference" ] || complain "gl and ref differ: $arguments"
  done
fi

# ---- files by others, made to break readers ----
if [ -d "${WEFT_MESH_DIR:-}/hostile" ]; then
  while IFS= read -r -d '' file; do
    status=0
    timeout 60 "$weft" simulate "$file" --frames 3 --substeps 5 --backend ref --log-level error \
      >"$work/out" 2>"$work/err" </dev/null || status=$?
    case $status in
      0 | 9) grep -qiE '\b(nan|inf)\b' "$work/out" && complain "$file: $(cat "$work/out")" ;;
      3) [ "$(wc -l <"$work/err")" = 1 ] || complain "$file: not one line: $(cat "$work/err")" ;;
      *) complain "$file: status $status: $(head -3 "$work/err")" ;;
    esac
  done < <(find "$WEFT_MESH_DIR/hostile" -type f -print0)
else
  echo "skipped: no meshes by others in ${WEFT_MESH_DIR:-WEFT_MESH_DIR}"
fi

# ---- files made to break readers: quick, and a sentence that names the file, and the place in text ----
# hostile FILE ARGS...: status 0 with finite numbers, or 3 with one line that begins with the file; within 5 s of a processor.
hostile() {
  local file=$1 status=0 used before
  shift
  before=$(awk '{print $16 + $17}' /proc/$$/stat)
  timeout 60 "$weft" "$@" --log-level error >"$work/out" 2>"$work/err" </dev/null || status=$?
  used=$((($(awk '{print $16 + $17}' /proc/$$/stat) - before) * 10))
  sed -i '/debug or sanitized build/d' "$work/err"
  case $status in
    0) grep -qiE '\b(nan|inf)\b' "$work/out" && complain "$file: $(cat "$work/out")" ;;
    3)
      [ "$(wc -l <"$work/err")" = 1 ] || complain "$file: not one line: $(cat "$work/err")"
      grep -qE "^weft [a-z]+: [^ ]*$(basename "${file%%%*}")" "$work/err" || complain "$file is not named: $(cat "$work/err")"
      grep -qE 'std::|orphan|bad_alloc|GLTF:' "$work/err" && complain "$file: $(cat "$work/err")"
      LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$work/err" && complain "$file: raw bytes in $(cat -v "$work/err")"
      ;;
    *) complain "$file: status $status: $(head -3 "$work/err")" ;;
  esac
  [ $used -lt "${WEFT_HOSTILE_MS:-5000}" ] || complain "$file: $used ms of a processor"
  hostile_files=$((hostile_files + 1))
  [ $used -le "$slowest" ] || { slowest=$used; slowest_file=$file; }
}
hostile_files=0 slowest=0 slowest_file=
if command -v python3 >/dev/null; then
  made=$work/made
  python3 "$(dirname "$0")/hostile.py" "$made"
  mkfifo "$made/mesh/pipe.obj" "$made/mesh/pipe.ply" "$made/motion/pipe.pc2" "$made/mesh/pipe"
  printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"pipe"}]}' >"$made/mesh/uri_pipe.gltf"
  for file in "$made"/mesh/*; do
    hostile "$file" simulate "$file" --frames 1 --substeps 2 --plain --backend ref --self-collision off
  done
  for file in "$made"/motion/*.pc2 "$made"/motion/*.mdd "$made"/motion/*.json; do
    hostile "$file" inspect "$made/body.obj" --motion "$file"
  done
  for file in "$made"/motion/*.gltf; do hostile "$file" inspect --motion "$file"; done
  for folder in "$made"/sequence-*; do hostile "$folder/b-%04d.obj" inspect --motion "$folder/b-%04d.obj"; done
  # Text is refused with a line.
  for name in index_zero:4 index_far_negative:4 number_nan:2 number_comma:2 face_two:4 nul_in_comment:4; do
    refuses 3 "${name%:*}.obj:${name#*:}: " simulate "$made/mesh/${name%:*}.obj"
  done
  refuses 3 "vertices_billion.ply: its header counts 1000000000 vertex elements, which take 6000000000 bytes at least" \
    simulate "$made/mesh/vertices_billion.ply"
  refuses 3 "binary_billion.stl: its header counts 1000000000 triangles" simulate "$made/mesh/binary_billion.stl"
  refuses 3 "length_billion.glb: its header says 1000000000 bytes" simulate "$made/mesh/length_billion.glb"
  refuses 3 "nodes_repeat.gltf: its nodes repeat meshes so often" simulate "$made/mesh/nodes_repeat.gltf"
  for name in points.ply text_empty.stl binary_none.stl no_mesh.gltf a.x3d; do
    run 3 simulate "$made/mesh/$name"
    grep -qE "$name: (no triangles in it|it is empty)" "$work/err" || complain "$name: $(cat "$work/err")"
  done
  # Files that glTF names stay in its folder, and are files.
  for name in absolute above escaped http file device; do
    refuses 3 "uri_$name.gltf: it names the file \"" simulate "$made/mesh/uri_$name.gltf"
    grep -q "which is not in its folder" "$work/err" || complain "uri_$name: $(cat "$work/err")"
  done
  for name in above device http; do
    refuses 3 "which is not in the folder of the file" simulate "$made/mesh/good.glb" --body "$made/motion/uri_$name.gltf"
  done
  for file in mesh/pipe.obj mesh/pipe.ply; do
    refuses 3 "is not a regular file" simulate "$made/$file"
    refuses 3 "is not a regular file" simulate "$made/mesh/good.glb" --body "$made/$file"
  done
  refuses 3 "is not a regular file" simulate "$made/mesh/good.glb" --body "$made/body.obj" --body-motion "$made/motion/pipe.pc2"
  refuses 3 "is not a regular file" simulate /dev/zero
  # Names are shown without what a terminal would obey, and JSON is UTF-8.
  for name in name_with_escapes.obj name_not_utf8.obj name_bidi.obj name_with_escapes.gltf; do
    run 0 inspect "$made/mesh/$name" --json "$work/names.json"
    LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$work/out" && complain "raw bytes in the names of $name: $(cat -v "$work/out")"
    python3 - "$work/out" "$work/names.json" <<'PY' || complain "$name: what was written is no UTF-8"
import json, sys
open(sys.argv[1], encoding="utf-8").read()
json.load(open(sys.argv[2], encoding="utf-8"))
PY
  done
  run 0 inspect "$made/mesh/name_with_escapes.obj"
  prints '\x1b[31m\x1b]0;owned\x07'
  refuses 2 '\x1b[31m' simulate "$made/mesh/name_with_escapes.obj" --group nothing
  echo "$hostile_files files made to break readers, the slowest $slowest ms of a processor ($(basename "$slowest_file"))"
fi
finish
