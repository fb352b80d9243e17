#!/bin/sh
# predictor-measure collective under each MPI that is there, with few launches: that it
# measures what it is asked to and says so in all forms; never how long it took.
set -u
. tests/support/tap.sh
build=$(realpath "${BUILD:-build}")
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# the folders of Open MPI not where other runs have theirs
export LC_ALL=C TMPDIR="$work" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
  OMPI_MCA_rmaps_base_oversubscribe=1
cd "$work" || exit 1

# A busy machine makes launches late, and comparisons of clocks rough.
few="-q --rounds 2 --correct 4 --launches 16 --bound 1e6 --csv - -o /dev/null"

# collective RANKS WORDS...: under $mpi; status, "out" and "err"
collective () {
  ranks=$1
  shift
  timeout 120 "mpiexec.$mpi" -n "$ranks" "$build/measure/predictor-measure.$mpi" collective "$@" >out 2>err </dev/null
  status=$?
}

# fine NAME RANKS WORDS...: status 0
fine () {
  name=$1
  shift
  collective "$@"
  result $status "/measure-collective/$mpi/$name" "status $status: $(cat out err)"
}

# refused NAME STATUS PATTERN RANKS WORDS...: that status, and what stderr says
refused () {
  name=$1 wanted=$2 pattern=$3
  shift 3
  collective "$@"
  [ "$status" = "$wanted" ] && grep -q -- "$pattern" err
  result $? "/measure-collective/$mpi/$name" "status $status: $(cat err)"
}

# column TABLE NAME <CSV: the values of a column of a block
column () {
  awk -F, -v table="$1" -v name="$2" '
    $1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == table { print $(at[name]) }'
}

# same NAME EXPECTED FOUND
same () {
  [ "$2" = "$3" ]
  result $? "/measure-collective/$mpi/$1" "expected '$2', found '$3'"
}

words () { tr '\n' ' ' | sed 's/ $//'; }

# Each row: correct launches are counted as such, the common clock sees no less than the
# slowest process, what is kept is what trimming leaves, intervals are in order.
check_rows () {
  for c in launches correct kept global_median_us global_median_low_us global_median_high_us global_min_us global_max_us \
    global_student_low_us global_student_high_us global_student_low_us_90 global_student_low_us_99 \
    local_median_us completion_median_us late_starts late_ends wide_windows; do
    column collective $c <out >"column.$c"
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
  result $? "/measure-collective/$mpi/$1/rows" "$(cat wrong out)"
}

test_default () {
  fine default 2 $few --sizes 8,1K
  same default/operations "barrier bcast bcast allreduce allreduce alltoall alltoall" "$(column collective operation <out | words)"
  same default/bytes "0 8 1024 8 1024 8 1024" "$(column collective bytes <out | words)"
  same default/synchronised 1 "$(column collective synchronised <out | sort -u)"
  grep -q '^fact,synchronisation,hosts' out && grep -q '^fact,clock_error_us,' out && grep -q '^fact,clock_round_trip_us,' out
  result $? "/measure-collective/$mpi/default/clocks" "$(cat out)"
  check_rows default 7
  [ ! -s err ]
  result $? "/measure-collective/$mpi/default/quiet" "$(cat err)"
}

test_options () {
  fine options 2 $few --operations reduce,allgather --min 1 --max 4 --unit K --factor 2 --root 1 --datatype int --op max \
    --cold --alignment 64 --sync ring --timer gettimeofday --trim 0 --per-rank
  same options/rows "reduce 1024 1 int max 0 cold,reduce 2048 1 int max 0 cold,reduce 4096 1 int max 0 cold,allgather 1024 -1 int  0 cold,allgather 2048 -1 int  0 cold,allgather 4096 -1 int  0 cold" \
    "$(awk -F, '$1 == "collective" { printf "%s%s %s %s %s %s %s %s", s, $2, $5, $6, $7, $8, $9, $10; s = "," }' out)"
  same options/kept "$(column collective correct <out | words)" "$(column collective kept <out | words)"
  same options/ranks "0 1 0 1 0 1 0 1 0 1 0 1" "$(column collective_rank rank <out | words)"
  grep -q '^fact,timer,gettimeofday' out && grep -q '^fact,synchronisation,ring' out
  result $? "/measure-collective/$mpi/options/facts" "$(cat out)"
}

test_in_place () {
  fine in-place 2 $few --operations allreduce --sizes 16 --in-place
  same in-place/row 1 "$(column collective in_place <out)"
  fine in-place/group 2 $few --operations blocking --sizes 16 --in-place --rounds 1 --warm-up 0
  column collective operation <out | grep -q allgather && ! column collective operation <out | grep -q bcast
  result $? "/measure-collective/$mpi/in-place/group/those-that-have-it" "$(cat out)"
}

# Every operation of a group gets a row, but for those that this MPI fails in, which it says.
test_groups () {
  fine groups/all 2 $few --operations all --sizes 16 --rounds 1 --stage 4 --warm-up 0
  column collective operation <out >all
  same groups/forms "blocking nonblocking" "$(column collective form <out | grep -v persistent | sort -u | words)"
  for group in blocking nonblocking neighbor persistent; do
    grep -q persistent out || [ $group != persistent ] || continue
    cp out all.csv
    case $group in
    neighbor) wanted=$(column collective operation <all.csv | grep neighbor | words) ;;
    *) wanted=$(awk -F, -v form=$group '$1 == "collective" && $3 == form && $2 !~ /neighbor/ { print $2 }' all.csv | words) ;;
    esac
    collective 2 $few --operations $group --sizes 16 --rounds 1 --stage 4 --warm-up 0
    same "groups/$group" "$wanted" "$(column collective operation <out | words)"
    cp all.csv out
  done
}

