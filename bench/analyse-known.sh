#!/bin/sh
# analyse-known.sh: a program with a timetable (examples/mpi/known.c) is recorded on
# two ranks and analysed; what the analysis says against what the timetable says.
# Wanted: within 5 % or 20 us on an idle machine. Needs MPI.
set -u
program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
sources=$PWD/examples/mpi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export TMPDIR="$scratch" # not where other runs of Open MPI have their folders
cd "$scratch" || exit 1

compare () {
  awk -F, -v mpi="$1" '
    function abs (x) { return x < 0 ? -x : x }
    BEGIN {
      n = split ("real_sync 3 synchronization 11 time_variation 6 overlap 9 idle 8 load_imbalance 10", w, " ")
      printf "%-10s %-16s %10s %10s %9s\n", mpi, "", "known us", "found us", "error us"
    }
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    $(column["type"]) == "USER" {
      for (i = 1; i < n; i += 2) {
        known = 1000 * w[i + 1]; found = 1e6 * $(column[w[i]]); error = found - known
        fine = abs(error) <= 20 || abs(error) <= 0.05 * known
        printf "%-10s %-16s %10.1f %10.1f %+9.1f%s\n", "", w[i], known, found, error, fine ? "" : "  over 5 % and 20 us"
      }
    }'
}

for mpi in mpich openmpi; do
  if ! command -v mpicc.$mpi >/dev/null 2>&1; then
    echo "$mpi: skipped, there is no mpicc.$mpi"
    continue
  fi
  mpicc.$mpi -O2 -o known.$mpi "$sources/known.c" &&
    "$program" record -q -o $mpi -- mpiexec.$mpi -n 2 ./known.$mpi &&
    "$program" analyse $mpi/traces.otf2 -q --csv $mpi.csv && compare $mpi <$mpi.csv
done
