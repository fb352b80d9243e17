/* Time-independent traces of SimGrid: one file of all ranks, or a list that
 * names one such file or a file for each rank.
 * SPDX-License-Identifier: MIT */
#include "base/pd-text.h"
#include "traces/io/pd-lines.h"
#include "traces/ti/pd-ti-private.h"
#include "traces/program/pd-program-builder.h"
#include "traces/ti/pd-ti-actions-private.h"
#include "traces/ti/pd-ti-fields-private.h"
#include "traces/ti/pd-ti-reader.h"
#include "traces/ti/pd-ti-requests-private.h"

#include <string.h>

/* A line of a list is a file name. */
#define MAX_PATH_LENGTH 4096

/* ---- actions */

typedef struct
{
  PdTi *ti;
  gint64 rank; /* the only one that a private file is of; -1 = all */
  gboolean is_last;
} Actions;

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
      ti->rank = (guint32) self->rank;
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
  ti->rank = (guint32) rank;
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
read_action_line (gpointer data, const char *begin, const char *end, gboolean is_last,
                  GError **error)
{
  Actions *self = data;
  PdTi *ti = self->ti;
  PdTiFields fields = { begin, end };
  g_autoptr (GError) local = NULL;

  ti->line++;
  self->is_last = is_last;
  if (!pd_ti_has_more (&fields) || *fields.p == '#')
    return TRUE;
  ti->action = NULL;
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
read_actions (PdTi *ti, PdInput *input, const char *name, gint64 rank, GError **error)
{
  Actions actions = { ti, rank, FALSE };
  PdPlace place = { name, 0, NULL, -1, -1, TRUE };

  ti->name = name;
  ti->line = 0;
  if (!pd_lines_read (input, name, read_action_line, &actions, error))
    return FALSE;
  ti->action = NULL;
  pd_input_report (input, ti->messages, &place);
  ti->incomplete |= pd_input_get_problem (input) != PD_INPUT_FINE;
  return TRUE;
}

/* ---- how many ranks */

typedef struct
{
  gint64 greatest;
  guint64 n_lines;
} Count;

static gboolean
count_line (gpointer data, const char *begin, const char *end, gboolean is_last, GError **error)
{
  Count *self = data;
  PdTiFields fields = { begin, end };
  gint64 rank;

  (void) is_last;
  (void) error;
  if (!pd_ti_has_more (&fields) || *fields.p == '#')
    return TRUE;
  self->n_lines++;
  if (pd_numbers_read_int (fields.p, end, &rank) != NULL)
    self->greatest = MAX (self->greatest, rank);
  return TRUE;
}

/* The greatest rank that has a line. As each rank has one, there are not more
 * ranks than lines: a number that is none of a rank is found before memory is
 * taken for it. */
static gboolean
count_ranks (const PdTraceSource *source, guint32 *n_ranks, GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);
  Count count = { -1, 0 };
  const char *name = pd_trace_source_get_name (source);

  if (input == NULL || !pd_lines_read (input, name, count_line, &count, error))
    return FALSE;
  if (count.greatest < 0)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED, "%s: the trace has no actions",
                 name);
  else if (count.greatest >= PD_PROGRAM_MAX_RANKS)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                 "%s: rank %" G_GINT64_FORMAT ", at most %d are possible", name, count.greatest,
                 PD_PROGRAM_MAX_RANKS);
  else if ((guint64) count.greatest >= count.n_lines)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                 "%s: rank %" G_GINT64_FORMAT " in a trace of %" G_GUINT64_FORMAT " actions", name,
                 count.greatest, count.n_lines);
  else
    {
      *n_ranks = (guint32) count.greatest + 1;
      return TRUE;
    }
  return FALSE;
}

/* ---- the parts of a trace */

