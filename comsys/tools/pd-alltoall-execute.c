/* An All-to-all by messages: ComSys plays it.
 * SPDX-License-Identifier: MIT */
#include "comsys/tools/pd-alltoall-execute.h"

#include "base/pd-time.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/p2p/pd-scheduler.h"

#include <string.h>

guint32
pd_alltoall_get_block (const PdMachine *machine)
{
  for (guint i = 0; i < machine->uses->len; i++)
    {
      const PdCollectiveUse *use = &g_array_index (machine->uses, PdCollectiveUse, i);
      if (strcmp (use->operation, "alltoall") == 0 && strcmp (use->algorithm, "block") == 0)
        return (guint32) CLAMP (use->segment, 1, G_MAXINT32);
    }
  return 1;
}

/* Whatever the machine had for it. */
static void
use_blocks (PdMachine *machine, guint32 block)
{
  PdCollectiveUse use = { .operation = g_strdup ("alltoall"),
                          .algorithm = g_strdup ("block"),
                          .up_to = G_MAXINT64,
                          .max_ranks = G_MAXINT64,
                          .segment = block };

  for (guint i = machine->uses->len; i-- > 0;)
    if (strcmp (g_array_index (machine->uses, PdCollectiveUse, i).operation, "alltoall") == 0)
      g_array_remove_index (machine->uses, i);
  g_array_append_val (machine->uses, use);
  if (strcmp (machine->collectives, "simple") != 0)
    return;
  g_free (machine->collectives); /* nothing would be played */
  machine->collectives = g_strdup ("mpich4");
}

static PdTime
play (PdComsys *comsys, const PdAlltoall *what)
{
  g_autofree PdTime *ret = g_new0 (PdTime, what->n_ranks);
  g_autofree gboolean *acted = g_new0 (gboolean, what->n_ranks);
  PdCollective args = { .op = PD_OP_ALLTOALL, .bytes = what->bytes };
  PdTime when, end = PD_TIME_ZERO;
  guint32 rank;

  for (rank = 0; rank < what->n_ranks; rank++)
    pd_comsys_ready (comsys, rank, PD_TIME_ZERO);
  while (pd_comsys_next (comsys, &rank, &when))
    {
      PdCall call = { .rank = rank, .when = when, .ret = &ret[rank] };
      end = pd_time_max (end, when);
      if (acted[rank])
        continue;
      acted[rank] = TRUE;
      pd_comsys_collective (comsys, &call, pd_comsys_get_world (comsys), &args);
      if (!pd_time_is_pending (ret[rank]))
        pd_comsys_ready (comsys, rank, ret[rank]);
    }
  return end;
}

gboolean
pd_alltoall_simulate (PdMachine *machine, const PdAlltoall *what, PdTime *time,
                      PdMessages *messages, GError **error)
{
  g_return_val_if_fail (what->self != PD_ALLTOALL_SELF_MESSAGE, FALSE);

  use_blocks (machine, what->block);
  if (what->self == PD_ALLTOALL_SELF_NONE)
    machine->software.copy_per_byte = 0;
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, what->placement, what->n_ranks, error);
  if (comsys == NULL)
    return FALSE;
  *time = play (comsys, what);
  if (messages != NULL)
    pd_comsys_report (comsys, messages);
  return TRUE;
}
