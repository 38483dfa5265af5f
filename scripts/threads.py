#!/usr/bin/env python3
"""Holds what several threads cost: processor time of a frame on all processors over that on one, size by size.

    scripts/threads.py [--weft PROGRAM] [--threads N] [--sizes N,...] [--rounds N] [--most RATIO] [--scene NAME] [-o FILE.json]

The scene is swept plainly, so that a frame is the same work at every size. In each round one thread and all are timed in turn; the
least of all rounds counts, since what else works on the machine only adds to it. "quicker" is by the clock, and is worth nothing where
others work on the processors. The states must be equal in every bit. Status 1: some size costs more than --most, 2: usage.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = "128,192,256,320,384,448,512,640,768,1024"
FRAMES = 4


def read_options():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--weft", metavar="PROGRAM", default=ROOT / "build" / "weft", help="Default: build/weft")
    p.add_argument("--threads", type=int, metavar="N", default=2, help="beside one. Default: 2")
    p.add_argument("--sizes", metavar="N,...", default=SIZES, help=f"particles a side. Default: {SIZES}")
    p.add_argument("--rounds", type=int, metavar="N", default=5, help="Default: 5")
    p.add_argument("--most", type=float, metavar="RATIO", default=1.1, help="that a size may cost. Default: 1.1")
    p.add_argument("--scene", metavar="NAME", default="hanging", help="Default: hanging")
    p.add_argument("-o", "--output", metavar="FILE.json", help="keep all figures there")
    options = p.parse_args()
    try:
        options.sizes = [int(size) for size in options.sizes.split(",")]
    except ValueError:
        p.error(f"--sizes: {options.sizes} are no numbers")
    if options.rounds < 1 or options.threads < 2:
        p.error("--rounds is at least 1, --threads at least 2")
    if not os.access(options.weft, os.X_OK):
        p.exit(2, f"threads.py: {options.weft} is no program; build weft or name it with --weft\n")
    return options


def bench(options, size, threads):
    """What `weft bench` tells: the build, and one row."""
    printed = subprocess.run([options.weft, "bench", "--scene", options.scene, "--size", str(size), "--backend", "cpu", "--threads", str(threads),
                              "--plain", "--self-collision", "off", "--warm-up-frames", "0", "--samples", "3", "--frames", str(FRAMES), "--format",
                              "json", "--log-level", "error"], check=True, capture_output=True, text=True)
    told = json.loads(printed.stdout)
    return told["build"], told["rows"][0]


def least(rows, field):
    return min(row[field] for row in rows)


def judge(size, one, several):
    """A row of the result: least figures of both."""
    if {row["hash"] for row in one} != {row["hash"] for row in several}:
        sys.exit(f"threads.py: {size}: one thread and several ended in two states")
    clock, processor = "ms_per_frame_min", "processor_ms_per_frame"
    return {"size": size, "particles": one[0]["particles"], "ms_one": least(one, clock), "ms": least(several, clock),
            "processor_ms_one": least(one, processor), "processor_ms": least(several, processor),
            "cost": least(several, processor) / least(one, processor), "quicker": least(one, clock) / least(several, clock)}


def measure(options):
    """(build, rows of judge)"""
    rows, build = {size: ([], []) for size in options.sizes}, None
    for _ in range(options.rounds):
        for size in options.sizes:
            for kept, threads in zip(rows[size], (1, options.threads)):
                build, row = bench(options, size, threads)
                kept.append(row)
    return build, [judge(size, *both) for size, both in rows.items()]


def main():
    options = read_options()
    before = os.getloadavg()[0]
    build, rows = measure(options)
    kept = {"build": build, "processors": os.cpu_count(), "load_before": before, "load_after": os.getloadavg()[0], "rounds": options.rounds,
            "scene": options.scene, "threads": options.threads, "most": options.most, "rows": rows}
    print(f"{build['processor']}, load {before:.1f} to {kept['load_after']:.1f}: processor ms a frame on 1 and {options.threads} threads")
    for row in rows:
        mark = "" if row["cost"] <= options.most else f"   more than {options.most:g}"
        print(f"{row['size']:5}²  {row['processor_ms_one']:7.2f} {row['processor_ms']:7.2f}  cost {row['cost']:.2f}, quicker {row['quicker']:.2f}{mark}")
    if options.output:
        pathlib.Path(options.output).write_text(json.dumps(kept, indent=1) + "\n")
    sys.exit(any(row["cost"] > options.most for row in rows))


if __name__ == "__main__":
    main()
