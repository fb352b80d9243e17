#!/bin/sh
# The table of collective operations under each MPI that is there: prepared, verified and
# launched at several sizes, with roots, in place, in rotating regions; errors.
set -u
. tests/support/measure.sh
area=/measure/operations

# program NAME RANKS [brief]: under $mpi; each line of it is a result
program () {
  path="/measure/$1/$mpi/$2"
  under_mpi "$2" "tests/measure/$1" ${3:-} >out 2>err
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

test_all () {
  program operation-setup 2
  program operation-setup 3
  program operations 2
  program operations 3 brief
  # the other one's processes do not let each other go first
  [ "$mpi" = mpich ] || program operations 4 brief
}

for_each_mpi all
tap_done
