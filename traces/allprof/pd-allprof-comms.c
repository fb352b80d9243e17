/* The communicators of liballprof traces. A line names one by a handle, the
 * caller's rank and the size; which new handle a call has made is not written.
 * So the calls that make communicators are gone through in the order of every
 * rank until all members have come: MPI_Comm_split tells its colours and keys;
 * of the others the members are those who use a new handle afterwards. A handle
 * that is used for the first time is the oldest communicator that was made and
 * has that rank and size.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof-private.h"
#include "traces/allprof/pd-allprof-comms-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

/* A communicator that a rank has, or will have when it uses the handle. */
typedef struct
{
  guint32 comm; /* in the list of all */
  gint64 rank;
  gint64 size;
  guint64 address;
  guint64 handle;
  gboolean has_handle;
} Made;

/* One rank's way through its events. */
typedef struct
{
  guint next;
  GArray *made; /* Made, the oldest first */
} Rank;

typedef struct
{
  guint32 index;    /* in the program */
  guint32 *members; /* (array length=n): world ranks */
  guint32 n;
  guint32 *n_made; /* (array length=n): calls of each member that make communicators of it */
  GPtrArray *calls;
} Comm;

/* One call that makes communicators, by all members. */
typedef struct
{
  guint32 n_here;
  const PdAllprofEvent **events; /* (array length=n of the parent): NULL: not there yet */
} Making;

typedef struct
{
  GArray *const *events;
  guint32 n_ranks;
  PdProgramBuilder *builder;
  Rank *ranks;
  GPtrArray *comms; /* Comm; 0 is the world */
  GArray *ready;    /* guint32: ranks that can go on */
  GError **error;
} Resolver;

/* ---- handles, as both passes see them */

typedef struct
{
  PdAllprofComm comm;
  guint32 index;
} Handle;

static guint
hash_handle (gconstpointer key)
{
  const guint64 *handle = key;

  return (guint) (*handle ^ *handle >> 32) * 2654435761u;
}

PdAllprofHandles *
pd_allprof_handles_new (void)
{
  return g_hash_table_new_full (hash_handle, g_int64_equal, NULL, g_free);
}

gboolean
pd_allprof_handles_find (PdAllprofHandles *self, const PdAllprofComm *comm, guint32 *index)
{
  const Handle *known = g_hash_table_lookup (self, &comm->handle);

  if (known == NULL || known->comm.rank != comm->rank || known->comm.size != comm->size)
    return FALSE;
  *index = known->index;
  return TRUE;
}

void
pd_allprof_handles_put (PdAllprofHandles *self, const PdAllprofComm *comm, guint32 index)
{
  Handle *handle = g_new (Handle, 1);

  *handle = (Handle){ *comm, index };
  g_hash_table_replace (self, &handle->comm.handle, handle);
}

/* ---- communicators */

static void
free_making (gpointer data)
{
  Making *making = data;

  g_free (making->events);
  g_free (making);
}

static void
free_comm (gpointer data)
{
  Comm *comm = data;

  g_free (comm->members);
  g_free (comm->n_made);
  g_ptr_array_unref (comm->calls);
  g_free (comm);
}

/* Takes @members; FALSE with the error set if the program does not want it. */
static gboolean
add_comm (Resolver *self, guint32 *members, guint32 n, gboolean is_world)
{
  Comm *comm = g_new0 (Comm, 1);

  comm->members = members;
  comm->n = n;
  comm->n_made = g_new0 (guint32, n);
  comm->calls = g_ptr_array_new_with_free_func (free_making);
  g_ptr_array_add (self->comms, comm);
  if (!is_world)
    comm->index = pd_program_builder_add_comm (self->builder, members, n, self->error);
  return is_world || comm->index != 0;
}

static void
give (Resolver *self, guint32 rank, Made made)
{
  g_array_append_val (self->ranks[rank].made, made);
}

/* ---- what a call has made */

typedef struct
{
  gint64 colour;
  gint64 key;
  guint32 member;
} Split;

static gint
compare_splits (gconstpointer a, gconstpointer b)
{
  const Split *x = a, *y = b;

  if (x->colour != y->colour)
    return x->colour < y->colour ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->member < y->member ? -1 : 1;
}

/* Makes a communicator of @n members of @parent, in their new order. */
static gboolean
make_child (Resolver *self, const Comm *parent, const Making *making, const Split *members,
            guint32 n)
{
  guint32 *ranks = g_new (guint32, n), comm = self->comms->len;

  for (guint32 i = 0; i < n; i++)
    ranks[i] = parent->members[members[i].member];
  if (!add_comm (self, ranks, n, FALSE))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    give (self, ranks[i],
          (Made){ .comm = comm,
                  .rank = i,
                  .size = n,
                  .address = making->events[members[i].member]->address });
  return TRUE;
}

