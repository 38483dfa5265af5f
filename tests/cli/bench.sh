#!/usr/bin/env bash
# The three formats of bench say the same, and equal work has equal hashes.
. "$(dirname "$0")/helpers.bash"

# By colours: single runs everything as one pass, on the GPU. Rows with self-collision come last.
few=(--plain --self-collision off --scene hanging,skirt --size 8,12 --samples 3 --frames 2 --log-level error --schedule colours)
backends=ref
have_gl && backends=ref,gl
run 0 bench "${few[@]}" --backend $backends --passes
prints "ms/frame"
prints "state hash"
prints "passes a frame"
prints "project_distance"
prints "settings   ref: 20 substeps x 1 iteration, dt 0.0166667, xpbd, 2 frames"
run 0 bench --scene rope,sand --size 8,12 --samples 1 --frames 1 --warm-up-frames 0 --backend ref --log-level error --passes
prints "settings   ref, rope 8 12: 30 substeps x 1 iteration"
prints "settings   ref, sand 8 12: 20 substeps x 1 iteration"

# The short table: a row each, whose figures are those of a run of its own, and what measured it.
run 0 bench --scene skirt,hanging --size 8 --samples 3 --frames 2 --warm-up-frames 3 --self-collision off --backend ref,cpu --log-level error
[ "$(wc -l <"$work/out")" = 6 ] || complain "not four rows between a head and a foot: $(cat "$work/out")"
head -1 "$work/out" | grep -qE '^scene +particles +backend +ms a frame +fps +strain \(p99\)$' || complain "$(head -1 "$work/out")"
tail -1 "$work/out" | grep -qE ', [0-9]+ processors?(; load [0-9.]+: others were at work)?$' || complain "$(tail -1 "$work/out")"
cp "$work/out" "$work/rows"
for scene in skirt hanging; do
  worst=0
  for frames in 1 2 3 5; do
    run 0 simulate $scene --size 8 --frames $frames --self-collision off --backend ref --log-level error
    worst=$(sed -n 's/^  reached .*), \([^ ]*\) % in frame .*/\1/p' "$work/out" | awk -v w=$worst '{ print ($1 > w ? $1 : w) }')
  done
  particles=$(sed -n "s/^[a-z]*: \([0-9,]*\) particles.*/\1/p" "$work/out")
  for backend in ref cpu; do
    grep -qE "^$scene +$particles +$backend +[0-9.]+ +[0-9.,]+ +$worst %\$" "$work/rows" ||
      complain "no row $scene $particles $backend $worst: $(cat "$work/rows")"
  done
done
awk 'NR > 1 && NF == 7 { gsub(",", "", $5); if ($4 > 0.1 && ($5 * $4 < 950 || $5 * $4 > 1050)) exit 1 }' "$work/rows" || complain "fps: $(cat "$work/rows")"
if have_gl; then
  run 0 bench --scene hanging --size 8 --samples 1 --frames 1 --warm-up-frames 0 --backend gl --log-level error
  if "$weft" info | grep -q llvmpipe; then prints "gl is llvmpipe, a software driver, no GPU"; fi
fi
run 0 bench --scene hanging --size 8 --samples 1 --frames 1 --backend ref --mode gs,jacobi --log-level error
grep -qE "^hanging +64 +ref, jacobi " "$work/out" || complain "modes are not told apart: $(cat "$work/out")"
refuses 2 "files have all of it anyway" bench --passes --format json

# What changes cost: a line each, those of self-collision with it alone.
run 0 bench --changes --size 8,12 --backend ref,cpu --samples 1 --warm-up-frames 1 --log-level error
[ "$(grep -cE '^  (gravity|substeps|iterations|fabric|hard pin|soft pin|collider added, removed) +[0-9.]+ +[0-9.]+ +[0-9.]+$' "$work/out")" = 56 ] ||
  complain "not seven changes of eight sheets: $(cat "$work/out")"
[ "$(grep -cE '^  (self-collision thickness|body added, removed) ' "$work/out")" = 8 ] || complain "$(cat "$work/out")"
grep -qE '^12 x 12, cpu, self-collision: [0-9.]+ ms a frame$' "$work/out" || complain "$(cat "$work/out")"
refuses 2 "a table of one sheet" bench hanging --changes

# One's own cloth: what a file is made into, with a body that moves, is what simulate makes of it; and what
# makes it is among what rows are compared by.
awk 'BEGIN { n = 9; for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) print "v", c / 10, 0.2, r / 10
  for (r = 1; r < n; ++r) for (c = 1; c < n; ++c) { a = (r - 1) * n + c; print "f", a, a + 1, a + n + 1; print "f", a, a + n + 1, a + n } }' >"$work/own sheet, thin.obj"
