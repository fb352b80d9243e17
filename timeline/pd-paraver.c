/* The records of a Paraver trace, in the order of time.
 * SPDX-License-Identifier: MIT */
#include "timeline/pd-paraver.h"

#include "timeline/pd-paraver-private.h"
#include "timeline/pd-paraver-labels-private.h"
#include "timeline/pd-timeline-text.h"

#include <string.h>

/* A state or an event. */
typedef struct
{
  gint64 at;    /* ns */
  gint64 value; /* of an event; of a state: its end */
  guint32 type; /* of an event; of a state: its number */
  gboolean is_event;
} Record;

/* A thread with records that are not written yet. */
typedef struct
{
  gint64 at;
  guint64 thread;
} Next;

typedef struct
{
  PdPrvPlan *plan;
  gint64 end;      /* ns */
  GArray *records; /* Record, by thread and time */
  gsize *first;    /* (array length=n_threads + 1): in @records */
  gsize *next;     /* (array length=n_threads): to be written */
  Next *heap;
  gsize n_heap;
} Writer;

/* ---- the records of a thread */

static void
add_state (Writer *self, gint64 begin, gint64 end, guint32 state)
{
  const Record record = { begin, end, state, FALSE };

  if (end > begin)
    g_array_append_val (self->records, record);
}

static void
add_event (Writer *self, PdTime at, PdPrvKind kind, guint32 value)
{
  const Record record = { pd_timeline_text_to_ns (at), value, pd_prv_type (kind), TRUE };

  g_array_append_val (self->records, record);
}

/* Marks before @limit: the end of an interval makes the enclosing one visible again. */
static gsize
add_marks (Writer *self, gsize mark, gsize end, gint64 limit, GArray *open)
{
  const PdTimelineMark *marks = self->plan->timeline->marks;

  for (; mark < end && marks[mark].at.ps < limit; mark++)
    {
      if (marks[mark].enters)
        g_array_append_val (open, marks[mark].region);
      else if (open->len > 0)
        g_array_set_size (open, open->len - 1);
      guint32 value =
          open->len == 0 ? 0 : pd_prv_interval (g_array_index (open, guint32, open->len - 1));
      add_event (self, marks[mark].at, PD_PRV_INTERVAL, value);
    }
  return mark;
}

typedef struct
{
  gsize begin, end;
} Range;

/* @slices and @marks: of the rank, marks only for its first CPU. Records are in the
 * order of time: the remaining marks are behind the end of the last slice. */
static void
add_thread (Writer *self, guint32 cpu, Range slices, Range marks)
{
  const PdTimeline *t = self->plan->timeline;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64 last = pd_timeline_text_to_ns (t->window[0]);

  add_state (self, 0, last, PD_PRV_DISABLED);
  for (gsize i = slices.begin; i < slices.end; i++)
    {
      const PdTimelineSlice *slice = &t->slices[i];
      if (slice->cpu != cpu)
        continue;
      gint64 begin = pd_timeline_text_to_ns (slice->begin),
             end = pd_timeline_text_to_ns (slice->end);
      const PdPrvRegion *call =
          slice->region == PD_TL_NONE ? NULL : &self->plan->calls[slice->region];
      add_state (self, last, begin, PD_PRV_IDLE);
      marks.begin = add_marks (self, marks.begin, marks.end, slice->begin.ps + 1, open);
      if (call != NULL)
        add_event (self, slice->begin, call->kind, call->value);
      add_state (self, begin, end, pd_prv_state (slice->state));
      marks.begin = add_marks (self, marks.begin, marks.end, slice->end.ps, open);
      if (call != NULL)
        add_event (self, slice->end, call->kind, 0);
      last = end;
    }
  add_state (self, last, self->end, PD_PRV_IDLE);
  add_marks (self, marks.begin, marks.end, G_MAXINT64, open);
}

static void
add_rank (Writer *self, guint32 rank, Range slices, Range marks)
{
  const PdTimeline *t = self->plan->timeline;

  for (guint32 cpu = 0; cpu < t->n_cpus; cpu++)
    {
      gsize thread = (gsize) rank * t->n_cpus + cpu;
      self->first[thread] = self->next[thread] = self->records->len;
      if (!t->is_wanted[rank])
        add_state (self, 0, self->end, PD_PRV_DISABLED);
      else
        add_thread (self, cpu, slices, cpu == 0 ? marks : (Range){ 0, 0 });
    }
}

