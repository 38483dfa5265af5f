"""Solvers: cloth in motion, one or many at once, or a scene from a file."""
from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import threading
import weakref
from types import SimpleNamespace
from typing import Any, Iterable, Iterator, Sequence

import numpy as np

from ._cloth import Body, Cloth, Collider, inverse_masses
from ._native import NULL, Error, array, call, choose, ffi, fill, lib, make, members, pointer

PARAMETERS = [name for name, _ in ffi.typeof("weft_params").fields]
PARAMETERS = PARAMETERS[:PARAMETERS.index("keep")]  # what stands before is what may be set


def _set(params: Any, values: dict[str, Any]) -> Any:
    for name in fill(params, PARAMETERS, **values) and values:  # what is given stays, although it is the default
        params.keep |= getattr(lib, f"WEFT_KEEP_{name.upper()}", 0)
    return params


@functools.lru_cache(maxsize=None)
def _gl(device: str) -> tuple[Any, Any]:
    """The backend on an OpenGL context, and what keeps two threads out of it. One a device, until the process ends."""
    if not hasattr(lib, "weft_gl_create_headless"):
        raise Error("this weft was built without OpenGL", "no_gl")
    name = ffi.new("char[]", device.encode()) if device else NULL
    context = make("weft_gl", "weft_gl_destroy", "weft_gl_create_headless", ffi.new("weft_gl_desc *", {"device": name}))
    backend = ffi.new("weft_backend **")
    call("weft_backend_gl", context, backend)
    return ffi.gc(backend[0], lambda _, uses=context: None), threading.RLock()


def _backend(text: str) -> tuple[Any, Any]:
    name, _, which = str(text).partition(":")
    if choose(name, ("cpu", "ref", "f64", "gl"), "a backend") == "gl":
        return _gl(which)
    if which and not (name == "cpu" and which.isdigit()):
        raise Error(f"a backend is {text!r}, and may be as 'cpu', 'cpu:4' for four threads, 'gl', 'gl:DEVICE'")
    return getattr(lib, f"weft_backend_{name}")(*([int(which or 0)] if name == "cpu" else [])), threading.RLock()


class _Lease:
    """The memory of a state, for arrays over it. While there is one, the solver neither dies nor moves its state."""

    def __init__(self, solver: Any, address: Any, rows: int, stride: int) -> None:
        self._solver = solver
        self.__array_interface__ = {"version": 3, "typestr": "=f4", "shape": (rows, 3), "strides": (stride, 4),
                                    "data": (int(ffi.cast("uintptr_t", address)), True)}


