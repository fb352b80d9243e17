#!/bin/sh
# predictor run --sensitivity from outside: all forms of results, and what is refused.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/sensitivity
ring=$PWD/tests/data/ring.ti
heat=$PWD/tests/data/heat2d_600.ptr.gz
graphs=$PWD/tests/data/graphs
manual=$PWD/man/predictor-results.5
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
  valid "$name/schema" report "$name.xml"
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

# ---- what only the kernel for LogGOPS predicts: clocks that go back

refused () {
  "$program" run "$2" -m "$loggops,compat=loggopsim" --sensitivity >out 2>err
  status=$?
  [ "$status" = 2 ] && grep -q -e '--sensitivity' err
  result $? "/sensitivity/refused/$1" "status $status; $(cat err)"
}

refused cpus "$graphs/cpus-rendezvous.goal"

# ---- looking changes nothing: graphs whose ranks have something to do while they wait for their
# adapters, and send to themselves

time_of () {
  "$program" run "$@" --json | grep -m 1 '"execution_time"'
}

same_time () { # NAME GRAPH MACHINE
  usual=$(time_of "$2" -m "$3")
  for options in --sensitivity "--timeline same.json" "--log same.log" "--timeline same.prv --sensitivity --log same.log"; do
    # shellcheck disable=SC2086 # several words
    now=$(time_of "$2" -m "$3" $options)
    [ -n "$usual" ] && [ "$now" = "$usual" ]
    result $? "/sensitivity/looking/$1/${options%% *}" "$now, without $usual"
  done
}

cat >gap.goal <<'GOAL'
num_ranks 2
rank 0 {
l1: send 8b to 1 tag 1
l2: send 8b to 1 tag 2
l3: calc 5000
}
rank 1 {
l1: recv 8b from 0 tag 1
l2: recv 8b from 0 tag 2
}
GOAL
same_time self self.goal "$loggops"
same_time cpus "$graphs/cpus-rendezvous.goal" "$loggops"
same_time overlap "$graphs/overlap-rendezvous.goal" loggops:L=10us,o=200ns,g=1us,G=6ns,O=9ns,S=0
same_time gap gap.goal loggops:L=1000ns,o=100ns,g=10000ns

# ---- a bus has an order that derivatives rest on

"$program" run "$heat" -n 2x2 -m ethernet:startup=60us,per-byte=0.09us --sensitivity >out
grep -qF '[sensitivity-order]' out
result $? /sensitivity/order "no note: $(tail -5 out)"
"$program" run "$ring" -m "$loggops" --sensitivity >out
! grep -qF '[sensitivity-' out
result $? /sensitivity/no-notes "$(grep sensitivity- out)"

# ---- pages have the kinds in words

"$program" run "$ring" -m "$loggops" --sensitivity -q --html kinds.html
grep -q '<td class="l">computation</td>' kinds.html && grep -q '<td class="l">per-byte</td>' kinds.html
result $? /sensitivity/page/kinds "$(grep -A 3 'Table: path part' kinds.html)"

# ---- predictor-results(5) has the tables and columns of a result file

for table in path_part sensitivity interval_sensitivity latency_tolerance path_segment; do
  sqlite3 mp.sqlite "SELECT name FROM pragma_table_info ('$table')" \
    | grep -vx -e run -e position >columns
  sed -n "/^\.It Cm $table Pq/,/^\.It\|^\.El/p" "$manual" | sed -n 's/^\.Cm //p' >described
  cmp -s columns described
  result $? "/sensitivity/manual/$table" "$(diff columns described)"
done

# ---- CSV: one table with all of them, in a file of its own

"$program" run "$ring" -m "$machine" --sensitivity -q --csv both.csv --json >both.json 2>err
result $? /sensitivity/csv/run "$(cat err)"
cat >same.py <<'PY'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
wanted = json.load(open(sys.argv[2]))["runs"][0]["sensitivity"]
assert all(None not in row and None not in row.values() for row in rows)
head = rows[0]
assert head["table"] == "critical_path" and head["run"] == sys.argv[3]
for key in ("makespan", "rank", "messages", "ties"):
    assert float(head[key]) == float(wanted[key]), key
