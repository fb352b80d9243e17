#!/bin/sh
# The examples of examples/mpi, each with a planted problem, under each MPI that is
# there with 2 and 4 ranks: they are recorded, the archive is whole, and the
# diagnosis names the problem. Figures are of clocks that show an ideal run
# (tests/support/mpi-clocks.awk); with the real clock, what does not depend on times.
# SPDX-License-Identifier: MIT
set -u
. tests/support/mpi.sh
area=/mpi-examples
sources=$root/examples/mpi
clocks=$root/tests/support/mpi-clocks.awk

# line_of FILE WORDS: where the example has them first
line_of () {
  grep -nF -e "$2" "$sources/$1" | sed -n '1s/:.*//p'
}

# record NAME STEPS MICROSECONDS: the example, and what must hold of its archive
record () {
  timeout 600 "$program" record -q --force -o recorded -- "mpiexec.$mpi" -n "$n" "./$1" "$2" "$3" >stdout 2>stderr
  result $? "$path/record" "$(cat stdout stderr)"
  "$program" check recorded/traces.otf2 >stdout 2>stderr
  [ $? = 0 ] && grep -q ': ok$' stdout
  result $? "$path/check" "$(cat stdout stderr)"
  if command -v otf2-print >/dev/null 2>&1; then
    otf2-print recorded/traces.otf2 >print 2>stderr
    [ $? = 0 ] && [ ! -s stderr ] && [ "$(grep -c '^ENTER .*"MPI_Finalize"' print)" = "$n" ]
    result $? "$path/otf2-print" "$(head -n 20 stderr)"
  else
    skip "$path/otf2-print" "otf2-print is absent"
  fi
  "$program" analyse -wp -src 100 -srct 100 recorded/traces.otf2 --csv csv >text 2>stderr
  [ $? = 0 ] && [ ! -s stderr ] && ! grep -qF '[matching-incomplete]' text
  result $? "$path/analyse" "$(cat stderr; head -n 20 text)"
}

