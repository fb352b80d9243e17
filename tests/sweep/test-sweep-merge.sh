#!/bin/sh
# predictor sweep --merge: files of parts become the file of the whole, what is not
# the same is refused, what is missing is told; nothing is lost on an error.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
. tests/support/study.sh
area=/sweep/merge
cp tests/data/heat2d_600.ptr.gz "$scratch/heat.ptr.gz"
cp machines/example-cluster.xml "$scratch"
cd "$scratch" || exit 1

study="heat.ptr.gz -m example-cluster.xml -n 1,4 --vary network/startup=1us:100us:log6 --per-processor"
"$program" sweep $study -q -j 2 --db whole.sqlite
dump_study whole.sqlite >whole
for i in 1 2 3; do
  "$program" sweep $study -q -j 1 --shard $i/3 --db part$i.sqlite
done
"$program" sweep $study -q -j 1 --shard 1/2 --db half1.sqlite
"$program" sweep heat.ptr.gz -m example-cluster.xml -n 1,4 --vary network/startup=1us:100us:log7 --per-processor -q --shard 1/3 --db other.sqlite

merge () { "$program" sweep --merge "$@"; }

# is_whole NAME: out.sqlite has all rows, and nothing else is left behind
is_whole () {
  dump_study out.sqlite >out
  [ "$(sqlite3 out.sqlite 'SELECT shard, shards FROM study')" = '1|1' ] && [ "$(ls -d out.sqlite*)" = out.sqlite ] && cmp -s whole out
  result $? "/sweep/merge/$1" "$(ls -d out.sqlite*; diff whole out | head -n 5)"
}

gives parts 0 merge out.sqlite part3.sqlite part1.sqlite part2.sqlite
is_whole parts/rows
head -n 1 stdout | grep -q '^out.sqlite: 12 of 12 points: 12 done$' && ! grep -q missing stdout
result $? /sweep/merge/parts/told "$(cat stdout)"
gives again 0 merge out.sqlite part2.sqlite
is_whole again/rows
grep -q '^4 were in more than one file' stdout
result $? /sweep/merge/again/told "$(cat stdout)"
[ "$(sqlite3 out.sqlite 'SELECT count (*) FROM work')" = 12 ]
result $? /sweep/merge/work


# who reads the target meanwhile keeps its log: here one with pages that are no longer right
cp part1.sqlite out.sqlite
mkfifo statements
sqlite3 out.sqlite <statements >reader 2>&1 &
exec 3>statements
echo 'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
  CREATE TABLE other AS SELECT * FROM result, axis_value; DROP TABLE other;
  BEGIN; SELECT count (*) FROM point;' >&3
tries=0
while [ "$(tail -n 1 reader)" != 4 ] && [ $tries -lt 1000 ]; do
  sleep 0.01
  tries=$((tries + 1))
done
cp out.sqlite-wal log && [ -s log ]
result $? /sweep/merge/read/begun "$(cat reader)"
gives read 0 merge out.sqlite part2.sqlite part3.sqlite
echo 'SELECT count (*) + 100 FROM point; COMMIT; SELECT count (*) + 200 FROM point;' >&3
exec 3>&-
wait
[ "$(tail -n 2 reader)" = "$(printf '104\n212')" ]
result $? /sweep/merge/read/reader "$(cat reader)"
[ "$(sqlite3 out.sqlite 'PRAGMA integrity_check; PRAGMA journal_mode = DELETE')" = "$(printf 'ok\ndelete')" ]
result $? /sweep/merge/read/sound "$(sqlite3 out.sqlite 'PRAGMA integrity_check' 2>&1 | head -n 5)"
is_whole read/rows
# the log of a file that was removed
rm out.sqlite
cp log out.sqlite-wal
gives left-log 0 merge out.sqlite part1.sqlite part2.sqlite part3.sqlite
is_whole left-log/rows

