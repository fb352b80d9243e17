#!/bin/sh
# predictor sweep from outside: wrong studies, points that fail, the same rows
# whatever the number of workers, interruption, full and read-only disks.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
. tests/support/study.sh
area=/sweep
schema=$root/schemas/study.rng
cp tests/data/heat2d_600.ptr.gz "$scratch/heat.ptr.gz"
cp tests/data/ring.ti tests/data/exchange.ti machines/example-cluster.xml machines/two-cores.xml "$scratch"
cp -r tests/data/heat2d_600_np2 "$scratch/np2"
cd "$scratch" || exit 1

# ---- bad: one line that contains WORD, nothing printed, no file made

sweep_to_db () { "$program" sweep "$@" --db refused.sqlite; }
sweep () { timeout 300 "$program" sweep "$@"; }

good="heat.ptr.gz -m example-cluster.xml"
vary="--vary network/startup=1us,2us"
mkfifo pipe
refused bad/db-is-pipe 1 "'pipe': expected a regular file" sweep $good $vary --db pipe
refused bad/db-is-pipe-of-slurm 1 "'pipe': expected a regular file" sweep $good $vary --db pipe --slurm 2 --dry-run
refused bad/db-is-device 1 "'/dev/null': expected a regular file" sweep $good $vary --db /dev/null
refused bad/db-is-folder 1 "'.': expected a regular file" sweep $good $vary --db .
refused bad/no-trace 2 'a trace' sweep_to_db
refused bad/no-axes 1 'no axes' sweep_to_db $good
refused bad/trace-missing 1 absent.ptr sweep_to_db absent.ptr $vary
refused bad/trace-stdin 2 'standard input' sweep_to_db - $vary
refused bad/trace-empty 1 empty.ptr sweep_to_db "$(: >empty.ptr; echo empty.ptr)" $vary
refused bad/second-trace-missing 1 absent.ti sweep_to_db ring.ti absent.ti $vary
refused bad/machine-missing 1 nowhere sweep_to_db heat.ptr.gz -m nowhere $vary
refused bad/machine-missing-of-several 1 nowhere sweep_to_db heat.ptr.gz --vary machine=ideal,nowhere
refused bad/machine-bad 1 heat.ptr.gz sweep_to_db heat.ptr.gz -m ./heat.ptr.gz $vary
refused bad/path 1 'network/startup' sweep_to_db $good --vary network/start=1us,2us
refused bad/path-element 1 'network/startup' sweep_to_db $good --vary networks/startup=1us,2us
refused bad/operation 1 'collectives/set' sweep_to_db $good --vary collectives/alltonone=ring
refused bad/axis-empty 1 "'network/startup' has no values" sweep_to_db $good --vary network/startup=
refused bad/axis-blank 1 "'network/startup' has no values" sweep_to_db $good --vary 'network/startup= '
refused bad/axis-no-name 2 "'=1'" sweep_to_db $good --vary =1
refused bad/axis-no-values 2 "'procs'" sweep_to_db $good --vary procs
refused bad/axis-twice 1 "'procs' is given twice" sweep_to_db $good -n 1,2 --vary procs=4
refused bad/axis-and-set 1 "'network/startup' is given twice" sweep_to_db $good --set network/startup=1us $vary
refused bad/counts 1 "'4x'" sweep_to_db $good -n 4x
refused bad/range 1 "'1us:2us:3'" sweep_to_db $good --vary network/startup=1us:2us:3
refused bad/points 1 '1000000000000 points' sweep_to_db $good --vary network/startup=1us:2us:lin1000000 --vary network/per-byte=1ns:2ns:lin1000000
refused bad/points-of-axis 1 '1000000000000 values' sweep_to_db $good --vary network/startup=1us:2us:lin1000000000000
refused bad/points-of-sample 1 '1000000000000 points' sweep_to_db $good --vary network/startup=1us:2us:lin --sample sobol:1000000000000
refused bad/limit 1 '6 points, more than 5' sweep_to_db $good -n 1,2,4 $vary --limit 5
refused bad/limit-zero 2 "'0'" sweep_to_db $good $vary --limit 0
refused bad/jobs 2 "'0'" sweep_to_db $good $vary -j 0
refused bad/sample 1 "'random:5'" sweep_to_db $good $vary --sample random:5
refused bad/sample-and-list 2 exclude sweep_to_db $good --sample sobol:5 --list points.csv
refused bad/list-missing 1 absent.csv sweep_to_db $good --list absent.csv
refused bad/shard 2 "'3/2'" sweep_to_db $good $vary --shard 3/2
refused bad/shard-zero 2 "'0/2'" sweep_to_db $good $vary --shard 0/2
refused bad/startup 2 "'later'" sweep_to_db $good $vary --startup later
refused bad/seed 2 "'x'" sweep_to_db $good $vary --seed x
refused bad/axis-seed 2 "'x'" sweep_to_db $good --vary seed=1,x
refused bad/axis-ratio 2 "'-1'" sweep_to_db $good --vary cpu-ratio=1,-1
refused bad/axis-ratio-place 2 "'a.f:0" sweep_to_db $good --vary cpu-ratio/a.f:0=1,2
refused bad/axis-flops 2 "'slow'" sweep_to_db ring.ti --vary flops=1Gf,slow
refused bad/axis-switch 2 "'maybe'" sweep_to_db $good --vary weights-from-speed=on,maybe
refused bad/axis-rts 1 "Msk4" sweep_to_db $good --vary rts/Msk4=1,2
refused bad/option 2 --frobnicate sweep_to_db $good --frobnicate
echo '<study version="1"><axis name="procs" values="1,2"/><axis' >cut.xml
refused bad/file-cut 1 cut.xml sweep_to_db cut.xml
echo '<study version="7"><axis name="procs" values="1,2"/></study>' >new.xml
refused bad/file-version 1 "'7'" sweep_to_db new.xml
echo '<study version="1"><axis name="procs" values="1,2"/></study>' >traceless.xml
refused bad/file-without-trace 2 'needs a trace' sweep_to_db traceless.xml
zcat heat.ptr.gz | head -c 3000 >cut.ptr
"$program" sweep $good $vary >stdout 2>stderr
[ $? = 2 ] && grep -q -e '--db' stderr
result $? /sweep/bad/no-db "$(cat stderr)"
"$program" sweep $good $vary --db - >stdout 2>stderr
[ $? = 2 ] && [ ! -s stdout ] && grep -q -e '--db' stderr
result $? /sweep/bad/db-stdout "$(cat stderr)"

