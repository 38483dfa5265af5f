#!/usr/bin/env bash
# Pages that weft has drawn by Python: what is computed there, what is said where it cannot be drawn, and that
# nothing is measured or lost then. What pages say of rows and cases is in bench.sh and physics.sh.
. "$(dirname "$0")/helpers.bash"
one=(bench --scene hanging --size 6 --samples 1 --frames 1 --backend ref --log-level error)
large=(bench --scene hanging --size 1024 --backend ref --log-level error)

# ---- without Python, or without matplotlib: one sentence before anything is measured ----
WEFT_PYTHON=$work/none refuses 4 "$work/none could not be started; install python3-matplotlib" "${large[@]}" --report "$work/a.html"
printf '#!/bin/sh\necho "ModuleNotFoundError: matplotlib" >&2; exit 4\n' >"$work/bare"
chmod +x "$work/bare"
export WEFT_PYTHON=$work/bare
refuses 4 "$work/bare has no matplotlib; install python3-matplotlib" "${large[@]}" --report "$work/a.html"
refuses 4 "python3-matplotlib" validate --physics --report "$work/a.html"
[ -s "$work/out" ] && complain "measured before a page that cannot be drawn"
refuses 4 "$work/no/a.html" "${large[@]}" --report "$work/no/a.html"
unset WEFT_PYTHON
[ -z "$(ls "$work" | grep '^a\.')" ] || complain "left behind: $(ls "$work")"

# ---- Python gives up amidst: what was measured is kept, and named ----
printf '#!/bin/sh\nfor last; do :; done\n[ "$last" = --check ] && exit 0\necho half\necho "no room" >&2; exit 1\n' >"$work/broken"
chmod +x "$work/broken"
WEFT_PYTHON=$work/broken refuses 4 "could not be drawn: no room; what was measured is in $work/b.html.json" "${one[@]}" --report "$work/b.html"
[ -e "$work/b.html" ] && complain "half a page is there"
run 0 bench --compare "$work/b.html.json" --from "$work/b.html.json"
prints "1 of 1 rows compared"
WEFT_PYTHON=$work/broken refuses 4 "what was measured is in $work/c.json" "${one[@]}" --format json -o "$work/c.json" --report "$work/c.html"
[ -e "$work/c.html.json" ] && complain "kept twice"
WEFT_PYTHON=$work/broken run 4 validate --physics pair --report "$work/d.html"
grep -q '"name": "pair"' "$work/d.html.json" || complain "the results of --physics are lost"
rm "$work"/[bcd].*

if ! have_matplotlib; then
  echo "the rest is skipped: no Python with matplotlib"
  finish
fi

# ---- from any folder, with a module there that is none of ours; an old page is replaced ----
mkdir "$work/elsewhere"
echo "raise SystemExit(9)" >"$work/elsewhere/json.py"
echo old >"$work/elsewhere/page.html"
(cd "$work/elsewhere" && run 0 "${one[@]}" --report page.html && exit "$failures") || complain "from another folder"
grep -q "<h1>" "$work/elsewhere/page.html" || complain "no page in another folder"
[ -z "$(ls "$work/elsewhere" | grep tmp)" ] || complain "left behind: $(ls "$work/elsewhere")"

# ---- figures that are computed for the page ----
run 0 "${one[@]}" --format json -o "$work/one.json"
python3 - "$work" <<'PY'
import copy, json, sys
def write(name, all): json.dump(all, open("%s/%s.json" % (sys.argv[1], name), "w"))
all = json.load(open(sys.argv[1] + "/one.json"))
def row(backend, size, ms, hash="0x0123456789abcdef", settings="20 x 1, dt 0.0166667"):
    r = copy.deepcopy(all["rows"][0])
    r.update(backend=backend, size=size, particles=size * size, hash=hash, ms_per_frame_median=ms, ms_per_frame_min=.9 * ms,
             ms_per_frame_p95=1.1 * ms, settings=settings + (", threads 2" if backend == "cpu" else ""))
    return r
