/* The recorder without MPI: what is told to it is read again, also of ranks that
 * died, forked, or reached a limit.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/pd-rec-finish.h"
#include "record/pd-rec-format-private.h"
#include "record/pd-rec.h"
#include "tests/support/fork-mpi.h"
#include "traces/pd-mp-trace.h"
#include "traces/pd-otf2-reader.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  INIT,
  SEND,
  RECV,
  ISEND,
  IRECV,
  WAIT,
  WAITALL,
  BARRIER,
  ALLREDUCE,
  SPLIT,
  IBCAST,
  PCONTROL,
  PUT,
  WIN_CREATE,
  FENCE,
  FINALIZE,
};

static const char *const functions[] = {
  "MPI_Init",    "MPI_Send",       "MPI_Recv",      "MPI_Isend",      "MPI_Irecv",  "MPI_Wait",
  "MPI_Waitall", "MPI_Barrier",    "MPI_Allreduce", "MPI_Comm_split", "MPI_Ibcast", "MPI_Pcontrol",
  "MPI_Put",     "MPI_Win_create", "MPI_Win_fence", "MPI_Finalize",
};

/* ---- a folder of its own for each test */

typedef struct
{
  char *top;
  char *folder;
  char *archive;
  char *clock;
} Fixture;

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);
      remove_all (child);
    }
  g_remove (path);
}

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
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
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  remove_all (fixture->top);
  g_free (fixture->top);
  g_free (fixture->folder);
  g_free (fixture->archive);
  g_free (fixture->clock);
}

static void
set_clock (Fixture *fixture, const char *text)
{
  g_assert_true (g_file_set_contents (fixture->clock, text, -1, NULL));
  g_setenv ("PREDICTOR_RECORD_CLOCK", fixture->clock, TRUE);
}

static PdProgram *
read_archive (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  PdProgram *program = pd_otf2_read (fixture->archive, TRUE, NULL, &error);

  g_assert_no_error (error);
  return program;
}

static gboolean
has (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* All ranks ended well. */
static void
run (int size, TestRank rank, gpointer data)
{
  g_autofree int *statuses = test_fork_mpi (size, rank, data);

  for (int i = 0; i < size; i++)
    g_assert_cmpint (statuses[i], ==, 0);
}

/* ---- what wrappers do */

static gboolean
begin (const PdRecMpi *mpi)
{
  uint64_t t0 = pd_rec_now ();

  if (!pd_rec_begin (mpi, functions, G_N_ELEMENTS (functions), &t0))
    return FALSE;
  pd_rec_entering (INIT, t0);
  pd_rec_call (INIT, 0, t0, pd_rec_now ());
  return TRUE;
}

/* A call whose times are those of the clock; where it is called from is @place. */
static void
call (uint16_t function, void *place)
{
  uint64_t t0 = pd_rec_now (), t1;

  pd_rec_entering (function, t0);
  t1 = pd_rec_now ();
  pd_rec_call (function, pd_rec_stack (&place, place != NULL), t0, t1);
}

static void
end (void)
{
  call (FINALIZE, NULL);
  pd_rec_end ();
}

/* ---- a run with a bit of everything, at prescribed times */

static int
two_ranks (const PdRecMpi *mpi, gpointer data G_GNUC_UNUSED)
{
  int other = 1 - mpi->rank;
  int32_t members[] = { 1, 0 };
  uint32_t comm, win;

  if (!begin (mpi))
    return 1;
  call (mpi->rank == 0 ? SEND : RECV, NULL);
  if (mpi->rank == 0)
    pd_rec_send (other, 7, PD_REC_COMM_WORLD, 100, 0, PD_REC_STANDARD);
  else
    pd_rec_recv (other, 7, PD_REC_COMM_WORLD, 100, PD_REC_ANY_SOURCE);
  call (SPLIT, NULL);
  comm = pd_rec_comm (members, 2, PD_REC_COMM_WORLD, 17, "swapped");
  pd_rec_collective (PD_REC_CREATE_HANDLE, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
  call (IRECV, NULL);
  pd_rec_recv_posted (PD_REC_ANY, PD_REC_ANY, comm, 4096, 1);
  call (ISEND, NULL);
  pd_rec_send (mpi->rank, 3, comm, 8, 2, PD_REC_STANDARD); /* swapped: to the other */
  call (IBCAST, NULL);
  pd_rec_collective (PD_REC_BCAST, comm, 1, mpi->rank == 0 ? 128 : 0, 64, 3);
  call (WAITALL, NULL);
  pd_rec_recv_done (1, mpi->rank, 3, comm, 8);
  pd_rec_send_done (2);
  pd_rec_coll_done (3);
  call (PCONTROL, NULL);
  pd_rec_pcontrol (100, 5);
  call (ALLREDUCE, NULL);
  pd_rec_collective (PD_REC_ALLREDUCE, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 16, 16, 0);
  call (PCONTROL, NULL);
  pd_rec_pcontrol (101, 5);
  call (WIN_CREATE, NULL);
  win = pd_rec_window (comm, 18, "window");
  pd_rec_rma (PD_REC_WIN_CREATE, win, 0, 0, 0);
  call (PUT, NULL);
  pd_rec_rma (PD_REC_PUT, win, mpi->rank, 24, 0);
  call (FENCE, NULL);
  pd_rec_rma (PD_REC_FENCE, win, 0, 0, 0);
  end ();
  return 0;
}

/* Without the pads of the text form: the words of each line. */
static char *
text_of (Fixture *fixture)
{
  g_autoptr (PdProgram) program = read_archive (fixture);
  g_autoptr (GBytes) bytes = pd_program_to_text (program);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
test_everything (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  set_clock (fixture, "0 times 0 1000 3000 5000\n1 times 500 1000 2000 7000\n");
  run (2, two_ranks, NULL);
  g_assert_false (has (fixture, "rank-0.raw"));
  g_assert_false (has (fixture, "rank-1.raw"));
  g_autofree char *text = text_of (fixture);
  g_test_message ("%s", text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/record/run/everything", Fixture, NULL, set_up, test_everything, tear_down);
  return g_test_run ();
}
