/* The consumer that keeps the selected part of a run.
 *
 * Events come in the order of the simulation, in which ranks take turns; at the end they
 * are sorted by rank, stably. Beyond the limit no event is kept, but all are counted, so
 * that the error can give their number.
 * SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-private.h"
#include "timeline/pd-timeline-feed.h"
#include "timeline/pd-timeline-select-private.h"

#include <string.h>

/* An array that grows. */
typedef struct
{
  gpointer data;
  gsize n;
  gsize room;
} Store;

/* Of a rank where a window was selected: which intervals it is in. */
typedef struct
{
  GArray *open; /* (nullable): regions */
  gboolean has_begun;
  gboolean is_over;
} Stack;

/* The public part comes first. */
typedef struct
{
  PdTimeline timeline;
  PdTimelineFeed *feed; /* of the run; borrowed */
  PdTime begin;
  PdTime end;
  guint64 limit;
  GArray *ranks; /* (nullable): PdTimelineRange; NULL: all */
  gboolean has_window;
  gboolean is_over; /* the limit is passed */
  guint64 n_slices; /* that are wanted, also beyond the limit, */
  guint64 n_messages, n_marks;
  Store slices, messages, marks;
  Stack *stacks; /* (nullable) (array length=n_ranks) */
} Keeper;

static const char *const state_names[PD_TL_N_STATES] = {
  [PD_TL_COMPUTE] = "compute",
  [PD_TL_REPEATED] = "repeated",
  [PD_TL_IO] = "io",
  [PD_TL_SEND] = "send",
  [PD_TL_RECEIVE] = "receive",
  [PD_TL_WAIT] = "wait",
  [PD_TL_COLLECTIVE] = "collective",
  [PD_TL_ONE_SIDED] = "one-sided",
  [PD_TL_OTHER] = "other",
};

const char *
pd_timeline_state_name (PdTimelineState state)
{
  g_return_val_if_fail (state < PD_TL_N_STATES, NULL);
  return state_names[state];
}

/* ---- keeping */

static void
drop_all (Keeper *self)
{
  Store *const stores[] = { &self->slices, &self->messages, &self->marks };

  for (gsize i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      g_free (stores[i]->data);
      *stores[i] = (Store){ NULL, 0, 0 };
    }
}

/* One more is wanted: it goes to @store, unless there are too many. */
static void
keep (Keeper *self, Store *store, gconstpointer item, gsize size)
{
  if (self->is_over)
    return;
  if (self->n_slices + self->n_messages + self->n_marks > self->limit)
    {
      self->is_over = TRUE;
      drop_all (self);
      return;
    }
  if (store->n == store->room)
    {
      store->room = MAX (store->room + store->room / 2, 1024);
      store->data = g_realloc_n (store->data, store->room, size);
    }
  memcpy ((char *) store->data + store->n++ * size, item, size);
}

static void
see_slice (gpointer data, const PdTimelineSlice *slice)
{
  Keeper *self = data;
  PdTimelineSlice own = *slice;
  gboolean is_time = own.begin.ps == own.end.ps;

  if (!self->timeline.is_wanted[own.rank])
    return;
  own.begin = pd_time_max (own.begin, self->begin);
  own.end.ps = MIN (own.end.ps, self->end.ps);
  if (own.begin.ps > own.end.ps || (own.begin.ps == own.end.ps && !is_time))
    return;
  self->n_slices++;
  keep (self, &self->slices, &own, sizeof own);
}

static gboolean
is_inside (const Keeper *self, guint32 rank, PdTime when)
{
  return self->timeline.is_wanted[rank] && when.ps >= self->begin.ps && when.ps <= self->end.ps;
}

static void
see_message (gpointer data, const PdTimelineMessage *message)
{
  Keeper *self = data;
  gboolean begins = is_inside (self, message->from, message->sent);
  gboolean ends = is_inside (self, message->to, message->received);

  if (begins != ends)
    self->timeline.n_left_out++;
  if (!begins || !ends)
    return;
  self->n_messages++;
  keep (self, &self->messages, message, sizeof *message);
}

static void
keep_mark (Keeper *self, const PdTimelineMark *mark)
{
  self->n_marks++;
  keep (self, &self->marks, mark, sizeof *mark);
}

