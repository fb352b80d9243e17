/* The level that uses up one link: see pd-sharing-private.h.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-sharing-private.h"
#include "comsys/net/pd-sharing-solve-private.h"

/* One step of Newton's method from @from on: those with more than that share what
 * the others leave. Returns whether it is the solution. */
static gboolean
improve_level (const PdSharing *self, guint32 link, gdouble from, PdShareOutcome *o)
{
  const PdShareLink *l = pd_sharing_link (self, link);
  gdouble high = l->floating, most_low = 0, least_high = G_MAXDOUBLE;

  *o = (PdShareOutcome){ 0 };
  for (guint32 i = 0; i < l->n_members; i++)
    {
      const PdShareFlow *f = pd_sharing_flow (self, l->members[i].flow);
      if (f->floats)
        continue;
      gdouble level = pd_sharing_level (self, f);
      if (pd_sharing_is_more (level, from))
        {
          high += f->weight;
          o->n_high++;
          least_high = MIN (least_high, level);
          continue;
        }
      o->low += f->weight * level;
      o->n_homes += f->home == link ? 1 : 0;
      most_low = MAX (most_low, level);
    }
  o->level = MAX (l->capacity / l->weight, (l->capacity - o->low) / high);
  return pd_sharing_is_more (least_high, o->level) && !pd_sharing_is_more (most_low, o->level);
}

PdShareOutcome
pd_sharing_find_level (const PdSharing *self, guint32 link, gdouble key)
{
  const PdShareLink *l = pd_sharing_link (self, link);
  PdShareOutcome o = { .level = l->capacity / l->floating };
  gdouble from;

  if (l->n_floating == l->n_members || improve_level (self, link, key, &o))
    return o;
  do
    {
      guint32 n_high = o.n_high;
      from = o.level;
      if (improve_level (self, link, from, &o) || o.n_high == n_high)
        return o;
    }
  while (o.level > from);
  o.level = from;
  return o;
}
