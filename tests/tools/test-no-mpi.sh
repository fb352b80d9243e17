#!/bin/sh
# A machine without MPI, and an ordinary user's machine without packages: what make would do there.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8

# would GOAL...: what make would do for the goals in an empty build folder, with nothing of the make that runs this.
would () {
  env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u RECORD_MPIS -u T PATH="$work/bin" make -n -s INSTALL_DEPS=no BUILD="$work/build" CHARTS="$work" "$@" >"$work/said" 2>"$work/errors"
}
none='/libpredictor-record\.so|/libpredictor-record\.\.|predictor-(mpi|measure)([. ]|$)|mpicc\.'

# All commands of this machine but those of MPI.
mkdir "$work/bin"
for folder in /usr/local/bin /usr/bin /bin /usr/sbin /sbin; do
  ln -s "$folder"/* "$work/bin/" 2>/dev/null
done
rm -f "$work/bin"/mpi*
: >"$work/echarts.min.js"

for goal in all demo check install uninstall; do
  would "$goal" && [ -s "$work/said" ]
  result $? "/no-mpi/$goal/has-rules" "$(cat "$work/errors")"
  found=$(grep -E "$none" "$work/said" | cut -c 1-200 | head -n 3)
  [ -z "$found" ]
  result $? "/no-mpi/$goal/no-mpi-in-it" "$found"
done
would record measure mpi && [ ! -s "$work/said" ]
result $? /no-mpi/nothing-to-do "$(cat "$work/said" "$work/errors")"
would -p all && sed -n 's/^RECORD_MPIS :*= *//p; s/^RECORD_MPIS :*=$//p' "$work/said" >"$work/value" && [ "$(cat "$work/value")" = "" ] &&
  grep -q -e "-DPD_MPIS='\"\"'" "$work/said"
result $? /no-mpi/value "'$(cat "$work/value")'"

# What stands for each MPI alone has rules for this one.
for mpi in mpich openmpi; do
  ln -sf /bin/true "$work/bin/mpicc.$mpi"
  would record measure mpi
  grep -q "libpredictor-record.$mpi.so" "$work/said" && grep -q "predictor-mpi.$mpi" "$work/said" && grep -q "predictor-measure.$mpi" "$work/said" &&
    [ "$(grep -oE 'mpicc\.[a-z]+' "$work/said" | sort -u)" = "mpicc.$mpi" ]
  result $? "/no-mpi/$mpi-alone" "$(head -n 3 "$work/errors")"
  rm "$work/bin/mpicc.$mpi"
done

# ---- packages are missing, and the user may not install any: one list, of all that the goal needs

mkdir "$work/bare"
for c in sh make cat dirname grep sed awk env find sort ls git; do ln -s "$(command -v $c)" "$work/bare/$c"; done
printf '#!/bin/sh\necho 1000\n' >"$work/bare/id"
chmod +x "$work/bare/id"
PATH=$work/bare sh tools/install-deps demo >"$work/said" 2>&1
status=$?
[ $status = 1 ] && [ "$(grep -c 'apt-get install' "$work/said")" = 1 ]
result $? /no-packages/status-and-one-list "status $status: $(cat "$work/said")"
lost=$(for p in gcc pkg-config libglib2.0-dev libxml2-dev libsqlite3-dev zlib1g-dev libzstd-dev libdw-dev libgsl-dev libhwloc-dev \
  libopen-trace-format2-dev curl; do grep -q "apt-get install.* $p\( \|$\)" "$work/said" || echo $p; done)
[ -z "$lost" ]
result $? /no-packages/all-of-them "not named: $lost"
env -u INSTALL_DEPS -u MAKEFLAGS -u MFLAGS -u MAKELEVEL PATH="$work/bare" make demo BUILD="$work/build" >"$work/said" 2>&1
status=$?
[ $status = 2 ] && [ "$(grep -c 'apt-get install' "$work/said")" = 1 ] && [ "$(wc -l <"$work/said")" -le 3 ] && [ ! -e "$work/build" ]
result $? /no-packages/make "status $status: $(cat "$work/said")"

tap_done