# More processes than processors: refused, or said in every row; fewer processes than
# there are.
test_processes () {
  crowd=$(($(nproc) + 2))
  refused crowd/refused 1 "more processes than processors" $crowd $few
  fine crowd/force $crowd $few --force --operations barrier,bcast --sizes 8 --rounds 1 --correct 1 --launches 8 --processes 2,$crowd
  same crowd/processes "2 2 $crowd $crowd" "$(column collective processes <out | words)"
  same crowd/said 1 "$(column collective oversubscribed <out | sort -u)"
  grep -q '^fact,warning,more processes than processors' out
  result $? "/measure-collective/$mpi/crowd/warning"
}

# The common clock put wrong is found out, and the run refused.
test_clocks () {
  refused clocks/shifted 1 "the clock of rank 1 is off by" 2 $few --operations barrier --bound 1e4 --shift -1e5
  [ ! -s out ]
  result $? "/measure-collective/$mpi/clocks/nothing-told" "$(cat out)"
}

test_stop () {
  fine stop/rse 2 $few --operations barrier --rounds 1 --rse 0.5 --least 20 --most 4000
  awk -F, '$1 == "collective" { if ($12 >= 20 || $11 >= 4000) fine = 1 } END { exit !fine }' out
  result $? "/measure-collective/$mpi/stop/least" "$(cat out)"
  fine stop/stage 2 $few --operations barrier --rounds 1 --stage 3 --launches 6 --correct 100
  same stop/launches 6 "$(column collective launches <out)"
}

# What others do, to see the error: told as such.
test_mistakes () {
  fine mistakes/loop 2 $few --operations bcast --sizes 8 --no-sync --per-rank
  same mistakes/loop/row "0 " "$(awk -F, '$1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "collective" { print $(at["synchronised"]) " " $(at["global_median_us"]) }' out)"
  same mistakes/loop/ranks "0 1" "$(column collective_rank rank <out | words)"
  fine mistakes/untouched 2 $few --operations bcast --sizes 64K --untouched
  same mistakes/untouched/row untouched "$(column collective buffers <out)"
  fine mistakes/window 2 $few --operations bcast --sizes 8 --window 3000
  same mistakes/window/row 3000 "$(column collective window_us <out)"
}

test_overlap () {
  fine overlap 2 $few --operations bcast,ibcast --sizes 64K --overlap --progress 3
  same overlap/row "ibcast 3" "$(column overlap operation <out) $(column overlap progress_calls <out)"
  column overlap overlap <out | awk '!($1 >= 0 && $1 <= 1) { wrong = 1 } END { exit wrong || NR != 1 }'
  result $? "/measure-collective/$mpi/overlap/share" "$(cat out)"
  grep -q '^fact,overlap,.*operation + computation - both' out
  result $? "/measure-collective/$mpi/overlap/definition" "$(cat out)"
}

# Launches of the program are collected, in CSV and in a database, which say the same.
test_append () {
  rm -f l.csv l.sqlite m.xml
  for file in l.csv l.sqlite; do
    for i in 1 2; do
      collective 2 -q --rounds 1 --correct 1 --launches 1000 --bound 1e6 --operations barrier,bcast --sizes 8 --append $file --xml m.xml
    done
    result $status "/measure-collective/$mpi/append/$file" "$(cat out err)"
    grep -q '^runs: 2' out && grep -q 'Relative standard error of the medians over all runs' out
    result $? "/measure-collective/$mpi/append/$file/told" "$(cat out)"
    "$build/measure/predictor-measure.$mpi" collective --summary $file --csv summary.csv -o summary.txt --xml summary.xml 2>err
    result $? "/measure-collective/$mpi/append/$file/summary" "$(cat err)"
    same "append/$file/runs" "2 2" "$(xmllint --xpath '//cell[@column="runs"]/text()' summary.xml | words)"
    for f in m.xml summary.xml; do
      xmllint --noout --relaxng "$root/schemas/measurement.rng" $f 2>xml.err
      result $? "/measure-collective/$mpi/append/$file/$f" "$(cat xml.err)"
    done
  done
  same append/sqlite "2 2" "$(sqlite3 l.sqlite 'SELECT count(*) FROM collective GROUP BY measurement' | words)"
  refused append/unwritable 1 "cannot write '/nowhere/x.csv'" 2 $few --operations barrier --append /nowhere/x.csv
}

test_usage () {
  refused usage/one-process 2 "at least 2 processes" 1
  refused usage/operation 2 "unknown\|no operation\|expected" 2 --operations bcats
  refused usage/datatype 2 "sundial" 2 --datatype sundial
  refused usage/op 2 "sundial" 2 --op sundial
  refused usage/timer 2 "unknown timer" 2 --timer sundial
  refused usage/sync 2 "unknown synchronisation" 2 --sync prayer
  refused usage/root 2 "below 2" 2 --root 2
  refused usage/processes 2 "rising numbers from 2 to 2" 2 --processes 3
  refused usage/size 2 "multiple of" 2 --sizes 9 $few
  refused usage/in-place 2 "in place" 2 --operations bcast --in-place $few
  "$build/measure/predictor-measure.$mpi" collective --summary /nowhere/x.csv 2>err
  [ $? = 1 ] && grep -q "/nowhere/x.csv" err
  result $? "/measure-collective/$mpi/usage/summary" "$(cat err)"
}

for mpi in mpich openmpi; do
  if ! command -v "mpicc.$mpi" >/dev/null 2>&1 || ! command -v "mpiexec.$mpi" >/dev/null 2>&1; then
    skip "/measure-collective/$mpi" "mpicc.$mpi or mpiexec.$mpi is missing"
    continue
  fi
  for t in default options in_place groups processes clocks stop mistakes overlap append usage; do
    "test_$t"
  done
done
tap_done
