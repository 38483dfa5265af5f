#!/usr/bin/env bash
# Polygons, their vertices, texture coordinates, colours and names, as other formats than OBJ have them, come in and go out:
# the same three quads with a seam in PLY, OFF and COLLADA, each written here by hand.
. "$(dirname "$0")/helpers.bash"

"$weft" info | grep -q assimp || { echo "skipped: built without assimp"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
python3 - "$work" <<'PY'
import json, sys
folder = sys.argv[1]
points = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (0, 1, 0.25), (1, 1, 0), (2, 1, 0.5), (3, 1, 0), (9, 9, 9)]
quads = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6)]
header = "ply\nformat ascii 1.0\nelement vertex 9\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n" \
         "property uchar green\nproperty uchar blue\nelement face 3\nproperty list uchar int vertex_indices\nend_header\n"
rows = lambda items, form: "".join(form % item for item in items)
open(folder + "/quads.ply", "w").write(
    header + rows([(*p, 51 * (k % 5)) for k, p in enumerate(points)], "%g %g %g %d 0 255\n") + rows(quads, "4 %d %d %d %d\n"))
open(folder + "/quads.off", "w").write("OFF\n9 3 0\n" + rows(points, "%g %g %g\n") + rows(quads, "4 %d %d %d %d\n"))
# COLLADA: two materials with a seam between them, on a node that moves them, and may mirror.
uvs = [(0, 0), (0.25, 0), (0.25, 1), (0, 1), (0.5, 0), (0.5, 1), (0.75, 0), (1, 0), (1, 1), (0.75, 1)]
parts = [("red", [[(0, 0), (1, 1), (5, 2), (4, 3)], [(1, 1), (2, 4), (6, 5), (5, 2)]]), ("blue", [[(2, 6), (3, 7), (7, 8), (6, 9)]])]


def source(name, values, axes):
    params = "".join(f'<param name="{a}" type="float"/>' for a in axes)
    return (f'<source id="{name}"><float_array id="{name}-a" count="{len(values) * len(axes)}">' + " ".join("%g" % x for v in values for x in v) +
            f'</float_array><technique_common><accessor source="#{name}-a" count="{len(values)}" stride="{len(axes)}">{params}</accessor></technique_common></source>')


lists = "".join(f'<polylist material="{m}" count="{len(faces)}"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#uv" '
                f'offset="1" set="0"/><vcount>{" ".join("4" for f in faces)}</vcount><p>{" ".join("%d %d" % c for f in faces for c in f)}</p></polylist>'
                for m, faces in parts)
each = lambda form: "".join(form.replace("@", m) for m, _ in parts)
dae = ('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>'
       '<library_effects>' + each('<effect id="@-fx"><profile_COMMON><technique sid="c"><lambert/></technique></profile_COMMON></effect>') +
       '</library_effects><library_materials>' + each('<material id="@" name="@"><instance_effect url="#@-fx"/></material>') +
       '</library_materials><library_geometries><geometry id="g" name="panels"><mesh>' + source("p", points, "XYZ") + source("uv", uvs, "ST") +
       '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>' + lists + '</mesh></geometry></library_geometries><library_visual_scenes>'
       '<visual_scene id="s" name="scene"><node id="above" name="garment"><node id="n" name="my panels"><matrix>%s</matrix><instance_geometry url="#g">'
       '<bind_material><technique_common>' + each('<instance_material symbol="@" target="#@"/>') + '</technique_common></bind_material>'
       '</instance_geometry></node></node><node id="other" name="nothing"/></visual_scene></library_visual_scenes>'
       '<scene><instance_visual_scene url="#s"/></scene></COLLADA>')
open(folder + "/quads.dae", "w").write(dae % "1 0 0 0 0 1 0 2 0 0 1 0 0 0 0 1")
neighbour = '<node id="m" name="other panels"><matrix>-1 0 0 6 0 1 0 2 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>'
open(folder + "/touching.dae", "w").write((dae % "1 0 0 0 0 1 0 2 0 0 1 0 0 0 0 1").replace('<node id="other" name="nothing"/>', neighbour))
open(folder + "/mirrored.dae", "w").write(dae % "-1 0 0 0 0 1 0 2 0 0 1 0 0 0 0 1")
json.dump({"points": points, "corners": [f for _, faces in parts for f in faces], "uvs": uvs}, open(folder + "/quads.json", "w"))
PY

