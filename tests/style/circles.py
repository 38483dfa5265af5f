"""No circle of calls between files: circles.py LIST, where LIST names every object file of the rooms, a line each.

A file calls another when it has a symbol undefined that the other defines, as nm says. Files that call each other in a
circle cannot be understood, tested or moved one by one; what they share belongs in a file of its own below both."""
import subprocess
import sys

# Whoever calls these calls the C library, whatever the program puts before it.
LIBC = {"malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign"}


def symbols(path):
    """Names that an object file defines for others, and names it wants."""
    defined, wanted = set(), set()
    for line in subprocess.run(["nm", "-P", path], check=True, capture_output=True, text=True).stdout.splitlines():
        name, kind = line.split()[:2]
        (wanted if kind in "Uvw" else defined if kind.isupper() else set()).add(name)
    return defined, wanted - LIBC


def read_calls(paths):
    """calls[a][b]: the symbols that a has from b."""
    tables = {path: symbols(path) for path in paths}
    home = {name: path for path, (defined, _) in tables.items() for name in defined}
    calls = {path: {} for path in paths}
    for path, (_, wanted) in tables.items():
        for name in wanted:
            if home.get(name, path) != path:
                calls[path].setdefault(home[name], []).append(name)
    return calls


def find_circles(calls):
    """Strongly connected components of more than one file (Tarjan 1972)."""
    number, low, stack, circles = {}, {}, [], []

    def visit(a):
        number[a] = low[a] = len(number)
        stack.append(a)
        for b in calls[a]:
            if b not in number:
                visit(b)
            if b in stack:
                low[a] = min(low[a], low[b])
        if low[a] == number[a]:
            circle = [stack.pop()]
            while circle[-1] != a:
                circle.append(stack.pop())
            if len(circle) > 1:
                circles.append(sorted(circle))

    sys.setrecursionlimit(10000)
    for a in sorted(calls):
        if a not in number:
            visit(a)
    return circles


def name(path):
    return path.rsplit("/src/", 1)[-1].rsplit(".", 1)[0]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        paths = file.read().split()
    calls = read_calls(paths)
    links = sum(len(others) for others in calls.values())
    if len(paths) < 2 or links < len(paths):
        print("%d files with %d calls between them: that is not the whole program" % (len(paths), links))
        return 1
    circles = find_circles(calls)
    for circle in circles:
        print("a circle of calls between %s" % ", ".join(name(p) for p in circle))
        for a in circle:
            for b in circle:
                if b in calls[a]:
                    print("  %s has from %s: %s" % (name(a), name(b), ", ".join(sorted(calls[a][b]))))
    if not circles:
        print("%d files, %d pairs of which one calls the other, no circle" % (len(paths), links))
    return 1 if circles else 0


if __name__ == "__main__":
    sys.exit(main())
