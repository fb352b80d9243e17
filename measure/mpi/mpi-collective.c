/* Measuring collective operations on some of the processes: rounds over all cases, each
 * with buffers of its own, between comparisons of clocks.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-collective-run.h"
#include "measure/mpi/mpi-collective.h"
#include "measure/mpi/mpi-launches.h"
#include "measure/mpi/mpi-operation-data.h"
#include "measure/mpi/mpi-operation-table.h"
#include "measure/mpi/mpi-operation.h"
#include "measure/mpi/mpi-overlap-private.h"
#include "measure/mpi/mpi-sync.h"
#include "measure/mpi/mpi-tools.h"
#include "measure/mpi/mpi-progress.h"

#include <math.h>
#include <unistd.h>

#define ATTEMPTS     3                              /* of a case whose clocks moved */
#define LAST_CACHE   (G_GINT64_CONSTANT (32) << 20) /* where the system does not say */
#define MAX_REGIONS  16384
#define N_OF_OVERLAP 3
#define PAGE         4096
#define LINE         64
#define GOLDEN       2531 /* of a page: multiples, modulo a page, are evenly spread */

typedef struct
{
  const PdMpiOperation *operation;
  gint64 bytes;
  gboolean is_named;                     /* not of a group */
  gboolean is_left_out;                  /* this MPI fails in it */
  PdLaunchSample *samples[N_OF_OVERLAP]; /* of rank 0, owned; without overlap only the first */
} Case;

typedef struct
{
  PdCollectiveRun *run;
  MPI_Comm comm;
  int rank;
  int size;
  PdSync *sync;
  PdLaunchSetup launches;
  Case *cases;
  guint n_cases;
} Measuring;

/* ---- cases */

static guint
samples_of (const Measuring *self, const Case *one)
{
  return self->run->options.overlap && pd_collective_overlaps (one->operation) ? N_OF_OVERLAP : 1;
}

static void
add_case (Measuring *self, const PdMpiOperation *operation, gint64 bytes, gboolean is_named)
{
  Case *one = &self->cases[self->n_cases++];

  *one = (Case){ .operation = operation, .bytes = bytes, .is_named = is_named };
  for (guint i = 0; self->rank == 0 && i < samples_of (self, one); i++)
    one->samples[i] = pd_sample_new ((guint) self->size);
}

static void
add_cases (Measuring *self)
{
  const PdCollectiveRun *run = self->run;

  self->cases = g_new0 (Case, run->operations->len * MAX (run->sizes->len, 1));
  for (guint i = 0; i < run->operations->len; i++)
    {
      const PdMpiOperation *operation = g_ptr_array_index (run->operations, i);
      guint n = pd_operation_has_size (operation) ? run->sizes->len : 1;
      for (guint k = 0; k < n; k++)
        add_case (self, operation,
                  pd_operation_has_size (operation) ? g_array_index (run->sizes, gint64, k) : 0,
                  i < run->n_named);
    }
}

static void
free_cases (Measuring *self)
{
  for (guint i = 0; i < self->n_cases; i++)
    for (guint k = 0; k < N_OF_OVERLAP; k++)
      pd_sample_free (self->cases[i].samples[k]);
  g_free (self->cases);
}

/* ---- buffers */

/* Twice what the last cache holds. */
static gsize
count_regions (const PdMpiOperation *operation, const PdOperationSetup *setup)
{
  gint64 region = pd_operation_region_bytes (operation, setup);
  glong cache = -1;

#ifdef _SC_LEVEL3_CACHE_SIZE
  cache = sysconf (_SC_LEVEL3_CACHE_SIZE);
#endif
  region = MAX (region, LINE);
  return (gsize) CLAMP (2 * (cache > 0 ? cache : LAST_CACHE) / region + 1, 2, MAX_REGIONS);
}

/* How far behind the beginning of a page buffers begin: as much as they are to be aligned
 * to, and no more; or, in each round, at another of the page's cache lines. Where a
 * library's own buffers lie in theirs differs between launches of the program, and
 * addresses that differ by pages hinder each other: so each launch has some of all. */
static gsize
offset_of (gint64 alignment, gint64 round)
{
  if (alignment > 0)
    return alignment < PAGE ? (gsize) alignment : 0;
  return (gsize) ((round + 1) * GOLDEN % PAGE / LINE * LINE);
}

static PdOperationRun *
prepare (Measuring *self, const Case *one, gint64 round, GError **error)
{
  const PdCollectiveRun *run = self->run;
  PdOperationSetup setup = { .comm = self->comm,
                             .bytes = one->bytes,
                             .root = (int) run->options.root,
                             .datatype = run->datatype,
                             .op = run->op,
                             .in_place = run->options.in_place,
                             .alignment = (gsize) run->options.alignment,
                             .offset = offset_of (run->options.alignment, round),
                             .untouched = run->options.untouched,
                             .regions = 1 };

  if (run->options.cold)
    {
      gint64 regions = (gint64) count_regions (one->operation, &setup);
      MPI_Bcast (&regions, 1, MPI_INT64_T, 0, self->comm);
      setup.regions = (gsize) regions;
    }
  return pd_operation_prepare (one->operation, &setup, error);
}

