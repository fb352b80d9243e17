#!/bin/sh
# against-peers.sh [PEER...]: whole commands of peers and of predictor on the same input, one after the
# other: what both predict, in seconds; the processor time of both, user and system together, reading
# included: the least of RUNS=3 means; and the ratio. A peer that is not there is skipped, and this is said.
#   simgrid    smpirun: time-independent traces of ../shared/traces/ti, or one made here, on a star
#   loggopsim  $LOGGOPSIM, $TXT2BIN (LogGOPSim, txt2bin): binary GOAL made here
#   dimemas    $DIMEMAS (Dimemas): traces made here, each rank on a node of its own
#   dvm        $DVM_PREDICTOR (none): the predictor of the DVM system; its model is another one
# SPDX-License-Identifier: MIT
set -u
here=$(dirname "$0")
predictor=${PREDICTOR:-build/predictor/predictor}
shared=${PREDICTOR_SHARED:-../shared}
loggopsim=${LOGGOPSIM:-LogGOPSim}
txt2bin=${TXT2BIN:-txt2bin}
dimemas=${DIMEMAS:-Dimemas}
dvm=${DVM_PREDICTOR:-}
runs=${RUNS:-3}

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# there PEER COMMAND...: whether all commands exist; else names the missing one.
there () {
  peer=$1
  shift
  for command in "$@"; do
    command -v "$command" >/dev/null 2>&1 && continue
    echo "$peer: skipped, there is no ${command:-\$DVM_PREDICTOR}"
    return 1
  done
}

# timed COMMAND...: seconds of a processor that a run takes: the mean of as many runs as take a second together,
# of which a step of "times", 10 ms, is 1 %; of 400 at most. Output of the last one in $folder/out.
timed () {
  n=1
  while
    used=$(measured "$n" "$@")
    more=$(awk -v n="$n" -v used="$used" 'BEGIN {
      more = used > 0.05 ? int(1.1 * n / used) + 1 : 20 * n
      print (used >= 1 || n >= 400 ? 0 : more > 400 ? 400 : more)
    }')
    [ "$more" -gt 0 ]
  do
    n=$more
  done
  awk -v n="$n" -v used="$used" 'BEGIN { printf "%.4f", used / n }'
}

# measured N COMMAND...: seconds that all N runs take together
measured () {
  n_runs=$1
  shift
  (
    for _ in $(seq "$n_runs"); do "$@" >"$folder/out" 2>&1; done
    times
  ) | tail -n 1 | sed 's/[ms]/ /g' | awk '{ printf "%.2f", $1 * 60 + $2 + $3 * 60 + $4 }'
}

least () { awk -v a="$1" -v b="$2" 'BEGIN { print a == "" || b + 0 < a + 0 ? b : a }'; }

# against PEER PROGRAM RANKS: runs "PEER_command" and "PEER_ours" by turns, and prints a line;
# "PEER_says" filters what the peer predicts.
against () {
  theirs_cpu='' ours_cpu=''
  for _ in $(seq "$runs"); do
    theirs_cpu=$(least "$theirs_cpu" "$(timed "$1_command")")
    theirs=$("$1_says" <"$folder/out" | head -n 1)
    ours_cpu=$(least "$ours_cpu" "$(timed "$1_ours" --json)")
    ours=$(sed -n 's/^ *"execution_time": \([0-9.]*\),.*/\1/p' "$folder/out" | head -n 1)
  done
  printf '%-10s %-14s %7s %14s %16s %9s %9s %7s\n' "$1" "$2" "$3" "${theirs:-failed}" "${ours:-failed}" \
    "$theirs_cpu" "$ours_cpu" "$(awk -v a="$theirs_cpu" -v b="$ours_cpu" 'BEGIN { printf "%.1f", a / (b > 0 ? b : 0.001) }')"
}

# ---- SimGrid: the protocol "detached", no corrections, the algorithms of its default

# make_ring: 64 ranks pass messages round, 200 times.
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

# prepare_simgrid N: a star of N hosts, the list of them, a file of each rank, and the list of these.
prepare_simgrid () {
  cat >"$folder/star.xml" <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-$(($1 - 1))" speed="1Gf" bw="1GBps" lat="5us"/>
</platform>
END
  awk -v n="$1" -v folder="$folder/" \
    'BEGIN { for (i = 0; i < n; i++) { print "h" i >(folder "hosts"); print folder i ".txt" >(folder "list") } }'
  awk -v folder="$folder/" '($1 "") != last { close (folder last ".txt"); last = $1 "" }
                            { print >>(folder last ".txt") }' "$folder/trace.ti"
}

simgrid_command () {
  smpirun -np "$ranks" -hostfile "$folder/hosts" -platform "$folder/star.xml" \
    -replay "$folder/list" \
    --cfg=network/model:CM02 --cfg=network/TCP-gamma:0 --cfg=network/crosstraffic:0 \
    --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 \
    --cfg=network/weight-S:0 --cfg=smpi/os:0:0:0 --cfg=smpi/ois:0:0:0 \
    --cfg=smpi/or:0:0:0 --cfg=smpi/async-small-thresh:0 \
    --cfg=smpi/send-is-detached-thresh:1000000000
}
simgrid_says () { sed -n 's/.*Simulation time \([0-9.eE+-]*\).*/\1/p'; }
simgrid_ours () {
  "$predictor" run "$folder/trace.ti" "$1" -m "flow:topology=star,nic-latency=5us,\
nic-bandwidth=1GB/s,sharing=rtt,envelope=16,eager=none,detached=1GB,collectives=smpi"
}

