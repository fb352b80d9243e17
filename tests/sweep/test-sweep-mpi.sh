#!/bin/sh
# predictor-mpi sweep under each MPI that is there: the rows of predictor sweep, errors
# once, ranks that die, interruption.
# SPDX-License-Identifier: MIT
set -u
. tests/support/mpi.sh
. "$root/tests/support/study.sh"
# what MPIs do not free is theirs
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
cp "$root/tests/data/heat2d_600.ptr.gz" heat.ptr.gz
cp "$root/tests/data/ring.ti" "$root/tests/data/exchange.ti" "$root/machines/example-cluster.xml" .

# points of very different costs, some of which fail
axes="--vary network/startup=1us:100us:log10 --vary map=block,zigzag -m example-cluster.xml"
"$program" sweep heat.ptr.gz ring.ti -n 4 $axes --per-processor --dry-run >study.xml
"$program" sweep study.xml -q -j 2 --db whole.sqlite
dump_study whole.sqlite >whole
[ "$(sqlite3 whole.sqlite "SELECT status, count (*) FROM point GROUP BY 1" | tr '\n' ' ')" = 'done|20 failed|20 ' ]
result $? /sweep-mpi/points "$(sqlite3 whole.sqlite 'SELECT status, count (*) FROM point GROUP BY 1')"
# long enough to be hit in the middle
total=300
many="heat.ptr.gz -m example-cluster.xml -n 64,512 --vary network/startup=1us:100us:log30 --vary network/per-byte=1ns:10ns:log5"
"$program" sweep $many -q -j 2 --db many.sqlite
dump_study many.sqlite >many

# mpi RANKS WORDS...: under $mpi; status, stdout and stderr
mpi () {
  ranks=$1
  shift
  timeout 600 "mpiexec.$mpi" -n "$ranks" "$build/predictor/predictor-mpi.$mpi" "$@" >stdout 2>stderr </dev/null
  status=$?
}

# same NAME FILE ROWS: the file has these rows
same () {
  dump_study "$2" >found
  cmp -s "$3" found && [ "$(ls -d "$2"*)" = "$2" ]
  result $? "/sweep-mpi/$mpi/$1" "$(ls; diff "$3" found | head -n 5)"
}

# bad NAME STATUS WORD WORDS...: one line that contains WORD, and one that helps, no file
bad () {
  name=$1 expected=$2 word=$3
  shift 3
  mpi 3 sweep "$@" --db bad.sqlite
  [ $status = "$expected" ] && [ "$(grep -c '^predictor-mpi' stderr)" = 1 ] && grep -q "^predictor-mpi sweep: .*$word" stderr \
    && [ "$(grep -c "^Try 'predictor-mpi sweep --help'\.$" stderr)" = $((expected == 2)) ] && [ ! -s stdout ] && [ ! -e bad.sqlite ]
  result $? "/sweep-mpi/$mpi/bad/$name" "status $status: $(cat stdout stderr)"
}

test_rows () {
  for n in 1 2 4; do
    rm -f out.sqlite
    mpi $n sweep study.xml --db out.sqlite
    [ $status = 0 ] && grep -q '^out.sqlite: 40 of 40 points: 20 done, 20 failed$' stdout && [ "$(grep -c '' stdout)" = 3 ] \
      && grep -q '^without a result: point [0-9]*, failed: ' stdout
    result $? "/sweep-mpi/$mpi/ranks-$n" "status $status: $(cat stdout stderr)"
    same ranks-$n/rows out.sqlite whole
  done
  sqlite3 out.sqlite 'SELECT command_line FROM study' | grep -qx 'predictor-mpi sweep study.xml --db out.sqlite'
  result $? "/sweep-mpi/$mpi/command-line" "$(sqlite3 out.sqlite 'SELECT command_line FROM study')"
  mpi 2 sweep study.xml --db out.sqlite
  [ $status = 0 ] && grep -q '40 of 40' stdout
  result $? "/sweep-mpi/$mpi/again" "status $status: $(cat stdout stderr)"
  rm -f a.sqlite b.sqlite c.sqlite
  mpi 2 sweep study.xml --shard 1/2 --db a.sqlite
  "$program" sweep study.xml -q --shard 2/2 --db b.sqlite && "$program" sweep -q --merge c.sqlite a.sqlite b.sqlite
  same shards c.sqlite whole
  (unset SOURCE_DATE_EPOCH; mpi 3 sweep study.xml -q --db d.sqlite)
  [ "$(sqlite3 d.sqlite "SELECT count (*) FROM work WHERE host <> '' AND seconds >= 0 AND finished > 0")" = 40 ]
  result $? "/sweep-mpi/$mpi/work" "$(sqlite3 d.sqlite 'SELECT * FROM work' | head -n 5)"
}

