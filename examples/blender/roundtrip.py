"""Garments through weft and back into Blender, vertex for vertex.

blender -b --python roundtrip.py -- WEFT FOLDER     or     python roundtrip.py -- WEFT FOLDER, with the module bpy

Every OBJ file of FOLDER, or of its folders garments, cloth and animated, is imported and simulated. What weft writes comes back on
the imported object and is held against the OBJ sequence of the same run, float for float, with UVs, materials and faces as they
were. Prints a table; status 1 where anything differs."""

import contextlib
import glob
import os
import subprocess
import sys
import tempfile
import traceback

import bpy
import numpy as np

FRAMES = 6
RATE = 24


def files_of(folder):
    inner = [path for name in ("garments", "cloth", "animated") for path in glob.glob(os.path.join(folder, name, "*.obj"))]
    return sorted(inner or glob.glob(os.path.join(folder, "*.obj")))


def obj_points(path):
    """What the file says, read without Blender."""
    with open(path, encoding="utf-8", errors="replace") as file:
        rows = [line.split()[1:4] for line in file if line.startswith("v ")]
    return np.array(rows, dtype=np.float64).astype(np.float32)


def points_of(mesh):
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3)


def looks_of(mesh):
    """UVs, faces and materials."""
    uvs = [tuple(corner.uv) for layer in mesh.uv_layers for corner in layer.data]
    return uvs, [(p.material_index, tuple(p.vertices)) for p in mesh.polygons], [m.name for m in mesh.materials if m]


def evaluated(obj):
    return obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()


@contextlib.contextmanager
def quiet():
    """Without what importers print."""
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        sys.stdout.flush()
        for copy, stream in zip(kept, (1, 2)):
            os.dup2(copy, stream)
            os.close(copy)


def imported(operator, **options):
    """The meshes that an importer adds."""
    before = set(bpy.data.objects)
    with quiet():
        operator(**options)
    return [obj for obj in bpy.data.objects if obj not in before and obj.type == "MESH"]


def import_obj(path):
    """One object, whatever the file's objects and groups are, its vertices in their order."""
    whole = {"filepath": path, "use_split_objects": False, "use_split_groups": False}
    if hasattr(bpy.types, "IMPORT_SCENE_OT_obj"):  # until 3.6
        return imported(bpy.ops.import_scene.obj, split_mode="OFF", **whole)[0]
    return imported(bpy.ops.wm.obj_import, **whole)[0]


# --- Ways back: each yields frames, what Blender then evaluates on the source, and what it should be.


class Told(Exception):
    """A cell of the table."""


def each_frame(source, truth):
    for frame, points in enumerate(truth):
        bpy.context.scene.frame_set(frame)
        if points is not None:
            yield frame, evaluated(source), points


def by_mesh_cache(source, path, form, truth):
    modifier = source.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format, modifier.filepath = form, path
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"  # as the object has them
    yield from each_frame(source, truth)


def by_pc2(source, base, truth):
    yield from by_mesh_cache(source, base + ".pc2", "PC2", truth)


def by_mdd(source, base, truth):
    yield from by_mesh_cache(source, base + ".mdd", "MDD", truth)


def show_key(source, points):
    """A shape key alone, so that it is not mixed with the mesh."""
    if len(points) != len(source.data.vertices):
        raise Told(f"{len(points)} of {len(source.data.vertices)} vertices")
    if not source.data.shape_keys:
        source.shape_key_add(name="start")
    source.shape_key_add(name="frame").data.foreach_set("co", points.ravel())
    source.show_only_shape_key = True
    source.active_shape_key_index = len(source.data.shape_keys.key_blocks) - 1
    return evaluated(source)


def by_obj(source, base, truth):
    for frame in range(1, FRAMES + 1):
        other = import_obj(f"{base}-{frame:04d}.obj")
        need_same_faces(source, other)
        yield frame, show_key(source, points_of(other.data)), truth[frame]


def by_ply(source, base, truth):
    operator = bpy.ops.import_mesh.ply if hasattr(bpy.types, "IMPORT_MESH_OT_ply") else bpy.ops.wm.ply_import
    other = imported(operator, filepath=base + ".ply")[0]
    yield FRAMES, show_key(source, points_of(other.data)), truth[-1]


