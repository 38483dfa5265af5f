"""The sheet of peer.h for adapters in Python, and what main() of peer.c does: PROGRAM SIZE THREADS FRAMES [POSITIONS]."""
import json
import sys
import time

import numpy

SUBSTEPS, FRAME, GRAVITY = 20, 1 / 60, 9.81  # s, m/s^2 down y
DT = FRAME / SUBSTEPS  # s
# (down, right, phase), in the order of projection.
COLOURS = ((0, 1, 0), (0, 1, 1), (0, 2, 0), (0, 2, 1), (1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1), (2, 0, 0), (2, 0, 1))
# N/m, for a solver that adds up the corrections of a particle's ten springs: with masses of 1 kg and this substep 400e3 explodes.
STIFFNESS = 250e3


def places(size):
    """(flat, start), m: level, and with its ripple."""
    row, column = numpy.divmod(numpy.arange(size * size), size)
    x, z = column / (size - 1) - 0.5, row / (size - 1)
    flat = numpy.stack([x, 0 * x, z], 1)
    return flat, flat + numpy.outer(0.001 * numpy.sin(9 * x) * numpy.cos(7 * z), [0, 1, 0])


def inverse_masses(size):
    w = numpy.ones(size * size)
    w[[0, size - 1]] = 0
    return w


def colour_of(size, down, right, phase):
    """The pairs of particles of a colour."""
    number = numpy.arange(size * size).reshape(size, size)
    row, column = numpy.indices((size - down, size - right))
    span = row // down if down else column // right
    begins, ends = number[: size - down, : size - right], number[down:, right:]
    return numpy.stack([begins[span % 2 == phase], ends[span % 2 == phase]], 1)


def colours(size):
    """Pairs, colour by colour: no two of a colour share a particle."""
    return [colour_of(size, *colour) for colour in COLOURS]


def rests(size, pairs):
    """Lengths at rest, m."""
    flat = places(size)[0]
    return numpy.linalg.norm(flat[pairs[:, 1]] - flat[pairs[:, 0]], axis=1)


def strain_p99(size, x):
    """Of the constraints that are not there against bending."""
    ends = numpy.concatenate([colour_of(size, *colour) for colour in COLOURS if max(colour[:2]) == 1])
    strain = numpy.sort(abs(numpy.linalg.norm(x[ends[:, 1]] - x[ends[:, 0]], axis=1) / rests(size, ends) - 1))
    return strain[int(0.99 * (len(strain) - 1))]


def time_frames(step, frames):
    """(milliseconds, ascending; processor milliseconds a frame)."""
    ms, processor = [], time.process_time()
    for _ in range(frames):
        begin = time.perf_counter()
        step()
        ms.append(1e3 * (time.perf_counter() - begin))
    return sorted(ms), 1e3 * (time.process_time() - processor) / frames


def run(name, create):
    """create(size, threads) gives (step, read): a function that computes a frame, and one that gives positions, m. What is compiled at first
    use is compiled by create."""
    size, threads, frames = map(int, sys.argv[1:4])
    step, read = create(size, threads)
    ms, processor = time_frames(step, frames)
    x, count = numpy.asarray(read(), dtype=float), sum(map(len, colours(size)))
    median = ms[frames // 2]
    print(json.dumps({"program": name, "threads": threads, "size": size, "constraints": count, "frames": frames, "ms_median": median,
                      "ms_least": ms[0], "processor_ms": processor, "ns_projection": 1e6 * median / (count * SUBSTEPS),
                      "strain_p99": strain_p99(size, x), "lowest_m": x[:, 1].min()}))
    if len(sys.argv) > 4:
        x.astype(numpy.float32).tofile(sys.argv[4])
