/* Ranks of a recorded run that took turns on processors, because there were fewer of these, and
 * ranks that waited for processors, which other programs may have had.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_SHARING_H
#define PD_PROGRAM_SHARING_H

#include "traces/program/pd-program.h"

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
 * pd_sharing_describe:
 * Returns: (transfer full): "8 ranks shared 2 processors".
 */
char *pd_sharing_describe (const PdSharing *self);

#endif
