/* Predictions on several machines at once: every quantity of every lane is that of a
 * prediction of its own, for random programs on random machines; and what cannot be
 * predicted at once is predicted all the same.
 * SPDX-License-Identifier: MIT */
#include "comsys/batch/pd-batch.h"
#include "intervals/pd-interval-private.h"
#include "predictor/batch/pd-mp-batch.h"
#include "tests/support/mp/mp-script.h"
#include "tests/support/mp/programs-random.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/open/pd-trace-read.h"

#include <glib/gstdio.h>

#define N_PROGRAMS 40
#define N_STEPS    80
#define MAX_RANKS  7
#define N_SLOTS    8
#define MAX_BATCH  16

/* ---- random programs that cannot deadlock: what they do is drawn in one order for all
 * ranks, and sent before it is received */

typedef struct
{
  GRand *rand;
  PdProgramBuilder *builder;
  guint32 n;
  guint32 n_open[MAX_RANKS]; /* requests: slots 0 to n_open - 1 */
  guint32 part;              /* a communicator of some, in another order */
  guint32 members[MAX_RANKS];
  guint32 n_members;
} Writer;

static gint
draw (Writer *w, gint n)
{
  return g_rand_int_range (w->rand, 0, n);
}

static void
add (Writer *w, guint32 rank, const PdAction *action)
{
  GError *error = NULL;

  pd_program_builder_add (w->builder, rank, action, &error);
  g_assert_no_error (error);
}

static PdAction
action_of (PdActionKind kind)
{
  PdAction action;

  pd_action_init (&action, kind);
  return action;
}

static void
add_time (Writer *w, guint32 rank, PdActionKind kind, gint most)
{
  PdAction action = action_of (kind);

  action.amount.time.ps = draw (w, most) * PD_PS_PER_NS;
  if (kind == PD_ACT_LOCAL || kind == PD_ACT_OTHER)
    action.name = pd_program_builder_add_string (w->builder, "MPI_Something");
  add (w, rank, &action);
}

static void
close_each (Writer *w, guint32 rank)
{
  static const PdActionKind kinds[] = { PD_ACT_WAIT, PD_ACT_WAITANY, PD_ACT_TEST, PD_ACT_TESTANY };
  const guint32 first = 0;

  for (guint32 slot = w->n_open[rank]; slot-- > 0;)
    {
      PdAction action = action_of (kinds[draw (w, 4)]);
      gboolean fails = action.kind == PD_ACT_TEST && draw (w, 2) == 0;
      action.request = slot;
      if (action.kind != PD_ACT_WAIT)
        {
          action.slots = &slot;
          action.n_slots = action.kind == PD_ACT_TEST ? 0 : 1;
          action.has_done = TRUE;
          action.done = &first;
          action.n_done = fails ? 0 : 1;
        }
      add (w, rank, &action);
      slot += fails ? 1 : 0;
    }
}

static void
close_requests (Writer *w, guint32 rank)
{
  PdAction action = action_of (PD_ACT_WAITALL);
  guint32 slots[N_SLOTS + 1];

  if (draw (w, 3) == 0)
    close_each (w, rank);
  else
    {
      for (guint32 i = 0; i < w->n_open[rank]; i++)
        slots[i] = w->n_open[rank] - 1 - i;
      action.slots = slots;
      action.n_slots = draw (w, 2) == 0 ? w->n_open[rank] : 0;
      if (action.n_slots > 0 && draw (w, 3) == 0) /* twice */
        slots[action.n_slots++] = 0;
      add (w, rank, &action);
    }
  w->n_open[rank] = 0;
}

static gint64
draw_bytes (Writer *w)
{
  return draw (w, 2) == 0 ? draw (w, 100) : draw (w, 6) * 20000;
}

