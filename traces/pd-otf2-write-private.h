/* The parts of the OTF2 writer. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_WRITE_PRIVATE_H
#define PD_OTF2_WRITE_PRIVATE_H

#include "base/pd-messages.h"
#include "traces/pd-program.h"

#include <otf2/otf2.h>

G_BEGIN_DECLS

/* Intervals and calls are regions: the intervals of the program first, then calls
 * in the order of use. */
typedef struct
{
  const PdProgram *program;
  const char *path;
  gdouble flops;
  PdMessages *messages; /* (nullable) */
  OTF2_Archive *archive;
  GHashTable *calls;     /* name -> its number */
  GPtrArray *call_names; /* by number */
  gboolean *is_window;   /* (array): by communicator */
  guint64 *n_events;     /* (array): by rank */
  gint64 end;            /* ps: of the last event */
} PdOtf2Writer;

enum
{
  PD_OTF2_PARAMETER_LEVEL,
  PD_OTF2_PARAMETER_ID,
};

/* ---- pd-otf2-write-rank.c */

/* Writes the events of @rank; FALSE if the library refuses. */
gboolean pd_otf2_write_rank (PdOtf2Writer *writer, guint32 rank);

/* ---- pd-otf2-write-sums.c */

/* What a rank's record of a collective operation says. */
typedef struct
{
  OTF2_CollectiveOp op;
  guint32 root; /* OTF2_UNDEFINED_UINT32: there is none */
  guint64 sent;
  guint64 received;
} PdOtf2Sums;

/* FALSE: the format has no such operation. @me, @n: the rank in the
 * communicator, and its size. */
gboolean pd_otf2_sum_up (const PdProgram *program, const PdAction *action, guint32 me, guint32 n,
                         PdOtf2Sums *sums);

G_END_DECLS

#endif
