/* The reader of GOAL texts: one pass, line by line, straight into the builder
 * of the graph.
 * SPDX-License-Identifier: MIT */
#include "traces/goal/pd-goal-scan-private.h"
#include "traces/program/pd-program.h"
#include "traces/goal/pd-goal-binary-private.h"
#include "traces/goal/pd-goal-text.h"

#include <string.h>

/* ---- operations */

/* tag T, cpu C, nic N in this order, as written by everyone; each once. */
static const char *
parse_options (PdGoalParser *self, const char *at, PdGraphOp *op)
{
  static const struct
  {
    const char *word;
    guint64 max;
    const char *what;
  } options[] = {
    { "tag", G_MAXUINT32, "a tag" },
    { "cpu", G_MAXUINT8, "the number of a cpu" },
    { "nic", G_MAXUINT8, "the number of a nic" },
  };

  for (guint i = op->kind == PD_GRAPH_CALC ? 1 : 0; i < G_N_ELEMENTS (options); i++)
    {
      guint64 value = 0;

      at = pd_goal_skip (self, at);
      if (!pd_goal_has_word (self, at, options[i].word, 3))
        continue;
      at = pd_goal_skip (self, at + 3);
      at = i == 0 ? pd_goal_get_number_or_any (self, at, options[i].max, options[i].what, &value)
                  : pd_goal_get_number (self, at, options[i].max, options[i].what, &value);
      if (at == NULL)
        return NULL;
      if (i == 0)
        op->tag = (guint32) value;
      else if (i == 1)
        op->cpu = (guint8) value;
      else if (op->kind != PD_GRAPH_CALC)
        op->nic = (guint8) value;
    }
  return at;
}

/* 10b to 3, 10b from 3, 10b from -1 */
static const char *
parse_message (PdGoalParser *self, const char *at, PdGraphOp *op)
{
  gboolean is_send = op->kind == PD_GRAPH_SEND;
  guint64 peer = 0;
  const char *begin;

  at = pd_goal_skip (self, at);
  if (*at != 'b')
    return pd_goal_expected (self, at, "'b' after the number of bytes");
  at = pd_goal_skip (self, at + 1);
  if (is_send ? !pd_goal_has_word (self, at, "to", 2) : !pd_goal_has_word (self, at, "from", 4))
    return pd_goal_expected (self, at, is_send ? "'to'" : "'from'");
  begin = at = pd_goal_skip (self, at + (is_send ? 2 : 4));
  at = is_send ? pd_goal_get_number (self, at, G_MAXUINT32, "a rank", &peer)
               : pd_goal_get_number_or_any (self, at, G_MAXUINT32 - 1, "a rank", &peer);
  if (at == NULL)
    return NULL;
  if (G_UNLIKELY (peer >= self->n_ranks && (is_send || peer != PD_GRAPH_ANY)))
    return pd_goal_fail (self, begin, PD_TRACE_ERROR_VALUE,
                         "rank %" G_GUINT64_FORMAT " is out of range, there are %" G_GUINT32_FORMAT,
                         peer, self->n_ranks);
  op->peer = (guint32) peer;
  return at;
}

/* The operation at @at, behind its keyword. @label is NULL if it has none. */
static const char *
parse_op (PdGoalParser *self, const char *at, PdGraphKind kind, const char *label, gsize length)
{
  PdGraphOp op = { .kind = kind };
  guint64 size = 0;
  guint32 index;

  at = pd_goal_skip (self, at);
  at = pd_goal_get_number (self, at, G_MAXINT64, kind == PD_GRAPH_CALC ? "a duration" : "a size",
                           &size);
  if (at == NULL)
    return NULL;
  op.size = (gint64) size;
  if (kind != PD_GRAPH_CALC)
    at = parse_message (self, at, &op);
  at = at != NULL ? parse_options (self, at, &op) : NULL;
  if (at == NULL)
    return NULL;
  index = pd_graph_builder_add (self->builder, &op);
  if (label != NULL && !pd_goal_labels_define (self->labels, label, length, index))
    return pd_goal_fail (self, label, PD_TRACE_ERROR_VALUE,
                         "label '%.*s' is there twice in rank %" G_GUINT32_FORMAT, (int) length,
                         label, self->rank);
  return at;
}

/* ---- statements */

typedef enum
{
  WORD_LABEL,
  WORD_CALC,
  WORD_SEND,
  WORD_RECV,
  WORD_RANK,
  WORD_NUM_RANKS,
} Word;

static Word
find_word (const char *text, gsize length)
{
  if (length == 4)
    {
      if (memcmp (text, "calc", 4) == 0)
        return WORD_CALC;
      if (memcmp (text, "send", 4) == 0)
        return WORD_SEND;
      if (memcmp (text, "recv", 4) == 0)
        return WORD_RECV;
      if (memcmp (text, "rank", 4) == 0)
        return WORD_RANK;
    }
  return length == 9 && memcmp (text, "num_ranks", 9) == 0 ? WORD_NUM_RANKS : WORD_LABEL;
}

