#!/bin/sh
# A data server against workers that each parse for themselves: the time of a study of one
# point (the coordinator looks at the trace, a worker reads it and predicts), that of a
# study of many points, the processor time of all processes, and the most memory that the
# workers have together (shared memory counts once, as PSS), for a large
# message-passing trace, which is shared as a program, a large GOAL schedule, shared as a
# graph, and traces of DVM programs, shared as calls. JOBS=N: so many workers
# (default: 4).
# SPDX-License-Identifier: MIT
set -u
program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export PREDICTOR_DATADIR="$PWD" LC_ALL=C
unset PREDICTOR_SERVER
jobs=${JOBS:-4}
cp tests/data/gauss_240.ptr.gz tests/data/heat2d_600.ptr.gz "$scratch"
cd "$scratch" || exit 1

# 64 ranks that exchange with their neighbours: 1.3 million actions, 25 MB of text
awk 'BEGIN { n = 64; for (r = 0; r < n; r++) { print r " init"; for (i = 0; i < 5000; i++) {
  print r " compute " 100000 + 7 * i; print r " isend " (r + 1) % n " 0 " 1000 + i % 500; print r " recv " (r + n - 1) % n " 0 " 1000 + i % 500
  print r " wait " r " " (r + 1) % n " 0" } print r " finalize" } }' >large.ti
# 64 ranks, likewise, as a graph of dependencies: 960 000 operations
awk 'BEGIN { n = 64; print "num_ranks " n; for (r = 0; r < n; r++) { print "rank " r " {"; for (i = 0; i < 5000; i++) {
  print "c" i ": calc " 100000 + 7 * i; print "s" i ": send " 1000 + i % 500 "b to " (r + 1) % n; print "r" i ": recv " 1000 + i % 500 "b from " (r + n - 1) % n
  print "s" i " requires c" i; print "r" i " requires c" i; if (i > 0) { print "c" i " requires r" i - 1; print "c" i " requires s" i - 1 } } print "}" } }' >large.goal
# The workers and the server of process $1; not what the server starts to parse, which
# ends before the first point.
children () {
  cat "/proc/$1/task/$1/children" 2>/dev/null
}
pss () {
  for child in $(children "$1"); do
    sed -n 's/^Pss: *\([0-9]*\) kB/\1/p' "/proc/$child/smaps_rollup" 2>/dev/null
  done | awk '{ sum += $1 } END { print sum + 0 }'
}

# Processor seconds in the output of "times": of the processes that have ended.
used () {
  sed -n 2p "$1" | awk '{ split ($1, a, /[ms]/); split ($2, b, /[ms]/); print 60 * (a[1] + b[1]) + a[2] + b[2] }'
}

# timed ARGUMENTS...: elapsed and processor seconds
timed () {
  rm -f out.sqlite
  times >before
  begin=$(date +%s.%N)
  "$program" sweep "$@" -m example-cluster -q --db out.sqlite || exit 1
  end=$(date +%s.%N)
  times >after
  echo "$begin $end $(used before) $(used after)" | awk '{ print $2 - $1, $4 - $3 }'
}

# The most kilobytes that the children of a sweep have together.
memory () {
  rm -f out.sqlite
  "$program" sweep "$@" -m example-cluster -q --db out.sqlite &
  pid=$!
  most=0
  while kill -0 $pid 2>/dev/null; do
    now=$(pss $pid)
    [ "$now" -gt "$most" ] && most=$now
  done
  wait $pid
  echo "$most"
}

least () {
  sort -n -k "$2,$2" "$1" | head -n 1 | cut -d ' ' -f "$2"
}

# row NAME POINTS ARGUMENTS...
row () {
  name=$1 points=$2
  shift 2
  rm -f one.* all.*
  for _ in 1 2 3; do
    for how in shared own; do
      option=
      [ $how = own ] && option=--no-server
      timed "$@" $option -j 1 --set network/startup=1us --vary network/per-byte=1ns >>one.$how
      timed "$@" $option -j "$jobs" --vary network/startup=1us:100us:log"$points" >>all.$how
    done
  done
  shared=$(memory "$@" -j "$jobs" --vary network/startup=1us:100us:log"$points")
  own=$(memory "$@" -j "$jobs" --vary network/startup=1us:100us:log"$points" --no-server)
  printf '%s, %s points, %s workers (data server / each for itself)\n' "$name" "$points" "$jobs"
  echo "$(least one.shared 1) $(least one.own 1) $(least all.shared 1) $(least all.own 1) $(least all.shared 2) $(least all.own 2) $shared $own" \
    | awk '{ printf "  one point          %7.2f / %7.2f s\n  all points         %7.2f / %7.2f s\n", $1, $2, $3, $4
      printf "  processor time     %7.2f / %7.2f s\n  workers and server %7.1f / %7.1f MB\n", $5, $6, $7 / 1024, $8 / 1024 }'
}

row "large.ti, 64 ranks, $(wc -c <large.ti | awk '{ printf "%.0f", $1 / 1e6 }') MB" 8 large.ti
row "large.goal, 64 ranks, $(wc -c <large.goal | awk '{ printf "%.0f", $1 / 1e6 }') MB" 8 large.goal
row "gauss_240, 2x2" 40 gauss_240.ptr.gz -n 2x2
row "heat2d_600, 2x2" 400 heat2d_600.ptr.gz -n 2x2
