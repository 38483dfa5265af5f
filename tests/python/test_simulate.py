"""States of the package are those of `weft simulate`, bit for bit, on every backend that agrees; and formulas against theory."""
import os
import subprocess
import tempfile
import unittest

import numpy as np
import weft

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def simulate(*arguments):
    """The hash that the program prints."""
    run = subprocess.run([os.environ["WEFT_PROGRAM"], "simulate", *arguments], capture_output=True, text=True, check=True)
    return next(int(line.split()[1], 16) for line in run.stdout.splitlines() if line.split()[:1] == ["hash"])


def write_obj(path, mesh):
    with open(path, "w") as file:
        file.writelines(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in mesh.vertices.tolist())
        file.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in mesh.faces.tolist())


class Simulate(unittest.TestCase):
    def test_grid_as_mesh_arrays_file_and_object(self):
        """A sheet is the same cloth wherever it comes from."""
        mesh = weft.Mesh.grid(20, 20, plane="xz")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sheet.obj")
            write_obj(path, mesh)
            cloths = [weft.Cloth(mesh, pins="corners"), weft.Cloth(mesh.vertices, mesh.faces, pins="corners"),
                      weft.Cloth(mesh.vertices.astype(">f8").tolist(), mesh.faces.astype(np.int64), pins="corners"),
                      weft.Cloth(path, pins="corners"), weft.Cloth(mesh, pins=[0, 19])]
            shown = type("Shown", (), {"vertices": mesh.vertices, "faces": mesh.faces})()
            cloths.append(weft.Cloth(shown, pins="corners"))
            plain = ["--pin", "corners", "--frames", "20", "--self-collision", "off", "--air-density", "0", "--backend"]
            for backend in ("ref", "cpu", "gl"):
                wanted = simulate(path, *plain, backend)
                for number, cloth in enumerate(cloths):
                    with weft.Solver(cloth, backend=backend) as solver:
                        self.assertEqual(list(solver.run(20)), list(range(1, 21)))
                        self.assertEqual(solver.hash(), wanted, f"cloth {number} on {backend}")

    def test_file_with_self_collision_and_wind(self):
        shirt = os.path.join(ROOT, "examples", "shirt.obj")
        cloth = weft.Cloth(shirt, fabric="tshirt", pins="top")
        with weft.Solver(cloth, self_collision=True, air_density=1.2, wind=(1, 0, 0)) as solver:
            solver.step(5)
            self.assertEqual(solver.hash(), simulate(shirt, "--fabric", "tshirt", "--pin", "top", "--self-collision", "on", "--wind",
                                                     "1,0,0", "--frames", "5", "--backend", "cpu"))

    def test_order_of_arrays_is_kept(self):
        """Also where weft would order them anew: particle i is vertex i, and a grid in any order is simulated as a mesh."""
        mesh, turn = weft.Mesh.grid(9, 9), np.random.default_rng(1).permutation(81)
        positions, back = mesh.vertices[turn], np.argsort(turn)
        cloth = weft.Cloth(positions, back[mesh.faces], pins=[int(back[0])])
        self.assertTrue((cloth.mesh.vertices == positions).all())
        with weft.Solver(cloth) as solver:
            self.assertTrue((solver.positions == positions).all())
            self.assertEqual(solver.pinned.tolist(), [back[0]])

    def test_free_fall(self):
        """g t^2 / 2, to the order of the step."""
        with weft.Solver(weft.Cloth(weft.Mesh.grid(5, 5, plane="xz")), substeps=100, gravity=(0, -10, 0)) as solver:
            solver.step(30)
            self.assertAlmostEqual(solver.time, 0.5, 6)
            self.assertAlmostEqual(float(solver.positions[:, 1].mean()), -1.25, 2)
            self.assertAlmostEqual(float(solver.velocities[:, 1].mean()), -5, 3)

    def test_rules_of_pins_add_up(self):
        def held(pins):
            return np.flatnonzero(np.isinf(weft.Cloth(weft.Mesh.grid(4, 4), pins=pins).masses)).tolist()
        box = ("box", (-1, -0.6, -1), (1, -0.4, 1))
        for pins, wanted in ((None, []), ("corners", [0, 3]), ("left", [0, 4, 8, 12]), (5, None), ([5, 6], [5, 6]), ((5, 6, 7), [5, 6, 7]),
                             (np.array([7]), [7]), (box, [12, 13, 14, 15]), ([[1, 2, 9], [5, 6, 7]], [1, 2, 5, 6, 7, 9]),
                             (["corners", [5], np.array([6]), box], [0, 3, 5, 6, 12, 13, 14, 15])):
            if wanted is None:
                with self.assertRaises(weft.Error):
                    held(pins)
            else:
                self.assertEqual(held(pins), wanted)

    def test_mass_of_a_fabric(self):
        cloth = weft.Cloth(weft.Mesh.grid(8, 8, width=2, height=0.5), fabric=weft.Fabric("denim", area_density=0.3))
        self.assertAlmostEqual(float(cloth.masses.sum()), 0.3, 5)
        self.assertIn("denim", weft.fabrics())

    def test_soft_pins_sink_four_millimetres(self):
        """A cloth that hangs from pins of weight 0.5 hangs g/2500 lower (weft/change.h)."""
        mesh = weft.Mesh.grid(12, 12)
        with weft.Solver(weft.Cloth(mesh, pins="top", pin_weight=0.5), damping=5) as solver:
            solver.step(300)
            self.assertAlmostEqual(float(solver.positions[:12, 1].mean()), 0.5 - 9.81 / 2500, 3)
            self.assertEqual(solver.pinned.tolist(), list(range(12)))

    def test_body_and_colliders_hold(self):
        ball = weft.Collider("sphere", (0, -0.4, 0), radius=0.3, friction=(0.4, 0.3))
        with weft.Solver(weft.Cloth(weft.Mesh.grid(24, 24, plane="xz")), colliders=[ball]) as solver:
            solver.step(60)
            self.assertGreater(np.linalg.norm(solver.positions - [0, -0.4, 0], axis=1).min(), 0.295)
        box = weft.Mesh([(x, y, z) for x in (-.2, .2) for y in (-.7, -.3) for z in (-.2, .2)],
                        [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
                         (1, 5, 7), (1, 7, 3)])
        with weft.Solver(weft.Cloth(weft.Mesh.grid(16, 16, plane="xz")), bodies=[weft.Body(box, friction=0.5)]) as solver:
            for frame in solver.run(60):
                solver.move_body(0, box.vertices + [0, 0.002 * frame, 0])
            self.assertEqual(solver.metrics().body_inside, 0)
            self.assertGreater(float(solver.positions[:, 1].max()), -0.3 + 0.12)

    def test_moving_collider(self):
        """A sphere on its way by keys, one that is placed, and one that is added, and taken away."""
        keys = [(0, (0, -0.5, 0), (0, 0, 0), (0, 0, 0)), (0.5, (0, 0.2, 0), (0, 0, 0), (0, 0, 0))]
        sheet = weft.Cloth(weft.Mesh.grid(16, 16, plane="xz"), pins="corners")
        with weft.Solver(sheet, colliders=[weft.Collider("sphere", radius=0.2, keys=keys)], plain=True) as moving, \
                weft.Solver(sheet, plain=True) as placed:
            self.assertEqual(placed.add(weft.Collider("sphere", (0, -0.5, 0), radius=0.2)), 0)
            for frame in range(1, 31):
                moving.step()
                placed.place(0, weft.Collider("sphere", (0, -0.5 + 0.7 * frame / 30, 0), radius=0.2))
                placed.step()
            self.assertGreater(float(moving.positions[:, 1].max()), 0.35)
            self.assertLess(float(np.abs(moving.positions - placed.positions).max()), 0.02)
            placed.remove("collider", 0)
            placed.step(60)
            self.assertLess(float(placed.positions[:, 1].max()), 0.2)