/* The envelope that both ends have in the communicator; @at are members' numbers. */
static void
add_half (Writer *w, guint32 rank, PdActionKind kind, gint32 peer, const PdAction *envelope)
{
  PdAction action = action_of (kind);

  action.comm = envelope->comm;
  action.peer = peer;
  action.tag = envelope->tag;
  action.bytes = envelope->bytes;
  if (kind == PD_ACT_IRECV || (kind >= PD_ACT_ISEND && kind <= PD_ACT_IRSEND))
    action.request = w->n_open[rank]++;
  if ((kind == PD_ACT_RECV || kind == PD_ACT_IRECV) && draw (w, 4) == 0)
    {
      action.matched_peer = peer;
      action.matched_tag = action.tag;
      action.peer = PD_PROGRAM_ANY;
      action.tag = PD_PROGRAM_ANY;
    }
  add (w, rank, &action);
}

static void
add_message (Writer *w)
{
  static const PdActionKind blocking[] = { PD_ACT_SEND, PD_ACT_SEND, PD_ACT_BSEND, PD_ACT_SSEND,
                                           PD_ACT_RSEND };
  static const PdActionKind other[] = { PD_ACT_ISEND, PD_ACT_ISEND, PD_ACT_IBSEND, PD_ACT_ISSEND,
                                        PD_ACT_IRSEND };
  gboolean in_part = draw (w, 3) == 0;
  guint32 n = in_part ? w->n_members : w->n;
  gint32 from = draw (w, (gint) n), to = draw (w, (gint) n);
  guint32 source = in_part ? w->members[from] : (guint32) from;
  guint32 target = in_part ? w->members[to] : (guint32) to;
  PdAction envelope = action_of (PD_ACT_SEND);
  gboolean immediate = from == to || draw (w, 3) > 0;

  envelope.comm = in_part ? w->part : 0;
  envelope.tag = draw (w, 2);
  envelope.bytes = draw_bytes (w);
  add_half (w, source, immediate ? other[draw (w, 5)] : blocking[draw (w, 5)], to, &envelope);
  if (draw (w, 2) == 0)
    add_time (w, target, PD_ACT_COMPUTE, 50000);
  add_half (w, target, immediate && draw (w, 2) == 0 ? PD_ACT_IRECV : PD_ACT_RECV, from, &envelope);
}

/* All send in one direction of a ring; ends of which may be open. */
static void
add_exchange (Writer *w)
{
  guint32 distance = (guint32) draw (w, (gint) w->n);
  gboolean is_open = draw (w, 2) == 0;
  gint64 bytes = draw_bytes (w);

  for (guint32 rank = 0; rank < w->n; rank++)
    {
      PdAction action = action_of (PD_ACT_SENDRECV);
      action.tag = action.recv_tag = 5;
      action.bytes = action.recv_bytes = bytes;
      action.peer = (gint32) ((rank + distance) % w->n);
      action.recv_peer = (gint32) ((rank + w->n - distance) % w->n);
      if (is_open && rank + distance >= w->n)
        action.peer = PD_PROGRAM_PROC_NULL;
      if (is_open && rank < distance)
        action.recv_peer = PD_PROGRAM_PROC_NULL;
      add (w, rank, &action);
    }
}

static void
add_to_nobody (Writer *w, guint32 rank)
{
  static const PdActionKind kinds[] = { PD_ACT_SEND, PD_ACT_RECV, PD_ACT_ISEND, PD_ACT_IRECV };
  PdAction envelope = action_of (PD_ACT_SEND);

  envelope.bytes = 10;
  add_half (w, rank, kinds[draw (w, 4)], PD_PROGRAM_PROC_NULL, &envelope);
}

