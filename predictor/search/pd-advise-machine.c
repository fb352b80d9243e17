/* How many processors of a machine a search may use.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine-place.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/search/pd-advise-machine-private.h"

/* Whether @n ranks can be placed; @machine gets it. Errors that have nothing
 * to do with its size are set. */
static gboolean
fits (const PdPredictOptions *predict, guint32 n, PdMachine **machine, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (PdMachine) loaded = pd_machine_load (predict->machine, predict->settings, n, &local);
  g_autofree guint32 *places =
      loaded != NULL ? pd_machine_place (loaded, predict->map, n, &local) : NULL;

  if (places != NULL)
    {
      pd_machine_free (*machine);
      *machine = g_steal_pointer (&loaded);
      return TRUE;
    }
  if (n == 1
      || (!g_error_matches (local, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE)
          && !g_error_matches (local, PD_MACHINE_ERROR, PD_MACHINE_ERROR_MAP)))
    g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

guint32
pd_advise_get_room (const PdPredictOptions *predict, guint32 n, PdMachine **machine, GError **error)
{
  g_autoptr (GError) local = NULL;
  guint32 low = 1, high = n;

  if (!fits (predict, 1, machine, error))
    return 0;
  if (n > 1 && fits (predict, n, machine, &local))
    return n;
  while (local == NULL && low + 1 < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (fits (predict, middle, machine, &local))
        low = middle;
      else
        high = middle;
    }
  if (local == NULL)
    return low;
  g_propagate_error (error, g_steal_pointer (&local));
  return 0;
}

/* Without a wish: the whole machine, unless it grows with its use. */
static guint32
get_default (const PdPredictOptions *predict, GError **error)
{
  g_autoptr (PdMachine) one = pd_machine_load (predict->machine, predict->settings, 1, error);

  if (one == NULL)
    return 0;
  g_autoptr (PdMachine) more =
      pd_machine_load (predict->machine, predict->settings, one->n_processors + 1, NULL);
  return more != NULL ? MAX (PD_ADVISE_MAX_PROCESSORS, one->n_processors) : one->n_processors;
}

static guint32
largest_count (const GArray *counts)
{
  gint64 largest = 1;

  for (guint i = 0; i < counts->len; i++)
    largest = MAX (largest, pd_count_get_n (&g_array_index (counts, PdCount, i)));
  return (guint32) largest;
}

guint32
pd_advise_get_wanted (const PdAdviseOptions *options, GError **error)
{
  if (options->counts != NULL)
    return largest_count (options->counts);
  return options->max_processors > 0 ? options->max_processors
                                     : get_default (&options->predict, error);
}
