/* What flows and links are kept in; the levels are found in pd-sharing-solve.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-sharing-private.h"

#include "comsys/queue/pd-lines.h"
#include "comsys/net/pd-sharing-solve-private.h"

#define PS_PER_S 1e12

/* A flow that floats so often in one update makes all float that are connected
 * with those that do: then one pass from the lowest level up is enough. */
#define MAX_FLOATS 32

/* ---- life */

void
pd_sharing_init (PdSharing *self, guint32 n_links, guint32 max_hops,
                 gdouble (*get_capacity) (gconstpointer, guint32), gconstpointer data)
{
  gsize size = sizeof (PdShareFlow) + max_hops * sizeof (PdShareHop);

  *self = (PdSharing){
    .n_links = n_links, .get_capacity = get_capacity, .data = data, .max_floats = MAX_FLOATS
  };
  self->links = pd_lines_resize (NULL, 0, (gsize) n_links * PD_SHARING_LINK_LINES);
  self->flow_lines = (size + 63) / 64;
  self->free = PD_SHARING_NONE;
}

void
pd_sharing_clear (PdSharing *self)
{
  for (guint32 i = 0; i < self->used.n; i++)
    {
      g_free (pd_sharing_link (self, self->used.items[i])->members);
      g_free (pd_sharing_link (self, self->used.items[i])->homes);
    }
  pd_lines_free (self->links, (gsize) self->n_links * PD_SHARING_LINK_LINES);
  pd_lines_free (self->flows, self->flows_room * self->flow_lines);
  g_free (self->due);
  g_free (self->used.items);
  g_free (self->touched.items);
  g_free (self->dirty.items);
  g_free (self->sweep);
  g_free (self->done.items);
}

void
pd_sharing_list_grow (PdShareList *list)
{
  list->room = MAX (16, 2 * list->room);
  list->items = g_renew (guint32, list->items, list->room);
}

/* ---- flows */

guint32
pd_sharing_new_flow (PdSharing *self, const guint32 *links, guint32 n_hops)
{
  guint32 flow = self->free;

  if (flow != PD_SHARING_NONE)
    self->free = pd_sharing_flow (self, flow)->next;
  else
    {
      if (self->n_flows == self->flows_room)
        {
          gsize room = MAX (64, 2 * (gsize) self->flows_room);
          self->flows = pd_lines_resize (self->flows, self->flows_room * self->flow_lines,
                                         room * self->flow_lines);
          self->flows_room = (guint32) room;
        }
      flow = self->n_flows++;
    }
  PdShareFlow *f = pd_sharing_flow (self, flow);
  *f = (PdShareFlow){ .home = PD_SHARING_NONE, .n_hops = (guint16) n_hops };
  for (guint32 i = 0; i < n_hops; i++)
    f->hops[i].link = links[i];
  return flow;
}

void
pd_sharing_free_flow (PdSharing *self, guint32 flow)
{
  pd_sharing_flow (self, flow)->next = self->free;
  self->free = flow;
}

/* ---- who is on a link */

static void
add_member (PdShareLink *link, guint32 flow, guint32 hop, PdShareHop *back)
{
  if (link->members_log == 0 || link->n_members == 1u << link->members_log)
    {
      link->members_log = MAX (2, link->members_log + 1) & 0x3f;
      link->members = g_renew (PdShareMember, link->members, 1u << link->members_log);
    }
  back->member = link->n_members;
  link->members[link->n_members++] = (PdShareMember){ flow, hop };
}

void
pd_sharing_enter (PdSharing *self, guint32 flow)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);

  for (guint32 i = 0; i < f->n_hops; i++)
    {
      PdShareLink *link = pd_sharing_link (self, f->hops[i].link);
      if (link->capacity <= 0)
        {
          link->capacity = self->get_capacity (self->data, f->hops[i].link) / PS_PER_S;
          pd_sharing_list_add (&self->used, f->hops[i].link);
        }
      add_member (link, flow, i, &f->hops[i]);
      link->weight += f->weight;
    }
  pd_sharing_float (self, flow);
}

static void
leave (PdSharing *self, PdShareFlow *f)
{
  gdouble rate = pd_sharing_rate (self, f);

  for (guint32 i = 0; i < f->n_hops; i++)
    {
      PdShareLink *link = pd_sharing_link (self, f->hops[i].link);
      PdShareMember last = link->members[--link->n_members];
      guint32 place = f->hops[i].member;
      link->members[place] = last;
      pd_sharing_flow (self, last.flow)->hops[last.hop].member = place;
      link->fixed -= rate;
      link->weight = link->n_members == 0 ? 0 : link->weight - f->weight;
      link->n_owned -= f->home == link->owner ? 1 : 0;
      if (link->n_members > 0 || link->due != 0)
        pd_sharing_touch (self, f->hops[i].link);
    }
}

/* ---- who is at home on a link */

static void
put_home (PdSharing *self, PdShareLink *link, guint32 place, PdShareHome home)
{
  link->homes[place] = home;
  pd_sharing_flow (self, home.flow)->place = place;
}

static void
home_up (PdSharing *self, PdShareLink *link, guint32 i, PdShareHome home)
{
  for (; i > 0 && home.finish < link->homes[(i - 1) / 2].finish; i = (i - 1) / 2)
    put_home (self, link, i, link->homes[(i - 1) / 2]);
  put_home (self, link, i, home);
}

