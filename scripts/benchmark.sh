#!/usr/bin/env bash
# Measures this machine for docs/benchmarks: files of rows. A page of each goes to out/, where there is matplotlib.
#   scripts/benchmark.sh MACHINE [PROGRAM]            all sets (default program: build/weft)
#   scripts/benchmark.sh MACHINE PROGRAM SET...       scenes, low-strain, defaults, schedules, scaling, threads, peers
# MACHINE begins the names of the files, like amd-epyc-2-cores. BACKENDS=ref,cpu leaves gl out; SIZES=32,64
# takes other sizes; THREADS=1 gives the backend cpu one thread, where other work would hold up more.
# Times of schedules and of growth are taken from the rest pose (--warm-up-frames 0), where a frame costs the same.
# A machine with nothing else to do needs some ten minutes, without a GPU longer. Then the tables of docs/benchmarks/README.md are
# written anew. peers are other programs, fetched into out/peers: twelve minutes more.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-} in
  '' | -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
machine=$1
weft=$(realpath "${2:-$root/build/weft}")
shift $(($# < 2 ? $# : 2))
[ $# = 0 ] && set -- scenes low-strain defaults schedules scaling threads peers

measure() { # measure SET ARGS...
  local file=$root/docs/benchmarks/$machine-$1.json status=0
  shift
  "$weft" bench "$@" ${THREADS:+--threads "$THREADS"} --format json -o "$file" || status=$?
  [ $status -le 1 ] || exit $status # 1: rows were left out, and the file says which
  echo "$file"
  mkdir -p "$root/out"
  "$weft" bench --from "$file" --report "$root/out/$(basename "${file%.json}").html" || true # said why
}

for set in "$@"; do
  case $set in
    scenes)
      measure scenes --scene hanging,drape,skirt --size "${SIZES:-32,64,128,256}" \
        --backend "${BACKENDS:-ref,cpu,gl}" --samples 7 --frames 3 ;;
    low-strain) # as scenes, with what keeps cloth from stretching
      measure low-strain --scene hanging,drape --size "${SIZES:-32,64,128,256}" --line-sweeps 1 --lra 4 \
        --backend "${BACKENDS:-ref,cpu,gl}" --samples 7 --frames 3 ;;
    defaults) # what one gets who sets nothing: strain held, and cloth that keeps clear of itself
      measure defaults --scene hanging,drape,tumble,skirt,heap,walk --size "${SIZES:-64,128}" --backend cpu --samples 3 --frames 3 ;;
    threads) # status 1: some size costs too much, and the table says which
      status=0
      "$root/scripts/threads.py" --weft "$weft" ${SIZES:+--sizes "$SIZES"} -o "$root/docs/benchmarks/$machine-threads.json" || status=$?
      [ $status -le 1 ] || exit $status ;;
    peers)
      "$root/src/lab/peers/peers.py" --weft "$weft" ${SIZES:+--sizes "$SIZES"} --others --out "$root/out/peers"
      cp "$root/out/peers/peers.json" "$root/docs/benchmarks/$machine-peers.json" ;;
    schedules)
      measure schedules --scene hanging --size "${SIZES:-8,16,32,64,128,256}" --backend gl \
        --schedule colours,patches,single --warm-up-frames 0 --samples 5 --frames 1 ;;
    scaling)
      measure scaling --scene hanging --size "${SIZES:-100,178,316,562,1000,1778}" \
        --backend "${BACKENDS:-cpu,gl}" --warm-up-frames 0 --samples 5 --frames 3 ;;
    *) echo "no set \"$set\": scenes, low-strain, defaults, schedules, scaling, threads, peers" >&2; exit 2 ;;
  esac
done
"$root/scripts/benchmark_tables.py"
