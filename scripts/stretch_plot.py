#!/usr/bin/env python3
"""Draws the plots of docs/stretch.md from docs/benchmarks/stretch-*.json.
  scripts/stretch_plot.py [--data docs/benchmarks] [--out docs/stretch]"""
import argparse
import json
import math
import os

COLOURS = {"plain": "#b03030", "tethers": "#c98a1b", "levels": "#2f6fb0", "both": "#1f7a3d",
           "lines": "#8a4fb8", "lines and tethers": "#111"}
NAMES = {"both": "levels and tethers"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 66, 150, 40, 48


class Axes:
    """One plot: linear or logarithmic axes, lines with points, a legend beside."""

    def __init__(self, title, x, y, x_range, y_range, logs):
        self.ranges, self.logs, self.parts, self.named = (x_range, y_range), logs, [], 0
        self.text(LEFT, 22, title, 15)
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x, 12, "middle")
        self.parts.append('<text x="16" y="%g" font-size="12" text-anchor="middle" transform='
                          '"rotate(-90 16 %g)">%s</text>' % ((HEIGHT / 2,) * 2 + (y,)))

    def text(self, x, y, words, size, anchor="start", colour="#222"):
        self.parts.append('<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s">%s'
                          "</text>" % (x, y, size, anchor, colour, words))

    def at(self, axis, value):
        low, high = self.ranges[axis]
        if self.logs[axis]:
            value, low, high = (math.log(max(v, 1e-12)) for v in (value, low, high))
        part = (value - low) / (high - low)
        if axis == 0:
            return LEFT + part * (WIDTH - LEFT - RIGHT)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)

    def ticks(self, axis, values):
        for v in values:
            p = self.at(axis, v)
            if axis == 0:
                ends, place = (p, TOP, p, HEIGHT - BOTTOM), (p, HEIGHT - BOTTOM + 16, "middle")
            else:
                ends, place = (LEFT, p, WIDTH - RIGHT, p), (LEFT - 6, p + 4, "end")
            self.parts.append('<path d="M%.1f %.1fL%.1f %.1f" stroke="#ddd"/>' % ends)
            self.text(place[0], place[1], "%g" % v, 11, place[2])

    def line(self, points, name, colour, labels=None, dots=True, dash=""):
        where = [(self.at(0, x), self.at(1, y)) for x, y in points]
        self.parts.append('<path d="M%s" fill="none" stroke="%s" stroke-width="2" '
                          'stroke-dasharray="%s"/>' %
                          ("L".join("%.1f %.1f" % p for p in where), colour, dash))
        for k, (x, y) in enumerate(where):
            if dots:
                self.parts.append('<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>' % (x, y, colour))
            if labels:
                self.text(x + 5, y - 6, labels[k], 10, colour=colour)
        y = TOP + 14 + 18 * self.named
        self.named += 1
        self.parts.append('<path d="M%d %dh18" stroke="%s" stroke-width="3" stroke-dasharray="%s"/>' %
                          (WIDTH - RIGHT + 8, y - 4, colour, dash))
        self.text(WIDTH - RIGHT + 31, y, name, 11)

    def save(self, path):
        with open(path, "w") as file:
            file.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" '
                       'height="%d" font-family="sans-serif">\n<rect width="100%%" height="100%%" '
                       'fill="#fff"/>\n' % (WIDTH, HEIGHT, WIDTH, HEIGHT))
            file.write("\n".join(self.parts) + "\n</svg>\n")


def load(folder, name):
    return json.load(open(os.path.join(folder, "stretch-%s.json" % name)))["rows"]


def plot_cost(folder, out):
    rows = load(folder, "substeps") + load(folder, "lines-substeps")
    a = Axes("Strain against cost: 128 × 128, swinging, after 1 s", "processor ms per frame",
             "p99 of strain (%)", (2, 300), (0.05, 300), (True, True))
    a.ticks(0, (2, 5, 10, 20, 50, 100, 200))
    a.ticks(1, (0.1, 0.3, 1, 3, 10, 30, 100))
    for variant, colour in COLOURS.items():
        mine = [r for r in rows if r["variant"] == variant and not r.get("stopped")]
        a.line([(r["ms_per_frame"], 100 * r["strain_p99"]) for r in mine],
               NAMES.get(variant, variant), colour, [str(r["substeps"]) for r in mine])
    a.text(WIDTH - RIGHT + 8, TOP + 134, "numbers: substeps", 11)
    a.text(WIDTH - RIGHT + 8, TOP + 148, "a frame", 11)
    a.save(os.path.join(out, "stretch-cost.svg"))


def plot_rows(folder, out):
    rows = load(folder, "two-corners") + load(folder, "two-corners-512")
    rows += [r for r in load(folder, "lines") + load(folder, "lines-large") if r["case"] == "two corners, upright"]
    a = Axes("Two corners held, upright, 20 substeps, after 2 s", "rows",
             "p99 of strain (%)", (28, 1160), (0.01, 1000), (True, True))
    a.ticks(0, (32, 64, 128, 256, 512, 1024))
    a.ticks(1, (0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000))
    a.line([(64, 9), (256, 190), (512, 496)], "others, plain", "#999", dash="5 4")
    a.line([(64, 2), (256, 18)], "NvCloth, tethers", "#777", dash="2 3")
    a.line([(64, 1.5), (256, 46)], "Jolt, tethers", "#bbb", dash="2 3")
    names = {"plain": "weft, plain", "both": "levels, tethers", "lines and tethers": "lines, tethers"}
    for variant, name in names.items():
        mine = sorted((r["size"], 100 * r["strain_p99"]) for r in rows
                      if r["variant"] == variant and not r.get("stopped"))
        a.line(mine, name, COLOURS[variant])
    a.save(os.path.join(out, "stretch-rows.svg"))


def plot_energy(folder, out):
    rows = load(folder, "energy") + load(folder, "lines-energy")
    a = Axes("A sheet swings, damping 10⁻⁶/s: kinetic and potential energy", "time (s)",
             "energy (J), 0 at the start", (0, 6), (-0.8, 0.1), (False, False))
    a.ticks(0, range(7))
    a.ticks(1, (-0.8, -0.6, -0.4, -0.2, 0))
    for row in rows:
        if row["case"].endswith(" 0"):
            total = [k + p for k, p in zip(row["kinetic_J"], row["potential_J"])]
            a.line(list(zip(row["time_s"], total)), NAMES.get(row["variant"], row["variant"]),
                   COLOURS[row["variant"]], dots=False)
    a.save(os.path.join(out, "stretch-energy.svg"))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="docs/benchmarks")
    parser.add_argument("--out", default="docs/stretch")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    plot_cost(args.data, args.out)
    plot_rows(args.data, args.out)
    plot_energy(args.data, args.out)


if __name__ == "__main__":
    main()
