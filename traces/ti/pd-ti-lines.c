/* Time-independent traces: the lines of ranks, and checks of all of them.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/pd-text.h"
#include "traces/io/pd-lines.h"
#include "traces/program/pd-program-builder-take.h"
#include "traces/ti/pd-ti-actions-private.h"
#include "traces/ti/pd-ti-fields-private.h"
#include "traces/ti/pd-ti-lines-private.h"
#include "traces/ti/pd-ti-requests-private.h"

#include <string.h>

/* ---- actions */

typedef struct
{
  PdTi *ti;
  gint64 rank; /* the only one that a private file is of; -1 = all */
  gboolean is_last;
  const PdWindow *window;
  PdLinesDone done;
} Actions;

/* Lines of a rank that another part has cannot be read apart from those. */
static gboolean
claim (PdTi *ti, gint64 rank, GError **error)
{
  ti->claimed = rank;
  ti->repeats.whole = ti->repeats.at + 1;
  if (pd_program_builder_claim (ti->builder, (guint32) rank))
    return TRUE;
  g_set_error_literal (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT, "lines are not together");
  return FALSE;
}

/* ---- lines that are known */

/* The line as a key of those: its message is set by the caller. FALSE: it is too short or long. */
static inline gboolean
make_key (const char *begin, const char *end, PdTiLine *key)
{
  gsize n = (gsize) (end - begin), last = n - sizeof key->text[0];

  if (n < sizeof key->text[0] || n > sizeof key->text)
    return FALSE;
  key->n = (guint32) n;
  memcpy (&key->text[0], begin, 8);
  memcpy (&key->text[1], begin + MIN (8, last), 8);
  memcpy (&key->text[2], begin + MIN (16, last), 8);
  memcpy (&key->text[3], begin + last, 8);
  return TRUE;
}

