/* Receives from any source or with any tag, and matching among very many.
 * Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"

#include <stdlib.h>
#include <time.h>

/* messages do not disturb each other: 7 us + 4 ns per byte; T (8) = 7.032 */
#define WIDE    "myrinet:startup=7us,per-byte=4ns,channels=64"
#define ANY     PD_ANY_SOURCE
#define ANY_TAG PD_ANY_TAG

static const struct
{
  const char *name;
  guint32 n_ranks;
  TestStep steps[20];
  gint32 sources[20]; /* of the steps that receive, by step */
} cases[] = {
  { "earliest-visible",
    3,
    { COMPUTE (1, 5, 5), SEND (1, 0, 0, 8, 5), SEND (2, 0, 0, 8, 0), RECV (0, ANY, 0, 8, 7.032),
      RECV (0, ANY, 0, 8, 12.032), END },
    { 0, 0, 0, 2, 1 } },
  { "earliest-visible-for-a-late-receive",
    3,
    { COMPUTE (1, 5, 5), SEND (1, 0, 0, 8, 5), SEND (2, 0, 0, 8, 0), COMPUTE (0, 20, 20),
      RECV (0, ANY, 0, 8, 20), RECV (0, ANY, 0, 8, 20), END },
    { 0, 0, 0, 0, 2, 1 } },
  { "tie-lowest-source",
    4,
    { SEND (3, 0, 0, 8, 0), SEND (2, 0, 0, 8, 0), SEND (1, 0, 0, 8, 0), RECV (0, ANY, 0, 8, 7.032),
      RECV (0, ANY, 0, 8, 7.032), RECV (0, ANY, 0, 8, 7.032), END },
    { 0, 0, 0, 1, 2, 3 } },
  { "tie-posted-before",
    4,
    { SEND (3, 0, 0, 8, 0), SEND (2, 0, 0, 8, 0), SEND (1, 0, 0, 8, 0), IRECV (0, ANY, 0, 8, 0, 0),
      IRECV (0, ANY, 0, 8, 1, 0), IRECV (0, ANY, 0, 8, 2, 0), WAIT (0, 2, 7.032),
      WAIT (0, 0, 7.032), WAIT (0, 1, 7.032), END },
    { 0, 0, 0, 0, 0, 0, 3, 1, 2 } },
  /* delivery at 71 against an announcement at 8; answer to 15, data to 102 */
  { "announcement-before-delivery",
    3,
    { SEND (1, 0, 0, 16000, 0), COMPUTE (2, 1, 1), SEND (2, 0, 0, 20000, 102),
      RECV (0, ANY, 0, 20000, 102), RECV (0, ANY, 0, 20000, 102), END },
    { 0, 0, 0, 2, 1 } },
  { "exact-posted-first",
    3,
    { IRECV (0, 1, 0, 8, 0, 0), IRECV (0, ANY, 0, 8, 1, 0), SEND (1, 0, 0, 8, 0), COMPUTE (2, 5, 5),
      SEND (2, 0, 0, 8, 5), WAIT (0, 0, 7.032), WAIT (0, 1, 12.032), END },
    { 0, 0, 0, 0, 0, 1, 2 } },
  { "wildcard-posted-first",
    3,
    { IRECV (0, ANY, 0, 8, 1, 0), IRECV (0, 1, 0, 8, 0, 0), SEND (1, 0, 0, 8, 0), COMPUTE (2, 5, 5),
      SEND (2, 0, 0, 8, 5), WAIT (0, 1, 7.032), WAIT (0, 0, NEVER), END },
    { 0, 0, 0, 0, 0, 1 } },
  /* the small one comes at 7.032, but was sent after the one that comes at 71 */
  { "any-tag-does-not-overtake",
    2,
    { SEND (1, 0, 5, 16000, 0), SEND (1, 0, 6, 8, 0), RECV (0, 1, ANY_TAG, 16000, 71),
      RECV (0, 1, ANY_TAG, 16000, 71), END },
    { 0, 0, 1, 1 } },
  { "anything-does-not-overtake",
    2,
    { SEND (1, 0, 5, 16000, 0), SEND (1, 0, 6, 8, 0), RECV (0, ANY, ANY_TAG, 16000, 71),
      RECV (0, ANY, ANY_TAG, 16000, 71), END },
    { 0, 0, 1, 1 } },
  { "a-tag-may-pass-another",
    2,
    { SEND (1, 0, 5, 16000, 0), SEND (1, 0, 6, 8, 0), RECV (0, ANY, 6, 16000, 7.032),
      RECV (0, ANY, ANY_TAG, 16000, 71), END },
    { 0, 0, 1, 1 } },
  { "same-tag-does-not-overtake",
    2,
    { SEND (1, 0, 5, 16000, 0), SEND (1, 0, 5, 8, 0), RECV (0, ANY, 5, 16000, 71),
      RECV (0, ANY, 5, 16000, 71), END },
    { 0, 0, 1, 1 } },
  /* at 71 the first receive frees the way of the second */
  { "released-by-a-match",
    3,
    { SEND (1, 0, 5, 16000, 0), SEND (1, 0, 6, 8, 0), SEND (2, 0, 7, 16000, 0),
      IRECV (0, ANY, 5, 16000, 0, 0), IRECV (0, ANY, ANY_TAG, 16000, 1, 0),
      IRECV (0, ANY, ANY_TAG, 16000, 2, 0), WAITALL (0, 0, 3, 71), END },
    { 0 } },
  { "exact-receives-among-wildcards",
    3,
    { IRECV (0, ANY, ANY_TAG, 8, 0, 0), COMPUTE (0, 1, 1), IRECV (0, 2, 3, 8, 1, 1),
      SEND (2, 0, 3, 8, 0), SEND (2, 0, 3, 8, 0), WAIT (0, 0, 7.032), WAIT (0, 1, 7.032),
      RECV (0, 1, 9, 20000, 117), COMPUTE (1, 16, 16), SEND (1, 0, 9, 20000, 117), END },
    { 0, 0, 0, 0, 0, 2, 2, 1 } },
  { "oneself",
    2,
    { ISEND (0, 0, 4, 8, 0, 0), RECV (0, ANY, ANY_TAG, 8, 0), WAIT (0, 0, 0), END },
    { 0, 0, 0 } },
  { "issend-to-oneself",
    2,
    { ISSEND (0, 0, 4, 8, 0, 0), RECV (0, ANY, ANY_TAG, 8, 0), WAIT (0, 0, 0), END },
    { 0, 0, 0 } },
  /* tag 5 is received, so the request of tag 7 gets its place in the pool;
   * still tag 6 was sent before 7 */
  { "first-wildcard-finds-the-order-of-sending",
    2,
    { SEND (1, 0, 5, 8, 0), SEND (1, 0, 6, 8, 0), RECV (0, 1, 5, 8, 7.032), COMPUTE (1, 10, 10),
      SEND (1, 0, 7, 16, 10), COMPUTE (0, 92.968, 100), RECV (0, 1, ANY_TAG, 8, 100),
      RECV (0, 1, ANY_TAG, 8, 100), END },
    { 0, 0, 1, 0, 0, 0, 1, 1 } },
  /* receives posted before the first wildcard keep their place in line */
  { "first-wildcard-comes-behind-receives",
    2,
    { IRECV (0, 1, 5, 8, 0, 0), IRECV (0, 1, ANY_TAG, 8, 1, 0), COMPUTE (1, 1, 1),
      SEND (1, 0, 5, 8, 1), COMPUTE (1, 1, 2), SEND (1, 0, 5, 8, 2), WAIT (0, 0, 8.032),
      WAIT (0, 1, 9.032), END },
    { 0 } },
  /* messages of collectives are out of reach */
  { "collectives-apart",
    2,
    { IRECV (0, ANY, ANY_TAG, 8, 0, 0), COLLECTIVE (0, BARRIER, 0, 0, 7),
      COLLECTIVE (1, BARRIER, 0, 0, 7), SEND (1, 0, 3, 8, 7), WAIT (0, 0, 14.032), END },
    { 0, 0, 0, 0, 1 } },
  { "nobody-comes", 2, { RECV (0, ANY, 1, 8, NEVER), SEND (1, 0, 2, 8, 0), END }, { 0 } },
};

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = test_machine (WIDE, cases[i].n_ranks);
  TestSetup setup = { .machine = machine, .n_ranks = cases[i].n_ranks };
  guint n = test_count_steps (cases[i].steps);

  test_check_steps (WIDE, cases[i].n_ranks, cases[i].steps);
  g_autoptr (TestRun) run = test_run_new (&setup, cases[i].steps, n);
  for (guint k = 0; k < n; k++)
    if (cases[i].sources[k] != 0)
      g_assert_cmpint (run->statuses[k].source, ==, cases[i].sources[k]);
}