class Solver(contextlib.AbstractContextManager):
    """A cloth in motion.

    backend: "cpu" (all cores; "cpu:4": four threads), "ref" (plain C), "f64" (doubles), "gl" (OpenGL 4.3; "gl:NAME": the device
    of that name). start: (n, 3) positions in metres; rest lengths stay those of the cloth. parameters: those of
    include/weft/params.def by their names, and plain and max_strain. One thread at a time uses a solver; others wait.
    """

    def __init__(self, cloth: Cloth, *, bodies: Sequence[Body] = (), colliders: Sequence[Collider] = (), backend: str = "cpu",
                 start: Any = None, **parameters: Any) -> None:
        self._create(cloth._model, cloth, bodies, colliders, backend, start, parameters)
        self._soften(cloth)

    def _create(self, model: Any, cloth: Any, bodies: Sequence[Body], colliders: Sequence[Collider], backend: str, start: Any,
                parameters: dict[str, Any]) -> None:
        params = _set(ffi.new("weft_params *", lib.weft_params_default()), parameters)
        first = None if start is None else array(start, "start", count=len(cloth.masses))
        every = ffi.new("weft_body[]", [body._c[0] for body in bodies]), ffi.new("weft_collider[]", [c._c[0] for c in colliders])
        params.start = NULL if first is None else pointer(first, "weft_vec3")
        params.bodies, params.body_count, params.colliders, params.collider_count = every[0], len(bodies), every[1], len(colliders)
        on = _backend(backend)
        self._begin(on, [model, cloth, on[0]], "weft_solver_create", model, params, on[0])

    def _begin(self, on: tuple[Any, Any], uses: list, function: str, *arguments: Any) -> None:
        self._leases: weakref.WeakSet[_Lease] = weakref.WeakSet()
        self._uses, self._lock = uses, on[1]
        self._c = make("weft_solver", "weft_solver_destroy", function, *arguments, uses=uses, lock=on[1])
        self.backend = ffi.string(lib.weft_backend_name(on[0])).decode()
        self._weights = (inverse_masses(uses[0]) == 0).astype(np.float32)
        self._shape: tuple = (len(self._weights), 3)

    def _soften(self, cloth: Cloth) -> None:
        if cloth.pin_weight != 1:
            self.pin(self.pinned, cloth.pin_weight)

    def _open(self) -> Any:
        if self._c is None:
            raise Error("the solver is closed")
        return self._c

    def _call(self, function: str, *arguments: Any) -> None:
        with self._lock:
            call(function, self._open(), *arguments)

    def _change(self, function: str, *arguments: Any) -> None:
        """What may take new tables, which it does not while arrays show these."""
        with self._lock:
            lib.weft_solver_hold_tables(self._open(), bool(self._leases))
            try:
                return call(function, self._c, *arguments)
            except Error as why:
                if "are held" not in str(why):
                    raise
                gc.collect()
                if self._leases:
                    raise Error(f"{why} by arrays of .positions or .velocities: delete those, or take copies") from None
            lib.weft_solver_hold_tables(self._c, False)
            call(function, self._c, *arguments)

    def _value(self, ctype: str, function: str) -> Any:
        out = ffi.new(f"{ctype} *")
        self._call(function, out)
        return out

    def close(self) -> None:
        """Frees it, once the last array over its state has gone too."""
        with self._lock:
            self._c = None

    def __exit__(self, *_: Any) -> None:
        self.close()

    def step(self, frames: int = 1) -> None:
        """Goes on by so many frames. Other threads of Python run meanwhile; Ctrl-C ends it between two frames."""
        for _ in range(frames):
            self._call("weft_solver_step")

    def run(self, frames: int) -> Iterator[int]:
        """Goes on frame by frame, and gives the number of each."""
        for _ in range(frames):
            self.step()
            yield self.frame

    def reset(self) -> None:
        """Back to the start, at rest, time 0."""
        self._call("weft_solver_reset")

    @property
    def frame(self) -> int:
        """Frames done."""
        return lib.weft_solver_frame(self._open())

    @property
    def time(self) -> float:
        """Seconds simulated."""
        return lib.weft_solver_time(self._open())

    def _state(self, member: str) -> np.ndarray:
        if self.backend in ("cpu", "ref"):
            view = self._value("weft_view", "weft_solver_view")
            if member == "velocities" or not any(view.origin):
                lease = _Lease(self._c, getattr(view, member), view.count, view.stride)
                self._leases.add(lease)
                return np.asarray(lease).reshape(self._shape)
        return self._copied(member)

    def _copied(self, member: str) -> np.ndarray:
        out = np.empty(self._shape, np.float64 if self.backend == "f64" else np.float32)
        self.read(**{member: out})
        return out

    @property
    def positions(self) -> np.ndarray:
        """(n, 3) float32, metres. On cpu and ref it is the state itself, read-only and not a copy: take it anew after each step.
        It is a copy on gl, on f64 (float64), and where cloth is far from the world's zero."""
        return self._state("positions")

    @property
    def velocities(self) -> np.ndarray:
        """(n, 3) float32, m/s; else as positions."""
        return self._state("velocities")

    def read(self, positions: np.ndarray | None = None, velocities: np.ndarray | None = None) -> None:
        """Copies the state into arrays of the caller's, metres and m/s: float32, or float64, which is not rounded. Raises where
        the state is not finite."""
        outs = [out for out in (positions, velocities) if out is not None]
        kinds = {out.dtype if isinstance(out, np.ndarray) and out.shape == self._shape and out.flags.carray else None for out in outs}
        narrow = kinds == {np.dtype(np.float32)}
        if not narrow and kinds != {np.dtype(np.float64)}:
            raise Error(f"read takes writable C-contiguous arrays, of float32 or all of float64, with the shape {self._shape}")
        function, ctype = ("read", "weft_vec3") if narrow else ("read_f64", "double")
        self._call(f"weft_solver_{function}", *(NULL if out is None else pointer(out, ctype) for out in (positions, velocities)))

    def write(self, positions: Any = None, velocities: Any = None) -> None:
        """Replaces the state, (n, 3) metres and m/s; time stays. Pins stand where they are put."""
        given = {"positions": positions, "velocities": velocities}.items()
        rows = [None if values is None else self._rows(values, name, len(self._weights)) for name, values in given]
        self._call("weft_solver_write_f64", *(NULL if row is None else pointer(row, "double") for row in rows))

    def save(self) -> bytes:
        """The state, for load: all that decides the frames to come, pins and bodies on their way included."""
        out, size = ffi.new("void **"), ffi.new("size_t *")
        self._call("weft_solver_save", out, size)
        return bytes(ffi.buffer(ffi.gc(out[0], lib.weft_free), size[0]))

    def load(self, state: bytes) -> None:
        """Back to what save gave, bit for bit: of this solver, or of one that was made as this was, on any backend."""
        given = bytes(state)
        self._call("weft_solver_load", given, len(given))

    def hash(self) -> int:
        """Of the bits of all positions and velocities: equal states, equal hash, on every backend but f64."""
        return self._value("uint64_t", "weft_solver_hash")[0]

    def metrics(self) -> SimpleNamespace:
        """The members of weft_metrics: strain_p99, kinetic_energy (J), box_min (m), max_speed (m/s) and so on."""
        return SimpleNamespace(**members(self._value("weft_metrics", "weft_solver_metrics")))

    # ---- changes, from the next frame on ----

    @property
    def parameters(self) -> SimpleNamespace:
        """All parameters, with what was chosen for the cloth."""
        return SimpleNamespace(**members(lib.weft_solver_params(self._open()), PARAMETERS))

    def set(self, **parameters: Any) -> None:
        """Other values of parameters. All others stay."""
        with self._lock:
            now = ffi.new("weft_params *", lib.weft_solver_params(self._open())[0])
            self._change("weft_solver_set_params", _set(now, parameters))

    def _which(self, particles: Any) -> np.ndarray:
        return array(particles, "particles", 0, np.uint32)

    def _rows(self, values: Any, name: str, count: int) -> np.ndarray:
        return array(values, name, dtype=np.float64, count=count)

    def pin(self, particles: Any, weight: float = 1.0) -> None:
        """Holds particles where they are: weight 1 still, less as a spring, 0 not at all."""
        which = self._which(particles)
        self._change("weft_solver_set_pins", pointer(which, "uint32_t"), len(which), weight)
        self._weights[which] = weight

    @property
    def pinned(self) -> np.ndarray:
        """Indices of what is held with any weight, ascending."""
        return np.flatnonzero(self._weights).astype(np.uint32)

    def move_pins(self, targets: Any, particles: Any = None) -> None:
        """Where pins, all or those named, shall be at the end of the next frame: (k, 3) metres. They go there in straight lines."""
        which = self._which(self.pinned if particles is None else particles)
        to = self._rows(targets, "targets", len(which))
        self._call("weft_solver_move_pins_f64", pointer(which, "uint32_t"), pointer(to, "double"), len(which))

    def move_body(self, body: int, positions: Any) -> None:
        """Where the vertices of a body shall be at the end of the next frame: (its n, 3) metres."""
        with self._lock:
            params = lib.weft_solver_params(self._open())
            size = params.bodies[body].mesh.vertex_count if body in range(params.body_count) else None
            to = array(positions, "positions", dtype=np.float64, count=size)
            self._call("weft_solver_move_body_f64", body, pointer(to, "double"))

    def place(self, collider: int, to: Collider) -> None:
        """What a collider shall be at the end of the next frame, of the same shape and without keys."""
        self._change("weft_solver_place_collider", collider, to._c)

    def add(self, what: Body | Collider) -> int:
        """One more body or collider; its number."""
        index = ffi.new("uint32_t *")
        self._change(f"weft_solver_add_{'body' if isinstance(what, Body) else 'collider'}", what._c, index)
        return index[0]

    def remove(self, kind: str, number: int) -> None:
        """Takes a "body" or a "collider" away. Those after it move up."""
        self._change("weft_solver_remove_" + choose(kind, ("body", "collider"), "what is removed"), number)

    def set_cloth(self, cloth: Cloth) -> None:
        """Another fabric or other pins: a cloth of the same triangles."""
        self._change("weft_solver_set_model", cloth._model)
        self._uses[:2] = cloth._model, cloth
        self._weights = (inverse_masses(cloth._model) == 0).astype(np.float32)
        self._soften(cloth)


