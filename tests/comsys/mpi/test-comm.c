/* Groups, grids, graphs and the communicators made of them. Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "comsys/comm/pd-comm.h"
#include "tests/support/comsys/comsys-script.h"
#include "comsys/comm/pd-cart.h"
#include "comsys/comm/pd-group.h"
#include "comsys/mpi/pd-comm-create.h"
#include "comsys/coll/pd-op.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"

#include <string.h>

/* ---- groups */

static PdGroup *
group_of (const char *members)
{
  guint32 ranks[16], n = 0;

  for (const char *p = members; *p != '\0'; p++)
    ranks[n++] = (guint32) (*p - '0');
  return pd_group_new (ranks, n);
}

static void
check_group (PdGroup *group, const char *expected)
{
  g_autoptr (PdGroup) wanted = group_of (expected);
  g_autoptr (PdGroup) own = group;

  g_assert_nonnull (own);
  g_assert_cmpint (pd_group_compare (own, wanted), ==, PD_COMPARE_IDENT);
}

static void
test_sets (void)
{
  static const struct
  {
    const char *a;
    const char *b;
    const char *both;
    const char *either;
    const char *only_a;
    PdComparison comparison;
  } rows[] = {
    { "", "", "", "", "", PD_COMPARE_IDENT },
    { "012", "012", "012", "012", "", PD_COMPARE_IDENT },
    { "012", "210", "012", "012", "", PD_COMPARE_SIMILAR },
    { "012", "34", "", "01234", "012", PD_COMPARE_UNEQUAL },
    { "5310", "0246", "0", "5310246", "531", PD_COMPARE_UNEQUAL },
    { "012", "345", "", "012345", "012", PD_COMPARE_UNEQUAL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdGroup) a = group_of (rows[i].a);
      g_autoptr (PdGroup) b = group_of (rows[i].b);
      check_group (pd_group_intersection (a, b), rows[i].both);
      check_group (pd_group_union (a, b), rows[i].either);
      check_group (pd_group_difference (a, b), rows[i].only_a);
      g_assert_cmpint (pd_group_compare (a, b), ==, rows[i].comparison);
    }
}

static void
test_ranks (void)
{
  static const guint32 some[] = { 1, 3 }, outside[] = { 5 }, all[] = { 0, 1, 2, 3, 7 };
  static const PdRange ranges[] = { { 0, 4, 2 }, { 3, 1, -2 } },
                       twice[] = { { 0, 2, 1 }, { 2, 2, 1 } }, still[] = { { 0, 1, 0 } },
                       beyond[] = { { 3, 5, 1 } };
  g_autoptr (PdGroup) group = group_of ("97531");
  g_autoptr (PdGroup) other = group_of ("395");
  gint64 translated[5];

  check_group (pd_group_excl (group, some, 2), "951");
  g_assert_null (pd_group_excl (group, outside, 1));
  check_group (pd_group_range_incl (group, ranges, 2), "95137");
  check_group (pd_group_range_excl (group, ranges, 1), "73");
  g_assert_null (pd_group_range_incl (group, twice, 2));
  g_assert_null (pd_group_range_incl (group, still, 1));
  g_assert_null (pd_group_range_excl (group, beyond, 1));
  g_assert_cmpint (pd_group_get_rank (group, 7), ==, 1);
  g_assert_cmpint (pd_group_get_rank (group, 8), ==, -1);
  pd_group_translate_ranks (group, all, 5, other, translated);
  g_assert_cmpint (translated[0], ==, 1);
  g_assert_cmpint (translated[1], ==, -1);
  g_assert_cmpint (translated[2], ==, 2);
  g_assert_cmpint (translated[3], ==, 0);
  g_assert_cmpint (translated[4], ==, -1);
}

/* ---- grids */

