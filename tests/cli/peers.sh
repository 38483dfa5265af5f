#!/usr/bin/env bash
# bench/peers: its programs build and compute what weft computes, and a short measurement gives all of its files.
. "$(dirname "$0")/helpers.bash"
peers=$(cd "$(dirname "$0")/../../bench/peers" && pwd)/peers.py

status=0
python3 "$peers" --weft "$weft" --out "$work/check" --check >"$work/out" 2>"$work/err" || status=$?
cat "$work/out"
if [ $status = 77 ]; then
  cat "$work/err"
  exit 77
fi
[ $status = 0 ] || complain "peers.py --check: status $status: $(cat "$work/err")"
[ "$(grep -c 'at most' "$work/out")" = 6 ] || complain "not six comparisons"

# ---- a measurement ----
python3 "$peers" --weft "$weft" --out "$work/all" --sizes 8,9 --rounds 2 --frames 2 --threads 1 >"$work/out" 2>"$work/err" ||
  complain "peers.py: $(cat "$work/err")"
python3 - "$work/all/peers.json" <<'PY' || complain "peers.json"
import json, sys
kept = json.load(open(sys.argv[1]))
runs = kept["runs"]
names = {"coloured", "grid", "weft_links", "weft_bench"}
assert {r["program"] for r in runs} == names and len(runs) == 2 * 2 * 4, runs
# Interleaved: no program twice before each has run once.
for i in range(0, len(runs), 4):
    assert {r["program"] for r in runs[i : i + 4]} == names
# Constraints by hand: two directions, one diagonal, and over one particle.
for r in runs:
    n = r["size"]
    if r["program"] != "weft_bench":
        assert r["constraints"] == 2 * n * (n - 1) + (n - 1) ** 2 + 2 * n * (n - 2), r
    assert abs(r["ns_projection"] - 1e6 * r["ms_median"] / (20 * r["constraints"])) < 1e-2 * r["ns_projection"], r
assert kept["processor"] and kept["processors"] >= 1 and kept["load_before"] >= 0
PY
grep -q '^| grid | 1 |' "$work/all/peers.md" || complain "no row of grid in the table"

# ---- bad input ----
python3 "$peers" --weft "$work/none" --out "$work/x" >"$work/out" 2>"$work/err" && complain "ran without weft"
[ "$(wc -l <"$work/err")" = 1 ] || complain "not one line: $(cat "$work/err")"
python3 "$peers" --weft "$weft" --out "$work/x" --sizes 3 >"$work/out" 2>"$work/err" && complain "took size 3"
[ -e "$work/x" ] && complain "made a folder for nothing"
finish
