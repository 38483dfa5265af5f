"""Jolt Physics from its sources: built here, checked, and how it is run."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import agree

REPOSITORY = "https://github.com/jrouwe/JoltPhysics"
VERSION, COMMIT = "5.4.0", "036ea7b"  # those that figures in docs/benchmarks/ are of
PARTS = 8  # sources that are compiled together, for speed
# m/N, where particles have 1 kg. Hard edges in Jolt's order explode from 64 particles a side on.
COMPLIANCE = "1e-6"


def version_of(sources):
    """The version that the sources say they are, or None."""
    try:
        text = (sources / "Jolt" / "Core" / "Core.h").read_text(encoding="utf-8")
    except OSError:
        return None
    numbers = [re.search(rf"define JPH_VERSION_{part} (\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(number.group(1) for number in numbers) if all(numbers) else None


def sources_in(folder):
    """Where sources are, or go: a folder or link put there is taken as it is."""
    return folder / "JoltPhysics"


def fetch(sources):
    """Clones them where there is none."""
    if sources.exists():
        return
    if not shutil.which("git"):
        raise agree.Missing("no git, which fetches the sources of Jolt")
    with tempfile.TemporaryDirectory(dir=sources.parent) as place:
        agree.run(["git", "clone", "-q", "--depth", "1", "-b", f"v{VERSION}", REPOSITORY, f"{place}/clone"])
        commit = agree.run(["git", "-C", f"{place}/clone", "rev-parse", "HEAD"]).stdout.strip()
        if not commit.startswith(COMMIT):
            raise agree.Missing(f"v{VERSION} of {REPOSITORY} is commit {commit} and not {COMMIT}")
        os.rename(f"{place}/clone", sources)


def sources_of(folder):
    """All that Jolt needs without its streams of objects."""
    streams = folder / "Jolt" / "ObjectStream"
    return [path for path in sorted((folder / "Jolt").rglob("*.cpp")) if path.parent != streams or path.name == "SerializableObject.cpp"]


def build(sources, folder):
    """The program, in `folder`."""
    cxx = os.environ.get("CXX", "c++")
    if not shutil.which(cxx):
        raise agree.Missing(f"no C++ compiler {cxx}")
    flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG", f"-I{sources}", f"-I{agree.HERE}"]
    work = folder / "jolt_parts"
    work.mkdir(exist_ok=True)
    texts = [work / f"part{k}.cpp" for k in range(PARTS)]
    for k, text in enumerate(texts):
        text.write_text("".join(f'#include "{path}"\n' for path in sources_of(sources)[k::PARTS]))
    texts.append(agree.HERE / "jolt_peer.cpp")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(lambda text: agree.run([cxx, *flags, "-w", "-c", text, "-o", work / f"{text.stem}.o"]), texts)
        list(done)
    agree.run([agree.compiler(), "-std=c11", "-O3", "-c", agree.HERE / "peer.c", "-o", work / "peer.o"])
    program = folder / "jolt"
    agree.run([cxx, *(work / f"{text.stem}.o" for text in texts), work / "peer.o", "-o", program, "-pthread", "-lm"])
    return str(program)


def fault_in(failed):
    """The first line that says what is wrong."""
    lines = (failed.stderr or "").splitlines()
    return next((line for line in lines if "error" in line or "fatal" in line), f"it ended with status {failed.returncode}")


def built_of(folder):
    """The program, built where what it is made of is newer."""
    sources, program = sources_in(folder), folder / "jolt"
    fetch(sources)
    if not version_of(sources):
        raise agree.Missing(f"{sources} has no sources of Jolt Physics 5: there is no Jolt/Core/Core.h with a version")
    texts = [agree.HERE / name for name in ("jolt.py", "jolt_peer.cpp", "peer.c", "peer.h")] + [sources / "Jolt" / "Core" / "Core.h"]
    if program.exists() and all(text.stat().st_mtime < program.stat().st_mtime for text in texts):
        return str(program)
    return build(sources.resolve(), folder)


def command(commands, folder):
    """The command that is timed, or None: a sentence on stderr says why it is left out. With hard edges it must agree with `coloured`."""
    try:
        program = built_of(folder)
        for size in agree.CHECK_SIZES:
            own = agree.positions(folder, "jolt", [program], size, 2)
            other = agree.positions(folder, "coloured", commands["coloured"], size, 2)
            agree.compare(size, "jolt and coloured, each in its own order", own, other, agree.OTHER_ORDER)
    except (subprocess.CalledProcessError, agree.Missing) as failed:
        why = f"{failed.cmd[0]}: {fault_in(failed)}" if isinstance(failed, subprocess.CalledProcessError) else failed
        print(f"peers.py: jolt is left out: {why}", file=sys.stderr)
        return None
    found = version_of(sources_in(folder))
    if found != VERSION:
        print(f"peers.py: Jolt is {found} here; figures in docs/benchmarks are of {VERSION}", file=sys.stderr)
    return ["env", f"JOLT_COMPLIANCE={COMPLIANCE}", program]
