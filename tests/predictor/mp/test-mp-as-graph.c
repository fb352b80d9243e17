/* A program on a machine of LogGOPS and the graph made of it: the ends of all ranks
 * are equal, and running ahead gives what one step at a time gives. What a program
 * says more than its graph is left out: messages of a rank to itself, tests, probes.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal.h"
#include "predictor/graph/pd-graph-from-program.h"
#include "predictor/mp/pd-mp.h"
#include "tests/support/mp/mp-script.h"
#include "predictor/graph/pd-goal-result.h"

#define N_PROGRAMS 500
#define MAX_SLOTS  5
#define MAX_RANKS  6

typedef enum
{
  USE_BLOCKING = 0,
  USE_REQUESTS = 1,
  USE_COLLECTIVES = 2,
  USE_NONBLOCKING = 4,
  USE_ANY = 8,
} Use;

/* ns */
typedef struct
{
  gint L, o, g, G, O, S;
  gboolean compat;
  const char *set;
} Machine;

/* ---- programs that cannot deadlock: what they do is drawn in one order for all ranks,
 * and sent before it is received; small numbers, so that much happens at one moment */

typedef struct
{
  GRand *rand;
  GString *text;
  guint32 n;
  guint n_open[MAX_RANKS]; /* requests by rank: slots 0 to n_open - 1 */
  Use use;
} Writer;

static gint
draw (Writer *w, gint n)
{
  return g_rand_int_range (w->rand, 0, n);
}

static void
compute (Writer *w, guint32 rank)
{
  g_string_append_printf (w->text, "%u compute 0.%03d;", rank, draw (w, 3) == 0 ? 0 : draw (w, 20));
}

static void
close_requests (Writer *w, guint32 rank)
{
  if (w->n_open[rank] == 0)
    return;
  if (draw (w, 2) == 0)
    g_string_append_printf (w->text, "%u waitall;", rank);
  else
    for (guint i = w->n_open[rank]; i-- > 0;)
      {
        g_string_append_printf (w->text, "%u wait %u;", rank, i);
        if (draw (w, 3) == 0)
          compute (w, rank);
      }
  w->n_open[rank] = 0;
}

static gboolean
is_immediate (Writer *w)
{
  return (w->use & USE_REQUESTS) != 0 && draw (w, 3) > 0;
}

static void
add_message (Writer *w)
{
  guint32 from = (guint32) draw (w, (gint) w->n);
  guint32 to = (from + 1 + (guint32) draw (w, (gint) w->n - 1)) % w->n;
  gint bytes = draw (w, 2) == 0 ? draw (w, 3) : draw (w, 12), tag = draw (w, 2);

  if (is_immediate (w))
    g_string_append_printf (w->text, "%u isend %u %d %u %d;", from, to, bytes, w->n_open[from]++,
                            tag);
  else
    g_string_append_printf (w->text, "%u send %u %d %d;", from, to, bytes, tag);
  if (draw (w, 2) == 0)
    compute (w, to);
  if (is_immediate (w))
    g_string_append_printf (w->text, "%u irecv %u %d %u %d;", to, from, bytes, w->n_open[to]++,
                            tag);
  else
    g_string_append_printf (w->text, "%u recv %u %d %d;", to, from, bytes, tag);
}

/* All pass on around a ring of some distance. */
static void
add_exchange (Writer *w)
{
  guint32 d = 1 + (guint32) draw (w, (gint) w->n - 1);
  gint bytes = draw (w, 12);

  for (guint32 rank = 0; rank < w->n; rank++)
    g_string_append_printf (w->text, "%u sendrecv %u %d %u %d;", rank, (rank + d) % w->n, bytes,
                            (rank + w->n - d) % w->n, bytes);
}

/* Receives from anybody of what several send. */
static void
add_any (Writer *w, gint number)
{
  guint32 to = (guint32) draw (w, (gint) w->n);
  gint n = 1 + draw (w, 3);

  for (gint i = 0; i < n; i++)
    {
      guint32 from = (to + 1 + (guint32) draw (w, (gint) w->n - 1)) % w->n;
      compute (w, from);
      g_string_append_printf (w->text, "%u isend %u %d %u %d;", from, to, draw (w, 4),
                              w->n_open[from]++, 10 + number);
    }
  for (gint i = 0; i < n; i++)
    g_string_append_printf (w->text, "%u recv any 12 %d;", to, 10 + number);
}

static void
add_collective (Writer *w)
{
  static const char *const forms[] = { "barrier",     "bcast 0 3",  "bcast 1 11",
                                       "allreduce 8", "alltoall 5", "commdup" };
  const char *form = forms[draw (w, 6)];

  for (guint32 rank = 0; rank < w->n; rank++)
    {
      compute (w, rank);
      g_string_append_printf (w->text, "%u %s;", rank, form);
    }
}

static void
add_nonblocking (Writer *w)
{
  static const char *const names[] = { "iallreduce", "ialltoall", "ibcast 0", "ibcast 1" };
  const char *name = names[draw (w, 4)];
  gint bytes = draw (w, 12);

  for (guint32 rank = 0; rank < w->n; rank++)
    {
      g_string_append_printf (w->text, "%u %s %d %u;", rank, name, bytes, w->n_open[rank]++);
      if (draw (w, 2) == 0)
        compute (w, rank);
    }
}

static void
add_step (Writer *w, gint number)
{
  gint what = draw (w, 10);

  if (what == 0 && (w->use & USE_COLLECTIVES) != 0)
    add_collective (w);
  else if (what == 1 && (w->use & USE_NONBLOCKING) != 0)
    add_nonblocking (w);
  else if (what == 2 && (w->use & USE_ANY) != 0)
    add_any (w, number);
  else if (what == 3)
    add_exchange (w);
  else if (what == 4)
    compute (w, (guint32) draw (w, (gint) w->n));
  else
    add_message (w);
  for (guint32 rank = 0; rank < w->n; rank++)
    if (w->n_open[rank] >= MAX_SLOTS || draw (w, 5) == 0)
      close_requests (w, rank);
}

