#!/usr/bin/env python3
"""Times weft beside programs that do the same work: see README.md.

Exit status: 0 done, 1 a program failed or two do not agree, 2 usage, 77 something is missing on this machine."""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys

sys.dont_write_bytecode = True  # nothing into the source
import agree
import jolt
import pypi
import show


def numbers(low, high):
    def read(text):
        values = [int(word) for word in text.split(",")]
        if not all(low <= v <= high for v in values):
            raise argparse.ArgumentTypeError(f"{text}: {low} to {high} is allowed")
        return values
    return read


def names(text):
    words = text.split(",")
    if not set(words) <= set(pypi.PEERS):
        raise argparse.ArgumentTypeError(f"{text}: there are {', '.join(pypi.PEERS)}")
    return words


def read_options():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--weft", metavar="PROGRAM", default="build/weft", help="the program to measure. Default: build/weft")
    p.add_argument("--out", metavar="FOLDER", default="out/peers", help="where programs, JSON, table and plot go. Default: out/peers")
    p.add_argument("--sizes", type=numbers(4, 4096), default=[64, 128, 256, 512], metavar="N,...",
                   help="particles a side, 4 to 4096. Default: 64,128,256,512")
    p.add_argument("--threads", type=numbers(1, 64), metavar="N,...", help="Default: 1 and all processors")
    p.add_argument("--rounds", type=int, default=5, metavar="N", help="each measures every program once. Default: 5")
    p.add_argument("--frames", type=int, default=30, metavar="N", help="of a run. Default: 30")
    p.add_argument("--pypi", type=names, nargs="?", const=list(pypi.PEERS), default=[], metavar="NAME,...",
                   help=f"measure these too, installed from PyPI into a venv in FOLDER: {', '.join(pypi.PEERS)}. Alone: all of them")
    p.add_argument("--jolt", metavar="FOLDER", help="measure Jolt Physics too, built from its sources: the folder that has Jolt/Jolt.h in it")
    p.add_argument("--check", action="store_true", help="only check that the programs agree")
    options = p.parse_args()
    if options.rounds < 1 or options.frames < 1:
        p.error("--rounds and --frames are at least 1")
    if not os.access(options.weft, os.X_OK) or os.path.isdir(options.weft):
        p.exit(2, f"peers.py: {options.weft} is no program; build weft or name it with --weft\n")
    if options.jolt and not jolt.version_of(pathlib.Path(options.jolt)):
        p.exit(2, f"peers.py: {options.jolt} has no sources of Jolt Physics 5: there is no Jolt/Core/Core.h with a version\n")
    options.threads = options.threads or sorted({1, min(64, os.cpu_count())})
    return options


# ---- programs: each is called with size, threads and frames, and gives a run ----

def of_program(command):
    return lambda *numbers: of_command([*command, *numbers])


def of_command(command):
    printed = agree.run(command).stdout
    return json.loads(printed[printed.index("{") :])


def of_row(row, threads, frames):
    return {"program": "weft_bench", "threads": threads, "size": row["size"], "constraints": row["constraints"], "frames": frames,
            "ms_median": row["ms_per_frame_median"], "ms_least": row["ms_per_frame_min"], "processor_ms": row["processor_ms_per_frame"],
            "ns_projection": 1e6 * row["ms_per_frame_median"] / (row["constraints"] * row["substeps"]), "strain_p99": row["strain_p99"]}


def of_weft(weft):
    """What users of a grid get: other constraints, so that only its times a projection compare."""
    def run(size, threads, frames):
        all_of_it = of_command([weft, "bench", "--scene", "hanging", "--size", size, "--backend", "cpu", "--threads", threads, "--plain",
                                "--self-collision", "off", "--damping", "0", "--ground", "off", "--warm-up-frames", "0", "--samples", "3",
                                "--frames", frames, "--format", "json", "--log", "error"])
        return of_row(all_of_it["rows"][0], threads, frames)
    return run


# ---- measuring ----

def processor():
    try:
        names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def load():
    return os.getloadavg()[0]


def turns(programs, counts):
    """(program, threads) of a round; what has one thread has one turn."""
    single = {name for name, peer in pypi.PEERS.items() if peer.one_thread}
    return [(name, 1 if name in single else threads) for threads in counts for name in programs
            if name not in single or threads == counts[0]]


def measure(programs, options):
    """By turns, so that what disturbs a round disturbs all."""
    runs = []
    for round_ in range(options.rounds):
        for size in options.sizes:
            for name, threads in turns(programs, options.threads):
                runs.append({**programs[name](size, threads, options.frames), "round": round_, "load": load()})
        print(f"round {round_ + 1} of {options.rounds}, load {load():.1f}", flush=True)
    return runs


def main():
    options = read_options()
    folder = pathlib.Path(options.out).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    commands = {**agree.build(folder), "weft_links": agree.weft_links(options.weft)}
    agree.check(commands, folder)
    others = pypi.commands_of(options.pypi, commands, folder) if options.pypi else {}
    built = jolt.command(options.jolt, commands, folder) if options.jolt else None
    if built:
        others["jolt"] = built
    if options.check:
        return
    programs = {name: of_program(command) for name, command in {**commands, **others}.items()}
    programs["weft_bench"] = of_weft(options.weft)
    kept = {"processor": processor(), "processors": os.cpu_count(), "rounds": options.rounds, "frames": options.frames,
            "load_before": load(), "runs": measure(programs, options), "load_after": load()}
    (folder / "peers.json").write_text(json.dumps(kept, indent=1) + "\n")
    show.write_table(kept, folder / "peers.md")
    print((folder / "peers.md").read_text(encoding="utf-8"))
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
