/* Uneven blocks: what setpsw_, genblk_ and setelw_ say, what the block file
 * says, and what of it the next distribution respects. A trace of one processor has lists of one
 * value, so most of it comes from the block file.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-weights-private.h"
#include "predictor/dvm/layout/pd-block-find.h"
#include "predictor/dvm/layout/pd-dvm-layout-blocks.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-speed.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-teams.h"
#include "predictor/dvm/model/pd-dvm-views.h"

#include <string.h>

/* ---- hints of the program */

static void
weighting_free (gpointer object)
{
  PdWeighting *weighting = object;

  pd_team_unref (weighting->team);
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    {
      g_clear_pointer (&weighting->sizes[d], g_array_unref);
      g_clear_pointer (&weighting->weights[d], g_array_unref);
      g_clear_pointer (&weighting->loads[d], g_array_unref);
    }
}

static PdWeighting *
weighting_new (PdDvm *self, PdTeam *team)
{
  PdWeighting *weighting = pd_object_new (sizeof *weighting, weighting_free);

  weighting->team = pd_team_ref (team);
  weighting->function = self->call->function;
  weighting->file = self->call->file;
  weighting->line = self->call->line;
  return weighting;
}

/* Row @row of an indexed key with rows, as numbers; NULL if it is empty. */
static GArray *
read_row (PdDvm *self, PdDvmKey key, guint row)
{
  guint n = pd_dvm_call_get_row_length (self->reader, key, row), all, before = 0;
  const gdouble *values = pd_dvm_call_get_doubles (self->reader, key, &all);

  for (guint i = 0; i < row; i++)
    before += pd_dvm_call_get_row_length (self->reader, key, i);
  if (n == 0 || values == NULL || before + n > all)
    return NULL;
  GArray *array = g_array_sized_new (FALSE, FALSE, sizeof (gdouble), n);
  g_array_append_vals (array, values + before, n);
  return array;
}

static GArray *
to_sizes (const GArray *values)
{
  GArray *sizes = g_array_sized_new (FALSE, FALSE, sizeof (gint64), values->len);

  for (guint i = 0; i < values->len; i++)
    {
      gdouble value = g_array_index (values, gdouble, i);
      /* what no block can have is refused by the layout */
      gint64 size = value >= 0x1p62 ? G_MAXINT64 : value < 0 ? -1 : (gint64) value;
      g_array_append_val (sizes, size);
    }
  return sizes;
}

/* The number of dimensions that a record speaks of. */
static gboolean
need_dimensions (PdDvm *self, PdDvmKey key, const PdTeam *team, guint *n, GError **error)
{
  gint64 value = pd_dvm_get (self, key, 0);
  guint rank = pd_grid_get_rank (team->grid);

  if (value < 0 || value > rank)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "'%s' is %" G_GINT64_FORMAT ", the processor grid has %u dimensions",
                        pd_dvm_key_get_name (key), value, rank);
  *n = (guint) value;
  return TRUE;
}

/* The template a record names; NULL without @error: none, but all of them. */
static gboolean
need_view (PdDvm *self, gint64 *id, PdView **view, GError **error)
{
  *id = pd_dvm_get (self, PD_DVM_KEY_AMViewRef, 0);
  *view = *id == 0 ? NULL : pd_dvm_find (self, PD_KIND_VIEW, *id);
  return *id == 0 || *view != NULL
         || pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                         "template 'AMViewRef=%" G_GINT64_MODIFIER "x' does not exist",
                         (guint64) *id);
}

/* @is_hard: the sizes of blocks are given, so divisors lose their meaning. */
static void
store_weighting (PdDvm *self, gint64 id, const PdView *old, PdWeighting *weighting,
                 gboolean is_hard)
{
  if (old == NULL)
    {
      g_hash_table_insert (self->weightings, weighting->team, weighting);
      return;
    }
  PdView *view = pd_dvm_view_copy (old);
  pd_object_unref (view->weighting);
  view->weighting = weighting;
  for (guint i = 0; i < view->rank && is_hard; i++)
    view->divisor[i] = 1;
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
}

/* The weights in the record are the final ones, after normalisation: sizes that
 * are meant by IntWeightSign are, but for rounding, in the same proportion. */
