"""What solvers are made of: meshes, fabrics, cloth, bodies, colliders; and files of what cloth does."""
from __future__ import annotations

import contextlib
import itertools
import os
from typing import Any, Iterable, Sequence

import numpy as np

from ._native import NULL, Error, array, call, choose, copy, ffi, fill, lib, make, members, pointer

Vector = Sequence[float]


class Mesh:
    """Vertices and triangles.

    source: positions, (n, 3) metres, beside `triangles`, (m, 3) indices counter-clockwise seen from the front; something with
    .vertices and .faces, as of trimesh; or the name of a file, with members of weft_import_desc: groups, scale, up ("y", "z"),
    turn, move, weld, weld_distance. Arrays keep their order; what a file has is welded and may change it.

    vertices: (n, 3) float32, metres. faces: (m, 3) uint32. numbers: (n,) uint32, of each vertex in its file.
    """

    _file: Any = NULL

    def __init__(self, source: Any, triangles: Any = None, **options: Any) -> None:
        self._c = ffi.gc(ffi.new("weft_mesh *"), lib.weft_mesh_free)
        if isinstance(source, (str, os.PathLike)):
            self._path, self._groups = os.fsencode(source), os.fsencode(options.pop("groups", ""))
            self._file = fill(ffi.new("weft_import_desc *"), **options)
            self._groups = self._file.groups = ffi.new("char[]", self._groups) if self._groups else NULL
            call("weft_mesh_import", self._path, self._file, self._c)
            if not lib.weft_mesh_find_grid(self._c):
                lib.weft_mesh_order(self._c)
            return self._copy()
        if triangles is None and hasattr(source, "vertices") and hasattr(source, "faces"):
            source, triangles = source.vertices, source.faces
        if triangles is None or options:
            raise Error("a mesh is of positions and triangles, of something with .vertices and .faces, or of a file with options")
        x, t = array(source, "positions"), array(triangles, "triangles", dtype=np.uint32)
        arrays = pointer(x, "weft_vec3"), len(x), pointer(t, "uint32_t"), len(t)
        call("weft_mesh_from_arrays", *arrays, self._c)
        if lib.weft_mesh_find_grid(self._c) and (copy(self._c.map.numbers, (len(x),), np.uint32) != np.arange(len(x))).any():
            lib.weft_mesh_free(self._c)  # a grid in another order stays a mesh
            call("weft_mesh_from_arrays", *arrays, self._c)
        self._copy()

    def _copy(self) -> None:
        n, triangles, map_ = self._c.vertex_count, self._c.triangle_count, self._c.map
        self.vertices, self.faces = copy(self._c.positions, (n, 3), np.float32), copy(self._c.triangles, (triangles, 3), np.uint32)
        self.numbers = copy(map_.numbers, (n,), np.uint32) if map_.numbers else np.arange(n, dtype=np.uint32)

    @classmethod
    def shape(cls, shape: str, **members: Any) -> Mesh:
        """A "disc", "tube" or "poncho", with members of its descriptor in weft/mesh.h."""
        mesh = cls.__new__(cls)
        mesh._c = ffi.gc(ffi.new("weft_mesh *"), lib.weft_mesh_free)
        choose(shape, ("grid", "disc", "tube", "poncho"), "a shape")
        call(f"weft_mesh_{shape}", fill(ffi.new(f"weft_{shape}_desc *"), **members), mesh._c)
        mesh._copy()
        return mesh

    @classmethod
    def grid(cls, rows: int = 64, columns: int = 64, **members: Any) -> Mesh:
        """A sheet: width, height, pattern ("same_diagonal", "alternating", "equilateral"), plane ("xy" hangs, "xz" lies), centre."""
        return cls.shape("grid", rows=rows, columns=columns, **members)


def _mesh(source: Any, triangles: Any, options: dict[str, Any]) -> Mesh:
    return source if isinstance(source, Mesh) and triangles is None and not options else Mesh(source, triangles, **options)


def fabrics() -> list[str]:
    """Names of the fabrics there are."""
    presets = itertools.takewhile(bool, map(lib.weft_material_at, itertools.count()))
    return [ffi.string(preset.name).decode() for preset in presets]


class Fabric:
    """A fabric by its name, with what is changed of it: area_density (kg/m^2), stretch_warp, stretch_weft and shear (N/m),
    bending (N m), damping_time (s). `values` has them all."""

    def __init__(self, name: str = "tablecloth", **changes: float) -> None:
        self._c = ffi.new("weft_material *", lib.weft_material_find(choose(name, fabrics(), "a fabric").encode())[0])
        self.values = members(fill(self._c, list(members(self._c)), **changes))


class Cloth:
    """A cloth: a mesh with masses, constraints and pins. It never changes, and any number of solvers may have it.

    source, triangles, options: as of Mesh, or a Mesh. fabric: a name or a Fabric. bending: "isometric", "dihedral", "across",
    "none" or "mixed", which is the default for what is creased. pins: "corners", "top", "left", indices of vertices (a file's
    own), ("box", low, high) in metres, or a list of several of these. pin_weight: 1 holds still, less is a spring, as of
    Solver.pin. masses: (n,) float32, kg, infinite where pinned.
    """

    def __init__(self, source: Any, triangles: Any = None, *, fabric: str | Fabric = "tablecloth", bending: str | None = None,
                 pins: Any = None, pin_weight: float = 1.0, **options: Any) -> None:
        self.mesh, self.pin_weight = _mesh(source, triangles, options), pin_weight
        fabric = fabric if isinstance(fabric, Fabric) else Fabric(fabric)
        rules, _lists = _pins(pins)
        creased = lib.weft_mesh_creases(self.mesh._c, NULL) > 0
        desc = fill(ffi.new("weft_model_desc *"), bending=bending or ("mixed" if creased else "isometric"))
        desc.mesh, desc.material, desc.pins, desc.pin_count = self.mesh._c, fabric._c, rules, len(rules)
        self._model = make("weft_model", "weft_model_destroy", "weft_model_create", desc)
        with np.errstate(divide="ignore"):
            self.masses = 1 / inverse_masses(self._model)


