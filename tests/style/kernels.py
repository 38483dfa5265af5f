#!/usr/bin/env python3
"""The arithmetic of kernels: one operation on numbers a statement, and its result is `precise`, so that no compiler may
fuse or reorder it. Integers are free. And barriers of shaders order memory. Argument: the project's folder."""
import glob
import os
import re
import sys

os.chdir(sys.argv[1])
complaints = []


def without_comments(text):
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r"//[^\n]*", blank, re.sub(r"/\*.*?\*/", blank, text, flags=re.S))


def operations(statement):
    """Binary + - * and /; a sign is none."""
    bare = re.sub(r"\b\d+\.\d*(e[-+]?\d+)?", "1", statement)
    return re.findall(r"(?<=[\w)\]])\s*([-+*/])=?\s*(?=[\w(&-])", bare)


def check_statement(path, line, statement, precise, integers):
    found = operations(statement)
    target = re.match(r"(?:(precise)\s+)?(?:(real[34]?|int|uint|bool|mask)\s+)?([\w.]+)\s*=[^=]", statement)
    name = target.group(3) if target else None
    if target and target.group(2) in ("int", "uint"):
        integers.add(name)
    if target and target.group(1):
        precise.add(name)
    if not found or name in integers or "INT(" in statement or re.match(r"return (cell|back|\(x \^ y)", statement):
        return
    if len(found) > 1:
        complaints.append(f"{path}:{line}: more than one operation in a statement: {statement}")
    elif name not in precise:
        complaints.append(f"{path}:{line}: the result of an operation is not precise: {statement}")


checked = 0
for path in sorted(glob.glob("shaders/kernels/*.h")):
    if os.path.basename(path).startswith("lang_"):
        continue
    text = without_comments(open(path).read())
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    precise, integers = set(), set()
    start = 0
    for end in (match.start() for match in re.finditer(r"[;{}]", text)):
        statement = " ".join(text[start:end].split())
        line = text.count("\n", 0, start + len(text[start:end]) - len(text[start:end].lstrip())) + 1
        start = end + 1
        if statement.startswith("KERNEL "):
            precise, integers = set(), set()
            integers.update(re.findall(r"\bu?int (\w+)", statement))
        elif statement:
            checked += bool(operations(statement))
            check_statement(path, line, statement, precise, integers)

# Of GLSL 4.30 barrier() alone does not clearly order memory, shared or not.
waits = 0
for path in sorted(glob.glob("shaders/**/*", recursive=True)):
    lines = open(path).read().splitlines() if os.path.isfile(path) else []
    for k, line in enumerate(lines):
        if not re.search(r"\bbarrier\(\);", line):
            continue
        waits += 1
        if "memoryBarrier" not in lines[k - 1]:
            complaints.append(f"{path}:{k + 1}: barrier() without memoryBarrierShared() or memoryBarrierBuffer() before it")
if waits < 5:
    complaints.append(f"only {waits} barriers were found: this check looks at nothing")

if checked < 100:
    complaints.append(f"only {checked} operations were found: this check looks at nothing")
print("\n".join(complaints) if complaints else f"{checked} operations, each precise and alone in its statement")
sys.exit(1 if complaints else 0)
