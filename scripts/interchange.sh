#!/usr/bin/env bash
# Opens what simulate writes with other people's readers: usd-core, trimesh, meshio, pygltflib (PyPI), for every garment of
# the folder of meshes, one of them painted, and for particles; and lets weft read what trimesh and meshio write. Usage: interchange.sh WEFT [FRAMES]. WEFT_PYTHON names a Python that has them, WEFT_MESH_DIR the folder.
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
# written MESH SCALE: what simulate writes of it is what others read.
written() {
  count=$((count + 1))
  rm -rf "$work/out" && mkdir "$work/out"
  (cd "$work/out" && "$weft" simulate "$1" --scale "$2" --frames "$frames" --backend cpu --log-level error -o out.pc2 -o out.mdd \
    -o out.usda -o out.ply -o out.glb -o out.gltf -o out-%04d.obj >/dev/null)
  "$python" "$here/interchange.py" "$1" "$work/out" --scale "$2" || failed=$((failed + 1))
}
for mesh in "$meshes"/garments/*.obj "$meshes"/cloth/*.obj "$meshes"/animated/*skirt*.obj "$meshes"/animated/*tights*.obj; do
  [ -e "$mesh" ] || continue
  scale=1
  case $mesh in *dedo* | *makehuman_*0[0-9].obj | *fedora*) scale=0.1 ;; esac
  written "$mesh" $scale
  "$python" "$here/interchange.py" "$mesh" "$work/out" --imports "$weft" || failed=$((failed + 1))
  case $mesh in *tshirt*) ;; *) continue ;; esac
  painted=$work/painted.obj
  awk '/^v / { printf "v %s %s %s %.3f 0.25 %.3f\n", $2, $3, $4, n % 7 / 6, n % 3 / 2; ++n; next }
    /^f / && ++faces % 50 == 1 { print "o piece " int(faces / 50) % 5 } { print }' "$mesh" >"$painted"
  written "$painted" $scale
done
for scene in rope sand; do
  rm -rf "$work/out" && mkdir "$work/out"
  (cd "$work/out" && "$weft" simulate $scene --size 8 --frames "$frames" --backend cpu --log-level error -o out.usda -o out.glb >/dev/null)
  "$python" "$here/interchange.py" $scene "$work/out" --particles || failed=$((failed + 1))
done
echo "$count meshes, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
