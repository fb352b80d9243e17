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
  *process =
      (PdOtf2Process){ .node = OTF2_UNDEFINED_SYSTEM_TREE_NODE,
                       .processors = OTF2_UNDEFINED_STRING,
                       .usage = { PD_PROGRAM_NONE, PD_PROGRAM_NONE, 0, 0, -1, -1, { -1 }, { 0 } } };
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

static PdTime
time_of (gint64 ns)
{
  return PD_TIME (PD_PS_PER_NS * MIN (ns, G_MAXINT64 / PD_PS_PER_NS));
}

static gboolean
set_regions (PdRecordedRegions *regions, const char *name, gint64 count)
{
  if (g_str_equal (name, "PREDICTOR::REGIONS"))
    regions->n = count;
  else if (g_str_equal (name, "PREDICTOR::REGION_THREADS"))
    regions->n_threads = count;
  else if (g_str_equal (name, "PREDICTOR::REGION_TIME"))
    regions->time = time_of (count);
  else if (g_str_equal (name, "PREDICTOR::REGION_BUSY"))
    regions->busy = time_of (count);
  else if (g_str_equal (name, "PREDICTOR::REGION_LONGEST"))
    regions->longest = time_of (count);
  else if (g_str_equal (name, "PREDICTOR::REGION_CAPACITY"))
    regions->capacity = time_of (count);
  else
    return FALSE;
  return TRUE;
}

static void
set_count (PdOtf2Process *process, const char *name, guint64 count)
{
  gint64 wide = (gint64) MIN (count, G_MAXINT64);
  guint32 narrow = (guint32) MIN (count, G_MAXUINT32 - 1);

  if (g_str_equal (name, "PREDICTOR::PROCESSOR_QUOTA"))
    process->usage.quota = narrow;
  else if (g_str_equal (name, "PREDICTOR::THREADS"))
    process->usage.n_threads = narrow;
  else if (g_str_equal (name, "PREDICTOR::INVOLUNTARY_SWITCHES"))
    process->usage.n_switches = wide;
  else if (g_str_equal (name, "PREDICTOR::PEAK_MEMORY"))
    process->usage.memory = wide;
  else if (g_str_equal (name, "PREDICTOR::PROCESSOR_WAIT"))
    process->usage.waited = time_of (wide);
  else if (!set_regions (&process->usage.regions, name, wide))
    return;
  process->is_known = TRUE;
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
  else if (type == OTF2_TYPE_STRING && g_str_equal (text, "PREDICTOR::PROCESSORS"))
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
  PdOtf2Archive *archive = data;

  if (g_str_equal (string_of (archive, name), "processor time")
      && g_str_equal (string_of (archive, unit), "ns") && mode == OTF2_METRIC_ACCUMULATED_START
      && type == OTF2_TYPE_UINT64 && base == OTF2_BASE_DECIMAL && exponent == 0)
    g_hash_table_add (archive->members, KEY (self));
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_metric_class (void *data, OTF2_MetricRef self, uint8_t n, const OTF2_MetricMemberRef *members,
                 OTF2_MetricOccurrence occurrence G_GNUC_UNUSED,
                 OTF2_RecorderKind kind G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;

  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (archive->members, KEY (members[i])))
      g_hash_table_insert (archive->metrics, KEY (self), GUINT_TO_POINTER (i + 1));
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

/* ---- the program */

static guint32
add_string (PdOtf2Archive *archive, OTF2_StringRef ref)
{
  const char *text = string_of (archive, ref);

  return *text != '\0' ? pd_program_builder_add_string (archive->builder, text) : PD_PROGRAM_NONE;
}

void
pd_otf2_set_usages (PdOtf2Archive *archive)
{
  for (guint i = 0; i < archive->locations->len; i++)
    {
      const PdOtf2Location *location = &g_array_index (archive->locations, PdOtf2Location, i);
      PdOtf2Process *process = g_hash_table_lookup (archive->processes, KEY (location->group));
      gpointer rank, node;
      if (process == NULL || !process->is_known
          || !g_hash_table_lookup_extended (archive->rank_of, KEY (location->ref), NULL, &rank)
          || archive->world->members[GPOINTER_TO_UINT (rank)] != location->ref)
        continue;
      if (g_hash_table_lookup_extended (archive->nodes, KEY (process->node), NULL, &node))
        process->usage.host = add_string (archive, (OTF2_StringRef) GPOINTER_TO_SIZE (node));
      process->usage.processors = add_string (archive, process->processors);
      pd_program_builder_set_recorded_usage (archive->builder, GPOINTER_TO_UINT (rank),
                                             &process->usage);
    }
}

/* Of all ranks together: one of them may compute next to nothing. */
static void
report_switches (PdOtf2Archive *archive, const PdProgram *program, PdSeverity severity)
{
  const PdPlace place = { archive->path, 0, NULL, -1, -1, TRUE };
  guint32 n_ranks = pd_program_get_n_ranks (program);
  PdProcessorWait wait;
  gdouble n = 0, seconds = 0;

  if (pd_program_find_processor_wait (program, &wait))
    {
      pd_messages_add (archive->messages, severity, "processor-lost", NULL, &place,
                       "ranks were ready but had no processor for %.3g s together, %.0f %% of "
                       "their time, in calls of MPI or between them: other processes had it",
                       pd_time_sum_to_seconds (wait.waited), 100 * wait.share);
      return;
    }
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (program, rank);
      n += usage != NULL && usage->n_switches > 0 ? (gdouble) usage->n_switches : 0;
      seconds += pd_time_sum_to_seconds (g_array_index (archive->computed, PdTimeSum, rank));
    }
  if (n < (gdouble) MANY_SWITCHES * n_ranks || n <= MANY_SWITCHES * seconds || seconds <= 0)
    return;
  pd_messages_add (archive->messages, severity, "processor-lost", NULL, &place,
                   "ranks were taken off their processors %.0f times, in calls of MPI or between "
                   "them, %.0f times per second of their computation: its time has that of other "
                   "processes in it, and caches are shared",
                   n, n / seconds);
}

void
pd_otf2_report_usages (PdOtf2Archive *archive, const PdProgram *program)
{
  const PdPlace place = { archive->path, 0, NULL, -1, -1, TRUE };
  PdSharing sharing;
  gboolean is_shared = pd_program_find_sharing (program, &sharing);

  if (is_shared)
    {
      g_autofree char *text = pd_sharing_describe (&sharing);
      pd_messages_add (archive->messages, PD_SEVERITY_NOTE, "processors-shared", NULL, &place,
                       "%s%s%s: computation and waits have other ranks' time slices in them", text,
                       *sharing.host != '\0' ? " of " : "", sharing.host);
    }
  report_switches (archive, program, is_shared ? PD_SEVERITY_NOTE : PD_SEVERITY_WARNING);
}
