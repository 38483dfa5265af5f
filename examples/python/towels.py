"""Many towels as one vector environment: each has its own two hands, and some begin anew while the others go on.

    towels.py [--towels N] [--size N] [--steps N] [--backend cpu]    prints environment steps a second
"""
import argparse
import time

import numpy as np
import weft


class Towels:
    """Towels that two hands hold at their upper corners. An action moves hands, metres; what is rewarded is to lie low and flat.

    Arrays: actions (towels, 2, 3), observations (towels, size*size, 3), rewards and ends (towels,)."""

    def __init__(self, towels, size, frames=1, horizon=100, **parameters):
        cloth = weft.Cloth(weft.Mesh.grid(size, size, width=0.6, height=0.6), pins="corners", fabric="tablecloth")
        floor = weft.Collider("plane", (0, -0.4, 0), friction=0.6)
        self.batch = weft.Batch(cloth, towels, colliders=[floor], substeps=8, thickness=0.002, **parameters)
        self.frames, self.horizon = frames, horizon
        self.home = self.batch.positions[:, self.batch.pinned].astype(float)
        self.hands, self.age = self.home.copy(), np.zeros(towels, int)

    def reset(self, mask):
        """Those that are marked begin anew."""
        self.batch.reset(mask)
        self.hands[mask], self.age[mask] = self.home[mask], 0
        return self.batch.positions

    def step(self, actions):
        self.hands += actions
        for _ in range(self.frames):
            self.batch.move_pins(self.hands)
            self.batch.step()
        self.age += 1
        seen = self.batch.positions
        return seen, -np.ptp(seen[:, :, 1], axis=1), self.age >= self.horizon


def measure(steps, **settings):
    towels = Towels(**settings)
    draw = np.random.default_rng(0)
    begin = time.perf_counter()
    for _ in range(steps):
        seen, rewards, ended = towels.step(draw.normal(0, 0.003, towels.hands.shape))
        ended |= draw.random(len(ended)) < 0.02
        if ended.any():
            towels.reset(ended)
    seconds = time.perf_counter() - begin
    return steps * len(rewards) / seconds, float(rewards.mean())


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--towels", type=int, default=1024)
    options.add_argument("--size", type=int, default=32)
    options.add_argument("--steps", type=int, default=30)
    options.add_argument("--backend", default="cpu")
    options = options.parse_args()
    for collide in (False, True):
        rate, reward = measure(options.steps, towels=options.towels, size=options.size, backend=options.backend, self_collision=collide)
        print(f"towels: {options.towels} of {options.size} x {options.size}, self-collision {'on' if collide else 'off'}: "
              f"{rate:.0f} environment steps a second, mean reward {reward:.3f}")
