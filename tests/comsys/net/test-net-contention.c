/* The contention network: measured tables, hand-worked sequences, and the tables
 * of a paper.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-measured.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "tests/support/comsys/comsys-script.h"
#include "tests/support/comsys/network-callbacks.h"
#include "comsys/machine/pd-machine-place.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"

#include <math.h>
#include <string.h>

#define US (1000000.0) /* ps */

/* ---- tables */

static const struct
{
  const char *name;
  gint64 bytes;
  gdouble cf;
  gdouble expected; /* ns */
  gboolean outside;
} places[] = {
  { "measured", 1000, 1, 100, FALSE },       { "measured-cf", 1000, 4, 300, FALSE },
  { "last", 100000, 4, 4000, FALSE },        { "between-cf", 1000, 3, 250, FALSE },
  { "between-sizes", 10000, 1, 550, FALSE }, { "between-both", 10000, 3, 1625, FALSE },
  { "smaller", 500, 1, 50, TRUE },           { "larger", 200000, 2, 4000, TRUE },
  { "more-at-a-time", 1000, 8, 600, TRUE },  { "far-outside", 1, 400, 30, TRUE },
};

static void
test_measured (gconstpointer data)
{
  static const gdouble cf[] = { 1, 2, 4 };
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMeasured) table = pd_measured_new (cf, 3);

  g_assert_true (pd_measured_add (table, 100000, PD_TIME (1000000), (gdouble[]){ 2, 4 }));
  g_assert_true (pd_measured_add (table, 1000, PD_TIME (100000), (gdouble[]){ 2, 3 }));
  g_assert_false (pd_measured_add (table, 1000, PD_TIME (1), (gdouble[]){ 1, 1 }));
  PdMeasuredPlace place = pd_measured_find (table, places[i].bytes);
  gdouble ps = pd_measured_get_time (table, &place, places[i].cf);
  g_assert_cmpfloat (fabs (ps - places[i].expected * 1000), <, 1e-6);
  g_assert_cmpint (pd_measured_is_outside (table, places[i].bytes, places[i].cf), ==,
                   places[i].outside);
}

/* A third of the way by the size is more of it by the logarithm. */
static void
test_between (void)
{
  static const gdouble cf[] = { 1, 2 };
  g_autoptr (PdMeasured) table = pd_measured_new (cf, 2);

  g_assert_true (pd_measured_add (table, 1000, PD_TIME (10000), (gdouble[]){ 2 }));
  g_assert_true (pd_measured_add (table, 4000, PD_TIME (40000), (gdouble[]){ 3 }));
  table->between_sizes = TRUE;
  PdMeasuredPlace place = pd_measured_find (table, 2000);
  g_assert_cmpfloat (fabs (pd_measured_get_time (table, &place, 1) - 20000), <, 1e-6);
  g_assert_cmpfloat (fabs (pd_measured_get_time (table, &place, 2) - (20000 + 100000.0 / 3)), <,
                     1e-6);
  table->between_sizes = FALSE;
  place = pd_measured_find (table, 2000);
  g_assert_cmpfloat (fabs (pd_measured_get_time (table, &place, 1) - 25000), <, 1e-6);
}

