/* Ranks without MPI.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tests/support/fork-mpi.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  int rank;
  int size;
  int *sockets; /* at rank 0: to each rank; elsewhere the first one: to rank 0 */
} World;

static int
put (int fd, const void *bytes, uint64_t n)
{
  const char *at = bytes;

  while (n > 0)
    {
      ssize_t done = write (fd, at, n);
      if (done <= 0)
        return -1;
      at += done;
      n -= (uint64_t) done;
    }
  return 0;
}

static int
get (int fd, void *bytes, uint64_t n)
{
  char *at = bytes;

  while (n > 0)
    {
      ssize_t done = read (fd, at, n);
      if (done <= 0)
        return -1;
      at += done;
      n -= (uint64_t) done;
    }
  return 0;
}

static int
gatherv (void *data, const void *in, uint64_t n, void *out, const uint64_t *sizes)
{
  World *world = data;
  char *at = out;
  int status = 0;

  if (world->rank != 0)
    return put (world->sockets[0], in, n);
  for (int i = 0; i < world->size; i++)
    {
      if (i == 0)
        memcpy (at, in, sizes[0]);
      else
        status |= get (world->sockets[i], at, sizes[i]);
      at += sizes[i];
    }
  return status;
}

static int
scatterv (void *data, const void *in, const uint64_t *sizes, void *out, uint64_t n)
{
  World *world = data;
  const char *at = in;
  int status = 0;

  if (world->rank != 0)
    return get (world->sockets[0], out, n);
  for (int i = 0; i < world->size; i++)
    {
      if (i == 0)
        memcpy (out, at, n);
      else
        status |= put (world->sockets[i], at, sizes[i]);
      at += sizes[i];
    }
  return status;
}

static int
gather (void *data, const void *in, uint64_t n, void *out)
{
  World *world = data;
  g_autofree uint64_t *sizes = g_new (uint64_t, world->size);

  for (int i = 0; i < world->size; i++)
    sizes[i] = n;
  return gatherv (data, in, n, out, sizes);
}

static int
broadcast (void *data, void *bytes, uint64_t n)
{
  World *world = data;
  int status = 0;

  if (world->rank != 0)
    return get (world->sockets[0], bytes, n);
  for (int i = 1; i < world->size; i++)
    status |= put (world->sockets[i], bytes, n);
  return status;
}

static int
maximum (void *data, uint64_t *value)
{
  World *world = data;
  g_autofree uint64_t *all = g_new (uint64_t, world->size);

  if (gather (data, value, sizeof *value, all) != 0)
    return -1;
  for (int i = 0; world->rank == 0 && i < world->size; i++)
    *value = MAX (*value, all[i]);
  return broadcast (data, value, sizeof *value);
}

static int
barrier (void *data)
{
  uint64_t nothing = 0;

  return maximum (data, &nothing);
}

static int
send_to (void *data, const void *bytes, uint64_t n, int to)
{
  const World *world = data;

  return put (world->sockets[world->rank == 0 ? to : 0], bytes, n);
}

static int
receive_from (void *data, void *bytes, uint64_t n, int from)
{
  const World *world = data;

  return get (world->sockets[world->rank == 0 ? from : 0], bytes, n);
}

static int
be_rank (World *world, TestRank rank, gpointer data)
{
  PdRecMpi mpi = { world->rank, world->size, world,   barrier, broadcast,   gather,
                   gatherv,     scatterv,    maximum, send_to, receive_from };

  return rank (&mpi, data);
}

int *
test_fork_mpi (int size, TestRank rank, gpointer data)
{
  g_autofree int *near = g_new0 (int, size), *far = g_new0 (int, size);
  g_autofree pid_t *pids = g_new0 (pid_t, size);
  int *statuses = g_new0 (int, size);

  for (int i = 1; i < size; i++)
    {
      int pair[2];
      g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
      near[i] = pair[0];
      far[i] = pair[1];
    }
  for (int i = 0; i < size; i++)
    {
      pids[i] = fork ();
      g_assert_cmpint (pids[i], >=, 0);
      if (pids[i] == 0)
        {
          World world = { i, size, i == 0 ? near : &far[i] };
          /* others' ends, so that a rank that dies is noticed */
          for (int j = 1; j < size; j++)
            {
              if (i != 0)
                close (near[j]);
              if (j != i)
                close (far[j]);
            }
          _exit (be_rank (&world, rank, data));
        }
    }
  for (int i = 1; i < size; i++)
    {
      close (near[i]);
      close (far[i]);
    }
  for (int i = 0; i < size; i++)
    waitpid (pids[i], &statuses[i], 0);
  return statuses;
}
