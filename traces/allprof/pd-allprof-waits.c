/* Requests, waits and tests of liballprof traces.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof-make-private.h"
#include "traces/allprof/pd-allprof-private.h"
#include "traces/allprof/pd-allprof-waits-private.h"
#include "traces/program/pd-action.h"

/* ---- slots */

guint32
pd_allprof_open_slot (PdAllprofMaker *self, guint64 address, gboolean persistent)
{
  gpointer key = GSIZE_TO_POINTER (address);
  PdAllprofRequest *request = g_hash_table_lookup (self->requests, key);

  if (request == NULL)
    {
      request = g_new (PdAllprofRequest, 1);
      if (self->free_slots->len > 0)
        {
          request->slot = g_array_index (self->free_slots, guint32, self->free_slots->len - 1);
          g_array_set_size (self->free_slots, self->free_slots->len - 1);
        }
      else
        request->slot = self->n_slots++;
      g_hash_table_insert (self->requests, key, request);
    }
  request->persistent = persistent;
  return request->slot;
}

/* A request that is complete: its slot is free, unless it is persistent. */
static void
close_slot (PdAllprofMaker *self, guint64 address, gboolean even_persistent)
{
  gpointer key = GSIZE_TO_POINTER (address);
  const PdAllprofRequest *request = g_hash_table_lookup (self->requests, key);

  if (request == NULL || (request->persistent && !even_persistent))
    return;
  g_array_append_val (self->free_slots, request->slot);
  g_hash_table_remove (self->requests, key);
}

/* The slots of the call's requests that are known, in their order. */
static void
collect_slots (PdAllprofMaker *self)
{
  pd_allprof_collect (self->requests, self->call, self->facts->stride, self->addresses);
  g_array_set_size (self->slots, 0);
  g_array_set_size (self->done, 0);
  for (guint i = 0; i < self->addresses->len; i++)
    {
      guint64 address = g_array_index (self->addresses, guint64, i);
      const PdAllprofRequest *request =
          g_hash_table_lookup (self->requests, GSIZE_TO_POINTER (address));
      g_array_append_val (self->slots, request->slot);
    }
}

static void
set_slots (const PdAllprofMaker *self, PdAction *action)
{
  action->slots = (const guint32 *) self->slots->data;
  action->n_slots = self->slots->len;
  if (self->slots->len > 0)
    action->request = g_array_index (self->slots, guint32, 0);
}

/* ---- calls */

/* Requests of a call that completes only some stay known: the next start shows the others. */
static gboolean
make_wait (PdAllprofMaker *self, GError **error)
{
  PdActionKind kind = self->call->function->action;
  PdAction action;

  collect_slots (self);
  if (self->slots->len == 0)
    return TRUE; /* null requests: computation goes on */
  pd_action_init (&action, kind);
  set_slots (self, &action);
  if (!pd_allprof_add (self, &action, error))
    return FALSE;
  for (guint i = 0; i < self->addresses->len && (kind == PD_ACT_WAIT || kind == PD_ACT_WAITALL);
       i++)
    close_slot (self, g_array_index (self->addresses, guint64, i), FALSE);
  return TRUE;
}

/* The positions of those requests of this test that it has completed. */
static void
collect_done (PdAllprofMaker *self)
{
  const GArray *outcomes = self->facts->outcomes;

  for (; self->next_outcome < outcomes->len; self->next_outcome++)
    {
      const PdAllprofOutcome *outcome =
          &g_array_index (outcomes, PdAllprofOutcome, self->next_outcome);

      if (outcome->test > self->n_tests)
        return;
      for (guint32 i = 0; outcome->test == self->n_tests && i < self->addresses->len; i++)
        if (g_array_index (self->addresses, guint64, i) == outcome->address)
          g_array_append_val (self->done, i);
    }
}

static gboolean
make_test (PdAllprofMaker *self, GError **error)
{
  PdActionKind kind = self->call->function->action;
  PdAction action;

  self->n_tests++;
  collect_slots (self);
  collect_done (self);
  if (self->slots->len == 0)
    return TRUE;
  /* Testall completes all requests or none. If Testany seems to have completed several, some
   * were completed before; the trace does not show which. */
  if (kind == PD_ACT_TESTALL && self->done->len > 0)
    {
      g_array_set_size (self->done, 0);
      for (guint32 i = 0; i < self->slots->len; i++)
        g_array_append_val (self->done, i);
    }
  pd_action_init (&action, kind == PD_ACT_TESTANY && self->done->len > 1 ? PD_ACT_TESTSOME : kind);
  set_slots (self, &action);
  action.has_done = TRUE;
  action.done = (const guint32 *) self->done->data;
  action.n_done = self->done->len;
  if (!pd_allprof_add (self, &action, error))
    return FALSE;
  for (guint i = 0; i < self->done->len; i++)
    {
      guint32 at = g_array_index (self->done, guint32, i);
      close_slot (self, g_array_index (self->addresses, guint64, at), FALSE);
    }
  return TRUE;
}

/* Starts persistent requests. An unknown address may be a null request, and is skipped. */
static gboolean
make_startall (PdAllprofMaker *self, GError **error)
{
  PdAction action;

  collect_slots (self);
  if (self->slots->len == 0)
    return TRUE;
  pd_action_init (&action, PD_ACT_START);
  set_slots (self, &action);
  return pd_allprof_add (self, &action, error);
}

static gboolean
make_free (PdAllprofMaker *self, GError **error)
{
  PdActionKind kind = self->call->function->action;
  PdAction action;

  collect_slots (self);
  if (self->slots->len == 0)
    return TRUE;
  pd_action_init (&action, kind);
  action.request = g_array_index (self->slots, guint32, 0);
  if (!pd_allprof_add (self, &action, error))
    return FALSE;
  if (kind == PD_ACT_REQUEST_FREE)
    close_slot (self, self->call->request, TRUE);
  return TRUE;
}

gboolean
pd_allprof_make_request_call (PdAllprofMaker *self, GError **error)
{
  switch (self->call->function->class)
    {
    case PD_ALLPROF_WAITS:
      return make_wait (self, error);
    case PD_ALLPROF_TESTS:
      return make_test (self, error);
    case PD_ALLPROF_STARTALL:
      return make_startall (self, error);
    default:
      return make_free (self, error);
    }
}
