#!/bin/sh
# What a recording keeps of the hosts of its ranks, under each MPI that is there: processors that
# ranks share, which the analysis says first, and how many of them threads keep busy. Prescribed
# clocks give known values; a program that measures itself, ratios.
# SPDX-License-Identifier: MIT
set -u
. tests/support/mpi.sh
area=/mpi-hosts
source=$root/tests/record/programs/busy.c

# write_clock USAGE BUSY...: times of the program in microseconds, which a rank reads twice in
# each call; four ranks of one host
write_clock () {
  awk 'BEGIN {
    printf "* times"
    n = split("0 10 20 21 100 110", t, " ")
    for (i = 1; i <= n; i++) printf " %d", t[i] * 1000
    for (i = 1; i <= 5; i++) printf " %d %d", i * 10000000, i * 10000000 + 100000
    printf " 50110000 50120000 50130000 50140000"
    for (i = 6; i <= 10; i++) printf " %d %d", i * 10000000, i * 10000000 + 100000
    print " 100110000 100120000 100130000 100140000"
  }'
  echo "* host node7"
  echo "* usage $1"
  shift
  for busy in "$@"; do
    echo "* busy $busy"
  done
}

record () {
  write_clock "$@" >clock
  ran 0 env PREDICTOR_RECORD_CLOCK="$scratch/clock" "$program" record -q --force -o recorded -- \
    "mpiexec.$mpi" -n 4 ./busy 1
}

# first_words: of the diagnosis
first_words () {
  "$program" analyse recorded 2>/dev/null | sed -n '/^Diagnosis/{n;p;}'
}

test_compile () {
  gives compile 0 "mpicc.$mpi" -g -O1 -o busy "$source" -lpthread
}

test_shared () {
  record "1 7 4096000 0 0-1"
  told $? shared-record
  has shared-info 0 "4 ranks shared 2 processors of node7" sh -c "$program info recorded 2>&1"
  has shared-check 0 "[processors-shared]" sh -c "$program check recorded 2>&1"
  has shared-run 0 "[processors-shared]" sh -c "$program run recorded -m ideal 2>&1"
  first_words | grep -q -- '^- 4 ranks shared 2 processors: their waits are those of the scheduler, not of'
  result $? "$area/shared-first" "$(first_words)"
  has shared-json 0 '"id": "processors-shared"' "$program" analyse recorded --json
  "$program" analyse recorded --xml xml >/dev/null 2>&1
  grep -qF '<diagnosis id="processors-shared">4 ranks shared 2 processors' xml
  result $? "$area/shared-xml" "$(grep -F diagnosis xml)"
  ! "$program" analyse recorded --json 2>&1 | grep -E '"id": "(root-cause|load-imbalance|idle|delays|desynchronised)"' >found
  result $? "$area/shared-nobody-is-blamed" "$(cat found)"
  ! "$program" analyse recorded -m ideal 2>/dev/null | grep -F 'scheduler' >found
  result $? "$area/shared-not-of-the-predicted-run" "$(cat found)"
}

test_own () {
  record "1 7 4096000 0 0-3"
  told $? own-record
  "$program" analyse recorded >text 2>&1
  ! grep -E 'shared|threads' text >found
  result $? "$area/own-processors" "$(cat found)"
  record "1 7 4096000 2500 0-3"
  has quota 0 "4 ranks shared 2.5 processors, the limit of their control group" "$program" analyse recorded --json
}

# of 1,000 switches in 0.1 s of computation each
test_switches () {
  record "1 1000 4096000 0 0-3"
  has switches 0 "[processor-lost]" "$program" analyse recorded
  record "1 99 4096000 0 0-3"
  ! "$program" analyse recorded 2>&1 | grep -F '[processor-lost]' >found
  result $? "$area/few-switches" "$(cat found)"
}

# Each rank takes 100.14 ms, of which it had no processor for some.
test_taken () {
  record "1 7 4096000 0 0-3 4000000"
  told $? taken-record
  ! "$program" analyse recorded 2>&1 | grep -E 'processor-lost|had no processor' >found
  result $? "$area/taken-little" "$(cat found)"
  record "1 7 4096000 0 0-3 50070000"
  has taken-check 0 "ranks were ready but had no processor for 0.2 s together, 50 % of their time" sh -c "$program check recorded 2>&1"
  first_words | grep -qx -- '- Ranks were ready but had no processor for 200 ms, 50 % of their time, because'
  result $? "$area/taken-first" "$(first_words)"
  has taken-json 0 '"id": "processors-taken"' "$program" analyse recorded --json
  ! "$program" analyse recorded --json 2>&1 | grep -E '"id": "(root-cause|load-imbalance|idle|delays|desynchronised)"' >found
  result $? "$area/taken-blames-nobody" "$(cat found)"
  record "1 7 4096000 0 0-1 50070000"
  has taken-shared 0 "4 ranks shared 2 processors, and were ready but had none for 200 ms, 50 % of their time: their waits are those of the scheduler" "$program" analyse recorded --json
}

