/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-summary.h"
#include "traces/dvm/pd-dvm-call.h"

#include <string.h>

typedef struct
{
  PdDvmSummary *summary;
  PdDvmReader *reader;
  GHashTable *intervals; /* char*, owned: keys met */
  guint depth;           /* open intervals */
  gboolean in_portion;   /* the next computation belongs to a loop */
  gboolean in_io;        /* between biof_ and eiof_ the I/O processor works alone */
} Counter;

/* ---- one function each */

static gint64
get (const Counter *self, PdDvmKey key, gint64 otherwise)
{
  gint64 value = otherwise;
  pd_dvm_call_get (self->reader, key, &value);
  return value;
}

static void
count_interval (Counter *self, const PdDvmCall *call)
{
  PdDvmSummary *s = self->summary;
  char *key = g_strdup_printf (
      "%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s", call->name,
      get (self, PD_DVM_KEY_nfrag, 0), get (self, PD_DVM_KEY_index, 0), call->line, call->file);

  s->n_intervals++;
  self->depth++;
  s->interval_depth = MAX (s->interval_depth, self->depth);
  g_hash_table_add (self->intervals, key);
}

static void
end_interval (Counter *self, const PdDvmCall *call)
{
  (void) call;
  self->depth -= self->depth > 0;
}

static void
count_loop (Counter *self, const PdDvmCall *call)
{
  (void) call;
  self->summary->n_loops++;
}

static void
count_portion (Counter *self, const PdDvmCall *call)
{
  (void) call;
  self->in_portion = get (self, PD_DVM_KEY_DoPL, 0) != 0;
  self->summary->n_portions += (guint64) self->in_portion;
}

static void
end_loop (Counter *self, const PdDvmCall *call)
{
  (void) call;
  self->in_portion = FALSE;
}

static void
count_task (Counter *self, const PdDvmCall *call)
{
  (void) call;
  self->summary->n_tasks++;
}

static void
count_distribution (Counter *self, const PdDvmCall *call)
{
  guint n, used = 0;
  const gint64 *axes = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_AxisArray, &n);

  (void) call;
  for (guint i = 0; i < n; i++)
    if (axes[i] > 0)
      used = i + 1;
  self->summary->grid_rank = MAX (self->summary->grid_rank, used);
}

static void
count_array (Counter *self, const PdDvmCall *call)
{
  PdDvmShape shape = { 0 };
  guint n;
  const gint64 *sizes = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_SizeArray, &n);
  GArray *shapes = self->summary->shapes;

  (void) call;
  shape.rank = MIN (n, G_N_ELEMENTS (shape.sizes));
  shape.type_size = get (self, PD_DVM_KEY_TypeSize, 0);
  if (shape.rank > 0)
    memcpy (shape.sizes, sizes, shape.rank * sizeof *sizes);
  for (guint i = 0; i < shapes->len; i++)
    {
      PdDvmShape *known = &g_array_index (shapes, PdDvmShape, i);
      if (known->rank == shape.rank && known->type_size == shape.type_size
          && memcmp (known->sizes, shape.sizes, sizeof shape.sizes) == 0)
        {
          known->n_arrays++;
          return;
        }
    }
  shape.n_arrays = 1;
  g_array_append_val (shapes, shape);
}

static void
begin_io (Counter *self, const PdDvmCall *call)
{
  (void) call;
  self->in_io = TRUE;
}

static void
end_io (Counter *self, const PdDvmCall *call)
{
  (void) call;
  self->in_io = FALSE;
}

static const struct
{
  PdDvmFunction function;
  void (*count) (Counter *self, const PdDvmCall *call);
} counters[] = {
  { PD_DVM_bsloop_, count_interval },
  { PD_DVM_bploop_, count_interval },
  { PD_DVM_binter_, count_interval },
  { PD_DVM_enloop_, end_interval },
  { PD_DVM_einter_, end_interval },
  { PD_DVM_crtpl_, count_loop },
  { PD_DVM_dopl_, count_portion },
  { PD_DVM_endpl_, end_loop },
  { PD_DVM_runam_, count_task },
  { PD_DVM_distr_, count_distribution },
  { PD_DVM_redis_, count_distribution },
  { PD_DVM_crtda_, count_array },
  { PD_DVM_biof_, begin_io },
  { PD_DVM_eiof_, end_io },
};

/* ---- all */

/* Classes whose functions only compute, on each processor the same. */
static const gboolean computes[PD_DVM_N_CLASSES] = {
  [PD_DVM_CLASS_REG] = TRUE,
  [PD_DVM_CLASS_OBJ] = TRUE,
  [PD_DVM_CLASS_INT] = TRUE,
  [PD_DVM_CLASS_LOOP] = TRUE,
};

static void
count_common (Counter *self, const PdDvmCall *call, PdDvmClass class_, gboolean is_startup)
{
  if (self->in_portion || self->in_io)
    return;
  if (!is_startup)
    pd_time_sum_add (&self->summary->common_time, call->call_time);
  if (computes[class_])
    pd_time_sum_add (&self->summary->common_time, call->ret_time);
}

static void
count_call (Counter *self, const PdDvmCall *call)
{
  PdDvmSummary *s = self->summary;
  PdDvmClass class_ = pd_dvm_function_get_class (call->function);

  gboolean is_startup = s->n_calls++ == 0 && !call->is_single;

  if (is_startup)
    {
      s->startup = call->call_time;
      g_free (s->startup_name);
      s->startup_name = g_strdup (call->name);
    }
  else
    pd_time_sum_add (&s->call_time, call->call_time);
  count_common (self, call, class_, is_startup);
  if (self->in_portion)
    pd_time_sum_add (&s->loop_time, call->call_time);
  s->n_calls_by_class[class_]++;
  pd_time_sum_add (&s->ret_time_by_class[class_], call->ret_time);
  for (gsize i = 0; i < G_N_ELEMENTS (counters); i++)
    if (counters[i].function == call->function)
      counters[i].count (self, call);
}

PdDvmSummary *
pd_dvm_summary_new (PdDvmReader *reader, GError **error)
{
  g_autoptr (PdDvmSummary) summary = g_new0 (PdDvmSummary, 1);
  g_autoptr (GHashTable) intervals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) local = NULL;
  Counter self = { .summary = summary, .reader = reader, .intervals = intervals };
  const PdDvmCall *call;

  g_return_val_if_fail (reader != NULL, NULL);
  summary->startup_name = g_strdup ("");
  summary->shapes = g_array_new (FALSE, FALSE, sizeof (PdDvmShape));
  while (pd_dvm_reader_next (reader, &call, &local))
    count_call (&self, call);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  summary->n_interval_keys = g_hash_table_size (intervals);
  return g_steal_pointer (&summary);
}

void
pd_dvm_summary_free (PdDvmSummary *self)
{
  if (self == NULL)
    return;
  if (self->shapes != NULL)
    g_array_unref (self->shapes);
  g_free (self->startup_name);
  g_free (self);
}
