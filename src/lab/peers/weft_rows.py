"""What users of weft get: its own scenes and garments of files, with the settings that they come with or plain."""
import json
import pathlib

import agree

PLAIN, HELD = ["--plain", "--self-collision", "off"], ["--self-collision", "off"]
# name: (scene, options, warm-up frames). A second later drape lies on its ball.
SCENES = {
    "weft_bench": ("hanging", [*PLAIN, "--damping", "0", "--ground", "off"], 0),
    "hanging held": ("hanging", HELD, 60),
    "hanging default": ("hanging", [], 60),
    "drape plain": ("drape", PLAIN, 60),
    "drape held": ("drape", HELD, 60),
    "drape default": ("drape", [], 60),
}
# Files of a folder of garments, and the unit of their coordinates.
GARMENTS = {"T-shirt": ("garments/diffcloth_tshirt1900.obj", "dm"), "worksuit": ("garments/makehuman_male_worksuit01.obj", "dm")}
HOW = {"plain": PLAIN, "held": HELD, "default": []}
GARMENT_FRAMES = 30


def of_row(program, row, threads):
    return {"program": program, "threads": threads, "size": row["size"], "constraints": row["constraints"], "substeps": row["substeps"],
            "frames": row["frames"], "ms_median": row["ms_per_frame_median"], "ms_least": row["ms_per_frame_min"],
            "processor_ms": row["processor_ms_per_frame"],
            "ns_projection": 1e6 * row["ms_per_frame_median"] / (row["constraints"] * row["substeps"]),
            "strain_p99": row["strain_p99"], "threads_p99_most": row["strain_threads_p99_max"]}


def scene(weft, program):
    name, options, warm_up = SCENES[program]

    def run(size, threads, frames):
        frames = frames if warm_up == 0 else 2  # of a run of three; the lead has been run then
        printed = agree.run([weft, "bench", "--scene", name, "--size", size, "--backend", "cpu", "--threads", threads, *options,
                             "--warm-up-frames", warm_up, "--samples", "3", "--frames", frames, "--format", "json", "--log-level", "error"])
        return of_row(program, json.loads(printed.stdout)["rows"][0], threads)
    return run


def garment(weft, folder, meshes, name, how, threads):
    """Its mean frame over GARMENT_FRAMES, held by its top ring."""
    file, unit = GARMENTS[name]
    path = folder / "summary.json"
    agree.run([weft, "simulate", pathlib.Path(meshes) / file, "--unit", unit, "--pin", "top", "--frames", GARMENT_FRAMES, "--backend", "cpu", "--threads", threads,
               *HOW[how], "--json", path, "--log-level", "error"])
    told = json.loads(path.read_text())
    path.unlink()
    return {"garment": name, "how": how, "threads": threads, "file": pathlib.Path(file).name, "particles": told["particles"],
            "constraints": sum(group["constraints"] for group in told["groups"]), "substeps": told["substeps"],
            "ms_mean": told["ms_per_frame"], "strain_threads_p99": told["metrics"]["strain_threads_p99"]}


def build_of(weft):
    """Commit, compiler and flags of the program."""
    printed = agree.run([weft, "bench", "--scene", "hanging", "--size", "4", "--backend", "cpu", "--samples", "1", "--frames", "1",
                         "--warm-up-frames", "0", "--format", "json", "--log-level", "error"])
    return json.loads(printed.stdout)["build"]
