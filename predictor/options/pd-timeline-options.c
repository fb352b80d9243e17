/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-timeline-options.h"

#include "predictor/options/cmd-tools.h"
#include "predictor/options/pd-command-line.h"
#include "traces/otf2/pd-otf2-writer.h"
#include "timeline/pd-timeline-feed.h"
#include "timeline/pd-timeline-select.h"

#include <string.h>

void
pd_timeline_options_fill (PdTimelineOptions *self, GOptionEntry *entries)
{
  const GOptionEntry table[PD_N_TIMELINE_OPTIONS + 1] = {
    { "timeline", 0, 0, G_OPTION_ARG_FILENAME, &self->path,
      "Write the activity of every rank over time; the suffix gives the format: .json or .json.gz "
      "for Perfetto, .prv for Paraver, .otf2 for OTF2 (default: none)",
      "FILE" },
    { "timeline-window", 0, 0, G_OPTION_ARG_STRING, &self->window,
      "Only from T1 to T2, which have units, e.g. 1ms:2ms; one may be omitted (default: all)",
      "T1:T2" },
    { "timeline-ranks", 0, 0, G_OPTION_ARG_STRING, &self->ranks,
      "Only these ranks, e.g. 0-7,64 (default: all)", "LIST" },
    { "timeline-limit", 0, 0, G_OPTION_ARG_INT64, &self->limit,
      "Write no timeline of more than N slices, messages and ends of intervals "
      "(default: 5000000)",
      "N" },
    { "matrix", 0, 0, G_OPTION_ARG_STRING, &self->matrix,
      "Communication matrix in JSON, XML and databases: messages, or all, with collective "
      "operations as if their data were sent directly (default: none, pages have messages)",
      "WHAT" },
    { .long_name = NULL },
  };

  self->limit = PD_TIMELINE_LIMIT;
  memcpy (entries, table, sizeof table);
}

void
pd_timeline_options_clear (PdTimelineOptions *self)
{
  g_free (self->path);
  g_free (self->window);
  g_free (self->ranks);
  g_free (self->matrix);
}

static gboolean
check_files (const PdTimelineOptions *self, const char *const *inputs,
             const PdOutputOptions *output, const char *log, GError **error)
{
  const char *const *companions = self->format->companions;
  gsize end = strlen (self->path);
  char *others[G_N_ELEMENTS (self->format->companions)] = { NULL };
  const char *written[PD_N_OUTPUTS + 2 + G_N_ELEMENTS (others)];

  while (self->path[end - 1] == '/')
    end--;
  g_autofree char *base = g_strndup (self->path, end - strlen (self->format->suffix));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      others[i] = companions[i] != NULL ? g_strconcat (base, companions[i], NULL) : NULL;
      written[PD_N_OUTPUTS + 2 + i] = others[i];
    }
  memcpy (written, (const char *const *) output->files, sizeof output->files);
  written[PD_N_OUTPUTS] = log;
  written[PD_N_OUTPUTS + 1] = self->path;
  gboolean ok = pd_cmd_check_files (inputs, written, G_N_ELEMENTS (written), error);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    g_free (others[i]);
  return ok;
}

static gboolean
check_matrix (PdTimelineOptions *self, GError **error)
{
  self->with_collectives = g_strcmp0 (self->matrix, "all") == 0;
  if (self->matrix == NULL || self->with_collectives || strcmp (self->matrix, "messages") == 0)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "--matrix: '%s', expected messages or all", self->matrix);
  return FALSE;
}

gboolean
pd_timeline_options_check (PdTimelineOptions *self, const char *const *inputs,
                           const PdOutputOptions *output, const char *log, GError **error)
{
  const char *restriction = self->window != NULL               ? "--timeline-window"
                            : self->ranks != NULL              ? "--timeline-ranks"
                            : self->limit != PD_TIMELINE_LIMIT ? "--timeline-limit"
                                                               : NULL;

  self->selection =
      (PdTimelineSelection){ .end = PD_TIME_MAX, .ranks = self->ranks, .limit = PD_TIMELINE_LIMIT };
  if (!check_matrix (self, error))
    return FALSE;
  if (restriction != NULL && self->path == NULL)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "%s needs --timeline FILE", restriction);
      return FALSE;
    }
  if (self->path == NULL)
    return TRUE;
  if (self->limit < 1 || self->limit > G_MAXINT32)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "--timeline-limit %" G_GINT64_FORMAT ": expected 1 to %d", self->limit,
                   G_MAXINT32);
      return FALSE;
    }
  self->selection.limit = (guint64) self->limit;
  if (self->window != NULL && !pd_timeline_parse_window (self->window, &self->selection, error))
    return FALSE;
  /* whether its ranks are a list at all, before anything is predicted */
  g_autoptr (PdTimeline) probe = pd_timeline_new (&self->selection, error);
  self->format = probe != NULL ? pd_timeline_format_find (self->path, error) : NULL;
  return self->format != NULL && check_files (self, inputs, output, log, error);
}

/* ---- consumers */

/* The sizes of the timeline in pages, for runs on many processors. */
#define PAGE_GROUPS 128
#define PAGE_BINS   256

struct _PdConsumers
{
  const PdTimelineOptions *options;
  gboolean has_page;        /* a page is written, too */
  PdTimelineFeed *feed;     /* (nullable): of the run under way */
  PdTimeline *timeline;     /* (nullable): of the last run */
  PdTimelineBins *bins;     /* (nullable): of the run under way, for the page */
  PdCommMatrix *matrix;     /* (nullable): likewise */
  PdCommPairs *pairs;       /* (nullable): of the run under way, for documents */
  PdProgram *replayed;      /* (nullable): the last run as a program with times, */
  const PdProgram *program; /* (nullable): or this one; borrowed */
  gboolean is_complete;     /* the last run has ended, */
  GError *error;            /* (nullable): and cannot be written */
};

