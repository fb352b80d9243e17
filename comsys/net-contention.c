/* Messages that take as long as was measured with so many at a time: see
 * pd-measured.h.
 *
 * Each transfer uses channels: the memory of a socket, the interconnect of a
 * node's sockets, or the adapters of two nodes. cf is the number of transfers on
 * the channel at the moment, of several channels the largest. Where cf changes
 * while a transfer is under way, what is left of it takes that part of the time
 * that it would take with the new cf from the beginning.
 *
 * Changes of one moment count together: they are taken in one picosecond later.
 * SPDX-License-Identifier: MIT */
#include "comsys/net-contention-private.h"

#define NONE G_MAXUINT32

static const char *const directions[] = { "separate", "together", NULL };
static const char *const ends[] = { "both", "source", NULL };

#define OFFSET(x) G_STRUCT_OFFSET (PdContentionConfig, x)

static const PdParam params[] = {
  { "startup", PD_UNIT_TIME, OFFSET (startup), "0", 0, NULL,
    "time of each message before it uses a channel; all that a control message takes" },
  { "sockets", PD_UNIT_COUNT, OFFSET (sockets), "1", 1, NULL, "sockets of each node" },
  { "processors-per-socket", PD_UNIT_COUNT, OFFSET (per_socket), "0", 0, NULL,
    "processors of each socket" },
  { "directions", PD_UNIT_COUNT, OFFSET (directions), "separate", 0, directions,
    "whether what leaves a node and what comes to it share its adapter" },
  { "ends", PD_UNIT_COUNT, OFFSET (ends), "both", 0, ends,
    "whose adapters a message between nodes uses" },
  { .name = NULL },
};

static const PdTableParam tables[] = {
  [PD_CONTENTION_MEMORY] = { "memory", OFFSET (tables[PD_CONTENTION_MEMORY]) },
  [PD_CONTENTION_INTERCONNECT] = { "interconnect", OFFSET (tables[PD_CONTENTION_INTERCONNECT]) },
  [PD_CONTENTION_NETWORK] = { "network", OFFSET (tables[PD_CONTENTION_NETWORK]) },
  { .level = NULL },
};

static gboolean
contention_check (gpointer config, guint32 n_endpoints, char **reason)
{
  const PdContentionConfig *self = config;

  if (self->sockets > PD_CONTENTION_MAX_SOCKETS)
    *reason = g_strdup_printf ("sockets: expected at most %d", PD_CONTENTION_MAX_SOCKETS);
  else if (self->sockets > 1 && self->per_socket == 0)
    *reason = g_strdup ("processors-per-socket: expected for more than one socket");
  else if (self->tables[PD_CONTENTION_NETWORK] == NULL && n_endpoints > 1)
    *reason = g_strdup ("expected a table of level 'network'");
  else if (self->tables[PD_CONTENTION_MEMORY] == NULL
           && self->tables[PD_CONTENTION_INTERCONNECT] == NULL
           && self->tables[PD_CONTENTION_NETWORK] == NULL)
    *reason = g_strdup ("expected a table of level 'memory'");
  return *reason == NULL;
}

/* ---- which channels */

static guint32
get_socket (const PdContention *self, guint32 processor)
{
  gint64 per_socket = self->config->per_socket, socket = 0;

  if (per_socket > 0)
    socket = processor / per_socket;
  return (guint32) MIN (socket, self->config->sockets - 1);
}

/* Within a node what was not measured is as the nearest level that was. */
static PdContentionLevel
get_level (const PdContention *self, const PdTransfer *transfer)
{
  static const PdContentionLevel nearest[][3] = {
    [PD_CONTENTION_MEMORY] = { PD_CONTENTION_MEMORY, PD_CONTENTION_INTERCONNECT,
                               PD_CONTENTION_NETWORK },
    [PD_CONTENTION_INTERCONNECT] = { PD_CONTENTION_INTERCONNECT, PD_CONTENTION_MEMORY,
                                     PD_CONTENTION_NETWORK },
  };
  PdContentionLevel level = PD_CONTENTION_INTERCONNECT;

  if (transfer->source != transfer->target)
    return PD_CONTENTION_NETWORK;
  if (get_socket (self, transfer->source_processor)
      == get_socket (self, transfer->target_processor))
    level = PD_CONTENTION_MEMORY;
  for (guint i = 0; i < G_N_ELEMENTS (nearest[level]); i++)
    if (self->config->tables[nearest[level][i]] != NULL)
      return nearest[level][i];
  return PD_CONTENTION_NETWORK;
}

static void
set_channels (const PdContention *self, const PdTransfer *transfer, PdContentionTransfer *t)
{
  guint32 stride = (guint32) self->config->sockets + 3;
  guint32 first = transfer->source * stride, second = transfer->target * stride;
  guint32 adapter = (guint32) self->config->sockets + 1;

  t->uses[1].channel = NONE;
  if (t->level == PD_CONTENTION_MEMORY)
    t->uses[0].channel = first + get_socket (self, transfer->source_processor);
  else if (t->level == PD_CONTENTION_INTERCONNECT)
    t->uses[0].channel = first + adapter - 1;
  else
    {
      gboolean together = self->config->directions == PD_CONTENTION_TOGETHER;
      t->uses[0].channel = first + adapter;
      if (self->config->ends == PD_CONTENTION_BOTH && (!together || first != second))
        t->uses[1].channel = second + adapter + (together ? 0 : 1);
    }
}

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
      mark_dirty (self, use->channel);
    }
}

