#!/usr/bin/env python3
"""Writes files that are made to break readers: hostile.py FOLDER.

FOLDER/mesh holds meshes, FOLDER/motion motions of FOLDER/body.obj, and each FOLDER/sequence-NAME a sequence of OBJ
files b-%04d.obj. The same bytes every time."""
import json
import os
import struct
import sys

root = sys.argv[1]
triangle = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
V = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
BILLION, MOST = 1000000000, 0xFFFFFFFF


def put(name, content):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))


def obj(name, content):
    put(f"mesh/{name}.obj", content)


# ---- OBJ ----
for name, index in dict(zero="0", negative="-4", far_negative="-99999999999", huge="4294967297", wide="9" * 400, hexadecimal="0x3",
                        real="1.5", word="a", plus="+3", minus_zero="-0", slashes="1//", trailing="3/", four="3/1/1/1", nul="3\0").items():
    obj(f"index_{name}", V + f"f 1 2 {index}\n")
for name, number in dict(nan="nan", inf="-inf", large="1e308", beyond="1e999", tiny="1e-320", comma="1,5", empty="", hexadecimal="0x1p3",
                         long="1" * 5000, many_zeros="0." + "0" * 5000 + "1", dots="1.2.3", sign="--1", exponent="1e", float_max="3.5e38").items():
    obj(f"number_{name}", f"v 0 0 0\nv {number} 0 0\nv 0 1 0\nf 1 2 3\n")