for option in '-m x' '-n 2' '--sample sobol:5' '--list x' '--per-processor' '-j 2' '--shard 1/2' '--dry-run'; do
  gives "options$(printf '%s' "$option" | tr -c 'a-z0-9\n' -)" 2 merge out.sqlite part1.sqlite $option
done

rm out.sqlite
gives missing 4 merge out.sqlite part1.sqlite part3.sqlite
grep -q '^missing: 1, 4, 7, 10$' stdout && head -n 1 stdout | grep -q ' 8 of 12 '
result $? /sweep/merge/missing/told "$(cat stdout)"
gives overlap 4 merge out.sqlite part1.sqlite half1.sqlite
grep -q '^missing: 1, 7$' stdout && grep -q '^8 were in more than one file' stdout
result $? /sweep/merge/overlap/told "$(cat stdout)"
"$program" sweep $study -q --db out.sqlite
result $? /sweep/merge/continued
is_whole continued/rows
rm out.sqlite
gives quiet 4 merge out.sqlite -q part1.sqlite
[ ! -s stdout ]
result $? /sweep/merge/quiet/nothing "$(cat stdout)"

# ---- a folder of parts, more than fit into a command line, also beside others

mkdir parts
cp part1.sqlite part2.sqlite part3.sqlite parts
: >parts/part4.sqlite
echo text >parts/part1.log
rm -f out.sqlite
gives folder 0 merge out.sqlite parts
is_whole folder/rows
rm out.sqlite
rm parts/part3.sqlite
gives folder-and-file 0 merge out.sqlite parts half1.sqlite part3.sqlite part1.sqlite ./parts/../part1.sqlite
is_whole folder-and-file/rows
mkdir many
i=0
while [ $i -lt 3000 ]; do
  i=$((i + 1))
  : >"many/$(printf '%0200d' $i).sqlite"
done
cp part1.sqlite part2.sqlite part3.sqlite many
rm out.sqlite
(ulimit -s 1024; "$program" sweep --merge out.sqlite many >stdout 2>stderr)
result $? /sweep/merge/folder/many "$(cat stderr)"
is_whole folder/many/rows
rm -r many
rm out.sqlite

# ---- a part that was killed before it began has no points

: >empty.sqlite
gives empty 4 merge out.sqlite empty.sqlite part1.sqlite part2.sqlite
grep -q '^missing: 2, 5, 8, 11$' stdout
result $? /sweep/merge/empty/told "$(cat stdout)"

# ---- a part that another process is adding to, or that was killed: what it has is taken

cp part1.sqlite wal.sqlite
rm out.sqlite
printf 'PRAGMA journal_mode = WAL;\nBEGIN;\nDELETE FROM work;\n.shell touch ready\n.shell sleep 3\n' | sqlite3 wal.sqlite >log 2>&1 &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10; do [ -e ready ] || sleep 0.2; done
gives while-open 0 merge out.sqlite wal.sqlite part2.sqlite part3.sqlite
is_whole while-open/rows
wait $pid

# ---- wrong ones: one line that says which, and the file is as before

# merge_kept FILES...: out.sqlite is as before
merge_kept () {
  merge "$@"
  merged=$?
  dump_study out.sqlite >out
  cmp whole out >&2
  return $merged
}

# edited NAME SQL: a part that is not what it was
edited () {
  cp part1.sqlite "$1" && sqlite3 "$1" "$2"
}