static void
note_use (PdContention *self, PdContentionTransfer *t)
{
  PdContentionUsed *used = &self->used[t->level];

  if (!pd_measured_is_outside (self->config->tables[t->level], t->bytes, t->cf))
    return;
  used->n += t->outside ? 0 : 1;
  t->outside = TRUE;
  used->least = used->least == 0 ? t->bytes : MIN (used->least, t->bytes);
  used->most = MAX (used->most, t->bytes);
  used->cf = MAX (used->cf, t->cf);
}

/* Gives a transfer the cf that its channels have now, at self->moment. */
static void
retime (PdContention *self, guint32 i)
{
  PdContentionTransfer *t = &self->transfers[i];
  guint32 cf = self->channels[t->uses[0].channel].n;

  if (t->uses[1].channel != NONE)
    cf = MAX (cf, self->channels[t->uses[1].channel].n);
  if (cf == t->cf)
    return;
  if (t->cf > 0 && t->duration > 0)
    t->left = MAX (0, t->left - (gdouble) (self->moment - t->base) / t->duration);
  t->cf = cf;
  t->base = self->moment;
  t->duration = pd_measured_get_time (self->config->tables[t->level], &t->where, cf);
  gdouble rest = t->left * t->duration + 0.5;
  t->end = rest < 9.2e18 ? pd_time_add (PD_TIME (t->base), PD_TIME ((gint64) rest)).ps : G_MAXINT64;
  note_use (self, t);
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

/* What has changed at self->moment has consequences. */
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
  self->host->schedule (self->host, PD_TIME (next), 0);
}

static void
contention_event (gpointer network, guint32 token G_GNUC_UNUSED, PdTime now)
{
  PdContention *self = network;

  if (self->armed <= now.ps)
    self->armed = -1;
  if (self->n_dirty > 0 && self->moment < now.ps)
    settle (self);
  while (self->first != NONE && self->transfers[self->first].base < now.ps)
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
      self->host->delivered (self->host, id, now);
    }
  if (self->n_heap == 0 && self->first == NONE)
    settle (self); /* concerns nobody, and no event will come for it */
  arm (self);
}

static PdTime
contention_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  PdContention *self = network;
  PdTime begin = pd_time_add (now, self->config->startup);
  guint32 t = self->free;

  g_return_val_if_fail (transfer->source < self->n_endpoints, now);
  g_return_val_if_fail (transfer->target < self->n_endpoints, now);

  if (transfer->bytes == 0)
    return begin;
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
  PdContentionTransfer *new = &self->transfers[t];
  *new = (PdContentionTransfer){ .id = transfer->id, .bytes = transfer->bytes, .left = 1 };
  new->level = get_level (self, transfer);
  new->where = pd_measured_find (self->config->tables[new->level], transfer->bytes);
  new->base = begin.ps;
  new->next = NONE;
  set_channels (self, transfer, new);
  if (self->first == NONE)
    self->first = t;
  else
    self->transfers[self->last].next = t;
  self->last = t;
  self->n_requests[new->level]++;
  arm (self);
  return PD_TIME_PENDING;
}

/* ---- the class */

static gpointer
contention_create (gconstpointer config, guint32 n_endpoints, PdNetworkHost *host)
{
  PdContention *self = g_new0 (PdContention, 1);

  self->config = config;
  self->host = host;
  self->n_endpoints = MAX (1, n_endpoints);
  self->channels =
      g_new0 (PdContentionChannel, self->n_endpoints * ((gsize) self->config->sockets + 3));
  self->free = self->first = NONE;
  self->armed = -1;
  return self;
}

static void
contention_destroy (gpointer network)
{
  PdContention *self = network;

  for (gsize i = 0; i < self->n_endpoints * ((gsize) self->config->sockets + 3); i++)
    g_free (self->channels[i].users);
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
  char cf[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < PD_CONTENTION_N_LEVELS; i++)
    {
      const PdContentionUsed *used = &self->used[i];
      const PdMeasured *table = self->config->tables[i];
      if (used->n == 0)
        continue;
      g_ascii_formatd (cf, sizeof cf, "%.6g", table->cf[table->n_columns - 1]);
      pd_messages_add (messages, PD_SEVERITY_WARNING, "outside-measured", tables[i].level, NULL,
                       "network 'contention': %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                       " messages of level '%s' are outside what was measured, %" G_GINT64_FORMAT
                       " to %" G_GINT64_FORMAT " B with cf 1 to %s: they have %" G_GINT64_FORMAT
                       " to %" G_GINT64_FORMAT " B with cf up to %u",
                       used->n, self->n_requests[i], tables[i].level,
                       pd_measured_get_size (table, FALSE), pd_measured_get_size (table, TRUE), cf,
                       used->least, used->most, used->cf);
    }
}

const PdNetworkClass pd_network_contention = {
  .type = "contention",
  .meaning = "messages take as long as was measured with so many at a time",
  .config_size = sizeof (PdContentionConfig),
  .params = params,
  .create = contention_create,
  .destroy = contention_destroy,
  .request = contention_request,
  .event = contention_event,
  .tables = tables,
  .check = contention_check,
  .report = contention_report,
};
