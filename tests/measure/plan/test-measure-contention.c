/* Pairs on invented topologies, factors and recommendations of given times, options of
 * contention.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-contention-options.h"
#include "measure/plan/pd-contention.h"
#include "measure/stats/pd-lengths.h"
#include "measure/plan/pd-node-topology.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- who exchanges: places are "node.socket.core.thread" */

static const char two_by_two[] = "0.0.0.0 0.0.1.0 0.0.2.0 0.0.3.0 0.1.4.0 0.1.5.0 0.1.6.0 0.1.7.0 "
                                 "1.0.0.0 1.0.1.0 1.0.2.0 1.0.3.0 1.1.4.0 1.1.5.0 1.1.6.0 1.1.7.0";
static const char one_socket[] = "0.0.0.0 0.0.1.0 0.0.2.0 0.0.3.0 0.0.4.0";
static const char uneven[] = "0.0.0.0 1.0.0.0 1.0.1.0 1.0.2.0 1.1.3.0 2.0.0.0 2.0.1.0 2.1.2.0 "
                             "2.1.3.0";
/* of core 1 the second thread only; of core 0 both, in the wrong order */
static const char threads[] = "0.0.0.1 0.0.0.0 0.0.1.1";
static const char crowded[] = "0.0.0.0 0.0.1.0 0.0.0.0 0.0.1.0";
static const char apart[] = "0.0.0.0 1.0.0.0";
static const char three[] = "0.0.0.0 1.0.0.0 2.0.0.0";
static const char alone[] = "0.0.0.0";

static GArray *
read_places (const char *text)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (PdCpuPlace));
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      PdCpuPlace place;
      g_assert_cmpint (
          sscanf (words[i], "%d.%d.%d.%d", &place.node, &place.socket, &place.core, &place.thread),
          ==, 4);
      g_array_append_val (places, place);
    }
  return places;
}

#define CORES     PD_PAIRS_CORES
#define THREADS   PD_PAIRS_THREADS
#define PROCESSES PD_PAIRS_PROCESSES

/* "3>4" with "4>3": a pair; most 0: absent. */
static const struct
{
  const char *name;
  const char *places;
  PdPairsOf of;
  PdPairLevel level;
  guint most;
  guint cf;
  const char *exchanges;
} shares[] = {
  { "two-by-two/memory-1", two_by_two, CORES, PD_LEVEL_MEMORY, 4, 1, "0>0" },
  { "two-by-two/memory-2", two_by_two, CORES, PD_LEVEL_MEMORY, 4, 2, "0>1 1>0" },
  { "two-by-two/memory-3", two_by_two, CORES, PD_LEVEL_MEMORY, 4, 3, "0>1 1>2 2>0" },
  { "two-by-two/memory-4", two_by_two, CORES, PD_LEVEL_MEMORY, 4, 4, "0>1 1>0 2>3 3>2" },
  { "two-by-two/interconnect-1", two_by_two, CORES, PD_LEVEL_INTERCONNECT, 4, 1, "0>4 4>0" },
  { "two-by-two/interconnect-3", two_by_two, CORES, PD_LEVEL_INTERCONNECT, 4, 3,
    "0>4 4>0 1>5 5>1 2>6 6>2" },
  { "two-by-two/network-1", two_by_two, CORES, PD_LEVEL_NETWORK, 8, 1, "0>8 8>0" },
  { "two-by-two/network-5", two_by_two, CORES, PD_LEVEL_NETWORK, 8, 5,
    "0>8 8>0 1>9 9>1 2>10 10>2 3>11 11>3 4>12 12>4" },
  { "one-socket/memory-5", one_socket, CORES, PD_LEVEL_MEMORY, 5, 5, "0>1 1>0 2>3 3>4 4>2" },
  { "one-socket/interconnect", one_socket, CORES, PD_LEVEL_INTERCONNECT, 0, 0, "" },
  { "one-socket/network", one_socket, CORES, PD_LEVEL_NETWORK, 0, 0, "" },
  { "uneven/memory", uneven, CORES, PD_LEVEL_MEMORY, 3, 3, "1>2 2>3 3>1" },
  /* node 1 has 3 and 1, node 2 has 2 and 2 */
  { "uneven/interconnect", uneven, CORES, PD_LEVEL_INTERCONNECT, 2, 2, "5>7 7>5 6>8 8>6" },
  { "uneven/network", uneven, CORES, PD_LEVEL_NETWORK, 4, 4, "1>5 5>1 2>6 6>2 3>7 7>3 4>8 8>4" },
  { "siblings/one-of-a-core", threads, CORES, PD_LEVEL_MEMORY, 2, 2, "1>2 2>1" },
  { "siblings/asked-for", threads, THREADS, PD_LEVEL_MEMORY, 3, 3, "1>0 0>2 2>1" },
  { "crowded/cores", crowded, CORES, PD_LEVEL_MEMORY, 2, 2, "0>1 1>0" },
  { "crowded/threads", crowded, THREADS, PD_LEVEL_MEMORY, 2, 2, "0>1 1>0" },
  { "crowded/processes", crowded, PROCESSES, PD_LEVEL_MEMORY, 4, 4, "0>2 2>0 1>3 3>1" },
  { "apart/memory", apart, CORES, PD_LEVEL_MEMORY, 0, 0, "" },
  { "apart/network", apart, CORES, PD_LEVEL_NETWORK, 1, 1, "0>1 1>0" },
  { "three/network-is-of-the-first", three, CORES, PD_LEVEL_NETWORK, 1, 1, "0>1 1>0" },
  { "alone/memory", alone, CORES, PD_LEVEL_MEMORY, 0, 0, "" },
};

