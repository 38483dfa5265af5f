#!/usr/bin/env python3
"""Does cloth with levels fold as cloth does? Runs three cases at 20 substeps (plain, levels, both)
and far finer ones in double precision, and compares the shapes they come to rest in.
  scripts/stretch_character.py CASE... [--weft build/weft] [--size 64] [--fine 1000] [--fine-backend f64]
                               [--keep DIR] [--out docs/benchmarks/stretch-character-SIZE.json]
CASE is drape, curtain or cusick. Bending energy is that of the hinges, 3 B e^2 a^2 / 2 A for an
edge e folded by a between triangles of area A together: the same sum for every run."""
import argparse
import json
import math
import os
import subprocess

BENDING = {"tablecloth": 10.3e-6, "trousers": 29.7e-6}  # N m
VARIANTS = {
    "plain": [], "multilevel": ["--multilevel", "24"], "both": ["--multilevel", "24", "--lra", "4"],
    "lra": ["--lra", "4"], "lines": ["--line-sweeps", "1"],
    "lines and attachments": ["--line-sweeps", "1", "--lra", "4"],
    "4 lines and attachments": ["--line-sweeps", "4", "--lra", "4"]}


# ---- meshes ----

def read_obj(path):
    points, faces = [], []
    with open(path) as file:
        for line in file:
            words = line.split()
            if line.startswith("v "):
                points.append(tuple(float(w) for w in words[1:4]))
            elif line.startswith("f "):
                faces.append(tuple(int(w.split("/")[0]) - 1 for w in words[1:4]))
    return points, faces


def write_disc(path, radius, rings):
    """Rings of 6, 12, 18 ... points, as weft's own disc."""
    points, faces = [(0.0, 0.0, 0.0)], []
    for r in range(1, rings + 1):
        for k in range(6 * r):
            a = 2 * math.pi * k / (6 * r)
            points.append((radius * r / rings * math.cos(a), 0.0, radius * r / rings * math.sin(a)))
    first = lambda r: 1 + 3 * r * (r - 1) if r else 0
    at = lambda r, k: first(r) + (k % (6 * r) if r else 0)
    for r in range(1, rings + 1):
        for side in range(6):
            for k in range(r):
                outer, inner = side * r + k, side * (r - 1) + k
                faces.append((at(r, outer), at(r - 1, inner), at(r, outer + 1)))
                if k + 1 < r:
                    faces.append((at(r, outer + 1), at(r - 1, inner), at(r - 1, inner + 1)))
    with open(path, "w") as file:
        for p in points:
            file.write("v %.9g %.9g %.9g\n" % p)
        for f in faces:
            file.write("f %d %d %d\n" % (f[0] + 1, f[1] + 1, f[2] + 1))
    return first


# ---- what is compared ----

def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def bending_energy(points, faces, stiffness):
    hinges = {}
    for f in faces:
        for k in range(3):
            a, b = f[k], f[(k + 1) % 3]
            hinges.setdefault((min(a, b), max(a, b)), []).append(f)
    normals = {}
    for f in faces:
        a, b, c = (points[i] for i in f)
        normals[f] = cross(sub(b, a), sub(c, a))
    total = 0
    for (a, b), pair in hinges.items():
        if len(pair) != 2:
            continue
        n, m, e = normals[pair[0]], normals[pair[1]], sub(points[b], points[a])
        length = math.sqrt(dot(e, e))
        angle = math.atan2(abs(dot(cross(n, m), e)) / max(length, 1e-12), dot(n, m))
        area = 0.5 * (math.sqrt(dot(n, n)) + math.sqrt(dot(m, m)))
        total += 1.5 * stiffness * length ** 2 * angle ** 2 / max(area, 1e-15)
    return total


def shadow(points, faces, cell):
    """Area seen from above."""
    dark = set()
    for f in faces:
        x = [points[i][0] / cell for i in f]
        z = [points[i][2] / cell for i in f]
        for i in range(math.floor(min(x)), math.ceil(max(x)) + 1):
            for j in range(math.floor(min(z)), math.ceil(max(z)) + 1):
                s = [(x[(k + 1) % 3] - x[k]) * (j - z[k]) - (z[(k + 1) % 3] - z[k]) * (i - x[k])
                     for k in range(3)]
                if min(s) >= 0 or max(s) <= 0:
                    dark.add((i, j))
    return len(dark) * cell * cell


def folds(values, least, around):
    """Maxima that stand out by `least` from the minima beside them."""
    if around:
        start = values.index(min(values))
        values = values[start:] + values[:start + 1]
    count, low, high, rising = 0, values[0], values[0], True
    for v in values:
        high, low = max(high, v), min(low, v)
        if rising and v < high - least:
            count, rising, low = count + 1, False, v
        elif not rising and v > low + least:
            rising, high = True, v
    return count


def hem_of_grid(points, n):
    order = [k for k in range(n)] + [k * n + n - 1 for k in range(1, n)]
    order += [(n - 1) * n + k for k in range(n - 2, -1, -1)] + [k * n for k in range(n - 2, 0, -1)]
    return [points[k] for k in order]


