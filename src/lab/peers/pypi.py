"""Peers from PyPI: what each needs, in a venv that is made here, and how it is run."""
import collections
import subprocess
import sys
import venv

import agree

# The packages with their versions; the module that must import; one_thread: it never has more; the program that it must agree with, and
# within how many metres.
Peer = collections.namedtuple("Peer", "packages module one_thread against within")
NUMPY, WARP = "numpy==2.4.6", "warp-lang==1.19.0"
PEERS = {
    "pypbd": Peer(["pyPBD==2.2.2", NUMPY], "pypbd", False, "coloured", agree.OTHER_ORDER),
    "warp": Peer([WARP, NUMPY], "warp", True, "coloured", agree.SAME_ORDER),
    "newton": Peer(["newton==1.8.0", WARP, NUMPY], "newton", True, "newton_formula", agree.SAME_ORDER),
    "taichi": Peer(["taichi==1.7.4", NUMPY], "taichi", False, "coloured", agree.SAME_ORDER),
}


def make_venv(folder):
    """The command of its Python, which keeps compiled kernels in `folder` too; a whole venv is used again."""
    place, kernels = folder / "venv", folder / "kernels"
    if not (place / "bin" / "pip").exists():
        try:
            venv.create(place, clear=True, with_pip=True)
        except subprocess.CalledProcessError:
            raise agree.Missing("no venv with pip could be made, which programs of PyPI need (Debian: python3-venv)") from None
    return ["env", f"WARP_CACHE_PATH={kernels / 'warp'}", f"TI_OFFLINE_CACHE_FILE_PATH={kernels / 'taichi'}", str(place / "bin" / "python")]


def last_words(failed):
    lines = (failed.stderr or "").strip().splitlines()
    return lines[-1] if lines else f"it ended with status {failed.returncode}"


def install(python, peer):
    """Nothing is fetched where all is there in its version."""
    agree.run([*python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "1", *peer.packages])


def script(python, name):
    return [*python, str(agree.HERE / f"{name}.py")]


def check(python, name, commands, folder):
    """Raises agree.Differ where it computes something else."""
    peer = PEERS[name]
    other = commands.get(peer.against) or script(python, peer.against)
    for size in agree.CHECK_SIZES:
        own = agree.positions(folder, name, script(python, f"{name}_peer"), size, 2)
        agree.compare(size, f"{name} and {peer.against}", own, agree.positions(folder, peer.against, other, size, 2), peer.within)


def fault_of(python, name, commands, folder):
    """Why a peer is left out, or None."""
    peer = PEERS[name]
    steps = {"could not be installed": lambda: install(python, peer),
             "could not be imported": lambda: agree.run([*python, "-c", f"import {peer.module}"]),
             "does not run": lambda: check(python, name, commands, folder)}
    for what, step in steps.items():
        try:
            step()
        except subprocess.CalledProcessError as failed:
            return f"{peer.packages[0]} {what}: {last_words(failed)}"
    return None


def commands_of(names, commands, folder):
    """The commands of those that install, import, run and agree, by name. A sentence on stderr says why another is left out. `commands` are
    those of the programs in C."""
    python, kept = make_venv(folder), {}
    for name in names:
        fault = fault_of(python, name, commands, folder)
        if fault:
            print(f"peers.py: {name} is left out: {fault}", file=sys.stderr)
        else:
            kept[name] = script(python, f"{name}_peer")
    return kept
