#!/usr/bin/env bash
# One allocation that fails, the program's own or a library's: status 7 and one sentence, wherever it
# happens. Every 13th of the first 300 places of each command and 20 spread over the rest;
# WEFT_ALL_PLACES=1 goes through all 300 and 100 more.
. "$(dirname "$0")/helpers.bash"

if ! [ -f "${WEFT_FAIL_ALLOC:-}" ]; then
  echo "no library that makes allocations fail: a sanitizer has its own malloc"
  exit 77
fi

# with_failure PLACE ARGS...: runs weft, whose allocation of that number fails; $status is what it ended with.
with_failure() {
  local place=$1
  shift
  status=0
  timeout 120 env "LD_PRELOAD=$WEFT_FAIL_ALLOC" "FAIL_AT=$place" "FAIL_COUNT=$work/count" "$weft" "$@" \
    >"$work/out" 2>"$work/err" </dev/null || status=$?
}

tried=0
# fails_well ARGS...
fails_well() {
  local count place places wrong=$failures
  with_failure 0 "$@" # drivers keep what they compile: from the second run on they ask for less
  with_failure 0 "$@"
  count=$(cat "$work/count")
  [ "$status" = 0 ] || complain "weft $*: status $status without a failure: $(head -3 "$work/err")"
  [ "${count:-0}" -ge 50 ] || complain "weft $*: ${count:-no} allocations: not counted"
  if [ "${WEFT_ALL_PLACES:-0}" = 1 ]; then
    places=$(seq 1 300; seq 301 $((count / 100 + 1)) "$count")
  else
    places=$(seq $((1 + tried % 13)) 13 300; seq 301 $((count / 20 + 1)) "$count")
  fi
  for place in $places; do
    [ "$place" -le "$count" ] || continue
    with_failure "$place" "$@"
    tried=$((tried + 1))
    # What ends late may lie behind the last line: threads ask for memory in another order in every run.
    [ "$status" = 0 ] && [ "$place" -gt $((count - count / 10)) ] && continue
    [ "$status" = 7 ] || complain "weft $*, allocation $place of $count: status $status: $(tail -1 "$work/err")"
    grep -qx 'weft[ a-z]*: out of memory: [0-9,]* more bytes could not be had' "$work/err" ||
      complain "weft $*, allocation $place of $count: $(cat "$work/err")"
    [ $((failures - wrong)) -lt 5 ] || break
  done
}

run 0 simulate hanging --size 8 --frames 1 --backend cpu -o "$work/cloth.obj"
fails_well simulate hanging --size 8 --frames 2 --backend cpu --threads 2 -o "$work/out.obj"
fails_well simulate "$work/cloth.obj" --frames 2 --backend ref
fails_well inspect "$work/cloth.obj"
fails_well bench --scene hanging --size 8 --backend cpu --frames 1 --warm-up-frames 0 --samples 1 --format json
fails_well --help
if have_gl; then
  fails_well info
  fails_well simulate hanging --size 8 --frames 1 --backend gl
  fails_well validate hanging --size 8 --frames 1
  fails_well render hanging --size 8 --frame 1 --draft --width 64 --height 64 -o "$work/picture.png"
fi
echo "$tried places"

finish