static void
add_collective (Writer *w)
{
  static const PdCollKind ops[] = { PD_COLL_BARRIER,   PD_COLL_BCAST,          PD_COLL_REDUCE,
                                    PD_COLL_ALLREDUCE, PD_COLL_GATHER,         PD_COLL_ALLGATHER,
                                    PD_COLL_ALLTOALL,  PD_COLL_REDUCE_SCATTER, PD_COLL_SCAN,
                                    PD_COLL_SCATTER,   PD_COLL_COMM_DUP,       PD_COLL_COMM_SPLIT };
  PdAction action = action_of (PD_ACT_COLLECTIVE);
  gboolean in_part = draw (w, 3) == 0;
  guint32 n = in_part ? w->n_members : w->n;

  action.op = ops[draw (w, G_N_ELEMENTS (ops))];
  action.comm = in_part ? w->part : 0;
  action.peer = draw (w, (gint) n);
  action.bytes = draw_bytes (w);
  action.amount.time.ps = draw (w, 2) * 12345;
  if (draw (w, 3) == 0)
    action.kind = PD_ACT_ICOLLECTIVE;
  for (guint32 i = 0; i < n; i++)
    {
      guint32 rank = in_part ? w->members[i] : i;
      if (draw (w, 2) == 0)
        add_time (w, rank, PD_ACT_COMPUTE, 30000);
      if (action.kind == PD_ACT_ICOLLECTIVE)
        action.request = w->n_open[rank]++;
      add (w, rank, &action);
    }
}

/* A persistent pair, started as often as it is waited for. */
static void
add_persistent (Writer *w)
{
  static const PdActionKind kinds[] = { PD_ACT_SEND_INIT, PD_ACT_SSEND_INIT, PD_ACT_BSEND_INIT };
  guint32 from = (guint32) draw (w, (gint) w->n), to = (from + 1) % w->n;
  const guint32 slot = N_SLOTS;
  PdAction action = action_of (kinds[draw (w, 3)]);

  action.request = slot;
  action.peer = (gint32) to;
  action.tag = 7;
  action.bytes = draw_bytes (w);
  add (w, from, &action);
  action.kind = PD_ACT_RECV_INIT;
  action.peer = (gint32) from;
  add (w, to, &action);
  for (gint i = draw (w, 3); i >= 0; i--)
    for (guint end = 0; end < 4; end++)
      {
        PdAction step = action_of (end < 2 ? PD_ACT_START : PD_ACT_WAIT);
        step.request = slot;
        step.slots = &slot;
        step.n_slots = end < 2 ? 1 : 0;
        add (w, end % 2 == 0 ? from : to, &step);
        if (end == 0 && draw (w, 3) == 0)
          add (w, from, &step); /* it is under way already */
      }
  for (guint end = 0; end < 2; end++)
    {
      PdAction step = action_of (PD_ACT_REQUEST_FREE);
      step.request = slot;
      add (w, end == 0 ? from : to, &step);
    }
}

static void
add_interval (Writer *w, guint32 rank)
{
  static const char *const names[] = { "a", "b", "c" };
  PdProgramInterval interval = { names[draw (w, 3)], "f.c", 3, -1 };
  PdAction action = action_of (draw (w, 2) == 0 ? PD_ACT_ENTER : PD_ACT_LEAVE);

  action.interval = pd_program_builder_add_interval (w->builder, &interval);
  add (w, rank, &action);
}

/* A stretch that some ranks compute alike. */
static void
add_alike (Writer *w)
{
  for (guint32 rank = 0; rank < w->n; rank++)
    {
      PdAction action = action_of (PD_ACT_ALIKE_BEGIN);
      if (draw (w, 3) == 0)
        continue;
      action.tag = draw (w, 3);
      add (w, rank, &action);
      add_time (w, rank, PD_ACT_COMPUTE, 5000);
      add_interval (w, rank);
      add_time (w, rank, PD_ACT_COMPUTE, 5000);
      action.kind = PD_ACT_ALIKE_END;
      add (w, rank, &action);
    }
}

