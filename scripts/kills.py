"""Kills weft at random moments and looks at what it leaves: kills.py WEFT COUNT SEED [JOB...].

Each round starts simulate, render, bench or validate in a folder that holds whole older files of the same names, sends SIGKILL,
SIGTERM or SIGINT at a random moment, sometimes twice, and reads every file. A file must be the older one or a whole new one; after
SIGTERM and SIGINT there must be no temporary one; files must say what the last sentence says. A run with --checkpoint goes on with
--resume, is perhaps killed once more, and ends with the files of one that was not. Prints a table, status 1 for a finding."""
import collections
import csv
import hashlib
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

VERTICES, FACES = 24 * 24, 2 * 23 * 23
SCENE = ["hanging", "--size", "24"]
DRAWN = SCENE + ["--samples", "1", "--shadow-size", "128", "--width", "120", "--height", "68"]
JOBS = {
    "simulate": ["simulate", *SCENE, "--frames", "400", "--backend", "ref", "-o", "a.pc2", "-o", "a.mdd", "-o", "a.usda", "-o", "a.ply",
                 "-o", "a.glb", "-o", "last.obj", "-o", "f-%03d.obj", "--json", "a.json"],
    "resumed": ["simulate", "heap", "--size", "24", "--frames", "60", "--backend", "cpu", "--checkpoint", "c.ckpt", "--every", "5",
                "-o", "a.pc2", "-o", "a.mdd", "-o", "a.usda", "-o", "last.obj", "-o", "f-%03d.ply", "--json", "a.json"],
    "numbered": ["render", *DRAWN, "--from", "0", "--to", "40", "-o", "p-%03d.png"],
    "video": ["render", *DRAWN, "--from", "0", "--to", "60", "-o", "v.mp4"],
    "bench": ["bench", "--scene", "hanging", "--size", "8,12,16,20", "--backend", "cpu,ref", "--frames", "5", "--warm-up-frames", "20",
              "--format", "json", "-o", "b.json"],
    "table": ["bench", "--scene", "hanging", "--size", "8,12,16,20", "--backend", "cpu,ref", "--frames", "5", "--warm-up-frames", "20",
              "--format", "csv", "-o", "b.csv"],
    "validate": ["validate", *SCENE, "--backend", "cpu", "--frames", "60", "--json", "v.json"],
}

OLDER = ["--dt", "0.015"]  # what older files come from, so that they differ


def wrong(condition, sentence):
    if condition:
        raise AssertionError(sentence)


# ---- whole files, each read to its end; they return the number of frames, or None ----

def read_pc2(data):
    wrong(data[:12] != b"POINTCACHE2\0", "no PC2")
    _, points, _, _, samples = struct.unpack("<iiffi", data[12:32])
    wrong(points != VERTICES or len(data) != 32 + 12 * points * samples, "its header does not fit its length")
    return samples - 1


def read_mdd(data):
    frames, points = struct.unpack(">ii", data[:8])
    wrong(points != VERTICES or len(data) != 8 + 4 * frames + 12 * points * frames, "its header does not fit its length")
    return frames - 1


def read_usda(data):
    text = data.decode()
    wrong(not text.startswith("#usda 1.0\n") or not text.endswith("}\n"), "cut")
    wrong(text.count("{") != text.count("}") or text.count("[") != text.count("]"), "brackets")
    last = int(re.search(r"endTimeCode = (\d+)", text).group(1))
    points, extents = re.search(r"points.timeSamples = {\n(.*?)    }\n    float3\[\] extent.timeSamples = {\n(.*?)    }\n", text,
                                re.S).groups()
    wrong(points.count(": [") != last + 1 or extents.count(": [") != last + 1, "its samples are not those it counts")
    wrong(points.count("(") != VERTICES * (last + 1), "points are missing")
    return last


def read_ply(data):
    head = data.index(b"end_header\n") + 11
    uvs = 8 * VERTICES if b"property float s" in data[:head] else 0
    wrong(len(data) != head + 12 * VERTICES + uvs + 13 * FACES, "its length")


