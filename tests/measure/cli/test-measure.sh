#!/bin/sh
# predictor-measure under each MPI that is there, with small sizes: that it
# measures what it is asked to and says so in all forms; never how long it took.
set -u
. tests/support/measure.sh
area=/measure

few="m1 M64 K8 T2 f0 R3 -q"

test_original () {
  gives original 0 measure 2 transfer --variant 2 uK m1 M4 K2 T2 f0.01 R2 otransfer.dat
  equal original/lengths "0 1024 2048 4096" "$(awk '$1 == "0" && NF == 15 { print $3 }' transfer.dat | words)"
  [ ! -s stdout ] && grep -q 'ranks 0 and 1: 4096 bytes (4 of 4)' stderr
  result $? "/measure/$mpi/original/progress" "$(cat stdout stderr)"
  grep -q '10^6 bytes' transfer.dat
  result $? "/measure/$mpi/original/units"
}

test_variants () {
  for variant in 1 2 3 4 5 6; do
    gives "variant-$variant" 0 measure 2 transfer $few --variant $variant --window 4 --csv - -o /dev/null
    equal "variant-$variant/lengths" "0 1 8 64" "$(column transfer bytes <stdout | words)"
    column transfer best_us <stdout | awk '!($1 > 0) { wrong = 1 } END { exit wrong || NR != 4 }'
    result $? "/measure/$mpi/variant-$variant/times" "$(cat stdout)"
    empty "variant-$variant/quiet" stderr
  done
}

# R = 2NL/T is L over T/(2N), in every row
test_formula () {
  ran 0 measure 2 transfer $few --csv - -o /dev/null
  column transfer bytes <stdout >bytes
  column transfer best_us <stdout >times
  column transfer best_mb_s <stdout >rates
  paste bytes times rates | awk '{ d = $1 / $2 - $3; if (d > 1e-6 * (1 + $3) || -d > 1e-6 * (1 + $3)) wrong = 1 }
                                 END { exit wrong || NR != 4 }'
  result $? "/measure/$mpi/formula" "$(paste bytes times rates)"
}

# Each round is there once, and those that are not marked are what the row says.
test_rounds () {
  gives rounds 0 measure 2 transfer $few --csv - -o /dev/null
  awk -F, '
    $1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == "transfer" { rounds[$at["bytes"]] = $at["rounds"]; bad[$at["bytes"]] = $at["disturbed"]; next }
    $1 == "transfer_round" { n[$at["bytes"]]++; marked[$at["bytes"]] += $at["disturbed"]
                             if ($at["switches"] > 0 && !$at["disturbed"]) wrong = 1 }
    END { for (b in rounds) if (rounds[b] != n[b] || bad[b] != marked[b] || n[b] < 3 || n[b] > 6 ||
                                (n[b] < 6 && n[b] - bad[b] < 3)) wrong = 1
          exit wrong || length (rounds) != 4 }' stdout
  result $? "/measure/$mpi/rounds/marked" "$(cat stdout)"
  gives rounds/unbound 0 measure 2 transfer $few --no-bind
  grep -q '^bound_processes: as MPI has left them' stdout && grep -q 'from us *to us *mean us *error us' stdout
  result $? "/measure/$mpi/rounds/text" "$(cat stdout)"
}

test_forms () {
  rm -f r.db
  gives forms 0 measure 2 transfer $few --csv r.csv --xml r.xml --db r.db
  valid forms/xml measurement r.xml
  equal forms/xml-rows 4 "$(xmllint --xpath 'count(//table[@name="transfer"]/row)' r.xml)"
  equal forms/db-is-csv "$(column transfer best_us <r.csv | words)" \
    "$(sqlite3 r.db 'SELECT printf("%.9g", best_us) FROM transfer ORDER BY number' | words)"
  ran 0 measure 2 transfer $few --db r.db
  equal forms/appended "4 4" "$(sqlite3 r.db 'SELECT count(*) FROM transfer GROUP BY measurement' | words)"
  fails forms/unwritable 1 "cannot write '/nowhere/x'" measure 2 transfer $few --csv /nowhere/x
}