static void
add_step (Writer *w)
{
  static const PdActionKind kinds[] = { PD_ACT_COMPUTE, PD_ACT_DELAY, PD_ACT_LOCAL, PD_ACT_OTHER };
  guint32 rank = (guint32) draw (w, (gint) w->n);
  gint what = draw (w, 20);

  if (what < 3)
    add_collective (w);
  else if (what < 5)
    add_exchange (w);
  else if (what == 5)
    add_persistent (w);
  else if (what == 6)
    add_to_nobody (w, rank);
  else if (what < 9)
    add_interval (w, rank);
  else if (what == 9)
    add_alike (w);
  else if (what == 10)
    add_time (w, rank, kinds[draw (w, 4)], 100000);
  else
    add_message (w);
  for (rank = 0; rank < w->n; rank++)
    if (w->n_open[rank] + 2 >= N_SLOTS || (w->n_open[rank] > 0 && draw (w, 6) == 0))
      close_requests (w, rank);
}

static PdProgram *
make_program (guint32 seed)
{
  Writer w = { .rand = g_rand_new_with_seed (seed) };

  w.n = 2 + (guint32) draw (&w, MAX_RANKS - 1);
  w.builder = pd_program_builder_new (w.n, PD_AMOUNT_TIME);
  for (guint32 rank = w.n; rank-- > 0;)
    if (w.n_members == 0 || draw (&w, 2) == 0)
      w.members[w.n_members++] = rank;
  w.part = pd_program_builder_add_comm (w.builder, w.members, w.n_members, NULL);
  for (guint32 i = 0; i <= N_SLOTS; i++) /* a slot is no larger than what was before it */
    for (guint32 rank = 0; rank < w.n; rank++)
      add_time (&w, rank, PD_ACT_COMPUTE, 1000);
  for (gint i = 0; i < N_STEPS; i++)
    add_step (&w);
  for (guint32 rank = 0; rank < w.n; rank++)
    close_requests (&w, rank);
  g_rand_free (w.rand);
  return pd_program_builder_finish (w.builder);
}

/* ---- comparing */

static void
compare_messages (const PdMessages *a, const PdMessages *b)
{
  g_assert_cmpuint (pd_messages_get_n (a), ==, pd_messages_get_n (b));
  for (guint i = 0; i < pd_messages_get_n (a); i++)
    {
      const PdMessage *x = pd_messages_get (a, i), *y = pd_messages_get (b, i);
      g_assert_cmpstr (x->id, ==, y->id);
      g_assert_cmpstr (x->text, ==, y->text);
      g_assert_cmpuint (x->count, ==, y->count);
    }
}

static gint64
get_quantity (const PdIntervalTree *tree, guint32 node, guint quantity, guint32 rank)
{
  const gint64 *column = tree->columns[(gsize) node * PD_N_QUANTITIES + quantity];

  return column != NULL ? column[rank] : 0;
}

static void
compare_runs (const PdReportRun *a, const PdReportRun *b)
{
  guint32 n_nodes = pd_interval_tree_get_n_nodes (a->tree);

  g_assert_cmpuint (n_nodes, ==, pd_interval_tree_get_n_nodes (b->tree));
  g_assert_cmpuint (a->n_messages, ==, b->n_messages);
  g_assert_true (a->n_bytes.ps == b->n_bytes.ps);
  compare_messages (a->messages, b->messages);
  for (guint32 rank = 0; rank < a->n_processors; rank++)
    {
      g_assert_cmpint (a->end_times[rank].ps, ==, b->end_times[rank].ps);
      for (guint32 node = 0; node < n_nodes; node++)
        for (guint q = 0; q < PD_N_QUANTITIES; q++)
          g_assert_cmpint (get_quantity (a->tree, node, q, rank), ==,
                           get_quantity (b->tree, node, q, rank));
    }
}

#define MAYBE (-1)