at = 1
for table, entries in wanted.items():
    if not isinstance(entries, list):
        continue
    for position, entry in enumerate(entries):
        row = rows[at]
        assert (row["table"], row["position"]) == (table, str(position)), row
        filled = {key for key, value in row.items() if value != ""}
        known = {key for key, value in entry.items() if value != ""}
        assert filled == known | {"run", "table", "position"}, filled ^ known
        for key, value in entry.items():
            if isinstance(value, str):
                assert row[key] == value
            else:
                assert float(row[key]) == float(value), (table, key, row[key], value)
        at += 1
assert at == len(rows)
print(at)
PY
n=$(python3 same.py both-sensitivity.csv both.json 1 2>err) && [ "$n" -gt 10 ]
result $? /sensitivity/csv/same-as-json "$n rows; $(cat err)"
"$program" run "$ring" -m "$machine" -q --csv plain.csv
cmp -s plain.csv both.csv && [ ! -e plain-sensitivity.csv ]
result $? /sensitivity/csv/intervals-as-ever "$(diff plain.csv both.csv | head -3)"
"$program" run "$ring" -m "$machine" --sensitivity --csv - >stdout.csv
printf '\r\n' | cat both.csv - both-sensitivity.csv | cmp -s - stdout.csv
result $? /sensitivity/csv/stdout "$(head -3 stdout.csv)"
"$program" run "$ring" -m "$machine" --sensitivity -q --csv no-suffix && [ -s no-suffix-sensitivity ]
result $? /sensitivity/csv/name "$(ls)"
"$program" run "$ring" -m "$machine" --sensitivity -q --csv x.csv --xml x-sensitivity.csv 2>err
status=$?
[ "$status" = 2 ] && [ ! -e x.csv ] && [ ! -e x-sensitivity.csv ]
result $? /sensitivity/csv/written-twice "status $status; $(cat err)"

# ---- stored results show it again

"$program" report mp.sqlite -r 1 >stored.txt 2>err
result $? /sensitivity/stored/run "$(cat err)"
sed -n '/^Sensitivity/,/^The path/p' mp.txt >wanted.txt
sed -n '/^Sensitivity/,/^The path/p' stored.txt >found.txt
[ -s wanted.txt ] && cmp -s wanted.txt found.txt
result $? /sensitivity/stored/text "$(diff wanted.txt found.txt)"
"$program" report mp.sqlite -r 1 --csv -o stored.csv 2>err
result $? /sensitivity/stored/csv "$(cat err)"
n=$(python3 same.py stored-sensitivity.csv mp.json 1 2>err)
result $? /sensitivity/stored/same-as-json "$n rows; $(cat err)"
"$program" report two.sqlite -r 2 --csv >two.csv
grep -q '^2,critical_path,0,' two.csv
result $? /sensitivity/stored/second "$(head -3 two.csv)"

# A file of version 5 does not say how many messages are on the path.
cp mp.sqlite five.sqlite
sqlite3 five.sqlite 'DROP TABLE critical_path; DROP TABLE call_site_traffic; DROP TABLE call_site_size; DROP TABLE root_cause; PRAGMA user_version = 5'
"$program" report five.sqlite -r 1 >five.txt 2>err
cp mp.sqlite bare.sqlite # nor does it have ranges
sqlite3 bare.sqlite 'DELETE FROM execution_range'
"$program" report bare.sqlite -r 1 >bare.txt 2>>err
sed 's/has [0-9]* messages\{0,1\} and ends/ends/; s/bare.sqlite/five.sqlite/' bare.txt | cmp -s - five.txt
result $? /sensitivity/stored/version-5 "$(diff bare.txt five.txt); $(cat err)"
sqlite3 five.sqlite "UPDATE path_segment SET begin = 1e300"
"$program" report five.sqlite -r 1 >out 2>err
[ $? = 1 ] && grep -q damaged err
result $? /sensitivity/stored/damaged "$(cat err)"

# At a latency above 10.05 us the receive from anyone takes what the next one waits for.
cat >stuck.txt <<'END'
predictor-trace 1
ranks 4
3 send 2 8
2 recv 3 8
2 send 0 8
1 compute 10.05us
1 send 0 8
0 recv any 8
0 recv 1 8
END
"$program" run stuck.txt -m loggops:L=10us,o=0,g=0,G=0 --wildcards simulated --sensitivity >out 2>err
[ $? = 0 ] && grep -q 'sensitivity-stuck' out
result $? /sensitivity/stuck "$(cat err)"

tap_done
