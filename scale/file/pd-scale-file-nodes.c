/* Classes in files of models: places of the program, their numbers, rules and times.
 * SPDX-License-Identifier: MIT */
#include "scale/file/pd-scale-file-private.h"
#include "scale/near/pd-scale-near-private.h"

#include <math.h>

/* Numbers that no file needs to have exceeded. */
#define MOST_AMOUNT 4e18 /* picoseconds, or operations: as in pd-scale-make.c */
#define MOST_REAL   1e60
#define MOST_RATIO  1e18
#define MOST_DEPTH  256 /* loops in loops */

void
pd_scale_file_carry_array (PdScaleFile *self, GArray *array, PdScaleCarry carry)
{
  guint n = pd_scale_stream_size (&self->stream, array->len);

  for (guint i = 0; i < n && self->stream.error == NULL; i++)
    {
      if (pd_scale_file_is_reading (self))
        g_array_set_size (array, i + 1);
      carry (self, array->data + (gsize) i * g_array_get_element_size (array));
    }
}

void
pd_scale_file_carry_number (PdScaleFile *self, gpointer item)
{
  pd_scale_stream_number (&self->stream, item, G_MININT64, G_MAXINT64);
}

static void
carry_flag (PdScaleFile *self, gboolean *flag)
{
  pd_scale_stream_field (&self->stream, *flag, FALSE, TRUE);
}

/* ---- rules and numbers */

static void
carry_rule (PdScaleFile *self, gpointer item)
{
  PdRule *rule = item;

  pd_scale_stream_field (&self->stream, rule->purpose, 0, PD_RULE_TIMES);
  pd_scale_stream_field (&self->stream, rule->kind, 0, G_MAXUINT8);
  for (guint i = 0; i < PD_RULE_DIMS; i++)
    pd_scale_file_carry_number (self, &rule->c[i]);
  if (pd_rule_is_valid (rule))
    return;
  pd_scale_stream_refuse (&self->stream, "a rule");
  pd_rule_set_constant (rule, PD_RULE_NUMBERS, 0);
}

static void
carry_other (PdScaleFile *self, gpointer item)
{
  PdScaleOther *other = item;

  pd_scale_stream_number (&self->stream, &other->turn, 0, G_MAXINT32);
  carry_rule (self, &other->rule);
}

/* The number of @list in the file, where it is for the first time if that is the next one. */
static gint64
find_list (PdScaleFile *self, gint64 list)
{
  gpointer number = g_hash_table_lookup (self->written, GINT_TO_POINTER (list));

  if (list == PD_SCALE_NO_LIST)
    return PD_SCALE_NO_LIST;
  return number != NULL ? GPOINTER_TO_INT (number) - 1 : (gint64) self->lists->len;
}

static void
carry_new_list (PdScaleFile *self, gint64 *list)
{
  g_autoptr (GArray) values = g_array_new (FALSE, TRUE, sizeof (gint64));
  gsize n = 0;

  if (!pd_scale_file_is_reading (self))
    {
      const gint64 *given = pd_scale_words_get_list (self->model->words, *list, &n);
      g_array_append_vals (values, given, (guint) n);
      g_hash_table_insert (self->written, GINT_TO_POINTER (*list),
                           GUINT_TO_POINTER (self->lists->len + 1));
    }
  pd_scale_file_carry_array (self, values, pd_scale_file_carry_number);
  if (pd_scale_file_is_reading (self))
    *list = pd_scale_words_add_list (self->model->words, (const gint64 *) (void *) values->data,
                                     values->len);
  g_array_append_val (self->lists, *list);
}

static void
carry_list (PdScaleFile *self, gint64 *list)
{
  gint64 n = self->lists->len,
         number = pd_scale_file_is_reading (self) ? 0 : find_list (self, *list);

  pd_scale_stream_number (&self->stream, &number, PD_SCALE_NO_LIST, n);
  if (number == n)
    carry_new_list (self, list);
  else
    *list = number < 0 ? number : g_array_index (self->lists, gint64, number);
}

static void
carry_column (PdScaleFile *self, PdColumn *column, gboolean is_list)
{
  guint n = pd_scale_stream_size (&self->stream, (guint) column->runs.n);

  for (guint i = 0; i < n && self->stream.error == NULL; i++)
    {
      PdColumnRun run = { 0, 1 };
      if (!pd_scale_file_is_reading (self))
        run = pd_vector_at (&column->runs, PdColumnRun, i);
      if (is_list)
        carry_list (self, &run.value);
      else
        pd_scale_file_carry_number (self, &run.value);
      pd_scale_stream_field (&self->stream, run.n, 1, G_MAXINT32);
      if (pd_scale_file_is_reading (self))
        pd_column_append (column, run.value, run.n);
    }
}