static void
add_records (Writer *self)
{
  const PdTimeline *t = self->plan->timeline;
  Range slices = { 0, 0 }, marks = { 0, 0 };

  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    {
      for (slices.end = slices.begin; slices.end < t->n_slices; slices.end++)
        if (t->slices[slices.end].rank != rank)
          break;
      for (marks.end = marks.begin; marks.end < t->n_marks; marks.end++)
        if (t->marks[marks.end].rank != rank)
          break;
      add_rank (self, rank, slices, marks);
      slices.begin = slices.end;
      marks.begin = marks.end;
    }
  self->first[(gsize) t->n_ranks * t->n_cpus] = self->records->len;
}

/* ---- the order of time */

static gboolean
is_before (const Next *a, const Next *b)
{
  return a->at != b->at ? a->at < b->at : a->thread < b->thread;
}

static void
sift_down (Writer *self, gsize i)
{
  Next moving = self->heap[i];

  for (gsize child; (child = 2 * i + 1) < self->n_heap; i = child)
    {
      if (child + 1 < self->n_heap && is_before (&self->heap[child + 1], &self->heap[child]))
        child++;
      if (!is_before (&self->heap[child], &moving))
        break;
      self->heap[i] = self->heap[child];
    }
  self->heap[i] = moving;
}

static void
fill_heap (Writer *self, gsize n_threads)
{
  for (gsize thread = 0; thread < n_threads; thread++)
    if (self->first[thread] < self->first[thread + 1])
      self->heap[self->n_heap++] =
          (Next){ g_array_index (self->records, Record, self->first[thread]).at, thread };
  for (gsize i = self->n_heap / 2; i-- > 0;)
    sift_down (self, i);
}

/* The next record and its thread; NULL: none is left. */
static const Record *
take_next (Writer *self, guint64 *thread)
{
  if (self->n_heap == 0)
    return NULL;
  *thread = self->heap[0].thread;
  const Record *record = &g_array_index (self->records, Record, self->next[*thread]++);
  if (self->next[*thread] < self->first[*thread + 1])
    self->heap[0].at = record[1].at;
  else
    self->heap[0] = self->heap[--self->n_heap];
  if (self->n_heap > 0)
    sift_down (self, 0);
  return record;
}

/* ---- the file */

static void
write_field (PdOutput *out, gint64 value)
{
  pd_output_char (out, ':');
  pd_output_int (out, value);
}

/* CPU, application, task and thread, from 1. */
static void
write_place (const Writer *self, PdOutput *out, guint32 rank, guint32 cpu)
{
  write_field (out, (gint64) (self->plan->cpus[rank] + cpu + 1));
  write_field (out, 1);
  write_field (out, (gint64) rank + 1);
  write_field (out, (gint64) cpu + 1);
}

static void
write_record (const Writer *self, PdOutput *out, const Record *record, guint64 thread)
{
  guint32 n_cpus = self->plan->timeline->n_cpus;

  pd_output_char (out, record->is_event ? '2' : '1');
  write_place (self, out, (guint32) (thread / n_cpus), (guint32) (thread % n_cpus));
  write_field (out, record->at);
  write_field (out, record->is_event ? record->type : record->value);
  write_field (out, record->is_event ? record->value : record->type);
  pd_output_char (out, '\n');
}

/* When a call that receives began is not told by messages: the logical receive is the
 * physical one. Tags below 0 are those of collective operations. */
static void
write_message (const Writer *self, PdOutput *out, const PdTimelineMessage *message)
{
  pd_output_char (out, '3');
  write_place (self, out, message->from, 0);
  write_field (out, pd_timeline_text_to_ns (message->sent));
  write_field (out, pd_timeline_text_to_ns (message->sent));
  write_place (self, out, message->to, 0);
  write_field (out, pd_timeline_text_to_ns (message->received));
  write_field (out, pd_timeline_text_to_ns (message->received));
  write_field (out, message->bytes);
  write_field (out, MAX (0, message->tag));
  pd_output_char (out, '\n');
}

