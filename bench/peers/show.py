"""The table and the plot of what peers.py measured."""
import statistics


def rows_of(runs):
    """{(program, threads): {size: runs}}, in the order in which they were measured."""
    rows = {}
    for run in runs:
        rows.setdefault((run["program"], run["threads"]), {}).setdefault(run["size"], []).append(run)
    return rows


def median(runs, field):
    return statistics.median(r[field] for r in runs)


def cell(runs):
    """Median of the runs' medians, the least frame of all, and ns a projection."""
    return f"{median(runs, 'ms_median'):.3g} [{min(r['ms_least'] for r in runs):.3g}], {median(runs, 'ns_projection'):.2f}"


def checks(runs):
    strain = f"{100 * median(runs, 'strain_p99'):.2f} %"
    return f"{strain}, {median(runs, 'lowest_m'):.3f} m" if "lowest_m" in runs[0] else strain


def write_table(kept, path):
    """Markdown: a row for each program and number of threads, a column for each size."""
    rows, sizes = rows_of(kept["runs"]), sorted({r["size"] for r in kept["runs"]})
    lines = [f"{kept['processor']}, {kept['processors']} processors; load {kept['load_before']:.1f} before, "
             f"{kept['load_after']:.1f} after; {kept['rounds']} rounds of {kept['frames']} frames.", "",
             "ms a frame: median [least], ns a projection; of the largest size p99 of strain and the lowest point.", "",
             "| program | threads |" + "".join(f" {s}² |" for s in sizes) + " physics |", "|---|---|" + "---|" * (len(sizes) + 1)]
    for (program, threads), by_size in rows.items():
        cells = [cell(by_size[s]) if s in by_size else "–" for s in sizes]
        lines.append(f"| {program} | {threads} | " + " | ".join([*cells, checks(by_size[max(by_size)])]) + " |")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def have_matplotlib():
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def draw(kept, path):
    """ns a projection against size; dashed: more than one thread."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    figure, axes = plot.subplots(figsize=(8, 5))
    colours = {}
    for (program, threads), by_size in rows_of(kept["runs"]).items():
        colour = colours.setdefault(program, f"C{len(colours)}")
        sizes = sorted(by_size)
        axes.plot(sizes, [median(by_size[s], "ns_projection") for s in sizes], "o-" if threads == 1 else "o--", color=colour,
                  label=f"{program}, {threads}")
    axes.set(xscale="log", yscale="log", xlabel="particles a side", ylabel="ns a projection",
             title="A sheet swinging from two corners, 20 substeps of one sweep (dashed: all threads)")
    axes.set_xticks(sorted({r["size"] for r in kept["runs"]}), [str(s) for s in sorted({r["size"] for r in kept["runs"]})])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1))
    figure.savefig(path, bbox_inches="tight")