static void
test_tags (void)
{
  static const TestStep steps[] = { SEND (1, 0, 5, 8, 0),         SEND (1, 0, 6, 8, 0),
                                    RECV (0, 1, 5, 8, 7.032),     COMPUTE (1, 10, 10),
                                    SEND (1, 0, 7, 16, 10),       COMPUTE (0, 92.968, 100),
                                    RECV (0, 1, ANY_TAG, 8, 100), RECV (0, 1, ANY_TAG, 8, 100) };
  g_autoptr (PdMachine) machine = test_machine (WIDE, 2);
  TestSetup setup = { .machine = machine, .n_ranks = 2 };
  g_autoptr (TestRun) run = test_run_new (&setup, steps, G_N_ELEMENTS (steps));

  g_assert_cmpint (run->statuses[6].tag, ==, 6);
  g_assert_cmpint (run->statuses[7].tag, ==, 7);
  g_assert_cmpint (run->statuses[7].bytes, ==, 16);
}

/* A first wildcard, at rank 0 to itself. */
static void
add_wildcard_start (GArray *steps)
{
  TestStep send = { .rank = 0, .what = DO_ISEND, .peer = 0, .tag = 1 << 30, .slot = 0 };
  TestStep recv = { .rank = 0, .what = DO_RECV, .peer = ANY, .tag = 1 << 30 };
  TestStep wait = { .rank = 0, .what = DO_WAIT, .slot = 0, .n = 1 };

  g_array_append_val (steps, send);
  g_array_append_val (steps, recv);
  g_array_append_val (steps, wait);
}