refused bad/nothing 2 'expected' merge_kept out.sqlite
refused bad/all-empty 1 'no study' merge_kept new.sqlite empty.sqlite
refused bad/absent 1 absent.sqlite merge_kept out.sqlite part1.sqlite absent.sqlite
refused bad/other-study 1 "'network/startup'" merge_kept out.sqlite part1.sqlite other.sqlite
refused bad/other-study-new 1 "'network/startup'" merge_kept new.sqlite part1.sqlite other.sqlite
mkdir empty
refused bad/folder-empty 1 "'empty'" merge_kept out.sqlite part1.sqlite empty
mkfifo fifo
refused bad/fifo 1 "'fifo': expected a regular file" merge_kept out.sqlite part1.sqlite fifo
refused bad/trace 1 heat.ptr.gz merge_kept new.sqlite part1.sqlite heat.ptr.gz
refused bad/with-axes 2 merge merge_kept out.sqlite part1.sqlite --vary procs=1,2
refused bad/with-db 2 merge merge_kept out.sqlite part1.sqlite --db x.sqlite
refused bad/with-slurm 2 merge merge_kept out.sqlite part1.sqlite --slurm 2
edited result.sqlite 'UPDATE result SET execution_time_ps = execution_time_ps + 1 WHERE point = 6 AND node = 1'
refused bad/result 1 'point 6 ' merge_kept out.sqlite result.sqlite
refused bad/result-new 1 'point 6 ' merge_kept new.sqlite part1.sqlite result.sqlite
edited status.sqlite "UPDATE point SET status = 'crashed' WHERE number = 3"
refused bad/status 1 'point 3 ' merge_kept out.sqlite status.sqlite
edited row.sqlite 'DELETE FROM processor_value WHERE point = 9 AND node = 0 AND processor = 1'
refused bad/row 1 'point 9 ' merge_kept out.sqlite row.sqlite
edited figure.sqlite "UPDATE figure SET value = 7 WHERE point = 0 AND name = 'messages'"
refused bad/figure 1 'point 0 ' merge_kept out.sqlite figure.sqlite
edited input.sqlite "UPDATE input SET sha256 = 'x' WHERE name = 'heat.ptr.gz'"
refused bad/input 1 'heat.ptr.gz' merge_kept out.sqlite input.sqlite
edited version.sqlite "UPDATE study SET program_version = '0'"
refused bad/version 1 'version' merge_kept out.sqlite version.sqlite
edited number.sqlite 'INSERT INTO point VALUES (12, '"'failed', '')"
refused bad/number 1 'no point 12' merge_kept out.sqlite number.sqlite
edited interval.sqlite 'UPDATE interval SET line = line + 1 WHERE depth > 0'
refused bad/interval 1 'interval' merge_kept out.sqlite interval.sqlite
edited tables.sqlite 'DROP TABLE warning'
refused bad/tables 1 'tables.sqlite' merge_kept out.sqlite tables.sqlite
head -c 9000 part1.sqlite >cut.sqlite
refused bad/cut 1 'cut.sqlite' merge_kept new.sqlite part2.sqlite cut.sqlite
if command -v flock >/dev/null; then
  flock out.sqlite "$program" sweep --merge out.sqlite part1.sqlite >stdout 2>stderr
  [ $? = 1 ] && grep -q 'a sweep is adding to it' stderr
  result $? /sweep/merge/bad/in-use "$(cat stderr)"
else
  skip /sweep/merge/bad/in-use "flock is absent"
fi
"$program" run heat.ptr.gz -q --db results.sqlite && cp results.sqlite kept
refused bad/results 1 results.sqlite merge_kept out.sqlite results.sqlite
"$program" sweep --merge results.sqlite part1.sqlite >stdout 2>stderr
[ $? = 1 ] && cmp -s results.sqlite kept
result $? /sweep/merge/bad/foreign-target "$(cat stderr)"
"$program" sweep --merge nowhere/out.sqlite part1.sqlite >stdout 2>stderr
[ $? = 1 ] && [ "$(grep -c '' stderr)" = 1 ]
result $? /sweep/merge/bad/no-folder "$(cat stderr)"
(
  ulimit -f 100
  "$program" sweep --merge out.sqlite part1.sqlite part2.sqlite >stdout 2>stderr
)
status=$?
dump_study out.sqlite >out
[ $status = 1 ] && [ "$(grep -c '' stderr)" = 1 ] && cmp -s whole out && [ "$(ls -d out.sqlite*)" = out.sqlite ]
result $? /sweep/merge/bad/full-disk "status $status: $(cat stderr) $(ls -d out.sqlite*)"

tap_done
