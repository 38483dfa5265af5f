"""The library beside this file, its errors, and what goes to it and comes back. weft.h has its declarations, as the
preprocessor made them of the public headers: no struct is written down here."""
from __future__ import annotations

import atexit
import functools
import logging
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Iterable

import numpy as np
from cffi import FFI

ffi = FFI()
ffi.cdef(Path(__file__).with_name("weft.h").read_text())
lib: Any = ffi.dlopen(str(Path(__file__).with_name("libweft.so")))
NULL = ffi.NULL


class Error(Exception):
    """What weft refuses, in its own sentence. `code` is a weft_result of weft/types.h: "argument", "file", "mesh" and so on."""

    def __init__(self, message: str, code: str = "argument") -> None:
        super().__init__(message)
        self.code = code


class OutOfMemory(Error, MemoryError):
    """Memory ran out. What was to be made is not made; a solver in the middle of a step is lost, and says so from then on."""


def choose(value: Any, known: Iterable[str], name: str = "it") -> Any:
    """One of the names that there are."""
    if not isinstance(value, str) or value not in known:
        raise Error(f"{name} is {value!r}, and may be {', '.join(map(repr, known))}")
    return value


@functools.lru_cache(maxsize=None)
def choices(enum: str) -> dict[str, int]:
    """The values of an enum by their names without what these have in common: of weft_mode "gs", "jacobi", "hybrid"."""
    values = ffi.typeof(enum).relements
    common = os.path.commonprefix(list(values)).rpartition("_")[0]
    return {name[len(common) + 1:].lower(): value for name, value in values.items()}


_codes = {value: name.replace("error_", "") for name, value in choices("weft_result").items()}


def call(function: str, *arguments: Any) -> None:
    """Calls a function that answers a weft_result, and raises what it refuses. Other threads of Python run meanwhile."""
    error = ffi.new("weft_error *")
    try:
        result = getattr(lib, function)(*arguments, error)
    except (TypeError, OverflowError) as why:  # a number that is none, or is too large
        raise Error(f"{function}: {why}") from None
    if result != lib.WEFT_OK:
        message = ffi.string(error.message).decode(errors="replace")
        raise (OutOfMemory if result == lib.WEFT_ERROR_MEMORY else Error)(message, _codes[result])


def make(ctype: str, destroy: str, function: str, *arguments: Any, uses: Any = None, lock: Any = nullcontext()) -> Any:
    """What a function makes. It is destroyed when nothing refers to it any more, and before what it uses."""
    out, end = ffi.new(f"{ctype} **"), getattr(lib, destroy)

    def free(made: Any, uses: Any = uses) -> None:
        with lock:
            end(made)
    with lock:
        call(function, *arguments, out)
    return ffi.gc(out[0], free)


def array(values: Any, name: str, columns: int = 3, dtype: Any = np.float32, count: int | None = None) -> np.ndarray:
    """Numbers as a C-contiguous array (n, columns), or (n,) with columns 0; a copy where they are no such array."""
    try:
        given = np.asarray(values)
    except ValueError as why:
        raise Error(f"{name} is no array: {why}") from None
    whole = np.dtype(dtype).kind == "u"
    if given.size and given.dtype.kind not in ("iu" if whole else "iuf"):
        raise Error(f"{name} must be {'whole' if whole else 'real'} numbers, not {given.dtype}")
    shape = ("n" if count is None else count, columns)[:2 if columns else 1]
    if given.ndim != len(shape) or any(want not in ("n", have) for want, have in zip(shape, given.shape)):
        raise Error(f"{name} must have the shape ({', '.join(map(str, shape))}), not {given.shape}")
    if whole and given.size and (given.min() < 0 or given.max() > 2**32 - 1):
        raise Error(f"{name} must lie within 0 and 2^32 - 1, and goes from {given.min()} to {given.max()}")
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused as that
        return np.ascontiguousarray(given, dtype)


def pointer(values: np.ndarray, ctype: str) -> Any:
    """Where an array begins; the array must live on."""
    return ffi.cast(f"{ctype} *", values.ctypes.data)


def copy(memory: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array of what a pointer leads to, four bytes each."""
    count = int(np.prod(shape))
    return (np.frombuffer(ffi.buffer(memory, 4 * count), dtype) if count else np.empty(0, dtype)).reshape(shape).copy()


def fill(struct: Any, names: list[str] | None = None, /, **values: Any) -> Any:
    """Sets members of a struct, those in `names` at most. Enums are given by names, vectors by three numbers."""
    fields = {name: field.type for name, field in ffi.typeof(struct[0]).fields}
    for name, value in values.items():
        kind = fields[choose(name, names or fields, "the name of a parameter")]
        if kind.kind == "enum":
            value = choices(kind.cname)[choose(value, choices(kind.cname), name)]
        elif kind.cname == "weft_vec3":
            value = array(value, name, 0, count=3).tolist()
        try:
            setattr(struct, name, bool(value) if kind.cname == "_Bool" else value)
        except (TypeError, OverflowError) as why:
            raise Error(f"{name}: {why}") from None
    return struct


def members(struct: Any, names: list[str] | None = None) -> dict[str, Any]:
    """Members of a struct in Python's own: numbers, names of enums, arrays of vectors. Without pointers."""
    found = {}
    for name, field in ffi.typeof(struct[0]).fields:
        value, kind = getattr(struct, name), field.type
        if kind.kind == "enum":
            value = next(text for text, number in choices(kind.cname).items() if number == value)
        elif kind.cname == "weft_vec3":
            value = np.array([value.x, value.y, value.z])
        elif kind.kind == "array":
            value = np.array(list(value))
        if kind.kind != "pointer" and (names is None or name in names):
            found[name] = value
    return found


@ffi.callback("weft_log_function")
def _listen(level: int, line: Any, user: Any) -> None:
    severity = (logging.ERROR, logging.WARNING, logging.INFO)[level]
    logging.getLogger("weft").log(severity, "%s", ffi.string(line).decode(errors="replace"))


lib.weft_log_set(_listen, NULL, lib.WEFT_LOG_INFO)
atexit.register(lib.weft_log_set, NULL, NULL, lib.WEFT_LOG_ERROR)