test_bad () {
  bad no-axes 1 'no axes' heat.ptr.gz
  bad machine 1 'nowhere' heat.ptr.gz -n 1,2 -m nowhere
  bad trace 1 'absent.ptr' absent.ptr -n 1,2
  bad points 1 '1000000000000 points' heat.ptr.gz -m example-cluster.xml --vary network/startup=1us:2us:lin1000000 --vary network/per-byte=1ns:2ns:lin1000000
  bad option 2 'frobnicate' study.xml --frobnicate
  bad jobs 2 'Unknown option -j' study.xml -j 2
  bad shard 2 "'3/2'" study.xml --shard 3/2
  cp ring.ti text.sqlite
  mpi 3 sweep study.xml --db text.sqlite
  [ $status = 1 ] && [ "$(grep -c '^predictor-mpi' stderr)" = 1 ] && cmp -s ring.ti text.sqlite
  result $? "/sweep-mpi/$mpi/bad/db" "status $status: $(cat stderr)"
  mpi 2 frobnicate
  [ $status = 2 ] && grep -q "^predictor-mpi: unknown command 'frobnicate'$" stderr
  result $? "/sweep-mpi/$mpi/bad/command" "status $status: $(cat stderr)"
  mpi 3 sweep --help
  [ $status = 0 ] && [ "$(grep -c '^Usage:' stdout)" = 1 ]
  result $? "/sweep-mpi/$mpi/help" "status $status: $(cat stdout stderr)"
  "$build/predictor/predictor-mpi.$mpi" sweep study.xml -q --db alone.sqlite >stdout 2>stderr
  result $? "/sweep-mpi/$mpi/without-mpiexec" "$(cat stdout stderr)"
  same without-mpiexec/rows alone.sqlite whole
  rm alone.sqlite
}

# The user's data server, if there is one.
test_server () {
  "$program" serve --background --socket server heat.ptr.gz . >out 2>&1
  (export PREDICTOR_SERVER="$scratch/server"; mpi 3 sweep study.xml --db served.sqlite; echo $status >told)
  [ "$(cat told)" = 0 ] && [ ! -s stderr ]
  result $? "/sweep-mpi/$mpi/server" "status $(cat told out stdout stderr)"
  same server/rows served.sqlite whole
  # the second one was not parsed before a rank asked for it
  "$program" serve --socket server --status >out 2>&1
  grep -q '/heat.ptr.gz: calls, ' out && grep -q '/ring.ti: program, ' out
  result $? "/sweep-mpi/$mpi/server/used" "$(cat out)"
  "$program" serve --socket server --stop
  (export PREDICTOR_SERVER="$scratch/none"; mpi 3 sweep study.xml --db alone.sqlite; echo $status >told)
  [ "$(cat told)" = 0 ] && [ "$(grep -c '^predictor-mpi: no data server' stderr)" = 1 ]
  result $? "/sweep-mpi/$mpi/server/absent" "status $(cat told stdout stderr)"
  same server/absent/rows alone.sqlite whole
  rm served.sqlite alone.sqlite
}

# elsewhere NAME STATUS WORD: rank 2 sees the folder "elsewhere" instead, as on another machine
elsewhere () {
  rm -f out.sqlite
  timeout 600 "mpiexec.$mpi" -n 3 sh ./view.sh "$build/predictor/predictor-mpi.$mpi" sweep study.xml --db "$scratch/out.sqlite" \
    >stdout 2>stderr </dev/null
  status=$?
  [ $status = "$2" ] && { [ "$2" = 0 ] || [ "$(grep -c '^predictor-mpi sweep: host [^ ]*: ' stderr)" = 1 ]; } && grep -q -- "$3" stdout stderr
  result $? "/sweep-mpi/$mpi/elsewhere/$1" "status $status: $(cat stdout stderr)"
}

