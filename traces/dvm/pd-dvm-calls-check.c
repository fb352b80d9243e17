/* Whether calls from another process can be read.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-calls-private.h"
#include "traces/io/pd-trace-error.h"
#include "traces/dvm/pd-dvm-calls-check-private.h"
#include "traces/dvm/pd-dvm-calls-check.h"

static const guint16 sizes[PD_DVM_CALLS_N] = {
  [PD_DVM_CALLS_HEAD] = sizeof (PdDvmCallsHead),
  [PD_DVM_CALLS_SITES] = sizeof (PdDvmSite),
  [PD_DVM_CALLS_CALLS] = sizeof (PdDvmSharedCall),
  [PD_DVM_CALLS_BLOCKS_FIRST] = 8,
  [PD_DVM_CALLS_BLOCKS] = 8,
  [PD_DVM_CALLS_MESSAGES] = sizeof (PdDvmSaid),
  [PD_DVM_CALLS_EVENTS] = sizeof (PdDvmSaying),
  [PD_DVM_CALLS_STRINGS_FIRST] = 8,
  [PD_DVM_CALLS_STRINGS] = 1,
};

G_STATIC_ASSERT ((int) PD_DVM_CALLS_N <= PD_SECTIONS_MAX);

const PdSectionsKind pd_dvm_calls_kind = { "PDCALLS\n",
                                           2,
                                           { PD_DVM_N_FUNCTIONS, PD_DVM_N_KEYS,
                                             sizeof (PdDvmCallsHead), sizeof (PdDvmSharedCall) },
                                           PD_DVM_CALLS_N,
                                           sizes };

static gboolean
refuse (const char *why, GError **error)
{
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT, "shared calls: %s", why);
  return FALSE;
}

/* ---- tables */

static guint64
count_strings (const PdSections *all)
{
  return all->n[PD_DVM_CALLS_STRINGS_FIRST] - 1;
}

/* Whether section @section begins with 0, ascends and ends with the size of the next. */
static gboolean
ascends (const PdSections *all, PdDvmCallsSection section)
{
  const guint64 *first = all->data[section];
  guint64 n = all->n[section];

  if (n == 0 || first[0] != 0 || first[n - 1] != all->n[section + 1])
    return FALSE;
  for (guint64 i = 1; i < n; i++)
    if (first[i] <= first[i - 1])
      return FALSE;
  return TRUE;
}

static gboolean
check_strings (const PdSections *all)
{
  const guint64 *first = all->data[PD_DVM_CALLS_STRINGS_FIRST];
  const char *strings = all->data[PD_DVM_CALLS_STRINGS];

  if (!ascends (all, PD_DVM_CALLS_STRINGS_FIRST))
    return FALSE;
  for (guint64 i = 0; i < count_strings (all); i++)
    if (strings[first[i + 1] - 1] != '\0')
      return FALSE;
  return TRUE;
}

static gboolean
check_head (const PdSections *all)
{
  const PdDvmCallsHead *head = all->data[PD_DVM_CALLS_HEAD];
  guint64 n = count_strings (all);

  return head->ps_rank <= G_N_ELEMENTS (head->ps_size)
         && head->vps_rank <= G_N_ELEMENTS (head->vps_size) && head->host < n && head->mps < n
         && head->has_last <= 1 && head->has_last <= all->n[PD_DVM_CALLS_CALLS];
}

static gboolean
check_sites (const PdSections *all)
{
  const PdDvmSite *sites = all->data[PD_DVM_CALLS_SITES];
  guint64 n = count_strings (all);

  for (guint64 i = 0; i < all->n[PD_DVM_CALLS_SITES]; i++)
    if (sites[i].function >= PD_DVM_N_FUNCTIONS || sites[i].name >= n || sites[i].file >= n
        || sites[i].is_single > 1)
      return FALSE;
  return TRUE;
}

static gboolean
check_messages (const PdSections *all)
{
  const PdDvmSaid *said = all->data[PD_DVM_CALLS_MESSAGES];
  const PdDvmSaying *events = all->data[PD_DVM_CALLS_EVENTS];
  guint64 n = count_strings (all), from = 0;

  for (guint64 i = 0; i < all->n[PD_DVM_CALLS_MESSAGES]; i++)
    if (said[i].severity > PD_SEVERITY_WARNING || said[i].id >= n || said[i].subject >= n
        || said[i].text >= n || said[i].place >= n)
      return FALSE;
  for (guint64 i = 0; i < all->n[PD_DVM_CALLS_EVENTS]; i++)
    {
      if (events[i].before < from || events[i].before > all->n[PD_DVM_CALLS_CALLS] + 1
          || events[i].message >= all->n[PD_DVM_CALLS_MESSAGES])
        return FALSE;
      from = events[i].before;
    }
  return TRUE;
}

