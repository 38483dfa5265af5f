#!/usr/bin/env python3
"""Runs a grid of parameters over a scene: every combination of the values in GRID.json, each a run of its own.

  sweep.py list GRID.json          the numbers of its runs, from 0
  sweep.py run GRID.json NUMBER    makes runs/NUMBER.json; goes on from runs/NUMBER.state where there is one
  sweep.py join GRID.json          all that is done, as runs/table.csv

A run that refuses what it is given, or becomes infinite, is done as well: its row of the table has the status and
the sentence, and it is not tried again. Whatever else ends a run (a signal, memory, a lost node) leaves its last
checkpoint, and the exit status says to try again. Both weft and this keep whole files alone under their names."""
import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys

FINAL = {2, 3, 5, 8, 9}  # exit statuses that another try would not change
EVERY = "30"  # frames between checkpoints


def combinations(grid):
    return [dict(zip(grid["grid"], values)) for values in itertools.product(*grid["grid"].values())]


def keep(path, text):
    partial = path.with_suffix(path.suffix + f".{os.getpid()}")
    partial.write_text(text)
    partial.replace(path)


def run(grid, number, runs):
    values = combinations(grid)[number]
    done, state = runs / f"{number}.json", runs / f"{number}.state"
    if done.exists():
        return 0
    command = [os.environ.get("WEFT", "weft"), "simulate", grid["scene"], *grid["options"]]
    for name, value in values.items():
        command += [f"--{name}", str(value)]
    command += ["--checkpoint", str(state), "--every", EVERY, "--json", str(runs / f"{number}.part"), "--log", str(runs / f"{number}.jsonl")]
    if state.exists():
        command += ["--resume", str(state)]
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ended.returncode not in FINAL | {0}:
        sys.stderr.write(ended.stderr)
        return ended.returncode if ended.returncode > 0 else 128 - ended.returncode
    result = {"number": number, **values, "status": ended.returncode, "hash": "", "strain_p99": "", "sentence": ""}
    if ended.returncode in (0, 9):
        summary = json.loads((runs / f"{number}.part").read_text())
        result |= {"hash": summary["hash"], "strain_p99": summary["metrics"]["strain_p99"]}
    else:
        result["sentence"] = ended.stderr.strip().splitlines()[-1]
    keep(done, json.dumps(result))
    for rest in (state, runs / f"{number}.part"):
        rest.unlink(missing_ok=True)
    return 0


def join(grid, runs):
    rows = [json.loads((runs / f"{k}.json").read_text()) for k in range(len(combinations(grid))) if (runs / f"{k}.json").exists()]
    with open(runs / "table.part", "w", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    (runs / "table.part").replace(runs / "table.csv")
    print(f"{len(rows)} of {len(combinations(grid))} runs are done")
    return 0 if len(rows) == len(combinations(grid)) else 1


def main(what, path, *rest):
    grid = json.loads(pathlib.Path(path).read_text())
    runs = pathlib.Path(os.environ.get("RUNS", "runs"))
    runs.mkdir(exist_ok=True)
    if what == "list":
        print(*range(len(combinations(grid))), sep="\n")
        return 0
    return run(grid, int(rest[0]), runs) if what == "run" else join(grid, runs)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