ball 0.15 8 12 >"$work/ball.obj"
printf '{"keys": [{"time": 0, "translation": [0.4, 0, 0.4]}, {"time": 0.1, "translation": [0.4, 0.1, 0.4]}]}\n' >"$work/keys.json"
own=("$work/own sheet, thin.obj" --pin corners --fabric denim --body "$work/ball.obj" --body-motion "$work/keys.json" --log-level error)
run 0 bench "${own[@]}" --backend $backends,cpu --warm-up-frames 5 --frames 2 --samples 2 --format json -o "$work/own.json"
run 0 bench "${own[@]}" --backend ref --warm-up-frames 5 --frames 2 --samples 2 --format csv -o "$work/own.csv"
run 0 simulate "${own[@]}" --backend ref --frames 7 --json "$work/own_simulate.json"
run 0 bench "${own[@]}" --backend ref --frames 1 --samples 1
grep -qE "^own sheet, thin.obj +81 +ref " "$work/out" || complain "no row of the file: $(cat "$work/out")"
run 1 bench "${own[@]}" --pin top --backend ref --warm-up-frames 5 --frames 2 --samples 2 --compare "$work/own.json"
prints "0 of 1 rows compared"
if command -v python3 >/dev/null; then
  python3 - "$work" <<'PY' || complain "rows of a file"
import csv, json, sys
rows = json.load(open(sys.argv[1] + "/own.json"))["rows"]
one, = csv.DictReader(open(sys.argv[1] + "/own.csv"))
hash = json.load(open(sys.argv[1] + "/own_simulate.json"))["hash"]
assert len(rows) >= 2 and all(r["hash"] == hash and r["scene"] == "own sheet, thin.obj" for r in rows)
assert "0x" + one["hash"] == hash and one["scene"] == rows[0]["scene"] and int(one["size"]) == rows[0]["size"] == 9
assert rows[0]["around"][:2] == ["pin corners", "fabric denim"] and "fabric denim" in one["settings"]
PY
fi
run 0 bench hanging drape --size 8 --samples 1 --frames 1 --warm-up-frames 0 --backend ref --log-level error
[ "$(awk 'NR > 1 && / ref / { print $1 }' "$work/out" | xargs)" = "hanging drape" ] || complain "named scenes: $(cat "$work/out")"
refuses 2 "neither a file nor a scene, did you mean drape?" bench drappe
refuses 2 "neither a file nor a scene, did you mean drape?" bench --scene hanging,drappe
refuses 2 "neither a file nor a scene, did you mean drape?" simulate drappe
refuses 2 "neither a file nor a scene, the scenes are duel" bench nothing-like-it
refuses 3 "$work/none.obj" bench "$work/none.obj"
refuses 2 "one file at a time" bench "$work/ball.obj" "$work/ball.obj"
refuses 2 "scenes or one file at a time" bench "$work/ball.obj" drape
refuses 2 "--size is for built-in scenes" bench "$work/ball.obj" --size 8
refuses 2 "--unit is for files" bench drape --unit cm
refuses 2 "is an input of this run" bench "$work/ball.obj" --samples 1 -o "$work/ball.obj"

# On a terminal one bar over all rows.
if script -qec true "$work/typescript" >/dev/null 2>&1 </dev/null; then
  script -qec "'$weft' bench --scene hanging,drape --size 24 --samples 5 --frames 3 --self-collision off --backend ref,cpu" "$work/typescript" >/dev/null 2>&1 </dev/null
  grep -qE "row 1 of 4: hanging 24, ref \[#*\.+\] [0-9]+ %" "$work/typescript" || complain "no bar: $(head -c 400 "$work/typescript")"
  grep -oE '\] [0-9]+ %' "$work/typescript" | awk '{ if ($2 < last) exit 1; last = $2 } END { exit last < 60 }' || complain "the bar goes back, or ends early"
fi

