/* Links, and what comes and goes; flows are kept in pd-sharing-flow.c, the levels are found in
 * pd-sharing-solve.c.
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
  for (guint32 i = 0; i < self->n_flows; i++)
    g_free (pd_sharing_flow (self, i)->others);
  pd_lines_free (self->flows, self->flows_room * self->flow_lines);
  g_free (self->paths);
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

/* A flow gets one more message. */
static void
widen (PdSharing *self, guint32 flow)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);

  if (!f->floats)
    pd_sharing_float (self, flow);
  f->weight += f->unit;
  for (guint32 i = 0; i < f->n_hops; i++)
    {
      PdShareLink *link = pd_sharing_link (self, f->hops[i].link);
      link->weight += f->unit;
      link->floating += f->unit;
    }
}

/* A flow loses one of its messages. */
static void
narrow (PdSharing *self, PdShareFlow *f)
{
  gdouble rate = f->unit * pd_sharing_level (self, f);

  f->weight -= f->unit;
  for (guint32 i = 0; i < f->n_hops; i++)
    {
      PdShareLink *link = pd_sharing_link (self, f->hops[i].link);
      link->fixed -= rate;
      link->weight -= f->unit;
      pd_sharing_touch (self, f->hops[i].link);
    }
}

/* A flow loses its last message. */
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
      if (link->n_members > 0)
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
  gdouble served = 0;

  if (f->home != PD_SHARING_NONE)
    {
      PdShareLink *old = pd_sharing_link (self, f->home);
      served = get_served (old, self->now) - f->offset;
      remove_home (self, old, f->place);
      pd_sharing_touch (self, f->home);
    }
  if (new->homes_log == 0 || new->n_homes == 1u << new->homes_log)
    {
      new->homes_log = MAX (2, new->homes_log + 1) & 0x3f;
      new->homes = g_renew (PdShareHome, new->homes, 1u << new->homes_log);
    }
  f->home = link;
  f->offset = new->served - served;
  f->finish = f->first.finish + f->offset;
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

/* @when: the first at home on @link is through; it may have passed */
static void
set_due_at (PdSharing *self, guint32 link, gint64 when)
{
  PdShareLink *l = pd_sharing_link (self, link);
  PdShareDue due = { MAX (when, self->now), link };

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

static void
set_due (PdSharing *self, guint32 link)
{
  PdShareLink *l = pd_sharing_link (self, link);

  if (l->n_homes > 0)
    set_due_at (self, link, get_end (l));
  else if (l->due != 0)
    remove_due (self, l);
}

/* ---- messages come and go */

/* Whether a new flow has all its links for itself, none of them with less than the first one. */
static gboolean
is_alone (const PdSharing *self, const PdShareFlow *f)
{
  const PdShareLink *first = pd_sharing_link (self, f->hops[0].link);

  for (guint32 i = 0; i < f->n_hops; i++)
    {
      const PdShareLink *link = pd_sharing_link (self, f->hops[i].link);
      if (link->n_members > 1 || link->capacity < first->capacity)
        return FALSE;
    }
  return TRUE;
}

/* Such a flow is at home on the first link, which it uses up. Others that come at the same moment
 * make it float. */
static void
settle_alone (PdSharing *self, guint32 flow)
{
  const PdShareFlow *f = pd_sharing_flow (self, flow);
  guint32 first = f->hops[0].link;
  PdShareLink *home = pd_sharing_link (self, first);

  pd_sharing_advance (self, home);
  home->level = home->capacity / f->weight;
  home->uniform = FALSE;
  for (guint32 i = 0; i < f->n_hops; i++)
    {
      PdShareLink *link = pd_sharing_link (self, f->hops[i].link);
      link->owner = first;
      link->n_owned = 1;
      link->fixed = f->weight * home->level;
      link->highest = home->level;
    }
  pd_sharing_rehome (self, flow, first);
  set_due_at (self, first, get_end (home));
}

/* A flow with its first message comes to its links. */
static void
come (PdSharing *self, guint32 flow)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);

  f->weight = f->unit;
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
  if (is_alone (self, f))
    settle_alone (self, flow);
  else
    pd_sharing_float (self, flow);
}

static void
add_message (PdSharing *self, guint32 flow, PdShareMessage message)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);

  if (!(message.finish < f->first.finish))
    {
      pd_sharing_push_message (f, message);
      return;
    }
  pd_sharing_push_message (f, f->first);
  f->first = message;
  f->finish = message.finish + f->offset;
  if (f->home != PD_SHARING_NONE)
    home_up (self, pd_sharing_link (self, f->home), f->place, (PdShareHome){ f->finish, flow });
}

void
pd_sharing_enter (PdSharing *self, guint32 flow, gint64 bytes, guint32 id)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);
  PdShareMessage message = { (gdouble) bytes / f->unit, id };

  if (f->weight <= 0)
    {
      f->first = message;
      f->finish = message.finish;
      come (self, flow);
      return;
    }
  if (f->home != PD_SHARING_NONE)
    message.finish += get_served (pd_sharing_link (self, f->home), self->now) - f->offset;
  add_message (self, flow, message);
  widen (self, flow);
}

/* The first message of the first flow at home on @link is through. */
static void
take_first (PdSharing *self, PdShareLink *link)
{
  guint32 flow = link->homes[0].flow;
  PdShareFlow *f = pd_sharing_flow (self, flow);

  pd_sharing_list_add (&self->done, f->first.id);
  if (f->n_others == 0)
    {
      remove_home (self, link, 0);
      leave (self, f);
      pd_sharing_free_flow (self, flow);
      return;
    }
  f->first = pd_sharing_pop_message (f);
  f->finish = f->first.finish + f->offset;
  home_down (self, link, 0, (PdShareHome){ f->finish, flow });
  narrow (self, f);
}

gint64
pd_sharing_get_next (const PdSharing *self)
{
  return self->n_due == 0 ? -1 : self->due[0].when;
}

guint32
pd_sharing_get_next_message (const PdSharing *self)
{
  if (self->n_due == 0)
    return PD_SHARING_NONE;
  const PdShareLink *link = pd_sharing_link (self, self->due[0].link);

  return pd_sharing_flow (self, link->homes[0].flow)->first.id;
}

void
pd_sharing_complete (PdSharing *self, gint64 now)
{
  self->now = now;
  while (self->n_due > 0 && self->due[0].when <= now)
    {
      guint32 link = self->due[0].link;
      PdShareLink *l = pd_sharing_link (self, link);
      gint64 end = now;
      while (l->n_homes > 0 && (end = get_end (l)) <= now)
        take_first (self, l);
      if (l->n_homes > 0)
        set_due_at (self, link, end);
      else
        remove_due (self, l);
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
