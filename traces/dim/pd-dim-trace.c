/* Traces of Dimemas, whole: by one thread, or in parts of some tasks by several.
 * SPDX-License-Identifier: MIT */
#include "traces/dim/pd-dim-reader.h"

#include "traces/dim/pd-dim-lines-private.h"
#include "traces/dim/pd-dim-reader-private.h"
#include "traces/dim/pd-dim-survey-private.h"
#include "traces/io/pd-parts.h"
#include "traces/program/pd-program-builder-take.h"

#include <string.h>

/* ---- parts */

/* A thread reads one at a time. */
typedef struct
{
  PdDimReader reader; /* its survey is that of the part */
  GError *error;      /* (nullable) */
  gboolean fine;
} Part;

typedef struct
{
  const PdParts *parts;
  Part *list; /* (array length=parts->n) */
} Job;

/* The part that the record at @begin is of. */
static gboolean
get_task (const char *begin, const char *end G_GNUC_UNUSED, gint64 *task)
{
  gint64 type;
  const char *p = pd_dim_parse_int (begin, &type);

  return p != NULL && *p == ':' && pd_dim_parse_int (p + 1, task) != NULL;
}

static guint64
cut (const PdTraceSource *source, guint64 at, guint64 end)
{
  return pd_parts_find_change (source, at, end, get_task);
}

static gboolean
open_lines (PdDimLines *lines, const Job *job, guint i, guint64 line)
{
  *lines = (PdDimLines){ .name = pd_trace_source_get_name (job->parts->source), .line = line };
  lines->input = pd_parts_open (job->parts, i);
  return lines->input != NULL;
}

static void
survey_part (guint i, gpointer data)
{
  const Job *self = data;
  PdDimSurvey *survey = &self->list[i].reader.survey;

  self->list[i].fine = open_lines (&survey->lines, self, i, 0)
                       && pd_dim_survey_lines (survey, &self->list[i].error)
                       && pd_input_get_problem (survey->lines.input) == PD_INPUT_FINE;
}

static void
read_part (guint i, gpointer data)
{
  const Job *self = data;
  Part *part = &self->list[i];
  guint64 line = part->reader.lines.line;

  part->fine = open_lines (&part->reader.lines, self, i, line)
               && pd_dim_reader_records (&part->reader)
               && pd_input_get_problem (part->reader.lines.input) == PD_INPUT_FINE;
  pd_program_builder_end_part (part->reader.survey.builder);
}

/* All parts are looked at; then each one knows all, and its first line. */
static gboolean
survey_parts (Job *self, PdDimReader *whole)
{
  PdDimSurvey *survey = &whole->survey;
  guint64 line = survey->lines.line, size = self->parts->begins[self->parts->n];
  guint n = self->parts->n;

  survey->is_short = size < survey->definitions;
  for (guint i = 0; i < n; i++)
    {
      Part *part = &self->list[i];
      pd_dim_reader_init (&part->reader, pd_messages_new (), &part->error);
      pd_dim_survey_init_part (&part->reader.survey, survey);
      part->reader.survey.is_short = survey->is_short && i == n - 1;
      part->reader.seen = whole->seen;
    }
  pd_parallel_run (n, self->parts->n_threads, survey_part, self);
  for (guint i = 0; i < n; i++)
    {
      PdDimSurvey *own = &self->list[i].reader.survey;
      if (!self->list[i].fine || !pd_dim_survey_merge (survey, own))
        return FALSE;
      self->list[i].reader.lines.line = line;
      line += own->lines.line;
      pd_dim_lines_clear (&own->lines);
    }
  return TRUE;
}

static gboolean
read_parts (Job *self, PdDimReader *whole)
{
  gboolean fine = TRUE;

  for (guint i = 0; i < self->parts->n; i++)
    {
      PdDimSurvey *own = &self->list[i].reader.survey;
      pd_dim_survey_share (own, &whole->survey);
      own->builder = pd_program_builder_new_part (whole->survey.builder);
    }
  pd_parallel_run (self->parts->n, self->parts->n_threads, read_part, self);
  for (guint i = 0; i < self->parts->n; i++)
    fine = fine && self->list[i].fine;
  for (guint i = 0; fine && i < self->parts->n; i++)
    {
      PdDimReader *own = &self->list[i].reader;
      pd_messages_add_all (whole->messages, own->messages);
      pd_program_builder_join (whole->survey.builder, g_steal_pointer (&own->survey.builder));
      whole->survey.is_short |= own->survey.is_short;
      whole->lines.line = own->lines.line;
    }
  return fine;
}

