#!/usr/bin/env python3
"""The sheet of peer.h in Newton (PyPI: newton), with its own SolverXPBD, on Warp's device "cpu": newton_peer.py SIZE THREADS FRAMES [POSITIONS]

The same pairs are springs. The solver adds up the corrections of all springs and then moves the particles (Jacobi), which only holds where
springs are soft: see STIFFNESS in sheet.py. A frame is a graph. That device has one thread."""
import newton
import numpy
import warp

import sheet

warp.config.enable_backward = False


def make_model(size):
    """Rest lengths are taken where particles lie, so flat first. Without a radius particles do not collide."""
    builder = newton.ModelBuilder(gravity=(0.0, -sheet.GRAVITY, 0.0))
    flat, start = sheet.places(size)
    still = [(0.0, 0.0, 0.0)] * len(flat)
    masses = sheet.inverse_masses(size)  # 1, and 0 where pinned
    builder.add_particles([tuple(p) for p in flat], still, list(masses), radius=[0.0] * len(flat))
    for a, b in numpy.concatenate(sheet.colours(size)):
        builder.add_spring(int(a), int(b), ke=sheet.STIFFNESS, kd=0.0, control=0.0)
    model = builder.finalize()
    model.particle_q.assign(start)
    return model


def create(size, _threads):
    model = make_model(size)
    solver = newton.solvers.SolverXPBD(model, iterations=1)
    now, other = model.state(), model.state()

    def step():
        for _ in range(sheet.SUBSTEPS // 2):
            solver.step(now, other, None, None, sheet.DT)
            solver.step(other, now, None, None, sheet.DT)

    step()  # compiles
    now.assign(model.state())
    with warp.ScopedCapture() as frame:
        step()
    return lambda: warp.capture_launch(frame.graph), now.particle_q.numpy


with warp.ScopedDevice("cpu"):
    sheet.run("newton", create)