/* Predicts at once and each alone; @may: whether it must be possible at once. */
static void
compare (const PdMpOptions *options, guint k, const PdProgram *program, gint may)
{
  const PdMpOptions *list[MAX_BATCH];
  PdReportRun *runs[MAX_BATCH];
  GError *errors[MAX_BATCH] = { NULL };

  for (guint i = 0; i < k; i++)
    list[i] = &options[i];
  g_autofree char *reason = pd_mp_predict_batch (list, k, program, runs, errors);
  if (may == TRUE)
    g_assert_cmpstr (reason, ==, NULL);
  else if (may == FALSE)
    g_assert_nonnull (reason);
  for (guint i = 0; i < k; i++)
    {
      g_autoptr (GError) error = NULL;
      PdReportRun *alone = pd_mp_predict_program (&options[i], program, &error);
      g_assert_cmpint (runs[i] == NULL, ==, alone == NULL);
      if (alone == NULL)
        {
          g_assert_error (errors[i], error->domain, error->code);
          g_assert_cmpstr (errors[i]->message, ==, error->message);
          g_clear_error (&errors[i]);
          continue;
        }
      g_assert_no_error (errors[i]);
      compare_runs (alone, runs[i]);
      pd_report_run_free (alone);
      pd_report_run_free (runs[i]);
    }
}

/* ---- machines */

typedef struct
{
  const char *name;
  const char *spec; /* "#" stands for another number in each lane */
} Row;

static const Row rows[] = {
  { "ideal", "ideal" },
  { "eager", "dimemas:latency=#ns,bandwidth=#MB/s" },
  { "speed", "dimemas:latency=#ns,bandwidth=#MB/s,speed=0.#" },
  { "rendezvous", "dimemas:latency=#ns,bandwidth=#MB/s,eager=1KiB" },
  { "no-latency", "dimemas:latency=0,bandwidth=0,eager=1KiB,send-overhead=#ns" },
  { "control", "dimemas:latency=#ns,bandwidth=#MB/s,eager=1KiB,control=modelled,envelope=#,"
               "send-overhead=#ns,recv-overhead=#ns,wait-overhead=#ns" },
  { "detached", "dimemas:latency=#ns,bandwidth=#MB/s,eager=50,detached=30KiB,control=modelled,"
                "copy-per-byte=#ps,reduction-per-byte=#ps,recv-overhead=#ns" },
  { "synchronous", "dimemas:latency=#ns,bandwidth=#MB/s,eager=0,collectives=openmpi4" },
  { "nodes", "dimemas:latency=#ns,bandwidth=#MB/s,eager=10KiB,processors-per-node=2,"
             "memory-type=dimemas,memory-latency=1#ns,memory-bandwidth=2#MB/s,collectives=mpich4" },
  { "simple", "ideal:collectives=simple,collective-time=#ns,"
              "collective-in=logarithmic,collective-out=linear" },
  { "functions",
    "dimemas:latency=#ns,bandwidth=#MB/"
    "s,eager=1KiB,MPI_Isend=#ns,MPI_Recv=#ns,MPI_Wait=#ns,MPI_Waitall=#ns,MPI_Test=#ns,MPI_"
    "Sendrecv=#ns,MPI_Start=#ns,MPI_Allreduce=#ns,MPI_Bsend=#ns,MPI_Send=#ns,MPI_Ssend=#ns,MPI_"
    "Rsend=#ns,MPI_Ibsend=#ns,MPI_Issend=#ns,MPI_Irsend=#ns,MPI_Irecv=#ns,MPI_Startall=#ns,MPI_"
    "Waitany=#ns,MPI_Testall=#ns,MPI_Testany=#ns,MPI_Iallreduce=#ns,MPI_Ibcast=#ns,MPI_Bcast=#ns,"
    "MPI_Barrier=#ns,MPI_Alltoall=#ns,MPI_Comm_dup=#ns,MPI_Comm_split=#ns,wait-overhead=#ns" },
};

/* The machine of one lane; @random gives what stands for "#". */
static char *
fill_in (const char *spec, GRand *random)
{
  GString *text = g_string_new (NULL);

  for (; *spec != '\0'; spec++)
    if (*spec == '#')
      g_string_append_printf (text, "%d", g_rand_int_range (random, 1, 3000));
    else
      g_string_append_c (text, *spec);
  return g_string_free (text, FALSE);
}

