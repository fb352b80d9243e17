/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-mp-barriers.h"

#include "comsys/queue/pd-lines.h"

#include <string.h>

/* An operation under way, or a spare one. */
typedef struct
{
  gpointer lines; /* (nullable) */
  guint32 n_left; /* members that are through */
} Barrier;

/* Those of a communicator. They end in their order: every member goes through
 * them in order, so the last to leave one has left none that came after it. */
typedef struct
{
  Barrier *ring;      /* (array length=room): by number */
  guint32 *n_entered; /* (nullable) (array length=n): operations each member has begun */
  guint32 n;
  guint32 room;       /* a power of two, or 0 */
  guint32 first_open; /* number of the oldest; older ones in the ring are spare */
  guint32 next;       /* number of the next to begin */
} Ring;

struct _PdMpBarriers
{
  Ring *comms; /* (array length=n_comms) */
  guint32 n_comms;
  gsize size;
  gsize per_member;
};

PdMpBarriers *
pd_mp_barriers_new (guint32 n_comms, gsize size, gsize per_member)
{
  PdMpBarriers *self = g_new (PdMpBarriers, 1);

  *self = (PdMpBarriers){ g_new0 (Ring, n_comms), n_comms, size, per_member };
  return self;
}

static gsize
count_lines (const PdMpBarriers *self, guint32 n)
{
  return (self->size + n * self->per_member + 63) / 64;
}

void
pd_mp_barriers_free (PdMpBarriers *self)
{
  if (self == NULL)
    return;
  for (Ring *ring = self->comms; ring < self->comms + self->n_comms; ring++)
    {
      for (guint32 i = 0; i < ring->room; i++)
        if (ring->ring[i].lines != NULL)
          pd_lines_free (ring->ring[i].lines, count_lines (self, ring->n));
      g_free (ring->ring);
      g_free (ring->n_entered);
    }
  g_free (self->comms);
  g_free (self);
}

static Barrier *
get_barrier (const Ring *self, guint32 number)
{
  return &self->ring[number & (self->room - 1)];
}

static void
grow (Ring *self)
{
  guint32 room = MAX (2 * self->room, 4);
  Barrier *ring = g_new0 (Barrier, room);

  for (guint32 i = 0; i < self->room; i++)
    ring[(self->first_open + i) & (room - 1)] = *get_barrier (self, self->first_open + i);
  g_free (self->ring);
  self->ring = ring;
  self->room = room;
}

gpointer
pd_mp_barriers_enter (PdMpBarriers *self, guint32 comm, guint32 n, guint32 me)
{
  Ring *ring = &self->comms[comm];

  if (ring->n_entered == NULL)
    {
      ring->n_entered = g_new0 (guint32, n);
      ring->n = n;
    }
  guint32 number = ring->n_entered[me]++;
  if (number - ring->first_open >= ring->room)
    grow (ring);
  Barrier *barrier = get_barrier (ring, number);
  if (number != ring->next)
    return barrier->lines;
  ring->next++;
  barrier->n_left = 0;
  if (barrier->lines == NULL)
    barrier->lines = pd_lines_resize (NULL, 0, count_lines (self, n));
  else
    memset (barrier->lines, 0, self->size);
  return barrier->lines;
}

gpointer
pd_mp_barriers_leave (PdMpBarriers *self, guint32 comm, guint32 me, gboolean *is_last)
{
  Ring *ring = &self->comms[comm];
  Barrier *barrier = get_barrier (ring, ring->n_entered[me] - 1);

  *is_last = ++barrier->n_left == ring->n;
  if (*is_last)
    ring->first_open++;
  return barrier->lines;
}
