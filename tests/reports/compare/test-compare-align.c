/* Intervals of two runs aligned: programs that were edited, by hand, and random ones.
 * SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare.h"

#include <string.h>

/* An interval for each word: as many dots as it is deep, less 1; its type P, S or U; its line; of
 * one of the programmer a number behind '#', or a name behind '='; a file behind '@' (a.fdv);
 * reductions behind '*'. */
static PdReportRun *
make_run (const char *text)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint32 path[16] = { PD_INTERVAL_ROOT };

  run->n_processors = 1;
  run->tree = pd_interval_tree_new (1);
  for (guint i = 0; words[i] != NULL && words[i][0] != '\0'; i++)
    {
      gsize depth = strspn (words[i], ".") + 1;
      char *at = words[i] + depth - 1;
      PdIntervalType type = *at == 'P'   ? PD_INTERVAL_PAR
                            : *at == 'S' ? PD_INTERVAL_SEQ
                                         : PD_INTERVAL_USER;
      const char *number = strchr (at, '#'), *name = strchr (at, '='), *file = strchr (at, '@');
      const PdIntervalKey key = { .type = type,
                                  .file = file != NULL ? file + 1 : "a.fdv",
                                  .line = (gint64) g_ascii_strtoull (at + 1, NULL, 10),
                                  .index = number != NULL
                                               ? (gint64) g_ascii_strtoull (number + 1, NULL, 10)
                                               : PD_INTERVAL_NO_INDEX,
                                  .name = name != NULL ? name + 1 : "" };
      path[depth] = pd_interval_tree_child (run->tree, path[depth - 1], &key);
      pd_interval_tree_add (run->tree, path[depth], PD_Q_EXE_COUNT, 0, PD_TIME (1));
      pd_interval_tree_add (run->tree, path[depth], PD_Q_CPU_SEQ, 0, PD_TIME (1000));
      if (strchr (at, '*') != NULL)
        pd_interval_tree_add (run->tree, path[depth], PD_Q_N_REDUCTION, 0, PD_TIME (1));
    }
  pd_report_run_compact (run);
  return run;
}

static PdCompare *
compare (const char *a, const char *b)
{
  const PdCompareOptions options = { .level = 9, .tolerance = -1 };
  PdCompareSide sides[2] = { { g_strdup ("a"), 0, g_strdup (""), make_run (a), NULL },
                             { g_strdup ("b"), 0, g_strdup (""), make_run (b), NULL } };

  return pd_compare_new (&sides[0], &sides[1], &options);
}

/* "10=12 20- +30": the lines of the pairs without the whole program. */
static char *
describe (const PdCompare *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 1; i < self->pairs->len; i++)
    {
      const PdComparePair *pair = &g_array_index (self->pairs, PdComparePair, i);
      gint64 lines[2] = { -1, -1 };
      for (guint side = 0; side < 2; side++)
        if (pair->at[side] != PD_COMPARE_NONE)
          lines[side] =
              g_array_index (self->sides[side].run->results, PdIntervalResult, pair->at[side]).line;
      g_assert_cmpuint (pair->parent, <, i);
      g_string_append_printf (text, "%s", i > 1 ? " " : "");
      if (lines[0] >= 0 && lines[1] >= 0)
        g_string_append_printf (text, "%d=%d", (int) lines[0], (int) lines[1]);
      else if (lines[0] >= 0)
        g_string_append_printf (text, "%d-", (int) lines[0]);
      else
        g_string_append_printf (text, "+%d", (int) lines[1]);
    }
  return g_string_free (text, FALSE);
}

