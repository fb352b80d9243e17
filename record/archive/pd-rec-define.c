/* Communicators, windows, files and groups of this process, numbered in the order of their
 * definition, which is the same in the streams of all threads: each stream has those of
 * others before it has one of its own. Only the first member of a group lists its members, so that
 * a run of n ranks does not write n lists of n members.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/archive/pd-rec-define.h"
#include "record/stream/pd-rec-pool.h"
#include "record/stream/pd-rec-stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A definition; of all but groups without its data. */
typedef struct
{
  uint64_t words[3];
  void *data;
  size_t n;
} Definition;

static struct
{
  pthread_mutex_t lock;
  int rank;
  Definition *made; /* of communicators, windows, files and groups */
  uint32_t made_room;
  _Atomic uint32_t n_made;
  uint32_t n_comms;
  uint32_t n_windows;
  uint32_t n_files;
  uint32_t n_groups;
} self = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
pd_rec_define_begin (int rank)
{
  self.rank = rank;
  for (uint32_t i = 0; i < self.n_made; i++)
    free (self.made[i].data);
  self.n_made = 0;
  self.n_comms = PD_REC_COMM_SELF + 1;
  self.n_windows = 0;
  self.n_files = 0;
  self.n_groups = 0;
}

/* ---- what other threads defined */

static void
define (const Definition *d, const void *data, size_t n)
{
  pd_rec_define (d->words[0], d->words + 1, PD_REC_N_WORDS (d->words[0]) - 1, data, n);
}

static void
write_missing (void)
{
  for (uint32_t *n = pd_rec_stream_n_defined (); *n < self.n_made; ++*n)
    define (&self.made[*n], self.made[*n].data, self.made[*n].n);
}

void
pd_rec_define_catch_up (void)
{
  if (*pd_rec_stream_n_defined () == self.n_made)
    return;
  pthread_mutex_lock (&self.lock);
  write_missing ();
  pthread_mutex_unlock (&self.lock);
}

/* Those that other threads cannot do without are kept with a copy of @data. */
static int
keep (Definition made, const void *data, size_t n)
{
  if (n > 0)
    {
      made.data = malloc (n);
      if (made.data == NULL)
        return -1;
      memcpy (made.data, data, n);
      made.n = n;
    }
  if (pd_rec_make_room (&self.made, &self.made_room, self.n_made, sizeof made) != 0)
    {
      free (made.data);
      return -1;
    }
  self.made[self.n_made++] = made;
  return 0;
}

/* Defines the next number of @counter, with the data of its name or its members. */
static uint32_t
add (PdRecKind kind, uint32_t *counter, const uint64_t words[2], const void *data, size_t n)
{
  int is_group = kind == PD_REC_DEF_GROUP, is_kept;
  uint32_t number;

  pthread_mutex_lock (&self.lock);
  write_missing ();
  number = (*counter)++;
  Definition made = { { PD_REC_FIRST (kind, is_group ? 1 : 3, 0, number), words[0], words[1] },
                      NULL,
                      0 };
  is_kept = keep (made, data, is_group ? n : 0) == 0;
  define (&made, data, n);
  ++*pd_rec_stream_n_defined ();
  pthread_mutex_unlock (&self.lock);
  if (!is_kept)
    pd_rec_stream_stop (PD_REC_NO_MEMORY);
  return number;
}

/* ---- communicators and windows */

/* Names are cut off at a length that each reader has room for. */
static size_t
length_of (const char *name)
{
  return name == NULL ? 0 : strnlen (name, 1000);
}

void
pd_rec_comm_name (uint32_t comm, const char *name)
{
  if (length_of (name) == 0 || comm >= self.n_comms || pd_rec_state == PD_REC_CLOSED)
    return;
  pd_rec_define_catch_up ();
  pd_rec_define (PD_REC_FIRST (PD_REC_DEF_COMM_NAME, 1, 0, comm), NULL, 0, name, length_of (name));
}

uint32_t
pd_rec_comm (const int32_t *world_ranks, int n, uint32_t parent, uint64_t identity,
             const char *name)
{
  uint32_t number;
  int is_first = n > 0 && world_ranks != NULL && world_ranks[0] == self.rank;

  if (pd_rec_state == PD_REC_CLOSED)
    return PD_REC_COMM_WORLD;
  number = add (PD_REC_DEF_COMM, &self.n_comms, (uint64_t[]){ identity, PD_REC_PAIR (parent, n) },
                world_ranks, is_first ? (size_t) n * sizeof *world_ranks : 0);
  pd_rec_comm_name (number, name);
  return number;
}

/* On both sides the group with the lower first rank comes first. */
uint32_t
pd_rec_inter_comm (const int32_t *local, int n_local, const int32_t *remote, int n_remote,
                   uint64_t identity, const char *name)
{
  uint32_t number;
  int tells =
      n_local > 0 && n_remote > 0 && local != NULL && remote != NULL && local[0] == self.rank;
  size_t n = tells ? (size_t) n_local + (size_t) n_remote : 0;
  int32_t *members = NULL;

  if (pd_rec_state == PD_REC_CLOSED)
    return PD_REC_COMM_WORLD;
  if (tells)
    members = malloc (n * sizeof *members);
  if (members != NULL)
    {
      int is_local_first = local[0] < remote[0];
      size_t first = (size_t) (is_local_first ? n_local : n_remote);
      memcpy (members, is_local_first ? local : remote, first * sizeof *members);
      memcpy (members + first, is_local_first ? remote : local, (n - first) * sizeof *members);
      if (!is_local_first)
        {
          int swapped = n_local;
          n_local = n_remote;
          n_remote = swapped;
        }
    }
  number = add (PD_REC_DEF_INTER, &self.n_comms,
                (uint64_t[]){ identity, PD_REC_PAIR (n_local, n_remote) }, members,
                members == NULL ? 0 : n * sizeof *members);
  free (members);
  pd_rec_comm_name (number, name);
  return number;
}

uint32_t
pd_rec_window (uint32_t comm, uint64_t identity, const char *name)
{
  if (pd_rec_state == PD_REC_CLOSED)
    return 0;
  return add (PD_REC_DEF_WINDOW, &self.n_windows, (uint64_t[]){ identity, comm }, name,
              length_of (name));
}

uint32_t
pd_rec_file_defined (uint32_t comm, uint64_t identity, const char *name)
{
  if (pd_rec_state == PD_REC_CLOSED)
    return 0;
  return add (PD_REC_DEF_FILE, &self.n_files, (uint64_t[]){ identity, comm }, name,
              length_of (name));
}

uint32_t
pd_rec_group (const int32_t *world_ranks, int n)
{
  if (pd_rec_state == PD_REC_CLOSED)
    return 0;
  return add (PD_REC_DEF_GROUP, &self.n_groups, (uint64_t[]){ 0, 0 }, world_ranks,
              (size_t) n * sizeof *world_ranks);
}
