#!/bin/sh
# nas.sh PROGRAMS FOLDER: the NAS benchmarks CG, MG, LU, FT and IS on two ranks, recorded and
# predicted for this host, against unrecorded runs, in turns. PROGRAMS has them built
# (NPB 3.3 or later, the MPI version, NPROCS=2) as mpich/bin/cg.W.2 and so on. FOLDER gets
# descriptions of this host, measured and fitted, and recordings; with REUSE=1 those there are
# predicted again. ROUNDS, 5 if not given: of which medians are taken. PRIORITY: in front of each
# rank, as "chrt -r 1" on a busy machine.
#
# A line of each: MPI, program, class, rounds, seconds unrecorded, recorded, predicted, low and high
# end of its range without the floor, per cent of the predicted time that recording may have added,
# and the load, medians; then the least seconds unrecorded, recorded and predicted of all rounds,
# which other work of the host disturbs less.
# SPDX-License-Identifier: MIT
set -u
[ $# = 2 ] || {
  echo "usage: $0 PROGRAMS FOLDER" >&2
  exit 2
}
build=$(realpath "${BUILD:-build}") || exit 1
programs=$(realpath "$1") || exit 1
mkdir -p "$2/keep" && folder=$(realpath "$2") || exit 1
predictor=$build/predictor/predictor
wall=$PWD/bench/record/wall.c
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LC_ALL=C
cd "$folder" || exit 1

# on_two WORDS...: on two ranks under $mpi; starting programs takes no part of their time
on_two () {
  bind="-bind-to core"
  [ "$mpi" = openmpi ] && bind="--bind-to core"
  "mpiexec.$mpi" $bind -n 2 ${PRIORITY:-} "$@"
}

measure_host () {
  measure=$build/measure/predictor-measure.$mpi
  on_two "$measure" transfer --cold --max 4194304 --rounds 21 --at-least 5 -q --csv "$mpi-transfer.csv" -o /dev/null &&
    on_two "$measure" transfer --variant 2 --cold --max 4194304 --rounds 21 --at-least 5 -q --csv "$mpi-sendrecv.csv" -o /dev/null &&
    on_two "$measure" collective --cold --operations barrier,bcast,reduce,allreduce,alltoall --factor 2 --max 4194304 -q \
      --csv "$mpi-collective.csv" -o /dev/null &&
    { "$predictor" machine fit --force "$mpi"-*.csv -o "$mpi.xml" >"$mpi.txt" || [ $? = 5 ]; }
}

# one NAME ROUND: both ways, in an order that changes
one () {
  archive=keep/$mpi.$1.$2
  for turn in 0 1; do
    sleep 0.5
    if [ $(((turn + $2) % 2)) = 0 ]; then
      rm -f wall
      on_two env LD_PRELOAD="$PWD/wall.$mpi.so" WALL="$PWD/wall" "$programs/$mpi/bin/$1.2" >/dev/null 2>&1
    else
      "$predictor" record -q --force -o "$archive" -- "mpiexec.$mpi" $bind -n 2 ${PRIORITY:-} \
        "$programs/$mpi/bin/$1.2" >/dev/null 2>&1
    fi
  done
  echo "$mpi $(echo "$1" | tr . ' ') $2 $(cat wall) $archive $(cut -d' ' -f 1 /proc/loadavg)" >>runs.tsv
}

measure_all () {
  rm -f runs.tsv
  for mpi in mpich openmpi; do
    "mpicc.$mpi" -shared -fPIC -O2 -o "wall.$mpi.so" "$wall" && measure_host || exit 1
  done
  for round in $(seq "${ROUNDS:-5}"); do
    for mpi in mpich openmpi; do
      for class in S W; do
        for name in cg mg lu ft is; do one $name.$class "$round"; done
      done
    done
  done
}

# predict MPI ARCHIVE: recorded, predicted, low, high, recorder's part in per cent
predict () {
  "$predictor" run "$2/traces.otf2" -q --reproduce -m "$1.xml" --xml - -o /dev/null 2>/dev/null | awk '
    function number (name,   text) {
      text = $0
      sub(".* " name "=\"", "", text)
      return text + 0
    }
    /<run / { time = number("execution_time") }
    /recorded_time=/ && recorded == 0 { recorded = number("recorded_time") }
    /<execution_range source=/ && !/source="(all|measured)"/ {
      low = time / number("low") - 1; high = number("high") / time - 1
      lows += low * low; highs += high * high
      if (/source="recorder"/) part = 100 * low / (1 + low)
    }
    END { printf "%.9f %.9f %.9f %.9f %.2f\n", recorded, time, time / (1 + sqrt (lows)), time * (1 + sqrt (highs)), part }'
}

[ "${REUSE:-0}" = 1 ] || measure_all
while read -r mpi name class round plain archive load; do
  echo "$mpi $name $class $plain $(predict "$mpi" "$archive") $load"
done <runs.tsv | sort | awk '
  function median (column,   i, j, n, x, sorted) {
    for (n = 0; n < rounds; n++) {
      x = value[n, column]
      for (j = n; j > 0 && sorted[j - 1] > x; j--) sorted[j] = sorted[j - 1]
      sorted[j] = x
    }
    return (sorted[int ((n - 1) / 2)] + sorted[int (n / 2)]) / 2
  }
  function least (column,   i, x) {
    x = value[0, column]
    for (i = 1; i < rounds; i++) if (value[i, column] < x) x = value[i, column]
    return x
  }
  function say (   i) {
    printf "%s %d", key, rounds
    for (i = 4; i <= 8; i++) printf " %.6f", median(i)
    printf " %.2f %.1f", median(9), median(10)
    for (i = 4; i <= 6; i++) printf " %.6f", least(i)
    print ""
  }
  BEGIN { rounds = 0 }
  { now = $1 " " $2 " " $3 }
  NR > 1 && now != key { say(); rounds = 0 }
  { key = now; for (i = 4; i <= NF; i++) value[rounds, i] = $i; rounds++ }
  END { if (NR > 0) say() }'