static void
test_options (void)
{
  static const gdouble cf[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  static const gdouble raw[] = { 2.1, 9.8, 2.2, 2.1, 3, 6.5, 8.5 };
  static const gdouble smooth[] = { 1, 2.1, 4.275, 4.275, 4.275, 4.275, 6.5, 8.5 };
  g_autoptr (PdMeasured) table = pd_measured_new (cf, G_N_ELEMENTS (cf));

  g_assert_true (pd_measured_add (table, 1000, PD_TIME (1000), raw));
  g_assert_true (pd_measured_add (table, 2000, PD_TIME (3000), raw));
  g_assert_cmpuint (pd_measured_find_fall (table, 0, 4), ==, 3);
  g_assert_cmpuint (pd_measured_find_fall (table, 0, 3.5), ==, 3);
  g_assert_cmpuint (pd_measured_find_fall (table, 0, 3), ==, 0);
  table->below_line = table->beyond_nearest = TRUE;
  PdMeasuredPlace near = pd_measured_find (table, 750), far = pd_measured_find (table, 1);
  g_assert_cmpfloat (fabs (pd_measured_get_time (table, &near, 1) - 500), <, 1e-9);
  g_assert_cmpfloat (pd_measured_get_time (table, &far, 1), ==, 0);
  PdMeasuredPlace first = pd_measured_find (table, 1000);
  g_assert_cmpfloat (pd_measured_get_time (table, &first, 80), ==, 8500);
  for (guint twice = 0; twice < 2; twice++)
    {
      pd_measured_smooth (table);
      for (guint i = 0; i < G_N_ELEMENTS (cf); i++)
        g_assert_cmpfloat (fabs (pd_measured_get_time (table, &first, cf[i]) - 1000 * smooth[i]), <,
                           1e-9);
    }
  g_assert_cmpuint (pd_measured_find_fall (table, 0, 100), ==, 0);
}

/* ---- sequences worked out by hand */

#define TABLES                                                                                     \
  "<table level='memory'><row size='1kB' time='1us' factors='2:3'/>"                               \
  "<row size='4kB' time='4us' factors='2:3'/></table>"                                             \
  "<table level='interconnect'><row size='1kB' time='2us' factors='1.5'/></table>"                 \
  "<table level='network'><row size='1kB' time='10us' factors='2:4'/></table>"
#define PROCESSORS " counts='processors'"
#define SOCKETS    " sockets='2' processors-per-socket='2'"

typedef struct
{
  gdouble at; /* us */
  guint32 source, source_processor, target, target_processor;
  gint64 bytes; /* negative: a control message */
  gdouble end;  /* us */
} Message;

static const struct
{
  const char *name;
  const char *attributes;
  const char *tables;
  Message messages[5];
} sequences[] = {
  { "alone", SOCKETS, TABLES, { { 0, 0, 0, 1, 0, 1000, 10 }, { 20, 0, 0, 0, 1, 1000, 21 } } },
  { "control", " startup='3us'", TABLES, { { 0, 0, 0, 1, 0, -1, 3 }, { 5, 0, 0, 1, 0, 0, 8 } } },
  { "startup", " startup='3us'", TABLES, { { 0, 0, 0, 1, 0, 1000, 13 } } },
  { "levels",
    SOCKETS,
    TABLES,
    { { 0, 0, 0, 0, 1, 1000, 1 }, { 0, 0, 1, 0, 2, 1000, 2 }, { 0, 0, 3, 1, 0, 1000, 10 } } },
  { "two-in-memory",
    SOCKETS,
    TABLES,
    { { 0, 0, 0, 0, 1, 1000, 2 }, { 0, 0, 1, 0, 0, 1000, 2 }, { 0, 0, 2, 0, 3, 1000, 1 } } },
  /* half of it alone, then the rest at half the speed; the second one has half left then */
  { "one-arrives", SOCKETS, TABLES, { { 0, 0, 0, 1, 0, 1000, 15 }, { 5, 0, 1, 2, 0, 1000, 20 } } },
  { "one-leaves", SOCKETS, TABLES, { { 0, 0, 0, 1, 0, 500, 10 }, { 0, 0, 1, 2, 0, 1000, 15 } } },
  { "three",
    SOCKETS,
    TABLES,
    { { 0, 0, 0, 1, 0, 1000, 40 }, { 0, 0, 1, 2, 0, 1000, 40 }, { 0, 0, 2, 3, 0, 1000, 40 } } },
  /* four at a time are beyond the table: 4/3 of what three take */
  { "beyond-cf",
    SOCKETS,
    TABLES,
    { { 0, 1, 0, 0, 0, 750, 40 },
      { 0, 1, 0, 0, 0, 750, 40 },
      { 0, 2, 0, 0, 0, 750, 40 },
      { 0, 3, 0, 0, 0, 750, 40 } } },
  /* out of 0 and into 0 at a time */
  { "separate", SOCKETS, TABLES, { { 0, 0, 0, 1, 0, 1000, 10 }, { 0, 2, 0, 0, 0, 1000, 10 } } },
  { "together",
    " directions='together'",
    TABLES,
    { { 0, 0, 0, 1, 0, 1000, 20 }, { 0, 2, 0, 0, 0, 1000, 20 } } },
  { "both-ends", SOCKETS, TABLES, { { 0, 0, 0, 1, 0, 1000, 20 }, { 0, 2, 0, 1, 0, 1000, 20 } } },
  { "source-only",
    " ends='source'",
    TABLES,
    { { 0, 0, 0, 1, 0, 1000, 10 }, { 0, 2, 0, 1, 0, 1000, 10 } } },
  { "no-table-of-memory",
    SOCKETS,
    "<table level='network'><row size='1kB' time='10us' factors='2:4'/></table>",
    { { 0, 0, 0, 0, 1, 1000, 20 }, { 0, 0, 2, 0, 0, 1000, 20 } } },
  /* two processors share a memory with one message as with three */
  { "processors-of-memory",
    SOCKETS PROCESSORS,
    TABLES,
    { { 0, 0, 0, 0, 1, 1000, 2 }, { 10, 0, 0, 0, 1, 1000, 12 }, { 10, 0, 1, 0, 0, 1000, 12 } } },
  { "processors-of-sockets",
    SOCKETS PROCESSORS,
    TABLES,
    { { 0, 0, 0, 0, 2, 1000, 2 },
      { 0, 0, 2, 0, 0, 1000, 2 },
      { 0, 1, 0, 1, 2, 1000, 3 },
      { 0, 1, 1, 1, 3, 1000, 3 } } },
  { "processor-both-ways",
    PROCESSORS " directions='together'",
    TABLES,
    { { 0, 0, 0, 1, 0, 1000, 10 }, { 0, 1, 0, 0, 0, 1000, 10 } } },
  { "processors-together",
    PROCESSORS " directions='together'",
    TABLES,
    { { 0, 0, 0, 1, 0, 1000, 20 }, { 0, 2, 0, 0, 1, 1000, 20 } } },
  { "processors-separate",
    PROCESSORS,
    TABLES,
    { { 0, 0, 0, 1, 0, 1000, 10 }, { 0, 2, 0, 0, 1, 1000, 10 } } },
  /* the second message of a processor changes nothing, neither when it leaves */
  { "processor-leaves",
    PROCESSORS,
    TABLES,
    { { 0, 0, 0, 1, 0, 500, 10 }, { 0, 0, 1, 2, 0, 1000, 15 }, { 0, 0, 1, 3, 0, 250, 5 } } },
  { "processors-no-table-of-memory",
    SOCKETS PROCESSORS " directions='together'",
    "<table level='network'><row size='1kB' time='10us' factors='2:4'/></table>",
    { { 0, 0, 0, 0, 1, 1000, 20 }, { 0, 1, 0, 2, 0, 1000, 10 } } },
  { "nearest-beyond",
    PROCESSORS " beyond='nearest'",
    TABLES,
    { { 0, 0, 0, 1, 0, 1000, 40 },
      { 0, 0, 1, 1, 1, 1000, 40 },
      { 0, 0, 2, 1, 2, 1000, 40 },
      { 0, 0, 3, 1, 3, 1000, 40 } } },
  { "line-below",
    " below='line'",
    "<table level='network'><row size='1kB' time='10us'/><row size='2kB' time='16us'/></table>",
    { { 0, 0, 0, 1, 0, 500, 7 } } },
  { "smooth",
    " smooth='monotone'",
    "<table level='network'><row size='1kB' time='10us' factors='4:2'/></table>",
    { { 0, 0, 0, 1, 0, 1000, 30 }, { 0, 0, 1, 1, 1, 1000, 30 } } },
  { "processor-beyond-sockets", SOCKETS, TABLES, { { 0, 0, 7, 0, 3, 1000, 1 } } },
};

/* @inside: tables */
static PdMachine *
load (const char *attributes, const char *tables, const char *nodes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text =
      g_strdup_printf ("<machine name='m'><network type='contention'%s eager='1GB'>%s%s"
                       "</network></machine>",
                       attributes, tables, nodes);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  PdMachine *machine = pd_machine_load_bytes (bytes, "test", NULL, 0, &error);

  g_assert_no_error (error);
  return machine;
}

static TestHost *
host_new (const char *attributes, const char *tables, guint32 n_transfers)
{
  return test_host_new (load (attributes, tables, "<nodes count='4' processors='8'/>"), 4,
                        n_transfers);
}

static void
test_sequence (gconstpointer data)
{
  gsize n = GPOINTER_TO_SIZE (data);
  const Message *m = sequences[n].messages;
  g_autoptr (TestHost) host = host_new (sequences[n].attributes, sequences[n].tables, 5);

  for (guint32 i = 0; m[i].end > 0; i++)
    test_host_request (host, i, (gint64) (m[i].at * US),
                       &(PdTransfer){ .source = m[i].source,
                                      .target = m[i].target,
                                      .source_processor = m[i].source_processor,
                                      .target_processor = m[i].target_processor,
                                      .bytes = MAX (0, m[i].bytes),
                                      .control = m[i].bytes < 0 });
  test_host_run (host, G_MAXINT64 - 1);
  for (guint32 i = 0; m[i].end > 0; i++)
    g_assert_cmpint (host->delivered[i], ==, (gint64) floor (m[i].end * US + 0.5));
}

/* ---- against a slow model, in small steps of time */

enum
{
  N = 60
};

static guint32
slow_count (const PdTransfer *transfers, const gboolean *is_on, guint i)
{
  guint32 out = 0, in = 0;

  for (guint j = 0; j < N; j++)
    {
      out += is_on[j] && transfers[j].source == transfers[i].source ? 1 : 0;
      in += is_on[j] && transfers[j].target == transfers[i].target ? 1 : 0;
    }
  return MAX (out, in);
}

/* Every message is delivered once, when a model with a step of 1 ns says so. */
static void
test_random (void)
{
  static const gdouble factors[] = { 1, 1, 2, 4 };
  g_autoptr (TestHost) host = host_new ("", TABLES, N);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  PdTransfer transfers[N];
  gboolean is_on[N] = { FALSE };
  gint64 begins[N], ends[N];
  gdouble left[N];
  guint n_done = 0;

  for (guint i = 0; i < N; i++)
    {
      guint32 source = (guint32) g_rand_int_range (random, 0, 4);
      guint32 target = (source + (guint32) g_rand_int_range (random, 1, 4)) % 4;
      transfers[i] = (PdTransfer){ .source = source, .target = target, .bytes = 1000 };
      begins[i] = (i == 0 ? 0 : begins[i - 1]) + 1000000 * g_rand_int_range (random, 0, 4);
      left[i] = 1;
    }
  for (gint64 now = 0; n_done < N; now += 1000)
    {
      for (guint i = 0; i < N; i++)
        if (is_on[i] && left[i] < 1e-9)
          {
            is_on[i] = FALSE;
            ends[i] = now;
            n_done++;
          }
        else if (begins[i] == now)
          is_on[i] = TRUE;
      for (guint i = 0; i < N; i++)
        if (is_on[i])
          {
            guint32 cf = slow_count (transfers, is_on, i);
            left[i] -= 1e-4 / (cf > 3 ? 4 * cf / 3.0 : factors[cf]);
          }
    }
  for (guint i = 0; i < N; i++)
    test_host_request (host, i, begins[i], &transfers[i]);
  test_host_run (host, G_MAXINT64 - 1);
  for (guint i = 0; i < N; i++)
    g_assert_cmpint (ABS (host->delivered[i] - ends[i]), <, 20000);
}

/* ---- reports */

static const struct
{
  const char *name;
  gint64 bytes;
  guint32 n_senders;
  guint64 expected;
} reports[] = {
  { "inside", 1000, 3, 0 },   { "too-small", 999, 1, 1 },  { "too-large", 1001, 1, 1 },
  { "too-many", 1000, 4, 1 }, { "control-only", 0, 1, 0 },
};

/* Ranks of other nodes send to rank 0 at a time. */
static void
test_report (gconstpointer data)
{
  gsize n = GPOINTER_TO_SIZE (data);
  guint32 n_senders = reports[n].n_senders, rank;
  g_autoptr (PdMachine) machine = load ("", TABLES, "<nodes count='5'/>");
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, n_senders + 1, NULL);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdComm *world = pd_comsys_get_world (comsys);
  gboolean acted[5] = { FALSE };
  PdTime rets[5], when;
  PdBundle bundle = { 0 };

  for (rank = 0; rank <= n_senders; rank++)
    pd_comsys_ready (comsys, rank, PD_TIME_ZERO);
  while (pd_comsys_next (comsys, &rank, &when))
    {
      PdCall call = { .rank = rank, .when = when, .ret = &rets[rank] };
      if (acted[rank])
        continue;
      acted[rank] = TRUE;
      for (guint32 i = 1; rank == 0 && i <= n_senders; i++)
        pd_bundle_add (comsys, &bundle,
                       pd_comsys_irecv (comsys, &call, world,
                                        (PdEnvelope){ (gint32) i, 0, reports[n].bytes }));
      if (rank == 0)
        pd_comsys_waitall_bundle (comsys, &call, &bundle);
      else
        pd_comsys_send (comsys, &call, world, (PdEnvelope){ 0, 0, reports[n].bytes });
    }
  g_assert_cmpuint (pd_comsys_finalize (comsys), ==, 0);
  pd_comsys_report (comsys, messages);
  g_assert_cmpuint (pd_messages_count (messages, "outside-measured"), ==, reports[n].expected);
}

