/* Values of keys in the text form, and what they share with places.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-numbers.h"
#include "traces/text/pd-text-reader-private.h"
#include "traces/program/pd-program-builder.h"
#include "traces/text/pd-text-keys-private.h"
#include "traces/text/pd-text-values-private.h"
#include "traces/text/pd-text-words-private.h"

#include <string.h>

/* ---- requests */

/* A rank calls its requests by numbers, which are slots, or by names, which get
 * slots in the order of their first use. */
static gboolean
set_naming (PdText *self, PdTextSpan span, PdTextNaming naming, GError **error)
{
  guint8 *now = &self->naming[self->rank];

  if (*now == PD_TEXT_UNNAMED)
    *now = (guint8) naming;
  return *now == naming
         || pd_text_refuse (span, "request",
                            naming == PD_TEXT_BY_NAME ? "a number, as before" : "a name, as before",
                            error);
}

static gboolean
find_named (PdText *self, PdTextSpan span, gboolean begins, guint32 *slot, GError **error)
{
  gpointer rank = GUINT_TO_POINTER (self->rank);
  GHashTable *names = g_hash_table_lookup (self->handles, rank);
  g_autofree char *name = g_strndup (span.p, (gsize) (span.end - span.p));

  if (!set_naming (self, span, PD_TEXT_BY_NAME, error))
    return FALSE;
  if (names == NULL)
    {
      names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_insert (self->handles, rank, names);
    }
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (names, name));
  if (known == 0 && !begins)
    return pd_text_refuse (span, "request", "one that was begun", error);
  if (known == 0)
    {
      known = g_hash_table_size (names) + 1;
      g_hash_table_insert (names, g_steal_pointer (&name), GUINT_TO_POINTER (known));
    }
  *slot = known - 1;
  return TRUE;
}

gboolean
pd_text_read_handle (PdText *self, PdTextSpan span, gboolean begins, guint32 *slot, GError **error)
{
  gint64 value;

  if (span.p < span.end && g_ascii_isdigit (*span.p))
    {
      if (!pd_text_int (span, "request", 0, &value, error)
          || !set_naming (self, span, PD_TEXT_BY_NUMBER, error))
        return FALSE;
      if (value > G_MAXINT32)
        return pd_text_refuse (span, "request", "less than 2^31", error);
      *slot = (guint32) value;
      return TRUE;
    }
  if (span.p == span.end || !(g_ascii_isalpha (*span.p) || *span.p == '_'))
    return pd_text_refuse (span, "request", "a number or a name", error);
  return find_named (self, span, begins, slot, error);
}

/* ---- values of keys */

typedef gboolean (*KeyFunc) (PdText *self, PdTextSpan value, PdAction *action, GError **error);

gboolean
pd_text_read_amount (PdText *self, PdTextSpan span, PdAmount *amount, GError **error)
{
  if (self->unit == PD_AMOUNT_TIME)
    return pd_text_time (span, &amount->time, error);
  return (pd_numbers_read_double (span.p, span.end, &amount->flops) && amount->flops >= 0)
         || pd_text_refuse (span, "computation", "a number of operations, as 1e6", error);
}

static gboolean
key_tag (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  return pd_text_peer (value, "tag", &action->tag, error);
}

static gboolean
key_comm (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  gint64 comm;

  if (!pd_text_int (value, "communicator", 0, &comm, error))
    return FALSE;
  if (comm > self->n_comms)
    return pd_text_refuse (value, "communicator", "one that is defined above", error);
  action->comm = (guint32) comm;
  return TRUE;
}

static gboolean
key_request (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  return pd_text_read_handle (self, value, TRUE, &action->request, error);
}

static gboolean
key_from (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  return pd_text_peer (value, "source", &action->recv_peer, error);
}

static gboolean
key_from_tag (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  return pd_text_peer (value, "tag", &action->recv_tag, error);
}

static gboolean
key_sent (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  return pd_text_bytes (value, "size", &action->sent_bytes, error);
}

