#!/usr/bin/env bash
# Opens what simulate writes with other people's readers: usd-core, trimesh, meshio, pygltflib (PyPI), for every garment of
# the folder of meshes. Usage: interchange.sh WEFT [FRAMES]. WEFT_PYTHON names a Python that has them, WEFT_MESH_DIR the folder.
set -euo pipefail
weft=$(realpath "$1")
frames=${2:-20}
here=$(cd "$(dirname "$0")" && pwd)
python=${WEFT_PYTHON:-python3}
meshes=${WEFT_MESH_DIR:-$here/../../shared/meshes}
if ! "$python" -c 'import pxr, trimesh, meshio, pygltflib' 2>/dev/null; then
  echo "interchange.sh: $python lacks usd-core, trimesh, meshio or pygltflib; pip install them, and let WEFT_PYTHON name it" >&2
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0
for mesh in "$meshes"/garments/*.obj "$meshes"/cloth/*.obj "$meshes"/animated/*skirt*.obj "$meshes"/animated/*tights*.obj; do
  [ -e "$mesh" ] || continue
  count=$((count + 1))
  scale=1
  case $mesh in *dedo* | *makehuman_*0[0-9].obj | *fedora*) scale=0.1 ;; esac
  rm -rf "$work/out" && mkdir "$work/out"
  (cd "$work/out" && "$weft" simulate "$mesh" --scale $scale --frames "$frames" --backend cpu --log error -o out.pc2 -o out.mdd \
    -o out.usda -o out.ply -o out.glb -o out-%04d.obj >/dev/null)
  "$python" "$here/interchange.py" "$mesh" "$work/out" --scale $scale || failed=$((failed + 1))
done
echo "$count meshes, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
