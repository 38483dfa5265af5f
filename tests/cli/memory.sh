#!/usr/bin/env bash
# Memory that runs out: status 7 and one sentence wherever it happens, no unfinished file is left,
# and an older one stays. Under a limit on the address space (ulimit -v).
. "$(dirname "$0")/helpers.bash"

if ! (ulimit -v 2000000 && "$weft" --version >/dev/null 2>&1); then
  echo "a limit on the address space cannot be set here, or a sanitizer is in the way"
  exit 77
fi

# limited MEGABYTES ARGS...: runs weft within that; $status is what it ended with.
limited() {
  local megabytes=$1
  shift
  status=0
  (
    ulimit -v $((megabytes * 1024))
    exec "$weft" "$@"
  ) >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# runs_out ARGS...: with more and more memory until it does; ends in status 7 before.
runs_out() {
  local megabytes ran_out=0
  for megabytes in 32 40 64 96 128 160 200 250 320 400 500 640; do
    limited $megabytes "$@"
    [ "$status" = 0 ] && break
    ran_out=$((ran_out + 1))
    [ "$status" = 7 ] || complain "weft $* within $megabytes MB: status $status: $(cat "$work/err")"
    [ "$(grep -c . "$work/err")" = 1 ] || complain "weft $*: not one line: $(cat "$work/err")"
    grep -q '^weft [a-z]*: out of memory: [0-9,]* more bytes could not be had$' "$work/err" ||
      complain "weft $* within $megabytes MB: $(cat "$work/err")"
  done
  [ "$ran_out" -ge 3 ] || complain "weft $*: ran out of memory $ran_out times only"
  [ "$status" = 0 ] || complain "weft $*: ran out of memory with $megabytes MB"
}

echo "an older file" >"$work/kept.obj"
runs_out simulate hanging --size 300 --frames 1 --backend ref -o "$work/new.obj"
[ -s "$work/new.obj" ] || complain "the run that had enough memory wrote nothing"
runs_out simulate hanging --size 300 --frames 1 --backend cpu --threads 2 --multilevel 24 --line-sweeps 1
runs_out simulate hanging --size 200 --frames 1 --backend f64 --lra 4
runs_out inspect "$work/new.obj"

# ---- what was being written ----
limited 64 simulate hanging --size 300 --frames 1 --backend ref -o "$work/kept.obj"
[ "$status" = 7 ] || complain "64 MB were enough"
[ "$(cat "$work/kept.obj")" = "an older file" ] || complain "the older file was touched"
ls "$work" | grep -q tmp && complain "an unfinished file stays: $(ls "$work")"

# ---- how much a large cloth takes ----
# Of a sheet from before it is made to its first frame: 584 to 600, and 920 where buffers are copied and numbers whole.
run 0 bench --scene hanging --size 600 --plain --substeps 1 --backend cpu --threads 2 --frames 1 --warm-up-frames 0 \
  --samples 1 --format csv --log-level error
bytes=$(awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "host_bytes_per_particle") at = k } NR == 2 { print int($at) }' "$work/out")
[ "${bytes:-0}" -ge 400 ] || complain "a particle takes ${bytes:-no} bytes: not measured"
[ "${bytes:-0}" -le 620 ] || complain "a particle takes $bytes bytes, more than 620"

finish