/* ---- against a slow model: all messages, all receives of one rank */

#define N_MESSAGES 60

typedef struct
{
  gint32 source;
  gint32 tag;
  gint64 sent;    /* ps */
  gint64 visible; /* ps */
  gint64 bytes;
  gboolean taken;
} Message;

typedef struct
{
  gint32 source; /* or ANY */
  gint32 tag;
  gint64 posted; /* ps */
  gint taken;    /* message, or -1 */
  gint64 done;   /* ps */
} Receive;

typedef struct
{
  Message messages[N_MESSAGES]; /* in order of sending for each source */
  Receive receives[N_MESSAGES];
} Oracle;

static gboolean
may_take (const Oracle *self, const Receive *recv, gint m, gint64 now)
{
  const Message *message = &self->messages[m];

  if (message->taken || message->visible > now
      || (recv->source != ANY && recv->source != message->source)
      || (recv->tag != ANY_TAG && recv->tag != message->tag))
    return FALSE;
  for (gint k = 0; k < m; k++)
    if (!self->messages[k].taken && self->messages[k].source == message->source
        && (recv->tag == ANY_TAG || self->messages[k].tag == recv->tag))
      return FALSE;
  return TRUE;
}

/* The best message for a receive, -1 if there is none. */
static gint
choose_message (const Oracle *self, const Receive *recv, gint64 now)
{
  gint best = -1;

  for (gint m = 0; m < N_MESSAGES; m++)
    {
      const Message *message = &self->messages[m], *other = &self->messages[MAX (best, 0)];
      if (may_take (self, recv, m, now)
          && (best < 0 || message->visible < other->visible
              || (message->visible == other->visible && message->source < other->source)))
        best = m;
    }
  return best;
}

/* Each receive in order of posting takes the best message there is; what it
 * took may have been in the way of another, so from the start again. */