static void
test_random (gconstpointer data)
{
  static const guint ks[] = { 1, 3, 8, 16 };
  const Row *row = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (4711);

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    {
      g_autoptr (PdProgram) program = make_program (seed);
      guint k = ks[seed % G_N_ELEMENTS (ks)];
      PdMpOptions options[MAX_BATCH];
      g_autoptr (GPtrArray) machines = g_ptr_array_new_with_free_func (g_free);
      for (guint i = 0; i < k; i++)
        {
          char *machine = fill_in (row->spec, random);
          g_ptr_array_add (machines, machine);
          options[i] = (PdMpOptions){ .trace = "test", .machine = machine, .check = TRUE };
        }
      compare (options, k, program, TRUE);
    }
}

/* ---- what cannot be predicted at once, or not at all */

#define MACHINE "dimemas:latency=5us,bandwidth=1GB/s"
#define SIMPLE  MACHINE ",collectives=simple" /* which sends what is reduced */
#define ALONE   "0 send 1 10;1 recv 0 10"

static const struct
{
  const char *name;
  const char *program; /* of two ranks */
  const char *one;     /* machines of three lanes: that of the first two, */
  const char *other;   /* … and of the last one */
} refused[] = {
  { "wildcard", "0 send 1 10;1 recv any 10", MACHINE, MACHINE },
  { "probe", "0 send 1 10;1 probe 0;1 recv 0 10", MACHINE, MACHINE },
  { "test", "0 isend 1 10 0;0 test 0;0 wait 0;1 recv 0 10", MACHINE, MACHINE },
  { "waitany", "0 isend 1 10 0;0 waitany 0;1 recv 0 10", MACHINE, MACHINE },
  { "test-twice", "0 isend 1 10 0;0 testall 0 0;0 testsome 0 0;0 wait 0;1 compute 9;1 recv 0 10",
    MACHINE, MACHINE },
  { "waitany-twice", "0 isend 1 10 0;0 waitany 0 0;0 waitsome 0 0;1 recv 0 10", MACHINE, MACHINE },
  { "cancel", "0 irecv 1 10 0;0 cancel 0;0 wait 0", MACHINE, MACHINE },
  { "one-sided", "0 put 1 100;0 fence;1 fence", MACHINE, MACHINE },
  { "icollective", "0 iallreduce 10 0;0 wait 0;1 iallreduce 10 0;1 wait 0", SIMPLE, SIMPLE },
  { "reduce", "0 reduce 0 10;1 reduce 0 10", SIMPLE, SIMPLE },
  { "shared", ALONE, "dimemas:latency=5us,bandwidth=1GB/s,buses=1", MACHINE },
  { "ends", ALONE, "loggops:latency=1us,o=1us", "loggops:latency=1us,o=2us" },
  { "networks", ALONE, MACHINE, "ideal" },
  { "eager", ALONE, MACHINE, MACHINE ",eager=5" },
  { "detached", ALONE, MACHINE ",eager=5", MACHINE ",eager=5,detached=7" },
  { "control", ALONE, MACHINE ",eager=5", MACHINE ",eager=5,control=modelled" },
  { "collectives", ALONE, MACHINE, MACHINE ",bcast=linear" },
  { "set", ALONE, MACHINE, MACHINE ",collectives=simple" },
  { "nodes", ALONE, MACHINE, MACHINE ",processors-per-node=2" },
  { "noise", "0 compute 5;1 compute 5", MACHINE, MACHINE ",noise=normal,noise-sigma=0.1" },
  { "no-machine", ALONE, MACHINE, "myrinet" },
  { "deadlock", "0 recv 1 10;1 recv 0 10", MACHINE, MACHINE },
  { "unmatched", "0 send 1 10;1 compute 5", MACHINE, MACHINE },
  { "overflow", "0 compute 9e12;0 compute 9e12;1 compute 1", MACHINE, MACHINE },
  { "far", "0 compute 2e12;1 compute 1", MACHINE, MACHINE },
  { "slow-network", "0 send 1 100000;1 recv 0 100000", MACHINE,
    "dimemas:latency=1s,bandwidth=1B/s" },
};

