/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-check.h"

#include "traces/dvm/pd-dvm-call-private.h"
#include "traces/dvm/pd-dvm-call.h"
#include "traces/dvm/pd-dvm-cleaning.h"

/* References of different kinds may be equal: memory is used again. */
typedef enum
{
  KIND_ARRAY, /* known by its header, since the handle changes; also buffers */
  KIND_VIEW,
  KIND_LOOP,
  KIND_SHADOW,
  KIND_REDUCTION,
  KIND_REDUCTION_GROUP,
  KIND_REGULAR_GROUP,
  KIND_INDIRECT_GROUP,
  KIND_CONSISTENT_GROUP,
  KIND_ARRAY_MAP,
  KIND_VIEW_MAP,
  N_KINDS
} ObjectKind;

typedef struct
{
  PdDvmReader *reader;
  PdMessages *messages;
  GHashTable *objects[N_KINDS]; /* gint64*, owned: every reference ever created */
} Checker;

/* The functions that create objects, and the key that then names the object. */
static const struct
{
  PdDvmFunction function;
  PdDvmKey key;
  ObjectKind kind;
} creators[] = {
  { PD_DVM_crtda_, PD_DVM_KEY_ArrayHeader, KIND_ARRAY },
  { PD_DVM_crtrda_, PD_DVM_KEY_ArrayHeader, KIND_ARRAY },
  { PD_DVM_addhdr_, PD_DVM_KEY_NewArrayHeader, KIND_ARRAY },
  { PD_DVM_crtrbl_, PD_DVM_KEY_BufferHeader, KIND_ARRAY },
  { PD_DVM_crtrba_, PD_DVM_KEY_BufferHeader, KIND_ARRAY },
  { PD_DVM_crtrbp_, PD_DVM_KEY_BufferHeader, KIND_ARRAY },
  { PD_DVM_rmkind_, PD_DVM_KEY_BufferHeader, KIND_ARRAY },
  { PD_DVM_crtibl_, PD_DVM_KEY_BufferHeader, KIND_ARRAY },
  { PD_DVM_crtib_, PD_DVM_KEY_BufferHeader, KIND_ARRAY },
  { PD_DVM_crtamv_, PD_DVM_KEY_AMViewRef, KIND_VIEW },
  { PD_DVM_getamv_, PD_DVM_KEY_AMViewRef, KIND_VIEW },
  { PD_DVM_crtpl_, PD_DVM_KEY_LoopRef, KIND_LOOP },
  { PD_DVM_crtshg_, PD_DVM_KEY_ShadowGroupRef, KIND_SHADOW },
  { PD_DVM_crtred_, PD_DVM_KEY_RedRef, KIND_REDUCTION },
  { PD_DVM_crtrg_, PD_DVM_KEY_RedGroupRef, KIND_REDUCTION_GROUP },
  { PD_DVM_crtbg_, PD_DVM_KEY_RegularAccessGroupRef, KIND_REGULAR_GROUP },
  { PD_DVM_crtig_, PD_DVM_KEY_IndirectAccessGroupRef, KIND_INDIRECT_GROUP },
  { PD_DVM_crtcg_, PD_DVM_KEY_DAConsistGroupRef, KIND_CONSISTENT_GROUP },
  { PD_DVM_arrmap_, PD_DVM_KEY_ArrayMapRef, KIND_ARRAY_MAP },
  { PD_DVM_plmap_, PD_DVM_KEY_ArrayMapRef, KIND_ARRAY_MAP },
  { PD_DVM_amvmap_, PD_DVM_KEY_AMViewMapRef, KIND_VIEW_MAP },
};

/* ObjectRef is not here: the run-time system has objects of its own. */
static const struct
{
  PdDvmKey key;
  ObjectKind kind;
} uses[] = {
  { PD_DVM_KEY_ArrayHeader, KIND_ARRAY },
  { PD_DVM_KEY_FromArrayHeader, KIND_ARRAY },
  { PD_DVM_KEY_ToArrayHeader, KIND_ARRAY },
  { PD_DVM_KEY_RemArrayHeader, KIND_ARRAY },
  { PD_DVM_KEY_LocArrayHeader, KIND_ARRAY },
  { PD_DVM_KEY_MEHeader, KIND_ARRAY },
  { PD_DVM_KEY_BufferHeader, KIND_ARRAY },
  { PD_DVM_KEY_AMViewRef, KIND_VIEW },
  { PD_DVM_KEY_LoopRef, KIND_LOOP },
  { PD_DVM_KEY_ShadowGroupRef, KIND_SHADOW },
  { PD_DVM_KEY_OldShadowGroupRef, KIND_SHADOW },
  { PD_DVM_KEY_NewShadowGroupRef, KIND_SHADOW },
  { PD_DVM_KEY_AcrShadowGroupRef, KIND_SHADOW },
  { PD_DVM_KEY_RedRef, KIND_REDUCTION },
  { PD_DVM_KEY_RedGroupRef, KIND_REDUCTION_GROUP },
  { PD_DVM_KEY_RegularAccessGroupRef, KIND_REGULAR_GROUP },
  { PD_DVM_KEY_IndirectAccessGroupRef, KIND_INDIRECT_GROUP },
  { PD_DVM_KEY_DAConsistGroupRef, KIND_CONSISTENT_GROUP },
  { PD_DVM_KEY_ArrayMapRef, KIND_ARRAY_MAP },
  { PD_DVM_KEY_AMViewMapRef, KIND_VIEW_MAP },
};

