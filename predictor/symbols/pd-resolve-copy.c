/* The definitions of an archive of the recorder, copied with lines for addresses.
 * SPDX-License-Identifier: MIT */
#include "predictor/symbols/pd-resolve-private.h"
#include "predictor/symbols/pd-resolve-copy-private.h"

#include <string.h>

#define KEY(ref) GSIZE_TO_POINTER ((gsize) (ref))

static OTF2_CallbackCode
check (PdRewriter *self, OTF2_ErrorCode status)
{
  self->failed |= status != OTF2_SUCCESS;
  return OTF2_CALLBACK_SUCCESS;
}

/* ---- strings */

static OTF2_StringRef
number_of (PdRewriter *self, const char *text)
{
  gpointer number;
  guint n = g_hash_table_size (self->numbers);

  if (g_hash_table_lookup_extended (self->numbers, text, NULL, &number))
    return GPOINTER_TO_UINT (number);
  g_hash_table_insert (self->numbers, g_strdup (text), GUINT_TO_POINTER (n));
  check (self, OTF2_GlobalDefWriter_WriteString (self->out, n, text));
  return n;
}

static const char *
text_of (const PdRewriter *self, OTF2_StringRef ref)
{
  const char *text = g_hash_table_lookup (self->texts, KEY (ref));

  return text != NULL ? text : "";
}

static OTF2_StringRef
renumber (PdRewriter *self, OTF2_StringRef ref)
{
  return ref == OTF2_UNDEFINED_STRING ? ref : number_of (self, text_of (self, ref));
}

static OTF2_CallbackCode
on_string (void *data, OTF2_StringRef ref, const char *text)
{
  g_hash_table_insert (((PdRewriter *) data)->texts, KEY (ref), g_strdup (text));
  return OTF2_CALLBACK_SUCCESS;
}

/* ---- places of calls */

/* "MODULE+0xADDRESS", as the recorder writes it. */
static PdPlaceInSource *
resolve (PdRewriter *self, const char *name, const char *module)
{
  size_t n = strlen (module);
  PdPlaceInSource place = { NULL, NULL, 0 };
  char *rest;

  if (n == 0 || strncmp (name, module, n) != 0 || strncmp (name + n, "+0x", 3) != 0)
    return NULL;
  guint64 address = g_ascii_strtoull (name + n + 3, &rest, 16);
  if (!g_ascii_isxdigit (name[n + 3]) || *rest != '\0')
    return NULL;
  self->info->n_places++;
  if (!pd_source_lines_find (self->lines, module, address, &place.function, &place.file,
                             &place.line))
    return NULL;
  self->info->n_found++;
  PdPlaceInSource *found = g_new (PdPlaceInSource, 1);
  *found = place;
  return found;
}

static OTF2_CallbackCode
on_region (void *data, OTF2_RegionRef ref, OTF2_StringRef name, OTF2_StringRef canonical,
           OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
           OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end)
{
  PdRewriter *self = data;
  const PdPlaceInSource *place = g_hash_table_lookup (self->places, KEY (ref));

  if (self->out == NULL)
    {
      PdPlaceInSource *found = paradigm == OTF2_PARADIGM_COMPILER
                                   ? resolve (self, text_of (self, name), text_of (self, file))
                                   : NULL;
      if (found != NULL)
        g_hash_table_insert (self->places, KEY (ref), found);
      return OTF2_CALLBACK_SUCCESS;
    }
  OTF2_StringRef as = place != NULL ? number_of (self, place->function) : renumber (self, name);
  return check (self, OTF2_GlobalDefWriter_WriteRegion (
                          self->out, ref, as, place != NULL ? as : renumber (self, canonical),
                          renumber (self, description), role, paradigm, flags,
                          place != NULL ? number_of (self, place->file) : renumber (self, file),
                          begin, end));
}

