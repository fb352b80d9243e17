#!/bin/sh
# predictor-measure collective under each MPI that is there, with few launches: that it
# measures what it is asked to and says so in all forms; never how long it took.
set -u
. tests/support/measure.sh
area=/measure-collective

# A busy machine makes launches late, and comparisons of clocks rough.
few="-q --rounds 2 --correct 4 --launches 16 --bound 1e6 --csv - -o /dev/null"

# Each row: correct launches are counted as such, the common clock sees no less than the
# slowest process, what is kept is what trimming leaves, intervals are in order.
check_rows () {
  for c in launches correct kept global_median_us global_median_low_us global_median_high_us global_min_us global_max_us \
    global_student_low_us global_student_high_us global_student_low_us_90 global_student_low_us_99 \
    local_median_us completion_median_us late_starts late_ends wide_windows; do
    column collective $c <stdout >"column.$c"
  done
  paste -d, column.launches column.correct column.kept column.global_median_us column.global_min_us column.global_max_us \
    column.local_median_us column.completion_median_us column.global_student_low_us column.global_student_low_us_90 \
    column.global_student_low_us_99 column.late_starts column.late_ends column.wide_windows | awk -F, -v n="$2" '
      { late = $12 + $13 + $14 }
      $2 == 0 { if ($1 > late || $4 != "") { print "none: " $0; wrong = 1 } next }
      $2 > $1 || $1 - $2 > late || $3 != $2 - 2 * int ($2 / 4) { print "launches: " $0; wrong = 1 }
      $4 < $5 || $4 > $6 || $7 > $4 * 1.0001 || $8 < $7 * 0.9999 { print "times: " $0; wrong = 1 }
      $9 != "" && ($9 > $10 || $11 > $9) { print "intervals: " $0; wrong = 1 }
      END { if (NR != n) print NR " rows"; exit wrong || NR != n }' >wrong
  result $? "/measure-collective/$mpi/$1/rows" "$(cat wrong stdout)"
}

# collective RANKS WORDS...
collective () {
  ranks=$1
  shift
  measure "$ranks" collective "$@"
}

test_default () {
  gives default 0 collective 2 $few --sizes 8,1K
  equal default/operations "barrier bcast bcast allreduce allreduce alltoall alltoall" "$(column collective operation <stdout | words)"
  equal default/bytes "0 8 1024 8 1024 8 1024" "$(column collective bytes <stdout | words)"
  equal default/synchronised 1 "$(column collective synchronised <stdout | sort -u)"
  grep -q '^fact,synchronisation,hosts' stdout && grep -q '^fact,clock_error_us,' stdout && grep -q '^fact,clock_round_trip_us,' stdout
  result $? "/measure-collective/$mpi/default/clocks" "$(cat stdout)"
  check_rows default 7
  empty default/quiet stderr
}

test_options () {
  gives options 0 collective 2 $few --operations reduce,allgather --min 1 --max 4 --unit K --factor 2 --root 1 --datatype int --op max \
    --cold --alignment 64 --sync ring --timer gettimeofday --trim 0 --per-rank
  equal options/rows "reduce 1024 1 int max 0 cold,reduce 2048 1 int max 0 cold,reduce 4096 1 int max 0 cold,allgather 1024 -1 int  0 cold,allgather 2048 -1 int  0 cold,allgather 4096 -1 int  0 cold" \
    "$(awk -F, '$1 == "collective" { printf "%s%s %s %s %s %s %s %s", s, $2, $5, $6, $7, $8, $9, $10; s = "," }' stdout)"
  equal options/kept "$(column collective correct <stdout | words)" "$(column collective kept <stdout | words)"
  equal options/ranks "0 1 0 1 0 1 0 1 0 1 0 1" "$(column collective_rank rank <stdout | words)"
  grep -q '^fact,timer,gettimeofday' stdout && grep -q '^fact,synchronisation,ring' stdout
  result $? "/measure-collective/$mpi/options/facts" "$(cat stdout)"
}

