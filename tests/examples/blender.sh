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

# in_blender SCRIPT ARGUMENTS...
in_blender() {
  case $(basename "$blender") in
    python*) "$blender" "$1" -- "${@:2}" ;;
    *) "$blender" -b --factory-startup --python-exit-code 1 --python "$1" -- "${@:2}" ;;
  esac
}
status=0
in_blender "$root/tests/examples/blender_check.py" "$1" "$work" || status=1

# A sheet of quads with a seam in its UVs, the same with two materials, and cut into two objects.
mkdir "$work/sheets"
sheet() {
  awk -v two="$1" 'BEGIN {
    n = 12
    for (r = 0; r <= n; ++r) for (c = 0; c <= n; ++c) { print "v", c / n, 0.1 * c / n, r / n; print "vt", c / n, r / n }
    for (r = 0; r <= n; ++r) print "vt", 1.25, r / n
    print "usemtl left"
    for (c = 0; c < n; ++c) {
      if (two && c == 5) print "usemtl right"
      for (r = 0; r < n; ++r) {
        a = r * (n + 1) + c + 1; d = a + n + 1
        right = c == n - 1 ? (n + 1) * (n + 1) + r + 1 : a + 1
        over = c == n - 1 ? right + 1 : d + 1
        print "f", a "/" a, (a + 1) "/" right, (d + 1) "/" over, d "/" d } } }'
}
sheet 0 >"$work/sheets/one.obj"
sheet 1 >"$work/sheets/two.obj"
sheet 1 | sed 's/^usemtl/o/' >"$work/sheets/objects.obj"
in_blender "$root/examples/blender/roundtrip.py" "$1" "$work/sheets" || status=1
exit $status