/* The window begins: the rank is in so many intervals already. */
static void
begin_window (Keeper *self, Stack *stack, guint32 rank)
{
  stack->has_begun = TRUE;
  for (guint i = 0; stack->open != NULL && i < stack->open->len; i++)
    keep_mark (self, &(PdTimelineMark){ self->begin, rank, g_array_index (stack->open, guint32, i),
                                        TRUE });
}

/* It ends: they end with it. */
static void
end_window (Keeper *self, Stack *stack, guint32 rank)
{
  stack->is_over = TRUE;
  for (guint i = stack->open != NULL ? stack->open->len : 0; i-- > 0;)
    keep_mark (
        self, &(PdTimelineMark){ self->end, rank, g_array_index (stack->open, guint32, i), FALSE });
  g_clear_pointer (&stack->open, g_array_unref);
}

static void
follow (Stack *stack, const PdTimelineMark *mark)
{
  if (stack->open == NULL)
    stack->open = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (mark->enters)
    g_array_append_val (stack->open, mark->region);
  else if (stack->open->len > 0)
    g_array_set_size (stack->open, stack->open->len - 1);
}

/* The program is left at the end of a rank, so that every rank passes the edges. */
static void
see_mark (gpointer data, const PdTimelineMark *mark)
{
  Keeper *self = data;
  Stack *stack = self->stacks != NULL ? &self->stacks[mark->rank] : NULL;

  self->timeline.end = pd_time_max (self->timeline.end, mark->at);
  if (!self->timeline.is_wanted[mark->rank])
    return;
  if (stack == NULL)
    {
      keep_mark (self, mark);
      return;
    }
  if (!stack->has_begun && mark->at.ps >= self->begin.ps)
    begin_window (self, stack, mark->rank);
  if (!stack->is_over && mark->at.ps > self->end.ps)
    end_window (self, stack, mark->rank);
  if (stack->is_over)
    return;
  if (stack->has_begun)
    keep_mark (self, mark);
  follow (stack, mark);
}

/* ---- the order */

/* By rank; of each rank in the order in which they came. Both structures have their rank
 * at @offset. */
static gpointer
sort_by_rank (Store *store, gsize size, gsize offset, guint32 n_ranks)
{
  g_autofree gsize *next = g_new0 (gsize, (gsize) n_ranks + 1);
  const char *from = store->data;
  char *to = g_malloc (MAX (store->n, 1) * size);

  for (gsize i = 0; i < store->n; i++)
    next[*(const guint32 *) (gconstpointer) (from + i * size + offset) + 1]++;
  for (guint32 rank = 0; rank < n_ranks; rank++)
    next[rank + 1] += next[rank];
  for (gsize i = 0; i < store->n; i++)
    {
      guint32 rank = *(const guint32 *) (gconstpointer) (from + i * size + offset);
      memcpy (to + next[rank]++ * size, from + i * size, size);
    }
  g_free (store->data);
  *store = (Store){ NULL, 0, 0 };
  return to;
}

static gint
compare_numbers (gint64 a, gint64 b)
{
  return (a > b) - (a < b);
}

static gint
compare_slices (gconstpointer a, gconstpointer b, gpointer data G_GNUC_UNUSED)
{
  const PdTimelineSlice *x = a, *y = b;

  return x->rank != y->rank ? compare_numbers (x->rank, y->rank)
                            : compare_numbers (x->begin.ps, y->begin.ps);
}

static gint
compare_messages (gconstpointer a, gconstpointer b, gpointer data G_GNUC_UNUSED)
{
  const PdTimelineMessage *x = a, *y = b;
  const gint64 keys[][2] = { { x->sent.ps, y->sent.ps }, { x->from, y->from },
                             { x->to, y->to },           { x->received.ps, y->received.ps },
                             { x->tag, y->tag },         { x->comm, y->comm },
                             { x->bytes, y->bytes } };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i][0] != keys[i][1])
      return compare_numbers (keys[i][0], keys[i][1]);
  return 0;
}

