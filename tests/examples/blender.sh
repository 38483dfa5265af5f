#!/usr/bin/env bash
# The add-on in Blender without a window. Usage: blender.sh WEFT. WEFT_BLENDER: a Blender, or a Python that has bpy.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
blender=$(command -v "${WEFT_BLENDER:-blender}") || {
  echo "skipped: there is no blender (Debian: blender)"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/scripts/addons" "$work/files"
cp "$root/examples/blender/weft_cloth.py" "$work/scripts/addons/"
export BLENDER_USER_SCRIPTS=$work/scripts BLENDER_USER_CONFIG=$work TMPDIR=$work/files
check=$root/tests/examples/blender_check.py
case $(basename "$blender") in
  python*) "$blender" "$check" -- "$1" "$work" ;;
  *) "$blender" -b --factory-startup --python-exit-code 1 --python "$check" -- "$1" "$work" ;;
esac