static void
carry_times (PdScaleFile *self, gpointer item)
{
  PdScaleTimes *times = item;

  pd_scale_stream_real (&self->stream, &times->c0, -MOST_REAL, MOST_REAL);
  pd_scale_stream_real (&self->stream, &times->c1, -MOST_REAL, MOST_REAL);
  pd_scale_stream_real (&self->stream, &times->power, -3, 3);
  pd_scale_stream_field (&self->stream, times->logs, 0, 3);
  pd_scale_stream_real (&self->stream, &times->error, 0, INFINITY);
  pd_scale_stream_real (&self->stream, &times->weight, 0, MOST_REAL);
}

/* Sizes that are drawn: the mean, and ratios to it in their order. */
static void
carry_drawn (PdScaleFile *self, PdScaleNumber *number)
{
  pd_scale_stream_number (&self->stream, &number->unit, 1, G_MAXINT64);
  carry_times (self, &number->mean);
  carry_column (self, &number->literal, FALSE);
  for (gsize i = 0; i < number->literal.runs.n; i++)
    if (pd_vector_at (&number->literal.runs, PdColumnRun, i).value < 0)
      pd_scale_stream_refuse (&self->stream, "a ratio");
}

/* The file has only those fields that the number uses. */
static void
carry_how (PdScaleFile *self, PdScaleNumber *number, gint column)
{
  if (pd_scale_file_is_reading (self))
    number->others = pd_scale_file_new_array (sizeof (PdScaleOther));
  pd_scale_stream_field (&self->stream, number->how, PD_SCALE_BY_RULE, PD_SCALE_BY_AVERAGE);
  if (number->how == PD_SCALE_LITERALLY)
    {
      carry_column (self, &number->literal, column >= PD_SCALE_SLOTS && column < PD_SCALE_AMOUNT);
      return;
    }
  if (number->how == PD_SCALE_BY_AVERAGE)
    return;
  if (number->how != PD_SCALE_BY_TURN)
    pd_scale_stream_field (&self->stream, number->near, PD_SCALE_EXACT,
                           pd_scale_near_is_size (column) ? PD_SCALE_DRAWN : PD_SCALE_NEAREST);
  if (number->how == PD_SCALE_BY_LIST)
    carry_flag (self, &number->has_list);
  if (number->how == PD_SCALE_BY_LIST && !number->has_list)
    return;
  if (number->near == PD_SCALE_DRAWN)
    {
      carry_rule (self, &number->rule);
      carry_drawn (self, number);
      return;
    }
  gboolean has_turns = number->turns != NULL || number->how == PD_SCALE_BY_TURN;
  if (number->how == PD_SCALE_BY_LIST)
    carry_flag (self, &has_turns);
  if (number->how != PD_SCALE_BY_TURN)
    carry_rule (self, &number->rule);
  if (has_turns && pd_scale_file_is_reading (self))
    number->turns = pd_scale_file_new_array (sizeof (PdRule));
  if (has_turns)
    pd_scale_file_carry_array (self, number->turns, carry_rule);
  else if (number->how == PD_SCALE_BY_LIST)
    carry_rule (self, &number->entries);
  pd_scale_file_carry_array (self, number->others, carry_other);
  if (number->how == PD_SCALE_BY_LIST)
    return;
  if (number->how == PD_SCALE_BY_TURN)
    carry_flag (self, &number->by_level);
  carry_flag (self, &number->has_period);
  if (number->has_period)
    carry_rule (self, &number->period);
}

/* ---- places of the program */

static void
carry_ratio (PdScaleFile *self, gpointer item)
{
  pd_scale_stream_real (&self->stream, item, -MOST_AMOUNT, MOST_RATIO);
}

/* All groups of an element. */
static void
carry_groups (PdScaleFile *self, PdScaleNode *node)
{
  pd_scale_stream_field (&self->stream, node->n_turns, 0, PD_SCALE_MOST_TURNS);
  pd_scale_stream_field (&self->stream, node->n_levels, 0, PD_SCALE_MOST_LEVELS);
  guint n = (node->n_turns + 1) * (node->n_levels + 1);
  if (pd_scale_file_is_reading (self))
    {
      node->times = pd_scale_file_new_array (sizeof (PdScaleTimes));
      g_array_set_size (node->times, n);
      node->group = *self->n_groups;
      *self->n_groups += n;
    }
  for (guint i = 0; i < n; i++)
    carry_times (self, &g_array_index (node->times, PdScaleTimes, i));
}

