#!/bin/sh
# predictor run of several traces of one program: each grid is predicted from the one that fits.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/run-family
one=$PWD/tests/data/tasks2_256.ptr.gz
four=$PWD/tests/data/tasks2_256_userps4.ptr.gz
cd "$scratch" || exit 1

# time_of OPTION...: the grids and their times
time_of () {
  "$program" run "$@" -m mvs1000 --json 2>stderr | python3 -c 'import json, sys
print(*[run["grid"] + "=" + str(run["execution_time"]) for run in json.load(sys.stdin)["runs"]])'
}

# whatever the order of the traces, as each by itself: 1 and 2 from the one without a virtual
# system, 4 from the one that has it
alone="$(time_of "$one" -n 1) $(time_of "$four" -n 4)"
for order in "$one $four" "$four $one"; do
  [ "$(time_of $order -n 1,4)" = "$alone" ]
  result $? "$area/$(basename "${order%% *}" .ptr.gz)-first" "wanted $alone; $(cat stderr)"
done
[ "$(time_of "$four" "$one" -n 2)" = "$(time_of "$one" -n 2)" ]
result $? $area/other-grid "$(cat stderr)"
[ "$(time_of "$one" "$four" -n 4x1)" = "$(time_of "$four" -n 4x1)" ]
result $? $area/padded "$(cat stderr)"

has note 0 "the grid 4 is predicted from $four: it was recorded for that grid [task-family]" \
  "$program" run "$one" "$four" -n 4
has why 0 "the grid 2 is predicted from $one: none was recorded for that grid" \
  "$program" run "$one" "$four" -n 2
# speed-up is against the trace of one processor
"$program" run "$one" "$four" -m mvs1000 -n 1,4 --db a.db >text 2>stderr
result $? $area/run "$(cat stderr)"
[ "$(sqlite3 a.db 'SELECT round (speed_up, 6) FROM summary WHERE processors = 4')" = \
  "$(sqlite3 a.db 'SELECT round (1.0 * a.execution_time_ps / b.execution_time_ps, 6) FROM run a, run b
    WHERE a.processors = 1 AND b.processors = 4')" ]
result $? $area/speed-up "$(cat text)"
[ "$(sqlite3 a.db 'SELECT count (*) FROM input')" = 2 ]
result $? $area/inputs
lacks alone 0 task-family "$program" run "$one" -n 2

gzip -dc "$four" | sed 's/^VProcCount=4; *VPSRank=1; *VPSSize= 4;/VProcCount=8;     VPSRank=1;     VPSSize= 8;/' >eight.ptr
fails none-fits 1 'none of the traces fits the grid 2' "$program" run "$four" eight.ptr -n 2
fails twice 1 'were recorded for the same processors' "$program" run "$four" "$four" -n 4
fails twice-one 1 'were recorded for the same processors' "$program" run "$one" "$one" -n 4
fails absent 1 'absent.ptr' "$program" run "$one" absent.ptr -n 2
fails no-trace 1 'ring.ti' "$program" run "$one" "$root/tests/data/ring.ti" -n 2
fails mpi 2 'several traces are of a DVM program' "$program" run "$root/tests/data/ring.ti" "$one"
fails stdin 2 'several traces are of a DVM program' sh -c "gzip -dc $one | $program run - $four"
cp "$four" own.ptr.gz
fails overwritten 2 own.ptr.gz "$program" run "$one" own.ptr.gz -n 4 --xml own.ptr.gz
tap_done
