#!/usr/bin/env bash
# Runs glslangValidator over every shader and permutation. Arguments: expand_shaders, work folder.
set -euo pipefail
expand=$1 folder=$2
if ! command -v glslangValidator >/dev/null; then
  echo "glslangValidator was not found; install the Debian package glslang-tools" >&2
  exit 1
fi
rm -rf "$folder"
mkdir -p "$folder"
"$expand" "$folder" >"$folder/list.txt"
count=0 failed=0
while read -r file path defines; do
  count=$((count + 1))
  if ! glslangValidator "$folder/$file" >"$folder/log.txt" 2>&1 ||
    grep -qE '^(WARNING|ERROR)' "$folder/log.txt"; then
    failed=$((failed + 1))
    echo "$path [$defines]:"
    grep -E '^(WARNING|ERROR)' "$folder/log.txt" || cat "$folder/log.txt"
  fi
done <"$folder/list.txt"
echo "$count programs checked, $failed with complaints"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
