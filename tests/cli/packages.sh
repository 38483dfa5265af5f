#!/usr/bin/env bash
# Setting up beside another package manager waits until its lock is free, says so once, and stops at any other failure.
. "$(dirname "$0")/helpers.bash"
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir "$work/bin"
# An apt-get that finds a lock so many times, a sudo that is none, and a dpkg that knows nothing.
cat >"$work/bin/apt-get" <<'FAKE'
#!/bin/sh
echo "$*" >>"$WORK/calls"
left=$(cat "$WORK/left")
[ "$left" = 0 ] && exit 0
echo $((left - 1)) >"$WORK/left"
cat "$WORK/says" >&2
exit 100
FAKE
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\n' >"$work/bin/sleep"
chmod +x "$work"/bin/*
# sets_up STATUS LEFT SAYS: with an apt-get that fails LEFT times.
sets_up() {
  local status=0
  echo "$2" >"$work/left"
  echo "$3" >"$work/says"
  : >"$work/calls"
  WORK=$work PATH=$work/bin:$PATH bash -euc '. "$1/scripts/packages.sh"; need_packages no-such-package' - "$root" >"$work/out" 2>"$work/err" || status=$?
  [ "$status" = "$1" ] || complain "$2 times \"$3\": status $status, wanted $1: $(cat "$work/err")"
}
waits="weft: another package manager is at work; waiting for it, ten minutes at most"
sets_up 0 0 ""
grep -q "waiting" "$work/err" && complain "waits for nothing"
[ "$(cat "$work/calls")" = "$(printf '%s\n' "-qq update" "-qq install -y --no-install-recommends no-such-package")" ] || complain "$(cat "$work/calls")"
for lock in "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)" \
  "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?" "E: Unable to lock directory /var/lib/apt/lists/"; do
  sets_up 0 3 "$lock"
  [ "$(grep -cxF "$waits" "$work/err")" = 1 ] || complain "does not say that it waits: $(cat "$work/err")"
  [ "$(wc -l <"$work/calls")" = 5 ] || complain "calls: $(cat "$work/calls")"
done
sets_up 1 1 "E: Unable to locate package no-such-package"
grep -q "waiting" "$work/err" && complain "waits for a package that is not there"
grep -q "Unable to locate" "$work/err" && grep -q "could not install no-such-package" "$work/err" || complain "$(cat "$work/err")"
sets_up 1 9999 "E: Could not get lock /var/lib/dpkg/lock"
[ "$(wc -l <"$work/calls")" = 301 ] || complain "it waits for $(wc -l <"$work/calls") calls"
finish
