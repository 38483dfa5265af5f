#!/usr/bin/env bash
# A source archive, a wheel of it, and what pip installs of that in a Python of its own: times, files, and a first step.
# Skipped where pip reaches no index. Usage: wheel.sh WEFT
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
weft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*"
  exit 1
}
skip() {
  echo "skipped: $*"
  exit 77
}
seconds() { echo "$((${EPOCHREALTIME/./} / 1000))"; }

python3 -m venv "$work/tools" >"$work/log" 2>&1 || skip "python3 makes no venv (Debian: python3-venv)"
"$work/tools/bin/pip" install -q build >"$work/log" 2>&1 || skip "pip reaches no index"
begin=$(seconds)
"$work/tools/bin/python" -m build --outdir "$work/dist" "$root" >"$work/log" 2>&1 || {
  tail -n 40 "$work/log"
  fail "no wheel was built"
}
echo "wheel: built in $((($(seconds) - begin) / 1000)) s"
wheel=$(echo "$work"/dist/*.whl)
[[ $wheel = */weft-*-py3-none-linux_*.whl ]] || fail "$wheel is not for every Python and this platform"
archive=$(stat -c %s "$work"/dist/*.tar.gz)
[ "$archive" -lt 4000000 ] || fail "the source archive has $archive bytes"

# From nothing to a first step.
python3 -m venv "$work/fresh"
begin=$(seconds)
"$work/fresh/bin/pip" install -q "$wheel" 2>"$work/log" || {
  cat "$work/log"
  fail "the wheel is not installed"
}
installed=$(seconds)
cd "$work"
"$work/fresh/bin/python" -c 'import weft; s = weft.Solver(weft.Cloth(weft.Mesh.grid(64, 64), pins="corners")); s.step(); print(s.hash())' >first
echo "wheel: pip install $((installed - begin)) ms, import to the first step of 4,096 particles $(($(seconds) - installed)) ms"
said=$("$work/fresh/bin/python" "$root/examples/python/hang.py") || fail "hang.py failed with what was installed"
printf 'import sys, weft\ngrid = weft.Mesh.grid(32, 32, plane="xz")\nwith weft.Cache(sys.argv[1], grid) as cache: cache.write(grid.vertices)\n' >sheet.py
"$work/fresh/bin/python" sheet.py sheet.obj
hash=$("$weft" simulate sheet.obj --pin corners --frames 60 --self-collision off --air-density 0 | awk '$1 == "hash" { print $2 }')
[[ $said = *"hash $hash" ]] || fail "what is installed and weft simulate differ: $said, $hash"
files=$("$work/fresh/bin/python" -c 'import os, weft; print(*sorted(os.listdir(os.path.dirname(weft.__file__))))')
for file in libweft.so weft.h py.typed; do [[ $files = *$file* ]] || fail "$file is not installed: $files"; done
"$work/fresh/bin/pip" uninstall -qy weft
[ ! -e "$work"/fresh/lib/python3*/site-packages/weft/libweft.so ] || fail "something stays behind"
