# Sourced by tests/test-*.sh that run programs under each MPI that is there ($mpi), in the
# scratch folder. Neither who we are nor how many cores there are matters to Open MPI, nor
# what other runs of it have in the system's folder.
# SPDX-License-Identifier: MIT
. tests/support/checks.sh
mkdir "$scratch/tmp" && cd "$scratch" || exit 1
export TMPDIR="$scratch/tmp" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
unset PREDICTOR_RECORD_DIR PREDICTOR_RECORD_CLOCK PREDICTOR_MAX_SIZE PREDICTOR_MAX_RANK_SIZE PREDICTOR_BUFFER_SIZE \
  PREDICTOR_STACK_DEPTH PREDICTOR_CLOCK LD_PRELOAD

# Under sanitizers one of them is enough.
mpis=${TEST_MPIS:-mpich openmpi}

# for_each_mpi NAMES...: the functions test_NAME, with $mpi, in $area of that name
for_each_mpi () {
  areas=$area
  for mpi in $mpis; do
    if ! command -v "mpicc.$mpi" >/dev/null 2>&1 || ! command -v "mpiexec.$mpi" >/dev/null 2>&1; then
      skip "$areas/$mpi" "mpicc.$mpi or mpiexec.$mpi is missing"
      continue
    fi
    area=$areas/$mpi
    for t in "$@"; do
      "test_$t"
    done
  done
}
