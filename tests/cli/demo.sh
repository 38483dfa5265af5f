#!/usr/bin/env bash
# weft demo from the outside: a window under Xvfb, with real key and mouse events. Usage: demo.sh WEFT
. "$(dirname "$0")/helpers.bash"
missing() {
  echo "skipped: $1 is not installed"
  exit 77
}
command -v xvfb-run >/dev/null || missing xvfb-run
command -v xdotool >/dev/null || missing xdotool

if [ "${WEFT_TEST_INSIDE_XVFB:-}" != yes ]; then
  # Without a display: one sentence, and what to do instead.
  unset DISPLAY WAYLAND_DISPLAY
  refuses 77 "without a window: weft render drape -o picture.png" demo drape
  WEFT_GLFW_LIBRARY=libglfw-that-is-not-there.so refuses 77 "libglfw3" demo
  refuses 2 "view" demo --view xray
  run 0 demo --help all
  prints "pause, and go on"
  prints "one frame"
  prints "time of each kind of pass"
  prints "--no-pins"
  [ "$failures" = 0 ] || exit 1
  WEFT_TEST_INSIDE_XVFB=yes xvfb-run -a -s "-screen 0 1300x820x24 -noreset" bash "$0" "$weft"
  exit $?
fi

cd "$work" || exit 1
run 0 demo hanging --size 8 --frames 1
if grep -q "^weft demo: no window" err; then
  echo "skipped: $(cat err)"
  exit 77
fi
small="--size 12 --width 320 --height 240 --no-panel --gl-debug"

# ---- the state after n frames is that of weft simulate, at any speed and picture rate ----
hash_of() { sed -n 's/^  hash  *//p' out; }
run 0 simulate curtain --size 12 --frames 25
wanted=$(hash_of)
for speed in 0.5 4; do
  # shellcheck disable=SC2086 # a list
  run 0 demo curtain $small --frames 25 --speed $speed --screenshot last.png
  [ "$(hash_of)" = "$wanted" ] || complain "speed $speed: state $(hash_of), simulate has $wanted"
  prints "curtain: frame 25"
  [ ! -s err ] || complain "said: $(cat err)"
  [ -s last.png ] || complain "no screenshot"
done
# A scene file, whose keys act in the window, too.
run 0 scene show curtain --size 12 --key gravity=0,-9.81,0@0.1 --key gravity=0,-2,0@0.3 -o keys.weft.json
run 0 simulate keys.weft.json --frames 25
wanted=$(hash_of)
# shellcheck disable=SC2086
run 0 demo keys.weft.json $small --frames 25 --speed 4
[ "$(hash_of)" = "$wanted" ] || complain "a scene file: state $(hash_of), simulate has $wanted"
# shellcheck disable=SC2086
run 0 demo hanging $small --frames 3 --max-strain 2%
prints "held to   2 %"
prints "reached   p99 along threads"
# shellcheck disable=SC2086
run 4 demo hanging $small --frames 1 --screenshot no/such/folder.png

# ---- times of passes: their sum is nearly the frame they are in; nobody looks: no query ----
# shellcheck disable=SC2086
run 0 demo hanging $small --backend gl --schedule colours --frames 40 --speed 0.5 --times --log-level debug
# (what else the machine does may fall between two passes of a frame, so one of the lines will do)
grep "^times frame" out | awk '
  { sum = 0
    for (k = 10; $k != "other"; k += 3) { sum += $(k + 1); seen[$k] = 1 }
    nearly = nearly || sum > 0.5 * $5
    over = over || sum > 1.001 * $5 }
  END { exit !(nearly && !over && seen["predict"] && seen["project_distance"] &&
               seen["project_isometric"] && seen["update_velocity"]) }' ||
  complain "times do not add up: $(grep ^times out)"