run 0 bench "${few[@]}" --backend $backends --format csv -o "$work/b.csv"
[ -s "$work/out" ] && complain "-o also prints"
run 0 bench "${few[@]}" --backend $backends --format json -o "$work/b.json"
if command -v python3 >/dev/null; then
  python3 - "$work/b.csv" "$work/b.json" $backends <<'PY' || complain "CSV and JSON"
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
other = json.load(open(sys.argv[2]))
backends = sys.argv[3].split(",")
assert other["load_before"] >= 0 and other["processors"] >= 1
assert len(rows) == len(other["rows"]) == 4 * len(backends)
for a, b in zip(rows, other["rows"]):
    assert None not in a and None not in a.values()
    for key in ("scene", "backend", "mode"):
        assert a[key] == b[key]
    for key in ("size", "particles", "constraints", "colours"):
        assert int(a[key]) == b[key]
    assert "0x" + a["hash"] == b["hash"]
    low, mid, high = (b["ms_per_frame_" + k] for k in ("min", "median", "p95"))
    assert 0 < low <= mid <= high
    lower, upper = b["ms_per_frame_lower_quartile"], b["ms_per_frame_upper_quartile"]
    assert low <= lower <= mid <= upper <= high
    assert abs(b["spread"] - (upper - lower) / mid) < 1e-6
    # Threads that work for the frame: those of llvmpipe too, whose number is not known here.
    assert 0 <= b["processor_ms_per_frame"] < 64 * b["ms_per_frame_p95"] * 1.5
    if b["backend"] == "ref": assert b["processor_ms_per_frame"] <= 1.1 * b["ms_per_frame_p95"] + 0.05
    assert b["scene_ms"] > 0 and b["solver_ms"] > 0
    assert b["substeps"] == 20 and b["iterations"] == 1 and b["frames"] == 2 and b["samples"] == 3
    assert b["settings"].startswith("20 x 1, ") and a["settings"] == b["settings"]
    # Position, position before, velocity: three times 16 bytes a particle at least, and as much as
    # is in the process (the buffers of ref are).
    assert b["buffer_bytes"] >= 48 * b["particles"]
    assert b["bytes_per_particle"] == b["buffer_bytes"] / b["particles"]
    assert b["host_peak_bytes"] is None or b["buffer_bytes"] < b["host_peak_bytes"] < 1 << 36
    assert 0 < b["strain_mean"] <= b["strain_p99"] <= b["strain_max"] < 10
    assert b["kinetic_energy_J"] > 0 and b["elastic_energy_J"] >= 0
    passes = b["passes"]
    assert len({p["pass"] for p in passes}) == len(passes) >= 3
    assert all(p["per_frame"] > 0 and p["ms_per_frame"] > 0 for p in passes)
    assert abs(sum(p["per_frame"] for p in passes) / b["passes_per_frame"] - 1) < 1e-9
    assert abs(sum(p["ms_per_frame"] for p in passes) / b["passes_ms_per_frame"] - 1) < 1e-9
    # A colour is a pass; predict and update_velocity run once a substep.
    count = {p["pass"]: p["per_frame"] for p in passes}
    projects = sum(n for name, n in count.items() if name.startswith("project_"))
    assert projects == 20 * b["colours"] and count["predict"] == count["update_velocity"] == 20
    assert ("timestamps" in b["pass_clock"]) == (b["backend"] == "gl")
    # The floor: what must move, counted here by hand for passes whose needs are plain (rows of 16
    # bytes: predict reads and writes two and writes one, update_velocity reads three and writes
    # one; a distance constraint is 16 bytes and moves two particles).
    by_name = {p["pass"]: p for p in passes}
    wide = 20 * 16 * b["particles"]
    assert by_name["predict"]["bytes_per_frame"] == 5 * wide
    assert by_name["update_velocity"]["bytes_per_frame"] == 4 * wide
    assert by_name["project_distance"]["bytes_per_frame"] % (20 * (16 + 2 * 2 * 16)) == 0
    assert b["copied_by"] in (("a kernel", "the driver") if b["backend"] == "gl" else ("memcpy",))
    assert b["copy_bytes_per_s"] > 1e6 and b["dispatch_us"] >= 0
    assert b["backend"] == "gl" or b["dispatch_us"] == 0
    for p in passes:
        floor = p["bytes_per_frame"] / b["copy_bytes_per_s"] * 1e3 + p["per_frame"] * b["dispatch_us"] / 1e3
        # Of lists a pass moves what is listed: cloth that does not touch itself has empty ones.
        assert p["bytes_per_frame"] > 0 or p["pass"].startswith("self_")
        assert abs(p["roofline_ms_per_frame"] - floor) <= 1e-9 * floor
    for key in ("bytes_per_frame", "roofline_ms_per_frame"):
        whole = b["roofline_bytes_per_frame" if key[0] == "b" else key]
        assert abs(sum(p[key] for p in passes) / whole - 1) < 1e-9
    assert a["roofline_of"] == b["roofline_of"] == "each pass"
    assert abs(b["roofline_part"] * mid / b["roofline_ms_per_frame"] - 1) < 1e-9
    assert a["potential_energy_J"] == "%.6g" % b["potential_energy_J"]
    assert abs(b["projections_per_s"] * mid / 1e3 / (b["constraints"] * 20) - 1) < 1e-6
for scene in ("hanging", "skirt"):
    for size in (8, 12):
        same = {r["hash"] for r in other["rows"] if r["scene"] == scene and r["size"] == size}
        assert len(same) == 1, (scene, size, same)