gboolean
pd_dvm_setpsw (PdDvm *self, GError **error)
{
  PdTeam *team = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
  PdView *view;
  gint64 id;

  if (team == NULL || !need_view (self, &id, &view, error))
    return FALSE;
  PdWeighting *weighting = weighting_new (self, team);
  for (guint d = 0; d < pd_grid_get_rank (team->grid); d++)
    {
      weighting->weights[d] = read_row (self, PD_DVM_KEY_CoordWeight, d);
      weighting->asked[d] = weighting->weights[d] != NULL;
    }
  store_weighting (self, id, view, weighting, pd_dvm_get (self, PD_DVM_KEY_IntWeightSign, 0) != 0);
  return TRUE;
}

/* Without a template, hard sizes are weights of the processor system. */
gboolean
pd_dvm_genblk (PdDvm *self, GError **error)
{
  PdTeam *team = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
  gboolean is_hard = pd_dvm_get (self, PD_DVM_KEY_DoubleSign, 0) == 0;
  PdView *view;
  gint64 id;
  guint n;

  if (team == NULL || !need_view (self, &id, &view, error)
      || !need_dimensions (self, PD_DVM_KEY_AxisCount, team, &n, error))
    return FALSE;
  PdWeighting *weighting = weighting_new (self, team);
  for (guint d = 0; d < n; d++)
    {
      g_autoptr (GArray) values = read_row (self, PD_DVM_KEY_AxisWeightAddr, d);
      weighting->asked[d] = values != NULL;
      if (values != NULL && is_hard && view != NULL)
        weighting->sizes[d] = to_sizes (values);
      else if (values != NULL)
        weighting->weights[d] = g_steal_pointer (&values);
    }
  store_weighting (self, id, view, weighting, is_hard);
  return TRUE;
}

/* The run-time system records loads only with LoadWeightTrace=1; without them
 * it is not known which dimensions have any. */
gboolean
pd_dvm_setelw (PdDvm *self, GError **error)
{
  PdTeam *team = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
  PdView *view;
  gint64 id;
  gboolean any = FALSE;
  guint n;

  if (team == NULL || !need_view (self, &id, &view, error)
      || !need_dimensions (self, PD_DVM_KEY_AddrNumber, team, &n, error))
    return FALSE;
  if (view == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "loads of elements without a template");
  PdWeighting *weighting = weighting_new (self, team);
  for (guint d = 0; d < n; d++)
    {
      weighting->loads[d] = read_row (self, PD_DVM_KEY_LoadWeight, d);
      any = any || weighting->loads[d] != NULL;
    }
  for (guint d = 0; d < n; d++)
    weighting->asked[d] = !any || weighting->loads[d] != NULL;
  store_weighting (self, id, view, weighting, FALSE);
  return TRUE;
}

/* ---- hints for a distribution */

/* The hints of one distribution while they are gathered. */
typedef struct
{
  PdDvm *dvm;
  const PdView *view;
  PdTeam *team;
  const PdWeighting *weighting;      /* (nullable): in force */
  gboolean of_grid;                  /* it is said for all templates */
  gboolean by_file;                  /* the block file has something */
  PdBlockHints *hints;               /* sizes go there directly */
  GArray *weights[PD_MAX_GRID_RANK]; /* (nullable): not normalised yet */
} Gathering;

static guint32
get_size (const Gathering *g, guint dim)
{
  return pd_grid_get_sizes (g->team->grid)[dim];
}

static void
warn_ignored (const Gathering *g, guint dim, gboolean is_size, const char *why)
{
  pd_dvm_warn (g->dvm, is_size ? "genblock-ignored" : "weights-ignored", NULL,
               "%s for %u processors along dimension %u of the processor grid; equal blocks are "
               "taken, see predictor-blocks(5)",
               why, get_size (g, dim), dim + 1);
}

static gboolean
take_loads (Gathering *g, guint dim, const GArray *loads, GError **error)
{
  g_autoptr (GError) cause = NULL;

  g->weights[dim] = pd_layout_weights_from_loads ((const gdouble *) (gconstpointer) loads->data,
                                                  loads->len, get_size (g, dim), &cause);
  return g->weights[dim] != NULL
         || pd_dvm_fail (g->dvm, error, PD_DVM_MODEL_ERROR_PARAMETER, "%s", cause->message);
}

