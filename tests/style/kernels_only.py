#!/usr/bin/env python3
"""Where things may be: the arithmetic of passes in shaders/kernels alone, and what is special about a type of constraint
in its own files. Argument: the project's folder."""
import glob
import os
import re
import sys

os.chdir(sys.argv[1])
complaints = []

# Roots, products and multiples of vectors.
ARITHMETIC = re.compile(
    r"\b(exact_(?:rsqrt|rcp|dot|cross|atan2)|rsqrt\w*|inversesqrt|sqrtf?|normalize|dot|cross|length|(?:v3_)?scale|"
    r"weft_v3_(?:dot|cross|length|scale))\s*\(")
# Products of numbers, and of inverse masses: a projection may do without roots, but not without these. A number is a
# variable declared as one in the same file, or a literal with a point. Sums are not looked at: passes add up, too.
TYPES = r"\b(?:real[34]?|float|quad|v[f34]|vec[34]|weft_vec3)"
# Bytes of a row are no number of a pass.
PRODUCT = re.compile(r"((?:[\w.]|->|\[\w*\])*) \*=? \(?((?:[\w.]|->|\[\w*\])*)")
FOLDERS = ["shaders/passes/*.h", "shaders/solver/*", "src/core/solver_ref/*", "src/gl/solver_gl/*.[ch]", "src/core/solver_f64/*",
          "src/core/solver_cpu/*.[ch]"]
# Where there is arithmetic all the same: functions of a file, why, and the test that holds them against the kernels.
BOUNDS = "tests/unit/test_cpu_collide.c:only_shapes_out_of_reach_are_left_out"
PARITY = "tests/scenes/test_cpu_parity.c:"
LISTS = "tests/parity/test_self_lists.c:lists_are_what_brute_force_lists"
GRADIENTS = "tests/parity/test_self_bounds.c:bounds_certify_what_gradients_do"
PROBE = "asks the driver for these very results"
ALLOWED = [
    ("shaders/solver/probe.comp", "main", PROBE, None),
    ("src/gl/solver_gl/probe.c", "probe_inputs probe_expected", PROBE, None),
    ("src/core/solver_f64/double.h", "exact_rcp exact_rsqrt exact_atan2", "the kernels' roots in doubles",
     "tests/unit/test_f64.c:one_substep_differs_from_the_reference_by_rounding_alone"),
    ("src/core/solver_cpu/lanes_vector.h", "scale", "v3_scale in vectors", PARITY + "every_scene_has_the_reference_s_bits"),
    ("src/core/solver_cpu/lanes_attachments.h", "may_be_taut", "lengths by their squares, with room for rounding: no root",
     PARITY + "levels_and_lra_have_the_reference_s_bits"),
    ("src/core/solver_cpu/lanes_collide.h", "particle_block_of near_shapes", "bounds, with room for rounding", BOUNDS),
    ("src/core/solver_cpu/shapes.c", "length_of bound_of", "bounds, with room for rounding", BOUNDS),
    ("src/core/solver_cpu/lanes_detect.h", "frame_of put_whole find_two too_near near_vertex near_edges", "bounds, with room for rounding", LISTS),
    ("src/core/solver_cpu/lanes_patches.h", "root_unit frame_along find_turns glance_at_points bound_lanes keep_numbers",
     "bounds, with room for rounding", GRADIENTS),
    ("src/core/solver_cpu/self.c", "steepness", "a bound, with room for rounding", GRADIENTS),
    ("src/core/solver_cpu/fast_safe.c", "quad_is_fast_safe", "whether weights are small enough for the fast path",
     PARITY + "masses_out_of_this_world_take_the_safe_path"),
]


def without_comments(text):
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", blank, re.sub(r"/\*.*?\*/", blank, text, flags=re.S))


def numbers_of(text):
    """Names declared as numbers: parameters, and all that one declaration lists."""
    names = set(re.findall(TYPES + r" \*?(?:const )?(\w+)", text))
    while (shorter := re.sub(r"\([^()]*\)", "", text)) != text:
        text = shorter
    for declared in re.findall(TYPES + r" ([^;{}]*)", text):
        names.update(re.findall(r"(?:^|, )\*?(\w+)", declared))
    return names


def is_number(factor, names):
    name = re.match(r"[a-z_]\w*", factor)
    return bool(name and name.group() in names or re.search(r"(?:\.|->)w$|^\d+\.\d", factor))


def function_at(text, place):
    """The last function that begins before a place, on a line that is not indented."""
    heads = re.findall(r"^(?:PASS\(|(?:[a-z]|LANE|KERNEL)[^;(\n]*?\b)(\w+)[()]", text[: text.find("\n", place)], flags=re.M)
    return heads[-1] if heads else "no function"


looked = 0
allowed = {(path, function): test for path, functions, _, test in ALLOWED for function in functions.split()}
used = set()
for path in sorted(path for pattern in FOLDERS for path in glob.glob(pattern)):
    looked += 1
    text = without_comments(open(path).read())
    text = re.sub(r"\* ?\(u?int32_t\)", lambda match: " " * len(match.group()), text)
    names = numbers_of(text)
    found = [(match.start(), match.group(1)) for match in ARITHMETIC.finditer(text)]
    found += [(match.end(1), match.group().strip()) for match in PRODUCT.finditer(text)
              if any(is_number(factor, names) for factor in match.groups())]
    for place, what in sorted(found):
        where = (path, function_at(text, place))
        used.add(where)
        if where not in allowed:
            line = text.count("\n", 0, place) + 1
            complaints.append(f"{path}:{line}: {where[1]}: {what}: the arithmetic of passes belongs in shaders/kernels")
if looked < 60:
    complaints.append(f"only {looked} files were found: this check looks at nothing")
for where, test in allowed.items():
    if where not in used:
        complaints.append(f"{': '.join(where)} is allowed arithmetic, but has none")
    source, _, name = (test or "").partition(":")
    if test and not (os.path.exists(source) and re.search(rf'unit_test\({name}\)|"{name}"', open(source).read())):
        complaints.append(f"{': '.join(where)} is allowed arithmetic for its test {test}, which is not there")

# A type of constraint is named where it is described, chosen and computed.
MAX_FILES = 10
named = []
for folder, _, files in os.walk("."):
    if re.match(r"\./(src|include|shaders)\b", folder) and not re.match(r"\./src/(kit/scenes|lab/physics)\b", folder):
        paths = [os.path.join(folder, name) for name in files]
        named += [path for path in paths if "dihedral" in open(path, errors="replace").read().lower()]
if not 3 <= len(named) <= MAX_FILES:
    complaints.append(f"dihedral is named in {len(named)} files, {MAX_FILES} are allowed: {' '.join(sorted(named))}")

print("\n".join(complaints) if complaints else f"{looked} files, arithmetic in {len(used)} functions of them; dihedral in {len(named)} files")
sys.exit(1 if complaints else 0)
