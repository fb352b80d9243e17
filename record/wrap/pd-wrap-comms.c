/* Communicators. All members must give one the same identity; they find it
 * without a message: each communicator counts those created from it, alike at all
 * members, and communicators created in one call have no rank in common.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"

#include "record/life/pd-rec-handles.h"
#include "record/archive/pd-rec-define.h"
#include "record/stream/pd-rec-stream.h"

#include <stdlib.h>

enum
{
  SALT_COMM = 1,
  SALT_GROUP,
  SALT_INTER,
};

static PdRecHandles by_handle; /* handle -> place in @comms + 1 */
static PdRecHandles n_alike;   /* folded identity -> how many were made of the same groups */
static PdWrapComm *comms;
static uint32_t n_comms, n_room;
static uint32_t first_free; /* place + 1, chained by their numbers */
static MPI_Group world;

static uint64_t
mix (uint64_t a, uint64_t b)
{
  uint64_t x = a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2));

  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return x != 0 ? x : 1;
}

PdWrapComm *
pd_comm_find (MPI_Comm comm)
{
  uint32_t place = comm == MPI_COMM_NULL ? 0 : pd_rec_handles_get (&by_handle, PD_KEY (comm));

  return place == 0 ? NULL : &comms[place - 1];
}

uint64_t
pd_comm_next_identity (PdWrapComm *self, uint64_t salt)
{
  return mix (mix (self->identity, ++self->n_made), salt);
}

/* A place for one more, + 1; 0: no memory. */
static uint32_t
new_place (void)
{
  uint32_t place = first_free;

  if (place != 0)
    {
      first_free = comms[place - 1].number;
      return place;
    }
  if (n_comms == n_room)
    {
      uint32_t more = n_room > 0 ? 2 * n_room : 16;
      PdWrapComm *larger = realloc (comms, more * sizeof *larger);

      if (larger == NULL)
        return 0;
      comms = larger;
      n_room = more;
    }
  return ++n_comms;
}

static void
add (MPI_Comm handle, PdWrapComm comm)
{
  uint32_t place = comm.number == PD_REC_COMM_NONE ? 0 : new_place ();

  if (place == 0)
    return;
  comm.neighbours = NULL;
  comms[place - 1] = comm;
  pd_rec_handles_set (&by_handle, PD_KEY (handle), place);
}

static void
forget (MPI_Comm handle)
{
  uint32_t place = pd_rec_handles_get (&by_handle, PD_KEY (handle));

  if (place == 0)
    return;
  pd_rec_handles_set (&by_handle, PD_KEY (handle), 0);
  pd_neighbours_free (comms[place - 1].neighbours);
  comms[place - 1].number = first_free;
  first_free = place;
}

/* ---- groups as ranks of MPI_COMM_WORLD */

typedef struct
{
  int n;
  int *ranks;     /* of all members, or of the first one only; NULL: none known */
  uint64_t print; /* of these */
} Members;

/* Of all members, or of the first one only. Members of other worlds: none known. */
static Members
get_members (MPI_Group group, int all)
{
  Members members = { 0, NULL, 0 };
  int n_wanted;
  int *places;

  PMPI_Group_size (group, &members.n);
  n_wanted = all ? members.n : 1;
  places = malloc (2 * (size_t) n_wanted * sizeof *places);
  if (places == NULL)
    return members;
  for (int i = 0; i < n_wanted; i++)
    places[i] = i;
  PMPI_Group_translate_ranks (group, n_wanted, places, world, places + n_wanted);
  members.ranks = places;
  for (int i = 0; i < n_wanted; i++)
    {
      places[i] = places[n_wanted + i];
      members.print = mix (members.print, (uint64_t) places[i]);
      if (places[i] != MPI_UNDEFINED)
        continue;
      free (places);
      members.ranks = NULL;
      break;
    }
  return members;
}

/* @from_groups: the groups make the difference, not the order of calls. */
static void
add_intra (MPI_Comm handle, uint64_t identity, uint32_t parent, int from_groups)
{
  PdWrapComm comm = { .identity = identity };
  Members members;
  MPI_Group group;

  PMPI_Comm_rank (handle, &comm.rank);
  PMPI_Comm_size (handle, &comm.size);
  PMPI_Comm_group (handle, &group);
  members = get_members (group, from_groups || comm.rank == 0);
  PMPI_Group_free (&group);
  if (members.ranks == NULL)
    return;
  comm.identity = mix (identity, from_groups ? members.print : (uint64_t) members.ranks[0]);
  if (from_groups)
    {
      uint32_t n = pd_rec_handles_get (&n_alike, (uintptr_t) comm.identity) + 1;

      pd_rec_handles_set (&n_alike, (uintptr_t) comm.identity, n);
      comm.identity = mix (comm.identity, n);
    }
  comm.number = pd_rec_comm (members.ranks, comm.size, parent, comm.identity, NULL);
  free (members.ranks);
  add (handle, comm);
}

/* Either side comes to the same: the group of the lower rank is taken first. */
static uint64_t
identity_of_groups (uint64_t salt, const Members *local, const Members *remote, int from_groups)
{
  int is_lower = local->ranks[0] < remote->ranks[0];
  const Members *a = is_lower ? local : remote, *b = is_lower ? remote : local;
  uint64_t identity;
  uint32_t n;

  if (!from_groups)
    return mix (salt, (uint64_t) a->ranks[0]);
  identity = mix (mix (salt, a->print), b->print);
  n = pd_rec_handles_get (&n_alike, (uintptr_t) identity) + 1;
  pd_rec_handles_set (&n_alike, (uintptr_t) identity, n);
  return mix (identity, n);
}

