"""What cloth does, as files that other programs read."""
from __future__ import annotations

import contextlib
import os
from typing import Any

import numpy as np

from ._cloth import Cloth, Mesh
from ._native import NULL, Error, array, call, ffi, fill, lib, make, pointer
from ._solver import Solver


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