static void
test_refused (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdProgram) program = mp_script_new (2, PD_AMOUNT_TIME, refused[i].program);
  const PdMpOptions options[] = { { .trace = "test", .machine = refused[i].one },
                                  { .trace = "test", .machine = refused[i].one },
                                  { .trace = "test", .machine = refused[i].other } };

  compare (options, 3, program, FALSE);
}

/* Recorded programs. */
static const char *const recorded[] = {
  "jacobi2d.64.ti.gz", "sweep.256.ti.gz", "is.W.64.ti.gz",
  "a2a1.128.ti.gz",    "tree.256.ti.gz",  "dt.S.SH.12.ti.gz"
};

static void
test_recorded (gconstpointer name)
{
  static const char *const machines[] = { MACHINE, "dimemas:latency=1us,bandwidth=70MB/s,speed=3",
                                          "dimemas:latency=0,bandwidth=0" };
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path =
      g_build_filename (shared != NULL ? shared : "../shared", "traces", "ti", name, NULL);
  const PdTraceReadOptions how = { .recorded = FALSE };
  g_autoptr (GError) error = NULL;
  PdMpOptions options[G_N_ELEMENTS (machines)];

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_autoptr (PdMpTrace) trace =
      pd_mp_trace_read (&(PdTraceSource){ path, NULL }, &how, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    options[i] = (PdMpOptions){ .trace = "test", .machine = machines[i] };
  compare (options, G_N_ELEMENTS (options), trace->program, TRUE);
}

/* Options that want single events; the same otherwise. */
static void
test_options (void)
{
  g_autoptr (PdProgram) program = mp_script_new (2, PD_AMOUNT_TIME, ALONE ";0 other x 7");
  const PdMpOptions plain = { .trace = "test", .machine = MACHINE };
  PdMpOptions options[] = { plain, plain };

  compare (options, 2, program, TRUE);
  options[1].one_step = TRUE;
  compare (options, 2, program, FALSE);
  options[1] = plain;
  options[1].incomplete = TRUE;
  compare (options, 2, program, FALSE);
  options[1] = plain;
  options[1].ideal = TRUE; /* another network, then */
  compare (options, 2, program, FALSE);
  options[0].ideal = TRUE;
  compare (options, 2, program, TRUE);
}

/* Programs that make no sense. */
static void
test_nonsense (void)
{
  const PdMpOptions options[] = { { .trace = "test", .machine = MACHINE ",eager=1KiB" },
                                  { .trace = "test", .machine = MACHINE ",eager=1KiB" } };

  for (guint32 seed = 0; seed < 300; seed++)
    {
      g_autoptr (PdProgram) program = test_random_program (seed);
      compare (options, G_N_ELEMENTS (options), program, MAYBE);
    }
}

/* Operations are counted, and speeds are of lanes. */
static void
test_flops (void)
{
  g_autoptr (PdProgram) program = mp_script_new (
      2, PD_AMOUNT_FLOPS, "0 compute 12345;0 other x 7;0 send 1 10;1 compute 777;1 recv 0 10");
  PdMpOptions options[8];

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    options[i] =
        (PdMpOptions){ .trace = "test", .machine = MACHINE, .flops = i > 0 ? 1e9 / (3 + i) : 0 };
  compare (options, G_N_ELEMENTS (options), program, TRUE);
}

/* Intervals and places may have ratios of their own. */
static void
test_ratios (void)
{
  const char *const texts[] = { "1.5", "f.c:7=3", NULL };
  g_autoptr (PdCpuRatios) ratios = pd_cpu_ratios_parse (texts, NULL);
  g_autoptr (PdProgram) program =
      mp_script_new (2, PD_AMOUNT_TIME,
                     "0 enter a;0 location f.c 7;0 compute 50;0 location f.c 8;0 compute 40;0 "
                     "leave a;0 compute 3");
  const PdMpOptions options[] = { { .trace = "test", .machine = MACHINE, .ratios = ratios },
                                  { .trace = "test", .machine = MACHINE },
                                  { .trace = "test", .machine = MACHINE ",speed=2" } };

  compare (options, G_N_ELEMENTS (options), program, TRUE);
}

/* Functions of collective operations that cost more the longer their vectors are. */
static void
test_function_bytes (void)
{
  static const char *const costs[] = { "per-byte='1ns' from='1000B'", "per-byte='2ns'", "" };
  g_autoptr (PdProgram) program =
      mp_script_new (2, PD_AMOUNT_TIME,
                     "0 allreduce 999 1;1 allreduce 999 1;0 allreduce 5000 1;1 allreduce 5000 1;"
                     "0 iallreduce 3000 0;1 iallreduce 3000 0;0 wait 0;1 wait 0");
  g_autofree char *folder = g_dir_make_tmp ("mp-batch-XXXXXX", NULL);
  char *machines[G_N_ELEMENTS (costs)];
  PdMpOptions options[G_N_ELEMENTS (costs)];

  for (gsize i = 0; i < G_N_ELEMENTS (costs); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "<machine name='m' version='1'><network type='dimemas' latency='5us' bandwidth='1GB/s'>"
          "<nodes count='2'/></network><software><function name='MPI_Allreduce' overhead='%gus' "
          "%s/><function name='MPI_Iallreduce' overhead='0' %s/></software></machine>",
          (gdouble) (i % 2), costs[i], costs[i]);
      machines[i] = g_strdup_printf ("%s/%" G_GSIZE_FORMAT ".xml", folder, i);
      g_assert_true (g_file_set_contents (machines[i], text, -1, NULL));
      options[i] = (PdMpOptions){ .trace = "test", .machine = machines[i] };
    }
  compare (options, G_N_ELEMENTS (options), program, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (costs); i++)
    {
      g_unlink (machines[i]);
      g_free (machines[i]);
    }
  g_rmdir (folder);
}

