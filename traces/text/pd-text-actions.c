/* Actions of the text form: WORD, what belongs there by place, and pairs KEY=VALUE,
 * which pd-text-keys.c reads.
 * SPDX-License-Identifier: MIT */
#include "traces/text/pd-text-reader-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/text/pd-text-actions-private.h"
#include "traces/text/pd-text-keys-private.h"
#include "traces/text/pd-text-values-private.h"
#include "traces/text/pd-text-words-private.h"

#include <string.h>

/* ---- places */

static gboolean
is_key (PdTextSpan word)
{
  return word.p < word.end && *word.p != '"'
         && memchr (word.p, '=', (gsize) (word.end - word.p)) != NULL;
}

/* The next word that is no KEY=VALUE; empty if there is none. */
static PdTextSpan
next_place (PdTextSpan *rest)
{
  PdTextSpan from = *rest, word;

  if (pd_text_next (rest, &word) && is_key (word))
    {
      *rest = from;
      word.end = word.p;
    }
  return word;
}

static gboolean
read_handles (PdText *self, PdTextSpan *rest, PdAction *action, GError **error)
{
  PdTextSpan word;

  g_array_set_size (self->slots, 0);
  for (word = next_place (rest); word.p < word.end; word = next_place (rest))
    {
      guint32 slot;
      if (!pd_text_read_handle (self, word, FALSE, &slot, error))
        return FALSE;
      g_array_append_val (self->slots, slot);
    }
  action->slots = (const guint32 *) (void *) self->slots->data;
  action->n_slots = self->slots->len;
  return TRUE;
}

static gboolean
read_name (PdText *self, PdTextSpan word, PdAction *action, GError **error)
{
  g_autofree char *name = pd_text_string (word, "name", error);

  if (name == NULL)
    return FALSE;
  action->name = pd_program_builder_add_string (self->builder, name);
  return TRUE;
}

static gboolean
read_size (PdTextSpan *rest, guint has, PdAction *action, GError **error)
{
  PdTextSpan word = next_place (rest);

  /* of collective operations 0, if it is not there */
  if (word.p == word.end && (has & PD_TEXT_COLL) != 0)
    return TRUE;
  return pd_text_bytes (word, "size", &action->bytes, error);
}

static gboolean
read_number_of_interval (PdText *self, PdTextSpan *rest, PdAction *action, GError **error)
{
  PdTextSpan word = next_place (rest);
  gint64 number;

  if (word.p < word.end && *word.p == '"')
    return pd_text_read_interval (self, word, rest, &action->interval, error);
  if (!pd_text_int (word, "interval", 0, &number, error))
    return FALSE;
  if (number >= self->intervals->len)
    return pd_text_refuse (word, "interval", "one that is defined above", error);
  action->interval = g_array_index (self->intervals, guint32, number);
  return TRUE;
}

static gboolean
read_places (PdText *self, PdTextSpan *rest, guint has, PdAction *action, GError **error)
{
  if ((has & PD_TEXT_NAME) != 0 && !read_name (self, next_place (rest), action, error))
    return FALSE;
  if ((has & PD_TEXT_PEER) != 0 && !pd_text_peer (next_place (rest), "rank", &action->peer, error))
    return FALSE;
  if ((has & PD_TEXT_INTERVAL) != 0 && !read_number_of_interval (self, rest, action, error))
    return FALSE;
  if ((has & PD_TEXT_BYTES) != 0 && !read_size (rest, has, action, error))
    return FALSE;
  if ((has & PD_TEXT_AMOUNT) != 0
      && !pd_text_read_amount (self, next_place (rest), &action->amount, error))
    return FALSE;
  if ((has & PD_TEXT_TIME) != 0 && !pd_text_time (next_place (rest), &action->amount.time, error))
    return FALSE;
  if ((has & PD_TEXT_NUMBER) != 0)
    {
      gint64 number;
      PdTextSpan word = next_place (rest);
      if (!pd_text_int (word, "number", 0, &number, error))
        return FALSE;
      if (number > G_MAXINT32)
        return pd_text_refuse (word, "number", "less than 2^31", error);
      action->tag = (gint32) number;
    }
  if ((has & PD_TEXT_LINE) != 0
      && !pd_text_int (next_place (rest), "line", G_MININT64, &action->line, error))
    return FALSE;
  if ((has & PD_TEXT_HANDLE) != 0
      && !pd_text_read_handle (self, next_place (rest), FALSE, &action->request, error))
    return FALSE;
  return (has & PD_TEXT_HANDLES) == 0 || read_handles (self, rest, action, error);
}

/* ---- words, found by a hash table made once */

static gpointer
make_key (PdActionKind kind, guint op)
{
  return GUINT_TO_POINTER (1 + (guint) kind * PD_N_COLLS + op);
}

