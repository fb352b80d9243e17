#!/bin/sh
# The table of collective operations under each MPI that is there: prepared, verified and
# launched at several sizes, with roots, in place, in rotating regions; errors.
set -u
. tests/support/tap.sh
build=$(realpath "${BUILD:-build}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# the folders of Open MPI not where other runs have theirs
export LC_ALL=C TMPDIR="$work" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
  OMPI_MCA_rmaps_base_oversubscribe=1
cd "$work" || exit 1

# program NAME RANKS [brief]: under $mpi; each line of it is a result
program () {
  path="/measure/$1/$mpi/$2"
  timeout 600 "mpiexec.$mpi" -n "$2" "$build/tests/measure/$1.$mpi" ${3:-} >out 2>err </dev/null
  status=$?
  last=
  while read -r what name words; do
    case $what in
    good) result 0 "$path/$name" ;;
    bad) result 1 "$path/$name" "$words" ;;
    skip) skip "$path/$name" "$words" ;;
    esac
    last=$what
  done <out
  [ $status = 0 ] && [ "$last" = end ]
  result $? "$path/to-the-end" "status $status: $(tail -n 20 out err)"
}

for mpi in mpich openmpi; do
  if ! command -v "mpicc.$mpi" >/dev/null 2>&1 || ! command -v "mpiexec.$mpi" >/dev/null 2>&1; then
    skip "/measure/operations/$mpi" "mpicc.$mpi or mpiexec.$mpi is missing"
    continue
  fi
  program operation-setup 2
  program operation-setup 3
  program operations 2
  program operations 3 brief
  # the other one's processes do not let each other go first
  [ "$mpi" = mpich ] || program operations 4 brief
done
tap_done
