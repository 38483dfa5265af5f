"""How stiff is a fabric that sags so far? Newton's method on the logarithm of its bending stiffness. One batch holds what is
tried, and both sides of it, so that a central difference costs one run.

    stiffness.py [--size N] [--frames N]
"""
import argparse

import numpy as np
import weft

options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
options.add_argument("--size", type=int, default=16)
options.add_argument("--frames", type=int, default=240)
options = options.parse_args()

strip = weft.Mesh.grid(options.size // 2, options.size, width=0.12, height=0.06, plane="xz")


def sag(stiffnesses):
    """m: how far the free end of a strip hangs, that two columns hold level, for each stiffness in N m."""
    columns = np.arange(len(strip.vertices)).reshape(-1, options.size)[:, :2]
    cloths = [weft.Cloth(strip, pins=columns.ravel(), fabric=weft.Fabric("denim", bending=b)) for b in stiffnesses]
    with weft.Batch(cloths, substeps=20, plain=True, damping=8) as batch:
        batch.step(options.frames)
        return -batch.positions[:, :, 1].min(axis=1)


true, tried, step = 2.5e-5, 2e-4, 0.05
wanted = sag([true])[0]
print(f"a strip of unknown stiffness sags by {1000 * wanted:.2f} mm")
for turn in range(8):
    less, now, more = sag(tried * np.exp([-step, 0, step]))
    slope = (more - less) / (2 * step)
    print(f"{tried:.3e} N m: {1000 * now:.2f} mm, {1000 * slope:.3f} mm for each e-fold")
    if abs(now - wanted) < 1e-6:
        break
    tried *= np.exp(np.clip((wanted - now) / slope, -1.5, 1.5))
print(f"stiffness: {tried:.3e} N m found, {true:.3e} N m was meant")
