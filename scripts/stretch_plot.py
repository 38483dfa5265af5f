#!/usr/bin/env python3
"""Draws the plots of docs/stretch.md from docs/benchmarks/stretch-*.json, with matplotlib.
  scripts/stretch_plot.py [--data docs/benchmarks] [--out docs/stretch]"""
import argparse
import json
import os
import sys

try:
    from matplotlib import rcParams
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator
except ImportError as why:
    sys.exit("stretch_plot.py: plots need matplotlib (Debian: python3-matplotlib): %s" % why)

COLOURS = {"plain": "#b03030", "lra": "#c98a1b", "multilevel": "#2f6fb0", "both": "#1f7a3d", "lines": "#8a4fb8",
           "lines and attachments": "#111111"}
NAMES = {"lra": "long-range attachments (LRA)", "multilevel": "multilevel", "both": "multilevel and LRA", "lines": "line solver",
         "lines and attachments": "line solver and LRA"}


def rows_of(folder, name):
    with open(os.path.join(folder, "stretch-%s.json" % name), encoding="utf-8") as file:
        return json.load(file)["rows"]


def begin(title, x, y):
    axes = Figure(figsize=(8, 4.4), layout="constrained").add_subplot()
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(color="#dddddd")
    return axes


def use_log(axis, ticks):
    (axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale)("log")
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(FixedFormatter(["{:,g}".format(t) for t in ticks]))
    axis.set_minor_locator(NullLocator())


def draw(axes, points, name, colour, **more):
    axes.plot(*zip(*points), label=name, color=colour, **{"marker": "o", "markersize": 4, **more})


def end(axes, path):
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=9)
    axes.figure.savefig(path, metadata={"Date": None})


def plot_cost(folder, out):
    rows = rows_of(folder, "substeps") + rows_of(folder, "lines-substeps")
    axes = begin("Strain against cost: 128 × 128, swinging, after 1 s", "processor time a frame (ms)",
                 "strain, 99th percentile (%)")
    for variant, colour in COLOURS.items():
        mine = [r for r in rows if r["variant"] == variant and not r.get("stopped")]
        points = [(r["ms_per_frame"], 100 * r["strain_p99"]) for r in mine]
        draw(axes, points, NAMES.get(variant, variant), colour)
        for row, point in zip(mine, points):
            axes.annotate(row["substeps"], point, xytext=(4, 4), textcoords="offset points", fontsize=8, color=colour)
    use_log(axes.xaxis, (2, 5, 10, 20, 50, 100, 200))
    use_log(axes.yaxis, (0.1, 0.3, 1, 3, 10, 30, 100))
    axes.plot([], [], " ", label="numbers: substeps a frame")
    end(axes, os.path.join(out, "stretch-cost.svg"))


def plot_rows(folder, out):
    rows = rows_of(folder, "two-corners") + rows_of(folder, "two-corners-512")
    rows += [r for r in rows_of(folder, "lines") + rows_of(folder, "lines-large") if r["case"] == "two corners, upright"]
    axes = begin("Two corners held, upright, 20 substeps, after 2 s", "rows", "strain, 99th percentile (%)")
    draw(axes, [(64, 9), (256, 190), (512, 496)], "others, plain", "#999999", linestyle="--")
    draw(axes, [(64, 2), (256, 18)], "NvCloth, LRA", "#777777", linestyle=":")
    draw(axes, [(64, 1.5), (256, 46)], "Jolt, LRA", "#bbbbbb", linestyle=":")
    for variant, name in (("plain", "weft, plain"), ("both", "weft, multilevel and LRA"),
                          ("lines and attachments", "weft, line solver and LRA")):
        mine = sorted((r["size"], 100 * r["strain_p99"]) for r in rows if r["variant"] == variant and not r.get("stopped"))
        draw(axes, mine, name, COLOURS[variant])
    use_log(axes.xaxis, (32, 64, 128, 256, 512, 1024))
    use_log(axes.yaxis, (0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000))
    axes.plot([], [], " ", label="LRA: long-range attachments")
    end(axes, os.path.join(out, "stretch-rows.svg"))


def plot_energy(folder, out):
    axes = begin("A sheet swings, damping $10^{-6}$/s: kinetic and potential energy", "time (s)", "energy (J), 0 at the start")
    for row in rows_of(folder, "energy") + rows_of(folder, "lines-energy"):
        if row["case"].endswith(" 0"):
            total = [k + p for k, p in zip(row["kinetic_J"], row["potential_J"])]
            draw(axes, list(zip(row["time_s"], total)), NAMES.get(row["variant"], row["variant"]), COLOURS[row["variant"]], marker="")
    end(axes, os.path.join(out, "stretch-energy.svg"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="docs/benchmarks")
    parser.add_argument("--out", default="docs/stretch")
    args = parser.parse_args()
    rcParams.update({"svg.hashsalt": "weft", "svg.fonttype": "none"})
    os.makedirs(args.out, exist_ok=True)
    plot_cost(args.data, args.out)
    plot_rows(args.data, args.out)
    plot_energy(args.data, args.out)


if __name__ == "__main__":
    main()
