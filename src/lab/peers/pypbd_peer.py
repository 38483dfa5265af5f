#!/usr/bin/env python3
"""PositionBasedDynamics (PyPI: pyPBD) on the sheet of peer.h: pypbd_peer.py SIZE THREADS FRAMES [POSITIONS]

Its own graph colouring chooses the order, and it computes in what its wheel was built with."""
import os
import sys

import numpy

os.environ["OMP_NUM_THREADS"] = sys.argv[2]  # before it is loaded
import pypbd

import sheet


def create(size, _threads):
    """Rest lengths are taken where particles lie, so flat first. Gravity is 9.81 by default."""
    pypbd.Logger.addConsoleSink(pypbd.LogLevel.WARN)
    simulation = pypbd.Simulation.getCurrent()
    simulation.initDefault()
    model, (flat, start) = simulation.getModel(), sheet.places(size)
    model.addTriangleModel(list(flat), [0, 1, size], [], [])
    particles = model.getParticles()
    for i, w in enumerate(sheet.inverse_masses(size)):
        particles.setMass(i, w)
    for a, b in numpy.concatenate(sheet.colours(size)):
        model.addDistanceConstraint_XPBD(int(a), int(b), 0.0)  # 0: hard
    for i, place in enumerate(start):
        particles.setPosition(i, place)
    controller = simulation.getTimeStep()
    controller.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, sheet.SUBSTEPS)
    controller.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, 1)
    pypbd.TimeManager.getCurrent().setTimeStepSize(sheet.FRAME)
    return lambda: controller.step(model), particles.getVertices


sheet.run("pypbd", create)