# corners_of OUT DY [flip]: the faces of an OBJ file are the quads, their corners at the same places with the same texture
# coordinates, moved by DY or also mirrored.
corners_of() {
  python3 - "$work/quads.json" "$@" <<'PY' || complain "$1: other corners come out"
import json, sys
wanted, out, up, flip = json.load(open(sys.argv[1])), sys.argv[2], float(sys.argv[3]), len(sys.argv) > 4
at = lambda p: (-p[0] if flip else p[0], p[1] + up, p[2])
v, vt, faces = [], [], []
for line in open(out):
    words = line.split()
    if words[:1] == ["v"]:
        v.append(tuple(map(float, words[1:4])))
    if words[:1] == ["vt"]:
        vt.append(tuple(map(float, words[1:3])))
    if words[:1] == ["f"]:
        parts = [w.split("/") for w in words[1:]]
        faces.append([(v[int(p[0]) - 1], vt[int(p[1]) - 1] if len(p) > 1 else None) for p in parts])
expected = [[(at(wanted["points"][p]), tuple(wanted["uvs"][t]) if vt else None) for p, t in f] for f in wanted["corners"]]
if flip:
    expected = [f[:1] + f[:0:-1] for f in expected]
near = lambda a, b: (a is None and b is None) or all(abs(x - y) < 1e-5 for x, y in zip(a, b))
assert [len(f) for f in faces] == [len(f) for f in expected], "polygons of other numbers of corners"
assert all(near(*at) and near(*uv) for f, g in zip(faces, expected) for at, uv in (zip(*corners) for corners in zip(f, g))), (faces, expected)
assert len(set(v)) == len(v), "vertices come twice"
assert len(set(vt)) == len(vt), "texture coordinates come twice"
PY
}
lines() { grep -c "^$1 " "$2"; }
still=(--frames 1 --backend ref --plain --bending none --log-level error --gravity 0,0,0)

# ---- formats that keep vertices: the same ones, in order, that of no face too ----
for name in ply off; do
  run 0 simulate "$work/quads.$name" "${still[@]}" --pin none -o "$work/out.obj" -o "$work/out.ply"
  prints "quads.$name: 8 particles"
  corners_of "$work/out.obj" 0
  awk '/^v / { printf "%.0f,%.0f ", $2 * $2, $3 * $3 }' "$work/out.obj" >"$work/order"
  [ "$(cat "$work/order")" = "0,0 1,0 4,0 9,0 0,1 1,1 4,1 9,1 81,81 " ] || complain "$name: vertices are $(cat "$work/order")"
  run 0 simulate "$work/out.ply" "${still[@]}" --pin none -o "$work/again.obj"
  corners_of "$work/again.obj" 0
  [ "$(grep '^f' "$work/again.obj")" = "$(grep '^f' "$work/out.obj")" ] || complain "$name: PLY in and out has other faces"
done
run 0 simulate "$work/quads.ply" "${still[@]}" --pin none -o "$work/out.obj"
awk '/^v / { printf "%.0f ", 255 * $5 }' "$work/out.obj" >"$work/reds"
[ "$(cat "$work/reds")" = "0 51 102 153 204 0 51 102 153 " ] || complain "red of the vertices: $(cat "$work/reds")"

# ---- COLLADA: its importer gives every corner a vertex of its own ----
run 0 simulate "$work/quads.dae" "${still[@]}" --pin none -o "$work/out.obj" -o "$work/out.usda" -o "$work/out.ply"
prints "quads.dae: 8 particles"
grep -q "welded" "$work/out" && complain "$(grep welded "$work/out")"
corners_of "$work/out.obj" 2
[ "$(lines v "$work/out.obj") $(lines vt "$work/out.obj")" = "8 10" ] || complain "COLLADA: $(lines v "$work/out.obj") vertices, $(lines vt "$work/out.obj") coordinates"
[ "$(grep -E '^(o|g|usemtl) ' "$work/out.obj" | tr '\n' ';')" = "o my panels;g garment panels;usemtl red;usemtl blue;" ] ||
  complain "names: $(grep -E '^(o|g|usemtl) ' "$work/out.obj")"
grep -q "int\[\] faceVertexCounts = \[4, 4, 4\]" "$work/out.usda" || complain "$(grep faceVertexCounts "$work/out.usda")"
for pin in 6:material:red 4:material:blue "8:group:my panels" 8:group:garment 8:group:panels; do
  run 0 simulate "$work/quads.dae" "${still[@]}" --pin "${pin#*:}"
  prints "8 particles (${pin%%:*} pinned)"
done
run 0 simulate "$work/quads.dae" "${still[@]}" --pin none --group blue -o "$work/blue.obj"
prints "quads.dae: 4 particles"
corners_of "$work/blue.obj" 2
run 0 simulate "$work/mirrored.dae" "${still[@]}" --pin none -o "$work/out.obj"
corners_of "$work/out.obj" 2 flip
# Where two objects touch, each has vertices of its own, and the cloth is one.
run 0 simulate "$work/touching.dae" "${still[@]}" --pin none -o "$work/out.obj"
prints "mended    2 vertices welded"
[ "$(lines v "$work/out.obj") $(lines o "$work/out.obj")" = "16 2" ] || complain "two objects: $(lines v "$work/out.obj") vertices, $(grep '^o' "$work/out.obj")"
# In another unit the same vertices are one.
run 0 simulate "$work/quads.dae" "${still[@]}" --pin none --unit cm -o "$work/out.obj"
corners_of "$work/out.obj" 2

