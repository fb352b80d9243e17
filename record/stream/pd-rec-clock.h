/* The clock. A test prescribes what it shows: PREDICTOR_RECORD_CLOCK names a file with
 * lines * RANK host NAME the rank is on the host of that name RANK skew OFFSET DRIFT the
 * clock is OFFSET ns ahead, and gains DRIFT ns per second RANK times NS NS … the
 * readings, in their order; several lines follow each other, and behind them each is
 * 1000 ns later * of which each rank takes its own; RANK may be "*".
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_CLOCK_H
#define PD_REC_CLOCK_H

#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-format.h"

#include <stddef.h>

/**
 * pd_rec_clock_begin:
 * Reads PREDICTOR_RECORD_CLOCK, of tests; @n: room in @host, which has a name.
 */
int pd_rec_clock_begin (int rank, char *host, size_t n, PdRecError *error);

/**
 * pd_rec_clock_is_prescribed:
 * Whether the readings are prescribed.
 */
int pd_rec_clock_is_prescribed (void);

/**
 * pd_rec_now: nanoseconds of CLOCK_MONOTONIC, or what the test prescribes.
 */
uint64_t pd_rec_now (void);

#endif
