"""random_options.py WEFT RUNS [SEED]: option sets drawn at random, each held against the reference in every bit.

One seed a run, which is printed and draws the same options again. Two of three runs are of cloth
that touches itself or a body, which simulate says first; what does not is drawn anew. The backends cpu and gl take turns; the slower
gl is compared over one substep, pass by pass, after the frames, and every sixth time over all frames."""
import functools
import random
import re
import secrets
import subprocess
import sys

TOUCHING = ["heap", "wring", "stack", "walk", "knot", "handkerchief"]
OTHERS = ["hanging", "drape", "tumble", "flag", "curtain", "skirt", "poncho", "pleats", "duel"]
SHEETS = ["heap", "stack", "knot", "handkerchief", "hanging", "drape", "tumble", "flag", "curtain", "duel"]


def some(draw, chance, name, *values):
    if draw.random() >= chance:
        return []
    return [name, str(draw.choice(values))] if values else [name]


def draw_options(seed, touches):
    """Scene and options of simulate."""
    draw = random.Random(seed)
    scene = draw.choice(TOUCHING if touches else OTHERS)
    options = [scene, "--size", str(draw.choice([8, 12, 16]))]
    options += ["--substeps", str(draw.choice([8, 12, 20]))] + (["--plain"] if draw.random() < 0.5 else [])
    options += some(draw, 0.2, "--iterations", 2, 3)
    options += some(draw, 0.4, "--fabric", "denim", "tshirt", "ribknit", "jacket", "inextensible")
    options += some(draw, 0.3, "--bending", "isometric", "dihedral", "across", "none", "mixed")
    options += some(draw, 0.3, "--friction", 0, 0.2, 0.9)
    options += some(draw, 0.2, "--damping", 0, 0.5, 3)
    options += some(draw, 0.2, "--air-density", 0, 1.2)
    options += some(draw, 0.2, "--wind", "3,0,1", "0,2,-4")
    options += some(draw, 0.2, "--line-sweeps", 0, 1, 2)
    options += some(draw, 0.2, "--multilevel", 0, 2, 24) if scene in SHEETS else []
    options += some(draw, 0.2, "--lra", 0, 1, 4)
    patterns = ["same", "alternating"] + ([] if "--multilevel" in options else ["equilateral"])  # levels are of rectangles
    options += some(draw, 0.2, "--pattern", *patterns) if scene in SHEETS else []
    options += some(draw, 0.2, "--schedule", "colours", "patches")
    options += some(draw, 0.2, "--seed", 2, 3)
    if touches:
        options += ["--self-collision", "on", "--gravity", draw.choice(["0,-30,0", "3,-25,-2", "-4,-40,1"])]
        options += ["--frames", str(draw.choice([20, 30]))]
        options += some(draw, 0.3, "--self-iterations", 0, 1, 8)
        options += some(draw, 0.3, "--self-steps", 3, 7, 20)
        options += some(draw, 0.2, "--self-static", 0, 1.5)
        options += some(draw, 0.2, "--layers", 3, 6) if scene == "stack" else []
        options += some(draw, 0.2, "--self-thickness", 0.002, 0.006)
    else:
        options += ["--frames", str(draw.choice([3, 6]))]
        options += some(draw, 0.3, "--mode", "gs", "jacobi", "hybrid")
        options += some(draw, 0.2, "--method", "pbd")
        options += some(draw, 0.2, "--self-collision", "off")
        options += some(draw, 0.2, "--compensated", "on")
        options += some(draw, 0.2, "--collide-each-iteration")
    return options


def call(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=600)


def touched(text):
    """Whether simulate's summary has pairs, or motions that were cut."""
    return any(int(n.replace(",", "")) for n in re.findall(r"([\d,]+) (?:pairs? of|motions? cut)", text))


def run(weft, seed, turn):
    """One seed: what came of it, and the options it drew."""
    touches = turn % 3 != 0
    options = draw_options(seed, touches)
    first = call(weft, "simulate", *options, "--backend", "cpu", "--log-level", "error")
    if first.returncode == 2:
        return "refused", options, first.stderr
    if touches and not touched(first.stdout):
        return "apart", options, ""
    backend = "cpu" if turn % 2 == 0 or not have_gl(weft) else "gl"
    options += ["--backend", backend]
    options += ["--level", "substep"] if backend == "gl" and turn % 6 != 1 else []
    proof = call(weft, "validate", *options, "--log-level", "error")
    verdict = {0: "equal", 2: "refused"}.get(proof.returncode, "different")
    return verdict, options, proof.stdout + proof.stderr


@functools.cache
def have_gl(weft):
    return "probe: exact" in call(weft, "info").stdout


def main():
    weft, runs = sys.argv[1], int(sys.argv[2])
    seeds = [int(text) for text in sys.argv[3:]]
    done, drawn, different = 0, 0, 0
    while done < runs and drawn < 5 * runs:
        seed = seeds[drawn] if drawn < len(seeds) else secrets.randbelow(1 << 32)
        verdict, options, text = run(weft, seed, done)
        drawn += 1
        print("seed %-10d turn %-3d %-9s weft validate %s" % (seed, done, verdict, " ".join(options)), flush=True)
        done += verdict in ("equal", "different")
        if verdict == "different":
            different += 1
            print("\n".join("    " + line for line in text.strip().splitlines()[-12:]))
        if verdict == "refused":
            print("    " + (text.strip().splitlines() or ["without a word"])[-1])
    print("%d of %d runs, %d different; %d drawn" % (done, runs, different, drawn))
    return 1 if different or done < runs else 0


sys.exit(main())