/* What falls with cf is told where it was used. */
static void
test_suspect (void)
{
  static const char tables[] =
      "<table level='network'><row size='1kB' time='10us' factors='2:1'/></table>";
  for (guint n = 1; n <= 3; n++)
    {
      g_autoptr (TestHost) host = host_new ("", tables, 3);
      g_autoptr (PdMessages) messages = pd_messages_new ();
      for (guint32 i = 0; i < n; i++)
        test_host_request (host, i, 0, &(PdTransfer){ .source = 0, .target = 1, .bytes = 1000 });
      test_host_run (host, G_MAXINT64 - 1);
      pd_network_class_find ("contention")->report (host->network, messages);
      g_assert_cmpuint (pd_messages_count (messages, "suspect-measured"), ==, n > 2 ? 1 : 0);
    }
}

/* ---- the tables of the paper of 2019 */

/* Rows "m_MB,cf1,…" as a table of a network that sends 1 MB in 1 ms. */
static char *
read_csv (const char *path, GArray *ratios, GArray *sizes)
{
  g_autofree char *text = NULL;
  GString *table = g_string_new ("<table level='network'>");

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (g_strchomp (lines[i]), ",", -1);
      gdouble size = g_ascii_strtod (cells[0], NULL);
      g_array_append_val (sizes, size);
      g_string_append_printf (table, "<row size='%sMB' time='%sms' factors='", cells[0], cells[0]);
      for (guint c = 1; cells[c] != NULL; c++)
        {
          gdouble ratio = g_ascii_strtod (cells[c], NULL);
          g_array_append_val (ratios, ratio);
          if (c > 1)
            g_string_append_printf (table, "%s%s", c > 2 ? ":" : "", cells[c]);
        }
      g_string_append (table, "'/>");
    }
  g_string_append (table, "</table>");
  return g_string_free (table, FALSE);
}