/* ---- values */

static void
check_values (Checker *self, const PdDvmCall *call)
{
  PdPlace place = pd_dvm_reader_get_place (self->reader);
  PdDvmKey key;

  for (guint next = 0;;)
    {
      g_autofree char *made = NULL;
      const char *text = pd_dvm_reader_get_bad (self->reader, &next, &key, &made);
      if (text == NULL)
        return;
      pd_messages_add (self->messages, PD_SEVERITY_WARNING, "bad-value", call->name, &place,
                       "the value '%s' of %s cannot be read (%s:%" G_GINT64_FORMAT ")", text,
                       pd_dvm_key_get_name (key), call->file, call->line);
    }
}

/* ---- references */

static gint64 *
copy (gint64 value)
{
  gint64 *copied = g_new (gint64, 1);

  *copied = value;
  return copied;
}

static void
create (Checker *self, const PdDvmCall *call)
{
  gint64 reference;

  for (gsize i = 0; i < G_N_ELEMENTS (creators); i++)
    if (creators[i].function == call->function
        && (pd_dvm_call_get_ret (self->reader, creators[i].key, &reference)
            || pd_dvm_call_get (self->reader, creators[i].key, &reference)))
      g_hash_table_add (self->objects[creators[i].kind], copy (reference));
}

static void
use (Checker *self, const PdDvmCall *call, PdDvmKey key, ObjectKind kind)
{
  gint64 reference;
  PdPlace place;

  /* 0 is "none", or the current one; 1 and -1 are "no loop" of acsend_. */
  if (!pd_dvm_call_get (self->reader, key, &reference) || reference == 0 || reference == 1
      || reference == -1 || g_hash_table_contains (self->objects[kind], &reference))
    return;
  place = pd_dvm_reader_get_place (self->reader);
  pd_messages_add (self->messages, PD_SEVERITY_WARNING, "unknown-reference", call->name, &place,
                   "%s=%" G_GINT64_MODIFIER "x was never created (%s:%" G_GINT64_FORMAT ")",
                   pd_dvm_key_get_name (key), (guint64) reference, call->file, call->line);
}

static void
check_call (Checker *self, const PdDvmCall *call)
{
  create (self, call);
  for (gsize i = 0; i < G_N_ELEMENTS (uses); i++)
    use (self, call, uses[i].key, uses[i].kind);
  if (pd_dvm_call_pattern_is_array (self->reader) == 1)
    use (self, call, PD_DVM_KEY_PatternRefPtr, KIND_ARRAY);
  else if (pd_dvm_call_pattern_is_array (self->reader) == 0)
    use (self, call, PD_DVM_KEY_PatternRef, KIND_VIEW);
  check_values (self, call);
}

/* ---- the whole trace */

gboolean
pd_dvm_check_reader (PdDvmReader *reader, PdMessages *messages, GError **error)
{
  Checker self = { .reader = reader, .messages = messages };
  g_autoptr (GError) local = NULL;
  g_autoptr (PdDvmCleaning) cleaning = NULL;
  const PdDvmCall *call;

  g_return_val_if_fail (reader != NULL && messages != NULL, FALSE);
  cleaning = pd_dvm_cleaning_new (reader, &(PdDvmCleanOptions){ .finds_cost = TRUE });
  for (guint i = 0; i < N_KINDS; i++)
    self.objects[i] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  while (pd_dvm_reader_next (reader, &call, &local))
    {
      check_call (&self, call);
      pd_dvm_cleaning_add (cleaning, call);
    }
  for (guint i = 0; i < N_KINDS; i++)
    g_hash_table_unref (self.objects[i]);
  if (local == NULL)
    {
      pd_dvm_cleaning_finish (cleaning);
      pd_dvm_cleaning_report (cleaning, messages);
      pd_dvm_recorder_share_report (&cleaning->share, cleaning->trace, messages);
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}