test_threads () {
  record "4 7 4096000 0 0-15" "0 1.6"
  told $? threads-record
  has threads 0 "4 threads, 1.6 busy on average while a rank computes" "$program" analyse recorded
  has threads-json 0 '"id": "threads-busy"' "$program" analyse recorded --json
  record "4 7 4096000 0 0-15" "0 3" "50125000 1"
  has threads-mean 0 "4 threads, 2.0 busy on average while a rank computes" "$program" analyse recorded
  "$program" analyse --full recorded >text 2>&1
  grep -q '4 threads, 3.0 busy' text && grep -q '4 threads, 1.0 busy' text
  result $? "$area/threads-by-interval" "$(grep 'threads,' text)"
  write_clock "4 7 4096000 0 0-3" "0 0.9" | sed 's/^\* usage.*0-3/& /; s/^\* usage \(.*\) 0-3.*/0 usage \1 0\n1 usage \1 1\n2 usage \1 2\n3 usage \1 3/' >clock
  ran 0 env PREDICTOR_RECORD_CLOCK="$scratch/clock" "$program" record -q --force -o recorded -- \
    "mpiexec.$mpi" -n 4 ./busy 1
  has threads-bound 0 "they may use 1 processor only" "$program" analyse recorded --json
}

# Parallel regions of OpenMP: 40 of all ranks, 80 ms; of 320 ms of threads 200 are work.
test_regions () {
  { write_clock "1 7 4096000 0 0-3"; echo "* regions 10 4 20000000 50000000 18000000 80000000"; } >clock
  ran 0 env PREDICTOR_RECORD_CLOCK="$scratch/clock" "$program" record -q --force -o recorded -- \
    "mpiexec.$mpi" -n 4 ./busy 1
  told $? regions-record
  "$program" analyse recorded --json >json 2>&1
  grep -qF '40 parallel regions of up to 4 threads take 80 ms, ' json && grep -qF 'threads are busy for 62 % of the time: the one that works longest in each region works 72 ms in all, the mean one 50 ms' json
  result $? "$area/regions-said" "$(grep -F regions json)"
}

# What a runtime of OpenMP tells: as many regions as the program has, one thread busier.
test_runtime () {
  if ! command -v clang >/dev/null 2>&1 || ! MPICH_CC=clang OMPI_CC=clang "mpicc.$mpi" -fopenmp -o regions "$root/tests/record/programs/regions.c" 2>/dev/null; then
    skip "$area/runtime" "clang with OpenMP is missing"
    return
  fi
  ran 0 "$program" record -q --force -o recorded -- "mpiexec.$mpi" -n 2 ./regions
  told $? runtime-record
  "$program" analyse recorded --json >json 2>&1
  grep -qF '6 parallel regions of up to 2 threads take ' json
  result $? "$area/runtime-regions" "$(grep -F regions json)"
  command -v otf2-print >/dev/null 2>&1 || { skip "$area/runtime-busy" "otf2-print is absent"; return; }
  otf2-print -G recorded/traces.otf2 | awk '
    /REGION_/ && /Value: / { match($0, /REGION_[A-Z]+/); sum[substr($0, RSTART + 7, RLENGTH - 7)] += $NF }
    END {
      ratio = sum["LONGEST"] > 0 ? sum["BUSY"] / sum["LONGEST"] : 0
      print ratio, sum["BUSY"], sum["LONGEST"], sum["TIME"], sum["CAPACITY"]
      exit !(ratio > 1.05 && ratio < 1.95 && sum["LONGEST"] <= sum["TIME"] && sum["BUSY"] <= sum["CAPACITY"])
    }' >sums
  result $? "$area/runtime-busy" "busy of longest, and sums: $(cat sums)"
}

# One rank with three threads, however many processors there are: what the analysis says is what
# the program has measured.
test_real () {
  ran 0 "$program" record -q --force -o recorded -- "mpiexec.$mpi" -n 1 ./busy 3 0.03
  told $? real-record
  awk '$1 == 0 { print $2 }' stdout >own
  "$program" analyse recorded 2>&1 | tr '\n' ' ' | sed 's/.*hreads, \([0-9.]*\) *busy on.*/\1/' >said
  awk 'NR == 1 { own = $1 } NR == 2 { exit !(own > 0 && $1 > 0.85 * own - 0.06 && $1 < 1.15 * own + 0.06) }' own said
  result $? "$area/real-threads" "measured $(cat own), said $(head -c 300 said)"
}

for_each_mpi compile shared own switches taken threads regions runtime real
tap_done
