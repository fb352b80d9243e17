/* Raw streams of the recorder that are cut off, damaged, or made up.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/life/pd-rec-finish.h"
#include "record/life/pd-rec-folder.h"
#include "tests/support/record.h"
#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-extract.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEAD PD_REC_HEAD_BYTES

/* The streams of two ranks that died. */
typedef struct
{
  char *bytes[2];
  gsize n[2];    /* of the file */
  gsize used[2]; /* up to the last record */
} Streams;

static gsize
used_of (const char *bytes, gsize n)
{
  g_autofree PdRecReader *reader = g_new0 (PdRecReader, 1);
  PdRecError error = { "" };
  PdRecRecord record;

  g_assert_cmpint (pd_rec_reader_init (reader, "test", bytes, n, &error), ==, 0);
  while (pd_rec_reader_next (reader, &record, &error) > 0)
    continue;
  g_assert_cmpstr (error.text, ==, "");
  pd_rec_reader_clear (reader);
  return reader->next * 8;
}

static void
make_streams (TestRecord *fixture, Streams *streams)
{
  test_record_set_clock (fixture, TEST_CLOCK_OF_TWO);
  test_record_run (2, test_record_two, fixture);
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("rank-%d.raw", i);
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
      g_assert_true (g_file_get_contents (path, &streams->bytes[i], &streams->n[i], NULL));
      streams->used[i] = used_of (streams->bytes[i], streams->n[i]);
    }
}

