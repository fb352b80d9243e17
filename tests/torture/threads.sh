# threads: what has threads or several processes, built with ThreadSanitizer: the same results as
# without, and no reports.
# SPDX-License-Identifier: MIT
set -u
. tests/torture/common.sh
threads=$(realpath -m "${THREADS:-build-thread}")
program=$threads/predictor/predictor
"$program" --version >/dev/null 2>"$scratch/why" || {
  echo "no program with ThreadSanitizer runs here: $(head -n 1 "$scratch/why")"
  exit 1
}
rm -rf "$scratch/threads" && mkdir "$scratch/threads" && cd "$scratch/threads" && ln -s ../in in || exit 1
n=0
# GLib is not instrumented: what its own allocator hands from thread to thread looks like a race.
export G_SLICE=always-malloc

# try NAME ARGUMENTS: gives what the other build gives
try () {
  name=$1
  shift
  rm -f a.db
  "$build/predictor/predictor" "$@" >out.whole 2>err.whole
  expected=$?
  rm -f a.db
  timeout 600 "$program" "$@" >out 2>err
  status=$?
  n=$((n + 1))
  why=
  is_broken err && why="a report: $(grep -m 1 SUMMARY err)"
  [ $status = $expected ] && cmp -s out out.whole || why="${why:-status $status, expected $expected, or another output}"
  [ -z "$why" ] || found threads "$n-$name" "$why [predictor $*]" out err out.whole
}

# Long enough to be read by several threads.
make_long () { awk -v what="$1" -v n=16 -v rounds="$2" -v dir=. -f "$root/bench/generate-large.awk"; }
make_long dim-halo 800
make_long goal-halo 400
awk 'BEGIN { for (r = 0; r < 16; r++) for (i = 0; i < 4000; i++)
  printf "%d compute %d\n%d sendrecv 8 %d 8 %d 6 6\n", r, i, r, (r + 1) % 16, (r + 15) % 16 }' >long.ti

jobs=1
while :; do
  jobs=$((jobs % 7 + 1))
  try samples run in/ring.ti -m in/wide.xml --samples 24 --seed "$SEED$n" -j $jobs
  try samples-dvm run in/heat2d_600.ptr.gz -n 2x2 -m in/wide.xml --samples 12 --seed "$SEED$n" -j $jobs --csv -
  try advise advise in/heat2d_600.ptr.gz -m example-cluster --max-procs 12
  try advise-machines advise in/ring.ti -m mvs1000 -m gigabit-smp -m example-cluster
  try sweep sweep in/ring.ti -m mvs1000 --vary network/startup=1us:9us:lin9 -q -j $jobs --db a.db
  try analyse analyse in/imbalance.txt -m mvs1000
  try read-dim run trace.dim -m dimemas:latency=5us,bandwidth=1GB/s --csv -
  try read-goal run program.goal -m loggops:latency=1us,o=1us,g=1us,G=1ns/B --csv -
  try read-ti run long.ti -m ideal --csv -
  time_is_left || break
done
echo "| commands under ThreadSanitizer | findings |
|---|---|
| $n: \`run --samples\`, \`advise\`, \`sweep\`, \`analyse\`, \`run\` on long traces | $(count_found threads) |" >"$FOUND/tables/threads"
tried threads "$n runs of commands"
