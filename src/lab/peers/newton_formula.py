#!/usr/bin/env python3
"""What Newton's SolverXPBD does to the sheet of peer.h, written down in doubles to hold newton_peer.py against: newton_formula.py SIZE THREADS
FRAMES POSITIONS"""
import numpy

import sheet


class Cloth:
    def __init__(self, size):
        self.pairs = numpy.concatenate(sheet.colours(size))
        self.rests = sheet.rests(size, self.pairs)
        self.w = sheet.inverse_masses(size)
        self.x = sheet.places(size)[1]
        self.v = 0 * self.x

    def corrections(self, x):
        """XPBD with the springs' compliance; all from the same positions."""
        a, b = self.pairs.T
        apart = x[b] - x[a]
        length = numpy.linalg.norm(apart, axis=1)
        compliance = 1 / (sheet.STIFFNESS * sheet.DT**2)
        part = (length - self.rests) / (self.w[a] + self.w[b] + compliance) / length
        sums = 0 * x
        numpy.add.at(sums, a, (self.w[a] * part)[:, None] * apart)
        numpy.add.at(sums, b, -(self.w[b] * part)[:, None] * apart)
        return sums

    def step(self):
        for _ in range(sheet.SUBSTEPS):
            self.v[self.w > 0, 1] -= sheet.GRAVITY * sheet.DT
            x = self.x + self.v * sheet.DT
            x += self.corrections(x)
            self.x, self.v = x, (x - self.x) / sheet.DT


def create(size, _threads):
    cloth = Cloth(size)
    return cloth.step, lambda: cloth.x


sheet.run("newton_formula", create)
