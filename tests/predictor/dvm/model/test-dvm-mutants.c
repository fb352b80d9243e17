/* Damaged DVM traces: records and parameters deleted, repeated, exchanged and
 * altered. Whatever comes, a prediction ends with an error of the trace, or
 * with a result that fulfils the identities; never with anything else.
 *
 * PREDICTOR_MUTANTS=N tries N variants of each trace.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"
#include "tests/support/dvm/multi-file.h"

#include <string.h>
#include <zlib.h>

/* ---- traces as lists of records */

/* Splits @text in front of every header line; the first piece is the preamble. */
static GPtrArray *
split (const char *text)
{
  GPtrArray *records = g_ptr_array_new_with_free_func (g_free);
  const char *begin = text;

  for (const char *at = text; at != NULL && *at != '\0';)
    {
      const char *next = strchr (at, '\n');
      next = next == NULL ? NULL : next + 1;
      gboolean is_header = g_str_has_prefix (at, "call_") || g_str_has_prefix (at, "ret_")
                           || g_str_has_prefix (at, "Event_");
      if (is_header && at > begin)
        {
          g_ptr_array_add (records, g_strndup (begin, (gsize) (at - begin)));
          begin = at;
        }
      at = next;
    }
  g_ptr_array_add (records, g_strdup (begin));
  return records;
}

static char *
join (const GPtrArray *records)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < records->len; i++)
    g_string_append (text, g_ptr_array_index (records, i));
  return g_string_free (text, FALSE);
}

/* ---- damage */

/* Another value in place of a number at @at of @record. Times stay below a
 * day: sums of overlaps beyond 106 days are no subject here. */
static char *
replace_number (GRand *random, const char *record, const char *at)
{
  static const char *const values[] = { "4",
                                        "5",
                                        "16",
                                        "8",
                                        "12",
                                        "0",
                                        "1",
                                        "2",
                                        "-1",
                                        "7",
                                        "100",
                                        "2147483647",
                                        "-5",
                                        "3",
                                        "4294967296",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "99999999999999999999",
                                        "",
                                        "x",
                                        "1.5",
                                        "ffffffffffffffff",
                                        "NULL" };
  static const char *const times[] = { "0.00000000", "-1.0", "x", "", "80000.5", "nan", "1e9999" };
  gboolean is_time = at - record >= 5 && strncmp (at - 5, "TIME=", 5) == 0;
  gsize length = strspn (at, is_time ? "0123456789." : "-0123456789abcdef");
  g_autofree char *front = g_strndup (record, (gsize) (at - record));
  const char *value = is_time ? times[g_rand_int_range (random, 0, G_N_ELEMENTS (times))]
                              : values[g_rand_int_range (random, 0, G_N_ELEMENTS (values))];

  return g_strconcat (front, value, at + length, NULL);
}

/* A random '=' of @record, or NULL. */
static const char *
find_item (GRand *random, const char *record)
{
  guint n = 0;

  for (const char *at = strchr (record, '='); at != NULL; at = strchr (at + 1, '='))
    n++;
  guint chosen = n == 0 ? 0 : (guint) g_rand_int_range (random, 0, (gint32) n);
  const char *at = strchr (record, '=');
  while (n > 0 && chosen-- > 0)
    at = strchr (at + 1, '=');
  return at;
}

/* Whether what stands before this '=' names an object, "LoopRef" or "PSRefPtr". */
static gboolean
is_reference (const char *record, const char *item)
{
  return item - record >= 3
         && (strncmp (item - 3, "Ref", 3) == 0 || strncmp (item - 3, "Ptr", 3) == 0);
}

/* Only values of records, not what they are about: most such traces are sound. */
static void
damage_values (GRand *random, GPtrArray *records)
{
  for (gint32 k = g_rand_int_range (random, 1, 6); k > 0; k--)
    {
      guint i = (guint) g_rand_int_range (random, 0, (gint32) records->len);
      char *record = records->pdata[i];
      const char *item = find_item (random, record);
      for (guint n = 0; n < 5 && item != NULL && is_reference (record, item); n++)
        item = find_item (random, record);
      if (item == NULL || is_reference (record, item))
        continue;
      records->pdata[i] = replace_number (random, record, item + 1);
      g_free (record);
    }
}

