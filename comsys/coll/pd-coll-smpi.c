/* What SMPI chooses when it is not told otherwise: the selector "default" of SimGrid
 * 3.32 to 4.1 (src/smpi/colls/smpi_default_selector.cpp and, of Alltoall,
 * smpi_openmpi_selector.cpp, of Reduce_scatter with unequal blocks,
 * smpi_mpich_selector.cpp). Rows: ranks from, to; bytes up to; condition; algorithm;
 * segment. Where SMPI's own pairwise exchange gives up, with ranks that are no
 * power of two, pairs are those of the shift. The limit of Reduce_scatter is one of
 * elements: of 8 bytes here.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/coll/pd-coll-smpi-private.h"

#define ANY G_MAXINT64

/* clang-format off */

static const PdAlgorithmRow binomial[] = {
  { 0, 0, ANY, 0, "binomial", 0 },
};

static const PdAlgorithmRow linear[] = {
  { 0, 0, ANY, 0, "linear", 0 },
};

static const PdAlgorithmRow reduce[] = {
  { 0, 0, ANY, 0, "gather", 0 },
};

static const PdAlgorithmRow allreduce[] = {
  { 0, 0, ANY, 0, "gather-bcast", 0 },
};

static const PdAlgorithmRow alltoall[] = {
  { 0, 2, ANY, 0, "two-proc", 0 },
  { 0, 7, 524287, 0, "linear-sync", 0 },
  { 0, 7, 1048575, 0, "pairwise", 0 },
  { 0, 15, ANY, 0, "linear-sync", 0 },
  { 0, 31, 3, 0, "linear-sync", 0 },
  { 0, 63, 511, 0, "bruck", 0 },
  { 0, 63, ANY, 0, "linear-sync", 0 },
  { 0, 511, 1023, 0, "bruck", 0 },
  { 0, 255, 262143, 0, "linear-sync", 0 },
  { 0, 511, 32767, 0, "linear-sync", 0 },
  { 0, 511, ANY, 0, "pairwise", 0 },
  { 0, 2047, 511, 0, "bruck", 0 },
  { 0, 1023, 262143, 0, "linear-sync", 0 },
  { 0, 1023, ANY, 0, "pairwise", 0 },
  { 0, 2047, ANY, 0, "linear-sync", 0 },
  { 0, 4095, 1023, 0, "bruck", 0 },
  { 4096, 0, 2047, 0, "bruck", 0 },
  { 0, 0, ANY, 0, "linear-sync", 0 },
};

static const PdAlgorithmRow reduce_scatter[] = {
  { 0, 0, ANY, PD_WHEN_EQUAL, "gather-scatter", 0 },
  { 0, 0, 4194304, 0, "recursive-doubling", 0 },
  { 0, 0, ANY, 0, "pairwise", 0 },
};

#define ROWS(measure, rows) { measure, rows, G_N_ELEMENTS (rows) }

const PdCollectiveTable pd_collectives_smpi = {
  .name = "smpi",
  .selections = {
    [PD_OP_BARRIER] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_BCAST] = ROWS (PD_MEASURE_NONE, binomial),
    [PD_OP_REDUCE] = ROWS (PD_MEASURE_NONE, reduce),
    [PD_OP_ALLREDUCE] = ROWS (PD_MEASURE_NONE, allreduce),
    [PD_OP_GATHER] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_GATHERV] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_SCATTER] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_SCATTERV] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_ALLGATHER] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_ALLGATHERV] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_ALLTOALL] = ROWS (PD_MEASURE_BYTES, alltoall),
    [PD_OP_ALLTOALLV] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_ALLTOALLW] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_SCAN] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_EXSCAN] = ROWS (PD_MEASURE_NONE, linear),
    [PD_OP_REDUCE_SCATTER] = ROWS (PD_MEASURE_TOTAL, reduce_scatter),
    [PD_OP_REDUCE_SCATTER_BLOCK] = ROWS (PD_MEASURE_TOTAL, reduce_scatter),
  },
};

/* clang-format on */