test_in_place () {
  gives in-place 0 collective 2 $few --operations allreduce --sizes 16 --in-place
  equal in-place/row 1 "$(column collective in_place <stdout)"
  gives in-place/group 0 collective 2 $few --operations blocking --sizes 16 --in-place --rounds 1 --warm-up 0
  column collective operation <stdout | grep -q allgather && ! column collective operation <stdout | grep -q bcast
  result $? "/measure-collective/$mpi/in-place/group/those-that-have-it" "$(cat stdout)"
}

# Every operation of a group gets a row, but for those that this MPI fails in, which it says.
test_groups () {
  gives groups/all 0 collective 2 $few --operations all --sizes 16 --rounds 1 --stage 4 --warm-up 0
  column collective operation <stdout >all
  equal groups/forms "blocking nonblocking" "$(column collective form <stdout | grep -v persistent | sort -u | words)"
  for group in blocking nonblocking neighbor persistent; do
    grep -q persistent stdout || [ $group != persistent ] || continue
    cp stdout all.csv
    case $group in
    neighbor) wanted=$(column collective operation <all.csv | grep neighbor | words) ;;
    *) wanted=$(awk -F, -v form=$group '$1 == "collective" && $3 == form && $2 !~ /neighbor/ { print $2 }' all.csv | words) ;;
    esac
    ran 0 collective 2 $few --operations $group --sizes 16 --rounds 1 --stage 4 --warm-up 0
    equal "groups/$group" "$wanted" "$(column collective operation <stdout | words)"
    cp all.csv stdout
  done
}

# More processes than processors: refused, or said in every row; fewer processes than
# there are.
test_processes () {
  crowd=$(($(nproc) + 2))
  fails crowd/refused 1 "more processes than processors" collective $crowd $few
  gives crowd/force 0 collective $crowd $few --force --operations barrier,bcast --sizes 8 --rounds 1 --correct 1 --launches 8 --processes 2,$crowd
  equal crowd/processes "2 2 $crowd $crowd" "$(column collective processes <stdout | words)"
  equal crowd/said 1 "$(column collective oversubscribed <stdout | sort -u)"
  grep -q '^fact,warning,more processes than processors' stdout
  result $? "/measure-collective/$mpi/crowd/warning"
}

# The common clock put wrong is found out, and the run refused.
test_clocks () {
  fails clocks/shifted 1 "the clock of rank 1 is off by" collective 2 $few --operations barrier --bound 1e4 --shift -1e5
  empty clocks/nothing-told stdout
}

test_stop () {
  gives stop/rse 0 collective 2 $few --operations barrier --rounds 1 --rse 0.5 --least 20 --most 4000
  awk -F, '$1 == "collective" { if ($12 >= 20 || $11 >= 4000) fine = 1 } END { exit !fine }' stdout
  result $? "/measure-collective/$mpi/stop/least" "$(cat stdout)"
  gives stop/stage 0 collective 2 $few --operations barrier --rounds 1 --stage 3 --launches 6 --correct 100
  equal stop/launches 6 "$(column collective launches <stdout)"
}

# What others do, to see the error: told as such.
test_mistakes () {
  gives mistakes/loop 0 collective 2 $few --operations bcast --sizes 8 --no-sync --per-rank
  equal mistakes/loop/row "0 " "$(awk -F, '$1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "collective" { print $(at["synchronised"]) " " $(at["global_median_us"]) }' stdout)"
  equal mistakes/loop/ranks "0 1" "$(column collective_rank rank <stdout | words)"
  gives mistakes/untouched 0 collective 2 $few --operations bcast --sizes 64K --untouched
  equal mistakes/untouched/row untouched "$(column collective buffers <stdout)"
  gives mistakes/window 0 collective 2 $few --operations bcast --sizes 8 --window 3000
  equal mistakes/window/row 3000 "$(column collective window_us <stdout)"
}

test_overlap () {
  gives overlap 0 collective 2 $few --operations bcast,ibcast --sizes 64K --overlap --progress 3
  equal overlap/row "ibcast 3" "$(column overlap operation <stdout) $(column overlap progress_calls <stdout)"
  column overlap overlap <stdout | awk '!($1 >= 0 && $1 <= 1) { wrong = 1 } END { exit wrong || NR != 1 }'
  result $? "/measure-collective/$mpi/overlap/share" "$(cat stdout)"
  grep -q '^fact,overlap,.*operation + computation - both' stdout
  result $? "/measure-collective/$mpi/overlap/definition" "$(cat stdout)"
}

