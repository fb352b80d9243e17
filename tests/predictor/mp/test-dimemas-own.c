/* Small traces and configurations of our own, with what Dimemas 5.5 says of them.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp.h"
#include "traces/open/pd-trace-read.h"
#include "intervals/pd-interval-fold.h"

#include <glib/gstdio.h>
#include <string.h>

#define MAX_TASKS 4
#define TOLERANCE 10 /* ns */

static const struct
{
  const char *name;
  const char *machine;
  const char *costs; /* (nullable): the file of collective operations */
  const char *trace;
  gint64 computation[MAX_TASKS];   /* of each task, ns */
  gint64 communication[MAX_TASKS]; /* what its timeline shows besides */
} rows[] = {
  { "root-counts-everywhere",
    "#DIMEMAS_CONFIGURATION\n"
    "\"wide area network information\" {\"\", 1, 0, 4, 0.0, 0.0, 1};;\n"
    "\"environment information\" {\"\", 0, \"\", 2, 100, 0, 3};;\n"
    "\"multi node information\" {0, 2, \"\", 2, 1, 1e-06, 1000, 0, 0, 0, 1e-05, 0, 0, 0.0};;\n"
    "\"predefined mapping information\" {\"2 TASKS_PER_NODE\"};;\n"
    "\"configuration files\" {\"\", \"\", \"coll.txt\", \"\"};;\n",
    "Machine globalop: 0 8 LIN MAX LOG S+R\n",
    "#DIMEMAS:\"t\":0:3(1,1,1),1\n"
    "d:1:1:3:0:1:2\n"
    "1:0:0:0.001\n"
    "10:0:0:8:1:0:0:1000:2000:1\n"
    "1:1:0:0.002\n"
    "10:1:0:8:1:0:0:3000:1000:1\n"
    "1:2:0:0.0015\n"
    "10:2:0:8:1:1:0:5000:7000:1\n",
    { 1000000, 2000000, 1500000 },
    { 1221318, 221318, 721318 } },
  { "vectors-are-left-out",
    "#DIMEMAS_CONFIGURATION\n"
    "\"wide area network information\" {\"\", 1, 0, 4, 0.0, 0.0, 1};;\n"
    "\"environment information\" {\"\", 0, \"\", 2, 50, 2, 2};;\n"
    "\"multi node information\" {0, 2, \"\", 1, 2, 0, 0, 0, 0, 0, 2e-05, 0, 0, 0.0};;\n"
    "\"predefined mapping information\" {\"FILL_NODES\"};;\n"
    "\"configuration files\" {\"\", \"\", \"\", \"\"};;\n",
    NULL,
    "#DIMEMAS:\"t\":0:2(1,1),1\n"
    "d:1:1:2:0:1\n"
    "1:0:0:0.001\n"
    "10:0:0:3:1:1:0:1024:2048:1\n"
    "10:0:0:5:1:0:0:4096:4096:1\n"
    "10:0:0:15:1:1:0:64:64:1\n"
    "1:1:0:0.002\n"
    "10:1:0:3:1:0:0:1024:0:1\n"
    "10:1:0:5:1:1:0:8192:4096:1\n"
    "10:1:0:15:1:0:0:64:64:1\n",
    { 500000, 1000000 },
    { 915410, 415410 } },
  { "communicator-of-one",
    "#DIMEMAS_CONFIGURATION\n"
    "\"wide area network information\" {\"\", 1, 0, 4, 0.0, 0.0, 1};;\n"
    "\"environment information\" {\"\", 0, \"\", 2, 100, 0, 1};;\n"
    "\"multi node information\" {0, 2, \"\", 1, 1, 0, 0, 0, 0, 0, 1e-05, 0, 0, 0.0};;\n"
    "\"predefined mapping information\" {\"INTERLEAVED\"};;\n"
    "\"configuration files\" {\"\", \"\", \"\", \"\"};;\n",
    NULL,
    "#DIMEMAS:\"t\":0:2(1,1),2\n"
    "d:1:1:2:0:1\n"
    "d:1:2:1:1\n"
    "1:0:0:0.001\n"
    "10:0:0:0:1:1:0:0:0:1\n"
    "1:1:0:0.0005\n"
    "10:1:0:1:2:1:0:65536:65536:1\n"
    "10:1:0:0:1:0:0:0:0:1\n",
    { 1000000, 500000 },
    { 790000, 1290000 } },
  { "links-lend",
    "#DIMEMAS_CONFIGURATION\n"
    "\"wide area network information\" {\"\", 1, 0, 4, 0.0, 0.0, 1};;\n"
    "\"environment information\" {\"\", 0, \"\", 3, 100, 0, 1};;\n"
    "\"multi node information\" {0, 3, \"\", 1, 1, 0, 0, 0, 0, 0, 1e-05, 1, 2, 0.0};;\n"
    "\"predefined mapping information\" {\"1 TASKS_PER_NODE\"};;\n"
    "\"configuration files\" {\"\", \"\", \"\", \"\"};;\n",
    NULL,
    "#DIMEMAS:\"t\":0:3(1,1,1),1\n"
    "d:1:1:3:0:1:2\n"
    "1:0:0:0.001\n"
    "2:0:0:1:-1:1048576:1:1:2\n"
    "2:0:0:1:-1:524288:2:1:2\n"
    "2:0:0:2:-1:524288:3:1:0\n"
    "1:0:0:0.001\n"
    "1:1:0:0.0005\n"
    "3:1:0:0:-1:1048576:1:1:1\n"
    "3:1:0:0:-1:524288:2:1:0\n"
    "3:1:0:0:-1:1048576:1:1:2\n"
    "2:1:0:2:-1:262144:4:1:1\n"
    "1:2:0:0.0007\n"
    "3:2:0:0:-1:524288:3:1:1\n"
    "1:2:0:0.0001\n"
    "3:2:0:0:-1:524288:3:1:2\n"
    "3:2:0:1:-1:262144:4:1:0\n",
    { 2000000, 500000, 800000 },
    { 30000, 15530000, 17730000 } },
  { "nodes-half-duplex",
    "#DIMEMAS_CONFIGURATION\n"
    "\"wide area network information\" {\"\", 1, 0, 4, 0.0, 0.0, 1};;\n"
    "\"environment information\" {\"\", 0, \"\", 2, 250, 1, 1};;\n"
    "\"multi node information\" {0, 2, \"\", 2, 0.5, 2e-06, 500, 1, 1, 0, 1e-05, 0, 1, 0.0};;\n"
    "\"predefined mapping information\" {\"2 TASKS_PER_NODE\"};;\n"
    "\"configuration files\" {\"\", \"\", \"\", \"\"};;\n",
    NULL,
    "#DIMEMAS:\"t\":0:4(1,1,1,1),1\n"
    "d:1:1:4:0:1:2:3\n"
    "1:0:0:0.0001\n"
    "2:0:0:1:-1:262144:1:1:0\n"
    "2:0:0:2:-1:262144:2:1:0\n"
    "3:0:0:3:-1:131072:3:1:0\n"
    "3:0:0:1:-1:0:9:1:0\n"
    "1:1:0:0.00013\n"
    "3:1:0:0:-1:262144:1:1:0\n"
    "2:1:0:0:-1:0:9:1:2\n"
    "2:1:0:3:-1:131072:4:1:1\n"
    "1:2:0:0.00017\n"
    "3:2:0:0:-1:262144:2:1:1\n"
    "2:2:0:3:-1:262144:5:1:0\n"
    "3:2:0:0:-1:262144:2:1:2\n"
    "1:3:0:0.00019\n"
    "2:3:0:0:-1:131072:3:1:3\n"
    "3:3:0:2:-1:262144:5:1:0\n"
    "3:3:0:1:-1:131072:4:1:0\n",
    { 200000, 260000, 340000, 380000 },
    { 1514000, 592000, 872000, 1832000 } },
  { "modules",
    "#DIMEMAS_CONFIGURATION\n"
    "\"wide area network information\" {\"\", 1, 0, 4, 0.0, 0.0, 1};;\n"
    "\"environment information\" {\"\", 0, \"\", 1, 0, 0, 1};;\n"
    "\"multi node information\" {0, 1, \"\", 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0.0};;\n"
    "\"predefined mapping information\" {\"FILL_NODES\"};;\n"
    "\"configuration files\" {\"\", \"\", \"\", \"\"};;\n"
    "\"modules information\" {77, 1, 4};;\n"
    "\"modules information\" {77, 2, 0.5};;\n",
    NULL,
    "#DIMEMAS:\"t\":0:2(1,1),1\n"
    "d:1:1:2:0:1\n"
    "1:0:0:0.001\n"
    "20:0:0:77:1\n"
    "1:0:0:0.002\n"
    "20:0:0:77:0\n"
    "1:0:0:0.001\n"
    "20:0:0:77:2\n"
    "1:0:0:0.001\n"
    "20:0:0:77:0\n"
    "20:0:0:77:3\n"
    "1:0:0:0.004\n"
    "20:0:0:77:0\n"
    "1:1:0:0.001\n",
    { 4250000, 500000 },
    { 0, 0 } },
};