/* So many pairs of two nodes exchange at a time as were measured. */
static void
test_paper (void)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared",
                                            "reference/seed002/fig5a_infiniband_qdr.csv", NULL);
  g_autoptr (GArray) ratios = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gdouble));

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_autofree char *table = read_csv (path, ratios, sizes);
  g_assert_cmpuint (ratios->len, ==, 8 * sizes->len);
  for (guint row = 0; row < sizes->len; row++)
    for (guint32 cf = 1; cf <= 8; cf++)
      {
        g_autoptr (TestHost) host = host_new ("", table, 16);
        gdouble mb = g_array_index (sizes, gdouble, row);
        gdouble expected = mb * 1e9 * g_array_index (ratios, gdouble, row * 8 + cf - 1);
        for (guint32 i = 0; i < 2 * cf; i++)
          test_host_request (host, i, 0,
                             &(PdTransfer){ .source = i % 2,
                                            .target = 1 - i % 2,
                                            .source_processor = i / 2,
                                            .target_processor = i / 2,
                                            .bytes = (gint64) (mb * 1e6) });
        test_host_run (host, G_MAXINT64 - 1);
        for (guint32 i = 0; i < 2 * cf; i++)
          g_assert_cmpfloat (fabs ((gdouble) host->delivered[i] - expected), <=, 2);
      }
}

