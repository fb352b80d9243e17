/* Half round trips between two processors of a machine that is only described.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys.h"

#include <stdio.h>

/* Rank 0 sends and then receives, rank 1 the other way round. */
static PdTime
play (PdComsys *comsys, gint64 bytes)
{
  PdTime ret[2], when, end = PD_TIME_ZERO;
  guint32 rank, done[2] = { 0, 0 };

  for (rank = 0; rank < 2; rank++)
    pd_comsys_ready (comsys, rank, PD_TIME_ZERO);
  while (pd_comsys_next (comsys, &rank, &when))
    {
      PdCall call = { rank, when, &ret[rank], NULL };
      PdEnvelope envelope = { .peer = 1 - (gint32) rank, .tag = 0, .bytes = bytes };

      end = when;
      if (done[rank] == 2)
        continue;
      if (done[rank]++ == rank)
        pd_comsys_send (comsys, &call, pd_comsys_get_world (comsys), envelope);
      else
        pd_comsys_recv (comsys, &call, pd_comsys_get_world (comsys), envelope);
      if (!pd_time_is_pending (ret[rank]))
        pd_comsys_ready (comsys, rank, ret[rank]);
    }
  return end;
}

int
main (void)
{
  const char *spec = "myrinet:startup=7us,per-byte=4ns,eager=16KiB";
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load (spec, NULL, 2, &error);

  printf ("%10s %12s\n", "bytes", "us");
  for (gint64 bytes = 1; machine != NULL && bytes <= 1 << 20; bytes *= 4)
    {
      g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 2, &error);
      if (comsys == NULL)
        break;
      printf ("%10" G_GINT64_FORMAT " %12.3f\n", bytes,
              pd_time_to_seconds (play (comsys, bytes)) * 1e6 / 2);
    }
  if (error != NULL)
    fprintf (stderr, "%s\n", error->message);
  return error != NULL;
}
