/* The first pass over a rank's file of liballprof: what must be known of it, and
 * of the other files, before its calls can be told.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "traces/allprof/pd-allprof-requests.h"
#include "traces/allprof/pd-allprof-comms-private.h"
#include "traces/allprof/pd-allprof-lines-private.h"
#include "traces/allprof/pd-allprof-scan-private.h"

/* MPI_COMM_WORLD of MPICH since 2.0, and of MPICH 1. */
static const guint64 mpich_worlds[] = { 1140850688, 91 };

typedef struct
{
  PdAllprofFacts *facts;
  const PdAllprofCall *call;
  PdAllprofHandles *handles;
  GHashTable *pending; /* address -> number of the last test, 0 = none */
  GArray *addresses;   /* scratch */
  guint64 n_tests;
  guint64 n_eights; /* requests found if they have 8 bytes, and 4 */
  guint64 n_fours;
} Scan;

static void
see_comm (Scan *self)
{
  const PdAllprofComm *comm = &self->call->comm;
  PdAllprofEvent event = { .kind = PD_ALLPROF_EVENT_USE, .comm = *comm };
  guint32 index;

  for (gsize i = 0; i < G_N_ELEMENTS (mpich_worlds); i++)
    self->facts->mpich |= comm->handle == mpich_worlds[i];
  if (pd_allprof_handles_find (self->handles, comm, &index))
    return;
  pd_allprof_handles_put (self->handles, comm, 0);
  g_array_append_val (self->facts->events, event);
}

static void
see_made (Scan *self)
{
  PdAllprofEvent event = { .kind = PD_ALLPROF_EVENT_MAKE,
                           .coll = self->call->function->coll,
                           .comm = self->call->comm,
                           .address = self->call->address,
                           .colour = self->call->colour,
                           .key = self->call->key };

  g_array_append_val (self->facts->events, event);
}

/* From here on every handle may mean something else. */
static void
see_freed (Scan *self)
{
  PdAllprofEvent event = { .kind = PD_ALLPROF_EVENT_FREE, .address = self->call->address };

  g_array_append_val (self->facts->events, event);
  g_hash_table_remove_all (self->handles);
}

/* ---- requests */

/* The pending requests of the call, by the size of a request that finds more. */
static void
collect (Scan *self)
{
  gsize n;

  pd_allprof_collect (self->pending, self->call, 4, self->addresses);
  n = self->addresses->len;
  if (self->facts->stride == 4)
    return;
  pd_allprof_collect (self->pending, self->call, 8, self->addresses);
  if (self->call->n_requests < 2)
    return;
  self->n_fours += n;
  self->n_eights += self->addresses->len;
  if (n > self->addresses->len)
    pd_allprof_collect (self->pending, self->call, 4, self->addresses);
}

static void
note_outcome (Scan *self, gpointer address, guint64 test)
{
  PdAllprofOutcome outcome = { test, GPOINTER_TO_SIZE (address) };

  g_array_append_val (self->facts->outcomes, outcome);
}

/* A request that begins anew has been completed: by the last test of it. */
static void
see_start (Scan *self, guint64 address)
{
  gpointer key = GSIZE_TO_POINTER (address), test = g_hash_table_lookup (self->pending, key);

  if (test != NULL)
    note_outcome (self, key, GPOINTER_TO_SIZE (test));
  if (address % 8 == 4)
    self->facts->stride = 4;
  g_hash_table_insert (self->pending, key, NULL);
}

static void
see_starts (Scan *self)
{
  gint64 n = pd_allprof_count_starts (self->call);
  guint stride = self->facts->stride == 4 ? 4 : 8;

  for (gint64 i = 0; i < n; i++)
    see_start (self, self->call->request + (guint64) i * stride);
}

static void
see_waits (Scan *self)
{
  PdActionKind action = self->call->function->action;
  gboolean all = action == PD_ACT_WAIT || action == PD_ACT_WAITALL;

  collect (self);
  for (guint i = 0; i < self->addresses->len; i++)
    {
      gpointer key = GSIZE_TO_POINTER (g_array_index (self->addresses, guint64, i));
      if (all)
        g_hash_table_remove (self->pending, key);
      else
        g_hash_table_insert (self->pending, key, NULL);
    }
}

static void
see_test (Scan *self)
{
  collect (self);
  self->n_tests++;
  for (guint i = 0; i < self->addresses->len; i++)
    g_hash_table_insert (self->pending,
                         GSIZE_TO_POINTER (g_array_index (self->addresses, guint64, i)),
                         GSIZE_TO_POINTER (self->n_tests));
}

static gint
compare_outcomes (gconstpointer a, gconstpointer b)
{
  const PdAllprofOutcome *x = a, *y = b;

  if (x->test != y->test)
    return x->test < y->test ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

/* A request that is tested, but never waited for, was completed at the end. */
static void
see_end (Scan *self)
{
  GHashTableIter iter;
  gpointer address, test;

  g_hash_table_iter_init (&iter, self->pending);
  while (g_hash_table_iter_next (&iter, &address, &test))
    if (test != NULL)
      note_outcome (self, address, GPOINTER_TO_SIZE (test));
  g_array_sort (self->facts->outcomes, compare_outcomes);
  if (self->facts->stride == 0)
    self->facts->stride = self->n_fours > self->n_eights ? 4 : 8;
}

/* ---- calls */

static void
see_call (Scan *self)
{
  const PdAllprofFunction *function = self->call->function;

  if (function == NULL)
    return;
  if (self->call->has_comm)
    see_comm (self);
  switch (function->class)
    {
    case PD_ALLPROF_MAKES:
      see_made (self);
      break;
    case PD_ALLPROF_COMM_FREE:
      see_freed (self);
      break;
    case PD_ALLPROF_STARTS:
    case PD_ALLPROF_STARTALL:
      see_starts (self);
      break;
    case PD_ALLPROF_WAITS:
      see_waits (self);
      break;
    case PD_ALLPROF_TESTS:
      see_test (self);
      break;
    case PD_ALLPROF_FREES:
      if (function->action == PD_ACT_REQUEST_FREE)
        g_hash_table_remove (self->pending, GSIZE_TO_POINTER (self->call->request));
      break;
    default:
      break;
    }
}

void
pd_allprof_facts_clear (PdAllprofFacts *self)
{
  g_clear_pointer (&self->events, g_array_unref);
  g_clear_pointer (&self->outcomes, g_array_unref);
}

gboolean
pd_allprof_scan (PdAllprofLines *lines, PdAllprofFacts *facts, GError **error)
{
  Scan self = { .facts = facts, .call = &lines->call };
  g_autoptr (GError) problem = NULL;

  *facts = (PdAllprofFacts){ 0 };
  facts->events = g_array_new (FALSE, FALSE, sizeof (PdAllprofEvent));
  facts->outcomes = g_array_new (FALSE, FALSE, sizeof (PdAllprofOutcome));
  self.handles = pd_allprof_handles_new ();
  self.pending = g_hash_table_new (NULL, NULL);
  self.addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  while (pd_allprof_lines_next (lines, &problem))
    see_call (&self);
  see_end (&self);
  g_hash_table_unref (self.handles);
  g_hash_table_unref (self.pending);
  g_array_unref (self.addresses);
  return pd_propagate (error, g_steal_pointer (&problem));
}
