#!/usr/bin/env bash
# A new thing is a few files, and a missing piece stops the build with a sentence that names it.
#   tests/extend/run.sh [PATTERN]   all checks, or those whose name matches
# Each patch here is a recipe of docs/extending.md. It is applied to a copy of the sources, touches no more files than the
# recipe says (tests are not counted), builds, and passes its own test: physics, and the same bits on every backend. Then
# each registry loses a row, or a row the file it needs.
set -euo pipefail
export LC_ALL=C # plain quotes in messages
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
pattern=${1:-.}
jobs=${WEFT_JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree log=$work/log weft=$work/build/weft failures=0 checks=0

fail() {
  echo "FAILED    $*"
  failures=$((failures + 1))
}

mkdir "$tree"
(cd "$root" && tar --exclude=./build --exclude=./.git -cf - .) | tar -xf - -C "$tree"
git -C "$tree" init -q
git -C "$tree" add -A
git -C "$tree" -c user.name=extend -c user.email=extend@localhost commit -qm base

configure() { cmake -S "$tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_WERROR=ON >"$log" 2>&1; }
build() { cmake --build "$work/build" -j"$jobs" --target "$@" >"$log" 2>&1; }
restore() {
  git -C "$tree" reset -q --hard
  git -C "$tree" clean -qfd
}

# What users see of it, once weft is built with the patch: PARAMETER in help and JSON, and rows of another VALUE are not paired.
seen() {
  local parameter=$1 value=$2 option=--${1//_/-}
  local bench=("$weft" bench --scene hanging --size 8 --backend ref --frames 1 --samples 1 --format json)
  "$weft" simulate --help all >"$work/help"
  grep -qe "$option " "$work/help" || { echo "no option"; return 1; }
  "${bench[@]}" -o "$work/plain.json" && "${bench[@]}" "$option" "$value" -o "$work/other.json"
  grep -q "\"$parameter\": $value" "$work/other.json" || { echo "not in the JSON"; return 1; }
  # Nothing is compared, so the status is 1.
  "$weft" bench --compare "$work/plain.json" --from "$work/other.json" >"$work/compared" || :
  grep -q '0 of 1 rows compared' "$work/compared"
}
seen_parameter() { seen gravity_scale 0.5; }
seen_count() { seen collider_sweeps 3; }
seen_trampoline() { "$weft" simulate trampoline --size 8 --frames 1 --backend ref >/dev/null; }
seen_cylinder() {
  "$weft" simulate drape --size 8 --frames 1 --backend ref --collider cylinder:-1,0.5,0,1,0.5,0,0.1 >/dev/null
}
seen_area() { :; }
seen_format() {
  "$weft" simulate hanging --size 4 --frames 1 --backend ref -o "$work/points.xyz" >/dev/null &&
    [ "$(grep -c '' "$work/points.xyz")" = 16 ]
}
seen_pass() {
  "$weft" validate --level kernel --pass settle >"$work/kernels" && grep -q EQUAL "$work/kernels"
}

# recipe NAME LIMIT TEST
recipe() {
  local name=$1 limit=$2 test=$3 files
  [[ $name =~ $pattern ]] || return 0
  checks=$((checks + 1))
  restore
  git -C "$tree" apply "$here/$name.patch" || { fail "$name.patch does not apply"; return 0; }
  git -C "$tree" add -A
  files=$(git -C "$tree" diff --cached --name-only | grep -cv '^tests/')
  [ "$files" -le "$limit" ] || fail "$name.patch touches $files files, at most $limit are allowed"
  if ! configure || ! build "$test" weft; then
    grep -E 'error|CMake Error' -A3 "$log" | head -20
    fail "$name.patch does not build"
  elif ! "$work/build/tests/$test" >"$log" 2>&1; then
    tail -20 "$log"
    fail "$test"
  elif ! "seen_$name" >"$log" 2>&1; then
    tail -5 "$log"
    fail "$name does not reach the program"
  else
    echo "ok        $name: $files files, $test"
  fi
}

# missing NAME WORDS SCRIPT: after SCRIPT in the copy the build must fail and say WORDS.
missing() {
  local name=$1 words=$2 script=$3
  [[ "missing $name" =~ $pattern ]] || return 0
  checks=$((checks + 1))
  restore
  (cd "$tree" && bash -c "$script")
  if [ -z "$(git -C "$tree" status --porcelain)" ]; then
    fail "without $name: the copy is unchanged: $script"
  elif configure && build weft; then
    fail "without $name: the copy builds"
  elif ! grep -E 'rror|undefined' -A6 "$log" | tr -s ' \n' '  ' | grep -qF -- "$words"; then
    grep -E 'rror|undefined' -A6 "$log" | head -12
    fail "without $name: no sentence with \"$words\""
  else
    echo "ok        without $name: $words"
  fi
}

# What a configuration alone refuses comes first, then what the compiler does.
missing "a kernel of a constraint" \
  'constraints.def has a row "dihedral", but there is no file shaders/kernels/constraint_dihedral.h' \
  'rm shaders/kernels/constraint_dihedral.h'
missing "the numbers of a constraint" \
  'constraints.def has a row "dihedral", but there is no file src/core/solver/fill_dihedral.c' \
  'rm src/core/solver/fill_dihedral.c'
missing "the measure of a constraint" \
  'constraints.def has a row "dihedral", but there is no file src/core/solver/measure_dihedral.c' \
  'rm src/core/solver/measure_dihedral.c'
missing "a row of constraints" \
  'constraint_dihedral.h is there, but include/weft/constraints.def has no row "dihedral"' \
  'sed -i /^WEFT_CONSTRAINT.DIHEDRAL/d include/weft/constraints.def'
missing "a row of shapes" 'shape_box.h is there, but src/core/solver/shapes.def has no row "box"' \
  'sed -i /^WEFT_SHAPE.BOX/d src/core/solver/shapes.def'
missing "the kernel of a shape" \
  'shapes.def has a row "box", but there is no file shaders/kernels/shape_box.h' \
  'rm shaders/kernels/shape_box.h'
missing "a row of passes" 'lra.h is there, but src/core/solver/passes.def has no row "lra"' \
  'perl -0777 -pi -e "s/WEFT_PASS\(LRA,.*?\n\n/\n/s" src/core/solver/passes.def'
missing "the text of a pass" \
  'passes.def has a row "lra", but there is no file shaders/passes/lra.h' \
  'rm shaders/passes/lra.h'
missing "a row of buffers" 'WEFT_BUFFER_LRA' 'sed -i /^WEFT_BUFFER.LRA/d src/core/solver/buffers.def'
missing "a row of parameters" "has no member named 'skin_friction'" \
  'perl -pi -e "s/^WEFT_REAL\(skin_friction,.*\n//" include/weft/params.def'
missing "a row of scenes" "no previous prototype for 'weft_make_drape'" \
  'sed -i /^WEFT_SCENE.drape/d src/kit/scenes/scenes.def'
missing "the function of a scene" 'weft_make_tumble' 'rm src/kit/scenes/tumble.c'

recipe parameter 2 test_gravity_scale
recipe count 2 test_collider_sweeps
recipe trampoline 2 test_trampoline
recipe cylinder 5 test_cylinder
recipe format 3 test_xyz
recipe pass 4 test_settle
recipe area 6 test_area

echo "$checks checks, $failures failed"
[ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
