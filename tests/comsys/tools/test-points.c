/* Measured points in descriptions: read, refused, and played.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/tools/pd-point-simulate.h"

#include <string.h>

#define HEAD "<machine name='m'><network type='memory' startup='7us' per-byte='4ns' eager='1GB'>"
#define TAIL "</machine>"
#define TWO  HEAD "<nodes processors='4'/></network><collectives set='mpich4'/>"

static PdMachine *
load (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return pd_machine_load_bytes (bytes, "test", NULL, 0, error);
}

/* ---- reading */

static void
test_read (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine =
      load (TWO "<measured date='today' mpi='MPI' transfer-r2='0.99'>"
                "<line level='memory' from='0B' to='8B' startup='1us' per-byte='2ns'/>"
                "<loggp from='1B' to='8B' latency='1us' send='0' receive='0' gap='2us' "
                "gap-of-byte='3ns'/>"
                "<point what='ping-pong' bytes='8B' time='7us' low='6us' high='8us'/>"
                "<point what='allreduce' processes='4' per-node='2' bytes='1KiB' time='9us'/>"
                "</measured>" TAIL,
            &error);

  g_assert_no_error (error);
  const PdPoints *points = machine->measured;
  g_assert_cmpstr (points->date, ==, "today");
  g_assert_null (points->host);
  g_assert_cmpfloat (points->transfer_r2, ==, 0.99);
  g_assert_cmpuint (points->lines->len, ==, 1);
  g_assert_cmpfloat (g_array_index (points->loggp, PdPointLogGP, 0).gap_of_byte, ==, 3000);
  const PdPoint *second = &g_array_index (points->points, PdPoint, 1);
  g_assert_cmpint (second->processes, ==, 4);
  g_assert_cmpint (second->per_node, ==, 2);
  g_assert_cmpint (second->bytes, ==, 1024);
  g_assert_cmpint (second->time.ps, ==, 9000000);
  g_assert_false (pd_point_is_transfer (second));
  g_assert_cmpstr (pd_point_function (second), ==, "MPI_Allreduce");
  g_assert_null (pd_point_function (&g_array_index (points->points, PdPoint, 0)));
}

static const struct
{
  const char *name;
  const char *text;
  int code;
} bad[] = {
  { "what", "<point what='prayer' time='1us'/>", PD_MACHINE_ERROR_VALUE },
  { "no-what", "<point time='1us'/>", PD_MACHINE_ERROR_VALUE },
  { "no-time", "<point what='bcast'/>", PD_MACHINE_ERROR_SCHEMA },
  { "time-zero", "<point what='bcast' time='0'/>", PD_MACHINE_ERROR_VALUE },
  { "one-process", "<point what='bcast' processes='1' time='1us'/>", PD_MACHINE_ERROR_VALUE },
  { "three-for-two", "<point what='sendrecv' processes='3' time='1us'/>", PD_MACHINE_ERROR_VALUE },
  { "too-many", "<point what='bcast' processes='1000000000000' time='1us'/>",
    PD_MACHINE_ERROR_VALUE },
  { "bytes", "<point what='bcast' bytes='2TiB' time='1us'/>", PD_MACHINE_ERROR_VALUE },
  { "level", "<line level='moon' from='0' to='8' startup='1us' per-byte='2ns'/>",
    PD_MACHINE_ERROR_VALUE },
  { "child", "<thing/>", PD_MACHINE_ERROR_SCHEMA },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text = g_strconcat (TWO "<measured>", bad[i].text, "</measured>" TAIL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = load (text, &error);

  g_assert_null (machine);
  g_assert_true (error->domain == PD_MACHINE_ERROR);
  if (error->code != PD_MACHINE_ERROR_SCHEMA)
    g_assert_cmpint (error->code, ==, bad[i].code);
}

/* ---- playing: a message of L bytes takes 7 us + 4 ns L, copies and reductions what
 * the row says */

#define SOFTWARE "<software copy-per-byte='1ns' reduction-per-byte='2ns' wait-overhead='1us'>"
#define BCAST    "<function name='MPI_Bcast' overhead='3us' per-byte='1ns' from='1kB'/></software>"

static const struct
{
  const char *name;
  PdPoint point;
  gdouble us;
} plays[] = {
  { "ping-pong", { "ping-pong", 2, 0, 1000, .time = { 1 } }, 11 },
  { "sendrecv", { "sendrecv", 2, 0, 1000, .time = { 1 } }, 12 },
  { "isend-irecv", { "isend-irecv", 2, 0, 1000, .time = { 1 } }, 12 },
  { "between-nodes", { "ping-pong", 2, 1, 1000, .time = { 1 } }, 11 },
  { "barrier", { "barrier", 2, 0, 0, .time = { 1 } }, 8 },
  { "bcast-small", { "bcast", 2, 0, 500, .time = { 1 } }, 12 },
  { "bcast-from", { "bcast", 2, 0, 1000, .time = { 1 } }, 15 },
  { "bcast-four", { "bcast", 4, 0, 500, .time = { 1 } }, 21 },
  { "alltoall", { "alltoall", 2, 0, 1000, .time = { 1 } }, 13 },
  { "allreduce", { "allreduce", 2, 0, 8, .time = { 1 } }, 8.048 },
};

static void
test_play (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = load (
      HEAD
      "<nodes count='2' processors='4'/></network><collectives set='mpich4'/>" SOFTWARE BCAST TAIL,
      &error);
  PdPoint point = plays[i].point;
  PdTime time;

  g_assert_no_error (error);
  point.what = pd_point_find (point.what);
  g_assert_true (pd_point_simulate (&point, machine, &time, &error));
  g_assert_cmpint (time.ps, ==, (gint64) (plays[i].us * 1e6 + 0.5));
}

static void
test_too_few (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = load (TWO TAIL, &error);
  PdPoint point = { .what = pd_point_find ("bcast"), .processes = 5 };
  PdTime time;

  g_assert_no_error (error);
  g_assert_false (pd_point_simulate (&point, machine, &time, &error));
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE);
  g_clear_error (&error);
  point = (PdPoint){ .what = pd_point_find ("bcast"), .processes = 4, .per_node = 2 };
  g_assert_false (pd_point_simulate (&point, machine, &time, &error));
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE);
}

/* Costs of bytes are for operations only. */
static void
test_function (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine =
      load (TWO "<software><function name='MPI_Send' overhead='0' per-byte='1ns'/></software>" TAIL,
            &error);

  g_assert_null (machine);
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comsys/points/read", test_read);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/comsys/points/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (plays); i++)
    {
      g_autofree char *path = g_strconcat ("/comsys/points/play/", plays[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_play);
    }
  g_test_add_func ("/comsys/points/too-few", test_too_few);
  g_test_add_func ("/comsys/points/function", test_function);
  return g_test_run ();
}