static void
test_dims (void)
{
  static const struct
  {
    guint32 n;
    guint n_dims;
    guint32 dims[4];
    gboolean possible;
    guint32 expected[4];
  } rows[] = {
    { 6, 2, { 0, 0 }, TRUE, { 3, 2 } },
    { 7, 2, { 0, 0 }, TRUE, { 7, 1 } },
    { 6, 3, { 0, 3, 0 }, TRUE, { 2, 3, 1 } },
    { 7, 3, { 0, 3, 0 }, FALSE, { 0, 3, 0 } },
    { 12, 2, { 0, 0 }, TRUE, { 4, 3 } },
    { 16, 4, { 0, 0, 0, 0 }, TRUE, { 2, 2, 2, 2 } },
    { 64, 3, { 0, 0, 0 }, TRUE, { 4, 4, 4 } },
    { 1, 2, { 0, 0 }, TRUE, { 1, 1 } },
    { 36, 3, { 0, 0, 0 }, TRUE, { 4, 3, 3 } },
    { 12, 2, { 3, 4 }, TRUE, { 3, 4 } },
    { 12, 2, { 3, 3 }, FALSE, { 3, 3 } },
    { 5, 0, { 0 }, FALSE, { 0 } },
    { 1, 0, { 0 }, TRUE, { 0 } },
    { 10000019, 2, { 0, 0 }, TRUE, { 10000019, 1 } },
    { 16777216, 2, { 0, 0 }, TRUE, { 4096, 4096 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint32 dims[4];
      memcpy (dims, rows[i].dims, sizeof dims);
      g_assert_cmpint (pd_dims_create (rows[i].n, rows[i].n_dims, dims), ==, rows[i].possible);
      for (guint k = 0; k < rows[i].n_dims; k++)
        g_assert_cmpuint (dims[k], ==, rows[i].expected[k]);
    }
}

/* 3 x 4, the second dimension periodic. */
static void
test_cart (void)
{
  static const PdCart cart = { .n_dims = 2, .dims = { 3, 4 }, .periods = { FALSE, TRUE } };
  guint32 coords[2], source, target;

  g_assert_cmpuint (pd_cart_get_size (&cart), ==, 12);
  for (guint32 rank = 0; rank < 12; rank++)
    {
      pd_cart_get_coords (&cart, rank, coords);
      g_assert_cmpuint (coords[0], ==, rank / 4);
      g_assert_cmpuint (coords[1], ==, rank % 4);
      g_assert_cmpuint (pd_cart_get_rank (&cart, (const gint64[]){ coords[0], coords[1] }), ==,
                        rank);
      g_assert_cmpuint (pd_cart_get_rank (&cart, (const gint64[]){ coords[0], coords[1] - 8LL }),
                        ==, rank);
      pd_cart_shift (&cart, rank, 0, 1, &source, &target);
      g_assert_cmpuint (source, ==, rank < 4 ? PD_NO_NEIGHBOR : rank - 4);
      g_assert_cmpuint (target, ==, rank >= 8 ? PD_NO_NEIGHBOR : rank + 4);
      pd_cart_shift (&cart, rank, 1, -1, &source, &target);
      g_assert_cmpuint (source, ==, rank % 4 == 3 ? rank - 3 : rank + 1);
      g_assert_cmpuint (target, ==, rank % 4 == 0 ? rank + 3 : rank - 1);
    }
  g_assert_cmpuint (pd_cart_get_rank (&cart, (const gint64[]){ -1, 0 }), ==, PD_NO_NEIGHBOR);
  g_assert_cmpuint (pd_cart_get_rank (&cart, (const gint64[]){ 3, 0 }), ==, PD_NO_NEIGHBOR);
  g_assert_cmpuint (pd_cart_get_size (&(const PdCart){ .n_dims = 0 }), ==, 1);
}

/* ---- communicators: one call of every rank, on a machine of 4 nodes of 2 */

#define N 8
#define NODES                                                                                      \
  "<machine name='x'><network type='memory' startup='7us' per-byte='0'>"                           \
  "<nodes count='4' processors='2'/></network></machine>"

typedef void (*CallFunc) (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result);

typedef struct
{
  PdComm *comms[N]; /* what each has got */
  PdTime ends[N];
  guint64 n_messages;
} Made;

/* Ranks of @who (bits) call @create on @from (NULL: the world). */
static void
call_all (PdComsys *comsys, PdComm *const *from, guint who, CallFunc create, Made *made)
{
  guint64 before = pd_comsys_get_counts (comsys)->n_messages;
  PdTime ret[N], when = PD_TIME ((gint64) before * PD_PS_PER_S); /* later than all so far */
  guint32 rank;
  guint returned = 0;

  for (rank = 0; rank < N; rank++)
    if ((who >> rank & 1) != 0)
      {
        PdCall call = { rank, when, &ret[rank], NULL };
        create (comsys, &call, from != NULL ? from[rank] : pd_comsys_get_world (comsys),
                &made->comms[rank]);
        made->ends[rank] = ret[rank];
        returned |= pd_time_is_pending (ret[rank]) ? 0 : 1u << rank;
      }
  while (pd_comsys_next (comsys, &rank, &when))
    {
      g_assert_cmpuint (returned >> rank & 1, ==, 0);
      returned |= 1u << rank;
      made->ends[rank] = when;
    }
  g_assert_cmpuint (returned, ==, who);
  made->n_messages = pd_comsys_get_counts (comsys)->n_messages - before;
}

static void
release (Made *made)
{
  for (guint i = 0; i < N; i++)
    pd_comm_unref (made->comms[i]);
}

static PdComsys *
comsys_new (PdMachine **machine)
{
  *machine = test_machine (NODES, N);
  return pd_comsys_new (*machine, NULL, N, NULL);
}

static void
split_shared (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result)
{
  pd_comsys_comm_split_type (comsys, call, comm,
                             (PdSplit){ call->rank == 5 ? -1 : 0, -(gint32) call->rank }, result);
}

static void
test_split_type (void)
{
  g_autoptr (PdMachine) machine = NULL;
  g_autoptr (PdComsys) comsys = comsys_new (&machine);
  Made made = { 0 };

  call_all (comsys, NULL, 0xff, split_shared, &made);
  g_assert_null (made.comms[5]);
  g_assert_cmpuint (pd_comm_get_size (made.comms[4]), ==, 1);
  for (guint32 rank = 0; rank < 4; rank++)
    {
      g_assert_cmpuint (pd_comm_get_size (made.comms[rank]), ==, 2);
      g_assert_true (made.comms[rank] == made.comms[rank ^ 1]);
      g_assert_cmpint (pd_comm_get_rank (made.comms[rank], rank), ==, 1 - rank % 2); /* by key */
    }
  g_assert_cmpint (pd_comm_compare (made.comms[0], made.comms[1]), ==, PD_COMPARE_IDENT);
  g_assert_cmpint (pd_comm_compare (made.comms[0], made.comms[2]), ==, PD_COMPARE_UNEQUAL);
  g_assert_cmpuint (made.n_messages, >, 0);
  release (&made);
}

static void
create_group (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result)
{
  g_autoptr (PdGroup) group = group_of (call->rank % 2 == 0 ? "6420" : "13");

  pd_comsys_comm_create_group (comsys, call, comm, group, 5, result);
}

/* Only members call; two groups at a time, and one group twice. */
static void
test_create_group (void)
{
  g_autoptr (PdMachine) machine = NULL;
  g_autoptr (PdComsys) comsys = comsys_new (&machine);
  Made made = { 0 }, again = { 0 };

  call_all (comsys, NULL, 0x5f & ~0x20, create_group, &made);
  g_assert_cmpuint (pd_comm_get_size (made.comms[0]), ==, 4);
  g_assert_cmpint (pd_comm_get_rank (made.comms[0], 6), ==, 0);
  g_assert_true (made.comms[0] == made.comms[6]);
  g_assert_cmpuint (pd_comm_get_size (made.comms[1]), ==, 2);
  g_assert_cmpuint (made.n_messages, ==, 6 + 2); /* Reduce and Bcast, of 4 and of 2 */
  call_all (comsys, NULL, 0x0a, create_group, &again);
  g_assert_cmpint (pd_comm_compare (made.comms[1], again.comms[1]), ==, PD_COMPARE_CONGRUENT);
  release (&made);
  release (&again);
}

/* ---- topologies */

static const PdCart grid = { .n_dims = 2, .dims = { 2, 3 }, .periods = { FALSE, TRUE } };

static void
cart_create (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result)
{
  pd_comsys_cart_create (comsys, call, comm, &grid, result);
}

static void
keep_rows (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result)
{
  pd_comsys_cart_sub (comsys, call, comm, (const gboolean[]){ FALSE, TRUE }, result);
}

static void
keep_columns (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result)
{
  pd_comsys_cart_sub (comsys, call, comm, (const gboolean[]){ TRUE, FALSE }, result);
}

static void
duplicate (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result)
{
  pd_comsys_comm_dup (comsys, call, comm, result);
}

static void
check_neighbors (const PdComm *comm, guint32 rank, guint32 n, const guint32 *expected)
{
  PdNeighbors neighbors;

  pd_comm_get_neighbors (comm, rank, &neighbors);
  g_assert_cmpuint (neighbors.n_sources, ==, n);
  g_assert_cmpuint (neighbors.n_targets, ==, n);
  for (guint32 i = 0; i < n; i++)
    {
      g_assert_cmpuint (neighbors.sources[i], ==, expected[i]);
      g_assert_cmpuint (neighbors.targets[i], ==, expected[i]);
    }
}

static void
test_cart_create (void)
{
  g_autoptr (PdMachine) machine = NULL;
  g_autoptr (PdComsys) comsys = comsys_new (&machine);
  Made made = { 0 }, rows = { 0 }, columns = { 0 }, copy = { 0 };

  call_all (comsys, NULL, 0xff, cart_create, &made);
  g_assert_null (made.comms[6]);
  g_assert_null (made.comms[7]);
  g_assert_cmpuint (pd_comm_get_size (made.comms[0]), ==, 6);
  g_assert_cmpuint (pd_comm_get_cart (made.comms[0])->dims[1], ==, 3);
  check_neighbors (made.comms[0], 0, 4, (const guint32[]){ PD_NO_NEIGHBOR, 3, 2, 1 });
  check_neighbors (made.comms[0], 4, 4, (const guint32[]){ 1, PD_NO_NEIGHBOR, 3, 5 });

  call_all (comsys, made.comms, 0x3f, keep_rows, &rows);
  g_assert_cmpuint (pd_comm_get_size (rows.comms[4]), ==, 3);
  g_assert_cmpint (pd_comm_get_rank (rows.comms[4], 4), ==, 1);
  g_assert_true (rows.comms[3] == rows.comms[5] && rows.comms[0] != rows.comms[3]);
  check_neighbors (rows.comms[4], 1, 2, (const guint32[]){ 0, 2 });
  call_all (comsys, made.comms, 0x3f, keep_columns, &columns);
  g_assert_true (columns.comms[1] == columns.comms[4]);
  check_neighbors (columns.comms[1], 0, 2, (const guint32[]){ PD_NO_NEIGHBOR, 1 });

  call_all (comsys, made.comms, 0x3f, duplicate, &copy);
  g_assert_cmpint (pd_comm_compare (copy.comms[0], made.comms[0]), ==, PD_COMPARE_CONGRUENT);
  check_neighbors (copy.comms[0], 4, 4, (const guint32[]){ 1, PD_NO_NEIGHBOR, 3, 5 });
  g_assert_null (pd_comm_get_cart (pd_comsys_get_world (comsys)));
  release (&made);
  release (&rows);
  release (&columns);
  release (&copy);
}

/* 0 - 1 - 2, and 1 - 3 */
static void
graph_create (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result)
{
  static const guint32 ends[] = { 1, 4, 5, 6 }, edges[] = { 1, 0, 2, 3, 1, 1 };

  pd_comsys_graph_create (comsys, call, comm, 4, ends, edges, result);
}

/* A ring in one direction. */
static void
ring_create (PdComsys *comsys, const PdCall *call, PdComm *comm, PdComm **result)
{
  guint32 source = (call->rank + N - 1) % N, target = (call->rank + 1) % N;

  pd_comsys_dist_graph_create_adjacent (comsys, call, comm,
                                        &(PdNeighbors){ &source, &target, 1, 1 }, result);
}

static void
test_graphs (void)
{
  g_autoptr (PdMachine) machine = NULL;
  g_autoptr (PdComsys) comsys = comsys_new (&machine);
  Made graph = { 0 }, ring = { 0 }, copy = { 0 };
  PdNeighbors neighbors;

  call_all (comsys, NULL, 0xff, graph_create, &graph);
  g_assert_null (graph.comms[4]);
  g_assert_cmpuint (pd_comm_get_size (graph.comms[1]), ==, 4);
  check_neighbors (graph.comms[1], 1, 3, (const guint32[]){ 0, 2, 3 });
  check_neighbors (graph.comms[1], 3, 1, (const guint32[]){ 1 });
  call_all (comsys, NULL, 0xff, ring_create, &ring);
  call_all (comsys, ring.comms, 0xff, duplicate, &copy);
  for (guint32 rank = 0; rank < N; rank++)
    {
      pd_comm_get_neighbors (copy.comms[0], rank, &neighbors);
      g_assert_cmpuint (neighbors.n_sources, ==, 1);
      g_assert_cmpuint (neighbors.sources[0], ==, (rank + N - 1) % N);
      g_assert_cmpuint (neighbors.n_targets, ==, 1);
      g_assert_cmpuint (neighbors.targets[0], ==, (rank + 1) % N);
    }
  pd_comm_get_neighbors (pd_comsys_get_world (comsys), 0, &neighbors);
  g_assert_cmpuint (neighbors.n_sources + neighbors.n_targets, ==, 0);
  release (&graph);
  release (&ring);
  release (&copy);
}

/* A member that never comes: what was said is released. */
static void
test_not_everybody (void)
{
  g_autoptr (PdMachine) machine = NULL;
  PdComsys *comsys = comsys_new (&machine);
  PdComm *comms[2] = { NULL, NULL };
  PdTime ret[2];

  ring_create (comsys, &(PdCall){ 0, PD_TIME_ZERO, &ret[0], NULL }, pd_comsys_get_world (comsys),
               &comms[0]);
  create_group (comsys, &(PdCall){ 1, PD_TIME_ZERO, &ret[1], NULL }, pd_comsys_get_world (comsys),
                &comms[1]);
  g_assert_null (comms[0]);
  pd_comm_unref (comms[1]);
  pd_comsys_free (comsys);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comsys/group/sets", test_sets);
  g_test_add_func ("/comsys/group/ranks", test_ranks);
  g_test_add_func ("/comsys/cart/dims", test_dims);
  g_test_add_func ("/comsys/cart/coords", test_cart);
  g_test_add_func ("/comsys/comm/split-type", test_split_type);
  g_test_add_func ("/comsys/comm/create-group", test_create_group);
  g_test_add_func ("/comsys/comm/cart", test_cart_create);
  g_test_add_func ("/comsys/comm/graphs", test_graphs);
  g_test_add_func ("/comsys/comm/not-everybody", test_not_everybody);
  return g_test_run ();
}