/* One communicator for each colour that is not negative. */
static gboolean
make_split (Resolver *self, const Comm *parent, const Making *making)
{
  g_autofree Split *list = g_new (Split, parent->n);
  guint32 from = 0;

  for (guint32 i = 0; i < parent->n; i++)
    list[i] = (Split){ making->events[i]->colour, making->events[i]->key, i };
  qsort (list, parent->n, sizeof *list, compare_splits);
  while (from < parent->n)
    {
      guint32 to = from + 1;
      while (to < parent->n && list[to].colour == list[from].colour)
        to++;
      if (list[from].colour >= 0 && !make_child (self, parent, making, list + from, to - from))
        return FALSE;
      from = to;
    }
  return TRUE;
}

/* Whether @rank has that communicator, or gets it anyway. */
static gboolean
is_known (const Resolver *self, guint32 rank, const PdAllprofComm *comm)
{
  const GArray *made = self->ranks[rank].made;

  for (guint i = 0; i < made->len; i++)
    {
      const Made *m = &g_array_index (made, Made, i);
      if ((!m->has_handle || m->handle == comm->handle) && m->rank == comm->rank
          && m->size == comm->size)
        return TRUE;
    }
  return FALSE;
}

/* The first new communicator that @rank uses from now on, NULL if none. */
static const PdAllprofComm *
find_use (const Resolver *self, guint32 rank)
{
  const GArray *events = self->events[rank];

  for (guint i = self->ranks[rank].next; i < events->len; i++)
    {
      const PdAllprofEvent *event = &g_array_index (events, PdAllprofEvent, i);
      if (event->kind == PD_ALLPROF_EVENT_USE && !is_known (self, rank, &event->comm))
        return &event->comm;
    }
  return NULL;
}

/* Makes a communicator by another function than MPI_Comm_split. Its members are the ranks that use
 * a new communicator, if their ranks fill it; or all, if their ranks stay as they were. */
static gboolean
make_used (Resolver *self, const Comm *parent, const Making *making)
{
  g_autofree Split *list = g_new (Split, parent->n);
  guint32 n = 0;
  gint64 size = -1;
  gboolean same = TRUE;

  for (guint32 i = 0; i < parent->n; i++)
    {
      const PdAllprofComm *use = find_use (self, parent->members[i]);

      if (use == NULL || (size >= 0 && use->size != size))
        continue;
      size = use->size;
      same = same && use->rank == i;
      list[n++] = (Split){ 0, use->rank, i };
    }
  if (n == 0)
    return TRUE;
  if (size == parent->n && same)
    for (n = 0; n < parent->n; n++)
      list[n] = (Split){ 0, n, n };
  qsort (list, n, sizeof *list, compare_splits);
  for (guint32 i = 0; i < n; i++)
    if (n != size || list[i].key != i)
      return TRUE; /* its use is an error later: not known */
  return make_child (self, parent, making, list, n);
}

static gboolean
make_same (Resolver *self, const Comm *parent, const Making *making)
{
  g_autofree Split *list = g_new (Split, parent->n);

  for (guint32 i = 0; i < parent->n; i++)
    list[i] = (Split){ 0, i, i };
  return make_child (self, parent, making, list, parent->n);
}

static gboolean
finish_making (Resolver *self, const Comm *parent, const Making *making)
{
  PdCollKind coll = making->events[0]->coll;

  for (guint32 i = 0; i < parent->n; i++)
    if (making->events[i]->coll != coll)
      {
        g_set_error (self->error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                     "rank %" G_GUINT32_FORMAT " calls MPI_%s where rank %" G_GUINT32_FORMAT
                     " calls MPI_%s",
                     parent->members[i], pd_coll_name (making->events[i]->coll), parent->members[0],
                     pd_coll_name (coll));
        return FALSE;
      }
  if (coll == PD_COLL_COMM_SPLIT)
    return make_split (self, parent, making);
  return coll == PD_COLL_COMM_DUP ? make_same (self, parent, making)
                                  : make_used (self, parent, making);
}

/* ---- events */

/* The communicator that @rank means; a new one if it is MPI_COMM_SELF. */
static gboolean
find_comm (Resolver *self, guint32 rank, const PdAllprofComm *comm, guint32 *found)
{
  GArray *made = self->ranks[rank].made;
  Made new = { .rank = comm->rank, .size = comm->size, .handle = comm->handle, .has_handle = TRUE };

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < made->len; i++)
      {
        Made *m = &g_array_index (made, Made, i);
        if (m->rank == comm->rank && m->size == comm->size
            && (pass == 0 ? m->has_handle && m->handle == comm->handle : !m->has_handle))
          {
            m->handle = comm->handle;
            m->has_handle = TRUE;
            *found = m->comm;
            return TRUE;
          }
      }
  /* samples by hand have rank 0 everywhere */
  if (comm->size == self->n_ranks)
    new.comm = 0;
  else if (comm->size == 1 && comm->rank == 0)
    {
      guint32 *self_rank = g_new (guint32, 1);
      *self_rank = rank;
      new.comm = self->comms->len;
      if (!add_comm (self, self_rank, 1, FALSE))
        return FALSE;
    }
  else
    {
      g_set_error (self->error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "rank %" G_GUINT32_FORMAT " uses a communicator (handle %" G_GUINT64_FORMAT
                   ", rank %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                   ") whose members cannot be determined; the world has %" G_GUINT32_FORMAT
                   " files",
                   rank, comm->handle, comm->rank, comm->size, self->n_ranks);
      return FALSE;
    }
  give (self, rank, new);
  *found = new.comm;
  return TRUE;
}

