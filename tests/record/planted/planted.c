/* The program of all patterns.
 *
 *   planted --clock PATTERN RANKS UNIT   what the clocks show, UNIT in nanoseconds
 *   planted PATTERN [UNIT]               in a run; UNIT in microseconds: with real clocks
 * SPDX-License-Identifier: MIT */
#include "../../../examples/mpi/busy.h" /* first: it says which functions it needs */

#include "planted.h"

#include <stdio.h>
#include <string.h>

#define BEFORE 5 /* units from MPI_Init to the first that counts */
#define MOST   4096

int rank, n_ranks, is_real, has_started;
char *out, *in;

static struct
{
  long readings[MOST];
  int n;
  long end; /* the last of all ranks */
} plan;

static double begin, unit;
static MPI_Comm apart;

int
is_due (long enter, long leave)
{
  if (is_real)
    busy (begin + (double) enter * unit - now ());
  if (has_started)
    return 1;
  if (plan.n + 2 > MOST)
    exit (3);
  plan.readings[plan.n++] = enter;
  plan.readings[plan.n++] = leave;
  plan.end = leave > plan.end ? leave : plan.end;
  return 0;
}

void
meet (void)
{
  if (has_started && !is_real)
    PMPI_Barrier (apart);
}

static const Pattern *
find (const char *name)
{
  static const Pattern *const all[] = { messages, collectives, polls, files, windows };

  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (const Pattern *p = all[i]; p->name != NULL; p++)
      if (strcmp (p->name, name) == 0)
        return p;
  fprintf (stderr, "planted: there is no pattern %s\n", name);
  exit (2);
}

/* All ranks end with the last one. */
static void
make_plan (const Pattern *pattern, long long ns)
{
  for (int print = 0; print < 2; print++)
    for (rank = 0; rank < n_ranks; rank++)
      {
        plan.n = 0;
        pattern->run ();
        if (!print)
          continue;
        printf ("%d times 0 %lld", rank, BEFORE * ns);
        for (int i = 0; i < plan.n; i++)
          printf (" %lld", (BEFORE + plan.readings[i]) * ns);
        printf (" %lld %lld\n", (BEFORE + plan.end) * ns, (BEFORE + plan.end) * ns);
      }
}

static void
run (const Pattern *pattern)
{
  PMPI_Comm_rank (MPI_COMM_WORLD, &rank);
  PMPI_Comm_size (MPI_COMM_WORLD, &n_ranks);
  PMPI_Comm_dup (MPI_COMM_WORLD, &apart);
  int own = rank;
  for (rank = 0; is_real && rank < n_ranks; rank++, plan.n = 0)
    {
      has_started = is_real = 0;
      pattern->run ();
      is_real = 1;
    }
  rank = own;
  has_started = 1;
  PMPI_Barrier (apart);
  begin = now () + unit;
  pattern->run ();
  if (is_real)
    busy (begin + (double) plan.end * unit - now ());
  PMPI_Comm_free (&apart);
}

int
main (int argc, char **argv)
{
  out = calloc (LARGE, 1);
  in = calloc (LARGE, 1);
  if (argc == 5 && strcmp (argv[1], "--clock") == 0)
    {
      n_ranks = atoi (argv[3]);
      make_plan (find (argv[2]), atoll (argv[4]));
      return 0;
    }
  if (argc < 2)
    return 2;
  const Pattern *pattern = find (argv[1]);
  is_real = argc > 2;
  unit = 1e-6 * argument (argc, argv, 2, 0);
  MPI_Init (NULL, NULL);
  run (pattern);
  MPI_Finalize ();
  return 0;
}