/* Sizes from the block file, whose lines the layout module does not know. */
static gboolean
take_sizes (Gathering *g, guint dim, guint axis, const PdBlockList *list, GError **error)
{
  gint64 n = g->view->sizes[axis], sum = 0;

  for (guint i = 0; i < list->values->len; i++)
    if (__builtin_add_overflow (sum, g_array_index (list->values, gint64, i), &sum))
      sum = G_MAXINT64;
  if (sum != n)
    return pd_dvm_fail (g->dvm, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "the sizes of %s:%" G_GINT64_FORMAT " add up to %" G_GINT64_FORMAT
                        ", axis %u of the template has %" G_GINT64_FORMAT " elements",
                        pd_block_file_get_name (g->dvm->options->blocks), list->source_line, sum,
                        axis + 1, n);
  g->hints->sizes[dim] = g_array_ref (list->values);
  return TRUE;
}

static gboolean
take_list (Gathering *g, guint dim, guint axis, const PdBlockList *list, GError **error)
{
  g->by_file = TRUE;
  switch (list->kind)
    {
    case PD_BLOCK_SIZES:
      return take_sizes (g, dim, axis, list, error);
    case PD_BLOCK_LOADS:
      return take_loads (g, dim, list->values, error);
    case PD_BLOCK_WEIGHTS:
    case PD_N_BLOCK_KINDS:
      break;
    }
  g->weights[dim] = g_array_ref (list->values);
  return TRUE;
}

/* A list for the place of the distribution, or of the hints before it. */
static const PdBlockList *
find_list (const Gathering *g, guint dim, guint axis, const PdBlockList **other)
{
  const PdDvm *dvm = g->dvm;
  PdBlockQuery query = { .file = dvm->call->file,
                         .line = dvm->call->line,
                         .grid = g->team->grid,
                         .dim = dim,
                         .axis = axis,
                         .seen = dvm->seen_blocks };
  const PdBlockList *other_here;
  const PdBlockList *list = pd_block_file_find (dvm->options->blocks, &query, &other_here);

  *other = other_here;
  if (g->weighting == NULL || (list != NULL && g->weighting->line == query.line))
    return list;
  query.file = g->weighting->file;
  query.line = g->weighting->line;
  const PdBlockList *said = pd_block_file_find (dvm->options->blocks, &query, other);
  if (*other == NULL)
    *other = other_here;
  return list != NULL ? list : said;
}

/* Whether the trace has what the program said, for as many processors. */
static gboolean
is_traced (const Gathering *g, guint dim)
{
  const PdWeighting *w = g->weighting;
  guint32 n = get_size (g, dim);

  return w != NULL
         && ((w->sizes[dim] != NULL && w->sizes[dim]->len == n)
             || (w->weights[dim] != NULL && w->weights[dim]->len == n)
             || (w->loads[dim] != NULL && w->loads[dim]->len >= n));
}

static gboolean
take_traced (Gathering *g, guint dim, GError **error)
{
  const PdWeighting *w = g->weighting;

  if (is_traced (g, dim))
    {
      if (w->loads[dim] != NULL)
        return take_loads (g, dim, w->loads[dim], error);
      if (w->sizes[dim] != NULL)
        g->hints->sizes[dim] = g_array_ref (w->sizes[dim]);
      else
        g->weights[dim] = g_array_ref (w->weights[dim]);
    }
  else if (w != NULL && w->asked[dim] && get_size (g, dim) > 1)
    warn_ignored (g, dim, w->sizes[dim] != NULL,
                  w->function == PD_DVM_setelw_ && w->loads[dim] == NULL
                      ? "the loads of elements are not recorded (LoadWeightTrace=1)"
                      : "the trace has no list");
  return TRUE;
}

static gboolean
gather_dimension (Gathering *g, guint dim, guint axis, GError **error)
{
  const PdBlockList *other = NULL;
  const PdBlockList *list =
      g->dvm->options->blocks != NULL ? find_list (g, dim, axis, &other) : NULL;

  if (list != NULL)
    return take_list (g, dim, axis, list, error);
  if (other != NULL && get_size (g, dim) > 1 && !is_traced (g, dim))
    {
      warn_ignored (g, dim, other->kind == PD_BLOCK_SIZES, "the block file has no list");
      return TRUE;
    }
  return take_traced (g, dim, error);
}

/* All dimensions one after the other, as setpsw_ gets them; those that nobody
 * speaks of have ones. */