/* Each receives from the one that sends to it, all of them are there once. */
static void
check_partners (const GArray *exchanges)
{
  for (guint i = 0; i < exchanges->len; i++)
    {
      const PdPairExchange *one = &g_array_index (exchanges, PdPairExchange, i);
      guint found = 0, same = 0;
      for (guint k = 0; k < exchanges->len; k++)
        {
          const PdPairExchange *other = &g_array_index (exchanges, PdPairExchange, k);
          same += other->rank == one->rank ? 1 : 0;
          found += other->rank == one->to && other->from == one->rank ? 1 : 0;
        }
      g_assert_cmpuint (found, ==, 1);
      g_assert_cmpuint (same, ==, 1);
    }
}

static void
test_share (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GArray) places = read_places (shares[i].places), exchanges = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (PdPairs) pairs =
      pd_pairs_new ((const PdCpuPlace *) (const void *) places->data, places->len, shares[i].of);

  g_assert_cmpuint (pd_pairs_most (pairs, shares[i].level), ==, shares[i].most);
  if (shares[i].most == 0)
    {
      g_assert_nonnull (pd_pairs_why (shares[i].level));
      return;
    }
  exchanges = pd_pairs_share (pairs, shares[i].level, shares[i].cf);
  check_partners (exchanges);
  for (guint k = 0; k < exchanges->len; k++)
    {
      const PdPairExchange *one = &g_array_index (exchanges, PdPairExchange, k);
      g_string_append_printf (found, "%s%d>%d", k > 0 ? " " : "", one->rank, one->to);
    }
  g_assert_cmpstr (found->str, ==, shares[i].exchanges);
}

/* All cf of all levels of a large machine have partners. */
static void
test_all_partners (void)
{
  g_autofree PdCpuPlace *places = g_new (PdCpuPlace, 3 * 48);
  g_autoptr (PdPairs) pairs = NULL;

  for (int i = 0; i < 3 * 48; i++)
    places[i] = (PdCpuPlace){ i % 3, i / 3 % 2, i / 3, 0 };
  pairs = pd_pairs_new (places, 3 * 48, PD_PAIRS_CORES);
  for (PdPairLevel level = 0; level < PD_N_LEVELS; level++)
    {
      guint most = pd_pairs_most (pairs, level);
      g_assert_cmpuint (most, ==, level == PD_LEVEL_NETWORK ? 48 : 24);
      for (guint cf = 1; cf <= most; cf++)
        {
          g_autoptr (GArray) exchanges = pd_pairs_share (pairs, level, cf);
          g_assert_cmpuint (exchanges->len, ==, level == PD_LEVEL_MEMORY ? cf : 2 * cf);
          check_partners (exchanges);
        }
    }
}