class Changes(unittest.TestCase):
    def test_set_is_as_made_so(self):
        cloth = weft.Cloth(weft.Mesh.grid(12, 12, plane="xz"), pins="corners")
        with weft.Solver(cloth, substeps=8) as a, weft.Solver(cloth, line_sweeps=0) as kept:
            a.set(substeps=12, gravity=(0, -2, 0), line_sweeps=0)
            self.assertEqual((a.parameters.substeps, a.parameters.line_sweeps, a.parameters.mode), (12, 0, "gs"))
            self.assertEqual(kept.parameters.line_sweeps, 0)  # although weft would choose otherwise
            with weft.Solver(cloth, **vars(a.parameters)) as b:
                a.step(5), b.step(5)
                self.assertEqual(a.hash(), b.hash())

    def test_pins_are_set_moved_and_released(self):
        with weft.Solver(weft.Cloth(weft.Mesh.grid(12, 12, plane="xz"), pins="corners")) as solver:
            solver.pin([66])
            self.assertEqual(solver.pinned.tolist(), [0, 11, 66])
            solver.move_pins([(0, 0.1, 0)], [66])
            solver.step()
            self.assertTrue((solver.positions[66] == np.float32([0, 0.1, 0])).all())
            solver.pin([0, 11, 66], 0)
            solver.step(30)
            self.assertLess(float(solver.positions[66, 1]), -0.5)

    def test_saved_states(self):
        def made(backend):
            solver = weft.Solver(weft.Cloth(weft.Mesh.grid(12, 12, plane="xz"), pins="corners"), backend=backend)
            solver.step(5)
            return solver
        first = made("cpu")
        state = first.save()
        first.step(5)
        for backend in ("cpu", "ref", "gl"):
            with made(backend) as other:
                other.step(2)
                other.load(state)
                self.assertEqual(other.frame, 5)
                other.step(5)
                self.assertEqual(other.hash(), first.hash())
        with self.assertRaises(weft.Error) as raised:
            first.load(state[:-3])
        self.assertEqual(raised.exception.code, "format")

    def test_another_cloth(self):
        mesh = weft.Mesh.grid(12, 12, plane="xz")
        with weft.Solver(weft.Cloth(mesh, pins="corners")) as solver:
            solver.step(10)
            solver.set_cloth(weft.Cloth(mesh, fabric="denim", pins=[0]))
            self.assertEqual(solver.pinned.tolist(), [0])
            solver.step(10)

    def test_read_write_and_reset(self):
        with weft.Solver(weft.Cloth(weft.Mesh.grid(6, 6))) as solver:
            for dtype in (np.float32, np.float64):
                x, v = np.empty((36, 3), dtype), np.empty((36, 3), dtype)
                solver.step(3)
                solver.read(x, v)
                self.assertTrue((x == solver.positions).all() and (v == solver.velocities).all())
                solver.write(x + 1, v * 0)
                self.assertTrue((solver.positions == (x + 1).astype(np.float32)).all() and (solver.velocities == 0).all())
            solver.reset()
            self.assertEqual((solver.frame, solver.time), (0, 0))
        with weft.Solver(weft.Cloth(weft.Mesh.grid(6, 6)), backend="f64") as solver:
            self.assertEqual(solver.positions.dtype, np.float64)


