#!/usr/bin/env python3
"""Draws the page of a file that `weft bench --format json` or `weft validate --physics --json` wrote.

  scripts/report.py FILE.json -o FILE.html    (FILE.json may be -, standard input; without -o: standard output)

The page is one file of HTML with its plots inside as SVG: no scripts, nothing fetched. Needs matplotlib
(Debian: python3-matplotlib, PyPI: matplotlib). Exit status: 0 done, 2 usage, 3 the file is not one of these,
4 matplotlib is missing or the page could not be written. --check only looks for matplotlib."""
import sys

sys.path = [folder for folder in sys.path if folder]  # weft runs this text by -c: no modules of the present folder

import argparse
import html
import io
import json
import math
import os
import re

NAN = float("nan")
FRAME_60 = 1000 / 60  # ms
PALETTE = ("#2a7fd4", "#d55e00", "#00916a", "#b5539c", "#9a7b00", "#d1383d", "#5f73c9", "#4b8b8f")
# Colours of the page, light or dark: put in when a figure becomes SVG.
INK, GRID, PAPER = "#010203", "#010204", "#010205"

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1d20;--line:#8886;--soft:#8882;--bad:#c62f33;--good:#0b7a50;--dim:#5c6066}
body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:1.5rem auto;padding:0 1rem;background:var(--paper);color:var(--ink)}
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0}h2{font-size:1.25rem;margin:2.5rem 0 .3rem}h3{font-size:1rem;margin:1.2rem 0 .2rem}
p,ul{max-width:52rem;margin:.4rem 0}ul{padding-left:1.2rem}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,31rem),1fr));gap:.5rem 1.5rem;align-items:start}
figure{margin:.8rem 0;min-width:0}figcaption{font-weight:600;font-size:14px;max-width:52rem}
figcaption span{display:block;font-weight:400;color:var(--dim);font-size:13px}
svg{width:100%;height:auto;display:block}svg *{stroke-linejoin:round;stroke-linecap:butt}
.scroll{overflow:auto;margin:.4rem 0}details .scroll{max-height:80vh}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}
th,td{padding:.18rem .42rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{font-weight:600;white-space:normal;vertical-align:bottom;position:sticky;top:0;background:var(--paper)}
td:first-child,th:first-child{text-align:left;white-space:normal;min-width:9rem}
td.text,th.text{text-align:left}
tr.words td{text-align:left;background:var(--soft);font-size:12px;border-bottom:2px solid var(--line)}
tr.words div{white-space:normal;position:sticky;left:.6rem;width:fit-content;max-width:min(64rem,calc(100vw - 4rem))}
.pass{color:var(--good)}.fail{color:var(--bad);font-weight:700}
.badge{display:inline-block;padding:0 .6rem;border-radius:.8rem;border:2px solid;font-weight:700;font-size:14px}
dl{display:grid;grid-template-columns:fit-content(16rem) minmax(0,1fr);gap:0 1rem;font-size:13px}dt{color:var(--dim)}dd{margin:0}
summary{cursor:pointer}code{font-size:13px}
@media(prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e4e6e9;--bad:#ff7b76;--good:#4fc796;--dim:#a2a7ad}}
"""


class NotAReport(Exception):
    """The input is none of the files this draws; the text says why."""


# ---- text ----

POWER = r"\^(?:\(([^)]*)\)|(-?[0-9]+|n))"
SYMBOLS = ((r"\btheta''", "θ″"), (r"\btheta\b", "θ"), (r"\bmu\b", "μ"), (r"\brho\b", "ρ"), (r"\+-", "±"),
           (r"<=", "≤"), (r">=", "≥"), (r"(?<=\d) x (?=\d)", " × "), (r"(?<![\w)\]-])-(?=[\d(.])", "−"))


def typeset(text, power):
    """Plain text with its symbols and exponents; power(exponent) makes one. A commit such as 1828809a6e17 has none."""
    for pattern, symbol in SYMBOLS:
        text = re.sub(pattern, symbol, text)
    text = re.sub(r"\b1e([-+]?\d+)\b", lambda m: "10" + power(str(int(m[1])).replace("-", "−")), text)
    text = re.sub(r"(?<![\w.])(\d{1,3}(?:\.\d+)?)e([-+]?\d{1,3})\b", lambda m: m[1] + "×10" + power(str(int(m[2])).replace("-", "−")), text)
    return re.sub(POWER, lambda m: power((m[1] or m[2]).replace("-", "−")), text)


def words(text):
    """As HTML."""
    escaped = html.escape(str(text), quote=True).replace("&lt;=", "≤").replace("&gt;=", "≥").replace("&#x27;", "'")
    return typeset(escaped, lambda exponent: "<sup>%s</sup>" % exponent)


def mathtext(text):
    """For plots."""
    return typeset(str(text).replace("$", r"\$"), lambda exponent: "$^{%s}$" % exponent)


def number(value, digits):
    """So many significant digits, HTML; empty for what is not known."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return ""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = "%.*g" % (digits, value) if abs(value) < 10 ** digits else "%.0f" % value
    else:
        mantissa, exponent = ("%.*e" % (digits - 1, value)).split("e")
        text = "%s×10<sup>%d</sup>" % (mantissa, int(exponent))
    return text.replace("-", "−")


def fixed(value, digits=0, unit=""):
    known = isinstance(value, (int, float)) and math.isfinite(value)
    return "{:,.{}f}{}".format(value, digits, unit).replace("-", "−") if known else ""


def three(value):
    """Three significant digits without an exponent: 0.0412, 6.86, 198, 1,790."""
    if not math.isfinite(value):
        return ""
    if value == 0:
        return "0"
    return "{:,.{}f}".format(value, max(0, 2 - math.floor(math.log10(abs(value)))))


def plural(count, noun):
    return "%s %s%s" % ("{:,}".format(count), noun, "" if count == 1 else "s")


def listed(items):
    items = list(items)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


# ---- reading ----

def real(o, key):
    value = o.get(key) if isinstance(o, dict) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else NAN


def text_of(o, key):
    value = o.get(key) if isinstance(o, dict) else None
    return value if isinstance(value, str) else ""


def read(path):
    try:
        with (sys.stdin if path == "-" else open(path, encoding="utf-8")) as file:
            data = json.load(file)
    except OSError as why:
        raise NotAReport("cannot be read: %s" % why.strerror)
    except json.JSONDecodeError as why:
        raise NotAReport("line %d: %s" % (why.lineno, why.msg))
    except UnicodeDecodeError:
        raise NotAReport("is no text in UTF-8")
    if not isinstance(data, dict) or not isinstance(data.get("build"), dict):
        raise NotAReport("neither `weft bench` nor `weft validate --physics` wrote this: no \"build\"")
    return data


def check(items, texts, numbers, what):
    """Every item is an object with these keys, so that drawing need not ask again."""
    if not isinstance(items, list):
        raise NotAReport("%s: not a list" % what)
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            raise NotAReport("%s %d: not an object" % (what, index))
        for key in texts:
            if not isinstance(item.get(key), str):
                raise NotAReport("%s %d has no usable \"%s\"" % (what, index, key))
        for key in numbers:
            if not math.isfinite(real(item, key)):
                raise NotAReport("%s %d has no usable \"%s\"" % (what, index, key))
    return items


# ---- HTML ----

def table(head, lines, texts=()):
    """Cells are HTML; columns in texts are aligned left. A line may be a string: a row of its own."""
    def cells(line, tag):
        return "".join("<%s%s>%s</%s>" % (tag, ' class="text"' if k in texts else "", cell, tag)
                       for k, cell in enumerate(line))
    body = "\n".join(line if isinstance(line, str) else "<tr>%s</tr>" % cells(line, "td") for line in lines)
    return '<div class="scroll"><table>\n<thead><tr>%s</tr></thead>\n<tbody>%s</tbody></table></div>\n' % (
        cells(head, "th"), body)


def verdict(passed, text=None):
    return '<span class="%s">%s</span>' % ("pass" if passed else "fail", text or ("pass" if passed else "FAIL"))


def facts(pairs):
    return "<dl>%s</dl>\n" % "\n".join("<dt>%s</dt><dd>%s</dd>" % pair for pair in pairs if pair[1])


def bullets(items):
    return "<ul>%s</ul>\n" % "\n".join("<li>%s</li>" % item for item in items)


def machine(data):
    build = data["build"]
    load = real(data, "load_before")
    load_text = ""
    if math.isfinite(load):
        load_text = "%.2f before the start, on %.0f processors" % (load, real(data, "processors"))
        if load >= 1:
            load_text += ": other programs were running, so compare only times of this page with each other"
    kind = ", ".join(filter(None, (text_of(build, "compiler"), text_of(build, "build_type"), text_of(build, "flags"))))
    return [("processor", words(text_of(build, "processor"))), ("OpenGL driver", words(text_of(build, "driver") or "none")),
            ("weft", words("%s, commit %s" % (text_of(build, "version"), text_of(build, "commit")))),
            ("build", words(kind)), ("load", load_text)]


def page(title, body):
    return ('<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="en">\n<head>\n<meta charset="utf-8"/>\n'
            '<meta name="viewport" content="width=device-width"/>\n<title>weft: %s</title>\n<style>%s</style>\n</head>\n'
            "<body>\n%s</body>\n</html>\n" % (html.escape(title), STYLE, body))


# ---- plots ----

class Plots:
    """Makes figures of matplotlib and turns them into SVG for this page."""

    def __init__(self):
        import matplotlib
        import matplotlib.figure
        self.matplotlib, self.count, self.glyphs, self.named = matplotlib, 0, set(), {}
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({
            "svg.fonttype": "path", "svg.hashsalt": "weft", "font.size": 10, "axes.labelsize": 10, "legend.fontsize": 9,
            "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK,
            "axes.grid": True, "grid.color": GRID, "axes.axisbelow": True, "axes.facecolor": "none",
            "figure.facecolor": "none", "savefig.facecolor": "none", "legend.frameon": False, "lines.linewidth": 1.6,
            "axes.formatter.use_mathtext": True, "axes.formatter.limits": (-3, 5), "axes.linewidth": .8,
            "lines.markersize": 4.5, "axes.prop_cycle": matplotlib.cycler(color=PALETTE)})

    def colour(self, kind, name):
        """The same for a name everywhere on the page, and whether the palette has begun again."""
        names = self.named.setdefault(kind, {})
        index = names.setdefault(name, len(names))
        return PALETTE[index % len(PALETTE)], index >= len(PALETTE)

    def axes(self, width, height, x, y, left=.75, right=.2):
        """One pair of axes; inches, of which a legend below takes more later."""
        figure = self.matplotlib.figure.Figure(figsize=(width, height))
        axes = figure.add_axes((left / width, .5 / height, (width - left - right) / width, (height - .75) / height))
        axes.set_xlabel(mathtext(x))
        axes.set_ylabel(mathtext(y))
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        return axes

    def put_legend(self, axes, columns=3):
        """Below the axes, where no curve can be under it: the figure grows by its lines."""
        handles, names = axes.get_legend_handles_labels()
        if not handles:
            return
        figure = axes.figure
        widest = max(len(name) for name in names)
        columns = max(1, min(columns, int(figure.get_figwidth() * 11 / (widest + 6)), len(names)))
        lines = math.ceil(len(names) / columns)
        width, height = figure.get_size_inches()
        more = .18 * lines + .08
        box = axes.get_position()
        figure.set_size_inches(width, height + more)
        axes.set_position((box.x0, (box.y0 * height + more) / (height + more), box.width,
                           box.height * height / (height + more)))
        figure.legend(handles, names, loc="lower left", bbox_to_anchor=(box.x0, 0), ncol=columns, borderaxespad=0,
                      handlelength=2.2, columnspacing=1.4, labelspacing=.3)

    def figure(self, axes, title, note=""):
        return "<figure><figcaption>%s%s</figcaption>%s</figure>\n" % (
            words(title), "<span>%s</span>" % note if note else "", self.svg(axes.figure, title))

    def svg(self, figure, title):
        self.count += 1
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        text = buffer.getvalue()
        text = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", "", text[text.index("<svg"):], flags=re.S)
        box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
        text = text[text.index(">") + 1:]
        text = re.sub(r'(id=")(?!DejaVu)|(xlink:href="#)(?!DejaVu)|(url\(#)',
                      lambda m: (m[1] or m[2] or m[3]) + "p%d-" % self.count, text).replace("xlink:href", "href")
        text = re.sub(r'<path id="(DejaVu[^"]*)"[^>]*/>', self.once, text)
        text = text.replace(INK, "currentColor").replace(GRID, "var(--line)").replace(PAPER, "var(--paper)")
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" style="max-width:%.0fpx" role="img" ' \
               'aria-label="%s">%s' % (box[1], box[2], float(box[1]) * 96 / 72, html.escape(title), text)

    def once(self, glyph):
        """Letters are defined where the page first needs them."""
        known = glyph[1] in self.glyphs
        self.glyphs.add(glyph[1])
        return "" if known else glyph[0]


def plain(value):
    """A tick on a logarithmic axis: 0.02, 5, 2,000, and 10^k beyond."""
    exponent = math.floor(math.log10(value) + 1e-9)
    if -3 <= exponent < 6:
        return "{:,.6g}".format(value)
    mantissa = round(value / 10 ** exponent)
    return "%s$10^{%d}$" % ("" if mantissa == 1 else "%d·" % mantissa, exponent)


def use_log(axis, values, ticks=None):
    """A logarithmic axis around the positive values, with ticks that say what they are worth."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter
    values = [v for v in values if v > 0 and math.isfinite(v)] or [1]
    low, high = min(values), max(values)
    pad = max((high / low) ** .05, 1.12)
    low, high = low / pad, high * pad
    is_x = axis.axis_name == "x"
    (axis.axes.set_xscale if is_x else axis.axes.set_yscale)("log")
    (axis.axes.set_xlim if is_x else axis.axes.set_ylim)(low, high)
    decades = math.log10(high / low)
    steps = (1, 1.5, 2, 3, 4, 5, 7) if decades < .8 else (1, 2, 5) if decades < 3 else (1,)
    every = max(1, math.ceil(decades / 8))
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    places = [s * 10.0 ** e for e in exponents if e % every == 0 for s in steps]
    if ticks:
        places = thinned(sorted(set(ticks)), decades)
    axis.set_major_locator(FixedLocator([p for p in places if low <= p <= high]))
    axis.set_major_formatter(FuncFormatter(lambda v, _: plain(v) if not ticks else "{:,.0f}".format(v)))
    fine = [s * 10.0 ** e for e in exponents for s in range(2, 10)] if decades < 6 else []
    axis.set_minor_locator(FixedLocator([p for p in fine if low <= p <= high]))
    axis.set_minor_formatter(NullFormatter())


def thinned(places, decades):
    """Ticks at the sizes there are, from the largest on, but for those whose numbers would touch the one after."""
    kept = places[-1:]
    for place in reversed(places[:-1]):
        if math.log10(kept[-1] / place) > .13 * decades:
            kept.append(place)
    return kept


def mark_60_fps(axes, vertical=False):
    """Where a frame takes as long as it is shown; the label stands beside the axes, on no curve."""
    (axes.axvline if vertical else axes.axhline)(FRAME_60, color=INK, linewidth=.9, linestyle=(0, (1, 2)))
    place = ((FRAME_60, 1), ("data", "axes fraction")) if vertical else ((1, FRAME_60), ("axes fraction", "data"))
    axes.annotate("60 fps", place[0], xycoords=place[1], xytext=(3, 2 if vertical else -3), textcoords="offset points", fontsize=9)


# ---- bench: what rows are ----

LINE = ("scene", "backend", "mode", "schedule")


def line_of(row):
    """Rows that differ in size alone are one line of a plot."""
    return tuple(text_of(row, key) for key in LINE)


def name_lines(rows):
    """What tells the lines of this page apart: modes and schedules are left out where all are the usual one."""
    told = [key for key, usual in (("mode", "gs"), ("schedule", "auto")) if any(text_of(r, key) not in (usual, "") for r in rows)]
    for row in rows:
        row["line"] = ", ".join(filter(None, [text_of(row, key) for key in ["backend"] + told]))


def line_name(row):
    return row["line"]


def row_name(row):
    return "%s %.0f, %s" % (text_of(row, "scene"), real(row, "size"), line_name(row))


def ms(row):
    return real(row, "ms_per_frame_median")


def unique(items):
    return list(dict.fromkeys(items))


def same_work(row):
    """What rows have in common that must end in the same state: how many threads compute is no part of it."""
    settings = re.sub(r", (threads|group) \d+|, schedule (auto|colours|single)", "", text_of(row, "settings"))
    order = "patches" if text_of(row, "schedule") == "patches" else ""
    return text_of(row, "scene"), real(row, "size"), text_of(row, "mode"), order, settings


def compare_states(rows):
    """Groups of rows that should be equal: how many there are, and the rows that differ from the first of theirs."""
    groups = {}
    for row in rows:
        if text_of(row, "backend") != "f64":
            groups.setdefault(same_work(row), []).append(row)
    several = [sorted(group, key=lambda r: text_of(r, "backend") != "ref") for group in groups.values() if len(group) > 1]
    return len(several), [r for g in several for r in g if text_of(r, "hash") != text_of(g[0], "hash")]


SETTINGS = ((r"^(\d+) x (\d+)$", r"\1 substeps × \2 iterations"), (r"^dt 0\.0166667$", "a frame is 1/60 s"),
            (r"^dt (.*)$", r"a frame is \1 s"), (r"^(x?pbd)$", lambda m: m[1].upper()),
            (r"^(\d+) frames$", r"\1 frames a sample"), (r"^attachments 0$|^levels 0 x \d+$", ""),
            (r"^attachments (\d+)$", r"long-range attachments: \1"), (r"^levels (\d+) x (\d+)$", r"multilevel: \1 levels × \2"),
            (r"^lead (\d+)$", r"warm-up: \1 frames"), (r"^lines (\d+)$", r"line solver: \1 sweeps"),
            (r"^threads (\d+)$", r"\1 threads"), (r"^group (\d+)$", r"work groups of \1"), (r"^schedule (.*)$", r"schedule \1"))


def settings_words(settings, samples):
    parts = []
    for part in settings.split(", "):
        for pattern, instead in SETTINGS:
            if re.match(pattern, part):
                part = re.sub(pattern, instead, part)
                break
        parts.append(re.sub(r"\b1 (iteration|thread|frame|sweep|substep)s\b", r"1 \1", part))
    return words(", ".join(filter(None, parts + (["%.0f samples" % samples] if samples > 0 else []))))


BACKENDS = {"ref": "CPU reference, one thread: ", "cpu": "CPU, threads and vectors: ", "f64": "CPU, double precision: ",
            "gl": "OpenGL compute shaders: "}


def sizes_words(rows):
    """ "hanging 16, 32, skirt 16" """
    scenes = unique(text_of(r, "scene") for r in rows)
    return ", ".join("%s %s" % (scene, ", ".join("%.0f" % real(r, "size") for r in rows if text_of(r, "scene") == scene))
                     for scene in scenes)


def settings_facts(rows):
    """Once for a line whose rows agree, else with the rows it is said of."""
    said = {}
    for row in rows:
        if text_of(row, "settings"):
            said.setdefault((line_name(row), text_of(row, "settings"), real(row, "samples")), []).append(row)
    alone = {name for name, _, _ in said if sum(key[0] == name for key in said) == 1}
    return [(words(name if name in alone else "%s, %s" % (name, sizes_words(own))),
             BACKENDS.get(text_of(own[0], "backend"), "") + settings_words(settings, samples))
            for (name, settings, samples), own in said.items()]


# ---- bench: head ----

def largest_rows(rows):
    """Of each line the row of most particles, scene by scene."""
    best = {}
    for row in rows:
        old = best.get(line_of(row))
        if not old or real(row, "particles") > real(old, "particles"):
            best[line_of(row)] = row
    return sorted(best.values(), key=lambda r: unique(text_of(x, "scene") for x in rows).index(text_of(r, "scene")))


def slower_baseline(row, rows):
    """What a speed-up is told against: the reference, else the slowest row of the same work."""
    same = [r for r in rows if text_of(r, "scene") == text_of(row, "scene") and real(r, "size") == real(row, "size")]
    ref = [r for r in same if text_of(r, "backend") == "ref" and text_of(r, "mode") == text_of(row, "mode")]
    return ref[0] if ref else max(same, key=ms)


def times_faster(row, rows):
    base = slower_baseline(row, rows)
    return "" if base is row else "%s×" % three(ms(base) / ms(row))


def head_plot(plots, rows):
    shown = largest_rows(rows)
    scenes = unique(text_of(r, "scene") for r in shown)
    axes = plots.axes(9.2, .9 + .27 * (len(shown) + len(scenes)), "ms a frame", "", left=2.5, right=.3)
    values, names, y = [], [], 0
    for scene in scenes:
        own = [r for r in shown if text_of(r, "scene") == scene]
        names.append((y, "%s, %s particles" % (scene, fixed(max(real(r, "particles") for r in own)))))
        for row in own:
            y += 1
            low, high = real(row, "ms_per_frame_min"), real(row, "ms_per_frame_p95")
            colour, _ = plots.colour("line", line_name(row))
            if math.isfinite(low + high):
                axes.plot((low, high), (y, y), color=colour, linewidth=1.2)
            axes.plot(ms(row), y, "o", color=colour, markersize=7)
            faster = times_faster(row, rows)
            axes.annotate("%s ms%s" % (three(ms(row)), ", " + faster if faster else ""), (max(ms(row), high if high > 0 else 0), y),
                          xytext=(9, 0), textcoords="offset points", va="center", bbox={"fc": PAPER, "ec": "none", "pad": 1})
            values += [ms(row), low, high]
            names.append((y, line_name(row)))
        y += 1
    use_log(axes.xaxis, values + [FRAME_60, max(v for v in values if math.isfinite(v)) * 1.6])
    mark_60_fps(axes, vertical=True)
    axes.set_ylim(y - .4, -.6)
    axes.set_yticks([place for place, _ in names], [name for _, name in names])
    for (place, name), label in zip(names, axes.get_yticklabels()):
        label.set_fontweight("bold" if " particles" in name else "normal")
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    note = "Dot: median of the samples. Bar: min to 95th percentile. Factor: speed-up over ref where it ran, else over the " \
           "slowest at this size."
    return plots.figure(axes, "Time a frame at the largest size of each scene", note)


def between(values, form):
    low, high = form(min(values)), form(max(values))
    return low if low == high else "%s to %s" % (low, high)


def speed_words(rows):
    """Of the largest size of each scene: which backend is the fastest, and by how much."""
    shown = largest_rows(rows)
    best = [min((r for r in shown if text_of(r, "scene") == scene), key=lambda r: ms(r) / real(r, "particles"))
            for scene in unique(text_of(r, "scene") for r in shown)]
    times = "%s ms a frame for %s particles" % (between([ms(r) for r in best], three),
                                                between([real(r, "particles") for r in best], fixed))
    names = unique(line_name(r) for r in best)
    bases = [slower_baseline(r, rows) for r in best]
    if len({line_name(r) for r in rows}) == 1:
        return "%s: %s" % (names[0], times)
    text = "%s %s the fastest: %s" % (listed(names), "are" if len(names) > 1 else "is", times)
    against = unique(line_name(r) for r in bases)
    if all(base is not r for base, r in zip(bases, best)) and len(against) == 1:
        text += ", %s times faster than %s" % (between([ms(b) / ms(r) for b, r in zip(bases, best)], three), against[0])
    return text


def fps_words(rows):
    said = []
    for scene in unique(text_of(r, "scene") for r in rows):
        own = [r for r in rows if text_of(r, "scene") == scene and ms(r) <= FRAME_60]
        if own:
            best = max(own, key=lambda r: (real(r, "particles"), -ms(r)))
            said.append("%s up to %s particles (%s, %s ms)" % (scene, fixed(real(best, "particles")), line_name(best), three(ms(best))))
        else:
            said.append("%s at no size" % scene)
    return "Of the sizes measured, these fit into the 16.7 ms of 60 fps: %s." % words("; ".join(said))


def state_words(rows):
    groups, different = compare_states(rows)
    if different:
        return verdict(False, "DIFFERENT STATES: %s did not end in the state of the other backends, so these times are of "
                       "other work." % words(listed(row_name(r) for r in different)))
    if not groups:
        return "No two rows did the same work, so there are no states to compare."
    return "In all %s that ran in more than one way the final states are equal in every bit: the times are of the same work." \
        % plural(groups, "case")


def warnings_of(data):
    said = []
    if data.get("times_mean_something") is False:
        said.append(verdict(False, "A debug or sanitized build: these times mean nothing."))
    for left in data.get("left_out", []):
        said.append(verdict(False, "Left out: ") + words("%s: %s" % (text_of(left, "what"), text_of(left, "why"))))
    return said


def bench_head(plots, data, rows):
    comparison = data.get("comparison")
    changes = [text_of(row, "change") for row in compared(comparison)] if comparison else []
    groups, different = compare_states(rows)
    bad = (("states differ", different), ("slower than before", set(changes) & {"slower", "slower_within_spread"}),
           ("other states than before", "other_state" in changes), ("nothing to compare", comparison and not changes))
    good = (("all states equal", groups), ("no slower than before", comparison))
    failed = [text for text, true in bad if true]
    said = failed or [text for text, true in good if true]
    badge = '<p><span class="badge %s">%s: %s</span></p>\n' % (
        "fail" if failed else "pass", "FAIL" if failed else "PASS", ", ".join(said)) if said else ""
    said = warnings_of(data) + [state_words(rows), fps_words(rows)]
    if comparison:
        said.append(comparison_words(comparison))
    return "%s<h1>%s</h1>\n%s%s%s" % (badge, words(speed_words(rows)), bullets(said), head_plot(plots, rows), facts(machine(data) + settings_facts(rows)))


# ---- bench: against a file of before ----

CHANGES = {"faster": "faster", "within_spread": "within the spread", "slightly_slower": "slower, within the limit",
           "slower": "SLOWER", "slower_within_spread": "SLOWER, but within the spread", "other_state": "OTHER STATE, no result"}
LOSSES = ("slower", "slower_within_spread", "other_state")


def compared(comparison):
    return comparison.get("rows", [])


def comparison_words(comparison):
    text = words("Against %s: %s compared, %.0f slower by more than %.4g %%, %.0f in another state." % (
        text_of(comparison, "file"), plural(len(compared(comparison)), "row"), real(comparison, "slower"),
        100 * real(comparison, "max_loss"), real(comparison, "other_state")))
    lost = any(text_of(row, "change") in LOSSES for row in compared(comparison)) or not compared(comparison)
    return verdict(False, text) if lost else text


def comparison_section(comparison):
    if not comparison:
        return ""
    lines = [(words(row_name(row)), fixed(real(row, "then_ms"), 3),
              fixed(real(row, "now_ms"), 3), fixed(real(row, "ratio"), 3),
              " – ".join(filter(None, (fixed(real(row, "ratio_low"), 3), fixed(real(row, "ratio_high"), 3)))),
              verdict(text_of(row, "change") not in LOSSES, CHANGES.get(text_of(row, "change"), "?")))
             for row in compared(comparison)]
    said = [words(text) for text in comparison.get("warnings", [])]
    said += ["Only %s: %s" % (when, words(name)) for when in ("then", "now") for name in comparison.get("only_" + when, [])]
    return "<h2>Against %s</h2>\n<p>Ratio is time now over time then: below 1 is faster.</p>\n%s%s" % (
        words(text_of(comparison, "file")),
        table(("row", "then, ms", "now, ms", "ratio", "ratio by the quartiles", "verdict"), lines, (5,)), bullets(said) if said else "")


# ---- bench: a scene ----

def by_size(rows, line):
    return sorted((r for r in rows if line_of(r) == line), key=lambda r: real(r, "particles"))


def scene_plot(plots, rows, title, y_label, y, below=None, note="", x="particles", fps=False, x_of=None):
    """A curve for each backend, mode and schedule, and dashed in its colour what is below it."""
    axes = plots.axes(5.9, 3.3, x, y_label, right=.6 if fps else .2)
    across = x_of or (lambda r: real(r, "particles"))
    xs, ys = [], []
    for line in unique(line_of(r) for r in rows):
        own = by_size(rows, line)
        colour, _ = plots.colour("line", line_name(own[0]))
        for value, style in ((y, "o-"), (below, "--")):
            points = [(across(r), value(r)) for r in own if across(r) > 0 and value(r) > 0] if value else []
            if points:
                axes.plot(*zip(*points), style, color=colour, label=line_name(own[0]) if style == "o-" else None)
                xs += [p for p, _ in points]
                ys += [v for _, v in points]
                for row, point in zip(own, points) if x_of and line == line_of(rows[0]) else ():
                    axes.annotate("%.0f" % real(row, "size"), point, xytext=(4, -10), textcoords="offset points", fontsize=8)
    if not ys:
        return ""
    use_log(axes.xaxis, xs, xs if x == "particles" else None)
    use_log(axes.yaxis, ys + ([FRAME_60] if fps else []))
    if fps:
        mark_60_fps(axes)
    plots.put_legend(axes)
    return plots.figure(axes, title, note)


def speed_up_plot(plots, rows, scene):
    def factor(row):
        base = slower_baseline(row, rows)
        return ms(base) / ms(row) if text_of(base, "backend") == "ref" and base is not row else NAN
    return scene_plot(plots, [r for r in rows if factor(r) > 0], scene + ": speed-up over ref", "times faster", factor)


def bars_plot(plots, row):
    passes = sorted(row.get("passes") or [], key=lambda p: -real(p, "ms_per_frame"))
    if not passes:
        return ""
    axes = plots.axes(5.9, .75 + .26 * len(passes), "ms a frame", "", left=1.55, right=.1)
    most = max(real(p, "ms_per_frame") for p in passes)
    for y, one in enumerate(passes):
        time, bound = real(one, "ms_per_frame"), real(one, "roofline_ms_per_frame")
        axes.barh(y, time, height=.62, color="#8fbbe6")
        axes.barh(y, min(bound, time) if math.isfinite(bound) else 0, height=.62, color="#1d5c9e")
        part = ", bound %.3g %%" % (100 * bound / time) if bound >= 0 and time > 0 else ""
        axes.annotate("%s ms%s, %s×" % (three(time), part, fixed(real(one, "per_frame"))), (time, y), xytext=(4, 0),
                      textcoords="offset points", va="center", fontsize=8.5)
    axes.set_yticks(range(len(passes)), [text_of(p, "pass") for p in passes])
    axes.set_ylim(len(passes) - .4, -.6)
    axes.set_xlim(0, most * 1.75)
    axes.grid(axis="y", visible=False)
    return plots.figure(axes, "%s: time of each pass" % row_name(row), "Dark: the roofline bound. ×: runs a frame. Timed by %s."
                        % words(text_of(row, "pass_clock")))


def roofline_plot(plots, rows, line):
    own = by_size(rows, line)
    axes = plots.axes(5.9, 3.3, "kB a pass must move", "GB/s")
    points = {}
    for row in own:
        for one in row.get("passes") or []:
            runs, time, size = (real(one, key) for key in ("per_frame", "ms_per_frame", "bytes_per_frame"))
            if runs > 0 and time > 0 and size > 0:
                points.setdefault(text_of(one, "pass"), []).append((1e-3 * size / runs, 1e-6 * size / time))
    if not points:
        return ""
    xs = [x for curve in points.values() for x, _ in curve]
    ys = [y for curve in points.values() for _, y in curve]
    for name, curve in points.items():
        colour, again = plots.colour("pass", name)
        axes.plot(*zip(*curve), "s-" if again else "o-", color=colour, label=name, markersize=3.5)
    rate, start = real(own[-1], "copy_bytes_per_s"), 1e-6 * real(own[-1], "dispatch_us")
    if rate > 0 and start >= 0:
        low, high = min(xs), max(xs) * 1.001
        roof = [low * (high / low) ** (k / 39) for k in range(40)]
        ceiling = [1e-6 * kb / (1e3 * kb / rate + start) for kb in roof]
        axes.plot(roof, ceiling, "--", color=INK, label="roofline")
        ys += ceiling
    use_log(axes.xaxis, xs)
    use_log(axes.yaxis, ys)
    plots.put_legend(axes)
    return plots.figure(axes, "%s, %s: passes under the roofline" % (line[0], line_name(own[0])),
                        "Each dot is a pass at one size. Above the line its bytes came from a cache.")


def scene_section(plots, rows, scene):
    own = [r for r in rows if text_of(r, "scene") == scene]
    drawn = [scene_plot(plots, own, scene + ": time a frame", "ms a frame", ms, lambda r: real(r, "roofline_ms_per_frame"),
                        "Dashed: the roofline bound.", fps=True),
             speed_up_plot(plots, own, scene),
             scene_plot(plots, own, scene + ": bytes moved, and copy bandwidth", "GB/s",
                        lambda r: 1e-6 * real(r, "roofline_bytes_per_frame") / ms(r), lambda r: 1e-9 * real(r, "copy_bytes_per_s"),
                        "Dashed: what copying reaches on the same device."),
             scene_plot(plots, own, scene + ": strain against time", "strain, 99th percentile, %",
                        lambda r: 100 * real(r, "strain_p99"), note="Numbers: the size.", x="ms a frame", x_of=ms)]
    passes = [bars_plot(plots, by_size(own, line)[-1]) + roofline_plot(plots, own, line) for line in unique(line_of(r) for r in own)]
    return "<h2>%s</h2>\n%s" % (words(scene), "".join('<div class="plots">%s</div>\n' % row for row in ["".join(drawn)] + passes))


# ---- bench: tables ----

def state_cell(row, different):
    return "<code>%s</code>%s" % (words(text_of(row, "hash")), " " + verdict(False, "DIFFERENT") if row in different else "")


def times_table(rows):
    different = compare_states(rows)[1]
    lines = [(words(row_name(r)), fixed(real(r, "particles")), fixed(ms(r), 3), fixed(1000 / ms(r), 0), times_faster(r, rows),
              fixed(real(r, "ms_per_frame_p95"), 3), fixed(real(r, "ms_per_frame_min"), 3), fixed(100 * real(r, "spread"), 1, " %"),
              fixed(real(r, "processor_ms_per_frame"), 3), fixed(1e-6 * real(r, "projections_per_s"), 1),
              fixed(100 * real(r, "roofline_part"), 1, " %"), fixed(100 * real(r, "strain_p99"), 3, " %"), state_cell(r, different))
             for r in rows]
    head = ("scene, size, backend", "particles", "ms a frame", "fps", "speed-up", "p95", "min", "spread", "processor ms",
            "Mproj/s", "bound", "p99 strain", "state hash")
    return "<h2>All rows</h2>\n" + table(head, lines, (12,))


def quality_table(rows):
    columns = (("mean strain", "strain_mean", 100, "%.3f %%"), ("p99", "strain_p99", 100, "%.3f %%"),
               ("max", "strain_max", 100, "%.3f %%"), ("max p99", "strain_p99_max", 100, "%.3f %%"),
               ("kinetic, J", "kinetic_energy_J", 1, "%.3g"), ("potential, J", "potential_energy_J", 1, "%.3g"),
               ("elastic, J", "elastic_energy_J", 1, "%.3g"), ("constraints", "constraints", 1, "%d"),
               ("preprocessing, ms", "scene_ms", 1, "%.1f"), ("solver set-up, ms", "solver_ms", 1, "%.1f"),
               ("host, MiB", "host_peak_bytes", 2 ** -20, "%.1f"), ("buffers, MiB", "buffer_bytes", 2 ** -20, "%.2f"),
               ("B a particle", "bytes_per_particle", 1, "%.0f"))
    lines = [[words(row_name(r))] + [format % (scale * real(r, key)) if math.isfinite(real(r, key)) else ""
                                     for _, key, scale, format in columns] for r in rows]
    return "<h2>Final states, set-up and memory</h2>\n" + table(["scene, size, backend"] + [c[0] for c in columns], lines)


def self_table(rows):
    """What self-collision did and cost, where it was on."""
    columns = (("passes a substep", "passes_per_substep", 1, "%.1f"),
               ("dispatches a substep", "dispatches_per_substep", 1, "%.1f"), ("ms a substep", "ms_per_substep", 1, "%.3f"),
               ("MB a substep", "bytes_per_substep", 1e-6, "%.3f"), ("candidates a contact step", "candidates_per_step", 1, "%.0f"),
               ("pairs a contact step", "pairs_per_step", 1, "%.0f"), ("motions cut", "limited", 1, "%d"),
               ("pairs uncertain", "uncertain", 1, "%d"), ("pins held back", "driven", 1, "%d"), ("redetections", "looks", 1, "%d"),
               ("contact steps paused", "pauses", 1, "%d"), ("for want of room", "overflows", 1, "%d"))
    lines = [[words(row_name(r))] + [format % (scale * real(r["self_collision"], key))
                                     if math.isfinite(real(r["self_collision"], key)) else "" for _, key, scale, format in columns]
             for r in rows if isinstance(r.get("self_collision"), dict)]
    if not lines:
        return ""
    return "<h2>Self-collision, in the last frame</h2>\n" + table(["scene, size, backend"] + [c[0] for c in columns], lines)


def scaling_table(scaling):
    if not scaling:
        return ""
    lines = []
    for line in scaling:
        every, full = line.get("all_sizes") or {}, line.get("full_sizes") or {}
        lines.append((words("%s, %s" % (text_of(line, "scene"), line_name(line))), fixed(real(every, "exponent"), 3),
                      "%s – %s" % (fixed(real(every, "from_particles")), fixed(real(every, "to_particles"))),
                      fixed(100 * real(every, "off"), 1, " %"), fixed(real(line, "full_from_particles")), fixed(real(full, "exponent"), 3),
                      " ".join("%.2f" % s if isinstance(s, float) else "?" for s in line.get("steps", [])),
                      fixed(real(line, "bytes_per_particle")), fixed(real(line, "host_bytes_per_particle"))))
    head = ("rows", "exponent", "particles", "max error of the fit", "saturated from", "exponent from there",
            "from each size to the next", "buffers, B a particle", "host, B a particle")
    return "<h2>How time grows with size</h2>\n<p>Time a frame grows as a power of the number of particles. The exponent is that of a " \
           "least-squares line through logarithms. An exponent of 1 is proportional growth.</p>\n" + table(head, lines)


GLOSSARY = """<h2>How to read this page</h2>
<dl>
<dt>sample</dt><dd>One timed run of some frames. Every sample starts from the same state: the one after the warm-up frames, or the rest pose without any.</dd>
<dt>ms a frame</dt><dd>The median of the samples. Spread is the distance between their quartiles, as a part of the median.</dd>
<dt>processor ms</dt><dd>Processor time of all threads of the process together.</dd>
<dt>Mproj/s</dt><dd>Millions of constraint projections a second.</dd>
<dt>bound</dt><dd>The roofline bound: the least time in which this machine could move the bytes that the passes must read and write. It is given as a part of the
measured time. Bandwidth is that of a copy of the size of the solver's buffers, measured beside the row. With gl the cost of starting the passes is added. A frame of cpu counts each
row once a substep, because a tile stays in the cache for all passes of a substep. Above 100 % a cache helped between passes, and the bound says nothing.</dd>
<dt>strain</dt><dd>|length/rest length − 1| of stretch constraints in the last state. Max p99 is the largest 99th percentile of the samples on the way there.</dd>
<dt>state hash</dt><dd>A hash of all positions and velocities at the end. Equal hashes mean equal bits.</dd>
<dt>preprocessing</dt><dd>Mesh, constraints and colouring of the scene. Solver set-up is its tables and buffers.</dd>
<dt>host, buffers</dt><dd>Host is the peak memory of the process. Buffers are those of the solver, which with gl lie on the GPU.</dd>
<dt>saturated</dt><dd>From this size on the device reaches 80 % of its highest rate of projections. Below it, the cost of starting passes counts.</dd>
<dt>passes</dt><dd>Timed in runs of their own. Where timing delays them they add up to more than a frame.</dd>
<dt>LRA</dt><dd>Long-range attachment.</dd>
</dl>
"""


def bench_page(data):
    rows = check(data["rows"], ("scene", "backend", "mode", "hash"), ("size", "ms_per_frame_median", "particles"), "row")
    if data.get("comparison"):
        check(compared(data["comparison"]), ("scene", "backend", "change"), ("size",), "compared row")
    name_lines(rows + compared(data.get("comparison") or {}) + (data.get("scaling") or []))
    if any(not ms(row) > 0 for row in rows):
        raise NotAReport("a row has a time of 0")
    if not rows:
        raise NotAReport("no rows: there is nothing to draw")
    plots = Plots()
    body = [bench_head(plots, data, rows), comparison_section(data.get("comparison"))]
    body += [scene_section(plots, rows, scene) for scene in unique(text_of(r, "scene") for r in rows)]
    body += [times_table(rows), quality_table(rows), self_table(rows), scaling_table(data.get("scaling"))]
    return page("times", "".join(body) + GLOSSARY)


# ---- physics ----

PLACES = ("ref", "gl", "f64")
PLACE_NAMES = {"ref": "", "gl": ", gl", "f64": ", double precision"}


def claims(row):
    return math.isfinite(real(row, "expected"))


def told(row):
    """Whose error is told in one column: where it failed, else the reference, else where it was measured."""
    measured = row["measured"]
    failed = [p for p in PLACES if p in measured and measured[p].get("passed") is False]
    return (failed + [p for p in PLACES if p in measured])[0] if measured else "ref"


def equal_on_gl(row):
    ref, gl = row["measured"].get("ref"), row["measured"].get("gl")
    return bool(ref and gl) and ref.get("value") == gl.get("value") and math.isfinite(real(ref, "value"))


def part_allowed(row, place):
    """Error by allowed error; NaN where nothing is claimed."""
    measured = row["measured"].get(place, {})
    error, allowed = abs(real(measured, "error")), real(measured, "allowed")
    return 0 if error == 0 else error / allowed if allowed > 0 else math.inf if error > 0 else NAN


def physics_plot(plots, cases):
    """Every check as a dot: how much of its allowed error it uses."""
    axes = plots.axes(9.2, .95 + .23 * len(cases), "error / allowed error", "", left=1.1, right=.2)
    least, most = 1e-6, 3
    for marker, colour, place, name, shift in (("o", PALETTE[0], "ref", "single precision (ref)", -.16),
                                               ("s", PALETTE[2], "f64", "double precision (f64)", .16)):
        xs, ys, bad_xs, bad_ys = [], [], [], []
        for y, case in enumerate(cases):
            for row in filter(claims, case["rows"]):
                part = part_allowed(row, place)
                if not math.isnan(part):
                    bad = row["measured"][place].get("passed") is False
                    (bad_xs if bad else xs).append(min(max(part, least), most))
                    (bad_ys if bad else ys).append(y + shift)
        axes.plot(xs, ys, marker, color=colour, markersize=4, alpha=.65, markeredgewidth=0, label=name, clip_on=False)
        if bad_xs:
            axes.plot(bad_xs, bad_ys, "X", color="#d1383d", markersize=8, label="failed, " + name, clip_on=False)
    use_log(axes.xaxis, (least, most))
    axes.set_xlim(least, most)
    axes.axvline(1, color=INK, linewidth=1.2)
    axes.annotate("limit", (1, 1), xycoords=("data", "axes fraction"), xytext=(4, 1), textcoords="offset points", fontsize=9)
    axes.set_yticks(range(len(cases)), [text_of(c, "name") for c in cases])
    axes.set_ylim(len(cases) - .4, -.6)
    axes.tick_params(axis="y", length=0)
    plots.put_legend(axes, 4)
    return plots.figure(axes, "How much of its allowed error each check uses",
                        "Each dot is one check; left of the line it passes. Errors below 10<sup>−6</sup> of what is allowed, and none at "
                        "all, stand at the left edge.")


def physics_head(plots, data, cases):
    rows = [row for case in cases for row in case["rows"]]
    checks = [row for row in rows if claims(row)]
    failed = [row for row in rows if row.get("passed") is False]
    stopped = [c for c in cases if c.get("errors")]
    cut = data.get("cut_short") is True
    passed = data.get("passed") is True and not failed and not stopped and not cut
    both = [row for row in rows if "gl" in row["measured"] and "ref" in row["measured"]]
    differ = sum(not equal_on_gl(row) for row in both)
    if passed:
        title = "The solver agrees with theory in all %s of %s" % (plural(len(checks), "check"), plural(len(cases), "case"))
    elif cut and not failed and not stopped:
        title = "Stopped after %d of %s: the %s until then agree with theory" % (
            len(cases), plural(int(real(data, "cases_wanted")), "case"), plural(len(checks), "check"))
    else:
        bad = [c for c in cases if c.get("errors") or any(r.get("passed") is False for r in c["rows"])]
        title = "%s of %d FAILED, in %s" % (plural(len(failed), "check"), len(checks), plural(len(bad), "case"))
    said = ["Failed: %s, %s" % (words(text_of(c, "name")), words(text_of(r, "what"))) for c in cases for r in c["rows"]
            if r.get("passed") is False]
    said += [verdict(False, "%s did not finish on %s." % (words(text_of(c, "name")), words(", ".join(c["errors"])))) for c in stopped]
    if cut:
        said.append(verdict(False, "A signal ended it: %d cases were not measured." % (int(real(data, "cases_wanted")) - len(cases))))
    said.append("Every expected value comes from theory or a publication, and is computed without the solver.")
    said.append("A check passes when its error is within a limit. Each limit is given with its reason: the order of the method, "
                "or float rounding.")
    if both:
        said.append("GPU shaders (gl) and CPU reference (ref) gave the same value in %s quantities measured on both." % (
            "all %d" % len(both) if not differ else verdict(False, "only %d of %d" % (len(both) - differ, len(both)))))
    backends = data.get("backends") or {}
    for name in PLACES:
        if text_of(backends, name) not in ("", "ran"):
            said.append("%s was not measured: %s" % (name, words(text_of(backends, name))))
    if len(rows) > len(checks):
        said.append("%s are shown without a claim." % plural(len(rows) - len(checks), "further quantity").replace("quantitys", "quantities"))
    badge = '<p><span class="badge %s">%s</span></p>\n' % (("pass", "PASS") if passed else ("fail", "FAIL"))
    more = [("probe", words(text_of(data.get("probe") or {}, "verdict"))), ("time", fixed(real(data, "seconds"), 0, " s"))]
    return "%s<h1>%s</h1>\n%s%s%s" % (badge, words(title), bullets(said), physics_plot(plots, cases), facts(machine(data) + more))


def contents(cases):
    lines = []
    for case in cases:
        name = words(text_of(case, "name"))
        own = [r for r in case["rows"] if claims(r)]
        worst = max((part_allowed(r, p) for r in own for p in r["measured"] if math.isfinite(part_allowed(r, p))), default=NAN)
        lines.append(('<a href="#%s">%s</a>: %s' % (name, name, words(text_of(case, "title"))), len(own), fixed(100 * worst, 1, " %"),
                      fixed(sum(v for v in (case.get("seconds") or {}).values() if isinstance(v, (int, float))), 1),
                      verdict(case.get("passed") is True)))
    return "<h2>Cases</h2>\n" + table(("case", "checks", "max error / allowed", "seconds", "verdict"), lines)


def measured_cell(row, place):
    if place == "gl" and equal_on_gl(row):
        return "= ref"
    return number(real(row["measured"].get(place, {}), "value"), 9)


def physics_row(row):
    cells = [words(text_of(row, "what")), words(text_of(row, "unit")), number(real(row, "expected"), 9)]
    cells += [measured_cell(row, place) for place in PLACES]
    if claims(row):
        place = row["measured"].get(told(row), {})
        cells += [number(real(place, "error"), 3), number(real(place, "allowed"), 3), number(real(row, "method_error"), 3),
                  number(real(row["measured"].get("f64", {}), "allowed"), 3), number(real(row, "rounding_error"), 3),
                  verdict(row.get("passed") is True)]
    else:
        cells += ["", "", "", "", number(real(row, "rounding_error"), 3), ""]
    return cells


def physics_table(case):
    lines, rows = [], case["rows"]
    for k, row in enumerate(rows):
        lines.append(physics_row(row))
        reasons = (text_of(row, "source"), text_of(row, "allowed_because"))
        if k + 1 < len(rows) and reasons == (text_of(rows[k + 1], "source"), text_of(rows[k + 1], "allowed_because")):
            continue  # rows of one reason say it once
        said = ("Expected: " if claims(row) else "") + words(reasons[0])
        said += "<br/>Allowed: " + words(reasons[1]) if reasons[1] else ""
        lines.append('<tr class="words"><td colspan="12"><div>%s</div></td></tr>' % said)
    head = ("quantity", "unit", "expected", "ref", "gl", "f64", "error", "allowed", "method error", "allowed in f64", "rounding", "verdict")
    return table(head, lines)


def physics_curves(plots, axes, graph):
    """Curves of one name share a colour; how they are drawn says where they are from."""
    drawn = [s for s in graph["series"] if not repeats_ref(graph, s)]
    colours = {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(unique(s["name"] for s in drawn if s["from"] != "theory"))}
    for one in drawn:
        points = [(x, y) for x, y in zip(one["x"], one["y"]) if isinstance(x, (int, float)) and isinstance(y, (int, float))]
        if graph.get("x_log") or graph.get("y_log"):
            points = [p for p in points if (p[0] > 0 or not graph.get("x_log")) and (p[1] > 0 or not graph.get("y_log"))]
        if not points:
            continue
        theory, double, gl = (one["from"] == place for place in ("theory", "f64", "gl"))
        style = "-" if theory or not double else "--"
        mark = "" if theory or len(points) > 40 else "s" if gl else "o"
        name = one["name"] if theory or not double else None
        axes.plot(*zip(*points), style + mark, color=INK if theory else colours[one["name"]],
                  linewidth=.9 if theory else 1.4 if double else 2.6,
                  markerfacecolor="none" if double else None, zorder=3 if theory else 2,
                  label=mathtext(name + (PLACE_NAMES["gl"] if gl else "")) if name else None)
        yield from points
    if any(s["from"] == "f64" for s in drawn):
        axes.plot([], [], "--", color=INK, label="dashed: double precision")


def repeats_ref(graph, series):
    """gl is drawn where it differs from ref."""
    ref = next((s for s in graph["series"] if s["from"] == "ref" and s["name"] == series["name"]), None)
    count = len(series["x"])
    return series["from"] == "gl" and ref is not None and ref["x"][:count] == series["x"] and ref["y"][:count] == series["y"]


def graph_plot(plots, graph):
    axes = plots.axes(5.9, 3.5, text_of(graph, "x"), text_of(graph, "y"))
    points = list(physics_curves(plots, axes, graph))
    if not points:
        return ""
    for log, axis, k in ((graph.get("x_log"), axes.xaxis, 0), (graph.get("y_log"), axes.yaxis, 1)):
        if log:
            use_log(axis, [p[k] for p in points], [p[0] for p in points] if k == 0 and all(p[0] % 1 == 0 for p in points) else None)
    if graph.get("equal"):
        axes.set_aspect("equal", adjustable="datalim")
    plots.put_legend(axes)
    return plots.figure(axes, text_of(graph, "title"))


def case_section(plots, case):
    name = words(text_of(case, "name"))
    failed = case.get("passed") is not True
    errors = "".join("<p>%s</p>\n" % verdict(False, "Failed on %s: %s" % (words(place), words(why)))
                     for place, why in (case.get("errors") or {}).items())
    drawn = "".join(graph_plot(plots, graph) for graph in case["plots"])
    own = [r for r in case["rows"] if claims(r)]
    bad = sum(r.get("passed") is False for r in own)
    summary = "Table of %s: %s" % (plural(len(own), "check"), verdict(not failed, "%d FAILED" % bad if bad else "pass" if not failed else "FAIL"))
    return '<h2 id="%s">%s: %s</h2>\n<p>%s</p>\n%s<div class="plots">%s</div>\n<details%s><summary>%s</summary>\n%s</details>\n' % (
        name, name, words(text_of(case, "title")), words(text_of(case, "text")), errors, drawn, ' open="open"' if failed else "",
        summary, physics_table(case))


READING = """<h2>How to read the cases</h2>
<dl>
<dt>ref, gl, f64</dt><dd>The CPU reference in single precision, the compute shaders, and the same passes in double precision.</dd>
<dt>error</dt><dd>Measured minus expected, in single precision unless only double precision was measured.</dd>
<dt>method error</dt><dd>f64 minus expected: what the method does wrong, without rounding.</dd>
<dt>rounding</dt><dd>ref minus f64. Method error and rounding add up to the error.</dd>
<dt>plots</dt><dd>Thin lines are theory. Full lines are single precision. Dashed lines are double precision. gl is drawn only where it differs from ref.</dd>
</dl>
"""


def physics_page(data):
    cases = check(data["cases"], ("name", "title"), (), "case")
    for case in cases:
        check(case.get("rows"), ("what",), (), "row of " + case["name"])
        check(case.setdefault("plots", []), ("title",), (), "plot of " + case["name"])
        for row in case["rows"]:
            if not isinstance(row.get("measured"), dict):
                raise NotAReport("row \"%s\" of %s has no \"measured\"" % (row["what"], case["name"]))
        for graph in case["plots"]:
            for series in check(graph.get("series"), ("name", "from"), (), "curve of " + case["name"]):
                if not isinstance(series.get("x"), list) or not isinstance(series.get("y"), list):
                    raise NotAReport("a curve of %s has no points" % case["name"])
    if not cases:
        raise NotAReport("no cases: there is nothing to draw")
    plots = Plots()
    body = physics_head(plots, data, cases) + contents(cases) + READING
    return page("physics", body + "".join(case_section(plots, case) for case in cases))


# ---- the program ----

def write(path, text):
    if path is None:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    temporary = "%s.tmp.%d" % (path, os.getpid())
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def main():
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("-o", "--output")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if not args.file and not args.check:
        parser.error("which file?")
    try:
        import matplotlib.backends.backend_svg  # noqa: F401
        if args.check:
            return 0
        data = read(args.file)
        if "rows" in data and "cases" not in data:
            text = bench_page(data)
        elif "cases" in data:
            text = physics_page(data)
        else:
            raise NotAReport("neither \"rows\" of `weft bench` nor \"cases\" of `weft validate --physics`")
        write(args.output, text)
    except ImportError as why:
        print("report.py: plots need matplotlib (Debian: python3-matplotlib): %s" % why, file=sys.stderr)
        return 4
    except NotAReport as why:
        print("report.py: %s: %s" % (args.file, why), file=sys.stderr)
        return 3
    except OSError as why:
        print("report.py: %s: cannot write: %s" % (args.output or "standard output", why.strerror), file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
