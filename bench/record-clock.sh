#!/bin/sh
# record-clock.sh [RUNS]: what ranks compute by the processor time of their threads, which share
# processors: alone on a core, 2 ranks on one core, 64 ranks on all cores there are; each rank does
# the same work, RUNS (5) recordings of each, by turns. A row: mean of the ranks, the least and the
# most of a rank, median of the recordings, in milliseconds, and by how much that differs from
# alone; then the same by the time that passes. Needs MPI and taskset.
# SPDX-License-Identifier: MIT
set -u
runs=${1:-5}
program=$(pwd)/${BUILD:-build}/predictor/predictor
source=$(pwd)/tests/record/programs/work.c
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR="$work"
# ranks keep the cores that taskset gives all of them together
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_rmaps_base_oversubscribe=1
cd "$work" || exit 1

# record NAME CLOCK CORES RANKS: appends "NAME MEAN LEAST MOST" of the ranks, in milliseconds
record () {
  timeout 300 taskset -c "$3" "$program" record -q --force --clock "$2" -o recorded -- \
    "mpiexec.$mpi" -n "$4" ./work 20 2000000 2>stderr || { cat stderr >&2; status=1; return; }
  "$program" convert recorded program.pdt 2>/dev/null
  awk -v name="$1" '
    function ms (text) {
      return text * (text ~ /ps$/ ? 1e-9 : text ~ /ns$/ ? 1e-6 : text ~ /us$/ ? 1e-3 : text ~ /ms$/ ? 1 : 1000)
    }
    $1 == "rank" { rank = $2; ranks++ }
    $1 == "compute" { sum[rank] += ms($2) }
    END {
      for (r in sum) {
        all += sum[r]
        least = least == "" || sum[r] < least ? sum[r] : least
        most = sum[r] > most ? sum[r] : most
      }
      print name, all / ranks, least, most
    }' program.pdt >>found
}

status=0
all=$(taskset -cp $$ | sed 's/.*: //')
core=$(echo "$all" | sed 's/.*[-,]//')
for mpi in ${TEST_MPIS:-mpich openmpi}; do
  command -v "mpicc.$mpi" >/dev/null 2>&1 && "mpicc.$mpi" -O1 -o work "$source" \
    || { echo "$mpi: skipped, there is no working mpicc.$mpi"; continue; }
  : >found
  for i in $(seq "$runs"); do
    for clock in cpu wall; do
      record "$clock alone" "$clock" "$core" 1
      record "$clock 2-on-1" "$clock" "$core" 2
      record "$clock 64-on-all" "$clock" "$all" 64
    done
  done
  printf '%-8s %-16s %10s %10s %10s %9s\n' "$mpi" "" "mean, ms" "least, ms" "most, ms" "alone, %"
  awk '{ print $2 == "alone" ? 0 : $2 == "2-on-1" ? 1 : 2, $0 }' found | sort -k2,2 -k1,1n -k4,4n | awk '
    function show (i) {
      i = int((n + 1) / 2)
      base[clock] = base[clock] ? base[clock] : mean[i]
      printf "%-8s %-16s %10.3f %10.3f %10.3f %+9.2f\n", "", clock " " kind, mean[i], least[i], most[i], 100 * (mean[i] / base[clock] - 1)
      n = 0
    }
    n > 0 && (clock != $2 || kind != $3) { show() }
    { clock = $2; kind = $3; n++; mean[n] = $4; least[n] = $5; most[n] = $6 }
    END { if (n > 0) show() }'
done
exit $status
