#!/usr/bin/env bash
# Every C and C++ file is as clang-format leaves it. Argument: the project's folder.
set -euo pipefail
cd "$1"
if ! command -v clang-format >/dev/null; then
  echo "clang-format was not found; install the Debian package clang-format" >&2
  exit 1
fi
find src include tests examples \( -name '*.[ch]' -o -name '*.cpp' \) -print0 | sort -z | xargs -0 clang-format --dry-run --Werror
