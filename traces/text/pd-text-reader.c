/* The text form of programs: its head and its blocks.
 * SPDX-License-Identifier: MIT */
#include "traces/text/pd-text-reader.h"
#include "base/pd-error.h"
#include "traces/io/pd-lines.h"
#include "traces/io/pd-numbers.h"
#include "traces/text/pd-text-reader-private.h"
#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-program-sharing.h"
#include "traces/text/pd-text-actions-private.h"
#include "traces/text/pd-text-values-private.h"

#include <glib/gstdio.h>
#include <string.h>

#define VERSION 1
/* So many ranks any file may have, and members of all communicators. */
#define SMALL       (1 << 20)
#define MAX_MEMBERS (G_GUINT64_CONSTANT (1) << 27)
/* Limit of ranks for each byte of a file: compression makes the densest text so much shorter. */
#define MAX_RATIO 1100

/* ---- head */

static gboolean
read_magic (PdText *self, PdTextSpan word, PdTextSpan *rest, GError **error)
{
  PdTextSpan version;
  gint64 number;

  if (!pd_text_is (word, PD_TEXT_MAGIC) || !pd_text_next (rest, &version))
    return pd_text_refuse (word, "first line", "\"" PD_TEXT_MAGIC " 1\"", error);
  if (!pd_text_int (version, "version", 1, &number, error))
    return FALSE;
  if (number != VERSION)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                   "version %" G_GINT64_FORMAT " of the text form, expected 1", number);
      return FALSE;
    }
  self->has_magic = TRUE;
  return TRUE;
}

static gboolean
read_n_ranks (PdText *self, PdTextSpan *rest, GError **error)
{
  PdTextSpan word;
  gint64 n;

  pd_text_next (rest, &word);
  if (self->n_ranks > 0)
    return pd_text_refuse (word, "number of ranks", "only one", error);
  if (!pd_text_int (word, "number of ranks", 1, &n, error))
    return FALSE;
  if (n > PD_PROGRAM_MAX_RANKS || (n > SMALL && (guint64) n > self->max_ranks))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                   n > PD_PROGRAM_MAX_RANKS ? "%" G_GINT64_FORMAT " ranks, at most %d are possible"
                                            : "%" G_GINT64_FORMAT
                                              " ranks in a file that is too small for them",
                   n, PD_PROGRAM_MAX_RANKS);
      return FALSE;
    }
  self->n_ranks = (guint32) n;
  return TRUE;
}

static gboolean
read_computation (PdText *self, PdTextSpan *rest, GError **error)
{
  PdTextSpan word;

  pd_text_next (rest, &word);
  if (self->builder != NULL)
    return pd_text_refuse (word, "place of \"computation\"", "before communicators and actions",
                           error);
  self->unit = pd_text_is (word, "flops") ? PD_AMOUNT_FLOPS : PD_AMOUNT_TIME;
  return self->unit == PD_AMOUNT_FLOPS || pd_text_is (word, "time")
         || pd_text_refuse (word, "unit of computation", "time or flops", error);
}

static gboolean
begin_program (PdText *self, GError **error)
{
  if (self->builder != NULL)
    return TRUE;
  if (self->n_ranks == 0)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX,
                   "the number of ranks is missing, expected \"ranks N\" above");
      return FALSE;
    }
  self->builder = pd_program_builder_new (self->n_ranks, self->unit);
  pd_program_builder_fold (self->builder);
  self->naming = g_new0 (guint8, self->n_ranks);
  return TRUE;
}

/* "N:", where N is the next number of its kind. */
static gboolean
read_number (PdTextSpan *rest, const char *what, guint32 expected, GError **error)
{
  PdTextSpan word;
  gint64 number;

  if (!pd_text_next (rest, &word) || word.end[-1] != ':')
    return pd_text_refuse (word, what, "N:", error);
  word.end--;
  if (!pd_text_int (word, what, 0, &number, error))
    return FALSE;
  if (number == expected)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
               "the %s is %" G_GINT64_FORMAT ", expected %u as the next one", what, number,
               expected);
  return FALSE;
}

