/* SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-levels.h"

static const guint8 levels[PD_TL_N_STATES] = {
  [PD_TL_COMPUTE] = PD_LEVEL_COMPUTING,
  [PD_TL_REPEATED] = PD_LEVEL_COMPUTING,
  [PD_TL_IO] = PD_LEVEL_IO,
  [PD_TL_SEND] = PD_LEVEL_COMMUNICATING,
  [PD_TL_RECEIVE] = PD_LEVEL_COMMUNICATING,
  [PD_TL_WAIT] = PD_LEVEL_WAITING,
  [PD_TL_COLLECTIVE] = PD_LEVEL_COMMUNICATING,
  [PD_TL_ONE_SIDED] = PD_LEVEL_COMMUNICATING,
  [PD_TL_OTHER] = PD_LEVEL_COMMUNICATING,
};

PdTimelineLevel
pd_timeline_level_of (PdTimelineState state)
{
  return (PdTimelineLevel) levels[state];
}

/* Adds @value from @begin to @end: parts that are filled completely get it from the entries of
 * @steps where it begins and ends, the other parts get their share. */
static void
add (PdTimelineLevels *self, gdouble *steps, gdouble *shares, PdTime begin, PdTime end,
     gdouble value)
{
  gint64 from = begin.ps - self->begin.ps, to = end.ps - self->begin.ps, width = self->width.ps;
  gint64 first = from / width, last = to / width;

  if (from >= to)
    return;
  if (first == last)
    {
      shares[first] += value * (gdouble) (to - from);
      return;
    }
  shares[first] += value * (gdouble) ((first + 1) * width - from);
  shares[last] += value * (gdouble) (to - last * width);
  steps[first + 1] += value;
  steps[last] -= value;
}

/* The means from the sums of add(). */
static void
conclude (PdTimelineLevels *self, gdouble *steps, const gdouble *shares, gdouble *values)
{
  gdouble sum = 0;

  for (guint i = 0; i < self->n; i++)
    {
      gint64 begin = self->begin.ps + (gint64) i * self->width.ps;
      gint64 width = MIN (self->width.ps, self->end.ps - begin);
      sum += steps[i];
      values[i] = sum + shares[i] / (gdouble) width;
    }
}

static void
add_all (PdTimelineLevels *self, const PdTimeline *t, PdTimelineLevel level)
{
  g_autofree gdouble *steps = g_new0 (gdouble, self->n + 2);
  g_autofree gdouble *shares = g_new0 (gdouble, self->n + 1);

  for (gsize i = 0; level == PD_LEVEL_BYTES && i < t->n_messages; i++)
    add (self, steps, shares, t->messages[i].sent, t->messages[i].received,
         (gdouble) t->messages[i].bytes);
  for (gsize i = 0; level != PD_LEVEL_BYTES && i < t->n_slices; i++)
    if (levels[t->slices[i].state] == level)
      add (self, steps, shares, t->slices[i].begin, t->slices[i].end, 1);
  conclude (self, steps, shares, self->values[level]);
}

PdTimelineLevels *
pd_timeline_levels_new (const PdTimeline *timeline)
{
  PdTimelineLevels *self = g_new0 (PdTimelineLevels, 1);
  gint64 length = timeline->window[1].ps - timeline->window[0].ps;

  self->begin = timeline->window[0];
  self->end = timeline->window[1];
  if (length <= 0)
    return self;
  self->width = PD_TIME ((length - 1) / PD_TIMELINE_MAX_LEVELS + 1);
  self->n = (guint) ((length - 1) / self->width.ps + 1);
  for (guint i = 0; i < PD_N_LEVELS; i++)
    {
      self->values[i] = g_new0 (gdouble, self->n);
      add_all (self, timeline, (PdTimelineLevel) i);
    }
  return self;
}

void
pd_timeline_levels_free (PdTimelineLevels *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < PD_N_LEVELS; i++)
    g_free (self->values[i]);
  g_free (self);
}