static void
oracle_look (Oracle *self, gint64 now)
{
  for (gint r = 0; r < N_MESSAGES; r++)
    {
      Receive *recv = &self->receives[r];
      gint best = recv->taken >= 0 || recv->posted > now ? -1 : choose_message (self, recv, now);
      if (best < 0)
        continue;
      self->messages[best].taken = TRUE;
      recv->taken = best;
      recv->done = now;
      r = -1;
    }
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

/* Looks at every moment when something appears. */
static void
oracle_run (Oracle *self)
{
  gint64 times[2 * N_MESSAGES];

  for (gint i = 0; i < N_MESSAGES; i++)
    {
      times[2 * i] = self->messages[i].visible;
      times[2 * i + 1] = self->receives[i].posted;
    }
  qsort (times, G_N_ELEMENTS (times), sizeof times[0], compare_times);
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    oracle_look (self, times[i]);
}

/* Four sources send eagerly at times, by a memory that copies all at once. */
static void
fill_messages (Oracle *self, GRand *rand, GArray *steps)
{
  gint64 clocks[5] = { 0 };

  for (gint i = 0; i < N_MESSAGES; i++)
    {
      gint32 source = g_rand_int_range (rand, 1, 5);
      gint64 pause = g_rand_int_range (rand, 0, 4);
      Message *m = &self->messages[i];
      clocks[source] += pause * PD_PS_PER_US;
      *m = (Message){ .source = source,
                      .tag = g_rand_int_range (rand, 0, 3),
                      .sent = clocks[source],
                      .bytes = 1000 * g_rand_int_range (rand, 0, 8) };
      m->visible = m->sent + PD_PS_PER_US + m->bytes * PD_PS_PER_NS;
      TestStep wait = { .rank = (guint32) source, .what = DO_COMPUTE, .duration = (gdouble) pause };
      TestStep send = {
        .rank = (guint32) source, .what = DO_SEND, .tag = m->tag, .bytes = m->bytes
      };
      g_array_append_val (steps, wait);
      g_array_append_val (steps, send);
    }
}

static void
fill_receives (Oracle *self, GRand *rand, GArray *steps)
{
  gint64 clock = 0;

  for (guint i = 0; i < N_MESSAGES; i++)
    {
      gint64 pause = g_rand_int_range (rand, 0, 3);
      Receive *r = &self->receives[i];
      clock += pause * PD_PS_PER_US;
      *r = (Receive){ .source = g_rand_boolean (rand) ? ANY : g_rand_int_range (rand, 1, 5),
                      .tag = g_rand_boolean (rand) ? ANY_TAG : g_rand_int_range (rand, 0, 3),
                      .posted = clock,
                      .taken = -1 };
      TestStep wait = { .what = DO_COMPUTE, .duration = (gdouble) pause };
      TestStep recv = {
        .what = DO_IRECV, .peer = r->source, .tag = r->tag, .bytes = 9999, .slot = i
      };
      g_array_append_val (steps, wait);
      g_array_append_val (steps, recv);
    }
}

/* Every receive got the oracle's message, or none. */
static void
compare_with_oracle (const Oracle *oracle, const TestRun *run)
{
  for (guint i = 0; i < N_MESSAGES; i++)
    {
      const PdStatus *status = test_run_status (run, 0, i);
      gint taken = oracle->receives[i].taken;
      const Message nothing = { 0 }, *m = taken >= 0 ? &oracle->messages[taken] : &nothing;
      if (status->source != m->source || status->tag != m->tag || status->bytes != m->bytes)
        g_test_message ("receive %u", i);
      g_assert_cmpint (status->source, ==, m->source);
      g_assert_cmpint (status->tag, ==, m->tag);
      g_assert_cmpint (status->bytes, ==, m->bytes);
    }
}

static void
check_against_oracle (guint32 seed, const PdMachine *machine)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TestStep));
  g_autofree Oracle *oracle = g_new0 (Oracle, 1);
  TestSetup setup = { .machine = machine, .n_ranks = 5 };
  gint64 last = 0, end = 0;
  guint n_taken = 0;

  add_wildcard_start (steps);
  fill_messages (oracle, rand, steps);
  fill_receives (oracle, rand, steps);
  oracle_run (oracle);
  for (gint i = 0; i < N_MESSAGES; i++)
    {
      n_taken += oracle->receives[i].taken >= 0 ? 1 : 0;
      last = MAX (last, MAX (oracle->receives[i].done, oracle->receives[i].posted));
    }
  for (guint i = 0; i < N_MESSAGES; i++) /* until there is nothing to wait for */
    {
      TestStep wait = { .what = DO_WAITSOME, .n = N_MESSAGES };
      g_array_append_val (steps, wait);
    }
  g_autoptr (TestRun) run =
      test_run_new (&setup, (const TestStep *) (gpointer) steps->data, steps->len);

  for (guint i = 3 + 4 * N_MESSAGES; i < steps->len; i++)
    end = MAX (end, run->ret[i].ps);
  g_assert_cmpint (end, ==, last);
  compare_with_oracle (oracle, run);
  g_assert_cmpuint (pd_comsys_finalize (run->comsys), ==, 2 * (N_MESSAGES - n_taken));
}

