#!/bin/bash
# docs/cli.md names every command, option, exit status and environment variable there is; links between pages lead somewhere;
# README.md and docs/architecture.md keep their length.
set -u
export LC_ALL=C.UTF-8
weft=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
failures=0
complain() { echo "FAILED: $*"; failures=$((failures + 1)); }
names() { grep -qF -- "$1" docs/cli.md || complain "docs/cli.md does not say $1"; }

commands=$("$weft" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
options=0
for command in $commands; do
  names "## $command"
  for option in $("$weft" "$command" --help all | grep -oE '^  (-[a-z], |    )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'); do
    grep -qE -- "\`$option[\` []" docs/cli.md || complain "docs/cli.md does not say $option of weft $command"
    options=$((options + 1))
  done
  # A value that is attached alone is shown so.
  for option in $("$weft" "$command" --help all | grep -oE '^      --[a-z0-9-]+\[=[^]]*\]' | grep -oE -- '--.*'); do
    names "\`$option\`"
  done
done
for case in $("$weft" validate --physics --help all | awk '/^Cases:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'); do
  names "| \`$case\` |"
done
for status in $(grep -oE '^WEFT_EXIT\([A-Z_]+, [0-9]+' src/app/cli/exits.def | grep -oE '[0-9]+$'); do names "| $status |"; done
for variable in $(grep -rhoE --exclude-dir=peers 'getenv\("[A-Z_]+"' src | grep -oE '[A-Z_]{4,}' | sort -u); do names "\`$variable\`"; done
[ $options -gt 100 ] || complain "only $options options were found in the help"

words() { [ "$(wc -w <"$1")" -le "$2" ] || complain "$1 has $(wc -w <"$1") words, more than $2"; }
words README.md 700
words docs/architecture.md 1500

version=$(sed -n 's/^project(weft VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -q "^## $version" CHANGELOG.md || complain "CHANGELOG.md does not know version $version"

# Tables that are made of files are those of the files.
scripts/benchmark_tables.py --check || complain "docs/benchmarks/README.md: run scripts/benchmark_tables.py"

# Links to files, and to headings as GitHub calls them.
python3 - <<'PY' || failures=$((failures + 1))
import glob, os, re, sys

def text_of(path):
    return re.sub(r"```.*?```", "", open(path, encoding="utf-8").read(), flags=re.S)

def headings_of(path):
    bare = (re.sub(r"[^\w\- ]", "", heading.strip().lower()) for heading in re.findall(r"^#+ (.*)$", text_of(path), re.M))
    return {heading.replace(" ", "-") for heading in bare}

broken = checked = 0
for path in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *glob.glob("docs/**/*.md", recursive=True), *glob.glob("examples/**/*.md", recursive=True),
             *glob.glob("src/**/*.md", recursive=True)]:
    for link in re.findall(r"\]\(([^)\s]+)\)", text_of(path)):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, heading = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        checked += 1
        if not os.path.exists(target):
            print(f"FAILED: {path} links to {link}, which is not there")
            broken += 1
        elif heading and heading not in headings_of(target):
            print(f"FAILED: {path} links to {link}, but there is no such heading")
            broken += 1
print(f"{checked} links")
sys.exit(broken > 0)
PY

[ $failures = 0 ] || exit 1
echo "docs/cli.md: $options options"
