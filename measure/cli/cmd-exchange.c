/* predictor-measure exchange: kinds of exchanges in turn.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "measure/cli/pd-measure.h"
#include "measure/mpi/mpi-bind.h"
#include "measure/exchange/mpi-exchange.h"
#include "measure/mpi/mpi-progress.h"
#include "measure/mpi/mpi-tools.h"
#include "measure/plan/pd-exchange-options.h"
#include "measure/plan/pd-exchange-table.h"

#include <string.h>

/* The median of a kind with a length. */
typedef struct
{
  const PdExchangeKind *kind;
  gint64 bytes;
  gdouble median;
} Found;

typedef struct
{
  PdExchangeOptions options;
  GPtrArray *kinds; /* const PdExchangeKind *, owned */
  PdTimer timer;
  int rank;
  int size;
  gboolean crowded;
  PdSheet *output; /* owned */
  PdRound *rounds; /* owned: room for those of a row */
  GArray *found;   /* Found, of rank 0, owned */
  guint n_rows;
  guint n_disturbed; /* rows of disturbed rounds only */
  guint left_out;    /* rows of more threads than processors */
} Exchange;

/* ---- which kinds */

static gboolean
is_meant (const PdExchangeKind *kind, const char *word)
{
  return strcmp (kind->name, word) == 0 || strcmp (kind->group, word) == 0
         || (strcmp (word, "all") == 0 && (kind->varies & PD_VARIES_THREADS) == 0);
}

static gboolean
find_kinds (Exchange *self, GError **error)
{
  g_auto (GStrv) words = g_strsplit (self->options.kinds, ",", -1);
  gsize n;
  const PdExchangeKind *const *all = pd_exchange_kinds (&n);

  self->kinds = g_ptr_array_new ();
  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean is_known = FALSE;
      for (gsize k = 0; k < n; k++)
        if (is_meant (all[k], words[i]))
          {
            is_known = TRUE;
            if (!g_ptr_array_find (self->kinds, all[k], NULL))
              g_ptr_array_add (self->kinds, (gpointer) all[k]);
          }
      if (!is_known)
        return pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
                        "--kinds: unknown kind '%s'; expected datatypes, rate, onesided, threads, "
                        "memory, all, or kinds of these groups as in vector-pack,get-flush",
                        words[i]);
    }
  return self->kinds->len > 0
         || pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, "--kinds: expected a kind");
}

/* ---- one row */

static gboolean
measure_row (Exchange *self, PdExchange *exchange, int processes, GError **error)
{
  const PdExchangeRule rule = { self->options.repetitions, self->options.at_least * 1e-3,
                                self->options.rounds };
  PdExchangeTimes times = { .rounds = self->rounds };
  const PdExchangeCase what = {
    .kind = exchange->kind->name,
    .processes = processes,
    .streams = processes / 2 * exchange->threads,
    .threads = exchange->threads,
    .window = exchange->window,
    .bytes = (gint64) exchange->bytes,
    .oversubscribed = self->crowded || 2 * exchange->threads > (int) g_get_num_processors ()
  };

  if (self->rank == 0)
    pd_progress (self->options.quiet, "%s: %d processes, window %d, %" G_GSIZE_FORMAT " bytes",
                 what.kind, processes, what.window, exchange->bytes);
  if (!pd_exchange_measure (exchange, &rule, &times))
    return pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DATA,
                    "%s of %" G_GSIZE_FORMAT " bytes, window %d: wrong data came", what.kind,
                    exchange->bytes, what.window);
  if (self->rank == 0)
    {
      Found found = { exchange->kind, what.bytes,
                      pd_exchange_table_add (self->output, &what, times.repetitions, times.rounds,
                                             times.n_rounds) };
      g_array_append_val (self->found, found);
      self->n_rows++;
      if (pd_rounds_disturbed (times.rounds, times.n_rounds) == times.n_rounds)
        self->n_disturbed++;
    }
  return TRUE;
}