static inline guint64
hash_key (const PdTiLine *key)
{
  guint64 hash = (key->text[0] ^ key->text[2]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (hash ^ hash >> 29 ^ key->text[1] ^ key->text[3])
         * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
}

/* Whether @line is that of @key, of the rank whose lines come now. */
static inline gboolean
is_known (const PdTi *ti, const PdTiLine *line, const PdTiLine *key)
{
  return line->n == key->n && line->text[0] == key->text[0] && line->text[1] == key->text[1]
         && line->text[2] == key->text[2] && line->text[3] == key->text[3]
         && line->rank == ti->claimed && line->element_size == ti->own->element_size
         && !ti->own->has_ended;
}

/* A line that was read without a warning, and is no more than a message or computation. */
static void
note_line (const PdTi *ti, const PdTiLine *key, PdTiLine *line)
{
  *line = *key;
  line->rank = ti->rank;
  line->element_size = ti->own->element_size;
  line->action = ti->action;
  line->message = ti->message;
}

/* ---- lines that come again */

/* The actions of the rank depend on this, besides its lines. */
static inline guint64
get_state (const PdTiRank *own)
{
  return (guint64) own->element_size << 1 | (own->has_ended ? 1 : 0);
}

static inline gboolean
is_open (const PdTi *ti)
{
  return ti->claimed < 0 || ti->own->pending.n > 0 || ti->own->n_any > 0;
}

/* A line at @begin, which looks like that of @mark. If the text since then comes again, and nothing
 * was pending then and now, the same actions are added: as a loop, without looking at the lines. */
static gboolean
repeat (Actions *self, const PdRepeatsMark *mark, const char *begin, const char *end)
{
  PdTi *ti = self->ti;
  const PdWindow *window = self->window;
  PdLinesDone done;

  if (mark->place.chunk == NULL || is_open (ti) || get_state (ti->own) != mark->state
      || !pd_repeats_add (&ti->repeats, mark, ti->line, begin, (gsize) (begin - window->data),
                          window->data + window->size, ti->builder, (guint32) ti->claimed, &done))
    return FALSE;
  self->done = (PdLinesDone){ done.n_bytes - (gsize) (end + 1 - begin), done.n_lines - 1 };
  ti->line += (gint64) done.n_lines - 1;
  ti->repeats.at += done.n_bytes;
  return TRUE;
}

/* Marks the line. TRUE: it and all that come again are done. @may_repeat: not the last one, which
 * may be cut. */
static gboolean
look_back (Actions *self, gboolean may_repeat, guint64 hash, const char *begin, const char *end)
{
  PdTi *ti = self->ti;
  guint64 context = pd_repeats_get_context (&ti->repeats, hash);
  PdRepeatsMark *mark = pd_repeats_find (&ti->repeats, context);

  if (may_repeat && repeat (self, mark, begin, end))
    return TRUE;
  ti->repeats.context = context;
  mark->place.chunk = NULL;
  if (!is_open (ti))
    pd_repeats_set (&ti->repeats, mark, ti->line, get_state (ti->own), ti->builder,
                    (guint32) ti->claimed);
  return FALSE;
}

/* ---- any line */

static gboolean
read_action (Actions *self, PdTiFields *fields, GError **error)
{
  PdTi *ti = self->ti;
  const char *name;
  gint64 rank;

  if (!pd_ti_take_int (ti, fields, "rank", &rank, error))
    return FALSE;
  if (self->rank >= 0 && rank != self->rank)
    {
      pd_ti_warn (ti, PD_SEVERITY_WARNING, "ti-foreign-line", NULL,
                  "a line of rank %" G_GINT64_FORMAT " in the file of rank %u, ignored", rank,
                  ti->rank);
      return TRUE;
    }
  if (rank < 0 || rank >= ti->n_ranks)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "rank %" G_GINT64_FORMAT ", expected 0 to %u", rank, ti->n_ranks - 1);
      return FALSE;
    }
  if (rank != ti->claimed && !claim (ti, rank, error))
    return FALSE;
  ti->rank = (guint32) rank;
  ti->has_rank = TRUE;
  ti->own = &ti->ranks[rank];
  ti->own->seen = TRUE;
  if (pd_ti_has_more (fields))
    {
      for (name = fields->p; fields->p < fields->end && !pd_ti_is_blank (*fields->p); fields->p++)
        ;
      ti->action = pd_ti_action_find (name, (gsize) (fields->p - name));
      if (ti->action != NULL)
        {
          if (G_UNLIKELY (ti->own->has_ended))
            pd_ti_warn (ti, PD_SEVERITY_WARNING, "after-finalize", NULL,
                        "the rank goes on after its finalize; a second trace?");
          return ti->action->read (ti, fields, error);
        }
      g_autofree char *text = g_strndup (name, MIN ((gsize) (fields->p - name), 40));
      g_autofree char *shown = pd_text_show (text);
      gboolean cut = self->is_last && pd_ti_action_may_begin (name, (gsize) (fields->p - name));
      g_set_error (error, PD_TRACE_ERROR, cut ? PD_TRACE_ERROR_SYNTAX : PD_TRACE_ERROR_FORMAT,
                   "unknown action '%s'", shown);
      return FALSE;
    }
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX, "the action is missing");
  return FALSE;
}

/* A last line that breaks off says that the file does. */
static gboolean
forgive_cut (Actions *self, GError **error)
{
  PdTi *ti = self->ti;

  if (!self->is_last || !g_error_matches (*error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX))
    return FALSE;
  pd_ti_warn (ti, PD_SEVERITY_WARNING, "ti-cut", NULL, "the last line is cut, ignored");
  ti->incomplete = TRUE;
  g_clear_error (error);
  return TRUE;
}

static gboolean
read_any_line (Actions *self, const char *begin, const char *end, GError **error)
{
  PdTi *ti = self->ti;
  PdTiFields fields = { begin, end };
  g_autoptr (GError) local = NULL;

  if (!pd_ti_has_more (&fields) || *fields.p == '#')
    return TRUE;
  ti->action = NULL;
  ti->rank = (guint32) MAX (self->rank, 0);
  ti->has_rank = self->rank >= 0;
  if (read_action (self, &fields, &local))
    {
      if (self->rank < 0 && pd_ti_has_more (&fields) && ti->action != NULL)
        pd_ti_warn (ti, PD_SEVERITY_NOTE, "ti-extra", ti->action->name,
                    "further fields are ignored");
      return TRUE;
    }
  if (forgive_cut (self, &local))
    return TRUE;
  /* to the caller, an unknown action is an error of syntax like others */
  if (local->code == PD_TRACE_ERROR_FORMAT)
    local->code = PD_TRACE_ERROR_SYNTAX;
  g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s:%" G_GINT64_FORMAT ": %s%s",
                              ti->name, ti->line, ti->action != NULL ? ti->action->name : "",
                              ti->action != NULL ? ": " : "");
  return FALSE;
}

