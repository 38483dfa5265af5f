#!/usr/bin/env bash
# --log: a row for every frame, which says what the summary says; and weft plot, which draws it.
. "$(dirname "$0")/helpers.bash"
ask() { python3 - "$@" || complain "the rows of $1"; }

# ---- a row a frame from the start on; the last one is the summary ----
run 0 simulate drape --size 12 --frames 8 --backend cpu --log "$work/a.jsonl" --json "$work/a.json"
run 0 simulate drape --size 12 --frames 8 --backend ref --log "$work/a.csv"
ask "$work/a.jsonl" "$work/a.json" "$work/a.csv" <<'PY'
import csv, json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
summary = json.load(open(sys.argv[2]))
cells = list(csv.DictReader(open(sys.argv[3])))
assert [row["frame"] for row in rows] == list(range(9)), rows
assert rows[0]["ms"] is None and all(row["ms"] > 0 for row in rows[1:])
share = sum(row["ms"] for row in rows[1:]) / 8 / summary["ms_per_frame"]  # which counts looks at the state as well
assert 0.02 < share < 1.02, share
assert abs(rows[8]["time_s"] - 8 / 60) < 1e-6
assert rows[8]["hash"] == summary["hash"]
assert len({row["hash"] for row in rows}) == 9
for name, value in summary["metrics"].items():
    close = lambda a, b: a == b or abs(a - b) <= 1e-8 * abs(b)
    pairs = zip(rows[8][name], value) if isinstance(value, list) else [(rows[8][name], value)]
    assert all(close(a, b) for a, b in pairs), (name, rows[8][name], value)
# Cloth that falls freely: g t^2/2 down, m g^2 t^2/2 of energy, a substep's g t dt/2 early at most.
fall = rows[0]["potential_energy_J"] - rows[2]["potential_energy_J"]
assert abs(fall / rows[2]["kinetic_energy_J"] - 1) < 0.1, (fall, rows[2])
# Both formats and backends say the same.
assert len(cells) == 9
for row, cell in zip(rows, cells):
    assert cell["hash"] == row["hash"] and int(cell["self_pairs"]) == row["self_pairs"]
    assert float(cell["strain_p99"]) == row["strain_p99"] and float(cell["box_min_m_y"]) == row["box_min_m"][1]
assert cells[0]["ms"] == "" and float(cells[1]["ms"]) > 0
PY

# ---- instances: all together, or each as if alone ----
vary=(--instances 3 --vary stretch-compliance=1e-5:1e-3)
run 0 simulate hanging --size 10 --frames 4 "${vary[@]}" --log "$work/each.jsonl" --log-instances --json "$work/each.json"
run 0 simulate hanging --size 10 --frames 4 "${vary[@]}" --log "$work/all.jsonl"
ask "$work/each.jsonl" "$work/all.jsonl" "$work/each.json" <<'PY'
import json, sys
each, together = ([json.loads(line) for line in open(path)] for path in sys.argv[1:3])
summary = json.load(open(sys.argv[3]))["instances"]
assert [(row["frame"], row["instance"]) for row in each] == [(f, i) for f in range(5) for i in (1, 2, 3)]
assert len(together) == 5 and "instance" not in together[0]
assert [row["hash"] for row in each[-3:]] == [row["hash"] for row in summary]
assert len({row["hash"] for row in each[-3:]}) == 3
assert max(row["strain_max"] for row in each[-3:]) == together[-1]["strain_max"]
PY

# ---- a run that is killed leaves whole rows of the frames it made ----
"$weft" simulate hanging --size 24 --frames 100000 --log "$work/killed.jsonl" >/dev/null 2>&1 &
child=$!
for _ in $(seq 200); do [ "$(grep -c . "$work/killed.jsonl" 2>/dev/null)" -gt 20 ] 2>/dev/null && break; sleep 0.05; done
kill -KILL $child
wait $child 2>/dev/null
ask "$work/killed.jsonl" <<'PY'
import json, sys
lines = open(sys.argv[1]).read().splitlines(keepends=True)
whole = [json.loads(line) for line in lines if line.endswith("\n")]
assert len(whole) > 20 and len(lines) - len(whole) <= 1 and [row["frame"] for row in whole] == list(range(len(whole)))
PY

printf 'frame,hash\n0,x\n' >"$work/few.csv"

# ---- a run that goes on from a checkpoint goes on in its log, behind the row of that frame ----
for ending in csv jsonl; do
  whole=(simulate skirt --size 12 --backend cpu)
  run 0 "${whole[@]}" --frames 9 --log "$work/whole.$ending"
  run 0 "${whole[@]}" --frames 5 --log "$work/resumed.$ending" --checkpoint "$work/c" --every 4
  run 0 "${whole[@]}" --frames 4 --checkpoint "$work/c"
  run 0 "${whole[@]}" --frames 9 --log "$work/resumed.$ending" --resume "$work/c"
done
ask "$work/whole" "$work/resumed" <<'PY'
import csv, json, sys
rows = lambda path: [json.loads(line) for line in open(path)]
cells = lambda path: list(csv.DictReader(open(path)))
for read, ending in ((rows, "jsonl"), (cells, "csv")):
    whole, resumed = ([{k: v for k, v in row.items() if k != "ms"} for row in read(f"{path}.{ending}")] for path in sys.argv[1:3])
    assert len(whole) == 10 and whole == resumed, (whole[-1], resumed[-1], len(resumed))