static void
test_ends (void)
{
  g_autoptr (GArray) places = read_places (uneven);
  g_autoptr (PdPairs) pairs =
      pd_pairs_new ((const PdCpuPlace *) (const void *) places->data, places->len, PD_PAIRS_CORES);
  int node[2], socket[2];

  pd_pairs_ends (pairs, PD_LEVEL_MEMORY, node, socket);
  g_assert_true (node[0] == 1 && node[1] == 1 && socket[0] == 0 && socket[1] == 0);
  pd_pairs_ends (pairs, PD_LEVEL_INTERCONNECT, node, socket);
  g_assert_true (node[0] == 2 && node[1] == 2 && socket[0] == 0 && socket[1] == 1);
  pd_pairs_ends (pairs, PD_LEVEL_NETWORK, node, socket);
  g_assert_true (node[0] == 1 && node[1] == 2);
}

/* ---- seats, of topologies that hwloc describes */

#define PLAIN "package:2 core:4 pu:1"
#define SMT   "package:2 core:2 pu:2"

static const struct
{
  const char *name;
  const char *topology;
  const char *allowed; /* one digit for each seat */
  guint n;
  gboolean threads;
  const char *dealt; /* numbers of seats */
} deals[] = {
  { "full", PLAIN, "11111111", 8, FALSE, "0 1 2 3 4 5 6 7" },
  { "few", PLAIN, "11111111", 4, FALSE, "0 1 4 5" },
  { "odd", PLAIN, "11111111", 3, FALSE, "0 1 4" },
  { "one", PLAIN, "11111111", 1, FALSE, "0" },
  { "some-allowed", PLAIN, "01100001", 3, FALSE, "1 2 7" },
  { "one-socket-allowed", PLAIN, "00001111", 3, FALSE, "4 5 6" },
  { "none-allowed", PLAIN, "00000000", 2, FALSE, "0 4" },
  { "too-many", PLAIN, "10001000", 5, FALSE, "0 4 0 4 0" },
  { "siblings", SMT, "11111111", 4, FALSE, "0 2 4 6" },
  { "siblings-missing", SMT, "01101110", 4, FALSE, "2 1 4 6" },
  { "siblings-too-many", SMT, "11111111", 6, FALSE, "0 2 4 6 0 2" },
  { "siblings-asked-for", SMT, "11111111", 6, TRUE, "0 2 1 4 6 5" },
};

static void
test_deal (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdNodeTopology) topology = pd_node_topology_new (deals[i].topology, NULL);
  g_autoptr (GString) found = g_string_new (NULL);
  g_autofree guint8 *allowed = NULL;
  g_autofree guint *dealt = NULL;
  guint n;

  g_assert_nonnull (topology);
  const PdSeat *seats = pd_node_topology_seats (topology, &n);
  g_assert_cmpuint (n, ==, strlen (deals[i].allowed));
  allowed = g_new (guint8, n);
  for (guint k = 0; k < n; k++)
    allowed[k] = deals[i].allowed[k] == '1';
  dealt = pd_seats_deal (seats, n, allowed, deals[i].n, deals[i].threads);
  for (guint k = 0; k < deals[i].n; k++)
    g_string_append_printf (found, "%s%u", k > 0 ? " " : "", dealt[k]);
  g_assert_cmpstr (found->str, ==, deals[i].dealt);
}

