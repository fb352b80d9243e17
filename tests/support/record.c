/* Runs that are recorded without MPI.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tests/support/record.h"
#include "tests/support/otf2-both.h"

#include "record/life/pd-rec-finish.h"
#include "record/life/pd-rec-folder.h"
#include "record/archive/pd-rec-define.h"
#include "record/life/pd-rec-life.h"
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-stacks.h"
#include "record/stream/pd-rec-stream.h"
#include "traces/program/pd-action-reader.h"
#include "traces/text/pd-text-writer.h"

#include <string.h>
#include <unistd.h>

static const char *const functions[] = {
  "MPI_Init",    "MPI_Send",       "MPI_Recv",      "MPI_Isend",      "MPI_Irecv",  "MPI_Wait",
  "MPI_Waitall", "MPI_Barrier",    "MPI_Allreduce", "MPI_Comm_split", "MPI_Ibcast", "MPI_Pcontrol",
  "MPI_Put",     "MPI_Win_create", "MPI_Win_fence", "MPI_Finalize",
};

/* ---- a folder of its own for each test */

void
test_record_set_up (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->top = g_dir_make_tmp ("record-XXXXXX", NULL);
  g_assert_nonnull (fixture->top);
  fixture->folder = g_build_filename (fixture->top, "run", NULL);
  fixture->archive = g_build_filename (fixture->folder, "traces.otf2", NULL);
  fixture->clock = g_build_filename (fixture->top, "clock", NULL);
  g_setenv ("PREDICTOR_RECORD_DIR", fixture->folder, TRUE);
  g_unsetenv ("PREDICTOR_RECORD_CLOCK");
  g_unsetenv ("PREDICTOR_MAX_SIZE");
  g_unsetenv ("PREDICTOR_MAX_RANK_SIZE");
  g_unsetenv ("PREDICTOR_BUFFER_SIZE");
  g_unsetenv ("PREDICTOR_STACK_DEPTH");
}

void
test_record_tear_down (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_remove_all (fixture->top);
  g_free (fixture->top);
  g_free (fixture->folder);
  g_free (fixture->archive);
  g_free (fixture->clock);
}

void
test_record_set_clock (TestRecord *fixture, const char *text)
{
  g_assert_true (g_file_set_contents (fixture->clock, text, -1, NULL));
  g_setenv ("PREDICTOR_RECORD_CLOCK", fixture->clock, TRUE);
}

PdProgram *
test_record_read (TestRecord *fixture)
{
  g_autoptr (GError) error = NULL;
  PdProgram *program = test_otf2_read (fixture->archive, TRUE, NULL, NULL, &error);

  g_assert_no_error (error);
  return program;
}

