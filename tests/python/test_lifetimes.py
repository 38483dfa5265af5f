"""Nothing outlives its memory: arrays over states, closed solvers, signals, threads, the end of the process."""
import gc
import inspect
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref

import numpy as np
import weft

MESH = weft.Mesh.grid(12, 12, plane="xz")


def solver(backend="cpu", **parameters):
    return weft.Solver(weft.Cloth(MESH, pins="corners"), backend=backend, **parameters)


class Views(unittest.TestCase):
    def test_a_view_is_no_copy_and_locked(self):
        for backend in ("cpu", "ref"):
            with solver(backend) as s:
                s.step()
                x, copy = s.positions, np.empty((144, 3), np.float32)
                s.read(copy)
                self.assertTrue((x == copy).all() and not x.flags.writeable and not x.flags.owndata)
                self.assertEqual(x.ctypes.data, s.positions.ctypes.data)
                self.assertEqual((x.dtype, x.shape, x.strides), (np.float32, (144, 3), (16, 4)))
                self.assertEqual(memoryview(x).tolist(), copy.tolist())
                if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # which can hand over what is locked
                    self.assertEqual(np.from_dlpack(x).ctypes.data, x.ctypes.data)
        with solver("gl") as s:
            self.assertTrue(s.positions.flags.owndata and s.positions.flags.writeable)

    def test_a_view_keeps_what_it_shows(self):
        """After close, after the solver and its cloth have gone, and through slices of slices."""
        for backend in ("cpu", "ref"):
            s = solver(backend)
            s.step(3)
            row, copy = s.positions[5:][1:3].T, s.positions[6:8].T.copy()
            gone = weakref.ref(s)
            s.close()
            del s
            gc.collect()
            self.assertIsNone(gone())
            others = [solver(backend) for _ in range(20)]  # take the memory, if it were free
            for other in others:
                other.step(2)
            self.assertTrue((row == copy).all())

    def test_tables_stay_while_a_view_is_there(self):
        with solver() as s:
            s.step(3)
            part = s.velocities[3]
            s.set(gravity=(0, -1, 0), wind=(0, 0, 1))  # at once
            s.move_pins(MESH.vertices[[0, 11]] + np.float32(0.01))
            s.set(substeps=30)  # in place
            for change in (lambda: s.set(self_collision=not s.parameters.self_collision), lambda: s.pin([70], 0.5),
                           lambda: s.add(weft.Collider("plane", (0, -3, 0))), lambda: s.add(weft.Body(weft.Mesh.grid(4, 4, centre=(0, -5, 0))))):
                with self.assertRaisesRegex(weft.Error, "take copies"):
                    change()
            self.assertEqual(s.pinned.tolist(), [0, 11])
            s.load(s.save())
            s.step()
            self.assertEqual(s.velocities[3].ctypes.data, part.ctypes.data)
            del part
            for change in (lambda: s.set(substeps=31), lambda: s.pin([70]), lambda: s.add(weft.Collider("plane", (0, -3, 0)))):
                change()
            self.assertEqual(s.parameters.substeps, 31)

    def test_a_circle_of_references_does_not_hold_tables(self):
        with solver() as s:
            circle = [s.positions]
            circle.append(circle)
            del circle
            s.set(substeps=31)

    def test_far_away_is_a_copy_in_world_coordinates(self):
        with solver() as s:
            s.write(MESH.vertices + np.float32([1000, 0, 0]))
            s.step()
            self.assertGreater(float(s.positions[:, 0].min()), 999)
            self.assertTrue(s.positions.flags.owndata)


