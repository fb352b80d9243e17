/* The time of a message is the measured one for the number of messages at a time: see
 * pd-measured.h.
 *
 * Each transfer uses channels: the memory of a socket, the interconnect of a
 * node's sockets, or the adapters of two nodes. cf is the number of transfers on
 * the channel at the moment, or of the processors that they are of; of several
 * channels the largest. If cf changes during a transfer, its remaining part p
 * (from 0 to 1) takes p times the time of a whole transfer with the new cf.
 *
 * Changes of one moment count together: they are taken in one picosecond later.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-contention.h"
#include "comsys/net/net-contention-config.h"

#include <string.h>

#define NONE G_MAXUINT32

/* ---- the heap of transfers under way, by end */

static void
put (PdContention *self, guint32 place, guint32 t)
{
  self->heap[place] = t;
  self->transfers[t].place = place;
}

static gint64
end_at (const PdContention *self, guint32 place)
{
  return self->transfers[self->heap[place]].end;
}

static void
sift_up (PdContention *self, guint32 i, guint32 t)
{
  gint64 end = self->transfers[t].end;

  for (; i > 0 && end < end_at (self, (i - 1) / 2); i = (i - 1) / 2)
    put (self, i, self->heap[(i - 1) / 2]);
  put (self, i, t);
}

static void
sift_down (PdContention *self, guint32 i, guint32 t)
{
  gint64 end = self->transfers[t].end;

  for (guint32 child = 2 * i + 1; child < self->n_heap; child = 2 * i + 1)
    {
      if (child + 1 < self->n_heap && end_at (self, child + 1) < end_at (self, child))
        child++;
      if (end_at (self, child) >= end)
        break;
      put (self, i, self->heap[child]);
      i = child;
    }
  put (self, i, t);
}

static void
move_in_heap (PdContention *self, guint32 t)
{
  guint32 place = self->transfers[t].place;

  if (place > 0 && self->transfers[t].end < end_at (self, (place - 1) / 2))
    sift_up (self, place, t);
  else
    sift_down (self, place, t);
}

static guint32
take_first (PdContention *self)
{
  guint32 first = self->heap[0];

  if (--self->n_heap > 0)
    sift_down (self, 0, self->heap[self->n_heap]);
  return first;
}

/* ---- transfers on channels */

static void
mark_dirty (PdContention *self, guint32 channel)
{
  PdContentionChannel *c = &self->channels[channel];

  if (c->dirty)
    return;
  c->dirty = TRUE;
  if (self->n_dirty == self->dirty_room)
    {
      self->dirty_room = MAX (16, 2 * self->dirty_room);
      self->dirty = g_renew (guint32, self->dirty, self->dirty_room);
    }
  self->dirty[self->n_dirty++] = channel;
}

/* Its processors that take part in use @use of @t are busy with one message more,
 * or one less. */
static void
count_processors (const PdContention *self, PdContentionChannel *c, guint32 t, guint use, int by)
{
  const PdContentionTransfer *transfer = &self->transfers[t];
  gboolean both = transfer->within && transfer->uses[1].channel == NONE;

  if (self->config->counts == PD_CONTENTION_MESSAGES)
    return;
  for (guint i = both ? 0 : use; i <= (both ? 1 : use); i++)
    {
      guint32 p = transfer->processors[i];
      if (p >= c->n_processors)
        {
          c->messages_of = g_renew (guint32, c->messages_of, p + 1);
          memset (c->messages_of + c->n_processors, 0,
                  (p + 1 - c->n_processors) * sizeof *c->messages_of);
          c->n_processors = p + 1;
        }
      c->n_busy -= c->messages_of[p] > 0;
      c->messages_of[p] += (guint32) by;
      c->n_busy += c->messages_of[p] > 0;
    }
}

static void
occupy (PdContention *self, guint32 t)
{
  for (guint u = 0; u < 2 && self->transfers[t].uses[u].channel != NONE; u++)
    {
      PdContentionUse *use = &self->transfers[t].uses[u];
      PdContentionChannel *c = &self->channels[use->channel];
      if (c->n == c->room)
        {
          c->room = MAX (4, 2 * c->room);
          c->users = g_renew (PdContentionUser, c->users, c->room);
        }
      use->place = c->n;
      c->users[c->n++] = (PdContentionUser){ t, u };
      count_processors (self, c, t, u, 1);
      mark_dirty (self, use->channel);
    }
}

