#!/usr/bin/env python3
"""Writes examples/shirt.obj, a T-shirt of two panels: scripts/shirt.py > examples/shirt.obj

Front and back are one outline, cut of squares of 4 cm, and share its vertices where they are sewn. At the neck, the
hem and the ends of the sleeves they do not. The panels stand apart as over a body: z is a quarter of a circle over
the distance to the nearest seam, and shoulders fall off from the neck. Metres, y up, as worn by somebody of 1.7 m."""

CELL, LOW, DEEP, ROUND, SLOPE = 0.04, 0.72, 0.09, 0.16, 0.3
BODY, HIGH, SLEEVE, LONG, NECK = 13, 18, 5, 5, 3  # cells: across, up, of a sleeve up and out, half of the neck

def cells():
    body = [(x, y) for x in range(BODY) for y in range(HIGH)]
    left = [(x, y) for x in range(-LONG, 0) for y in range(HIGH - SLEEVE, HIGH)]
    return set(body + left + [(BODY - 1 - x, y) for x, y in left])

def is_open(a, b):
    """Whether an edge of the outline, from corner to corner of cells, is no seam."""
    middle = (a[0] + b[0]) / 2
    if a[1] == b[1]:
        return a[1] == 0 or (a[1] == HIGH and abs(middle - BODY / 2) < NECK)
    return a[0] in (-LONG, BODY + LONG)

def outline(cut):
    for x, y in cut:
        for beside, a, b in (((x, y - 1), (x, y), (x + 1, y)), ((x, y + 1), (x, y + 1), (x + 1, y + 1)),
                             ((x - 1, y), (x, y), (x, y + 1)), ((x + 1, y), (x + 1, y), (x + 1, y + 1))):
            if beside not in cut:
                yield a, b

def distance(p, seams):
    """Cells from a corner to the nearest seam."""
    def to(a, b):
        nearest = [min(max(p[k], min(a[k], b[k])), max(a[k], b[k])) for k in (0, 1)]
        return ((p[0] - nearest[0]) ** 2 + (p[1] - nearest[1]) ** 2) ** 0.5
    return min(to(a, b) for a, b in seams)

def main():
    cut = cells()
    corners = sorted({(x + i, y + j) for x, y in cut for i in (0, 1) for j in (0, 1)}, key=lambda c: (-c[1], c[0]))
    seams = [edge for edge in outline(cut) if not is_open(*edge)]
    sewn = {corner for edge in seams for corner in edge}
    number, lines = {}, []
    for side, sign in (("front", 1), ("back", -1)):
        for c in corners:
            if side == "back" and c in sewn:
                number[side, c] = number["front", c]
                continue
            part = min(distance(c, seams) * CELL / ROUND, 1)
            z = sign * DEEP * (1 - (1 - part) ** 2) ** 0.5
            x, y = (c[0] - BODY / 2) * CELL, c[1] * CELL
            fall = SLOPE * max(abs(x) - (NECK - 0.5) * CELL, 0) * c[1] / HIGH  # of the shoulders, and less below
            lines.append("v %.4f %.4f %.4f" % (x, LOW + y - fall, z))
            number[side, c] = len(lines)
    print("# A T-shirt of two panels; written by scripts/shirt.py, free to use as the rest of weft.")
    print("\n".join(lines))
    for c in corners:
        print("vt %.4f %.4f" % (0.5 + (c[0] - BODY / 2) / (BODY + 2 * LONG), c[1] / HIGH))
    at = {c: k + 1 for k, c in enumerate(corners)}
    for side in ("front", "back"):
        print("g " + side)
        for x, y in sorted(cut, key=lambda c: (-c[1], c[0])):
            quad = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
            # Diagonals alternate, so that neither direction of the cloth is the stiffer one.
            halves = ((0, 1, 2), (0, 2, 3)) if (x + y) % 2 else ((0, 1, 3), (1, 2, 3))
            for half in halves:
                turn = half if side == "front" else half[::-1]
                print("f " + " ".join("%d/%d" % (number[side, quad[k]], at[quad[k]]) for k in turn))

main()
