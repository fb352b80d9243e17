/* Objects of a DVM program: processor systems, templates, arrays; their
 * versions and the contexts they die with.
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

static gboolean
need_rank (PdDvm *self, guint maximum, guint *rank, GError **error)
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

/* An error of the layout module gets the place it lacks. */
static gboolean
layout_failed (PdDvm *self, GError *cause, GError **error)
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
    return layout_failed (self, cause, error);
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

  if (parent == NULL || !need_rank (self, PD_MAX_GRID_RANK, &rank, error))
    return FALSE;
  const gint64 *sizes = pd_dvm_need_array (self, PD_DVM_KEY_SizeArray, rank, error);
  if (sizes == NULL)
    return FALSE;
  adapt_view (self, parent, rank, sizes, adapted);
  PdGrid *grid = pd_grid_new_view (parent->grid, rank, adapted, &cause);
  if (grid == NULL)
    return layout_failed (self, cause, error);
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

static PdView *
need_view (PdDvm *self, gint64 *id, GError **error)
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

  if (!need_rank (self, PD_MAX_RANK, &rank, error)
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
  pd_dvm_store (self, PD_KIND_VIEW, id, view, TRUE);
  return TRUE;
}

gboolean
pd_dvm_blkdiv (PdDvm *self, GError **error)
{
  gint64 id;
  guint n;
  const PdView *old = need_view (self, &id, error);

  if (old == NULL)
    return FALSE;
  const gint64 *divisors = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_AMVAxisDiv, &n);
  PdView *view = pd_dvm_view_copy (old);
  for (guint i = 0; i < view->rank; i++)
    view->divisor[i] = i < n ? divisors[i] : 1;
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
  return TRUE;
}

gboolean
pd_dvm_distr (PdDvm *self, GError **error)
{
  g_auto (PdBlockHints) hints = { .divisor = { 0 } };
  GError *cause = NULL;
  gint64 id, count;
  const PdView *old = need_view (self, &id, error);
  PdTeam *team = old == NULL ? NULL : pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);

  if (team == NULL || !pd_dvm_need (self, PD_DVM_KEY_ParamCount, &count, error))
    return FALSE;
  if (count < 0 || count > pd_grid_get_rank (team->grid))
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_GRID,
                        "the template is distributed over %" G_GINT64_FORMAT
                        " dimensions, the processor grid has %u",
                        count, pd_grid_get_rank (team->grid));
  PdDistribution distribution = { .n = (guint) count };
  if (count > 0)
    {
      distribution.axes = pd_dvm_need_array (self, PD_DVM_KEY_AxisArray, (guint) count, error);
      if (distribution.axes == NULL)
        return FALSE;
      distribution.params =
          pd_dvm_need_array (self, PD_DVM_KEY_DistrParamArray, (guint) count, error);
      if (distribution.params == NULL)
        return FALSE;
    }
  if (!pd_dvm_fill_hints (self, old, team, &distribution, &hints, error))
    return FALSE;
  PdLayout *layout =
      pd_layout_new_distributed (team->grid, old->rank, old->sizes, &distribution, &hints, &cause);
  if (layout == NULL)
    return layout_failed (self, cause, error);
  pd_dvm_warn_repairs (self, layout);
  PdView *view = pd_dvm_view_copy (old);
  g_clear_pointer (&view->layout, pd_layout_unref);
  pd_team_unref (view->team);
  view->layout = layout;
  view->team = pd_team_ref (team);
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
  return TRUE;
}

/* ---- arrays */

static void
array_free (gpointer object)
{
  PdArray *array = object;

  g_clear_pointer (&array->layout, pd_layout_unref);
  pd_team_unref (array->team);
}

/* Sizes of the type codes that stand for a TypeSize <= 0, spec 10 section 5.5. */
static gint64
type_size_of (gint64 type)
{
  static const gint64 sizes[] = { 1, 4, 8, 4, 8, 8, 16, 4, 8 };

  return type > 0 ? type : -type < (gint64) G_N_ELEMENTS (sizes) ? sizes[-type] : 8;
}

static void
store_array (PdDvm *self, PdArray *array, gboolean is_new)
{
  if (array->header != 0)
    pd_dvm_store (self, PD_KIND_HEADER, array->header, pd_object_ref (array), FALSE);
  pd_dvm_store (self, PD_KIND_ARRAY, array->handle, array, is_new);
}

