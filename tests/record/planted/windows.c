/* One-sided communication: epochs that begin or end late, and locks that others hold.
 * SPDX-License-Identifier: MIT */
#include "planted.h"

#define WORLD MPI_COMM_WORLD

static MPI_Win window;
static MPI_Group others;

/* All ranks make the window at once; the group has all of them but this one. */
static void
make (void)
{
  static char memory[LARGE];
  MPI_Group world;

  CALL (0, 1, MPI_Win_create (memory, LARGE, 1, MPI_INFO_NULL, WORLD, &window));
  if (!has_started)
    return;
  PMPI_Comm_group (WORLD, &world);
  PMPI_Group_excl (world, 1, &rank, &others);
}

static void
give_back (void)
{
  CALL (40, 41, MPI_Win_free (&window));
}

static void
put (long at, int target)
{
  CALL (at, at + 1, MPI_Put (out, 8, MPI_BYTE, target, 0, 8, MPI_BYTE, window));
}

static void
late_post (void)
{
  make ();
  if (rank == 0)
    {
      CALL (2, 13, MPI_Win_start (others, 0, window)); /* waits */
      put (13, 1);
      CALL (14, 15, MPI_Win_complete (window));
    }
  else
    {
      CALL (12, 13, MPI_Win_post (others, 0, window)); /* late */
      CALL (15, 16, MPI_Win_wait (window));
    }
  give_back ();
}

/* Two targets, of which the last counts. */
static void
late_post_of_two (void)
{
  make ();
  if (rank == 0)
    {
      CALL (2, 13, MPI_Win_start (others, 0, window)); /* waits */
      CALL (14, 15, MPI_Win_complete (window));
    }
  else
    {
      int zero = 0;
      MPI_Group world, origin;
      if (has_started)
        {
          PMPI_Comm_group (WORLD, &world);
          PMPI_Group_incl (world, 1, &zero, &origin);
        }
      CALL (rank == 1 ? 6 : 12, 13, MPI_Win_post (origin, 0, window)); /* late */
      CALL (15, 16, MPI_Win_wait (window));
    }
  give_back ();
}

static void
late_complete (void)
{
  make ();
  if (rank == 0)
    {
      CALL (3, 4, MPI_Win_start (others, 0, window));
      put (4, 1);
      CALL (14, 15, MPI_Win_complete (window)); /* late */
    }
  else
    {
      CALL (2, 3, MPI_Win_post (others, 0, window));
      CALL (4, 16, MPI_Win_wait (window)); /* waits */
    }
  give_back ();
}

/* All of the access comes late. */
static void
late_start (void)
{
  make ();
  if (rank == 0)
    {
      CALL (12, 13, MPI_Win_start (others, 0, window));
      CALL (13, 14, MPI_Win_complete (window)); /* late */
    }
  else
    {
      CALL (2, 3, MPI_Win_post (others, 0, window));
      CALL (4, 15, MPI_Win_wait (window)); /* waits */
    }
  give_back ();
}

/* A library that makes progress only in calls. */
static void
late_wait (void)
{
  make ();
  if (rank == 0)
    {
      CALL (3, 4, MPI_Win_start (others, 0, window));
      put (4, 1);
      CALL (5, 13, MPI_Win_complete (window)); /* waits */
    }
  else
    {
      CALL (2, 3, MPI_Win_post (others, 0, window));
      CALL (12, 14, MPI_Win_wait (window)); /* late */
    }
  give_back ();
}

#define LOCK(enter, leave)   CALL (enter, leave, MPI_Win_lock (MPI_LOCK_EXCLUSIVE, 0, 0, window))
#define UNLOCK(enter, leave) CALL (enter, leave, MPI_Win_unlock (0, window))

/* Rank 0 has its own window. */
static void
lock (void)
{
  make ();
  if (rank == 0)
    {
      LOCK (2, 3);
      UNLOCK (12, 13); /* late */
    }
  else
    {
      LOCK (4, 14); /* waits */
      put (14, 0);
      UNLOCK (15, 16);
    }
  give_back ();
}

/* Each has it after the one before: rank 2 waits for rank 1 in the end. */
static void
lock_of_three (void)
{
  make ();
  if (rank == 0)
    {
      LOCK (2, 3);
      UNLOCK (12, 13);
    }
  else
    {
      LOCK (3 + rank, rank == 1 ? 14 : 22);              /* waits */
      UNLOCK (rank == 1 ? 20 : 23, rank == 1 ? 21 : 24); /* late */
    }
  give_back ();
}

/* A library that asks for the lock when it is needed. */
static void
lock_at_flush (void)
{
  make ();
  if (rank == 0)
    {
      LOCK (2, 3);
      UNLOCK (12, 13); /* late */
    }
  else
    {
      LOCK (4, 5);
      put (5, 0);
      CALL (6, 14, MPI_Win_flush (0, window)); /* waits */
      UNLOCK (15, 16);
    }
  give_back ();
}

static void
fence (void)
{
  make ();
  if (rank == 0)
    CALL (12, 13, MPI_Win_fence (0, window)); /* late */
  else
    CALL (2, 14, MPI_Win_fence (0, window)); /* waits */
  give_back ();
}

/* Nothing tells what a request waits for. */
static void
request (void)
{
  MPI_Request access = MPI_REQUEST_NULL;

  make ();
  if (rank == 0)
    {
      LOCK (2, 3);
      CALL (3, 4, MPI_Rput (out, 8, MPI_BYTE, 0, 0, 8, MPI_BYTE, window, &access));
      CALL (5, 9, MPI_Wait (&access, MPI_STATUS_IGNORE));
      UNLOCK (9, 10);
    }
  give_back ();
}

const Pattern windows[] = {
  { "late_post", late_post },
  { "late_post_of_two", late_post_of_two },
  { "late_complete", late_complete },
  { "late_start", late_start },
  { "late_wait", late_wait },
  { "lock", lock },
  { "lock_of_three", lock_of_three },
  { "lock_at_flush", lock_at_flush },
  { "fence", fence },
  { "request", request },
  { NULL, NULL },
};
