/* Ranks of a recorded run that took turns on processors, because there were fewer of these, and
 * ranks that waited for processors, which other programs may have had.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_SHARING_H
#define PD_PROGRAM_SHARING_H

#include "base/pd-messages.h"
#include "traces/program/pd-program.h"

/* The numbers of a #PdRecordedUsage. */
typedef enum
{
  PD_USAGE_QUOTA,
  PD_USAGE_THREADS,
  PD_USAGE_SWITCHES,
  PD_USAGE_MEMORY,
  PD_USAGE_WAITED,
  PD_USAGE_READING_COST,
  PD_USAGE_REGIONS,
  PD_USAGE_REGION_THREADS,
  PD_USAGE_REGION_TIME,
  PD_USAGE_REGION_BUSY,
  PD_USAGE_REGION_LONGEST,
  PD_USAGE_REGION_CAPACITY,
  PD_N_USAGES,
} PdUsageField;

/**
 * pd_recorded_usage_init:
 * @self: (out): nothing is known
 */
void pd_recorded_usage_init (PdRecordedUsage *self);

/**
 * pd_recorded_usage_get:
 * Returns: the number @field, a time in ps; -1: it is as pd_recorded_usage_init() sets it.
 */
gint64 pd_recorded_usage_get (const PdRecordedUsage *self, PdUsageField field);

/**
 * pd_recorded_usage_set:
 * @value: >= 0, a time in ps; the greatest possible one is set instead of a greater one
 */
void pd_recorded_usage_set (PdRecordedUsage *self, PdUsageField field, gint64 value);

/**
 * pd_usage_field_name:
 * Returns: the word of the text form, "quota"; see predictor-trace(5).
 */
const char *pd_usage_field_name (PdUsageField field);

/**
 * pd_usage_field_is_time:
 * Returns: whether its values are times, not counts.
 */
gboolean pd_usage_field_is_time (PdUsageField field);

typedef struct
{
  guint32 n_ranks;     /* that shared */
  gdouble processors;  /* that they might use; a part of one where a control group sets a limit */
  const char *host;    /* borrowed from the program; "" if unknown */
  gboolean is_limited; /* by a control group, not by the processors there are */
} PdSharing;

/**
 * pd_program_find_sharing:
 * @self: the program
 * @sharing: (out): the ranks of one host of which most shared a processor, if any did
 *
 * Ranks share if they, and those whose processors are all among theirs, are more than these
 * processors, or more than what the control group of one of them leaves it.
 *
 * Returns: whether any ranks shared; %FALSE, too, if nothing is known of it.
 */
gboolean pd_program_find_sharing (const PdProgram *self, PdSharing *sharing);

/**
 * pd_program_count_processors:
 * Returns: how many processors @rank might use; 0 = unknown.
 */
guint pd_program_count_processors (const PdProgram *self, guint32 rank);

typedef struct
{
  PdTimeSum waited; /* of all ranks */
  gdouble share;    /* of their recorded time */
} PdProcessorWait;

/**
 * pd_program_find_processor_wait:
 * @self: the program
 * @wait: (out): how long ranks were ready to run but had no processor
 *
 * Returns: whether it was recorded, and is so much that recorded times are not those of the
 *   program alone: at least 5 % of them. Of a recording that was cut it is unknown, since what
 *   is recorded includes what came after.
 */
gboolean pd_program_find_processor_wait (const PdProgram *self, PdProcessorWait *wait);

/**
 * pd_program_report_sharing:
 * @path: of the trace
 * @messages: (nullable): gets `processors-shared`, `recorded-clock` and `processor-lost`, if they
 *   are true
 *
 * Returns: whether ranks waited for processors, and computation has that in it.
 */
gboolean pd_program_report_sharing (const PdProgram *self, const char *path, PdMessages *messages);

/**
 * pd_sharing_describe:
 * Returns: (transfer full): "8 ranks shared 2 processors".
 */
char *pd_sharing_describe (const PdSharing *self);

#endif