PdConsumers *
pd_consumers_new (const PdTimelineOptions *options, const PdOutputOptions *output)
{
  PdConsumers *self = g_new0 (PdConsumers, 1);

  self->options = options;
  self->has_page = output->files[PD_OUTPUT_HTML] != NULL;
  return self;
}

static void
drop_run (PdConsumers *self)
{
  g_clear_pointer (&self->feed, pd_timeline_feed_free);
  g_clear_pointer (&self->timeline, pd_timeline_free);
  g_clear_pointer (&self->bins, pd_timeline_bins_free);
  g_clear_pointer (&self->matrix, pd_comm_matrix_free);
  g_clear_pointer (&self->pairs, pd_comm_pairs_free);
  g_clear_pointer (&self->replayed, pd_program_free);
  self->program = NULL;
  g_clear_error (&self->error);
  self->is_complete = FALSE;
}

void
pd_consumers_free (PdConsumers *self)
{
  if (self == NULL)
    return;
  drop_run (self);
  g_free (self);
}

gboolean
pd_consumers_are_easy (const PdConsumers *self)
{
  return self == NULL || (self->options->path == NULL && self->options->matrix == NULL);
}

static void
add_page_consumers (PdConsumers *self)
{
  self->bins = pd_timeline_bins_new ();
  pd_timeline_feed_add (self->feed, &pd_timeline_bins_class, self->bins);
  self->matrix = pd_comm_matrix_new ();
  pd_timeline_feed_add (self->feed, &pd_comm_matrix_class, self->matrix);
}

PdTimelineFeed *
pd_consumers_begin (PdConsumers *self)
{
  if (self == NULL || (pd_consumers_are_easy (self) && !self->has_page))
    return NULL;
  drop_run (self);
  self->feed = pd_timeline_feed_new ();
  if (self->options->path != NULL)
    {
      self->timeline = pd_timeline_new (&self->options->selection, NULL);
      pd_timeline_feed_add (self->feed, &pd_timeline_class, self->timeline);
    }
  if (self->has_page)
    add_page_consumers (self);
  if (self->options->matrix != NULL)
    {
      self->pairs = pd_comm_pairs_new ();
      pd_timeline_feed_add (self->feed, &pd_comm_pairs_class, self->pairs);
    }
  return self->feed;
}

/* A part of a run is no program. */
static gboolean
wants_program (const PdConsumers *self)
{
  const PdTimelineOptions *o = self != NULL ? self->options : NULL;

  return o != NULL && o->path != NULL && o->format->is_of_programs && o->window == NULL
         && o->ranks == NULL;
}

PdProgram **
pd_consumers_want_program (PdConsumers *self)
{
  return wants_program (self) ? &self->replayed : NULL;
}

void
pd_consumers_set_program (PdConsumers *self, const PdProgram *program)
{
  if (wants_program (self) && pd_program_get_unit (program) == PD_AMOUNT_TIME)
    self->program = program;
}

void
pd_consumers_add_collectives (PdConsumers *self, const PdProgram *program)
{
  if (self != NULL && self->pairs != NULL && program != NULL && self->options->with_collectives)
    pd_comm_pairs_add_collectives (self->pairs, program);
}

static void
give_pairs (PdConsumers *self, PdReportRun *run)
{
  if (self->pairs == NULL)
    return;
  run->pairs = pd_comm_pairs_end (g_steal_pointer (&self->pairs));
  run->with_collectives = self->options->with_collectives;
  if (self->matrix != NULL && self->matrix->cells != NULL && run->with_collectives)
    pd_comm_matrix_add_collectives (self->matrix, run->pairs);
}

/* Many runs are kept until the page is written: each gets what a screen can show. */
static void
give_to_page (PdConsumers *self, PdReportRun *run)
{
  if (self->bins == NULL || self->bins->sum == NULL)
    return;
  if (self->bins->groups.n > PAGE_GROUPS)
    run->bins = pd_timeline_bins_coarsen (self->bins, PAGE_BINS, PAGE_GROUPS);
  else
    run->bins = g_steal_pointer (&self->bins);
  run->matrix = g_steal_pointer (&self->matrix);
}

void
pd_consumers_end (PdConsumers *self, PdReportRun *run)
{
  if (self == NULL || self->feed == NULL)
    return;
  if (run == NULL)
    {
      drop_run (self);
      return;
    }
  self->is_complete = TRUE;
  pd_timeline_feed_end (self->feed, &self->error);
  g_clear_pointer (&self->feed, pd_timeline_feed_free);
  give_pairs (self, run);
  give_to_page (self, run);
}

/* Message-passing programs can be predicted again, and analysed, if they are written as
 * such. */
static gboolean
write_file (PdConsumers *self, GError **error)
{
  const PdTimelineOptions *o = self->options;
  const PdProgram *program = self->replayed != NULL ? self->replayed : self->program;
  const PdTraceWriteOptions options = { .flops = 0 };

  if (program != NULL)
    return pd_otf2_write (program, o->path, &options, NULL, error);
  return o->format->write (self->timeline, o->path, error);
}

gboolean
pd_consumers_write (PdConsumers *self, const char *command, GError **error)
{
  if (self == NULL || !self->is_complete || self->timeline == NULL)
    return TRUE;
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  self->timeline->command = g_strdup (command);
  return write_file (self, error);
}