all.update(scaling=[], load_before=.25, processors=2)
all["rows"] = [row("ref", 10, 40), row("cpu", 10, 10), row("ref", 20, 160), row("cpu", 20, 20)]
write("four", all)
all["rows"][3]["hash"] = "0x1123456789abcdef"
write("differs", all)
all["rows"][3]["settings"] = "10 x 2, dt 0.0166667"  # other work: no states to compare
write("other_work", all)
all["rows"] = [row("f64", 10, 50, "0x2"), row("cpu", 10, 10)]
write("doubles", all)
all["load_before"] = 2.5
all["rows"][0]["scene"] = "<b>&\"odd\""
write("odd", all)
for key in ("passes", "roofline_ms_per_frame", "strain_p99", "schedule", "settings", "samples", "copy_bytes_per_s"):
    for r in all["rows"]: r.pop(key, None)
for key in ("scaling", "load_before", "processors"): all.pop(key)
write("old", all)
PY
draw() { run 0 bench --from "$work/$1.json" --report "$work/$1.html"; check_page "$work/$1.html"; }
draw four
page_says "$work/four.html" "PASS: all states equal" "<h1>cpu is the fastest: 20.0 ms a frame for 400 particles, 8.00 times faster than ref</h1>" \
  "In all 2 cases that ran" "hanging up to 100 particles (cpu, 10.0 ms)" "<td>4.00×</td>" "<td>8.00×</td>" "<td>100</td>" \
  "0.25 before the start, on 2 processors</dd>"
grep -q DIFFERENT "$work/four.html" && complain "a state differs from itself"
draw differs
page_says "$work/differs.html" "FAIL: states differ" "DIFFERENT STATES: hanging 20, cpu did not end" \
  '<code>0x1123456789abcdef</code> <span class="fail">DIFFERENT</span>'
[ "$(grep -o '>DIFFERENT<' "$work/differs.html" | wc -l)" = 1 ] || complain "more than one row differs"
draw other_work
page_says "$work/other_work.html" "PASS: all states equal" "In all 1 case that ran"
draw doubles
page_says "$work/doubles.html" "No two rows did the same work"
grep -q "DIFFERENT\|badge" "$work/doubles.html" && grep -q 'class="badge' "$work/doubles.html" && complain "a verdict of nothing"
draw odd
page_says "$work/odd.html" "&lt;b&gt;&amp;&quot;odd&quot;" "2.50 before the start, on 2 processors: other programs were running"
draw old

# ---- the script by itself: files it does not know get one sentence ----
for python in "${WEFT_PYTHON:-python3}" /usr/bin/python3; do "$python" -c 'import matplotlib' 2>/dev/null && break; done
script=$(dirname "$0")/../../scripts/report.py
says() { # says STATUS TEXT FILE
  local status=0
  "$python" "$script" "$work/$3" -o "$work/x.html" >"$work/out" 2>"$work/err" || status=$?
  [ $status = "$1" ] || complain "$3: status $status, wanted $1"
  [ "$(wc -l <"$work/err")" = 1 ] && grep -qF -e "$2" "$work/err" || complain "$3: no \"$2\" in: $(head -5 "$work/err")"
  [ -e "$work/x.html" ] && complain "$3: a page of nothing"
}
says 3 "cannot be read" nothing.json
printf '{\n"rows": [\n{]\n' >"$work/e1.json" && says 3 "line 3: " e1.json
echo '[]' >"$work/e2.json" && says 3 'no "build"' e2.json
echo '{"build": {}}' >"$work/e3.json" && says 3 'neither "rows"' e3.json
echo '{"build": {}, "rows": []}' >"$work/e4.json" && says 3 "nothing to draw" e4.json
echo '{"build": {}, "rows": [7]}' >"$work/e5.json" && says 3 "row 0: not an object" e5.json
sed 's/"hash": /"hush": /' "$work/one.json" >"$work/e6.json" && says 3 'row 0 has no usable "hash"' e6.json
sed 's/"particles": [0-9]*/"particles": "many"/' "$work/one.json" >"$work/e7.json" && says 3 'row 0 has no usable "particles"' e7.json
echo '{"build": {}, "cases": [{"name": "a", "title": "b", "rows": [{"what": "c"}]}]}' >"$work/e8.json"
says 3 'row "c" of a has no "measured"' e8.json
printf '\377\376' >"$work/e9.json" && says 3 "no text in UTF-8" e9.json
"$python" "$script" "$work/four.json" | grep -q "</html>" || complain "nothing on standard output"
"$python" "$script" "$work/four.json" -o "$work/no/x.html" 2>"$work/err" && complain "written into no folder"
grep -q "$work/no/x.html: cannot write" "$work/err" || complain "not said: $(cat "$work/err")"
finish
