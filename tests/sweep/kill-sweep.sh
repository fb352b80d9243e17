#!/bin/sh
# A study of 2,000 points whose workers, data server and coordinator are killed at random
# moments, until it is finished: its file has the rows of an undisturbed run.
#
# KILLS=50 sh tests/sweep/kill-sweep.sh: so many in all (default: 8); SEED=N for other
# moments (default: 1).
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
. tests/support/study.sh
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT
export TMPDIR="$scratch"
unset XDG_RUNTIME_DIR PREDICTOR_SERVER
cp tests/data/heat2d_600.ptr.gz tests/data/ring.ti "$scratch"
cd "$scratch" || exit 1
kills=${KILLS:-8}

sweep () {
  exec "$program" sweep heat2d_600.ptr.gz ring.ti -m example-cluster -n 4 \
    --vary network/startup=1us:100us:log40 --vary network/per-byte=0.1:10ns:log25 "$@"
}

# The milliseconds to wait, and whom to kill, of each attempt.
awk -v seed="${SEED:-1}" -v n=$((kills * 20 + 100)) 'BEGIN { srand (seed);
  for (i = 0; i < n; i++) printf "%.3f %d\n", 0.02 + 0.5 * rand () * rand (), 4 * rand () }' >moments

(sweep --db whole.sqlite -j 2) >out 2>&1
result $? /kill-sweep/undisturbed "$(cat out)"
dump_study whole.sqlite >expected
[ "$(sqlite3 whole.sqlite "SELECT count (*) FROM point WHERE status = 'done'")" = 2000 ]
result $? /kill-sweep/points "$(sqlite3 whole.sqlite 'SELECT status, count (*) FROM point GROUP BY 1')"

killed=0 workers=0 servers=0 coordinators=0 rounds=0 same=0 refused=0
exec 3<moments
while [ $killed -lt "$kills" ]; do
  rm -f killed.sqlite*
  rounds=$((rounds + 1))
  # until it is finished
  while :; do
    (sweep --db killed.sqlite -j 2) >out 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null && [ $killed -lt "$kills" ]; do
      read -r wait who <&3 || break
      sleep "$wait"
      victim=$pid
      # a worker or the data server, if it is there
      [ "$who" = 0 ] || victim=$(children $pid | sed -n "${who}p")
      what=$({ tr '\0' ' ' <"/proc/$victim/cmdline"; } 2>/dev/null)
      [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null || continue
      killed=$((killed + 1))
      case $who$what in
      0*) coordinators=$((coordinators + 1)) ;;
      *' serve '*) servers=$((servers + 1)) ;;
      *) workers=$((workers + 1)) ;;
      esac
    done
    wait $pid 2>/dev/null
    status=$?
    pid=
    [ $status = 0 ] && break
    # killed: whoever reads the file now finds whole points only
    if [ $status != 137 ]; then
      refused=$((refused + 1))
      [ $refused -lt 5 ] || break 2
    fi
    half=$(sqlite3 killed.sqlite "SELECT count (*) FROM point WHERE status = 'done' AND number NOT IN (SELECT point FROM result)" 2>&1)
    [ "$half" = 0 ] || echo "$half" | grep -q "no such table" || same=-1000
  done
  dump_study killed.sqlite >found
  if cmp -s expected found; then same=$((same + 1)); else diff expected found | head -n 5 >differ; fi
done

[ $refused = 0 ]
result $? /kill-sweep/continued "status $status: $(cat out)"
[ $killed -ge "$kills" ] && [ $((workers + servers + coordinators)) = $killed ]
result $? "/kill-sweep/killed" "$killed of $kills"
echo "# $killed killed: $workers workers, $servers data servers, $coordinators coordinators; $rounds times finished"
[ $same = $rounds ]
result $? /kill-sweep/rows "$same of $rounds are the same: $(cat differ 2>/dev/null)"
tap_done