/* Written where a context names it, with the line of its region. */
static OTF2_CallbackCode
on_source_location (void *data, OTF2_SourceCodeLocationRef ref, OTF2_StringRef file, uint32_t line)
{
  PdRewriter *self = data;
  guint64 *both = g_new (guint64, 2);

  both[0] = file;
  both[1] = line;
  g_hash_table_insert (self->source_locations, KEY (ref), both);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_calling_context (void *data, OTF2_CallingContextRef ref, OTF2_RegionRef region,
                    OTF2_SourceCodeLocationRef source, OTF2_CallingContextRef parent)
{
  PdRewriter *self = data;
  const PdPlaceInSource *place = g_hash_table_lookup (self->places, KEY (region));
  const guint64 *before = g_hash_table_lookup (self->source_locations, KEY (source));

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  if (before != NULL && g_hash_table_add (self->written, KEY (source)))
    check (self, OTF2_GlobalDefWriter_WriteSourceCodeLocation (
                     self->out, source,
                     place != NULL ? number_of (self, place->file)
                                   : renumber (self, (OTF2_StringRef) before[0]),
                     place != NULL ? place->line : (guint32) before[1]));
  return check (self,
                OTF2_GlobalDefWriter_WriteCallingContext (self->out, ref, region, source, parent));
}

/* ---- all other definitions as they are */

static OTF2_CallbackCode
on_clock (void *data, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
  PdRewriter *self = data;

  self->info->length = resolution > 0 ? (gdouble) length / (gdouble) resolution : 0;
  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteClockProperties (self->out, resolution, offset,
                                                                 length, realtime));
}

static OTF2_CallbackCode
on_attribute (void *data, OTF2_AttributeRef ref, OTF2_StringRef name, OTF2_StringRef description,
              OTF2_Type type)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteAttribute (self->out, ref, renumber (self, name),
                                                           renumber (self, description), type));
}

static OTF2_CallbackCode
on_node (void *data, OTF2_SystemTreeNodeRef ref, OTF2_StringRef name, OTF2_StringRef class,
         OTF2_SystemTreeNodeRef parent)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteSystemTreeNode (
                          self->out, ref, renumber (self, name), renumber (self, class), parent));
}

static OTF2_CallbackCode
on_location_group (void *data, OTF2_LocationGroupRef ref, OTF2_StringRef name,
                   OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node,
                   OTF2_LocationGroupRef creator)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    {
      self->info->n_ranks++;
      return OTF2_CALLBACK_SUCCESS;
    }
  return check (self, OTF2_GlobalDefWriter_WriteLocationGroup (
                          self->out, ref, renumber (self, name), type, node, creator));
}

static OTF2_CallbackCode
on_group_property (void *data, OTF2_LocationGroupRef group, OTF2_StringRef name, OTF2_Type type,
                   OTF2_AttributeValue value)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  if (type == OTF2_TYPE_STRING)
    value.stringRef = renumber (self, value.stringRef);
  return check (self, OTF2_GlobalDefWriter_WriteLocationGroupProperty (
                          self->out, group, renumber (self, name), type, value));
}

static OTF2_CallbackCode
on_metric_member (void *data, OTF2_MetricMemberRef ref, OTF2_StringRef name,
                  OTF2_StringRef description, OTF2_MetricType metric, OTF2_MetricMode mode,
                  OTF2_Type type, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteMetricMember (
                          self->out, ref, renumber (self, name), renumber (self, description),
                          metric, mode, type, base, exponent, renumber (self, unit)));
}

static OTF2_CallbackCode
on_metric_class (void *data, OTF2_MetricRef ref, uint8_t n, const OTF2_MetricMemberRef *members,
                 OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (
      self, OTF2_GlobalDefWriter_WriteMetricClass (self->out, ref, n, members, occurrence, kind));
}

