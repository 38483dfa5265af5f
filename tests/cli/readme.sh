#!/usr/bin/env bash
# Every command of README.md runs as printed, what is long for a few frames; its program in C compiles.
. "$(dirname "$0")/helpers.bash"
root=$(cd "$(dirname "$0")/../.." && pwd)
have_gl || { echo "skipped: the README takes OpenGL for granted"; exit 77; }

"$root/scripts/readme.sh" --short "$weft" >"$work/out" 2>&1 || complain "a command of README.md fails"
cat "$work/out"
rows=$(grep -c '^| `weft ' "$root/README.md")
[ "$rows" = 6 ] || complain "the table has $rows commands, not six"
while read -r row; do
  prints "| \`$row\` |"
done < <(sed -n 's/^| `\(weft [^`]*\)`.*/\1/p' "$root/README.md")

# A misspelt option is seen, and named.
found='export PATH=$PWD/build/release:$PATH'
printf '\n```sh\n%s\nweft info --nothing\n```\n' "$found" >"$work/one.md"
README=$work/one.md "$root/scripts/readme.sh" --short "$weft" >"$work/out" 2>&1 && complain "a wrong command passes"
prints "FAILED with status 2: weft info --nothing"
prints "2 commands of one.md, 1 failed"

# So is a program that nobody is told where to find, and a file that the repository does not have.
printf '\n```sh\nweft info\n```\n' >"$work/lost.md"
(PATH=$(tr : '\n' <<<"$PATH" | while read -r folder; do [ -x "$folder/weft" ] || printf '%s:' "$folder"; done)
  README=$work/lost.md "$root/scripts/readme.sh" --short "$weft" >"$work/out" 2>&1) && complain "weft is found by nobody's word"
prints "FAILED with status 127: weft info"
printf '\n```sh\n%s\nweft inspect cloth.obj\n```\n' "$found" >"$work/file.md"
README=$work/file.md "$root/scripts/readme.sh" --short "$weft" >"$work/out" 2>&1 && complain "a file that is not there passes"
prints "FAILED with status 3: weft inspect cloth.obj"

# The garment is what its script writes, and whole: borders at neck, hem and sleeves.
if command -v python3 >/dev/null; then
  python3 "$root/scripts/shirt.py" | cmp - "$root/examples/shirt.obj" || complain "examples/shirt.obj is not of scripts/shirt.py"
fi
run 0 inspect "$root/examples/shirt.obj"
for line in "components +1 +1" "non-manifold edges +0 +0" "flipped edges +0 +0" "intersecting pairs +0 +0"; do
  grep -qE "^ +$line\$" "$work/out" || complain "examples/shirt.obj: no \"$line\": $(cat "$work/out")"
done

# Times are put where the command stands, and nowhere else.
printf '```sh\n%s\n```\n' "$found" >"$work/two.md"
printf '| command | what | time |\n|---|---|---|\n| `weft info` | this | 7 min |\n| `weft info --help` | that | at once |\n\n' >>"$work/two.md"
printf '`weft simulate hanging --size 8 --frames 2` moves few particles in 99999 ms a\nframe, another in 77777 ms.\n' >>"$work/two.md"
README=$work/two.md "$root/scripts/readme.sh" --write "$weft" >"$work/out" 2>&1 || complain "--write: $(cat "$work/out")"
grep -Eq '^\| `weft info` \| this \| [0-9]+ s \|$' "$work/two.md" && grep -qF '| that | at once |' "$work/two.md" &&
  grep -Eq 'few particles in [0-9.]{1,5} ms a$' "$work/two.md" && grep -q 'another in 77777 ms' "$work/two.md" ||
  complain "--write wrote: $(cat "$work/two.md")"

# The program in C, as it stands between its lines and a main that prints p99 of strain, of all edges and along threads.
{
  sed -n '/^```c$/,/^```$/{/^```/d;/^#include/p}' "$root/README.md"
  echo '#include <stdio.h>'
  echo 'int main(void) {'
  sed -n '/^```c$/,/^```$/{/^```/d;/^#include/!p}' "$root/README.md"
  echo 'weft_metrics m; weft_solver_metrics(solver, &m, &err);'
  echo 'printf("p99 %g threads %g max %g\n", 100 * m.strain_p99, 100 * m.strain_threads_p99, 100 * m.strain_max); return 0; }'
} >"$work/readme.c"
build=$(dirname "$weft")
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I "$root/include" -I "$build/include" "$work/readme.c" -o "$work/readme" \
  "$build/libweft_core.a" -pthread -lm || complain "the program in README.md does not compile"
"$work/readme" >"$work/out" || complain "the program in README.md fails"
cat "$work/out"
awk '$1 != "p99" || $4 >= 2 { exit 1 }' "$work/out" || complain "the cloth of README.md stretches: $(cat "$work/out")"
finish
