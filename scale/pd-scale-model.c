/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-model-private.h"
#include "scale/near/pd-scale-near-private.h"
#include "scale/pd-scale-reader.h"
#include "scale/pd-scale-shared-private.h"

#define MOST_PASSES 4 /* over the recordings, for loops in loops */

G_DEFINE_QUARK (pd - scale - error, pd_scale_error)

static void
clear_number (PdScaleNumber *number)
{
  pd_column_clear (&number->literal);
  g_clear_pointer (&number->turns, g_array_unref);
  g_clear_pointer (&number->others, g_array_unref);
}

static void
free_node (gpointer data)
{
  PdScaleNode *node = data;

  clear_number (&node->counts);
  g_clear_pointer (&node->children, g_ptr_array_unref);
  for (guint i = 0; node->numbers != NULL && i < PD_SCALE_AMOUNT; i++)
    clear_number (&node->numbers[i]);
  g_free (node->numbers);
  g_clear_pointer (&node->times, g_array_unref);
  g_clear_pointer (&node->points, g_ptr_array_unref);
  g_clear_pointer (&node->scatter, g_ptr_array_unref);
  pd_column_clear (&node->amounts);
  g_free (node);
}

void
pd_scale_class_free (gpointer data)
{
  PdScaleClass *class = data;

  g_clear_pointer (&class->comms, g_array_unref);
  g_clear_pointer (&class->nodes, g_ptr_array_unref);
  g_free (class);
}

GPtrArray *
pd_scale_nodes_new (void)
{
  return g_ptr_array_new_with_free_func (free_node);
}

static const PdRule *
find_period (const PdScaleNode *node)
{
  for (guint c = 0; node->numbers != NULL && c < PD_SCALE_AMOUNT; c++)
    if (node->numbers[c].has_period)
      return &node->numbers[c].period;
  return NULL;
}

void
pd_scale_nodes_set_beat (GPtrArray *nodes)
{
  const PdScaleNode *beat = NULL;

  for (guint i = 0; i < nodes->len && beat == NULL; i++)
    {
      const PdScaleNode *node = g_ptr_array_index (nodes, i);
      if (node->once && find_period (node) != NULL)
        beat = node;
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      PdScaleNode *node = g_ptr_array_index (nodes, i);
      node->beat = find_period (node) != NULL ? node : node->once ? beat : NULL;
    }
}

gint64
pd_scale_node_get_period (const PdScaleNode *beat, const PdRulePlace *place)
{
  return MAX (pd_rule_get (find_period (beat), place), 1);
}

void
pd_scale_model_free (PdScaleModel *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->words, pd_scale_words_free);
  pd_scale_shared_free (self->shared);
  g_clear_pointer (&self->sizes, g_array_unref);
  g_clear_pointer (&self->known, g_array_unref);
  g_clear_pointer (&self->pools, g_hash_table_unref);
  pd_scale_share_clear (&self->share);
  g_clear_pointer (&self->members, g_ptr_array_unref);
  pd_scale_origin_clear (&self->origin);
  g_free (self);
}

/* ---- recordings */

static gint
compare_sizes (gconstpointer a, gconstpointer b)
{
  const PdScaleRun *const *one = a, *const *other = b;

  return (*one)->n_ranks < (*other)->n_ranks ? -1 : (*one)->n_ranks > (*other)->n_ranks;
}

/* One rank may repeat a sequence that another one executes once: it is a loop there, too. Loops
 * around loops are found when the inner ones are known. */
static void
share_loops (GPtrArray *runs)
{
  g_autoptr (PdFoldLoops) loops = pd_fold_loops_new ();
  gboolean is_new = TRUE;

  for (guint pass = 0; is_new && pass < MOST_PASSES; pass++)
    {
      is_new = FALSE;
      for (guint i = 0; i < runs->len; i++)
        is_new = pd_scale_run_list_loops (g_ptr_array_index (runs, i), loops) || is_new;
      for (guint i = 0; i < runs->len && is_new; i++)
        pd_scale_run_recognise (g_ptr_array_index (runs, i), loops);
    }
}

