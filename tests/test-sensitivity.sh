#!/bin/sh
# predictor run --sensitivity from outside: all forms of results, and what is refused.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
ring=$PWD/tests/data/ring.ti
heat=$PWD/tests/data/heat2d_600.ptr.gz
graphs=$PWD/tests/data/graphs
manual=$PWD/man/predictor-results.5
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C SOURCE_DATE_EPOCH=0 PREDICTOR_DATADIR="$PWD"
schema=$PWD/schemas/report.rng
cd "$scratch" || exit 1
machine=myrinet:startup=7us,per-byte=4ns
loggops=loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,O=1ns,S=1000

cat >graph.goal <<'GOAL'
num_ranks 2
rank 0 {
l1: calc 100
l2: send 1000b to 1 tag 1
l3: recv 100b from 1 tag 2
l2 requires l1
}
rank 1 {
l1: recv 1000b from 0 tag 1
l2: calc 300
l3: send 100b to 0 tag 2
l2 requires l1
l3 requires l2
}
GOAL
cat >self.goal <<'GOAL'
num_ranks 1
rank 0 {
l1: send 10b to 0 tag 1
l2: recv 10b from 0 tag 1
}
GOAL

# forms NAME TRACE MACHINE OPTION...: every form has the sensitivity, and none without the option
forms () {
  name=$1 trace=$2 with=$3
  shift 3
  "$program" run "$trace" -m "$with" "$@" --sensitivity --xml "$name.xml" --db "$name.sqlite" \
    -o "$name.txt" --json >"$name.json" 2>err
  result $? "/sensitivity/$name/runs" "$(cat err)"
  grep -q '^Sensitivity: the critical path has' "$name.txt" \
    && grep -q '^speed  *speed' "$name.txt" && grep -q '^Slower by' "$name.txt"
  result $? "/sensitivity/$name/text" "$(cat "$name.txt")"
  xmllint --noout --relaxng "$schema" "$name.xml" 2>err
  result $? "/sensitivity/$name/schema" "$(head -5 err)"
  grep -q '"sensitivity": {' "$name.json" && grep -q '"latency_tolerance": \[' "$name.json"
  result $? "/sensitivity/$name/json" "no object in JSON"
  sum=$(sqlite3 "$name.sqlite" 'SELECT abs (sum (path_part.time) - max (execution_time_ps) / 1e12)
    < 1e-9 FROM path_part, run')
  [ "$sum" = 1 ]
  result $? "/sensitivity/$name/parts" "the parts of the path are not the run: $sum"
  n=$(sqlite3 "$name.sqlite" 'SELECT count (*) FROM latency_tolerance')
  [ "$n" = 3 ]
  result $? "/sensitivity/$name/tolerances" "$n rows"
  "$program" run "$trace" -m "$with" "$@" --json >plain.json
  ! grep -q sensitivity plain.json
  result $? "/sensitivity/$name/without" "something in JSON without the option"
  a=$(grep -m 1 '"execution_time"' plain.json) b=$(grep -m 1 '"execution_time"' "$name.json")
  [ "$a" = "$b" ]
  result $? "/sensitivity/$name/same-time" "$a, with the option $b"
}

forms mp "$ring" "$machine"
forms loggops "$ring" "$loggops"
forms dvm "$heat" "$machine" -n 2x2
forms graph graph.goal "$loggops"
forms graph-myrinet graph.goal "$machine"

# ---- several grids in one file

"$program" run "$heat" -m "$machine" -n 2,4 --sensitivity -q --db two.sqlite
n=$(sqlite3 two.sqlite 'SELECT count (DISTINCT run) FROM sensitivity')
[ "$n" = 2 ]
result $? /sensitivity/several "$n runs"

# ---- what the general main loop does not predict as the kernel for LogGOPS does

refused () {
  "$program" run "$2" -m "$loggops" --sensitivity >out 2>err
  status=$?
  [ "$status" = 2 ] && grep -q -e '--sensitivity' err
  result $? "/sensitivity/refused/$1" "status $status; $(cat err)"
}

refused self self.goal
refused cpus "$graphs/cpus-rendezvous.goal"

# ---- a bus has an order that derivatives rest on

"$program" run "$heat" -n 2x2 -m ethernet:startup=60us,per-byte=0.09us --sensitivity >out
grep -qF '[sensitivity-order]' out
result $? /sensitivity/order "no note: $(tail -5 out)"
"$program" run "$ring" -m "$loggops" --sensitivity >out
! grep -qF '[sensitivity-' out
result $? /sensitivity/no-notes "$(grep sensitivity- out)"

# ---- predictor-results(5) has the tables and columns of a result file

for table in path_part sensitivity interval_sensitivity latency_tolerance path_segment; do
  sqlite3 mp.sqlite "SELECT name FROM pragma_table_info ('$table')" \
    | grep -vx -e run -e position >columns
  sed -n "/^\.It Cm $table Pq/,/^\.It\|^\.El/p" "$manual" | sed -n 's/^\.Cm //p' >described
  cmp -s columns described
  result $? "/sensitivity/manual/$table" "$(diff columns described)"
done

tap_done
