#!/usr/bin/env bash
# The arrows between rooms, and what a solver shader may not say. Arguments: the project's folder, and
# what rooms may call, as CMakeLists.txt says (weft_write_rooms).
set -euo pipefail
cd "$1"
failed=0
complain() { echo "$1"; failed=1; }

# ---- a file includes headers of its own room and of the rooms below it only ----
declare -A uses
while IFS=: read -r room called; do uses[$room]=$called; done <"$2"
rooms_of() { # the rooms that hold a header of this name
  local header=$1 path
  for path in src/*/*/"$header"; do
    [ -e "$path" ] && basename "$(dirname "$path")"
  done
  true
}
for folder in src/*/*/; do
  room=$(basename "$folder")
  [ "$room" = peers ] && continue # programs of their own
  if [ -z "${uses[$room]+known}" ]; then
    complain "$folder: a room that CMakeLists.txt does not know"
    continue
  fi
  while IFS=: read -r file line text; do
    header=$(sed -E 's/.*"([^"]+)".*/\1/' <<<"$text")
    [ -e "$folder$header" ] && continue
    homes=$(rooms_of "$header")
    allowed=no
    for home in $homes; do
      case " ${uses[$room]} " in *" $home "* | *" $home/$header "*) allowed=yes ;; esac
    done
    [ $allowed = yes ] || complain "$file:$line: \"$header\" is not in a room that $room may call (${uses[$room]:-none})"
  done < <(grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$folder"*.[ch] "$folder"*.cpp 2>/dev/null || true)
done

# ---- public headers are on shelves too: include/weft is of the core, weft_gl and weft_kit stand on it ----
while IFS= read -r hit; do
  complain "$hit: a public header of a higher shelf"
done < <({ grep -rnE '#[[:space:]]*include[[:space:]]*<weft_(gl|kit)/' src/core include/weft
  grep -rnE '#[[:space:]]*include[[:space:]]*<weft_kit/' src/gl include/weft_gl
  grep -rnE '#[[:space:]]*include[[:space:]]*<weft_gl/' src/kit include/weft_kit; } || true)

# ---- no two headers of one name: which is meant would hang on the order of folders ----
while IFS= read -r twice; do
  complain "$(echo src/*/*/"$twice"): two headers of one name"
done < <(find src -name '*.h' -printf '%f\n' | sort | uniq -d)

# ---- printing and exiting belong to the program alone ----
# (base may say a last word before it aborts; an output may be standard output)
while IFS= read -r hit; do
  complain "$hit: only src/app/cli prints and exits"
done < <(grep -nE '\b(printf|puts|putchar|perror|exit|quick_exit)[[:space:]]*\(|\b(stdout|stderr)\b' \
  $(find src \( -name '*.[ch]' -o -name '*.cpp' \) ! -path 'src/app/cli/*' ! -path 'src/lab/peers/*' ! -path 'src/core/base/*' ! -path 'src/kit/io/output.c') /dev/null |
  grep -vE ':[[:space:]]*(/?\*|//)' || true)

# ---- exactness: a solver shader says + - * and what rounds nowhere ----
# Comments go first, and with them what only looks like an operator.
code_of() { sed -E 's://.*$::' "$1" | perl -0pe 's{/\*.*?\*/}{ $& =~ s/[^\n]//gr }gse'; }
banned='dot|length|normalize|distance|inversesqrt|sqrt|fma|mix|pow|exp|exp2|log|log2|sin|cos|tan|asin|atan|acos|cross|reflect|refract|faceforward|smoothstep|fract|mod|modf|round|roundEven|degrees|radians|sinh|cosh|tanh|ldexp|frexp|matrixCompMult|outerProduct|inverse|determinant|mat2|mat3|mat4|atomicCompSwapFloat'
for file in shaders/solver/*.comp shaders/solver/*.glsl shaders/kernels/*.h shaders/passes/*.h; do
  [ -e "$file" ] || continue
  while IFS= read -r hit; do
    complain "$file:$hit: GLSL does not promise the bits of this built-in"
  done < <(code_of "$file" | grep -nE "(^|[^A-Za-z0-9_.])($banned)[[:space:]]*\(" || true)
  while IFS= read -r hit; do # integers divide exactly
    complain "$file:$hit: a division; multiply by what the host divided once, or by weft_rcp"
  done < <(code_of "$file" | grep -v '^[[:space:]]*#' | grep -nE '/' |
    grep -vE '/=?[[:space:]]*[0-9]+u\b|WEFT_GROUP_SIZE|WEFT_SELF_(FAN|GROUP|ROW|PATCH|FEATURES)|/ (U\.self_(cloth|triangles|patches)|of_bodies|of_part)\b' || true)
done

# ---- a constant that float rounds has a name in exact.h: the run in doubles has it right ----
for file in src/core/solver_ref/*.[ch] shaders/kernels/*.h shaders/passes/*.h; do
  [ "$file" = shaders/kernels/lang_c.h ] && continue
  while IFS= read -r hit; do
    complain "$file:$hit: float rounds this; name it in exact.h and src/core/solver_f64/double.h"
  done < <(code_of "$file" | grep -noE '\b[0-9]+(\.[0-9]*)?(e[-+]?[0-9]+)?f\b' |
    grep -vE ':[0-9]+(\.(0|5|25|75|125)?)?f$' || true)
done
[ $failed -eq 0 ] && echo "rooms and shaders keep to the rules"
exit $failed
