#!/bin/sh
# predictor serve from outside: reports are the same with and without it, signals end it
# cleanly, killed ones are replaced, and sweeps whose server is killed give the same rows.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
. tests/support/study.sh
area=/serve
trap '"$program" serve --socket "$scratch/server" --stop 2>/dev/null; rm -rf "$scratch"' EXIT
export XDG_RUNTIME_DIR="$scratch/runtime"
mkdir -m 700 "$scratch/runtime"
cp tests/data/heat2d_600.ptr.gz tests/data/gauss_240.ptr.gz tests/data/small.ptr tests/data/ring.ti tests/data/imbalance.txt "$scratch"
cp -r tests/data/heat2d_600_np2 tests/data/allprof "$scratch"
cp tests/data/graphs/overlap-rendezvous.goal "$scratch"
cd "$scratch" || exit 1
printf '0 init\n1 init\n0 isend 1 0 5 -1\n0 wait 1 0 9\n1 recv 0 0 5\n0 compute 5\n0 finalize\n1 finalize\n' >warned.ti
gzip -c small.ptr | head -c 900 >cut.ptr.gz
head -c 5000 gauss_240.ptr.gz >open.ptr.gz
head -c 2000 small.ptr >short.ptr
printf 'ring-0\nring-1\nring-2\nring-3\n' >list.ti
for rank in 0 1 2 3; do grep "^$rank " ring.ti >ring-$rank; done
: >empty.ti
"$program" convert ring.ti ring.otf2 >convert 2>&1

# ---- by hand

"$program" serve --background --socket server heat2d_600.ptr.gz ring.ti heat2d_600_np2 >out 2>err
[ $? = 0 ] && [ "$(cat out)" = "PREDICTOR_SERVER=$scratch/server" ] && [ ! -s err ]
result $? /serve/background "$(cat out err)"
[ "$(stat -c %a server)" = 600 ]
result $? /serve/mode "$(stat -c %a server)"

# The reports, messages and statuses of a trace, in each form that is printed.
report () {
  for arguments in "--json" "--per-processor --check" "--json --seed 3 --set network/startup=3us"; do
    "$program" run "$1" -m example-cluster $arguments 2>&1
    echo "status $?"
  done
  "$program" info "$1" 2>&1
  "$program" check "$1" 2>&1
  echo "status $?"
}

for trace in heat2d_600.ptr.gz gauss_240.ptr.gz small.ptr heat2d_600_np2 ring.ti imbalance.txt allprof/pingpong-0.txt \
  overlap-rendezvous.goal warned.ti cut.ptr.gz open.ptr.gz short.ptr list.ti ring.otf2 empty.ti absent.ti; do
  report $trace >without
  (export PREDICTOR_SERVER="$scratch/server"; report $trace) >with
  cmp -s without with && [ "$(wc -l <with)" -ge 5 ]
  result $? "/serve/same/$trace" "$(diff without with | head)"
done
PREDICTOR_SERVER=server "$program" run - -m example-cluster --json <ring.ti >with 2>&1
"$program" run - -m example-cluster --json <ring.ti >without 2>&1
cmp -s without with
result $? /serve/same/stdin

"$program" serve --socket server --status >status 2>&1
[ $? = 0 ] && grep -q '^clients 0$' status && grep -q "^trace $scratch/ring.ti: program, [1-9][0-9]* bytes, 0 holders$" status \
  && grep -q "^trace $scratch/heat2d_600.ptr.gz: calls, " status && grep -q "^trace $scratch/heat2d_600_np2/heat2d1_1.ptr.gz: calls, " status \
  && ! grep -q 'gauss_240.*calls' status && [ "$(sed -n 's/^bytes //p' status)" -gt 100000 ]
result $? /serve/status "$(cat status)"

# what has changed is another trace
sed 's/compute .*/compute 7e8/' ring.ti >ring-slow
"$program" run ring-slow -m example-cluster --json | grep execution_time >without
cat ring-slow >ring.ti
PREDICTOR_SERVER=server "$program" run ring.ti -m example-cluster --json | grep execution_time >with
cmp -s without with
result $? /serve/changed "$(diff without with)"

"$program" serve --socket server >out 2>&1
[ $? = 1 ] && grep -q 'server: a data server is there already' out && [ "$(wc -l <out)" = 1 ]
result $? /serve/second "$(cat out)"

"$program" serve --socket server --stop >out 2>&1 && [ ! -s out ]
result $? /serve/stop "$(cat out)"
i=0
while [ -e server ] && [ $i -lt 10000 ]; do sleep 0.1; i=$((i + 1)); done
[ ! -e server ] && [ ! -e server.lock ]
result $? /serve/stopped "$(ls)"

