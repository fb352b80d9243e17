/* The samples of a rank follow from its class, from how often each node is repeated and from whose
 * scatter it has: ranks in which that is the same have them in common.
 * SPDX-License-Identifier: MIT */
#include "scale/pd-scale-samples-private.h"

#include "scale/pd-scale-numbers-private.h"

#include <math.h>
#include <string.h>

#define MOST_AMOUNT  4e18 /* picoseconds, or operations */
#define MOST_SAMPLES (G_MAXUINT32 / sizeof (PdAmount) / 2)

/* Of a class. */
typedef struct
{
  guint n;      /* ranks that have been made */
  guint n_rows; /* of its scatter */
} Made;

struct _PdScaleSamples
{
  const PdScaleModel *model;
  guint32 n_ranks;
  GHashTable *known; /* GBytes: class and counts -> 1 + where its samples are */
  GHashTable *made;  /* class -> 1 + how many ranks of it have been made */
  /* of the rank that is made */
  const PdScaleClass *class;
  gboolean has_any;
  gint64 row;     /* of the scatter, modulo how many there are */
  GArray *counts; /* gint64: the class's key and the row; of each node that is made, its
                   * period and its repetitions, negative where it is a loop */
  guint64 *seen;  /* of each group of the class, how often it came */
  guint at;       /* of the counts, while samples are collected: */
  PdScaleState *states;
  GArray *amounts; /* PdAmount */
};

PdScaleSamples *
pd_scale_samples_new (const PdScaleModel *model, guint32 n_ranks)
{
  PdScaleSamples *self = g_new0 (PdScaleSamples, 1);

  self->model = model;
  self->n_ranks = n_ranks;
  self->known =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  self->made = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->counts = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->amounts = g_array_new (FALSE, FALSE, sizeof (PdAmount));
  return self;
}

void
pd_scale_samples_free (PdScaleSamples *self)
{
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->made);
  g_free (self->seen);
  g_array_unref (self->counts);
  g_array_unref (self->amounts);
  g_free (self);
}

/* ---- amounts */

/* @amount, as it scatters the time @i that the group comes. The scatter goes on again from its
 * second number: the first one is of the beginning of the program. */
static gdouble
scatter (const PdScaleSamples *self, const PdScaleNode *node, guint group, guint64 i,
         gdouble amount)
{
  guint n_rows = pd_scale_node_count_rows (node);

  if (n_rows == 0)
    return amount;
  const GArray *row =
      g_ptr_array_index (node->scatter, self->row % n_rows * node->times->len + group);
  if (i >= row->len)
    i = row->len > 1 ? 1 + (i - 1) % (row->len - 1) : 0;
  gdouble ratio = row->len > 0 ? g_array_index (row, gdouble, i) : 1;
  if (ratio < 0)
    return amount - ratio * sqrt (amount);
  return amount * ratio;
}

static gdouble
find_amount (const PdScaleSamples *self, const PdScaleNode *node, PdActionKind kind,
             PdScaleState *state, PdScaleTurn turn)
{
  guint64 i = state->n++;

  if (i < node->amounts.n)
    return pd_scale_amount_of (self->model->unit, kind,
                               pd_column_next (&node->amounts, &state->numbers[PD_SCALE_AMOUNT]));
  guint group = pd_scale_node_get_group (node, turn.l, turn.k);
  return scatter (self, node, group, self->seen[node->group + group]++,
                  pd_scale_times_get (pd_scale_node_get_times (node, group), self->n_ranks));
}

gboolean
pd_scale_samples_get_amount (const PdScaleSamples *self, const PdScaleNode *node,
                             PdScaleState *state, PdScaleTurn turn, PdAmount *amount)
{
  PdActionKind kind = pd_scale_words_get_shape (self->model->words, node->shape)->kind;
  gdouble value = find_amount (self, node, kind, state, turn);

  if (!(value < MOST_AMOUNT))
    return FALSE;
  if (pd_scale_is_work (self->model->unit, kind))
    amount->flops = value;
  else
    amount->time.ps = (gint64) llround (value);
  return TRUE;
}

/* ---- samples */

static guint
count_rows (const GPtrArray *nodes)
{
  guint n = 1;

  for (guint i = 0; i < nodes->len; i++)
    {
      const PdScaleNode *node = g_ptr_array_index (nodes, i);
      n = MAX (n, node->children != NULL ? count_rows (node->children)
                                         : pd_scale_node_count_rows (node));
    }
  return n;
}

