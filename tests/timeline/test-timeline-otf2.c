/* OTF2 archives of timelines, read back with the library: events in order, regions that
 * nest, and what the timeline says of regions and messages.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "tests/support/random-timelines.h"
#include "timeline/pd-timeline-otf2.h"
#include "traces/otf2/pd-otf2-archive.h"

#include <otf2/otf2.h>

/* What was read. */
typedef struct
{
  const PdTimeline *timeline;
  guint64 resolution;
  guint64 length;
  guint32 n_locations;
  guint32 n_nodes;
  GArray *group_nodes; /* guint32: parents of the processes */
  gint64 *own;         /* (array): ps in each region, innermost */
  gint64 *all;         /* (array): ps between entering and leaving each region */
  guint64 *n_enters;   /* (array): by region */
  GArray *open;        /* guint32 and times, of the location */
  GArray *entered;     /* gint64 */
  gint64 last;
  GArray *points; /* Point */
} Archive;

typedef struct
{
  gint64 at, bytes;
  guint64 location;
  guint32 partner, tag;
  gboolean is_receive;
} Point;

/* ---- definitions */

static OTF2_CallbackCode
on_clock (void *data, uint64_t resolution, uint64_t offset, uint64_t length,
          uint64_t realtime G_GNUC_UNUSED)
{
  Archive *self = data;

  self->resolution = resolution;
  self->length = length;
  g_assert_cmpuint (offset, ==, PD_OTF2_ORIGIN);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_node (void *data, OTF2_SystemTreeNodeRef self_ref, OTF2_StringRef name G_GNUC_UNUSED,
         OTF2_StringRef kind G_GNUC_UNUSED, OTF2_SystemTreeNodeRef parent)
{
  Archive *self = data;

  g_assert_true ((self_ref == 0) == (parent == OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  self->n_nodes += self_ref > 0;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_process (void *data, OTF2_LocationGroupRef ref, OTF2_StringRef name G_GNUC_UNUSED,
            OTF2_LocationGroupType type G_GNUC_UNUSED, OTF2_SystemTreeNodeRef parent,
            OTF2_LocationGroupRef creator G_GNUC_UNUSED)
{
  Archive *self = data;

  g_assert_cmpuint (ref, ==, self->group_nodes->len);
  g_array_append_val (self->group_nodes, parent);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_location (void *data, OTF2_LocationRef ref, OTF2_StringRef name G_GNUC_UNUSED,
             OTF2_LocationType type G_GNUC_UNUSED, uint64_t n G_GNUC_UNUSED,
             OTF2_LocationGroupRef group)
{
  Archive *self = data;

  g_assert_cmpuint (ref, ==, self->n_locations++);
  g_assert_cmpuint (group, ==, ref / self->timeline->n_cpus);
  return OTF2_CALLBACK_SUCCESS;
}

/* ---- events */

/* ps since the beginning */
static gint64
since_begin (OTF2_TimeStamp time)
{
  g_assert_cmpuint (time, >=, PD_OTF2_ORIGIN);
  return (gint64) (time - PD_OTF2_ORIGIN);
}

static void
pass_time (Archive *self, gint64 now)
{
  g_assert_cmpint (now, >=, self->last);
  if (self->open->len > 0)
    self->own[g_array_index (self->open, guint32, self->open->len - 1)] += now - self->last;
  self->last = now;
}

static OTF2_CallbackCode
on_enter (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp now, uint64_t at G_GNUC_UNUSED,
          void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_RegionRef region)
{
  Archive *self = data;

  g_assert_cmpuint (region, <, self->timeline->n_regions);
  pass_time (self, since_begin (now));
  g_array_append_val (self->open, region);
  g_array_append_val (self->entered, self->last);
  self->n_enters[region]++;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_leave (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp now, uint64_t at G_GNUC_UNUSED,
          void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_RegionRef region)
{
  Archive *self = data;
  guint n = self->open->len;

  pass_time (self, since_begin (now));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (g_array_index (self->open, guint32, n - 1), ==, region);
  self->all[region] += self->last - g_array_index (self->entered, gint64, n - 1);
  g_array_set_size (self->open, n - 1);
  g_array_set_size (self->entered, n - 1);
  return OTF2_CALLBACK_SUCCESS;
}

static void
add_point (Archive *self, Point point)
{
  pass_time (self, point.at);
  g_array_append_val (self->points, point);
}

static OTF2_CallbackCode
on_send (OTF2_LocationRef location, OTF2_TimeStamp now, uint64_t at G_GNUC_UNUSED, void *data,
         OTF2_AttributeList *attributes G_GNUC_UNUSED, uint32_t receiver, OTF2_CommRef comm,
         uint32_t tag, uint64_t bytes)
{
  g_assert_cmpuint (comm, ==, 0);
  add_point (data, (Point){ since_begin (now), (gint64) bytes, location, receiver, tag, FALSE });
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_receive (OTF2_LocationRef location, OTF2_TimeStamp now, uint64_t at G_GNUC_UNUSED, void *data,
            OTF2_AttributeList *attributes G_GNUC_UNUSED, uint32_t sender, OTF2_CommRef comm,
            uint32_t tag, uint64_t bytes)
{
  g_assert_cmpuint (comm, ==, 0);
  add_point (data, (Point){ since_begin (now), (gint64) bytes, location, sender, tag, TRUE });
  return OTF2_CALLBACK_SUCCESS;
}

/* ---- reading */

static void
read_definitions (Archive *self, OTF2_Reader *reader)
{
  OTF2_GlobalDefReader *defs = OTF2_Reader_GetGlobalDefReader (reader);
  OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New ();
  uint64_t n = 0;

  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback (callbacks, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback (callbacks, on_node);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback (callbacks, on_process);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback (callbacks, on_location);
  OTF2_Reader_RegisterGlobalDefCallbacks (reader, defs, callbacks, self);
  OTF2_GlobalDefReaderCallbacks_Delete (callbacks);
  g_assert_cmpint (OTF2_Reader_ReadAllGlobalDefinitions (reader, defs, &n), ==, OTF2_SUCCESS);
  OTF2_Reader_CloseGlobalDefReader (reader, defs);
}

static void
read_events (Archive *self, OTF2_Reader *reader)
{
  OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New ();

  OTF2_EvtReaderCallbacks_SetEnterCallback (callbacks, on_enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback (callbacks, on_leave);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback (callbacks, on_send);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback (callbacks, on_receive);
  for (guint32 i = 0; i < self->n_locations; i++)
    OTF2_Reader_SelectLocation (reader, i);
  g_assert_cmpint (OTF2_Reader_OpenEvtFiles (reader), ==, OTF2_SUCCESS);
  for (guint32 i = 0; i < self->n_locations; i++)
    {
      OTF2_EvtReader *events = OTF2_Reader_GetEvtReader (reader, i);
      uint64_t n = 0;
      g_assert_nonnull (events);
      self->last = 0;
      OTF2_Reader_RegisterEvtCallbacks (reader, events, callbacks, self);
      g_assert_cmpint (OTF2_Reader_ReadAllLocalEvents (reader, events, &n), ==, OTF2_SUCCESS);
      OTF2_Reader_CloseEvtReader (reader, events);
      g_assert_cmpuint (self->open->len, ==, 0);
      g_assert_cmpint (self->last, <=, self->timeline->window[1].ps);
    }
  OTF2_EvtReaderCallbacks_Delete (callbacks);
  OTF2_Reader_CloseEvtFiles (reader);
}

static Archive *
read_archive (const PdTimeline *timeline, const char *path)
{
  Archive *self = g_new0 (Archive, 1);
  OTF2_Reader *reader = OTF2_Reader_Open (path);

  g_assert_nonnull (reader);
  self->timeline = timeline;
  self->group_nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->own = g_new0 (gint64, timeline->n_regions);
  self->all = g_new0 (gint64, timeline->n_regions);
  self->n_enters = g_new0 (guint64, timeline->n_regions);
  self->open = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->entered = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  OTF2_Reader_SetSerialCollectiveCallbacks (reader);
  read_definitions (self, reader);
  read_events (self, reader);
  OTF2_Reader_Close (reader);
  return self;
}

static void
archive_free (Archive *self)
{
  g_array_unref (self->group_nodes);
  g_array_unref (self->open);
  g_array_unref (self->entered);
  g_array_unref (self->points);
  g_free (self->own);
  g_free (self->all);
  g_free (self->n_enters);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Archive, archive_free)

/* ---- what the timeline says */

static void
check_definitions (const Archive *self)
{
  const PdTimeline *t = self->timeline;

  g_assert_cmpuint (self->resolution, ==, G_GUINT64_CONSTANT (1000000000000));
  g_assert_cmpuint (self->length, ==, (guint64) t->window[1].ps);
  g_assert_cmpuint (self->n_locations, ==, t->n_ranks * t->n_cpus);
  g_assert_cmpuint (self->group_nodes->len, ==, t->n_ranks);
  for (guint32 rank = 1; rank < t->n_ranks; rank++)
    for (guint32 other = 0; other < rank; other++)
      g_assert_true ((t->node_of[rank] == t->node_of[other])
                     == (g_array_index (self->group_nodes, guint32, rank)
                         == g_array_index (self->group_nodes, guint32, other)));
}

/* Functions take as long as their slices, however they are divided; intervals, as long as
 * between their marks. */
static void
check_regions (const Archive *self)
{
  const PdTimeline *t = self->timeline;
  g_autofree gint64 *own = g_new0 (gint64, t->n_regions), *all = g_new0 (gint64, t->n_regions);
  g_autofree guint64 *n_slices = g_new0 (guint64, t->n_regions);
  g_autofree guint64 *n_marks = g_new0 (guint64, t->n_regions);

  for (gsize i = 0; i < t->n_slices; i++)
    if (t->slices[i].region != PD_TL_NONE)
      {
        own[t->slices[i].region] += t->slices[i].end.ps - t->slices[i].begin.ps;
        n_slices[t->slices[i].region]++;
      }
  for (gsize i = 0; i < t->n_marks; i++)
    {
      all[t->marks[i].region] += t->marks[i].at.ps * (t->marks[i].enters ? -1 : 1);
      n_marks[t->marks[i].region] += t->marks[i].enters ? 1 : 0;
    }
  for (guint32 region = 0; region < t->n_regions; region++)
    if (n_slices[region] > 0)
      {
        g_assert_cmpint (self->own[region], ==, own[region]);
        g_assert_cmpuint (self->n_enters[region], >=, n_slices[region]);
      }
    else
      {
        g_assert_cmpint (self->all[region], ==, all[region]);
        g_assert_cmpuint (self->n_enters[region], ==, n_marks[region]);
      }
}

static gint
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *x = a, *y = b;
  const gint64 keys[][2] = { { (gint64) x->location, (gint64) y->location },
                             { x->at, y->at },
                             { x->is_receive, y->is_receive },
                             { x->partner, y->partner },
                             { x->tag, y->tag },
                             { x->bytes, y->bytes } };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i][0] != keys[i][1])
      return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

static void
check_messages (const Archive *self)
{
  const PdTimeline *t = self->timeline;
  g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (Point));

  for (gsize i = 0; i < t->n_messages; i++)
    {
      const PdTimelineMessage *m = &t->messages[i];
      guint32 tag = (guint32) MAX (0, m->tag);
      const Point ends[] = {
        { m->sent.ps, m->bytes, (guint64) m->from * t->n_cpus, m->to, tag, FALSE },
        { m->received.ps, m->bytes, (guint64) m->to * t->n_cpus, m->from, tag, TRUE }
      };
      g_array_append_vals (expected, ends, 2);
    }
  g_array_sort (expected, compare_points);
  g_array_sort (self->points, compare_points);
  g_assert_cmpuint (self->points->len, ==, expected->len);
  for (guint i = 0; i < expected->len; i++)
    g_assert_cmpint (compare_points (&g_array_index (expected, Point, i),
                                     &g_array_index (self->points, Point, i)),
                     ==, 0);
}

/* ---- cases */

static const struct
{
  const char *name;
  TestRandomTimeline what;
} archives[] = {
  { "small", { 3, 1, 0, 20, 5000, 10, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
  { "nodes", { 12, 1, 4, 100, 100000, 300, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
  { "short-slices", { 4, 1, 2, 300, 5, 100, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
  { "cpus", { 5, 3, 2, 80, 20000, 20, { .end = { G_MAXINT64 }, .limit = G_MAXINT } } },
  { "window",
    { 6, 1, 2, 100, 20000, 200, { .begin = { 150700 }, .end = { 400499 }, .limit = G_MAXINT } } },
  { "ranks",
    { 9, 1, 3, 50, 20000, 200, { .end = { G_MAXINT64 }, .ranks = "1,4-6", .limit = G_MAXINT } } },
};

/* The tool that comes with the library reads it, too. */
static void
print_archive (const char *path)
{
  g_autofree char *tool = g_find_program_in_path ("otf2-print");
  g_autofree char *out = NULL, *complaints = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (tool == NULL)
    {
      g_test_message ("otf2-print is absent");
      return;
    }
  char *argv[] = { tool, (char *) "-A", (char *) path, NULL };
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &complaints, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (complaints, ==, "");
}

static void
test_archive (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  for (guint32 seed = 1; seed <= 3; seed++)
    {
      g_autofree char *folder = g_dir_make_tmp ("otf2-XXXXXX", NULL);
      g_autofree char *path = g_build_filename (folder, "t.otf2", NULL);
      g_autoptr (PdTimeline) timeline = test_random_timeline_new (&archives[i].what, seed);
      g_autoptr (GError) error = NULL;
      g_assert_true (pd_timeline_otf2_write (timeline, path, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (timeline->n_messages, >, 0);
      g_autoptr (Archive) archive = read_archive (timeline, path);
      check_definitions (archive);
      check_regions (archive);
      check_messages (archive);
      if (seed == 1)
        print_archive (path);
      test_remove_all (folder);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (archives); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline/otf2/random/", archives[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_archive);
    }
  return g_test_run ();
}