static void
test_topology (void)
{
  g_autoptr (PdNodeTopology) topology = pd_node_topology_new (SMT, NULL);
  guint8 allowed[8];
  guint n;
  const PdSeat *seats = pd_node_topology_seats (topology, &n);

  g_assert_false (pd_node_topology_is_real (topology));
  g_assert_cmpuint (n, ==, 8);
  for (int i = 0; i < 8; i++)
    {
      g_assert_cmpint (seats[i].socket, ==, i / 4);
      g_assert_cmpint (seats[i].core, ==, i / 2);
      g_assert_cmpint (seats[i].thread, ==, i % 2);
    }
  pd_node_topology_allowed (topology, allowed);
  g_assert_cmpint (memchr (allowed, 0, 8) == NULL, ==, TRUE);
  g_assert_false (pd_node_topology_bind (topology, 3, TRUE));
}

/* Bound, one may only run there. */
static void
test_bind (void)
{
  g_autoptr (PdNodeTopology) topology = pd_node_topology_new (NULL, NULL);
  g_autofree guint8 *allowed = NULL;
  guint n, first = 0, count = 0;

  g_assert_nonnull (topology);
  pd_node_topology_seats (topology, &n);
  if (!pd_node_topology_is_real (topology))
    {
      g_test_skip ("hwloc pretends another machine");
      return;
    }
  allowed = g_new0 (guint8, n);
  pd_node_topology_allowed (topology, allowed);
  while (first < n && !allowed[first])
    first++;
  g_assert_cmpuint (first, <, n);
  g_assert_true (pd_node_topology_bind (topology, first, FALSE));
  pd_node_topology_allowed (topology, allowed);
  for (guint i = 0; i < n; i++)
    count += allowed[i];
  g_assert_true (allowed[first] != 0 && count == 1);
}

static void
test_no_topology (void)
{
  static const char *const wrong[] = { "thing", "package:0", "/nowhere/x.xml", "" };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (pd_node_topology_new (wrong[i], &error));
      g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_ABSENT);
    }
}

/* ---- what is said of times */

static void
add (GArray *cells, PdPairLevel level, gint64 bytes, guint cf, gdouble us)
{
  PdContentionCell cell = { .level = level, .bytes = bytes, .sharing = cf, .median = us * 1e-6 };

  g_array_append_val (cells, cell);
}

static GArray *
make_cells (void)
{
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (PdContentionCell));

  /* not in order; no bytes have no throughput */
  add (cells, PD_LEVEL_NETWORK, 2000, 2, 30);
  add (cells, PD_LEVEL_NETWORK, 2000, 1, 20);
  add (cells, PD_LEVEL_NETWORK, 2000, 4, 81);
  add (cells, PD_LEVEL_NETWORK, 1000, 1, 10);
  add (cells, PD_LEVEL_NETWORK, 1000, 2, 15);
  add (cells, PD_LEVEL_NETWORK, 1000, 4, 40);
  add (cells, PD_LEVEL_NETWORK, 0, 1, 100);
  add (cells, PD_LEVEL_NETWORK, 0, 4, 1);
  add (cells, PD_LEVEL_MEMORY, 1000, 1, 1);
  add (cells, PD_LEVEL_MEMORY, 1000, 2, 5);
  add (cells, PD_LEVEL_MEMORY, 1000, 3, 7.6);
  add (cells, PD_LEVEL_MEMORY, 1000, 4, 9.9);
  add (cells, PD_LEVEL_INTERCONNECT, 1000, 2, 5);
  return cells;
}

static const PdContentionCell *
find (const GArray *cells, PdPairLevel level, gint64 bytes, guint cf)
{
  for (guint i = 0; i < cells->len; i++)
    {
      const PdContentionCell *one = &g_array_index (cells, PdContentionCell, i);
      if (one->level == level && one->bytes == bytes && one->sharing == cf)
        return one;
    }
  g_assert_not_reached ();
}

