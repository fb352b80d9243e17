/* Shared declarations of pd-ti-writer.c and pd-ti-write-collective.c. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_WRITE_PRIVATE_H
#define PD_TI_WRITE_PRIVATE_H

#include "traces/io/pd-output.h"
#include "traces/ti/pd-ti-private.h"

/* The number of the type whose elements have one byte. */
#define PD_TI_BYTE_TYPE 6

typedef struct
{
  const PdProgram *program;
  PdOutput *out;
  PdMessages *messages;
  const char *path;
  gdouble flops; /* per second */
  guint32 rank;
  GArray *requests;  /* PdTiRequest, by slot */
  PdPending pending; /* what a reader has pending here */
} PdTiWriter;

/* The fields with which a request is waited for. */
typedef struct
{
  gboolean is_open; /* it has begun, and is not known to have ended */
  gint32 source;
  gint32 target;
  gint32 tag;
  guint64 key;     /* in the pending ones */
  guint32 pending; /* its slot there */
} PdTiRequest;

#endif