static gboolean
normalise (Gathering *g, GError **error)
{
  const PdGrid *grid = g->team->grid;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_autoptr (GError) cause = NULL;
  const gdouble one = 1;
  gboolean any = FALSE;

  for (guint d = 0; d < pd_grid_get_rank (grid); d++)
    {
      any = any || g->weights[d] != NULL;
      for (guint32 c = 0; c < get_size (g, d); c++)
        g_array_append_vals (
            all, g->weights[d] != NULL ? &g_array_index (g->weights[d], gdouble, c) : &one, 1);
    }
  return !any
         || pd_grid_normalise_weights (grid, (const gdouble *) (gconstpointer) all->data, all->len,
                                       g->hints->weights, &cause)
         || pd_dvm_fail (g->dvm, error, PD_DVM_MODEL_ERROR_PARAMETER, "%s", cause->message);
}

/* --weights-from-speed */
static void
follow_speeds (const Gathering *g)
{
  const PdGrid *grid = g->team->grid;
  const PdDvm *dvm = g->dvm;
  g_autofree gdouble *powers = g_new (gdouble, g->team->n);

  for (guint32 i = 0; i < g->team->n; i++)
    powers[i] = dvm->speeds[dvm->speed_of[pd_grid_get_processor (grid, i)]];
  pd_grid_scale_weights (grid, powers, g->hints->weights);
  g->hints->weights_ready = TRUE;
}

gboolean
pd_dvm_fill_hints (PdDvm *self, const PdView *view, PdTeam *team,
                   const PdDvmDistribution *distribution, PdBlockHints *hints, GError **error)
{
  Gathering g = { .dvm = self, .view = view, .team = team, .hints = hints };
  gboolean ok = TRUE;

  *hints = (PdBlockHints){ .divisor = { 0 } };
  for (guint i = 0; i < view->rank; i++)
    hints->divisor[i] = view->divisor[i];
  g.of_grid = view->weighting == NULL || view->weighting->team != team;
  g.weighting = g.of_grid ? g_hash_table_lookup (self->weightings, team) : view->weighting;
  for (guint d = 0; d < distribution->n && ok; d++)
    {
      gint64 axis = distribution->axes[d];
      if (axis >= 1 && axis <= view->rank)
        ok = gather_dimension (&g, d, (guint) axis - 1, error);
    }
  ok = ok && normalise (&g, error);
  if (ok && self->options->weights_from_speed && self->n_speeds > 1)
    follow_speeds (&g);
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    {
      g_clear_pointer (&g.weights[d], g_array_unref);
      hints->weights_of_grid[d] = g.of_grid && !g.by_file;
    }
  return ok;
}

void
pd_dvm_hints_clear (PdBlockHints *hints)
{
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    {
      g_clear_pointer (&hints->weights[d], g_array_unref);
      g_clear_pointer (&hints->sizes[d], g_array_unref);
    }
}

void
pd_dvm_warn_repairs (PdDvm *self, const PdLayout *layout)
{
  if ((pd_layout_get_repairs (layout) & PD_LAYOUT_BLOCK_CLIPPED) != 0)
    pd_dvm_warn (
        self, "block-clipped", NULL,
        "blocks extend beyond the end of a template's axis: the last block has the elements "
        "that the run-time system assigns to no processor");
}

/* ---- life */

void
pd_dvm_weights_init (PdDvm *self)
{
  const PdBlockFile *blocks = self->options->blocks;

  self->weightings = g_hash_table_new_full (NULL, NULL, NULL, pd_object_unref);
  if (blocks != NULL)
    self->seen_blocks = g_new0 (guint8, MAX (pd_block_file_get_n (blocks), 1));
}

void
pd_dvm_weights_clear (PdDvm *self)
{
  g_hash_table_unref (self->weightings);
  g_free (self->seen_blocks);
}

void
pd_dvm_weights_forget (PdDvm *self, PdTeam *team)
{
  if (team != NULL && team != self->initial)
    g_hash_table_remove (self->weightings, team);
}

void
pd_dvm_weights_finish (PdDvm *self)
{
  const PdBlockFile *blocks = self->options->blocks;

  for (guint i = 0; blocks != NULL && i < pd_block_file_get_n (blocks); i++)
    {
      const PdBlockList *list = pd_block_file_get (blocks, i);
      PdPlace place = PD_PLACE_NONE;
      if (self->seen_blocks[i])
        continue;
      place.file = pd_block_file_get_name (blocks);
      place.line = list->source_line;
      pd_messages_add (self->messages, PD_SEVERITY_WARNING, "blocks-unused", NULL, &place,
                       "a list for %s:%" G_GINT64_FORMAT ", where the program distributes "
                       "nothing along that dimension or axis",
                       list->file, list->line);
    }
}
