/* The recorder without MPI: limits that are reached, folders and settings that
 * are no good.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tests/support/record.h"
#include "record/life/pd-rec-life.h"
#include "record/stream/pd-rec-room.h"
#include "record/stream/pd-rec-stream.h"

#include <glib/gstdio.h>
#include <sys/resource.h>

/* ---- room */

static const struct
{
  uint64_t total;
  uint64_t available;
  uint64_t own;
  uint32_t n;
  uint64_t room;
} rooms[] = {
  { 2000, 1900, 0, 1, 600 },   /* three times that, and a twentieth of 2000 stays free */
  { 2000, 1900, 100, 1, 533 }, /* 200 for the archive of what is there */
  { 2000, 1100, 100, 4, 16 },  /* 800 for the archives of 400, and twelve times 16 */
  { 2000, 100, 0, 1, 0 },      /* just what is kept free */
  { 2000, 0, 0, 1, 0 },
  { 2000, 1000, 1000, 1, 0 },
  { 2000, 1000, UINT64_MAX, 3, 0 },
  { UINT64_C (1) << 50, (UINT64_C (1) << 30) + 15, 0, 5, 1 }, /* at most 1 GiB is kept free */
};

static void
test_room (TestRecord *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (rooms); i++)
    g_assert_cmpuint (pd_rec_room_of (rooms[i].total, rooms[i].available, rooms[i].own, rooms[i].n),
                      ==, rooms[i].room);
  g_assert_cmpuint (pd_rec_room ("/nowhere/at/all", 0, 1), ==, UINT64_MAX);
}

/* ---- limits */

/* On the clock of all. */
static gint64
end_of (const PdProgram *program, guint32 rank)
{
  return pd_program_get_recorded_begin (program, rank).ps
         + pd_program_get_recorded_end (program, rank).ps;
}

enum
{
  MANY = 20000
};

typedef struct
{
  gboolean synchronises;
  int chatty; /* rank that records three times as much; -1: none */
  rlim_t file_size;
} Talk;

static int
talks (const PdRecMpi *mpi, gpointer data)
{
  const Talk *talk = data;
  struct rlimit limit = { talk->file_size, talk->file_size };

  if (talk->file_size != 0)
    setrlimit (RLIMIT_FSIZE, &limit);
  if (!test_record_begin (mpi))
    return 1;
  for (int i = 0; i < MANY; i++)
    {
      for (int j = 0; mpi->rank == talk->chatty && j < 2; j++)
        {
          test_record_call (SEND, NULL);
          pd_rec_send (0, 0, PD_REC_COMM_SELF, 1, 0, PD_REC_STANDARD);
        }
      test_record_call (ALLREDUCE, NULL);
      pd_rec_collective (PD_REC_ALLREDUCE, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 8, 8, 0);
      if (talk->synchronises)
        pd_rec_world_synchronised ();
    }
  test_record_end ();
  return 0;
}

/* All ranks stop after the same operation, although one has more to tell. */
static void
test_agreed (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Talk talk = { .synchronises = TRUE, .chatty = 1 };

  g_setenv ("PREDICTOR_BUFFER_SIZE", "64Ki", TRUE);
  g_setenv ("PREDICTOR_MAX_RANK_SIZE", "600k", TRUE);
  test_record_run (3, talks, &talk);
  g_autoptr (PdProgram) program = test_record_read (fixture);
  guint64 n = test_record_count (program, 0);
  g_assert_cmpuint (n, >, 1000);
  g_assert_cmpuint (n, <, MANY);
  g_assert_cmpuint (test_record_count (program, 1), ==, n);
  g_assert_cmpuint (test_record_count (program, 2), ==, n);
  gdouble share = pd_program_get_recorded_share (program);
  g_assert_cmpfloat (share, >, 0);
  g_assert_cmpfloat (share, <, 1);
}

/* Nothing synchronises them: only the rank that reaches its limit stops. By the clock, where a
 * call takes 1 us and so does what is between two, the other one begins in the middle; what
 * all have ends for all at the same moment. */
static void
test_over_limit (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Talk talk = { .chatty = 1 };

  g_setenv ("PREDICTOR_BUFFER_SIZE", "64Ki", TRUE);
  g_setenv ("PREDICTOR_MAX_SIZE", "4M", TRUE); /* each: 2 MB of 1.1 and 3.3 */
  test_record_set_clock (fixture, "0 times 0 60000000\n1 times 0\n");
  test_record_run (2, talks, &talk);
  g_autoptr (PdProgram) program = test_record_read (fixture);
  guint64 n = test_record_count (program, 1);
  g_assert_cmpuint (n, <, MANY);
  g_assert_cmpuint (n, >, MANY / 4);
  g_assert_cmpuint (test_record_count (program, 0), <, MANY);
  g_assert_cmpuint (test_record_count (program, 0), >, MANY / 20);
  g_assert_cmpint (end_of (program, 0), ==, end_of (program, 1));
  /* rank 1: 6 us a turn */
  g_assert_cmpfloat_with_epsilon (pd_program_get_recorded_share (program), (gdouble) n / MANY,
                                  0.01);
}

