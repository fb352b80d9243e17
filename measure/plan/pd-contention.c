/* Tables of shared channels.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-contention.h"

#include <math.h>

static const PdContentionCell *
cell_at (const GArray *cells, guint i)
{
  return &g_array_index (cells, PdContentionCell, i);
}

/* By level, length and cf, so that a table is read line by line. */
static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const PdContentionCell *x = *(const PdContentionCell *const *) a;
  const PdContentionCell *y = *(const PdContentionCell *const *) b;

  if (x->level != y->level)
    return x->level < y->level ? -1 : 1;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? -1 : 1;
  return x->sharing < y->sharing ? -1 : x->sharing > y->sharing;
}

/* The cells of a level, sorted. */
static GPtrArray *
sort_level (const GArray *cells, PdPairLevel level)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < cells->len; i++)
    if (cell_at (cells, i)->level == level)
      g_ptr_array_add (sorted, (gpointer) cell_at (cells, i));
  g_ptr_array_sort (sorted, compare_cells);
  return sorted;
}

void
pd_contention_compare (GArray *cells)
{
  for (PdPairLevel level = 0; level < PD_N_LEVELS; level++)
    {
      g_autoptr (GPtrArray) sorted = sort_level (cells, level);
      const PdContentionCell *alone = NULL;
      for (guint i = 0; i < sorted->len; i++)
        {
          PdContentionCell *cell = g_ptr_array_index (sorted, i);
          if (cell->sharing == 1)
            alone = cell;
          cell->factor =
              alone != NULL && alone->bytes == cell->bytes ? cell->median / alone->median : NAN;
          cell->super_linear = cell->factor > cell->sharing;
        }
    }
}

gdouble
pd_contention_throughput (const PdContentionCell *cell)
{
  return cell->sharing * (gdouble) cell->bytes / cell->median;
}

/* ---- the best count */

/* Of one cf: sum of logarithms of throughput over that of the smallest cf. */
typedef struct
{
  guint sharing;
  guint n;
  gdouble sum;
} Gain;

static int
compare_gains (gconstpointer a, gconstpointer b)
{
  const Gain *x = a, *y = b;

  return x->sharing < y->sharing ? -1 : x->sharing > y->sharing;
}

static Gain *
find_gain (GArray *gains, guint sharing)
{
  Gain gain = { sharing, 0, 0 };

  for (guint i = 0; i < gains->len; i++)
    if (g_array_index (gains, Gain, i).sharing == sharing)
      return &g_array_index (gains, Gain, i);
  g_array_append_val (gains, gain);
  return &g_array_index (gains, Gain, gains->len - 1);
}

static GArray *
add_gains (const GPtrArray *sorted, guint least)
{
  GArray *gains = g_array_new (FALSE, FALSE, sizeof (Gain));
  const PdContentionCell *base = NULL;

  for (guint i = 0; i < sorted->len; i++)
    {
      const PdContentionCell *cell = g_ptr_array_index (sorted, i);
      if (cell->bytes == 0 || cell->sharing < least)
        continue;
      if (base == NULL || base->bytes != cell->bytes)
        base = cell;
      Gain *gain = find_gain (gains, cell->sharing);
      gain->n++;
      gain->sum += log (pd_contention_throughput (cell) / pd_contention_throughput (base));
    }
  g_array_sort (gains, compare_gains);
  return gains;
}

static gdouble
mean_gain (const GArray *gains, guint i)
{
  const Gain *gain = &g_array_index (gains, Gain, i);

  return exp (gain->sum / gain->n);
}

gboolean
pd_contention_find_best (const GArray *cells, PdPairLevel level, PdContentionBest *out)
{
  g_autoptr (GPtrArray) sorted = sort_level (cells, level);
  g_autoptr (GArray) gains = add_gains (sorted, level == PD_LEVEL_MEMORY ? 2 : 1);
  gdouble greatest = 0;

  if (gains->len == 0)
    return FALSE;
  for (guint i = 0; i < gains->len; i++)
    greatest = MAX (greatest, mean_gain (gains, i));
  *out = (PdContentionBest){ .least = g_array_index (gains, Gain, 0).sharing,
                             .most = g_array_index (gains, Gain, gains->len - 1).sharing,
                             .greatest = greatest };
  for (guint i = 0; i < gains->len; i++)
    if (mean_gain (gains, i) >= greatest * (1 - PD_CONTENTION_SAME))
      {
        out->sharing = g_array_index (gains, Gain, i).sharing;
        out->gain = mean_gain (gains, i);
      }
  return TRUE;
}

/* ---- matrices */

static char *
format_entry (const PdContentionCell *cell, gboolean factors)
{
  if (!factors)
    return g_strdup_printf ("%.2f", cell->median * 1e6);
  if (isnan (cell->factor))
    return g_strdup ("-");
  return g_strdup_printf ("%.2f%c", cell->factor, cell->super_linear ? '*' : ' ');
}

/* The numbers of processes of a level's columns, rising. */
static GArray *
find_columns (const GPtrArray *sorted)
{
  g_autoptr (GArray) gains = g_array_new (FALSE, FALSE, sizeof (Gain));
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < sorted->len; i++)
    find_gain (gains, ((const PdContentionCell *) g_ptr_array_index (sorted, i))->sharing);
  g_array_sort (gains, compare_gains);
  for (guint i = 0; i < gains->len; i++)
    g_array_append_val (columns, g_array_index (gains, Gain, i).sharing);
  return columns;
}

/* One line, from the first cell of a length on; returns how many cells it has. */
static guint
append_line (GString *out, const GPtrArray *sorted, guint first, const GArray *columns,
             gboolean factors)
{
  const PdContentionCell *begin = g_ptr_array_index (sorted, first);
  guint used = 0;

  g_string_append_printf (out, "%12" G_GINT64_FORMAT, begin->bytes);
  for (guint i = 0; i < columns->len; i++)
    {
      const PdContentionCell *cell =
          first + used < sorted->len ? g_ptr_array_index (sorted, first + used) : NULL;
      gboolean has = cell != NULL && cell->bytes == begin->bytes
                     && cell->sharing == g_array_index (columns, guint, i);
      g_autofree char *text = has ? format_entry (cell, factors) : g_strdup ("-");
      g_string_append_printf (out, "  %10s", text);
      used += has ? 1 : 0;
    }
  return used;
}

char *
pd_contention_format (const GArray *cells, PdPairLevel level, gboolean factors, const char *remark)
{
  g_autoptr (GPtrArray) sorted = sort_level (cells, level);
  g_autoptr (GArray) columns = find_columns (sorted);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%s: %s\n%12s", pd_level_name (level),
                          factors ? "t(m, cf) / t(m, 1); * more than cf times" : "t(m, cf), us",
                          "bytes");
  for (guint i = 0; i < columns->len; i++)
    {
      g_autofree char *heading =
          g_strdup_printf ("cf = %u%s", g_array_index (columns, guint, i), factors ? " " : "");
      g_string_append_printf (out, "  %10s", heading);
    }
  g_string_append_c (out, '\n');
  for (guint i = 0; i < sorted->len;)
    {
      i += append_line (out, sorted, i, columns, factors);
      g_string_append_printf (out, "%s%s\n", remark[0] != '\0' ? "  " : "", remark);
    }
  return g_string_free (out, FALSE);
}
