/* Lines of time-independent traces, and their ranks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_LINES_PRIVATE_H
#define PD_TI_LINES_PRIVATE_H

#include "traces/ti/pd-ti-private.h"

/* Ranks and lines of a file of all ranks. */
typedef struct
{
  gint64 greatest;   /* rank that has a line; -1 = none */
  guint64 n_actions; /* lines that are not empty, and no comments */
  guint64 n_lines;
  guint64 word; /* the rank of the last line and the blank behind it, as bytes: */
  guint64 mask; /* these; 0 = none */
} PdTiCount;

/* Looks at all lines. */
gboolean pd_ti_count (PdInput *input, const char *name, PdTiCount *count, GError **error);

/* Whether there may be as many ranks. As each rank has a line, there are not more ranks than
 * lines: a number that is none of a rank is found before memory is taken for it. */
gboolean pd_ti_check_count (const PdTiCount *count, const char *name, GError **error);

/* Without lines so far. */
void pd_ti_init (PdTi *self, guint32 n_ranks, PdMessages *messages);

void pd_ti_clear (PdTi *self);

/* Adds all lines of @input: of @rank alone, if that is not -1. ti->line is the number of the line
 * before the first one. */
gboolean pd_ti_read_actions (PdTi *ti, PdInput *input, const char *name, gint64 rank,
                             GError **error);

/* The end of each rank's trace, as of SMPI: it waits for pending requests. */
gboolean pd_ti_finish_ranks (PdTi *self, GError **error);

#endif
