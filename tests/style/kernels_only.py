#!/usr/bin/env python3
"""Where things may be: the arithmetic of passes in shaders/kernels alone, and what is special about a type of constraint
in its own files. Argument: the project's folder."""
import glob
import os
import re
import sys

os.chdir(sys.argv[1])
complaints = []

# Roots and products of vectors: no projection, test of a shape or law of drag does without.
ARITHMETIC = re.compile(
    r"\b(exact_(?:rsqrt|rcp|dot|cross|atan2)|rsqrt\w*|inversesqrt|sqrtf?|normalize|dot|cross|length|"
    r"weft_v3_(?:dot|cross|length))\s*\(")
FOLDERS = ["shaders/passes/*.h", "shaders/solver/*", "src/solver_ref/*", "src/solver_gl/*.[ch]", "src/solver_f64/*",
          "src/solver_cpu/*.[ch]"]
ALLOWED = {
    "shaders/solver/probe.comp": "asks the driver for these very results",
    "src/solver_gl/probe.c": "asks the driver for these very results",
    "src/solver_f64/double.h": "the kernels' roots in doubles",
    "src/solver_cpu/shapes.c": "bounds of shapes, and their axes",
}
# Vectors of the backend cpu: fast paths, each tested against the kernels.
FAST_PATHS = re.compile(r"src/solver_cpu/lanes_\w+\.[ch]$")


def without_comments(text):
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", blank, re.sub(r"/\*.*?\*/", blank, text, flags=re.S))


looked = 0
for path in sorted(path for pattern in FOLDERS for path in glob.glob(pattern)):
    looked += 1
    if path in ALLOWED or FAST_PATHS.match(path):
        continue
    text = without_comments(open(path).read())
    for match in ARITHMETIC.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        complaints.append(f"{path}:{line}: {match.group(1)}: the arithmetic of passes belongs in shaders/kernels")
if looked < 60:
    complaints.append(f"only {looked} files were found: this check looks at nothing")
for path in ALLOWED:
    if not os.path.exists(path):
        complaints.append(f"{path} is allowed arithmetic, but is not there")

# A type of constraint is named where it is described, chosen and computed.
MAX_FILES = 10
named = []
for folder, _, files in os.walk("."):
    if re.match(r"\./(src|include|shaders)\b", folder) and not re.match(r"\./src/(scenes|physics)\b", folder):
        paths = [os.path.join(folder, name) for name in files]
        named += [path for path in paths if "dihedral" in open(path, errors="replace").read().lower()]
if not 3 <= len(named) <= MAX_FILES:
    complaints.append(f"dihedral is named in {len(named)} files, {MAX_FILES} are allowed: {' '.join(sorted(named))}")

print("\n".join(complaints) if complaints else f"{looked} files without arithmetic; dihedral in {len(named)} files")
sys.exit(1 if complaints else 0)
