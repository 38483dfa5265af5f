#!/usr/bin/env python3
"""Whether a PPM has so many pixels in which one of red, green and blue is well above the others.
Arguments: the picture, 0 to 2, how many."""
import sys

words = open(sys.argv[1], "rb").read().split(b"\n", 3)
pixels, one = words[3], int(sys.argv[2])
count = sum(p[one] > 1.5 * max(p[k] for k in range(3) if k != one)
            for p in zip(pixels[0::3], pixels[1::3], pixels[2::3]))
print(f"{count} pixels")
sys.exit(count < int(sys.argv[3]))