static void
carry_scatter (PdScaleFile *self, PdScaleNode *node)
{
  guint n = pd_scale_stream_size (&self->stream, node->scatter != NULL ? node->scatter->len : 0);

  if (n > 0 && pd_scale_file_is_reading (self))
    node->scatter = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < n && self->stream.error == NULL; i++)
    {
      if (pd_scale_file_is_reading (self))
        g_ptr_array_add (node->scatter, pd_scale_file_new_array (sizeof (gdouble)));
      pd_scale_file_carry_array (self, g_ptr_array_index (node->scatter, i), carry_ratio);
    }
  if (n % node->times->len != 0)
    pd_scale_stream_refuse (&self->stream, "ratios of all repetitions");
}

/* Of a file they may be anything. */
static void
check_amounts (PdScaleFile *self, const PdScaleNode *node)
{
  PdActionKind kind = pd_scale_words_get_shape (self->model->words, node->shape)->kind;

  for (gsize i = 0; i < node->amounts.runs.n; i++)
    {
      gdouble amount = pd_scale_amount_of (
          self->model->unit, kind, pd_vector_at (&node->amounts.runs, PdColumnRun, i).value);
      if (!(amount >= 0 && amount < MOST_AMOUNT))
        pd_scale_stream_refuse (&self->stream, "an amount of computation");
    }
}

static void
carry_element (PdScaleFile *self, PdScaleNode *node)
{
  if (pd_scale_file_is_reading (self))
    node->numbers = g_new0 (PdScaleNumber, PD_SCALE_AMOUNT);
  for (gint column = 0; column < PD_SCALE_AMOUNT; column++)
    carry_how (self, &node->numbers[column], column);
  carry_flag (self, &node->has_amount);
  if (!node->has_amount || self->stream.error != NULL)
    return;
  carry_groups (self, node);
  carry_scatter (self, node);
  carry_column (self, &node->amounts, FALSE);
  check_amounts (self, node);
}

/* Which communicators there are says the class. */
static void
check_shape (PdScaleFile *self, const PdScaleNode *node)
{
  if (pd_scale_words_get_shape (self->model->words, node->shape)->comm >= self->class->comms->len)
    pd_scale_stream_refuse (&self->stream, "a call whose communicator its class has");
}

/* @nodes is empty before it is read; numbers of nodes are in the order of the file. */
static void
carry_nodes (PdScaleFile *self, GPtrArray *nodes, guint depth, guint *n_nodes)
{
  guint n = pd_scale_stream_size (&self->stream, nodes->len);

  if (depth > MOST_DEPTH)
    pd_scale_stream_refuse (&self->stream, "fewer loops in each other");
  for (guint i = 0; i < n && self->stream.error == NULL; i++)
    {
      if (pd_scale_file_is_reading (self))
        g_ptr_array_add (nodes, g_new0 (PdScaleNode, 1));
      PdScaleNode *node = g_ptr_array_index (nodes, i);
      gint64 n_shapes = pd_scale_words_get_n (self->model->words, PD_SCALE_SHAPES);
      gint64 shape = node->shape == PD_FOLD_LOOP ? -1 : (gint64) node->shape;
      pd_scale_stream_number (&self->stream, &shape, -1, n_shapes - 1);
      node->shape = shape < 0 ? PD_FOLD_LOOP : (guint32) shape;
      node->id = (*n_nodes)++;
      carry_flag (self, &node->once);
      carry_how (self, &node->counts, PD_SCALE_N_COLUMNS);
      if (shape < 0 && pd_scale_file_is_reading (self))
        node->children = pd_scale_nodes_new ();
      if (shape < 0)
        carry_nodes (self, node->children, depth + 1, n_nodes);
      else
        {
          check_shape (self, node);
          carry_element (self, node);
        }
    }
  pd_scale_nodes_set_beat (nodes);
}

static void
carry_comm (PdScaleFile *self, gpointer item)
{
  PdScaleComm *comm = item;
  guint all = (1u << pd_scale_grid_get_dims (self->model->grid)) - 1;

  pd_scale_stream_field (&self->stream, comm->mask, 0, all);
  pd_scale_stream_field (&self->stream, comm->duplicate, 0, G_MAXUINT32);
}

void
pd_scale_file_carry_class (PdScaleFile *self, PdScaleClass *class)
{
  guint n_nodes = 0;

  self->class = class;
  self->n_groups = &class->n_groups;
  pd_scale_stream_field (&self->stream, class->key, 0, G_MAXUINT32);
  pd_scale_stream_field (&self->stream, class->n_ranks, 0, G_MAXUINT32);
  pd_scale_stream_field (&self->stream, class->n_sizes, 0, G_MAXUINT32);
  if (pd_scale_file_is_reading (self))
    class->comms = pd_scale_file_new_array (sizeof (PdScaleComm));
  pd_scale_file_carry_array (self, class->comms, carry_comm);
  if (pd_scale_file_is_reading (self))
    class->nodes = pd_scale_nodes_new ();
  carry_nodes (self, class->nodes, 0, &n_nodes);
  class->n_nodes = n_nodes;
}