static void
home_down (PdSharing *self, PdShareLink *link, guint32 i, PdShareHome home)
{
  for (guint32 child = 2 * i + 1; child < link->n_homes; child = 2 * i + 1)
    {
      if (child + 1 < link->n_homes && link->homes[child + 1].finish < link->homes[child].finish)
        child++;
      if (!(link->homes[child].finish < home.finish))
        break;
      put_home (self, link, i, link->homes[child]);
      i = child;
    }
  put_home (self, link, i, home);
}

static void
remove_home (PdSharing *self, PdShareLink *link, guint32 place)
{
  PdShareHome last = link->homes[--link->n_homes];

  if (place == link->n_homes)
    return;
  if (last.finish < link->homes[place].finish)
    home_up (self, link, place, last);
  else
    home_down (self, link, place, last);
}

static gdouble
get_served (const PdShareLink *link, gint64 now)
{
  return link->served + link->level * (gdouble) (now - link->base);
}

void
pd_sharing_advance (PdSharing *self, PdShareLink *link)
{
  link->served = link->n_homes == 0 ? 0 : get_served (link, self->now);
  link->base = self->now;
}

void
pd_sharing_rehome (PdSharing *self, guint32 flow, guint32 link)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);
  PdShareLink *new = pd_sharing_link (self, link);

  if (f->home != PD_SHARING_NONE)
    {
      PdShareLink *old = pd_sharing_link (self, f->home);
      f->finish -= get_served (old, self->now);
      remove_home (self, old, f->place);
      pd_sharing_touch (self, f->home);
    }
  if (new->homes_log == 0 || new->n_homes == 1u << new->homes_log)
    {
      new->homes_log = MAX (2, new->homes_log + 1) & 0x3f;
      new->homes = g_renew (PdShareHome, new->homes, 1u << new->homes_log);
    }
  f->home = link;
  f->finish += new->served;
  home_up (self, new, new->n_homes++, (PdShareHome){ f->finish, flow });
}

/* ---- when links are due */

static void
put_due (PdSharing *self, guint32 place, PdShareDue due)
{
  self->due[place] = due;
  pd_sharing_link (self, due.link)->due = place + 1;
}

static void
due_up (PdSharing *self, guint32 i, PdShareDue due)
{
  for (; i > 0 && due.when < self->due[(i - 1) / 2].when; i = (i - 1) / 2)
    put_due (self, i, self->due[(i - 1) / 2]);
  put_due (self, i, due);
}

static void
due_down (PdSharing *self, guint32 i, PdShareDue due)
{
  for (guint32 child = 2 * i + 1; child < self->n_due; child = 2 * i + 1)
    {
      if (child + 1 < self->n_due && self->due[child + 1].when < self->due[child].when)
        child++;
      if (self->due[child].when >= due.when)
        break;
      put_due (self, i, self->due[child]);
      i = child;
    }
  put_due (self, i, due);
}

static void
remove_due (PdSharing *self, PdShareLink *link)
{
  guint32 place = link->due - 1;
  PdShareDue last = self->due[--self->n_due];

  link->due = 0;
  if (place == self->n_due)
    return;
  if (last.when < self->due[place].when)
    due_up (self, place, last);
  else
    due_down (self, place, last);
}

/* When the first at home is through, rounded half up. */
static gint64
get_end (const PdShareLink *link)
{
  gdouble left = (link->homes[0].finish - link->served) / link->level;

  if (!(left > 0))
    return link->base;
  return left < 9.2e18 ? pd_time_add (PD_TIME (link->base), PD_TIME ((gint64) (left + 0.5))).ps
                       : G_MAXINT64;
}

static void
set_due (PdSharing *self, guint32 link)
{
  PdShareLink *l = pd_sharing_link (self, link);

  if (l->n_homes == 0)
    {
      if (l->due != 0)
        remove_due (self, l);
      return;
    }
  PdShareDue due = { MAX (get_end (l), self->now), link };
  if (l->due == 0)
    {
      if (self->n_due == self->due_room)
        {
          self->due_room = MAX (16, 2 * self->due_room);
          self->due = g_renew (PdShareDue, self->due, self->due_room);
        }
      due_up (self, self->n_due++, due);
    }
  else if (due.when < self->due[l->due - 1].when)
    due_up (self, l->due - 1, due);
  else
    due_down (self, l->due - 1, due);
}

gint64
pd_sharing_get_next (const PdSharing *self)
{
  return self->n_due == 0 ? -1 : self->due[0].when;
}

void
pd_sharing_complete (PdSharing *self, gint64 now)
{
  self->now = now;
  while (self->n_due > 0 && self->due[0].when <= now)
    {
      guint32 link = self->due[0].link;
      PdShareLink *l = pd_sharing_link (self, link);
      while (l->n_homes > 0 && get_end (l) <= now)
        {
          guint32 flow = l->homes[0].flow;
          remove_home (self, l, 0);
          leave (self, pd_sharing_flow (self, flow));
          pd_sharing_list_add (&self->done, flow);
        }
      set_due (self, link);
    }
}

void
pd_sharing_conclude (PdSharing *self)
{
  for (guint32 i = 0; i < self->touched.n; i++)
    {
      pd_sharing_link (self, self->touched.items[i])->touched = FALSE;
      set_due (self, self->touched.items[i]);
    }
  self->touched.n = 0;
}
