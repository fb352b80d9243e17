#!/bin/sh
# predictor record with real programs under each MPI that is there: what is
# recorded, how runs end, what is refused.
# SPDX-License-Identifier: MIT
set -u
. tests/support/mpi.sh
area=/record
export OMPI_MCA_btl_vader_single_copy_mechanism=none
mkdir here && cd here || exit 1

# record NAME RANKS ROUNDS HOW [OPTION...]: status in $status, streams in NAME.out and NAME.err.
record () {
  name=$1 ranks=$2 rounds=$3 how=$4
  shift 4
  timeout 600 "$program" record -o "$name" "$@" -- "mpiexec.$mpi" -n "$ranks" ./ends "$rounds" $how >"$name.out" 2>"$name.err"
  status=$?
}

# The lines of the text form of an archive that match.
text () {
  "$program" convert --to text "$1/traces.otf2" - 2>/dev/null
}

is_archive () {
  [ -s "$1/traces.otf2" ] && [ -z "$(ls "$1"/rank-*.raw 2>/dev/null)" ] \
    && "$program" info "$1/traces.otf2" >/dev/null 2>"$1.info"
}

# ---- whole runs

whole () {
  for n in 2 4; do
    record "whole$n" $n 6 ""
    [ $status = 0 ] && is_archive "whole$n" && [ "$(cat "whole$n.out")" = "sum $n" ]
    result $? "/record/$mpi/$n/whole" "status $status: $(cat "whole$n.err")"
    "$program" check "whole$n/traces.otf2" >check.out 2>&1
    result $? "/record/$mpi/$n/check" "$(cat check.out)"
    # other processes of the machine may have had the processors, too
    "$program" analyse -q --strict "whole$n/traces.otf2" 2>strict.out || grep -q processor-lost check.out
    result $? "/record/$mpi/$n/analyse" "$(cat strict.out check.out)"
    # each rank: 3 calls that ask, 2 of MPI_Pcontrol, 6 times 5 and 1
    grep -q ": $n ranks, $((n * (4 + 2 + 6 * 6))) calls, .* 1 interval," "whole$n.err"
    result $? "/record/$mpi/$n/summary" "$(cat "whole$n.err")"
    if command -v otf2-print >/dev/null 2>&1; then
      otf2-print "whole$n/traces.otf2" >print.out 2>print.err
      [ $? = 0 ] && [ ! -s print.err ] && [ "$(grep -c '^MPI_ISEND ' print.out)" = $((n * 12)) ]
      result $? "/record/$mpi/$n/otf2-print" "$(cat print.err)"
    else
      skip "/record/$mpi/$n/otf2-print" "otf2-print is missing"
    fi
  done
  text whole2 >whole.text
  for expected in 'irecv 1 800 tag=1' 'isend 1 800 tag=2' 'waitall' 'allreduce 8' 'enter 0' 'leave 0' \
    'site .*ends.c" .* "exchange"'; do
    grep -q "$expected" whole.text
    result $? "/record/$mpi/text/$expected" "$(head -n 30 whole.text)"
  done
}