static char *
date (void)
{
  const char *epoch = g_getenv ("SOURCE_DATE_EPOCH");
  gint64 seconds =
      epoch != NULL ? g_ascii_strtoll (epoch, NULL, 10) : g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (seconds);

  if (moment == NULL)
    return g_strdup ("01/01/1970 at 00:00");
  return g_date_time_format (moment, "%d/%m/%Y at %H:%M");
}

static void
write_header (const Writer *self, PdOutput *out)
{
  const PdTimeline *t = self->plan->timeline;
  g_autofree char *now = date ();

  pd_output_printf (out, "#Paraver (%s):%" G_GINT64_FORMAT "_ns:%u(", now, self->end,
                    self->plan->nodes->n);
  for (guint32 node = 0; node < self->plan->nodes->n; node++)
    pd_output_printf (out, "%s%" G_GUINT64_FORMAT, node > 0 ? "," : "", self->plan->n_cpus[node]);
  pd_output_printf (out, "):1:%u(", t->n_ranks);
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    pd_output_printf (out, "%s%u:%u", rank > 0 ? "," : "", t->n_cpus,
                      self->plan->nodes->of_rank[rank] + 1);
  pd_output_text (out, ")\n");
}

/* Messages come behind states and events of the same moment. */
static void
write_records (Writer *self, PdOutput *out)
{
  const PdTimeline *t = self->plan->timeline;
  const Record *record;
  gsize message = 0;
  guint64 thread = 0;

  write_header (self, out);
  while ((record = take_next (self, &thread)) != NULL)
    {
      for (; message < t->n_messages
             && pd_timeline_text_to_ns (t->messages[message].sent) < record->at;
           message++)
        write_message (self, out, &t->messages[message]);
      write_record (self, out, record, thread);
    }
  for (; message < t->n_messages; message++)
    write_message (self, out, &t->messages[message]);
}

/* ---- all three */

static void
write_trace (PdPrvPlan *plan, PdOutput *out)
{
  const PdTimeline *t = plan->timeline;
  gsize n_threads = (gsize) t->n_ranks * t->n_cpus;
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (Record));
  g_autofree gsize *first = g_new0 (gsize, n_threads + 1), *next = g_new0 (gsize, n_threads + 1);
  g_autofree Next *heap = g_new (Next, n_threads + 1);
  Writer self = { plan, pd_timeline_text_to_ns (t->window[1]), records, first, next, heap, 0 };

  add_records (&self);
  fill_heap (&self, n_threads);
  write_records (&self, out);
}

/* No older file is replaced where one of the new ones cannot be written. */
static gboolean
close_all (PdOutput *const *outs, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!pd_output_flush (outs[i]))
      return pd_output_close (outs[i], error);
  for (gsize i = 0; i < n; i++)
    if (!pd_output_close (outs[i], error))
      return FALSE;
  return TRUE;
}

gboolean
pd_paraver_write (const PdTimeline *timeline, const char *path, GError **error)
{
  if (!g_str_has_suffix (path, ".prv"))
    {
      g_set_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_FORMAT,
                   "%s: a Paraver trace is three files: expected a name that ends with .prv", path);
      return FALSE;
    }
  g_autofree char *base = g_strndup (path, strlen (path) - strlen (".prv"));
  g_autofree char *labels = g_strconcat (base, ".pcf", NULL);
  g_autofree char *names = g_strconcat (base, ".row", NULL);
  g_autoptr (PdOutput) prv = pd_output_new (path, error);
  g_autoptr (PdOutput) pcf = prv != NULL ? pd_output_new (labels, error) : NULL;
  g_autoptr (PdOutput) row = pcf != NULL ? pd_output_new (names, error) : NULL;
  if (row == NULL)
    return FALSE;
  g_autoptr (PdPrvPlan) plan = pd_prv_plan_new (timeline);
  write_trace (plan, prv);
  pd_prv_write_labels (plan, pcf);
  pd_prv_write_names (plan, row);
  PdOutput *const outs[] = { prv, pcf, row };
  return close_all (outs, G_N_ELEMENTS (outs), error);
}