def by_usda(source, base, truth):
    other = imported(bpy.ops.wm.usd_import, filepath=base + ".usda")[0]
    need_same_faces(source, other)
    read = next(m for m in other.modifiers if m.type == "MESH_SEQUENCE_CACHE")
    modifier = source.modifiers.new("cache", "MESH_SEQUENCE_CACHE")
    modifier.cache_file, modifier.object_path, modifier.read_data = read.cache_file, read.object_path, {"VERT"}
    yield from each_frame(source, truth)


def by_glb(source, base, truth):
    """y up becomes z up. Vertices that UVs split come behind those of the file, but objects and materials part vertices, each with
    its own."""
    if "bool" not in vars(np):
        np.bool = bool  # the importer of Debian 12 asks its numpy for it
    others = imported(bpy.ops.import_scene.gltf, filepath=base + ".glb", merge_vertices=False)
    points = np.concatenate([points_of(other.data) for other in others])[:, (0, 2, 1)] * np.float32((1, 1, -1))
    if len(others) > 1 or len(others[0].data.materials) > 1:
        used = np.unique([v for polygon in source.data.polygons for v in polygon.vertices])
        same = np.array_equal(np.unique(points, axis=0), np.unique(truth[-1][used], axis=0))
        raise Told("equal set" if same else "other places")
    yield FRAMES, show_key(source, points[: len(source.data.vertices)]), truth[-1]


WAYS = {"PC2": by_pc2, "MDD": by_mdd, "OBJ": by_obj, "PLY": by_ply, "GLB": by_glb}
if bpy.app.build_options.usd:
    WAYS["USDA"] = by_usda


def need_same_faces(source, other):
    mine, others = ((looks_of(obj.data)[0], [tuple(p.vertices) for p in obj.data.polygons]) for obj in (source, other))
    if mine != others:
        raise Told("other UVs or faces")


def need_same(mesh, points, frame):
    found = points_of(mesh)
    if found.shape != points.shape:
        raise Told(f"{len(found)} of {len(points)} vertices, frame {frame}")
    if not np.array_equal(found, points):
        raise Told(f"off {np.abs(found - points).max():.2g}, frame {frame}")


def compare(way, path, base, truth):
    """A cell of the table."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = RATE
    source = import_obj(path)
    looks, cell = looks_of(source.data), "no frame"
    try:
        for frame, mesh, points in way(source, base, truth):
            need_same(mesh, points, frame)
            cell = "equal" if looks_of(mesh) == looks else "other UVs or materials"
    except Told as told:
        cell = str(told)
    return cell


def simulate(weft, path, base):
    """Positions by frame; the first None where weft parts layers, so that the start is not what the file has."""
    outputs = [argument for ending in (".pc2", ".mdd", ".ply", ".glb", ".usda", "-%04d.obj") for argument in ("-o", base + ending)]
    command = [weft, "simulate", path, "--frames", str(FRAMES), "--dt", f"{1 / RATE:.9g}", *outputs]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    parted = "start over it" in done.stdout
    return [None if parted else obj_points(path), *(obj_points(f"{base}-{frame:04d}.obj") for frame in range(1, FRAMES + 1))]


def row_of(weft, path, folder):
    base = os.path.join(folder, "out")
    truth = simulate(weft, path, base)
    moved = np.abs(truth[-1] - truth[truth[0] is None]).max()
    cells = [compare(way, path, base, truth) for way in WAYS.values()]
    print(f"{os.path.basename(path):34}{len(truth[-1]):9}{moved:11.3g}  " + "".join(f"{cell:10}" for cell in cells), flush=True)
    return all(cell in ("equal", "equal set") for cell in cells) and moved > 0


def main(weft, folder):
    files = files_of(folder)
    if not files:
        raise SystemExit(f"no OBJ files in {folder}")
    print(f"Blender {bpy.app.version_string}, frames 0 to {FRAMES}, {RATE} a second")
    print(f"{'file':34}{'vertices':>9}{'moved':>11}  " + "".join(f"{name:10}" for name in WAYS))
    with tempfile.TemporaryDirectory() as work:
        good = [row_of(weft, path, work) for path in files]
    print(f"{sum(good)} of {len(good)} files come back equal in all of these formats")
    if "USDA" not in WAYS:
        print("this Blender is built without USD: USDA is not tried")
    return 0 if all(good) else 1


if __name__ == "__main__":
    status = 1
    try:
        status = main(*sys.argv[sys.argv.index("--") + 1 :])
    except SystemExit as stop:
        print(stop, file=sys.stderr)
    except Exception:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # the module bpy may crash when Python ends
