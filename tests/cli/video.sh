#!/bin/bash
# weft render to videos: what ffprobe finds in them, frames against single pictures, a missing or
# failing ffmpeg, runs that are cut short. Usage: video.sh WEFT
source "$(dirname "$0")/helpers.bash"
cd "$work" || exit 1
small="--size 12 --samples 1 --shadow-size 128 --width 121 --height 67"

"$weft" render hanging $small --frame 0 -o a.png >out 2>err
status=$?
if [ $status = 77 ]; then
  echo "skipped: $(cat err)"
  exit 77
fi
[ $status = 0 ] || complain "a still: status $status: $(cat err)"

# ---- without ffmpeg: one sentence, before anything is simulated, and no file ----
program=$weft
weft=$work/without
printf '#!/bin/bash\nPATH=/nonexistent exec "%s" "$@"\n' "$program" >without
chmod +x without
refuses 4 "needs ffmpeg" render hanging $small --from 999999 --to 999999 -o b.mp4
weft=$program
[ -z "$(ls | grep '^b')" ] || complain "left behind: $(ls)"
mkdir broken
printf '#!/bin/sh\necho "first line" >&2; echo "no such codec" >&2; exit 1\n' >broken/ffmpeg
chmod +x broken/ffmpeg
PATH=$work/broken:$PATH refuses 4 "ffmpeg failed: no such codec" render hanging $small --frames 3 -o b.mp4
printf '#!/bin/sh\nexec head -c 1000 >/dev/null\n' >broken/ffmpeg # goes away amidst the pictures
PATH=$work/broken:$PATH refuses 4 "ffmpeg failed" render hanging $small --frames 9 -o b.mp4
[ -z "$(ls | grep '^b\.')" ] || complain "left behind: $(ls)"

# ---- what does not go together ----
refuses 2 "--frame is for one picture" render hanging --frame 3 -o b.mp4
refuses 2 "one picture is of --frame" render hanging --to 3 -o b.png
refuses 2 "--to 3 is before --from 4" render hanging --from 4 --to 3 -o b.gif
refuses 2 "--to and --frames" render hanging --to 3 --frames 4 -o b.gif
refuses 2 "--fps is for videos" render hanging --fps 30 -o b-%02d.png
refuses 2 "viewers take 50" render hanging --fps 60 -o b.gif
refuses 2 "no frame numbers" render hanging -o b%02d.gif
refuses 2 "no other %" render hanging -o b%s.png
refuses 2 ".png, videos as .mp4" render hanging -o b.avi
refuses 2 "all scenes were asked for" render hanging --gallery g
refuses 2 "--gallery draws all" render --gallery g --frame 3
refuses 2 "smaller than a millimetre" render hanging --box 1,1,1,1,1,1 -o b.png
refuses 4 "a file has its name" render --gallery a.png

# ---- numbered pictures are the single ones ----
view="--orbit 90 --box -0.6,0,-0.6,0.6,1.4,0.6"
run 0 render hanging $small $view --from 3 --to 6 -o n-%03d.png
[ "$(echo n-*)" = "n-003.png n-004.png n-005.png n-006.png" ] || complain "numbered: $(echo n-*)"
run 0 render hanging $small $view --frame 5 -o one.png
cmp n-005.png one.png || complain "frame 5 of a range is another picture than frame 5"
cmp -s n-005.png n-006.png && complain "frames 5 and 6 are the same"
run 0 render hanging $small --box -0.6,0,-0.6,0.6,1.4,0.6 --frame 5 -o still.png
cmp -s one.png still.png && complain "--orbit does nothing"

if ! command -v ffmpeg >/dev/null || ! command -v ffprobe >/dev/null; then
  [ "$failures" = 0 ] || exit 1
  echo "skipped: no ffmpeg and ffprobe"
  exit 77
fi

# probe FILE: codec, width, height, rate, pictures, seconds in whole hundredths
probe() {
  ffprobe -v error -count_frames -of default=nw=1:nk=1 -show_entries \
    stream=codec_name,width,height,avg_frame_rate,nb_read_frames "$1" | tr '\n' ' '
  ffprobe -v error -of default=nw=1:nk=1 -show_entries format=duration "$1" | awk '{print int($1 * 100 + 0.5)}'
}
expect() { # FILE WANTED
  local found
  found=$(probe "$1")
  [ "$found" = "$2" ] || complain "$1: $found, wanted $2"
}

