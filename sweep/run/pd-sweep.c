/* SPDX-License-Identifier: MIT */
#include "sweep/run/pd-sweep.h"

#include "sweep/run/pd-coordinator.h"
#include "sweep/run/pd-input-message.h"
#include "sweep/study/pd-study-db-add.h"
#include "sweep/study/pd-study-xml.h"

#include <string.h>

G_DEFINE_QUARK (pd_sweep_error_quark, pd_sweep_error)

/* Points of so many microseconds are one transaction: others see them that late. */
#define COMMIT_TIME 200000
/* Workers that die before they could begin, one after the other, are not to be had. */
#define MAX_FALSE_STARTS 3

typedef struct
{
  const PdStudy *study;
  PdStudyDb *db;
  PdTransport *transport;
  const PdSweepOptions *options;
  PdSweepProgress *progress;
  PdCoordinator *coordinator;
  GString *text;      /* of the study */
  GByteArray *inputs; /* (nullable): of it, as a message */
  gboolean *ready;    /* (array): of each worker */
  guint n_alive;
  guint n_false_starts;
  gint64 begin;       /* moments of the clock */
  gint64 uncommitted; /* since when; 0 = nothing is */
  PdPointResult result;
  GByteArray *failure; /* a message that is made here */
} Sweep;

static void
sweep_clear (Sweep *self)
{
  pd_coordinator_free (self->coordinator);
  g_string_free (self->text, TRUE);
  g_clear_pointer (&self->inputs, g_byte_array_unref);
  g_free (self->ready);
  pd_point_result_clear (&self->result);
  g_byte_array_unref (self->failure);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sweep, sweep_clear)

/* ---- points */

static gboolean
is_of_others (const Sweep *self, gint64 point)
{
  return self->options->n_shards > 0
         && !pd_study_is_done_by (point, self->options->shard, self->options->n_shards);
}

static gboolean
skip (gpointer data, gint64 point)
{
  Sweep *self = data;

  if (is_of_others (self, point))
    return TRUE;
  self->progress->n++;
  if (!pd_study_db_is_done (self->db, point))
    return FALSE;
  self->progress->n_done++;
  return TRUE;
}

static void
notify (Sweep *self)
{
  PdSweepProgress *p = self->progress;

  p->seconds = (gdouble) (g_get_monotonic_time () - self->begin) / 1e6;
  if (!pd_study_db_get_best (self->db, &p->best, &p->best_time))
    p->best = -1;
  if (self->options->progress != NULL)
    self->options->progress (self->options->data, p);
}

static gboolean
commit (Sweep *self, GError **error)
{
  self->uncommitted = 0;
  return pd_study_db_commit (self->db, error);
}

/* Adds self->result to the file. */
static gboolean
keep (Sweep *self, guint worker, guint attempts, GError **error)
{
  PdStudyWork work = { .attempts = attempts };

  if (!self->options->no_times)
    {
      work.host = self->transport->class->get_host != NULL
                      ? self->transport->class->get_host (self->transport, worker)
                      : g_get_host_name ();
      work.finished = g_get_real_time () / G_USEC_PER_SEC;
    }
  if (!pd_study_db_add (self->db, &self->result, &work, error))
    return FALSE;
  self->progress->n_done++;
  self->progress->n_new++;
  if (self->uncommitted == 0)
    self->uncommitted = g_get_monotonic_time ();
  return TRUE;
}

/* ---- workers */

static gboolean
send_study (Sweep *self, guint worker, GError **error)
{
  const PdTransportClass *class = self->transport->class;

  self->ready[worker] = FALSE;
  return (self->inputs == NULL
          || class->send (self->transport, worker, PD_FRAME_INPUTS, self->inputs->data,
                          self->inputs->len, error))
         && class->send (self->transport, worker, PD_FRAME_STUDY, self->text->str, self->text->len,
                         error);
}

static gboolean
give (Sweep *self, guint worker, GError **error)
{
  gint64 points[PD_COORDINATOR_MAX_BATCH];
  guint n = self->ready[worker] ? pd_coordinator_give (self->coordinator, worker, points) : 0;

  for (guint i = 0; i < n; i++)
    points[i] = GINT64_TO_LE (points[i]);
  return n == 0
         || self->transport->class->send (self->transport, worker, PD_FRAME_POINTS, points,
                                          n * sizeof *points, error);
}

static gboolean
give_all (Sweep *self, GError **error)
{
  for (guint i = 0; i < self->transport->class->get_n_workers (self->transport); i++)
    if (!give (self, i, error))
      return FALSE;
  return TRUE;
}

/* ---- events */

static gboolean
take_result (Sweep *self, const PdTransportEvent *event, GError **error)
{
  g_autoptr (GError) local = NULL;
  guint attempts;

  if (!pd_result_message_read (event->data, event->size, &self->result, &local)
      || !pd_coordinator_finish (self->coordinator, event->worker, self->result.point,
                                 (gint64) (self->result.seconds * 1e6), &attempts))
    {
      g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN,
                   "worker %u has sent nonsense: %s", event->worker,
                   local != NULL ? local->message : "a result of a point that was not requested");
      return FALSE;
    }
  return keep (self, event->worker, attempts, error) && give (self, event->worker, error);
}