PY
run 0 verify "$work/resumed.jsonl"
run 0 "${whole[@]}" --frames 6 --log "$work/begun.csv" --resume "$work/c"
[ "$(grep -c . "$work/begun.csv")" = 4 ] || complain "a log that begins at frame 4: $(wc -l <"$work/begun.csv") lines"
refuses 3 "few.csv: it has no row of frame 4, where --resume goes on" "${whole[@]}" --frames 6 --log "$work/few.csv" --resume "$work/c"

# ---- a log as JSON is run again, whatever was asked for, on any backend, from any folder ----
backends=(cpu ref)
have_gl && backends+=(gl)
again() { # again ARGS...: logs a run of four frames and verifies it
  mkdir -p "$work/there"
  run 0 simulate "$@" --frames 4 --backend cpu --log "$work/there/v.jsonl"
  for backend in "${backends[@]}"; do
    (cd / && "$weft" verify "$work/there/v.jsonl" --backend "$backend") >"$work/out" 2>"$work/err" ||
      complain "verify of $* on $backend: $(cat "$work/out" "$work/err")"
    prints "equal in every bit: the start and 4 frames"
  done
}
ball 0.3 8 12 >"$work/ball.obj"
again skirt --size 12
again curtain --size 12 --mueller2007
again stack --size 8 --layers 3 --max-strain 2%
again flag --size 12 --wind 5,0,2 --gust 0.5 --no-shear --compliance 1e-5,2e-5,-1
again flag --size 12 --air-density 0
again pendulum --links 3 --masses 0.1,0.3
again hanging --size 10 --plain --pin list:0,9 --collider sphere:0,1,0,0.2
cd "$work" || exit 1
again ball.obj --scale 1.5 --pin list:0 --body ball.obj --body-scale 0.5 --fabric denim --seed 7
cd - >/dev/null || exit 1

# The first frame that differs is named, and nothing is said of what was cut.
sed '3s/"hash":"0x./"hash":"0x_/' "$work/a.jsonl" >"$work/other.jsonl"
run 1 verify "$work/other.jsonl"
prints "frame 2 differs"
head -c 3000 "$work/a.jsonl" >"$work/cut.jsonl"
run 0 verify "$work/cut.jsonl"
prints "the start and $(($(grep -c '}$' "$work/cut.jsonl") - 1)) frames"
refuses 2 "name a log" verify
refuses 2 "double precision has other bits" verify "$work/a.jsonl" --backend f64
refuses 3 "$work/none.jsonl: No such file" verify "$work/none.jsonl"
refuses 3 "a.csv:1: this is no log" verify "$work/a.csv"
refuses 3 "each.jsonl:1: the first row has no scene" verify "$work/each.jsonl"
sed 2d "$work/a.jsonl" >"$work/gap.jsonl"
refuses 3 "gap.jsonl:2: a row of each frame is wanted" verify "$work/gap.jsonl"
sed '1s/"size":12/"size":"wide"/' "$work/a.jsonl" >"$work/wide.jsonl"
refuses 3 "wide" verify "$work/wide.jsonl"

# ---- refused before anything runs ----
large=(simulate hanging --size 500 --frames 1000)
refuses 2 "a log ends with .csv or .jsonl" "${large[@]}" --log "$work/a.txt"
refuses 2 "--log-instances does nothing without --log" "${large[@]}" --log-instances
refuses 2 "--log-instances does nothing without --instances" "${large[@]}" --log "$work/b.csv" --log-instances
refuses 4 "$work/no/b.csv" "${large[@]}" --log "$work/no/b.csv"
refuses 2 "both write" "${large[@]}" --log "$work/b.csv" --json "$work/b.csv"
ln -s /dev/full "$work/full.csv"
refuses 4 "full.csv: cannot be written: No space left" simulate hanging --size 8 --frames 3 --log "$work/full.csv"
[ -e "$work/b.csv" ] && complain "a refused run left a log"

# ---- plot ----
echo '{"frame": "x"}' >"$work/word.jsonl"
echo '[1, 2]' >"$work/list.jsonl"
: >"$work/empty.csv"
if ! have_matplotlib; then
  refuses 4 "install python3-matplotlib" plot "$work/a.csv" -o "$work/a.png"
  echo "the rest is skipped: no Python with matplotlib"
  finish
fi
for ending in png svg pdf; do
  run 0 plot "$work/a.csv" "$work/each.jsonl" -o "$work/plot.$ending"
  [ -s "$work/plot.$ending" ] || complain "no plot.$ending"
done
for text in Strain Energy Contact a.csv each.jsonl; do
  grep -q "<!-- .*$text" "$work/plot.svg" || complain "plot.svg does not say $text"
done
run 0 plot "$work/few.csv" -o "$work/few.png"
refuses 2 "name a log" plot
refuses 2 "ends with .png, .svg or .pdf" plot "$work/a.csv" -o "$work/a.gif"
refuses 3 "$work/none.csv: No such file" plot "$work/none.csv" -o "$work/b.png"
refuses 3 "$work/empty.csv: it has no rows" plot "$work/empty.csv" -o "$work/b.png"
refuses 3 "$work/word.jsonl: line 1: frame: 'x' is no number" plot "$work/word.jsonl" -o "$work/b.png"
refuses 3 "$work/list.jsonl: line 1: this is no log" plot "$work/list.jsonl" -o "$work/b.png"
refuses 3 "$work/a.json: this is no log" plot "$work/a.json" -o "$work/b.png"
refuses 4 "$work/no/a.png" plot "$work/a.csv" -o "$work/no/a.png"
[ -e "$work/b.png" ] && complain "a refused plot was written"
finish
