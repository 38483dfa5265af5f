#!/usr/bin/env python3
"""Words that were given up for those of the field may not come back: in names, comments, messages and docs.
Arguments: the project's folder."""
import pathlib
import re
import sys

RETIRED = {  # pattern: what is said instead
    r"further looks?": "redetection",
    r"self_looks?(?!\")\b": "self_detection",
    r"start_look": "start_check",
    r"stragglers?": "particles to redetect",
    r"(self_)?outlooks?": "culling bound",
    r"shares? of (its|their|a) motions?": "step fraction",
    r"weft_(mesh_)?part_layers": "weft_mesh_separate_layers",
    r"\w*take_state": "weft_solver_copy_state_from",
    r"\w*repinned": "weft_model_with_pins",
    r"\w*params_hold_strain": "weft_params_choose_for_strain",
    r"weft_source_mark\w*": "weft_source_select",
    r"weft_loosen\w*": "weft_untangle",
    r"weft_dress\w*": "weft_fit",
    r"weft_cache_\w+": "weft_export_",
    r"\w*furnish\w*": "environment",
    r"weft_cli_(doubt|spare)\w*": "weft_cli_warn, weft_cli_protect",
    r"weft_demo_sign\w*": "weft_demo_prompt",
    r"self_(aim|push|keep|enter|leave|limit|judge|hold|fine|star|ahead|depart|span)": "the name of the pass",
    r"SELF_(SHARES|MARKS|KEPT|HEADS|BESIDE|MEETS|CLOSE|ASKED|SHAPES|SIZES)": "the name of the buffer",
}
SUFFIXES = {".c", ".h", ".cpp", ".def", ".comp", ".glsl", ".sh", ".py", ".md", ".txt", ".cmake", ".tsv", ".patch"}
FOLDERS = ("src", "shaders", "include", "tests", "docs", "scripts", "cmake", "examples")


def files(root):
    yield from (root / name for name in ("README.md", "CONTRIBUTING.md", "CMakeLists.txt"))
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and "benchmarks" not in path.parts and path.name != "words.py":
                yield path


def main(root):
    any_of = re.compile(r"(?<![A-Za-z0-9_])(?:" + "|".join(f"(?P<w{k}>{p})" for k, p in enumerate(RETIRED)) + r")(?![A-Za-z0-9_])")
    failed = 0
    for path in files(root):
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            for hit in any_of.finditer(line):
                instead = list(RETIRED.values())[int(hit.lastgroup[1:])]
                print(f'{path.relative_to(root)}:{number}: "{hit[0]}" is retired, say: {instead}')
                failed += 1
    return 1 if failed else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
