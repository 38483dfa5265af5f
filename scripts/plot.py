#!/usr/bin/env python3
"""Draws what `weft simulate --log` wrote: strain, energy, contact and time over the frames.

  scripts/plot.py FORMAT FILE...    (FORMAT: png, svg or pdf, to standard output; FILE: .csv or .jsonl)

Of several files each has a colour. Of a log of instances the line is the median and the band reaches from the
least to the largest. Needs matplotlib. Exit status: 0 done, 3 a file is no such log, 4 matplotlib is missing.
--check only looks for matplotlib."""
import sys

sys.path = [folder for folder in sys.path if folder]  # weft runs this text by -c: no modules of the present folder

import csv
import json
import math
import os

COLOURS = ("#2a7fd4", "#d55e00", "#00916a", "#b5539c", "#9a7b00", "#5f73c9")
STYLES = ("-", "--", ":")
# Panels: title, unit on the axis, and lines: label, column, factor.
PANELS = (
    ("Strain", "%", (("p99", "strain_p99", 100), ("largest", "strain_max", 100), ("mean", "strain_mean", 100))),
    ("Energy", "J", (("kinetic", "kinetic_energy_J", 1), ("elastic", "elastic_energy_J", 1),
                     ("potential, from the start", "potential_energy_J", 1))),
    ("Contact", "in a frame", (("pairs", "self_pairs", 1), ("motions cut", "self_limited", 1), ("pauses", "self_pauses", 1))),
    ("Time of a frame", "ms", (("ms", "ms", 1),)),
)


class NotALog(Exception):
    """The text says why."""


def number(value, where):
    """What a cell holds; nothing is NaN."""
    try:
        return math.nan if value in (None, "") else float(value)
    except (TypeError, ValueError):
        raise NotALog(f"{where}: {value!r:.40} is no number") from None


def rows_of(path):
    """The rows of a file, as dicts with the line each stands in."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            if path.endswith(".csv"):
                reader = csv.DictReader(file)
                return [(reader.line_num, row) for row in reader]
            return [(line, json.loads(text)) for line, text in enumerate(file, 1) if text.strip()]
    except OSError as error:
        raise NotALog(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error, ValueError):
        raise NotALog(f"{path}: this is no log of weft simulate --log") from None


def columns_of(path):
    """{column: {frame: [value of each instance]}}, frames ascending."""
    rows = rows_of(path)
    wanted = [column for _, _, lines in PANELS for _, column, _ in lines]
    columns = {column: {} for column in wanted}
    for line, row in rows:
        if not isinstance(row, dict) or "frame" not in row:
            raise NotALog(f"{path}: line {line}: this is no log of weft simulate --log")
        frame = number(row["frame"], f"{path}: line {line}: frame")
        for column in wanted:
            columns[column].setdefault(frame, []).append(number(row.get(column), f"{path}: line {line}: {column}"))
    if not rows:
        raise NotALog(f"{path}: it has no rows")
    return columns


def draw_line(axes, frames, values, **style):
    """The median of what each frame has, and a band where it has several."""
    middles = [sorted(v)[len(v) // 2] for v in values]
    axes.plot(frames, middles, **style)
    if any(len(v) > 1 for v in values):
        axes.fill_between(frames, [min(v) for v in values], [max(v) for v in values], color=style["color"], alpha=0.15, lw=0)


def draw(figure, logs):
    for axes, (title, unit, lines) in zip(figure.subplots(2, 2).flat, PANELS):
        for k, (path, columns) in enumerate(logs):
            for n, (label, column, factor) in enumerate(lines):
                frames = sorted(columns[column])
                first = columns[column][frames[0]]
                values = [[factor * (v - (first[i] if column.startswith("potential") else 0)) for i, v in enumerate(columns[column][f])]
                          for f in frames]
                if n and all(v == 0 or math.isnan(v) for row in values for v in row):
                    continue
                name = label if len(logs) == 1 else f"{os.path.basename(path)}: {label}" if n == 0 else None
                draw_line(axes, frames, values, color=COLOURS[(k if len(logs) > 1 else n) % len(COLOURS)], ls=STYLES[n], lw=1.2, label=name)
        if all(v == 0 for line in axes.lines for v in line.get_ydata()):
            axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center", color="0.5")
        axes.set_title(title, loc="left", fontsize=11)
        axes.set_ylabel(unit)
        axes.set_xlabel("frame")
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
        if len(logs) > 1 and len(lines) > 1:
            axes.text(1, 1.02, ", ".join(f"{style} {label}" for style, (label, _, _) in zip(("—", "- -", "· ·"), lines)),
                      transform=axes.transAxes, ha="right", fontsize=8)


def main(arguments):
    try:
        import matplotlib
    except ImportError:
        print("ModuleNotFoundError: matplotlib", file=sys.stderr)
        return 4
    if arguments == ["--check"]:
        return 0
    matplotlib.use("Agg")
    from matplotlib.figure import Figure
    kind, *paths = arguments
    try:
        logs = [(path, columns_of(path)) for path in paths]
    except NotALog as error:
        print(error, file=sys.stderr)
        return 3
    figure = Figure(figsize=(11, 7), layout="constrained")
    draw(figure, logs)
    figure.savefig(sys.stdout.buffer, format=kind, dpi=110)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