PREDICTOR_SERVER=server "$program" run ring.ti -m example-cluster --json >with 2>err
"$program" run ring.ti -m example-cluster --json >without
cmp -s without with && grep -q '^predictor: no data server, traces are parsed here: server: ' err && [ "$(wc -l <err)" = 1 ]
result $? /serve/absent "$(cat err)"

# one line that contains WORD, and nothing left
serve () { timeout 120 "$program" serve "$@"; }

refused bad/absent 1 absent.ti serve --socket bad absent.ti
refused bad/empty 1 empty serve --socket bad empty.ti
refused bad/absent-in-background 1 absent.ti serve --socket bad -b absent.ti
refused bad/no-folder 1 nowhere serve --socket nowhere/bad
refused bad/long 1 'name of a socket' serve --socket "$(printf 'a%.0s' $(seq 150))"
refused bad/not-a-socket 1 'is no socket' serve --socket ring.ti
refused bad/status-of-nothing 1 bad serve --socket bad --status
refused bad/status-and-stop 2 'one of both' serve --socket bad --status --stop
refused bad/status-of-trace 2 'no traces' serve --socket bad --status ring.ti
rm -f ring.ti.lock
(unset XDG_RUNTIME_DIR; refused bad/no-socket 2 '--socket' serve >sub; cat sub; ! grep -q '^not ok' sub)
tap_n=$((tap_n + 1))

# ---- signals

start () {
  "$program" serve --socket server ring.ti >out 2>err &
  pid=$!
  i=0
  while ! "$program" serve --socket server --status >status 2>/dev/null && [ $i -lt 2000 ]; do
    sleep 0.05
    i=$((i + 1))
  done
}

# where whoever starts it does not want to hear of children
env --ignore-signal=CHLD "$program" serve --background --socket server ring.ti >out 2>err
i=0
while ! "$program" serve --socket server --status | grep -q ': program,' && [ $i -lt 2000 ]; do
  sleep 0.05
  i=$((i + 1))
done
"$program" serve --socket server --status | grep -q ': program,'
result $? /serve/signal/child-ignored "$("$program" serve --socket server --status)"
"$program" serve --socket server --stop
i=0
while [ -e server ] && [ $i -lt 10000 ]; do sleep 0.05; i=$((i + 1)); done
echo 'of somebody' >server.lock
refused bad/kept-lock 1 'server.lock' serve --socket server
[ "$(cat server.lock)" = 'of somebody' ]
result $? /serve/bad/kept-lock/there "$(ls)"
rm -f server.lock

for name in TERM INT HUP; do
  start
  kill -$name $pid
  wait $pid
  status=$?
  [ $status = 0 ] && [ ! -e server ] && [ ! -e server.lock ]
  result $? "/serve/signal/$name" "status $status: $(ls) $(cat err)"
done
start
kill -9 $pid
wait $pid 2>/dev/null
[ -S server ]
result $? /serve/killed/left "$(ls)"
start
grep -q "^process $pid\$" status
result $? /serve/killed/replaced "$(cat status err)"
# it is ready for 10000 clients, if the system lets it
most=$(ulimit -H -n)
[ "$most" = unlimited ] || [ "$most" -gt 16384 ] && most=16384
open=$(awk '/^Max open files/ { print $4 }' "/proc/$pid/limits")
[ "$open" -ge "$most" ]
result $? /serve/many/limit "$open, expected $most"
kill $pid
wait $pid

# ---- sweeps

study="heat2d_600.ptr.gz list.ti -m example-cluster -n 4 --vary network/startup=1us:100us:log300"

"$program" sweep $study --no-server --db without.sqlite -j 2 -q >out 2>&1
result $? /sweep/without-server "$(cat out)"
"$program" sweep $study --db with.sqlite -j 2 -q >out 2>&1
result $? /sweep/with-server "$(cat out)"
dump_study without.sqlite >without
dump_study with.sqlite >with
cmp -s without with && [ "$(sqlite3 with.sqlite "SELECT count (*) FROM point WHERE status = 'done'")" = 600 ]
result $? /sweep/same "$(diff without with | head)"
[ -z "$(ls -A runtime)" ]
result $? /sweep/nothing-left "$(ls -A runtime)"

server_of () {
  for child in $(children "$1"); do
    { tr "\0" " " <"/proc/$child/cmdline"; } 2>/dev/null | grep -q ' serve --owner' && echo "$child"
  done
}