def inverse_masses(model: Any) -> np.ndarray:
    return copy(lib.weft_model_inverse_masses(model), (lib.weft_model_particle_count(model),), np.float32)


def _pins(pins: Any) -> tuple[Any, list]:
    """Rules, and the lists that they lead to."""
    several = isinstance(pins, list) and any(isinstance(pin, (str, list, tuple, np.ndarray)) for pin in pins)
    each = [] if pins is None else pins if several else [pins]
    rules, lists = ffi.new("weft_pin[]", len(each)), []
    for k, pin in enumerate(each):
        if isinstance(pin, str):
            fill(rules + k, rule=pin)
        elif isinstance(pin, tuple) and len(pin) == 3 and isinstance(pin[0], str):
            fill(rules + k, rule=choose(pin[0], ("box",), "three of a pin"), box_min=pin[1], box_max=pin[2])
        else:
            lists.append(array(pin, "pins", 0, np.uint32))
            fill(rules + k, rule="list", list=pointer(lists[-1], "uint32_t"), list_count=len(lists[-1]))
    return rules, lists


def _friction(friction: float | Vector) -> dict[str, Any]:
    both = array(friction, "friction", 0, count=2).tolist() if np.ndim(friction) else (friction, friction)
    return dict(zip(("friction_static", "friction_dynamic"), both))


class Body:
    """Triangles that cloth cannot pass, still or moving (Solver.move_body).

    source, triangles, options: as of Mesh, or a Mesh. friction: mu, or mu static and dynamic. thickness: metres, how far cloth
    keeps away; 0: as cloth from cloth.
    """

    def __init__(self, source: Any, triangles: Any = None, *, friction: float | Vector = 0.0, thickness: float = 0.0,
                 **options: Any) -> None:
        self.mesh = _mesh(source, triangles, options)
        self._c = fill(ffi.new("weft_body *"), thickness=thickness, **_friction(friction))
        self._c.mesh = self.mesh._c


class Collider:
    """A shape that pushes cloth: "plane" (a point of it, b its normal), "sphere" (a its centre, radius), "capsule" (from a to b,
    radius), "box" (a its centre, half_size). Metres. rotation: axis times angle, radians. friction: mu, or mu static and
    dynamic. keys: (seconds, a, b, rotation), several, between which it moves; what a shape does not use may be left out."""

    def __init__(self, shape: str, a: Vector = (0, 0, 0), b: Vector = (0, 1, 0), *, friction: float | Vector = 0.0,
                 keys: Iterable[Sequence] = (), **more: Any) -> None:
        self._c = fill(ffi.new("weft_collider *"), shape=shape, a=a, b=b, **_friction(friction), **more)
        every = [dict(zip(("time", "a", "b", "rotation"), key)) for key in keys]
        self._keys = ffi.new("weft_collider_key[]", len(every))
        for k, key in enumerate(every):
            fill(self._keys + k, **key)
        self._c.keys, self._c.key_count = self._keys if every else NULL, len(every)


class Cache(contextlib.AbstractContextManager):
    """A file of frames: PC2, MDD or USD, which hold all, or OBJ, PLY or GLB, which hold the last. It gets its name when it is
    closed, and `with` closes it.

    of: the Cloth or Mesh whose vertices these are; a file's go out in its numbers, unit and axes. frames: how many there will
    be at most. seconds: from frame to frame.
    """

    def __init__(self, path: str | os.PathLike, of: Cloth | Mesh, frames: int = 1, seconds: float = 1 / 60) -> None:
        self._mesh = mesh = of.mesh if isinstance(of, Cloth) else of
        self._source = ffi.gc(ffi.new("weft_source *"), lib.weft_source_free)
        read = ("weft_source_read", mesh._path, mesh._file) if mesh._file else ("weft_source_from_mesh", mesh._c)
        call(*read, self._source)
        self._path, self._map = ffi.new("char[]", os.fsencode(path)), ffi.addressof(mesh._c, "map") if mesh._c.map.numbers else NULL
        desc = fill(ffi.new("weft_export_desc *"), frame_seconds=seconds, frame_count=frames)
        desc.path, desc.source, desc.map, desc.z_up = self._path, self._source, self._map, self._source.up == lib.WEFT_UP_Z
        self._c = make("weft_export", "weft_export_abandon", "weft_export_open", desc, uses=(self._source, self._path, mesh))

    def write(self, frame: Any) -> None:
        """One frame: a solver as it is now, or (n, 3) positions in metres."""
        if self._c is None:
            raise Error("the cache is closed")
        x = array(getattr(frame, "positions", frame), "positions", count=self._mesh._c.vertex_count)
        if self._map:
            x, given = np.empty((self._source.vertex_count, 3), np.float32), x
            call("weft_source_place", self._source, self._map, pointer(given, "weft_vec3"), pointer(x, "weft_vec3"))
        call("weft_export_frame", self._c, pointer(x, "weft_vec3"))

    def close(self) -> None:
        """Completes the file, and gives it its name."""
        if self._c is not None:
            cache, self._c = self._c, None
            ffi.gc(cache, None)  # it is freed in any case
            call("weft_export_close", cache)

    def __exit__(self, *_: Any) -> None:
        self.close()
