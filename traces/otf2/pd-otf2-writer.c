/* OTF2 archives of programs: definitions, and the whole.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-writer.h"

#include "traces/otf2/pd-otf2-archive.h"
#include "traces/otf2/pd-otf2-events-private.h"
#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-recording-private.h"
#include "traces/otf2/pd-otf2-write-private.h"
#include "traces/otf2/pd-otf2-defs-private.h"

/* Strings of the archive, numbered in the order of their first use. */
typedef struct
{
  PdOtf2Writer *writer;
  OTF2_GlobalDefWriter *out;
  GHashTable *known;
  guint32 n;
  gboolean ok;
} Definitions;

static void
check (Definitions *self, OTF2_ErrorCode status)
{
  self->ok = self->ok && status == OTF2_SUCCESS;
}

static OTF2_StringRef
string_ref (Definitions *self, const char *text)
{
  gpointer ref;

  if (g_hash_table_lookup_extended (self->known, text, NULL, &ref))
    return GPOINTER_TO_UINT (ref);
  g_hash_table_insert (self->known, g_strdup (text), GUINT_TO_POINTER (self->n));
  check (self, OTF2_GlobalDefWriter_WriteString (self->out, self->n, text));
  return self->n++;
}

/* The node of a host, whose name is a string of the program; one that is new is written. @nodes:
 * those so far */
