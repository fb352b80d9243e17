#!/bin/sh
# predictor-measure under each MPI that is there, with small sizes: that it
# measures what it is asked to and says so in all forms; never how long it took.
set -u
. tests/support/tap.sh
. tests/support/measure.sh

few="m1 M64 K8 T2 f0 R3 -q"

test_original () {
  fine original 2 transfer --variant 2 uK m1 M4 K2 T2 f0.01 R2 otransfer.dat
  same original/lengths "0 1024 2048 4096" "$(awk '$1 == "0" && NF == 9 { print $3 }' transfer.dat | words)"
  [ ! -s out ] && grep -q 'ranks 0 and 1: 4096 bytes (4 of 4)' err
  result $? "/measure/$mpi/original/progress" "$(cat out err)"
  grep -q '10^6 bytes' transfer.dat
  result $? "/measure/$mpi/original/units"
}

test_variants () {
  for variant in 1 2 3 4 5 6; do
    fine "variant-$variant" 2 transfer $few --variant $variant --window 4 --csv - -o /dev/null
    same "variant-$variant/lengths" "0 1 8 64" "$(column transfer bytes <out | words)"
    column transfer best_us <out | awk '!($1 > 0) { wrong = 1 } END { exit wrong || NR != 4 }'
    result $? "/measure/$mpi/variant-$variant/times" "$(cat out)"
    [ ! -s err ]
    result $? "/measure/$mpi/variant-$variant/quiet" "$(cat err)"
  done
}

# R = 2NL/T is L over T/(2N), in every row
test_formula () {
  measure 2 transfer $few --csv - -o /dev/null
  column transfer bytes <out >bytes
  column transfer best_us <out >times
  column transfer best_mb_s <out >rates
  paste bytes times rates | awk '{ d = $1 / $2 - $3; if (d > 1e-6 * (1 + $3) || -d > 1e-6 * (1 + $3)) wrong = 1 }
                                 END { exit wrong || NR != 4 }'
  result $? "/measure/$mpi/formula" "$(paste bytes times rates)"
}

test_forms () {
  rm -f r.db
  fine forms 2 transfer $few --csv r.csv --xml r.xml --db r.db
  xmllint --noout --relaxng "$root/schemas/measurement.rng" r.xml 2>xml.err
  result $? "/measure/$mpi/forms/xml" "$(cat xml.err)"
  same forms/xml-rows 4 "$(xmllint --xpath 'count(//table[@name="transfer"]/row)' r.xml)"
  same forms/db-is-csv "$(column transfer best_us <r.csv | words)" \
    "$(sqlite3 r.db 'SELECT printf("%.9g", best_us) FROM transfer ORDER BY number' | words)"
  measure 2 transfer $few --db r.db
  same forms/appended "4 4" "$(sqlite3 r.db 'SELECT count(*) FROM transfer GROUP BY measurement' | words)"
  refused forms/unwritable 1 "cannot write '/nowhere/x'" 2 transfer $few --csv /nowhere/x
}

# More processes than processors: refused, or said in every row.
test_crowd () {
  crowd=$(($(nproc) + 1))
  refused crowd/refused 1 "more processes than processors" $crowd transfer $few
  fine crowd/force $crowd transfer m1 M1 T2 f0 R1 -q --force --csv - -o /dev/null
  same crowd/said 1 "$(column transfer oversubscribed <out | sort -u)"
  same crowd/with-first "$(seq $((crowd - 1)) | words)" "$(column pair second <out | words)"
  fine crowd/all-pairs $crowd transfer m1 M1 T2 f0 R1 -q --force --all-pairs --picture p.svg --csv - -o /dev/null
  same crowd/pairs $((crowd * (crowd - 1) / 2)) "$(column pair second <out | wc -l | tr -d ' ')"
  same crowd/picture $((crowd * (crowd - 1))) "$(xmllint --xpath 'count(//*[local-name()="title"])' p.svg)"
}

# On a busy machine parameters may come out negative, which is an error then.
test_loggp () {
  measure 2 transfer m1 M4096 K8 T2 f0 R1 -q --loggp --csv - -o /dev/null
  rows=$(column loggp from_bytes <out | wc -l)
  if [ $status = 0 ]; then
    [ "$rows" -ge 1 ] && ! grep -E '^loggp,.*,-[0-9]' out
  else
    [ $status = 1 ] && [ "$rows" = 0 ] && grep -q 'expected' err
  fi
  result $? "/measure/$mpi/loggp" "status $status: $(cat out err)"
  same loggp/sizes 5 "$(column loggp_size bytes <out | wc -l | tr -d ' ')"
}

test_loop () {
  fine loop 2 transfer $few --check-loop --csv - -o /dev/null
  column plain_loop ratio <out | awk '!($1 > 0) { wrong = 1 } END { exit wrong || NR != 4 }'
  result $? "/measure/$mpi/loop/ratios" "$(cat out)"
}

test_timers () {
  fine timers 2 --check-timer --csv - -o /dev/null
  for timer in clock_monotonic gettimeofday MPI_Wtime; do
    same "timers/$timer" "WaitPatternNull WaitPatternUp" "$(awk -F, -v t=$timer '$1 == "timer" && $2 == t { print $3 }' out | words)"
  done
  # no shorter than what was waited, but for a tick
  awk -F, '$3 == "WaitPatternUp" && $5 < $4 - 1.001 { wrong = 1 } END { exit wrong }' out
  result $? "/measure/$mpi/timers/no-shorter" "$(cat out)"
  for timer in gettimeofday MPI_Wtime tsc; do
    grep -q "^fact,$timer," out || fine "timers/transfer-$timer" 2 transfer $few --timer $timer
  done
}

# Clocks half a second apart come to less than a tenth; what is put wrong is found.
test_sync () {
  for algorithm in linear ring tree; do
    fine "sync/$algorithm" 2 --check-sync --sync $algorithm --sync-time 0.01 --after 0 --bound 1e5 --csv - -o /dev/null
    column sync truth_us <out | awk '$1 > 1e5 || $1 < -1e5 { wrong = 1 } END { exit wrong || NR != 1 }'
    result $? "/measure/$mpi/sync/$algorithm/truth" "$(cat out)"
    refused "sync/$algorithm/shifted" 1 "the clock of rank 1 is off by" \
      2 --check-sync --sync $algorithm --sync-time 0.01 --after 0 --bound 1e5 --shift -2e6
  done
  fine sync/three 3 --check-sync --sync ring --after 0 --bound 1e5 --force --xml sync.xml
  xmllint --noout --relaxng "$root/schemas/measurement.rng" sync.xml 2>xml.err
  result $? "/measure/$mpi/sync/xml" "$(cat xml.err)"
}

test_usage () {
  refused usage/one-process 2 "at least 2 processes" 1 transfer
  refused usage/option 2 "Try 'predictor-measure transfer --help'" 2 transfer --thing
  refused usage/unit 2 "expected B, K or M" 2 transfer uX
  refused usage/timer 2 "unknown timer" 2 transfer --timer sundial
  refused usage/sync 2 "unknown synchronisation" 2 --check-sync --sync prayer
  refused usage/after 2 "seconds that rise" 2 --check-sync --after 1,0
  refused usage/command 2 "unknown command 'thing'" 1 thing
  [ "$(grep -c unknown err)" = 1 ]
  result $? "/measure/$mpi/usage/once"
}

for_each_mpi original variants formula forms crowd loggp loop timers sync usage
tap_done
