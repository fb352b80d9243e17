/* Traces read by several threads, compared with what one reads.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_READ_THREADS_H
#define PD_TEST_READ_THREADS_H

#include "traces/graph/pd-mp-trace.h"

/**
 * test_read_by_threads:
 * @format: its name in the table of formats
 * @source: a trace of it, or any bytes
 *
 * Reads @source with 1, 2 and 3 threads. The process ends where programs, graphs, messages, their
 * order, errors, or whether it is complete differ.
 */
void test_read_by_threads (const char *format, const PdTraceSource *source);

#endif
