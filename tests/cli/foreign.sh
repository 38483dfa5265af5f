#!/usr/bin/env bash
# Formats other than OBJ: groups by the names of nodes, meshes and materials, and what cloth leaves behind of a file.
. "$(dirname "$0")/helpers.bash"

"$weft" info | grep -q assimp || { echo "skipped: built without assimp"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
python3 - "$work" <<'PY'
import json, struct, sys
folder = sys.argv[1]
# Sheets of 2 x 2, 3 x 3 and 4 x 4 vertices, each a mesh; two of them below one node.
floats, indices, views, accessors = b"", b"", [], []
for n in (2, 3, 4):
    points = [c for r in range(n) for k in range(n) for c in (k / (n - 1), -r / (n - 1), n)]
    corners = [c for r in range(n - 1) for k in range(n - 1) for a in [r * n + k] for c in (a, a + n, a + 1, a + 1, a + n, a + n + 1)]
    views.append({"buffer": 0, "byteOffset": len(floats), "byteLength": 4 * len(points)})
    accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": n * n, "type": "VEC3"})
    floats += struct.pack(f"<{len(points)}f", *points)
    views.append({"buffer": 0, "byteOffset": len(floats), "byteLength": 4 * len(corners)})
    accessors.append({"bufferView": len(views) - 1, "componentType": 5125, "count": len(corners), "type": "SCALAR"})
    floats += struct.pack(f"<{len(corners)}I", *corners)
mesh = lambda k, name: {"name": name, "primitives": [{"attributes": {"POSITION": 2 * k}, "indices": 2 * k + 1, "material": k}]}
scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 3]}],
         "nodes": [{"name": "suit", "children": [1, 2], "translation": [0, 0, 5]}, {"name": "jacket", "mesh": 0}, {"name": "trousers", "mesh": 1},
                   {"name": "hat", "mesh": 2}],
         "meshes": [mesh(0, "jacket mesh"), mesh(1, "trousers mesh"), mesh(2, "hat mesh")],
         "materials": [{"name": "linen"}, {"name": "linen"}, {"name": "felt"}],
         "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(floats), "uri": "parts.bin"}]}
open(folder + "/parts.bin", "wb").write(floats)
json.dump(scene, open(folder + "/parts.gltf", "w"))
scene["animations"] = [{"channels": [{"sampler": 0, "target": {"node": 3, "path": "translation"}}],
                        "samplers": [{"input": 6, "output": 7}]}]