static void
release (PdContention *self, guint32 t)
{
  for (guint u = 0; u < 2 && self->transfers[t].uses[u].channel != NONE; u++)
    {
      const PdContentionUse *use = &self->transfers[t].uses[u];
      PdContentionChannel *c = &self->channels[use->channel];
      PdContentionUser last = c->users[--c->n];
      c->users[use->place] = last;
      self->transfers[last.transfer].uses[last.use].place = use->place;
      count_processors (self, c, t, u, -1);
      mark_dirty (self, use->channel);
    }
}

static guint32
get_cf (const PdContention *self, guint32 channel)
{
  const PdContentionChannel *c = &self->channels[channel];

  return self->config->counts == PD_CONTENTION_MESSAGES ? c->n : c->n_busy;
}

/* Gives a transfer the cf that its channels have now, at self->moment. */
static void
retime (PdContention *self, guint32 i)
{
  PdContentionTransfer *t = &self->transfers[i];
  guint32 cf = get_cf (self, t->uses[0].channel);

  if (t->uses[1].channel != NONE)
    cf = MAX (cf, get_cf (self, t->uses[1].channel));
  if (cf == t->cf)
    return;
  if (t->cf > 0 && t->duration > 0)
    t->left = MAX (0, t->left - (gdouble) (self->moment - t->base) / t->duration);
  t->cf = cf;
  t->base = self->moment;
  t->duration = pd_measured_get_time (self->config->tables[t->level], &t->where, cf);
  gdouble rest = t->left * t->duration + 0.5;
  t->end = rest < 9.2e18 ? pd_time_add (PD_TIME (t->base), PD_TIME ((gint64) rest)).ps : G_MAXINT64;
  pd_contention_note_use (self->config->tables[t->level], &self->used[t->level], t->bytes, cf,
                          &t->outside);
  move_in_heap (self, i);
}

/* ---- moments */

static void
enter_waiting (PdContention *self)
{
  while (self->first != NONE && self->transfers[self->first].base <= self->moment)
    {
      guint32 t = self->first;
      self->first = self->transfers[t].next;
      occupy (self, t);
      self->transfers[t].end = G_MAXINT64;
      if (self->n_heap == self->heap_room)
        {
          self->heap_room = MAX (16, 2 * self->heap_room);
          self->heap = g_renew (guint32, self->heap, self->heap_room);
        }
      sift_up (self, self->n_heap++, t);
    }
}

/* Gives new end times to the transfers on channels that changed at self->moment. */
static void
settle (PdContention *self)
{
  enter_waiting (self);
  for (guint32 d = 0; d < self->n_dirty; d++)
    {
      PdContentionChannel *c = &self->channels[self->dirty[d]];
      c->dirty = FALSE;
      for (guint32 i = 0; i < c->n; i++)
        retime (self, c->users[i].transfer);
    }
  self->n_dirty = 0;
}

static void
arm (PdContention *self)
{
  gint64 next = self->n_heap > 0 ? end_at (self, 0) : G_MAXINT64;

  if (self->first != NONE)
    next = MIN (next, pd_time_add (PD_TIME (self->transfers[self->first].base), PD_TIME (1)).ps);
  if (self->n_dirty > 0)
    next = MIN (next, pd_time_add (PD_TIME (self->moment), PD_TIME (1)).ps);
  if ((self->n_heap == 0 && self->first == NONE) || (self->armed >= 0 && self->armed <= next))
    return;
  self->armed = next;
  self->callbacks->schedule (self->callbacks, PD_TIME (next), 0);
}

/* Whether all of @moment is over; at the end of time nothing comes after it. */
static inline gboolean
is_over (gint64 moment, PdTime now)
{
  return moment < now.ps || now.ps == G_MAXINT64;
}