PY
fi
# The floor, counted by hand from the layout for a sheet of n x n (rows of 16 bytes, a distance 16, an
# isometric bend 32, a collider's pose 176): passes by themselves, a substep as one chain (cpu, whose
# strips on grids have no particles: 8 and 16), single, patches that are one patch, lines and attachments.
if command -v python3 >/dev/null; then
  count=(bench --plain --scene hanging --size 12 --warm-up-frames 1 --frames 1 --samples 1 --log-level error --format json)
  run 0 "${count[@]}" --backend ref,cpu --schedule colours -o "$work/roofline_colours.json"
  run 0 "${count[@]}" --backend cpu --iterations 2 --method pbd \
    --schedule colours -o "$work/roofline_twice.json"
  run 0 "${count[@]}" --backend ref,cpu --schedule patches -o "$work/roofline_patches.json"
  run 0 "${count[@]}" --backend ref,cpu --line-sweeps 1 --lra 1 --schedule colours -o "$work/roofline_lines.json"
  run 0 "${count[@]}" --backend ref --multilevel 24 --schedule colours -o "$work/roofline_multilevel.json"
  have_gl && run 0 "${count[@]}" --backend gl --schedule single -o "$work/roofline_single.json"
  python3 - "$work" <<'PY' || complain "the floor's bytes"
import json, os, sys
n = 12
P, threads, cells = n * n, 2 * n * (n - 1), (n - 1) ** 2
D, I = threads + 2 * cells, threads + cells - 4 * (n - 1)
substep, pose = 32, 176
def rows(name):
    path = f"{sys.argv[1]}/roofline_{name}.json"
    found = json.load(open(path))["rows"] if os.path.exists(path) else []
    for r in found:
        yield r, {p["pass"]: p["bytes_per_frame"] / 20 for p in r["passes"]}, r["roofline_bytes_per_frame"] / 20
chain = 80 * P + 8 * D + 16 * I + pose
# Positions, those before and velocities are split from substep to substep where nothing else runs: three numbers
# of each row, the inverse masses come in, and what becomes the position before is where it is.
split = chain - 80 * P + (16 + 3 * 12) * P
for r, by, frame in rows("colours"):
    assert by == {"predict": 80 * P, "project_distance": 80 * D, "project_isometric": 160 * I,
                  "collide": 48 * P + pose, "update_velocity": 64 * P}, by
    cpu = r["backend"] == "cpu"
    assert r["roofline_of"] == ("each substep" if cpu else "each pass")
    assert frame == (split if cpu else sum(by.values())), (frame, split)
    assert abs(r["roofline_ms_per_frame"] - 20e3 * frame / r["copy_bytes_per_s"]) < 1e-9
for r, by, frame in rows("twice"):  # a second sweep finds everything there
    assert by["project_distance"] == 160 * D and frame == split
for r, by, frame in rows("patches"):
    tables = 12 * D + 24 * I
    words = by["patch"] - tables - 36 * P  # a header of 16, and 8 for each range of a colour
    assert 16 + 8 * 10 <= words <= 16 + 8 * 40 and words % 8 == 0
    if r["backend"] == "cpu": assert frame == 80 * P + pose + tables + words + 4 * P
for r, by, frame in rows("lines"):
    assert by["project_lines"] == threads * (16 + 32 + 4) + 2 * 16 and by["lra"] == 48 * P
    held = by["project_distance"] - 80 * 2 * cells  # threads in batches of diagonals: read, not moved
    assert held % 48 == 0 and 0 <= held < 48 * threads
    # State stays split. 16 more for each edge of a line: three numbers and its multiplier; 32 for each lra.
    if r["backend"] == "cpu": assert frame == split - 8 * (threads - held / 48) + 16 * threads + 32 + 32 * P
for r, by, frame in rows("multilevel"):  # no less than their nodes, of which the finest has a quarter
    assert by["level_small"] > 0 and by["level_spread"] == 64 * P
    assert by["level_gather"] >= 16 * P + P // 4 * (32 + 4) + 8 * P
for r, by, frame in rows("single"):
    assert r["roofline_of"] == "each dispatch"
    assert 20 * frame == r["passes_per_frame"] * (80 * P + 16 * D + 32 * I + 20 * (pose + substep) + pose + 2 * 48)  # and poses as the frame begins
PY
fi