static const PdGraphKind kinds[] = {
  [WORD_CALC] = PD_GRAPH_CALC,
  [WORD_SEND] = PD_GRAPH_SEND,
  [WORD_RECV] = PD_GRAPH_RECV,
};

static gboolean
find_label (PdGoalParser *self, const char *text, const char *end, guint32 *op)
{
  if (G_LIKELY (pd_goal_labels_find (self->labels, text, (gsize) (end - text), op)))
    return TRUE;
  pd_goal_fail (self, text, PD_TRACE_ERROR_VALUE,
                "label '%.*s' is not defined so far in rank %" G_GUINT32_FORMAT, (int) (end - text),
                text, self->rank);
  return FALSE;
}

/* The text behind a label: its operation, or a dependency. */
static const char *
parse_labelled (PdGoalParser *self, const char *label, const char *end)
{
  const char *at = pd_goal_skip (self, end), *word, *on_end;
  gboolean on_start = *at == 'i';
  guint32 op, on;
  Word kind;

  if (*at == ':')
    {
      word = pd_goal_skip (self, at + 1);
      at = pd_goal_skip_label (word);
      kind = find_word (word, (gsize) (at - word));
      if (kind < WORD_CALC || kind > WORD_RECV)
        return pd_goal_expected (self, word, "calc, send or recv");
      return parse_op (self, at, kinds[kind], label, (gsize) (end - label));
    }
  word = at + on_start;
  if (!pd_goal_has_word (self, word, "requires", 8) || pd_goal_is_label_char (word[8]))
    return pd_goal_expected (self, at, "':', requires or irequires");
  at = pd_goal_skip (self, word + 8);
  on_end = pd_goal_skip_label (at);
  if (!g_ascii_isalpha (*at))
    return pd_goal_expected (self, at, "a label");
  if (!find_label (self, label, end, &op) || !find_label (self, at, on_end, &on))
    return NULL;
  pd_graph_builder_depend (self->builder, op, on, on_start);
  return on_end;
}

static const char *
begin_rank (PdGoalParser *self, const char *at)
{
  guint64 rank = 0;
  const char *begin = at = pd_goal_skip (self, at);

  at = pd_goal_get_number (self, at, G_MAXUINT32, "a rank", &rank);
  if (at == NULL)
    return NULL;
  if (self->in_rank)
    return pd_goal_fail (self, begin, PD_TRACE_ERROR_SYNTAX,
                         "expected '}' of rank %" G_GUINT32_FORMAT " before another rank",
                         self->rank);
  if (rank >= self->n_ranks)
    return pd_goal_fail (self, begin, PD_TRACE_ERROR_VALUE,
                         "rank %" G_GUINT64_FORMAT " is out of range, there are %" G_GUINT32_FORMAT,
                         rank, self->n_ranks);
  if (rank != self->rank)
    return pd_goal_fail (
        self, begin, PD_TRACE_ERROR_VALUE,
        rank < self->rank ? "rank %" G_GUINT64_FORMAT " is there twice, expected %" G_GUINT32_FORMAT
                          : "found rank %" G_GUINT64_FORMAT ", expected %" G_GUINT32_FORMAT,
        rank, self->rank);
  at = pd_goal_skip (self, at);
  if (*at != '{')
    return pd_goal_expected (self, at, "'{'");
  pd_graph_builder_begin_rank (self->builder, self->rank);
  pd_goal_labels_begin_rank (self->labels);
  self->in_rank = TRUE;
  return at + 1;
}

static const char *
parse_num_ranks (PdGoalParser *self, const char *word, const char *at)
{
  guint64 n = 0;
  const char *begin = at = pd_goal_skip (self, at);

  if (self->builder != NULL)
    return pd_goal_fail (self, word, PD_TRACE_ERROR_SYNTAX, "num_ranks is there twice");
  at = pd_goal_get_number (self, at, G_MAXUINT32, "the number of ranks", &n);
  if (at == NULL)
    return NULL;
  if (n == 0)
    return pd_goal_fail (self, begin, PD_TRACE_ERROR_VALUE, "expected at least one rank");
  if (n > PD_PROGRAM_MAX_RANKS)
    return pd_goal_fail (self, begin, PD_TRACE_ERROR_LIMIT,
                         "there are %" G_GUINT64_FORMAT " ranks, at most %d are possible", n,
                         PD_PROGRAM_MAX_RANKS);
  self->n_ranks = (guint32) n;
  self->builder = pd_graph_builder_new (self->n_ranks);
  return at;
}