static char *
damage_record (GRand *random, const char *record, const char *other)
{
  const char *item = find_item (random, record);
  const char *theirs = find_item (random, other);

  if (item == NULL)
    return g_strdup (record);
  switch (g_rand_int_range (random, 0, 5))
    {
    case 0: /* a key that nobody knows: the parameter is missing */
      {
        char *copy = g_strdup (record);
        if (item > record && item[-1] != ' ')
          copy[item - record - 1] = '#';
        return copy;
      }
    case 1: /* the value of another parameter */
      {
        if (theirs == NULL || (item - record >= 4 && strncmp (item - 4, "TIME", 4) == 0))
          return g_strdup (record);
        gsize length = strspn (theirs + 1, "-0123456789abcdef");
        g_autofree char *front = g_strndup (record, (gsize) (item + 1 - record));
        g_autofree char *value = g_strndup (theirs + 1, length);
        return g_strconcat (front, value, item + 1 + strspn (item + 1, "-0123456789abcdef"), NULL);
      }
    case 2: /* cut */
      {
        g_autofree char *front = g_strndup (record, (gsize) (item - record));
        return g_strconcat (front, "\n", NULL);
      }
    default:
      return replace_number (random, record, item + 1);
    }
}

static void
damage (GRand *random, GPtrArray *records)
{
  gint32 n = (gint32) records->len;

  for (gint32 k = g_rand_int_range (random, 1, 5); k > 0 && n > 1; k--, n = (gint32) records->len)
    {
      gint32 i = g_rand_int_range (random, 0, n), j = g_rand_int_range (random, 0, n);
      char *record = g_ptr_array_index (records, i), *other = g_ptr_array_index (records, j);
      switch (g_rand_int_range (random, 0, 8))
        {
        case 0:
          g_ptr_array_remove_index (records, (guint) i);
          break;
        case 1:
          g_ptr_array_insert (records, j, g_strdup (record));
          break;
        case 2:
          records->pdata[i] = other;
          records->pdata[j] = record;
          break;
        case 3:
          if (g_rand_int_range (random, 0, 4) == 0)
            g_ptr_array_set_size (records, MAX (i, 1));
          break;
        default:
          records->pdata[i] = damage_record (random, record, other);
          g_free (record);
          break;
        }
    }
}

/* ---- predictions */

/* Half an exchange (recvsh_ without sendsh_) makes a program that cannot end. */
static gboolean
is_expected (const GError *error, gboolean has_halves)
{
  if (has_halves
      && (g_error_matches (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK)
          || g_error_matches (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED)))
    return TRUE;
  return error->domain == PD_DVM_ERROR || error->domain == PD_DVM_MODEL_ERROR
         || g_error_matches (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_OVERFLOW);
}

/* @fixed: (nullable): the only grid; else random ones */
static void
try_variants (const char *text, const char *fixed, guint seed, guint n)
{
  static const char *const machines[] = {
    "ideal", "ethernet:startup=1us,per-byte=1ns,eager=64B,speeds=1:2",
    "myrinet:startup=1us,per-byte=1ns,eager=none,send-overhead=1us"
  };
  const char *wanted = g_getenv ("PREDICTOR_MUTANTS");
  guint n_results = 0;
  gboolean has_halves = strstr (text, "call_recv") != NULL;

  if (wanted != NULL)
    n = (guint) g_ascii_strtoull (wanted, NULL, 10);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed + i);
      g_autoptr (GPtrArray) records = split (text);
      PdPredictOptions options = test_options (machines[i % G_N_ELEMENTS (machines)]);
      g_autofree char *grid = fixed != NULL ? g_strdup (fixed) : test_random_grid (random);
      g_autoptr (GError) error = NULL;
      if (i % 2 == 0)
        damage (random, records);
      else
        damage_values (random, records);
      g_autofree char *damaged = join (records);
      PdReportRun *run = test_predict (damaged, grid, &options, &error);
      g_assert_true ((run == NULL) == (error != NULL));
      if (run != NULL)
        {
          test_report_run_free (run);
          n_results++;
          continue;
        }
      if (!is_expected (error, has_halves))
        g_test_message ("seed %u, grid %s, machine %s", seed + i, grid, options.machine);
      g_assert_true (is_expected (error, has_halves)
                     || (g_test_message ("%s", error->message), FALSE));
    }
  /* damage is not always deadly */
  g_assert_cmpuint (n_results, >, n / 20);
}

