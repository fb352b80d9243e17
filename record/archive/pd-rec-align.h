/* Clocks of several hosts. The first rank of each host compares its clock with that of
 * rank 0, at the beginning and at the end; all ranks of a host share a clock. In between
 * the difference changes linearly.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_ALIGN_H
#define PD_REC_ALIGN_H

#include "record/archive/pd-rec-otf2.h"
#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-format.h"
#include "record/stream/pd-rec.h"

#include <stddef.h>

/**
 * pd_rec_aligned:
 * @t of the rank's clock, by the clock of rank 0.
 */
uint64_t pd_rec_aligned (const PdRecHead *head, uint64_t t);

/**
 * pd_rec_align:
 * Collective: compares the clocks of hosts with that of rank 0.
 */
int pd_rec_align (const PdRecMpi *mpi, const char *host, PdRecOffset *offset);

#endif
