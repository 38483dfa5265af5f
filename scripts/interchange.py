"""Opens what weft has written with other people's readers: interchange.py SOURCE.obj FOLDER [--scale S].

FOLDER holds out.pc2, out.mdd, out.usda, out.ply, out.glb and out-%04d.obj of one run of SOURCE. usd-core, trimesh, meshio and
pygltflib read them; numpy reads the point caches and OBJ text here. Counts, faces, texture coordinates and five frames are
compared, positions to the last bit. Prints a line, or what differs, with status 1."""
import argparse
import glob
import struct
import sys
from pathlib import Path

import meshio
import numpy as np
import pygltflib
import trimesh
from pxr import Usd, UsdGeom


def read_obj(path):
    """Positions, texture coordinates, and faces as lists of (vertex, texture coordinate or None) of OBJ text."""
    v, vt, faces, materials = [], [], [], []
    material = None
    for line in open(path, encoding="utf-8", errors="replace"):
        words = line.split()
        if not words:
            continue
        if words[0] == "v":
            v.append([float(x) for x in words[1:4]])
        elif words[0] == "vt":
            vt.append([float(x) for x in words[1:3]])
        elif words[0] == "usemtl":
            material = line.split(None, 1)[1].strip() if len(words) > 1 else ""
        elif words[0] == "f":
            corners = []
            for word in words[1:]:
                parts = word.split("/")
                index = int(parts[0])
                texture = int(parts[1]) if len(parts) > 1 and parts[1] else None
                corners.append((index - 1 if index > 0 else len(v) + index,
                                None if texture is None else texture - 1 if texture > 0 else len(vt) + texture))
            faces.append(corners)
            materials.append(material)
    return np.array(v, dtype=np.float64).astype(np.float32), np.array(vt, dtype=np.float64).astype(np.float32), faces, materials


def read_pc2(path):
    data = Path(path).read_bytes()
    assert data[:12] == b"POINTCACHE2\0"
    version, points, start, rate, samples = struct.unpack("<iiffi", data[12:32])
    assert (version, start, rate) == (1, 0, 1) and len(data) == 32 + 12 * points * samples
    return np.frombuffer(data[32:], "<f4").reshape(samples, points, 3)


def read_mdd(path):
    data = Path(path).read_bytes()
    frames, points = struct.unpack(">ii", data[:8])
    assert len(data) == 8 + 4 * frames + 12 * points * frames
    return (np.frombuffer(data[8:8 + 4 * frames], ">f4").astype("f4"),
            np.frombuffer(data[8 + 4 * frames:], ">f4").reshape(frames, points, 3).astype("<f4"))


def same(what, a, b):
    a, b = np.ascontiguousarray(a, dtype=np.float32), np.ascontiguousarray(b, dtype=np.float32)
    assert a.shape == b.shape, f"{what}: {a.shape} and {b.shape}"
    different = a.view(np.uint32) != b.view(np.uint32)
    assert not different.any(), f"{what}: {different.sum()} of {different.size} numbers differ, by {np.abs(a - b).max()}"


def check_caches(folder, frames):
    cache = read_pc2(folder / "out.pc2")
    times, other = read_mdd(folder / "out.mdd")
    assert len(cache) == len(frames) + 1, f"{len(cache)} samples of {len(frames)} frames and the start"
    same("MDD and PC2", other, cache)
    assert np.allclose(times, np.arange(len(times)) / 60, atol=1e-5), "times of the MDD"
    for number, path in enumerate(frames, 1):
        same(f"PC2 and {path.name}", cache[number], read_obj(path)[0])
    return cache


def sampled(count):
    return sorted({round(k * (count - 1) / 4) for k in range(5)})


def check_usda(folder, cache, faces, vt, scale):
    stage = Usd.Stage.Open(str(folder / "out.usda"))
    mesh = UsdGeom.Mesh(stage.GetDefaultPrim())
    assert mesh and UsdGeom.GetStageUpAxis(stage) == "Y" and np.isclose(UsdGeom.GetStageMetersPerUnit(stage), scale)
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode(), stage.GetTimeCodesPerSecond()) == (0, len(cache) - 1, 60)
    assert list(mesh.GetFaceVertexCountsAttr().Get()) == [len(f) for f in faces]
    assert list(mesh.GetFaceVertexIndicesAttr().Get()) == [c[0] for f in faces for c in f]
    assert mesh.GetPointsAttr().GetTimeSamples() == [float(k) for k in range(len(cache))]
    for k in sampled(len(cache)):
        points = np.array(mesh.GetPointsAttr().Get(k))
        same(f"USD, frame {k}", points, cache[k])
        same(f"extent, frame {k}", np.array(mesh.GetExtentAttr().Get(k)), np.array([points.min(0), points.max(0)]))
        same(f"extent as USD computes it, frame {k}", np.array(UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get(k))),
             np.array([points.min(0), points.max(0)]))
    valid, why = UsdGeom.Mesh.ValidateTopology(mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get(),
                                               len(cache[0])), "topology"
    assert valid[0], f"{why}: {valid[1]}"
    st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    if len(vt):
        assert st.GetInterpolation() == "faceVarying"
        wanted = np.array([vt[c[1]] if c[1] is not None else (0, 0) for f in faces for c in f], dtype=np.float32)
        same("USD st", np.array(st.ComputeFlattened()), wanted)
    else:
        assert not st.IsDefined()
    subsets = UsdGeom.Subset.GetAllGeomSubsets(mesh)
    assert all(subset.GetElementTypeAttr().Get() == "face" for subset in subsets)
    return [(s.GetFamilyNameAttr().Get(), s.GetPrim().GetCustomDataByKey("name"), list(s.GetIndicesAttr().Get())) for s in subsets]


