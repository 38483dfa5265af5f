#!/usr/bin/env python3
"""Times weft beside programs that do the same work: see README.md.

Exit status: 0 done, 1 a program failed or two do not agree, 2 usage, 77 something is missing on this machine."""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # nothing into the source
import agree
import jolt
import pypi
import show
import weft_rows

OTHERS = ["jolt", *pypi.PEERS]
ONCE = 8  # s: a run that takes longer is not repeated in later rounds


def numbers(low, high):
    def read(text):
        values = [int(word) for word in text.split(",")]
        if not all(low <= v <= high for v in values):
            raise argparse.ArgumentTypeError(f"{text}: {low} to {high} is allowed")
        return values
    return read


def names(text):
    words = text.split(",")
    if not set(words) <= set(OTHERS):
        raise argparse.ArgumentTypeError(f"{text}: there are {', '.join(OTHERS)}")
    return words


def read_options():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--weft", metavar="PROGRAM", default="build/weft", help="the program to measure. Default: build/weft")
    p.add_argument("--out", metavar="FOLDER", default="out/peers", help="where programs, JSON, table and plot go. Default: out/peers")
    p.add_argument("--sizes", type=numbers(4, 4096), default=[64, 128, 256, 512], metavar="N,...",
                   help="particles a side, 4 to 4096. Default: 64,128,256,512")
    p.add_argument("--threads", type=numbers(1, 64), metavar="N,...", help="Default: 1 and all processors")
    p.add_argument("--rounds", type=int, default=3, metavar="N", help="each measures every program once. Default: 3")
    p.add_argument("--frames", type=int, metavar="N", help="of a run. Default: 30, from 256 particles a side on fewer")
    p.add_argument("--seconds", type=float, default=60, metavar="S",
                   help="a run that would take longer is left out, and said so. Default: 60")
    p.add_argument("--others", type=names, nargs="?", const=OTHERS, default=[], metavar="NAME,...",
                   help=f"measure these too, fetched into FOLDER where they are not: {', '.join(OTHERS)}. Alone: all of them")
    p.add_argument("--meshes", metavar="FOLDER", default=os.environ.get("WEFT_MESH_DIR"),
                   help="time garments too, of the files in FOLDER/garments. Default: $WEFT_MESH_DIR")
    p.add_argument("--check", action="store_true", help="only check that the programs agree")
    options = p.parse_args()
    if options.rounds < 1 or (options.frames or 1) < 1:
        p.error("--rounds and --frames are at least 1")
    if not os.access(options.weft, os.X_OK) or os.path.isdir(options.weft):
        p.exit(2, f"peers.py: {options.weft} is no program; build weft or name it with --weft\n")
    options.sizes = sorted(set(options.sizes))
    options.threads = options.threads or sorted({1, min(64, os.cpu_count())})
    return options


# ---- programs: each is called with size, threads and frames, and gives a run ----

def of_program(command):
    def run(*numbers):
        printed = agree.run([*command, *numbers]).stdout
        return json.loads(printed[printed.index("{") :])
    return run


# ---- the machine ----

def first_line(path, begins=""):
    try:
        return next((line.strip() for line in open(path) if line.startswith(begins)), "")
    except OSError:
        return ""


def processor():
    """Its name, family and model, and the caches of one core."""
    told = [first_line("/proc/cpuinfo", field).split(":")[-1].strip() for field in ("model name", "cpu family", "model\t")]
    caches = [first_line(f"/sys/devices/system/cpu/cpu0/cache/index{k}/size") for k in (0, 2, 3)]
    name = told[0] or platform.processor() or platform.machine()
    family = f" (family {told[1]}, model {told[2]})" if all(told[1:]) else ""
    return name + family + (f", caches {' + '.join(caches)}" if all(caches) else "")


def load():
    return os.getloadavg()[0]


def head(options, versions):
    return {"date": datetime.date.today().isoformat(), "processor": processor(), "processors": os.cpu_count(), "compiler": agree.compiler_version(),
            "weft": weft_rows.build_of(options.weft), "versions": versions, "rounds": options.rounds, "load_before": load()}


