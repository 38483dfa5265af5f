#!/usr/bin/env python3
"""PositionBasedDynamics (PyPI: pyPBD) on the sheet of peer.h: pypbd_peer.py SIZE THREADS FRAMES [POSITIONS]

Prints a line of JSON like the programs in C. Threads are those of OMP_NUM_THREADS. Its own graph colouring chooses the
order, and it computes in what its wheel was built with."""
import json
import sys
import time

import numpy
import pypbd

SUBSTEPS, FRAME = 20, 1 / 60  # s


def colours():
    """(down, right) of the constraints of peer.h."""
    return ((0, 1), (0, 2), (1, 0), (1, 1), (2, 0))


def make_sheet(size):
    row, column = numpy.divmod(numpy.arange(size * size), size)
    x, z = column / (size - 1) - 0.5, row / (size - 1)
    flat = numpy.stack([x, 0 * x, z], 1)
    start = flat + numpy.outer(0.001 * numpy.sin(9 * x) * numpy.cos(7 * z), [0, 1, 0])
    return flat, start


def pairs_of(size):
    number = numpy.arange(size * size).reshape(size, size)
    parts = [numpy.stack([number[: size - d, : size - r].ravel(), number[d:, r:].ravel()], 1) for d, r in colours()]
    bending = numpy.concatenate([numpy.full(len(p), max(c) > 1) for p, c in zip(parts, colours())])
    return numpy.concatenate(parts), bending


def create(size, pairs):
    """Rest lengths are taken where particles lie, so flat first. Gravity is 9.81 by default."""
    simulation = pypbd.Simulation.getCurrent()
    simulation.initDefault()
    model, (flat, start) = simulation.getModel(), make_sheet(size)
    model.addTriangleModel(list(flat), [0, 1, size], [], [])
    particles = model.getParticles()
    for i in range(size * size):
        particles.setMass(i, 0.0 if i in (0, size - 1) else 1.0)
    for a, b in pairs:
        model.addDistanceConstraint_XPBD(int(a), int(b), 0.0)  # 0: hard
    for i, place in enumerate(start):
        particles.setPosition(i, place)
    controller = simulation.getTimeStep()
    controller.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, SUBSTEPS)
    controller.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, 1)
    pypbd.TimeManager.getCurrent().setTimeStepSize(FRAME)
    return model, controller


def strain_p99(size, x, pairs, bending):
    ends = pairs[~bending]
    flat = make_sheet(size)[0]
    rest = numpy.linalg.norm(flat[ends[:, 1]] - flat[ends[:, 0]], axis=1)
    strain = numpy.sort(abs(numpy.linalg.norm(x[ends[:, 1]] - x[ends[:, 0]], axis=1) / rest - 1))
    return strain[int(0.99 * (len(strain) - 1))]


def main():
    size, threads, frames = map(int, sys.argv[1:4])
    pypbd.Logger.addConsoleSink(pypbd.LogLevel.WARN)
    pairs, bending = pairs_of(size)
    model, controller = create(size, pairs)
    ms, processor = [], time.process_time()
    for _ in range(frames):
        begin = time.perf_counter()
        controller.step(model)
        ms.append(1e3 * (time.perf_counter() - begin))
    processor = 1e3 * (time.process_time() - processor) / frames
    ms.sort()
    x = numpy.array(model.getParticles().getVertices())
    median = ms[frames // 2]
    print(json.dumps({"program": "pypbd", "threads": threads, "size": size, "constraints": len(pairs), "frames": frames,
                      "ms_median": median, "ms_least": ms[0], "processor_ms": processor,
                      "ns_projection": 1e6 * median / (len(pairs) * SUBSTEPS),
                      "strain_p99": strain_p99(size, x, pairs, bending), "lowest_m": x[:, 1].min()}))
    if len(sys.argv) > 4:
        x.astype(numpy.float32).tofile(sys.argv[4])


main()
