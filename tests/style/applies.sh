#!/usr/bin/env bash
# What breaks and extends copies of the sources still fits them: rows of faults.tsv find their text, patches apply.
# Usage: applies.sh FOLDER. The copies themselves are built by ctest -C faults and ctest -C extend.
set -euo pipefail
cd "$1"
rows=0 patches=0 failures=0
complain() {
  echo "$*"
  failures=$((failures + 1))
}
while IFS=$'\t' read -r file change what; do
  [[ $file = \#* || -z $file ]] && continue
  rows=$((rows + 1))
  if perl -0777 -pe "$change" "$file" | cmp -s - "$file"; then complain "$what: nothing in $file for $change"; fi
done <tests/oracle/faults.tsv
for patch in tests/extend/*.patch; do
  patches=$((patches + 1))
  git apply --check "$patch" || complain "$patch does not apply"
done
echo "$rows faults and $patches patches, $failures stale"
[ "$rows" -gt 100 ] && [ "$patches" -ge 5 ] && [ "$failures" -eq 0 ]