static void
test_factors (void)
{
  g_autoptr (GArray) cells = make_cells ();
  static const struct
  {
    PdPairLevel level;
    gint64 bytes;
    guint cf;
    gdouble factor;
    gboolean super_linear;
  } rows[] = {
    { PD_LEVEL_NETWORK, 2000, 1, 1, FALSE },   { PD_LEVEL_NETWORK, 2000, 2, 1.5, FALSE },
    { PD_LEVEL_NETWORK, 2000, 4, 4.05, TRUE }, { PD_LEVEL_NETWORK, 1000, 4, 4, FALSE },
    { PD_LEVEL_NETWORK, 0, 4, .01, FALSE },    { PD_LEVEL_MEMORY, 1000, 2, 5, TRUE },
  };

  pd_contention_compare (cells);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const PdContentionCell *one = find (cells, rows[i].level, rows[i].bytes, rows[i].cf);
      g_assert_cmpfloat_with_epsilon (one->factor, rows[i].factor, 1e-9);
      g_assert_cmpint (one->super_linear, ==, rows[i].super_linear);
    }
  /* nothing to compare with */
  g_assert_true (isnan (find (cells, PD_LEVEL_INTERCONNECT, 1000, 2)->factor));
  g_assert_false (find (cells, PD_LEVEL_INTERCONNECT, 1000, 2)->super_linear);
  g_assert_cmpfloat_with_epsilon (
      pd_contention_throughput (find (cells, PD_LEVEL_NETWORK, 2000, 4)), 4 * 2000 / 81e-6, 1e-3);
}

static void
test_best (void)
{
  g_autoptr (GArray) cells = make_cells (),
                     none = g_array_new (FALSE, FALSE, sizeof (PdContentionCell));
  PdContentionBest best;

  /* 2 processes: 2 / 1.5 of both lengths; 4: 1 and 4 / 4.05 */
  g_assert_true (pd_contention_find_best (cells, PD_LEVEL_NETWORK, &best));
  g_assert_cmpuint (best.sharing, ==, 2);
  g_assert_true (best.least == 1 && best.most == 4);
  g_assert_cmpfloat_with_epsilon (best.gain, 4.0 / 3, 1e-9);
  g_assert_cmpfloat_with_epsilon (best.greatest, 4.0 / 3, 1e-9);
  /* of those that are nearly equal the largest: 1, 3 / 2 * 5 / 7.6 = 0.987, 2 * 5 / 9.9 = 1.01 */
  g_assert_true (pd_contention_find_best (cells, PD_LEVEL_MEMORY, &best));
  g_assert_cmpuint (best.sharing, ==, 4);
  g_assert_cmpuint (best.least, ==, 2);
  g_assert_false (pd_contention_find_best (none, PD_LEVEL_MEMORY, &best));
  add (none, PD_LEVEL_MEMORY, 0, 2, 1);
  add (none, PD_LEVEL_MEMORY, 1000, 1, 1);
  g_assert_false (pd_contention_find_best (none, PD_LEVEL_MEMORY, &best));
}

static void
test_matrices (void)
{
  g_autoptr (GArray) cells = make_cells ();
  g_autofree char *times = NULL, *factors = NULL;

  pd_contention_compare (cells);
  times = pd_contention_format (cells, PD_LEVEL_NETWORK, FALSE, "");
  g_assert_cmpstr (times, ==,
                   "network: t(m, cf), us\n"
                   "       bytes      cf = 1      cf = 2      cf = 4\n"
                   "           0      100.00           -        1.00\n"
                   "        1000       10.00       15.00       40.00\n"
                   "        2000       20.00       30.00       81.00\n");
  factors = pd_contention_format (cells, PD_LEVEL_MEMORY, TRUE, "pretended");
  g_assert_cmpstr (factors, ==,
                   "memory: t(m, cf) / t(m, 1); * more than cf times\n"
                   "       bytes     cf = 1      cf = 2      cf = 3      cf = 4 \n"
                   "        1000       1.00        5.00*       7.60*       9.90*  pretended\n");
}

/* ---- options */

static gboolean
parse (const char *line, PdContentionOptions *options, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autofree char **copy = g_new (char *, g_strv_length (words) + 1);

  memcpy (copy, words, (g_strv_length (words) + 1) * sizeof *words);
  return pd_contention_options_parse (options, (int) g_strv_length (words), copy, error);
}

