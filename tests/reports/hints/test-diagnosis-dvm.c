/* The diagnosis of DVM runs: a loop on two processors in a program, in milliseconds; own times,
 * order and identifiers are worked out by hand.
 * SPDX-License-Identifier: MIT */
#include "reports/hints/pd-diagnosis-dvm.h"
#include "analyse/pd-diagnosis.h"
#include "intervals/pd-interval-fold.h"

#include <string.h>

/* What a processor spends in the loop, and outside of it. */
typedef struct
{
  gint64 iterates, waits, late; /* late: the part of waits that is synchronisation */
  gint64 repeats;
} Work;

static const struct
{
  const char *name;
  Work works[2];
  gint64 own[2];    /* of the program, of the loop */
  const char *main; /* identifiers */
  const char *loop;
  const char *sentence; /* (nullable): one of the loop */
} cases[] = {
  { "nothing",
    { { 100, 1, 0, 0 }, { 100, 1, 0, 0 } },
    { 0, 202 },
    "nothing-lost",
    "own-time nothing-lost",
    "Of 202 ms of processor time 2 ms (1 %) are lost: there is little to gain." },
  /* processor 1 iterates for 90 ms, so processor 0 waits 60 ms for it */
  { "imbalance",
    { { 30, 60, 60, 0 }, { 90, 0, 0, 0 } },
    { 0, 180 },
    "lost communication desynchronised load-imbalance",
    "own-time lost communication desynchronised load-imbalance",
    "60 ms of it are waiting for processors that come later: processor 0 waits longest (60 ms), "
    "processor 1 computes longest (90 ms)." },
  { "messages",
    { { 50, 50, 1, 0 }, { 50, 50, 1, 0 } },
    { 0, 200 },
    "lost communication amount",
    "own-time lost communication amount",
    "Only 2 ms of it (2 %) are waiting for processors that come later: the rest is what the "
    "messages of exchanges of shadow edges and pipelines cost." },
  /* 80 ms outside of the loop, of which each wastes 40 */
  { "repeated",
    { { 20, 0, 0, 80 }, { 20, 0, 0, 80 } },
    { 160, 40 },
    "lost insufficient-parallelism",
    "own-time nothing-lost",
    "Outside of the intervals inside it the processors spend 40 ms here, 20 % of the run." },
  /* without waiting in the loop: idle there, and as a whole */
  { "idle",
    { { 30, 0, 0, 0 }, { 90, 0, 0, 0 } },
    { 0, 120 },
    "lost load-imbalance idle",
    "own-time lost load-imbalance idle",
    "Processors spend different times here, processor 0 30 ms and processor 1 90 ms: the others "
    "wait for the last one elsewhere, or at the end." },
};

static PdIntervalTree *
new_tree (const Work *works)
{
  PdIntervalTree *tree = pd_interval_tree_new (2);
  PdIntervalKey key = { PD_INTERVAL_PAR, "a.fdv", 7, PD_INTERVAL_NO_INDEX, NULL };
  guint32 loop = pd_interval_tree_child (tree, PD_INTERVAL_ROOT, &key);

  for (guint32 p = 0; p < 2; p++)
    {
      const struct
      {
        guint32 node;
        PdQuantity quantity;
        gint64 ms;
      } charges[] = {
        { loop, PD_Q_CPU_PAR, works[p].iterates },
        { loop, PD_Q_WAIT_SHADOW, works[p].waits },
        { loop, PD_Q_SYNCHRONIZATION, works[p].late },
        { PD_INTERVAL_ROOT, PD_Q_CPU_SEQ, works[p].repeats },
        { PD_INTERVAL_ROOT, PD_Q_INSUFF_SEQ, works[p].repeats / 2 },
      };
      for (gsize i = 0; i < G_N_ELEMENTS (charges); i++)
        if (charges[i].ms > 0)
          pd_interval_tree_add (tree, charges[i].node, charges[i].quantity, p,
                                PD_TIME (charges[i].ms * PD_PS_PER_S / 1000));
      pd_interval_tree_add (tree, loop, PD_Q_EXE_COUNT, p, PD_TIME (1));
    }
  return tree;
}

static void
check_statements (const GArray *results, guint i, const char *ids, const char *sentence)
{
  g_autoptr (GArray) statements = pd_diagnosis_new_dvm (results, i);
  g_autoptr (GString) found = g_string_new (NULL);
  gboolean is_there = sentence == NULL;

  for (guint k = 0; k < statements->len; k++)
    {
      const PdStatement *statement = &g_array_index (statements, PdStatement, k);
      g_string_append_printf (found, "%s%s", k > 0 ? " " : "", statement->id);
      is_there = is_there || strcmp (statement->text, sentence) == 0;
    }
  g_assert_cmpstr (found->str, ==, ids);
  g_assert_true (is_there);
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdIntervalTree) tree = new_tree (cases[i].works);
  g_autoptr (GArray) results = pd_interval_tree_fold (tree);
  g_autofree guint *order = pd_diagnosis_rank (results);

  g_assert_cmpuint (results->len, ==, 2);
  for (guint k = 0; k < 2; k++)
    g_assert_true (pd_diagnosis_get_own_time (results, k).ps
                   == cases[i].own[k] * PD_PS_PER_S / 1000);
  g_assert_cmpuint (order[0], ==, cases[i].own[0] >= cases[i].own[1] ? 0 : 1);
  g_assert_cmpuint (order[1], ==, 1 - order[0]);
  check_statements (results, 0, cases[i].main, NULL);
  check_statements (results, 1, cases[i].loop, cases[i].sentence);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/diagnosis-dvm/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  return g_test_run ();
}
