/* Which ranks of a dependency graph wait for each other.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-graph-cycle.h"

/* Ranks of a circle that are named. */
#define MAX_CIRCLE_SHOWN 12

static const PdGoalBlocked *
get_row (const PdGoalResult *result, guint i)
{
  return &g_array_index (result->blocked, PdGoalBlocked, i);
}

/* The row of @rank; blocked->len if it is not blocked, or not listed. */
static guint
find_row (const PdGoalResult *result, guint32 rank)
{
  guint low = 0, high = result->blocked->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (get_row (result, middle)->rank < rank)
        low = middle + 1;
      else
        high = middle;
    }
  return low < result->blocked->len && get_row (result, low)->rank == rank ? low
                                                                           : result->blocked->len;
}

/* The rank that row @i waits for; for a wildcard, the first one that might still send. */
static guint
find_awaited (const PdGoalResult *result, guint i)
{
  const PdGoalBlocked *row = get_row (result, i);

  if (row->cycle || row->kind == PD_GRAPH_CALC)
    return i;
  return row->peer == PD_GRAPH_ANY ? 0 : find_row (result, row->peer);
}

static void
append_row (const PdGoalResult *result, guint i, GString *text)
{
  static const char *const functions[] = {
    [PD_GRAPH_SEND] = "send", [PD_GRAPH_RECV] = "recv", [PD_GRAPH_CALC] = "calc"
  };
  const PdGoalBlocked *row = get_row (result, i);

  g_string_append_printf (text, "rank %u (%s, operation %u)", row->rank, functions[row->kind],
                          row->op);
}

static void
append_circle (const PdGoalResult *result, guint member, GString *text)
{
  guint lowest = member, n = 1;

  for (guint i = find_awaited (result, member); i != member; i = find_awaited (result, i), n++)
    lowest = MIN (lowest, i);
  g_string_append (text, "\ncycle: ");
  for (guint k = 0, i = lowest; k < MIN (n, MAX_CIRCLE_SHOWN); k++)
    {
      append_row (result, i, text);
      g_string_append (text, " waits for ");
      i = find_awaited (result, i);
    }
  if (n > MAX_CIRCLE_SHOWN)
    g_string_append_printf (text, "… %u more, the last of which waits for ", n - MAX_CIRCLE_SHOWN);
  g_string_append_printf (text, "rank %u", get_row (result, lowest)->rank);
}

/* No cycle: a rank waits for one that has ended. */
static void
append_end (const PdGoalResult *result, GString *text)
{
  guint n = result->blocked->len;

  for (guint i = 0; i < n && result->n_blocked == n; i++)
    if (find_awaited (result, i) == n)
      {
        g_string_append_c (text, '\n');
        append_row (result, i, text);
        g_string_append_printf (text, " waits for rank %u, which has ended",
                                get_row (result, i)->peer);
        return;
      }
}

void
pd_mp_graph_report_cycle (const PdGoalResult *result, GError **error)
{
  guint n = result->blocked != NULL ? result->blocked->len : 0;
  g_autofree guint *seen = g_new0 (guint, n + 1);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean found = FALSE;

  if (n == 0 || error == NULL || *error == NULL)
    return;
  g_string_append (text, (*error)->message);
  for (guint start = 0; start < n && !found; start++)
    {
      guint i = start;
      while (i < n && seen[i] == 0)
        {
          seen[i] = start + 1;
          i = find_awaited (result, i);
        }
      if (i == n || seen[i] != start + 1)
        continue;
      append_circle (result, i, text);
      found = TRUE;
    }
  if (!found)
    append_end (result, text);
  g_free ((*error)->message);
  (*error)->message = g_strdup (text->str);
}