/* RANK or FIRST-LAST */
static gboolean
read_members (PdText *self, PdTextSpan word, GArray *ranks, GError **error)
{
  const char *dash = memchr (word.p, '-', (gsize) (word.end - word.p));
  PdTextSpan first_span = { word.p, dash != NULL ? dash : word.end };
  gint64 first, last;

  if (!pd_text_int (first_span, "rank", 0, &first, error))
    return FALSE;
  last = first;
  if (dash != NULL && !pd_text_int ((PdTextSpan){ dash + 1, word.end }, "rank", 0, &last, error))
    return FALSE;
  if (last < first || last >= self->n_ranks)
    return pd_text_refuse (word, "rank", "RANK or FIRST-LAST of those there are", error);
  self->n_members += (guint64) (last - first) + 1;
  if (self->n_members > MAX_MEMBERS)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                   "communicators with over %" G_GUINT64_FORMAT " members", MAX_MEMBERS);
      return FALSE;
    }
  for (; first <= last; first++)
    {
      guint32 rank = (guint32) first;
      g_array_append_val (ranks, rank);
    }
  return TRUE;
}

static gboolean
read_comm (PdText *self, PdTextSpan *rest, GError **error)
{
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (guint32));
  PdTextSpan word;

  if (!begin_program (self, error) || !read_number (rest, "communicator", self->n_comms + 1, error))
    return FALSE;
  while (pd_text_next (rest, &word))
    if (!read_members (self, word, ranks, error))
      return FALSE;
  if (pd_program_builder_add_comm (self->builder, (const guint32 *) (void *) ranks->data,
                                   ranks->len, error)
      == 0)
    return FALSE;
  self->n_comms++;
  return TRUE;
}

/* The cost of recording a call of a kind. */

static gboolean
read_cost (PdText *self, PdTextSpan *rest, GError **error)
{
  PdTextSpan word;
  PdCallCost kind = 0;
  PdTime cost;

  if (!begin_program (self, error))
    return FALSE;
  pd_text_next (rest, &word);
  while (kind < PD_N_CALL_COSTS && !pd_text_is (word, pd_call_cost_name (kind)))
    kind++;
  if (kind == PD_N_CALL_COSTS)
    return pd_text_refuse (word, "kind", "blocking, non-blocking, collective, test or other",
                           error);
  pd_text_next (rest, &word);
  if (!pd_text_time (word, &cost, error))
    return FALSE;
  pd_program_builder_set_call_cost (self->builder, kind, cost);
  return TRUE;
}

static gboolean
read_clock (PdText *self, PdTextSpan *rest, GError **error)
{
  PdTextSpan word;

  if (!begin_program (self, error))
    return FALSE;
  pd_text_next (rest, &word);
  return pd_text_read_clock (self, word, error);
}

static gboolean
read_interval (PdText *self, PdTextSpan *rest, GError **error)
{
  PdTextSpan word;
  guint32 interval;

  if (!begin_program (self, error) || !read_number (rest, "interval", self->intervals->len, error))
    return FALSE;
  pd_text_next (rest, &word);
  if (!pd_text_read_interval (self, word, rest, &interval, error))
    return FALSE;
  g_array_append_val (self->intervals, interval);
  return TRUE;
}

static gboolean
read_site (PdText *self, PdTextSpan *rest, GError **error)
{
  PdTextSpan word;
  guint32 site;

  if (!begin_program (self, error) || !read_number (rest, "site", self->sites->len, error))
    return FALSE;
  pd_text_next (rest, &word);
  if (!pd_text_read_site (self, word, rest, &site, error))
    return FALSE;
  g_array_append_val (self->sites, site);
  return TRUE;
}

/* ---- ranks */

