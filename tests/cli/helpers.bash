# helpers.bash: sourced by the tests of the program; $1 is its path.
set -u
export LC_ALL=C
weft=$1
work=$(mktemp -d)
# A subshell that a signal ends before it has begun would run this, too.
trap '[ $BASHPID != $$ ] || { chmod -R u+w "$work"; rm -rf "$work"; }' EXIT
failures=0

complain() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# run STATUS ARGS...: runs weft; its output goes to $work/out and $work/err, without what a slow machine is told of the way.
run() {
  local wanted=$1 status=0
  shift
  "$weft" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  sed -i '/^weft: so far: /d' "$work/err"
  if [ "$status" != "$wanted" ]; then
    complain "weft $*: status $status, wanted $wanted"
    head -5 "$work/err" >&2
  fi
}

# refuses STATUS TEXT ARGS...: as run, and stderr is one line that contains TEXT.
refuses() {
  local wanted=$1 text=$2
  shift 2
  run "$wanted" "$@"
  sed -i '/debug or sanitized build/d' "$work/err"
  [ "$(wc -l <"$work/err")" = 1 ] || complain "weft $*: not one line on stderr: $(cat "$work/err")"
  grep -qF -e "$text" "$work/err" || complain "weft $*: no \"$text\" in: $(cat "$work/err")"
}

prints() {
  grep -qF -e "$1" "$work/out" || complain "no \"$1\" in: $(head -20 "$work/out")"
}

have_gl() { "$weft" info 2>/dev/null | grep -q '^  probe: exact'; }

# Whether weft can draw pages here: with a Python that has matplotlib.
have_matplotlib() {
  local python
  for python in "${WEFT_PYTHON:-python3}" ${WEFT_PYTHON:-/usr/bin/python3}; do
    "$python" -c 'import matplotlib' 2>/dev/null && return 0
  done
  return 1
}

# check_page FILE [--layout]: what every page keeps to.
check_page() {
  python3 "$(dirname "$0")/../tools/check_page.py" "$@" >"$work/page_errors" 2>&1 ||
    complain "$(head -5 "$work/page_errors")"
}

# page_says FILE TEXT...: as it stands in the file.
page_says() {
  local page=$1 text
  shift
  for text in "$@"; do
    grep -qF -e "$text" "$page" || complain "no \"$text\" in $(basename "$page"): $(grep -o '<h1>.*' "$page")"
  done
}

finish() {
  [ "$failures" = 0 ] || exit 1
  echo "all as wanted"
  exit 0
}

# ball RADIUS RINGS SEGMENTS: an OBJ file of a closed ball about the origin.
ball() {
  awk -v r="$1" -v rings="$2" -v n="$3" 'BEGIN {
    pi = 3.14159265358979
    printf "v 0 %g 0\n", r
    for (i = 1; i < rings; ++i) for (s = 0; s < n; ++s) {
      a = pi * i / rings; b = 2 * pi * (s + 0.37) / n
      printf "v %.6f %.6f %.6f\n", r * sin(a) * cos(b), r * cos(a), r * sin(a) * sin(b)
    }
    printf "v 0 %g 0\n", -r
    last = 2 + (rings - 1) * n
    for (s = 0; s < n; ++s) {
      m = (s + 1) % n
      print "f 1", 2 + m, 2 + s
      for (i = 0; i < rings - 2; ++i) { a = 2 + i * n; print "f", a + s, a + m, a + n + m, a + n + s }
      print "f", last - n + s, last - n + m, last
    }
  }'
}
