#!/bin/sh
# record-kinds.sh [RUNS]: what recording costs by kind of call, against the program that is not
# recorded: RUNS runs (5) of each, by turns, of two ranks that each need a processor; the least
# counts. On a busy machine 'chrt -r 1 sh bench/record-kinds.sh'. Needs MPI.
# SPDX-License-Identifier: MIT
set -u
runs=${1:-5}
build=$(pwd)/${BUILD:-build}
sources=$(pwd)/bench/record
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# not where other runs of Open MPI have their folders
export TMPDIR="$work"
cd "$work" || exit 1

# run_kinds COMMAND...: "KIND NS", by the program under COMMAND
run_kinds () {
  timeout 120 "$@" "mpiexec.$mpi" -n 2 ./kinds "$work/file" | grep '^MPI_'
}

status=0
for mpi in mpich openmpi; do
  command -v "mpicc.$mpi" >/dev/null 2>&1 && "mpicc.$mpi" -O2 -o kinds "$sources/kinds.c" -lm \
    || { echo "$mpi: skipped, there is no working mpicc.$mpi"; continue; }
  : >without; : >with
  for i in $(seq "$runs"); do
    run_kinds env >>without || status=1
    run_kinds "$build/predictor/predictor" record -q --force -o recorded -- >>with 2>stderr || { cat stderr; status=1; }
  done
  printf '%-8s %-26s %12s %12s %12s %7s\n' "$mpi" "" "alone, ns" "recorded, ns" "per call, ns" ratio
  awk -v runs="$runs" '
    { at = $1 }
    !(at in order) { order[at] = ++n; name[n] = at }
    FNR == NR { if (!(at in a) || $2 < a[at]) a[at] = $2; next }
    { if (!(at in b) || $2 < b[at]) b[at] = $2 }
    END {
      for (i = 1; i <= n; i++)
        printf "%-8s %-26s %12.1f %12.1f %12.1f %7.2f\n", "", name[i], a[name[i]], b[name[i]], b[name[i]] - a[name[i]], b[name[i]] / a[name[i]]
    }' without with
done
exit $status