# counts INTERVAL ENTRIES SENDS RECEIVES WAITS COLLECTIVES: as the analysis says
counts () {
  found=$(awk -F, -v interval="$1" '
    { sub(/\r$/, "") }
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    NR > 1 && $(column["type"]) $(column["index"]) == interval {
      print $(column["exe_count"]), $(column["send_count"]), $(column["receive_count"]), \
            $(column["wait_count"]), $(column["collective_count"])
    }' csv)
  [ "$found" = "$2 $3 $4 $5 $6" ]
  result $? "$path/counts/$1" "$found instead of $2 $3 $4 $5 $6"
}

# says INTERVAL WORDS: the diagnosis of an interval, whose lines are joined
says () {
  sed -n "/^==== $1,/,/^Parallelization Efficiency/p" text | tr -s ' \n' '  ' >said
  grep -qF -e "$2" said
  result $? "$path/says/$1/$(echo "$2" | cut -c 1-60)" "$(fold -s -w 100 said)"
}

halo_says () {
  says "USER .*halo.c:$(line_of halo.c 'MPI_Pcontrol (100, 1') \\[1\\]" '100 % point to point'
  says 'USER [^ ]* \[1\]' 'Point-to-point operations take'
  says 'USER [^ ]* \[1\]' 'ranks that come at different times are the cause'
  says 'USER [^ ]* \[1\]' 'The reason is load imbalance'
  says 'USER [^ ]* \[1\]' "Rank $((n - 1)) computes 10 ms, rank 0 only 5 ms"
  says 'USER [^ ]* \[1\]' "halo.c:$(line_of halo.c MPI_Waitall) MPI_Waitall"
  says 'USER [^ ]* \[1\]' ', late sender)'
}

halo_counts () {
  counts USER1 1 $((2 * n * $1)) $((2 * n * $1)) $((n * $1)) 0
}

pipeline_says () {
  says MAIN '50 % point to point, 50 % collective'
  [ "$n" = 2 ] || says MAIN 'no longer than others, but these wait for it'
  says MAIN "pipeline.c:$(line_of pipeline.c MPI_Recv) MPI_Recv"
  says MAIN 'late sender)'
  says MAIN "pipeline.c:$(line_of pipeline.c MPI_Barrier) MPI_Barrier"
  says MAIN 'most on rank 0, wait at barrier)'
}

pipeline_counts () {
  counts MAIN 1 $(((n - 1) * $1)) $(((n - 1) * $1)) 0 1
}

intervals_says () {
  says MAIN "insufficient parallelism 62 %"
  says MAIN "$(((n - 1) * 5)) ms go to computation that several ranks do alike"
  says 'USER [^ ]* \[1\]' 'The reason is load imbalance'
  says 'USER [^ ]* \[1\]' 'Rank 0 computes 6 ms, rank 1 only 3 ms'
  says "USER .*intervals.c:$(line_of intervals.c 'MPI_Pcontrol (100, 2') \\[2\\]" 'rank 0 among the last. The reason is what comes before it'
  says 'USER [^ ]* \[2\]' "intervals.c:$(line_of intervals.c MPI_Allreduce) MPI_Allreduce"
  says 'USER [^ ]* \[2\]' 'wait at NxN)'
  says 'USER [^ ]* \[3\]' 'Rank 0 computes alone (3 ms, 100 %'
}

intervals_counts () {
  counts USER1 "$1" 0 0 0 "$1"
  counts USER2 "$1" 0 0 0 "$1"
  counts USER3 "$1" 0 0 0 0
  counts MAIN 1 0 0 0 $(($1 + 1))
}

stencil_says () {
  says MAIN '99 % collective'
  says MAIN "Rank $((n - 1)) computes 80 ms, rank 0 only 40 ms"
  says MAIN "stencil.f90:$(line_of stencil.f90 MPI_Bcast) MPI_Bcast"
  says MAIN 'late broadcast)'
}

stencil_counts () {
  counts MAIN 1 $((2 * n * $1)) $((2 * n * $1)) 0 "$1" # to MPI_PROC_NULL, too
}

# With several workers, who gets which task depends on the real machine, whatever the clocks say.
master_worker_says () {
  says MAIN "master-worker.c:$(line_of master-worker.c 'MPI_Recv (&answer') MPI_Recv"
  says MAIN 'late sender)'
  if [ "$n" = 2 ]; then
    says MAIN 'The reason is load imbalance'
    says MAIN 'Rank 1 computes alone (6 ms, 100 %'
  else
    says MAIN 'Ranks are through at different times, rank 1 after 1.01 ms and rank 3 after 3.01 ms'
    says MAIN 'Rank 0 hardly computes'
  fi
}

# Who answered is known: each send of a task or stop and each answer has its receive.
master_worker_counts () {
  messages=$((2 * $1 + n - 1))
  counts MAIN 1 $messages $messages 0 0
  "$program" convert recorded/traces.otf2 --to text - >trace 2>stderr
  answers=$(sed -n '/^rank 0 /,/^}/s/^ *recv any 4 tag=2 matched=\([0-9]*\):2 .*/\1/p' trace)
  [ "$(echo "$answers" | grep -c .)" = "$1" ] && [ "$(echo "$answers" | sort -u | wc -l)" -le $((n - 1)) ]
  result $? "$path/wildcards" "$answers"
}

# example NAME STEPS MICROSECONDS: the latter of the real run, however it is shown
example () {
  function=$(echo "$1" | tr - _)
  for n in 2 4; do
    path=/mpi-examples/$mpi/$1/$n
    awk -v program="$1" -v n="$n" -v steps="$2" -v work=1000000 -f "$clocks" >clock
    PREDICTOR_RECORD_CLOCK=$scratch/clock
    export PREDICTOR_RECORD_CLOCK
    record "$1" "$2" "$3"
    unset PREDICTOR_RECORD_CLOCK
    "${function}_says"
    "${function}_counts" "$2"
  done
  path=$path/real-clock
  record "$1" "$2" "$3"
  "${function}_counts" "$2"
}

# The machine of this node is one, and a run of two ranks is predicted on it.
measure_node () {
  path=/mpi-examples/$mpi/measure-node
  timeout 600 "mpiexec.$mpi" -n 2 ./measure-node >this-node.xml 2>stderr
  result $? "$path/runs" "$(cat stderr)"
  "$program" machine check this-node.xml >stdout 2>stderr
  result $? "$path/machine" "$(cat stdout stderr this-node.xml)"
  n=2
  record halo 5 100
  "$program" run recorded/traces.otf2 --reproduce -m this-node.xml >stdout 2>stderr
  [ $? = 0 ] && grep -q '^Recorded and predicted' stdout
  result $? "$path/reproduce" "$(cat stdout stderr)"
  timeout 600 "mpiexec.$mpi" -n 3 ./measure-node >stdout 2>stderr
  [ $? != 0 ] && grep -q 'expected 2 ranks, not 3' stderr && ! grep -q '<machine' stdout
  result $? "$path/ranks" "$(cat stdout stderr)"
}

test_examples () {
  for name in halo pipeline intervals master-worker measure-node; do
    "mpicc.$mpi" -g -O1 -Wall -Wextra -Werror -o $name "$sources/$name.c" >stdout 2>stderr
    result $? "/mpi-examples/$mpi/$name/build" "$(cat stderr)"
  done
  example halo 5 100
  example pipeline 3 300
  example intervals 3 100
  example master-worker 3 20000
  measure_node
  if ! command -v "mpif90.$mpi" >/dev/null 2>&1; then
    skip "/mpi-examples/$mpi/stencil" "mpif90.$mpi is absent"
    return
  fi
  "mpif90.$mpi" -g -O1 -o stencil "$sources/stencil.f90" >stdout 2>stderr
  result $? "/mpi-examples/$mpi/stencil/build" "$(cat stderr)"
  example stencil 40 ""
}

for_each_mpi examples
tap_done
