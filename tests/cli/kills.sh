#!/usr/bin/env bash
# Signals at random moments: a few rounds of scripts/kills.sh; one after the first frames, of which all is known.
# Usage: kills.sh WEFT
. "$(dirname "$0")/helpers.bash"
kills=$(cd "$(dirname "$0")/../../scripts" && pwd)/kills.py
cd "$work" || exit 1

# Runs in the background until so much is written to files. A shell starts such programs with Ctrl-C ignored.
run_until() { # BYTES ARGS...
  local bytes=$1 k
  shift
  setsid env --default-signal=INT,TERM "$weft" "$@" >out 2>err &
  runner=$!
  for k in $(seq 1200); do
    [ -r "/proc/$runner/io" ] && [ "$(awk '/^wchar/ {print $2}' "/proc/$runner/io" 2>/dev/null || echo 0)" -gt "$bytes" ] && return
    sleep 0.05
  done
  complain "it writes nothing: $(cat err)"
}
ended() { # STATUS
  local got
  wait $runner
  got=$?
  [ $got = "$1" ] || complain "status $got, wanted $1: $(cat err)"
  [ -z "$(ls | grep tmp)" ] || complain "left behind: $(ls | grep tmp)"
}
u32() { od -An -tu4 -j"$2" -N4 "$1" | tr -d ' '; }
long=(simulate hanging --size 24 --frames 100000 --backend ref)

# The first signal finishes the frame: all files and the summary are of it.
run_until 2000000 "${long[@]}" -o a.pc2 -o a.mdd -o a.usda -o a.ply -o f-%06d.obj --json a.json
kill -TERM $runner
ended 143
grep -q "cut short by SIGTERM after frame [0-9]* of 100000; what was simulated until then is kept" err || complain "it says $(cat err)"
last=$(sed -n 's/.*after frame \([0-9]*\) of.*/\1/p' err)
[ "$(u32 a.pc2 28)" = $((last + 1)) ] || complain "$(u32 a.pc2 28) samples up to frame $last"
[ "$(stat -c %s a.pc2)" = $((32 + 12 * 576 * (last + 1))) ] || complain "the PC2 is of another length"
[ "$(stat -c %s a.mdd)" = $((8 + 4 * (last + 1) + 12 * 576 * (last + 1))) ] || complain "the MDD is of another length"
[ "$(ls f-*.obj | wc -l)" = "$last" ] || complain "$(ls f-*.obj | wc -l) OBJ files up to frame $last"
grep -q "endTimeCode = $last *\$" a.usda || complain "USDA: $(grep endTimeCode a.usda)"
grep -q "\"frames\": $last," a.json || complain "JSON: $(grep frames a.json)"
grep -q '"cut_short": true' a.json || complain "JSON does not say that it was cut short"
rm -f f-*.obj a.*

# The same run of so many frames leaves the same files.
run_until 1000000 "${long[@]}" -o a.pc2 -o last.obj
kill -INT -- -$runner
ended 130
last=$(sed -n 's/.*by Ctrl-C after frame \([0-9]*\) of.*/\1/p' err)
run 0 simulate hanging --size 24 --frames "$last" --backend ref -o b.pc2 -o b.obj
cmp a.pc2 b.pc2 && cmp last.obj b.obj || complain "cut short after frame $last it leaves other files than a run of so many frames"

# The second one ends it at once, and older files stay.
echo older >a.pc2
run_until 1000000 simulate hanging --size 1000 --plain --frames 100000 --backend ref -o a.pc2
kill -INT $runner
sleep 0.1
kill -INT $runner
ended 130
[ "$(cat a.pc2)" = older ] || complain "an older file is gone"

# While a large file is read and preprocessed, which takes long, any command ends at once, and says so where something was to be kept.
awk 'BEGIN { n = 1000; for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) print "v", c / n, 0.1 * sin(9 * r / n), r / n
  for (r = 1; r < n; ++r) for (c = 1; c < n; ++c) { a = (r - 1) * n + c; print "f", a, a + n, a + n + 1, a + 1 } }' >large.obj
