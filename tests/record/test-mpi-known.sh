#!/bin/sh
# A program with a timetable (examples/mpi/known.c) is recorded under each MPI that
# is there, with clocks that show the timetable, and analysed: each figure is as it
# follows from the timetable, to the nanosecond, of the whole, of each rank and of
# each call site.
# SPDX-License-Identifier: MIT
set -u
. tests/support/mpi.sh
area=/mpi-known
source=$root/examples/mpi/known.c

# write_clock NS: when each call begins and ends, in units of that many nanoseconds:
# MPI_Init, MPI_Comm_rank and a broadcast of the beginning, 5 units before the
# timetable begins with MPI_Pcontrol, and MPI_Finalize
write_clock () {
  awk -v unit="$1" '{ printf "%d times", NR - 1; for (i = 1; i <= NF; i++) printf " %d", ($i + 5) * unit; print "" }' <<'END'
-5 -5 -4 -4 -3 -3 0 0 4 4 10 15 20 20 30 30 34 34 42 42 43 43
-5 -5 -4 -4 -3 -3 0 0 1 4 15 15 26 26 31 31 36 36 50 50 51 51
END
}

# record UNIT: the program with the clocks of that unit, in nanoseconds
record () {
  write_clock "$1" >clock
  PREDICTOR_RECORD_CLOCK=$scratch/clock timeout 600 "$program" record -q --force -o recorded -- \
    "mpiexec.$mpi" -n 2 ./known 100 >stdout 2>stderr
  result $? "/mpi-known/$mpi/$1/record" "$(cat stdout stderr)"
  "$program" analyse recorded/traces.otf2 --csv csv --json >json 2>stderr
  result $? "/mpi-known/$mpi/$1/analyse" "$(cat stderr)"
  "$program" analyse --full recorded/traces.otf2 >text 2>stderr
  [ ! -s stderr ] && ! grep -qF '[matching-incomplete]' text
  result $? "/mpi-known/$mpi/$1/nothing-to-warn-of" "$(cat stderr)"
}

# whole UNIT: figures of the interval, and of the rank that has least and most
whole () {
  sed -n '/^ *"type": "USER"/,/"intervals": \[\]/p' json >user
  while read -r name units; do
    csv=$(awk -F, -v name="$name" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
      $(column["type"]) == "USER" { print $(column[name]) }' csv)
    expected=$(awk -v n="$units" -v unit="$1" 'BEGIN { printf "%.9f000", n * unit / 1e9 }')
    [ "$csv" = "$expected" ]
    result $? "/mpi-known/$mpi/$1/$name" "$csv instead of $expected s"
  done <<'END'
execution_time 50
total_time 100
communication 8
sendrecv_time 3
collective_time 5
system_time 0
insufficient_parallelism 0
real_sync 3
synchronization 11
time_variation 6
overlap 9
idle 8
load_imbalance 10
productive_time 84
lost_time 16
END
  while read -r name least at_least most at_most; do
    line=$(awk -v name="$name" -v unit="$1" -v a="$least" -v b="$at_least" -v c="$most" -v d="$at_most" \
      'BEGIN { printf "\"min\": %.9f000, \"min_at\": %d, \"max\": %.9f000, \"max_at\": %d", a * unit / 1e9, b, c * unit / 1e9, d }')
    grep -F "\"$name\": {" user | grep -qF "$line"
    result $? "/mpi-known/$mpi/$1/ranks/$name" "$(grep -F "\"$name\": {" user)"
  done <<'END'
execution_time 42 0 50 1
productive_time 37 0 47 1
lost_time 3 1 13 0
communication 3 1 5 0
sendrecv_time 0 0 3 1
collective_time 0 1 5 0
real_sync 0 0 3 1
synchronization 0 1 11 0
time_variation 0 1 6 0
overlap 4 0 5 1
idle 0 1 8 0
load_imbalance 0 1 10 0
END
}

# line_of WORDS NTH: where the source has them for the n-th time
line_of () {
  grep -nF -e "$1 (" "$source" | sed -n "$2s/:.*//p"
}

# list_sites: of each call site and rank function, line, rank, count, time, Real Sync,
# Potential Sync, Time Variation and Overlap
list_sites () {
  sed 's/^ *//; s/,$//; s/"//g' user | awk -F': ' '
    { value[$1] = $2 }
    $1 == "part" { function_ = value["function"]; line = value["line"]; is_rank = 0 }
    $1 == "rank" { rank = $2; is_rank = 1 }
    $1 == "overlap" && is_rank {
      print function_, line, rank, value["count"], value["time"], value["real_sync"],
            value["potential_sync"], value["time_variation"], value["overlap"]
      is_rank = 0
    }'
}

# sites UNIT: what each call site has
sites () {
  list_sites >sites
  while read -r function nth rank figures; do
    expected="$function $(line_of "$function" "$nth") $rank 1$(for n in $figures; do
      awk -v n="$n" -v unit="$1" 'BEGIN { printf " %.9f000", n * unit / 1e9 }'
    done)"
    grep -qxF -e "$expected" sites
    result $? "/mpi-known/$mpi/$1/site/$function-$nth" "expected $expected: $(cat sites)"
  done <<'END'
MPI_Send 1 0 0 0 0 0 0
MPI_Barrier 1 0 5 0 5 0 0
MPI_Bcast 1 0 0 0 6 6 0
MPI_Isend 1 0 0 0 0 0 0
MPI_Wait 1 0 0 0 0 0 4
MPI_Recv 1 1 3 3 0 0 0
MPI_Barrier 2 1 0 0 0 0 0
MPI_Bcast 2 1 0 0 0 0 0
MPI_Irecv 1 1 0 0 0 0 0
MPI_Wait 2 1 0 0 0 0 5
END
  [ "$(grep -c . sites)" = 10 ]
  result $? "/mpi-known/$mpi/$1/sites" "$(cat sites)"
}

# says: what the text shows of it, in microseconds
says () {
  sed -n '/^==== USER/,/^Call sites/p' text | tr -s ' ' >user
  while read -r words; do
    grep -qF -e "$words" user
    result $? "/mpi-known/$mpi/says/$words" "$(cat user)"
  done <<END
late sender 0.003009
wait at barrier 0.005015
Critical path: computation 0.050150 s, communication 0.000000 s
END
}

test_known () {
  mpicc.$mpi -g -O1 -o known "$source" >stdout 2>stderr
  result $? "/mpi-known/$mpi/build" "$(cat stderr)"
  for unit in 1000003 1003000; do
    record $unit
    whole $unit
    sites $unit
  done
  says
}

for_each_mpi known
tap_done
