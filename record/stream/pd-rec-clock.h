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

/* Whether the thread's processor time is read where its calls begin and end: only of the one that
 * called MPI_Init. */
extern _Thread_local int pd_rec_own_is_read __attribute__ ((tls_model ("initial-exec")));

/**
 * pd_rec_now_at_entry:
 * @own: (out): nanoseconds of the calling thread's CLOCK_THREAD_CPUTIME_ID, read first, so that
 *   what lies between the ends and the beginnings of calls has one reading's cost in it
 *
 * Returns: as pd_rec_now().
 */
uint64_t pd_rec_now_at_entry (uint64_t *own);

/**
 * pd_rec_now_at_exit: likewise; @own is read last.
 */
uint64_t pd_rec_now_at_exit (uint64_t *own);

/**
 * pd_rec_reading_cost:
 * Returns: picoseconds of processor time that a reading of the processor time of a thread costs,
 *   tried, or as the test prescribes; 0 = the clock stands still between readings.
 */
uint64_t pd_rec_reading_cost (void);

/**
 * pd_rec_clock_get_usage:
 * Returns: what the test prescribes of the process; nothing is known if it does not.
 */
const PdRecUsage *pd_rec_clock_get_usage (void);

#endif
