#!/bin/sh
# How far what predictor-measure says can be trusted, under each MPI: its timers,
# clocks half a second apart that drift by 1e-6 (wanted: 0.2, 0.5, 1 and 1 us after
# 0, 1, 5 and 10 s), and its ping-pong against a plain loop in turns (wanted: 5 %). And
# t(m, cf) of the memory, us, for the lengths of the paper of 2019.
set -u
build=${BUILD:-build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

for mpi in mpich openmpi; do
  program=$build/measure/predictor-measure.$mpi
  if ! [ -x "$program" ] || ! command -v "mpiexec.$mpi" >/dev/null 2>&1; then
    echo "$mpi: skipped, there is no $program or mpiexec.$mpi"
    continue
  fi
  for words in --check-timer --check-sync "transfer -q m1 M65536 K16 f2 R1 --check-loop" \
    "contention -q --sizes 4000000,8000000,16000000,32000000,64000000,128000000"; do
    echo "$mpi: $words"
    timeout 120 "mpiexec.$mpi" -n 2 "$program" $words | sed -n '/^$/,$s/^/  /p'
  done
done