gboolean
test_record_has (TestRecord *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* All ranks ended well. */
void
test_record_run (int size, TestRank rank, gpointer data)
{
  g_autofree int *statuses = test_fork_mpi (size, rank, data);

  for (int i = 0; i < size; i++)
    g_assert_cmpint (statuses[i], ==, 0);
}

/* ---- what wrappers do */

gboolean
test_record_begin (const PdRecMpi *mpi)
{
  uint64_t t0 = pd_rec_now ();

  if (!pd_rec_begin (mpi, functions, G_N_ELEMENTS (functions), &t0))
    return FALSE;
  pd_rec_entering (INIT, t0);
  pd_rec_call (INIT, 0, t0, pd_rec_now ());
  return TRUE;
}

/* A call whose times are those of the clock; where it is called from is @place. */
void
test_record_call (uint16_t function, void *place)
{
  uint64_t t0 = pd_rec_now (), t1;

  pd_rec_entering (function, t0);
  t1 = pd_rec_now ();
  pd_rec_call (function, pd_rec_stack (&place, place != NULL), t0, t1);
}

void
test_record_end (void)
{
  test_record_call (FINALIZE, NULL);
  pd_rec_end ();
}

/* ---- a run with a bit of everything, at prescribed times */

int
test_record_two (const PdRecMpi *mpi, gpointer data)
{
  int other = 1 - mpi->rank;
  int32_t members[] = { 1, 0 };
  uint32_t comm, win;

  if (!test_record_begin (mpi))
    return 1;
  test_record_call (mpi->rank == 0 ? SEND : RECV, NULL);
  if (mpi->rank == 0)
    pd_rec_send (other, 7, PD_REC_COMM_WORLD, 100, 0, PD_REC_STANDARD);
  else
    pd_rec_recv (other, 7, PD_REC_COMM_WORLD, 100, PD_REC_ANY_SOURCE);
  test_record_call (SPLIT, NULL);
  comm = pd_rec_comm (members, 2, PD_REC_COMM_WORLD, 17, "swapped");
  pd_rec_collective (PD_REC_CREATE_HANDLE, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
  test_record_call (IRECV, NULL);
  pd_rec_recv_posted (PD_REC_ANY, PD_REC_ANY, comm, 4096, 1);
  test_record_call (ISEND, NULL);
  pd_rec_send (mpi->rank, 3, comm, 8, 2, PD_REC_STANDARD); /* swapped: to the other */
  test_record_call (IBCAST, NULL);
  pd_rec_collective (PD_REC_BCAST, comm, 1, mpi->rank == 0 ? 128 : 0, 64, 3);
  test_record_call (WAITALL, NULL);
  pd_rec_recv_done (1, mpi->rank, 3, comm, 8);
  pd_rec_send_done (2);
  pd_rec_coll_done (PD_REC_BCAST, comm, 1, mpi->rank == 0 ? 128 : 0, 64, 3);
  test_record_call (PCONTROL, NULL);
  pd_rec_pcontrol (100, 5);
  test_record_call (ALLREDUCE, NULL);
  pd_rec_collective (PD_REC_ALLREDUCE, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 16, 16, 0);
  test_record_call (PCONTROL, NULL);
  pd_rec_pcontrol (101, 5);
  test_record_call (WIN_CREATE, NULL);
  win = pd_rec_window (comm, 18, "window");
  pd_rec_rma (&(PdRecRma){ .what = PD_REC_WIN_CREATE, .window = win });
  test_record_call (PUT, NULL);
  pd_rec_rma (&(PdRecRma){ .what = PD_REC_PUT, .window = win, .target = mpi->rank, .sent = 24 });
  test_record_call (FENCE, NULL);
  pd_rec_rma (&(PdRecRma){ .what = PD_REC_FENCE, .window = win });
  if (data != NULL)
    _exit (0);
  test_record_end ();
  return 0;
}

char *
test_record_text (TestRecord *fixture)
{
  g_autoptr (PdProgram) program = test_record_read (fixture);
  g_autoptr (GBytes) bytes = pd_program_to_text (program);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

const char test_record_text_of_two[] =
    "predictor-trace 1\n"
    "ranks 2\n"
    "computation time\n"
    "comm 1: 1 0\n"
    "interval 0: \"\" index=5\n"
    "rank 0 {\n"
    "  compute 2us\n"
    "  send 1 100 tag=7 took=2us\n"
    "  compute 1us\n"
    "  comm_split took=1us\n"
    "  compute 1us\n"
    "  irecv any 8 tag=any matched=0:3 comm=1 request=0 took=1us\n"
    "  compute 1us\n"
    "  isend 0 8 tag=3 comm=1 request=1 took=1us\n"
    "  compute 1us\n"
    "  ibcast 64 root=1 comm=1 request=2 took=1us\n"
    "  compute 1us\n"
    "  waitall 0 1 2 took=1us\n"
    "  compute 1us\n"
    "  enter 0\n"
    "  compute 1us\n"
    "  allreduce 8 took=1us\n"
    "  compute 1us\n"
    "  leave 0\n"
    "  compute 1us\n"
    "  win_create comm=1 took=1us\n"
    "  compute 1us\n"
    "  put 0 24 comm=1 took=1us\n"
    "  compute 1us\n"
    "  win_fence comm=1 took=1us\n"
    "  compute 1us\n"
    "  end 27us\n"
    "}\n"
    "rank 1 {\n"
    "  compute 1us\n"
    "  recv any 100 tag=7 matched=0:7 took=5us\n"
    "  compute 1us\n"
    "  comm_split took=1us\n"
    "  compute 1us\n"
    "  irecv any 8 tag=any matched=1:3 comm=1 request=0 took=1us\n"
    "  compute 1us\n"
    "  isend 1 8 tag=3 comm=1 request=1 took=1us\n"
    "  compute 1us\n"
    "  ibcast 64 root=1 comm=1 request=2 took=1us\n"
    "  compute 1us\n"
    "  waitall 0 1 2 took=1us\n"
    "  compute 1us\n"
    "  enter 0\n"
    "  compute 1us\n"
    "  allreduce 8 took=1us\n"
    "  compute 1us\n"
    "  leave 0\n"
    "  compute 1us\n"
    "  win_create comm=1 took=1us\n"
    "  compute 1us\n"
    "  put 1 24 comm=1 took=1us\n"
    "  compute 1us\n"
    "  win_fence comm=1 took=1us\n"
    "  compute 1us\n"
    "  end 29us\n"
    "}\n";

/* A line more or less in a text form does not matter here. */
void
test_assert_lines (const char *text, const char *expected)
{
  g_auto (GStrv) lines = g_strsplit (expected, "\n", -1);
  const char *at = text;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = g_strconcat (lines[i], "\n", NULL);
      const char *found = strstr (at, line);
      if (*lines[i] == '\0')
        continue;
      if (found == NULL)
        g_error ("line \"%s\" is missing in:\n%s", lines[i], text);
      at = found + strlen (lines[i]);
    }
}

static void
ignore_rank (void *data, int64_t rank G_GNUC_UNUSED, const char *text)
{
  g_assert_cmpstr (text, !=, "");
  ++*(guint *) data;
}

/* How many ranks' events end early. */
guint
test_record_finish (TestRecord *fixture)
{
  PdRecError error = { "" };
  guint n = 0;

  g_assert_true (pd_rec_has_streams (fixture->folder));
  pd_rec_finish (fixture->folder, NULL, ignore_rank, &n, &error);
  g_assert_cmpstr (error.text, ==, "");
  g_assert_false (pd_rec_has_streams (fixture->folder));
  return n;
}

guint64
test_record_count (const PdProgram *program, guint32 rank)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;
  guint64 n = 0;

  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, rank);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    n += action->kind == PD_ACT_COLLECTIVE;
  return n;
}
