#!/usr/bin/env python3
"""Writes tables of docs/benchmarks/README.md from the files beside it: scripts/benchmark_tables.py [PAGE] [--check]

A table stands between the lines <!-- KIND FILE.json --> and <!-- end -->; KIND is one of those below. What stands there now is replaced.
--check writes nothing; status 1: a table is not that of its file.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True  # nothing into the source
sys.path.insert(0, str(ROOT / "src" / "lab" / "peers"))
import show


def table(columns, rows):
    return ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *("| " + " | ".join(row) + " |" for row in rows)]


def made_by(kept):
    """What a file says of itself."""
    build = kept["build"]
    load = f"{kept['load_before']:.1f}" + (f" before, {kept['load_after']:.1f} after" if "load_after" in kept else " before")
    return [f"Commit {build['commit']}, {build['compiler']}, {build['processor']}, {kept['processors']} processors, load {load}.{show.busy(kept)}", ""]


def defaults(kept):
    """Rows of `weft bench`."""
    rows = [[r["scene"], str(r["size"]), f"{r['particles']:,}", f"{r['constraints']:,}", str(r["substeps"]),
             f"{r['ms_per_frame_median']:.3g} [{r['ms_per_frame_min']:.3g}]", f"{r['processor_ms_per_frame']:.3g}",
             f"{100 * r['strain_threads_p99_max']:.2f} %", r["hash"][2:]] for r in kept["rows"]]
    return made_by(kept) + table(["scene", "size", "particles", "constraints", "substeps", "ms/frame, median [least]", "processor ms",
                                  "strain p99 along threads", "state hash"], rows)


def threads(kept):
    """Rows of scripts/threads.py."""
    rows = [[f"{r['size']}²", f"{r['particles']:,}", f"{r['processor_ms_one']:.3g}", f"{r['processor_ms']:.3g}", f"{r['cost']:.2f}",
             f"{r['quicker']:.2f}"] for r in kept["rows"]]
    return made_by(kept) + table(["cloth", "particles", "processor ms, one thread", f"{kept['threads']} threads", "cost", "quicker by the clock"],
                                 rows)


def peers(kept):
    """Runs of src/lab/peers."""
    return show.tables(kept).rstrip("\n").split("\n")


KINDS = {"defaults": defaults, "threads": threads, "peers": peers}


def written(page):
    """Its text with all tables anew."""
    def one(match):
        kind, name = match[1], match[2]
        if kind not in KINDS:
            sys.exit(f"benchmark_tables.py: {page}: {kind} is none of {', '.join(KINDS)}")
        if not (page.parent / name).exists():
            sys.exit(f"benchmark_tables.py: {page}: no {name} beside it; scripts/benchmark.sh measures it")
        lines = KINDS[kind](json.loads((page.parent / name).read_text()))
        return "\n".join([f"<!-- {kind} {name} -->", *lines, "<!-- end -->"])
    return re.sub(r"<!-- (\w+) (\S+\.json) -->\n.*?<!-- end -->", one, page.read_text(encoding="utf-8"), flags=re.S)


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    if len(words) > 1 or any(word.startswith("-") for word in words):
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    page = pathlib.Path(words[0] if words else ROOT / "docs" / "benchmarks" / "README.md").resolve()
    text = written(page)
    if "--check" in sys.argv:
        sys.exit(text != page.read_text(encoding="utf-8") and f"benchmark_tables.py: {page} does not have the tables of its files")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