obj("face_empty", V + "f\n")
obj("face_one", V + "f 1\n")
obj("face_two", V + "f 1 2\n")
obj("face_same", V + "f 1 1 1\n")
obj("face_million_same", V + "f" + " 1 2 3" * 333334 + "\n")
obj("face_circle", "".join(f"v {k % 7} {k} {k * k % 11}\n" for k in range(20000)) + "f " + " ".join(str(k + 1) for k in range(20000)) + "\n")
obj("faces_repeated", V + "f 1 2 3\n" * 100000)
obj("fan_of_one_edge", V + "".join(f"v {k} 0 {k}\n" for k in range(3000)) + "".join(f"f 1 2 {k + 4}\n" for k in range(3000)))
obj("no_newline", V + "f 1 2 3")
obj("only_returns", (V + "f 1 2 3\n").replace("\n", "\r"))
obj("crlf", (V + "f 1 2 3\n").replace("\n", "\r\n"))
obj("mixed_ends", "v 0 0 0\r\nv 1 0 0\rv 0 1 0\n\n\r\r\nf 1 2 3\r")
obj("utf16_little", (V + "f 1 2 3\n").encode("utf-16"))
obj("utf16_big", (V + "f 1 2 3\n").encode("utf-16-be"))
obj("utf32", (V + "f 1 2 3\n").encode("utf-32"))
obj("utf8_mark", b"\xef\xbb\xbf" + (V + "f 1 2 3\n").encode())
obj("nul_in_comment", V + "# \0\nf 1 2 3\n")
obj("nul_at_end", V + "f 1 2 3\n\0")
obj("empty", "")
obj("blank", " \t\n\n  \n")
obj("comment", "# nothing\n")
obj("continued", "v 0 \\\n0 0\nv 1 0 \\\r\n0\nv 0 1 0\nf \\\n1 2 \\\n3\n")
obj("continued_for_ever", V + "f 1 2 3 " + "\\\n" * 200000)
obj("continued_at_end", V + "f 1 2 3\\")
obj("backslash_in_word", V + "f 1\\2 2 3\n")
obj("comment_continued", V + "# c:\\\nf 1 2 3\n")
obj("long_line", V + "g " + "x" * 2000000 + "\nf 1 2 3\n")
obj("many_groups", V + "".join(f"g g{k} h{k}\nf 1 2 3\n" for k in range(20000)))
obj("group_of_many_names", V + "g " + " ".join(f"n{k}" for k in range(50000)) + "\nf 1 2 3\n")
obj("name_with_escapes", V + "g \x1b[31m\x1b]0;owned\x07 \xff\xfe \x9b2J\nf 1 2 3\n")
obj("name_not_utf8", (V + "o ").encode() + b"\xff\xc0\x80\xed\xa0\x80\xf5\n" + b"f 1 2 3\n")
obj("name_bidi", V + "o a\u202eb\u2066c\nf 1 2 3\n")
obj("lines_only", V + "l 1 2 3\n")
obj("points_only", V + "p 1 2 3\n")
obj("curves", V + "curv 0 1 1 2 3\nsurf 0 1 0 1 1 2 3\nend\nf 1 2 3\n")
obj("vertex_of_two", "v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
obj("vertex_of_nine", "v 0 0 0 1 2 3 4 5 6\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
obj("vertices_after", "f 1 2 3\n" + V)
obj("includes_itself", "call includes_itself.obj\nmtllib includes_itself.obj\n" + V + "f 1 2 3\n")
obj("library_of_devices", "mtllib /dev/zero ../../../../dev/random\n" + V + "f 1 2 3\n")
obj("binary", bytes(range(1, 256)) * 40)
obj("bow_tie", SQUARE + "f 1 3 2 4\n")
obj("inside_out", SQUARE + "f 1 2 3\nf 1 3 4\nf 3 2 1\n")
obj("moebius", "".join(f"v {x} {y} {z}\n" for x, y, z in [(1, 0, 0), (2, 0, 0), (0, 1, 0.5), (0, 2, -0.5), (-1, 0, 0.7), (-1.5, 0, -0.7)])
    + "f 1 2 4 3\nf 3 4 6 5\nf 5 6 1 2\n")
obj("coincident", "v 0 0 0\n" * 3000 + "".join(f"f {k + 1} {k + 2} {k + 3}\n" for k in range(2990)))
obj("almost_coincident", "".join(f"v {k * 1e-9:.12f} 0 {k % 2}\n" for k in range(2000)) + "".join(f"f {k + 1} {k + 2} {k + 3}\n" for k in range(1998)))
obj("everest_and_grain", V + "v 1e-7 0 0\nv 1e5 1e5 0\nf 1 2 3\nf 4 5 3\n")

# ---- PLY ----
HEAD = "ply\nformat {0} 1.0\nelement vertex {1}\nproperty float x\nproperty float y\nproperty float z\nelement face {2}\n" \
       "property list uchar int vertex_indices\nend_header\n"
TEXT = "0 0 0\n1 0 0\n0 1 0\n"
FLOATS = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)


def ply(name, content):
    put(f"mesh/{name}.ply", content)


ply("good", HEAD.format("ascii", 3, 1) + TEXT + "3 0 1 2\n")
for name, count in dict(billion=BILLION, most=MOST, negative=-1, huge="9" * 60, word="many").items():
    ply(f"vertices_{name}", HEAD.format("ascii", count, 1) + TEXT + "3 0 1 2\n")
    ply(f"faces_{name}", HEAD.format("binary_little_endian", 3, count).encode() + FLOATS + b"\x03" + struct.pack("<3i", 0, 1, 2))
ply("corners_most", HEAD.format("binary_little_endian", 3, 1).replace("uchar", "uint").encode() + FLOATS + struct.pack("<4I", MOST, 0, 1, 2))
ply("index_beyond", HEAD.format("ascii", 3, 1) + TEXT + "3 0 1 7\n")
ply("index_negative", HEAD.format("ascii", 3, 1) + TEXT + "3 0 1 -1\n")
ply("nan", HEAD.format("ascii", 3, 1) + TEXT.replace("1 0 0", "nan 0 0") + "3 0 1 2\n")
ply("cut_short", HEAD.format("binary_little_endian", 3, 1).encode() + FLOATS[:20])
ply("no_end_of_header", "ply\nformat ascii 1.0\nelement vertex 3\n")
ply("header_of_a_megabyte", "ply\nformat ascii 1.0\n" + "comment x\n" * 200000)
ply("only_magic", "ply\n")
ply("no_format", "ply\nelement vertex 1\nproperty float x\nend_header\n0\n")
ply("hundred_elements", "ply\nformat ascii 1.0\n" + "element vertex 1\nproperty float x\n" * 100 + "end_header\n" + "0\n" * 100)
ply("points", HEAD.format("ascii", 3, 0) + TEXT)
ply("empty", "")

# ---- STL ----
FACET = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex {} 1 0\nendloop\nendfacet\n"


def stl(name, content):
    put(f"mesh/{name}.stl", content)


for name, count in dict(none=0, billion=BILLION, most=MOST).items():
    stl(f"binary_{name}", b"x" * 80 + struct.pack("<I", count))
stl("binary_cut_short", b"x" * 80 + struct.pack("<I", 2) + bytes(50))
stl("binary_nan", b"x" * 80 + struct.pack("<I", 1) + struct.pack("<12f", *[float("nan")] * 12) + b"\0\0")
stl("binary_solid", b"solid" + b" " * 75 + struct.pack("<I", BILLION))
stl("text", "solid a\n" + FACET.format(0) + "endsolid a\n")
stl("text_open", "solid a\n" + FACET.format(0)[:60])
stl("text_empty", "solid a\nendsolid a\n")
stl("text_nan", "solid a\n" + FACET.format("nan") + "endsolid a\n")
stl("text_nested", "solid a\n" * 50000)
stl("short", "x")

# ---- OFF ----
for name, text in dict(billion="OFF\n1000000000 1000000000 0\n0 0 0\n", index="OFF\n3 1 0\n" + TEXT + "3 0 1 9\n", negative="OFF\n-3 1 0\n" + TEXT,
                       corners="OFF\n3 1 0\n" + TEXT + "1000000000 0 1 2\n", words="OFF\na b c\n", alone="OFF", short="OFF\n3 1 0\n0 0 0\n").items():
    put(f"mesh/{name}.off", text)

# ---- glTF ----
TRIANGLE = struct.pack("<9f", *[x for p in triangle for x in p])


def scene(**changes):
    made = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": "triangle.bin"}]}
    made.update(changes)
    return json.dumps(made)


def glb(text, binary=TRIANGLE, length=None, chunk=None):
    text = text.encode() + b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text) if chunk is None else chunk, 0x4E4F534A) + text
    body += struct.pack("<II", len(binary), 0x004E4942) + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(body) if length is None else length) + body


