/* The flows that share links, by their paths, and their messages.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-sharing-private.h"

#include "comsys/queue/pd-lines.h"
#include "comsys/net/pd-sharing-solve-private.h"

#include <string.h>

/* ---- flows */

static guint32 *
get_path (const PdSharing *self, guint64 path)
{
  guint64 key = path * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return &self->paths[(key >> 32) & (self->flows_room - 1)];
}

static void
add_path (PdSharing *self, guint32 flow)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);
  guint32 *first = get_path (self, f->path);

  f->next = *first;
  *first = flow;
}

/* All flows there is room for are in use. */
static void
grow_flows (PdSharing *self)
{
  gsize room = MAX (64, 2 * (gsize) self->flows_room);

  self->flows =
      pd_lines_resize (self->flows, self->flows_room * self->flow_lines, room * self->flow_lines);
  self->flows_room = (guint32) room;
  self->paths = g_renew (guint32, self->paths, room);
  memset (self->paths, 0xff, room * sizeof *self->paths); /* PD_SHARING_NONE */
  for (guint32 i = 0; i < self->n_flows; i++)
    add_path (self, i);
}

guint32
pd_sharing_find (const PdSharing *self, guint64 path)
{
  guint32 flow = self->flows_room > 0 ? *get_path (self, path) : PD_SHARING_NONE;

  while (flow != PD_SHARING_NONE && pd_sharing_flow (self, flow)->path != path)
    flow = pd_sharing_flow (self, flow)->next;
  return flow;
}

guint32
pd_sharing_new_flow (PdSharing *self, guint64 path, const guint32 *links, guint32 n_hops,
                     gdouble unit)
{
  guint32 flow = self->free, room = 0;
  PdShareMessage *others = NULL;

  if (flow != PD_SHARING_NONE)
    {
      const PdShareFlow *old = pd_sharing_flow (self, flow);
      self->free = old->next;
      others = old->others;
      room = old->others_room;
    }
  else
    {
      if (self->n_flows == self->flows_room)
        grow_flows (self);
      flow = self->n_flows++; /* its memory is written before it is read: that is one page fault */
    }
  PdShareFlow *f = pd_sharing_flow (self, flow);
  *f = (PdShareFlow){ .path = path,
                      .unit = unit,
                      .home = PD_SHARING_NONE,
                      .n_hops = (guint16) n_hops,
                      .others = others,
                      .others_room = room };
  for (guint32 i = 0; i < n_hops; i++)
    f->hops[i].link = links[i];
  add_path (self, flow);
  return flow;
}

void
pd_sharing_free_flow (PdSharing *self, guint32 flow)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);
  guint32 *link = get_path (self, f->path);

  while (*link != flow)
    link = &pd_sharing_flow (self, *link)->next;
  *link = f->next;
  f->next = self->free;
  self->free = flow;
}

/* ---- the messages of a flow */

void
pd_sharing_push_message (PdShareFlow *f, PdShareMessage message)
{
  guint32 i = f->n_others++;

  if (f->n_others > f->others_room)
    {
      f->others_room = MAX (4, 2 * f->others_room);
      f->others = g_renew (PdShareMessage, f->others, f->others_room);
    }
  for (; i > 0 && message.finish < f->others[(i - 1) / 2].finish; i = (i - 1) / 2)
    f->others[i] = f->others[(i - 1) / 2];
  f->others[i] = message;
}

PdShareMessage
pd_sharing_pop_message (PdShareFlow *f)
{
  PdShareMessage *others = f->others, least = others[0], last = others[--f->n_others];
  guint32 i = 0;

  for (guint32 child = 1; child < f->n_others; child = 2 * i + 1)
    {
      if (child + 1 < f->n_others && others[child + 1].finish < others[child].finish)
        child++;
      if (!(others[child].finish < last.finish))
        break;
      others[i] = others[child];
      i = child;
    }
  others[i] = last;
  return least;
}
