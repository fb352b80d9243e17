/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-bounds.h"

#include "traces/dvm/pd-dvm-summary.h"
#include "traces/open/pd-dvm-set.h"

/* A call is charged in at most so many pieces, each rounded to 1 ps. */
#define ROUNDED_PER_CALL 16
/* The largest error of double arithmetic on sums. */
#define RELATIVE 1e-9

static PdCount
make_count (guint rank, const gint64 *sizes)
{
  PdCount count = { .rank = MIN (rank, PD_MAX_GRID_RANK) };

  for (guint d = 0; d < count.rank; d++)
    count.sizes[d] = sizes[d];
  return count;
}

PdCount
pd_trace_recorded_grid (const PdDvmHeader *header)
{
  return header->ps_rank > 0 ? make_count (header->ps_rank, header->ps_size)
                             : make_count (1, &header->proc_count);
}

/* The trace, or the first file of a set. */
static PdDvmReader *
open_trace (const char *trace, GBytes *bytes, PdMessages *messages, GError **error)
{
  if (bytes != NULL)
    return pd_dvm_reader_new_from_bytes (bytes, trace, messages, error);
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (trace, messages, error);
  return set != NULL ? pd_dvm_set_open (set, 0, messages, error) : NULL;
}

static void
take_work (PdTraceFacts *facts, const PdDvmSummary *summary)
{
  facts->divided = summary->loop_time;
  if (summary->n_tasks == 0)
    facts->common = summary->common_time;
  else
    facts->divided.ps += summary->common_time.ps;
}

gboolean
pd_trace_facts_read (PdTraceFacts *facts, const char *trace, GBytes *bytes, gboolean keep_startup,
                     const PdDvmCleaning *cleaning, GError **error)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmReader) reader = open_trace (trace, bytes, messages, error);
  g_autoptr (PdDvmSummary) summary = NULL;

  if (reader != NULL && cleaning != NULL)
    pd_dvm_cleaning_apply (cleaning, reader);
  if (reader != NULL)
    summary = pd_dvm_summary_new (reader, error);
  if (summary == NULL)
    return FALSE;
  *facts = (PdTraceFacts){ .rank = CLAMP (summary->grid_rank, 1, PD_MAX_GRID_RANK),
                           .n_calls = summary->n_calls };
  const PdDvmHeader *header = pd_dvm_reader_get_header (reader);
  if (header->vproc_count > 0)
    facts->only_grid = make_count (header->vps_rank, header->vps_size);
  if (header->proc_count == 1)
    take_work (facts, summary);
  facts->whole = summary->call_time;
  if (keep_startup)
    pd_time_sum_add (&facts->whole, summary->startup);
  facts->intervals = summary->ret_time_by_class[PD_DVM_CLASS_INT];
  for (guint i = 0; i < PD_DVM_N_CLASSES; i++)
    facts->whole.ps += summary->ret_time_by_class[i].ps;
  return TRUE;
}

void
pd_bounds_set_speeds (PdBounds *self, const PdMachine *machine, const PdCpuRatios *ratios)
{
  gdouble least, most, slowest_region = 1, fastest_region = 1;

  self->fastest = self->slowest = pd_machine_get_speed (machine, 0);
  for (guint32 p = 1; p < machine->n_processors; p++)
    {
      gdouble speed = pd_machine_get_speed (machine, p);
      self->fastest = MAX (self->fastest, speed);
      self->slowest = MIN (self->slowest, speed);
    }
  pd_cpu_ratios_get_range (ratios, &least, &most);
  for (guint i = 0; i < machine->regions->len; i++)
    {
      gdouble speed = g_array_index (machine->regions, PdMachineRegion, i).speed;
      fastest_region = MAX (fastest_region, speed);
      slowest_region = MIN (slowest_region, speed);
    }
  self->fastest *= most * fastest_region;
  self->slowest *= least * slowest_region;
}

/* Picoseconds that are taken out at most. */
static gdouble
get_most_cost (const PdBounds *self)
{
  const PdDvmRecorderCost *cost = &self->recorder_cost;
  gdouble each =
      (1 + PD_DVM_MOST_EVENTS) * (gdouble) cost->event.ps + (gdouble) cost->statistics.ps;

  return each * (gdouble) self->facts->n_calls
         + (cost->drops_intervals ? (gdouble) self->facts->intervals.ps : 0);
}

gdouble
pd_bounds_least_time (const PdBounds *self, guint32 n)
{
  const PdTraceFacts *facts = self->facts;
  gdouble work = (gdouble) facts->common.ps + (gdouble) facts->divided.ps / n;
  gdouble rounding = ROUNDED_PER_CALL * (gdouble) facts->n_calls;

  work = MAX (work - get_most_cost (self), 0);
  return MAX (work / self->fastest * (1 - RELATIVE) - rounding, 0);
}

gdouble
pd_bounds_most_efficiency (const PdBounds *self, guint32 n)
{
  gdouble least = pd_bounds_least_time (self, n) * n;
  gdouble most = (gdouble) self->facts->whole.ps / MIN (self->slowest, 1) * (1 + RELATIVE)
                 + ROUNDED_PER_CALL * (gdouble) self->facts->n_calls * n;

  return least > most ? most / least : 1;
}