static gpointer
make_words (gpointer data)
{
  GHashTable *words = g_hash_table_new (g_str_hash, g_str_equal);

  (void) data;
  for (guint op = 0; op < PD_N_COLLS; op++)
    {
      const char *name = pd_coll_name ((PdCollKind) op);
      g_hash_table_insert (words, (gpointer) name, make_key (PD_ACT_COLLECTIVE, op));
      g_hash_table_insert (words, g_strconcat ("i", name, NULL), make_key (PD_ACT_ICOLLECTIVE, op));
    }
  for (guint kind = 0; kind < PD_N_ACTS; kind++)
    if (pd_text_actions[kind].word != NULL)
      g_hash_table_insert (words, (gpointer) pd_text_actions[kind].word,
                           make_key ((PdActionKind) kind, 0));
  return words;
}

static gboolean
find_word (PdTextSpan word, PdAction *action)
{
  static GOnce once = G_ONCE_INIT;
  GHashTable *words = g_once (&once, make_words, NULL);
  char name[64];
  gsize n = (gsize) (word.end - word.p);

  if (n >= sizeof name)
    return FALSE;
  memcpy (name, word.p, n);
  name[n] = '\0';
  guint key = GPOINTER_TO_UINT (g_hash_table_lookup (words, name));
  if (key == 0)
    return FALSE;
  pd_action_init (action, (PdActionKind) ((key - 1) / PD_N_COLLS));
  action->op = (PdCollKind) ((key - 1) % PD_N_COLLS);
  return TRUE;
}

/* ---- public */

gboolean
pd_text_read_action (PdText *self, PdTextSpan word, PdTextSpan *rest, GError **error)
{
  PdAction action;
  PdTextSpan next;
  guint has;

  if (!find_word (word, &action))
    return pd_text_refuse (word, "action", "one of predictor-trace(5)", error);
  has = pd_text_actions[action.kind].has;
  if (!read_places (self, rest, has, &action, error))
    return FALSE;
  if ((has & PD_TEXT_REQUEST) != 0)
    action.request = PD_PROGRAM_NONE;
  while (pd_text_next (rest, &next))
    if (!pd_text_read_key (self, next, has, &action, error))
      return FALSE;
  if (action.request == PD_PROGRAM_NONE)
    return pd_text_refuse ((PdTextSpan){ rest->end, rest->end }, "request", "request=NAME", error);
  return pd_program_builder_add (self->builder, self->rank, &action, error);
}

gboolean
pd_text_read_interval (PdText *self, PdTextSpan word, PdTextSpan *rest, guint32 *interval,
                       GError **error)
{
  g_autofree char *name = pd_text_string (word, "name", error);
  g_autofree char *file = NULL;
  PdProgramInterval own = { name, "", 0, -1 };
  PdTextSpan next;

  if (name == NULL)
    return FALSE;
  while (pd_text_next (rest, &next))
    {
      const char *equals = memchr (next.p, '=', (gsize) (next.end - next.p));
      gboolean fine;
      if (equals == NULL)
        return pd_text_refuse (next, "rest", "KEY=VALUE", error);
      PdTextSpan key = { next.p, equals }, value = { equals + 1, next.end };
      if (pd_text_is (key, "file") && file == NULL)
        fine = (file = pd_text_string (value, "file", error)) != NULL;
      else if (pd_text_is (key, "line"))
        fine = pd_text_int (value, "line", G_MININT64, &own.line, error);
      else if (pd_text_is (key, "index"))
        fine = pd_text_int (value, "index", G_MININT64, &own.index, error);
      else
        fine = pd_text_refuse (key, "key", "file, line or index", error);
      if (!fine)
        return FALSE;
    }
  own.file = file != NULL ? file : "";
  *interval = pd_program_builder_add_interval (self->builder, &own);
  return TRUE;
}

gboolean
pd_text_read_site (PdText *self, PdTextSpan word, PdTextSpan *rest, guint32 *site, GError **error)
{
  g_autofree char *file = pd_text_string (word, "file", error);
  g_autofree char *function = NULL;
  PdProgramSite own = { file, "", 0, PD_PROGRAM_NONE };
  PdTextSpan next;

  if (file == NULL)
    return FALSE;
  pd_text_next (rest, &next);
  if (!pd_text_int (next, "line", G_MININT64, &own.line, error))
    return FALSE;
  while (pd_text_next (rest, &next))
    {
      const char *equals = memchr (next.p, '=', (gsize) (next.end - next.p));
      if (function == NULL && *next.p == '"')
        function = pd_text_string (next, "function", error);
      else if (equals == NULL || !pd_text_is ((PdTextSpan){ next.p, equals }, "from"))
        return pd_text_refuse (next, "rest", "\"FUNCTION\" or from=N", error);
      else if (!pd_text_find_site (self, (PdTextSpan){ equals + 1, next.end }, &own.parent, error))
        return FALSE;
      if (function == NULL && *next.p == '"')
        return FALSE;
    }
  own.function = function != NULL ? function : "";
  *site = pd_program_builder_add_site (self->builder, &own);
  return TRUE;
}
