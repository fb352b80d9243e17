/* Objects of a DVM program in general; processor systems, templates.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-private.h"

/* ---- objects in general */

PdObject *
pd_object_ref (gpointer object)
{
  ((PdObject *) object)->refs++;
  return object;
}

void
pd_object_unref (gpointer data)
{
  PdObject *object = data;

  if (object == NULL || --object->refs > 0)
    return;
  if (object->free != NULL)
    object->free (object);
  g_free (object);
}

gpointer
pd_object_new (gsize size, GDestroyNotify free)
{
  PdObject *object = g_malloc0 (size);

  object->refs = 1;
  object->free = free;
  return object;
}

/* ---- parameters */

gint64
pd_dvm_get (PdDvm *self, PdDvmKey key, gint64 fallback)
{
  gint64 value;

  return pd_dvm_call_get (self->reader, key, &value) ? value : fallback;
}

gboolean
pd_dvm_need (PdDvm *self, PdDvmKey key, gint64 *value, GError **error)
{
  return pd_dvm_call_get (self->reader, key, value)
         || pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER, "parameter '%s' is missing",
                         pd_dvm_key_get_name (key));
}

const gint64 *
pd_dvm_need_array (PdDvm *self, PdDvmKey key, guint n, GError **error)
{
  guint have;
  const gint64 *values = pd_dvm_call_get_array (self->reader, key, &have);

  if (have >= n && values != NULL)
    return values;
  pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
               "parameter '%s' has %u elements, expected %u", pd_dvm_key_get_name (key), have, n);
  return NULL;
}

gboolean
pd_dvm_need_rank (PdDvm *self, guint maximum, guint *rank, GError **error)
{
  gint64 value;

  if (!pd_dvm_need (self, PD_DVM_KEY_Rank, &value, error))
    return FALSE;
  if (value < 1 || value > maximum)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "rank %" G_GINT64_FORMAT " is out of range, expected 1 to %u", value,
                        maximum);
  *rank = (guint) value;
  return TRUE;
}

gboolean
pd_dvm_layout_failed (PdDvm *self, GError *cause, GError **error)
{
  pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER, "%s", cause->message);
  g_error_free (cause);
  return FALSE;
}

/* ---- processor systems */

/* The members of @grid by speed class: those of class c are at ends[c - 1] to
 * ends[c] - 1, in order of the grid. */
static guint32 *
sort_by_speed (const PdDvm *self, const PdGrid *grid, guint32 *ends)
{
  guint32 n = pd_grid_get_n (grid);
  guint32 *members = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    ends[self->speed_of[pd_grid_get_processor (grid, i)]]++;
  for (guint c = 1; c < self->n_speeds; c++)
    ends[c] += ends[c - 1];
  for (guint32 i = n; i-- > 0;)
    {
      guint32 processor = pd_grid_get_processor (grid, i);
      members[--ends[self->speed_of[processor]]] = processor;
    }
  /* the ends have become the begins */
  for (guint c = 0; c < self->n_speeds; c++)
    ends[c] = c + 1 < self->n_speeds ? ends[c + 1] : n;
  return members;
}

PdTeam *
pd_team_new (PdDvm *self, PdGrid *grid)
{
  PdTeam *team = g_new0 (PdTeam, 1);
  guint32 n_all = pd_interval_tree_get_n_processors (self->tree);
  g_autofree guint32 *ends = g_new0 (guint32, self->n_speeds);
  g_autofree guint32 *members = sort_by_speed (self, grid, ends);

  team->refs = 1;
  team->grid = grid;
  team->n = pd_grid_get_n (grid);
  team->n_speeds = self->n_speeds;
  team->io = pd_grid_get_processor (grid, 0);
  team->sets = g_new (guint32, self->n_speeds);
  for (guint c = 0; c < self->n_speeds; c++)
    {
      guint32 begin = c == 0 ? 0 : ends[c - 1], k = ends[c] - begin;
      team->sets[c] =
          k == 0 ? G_MAXUINT32
                 : pd_interval_tree_add_set (self->tree, members + begin, k == n_all ? 0 : k);
    }
  return team;
}

PdTeam *
pd_dvm_need_team (PdDvm *self, PdDvmKey key, GError **error)
{
  gint64 id = pd_dvm_get (self, key, 0);
  PdTeam *team = id == 0 ? self->team : pd_dvm_find (self, PD_KIND_GRID, id);

  if (team == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "processor system '%s=%" G_GINT64_MODIFIER "x' does not exist",
                 pd_dvm_key_get_name (key), (guint64) id);
  return team;
}

/* Names the result of a creating call. */
static gboolean
name_grid (PdDvm *self, PdTeam *team, gboolean is_new, GError **error)
{
  gint64 id;

  if (!pd_dvm_call_get_ret (self->reader, PD_DVM_KEY_PSRef, &id))
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER, "the result 'PSRef' is missing");
  if (id != 0)
    pd_dvm_store (self, PD_KIND_GRID, id, pd_team_ref (team), is_new);
  return TRUE;
}