grep -q " [1-9][0-9]* queries for times" err || complain "no queries: $(grep queries err)"
# shellcheck disable=SC2086
run 0 demo hanging $small --backend gl --schedule single --frames 20 --speed 0.5 --times
grep -q "^times frame.* = single " out || complain "a cloth in one dispatch: $(grep ^times out)"
# On cpu one frame in sixteen is timed, by the clock.
# shellcheck disable=SC2086
run 0 demo hanging $small --backend cpu --frames 60 --speed 0.5 --times
grep "^times frame" out | tail -1 | grep -q " predict [0-9].* project_distance [0-9]" || complain "no times on cpu: $(grep ^times out)"
# shellcheck disable=SC2086
run 0 demo hanging $small --frames 10 --log-level debug
grep -q " 0 queries for times" err || complain "nobody looks, and yet: $(grep queries err)"

# ---- on a display of twice the density text is twice as large, and the window that nobody sized ----
if command -v xprop >/dev/null; then
  # dense DPI: where the button for pausing is.
  dense() {
    xprop -root -format RESOURCE_MANAGER 8s -set RESOURCE_MANAGER "Xft.dpi:	$1"
    run 0 demo hanging --size 8 --frames 2 --log-level debug --screenshot dense.png "${@:2}"
    sed -n 's/.*panel: pause at [0-9]* //p' err | head -1
  }
  once=$(dense 96 --width 1280) twice=$(dense 192 --width 1280)
  [ $((twice * 10)) -ge $((once * 17)) ] && [ $((twice * 10)) -le $((once * 23)) ] ||
    complain "the panel's button is at $once pixels, and at $twice on a display of twice the density"
  dense 192 >/dev/null
  [ "$(od -An -tu1 -j18 -N2 dense.png | awk '{ print $1 * 256 + $2 }')" -gt 1280 ] || complain "the window did not grow"
  xprop -root -remove RESOURCE_MANAGER
fi

# ---- a software driver begins coarse, and says what it draws; what is asked for holds ----
drawing() { sed -n 's/.*drawing \([a-z]*\)$/\1/p' err | head -1; }
# shellcheck disable=SC2086
run 0 demo hanging $small --frames 5 --log-level debug
if "$weft" info | grep -Eq "llvmpipe|softpipe|SwiftShader"; then first=coarse; else first=fine; fi
[ "$(drawing)" = $first ] || complain "began to draw $(drawing), not $first"
# shellcheck disable=SC2086
run 0 demo hanging $small --frames 5 --log-level debug --drawing plain
[ "$(grep -c "drawing plain$" err)" = 1 ] && ! grep -q "drawing [cf]" err || complain "not plain: $(grep drawing err)"
# Slow motion shows a frame for half a second and does not go to and fro within it.
# shellcheck disable=SC2086
run 0 demo hanging $small --frames 4 --log-level debug --speed 0.03125
[ "$(grep -c "drawing coarse$" err)" -le 1 ] || complain "slow motion goes to and fro: $(grep drawing err)"

# ---- a particle picked from the command line ----
# shellcheck disable=SC2086
run 0 demo hanging $small --frames 5 --pick 0
prints "particle 0: at (-0.5, "
prints "inverse mass 0 /kg (pinned), strain up to"
refuses 2 "particle 144 does not exist: there are 0 to 143" demo hanging --size 12 --pick 144

# ---- beside a plain sweep: the state is that of the scene alone ----
refuses 2 "is for cloth, and pendulum has none" demo pendulum --beside plain
for scene in duel curtain; do
  run 0 simulate $scene --size 12 --frames 20
  wanted=$(hash_of)
  # shellcheck disable=SC2086
  run 0 demo $scene $small --beside plain --frames 20 --screenshot beside.png
  [ "$(hash_of)" = "$wanted" ] || complain "$scene beside a plain sweep: $(hash_of), simulate has $wanted"
  [ ! -s err ] || complain "said: $(cat err)"
  # shellcheck disable=SC2086
  run 0 demo $scene $small --beside off --frames 20 --screenshot alone.png
  ! cmp -s beside.png alone.png || complain "$scene: nothing is drawn beside it"
done

# ---- particles, and a mesh of one's own ----
for scene in bead pendulum rope fur threads; do
  # shellcheck disable=SC2086
  run 0 demo $scene --width 320 --height 240 --no-panel --gl-debug --frames 2 --screenshot p.png
  [ ! -s err ] || complain "$scene: $(cat err)"
