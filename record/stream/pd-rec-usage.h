/* The limits of a process on its host, and its usage.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_USAGE_H
#define PD_REC_USAGE_H

#include "record/stream/pd-rec-format.h"

#include <stddef.h>

#define PD_REC_PROCESSORS_TEXT 5120 /* bytes that each set of processors has room in */

/**
 * pd_rec_usage_before_mpi:
 * Counts the threads that the process has before MPI makes its own.
 */
void pd_rec_usage_before_mpi (void);

/**
 * pd_rec_usage_begin:
 * After MPI_Init: which processors the process may use, how many threads it has of its own.
 */
void pd_rec_usage_begin (PdRecUsage *usage);

/**
 * pd_rec_usage_count_threads:
 * Returns: how many threads the process has now, but those that MPI_Init made; @usage keeps
 *   the most there were.
 */
uint32_t pd_rec_usage_count_threads (PdRecUsage *usage);

/**
 * pd_rec_usage_end: what the process has used since pd_rec_usage_begin().
 */
void pd_rec_usage_end (PdRecUsage *usage);

/**
 * pd_rec_quota_find:
 * @groups: as /proc/self/cgroup
 * @root: as /sys/fs/cgroup
 *
 * Returns: thousandths of a processor that the process's control group, and those around it,
 *   leave it, of version 1 or 2; 0 = they set no limit.
 */
uint32_t pd_rec_quota_find (const char *groups, const char *root);

/**
 * pd_rec_waited_find:
 * @folder: as /proc/thread-self
 *
 * Returns: 1 + the nanoseconds that the thread was ready to run while others had the
 *   processors, of its file schedstat (Linux, Documentation/scheduler/sched-stats.rst);
 *   0 = the system does not count them.
 */
uint64_t pd_rec_waited_find (const char *folder);

/**
 * pd_rec_processors_format:
 * @text: (array length=n): gets "0-3,8"; "" where none is known
 */
void pd_rec_processors_format (const PdRecUsage *usage, char *text, size_t n);

/**
 * pd_rec_processors_parse:
 * Adds those of @text, in that form, to @usage. -1: they are not in that form.
 */
int pd_rec_processors_parse (PdRecUsage *usage, const char *text);

#endif