# ---- cases ----

def drape_case(size, _folder):
    words = ["drape", "--size", str(size), "--damping", "2", "--frames", "150"]

    def look(points, faces):
        area = shadow(points, faces, 0.002)
        out = {"shadow_m2": area, "drape_coefficient": area / 1.44}
        hem = hem_of_grid(points, size)
        out["folds"] = folds([math.hypot(p[0], p[2]) for p in hem], 0.02, True)
        return out
    return words, BENDING["trousers"], look, ("plain", "multilevel", "lines")


def curtain_case(size, _folder):
    # The ball out of the way, air at rest as good as.
    words = ["curtain", "--size", str(size), "--shift-collider", "1,0,0,-50", "--wind",
             "0,0,1e-6", "--damping", "3", "--frames", "180"]

    def look(points, faces):
        out = {"shadow_m2": shadow(points, faces, 0.002)}
        for name, part in (("upper", 0.1), ("middle", 0.5), ("lower", 0.95)):
            row = [p for p in points[int(part * (size - 1)) * size:][:size]]
            out["folds_" + name] = folds([p[2] for p in row], 0.01, False)
            out["depth_%s_m" % name] = max(p[2] for p in row) - min(p[2] for p in row)
        out["lowest_m"] = min(p[1] for p in points)
        return out
    return words, BENDING["trousers"], look, ("plain", "lra", "multilevel", "both", "lines and attachments")


def cusick_case(size, folder):
    rings = {32: 18, 64: 36, 128: 73}[size]
    path = os.path.join(folder, "disc-%d.obj" % rings)
    first = write_disc(path, 0.15, rings)
    last = math.ceil(0.09 / (0.15 / rings))
    pins = "list:" + ",".join(str(k) for k in range(first(last + 1)))
    words = [path, "--fabric", "tablecloth", "--pin", pins, "--damping", "6", "--frames", "120"]

    def look(points, faces):
        area = shadow(points, faces, 0.0005)
        under, whole = math.pi * 0.09 ** 2, math.pi * 0.15 ** 2
        rim = points[first(rings):]
        return {"drape_coefficient": (area - under) / (whole - under),
                "folds": folds([math.hypot(p[0], p[2]) for p in rim], 0.004, True)}
    return words, BENDING["tablecloth"], look, ("plain", "lra", "4 lines and attachments")


CASES = {"drape": drape_case, "curtain": curtain_case, "cusick": cusick_case}


def shorten(words):
    return " ".join("list:0..%s" % w.rsplit(",", 1)[1] if w.startswith("list:") and len(w) > 60
                    else os.path.basename(w) if w.startswith("/") else w for w in words)


def one(weft, words, options, keep):
    obj, summary = keep + ".obj", keep + ".json"
    command = [weft, "simulate"] + words + options + ["-o", obj, "--json", summary]
    if not (os.path.exists(obj) and os.path.exists(summary)):  # left by a run that was cut short
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return read_obj(obj), json.load(open(summary))


def distance(a, b):
    """Root of the mean square way between two states, and with the second mirrored in z."""
    for sign in (1, -1):
        yield math.sqrt(sum((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - sign * q[2]) ** 2
                            for p, q in zip(a, b)) / len(a))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="+", choices=CASES)
    parser.add_argument("--weft", default="build/weft")
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--fine", type=int, default=1000)
    parser.add_argument("--fine-backend", default="f64")
    parser.add_argument("--keep", default="/tmp", help="where states stay; those found are not run again")
    parser.add_argument("--out")
    args = parser.parse_args()
    rows, build = [], None
    for case in args.case:
        words, stiffness, look, variants = CASES[case](args.size, args.keep)
        runs = [("converged", ["--substeps", str(args.fine), "--backend", args.fine_backend])]
        runs += [(v, ["--substeps", "20", "--backend", "cpu", "--threads", "1"] + VARIANTS[v])
                 for v in variants]
        fine = None
        for name, options in runs:
            keep = os.path.join(args.keep, "%s-%d-%s" % (case, args.size, name))
            (points, faces), summary = one(args.weft, words, options, keep)
            m, build = summary["metrics"], summary["build"]
            fine = fine or points
            row = {"case": case, "size": args.size, "run": name,
                   "command": "weft simulate " + shorten(words + options),
                   "bending_mJ": 1e3 * bending_energy(points, faces, stiffness),
                   "strain_p99": m["strain_p99"], "kinetic_J": m["kinetic_energy_J"],
                   "potential_J": m["potential_energy_J"], "from_converged_rms_m":
                   min(distance(fine, points)) if case == "curtain" else next(distance(fine, points))}
            rows.append(row | look(points, faces))
            print({k: round(v, 5) if isinstance(v, float) else v for k, v in rows[-1].items()
                   if k != "command"}, flush=True)
    out = args.out or "docs/benchmarks/stretch-character-%d.json" % args.size
    with open(out, "w") as file:
        json.dump({"build": build, "rows": rows}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