# ---- measuring ----

def turns(programs, counts):
    """(program, threads) of a round; what has one thread has one turn."""
    single = {name for name, peer in pypi.PEERS.items() if peer.one_thread}
    return [(name, 1 if name in single else threads) for threads in counts for name in programs
            if name not in single or threads == counts[0]]


def frames_of(options, size):
    return options.frames or max(5, min(30, 5120 // size))


class Pace:
    """How long runs took, s, so that none takes longer than --seconds and long ones run once."""

    def __init__(self, most):
        self.most, self.took = most, {}

    def wants(self, turn, size):
        before = [s for t, s in self.took if t == turn and s < size]
        if (turn, size) in self.took:
            return self.took[turn, size] <= ONCE
        if not before or self.took[turn, max(before)] * (size / max(before)) ** 2 <= self.most:
            return True
        self.took[turn, size] = math.inf
        print(f"peers.py: {turn[0]}, {turn[1]} threads, is left out at {size} x {size}: it would take more than {self.most:.0f} s", file=sys.stderr)
        return False

    def run(self, turn, size, program, frames):
        begin = time.perf_counter()
        run = program(size, turn[1], frames)
        self.took[turn, size] = time.perf_counter() - begin
        return run


def measure_garments(options, folder):
    """Those of --meshes, each with every setting, once."""
    told = []
    for name, (file, _) in weft_rows.GARMENTS.items() if options.meshes else ():
        if not (pathlib.Path(options.meshes) / file).exists():
            print(f"peers.py: {name} is left out: no {file} in {options.meshes}", file=sys.stderr)
            continue
        for threads in options.threads:
            told += [{**weft_rows.garment(options.weft, folder, options.meshes, name, how, threads), "load": load()}
                     for how in weft_rows.HOW]
    return told


def measure(programs, options):
    """By turns, so that what disturbs a round disturbs all."""
    runs, pace = [], Pace(options.seconds)
    for round_ in range(options.rounds):
        for size in options.sizes:
            for turn in turns(programs, options.threads):
                if pace.wants(turn, size):
                    run = pace.run(turn, size, programs[turn[0]], frames_of(options, size))
                    runs.append({**run, "round": round_, "load": load()})
        print(f"round {round_ + 1} of {options.rounds}, load {load():.1f}", flush=True)
    return runs


def fetch(options, commands, folder):
    """The commands of --others that can be had and agree, and their versions, by name."""
    from_pypi = [name for name in options.others if name in pypi.PEERS]
    others = pypi.commands_of(from_pypi, commands, folder) if from_pypi else {}
    versions = {name: pypi.PEERS[name].packages[0] for name in others}
    built = jolt.command(commands, folder) if "jolt" in options.others else None
    if built:
        others["jolt"], versions["jolt"] = built, jolt.version_of(jolt.sources_in(folder))
    return others, versions


def main():
    options = read_options()
    folder = pathlib.Path(options.out).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    commands = {**agree.build(folder), "weft_links": agree.weft_links(options.weft)}
    agree.check(commands, folder)
    others, versions = fetch(options, commands, folder)
    if options.check:
        return
    programs = {name: of_program(command) for name, command in {**commands, **others}.items()}
    programs |= {name: weft_rows.scene(options.weft, name) for name in weft_rows.SCENES}
    kept = head(options, versions)
    kept["runs"], kept["garments"] = measure(programs, options), measure_garments(options, folder)
    kept["load_after"] = load()
    (folder / "peers.json").write_text(json.dumps(kept, indent=1) + "\n")
    (folder / "peers.md").write_text(show.tables(kept), encoding="utf-8")
    print(show.tables(kept))
    if show.have_matplotlib():
        show.draw(kept, folder / "peers.svg")
    else:
        print("no plot: matplotlib is not installed", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except agree.Missing as missing:
        sys.exit(print(f"peers.py: skipped: {missing}", file=sys.stderr) or 77)
    except agree.Differ as differ:
        sys.exit(f"peers.py: {differ}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"peers.py: {failed.cmd[0]} ended with status {failed.returncode}: {(failed.stderr or '').strip()}")
