/* The definitions of one rank, as a stream of their own.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_EXTRACT_H
#define PD_REC_EXTRACT_H

#include "record/archive/pd-rec-merge.h"

/**
 * pd_rec_extract:
 * Reads @reader to its end. Of functions only those that were called, or were
 * entered last. @is_damaged: whether it ended with a record that is none; @error says which,
 * and what came before holds. -1: out of memory.
 */
int pd_rec_extract (PdRecReader *reader, PdRecExtract *extract, int *is_damaged, PdRecError *error);

#endif
