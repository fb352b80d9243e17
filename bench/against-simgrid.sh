#!/bin/sh
# against-simgrid.sh [TRACE.ti[.gz]...]: the same time-independent traces through
# SimGrid's SMPI and through predictor, one after the other, on a star of NICs of
# 1 GB/s and 5 us: what both predict, how long both take (user seconds, the least of
# RUNS=2, reading included) and the ratio. Without traces, those of
# ../shared/traces/ti, or one made here. Needs smpirun; without it nothing is done.
# SPDX-License-Identifier: MIT
set -u
predictor=${PREDICTOR:-build/predictor/predictor}
shared=${PREDICTOR_SHARED:-../shared}
runs=${RUNS:-2}

if ! command -v smpirun >/dev/null 2>&1; then
  echo "against-simgrid: skipped, there is no smpirun"
  exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# make_ring: a trace of our own: 64 ranks pass messages round, 200 times.
make_ring () {
  awk 'BEGIN {
    n = 64
    for (r = 0; r < n; r++) {
      print r " init"
      for (i = 0; i < 200; i++)
        printf "%d compute 1e5\n%d isend %d 0 4096 6\n%d recv %d 0 4096 6\n%d wait %d %d 0\n",
          r, r, (r + 1) % n, r, (r + n - 1) % n, r, r, (r + 1) % n
      print r " finalize"
    }
  }' >"$folder/ring.64.ti"
}

if [ $# -eq 0 ]; then
  for name in jacobi2d.64 jacobi2d.256 sweep.256 shift.256 a2a1.128; do
    [ -f "$shared/traces/ti/$name.ti.gz" ] && set -- "$@" "$shared/traces/ti/$name.ti.gz"
  done
fi
if [ $# -eq 0 ]; then
  make_ring
  set -- "$folder/ring.64.ti"
fi

# write_platform N: a star of N hosts, and the list of them.
write_platform () {
  cat >"$folder/star.xml" <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-$(($1 - 1))" speed="1Gf" bw="1GBps" lat="5us"/>
</platform>
END
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "h" i }' >"$folder/hosts"
}

# split_ranks N: a file of each rank, and the list of them.
split_ranks () {
  awk -v folder="$folder/" '($1 "") != last { close (folder last ".txt"); last = $1 "" }
                            { print >>(folder last ".txt") }' "$folder/trace.ti"
  awk -v folder="$folder/" -v n="$1" \
    'BEGIN { for (i = 0; i < n; i++) print folder i ".txt" }' >"$folder/list"
}

# timed COMMAND...: least user seconds of what it starts; its output in $folder/out.
timed () {
  for _ in $(seq "$runs"); do
    (
      "$@" >"$folder/out" 2>&1
      times
    ) | tail -n 1
  done | sed 's/[ms]/ /g' | awk '{ t = $1 * 60 + $2; if (NR == 1 || t < least) least = t }
                                 END { printf "%.2f", least }'
}

# simgrid N: the protocol "detached", no corrections, the algorithms of its default.
simgrid () {
  smpirun -np "$1" -hostfile "$folder/hosts" -platform "$folder/star.xml" \
    -replay "$folder/list" \
    --cfg=network/model:CM02 --cfg=network/TCP-gamma:0 --cfg=network/crosstraffic:0 \
    --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 \
    --cfg=network/weight-S:0 --cfg=smpi/os:0:0:0 --cfg=smpi/ois:0:0:0 \
    --cfg=smpi/or:0:0:0 --cfg=smpi/async-small-thresh:0 \
    --cfg=smpi/send-is-detached-thresh:1000000000
}

ours () {
  "$predictor" run "$folder/trace.ti" --json -m "flow:topology=star,nic-latency=5us,\
nic-bandwidth=1GB/s,sharing=rtt,envelope=16,eager=none,detached=1GB,collectives=smpi"
}

printf '%-16s %6s %14s %14s %10s %10s %7s\n' trace ranks "theirs s" "ours s" "theirs CPU" \
  "ours CPU" ratio
for trace in "$@"; do
  rm -f "$folder"/*.txt
  case $trace in
  *.gz) gzip -dc "$trace" >"$folder/trace.ti" ;;
  *) cp "$trace" "$folder/trace.ti" ;;
  esac
  n=$(awk '$1 >= n { n = $1 + 1 } END { print n }' "$folder/trace.ti")
  split_ranks "$n"
  write_platform "$n"
  theirs_cpu=$(timed simgrid "$n")
  theirs=$(sed -n 's/.*Simulation time \([0-9.eE+-]*\).*/\1/p' "$folder/out" | head -n 1)
  ours_cpu=$(timed ours)
  ours=$(sed -n 's/^ *"execution_time": \([0-9.]*\),.*/\1/p' "$folder/out" | head -n 1)
  printf '%-16s %6d %14s %14s %10s %10s %7s\n' "$(basename "${trace%.gz}" .ti)" "$n" \
    "${theirs:-failed}" "${ours:-failed}" "$theirs_cpu" "$ours_cpu" \
    "$(awk -v a="$theirs_cpu" -v b="$ours_cpu" 'BEGIN { printf "%.1f", a / (b > 0 ? b : 0.01) }')"
done
