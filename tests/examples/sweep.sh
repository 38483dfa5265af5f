#!/usr/bin/env bash
# examples/sweep: runs that are killed come to the table of runs that are not; what is refused is a row of it; nothing is left.
# Arguments: the program; slurm: under a Slurm of this machine alone, where there is one.
set -euo pipefail
weft=$(realpath "$1") how=${2:-}
source=$(cd "$(dirname "$0")/../../examples/sweep" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$how" = slurm ] && ! { [ "$(id -u)" = 0 ] && command -v slurmctld slurmd munged setpriv >/dev/null; }; then
  echo "skipped: needs root, slurm-wlm and munge (Debian)"
  exit 77
fi
find "$source" -maxdepth 1 -type f -exec cp {} "$work" \;
cd "$work"
export WEFT=$weft
sed -i 's/"frames": 60/"frames": 120/; s/"size": 24/"size": 12/' skirt.weft.json
sed -i 's/"denim"/"denim", "none such"/; s/"substeps": \[10, 20\]/"substeps": [20]/; s/EVERY = "30"/EVERY = "10"/' grid.json sweep.py
[ "$(./sweep.py list grid.json | tail -1)" = 5 ]
table() { python3 -c 'import csv; print(*(" ".join(r[k] for k in ("number", "status", "hash")) for r in csv.DictReader(open("runs/table.csv"))), sep="\n")'; }

for number in $(./sweep.py list grid.json); do ./sweep.py run grid.json "$number"; done
./sweep.py join grid.json
whole=$(table)
[ "$(grep -c ' 0 0x' <<<"$whole")" = 4 ] || { echo "not four runs: $whole"; exit 1; }
grep -q 'none such' runs/table.csv && grep -q 'none such"* is none of' runs/table.csv
"$weft" verify runs/3.jsonl | grep -q "the start and 120 frames"
mv runs whole

# A program that is killed at its first and second try, once there is a checkpoint.
cat >killed <<'SH'
#!/bin/bash
"$REAL" "$@" &
state=$(sed 's/.*--checkpoint \([^ ]*\).*/\1/' <<<"$*")
for k in $(seq 500); do [ -s "$state" ] && break; kill -0 $! 2>/dev/null || break; sleep 0.01; done
tries=$(cat "$state.tries" 2>/dev/null | wc -l)
if [ "$tries" -lt 2 ] && [ -s "$state" ]; then echo >>"$state.tries"; sleep 0.1; kill -KILL $! 2>/dev/null; fi
wait $!
SH
chmod +x killed
export REAL=$weft WEFT=$work/killed
retry() { for _ in 1 2 3 4; do ./sweep.py run grid.json "$1" && return; done; }
if [ "$how" = slurm ]; then
  ./one_node.sh bash -euc 'mkdir runs; sbatch --array=0-5 array.sbatch; for _ in $(seq 600); do [ -n "$(squeue -h)" ] || break; sleep 0.2; done; squeue -h'
else
  for number in $(./sweep.py list grid.json); do retry "$number"; done
fi
./sweep.py join grid.json
[ "$(table)" = "$whole" ] || { echo "killed runs differ: $(table)"; exit 1; }
[ "$(cat runs/*.tries | wc -l)" -ge 4 ] || { echo "hardly a run was killed"; exit 1; }
ls runs/*.state runs/*.part 2>/dev/null && { echo "left behind"; exit 1; }
"$weft" verify runs/1.jsonl | grep -q "the start and 120 frames"
[ "$how" = slurm ] && exit
rm -rf runs
export WEFT=$weft
if command -v parallel >/dev/null; then
  ./sweep.py list grid.json | parallel -j2 --retries 9 ./sweep.py run grid.json {} && ./sweep.py join grid.json
  [ "$(table)" = "$whole" ] || { echo "parallel: $(table)"; exit 1; }
  rm -rf runs
fi
if command -v snakemake >/dev/null; then
  HOME=$work snakemake -q -c 2 >out 2>&1 || { cat out; exit 1; }
  [ "$(table)" = "$whole" ] || { echo "snakemake: $(table)"; exit 1; }
fi
