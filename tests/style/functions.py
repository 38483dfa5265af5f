#!/usr/bin/env python3
"""No function is longer than 60 lines, from its head to its closing brace, in C, C++ and GLSL; nor is a macro.
Arguments: the project's folder, and how many of the longest to print."""
import glob
import os
import re
import sys

MOST = 60
LEAST_FOUND = 5000
KINDS = (".c", ".h", ".cpp", ".comp", ".vert", ".frag", ".glsl")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def without_comments(text):
    """Of comments, strings and characters only the lines are left."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


MACRO = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", flags=re.M)


def macros(text):
    for match in MACRO.finditer(text):
        name = re.match(r"[ \t]*#[ \t]*define[ \t]+(\w+)", match.group())
        if name:
            yield match.group().count("\n") + 1, text.count("\n", 0, match.start()) + 1, name.group(1)


def functions(text):
    """A head stands at the margin, its closing brace too; what is indented goes on."""
    lines = MACRO.sub(blank, text).split("\n")
    for first, line in enumerate(lines):
        if not re.match(r"[A-Za-z]", line):
            continue
        body = first
        while body + 1 < len(lines) and not re.search(r"[;{]", lines[body]) and not re.match(r"\S", lines[body + 1]):
            body += 1
        head, brace, rest = "\n".join(lines[first:body + 1]).partition("{")
        name = re.search(r"PASS\((\w+)", head) or re.search(r"(\w+)\s*\(", head)
        outside = head
        while (shorter := re.sub(r"\([^()]*\)", "", outside)) != outside:
            outside = shorter
        if not brace or not name or re.search(r"[=;,)]", outside) or not re.search(r"\)\s*(const)?\s*$", head):
            continue
        end = body
        while not (rest.rstrip().endswith("}") and end == body) and end + 1 < len(lines):
            end += 1
            if lines[end].startswith("}"):
                break
        yield end - first + 1, first + 1, name.group(1)


def main():
    os.chdir(sys.argv[1])
    found = []
    for path in sorted(p for folder in ("src", "shaders") for p in glob.glob(folder + "/**/*", recursive=True)):
        if path.endswith(KINDS):
            with open(path, encoding="utf-8") as file:
                text = without_comments(file.read())
            found += [(lines, path, line, name) for lines, line, name in [*functions(text), *macros(text)]]
    found.sort(reverse=True)
    for lines, path, line, name in found[: int(sys.argv[2]) if len(sys.argv) > 2 else 0]:
        print("%4d %s:%d: %s" % (lines, path, line, name))
    long = [f for f in found if f[0] > MOST]
    for lines, path, line, name in long:
        print("%s:%d: %s has %d lines, %d are allowed: split it at a seam" % (path, line, name, lines, MOST))
    if len(found) < LEAST_FOUND:
        print("only %d functions and macros were found: this check looks at nothing" % len(found))
    elif not long:
        print("%d functions and macros, the longest of %d lines" % (len(found), found[0][0]))
    return 1 if long or len(found) < LEAST_FOUND else 0


if __name__ == "__main__":
    sys.exit(main())