IN_GLB = {"buffers": [{"byteLength": 36}]}
put("mesh/triangle.bin", TRIANGLE)
put("outside.bin", TRIANGLE)
for name, uri in dict(absolute=os.path.abspath(os.path.join(root, "outside.bin")), above="../outside.bin", escaped="%2e%2e/outside.bin", http="http://127.0.0.1:1/triangle.bin",
                      file="file:///etc/passwd", device="/dev/zero", missing="nowhere.bin", folder=".", longest="x" * 5000, wrong_base64="data:;base64,???").items():
    put(f"mesh/uri_{name}.gltf", scene(buffers=[{"byteLength": 36, "uri": uri}]))
for name, accessor in dict(billion={"count": BILLION}, negative={"count": -3}, type={"type": "VEC9"}, component={"componentType": 1},
                           offset={"byteOffset": BILLION}, view={"bufferView": 7}).items():
    put(f"mesh/accessor_{name}.gltf", scene(accessors=[{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", **accessor}]))
put("mesh/buffer_billion.gltf", scene(buffers=[{"byteLength": BILLION, "uri": "triangle.bin"}]))
put("mesh/nodes_in_a_circle.gltf", scene(nodes=[{"children": [1]}, {"children": [0], "mesh": 0}]))
put("mesh/nodes_deep.gltf", scene(nodes=[{"children": [k + 1]} for k in range(3000)] + [{"mesh": 0}]))
put("mesh/many.bin", struct.pack("<90000f", *[k * k % 1009 for k in range(90000)]))
put("mesh/nodes_repeat.gltf", scene(nodes=[{"mesh": 0}] * 100, scenes=[{"nodes": list(range(100))}], buffers=[{"byteLength": 360000, "uri": "many.bin"}],
                                    bufferViews=[{"buffer": 0, "byteLength": 360000}],
                                    accessors=[{"bufferView": 0, "componentType": 5126, "count": 30000, "type": "VEC3"}]))
put("mesh/json_deep.gltf", "[" * 100000)
put("mesh/json_cut.gltf", scene()[:100])
put("mesh/no_mesh.gltf", scene(nodes=[{}]))
put("mesh/name_with_escapes.gltf", scene(meshes=[{"name": "\x1b[31m\n\u0007", "primitives": [{"attributes": {"POSITION": 0}}]}]))
put("mesh/good.glb", glb(scene(**IN_GLB)))
put("mesh/length_billion.glb", glb(scene(**IN_GLB), length=BILLION, chunk=BILLION))
put("mesh/chunk_billion.glb", glb(scene(**IN_GLB), chunk=BILLION))
put("mesh/header_alone.glb", b"glTF" + struct.pack("<II", 2, 12))
put("mesh/magic_alone.glb", b"glTF")
put("mesh/ones.glb", b"glTF" + b"\xff" * 60)

# ---- other formats by name ----
for name, content in {"a.dae": "<COLLADA/>", "deep.dae": "<a>" * 50000, "a.fbx": "Kaydara FBX Binary  \0", "a.3ds": b"MM" + struct.pack("<I", MOST),
                      "a.x3d": "<X3D/>", "a.lwo": b"FORM" + struct.pack(">I", MOST) + b"LWO2", "a.ac": "AC3Db\n", "a.blend": "BLENDER-v279", "a.3mf": b"PK\3\4"}.items():
    put(f"mesh/{name}", content)

# ---- motions of a body of four vertices ----
put("body.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
BODY = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)


def pc2(name, points=4, samples=1, rate=1.0, start=0.0, frames=BODY, version=1, magic=b"POINTCACHE2\0"):
    put(f"motion/{name}.pc2", magic + struct.pack("<iIffI", version, points, start, rate, samples) + frames)


nan = float("nan")
pc2("good")
pc2("points_most", points=MOST)
pc2("samples_most", samples=MOST)
pc2("both_most", points=MOST, samples=MOST)
pc2("points_none", points=0)
pc2("samples_none", samples=0)
pc2("points_fewer", points=3, frames=BODY[:36])
pc2("rate_nan", rate=nan)
pc2("rate_none", rate=0.0)
pc2("start_inf", start=float("inf"))
pc2("version", version=9)
pc2("magic", magic=b"POINTCACHE3\0")
pc2("cut_short", samples=2)
pc2("longer", frames=BODY * 2)
pc2("nan", frames=struct.pack("<12f", *[nan] * 12))
pc2("far", samples=2, frames=BODY + struct.pack("<12f", *[1e30] * 12))
put("motion/empty.pc2", "")
put("motion/forty.pc2", b"POINTCACHE2\0" + b"\xff" * 28)


def mdd(name, frames=1, points=4, times=(0.0,), positions=struct.pack(">12f", *struct.unpack("<12f", BODY))):
    put(f"motion/{name}.mdd", struct.pack(">II", frames, points) + struct.pack(f">{len(times)}f", *times) + positions)


mdd("good")
mdd("frames_most", frames=MOST)
mdd("points_most", points=MOST)
mdd("both_most", frames=MOST, points=MOST)
mdd("times_nan", times=(nan,))
mdd("times_back", frames=2, times=(1.0, 0.5), positions=BODY * 2)
mdd("none", frames=0, points=0, times=(), positions=b"")
put("motion/empty.mdd", "")
put("motion/seven.mdd", b"\0" * 7)
for name, text in dict(deep="[" * 100000, empty="", word="no", twice='{"keys": 1, "keys": 2}', nan='{"keys": [{"time": NaN}]}').items():
    put(f"motion/{name}.json", text)
for name, uri in dict(above="../outside.bin", device="/dev/zero", http="http://127.0.0.1:1/x").items():
    put(f"motion/uri_{name}.gltf", scene(buffers=[{"byteLength": 36, "uri": uri}]))

# ---- sequences ----
FRAME = open(os.path.join(root, "body.obj")).read()
for name, frames in dict(good=[FRAME, FRAME], gap=[FRAME, None, FRAME], fewer=[FRAME, V + "f 1 2 3\n"], other_faces=[FRAME, FRAME.replace("f 1 3 2", "f 1 2 3")],
                         nan=[FRAME, FRAME.replace("v 1 0 0", "v nan 0 0")], empty=["", ""], far=[FRAME, FRAME.replace("v 1 0 0", "v 1e8 0 0")]).items():
    for k, text in enumerate(frames):
        if text is not None:
            put(f"sequence-{name}/b-{k:04d}.obj", text)
