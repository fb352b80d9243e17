/* Variation within and between launches of the program.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "measure/sheet/pd-summary-private.h"

#include "measure/stats/pd-stats.h"
#include "measure/sheet/pd-sheet-db.h"
#include "measure/sheet/pd-summary-read-private.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CONFIDENCE 0.95
#define NORMAL     1.959963984540054 /* quantile of (1 + CONFIDENCE) / 2 */

static const PdColumn columns[] = {
  { "mpi", PD_COLUMN_TEXT, NULL, 0 },
  { "host", PD_COLUMN_TEXT, NULL, 0 },
  { "operation", PD_COLUMN_TEXT, "operation", 0 },
  { "form", PD_COLUMN_TEXT, NULL, 0 },
  { "processes", PD_COLUMN_INTEGER, "processes", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "buffers", PD_COLUMN_TEXT, "buffers", 0 },
  { "synchronised", PD_COLUMN_INTEGER, "synchronised", 0 },
  { "runs", PD_COLUMN_INTEGER, "runs", 0 },
  { "median_us", PD_COLUMN_REAL, "median us", 3 },
  { "median_low_us", PD_COLUMN_REAL, "from us", 3 },
  { "median_high_us", PD_COLUMN_REAL, "to us", 3 },
  { "mean_us", PD_COLUMN_REAL, "mean us", 3 },
  { "min_us", PD_COLUMN_REAL, "min us", 3 },
  { "max_us", PD_COLUMN_REAL, "max us", 3 },
  { "within", PD_COLUMN_REAL, "within", 4 },
  { "between", PD_COLUMN_REAL, "between", 4 },
  { "relative_error", PD_COLUMN_REAL, "rel. error", 4 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec table = { "collective_summary",
                                   "Medians of launches of the program (runs)", columns,
                                   G_N_ELEMENTS (columns) };

static const PdColumn error_columns[] = {
  { "mpi", PD_COLUMN_TEXT, "mpi", 0 },
  { "host", PD_COLUMN_TEXT, "host", 0 },
  { "cases", PD_COLUMN_INTEGER, "cases", 0 },
  { "median_relative_error", PD_COLUMN_REAL, "median rel. error", 4 },
  { "worst_relative_error", PD_COLUMN_REAL, "worst", 4 },
  { "worst_operation", PD_COLUMN_TEXT, "operation", 0 },
  { "worst_processes", PD_COLUMN_INTEGER, "processes", 0 },
  { "worst_bytes", PD_COLUMN_INTEGER, "bytes", 0 },
};
static const PdTableSpec error_table = { "reproducibility",
                                         "Relative standard error of the medians over all runs",
                                         error_columns, G_N_ELEMENTS (error_columns) };

/* A case in all launches. */
typedef struct
{
  const PdSummaryRow *first;
  GArray *medians; /* gdouble */
  gdouble squares; /* of the standard errors of medians within launches, their sum … */
  guint n_squares; /* … of so many */
  gdouble error;   /* relative, of the mean of the medians; NaN: one launch */
} Case;

static void
free_case (gpointer data)
{
  Case *one = data;

  g_array_unref (one->medians);
  g_free (one);
}

/* ---- cases in the order of their first rows */

static void
add_row (GPtrArray *cases, GHashTable *known, const PdSummaryRow *row)
{
  Case *one = g_hash_table_lookup (known, row->key);
  gdouble error = (row->high - row->low) / (2 * NORMAL);

  if (isnan (row->median))
    return;
  if (one == NULL)
    {
      one = g_new0 (Case, 1);
      one->first = row;
      one->medians = g_array_new (FALSE, FALSE, sizeof (gdouble));
      g_ptr_array_add (cases, one);
      g_hash_table_insert (known, (gpointer) row->key, one);
    }
  g_array_append_val (one->medians, row->median);
  if (isnan (error))
    return;
  one->squares += error * error;
  one->n_squares++;
}

static GPtrArray *
collect (const PdSummaryList *list)
{
  GPtrArray *cases = g_ptr_array_new_with_free_func (free_case);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < list->rows->len; i++)
    add_row (cases, known, &g_array_index (list->rows, PdSummaryRow, i));
  return cases;
}

/* ---- rows */

/* The variance between launches is the variance of the medians minus that of a median within
 * its launch. */
static void
add_case (PdSheet *output, Case *one)
{
  const PdSummaryRow *first = one->first;
  gdouble within = one->n_squares > 0 ? one->squares / one->n_squares : NAN, between;
  PdStats stats;

  pd_stats_compute ((const gdouble *) one->medians->data, one->medians->len, 0, CONFIDENCE, &stats);
  between = MAX (stats.deviation * stats.deviation - (isnan (within) ? 0 : within), 0);
  between = isnan (stats.deviation) ? NAN : sqrt (between) / stats.mean;
  one->error = stats.relative_error;
  const PdSheetCell cells[] = {
    { .text = first->mpi },
    { .text = first->host },
    { .text = first->operation },
    { .text = first->form },
    { .integer = first->processes },
    { .integer = first->bytes },
    { .text = first->buffers },
    { .integer = first->synchronised },
    { .integer = one->medians->len },
    { .real = stats.median },
    { .real = stats.median_low },
    { .real = stats.median_high },
    { .real = stats.mean },
    { .real = stats.min },
    { .real = stats.max },
    { .real = sqrt (within) / stats.mean },
    { .real = between },
    { .real = one->error },
    { .integer = first->oversubscribed },
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  pd_sheet_row (output, &table, cells);
}

/* Cases of the same MPI and host as @pattern. */
static void
add_errors (PdSheet *output, const GPtrArray *cases, const PdSummaryRow *pattern)
{
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (gdouble));
  const Case *worst = NULL;

  for (guint i = 0; i < cases->len; i++)
    {
      const Case *one = g_ptr_array_index (cases, i);
      if (one->first->mpi != pattern->mpi || one->first->host != pattern->host
          || isnan (one->error))
        continue;
      g_array_append_val (errors, one->error);
      if (worst == NULL || one->error > worst->error)
        worst = one;
    }
  if (worst == NULL)
    return;
  const PdSheetCell cells[] = {
    { .text = pattern->mpi },
    { .text = pattern->host },
    { .integer = errors->len },
    { .real = pd_stats_median ((const gdouble *) errors->data, errors->len) },
    { .real = worst->error },
    { .text = worst->first->operation },
    { .integer = worst->first->processes },
    { .integer = worst->first->bytes },
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (error_columns));
  pd_sheet_row (output, &error_table, cells);
}

/* Whether no earlier case has its MPI and host; texts are interned. */
static gboolean
is_first_of_place (const GPtrArray *cases, guint place)
{
  const Case *one = g_ptr_array_index (cases, place);

  for (guint i = 0; i < place; i++)
    {
      const Case *earlier = g_ptr_array_index (cases, i);
      if (earlier->first->mpi == one->first->mpi && earlier->first->host == one->first->host)
        return FALSE;
    }
  return TRUE;
}

static guint
count_launches (const PdSummaryList *list)
{
  guint n = 0, last = 0;

  for (guint i = 0; i < list->rows->len; i++)
    {
      guint launch = g_array_index (list->rows, PdSummaryRow, i).launch;
      n += launch != last;
      last = launch;
    }
  return n;
}

static PdSheet *
summarise (const PdSummaryList *list, const char *path, GError **error)
{
  g_autoptr (GPtrArray) cases = collect (list);
  PdSheet *output;

  if (cases->len == 0)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ,
                   "'%s' has no times of collective operations", path);
      return NULL;
    }
  output = pd_sheet_new ("collective");
  pd_sheet_fact (output, "runs", "%u", count_launches (list));
  pd_sheet_fact (output, "within",
                 "standard error of a median within its run, from its interval, as a share of the "
                 "mean of all medians");
  pd_sheet_fact (output, "between",
                 "standard deviation of medians between runs, without that within runs, as that "
                 "share");
  pd_sheet_fact (output, "relative_error",
                 "standard deviation of all medians / their mean / square root of runs");
  for (guint i = 0; i < cases->len; i++)
    add_case (output, g_ptr_array_index (cases, i));
  for (guint i = 0; i < cases->len; i++)
    if (is_first_of_place (cases, i))
      add_errors (output, cases, ((const Case *) g_ptr_array_index (cases, i))->first);
  return output;
}