# Under a clock that is prescribed, times are exact. MPI_Init takes two readings.
clock () {
  printf '0 times 0 100 200 230 250 260 400 450\n1 times 50 100 210 240 270 290 300 310\n' >clock
  PREDICTOR_RECORD_CLOCK=$scratch/here/clock
  export PREDICTOR_RECORD_CLOCK
  record clocked 2 1 ""
  unset PREDICTOR_RECORD_CLOCK
  text clocked | sed -n '/^rank 0/,/irecv/p; /^rank 1/,/irecv/p' | sed 's/ site=[0-9]*//' >clocked.text
  cat >expected <<'END'
rank 0 {
  init 100ns
  compute 100ns
  local "MPI_Comm_rank" 30ns
  compute 20ns
  local "MPI_Comm_size" 10ns
  compute 140ns
  local "MPI_Pcontrol" 0ps took=50ns
  enter 0
  compute 1us
  irecv 1 800 tag=1 request=0 took=1us
rank 1 {
  init 50ns
  compute 110ns
  local "MPI_Comm_rank" 30ns
  compute 30ns
  local "MPI_Comm_size" 20ns
  compute 10ns
  local "MPI_Pcontrol" 0ps took=10ns
  enter 0
  compute 1us
  irecv 0 800 tag=1 request=0 took=1us
END
  cmp -s expected clocked.text
  result $? "/record/$mpi/clock" "$(diff expected clocked.text; cat clocked.err)"
}

# Clocks of other hosts are compared: nobody begins five seconds later.
hosts () {
  printf '1 host other\n1 skew 5000000000 1000000\n' >clock
  PREDICTOR_RECORD_CLOCK=$scratch/here/clock
  export PREDICTOR_RECORD_CLOCK
  record hosts 2 5 ""
  unset PREDICTOR_RECORD_CLOCK
  begin=$(text hosts | sed -n 's/^ *begin //p')
  # far less than five seconds, but processes of a busy machine start one after the other
  [ $status = 0 ] && is_archive hosts && echo "$begin" | grep -Eq '^([0-9.]*[pnum]s|[0-2](\.[0-9]*)?s)$'
  result $? "/record/$mpi/hosts" "$begin: $(cat hosts.err)"
}

# ---- runs that end otherwise

ends () {
  record status 2 4 status
  [ $status = 7 ] && is_archive status
  result $? "/record/$mpi/status" "status $status: $(cat status.err)"
  for how in abort kill exit; do
    record "$how" 2 8 "$how"
    [ $status != 0 ] && is_archive "$how" && grep -q 'the events of ranks 0 1 end before the program did' "$how.err"
    result $? "/record/$mpi/$how" "status $status: $(cat "$how.err")"
    # rank 1 ended in round 5
    n=$(text "$how" | sed -n '/^rank 1/,$p' | grep -c waitall)
    [ "$n" = 5 ]
    result $? "/record/$mpi/$how/calls" "$n rounds of 5"
    "$program" analyse -q "$how/traces.otf2" 2>cut.err
    status=$?
    "$program" analyse -q --strict "$how/traces.otf2" 2>cut.err
    [ $status$? = 41 ]
    result $? "/record/$mpi/$how/analyse" "status $status"
  done
  record late 2 4 late
  [ $status = 0 ] && is_archive late
  result $? "/record/$mpi/late" "status $status: $(cat late.err)"
  record fork 2 4 fork
  [ $status = 0 ] && is_archive fork && [ "$(text fork | grep -c MPI_Comm_rank)" = 2 ]
  result $? "/record/$mpi/fork" "status $status: $(cat fork.err)"
}

# Paths that other programs would take for something else; folders in folders.
paths () {
  mkdir -p "a=b c'd" && cp ends "a=b c'd/x=y z"
  timeout 300 "$program" record -o "e f/g'h/i" -- "mpiexec.$mpi" -n 2 "./a=b c'd/x=y z" 2 >paths.out 2>paths.err
  status=$?
  [ $status = 0 ] && is_archive "e f/g'h/i" && [ "$(cat paths.out)" = "sum 2" ] && text "e f/g'h/i" | grep -q 'ends.c'
  result $? "/record/$mpi/paths" "status $status: $(cat paths.err)"
}

# What is wrong is said before the program runs, or harms nobody.
early () {
  : >file
  for options in '-o file' '-o file/folder' '--stack-depth 999' '--max-size some' '--buffer-size 1'; do
    timeout 300 "$program" record $options -- "mpiexec.$mpi" -n 2 ./ends 2 >early.out 2>early.err
    status=$?
    { [ $status = 1 ] || [ $status = 2 ]; } && [ ! -s early.out ] && [ -s early.err ] && ! grep -q MPI_Init early.err
    result $? "/record/$mpi/early/$options" "status $status: $(cat early.err)"
  done
  mkdir -p "lib s" && cp "$build/record/libpredictor-record.$mpi.so" "lib s/r.so"
  timeout 300 "$program" record --library "lib s/r.so" -- "mpiexec.$mpi" -n 2 ./ends 2 >early.out 2>early.err
  status=$?
  [ $status = 1 ] && [ ! -s early.out ] && [ ! -e ends.recorded ]
  result $? "/record/$mpi/early/library" "status $status: $(cat early.err)"
  timeout 300 "$program" record --mpi "$mpi" -o nobody -- true >early.out 2>early.err
  status=$?
  [ $status = 1 ] && [ ! -e nobody ] && mkdir nobody
  timeout 300 "$program" record --mpi "$mpi" -o nobody -- true >early.out 2>early.err
  [ $? = 1 ] && rmdir nobody
  result $? "/record/$mpi/early/nobody" "status $status: $(cat early.err)"
}

# All ranks stop at the same operation.
limit () {
  record limit 2 20000 "" --max-size 1M --buffer-size 64Ki
  zero=$(text limit | sed -n '/^rank 0/,/^}/p' | grep -c allreduce)
  one=$(text limit | sed -n '/^rank 1/,/^}/p' | grep -c allreduce)
  [ $status = 4 ] && is_archive limit && [ "$zero" = "$one" ] && [ "$zero" -gt 100 ] && [ "$zero" -lt 20000 ]
  result $? "/record/$mpi/limit" "status $status, $zero and $one: $(cat limit.err)"
  for name in status limit; do
    share=$(sed -n 's/^overhead: \([0-9.]*\) % of the run.*/\1/p' $name.err)
    said=$(grep -c 'warning: recording took .* % of the run' $name.err)
    [ -n "$share" ] && { [ "$share" = 5.00 ] || [ "$said" = "$(awk "BEGIN { print ($share > 5) + 0 }")" ]; }
    result $? "/record/$mpi/overhead/$name" "'$share' %: $(cat $name.err)"
  done
  record little 2 20000 "" --max-size 200k # less than streams grow by
  result $((status != 4)) "/record/$mpi/limit/little" "status $status: $(cat little.err)"
  part=$(grep -o 'the first [0-9.]* % of the run' limit.err | head -n 1)
  : "${part:=the share is not said}"
  for command in run check analyse; do
    "$program" $command limit/traces.otf2 >limit.out 2>limit.err
    status=$?
    [ $status = 4 ] && cat limit.out limit.err | grep -q recording-truncated && cat limit.out limit.err | grep -qF "$part"
    result $? "/record/$mpi/limit/$command" "status $status: $(cat limit.err)"
  done
  "$program" compare limit/traces.otf2 limit/traces.otf2 >limit.out 2>limit.err
  status=$?
  [ $status = 4 ] && grep -qF "$part" limit.out && "$program" info limit/traces.otf2 2>/dev/null | grep -qF "has $part"
  result $? "/record/$mpi/limit/compare" "status $status: $(cat limit.out limit.err)"
  rm -f limit.db
  "$program" analyse -q --json --xml limit.xml --db limit.db limit/traces.otf2 >limit.out 2>limit.err
  grep -q '"incomplete": true' limit.out && grep -q '"recorded_share": 0\.[0-9]' limit.out && grep -q ' recorded_share="0\.[0-9]' limit.xml \
    && xmllint --noout --relaxng "$root/schemas/report.rng" limit.xml 2>/dev/null \
    && [ "$(sqlite3 limit.db 'SELECT count(*) FROM recorded_part WHERE recorded_share > 0 AND recorded_share < 1')" = 1 ] \
    && "$program" compare limit.db limit.xml | grep -cF "$part" | grep -qx 2
  result $? "/record/$mpi/limit/documents" "$(cat limit.err; head -n 20 limit.out)"
}

# Files of another run are told by their digests, events of one also by their times, those of
# another rank by its partners.
mixed () {
  began=$(date +%s)
  record first 2 4 ""
  sleep $(($(date +%s) - began + 2)) # longer than it took
  record second 2 4 ""
  for file in traces/1.evt traces.def traces.otf2; do
    rm -rf both && cp -r first both && cp second/$file both/$file
    "$program" run -q both/traces.otf2 >mixed.out 2>mixed.err
    status=$?
    [ $status = 4 ] && grep -q 'archive-mixed' mixed.err
    result $? "/record/$mpi/mixed/$file" "status $status: $(cat mixed.err)"
  done
  cp second/traces/1.evt first/traces/1.evt
  for command in run analyse; do
    "$program" $command first/traces.otf2 >mixed.out 2>mixed.err
    status=$?
    [ $status = 4 ] && cat mixed.out mixed.err | grep -q clock-mismatch \
      && cat mixed.out mixed.err | grep -q 'first/traces/1.evt is not the file .*\[archive-mixed\]; at first/traces.otf2: rank 1'
    result $? "/record/$mpi/mixed/$command" "status $status: $(cat mixed.err)"
  done
  cp second/traces/0.evt second/traces/1.evt
  "$program" run second/traces.otf2 -q >mixed.out 2>mixed.err
  status=$?
  [ $status = 3 ]
  result $? "/record/$mpi/mixed/copy" "status $status: $(cat mixed.err)"
}

# By hand: the library and its variables; the archive of a killed run.
by_hand () {
  library=$build/record/libpredictor-record.$mpi.so
  PREDICTOR_RECORD_DIR=$scratch/here/hand timeout 300 "mpiexec.$mpi" -n 2 env LD_PRELOAD="$library" ./ends 8 kill >/dev/null 2>&1
  [ -s hand/rank-0.raw ] && [ ! -e hand/traces.otf2 ]
  result $? "/record/$mpi/hand/streams" "$(ls hand)"
  PREDICTOR_RECORD_DIR=$scratch/here/again timeout 300 "mpiexec.$mpi" -n 2 env LD_PRELOAD="$library" ./ends 8 kill >/dev/null 2>&1
  cp hand/rank-0.raw again/rank-0.raw
  "$program" record --finish again >hand.out 2>hand.err
  status=$?
  [ $status = 1 ] && grep -q 'again/rank-1.raw: of another run than the streams before it' hand.err && [ ! -e again/traces.otf2 ]
  result $? "/record/$mpi/hand/mixed" "status $status: $(cat hand.err)"
  cp -r hand other
  "$program" record --finish other -o third >hand.out 2>hand.err
  [ $? = 0 ] && is_archive third && [ -z "$(ls other)" ]
  result $? "/record/$mpi/hand/elsewhere" "$(cat hand.err)"
  "$program" record --finish hand >hand.out 2>hand.err
  [ $? = 0 ] && is_archive hand
  result $? "/record/$mpi/hand/finish" "$(cat hand.err)"
  PREDICTOR_RECORD_DIR=$scratch/here/hand timeout 300 "mpiexec.$mpi" -n 2 env LD_PRELOAD="$library" ./ends 8 >hand.out 2>hand.err
  [ $? = 0 ] && grep -q 'nothing is recorded: .* exists' hand.err && [ "$(cat hand.out)" = "sum 2" ]
  result $? "/record/$mpi/hand/taken" "$(cat hand.err)"
}

# Without debugging information there are addresses.
stripped () {
  strip -s -o ends.stripped ends && cp ends ends.whole && mv ends.stripped ends
  record stripped 2 2 ""
  mv ends.whole ends
  text stripped | grep -q 'site .* : "[^"]*ends" 0 "[^"]*ends+0x[0-9a-f]*"' \
    || text stripped | grep -q 'site .*"[^"]*ends" 0 "[^"]*ends+0x[0-9a-f]*"'
  result $? "/record/$mpi/stripped" "$(text stripped | grep site | head -n 3; cat stripped.err)"
}

# A call site is the program's line, whatever library calls MPI for it; names are those of the
# source.
frames () {
  cat >wrapper.c <<'END'
#include <mpi.h>
void inner (void) { MPI_Barrier (MPI_COMM_WORLD); __asm__ volatile (""); }
void outer (void) { inner (); __asm__ volatile (""); }
END
  cat >frames.c <<'END'
#include <mpi.h>
void outer (void);
void step (void) __asm__ ("_ZN4grid6Solver4stepEv");
void sweep (void) __asm__ ("__grid_MOD_sweep");
void step (void) {
  outer (); __asm__ volatile (""); }
void sweep (void) {
  step (); __asm__ volatile (""); }
int main (int argc, char **argv) {
  MPI_Init (&argc, &argv);
  sweep ();
  return MPI_Finalize ();
}
END
  "mpicc.$mpi" -O1 -fno-optimize-sibling-calls -fno-omit-frame-pointer -shared -fPIC -s -o libwrapper.so wrapper.c &&
    "mpicc.$mpi" -g -O0 -o frames frames.c -L. -lwrapper -Wl,-rpath,"$scratch/here" || { result 1 "/record/$mpi/frames"; return; }
  timeout 300 "$program" record -q -o framed --stack-depth 8 "mpiexec.$mpi" -n 2 ./frames >/dev/null 2>frames.err
  text framed | grep '^site' >frames.sites
  number=$(text framed | sed -n 's/^ *barrier.* site=\([0-9]*\)$/\1/p' | sort -u)
  grep -q "^site $number: \"frames.c\" 6 \"grid::Solver::step\" from=" frames.sites ||
    grep -q "^site $number: \"frames.c\" 6 \"step\" from=" frames.sites
  [ $? = 0 ] && grep -q '"frames.c" 8 "grid::sweep" from=' frames.sites && ! grep -q 'libwrapper\|start' frames.sites && grep -q 'frames.c" 11 "main"$' frames.sites
  result $? "/record/$mpi/frames" "site $number of $(cat frames.sites frames.err)"
}

# A shell's words are not changed: the whole command gets the recorder.
wrapped () {
  echo './ends 3' >script && chmod +x script
  for words in 'sh -c ./ends' 'sh ./script'; do
    rm -rf wrapped
    timeout 300 "$program" record -o wrapped -- "mpiexec.$mpi" -n 2 $words >wrapped.out 2>wrapped.err
    status=$?
    [ $status = 0 ] && is_archive wrapped && [ "$(cat wrapped.out)" = "sum 2" ] && grep -q ': 2 ranks' wrapped.err
    result $? "/record/$mpi/wrapped/$words" "status $status: $(cat wrapped.err)"
  done
}

# Scripts start MPI programs in their own way: each process finds its recorder.
scripts () {
  run="mpiexec.$mpi -n 2"
  printf '#!/bin/sh\necho before >&2\n%s ./ends 3\n' "$run" >run.sh
  printf '#!/bin/bash\nexec ./ends "$@"\n' >exec.sh
  printf '#!/bin/sh\nshift 2\n%s "$@"\n' "$run" >srun.sh
  chmod +x run.sh exec.sh srun.sh
  n=0
  for words in './run.sh' 'sh run.sh' "env A=b ./run.sh" "$run ./exec.sh 3" './srun.sh -n 2 ./exec.sh 3' 'nice ./srun.sh -n 2 env A=b ./ends 3'; do
    n=$((n + 1))
    timeout 300 "$program" record -o "script$n" -- $words >script.out 2>script.err
    status=$?
    [ $status = 0 ] && is_archive "script$n" && [ "$(cat script.out)" = "sum 2" ] && grep -q ': 2 ranks' script.err
    result $? "/record/$mpi/scripts/$words" "status $status: $(cat script.err)"
  done
  # MPI comes with a module
  cat >python-like.c <<'END'
#include <dlfcn.h>
int main (void) {
  void *module = dlopen ("./module.so", RTLD_NOW);
  int (*run) (void) = module != 0 ? (int (*) (void)) dlsym (module, "run") : 0;
  return run != 0 ? run () : 9; }
END
  cat >module.c <<'END'
#include <mpi.h>
int run (void) { MPI_Init (0, 0); MPI_Barrier (MPI_COMM_WORLD); return MPI_Finalize (); }
END
  "mpicc.$mpi" -w -g -O1 -shared -fPIC -o module.so module.c && gcc -w -o python-like python-like.c -ldl
  timeout 300 "$program" record -o interpreted -- ./srun.sh -n 2 ./python-like >script.out 2>script.err
  status=$?
  [ $status = 0 ] && is_archive interpreted && [ "$(text interpreted | grep -c barrier)" = 2 ]
  result $? "/record/$mpi/scripts/interpreter" "status $status: $(cat script.err)"
  timeout 300 "$program" record -o words -- sh -c "$run ./ends 3; exit 5" >script.out 2>script.err
  status=$?
  [ $status = 5 ] && is_archive words
  result $? "/record/$mpi/scripts/sh -c" "status $status: $(cat script.err)"
  timeout 300 "$program" record -o nothing -- sh -c 'echo a b' >script.out 2>script.err
  status=$?
  [ $status = 1 ] && [ "$(cat script.out)" = "a b" ] && grep -q 'nothing was recorded' script.err && grep -q -e '--mpi' script.err && [ ! -e nothing ]
  result $? "/record/$mpi/scripts/nothing" "status $status: $(cat script.err)"
}

again () {
  record whole2 2 4 ""
  [ $status = 1 ] && grep -q -- --force whole2.err
  result $? "/record/$mpi/taken" "status $status: $(cat whole2.err)"
  echo kept >whole2/notes
  record whole2 2 4 "" --force
  [ $status = 0 ] && is_archive whole2 && [ -e whole2/notes ]
  result $? "/record/$mpi/force" "status $status: $(cat whole2.err)"
}

# ---- command lines

recorder () { "$program" record "$@"; }

refused refused/nothing 2 '' recorder
refused refused/no-command 2 '' recorder --
refused refused/no-such-program-without-dashes 1 '' recorder ./no-such-program -n 2
refused refused/mpi 2 '' recorder --mpi lam -- true
refused refused/no-mpi 1 '' recorder -- true
refused refused/finish-and-run 2 '' recorder --finish here -- true
refused refused/no-such-folder 1 '' recorder --finish here
refused refused/no-such-program 1 '' recorder -- ./no-such-program
refused refused/library 1 '' recorder --library ./nothing -- true
refused refused/no-streams 1 '' recorder --finish .

test_recorder () {
  rm -rf ./*
  (cd "$root" && "mpicc.$mpi" -g -O1 -o "$scratch/here/ends" tests/record/programs/ends.c) 2>build.err
  result $? "/record/$mpi/build" "$(cat build.err)"
  whole
  clock
  hosts
  ends
  paths
  early
  limit
  mixed
  by_hand
  stripped
  frames
  wrapped
  scripts
  again
}

for_each_mpi recorder
tap_done