static void
contention_event (gpointer network, guint32 token G_GNUC_UNUSED, PdTime now)
{
  PdContention *self = network;

  if (self->armed <= now.ps)
    self->armed = -1;
  if (self->n_dirty > 0 && is_over (self->moment, now))
    settle (self);
  while (self->first != NONE && is_over (self->transfers[self->first].base, now))
    {
      self->moment = self->transfers[self->first].base;
      settle (self);
    }
  self->moment = now.ps;
  while (self->n_heap > 0 && end_at (self, 0) <= now.ps)
    {
      guint32 t = take_first (self);
      guint32 id = self->transfers[t].id;
      release (self, t);
      self->transfers[t].next = self->free;
      self->free = t;
      self->callbacks->delivered (self->callbacks, id, now);
    }
  if (self->n_heap == 0 && self->first == NONE)
    settle (self); /* concerns nobody, and no event will come for it */
  arm (self);
}

/* What @transfer is, on the channels it will use. */
static void
begin (PdContention *self, guint32 t, const PdTransfer *transfer, PdTime when)
{
  PdContentionTransfer *new = &self->transfers[t];
  guint32 channels[2];

  *new = (PdContentionTransfer){ .id = transfer->id, .bytes = transfer->bytes, .left = 1 };
  new->level = pd_contention_get_level (self->config, transfer);
  new->where = pd_measured_find (self->config->tables[new->level], transfer->bytes);
  new->base = when.ps;
  new->next = NONE;
  new->within = transfer->source == transfer->target;
  new->processors[0] = transfer->source_processor;
  new->processors[1] = transfer->target_processor;
  pd_contention_get_channels (self->config, transfer, new->level, channels);
  new->uses[0].channel = channels[0];
  new->uses[1].channel = channels[1];
  self->used[new->level].n_messages++;
}

static PdTime
contention_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  PdContention *self = network;
  PdTime start = pd_time_add (now, self->config->startup);
  guint32 t = self->free;

  g_return_val_if_fail (transfer->source < self->n_endpoints, now);
  g_return_val_if_fail (transfer->target < self->n_endpoints, now);

  if (transfer->bytes == 0)
    return start;
  if (t != NONE)
    self->free = self->transfers[t].next;
  else
    {
      if (self->n_transfers == self->transfers_room)
        {
          self->transfers_room = MAX (64, 2 * self->transfers_room);
          self->transfers = g_renew (PdContentionTransfer, self->transfers, self->transfers_room);
        }
      t = self->n_transfers++;
    }
  begin (self, t, transfer, start);
  if (self->first == NONE)
    self->first = t;
  else
    self->transfers[self->last].next = t;
  self->last = t;
  arm (self);
  return PD_TIME_PENDING;
}

/* Measured times depend on no parameter. */
static PdTime
contention_get_alone (gconstpointer network, const PdTransfer *transfer G_GNUC_UNUSED,
                      gdouble *shares)
{
  if (shares != NULL)
    shares[0] += 1;
  return ((const PdContention *) network)->config->startup;
}

/* ---- the class */

static gsize
count_channels (const PdContention *self)
{
  return (gsize) self->n_endpoints * pd_contention_count_channels (self->config);
}

static gpointer
contention_create (gconstpointer config, guint32 n_endpoints, PdNetworkCallbacks *callbacks)
{
  PdContention *self = g_new0 (PdContention, 1);

  self->config = config;
  self->callbacks = callbacks;
  self->n_endpoints = MAX (1, n_endpoints);
  self->channels = g_new0 (PdContentionChannel, count_channels (self));
  self->free = self->first = NONE;
  self->armed = -1;
  return self;
}

static void
contention_destroy (gpointer network)
{
  PdContention *self = network;

  for (gsize i = 0; i < count_channels (self); i++)
    {
      g_free (self->channels[i].users);
      g_free (self->channels[i].messages_of);
    }
  g_free (self->channels);
  g_free (self->transfers);
  g_free (self->heap);
  g_free (self->dirty);
  g_free (self);
}

static void
contention_report (gconstpointer network, PdMessages *messages)
{
  const PdContention *self = network;

  pd_contention_report_use (self->config, self->used, messages);
}

const PdNetworkClass pd_network_contention = {
  .type = "contention",
  .meaning = "messages take as long as was measured with so many at a time",
  .config_size = sizeof (PdContentionConfig),
  .params = pd_contention_params,
  .create = contention_create,
  .destroy = contention_destroy,
  .request = contention_request,
  .get_alone = contention_get_alone,
  .event = contention_event,
  .tables = pd_contention_tables,
  .check = pd_contention_check,
  .report = contention_report,
};
