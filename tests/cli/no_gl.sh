#!/usr/bin/env bash
# Without usable OpenGL: the backend cpu with a warning, unless gl was named; then 77.
. "$(dirname "$0")/helpers.bash"

export WEFT_EGL_DEVICE=99
if have_gl; then
  export EGL_PLATFORM=nonsense __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent
fi
if have_gl; then
  echo "cannot hide OpenGL on this machine" >&2
  exit 77
fi
unset DISPLAY WAYLAND_DISPLAY
run 0 simulate hanging --size 8 --frames 2
prints "backend   cpu"
grep -q "warning: .*backend cpu" "$work/err" || complain "no warning: $(cat "$work/err")"
[ "$(wc -l <"$work/err")" = 1 ] || complain "more than one line: $(cat "$work/err")"
refuses 77 "weft simulate: " simulate hanging --size 8 --frames 2 --backend gl
refuses 77 "weft bench: " bench --scene hanging --size 8 --frames 1 --samples 1 --backend gl
refuses 1 "only the other backends are timed" bench --scene hanging --size 8 --frames 1 --samples 1
run 0 bench --scene hanging --size 8 --frames 1 --samples 1 --backend ref
run 0 info
prints "not usable"
prints "  f64 "
run 0 bench --scene hanging --size 8 --frames 1 --samples 1 --backend f64
run 0 inspect hanging --size 8
run 0 --help
finish
