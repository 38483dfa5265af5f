#!/usr/bin/env python3
"""What the installed libraries show: exactly the functions that the headers of their shelves declare, as functions, and
nothing more, shared and static. Usage: symbols.py PREFIX"""
import pathlib
import re
import subprocess
import sys

LIBRARIES = {"weft-core": ["weft"], "weft-gl": ["weft", "weft_gl"], "weft": ["weft", "weft_gl", "weft_kit"]}
OF_SANITIZERS = re.compile(r"__(odr_)?(asan|ubsan|sanitizer)")


def statements_of(text):
    """Declarations at file scope of a header, one at a time."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)
    text = text.replace('extern "C" {', " ")
    while re.search(r"\{[^{}]*\}", text):  # members and enumerators
        text = re.sub(r"\{[^{}]*\}", " ", text)
    return [" ".join(statement.split()) for statement in text.split(";")]


def functions_of(folder):
    """Names with WEFT_API; and prototypes without, which a shared library would not have."""
    public, bare = set(), []
    for header in sorted(folder.glob("*.h")):
        for statement in statements_of(header.read_text()):
            prototype = re.match(r"(WEFT_API )?(?!typedef|static|_Static)[\w\s*]*?\b(weft_\w+) ?\(", statement)
            if prototype and prototype[1]:
                public.add(prototype[2])
            elif prototype:
                bare.append(f"{header.name}: {prototype[2]} has no WEFT_API in front")
    return public, bare


def symbols_of(library):
    options = ["-D"] if ".so" in library.name else ["-g"]
    lines = subprocess.run(["nm", "-P", "--defined-only", *options, library], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in lines.splitlines() if len(line.split()) > 1]
    return {name: kind for name, kind, *_ in rows if not OF_SANITIZERS.match(name)}


def main(prefix):
    headers = {path.name: path for path in prefix.glob("include/weft*")}
    declared = {shelf: functions_of(path) for shelf, path in headers.items()}
    wrong = [line for _, bare in declared.values() for line in bare]
    checked = 0
    for name, shelves in LIBRARIES.items():
        public = set().union(*(declared[shelf][0] for shelf in shelves if shelf in declared))
        for library in sorted([*prefix.rglob(f"lib{name}.so"), *prefix.rglob(f"lib{name}.a")]):
            shown = symbols_of(library)
            wrong += [f"{library.name} lacks {symbol}" for symbol in sorted(public - shown.keys())]
            wrong += [f"{library.name} shows {symbol}, which is not public" for symbol in sorted(shown.keys() - public)]
            wrong += [f"{library.name}: {symbol} is no function" for symbol, kind in sorted(shown.items()) if kind != "T"]
            print(f"{library.name} shows {len(shown)} functions")
            checked += 1
    if not checked or not declared.get("weft", [set()])[0]:
        wrong.append(f"no library or no header in {prefix}")
    print("\n".join(wrong[:40]), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
