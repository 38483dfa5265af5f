#!/usr/bin/env bash
# The gallery: what weft render --gallery draws, and that docs/gallery holds a picture of every scene
# and every view, each with a command that this program takes. Usage: gallery.sh WEFT
. "$(dirname "$0")/helpers.bash"
weft=$(realpath "$weft")
root=$(cd "$(dirname "$0")/../.." && pwd)
kept=$root/docs/gallery
detail=${WEFT_PICTURE_DETAIL:-$(dirname "$weft")/tests/picture_detail}
max_bytes=16000000

# Smooth backdrops have no edges at all; a hanging sheet, has 0.5 % at 1280 x 720.
min_edges=0.4

run 0 --help all
scenes=$(sed -n '/^Scenes:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/out")
[ "$(wc -w <<<"$scenes")" -ge 14 ] || complain "weft --help lists few scenes: $scenes"
"$weft" render hanging --view nosuch >"$work/out" 2>"$work/err"
views=$(sed -n 's/.*must be //p' "$work/err" | sed 's/, / /g; s/ or / /')
[ "$(wc -w <<<"$views")" -ge 8 ] || complain "few views in: $(cat "$work/err")"

# shows PICTURE: there is something to see in it
shows() {
  local found
  found=$("$detail" "$1") || { complain "$1 cannot be read"; return; }
  awk -v least=$min_edges '{ exit !($5 >= least) }' <<<"$found" || complain "$1 shows nothing: $found"
}

# ---- docs/gallery: pictures, words and commands belong together ----
# One command a line, continuation lines joined, comments gone.
commands_of() {
  awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0 } inside' "$1" |
    sed -e ':a' -e '/\\$/N; s/ *\\\n */ /; ta' | sed -E 's/ +# .*//' | grep '^weft '
}
commands_of "$kept/README.md" >"$work/commands"
grep -o '!\[[^]]*\]([^)]*)' "$kept/README.md" | sed 's/.*(//; s/)$//' | sort >"$work/shown"
# What the commands write, one name a line.
while read -r line; do
  case $line in
    *--gallery*) printf '%s.png\n' gallery $scenes ;;
    *) sed -nE 's/.* (-o|--screenshot) ([^ ]+).*/\2/p' <<<"$line" ;;
  esac
done <"$work/commands" | sort >"$work/written"
ls "$kept" | grep -v -e '^README.md$' -e '\.obj$' >"$work/files" # meshes are what commands draw
cp "$kept"/*.obj "$work"
[ -z "$(uniq -d "$work/written")" ] || complain "written by two commands: $(uniq -d "$work/written")"
for list in shown written; do
  diff <(sort -u "$work/$list") "$work/files" >"$work/diff" ||
    complain "docs/gallery, pictures $list in README.md (<) and files (>):" "$(grep '^[<>]' "$work/diff")"
done
for scene in $scenes; do
  grep -qx "$scene.png" "$work/files" || complain "docs/gallery has no picture of scene $scene"
done
for view in $views; do
  grep -q "^weft render .*--view $view .*-o view-$view.png" "$work/commands" ||
    complain "docs/gallery has no picture of view $view"
done
for file in $(cat "$work/files"); do
  case $file in
    *.png) shows "$kept/$file" ;;
    *) [ -s "$kept/$file" ] || complain "$file is empty" ;;
  esac
done
bytes=$(cat "$kept"/*.* | wc -c)
[ "$bytes" -lt $max_bytes ] || complain "docs/gallery has $bytes bytes, more than $max_bytes"

# Where OpenGL is hidden, a right command ends with 77 and a wrong one with 2, both at once.
while read -r line; do
  case $line in *MESHES/*) [ -d "${WEFT_MESH_DIR:-}" ] || continue ;; esac
  line=${line//MESHES/${WEFT_MESH_DIR:-}}
  # shellcheck disable=SC2086 # words of a command
  (
    cd "$work" && unset DISPLAY WAYLAND_DISPLAY
    export WEFT_EGL_DEVICE=99 EGL_PLATFORM=nonsense __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent
    "$weft" ${line#weft } >out 2>err
  )
  status=$?
  [ $status = 77 ] || complain "$line: status $status: $(cat "$work/err")"
done <"$work/commands"
echo "docs/gallery: $(wc -l <"$work/files") pictures, $bytes bytes, $(wc -l <"$work/commands") commands"

# The film that opens the project's own page stands there with its command.
film=$(sed -nE 's/^!\[.*\]\(docs\/gallery\/([^)]*)\).*/\1/p' "$root/README.md" | head -1)
command=$(grep -e "-o $film\$" "$work/commands")
[ -n "$film" ] && [ -n "$command" ] || complain "README.md opens with no picture of the gallery"
commands_of "$root/README.md" | grep -qxF -e "$command" || complain "README.md does not say: $command"

# ---- a small gallery ----
if ! have_gl; then
  [ "$failures" = 0 ] || exit 1
  echo "skipped: no OpenGL to draw with"
  exit 77
fi
min_edges=2 # a small picture of the same has more
run 0 render --gallery "$work/g" --size 12 --substeps 4 --width 160 --height 90 --samples 1 \
  --shadow-size 128
[ "$(ls "$work/g" | sort)" = "$(printf '%s.png\n' gallery $scenes | sort)" ] ||
  complain "--gallery made $(ls "$work/g")"
places=
for scene in $scenes; do
  picture=$work/g/$scene.png
  [ -s "$picture" ] || { complain "no picture of $scene"; continue; }
  shows "$picture"
  place=$("$detail" "$picture" on "$work/g/gallery.png") || complain "$scene is not on the sheet"
  [ "${place##* }" != 0 ] || complain "no name under $scene"
  places+="${place% ink*}"$'\n'
done
[ -z "$(sort <<<"$places" | uniq -d)" ] || complain "two scenes in one place: $places"
finish