/* The shapes of the installed cluster, nodes x processors, in the order that the paper
 * measured for an Alltoall of 1 MB. */
static void
test_shapes (void)
{
  static const struct
  {
    guint32 n;
    const char *maps[3]; /* the quickest first */
  } orders[] = {
    { 2, { "per-node:2", "per-node:1" } },
    { 4, { "per-node:1", "per-node:4", "per-node:2" } },
    { 8, { "per-node:8", "per-node:2", "per-node:4" } },
  };
  g_autoptr (PdMachine) machine = test_machine ("infiniband-qdr-numa", 48);

  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      PdTime before = PD_TIME_ZERO;
      for (guint k = 0; k < 3 && orders[i].maps[k] != NULL; k++)
        {
          guint32 n = orders[i].n;
          g_autofree guint32 *placement = pd_machine_place (machine, orders[i].maps[k], n, NULL);
          TestStep steps[8];
          for (guint32 rank = 0; rank < n; rank++)
            steps[rank] = (TestStep) COLLECTIVE (rank, ALLTOALL, 0, 1000000, 0);
          TestSetup setup = { .machine = machine, .placement = placement, .n_ranks = n };
          g_autoptr (TestRun) run = test_run_new (&setup, steps, n);
          PdTime latest = PD_TIME_ZERO;
          for (guint32 rank = 0; rank < n; rank++)
            latest = pd_time_max (latest, run->ret[rank]);
          g_assert_cmpint (latest.ps, >, before.ps);
          before = latest;
        }
    }
}