/* ---- rows of a kind */

static gint64
number_at (const GArray *numbers, guint i)
{
  return g_array_index (numbers, gint64, i);
}

/* Lengths as multiples of the element that the kind sends, each once. */
static gboolean
measure_sizes (Exchange *self, PdExchange *exchange, int processes, GError **error)
{
  const PdExchangeKind *kind = exchange->kind;
  gsize last = 0;

  for (guint i = 0; i < self->options.sizes->len; i++)
    {
      gsize wanted = (gsize) number_at (self->options.sizes, i);
      gsize bytes = (wanted + kind->unit - 1) / kind->unit * kind->unit;
      if (bytes == last || (kind->most > 0 && i > 0))
        continue;
      exchange->bytes = kind->most > 0 ? kind->most : bytes;
      last = bytes;
      if (!measure_row (self, exchange, processes, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
measure_windows (Exchange *self, PdExchange *exchange, int processes, GError **error)
{
  guint n = (exchange->kind->varies & PD_VARIES_WINDOW) ? self->options.windows->len : 1;

  for (guint i = 0; i < n; i++)
    {
      exchange->window = (exchange->kind->varies & PD_VARIES_WINDOW) != 0
                             ? (int) number_at (self->options.windows, i)
                             : 1;
      if (!measure_sizes (self, exchange, processes, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
measure_threads (Exchange *self, PdExchange *exchange, int processes, GError **error)
{
  gboolean varies = (exchange->kind->varies & PD_VARIES_THREADS) != 0;
  guint n = varies ? self->options.threads->len : 1;

  for (guint i = 0; i < n; i++)
    {
      exchange->threads = varies ? (int) number_at (self->options.threads, i) : 1;
      if (2 * exchange->threads > (int) g_get_num_processors () && !self->options.force)
        self->left_out++;
      else if (!measure_windows (self, exchange, processes, error))
        return FALSE;
    }
  return TRUE;
}

/* The first @processes measure, the others sleep. */
static gboolean
measure_among (Exchange *self, const PdExchangeKind *kind, int processes, GError **error)
{
  PdExchange exchange = { .kind = kind, .timer = &self->timer };
  g_autoptr (GError) local = NULL;

  MPI_Comm_split (MPI_COMM_WORLD, self->rank < processes ? 0 : MPI_UNDEFINED, self->rank,
                  &exchange.comm);
  if (exchange.comm != MPI_COMM_NULL)
    {
      measure_threads (self, &exchange, processes, &local);
      MPI_Comm_free (&exchange.comm);
    }
  pd_mpi_idle (MPI_COMM_WORLD);
  if (!pd_mpi_failed (MPI_COMM_WORLD, local))
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* One pair, and twice as many again and again, and all of them. */
static gboolean
measure_kind (Exchange *self, const PdExchangeKind *kind, GError **error)
{
  int most = (kind->varies & PD_VARIES_PAIRS) != 0 ? self->size / 2 : 1;

  for (int pairs = 1;; pairs = MIN (2 * pairs, most))
    {
      if (!measure_among (self, kind, 2 * pairs, error))
        return FALSE;
      if (pairs == most)
        return TRUE;
    }
}

/* ---- layouts against each other */

static gboolean
find_median (const Exchange *self, const char *layout, const char *way, gint64 bytes,
             gdouble *median)
{
  g_autofree char *name = g_strconcat (layout, way, NULL);

  for (guint i = 0; i < self->found->len; i++)
    {
      const Found *found = &g_array_index (self->found, Found, i);
      if (found->bytes != bytes || strcmp (found->kind->name, name) != 0)
        continue;
      *median = found->median;
      return TRUE;
    }
  return FALSE;
}

static void
add_layouts (Exchange *self)
{
  for (guint i = 0; i < self->found->len; i++)
    {
      const Found *found = &g_array_index (self->found, Found, i);
      const char *layout = found->kind->name;
      PdLayoutTimes times;
      if (find_median (self, "contiguous", "", found->bytes, &times.contiguous)
          && find_median (self, layout, "", found->bytes, &times.derived)
          && find_median (self, layout, "-pack", found->bytes, &times.packed)
          && find_median (self, layout, "-copy", found->bytes, &times.copied))
        pd_exchange_table_add_layout (self->output, layout, found->bytes, &times, self->crowded);
    }
}

/* ---- the command */

static gboolean
has_threads (const Exchange *self)
{
  for (guint i = 0; i < self->kinds->len; i++)
    if (((const PdExchangeKind *) g_ptr_array_index (self->kinds, i))->varies & PD_VARIES_THREADS)
      return TRUE;
  return FALSE;
}

static gboolean
check_threads (const Exchange *self, GError **error)
{
  int level;

  MPI_Query_thread (&level);
  pd_sheet_fact (self->output, "thread_level", "%s",
                 level == MPI_THREAD_MULTIPLE ? "MPI_THREAD_MULTIPLE" : "MPI_THREAD_SINGLE");
  return !has_threads (self) || level == MPI_THREAD_MULTIPLE
         || pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_ABSENT,
                     "this MPI does not let several threads call it (MPI_THREAD_MULTIPLE)");
}

/* Threads of a process need several processors. */
static gboolean
prepare (Exchange *self, GError **error)
{
  PdTimerKind timer = pd_timer_find (self->options.timer, error);
  int bound = 0;

  if (timer == PD_N_TIMERS || !find_kinds (self, error))
    return FALSE;
  MPI_Comm_rank (MPI_COMM_WORLD, &self->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &self->size);
  if (self->size < 2)
    return pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
                    "expected at least 2 processes: mpiexec -n 2 predictor-measure exchange");
  if (!pd_mpi_check_crowd (MPI_COMM_WORLD, self->options.force, &self->crowded, error))
    return FALSE;
  if (!self->options.no_bind)
    bound = pd_mpi_bind (MPI_COMM_WORLD, has_threads (self));
  if (!pd_mpi_timer_start (MPI_COMM_WORLD, &self->timer, timer, error))
    return FALSE;
  pd_mpi_facts (MPI_COMM_WORLD, self->output, timer, self->crowded);
  pd_mpi_bind_fact (self->output, bound);
  self->rounds = g_new (PdRound, pd_rounds_most (self->options.rounds));
  self->found = g_array_new (FALSE, FALSE, sizeof (Found));
  return check_threads (self, error);
}

/* The facts that are known at the end of the measurement. */
static void
add_found (Exchange *self)
{
  if (self->left_out > 0)
    pd_sheet_fact (self->output, "left_out",
                   "%u numbers of threads, which are more than there are processors; --force "
                   "measures them",
                   self->left_out);
  if (self->n_disturbed > 0)
    pd_sheet_fact (self->output, "disturbed", PD_ROUNDS_DISTURBED, self->n_disturbed, self->n_rows);
}

static gboolean
run_all (Exchange *self, GError **error)
{
  for (guint i = 0; i < self->kinds->len; i++)
    if (!measure_kind (self, g_ptr_array_index (self->kinds, i), error))
      return FALSE;
  if (self->rank != 0)
    return TRUE;
  add_layouts (self);
  add_found (self);
  return pd_sheet_write (self->output, &self->options.files, error);
}

gboolean
pd_measure_exchange (int argc, char **argv, GError **error)
{
  Exchange self = { .kinds = NULL };
  gboolean fine = pd_exchange_options_parse (&self.options, argc, argv, error);

  if (fine)
    {
      self.output = pd_sheet_new ("exchange");
      fine = prepare (&self, error) && run_all (&self, error);
    }
  g_clear_pointer (&self.kinds, g_ptr_array_unref);
  g_clear_pointer (&self.found, g_array_unref);
  g_free (self.rounds);
  pd_sheet_free (self.output);
  pd_exchange_options_clear (&self.options);
  return fine;
}