static gboolean
check_calls (const PdSections *all)
{
  const PdDvmSharedCall *calls = all->data[PD_DVM_CALLS_CALLS];
  guint64 n_blocks = all->n[PD_DVM_CALLS_BLOCKS_FIRST] - 1;

  for (guint64 i = 0; i < all->n[PD_DVM_CALLS_CALLS]; i++)
    if (calls[i].call_times[0] < 0 || calls[i].call_times[1] < 0 || calls[i].ret_times[0] < 0
        || calls[i].ret_times[1] < 0 || calls[i].site >= all->n[PD_DVM_CALLS_SITES]
        || calls[i].block >= n_blocks)
      return FALSE;
  return TRUE;
}

/* ---- blocks */

static gboolean
check_scalars (const PdDvmScalar *scalars, guint n)
{
  for (guint i = 0; i < n; i++)
    if (scalars[i].key >= PD_DVM_N_KEYS || (i > 0 && scalars[i].key <= scalars[i - 1].key)
        || scalars[i].flags > (PD_DVM_VALUE_INT | PD_DVM_VALUE_DOUBLE))
      return FALSE;
  return TRUE;
}

/* The rows ascend, and have at least the elements that can be read. */
static gboolean
check_rows (const PdDvmShared *array, const guint64 *rows)
{
  guint64 n = 0;

  for (guint i = 0; i < array->n_rows; i++)
    {
      if (i > 0 && rows[i] >> 32 <= rows[i - 1] >> 32)
        return FALSE;
      n += rows[i] & G_MAXUINT32;
    }
  return MAX (array->n_ints, array->n_doubles) <= n && n <= G_MAXUINT32;
}

static gboolean
check_array (const PdDvmBlock *block, const PdDvmShared *array)
{
  guint64 before = (guint64) array->n_ints + (array->is_same ? 0 : array->n_doubles);

  return array->key < PD_DVM_N_KEYS && array->is_same <= 1
         && (!array->is_same || array->n_doubles == array->n_ints)
         && array->at + before + array->n_rows <= block->n_values
         && check_rows (array, pd_dvm_block_values (block) + array->at + before);
}

static gboolean
check_block (const PdSections *all, const PdDvmBlock *block, guint64 size)
{
  if (size < sizeof *block / 8 || pd_dvm_block_size (block) != size || block->pattern < -1
      || block->pattern > 1)
    return FALSE;
  const PdDvmScalar *scalars = pd_dvm_block_scalars (block);
  const PdDvmShared *arrays = pd_dvm_block_arrays (block);
  const PdDvmBad *bad = pd_dvm_block_bad (block);
  if (!check_scalars (scalars, block->n_scalars[0])
      || !check_scalars (scalars + block->n_scalars[0], block->n_scalars[1]))
    return FALSE;
  for (guint i = 0; i < block->n_arrays; i++)
    if ((i > 0 && arrays[i].key <= arrays[i - 1].key) || !check_array (block, &arrays[i]))
      return FALSE;
  for (guint i = 0; i < block->n_bad; i++)
    if (bad[i].key >= PD_DVM_N_KEYS || bad[i].text >= count_strings (all))
      return FALSE;
  return TRUE;
}

static gboolean
check_blocks (const PdSections *all)
{
  const guint64 *first = all->data[PD_DVM_CALLS_BLOCKS_FIRST];
  const guint64 *words = all->data[PD_DVM_CALLS_BLOCKS];

  if (!ascends (all, PD_DVM_CALLS_BLOCKS_FIRST))
    return FALSE;
  for (guint64 i = 0; i + 1 < all->n[PD_DVM_CALLS_BLOCKS_FIRST]; i++)
    if (!check_block (all, (const PdDvmBlock *) (words + first[i]), first[i + 1] - first[i]))
      return FALSE;
  return TRUE;
}

/* ---- all */

gboolean
pd_dvm_calls_check (GBytes *bytes, const guint8 *key, GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  PdSections all;

  if ((guintptr) data % PD_SECTIONS_ALIGN != 0)
    return refuse ("not where they should be in memory", error);
  if (!pd_sections_find (data, size, &pd_dvm_calls_kind, key, &all, error)
      || !pd_sections_are_whole (&all, &pd_dvm_calls_kind, data, error))
    return FALSE;
  if (all.n[PD_DVM_CALLS_HEAD] != 1 || !check_strings (&all) || !check_head (&all)
      || !check_sites (&all))
    return refuse ("tables that cannot be", error);
  if (!check_blocks (&all))
    return refuse ("parameters that cannot be", error);
  return (check_calls (&all) && check_messages (&all))
         || refuse ("references to missing objects", error);
}

void
pd_dvm_calls_seal (guint8 *data, gsize size)
{
  pd_sections_seal (data, size, &pd_dvm_calls_kind);
}