static OTF2_CallbackCode
on_location (void *data, OTF2_LocationRef ref, OTF2_StringRef name, OTF2_LocationType type,
             uint64_t n_events, OTF2_LocationGroupRef group)
{
  PdRewriter *self = data;

  if (self->out != NULL)
    return check (self, OTF2_GlobalDefWriter_WriteLocation (self->out, ref, renumber (self, name),
                                                            type, n_events, group));
  g_array_append_val (self->locations, ref);
  self->info->n_threads++;
  self->info->n_events += n_events;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_group (void *data, OTF2_GroupRef ref, OTF2_StringRef name, OTF2_GroupType type,
          OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteGroup (self->out, ref, renumber (self, name), type,
                                                       paradigm, flags, n, members));
}

static OTF2_CallbackCode
on_comm (void *data, OTF2_CommRef ref, OTF2_StringRef name, OTF2_GroupRef group,
         OTF2_CommRef parent, OTF2_CommFlag flags)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteComm (self->out, ref, renumber (self, name), group,
                                                      parent, flags));
}

static OTF2_CallbackCode
on_inter_comm (void *data, OTF2_CommRef ref, OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b,
               OTF2_CommRef common, OTF2_CommFlag flags)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteInterComm (self->out, ref, renumber (self, name), a,
                                                           b, common, flags));
}

static OTF2_CallbackCode
on_window (void *data, OTF2_RmaWinRef ref, OTF2_StringRef name, OTF2_CommRef comm,
           OTF2_RmaWinFlag flags)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (
      self, OTF2_GlobalDefWriter_WriteRmaWin (self->out, ref, renumber (self, name), comm, flags));
}

static OTF2_CallbackCode
on_io_paradigm (void *data, OTF2_IoParadigmRef ref, OTF2_StringRef identification,
                OTF2_StringRef name, OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags,
                uint8_t n, const OTF2_IoParadigmProperty *properties, const OTF2_Type *types,
                const OTF2_AttributeValue *values)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteIoParadigm (
                          self->out, ref, renumber (self, identification), renumber (self, name),
                          class, flags, n, properties, types, values));
}

static OTF2_CallbackCode
on_file (void *data, OTF2_IoFileRef ref, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (
      self, OTF2_GlobalDefWriter_WriteIoRegularFile (self->out, ref, renumber (self, name), scope));
}

static OTF2_CallbackCode
on_file_handle (void *data, OTF2_IoHandleRef ref, OTF2_StringRef name, OTF2_IoFileRef file,
                OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                OTF2_IoHandleRef parent)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self, OTF2_GlobalDefWriter_WriteIoHandle (self->out, ref, renumber (self, name),
                                                          file, paradigm, flags, comm, parent));
}

static OTF2_CallbackCode
on_parameter (void *data, OTF2_ParameterRef ref, OTF2_StringRef name, OTF2_ParameterType type)
{
  PdRewriter *self = data;

  if (self->out == NULL)
    return OTF2_CALLBACK_SUCCESS;
  return check (self,
                OTF2_GlobalDefWriter_WriteParameter (self->out, ref, renumber (self, name), type));
}

void
pd_rewriter_set_callbacks (OTF2_GlobalDefReaderCallbacks *callbacks)
{
  OTF2_GlobalDefReaderCallbacks_SetStringCallback (callbacks, on_string);
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback (callbacks, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback (callbacks, on_attribute);
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback (callbacks, on_node);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback (callbacks, on_location_group);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback (callbacks, on_group_property);
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback (callbacks, on_metric_member);
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback (callbacks, on_metric_class);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback (callbacks, on_location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback (callbacks, on_region);
  OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback (callbacks, on_source_location);
  OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback (callbacks, on_calling_context);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback (callbacks, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback (callbacks, on_comm);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback (callbacks, on_inter_comm);
  OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback (callbacks, on_window);
  OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback (callbacks, on_io_paradigm);
  OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback (callbacks, on_file);
  OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback (callbacks, on_file_handle);
  OTF2_GlobalDefReaderCallbacks_SetParameterCallback (callbacks, on_parameter);
}
