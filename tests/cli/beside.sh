#!/usr/bin/env bash
# A scene beside the same cloth under a plain sweep: either half is the picture, and either caption
# the strain, of a run of its own. Usage: beside.sh WEFT
. "$(dirname "$0")/helpers.bash"
weft=$(realpath "$weft")
part=${WEFT_PICTURE_PART:-$(dirname "$weft")/tests/picture_part}

refuses 2 '"twin" is none of off, plain' render drape --beside twin
refuses 2 "is for cloth, and rope has none" render rope --beside plain
refuses 2 "beside" simulate drape --beside plain
run 0 --help all
[ "$(sed -n '/^Scenes:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/out" | head -2 | xargs)" = "duel wring" ] ||
  complain "the list of scenes does not begin with duel and wring"
have_gl || { [ "$failures" = 0 ] || exit 1; echo "skipped: no OpenGL to draw with"; exit 77; }
cd "$work" || exit 1

# The textbook sweep, option by option; what a scene of its own does not say is the same.
plain="--substeps 20 --iterations 1 --line-sweeps 0 --multilevel 0 --lra 0 --lra-slack 0"
small="--size 24 --frame 40 --samples 1 --shadow-size 256"

# strain_of SCENE SETTINGS...: p99 along threads after 40 frames, in per cent; all is given, so that
# the limit leaves it
strain_of() {
  "$weft" simulate "$@" --size 24 --frames 40 --max-strain 50% --log-level error | sed -n 's/.* most (.*), \(.*\) % in frame 40.*/\1/p'
}
# shows SIDE NAME STRAIN: the caption that was printed has the strain, as it is rounded
shows() {
  local wanted
  wanted=$(awk -v s="$3" 'BEGIN { printf "%.*f", s < 1 ? 2 : s < 10 ? 1 : 0, s }')
  [ -n "$3" ] && grep -qE "^  $1 +$2: strain $wanted % \(p99\); " both.txt || complain "no strain $wanted % $1 in: $(cat both.txt)"
}
# has PICTURE LEFT: it is part of both.png from this column on
has() { "$part" both.png "$1" "$2" 0 >found 2>&1 || complain "$1 is not in both.png at $2: $(cat found)"; }

# check SCENE SETTINGS OPTIONS...: the halves; 302 x 200 pixels leave 150 x 170 for either.
check() {
  local scene=$1 own="--substeps 20 --iterations 1 --multilevel 0 --lra-slack 0 $2"
  shift 2
  # shellcheck disable=SC2086 # lists
  {
    run 0 render $scene $own $small "$@" --beside plain --width 302 --height 200 -o both.png
    cp out both.txt
    run 0 render $scene $own $small "$@" --beside off --width 150 --height 170 -o own.png
    run 0 render $scene $plain $small "$@" --beside off --width 150 --height 170 -o plain.png
    shows left "plain sweep" "$(strain_of $scene $plain)"
    shows right weft "$(strain_of $scene $own)"
  }
  has plain.png 0
  has own.png 152
  "$part" own.png plain.png 0 0 >found && complain "$scene: both sides look alike, and test nothing"
  sed -n 's/^  \(left\|right\)  */  /p' both.txt
}
check duel "--line-sweeps 1 --lra 4"
check hanging "--line-sweeps 1 --lra 2" --pins
check flag "--line-sweeps 2 --lra 0" --view strain --view-range 20

# A scene that is drawn beside it without being asked, and a film.
# shellcheck disable=SC2086
run 0 render duel --size 12 --from 3 --frames 2 --samples 1 --width 62 --height 40 -o n-%02d.png
prints "left      plain sweep: "
[ -s n-03.png ] && [ -s n-04.png ] || complain "no numbered pictures: $(ls)"
finish
