#!/bin/sh
# How fast predictor sweep is: points a second of small and of larger points, and two
# workers against one, measured in turns in one run. The first ratio is that of the
# least elapsed times, and needs two idle cores (wanted: 1.9); the
# second, of the least processor times of all processes together, says what two
# workers and their coordinator cost more, and does not need that.
# SPDX-License-Identifier: MIT
set -u
program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export PREDICTOR_DATADIR="$PWD" LC_ALL=C
cp tests/data/heat2d_600.ptr.gz tests/data/ring.ti "$scratch"
cd "$scratch" || exit 1

# Processor seconds in the output of "times": of the processes that have ended.
used () {
  sed -n 2p "$1" | awk '{ split ($1, a, /[ms]/); split ($2, b, /[ms]/); print 60 * (a[1] + b[1]) + a[2] + b[2] }'
}

# run JOBS ARGUMENTS...: elapsed and processor seconds, start and end included
run () {
  jobs=$1
  shift
  rm -f out.sqlite
  times >before
  begin=$(date +%s.%N)
  "$program" sweep "$@" -m example-cluster -j "$jobs" -q --db out.sqlite || exit 1
  end=$(date +%s.%N)
  times >after
  echo "$begin $end $(used before) $(used after)" | awk '{ print $2 - $1, $4 - $3 }' >>"with$jobs"
}

least () {
  sort -n -k "$2,$2" "with$1" | head -n 1 | cut -d ' ' -f "$2"
}

# row NAME ARGUMENTS...
row () {
  name=$1
  shift
  rm -f with1 with2
  for _ in 1 2 3; do
    run 1 "$@"
    run 2 "$@"
  done
  echo "$(sqlite3 out.sqlite 'SELECT count(*) FROM point') $(least 1 1) $(least 2 1) $(least 1 2) $(least 2 2)" \
    | awk -v name="$name" '{ printf "%-24s %5d points, %5.2f ms of a processor each: %6.0f points/s with 1 worker, %6.0f with 2; " \
        "%.2f times as fast, at %.2f times the processor time\n", name, $1, $4 / $1 * 1000, $1 / $2, $1 / $3, $2 / $3, $5 / $4 }'
}

row "ring.ti, 4 ranks" ring.ti --vary network/startup=1us:100us:log10000
row "heat2d, 2x2" heat2d_600.ptr.gz -n 2x2 --vary network/startup=1us:100us:log2000
row "heat2d, 16x16" heat2d_600.ptr.gz -n 16x16 --vary network/startup=1us:100us:log120