/* ---- one case */

static void
launch (gpointer data, gsize number)
{
  pd_operation_launch (data, number);
}

static gboolean
check_data (const Measuring *self, const Case *one, PdOperationRun *run, GError **error)
{
  if (self->run->options.untouched || pd_operation_verify (run))
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DATA,
               "%s of %" G_GINT64_FORMAT " bytes brought wrong data",
               pd_operation_name (one->operation), one->bytes);
  return FALSE;
}

/* The samples of a case, or NULL, to which a round adds. */
static gboolean
launch_case (Measuring *self, const Case *one, gint64 round, PdLaunchSample *const *samples,
             GError **error)
{
  g_autoptr (PdOperationRun) run = prepare (self, one, round, error);

  if (run == NULL || (round == 0 && !check_data (self, one, run, error)))
    return FALSE;
  for (gint64 i = 0; i < self->run->options.warm_up; i++)
    pd_operation_launch (run, (gsize) i);
  if (samples_of (self, one) > 1)
    pd_collective_measure_overlap (&self->launches, run, self->run->options.progress, samples);
  else if (self->run->options.no_sync)
    pd_launches_loop (&self->launches, launch, run, samples[0]);
  else
    pd_launches_run (&self->launches, launch, run, samples[0]);
  return TRUE;
}

/* ---- clocks */

static void
synchronise (Measuring *self)
{
  pd_sync_free (self->sync);
  self->sync = pd_sync_new (self->comm, &self->run->timer, &self->run->sync);
  self->launches.sync = self->sync;
}

/* That of the last rank is put wrong, in tests. */
static void
disturb (Measuring *self)
{
  if (self->rank == self->size - 1)
    pd_sync_shift (self->sync, self->run->options.shift * 1e-6);
}

/* Processes that wait for processors cannot compare clocks. */
static gboolean
compare_clocks (Measuring *self, GError **error)
{
  PdCollectiveRun *run = self->run;
  gdouble bound = run->crowded ? G_MAXDOUBLE : run->options.bound * 1e-6;
  PdSyncCheck check;

  if (!pd_sync_verify (self->sync, bound, &check, error))
    return FALSE;
  run->worst = MAX (run->worst, fabs (check.error));
  run->nearest = MIN (run->nearest, check.round_trip);
  run->farthest = MAX (run->farthest, check.round_trip);
  run->empty = run->empty > 0 ? MIN (run->empty, check.empty) : check.empty;
  return TRUE;
}

/* ---- what a case is */

static const char *
name_buffers (const PdCollectiveOptions *options)
{
  if (options->untouched)
    return "untouched";
  return options->cold ? "cold" : "warm";
}

static PdCollectiveCase
describe (const Measuring *self, const Case *one)
{
  const PdMpiOperation *operation = one->operation;
  const PdCollectiveOptions *options = &self->run->options;

  return (PdCollectiveCase){
    .operation = pd_operation_name (operation),
    .form = pd_operation_form_name (pd_operation_form (operation)),
    .processes = self->size,
    .bytes = one->bytes,
    .root = pd_operation_has_root (operation) ? (int) options->root : -1,
    .datatype = pd_operation_has_size (operation) ? options->datatype : "",
    .op = pd_operation_has_op (operation) ? options->op : "",
    .buffers = name_buffers (options),
    .arrival = pd_arrival_name (options->arrival.pattern),
    .skew_us = options->arrival.skew > 0 ? options->arrival.skew * 1e6 : NAN,
    .in_place = options->in_place && pd_operation_has_in_place (operation),
    .synchronised = !options->no_sync,
    .oversubscribed = self->run->crowded,
  };
}

/* Clocks are compared after each case, so earlier cases were compared, too. */
static gboolean
measure_case (Measuring *self, const Case *one, gint64 round, GError **error)
{
  g_autoptr (GError) local = NULL;
  PdLaunchSample *found[N_OF_OVERLAP] = { NULL };
  gboolean fine = FALSE;

  for (guint i = 0; i < N_OF_OVERLAP; i++)
    found[i] = one->samples[i] != NULL ? pd_sample_new ((guint) self->size) : NULL;
  for (int attempt = 0; attempt < ATTEMPTS && !fine; attempt++)
    {
      g_clear_error (&local);
      if (!launch_case (self, one, round, found, &local))
        break;
      disturb (self);
      fine = self->run->options.no_sync || compare_clocks (self, &local);
      for (guint i = 0; !fine && i < N_OF_OVERLAP; i++)
        if (found[i] != NULL)
          pd_sample_clear (found[i]);
      if (!fine)
        synchronise (self);
      self->run->refused += !fine;
    }
  if (fine && found[0] != NULL)
    {
      const PdCollectiveCase what = describe (self, one);
      pd_collective_table_add_round (self->run->output, &what, round + 1, found[0]);
    }
  for (guint i = 0; i < N_OF_OVERLAP; i++)
    {
      if (fine && found[i] != NULL)
        pd_sample_take (one->samples[i], found[i]);
      pd_sample_free (found[i]);
    }
  if (!fine)
    g_propagate_error (error, g_steal_pointer (&local));
  return fine;
}

