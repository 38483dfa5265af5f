#!/usr/bin/env bash
# src/lab/peers: its programs build and compute what weft computes, and a short measurement gives all of its files.
. "$(dirname "$0")/helpers.bash"
peers=$(cd "$(dirname "$0")/../../src/lab/peers" && pwd)/peers.py

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
python3 "$peers" --weft "$weft" --out "$work/all" --sizes 8,9 --rounds 2 --frames 2 --threads 1 --meshes "" >"$work/out" 2>"$work/err" ||
  complain "peers.py: $(cat "$work/err")"
python3 - "$work/all/peers.json" <<'PY' || complain "peers.json"
import json, sys
kept = json.load(open(sys.argv[1]))
runs = kept["runs"]
peers = {"coloured", "grid", "weft_links", "weft_bench"}
names = peers | {"hanging held", "hanging default", "drape plain", "drape held", "drape default"}
assert {r["program"] for r in runs} == names and len(runs) == 2 * 2 * 9, runs
# Interleaved: no program twice before each has run once.
for i in range(0, len(runs), 9):
    assert {r["program"] for r in runs[i : i + 9]} == names
# Constraints by hand: two directions, one diagonal, and over one particle.
for r in runs:
    n = r["size"]
    if r["program"] in peers - {"weft_bench"}:
        assert r["constraints"] == 2 * n * (n - 1) + (n - 1) ** 2 + 2 * n * (n - 2), r
    assert abs(r["ns_projection"] - 1e6 * r["ms_median"] / (r.get("substeps", 20) * r["constraints"])) < 1e-2 * r["ns_projection"], r
assert kept["processor"] and kept["processors"] >= 1 and kept["load_before"] >= 0
assert kept["weft"]["commit"] and kept["date"] and kept["versions"] == {}
PY
for row in grid 'drape default'; do
  grep -q "^| $row | 1 |" "$work/all/peers.md" || complain "no row of $row in the table"
done

# ---- garments of files: one is there, the other is named ----
mkdir -p "$work/meshes/garments"
"$weft" simulate hanging --size 8 --frames 1 -o "$work/meshes/garments/diffcloth_tshirt1900.obj" >/dev/null
python3 "$peers" --weft "$weft" --out "$work/garments" --sizes 8 --rounds 1 --frames 2 --threads 1 --meshes "$work/meshes" \
  >"$work/out" 2>"$work/err" || complain "peers.py --meshes: $(cat "$work/err")"
grep -Eq '^\| T-shirt \| 64 \| [0-9]+ \| 1 \| [0-9.e+-]+, S 20 \|' "$work/garments/peers.md" ||
  complain "no row of the garment: $(cat "$work/garments/peers.md")"
grep -q '^peers.py: worksuit is left out: no garments/' "$work/err" || complain "no word of the missing garment: $(cat "$work/err")"

# ---- programs of PyPI ----
# Wheels for one that does not import, none for the other: each is left out with a sentence, the rest is measured.
PYTHONDONTWRITEBYTECODE=1 python3 - "$(dirname "$peers")" "$work" <<'PY'
import sys, zipfile
sys.path.insert(0, sys.argv[1])
import math
import peers, pypi
# What has one thread has one turn.
assert peers.turns({"grid": 0, "warp": 0}, [1, 2]) == [("grid", 1), ("warp", 1), ("grid", 2)]
assert peers.turns({"warp": 0, "grid": 0}, [2]) == [("warp", 1), ("grid", 2)]
# What would take too long is left out from there on, what took long runs once.
pace, quick = peers.Pace(60), ("quick", 1)
pace.took = {(quick, 64): 1.0, (("slow", 1), 64): 20.0}
assert pace.wants(quick, 64) and pace.wants(quick, 128) and not pace.wants(("slow", 1), 128)
assert not pace.wants(("slow", 1), 256) and pace.took[("slow", 1), 256] == math.inf
assert not pace.wants(("slow", 1), 64) and pace.wants(("new", 1), 512)
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
PIP_NO_INDEX=1 PIP_FIND_LINKS=$work python3 "$peers" --weft "$weft" --out "$work/pypi" --others taichi,warp --meshes '' --sizes 8 --rounds 1 --frames 2 \
  --threads 1 >"$work/out" 2>"$work/err" || status=$?
if [ $status = 77 ]; then
  echo "without programs of PyPI: $(cat "$work/err")"