# ---- what a GLB has once for several materials and objects comes in once, with colours and names ----
run 0 simulate "$work/quads.dae" "${still[@]}" --pin none -o "$work/out.glb"
run 0 simulate "$work/out.glb" "${still[@]}" --pin none -o "$work/again.obj"
prints "out.glb: 8 particles"
[ "$(lines v "$work/again.obj") $(grep -cE '^(usemtl|o) ' "$work/again.obj")" = "10 3" ] || complain "two materials: $(lines v "$work/again.obj") vertices"
cat >"$work/two.obj" <<'OBJ'
o left sleeve
v 0 0 0 1 0 0
v 1 0 0 1 0 0
v 1 1 0 0.5 0.25 0
v 0 1 0 1 0 0
o right sleeve
v 2 0 0 0 0 1
v 3 0 0 0 0 1
v 3 1 0 0.125 0 1
usemtl silk
f 5 6 7
o left sleeve
usemtl wool
f 1 2 3
usemtl silk
f 1 3 4
OBJ
for ending in glb gltf; do
  run 0 simulate "$work/two.obj" "${still[@]}" --pin none -o "$work/two.$ending"
  run 0 simulate "$work/two.$ending" "${still[@]}" --pin none -o "$work/again.obj"
  [ "$(grep -E '^(o|g|usemtl|f) ' "$work/again.obj" | tr '\n' ';')" = \
    "o right sleeve;usemtl silk;f 5 6 7;o left sleeve;f 1 3 4;usemtl wool;f 1 2 3;" ] || complain "two objects by way of $ending: $(cat "$work/again.obj")"
  awk '/^v / { print $5, $6, $7 }' "$work/again.obj" | cmp -s - <(awk '/^v / { print $5, $6, $7 }' "$work/two.obj") ||
    complain "colours by way of $ending: $(grep '^v ' "$work/again.obj")"
done
run 0 simulate "$work/two.obj" "${still[@]}" --pin none -o "$work/two.usda"
grep -q "primvars:displayColor = \[(1, 0, 0), (1, 0, 0), (0.5, 0.25, 0), (1, 0, 0), (0, 0, 1)" "$work/two.usda" || complain "$(grep displayColor "$work/two.usda")"
# Two sheets in one place stay two, in a file that has both alike.
awk 'BEGIN { for (s = 0; s < 2; ++s) { print "o sheet" s; for (k = 0; k < 9; ++k) print "v", k % 3 / 10, 0, int(k / 3) / 10
  for (r = 0; r < 2; ++r) for (c = 0; c < 2; ++c) { a = 9 * s + 3 * r + c + 1; print "f", a, a + 3, a + 4, a + 1 } } }' >"$work/sheets.obj"
run 0 simulate "$work/sheets.obj" "${still[@]}" --pin none -o "$work/sheets.glb"
run 0 simulate "$work/sheets.glb" "${still[@]}" --pin none
prints "sheets.glb: 18 particles"
python3 - "$work" <<'PY'
import json, struct, sys
points = [(k % 3 / 10, 0, k // 3 / 10) for k in range(9)]
corners = [c for r in range(2) for k in range(2) for a in [3 * r + k] for c in (a, a + 3, a + 1, a + 1, a + 3, a + 4)]
data = struct.pack("<27f", *[x for p in points for x in p]) + struct.pack("<24I", *corners)
scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}], "nodes": [{"mesh": 0, "name": "upper"}, {"mesh": 1, "name": "lower"}],
         "meshes": 2 * [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
         "accessors": [{"bufferView": 0, "componentType": 5126, "count": 9, "type": "VEC3"}, {"bufferView": 1, "componentType": 5125, "count": 24, "type": "SCALAR"}],
         "bufferViews": [{"buffer": 0, "byteLength": 108}, {"buffer": 0, "byteOffset": 108, "byteLength": 96}],
         "buffers": [{"byteLength": len(data), "uri": "alike.bin"}]}
open(sys.argv[1] + "/alike.bin", "wb").write(data)
json.dump(scene, open(sys.argv[1] + "/alike.gltf", "w"))
PY
run 0 simulate "$work/alike.gltf" "${still[@]}" --pin group:upper
prints "alike.gltf: 18 particles (9 pinned)"
# Solids of STL have all of the words of their lines, also where they begin alike.
solid() {
  echo "solid $1"
  for k in 0 1; do
    printf '%s\n' "facet normal 0 0 1" "outer loop" "vertex $2 $k 0" "vertex $(($2 + 1)) $k 0" "vertex $2 $((k + 1)) 0" endloop endfacet
  done
  echo "endsolid $1"
}
{
  solid "my cloth" 0
  solid "my hat, blue" 5
} >"$work/solids.stl"
run 0 simulate "$work/solids.stl" "${still[@]}" --pin none -o "$work/solids.obj"
[ "$(grep '^o ' "$work/solids.obj" | tr '\n' ';')" = "o my cloth;o my hat, blue;" ] || complain "solids: $(grep '^[og] ' "$work/solids.obj")"
run 0 simulate "$work/solids.stl" "${still[@]}" --pin "group:my hat, blue"
prints "(6 pinned)"
run 0 simulate "$work/solids.stl" "${still[@]}" --pin none --group "my hat, blue"
solid "one sheet" 0 >"$work/one.stl"
run 0 simulate "$work/one.stl" "${still[@]}" --pin "group:one sheet"
finish