static void
test_oracle (void)
{
  g_autoptr (PdMachine) machine = test_machine ("memory:startup=1us,per-byte=1ns,nodes=5", 5);

  for (guint32 seed = 0; seed < 500; seed++)
    {
      g_test_message ("seed %u", seed);
      check_against_oracle (seed, machine);
    }
}

/* ---- very many at one rank: the time must not grow with their square */

typedef enum
{
  UNEXPECTED_TAGS,  /* messages wait, each with a tag; received last to first */
  UNEXPECTED_SAME,  /* messages wait, all alike */
  POSTED_TAGS,      /* receives wait, each with a tag; sent last to first */
  UNEXPECTED_ANY,   /* messages wait; received from anywhere with any tag */
  UNEXPECTED_MIXED, /* first one wildcard, then by tag, last to first */
  POSTED_ANY,       /* receives from anywhere wait */
  POSTED_MIXED      /* one wildcard, then receives by tag */
} Pattern;

static GArray *
create_pattern (Pattern pattern, guint n)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (TestStep));
  gboolean posted = pattern == POSTED_TAGS || pattern == POSTED_ANY || pattern == POSTED_MIXED;
  gboolean any = pattern == UNEXPECTED_ANY || pattern == POSTED_ANY;
  gboolean same = pattern == UNEXPECTED_SAME;
  TestStep pause = { .rank = posted ? 1 : 0, .what = DO_COMPUTE, .duration = 1e6 };
  TestStep wait = { .rank = 0, .what = DO_WAITALL, .slot = 0, .n = n };

  if (pattern == UNEXPECTED_MIXED || pattern == POSTED_MIXED)
    add_wildcard_start (steps);
  g_array_append_val (steps, pause);
  for (guint i = 0; i < n; i++)
    {
      gint32 up = same ? 0 : (gint32) i, down = same ? 0 : (gint32) (n - 1 - i);
      TestStep send = {
        .rank = 1, .what = DO_SEND, .peer = 0, .tag = posted ? down : up, .bytes = 8
      };
      TestStep recv = { .rank = 0,
                        .what = DO_IRECV,
                        .peer = any ? ANY : 1,
                        .tag = any      ? ANY_TAG
                               : posted ? up
                                        : down,
                        .bytes = 8,
                        .slot = i };
      g_array_append_val (steps, send);
      g_array_append_val (steps, recv);
    }
  g_array_append_val (steps, wait);
  return steps;
}

/* Processor seconds, the best of three. */
static gdouble
measure (Pattern pattern, guint n)
{
  g_autoptr (PdMachine) machine = test_machine ("memory:startup=1us,per-byte=1ns,nodes=2", 2);
  g_autoptr (GArray) steps = create_pattern (pattern, n);
  TestSetup setup = { .machine = machine, .n_ranks = 2 };
  gdouble best = G_MAXDOUBLE;

  for (guint i = 0; i < 3; i++)
    {
      clock_t start = clock ();
      g_autoptr (TestRun) run =
          test_run_new (&setup, (const TestStep *) (gpointer) steps->data, steps->len);
      best = MIN (best, (gdouble) (clock () - start));
      g_assert_cmpuint (run->n_finished, ==, 2);
      g_assert_cmpuint (pd_comsys_finalize (run->comsys), ==, 0);
    }
  return MAX (best, 1) / CLOCKS_PER_SEC;
}

/* Linear is a ratio of 40, square one of 1600: far enough apart for a machine
 * that others use too. */
static void
test_many (gconstpointer data)
{
  Pattern pattern = (Pattern) GPOINTER_TO_INT (data);
  gdouble few = measure (pattern, 5000), many = measure (pattern, 200000);

  g_test_message ("%.4f s and %.4f s: ratio %.1f", few, many, many / few);
  g_assert_cmpfloat (many, <, 400 * few);
}

static const char *const patterns[] = {
  [UNEXPECTED_TAGS] = "unexpected-tags",   [UNEXPECTED_SAME] = "unexpected-same",
  [POSTED_TAGS] = "posted-tags",           [UNEXPECTED_ANY] = "unexpected-any",
  [UNEXPECTED_MIXED] = "unexpected-mixed", [POSTED_ANY] = "posted-any",
  [POSTED_MIXED] = "posted-mixed",
};

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/wild/%s", cases[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/comsys/wild/tags", test_tags);
  g_test_add_func ("/comsys/wild/oracle", test_oracle);
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/many/%s", patterns[i]);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_many);
    }
  return g_test_run ();
}