done
printf 'v 0 1 0\nv 1 1 0\nv 1 0 0\nv 0 0 0\nf 1 4 3 2\n' >quad.obj
run 0 demo quad.obj --pin top --width 320 --height 240 --frames 2 --gl-debug
[ ! -s err ] || complain "quad.obj: $(cat err)"

# ---- keys and mouse ----
start() { # start SCENE OPTIONS...: the demo, and the mouse over the middle of its window
  : >out; : >err
  "$weft" demo --size 12 --width 900 --height 640 --drawing plain --gl-debug --log-level info "$@" \
    >out 2>err </dev/null &
  demo=$!
  trap 'kill $demo 2>/dev/null; rm -rf "$work"' EXIT
  window=$(timeout 60 xdotool search --sync --onlyvisible --name "weft" | head -1)
  [ -n "$window" ] || complain "no window"
  eval "$(xdotool getwindowgeometry --shell "$window")"
  xdotool windowfocus "$window" mousemove $((X + 450)) $((Y + 320))
  settled=0
  pictures=0
}
stop() { # stop [SENTENCE]: by the key q; what was complained of, if anything
  local status=0 complaints
  key q
  wait $demo || status=$?
  [ $status = 0 ] || complain "quit with status $status: $(tail -3 err)"
  prints "pictures shown"
  complaints=$(grep -E 'OpenGL|error|warning' err | grep -v -e "${1:-^$}")
  [ -z "$complaints" ] || complain "complaints: $complaints"
  trap 'rm -rf "$work"' EXIT
}

# await FILE TEXT [COUNT]: until TEXT is there that often, at most 60 s.
await() {
  local tries
  for tries in $(seq 600); do
    [ "$(grep -c -e "$2" "$1")" -ge "${3:-1}" ] && return 0
    kill -0 $demo 2>/dev/null || break
    sleep 0.1
  done
  complain "no \"$2\" in $1: $(tail -3 "$1")"
  return 1
}
key() { xdotool key --delay 60 "$1"; }
settle() { # two more pictures
  local k
  for k in 1 2; do
    settled=$((settled + 1))
    key k
    await out "^frame" $settled
  done
}
picture() { # picture NAME: what the window shows now
  settle
  pictures=$((pictures + 1))
  key p
  await out "wrote weft-" $pictures
  mv "$(sed -n 's/^wrote //p' out | tail -1)" "$1"
}
same() { cmp -s "$1" "$2" || complain "$1 and $2 differ"; }
# colour FILE RRGGBB LEFT TOP WIDTH HEIGHT LOW HIGH: so many pixels of that colour are there.
colour() {
  local count
  [ -n "${WEFT_COUNT_COLOUR:-}" ] || return 0
  count=$("$WEFT_COUNT_COLOUR" "$1" "$2" 24 "$3" "$4" "$5" "$6")
  [ "$count" -ge "$7" ] && [ "$count" -le "$8" ] ||
    complain "$1 has $count pixels near $2 at $3 $4, wanted $7 to $8"
}
differ() { ! cmp -s "$1" "$2" || complain "$1 and $2 are the same picture"; }

# What stands still is drawn finely.
start hanging --drawing auto --paused --log-level debug
await err "drawing fine"
stop

start hanging
key space
await err "paused at frame"
settle
stopped=$(sed -n 's/^frame \([0-9]*\):.*/\1/p' out | tail -1)
key n
settle
[ "$(sed -n 's/^frame \([0-9]*\):.*/\1/p' out | tail -1)" = $((stopped + 1)) ] ||
  complain "one frame on from $stopped is $(tail -1 out)"
key d
await out "^[a-z]* = reference in all "
key comma
await err "speed 0.5"
key period
await err "speed 1"

picture panel.png
key i
picture still.png
differ panel.png still.png
key v
await err "view wire"
picture wire.png
differ still.png wire.png
key shift+v
await err "view shaded"
key m
await err "marks at pins always"
picture marked.png
differ still.png marked.png
key m
await err "marks at pins near the mouse"
picture bare.png
same still.png bare.png
key h
picture help.png
differ still.png help.png
key h
picture again.png
same still.png again.png

xdotool mousedown 3 mousemove_relative 60 40 mouseup 3
picture turned.png
differ still.png turned.png
xdotool click 4
picture nearer.png
differ turned.png nearer.png
key c
picture back.png
same still.png back.png

