#!/bin/sh
# The recorder under each MPI that is there: programs with known arguments are
# run under it with 2 and 4 ranks, and what the archives hold, without times, is
# compared with tests/data/record. UPDATE=1 writes these files anew.
. tests/support/tap.sh
mpis=${TEST_MPIS:-mpich openmpi}
build=${BUILD:-build}
predictor=$build/predictor/predictor
data=tests/data/record
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# not where other runs of Open MPI have their folders
export TMPDIR="$work"
export PREDICTOR_RECORD_DIR="$work/archive"
unset PREDICTOR_STACK_DEPTH PREDICTOR_MAX_SIZE PREDICTOR_MAX_RANK_SIZE PREDICTOR_BUFFER_SIZE PREDICTOR_CLOCK

# start N COMMAND...: under $mpi; what it says is in $work/out and $work/err
start () {
  ranks=$1
  shift
  rm -rf "$work/archive"
  oversubscribe=
  [ "$mpi" = openmpi ] && oversubscribe=--oversubscribe
  timeout 300 "mpiexec.$mpi" $oversubscribe -n "$ranks" "$@" >"$work/out" 2>"$work/err"
}

# What does not depend on times or on what the reader makes of calls that it does
# not model; requests that complete together in the order of their numbers.
plain () {
  sed '/^ *delay 0ps took=/d; /^ *local "(no processor)"/d
       s/^ *\(local\|other\) \("[^"]*"\).*/  region \2/
       /^clock /d; /^ *usage /d
       /^ *cost /d; /^ *compute /d; /^ *end /d; /^ *begin /d; /^ *init /d; /^ *finalize /d; /^ *alike_/d; /^site /d
       s/ took=[^ ]*//; s/ site=[^ ]*//' |
    awk '$1 == "waitall" {
           for (i = 3; $i ~ /^[0-9]/; i++)
             for (j = i; j > 2 && $j + 0 < $(j - 1) + 0; j--) { t = $j; $j = $(j - 1); $(j - 1) = t }
           sub (/^ */, "  ")
         }
         { print }'
}

archive_as_text () {
  "$predictor" convert "$work/archive/traces.otf2" "$work/text" --to text 2>"$work/convert"
  case $? in 0 | 3 | 4) ;; *) return 1 ;; esac # 3: calls of a thread are missing; 4: the run ended early
  plain <"$work/text" >"$work/plain"
}

# compare NAME EXPECTED: the archive with a file in $data
compare () {
  if ! archive_as_text; then
    result 1 "$1" "$(cat "$work/err" "$work/convert")"
    return
  fi
  [ -z "${UPDATE:-}" ] || cp "$work/plain" "$data/$2"
  diff "$data/$2" "$work/plain" >"$work/diff"
  result $? "$1" "$(head -n 30 "$work/diff")"
}

# compile PROGRAM: into $compiled; what keeps this MPI from it is in $absent
compile () {
  compiled=$work/$1.$mpi absent=
  case $1 in
  fortran*)
    command -v "mpif90.$mpi" >/dev/null 2>&1 || { absent="mpif90.$mpi is absent"; return; }
    "mpif90.$mpi" -w -O1 -fallow-argument-mismatch -o "$compiled" "tests/record/programs/$1.f90" ;;
  mpi4)
    grep -q 'MPI_Isendrecv$' "$build/record/$mpi/names.list" ||
      { absent="this MPI has not all of MPI-4"; return; }
    "mpicc.$mpi" -w -O1 -o "$compiled" "tests/record/programs/$1.c" ;;
  *) "mpicc.$mpi" -w -O1 -o "$compiled" "tests/record/programs/$1.c" ;;
  esac >"$work/compile" 2>&1
}

run_programs () {
  for program in messages requests collectives communicators windows mpi4 fortran fortran08; do
    if ! compile $program; then
      result 1 "$mpi: $program compiles" "$(cat "$work/compile")"
      continue
    fi
    [ -z "$absent" ] || { skip "$mpi: $program" "$absent"; continue; }
    for n in 2 4; do
      start $n env LD_PRELOAD="$library" "$compiled"
      compare "$mpi: $program, $n ranks" "$program-$n.txt"
    done
  done
}

# Functions that are neither wrapped nor named as left out would go unseen.
check_names () {
  grep -o 'MPI_[A-Za-z0-9_]*$' "$build/record/$mpi/names.list" |
    grep -v -e '2f$' -e '2c$' -e '2f08$' -e '^MPI_T_' -e '^MPI_Wti' -e '^MPI_Aint_' >"$work/wanted"
  nm -D --defined-only "$library" | sed 's/.* //' | sort >"$work/wrapped"
  missing=$(sort "$work/wanted" | comm -23 - "$work/wrapped")
  [ -s "$work/wanted" ] && [ -z "$missing" ]
  result $? "$mpi: all functions of mpi.h are wrapped" "not wrapped: $missing"
}

