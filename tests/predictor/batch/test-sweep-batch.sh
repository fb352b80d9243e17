#!/bin/sh
# Points of a study that are predicted at once: the same as each alone, whatever the number of
# workers, and wherever some of them are wrong.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
ring=$PWD/tests/data/ring.ti
cd "$scratch" || exit 1

machine=dimemas:latency=5us,bandwidth=100MB/s
study="$ring -m $machine --vary network/latency=1us:100us:log7 --vary network/bandwidth=10MB/s:1GB/s:log5 --vary flops=1Gf,3Gf"
for jobs in 1 2; do
  "$program" sweep $study --per-processor --db $jobs.sqlite -j $jobs -q 2>stderr
  result $? /sweep-lanes/run-$jobs "$(cat stderr)"
  for table in point result processor_value figure warning; do
    sqlite3 $jobs.sqlite "SELECT * FROM $table ORDER BY 1, 2, 3" >>rows.$jobs
  done
done
[ -s rows.1 ] && cmp -s rows.1 rows.2
result $? /sweep-lanes/workers "$(diff rows.1 rows.2 | head -n 5)"

# each alone
sqlite3 -separator ' ' 1.sqlite "SELECT p.number, (SELECT text FROM axis_value a JOIN point_value v ON a.axis = v.axis
  AND a.number = v.value_number WHERE v.point = p.number AND v.axis = 0),
  (SELECT text FROM axis_value a JOIN point_value v ON a.axis = v.axis AND a.number = v.value_number
   WHERE v.point = p.number AND v.axis = 1),
  (SELECT text FROM axis_value a JOIN point_value v ON a.axis = v.axis AND a.number = v.value_number
   WHERE v.point = p.number AND v.axis = 2) FROM point p WHERE p.number % 9 = 0" >points
wrong=0 n=0
while read -r number latency bandwidth flops; do
  "$program" run "$ring" -m $machine --set network/latency=$latency --set network/bandwidth=$bandwidth \
    --flops $flops --one-step --json </dev/null >alone
  python3 - "$number" >found <<'EOF'
import json, sqlite3, sys
run = json.load(open("alone"))["runs"][0]["intervals"][0]
db = sqlite3.connect("1.sqlite")
db.row_factory = sqlite3.Row
row = db.execute("SELECT * FROM result WHERE point = ? AND node = 0", sys.argv[1:]).fetchone()
names = [k for k in row.keys() if k in run and k not in ("processors",)]
print(len(names) > 15, [k for k in names if abs(row[k] - run[k]) > 1e-12])
EOF
  n=$((n + 1))
  [ "$(cat found)" = 'True []' ] || { wrong=$((wrong + 1)); cat found >>differences; }
done <points
[ $n = 8 ] && [ $wrong = 0 ]
result $? /sweep-lanes/alone "$n points, $wrong wrong: $(cat differences 2>/dev/null)"

# A value that makes no machine is that point's, and not its neighbours'.
"$program" sweep "$ring" -m $machine --vary 'network/latency=1us,2us,3us,4us' \
  --vary 'network/nodes/speed=1,0,2' --db bad.sqlite -j 1 -q >stdout 2>stderr
[ "$(sqlite3 bad.sqlite 'SELECT group_concat (status) FROM point')" = \
  done,failed,done,done,failed,done,done,failed,done,done,failed,done ]
result $? /sweep-lanes/failing "$(sqlite3 bad.sqlite 'SELECT * FROM point'; cat stderr)"

tap_done
