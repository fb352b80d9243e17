#!/bin/sh
# predictor advise of several traces of one program: each grid is predicted from the one that fits.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/advise-family
one=$PWD/tests/data/tasks2_256.ptr.gz
four=$PWD/tests/data/tasks2_256_userps4.ptr.gz
cd "$scratch" || exit 1

# times_of COMMAND OPTION...: the grids and their times, of --db
times_of () {
  command=$1
  shift
  rm -f times.db
  "$program" "$command" "$@" -m mvs1000 --db times.db -q 2>stderr >&2
  sqlite3 times.db 'SELECT grid, execution_time_ps FROM run ORDER BY processors' | tr '\n' ' '
}

# each grid as run predicts it from the trace that fits it, whatever the order of traces and the
# number of threads
wanted="$(times_of run "$one" -n 1,2,3)$(times_of run "$four" -n 4)$(times_of run "$one" -n 5)"
for order in "$one $four" "$four $one"; do
  for jobs in 1 2; do
    [ "$(times_of advise $order --max-procs 5 -j $jobs)" = "$wanted" ]
    result $? "$area/$(basename "${order%% *}" .ptr.gz)-first-$jobs" "wanted $wanted; $(cat stderr)"
  done
done
[ "$(times_of advise "$four" "$one" -n 4,2)" = "$(times_of run "$one" -n 2)$(times_of run "$four" -n 4)" ]
result $? $area/grids "$(cat stderr)"
has note 0 "the grid 4 is predicted from $four: it was recorded for that grid [task-family]" \
  "$program" advise "$one" "$four" -n 4
lacks alone 0 task-family "$program" advise "$one" -n 2
"$program" advise "$one" "$four" -n 1,4 -q --db inputs.db
[ "$(sqlite3 inputs.db 'SELECT count (*) FROM input')" = 2 ]
result $? $area/inputs

# without one for any grid, the grids that they were recorded for; those that there is room for
gzip -dc "$four" | sed 's/^VProcCount=4; *VPSRank=1; *VPSSize= 4;/VProcCount=8;     VPSRank=1;     VPSSize= 8;/' >eight.ptr
has recorded 0 'The grids that the traces were recorded for.' \
  "$program" advise "$four" eight.ptr --max-procs 4
[ "$(times_of advise eight.ptr "$four" --max-procs 4)" = "$(times_of run "$four" -n 4)" ]
result $? $area/room "$(cat stderr)"
fails no-room 1 'recorded for 4 processors, but only 2' "$program" advise "$four" eight.ptr --max-procs 2
fails none-fits 1 'none of the traces fits the grid 2' "$program" advise "$four" eight.ptr -n 2
fails twice 1 'were recorded for the same processors' "$program" advise "$four" "$four"
fails absent 1 'absent.ptr' "$program" advise "$one" absent.ptr
fails mpi 2 'expected a trace of a message-passing program' "$program" advise "$root/tests/data/ring.ti" "$one"
fails stdin 2 'several traces are of a DVM program' sh -c "gzip -dc $one | $program advise - $four"
fails machines 2 'several traces are of a DVM program' "$program" advise "$one" "$four" -m ideal -m mvs1000
cp "$four" own.ptr.gz
fails overwritten 2 own.ptr.gz "$program" advise "$one" own.ptr.gz --csv own.ptr.gz
tap_done
