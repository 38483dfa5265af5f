#!/usr/bin/env python3
"""Runs every mesh of a folder through `weft simulate` and prints a table: what came in, what came out, what was mended, what is held.

    scripts/meshes.py FOLDER [--weft PROGRAM] [--frames N] [--seconds N] [-- OPTIONS OF SIMULATE]

A unit that weft itself suggests is taken. Ends with status 1 where a file crashed weft, took longer than --seconds, or lost vertices, faces
or texture coordinates on the way. Files that weft refuses are rows with its sentence. Motions (.pc2, .mdd) are left out.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ENDINGS = (".obj", ".ply", ".off", ".stl", ".gltf", ".glb", ".dae", ".fbx", ".3ds")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def meshes_of(folder):
    for where, folders, files in os.walk(folder):
        folders.sort()
        if os.path.basename(where) == "licences":
            continue
        for name in sorted(files):
            if name.lower().endswith(ENDINGS) or "." not in name or "hostile" in where.split(os.sep):
                yield os.path.join(where, name)


def lines_of(path):
    """How many vertices, faces and texture coordinates an OBJ file has."""
    count = {"v": 0, "f": 0, "vt": 0}
    with open(path, "rb") as file:
        for line in file.read().replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").splitlines():
            word = line.split(None, 1)[0] if line.strip() else b""
            if word in (b"v", b"f", b"vt"):
                count[word.decode()] += 1
    return count


def counts_of(path):
    """How many vertices and faces a file says it has, as far as a glance tells; None where it does not."""
    if path.lower().endswith(".obj"):
        return lines_of(path)
    head = open(path, "rb").read(4000).decode("latin-1")
    if path.lower().endswith(".ply"):
        found = {what: field(r"^element %s (\d+)\s*$" % what, head) for what in ("vertex", "face")}
    elif path.lower().endswith(".off"):
        numbers = re.match(r"OFF\s+(\d+)\s+(\d+)\s", head)
        found = {"vertex": numbers.group(1), "face": numbers.group(2)} if numbers else {"vertex": "", "face": ""}
    else:
        return None
    return {"v": int(found["vertex"]), "f": int(found["face"]), "vt": None} if all(found.values()) else None


def run(weft, path, out, seconds, options):
    command = [weft, "simulate", "--mesh", path, "-o", out] + options
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, "", "took longer than %g s" % seconds
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def field(pattern, text, otherwise=""):
    found = re.search(pattern, text, re.M)
    return found.group(1) if found else otherwise


def short(sentence, path):
    sentence = sentence.replace(path, os.path.basename(path))
    sentence = re.sub(r"^weft( simulate)?: ", "", sentence)
    return sentence if len(sentence) <= 150 else sentence[:147] + "..."


def row_of(weft, folder, path, work, seconds, options):
    """A row, and whether something is wrong with weft."""
    out = os.path.join(work, "out.obj")
    if os.path.exists(out):
        os.remove(out)
    unit = "m"
    status, said, complained = run(weft, path, out, seconds, options)
    suggested = field(r"--unit (\w+) makes it", complained)
    if suggested and "--unit" not in options:
        unit = suggested
        status, said, complained = run(weft, path, out, seconds, options + ["--unit", unit])
    warnings = [short(line, path) for line in complained.splitlines() if line.strip()]
    bad = status is None or status < 0 or status >= 64 or status == 1
    came = {"v": "", "f": "", "vt": ""}
    went = dict(came)
    if status == 0:
        went = lines_of(out)
        counts = counts_of(path)
        if counts:
            came = {what: went[what] if counts[what] is None else counts[what] for what in counts}
            bad = bad or came != went
    mended = field(r"^  mended +(.*)", said).replace(" vertices", "").replace(" vertex", "").replace(" faces", "").replace(" face", "")
    name = os.path.relpath(path, folder)
    print("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |" % (
        name, unit if status == 0 else "", arrow(came, went, "v"), field(r": ([\d,]+) particle", said), arrow(came, went, "f"),
        arrow(came, went, "vt"), mended, field(r"\(([\d,]+) pinned\)", said), field(r"p99 ([\d.e+-]+ %), max", said),
        ("BAD: " if bad else "") + "%s" % status + ("".join(": " + w for w in warnings[:1]) if warnings else "") +
        (" (%d more)" % (len(warnings) - 1) if len(warnings) > 1 else "")), flush=True)
    return bad


def arrow(came, went, what):
    if came[what] == went[what]:
        return str(went[what])
    return "%s → %s" % (came[what] if came[what] != "" else "?", went[what])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--weft", default=os.path.join(ROOT, "build", "release", "weft"))
    parser.add_argument("--frames", default="5")
    parser.add_argument("--seconds", type=float, default=60, help="that a file may take. Default: 60")
    own = sys.argv[1:]
    options = own[own.index("--") + 1:] if "--" in own else []
    o = parser.parse_args(own[:own.index("--")] if "--" in own else own)
    if not os.access(o.weft, os.X_OK) or not os.path.isdir(o.folder):
        sys.exit("meshes.py: no program %s, or no folder %s" % (o.weft, o.folder))
    print("| file | unit | vertices | particles | faces | vt | mended | pinned | strain p99 | status |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    wrong = files = 0
    with tempfile.TemporaryDirectory() as work:
        for path in meshes_of(o.folder):
            files += 1
            wrong += row_of(o.weft, o.folder, path, work, o.seconds, ["--frames", o.frames, "--backend", "cpu"] + options)
    print("\n%d files, %d wrong" % (files, wrong))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
