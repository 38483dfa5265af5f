#!/usr/bin/env bash
# Kills weft at random moments and looks for torn and forgotten files: see kills.py. Usage: kills.sh WEFT [COUNT [SEED [JOB...]]]
set -euo pipefail
exec python3 "$(dirname "$0")/kills.py" "$1" "${2:-200}" "${3:-1}" "${@:4}"
