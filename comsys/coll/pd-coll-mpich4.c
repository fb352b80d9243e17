/* The choices of MPICH: the default selection of the releases 4.0 to 4.3.2
 * (maint/tuning/coll/mpir/generic.json, the same in all of them; its sizes are
 * those of the control variables MPIR_CVAR_BCAST_SHORT_MSG_SIZE 12288,
 * _BCAST_LONG_MSG_SIZE 524288, _ALLGATHER_SHORT_MSG_SIZE 81920,
 * _ALLGATHER_LONG_MSG_SIZE 524288, _REDUCE_SHORT_MSG_SIZE 2048,
 * _ALLTOALL_SHORT_MSG_SIZE 256, _ALLTOALL_MEDIUM_MSG_SIZE 32768,
 * _ALLTOALL_THROTTLE 32, _REDSCAT_COMMUTATIVE_LONG_MSG_SIZE 524288). Rows: ranks
 * from, to; bytes up to; condition; algorithm; segment. Its "count < pow2" assumes
 * elements of 8 bytes here. Differences: no algorithm for nodes of several ranks
 * ("smp"); the non-commutative Reduce_scatter is the recursive doubling.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/coll/pd-coll-mpich4-private.h"

#define ANY G_MAXINT64

/* clang-format off */

static const PdAlgorithmRow barrier[] = {
  { 0, 0, ANY, 0, "dissemination", 0 },
};

static const PdAlgorithmRow bcast[] = {
  { 0, 7, ANY, 0, "binomial", 0 },
  { 0, 0, 12288, 0, "binomial", 0 },
  { 0, 0, 524288, PD_WHEN_POWER, "scatter-doubling", 0 },
  { 0, 0, ANY, 0, "scatter-ring", 0 },
};

static const PdAlgorithmRow reduce[] = {
  { 0, 0, 2048, 0, "binomial", 0 },
  { 0, 0, ANY, PD_WHEN_COMMUTES | PD_WHEN_PIECES, "rabenseifner", 0 },
  { 0, 0, ANY, 0, "binomial", 0 },
};

static const PdAlgorithmRow allreduce[] = {
  { 0, 0, 8, 0, "recursive-doubling", 0 },
  { 0, 0, ANY, PD_WHEN_COMMUTES | PD_WHEN_PIECES, "rabenseifner", 0 },
  { 0, 0, ANY, 0, "recursive-doubling", 0 },
};

static const PdAlgorithmRow gather[] = {
  { 0, 0, ANY, 0, "binomial", 0 },
};

static const PdAlgorithmRow linear[] = {
  { 0, 0, ANY, 0, "linear", 0 },
};

static const PdAlgorithmRow allgather[] = {
  { 0, 0, 524287, PD_WHEN_POWER, "recursive-doubling", 0 },
  { 0, 0, 81919, PD_WHEN_NOT_POWER, "bruck", 0 },
  { 0, 0, ANY, 0, "ring", 0 },
};

static const PdAlgorithmRow alltoall[] = {
  { 0, 7, 32768, 0, "scattered", 32 },
  { 0, 7, ANY, 0, "pairwise", 0 },
  { 0, 0, 256, 0, "bruck", 0 },
  { 0, 0, 32768, 0, "scattered", 32 },
  { 0, 0, ANY, 0, "pairwise", 0 },
};

static const PdAlgorithmRow alltoallv[] = {
  { 0, 0, ANY, 0, "scattered", 32 },
};

static const PdAlgorithmRow scan[] = {
  { 0, 0, ANY, 0, "recursive-doubling", 0 },
};

static const PdAlgorithmRow reduce_scatter[] = {
  { 0, 0, ANY, PD_WHEN_ORDERED, "recursive-doubling", 0 },
  { 0, 0, 524287, 0, "recursive-halving", 0 },
  { 0, 0, ANY, 0, "pairwise", 0 },
};

#define ROWS(measure, rows) { measure, rows, G_N_ELEMENTS (rows) }

const PdCollectiveTable pd_collectives_mpich4 = {
  .name = "mpich4",
  .selections = {
    [PD_OP_BARRIER] = ROWS (PD_MEASURE_NONE, barrier),
    [PD_OP_BCAST] = ROWS (PD_MEASURE_BYTES, bcast),
    [PD_OP_REDUCE] = ROWS (PD_MEASURE_BYTES, reduce),
    [PD_OP_ALLREDUCE] = ROWS (PD_MEASURE_BYTES, allreduce),
    [PD_OP_GATHER] = ROWS (PD_MEASURE_NONE, gather),
    [PD_OP_GATHERV] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_SCATTER] = ROWS (PD_MEASURE_NONE, gather),
    [PD_OP_SCATTERV] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_ALLGATHER] = ROWS (PD_MEASURE_TOTAL, allgather),
    [PD_OP_ALLGATHERV] = ROWS (PD_MEASURE_TOTAL, allgather),
    [PD_OP_ALLTOALL] = ROWS (PD_MEASURE_BYTES, alltoall),
    [PD_OP_ALLTOALLV] = ROWS (PD_MEASURE_NONE, alltoallv),
    [PD_OP_ALLTOALLW] = ROWS (PD_MEASURE_NONE, alltoallv),
    [PD_OP_SCAN] = ROWS (PD_MEASURE_NONE, scan),
    [PD_OP_EXSCAN] = ROWS (PD_MEASURE_NONE, scan),
    [PD_OP_REDUCE_SCATTER] = ROWS (PD_MEASURE_TOTAL, reduce_scatter),
    [PD_OP_REDUCE_SCATTER_BLOCK] = ROWS (PD_MEASURE_TOTAL, reduce_scatter),
  },
};

/* clang-format on */
