# kills: coordinator, workers and server of studies (tests/sweep/kill-sweep.sh), the data server while
# predictions use it, and recorded programs, killed at random moments. What they leave is readable,
# and the same command goes on.
# SPDX-License-Identifier: MIT
set -u
. tests/torture/common.sh
. tests/support/study.sh
program=$build/predictor/predictor
mkdir -p "$scratch/kills" && cd "$scratch/kills" && ln -sfn ../in in || exit 1
: >times

# moment N: seconds, of the N-th try; most are short
moment () {
  awk -v seed="$SEED" -v n="$1" -v longest="$2" 'BEGIN { srand(seed * 1000 + n); rand(); printf "%.3f\n", longest * rand() * rand() }'
}

# until SHARE: the deadline of what begins now
share () {
  now=$(date +%s)
  until=$((now + (deadline - now) * $1 / 100))
}

studies () {
  share 40
  n=0
  while [ "$(date +%s)" -lt $until ]; do
    (cd "$root" && KILLS=${KILLS:-20} SEED=$((SEED + n)) BUILD=$build sh tests/sweep/kill-sweep.sh) >kill.log 2>&1 \
      || found kills "sweep-$n" "SEED=$((SEED + n)): $(grep -m 1 '^not ok' kill.log)" kill.log
    sed -n 's/^# \([0-9]*\) killed.*/sweep \1/p' kill.log >>times
    n=$((n + 1))
  done
}

# Predictions whose server is killed while they begin give what they give without one.
servers () {
  share 50
  "$program" run in/heat2d_600.ptr.gz -m mvs1000 -n 2x2 >expected 2>&1
  n=0
  while [ "$(date +%s)" -lt $until ]; do
    n=$((n + 1))
    "$program" serve --socket ./s in/heat2d_600.ptr.gz in/ring.ti >/dev/null 2>serve.err &
    server=$!
    for i in 1 2 3; do
      PREDICTOR_SERVER=./s "$program" run in/heat2d_600.ptr.gz -m mvs1000 -n 2x2 >out.$i 2>err.$i &
      eval "client$i=\$!"
    done
    sleep "$(moment $n 0.3)"
    kill -9 $server 2>/dev/null
    wait $server 2>/dev/null
    for i in 1 2 3; do
      eval "wait \$client$i"
      status=$?
      [ $status = 0 ] && cmp -s out.$i expected || found kills "serve-$n-$i" "status $status, or another output, without the server" out.$i err.$i serve.err
    done
    "$program" serve -b --socket ./s in/ring.ti >/dev/null 2>serve.err && PREDICTOR_SERVER=./s "$program" info in/ring.ti >out 2>err \
      || found kills "serve-again-$n" "no new server: $(cat serve.err)" serve.err
    "$program" serve --socket ./s --stop >/dev/null 2>&1
    echo "serve 1" >>times
  done
}

# A recorded program is killed, or its mpiexec, or the recording command.
recordings () {
  share 100
  for mpi in mpich openmpi; do
    [ -e "$build/record/libpredictor-record.$mpi.so" ] && command -v mpicc.$mpi >/dev/null && break
  done
  command -v mpicc.$mpi >/dev/null || { echo "   no MPI: nothing is recorded"; return; }
  mpicc.$mpi -o ends "$root/tests/record/programs/ends.c" || return
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  n=0
  while [ "$(date +%s)" -lt $until ]; do
    n=$((n + 1))
    rm -rf recorded finished
    "$program" record -q -o recorded -- mpiexec.$mpi -n 2 ./ends 20000 >out 2>err &
    command=$!
    sleep "$(moment $n 2.5)"
    rank=$(children_of $command | sed -n "$((1 + n % 4))p")
    kill -9 ${rank:-$command} 2>/dev/null
    wait $command 2>/dev/null
    status=$?
    # what is left of it
    sleep 0.3
    for left in $(children_of $command); do kill -9 "$left" 2>/dev/null; done
    echo "record 1" >>times
    archive=recorded
    if [ ! -e recorded/traces.otf2 ]; then
      ls recorded/rank-*.raw >/dev/null 2>&1 || continue
      "$program" record -q --finish recorded -o finished >out 2>finish.err
      finish=$?
      archive=finished
      [ $finish = 0 ] || { [ $finish = 1 ] && [ ! -e finished/traces.otf2 ]; } || { found kills "record-$n" "--finish: status $finish" err finish.err recorded; continue; }
      [ $finish = 0 ] || continue
    fi
    "$program" check $archive/traces.otf2 >out 2>check.err
    case $? in
    0 | 1 | 3 | 4) ;;
    *) found kills "record-check-$n" "check: $(tail -n 1 check.err)" out check.err $archive ;;
    esac
    "$program" info $archive/traces.otf2 >out 2>info.err || found kills "record-info-$n" "info: $(tail -n 1 info.err)" info.err $archive
  done
}

# children_of PID: all processes below it
children_of () {
  for child in $(children "$1"); do
    echo "$child"
    children_of "$child"
  done
}

studies
servers
recordings
awk '{ n[$1] += $2 } END { print "| what | kills |\n|---|---|"
  for (k in n) printf "| %s | %d |\n", k, n[k] | "sort" }' times >"$FOUND/tables/kills"
tried kills "$(awk '{ n += $2 } END { print n + 0 }' times) kills"