def check_subsets(subsets, materials):
    by_name = {name: faces for family, name, faces in subsets if family == "material"}
    wanted = {}
    for face, material in enumerate(materials):
        if material is not None:
            wanted.setdefault(material, []).append(face)
    assert by_name == wanted, f"subsets {sorted(by_name)}, materials {sorted(wanted)}"


def check_ply(folder, last, faces, vt):
    mesh = meshio.read(folder / "out.ply")
    same("PLY by meshio", mesh.points, last)
    found = {}
    for block in mesh.cells:
        found[block.data.shape[1]] = [list(map(int, row)) for row in block.data]
    wanted = {}
    for f in faces:
        wanted.setdefault(len(f), []).append([c[0] for c in f])
    assert found == wanted, f"PLY: faces of {sorted(found)} corners, wanted {sorted(wanted)}"
    other = trimesh.load(folder / "out.ply", process=False, maintain_order=True)
    assert len(other.faces) == sum(len(f) - 2 for f in faces), "PLY by trimesh"
    same("PLY by trimesh", other.vertices, last)


def accessor(gltf, blob, number):
    a = gltf.accessors[number]
    view = gltf.bufferViews[a.bufferView]
    kind = {5126: "<f4", 5125: "<u4"}[a.componentType]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[a.type]
    data = np.frombuffer(blob, kind, a.count * width, view.byteOffset + (a.byteOffset or 0))
    return data.reshape(a.count, width) if width > 1 else data


def check_glb(folder, last, faces, vt, materials, scale):
    gltf = pygltflib.GLTF2().load(str(folder / "out.glb"))
    blob = gltf.binary_blob()
    primitives = gltf.meshes[0].primitives
    position = accessor(gltf, blob, primitives[0].attributes.POSITION)
    same("GLB positions", position[:len(last)], last)
    limits = gltf.accessors[primitives[0].attributes.POSITION]
    same("GLB bounds", [limits.min, limits.max], [position.min(0), position.max(0)])
    normal = accessor(gltf, blob, primitives[0].attributes.NORMAL)
    assert np.allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-5), "GLB normals"
    uv = accessor(gltf, blob, primitives[0].attributes.TEXCOORD_0) if len(vt) else None
    # Each corner of a face is to be found among the triangles with its position and texture coordinate.
    total, corners = 0, set()
    for primitive in primitives:
        index = accessor(gltf, blob, primitive.indices)
        total += len(index) // 3
        corners |= {(position[k].tobytes(), uv[k].tobytes() if uv is not None else b"") for k in np.unique(index)}
    assert total == sum(len(f) - 2 for f in faces), f"GLB: {total} triangles"
    wanted = set()
    for f in faces:
        for v, t in f:
            at = np.array([vt[t][0], np.float32(1) - vt[t][1]] if t is not None else [0, 0], dtype=np.float32)
            wanted.add((last[v].tobytes(), at.tobytes() if uv is not None else b""))
    assert corners == wanted, f"GLB: {len(corners ^ wanted)} corners are elsewhere"
    names = {gltf.materials[p.material].name for p in primitives}
    assert names == set(materials), f"GLB materials {names}"
    scene = trimesh.load(folder / "out.glb", process=False)
    assert np.allclose(scene.bounds, np.array([last.min(0), last.max(0)]) * scale, atol=1e-5 * scale), "GLB by trimesh, in metres"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1)
    given = parser.parse_args()
    rest, vt, faces, materials = read_obj(given.source)
    frames = [Path(p) for p in sorted(glob.glob(str(given.folder / "out-*.obj")))]
    last, last_vt, last_faces, _ = read_obj(frames[-1])
    assert last_faces == faces and len(last_vt) == len(vt) and len(last) == len(rest), "OBJ out is not OBJ in"
    cache = check_caches(given.folder, frames)
    subsets = check_usda(given.folder, cache, faces, vt, given.scale)
    check_subsets(subsets, materials)
    check_ply(given.folder, last, faces, vt)
    check_glb(given.folder, last, faces, vt, materials, given.scale)
    moved = np.abs(cache[-1] - cache[0]).max()
    assert moved > 0, "nothing moved"
    print(f"{given.source.name}: {len(rest)} vertices, {len(faces)} faces, {len(vt)} texture coordinates, {len(subsets)} subsets, "
          f"{len(cache)} samples: equal; moved by {moved:.3g}")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as wrong:
        sys.exit(f"interchange.py: {sys.argv[1]}: {wrong}")
