/* Clocks of several hosts. The first rank of each host compares its clock with that
 * of rank 0, at the beginning and at the end; all ranks of a host share a clock.
 * In between the difference changes linearly.
 * SPDX-License-Identifier: MIT */
#include "record/archive/pd-rec-align.h"
#include "record/stream/pd-rec-clock.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 100

typedef struct
{
  char name[256];
  int32_t rank;
} Host;

/* ---- comparing two clocks */

/* The answers of rank 0. */
static int
answer (const PdRecMpi *mpi, int peer)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      uint64_t time;
      if (mpi->receive (mpi->data, &time, sizeof time, peer) != 0)
        return -1;
      time = pd_rec_now ();
      if (mpi->send (mpi->data, &time, sizeof time, peer) != 0)
        return -1;
    }
  return 0;
}

/* The exchange with the smallest round trip is the most exact one. */
static int
ask (const PdRecMpi *mpi, PdRecOffset *offset)
{
  uint64_t best = UINT64_MAX;

  for (int i = 0; i < ROUNDS; i++)
    {
      uint64_t t0 = pd_rec_now (), there, t1;
      if (mpi->send (mpi->data, &t0, sizeof t0, 0) != 0
          || mpi->receive (mpi->data, &there, sizeof there, 0) != 0)
        return -1;
      t1 = pd_rec_now ();
      if (t1 - t0 >= best)
        continue;
      best = t1 - t0;
      offset->at = t0 + best / 2;
      offset->offset = (int64_t) (there - offset->at);
    }
  return 0;
}

/* ---- who asks: the first rank of each host */

static int
compare_hosts (const void *a, const void *b)
{
  const Host *x = a, *y = b;
  int order = strcmp (x->name, y->name);

  return order != 0 ? order : x->rank - y->rank;
}

/* (out) @leaders: of each rank. */
static void
find_leaders (Host *hosts, int n, int32_t *leaders)
{
  qsort (hosts, (size_t) n, sizeof *hosts, compare_hosts);
  for (int i = 0; i < n; i++)
    {
      int is_first = i == 0 || strcmp (hosts[i].name, hosts[i - 1].name) != 0;
      leaders[hosts[i].rank] = is_first ? hosts[i].rank : leaders[hosts[i - 1].rank];
    }
}

/* At rank 0: answers all leaders in turn; then each rank's offset is its leader's. */
static int
serve (const PdRecMpi *mpi, const int32_t *leaders, PdRecOffset *offsets)
{
  PdRecOffset none = { 0, 0 };

  for (int i = 0; i < mpi->size; i++)
    if (leaders[i] == i && i != 0 && answer (mpi, i) != 0)
      return -1;
  if (mpi->gather (mpi->data, &none, sizeof none, offsets) != 0)
    return -1;
  for (int i = 0; i < mpi->size; i++)
    offsets[i] = leaders[i] == 0 ? none : offsets[leaders[i]];
  return 0;
}

static int
share (const PdRecMpi *mpi, const void *values, size_t n, void *own, uint64_t *sizes)
{
  for (int i = 0; mpi->rank == 0 && i < mpi->size; i++)
    sizes[i] = n;
  return mpi->scatterv (mpi->data, values, sizes, own, n);
}

/* The data of all ranks at rank 0. */
typedef struct
{
  Host *hosts;
  int32_t *leaders;
  uint64_t *sizes;
  PdRecOffset *offsets;
} Server;

static int
align (const PdRecMpi *mpi, const char *name, Server *server, PdRecOffset *offset)
{
  Host host = { .rank = mpi->rank };
  int32_t leader = 0;

  strncpy (host.name, name, sizeof host.name - 1);
  if (mpi->gather (mpi->data, &host, sizeof host, server->hosts) != 0)
    return -1;
  if (mpi->rank == 0)
    find_leaders (server->hosts, mpi->size, server->leaders);
  if (share (mpi, server->leaders, sizeof leader, &leader, server->sizes) != 0)
    return -1;
  if (mpi->rank == 0)
    {
      if (serve (mpi, server->leaders, server->offsets) != 0)
        return -1;
    }
  else if ((leader == mpi->rank && ask (mpi, offset) != 0)
           || mpi->gather (mpi->data, offset, sizeof *offset, NULL) != 0)
    return -1;
  return share (mpi, server->offsets, sizeof *offset, offset, server->sizes);
}

int
pd_rec_align (const PdRecMpi *mpi, const char *host, PdRecOffset *offset)
{
  size_t n = mpi->rank == 0 ? (size_t) mpi->size : 1;
  Server server = { calloc (n, sizeof (Host)), calloc (n, sizeof (int32_t)),
                    calloc (n, sizeof (uint64_t)), calloc (n, sizeof (PdRecOffset)) };
  uint64_t failed = server.hosts == NULL || server.leaders == NULL || server.sizes == NULL
                    || server.offsets == NULL;
  int status = -1;

  *offset = (PdRecOffset){ 0, 0 };
  if (mpi->maximum (mpi->data, &failed) == 0 && failed == 0)
    status = align (mpi, host, &server, offset);
  free (server.hosts);
  free (server.leaders);
  free (server.sizes);
  free (server.offsets);
  return status;
}

/* ---- the common clock */

uint64_t
pd_rec_aligned (const PdRecHead *head, uint64_t t)
{
  __extension__ typedef __int128 Wide;
  const PdRecOffset *o = head->offsets;
  Wide result = (Wide) t;

  if (head->n_offsets > 0)
    result += o[0].offset;
  if (head->n_offsets > 1 && o[1].at > o[0].at)
    {
      Wide gained = (Wide) o[1].offset - o[0].offset, over = (Wide) (o[1].at - o[0].at);
      /* a clock that would go backwards was not measured well */
      if (gained > -over)
        result += gained * ((Wide) t - (Wide) o[0].at) / over;
    }
  return result < 0 ? 0 : result > INT64_MAX ? INT64_MAX : (uint64_t) result;
}