# Ranks with files of their own: those of the same contents will do.
test_elsewhere () {
  mkdir elsewhere
  cat >view.sh <<'END'
[ "${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-}}" != 2 ] || cd elsewhere || exit 1
exec "$@"
END
  cp heat.ptr.gz ring.ti example-cluster.xml elsewhere
  elsewhere same 0 '40 of 40 points'
  same elsewhere/same/rows out.sqlite whole
  sed '$d' ring.ti >elsewhere/ring.ti
  elsewhere trace 1 "'ring.ti' is another file there"
  # what was finished before is of the right files
  mpi 2 sweep study.xml -q --db out.sqlite
  same elsewhere/trace/rows out.sqlite whole
  cp ring.ti elsewhere
  echo '<!-- -->' >>elsewhere/example-cluster.xml
  elsewhere machine 1 "'example-cluster.xml' is another file there"
  cp example-cluster.xml elsewhere
  rm elsewhere/heat.ptr.gz
  elsewhere absent 1 "cannot read 'heat.ptr.gz'"
  rm -r elsewhere out.sqlite
}

# The processes of the program that has the file $1, coordinator first.
ranks_of () {
  for command in /proc/[0-9]*/cmdline; do
    cat "$command" 2>/dev/null | tr '\0' ' ' | grep -q "^[^ ]*predictor-mpi.$mpi sweep .*$1 *$" && basename "$(dirname "$command")"
  done | sort -n
}

# until_begun FILE: some points are in it
until_begun () {
  for i in $(seq 200); do
    n=$(sqlite3 "$1" 'SELECT count (*) FROM point' 2>/dev/null || echo 0)
    [ "${n:-0}" -lt 5 ] || return 0
    sleep 0.05
  done
  return 1
}

# dies SIGNAL FILE: one of the workers, in the middle
dies () {
  timeout 600 "mpiexec.$mpi" -n 3 "$build/predictor/predictor-mpi.$mpi" sweep $many --db "$scratch/$2" >stdout 2>stderr </dev/null &
  pid=$!
  until_begun "$2"
  victim=$(ranks_of "$scratch/$2" | tail -n 1)
  kill "-$1" "$victim"
  wait $pid
  status=$?
  done=$(sqlite3 "$2" "SELECT count (*) FROM point")
  [ -n "$victim" ] && [ $status != 0 ] && [ "$done" -ge 5 ] && [ "$done" -lt $total ] && [ "$(sqlite3 "$2" 'PRAGMA integrity_check')" = ok ]
  result $? "/sweep-mpi/$mpi/dies/$1" "status $status, $done points: $(cat stdout stderr)"
}

test_deaths () {
  dies KILL killed.sqlite
  mpi 2 sweep $many --db "$scratch/killed.sqlite"
  [ $status = 0 ] && grep -q "$total of $total points" stdout
  result $? "/sweep-mpi/$mpi/dies/continued" "status $status: $(cat stdout stderr)"
  same dies/rows killed.sqlite many
  dies SEGV crashed.sqlite
  grep -aq '^predictor-mpi sweep: rank [12] died\( while it computed point [0-9]*\)\{0,1\}, ' stderr
  result $? "/sweep-mpi/$mpi/dies/told" "$(cat stderr)"
}

# Rank 0 hears of it, and ends all in order.
test_interrupt () {
  for signal in INT TERM HUP; do
    rm -f stop.sqlite*
    timeout 600 "mpiexec.$mpi" -n 3 "$build/predictor/predictor-mpi.$mpi" sweep $many --db "$scratch/stop.sqlite" >stdout 2>stderr </dev/null &
    pid=$!
    until_begun stop.sqlite
    kill -$signal $(ranks_of "$scratch/stop.sqlite")
    wait $pid
    status=$?
    done=$(sqlite3 stop.sqlite 'SELECT count (*) FROM point')
    [ $status = 130 ] && [ "$done" -ge 5 ] && [ "$done" -lt $total ] && grep -q "stop.sqlite: $done of $total points" stdout && [ ! -e stop.sqlite-wal ]
    result $? "/sweep-mpi/$mpi/interrupt/$signal" "status $status, $done points: $(cat stdout stderr)"
  done
}

found=
for mpi in $mpis; do
  [ -x "$build/predictor/predictor-mpi.$mpi" ] || continue
  found=1
  test_rows
  test_bad
  test_server
  test_elsewhere
  test_deaths
  test_interrupt
  rm -f ./*out.sqlite ./[a-d].sqlite killed.sqlite crashed.sqlite stop.sqlite ./*-wal ./*-shm
done
[ -n "$found" ] || skip /sweep-mpi "there is no MPI"

tap_done