static gboolean
read_known_line (PdTi *ti, const PdTiLine *line)
{
  ti->rank = line->rank;
  ti->has_rank = TRUE;
  ti->action = line->action;
  ti->message = line->message;
  return pd_ti_add_message (ti, NULL);
}

/* @line: (nullable): gets the line of @key, if it can be known */
static gboolean
read_new_line (Actions *self, const PdTiLine *key, PdTiLine *line, const char *begin,
               const char *end, GError **error)
{
  PdTi *ti = self->ti;
  guint64 n_warned = ti->n_warned;

  if (!read_any_line (self, begin, end, error))
    return FALSE;
  if (ti->n_warned != n_warned)
    ti->repeats.whole = ti->repeats.at + 1;
  else if (line != NULL && ti->action != NULL
           && (ti->action->read == pd_ti_read_message || ti->action->read == pd_ti_read_compute))
    note_line (ti, key, line);
  return TRUE;
}

static gboolean
read_action_line (gpointer data, const char *begin, const char *end, gboolean is_last,
                  GError **error)
{
  Actions *self = data;
  PdTi *ti = self->ti;
  PdTiLine key, *line = NULL;
  guint64 hash = 0;

  ti->line++;
  self->is_last = is_last;
  if (!is_last && make_key (begin, end, &key))
    {
      hash = hash_key (&key);
      line = &ti->lines[(hash >> 40) % PD_TI_N_LINES];
    }
  if (!pd_repeats_is_idle (&ti->repeats) && look_back (self, line != NULL, hash, begin, end))
    return TRUE;
  if (!(line != NULL && is_known (ti, line, &key) && (self->rank < 0 || self->rank == line->rank)
        && read_known_line (ti, line))
      && !read_new_line (self, &key, line, begin, end, error))
    return FALSE;
  ti->repeats.at += (guint64) (end + 1 - begin);
  return TRUE;
}

gboolean
pd_ti_read_actions (PdTi *ti, PdInput *input, const char *name, gint64 rank, GError **error)
{
  Actions actions = { .ti = ti, .rank = rank, .window = pd_input_get_window (input) };
  PdPlace place = { name, 0, NULL, -1, -1, TRUE };

  ti->name = name;
  ti->repeats.whole = ti->repeats.at;
  if (!pd_lines_read (input, name, read_action_line, &actions, &actions.done, error))
    return FALSE;
  ti->action = NULL;
  pd_input_report (input, ti->messages, &place);
  ti->incomplete |= pd_input_get_problem (input) != PD_INPUT_FINE;
  return TRUE;
}

/* ---- how many ranks */

/* Whether the line begins as the one before it did: with its rank, and a blank. */
static inline gboolean
has_same_rank (const PdTiCount *self, const char *begin, const char *end)
{
  guint64 word;

  if ((gsize) (end - begin) < sizeof word)
    return FALSE;
  memcpy (&word, begin, sizeof word);
  return self->mask != 0 && (word & self->mask) == self->word;
}

static gboolean
count_line (gpointer data, const char *begin, const char *end, gboolean is_last, GError **error)
{
  PdTiCount *self = data;
  PdTiFields fields = { begin, end };
  gint64 rank;

  (void) is_last;
  (void) error;
  self->n_lines++;
  if (has_same_rank (self, begin, end))
    {
      self->n_actions++;
      return TRUE;
    }
  self->mask = 0;
  if (!pd_ti_has_more (&fields) || *fields.p == '#')
    return TRUE;
  self->n_actions++;
  const char *p = pd_numbers_read_int (fields.p, end, &rank);
  if (p == NULL)
    return TRUE;
  self->greatest = MAX (self->greatest, rank);
  if (p < end && pd_ti_is_blank (*p) && (gsize) (p - begin) < sizeof self->word
      && (gsize) (end - begin) >= sizeof self->word)
    {
      memset (&self->mask, 0xff, (gsize) (p + 1 - begin));
      memcpy (&self->word, begin, sizeof self->word);
      self->word &= self->mask;
    }
  return TRUE;
}

