/* Whether ranks share processors, and what their computation is measured in therefore.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_SHARING_H
#define PD_REC_SHARING_H

#include "record/stream/pd-rec-format.h"
#include "record/stream/pd-rec.h"

/* Where a rank is, and what it may use there. */
typedef struct
{
  uint64_t host;                               /* the same on ranks of one host */
  uint64_t processors[PD_REC_PROCESSORS / 64]; /* none: unknown */
  uint64_t quota;                              /* thousandths of a processor; 0 = no limit */
  uint64_t is_coarse;                          /* processor time stands still between readings */
} PdRecPlace;

/**
 * pd_rec_sharing_find:
 * @places: (array length=n): of all ranks; gets another order
 * @n: ranks
 *
 * Ranks share processors if those of a host that may use some processors, or a part of these, are
 * more than these processors, or more than the least limit of their control groups.
 *
 * Returns: whether any ranks do.
 */
int pd_rec_sharing_find (PdRecPlace *places, uint32_t n);

/**
 * pd_rec_sharing_choose:
 * @wish: the clock that rank 0 is asked for; the others' does not matter
 * @host: name of this rank's
 * @usage: of this rank
 *
 * Collective. Rank 0 says on stderr if %PD_REC_CLOCK_CPU is due, but cannot be used.
 *
 * Returns: %PD_REC_CLOCK_WALL or %PD_REC_CLOCK_CPU, the same on all ranks.
 */
PdRecClock pd_rec_sharing_choose (const PdRecMpi *mpi, PdRecClock wish, const char *host,
                                  const PdRecUsage *usage);

#endif
