/* The collector of warnings and notes. Library code never prints: it reports
 * here, and the owner of the collector shows the messages.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MESSAGES_H
#define PD_MESSAGES_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  PD_SEVERITY_NOTE,    /* worth knowing; nothing is wrong */
  PD_SEVERITY_WARNING, /* the result may differ from the user's expectation */
} PdSeverity;

/* Where something was met; every field may be absent (NULL, 0, -1). */
typedef struct
{
  const char *file;   /* input file name, borrowed */
  gint64 line;        /* physical line in it, from 1; 0 = unknown */
  const char *record; /* name of the record, borrowed */
  gint64 number;      /* record number, from 0; -1 = unknown */
  gint64 rank;        /* processor, from 0; -1 = all or unknown */
  gboolean is_mp;     /* of a message-passing program: @number is an action of @rank */
} PdPlace;

#define PD_PLACE_NONE ((PdPlace){ NULL, 0, NULL, -1, -1, FALSE })

/* One kind of message: its first occurrence and how often it was met. */
typedef struct
{
  PdSeverity severity;
  char *id;      /* stable identifier, "aggregated-exchange" */
  char *subject; /* what it is about ("function 'foo_'"); "" if nothing;
                  * messages are counted per (id, subject) */
  char *text;    /* one sentence, lower case, no full stop; the first one's */
  char *place;   /* "file:line: record", the first one's; "" if none */
  guint64 count;
} PdMessage;

typedef struct _PdMessages PdMessages;

/**
 * pd_messages_new:
 * Returns: (transfer full): an empty collector.
 */
PdMessages *pd_messages_new (void);

/**
 * pd_messages_free:
 * @self: (nullable): the collector; its messages go with it
 */
void pd_messages_free (PdMessages *self);

/**
 * pd_messages_add:
 * @self: (nullable): the collector; %NULL drops the message
 * @severity: how bad
 * @id: stable identifier, lower case with hyphens
 * @subject: (nullable): what repetitions are counted by, besides @id
 * @place: where
 * @format: the sentence
 *
 * The first message of an (@id, @subject) is kept; later ones only count.
 */
void pd_messages_add (PdMessages *self, PdSeverity severity, const char *id, const char *subject,
                      const PdPlace *place, const char *format, ...) G_GNUC_PRINTF (6, 7);

/**
 * pd_messages_add_message:
 * @self: (nullable): the collector; %NULL drops the message
 * @message: one of another collector, or as one had it
 *
 * Like so many pd_messages_add() as @message counts.
 */
void pd_messages_add_message (PdMessages *self, const PdMessage *message);

/**
 * pd_messages_add_all:
 * @self: (nullable): the collector; %NULL drops the messages
 * @others: (nullable): those of another collector, which is not changed
 */
void pd_messages_add_all (PdMessages *self, const PdMessages *others);

/**
 * pd_messages_get_n:
 * Returns: the number of distinct messages.
 */
guint pd_messages_get_n (const PdMessages *self);

/**
 * pd_messages_get:
 * @self: the collector
 * @i: less than pd_messages_get_n()
 *
 * Returns: (transfer none): the message; in order of first occurrence.
 */
const PdMessage *pd_messages_get (const PdMessages *self, guint i);

/**
 * pd_messages_count:
 * Returns: how often @id was met, over all subjects.
 */
guint64 pd_messages_count (const PdMessages *self, const char *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMessages, pd_messages_free)

G_END_DECLS

#endif