# ---- databases that are not its own stay as they are

foreign () {
  name=$1 word=$2
  cp "$3" there
  "$program" sweep $good $vary --db there >stdout 2>stderr
  status=$?
  [ $status = 1 ] && cmp -s "$3" there && grep -qF -e "$word" stderr && [ ! -s stdout ]
  result $? "/sweep/foreign/$name" "status $status: $(cat stderr)"
}

sqlite3 other.sqlite 'CREATE TABLE t (x); PRAGMA application_id = 4711;'
foreign application 'another application' other.sqlite
sqlite3 tables.sqlite 'CREATE TABLE t (x);'
foreign tables 'another application' tables.sqlite
"$program" run heat.ptr.gz -q --db results.sqlite
foreign results 'another application' results.sqlite
"$program" sweep $good $vary -q --db newer.sqlite && sqlite3 newer.sqlite 'PRAGMA user_version = 99'
foreign newer 'version 99' newer.sqlite
foreign text 'SQLite' ring.ti
"$program" sweep $good --vary network/startup=1us,3us -q --db study.sqlite
foreign another-study "'network/startup' is 2us, and was 3us" study.sqlite
cp heat.ptr.gz kept.ptr.gz
"$program" sweep $good $vary -q --db study2.sqlite && zcat kept.ptr.gz >heat.ptr.gz
foreign changed-trace 'heat.ptr.gz' study2.sqlite
cp kept.ptr.gz heat.ptr.gz
"$program" run heat.ptr.gz -q --db study.sqlite 2>stderr
[ $? = 1 ] && grep -q 'another application' stderr
result $? /sweep/foreign/run-into-study "$(cat stderr)"

# ---- the same rows whatever the number of workers, and as predictor run has them

