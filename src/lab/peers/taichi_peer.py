#!/usr/bin/env python3
"""The sheet of peer.h as a program in Taichi (PyPI: taichi) on its backend for processors: taichi_peer.py SIZE THREADS FRAMES [POSITIONS]

A parallel loop for each colour, in the order of peer.h. A kernel is a substep."""
import sys

import numpy
import taichi

import sheet

taichi.init(arch=taichi.cpu, cpu_max_num_threads=int(sys.argv[2]), log_level=taichi.ERROR)


@taichi.data_oriented
class Cloth:
    def __init__(self, size):
        colours = sheet.colours(size)
        pairs = numpy.concatenate(colours)
        self.firsts = [int(n) for n in numpy.cumsum([0, *map(len, colours)])]  # of each colour, and the end
        self.x, self.old, self.v = (taichi.Vector.field(3, taichi.f32, size * size) for _ in range(3))
        self.w = taichi.field(taichi.f32, size * size)
        self.pairs = taichi.Vector.field(2, taichi.i32, len(pairs))
        self.rests = taichi.field(taichi.f32, len(pairs))
        self.w.from_numpy(sheet.inverse_masses(size).astype(numpy.float32))
        self.pairs.from_numpy(pairs.astype(numpy.int32))
        self.rests.from_numpy(sheet.rests(size, pairs).astype(numpy.float32))

    def start(self, x):
        self.x.from_numpy(x.astype(numpy.float32))
        self.v.fill(0)

    @taichi.kernel
    def substep(self):
        """x[a] += ... would add atomically, at twice the time."""
        for i in self.x:
            if self.w[i] > 0:
                self.v[i] = self.v[i] - taichi.Vector([0.0, sheet.GRAVITY * sheet.DT, 0.0])
                self.old[i] = self.x[i]
                self.x[i] = self.x[i] + self.v[i] * sheet.DT
        for colour in taichi.static(range(len(sheet.COLOURS))):
            for k in range(self.firsts[colour], self.firsts[colour + 1]):
                a, b = self.pairs[k][0], self.pairs[k][1]
                apart = self.x[b] - self.x[a]
                part = (1 - self.rests[k] / apart.norm()) / (self.w[a] + self.w[b])
                self.x[a] = self.x[a] + apart * (self.w[a] * part)
                self.x[b] = self.x[b] - apart * (self.w[b] * part)
        for i in self.x:
            if self.w[i] > 0:
                self.v[i] = (self.x[i] - self.old[i]) / sheet.DT

    def step(self):
        for _ in range(sheet.SUBSTEPS):
            self.substep()
        taichi.sync()


def create(size, _threads):
    cloth, start = Cloth(size), sheet.places(size)[1]
    cloth.start(start)
    cloth.step()  # compiles
    cloth.start(start)
    return cloth.step, cloth.x.to_numpy


sheet.run("taichi", create)