# --warm-up-frames: timed runs go on where so many frames end, whatever moves, turns or is remembered there,
# so the state is that of a run in one piece; and the largest strain is that of its worst frame.
for scene in skirt tumble sand; do
  off=()
  [ $scene = sand ] || off=(--self-collision off)
  run 0 bench --scene $scene --size 8 --warm-up-frames 5 --frames 2 --samples 3 "${off[@]}" --backend $backends --format json \
    -o "$work/lead.json" --log-level error
  for frames in 1 2 3 4 5 7; do
    run 0 simulate $scene --size 8 --frames $frames "${off[@]}" --backend ref --json "$work/$frames.json" --log-level error
  done
  command -v python3 >/dev/null || continue
  python3 - "$work" <<'PY' || complain "--warm-up-frames of $scene"
import json, sys
runs = {n: json.load(open(f"{sys.argv[1]}/{n}.json")) for n in (1, 2, 3, 4, 5, 7)}
for row in json.load(open(sys.argv[1] + "/lead.json"))["rows"]:
    assert row["hash"] == runs[7]["hash"] and row["warmup"] == 5 and row["frames"] == 2
    assert row["settings"].find("warmup 5") > 0 and row["strain_samples"] == 6
    for key in ("strain_p99", "strain_threads_p99"):
        most = max(r["metrics"][key] for r in runs.values())
        assert abs(row[key + "_max"] - most) <= 1e-6 * most, (key, row[key + "_max"], most)
PY
done
run 0 bench --scene hanging --size 8 --warm-up-frames 0 --frames 4 --samples 2 --backend ref --log-level error --passes
hash=$(grep -o '[0-9a-f]\{16\}$' "$work/out" | head -1)
run 0 simulate hanging --size 8 --frames 4 --backend ref --log-level error
prints "$hash"
grep -q "warmup" "$work/out" && complain "--warm-up-frames 0 is told"

# Each mode is a row of its own, with its own result.
run 0 bench --scene hanging --size 8 --samples 1 --frames 2 --backend ref --mode gs,jacobi,hybrid \
  --format csv --log-level error
[ "$(cut -d, -f7 "$work/out" | xargs)" = "mode gs jacobi hybrid" ] || complain "--mode: $(cat "$work/out")"
[ "$(grep -o ',[0-9a-f]\{16\},' "$work/out" | sort -u | wc -l)" -ge 2 ] || complain "modes agree"
refuses 2 "\"gauss\" is none of gs" bench --mode gs,gauss

# Schedules likewise; those of one order end in the same state.
run 0 bench --scene hanging --size 8 --samples 1 --frames 2 --backend $backends \
  --schedule auto,colours --format csv --log-level error
[ "$(cut -d, -f8 "$work/out" | sort -u | xargs)" = "auto colours schedule" ] || complain "--schedule"
[ "$(grep -o ',[0-9a-f]\{16\},' "$work/out" | sort -u | wc -l)" = 1 ] || complain "schedules differ"
if have_gl; then # one dispatch a frame, and the state of colours
  run 0 bench --scene hanging --size 8 --samples 1 --frames 2 --backend gl --schedule colours,single \
    --log-level error --passes
  prints "single: 1 pass a frame"
  [ "$(grep -o ' [0-9a-f]\{16\}$' "$work/out" | sort -u | wc -l)" = 1 ] || complain "single differs"
fi
refuses 2 "\"stripes\" is none of auto" bench --schedule auto,stripes

# What cannot be is left out by name; when nothing else is left, that is the error.
run 1 bench --scene hanging --size 8 --samples 1 --frames 1 --backend ref --mode gs,jacobi \
  --schedule colours,patches --log-level error --passes
prints "hanging 8, ref, jacobi, schedule patches: "
[ "$(grep -c '^hanging .* [0-9a-f]\{16\}$' "$work/out")" = 3 ] || complain "not three rows are left"
refuses 2 "jacobi" bench --scene hanging --size 8 --backend ref --mode jacobi --schedule patches

# Scaling: the exponent is that of the rows, and the largest sizes are those that keep a device busy.
run 0 bench --scene hanging --size 6,12,24,48 --samples 3 --frames 1 --backend ref --log-level error --passes
prints "ms per frame grow as particles^"
prints "full from"
prints "bytes per particle at the largest size"
if command -v python3 >/dev/null; then
  run 0 bench --scene hanging --size 6,12,24,48 --samples 3 --frames 1 --backend ref --format json \
    -o "$work/sizes.json" --log-level error
  python3 - "$work/sizes.json" <<'PY' || complain "scaling"
import json, math, sys
file = json.load(open(sys.argv[1]))
def slope(rows):
    x = [math.log(r["particles"]) for r in rows]
    y = [math.log(r["ms_per_frame_median"]) for r in rows]
    u, v = sum(x) / len(x), sum(y) / len(y)
    return sum((a - u) * (b - v) for a, b in zip(x, y)) / sum((a - u) ** 2 for a in x)