/* Files may not grow any more: the program goes on, and the archive has what was
 * recorded. */
static void
test_disk_full (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Talk talk = { .chatty = -1, .file_size = 700 * 1024 };

  test_record_set_clock (fixture, "* times 0\n");
  g_setenv ("PREDICTOR_BUFFER_SIZE", "64Ki", TRUE);
  test_record_run (2, talks, &talk);
  g_autoptr (PdProgram) program = test_record_read (fixture);
  g_assert_cmpuint (test_record_count (program, 0), <, MANY);
  g_assert_cmpuint (test_record_count (program, 0), >, MANY / 4);
}

/* No room for a single piece: nothing is recorded, and nothing left. */
static int
cannot_begin (const PdRecMpi *mpi, gpointer data)
{
  struct rlimit limit = { 10000, 10000 };

  if (data != NULL && mpi->rank == 1)
    setrlimit (RLIMIT_FSIZE, &limit);
  return test_record_begin (mpi) ? 1 : 0;
}

static void
test_no_room (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_run (3, cannot_begin, fixture);
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("rank-%d.raw", i);
      g_assert_false (test_record_has (fixture, name));
    }
}

/* What cannot be written as an archive stays as streams. */
static int
blocks_archive (const PdRecMpi *mpi, gpointer data)
{
  TestRecord *fixture = data;

  if (!test_record_begin (mpi))
    return 1;
  test_record_call (BARRIER, NULL);
  pd_rec_collective (PD_REC_BARRIER, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
  if (mpi->rank == 0)
    {
      g_autofree char *events = g_build_filename (fixture->folder, "traces", "1.evt", NULL);
      g_mkdir_with_parents (events, 0755);
    }
  test_record_end ();
  return 0;
}

static void
test_no_archive (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_run (2, blocks_archive, fixture);
  g_assert_false (test_record_has (fixture, "traces.otf2"));
  g_assert_true (test_record_has (fixture, "rank-0.raw"));
  g_assert_true (test_record_has (fixture, "rank-1.raw"));
  g_autofree char *events = g_build_filename (fixture->folder, "traces", NULL);
  test_remove_all (events);
  g_assert_cmpuint (test_record_finish (fixture), ==, 0);
  g_autoptr (PdProgram) program = test_record_read (fixture);
  g_assert_cmpuint (test_record_count (program, 1), ==, 1);
}

/* ---- settings */

static void
test_taken (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, TEST_CLOCK_OF_TWO);
  test_record_run (2, test_record_two, NULL);
  test_record_run (2, cannot_begin, NULL);
  g_autofree char *text = test_record_text (fixture);
  test_assert_lines (text, test_record_text_of_two);
}

static const struct
{
  const char *name;
  const char *value;
} bad_settings[] = {
  { "PREDICTOR_BUFFER_SIZE", "much" },      { "PREDICTOR_BUFFER_SIZE", "1" },
  { "PREDICTOR_BUFFER_SIZE", "1MM" },       { "PREDICTOR_MAX_SIZE", "-1" },
  { "PREDICTOR_MAX_SIZE", "99999999999T" }, { "PREDICTOR_MAX_RANK_SIZE", "0" },
  { "PREDICTOR_STACK_DEPTH", "65" },        { "PREDICTOR_STACK_DEPTH", "all" },
  { "PREDICTOR_RECORD_CLOCK", "/nowhere" }, { "PREDICTOR_RECORD_DIR", "/nowhere/at/all" },
};

static void
test_bad_settings (TestRecord *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_settings); i++)
    {
      g_autofree char *before = g_strdup (g_getenv (bad_settings[i].name));
      g_test_message ("%s=%s", bad_settings[i].name, bad_settings[i].value);
      g_setenv (bad_settings[i].name, bad_settings[i].value, TRUE);
      test_record_run (2, cannot_begin, NULL);
      g_unsetenv (bad_settings[i].name);
      if (before != NULL)
        g_setenv (bad_settings[i].name, before, TRUE);
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (TestRecord *fixture, gconstpointer data);
  } tests[] = {
    { "/record/limits/room", test_room },       { "/record/limits/agreed", test_agreed },
    { "/record/limits/rank", test_over_limit }, { "/record/limits/disk", test_disk_full },
    { "/record/limits/no-room", test_no_room }, { "/record/limits/no-archive", test_no_archive },
    { "/record/settings/taken", test_taken },   { "/record/settings/bad", test_bad_settings },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, TestRecord, NULL, test_record_set_up, tests[i].test,
                test_record_tear_down);
  return g_test_run ();
}