# 24 frames of 1/60 s are 0.4 s at any rate; slow motion makes them longer
run 0 render hanging $small --frames 24 -o v.mp4
prints "v.mp4: frames 0 to 23, 24 pictures of 122 x 68 pixels, 0.4 s"
expect v.mp4 "h264 122 68 60/1 24 40"
run 0 render hanging $small --from 2 --to 25 --fps 30 -o v.webm
expect v.webm "vp9 122 68 30/1 12 40"
run 0 render hanging $small --frames 24 --slow 2 -o v.gif
expect v.gif "gif 121 67 20/1 16 80"
run 0 render hanging $small --frames 24 --slow 2 --fps 60 -o slow.mp4
expect slow.mp4 "h264 122 68 60/1 48 80"
run 0 render hanging $small --frames 24 --dt 0.04 --fps 25 -o "name with  spaces.mp4"
expect "name with  spaces.mp4" "h264 122 68 25/1 24 96"
[ -z "$(ls | grep tmp)" ] || complain "left behind: $(ls)"

# a video's pictures are the single ones: PSNR far above what another frame has
psnr() { # A B, infinite for equal ones
  ffmpeg -hide_banner -nostdin -i "$1" -i "$2" -lavfi "[0][1]psnr" -f null - 2>&1 |
    sed -n 's/.*average:\([0-9inf.]*\).*/\1/p'
}
run 0 render hanging $small --width 122 --height 68 --frame 20 -o one.png
run 0 render hanging $small --width 122 --height 68 --frame 10 -o other.png
ffmpeg -v error -nostdin -i v.mp4 -vf "select=eq(n\,20)" -frames:v 1 twenty.png
good=$(psnr twenty.png one.png)
bad=$(psnr twenty.png other.png)
awk -v g="$good" -v b="$bad" 'BEGIN {exit !(g > 32 && g > b + 8)}' ||
  complain "frame 20 of the video: $good dB from frame 20, $bad dB from frame 10"

# ---- cut short: a playable file, its status and its frame ----
# In a process group of its own, as a terminal starts it: there Ctrl-C goes to the whole group.
start_long() { # FILE
  setsid env --default-signal=INT,TERM "$weft" render hanging $small --frames 100000 -o "$1" >out 2>err &
  runner=$!
}
wait_for_child() { # until ffmpeg has some pictures
  local k
  for k in $(seq 100); do
    [ -s "/proc/$runner/io" ] && [ "$(awk '/^wchar/ {print $2}' "/proc/$runner/io")" -gt 2000000 ] && return
    sleep 0.1
  done
}
cut_with() { # SIGNAL FILE STATUS WORD
  start_long "$2"
  wait_for_child
  local to=$runner
  [ "$1" = INT ] && to=-$runner
  kill "-$1" -- $to
  wait $runner
  local got=$? last count
  [ $got = "$3" ] || complain "cut by $1: status $got: $(cat err)"
  grep -q "cut short by $4 after frame [0-9]* of 99999" err || complain "cut by $1: said $(cat err)"
  last=$(sed -n 's/.*after frame \([0-9]*\) of.*/\1/p' err)
  count=$(ffprobe -v error -count_frames -of csv=p=0 -show_entries stream=nb_read_frames "$2" | tr -d ,)
  [ "$count" = $((last + 1)) ] || complain "cut by $1: $count pictures up to frame $last"
  [ -z "$(ls | grep tmp)" ] || complain "cut by $1: left behind: $(ls)"
}
cut_with INT cut.mp4 130 Ctrl-C
cut_with TERM cut.webm 143 SIGTERM

# a second one ends it at once, and no half file has the final name; a stopped ffmpeg would
# otherwise keep it waiting for ever
mkdir hung
printf '#!/bin/sh\nexec sleep 600\n' >hung/ffmpeg
chmod +x hung/ffmpeg
PATH=$work/hung:$PATH start_long twice.mp4
sleep 1.5
child=$(pgrep -P $runner sleep)
kill -INT $runner
sleep 0.3
kill -INT $runner
wait $runner
got=$?
[ $got = 130 ] || complain "second Ctrl-C: status $got"
[ -z "$(ls | grep twice)" ] || complain "second Ctrl-C left behind: $(ls)"
sleep 0.2
[ -n "$child" ] && [ -d "/proc/$child" ] && ! grep -q '^State:.Z' "/proc/$child/status" &&
  complain "second Ctrl-C left its child running"

# ---- progress on a terminal ----
# script may be there and pseudo-terminals not (a bare chroot).
if script -qec true typescript >/dev/null 2>&1 </dev/null; then
  script -qec "'$weft' render hanging $small --frames 900 -o p.gif" typescript >/dev/null 2>&1 </dev/null
  grep -qE "drawing \[.*\] [0-9]+ %, [0-9]+:[0-9][0-9] left" typescript || complain "no progress: $(cat typescript)"
fi
finish
