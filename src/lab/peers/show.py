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


def scene_cell(runs):
    return f"{median(runs, 'ms_median'):.3g} [{min(r['ms_least'] for r in runs):.3g}], S {runs[0]['substeps']}"


def scene_checks(runs):
    return f"{100 * median(runs, 'threads_p99_most'):.2f} %"


def table_of(runs, last, cell, checks):
    """A row for each program and number of threads, a column for each size, and what `checks` says of the largest."""
    rows, sizes = rows_of(runs), sorted({r["size"] for r in runs})
    lines = ["| program | threads |" + "".join(f" {s}² |" for s in sizes) + f" {last} |", "|---|---|" + "---|" * (len(sizes) + 1)]
    for (program, threads), by_size in rows.items():
        cells = [cell(by_size[s]) if s in by_size else "–" for s in sizes]
        lines.append(f"| {program} | {threads} | " + " | ".join([*cells, checks(by_size[max(by_size)])]) + " |")
    return lines


def garments_of(runs):
    """A row for each garment and number of threads, a column for each of its settings."""
    hows, rows = list(dict.fromkeys(r["how"] for r in runs)), {}
    for run in runs:
        rows.setdefault((run["garment"], run["threads"]), {})[run["how"]] = run
    lines = ["| garment | particles | constraints | threads |" + "".join(f" {how} |" for how in hows), "|---|---|---|---|" + "---|" * len(hows)]
    for (garment, threads), by_how in rows.items():
        first = next(iter(by_how.values()))
        cells = [f"{run['ms_mean']:.3g}, S {run['substeps']}" for run in by_how.values()]
        lines.append(f"| {garment} | {first['particles']:,} | {first['constraints']:,} | {threads} | " + " | ".join(cells) + " |")
    return lines


def busy(kept):
    """What there is to say of a machine on which others were at work."""
    others = max(kept["load_before"], kept.get("load_after", 0)) > kept["processors"] + 1
    return " Others were at work: these are no figures to quote." if others else ""


def heading(kept):
    """What was measured where."""
    others = "".join(f", {name} {version}" for name, version in kept["versions"].items())
    return [f"{kept['date']}, {kept['processor']}, {kept['processors']} processors; load {kept['load_before']:.1f} before, "
            f"{kept['load_after']:.1f} after; {kept['rounds']} rounds.{busy(kept)}", "",
            f"weft commit {kept['weft']['commit']}, {kept['weft']['compiler']}, {kept['weft']['flags']}; C by {kept['compiler']}{others}."]


def tables(kept):
    """Markdown."""
    of_weft = [r for r in kept["runs"] if " " in r["program"]]  # scenes with a setting
    of_all = [r for r in kept["runs"] if " " not in r["program"]]
    lines = [*heading(kept), "", "ms a frame: median [least], ns a projection; of the largest size p99 of strain and the lowest point.", "",
             *table_of(of_all, "physics", cell, checks), "", "Scenes of weft, all that a frame does: ms a frame, median [least], substeps; of the "
             "largest size p99 of strain along threads at most.", "", *table_of(of_weft, "strain", scene_cell, scene_checks)]
    if kept["garments"]:
        lines += ["", "Garments of files, the mean ms of a run, substeps.", "", *garments_of(kept["garments"])]
    return "\n".join(lines) + "\n"


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
    for (program, threads), by_size in rows_of([r for r in kept["runs"] if " " not in r["program"]]).items():
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