class Batches(unittest.TestCase):
    def test_each_is_as_alone(self):
        mesh = weft.Mesh.grid(8, 8, plane="xz")
        cloths = [weft.Cloth(mesh, pins="left", fabric=weft.Fabric("tablecloth", bending=b)) for b in (1e-6, 1e-5, 1e-4)]
        for backend in ("cpu", "gl"):
            batch = weft.Batch(cloths, backend=backend, plain=True)
            batch.step(10)
            for k, cloth in enumerate(cloths):
                alone = weft.Solver(cloth, backend=backend, plain=True)
                alone.step(10)
                self.assertTrue((batch.positions[k] == alone.positions).all())

    def test_reset_of_some(self):
        """Those that are marked begin anew with a fresh solver's bits; the others go on."""
        cloth = weft.Cloth(weft.Mesh.grid(8, 8, plane="xz"), pins="corners")
        batch, fresh = weft.Batch(cloth, 4, self_collision=True), weft.Batch(cloth, 4, self_collision=True)
        untouched = weft.Batch(cloth, 4, self_collision=True)
        batch.step(7), untouched.step(12), fresh.step(5)
        mask = np.array([True, False, False, True])
        batch.reset(mask)
        batch.step(5)
        self.assertTrue((batch.positions[mask] == fresh.positions[mask]).all())
        self.assertTrue((batch.positions[~mask] == untouched.positions[~mask]).all())
        batch.reset()
        self.assertEqual(batch.frame, 0)

    def test_pins_of_each_and_of_all(self):
        batch = weft.Batch(weft.Cloth(weft.Mesh.grid(8, 8, plane="xz"), pins="corners"), 3)
        self.assertEqual(batch.pinned.tolist(), [0, 7])
        home = batch.positions[0, [0, 7]].astype(float)
        targets = home + 0.01 * np.arange(3)[:, None, None]
        batch.move_pins(targets)
        batch.step()
        self.assertTrue((batch.positions[:, [0, 7]] == targets.astype(np.float32)).all())
        batch.move_pins(home)
        batch.step()
        self.assertTrue((batch.positions[:, [0, 7]] == home.astype(np.float32)).all())
        batch.move_pins(home[:1] + 0.5, [0])
        batch.step()
        self.assertTrue((batch.positions[:, 0] == (home[0] + 0.5).astype(np.float32)).all())