static OTF2_SystemTreeNodeRef
find_node (Definitions *self, GHashTable *nodes, guint32 host)
{
  gpointer key = GUINT_TO_POINTER (host), node;
  gboolean is_known = host != PD_PROGRAM_NONE;
  OTF2_StringRef class = string_ref (self, "machine");

  if (g_hash_table_lookup_extended (nodes, key, NULL, &node))
    return GPOINTER_TO_UINT (node);
  OTF2_StringRef name =
      is_known ? string_ref (self, pd_program_get_string (self->writer->program, host)) : class;
  node = GUINT_TO_POINTER (g_hash_table_size (nodes));
  g_hash_table_insert (nodes, key, node);
  check (self, OTF2_GlobalDefWriter_WriteSystemTreeNode (self->out, GPOINTER_TO_UINT (node), name,
                                                         class, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  return GPOINTER_TO_UINT (node);
}

static void
write_property (Definitions *self, guint32 rank, const char *name, OTF2_Type type,
                OTF2_AttributeValue value)
{
  check (self, OTF2_GlobalDefWriter_WriteLocationGroupProperty (
                   self->out, rank, string_ref (self, name), type, value));
}

/* Resources of its host that a rank had, and used. */
static void
write_usage (Definitions *self, guint32 rank, const PdRecordedUsage *usage)
{
  if (usage->processors != PD_PROGRAM_NONE)
    {
      const char *processors = pd_program_get_string (self->writer->program, usage->processors);
      write_property (self, rank, PD_OTF2_PROCESSORS, OTF2_TYPE_STRING,
                      (OTF2_AttributeValue){ .stringRef = string_ref (self, processors) });
    }
  for (PdUsageField i = 0; i < PD_N_USAGES; i++)
    {
      gint64 value = pd_recorded_usage_get (usage, i) / pd_otf2_usages[i].unit;
      if (pd_recorded_usage_get (usage, i) >= 0)
        write_property (self, rank, pd_otf2_usages[i].name, OTF2_TYPE_UINT64,
                        (OTF2_AttributeValue){ .uint64 = (guint64) value });
    }
}

static void
write_locations (Definitions *self)
{
  const PdProgram *program = self->writer->program;
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  OTF2_StringRef thread = string_ref (self, "main thread");

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (program, rank);
      OTF2_SystemTreeNodeRef node =
          find_node (self, nodes, usage != NULL ? usage->host : PD_PROGRAM_NONE);
      g_autofree char *name = g_strdup_printf ("MPI Rank %u", rank);
      check (self, OTF2_GlobalDefWriter_WriteLocationGroup (
                       self->out, rank, string_ref (self, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                       node, OTF2_UNDEFINED_LOCATION_GROUP));
      check (self, OTF2_GlobalDefWriter_WriteLocation (self->out, rank, thread,
                                                       OTF2_LOCATION_TYPE_CPU_THREAD,
                                                       self->writer->n_events[rank], rank));
      if (usage != NULL)
        write_usage (self, rank, usage);
    }
}

/* Intervals by the programmer's number are calls of MPI_Pcontrol; their regions
 * are defined all the same, for the numbers to follow each other. */
static void
write_regions (Definitions *self)
{
  const PdOtf2Writer *writer = self->writer;
  guint32 n_intervals = pd_program_get_n_intervals (writer->program);
  OTF2_StringRef none = string_ref (self, "");

  for (guint32 i = 0; i < n_intervals; i++)
    {
      const PdProgramInterval *interval = pd_program_get_interval (writer->program, i);
      OTF2_StringRef ref = string_ref (self, interval->name);
      guint32 line = (guint32) CLAMP (interval->line, 0, G_MAXUINT32);
      check (self, OTF2_GlobalDefWriter_WriteRegion (
                       self->out, i, ref, ref, none, OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER,
                       OTF2_REGION_FLAG_NONE, string_ref (self, interval->file), line, line));
    }
  for (guint i = 0; i < writer->call_names->len; i++)
    {
      const char *name = g_ptr_array_index (writer->call_names, i);
      gboolean is_mpi = g_str_has_prefix (name, "MPI_");
      OTF2_StringRef ref = string_ref (self, name);
      check (self, OTF2_GlobalDefWriter_WriteRegion (
                       self->out, n_intervals + i, ref, ref, none, OTF2_REGION_ROLE_FUNCTION,
                       is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_NONE, OTF2_REGION_FLAG_NONE, none,
                       0, 0));
    }
}

/* Group 0 has the locations of all ranks, group 1 + i the members of
 * communicator i. */
static void
write_comms (Definitions *self)
{
  const PdProgram *program = self->writer->program;
  guint32 n_all = pd_program_get_n_ranks (program);
  g_autofree guint64 *members = g_new (guint64, n_all);
  OTF2_StringRef none = string_ref (self, "");

  for (guint32 i = 0; i < n_all; i++)
    members[i] = i;
  check (self,
         OTF2_GlobalDefWriter_WriteGroup (self->out, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n_all, members));
  for (guint32 comm = 0; comm < pd_program_get_n_comms (program); comm++)
    {
      guint32 n;
      const guint32 *ranks = pd_program_get_comm (program, comm, &n);
      g_autofree char *name =
          comm == 0 ? g_strdup ("MPI_COMM_WORLD") : g_strdup_printf ("communicator %u", comm);
      for (guint32 i = 0; i < n; i++)
        members[i] = ranks == NULL ? i : ranks[i];
      check (self,
             OTF2_GlobalDefWriter_WriteGroup (self->out, 1 + comm, none, OTF2_GROUP_TYPE_COMM_GROUP,
                                              OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members));
      check (self, OTF2_GlobalDefWriter_WriteComm (self->out, comm, string_ref (self, name),
                                                   1 + comm, comm == 0 ? OTF2_UNDEFINED_COMM : 0,
                                                   OTF2_COMM_FLAG_NONE));
      if (self->writer->is_window[comm])
        check (self, OTF2_GlobalDefWriter_WriteRmaWin (self->out, comm, none, comm,
                                                       OTF2_RMA_WIN_FLAG_NONE));
    }
}

static void
write_window_groups (Definitions *self)
{
  const PdProgram *program = self->writer->program;
  const GArray *groups = self->writer->groups;
  OTF2_StringRef none = string_ref (self, "");

  for (guint i = 0; i < groups->len; i++)
    {
      const PdOtf2WindowGroup *group = &g_array_index (groups, PdOtf2WindowGroup, i);
      guint32 n, n_members, n_known = 0;
      const guint32 *ranks = pd_program_get_comm (program, group->comm, &n);
      const gint64 *members = pd_program_get_counts (program, group->members, &n_members);
      g_autofree guint64 *world = g_new (guint64, MAX (n_members, 1));
      for (guint32 k = 0; k < n_members; k++)
        if (members[k] >= 0)
          world[n_known++] = ranks != NULL ? ranks[members[k]] : (guint64) members[k];
      check (self,
             OTF2_GlobalDefWriter_WriteGroup (self->out, 1 + pd_program_get_n_comms (program) + i,
                                              none, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, n_known, world));
    }
}

/* Call sites are calling contexts and places of the same numbers; the functions
 * that they are in, regions behind all others. */
static void
write_sites (Definitions *self)
{
  const PdProgram *program = self->writer->program;
  g_autoptr (GHashTable) functions = g_hash_table_new (g_str_hash, g_str_equal);
  guint32 first = pd_program_get_n_intervals (program) + self->writer->call_names->len;
  OTF2_StringRef none = string_ref (self, "");

  for (guint i = 0; i < PD_OTF2_N_ATTRIBUTES; i++)
    check (self, OTF2_GlobalDefWriter_WriteAttribute (self->out, i,
                                                      string_ref (self, pd_otf2_attributes[i].name),
                                                      none, pd_otf2_attributes[i].type));
  for (guint32 i = 0; i < pd_program_get_n_sites (program); i++)
    {
      PdProgramSite site = pd_program_get_site (program, i);
      OTF2_StringRef file = string_ref (self, site.file);
      gpointer region;
      if (!g_hash_table_lookup_extended (functions, site.function, NULL, &region))
        {
          OTF2_StringRef name = string_ref (self, site.function);
          region = GUINT_TO_POINTER (first + g_hash_table_size (functions));
          g_hash_table_insert (functions, (gpointer) site.function, region);
          check (self, OTF2_GlobalDefWriter_WriteRegion (self->out, GPOINTER_TO_UINT (region), name,
                                                         name, none, OTF2_REGION_ROLE_FUNCTION,
                                                         OTF2_PARADIGM_NONE, OTF2_REGION_FLAG_NONE,
                                                         file, 0, 0));
        }
      check (self, OTF2_GlobalDefWriter_WriteSourceCodeLocation (
                       self->out, i, file, (guint32) CLAMP (site.line, 0, G_MAXUINT32)));
      check (self,
             OTF2_GlobalDefWriter_WriteCallingContext (
                 self->out, i, GPOINTER_TO_UINT (region), i,
                 site.parent != PD_PROGRAM_NONE ? site.parent : OTF2_UNDEFINED_CALLING_CONTEXT));
    }
}

static void
write_files (Definitions *self)
{
  const GArray *files = self->writer->files;
  OTF2_StringRef paradigm = string_ref (self, PD_OTF2_MPI_IO);

  if (files->len > 0)
    check (self, OTF2_GlobalDefWriter_WriteIoParadigm (
                     self->out, 0, paradigm, paradigm, OTF2_IO_PARADIGM_CLASS_PARALLEL,
                     OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL));
  for (guint32 i = 0; i < files->len; i++)
    {
      OTF2_StringRef name = string_ref (
          self, pd_program_get_string (self->writer->program, g_array_index (files, guint32, i)));
      check (self, OTF2_GlobalDefWriter_WriteIoRegularFile (self->out, i, name,
                                                            OTF2_UNDEFINED_SYSTEM_TREE_NODE));
      check (self,
             OTF2_GlobalDefWriter_WriteIoHandle (self->out, i, name, i, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                                 0, OTF2_UNDEFINED_IO_HANDLE));
    }
}

static gboolean
write_definitions (PdOtf2Writer *writer)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Definitions self = { writer, OTF2_Archive_GetGlobalDefWriter (writer->archive), known, 0, TRUE };

  if (self.out == NULL)
    return FALSE;
  check (&self, OTF2_GlobalDefWriter_WriteClockProperties (
                    self.out, G_GUINT64_CONSTANT (1000000000000), PD_OTF2_ORIGIN,
                    (guint64) writer->end, OTF2_UNDEFINED_TIMESTAMP));
  write_locations (&self);
  write_regions (&self);
  write_sites (&self);
  write_comms (&self);
  write_window_groups (&self);
  write_files (&self);
  check (&self, OTF2_GlobalDefWriter_WriteParameter (self.out, PD_OTF2_PARAMETER_LEVEL,
                                                     string_ref (&self, PD_OTF2_PCONTROL_LEVEL),
                                                     OTF2_PARAMETER_TYPE_INT64));
  check (&self, OTF2_GlobalDefWriter_WriteParameter (self.out, PD_OTF2_PARAMETER_ID,
                                                     string_ref (&self, PD_OTF2_PCONTROL_ID),
                                                     OTF2_PARAMETER_TYPE_INT64));
  return self.ok;
}

/* ---- the whole */

/* The clock of computation, and the cost of recording a call of each kind, of which the
 * number of calls is not told. */
static gboolean
write_properties (PdOtf2Writer *writer)
{
  PdRecordedClock clock = pd_program_get_recorded_clock (writer->program);
  g_autoptr (GString) costs = g_string_new (NULL);
  gboolean any = FALSE;

  for (guint i = 0; i < PD_N_CALL_COSTS; i++)
    {
      gint64 cost = pd_program_get_call_cost (writer->program, (PdCallCost) i).ps;
      g_string_append_printf (costs, "%s0:%" G_GINT64_FORMAT ".%03d", i > 0 ? " " : "",
                              cost / PD_PS_PER_NS, (int) (cost % PD_PS_PER_NS));
      any |= cost > 0;
    }
  return (clock == PD_CLOCK_UNKNOWN
          || OTF2_Archive_SetProperty (writer->archive, PD_OTF2_CLOCK,
                                       pd_recorded_clock_name (clock), true)
                 == OTF2_SUCCESS)
         && (!any
             || OTF2_Archive_SetProperty (writer->archive, PD_OTF2_CALL_COSTS, costs->str, true)
                    == OTF2_SUCCESS);
}

typedef struct
{
  PdOtf2Writer *writer;
  const volatile sig_atomic_t *stop;
} Filling;

static gboolean
fill (OTF2_Archive *archive, gpointer data)
{
  const Filling *filling = data;
  PdOtf2Writer *writer = filling->writer;
  guint32 n = pd_program_get_n_ranks (writer->program);
  gboolean ok;

  writer->archive = archive;
  ok = OTF2_Archive_OpenEvtFiles (archive) == OTF2_SUCCESS;
  for (guint32 rank = 0; rank < n && ok; rank++)
    ok = (filling->stop == NULL || *filling->stop == 0) && pd_otf2_write_rank (writer, rank);
  return ok && OTF2_Archive_CloseEvtFiles (archive) == OTF2_SUCCESS
         && pd_otf2_archive_skip_definitions (archive, n) && write_definitions (writer)
         && write_properties (writer);
}

gboolean
pd_otf2_write (const PdProgram *program, const char *path, const PdTraceWriteOptions *options,
               PdMessages *messages, GError **error)
{
  g_autoptr (GHashTable) calls = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) call_names = g_ptr_array_new ();
  g_autoptr (GHashTable) handles = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree gboolean *is_window = g_new0 (gboolean, pd_program_get_n_comms (program));
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (PdOtf2WindowGroup));
  g_autofree guint64 *n_events = g_new0 (guint64, pd_program_get_n_ranks (program));
  PdOtf2Writer writer = { .program = program,
                          .path = path,
                          .flops = options->flops,
                          .messages = messages,
                          .calls = calls,
                          .call_names = call_names,
                          .handles = handles,
                          .files = files,
                          .is_window = is_window,
                          .groups = groups,
                          .n_events = n_events };
  Filling filling = { &writer, options->stop };

  if (!pd_otf2_archive_check_name (path, error))
    return FALSE;
  if (pd_program_get_unit (program) == PD_AMOUNT_FLOPS && !(options->flops > 0))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                   "%s: computation is in floating-point operations: their rate is needed", path);
      return FALSE;
    }
  return pd_otf2_archive_make (path, fill, &filling, error);
}