/* Of a receive, and of a collective operation. */
static gboolean
key_received (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  return pd_text_bytes (value, "size", &action->recv_bytes, error);
}

static gboolean
key_matched (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  const char *colon = memchr (value.p, ':', (gsize) (value.end - value.p));

  (void) self;
  if (colon == NULL)
    return pd_text_refuse (value, "match", "RANK:TAG", error);
  return pd_text_peer ((PdTextSpan){ value.p, colon }, "matched rank", &action->matched_peer, error)
         && pd_text_peer ((PdTextSpan){ colon + 1, value.end }, "matched tag", &action->matched_tag,
                          error);
}

static gboolean
key_root (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  return pd_text_peer (value, "root", &action->peer, error);
}

static gboolean
read_vector (PdText *self, PdTextSpan value, guint32 *vector, GError **error)
{
  const char *p = value.p + 1, *end = value.end - 1;

  if (value.end - value.p < 2 || *value.p != '[' || *end != ']')
    return pd_text_refuse (value, "vector", "[N,N,…]", error);
  g_array_set_size (self->values, 0);
  while (p < end)
    {
      gint64 number;
      const char *next = pd_numbers_read_int (p, end, &number);
      if (next == NULL || (next < end && (*next != ',' || next + 1 == end)))
        return pd_text_refuse (value, "vector", "[N,N,…]", error);
      g_array_append_val (self->values, number);
      p = next + (next < end);
    }
  *vector = pd_program_builder_add_counts (
      self->builder, (const gint64 *) (void *) self->values->data, self->values->len);
  return TRUE;
}

static gboolean
key_send (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  return read_vector (self, value, &action->send_counts, error);
}

static gboolean
key_recv (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  return read_vector (self, value, &action->recv_counts, error);
}

static gboolean
key_sources (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  return read_vector (self, value, &action->sources, error);
}

static gboolean
key_targets (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  return read_vector (self, value, &action->targets, error);
}

static gboolean
key_then (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  return pd_text_read_amount (self, value, &action->amount, error);
}

static gboolean
key_mode (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  action->tag = pd_text_is (value, "exclusive");
  return action->tag != 0 || pd_text_is (value, "shared")
         || pd_text_refuse (value, "mode", "shared or exclusive", error);
}

static gboolean
key_local (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  action->tag = pd_text_is (value, "yes");
  return action->tag != 0 || pd_text_is (value, "no")
         || pd_text_refuse (value, "local", "yes or no", error);
}

static gboolean
set_done (PdText *self, PdAction *action)
{
  action->has_done = TRUE;
  action->done = (const guint32 *) (void *) self->done->data;
  action->n_done = self->done->len;
  return TRUE;
}

static gboolean
key_done (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  const char *p = value.p;
  gboolean yes = pd_text_is (value, "yes");
  guint32 zero = 0;

  g_array_set_size (self->done, 0);
  if ((pd_text_actions[action->kind].has & PD_TEXT_WHETHER) != 0)
    {
      if (yes)
        g_array_append_val (self->done, zero);
      return yes || pd_text_is (value, "no")
                 ? set_done (self, action)
                 : pd_text_refuse (value, "outcome", "yes or no", error);
    }
  if (pd_text_is (value, "none"))
    return set_done (self, action);
  for (;;)
    {
      gint64 number;
      const char *next = pd_numbers_read_int (p, value.end, &number);
      if (next == NULL || number < 0 || number > G_MAXINT32 || (next < value.end && *next != ','))
        return pd_text_refuse (value, "outcome", "N,N,… or none", error);
      guint32 place = (guint32) number;
      g_array_append_val (self->done, place);
      if (next == value.end)
        return set_done (self, action);
      p = next + 1;
    }
}

static gboolean
key_took (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  PdTime time;

  if (!pd_text_time (value, &time, error))
    return FALSE;
  action->recorded = self->keep_recorded ? time.ps : -1;
  return TRUE;
}