static const struct
{
  const char *name;
  const char *a, *b;
  const char *pairs;
} cases[] = {
  { "same", "P10 S20 .P22 P30", "P10 S20 .P22 P30", "10=10 20=20 22=22 30=30" },
  { "nothing", "", "P10", "+10" },
  /* ten lines in front: the third is not the second, though the line is */
  { "shifted", "P10 P20 P30", "P20 P30 P40", "10=20 20=30 30=40" },
  { "shifted-inside", "S10 .P20 .P30 P40", "S10 .P25 .P35 P45", "10=10 20=25 30=35 40=45" },
  { "deleted", "P10 P20 P30", "P20 P30", "10- 20=20 30=30" },
  { "deleted-and-shifted", "P10 P20* P33", "P15* P28", "10- 20=15 33=28" },
  { "inserted", "P10 P20* P30", "P10 P15 P27* P37", "10=10 +15 20=27 30=37" },
  /* the loop of line 20 became two; what follows has shifted */
  { "split", "S5 .P10 .P20* .P30", "S5 .P10 .P20 .P26* .P41", "5=5 10=10 +20 20=26 30=41" },
  { "split-alike", "P10 P20 P30", "P10 P20 P24 P36", "10=10 20=20 +24 30=36" },
  { "joined", "P10 P20 P24 P36", "P10 P20 P30", "10=10 20=20 24- 36=30" },
  { "types", "P10 S20 P30", "S20 P30 P40", "10- 20=20 30=30 +40" },
  { "numbers", "U10#1 U20#2 U30#3", "U40#3 U20#1", "10=20 20- 30=40" },
  { "names", "U10=x U20=y", "U50=y U60=z", "10- 20=50 +60" },
  /* what is inside is stronger than lines */
  { "nested", "S10 .P12 P20", "P12 S20 .P22", "+12 10=20 12=22 20-" },
  /* an interval does not leave the one around it */
  { "left", "S10 .P12", "S10 P12", "10=10 12- +12" },
  { "renamed-file", "P10 S20 .P22", "P12@b.fdv S22@b.fdv .P24@b.fdv", "10=12 20=22 22=24" },
  /* a file that both programs have is not another one */
  { "other-file", "P10 P20@b.fdv", "P10@b.fdv", "10- 20=10" },
};

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdCompare) self = compare (cases[i].a, cases[i].b);
  g_autofree char *pairs = describe (self);

  g_assert_cmpstr (pairs, ==, cases[i].pairs);
}

/* Lines that are elsewhere are told. */
static void
test_labels (void)
{
  g_autoptr (PdCompare) self = compare ("P10 P20", "P10 P22");
  g_autofree char *same = pd_compare_label (self, &g_array_index (self->pairs, PdComparePair, 1));
  g_autofree char *other = pd_compare_label (self, &g_array_index (self->pairs, PdComparePair, 2));

  g_assert_cmpstr (same, ==, "PAR a.fdv:10");
  g_assert_cmpstr (other, ==, "PAR a.fdv:20 (B: 22)");
}

/* Every interval of both runs is in one pair, and the pairs in both are of one type and below one
 * pair. */
static void
check_whole (const PdCompare *self)
{
  guint n[2] = { 0, 0 };

  for (guint i = 0; i < self->pairs->len; i++)
    {
      const PdComparePair *pair = &g_array_index (self->pairs, PdComparePair, i);
      for (guint side = 0; side < 2; side++)
        {
          if (pair->at[side] == PD_COMPARE_NONE)
            continue;
          n[side]++;
          const PdIntervalResult *r =
              &g_array_index (self->sides[side].run->results, PdIntervalResult, pair->at[side]);
          g_assert_cmpint (r->type, ==, pair->key.type);
          g_assert_cmpuint (r->depth, ==, pair->depth);
        }
    }
  g_assert_cmpuint (n[0], ==, self->sides[0].run->results->len);
  g_assert_cmpuint (n[1], ==, self->sides[1].run->results->len);
}

static char *
make_random (GRand *random, guint n)
{
  GString *text = g_string_new (NULL);
  guint depth = 0;

  for (guint i = 0; i < n; i++)
    {
      depth = (guint) g_rand_int_range (random, 0, (gint32) MIN (depth + 2, 5));
      for (guint d = 0; d < depth; d++)
        g_string_append_c (text, '.');
      g_string_append_printf (text, "%c%d ", "PSP"[g_rand_int_range (random, 0, 3)],
                              g_rand_int_range (random, 1, 60));
      if (i == 0)
        depth = 0;
    }
  g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

static void
test_random (void)
{
  GRand *random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *a = make_random (random, 1 + i % 40);
      g_autofree char *b = make_random (random, 1 + i % 31);
      g_autoptr (PdCompare) different = compare (a[0] == '.' ? "P1" : a, b[0] == '.' ? "P1" : b);
      g_autoptr (PdCompare) same = compare (a[0] == '.' ? "P1" : a, a[0] == '.' ? "P1" : a);
      check_whole (different);
      check_whole (same);
      g_assert_cmpuint (same->pairs->len, ==, same->sides[0].run->results->len);
    }
  g_rand_free (random);
}

/* Of lists that are too long for a table: by names. */
static void
test_long (void)
{
  g_autoptr (GString) a = g_string_new ("P1"), b = g_string_new ("P2");

  for (guint i = 0; i < 2500; i++)
    {
      g_string_append_printf (a, " P%u", 10 + i);
      g_string_append_printf (b, " P%u", 11 + i);
    }
  g_autoptr (PdCompare) self = compare (a->str, b->str);
  check_whole (self);
  /* lines 11 to 2509 are in both */
  g_assert_cmpuint (self->pairs->len, ==, 2 * 2502 - 2499 - 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/compare-align/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/compare-align/labels", test_labels);
  g_test_add_func ("/compare-align/random", test_random);
  g_test_add_func ("/compare-align/long", test_long);
  return g_test_run ();
}