/* Wrong data is an error that all processes have. */
static gboolean
leave_out (Measuring *self, Case *one, GError **error)
{
  PdCollectiveRun *run = self->run;

  if (one->is_named || !g_error_matches (*error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DATA))
    return FALSE;
  one->is_left_out = TRUE;
  if (self->rank == 0)
    pd_progress (run->options.quiet, "left out: %s", (*error)->message);
  g_string_append_printf (run->left_out, "%s%s", run->left_out->len > 0 ? "; " : "",
                          (*error)->message);
  g_clear_error (error);
  return TRUE;
}

static gboolean
measure_round (Measuring *self, gint64 round, GError **error)
{
  const PdCollectiveOptions *options = &self->run->options;

  if (self->rank == 0)
    pd_progress (options->quiet, "%d processes: round %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT,
                 self->size, round + 1, options->rounds);
  for (guint i = 0; i < self->n_cases; i++)
    {
      Case *one = &self->cases[i];
      g_autoptr (GError) local = NULL;
      if (one->is_left_out)
        continue;
      if (!options->no_sync)
        pd_sync_refresh (self->sync);
      if (measure_case (self, one, round, &local) || leave_out (self, one, &local))
        continue;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return TRUE;
}

/* ---- rows */

static gdouble
median_of (const PdLaunchSample *sample)
{
  gsize n = pd_sample_correct (sample);

  return n > 0 ? pd_stats_median (pd_sample_times (sample, PD_TIME_GLOBAL), n) : NAN;
}

static void
add_rows (const Measuring *self)
{
  const PdCollectiveRun *run = self->run;

  for (guint i = 0; i < self->n_cases; i++)
    {
      const Case *one = &self->cases[i];
      const PdCollectiveCase what = describe (self, one);
      if (one->is_left_out)
        continue;
      pd_collective_table_add (run->output, &what, one->samples[0], run->options.trim);
      if (*what.arrival != '\0')
        pd_collective_table_add_arrival (run->output, &what, one->samples[0], run->options.trim);
      if (run->options.per_rank)
        pd_collective_table_add_ranks (run->output, &what, one->samples[0], run->options.trim);
      if (samples_of (self, one) == 1)
        continue;
      const PdOverlap overlap = { median_of (one->samples[0]), median_of (one->samples[1]),
                                  median_of (one->samples[2]), run->options.progress };
      pd_collective_table_add_overlap (run->output, &what, &overlap);
    }
}

/* ---- some of the processes */

static gboolean
measure_all (Measuring *self, GError **error)
{
  const PdCollectiveOptions *options = &self->run->options;
  gdouble slack = MAX (options->slack * 1e-6, pd_launches_slack (self->comm, &self->run->timer));

  self->launches = (PdLaunchSetup){ .comm = self->comm,
                                    .timer = &self->run->timer,
                                    .stages = options->stages,
                                    .stop = options->stop,
                                    .arrival = options->arrival,
                                    .trim = options->trim };
  self->launches.stages.slack = slack;
  synchronise (self);
  if (!options->no_sync && !compare_clocks (self, error))
    return FALSE;
  for (gint64 round = 0; round < options->rounds; round++)
    if (!measure_round (self, round, error))
      return FALSE;
  return TRUE;
}

gboolean
pd_collective_measure (PdCollectiveRun *self, int processes, GError **error)
{
  Measuring measuring = { .run = self };
  gboolean fine = TRUE;

  MPI_Comm_split (MPI_COMM_WORLD, self->rank < processes ? 0 : MPI_UNDEFINED, self->rank,
                  &measuring.comm);
  if (measuring.comm != MPI_COMM_NULL)
    {
      MPI_Comm_rank (measuring.comm, &measuring.rank);
      MPI_Comm_size (measuring.comm, &measuring.size);
      add_cases (&measuring);
      fine = measure_all (&measuring, error);
      if (fine && self->rank == 0)
        add_rows (&measuring);
      free_cases (&measuring);
      pd_sync_free (measuring.sync);
      MPI_Comm_free (&measuring.comm);
    }
  pd_mpi_idle (MPI_COMM_WORLD);
  return fine;
}
