/* The trace events that Chrome and Perfetto show: a node is a process, a rank a thread.
 *
 * The events of each thread are in the order of time, an enclosing slice before the slices
 * inside. Viewers bind the ends of a message to the slice that began last before them in this
 * order, so an end is written behind its call, also if several calls take place at one
 * moment.
 * SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-levels.h"
#include "timeline/pd-timeline-text.h"
#include "timeline/pd-timeline-json.h"

/* Messages with one end at each rank: those of rank r from first[r] on. */
typedef struct
{
  gsize *first;      /* (array length=n_ranks + 1) */
  guint32 *messages; /* by the moment of that end */
} Ends;

typedef struct
{
  const PdTimeline *timeline;
  PdTimelineText *text;
  char **names;  /* of regions, quoted */
  Ends sent;     /* by sender */
  Ends received; /* by receiver */
  gboolean has_any;
  /* of the rank that is written: */
  guint32 rank;
  gsize next_sent;
  gsize next_received;
  GArray *ends; /* PdTime: of its intervals, when they are left */
  GArray *open; /* guint: of those that have not been left, their places in @ends */
} Writer;

static void
begin_event (Writer *self, const char *phase, guint32 process)
{
  pd_timeline_text_add (self->text, self->has_any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
  pd_timeline_text_add (self->text, phase);
  pd_timeline_text_add (self->text, "\",\"pid\":");
  pd_timeline_text_add_int (self->text, process);
  self->has_any = TRUE;
}

/* Perfetto replaces thread 0 of any process but 0 by the number of the process, which may be
 * that of another rank: such a rank 0 has the first number behind all threads. */
static void
add_thread (Writer *self, guint32 rank, guint32 cpu)
{
  const PdTimeline *t = self->timeline;
  gint64 thread = rank + (gint64) cpu * t->n_ranks;

  pd_timeline_text_add (self->text, ",\"tid\":");
  pd_timeline_text_add_int (
      self->text, thread == 0 && t->node_of[rank] != 0 ? (gint64) t->n_ranks * t->n_cpus : thread);
}

/* Viewers count in whole nanoseconds. */
static void
add_ns (Writer *self, const char *name, gint64 ns)
{
  pd_timeline_text_add (self->text, name);
  pd_timeline_text_add_microseconds (self->text, PD_TIME (ns * PD_PS_PER_NS));
}

static void
add_moment (Writer *self, PdTime at)
{
  add_ns (self, ",\"ts\":", pd_timeline_text_to_ns (at));
}

/* ---- names */

static void
name_thread (Writer *self, guint32 rank, guint32 cpu)
{
  const PdTimeline *t = self->timeline;
  g_autofree char *name = cpu == 0 ? g_strdup_printf ("\"rank %u\"}}", rank)
                                   : g_strdup_printf ("\"rank %u, CPU %u\"}}", rank, cpu);

  begin_event (self, "M", t->node_of[rank]);
  add_thread (self, rank, cpu);
  pd_timeline_text_add (self->text, ",\"name\":\"thread_name\",\"args\":{\"name\":");
  pd_timeline_text_add (self->text, name);
  begin_event (self, "M", t->node_of[rank]);
  add_thread (self, rank, cpu);
  pd_timeline_text_add (self->text, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":");
  pd_timeline_text_add_int (self->text, (gint64) rank * t->n_cpus + cpu);
  pd_timeline_text_add (self->text, "}}");
}

static void
name_process (Writer *self, guint32 process, const char *name, gint64 place)
{
  begin_event (self, "M", process);
  pd_timeline_text_add (self->text, ",\"name\":\"process_name\",\"args\":{\"name\":\"");
  pd_timeline_text_add (self->text, name);
  pd_timeline_text_add (self->text, "\"}}");
  begin_event (self, "M", process);
  pd_timeline_text_add (self->text, ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":");
  pd_timeline_text_add_int (self->text, place);
  pd_timeline_text_add (self->text, "}}");
}

/* The process of counters over all ranks. */
static guint32
process_of_all (const PdTimeline *t)
{
  guint32 last = 0;

  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    last = MAX (last, t->node_of[rank]);
  return last + 1;
}

static void
name_all (Writer *self)
{
  const PdTimeline *t = self->timeline;
  guint32 of_all = process_of_all (t);
  g_autofree guint8 *is_named = g_new0 (guint8, of_all);

  name_process (self, of_all, "all ranks", -1);
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    {
      guint32 node = t->node_of[rank];
      g_autofree char *name = g_strdup_printf ("node %u", node);
      if (!t->is_wanted[rank])
        continue;
      if (!is_named[node])
        name_process (self, node, name, node);
      is_named[node] = TRUE;
      for (guint32 cpu = 0; cpu < t->n_cpus; cpu++)
        name_thread (self, rank, cpu);
    }
}

/* ---- messages */

static void
write_end (Writer *self, guint32 message, gboolean is_sent)
{
  const PdTimelineMessage *m = &self->timeline->messages[message];

  begin_event (self, is_sent ? "s" : "f", self->timeline->node_of[self->rank]);
  add_thread (self, self->rank, 0);
  add_moment (self, is_sent ? m->sent : m->received);
  pd_timeline_text_add (self->text, is_sent ? ",\"id\":" : ",\"bp\":\"e\",\"id\":");
  pd_timeline_text_add_int (self->text, message);
  pd_timeline_text_add (self->text, ",\"cat\":\"message\",\"name\":\"message\"");
  if (is_sent)
    {
      pd_timeline_text_add (self->text, ",\"args\":{\"bytes\":");
      pd_timeline_text_add_int (self->text, m->bytes);
      pd_timeline_text_add (self->text, ",\"tag\":");
      pd_timeline_text_add_int (self->text, m->tag);
      pd_timeline_text_add (self->text, ",\"to\":");
      pd_timeline_text_add_int (self->text, m->to);
      pd_timeline_text_add (self->text, "}");
    }
  pd_timeline_text_add (self->text, "}");
}

/* Those before @moment, or at it. */
static void
write_sent (Writer *self, gint64 moment)
{
  for (; self->next_sent < self->sent.first[self->rank + 1]; self->next_sent++)
    {
      guint32 message = self->sent.messages[self->next_sent];
      if (self->timeline->messages[message].sent.ps > moment)
        return;
      write_end (self, message, TRUE);
    }
}

static void
write_received (Writer *self, gint64 moment)
{
  for (; self->next_received < self->received.first[self->rank + 1]; self->next_received++)
    {
      guint32 message = self->received.messages[self->next_received];
      if (self->timeline->messages[message].received.ps > moment)
        return;
      write_end (self, message, FALSE);
    }
}

static gint
compare_received (gconstpointer a, gconstpointer b, gpointer data)
{
  const PdTimelineMessage *messages = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  gint64 difference = messages[x].received.ps - messages[y].received.ps;

  return difference != 0 ? (difference > 0) - (difference < 0) : (x > y) - (x < y);
}

/* Messages are in the order in which they are sent already. */
static void
list_ends (Ends *self, const PdTimeline *t, gboolean is_sent)
{
  g_autofree gsize *next = g_new0 (gsize, (gsize) t->n_ranks + 1);

  self->first = g_new0 (gsize, (gsize) t->n_ranks + 1);
  self->messages = g_new (guint32, MAX (t->n_messages, 1));
  for (gsize i = 0; i < t->n_messages; i++)
    self->first[(is_sent ? t->messages[i].from : t->messages[i].to) + 1]++;
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    next[rank + 1] = self->first[rank + 1] += self->first[rank];
  for (gsize i = 0; i < t->n_messages; i++)
    self->messages[next[is_sent ? t->messages[i].from : t->messages[i].to]++] = (guint32) i;
  for (guint32 rank = 0; !is_sent && rank < t->n_ranks; rank++)
    g_qsort_with_data (self->messages + self->first[rank],
                       (gint) (self->first[rank + 1] - self->first[rank]), sizeof (guint32),
                       compare_received, t->messages);
}

static void
ends_clear (Ends *self)
{
  g_free (self->first);
  g_free (self->messages);
}

/* ---- slices */

static void
write_slice (Writer *self, const PdTimelineSlice *slice, const char *category)
{
  begin_event (self, "X", self->timeline->node_of[slice->rank]);
  add_thread (self, slice->rank, slice->cpu);
  add_moment (self, slice->begin);
  add_ns (self,
          ",\"dur\":", pd_timeline_text_to_ns (slice->end) - pd_timeline_text_to_ns (slice->begin));
  pd_timeline_text_add (self->text, ",\"cat\":\"");
  pd_timeline_text_add (self->text, category);
  pd_timeline_text_add (self->text, "\",\"name\":");
  if (slice->region != PD_TL_NONE)
    pd_timeline_text_add (self->text, self->names[slice->region]);
  else
    {
      pd_timeline_text_add (self->text, "\"");
      pd_timeline_text_add (self->text, pd_timeline_state_name ((PdTimelineState) slice->state));
      pd_timeline_text_add (self->text, "\"");
    }
  pd_timeline_text_add (self->text, "}");
}

/* When the intervals that the rank enters by marks @from to @to are left. */
static void
find_ends (Writer *self, gsize from, gsize to)
{
  const PdTimelineMark *marks = self->timeline->marks;

  g_array_set_size (self->ends, (guint) (to - from));
  g_array_set_size (self->open, 0);
  for (gsize i = from; i < to; i++)
    {
      guint place = (guint) (i - from);
      if (marks[i].enters)
        g_array_append_val (self->open, place);
      else if (self->open->len > 0)
        {
          guint entered = g_array_index (self->open, guint, self->open->len - 1);
          g_array_index (self->ends, PdTime, entered) = marks[i].at;
          g_array_set_size (self->open, self->open->len - 1);
        }
    }
}

static gboolean
is_sender (const PdTimelineSlice *slice)
{
  return slice->state == PD_TL_SEND || slice->state == PD_TL_ONE_SIDED;
}

/* The ends of messages that belong to @last or to an earlier slice, before a slice that begins at
 * @begin. @next: (nullable): the next slice. A message sent at the moment when @last ends is of
 * @last if only @last is a call that sends. */
static void
write_ends_before (Writer *self, const PdTimelineSlice *last, const PdTimelineSlice *next,
                   PdTime begin)
{
  gboolean ended = last != NULL && last->end.ps == begin.ps && last->begin.ps < begin.ps;

  write_sent (self, ended && is_sender (last) && (next == NULL || !is_sender (next))
                        ? begin.ps
                        : begin.ps - 1);
  write_received (self, ended && !pd_timeline_is_computation ((PdTimelineState) last->state)
                            ? begin.ps
                            : begin.ps - 1);
}

static void
write_call (Writer *self, const PdTimelineSlice *slice)
{
  write_slice (self, slice, pd_timeline_state_name ((PdTimelineState) slice->state));
  if (is_sender (slice))
    write_sent (self, slice->begin.ps);
  if (slice->begin.ps == slice->end.ps
      && !pd_timeline_is_computation ((PdTimelineState) slice->state))
    write_received (self, slice->begin.ps);
}

/* The activity of the rank: intervals before slices that begin at the same moment. */
static void
write_rank (Writer *self, gsize *slice, gsize *mark)
{
  const PdTimeline *t = self->timeline;
  const PdTimelineSlice *last = NULL;
  gsize m = *mark, s = *slice;

  while (*mark < t->n_marks && t->marks[*mark].rank == self->rank)
    ++*mark;
  while (*slice < t->n_slices && t->slices[*slice].rank == self->rank)
    ++*slice;
  gsize first = m;
  find_ends (self, first, *mark);
  while (m < *mark || s < *slice)
    {
      gboolean is_mark = m < *mark && (s == *slice || t->marks[m].at.ps <= t->slices[s].begin.ps);
      if (is_mark && !t->marks[m++].enters)
        continue;
      if (!is_mark)
        {
          write_ends_before (self, last, &t->slices[s], t->slices[s].begin);
          last = &t->slices[s++];
          write_call (self, last);
          continue;
        }
      const PdTimelineMark *entered = &t->marks[m - 1];
      const PdTimelineSlice interval = {
        .begin = entered->at,
        .end = g_array_index (self->ends, PdTime, m - 1 - first),
        .rank = self->rank,
        .region = entered->region,
      };
      write_ends_before (self, last, s < *slice ? &t->slices[s] : NULL, entered->at);
      write_slice (self, &interval, "interval");
    }
  write_sent (self, G_MAXINT64);
  write_received (self, G_MAXINT64);
}

/* ---- counters */

/* With at most three decimals, large ones with none. */
static void
add_mean (Writer *self, gdouble value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean is_large = value >= 1e9;
  gdouble rounded = is_large ? value : (gdouble) (gint64) (MAX (value, 0) * 1000 + 0.5) / 1000;

  pd_timeline_text_add (self->text,
                        g_ascii_formatd (text, sizeof text, is_large ? "%.0f" : "%.12g", rounded));
}

static PdTime
time_of (const PdTimelineLevels *levels, guint i)
{
  return i < levels->n ? PD_TIME (levels->begin.ps + (gint64) i * levels->width.ps) : levels->end;
}

static void
write_ranks (Writer *self, const PdTimelineLevels *levels, guint i, guint32 process)
{
  static const char *const names[] = {
    [PD_LEVEL_COMPUTING] = "\"computing\":",
    [PD_LEVEL_COMMUNICATING] = ",\"communicating\":",
    [PD_LEVEL_WAITING] = ",\"waiting\":",
    [PD_LEVEL_IO] = ",\"input and output\":",
  };

  begin_event (self, "C", process);
  add_moment (self, time_of (levels, i));
  pd_timeline_text_add (self->text, ",\"name\":\"ranks\",\"args\":{");
  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    {
      pd_timeline_text_add (self->text, names[k]);
      add_mean (self, i < levels->n ? levels->values[k][i] : 0);
    }
  pd_timeline_text_add (self->text, "}}");
}

static void
write_bytes (Writer *self, const PdTimelineLevels *levels, guint i, guint32 process)
{
  begin_event (self, "C", process);
  add_moment (self, time_of (levels, i));
  pd_timeline_text_add (self->text, ",\"name\":\"bytes\",\"args\":{\"under way\":");
  add_mean (self, i < levels->n ? levels->values[PD_LEVEL_BYTES][i] : 0);
  pd_timeline_text_add (self->text, "}}");
}

/* Whether part @i is as the one before it, in all that a counter shows. */
static gboolean
is_as_before (const PdTimelineLevels *levels, guint i, guint first, guint last)
{
  for (guint k = first; k <= last; k++)
    {
      gdouble now = i < levels->n ? levels->values[k][i] : 0;
      if (i == 0 || ABS (now - levels->values[k][i - 1]) > 0.0005)
        return FALSE;
    }
  return TRUE;
}

/* Where they change, and back to 0 at the end. */
static void
write_counters (Writer *self)
{
  g_autoptr (PdTimelineLevels) levels = pd_timeline_levels_new (self->timeline);
  guint32 process = process_of_all (self->timeline);

  for (guint i = 0; levels->n > 0 && i <= levels->n; i++)
    if (!is_as_before (levels, i, PD_LEVEL_COMPUTING, PD_LEVEL_IO))
      write_ranks (self, levels, i, process);
  for (guint i = 0; self->timeline->n_messages > 0 && i <= levels->n; i++)
    if (levels->n > 0 && !is_as_before (levels, i, PD_LEVEL_BYTES, PD_LEVEL_BYTES))
      write_bytes (self, levels, i, process);
}

/* ---- the whole */

static void
add_pair (Writer *self, const char *name, const char *value)
{
  g_autofree char *quoted = pd_timeline_text_quote (value);

  pd_timeline_text_add (self->text, name);
  pd_timeline_text_add (self->text, quoted);
}

static void
write_head (Writer *self)
{
  const PdTimeline *t = self->timeline;

  add_pair (self, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"program\":", t->title);
  if (t->machine != NULL)
    add_pair (self, ",\"machine\":", t->machine);
  if (t->command != NULL)
    add_pair (self, ",\"command\":", t->command);
  add_pair (self, ",\"version\":", "predictor " PD_VERSION);
  pd_timeline_text_add (self->text, ",\"ranks\":");
  pd_timeline_text_add_int (self->text, t->n_ranks);
  pd_timeline_text_add (self->text, ",\"ranks_selected\":");
  pd_timeline_text_add_int (self->text, t->n_wanted);
  pd_timeline_text_add (self->text, ",\"execution_time_us\":");
  pd_timeline_text_add_microseconds (self->text, t->end);
  pd_timeline_text_add (self->text, ",\"window_us\":[");
  pd_timeline_text_add_microseconds (self->text, t->window[0]);
  pd_timeline_text_add (self->text, ",");
  pd_timeline_text_add_microseconds (self->text, t->window[1]);
  pd_timeline_text_add (self->text, "],\"messages_left_out\":");
  pd_timeline_text_add_int (self->text, (gint64) t->n_left_out);
  pd_timeline_text_add (self->text, "},\n\"traceEvents\":[");
}

static void
writer_init (Writer *self, const PdTimeline *timeline, PdTimelineText *text)
{
  *self = (Writer){ .timeline = timeline, .text = text };
  self->names = g_new0 (char *, timeline->n_regions + 1);
  for (guint32 i = 0; i < timeline->n_regions; i++)
    self->names[i] = pd_timeline_text_quote (timeline->regions[i]);
  list_ends (&self->sent, timeline, TRUE);
  list_ends (&self->received, timeline, FALSE);
  self->ends = g_array_new (FALSE, FALSE, sizeof (PdTime));
  self->open = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
writer_clear (Writer *self)
{
  g_strfreev (self->names);
  ends_clear (&self->sent);
  ends_clear (&self->received);
  g_array_unref (self->ends);
  g_array_unref (self->open);
}

gboolean
pd_timeline_write_json (const PdTimeline *timeline, const char *path, GError **error)
{
  g_autoptr (PdTimelineText) text = pd_timeline_text_new (path, error);
  gsize slice = 0, mark = 0;
  Writer self;

  if (text == NULL)
    return FALSE;
  writer_init (&self, timeline, text);
  write_head (&self);
  name_all (&self);
  for (self.rank = 0; self.rank < timeline->n_ranks; self.rank++)
    {
      self.next_sent = self.sent.first[self.rank];
      self.next_received = self.received.first[self.rank];
      write_rank (&self, &slice, &mark);
    }
  write_counters (&self);
  pd_timeline_text_add (text, "\n]}\n");
  writer_clear (&self);
  return pd_timeline_text_close (text, error);
}