key g
await err "gust"
key r
await err "reset"
key space
await err "going on"
key s
await err "scene drape: 144 particles" # the size that was asked for
key shift+s
await err "scene hanging: 144 particles"
stop

# ---- trails, and theory beside ----
start pendulum --size 4 --paused --no-panel
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do key n; done
picture both.png
key t
await err "trails off"
picture twin.png
differ both.png twin.png
key a
await err "theory off"
picture neither.png
differ twin.png neither.png
key t
key a
await err "theory on"
picture again.png
same both.png again.png
stop

# ---- the mouse in the cloth: what it does is part of what is compared ----
start flag --paused
settle
xdotool keydown ctrl click 1 keyup ctrl
await err "pinned"
settle
xdotool keydown ctrl click 1 keyup ctrl
await err "freed"
settle
before=$(tail -1 out)
xdotool mousedown 1
await err "holding particle"
key n
settle
[ "${before#*: }" != "$(tail -1 out | sed 's/.*: //')" ] || complain "a frame changed nothing: $before"
xdotool mousemove_relative 60 -40
settle
for k in 1 2 3; do
  key n
  settle
done
key d
await out " values of [0-9]* substeps, frames 1 to 4$"
xdotool mouseup 1
key n
settle
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13; do key n; done
settle
key d
await out ", frames 9 to 18$" # from the older of the states kept at frames 8 and 16
grep -q "DIFFERENT" out && complain "$(cat out)"
stop

# ---- the mouse on a collider: it goes where the pointer does, and the cloth gives way ----
moved() { # moved X Y Z: where the collider was let go of, to 3 mm
  sed -n 's/.*collider [0-9]* moved by (\(.*\)) m.*/\1/p' err | tail -1 | tr -d , |
    awk -v x="$1" -v y="$2" -v z="$3" '{ d = sqrt(($1-x)^2 + ($2-y)^2 + ($3-z)^2); ok = d < 0.003 }
      END { exit !ok }' || complain "wanted a move by $*: $(grep moved err)"
}
start drape --paused --no-panel
settle
before=$(tail -1 out)
xdotool mousemove_relative 0 60 mousedown 1
await err "holding collider 1"
settle
xdotool mousemove_relative 90 0
settle
for k in 1 2 3 4 5 6 7 8 9 10; do
  key n
  settle
done
xdotool mouseup 1
await err "collider 1 moved by"
# By the camera of the scene: 0.72 m around (0, 0.3, 0) fill 640 pixels at 0.45 rad, from yaw 0.7 and
# pitch 0.42 on; the ray 60 pixels below the middle meets the ball (0, 0.34, 0), radius 0.34.
# shellcheck disable=SC2046 # three numbers
moved $(awk 'BEGIN {
  half = 0.225; away = 0.72 / sin(half); yaw = 0.7; pitch = 0.42
  ex = away * cos(pitch) * sin(yaw); ey = 0.3 + away * sin(pitch); ez = away * cos(pitch) * cos(yaw)
  down = sin(half) / cos(half) * 60 / 320
  dx = -ex / away - down * -sin(pitch) * sin(yaw); dy = -sin(pitch) - down * cos(pitch)
  dz = -ez / away - down * -sin(pitch) * cos(yaw)
  a = dx * dx + dy * dy + dz * dz; b = ex * dx + (ey - 0.34) * dy + ez * dz
  c = ex * ex + (ey - 0.34) ^ 2 + ez * ez - 0.34 ^ 2
  depth = (-b - sqrt(b * b - a * c)) / a
  way = 90 / 320 * depth * sin(half) / cos(half)
  printf "%.5f 0 %.5f", way * cos(yaw), -way * sin(yaw) }')
