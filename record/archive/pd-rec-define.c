/* Communicators and windows of this process, numbered in the order of their
 * definition. Only the first member of a group tells who is in it, so that a run
 * of n ranks does not write n lists of n members.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/archive/pd-rec-define.h"
#include "record/stream/pd-rec-stream.h"

#include <stdlib.h>
#include <string.h>

static struct
{
  int rank;
  uint32_t n_comms;
  uint32_t n_windows;
} self;

void
pd_rec_define_begin (int rank)
{
  self.rank = rank;
  self.n_comms = PD_REC_COMM_SELF + 1;
  self.n_windows = 0;
}

/* Names are cut off at a length that each reader has room for. */
static size_t
length_of (const char *name)
{
  return name == NULL ? 0 : strnlen (name, 1000);
}

void
pd_rec_comm_name (uint32_t comm, const char *name)
{
  if (length_of (name) > 0 && comm < self.n_comms)
    pd_rec_define (PD_REC_FIRST (PD_REC_DEF_COMM_NAME, 1, 0, comm), NULL, 0, name,
                   length_of (name));
}

uint32_t
pd_rec_comm (const int32_t *world_ranks, int n, uint32_t parent, uint64_t identity,
             const char *name)
{
  uint32_t number = self.n_comms;
  int is_first = n > 0 && world_ranks != NULL && world_ranks[0] == self.rank;

  if (pd_rec_state == PD_REC_CLOSED)
    return PD_REC_COMM_WORLD;
  self.n_comms++;
  pd_rec_define (PD_REC_FIRST (PD_REC_DEF_COMM, 3, 0, number),
                 (uint64_t[]){ identity, PD_REC_PAIR (parent, n) }, 2, world_ranks,
                 is_first ? (size_t) n * sizeof *world_ranks : 0);
  pd_rec_comm_name (number, name);
  return number;
}

/* On both sides the group with the lower first rank comes first. */
uint32_t
pd_rec_inter_comm (const int32_t *local, int n_local, const int32_t *remote, int n_remote,
                   uint64_t identity, const char *name)
{
  uint32_t number = self.n_comms;
  int tells =
      n_local > 0 && n_remote > 0 && local != NULL && remote != NULL && local[0] == self.rank;
  size_t n = tells ? (size_t) n_local + (size_t) n_remote : 0;
  int32_t *members = NULL;

  if (pd_rec_state == PD_REC_CLOSED)
    return PD_REC_COMM_WORLD;
  self.n_comms++;
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
  pd_rec_define (PD_REC_FIRST (PD_REC_DEF_INTER, 3, 0, number),
                 (uint64_t[]){ identity, PD_REC_PAIR (n_local, n_remote) }, 2, members,
                 members == NULL ? 0 : n * sizeof *members);
  free (members);
  pd_rec_comm_name (number, name);
  return number;
}

uint32_t
pd_rec_window (uint32_t comm, uint64_t identity, const char *name)
{
  uint32_t number = self.n_windows;

  if (pd_rec_state == PD_REC_CLOSED)
    return 0;
  self.n_windows++;
  pd_rec_define (PD_REC_FIRST (PD_REC_DEF_WINDOW, 3, 0, number), (uint64_t[]){ identity, comm }, 2,
                 name, length_of (name));
  return number;
}