# The limits that libraries are given are found: of Open MPI that of TCP, whose header of 56 bytes counts.
test_eager () {
  if [ "$mpi" = mpich ] && ! mpichversion 2>/dev/null | grep -q ch4:ucx; then
    skip "/measure/$mpi/eager" "this MPICH has no limit that is known here"
    return
  fi
  for limit in 1000 5000; do
    export OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_eager_limit=$((limit + 56)) UCX_RNDV_THRESH=$((limit + 1))
    gives eager-$limit 0 measure 2 transfer uK m1 M16 K4 T2 f0 R3 -q --csv - -o /dev/null
    equal eager-$limit/found $limit "$(column pair eager_bytes <stdout)"
  done
  unset OMPI_MCA_btl OMPI_MCA_btl_tcp_eager_limit UCX_RNDV_THRESH
}

# More processes than processors: refused, or said in every row.
test_crowd () {
  crowd=$(($(nproc) + 1))
  fails crowd/refused 1 "more processes than processors" measure $crowd transfer $few
  gives crowd/force 0 measure $crowd transfer m1 M1 T2 f0 R1 -q --force --csv - -o /dev/null
  equal crowd/said 1 "$(column transfer oversubscribed <stdout | sort -u)"
  equal crowd/with-first "$(seq $((crowd - 1)) | words)" "$(column pair second <stdout | words)"
  gives crowd/all-pairs 0 measure $crowd transfer m1 M1 T2 f0 R1 -q --force --all-pairs --picture p.svg --csv - -o /dev/null
  equal crowd/pairs $((crowd * (crowd - 1) / 2)) "$(column pair second <stdout | wc -l | tr -d ' ')"
  equal crowd/picture $((crowd * (crowd - 1))) "$(xmllint --xpath 'count(//*[local-name()="title"])' p.svg)"
}

# On a busy machine parameters may come out negative, which is an error then.
test_loggp () {
  ran 0 measure 2 transfer m1 M4096 K8 T2 f0 R1 -q --loggp --csv - -o /dev/null
  rows=$(column loggp from_bytes <stdout | wc -l)
  if [ $status = 0 ]; then
    [ "$rows" -ge 1 ] && ! grep -E '^loggp,.*,-[0-9]' stdout
  else
    [ $status = 1 ] && [ "$rows" = 0 ] && grep -q 'expected' stderr
  fi
  result $? "/measure/$mpi/loggp" "status $status: $(cat stdout stderr)"
  equal loggp/sizes 5 "$(column loggp_size bytes <stdout | wc -l | tr -d ' ')"
}

test_loop () {
  gives loop 0 measure 2 transfer $few --check-loop --csv - -o /dev/null
  column plain_loop ratio <stdout | awk '!($1 > 0) { wrong = 1 } END { exit wrong || NR != 4 }'
  result $? "/measure/$mpi/loop/ratios" "$(cat stdout)"
}

# Other buffers in each exchange, of which the last ones are whole, too.
test_cold () {
  for variant in 1 2 3; do
    gives cold/$variant 0 measure 2 transfer m1 M1024 K32 uK T3 f0 R2 -q --variant $variant --cold --csv - -o /dev/null
    equal cold/$variant/said cold "$(sed -n 's/^fact,buffers,//p' stdout | words)"
    equal cold/$variant/sizes 4 "$(column transfer best_us <stdout | wc -l | tr -d ' ')"
  done
  for option in '--variant 4' --loggp --check-loop; do
    fails "cold/refused/$option" 2 "--cold: expected variant 1, 2 or 3" measure 2 transfer $few --cold $option
  done
}

test_timers () {
  gives timers 0 measure 2 --check-timer --csv - -o /dev/null
  for timer in clock_monotonic gettimeofday MPI_Wtime; do
    equal "timers/$timer" "WaitPatternNull WaitPatternUp" "$(awk -F, -v t=$timer '$1 == "timer" && $2 == t { print $3 }' stdout | words)"
  done
  # no shorter than what was waited, but for a tick
  awk -F, '$3 == "WaitPatternUp" && $5 < $4 - 1.001 { wrong = 1 } END { exit wrong }' stdout
  result $? "/measure/$mpi/timers/no-shorter" "$(cat stdout)"
  for timer in gettimeofday MPI_Wtime tsc; do
    grep -q "^fact,$timer," stdout || gives "timers/transfer-$timer" 0 measure 2 transfer $few --timer $timer
  done
}