static GPtrArray *
read_runs (PdScaleModel *self, GPtrArray *programs)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) pd_scale_run_free);

  for (guint i = 0; i < programs->len; i++)
    g_ptr_array_add (
        runs, pd_scale_run_new (g_ptr_array_index (programs, i), self->is_settled, self->words));
  share_loops (runs);
  g_ptr_array_sort (runs, compare_sizes);
  for (guint i = 0; i < runs->len; i++)
    {
      guint32 n = ((PdScaleRun *) g_ptr_array_index (runs, i))->n_ranks;
      if (self->sizes->len == 0 || n != g_array_index (self->sizes, guint32, self->sizes->len - 1))
        g_array_append_val (self->sizes, n);
    }
  return runs;
}

static gboolean
check_programs (PdScaleModel *self, GPtrArray *programs, GError **error)
{
  for (guint i = 0; i < programs->len; i++)
    {
      const PdProgram *program = g_ptr_array_index (programs, i);
      if (i > 0 && pd_program_get_unit (program) != self->unit)
        {
          g_set_error_literal (
              error, PD_SCALE_ERROR, PD_SCALE_ERROR_INPUT,
              "one recording measures computation in time, another one in operations");
          return FALSE;
        }
      self->unit = pd_program_get_unit (program);
    }
  return TRUE;
}

/* ---- the simplest explanation */

/* Keeps of all refusals the one that came last in the program: the others are of grids and classes
 * that explain less. */
static void
keep_refusal (GError **kept, guint *most, GError *local, guint n_explained)
{
  if (*kept != NULL && n_explained <= *most)
    {
      g_error_free (local);
      return;
    }
  g_clear_error (kept);
  *kept = local;
  *most = n_explained;
}

static gboolean
try_once (PdScaleModel *self, GPtrArray *runs, PdScalePhase n_phases, guint *n_explained,
          GError **error)
{
  g_array_set_size (self->known, 0);
  g_clear_pointer (&self->shared, pd_scale_shared_free);
  self->shared = pd_scale_shared_new ();
  if (self->pools != NULL)
    g_hash_table_remove_all (self->pools);
  for (self->phase = 0; self->phase < n_phases; self->phase++)
    {
      g_ptr_array_set_size (self->members, 0);
      pd_scale_shared_begin (self->shared);
      pd_scale_share_reset (&self->share);
      *n_explained = 0;
      if (!pd_scale_fit (self, runs, n_explained, error))
        return FALSE;
    }
  pd_scale_shared_lend (self->shared, self);
  return TRUE;
}

static gboolean
may_be_arranged (const PdScaleModel *self)
{
  return pd_scale_grid_may_be (self->grid, self->sizes)
         && pd_scale_class_may_be (self->classes, self->grid, self->sizes);
}

static gboolean
explain (PdScaleModel *self, GPtrArray *runs, GError **error)
{
  GError *kept = NULL;
  guint most = 0;

  for (self->grid = 0; self->grid < PD_SCALE_N_GRIDS; self->grid++)
    for (self->classes = 0; self->classes < PD_SCALE_N_CLASSES; self->classes++)
      {
        GError *local = NULL;
        guint n_explained = 0;
        if (!may_be_arranged (self))
          continue;
        if (try_once (self, runs, PD_SCALE_N_PHASES, &n_explained, &local))
          {
            g_clear_error (&kept);
            return TRUE;
          }
        keep_refusal (&kept, &most, local, n_explained);
      }
  g_propagate_error (error, kept);
  return FALSE;
}

/* Takes the grid and the classes that leave the fewest numbers unexplained; of equal ones the
 * first, which are the simplest. Classes of ranks recorded on one number of ranks prove no rule,
 * and count as unexplained. */
