/* Inside of the reader of the text form. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_READER_PRIVATE_H
#define PD_TEXT_READER_PRIVATE_H

#include "traces/pd-text-private.h"

G_BEGIN_DECLS

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

/* ---- pd-text-values.c */

/* The next word of @rest, which is then behind it; FALSE at the end of the line
 * or at a comment. A word may have "quoted blanks" in it. */
gboolean pd_text_next (PdTextSpan *rest, PdTextSpan *word);
gboolean pd_text_is (PdTextSpan span, const char *text);
gboolean pd_text_refuse (PdTextSpan span, const char *what, const char *expected, GError **error);
gboolean pd_text_int (PdTextSpan span, const char *what, gint64 min, gint64 *value, GError **error);
gboolean pd_text_bytes (PdTextSpan span, const char *what, gint64 *value, GError **error);
gboolean pd_text_time (PdTextSpan span, PdTime *time, GError **error);
gboolean pd_text_peer (PdTextSpan span, const char *what, gint32 *peer, GError **error);
/* Without quotes and escapes. */
char *pd_text_string (PdTextSpan span, const char *what, GError **error);

/* ---- pd-text-actions.c */

/* An action of self->rank: @word, and what follows it. */
gboolean pd_text_read_action (PdText *self, PdTextSpan word, PdTextSpan rest, GError **error);
/* "FILE" LINE ["FUNCTION"] [from=N]: the index of that site. */
gboolean pd_text_read_site (PdText *self, PdTextSpan word, PdTextSpan rest, guint32 *site,
                            GError **error);
/* "NAME" [file="NAME"] [line=N] [index=N]: the index of that interval. */
gboolean pd_text_read_interval (PdText *self, PdTextSpan word, PdTextSpan rest, guint32 *interval,
                                GError **error);

G_END_DECLS

#endif
