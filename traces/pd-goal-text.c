/* The reader of GOAL texts: one pass, line by line, straight into the builder
 * of the graph. A scan needs no limit but the line end, which no token crosses.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-goal-labels.h"
#include "traces/pd-goal-private.h"
#include "traces/pd-line-input.h"
#include "traces/pd-program.h"

#include <string.h>

#define MAX_SHOWN 24 /* bytes of what was found instead */

typedef struct
{
  PdLineInput lines;
  const char *name;
  PdLineText line;
  PdGraphBuilder *builder; /* (nullable): until num_ranks */
  PdGoalLabels *labels;
  guint32 n_ranks;
  guint32 rank; /* the next one, or the one we are in */
  gboolean in_rank;
  gboolean in_comment;
  GError **error;
} Parser;

/* Letters, digits and _: what a label is made of. */
static inline gboolean
is_label_char (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* ---- errors; all give NULL, which ends the reading of the line */

static const char *fail (Parser *self, const char *at, PdTraceError code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* What is wrong in a last line without end, and without a brace behind it, may
 * be so because the text was cut there. */
static gboolean
is_cut (const Parser *self, const char *at)
{
  return self->lines.is_last && (self->builder == NULL || self->rank < self->n_ranks)
         && memchr (at, '}', (gsize) (self->line.end - at)) == NULL;
}

static const char *
fail (Parser *self, const char *at, PdTraceError code, const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, PD_TRACE_ERROR,
               (gint) (is_cut (self, at) ? PD_TRACE_ERROR_TRUNCATED : code),
               "%s:%" G_GINT64_FORMAT ":%d: %s", self->name, self->lines.number,
               (int) (at - self->line.begin) + 1, text);
  return NULL;
}

/* What stands at @at, in quotes. */
static char *
found (const Parser *self, const char *at)
{
  const char *end = at;
  GString *text;

  if (at >= self->line.end)
    return g_strdup (self->lines.is_last ? "the end of the text" : "the end of the line");
  while (end < self->line.end && end - at < MAX_SHOWN && is_label_char (*end))
    end++;
  if (end == at)
    end++;
  text = g_string_new ("'");
  for (; at < end; at++)
    if (g_ascii_isprint (*at))
      g_string_append_c (text, *at);
    else
      g_string_append_printf (text, "\\x%02x", (guint8) *at);
  g_string_append_c (text, '\'');
  return g_string_free (text, FALSE);
}

static const char *
expected (Parser *self, const char *at, const char *what)
{
  g_autofree char *instead = found (self, at);

  return fail (self, at, PD_TRACE_ERROR_SYNTAX, "expected %s, found %s", what, instead);
}

/* ---- tokens */

/* The end of a comment that begins at @at or before: behind its end, or the
 * line end. */
static const char *
skip_comment (Parser *self, const char *at)
{
  const char *close;

  for (close = at; close + 1 < self->line.end; close++)
    if (close[0] == '*' && close[1] == '/')
      {
        self->in_comment = FALSE;
        return close + 2;
      }
  self->in_comment = TRUE;
  return self->line.end;
}

static const char *
skip_slow (Parser *self, const char *at)
{
  for (;;)
    {
      if (*at == ' ' || *at == '\t' || (*at == '\r' && at + 1 == self->line.end))
        at++;
      else if (at[0] == '/' && at[1] == '/')
        return self->line.end;
      else if (at[0] == '/' && at[1] == '*')
        at = skip_comment (self, at + 2);
      else
        return at;
    }
}

/* Blanks and comments. */
static inline const char *
skip (Parser *self, const char *at)
{
  while (*at == ' ' || *at == '\t')
    at++;
  return G_UNLIKELY (*at == '/' || *at == '\r') ? skip_slow (self, at) : at;
}

/* Whether @word is at @at; the line end, which no word has, stops it. */
static inline gboolean
has_word (const char *at, const char *word)
{
  while (*word != '\0' && *at == *word)
    {
      at++;
      word++;
    }
  return *word == '\0';
}

static inline const char *
skip_label (const char *at)
{
  while (is_label_char (*at))
    at++;
  return at;
}

/* A decimal number of at most @max. */
static inline const char *
get_number (Parser *self, const char *at, guint64 max, const char *what, guint64 *value)
{
  const char *begin = at;
  guint64 number = 0;

  while (*at == '0')
    at++;
  for (const char *first = at; (guint8) (*at - '0') < 10; at++)
    {
      if (G_UNLIKELY (at - first >= 19))
        return fail (self, begin, PD_TRACE_ERROR_LIMIT, "%s is more than %" G_GUINT64_FORMAT, what,
                     max);
      number = number * 10 + (guint8) (*at - '0');
    }
  if (G_UNLIKELY (at == begin))
    return expected (self, begin, what);
  if (G_UNLIKELY (number > max))
    return fail (self, begin, PD_TRACE_ERROR_LIMIT,
                 "%s is %" G_GUINT64_FORMAT ", at most %" G_GUINT64_FORMAT " is possible", what,
                 number, max);
  *value = number;
  return at;
}

/* The same, or -1 = any. */
static inline const char *
get_number_or_any (Parser *self, const char *at, guint64 max, const char *what, guint64 *value)
{
  if (G_UNLIKELY (at[0] == '-' && at[1] == '1' && !is_label_char (at[2])))
    {
      *value = PD_GRAPH_ANY;
      return at + 2;
    }
  return get_number (self, at, max, what, value);
}

/* ---- operations */

/* tag T, cpu C, nic N in this order, as written by everyone; each once. */
static const char *
parse_options (Parser *self, const char *at, PdGraphOp *op)
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

      at = skip (self, at);
      if (!has_word (at, options[i].word))
        continue;
      at = skip (self, at + 3);
      at = i == 0 ? get_number_or_any (self, at, options[i].max, options[i].what, &value)
                  : get_number (self, at, options[i].max, options[i].what, &value);
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
parse_message (Parser *self, const char *at, PdGraphOp *op)
{
  gboolean is_send = op->kind == PD_GRAPH_SEND;
  guint64 peer = 0;
  const char *begin;

  at = skip (self, at);
  if (*at != 'b')
    return expected (self, at, "'b' after the number of bytes");
  at = skip (self, at + 1);
  if (!has_word (at, is_send ? "to" : "from"))
    return expected (self, at, is_send ? "'to'" : "'from'");
  begin = at = skip (self, at + (is_send ? 2 : 4));
  at = is_send ? get_number (self, at, G_MAXUINT32, "a rank", &peer)
               : get_number_or_any (self, at, G_MAXUINT32 - 1, "a rank", &peer);
  if (at == NULL)
    return NULL;
  if (G_UNLIKELY (peer >= self->n_ranks && (is_send || peer != PD_GRAPH_ANY)))
    return fail (self, begin, PD_TRACE_ERROR_VALUE,
                 "rank %" G_GUINT64_FORMAT " is out of range, there are %" G_GUINT32_FORMAT, peer,
                 self->n_ranks);
  op->peer = (guint32) peer;
  return at;
}

/* The operation at @at, behind its keyword. @label is NULL if it has none. */
static const char *
parse_op (Parser *self, const char *at, PdGraphKind kind, const char *label, gsize length)
{
  PdGraphOp op = { .kind = kind };
  guint64 size = 0;
  guint32 index;

  at = skip (self, at);
  at = get_number (self, at, G_MAXINT64, kind == PD_GRAPH_CALC ? "a duration" : "a size", &size);
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
    return fail (self, label, PD_TRACE_ERROR_VALUE,
                 "label '%.*s' is there twice in rank %" G_GUINT32_FORMAT, (int) length, label,
                 self->rank);
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
find_label (Parser *self, const char *text, const char *end, guint32 *op)
{
  if (G_LIKELY (pd_goal_labels_find (self->labels, text, (gsize) (end - text), op)))
    return TRUE;
  fail (self, text, PD_TRACE_ERROR_VALUE,
        "label '%.*s' is not defined so far in rank %" G_GUINT32_FORMAT, (int) (end - text), text,
        self->rank);
  return FALSE;
}

/* What follows a label: its operation, or what it requires. */
static const char *
parse_labelled (Parser *self, const char *label, const char *end)
{
  const char *at = skip (self, end), *word, *on_end;
  gboolean on_start = *at == 'i';
  guint32 op, on;
  Word kind;

  if (*at == ':')
    {
      word = skip (self, at + 1);
      at = skip_label (word);
      kind = find_word (word, (gsize) (at - word));
      if (kind < WORD_CALC || kind > WORD_RECV)
        return expected (self, word, "calc, send or recv");
      return parse_op (self, at, kinds[kind], label, (gsize) (end - label));
    }
  word = at + on_start;
  if (!has_word (word, "requires") || is_label_char (word[8]))
    return expected (self, at, "':', requires or irequires");
  at = skip (self, word + 8);
  on_end = skip_label (at);
  if (!g_ascii_isalpha (*at))
    return expected (self, at, "a label");
  if (!find_label (self, label, end, &op) || !find_label (self, at, on_end, &on))
    return NULL;
  pd_graph_builder_depend (self->builder, op, on, on_start);
  return on_end;
}

static const char *
begin_rank (Parser *self, const char *at)
{
  guint64 rank = 0;
  const char *begin = at = skip (self, at);

  at = get_number (self, at, G_MAXUINT32, "a rank", &rank);
  if (at == NULL)
    return NULL;
  if (self->in_rank)
    return fail (self, begin, PD_TRACE_ERROR_SYNTAX,
                 "expected '}' of rank %" G_GUINT32_FORMAT " before another rank", self->rank);
  if (rank >= self->n_ranks)
    return fail (self, begin, PD_TRACE_ERROR_VALUE,
                 "rank %" G_GUINT64_FORMAT " is out of range, there are %" G_GUINT32_FORMAT, rank,
                 self->n_ranks);
  if (rank != self->rank)
    return fail (self, begin, PD_TRACE_ERROR_VALUE,
                 rank < self->rank
                     ? "rank %" G_GUINT64_FORMAT " is there twice, expected %" G_GUINT32_FORMAT
                     : "found rank %" G_GUINT64_FORMAT ", expected %" G_GUINT32_FORMAT,
                 rank, self->rank);
  at = skip (self, at);
  if (*at != '{')
    return expected (self, at, "'{'");
  pd_graph_builder_begin_rank (self->builder, self->rank);
  pd_goal_labels_begin_rank (self->labels);
  self->in_rank = TRUE;
  return at + 1;
}

static const char *
parse_num_ranks (Parser *self, const char *word, const char *at)
{
  guint64 n = 0;
  const char *begin = at = skip (self, at);

  if (self->builder != NULL)
    return fail (self, word, PD_TRACE_ERROR_SYNTAX, "num_ranks is there twice");
  at = get_number (self, at, G_MAXUINT32, "the number of ranks", &n);
  if (at == NULL)
    return NULL;
  if (n == 0)
    return fail (self, begin, PD_TRACE_ERROR_VALUE, "expected at least one rank");
  if (n > PD_PROGRAM_MAX_RANKS)
    return fail (self, begin, PD_TRACE_ERROR_LIMIT,
                 "there are %" G_GUINT64_FORMAT " ranks, at most %d are possible", n,
                 PD_PROGRAM_MAX_RANKS);
  self->n_ranks = (guint32) n;
  self->builder = pd_graph_builder_new (self->n_ranks);
  return at;
}

/* A statement that begins with a letter. */
static const char *
parse_statement (Parser *self, const char *word)
{
  const char *end = skip_label (word);
  Word kind = find_word (word, (gsize) (end - word));

  if (kind == WORD_NUM_RANKS)
    return parse_num_ranks (self, word, end);
  if (self->builder == NULL)
    return expected (self, word, "num_ranks");
  if (kind == WORD_RANK)
    return begin_rank (self, end);
  if (!self->in_rank)
    return expected (self, word, "rank");
  if (kind == WORD_LABEL)
    return parse_labelled (self, word, end);
  return parse_op (self, end, kinds[kind], NULL, 0);
}

/* One line; several statements may share it if braces are between them. */
static gboolean
parse_line (Parser *self)
{
  const char *at = self->line.begin;
  gboolean after_op = FALSE;

  if (G_UNLIKELY (self->in_comment))
    at = skip_comment (self, at);
  while (at != NULL)
    {
      at = skip (self, at);
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
        at = expected (self, at,
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
check_complete (Parser *self)
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

static gboolean
parse_lines (Parser *self)
{
  g_autoptr (GError) problem = NULL;

  while (pd_line_input_next (&self->lines, &self->line, &problem))
    if (!parse_line (self))
      return FALSE;
  if (problem == NULL)
    return check_complete (self);
  g_propagate_prefixed_error (self->error, g_steal_pointer (&problem), "%s: ", self->name);
  return FALSE;
}

PdGraph *
pd_goal_read_text (PdInput *input, const char *name, GError **error)
{
  Parser self = { .name = name, .labels = pd_goal_labels_new (), .error = error };
  PdGraph *graph = NULL;

  pd_line_input_init (&self.lines, input);
  if (parse_lines (&self))
    graph = pd_goal_finish (g_steal_pointer (&self.builder), name, error);
  if (self.builder != NULL)
    pd_graph_builder_free (self.builder);
  pd_goal_labels_free (self.labels);
  pd_line_input_clear (&self.lines);
  return graph;
}

gboolean
pd_goal_is_text (const char *head, gsize n)
{
  g_autofree char *text = g_strndup (head, n);
  const char *at = text, *close;

  for (;;)
    {
      while (g_ascii_isspace (*at))
        at++;
      if (at[0] == '/' && at[1] == '/')
        at += strcspn (at, "\n");
      else if (at[0] == '/' && at[1] == '*' && (close = strstr (at + 2, "*/")) != NULL)
        at = close + 2;
      else
        return g_str_has_prefix (at, "num_ranks") && !is_label_char (at[9]);
    }
}
