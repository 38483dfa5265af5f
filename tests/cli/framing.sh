#!/usr/bin/env bash
# A picture shows the cloth of a file whole, wherever the file has it and whatever its size.
. "$(dirname "$0")/helpers.bash"

have_gl || { echo "skipped: no OpenGL that draws"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }

# sheet NAME PLACE SIDE: 8 x 8 vertices, SIDE across, its corner at PLACE,PLACE,PLACE.
sheet() {
  python3 - "$work/$1.obj" "$2" "$3" <<'PY'
import sys
place, side, n = float(sys.argv[2]), float(sys.argv[3]), 8
with open(sys.argv[1], "w") as file:
    for k in range(n * n):
        file.write(f"v {place + side * (k % n) / (n - 1)} {place + side * (k // n) / (n - 1)} {place}\n")
    for k in range((n - 1) * (n - 1)):
        a = k // (n - 1) * n + k % (n - 1) + 1
        file.write(f"f {a} {a + 1} {a + n + 1} {a + n}\n")
PY
}

# seen PICTURE: how much of it is red cloth, in per cent, and whether that ends before the edges.
seen() {
  python3 - "$1" <<'PY'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
assert depth == 8 and kind in (2, 6)
pixel, packed, at = 3 if kind == 2 else 4, b"", 8
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    if name == b"IDAT":
        packed += data[at + 8:at + 8 + size]
    at += size + 12
raw, rows, before = zlib.decompress(packed), [], bytes(width * pixel)
for y in range(height):
    how, row = raw[y * (width * pixel + 1)], bytearray(raw[y * (width * pixel + 1) + 1:(y + 1) * (width * pixel + 1)])
    for x in range(len(row)):
        a, b, c = row[x - pixel] if x >= pixel else 0, before[x], before[x - pixel] if x >= pixel else 0
        p = a + b - c
        near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[x] = (row[x] + (0, a, b, (a + b) // 2, near)[how]) & 255
    rows.append(row)
    before = row
red = [(x, y) for y in range(height) for x in range(width)
       if rows[y][x * pixel] > 60 and rows[y][x * pixel] > 1.5 * rows[y][x * pixel + 1]]
part = 100 * len(red) / (width * height)
inside = red and all(0 < x < width - 1 and 0 < y < height - 1 for x, y in red)
print(f"{part:.1f} {'whole' if inside else 'cut'}")
PY
}

for case in near:0:1: far:1000:1: tiny:0:0.001: far_and_tiny:1:0.001: huge:0:1000: millimetres:1000000:1000:"--scale 0.001"; do
  IFS=: read -r name place side scale <<<"$case"
  sheet "$name" "$place" "$side"
  for frame in 0 30; do
    run 0 render "$work/$name.obj" $scale --frame $frame --width 120 --height 80 --samples 1 --log-level error -o "$work/$name.png"
    read -r part whole <<<"$(seen "$work/$name.png")"
    [ "$whole" = whole ] && awk -v p="$part" 'BEGIN {exit !(p > 8 && p < 40)}' ||
      complain "$name, frame $frame: $part % of the picture is cloth, $whole"
  done
done
finish