static void
test_overflow (void)
{
  g_autoptr (TestHost) host = host_new ("", TABLES, 2);

  test_host_request (host, 0, 0, &(PdTransfer){ .source = 0, .target = 1, .bytes = G_MAXINT64 });
  test_host_request (host, 1, 0, &(PdTransfer){ .source = 1, .target = 0, .bytes = 1000 });
  test_host_run (host, G_MAXINT64);
  g_assert_cmpint (host->delivered[0], ==, G_MAXINT64);
  g_assert_cmpint (host->delivered[1], ==, 10000000);
}

static void
add_case (const char *folder, gsize i, const char *name, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/comsys/net-contention/%s/%s", folder, name);

  g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    add_case ("table", i, places[i].name, test_measured);
  g_test_add_func ("/comsys/contention/between", test_between);
  g_test_add_func ("/comsys/net-contention/table/options", test_options);
  for (gsize i = 0; i < G_N_ELEMENTS (sequences); i++)
    add_case ("sequence", i, sequences[i].name, test_sequence);
  for (gsize i = 0; i < G_N_ELEMENTS (reports); i++)
    add_case ("report", i, reports[i].name, test_report);
  g_test_add_func ("/comsys/net-contention/report/suspect", test_suspect);
  g_test_add_func ("/comsys/net-contention/slow-model", test_random);
  g_test_add_func ("/comsys/net-contention/paper", test_paper);
  g_test_add_func ("/comsys/net-contention/shapes", test_shapes);
  g_test_add_func ("/comsys/net-contention/overflow", test_overflow);
  return g_test_run ();
}
