"""Builds the programs of this folder and checks that they compute the same thing."""
import array
import math
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
# Threads that wait spin for some ten microseconds, then sleep: on busy processors those that spin for long take each other's time.
ENVIRONMENT = {**os.environ, "GOMP_SPINCOUNT": os.environ.get("GOMP_SPINCOUNT", "10000")}
CHECK_SIZES, CHECK_FRAMES = (7, 33), 12
# m, after CHECK_FRAMES, in which the sheet falls 0.2 m. In one order, what float rounding leaves (measured: 2e-5).
SAME_ORDER = 1e-4
# In two orders, what one sweep leaves over (measured: 9e-3).
OTHER_ORDER = 2e-2


class Missing(Exception):
    """Something that is needed is not on this machine; the text says what."""


class Differ(Exception):
    """Two programs do not agree; the text says which."""


def compiler():
    """CC or cc, if it knows OpenMP."""
    cc = os.environ.get("CC", "cc")
    if not shutil.which(cc):
        raise Missing(f"no C compiler {cc}")
    test = subprocess.run([cc, "-fopenmp", "-x", "c", "-", "-o", os.devnull], input="#include <omp.h>\nint main(void){return 0;}",
                          text=True, capture_output=True)
    if test.returncode:
        raise Missing(f"{cc} has no OpenMP")
    return cc


def compiler_version():
    return run([compiler(), "--version"]).stdout.splitlines()[0]


def run(command):
    """Of a program that must succeed."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, env=ENVIRONMENT)


def build(folder):
    """The programs in C, in `folder`: their commands by name."""
    cc, programs = compiler(), {}
    for name in ("coloured", "grid"):
        programs[name] = [str(folder / name)]
        subprocess.run([cc, "-std=c11", "-O3", "-march=native", "-fno-math-errno", "-fopenmp", "-Wall", "-Wextra", "-Werror",
                        HERE / f"{name}.c", HERE / "peer.c", "-o", *programs[name], "-lm"], check=True)
    return programs


def weft_links(weft):
    """The command of the program beside weft, built where it is not there."""
    path = pathlib.Path(weft).resolve().parent / "weft_links"
    if not path.exists():
        made = subprocess.run(["cmake", "--build", path.parent, "--target", "weft_links"], capture_output=True, text=True)
        if made.returncode or not path.exists():
            raise Missing(f"{path} is not there and could not be built; configure weft with WEFT_BUILD_TESTS")
    return [str(path)]


def positions(folder, label, command, size, threads, *order):
    """Where the particles of a program are after CHECK_FRAMES, m."""
    path = folder / f"{label}.positions"
    run([*command, size, threads, CHECK_FRAMES, path, *order])
    numbers = array.array("f", path.read_bytes())
    path.unlink()
    return numbers


def apart(x, y):
    return abs(x - y) if math.isfinite(x - y) else math.inf  # max() would pass over NaN


def compare(size, what, a, b, most):
    distance = max(map(apart, a, b)) if len(a) == len(b) else math.inf
    print(f"{size} x {size}: {what}: at most {distance:.2g} m apart, allowed {most:.2g}")
    if distance > most:
        raise Differ(f"{what} differ by {distance} m at {size} x {size} after {CHECK_FRAMES} frames, more than {most}")


def check(programs, folder):
    """Raises Differ unless all of `programs` agree."""
    order = folder / "order"
    for size in CHECK_SIZES:
        weft = positions(folder, "weft", programs["weft_links"], size, 1, order)
        followed = positions(folder, "followed", programs["coloured"], size, 1, order)
        coloured = positions(folder, "coloured", programs["coloured"], size, 2)
        grid = positions(folder, "grid", programs["grid"], size, 2)
        compare(size, "weft_links and coloured in its order", weft, followed, SAME_ORDER)
        compare(size, "coloured and grid", coloured, grid, SAME_ORDER)
        compare(size, "weft_links and grid, each in its own order", weft, grid, OTHER_ORDER)
    order.unlink()