class Batch(Solver):
    """Many cloths of one mesh in one solver. They do not touch each other; fabrics may differ.

    cloths: several, or one beside `count`. State, targets of pins and what is written have one dimension more in front,
    (instances, n, 3), or none where it is the same for all. Without bodies, start, other pins, and what couples all particles.
    """

    def __init__(self, cloths: Cloth | Iterable[Cloth], count: int = 1, *, colliders: Sequence[Collider] = (),
                 backend: str = "cpu", **parameters: Any) -> None:
        every = [cloths] * count if isinstance(cloths, Cloth) else list(cloths)
        models = ffi.new("weft_model *[]", [cloth._model for cloth in every])
        model = make("weft_model", "weft_model_destroy", "weft_model_join", models, len(models))
        self._create(model, every, (), colliders, backend, None, parameters)
        self._shape = (len(every), len(self._weights) // len(every), 3)

    @property
    def pinned(self) -> np.ndarray:
        """Indices in one cloth of what is pinned in the first."""
        return np.flatnonzero(self._weights[:self._shape[1]]).astype(np.uint32)

    def _which(self, particles: Any) -> np.ndarray:
        firsts = np.arange(self._shape[0], dtype=np.uint32) * np.uint32(self._shape[1])
        return np.add.outer(firsts, super()._which(particles)).ravel()

    def _rows(self, values: Any, name: str, count: int) -> np.ndarray:
        each = (self._shape[0], count // self._shape[0], 3)
        if np.shape(values) not in (each, each[1:]):
            raise Error(f"{name} must have the shape {each} or {each[1:]}, not {np.shape(values)}")
        return super()._rows(np.broadcast_to(values, each).reshape(-1, 3), name, count)

    def reset(self, mask: Any = None) -> None:
        """Back to the start, at rest: all, with time, or those instances where `mask`, (instances,) of bool, is true."""
        if mask is None:
            return super().reset()
        marked = np.ascontiguousarray(mask)
        if marked.dtype != bool or marked.shape != self._shape[:1]:
            raise Error(f"mask must be bool with the shape {self._shape[:1]}, not {marked.dtype} with {marked.shape}")
        self._call("weft_solver_reset_instances", pointer(marked, "bool"))


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
        on = _backend(backend)
        self._begin(on, [lib.weft_scene_file_model(self._file), self._file, on[0]], "weft_scene_file_solver", self._file, on[0])

    def step(self, frames: int = 1) -> None:
        for _ in range(frames):
            with self._lock:
                call("weft_scene_file_step", self._file, self._open())

    def write_file(self, path: str | os.PathLike) -> None:
        """The scene as a file, with what a built-in one has by itself."""
        call("weft_scene_file_write", self._file, os.fsencode(path))
