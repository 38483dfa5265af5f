#!/usr/bin/env bash
# What cpack makes: the archive and, where there is dpkg-deb, the packages, each unpacked into an empty folder and built against.
# Arguments: as of check.sh.
set -euo pipefail
. "$(dirname "$0")/helpers.bash" "$@"
quietly "$work/cpack.log" cpack --config "$build/CPackConfig.cmake" -B "$work/packages"
cd "$work/packages"
version=$(sed -n 's/^project(weft VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

echo "== the archive"
mkdir "$work/archive"
tar -xzf weft-"$version"-*.tar.gz -C "$work/archive" --strip-components 1
use_prefix "$work/archive"
for kind in $kinds; do consume "$work/archive-$kind" "$kind"; done
python3 "$here/symbols.py" "$prefix"

if command -v dpkg-deb >/dev/null && ls ./*.deb >/dev/null 2>&1; then
  echo "== packages"
  series=$(cut -d. -f1,2 <<<"$version")
  for package in ./*.deb; do
    name=$(dpkg-deb -f "$package" Package)
    echo "$name $(dpkg-deb -f "$package" Version): $(dpkg-deb -f "$package" Depends)"
    dpkg-deb -x "$package" "$work/debian"
    case $name in # which has what
      "libweft$series") wanted="libweft.so.$version" ;;
      libweft-dev) wanted="weft.h" ;;
      weft) wanted="bin/weft" ;;
      *) wanted="nothing: a package of that name" ;;
    esac
    dpkg-deb -c "$package" | grep "$wanted" >/dev/null || complain "$name lacks $wanted"
  done
  dpkg-deb -f libweft-dev_*.deb Depends | grep -q "libweft$series (= $version)" || complain "libweft-dev does not need the library of its version"
  dpkg-deb -f libweft"$series"_*.deb Depends | grep -q "libjansson4" || complain "the library does not need what it is linked with"
  use_prefix "$work/debian/usr"
  for kind in $kinds; do consume "$work/debian-$kind" "$kind"; done
fi
finish