class Closed(unittest.TestCase):
    def test_every_member_says_so(self):
        for s in (solver(), solver("gl"), weft.Batch(weft.Cloth(MESH), 2)):
            s.step()
            s.close()
            s.close()
            given = {"frames": 1, "particles": [], "targets": np.zeros((len(s.pinned), 3)), "body": 0, "collider": 0, "to": weft.Collider("plane"), "kind": "body",
                     "what": weft.Collider("plane"), "number": 0, "cloth": weft.Cloth(MESH), "state": b"", "positions": MESH.vertices}
            for name, member in inspect.getmembers(type(s)):
                if name.startswith("_") or name in ("close", "pinned"):
                    continue
                with self.subTest(name), self.assertRaisesRegex(weft.Error, "the solver is closed"):
                    if isinstance(member, property):
                        getattr(s, name)
                    elif name == "run":
                        next(s.run(1))
                    elif name == "read":
                        s.read(np.empty(s._shape))
                    else:
                        needed = [p.name for p in list(inspect.signature(member).parameters.values())[1:]
                                  if p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD or p.name == "positions"]
                        getattr(s, name)(*(given[each] for each in needed))

    def test_a_cache_too(self):
        cache = weft.Cache(os.path.join(tempfile.mkdtemp(), 'a.pc2'), MESH)
        cache.write(MESH.vertices)
        cache.close()
        cache.close()
        with self.assertRaisesRegex(weft.Error, "the cache is closed"):
            cache.write(MESH.vertices)

    def test_what_a_solver_uses_lives_on(self):
        s = weft.Solver(weft.Cloth(weft.Mesh.grid(8, 8), pins=[0]), bodies=[weft.Body(weft.Mesh.grid(4, 4, centre=(0, -5, 0)))],
                        colliders=[weft.Collider("sphere", radius=0.1, keys=[(0, (0, -9, 0)), (1, (0, -8, 0))])])
        again = weft.Solver(weft.Cloth(MESH))
        again.set_cloth(weft.Cloth(MESH, fabric="denim"))
        gc.collect()
        s.step(3), again.step(3)
        self.assertTrue(np.isfinite(s.positions).all() and np.isfinite(again.positions).all())


class Threads(unittest.TestCase):
    def test_others_run_during_a_step(self):
        big = weft.Solver(weft.Cloth(weft.Mesh.grid(300, 300), pins="top"), backend="ref")
        thread, turns = threading.Thread(target=big.step), 0
        thread.start()
        while thread.is_alive():
            time.sleep(0.001)
            turns += 1
        self.assertGreater(turns, 20)

    def test_many_threads_and_one_solver(self):
        """They take turns: the state is that of as many frames."""
        for backend in ("cpu", "gl"):
            shared, alone = solver(backend), solver(backend)
            threads = [threading.Thread(target=lambda: [shared.step() and shared.positions.sum() for _ in range(10)]) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            alone.step(40)
            self.assertEqual((shared.frame, shared.hash()), (40, alone.hash()))

    def test_solvers_come_and_go_on_one_context(self):
        """Made, stepped and freed by several threads at once, on the one OpenGL context that there is."""
        hashes = []

        def work():
            for _ in range(8):
                s = solver("gl")
                s.step(2)
                hashes.append(s.hash())
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(hashes), len(set(hashes))), (32, 1))

    def test_a_solver_each(self):
        hashes = []
        threads = [threading.Thread(target=lambda s: (s.step(20), hashes.append(s.hash())), args=(solver(backend),))
                   for backend in ("cpu", "ref", "gl", "gl")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(hashes), len(set(hashes))), (4, 1))


INTERRUPTED = """
import sys, weft
s = weft.Solver(weft.Cloth(weft.Mesh.grid(60, 60), pins="corners"))
print("on", flush=True)
try:
    s.step(10**9)
except KeyboardInterrupt:
    frames, found = s.frame, s.hash()
    again = weft.Solver(weft.Cloth(weft.Mesh.grid(60, 60), pins="corners"))
    again.step(frames)
    sys.exit(0 if 0 < frames and again.hash() == found else 3)
"""


class Process(unittest.TestCase):
    def test_ctrl_c_ends_between_frames(self):
        with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as child:
            self.assertEqual(child.stdout.readline(), "on\n")
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.wait(60), 0)

    def test_the_end_finds_everything_still_there(self):
        """Solvers, views and caches in globals, in a circle, and a logger that listens."""
        for backend in ("cpu", "gl"):
            text = (f"import weft; c = weft.Cloth(weft.Mesh.grid(9, 9)); s = weft.Solver(c, backend='{backend}'); s.step(); p = s.positions; "
                    f"l = [s, p]; l.append(l); k = weft.Cache('{tempfile.gettempdir()}/weft-end.pc2', c); b = weft.Batch(c, 2)")
            run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
            self.assertEqual((run.stderr, run.returncode), ("", 0))
            text = (f"import threading, weft; c = weft.Cloth(weft.Mesh.grid(40, 40)); a, b = (weft.Solver(c, backend='{backend}') for _ in '12'); "
                    "threading.Thread(target=lambda: a.step(10**9), daemon=True).start(); b.step(5)")
            self.assertEqual(subprocess.run([sys.executable, "-c", text], timeout=60).returncode, 0)

    def test_warnings_go_to_logging(self):
        with self.assertLogs("weft", "WARNING") as logs:
            weft.Cloth(MESH, pins=list(range(144)))
        self.assertIn("pinned", logs.output[0])


if __name__ == "__main__":
    unittest.main()
