#!/bin/sh
# The cost of recording per call of MPI and on a halo exchange, with stacks of 1
# and of 4 addresses, under each installed MPI.
set -u
build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# not where other runs of Open MPI have their folders
export TMPDIR="$work"
export PREDICTOR_RECORD_DIR="$work/archive"
status=0 found=0

for mpi in mpich openmpi; do
  library=$(pwd)/$build/record/libpredictor-record.$mpi.so
  [ -e "$library" ] || continue
  found=1
  mpicc.$mpi -O2 -o "$work/calls" bench/record/calls.c -lm || { status=1; continue; }
  oversubscribe=
  [ $mpi = openmpi ] && oversubscribe=--oversubscribe
  for depth in 1 4; do
    echo "$mpi, 2 ranks, PREDICTOR_STACK_DEPTH=$depth"
    rm -rf "$PREDICTOR_RECORD_DIR"
    PREDICTOR_STACK_DEPTH=$depth timeout 60 mpiexec.$mpi $oversubscribe -n 2 \
      env LD_PRELOAD="$library" "$work/calls" || status=1
  done
done
[ $found = 1 ] || echo "no MPI is installed: nothing to measure"
exit $status
