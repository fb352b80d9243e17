/* OTF2 archives: what ranks had, and used, of their hosts. Properties of their location groups
 * say it, and a metric.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-recording-private.h"

#include "traces/otf2/pd-otf2-rank-private.h"
#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-program-sharing.h"

#define KEY(ref)      (GSIZE_TO_POINTER ((gsize) (ref)))
#define MANY_SWITCHES 100 /* of a rank, and in a second of computation */

static const char *
string_of (const PdOtf2Archive *archive, OTF2_StringRef ref)
{
  const char *text = g_hash_table_lookup (archive->strings, KEY (ref));

  return text != NULL ? text : "";
}

/* ---- definitions */

static PdOtf2Process *
get_process (PdOtf2Archive *archive, OTF2_LocationGroupRef ref)
{
  PdOtf2Process *process = g_hash_table_lookup (archive->processes, KEY (ref));

  if (process != NULL)
    return process;
  process = g_new (PdOtf2Process, 1);
  *process = (PdOtf2Process){ .node = OTF2_UNDEFINED_SYSTEM_TREE_NODE,
                              .processors = OTF2_UNDEFINED_STRING };
  pd_recorded_usage_init (&process->usage);
  g_hash_table_insert (archive->processes, KEY (ref), process);
  return process;
}

static OTF2_CallbackCode
on_node (void *data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
         OTF2_StringRef class G_GNUC_UNUSED, OTF2_SystemTreeNodeRef parent G_GNUC_UNUSED)
{
  g_hash_table_insert (((PdOtf2Archive *) data)->nodes, KEY (self), KEY (name));
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_location_group (void *data, OTF2_LocationGroupRef self, OTF2_StringRef name G_GNUC_UNUSED,
                   OTF2_LocationGroupType type G_GNUC_UNUSED, OTF2_SystemTreeNodeRef node,
                   OTF2_LocationGroupRef creator G_GNUC_UNUSED)
{
  get_process (data, self)->node = node;
  return OTF2_CALLBACK_SUCCESS;
}

const PdOtf2Usage pd_otf2_usages[PD_N_USAGES] = {
  [PD_USAGE_QUOTA] = { "PREDICTOR::PROCESSOR_QUOTA", 1 },
  [PD_USAGE_THREADS] = { "PREDICTOR::THREADS", 1 },
  [PD_USAGE_SWITCHES] = { "PREDICTOR::INVOLUNTARY_SWITCHES", 1 },
  [PD_USAGE_MEMORY] = { "PREDICTOR::PEAK_MEMORY", 1 },
  [PD_USAGE_WAITED] = { "PREDICTOR::PROCESSOR_WAIT", PD_PS_PER_NS },
  [PD_USAGE_READING_COST] = { "PREDICTOR::READING_COST", 1 },
  [PD_USAGE_REGIONS] = { "PREDICTOR::REGIONS", 1 },
  [PD_USAGE_REGION_THREADS] = { "PREDICTOR::REGION_THREADS", 1 },
  [PD_USAGE_REGION_TIME] = { "PREDICTOR::REGION_TIME", PD_PS_PER_NS },
  [PD_USAGE_REGION_BUSY] = { "PREDICTOR::REGION_BUSY", PD_PS_PER_NS },
  [PD_USAGE_REGION_LONGEST] = { "PREDICTOR::REGION_LONGEST", PD_PS_PER_NS },
  [PD_USAGE_REGION_CAPACITY] = { "PREDICTOR::REGION_CAPACITY", PD_PS_PER_NS },
};

static void
set_count (PdOtf2Process *process, const char *name, guint64 count)
{
  for (PdUsageField i = 0; i < PD_N_USAGES; i++)
    if (g_str_equal (name, pd_otf2_usages[i].name))
      {
        guint64 most = G_MAXINT64 / (guint64) pd_otf2_usages[i].unit;
        pd_recorded_usage_set (&process->usage, i,
                               (gint64) MIN (count, most) * pd_otf2_usages[i].unit);
        process->is_known = TRUE;
      }
}

static OTF2_CallbackCode
on_property (void *data, OTF2_LocationGroupRef group, OTF2_StringRef name, OTF2_Type type,
             OTF2_AttributeValue value)
{
  PdOtf2Archive *archive = data;
  PdOtf2Process *process = get_process (archive, group);
  const char *text = string_of (archive, name);

  if (type == OTF2_TYPE_UINT64)
    set_count (process, text, value.uint64);
  else if (type == OTF2_TYPE_STRING && g_str_equal (text, PD_OTF2_PROCESSORS))
    {
      process->processors = value.stringRef;
      process->is_known = TRUE;
    }
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_metric_member (void *data, OTF2_MetricMemberRef self, OTF2_StringRef name,
                  OTF2_StringRef description G_GNUC_UNUSED, OTF2_MetricType metric G_GNUC_UNUSED,
                  OTF2_MetricMode mode, OTF2_Type type, OTF2_Base base, int64_t exponent,
                  OTF2_StringRef unit)
{
  static const char *const names[PD_OTF2_N_OF] = {
    [PD_OTF2_OF_PROCESS] = "processor time",
    [PD_OTF2_OF_THREAD] = "processor time of the thread",
  };
  PdOtf2Archive *archive = data;

  for (guint of = 0; of < PD_OTF2_N_OF; of++)
    if (g_str_equal (string_of (archive, name), names[of])
        && g_str_equal (string_of (archive, unit), "ns") && mode == OTF2_METRIC_ACCUMULATED_START
        && type == OTF2_TYPE_UINT64 && base == OTF2_BASE_DECIMAL && exponent == 0)
      g_hash_table_insert (archive->members, KEY (self), GUINT_TO_POINTER (of + 1));
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_metric_class (void *data, OTF2_MetricRef self, uint8_t n, const OTF2_MetricMemberRef *members,
                 OTF2_MetricOccurrence occurrence G_GNUC_UNUSED,
                 OTF2_RecorderKind kind G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;

  for (guint i = 0; i < n; i++)
    {
      guint of = GPOINTER_TO_UINT (g_hash_table_lookup (archive->members, KEY (members[i])));
      if (of > 0)
        g_hash_table_insert (archive->metrics[of - 1], KEY (self), GUINT_TO_POINTER (i + 1));
    }
  return OTF2_CALLBACK_SUCCESS;
}

void
pd_otf2_usage_set_callbacks (OTF2_GlobalDefReaderCallbacks *callbacks)
{
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback (callbacks, on_node);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback (callbacks, on_location_group);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback (callbacks, on_property);
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback (callbacks, on_metric_member);
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback (callbacks, on_metric_class);
}

/* ---- readings of processor time */

/* The part of computation in the time between two readings, at least. The rest may be short calls
 * without a reading. */
#define COMPUTATION 0.9

void
pd_otf2_rank_read_processor (PdOtf2Rank *self, guint64 ns, gint64 now)
{
  gdouble passed = (gdouble) (now - self->read_at);

  if (self->is_further || !pd_otf2_rank_goes_on (self, now))
    return;
  self->rate = -1;
  if (self->mpi == NULL && !self->is_paused && self->read_at >= 0 && ns >= self->read && passed > 0
      && (gdouble) (now - self->last) >= COMPUTATION * passed)
    self->rate = (gdouble) (ns - self->read) * PD_PS_PER_NS / passed;
  self->read_at = now;
  self->read = ns;
}

/* The processor time of a part of a stretch follows from that of the whole stretch. */
void
pd_otf2_rank_read_own (PdOtf2Rank *self, guint64 ns, gint64 now)
{
  if (self->is_further || self->archive->clock != PD_CLOCK_CPU)
    return;
  self->passed = 0;
  if (self->own_at >= 0 && ns >= self->own && now > self->own_at)
    {
      gint64 used = (gint64) MIN (ns - self->own, G_MAXINT64 / PD_PS_PER_NS) * PD_PS_PER_NS;
      self->passed = now - self->own_at;
      self->used = CLAMP (used - self->cost.ps, 0, self->passed);
    }
  pd_otf2_rank_goes_on (self, now);
  self->own_at = now;
  self->own = ns;
}

/* ---- the program */

static guint32
add_string (PdOtf2Archive *archive, OTF2_StringRef ref)
{
  const char *text = string_of (archive, ref);

  return *text != '\0' ? pd_program_builder_add_string (archive->builder, text) : PD_PROGRAM_NONE;
}

/* The process whose first thread is a rank; %NULL: the location is no such thread, or nothing is
 * known of its process. */
static PdOtf2Process *
find_process (const PdOtf2Archive *archive, guint location, guint32 *rank)
{
  const PdOtf2Location *at = &g_array_index (archive->locations, PdOtf2Location, location);
  PdOtf2Process *process = g_hash_table_lookup (archive->processes, KEY (at->group));
  gpointer found;

  if (process == NULL || !process->is_known
      || !g_hash_table_lookup_extended (archive->rank_of, KEY (at->ref), NULL, &found))
    return NULL;
  *rank = GPOINTER_TO_UINT (found);
  return archive->world->members[*rank] == at->ref ? process : NULL;
}

PdTime *
pd_otf2_find_reading_costs (const PdOtf2Archive *archive)
{
  PdTime *costs = g_new0 (PdTime, archive->world->n);
  guint32 rank;

  for (guint i = 0; i < archive->locations->len; i++)
    {
      const PdOtf2Process *process = find_process (archive, i, &rank);
      if (process != NULL)
        costs[rank] = process->usage.reading_cost;
    }
  return costs;
}

void
pd_otf2_set_usages (PdOtf2Archive *archive)
{
  for (guint i = 0; i < archive->locations->len; i++)
    {
      guint32 rank;
      PdOtf2Process *process = find_process (archive, i, &rank);
      gpointer node;
      if (process == NULL)
        continue;
      if (g_hash_table_lookup_extended (archive->nodes, KEY (process->node), NULL, &node))
        process->usage.host = add_string (archive, (OTF2_StringRef) GPOINTER_TO_SIZE (node));
      process->usage.processors = add_string (archive, process->processors);
      pd_program_builder_set_recorded_usage (archive->builder, rank, &process->usage);
    }
}

/* Of all ranks together: one of them may compute next to nothing. */
static void
report_switches (PdOtf2Archive *archive, const PdProgram *program, PdSeverity severity)
{
  const PdPlace place = { archive->path, 0, NULL, -1, -1, TRUE };
  guint32 n_ranks = pd_program_get_n_ranks (program);
  gboolean is_clean = archive->clock == PD_CLOCK_CPU;
  gdouble n = 0, seconds = 0;

  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (program, rank);
      n += usage != NULL && usage->n_switches > 0 ? (gdouble) usage->n_switches : 0;
      seconds += pd_time_sum_to_seconds (g_array_index (archive->computed, PdTimeSum, rank));
    }
  if (n < (gdouble) MANY_SWITCHES * n_ranks || n <= MANY_SWITCHES * seconds || seconds <= 0)
    return;
  pd_messages_add (
      archive->messages, is_clean ? PD_SEVERITY_WARNING : severity,
      is_clean ? "processor-switches" : "processor-lost", NULL, &place,
      "ranks were taken off their processors %.0f times, in calls of MPI or between "
      "them, %.0f times per second of their computation: %scaches are shared%s",
      n, n / seconds, is_clean ? "" : "its time has that of other processes in it, and ",
      is_clean ? " by those who take turns, and computation may be longer for it" : "");
}

void
pd_otf2_report_usages (PdOtf2Archive *archive, const PdProgram *program)
{
  PdSharing sharing;

  if (!pd_program_report_sharing (program, archive->path, archive->messages))
    report_switches (archive, program,
                     pd_program_find_sharing (program, &sharing) ? PD_SEVERITY_NOTE
                                                                 : PD_SEVERITY_WARNING);
}