gboolean
pd_text_find_site (PdText *self, PdTextSpan value, guint32 *site, GError **error)
{
  gint64 number;

  if (!pd_text_int (value, "site", 0, &number, error))
    return FALSE;
  if (number >= self->sites->len)
    return pd_text_refuse (value, "site", "one that is defined above", error);
  *site = g_array_index (self->sites, guint32, number);
  return TRUE;
}

static gboolean
key_site (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  guint32 site = PD_PROGRAM_NONE;

  if (!pd_text_find_site (self, value, &site, error))
    return FALSE;
  if (self->keep_recorded)
    action->site = site;
  return TRUE;
}

static gboolean
key_called (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  g_autofree char *name = pd_text_string (value, "function", error);

  if (name != NULL && self->keep_recorded)
    action->called = pd_program_builder_add_string (self->builder, name);
  return name != NULL;
}

/* ---- work on a file */

static gboolean
key_file (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  g_autofree char *name = pd_text_string (value, "file", error);

  if (name != NULL && self->keep_recorded)
    action->file = pd_program_builder_add_string (self->builder, name);
  return name != NULL;
}

static gboolean
key_io (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  for (guint i = 0; i < PD_N_FILE_OPS; i++)
    if (pd_text_is (value, pd_text_file_ops[i]))
      {
        action->file_op = (PdFileOp) i;
        return TRUE;
      }
  return pd_text_refuse (value, "io", "open, close, read, write, wait, seek, sync or other", error);
}

static gboolean
key_bytes (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  return pd_text_bytes (value, "size", &action->file_bytes, error);
}

static gboolean
key_collective (PdText *self, PdTextSpan value, PdAction *action, GError **error)
{
  (void) self;
  action->file_collective = pd_text_is (value, "yes");
  return action->file_collective || pd_text_is (value, "no")
         || pd_text_refuse (value, "collective", "yes or no", error);
}

static const struct
{
  const char *key;
  guint has; /* one of these; 0 = any action */
  KeyFunc read;
} keys[] = {
  { "tag", PD_TEXT_TAG, key_tag },
  { "comm", PD_TEXT_COMM, key_comm },
  { "request", PD_TEXT_REQUEST, key_request },
  { "took", 0, key_took },
  { "site", 0, key_site },
  { "called", 0, key_called },
  { "file", 0, key_file },
  { "io", 0, key_io },
  { "bytes", 0, key_bytes },
  { "collective", 0, key_collective },
  { "matched", PD_TEXT_MATCHED, key_matched },
  { "done", PD_TEXT_WHICH | PD_TEXT_WHETHER, key_done },
  { "root", PD_TEXT_COLL, key_root },
  { "sent", PD_TEXT_COLL, key_sent },
  { "received", PD_TEXT_COLL | PD_TEXT_BACK, key_received },
  { "send", PD_TEXT_COLL, key_send },
  { "recv", PD_TEXT_COLL, key_recv },
  { "sources", PD_TEXT_COLL | PD_TEXT_SOURCES, key_sources },
  { "targets", PD_TEXT_COLL | PD_TEXT_TARGETS, key_targets },
  { "then", PD_TEXT_COLL, key_then },
  { "from", PD_TEXT_FROM, key_from },
  { "from-tag", PD_TEXT_FROM, key_from_tag },
  { "from-bytes", PD_TEXT_FROM, key_received },
  { "mode", PD_TEXT_MODE, key_mode },
  { "local", PD_TEXT_LOCAL, key_local },
};

gboolean
pd_text_read_key (PdText *self, PdTextSpan word, guint has, PdAction *action, GError **error)
{
  const char *equals = memchr (word.p, '=', (gsize) (word.end - word.p));

  if (equals == NULL)
    return pd_text_refuse (word, "rest", "KEY=VALUE", error);
  PdTextSpan key = { word.p, equals }, value = { equals + 1, word.end };
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (pd_text_is (key, keys[i].key) && (keys[i].has == 0 || (keys[i].has & has) != 0))
      return keys[i].read (self, value, action, error);
  return pd_text_refuse (key, "key", "one that this action has", error);
}