static void
test_options (void)
{
  g_autoptr (GError) error = NULL;
  PdContentionOptions o;

  g_assert_true (
      parse ("contention --unit M --sizes 4,8 --sharing 2,4 --levels network,memory", &o, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (o.sizes->len, ==, 3);
  g_assert_cmpint (g_array_index (o.sizes, gint64, 0), ==, 0);
  g_assert_cmpint (g_array_index (o.sizes, gint64, 2), ==, 8 << 20);
  g_assert_cmpuint (o.counts->len, ==, 3);
  g_assert_cmpint (g_array_index (o.counts, gint64, 0), ==, 1);
  g_assert_true (o.wanted[PD_LEVEL_MEMORY] && o.wanted[PD_LEVEL_NETWORK]);
  g_assert_false (o.wanted[PD_LEVEL_INTERCONNECT]);
  pd_contention_options_clear (&o);

  g_assert_true (parse ("contention", &o, &error));
  g_assert_cmpuint (o.sizes->len, ==, 9);
  g_assert_null (o.counts);
  g_assert_true (o.wanted[PD_LEVEL_MEMORY] && o.wanted[PD_LEVEL_INTERCONNECT]);
  pd_contention_options_clear (&o);
}

static const struct
{
  const char *name;
  const char *line;
} wrong[] = {
  { "unit", "contention --unit X" },
  { "unit-of-list", "contention --unit X --sizes 1" },
  { "sizes-fall", "contention --sizes 8,4" },
  { "sizes-same", "contention --sizes 4,4" },
  { "sizes-zero", "contention --sizes 0,4" },
  { "sizes-word", "contention --sizes 4K" },
  { "sizes-none", "contention --sizes=" },
  { "sizes-too-long", "contention --unit M --sizes 1025" },
  { "sizes-overflow", "contention --sizes 99999999999999999999" },
  { "lengths-fall", "contention --min 4 --max 2" },
  { "factor", "contention --factor 1" },
  { "factor-nan", "contention --factor nan" },
  { "step", "contention --step -1" },
  { "sharing-zero", "contention --sharing 0" },
  { "sharing-word", "contention --sharing 1,x" },
  { "level", "contention --levels memory,disk" },
  { "level-none", "contention --levels=" },
  { "rounds", "contention --rounds 0" },
  { "repetitions", "contention --repetitions 0" },
  { "at-least", "contention --at-least nan" },
  { "bound", "contention --bound 0" },
  { "sync-time", "contention --sync-time 0" },
  { "per-node", "contention --processes-per-node -1" },
  { "argument", "contention thing" },
  { "option", "contention --thing" },
};

static void
test_wrong (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  PdContentionOptions options;

  g_assert_false (parse (wrong[GPOINTER_TO_SIZE (data)].line, &options, &error));
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE);
  pd_contention_options_clear (&options);
}

/* A length that grows beyond all numbers ends the list. */
static void
test_lengths (void)
{
  const PdLengths huge = { .unit = "B", .min = 1, .max = 1 << 30, .factor = 1e300 };
  g_autoptr (GArray) lengths = pd_lengths_make (&huge, NULL);

  g_assert_cmpuint (lengths->len, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      g_autofree char *path = g_strdup_printf ("/measure/pairs/share/%s", shares[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_share);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (deals); i++)
    {
      g_autofree char *path = g_strdup_printf ("/measure/pairs/deal/%s", deals[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_deal);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/measure/contention/wrong/%s", wrong[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_wrong);
    }
  g_test_add_func ("/measure/pairs/all-partners", test_all_partners);
  g_test_add_func ("/measure/pairs/ends", test_ends);
  g_test_add_func ("/measure/topology/synthetic", test_topology);
  g_test_add_func ("/measure/topology/bind", test_bind);
  g_test_add_func ("/measure/topology/none", test_no_topology);
  g_test_add_func ("/measure/contention/factors", test_factors);
  g_test_add_func ("/measure/contention/best", test_best);
  g_test_add_func ("/measure/contention/matrices", test_matrices);
  g_test_add_func ("/measure/contention/options", test_options);
  g_test_add_func ("/measure/contention/lengths", test_lengths);
  return g_test_run ();
}