# the server is killed again and again, from its first moment on
awk -v seed="${SEED:-1}" 'BEGIN { srand (seed); for (i = 0; i < 4000; i++) printf "%.3f\n", 0.15 * rand () * rand () }' >moments
killed=0 same=0 rounds=0 said=0
exec 3<moments
while [ $killed -lt "${KILLS:-6}" ] && [ $rounds -lt 200 ]; do
  rounds=$((rounds + 1))
  rm -f killed.sqlite*
  "$program" sweep $study --db killed.sqlite -j 2 >out 2>err &
  pid=$!
  mine=0
  while kill -0 $pid 2>/dev/null; do
    read -r wait <&3 || break
    sleep "$wait"
    victim=$(server_of $pid)
    [ -n "$victim" ] && kill -9 $victim 2>/dev/null && mine=$((mine + 1))
  done
  wait $pid
  status=$?
  killed=$((killed + mine))
  dump_study killed.sqlite >found
  [ $status = 0 ] && cmp -s without found && same=$((same + 1))
  # said once at most, and nothing else
  [ "$(grep -c 'the data server died: signal 9' err)" -le 1 ] && [ "$(grep -vc 'the data server died' err)" = 0 ] && said=$((said + 1))
done
[ $same = $rounds ] && [ $killed -ge "${KILLS:-6}" ]
result $? /sweep/server-killed/rows "$same of $rounds are the same, $killed killed; status $status $(cat err)"
[ $said = $rounds ]
result $? /sweep/server-killed/said-once "$said of $rounds: $(cat err)"
[ -z "$(ls -A runtime)" ]
result $? /sweep/server-killed/nothing-left "$(ls -A runtime)"
echo "# $killed servers killed in $rounds sweeps"

# an interruption of all, as the terminal sends it, is that of the coordinator
setsid sh -c 'trap - INT; exec "$0" sweep heat2d_600.ptr.gz -m example-cluster -n 16 --vary network/startup=1us:100us:log100000 --db interrupted.sqlite -j 2' \
  "$program" >out 2>err &
pid=$!
i=0
while [ "$(sqlite3 interrupted.sqlite 'SELECT count (*) FROM point' 2>/dev/null || echo 0)" -le 0 ] && [ $i -lt 10000 ]; do
  sleep 0.02
  i=$((i + 1))
done
server=$(server_of $pid)
# that the server has been stopped changes nothing
[ -n "$server" ] && kill -STOP "$server"
kill -s INT -- "-$pid"
wait $pid
status=$?
[ -n "$server" ] && ! kill -0 "$server" 2>/dev/null && [ $status = 130 ] && ! grep -q died err && [ -z "$(ls -A runtime)" ]
result $? /sweep/interrupted "status $status, server '$server': $(cat out err) $(ls -A runtime)"

# a coordinator that is killed takes its server along
"$program" sweep heat2d_600.ptr.gz -m example-cluster -n 16 --vary network/startup=1us:100us:log100000 --db orphan.sqlite -j 2 -q >out 2>&1 &
pid=$!
i=0
while [ -z "$(server_of $pid)" ] && kill -0 $pid 2>/dev/null && [ $i -lt 10000 ]; do sleep 0.02; i=$((i + 1)); done
server=$(server_of $pid)
kill -9 $pid
wait $pid 2>/dev/null
i=0
while [ -n "$server" ] && kill -0 "$server" 2>/dev/null && [ $i -lt 10000 ]; do sleep 0.05; i=$((i + 1)); done
[ -n "$server" ] && ! kill -0 "$server" 2>/dev/null && [ -z "$(ls -A runtime)" ]
result $? /sweep/coordinator-killed "server '$server' $(ls -A runtime)"

# one that cannot be there
long=$scratch/$(printf 'a%.0s' $(seq 100))
mkdir "$long"
XDG_RUNTIME_DIR=$long TMPDIR=$long "$program" sweep $study --db none.sqlite -j 2 >out 2>err
[ $? = 0 ] && dump_study none.sqlite >with && cmp -s without with && [ "$(wc -l <err)" = 1 ] && grep -q 'no data server, each process parses.*too long' err \
  && [ -z "$(ls -A "$long")" ]
result $? /sweep/no-server-possible "$(cat err) $(ls -A "$long")"
XDG_RUNTIME_DIR=$long "$program" sweep $study --db short.sqlite -j 2 -q >out 2>err
[ $? = 0 ] && [ ! -s err ] && [ -z "$(ls -A "$long")" ]
result $? /sweep/server-elsewhere "$(cat err) $(ls -A "$long")"

# one that the user has is taken
start
PREDICTOR_SERVER=$scratch/server "$program" sweep $study --db users.sqlite -j 2 -q >out 2>&1
[ $? = 0 ] && dump_study users.sqlite >with && cmp -s without with && [ ! -s out ] && [ -z "$(ls -A runtime)" ]
result $? /sweep/users-server "$(cat out)"
kill $pid
wait $pid
tap_done