def read_glb(data):
    magic, version, length = struct.unpack("<4sII", data[:12])
    wrong((magic, version, length) != (b"glTF", 2, len(data)), "its header does not fit its length")
    json.loads(data[20:20 + struct.unpack("<I", data[12:16])[0]])


def read_obj(data):
    lines = data.decode().split("\n")
    wrong(lines[-1] != "" or sum(x.startswith("v ") for x in lines) != VERTICES, "vertices are missing")
    wrong(sum(x.startswith("f ") for x in lines) != FACES, "faces are missing")


def read_json(data):
    found = json.loads(data)
    return found.get("frames") if "ms_per_frame" in found else None


def read_checkpoint(data):
    wrong(data[:8] != b"weft-run", "no checkpoint")
    wrong(struct.unpack("<Q", data[16:24])[0] != len(data), "cut")
    return None


def read_png(data):
    wrong(data[:8] != b"\x89PNG\r\n\x1a\n", "no PNG")
    at, kind = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 4:at + 8 + size]
        wrong(struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] != zlib.crc32(body), "a broken chunk")
        at += 12 + size
    wrong(kind != b"IEND" or at != len(data), "cut")


def read_csv(data):
    rows = list(csv.reader(data.decode().splitlines()))
    wrong(not data.endswith(b"\n") or len({len(row) for row in rows}) != 1, "rows of different lengths")


def read_mp4(data, path):
    probe = ["ffprobe", "-v", "error", "-count_frames", "-of", "csv=p=0", "-show_entries", "stream=nb_read_frames", str(path)]
    said = subprocess.run(probe, capture_output=True, text=True)
    wrong(said.returncode != 0 or said.stderr != "", f"ffprobe: {said.stderr}")
    return int(said.stdout.strip().strip(",")) - 1


READERS = {".pc2": read_pc2, ".mdd": read_mdd, ".usda": read_usda, ".ply": read_ply, ".glb": read_glb, ".obj": read_obj,
           ".json": read_json, ".png": read_png, ".csv": read_csv, ".ckpt": read_checkpoint}


def read(path):
    data = path.read_bytes()
    return read_mp4(data, path) if path.suffix == ".mp4" else READERS[path.suffix](data)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---- a round ----

def run_of(data):
    """A JSON without what differs from run to run."""
    return {key: value for key, value in json.loads(data).items() if key != "ms_per_frame"}


class Job:
    def __init__(self, weft, name, folder):
        self.name, self.command, self.folder = name, [weft, *JOBS[name]], folder
        start = time.monotonic()
        first = subprocess.run([*self.command, *OLDER], cwd=folder, capture_output=True, text=True)
        self.seconds = time.monotonic() - start
        self.usable = first.returncode == 0
        self.why = first.stderr.strip()
        self.old = {p.name: digest(p) for p in folder.iterdir()}
        self.whole = folder.parent / f"{name}-whole" if name == "resumed" else None
        if self.whole:  # what a run leaves that is not killed
            self.whole.mkdir()
            start = time.monotonic()
            subprocess.run(self.command, cwd=self.whole, check=True, capture_output=True)
            self.seconds = min(self.seconds, time.monotonic() - start)


