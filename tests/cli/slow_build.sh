#!/usr/bin/env bash
# A debug or sanitized build says so wherever it gives times, other builds do not, and rows keep what
# they were measured with. WEFT_BUILD_IS_SLOW is what the build system says of the program, 0 or 1.
. "$(dirname "$0")/helpers.bash"
slow=${WEFT_BUILD_IS_SLOW:-0}

# says WANTED PATTERN FILE: WANTED (0 or 1) lines of the file match.
says() { [ "$(grep -c -e "$2" "$3")" = "$1" ] || complain "$3: not $1 times \"$2\""; }

page="A debug or sanitized build: these times mean nothing"
one=(bench --scene hanging --size 6 --samples 1 --frames 1 --backend ref)
report=() again=()
have_matplotlib && report=(--report "$work/own.html") again=(--report "$work/page.html")
run 0 "${one[@]}" "${report[@]}"
says "$slow" "^warning    this is a debug or sanitized build: its times mean nothing" "$work/out"
says "$slow" "^weft: warning: this is a debug or sanitized build" "$work/err"
have_matplotlib && says "$slow" "$page" "$work/own.html"
run 0 "${one[@]}" --format json -o "$work/own.json"
says "$slow" '"times_mean_something": false' "$work/own.json"
says $((1 - slow)) '"times_mean_something": true' "$work/own.json"

sed 's/"times_mean_something": [a-z]*/"times_mean_something": false/' "$work/own.json" >"$work/1.json"
sed 's/"times_mean_something": [a-z]*/"times_mean_something": true/' "$work/own.json" >"$work/0.json"
for then in 0 1; do
  for now in 0 1; do
    run 0 bench --compare "$work/$then.json" --from "$work/$now.json" "${again[@]}"
    says $then "^warning: the times then were of a debug or sanitized build" "$work/out"
    says $now "^warning: the times now are of a debug or sanitized build" "$work/out"
    have_matplotlib && says $now "$page" "$work/page.html"
  done
done
finish
