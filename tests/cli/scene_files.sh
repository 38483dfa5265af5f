#!/usr/bin/env bash
# Scene files: every scene and command line written as one ends in the state it ends in without; what is wrong is said with
# file, line and key; options win; the schema is that of the tables.
. "$(dirname "$0")/helpers.bash"
tests=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$tests/../.." && pwd)
backends="ref cpu gl"
have_gl || backends="ref cpu"
hash_of() { sed -n 's/^  hash *//p' "$work/out"; }
# ends HASH FILE OPTIONS...: on every backend
ends() {
  local wanted=$1 backend
  shift
  for backend in ${on:-$backends}; do
    run 0 simulate "$@" --backend "$backend" --log-level error
    [ "$(hash_of)" = "$wanted" ] || complain "$* on $backend: $(hash_of), wanted $wanted"
  done
}

# ---- every built-in scene, at a size whose hash is recorded ----
scenes=$("$weft" info | awk '/^Scenes/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
count=0
mkdir "$work/shown"
for scene in $scenes; do
  line=$(grep -E "^[0-9a-f]{16} $scene " "$tests/hashes.txt" | grep -vE -- '--(instances|vary|threads)' | head -1)
  read -r wanted _ options <<<"$line"
  [ -n "$wanted" ] || { complain "no hash of $scene in hashes.txt"; continue; }
  # shellcheck disable=SC2086 # options are words
  run 0 scene show "$scene" $options -o "$work/shown/$scene.weft.json" --log-level error
  ends "$wanted" "$work/shown/$scene.weft.json"
  count=$((count + 1))
done
[ $count -ge 20 ] || complain "only $count scenes"
# Shown on standard output it is the same file; without options those that the scene has are named.
run 0 scene show skirt
for key in '"scene": "skirt"' '"size": 72' '"fabric": "tablecloth"' '"self_collision": true' '"thickness": 0.004'; do prints "$key"; done

# ---- all that a file can say ----
awk 'BEGIN { n = 8
  for (r = 0; r < n; ++r) for (c = 0; c < n; ++c) {
    paint = (r == 0 || r == n - 1) && (c == 0 || c == n - 1) ? "1 0 0" : "0 0 0"
    print "v", c / n, 1 - r / n, 0, paint }
  for (r = 0; r + 1 < n; ++r) { print r == 0 ? "g waist" : "g panel"
    for (c = 0; c + 1 < n; ++c) { a = n * r + c + 1; print "f", a, a + n, a + n + 1, a + 1 } } }' >"$work/sheet.obj"
ball 0.05 6 8 >"$work/ball.obj"
cat >"$work/all.weft.json" <<'JSON'
{
  "weft": 1,
  "about": "all that a file can say",
  "frames": 5,
  "outputs": ["out.obj"],
  "cloth": {
    "file": "sheet.obj",
    "group": ["waist", "panel"],
    "unit": "m",
    "scale": 1,
    "up": "y",
    "turn": [0, 0, 0],
    "move": [0, 0.2, 0],
    "weld": "seams",
    "keep_order": false,
    "attach": "off",
    "layer": {"@0": 1},
    "fabric": {"name": "tshirt", "bending": 1e-5},
    "bending": "isometric",
    "no_shear": false,
    "seed": 3
  },
  "pins": [
    {"rule": "top", "weight": 0.75, "keys": [{"time": 0, "move": [0, 0, 0]}, {"time": 0.05, "move": [0, 0.01, 0], "turn": [0, 3, 0]}]},
    {"box": [-1, -1, -1, 0.01, 2, 1]},
    {"group": "waist"},
    {"vertices": [63]},
    {"colour": [1, 0, 0, 0.1]}
  ],
  "bodies": [
    {"file": "ball.obj", "unit": "m", "scale": 1, "up": "y", "friction": [0.5, 0.4], "thickness": 0.004,
     "keys": [{"time": 0}, {"time": 1, "translation": [0, 0.02, 0]}]}
  ],
  "colliders": [
    {"sphere": [0, 0, 0.6, 0.1], "friction": [0.6, 0.5], "keys": [{"time": 0, "move": [0, 0, 0]}, {"time": 1, "move": [0, 0.1, 0], "turn": [0, 90, 0]}]},
    {"box": [0, 0, 1, 0.1, 0.1, 1.1], "rotation": [0, 30, 0]},
    {"plane": [0, 1, 0, -2]},
    {"capsule": [0, 0, 2, 0, 1, 2, 0.1], "friction": 0.3}
  ],
  "shift_colliders": [[1, 0, 0.01, 0]],
  "ground": -1,
  "friction": [0.5, 0.4],
  "parameters": {
    "plain": false,
    "max_strain": 0.2,
    "tangled": "loosen",
    "fps": 100,
    "air_density": 1.2,
    "gust": 0.2,
    "wind": [1, 0, 0],
    "self_dynamic": 0.3
  },
  "keys": [
    {"time": 0, "wind": [0, 0, 0]},
    {"time": 0.03, "wind": [3, 0, 1], "gravity": [0, -9.81, 0]},
    {"time": 0.04, "gravity": [0, -5, 0], "substeps": 24, "self_iterations": 6}
  ]
}
JSON
run 0 simulate "$work/all.weft.json" --backend ref
wanted=$(hash_of)
[ -s "$work/out.obj" ] || complain "outputs: no $work/out.obj beside the scene file"
ends "$wanted" "$work/all.weft.json"
# Written again, here and elsewhere, it is the same; paths lead back.
mkdir -p "$work/a/b"
(cd "$work" && run 0 scene show all.weft.json -o a/b/again.weft.json)
grep -qF '"../../sheet.obj"' "$work/a/b/again.weft.json" || complain "the path does not lead back: $(grep file "$work/a/b/again.weft.json")"
on=cpu ends "$wanted" "$work/a/b/again.weft.json"
(cd "$work/a" && run 0 scene show b/again.weft.json -o ../twice.weft.json && run 0 scene show ../twice.weft.json -o b/third.weft.json)
cmp -s "$work/a/b/again.weft.json" "$work/a/b/third.weft.json" || complain "a file that is written again is another: $(diff "$work/a/b/again.weft.json" "$work/a/b/third.weft.json")"
if have_gl; then
  run 0 validate "$work/all.weft.json" --log-level error
  prints "EQUAL in every bit"