axes="-n 1,2,2x2,8 --vary network/startup=1us:100us:log5 --vary network/nodes/speed=1,2"
for j in 1 2 4; do
  "$program" sweep $good $axes --per-processor -j $j --db j.sqlite >j$j.txt 2>stderr
  result $? "/sweep/same/jobs-$j" "$(cat stderr)"
  sqlite3 j.sqlite "UPDATE study SET command_line = NULL"
  dump_study j.sqlite >j$j.dump
  mv j.sqlite j$j.sqlite
done
cmp -s j1.dump j2.dump && cmp -s j1.dump j4.dump && [ "$(wc -l <j1.dump)" -gt 1000 ] && cmp -s j1.txt j4.txt
result $? /sweep/same/rows "$(diff j1.dump j4.dump | head -n 5) $(diff j1.txt j4.txt)"
[ ! -e j1.sqlite-wal ] && [ ! -e j1.sqlite-shm ]
result $? /sweep/same/one-file "$(ls)"

"$program" run $good -n 2x2 --set network/startup=10us --set network/nodes/speed=2 -q --db run.sqlite --per-processor
point=$(sqlite3 j1.sqlite "SELECT point FROM points WHERE procs = '2x2' AND abs (\"network/startup\" - 1e-5) < 1e-12 AND \"network/nodes/speed\" = 2")
sqlite3 run.sqlite "SELECT execution_time, lost_time, idle, communication, productive_time, exe_count FROM interval ORDER BY node" >a
sqlite3 j1.sqlite "SELECT execution_time, lost_time, idle, communication, productive_time, exe_count FROM result WHERE point = $point ORDER BY node" >b
[ -s a ] && cmp -s a b
result $? /sweep/same/as-run "$(diff a b | head -n 5)"
sqlite3 run.sqlite "SELECT node, processor, execution_time_ps, idle_ps FROM processor ORDER BY 1, 2" >a
sqlite3 j1.sqlite "SELECT node, processor, execution_time_ps, idle_ps FROM processor_value WHERE point = $point ORDER BY 1, 2" >b
[ -s a ] && cmp -s a b
result $? /sweep/same/as-run-processors "$(diff a b | head -n 5)"
sqlite3 run.sqlite "SELECT type, file, line, idx, name, depth FROM interval ORDER BY node" >a
sqlite3 j1.sqlite "SELECT type, file, line, idx, name, depth FROM result JOIN interval ON id = interval WHERE point = $point ORDER BY node" >b
cmp -s a b
result $? /sweep/same/as-run-intervals "$(diff a b | head -n 5)"

# ---- as a file, as a list, in shards

"$program" sweep $good $axes --per-processor --dry-run >study.xml && "$program" sweep study.xml -q --db file.sqlite \
  && sqlite3 file.sqlite "UPDATE study SET command_line = NULL" && dump_study file.sqlite >file.dump
cmp -s j1.dump file.dump
result $? /sweep/file/same "$(diff j1.dump file.dump | head -n 5)"
for s in 1 2 3; do
  "$program" sweep study.xml --shard $s/3 -q --db shard$s.sqlite
