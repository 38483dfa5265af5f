#!/usr/bin/env python3
"""All memory of the library goes through src/core/base/heap.c, and every public function that allocates has a guard
(base.h). Which ones do not allocate stands here. Argument: the project's folder."""
import glob
import os
import re
import sys

LEAST_FOUND = 100

# Functions of the C library that allocate or free. The system's own results are freed where they come from.
OWN = r"malloc|calloc|realloc|free|strdup|strndup|aligned_alloc|posix_memalign|memalign|asprintf|vasprintf|getline|open_memstream"

# No guard: these allocate nothing.
NO_MEMORY = set("""
weft_set_allocator weft_free
weft_mesh_free weft_mesh_number weft_mesh_face
weft_material_find weft_material_at weft_model_radius weft_model_link_count weft_model_links weft_model_destroy weft_model_memory
weft_model_part_count weft_model_part weft_model_particle_count weft_model_number weft_model_numbered
weft_model_triangle_count weft_model_triangles weft_model_rest_positions weft_model_inverse_masses
weft_model_pinned_count weft_model_is_pinned weft_model_attached_count weft_model_is_attached
weft_model_group_count weft_model_group weft_model_constraint_count weft_model_colour_count
weft_params_default weft_params_mueller2007 weft_params_plain
weft_backend_ref weft_backend_cpu weft_backend_cpu_describe weft_backend_f64 weft_backend_name
weft_solver_destroy weft_solver_frame weft_solver_time weft_solver_release weft_solver_grabbed weft_solver_model
weft_solver_params weft_solver_schedule weft_structure_free weft_frame_input_free
weft_binding_destroy weft_binding_distance
weft_export_format_at weft_export_format_of weft_export_abandon weft_mesh_set_reader weft_mesh_groups_free
weft_source_free weft_motion_free weft_motion_mesh weft_motion_describe weft_motion_frame_seconds
weft_motion_duration
weft_gl_destroy weft_gl_message_count weft_gl_caller_error weft_gl_readback_ready weft_gl_fence weft_gl_readback_destroy
weft_scene_file_destroy weft_scene_file_model weft_scene_file_params weft_scene_file_frames weft_scene_builtin
weft_gl_drawing_destroy weft_log_set weft_progress_set weft_state_destroy weft_solver_pin_weight weft_solver_hold_tables
""".split())

# The guard stands in the function that this one calls first.
WITHIN = {"weft_export_close": "close_file"}


def without_comments(text):
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def body_of(name, sources):
    head = re.compile(r"^[a-z][\w \*]*\b" + name + r"\([^;{}]*\) \{(?:$(.*?)^\}|([^\n]*)\}$)", flags=re.M | re.S)
    for path, text in sources.items():
        found = head.search(text)
        if found:
            return path, found.group(1) or found.group(2)
    return None, None


def main():
    os.chdir(sys.argv[1])
    complaints = []
    sources = {}
    for folder in ("src/core", "src/kit", "src/gl"):
        for path in sorted(glob.glob(folder + "/**/*.[ch]", recursive=True)):
            with open(path, encoding="utf-8") as file:
                sources[path] = without_comments(file.read())
    for path, text in sources.items():
        if path == "src/core/base/heap.c":
            continue
        for number, line in enumerate(text.split("\n"), 1):
            call = re.search(r"(?<![\w>.])(" + OWN + r")\s*\(", line)
            if call:
                complaints.append(f"{path}:{number}: {call.group(1)} is not called here: weft_alloc, weft_free and "
                                  "the others of base.h take the program's allocator")
    names = []
    for path in sorted(glob.glob("include/*/*.h")):
        with open(path, encoding="utf-8") as file:
            names += re.findall(r"WEFT_API [^;]*?\b(weft_\w+)\(", without_comments(file.read()))
    for name in names:
        path, body = body_of(WITHIN.get(name, name), sources)
        guarded = body is not None and "WEFT_GUARD" in body
        if body is None:
            complaints.append(f"{name}: its definition was not found")
        elif guarded and name in NO_MEMORY:
            complaints.append(f"{path}: {name} has a guard, and tests/style/memory.py says that it allocates nothing")
        elif not guarded and name not in NO_MEMORY:
            complaints.append(f"{path}: {name} has no guard (WEFT_GUARD, base.h); if it allocates nothing, "
                              "list it in tests/style/memory.py")
        elif name in NO_MEMORY and re.search(r"\bweft_(alloc|alloc_lines|realloc|grow|strdup|string_add)\w*\(", body):
            complaints.append(f"{path}: {name} allocates, and has no guard")
    complaints += [f"tests/style/memory.py: {name} is no public function" for name in sorted(NO_MEMORY - set(names))]
    if len(names) < LEAST_FOUND:
        complaints.append(f"only {len(names)} public functions were found")
    print("\n".join(complaints) or f"{len(names)} public functions, {len(NO_MEMORY)} of which allocate nothing")
    return 1 if complaints else 0


sys.exit(main())