/* The first @n records of a compressed trace, and its last one. */
static char *
read_trace (const char *path, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 buffer[65536];
  gzFile file = gzopen (path, "rb");
  int length;

  g_assert_nonnull (file);
  while ((length = gzread (file, buffer, sizeof buffer)) > 0)
    g_byte_array_append (bytes, buffer, (guint) length);
  gzclose (file);
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  g_autoptr (GPtrArray) records = split ((const char *) bytes->data);
  if (records->len > n)
    g_ptr_array_set_size (records, (gint) n);
  return join (records);
}

static const struct
{
  const char *name, *grid;
  guint n_records, n_variants;
} real[] = {
  { "small.ptr", NULL, 1000, 300 },        { "heat2d_600.ptr.gz", NULL, 300, 300 },
  { "sor2d_2000.ptr.gz", NULL, 250, 300 }, { "gauss_240.ptr.gz", NULL, 1200, 60 },
  { "tasks2_256.ptr.gz", NULL, 500, 200 }, { "tasks2_256_userps4.ptr.gz", "4", 500, 200 },
};

static void
test_real (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *path = g_build_filename ("tests/data", real[i].name, NULL);
  g_autofree char *text = read_trace (path, real[i].n_records);

  try_variants (text, real[i].grid, 10000 * (guint) i, real[i].n_variants);
}

static void
test_synthetic (gconstpointer data)
{
  guint seed = GPOINTER_TO_UINT (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (TestTrace) trace =
      seed % 2 == 0 ? test_ordered_program (random, 12) : test_program (random, 12);

  try_variants (trace->text->str, NULL, seed * 1000000, 100);
}

static void
test_tasks (gconstpointer data)
{
  guint seed = GPOINTER_TO_UINT (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autofree char *grid = test_random_grid (random);
  g_autoptr (TestTrace) trace = test_program_with_tasks (random, 12, grid);

  try_variants (trace->text->str, grid, seed * 1000000 + 500, 100);
}

/* One file of a run on several processors is damaged. */
static void
damage_file (GRand *random, const TestSet *set)
{
  guint number = (guint) g_rand_int_range (random, 0, (gint32) set->names->len);
  g_autofree char *text = test_set_read (set, number);
  g_autoptr (GPtrArray) records = split (text);
  if (g_rand_boolean (random))
    damage (random, records);
  else
    damage_values (random, records);
  g_autofree char *damaged = join (records);
  test_set_write (set, number, damaged);
}

static void
test_several (gconstpointer data)
{
  guint first = GPOINTER_TO_UINT (data), n_results = 0;

  for (guint seed = first; seed < first + 100; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TestTrace) trace = test_program (random, 8);
      const char *texts[] = { trace->text->str, trace->text->str, trace->text->str, NULL };
      PdPredictOptions options = test_options ("myrinet:startup=1us,per-byte=1ns,eager=none");
      g_autoptr (TestSet) set = test_set_new ("3 1 1", texts);
      g_autofree char *other = test_random_grid (random);
      const char *grid = seed % 3 == 0 ? other : "3x1x1";
      g_autoptr (GError) error = NULL;

      damage_file (random, set);
      PdReportRun *run = test_set_predict (set, grid, &options, &error);
      g_assert_true ((run == NULL) == (error != NULL));
      if (error != NULL && !is_expected (error, FALSE))
        g_test_message ("seed %u, grid %s: %s", seed, grid, error->message);
      g_assert_true (run != NULL || is_expected (error, FALSE));
      n_results += run != NULL ? 1 : 0;
      if (run != NULL)
        test_report_run_free (run);
    }
  g_assert_cmpuint (n_results, >, 5);
}

static void
test_copies (gconstpointer data)
{
  guint seed = GPOINTER_TO_UINT (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (TestTrace) trace = test_copy_program (random, 12);

  try_variants (trace->text->str, NULL, seed * 1000000, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (real); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-mutants/real/", real[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_real);
    }
  for (guint seed = 1; seed <= 10; seed++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-mutants/synthetic/%u", seed);
      g_test_add_data_func (path, GUINT_TO_POINTER (seed), test_synthetic);
    }
  for (guint k = 0; k < 3; k++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-mutants/several/%u", k);
      g_test_add_data_func (path, GUINT_TO_POINTER (1000 * k), test_several);
    }
  for (guint seed = 1; seed <= 10; seed++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-mutants/tasks/%u", seed);
      g_test_add_data_func (path, GUINT_TO_POINTER (seed), test_tasks);
    }
  for (guint seed = 1; seed <= 10; seed++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-mutants/copies/%u", seed);
      g_test_add_data_func (path, GUINT_TO_POINTER (seed), test_copies);
    }
  return g_test_run ();
}