static gboolean
read_rank (PdText *self, PdTextSpan word, GError **error)
{
  gint64 rank;

  if (!begin_program (self, error) || !pd_text_int (word, "rank", 0, &rank, error))
    return FALSE;
  if (rank >= self->n_ranks)
    return pd_text_refuse (word, "rank", "less than the number of ranks", error);
  self->rank = (guint32) rank;
  return TRUE;
}

/* Of a block, or of the line of a rank. */
static gboolean
read_content (PdText *self, PdTextSpan word, PdTextSpan *rest, GError **error)
{
  static const struct
  {
    const char *word;
    void (*set) (PdProgramBuilder *builder, guint32 rank, PdTime time);
  } moments[] = {
    { "begin", pd_program_builder_set_recorded_begin },
    { "end", pd_program_builder_set_recorded_end },
    { "init", pd_program_builder_set_recorded_init },
    { "finalize", pd_program_builder_set_recorded_finalize },
  };
  gsize i = 0;
  PdTime time;

  if (pd_text_is (word, "usage"))
    return pd_text_read_usage (self, rest, error);
  while (i < G_N_ELEMENTS (moments) && !pd_text_is (word, moments[i].word))
    i++;
  if (i == G_N_ELEMENTS (moments))
    return pd_text_read_action (self, word, rest, error);
  pd_text_next (rest, &word);
  if (!pd_text_time (word, &time, error))
    return FALSE;
  moments[i].set (self->builder, self->rank, time);
  return TRUE;
}

static gboolean
begin_block (PdText *self, PdTextSpan *rest, GError **error)
{
  PdTextSpan word;

  pd_text_next (rest, &word);
  if (!read_rank (self, word, error))
    return FALSE;
  self->block = self->rank;
  self->block_line = self->line;
  return (pd_text_next (rest, &word) && pd_text_is (word, "{"))
         || pd_text_refuse (word, "rest", "{", error);
}

static gboolean
read_words (PdText *self, PdTextSpan word, PdTextSpan *rest, GError **error)
{
  static const struct
  {
    const char *word;
    gboolean (*read) (PdText *self, PdTextSpan *rest, GError **error);
  } heads[] = {
    { "ranks", read_n_ranks }, { "computation", read_computation },
    { "comm", read_comm },     { "interval", read_interval },
    { "rank", begin_block },   { "site", read_site },
    { "cost", read_cost },     { "clock", read_clock },
  };

  if (!self->has_magic)
    return read_magic (self, word, rest, error);
  if (self->block >= 0 && pd_text_is (word, "}"))
    {
      self->block = -1;
      return TRUE;
    }
  if (self->block >= 0)
    return read_content (self, word, rest, error);
  if (g_ascii_isdigit (*word.p))
    {
      if (!read_rank (self, word, error))
        return FALSE;
      return pd_text_next (rest, &word)
                 ? read_content (self, word, rest, error)
                 : pd_text_refuse (word, "action", "one behind the rank", error);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (heads); i++)
    if (pd_text_is (word, heads[i].word))
      return heads[i].read (self, rest, error);
  return pd_text_refuse (word, "line", "RANK ACTION, or rank, comm, interval, site", error);
}

/* A whole line; no word of it may seem shorter than it is. */
static gboolean
read_statement (PdText *self, PdTextSpan rest, GError **error)
{
  PdTextSpan word;

  if (memchr (rest.p, '\0', (gsize) (rest.end - rest.p)) != NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, "a byte 0, expected text");
      return FALSE;
    }
  if (!pd_text_next (&rest, &word))
    return TRUE;
  return read_words (self, word, &rest, error)
         && (!pd_text_next (&rest, &word)
             || pd_text_refuse (word, "rest", "the end of the line", error));
}

/* The last line of a file that was cut. */
static gboolean
forgive_cut (PdText *self, gboolean is_last, GError *error)
{
  PdPlace place = { self->name, self->line, NULL, -1, -1, TRUE };

  if (!is_last || !self->has_magic || self->builder == NULL
      || !g_error_matches (error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX))
    return FALSE;
  pd_messages_add (self->messages, PD_SEVERITY_WARNING, "text-cut", NULL, &place,
                   "the last line is cut, ignored");
  self->incomplete = TRUE;
  return TRUE;
}