/* Where CPUs of a rank work at once, slices come as they end. */
static void
sort_slices (PdTimeline *t)
{
  for (gsize i = 1; i < t->n_slices; i++)
    if (compare_slices (&t->slices[i - 1], &t->slices[i], NULL) > 0)
      {
        g_qsort_with_data (t->slices, (gint) t->n_slices, sizeof *t->slices, compare_slices, NULL);
        return;
      }
}

/* A message without a wait may arrive after its receiver has ended. */
static void
leave_out_late (Keeper *self)
{
  PdTimeline *t = &self->timeline;
  g_autofree PdTime *ends = g_new0 (PdTime, MAX (t->n_ranks, 1));
  gsize n = 0;

  for (gsize i = 0; i < t->n_marks; i++)
    ends[t->marks[i].rank] = t->marks[i].at;
  for (gsize i = 0; i < t->n_messages; i++)
    if (t->messages[i].received.ps <= ends[t->messages[i].to].ps)
      t->messages[n++] = t->messages[i];
  t->n_left_out += t->n_messages - n;
  t->n_messages = n;
}

static void
put_in_order (Keeper *self)
{
  PdTimeline *t = &self->timeline;

  t->n_slices = self->slices.n;
  t->n_marks = self->marks.n;
  t->n_messages = self->messages.n;
  t->slices = sort_by_rank (&self->slices, sizeof (PdTimelineSlice),
                            G_STRUCT_OFFSET (PdTimelineSlice, rank), t->n_ranks);
  t->marks = sort_by_rank (&self->marks, sizeof (PdTimelineMark),
                           G_STRUCT_OFFSET (PdTimelineMark, rank), t->n_ranks);
  t->messages = g_steal_pointer (&self->messages.data);
  leave_out_late (self);
  sort_slices (t);
  if (t->n_messages > 1)
    g_qsort_with_data (t->messages, (gint) t->n_messages, sizeof *t->messages, compare_messages,
                       NULL);
}

/* ---- regions */

/* The number of a region of the feed, by first appearance in this order. */
static guint32
number_of (Keeper *self, guint32 *numbers, guint32 region)
{
  PdTimeline *t = &self->timeline;

  if (region == PD_TL_NONE)
    return region;
  if (numbers[region] == PD_TL_NONE)
    {
      numbers[region] = t->n_regions;
      t->regions[t->n_regions++] = g_strdup (pd_timeline_feed_get_region (self->feed, region));
    }
  return numbers[region];
}

/* The feed numbers regions as the simulation comes to them; here they are numbered by
 * ranks and time, those that were selected only. */
static void
name_regions (Keeper *self)
{
  PdTimeline *t = &self->timeline;
  guint32 n = pd_timeline_feed_get_n_regions (self->feed);
  g_autofree guint32 *numbers = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    numbers[i] = PD_TL_NONE;
  t->regions = g_new0 (char *, n + 1);
  number_of (self, numbers, PD_TL_PROGRAM);
  for (gsize i = 0; i < t->n_marks; i++)
    t->marks[i].region = number_of (self, numbers, t->marks[i].region);
  for (gsize i = 0; i < t->n_slices; i++)
    {
      t->slices[i].region = number_of (self, numbers, t->slices[i].region);
      t->slices[i].interval = number_of (self, numbers, t->slices[i].interval);
    }
}

/* ---- begin and end */

static void
begin (gpointer data, PdTimelineFeed *feed, const PdTimelineHead *head)
{
  Keeper *self = data;
  PdTimeline *t = &self->timeline;

  self->feed = feed;
  t->n_ranks = head->n_ranks;
  t->n_cpus = head->n_cpus;
  t->title = g_strdup (head->title);
  t->machine = g_strdup (head->machine);
  t->node_of = g_new (guint32, MAX (t->n_ranks, 1));
  t->is_wanted = g_new0 (guint8, MAX (t->n_ranks, 1));
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    {
      t->node_of[rank] = head->node_of != NULL ? head->node_of[rank] : rank;
      t->is_wanted[rank] = self->ranks == NULL;
    }
  for (guint i = 0; self->ranks != NULL && i < self->ranks->len; i++)
    {
      const PdTimelineRange *range = &g_array_index (self->ranks, PdTimelineRange, i);
      for (guint64 rank = range->first; rank <= range->last && rank < t->n_ranks; rank++)
        t->is_wanted[rank] = TRUE;
    }
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    t->n_wanted += t->is_wanted[rank];
  if (self->has_window)
    self->stacks = g_new0 (Stack, MAX (t->n_ranks, 1));
}

