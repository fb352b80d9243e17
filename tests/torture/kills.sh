# kills: coordinator, workers and server of studies (tests/sweep/kill-sweep.sh), the data server while
# predictions use it, ranks of predictor-mpi and predictor-measure, and recorded programs, killed at random
# moments; programs that are recorded while the disk gets full. What they leave is readable, and the same
# command goes on.
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

# A kill of a study and what follows take a few seconds.
kills_that_fit () {
  echo $(((until - $(date +%s)) / 4)) | awk '{ print ($1 < 2 ? 2 : ($1 > 20 ? 20 : $1)) }'
}

studies () {
  share 30
  n=0
  while [ "$(date +%s)" -lt $until ]; do
    (cd "$root" && KILLS=${KILLS:-$(kills_that_fit)} SEED=$((SEED + n)) BUILD=$build sh tests/sweep/kill-sweep.sh) >kill.log 2>&1 \
      || found kills "sweep-$n" "SEED=$((SEED + n)): $(grep -m 1 '^not ok' kill.log)" kill.log
    sed -n 's/^# \([0-9]*\) killed.*/sweep \1/p' kill.log >>times
    n=$((n + 1))
  done
}

# Predictions whose server is killed while they begin give what they give without one.
servers () {
  share 35
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

# kill_one COMMAND NUMBER: one of its descendants, the NUMBER-th in turn, or the command itself; then all
kill_one () {
  one=$(children_of "$1" | sed -n "$((1 + $2 % 4))p")
  kill -9 ${one:-$1} 2>/dev/null
  wait "$1" 2>/dev/null
  status=$?
  sleep 0.3
  for left in $(children_of "$1"); do kill -9 "$left" 2>/dev/null; done
}

# A rank of predictor-mpi, or its mpiexec: the study goes on and has all rows.
mpi_studies () {
  share 20
  words="in/heat2d_600.ptr.gz -m example-cluster -n 16,64 --vary network/startup=1us:100us:log20 -q"
  # shellcheck disable=SC2086
  "$program" sweep $words --db whole.sqlite && dump_study whole.sqlite >whole
  n=0
  while [ "$(date +%s)" -lt $until ]; do
    n=$((n + 1))
    rm -f study.sqlite*
    # shellcheck disable=SC2086
    mpiexec.$mpi -n 3 "$build/predictor/predictor-mpi.$mpi" sweep $words --db study.sqlite >out 2>err &
    command=$!
    sleep "$(moment $n 2)"
    kill_one $command $n
    echo "mpi 1" >>times
    # shellcheck disable=SC2086
    "$program" sweep $words --db study.sqlite >out 2>sweep.err
    status=$?
    dump_study study.sqlite >found
    [ $status = 0 ] && cmp -s found whole || found kills "mpi-$n" "status $status, or other rows: $(tail -n 1 sweep.err)" err sweep.err found whole
  done
}

# A rank of predictor-measure, or its mpiexec: a file of measurements is the previous one, or whole.
measurements () {
  share 25
  n=0
  while [ "$(date +%s)" -lt $until ]; do
    n=$((n + 1))
    rm -f sheet.*
    echo previous >sheet.csv
    mpiexec.$mpi -n 2 "$build/measure/predictor-measure.$mpi" transfer m1 M4096 K2 T2 f0.01 R3 -q --force -o sheet.text --csv sheet.csv --xml sheet.xml --db sheet.db >out 2>err &
    command=$!
    sleep "$(moment $n 2)"
    kill_one $command $n
    echo "measure 1" >>times
    [ "$(cat sheet.csv)" = previous ] || "$build/measure/predictor-measure.$mpi" compare sheet.csv sheet.csv >out 2>compare.err \
      || found kills "measure-csv-$n" "sheet.csv: $(tail -n 1 compare.err)" sheet.csv err
    for form in xml db text; do
      [ ! -e sheet.$form ] || why=$(bad_file sheet.$form) && [ -z "$why" ] || found kills "measure-$form-$n" "$why" sheet.$form err
    done
  done
}

# The disk of a recording, a file system of its own in memory, is too small, or gets full while the program
# runs: the archive has the first part of the run and says so, or there is none, and --finish makes it.
disks () {
  share 40
  mkdir -p disk
  mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null || { echo "   no file system can be mounted here: no full disk"; return; }
  umount disk
  n=0
  while [ "$(date +%s)" -lt $until ]; do
    n=$((n + 1))
    rm -rf finished
    mount -t tmpfs -o size=$((1 + n * 7 % 31))m tmpfs disk || return
    timeout -k 5 120 "$program" record -q -o disk/recorded -- mpiexec.$mpi -n 2 ./ends 20000 >out 2>err &
    command=$!
    if [ $((n % 2)) = 1 ]; then
      sleep "$(moment $n 2)"
      dd if=/dev/zero of=disk/filler bs=64k 2>/dev/null
    fi
    wait $command
    status=$?
    rm -f disk/filler
    why=$(judge_disk)
    [ -z "$why" ] || found kills "disk-$n" "$why" out err finish.err check.err disk/recorded
    umount disk || return
    echo "full-disk 1" >>times
  done
}

# Prints what is wrong with $status and disk/recorded; a run that is whole has 40000 messages of each rank.
judge_disk () {
  archive=disk/recorded/traces.otf2
  bad_status $status
  [ $status = 0 ] || [ -s err ] || echo "status $status, and no word why"
  if [ ! -e $archive ] && ls disk/recorded/rank-*.raw >/dev/null 2>&1; then
    "$program" record -q --finish disk/recorded -o finished >out 2>finish.err
    archive=finished/traces.otf2
    [ -e $archive ] || echo "--finish makes no archive: $(tail -n 1 finish.err)"
  fi
  [ -e $archive ] || { [ $status != 0 ] || echo "status 0, and no archive"; return; }
  "$program" check $archive >checked 2>check.err
  checked=$?
  messages=$("$program" info $archive 2>/dev/null | awk '$1 == "messages" { print $2 }')
  case $checked in
  0) [ "$messages" = 80000 ] || echo "check: status 0 with $messages messages of 80000" ;;
  4) [ $status != 0 ] || [ $archive != disk/recorded/traces.otf2 ] || echo "record: status 0, and an incomplete archive" ;;
  *) echo "check: status $checked: $(tail -n 1 check.err)" ;;
  esac
}

# What has MPI programs; the folder has ./ends.
with_mpi () {
  for mpi in mpich openmpi; do
    [ -e "$build/record/libpredictor-record.$mpi.so" ] && command -v mpicc.$mpi >/dev/null && break
  done
  command -v mpicc.$mpi >/dev/null || { echo "   no MPI: nothing is measured or recorded"; return; }
  mpicc.$mpi -o ends "$root/tests/record/programs/ends.c" || return
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  mpi_studies
  measurements
  disks
  recordings
}

# A recorded program is killed, or its mpiexec, or the recording command.
recordings () {
  share 100
  n=0
  while [ "$(date +%s)" -lt $until ]; do
    n=$((n + 1))
    rm -rf recorded finished
    "$program" record -q -o recorded -- mpiexec.$mpi -n 2 ./ends 20000 >out 2>err &
    command=$!
    sleep "$(moment $n 2.5)"
    kill_one $command $n
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
with_mpi
awk '{ n[$1] += $2 } END { print "| what | kills |\n|---|---|"
  for (k in n) printf "| %s | %d |\n", k, n[k] | "sort" }' times >"$FOUND/tables/kills"
tried kills "$(awk '{ n += $2 } END { print n + 0 }' times) kills"
