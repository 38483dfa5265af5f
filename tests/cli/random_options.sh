#!/usr/bin/env bash
# Option sets drawn at random are equal in every bit on all backends; two thirds are of cloth that touches. Seeds are printed. 6 sets,
# 20 in the long form; WEFT_RANDOM_RUNS asks for another number.
python3 "$(dirname "$0")/random_options.py" "$1" "${WEFT_RANDOM_RUNS:-$([ -n "${WEFT_TEST_LONG:-}" ] && echo 20 || echo 6)}"