static gboolean
read_line (gpointer data, const char *begin, const char *end, gboolean is_last, GError **error)
{
  PdText *self = data;
  g_autoptr (GError) local = NULL;

  self->line++;
  if (read_statement (self, (PdTextSpan){ begin, end }, &local)
      || forgive_cut (self, is_last, local))
    return TRUE;
  g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s:%" G_GINT64_FORMAT ": ",
                              self->name, self->line);
  return FALSE;
}

/* ---- the whole */

static guint64
get_size (const PdTraceSource *source)
{
  GStatBuf status;

  if (source->bytes != NULL)
    return g_bytes_get_size (source->bytes);
  return g_stat (source->path, &status) == 0 ? (guint64) status.st_size : 0;
}

static void
text_init (PdText *self, const PdTraceSource *source, PdMessages *messages)
{
  memset (self, 0, sizeof *self);
  self->name = pd_trace_source_get_name (source);
  self->messages = messages;
  self->max_ranks = MAX_RATIO * MIN (get_size (source), G_MAXUINT32);
  self->unit = PD_AMOUNT_TIME;
  self->block = -1;
  self->intervals = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->sites = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->handles = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  self->slots = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->done = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->values = g_array_new (FALSE, FALSE, sizeof (gint64));
}

static void
text_clear (PdText *self)
{
  pd_program_builder_free (self->builder);
  g_hash_table_unref (self->handles);
  g_array_unref (self->intervals);
  g_array_unref (self->sites);
  g_array_unref (self->slots);
  g_array_unref (self->done);
  g_array_unref (self->values);
  g_free (self->naming);
}

static gboolean
finish (PdText *self, PdInput *input, GError **error)
{
  PdPlace place = { self->name, self->line, NULL, -1, self->block, TRUE };

  pd_input_report (input, self->messages, &place);
  self->incomplete |= pd_input_get_problem (input) != PD_INPUT_FINE;
  if (self->builder == NULL && !begin_program (self, error))
    {
      g_prefix_error (error, "%s: ", self->name);
      (*error)->code = PD_TRACE_ERROR_TRUNCATED;
      return FALSE;
    }
  if (self->block >= 0)
    {
      pd_messages_add (self->messages, PD_SEVERITY_WARNING, "text-open-block", NULL, &place,
                       "the block that begins in line %" G_GINT64_FORMAT " has no }",
                       self->block_line);
      self->incomplete = TRUE;
    }
  return TRUE;
}

gboolean
pd_trace_text_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                    PdMpTrace *trace, PdMessages *messages, GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);
  g_autoptr (GError) local = NULL;
  PdText text;

  if (input == NULL)
    return FALSE;
  text_init (&text, source, messages);
  text.keep_recorded = options->recorded;
  if (pd_lines_read (input, text.name, read_line, &text, NULL, &local)
      && finish (&text, input, &local))
    trace->program = pd_program_builder_finish (g_steal_pointer (&text.builder));
  if (trace->program != NULL && options->recorded)
    pd_program_report_sharing (trace->program, text.name, messages);
  trace->incomplete = text.incomplete;
  text_clear (&text);
  return pd_propagate (error, g_steal_pointer (&local));
}

gboolean
pd_trace_text_matches (const PdTraceProbe *probe)
{
  const char *p = probe->data, *end = p + probe->size;

  while (p < end)
    {
      const char *lf = memchr (p, '\n', (gsize) (end - p));
      PdTextSpan rest = { p, lf != NULL ? lf : end }, word;
      if (pd_text_next (&rest, &word))
        return pd_text_is (word, PD_TEXT_MAGIC);
      p = lf != NULL ? lf + 1 : end;
    }
  return FALSE;
}
