/* Levels for floating flows, from the lowest up: see pd-sharing-private.h.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHARING_SOLVE_PRIVATE_H
#define PD_SHARING_SOLVE_PRIVATE_H

#include "comsys/net/pd-sharing-private.h"

/* Makes a flow float that does not. */
void pd_sharing_float (PdSharing *self, guint32 flow);
/* After flows came and left at @self->now: gives all their levels. */
void pd_sharing_update (PdSharing *self);

/* The result for a link: @level, that of the floating flows, if the other flows could be
 * lowered, but not raised. */
typedef struct
{
  gdouble level;
  gdouble low;     /* sum of the rates of those that would stay … */
  guint32 n_homes; /* … of which so many are at home there */
  guint32 n_high;  /* those that would be lowered */
} PdShareOutcome;

/* @key: no more than the level: what it is if none has to be lowered. From below
 * the steps lead up. */
PdShareOutcome pd_sharing_find_level (const PdSharing *self, guint32 link, gdouble key);

static inline gboolean
pd_sharing_is_more (gdouble a, gdouble b)
{
  return a > b * (1 + PD_SHARING_SAME);
}

static inline PdShareLink *
pd_sharing_link (const PdSharing *self, guint32 link)
{
  return (PdShareLink *) (gpointer) (self->links + (gsize) link * PD_SHARING_LINK_LINES * 64);
}

static inline PdShareFlow *
pd_sharing_flow (const PdSharing *self, guint32 flow)
{
  return (PdShareFlow *) (gpointer) (self->flows + flow * self->flow_lines * 64);
}

static inline void
pd_sharing_list_add (PdShareList *list, guint32 item)
{
  if (list->n == list->room)
    pd_sharing_list_grow (list);
  list->items[list->n++] = item;
}

static inline void
pd_sharing_touch (PdSharing *self, guint32 link)
{
  PdShareLink *l = pd_sharing_link (self, link);

  if (l->touched)
    return;
  l->touched = TRUE;
  l->highest = 0;
  pd_sharing_list_add (&self->touched, link);
}

/* Of a flow that does not float: its level. */
static inline gdouble
pd_sharing_level (const PdSharing *self, const PdShareFlow *flow)
{
  return pd_sharing_link (self, flow->home)->level;
}

static inline gdouble
pd_sharing_rate (const PdSharing *self, const PdShareFlow *flow)
{
  return flow->weight * pd_sharing_level (self, flow);
}

static inline gboolean
pd_sharing_is_soft (const PdShareLink *link)
{
  return link->n_owned > 0 && link->n_owned == link->n_members - link->n_floating;
}

/* The sum of the rates of those that do not float. */
static inline gdouble
pd_sharing_get_fixed (const PdSharing *self, const PdShareLink *link)
{
  if (link->n_members == link->n_floating)
    return 0;
  return pd_sharing_is_soft (link)
             ? pd_sharing_link (self, link->owner)->level * (link->weight - link->floating)
             : link->fixed;
}

#endif
