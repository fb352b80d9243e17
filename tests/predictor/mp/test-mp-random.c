/* Random message-passing programs: one step at a time gives what running ahead
 * gives, and every identity holds.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis.h"
#include "predictor/mp/pd-mp.h"
#include "tests/support/mp/mp-script.h"
#include "intervals/pd-interval-check.h"
#include "intervals/pd-interval-fold.h"

#define N_PROGRAMS 120
#define MAX_SLOTS  6

/* Programs that cannot deadlock: what they do is drawn in one order for all ranks,
 * and sent before it is received. */
typedef struct
{
  GRand *rand;
  GString *text;
  guint32 n;
  guint n_open[8]; /* requests by rank: slots 0 to n_open - 1 */
  gboolean wildcard;
  gboolean exact; /* nobody asks whether something has come */
} Writer;

static gint
draw (Writer *w, gint n)
{
  return g_rand_int_range (w->rand, 0, n);
}

static void
close_requests (Writer *w, guint32 rank)
{
  static const char *const forms[] = { "%u waitall;", "%u waitall;", NULL };
  const char *form = forms[draw (w, 3)];

  if (w->n_open[rank] == 0)
    return;
  if (form != NULL)
    g_string_append_printf (w->text, "%u waitall;", rank);
  else
    for (guint i = w->n_open[rank]; i-- > 0;)
      if (w->exact)
        g_string_append_printf (w->text, "%u wait %u;", rank, i);
      else
        g_string_append_printf (
            w->text, draw (w, 2) == 0 ? "%u test %u;%u wait %u;" : "%u test %u = 0;%u wait %u;",
            rank, i, rank, i);
  w->n_open[rank] = 0;
}

static void
add_message (Writer *w)
{
  static const char *const sends[] = { "send", "bsend", "rsend" };
  guint32 from = (guint32) draw (w, (gint) w->n), to = (guint32) draw (w, (gint) w->n);
  gint bytes = draw (w, 2) == 0 ? draw (w, 100) : draw (w, 100000);
  gint tag = draw (w, 2);
  gboolean immediate = from == to || draw (w, 3) > 0;

  if (immediate)
    g_string_append_printf (w->text, "%u %s %u %d %u %d;", from,
                            draw (w, 4) == 0 ? "issend" : "isend", to, bytes, w->n_open[from]++,
                            tag);
  else
    g_string_append_printf (w->text, "%u %s %u %d %d;", from, sends[draw (w, 3)], to, bytes, tag);
  if (draw (w, 2) == 0)
    g_string_append_printf (w->text, "%u compute %d;", to, draw (w, 50));
  if (immediate && draw (w, 2) == 0)
    g_string_append_printf (w->text, "%u irecv %u %d %u %d;", to, from, bytes, w->n_open[to]++,
                            tag);
  else
    g_string_append_printf (w->text, "%u recv %u %d %d;", to, from, bytes, tag);
}

/* A receive from anybody of what several send. */
static void
add_wildcard (Writer *w, gint number)
{
  guint32 to = (guint32) draw (w, (gint) w->n);
  gint n = 1 + draw (w, 3);

  for (gint i = 0; i < n; i++)
    {
      guint32 from = (guint32) draw (w, (gint) w->n);
      g_string_append_printf (w->text, "%u compute %d;%u isend %u %d %u %d;", from, draw (w, 30),
                              from, to, draw (w, 30000), w->n_open[from]++, 10 + number);
    }
  for (gint i = 0; i < n; i++)
    g_string_append_printf (w->text, "%u recv any 30000 %d;", to, 10 + number);
}

static void
add_collective (Writer *w)
{
  static const char *const forms[] = { "barrier", "bcast 0 3000", "allreduce 800 5", "commdup" };
  const char *form = forms[draw (w, 4)];

  for (guint32 rank = 0; rank < w->n; rank++)
    g_string_append_printf (w->text, "%u compute %d;%u %s;", rank, draw (w, 20), rank, form);
}