# Launches of the program are collected, in CSV and in a database, which say the same.
test_append () {
  rm -f l.csv l.sqlite m.xml
  for file in l.csv l.sqlite; do
    for i in 1 2; do
      ran 0 collective 2 -q --rounds 1 --correct 1 --launches 1000 --bound 1e6 --operations barrier,bcast --sizes 8 --append $file --xml m.xml
    done
    result $status "/measure-collective/$mpi/append/$file" "$(cat stdout stderr)"
    grep -q '^runs: 2' stdout && grep -q 'Relative standard error of the medians over all runs' stdout
    result $? "/measure-collective/$mpi/append/$file/told" "$(cat stdout)"
    "$build/measure/predictor-measure.$mpi" collective --summary $file --csv summary.csv -o summary.txt --xml summary.xml 2>stderr
    result $? "/measure-collective/$mpi/append/$file/summary" "$(cat stderr)"
    equal "append/$file/runs" "2 2" "$(xmllint --xpath '//cell[@column="runs"]/text()' summary.xml | words)"
    for f in m.xml summary.xml; do
      valid "append/$file/$f" measurement $f
    done
  done
  equal append/sqlite "2 2" "$(sqlite3 l.sqlite 'SELECT count(*) FROM collective GROUP BY measurement' | words)"
  fails append/unwritable 1 "cannot write '/nowhere/x.csv'" collective 2 $few --operations barrier --append /nowhere/x.csv
}

# Of a case with correct launches the whole takes as long as the last one is late, at
# least, and what follows the last arrival takes less.
test_arrival () {
  for pattern in late linear random; do
    gives "arrival/$pattern" 0 collective 2 --operations bcast,barrier --sizes 8 --arrival $pattern --arrival-skew 2000 $few
    for table in arrival collective collective_round; do
      equal "arrival/$pattern/$table" "$pattern" "$(column $table arrival <stdout | sort -u)"
    done
    awk -F, -v pattern=$pattern '
      $1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; next }
      $1 == "collective" && $at["correct"] > 0 { whole[$at["operation"]] = $at["global_median_us"] }
      $1 == "arrival" && $at["correct"] > 0 { last[$at["operation"]] = $at["median_us"] }
      END { for (o in whole) if ((pattern != "random" && whole[o] < 2000) || !(last[o] <= whole[o])) exit 1 }' stdout
    result $? "/measure-collective/$mpi/arrival/$pattern/times" "$(cat stdout)"
  done
  fails arrival/unknown 2 "expected late, linear or random" collective 2 --arrival never
  fails arrival/skew 2 "--arrival-skew=0" collective 2 --arrival late --arrival-skew 0
  fails arrival/no-sync 2 "neither --no-sync" collective 2 --arrival late --no-sync
}

test_usage () {
  fails usage/one-process 2 "at least 2 processes" collective 1
  fails usage/operation 2 "no operation 'bcats'" collective 2 --operations bcats
  fails usage/datatype 2 "sundial" collective 2 --datatype sundial
  fails usage/op 2 "sundial" collective 2 --op sundial
  fails usage/timer 2 "unknown timer" collective 2 --timer sundial
  fails usage/sync 2 "unknown synchronisation" collective 2 --sync prayer
  fails usage/root 2 "below 2" collective 2 --root 2
  fails usage/processes 2 "rising numbers from 2 to 2" collective 2 --processes 3
  fails usage/size 2 "multiple of" collective 2 --sizes 9 $few
  fails usage/in-place 2 "in place" collective 2 --operations bcast --in-place $few
  "$build/measure/predictor-measure.$mpi" collective --summary /nowhere/x.csv 2>stderr
  [ $? = 1 ] && grep -q "/nowhere/x.csv" stderr
  result $? "/measure-collective/$mpi/usage/summary" "$(cat stderr)"
}

for_each_mpi default options in_place groups processes clocks stop mistakes overlap append arrival usage
tap_done
