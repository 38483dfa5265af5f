#!/usr/bin/env bash
# A Python program with the package that is built. Usage: run.sh PACKAGES FILE [ARGUMENTS...]. WEFT_PYTHON: which Python.
set -u
for python in ${WEFT_PYTHON:+"$WEFT_PYTHON"} python3 /usr/bin/python3; do
  if "$python" -c "import cffi, numpy" 2>/dev/null; then
    export PYTHONPATH=$1 PYTHONDONTWRITEBYTECODE=1 PYTHONFAULTHANDLER=1
    exec "$python" "${@:2}"
  fi
done
echo "skipped: no Python has cffi and numpy (Debian: python3-cffi python3-numpy)"
exit 77
