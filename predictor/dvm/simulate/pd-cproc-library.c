/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/simulate/pd-cproc-library-private.h"

static void
add (PdLibraryWork *work, PdLibraryPart part, gint64 amount, PdTime time)
{
  work->amounts[part] += amount;
  work->times[part] = pd_time_add (work->times[part], time);
}

PdLibraryWork
pd_library_work_begin (const PdSimulation *self)
{
  const PdSoftware *software = self->context.software;
  PdLibraryWork work = { .software = software };

  if (software == NULL)
    return work;
  work.packs = software->pack_per_byte > 0 || software->pack_per_run.ps > 0
               || self->context.watchers != NULL;
  work.begins = work.packs || software->exchange_overhead.ps > 0;
  return work;
}

void
pd_library_work_copy (PdLibraryWork *work, gint64 bytes, gint64 runs)
{
  const PdSoftware *software = work->software;

  if (software == NULL)
    return;
  runs = MAX (runs, 1);
  add (work, PD_LIBRARY_PACK_BYTES, bytes, pd_time_for_bytes (bytes, software->pack_per_byte));
  add (work, PD_LIBRARY_PACK_RUNS, runs, pd_time_scale (software->pack_per_run, runs, 1));
}

void
pd_library_work_touch (PdLibraryWork *work, gint64 bytes)
{
  if (work->software != NULL)
    add (work, PD_LIBRARY_TOUCH_BYTES, bytes,
         pd_time_for_bytes (bytes, work->software->touch_per_byte));
}

void
pd_library_work_exchange (PdLibraryWork *work)
{
  if (work->software != NULL)
    add (work, PD_LIBRARY_EXCHANGES, 1, work->software->exchange_overhead);
}

void
pd_cproc_do_library_work (PdSimulation *self, guint32 rank, guint32 node, const PdLibraryWork *work)
{
  const PdSimulationContext *context = &self->context;
  gdouble speed = context->speeds[context->speed_of[rank]];
  gdouble ratio = pd_node_ratios_get (context->ratios, node);
  PdCProc *proc = &self->procs[rank];
  PdTime since = proc->clock;

  for (guint part = 0; part < PD_N_LIBRARY_PARTS; part++)
    {
      if (work->amounts[part] == 0)
        continue;
      PdTime begin = proc->clock;
      proc->clock = pd_time_add (
          begin, pd_node_ratios_divide (context->ratios, node, work->times[part], speed));
      PD_WATCH (context->watchers, packed,
                &(PdLibrarySpan){ rank, (PdLibraryPart) part,
                                  (gdouble) work->amounts[part] / (speed * ratio), begin,
                                  proc->clock });
    }
  if (proc->clock.ps > since.ps)
    pd_interval_tree_add (context->tree, node, PD_Q_LIBRARY, rank,
                          pd_time_sub (proc->clock, since));
}
