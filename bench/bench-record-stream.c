/* The cost of the recorder itself, without MPI: a call with a message into the
 * stream, and the archive of it.
 * SPDX-License-Identifier: MIT */
#include "record/stream/pd-rec.h"
#include "record/life/pd-rec-life.h"
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-stacks.h"
#include "record/stream/pd-rec-stream.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define BATCHES 10
#define BATCH   100000
#define CALLS   (BATCHES * BATCH)

/* ---- one rank alone */

static int
barrier (void *data G_GNUC_UNUSED)
{
  return 0;
}

static int
broadcast (void *data G_GNUC_UNUSED, void *bytes G_GNUC_UNUSED, uint64_t n G_GNUC_UNUSED)
{
  return 0;
}

static int
gather (void *data G_GNUC_UNUSED, const void *in, uint64_t n, void *out)
{
  memcpy (out, in, n);
  return 0;
}

static int
gatherv (void *data G_GNUC_UNUSED, const void *in, uint64_t n, void *out,
         const uint64_t *sizes G_GNUC_UNUSED)
{
  memcpy (out, in, n);
  return 0;
}

static int
scatterv (void *data G_GNUC_UNUSED, const void *in, const uint64_t *sizes G_GNUC_UNUSED, void *out,
          uint64_t n)
{
  memcpy (out, in, n);
  return 0;
}

static int
maximum (void *data G_GNUC_UNUSED, uint64_t *value G_GNUC_UNUSED)
{
  return 0;
}

/* ---- the measurement */

static gdouble
record_batch (void)
{
  gint64 begin = g_get_monotonic_time ();
  void *place = __builtin_return_address (0);

  for (int i = 0; i < BATCH; i++)
    {
      uint64_t t0 = pd_rec_now ();
      pd_rec_entering (1, t0);
      pd_rec_call (1, pd_rec_stack (&place, 1), t0, pd_rec_now ());
      pd_rec_send (0, 1, PD_REC_COMM_WORLD, 800, 0, PD_REC_STANDARD);
    }
  return (gdouble) (g_get_monotonic_time () - begin) * 1e-6;
}

/* The least of all batches: other programs only add to it. */
static gdouble
record_calls (void)
{
  gdouble best = G_MAXDOUBLE;

  for (int i = 0; i < BATCHES; i++)
    {
      gdouble took = record_batch ();
      best = MIN (best, took);
    }
  return best / BATCH;
}

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

int
main (void)
{
  static const char *const functions[] = { "MPI_Init", "MPI_Send", "MPI_Finalize" };
  const PdRecMpi mpi = { .size = 1,
                         .barrier = barrier,
                         .broadcast = broadcast,
                         .gather = gather,
                         .gatherv = gatherv,
                         .scatterv = scatterv,
                         .maximum = maximum };
  g_autofree char *top = g_dir_make_tmp ("bench-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (top, "run", NULL);
  uint64_t t0 = pd_rec_now ();

  g_setenv ("PREDICTOR_RECORD_DIR", folder, TRUE);
  if (!pd_rec_begin (&mpi, functions, G_N_ELEMENTS (functions), &t0))
    return 1;
  gdouble took = record_calls ();
  printf ("recording   %.3f us per call with a message, two readings of the clock included\n",
          took * 1e6);
  gint64 begin = g_get_monotonic_time ();
  pd_rec_end ();
  took = (gdouble) (g_get_monotonic_time () - begin) * 1e-6;
  printf ("archive     %.1f M calls/s with a message, from the stream to OTF2\n",
          CALLS / took * 1e-6);
  remove_all (top);
  return 0;
}
