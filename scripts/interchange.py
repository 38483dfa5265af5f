"""Opens what weft has written with other people's readers, and lets weft read what others write.

interchange.py SOURCE.obj FOLDER [--scale S]: FOLDER holds out.pc2, out.mdd, out.usda, out.ply, out.glb, out.gltf and out-%04d.obj
of one run of SOURCE. usd-core, trimesh, meshio and pygltflib read them; numpy reads the point caches and OBJ text here. Counts,
faces, texture coordinates, colours, names and five frames are compared, positions to the last bit.

interchange.py SOURCE.obj FOLDER --imports WEFT: meshio writes the polygons of SOURCE as PLY, trimesh its triangles as GLB, PLY, OFF
and STL; WEFT reads them, and what comes out as OBJ is held against SOURCE.

interchange.py SOURCE FOLDER --particles: FOLDER holds out.usda and out.glb of particles.

Prints a line, or what differs, with status 1."""
import argparse
import glob
import struct
import subprocess
import sys
from pathlib import Path

import meshio
import numpy as np
import pygltflib
import trimesh
from pxr import Usd, UsdGeom


def read_obj(path):
    """Positions, texture coordinates, faces as lists of (vertex, texture coordinate or None), the material of each, of OBJ text; then
    colours of vertices, white for none, and the object of each face."""
    v, vt, faces, materials, colours, objects = [], [], [], [], [], []
    material = name = None
    for line in open(path, encoding="utf-8", errors="replace"):
        words = line.split()
        if not words:
            continue
        if words[0] == "v":
            v.append([float(x) for x in words[1:4]])
            colours.append([float(x) for x in words[4:7]] or [1, 1, 1])
        elif words[0] == "vt":
            vt.append([float(x) for x in words[1:3]])
        elif words[0] == "usemtl":
            material = line.split(None, 1)[1].strip() if len(words) > 1 else ""
        elif words[0] == "o":
            name = line.split(None, 1)[1].strip() if len(words) > 1 else None
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
            objects.append(name)
    single = lambda rows: np.array(rows, dtype=np.float64).astype(np.float32)
    return single(v), single(vt), faces, materials, single(colours), objects


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


def check_usda(folder, cache, faces, vt, scale, colours):
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
    colour = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("displayColor")
    if (colours != 1).any():
        assert colour.GetInterpolation() == "vertex"
        same("USD displayColor", np.array(colour.Get()), colours)
    else:
        assert not colour.HasAuthoredValue()
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


def check_ply(folder, last, faces, vt, colours):
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
    if (colours != 1).any():
        painted = np.stack([mesh.point_data[name].astype(np.uint8) for name in ("red", "green", "blue")], -1)
        assert (painted == np.floor(255 * colours + 0.5)).all(), "PLY colours by meshio"


def accessor(gltf, blob, number):
    a = gltf.accessors[number]
    view = gltf.bufferViews[a.bufferView]
    kind = {5126: "<f4", 5125: "<u4"}[a.componentType]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[a.type]
    data = np.frombuffer(blob, kind, a.count * width, view.byteOffset + (a.byteOffset or 0))
    return data.reshape(a.count, width) if width > 1 else data


