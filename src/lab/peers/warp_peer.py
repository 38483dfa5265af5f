#!/usr/bin/env python3
"""The sheet of peer.h as kernels of NVIDIA Warp (PyPI: warp-lang) on its device "cpu": warp_peer.py SIZE THREADS FRAMES [POSITIONS]

A launch for each colour, in the order of peer.h; a frame is a graph. That device has one thread."""
import warp

import sheet

warp.config.enable_backward = False
vectors, numbers, ends = warp.array(dtype=warp.vec3), warp.array(dtype=float), warp.array(dtype=warp.vec2i)


@warp.kernel
def predict(x: vectors, old: vectors, v: vectors, w: numbers, gravity_step: float, dt: float):
    i = warp.tid()
    if w[i] > 0.0:
        v[i] = v[i] - warp.vec3(0.0, gravity_step, 0.0)
        old[i] = x[i]
        x[i] = x[i] + v[i] * dt


@warp.kernel
def project(pairs: ends, rests: numbers, w: numbers, x: vectors):
    k = warp.tid()
    a = pairs[k][0]
    b = pairs[k][1]
    apart = x[b] - x[a]
    part = (1.0 - rests[k] / warp.length(apart)) / (w[a] + w[b])
    x[a] = x[a] + apart * (w[a] * part)
    x[b] = x[b] - apart * (w[b] * part)


@warp.kernel
def update_velocity(x: vectors, old: vectors, v: vectors, w: numbers, per_dt: float):
    i = warp.tid()
    if w[i] > 0.0:
        v[i] = (x[i] - old[i]) * per_dt


def launch_substep(size, constraints, x, old, v, w):
    warp.launch(predict, dim=size * size, inputs=[x, old, v, w, sheet.GRAVITY * sheet.DT, sheet.DT])
    for pairs, rests in constraints:
        warp.launch(project, dim=len(pairs), inputs=[pairs, rests, w, x])
    warp.launch(update_velocity, dim=size * size, inputs=[x, old, v, w, 1 / sheet.DT])


def create(size, _threads):
    x = warp.array(sheet.places(size)[1], dtype=warp.vec3)
    old, v = warp.clone(x), warp.zeros_like(x)
    w = warp.array(sheet.inverse_masses(size), dtype=float)
    constraints = [(warp.array(pairs, dtype=warp.vec2i), warp.array(sheet.rests(size, pairs), dtype=float))
                   for pairs in sheet.colours(size)]
    warp.load_module()  # compiles; what is captured does not run
    with warp.ScopedCapture() as frame:
        for _ in range(sheet.SUBSTEPS):
            launch_substep(size, constraints, x, old, v, w)
    return lambda: warp.capture_launch(frame.graph), x.numpy


with warp.ScopedDevice("cpu"):
    sheet.run("warp", create)
