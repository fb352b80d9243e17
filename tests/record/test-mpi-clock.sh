#!/bin/sh
# Ranks that share processors, under each MPI that is there: their computation is processor time.
# Prescribed clocks give known values; a real program shows that there are fewer time slices of
# others in it than in the time that passes.
# SPDX-License-Identifier: MIT
set -u
. tests/support/mpi.sh
area=/mpi-clock
source=$root/tests/record/programs/work.c

# write_clock PROCESSORS HOST1 [LINES...]: of two ranks that compute 1000, 500, 1000, 500 ns
write_clock () {
  echo "* times 0 10 20 30 30 40 1040 1050 1550 1560 2560 2570 3070 3080 3090 3100"
  echo "* usage 1 7 4096000 0 $1"
  echo "0 host node0"
  echo "1 host $2"
  shift 2
  for line in "$@"; do
    echo "$line"
  done
}

# record ARGUMENT...: of the command, with the clock in that file
record () {
  ran 0 env PREDICTOR_RECORD_CLOCK="$scratch/clock" "$program" record -q --force -o recorded "$@" -- \
    "mpiexec.$mpi" -n 2 ./work 2 10
}

# clock NAME CLOCK TIMES: the recording's clock, and what rank 0 computes between the calls
clock () {
  "$program" info recorded >text 2>&1
  grep -q "^  clock  *$2:" text
  result $? "$area/$1-clock" "$(cat text)"
  "$program" convert recorded program.pdt >text 2>&1
  found=$(awk '/^rank/ { rank = $2 } rank == 0 && $1 == "compute" { printf "%s ", $2 }' program.pdt)
  [ "$found" = "$3 " ]
  result $? "$area/$1-computation" "$found instead of $3: $(cat text)"
}

all="10ns 1us 500ns 1us 500ns 10ns"
half="5ns 500ns 250ns 500ns 250ns 5ns"

test_compile () {
  gives compile 0 "mpicc.$mpi" -g -O1 -o work "$source"
}

# A thread that has half of a processor, of which both ranks have one.
test_known () {
  write_clock 0 node0 "* own 0 0.5" >clock
  record
  told $? known-record
  clock known cpu "$half"
  grep -qF 'local "(no processor)" 0ps took=250ns' program.pdt && grep -qF 'end 3.08us' program.pdt
  result $? "$area/known-times-stay" "$(cat program.pdt)"
  write_clock 0 node0 "* own 0 0.5" "* reading 2000" >clock
  record
  clock without-reading cpu "3ns 498ns 248ns 498ns 248ns 3ns"
  has predicted-from-it 0 '"productive_time": 0.000003008' "$program" run recorded -m ideal --json
}

# What is asked for counts; where nothing is, whether all ranks find a processor.
test_choice () {
  write_clock 0 node0 "* own 0 0.5" >clock
  record --clock wall
  clock wall-asked-for wall "$all"
  write_clock 0-1 node0 "* own 0 0.5" >clock
  record
  clock enough wall "$all"
  record --clock cpu
  clock cpu-asked-for cpu "$half"
  has cpu-said 0 "[recorded-clock]" "$program" run recorded -m ideal
  write_clock 0 node1 "* own 0 0.5" >clock
  record --clock auto
  has two-hosts 0 "wall: computation is the time that passed" "$program" info recorded
  write_clock 0-3 node0 "* usage 1 7 4096000 1500 0-3" "* own 0 0.5" >clock
  record
  clock limit cpu "$half"
  refused unknown-clock 2 "expected cpu, wall or auto" "$program" record --clock gps -o other -- "mpiexec.$mpi" -n 2 ./work
}

# Nobody is blamed for the waits of a scheduler, which are there all the same.
test_analyse () {
  write_clock 0 node0 "* own 0 0.5" >clock
  record
  "$program" analyse recorded >text 2>/dev/null
  sed -n '/^Diagnosis/{n;p;}' text | grep -q '^- 2 ranks shared 1 processor: their waits are those of the scheduler'
  result $? "$area/analyse-first" "$(cat text)"
  grep -qF -e "-m MACHINE" text && grep -qF -e "--measured shows" text && ! grep -q '^Waiting' text
  result $? "$area/analyse-without-waits" "$(cat text)"
  has analyse-measured 0 "Call site" "$program" analyse recorded --measured
  ! grep -qF -e "--measured shows" stdout
  result $? "$area/analyse-measured-shows" "$(cat stdout)"
  refused analyse-measured-machine 2 "--measured is of recorded runs" "$program" analyse recorded --measured -m ideal
  lacks analyse-predicted 0 "scheduler" "$program" analyse recorded -m ideal
  has reproduce-note 0 "[recorded-shared]" "$program" run recorded -m ideal --reproduce
}

# Eight ranks on one processor: each has it an eighth of the time, and computes as much as others.
test_real () {
  command -v taskset >/dev/null 2>&1 || { skip "$area/real" "taskset is missing"; return; }
  ran 0 env OMPI_MCA_hwloc_base_binding_policy=none taskset -c 0 "$program" record --force -o real -- \
    "mpiexec.$mpi" -n 8 ./work 10 1000000
  told $? real-record
  grep -q '^clock: cpu; reading processor time takes 2 x [0-9.]* us a call' stderr
  result $? "$area/real-cost-said" "$(cat stderr)"
  "$program" info real >text 2>&1
  grep -q '^  clock  *cpu:' text && grep -q '^  processors  *8 ranks shared 1 processor$' text \
    && grep -q '^  switches .* per second of computation, most ' text && grep -q '^  memory .* of all ranks together' text
  result $? "$area/real-said" "$(cat text)"
  awk '$1 == "computation" { computed = $2 } $1 == "recorded" { run = $3 }
    END { exit !(computed > 0 && computed < 0.5 * 8 * run) }' text
  result $? "$area/real-computation" "$(cat text)"
  "$program" analyse real --html plain.html >text 2>&1 && "$program" analyse real --measured --html waits.html >text 2>&1
  ! grep -qF 'Waiting by its cause' plain.html && grep -qF 'Waiting by its cause' waits.html
  result $? "$area/page-of-shared" "$(cat text)"
  ran 0 env OMPI_MCA_hwloc_base_binding_policy=none taskset -c 0 "$program" record -q --force --clock wall -o wall -- \
    "mpiexec.$mpi" -n 8 ./work 10 1000000
  for r in real wall; do
    "$program" convert $r $r.pdt >/dev/null 2>&1
    grep -vE '^ *(compute|cost|clock|usage|begin|init|end|finalize|local "\(no)' $r.pdt | sed 's/"MPI_[a-zA-Z_]*" [^ ]*/call/; s/ took=[^ ]*//' >$r.text
  done
  cmp -s real.text wall.text
  result $? "$area/real-structure" "$(diff real.text wall.text | head -20)"
}

for_each_mpi compile known choice analyse real
tap_done
