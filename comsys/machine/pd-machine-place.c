/* Placement of ranks on processors.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine-size.h"
#include "comsys/machine/pd-machine-place.h"

#include <string.h>

static void
add_nodes (const PdMachineNetwork *network, GArray *sizes)
{
  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (network->children, i);
      for (guint32 copy = 0; copy < node->count; copy++)
        if (node->network != NULL)
          add_nodes (node->network, sizes);
        else
          g_array_append_val (sizes, node->processors);
    }
}

/* The processors of every node, in document order. */
static GArray *
get_node_sizes (const PdMachine *self)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (guint32));

  add_nodes (self->network, sizes);
  return sizes;
}

static gboolean
place_block (guint32 *processors, guint32 n_ranks)
{
  for (guint32 r = 0; r < n_ranks; r++)
    processors[r] = r;
  return TRUE;
}

/* One rank to each node in turn. Full nodes are passed over, or, if @is_strict, an error. */
static gboolean
place_cyclic (const PdMachine *self, gboolean is_strict, guint32 *processors, guint32 n_ranks,
              GError **error)
{
  g_autoptr (GArray) sizes = get_node_sizes (self);
  guint32 r = 0;

  for (guint32 round = 0; r < n_ranks; round++)
    for (guint32 i = 0, first = 0; i < sizes->len && r < n_ranks; i++)
      {
        guint32 size = g_array_index (sizes, guint32, i);
        if (round < size)
          processors[r++] = first + round;
        else if (is_strict)
          {
            g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_MAP,
                         "map 'interleaved': rank %u of %u comes to node %u, which is full; more "
                         "ranks than processors are not covered ('cyclic' passes over full nodes)",
                         r, n_ranks, i);
            return FALSE;
          }
        first += size;
      }
  return TRUE;
}

static gboolean
place_per_node (const PdMachine *self, const char *text, guint32 *processors, guint32 n_ranks,
                GError **error)
{
  g_autoptr (GArray) sizes = get_node_sizes (self);
  guint64 per_node;
  guint32 r = 0;

  if (!g_ascii_string_to_unsigned (text, 10, 1, PD_MACHINE_MAX_PROCESSORS, &per_node, NULL))
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_MAP,
                   "map 'per-node:%s': expected a number of processors of at least 1", text);
      return FALSE;
    }
  for (guint32 i = 0, first = 0; i < sizes->len && r < n_ranks; i++)
    {
      guint32 size = g_array_index (sizes, guint32, i);
      if (size < per_node)
        {
          g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_MAP,
                       "map 'per-node:%s': node %u has only %u processor%s", text, i, size,
                       size == 1 ? "" : "s");
          return FALSE;
        }
      for (guint32 p = 0; p < per_node && r < n_ranks; p++)
        processors[r++] = first + p;
      first += size;
    }
  if (r == n_ranks)
    return TRUE;
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
               "map 'per-node:%s': %u nodes hold %u ranks, %u are needed", text, sizes->len, r,
               n_ranks);
  return FALSE;
}

static gboolean
fail_list (const char *map, const char *item, const char *problem, GError **error)
{
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_MAP, "map '%s': '%s' %s", map, item,
               problem);
  return FALSE;
}

/* "7" or "4-7" */
static gboolean
parse_range (const char *item, guint32 n_processors, guint32 *first, guint32 *last)
{
  g_auto (GStrv) ends = g_strsplit (item, "-", 2);
  guint64 a, b;

  if (ends[0] == NULL
      || !g_ascii_string_to_unsigned (g_strstrip (ends[0]), 10, 0, n_processors - 1, &a, NULL))
    return FALSE;
  b = a;
  if (ends[1] != NULL
      && !g_ascii_string_to_unsigned (g_strstrip (ends[1]), 10, a, n_processors - 1, &b, NULL))
    return FALSE;
  *first = (guint32) a;
  *last = (guint32) b;
  return TRUE;
}

static gboolean
place_list (const PdMachine *self, const char *map, guint32 *processors, guint32 n_ranks,
            GError **error)
{
  g_auto (GStrv) items = g_strsplit (map, ",", -1);
  g_autofree guint8 *taken = g_new0 (guint8, self->n_processors);
  guint32 r = 0;

  if (*map == '\0')
    return fail_list (map, "", "is empty: expected a list of processors such as 0,2,4-7", error);
  for (guint i = 0; items[i] != NULL; i++)
    {
      guint32 first, last;
      if (!parse_range (items[i], self->n_processors, &first, &last))
        return fail_list (map, items[i],
                          "is not a placement: expected block, cyclic, interleaved, per-node:N, or "
                          "a list of processors of the machine such as 0,2,4-7",
                          error);
      for (guint32 p = first; p <= last; p++)
        {
          if (taken[p])
            return fail_list (map, items[i], "names a processor twice", error);
          taken[p] = 1;
          if (r < n_ranks)
            processors[r++] = p;
        }
    }
  if (r == n_ranks)
    return TRUE;
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
               "map '%s': names %u processors, %u are needed", map, r, n_ranks);
  return FALSE;
}

guint32 *
pd_machine_place (const PdMachine *self, const char *map, guint32 n_ranks, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (self != NULL, NULL);

  if (n_ranks > self->n_processors || n_ranks == 0)
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
                   "machine '%s' has %u processors, cannot place %u ranks", self->name,
                   self->n_processors, n_ranks);
      return NULL;
    }
  g_autofree guint32 *processors = g_new (guint32, n_ranks);
  map = map != NULL ? map : self->map;
  if (map == NULL || strcmp (map, "block") == 0)
    ok = place_block (processors, n_ranks);
  else if (strcmp (map, "cyclic") == 0)
    ok = place_cyclic (self, FALSE, processors, n_ranks, error);
  else if (strcmp (map, "interleaved") == 0)
    ok = place_cyclic (self, TRUE, processors, n_ranks, error);
  else if (g_str_has_prefix (map, "per-node:"))
    ok = place_per_node (self, map + strlen ("per-node:"), processors, n_ranks, error);
  else
    ok = place_list (self, map, processors, n_ranks, error);
  return ok ? g_steal_pointer (&processors) : NULL;
}
