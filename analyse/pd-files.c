/* The operations of ranks on files.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-files.h"

#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GArray *files;     /* PdFileUse */
  GHashTable *index; /* string of the program -> 1 + place in @files */
  GArray *own;       /* Own: of the present rank, by place */
  guint32 rank;
} Files;

/* Of one rank on one file. */
typedef struct
{
  PdTime all;
  PdTime transfer;
  gboolean any;
} Own;

static guint
find (Files *self, const PdProgram *program, guint32 string)
{
  gpointer key = GUINT_TO_POINTER (string);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, key));
  PdFileUse use = { .name = pd_program_get_string (program, string) };

  if (known > 0)
    return known - 1;
  g_array_append_val (self->files, use);
  g_array_set_size (self->own, self->files->len);
  g_hash_table_insert (self->index, key, GUINT_TO_POINTER (self->files->len));
  return self->files->len - 1;
}

static void
add_call (Files *self, const PdProgram *program, const PdAction *action)
{
  guint i = find (self, program, action->file);
  PdFileUse *use = &g_array_index (self->files, PdFileUse, i);
  Own *own = &g_array_index (self->own, Own, i);
  PdTime took = action->recorded >= 0 ? PD_TIME (action->recorded) : PD_TIME_ZERO;
  gboolean moves = action->file_op == PD_FILE_READ || action->file_op == PD_FILE_WRITE;

  if (action->recorded < 0 && (action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL))
    took = action->amount.time;
  own->any = TRUE;
  own->all = pd_time_add (own->all, took);
  if (moves || action->file_op == PD_FILE_WAIT)
    own->transfer = pd_time_add (own->transfer, took);
  if (moves)
    {
      PdFileTransfers *way =
          &use->ways[action->file_op == PD_FILE_READ ? PD_FILE_READS : PD_FILE_WRITES];
      way->n_collective += action->file_collective ? 1 : 0;
      pd_time_sum_add (&way->time, took);
      pd_sizes_add (&way->sizes, action->file_bytes);
      return;
    }
  pd_time_sum_add (&use->other, took);
  if (action->file_op == PD_FILE_OPEN)
    use->n_opens++;
  else
    use->n_others++;
}

static void
end_rank (Files *self)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      PdFileUse *use = &g_array_index (self->files, PdFileUse, i);
      const Own *own = &g_array_index (self->own, Own, i);
      if (own->any && (use->n_ranks == 0 || own->all.ps > use->longest.ps))
        {
          use->longest = own->all;
          use->slowest = self->rank;
        }
      use->n_ranks += own->any ? 1 : 0;
      use->transfer = pd_time_max (use->transfer, own->transfer);
    }
  g_array_set_size (self->own, 0);
  g_array_set_size (self->own, self->files->len);
}

PdTimeSum
pd_file_use_time (const PdFileUse *self)
{
  PdTimeSum time = self->other;

  for (guint i = 0; i < PD_N_FILE_WAYS; i++)
    time.ps += self->ways[i].time.ps;
  return time;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const PdFileUse *x = a, *y = b;
  PdWide p = pd_file_use_time (x).ps, q = pd_file_use_time (y).ps;

  return p != q ? (p > q ? -1 : 1) : strcmp (x->name, y->name);
}

static void
set_bandwidth (PdFileUse *use)
{
  PdWide bytes = use->ways[PD_FILE_READS].sizes.bytes.ps + use->ways[PD_FILE_WRITES].sizes.bytes.ps;
  gdouble seconds = pd_time_to_seconds (use->transfer);

  use->bandwidth = bytes > 0 && seconds > 0 ? (gdouble) bytes / seconds : NAN;
}

GArray *
pd_files_new (const PdProgram *program)
{
  g_autoptr (GArray) files = g_array_new (FALSE, TRUE, sizeof (PdFileUse));
  g_autoptr (GArray) own = g_array_new (FALSE, TRUE, sizeof (Own));
  g_autoptr (GHashTable) index = g_hash_table_new (NULL, NULL);
  Files self = { files, index, own, 0 };
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  if (!pd_program_has_files (program))
    return NULL;
  pd_action_reader_init (&reader, program);
  for (; self.rank < pd_program_get_n_ranks (program); self.rank++)
    {
      pd_action_reader_begin (&reader, self.rank);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        if (action->file != PD_PROGRAM_NONE)
          add_call (&self, program, action);
      end_rank (&self);
    }
  for (guint i = 0; i < files->len; i++)
    set_bandwidth (&g_array_index (files, PdFileUse, i));
  g_array_sort (files, compare);
  return files->len > 0 ? g_steal_pointer (&files) : NULL;
}
