/* Events of a location: its intervals, the functions in them, and its ends of messages,
 * merged in an order in which regions nest and messages are in the calls that send or
 * receive them.
 * SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-otf2-private.h"
#include "timeline/pd-timeline-otf2-events-private.h"
#include "traces/otf2/pd-otf2-archive.h"

typedef struct
{
  const PdTimeline *timeline;
  PdTlPlace place; /* the remaining part of it */
  const PdTlPoint *points;
  OTF2_EvtWriter *out;
  GArray *open;                 /* OTF2_RegionRef: of intervals */
  const PdTimelineSlice *slice; /* (nullable): under way */
  gint64 now;
} Walk;

static OTF2_TimeStamp
stamp (const Walk *self)
{
  return PD_OTF2_ORIGIN + (guint64) self->now;
}

static void
enter (Walk *self, guint32 region)
{
  if (region != PD_TL_NONE)
    OTF2_EvtWriter_Enter (self->out, NULL, stamp (self), region);
}

static void
leave (Walk *self, guint32 region)
{
  if (region != PD_TL_NONE)
    OTF2_EvtWriter_Leave (self->out, NULL, stamp (self), region);
}

/* ---- what may come next; G_MAXINT64: nothing of that kind */

static const PdTimelineSlice *
peek_slice (Walk *self)
{
  const PdTimelineSlice *slices = self->timeline->slices;
  PdTlRange *left = &self->place.slices;

  while (left->begin < left->end && slices[left->begin].cpu != self->place.cpu)
    left->begin++;
  return left->begin < left->end ? &slices[left->begin] : NULL;
}

static gint64
next_mark (const Walk *self)
{
  PdTlRange left = self->place.marks;

  return left.begin < left.end ? self->timeline->marks[left.begin].at.ps : G_MAXINT64;
}

static gint64
next_point (const Walk *self)
{
  PdTlRange left = self->place.points;

  return left.begin < left.end ? self->points[left.begin].at.ps : G_MAXINT64;
}

/* ---- taking it */

static void
take_point (Walk *self)
{
  const PdTlPoint *point = &self->points[self->place.points.begin++];
  const PdTimelineMessage *m = &self->timeline->messages[point->message];
  guint32 tag = (guint32) MAX (0, m->tag);

  self->now = point->at.ps;
  if (point->is_receive)
    OTF2_EvtWriter_MpiRecv (self->out, NULL, stamp (self), m->from, 0, tag, (guint64) m->bytes);
  else
    OTF2_EvtWriter_MpiSend (self->out, NULL, stamp (self), m->to, 0, tag, (guint64) m->bytes);
}

/* An interval that begins or ends within a function divides it. A leave without its
 * enter is not written. */
static void
take_mark (Walk *self)
{
  const PdTimelineMark *mark = &self->timeline->marks[self->place.marks.begin++];
  guint32 inside = self->slice != NULL ? self->slice->region : PD_TL_NONE;
  guint n = self->open->len;

  self->now = mark->at.ps;
  if (!mark->enters && (n == 0 || g_array_index (self->open, guint32, n - 1) != mark->region))
    return;
  leave (self, inside);
  if (mark->enters)
    {
      enter (self, mark->region);
      g_array_append_val (self->open, mark->region);
    }
  else
    {
      leave (self, mark->region);
      g_array_set_size (self->open, n - 1);
    }
  enter (self, inside);
}

static void
begin_slice (Walk *self, const PdTimelineSlice *slice)
{
  self->place.slices.begin++;
  self->slice = slice;
  self->now = slice->begin.ps;
  enter (self, slice->region);
}

static void
end_slice (Walk *self)
{
  self->now = self->slice->end.ps;
  leave (self, self->slice->region);
  self->slice = NULL;
}

/* A message that is sent in the moment in which a call ends is sent by the next one,
 * which begins then. */
static gboolean
point_is_inside (const Walk *self)
{
  gint64 at = next_point (self), end = self->slice->end.ps;

  if (at != end)
    return at < end;
  return self->points[self->place.points.begin].is_receive || self->slice->begin.ps == end;
}

static void
step_inside (Walk *self)
{
  gint64 mark = next_mark (self);
  gboolean has_point = point_is_inside (self);

  if (mark < self->slice->end.ps && (!has_point || mark < next_point (self)))
    take_mark (self);
  else if (has_point)
    take_point (self);
  else
    end_slice (self);
}

/* Between slices; FALSE: nothing is left. */
static gboolean
step_outside (Walk *self)
{
  const PdTimelineSlice *slice = peek_slice (self);
  gint64 begin = slice != NULL ? slice->begin.ps : G_MAXINT64;
  gint64 mark = next_mark (self), point = next_point (self);

  if (slice == NULL && mark == G_MAXINT64 && point == G_MAXINT64)
    return FALSE;
  if (point < begin && point <= mark)
    take_point (self);
  else if (mark <= begin && mark < G_MAXINT64)
    take_mark (self);
  else
    begin_slice (self, slice);
  return TRUE;
}

void
pd_tl_otf2_write_events (const PdTimeline *timeline, const PdTlPlace *place,
                         const PdTlPoint *points, OTF2_EvtWriter *out)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  Walk self = { timeline, *place, points, out, open, NULL, 0 };
  gboolean goes_on = TRUE;

  while (goes_on)
    if (self.slice != NULL)
      step_inside (&self);
    else
      goes_on = step_outside (&self);
  for (guint i = open->len; i-- > 0;)
    leave (&self, g_array_index (open, guint32, i));
}
