#!/bin/sh
# The example of the ComSys library: prints what it should, sees only installed
# headers, and is the program of the man page. Speaks TAP.
set -u
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0

# check NAME: reports the status of the command before it
check () {
  status=$?
  n=$((n + 1))
  if [ "$status" = 0 ]; then echo "ok $n $1"; else echo "not ok $n $1"; fi
}

echo 1..6

"$BUILD/examples/comsys-pingpong" >"$work/out" &&
  diff -u tests/data/comsys-pingpong.expected "$work/out"
check /example/comsys-pingpong/output

# exactly one line per size and the heading
[ "$(wc -l <"$work/out")" = 12 ]
check /example/comsys-pingpong/lines

! grep '#include "' examples/*.c | grep -v '"comsys/pd-[a-z]*\.h"\|"base/pd-[a-z]*\.h"'
check /example/installed-headers-only

# what is installed is enough to build it, and no more than that
make -s install BUILD="$BUILD" DESTDIR="$work/root" >"$work/said" 2>&1 &&
  top=$(dirname "$(find "$work/root" -type d -name bin)") &&
  ${CC:-cc} -std=c17 -I"$top/include/predictor" $(pkg-config --cflags glib-2.0) -fsyntax-only examples/*.c &&
  [ -z "$(find "$top" -name '*-private.h')" ] && [ -x "$top/bin/predictor" ] &&
  [ -f "$top/share/man/man5/predictor-trace.5" ]
check /example/installed

sed -n '/^\.Sh EXAMPLES/,$p' man/predictor-comsys.3 |
  sed -n '/^\.Bd -literal$/,/^\.Ed/p' | sed '1d;$d; s/^\\&//; s/\\e/\\/g' >"$work/man.c" &&
  diff -u examples/comsys-pingpong.c "$work/man.c"
check /example/man-page-has-the-program

# every function of the header is on the page
grep -oh 'pd_[a-z_]* (' comsys/mpi/pd-comsys-core.h comsys/comm/pd-comm.h | sed 's/ (//' | sort -u >"$work/functions"
missing=$(while read -r f; do grep -qw "$f" man/predictor-comsys.3 || echo "$f"; done <"$work/functions")
[ -s "$work/functions" ] && [ -z "$missing" ] || { echo "# missing: $missing"; false; }
check /example/man-page-names-every-function
