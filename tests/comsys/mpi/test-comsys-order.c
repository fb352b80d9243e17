/* Random programs: run-ahead changes nothing, nothing is lost, nothing stays.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-random.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"

#define N_PROGRAMS (400 / PD_TEST_SHARE) /* per machine and kind */

#define FUNCTIONS                                                                                  \
  "MPI_Send=1us,MPI_Isend=700ns,MPI_Recv=2us,MPI_Irecv=300ns,MPI_Sendrecv=1us,MPI_Wait=500ns,"     \
  "MPI_Waitall=1us,MPI_Waitany=2us,MPI_Test=100ns,MPI_Barrier=3us,MPI_Bcast=1us,MPI_Allreduce="    \
  "4us,"                                                                                           \
  "MPI_Ibarrier=1us,MPI_Iallreduce=2us,MPI_Ibcast=3us,MPI_Comm_split=2us"
#define OVERHEADS                                                                                  \
  "send-overhead=1us,recv-overhead=2us,wait-overhead=3us,copy-per-byte=1ns,"                       \
  "reduction-per-byte=2ns"

static const struct
{
  const char *name;
  const char *spec;
} machines[] = {
  { "ideal", "ideal" },
  { "ideal-free", "ideal:control=free,eager=none" },
  { "ideal-overheads", "ideal:" OVERHEADS },
  { "ethernet", "ethernet:startup=60us,per-byte=90ns" },
  { "ethernet-overheads", "ethernet:startup=3us,per-byte=1ns," OVERHEADS },
  { "ethernet-functions", "ethernet:startup=3us,per-byte=1ns,eager=1KiB," FUNCTIONS },
  { "loggops-functions", "loggops:L=5us,o=1us,g=2us,G=1ns,O=1ns," FUNCTIONS },
  { "simple-functions", "myrinet:startup=7us,per-byte=4ns,collectives=simple," FUNCTIONS },
  { "myrinet-node", "myrinet:startup=7us,per-byte=4ns" },
  { "myrinet-node-overheads", "myrinet:startup=7us,per-byte=4ns,channels=2," OVERHEADS },
  { "mpich4", "myrinet:startup=7us,per-byte=4ns,collectives=mpich4," OVERHEADS },
  { "openmpi4", "ethernet:startup=3us,per-byte=1ns,eager=100,collectives=openmpi4" },
  { "simple-fans", "myrinet:startup=7us,per-byte=4ns,collectives=simple,collective-in=linear" },
  { "myrinet-network", "myrinet:startup=7us,per-byte=4ns,channels=2,channels-per=network" },
  { "flow-star", "flow:topology=star,nic-latency=2us,nic-bandwidth=1GB/s" },
  { "flow-no-latency", "flow:topology=star,nic-bandwidth=1GB/s," OVERHEADS },
  { "flow-fat-tree",
    "flow:topology=fat-tree,arity=2,latency=1us,nic-latency=1us,bandwidth=1GB/s,sharing=rtt,"
    "processors-per-node=2" },
  { "flow-torus-free", "flow:topology=torus,latency=1us,bandwidth=1GB/s,control=free," OVERHEADS },
  { "flow-crossbar", "flow:topology=crossbar,latency=1us,bandwidth=1GB/s,eager=none" },
  { "myrinet-network-free",
    "myrinet:startup=7us,per-byte=4ns,channels-per=network,control=free," OVERHEADS },
  { "detached",
    "myrinet:startup=7us,per-byte=4ns,eager=100,detached=16384,envelope=16," OVERHEADS },
  { "detached-all", "ethernet:startup=3us,per-byte=1ns,eager=none,detached=1GB" },
  { "loggops", "loggops:L=5us,o=1us,g=2us,G=1ns,O=1ns" },
  { "loggops-overheads", "loggops:L=5us,o=1us,g=9us,G=1ns,compat=loggopsim,eager=5000," OVERHEADS },
  { "loggops-nodes", "loggops:L=5us,o=1us,g=2us,G=1ns,processors-per-node=2,memory-startup=1us,"
                     "memory-per-byte=1ns" },
  { "loggops-nothing", "loggops:L=0" },
  { "dimemas", "dimemas:latency=5us,bandwidth=100MB/s,buses=2,in-links=1,out-links=1" },
  { "dimemas-overheads",
    "dimemas:latency=5us,bandwidth=1GB/s,buses=3,in-links=1,eager=none," OVERHEADS },
  { "dimemas-simple",
    "dimemas:latency=5us,bandwidth=100MB/s,buses=2,in-links=1,out-links=1,collectives=simple" },
  { "simple", "myrinet:startup=7us,per-byte=4ns,collectives=simple,collective-time=5us" },
  { "contention", "<machine name='c'>"
                  "<network type='contention' sockets='2' processors-per-socket='1' eager='64B'>"
                  "<table level='memory'><row size='1' time='1us' factors='2:3'/></table>"
                  "<table level='network'><row size='1' time='2us' factors='2'/>"
                  "<row size='1kB' time='5us' factors='1.5'/></table>"
                  "<nodes count='3' processors='3'/></network></machine>" },
  { "contention-processors",
    "<machine name='c'>"
    "<network type='contention' sockets='2' processors-per-socket='1' counts='processors' "
    "directions='together' below='line' beyond='nearest' smooth='monotone' eager='64B'>"
    "<table level='memory'><row size='1' time='1us' factors='2:3'/></table>"
    "<table level='interconnect'><row size='1' time='1us' factors='2:1.5'/></table>"
    "<table level='network'><row size='10' time='2us' factors='2'/>"
    "<row size='1kB' time='5us' factors='1.5'/></table>"
    "<nodes count='3' processors='3'/></network>"
    "<collectives set='mpich4'><use operation='alltoall' algorithm='block' segment='2'/>"
    "</collectives></machine>" },
  { "hierarchy",
    "<machine name='h'>"
    "<network type='ethernet' startup='60us' per-byte='9ns'>"
    "<network type='myrinet' count='3' startup='7us' per-byte='4ns' control='free'>"
    "<nodes count='2' processors='2'><memory startup='1us' per-byte='1ns' channels='1' "
    "eager='1KiB'/>"
    "</nodes></network></network>"
    "<software send-overhead='1us' recv-overhead='1us' wait-overhead='1us' copy-per-byte='1ns'/>"
    "</machine>" },
};