line, = file["scaling"]
assert abs(line["all_sizes"]["exponent"] - slope(file["rows"])) < 1e-9
assert line["all_sizes"]["sizes"] == 4 and line["all_sizes"]["to_particles"] == 48 * 48
most = max(r["projections_per_s"] for r in file["rows"])
full = [r for r in file["rows"] if r["particles"] >= line["full_from_particles"]]
assert full[0]["projections_per_s"] >= 0.8 * most
below = [r for r in file["rows"] if r not in full]
assert all(r["projections_per_s"] < 0.8 * most for r in below)
if len(full) > 1: assert abs(line["full_sizes"]["exponent"] - slope(full)) < 1e-9
for fit in (line["all_sizes"], line["full_sizes"]):
    if fit: assert (fit["off"] is None) == (fit["sizes"] == 2)
assert len(line["steps"]) == 3
for k, e in enumerate(line["steps"]): assert abs(e - slope(file["rows"][k:k + 2])) < 1e-9
last = file["rows"][-1]
assert line["bytes_per_particle"] == last["bytes_per_particle"]
assert last["host_bytes_per_particle"] is None or last["host_bytes_per_particle"] < 1e5
PY
fi

# --compare: a file with itself holds; ten times as fast before is a loss, another hash no result.
run 0 bench --scene hanging --size 8,12 --samples 3 --frames 2 --backend ref --format json \
  -o "$work/now.json" --log-level error
run 0 bench --compare "$work/now.json" --from "$work/now.json"
# Rows of other physics are other rows, whichever parameter it is.
run 0 bench --scene flag --size 8 --backend ref --frames 2 --format json -o "$work/plain.json"
for option in "--damping 0.7" "--thickness 0.02" "--global-damping 2" "--lra-slack 0.3" \
  "--multilevel-slack 0.3" "--relaxation 0.9" "--air-density 0.9" "--gust 0.1" "--wind 1,2,3" "--gravity 0,-3,0"; do
  # shellcheck disable=SC2086
  run 0 bench --scene flag --size 8 --backend ref --frames 2 $option --format json -o "$work/changed.json"
  run 1 bench --compare "$work/plain.json" --from "$work/changed.json"
  prints "0 of 1 rows compared"
done
for pushes in 4 5; do
  run 0 bench --scene heap --size 8 --backend ref --frames 2 --self-iterations $pushes --format json -o "$work/pushes$pushes.json"
done
run 1 bench --compare "$work/pushes4.json" --from "$work/pushes5.json"
prints "0 of 1 rows compared"
if command -v python3 >/dev/null; then
  # All of params.def, whatever its kind: a row that differs in one of them alone, or in none.
  python3 - "$work" "$(dirname "$0")/../../include/weft/params.def" <<'PY' || complain "parameters of a row"
import json, re, sys
all = json.load(open(sys.argv[1] + "/plain.json"))
parameters = all["rows"][0]["parameters"]
rows = re.findall(r"^WEFT_(REAL|COUNT|CHOICE|FLAG|VEC3)\((\w+),", open(sys.argv[2]).read(), re.M)
assert len(rows) > 45 and [name for _, name in rows] == list(parameters), set(parameters) ^ {name for _, name in rows}
kinds = {"REAL": float, "COUNT": int, "CHOICE": str, "FLAG": bool, "VEC3": list}
for kind, name in rows:
    value = parameters[name]
    assert type(value) is kinds[kind], (name, value)
    parameters[name] = {float: lambda: value + 0.5, int: lambda: value + 1, str: lambda: "other", bool: lambda: not value,
                        list: lambda: [0.5, *value[1:]]}[kinds[kind]]()
    json.dump(all, open(f"{sys.argv[1]}/differs_{name}.json", "w"))
    parameters[name] = value
json.dump(all, open(sys.argv[1] + "/same.json", "w"))
PY
  for changed in "$work"/differs_*.json; do
    run 1 bench --compare "$work/plain.json" --from "$changed"
    prints "0 of 1 rows compared"
  done
  run 0 bench --compare "$work/plain.json" --from "$work/same.json"
fi
run 0 bench --compare "$work/now.json" --from "$work/now.json"
prints "2 of 2 rows compared: 0 slower by more than 10 %, 0 in another state"
prints " 1.000  "
grep -q "^warning: another" "$work/out" && complain "a file differs from itself: $(cat "$work/out")"
if command -v python3 >/dev/null; then
  python3 - "$work" <<'PY'
import json, sys
def doctored(name, change):
    all = json.load(open(sys.argv[1] + "/now.json"))
    change(all)
    json.dump(all, open(sys.argv[1] + "/" + name, "w"), indent=1)
