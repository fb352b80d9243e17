# Of tests of predictor-measure: runs it, in a folder of its own, under the MPI $mpi.
# shellcheck shell=sh
# SPDX-License-Identifier: MIT
build=$(realpath "${BUILD:-build}")
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# the folders of Open MPI not where other runs have theirs
export LC_ALL=C TMPDIR="$work" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
  OMPI_MCA_rmaps_base_oversubscribe=1
cd "$work" || exit 1

# measure RANKS WORDS...: under $mpi; status, "out" and "err"
measure () {
  ranks=$1
  shift
  timeout 120 "mpiexec.$mpi" -n "$ranks" "$build/measure/predictor-measure.$mpi" "$@" >out 2>err </dev/null
  status=$?
}

# fine NAME RANKS WORDS...: status 0
fine () {
  name=$1
  shift
  measure "$@"
  result $status "/measure/$mpi/$name" "status $status: $(cat out err)"
}

# refused NAME STATUS PATTERN RANKS WORDS...: that status, and what stderr says
refused () {
  name=$1 wanted=$2 pattern=$3
  shift 3
  measure "$@"
  [ "$status" = "$wanted" ] && grep -q -- "$pattern" err
  result $? "/measure/$mpi/$name" "status $status: $(cat err)"
}

# column TABLE NAME <CSV: the values of a column of a block
column () {
  awk -F, -v table="$1" -v name="$2" '
    $1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == table { print $(at[name]) }'
}

# same NAME EXPECTED FOUND
same () {
  [ "$2" = "$3" ]
  result $? "/measure/$mpi/$1" "expected '$2', found '$3'"
}

words () { tr '\n' ' ' | sed 's/ $//'; }

# for_each_mpi NAMES...: the functions test_NAME, with $mpi.
for_each_mpi () {
  for mpi in mpich openmpi; do
    if ! command -v "mpicc.$mpi" >/dev/null 2>&1 || ! command -v "mpiexec.$mpi" >/dev/null 2>&1; then
      skip "/measure/$mpi" "mpicc.$mpi or mpiexec.$mpi is missing"
      continue
    fi
    for t in "$@"; do
      "test_$t"
    done
  done
}
