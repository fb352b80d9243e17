/* The network of Dimemas in hand-worked tables. Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"

/* 1 us of latency; a message of n bytes takes n ns. */
#define FREE  "dimemas:latency=1us,bandwidth=1GB/s"
#define LINKS FREE ",in-links=1,out-links=1"

static const struct
{
  const char *name;
  const char *machine;
  guint32 n_ranks;
  TestStep steps[24];
} cases[] = {
  /* the receive's latency passes beside the transfer */
  { "eager",
    FREE,
    2,
    { SEND (0, 1, 0, 5000, 1), SEND (0, 1, 1, 100, 2), RECV (1, 0, 0, 5000, 6),
      RECV (1, 0, 1, 100, 7), END } },
  /* the send waits for the receive, which is there at 11, not for the transfer */
  { "rendezvous",
    FREE,
    2,
    { SSEND (0, 1, 0, 5000, 11), COMPUTE (1, 10, 10), RECV (1, 0, 0, 5000, 16), END } },
  { "rendezvous-late-send",
    FREE,
    2,
    { COMPUTE (0, 10, 10), SSEND (0, 1, 0, 5000, 11), RECV (1, 0, 0, 5000, 16), END } },
  { "rendezvous-by-size",
    FREE ",eager=4kB",
    2,
    { SEND (0, 1, 0, 5000, 11), COMPUTE (1, 10, 10), RECV (1, 0, 0, 5000, 16), END } },
  /* Isend takes the latency, Irecv does not, Wait does; with the receive posted
   * before the send of 1 arrives that one is there at 6 */
  { "immediate",
    FREE,
    2,
    { ISEND (0, 1, 0, 5000, 0, 1), WAIT (0, 0, 1), IRECV (1, 0, 0, 5000, 0, 0), WAIT (1, 0, 6),
      END } },
  { "immediate-late-wait",
    FREE,
    2,
    { ISEND (0, 1, 0, 5000, 0, 1), WAIT (0, 0, 1), IRECV (1, 0, 0, 5000, 0, 0), COMPUTE (1, 20, 20),
      WAIT (1, 0, 21), END } },
  { "immediate-synchronous",
    FREE,
    2,
    { ISSEND (0, 1, 0, 5000, 0, 1), COMPUTE (0, 3, 4), COMPUTE (1, 10, 10),
      IRECV (1, 0, 0, 5000, 0, 10), WAIT (1, 0, 15), END } },
  /* 1.000667 and 0.999333 us one after the other */
  { "parts-of-nanoseconds",
    "dimemas:latency=0,bandwidth=3GB/s,in-links=1,out-links=1",
    3,
    { SEND (0, 1, 0, 3002, 0), SEND (0, 2, 0, 2998, 0), COMPUTE (1, 9, 9), RECV (1, 0, 0, 3002, 9),
      RECV (2, 0, 0, 2998, 2), END } },
  { "no-bandwidth",
    "dimemas:latency=1us,bandwidth=0,in-links=1,out-links=1,buses=1",
    2,
    { SEND (0, 1, 0, 5000, 1), SEND (0, 1, 0, 5000, 2), RECV (1, 0, 0, 5000, 1),
      RECV (1, 0, 0, 5000, 2), END } },
  /* one link out: 1 to 11, 11 to 21 */
  { "out-link",
    LINKS,
    3,
    { SEND (0, 1, 0, 10000, 1), SEND (0, 2, 0, 10000, 2), RECV (1, 0, 0, 10000, 11),
      RECV (2, 0, 0, 10000, 21), END } },
  { "two-out-links",
    FREE ",in-links=1,out-links=2",
    3,
    { SEND (0, 1, 0, 10000, 1), SEND (0, 2, 0, 10000, 2), RECV (1, 0, 0, 10000, 11),
      RECV (2, 0, 0, 10000, 12), END } },
  { "in-link",
    LINKS,
    3,
    { SEND (0, 2, 0, 10000, 1), COMPUTE (1, 1, 1), SEND (1, 2, 0, 10000, 2),
      RECV (2, 0, 0, 10000, 11), RECV (2, 1, 0, 10000, 21), END } },
  { "both-directions-at-a-time",
    LINKS,
    2,
    { SEND (0, 1, 0, 10000, 1), RECV (0, 1, 0, 10000, 11), SEND (1, 0, 0, 10000, 1),
      RECV (1, 0, 0, 10000, 11), END } },
  /* one link for both directions: that of 0 comes first */
  { "half-duplex",
    FREE ",in-links=0,out-links=1",
    2,
    { SEND (0, 1, 0, 10000, 1), RECV (0, 1, 0, 10000, 21), SEND (1, 0, 0, 10000, 1),
      RECV (1, 0, 0, 10000, 11), END } },
  { "half-duplex-by-in-links",
    FREE ",in-links=2,out-links=0",
    2,
    { SEND (0, 1, 0, 10000, 1), RECV (0, 1, 0, 10000, 11), SEND (1, 0, 0, 10000, 1),
      RECV (1, 0, 0, 10000, 11), END } },
  { "bus",
    FREE ",buses=1",
    4,
    { SEND (0, 1, 0, 10000, 1), COMPUTE (2, 1, 1), SEND (2, 3, 0, 10000, 2),
      RECV (1, 0, 0, 10000, 11), RECV (3, 2, 0, 10000, 21), END } },
  /* that from 2 to 1 is stuck, as 1 receives until 11: its link out is lent to the
   * one to 3, until 13; then it is 1's turn, from 13 to 23 */
  { "lends-its-link",
    LINKS,
    4,
    { SEND (0, 1, 0, 10000, 1), COMPUTE (2, 1, 1), SEND (2, 1, 0, 10000, 2),
      SEND (2, 3, 0, 10000, 3), RECV (1, 0, 0, 10000, 11), RECV (1, 2, 0, 10000, 23),
      RECV (3, 2, 0, 10000, 13), END } },
  { "keeps-its-link",
    LINKS ",lending=no",
    4,
    { SEND (0, 1, 0, 10000, 1), COMPUTE (2, 1, 1), SEND (2, 1, 0, 10000, 2),
      SEND (2, 3, 0, 10000, 3), RECV (1, 0, 0, 10000, 11), RECV (1, 2, 0, 10000, 21),
      RECV (3, 2, 0, 10000, 31), END } },
  /* it keeps its links while it waits for the bus: that from 3 to 2 comes last */
  { "keeps-links-while-waiting-for-the-bus",
    LINKS ",buses=1",
    6,
    { SEND (0, 1, 0, 10000, 1), COMPUTE (3, 1, 1), SEND (3, 4, 0, 10000, 2), COMPUTE (5, 2, 2),
      SEND (5, 2, 0, 10000, 3), SEND (3, 2, 0, 1000, 3), RECV (1, 0, 0, 10000, 11),
      RECV (4, 3, 0, 10000, 21), RECV (2, 5, 0, 10000, 31), RECV (2, 3, 0, 1000, 32), END } },
  /* within a node another latency, links of each processor, buses of the node */
  { "memory",
    LINKS ",processors-per-node=3,memory-type=dimemas,memory-latency=0.5us,"
          "memory-bandwidth=2GB/s,memory-buses=1",
    6,
    { SEND (0, 1, 0, 10000, 0.5), SEND (0, 3, 0, 10000, 1.5), COMPUTE (2, 1, 1),
      SEND (2, 1, 0, 10000, 1.5), RECV (1, 0, 0, 10000, 5.5), RECV (1, 2, 0, 10000, 10.5),
      RECV (3, 0, 0, 10000, 11.5), COMPUTE (4, 0.5, 0.5), SEND (4, 5, 0, 10000, 1),
      RECV (5, 4, 0, 10000, 6), END } },
  { "oneself", LINKS, 1, { SEND (0, 0, 0, 10000, 0), RECV (0, 0, 0, 10000, 0), END } },
};

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  test_check_steps (cases[i].machine, cases[i].n_ranks, cases[i].steps);
}