/* Widths of shadow edges; none given are 0. */
static void
read_widths (PdDvm *self, PdDvmKey key, guint rank, gint64 *widths)
{
  guint n;
  const gint64 *given = pd_dvm_call_get_array (self->reader, key, &n);

  for (guint i = 0; i < MIN (rank, n); i++)
    widths[i] = MAX (given[i], 0);
}

gboolean
pd_dvm_crtda (PdDvm *self, GError **error)
{
  gint64 handle, type = pd_dvm_get (self, PD_DVM_KEY_TypeSize, 8);
  guint rank;

  if (!need_rank (self, PD_MAX_RANK, &rank, error)
      || !pd_dvm_need (self, PD_DVM_KEY_ArrayHandlePtr, &handle, error))
    return FALSE;
  const gint64 *sizes = pd_dvm_need_array (self, PD_DVM_KEY_SizeArray, rank, error);
  if (sizes == NULL)
    return FALSE;
  if (type < -G_MAXINT16 || type > G_MAXINT32)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "elements of %" G_GINT64_FORMAT " bytes", type);
  PdArray *array = pd_object_new (sizeof *array, array_free);
  array->handle = handle;
  array->header = pd_dvm_get (self, PD_DVM_KEY_ArrayHeader, 0);
  array->rank = rank;
  array->type_size = type_size_of (type);
  for (guint i = 0; i < rank; i++)
    array->sizes[i] = sizes[i];
  read_widths (self, PD_DVM_KEY_LowShdWidthArray, rank, array->low);
  read_widths (self, PD_DVM_KEY_HiShdWidthArray, rank, array->high);
  store_array (self, array, TRUE);
  return TRUE;
}

/* A buffer is an array whose place is not modelled. */
gboolean
pd_dvm_crtbuffer (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  gboolean is_array = self->call->function == PD_DVM_crtrda_;
  gint64 handle =
      pd_dvm_get (self, is_array ? PD_DVM_KEY_ArrayHandlePtr : PD_DVM_KEY_BufferHandlePtr, 0);

  if (handle == 0)
    return TRUE;
  PdArray *array = pd_object_new (sizeof *array, array_free);
  array->opaque = TRUE;
  array->handle = handle;
  array->header = pd_dvm_get (self, is_array ? PD_DVM_KEY_ArrayHeader : PD_DVM_KEY_BufferHeader, 0);
  store_array (self, array, TRUE);
  return TRUE;
}

PdArray *
pd_dvm_find_array (PdDvm *self, PdDvmKey handle_key, PdDvmKey header_key)
{
  gint64 handle = pd_dvm_get (self, handle_key, 0), header = pd_dvm_get (self, header_key, 0);
  PdArray *array = handle != 0 ? pd_dvm_find (self, PD_KIND_ARRAY, handle) : NULL;

  return array == NULL && header != 0 ? pd_dvm_find (self, PD_KIND_HEADER, header) : array;
}

PdArray *
pd_dvm_need_array_object (PdDvm *self, GError **error)
{
  PdArray *array = pd_dvm_find_array (self, PD_DVM_KEY_ArrayHandlePtr, PD_DVM_KEY_ArrayHeader);

  if (array == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "array 'ArrayHandlePtr=%" G_GINT64_MODIFIER "x' does not exist",
                 (guint64) pd_dvm_get (self, PD_DVM_KEY_ArrayHandlePtr, 0));
  return array;
}

/* The pattern of align_ and mappl_: an array, or else a template. */
gboolean
pd_dvm_need_pattern (PdDvm *self, PdPattern *pattern, GError **error)
{
  gint64 id;
  int is_array = pd_dvm_call_pattern_is_array (self->reader);

  if (!pd_dvm_need (self, PD_DVM_KEY_PatternRef, &id, error))
    return FALSE;
  *pattern = (PdPattern){ .layout = NULL };
  const PdArray *array =
      is_array == 0 ? NULL
                    : pd_dvm_find_array (self, PD_DVM_KEY_PatternRef, PD_DVM_KEY_PatternRefPtr);
  const PdView *view = is_array == 1 ? NULL : pd_dvm_find (self, PD_KIND_VIEW, id);
  if (array != NULL)
    *pattern = (PdPattern){ array->layout, array->team, TRUE };
  else if (view != NULL)
    *pattern = (PdPattern){ view->layout, view->team, FALSE };
  else
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "pattern 'PatternRef=%" G_GINT64_MODIFIER "x' does not exist",
                        (guint64) id);
  if (pattern->layout == NULL)
    pd_dvm_warn (self, "pattern-not-mapped", self->call->name,
                 "'%s' uses a pattern whose distribution is not modelled", self->call->name);
  return TRUE;
}

