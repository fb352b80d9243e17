/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-advise-traces-private.h"

#include "predictor/dvm/predict/pd-recorded.h"

#include <string.h>

/* One trace of a family. */
typedef struct
{
  PdPredictOptions predict;
  GPtrArray *cleanings;
} Trace;

struct _PdAdviseTraces
{
  const PdAdviseOptions *options;
  PdMessages *messages;
  GHashTable *others; /* Trace by path, without the first one */
};

static void
trace_free (gpointer data)
{
  Trace *trace = data;

  g_clear_pointer (&trace->cleanings, g_ptr_array_unref);
  g_free (trace);
}

PdAdviseTraces *
pd_advise_traces_new (const PdAdviseOptions *options, PdMessages *messages)
{
  PdAdviseTraces *self = g_new0 (PdAdviseTraces, 1);

  self->options = options;
  self->messages = messages;
  self->others = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, trace_free);
  return self;
}

void
pd_advise_traces_free (PdAdviseTraces *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->others);
  g_free (self);
}

static Trace *
open_trace (PdAdviseTraces *self, const char *path, GError **error)
{
  Trace *trace = g_new0 (Trace, 1);

  trace->predict = self->options->predict;
  trace->predict.trace = path;
  trace->predict.bytes = NULL;
  trace->cleanings = pd_recorded_clean (path, NULL, &trace->predict.clean, error);
  trace->predict.cleanings = trace->cleanings;
  if (trace->cleanings == NULL)
    {
      trace_free (trace);
      return NULL;
    }
  pd_recorded_report (trace->cleanings, self->messages);
  g_hash_table_insert (self->others, (gpointer) path, trace);
  return trace;
}

const PdPredictOptions *
pd_advise_traces_choose (PdAdviseTraces *self, const PdCount *count, GError **error)
{
  const PdPredictOptions *first = &self->options->predict;

  if (self->options->family == NULL)
    return first;
  const char *path = pd_family_choose (self->options->family, count, NULL, error);
  if (path == NULL || strcmp (path, first->trace) == 0)
    return path != NULL ? first : NULL;
  Trace *trace = g_hash_table_lookup (self->others, path);
  if (trace == NULL)
    trace = open_trace (self, path, error);
  return trace != NULL ? &trace->predict : NULL;
}

GArray *
pd_advise_traces_get_grids (const PdAdviseTraces *self)
{
  const PdCount *only = &self->options->facts->only_grid;
  const char *any = NULL;

  if (self->options->family == NULL)
    {
      GArray *grids = only->rank > 0 ? g_array_new (FALSE, FALSE, sizeof (PdCount)) : NULL;
      return grids != NULL ? g_array_append_vals (grids, only, 1) : NULL;
    }
  g_autoptr (GArray) grids = pd_family_get_grids (self->options->family, &any);
  return any == NULL ? g_steal_pointer (&grids) : NULL;
}

void
pd_advise_traces_note (const PdAdviseTraces *self, const PdAdvice *advice)
{
  const GPtrArray *runs = advice->report->runs;

  for (guint i = 0; i < runs->len && self->options->family != NULL; i++)
    {
      const PdReportRun *run = g_ptr_array_index (runs, i);
      gboolean is_best = FALSE;
      for (guint c = 0; c < PD_N_ADVICE; c++)
        is_best |= advice->best[c] == (gint) i;
      g_autoptr (GArray) counts = is_best ? pd_counts_parse (run->grid, 1, NULL) : NULL;
      if (counts != NULL)
        pd_family_choose (self->options->family, &g_array_index (counts, PdCount, 0),
                          self->messages, NULL);
    }
}
