/* Ranks of a recorded run that took turns on processors, because there were fewer of these.
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

/**
 * pd_sharing_describe:
 * Returns: (transfer full): "8 ranks shared 2 processors".
 */
char *pd_sharing_describe (const PdSharing *self);

#endif
