/* Grids and machines for random programs.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/programs.h"

char *
test_random_grid (GRand *random)
{
  static const char *const grids[] = { "1",   "2",   "3",   "5",   "8",     "1x1",   "2x2",
                                       "2x3", "3x2", "4x1", "1x4", "2x2x2", "3x1x2", "12" };

  return g_strdup (grids[g_rand_int_range (random, 0, G_N_ELEMENTS (grids))]);
}

#define OVERHEADS                                                                                  \
  ",send-overhead=300ns,recv-overhead=200ns,wait-overhead=100ns,copy-per-byte=1ns,"                \
  "reduction-per-byte=2ns"
#define NODES ",processors-per-node=2,memory-startup=1us,memory-per-byte=1ns,memory-channels=1"

const char *
test_random_machine (GRand *random, gboolean *is_uniform)
{
  static const struct
  {
    const char *text;
    gboolean is_uniform;
  } machines[] = {
    { "ideal", TRUE },
    { "ethernet:startup=0,per-byte=0", TRUE },
    { "ethernet:startup=0,per-byte=1ns", TRUE },
    { "ethernet:startup=0,per-byte=1ns,collectives=simple", TRUE },
    { "ethernet:startup=5us,per-byte=10ns" OVERHEADS, TRUE },
    { "ethernet:startup=5us,per-byte=10ns,eager=none" OVERHEADS, TRUE },
    { "ethernet:startup=5us,per-byte=10ns,eager=none,control=free", TRUE },
    { "ethernet:startup=5us,per-byte=10ns,eager=64B" NODES OVERHEADS, TRUE },
    { "ethernet:startup=5us,per-byte=0,speeds=1:2:0.3" OVERHEADS, FALSE },
    { "ethernet:startup=1us,per-byte=1ns,collectives=simple,collective-time=3us" OVERHEADS, TRUE },
    { "myrinet:startup=7us,per-byte=4ns" OVERHEADS, TRUE },
    { "myrinet:startup=7us,per-byte=4ns,channels-per=network,channels=2" OVERHEADS, TRUE },
    { "myrinet:startup=7us,per-byte=4ns,channels=2,eager=none" NODES OVERHEADS, TRUE },
    { "myrinet:startup=0,per-byte=4ns,eager=none,control=free,collectives=simple" NODES, TRUE },
    { "myrinet:startup=7us,per-byte=4ns,speeds=1:1:4,eager=8B" NODES, FALSE },
    { "memory:startup=1us,per-byte=1ns" OVERHEADS, TRUE },
    /* much happens at the same moment */
    { "memory:startup=0,per-byte=1ns,channels=1,eager=none,control=free", TRUE },
    { "ethernet:startup=0,per-byte=1ns,eager=8B,control=free,collectives=simple", TRUE },
    { "ethernet:startup=0,per-byte=1ns,eager=none", TRUE },
    { "myrinet:startup=1us,per-byte=0,channels-per=network,eager=none,collectives=simple", TRUE },
    { "tests/data/machine-levels.xml", TRUE },
    { "flow:topology=star,nic-latency=2us,nic-bandwidth=100MB/s" OVERHEADS, TRUE },
    { "flow:topology=torus,latency=1us,nic-latency=1us,bandwidth=100MB/s,sharing=rtt" NODES, TRUE },
    { "flow:topology=fat-tree,arity=2,bandwidth=1GB/s,eager=none,control=free", TRUE },
    { "memory:startup=1us,per-byte=1ns,channels=1,collectives=simple,speeds=1:0.5", FALSE },
  };
  gsize i = (gsize) g_rand_int_range (random, 0, G_N_ELEMENTS (machines));

  *is_uniform = machines[i].is_uniform;
  return machines[i].text;
}
