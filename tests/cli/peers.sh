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

# ---- programs of PyPI ----
# Wheels for one that does not import, none for the other: each is left out with a sentence, the rest is measured.
PYTHONDONTWRITEBYTECODE=1 python3 - "$(dirname "$peers")" "$work" <<'PY'
import sys, zipfile
sys.path.insert(0, sys.argv[1])
import peers, pypi
# What has one thread has one turn.
assert peers.turns({"grid": 0, "warp": 0}, [1, 2]) == [("grid", 1), ("warp", 1), ("grid", 2)]
assert peers.turns({"warp": 0, "grid": 0}, [2]) == [("warp", 1), ("grid", 2)]
for package in pypi.PEERS["taichi"].packages:
    name, version = package.split("==")
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(f"{sys.argv[2]}/{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", "raise ImportError('broken on purpose')\n")
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
PY
[ $? = 0 ] || complain "turns, or no wheels"
status=0
PIP_NO_INDEX=1 PIP_FIND_LINKS=$work python3 "$peers" --weft "$weft" --out "$work/pypi" --pypi taichi,warp --sizes 8 --rounds 1 --frames 2 \
  --threads 1 >"$work/out" 2>"$work/err" || status=$?
if [ $status = 77 ]; then
  echo "without programs of PyPI: $(cat "$work/err")"
else
  [ $status = 0 ] || complain "peers.py --pypi: status $status: $(cat "$work/err")"
  [ "$(grep -c 'is left out' "$work/err")" = 2 ] || complain "not two sentences: $(cat "$work/err")"
  grep -q '^peers.py: taichi is left out: taichi==.* could not be imported: ImportError: broken on purpose' "$work/err" ||
    complain "no word of taichi: $(cat "$work/err")"
  grep -q '^peers.py: warp is left out: warp-lang==.* could not be installed: ERROR: ' "$work/err" || complain "no word of warp: $(cat "$work/err")"
  [ "$(grep -c '"program"' "$work/pypi/peers.json")" = 4 ] || complain "the rest was not measured"
fi
# From PyPI itself, which takes a gigabyte: where WEFT_TEST_PYPI is 1.
if [ "${WEFT_TEST_PYPI:-}" = 1 ]; then
  python3 "$peers" --weft "$weft" --out "$work/real" --check --pypi >"$work/out" 2>"$work/err" || complain "--pypi: $(cat "$work/err")"
  cat "$work/out"
  [ "$(grep -c 'at most' "$work/out")" = 14 ] || complain "not fourteen comparisons: $(cat "$work/err")"
fi

# ---- Jolt, where its sources are ----
if [ -n "${WEFT_TEST_JOLT:-}" ]; then
  python3 "$peers" --weft "$weft" --out "$work/jolt" --check --jolt "$WEFT_TEST_JOLT" >"$work/out" 2>"$work/err" || complain "--jolt: $(cat "$work/err")"
  [ "$(grep -c 'jolt and coloured' "$work/out")" = 2 ] || complain "not two comparisons with Jolt: $(cat "$work/err")"
fi
# Sources that do not compile: left out with a sentence, the rest is measured.
mkdir -p "$work/broken/Jolt/Core"
printf '#define JPH_VERSION_MAJOR 5\n#define JPH_VERSION_MINOR 4\n#define JPH_VERSION_PATCH 0\n' >"$work/broken/Jolt/Core/Core.h"
echo '#error broken on purpose' >"$work/broken/Jolt/Jolt.h"
status=0
python3 "$peers" --weft "$weft" --out "$work/broken_out" --jolt "$work/broken" --sizes 8 --rounds 1 --frames 2 --threads 1 >"$work/out" 2>"$work/err" ||
  status=$?
[ $status = 0 ] || complain "peers.py --jolt: status $status: $(cat "$work/err")"
grep -q '^peers.py: jolt is left out: .*broken on purpose' "$work/err" || complain "no word of Jolt: $(cat "$work/err")"
[ "$(grep -c '"program"' "$work/broken_out/peers.json")" = 4 ] || complain "the rest was not measured without Jolt"

# ---- bad input ----
python3 "$peers" --weft "$work/none" --out "$work/x" >"$work/out" 2>"$work/err" && complain "ran without weft"
[ "$(wc -l <"$work/err")" = 1 ] || complain "not one line: $(cat "$work/err")"
python3 "$peers" --weft "$weft" --out "$work/x" --sizes 3 >"$work/out" 2>"$work/err" && complain "took size 3"
python3 "$peers" --weft "$weft" --out "$work/x" --pypi pypbd,none >"$work/out" 2>"$work/err" && complain "took --pypi none"
grep -q 'none: there are pypbd, warp, newton, taichi' "$work/err" || complain "does not say what there is: $(cat "$work/err")"
python3 "$peers" --weft "$weft" --out "$work/x" --jolt "$work" >"$work/out" 2>"$work/err" && complain "took --jolt without sources"
grep -q 'has no sources of Jolt' "$work/err" || complain "no word of missing sources: $(cat "$work/err")"
[ -e "$work/x" ] && complain "made a folder for nothing"
finish