key d
await out " = reference in all "
grep -q "DIFFERENT" out && complain "$(cat out)"
for k in 1 2 3 4 5 6 7 8 9 10; do key n; done
settle
with=$(tail -1 out)
picture dragged.png
key r
await err "reset"
settle
[ "${before#*: }" = "$(tail -1 out | sed 's/.*: //')" ] || complain "reset leads elsewhere"
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do key n; done
settle
without=$(tail -1 out)
[ "${with%%:*}" = "${without%%:*}" ] || complain "not the same frame: $with, $without"
[ "${with#*: }" != "${without#*: }" ] || complain "the cloth did not feel the ball: $with"
picture undragged.png
differ dragged.png undragged.png
key d
await out " = reference in all " 2
xdotool keydown shift mousedown 1
await err "holding collider 1" 2
xdotool mouseup 1 keyup shift
stop

# ---- a particle under a click has a ring, a click beside everything takes it away ----
# The panels have moved what is seen; the ray through a pixel has to know.
start flag --size 48 --paused
picture none.png
colour none.png ffb02a 425 295 50 50 0 0
xdotool click 1
await out "^particle [0-9]*: at ("
picture ring.png
colour ring.png ffb02a 430 300 40 40 20 400
key i
key c # leaves the ring
picture middle.png
colour middle.png ffb02a 300 200 300 240 20 400
xdotool mousemove $((X + 60)) $((Y + 600)) click 1
picture without.png
colour without.png ffb02a 300 200 300 240 0 0
stop
prints "pictures shown"

# ---- the pins of the scene: refused to a drag with a sentence, freed by ctrl and click ----
start curtain --paused --no-panel
picture bare.png
colour bare.png ffffff 184 49 24 24 0 0
xdotool mousemove $((X + 196)) $((Y + 61))
settle
picture near.png
colour near.png ffffff 184 49 24 24 5 200
key m
await err "marks at pins always"
xdotool mousemove $((X + 450)) $((Y + 320))
picture pins.png
colour pins.png ffffff 184 49 24 24 5 200 # where the camera sees the end of the rail
colour pins.png ffffff 754 37 24 24 5 200
xdotool mousemove $((X + 766)) $((Y + 49)) mousedown 1
await err "is moved by the scene and cannot be dragged"
xdotool mouseup 1 mousemove $((X + 196)) $((Y + 61)) keydown ctrl click 1 keyup ctrl
await err "freed: the scene does not move it any more"
picture freed.png
colour freed.png ffffff 184 49 24 24 0 4
colour freed.png ffb02a 184 49 24 24 10 400
for k in 1 2 3; do key n; done
settle
key d
await out " = reference in all .* substeps, frames 1 to 3$"
key f
await err "times of passes on"
key space
await out "^times frame"
key space
await err "paused at frame"
key f
await err "times of passes off"
settle
told=$(grep -c "^times frame" out)
key space
sleep 1.5
[ "$(grep -c "^times frame" out)" = "$told" ] || complain "times go on after they were switched off"
stop

# ---- files dropped: asked about, then cloth or body; what cannot be read is named, and all goes on ----
octahedron() { # octahedron FILE X Y Z: 0.2 m from its middle to its corners
  awk -v x="$2" -v y="$3" -v z="$4" 'BEGIN {
    for (k = 0; k < 6; ++k) {
      d = k % 2 ? -0.2 : 0.2
      print "v", x + (k < 2) * d, y + (k > 1 && k < 4) * d, z + (k > 3) * d
    }
    split("1 3 5 3 2 5 2 4 5 4 1 5 3 1 6 2 3 6 4 2 6 1 4 6", f)
    for (k = 1; k < 24; k += 3) print "f", f[k], f[k + 1], f[k + 2]
  }' >"$1"
}
drop() { "$WEFT_DROP_FILE" "$window" "$@" || complain "the window did not take $*"; }
octahedron beside.obj 0 1.1 -0.5
octahedron across.obj 0 1.6 0
if [ -n "${WEFT_DROP_FILE:-}" ]; then
  start hanging --paused --no-panel
  picture bare.png
  drop "$work/none.obj"
  await err "none.obj: cannot read"
  picture unread.png # says so
  differ bare.png unread.png
  drop "$work/quad.obj" "$work/beside.obj"
  await err "asking about quad.obj: 4 vertices, 2 triangles, 1.41 m from corner to corner, open$"
  picture asked.png
  differ unread.png asked.png
  key Escape
  await err "asking about beside.obj: 6 vertices, 8 triangles, 0.693 m from corner to corner, closed$"
  key b
  await err "beside.obj is in the scene; it can be dragged; self-collision is on"
  xdotool mousedown 1
  await err "holding body 0"
  settle
  xdotool mousemove_relative 90 0
  settle
  for k in 1 2 3 4 5 6 7 8 9 10; do
    key n
    settle
  done
  xdotool mouseup 1
  await err "body 0 moved by"
  sed -n 's/.*body 0 moved by (\(.*\)) m.*/\1/p' err | tr -d , |
    awk '{ exit !($1 > 0.05 && $2 * $2 < 1e-6 && $3 < -0.03) }' || complain "elsewhere: $(grep moved err)"
  key d
  await out " = reference in all "
  drop "$work/quad.obj"
  await err "asking about quad.obj" 2
  key c
  await err "scene quad.obj: 4 particles, 2 triangles, 1 body"
  await err "quad.obj is the cloth now"
  key shift+s
  await err "scene sand: 1,600 particles$" # without the body
  key s
  await err "scene quad.obj: 4 particles, 2 triangles$"
  stop "none.obj: cannot read"
