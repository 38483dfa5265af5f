#!/usr/bin/env python3
"""Measures what docs/stretch.md says and writes it as rows of JSON, one set a file.
  scripts/stretch_measure.py SET [--weft build/weft] [--out docs/benchmarks/stretch-SET.json] [--only SIZE,...]
A row holds the command, what it reached and the processor time it took. Times are those of the
process (all its threads) and exclude preprocessing and start, which a run of one frame is taken for.
strain_* is what weft reports: edges of the mesh, one diagonal of each quad among them, whose length
is a matter of shear. yarn_* is that of rows and columns alone, of sheets."""
import argparse
import json
import os
import subprocess
import tempfile

from stretch_character import read_obj

VARIANTS = {
    "plain": [],
    "lra": ["--lra", "4"],
    "multilevel": ["--multilevel", "24"],
    "both": ["--multilevel", "24", "--lra", "4"],
    "lines": ["--line-sweeps", "1"],
    "lines and attachments": ["--line-sweeps", "1", "--lra", "4"],
    "4 lines": ["--line-sweeps", "4"],
    "4 lines and attachments": ["--line-sweeps", "4", "--lra", "4"],
}


def run(command, timeout=3000):
    """Runs it, returns (summary, processor seconds); the summary is None where it stopped."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        before = os.times()
        subprocess.run(command + ["--json", out.name], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=timeout, check=False)
        after = os.times()
        seconds = (after.children_user + after.children_system - before.children_user -
                   before.children_system)
        text = open(out.name).read()
        return (json.loads(text) if text else None), seconds


def yarn_strain(rest, now, n):
    """Ascending strains of the edges along rows and columns."""
    out = []
    for i in range(n * n):
        for j in ([i + 1] if i % n < n - 1 else []) + ([i + n] if i + n < n * n else []):
            now_squared = sum((a - b) ** 2 for a, b in zip(now[i], now[j]))
            rest_squared = sum((a - b) ** 2 for a, b in zip(rest[i], rest[j]))
            out.append((now_squared / rest_squared) ** 0.5 - 1)
    return sorted(out)


def yarns(weft, scene, options, kept):
    n = int(options[options.index("--size") + 1])
    with tempfile.NamedTemporaryFile(suffix=".obj") as file:
        run([weft, "simulate"] + scene + ["--size", str(n), "--backend", "cpu", "--threads", "1",
            "--frames", "1", "--substeps", "1", "--dt", "1e-6", "-o", file.name])
        rest = read_obj(file.name)[0]
    strain = yarn_strain(rest, read_obj(kept)[0], n)
    size = sorted(abs(s) for s in strain)
    return {"yarn_p99": size[int(0.99 * len(size))], "yarn_max": size[-1],
            "yarn_stretch_p99": strain[int(0.99 * len(strain))]}


def timed_row(weft, scene, options, frames, grid=False):
    command = [weft, "simulate"] + scene + options
    with tempfile.NamedTemporaryFile(suffix=".obj") as file:
        output = ["-o", file.name] if grid else []
        _, start = run(command + output + ["--frames", "1"])
        summary, seconds = run(command + output + ["--frames", str(frames)])
        more = yarns(weft, scene, options, file.name) if grid and summary else {}
    shown = " ".join(["weft"] + command[1:] + ["--frames", str(frames)])
    row = {"command": shown, "ms_per_frame": 1e3 * max(seconds - start, 0) / (frames - 1)}
    if summary is None:
        return row | {"stopped": True}, None
    m = summary["metrics"]
    row |= more | {
        "frames": frames, "substeps": summary["substeps"], "particles": summary["particles"],
        "strain_mean": m["strain_mean"], "strain_p99": m["strain_p99"],
        "strain_threads_p99": m.get("strain_threads_p99"), "strain_max": m["strain_max"],
        "low_m": m["box_min_m"][1], "high_m": m["box_max_m"][1],
        "kinetic_J": m["kinetic_energy_J"], "elastic_J": m["elastic_energy_J"],
        "hash": summary["hash"]}
    if "error" in summary:
        row["stopped"] = True
    return row, summary["build"]


# ---- the sets: (scene words, label, size, variants, options, frames) ----

def table(label, words, sizes, variants, frames, extra=()):
    for size in sizes:
        for variant in variants:
            options = ["--size", str(size), *extra, "--backend", "cpu", "--threads", "1"]
            yield label, words, size, variant, options + VARIANTS[variant], frames


def cases(name):
    every = ("plain", "lra", "multilevel", "both")
    upright = ["hanging", "--angle", "90"]
    sets = {
        "two-corners": lambda: [
            *table("two corners, upright", upright, (64, 256), every, 120),
            *table("two corners, upright", upright, (32, 128), ("plain", "both"), 120)],
        "two-corners-512": lambda: table("two corners, upright", upright, (512,),
                                         ("plain", "both"), 120),
        "scenes": lambda: [
            *table("top row, upright", upright + ["--pin", "top"], (32, 64, 128),
                   ("plain", "both"), 120),
            *table("two corners, swinging", ["hanging"], (32, 64, 128), every, 120),
            *table("sheet over a sphere", ["drape"], (32, 64, 128), ("plain", "multilevel"), 120),
            *table("skirt", ["skirt"], (32, 64, 128), ("plain", "lra"), 120)],
        "scenes-256": lambda: [
            *table("top row, upright", upright + ["--pin", "top"], (256,), ("plain", "both"), 120),
            *table("two corners, swinging", ["hanging"], (256,), ("plain", "both"), 120),
            *table("sheet over a sphere", ["drape"], (256,), ("plain", "multilevel"), 120)],
        "substeps": lambda: [
            c for s in (5, 10, 20, 40, 80)
            for c in table("two corners, swinging", ["hanging"], (128,), every, 60,
                           ("--substeps", str(s)))],
    }
    held, free = ("lines and attachments",), ("lines",)
    top = upright + ["--pin", "top"]
    sets |= {
        "lines": lambda: [
            *table("two corners, upright", upright, (32, 64, 128, 256), held, 120),
            *table("top row, upright", top, (32, 64, 128, 256), held, 120),
            *table("two corners, swinging", ["hanging"], (32, 64, 128, 256), free + held, 120),
            *table("sheet over a sphere", ["drape"], (32, 64, 128, 256), free, 120),
            *table("skirt", ["skirt"], (32, 64), ("4 lines", "4 lines and attachments"), 120)],
        "lines-512": lambda: [
            *table("two corners, upright", upright, (512,), held, 120),
            *table("two corners, swinging", ["hanging"], (512,), held, 60),
            *table("sheet over a sphere", ["drape"], (512,), free, 60)],
        "lines-1024": lambda: table("two corners, upright", upright, (1024,), held, 60),
        "lines-substeps": lambda: [
            c for s in (5, 10, 20, 40)
            for c in table("two corners, swinging", ["hanging"], (128,), free + held, 60,
                           ("--substeps", str(s)))],
    }
    return list(sets[name]())


def cost(weft, rows):
    """Short runs of the variants in turn, three times over: the smallest of each."""
    for backend in ("cpu", "ref"):
        for size in (64, 128, 256):
            if backend == "ref" and size > 128:
                continue
            frames = 12 if size < 256 else 5
            best = {}
            for _ in range(3):
                for variant, words in VARIANTS.items():
                    options = ["--size", str(size), "--backend", backend]
                    options += ["--threads", "1"] if backend == "cpu" else []
                    row, build = timed_row(weft, ["hanging"], options + words, frames)
                    if variant not in best or row["ms_per_frame"] < best[variant]["ms_per_frame"]:
                        best[variant] = row
            for variant, row in best.items():
                rows.append({"case": "cost, " + backend, "size": size, "variant": variant} | row)
                print(backend, size, variant, "%.1f ms" % row["ms_per_frame"], flush=True)
    return build


def files(weft, rows, folder, names, variants):
    """Imported garments; --pin and --scale as each needs them."""
    build = None
    for name, words in names:
        for variant in variants:
            options = words + ["--backend", "cpu", "--threads", "1"] + VARIANTS[variant]
            row, build = timed_row(weft, [os.path.join(folder, name)], options, 120)
            row["command"] = row["command"].replace(folder + "/", "")
            rows.append({"case": os.path.basename(name), "variant": variant} | row)
            report(rows[-1])
    return build


def energies(weft, rows, variants, size=24, frames=360):
    """A sheet swings with next to no damping: kinetic and potential energy from its positions."""
    dt, area, build = 1 / 60, 1 / (size - 1) ** 2, None
    masses = [0.128 * area * (0.5 if i % size in (0, size - 1) else 1) *
              (0.5 if i // size in (0, size - 1) else 1) for i in range(size * size)]
    for angle in ("0", "90"):
        for variant in variants:
            with tempfile.TemporaryDirectory() as folder:
                words = ["simulate", "hanging", "--angle", angle, "--size", str(size), "--damping",
                         "1e-6", "--backend", "cpu", "--threads", "1", "--frames", str(frames)]
                words += VARIANTS[variant]
                summary, _ = run([weft] + words + ["-o", os.path.join(folder, "f-%04d.obj")])
                build = summary["build"]
                states = [read_obj(os.path.join(folder, "f-%04d.obj" % f))[0]
                          for f in range(1, frames + 1)]
            row = {"case": "energy, angle " + angle, "size": size, "variant": variant,
                   "command": " ".join(["weft"] + words), "time_s": [], "kinetic_J": [],
                   "potential_J": []}
            for f in range(1, frames - 1, 4):
                a, b, c = states[f - 1], states[f], states[f + 1]
                row["time_s"].append(round((f + 1) * dt, 4))
                row["kinetic_J"].append(sum(
                    0.5 * m * sum((q - p) ** 2 for p, q in zip(u, w)) / (2 * dt) ** 2
                    for m, u, w in zip(masses, a, c)))
                row["potential_J"].append(sum(m * 9.81 * (p[1] - 1.6) for m, p in zip(masses, b)))
            rows.append(row)
            total = [k + p for k, p in zip(row["kinetic_J"], row["potential_J"])]
            print(row["case"], variant, "first %.4f J, last %.4f J, kinetic at last %.2e J, "
                  "largest rise %.2e J" % (total[0], total[-1], row["kinetic_J"][-1],
                                           max(b - a for a, b in zip(total, total[1:]))), flush=True)
    return build


def report(row):
    print(row["case"], row.get("size", ""), row["variant"], row.get("substeps"),
          "yarn %.3f %%" % (100 * row["yarn_p99"]) if "yarn_p99" in row else "",
          "p99 %.3f %%  low %.4f  %.1f ms" % (100 * row.get("strain_p99", float("nan")),
                                            row.get("low_m", float("nan")), row["ms_per_frame"]),
          "stopped" if row.get("stopped") else "", flush=True)


GARMENTS = [("garments/dedo_apron_2_dense.obj", []), ("cloth/cipc_skirt4K.obj", [])]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set")
    parser.add_argument("--weft", default="build/weft")
    parser.add_argument("--out")
    parser.add_argument("--only", help="sizes, commas between")
    parser.add_argument("--meshes", default="../shared/meshes")
    args = parser.parse_args()
    rows, build = [], None
    if args.set == "cost":
        build = cost(args.weft, rows)
    elif args.set == "energy":
        build = energies(args.weft, rows, ("plain", "both"))
    elif args.set == "garments":
        build = files(args.weft, rows, args.meshes, GARMENTS, ("plain", "lra"))
    elif args.set == "lines-garments":
        build = files(args.weft, rows, args.meshes, GARMENTS, ("4 lines", "4 lines and attachments"))
    elif args.set == "lines-energy":
        build = energies(args.weft, rows, ("lines and attachments",))
    else:
        for label, words, size, variant, options, frames in cases(args.set):
            if args.only and str(size) not in args.only.split(","):
                continue
            grid = words[0] != "skirt" and args.set.startswith("scenes")
            row, build = timed_row(args.weft, words, options, frames, grid)
            rows.append({"case": label, "size": size, "variant": variant} | row)
            report(rows[-1])
    out = args.out or "docs/benchmarks/stretch-%s.json" % args.set
    with open(out, "w") as file:
        json.dump({"build": build, "note": "processor time, one thread, shared machine",
                   "rows": rows}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
