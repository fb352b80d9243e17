/* The clocks, and what tests prescribe of the process.
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

/**
 * pd_rec_processor_time:
 * @now: what pd_rec_now() has shown
 *
 * Returns: nanoseconds of CLOCK_PROCESS_CPUTIME_ID, or what the test prescribes at @now.
 */
uint64_t pd_rec_processor_time (uint64_t now);

/**
 * pd_rec_thread_time: likewise, of the calling thread alone.
 */
uint64_t pd_rec_thread_time (uint64_t now);

/**
 * pd_rec_clock_get_usage:
 * Returns: what the test prescribes of the process; nothing is known if it does not.
 */
const PdRecUsage *pd_rec_clock_get_usage (void);

#endif