/* Ranks that go through many operations one after the other: the others have what is
 * under way behind them, or all before them. */
static void
test_behind (void)
{
  static const char *const sets[] = { MACHINE, "ideal:collectives=simple" };
  static const char *const operations[] = { "bcast 0 8", "ialltoall 8" };

  for (gsize k = 0; k < G_N_ELEMENTS (sets); k++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      for (guint rank = 0; rank < 3; rank++)
        {
          for (guint i = 0; i < 37; i++)
            {
              if (i == 5)
                g_string_append_printf (text, "%u barrier;", rank);
              if (i == 5 && rank > 0)
                g_string_append_printf (text, "%u recv %u 10;", rank, rank - 1);
              g_string_append_printf (text, "%u compute 3;%u %s %u;", rank, rank, operations[k], i);
            }
          if (rank < 2)
            g_string_append_printf (text, "%u send %u 10;", rank, rank + 1);
          g_string_append_printf (text, "%u waitall;", rank);
        }
      g_string_truncate (text, text->len - 1);
      g_autoptr (PdProgram) program = mp_script_new (3, PD_AMOUNT_TIME, text->str);
      const PdMpOptions options[] = { { .trace = "test", .machine = sets[k] },
                                      { .trace = "test", .machine = sets[k] } };
      compare (options, G_N_ELEMENTS (options), program, TRUE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp-lanes/random/", rows[i].name, NULL);
      g_test_add_data_func (path, &rows[i], test_random);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp-lanes/refused/", refused[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_refused);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp-lanes/recorded/", recorded[i], NULL);
      g_test_add_data_func (path, recorded[i], test_recorded);
    }
  g_test_add_func ("/predictor/mp-lanes/options", test_options);
  g_test_add_func ("/predictor/mp-lanes/nonsense", test_nonsense);
  g_test_add_func ("/predictor/mp-lanes/flops", test_flops);
  g_test_add_func ("/predictor/mp-lanes/ratios", test_ratios);
  g_test_add_func ("/predictor/mp-lanes/behind", test_behind);
  g_test_add_func ("/predictor/mp-lanes/function-bytes", test_function_bytes);
  return g_test_run ();
}
