/* OTF2 archives of timelines: the order of what happens at one moment, and what cannot be
 * written.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "timeline/pd-timeline-otf2.h"
#include "traces/io/pd-trace-error.h"
#include "timeline/pd-timeline-feed.h"

#include <glib/gstdio.h>
#include <otf2/otf2.h>

typedef struct
{
  const PdTimeline *timeline;
  GString *text; /* what happens, "+" entering and "-" leaving */
} Notes;

/* A message that is sent when computation ends is sent by the call that begins then, and
 * one that arrives when a call ends has arrived in it. */
static OTF2_CallbackCode
note_enter (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp now G_GNUC_UNUSED,
            uint64_t at G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
            OTF2_RegionRef region)
{
  const Notes *notes = data;

  g_string_append_printf (notes->text, "+%s", notes->timeline->regions[region]);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
note_leave (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp now G_GNUC_UNUSED,
            uint64_t at G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
            OTF2_RegionRef region)
{
  const Notes *notes = data;

  g_string_append_printf (notes->text, "-%s", notes->timeline->regions[region]);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
note_send (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp now G_GNUC_UNUSED,
           uint64_t at G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
           uint32_t receiver G_GNUC_UNUSED, OTF2_CommRef comm G_GNUC_UNUSED,
           uint32_t tag G_GNUC_UNUSED, uint64_t bytes G_GNUC_UNUSED)
{
  g_string_append (((const Notes *) data)->text, "(s)");
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
note_receive (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp now G_GNUC_UNUSED,
              uint64_t at G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
              uint32_t sender G_GNUC_UNUSED, OTF2_CommRef comm G_GNUC_UNUSED,
              uint32_t tag G_GNUC_UNUSED, uint64_t bytes G_GNUC_UNUSED)
{
  g_string_append (((const Notes *) data)->text, "(r)");
  return OTF2_CALLBACK_SUCCESS;
}

static PdTimeline *
hand_made (void)
{
  const PdTimelineHead head = { 1, 1, NULL, "hand", NULL };
  const PdTimelineMessage messages[] = { { PD_TIME (10), PD_TIME (30), 8, 0, 0, 3, 0 },
                                         { PD_TIME (20), PD_TIME (20), 8, 0, 0, 3, 0 } };
  g_autoptr (PdTimelineFeed) feed = pd_timeline_feed_new ();
  PdTimeline *timeline = pd_timeline_new (NULL, NULL);

  pd_timeline_feed_add (feed, &pd_timeline_class, timeline);
  pd_timeline_feed_begin (feed, &head);
  const PdTimelineSlice slices[] = {
    { PD_TIME (0), PD_TIME (10), 0, pd_timeline_feed_region (feed, "one"), 0, 0, 0, { 0 } },
    { PD_TIME (10), PD_TIME (20), 0, pd_timeline_feed_region (feed, "two"), 0, 2, 0, { 0 } },
    { PD_TIME (20), PD_TIME (30), 0, pd_timeline_feed_region (feed, "three"), 0, 3, 0, { 0 } },
  };
  guint32 within = pd_timeline_feed_region (feed, "within");
  const PdTimelineMark marks[] = { { PD_TIME (0), 0, 0, TRUE },
                                   { PD_TIME (5), 0, within, TRUE },
                                   { PD_TIME (20), 0, within, FALSE },
                                   { PD_TIME (30), 0, 0, FALSE } };
  for (gsize i = 0; i < G_N_ELEMENTS (slices); i++)
    pd_timeline_feed_slice (feed, &slices[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    pd_timeline_feed_mark (feed, &marks[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (messages); i++)
    pd_timeline_feed_message (feed, &messages[i]);
  pd_timeline_feed_end (feed, NULL);
  return timeline;
}

static void
test_order (void)
{
  g_autofree char *folder = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.otf2", NULL);
  g_autoptr (PdTimeline) timeline = hand_made ();
  g_autoptr (GString) seen = g_string_new (NULL);
  Notes notes = { timeline, seen };
  uint64_t n = 0;

  g_assert_true (pd_timeline_otf2_write (timeline, path, NULL));
  OTF2_Reader *reader = OTF2_Reader_Open (path);
  OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New ();
  OTF2_EvtReaderCallbacks_SetEnterCallback (callbacks, note_enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback (callbacks, note_leave);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback (callbacks, note_send);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback (callbacks, note_receive);
  OTF2_Reader_SetSerialCollectiveCallbacks (reader);
  OTF2_Reader_SelectLocation (reader, 0);
  OTF2_Reader_OpenEvtFiles (reader);
  OTF2_EvtReader *events = OTF2_Reader_GetEvtReader (reader, 0);
  OTF2_Reader_RegisterEvtCallbacks (reader, events, callbacks, &notes);
  OTF2_EvtReaderCallbacks_Delete (callbacks);
  OTF2_Reader_ReadAllLocalEvents (reader, events, &n);
  OTF2_Reader_CloseEvtReader (reader, events);
  OTF2_Reader_Close (reader);
  g_assert_cmpstr (
      seen->str, ==,
      "+program+one-one+within+one-one+two(s)(r)-two-within+three(s)(r)-three-program");
  test_remove_all (folder);
}

static const struct
{
  const char *name;
  const char *file;
  const char *block; /* (nullable): a folder that is there */
  int code;
} refused[] = {
  { "suffix", "t.otf", NULL, PD_TRACE_ERROR_FORMAT },
  { "nothing-before", ".otf2", NULL, PD_TRACE_ERROR_FORMAT },
  { "events-exist", "t.otf2", "t", PD_TRACE_ERROR_OPEN },
  { "folder-absent", "nowhere/t.otf2", NULL, PD_TRACE_ERROR_OPEN },
};

static void
test_refused (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, refused[i].file, NULL);
  g_autoptr (PdTimeline) timeline = hand_made ();
  g_autoptr (GError) error = NULL;
  guint n = 0;

  if (refused[i].block != NULL)
    {
      g_autofree char *block = g_build_filename (folder, refused[i].block, NULL);
      g_assert_cmpint (g_mkdir (block, 0755), ==, 0);
    }
  g_assert_false (pd_timeline_otf2_write (timeline, path, &error));
  g_assert_error (error, PD_TRACE_ERROR, refused[i].code);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_assert_cmpuint (n, ==, refused[i].block != NULL);
  test_remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/otf2/order", test_order);
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline/otf2/refused/", refused[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_refused);
    }
  return g_test_run ();
}