static PdProgram *
make_program (GRand *rand, Use use)
{
  Writer w = { .rand = rand, .text = g_string_new (NULL), .use = use };
  gint n;

  w.n = 2 + (guint32) draw (&w, MAX_RANKS - 1);
  n = 3 + draw (&w, 25);
  for (gint i = 0; i < n; i++)
    add_step (&w, i);
  for (guint32 rank = 0; rank < w.n; rank++)
    g_string_append_printf (w.text, "%u waitall;", rank);
  PdProgram *program = mp_script_new (w.n, PD_AMOUNT_TIME, w.text->str);
  g_string_free (w.text, TRUE);
  return program;
}

/* ---- both ways */

static void
simulate_graph (const PdProgram *program, const Machine *m, PdGoalResult *result)
{
  const PdGoalParams params = { .latency = PD_TIME (m->L * PD_PS_PER_NS),
                                .overhead = PD_TIME (m->o * PD_PS_PER_NS),
                                .gap = PD_TIME (m->g * PD_PS_PER_NS),
                                .gap_per_byte = m->G * PD_PS_PER_NS,
                                .overhead_per_byte = m->O * PD_PS_PER_NS,
                                .eager = m->S,
                                .compat = m->compat };
  const PdGraphOptions options = { .collectives = m->set, .flops = 1e9 };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = pd_graph_from_program (program, &options, messages, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
  pd_goal_simulate (graph, &params, result, &error);
  g_assert_no_error (error);
}

static PdReportRun *
predict (const PdProgram *program, const Machine *m, gboolean one_step)
{
  g_autofree char *machine = g_strdup_printf (
      "loggops:L=%dns,o=%dns,g=%dns,G=%dns,O=%dns,S=%d,collectives=%s,compat=%s", m->L, m->o, m->g,
      m->G, m->O, m->S, m->set, m->compat ? "loggopsim" : "none");
  g_autoptr (GError) error = NULL;
  const PdMpOptions options = {
    .trace = "test", .machine = machine, .one_step = one_step, .check = TRUE
  };
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);

  g_assert_no_error (error);
  return run;
}

/* Returns whether the ends are equal; says where not. */
static gboolean
compare (const PdProgram *program, const Machine *m, guint32 seed)
{
  PdReportRun *run = predict (program, m, FALSE), *slow = predict (program, m, TRUE);
  PdGoalResult result = { 0 };
  gboolean equal = TRUE;

  simulate_graph (program, m, &result);
  for (guint32 rank = 0; rank < run->n_processors; rank++)
    {
      g_assert_cmpint (run->end_times[rank].ps, ==, slow->end_times[rank].ps);
      if (run->end_times[rank].ps == result.ends[rank].ps)
        continue;
      g_test_message ("seed %u rank %u: program %" G_GINT64_FORMAT ", graph %" G_GINT64_FORMAT
                      " ps; L %d o %d g %d G %d O %d S %d compat %d %s",
                      seed, rank, run->end_times[rank].ps, result.ends[rank].ps, m->L, m->o, m->g,
                      m->G, m->O, m->S, m->compat, m->set);
      equal = FALSE;
    }
  pd_goal_result_clear (&result);
  pd_report_run_free (run);
  pd_report_run_free (slow);
  return equal;
}

static Machine
make_machine (GRand *rand, gboolean eager)
{
  static const char *const sets[] = { "mpich1", "mpich4", "openmpi4" };
  gboolean is_free = g_rand_int_range (rand, 0, 8) == 0; /* all costs 0 */

  return (Machine){ .L = is_free ? 0 : g_rand_int_range (rand, 0, 8),
                    .o = is_free ? 0 : 3 + g_rand_int_range (rand, 0, 4),
                    .g = is_free ? 0 : g_rand_int_range (rand, 0, 6),
                    .G = is_free ? 0 : g_rand_int_range (rand, 0, 3),
                    .O = is_free ? 0 : g_rand_int_range (rand, 0, 3),
                    .S = eager ? 100 : g_rand_int_range (rand, 0, 6),
                    .compat = !is_free && g_rand_boolean (rand),
                    .set = sets[g_rand_int_range (rand, 0, 3)] };
}

static const struct
{
  const char *name;
  gboolean eager;
  Use use;
} rows[] = {
  { "eager/blocking", TRUE, USE_BLOCKING },
  { "eager/requests", TRUE, USE_REQUESTS },
  { "eager/collectives", TRUE, USE_REQUESTS | USE_COLLECTIVES },
  { "eager/beside", TRUE, USE_REQUESTS | USE_COLLECTIVES | USE_NONBLOCKING },
  { "eager/any", TRUE, USE_REQUESTS | USE_ANY },
  { "rendezvous/blocking", FALSE, USE_BLOCKING },
  { "rendezvous/requests", FALSE, USE_REQUESTS },
  { "rendezvous/collectives", FALSE, USE_REQUESTS | USE_COLLECTIVES },
  { "rendezvous/beside", FALSE, USE_REQUESTS | USE_COLLECTIVES | USE_NONBLOCKING },
  { "rendezvous/any", FALSE, USE_REQUESTS | USE_ANY },
};

static void
test_random (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  guint n_different = 0;

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Machine machine = make_machine (rand, rows[i].eager);
      g_autoptr (PdProgram) program = make_program (rand, rows[i].use);
      n_different += !compare (program, &machine, seed);
    }
  g_assert_cmpuint (n_different, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp/as-graph/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_random);
    }
  return g_test_run ();
}
