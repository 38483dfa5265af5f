#!/bin/bash
# weft render from the outside: files, refusals, exit statuses. Usage: render.sh WEFT
set -u
weft=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() { echo "FAILED: $*"; exit 1; }

size_of() { # width and height from a PNG's header
  od -An -tu1 -j16 -N8 "$1" | awk '{print $1*16777216+$2*65536+$3*256+$4, $5*16777216+$6*65536+$7*256+$8}'
}

small="--size 12 --samples 2 --shadow-size 256"

"$weft" render hanging $small --frame 3 --width 120 --height 60 -o a.png >out.txt 2>err.txt
status=$?
if [ $status -eq 77 ]; then
  [ "$(wc -l <err.txt)" -eq 1 ] || fail "no GL: not one sentence: $(cat err.txt)"
  echo "skipped: $(cat err.txt)"
  exit 77
fi
[ $status -eq 0 ] || fail "render: status $status: $(cat err.txt)"
[ "$(size_of a.png)" = "120 60" ] || fail "picture is $(size_of a.png)"
grep -q "a.png: frame 3, 120 x 60" out.txt || fail "said $(cat out.txt)"
[ "$(ls)" = "$(printf 'a.png\nerr.txt\nout.txt')" ] || fail "left behind: $(ls)"

"$weft" render hanging $small --frame 3 --width 120 --height 60 -o b.png >/dev/null || fail "again"
cmp a.png b.png || fail "the same command drew another picture"
"$weft" render hanging $small --frame 3 --width 120 --height 60 --view wire -o b.png >/dev/null || fail "wire"
"$weft" render hanging $small --from 1 --frames 3 --width 120 --height 60 --samples 1 --timing -o t-%02d.png >out || fail "timing"
grep -Eq '^solver: [0-9.]+ ms a frame' out && grep -Eq '^renderer: [0-9.]+ ms a picture.* mean of 2$' out || fail "timing: $(cat out)"
"$weft" render hanging $small --from 1 --frames 3 --first-frame 100 --width 120 --height 60 --samples 1 -o n-%03d.png >numbered || fail "--first-frame"
for k in 1 2 3; do cmp n-10$k.png t-0$k.png || fail "picture $k has another number"; done
grep -q "frames 1 to 3, 120 x 60 pixels, numbered from 101 on" numbered || fail "$(cat numbered)"
"$weft" render hanging $small --first-frame 100 -o one.png 2>err && fail "--first-frame of one picture"
grep -q "first-frame is for numbered pictures" err || fail "$(cat err)"
cmp -s a.png b.png && fail "wire is shaded"
"$weft" render hanging $small --frame 3 --width 120 --height 60 --pins -o b.png >/dev/null || fail "pins"
cmp -s a.png b.png && fail "--pins draws nothing"
"$weft" render hanging $small --frame 3 --width 120 --height 60 --pick 70 -o c.png >/dev/null || fail "pick"
cmp -s a.png c.png && fail "--pick draws nothing"
"$weft" render hanging $small --frame 3 --pick 144 -o c.png 2>err.txt
[ $? -eq 2 ] || fail "particle 144 of 144"
grep -q "particle 144 does not exist: there are 0 to 143" err.txt || fail "said $(cat err.txt)"
# Of a file they are its vertices: here the first is of no face, and there are 26.
python3 - >some.obj <<'PY'
print("v 9 9 9")
for k in range(25): print("v %g %g 0" % (0.1 * (k % 5), 0.1 * (k // 5)))
for k in range(16): print("f %d %d %d %d" % tuple(2 + k // 4 * 5 + k % 4 + c for c in (0, 1, 6, 5)))
PY
"$weft" render some.obj --frame 0 --width 32 --height 32 --pick 25 -o c.png >/dev/null || fail "the last vertex is no particle"
"$weft" render some.obj --frame 9999 --width 32 --height 32 --pick 26 -o c.png 2>err.txt
grep -q "particle 26 does not exist: there are 0 to 25" err.txt || fail "said $(cat err.txt)"
"$weft" render some.obj --frame 9999 --width 32 --height 32 --pick 0 -o c.png 2>err.txt
grep -q "vertex 0 of the file is no particle" err.txt || fail "said $(cat err.txt)"
for view in hanging-strain hanging-colours hanging-bending hanging-velocity hanging-normals \
  rope-strain rope-colours sand-contacts heap-gaps hanging-gaps hanging-tangled; do
  "$weft" render ${view%-*} --samples 1 --frame 1 --width 200 --height 150 --shadow-size 64 \
    --view ${view#*-} -o $view.png >/dev/null || fail "$view"
done
"$weft" render rope --samples 1 --frame 1 --width 200 --height 150 --shadow-size 64 --view strain --view-range 50 -o b.png >/dev/null || fail "range"
cmp -s rope-strain.png b.png && fail "the range did nothing"
"$weft" render rope --samples 1 --frame 1 --width 200 --height 150 --shadow-size 64 --view colours --batch 1 -o b.png >/dev/null || fail "batch"
cmp -s rope-colours.png b.png && fail "the batch did nothing"
"$weft" render hanging $small --frame 3 --width 120 --height 60 --colour 00ff00 -o b.png >/dev/null || fail "colour"
cmp -s a.png b.png && fail "the dye did nothing"
"$weft" render skirt $small --frame 0 --width 1 --height 1 --yaw -90 --pitch 5 --zoom 2 \
  --target 0,1,0 --sun-yaw 10 --sun-pitch 60 -o b.png >/dev/null 2>&1 || fail "1 x 1"
[ "$(size_of b.png)" = "1 1" ] || fail "picture is $(size_of b.png)"

# ---- a picture on the cloth ----
"$weft" render hanging $small --frame 3 --width 120 --height 60 --texture a.png -o b.png >/dev/null || fail "texture"
cmp -s a.png b.png && fail "the texture is not seen"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n' >with.obj
sed '/^vt/d; s,/.,,g' with.obj >without.obj
"$weft" render with.obj --frame 0 --samples 1 --width 64 --height 48 --texture a.png -o b.png >/dev/null || fail "vt"
refused() { # SENTENCE ARGUMENTS...
  local sentence=$1
  shift
  "$weft" render "$@" --frame 0 --samples 1 --width 64 --height 48 -o c.png >out.txt 2>err.txt && fail "not refused: $*"
  grep -qF -- "$sentence" err.txt && [ "$(wc -l <err.txt)" -eq 1 ] || fail "$*: said $(cat err.txt)"
}
refused "without.obj: it has no texture coordinates (vt)" without.obj --texture a.png
refused "skirt has no texture coordinates" skirt --size 12 --texture a.png
refused "none.png: No such file" hanging --size 8 --texture none.png
refused "with.obj: cannot be read as PNG" hanging --size 8 --texture with.obj
rm -f with.obj without.obj

# ---- what it takes: samples where no GPU draws, a draft, and how long it will be ----
tiny="--size 8 --substeps 2 --frame 2 --shadow-size 64"
"$weft" render hanging $tiny --width 64 --height 48 -o d.png >out.txt || fail "default samples"
"$weft" info >info.txt 2>&1
if grep -Eq "llvmpipe|softpipe|SwiftShader" info.txt; then
  grep -q "  4 samples, since OpenGL is a software driver" out.txt || fail "samples: $(cat out.txt)"
  "$weft" render hanging $tiny --width 64 --height 48 --samples 4 -o e.png >out.txt || fail "4 samples"
else
  "$weft" render hanging $tiny --width 64 --height 48 --samples 64 -o e.png >out.txt || fail "64 samples"
fi
cmp d.png e.png || fail "the default is another picture than the samples it names"
grep -q "samples" out.txt && fail "told of samples that were asked for: $(cat out.txt)"
"$weft" render drape $tiny --draft -o d.png >out.txt || fail "draft"
[ "$(size_of d.png)" = "640 360" ] || fail "a draft is $(size_of d.png)"
"$weft" render drape $tiny --width 640 --height 360 --samples 1 -o e.png >/dev/null || fail "no draft"
cmp -s d.png e.png && fail "--draft draws as --samples 1 does"
"$weft" render drape $tiny --draft --width 80 -o d.png >/dev/null || fail "draft of a width"
[ "$(size_of d.png)" = "80 360" ] || fail "a draft 80 wide is $(size_of d.png)"
mkdir many
timeout -s INT 30 "$weft" render hanging --size 8 --samples 1 --width 64 --height 48 --shadow-size 64 --frames 1000000 \
  -o many/%07d.png >out.txt 2>err.txt &
waiting=$!
for _ in $(seq 250); do
  grep -q "for 1000000 pictures" out.txt && break
  sleep 0.1
done
kill -INT $(pgrep -P $waiting) 2>/dev/null
wait $waiting
grep -Eq "^about [0-9.]+ (min|h) for 1000000 pictures; --draft is quicker$" out.txt || fail "no estimate: $(cat out.txt err.txt)"
grep -q "^about" <("$weft" render hanging $small --from 0 --frames 3 --width 64 --height 48 -o s-%d.png) && fail "an estimate of nothing"
rm -r many
timeout -s INT 30 "$weft" render hanging --size 96 --backend ref --samples 1 --width 64 --height 48 --frame 100000 -o far.png >out.txt 2>err.txt &
waiting=$!
for _ in $(seq 250); do
  grep -q "to simulate" out.txt && break
  sleep 0.1
done
kill -INT $(pgrep -P $waiting) 2>/dev/null
wait $waiting
grep -Eq "^about [0-9.]+ (min|h) to simulate 100000 frames; a smaller --size is quicker$" out.txt || fail "no estimate: $(cat out.txt err.txt)"

printf 'v 0 1 0\nv 1 1 0\nv 1 0 0\nv 0 0 0\nf 1 4 3 2\n' >quad.obj
"$weft" render quad.obj --pin top --samples 1 --frame 2 --width 64 --height 64 -o quad.png >/dev/null || fail "mesh"

refused() { # status, words of the sentence, arguments
  local want=$1 words=$2
  shift 2
  "$weft" render "$@" >out.txt 2>err.txt
  local got=$?
  [ $got -eq "$want" ] || fail "render $*: status $got, not $want: $(cat err.txt)"
  grep -q -- "$words" err.txt || fail "render $*: said $(cat err.txt)"
  [ "$(wc -l <err.txt)" -eq 1 ] || fail "render $*: more than a sentence: $(cat err.txt)"
}
refused 2 "width" hanging --width 0
refused 2 "width" hanging --width 100000
refused 2 "too large" hanging --size 8 --frame 0 --width 16000 --height 16000
refused 2 "colour" hanging --colour nosuch
refused 2 "strain, compression, colours" hanging --view xray
refused 2 "--view strain" hanging --view-range 3
refused 2 "--view colours" hanging --view strain --batch 3
refused 2 "batches 0 to" hanging --size 8 --samples 1 --frame 0 --width 8 --height 8 --view colours --batch 999
refused 2 "samples" hanging --samples 0
refused 2 "--draft draws one sample" hanging --draft --samples 3
refused 4 "no/such/a.png" hanging --size 8 --samples 1 --frame 0 --width 8 --height 8 -o no/such/a.png
refused 3 "no.obj" no.obj
"$weft" render --help | grep -q -- "--sun-pitch DEGREES" || fail "help"

# Where the solver runs is not to be seen, in the second picture of a run either.
for view in shaded strain bending bend-angle velocity contacts gaps; do
  for backend in gl cpu ref; do
    "$weft" render drape --size 16 --from 30 --to 31 --samples 1 --width 96 --height 64 --view $view --backend $backend \
      -o $backend-%02d.png >out.txt 2>err.txt || fail "$view on $backend: $(cat err.txt)"
  done
  for backend in cpu ref; do
    cmp -s gl-31.png $backend-31.png || fail "--view $view is another picture on $backend"
  done
  cmp -s gl-30.png gl-31.png && fail "nothing moves in --view $view"
done
refused 2 "doubles are not drawn" hanging --backend f64
echo "render: ok"