/* The rank comes to a call that makes communicators; all go on when the last
 * one is there. */
static gboolean
arrive (Resolver *self, guint32 rank, const PdAllprofEvent *event)
{
  guint32 found, number, me;
  Comm *parent;
  Making *making;

  if (!find_comm (self, rank, &event->comm, &found))
    return FALSE;
  parent = g_ptr_array_index (self->comms, found);
  me = found == 0 ? rank : (guint32) event->comm.rank;
  number = parent->n_made[me]++;
  if (number == parent->calls->len)
    {
      making = g_new0 (Making, 1);
      making->events = g_new0 (const PdAllprofEvent *, parent->n);
      g_ptr_array_add (parent->calls, making);
    }
  making = g_ptr_array_index (parent->calls, number);
  making->events[me] = event;
  if (++making->n_here < parent->n)
    return TRUE;
  if (!finish_making (self, parent, making))
    return FALSE;
  for (guint32 i = 0; i < parent->n; i++)
    g_array_append_val (self->ready, parent->members[i]);
  g_clear_pointer (&making->events, g_free);
  return TRUE;
}

/* Forgets the last communicator made at that address, which was freed. */
static void
forget (Resolver *self, guint32 rank, guint64 address)
{
  GArray *made = self->ranks[rank].made;

  for (guint i = made->len; i-- > 0;)
    if (g_array_index (made, Made, i).address == address
        && g_array_index (made, Made, i).address != 0)
      {
        g_array_remove_index (made, i);
        return;
      }
}

/* Goes on until the rank has to wait for others. */
static gboolean
go_on (Resolver *self, guint32 rank)
{
  GArray *events = self->events[rank];

  while (self->ranks[rank].next < events->len)
    {
      PdAllprofEvent *event = &g_array_index (events, PdAllprofEvent, self->ranks[rank].next++);
      guint32 found;

      if (event->kind == PD_ALLPROF_EVENT_MAKE)
        return arrive (self, rank, event);
      if (event->kind == PD_ALLPROF_EVENT_FREE)
        forget (self, rank, event->address);
      else if (!find_comm (self, rank, &event->comm, &found))
        return FALSE;
      else
        event->index = ((const Comm *) g_ptr_array_index (self->comms, found))->index;
    }
  return TRUE;
}

/* A rank whose last step was a call that not all have come to. */
static gboolean
check_done (Resolver *self)
{
  for (guint i = 0; i < self->comms->len; i++)
    {
      const Comm *comm = g_ptr_array_index (self->comms, i);
      const Making *last =
          comm->calls->len > 0 ? g_ptr_array_index (comm->calls, comm->calls->len - 1) : NULL;

      for (guint32 k = 0; last != NULL && last->events != NULL && k < comm->n; k++)
        if (last->events[k] == NULL)
          {
            g_set_error (self->error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                         "rank %" G_GUINT32_FORMAT
                         " does not call an MPI_Comm_split or the like that others call",
                         comm->members[k]);
            return FALSE;
          }
    }
  return TRUE;
}

static gboolean
resolve (Resolver *self)
{
  guint32 *all = g_new (guint32, self->n_ranks);

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      guint32 backwards = self->n_ranks - 1 - rank;
      all[rank] = rank;
      g_array_append_val (self->ready, backwards);
    }
  if (!add_comm (self, all, self->n_ranks, TRUE))
    return FALSE;
  while (self->ready->len > 0)
    {
      guint32 rank = g_array_index (self->ready, guint32, self->ready->len - 1);
      g_array_set_size (self->ready, self->ready->len - 1);
      if (!go_on (self, rank))
        return FALSE;
    }
  return check_done (self);
}

gboolean
pd_allprof_resolve (GArray *const *events, guint32 n_ranks, PdProgramBuilder *builder,
                    GError **error)
{
  Resolver self = { .events = events, .n_ranks = n_ranks, .builder = builder, .error = error };
  gboolean ok;

  self.ranks = g_new0 (Rank, n_ranks);
  for (guint32 i = 0; i < n_ranks; i++)
    self.ranks[i].made = g_array_new (FALSE, FALSE, sizeof (Made));
  self.comms = g_ptr_array_new_with_free_func (free_comm);
  self.ready = g_array_new (FALSE, FALSE, sizeof (guint32));
  ok = resolve (&self);
  for (guint32 i = 0; i < n_ranks; i++)
    g_array_unref (self.ranks[i].made);
  g_free (self.ranks);
  g_ptr_array_unref (self.comms);
  g_array_unref (self.ready);
  return ok;
}
