/* Nodes, sockets and cores of all processes; binding.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-sharers.h"
#include "measure/plan/pd-node-topology.h"
#include "measure/mpi/mpi-places.h"
#include "measure/mpi/mpi-tools.h"

#include <string.h>

/* The node of this process, and its place among those of the node. */
typedef struct
{
  int node;
  int rank;
  int size;
} Node;

static Node
pretend_node (MPI_Comm comm, int per_node)
{
  int rank, size;

  MPI_Comm_rank (comm, &rank);
  MPI_Comm_size (comm, &size);
  return (Node){ rank / per_node, rank % per_node,
                 MIN (per_node, size - rank / per_node * per_node) };
}

/* Nodes are counted by their first ranks. */
static Node
find_node (MPI_Comm comm, MPI_Comm host)
{
  Node node = { 0, 0, 0 };
  int rank, size, first;
  g_autofree int *firsts = NULL;

  MPI_Comm_rank (comm, &rank);
  MPI_Comm_size (comm, &size);
  MPI_Comm_rank (host, &node.rank);
  MPI_Comm_size (host, &node.size);
  MPI_Allreduce (&rank, &first, 1, MPI_INT, MPI_MIN, host);
  firsts = g_new (int, (gsize) size);
  MPI_Allgather (&first, 1, MPI_INT, firsts, 1, MPI_INT, comm);
  for (int i = 0; i < first; i++)
    node.node += firsts[i] == i;
  return node;
}

/* The first seat that this process may use, if all of them are of one core; else -1. */
static int
find_own_seat (const PdSeat *seats, guint n, const guint8 *allowed)
{
  int own = -1;

  for (guint i = 0; i < n; i++)
    {
      if (!allowed[i])
        continue;
      if (own >= 0 && seats[own].core != seats[i].core)
        return -1;
      own = own < 0 ? (int) i : own;
    }
  return own;
}

static gboolean
all_of (MPI_Comm comm, gboolean own)
{
  int all = own;

  MPI_Allreduce (MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
  return all != 0;
}

/* The seat of this process. @comm: all; @host: those that share a node in truth. */
static guint
take_seat (const PdNodeTopology *hardware, MPI_Comm comm, MPI_Comm host, const Node *node,
           const PdContentionOptions *options, gboolean *found)
{
  guint n;
  const PdSeat *seats = pd_node_topology_seats (hardware, &n);
  g_autofree guint8 *allowed = g_new0 (guint8, n);
  g_autofree guint *dealt = NULL;
  int own;

  pd_node_topology_allowed (hardware, allowed);
  own = find_own_seat (seats, n, allowed);
  *found = all_of (comm, options->keep_binding && pd_node_topology_is_real (hardware) && own >= 0);
  if (*found)
    return (guint) own;
  MPI_Allreduce (MPI_IN_PLACE, allowed, (int) n, MPI_BYTE, MPI_BOR, host);
  dealt = pd_seats_deal (seats, n, allowed, (guint) node->size, options->threads);
  return dealt[node->rank];
}

/* Nodes are counted from 0 without a gap. */
static void
count_all (const PdNodeTopology *hardware, MPI_Comm comm, int node, PdPlaces *out)
{
  g_autoptr (GHashTable) cores = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) of_socket = g_array_new (FALSE, TRUE, sizeof (guint));
  guint n, counts[3] = { (guint) node + 1, 0, 0 };
  const PdSeat *seats = pd_node_topology_seats (hardware, &n);

  for (guint i = 0; i < n; i++)
    {
      guint socket = (guint) seats[i].socket;
      if (socket >= of_socket->len)
        g_array_set_size (of_socket, socket + 1);
      if (g_hash_table_add (cores, GINT_TO_POINTER (seats[i].core)))
        g_array_index (of_socket, guint, socket)++;
      counts[2] = MAX (counts[2], g_array_index (of_socket, guint, socket));
    }
  counts[1] = of_socket->len;
  MPI_Bcast (counts + 1, 2, MPI_UNSIGNED, 0, comm);
  MPI_Allreduce (MPI_IN_PLACE, counts, 1, MPI_UNSIGNED, MPI_MAX, comm);
  out->nodes = counts[0];
  out->sockets = counts[1];
  out->cores = counts[2];
}

static void
settle (PdNodeTopology *hardware, MPI_Comm comm, MPI_Comm host, const PdContentionOptions *options,
        PdPlaces *out)
{
  gboolean found, bound = FALSE;
  Node node =
      options->per_node > 0 ? pretend_node (comm, (int) options->per_node) : find_node (comm, host);
  guint n, seat = take_seat (hardware, comm, host, &node, options, &found);
  const PdSeat *own = &pd_node_topology_seats (hardware, &n)[seat];
  PdCpuPlace place = { node.node, own->socket, own->core, own->thread };

  if (!options->keep_binding)
    bound = pd_node_topology_bind (hardware, seat, !options->threads);
  bound = all_of (comm, bound);
  out->pretended = !all_of (comm, pd_node_topology_is_real (hardware)) || options->per_node > 0;
  out->bound = bound || found;
  out->how = bound   ? "each process is bound to its place"
             : found ? "as mpiexec made it: each process is on one core"
             : options->keep_binding
                 ? "as mpiexec made it, not each process on one core: places are assumed"
                 : "impossible: places are assumed";
  count_all (hardware, comm, node.node, out);
  MPI_Allgather (&place, sizeof place, MPI_BYTE, out->places, sizeof place, MPI_BYTE, comm);
}

gboolean
pd_places_find (MPI_Comm comm, const PdContentionOptions *options, PdPlaces *out, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (PdNodeTopology) hardware = pd_node_topology_new (options->topology, &local);
  MPI_Comm host;
  int size;

  MPI_Comm_size (comm, &size);
  *out = (PdPlaces){ .places = g_new0 (PdCpuPlace, (gsize) size), .n = (guint) size };
  if (pd_mpi_failed (comm, local))
    {
      if (local != NULL)
        g_propagate_error (error, g_steal_pointer (&local));
      else
        g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_ABSENT,
                     "another process finds no topology");
      return FALSE;
    }
  MPI_Comm_split_type (comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  settle (hardware, comm, host, options, out);
  MPI_Comm_free (&host);
  return TRUE;
}

void
pd_places_clear (PdPlaces *self)
{
  g_free (self->places);
}
