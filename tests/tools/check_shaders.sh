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
# One run for all of them; what it says of a file follows its name.
count=$(wc -l <"$folder/list.txt")
(cd "$folder" && cut -d' ' -f1 list.txt | xargs glslangValidator >log.txt 2>&1) || true
failed=$(awk -v folder="$folder" '
  NR == FNR {name = $1; $1 = ""; path[name] = $0; next}
  $0 in path {file = $0; next}
  /^(WARNING|ERROR)/ {if (!(file in bad)) {bad[file] = 1; ++failed; print path[file] ":" > "/dev/stderr"}; print > "/dev/stderr"}
  END {print failed + 0}' "$folder/list.txt" "$folder/log.txt")
seen=$(grep -cxF -f <(cut -d' ' -f1 "$folder/list.txt") "$folder/log.txt")
echo "$count programs checked, $failed with complaints"
[ "$count" -gt 100 ] && [ "$seen" -eq "$count" ] && [ "$failed" -eq 0 ]