static void
ti_init (PdTi *self, guint32 n_ranks, PdMessages *messages)
{
  memset (self, 0, sizeof *self);
  self->n_ranks = n_ranks;
  self->ranks = g_new0 (PdTiRank, n_ranks);
  self->messages = messages;
  self->builder = pd_program_builder_new (n_ranks, PD_AMOUNT_FLOPS);
  pd_program_builder_fold (self->builder);
  self->counts = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->slots = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static void
ti_clear (PdTi *self)
{
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    pd_pending_clear (&self->ranks[rank].pending);
  g_free (self->ranks);
  pd_program_builder_free (self->builder);
  g_array_unref (self->counts);
  g_array_unref (self->slots);
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

/* What SMPI does at the end of a rank's trace: it waits for what is pending. */
static gboolean
finish_ranks (PdTi *self, GError **error)
{
  gboolean begins = FALSE; /* as a tracer writes it */

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    begins = begins || self->ranks[rank].has_begun;
  self->line = 0;
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

static gboolean
read_shared (const PdTraceSource *source, PdMpTrace *trace, PdMessages *messages, GError **error)
{
  g_autoptr (PdInput) input = NULL;
  guint32 n_ranks;
  PdTi ti;

  if (!count_ranks (source, &n_ranks, error))
    return FALSE;
  input = pd_trace_source_open (source, error);
  if (input == NULL)
    return FALSE;
  ti_init (&ti, n_ranks, messages);
  gboolean fine = read_actions (&ti, input, pd_trace_source_get_name (source), -1, error)
                  && finish_ranks (&ti, error);
  if (fine)
    trace->program = pd_program_builder_finish (g_steal_pointer (&ti.builder));
  trace->incomplete = ti.incomplete;
  ti_clear (&ti);
  return fine;
}

static gboolean
read_private_files (const char *const *paths, guint32 n, PdTi *ti, GError **error)
{
  for (guint32 rank = 0; rank < n; rank++)
    {
      g_autoptr (PdInput) input = pd_input_new_from_file (paths[rank], error);
      if (input == NULL || !read_actions (ti, input, paths[rank], rank, error))
        return FALSE;
    }
  return finish_ranks (ti, error);
}

/* ---- lists of files */

/* What a list calls @line: beside the list, or where we are. */
static char *
find_file (const char *list, const char *line)
{
  g_autofree char *folder = g_path_get_dirname (list);
  char *path = g_path_is_absolute (line) ? g_strdup (line) : g_build_filename (folder, line, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return path;
  g_free (path);
  return g_file_test (line, G_FILE_TEST_IS_REGULAR) ? g_strdup (line) : NULL;
}

typedef struct
{
  const char *name; /* of the list */
  gint64 line;
  GPtrArray *paths;
} List;

static gboolean
read_list_line (gpointer data, const char *begin, const char *end, gboolean is_last, GError **error)
{
  List *self = data;
  PdTiFields fields = { begin, end };

  (void) is_last;
  self->line++;
  if (!pd_ti_has_more (&fields))
    return TRUE;
  while (pd_ti_is_blank (end[-1]))
    end--;
  g_autofree char *name = g_strndup (fields.p, MIN ((gsize) (end - fields.p), MAX_PATH_LENGTH));
  char *path = find_file (self->name, name);
  if (path == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN,
                   "%s:%" G_GINT64_FORMAT ": no such file: %s", self->name, self->line, name);
      return FALSE;
    }
  g_ptr_array_add (self->paths, path);
  if (self->paths->len <= PD_PROGRAM_MAX_RANKS)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT, "%s: over %d files", self->name,
               PD_PROGRAM_MAX_RANKS);
  return FALSE;
}

static gboolean
read_list (const PdTraceSource *source, PdMpTrace *trace, PdMessages *messages, GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  List list = { pd_trace_source_get_name (source), 0, paths };
  PdTi ti;

  trace->parts = paths;
  if (input == NULL || !pd_lines_read (input, list.name, read_list_line, &list, error))
    return FALSE;
  if (paths->len <= 1)
    {
      PdTraceSource shared = { paths->len == 1 ? paths->pdata[0] : source->path, NULL };
      return read_shared (&shared, trace, messages, error);
    }
  ti_init (&ti, paths->len, messages);
  gboolean fine = read_private_files ((const char *const *) paths->pdata, paths->len, &ti, error);
  if (fine)
    trace->program = pd_program_builder_finish (g_steal_pointer (&ti.builder));
  trace->incomplete = ti.incomplete;
  ti_clear (&ti);
  return fine;
}

/* ---- recognising */

/* The first line that is neither empty nor a comment; FALSE if there is none. */
static gboolean
find_first_line (const char *data, gsize size, PdTiFields *line)
{
  const char *p = data, *end = data + size;

  while (p < end)
    {
      const char *lf = memchr (p, '\n', (gsize) (end - p));
      *line = (PdTiFields){ p, lf != NULL ? lf : end };
      if (pd_ti_has_more (line) && *line->p != '#')
        return TRUE;
      p = lf != NULL ? lf + 1 : end;
    }
  return FALSE;
}

/* RANK ACTION, where it may break off if that is all there is. */
static gboolean
is_action (const char *data, gsize size)
{
  PdTiFields line;
  gint64 rank;

  if (!find_first_line (data, size, &line))
    return FALSE;
  line.p = pd_numbers_read_int (line.p, line.end, &rank);
  if (line.p == NULL || rank < 0 || line.p == line.end || !pd_ti_is_blank (*line.p)
      || !pd_ti_has_more (&line))
    return FALSE;
  const char *name = line.p;
  while (line.p < line.end && !pd_ti_is_blank (*line.p))
    line.p++;
  return pd_ti_action_find (name, (gsize) (line.p - name)) != NULL;
}

/* Whether the file at @path begins as a trace of actions. */
static gboolean
file_has_actions (const char *path)
{
  g_autoptr (PdInput) input = pd_input_new_from_file (path, NULL);
  const PdWindow *window;

  if (input == NULL)
    return FALSE;
  window = pd_input_get_window (input);
  pd_input_fill (input, 0);
  return is_action (window->data, window->size);
}

/* Nothing but lines of one word with a dot in it: names of files. */
static gboolean
has_only_names (const PdTraceProbe *probe)
{
  g_autofree char *text = g_strndup (probe->data, probe->size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      if (line[0] != '\0' && (strpbrk (line, " \t") != NULL || strchr (line, '.') == NULL))
        return FALSE;
    }
  return probe->whole;
}

/* The first line names a file that is a trace of actions, or one that is missing. */
static gboolean
is_list (const PdTraceProbe *probe)
{
  PdTiFields line;

  if (!find_first_line (probe->data, probe->size, &line))
    return FALSE;
  while (line.end > line.p && pd_ti_is_blank (line.end[-1]))
    line.end--;
  gsize n = (gsize) (line.end - line.p);
  if (n > MAX_PATH_LENGTH || !g_utf8_validate (line.p, (gssize) n, NULL))
    return FALSE;
  g_autofree char *name = g_strndup (line.p, n);
  g_autofree char *path = find_file (probe->path, name);
  return path != NULL ? file_has_actions (path) : has_only_names (probe);
}

gboolean
pd_trace_ti_matches (const PdTraceProbe *probe)
{
  return is_action (probe->data, probe->size) || is_list (probe);
}

gboolean
pd_trace_ti_read (const PdTraceSource *source, const PdTraceReadOptions *options, PdMpTrace *trace,
                  PdMessages *messages, GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);
  const PdWindow *window;

  (void) options;
  if (input == NULL)
    return FALSE;
  window = pd_input_get_window (input);
  pd_input_fill (input, 0);
  if (is_action (window->data, window->size))
    return read_shared (source, trace, messages, error);
  return read_list (source, trace, messages, error);
}
