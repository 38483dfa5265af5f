#!/usr/bin/env bash
# Runs every command of README.md as it is printed there, in a folder that has what the repository has and the program where
# it is built, and prints the rows of its table with the times measured. weft is found by the line that says so alone.
# A command that fails is named, and makes the status 1.
#   scripts/readme.sh [PROGRAM]            whole commands (default program: build/release/weft); some minutes
#   scripts/readme.sh --write [PROGRAM]    the same, and puts the times into the table of README.md
#   scripts/readme.sh --short [PROGRAM]    a few frames of what is long, for the tests; says what it ran
# README=FILE takes another text. The demo needs xvfb-run (Debian: xvfb).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
short=no write=no
case ${1:-} in
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --short) short=yes; shift ;;
  --write) write=yes; shift ;;
esac
weft=$(realpath "${1:-$root/build/release/weft}")
readme=$(realpath "${README:-$root/README.md}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/run/build/release"
for name in examples scripts; do ln -s "$root/$name" "$work/run/$name"; done
ln -s "$weft" "$work/run/build/release/weft"
cd "$work/run"

# Lines of fenced shell blocks, without their comments, and all that is set as `weft ...`, `scripts/...` or `cmake ...`.
commands() {
  python3 - "$readme" <<'PY'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
fences = re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)
lines = [line for kind, block in fences if kind == "sh" for line in re.sub(r"\\\n\s*", "", block).splitlines()]
spans = re.findall(r"`((?:weft |scripts/|cmake )[^`]*)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
for command in dict.fromkeys(re.sub(r"\s+#.*", "", line).strip() for line in lines + spans):
    if command:
        print(command)
PY
}

# What stands in for a command that takes minutes, or waits for somebody.
shortened() {
  case $1 in
    "weft demo"*) echo "$1 --frames $([ $short = yes ] && echo 10 || echo 120)" ;;
    *) [ $short = no ] && echo "$1" && return
      case $1 in
        "weft validate --physics"*) echo "$1 fall" ;;
        "weft render"*.mp4 | "weft render"*.gif) sed -E "s,( --to [0-9]+)?\$, --frames 3,; s, --to [0-9]+,," <<<"$1" ;;
        "weft render"*.png) echo "$1 --frame 20" ;;
        "weft validate "*[a-z]* | "weft simulate"*) echo "$1 --frames 5" ;;
        *) echo "$1" ;;
      esac ;;
  esac
}

# put COMMAND SECONDS: the time in its row of the table, and the milliseconds a frame behind it in the text, if it printed some.
put() {
  python3 - "$readme" "$1" "$2" out <<'PY'
import re, sys
path, command, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
text = open(path, encoding="utf-8").read()
took = f"{seconds / 60:.0f} min" if seconds >= 100 else f"{max(1, seconds):.0f} s"
text = re.sub(rf"^(\| `{re.escape(command)}` \|.*\| )[\d.]+ (?:s|min) \|$", rf"\g<1>{took} |", text, flags=re.M)
frame = re.search(r"^  time +([\d.]+) ms per frame", open(sys.argv[4], errors="replace").read(), re.M)
if frame:
    text = re.sub(rf"(`{re.escape(command)}`[^|`]*? in )[\d.]+( ms)", rf"\g<1>{float(frame[1]):.3g}\2", text)
open(path, "w", encoding="utf-8").write(text)
PY
}

run() { # run COMMAND: as it is; what builds, installs or tests all of weft is only looked for
  case $1 in
    "export PATH="*) eval "$1" ;;
    scripts/*) [ -x "$root/${1%% *}" ] ;;
    "cmake --workflow --preset "*) (cd "$root" && cmake --list-presets=workflow | grep -qF "\"${1##* }\"") ;;
    "cmake --install") ;;
    "weft demo"*) xvfb-run -a -s "-screen 0 1280x800x24" $1 ;;
    *) $1 ;;
  esac
}

failed=0 count=0
while read -r command; do
  if [[ $command = "weft demo"* ]] && ! command -v xvfb-run >/dev/null; then
    echo "not run, for want of xvfb-run: $command"
    continue
  fi
  what=$(shortened "$command") status=0 start=$(date +%s.%N)
  # shellcheck disable=SC2086 # words
  run "$what" >out 2>&1 </dev/null || status=$?
  took=$(awk "BEGIN { print $(date +%s.%N) - $start }")
  printf '| `%s` | %.1f s |' "$command" "$took"
  if [ "$what" = "$command" ]; then echo; else echo " as \`$what\`"; fi
  if [ $write = yes ] && [ $status = 0 ]; then put "$command" "$took"; fi
  count=$((count + 1))
  if [ $status != 0 ]; then
    failed=$((failed + 1))
    echo "FAILED with status $status: $what"
    tail -n 5 out
  fi
done < <(commands)
echo "$count command$([ $count = 1 ] || echo s) of $(basename "$readme"), $failed failed"
[ $failed = 0 ] && [ $count -gt 0 ]