/* Ranks of a class have the scatter of one recorded rank after the other. */
static void
choose_row (PdScaleSamples *self, const PdScaleClass *class)
{
  Made *made = g_hash_table_lookup (self->made, class);

  if (made == NULL)
    {
      made = g_new0 (Made, 1);
      made->n_rows = count_rows (class->nodes);
      g_hash_table_insert (self->made, (gpointer) class, made);
    }
  self->row = made->n % made->n_rows;
  made->n++;
}

void
pd_scale_samples_begin (PdScaleSamples *self, const PdScaleClass *class)
{
  gint64 key = class->key;

  self->class = class;
  g_free (self->seen);
  self->seen = g_new0 (guint64, class->n_groups);
  self->has_any = FALSE;
  g_array_set_size (self->counts, 0);
  g_array_append_val (self->counts, key);
  for (guint i = 0; i < class->nodes->len && !self->has_any; i++)
    self->has_any = pd_scale_has_samples (self->model->words, g_ptr_array_index (class->nodes, i));
  if (self->has_any)
    choose_row (self, class);
  g_array_append_val (self->counts, self->row);
}

void
pd_scale_samples_note (PdScaleSamples *self, gint64 period, gint64 n, gboolean is_loop)
{
  gint64 count = is_loop ? -n : n;

  if (!self->has_any)
    return;
  g_array_append_val (self->counts, period);
  g_array_append_val (self->counts, count);
}

static gboolean
refuse (const char *why, GError **error)
{
  g_set_error_literal (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, why);
  return FALSE;
}

/* The next one, which is of @node. */
static gboolean
add_sample (PdScaleSamples *self, const PdScaleNode *node, PdScaleTurn turn, GError **error)
{
  PdAmount amount;

  if (self->amounts->len >= MOST_SAMPLES)
    return refuse ("there are more computations of different times than fit into memory", error);
  if (!pd_scale_samples_get_amount (self, node, &self->states[node->id], turn, &amount))
    return refuse (PD_SCALE_TOO_MUCH, error);
  g_array_append_val (self->amounts, amount);
  return TRUE;
}

/* Those of @nodes, in the order of the program written out; @around: the repetition that they are
 * in. */
static gboolean
collect (PdScaleSamples *self, const GPtrArray *nodes, PdScaleTurn around, GError **error)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const PdScaleNode *node = g_ptr_array_index (nodes, i);
      gboolean is_sampled = pd_scale_is_sampled (self->model->words, node);
      gint64 period = g_array_index (self->counts, gint64, self->at++);
      gint64 count = g_array_index (self->counts, gint64, self->at++);
      guint begin = self->at;
      for (gint64 j = 0; j < ABS (count) && (is_sampled || node->children != NULL); j++)
        {
          if (count < 0)
            self->at = begin;
          PdScaleTurn inner = pd_scale_turn_in (node, around, j, count);
          if (!(is_sampled ? add_sample (self, node, pd_scale_turn_of_beat (inner, period), error)
                           : collect (self, node->children, inner, error)))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
add_samples (PdScaleSamples *self, PdProgramBuilder *builder, guint64 *first, GError **error)
{
  g_autofree PdScaleState *states = g_new0 (PdScaleState, self->class->n_nodes);

  memset (self->seen, 0, self->class->n_groups * sizeof *self->seen);
  self->states = states;
  self->at = 2;
  g_array_set_size (self->amounts, 0);
  return collect (self, self->class->nodes, PD_SCALE_NO_TURN, error)
         && pd_program_builder_add_samples (builder,
                                            (const PdAmount *) (const void *) self->amounts->data,
                                            self->amounts->len, first, error);
}

gboolean
pd_scale_samples_end (PdScaleSamples *self, PdProgramBuilder *builder, guint32 rank, GError **error)
{
  gpointer known;
  guint64 first;

  if (!self->has_any)
    return TRUE;
  GBytes *key = g_bytes_new (self->counts->data, self->counts->len * sizeof (gint64));
  if (g_hash_table_lookup_extended (self->known, key, NULL, &known))
    {
      g_bytes_unref (key);
      pd_program_builder_set_samples (builder, rank, GPOINTER_TO_SIZE (known) - 1);
      return TRUE;
    }
  if (!add_samples (self, builder, &first, error))
    {
      g_bytes_unref (key);
      return FALSE;
    }
  g_hash_table_insert (self->known, key, GSIZE_TO_POINTER (first + 1));
  pd_program_builder_set_samples (builder, rank, first);
  return TRUE;
}