static void
add_inter (MPI_Comm handle, uint64_t identity, int from_groups)
{
  PdWrapComm comm = { .number = PD_REC_COMM_NONE };
  MPI_Group group, other;
  Members local, remote;
  int all;

  PMPI_Comm_rank (handle, &comm.rank);
  PMPI_Comm_size (handle, &comm.size);
  PMPI_Comm_remote_size (handle, &comm.n_remote);
  PMPI_Comm_group (handle, &group);
  PMPI_Comm_remote_group (handle, &other);
  all = from_groups || comm.rank == 0;
  local = get_members (group, all);
  remote = get_members (other, all);
  PMPI_Group_free (&group);
  PMPI_Group_free (&other);
  if (local.ranks != NULL && remote.ranks != NULL)
    {
      comm.identity = identity_of_groups (identity, &local, &remote, from_groups);
      comm.number =
          pd_rec_inter_comm (local.ranks, local.n, remote.ranks, remote.n, comm.identity, NULL);
    }
  free (local.ranks);
  free (remote.ranks);
  add (handle, comm);
}

static void
add_child (MPI_Comm handle, uint64_t identity, uint32_t parent)
{
  int is_inter;

  if (handle == MPI_COMM_NULL)
    return;
  PMPI_Comm_test_inter (handle, &is_inter);
  if (is_inter)
    add_inter (handle, identity, 0);
  else
    add_intra (handle, identity, parent, 0);
}

/* ---- calls */

void
pd_comms_begin (void)
{
  PdWrapComm self = { .number = PD_REC_COMM_SELF, .size = 1 };
  PdWrapComm all = { .number = PD_REC_COMM_WORLD, .identity = 1 };

  PMPI_Comm_group (MPI_COMM_WORLD, &world);
  PMPI_Comm_rank (MPI_COMM_WORLD, &all.rank);
  PMPI_Comm_size (MPI_COMM_WORLD, &all.size);
  self.identity = mix (2, (uint64_t) all.rank);
  add (MPI_COMM_WORLD, all);
  add (MPI_COMM_SELF, self);
}

static void
record (PdWrapCall *call, int op, uint32_t comm)
{
  if (call->is_on && comm != PD_REC_COMM_NONE)
    pd_rec_collective (op, comm, PD_REC_NO_ROOT, 0, 0, 0);
}

void
pd_did_make_comm (PdWrapCall *call)
{
  PdWrapComm *parent = pd_comm_find (call->comm);
  uint32_t number;

  if (parent == NULL)
    return;
  number = parent->number;
  add_child (pd_value_comm (call), pd_comm_next_identity (parent, SALT_COMM), number);
  record (call, PD_REC_CREATE_HANDLE, number);
}

/* Only the members of the group call this, so nothing is counted at the parent. */
void
pd_did_make_comm_of_group (PdWrapCall *call)
{
  const PdWrapComm *parent = pd_comm_find (call->comm);
  MPI_Comm made = pd_value_comm (call);

  if (parent != NULL && made != MPI_COMM_NULL)
    add_intra (made, mix (mix (parent->identity, SALT_GROUP), (uint64_t) call->tag), parent->number,
               1);
}

void
pd_did_make_inter_comm (PdWrapCall *call)
{
  const PdWrapComm *local = pd_comm_find (call->comm);
  MPI_Comm made = pd_value_comm (call);
  uint32_t number = local != NULL ? local->number : PD_REC_COMM_NONE;

  if (made != MPI_COMM_NULL)
    add_inter (made, mix (SALT_INTER, (uint64_t) call->tag), 1);
  record (call, PD_REC_CREATE_HANDLE, number);
}

/* The communicator is there when the request is complete. */
void
pd_did_idup (PdWrapCall *call)
{
  PdWrapComm *parent = pd_comm_find (call->comm);
  PdWrapRequest request = { .kind = PD_WRAP_REQUEST_DUP, .is_active = 1 };

  if (parent == NULL)
    return;
  request.comm = parent->number;
  request.received = pd_comm_next_identity (parent, SALT_COMM);
  request.newcomm = call->newcomm;
  request.is_fortran = call->is_fortran;
  if (call->is_on)
    {
      request.number = pd_request_new_number ();
      pd_rec_collective (PD_REC_CREATE_HANDLE, parent->number, PD_REC_NO_ROOT, 0, 0,
                         request.number);
    }
  pd_request_add (pd_value_request (call, 0), &request);
}

void
pd_comm_add_duplicate (MPI_Comm comm, uint64_t identity, uint32_t parent)
{
  add_child (comm, identity, parent);
}

/* Forgotten before the call: another thread may get the same handle before it is back. */
void
pd_before_free_comm (PdWrapCall *call)
{
  const PdWrapComm *comm = pd_comm_find (pd_value_comm (call));

  call->kept = comm != NULL ? comm->number : PD_REC_COMM_NONE;
  forget (pd_value_comm (call));
}

void
pd_did_free_comm (PdWrapCall *call)
{
  record (call, PD_REC_DESTROY_HANDLE, call->kept);
}

void
pd_did_name_comm (PdWrapCall *call)
{
  const PdWrapComm *comm = pd_comm_find (call->comm);
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length;

  if (comm != NULL && PMPI_Comm_get_name (call->comm, name, &length) == MPI_SUCCESS)
    pd_rec_comm_name (comm->number, name);
}