fi
run 0 bench "$work/all.weft.json" --frames 2 --backend ref --log-level error
prints "sheet.obj"
run 0 bench "$work/shown/heap.weft.json" --frames 2 --backend cpu --log-level error
prints "heap  "
run 0 inspect "$work/all.weft.json"
if have_gl; then
  run 0 render "$work/shown/hanging.weft.json" --frame 2 --width 64 --height 48 -o "$work/a.png" --log-level error
  [ -s "$work/a.png" ] || complain "render drew nothing"
fi

# ---- a garment and a person, made by others: everything moves ----
if [ -d "${WEFT_MESH_DIR:-}" ]; then
  cat >"$work/garment.weft.json" <<JSON
{
  "weft": 1,
  "frames": 5,
  "cloth": {"file": "$WEFT_MESH_DIR/animated/makehuman_skirt.obj", "fabric": "tshirt"},
  "pins": [{"rule": "top", "keys": [{"time": 0}, {"time": 0.08, "move": [0, 0.02, 0], "turn": [0, 8, 0]}]}],
  "bodies": [{"file": "$WEFT_MESH_DIR/animated/makehuman_walk_rest.obj", "motion": "$WEFT_MESH_DIR/animated/makehuman_walk.pc2",
              "fps": 60, "friction": [0.6, 0.5]}],
  "keys": [{"time": 0, "wind": [0, 0, 0]}, {"time": 0.05, "wind": [0, 0, 4], "substeps": 24}]
}
JSON
  run 0 simulate "$work/garment.weft.json" --backend ref --log-level error
  garment=$(hash_of)
  ends "$garment" "$work/garment.weft.json"
  run 0 simulate "$work/garment.weft.json" --backend ref --log-level error --frames 3
  three=$(hash_of)
  run 0 scene show "$work/garment.weft.json" -o "$work/a/garment.weft.json" --log-level error
  on=cpu ends "$garment" "$work/a/garment.weft.json"
  # Without its keys it goes another way.
  sed '/"keys": \[{"time": 0, "wind"/d; s/\[0.6, 0.5\]}\],/[0.6, 0.5]}]/; s/, "keys": \[{"time": 0}[^}]*}\]//' "$work/garment.weft.json" >"$work/still.weft.json"
  run 0 simulate "$work/still.weft.json" --backend cpu --log-level error --frames 3
  [ "$(hash_of)" != "$three" ] || complain "keys of the garment change nothing"
fi

# ---- options beside a file win ----
run 0 simulate hanging --size 12 --frames 3 --wind 2,0,0 --pin left --backend cpu
wanted=$(hash_of)
run 0 scene show hanging --size 20 --wind 0,0,9 --pin top --pin-key 0,0,0,0 --frames 9 -o "$work/h.weft.json"
on=cpu ends "$wanted" "$work/h.weft.json" --size 12 --frames 3 --wind 2,0,0 --pin left
run 0 scene show "$work/h.weft.json" --pin left
prints '"rule": "left"'
grep -qF '"top"' "$work/out" && complain "pins of the file stay beside --pin"
cp "$work/all.weft.json" "$work/o.weft.json"
rm "$work/out.obj"
run 0 simulate "$work/o.weft.json" -o "$work/other.obj" --fps 50 --log-level error
[ -e "$work/out.obj" ] && complain "outputs of the file are written beside -o"
# The same said by options alone.
run 0 simulate "$work/sheet.obj" --pin corners --pin-key 0,0,0,0 --pin-key 0.1,0,0.2,0,0,20,0 --pin-weight 0.5@0.05 --key wind=0,0,0@0 \
  --key wind=0,0,5@0.1 --fabric tshirt,area_density=0.3 --frames 9 --backend cpu --log-level error