gboolean
pd_dvm_getps (PdDvm *self, GError **error)
{
  gint64 am = pd_dvm_get (self, PD_DVM_KEY_AMRef, 0);
  const PdAm *machine = am == 0 || am == -1 ? NULL : pd_dvm_need_am (self, am, error);

  if (machine == NULL && am != 0 && am != -1)
    return FALSE;
  if (am == 0)
    return name_grid (self, self->team, FALSE, error);
  return name_grid (self, machine != NULL && machine->team != NULL ? machine->team : self->initial,
                    FALSE, error);
}

gboolean
pd_dvm_crtps (PdDvm *self, GError **error)
{
  PdTeam *parent = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
  GError *cause = NULL;

  if (parent == NULL)
    return FALSE;
  guint rank = pd_grid_get_rank (parent->grid);
  const gint64 *first = pd_dvm_need_array (self, PD_DVM_KEY_InitIndexArray, 1, error);
  const gint64 *last =
      first == NULL ? NULL : pd_dvm_need_array (self, PD_DVM_KEY_LastIndexArray, 1, error);
  if (last == NULL)
    return FALSE;

  guint n_first, n_last;
  gint64 lo[PD_MAX_GRID_RANK] = { 0 }, hi[PD_MAX_GRID_RANK] = { 0 };
  gboolean is_single = TRUE;
  pd_dvm_call_get_array (self->reader, PD_DVM_KEY_InitIndexArray, &n_first);
  pd_dvm_call_get_array (self->reader, PD_DVM_KEY_LastIndexArray, &n_last);
  for (guint d = 0; d < rank; d++)
    {
      lo[d] = d < n_first ? first[d] : 0;
      hi[d] = d < n_last ? last[d] : 0;
      is_single = is_single && lo[d] == 0 && hi[d] == 0;
    }
  if (is_single && parent->n > 1 && self->traced_processors == 1)
    pd_dvm_warn (self, "task-layout", NULL,
                 "the processors of this sub-system are those of a run on one processor; record "
                 "the program with IsUserPS=1");
  PdGrid *grid = pd_grid_new_part (parent->grid, lo, hi, &cause);
  if (grid == NULL)
    return pd_dvm_layout_failed (self, cause, error);
  PdTeam *team = pd_team_new (self, grid);
  gboolean ok = name_grid (self, team, TRUE, error);
  pd_team_unref (team);
  return ok;
}

/* In a trace of one processor a view shows the sizes of that one: then the
 * first dimension takes all processors. */
static void
adapt_view (PdDvm *self, const PdTeam *parent, guint rank, const gint64 *sizes, gint64 *adapted)
{
  gboolean is_single = TRUE;

  for (guint d = 0; d < rank; d++)
    {
      adapted[d] = sizes[d];
      is_single = is_single && sizes[d] == 1;
    }
  if (!is_single || parent->n == 1)
    return;
  adapted[0] = parent->n;
  pd_dvm_warn (self, "view-layout", NULL,
               "the shape of this processor system is that of a run on one processor; %u "
               "processors are taken in its first dimension",
               parent->n);
}

gboolean
pd_dvm_psview (PdDvm *self, GError **error)
{
  PdTeam *parent = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
  GError *cause = NULL;
  gint64 adapted[PD_MAX_GRID_RANK];
  guint rank;

  if (parent == NULL || !pd_dvm_need_rank (self, PD_MAX_GRID_RANK, &rank, error))
    return FALSE;
  const gint64 *sizes = pd_dvm_need_array (self, PD_DVM_KEY_SizeArray, rank, error);
  if (sizes == NULL)
    return FALSE;
  adapt_view (self, parent, rank, sizes, adapted);
  PdGrid *grid = pd_grid_new_view (parent->grid, rank, adapted, &cause);
  if (grid == NULL)
    return pd_dvm_layout_failed (self, cause, error);
  PdTeam *team = pd_team_new (self, grid);
  gboolean ok = name_grid (self, team, TRUE, error);
  pd_team_unref (team);
  return ok;
}

/* ---- templates */

static void
view_free (gpointer object)
{
  PdView *view = object;

  g_clear_pointer (&view->layout, pd_layout_unref);
  pd_team_unref (view->team);
  pd_object_unref (view->weighting);
}

PdView *
pd_dvm_view_copy (const PdView *old)
{
  PdView *view = pd_object_new (sizeof *view, view_free);
  PdObject base = view->base;

  *view = *old;
  view->base = base;
  view->layout = old->layout == NULL ? NULL : pd_layout_ref (old->layout);
  view->team = old->team == NULL ? NULL : pd_team_ref (old->team);
  view->weighting = old->weighting == NULL ? NULL : (gpointer) pd_object_ref (old->weighting);
  return view;
}