gboolean
pd_dvm_need_alignment (PdDvm *self, const PdPattern *pattern, PdAlignment *alignment,
                       GError **error)
{
  guint n = pd_layout_get_rank (pattern->layout);

  alignment->n = n;
  alignment->axes = pd_dvm_need_array (self, PD_DVM_KEY_AxisArray, n, error);
  if (alignment->axes == NULL)
    return FALSE;
  alignment->coeffs = pd_dvm_need_array (self, PD_DVM_KEY_CoeffArray, n, error);
  if (alignment->coeffs == NULL)
    return FALSE;
  alignment->consts = pd_dvm_need_array (self, PD_DVM_KEY_ConstArray, n, error);
  return alignment->consts != NULL;
}

gboolean
pd_dvm_align (PdDvm *self, GError **error)
{
  PdArray *old = pd_dvm_need_array_object (self, error);
  PdAlignment alignment;
  PdPattern pattern;
  GError *cause = NULL;

  if (old == NULL || !pd_dvm_need_pattern (self, &pattern, error))
    return FALSE;
  if (pattern.layout == NULL || old->opaque)
    return TRUE;
  if (!pd_dvm_need_alignment (self, &pattern, &alignment, error))
    return FALSE;
  PdLayout *layout =
      pd_layout_new_aligned (pattern.layout, old->rank, old->sizes, &alignment, &cause);
  if (layout == NULL)
    return layout_failed (self, cause, error);

  PdArray *array = pd_object_new (sizeof *array, array_free);
  PdObject base = array->base;
  *array = *old;
  array->base = base;
  array->layout = layout;
  array->team = pd_team_ref (pattern.team);
  store_array (self, array, FALSE);
  return TRUE;
}

/* ---- deletion, blocks */

static const struct
{
  PdDvmFunction function;
  PdDvmKey key;
  PdObjectKind kind; /* PD_N_KINDS: whatever has that reference */
} deletions[] = {
  { PD_DVM_delobj_, PD_DVM_KEY_ObjectRef, PD_N_KINDS },
  { PD_DVM_delps_, PD_DVM_KEY_PSRef, PD_KIND_GRID },
  { PD_DVM_delamv_, PD_DVM_KEY_AMViewRef, PD_KIND_VIEW },
  { PD_DVM_delda_, PD_DVM_KEY_ArrayHandlePtr, PD_KIND_ARRAY },
  { PD_DVM_delred_, PD_DVM_KEY_RedRef, PD_KIND_REDVAR },
  { PD_DVM_delrg_, PD_DVM_KEY_RedGroupRef, PD_KIND_REDGROUP },
  { PD_DVM_delshg_, PD_DVM_KEY_ShadowGroupRef, PD_KIND_SHADOW },
  { PD_DVM_delrb_, PD_DVM_KEY_BufferHandlePtr, PD_KIND_ARRAY },
  { PD_DVM_delib_, PD_DVM_KEY_BufferHandlePtr, PD_N_KINDS },
};

static void
delete_group_members (PdDvm *self, gint64 id)
{
  const PdRedGroup *group = pd_dvm_find (self, PD_KIND_REDGROUP, id);

  for (guint i = 0; group != NULL && group->deletes_vars && i < group->var_ids->len; i++)
    pd_dvm_delete (self, PD_KIND_REDVAR, g_array_index (group->var_ids, gint64, i));
}

/* What is unknown was made inside the run-time, or is gone: no error. */
gboolean
pd_dvm_delete_object (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (deletions); i++)
    {
      if (deletions[i].function != self->call->function)
        continue;
      gint64 id = pd_dvm_get (self, deletions[i].key, 0);
      if (deletions[i].kind == PD_KIND_REDGROUP || deletions[i].kind == PD_N_KINDS)
        delete_group_members (self, id);
      for (PdObjectKind kind = 0; kind < PD_N_KINDS; kind++)
        if (deletions[i].kind == kind || deletions[i].kind == PD_N_KINDS)
          pd_dvm_delete (self, kind, id);
    }
  return TRUE;
}

gboolean
pd_dvm_begbl (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  pd_dvm_context_open (self, 0);
  return TRUE;
}

/* Loops that were left by a jump end with their block. */
gboolean
pd_dvm_endbl (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  while (self->contexts->len > self->context_base)
    {
      gboolean is_loop = pd_dvm_context_get_loop (self) != 0;
      pd_dvm_context_close (self);
      if (!is_loop)
        break;
    }
  return TRUE;
}