def go_on(job, folder, rng):
    """Resumes what was killed, to its end. False where no checkpoint had been written."""
    if digest(folder / "c.ckpt") == job.old["c.ckpt"]:
        return False
    for _ in range(rng.randrange(3)):
        process = subprocess.Popen([*job.command, "--resume", "c.ckpt"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(rng.uniform(0, 1.05) * job.seconds)
        process.send_signal(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
        said = process.communicate(timeout=120)[1].decode()
        wrong(process.returncode not in (0, -signal.SIGKILL, -signal.SIGTERM, 128 + signal.SIGTERM), f"resumed: {said.strip()}")
    last = subprocess.run([*job.command, "--resume", "c.ckpt"], cwd=folder, capture_output=True, text=True)
    wrong(last.returncode != 0, f"resumed to the end: {last.stderr.strip()}")
    for path in sorted(job.whole.iterdir()):
        if path.suffix == ".json":
            wrong(run_of(path.read_bytes()) != run_of((folder / path.name).read_bytes()), f"resumed, {path.name} says other things")
        elif path.suffix != ".ckpt":
            wrong(digest(path) != digest(folder / path.name), f"resumed, {path.name} is another one")
    left = [p.name for p in folder.iterdir() if re.search(r"\.(pc2|mdd|usda)\.tmp\.aside", p.name)]
    wrong(left, f"resumed to the end, {left} were left")
    return True


def start(job, folder):
    return subprocess.Popen(job.command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            start_new_session=True)


def end(process, job, rng):
    sent = rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    time.sleep(rng.uniform(0, 1.05) * job.seconds)
    twice = sent != signal.SIGKILL and rng.random() < 0.3
    process.send_signal(sent)
    if twice:
        time.sleep(rng.uniform(0, 0.05))
        process.send_signal(sent)
    said = process.communicate(timeout=120)[1]
    return sent, twice, said


def look(job, folder, sent, twice, status, said):
    """What is wrong with what was left; how many files are new."""
    new, frames = 0, {}
    for path in sorted(folder.iterdir()):
        if ".tmp." in path.name:  # a second signal leaves what a checkpoint counts on
            wrong(sent != signal.SIGKILL and not (twice and job.whole), f"{path.name} was left")
            continue
        if job.old.get(path.name) == digest(path):
            continue
        new += 1
        try:
            count = read(path)
        except (AssertionError, ValueError, struct.error, AttributeError) as why:
            raise AssertionError(f"{path.name}: {why}") from why
        if count is not None:
            frames[path.name] = count
    missing = set(job.old) - {p.name for p in folder.iterdir()}
    wrong(missing, f"gone: {missing}")
    if sent == signal.SIGKILL:
        return new
    wrong(status not in (0, -sent, 128 + sent), f"status {status}")
    last = re.search(r"after frame (\d+) of", said)
    if status == 128 + sent and last:
        wrong(any(count != int(last.group(1)) for count in frames.values()), f"{said.strip()}, and the files hold {frames}")
        wrong(not frames and job.name in ("simulate", "video", "resumed"), "no file is new")
    if not twice:  # the second may come when all is written
        wrong(status == -sent and new and job.name == "bench", "ended at once, and a file is new")
    return new


def main():
    weft, count, seed = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    wanted = sys.argv[4:] or list(JOBS)
    rng = random.Random(seed)
    work = Path(tempfile.mkdtemp())
    table, findings = collections.Counter(), 0
    try:
        jobs = []
        for name in wanted:
            (work / name).mkdir()
            job = Job(weft, name, work / name)
            jobs += [job] if job.usable else []
            print(f"{name}: {job.seconds:.2f} s, {len(job.old)} files" if job.usable else f"{name}: left out: {job.why}", flush=True)
        for k in range(count):
            job = jobs[k % len(jobs)]
            folder = work / f"round-{k}"
            shutil.copytree(job.folder, folder)
            process = start(job, folder)
            sent, twice, said = end(process, job, rng)
            outcome = {0: "ran to its end", 128 + sent: "finished what it had", -sent: "ended at once"}.get(process.returncode, "?")
            table[job.name, sent.name + (" twice" if twice else ""), outcome] += 1
            try:
                look(job, folder, sent, twice, process.returncode, said)
                if job.whole:
                    table[job.name, "", "resumed" if go_on(job, folder, rng) else "killed before a checkpoint"] += 1
            except AssertionError as why:
                findings += 1
                print(f"round {k}, {job.name}, {sent.name}{' twice' if twice else ''}, status {process.returncode}: {why}", flush=True)
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for (name, sent, outcome), times in sorted(table.items()):
        print(f"{name:9} {sent:14} {outcome:26} {times}")
    print(f"{count} kills, {findings} findings")
    sys.exit(findings > 0)


if __name__ == "__main__":
    main()
