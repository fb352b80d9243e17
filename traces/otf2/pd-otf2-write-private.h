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
/* What the call of @a does with its file. */
void pd_otf2_write_file (PdOtf2Writer *writer, OTF2_EvtWriter *out, guint64 now, const PdAction *a);

#endif
