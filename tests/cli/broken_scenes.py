#!/usr/bin/env python3
"""Writes scene files that are wrong in one place each: broken_scenes.py GOOD FOLDER SCHEMA.

GOOD is a scene file that weft takes. FOLDER gets NAME.weft.json files, and FOLDER/list says of each: its name, the line
that is wrong, the key, or - where the text is no JSON. What the schema tells too is held against it, where jsonschema is
there. The same bytes every time."""
import copy
import json
import os
import sys

good, folder, schema_path = sys.argv[1:]
text = open(good).read()
scene = json.loads(text)
rows, schema_missed = [], []
try:
    import jsonschema

    validator = jsonschema.Draft202012Validator(json.load(open(schema_path)))
    validator.check_schema(validator.schema)
    wrong = [error.message for error in validator.iter_errors(scene)]
    assert not wrong, wrong
except ImportError:
    validator = None
    print("left out: no Python module jsonschema (Debian: python3-jsonschema), so the schema is not held against anything")


def put(content, line, key):
    name = f"b{len(rows):03}"
    with open(os.path.join(folder, name + ".weft.json"), "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(content)
    rows.append((name, line, key))


def line_of(content, mark):
    return content[:content.index(mark)].count("\n") + 1


MARK = "\ue000"


def at(made, path):
    """Its text, and the line of the value at the path."""
    content = json.dumps(made, indent=1)
    marked, place = copy.deepcopy(made), None
    place = marked
    for step in path[:-1]:
        place = place[step]
    last = path[-1] if path else None
    if last is None:
        return content, 1
    if isinstance(place, dict):
        items = [(key + MARK if key == last else key, value) for key, value in place.items()]
        place.clear()
        place.update(items)
    else:
        place[last] = MARK
    return content, line_of(json.dumps(marked, indent=1, ensure_ascii=False), MARK)


def name_of(path):
    out = ""
    for step in path:
        out += f"[{step}]" if isinstance(step, int) else ("." if out else "") + step
    return out


def change(path, value, where=None, schema=True):
    """Another value at a path, or with a new last step a further key. `where` it is wrong, if elsewhere. `schema`: it tells
    as well."""
    made = copy.deepcopy(scene)
    place = made
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    content, line = at(made, where or path)
    put(content, line, name_of(where or path))
    if validator and schema and validator.is_valid(made):
        schema_missed.append(f"{name_of(path)} = {json.dumps(value)[:60]}")


def drop(path, key):
    made = copy.deepcopy(scene)
    place = made
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    put(json.dumps(made, indent=1), None, key)
    if validator and validator.is_valid(made):
        schema_missed.append(f"without {name_of(path)}")


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


def objects(value, path=()):
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            yield from objects(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, (*path, index))


BODY_KEYS = ("bodies", 0, "keys")  # of docs/motion.md: read as a motion is
FREE = {("about",)}

# ---- another kind of value, at every leaf ----
for path, value in leaves(scene):
    if path[:3] == BODY_KEYS:
        continue
    change(path, None)
    change(path, {"a": 1})
    if path in FREE:
        change(path, 5)
        continue
    if isinstance(value, bool) or isinstance(value, (int, float)):
        change(path, "many")
    if isinstance(value, list):
        change(path, value + [5 if isinstance(value[0], str) else "x"], (*path, len(value)) if path[-1] == "outputs" else None)
        if all(isinstance(item, (int, float)) for item in value):
            change(path, [[1]])
    if isinstance(value, str):
        change(path, [{}], (*path, 0) if path[-1] == "attach" else None)
        change(path, "")

# ---- out of range ----
for path, value in [(("weft",), 2), (("frames",), 0), (("frames",), 1000001), (("frames",), -3), (("cloth", "scale"), 0), (("cloth", "scale"), -1),
                    (("parameters", "gust"), 1.5), (("parameters", "substeps"), 0), (("parameters", "substeps"), 100000),
                    (("parameters", "self_dynamic"), -0.1), (("parameters", "mode"), "gauss"), (("cloth", "bending"), "none at all"),
                    (("cloth", "up"), "x"), (("pins", 0, "rule"), "bottom"), (("bodies", 0, "up"), "w"), (("cloth", "weld"), "some")]:
    change(path, value)
for path, value, key in [(("pins", 0, "weight"), 1.5, None), (("pins", 0, "weight"), -1, None), (("bodies", 0, "friction"), [-1, 0], None),
                         (("bodies", 0, "thickness"), 3, None), (("colliders", 0, "sphere"), [0, 0, 0, -1], None),
                         (("colliders", 0, "sphere"), [1e9, 0, 0, 1], None), (("colliders", 0, "friction"), 1e9, None),
                         (("cloth", "unit"), 1e9, None), (("cloth", "unit"), "furlong", None), (("cloth", "fabric"), "felt", None),
                         (("cloth", "turn"), [1e9, 0, 0], None), (("pins", 1, "box"), [1, 1, 1, 0, 0, 0], None),
                         (("keys", 0, "wind"), [1e9, 0, 0], None), (("keys", 1, "gravity"), [1, 2], None), (("parameters", "max_strain"), 3, None),
                         (("colliders", 1, "box"), [0, 0, 0, 0, 1, 1], None), (("colliders", 2, "plane"), [0, 0, 0, 1], None),
                         (("keys", 2, "substeps"), 0, None), (("keys", 2, "self_collision"), "maybe", None)]:
    change(path, value, key, schema=False)
# ---- times that go back ----
change(("pins", 0, "keys", 1, "time"), 0, ("pins", 0, "keys", 1), schema=False)
change(("colliders", 0, "keys", 1, "time"), -1, ("colliders", 0, "keys", 1), schema=False)
change(("keys", 1, "time"), 0, ("keys", 1, "wind"), schema=False)
# ---- files that are not there ----
change(("cloth", "file"), "no such file.obj", schema=False)
change(("bodies", 0, "file"), "no such file.obj", schema=False)
# ---- names that are not there ----
change(("pins", 2, "group"), "no such group", schema=False)
# ---- lists and objects of the wrong length ----
for path in [("cloth", "turn"), ("colliders", 0, "sphere"), ("colliders", 1, "box"), ("colliders", 2, "plane"), ("colliders", 3, "capsule"),
             ("pins", 1, "box"), ("pins", 0, "keys", 1, "move"), ("colliders", 0, "keys", 1, "move")]:
    change(path, [1])
    change(path, [1] * 9)
    change(path, [])
change(("pins", 3, "vertices"), [])
change(("pins", 3, "vertices"), [-1])
change(("pins", 3, "vertices"), [1.5])
change(("pins", 3, "vertices"), [99999999], schema=False)
change(("pins", 4, "colour"), [1, 2])

# ---- keys that are none, in every object ----
for path in objects(scene):
    if path[:3] != BODY_KEYS and path != ("cloth", "layer"):
        change((*path, "colour of the sky"), 1)
        change((*path, "tim"), 1)
change(("parameters", "gravty"), [0, 0, 0])
change(("cloth", "sene"), "skirt")

# ---- two heads, or none ----
for path, extra in [(("pins", 0), ("box", [0, 0, 0, 1, 1, 1])), (("colliders", 0), ("plane", [0, 1, 0, 0])), (("cloth",), ("scene", "skirt")),
                    (("bodies", 0), ("scene", "walk"))]:
    change((*path, extra[0]), extra[1], path)
drop(("pins", 1, "box"), "pins[1]")
drop(("colliders", 1, "box"), "colliders[1]")
drop(("cloth", "file"), "cloth")
drop(("bodies", 0, "file"), "bodies[0]")
drop(("cloth",), "the file")
drop(("weft",), "the file")
drop(("keys", 0, "time"), "keys[0]")
drop(("pins", 0, "keys", 0, "time"), "pins[0].keys[0]")
drop(("colliders", 0, "keys", 0, "time"), "colliders[0].keys[0]")

# ---- no JSON ----
lines = text.split("\n")
for number in range(0, len(lines) - 1, 3):
    put("\n".join(lines[:number]), None, "-")
for number in range(1, len(lines) - 1, 4):
    put("\n".join(lines[:number] + ["}{"] + lines[number:]), number + 1, "-")
put(text.replace('"weft"', '"weft": 1, "weft"', 1), None, "-")
put(text.replace("1", "1e999", 1), None, "-")
put("\xff\xfe" + text, None, "-")
put("", None, "-")
put("null", None, "-")
put("[" * 3000, None, "-")
put("[1]", 1, "the file")
put('"text"', None, "-")

with open(os.path.join(folder, "list"), "w") as file:
    for name, line, key in rows:
        print(name, line or "-", key, sep="\t", file=file)
print(f"{len(rows)} broken scene files")
if schema_missed:
    print("the schema takes what weft refuses:", *schema_missed, sep="\n  ")
    sys.exit(1)
