/* The parts of the OTF2 writer. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_WRITE_PRIVATE_H
#define PD_OTF2_WRITE_PRIVATE_H

#include "base/pd-messages.h"
#include "traces/program/pd-program.h"

#include <otf2/otf2.h>

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
  GHashTable *handles;   /* string of a file's name -> 1 + number of its handle */
  GArray *files;         /* guint32: of each handle that string */
  gboolean *is_window;   /* (array): by communicator */
  GArray *groups;        /* PdOtf2WindowGroup: behind those of communicators */
  guint64 *n_events;     /* (array): by rank */
  gint64 end;            /* ps: of the last event */
} PdOtf2Writer;

enum
{
  PD_OTF2_PARAMETER_LEVEL,
  PD_OTF2_PARAMETER_ID,
};

/* The handle of a file, whose name is @file of the program: one for all ranks. */
guint32 pd_otf2_write_handle (PdOtf2Writer *writer, guint32 file);
/* Writes the file access of the call of @a. */
void pd_otf2_write_file (PdOtf2Writer *writer, OTF2_EvtWriter *out, guint64 now, const PdAction *a);

/* ---- pd-otf2-write-windows.c */

/* The members of a communicator that post or start: a vector. */
typedef struct
{
  guint32 comm;
  guint32 members; /* index of a vector of the program */
} PdOtf2WindowGroup;

/* The event of @action, of one with a request by its number @id. */
void pd_otf2_write_window (PdOtf2Writer *writer, OTF2_EvtWriter *out, guint64 now,
                           const PdAction *action, guint64 id);

/* ---- pd-otf2-write-sums.c: a collective operation as its records tell it, see pd-otf2-counts.c */

/* A rank's record of a collective operation. */
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

/* ---- pd-otf2-write-rank.c */

/* Writes the events of @rank; FALSE if the library refuses. */
gboolean pd_otf2_write_rank (PdOtf2Writer *writer, guint32 rank);

#endif