fi

# ---- the panels: what is moved acts as it is moved, and the cloth goes on from where it is ----
at() { # at NAME [RIGHT]: the mouse to the middle of what the panel calls so, or so far right of it
  local place
  await err "panel: $1 at "
  place=$(sed -n "s/.*panel: $1 at //p" err | tail -1)
  xdotool mousemove $((X + ${place% *} + ${2:-0})) $((Y + ${place#* }))
  settle
}
click() { # click NAME
  at "$1"
  xdotool click 1
  settle
}
if ! grep -q "no panel" err; then
  start hanging --log-level debug --no-pins
  settle
  click "against stretch"
  at --iterations -40
  xdotool mousedown 1
  await err "iterations now [1-9]"
  xdotool mousemove_relative 60 0
  await err "iterations now [2-9][0-9]"
  xdotool mouseup 1
  settle
  grep -q "scene hanging" err && complain "a slider began the scene anew"
  key d
  await out " = reference in all "
  click denim
  await err "another cloth, as it lies"
  grep -q "scene hanging" err && complain "another fabric began the scene anew"
  iterations=$(grep -c "iterations now" err)
  click compare
  await out " = reference in all " 2
  # A gust brings air along and takes it away; a wind keeps it.
  click gust
  await err "no air again"
  click storm
  await err "air-density now 1.2"
  await err "lra now 4"             # more substeps and attachments keep the limit in it,
  await err "substeps now [3-9][0-9]"
  [ "$(grep -c "iterations now" err)" = "$iterations" ] || complain "what was set by hand was chosen again"
  settle
  click compare
  await out " = reference in all " 3
  click firm
  await err "max strain 0.2 %"
  click plain
  await err "line-sweeps now 0"
  click restore
  await err "scene hanging"
  click scene
  click drape
  await err "scene drape: 144 particles"
  if [ -n "${WEFT_DROP_FILE:-}" ]; then
    key space
    await err "paused at frame"
    drop "$work/across.obj"
    await err "asking about across.obj"
    click "as a body"
    await err "across.obj is in the scene"
    picture crossed.png
    click bodies
    at "body 0 static friction" -40
    xdotool mousedown 1 mousemove_relative 60 0 mouseup 1
    await err "body 0 now [01]"
    picture rubbed.png
    click "body 0 shown"
    picture hidden.png
    differ rubbed.png hidden.png
    key n
    settle
    click compare
    await out " = reference in all " 4
  else
    key space
    await err "paused at frame"
  fi
  # Escape: the list, then the keys, then the window.
  key h
  click view
  key Escape
  await err "escape closes the list"
  grep -q "escape closes the keys" err && complain "the keys close with the list"
  key Escape
  await err "escape closes the keys"
  settle # still there
  key Escape
  for tries in $(seq 600); do
    kill -0 $demo 2>/dev/null || break
    sleep 0.1
  done
  kill -0 $demo 2>/dev/null && complain "escape did not end it" && key q
  wait $demo || complain "escape did not end it well: $(tail -3 err)"
  trap 'rm -rf "$work"' EXIT
fi
finish