else
  [ $status = 0 ] || complain "peers.py --others: status $status: $(cat "$work/err")"
  [ "$(grep -c 'is left out' "$work/err")" = 2 ] || complain "not two sentences: $(cat "$work/err")"
  grep -q '^peers.py: taichi is left out: taichi==.* could not be imported: ImportError: broken on purpose' "$work/err" ||
    complain "no word of taichi: $(cat "$work/err")"
  grep -q '^peers.py: warp is left out: warp-lang==.* could not be installed: ERROR: ' "$work/err" || complain "no word of warp: $(cat "$work/err")"
  [ "$(grep -c '"program"' "$work/pypi/peers.json")" = 9 ] || complain "the rest was not measured"
fi
# From PyPI itself, which takes a gigabyte: where WEFT_TEST_PYPI is 1.
if [ "${WEFT_TEST_PYPI:-}" = 1 ]; then
  python3 "$peers" --weft "$weft" --out "$work/real" --check --others pypbd,warp,newton,taichi >"$work/out" 2>"$work/err" || complain "--others: $(cat "$work/err")"
  cat "$work/out"
  [ "$(grep -c 'at most' "$work/out")" = 14 ] || complain "not fourteen comparisons: $(cat "$work/err")"
fi

# ---- Jolt: sources in the folder of results are taken as they are ----
if [ -n "${WEFT_TEST_JOLT:-}" ]; then
  mkdir -p "$work/jolt"
  ln -s "$WEFT_TEST_JOLT" "$work/jolt/JoltPhysics"
  python3 "$peers" --weft "$weft" --out "$work/jolt" --check --others jolt >"$work/out" 2>"$work/err" || complain "jolt: $(cat "$work/err")"
  [ "$(grep -c 'jolt and coloured' "$work/out")" = 2 ] || complain "not two comparisons with Jolt: $(cat "$work/err")"
fi
# Sources that do not compile: left out with a sentence, the rest is measured.
mkdir -p "$work/broken/JoltPhysics/Jolt/Core"
printf '#define JPH_VERSION_MAJOR 5\n#define JPH_VERSION_MINOR 4\n#define JPH_VERSION_PATCH 0\n' >"$work/broken/JoltPhysics/Jolt/Core/Core.h"
echo '#error broken on purpose' >"$work/broken/JoltPhysics/Jolt/Jolt.h"
status=0
python3 "$peers" --weft "$weft" --out "$work/broken" --others jolt --sizes 8 --rounds 1 --frames 2 --threads 1 --meshes "" >"$work/out" 2>"$work/err" ||
  status=$?
[ $status = 0 ] || complain "peers.py --others jolt: status $status: $(cat "$work/err")"
grep -q '^peers.py: jolt is left out: .*broken on purpose' "$work/err" || complain "no word of Jolt: $(cat "$work/err")"
[ "$(grep -c '"program"' "$work/broken/peers.json")" = 9 ] || complain "the rest was not measured without Jolt"
# A place that cannot be reached, and one with another commit under the name: git looks there instead of in its home.
fetch() { # fetch FOLDER: --check with what is fetched from there
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$1/.insteadOf" GIT_CONFIG_VALUE_0=https://github.com/jrouwe/ \
    python3 "$peers" --weft "$weft" --out "$work/fetched" --check --others jolt >"$work/out" 2>"$work/err" || complain "fetch $1: status $?"
}
if command -v git >/dev/null; then
  fetch "$work/nowhere"
  grep -q '^peers.py: jolt is left out: git: fatal: ' "$work/err" || complain "no word of a place that is not there: $(cat "$work/err")"
  (mkdir -p "$work/origin" && cd "$work/broken" && git init -q JoltPhysics && cd JoltPhysics && git add . &&
    git -c user.name=a -c user.email=a commit -qm a && git tag v5.4.0 && git clone -q --bare . "$work/origin/JoltPhysics")
  fetch "$work/origin"
  grep -q '^peers.py: jolt is left out: v5.4.0 of .* is commit .* and not 036ea7b' "$work/err" || complain "took another commit: $(cat "$work/err")"
  [ -e "$work/fetched/JoltPhysics" ] && complain "kept another commit"
fi

# ---- bad input ----
python3 "$peers" --weft "$work/none" --out "$work/x" >"$work/out" 2>"$work/err" && complain "ran without weft"
[ "$(wc -l <"$work/err")" = 1 ] || complain "not one line: $(cat "$work/err")"
python3 "$peers" --weft "$weft" --out "$work/x" --sizes 3 >"$work/out" 2>"$work/err" && complain "took size 3"
python3 "$peers" --weft "$weft" --out "$work/x" --others pypbd,none >"$work/out" 2>"$work/err" && complain "took --others none"
grep -q 'none: there are jolt, pypbd, warp, newton, taichi' "$work/err" || complain "does not say what there is: $(cat "$work/err")"
[ -e "$work/x" ] && complain "made a folder for nothing"
finish