PdView *
pd_dvm_need_view (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_AMViewRef, id, error))
    return NULL;
  PdView *view = pd_dvm_find (self, PD_KIND_VIEW, *id);
  if (view == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "template 'AMViewRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) *id);
  return view;
}

gboolean
pd_dvm_crtamv (PdDvm *self, GError **error)
{
  guint rank;
  gint64 id;

  if (!pd_dvm_need_rank (self, PD_MAX_RANK, &rank, error)
      || !pd_dvm_need (self, PD_DVM_KEY_AMViewRef, &id, error))
    return FALSE;
  const gint64 *sizes = pd_dvm_need_array (self, PD_DVM_KEY_SizeArray, rank, error);
  if (sizes == NULL)
    return FALSE;
  PdView *view = pd_object_new (sizeof *view, view_free);
  view->rank = rank;
  view->serial = ++self->last_view;
  for (guint i = 0; i < rank; i++)
    {
      view->sizes[i] = sizes[i];
      view->divisor[i] = 1;
    }
  pd_dvm_placed_forget (self, id);
  pd_dvm_store (self, PD_KIND_VIEW, id, view, TRUE);
  return TRUE;
}

gboolean
pd_dvm_blkdiv (PdDvm *self, GError **error)
{
  gint64 id;
  guint n;
  const PdView *old = pd_dvm_need_view (self, &id, error);

  if (old == NULL)
    return FALSE;
  const gint64 *divisors = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_AMVAxisDiv, &n);
  PdView *view = pd_dvm_view_copy (old);
  for (guint i = 0; i < view->rank; i++)
    view->divisor[i] = i < n ? divisors[i] : 1;
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
  return TRUE;
}

/* AxisArray and DistrParamArray of the record, kept in @view. */
static gboolean
read_distribution (PdDvm *self, PdView *view, GError **error)
{
  guint rank = pd_grid_get_rank (view->team->grid);
  gint64 count;

  if (!pd_dvm_need (self, PD_DVM_KEY_ParamCount, &count, error))
    return FALSE;
  if (count < 0 || count > rank)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_GRID,
                        "the template is distributed over %" G_GINT64_FORMAT
                        " dimensions, the processor grid has %u",
                        count, rank);
  view->n_params = (guint) count;
  if (count == 0)
    return TRUE;
  const gint64 *axes = pd_dvm_need_array (self, PD_DVM_KEY_AxisArray, view->n_params, error);
  if (axes == NULL)
    return FALSE;
  const gint64 *params =
      pd_dvm_need_array (self, PD_DVM_KEY_DistrParamArray, view->n_params, error);
  if (params == NULL)
    return FALSE;
  for (guint d = 0; d < view->n_params; d++)
    {
      view->axes[d] = axes[d];
      view->params[d] = params[d];
    }
  return TRUE;
}

/* @view gets what a map remembers of a distribution. */
static void
follow (PdView *view, const PdView *map)
{
  view->n_params = map->n_params;
  for (guint d = 0; d < map->n_params; d++)
    {
      view->axes[d] = map->axes[d];
      view->params[d] = map->params[d];
    }
  for (guint i = 0; i < map->rank; i++)
    view->divisor[i] = map->divisor[i];
  pd_object_unref (view->weighting);
  view->weighting = map->weighting == NULL ? NULL : (gpointer) pd_object_ref (map->weighting);
}

/* The layout of @view by its parameters, on its processor system. */
static gboolean
distribute (PdDvm *self, PdView *view, GError **error)
{
  const PdDistribution distribution = { view->n_params, view->axes, view->params };
  g_auto (PdBlockHints) hints = { .divisor = { 0 } };
  GError *cause = NULL;

  if (!pd_dvm_fill_hints (self, view, view->team, &distribution, &hints, error))
    return FALSE;
  g_clear_pointer (&view->layout, pd_layout_unref);
  view->layout = pd_layout_new_distributed (view->team->grid, view->rank, view->sizes,
                                            &distribution, &hints, &cause);
  if (view->layout == NULL)
    return pd_dvm_layout_failed (self, cause, error);
  pd_dvm_warn_repairs (self, view->layout);
  return TRUE;
}

PdView *
pd_dvm_view_distribute (PdDvm *self, const PdView *old, const PdView *map, GError **error)
{
  PdTeam *team = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);

  if (team == NULL)
    return NULL;
  PdView *view = pd_dvm_view_copy (old);
  pd_team_unref (view->team);
  view->team = pd_team_ref (team);
  if (map != NULL)
    follow (view, map);
  if ((map != NULL || read_distribution (self, view, error)) && distribute (self, view, error))
    return view;
  pd_object_unref (view);
  return NULL;
}

gboolean
pd_dvm_distr (PdDvm *self, GError **error)
{
  gint64 id;
  const PdView *old = pd_dvm_need_view (self, &id, error);
  PdView *view = old == NULL ? NULL : pd_dvm_view_distribute (self, old, NULL, error);

  if (view == NULL)
    return FALSE;
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
  return TRUE;
}