simgrid () {
  there simgrid smpirun || return 0
  set --
  for name in jacobi2d.64 jacobi2d.256 sweep.256 shift.256 a2a1.128; do
    [ -f "$shared/traces/ti/$name.ti.gz" ] && set -- "$@" "$shared/traces/ti/$name.ti.gz"
  done
  if [ $# -eq 0 ]; then
    make_ring
    set -- "$folder/ring.64.ti"
  fi
  for trace in "$@"; do
    rm -f "$folder"/*.txt
    case $trace in
    *.gz) gzip -dc "$trace" >"$folder/trace.ti" ;;
    *) cp "$trace" "$folder/trace.ti" ;;
    esac
    ranks=$(awk '$1 >= n { n = $1 + 1 } END { print n }' "$folder/trace.ti")
    prepare_simgrid "$ranks"
    against simgrid "$(basename "${trace%.gz}" .ti)" "$ranks"
  done
}

# ---- LogGOPSim, with its default machine

loggopsim_command () { "$loggopsim" -f "$folder/program.bin" -L 2500 -o 1500 -g 1000 -G 6 -O 0 -S 65535; }
loggopsim_says () { sed -n 's/.*(\([0-9.e-]*\) s).*/\1/p; s/^Host [0-9]*: \([0-9]*\)/\1/p' |
  awk '/\./ { print; found = 1; exit } $1 > most { most = $1 } END { if (!found && most) printf "%.9f\n", most / 1e9 }'; }
loggopsim_ours () {
  "$predictor" run "$folder/program.bin" "$1" \
    -m "loggops:latency=2500ns,o=1500ns,g=1000ns,G=6000ps/B,eager=65535"
}

loggopsim () {
  there loggopsim "$loggopsim" "$txt2bin" || return 0
  for program in goal-halo:1024:20 goal-halo:4096:20 goal-halo:16384:20 goal-alltoall:128:4; do
    IFS=: read -r what ranks rounds <<END
$program
END
    awk -v what="$what" -v n="$ranks" -v rounds="$rounds" -v dir="$folder" -f "$here/generate-large.awk"
    "$txt2bin" -i "$folder/program.goal" -o "$folder/program.bin" >"$folder/out" 2>&1
    against loggopsim "$what" "$ranks"
  done
}

# ---- Dimemas

dimemas_command () { "$dimemas" --dim "$folder/trace.dim" "$folder/machine.cfg"; }
dimemas_says () { sed -n 's/.*Execution time:[[:space:]]*\([0-9.]*\).*/\1/p'; }
dimemas_ours () { "$predictor" run "$folder/trace.dim" "$1" -m "$folder/machine.cfg"; }

dimemas () {
  there dimemas "$dimemas" || return 0
  for program in dim-ring:16:30 dim-ring:16:3000 dim-ring:16:30000 dim-halo:64:2000 dim-ring:1024:50 dim-halo:1024:50; do
    IFS=: read -r what ranks rounds <<END
$program
END
    awk -v what="$what" -v n="$ranks" -v rounds="$rounds" -v dir="$folder" -f "$here/generate-large.awk"
    against dimemas "$what" "$ranks"
  done
}

# ---- the predictor of the DVM system

dvm_command () {
  # shellcheck disable=SC2086 # the extents of a grid
  (cd "$folder" && "$dvm" cluster.par trace.ptr page.html $grid)
}
dvm_says () { sed 's/<[^>]*>/ /g' "$folder/page.html" | tr '\n' ' ' | grep -o 'Execution time  *[0-9.]*' | sed 's!.* !!'; }
dvm_ours () { "$predictor" run "$folder/trace.ptr" "$1" -m myrinet:startup=7us,per-byte=4ns -n "$(echo "$grid" | tr ' ' x)"; }

dvm () {
  there dvm "$dvm" || return 0
  cat >"$folder/cluster.par" <<END
cluster = c;
search = 0;
c = {4096 x p};
c.CommType = myrinet (1);
c.TStart = 7;
c.TByte = 0.004;
p = 1.00;
END
  for program in "gauss_240:16" "gauss_240:64" "heat2d_600:16 16" "heat2d_600:32 32"; do
    grid=${program#*:}
    gzip -dc "tests/data/${program%:*}.ptr.gz" >"$folder/trace.ptr"
    against dvm "${program%:*}" "$(echo "$grid" | tr ' ' x)"
  done
}

printf '%-10s %-14s %7s %14s %16s %9s %9s %7s\n' peer program ranks "theirs s" "ours s" "theirs CPU" "ours CPU" ratio
[ $# -gt 0 ] || set -- simgrid loggopsim dimemas dvm
for peer in "$@"; do
  case $peer in
  simgrid | loggopsim | dimemas | dvm) "$peer" ;;
  *) echo "against-peers: peer '$peer', expected simgrid, loggopsim, dimemas or dvm" >&2 && exit 2 ;;
  esac
done