def scale(by):
    def change(all):
        for key in all["rows"][1]:
            if key.startswith("ms_per_frame_"): all["rows"][1][key] *= by
        all["build"]["commit"] = "0123456789ab"
    return change
doctored("quick.json", scale(0.1))
doctored("slow.json", scale(10))
doctored("hash.json", lambda all: all["rows"][0].update(hash="0x0123456789abcdef"))
doctored("other.json", lambda all: all.update(processors=64 + all["processors"], load_before=9.5))
doctored("size.json", lambda all: [r.update(size=9 + r["size"]) for r in all["rows"]])
doctored("row.json", lambda all: all["rows"][1].pop("hash"))
doctored("rows.json", lambda all: all.pop("rows"))
PY
  run 1 bench --compare "$work/quick.json" --from "$work/now.json"
  prints "SLOWER"
  prints "1 slower by more than 10 %, 0 in another state"
  prints 'warning: another commit: "0123456789ab" then'
  run 0 bench --compare "$work/quick.json" --from "$work/now.json" --max-loss 950%
  run 0 bench --compare "$work/slow.json" --from "$work/now.json"
  prints "faster"
  run 1 bench --compare "$work/hash.json" --from "$work/now.json"
  prints "ANOTHER STATE, no result: 0x0123456789abcdef then"
  prints "0 slower by more than 10 %, 1 in another state"
  run 0 bench --compare "$work/other.json" --from "$work/now.json"
  prints "processors then"
  prints "others were at work: a load of 9.5 then"
  run 1 bench --compare "$work/size.json" --from "$work/now.json"
  prints "0 of 2 rows compared"
  prints "only then: hanging 17, ref, gs"
  prints "only now: hanging 8, ref, gs"
  refuses 3 'row 1 has no usable "hash"' bench --compare "$work/row.json"
  refuses 3 'no "rows"' bench --compare "$work/rows.json"
  # Measured anew: the same states, whatever the times.
  run 0 bench --scene hanging --size 8,12 --samples 3 --frames 2 --backend ref --log-level error \
    --compare "$work/slow.json" --max-loss 100000%
  prints "2 of 2 rows compared: 0 slower by more than 1e+05 %, 0 in another state"
fi
printf '{\n"rows": [\n{]\n' >"$work/bad.json"
refuses 3 "bad.json:3: " bench --compare "$work/bad.json"
refuses 3 "$work/none.json" bench --compare "$work/none.json"
refuses 2 "--max-loss" bench --max-loss many
refuses 2 "did you mean 5%" bench --compare "$work/now.json" --max-loss 5
refuses 2 "--max-loss needs --compare" bench --max-loss 5%
refuses 2 "prints no rows" bench --from "$work/now.json" --compare "$work/now.json" --format csv
refuses 2 "--from needs" bench --from "$work/now.json"

# --report: what the page says of rows, measured or read; the rest about pages is in report.sh.
if have_matplotlib; then
  run 0 bench "${few[@]}" --backend $backends --report "$work/page.html"
  prints "strain (p99)"
  run 0 bench --from "$work/b.json" --report "$work/again.html"
  [ -s "$work/out" ] && complain "--from prints: $(head -3 "$work/out")"
  for page in "$work/page.html" "$work/again.html"; do
    check_page "$page"
    for scene in hanging skirt; do
      page_says "$page" "<figcaption>$scene: time a frame" "<figcaption>$scene: bytes moved, and copy bandwidth" \
        "<figcaption>$scene: strain against time" "<figcaption>$scene 12, ref, colours: time of each pass" \
        "<figcaption>$scene, ref, colours: passes under the roofline"
      have_gl && page_says "$page" "<figcaption>$scene: speed-up over ref" "<figcaption>$scene 12, gl, colours: time of"
      grep -q "<figcaption>$scene 8, " "$page" && complain "passes of the smaller $scene, too"
    done
    page_says "$page" "How time grows with size" "max p99" "kinetic, J" "60 fps" "roofline bound" \
      "20 substeps × 1 iteration, a frame is 1/60 s, XPBD, 2 frames a sample"
    have_gl && page_says "$page" "PASS: all states equal" "In all 4 cases that ran in more than one way"
    grep -q "FAIL\|DIFFERENT" "$page" && complain "something fails in $page"
    [ "$(grep -o '<code>0x' "$page" | wc -l)" = $((4 * $(wc -w <<<"${backends//,/ }"))) ] || complain "rows are missing in $page"
  done
  check_page "$work/again.html" --layout
  for hash in $(grep -o '"hash": "0x[0-9a-f]*' "$work/b.json" | cut -d'"' -f4); do
    page_says "$work/again.html" "$hash"
  done
  # What --compare finds is on the page.
  run 1 bench --compare "$work/quick.json" --from "$work/now.json" --report "$work/page.html"
  check_page "$work/page.html"
  page_says "$work/page.html" "FAIL: slower than before" '<span class="fail">SLOWER' "another commit" \
    "2 rows compared, 1 slower by more than 10 %, 0 in another state"
  run 1 bench --compare "$work/hash.json" --from "$work/now.json" --report "$work/page.html"
  page_says "$work/page.html" "FAIL: other states than before" '<span class="fail">OTHER STATE, no result'
  run 0 bench --compare "$work/slow.json" --from "$work/now.json" --report "$work/page.html"
  page_says "$work/page.html" "PASS: no slower than before" '<span class="pass">faster'
  run 1 bench --compare "$work/size.json" --from "$work/now.json" --report "$work/page.html"
  page_says "$work/page.html" "FAIL: nothing to compare" "Only then: hanging 17, ref, gs"
