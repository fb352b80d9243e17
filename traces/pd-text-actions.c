/* Actions of the text form: WORD, what belongs there by place, KEY=VALUE.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-numbers.h"
#include "traces/pd-text-reader-private.h"

#include <math.h>
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

static gboolean
read_handle (PdText *self, PdTextSpan span, gboolean begins, guint32 *slot, GError **error)
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

static gboolean
read_amount (PdText *self, PdTextSpan span, PdAmount *amount, GError **error)
{
  if (self->unit == PD_AMOUNT_TIME)
    return pd_text_time (span, &amount->time, error);
  return (pd_numbers_read_double (span.p, span.end, &amount->flops) && isfinite (amount->flops)
          && amount->flops >= 0)
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
  return read_handle (self, value, TRUE, &action->request, error);
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
key_from_bytes (PdText *self, PdTextSpan value, PdAction *action, GError **error)
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
  return read_amount (self, value, &action->amount, error);
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

static gboolean
find_site (PdText *self, PdTextSpan value, guint32 *site, GError **error)
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

  if (!find_site (self, value, &site, error))
    return FALSE;
  if (self->keep_recorded)
    action->site = site;
  return TRUE;
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
  { "matched", PD_TEXT_MATCHED, key_matched },
  { "done", PD_TEXT_WHICH | PD_TEXT_WHETHER, key_done },
  { "root", PD_TEXT_COLL, key_root },
  { "received", PD_TEXT_COLL, NULL },
  { "send", PD_TEXT_COLL, key_send },
  { "recv", PD_TEXT_COLL, key_recv },
  { "sources", PD_TEXT_COLL, key_sources },
  { "targets", PD_TEXT_COLL, key_targets },
  { "then", PD_TEXT_COLL, key_then },
  { "from", PD_TEXT_FROM, key_from },
  { "from-tag", PD_TEXT_FROM, key_from_tag },
  { "from-bytes", PD_TEXT_FROM, key_from_bytes },
  { "mode", PD_TEXT_MODE, key_mode },
};

static gboolean
read_key (PdText *self, PdTextSpan word, guint has, PdAction *action, GError **error)
{
  const char *equals = memchr (word.p, '=', (gsize) (word.end - word.p));

  if (equals == NULL)
    return pd_text_refuse (word, "rest", "KEY=VALUE", error);
  PdTextSpan key = { word.p, equals }, value = { equals + 1, word.end };
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (pd_text_is (key, keys[i].key) && (keys[i].has == 0 || (keys[i].has & has) != 0))
      return keys[i].read != NULL ? keys[i].read (self, value, action, error)
                                  : pd_text_bytes (value, "size", &action->recv_bytes, error);
  return pd_text_refuse (key, "key", "one that this action has", error);
}

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
      if (!read_handle (self, word, FALSE, &slot, error))
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
    {
      PdTextSpan keys_of_it = *rest;
      rest->p = rest->end;
      return pd_text_read_interval (self, word, keys_of_it, &action->interval, error);
    }
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
  if ((has & PD_TEXT_AMOUNT) != 0 && !read_amount (self, next_place (rest), &action->amount, error))
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
      && !read_handle (self, next_place (rest), FALSE, &action->request, error))
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
pd_text_read_action (PdText *self, PdTextSpan word, PdTextSpan rest, GError **error)
{
  PdAction action;
  PdTextSpan next;
  guint has;

  if (!find_word (word, &action))
    return pd_text_refuse (word, "action", "one of predictor-trace(5)", error);
  has = pd_text_actions[action.kind].has;
  if (!read_places (self, &rest, has, &action, error))
    return FALSE;
  gboolean has_request = FALSE;
  while (pd_text_next (&rest, &next))
    {
      has_request |= *next.p == 'r' && next.end - next.p > 4 && memcmp (next.p, "requ", 4) == 0;
      if (!read_key (self, next, has, &action, error))
        return FALSE;
    }
  if ((has & PD_TEXT_REQUEST) != 0 && !has_request)
    return pd_text_refuse ((PdTextSpan){ rest.end, rest.end }, "request", "request=NAME", error);
  return pd_program_builder_add (self->builder, self->rank, &action, error);
}

gboolean
pd_text_read_interval (PdText *self, PdTextSpan word, PdTextSpan rest, guint32 *interval,
                       GError **error)
{
  g_autofree char *name = pd_text_string (word, "name", error);
  g_autofree char *file = NULL;
  PdProgramInterval own = { name, "", 0, -1 };
  PdTextSpan next;

  if (name == NULL)
    return FALSE;
  while (pd_text_next (&rest, &next))
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
pd_text_read_site (PdText *self, PdTextSpan word, PdTextSpan rest, guint32 *site, GError **error)
{
  g_autofree char *file = pd_text_string (word, "file", error);
  g_autofree char *function = NULL;
  PdProgramSite own = { file, "", 0, PD_PROGRAM_NONE };
  PdTextSpan next;

  if (file == NULL)
    return FALSE;
  pd_text_next (&rest, &next);
  if (!pd_text_int (next, "line", G_MININT64, &own.line, error))
    return FALSE;
  while (pd_text_next (&rest, &next))
    {
      const char *equals = memchr (next.p, '=', (gsize) (next.end - next.p));
      if (function == NULL && *next.p == '"')
        function = pd_text_string (next, "function", error);
      else if (equals == NULL || !pd_text_is ((PdTextSpan){ next.p, equals }, "from"))
        return pd_text_refuse (next, "rest", "\"FUNCTION\" or from=N", error);
      else if (!find_site (self, (PdTextSpan){ equals + 1, next.end }, &own.parent, error))
        return FALSE;
      if (function == NULL && *next.p == '"')
        return FALSE;
    }
  own.function = function != NULL ? function : "";
  *site = pd_program_builder_add_site (self->builder, &own);
  return TRUE;
}