/* A statement that begins with a letter. */
static const char *
parse_statement (PdGoalParser *self, const char *word)
{
  const char *end = pd_goal_skip_label (word);
  Word kind = find_word (word, (gsize) (end - word));

  if (kind == WORD_NUM_RANKS)
    return parse_num_ranks (self, word, end);
  if (self->builder == NULL)
    return pd_goal_expected (self, word, "num_ranks");
  if (kind == WORD_RANK)
    return begin_rank (self, end);
  if (!self->in_rank)
    return pd_goal_expected (self, word, "rank");
  if (kind == WORD_LABEL)
    return parse_labelled (self, word, end);
  return parse_op (self, end, kinds[kind], NULL, 0);
}

/* One line; several statements may share it if braces are between them. */
static gboolean
parse_line (PdGoalParser *self)
{
  const char *at = self->line.begin;
  gboolean after_op = FALSE;

  if (G_UNLIKELY (self->in_comment))
    at = pd_goal_skip_comment (self, at);
  while (at != NULL)
    {
      at = pd_goal_skip (self, at);
      if (G_LIKELY (at >= self->line.end))
        return TRUE;
      if (*at == '}' && self->in_rank)
        {
          self->in_rank = FALSE;
          self->rank++;
          after_op = FALSE;
          at++;
        }
      else if (G_UNLIKELY (after_op || !g_ascii_isalpha (*at)))
        at = pd_goal_expected (self, at,
                               after_op        ? "the end of the line, or '}'"
                               : self->in_rank ? "an operation, a label or '}'"
                                               : "rank or num_ranks");
      else
        {
          gboolean was_in_rank = self->in_rank;
          at = parse_statement (self, at);
          after_op = was_in_rank;
        }
    }
  return FALSE;
}

/* ---- the whole */

static gboolean
check_complete (PdGoalParser *self)
{
  g_autofree char *rank =
      g_strdup_printf ("%s %" G_GUINT32_FORMAT, self->in_rank ? "'}' of rank" : "rank", self->rank);
  const char *what = self->in_comment             ? "the end of a comment"
                     : self->builder == NULL      ? "num_ranks"
                     : self->rank < self->n_ranks ? rank
                                                  : NULL;
  g_autofree char *place = g_strdup_printf ("%s:%" G_GINT64_FORMAT, self->name, self->lines.number);

  if (!pd_input_check (self->lines.input, place, self->error))
    return FALSE;
  if (what == NULL)
    return TRUE;
  g_set_error (self->error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED,
               "%s: the text ends where %s was expected", place, what);
  return FALSE;
}

gboolean
pd_goal_parse_lines (PdGoalParser *self)
{
  g_autoptr (GError) problem = NULL;

  while (pd_line_input_next (&self->lines, &self->line, &problem))
    if (!parse_line (self))
      return FALSE;
  if (problem == NULL)
    return TRUE;
  g_propagate_prefixed_error (self->error, g_steal_pointer (&problem), "%s: ", self->name);
  return FALSE;
}

gboolean
pd_goal_parse_head (PdGoalParser *self)
{
  while (self->builder == NULL && pd_line_input_next (&self->lines, &self->line, NULL))
    if (!parse_line (self))
      return FALSE;
  return self->builder != NULL;
}

void
pd_goal_parser_init (PdGoalParser *self, PdInput *input, const char *name, GError **error)
{
  *self = (PdGoalParser){ .name = name, .labels = pd_goal_labels_new (), .error = error };
  pd_line_input_init (&self->lines, input);
}

void
pd_goal_parser_clear (PdGoalParser *self)
{
  g_clear_pointer (&self->builder, pd_graph_builder_free);
  g_clear_pointer (&self->labels, pd_goal_labels_free);
  pd_line_input_clear (&self->lines);
}

PdGraph *
pd_goal_read_text (PdInput *input, const char *name, GError **error)
{
  g_auto (PdGoalParser) self = { .name = NULL };

  pd_goal_parser_init (&self, input, name, error);
  return pd_goal_parse_lines (&self) && check_complete (&self)
             ? pd_goal_finish (g_steal_pointer (&self.builder), name, error)
             : NULL;
}

/* Behind the comment at @at; NULL: there is none, or it does not end. */
static const char *
skip_comment (const char *at, const char *end)
{
  if (end - at < 2 || at[0] != '/')
    return NULL;
  if (at[1] == '/')
    return memchr (at, '\n', (gsize) (end - at));
  const char *close = at[1] == '*' ? g_strstr_len (at + 2, end - at - 2, "*/") : NULL;
  return close != NULL ? close + 2 : NULL;
}

gboolean
pd_goal_is_text (const char *head, gsize n)
{
  static const char word[] = "num_ranks";
  const char *at = head, *end = head + n, *next;
  gsize size = sizeof word - 1;

  do
    {
      while (at < end && g_ascii_isspace (*at))
        at++;
      if ((next = skip_comment (at, end)) != NULL)
        at = next;
    }
  while (next != NULL);
  return (gsize) (end - at) >= size && memcmp (at, word, size) == 0
         && ((gsize) (end - at) == size || !pd_goal_is_label_char (at[size]));
}