static char *
write_file (const char *folder, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  if (text != NULL)
    g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static PdReportRun *
predict (const char *text, const char *machine, gboolean one_step)
{
  const PdTraceReadOptions read_options = { .recorded = FALSE };
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  const PdTraceSource source = { "test", bytes };
  const PdMpOptions options = {
    .trace = "test", .machine = machine, .one_step = one_step, .check = TRUE
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &read_options, NULL, &error);

  g_assert_no_error (error);
  PdReportRun *run = pd_mp_predict_program (&options, trace->program, &error);
  g_assert_no_error (error);
  return run;
}

static gboolean
is_close (PdTime time, gint64 ns)
{
  return ABS (time.ps - ns * PD_PS_PER_NS) <= TOLERANCE * PD_PS_PER_NS;
}

static void
compare (gsize row, const char *machine, gboolean one_step)
{
  PdReportRun *run = predict (rows[row].trace, machine, one_step);
  PdTime own[PD_N_CHARACTERISTICS];

  g_assert_cmpuint (run->n_processors, <=, MAX_TASKS);
  for (guint32 i = 0; i < run->n_processors; i++)
    {
      gint64 computation = rows[row].computation[i], communication = rows[row].communication[i];
      pd_interval_tree_get_processor (run->tree, 0, i, own);
      g_assert_true (is_close (own[PD_C_CPU_TIME], computation));
      g_assert_true (is_close (own[PD_C_COMMUNICATION], communication));
      g_assert_true (is_close (run->end_times[i], computation + communication));
    }
  pd_report_run_free (run);
}

static void
test_row (gconstpointer data)
{
  gsize row = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("predictor-XXXXXX", &error);

  g_assert_no_error (error);
  g_autofree char *machine = write_file (folder, "machine.cfg", rows[row].machine);
  g_autofree char *costs = write_file (folder, "coll.txt", rows[row].costs);
  compare (row, machine, FALSE);
  compare (row, machine, TRUE);
  g_unlink (costs);
  g_unlink (machine);
  g_rmdir (folder);
}

/* Operations with a vector are played, too, where a set plays them. */
static void
test_vectors_are_played (void)
{
  static const char text[] = "#DIMEMAS:\"t\":0:3(1,1,1),1\nd:1:1:3:0:1:2\n"
                             "1:0:0:0.001\n10:0:0:OP:1:0:0:600:600:1\n"
                             "1:1:0:0.001\n10:1:0:OP:1:1:0:600:600:1\n"
                             "1:2:0:0.001\n10:2:0:OP:1:0:0:600:600:1\n";
  static const char *const with_vector[] = { "3", "5", "7", "9", "15" };
  static const char *const without[] = { "2", "4", "6", "8", "8" };

  for (guint i = 0; i < G_N_ELEMENTS (with_vector); i++)
    {
      PdReportRun *runs[2];
      for (guint k = 0; k < 2; k++)
        {
          g_auto (GStrv) parts = g_strsplit (text, "OP", -1);
          g_autofree char *trace = g_strjoinv (k == 0 ? with_vector[i] : without[i], parts);
          runs[k] = predict (trace, "dimemas:latency=10us,bandwidth=1MB/s", FALSE);
        }
      PdTime last = PD_TIME_ZERO;
      for (guint32 rank = 0; rank < 3; rank++)
        {
          g_assert_cmpint (runs[0]->end_times[rank].ps, ==, runs[1]->end_times[rank].ps);
          last = pd_time_max (last, runs[0]->end_times[rank]);
        }
      g_assert_cmpint (last.ps, >, G_GINT64_CONSTANT (1200) * PD_PS_PER_NS * 1000);
      pd_report_run_free (runs[0]);
      pd_report_run_free (runs[1]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/dimemas/own/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  g_test_add_func ("/dimemas/own/vectors-are-played", test_vectors_are_played);
  return g_test_run ();
}
