#!/bin/sh
# measure-collective.sh [full] [WORDS...]: under each MPI, how well launches of predictor-measure
# agree on the times of collective operations of 2 processes (the relative standard error
# of their medians; wanted: 1 % in the median, 3 % at worst), and what unsynchronised
# loops, buffers never written and long windows would have reported. "full" launches 10
# times and takes some minutes; else it is a few seconds of fewer sizes. WORDS are further
# options of collective. Needs a quiet machine.
set -u
build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

launches=3 common="--operations barrier,bcast,allreduce,alltoall --sizes 8,64K" rounds="--rounds 2"
if [ "${1:-}" = full ]; then
  launches=10 common="--operations barrier,bcast,allreduce,alltoall --sizes 8,1K,64K,1M" rounds=
  shift
fi
more=$*

# collective WORDS...: under $mpi
collective () {
  timeout 600 "mpiexec.$mpi" -n 2 "$program" collective -q -o /dev/null $common $rounds $more "$@"
}

# The median of each case in each file, and how many times the first it is.
compare () {
  awk -F, '
    function value(name) { return $(at[name]) }
    FNR == 1 { file++ }
    $1 == "table" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == "collective" {
      key = sprintf("  %-10s %8d", value("operation"), value("bytes"))
      if (file == 1) keys[++n] = key
      time[key, file] = value("synchronised") == 1 ? value("global_median_us") : value("local_median_us")
    }
    # what a benchmark says that looks at rank 0 only
    $1 == "collective_rank" && value("rank") == 0 { key = sprintf("  %-10s %8d", value("operation"), value("bytes")); first[key] = value("median_us") }
    END {
      printf "  %-10s %8s %12s %20s %20s %20s %20s\n", "operation", "bytes", "us", "loop, rank 0", "loop, longest", "untouched", "2 ms windows"
      for (i = 1; i <= n; i++) {
        key = keys[i]
        base = time[key, 1]
        printf "%s %12.3f", key, base
        printf " %12.3f (%4.2fx)", first[key], first[key] / base
        for (f = 2; f <= 4; f++) printf " %12.3f (%4.2fx)", time[key, f], time[key, f] / base
        print ""
      }
    }' "$@"
}

for mpi in mpich openmpi; do
  program=$build/measure/predictor-measure.$mpi
  if ! [ -x "$program" ] || ! command -v "mpiexec.$mpi" >/dev/null 2>&1; then
    echo "$mpi: skipped, there is no $program or mpiexec.$mpi"
    continue
  fi
  i=0
  while [ $i -lt $launches ]; do
    collective --append "$work/$mpi.csv" || exit 1
    i=$((i + 1))
  done
  echo "$mpi: medians of $launches launches (us)"
  "$program" collective --summary "$work/$mpi.csv" | sed -n '/^$/,$s/^/  /p'
  collective --csv "$work/sync.csv" && collective --no-sync --per-rank --csv "$work/loop.csv" \
    && collective --untouched --csv "$work/untouched.csv" && collective --window 2000 --csv "$work/window.csv" || exit 1
  echo "$mpi: what mistakes of measuring report, as medians (times what it takes)"
  compare "$work/sync.csv" "$work/loop.csv" "$work/untouched.csv" "$work/window.csv"
done