fi
refuses 4 "$work/no/page.html" bench --from "$work/b.json" --report "$work/no/page.html"

# What self-collision is of a row: its passes among all, and what simulate counts in the same frame. Passes over lists move what is
# listed, not the room: 64 bytes of a plane, 16 of a candidate.
if command -v python3 >/dev/null; then
  fold=(--size 16 --log-level error)
  run 0 bench --scene heap,hanging "${fold[@]}" --backend $backends --warm-up-frames 40 --frames 2 --samples 1 --format json -o "$work/self.json"
  run 0 bench --scene heap "${fold[@]}" --backend ref --warm-up-frames 40 --frames 2 --samples 1 --passes
  prints "  self-collision: "
  prints " candidates a contact step"
  run 0 simulate heap "${fold[@]}" --frames 42 --backend ref --json "$work/self_simulate.json"
  prints " candidates a contact step; in the last frame"
  run 0 bench --from "$work/self.json" --report "$work/self.html"
  page_says "$work/self.html" "Self-collision, in the last frame"
  python3 - "$work" <<'PY' || complain "self-collision of a row"
import json, sys
rows = json.load(open(sys.argv[1] + "/self.json"))["rows"]
m = json.load(open(sys.argv[1] + "/self_simulate.json"))["metrics"]
for r in rows:
    s = r.get("self_collision")
    if r["scene"] == "hanging":
        assert s is None
        continue
    own = [p for p in r["passes"] if p["pass"].startswith("self_")]
    of = {p["pass"]: p for p in own}
    assert len(own) == 26, sorted(of)
    for key, from_ in (("passes", "per_frame"), ("ms", "ms_per_frame"), ("bytes", "bytes_per_frame")):
        assert abs(s[key + "_per_substep"] * r["substeps"] / sum(p[from_] for p in own) - 1) < 1e-9, key
    if r["backend"] == "gl":
        all_ = sum(p["dispatches_per_frame"] for p in r["passes"])
        assert 0 < s["dispatches_per_substep"] * r["substeps"] < all_, all_
        assert r["dispatches_per_frame"] * 2 < r["gl_calls_per_frame"] < 6 * r["dispatches_per_frame"]
    # The first contact step of a frame has a look more than the others; every one has room for four.
    steps = m["self_steps"]
    assert steps == 20
    assert of["self_patch"]["per_frame"] == of["self_find_features"]["per_frame"] == 4 * steps + 1
    assert of["self_certify"]["per_frame"] == of["self_certify_stars"]["per_frame"] == steps + 1
    assert of["self_flag"]["per_frame"] == 3 * steps and of["self_shorten"]["per_frame"] == steps and of["self_accept"]["per_frame"] == steps
    for key in ("candidates", "pairs"):
        assert abs(s[key + "_per_step"] * steps - m["self_" + key]) < 1e-6 and m["self_" + key] > 0, key
    for key in ("limited", "uncertain", "driven", "looks", "pauses", "overflows"):
        assert s[key] == m["self_" + key], key
    pairs, candidates = int(s["pairs_per_step"]), int(s["candidates_per_step"])
    assert of["self_accept"]["bytes_per_frame"] <= steps * (pairs * 64 + 64)
    assert of["self_accept"]["bytes_per_frame"] >= steps * pairs * 64
    assert 0 <= of["self_separate"]["bytes_per_frame"] - (steps + 1) * candidates * 16 < 64 * 64
PY
fi

# Where nothing can be written nothing is measured.
refuses 4 "$work/no/b.csv" bench --scene hanging --size 1024 --backend ref -o "$work/no/b.csv"
refuses 4 "$work/no/b.html" bench --scene hanging --size 1024 --backend ref --report "$work/no/b.html"
[ -s "$work/out" ] && complain "measured before a page that cannot be written"
finish
