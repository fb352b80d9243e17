# Of tests of predictor-measure: runs it, in a folder of its own, under the MPI $mpi.
# shellcheck shell=sh
# SPDX-License-Identifier: MIT
. tests/support/mpi.sh

# under_mpi RANKS PROGRAM WORDS...: a program of the folder of built ones
under_mpi () {
  ranks=$1 ranked=$2
  shift 2
  timeout 600 "mpiexec.$mpi" -n "$ranks" "$build/$ranked.$mpi" "$@"
}

# measure RANKS WORDS...
measure () {
  ranks=$1
  shift
  under_mpi "$ranks" measure/predictor-measure "$@"
}

# column TABLE NAME <CSV: the values of a column of a block
column () {
  awk -F, -v table="$1" -v name="$2" '
    $1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == table { print $(at[name]) }'
}

words () { tr '\n' ' ' | sed 's/ $//'; }
