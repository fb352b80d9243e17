/* SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline.h"
#include "timeline/pd-timeline-feed.h"

G_DEFINE_QUARK (pd_timeline_error_quark, pd_timeline_error)

typedef struct
{
  const PdTimelineClass *klass;
  gpointer consumer;
} Listener;

struct _PdTimelineFeed
{
  GArray *listeners;
  GPtrArray *names;    /* by number */
  GHashTable *numbers; /* by name: number + 1 */
};

PdTimelineFeed *
pd_timeline_feed_new (void)
{
  PdTimelineFeed *self = g_new0 (PdTimelineFeed, 1);

  self->listeners = g_array_new (FALSE, FALSE, sizeof (Listener));
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  pd_timeline_feed_region (self, "program");
  return self;
}

void
pd_timeline_feed_free (PdTimelineFeed *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->listeners);
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->names);
  g_free (self);
}

void
pd_timeline_feed_add (PdTimelineFeed *self, const PdTimelineClass *klass, gpointer consumer)
{
  const Listener listener = { klass, consumer };

  g_array_append_val (self->listeners, listener);
}

guint32
pd_timeline_feed_region (PdTimelineFeed *self, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, name));

  if (number > 0)
    return number - 1;
  char *own = g_strdup (name);
  g_ptr_array_add (self->names, own);
  g_hash_table_insert (self->numbers, own, GUINT_TO_POINTER (self->names->len));
  return self->names->len - 1;
}

const char *
pd_timeline_feed_get_region (const PdTimelineFeed *self, guint32 region)
{
  g_return_val_if_fail (region < self->names->len, NULL);
  return g_ptr_array_index (self->names, region);
}

guint32
pd_timeline_feed_get_n_regions (const PdTimelineFeed *self)
{
  return self->names->len;
}

/* ---- telling */

void
pd_timeline_feed_begin (PdTimelineFeed *self, const PdTimelineHead *head)
{
  for (guint i = 0; i < self->listeners->len; i++)
    {
      const Listener *l = &g_array_index (self->listeners, Listener, i);
      if (l->klass->begin != NULL)
        l->klass->begin (l->consumer, self, head);
    }
}

void
pd_timeline_feed_slice (PdTimelineFeed *self, const PdTimelineSlice *slice)
{
  if (pd_timeline_is_computation ((PdTimelineState) slice->state)
      && slice->begin.ps == slice->end.ps)
    return;
  for (guint i = 0; i < self->listeners->len; i++)
    {
      const Listener *l = &g_array_index (self->listeners, Listener, i);
      if (l->klass->slice != NULL)
        l->klass->slice (l->consumer, slice);
    }
}

void
pd_timeline_feed_message (PdTimelineFeed *self, const PdTimelineMessage *message)
{
  for (guint i = 0; i < self->listeners->len; i++)
    {
      const Listener *l = &g_array_index (self->listeners, Listener, i);
      if (l->klass->message != NULL)
        l->klass->message (l->consumer, message);
    }
}

void
pd_timeline_feed_mark (PdTimelineFeed *self, const PdTimelineMark *mark)
{
  for (guint i = 0; i < self->listeners->len; i++)
    {
      const Listener *l = &g_array_index (self->listeners, Listener, i);
      if (l->klass->mark != NULL)
        l->klass->mark (l->consumer, mark);
    }
}

gboolean
pd_timeline_feed_end (PdTimelineFeed *self, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < self->listeners->len; i++)
    {
      const Listener *l = &g_array_index (self->listeners, Listener, i);
      if (l->klass->end != NULL && !l->klass->end (l->consumer, ok ? error : NULL))
        ok = FALSE;
    }
  return ok;
}