static gboolean
refuse_limit (const Keeper *self, GError **error)
{
  guint64 n = self->n_slices + self->n_messages + self->n_marks;
  gdouble share = (gdouble) self->limit / (gdouble) n;
  PdTime from = self->begin;
  PdTime to = PD_TIME (MIN (self->end.ps, self->timeline.end.ps));
  PdTime some = pd_time_add (from, pd_time_multiply (pd_time_sub (to, from), share * 0.9));
  gdouble n_ranks = share * 0.9 * (gdouble) self->timeline.n_wanted;

  g_set_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_LIMIT,
               "the timeline has %" G_GUINT64_FORMAT " events (%" G_GUINT64_FORMAT
               " slices, %" G_GUINT64_FORMAT " messages, %" G_GUINT64_FORMAT
               " ends of intervals), more than %" G_GUINT64_FORMAT
               ": select part of the time, such as --timeline-window %.6gs:%.6gs, or ranks, such "
               "as --timeline-ranks 0-%.0f, or raise --timeline-limit",
               n, self->n_slices, self->n_messages, self->n_marks, self->limit,
               pd_time_to_seconds (from), pd_time_to_seconds (some), MAX (n_ranks - 1, 0));
  return FALSE;
}

static gboolean
check (const Keeper *self, GError **error)
{
  const PdTimeline *t = &self->timeline;

  if (self->is_over)
    return refuse_limit (self, error);
  if (t->n_wanted == 0)
    {
      g_set_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_SELECTION,
                   "timeline: the run has ranks 0 to %u, none of which was selected",
                   t->n_ranks - 1);
      return FALSE;
    }
  if (self->begin.ps > 0 && self->begin.ps >= t->end.ps)
    {
      g_set_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_SELECTION,
                   "timeline: the window begins at %.6g s, the run ends at %.6g s",
                   pd_time_to_seconds (self->begin), pd_time_to_seconds (t->end));
      return FALSE;
    }
  return TRUE;
}

static gboolean
end (gpointer data, GError **error)
{
  Keeper *self = data;
  PdTimeline *t = &self->timeline;

  t->window[0] = self->begin;
  t->window[1] = PD_TIME (MIN (self->end.ps, t->end.ps));
  if (!check (self, error))
    {
      drop_all (self);
      return FALSE;
    }
  put_in_order (self);
  name_regions (self);
  return TRUE;
}

const PdTimelineClass pd_timeline_class = { begin, see_slice, see_message, see_mark, end };

/* ---- life */

PdTimeline *
pd_timeline_new (const PdTimelineSelection *selection, GError **error)
{
  GArray *ranks = NULL;

  if (selection != NULL && selection->ranks != NULL
      && (ranks = pd_timeline_parse_ranks (selection->ranks, error)) == NULL)
    return NULL;
  Keeper *self = g_new0 (Keeper, 1);
  self->ranks = ranks;
  self->begin = selection != NULL ? selection->begin : PD_TIME_ZERO;
  self->end = selection != NULL ? selection->end : PD_TIME_MAX;
  self->limit = MIN (selection != NULL ? selection->limit : PD_TIMELINE_LIMIT, G_MAXINT);
  self->has_window = self->begin.ps > 0 || self->end.ps < G_MAXINT64;
  return &self->timeline;
}

void
pd_timeline_free (PdTimeline *timeline)
{
  Keeper *self = (Keeper *) timeline;

  if (self == NULL)
    return;
  for (guint32 rank = 0; self->stacks != NULL && rank < timeline->n_ranks; rank++)
    g_clear_pointer (&self->stacks[rank].open, g_array_unref);
  g_free (self->stacks);
  g_clear_pointer (&self->ranks, g_array_unref);
  drop_all (self);
  g_free (timeline->node_of);
  g_free (timeline->title);
  g_free (timeline->machine);
  g_free (timeline->command);
  g_free (timeline->is_wanted);
  g_strfreev (timeline->regions);
  g_free (timeline->slices);
  g_free (timeline->marks);
  g_free (timeline->messages);
  g_free (self);
}
