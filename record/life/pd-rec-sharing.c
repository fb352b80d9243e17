/* SPDX-License-Identifier: MIT */
#include "record/life/pd-rec-sharing.h"

#include "base/pd-digest.h"
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-report.h"

#include <stdlib.h>
#include <string.h>

#define WORDS (PD_REC_PROCESSORS / 64)

/* Ranks of one host that may use the same processors are beside each other. */
static int
compare (const void *a, const void *b)
{
  const PdRecPlace *x = a, *y = b;

  if (x->host != y->host)
    return x->host < y->host ? -1 : 1;
  return memcmp (x->processors, y->processors, sizeof x->processors);
}

static int
is_within (const PdRecPlace *inner, const PdRecPlace *outer)
{
  for (int i = 0; i < WORDS; i++)
    if ((inner->processors[i] & ~outer->processors[i]) != 0)
      return 0;
  return 1;
}

/* In thousandths. */
static uint64_t
count_processors (const PdRecPlace *place)
{
  uint64_t n = 0;

  for (int i = 0; i < WORDS; i++)
    n += (uint64_t) __builtin_popcountll (place->processors[i]);
  return n * 1000;
}

/* Whether those of the @n ranks of a host that are within @outer are too many. */
static int
are_too_many (const PdRecPlace *host, uint32_t n, const PdRecPlace *outer)
{
  uint64_t most = count_processors (outer), n_within = 0;

  if (most == 0)
    return 0;
  for (uint32_t i = 0; i < n; i++)
    {
      if (count_processors (&host[i]) == 0 || !is_within (&host[i], outer))
        continue;
      n_within++;
      if (host[i].quota > 0 && host[i].quota < most)
        most = host[i].quota;
    }
  return n_within * 1000 > most;
}

int
pd_rec_sharing_find (PdRecPlace *places, uint32_t n)
{
  uint32_t end;

  qsort (places, n, sizeof *places, compare);
  for (uint32_t begin = 0; begin < n; begin = end)
    {
      for (end = begin + 1; end < n && places[end].host == places[begin].host; end++)
        ;
      for (uint32_t i = begin; i < end; i++)
        if ((i == begin || compare (&places[i - 1], &places[i]) != 0)
            && are_too_many (places + begin, end - begin, &places[i]))
          return 1;
    }
  return 0;
}

/* At rank 0. */
static PdRecClock
choose (PdRecPlace *places, uint32_t n, PdRecClock wish)
{
  PdRecClock clock = wish;

  if (wish == PD_REC_CLOCK_AUTO)
    clock = pd_rec_sharing_find (places, n) ? PD_REC_CLOCK_CPU : PD_REC_CLOCK_WALL;
  for (uint32_t i = 0; i < n && clock == PD_REC_CLOCK_CPU; i++)
    if (places[i].is_coarse)
      {
        pd_rec_say ("the processor time of threads is too coarse here: computation has the time "
                    "that passes");
        return PD_REC_CLOCK_WALL;
      }
  return clock;
}

PdRecClock
pd_rec_sharing_choose (const PdRecMpi *mpi, PdRecClock wish, const char *host,
                       const PdRecUsage *usage)
{
  PdRecPlace own = { .quota = usage->quota,
                     .is_coarse = usage->reading_cost == 0 && !pd_rec_clock_is_prescribed () };
  PdRecPlace *places = mpi->rank == 0 ? calloc ((size_t) mpi->size, sizeof *places) : NULL;
  uint64_t chosen = PD_REC_CLOCK_WALL, is_lacking = mpi->rank == 0 && places == NULL;
  PdDigest digest = { { 0 }, 0 };

  pd_digest_add (&digest, host, strlen (host));
  own.host = pd_digest_get (&digest);
  memcpy (own.processors, usage->processors, sizeof own.processors);
  if (mpi->maximum (mpi->data, &is_lacking) == 0 && !is_lacking
      && mpi->gather (mpi->data, &own, sizeof own, places) == 0 && mpi->rank == 0)
    chosen = choose (places, (uint32_t) mpi->size, wish);
  free (places);
  if (mpi->broadcast (mpi->data, &chosen, sizeof chosen) != 0)
    chosen = PD_REC_CLOCK_WALL;
  return (PdRecClock) chosen;
}