def check_glb(folder, last, faces, vt, materials, scale, colours, objects):
    gltf = pygltflib.GLTF2().load(str(folder / "out.glb"))
    blob = gltf.binary_blob()
    text = pygltflib.GLTF2().load(str(folder / "out.gltf"))
    assert text.get_data_from_buffer_uri(text.buffers[0].uri) == blob, "bytes of glTF and GLB"
    primitives = [primitive for mesh in gltf.meshes for primitive in mesh.primitives]
    assert {n.name for n in gltf.nodes} == {name or "cloth" for name in objects}, f"GLB nodes {[n.name for n in gltf.nodes]}"
    by_object = {n.name: sum(gltf.accessors[p.indices].count // 3 for p in gltf.meshes[n.mesh].primitives) for n in gltf.nodes}
    for name in by_object:
        assert by_object[name] == sum(len(f) - 2 for f, o in zip(faces, objects) if (o or "cloth") == name), f"GLB: triangles of {name}"
    if (colours != 1).any():
        painted = accessor(gltf, blob, primitives[0].attributes.COLOR_0)
        same("GLB COLOR_0", painted[:len(last)], colours)
    else:
        assert primitives[0].attributes.COLOR_0 is None
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


def run(weft, path, out):
    command = [weft, "simulate", "--mesh", str(path), "--frames", "1", "--gravity", "0,0,0", "--pin", "none", "--plain", "--substeps", "1", "--bending",
               "none", "--self-collision", "off", "--backend", "cpu", "--log-level", "error", "-o", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return read_obj(out)


def near(what, a, b):
    assert len(a) == len(b), f"{what}: {len(a)} and {len(b)} vertices"
    assert np.abs(a - b).max() < 1e-4 * np.abs(b).max(), f"{what}: vertices are off by {np.abs(a - b).max()}"


def check_imports(weft, source, folder):
    v, _, faces, _, _, _ = read_obj(source)
    polygons = [[c[0] for c in f] for f in faces]
    kinds = {3: "triangle", 4: "quad"}
    meshio.write(folder / "polygons.ply", meshio.Mesh(v, [(kinds[n], np.array([f for f in polygons if len(f) == n], dtype=np.int32)) for n in kinds
                                                          if any(len(f) == n for f in polygons)]))
    out = run(weft, folder / "polygons.ply", folder / "a.obj")
    near("PLY by meshio", out[0], v)
    assert sorted([c[0] for c in f] for f in out[2]) == sorted(polygons), "polygons of a PLY by meshio"
    triangles = np.array([[f[0], f[k], f[k + 1]] for f in polygons for k in range(1, len(f) - 1)])
    mesh = trimesh.Trimesh(v, triangles, process=False)
    for ending in ("ply", "off", "glb", "stl"):
        mesh.export(folder / f"triangles.{ending}")
        out = run(weft, folder / f"triangles.{ending}", folder / "a.obj")
        corners = np.array([[c[0] for c in f] for f in out[2]])
        near(f"{ending} by trimesh", out[0][corners].reshape(-1, 3), v[triangles].reshape(-1, 3))
        if ending != "stl":
            near(f"{ending} by trimesh", out[0], v)
    scene = trimesh.Scene()
    scene.add_geometry(mesh, node_name="upper", geom_name="cloth of the upper")
    scene.add_geometry(mesh, node_name="lower", geom_name="cloth of the lower", transform=trimesh.transformations.translation_matrix([0, -5, 0]))
    scene.export(folder / "scene.glb")
    out = run(weft, folder / "scene.glb", folder / "a.obj")
    assert set(out[5]) == {"upper", "lower"}, f"objects {set(out[5])}"
    near("nodes by trimesh", out[0], np.concatenate([v - [0, 5, 0], v] if out[5][0] == "lower" else [v, v - [0, 5, 0]]))
    print(f"{source.name}: {len(faces)} polygons, {len(triangles)} triangles in PLY, OFF, GLB and STL, two nodes: come in and go out")


def check_particles(folder):
    stage = Usd.Stage.Open(str(folder / "out.usda"))
    points = UsdGeom.Points(stage.GetDefaultPrim())
    gltf = pygltflib.GLTF2().load(str(folder / "out.glb"))
    position = accessor(gltf, gltf.binary_blob(), gltf.meshes[0].primitives[0].attributes.POSITION)
    assert points and len(points.GetPointsAttr().GetTimeSamples()) == stage.GetEndTimeCode() + 1
    same("USD points", np.array(points.GetPointsAttr().Get(stage.GetEndTimeCode())), position)
    assert points.GetWidthsInterpolation() == "constant" and np.allclose(points.GetWidthsAttr().Get(), [0.005])
    lines = points.GetPrim().GetAttribute("lines").Get() or []
    print(f"{len(position)} particles, {len(lines)} lines: equal")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--imports")
    parser.add_argument("--particles", action="store_true")
    given = parser.parse_args()
    if given.imports:
        return check_imports(given.imports, given.source, given.folder)
    if given.particles:
        return check_particles(given.folder)
    rest, vt, faces, materials, colours, objects = read_obj(given.source)
    frames = [Path(p) for p in sorted(glob.glob(str(given.folder / "out-*.obj")))]
    last, last_vt, last_faces, _, last_colours, last_objects = read_obj(frames[-1])
    assert last_faces == faces and len(last_vt) == len(vt) and len(last) == len(rest), "OBJ out is not OBJ in"
    same("colours of OBJ", last_colours, colours)
    assert last_objects == objects, "objects of OBJ"
    cache = check_caches(given.folder, frames)
    subsets = check_usda(given.folder, cache, faces, vt, given.scale, colours)
    check_subsets(subsets, materials)
    check_ply(given.folder, last, faces, vt, colours)
    check_glb(given.folder, last, faces, vt, materials, given.scale, colours, objects)
    moved = np.abs(cache[-1] - cache[0]).max()
    assert moved > 0, "nothing moved"
    print(f"{given.source.name}: {len(rest)} vertices, {len(faces)} faces, {len(vt)} texture coordinates, {len(subsets)} subsets, "
          f"{len(cache)} samples: equal; moved by {moved:.3g}")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as wrong:
        sys.exit(f"interchange.py: {sys.argv[1]}: {wrong}")
