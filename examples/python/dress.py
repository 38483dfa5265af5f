"""A poncho falls over a body that then turns, and every frame goes into a file that Blender, Houdini and others read.

    dress.py [--frames N] [--output FILE.pc2]    also .mdd and .usda
"""
import argparse

import numpy as np
import weft


def ball(centre, radii, rings=16, segments=24):
    """An ellipsoid: positions and triangles."""
    down, round_ = np.linspace(0, np.pi, rings)[1:-1, None], np.linspace(0, 2 * np.pi, segments, endpoint=False)
    middle = np.stack(np.broadcast_arrays(np.sin(down) * np.cos(round_), np.cos(down), np.sin(down) * np.sin(round_)), -1)
    unit = np.vstack([[[0, 1, 0]], middle.reshape(-1, 3), [[0, -1, 0]]])
    above = 1 + np.arange((rings - 3) * segments).reshape(-1, segments)
    beside, top, bottom = np.roll(above, -1, 1), 1 + np.arange(segments), 1 + (rings - 3) * segments + np.arange(segments)
    last = len(unit) - 1
    return unit * radii + centre, np.concatenate([
        np.stack([above, beside, above + segments], -1).reshape(-1, 3),
        np.stack([beside, beside + segments, above + segments], -1).reshape(-1, 3),
        np.stack([0 * top, np.roll(top, -1), top], -1), np.stack([0 * top + last, bottom, np.roll(bottom, -1)], -1)])


options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
options.add_argument("--frames", type=int, default=120)
options.add_argument("--output", default="poncho.pc2")
options = options.parse_args()

shoulders, faces = ball((0, 1.3, 0), (0.24, 0.18, 0.14))
head, head_faces = ball((0, 1.58, 0), (0.08, 0.11, 0.09))
positions = np.vstack([shoulders, head])
body = weft.Body(positions, np.vstack([faces, head_faces + len(shoulders)]), friction=(0.4, 0.3))
poncho = weft.Cloth(weft.Mesh.shape("poncho", neck_radius=0.15, segments=64, rings=20, centre=(0, 1.52, 0)), fabric="jacket")

with weft.Solver(poncho, bodies=[body], air_density=1.2) as solver, \
        weft.Cache(options.output, poncho, frames=options.frames + 1) as cache:
    cache.write(solver)
    for frame in solver.run(options.frames):
        cache.write(solver)
        angle = 0.5 * np.sin(max(0, solver.time - 1) * np.pi)
        turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
        solver.move_body(0, positions @ turn.T)
    print(f"dress: {frame + 1} frames in {options.output}, {solver.metrics().body_inside} particles inside the body, "
          f"lowest {solver.positions[:, 1].min():.2f} m")
