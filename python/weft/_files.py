"""Files: scenes that are run, and what cloth does for other programs to read."""
from __future__ import annotations

import contextlib
import json
import os
from typing import Any

import numpy as np

from ._cloth import Cloth, Mesh
from ._native import NULL, Error, array, call, ffi, fill, lib, make, pointer
from ._solver import Solver, backend_of


class Scene(Solver):
    """A scene file in motion, bit for bit as `weft simulate FILE` runs it.

    source: the name of a file, or what is in one, as dict: {"weft": 1, "cloth": {"scene": "skirt"}}, with paths from `folder`
    on. frames: how many it says. Its keys lead pins, bodies and parameters; positions and velocities are copies.
    """

    _state = Solver._copied

    def __init__(self, source: str | os.PathLike | dict, *, folder: str | os.PathLike = ".", backend: str = "cpu") -> None:
        given = ("parse", json.dumps(source).encode(), os.fsencode(folder)) if isinstance(source, dict) else ("read", os.fsencode(source))
        self._file = make("weft_scene_file", "weft_scene_file_destroy", f"weft_scene_file_{given[0]}", *given[1:])
        self.frames: int = lib.weft_scene_file_frames(self._file)
        on = backend_of(backend)
        self._begin(on, [lib.weft_scene_file_model(self._file), self._file, on[0]], "weft_scene_file_solver", self._file, on[0])

    def step(self, frames: int = 1) -> None:
        for _ in range(frames):
            with self._lock:
                call("weft_scene_file_step", self._file, self._open())

    def write_file(self, path: str | os.PathLike) -> None:
        """The scene as a file, with what a built-in one has by itself."""
        call("weft_scene_file_write", self._file, os.fsencode(path))


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

    def write(self, frame: Solver | Any) -> None:
        """One frame: a solver as it is now, or (n, 3) positions in metres."""
        if self._c is None:
            raise Error("the cache is closed")
        x = array(frame.positions if isinstance(frame, Solver) else frame, "positions", count=self._mesh._c.vertex_count)
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