/* ---- files */

PdSheet *
pd_summary_of_csv (const char *text, gsize length, const char *path, GError **error)
{
  PdSummaryList list;
  PdSheet *output = NULL;

  pd_summary_list_init (&list);
  if (pd_summary_read_csv (&list, text, length, path, error))
    output = summarise (&list, path, error);
  pd_summary_list_clear (&list);
  return output;
}

static PdSheet *
summary_of_db (const char *path, GError **error)
{
  PdSummaryList list;
  PdSheet *output = NULL;

  pd_summary_list_init (&list);
  if (pd_summary_read_db (&list, path, error))
    output = summarise (&list, path, error);
  pd_summary_list_clear (&list);
  return output;
}

PdSheet *
pd_summary_of_file (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  gsize length;

  if (!g_str_has_suffix (path, ".csv"))
    return summary_of_db (path, error);
  if (g_file_get_contents (path, &text, &length, &local))
    return pd_summary_of_csv (text, length, path, error);
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ, "%s", local->message);
  return NULL;
}

/* All of it, or nothing: rows that are cut would be of another measurement. */
static gboolean
append_text (const char *path, const char *text)
{
  gboolean is_new = access (path, F_OK) != 0;
  int fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  off_t size = fd >= 0 ? lseek (fd, 0, SEEK_END) : 0;
  gsize n = strlen (text), written = 0;
  gssize got = 0;

  while (fd >= 0 && written < n && (got = write (fd, text + written, n - written)) >= 0)
    written += (gsize) got;
  int saved = errno;
  if (fd >= 0 && written < n && size >= 0 && ftruncate (fd, size) == 0 && is_new)
    unlink (path);
  if (fd >= 0 && close (fd) != 0)
    return FALSE;
  errno = saved;
  return fd >= 0 && written == n;
}

gboolean
pd_summary_append (const PdSheet *sheet, const char *path, GError **error)
{
  if (!g_str_has_suffix (path, ".csv"))
    return pd_sheet_write_db (sheet, path, error);
  g_autofree char *text = pd_sheet_format_csv (sheet);
  if (append_text (path, text))
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_WRITE, "cannot write '%s': %s", path,
               g_strerror (errno));
  return FALSE;
}