static void
add_icollective (Writer *w)
{
  for (guint32 rank = 0; rank < w->n; rank++)
    g_string_append_printf (w->text, "%u iallreduce 800 %u;%u compute %d;", rank, w->n_open[rank]++,
                            rank, draw (w, 20));
}

/* Locks of one rank are for one target at a time. */
static void
add_one_sided (Writer *w)
{
  static const char *const transfers[] = { "put", "get", "accumulate" };
  guint32 rank = (guint32) draw (w, (gint) w->n);
  gint target = draw (w, (gint) w->n);
  gboolean locks = draw (w, 2) == 0;

  if (locks)
    g_string_append_printf (w->text, "%u lock %d %d;", rank, target, draw (w, 2));
  for (gint i = draw (w, 4); i > 0; i--)
    g_string_append_printf (w->text, "%u %s %d %d;%u compute %d;", rank, transfers[draw (w, 3)],
                            target, draw (w, 100000), rank, draw (w, 5));
  if (locks)
    g_string_append_printf (w->text, "%u unlock %d;", rank, target);
  else if (draw (w, 3) == 0)
    for (rank = 0; rank < w->n; rank++)
      g_string_append_printf (w->text, "%u fence;", rank);
}

static void
add_step (Writer *w, gint number)
{
  guint32 rank = (guint32) draw (w, (gint) w->n);

  switch (draw (w, 10))
    {
    case 0:
      add_collective (w);
      break;
    case 1:
      g_string_append_printf (w->text, "%u compute %d;", rank, draw (w, 100));
      break;
    case 2:
      g_string_append_printf (w->text, "%u enter a%d;%u compute 1;%u leave a%d;", rank, number % 3,
                              rank, rank, number % 3);
      break;
    case 3:
      if (w->wildcard)
        add_wildcard (w, number);
      else if (!w->exact)
        add_icollective (w);
      break;
    case 4:
    case 5:
      add_one_sided (w);
      break;
    default:
      add_message (w);
    }
  for (rank = 0; rank < w->n; rank++)
    if (w->n_open[rank] >= MAX_SLOTS || draw (w, 6) == 0)
      close_requests (w, rank);
}

static PdProgram *
make_program (guint32 seed, gboolean wildcard, gboolean exact)
{
  Writer w = { .rand = g_rand_new_with_seed (seed),
               .text = g_string_new (NULL),
               .wildcard = wildcard,
               .exact = exact };

  w.n = 2 + (guint32) draw (&w, 4);
  for (gint i = 0; i < 60; i++)
    add_step (&w, i);
  for (guint32 rank = 0; rank < w.n; rank++)
    g_string_append_printf (w.text, "%u waitall;", rank);
  PdProgram *program = mp_script_new (w.n, PD_AMOUNT_TIME, w.text->str);
  g_string_free (w.text, TRUE);
  g_rand_free (w.rand);
  return program;
}

static PdReportRun *
predict (const PdProgram *program, const char *machine, gboolean one_step)
{
  g_autoptr (GError) error = NULL;
  const PdMpOptions options = {
    .trace = "test", .machine = machine, .one_step = one_step, .check = TRUE
  };
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);

  g_assert_no_error (error);
  return run;
}

static void
compare (PdReportRun *a, PdReportRun *b)
{
  guint32 n = a->n_processors;
  guint n_nodes = pd_interval_tree_get_n_nodes (a->tree);
  PdTime x[PD_N_CHARACTERISTICS], y[PD_N_CHARACTERISTICS];

  g_assert_cmpuint (n_nodes, ==, pd_interval_tree_get_n_nodes (b->tree));
  for (guint32 rank = 0; rank < n; rank++)
    {
      g_assert_cmpint (a->end_times[rank].ps, ==, b->end_times[rank].ps);
      for (guint32 node = 0; node < n_nodes; node++)
        {
          g_assert_cmpstr (pd_interval_tree_get_key (a->tree, node).name, ==,
                           pd_interval_tree_get_key (b->tree, node).name);
          pd_interval_tree_get_processor (a->tree, node, rank, x);
          pd_interval_tree_get_processor (b->tree, node, rank, y);
          for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
            g_assert_cmpint (x[c].ps, ==, y[c].ps);
        }
    }
  pd_report_run_free (a);
  pd_report_run_free (b);
}