# Clocks half a second apart come to less than a tenth; what is put wrong is found.
test_sync () {
  for algorithm in linear ring tree; do
    gives "sync/$algorithm" 0 measure 2 --check-sync --sync $algorithm --sync-time 0.01 --after 0 --bound 1e5 --csv - -o /dev/null
    column sync truth_us <stdout | awk '$1 > 1e5 || $1 < -1e5 { wrong = 1 } END { exit wrong || NR != 1 }'
    result $? "/measure/$mpi/sync/$algorithm/truth" "$(cat stdout)"
    fails "sync/$algorithm/shifted" 1 "the clock of rank 1 is off by" measure \
      2 --check-sync --sync $algorithm --sync-time 0.01 --after 0 --bound 1e5 --shift -2e6
  done
  gives sync/three 0 measure 3 --check-sync --sync ring --after 0 --bound 1e5 --force --xml sync.xml
  valid sync/xml measurement sync.xml
}

# rounds FACTOR: a file of known rounds of two lengths
rounds () {
  awk -v factor="$1" 'BEGIN {
    print "table,name,value\nfact,mpi,known\n"
    print "table,variant,first,second,bytes,round,time_us,switches,disturbed,oversubscribed"
    for (bytes = 8; bytes <= 16; bytes += 8)
      for (i = 1; i <= 10; i++)
        printf "transfer_round,1,0,1,%d,%d,%g,0,0,0\n", bytes, i, factor * (1 + i / 100) }'
}

# A file against itself, and against thrice its times; without mpiexec.
test_judge () {
  judge=$build/measure/predictor-measure.$mpi
  rm -f judged.sqlite
  ran 0 measure 2 transfer $few --csv judged.csv --db judged.sqlite -o /dev/null
  gives judge/same 0 "$judge" compare judged.csv judged.sqlite --xml same.xml
  valid judge/same-xml measurement same.xml
  rounds 1 >once.csv
  rounds 3 >thrice.csv
  fails judge/slower 5 "of 2 cases 2 are slower and 0 faster" "$judge" compare once.csv thrice.csv --csv slower.csv -o /dev/null
  equal judge/verdicts "slower" "$(column comparison verdict <slower.csv | sort -u)"
  fails judge/faster 5 "0 are slower and 2 faster" "$judge" compare thrice.csv once.csv -o /dev/null
  fails judge/guidelines 5 "guidelines 19 are violated" "$judge" guidelines "$root/tests/data/measure-collective.csv" --xml guide.xml -o guide.txt
  valid judge/guidelines-xml measurement guide.xml
  equal judge/said 19 "$(grep -c '^violated: .* times as long$' guide.txt)"
  fails judge/absent 1 "none.csv" "$judge" compare judged.csv none.csv
  fails judge/foreign 1 "cannot read" "$judge" guidelines "$root/README.md"
  fails judge/no-operations 1 "no two blocking collective operations" "$judge" guidelines judged.csv
  fails judge/one-file 2 "expected two files" "$judge" compare judged.csv
  fails judge/significance 2 "between 0 and 1" "$judge" compare once.csv once.csv --significance 0
}

test_usage () {
  fails usage/one-process 2 "at least 2 processes" measure 1 transfer
  fails usage/option 2 "Try 'predictor-measure transfer --help'" measure 2 transfer --thing
  fails usage/unit 2 "expected B, K or M" measure 2 transfer uX
  fails usage/timer 2 "unknown timer" measure 2 transfer --timer sundial
  fails usage/sync 2 "unknown synchronisation" measure 2 --check-sync --sync prayer
  fails usage/after 2 "seconds that rise" measure 2 --check-sync --after 1,0
  fails usage/command 2 "unknown command 'thing'" measure 1 thing
  [ "$(grep -c unknown stderr)" = 1 ]
  result $? "/measure/$mpi/usage/once"
}

# Under the starter of the other MPI each process is alone: one says which program to start.
test_starter () {
  other=mpich
  [ "$mpi" = mpich ] && other=openmpi
  if [ ! -x "$build/measure/predictor-measure.$other" ] || ! command -v "mpiexec.$other" >/dev/null; then
    skip "/measure/$mpi/starter" "there is no $other"
    return
  fi
  timeout 120 "mpiexec.$other" -n 2 "$build/measure/predictor-measure.$mpi" transfer $few >stdout 2>stderr
  status=$?
  [ $status = 2 ] && [ "$(cat stdout stderr | grep -c "start predictor-measure.$other\$")" = 1 ]
  result $? "/measure/$mpi/starter" "status $status: $(cat stdout stderr)"
}

for_each_mpi original variants formula rounds forms eager crowd loggp loop cold timers sync judge usage starter
tap_done