/* Each sends to each at once. Nothing is lost, and at most so many are under way
 * at a time: the last one arrives when all links have been busy at least as long
 * as their messages take. */
static void
check_all_to_all (const char *spec, guint32 n, gdouble least)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (TestStep));
  g_autoptr (PdMachine) machine = test_machine (spec, n);
  gint64 last = 0;

  for (guint32 r = 0; r < n; r++)
    {
      guint slot = 0;
      for (guint32 k = 1; k < n; k++)
        {
          TestStep recv = IRECV (r, (gint32) ((r + n - k) % n), 0, 1000, slot++, 0);
          g_array_append_val (steps, recv);
        }
      for (guint32 k = 1; k < n; k++)
        {
          TestStep send = ISEND (r, (gint32) ((r + k) % n), 0, 1000, slot++, 0);
          g_array_append_val (steps, send);
        }
      TestStep wait = WAITALL (r, 0, slot, 0);
      g_array_append_val (steps, wait);
    }
  TestSetup setup = { .machine = machine, .n_ranks = n };
  g_autoptr (TestRun) run = test_run_new (&setup, (TestStep *) (gpointer) steps->data, steps->len);
  setup.one_step = TRUE;
  g_autoptr (TestRun) slow = test_run_new (&setup, (TestStep *) (gpointer) steps->data, steps->len);
  test_compare_runs (run, slow);
  g_assert_cmpuint (run->n_finished, ==, n);
  g_assert_cmpint (run->seen.n, ==, n * (n - 1));
  g_assert_cmpuint (pd_comsys_finalize (run->comsys), ==, 0);
  for (guint i = 0; i < run->n_steps; i++)
    last = MAX (last, run->ret[i].ps);
  g_assert_cmpint (last, >=, test_us (least));
}

static void
test_all_to_all (void)
{
  /* n - 1 messages of 1 us through each link */
  check_all_to_all (LINKS, 16, 15);
  check_all_to_all (LINKS ",lending=no", 16, 15);
  check_all_to_all (FREE ",in-links=2,out-links=3", 16, 7.5);
  /* 240 through one bus */
  check_all_to_all (FREE ",buses=1", 16, 240);
  check_all_to_all (LINKS ",buses=4", 16, 60);
  /* each link carries twice as many */
  check_all_to_all (FREE ",in-links=1", 16, 30);
  check_all_to_all (FREE ",out-links=3,lending=no", 16, 10);
  check_all_to_all (FREE ",out-links=2,buses=3", 9, 24);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/comsys/dimemas/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/comsys/dimemas/all-to-all", test_all_to_all);
  return g_test_run ();
}