static gboolean
approximate (PdScaleModel *self, GPtrArray *runs, GError **error)
{
  guint64 least = G_MAXUINT64;
  guint grid = 0, classes = 0, n;

  self->pools = pd_scale_pools_new ();
  for (self->grid = 0; self->grid < PD_SCALE_N_GRIDS; self->grid++)
    for (self->classes = 0; self->classes < PD_SCALE_N_CLASSES; self->classes++)
      {
        guint64 nearest, drawn, bytes;
        if (!may_be_arranged (self))
          continue;
        g_clear_error (error);
        if (!try_once (self, runs, PD_SCALE_COLLECT + 1, &n, error))
          continue;
        pd_scale_share_sum (&self->share, PD_SCALE_NEAREST, &nearest, &bytes);
        pd_scale_share_sum (&self->share, PD_SCALE_DRAWN, &drawn, &bytes);
        if (nearest + drawn + self->share.alone >= least)
          continue;
        least = nearest + drawn + self->share.alone;
        grid = self->grid;
        classes = self->classes;
      }
  if (least == G_MAXUINT64)
    return FALSE;
  g_clear_error (error);
  self->grid = grid;
  self->classes = classes;
  return try_once (self, runs, PD_SCALE_N_PHASES, &n, error);
}

PdScaleModel *
pd_scale_model_new_empty (void)
{
  PdScaleModel *self = g_new0 (PdScaleModel, 1);

  self->words = pd_scale_words_new ();
  self->sizes = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->known = g_array_new (FALSE, FALSE, sizeof (PdScaleKnown));
  pd_scale_share_init (&self->share);
  self->members = g_ptr_array_new_with_free_func (pd_scale_class_free);
  pd_scale_origin_init (&self->origin);
  return self;
}

static gboolean
have_races (GPtrArray *programs)
{
  for (guint i = 0; i < programs->len; i++)
    if (pd_scale_program_has_races (g_ptr_array_index (programs, i)))
      return TRUE;
  return FALSE;
}

/* Returns: (transfer full): a model with runs of @programs that are not explained yet. */
static PdScaleModel *
begin (GPtrArray *programs, gboolean settles, GPtrArray **runs, GError **error)
{
  g_autoptr (PdScaleModel) self = pd_scale_model_new_empty ();

  self->is_settled = settles;
  if (!check_programs (self, programs, error))
    return NULL;
  *runs = read_runs (self, programs);
  if (self->sizes->len >= 2)
    return g_steal_pointer (&self);
  g_set_error_literal (error, PD_SCALE_ERROR, PD_SCALE_ERROR_INPUT,
                       "expected recordings on at least two numbers of ranks");
  return NULL;
}

PdScaleModel *
pd_scale_model_new (GPtrArray *programs, gboolean may_approximate, GError **error)
{
  g_return_val_if_fail (programs != NULL, NULL);

  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) local = NULL;
  g_autoptr (PdScaleModel) self = begin (programs, FALSE, &runs, error);

  if (self == NULL || explain (self, runs, &local))
    return g_steal_pointer (&self);
  if (have_races (programs))
    {
      g_clear_error (&local);
      g_clear_pointer (&self, pd_scale_model_free);
      g_clear_pointer (&runs, g_ptr_array_unref);
      self = begin (programs, TRUE, &runs, error);
      if (self == NULL || explain (self, runs, &local))
        return g_steal_pointer (&self);
    }
  if (!may_approximate)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  self->share.reason = g_strdup (local->message);
  for (guint i = 0; i < programs->len; i++)
    self->share.is_buffered =
        self->share.is_buffered || pd_scale_program_is_buffered (g_ptr_array_index (programs, i));
  return approximate (self, runs, error) ? g_steal_pointer (&self) : NULL;
}

gdouble
pd_scale_model_get_time_error (const PdScaleModel *self)
{
  return self->time_sum > 0 ? self->time_error / self->time_sum : 0;
}

PdScaleOrigin *
pd_scale_model_get_origin (PdScaleModel *self)
{
  return &self->origin;
}

gboolean
pd_scale_model_is_settled (const PdScaleModel *self)
{
  return self->is_settled;
}

const PdScaleShare *
pd_scale_model_get_share (const PdScaleModel *self)
{
  return &self->share;
}