wanted=$(hash_of)
run 0 scene show "$work/sheet.obj" --pin corners --pin-key 0,0,0,0 --pin-key 0.1,0,0.2,0,0,20,0 --pin-weight 0.5@0.05 --key wind=0,0,0@0 \
  --key wind=0,0,5@0.1 --fabric tshirt,area_density=0.3 --frames 9 -o "$work/k.weft.json"
ends "$wanted" "$work/k.weft.json"

# ---- what is wrong ----
run 0 scene show hanging -o "$work/plain.weft.json"
refuses 2 'weft simulate: --fabric: "none such" is none of' simulate "$work/plain.weft.json" --fabric "none such"
refuses 2 'weft simulate: unknown option --sizes, did you mean --size' simulate "$work/plain.weft.json" --sizes 3
refuses 2 '--pin-key: stands behind the --pin that it is of' simulate hanging --pin-key 0,0,0,0
refuses 2 '--pin-weight: 2 is out of range, allowed is 0 to 1' simulate hanging --pin top --pin-weight 2
refuses 2 '--key: "wnd" is no parameter, did you mean wind?' simulate hanging --key wnd=1@2
refuses 2 '--key: frame_dt is the same in all frames' simulate hanging --key frame_dt=0.1@2
refuses 2 '--key: the time 1 s does not come after 2 s' simulate hanging --key gust=0@2 --key gust=1@1
refuses 2 '--pin-weight: not for several --instances' simulate hanging --pin top --pin-weight 0.5 --instances 2
refuses 2 '"shwo" is none of show, schema' scene shwo
refuses 3 "$work/none.weft.json" simulate "$work/none.weft.json"
mkdir "$work/broken"
python3 "$tests/broken_scenes.py" "$work/all.weft.json" "$work/broken" "$root/docs/scene.schema.json" || complain "$(basename "$root/docs/scene.schema.json")"
cp "$work/sheet.obj" "$work/ball.obj" "$work/broken"
broken=0
while IFS=$'\t' read -r name line key; do
  status=0
  file=$work/broken/$name.weft.json
  "$weft" simulate "$file" --frames 1 --backend ref >"$work/out" 2>"$work/err" </dev/null || status=$?
  message=$(grep -v '^weft: ' "$work/err")
  begin="weft simulate: $file:"
  [ "$key" = - ] || after=": $key"
  [ "$key" = - ] && after=": "
  [ "$line" = - ] && line='[0-9-]*'
  # shellcheck disable=SC2053 # a pattern
  [ $status = 3 ] && [[ $message == "$begin"$line"$after"* ]] || complain "$name (line $line, $key): status $status: $message"
  [ "$(wc -l <<<"$message")" = 1 ] || complain "$name: $message"
  broken=$((broken + 1))
done <"$work/broken/list"
[ $broken -ge 200 ] || complain "only $broken broken files"
for command in validate render bench demo inspect; do
  run 3 $command "$work/broken/b000.weft.json"
  grep -qF "weft $command: $work/broken/b000.weft.json:" "$work/err" || complain "weft $command: $(cat "$work/err")"
done

# ---- the schema ----
"$weft" scene schema | cmp - "$root/docs/scene.schema.json" || complain "docs/scene.schema.json: run weft scene schema >docs/scene.schema.json"
python3 - "$root/docs/scene.schema.json" "$root/docs/scenes.md" "$work"/*.weft.json "$work"/shown/*.json "$root"/examples/*.json <<'PY' || complain "schema"
import json, re, sys
schema, page, *files = sys.argv[1:]
schema = json.load(open(schema))
try:
    import jsonschema
    for file in files:
        for error in jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(file))):
            sys.exit(f"{file}: {error.json_path}: {error.message}")
    print(f"{len(files)} scene files are of the schema")
except ImportError:
    pass
# The page names every key in the table of its section.
text = open(page).read()
wrong = []
for name, part in [("file", schema), *schema["$defs"].items()]:
    table = re.search(rf"<!-- {name} -->\n(.*?)\n\n", text, flags=re.S)
    if not table:
        wrong.append(f"no table of {name}")
        continue
    said = set(re.findall(r"^\| `(\w+)`", table[1], flags=re.M))
    keys = set(part["properties"])
    if name in ("parameters", "key"):  # the rest are rows of weft/params.def
        said, keys = said - keys, keys & {"plain", "mueller2007", "max_strain", "fps", "tangled", "time"} - said
    wrong += [f"{name}: no {key}" for key in sorted(keys - said)] + [f"{name}: {key} is none" for key in sorted(said - keys)]
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
PY
finish
