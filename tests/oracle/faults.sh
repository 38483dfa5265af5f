#!/usr/bin/env bash
# Breaks weft on purpose, one fault at a time in a copy, and demands that a test of tests/oracle, of
# pairs of floats or of self-collision goes red: a test that cannot fail proves nothing.
#   tests/oracle/faults.sh [TABLE] [PATTERN]   all rows of faults.tsv, or those that match a pattern
# A row of the table is a file, a Perl substitution that must change it, and what that breaks. Those
# in the section "# self-collision" are for the tests of self-collision, which need OpenGL to build.
# WEFT_FAULTS_JOBS copies are broken side by side, as many as there are processors.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
table=${1:-$here/faults.tsv}
pattern=${2:-.}
jobs=${WEFT_FAULTS_JOBS:-$(nproc)}
tests=(test_oracle test_rest_data test_rest_order test_compensated test_origin)
self_tests=(test_self_proof test_self_star test_self_lists test_self_exact test_self_collision
  test_self_bits test_self_friction test_self_motion)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The sources as they are now: what changes later changes no row.
clean=$work/clean
mkdir "$clean"
(cd "$root" && tar --exclude=./build --exclude=./.git -cf - .) | tar -xf - -C "$clean"

# copy_of NUMBER: a copy of the sources, built.
copy_of() {
  local copy=$work/$1
  cp -r "$clean" "$copy"
  cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DWEFT_MESH_DIR="${WEFT_MESH_DIR:-$root/../shared/meshes}" >"$copy/log"
  build "$copy" "${tests[@]}" "${self_tests[@]}" ||
    { tail -30 "$copy/log"; echo "copy $1 does not build"; return 1; }
}

# build COPY TESTS...
build() { cmake --build "$1/build" -j1 --target "${@:2}" >"$1/log" 2>&1; }

# first_red COPY TESTS...: the first of them that goes red, and its first complaint; nothing when all
# are green.
first_red() {
  local test
  for test in "${@:2}"; do
    timeout 300 "$1/build/tests/$test" >"$1/out" 2>&1 && continue
    echo "$test: $(grep -aoE '(ERROR: |--- ).*' "$1/out" | grep -avE 'Failure!|LINE' | head -1 |
      sed -E 's/^(ERROR: |--- )+//; s/: weft (is at|goes).*, (a d)/: \2/' | cut -c1-100)"
    return
  done
}

# try COPY FILE CHANGE WHAT TESTS...: one line, red or SURVIVED.
try() {
  local copy=$1 file=$2 change=$3 what=$4 red=""
  shift 4
  perl -0777 -pi -e "$change" "$copy/$file"
  if cmp -s "$clean/$file" "$copy/$file"; then
    what="$what (the substitution changes nothing)"
  elif build "$copy" "$@"; then
    red=$(first_red "$copy" "$@")
  else
    what="$what (does not compile)"
  fi
  if [ -n "$red" ]; then
    printf 'red       %-58s %s\n' "$what" "$red"
  else
    printf 'SURVIVED  %-58s %s: %s\n' "$what" "$file" "$change"
  fi
  cp "$clean/$file" "$copy/$file"
}

# Every row that matches, of those that fall to this copy.
try_rows() {
  local number=$1 row=0 file change what used=("${tests[@]}")
  while IFS=$'\t' read -r file change what; do
    case $file in
      "# self-collision") used=("${self_tests[@]}") ;;
      \#*) used=("${tests[@]}") ;;
    esac
    [[ $file = \#* || -z $file ]] && continue
    [[ "$file $change $what" =~ $pattern ]] || continue
    row=$((row + 1))
    if [ $((row % jobs)) -eq "$number" ]; then
      try "$work/$number" "$file" "$change" "$what" "${used[@]}"
    fi
  done <"$table"
}

pids=()
for ((number = 0; number < jobs; ++number)); do copy_of "$number" & pids+=($!); done
for pid in "${pids[@]}"; do wait "$pid"; done
red=$(first_red "$work/0" "${tests[@]}" "${self_tests[@]}")
[ -z "$red" ] || { echo "red without any fault: $red"; exit 1; }
echo "ok: the copy is green without a fault"

pids=()
for ((number = 0; number < jobs; ++number)); do
  try_rows "$number" | tee "$work/report_$number" &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
rows=$(cat "$work"/report_* | wc -l)
survived=$(cat "$work"/report_* | grep -c '^SURVIVED' || true)
echo "$rows faults, $survived survived"
[ "$rows" -gt 0 ] && [ "$survived" -eq 0 ]
