/* One-sided operations of rank 0 on the memory of rank 1, completed by a lock of its own, a
 * flush, or a fence.
 * SPDX-License-Identifier: MIT */
#include "measure/exchange/mpi-exchange.h"
#include "measure/stats/pd-pattern.h"

#include <string.h>

#define ORIGIN 0
#define TARGET 1
#define WORD   sizeof (guint64)
#define PAGE   4096

/* An operation of one element of the window, and what it leaves behind. */
typedef struct
{
  void (*operate) (PdExchange *self, int i);
  gboolean fetches; /* the origin gets the previous contents */
  gboolean stays;   /* the previous contents remain … */
  gboolean adds;    /* … or the origin's data is added to it; else it takes its place */
} Operation;

/* The @i-th element of the origin's data, or of its result. */
static char *
place_of (const PdExchange *self, char *buffer, int i)
{
  return buffer + (gsize) i * self->bytes;
}

static MPI_Aint
displacement_of (const PdExchange *self, int i)
{
  return (MPI_Aint) ((gsize) i * self->bytes);
}

static void
put (PdExchange *self, int i)
{
  MPI_Put (place_of (self, self->out, i), (int) self->bytes, MPI_BYTE, TARGET,
           displacement_of (self, i), (int) self->bytes, MPI_BYTE, self->win);
}

static void
get (PdExchange *self, int i)
{
  MPI_Get (place_of (self, self->in, i), (int) self->bytes, MPI_BYTE, TARGET,
           displacement_of (self, i), (int) self->bytes, MPI_BYTE, self->win);
}

/* Unsigned numbers, whose sums are defined whatever they are. */
static void
accumulate (PdExchange *self, int i)
{
  int n = (int) (self->bytes / WORD);

  MPI_Accumulate (place_of (self, self->out, i), n, MPI_UINT64_T, TARGET, displacement_of (self, i),
                  n, MPI_UINT64_T, MPI_SUM, self->win);
}

static void
fetch_and_op (PdExchange *self, int i)
{
  MPI_Fetch_and_op (place_of (self, self->out, i), place_of (self, self->in, i), MPI_UINT64_T,
                    TARGET, displacement_of (self, i), MPI_SUM, self->win);
}

static const Operation puts_data = { put, FALSE, FALSE, FALSE };
static const Operation gets_data = { get, TRUE, TRUE, FALSE };
static const Operation accumulates = { accumulate, FALSE, FALSE, TRUE };
static const Operation fetches_and_adds = { fetch_and_op, TRUE, FALSE, TRUE };

static const Operation *
operation_of (const PdExchange *self)
{
  return self->kind->how;
}

/* ---- data */

/* MPICH 4.0 has processes disagree on where memory begins that is no multiple of 16 bytes: so
 * windows are whole pages. */
static void
begin_window (PdExchange *self)
{
  gsize bytes = (self->bytes * (gsize) self->window + PAGE - 1) / PAGE * PAGE;

  MPI_Win_allocate ((MPI_Aint) bytes, 1, MPI_INFO_NULL, self->comm, &self->shared, &self->win);
}

static void
end_window (PdExchange *self)
{
  MPI_Win_free (&self->win);
}

/* Windows are written between locks of their own process, as separate memory models ask. */
static void
fill_window (PdExchange *self)
{
  gsize bytes = self->bytes * (gsize) self->window;

  pd_pattern_fill (self->out, bytes, 1);
  MPI_Win_lock (MPI_LOCK_EXCLUSIVE, self->rank, 0, self->win);
  pd_pattern_fill (self->shared, bytes, 2);
  MPI_Win_unlock (self->rank, self->win);
  MPI_Barrier (self->comm);
}

static gboolean
is_target_right (const PdExchange *self, const char *shared)
{
  const Operation *operation = operation_of (self);
  gsize bytes = self->bytes * (gsize) self->window;
  g_autofree guint64 *before = g_malloc0 (bytes + WORD), *wanted = g_malloc0 (bytes + WORD);

  pd_pattern_fill ((char *) before, bytes, 2);
  pd_pattern_fill ((char *) wanted, bytes, 1);
  for (gsize i = 0; operation->adds && i < bytes / WORD; i++)
    wanted[i] += before[i];
  return memcmp (shared, operation->stays ? before : wanted, bytes) == 0;
}

static gboolean
is_origin_right (const PdExchange *self)
{
  gsize bytes = self->bytes * (gsize) self->window;

  return !operation_of (self)->fetches || pd_pattern_find_wrong (self->in, bytes, 2) == bytes;
}

static gboolean
is_window_right (PdExchange *self)
{
  gboolean is_right;

  if (self->rank == ORIGIN)
    return is_origin_right (self);
  MPI_Win_lock (MPI_LOCK_EXCLUSIVE, self->rank, 0, self->win);
  is_right = is_target_right (self, self->shared);
  MPI_Win_unlock (self->rank, self->win);
  return is_right;
}

/* ---- completion */

static void
operate (PdExchange *self)
{
  for (int i = 0; i < self->window; i++)
    operation_of (self)->operate (self, i);
}

/* The target waits inside MPI, which may have to do its part there. */
static void
part (PdExchange *self)
{
  if (self->rank == ORIGIN)
    MPI_Send (NULL, 0, MPI_BYTE, TARGET, PD_EXCHANGE_TAG, self->comm);
  else
    MPI_Recv (NULL, 0, MPI_BYTE, ORIGIN, PD_EXCHANGE_TAG, self->comm, MPI_STATUS_IGNORE);
}

static void
run_lock (PdExchange *self, gint64 n)
{
  for (gint64 i = 0; self->rank == ORIGIN && i < n; i++)
    {
      MPI_Win_lock (MPI_LOCK_SHARED, TARGET, 0, self->win);
      operate (self);
      MPI_Win_unlock (TARGET, self->win);
    }
  part (self);
}

static void
run_flush (PdExchange *self, gint64 n)
{
  if (self->rank == ORIGIN)
    {
      MPI_Win_lock (MPI_LOCK_SHARED, TARGET, 0, self->win);
      for (gint64 i = 0; i < n; i++)
        {
          operate (self);
          MPI_Win_flush (TARGET, self->win);
        }
      MPI_Win_unlock (TARGET, self->win);
    }
  part (self);
}

static void
run_fence (PdExchange *self, gint64 n)
{
  MPI_Win_fence (MPI_MODE_NOPRECEDE, self->win);
  for (gint64 i = 0; i < n; i++)
    {
      if (self->rank == ORIGIN)
        operate (self);
      MPI_Win_fence (i + 1 == n ? MPI_MODE_NOSUCCEED : 0, self->win);
    }
}

#define ROW(name, most, how, run)                                                                  \
  {                                                                                                \
    name, "onesided", WORD, most, PD_VARIES_WINDOW, 1, &how, begin_window, fill_window, run,       \
        is_window_right, end_window                                                                \
  }
#define ROWS(name, most, how)                                                                      \
  ROW (name "-lock", most, how, run_lock), ROW (name "-flush", most, how, run_flush),              \
      ROW (name "-fence", most, how, run_fence)

const PdExchangeKind pd_exchange_onesided[12] = {
  ROWS ("put", 0, puts_data),
  ROWS ("get", 0, gets_data),
  ROWS ("accumulate", 0, accumulates),
  ROWS ("fetch_and_op", WORD, fetches_and_adds),
};