static void
streams_clear (Streams *streams)
{
  g_free (streams->bytes[0]);
  g_free (streams->bytes[1]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Streams, streams_clear)

static char *
copy_of (const char *bytes, gsize n)
{
  char *copy = g_malloc (MAX (n, 1));

  memcpy (copy, bytes, n);
  return copy;
}

/* What all readers of streams do but write: in memory of just that size, so that
 * tools see who reads beyond. Whether the head was fine; (out) @n_calls. */
static gboolean
read_stream (const char *bytes, gsize n, guint *n_calls)
{
  g_autofree char *copy = copy_of (bytes, n);
  g_autofree PdRecReader *reader = g_new0 (PdRecReader, 1);
  PdRecError error = { "" };
  PdRecRecord record;
  int found;

  *n_calls = 0;
  if (pd_rec_reader_init (reader, "test", copy, n, &error) != 0)
    {
      g_assert_cmpstr (error.text, !=, "");
      return FALSE;
    }
  while ((found = pd_rec_reader_next (reader, &record, &error)) > 0)
    *n_calls += record.kind == PD_REC_CALL;
  g_assert_true ((found < 0) == (error.text[0] != '\0'));
  pd_rec_reader_clear (reader);
  return TRUE;
}

static void
merge_stream (const char *bytes, gsize n)
{
  g_autofree char *copy = copy_of (bytes, n);
  g_autofree PdRecReader *reader = g_new0 (PdRecReader, 1);
  PdRecError error = { "" };
  PdRecMerged merged;
  PdRecExtract extract;
  PdRecMap map;
  int is_damaged;

  if (pd_rec_reader_init (reader, "test", copy, n, &error) != 0)
    return;
  g_assert_cmpint (pd_rec_extract (reader, &extract, &is_damaged, &error), ==, 0);
  error.text[0] = '\0';
  g_assert_cmpint (pd_rec_merged_init (&merged, (guint32) reader->head->size, &error), ==, 0);
  pd_rec_merged_add (&merged, "test", &extract, &map, &error);
  g_assert_cmpstr (error.text, ==, "");
  pd_rec_settle (&merged, &map);
  pd_rec_map_clear (&map);
  pd_rec_merged_clear (&merged);
  g_free (extract.words);
  pd_rec_reader_clear (reader);
}

/* ---- cut off anywhere */

static void
test_cut (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (Streams) streams = { 0 };
  guint before = 0, n_calls;

  make_streams (fixture, &streams);
  for (gsize n = 0; n <= streams.used[0]; n++)
    {
      gboolean is_head = read_stream (streams.bytes[0], n, &n_calls);
      g_assert_true (is_head == (n >= HEAD));
      g_assert_cmpuint (n_calls, >=, before);
      g_assert_cmpuint (n_calls, <=, before + 1);
      before = n_calls;
      merge_stream (streams.bytes[0], n);
    }
  g_assert_cmpuint (before, ==, 13);
}

static void
put_streams (TestRecord *fixture, const Streams *streams, gsize n)
{
  g_autofree char *zero = g_build_filename (fixture->folder, "rank-0.raw", NULL);
  g_autofree char *one = g_build_filename (fixture->folder, "rank-1.raw", NULL);

  g_assert_true (g_file_set_contents (zero, streams->bytes[0], (gssize) n, NULL));
  g_assert_true (g_file_set_contents (one, streams->bytes[1], (gssize) streams->used[1], NULL));
}

static void
ignore_rank (void *data G_GNUC_UNUSED, int64_t rank G_GNUC_UNUSED, const char *text G_GNUC_UNUSED)
{
}

/* The archive that is made of the rest is one. */
static void
test_cut_archive (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (Streams) streams = { 0 };
  guint n_made = 0;

  make_streams (fixture, &streams);
  for (gsize n = HEAD - 100; n <= streams.used[0]; n += 13)
    {
      PdRecError error = { "" };
      put_streams (fixture, &streams, n);
      if (pd_rec_finish (fixture->folder, NULL, ignore_rank, NULL, &error) == 0)
        {
          g_autoptr (PdProgram) program = test_record_read (fixture);
          g_assert_cmpuint (pd_program_get_n_ranks (program), ==, 2);
          n_made++;
        }
      else
        g_assert_cmpuint (n, <, HEAD);
      pd_rec_remove (fixture->folder);
    }
  g_assert_cmpuint (n_made, >, 50);
}

/* ---- damaged anywhere */

static void
test_flipped (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char masks[] = { 1, 2, 127, -128, -1 };
  g_auto (Streams) streams = { 0 };
  guint n_calls;

  make_streams (fixture, &streams);
  for (gsize i = 0; i < streams.used[0]; i++)
    for (gsize j = 0; j < G_N_ELEMENTS (masks); j++)
      {
        /* the rest of the head is its padding */
        if (i >= sizeof (PdRecHead) && i < HEAD)
          continue;
        streams.bytes[0][i] ^= masks[j];
        if (read_stream (streams.bytes[0], streams.used[0], &n_calls)
            && ((const PdRecHead *) (const void *) streams.bytes[0])->size < 1000)
          merge_stream (streams.bytes[0], streams.used[0]);
        streams.bytes[0][i] ^= masks[j];
      }
}

static void
test_flipped_archive (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (Streams) streams = { 0 };

  make_streams (fixture, &streams);
  for (gsize i = HEAD; i < streams.used[0]; i += 11)
    {
      PdRecError error = { "" };
      streams.bytes[0][i] ^= 21;
      put_streams (fixture, &streams, streams.used[0]);
      pd_rec_finish (fixture->folder, NULL, ignore_rank, NULL, &error);
      g_assert_cmpstr (error.text, ==, "");
      streams.bytes[0][i] ^= 21;
      pd_rec_remove (fixture->folder);
    }
}

/* ---- made up: an error, whose memory is not what they claim */

static const struct
{
  const char *name;
  gsize at;
  guint n; /* bytes of @value */
  guint64 value;
} heads[] = {
  { "magic", 0, 1, 'X' },
  { "other version", 5, 1, '0' },
  { "byte order", offsetof (PdRecHead, byte_order), 4, 0x04030201 },
  { "no ranks", offsetof (PdRecHead, size), 4, 0 },
  { "negative ranks", offsetof (PdRecHead, size), 4, 0x80000000 },
  { "2^31 ranks", offsetof (PdRecHead, size), 4, 0x7fffffff },
  { "2^24 ranks", offsetof (PdRecHead, size), 4, 1 << 24 },
  { "more ranks than streams", offsetof (PdRecHead, size), 4, 1000000 },
  { "another rank's", offsetof (PdRecHead, rank), 4, 1 },
  { "rank beyond", offsetof (PdRecHead, rank), 4, 2 },
  { "negative rank", offsetof (PdRecHead, rank), 4, 0xffffffff },
  { "another thread's", offsetof (PdRecHead, thread), 4, 1 },
  { "2^32 threads", offsetof (PdRecHead, thread), 4, 0xffffffff },
  { "2^32 functions", offsetof (PdRecHead, n_functions), 4, 0xffffffff },
  { "3 offsets", offsetof (PdRecHead, n_offsets), 4, 3 },
  { "no such reason", offsetof (PdRecHead, reason), 4, 77 },
  { "in no function", offsetof (PdRecHead, entered), 4, 1000 },
};

static void
test_heads (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (Streams) streams = { 0 };

  make_streams (fixture, &streams);
  for (gsize i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      PdRecError error = { "" };
      char before[8];
      memcpy (before, streams.bytes[0] + heads[i].at, heads[i].n);
      memcpy (streams.bytes[0] + heads[i].at, &heads[i].value, heads[i].n);
      put_streams (fixture, &streams, streams.used[0]);
      g_test_message ("%s", heads[i].name);
      g_assert_cmpint (pd_rec_finish (fixture->folder, NULL, ignore_rank, NULL, &error), ==, -1);
      g_test_message ("%s", error.text);
      g_assert_cmpstr (error.text, !=, "");
      g_assert_true (test_record_has (fixture, "rank-0.raw"));
      g_assert_false (test_record_has (fixture, "traces.otf2"));
      memcpy (streams.bytes[0] + heads[i].at, before, heads[i].n);
    }
}

/* Records that say too much. */
static const struct
{
  const char *name;
  guint64 words[4];
} records[] = {
  { "a kind beyond", { PD_REC_FIRST (PD_REC_N_KINDS, 1, 0, 0) } },
  { "no words", { PD_REC_FIRST (PD_REC_CALL, 0, 0, 0) } },
  { "an empty pad", { PD_REC_FIRST (PD_REC_PAD, 0, 0, 0) } },
  { "2^32 bytes of data", { PD_REC_FIRST (PD_REC_DATA, 2, 0, 0xffffffff) } },
  { "no data", { PD_REC_FIRST (PD_REC_DATA, 2, 0, 0) } },
  { "data, then a call", { PD_REC_FIRST (PD_REC_DATA, 2, 0, 8), 1, 0x0309, 0 } },
  { "a call of no function", { PD_REC_FIRST (PD_REC_CALL, 3, 999, 0), 1, 2 } },
  { "a call from nowhere", { PD_REC_FIRST (PD_REC_CALL, 3, 0, 999), 1, 2 } },
  { "a call that ends early", { PD_REC_FIRST (PD_REC_CALL, 3, 0, 0), UINT64_MAX, 2 } },
  { "a call in the past", { PD_REC_FIRST (PD_REC_CALL, 3, 0, 0), 1, 2 } },
  { "a stack of no module", { PD_REC_FIRST (PD_REC_DEF_STACK, 3, 0, 1), 0, 2 } },
  { "a stack without its caller", { PD_REC_FIRST (PD_REC_DEF_STACK, 3, 0, 1), 7, 2 } },
  { "a module without a name", { PD_REC_FIRST (PD_REC_DEF_MODULE, 1, 0, 1) } },
  { "2^32 members", { PD_REC_FIRST (PD_REC_DEF_COMM, 3, 0, 3), 5, 0xffffffffffffffff } },
  { "no identity", { PD_REC_FIRST (PD_REC_DEF_COMM, 3, 0, 3), 0, 0x2ffffffff } },
  { "a parent to come", { PD_REC_FIRST (PD_REC_DEF_COMM, 3, 0, 3), 5, 0x200000009 } },
  { "groups of 2^33", { PD_REC_FIRST (PD_REC_DEF_INTER, 3, 0, 3), 5, 0xffffffffffffffff } },
  { "a file of nobody", { PD_REC_FIRST (PD_REC_DEF_FILE, 3, 0, 0), 5, 77 } },
  { "work on no file", { PD_REC_FIRST (PD_REC_FILE_WORK, 4, PD_REC_FILE_READ, 0), 0, 8, 8 } },
  { "a window over nothing", { PD_REC_FIRST (PD_REC_DEF_WINDOW, 3, 0, 1), 5, 77 } },
  { "a group of another number", { PD_REC_FIRST (PD_REC_DEF_GROUP, 1, 0, 7) } },
  { "a post to no group", { PD_REC_FIRST (PD_REC_ONE_SIDED, 4, PD_REC_POST, 0), 7, 0, 0 } },
  { "neighbours of no group", { PD_REC_FIRST (PD_REC_NEIGHBOURS, 2, 0, 0), 0 } },
  { "a name of nothing", { PD_REC_FIRST (PD_REC_DEF_COMM_NAME, 1, 0, 77) } },
  { "a send to nobody", { PD_REC_FIRST (PD_REC_SENT, 3, 0, 0), 2, 8 } },
  { "a send of no mode", { PD_REC_FIRST (PD_REC_SENT, 3, 9, 0), 1, 8 } },
  { "a send over nothing", { PD_REC_FIRST (PD_REC_SENT, 3, 0, 77), 1, 8 } },
  { "a receive from anybody", { PD_REC_FIRST (PD_REC_RECEIVED, 3, 0, 0), 0xffffffff, 8 } },
  { "request 0", { PD_REC_FIRST (PD_REC_ISENT, 4, 0, 0), 1, 8, 0 } },
  { "request 2^32", { PD_REC_FIRST (PD_REC_ISENT, 4, 0, 0), 1, 8, 1ull << 32 } },
  { "the end of request 0", { PD_REC_FIRST (PD_REC_SEND_ENDED, 1, 0, 0) } },
  { "no such operation", { PD_REC_FIRST (PD_REC_COLLECTIVE, 4, 99, 0), 0, 8, 8 } },
  { "a root beyond", { PD_REC_FIRST (PD_REC_COLLECTIVE, 4, 0, 0), 2, 8, 8 } },
  { "no such access", { PD_REC_FIRST (PD_REC_ONE_SIDED, 4, 99, 0), 0, 8, 8 } },
  { "an access to nothing", { PD_REC_FIRST (PD_REC_ONE_SIDED, 4, 0, 77), 0, 8, 8 } },
  { "switched on twice", { PD_REC_FIRST (PD_REC_SWITCH, 2, 1, 0), UINT64_MAX } },
};

static void
test_records (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (Streams) streams = { 0 };
  guint n_expected, n_calls;

  make_streams (fixture, &streams);
  read_stream (streams.bytes[0], streams.used[0], &n_expected);
  for (gsize i = 0; i < G_N_ELEMENTS (records); i++)
    {
      g_autofree PdRecReader *reader = g_new0 (PdRecReader, 1);
      PdRecError error = { "" };
      PdRecRecord record;
      memcpy (streams.bytes[0] + streams.used[0], records[i].words, sizeof records[i].words);
      g_test_message ("%s", records[i].name);
      read_stream (streams.bytes[0], streams.used[0] + 256, &n_calls);
      g_assert_cmpuint (n_calls, ==, n_expected);
      pd_rec_reader_init (reader, "test", streams.bytes[0], streams.used[0] + 256, &error);
      while (pd_rec_reader_next (reader, &record, &error) > 0)
        continue;
      g_test_message ("%s", error.text);
      g_assert_cmpstr (error.text, !=, "");
      pd_rec_reader_clear (reader);
    }
}

/* A rank without a stream has no events. */
static void
test_missing (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (Streams) streams = { 0 };

  make_streams (fixture, &streams);
  g_autofree char *path = g_build_filename (fixture->folder, "rank-0.raw", NULL);
  g_remove (path);
  g_assert_cmpuint (test_record_finish (fixture), ==, 2);
  g_autoptr (PdProgram) program = test_record_read (fixture);
  g_assert_cmpuint (pd_program_get_n_ranks (program), ==, 2);
  g_assert_cmpuint (pd_program_get_n_actions (program, 0), ==, 0);
  /* who was first in the communicator told its members; now nobody does */
  g_assert_cmpuint (pd_program_get_n_actions (program, 1), >, 10);
}

static void
test_nothing (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PdRecError error = { "" };

  g_assert_false (pd_rec_has_streams (fixture->folder));
  g_assert_cmpint (pd_rec_finish (fixture->folder, NULL, ignore_rank, NULL, &error), ==, -1);
  g_assert_cmpstr (error.text, !=, "");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (TestRecord *fixture, gconstpointer data);
  } tests[] = {
    { "/record/stream/cut", test_cut },
    { "/record/stream/cut-archive", test_cut_archive },
    { "/record/stream/flipped", test_flipped },
    { "/record/stream/flipped-archive", test_flipped_archive },
    { "/record/stream/heads", test_heads },
    { "/record/stream/records", test_records },
    { "/record/stream/missing", test_missing },
    { "/record/stream/nothing", test_nothing },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, TestRecord, NULL, test_record_set_up, tests[i].test,
                test_record_tear_down);
  return g_test_run ();
}