run_linked () {
  "mpicc.$mpi" -w -O1 -o "$work/linked" tests/record/programs/messages.c "$library" \
    -Wl,-rpath,"$(dirname "$library")" >"$work/compile" 2>&1
  result $? "$mpi: linking with the recorder" "$(cat "$work/compile")"
  start 2 "$work/linked"
  compare "$mpi: a linked program" messages-2.txt
}

# Programs do with the recorder what they do without it.
run_corners () {
  corners=$work/corners.$mpi
  "mpicc.$mpi" -w -O1 -o "$corners" tests/record/programs/corners.c -lpthread || return
  start 2 env LD_PRELOAD="$library" "$corners" control
  compare "$mpi: MPI_Pcontrol" control-2.txt
  for what in nested wrong serialized threads fork spawn; do
    start 2 "$corners" $what
    if ! grep -q '^fine$' "$work/out"; then
      skip "$mpi: $what" "does not work with this MPI"
      continue
    fi
    start 2 env LD_PRELOAD="$library" "$corners" $what
    status=$?
    [ $status = 0 ] && grep -q '^fine$' "$work/out" && archive_as_text
    result $? "$mpi: $what" "status $status: $(cat "$work/out" "$work/err")"
  done
  for how in abort kill; do
    start 2 "$corners" $how
    expected=$?
    start 2 env LD_PRELOAD="$library" "$corners" $how
    status=$?
    [ $status = $expected ] && "$predictor" record --finish "$work/archive" >"$work/finish" 2>&1 &&
      archive_as_text && grep -q barrier "$work/plain"
    result $? "$mpi: $how" "status $status instead of $expected: $(cat "$work/err" "$work/finish")"
  done
}

# messages_of COMMAND...: how many are sent and received over each communicator
count_messages () {
  awk '$1 ~ /send$/ { n["sent"]++ } $1 ~ /recv$/ { n["received"]++ }
       END { print n["sent"] + 0, n["received"] + 0 }' "$work/text"
}

# Four threads of each rank exchange 100 messages with their like of the other rank, in pairs that
# do not know of each other; then each rank is killed in the middle of the same: by then the
# threads of the first one have sent 50 each.
run_threads () {
  threads=$work/threads.$mpi
  "mpicc.$mpi" -w -O1 -o "$threads" tests/record/programs/threads.c -lpthread || return
  start 2 "$threads" 100
  if ! grep -q '^fine$' "$work/out"; then
    skip "$mpi: threads" "MPI_THREAD_MULTIPLE does not work with this MPI"
    return
  fi
  for how in blocking requests others short; do
    start 2 env LD_PRELOAD="$library" "$threads" 100 $how
    archive_as_text && [ "$(count_messages)" = "800 800" ]
    result $? "$mpi: threads, $how: each message once" "$(count_messages); $(cat "$work/err" "$work/convert")"
    "$predictor" analyse "$work/archive/traces.otf2" >"$work/analysis" 2>&1
    status=$?
    ! grep -q 'matching-incomplete' "$work/analysis" && [ $status = 0 -o $status = 4 ]
    result $? "$mpi: threads, $how: matched" "$(cat "$work/analysis")"
  done
  start 2 env LD_PRELOAD="$library" "$threads" 100 kill
  "$predictor" record --finish "$work/archive" >"$work/finish" 2>&1
  archive_as_text && [ "$(awk '$1 ~ /send$/ { n++ } END { print (n >= 200) }' "$work/text")" = 1 ]
  result $? "$mpi: threads that are killed" "$(cat "$work/finish" "$work/convert")"
}

# Two ways to one place alternate, from two depths.
run_stacks () {
  command -v otf2-print >/dev/null 2>&1 || { skip "$mpi: stacks" "otf2-print is absent"; return; }
  "mpicc.$mpi" -w -O2 -o "$work/stacks" tests/record/programs/stacks.c || return
  for depth in 0 1 2 4 64; do
    PREDICTOR_STACK_DEPTH=$depth
    export PREDICTOR_STACK_DEPTH
    start 1 env LD_PRELOAD="$library" "$work/stacks"
    unset PREDICTOR_STACK_DEPTH
    # the numbers of the stacks, anew in the order of their first use
    seen=$(otf2-print "$work/archive/traces.otf2" 2>/dev/null | grep -A 1 'ENTER.*MPI_Barrier' |
      sed -n 's/.*CALLING_CONTEXT.*<\([0-9]*\)>.*/\1/p' |
      awk '!($1 in n) { n[$1] = ++k } { s = s n[$1] } END { print s }')
    case $depth in
    0) expected= ;;
    1) expected=111111111111 ;;
    2) expected=121212121212 ;;
    *) expected=121212343434 ;;
    esac
    [ "$seen" = "$expected" ]
    result $? "$mpi: stacks of $depth" "expected '$expected', got '$seen'; $(cat "$work/err")"
  done
}

for mpi in ${TEST_MPIS:-mpich openmpi}; do
  library=$(cd "$build" && pwd)/record/libpredictor-record.$mpi.so
  if [ ! -e "$library" ]; then
    skip "the recorder with $mpi" "mpicc.$mpi is absent"
    continue
  fi
  check_names
  run_programs
  run_linked
  run_corners
  run_threads
  run_stacks
done
tap_done
