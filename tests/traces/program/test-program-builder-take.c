/* Programs built by several builders are those that one builds.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder-take.h"
#include "traces/text/pd-text-writer.h"

#include <string.h>

#define N_RANKS 6u

/* How programs are built. */
typedef struct
{
  gboolean alike;   /* all ranks do the same */
  gboolean folds;   /* they repeat it, with times that differ */
  guint32 n_before; /* communicators that only the whole has */
} Way;

/* What ranks refer to, each in an order of its own, and some to what no other does. */
typedef struct
{
  PdProgramBuilder *builder;
  GHashTable *comms; /* members -> its index */
  GArray *made;      /* guint32: the members of communicators, by index from 1 */
} Maker;

static void
maker_init (Maker *self, const Way *way)
{
  self->builder = pd_program_builder_new (N_RANKS, PD_AMOUNT_TIME);
  self->comms = g_hash_table_new (NULL, NULL);
  self->made = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!way->folds)
    return;
  pd_program_builder_fold (self->builder);
  pd_program_builder_sample (self->builder);
}

static void
add_others (Maker *self, const Way *way)
{
  static const guint32 first[] = { 0 };

  for (guint32 i = 0; i < way->n_before; i++)
    pd_program_builder_add_comm (self->builder, first, 1, NULL);
}

static void
maker_clear (Maker *self)
{
  g_hash_table_unref (self->comms);
  g_array_unref (self->made);
}

/* Of the first @n ranks. */
static guint32
find_comm (Maker *self, guint32 n)
{
  guint32 ranks[N_RANKS];
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->comms, GUINT_TO_POINTER (n)));

  if (known > 0)
    return known;
  for (guint32 i = 0; i < n; i++)
    ranks[i] = i;
  known = pd_program_builder_add_comm (self->builder, ranks, n, NULL);
  g_hash_table_insert (self->comms, GUINT_TO_POINTER (n), GUINT_TO_POINTER (known));
  g_array_append_val (self->made, n);
  return known;
}

static void
fill_action (Maker *self, GRand *rand, PdAction *action)
{
  g_autofree char *name = g_strdup_printf ("name %d", g_rand_int_range (rand, 0, 40));
  const gint64 counts[N_RANKS] = { g_rand_int_range (rand, 0, 5), 2, 3, 4, 5, 6 };
  const PdProgramInterval interval = { name, "a.c", g_rand_int_range (rand, 0, 3), -1 };
  PdProgramSite site = { name, "f", g_rand_int_range (rand, 0, 3), PD_PROGRAM_NONE };
  static const PdActionKind kinds[] = { PD_ACT_LOCAL, PD_ACT_ENTER, PD_ACT_SEND, PD_ACT_COLLECTIVE,
                                        PD_ACT_COMPUTE };

  pd_action_init (action, kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))]);
  if (action->kind == PD_ACT_LOCAL)
    action->name = pd_program_builder_add_string (self->builder, name);
  else if (action->kind == PD_ACT_ENTER)
    action->interval = pd_program_builder_add_interval (self->builder, &interval);
  else if (action->kind == PD_ACT_SEND)
    action->comm = find_comm (self, (guint32) g_rand_int_range (rand, 1, N_RANKS));
  else if (action->kind == PD_ACT_COLLECTIVE)
    action->recv_counts = pd_program_builder_add_counts (self->builder, counts, N_RANKS);
  if (g_rand_boolean (rand))
    action->called = pd_program_builder_add_string (self->builder, name);
  if (g_rand_boolean (rand))
    {
      site.parent = pd_program_builder_add_site (self->builder, &site);
      site.line += 10;
      action->site = pd_program_builder_add_site (self->builder, &site);
    }
}

static void
make_part (Maker *self, guint32 rank, guint32 seed, const Way *way, gint64 time)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (way->alike ? seed : seed * 100 + rank);
  gint n = g_rand_int_range (rand, 0, 200);

  for (gint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      PdAction action;
      fill_action (self, rand, &action);
      if (action.kind == PD_ACT_COMPUTE || action.kind == PD_ACT_LOCAL)
        action.amount.time = PD_TIME (time * i);
      pd_program_builder_add (self->builder, rank, &action, &error);
      g_assert_no_error (error);
    }
}

static void
make_rank (Maker *self, guint32 rank, guint32 seed, const Way *way)
{
  for (guint32 i = 0; i < (way->folds ? 10 + seed % 10 : 1); i++)
    make_part (self, rank, i % 9 == 8 ? seed + 1 : seed, way, i);
  pd_program_builder_set_recorded_end (self->builder, rank, PD_TIME (1000 + rank));
}

static PdProgram *
make_by_one (guint32 seed, const Way *way)
{
  Maker maker;

  maker_init (&maker, way);
  add_others (&maker, way);
  for (guint32 rank = 0; rank < N_RANKS; rank++)
    make_rank (&maker, rank, seed, way);
  maker_clear (&maker);
  return pd_program_builder_finish (maker.builder);
}

static PdProgram *
make_by_several (guint32 seed, const Way *way, guint32 n_each)
{
  Maker whole;

  maker_init (&whole, way);
  add_others (&whole, way);
  for (guint32 first = 0; first < N_RANKS; first += n_each)
    {
      Maker part;
      guint32 end = MIN (first + n_each, N_RANKS), comms[N_RANKS + 1] = { 0 };
      maker_init (&part, way);
      for (guint32 rank = first; rank < end; rank++)
        make_rank (&part, rank, seed, way);
      for (guint i = 0; i < part.made->len; i++)
        comms[i + 1] = find_comm (&whole, g_array_index (part.made, guint32, i));
      const PdTakenRanks ranks = { first, end, comms, NULL };
      g_assert_true (pd_program_builder_take (whole.builder, part.builder, &ranks, NULL));
      pd_program_builder_free (part.builder);
      maker_clear (&part);
    }
  maker_clear (&whole);
  return pd_program_builder_finish (whole.builder);
}

