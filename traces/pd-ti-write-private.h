/* What pd-ti-writer.c and pd-ti-write-collective.c share. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_WRITE_PRIVATE_H
#define PD_TI_WRITE_PRIVATE_H

#include "traces/pd-output.h"
#include "traces/pd-ti-private.h"

G_BEGIN_DECLS

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

/* What a request is waited for with. */
typedef struct
{
  gboolean is_open; /* it has begun, and is not known to have ended */
  gint32 source;
  gint32 target;
  gint32 tag;
  guint64 key;     /* in the pending ones */
  guint32 pending; /* its slot there */
} PdTiRequest;

/* ---- pd-ti-writer.c */

/* Says that something cannot be told; @subject (nullable) as of messages. */
void pd_ti_write_lose (const PdTiWriter *self, const char *id, const char *subject,
                       const char *text);
/* A line: its rank and @word; fields; its end. */
void pd_ti_write_begin (PdTiWriter *self, const char *word);
void pd_ti_write_int (PdTiWriter *self, gint64 value);
void pd_ti_write_double (PdTiWriter *self, gdouble value);
void pd_ti_write_end (PdTiWriter *self);
/* Computation in operations. */
gdouble pd_ti_write_get_flops (const PdTiWriter *self, PdAmount amount);
/* What @slot has begun. */
void pd_ti_write_open (PdTiWriter *self, guint32 slot, PdTiRequest request);

/* ---- pd-ti-write-collective.c */

void pd_ti_write_collective (PdTiWriter *self, const PdAction *action, const char *word);

G_END_DECLS

#endif
