/* The table in which messages and receives wait for each other: what happens when
 * queues that are gone have left it crowded, and any order against a plain list.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-wait.h"

/* As many ranks as the table has groups at first: each rank's queues begin in its own. */
#define N_GROUPS 64
#define N_SLOTS  5 /* of a group */
#define PATIENCE (20 * G_USEC_PER_SEC)

typedef struct
{
  PdMachine *machine;
  PdComsys *comsys;
  PdTime ret; /* of the last call */
} Fixture;

static void
set_up (Fixture *f, guint32 n_ranks)
{
  g_autoptr (GError) error = NULL;

  f->machine = pd_machine_load ("ideal", NULL, n_ranks, &error);
  g_assert_no_error (error);
  f->comsys = pd_comsys_new (f->machine, NULL, n_ranks, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *f)
{
  pd_comsys_free (f->comsys);
  pd_machine_free (f->machine);
}

static PdRequest
start (Fixture *f, gboolean is_send, guint32 rank, PdEnvelope envelope)
{
  PdCall call = { rank, PD_TIME_ZERO, &f->ret, NULL };
  PdComm *world = pd_comsys_get_world (f->comsys);

  return is_send ? pd_comsys_isend (f->comsys, &call, world, envelope)
                 : pd_comsys_irecv (f->comsys, &call, world, envelope);
}

/* Whether it is complete; then it is given back. @bytes: (out): of a receive, what has come */
static gboolean
has_got (Fixture *f, guint32 rank, PdRequest *request, gint64 *bytes)
{
  PdStatus status = { 0 };
  PdCall call = { rank, PD_TIME_ZERO, &f->ret, &status };
  gboolean is_complete = pd_comsys_test (f->comsys, &call, request);

  *bytes = status.bytes;
  return is_complete;
}

static gboolean
is_over (Fixture *f, guint32 rank, PdRequest *request)
{
  gint64 bytes;

  return has_got (f, rank, request, &bytes);
}

/* ---- a table in which each group has been passed */

/* Fills the group of @target, lets one queue go past it, and empties it again.
 * Returns the receive of the queue that is left, of the tag N_SLOTS. */
static PdRequest
crowd (Fixture *f, guint32 target, guint32 source)
{
  PdRequest requests[N_SLOTS + 1];

  for (gint32 tag = 0; tag <= N_SLOTS; tag++)
    requests[tag] = start (f, FALSE, target, (PdEnvelope){ (gint32) source, tag, 0 });
  for (gint32 tag = 0; tag < N_SLOTS; tag++)
    {
      PdRequest send = start (f, TRUE, source, (PdEnvelope){ (gint32) target, tag, 0 });
      g_assert_true (is_over (f, source, &send));
      g_assert_true (is_over (f, target, &requests[tag]));
    }
  return requests[N_SLOTS];
}

/* A search for what is not there would pass all groups, again and again. */
static void
search_crowded (void)
{
  PdRequest left[N_GROUPS];
  Fixture f;

  set_up (&f, N_GROUPS);
  for (guint32 rank = 0; rank < N_GROUPS; rank++)
    left[rank] = crowd (&f, rank, (rank + 1) % N_GROUPS);
  PdRequest absent = start (&f, FALSE, 0, (PdEnvelope){ 1, N_SLOTS + 1, 0 });
  g_assert_false (is_over (&f, 0, &absent));
  g_assert_cmpuint (pd_comsys_finalize (f.comsys), ==, N_GROUPS + 1);

  /* those that are left are found, in the table as it is now */
  for (guint32 rank = 0; rank < N_GROUPS; rank++)
    {
      PdRequest send =
          start (&f, TRUE, (rank + 1) % N_GROUPS, (PdEnvelope){ (gint32) rank, N_SLOTS, 0 });
      g_assert_true (is_over (&f, (rank + 1) % N_GROUPS, &send));
      g_assert_true (is_over (&f, rank, &left[rank]));
    }
  PdRequest send = start (&f, TRUE, 1, (PdEnvelope){ 0, N_SLOTS + 1, 0 });
  g_assert_true (is_over (&f, 1, &send));
  g_assert_true (is_over (&f, 0, &absent));
  g_assert_cmpuint (pd_comsys_finalize (f.comsys), ==, 0);
  tear_down (&f);
}

static void
test_crowded (void)
{
  if (g_test_subprocess ())
    {
      search_crowded ();
      return;
    }
  g_test_trap_subprocess (NULL, PATIENCE, 0);
  g_assert_false (g_test_trap_reached_timeout ());
  g_test_trap_assert_passed ();
}

/* ---- any order */

typedef struct
{
  const char *name;
  guint32 n_ranks;
  gint n_tags;
  guint n_steps;
  guint drain; /* after so many steps all that waits is matched, by and by; 0 = never */
} Random;

static const Random randoms[] = {
  { "few-queues", 3, 2, 4000, 0 },
  { "one-target", 2, 400, 20000, 500 },
  { "many-queues", 200, 3, 40000, 3000 },
  { "come-and-go", 64, 40, 60000, 200 },
};

/* One that waits. */
typedef struct
{
  gboolean is_send;
  guint32 target;
  guint32 source;
  gint32 tag;
  gint64 bytes; /* of sends, all different */
  PdRequest request;
} Half;

/* The oldest one that the new half matches, by looking at all; -1 = none. */
static gint
find_oldest (const GArray *waiting, const Half *half)
{
  for (guint i = 0; i < waiting->len; i++)
    {
      const Half *other = &g_array_index (waiting, Half, i);
      if (other->is_send != half->is_send && other->target == half->target
          && other->source == half->source && other->tag == half->tag)
        return (gint) i;
    }
  return -1;
}

static guint32
owner_of (const Half *half)
{
  return half->is_send ? half->source : half->target;
}

/* Starts @half; with what it matches it is complete then. */
static void
match (Fixture *f, GArray *waiting, Half *half)
{
  gint at = find_oldest (waiting, half);
  guint32 peer = half->is_send ? half->target : half->source;
  gint64 bytes[2];

  half->request = start (f, half->is_send, owner_of (half),
                         (PdEnvelope){ (gint32) peer, half->tag, half->bytes });
  if (at < 0)
    {
      g_array_append_val (waiting, *half);
      return;
    }
  Half other = g_array_index (waiting, Half, at);
  g_array_remove_index (waiting, (guint) at);
  g_assert_true (has_got (f, owner_of (&other), &other.request, &bytes[0]));
  g_assert_true (has_got (f, owner_of (half), &half->request, &bytes[1]));
  g_assert_cmpint (half->is_send ? bytes[0] : bytes[1], ==,
                   half->is_send ? half->bytes : other.bytes);
}

static Half
random_half (GRand *random, const Random *c)
{
  gint32 n = (gint32) c->n_ranks;
  guint32 target = (guint32) g_rand_int_range (random, 0, n);

  return (Half){ .is_send = g_rand_boolean (random),
                 .target = target,
                 .source = (target + (guint32) g_rand_int_range (random, 1, n)) % c->n_ranks,
                 .tag = g_rand_int_range (random, 0, c->n_tags) };
}

static void
test_random (gconstpointer data)
{
  const Random *c = data;
  GRand *random = g_rand_new_with_seed (11);
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (Half));
  Fixture f;

  set_up (&f, c->n_ranks);
  for (guint step = 0; step < c->n_steps; step++)
    {
      gboolean drains = waiting->len > 0 && c->drain > 0 && step / c->drain % 2 != 0;
      Half half = random_half (random, c);
      if (drains)
        {
          half = g_array_index (waiting, Half, g_rand_int_range (random, 0, (gint) waiting->len));
          half.is_send = !half.is_send;
        }
      half.bytes = half.is_send ? (gint64) step + 1 : 0;
      match (&f, waiting, &half);
      if (step % 64 == 0)
        g_assert_cmpuint (pd_comsys_finalize (f.comsys), ==, waiting->len);
    }
  g_assert_cmpuint (pd_comsys_finalize (f.comsys), ==, waiting->len);
  g_rand_free (random);
  tear_down (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comsys/match/crowded", test_crowded);
  for (gsize i = 0; i < G_N_ELEMENTS (randoms); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/match/random/%s", randoms[i].name);
      g_test_add_data_func (path, &randoms[i], test_random);
    }
  return g_test_run ();
}
