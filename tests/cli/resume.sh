#!/usr/bin/env bash
# --checkpoint and --resume: a run that goes on ends with every bit and every file of one that was not interrupted, on any backend; what
# does not go on is refused in a sentence; and kills lose no checkpoint. Usage: resume.sh WEFT
. "$(dirname "$0")/helpers.bash"
kills=$(cd "$(dirname "$0")/../../scripts" && pwd)/kills.py
cd "$work" || exit 1
on=(ref cpu)
have_gl && on+=(gl)

# What the summary and JSON say but for times, where they ran, and the wind of the moment.
told() { grep -v "^  world \|^  time \|^  backend \|^  resumed \|^  frame \|^  steps \|^   *with\|^   *bodies: " out | sed 's/, schedule [a-z]*//'; }
json_of() { # FILE
  python3 -c 'import json, sys; o = json.load(open(sys.argv[1])); print({k: v for k, v in o.items() if k not in ("ms_per_frame", "backend", "build", "schedule")})' "$1"
}

# goes_on FRAMES CUT ARGS...: whole on the first backend; cut there, and resumed on the next, and from there on the one after it.
round=0
goes_on() {
  local frames=$1 cut=$2 first=${on[round % ${#on[@]}]} next=${on[(round + 1) % ${#on[@]}]} third=${on[(round + 2) % ${#on[@]}]} f
  local files=(-o a.pc2 -o a.mdd -o a.usda -o f-%02d.ply -o last.obj --json a.json)
  shift 2
  round=$((round + 1))
  rm -rf whole && mkdir whole && cd whole || exit 1
  run 0 simulate "$@" --frames "$frames" --backend "$first" "${files[@]}"
  cd .. && (cd "$work" && told) >whole/told
  rm -f a.* f-*.ply last.obj c.ckpt
  run 0 simulate "$@" --frames "$cut" --backend "$first" "${files[@]}" --checkpoint c.ckpt --every 4
  run 0 simulate "$@" --frames $((cut + 10)) --backend "$next" "${files[@]}" --checkpoint c.ckpt --every 7 --resume c.ckpt
  prints "resumed   after frame $cut, from c.ckpt"
  run 0 simulate "$@" --frames "$frames" --backend "$third" "${files[@]}" --resume c.ckpt
  told | diff - whole/told >difference || complain "$*: the summary differs: $(cat difference)"
  [ "$(json_of a.json)" = "$(json_of whole/a.json)" ] || complain "$*: the JSON differs"
  for f in a.pc2 a.mdd a.usda last.obj $(cd whole && ls f-*.ply); do
    cmp -s "$f" "whole/$f" || complain "$*: $f is another one"
  done
  [ -z "$(ls | grep tmp)" ] || complain "$*: left behind: $(ls | grep tmp)"
}
goes_on 40 10 skirt --size 16
goes_on 40 20 wring --size 12 --turns 2
goes_on 30 10 heap --size 12 --count-intersections
goes_on 30 10 walk --size 8
goes_on 30 10 sand --size 6
goes_on 40 20 rope --links 24
goes_on 30 10 curtain --size 12 --wind 2,0,1 --gust 0.5
goes_on 40 10 hanging --size 8 --pin corners --pin-weight 0@0.1 --pin-weight 1@0.4 --key wind=0,0,0@0 --key wind=4,0,1@0.4 --key substeps=15@0.25
[ ${#on[@]} = 2 ] || goes_on 30 10 poncho --size 10

# Where a signal ends it, at any frame: each state that is looked at otherwise is looked at as often.
"$weft" simulate flag --size 16 --frames 400 --backend cpu -o w.pc2 --json w.json >out 2>&1
setsid env --default-signal=INT,TERM "$weft" simulate flag --size 16 --frames 400 --backend cpu -o s.pc2 --json s.json --checkpoint s.ckpt >out 2>err &
runner=$!
for k in $(seq 200); do sleep 0.02; [ -s s.pc2.tmp.$runner ] && [ "$(stat -c %s s.pc2.tmp.$runner 2>/dev/null || echo 0)" -gt 60000 ] && break; done
kill -TERM $runner
wait $runner
[ $? = 143 ] || complain "SIGTERM: $(cat err)"
grep -q "what was simulated until then is kept, to go on with --resume s.ckpt" err || complain "SIGTERM says $(cat err)"
run 0 simulate flag --size 16 --frames 400 --backend cpu -o s.pc2 --json s.json --resume s.ckpt
cmp -s s.pc2 w.pc2 || complain "the PC2 after a SIGTERM"
[ "$(json_of s.json)" = "$(json_of w.json)" ] || complain "the JSON after a SIGTERM"

# In a container every run has the number of the one before it, and so the names of its temporary files.
same=(simulate hanging --size 24 --frames 300 --backend cpu -o n.pc2 -o n.usda --checkpoint n.ckpt --every 5)
if unshare -pf true 2>/dev/null; then
  unshare -pf --kill-child "$weft" "${same[@]}" >out 2>err &
  runner=$!
  for k in $(seq 200); do sleep 0.05; [ -s n.ckpt ] && break; done
  kill -KILL $runner
  wait $runner 2>/dev/null
  [ -e n.pc2.tmp.1 ] || complain "no run was killed: $(ls n.*)"
  unshare -pf "$weft" "${same[@]}" --resume n.ckpt >out 2>err || complain "resumed in a container: $(cat err)"
  run 0 simulate hanging --size 24 --frames 300 --backend cpu -o m.pc2 -o m.usda
  cmp -s n.pc2 m.pc2 && cmp -s n.usda m.usda || complain "files that went on in a container"
  [ -z "$(ls | grep tmp)" ] || complain "left behind: $(ls | grep tmp)"
fi

# Instances, each with a file of its own.
several=(curtain --size 8 --instances 3 --vary bending-compliance=10:1000 --backend cpu)
run 0 simulate "${several[@]}" --frames 20 -o w-%01d.pc2 -o w-%01d.obj
grep -v " time " out >whole.txt
run 0 simulate "${several[@]}" --frames 10 -o i-%01d.pc2 -o i-%01d.obj --checkpoint i.ckpt
run 0 simulate "${several[@]}" --frames 20 -o i-%01d.pc2 -o i-%01d.obj --resume i.ckpt
grep -v " time \|resumed" out | sed 's/ i-/ w-/; s/to i-/to w-/' | diff - whole.txt >difference || complain "instances: $(cat difference)"
for k in 1 2 3; do cmp -s w-$k.pc2 i-$k.pc2 && cmp -s w-$k.obj i-$k.obj || complain "files of instance $k"; done

# ---- what is refused ----
run 0 simulate hanging --size 8 --frames 20 --plain --backend ref -o r.pc2 --checkpoint r.ckpt
sums=$(cksum r.pc2 r.ckpt)
go=(--frames 30 --backend ref --resume r.ckpt)
refuses 3 "nothing.ckpt" simulate hanging --size 8 --frames 30 --plain --resume nothing.ckpt
refuses 3 "r.ckpt: of a run with hanging, which is not given here" simulate drape --size 8 --plain "${go[@]}"
refuses 3 "r.ckpt: the saved state: of a solver with 64 particles, and here are 81" simulate hanging --size 9 --plain "${go[@]}"
refuses 3 "r.ckpt: the saved state: of a solver with substeps 20, and here it is 30" simulate hanging --size 8 --plain --substeps 30 "${go[@]}"
refuses 3 "gravity (0, -9.8" simulate hanging --size 8 --plain --gravity 0,-5,0 "${go[@]}"
refuses 3 "of a run without --seed 7, which is given here" simulate hanging --size 8 --plain --seed 7 "${go[@]}"
refuses 3 "of a run without --fabric denim" simulate hanging --size 8 --plain --fabric denim "${go[@]}"
refuses 3 "written after frame 20, and --frames is 10" simulate hanging --size 8 --plain --frames 10 --resume r.ckpt
refuses 3 "r.pc2: 16160 bytes that do not begin with" simulate hanging --size 8 --plain --frames 30 --resume r.pc2
head -c 3000 r.ckpt >cut.ckpt
refuses 3 "cut.ckpt: 3000 bytes of" simulate hanging --size 8 --plain --frames 30 --resume cut.ckpt
run 0 simulate wring --size 8 --frames 10 --turns 2 --plain --checkpoint t.ckpt
refuses 3 "t.ckpt: of a run with --turns 2, which is not given here" simulate wring --size 8 --frames 20 --turns 3 --plain --resume t.ckpt
refuses 3 "t.ckpt: of a run with --turns 2, which is not given here" simulate wring --size 8 --frames 20 --plain --resume t.ckpt
refuses 2 "--every does nothing here" simulate hanging --size 8 --frames 2 --every 3
refuses 2 "a.obj and a.obj both write" simulate hanging --size 8 --frames 2 -o a.obj --checkpoint a.obj
refuses 2 "--checkpoint: -" simulate hanging --size 8 --frames 2 --checkpoint -
refuses 4 "nowhere/c.ckpt" simulate hanging --size 8 --frames 2 --checkpoint nowhere/c.ckpt
refuses 3 "other.pc2: it does not hold frames 0 to 20" simulate hanging --size 8 --plain "${go[@]}" -o other.pc2
cp r.pc2 other.pc2
printf '\1' | dd of=other.pc2 bs=1 seek=$((32 + 12 * 64 * 20 + 5)) conv=notrunc 2>/dev/null
cp other.pc2 before.pc2
refuses 3 "other.pc2: it does not hold frames 0 to 20" simulate hanging --size 8 --plain "${go[@]}" -o other.pc2
cmp -s other.pc2 before.pc2 || complain "a file that is refused has changed"
[ "$(cksum r.pc2 r.ckpt)" = "$sums" ] || complain "what was refused has changed files"
[ -z "$(ls | grep tmp)" ] || complain "left behind: $(ls | grep tmp)"
# One that is at its end says it once more.
run 0 simulate hanging --size 8 --frames 20 --plain --backend ref -o r.pc2 --resume r.ckpt
[ "$(cksum r.pc2 r.ckpt)" = "$sums" ] || complain "a run that was at its end"
# A checkpoint that cannot be written stops no run.
run 4 simulate hanging --size 8 --frames 10 --plain --backend ref -o full.pc2 --checkpoint /dev/full --every 5
grep -q "/dev/full: cannot write: .*; the run goes on" err || complain "/dev/full: $(cat err)"
cmp -s <(head -c 32 full.pc2 | tail -c 4) <(printf '\13\0\0\0') || complain "the PC2 of a run whose checkpoint could not be written"

python3 "$kills" "$weft" 20 5 resumed >kills 2>&1 || complain "$(cat kills)"
tail -1 kills
finish
