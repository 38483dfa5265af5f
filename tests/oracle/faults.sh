#!/usr/bin/env bash
# Breaks weft on purpose, one fault at a time in a copy, and demands that a test of tests/oracle
# goes red: a test that cannot fail proves nothing.
#   tests/oracle/faults.sh [TABLE] [PATTERN]   all rows of faults.tsv, or those that match a pattern
# A row of the table is a file, a Perl substitution that must change it, and what that breaks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
table=${1:-$here/faults.tsv}
pattern=${2:-.}
tests=(test_oracle test_rest_data test_rest_order)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
survived=0 rows=0

(cd "$root" && tar --exclude=./build --exclude=./.git -cf - .) | tar -xf - -C "$work"
cmake -S "$work" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_BUILD_GL=OFF \
  -DWEFT_MESH_DIR="${WEFT_MESH_DIR:-$root/../shared/meshes}" >"$work/log"

build() { cmake --build "$work/build" --target "${tests[@]}" >"$work/log" 2>&1; }

# The first test that goes red, and its first complaint; nothing when all are green.
first_red() {
  local test
  for test in "${tests[@]}"; do
    timeout 120 "$work/build/tests/$test" >"$work/out" 2>&1 && continue
    echo "$test: $(grep -aoE '(ERROR: |--- ).*' "$work/out" | grep -avE 'Failure!|LINE' | head -1 |
      sed -E 's/^(ERROR: |--- )+//; s/: weft (is at|goes).*, (a d)/: \2/' | cut -c1-100)"
    return
  done
}

build || { tail -30 "$work/log"; echo "the copy does not build"; exit 1; }
red=$(first_red)
[ -z "$red" ] || { echo "red without any fault: $red"; exit 1; }
echo "ok: the copy is green without a fault"

while IFS=$'\t' read -r file change what; do
  [[ $file = \#* || -z $file ]] && continue
  [[ "$file $change $what" =~ $pattern ]] || continue
  rows=$((rows + 1))
  perl -0777 -pi -e "$change" "$work/$file"
  if cmp -s "$root/$file" "$work/$file"; then
    red="" what="$what (the substitution changes nothing)"
  elif build; then
    red=$(first_red)
  else
    red="" what="$what (does not compile)"
  fi
  if [ -n "$red" ]; then
    printf 'red       %-58s %s\n' "$what" "$red"
  else
    printf 'SURVIVED  %-58s %s: %s\n' "$what" "$file" "$change"
    survived=$((survived + 1))
  fi
  cp "$root/$file" "$work/$file"
done <"$table"

echo "$rows faults, $survived survived"
[ "$rows" -gt 0 ] && [ "$survived" -eq 0 ]