scene["bufferViews"] += [{"buffer": 0, "byteOffset": len(floats), "byteLength": 8}, {"buffer": 0, "byteOffset": len(floats) + 8, "byteLength": 24}]
scene["accessors"] += [{"bufferView": 6, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                       {"bufferView": 7, "componentType": 5126, "count": 2, "type": "VEC3"}]
floats += struct.pack("<8f", 0, 1, 0, 0, 0, 0, 1, 0)
scene["buffers"] = [{"byteLength": len(floats), "uri": "moving.bin"}]
open(folder + "/moving.bin", "wb").write(floats)
json.dump(scene, open(folder + "/moving.gltf", "w"))
PY

# takes PARTICLES GROUPS: so many are cloth; the whole file comes out, and what is no cloth stays.
takes() {
  run 0 simulate "$work/parts.gltf" --group "$2" --frames 1 --backend ref --plain --pin none --log-level error -o "$work/out.obj"
  prints "parts.gltf: $1 particles"
  [ "$(grep -c '^v ' "$work/out.obj")" = 29 ] || complain "--group $2 writes $(grep -c '^v ' "$work/out.obj") vertices"
}
takes 4 jacket
takes 9 "trousers mesh"
takes 9 trousers_mesh
takes 16 felt
takes 13 suit
takes 13 linen
takes 20 "jacket, hat"
takes 29 "suit,hat mesh"
run 0 simulate "$work/parts.gltf" --frames 1 --backend ref --plain --pin none --log-level error
prints "parts.gltf: 29 particles"
refuses 2 "parts.gltf: no group, object or material 'shoe'; it has jacket, suit, jacket_mesh, linen, trousers" simulate "$work/parts.gltf" --group shoe
refuses 2 "no group, object or material 'shoe'" simulate "$work/parts.gltf" --group "jacket,shoe"
# Where it stands: the node above moves it.
run 0 simulate "$work/parts.gltf" --group jacket --frames 1 --backend ref --plain --pin none --gravity 0,0,0 --log-level error
prints "box       (0, -1, 7) to (1, 0, 7) m"
# A body may be a part of a file as well.
run 0 inspect "$work/parts.gltf" --json "$work/parts.json"
python3 - "$work/parts.json" <<'PY' || complain "groups of a glTF file"
import json, sys
groups = {g["name"]: g["faces"] for g in json.load(open(sys.argv[1]))["groups"]}
assert groups == {"suit": 10, "jacket": 2, "jacket_mesh": 2, "linen": 10, "trousers": 8, "trousers_mesh": 8, "hat": 18, "hat_mesh": 18, "felt": 18}, groups
PY

# Materials, texture coordinates and colours come out again, and pins go by them.
out=(--frames 1 --backend ref --plain --log-level error)
run 0 simulate "$work/parts.gltf" --pin material:felt "${out[@]}" -o "$work/out.obj" -o "$work/out.usda"
prints "parts.gltf: 29 particles (16 pinned)"
[ "$(grep '^[og] ' "$work/out.obj" | tr '\n' ';')" = "o jacket;g suit jacket_mesh;o trousers;g suit trousers_mesh;o hat;g hat_mesh;" ] ||
  complain "names: $(grep '^[og] ' "$work/out.obj")"
for pin in 13:group:suit 9:group:trousers "16:group:hat mesh"; do
  run 0 simulate "$work/parts.gltf" --pin "${pin#*:}" "${out[@]}"
  prints "29 particles (${pin%%:*} pinned)"
done
[ "$(awk '/^usemtl/ { name = $2 } /^f/ { count[name]++ } END { print count["linen"], count["felt"] }' "$work/out.obj")" = "10 18" ] ||
  complain "materials: $(grep usemtl "$work/out.obj")"
grep -q "felt" "$work/out.usda" || complain "no felt in USDA"
refuses 2 "no material 'silk'; the file has linen, felt" simulate "$work/parts.gltf" --pin material:silk
cat >"$work/painted.ply" <<'PLY'
ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
property float s
property float t
property uchar red
property uchar green
property uchar blue
element face 2
property list uchar int vertex_indices
end_header
0 0 0 0.125 0.25 255 0 0
1 0 0 0.875 0.25 255 0 0
1 0 1 0.875 0.75 0 255 0
0 0 1 0.125 0.5 0 0 255
3 0 2 1
3 0 3 2
PLY
run 0 simulate "$work/painted.ply" --pin colour:1,0,0 "${out[@]}" -o "$work/out.obj" -o "$work/out.ply"
prints "painted.ply: 4 particles (2 pinned)"
grep "^vt" "$work/out.obj" >"$work/vt"
printf 'vt %s\n' "0.125 0.25" "0.875 0.25" "0.875 0.75" "0.125 0.5" | cmp -s - "$work/vt" || complain "texture coordinates: $(cat "$work/vt")"
[ "$(awk '/^v / { print $5, $6, $7 }' "$work/out.obj" | tr '\n' ' ')" = "1 0 0 1 0 0 0 1 0 0 0 1 " ] || complain "colours: $(grep '^v ' "$work/out.obj")"
grep -aq "property uchar blue" "$work/out.ply" || complain "no colours in PLY"
run 0 simulate "$work/out.ply" --pin colour:0,0,1 "${out[@]}"
prints "out.ply: 4 particles (1 pinned)"
grep '^f' "$work/out.obj" | grep -vq '^f \([0-9]*\)/\1 \([0-9]*\)/\2 \([0-9]*\)/\3$' && complain "faces: $(grep '^f' "$work/out.obj")"
# Colours of bytes are bytes, or fractions of them.
for pin in 255,0,0 1,0,0 250,5,0,10 1,0,0,0.1; do
  run 0 simulate "$work/painted.ply" --pin colour:$pin "${out[@]}"
  prints "painted.ply: 4 particles (2 pinned)"
done
refuses 2 "no vertex has a colour within 10 of 200,0,0; the file has 255,0,0; 0,255,0; 0,0,255" simulate "$work/painted.ply" --pin colour:200,0,0,10
refuses 2 "within 63.75 of 128,128,128; the file has 255,0,0" simulate "$work/painted.ply" --pin colour:128,128,128
sed 's/uchar red/ushort red/; s/255 0 0/65535 0 0/; s/uchar green/ushort green/; s/uchar blue/ushort blue/' "$work/painted.ply" >"$work/short.ply"
run 0 simulate "$work/short.ply" --pin colour:65535,0,0 "${out[@]}"
prints "short.ply: 4 particles (2 pinned)"
# What no output holds is said, once.
[ -s "$work/err" ] && complain "nothing is left out: $(cat "$work/err")"
sed 's/uchar blue/&\nproperty uchar alpha\nproperty float quality/; s/^\(. 0 . .* .*\)$/\1 128 0.5/; s/vertex_indices/&\nproperty int flags/; s/^\(3 .*\)$/\1 7/
  s/^3 0 2 1.*/3 0 2 1 7/; s/^3 0 3 2.*/3 0 3 2 7/' "$work/painted.ply" >"$work/more.ply"
run 0 simulate "$work/more.ply" --pin none "${out[@]/error/warning}" -o "$work/more.glb"
[ "$(grep -c "more.ply: left out of what is written: alpha of its colours, quality, face flags" "$work/err")" = 1 ] || complain "what is left out: $(cat "$work/err")"
run 0 simulate "$work/painted.ply" --pin none "${out[@]/error/warning}" -o "$work/out.glb"
grep -q "left out" "$work/err" && complain "nothing is left out: $(cat "$work/err")"
# v of glTF goes down, that of OBJ goes up, and it comes back as it was.
run 0 simulate "$work/painted.ply" --pin none "${out[@]}" -o "$work/out.glb"
run 0 simulate "$work/out.glb" --pin none "${out[@]}" -o "$work/again.obj"
grep "^vt" "$work/again.obj" | cmp -s - "$work/vt" || complain "texture coordinates by way of GLB: $(grep "^vt" "$work/again.obj")"

# Names of files in glTF are addresses: %20 is a blank. A name as it stands is found as well.
mkdir -p "$work/named/sub dir" "$work/named/raw" "$work/elsewhere"
cp "$work/parts.bin" "$work/named/sub dir/a b%.bin"
cp "$work/parts.bin" "$work/named/raw/a%20b.bin"
cp "$work/parts.bin" "$work/elsewhere/out.bin"
named() { sed "s|\"parts.bin\"|\"$1\"|" "$work/parts.gltf" >"$work/named/file.gltf"; }
for uri in sub%20dir/a%20b%25.bin "sub dir/a b%.bin" ./sub%20dir/a%20b%25.bin raw/a%20b.bin; do
  named "$uri"
  run 0 simulate "$work/named/file.gltf" --pin none "${out[@]}"
  prints "file.gltf: 29 particles"
  run 0 simulate hanging --size 8 --body "$work/named/file.gltf" "${out[@]}"
done
# A file that is not there is said to be the reason, for a body too.
named sub%20dir/none.bin
refuses 3 'it names the file "sub%20dir/none.bin", which cannot be read beside it' simulate "$work/named/file.gltf"
refuses 3 "sub%20dir/none.bin: cannot read: No such file" simulate hanging --body "$work/named/file.gltf"
printf '{"asset": {"version": "2.0"}}' >"$work/named/nothing.gltf"
refuses 3 "nothing.gltf: no scene in it" simulate hanging --body "$work/named/nothing.gltf"
# Links within the folder are files of it; none leads out.
ln -s "sub dir" "$work/named/near"
ln -s "$work/elsewhere" "$work/named/far"
ln -s "$work/elsewhere/out.bin" "$work/named/link.bin"
named near/a%20b%25.bin
run 0 simulate "$work/named/file.gltf" --pin none "${out[@]}"
for uri in far/out.bin link.bin; do
  named $uri
  refuses 3 "it names the file \"$uri\", which is not in its folder" simulate "$work/named/file.gltf"
  refuses 3 "is \"$uri\", which is not in the folder of the file" simulate hanging --body "$work/named/file.gltf"
done
# A small file that counts 400 million numbers is given up where it asks for their memory. (Sanitizers have limits of their own.)
if ! grep -q __asan_init "$weft"; then
  cat >"$work/huge.dae" <<'END'
<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="400000000">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
END
  refuses 3 "it takes more memory than a file of its size may" simulate "$work/huge.dae"
fi
# The file itself may be a link: what it names is where the link is.
ln -s ../named/file.gltf "$work/elsewhere/linked.gltf"
named out.bin
run 0 simulate "$work/elsewhere/linked.gltf" --pin none "${out[@]}"
(cd "$work/elsewhere" && "$weft" simulate linked.gltf --pin none "${out[@]}" >/dev/null) || complain "a file in the folder that one works in"

# What moves in the file is said to stand still, once.
run 0 simulate "$work/moving.gltf" --frames 1 --backend ref --plain --pin none
[ "$(grep -c "moving.gltf: its animation is left out" "$work/err")" = 1 ] || complain "an animation: $(cat "$work/err")"
run 0 simulate "$work/parts.gltf" --frames 1 --backend ref --plain --pin none
grep -q "left out" "$work/err" && complain "nothing moves: $(cat "$work/err")"
walk=${WEFT_MESH_DIR:-}/animated/makehuman_walk.glb
if [ -f "$walk" ]; then
  run 0 inspect "$walk"
  run 0 simulate "$walk" --frames 1 --backend ref --plain --pin none --self-collision off
  [ "$(grep -c "its skin and animation are left out" "$work/err")" = 1 ] || complain "a skin: $(cat "$work/err")"
fi
finish