static void
assert_tables (const PdProgram *a, const PdProgram *b)
{
  g_assert_cmpuint (pd_program_get_n_strings (a), ==, pd_program_get_n_strings (b));
  for (guint32 i = 0; i < pd_program_get_n_strings (a); i++)
    g_assert_cmpstr (pd_program_get_string (a, i), ==, pd_program_get_string (b, i));
  g_assert_cmpuint (pd_program_get_n_comms (a), ==, pd_program_get_n_comms (b));
  g_assert_cmpuint (pd_program_get_n_counts (a), ==, pd_program_get_n_counts (b));
  g_assert_cmpuint (pd_program_get_n_intervals (a), ==, pd_program_get_n_intervals (b));
  g_assert_cmpuint (pd_program_get_n_sites (a), ==, pd_program_get_n_sites (b));
  for (guint32 i = 0; i < pd_program_get_n_sites (a); i++)
    {
      PdProgramSite x = pd_program_get_site (a, i), y = pd_program_get_site (b, i);
      g_assert_cmpstr (x.file, ==, y.file);
      g_assert_true (x.line == y.line && x.parent == y.parent);
    }
}

/* @is_flat: else which loops were found is no part of the program */
static void
assert_equal (const PdProgram *a, const PdProgram *b, gboolean is_flat)
{
  g_autoptr (GBytes) one = pd_program_to_text (a), two = pd_program_to_text (b);

  g_assert_true (g_bytes_equal (one, two));
  assert_tables (a, b);
  if (!is_flat)
    return;
  g_assert_cmpuint (pd_program_get_size (a), ==, pd_program_get_size (b));
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (a); rank++)
    {
      const PdProgramCell *a_end, *b_end;
      const PdProgramCell *x = pd_program_get_cells (a, rank, &a_end);
      const PdProgramCell *y = pd_program_get_cells (b, rank, &b_end);
      g_assert_cmpint (a_end - x, ==, b_end - y);
      g_assert_true (memcmp (x, y, (gsize) (a_end - x) * sizeof *x) == 0);
      g_assert_cmpuint (pd_program_get_n_actions (a, rank), ==, pd_program_get_n_actions (b, rank));
      g_assert_cmpint (pd_program_get_recorded_end (a, rank).ps, ==,
                       pd_program_get_recorded_end (b, rank).ps);
    }
}

static void
test_take (gconstpointer data)
{
  const Way *way = data;

  for (guint32 seed = 1; seed <= 40; seed += way->folds ? 4 : 1)
    {
      g_autoptr (PdProgram) one = make_by_one (seed, way);
      for (guint32 n_each = 1; n_each <= N_RANKS; n_each++)
        {
          g_autoptr (PdProgram) several = make_by_several (seed, way, n_each);
          assert_equal (one, several, !way->folds);
        }
    }
}

static const Way alike = { TRUE, FALSE, 0 }, different = { FALSE, FALSE, 0 },
                 folded = { FALSE, TRUE, 0 }, wide = { FALSE, TRUE, 253 };

/* ---- parts */

#define N_LONG 41u

/* Computation without a pattern; the last ranks do nothing. */
static void
add_long_rank (PdProgramBuilder *builder, guint32 rank)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  g_assert_true (pd_program_builder_claim (builder, rank));
  for (guint32 i = 0; rank < N_LONG - 3 && i < 20000 + 100 * rank; i++)
    {
      action.amount.time = PD_TIME ((gint64) i * i % 10007 + rank + 1);
      g_assert_true (pd_program_builder_add (builder, rank, &action, NULL));
    }
}

/* So long that its actions are moved by several threads, where there are parts. */
static PdProgram *
make_long (guint32 n_parts)
{
  PdProgramBuilder *whole = pd_program_builder_new (N_LONG, PD_AMOUNT_TIME);

  for (guint32 rank = 0; n_parts == 0 && rank < N_LONG; rank++)
    add_long_rank (whole, rank);
  for (guint32 i = 0; i < n_parts; i++)
    {
      PdProgramBuilder *part = pd_program_builder_new_part (whole);
      for (guint32 rank = N_LONG * i / n_parts; rank < N_LONG * (i + 1) / n_parts; rank++)
        add_long_rank (part, rank);
      pd_program_builder_end_part (part);
      pd_program_builder_join (whole, part);
    }
  return pd_program_builder_finish (whole);
}

static void
test_parts (void)
{
  g_autoptr (PdProgram) one = make_long (0);

  g_assert_cmpuint (pd_program_get_size (one), >, 4 * 1024 * 1024);
  for (guint32 n_parts = 1; n_parts <= 7; n_parts += 3)
    {
      g_autoptr (PdProgram) several = make_long (n_parts);
      assert_equal (one, several, TRUE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/traces/program/take/alike", &alike, test_take);
  g_test_add_data_func ("/traces/program/take/different", &different, test_take);
  g_test_add_data_func ("/traces/program/take/folded", &folded, test_take);
  g_test_add_data_func ("/traces/program/take/folded-wide", &wide, test_take);
  g_test_add_func ("/traces/program/take/parts", test_parts);
  return g_test_run ();
}
