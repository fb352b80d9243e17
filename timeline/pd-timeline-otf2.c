/* SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-otf2.h"

#include "timeline/pd-timeline-otf2-private.h"
#include "traces/otf2/pd-otf2-archive.h"
#include "timeline/pd-timeline-otf2-defs-private.h"
#include "timeline/pd-timeline-otf2-events-private.h"

typedef struct
{
  const PdTimeline *timeline;
  GArray *points;    /* PdTlPoint, by rank and moment */
  guint64 *n_events; /* (array): by location */
} Writer;

/* The messages of a location keep their order, that of sending. */
static gint
compare_points (gconstpointer a, gconstpointer b)
{
  const PdTlPoint *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->at.ps != y->at.ps)
    return x->at.ps < y->at.ps ? -1 : 1;
  if (x->is_receive != y->is_receive)
    return x->is_receive ? -1 : 1;
  return x->message < y->message ? -1 : x->message > y->message;
}

static GArray *
collect_points (const PdTimeline *t)
{
  GArray *points = g_array_sized_new (FALSE, FALSE, sizeof (PdTlPoint), (guint) t->n_messages * 2);

  for (gsize i = 0; i < t->n_messages; i++)
    {
      const PdTimelineMessage *m = &t->messages[i];
      const PdTlPoint ends[] = { { m->sent, m->from, FALSE, i }, { m->received, m->to, TRUE, i } };
      g_array_append_vals (points, ends, G_N_ELEMENTS (ends));
    }
  g_array_sort (points, compare_points);
  return points;
}

static gboolean
write_location (Writer *self, OTF2_Archive *archive, const PdTlPlace *place)
{
  guint64 location = (guint64) place->rank * self->timeline->n_cpus + place->cpu;
  OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter (archive, location);

  if (out == NULL)
    return FALSE;
  pd_tl_otf2_write_events (self->timeline, place, (const PdTlPoint *) (gpointer) self->points->data,
                           out);
  uint64_t n = 0;
  OTF2_EvtWriter_GetNumberOfEvents (out, &n);
  self->n_events[location] = n;
  return OTF2_Archive_CloseEvtWriter (archive, out) == OTF2_SUCCESS;
}

/* Intervals and messages are those of the first CPU. */
static gboolean
write_rank (Writer *self, OTF2_Archive *archive, const PdTlPlace *rank)
{
  gboolean ok = TRUE;

  for (guint32 cpu = 0; cpu < self->timeline->n_cpus && ok; cpu++)
    {
      PdTlPlace place = *rank;
      place.cpu = cpu;
      if (cpu > 0)
        place.marks = place.points = (PdTlRange){ 0, 0 };
      ok = write_location (self, archive, &place);
    }
  return ok;
}

/* Moves to the events of @rank. */
static void
find_rank (const Writer *self, guint32 rank, PdTlPlace *place)
{
  const PdTimeline *t = self->timeline;
  PdTlRange *s = &place->slices, *m = &place->marks, *p = &place->points;

  place->rank = rank;
  for (s->begin = s->end; s->end < t->n_slices && t->slices[s->end].rank == rank;)
    s->end++;
  for (m->begin = m->end; m->end < t->n_marks && t->marks[m->end].rank == rank;)
    m->end++;
  for (p->begin = p->end; p->end < self->points->len; p->end++)
    if (g_array_index (self->points, PdTlPoint, p->end).rank != rank)
      break;
}

static gboolean
fill (OTF2_Archive *archive, gpointer data)
{
  Writer *self = data;
  const PdTimeline *t = self->timeline;
  PdTlPlace place = { .rank = 0 };
  gboolean ok = OTF2_Archive_OpenEvtFiles (archive) == OTF2_SUCCESS;

  for (guint32 rank = 0; rank < t->n_ranks && ok; rank++)
    {
      find_rank (self, rank, &place);
      ok = write_rank (self, archive, &place);
    }
  return ok && OTF2_Archive_CloseEvtFiles (archive) == OTF2_SUCCESS
         && pd_otf2_archive_skip_definitions (archive, (guint64) t->n_ranks * t->n_cpus)
         && pd_tl_otf2_write_definitions (t, self->n_events,
                                          OTF2_Archive_GetGlobalDefWriter (archive));
}

gboolean
pd_timeline_otf2_write (const PdTimeline *timeline, const char *path, GError **error)
{
  gsize n = MAX (1, (gsize) timeline->n_ranks * timeline->n_cpus);
  g_autoptr (GArray) points = collect_points (timeline);
  g_autofree guint64 *n_events = g_new0 (guint64, n);
  Writer self = { timeline, points, n_events };

  return pd_otf2_archive_make (path, fill, &self, error);
}
