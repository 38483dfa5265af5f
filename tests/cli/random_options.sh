#!/usr/bin/env bash
# Option sets drawn at random are equal in every bit on all backends; two thirds are of cloth that touches. Seeds are printed, and
# WEFT_RANDOM_RUNS asks for more than 20 sets.
python3 "$(dirname "$0")/random_options.py" "$1" "${WEFT_RANDOM_RUNS:-20}"