done
{ for s in 1 2 3; do sqlite3 shard$s.sqlite "SELECT * FROM result"; done; } | sort >a
sqlite3 j1.sqlite "SELECT * FROM result" | sort >b
cmp -s a b
result $? /sweep/file/shards "$(diff a b | head -n 5)"
"$program" sweep study.xml --shard 2/3 -q --db shard1.sqlite 2>stderr
[ $? = 1 ] && grep -q '1 of 3' stderr
result $? /sweep/file/other-shard "$(cat stderr)"
cat >list.csv <<'END'
procs,machine,network/startup
2,"ethernet:startup=9us,per-byte=1ns",1us
2x2,example-cluster.xml,2us
END
"$program" sweep heat.ptr.gz --list list.csv -q --db list.sqlite
[ "$(sqlite3 list.sqlite 'SELECT procs, machine, "network/startup" FROM points WHERE status = '"'done'")" = '2|ethernet:startup=9us,per-byte=1ns|1.0e-06
2x2|example-cluster.xml|2.0e-06' ]
result $? /sweep/list/points "$(sqlite3 list.sqlite 'SELECT * FROM points')"
"$program" sweep heat.ptr.gz --list - -q --db list2.sqlite <list.csv && [ "$(sqlite3 list2.sqlite 'SELECT count(*) FROM point')" = 2 ]
result $? /sweep/list/stdin
"$program" sweep heat.ptr.gz --list list.csv --dry-run >list.xml && "$program" sweep $good --vary network/startup=1us:9us:log \
  --vary procs=all:4 --sample sobol:20:3 --dry-run >sample.xml && "$program" sweep sample.xml --dry-run | cmp -s - sample.xml
result $? /sweep/file/sample "$(cat sample.xml)"
if command -v xmllint >/dev/null; then
  xmllint --noout --relaxng "$schema" study.xml list.xml sample.xml 2>stderr
  result $? /sweep/file/schema "$(cat stderr)"
else
  skip /sweep/file/schema "xmllint is absent"
fi

# ---- several traces, several files of one run

"$program" sweep heat.ptr.gz np2 ring.ti -m example-cluster.xml --vary cpu-ratio=1,2 -q --db traces.sqlite
[ "$(sqlite3 traces.sqlite "SELECT trace, \"cpu-ratio\", processors FROM points WHERE status = 'done'" | tr '\n' ' ')" \
  = 'heat.ptr.gz|1.0|1 heat.ptr.gz|2.0|1 np2|1.0|2 np2|2.0|2 ring.ti|1.0|4 ring.ti|2.0|4 ' ]
result $? /sweep/traces "$(sqlite3 traces.sqlite 'SELECT * FROM points')"
# against the fewest ranks at the same cpu-ratio, in the order of points
"$program" report traces.sqlite --no-plot --all >a
awk '$1 ~ /^[0-5]$/ && !seen[$1]++ { print $1, $2, $4, $6 == 1 }' a | LC_ALL=C sort >b
printf '%s\n' '0 heat.ptr.gz 1 1' '1 heat.ptr.gz 1 1' '2 np2 2 0' '3 np2 2 0' '4 ring.ti 4 0' '5 ring.ti 4 0' | cmp -s - b
result $? /sweep/traces/ranks "$(cat a)"
sqlite3 traces.sqlite 'SELECT name FROM input ORDER BY name' >a
printf '%s\n' example-cluster.xml heat.ptr.gz "$(ls -d np2/* | head -n 1)" "$(ls -d np2/* | tail -n 1)" ring.ti >b
cmp -s a b
result $? /sweep/inputs "$(cat a)"
sed 's/startup="[^"]*"/startup="33us"/' example-cluster.xml >changed.xml && cp example-cluster.xml kept.xml
"$program" sweep $good $vary -q --db machine.sqlite && cp changed.xml example-cluster.xml
"$program" sweep $good $vary -q --db machine.sqlite 2>stderr
[ $? = 1 ] && grep -q "'example-cluster.xml' has changed" stderr
result $? /sweep/inputs-changed "$(cat stderr)"
cp kept.xml example-cluster.xml
# while it is computed
"$program" sweep $good -n 4 --vary network/startup=1us:100us:log1500 -j 1 -q --db while.sqlite 2>stderr &
pid=$!
tries=0
until [ "$(sqlite3 while.sqlite 'SELECT count (*) FROM point' 2>/dev/null)" -ge 1 ] 2>/dev/null || [ $tries -ge 500 ]; do
  sleep 0.01
  tries=$((tries + 1))
done
cp changed.xml example-cluster.xml
wait $pid
[ $? = 1 ] && grep -q "'example-cluster.xml' has changed while" stderr
result $? /sweep/inputs-changed/meanwhile "$(cat stderr)"
cp kept.xml example-cluster.xml
# lists of detours that only some points have
detours () {
  printf 'measured 60s\n1.5us %s\nend\n' $2 >"$1"
}
for kind in none trace; do
  sed "s#</machine>#<noise kind=\"$kind\" file=\"own.txt\"/></machine>#" example-cluster.xml >$kind.xml
done
noise () {
  "$program" sweep ring.ti -m $1.xml --vary $2 -q --db noise-$1.sqlite 2>stderr
}
for list in own one two; do detours $list.txt 600; done
noise none noise/kind=none,trace && noise trace noise/file=one.txt,two.txt
result $? /sweep/noise "$(cat stderr)"
[ "$(sqlite3 noise-trace.sqlite "SELECT name FROM input WHERE name LIKE '%.txt'" | tr '\n' ' ')" = 'one.txt own.txt two.txt ' ]
result $? /sweep/noise/inputs "$(sqlite3 noise-trace.sqlite 'SELECT * FROM input')"
detours own.txt 700 && detours two.txt 700
noise none noise/kind=none,trace
[ $? = 1 ] && grep -q "'own.txt' has changed" stderr
result $? /sweep/noise/kind-changed "$(cat stderr)"
detours own.txt 600
noise trace noise/file=one.txt,two.txt
[ $? = 1 ] && grep -q "'two.txt' has changed" stderr
result $? /sweep/noise/file-changed "$(cat stderr)"

# ---- points that fail

"$program" sweep exchange.ti -m ethernet:startup=50us,per-byte=8ns --vary network/eager=1KiB,1MB -q --db deadlock.sqlite
[ $? = 0 ] && [ "$(sqlite3 deadlock.sqlite "SELECT status, message <> '' FROM point" | tr '\n' ' ')" = 'deadlock|1 done|0 ' ]
result $? /sweep/fail/deadlock "$(sqlite3 deadlock.sqlite 'SELECT * FROM point')"
"$program" sweep heat.ptr.gz -m two-cores.xml -n 1,2,8 -q --db size.sqlite
[ $? = 0 ] && [ "$(sqlite3 size.sqlite 'SELECT status FROM point' | tr '\n' ' ')" = 'done done failed ' ]
result $? /sweep/fail/too-few-processors "$(sqlite3 size.sqlite 'SELECT * FROM point')"
"$program" sweep $good --vary network/startup=2us,fast,-1us --vary map=block,zigzag -q --db value.sqlite
[ $? = 0 ] && [ "$(sqlite3 value.sqlite 'SELECT status FROM point' | tr '\n' ' ')" = 'done failed failed failed failed failed ' ]
result $? /sweep/fail/values "$(sqlite3 value.sqlite 'SELECT * FROM point')"
"$program" sweep $good $vary --vary map=block,nowhere --db why.sqlite >stdout 2>stderr
[ $? = 0 ] && grep -q "^without a result: point 1, failed: .*'nowhere'" stdout && [ "$(grep -c 'without' stdout)" = 1 ]
result $? /sweep/fail/told "$(cat stdout stderr)"
"$program" sweep ring.ti -m example-cluster.xml -n 2,4,2x2 -q --db counts.sqlite
[ $? = 0 ] && [ "$(sqlite3 counts.sqlite 'SELECT status FROM point' | tr '\n' ' ')" = 'failed done failed ' ]
result $? /sweep/fail/counts "$(sqlite3 counts.sqlite 'SELECT * FROM point')"
"$program" sweep cut.ptr -m example-cluster.xml -n 1,2 -q --db cut.sqlite
[ $? = 4 ] && [ "$(sqlite3 cut.sqlite 'SELECT status FROM point' | tr '\n' ' ')" = 'incomplete incomplete ' ]
result $? /sweep/fail/incomplete "$(sqlite3 cut.sqlite 'SELECT * FROM point')"
"$program" sweep ring.ti -m example-cluster.xml --vary collectives/allreduce=ring,nonsense -q --db algorithm.sqlite
[ "$(sqlite3 algorithm.sqlite 'SELECT status FROM point' | tr '\n' ' ')" = 'done failed ' ]
result $? /sweep/fail/algorithm "$(sqlite3 algorithm.sqlite 'SELECT * FROM point')"
"$program" sweep ring.ti -m example-cluster.xml --vary rts/Msk3=0,3 -q --db rts.sqlite
[ "$(sqlite3 rts.sqlite 'SELECT count (*) FROM point WHERE status = '"'failed'")" = 2 ]
result $? /sweep/fail/dvm-parameter "$(sqlite3 rts.sqlite 'SELECT * FROM point')"

# ---- interruption: what was finished is there, and the same command goes on

many="$good -n 1:16:x2 --vary network/startup=1us:100us:log40 --vary network/per-byte=1ns:10ns:log5"
most="$good -n 1:16:x2 --vary network/startup=1us:100us:log400 --vary network/per-byte=1ns:10ns:log5" # takes seconds
"$program" sweep $most -j 2 --db stop.sqlite >stdout 2>stderr &
pid=$!
until [ "$(sqlite3 stop.sqlite 'SELECT count (*) FROM point' 2>/dev/null || echo 0)" -ge 20 ] || ! kill -0 $pid 2>/dev/null; do
  sleep 0.05
done
kill -INT $pid
wait $pid
status=$?
done=$(sqlite3 stop.sqlite 'SELECT count(*) FROM point')
[ $status = 130 ] && [ "$done" -gt 0 ] && [ "$done" -lt 10000 ] && [ ! -s stderr ]
result $? /sweep/interrupt/status "status $status, $done points: $(cat stderr)"
"$program" sweep $most -j 2 --db stop.sqlite >stdout 2>stderr
[ $? = 0 ] && grep -q '10000 of 10000 points: 10000 done' stdout && "$program" sweep $most -q --db whole.sqlite
dump_study stop.sqlite >a
dump_study whole.sqlite >b
sed -i /sqlite/d a b
cmp -s a b
result $? /sweep/interrupt/continued "$(cat stdout stderr)"

# ---- disks: too small, and read-only

(
  ulimit -f 300
  "$program" sweep $many -j 2 --db full.sqlite >stdout 2>stderr
)
status=$?
[ $status = 1 ] && [ "$(grep -c '' stderr)" = 1 ] && grep -q 'continues from there' stderr \
  && [ "$(sqlite3 full.sqlite 'PRAGMA integrity_check')" = ok ]
result $? /sweep/disk/full "status $status: $(cat stderr)"
"$program" sweep $many -q --db all.sqlite && dump_study all.sqlite | sed /sqlite/d >b
"$program" sweep $many -j 2 -q --db full.sqlite && dump_study full.sqlite | sed /sqlite/d | cmp -s - b
result $? /sweep/disk/full-continued "$(sqlite3 full.sqlite 'SELECT status, count (*) FROM point GROUP BY 1')"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  as="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
  as=
fi
# the other user may not be let into the folder of the build
chmod 755 . && cp "$program" predictor-of-all && mkdir locked && cp study.sqlite locked/ && chmod 555 locked && chmod 444 locked/study.sqlite
for file in locked/study.sqlite locked/new.sqlite; do
  $as "$PWD/predictor-of-all" sweep $good --vary network/startup=1us,3us --db $file >stdout 2>stderr
  status=$?
  [ $status = 1 ] && [ "$(grep -c '' stderr)" = 1 ] && grep -q "'$file'" stderr && cmp -s study.sqlite locked/study.sqlite
  result $? "/sweep/disk/read-only/${file#*/}" "status $status: $(cat stderr)"
done
chmod 755 locked
"$program" sweep $good $vary --db nowhere/out.sqlite >stdout 2>stderr
[ $? = 1 ] && [ "$(grep -c '' stderr)" = 1 ]
result $? /sweep/disk/no-folder "$(cat stderr)"

# ---- progress, on a terminal only

if command -v script >/dev/null; then
  script -qec "$program sweep $good -n 16x16 --vary network/startup=1us:100us:log200 -j 1 --db terminal.sqlite" /dev/null >stdout 2>&1 </dev/null
  grep -q '/200, .* points/s, .* s left, best' stdout
  result $? /sweep/progress/terminal "$(head -c 500 stdout)"
else
  skip /sweep/progress/terminal "script is absent"
fi
"$program" sweep $good $axes --db quiet.sqlite >stdout 2>stderr
[ ! -s stderr ] && [ "$(grep -c '' stdout)" = 2 ] && grep -q '^least execution time: .*, point .*: procs=' stdout
result $? /sweep/progress/no-terminal "$(cat stdout stderr)"

tap_done
