#!/usr/bin/env python3
"""Searches the cheapest setting that holds strain, case by case, beside what the program chooses: the ground of docs/max-strain.md.

    scripts/strain_rule.py [TABLE] [--weft PROGRAM] [--meshes FOLDER] [--only WORD,...] [--cuts N,...] [--fabrics NAME,...]

Writes TABLE, docs/benchmarks/strain-rule.tsv by default, a row a case, as soon as it is known; rows that are there are not run
again, so that a search goes on where it stopped, and --again times and looks anew at the rule and the cheapest setting of each.
A case is garment/cuts/how/fabric, or scene/size/scene/fabric: a garment of FOLDER (or $WEFT_MESH_DIR), each triangle cut in four so
many times, up to --most particles, and
    held     by --pin top, let go
    ball     the same, and a ball pushes its lower part from the front
    ground   falls free on the ground
    sphere   falls free on a ball on the ground
Held means that p99 of strain, every tenth of --frames looked at, is at most a hundredth above what the fabric takes by itself: under its
own weight, as the program has it; where it does more than hang, or cannot be held to that, in steps far finer than any that are chosen.
Settings are substeps, iterations, line sweeps, levels and attachments: s47 i1 l0 m0 a1. For each of the last four the substeps
are halved down to the fewest that hold it, where they are quicker than the best so far; at first three times the rule's time. Strain
is taken to fall with substeps. "runs" are those it took: fewer than 25 are a search of substeps alone (--quick). Seconds are user time of `weft simulate` on one thread of the backend cpu without self-collision, the
least of three. "least" are the fewest substeps that hold it with all else as the rule has it, on a ladder of 10 %.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GARMENTS = {
    "tshirt": ("diffcloth_tshirt1900.obj", ["--unit", "dm"]),
    "skirt": ("diffcloth_skirt2011.obj", []),
    "elegantsuit": ("makehuman_female_elegantsuit01.obj", ["--unit", "dm"]),
    "casualsuit": ("makehuman_male_casualsuit04.obj", ["--unit", "dm"]),
    "worksuit": ("makehuman_male_worksuit01.obj", ["--unit", "dm", "--attach", "off"]),
    "fedora": ("makehuman_fedora.obj", ["--unit", "dm"]),
    "apron": ("dedo_apron_2_dense.obj", ["--scale", "0.1"]),
}
SCENES, SIZES = ["hanging", "drape", "flag", "tumble", "curtain"], [64, 128, 256, 512]
KINDS = ["held", "ball", "ground", "sphere"]
FABRICS = ["tablecloth", "tshirt", "denim", "jacket", "inextensible"]  # tshirt is the softest along threads, inextensible the stiffest
HANGS = ["held", "hanging"]
FINE = {True: (200, 1, 2, 0), False: (1000, 1, 0, 0)}  # of grids, and of other meshes
LADDER = sorted({round(5 * 1.1 ** k) for k in range(56)} | {1000})
COLUMNS = ["case", "particles", "limit_%", "cheapest", "s", "p99_%", "last_%", "rule", "rule_s", "rule_p99_%", "rule_last_%", "ratio",
           "least", "runs", "commit"]


# ---- cases ----

def cut(source, target):
    """Cuts each triangle of OBJ text in four; polygons become fans first. Gives the number of vertices."""
    vertices, faces, middles = [], [], {}
    for line in open(source):
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            at = [int(word.split("/")[0]) for word in words[1:]]
            at = [i - 1 if i > 0 else len(vertices) + i for i in at]
            faces += [(at[0], at[k], at[k + 1]) for k in range(1, len(at) - 1)]

    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in middles:
            middles[key] = len(vertices)
            vertices.append([(x + y) / 2 for x, y in zip(vertices[a], vertices[b])])
        return middles[key]

    with open(target, "w") as out:
        quarters = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            quarters += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        out.writelines("v %.9g %.9g %.9g\n" % tuple(v) for v in vertices)
        out.writelines("f %d %d %d\n" % tuple(i + 1 for i in f) for f in quarters)
    return len(vertices)


def box_of(path, unit):
    factor = {"--unit": 0.1, "--scale": 0.1}[unit[0]] if unit else 1
    rows = [[factor * float(x) for x in line.split()[1:4]] for line in open(path) if line.startswith("v ")]
    return [min(x) for x in zip(*rows)], [max(x) for x in zip(*rows)]


def how(kind, box):
    """Options of what holds it and what it meets. The ball is a quarter of its size across."""
    low, high = box
    size = max(b - a for a, b in zip(low, high))
    middle, radius = [(a + b) / 2 for a, b in zip(low, high)], size / 8
    if kind == "held":
        return ["--pin", "top"]
    if kind == "ball":
        start = high[2] + 1.2 * radius
        return ["--pin", "top", "--collider", "sphere:%g,%g,%g,%g" % (middle[0], low[1] + (high[1] - low[1]) / 4, start, radius),
                "--collider-key", "0,0,0,0", "--collider-key", "1,0,0,%g" % (middle[2] - start)]
    if kind == "ground":
        return ["--pin", "none", "--ground", "on"]
    top = low[1] - 0.01 * size
    return ["--pin", "none", "--ground", "%g" % (top - 2 * radius), "--collider",
            "sphere:%g,%g,%g,%g" % (middle[0], top - radius, middle[2], radius)]


def cases_of(args, folder):
    """Names and options, the quick ones first. Meshes that are cut lie in folder."""
    for cuts in args.cuts:
        for name, (file, unit) in GARMENTS.items():
            path = os.path.join(args.meshes, "garments", file)
            for kind in KINDS:
                for fabric in args.fabrics:
                    case = "%s/%d/%s/%s" % (name, cuts, kind, fabric)
                    if args.only and not all(any(word in case for word in group.split("|")) for group in args.only):
                        continue
                    options = mesh_of(path, name, cuts, folder, args.most)
                    if options:
                        yield case, [options] + unit + how(kind, box_of(path, unit)) + ["--fabric", fabric]
    for size in SIZES:
        for scene in SCENES:
            for fabric in args.fabrics:
                case = "%s/%d/scene/%s" % (scene, size, fabric)
                if not args.only or all(any(word in case for word in group.split("|")) for group in args.only):
                    yield case, [scene, "--size", str(size), "--fabric", fabric]


def mesh_of(path, name, cuts, folder, most):
    for k in range(1, cuts + 1):
        finer = os.path.join(folder, "%s-%d.obj" % (name, k))
        if not os.path.exists(finer) and cut(path, finer) > most:
            return None
        path = finer
    return path


# ---- runs ----

class Case:
    """What was run of one case: setting -> (seconds, p99, last)."""

    def __init__(self, args, name, options, limit):
        self.command = [args.weft, "simulate"] + options + ["--frames", str(args.frames), "--threads", "1", "--backend", "cpu",
                                                            "--self-collision", "off", "--log-level", "error"]
        self.seen = {}
        self.json, _ = self.run([])
        strain = self.json["max_strain"]
        chosen = strain["chosen"]
        self.own, self.limit = strain["own_weight"], strain["own_weight"] + 0.01
        self.rule = (chosen["substeps"], chosen["iterations"], chosen["line_sweeps"], min(chosen["multilevel"], 24), chosen["lra"])
        self.pinned = self.json["pinned"] > 0
        self.levels = (0, 24) if "scene" in name.split("/") else (0,)  # of grids
        if limit:
            self.limit = limit
            return
        fabric = self.look(FINE["scene" in name.split("/")] + self.rule[4:])[1]
        if fabric > self.limit or not set(HANGS) & set(name.split("/")):
            self.limit = max(self.limit, fabric + 0.01)

    def run(self, options):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            child = subprocess.Popen(self.command + options + ["--json", out.name], stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = status
            if os.waitstatus_to_exitcode(status) not in (0, 5):
                sys.exit("status %d: %s" % (os.waitstatus_to_exitcode(status), " ".join(self.command + options)))
            text = open(out.name).read()
            return (json.loads(text) if text else None), used.ru_utime

    def options(self, setting):
        substeps, iterations, lines, levels, attachments = setting
        given = ["--max-strain", "%.9g" % min(self.limit, 0.5), "--substeps", str(substeps), "--iterations", str(iterations), "--line-sweeps",
                 str(lines), "--multilevel", str(levels), "--lra", str(attachments)]
        if attachments and self.own > 0:
            given += ["--lra-slack", "%.9g" % self.own]
        if levels:
            given += ["--multilevel-sweeps", "1"] + (["--multilevel-slack", "%.9g" % self.own] if self.own > 0 else [])
        return given

    def look(self, setting, again=False):
        if again or setting not in self.seen:
            summary, seconds = self.run(self.options(setting))
            strain = summary and summary["max_strain"]
            finite = strain and strain["looks"] > 0 and summary["metrics"]["nonfinite"] == 0
            before = self.seen.get(setting, (1e9,))[0]
            self.seen[setting] = (min(before, seconds), strain["reached"] if finite else 9.99, strain["last"] if finite else 9.99)
        return self.seen[setting]

    def holds(self, setting):
        return self.look(setting)[1] <= self.limit

    def affordable(self, family, budget):
        """The most substeps of the ladder that take no longer than budget, by two runs; 0 where none do."""
        first = LADDER[0]
        t0 = self.look((first,) + family)[0]
        if t0 > budget:
            return 0
        second = max((n for n in LADDER if n * t0 <= first * budget), default=first)
        t1 = self.look((second,) + family)[0]
        each = max((t1 - t0) / (second - first), 1e-6) if second > first else t0 / first
        return max((n for n in LADDER if t0 + (n - first) * each <= budget), default=first)

    def fewest(self, family, most):
        """The fewest substeps up to most that hold it, 0 where most do not."""
        steps = [n for n in LADDER if n <= most]
        if not steps or not self.holds((steps[-1],) + family):
            return 0
        low, high = -1, len(steps) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.holds((steps[middle],) + family) else (middle, high)
        return steps[high]

    def search(self, attachments, iterations, quick):
        budget, best, least = 3 * self.look(self.rule)[0], None, 0
        kinds = [(i, l, m, a) for l in (0, 1, 2, 4) for i in iterations for m in self.levels
                 for a in (attachments if self.pinned else [0])]
        for family in [self.rule[1:]] if quick else sorted(kinds, key=lambda f: f != self.rule[1:]):
            substeps = self.fewest(family, self.affordable(family, budget))
            if family == self.rule[1:]:
                least = substeps
            if substeps and (best is None or self.look((substeps,) + family)[0] < self.look(best)[0]):
                best = (substeps,) + family
                budget = self.look(best)[0]
        return best, least


def text_of(setting):
    return "s%d i%d l%d m%d a%d" % setting if setting else "-"


def setting_of(text):
    return tuple(int(word[1:]) for word in text.split()) if text != "-" else None


def row_of(name, case, best, least):
    for _ in range(2):
        for setting in {best, case.rule} - {None}:
            case.look(setting, again=True)
    rule, found = case.look(case.rule), case.look(best) if best else None
    percent = lambda x: "%.3f" % (100 * x)
    return [name, str(case.json["particles"]), percent(case.limit), text_of(best)] + \
        (["%.3f" % found[0], percent(found[1]), percent(found[2])] if found else ["-", "-", "-"]) + \
        [text_of(case.rule), "%.3f" % rule[0], percent(rule[1]), percent(rule[2]), "%.2f" % (rule[0] / found[0]) if found else "-",
         str(least or "-"), str(len(case.seen)), case.json["build"]["commit"]]


# ---- the table ----

def read(path):
    rows = {}
    if os.path.exists(path):
        for line in open(path):
            words = line.rstrip("\n").split("\t")
            if line.strip() and not line.startswith("#") and words != COLUMNS:
                rows[words[0]] = words
    return rows


def summary(rows):
    """Markdown: the rule's time over the cheapest's, and its p99 with the limit, a line for each mesh and fabric."""
    lines = {}
    for words in rows.values():
        row = dict(zip(COLUMNS, words))
        name, cuts, kind, fabric = row["case"].split("/")
        cell = "%s: %s/%s" % (row["ratio"], row["rule_p99_%"][:4], row["limit_%"][:4])
        lines.setdefault((name, cuts, fabric, row["particles"]), {})["held" if kind == "scene" else kind] = cell
    print("| cloth | cuts or size | fabric | particles | %s |\n|%s" % (" | ".join(KINDS), "---|" * (4 + len(KINDS))))
    for key, cells in lines.items():
        print("| %s |" % " | ".join(list(key) + [cells.get(kind, "") for kind in KINDS]))


def processor():
    try:
        return [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")][0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def write(path, rows):
    with open(path + ".new", "w") as out:
        out.write("# scripts/strain_rule.py on %s\n" % processor())
        out.writelines("\t".join(words) + "\n" for words in [COLUMNS] + list(rows.values()))
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="?", default=os.path.join(ROOT, "docs", "benchmarks", "strain-rule.tsv"))
    parser.add_argument("--weft", default=os.path.join(ROOT, "build", "release", "weft"))
    parser.add_argument("--meshes", default=os.environ.get("WEFT_MESH_DIR", ""))
    parser.add_argument("--only", type=lambda s: s.split(","), help="cases with all these words in their names; a|b: one of these")
    parser.add_argument("--cuts", type=lambda s: [int(n) for n in s.split(",")], default=[0, 1, 2, 3])
    parser.add_argument("--fabrics", type=lambda s: s.split(","), default=FABRICS, help="default: " + ",".join(FABRICS))
    parser.add_argument("--attachments", type=lambda s: [int(n) for n in s.split(",")], default=[0, 1], help="default: 0,1")
    parser.add_argument("--iterations", type=lambda s: [int(n) for n in s.split(",")], default=[1, 2], help="default: 1,2")
    parser.add_argument("--most", type=int, default=130000, help="particles of a case. Default: 130000")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--quick", action="store_true", help="search substeps alone, with all else as the rule has it")
    parser.add_argument("--again", action="store_true", help="only rows that are there, without a search")
    parser.add_argument("--check", action="store_true", help="whether the program still chooses what the rows that are there say")
    parser.add_argument("--summary", action="store_true", help="run nothing, print the table of docs/max-strain.md")
    args = parser.parse_args()
    rows = read(args.table)
    if args.summary:
        return summary(rows)
    if not os.path.isdir(os.path.join(args.meshes, "garments")):
        parser.error("no garments in \"%s\": give --meshes FOLDER or set WEFT_MESH_DIR" % args.meshes)
    if args.check:
        args.frames = 1
    with tempfile.TemporaryDirectory() as folder:
        for name, options in cases_of(args, folder):
            if args.check:
                chosen = name in rows and text_of(Case(args, name, options, 1).rule)
                if chosen and chosen != rows[name][COLUMNS.index("rule")]:
                    sys.exit("%s: %s is chosen, not %s: measure with --again" % (name, chosen, rows[name][COLUMNS.index("rule")]))
                continue
            if (name in rows) != args.again:
                continue
            old = dict(zip(COLUMNS, rows.get(name, [])))
            case = Case(args, name, options, float(old["limit_%"]) / 100 if old else None)
            if old:
                row = row_of(name, case, setting_of(old["cheapest"]), old["least"])
                row[COLUMNS.index("runs")] = old["runs"]
            else:
                row = row_of(name, case, *case.search(args.attachments, args.iterations, args.quick))
            rows[name] = row
            print("\t".join(rows[name]), flush=True)
            write(args.table, rows)


if __name__ == "__main__":
    main()
