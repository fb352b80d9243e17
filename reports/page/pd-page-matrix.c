/* The communication matrix.
 *
 * The entry of the chart: ranks, groups, size (ranks of a group), and columns from, to,
 * messages, bytes of all pairs of groups that have messages, by from and to.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-matrix-private.h"

#define CELL_BYTES 44  /* of a cell in the data, at most about */
#define MAX_PAIRS  100 /* in the table */

typedef struct
{
  guint32 from, to;
  PdCommCell cell;
} Pair;

static GArray *
collect_pairs (const PdCommMatrix *matrix)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (guint32 from = 0; from < matrix->groups.n; from++)
    for (guint32 to = 0; to < matrix->groups.n; to++)
      {
        const Pair pair = { from, to, *pd_comm_matrix_get (matrix, from, to) };
        if (pair.cell.n_messages > 0 || pair.cell.bytes > 0)
          g_array_append_val (pairs, pair);
      }
  return pairs;
}

static gdouble
get_column (const Pair *pair, guint column)
{
  const gdouble values[] = { pair->from, pair->to, (gdouble) pair->cell.n_messages,
                             (gdouble) pair->cell.bytes };

  return values[column];
}

static void
add_data (PdPage *self, const PdCommMatrix *matrix, const GArray *pairs, const char *key)
{
  static const char *const names[] = { "from", "to", "messages", "bytes" };
  g_autofree gdouble *values = g_new (gdouble, pairs->len);

  pd_page_data_open (self, key, '{');
  pd_page_data_number (self, "ranks", matrix->groups.n_ranks);
  pd_page_data_number (self, "groups", matrix->groups.n);
  pd_page_data_number (self, "size", matrix->groups.size);
  for (guint column = 0; column < G_N_ELEMENTS (names); column++)
    {
      for (guint i = 0; i < pairs->len; i++)
        values[i] = get_column (&g_array_index (pairs, Pair, i), column);
      pd_page_data_numbers (self, names[column], values, pairs->len);
    }
  pd_page_data_close (self, '}');
}

/* ---- the same as a table, the largest first */

static gint
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;

  if (x->cell.bytes != y->cell.bytes)
    return x->cell.bytes > y->cell.bytes ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

static void
add_group (PdColumns *to, const PdRankGroups *groups, guint32 group)
{
  guint32 first = group * groups->size, n = pd_rank_groups_count (groups, group);
  g_autofree char *label =
      n > 1 ? g_strdup_printf ("%u to %u", first, first + n - 1) : g_strdup_printf ("%u", first);

  pd_columns_add_text (to, label);
}

static void
append_table (PdPage *self, const PdCommMatrix *matrix, GArray *pairs)
{
  static const PdColumn columns[] = {
    { .page = "From" }, { .page = "To" }, { .page = "Messages" }, { .page = "Bytes" }
  };
  PdColumns to = { .out = self->body };
  guint i;

  g_array_sort (pairs, compare_pairs);
  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (i = 0; i < pairs->len && i < MAX_PAIRS && pd_page_has_room (self); i++)
    {
      const Pair *pair = &g_array_index (pairs, Pair, i);
      add_group (&to, &matrix->groups, pair->from);
      add_group (&to, &matrix->groups, pair->to);
      pd_columns_add_fixed (&to, (gdouble) pair->cell.n_messages, 0);
      pd_columns_add_fixed (&to, (gdouble) pair->cell.bytes, 0);
    }
  pd_columns_end (&to);
  pd_page_add_cut (self, pairs->len - i, "pairs", "--timeline FILE writes every message");
}

void
pd_page_add_matrix (PdPage *self, const PdReportRun *run, const char *prefix)
{
  const PdCommMatrix *matrix = run->matrix;

  if (matrix == NULL || (matrix->total.n_messages == 0 && matrix->total.bytes == 0))
    return;
  g_autoptr (GArray) pairs = collect_pairs (matrix);
  g_autofree char *key = pd_page_key (prefix, "matrix");
  if (pd_page_get_left (self) / 2 < (gsize) pairs->len * CELL_BYTES)
    return;
  const char *rest = matrix->with_collectives
                         ? "and the data of collective operations, as if sent directly"
                         : "without those within collective operations";
  g_autofree char *lead =
      matrix->groups.size > 1
          ? g_strdup_printf ("Messages between groups of %u ranks, %s.", matrix->groups.size, rest)
          : g_strdup_printf ("Messages between ranks, %s.", rest);
  pd_page_add_heading (self, key, "Communication matrix", lead);
  add_data (self, matrix, pairs, key);
  pd_page_add_chart (self, "matrix", key, "Bytes sent, by sender and receiver");
  pd_page_begin_details (self, "The largest as a table");
  append_table (self, matrix, pairs);
  pd_page_end_details (self);
}
