/* Inside of the reader of the text form. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_READER_PRIVATE_H
#define PD_TEXT_READER_PRIVATE_H

#include "traces/text/pd-text-private.h"
#include "traces/graph/pd-mp-trace.h"

/* How a rank calls its requests. */
typedef enum
{
  PD_TEXT_UNNAMED,
  PD_TEXT_BY_NUMBER,
  PD_TEXT_BY_NAME,
} PdTextNaming;

typedef struct
{
  const char *name; /* of the file, for messages */
  gint64 line;
  PdMessages *messages;
  gboolean keep_recorded;
  guint64 max_ranks; /* what a file of this size may have */
  gboolean has_magic;
  guint32 n_ranks; /* 0 = not known yet */
  PdAmountUnit unit;
  PdProgramBuilder *builder; /* NULL before the first that needs it */
  guint32 n_comms;           /* without the world */
  guint64 n_members;         /* of all communicators */
  GArray *intervals;         /* guint32: by number in the file */
  GArray *sites;             /* guint32: likewise */
  GHashTable *handles;       /* rank -> (char * -> 1 + slot) */
  guint8 *naming;            /* (array length=n_ranks): PdTextNaming */
  gint64 block;              /* the rank of the block we are in; -1 = none */
  gint64 block_line;
  guint32 rank;   /* whose action it is */
  GArray *slots;  /* guint32 */
  GArray *done;   /* guint32 */
  GArray *values; /* gint64 */
  gboolean incomplete;
} PdText;

/* A piece of a line. */
typedef struct
{
  const char *p;
  const char *end;
} PdTextSpan;

#endif