static TestRun *
play (const TestProgram *program, const PdMachine *machine, gboolean one_step)
{
  TestSetup setup = { .machine = machine, .n_ranks = program->n_ranks, .one_step = one_step };

  return test_run_new (&setup, (const TestStep *) (gpointer) program->steps->data,
                       program->steps->len);
}

/* Every message is delivered once, and the counters say so. */
static void
check_conservation (const TestProgram *program, const TestRun *run)
{
  const PdComsysCounts *counts = pd_comsys_get_counts (run->comsys);
  gint64 n_own = (gint64) (counts->n_messages - counts->n_collective_messages);

  g_assert_cmpuint (run->n_finished, ==, program->n_ranks);
  g_assert_cmpuint (pd_comsys_finalize (run->comsys), ==, 0);
  g_assert_cmpint (n_own, ==, program->n_messages);
  g_assert_cmpint (run->seen.n, ==, (gint64) counts->n_messages);
  g_assert_true (run->seen.bytes == counts->n_bytes.ps);
  g_assert_cmpint (run->seen.n_collective, ==, (gint64) counts->n_collective_messages);
  g_assert_cmpint (run->seen.n_calls, ==, program->n_calls);
  g_assert_cmpuint (counts->n_collectives, ==, (guint64) program->n_calls);
  for (guint32 r = 0; r < program->n_ranks * run->n_slots; r++)
    g_assert_cmpuint (run->requests[r], ==, PD_REQUEST_NULL);
}

static void
test_random (gconstpointer data, TestKind kind)
{
  gsize m = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = test_machine (machines[m].spec, 8);

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    {
      g_autoptr (TestProgram) program = test_program_new (seed, kind);
      g_autoptr (TestRun) ahead = play (program, machine, FALSE);
      g_autoptr (TestRun) stepwise = play (program, machine, TRUE);
      if (ahead->n_finished < program->n_ranks)
        g_test_message ("seed %u does not finish", seed);
      check_conservation (program, ahead);
      test_compare_runs (ahead, stepwise);
    }
}

static void
test_exact (gconstpointer data)
{
  test_random (data, TEST_EXACT);
}

static void
test_wildcard (gconstpointer data)
{
  test_random (data, TEST_WILDCARD);
}

static void
test_one_sided (gconstpointer data)
{
  test_random (data, TEST_ONE_SIDED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *exact = g_strdup_printf ("/comsys/order/exact/%s", machines[i].name);
      g_autofree char *wild = g_strdup_printf ("/comsys/order/wild/%s", machines[i].name);
      g_autofree char *one_sided = g_strdup_printf ("/comsys/order/one-sided/%s", machines[i].name);
      g_test_add_data_func (exact, GSIZE_TO_POINTER (i), test_exact);
      g_test_add_data_func (wild, GSIZE_TO_POINTER (i), test_wildcard);
      g_test_add_data_func (one_sided, GSIZE_TO_POINTER (i), test_one_sided);
    }
  return g_test_run ();
}
