"""What is wrong is an exception with a sentence, and changes nothing: no signal, no state lost."""
import gc
import os
import tempfile
import unittest

import numpy as np
import weft

N = 36
MESH = weft.Mesh.grid(6, 6, plane="xz")
X, T = MESH.vertices, MESH.faces
CLOTH = weft.Cloth(MESH, pins="corners")


def changed(array, index, value, dtype=None):
    copy = array.astype(dtype or array.dtype)
    copy[index] = value
    return copy


def locked(shape, dtype=np.float32):
    array = np.empty(shape, dtype)
    array.flags.writeable = False
    return array


def pages():
    """Of the process: all, and those in memory."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return [int(word) for word in file.read().split()[:2]]


# A name, what is done with a solver of CLOTH and a batch of it, and words of the sentence.
WRONG = [
    # positions of a mesh: shape
    ("flat", lambda s, b: weft.Cloth(X.ravel(), T), "shape (n, 3)"),
    ("two columns", lambda s, b: weft.Cloth(X[:, :2], T), "shape (n, 3)"),
    ("four columns", lambda s, b: weft.Cloth(np.ones((N, 4)), T), "shape (n, 3)"),
    ("three dimensions", lambda s, b: weft.Cloth(X[None], T), "shape (n, 3)"),
    ("a number", lambda s, b: weft.Cloth(5.0, T), "shape (n, 3)"),
    ("nothing", lambda s, b: weft.Cloth(np.empty((0, 3)), np.empty((0, 3), int)), "triangle"),
    ("rows of several lengths", lambda s, b: weft.Cloth([[0, 0, 0], [1, 0]], T), "positions"),
    # dtype
    ("complex", lambda s, b: weft.Cloth(X + 1j, T), "real numbers, not complex"),
    ("text", lambda s, b: weft.Cloth([["a", "b", "c"]], T), "real numbers"),
    ("objects", lambda s, b: weft.Cloth(np.full((N, 3), None), T), "real numbers, not object"),
    ("bool", lambda s, b: weft.Cloth(np.ones((N, 3), bool), T), "real numbers, not bool"),
    ("dates", lambda s, b: weft.Cloth(np.zeros((N, 3), "M8[s]"), T), "real numbers"),
    ("None", lambda s, b: weft.Cloth(None, T), "positions"),
    # values
    ("NaN", lambda s, b: weft.Cloth(changed(X, (7, 1), np.nan), T), "vertex 7 is not finite"),
    ("infinite", lambda s, b: weft.Cloth(changed(X, (8, 2), np.inf), T), "vertex 8 is not finite"),
    ("too large for float32", lambda s, b: weft.Cloth(changed(X, (9, 0), 1e300, float), T), "vertex 9 is not finite"),
    ("too far", lambda s, b: weft.Cloth(changed(X, (3, 0), 1e7), T), "1e+06"),
    ("all in one place", lambda s, b: weft.Cloth(X * 0, T), "vertex 0 has a mass of 0 kg"),
    # triangles
    ("quads", lambda s, b: weft.Cloth(X, np.zeros((4, 4), int)), "triangles must have the shape (n, 3)"),
    ("triangles of floats", lambda s, b: weft.Cloth(X, T.astype(float)), "whole numbers, not float64"),
    ("an index too large", lambda s, b: weft.Cloth(X, changed(T, (2, 1), N)), "triangle 2 names vertex 36"),
    ("an index of -1", lambda s, b: weft.Cloth(X, changed(T, (0, 0), -1, int)), "from -1"),
    ("an index of 2^32", lambda s, b: weft.Cloth(X, changed(T, (0, 0), 2**32, np.int64)), "4294967296"),
    ("an index of 2^64 - 1", lambda s, b: weft.Cloth(X, changed(T, (0, 0), 2**64 - 1, np.uint64)), "18446744073709551615"),
    ("a vertex twice", lambda s, b: weft.Cloth(X, changed(T, (5, 1), T[5, 0])), "triangle 5"),
    ("a vertex of no triangle", lambda s, b: weft.Cloth(np.vstack([X, X[:1] + 9]), T), "36"),
    ("no triangles", lambda s, b: weft.Cloth(X, np.empty((0, 3), np.uint32)), "triangle"),
    ("no arrays", lambda s, b: weft.Cloth(X), "positions and triangles"),
    # pins
    ("a pin that is not there", lambda s, b: weft.Cloth(MESH, pins=[N]), "36"),
    ("a pin of -1", lambda s, b: weft.Cloth(MESH, pins=[-1]), "from -1"),
    ("pins of floats", lambda s, b: weft.Cloth(MESH, pins=np.array([0.5])), "whole numbers"),
    ("no rule of pins", lambda s, b: weft.Cloth(MESH, pins="middle"), "'corners'"),
    ("an empty box of pins", lambda s, b: weft.Cloth(MESH, pins=("box", (5, 5, 5), (6, 6, 6))), "pin"),
    ("three of no box", lambda s, b: weft.Cloth(MESH, pins=("ball", (5, 5, 5), (6, 6, 6))), "'box'"),
    ("pins of several lengths", lambda s, b: weft.Cloth(MESH, pins=([1, 2], [3])), "pins"),
    ("pins among rules", lambda s, b: weft.Cloth(MESH, pins=["corners", [N]]), "36"),
    ("a weight of pins", lambda s, b: weft.Solver(weft.Cloth(MESH, pins=[0], pin_weight=1.5)), "1.5"),
    # a start
    ("a start of too few", lambda s, b: weft.Solver(CLOTH, start=X[:-1]), "shape (36, 3), not (35, 3)"),
    ("a start of NaN", lambda s, b: weft.Solver(CLOTH, start=changed(X, (1, 1), np.nan)), "finite"),
    # what is read into
    ("read into float16", lambda s, b: s.read(np.empty((N, 3), np.float16)), "float32"),
    ("read into integers", lambda s, b: s.read(np.empty((N, 3), np.int32)), "float32"),
    ("read into two kinds", lambda s, b: s.read(np.empty((N, 3)), np.empty((N, 3), np.float32)), "all of float64"),
    ("read into too few", lambda s, b: s.read(np.empty((N - 1, 3), np.float32)), "(36, 3)"),
    ("read into columns", lambda s, b: s.read(np.empty((3, N), np.float32).T), "C-contiguous"),
    ("read into every other", lambda s, b: s.read(np.empty((2 * N, 3), np.float32)[::2]), "C-contiguous"),
    ("read into what is locked", lambda s, b: s.read(locked((N, 3))), "writable"),
    ("read velocities into what is locked", lambda s, b: s.read(np.empty((N, 3)), locked((N, 3), float)), "writable"),
    ("read into big-endian", lambda s, b: s.read(np.empty((N, 3), ">f4")), "float32"),
    ("read into unaligned", lambda s, b: s.read(np.frombuffer(bytearray(12 * N + 1), np.uint8)[1:].view(np.float32).reshape(N, 3)), "read"),
    ("read into a list", lambda s, b: s.read([[0.0] * 3] * N), "arrays"),
    ("read into nothing", lambda s, b: s.read(), "arrays"),
    ("read a batch as one", lambda s, b: b.read(np.empty((2 * N, 3), np.float32)), "(2, 36, 3)"),
    # what is written
    ("write too few", lambda s, b: s.write(X[:-1]), "(36, 3)"),
    ("write NaN", lambda s, b: s.write(changed(X, (4, 0), np.nan)), "particle 4"),
    ("write too far", lambda s, b: s.write(changed(X, (4, 0), 1e8)), "particle 4"),
    ("write velocities of NaN", lambda s, b: s.write(velocities=changed(X, (0, 0), np.nan)), "velocity"),
    ("write a batch of others", lambda s, b: b.write(np.zeros((3, N, 3))), "(2, 36, 3)"),
    # pins on their way
    ("too few targets", lambda s, b: s.move_pins([(0, 0, 0)]), "shape (2, 3), not (1, 3)"),
    ("targets of NaN", lambda s, b: s.move_pins([(0, np.nan, 0), (0, 0, 0)]), "finite"),
    ("a target too far", lambda s, b: s.move_pins([(0, 2e6, 0), (0, 0, 0)]), "1e+06"),
    ("what is not pinned", lambda s, b: s.move_pins([(0, 0, 0)], [7]), "7"),
    ("what is not there", lambda s, b: s.move_pins([(0, 0, 0)], [N]), "36"),
    ("a pin to set that is not there", lambda s, b: s.pin([N]), "36"),
    ("a weight of NaN", lambda s, b: s.pin([3], float("nan")), "nan"),
    ("pins of a batch", lambda s, b: b.pin([3]), "joined"),
    ("targets for three of two", lambda s, b: b.move_pins(np.zeros((3, 2, 3))), "(2, 2, 3)"),
    ("a mask of numbers", lambda s, b: b.reset([0, 1]), "bool"),
    ("a mask too long", lambda s, b: b.reset([True] * 3), "(2,)"),
    # bodies and colliders
    ("a body that is not there", lambda s, b: s.move_body(0, X), "body 0"),
    ("a body of -1", lambda s, b: s.move_body(-1, X), "negative"),
    ("a collider that is not there", lambda s, b: s.remove("collider", 3), "collider 3"),
    ("a shape that is none", lambda s, b: weft.Collider("cone"), "'sphere'"),
    ("a sphere of no radius", lambda s, b: s.add(weft.Collider("sphere")), "radius"),
    ("a point of two", lambda s, b: weft.Collider("sphere", (0, 1), radius=1), "shape (3)"),
    ("a key of two numbers", lambda s, b: weft.Collider("sphere", keys=[(0, (0, 0))]), "shape (3)"),
    ("friction below 0", lambda s, b: s.add(weft.Collider("plane", (0, -5, 0), friction=-1)), "friction"),
    ("a body with a vertex too many", lambda s, b: weft.Body(X, changed(T, (0, 0), 99)), "vertex 99"),
    # parameters
    ("a parameter that is none", lambda s, b: s.set(substep=3), "'substeps'"),
    ("a parameter out of range", lambda s, b: s.set(substeps=5000), "1000"),
    ("a parameter below 0", lambda s, b: s.set(substeps=-1), "substeps"),
    ("a parameter of text", lambda s, b: s.set(damping="much"), "damping"),
    ("a choice that is none", lambda s, b: s.set(mode="sor"), "'jacobi'"),
    ("gravity of NaN", lambda s, b: s.set(gravity=(0, np.nan, 0)), "gravity"),
    ("gravity of two numbers", lambda s, b: s.set(gravity=(0, 1)), "shape (3)"),
    ("a backend that is none", lambda s, b: weft.Solver(CLOTH, backend="cuda"), "'gl'"),
    ("threads of the reference", lambda s, b: weft.Solver(CLOTH, backend="ref:4"), "'cpu:4'"),
    ("a device that is not there", lambda s, b: weft.Solver(CLOTH, backend="gl:no such device"), "no such device"),
    ("a fabric that is none", lambda s, b: weft.Cloth(MESH, fabric="silk"), "'denim'"),
    ("a fabric of NaN", lambda s, b: weft.Cloth(MESH, fabric=weft.Fabric(bending=float("nan"))), "bending"),
    ("a fabric of more", lambda s, b: weft.Fabric(colour=3), "'bending'"),
    ("another mesh", lambda s, b: s.set_cloth(weft.Cloth(weft.Mesh.grid(5, 5))), "25"),
    ("a grid of one row", lambda s, b: weft.Mesh.grid(1, 5), "no face"),
    ("cloths of several meshes", lambda s, b: weft.Batch([CLOTH, weft.Cloth(weft.Mesh.grid(5, 5))]), "model 1 of 2 differs"),
    ("no cloth", lambda s, b: weft.Batch([]), "model"),
    ("a parameter of a batch", lambda s, b: weft.Batch(CLOTH, 2, global_damping=1), "global damping"),
    # files
    ("a file that is not there", lambda s, b: weft.Cloth("/nowhere/a.obj"), "/nowhere/a.obj"),
    ("a folder", lambda s, b: weft.Cloth(tempfile.gettempdir()), tempfile.gettempdir()),
    ("an option that is none", lambda s, b: weft.Cloth("/nowhere/a.obj", sclae=2), "'scale'"),
    ("options of arrays", lambda s, b: weft.Cloth(X, T, scale=2), "file with options"),
    ("a format that is none", lambda s, b: weft.Cache("/tmp/a.xyz", MESH), "/tmp/a.xyz"),
    ("a folder that is not there", lambda s, b: weft.Cache("/nowhere/a.pc2", MESH), "/nowhere"),
    ("a state that is none", lambda s, b: s.load(b"weft"), "weft"),
    ("a state that is no bytes", lambda s, b: s.load(7), "state"),
]


class Refusals(unittest.TestCase):
    def test_each_is_a_sentence_and_changes_nothing(self):
        for backend in ("cpu", "gl"):
            solver, untouched = (weft.Solver(CLOTH, backend=backend) for _ in range(2))
            batch, alone = (weft.Batch(CLOTH, 2, backend=backend) for _ in range(2))
            for each in (solver, untouched, batch, alone):
                each.step(3)
            for name, do, words in WRONG:
                with self.subTest(name, backend=backend):
                    with self.assertRaises(weft.Error) as raised:
                        do(solver, batch)
                    self.assertIn(words, str(raised.exception))
                    self.assertNotIn("\n", str(raised.exception))
                    self.assertIsInstance(raised.exception.code, str)
            for each in (solver, untouched, batch, alone):
                each.step(3)
            self.assertEqual(solver.hash(), untouched.hash())
            self.assertEqual(batch.hash(), alone.hash())
        self.assertGreater(len(WRONG), 80)

    def test_what_is_odd_but_right(self):
        """Views, other orders of bytes and columns, locked arrays and lists are copied."""
        wanted = weft.Solver(CLOTH)
        wanted.write(X + 1)
        for given in ((X + 1).tolist(), np.asfortranarray(X + 1), locked_copy(X + 1), (X + 1).astype(">f4"), np.repeat(X + 1, 2, 0)[::2],
                      np.ma.masked_array(X + 1)):
            with weft.Solver(CLOTH) as solver:
                solver.write(given)
                self.assertEqual(solver.hash(), wanted.hash())
        with weft.Solver(CLOTH) as solver:
            with self.assertRaises(ValueError):
                solver.positions[0] = 1

    def test_codes(self):
        for code, do in (("file", lambda: weft.Cloth("/nowhere/a.obj")), ("mesh", lambda: weft.Cloth(X * 0, T)),
                         ("not_finite", lambda: weft.Solver(CLOTH).write(X * np.nan)), ("argument", lambda: weft.Cloth(MESH, pins=[N]))):
            with self.assertRaises(weft.Error) as raised:
                do()
            self.assertEqual(raised.exception.code, code)

    def test_memory_that_runs_out(self):
        """More than there can be is a MemoryError, with what could not be had; the process goes on."""
        import resource
        before = resource.getrlimit(resource.RLIMIT_AS)
        used = pages()[0] * resource.getpagesize()
        mesh = weft.Mesh.grid(700, 700)
        resource.setrlimit(resource.RLIMIT_AS, (used + 200 * 2**20, before[1]))
        try:
            with self.assertRaises(MemoryError) as raised:
                weft.Cloth(mesh)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)
        self.assertIsInstance(raised.exception, weft.OutOfMemory)
        self.assertIn("bytes", str(raised.exception))
        self.assertEqual(len(weft.Cloth(mesh).masses), 490000)

    def test_a_tight_loop_loses_no_memory(self):
        for turn in range(60):
            if turn == 20:
                before = pages()[1]
            for _, do, _ in WRONG[:36]:
                try:
                    do(None, None)
                except weft.Error:
                    pass
            with weft.Solver(weft.Cloth(weft.Mesh.grid(40, 40), pins="top")) as solver:
                solver.step()
                for _ in range(5):
                    solver.load(solver.save())
                solver.set(iterations=2)
        self.assertLess((pages()[1] - before) * os.sysconf("SC_PAGE_SIZE"), 3 * 2**20)


def locked_copy(array):
    copy = np.array(array)
    copy.flags.writeable = False
    return copy


if __name__ == "__main__":
    unittest.main()
