/* Parts have ranks of their own, whose lines are together; where they are not, one thread reads
 * all.
 * SPDX-License-Identifier: MIT */
#include "traces/ti/pd-ti-parts-private.h"

#include "traces/io/pd-parts.h"
#include "traces/program/pd-program-builder-take.h"
#include "traces/ti/pd-ti-fields-private.h"
#include "traces/ti/pd-ti-lines-private.h"

#include <glib/gstdio.h>

/* A thread reads one at a time. */
typedef struct
{
  PdTiCount count;
  PdTi ti;            /* with ranks of the whole, but messages of its own */
  guint32 first, end; /* files */
  gboolean fine;
} Part;

typedef struct
{
  const char *name;
  const PdParts *parts;   /* of a file of all ranks, or: */
  const GPtrArray *paths; /* of a file for each */
  guint n;
  Part *list; /* (array length=n) */
} Job;

/* ---- life */

static void
begin_part (Part *part, const PdTi *whole)
{
  part->ti = *whole;
  part->ti.messages = pd_messages_new ();
  part->ti.builder = pd_program_builder_new_part (whole->builder);
  part->ti.lines = g_new0 (PdTiLine, PD_TI_N_LINES);
  pd_repeats_init (&part->ti.repeats);
  part->ti.counts = g_array_new (FALSE, FALSE, sizeof (gint64));
  part->ti.slots = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static void
end_part (Part *part)
{
  pd_messages_free (part->ti.messages);
  pd_program_builder_free (part->ti.builder);
  g_free (part->ti.lines);
  pd_repeats_clear (&part->ti.repeats);
  g_array_unref (part->ti.counts);
  g_array_unref (part->ti.slots);
}

/* Actions and messages of all parts become those of @ti. FALSE: a part could not be read alone. */
static gboolean
join (Job *self, PdTi *ti)
{
  gboolean fine = TRUE;

  for (guint i = 0; i < self->n; i++)
    {
      fine = fine && self->list[i].fine;
      ti->n_listed += self->list[i].ti.n_listed;
    }
  fine = fine && ti->n_listed <= PD_TI_MAX_LISTED;
  for (guint i = 0; i < self->n; i++)
    {
      PdTi *own = &self->list[i].ti;
      if (fine)
        {
          pd_messages_add_all (ti->messages, own->messages);
          pd_program_builder_join (ti->builder, g_steal_pointer (&own->builder));
          ti->incomplete |= own->incomplete;
          ti->name = own->name;
        }
      end_part (&self->list[i]);
    }
  return fine;
}

/* Reads all parts of @n_ranks ranks. FALSE: nothing has been. */
static gboolean
run (Job *self, guint32 n_ranks, guint n_threads, PdParallelFunc read, PdTi *ti,
     PdMessages *messages)
{
  pd_ti_init (ti, n_ranks, messages);
  for (guint i = 0; i < self->n; i++)
    begin_part (&self->list[i], ti);
  pd_parallel_run (self->n, n_threads, read, self);
  if (join (self, ti))
    return TRUE;
  pd_ti_clear (ti);
  *ti = (PdTi){ .name = NULL };
  return FALSE;
}

/* ---- a file of all ranks */

static gboolean
get_rank (const char *begin, const char *end, gint64 *rank)
{
  PdTiFields fields = { begin, end };

  return pd_ti_has_more (&fields) && pd_numbers_read_int (fields.p, end, rank) != NULL;
}

static guint64
cut (const PdTraceSource *source, guint64 at, guint64 end)
{
  return pd_parts_find_change (source, at, end, get_rank);
}

static void
count_part (guint i, gpointer data)
{
  const Job *self = data;
  g_autoptr (PdInput) input = pd_parts_open (self->parts, i);

  self->list[i].fine = input != NULL && pd_ti_count (input, self->name, &self->list[i].count, NULL);
}

/* The sum of all parts. */
static gboolean
add_counts (Job *self, PdTiCount *all)
{
  *all = (PdTiCount){ .greatest = -1 };
  for (guint i = 0; i < self->n; i++)
    {
      Part *part = &self->list[i];
      if (!part->fine)
        return FALSE;
      all->greatest = MAX (all->greatest, part->count.greatest);
      all->n_actions += part->count.n_actions;
      all->n_lines += part->count.n_lines;
    }
  return TRUE;
}

static void
read_part (guint i, gpointer data)
{
  const Job *self = data;
  Part *part = &self->list[i];
  g_autoptr (PdInput) input = pd_parts_open (self->parts, i);

  for (guint k = 0; k < i; k++)
    part->ti.line += (gint64) self->list[k].count.n_lines;
  part->fine = input != NULL && pd_ti_read_actions (&part->ti, input, self->name, -1, NULL)
               && pd_input_get_problem (input) == PD_INPUT_FINE;
  pd_program_builder_end_part (part->ti.builder);
}

gboolean
pd_ti_read_parts (const PdTraceSource *source, guint n_threads, PdTi *ti, PdMessages *messages)
{
  g_auto (PdParts) parts = { .source = NULL };
  PdTiCount count;

  if (!pd_parts_init (&parts, source, n_threads, cut))
    return FALSE;
  g_autofree Part *list = g_new0 (Part, parts.n);
  Job self = {
    .name = pd_trace_source_get_name (source), .parts = &parts, .n = parts.n, .list = list
  };
  pd_parallel_run (self.n, parts.n_threads, count_part, &self);
  return add_counts (&self, &count) && pd_ti_check_count (&count, self.name, NULL)
         && run (&self, (guint32) count.greatest + 1, parts.n_threads, read_part, ti, messages);
}

/* ---- a file for each rank */

gboolean
pd_ti_read_file (PdTi *ti, const GPtrArray *paths, guint32 rank, GError **error)
{
  const char *path = paths->pdata[rank];
  g_autoptr (PdInput) input = pd_input_new_from_file (path, error);

  ti->line = 0;
  return input != NULL && pd_ti_read_actions (ti, input, path, rank, error);
}

static void
read_some_files (guint i, gpointer data)
{
  const Job *self = data;
  Part *part = &self->list[i];

  part->fine = TRUE;
  for (guint32 rank = part->first; part->fine && rank < part->end; rank++)
    part->fine = pd_ti_read_file (&part->ti, self->paths, rank, NULL);
  pd_program_builder_end_part (part->ti.builder);
}

/* Bytes of all files. */
static guint64
add_sizes (const GPtrArray *paths)
{
  guint64 size = 0;
  GStatBuf status;

  for (guint i = 0; i < paths->len; i++)
    if (g_stat (paths->pdata[i], &status) == 0)
      size += (guint64) status.st_size;
  return size;
}

gboolean
pd_ti_read_files (const GPtrArray *paths, guint n_threads, PdTi *ti, PdMessages *messages)
{
  n_threads = pd_parts_get_n_threads (n_threads, n_threads == 0 ? add_sizes (paths) : 0);
  if (n_threads == 1)
    return FALSE;
  guint n = MIN (paths->len, n_threads * PD_PARTS_PER_THREAD);
  g_autofree Part *list = g_new0 (Part, n);
  Job self = { .paths = paths, .n = n, .list = list };
  for (guint i = 0; i < n; i++)
    {
      list[i].first = (guint32) ((guint64) paths->len * i / n);
      list[i].end = (guint32) ((guint64) paths->len * (i + 1) / n);
    }
  return run (&self, paths->len, n_threads, read_some_files, ti, messages);
}
