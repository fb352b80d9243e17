#!/bin/sh
# scale-clock.sh FOLDER [RUNS]: predictor scale on programs recorded with real clocks: each pattern of
# examples/mpi/patterns.c does real work on several numbers of ranks, RUNS (3) times, in processor
# time; it is made from the smaller ones for a greater one and predicted there, and so are the
# recordings there. FOLDER gets the recordings; those that are there are taken as they are.
#
# A line of each, separated by tabs: program, recorded numbers of ranks, the number that was made,
# its predicted time on mvs1000, the error of that against the median of the recordings', per cent,
# the 90 % range, per cent, the least and the greatest of the recordings', per cent of their
# median, how many of them are in the range, and how many there are; or "failed".
# SPDX-License-Identifier: MIT
set -u
[ $# = 1 ] || [ $# = 2 ] || {
  echo "usage: $0 FOLDER [RUNS]" >&2
  exit 2
}
build=$(realpath "${BUILD:-build}") || exit 1
mkdir -p "$1" && folder=$(realpath "$1") || exit 1
runs=$(seq "${2:-3}")
predictor=$build/predictor/predictor
source=$PWD/examples/mpi/patterns.c
export PREDICTOR_DATADIR="${PREDICTOR_DATADIR:-$PWD}" LC_ALL=C
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
operations=${OPERATIONS:-100000000}
cd "$folder" || exit 1
# ranks of Open MPI give their processors away while they wait, which those of MPICH do not
mpicc.openmpi -g -O1 -std=gnu17 -o patterns "$source" || exit 1

# record NAME N: NAME.N.RUN.pdt of each run
record () {
  for run in $runs; do
    file=$1.$2.$run
    [ -s "$file.pdt" ] && continue
    timeout "${LIMIT:-300}" "$predictor" record -q --force --clock cpu --stack-depth 4 -o recorded -- \
      mpiexec.openmpi -n "$2" ./patterns "$1" 10 0 "$operations" >log 2>&1 &&
      "$predictor" convert recorded part.pdt >>log 2>&1 && mv part.pdt "$file.pdt"
  done
}

# predict COMMAND...: its time and range, s
predict () {
  "$predictor" "$@" -m mvs1000 --json 2>>log | sed -n '
    s/^ *"execution_time": \([0-9.e-]*\),*$/\1/p
    s/^ *"execution_time_\(low\|high\)": \([0-9.e-]*\),*$/\2/p' | head -n 3 | tr '\n' ' '
}

# compare NAME SIZES TARGET
compare () {
  files=
  for n in $2; do
    for run in $runs; do files="$files $1.$n.$run.pdt"; done
  done
  made=$(predict scale $files -n "$3")
  for run in $runs; do predict run "$1.$3.$run.pdt"; echo; done | sort -n | awk -v made="$made" \
    -v name="$1" -v sizes="$2" -v n="$3" '
    NF { there[++runs] = $1 }
    END {
      if (split(made, m, " ") != 3 || runs == 0) { print name "\t" sizes "\t" n "\tfailed"; exit }
      middle = (there[int((runs + 1) / 2)] + there[int(runs / 2) + 1]) / 2
      for (i = 1; i <= runs; i++) inside += there[i] >= m[2] && there[i] <= m[3]
      printf "%s\t%s\t%s\t%.6f\t%+.1f\t%+.0f to %+.0f\t%+.1f to %+.1f\t%d\t%d\n", name, sizes, n, m[1],
        100 * (m[1] / middle - 1), 100 * (m[2] / m[1] - 1), 100 * (m[3] / m[1] - 1),
        100 * (there[1] / middle - 1), 100 * (there[runs] / middle - 1), inside, runs
    }'
}

# pattern NAME SIZES TARGETS
pattern () {
  for n in $2 $3; do record "$1" "$n"; done
  for n in $3; do compare "$1" "$2" "$n"; done
}

for name in ring halo1d halo2d wavefront transpose broadcast; do pattern $name "4 9 16 25" "64 100"; done
for name in cg butterfly multigrid; do pattern $name "4 8 16 32" "64 128"; done
pattern halo3d "8 12 18 27 36 48" "64 100"