static gboolean
give_up (Sweep *self, const PdTransportEvent *event, gint64 point, guint attempts, GError **error)
{
  g_autofree char *text = g_strdup_printf ("the process that computed it ended with %s, %u times",
                                           event->text, attempts);

  g_byte_array_set_size (self->failure, 0);
  pd_result_message_write_failure (self->failure, point, PD_POINT_CRASHED, text, 0);
  return pd_result_message_read (self->failure->data, self->failure->len, &self->result, error)
         && keep (self, event->worker, attempts, error);
}

static gboolean
take_death (Sweep *self, const PdTransportEvent *event, GError **error)
{
  gint64 point;
  guint attempts;

  self->n_false_starts = self->ready[event->worker] ? 0 : self->n_false_starts + 1;
  self->ready[event->worker] = FALSE;
  self->n_alive--;
  if (pd_coordinator_lose (self->coordinator, event->worker, event->killed, &point, &attempts)
      && !give_up (self, event, point, attempts, error))
    return FALSE;
  if (self->n_false_starts < MAX_FALSE_STARTS && self->transport->class->restart != NULL)
    {
      if (!self->transport->class->restart (self->transport, event->worker, error))
        return FALSE;
      self->n_alive++;
      return send_study (self, event->worker, error);
    }
  if (self->n_alive > 0 && self->n_false_starts < MAX_FALSE_STARTS)
    return give_all (self, error);
  g_set_error (error, PD_SWEEP_ERROR, PD_SWEEP_ERROR_WORKERS, "%s: %s",
               self->n_alive > 0 ? "workers cannot be started" : "all workers have died",
               event->text);
  return FALSE;
}

static gboolean
take_frame (Sweep *self, const PdTransportEvent *event, GError **error)
{
  if (event->frame == PD_FRAME_RESULT)
    return take_result (self, event, error);
  if (event->frame == PD_FRAME_READY)
    {
      self->ready[event->worker] = TRUE;
      self->n_false_starts = 0;
      return give (self, event->worker, error);
    }
  if (event->frame == PD_FRAME_FATAL)
    g_set_error (error, PD_SWEEP_ERROR, PD_SWEEP_ERROR_STUDY, "%.*s", (int) MIN (event->size, 4096),
                 (const char *) event->data);
  else
    g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN,
                 "worker %u has sent a frame of kind %d", event->worker, event->frame);
  return FALSE;
}

/* How long to wait for the next event, in milliseconds. */
static guint
get_patience (const Sweep *self)
{
  gint64 left = COMMIT_TIME;

  if (self->uncommitted > 0)
    left -= g_get_monotonic_time () - self->uncommitted;
  return (guint) CLAMP (left / 1000, 1, 1000);
}

static gboolean
step (Sweep *self, GError **error)
{
  PdTransportEvent event;

  if (!self->transport->class->receive (self->transport, get_patience (self), &event, error))
    return FALSE;
  if (event.kind == PD_TRANSPORT_FRAME && !take_frame (self, &event, error))
    return FALSE;
  if (event.kind == PD_TRANSPORT_DIED && !take_death (self, &event, error))
    return FALSE;
  if (self->uncommitted > 0 && g_get_monotonic_time () - self->uncommitted >= COMMIT_TIME
      && !commit (self, error))
    return FALSE;
  notify (self);
  return TRUE;
}

static gboolean
run (Sweep *self, GError **error)
{
  const PdSweepOptions *options = self->options;

  for (guint i = 0; i < self->n_alive && pd_coordinator_get_n_left (self->coordinator) > 0; i++)
    if (!send_study (self, i, error))
      return FALSE;
  while (pd_coordinator_get_n_left (self->coordinator) > 0)
    {
      self->progress->interrupted = options->stop != NULL && *options->stop != 0;
      if (self->progress->interrupted)
        return TRUE;
      if (!step (self, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
pd_sweep_run (const PdStudy *study, PdStudyDb *db, PdTransport *transport,
              const PdSweepOptions *options, PdSweepProgress *progress, GError **error)
{
  g_auto (Sweep) self = { .study = study,
                          .db = db,
                          .transport = transport,
                          .options = options,
                          .progress = progress,
                          .begin = g_get_monotonic_time () };
  g_autoptr (GError) local = NULL;

  *progress = (PdSweepProgress){ .best = -1 };
  self.n_alive = transport->class->get_n_workers (transport);
  self.ready = g_new0 (gboolean, self.n_alive);
  self.text = g_string_new (NULL);
  self.failure = g_byte_array_new ();
  pd_point_result_init (&self.result);
  pd_study_write (study, self.text);
  if (options->inputs != NULL)
    {
      self.inputs = g_byte_array_new ();
      pd_input_message_write (options->inputs, self.inputs);
    }
  self.coordinator = pd_coordinator_new (pd_study_get_n_points (study), self.n_alive, skip, &self);
  gboolean ok = run (&self, &local);
  /* a database that has failed has nothing to be committed */
  ok = commit (&self, ok ? &local : NULL) && ok;
  notify (&self);
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&local));
  return ok;
}