gboolean
pd_ti_count (PdInput *input, const char *name, PdTiCount *count, GError **error)
{
  *count = (PdTiCount){ .greatest = -1 };
  return pd_lines_read (input, name, count_line, count, NULL, error);
}

gboolean
pd_ti_check_count (const PdTiCount *count, const char *name, GError **error)
{
  if (count->greatest < 0)
    return pd_fail (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED, "%s: the trace has no actions",
                    name);
  if (count->greatest >= PD_PROGRAM_MAX_RANKS)
    return pd_fail (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                    "%s: rank %" G_GINT64_FORMAT ", at most %d are possible", name, count->greatest,
                    PD_PROGRAM_MAX_RANKS);
  if ((guint64) count->greatest >= count->n_actions)
    return pd_fail (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                    "%s: rank %" G_GINT64_FORMAT " in a trace of %" G_GUINT64_FORMAT " actions",
                    name, count->greatest, count->n_actions);
  return TRUE;
}

/* ---- all ranks */

void
pd_ti_init (PdTi *self, guint32 n_ranks, PdMessages *messages)
{
  memset (self, 0, sizeof *self);
  self->claimed = -1;
  self->n_ranks = n_ranks;
  self->ranks = g_new0 (PdTiRank, n_ranks);
  self->messages = messages;
  self->builder = pd_program_builder_new (n_ranks, PD_AMOUNT_FLOPS);
  pd_program_builder_fold (self->builder);
  self->lines = g_new0 (PdTiLine, PD_TI_N_LINES);
  pd_repeats_init (&self->repeats);
  self->counts = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->slots = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
pd_ti_clear (PdTi *self)
{
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    pd_pending_clear (&self->ranks[rank].pending);
  g_free (self->ranks);
  pd_program_builder_free (self->builder);
  g_clear_pointer (&self->lines, g_free);
  pd_repeats_clear (&self->repeats);
  g_clear_pointer (&self->counts, g_array_unref);
  g_clear_pointer (&self->slots, g_array_unref);
}

/* Whether the rank's lines begin and end as a tracer writes them: a finalize needs an init where
 * any rank has one, an init needs a finalize. @begins: some rank has an init. */
static void
check_ends (PdTi *self, gboolean begins)
{
  const PdTiRank *own = self->own;

  if (!own->seen)
    pd_ti_warn (self, begins ? PD_SEVERITY_WARNING : PD_SEVERITY_NOTE, "ti-idle-rank", NULL,
                "the trace has no line of it%s", begins ? ", not even an init" : "");
  else if (!own->has_begun && begins && own->has_ended)
    pd_ti_warn (self, PD_SEVERITY_WARNING, "ti-unbegun", NULL,
                "has a finalize, but no init, which another rank has");
  else if (own->has_begun && !own->has_ended)
    pd_ti_warn (self, PD_SEVERITY_WARNING, "ti-unfinished", NULL, "has an init, but no finalize");
  else
    return;
  self->incomplete |= begins || own->seen;
}

gboolean
pd_ti_finish_ranks (PdTi *self, GError **error)
{
  gboolean begins = FALSE; /* as a tracer writes it */

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    begins = begins || self->ranks[rank].has_begun;
  self->line = 0;
  self->has_rank = TRUE;
  for (self->rank = 0; self->rank < self->n_ranks; self->rank++)
    {
      self->own = &self->ranks[self->rank];
      check_ends (self, begins);
      if (self->own->pending.n == 0)
        continue;
      pd_ti_warn (self, PD_SEVERITY_WARNING, "ti-pending", NULL,
                  "requests are pending at its end, where they are waited for");
      if (!pd_ti_add_waitall (self, error))
        return FALSE;
    }
  return TRUE;
}