/* What the simulation adds up while it goes on is what the analysis finds in the
 * times of the calls, when that is all there is. */
static void
compare_analysed (const PdProgram *program, const char *machine)
{
  g_autoptr (PdProgram) replayed = NULL;
  g_autoptr (GError) error = NULL;
  const PdMpOptions options = { .trace = "test", .machine = machine, .replayed = &replayed };
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);
  PdReportRun *analysed = g_new0 (PdReportRun, 1);

  g_assert_no_error (error);
  analysed->analysis = pd_analysis_new (replayed, "test", NULL, &error);
  g_assert_no_error (error);
  analysed->tree = analysed->analysis->tree;
  analysed->end_times =
      g_memdup (analysed->analysis->end_times, (guint) (run->n_processors * sizeof (PdTime)));
  g_assert_true (pd_interval_tree_check (analysed->tree, analysed->end_times, FALSE, &error));
  compare (run, analysed);
}

static const struct
{
  const char *name;
  const char *machine;
  gboolean wildcard;
  gboolean exact;
} rows[] = {
  { "ideal", "ideal", TRUE, FALSE },
  { "ethernet", "ethernet:startup=10us,per-byte=10ns,eager=1KiB", FALSE, FALSE },
  { "myrinet", "myrinet:startup=7us,per-byte=4ns,channels=1,eager=1KiB", FALSE, FALSE },
  { "detached", "myrinet:startup=7us,per-byte=4ns,channels=4,eager=10,detached=1MB", FALSE, FALSE },
  { "software",
    "myrinet:startup=7us,per-byte=4ns,processors-per-node=2,memory-startup=1us,"
    "memory-per-byte=1ns,send-overhead=2us,recv-overhead=3us,wait-overhead=1us",
    FALSE, FALSE },
  { "loggops", "loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,O=1ns,S=1000", FALSE, FALSE },
  { "flow", "flow:topology=star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt,eager=1KiB", FALSE,
    FALSE },
  { "ideal-exact", "ideal", FALSE, TRUE },
  { "dimemas", "dimemas:latency=5us,bandwidth=1GB/s", FALSE, TRUE },
  { "dimemas-rendezvous", "dimemas:latency=5us,bandwidth=1GB/s,eager=1KiB", FALSE, TRUE },
  { "dimemas-control",
    "dimemas:latency=0,bandwidth=100MB/s,eager=1KiB,control=modelled,send-overhead=2us,"
    "recv-overhead=3us",
    FALSE, TRUE },
  { "dimemas-links", "dimemas:latency=5us,bandwidth=1GB/s,in-links=1,out-links=1,eager=1KiB", FALSE,
    TRUE },
  { "wild", "myrinet:startup=7us,per-byte=4ns,channels=2,eager=1KiB", TRUE, FALSE },
};

static void
test_random (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    {
      g_autoptr (PdProgram) program = make_program (seed, rows[i].wildcard, rows[i].exact);
      compare (predict (program, rows[i].machine, FALSE), predict (program, rows[i].machine, TRUE));
    }
}

/* On networks where calls themselves cost nothing: elsewhere a message leaves
 * later than its call begins. */
static const char *const plain[] = {
  "ideal",
  "ethernet:startup=10us,per-byte=10ns,eager=1KiB",
  "myrinet:startup=7us,per-byte=4ns,channels=1,eager=1KiB",
  "flow:topology=star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt,eager=1KiB",
};

static void
test_analysed (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    {
      g_autoptr (PdProgram) program = make_program (seed, FALSE, TRUE);
      compare_analysed (program, plain[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp/random/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_random);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (plain); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/mp/analysed/%u", (guint) i);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_analysed);
    }
  return g_test_run ();
}
