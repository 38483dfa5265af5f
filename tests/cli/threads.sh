#!/usr/bin/env bash
# scripts/threads.py: holds what threads cost, says which size costs more, and refuses to compare two states.
. "$(dirname "$0")/helpers.bash"
script=$(cd "$(dirname "$0")/../../scripts" && pwd)/threads.py

# ---- the program itself: equal bits, whatever it costs ----
python3 "$script" --weft "$weft" --sizes 8,9 --rounds 1 --most 1000 -o "$work/kept.json" >"$work/out" 2>"$work/err" || complain "status $?: $(cat "$work/err")"
python3 - "$work/kept.json" <<'PY' || complain "kept.json"
import json, sys
kept = json.load(open(sys.argv[1]))
assert [row["size"] for row in kept["rows"]] == [8, 9] and kept["threads"] == 2 and kept["build"]["commit"]
for row in kept["rows"]:
    assert row["particles"] == row["size"] ** 2 and abs(row["cost"] * row["processor_ms_one"] - row["processor_ms"]) < 1e-9 * row["processor_ms"]
PY

# ---- a program whose times are known: 10 ms on one thread; on two 10.9, of 64 on 11.2, in later rounds more ----
cat >"$work/known" <<'SH'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do
  case $1 in --size) size=$2 ;; --threads) threads=$2 ;; esac
  shift
done
case $threads,$size in 1,*) ms=10 ;; *,64) ms=11.2 ;; *) ms=10.9 ;; esac
echo >>"$0.runs"
[ "$(wc -l <"$0.runs")" -gt 4 ] && ms=99
hash=1
[ -e "$0.differs" ] && hash=$threads
echo "{\"build\": {\"processor\": \"none\", \"commit\": \"0\"}, \"rows\": [{\"particles\": 1, \"hash\": \"$hash\", \"ms_per_frame_min\": $ms,"
echo "\"processor_ms_per_frame\": $ms}]}"
SH
chmod +x "$work/known"
status=0
python3 "$script" --weft "$work/known" --sizes 32,64 --rounds 2 >"$work/out" 2>"$work/err" || status=$?
[ $status = 1 ] || complain "a size costs too much: status $status"
grep -Eq '^ +32² .* cost 1\.09, quicker 0\.92$' "$work/out" || complain "32: $(cat "$work/out")"
grep -Eq '^ +64² .* cost 1\.12, .*more than 1\.1$' "$work/out" || complain "64: $(cat "$work/out")"
rm "$work/known.runs"
python3 "$script" --weft "$work/known" --sizes 32 --rounds 1 >"$work/out" 2>"$work/err" || complain "what costs little: status $?"
touch "$work/known.differs"
python3 "$script" --weft "$work/known" --sizes 32 --rounds 1 >"$work/out" 2>"$work/err" && complain "compared two states"
grep -q '^threads.py: 32: .*two states' "$work/err" || complain "no word of two states: $(cat "$work/err")"
python3 "$script" --weft "$work/none" >"$work/out" 2>"$work/err"
[ $? = 2 ] && grep -q 'is no program' "$work/err" || complain "ran without weft: $(cat "$work/err")"
finish