class Scenes(unittest.TestCase):
    def test_built_in_and_written(self):
        """A scene is what the program runs, from its name, from a file and on every backend."""
        for name, size in (("drape", 24), ("walk", 16), ("sand", 6)):
            wanted = simulate(name, "--size", str(size), "--frames", "12", "--backend", "cpu")
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "scene.json")
                made = weft.Scene({"weft": 1, "cloth": {"scene": name, "size": size}})
                made.write_file(path)
                for scene in (made, weft.Scene(path), weft.Scene(path, backend="cpu:1" if name == "walk" else "gl")):
                    self.assertEqual(list(scene.run(12))[-1], 12)
                    self.assertEqual(scene.hash(), wanted, name)
                    self.assertTrue(scene.positions.flags.owndata)
                self.assertEqual(made.frames, 120)

    def test_keys_change_parameters_while_arrays_are_held(self):
        scene = weft.Scene({"weft": 1, "frames": 20, "cloth": {"scene": "hanging", "size": 12},
                            "parameters": {"substeps": 12}, "keys": [{"time": 0.1, "substeps": 20}]})
        held = [scene.positions for _ in scene.run(scene.frames)]
        self.assertEqual(scene.parameters.substeps, 20)
        self.assertEqual(len(held), 20)

    def test_what_is_wrong_is_named(self):
        for wrong, words in (({"weft": 1, "clot": {}}, "clot"), ({"weft": 1, "cloth": {"scene": "tent"}}, "cloth.scene"), ("/nowhere.json", "/nowhere.json")):
            with self.assertRaises(weft.Error) as raised:
                weft.Scene(wrong)
            self.assertIn(words, str(raised.exception))


class Caches(unittest.TestCase):
    def test_frames_are_those_of_the_program(self):
        """Of a file the same bytes as `weft simulate -o` writes; of arrays a still that can be read again."""
        shirt = os.path.join(ROOT, "examples", "shirt.obj")
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = os.path.join(folder, "a.pc2"), os.path.join(folder, "b.pc2")
            cloth = weft.Cloth(shirt, fabric="tshirt", pins="top")
            with weft.Solver(cloth, air_density=0) as solver, weft.Cache(ours, cloth, 4) as cache:
                cache.write(solver)
                for _ in solver.run(3):
                    cache.write(solver)
            simulate(shirt, "--fabric", "tshirt", "--pin", "top", "--self-collision", "off", "--air-density", "0", "--frames", "3",
                     "--backend", "cpu", "-o", theirs)
            with open(ours, "rb") as a, open(theirs, "rb") as b:
                self.assertEqual(a.read(), b.read())
            # In centimetres, z up, and in an order of its own.
            sheet, turn = weft.Mesh.grid(9, 9, plane="xz"), np.random.default_rng(2).permutation(81)
            sheet.vertices, sheet.faces = 100 * sheet.vertices[turn][:, [0, 2, 1]] * [1, -1, 1], np.argsort(turn)[sheet.faces]
            path = os.path.join(folder, "sheet.obj")
            write_obj(path, sheet)
            cloth = weft.Cloth(path, scale=0.01, up="z", pins=[0, 5])
            self.assertFalse((cloth.mesh.numbers == np.arange(81)).all())
            with weft.Solver(cloth) as solver, weft.Cache(ours, cloth, 4) as cache:
                cache.write(solver)
                for _ in solver.run(3):
                    cache.write(solver)
            simulate(path, "--scale", "0.01", "--up", "z", "--pin", "list:0,5", "--self-collision", "off", "--air-density", "0", "--frames", "3",
                     "--backend", "cpu", "-o", theirs)
            with open(ours, "rb") as a, open(theirs, "rb") as b:
                self.assertEqual(a.read(), b.read())
            grid, still = weft.Mesh.grid(5, 7), os.path.join(folder, "still.obj")
            with weft.Cache(still, grid) as cache:
                cache.write(grid.vertices + np.float32(0.25))
            self.assertTrue((weft.Mesh(still).vertices == grid.vertices + np.float32(0.25)).all())


if __name__ == "__main__":
    unittest.main()