echo older >large.pc2
echo older >large.png
ends_at_once() { # SIGNAL STATUS SAYS ARGS...
  local signal=$1 status=$2 says=$3 begun k
  shift 3
  setsid env --default-signal=INT,TERM "$weft" "$@" >out 2>err &
  runner=$!
  for k in $(seq 400); do # until it has been at work for 1.5 s
    sleep 0.05
    [ -e /proc/$runner/stat ] && awk '{ exit !($14 + $15 > 150) }' /proc/$runner/stat && break
  done
  begun=$(date +%s%N)
  kill -$signal $runner
  for k in $(seq 1200); do # for 30 s
    [ ! -e /proc/$runner ] || grep -q '^State:.Z' /proc/$runner/status 2>/dev/null && break
    sleep 0.025
  done
  kill -KILL $runner 2>/dev/null
  ended "$status"
  [ $((($(date +%s%N) - begun) / 1000000)) -lt 1500 ] || complain "$*: it ends $((($(date +%s%N) - begun) / 1000000)) ms after $signal"
  [ -z "$says" ] || grep -qF -e "$says" err || complain "$*: it says $(cat err)"
}
ends_at_once TERM 143 "weft simulate: cut short by SIGTERM before frame 1 of 7; nothing was written" simulate large.obj --frames 7 --backend cpu -o large.pc2
ends_at_once INT 130 "weft render: cut short by Ctrl-C before the first frame; nothing was written" render large.obj --frame 1 -o large.png
ends_at_once TERM 143 "weft render: cut short by SIGTERM before the first frame; nothing was written" render large.obj --from 0 --to 9 -o large.gif
ends_at_once INT 130 "weft bench: cut short by Ctrl-C in the first row; nothing was measured" bench --scene hanging --size 1000 --backend cpu --frames 1 -o large.csv
ends_at_once TERM 143 "" validate --mesh large.obj --backend cpu
ends_at_once TERM 143 "" inspect large.obj
[ "$(cat large.pc2 large.png)" = "older
older" ] || complain "an older file is gone"
[ "$(ls large*)" = "large.obj
large.pc2
large.png" ] || complain "left behind: $(ls large*)"
rm large.*

# The state is looked at every 10th frame; one that Ctrl-C ends with is looked at too, so that what was simulated is kept.
for wait in 1 2 4 8 16 32; do
  setsid env --default-signal=INT "$weft" simulate hanging --size 200 --plain --substeps 200 --frames 9 --backend ref -o one.obj >out 2>err &
  runner=$!
  sleep $wait
  kill -INT $runner 2>/dev/null
  wait $runner
  grep -q "after frame [1-9] of 9" err && break
done
grep -q "after frame [1-9] of 9" err || complain "no frame before the 10th is kept: $(cat err)"

# A reader that goes away takes the temporary files along.
"$weft" simulate hanging --size 200 --plain --frames 2 --backend cpu -o c.pc2 -o - 2>err | head -c 10 >/dev/null
[ "${PIPESTATUS[0]}" = 141 ] || complain "status of a broken pipe: ${PIPESTATUS[0]}"
[ -z "$(ls | grep '^c')" ] || complain "left behind: $(ls | grep '^c')"

# bench keeps whole rows.
setsid env --default-signal=INT "$weft" bench --scene hanging --size 8,12,16,300 --backend ref --frames 9 --samples 90 --warm-up-frames 4 --format csv -o b.csv >out 2>err &
runner=$!
for k in $(seq 100); do sleep 0.05; [ -e /proc/$runner/stat ] && awk '{exit !($14 + $15 > 100)}' /proc/$runner/stat && break; done
kill -INT $runner 2>/dev/null
ended 130
grep -q "cut short by Ctrl-C after [0-9] rows\?; what was measured until then is kept" err || complain "bench says $(cat err)"
[ "$(wc -l <b.csv)" = $(($(sed -n 's/.*after \([0-9]\) row.*/\1/p' err) + 1)) ] || complain "rows: $(cat b.csv)"
python3 - <<'PY' || complain "a row was not measured: $(cat b.csv)"
import csv
for row in csv.DictReader(open("b.csv")):
    assert float(row["ms_per_frame_median"]) > 0, row
PY

if ! python3 "$kills" "$weft" 12 7 >kills 2>&1; then complain "$(cat kills)"; fi
tail -1 kills
finish