/* FALSE: nothing is reported, and @self is to be cleared. */
static gboolean
read_by_threads (PdDimReader *self, const PdTraceSource *source, guint n_threads)
{
  g_auto (PdParts) parts = { .source = NULL };
  guint64 records;

  if (!pd_parts_init (&parts, source, n_threads, cut)
      || !pd_dim_survey_begin (&self->survey, source, &records) || records >= parts.begins[1])
    return FALSE;
  parts.begins[0] = records;
  g_autofree Part *list = g_new0 (Part, parts.n);
  g_autofree guint8 *seen = g_new0 (guint8, self->survey.n_tasks);
  Job job = { &parts, list };
  self->seen = seen;
  self->lines.name = pd_trace_source_get_name (source);
  gboolean fine = survey_parts (&job, self) && read_parts (&job, self);
  for (guint i = 0; i < parts.n; i++)
    {
      pd_messages_free (list[i].reader.messages);
      pd_dim_reader_clear (&list[i].reader);
      g_clear_error (&list[i].error);
    }
  if (fine)
    self->seen = g_steal_pointer (&seen);
  return fine;
}

/* ---- the whole trace */

static void
report_end (PdDimReader *self, PdMpTrace *trace)
{
  PdPlace place = { self->lines.name, (gint64) self->lines.line, NULL, -1, -1, TRUE };
  guint32 n_empty = 0, first = 0;

  trace->incomplete = self->survey.is_short;
  if (self->lines.input != NULL)
    {
      pd_input_report (self->lines.input, self->messages, &place);
      trace->incomplete |= pd_input_get_problem (self->lines.input) != PD_INPUT_FINE;
    }
  if (self->survey.is_short)
    pd_messages_add (self->messages, PD_SEVERITY_WARNING, "dim-truncated", NULL, &place,
                     "the trace ends too early; what there is, is used");
  for (guint32 task = self->survey.n_tasks; task-- > 0;)
    if (!self->seen[task])
      {
        n_empty++;
        first = task;
      }
  place.line = 0;
  place.rank = first;
  if (n_empty > 0)
    pd_messages_add (self->messages, PD_SEVERITY_WARNING, "dim-empty-task", NULL, &place,
                     "%u of %u tasks have no records and do nothing, task %u is the first of them",
                     n_empty, self->survey.n_tasks, first);
}

/* Record by record. */
static gboolean
read_records (PdDimReader *self, const PdTraceSource *source)
{
  if (!pd_dim_survey (&self->survey, source, self->error)
      || !pd_dim_lines_init (&self->lines, source, self->error))
    return FALSE;
  self->seen = g_new0 (guint8, self->survey.n_tasks);
  return pd_dim_reader_records (self);
}

gboolean
pd_trace_dim_read (const PdTraceSource *source, const PdTraceReadOptions *options, PdMpTrace *trace,
                   PdMessages *messages, GError **error)
{
  g_auto (PdDimReader) self = { 0 };
  g_autoptr (GError) local = NULL;

  pd_dim_reader_init (&self, messages, &local);
  gboolean fine = read_by_threads (&self, source, options->n_threads);
  if (!fine)
    {
      pd_dim_reader_clear (&self);
      pd_dim_reader_init (&self, messages, &local);
      fine = read_records (&self, source);
    }
  if (fine)
    {
      report_end (&self, trace);
      trace->program = pd_program_builder_finish (g_steal_pointer (&self.survey.builder));
    }
  g_free (self.seen);
  return pd_propagate (error, g_steal_pointer (&local));
}

gboolean
pd_trace_dim_matches (const PdTraceProbe *probe)
{
  static const char magic[] = "#DIMEMAS:";

  return probe->size >= sizeof magic - 1 && memcmp (probe->data, magic, sizeof magic - 1) == 0;
}
