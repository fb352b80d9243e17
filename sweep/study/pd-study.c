/* SPDX-License-Identifier: MIT */

#include "base/pd-text.h"
#include "sweep/study/pd-sobol.h"
#include "sweep/study/pd-study-values-private.h"

#include <string.h>

G_DEFINE_QUARK (pd_study_error_quark, pd_study_error)

G_STATIC_ASSERT (PD_STUDY_MAX_AXES <= PD_SOBOL_MAX_DIMENSIONS);

const char *
pd_axis_kind_name (PdAxisKind kind)
{
  static const char *const names[PD_N_AXIS_KINDS] = { "word", "number", "grid" };

  return names[kind];
}

static void
axis_free (gpointer data)
{
  PdAxis *axis = data;

  g_free (axis->name);
  g_free (axis->unit);
  g_free (axis->range);
  g_free (axis->suffix);
  g_ptr_array_unref (axis->texts);
  g_array_unref (axis->numbers);
  g_free (axis);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAxis, axis_free)

static void
parameter_clear (gpointer data)
{
  PdParameter *parameter = data;

  g_free (parameter->name);
  g_free (parameter->value);
}

PdStudy *
pd_study_new (const PdStudyNames *names)
{
  PdStudy *self = g_new0 (PdStudy, 1);

  self->names = names;
  self->parameters = g_array_new (FALSE, FALSE, sizeof (PdParameter));
  g_array_set_clear_func (self->parameters, parameter_clear);
  self->axes = g_ptr_array_new_with_free_func (axis_free);
  self->indices = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->found = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref);
  return self;
}

void
pd_study_free (PdStudy *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->parameters);
  g_ptr_array_unref (self->found);
  g_ptr_array_unref (self->axes);
  g_array_unref (self->indices);
  g_free (self);
}

/* ---- making one */

/* Text that can be written as XML, and is read back unchanged. */
static gboolean
is_text (const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      return FALSE;
  return pd_text_find_forbidden (text, strlen (text)) == NULL;
}

static gboolean
check_name (const PdStudy *self, const char *name, GError **error)
{
  gboolean is_name = *name != '\0' && is_text (name);

  if (is_name && pd_study_find (self, name) == NULL && pd_study_find_axis (self, name) == NULL)
    return TRUE;
  if (!is_name)
    g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                 "a parameter without a name, or with one that is no text");
  else
    g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "'%s' is given twice", name);
  return FALSE;
}

static gboolean
check_text (const char *name, const char *text, GError **error)
{
  if (is_text (text))
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
               "'%s': the value '%s' is not UTF-8, or has characters that XML cannot hold", name,
               text);
  return FALSE;
}

gboolean
pd_study_set (PdStudy *self, const char *name, const char *value, GError **error)
{
  g_return_val_if_fail (!self->complete, FALSE);

  if (!check_name (self, name, error) || !check_text (name, value, error))
    return FALSE;
  const PdParameter parameter = { g_strdup (name), g_strdup (value) };
  g_array_append_val (self->parameters, parameter);
  return TRUE;
}

static PdAxis *
axis_new (const PdStudy *self, const char *name, GError **error)
{
  PdAxis *axis;

  if (!check_name (self, name, error))
    return NULL;
  if (self->axes->len == PD_STUDY_MAX_AXES)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_SIZE, "more than %d axes",
                   PD_STUDY_MAX_AXES);
      return NULL;
    }
  axis = g_new0 (PdAxis, 1);
  axis->name = g_strdup (name);
  axis->unit = g_strdup ("");
  axis->texts = g_ptr_array_new_with_free_func (g_free);
  axis->numbers = g_array_new (FALSE, TRUE, sizeof (gdouble));
  return axis;
}

/* The values of @text by the rules of the axis' name, or by the general ones. */
static gboolean
expand (const PdStudy *self, PdAxis *axis, const char *text, gboolean as_it_is, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (self->names != NULL && self->names->expand (self, text, axis, &local))
    {
      if (local == NULL)
        return TRUE;
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "axis '%s': %s", axis->name,
                   local->message);
      return FALSE;
    }
  if (!as_it_is)
    return pd_axis_expand (axis, text, error);
  if (text[strspn (text, " ")] == '\0')
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "axis '%s': an empty value",
                   axis->name);
      return FALSE;
    }
  pd_axis_add (axis, text);
  return TRUE;
}

gboolean
pd_study_add_axis (PdStudy *self, const char *name, const char *text, GError **error)
{
  g_autoptr (PdAxis) axis = NULL;

  g_return_val_if_fail (!self->complete, FALSE);

  axis = axis_new (self, name, error);
  if (axis == NULL || !check_text (name, text, error) || !expand (self, axis, text, FALSE, error))
    return FALSE;
  g_ptr_array_add (self->axes, g_steal_pointer (&axis));
  return TRUE;
}

gboolean
pd_study_add_axis_values (PdStudy *self, const char *name, const char *const *values, guint n,
                          GError **error)
{
  g_autoptr (PdAxis) axis = NULL;

  g_return_val_if_fail (!self->complete, FALSE);

  axis = axis_new (self, name, error);
  for (guint i = 0; axis != NULL && i < n; i++)
    if (!check_text (name, values[i], error) || !expand (self, axis, values[i], TRUE, error))
      return FALSE;
  if (axis == NULL)
    return FALSE;
  g_ptr_array_add (self->axes, g_steal_pointer (&axis));
  return TRUE;
}

/* The number of @value among the values of axis @i, which it is added to. */
static gboolean
find_value (PdStudy *self, guint i, const char *value, guint32 *number, GError **error)
{
  PdAxis *axis = g_ptr_array_index (self->axes, i);
  GHashTable *found = g_ptr_array_index (self->found, i);
  g_autofree char *text = g_strstrip (g_strdup (value));
  gpointer known = g_hash_table_lookup (found, text);

  if (known != NULL)
    {
      *number = GPOINTER_TO_UINT (known) - 1;
      return TRUE;
    }
  guint before = axis->texts->len;
  if (!check_text (axis->name, text, error) || !expand (self, axis, text, TRUE, error))
    return FALSE;
  if (axis->texts->len != before + 1)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                   "axis '%s': '%s': one value is expected of a point", axis->name, text);
      return FALSE;
    }
  g_hash_table_insert (found, g_steal_pointer (&text), GUINT_TO_POINTER (before + 1));
  *number = before;
  return TRUE;
}

gboolean
pd_study_add_point (PdStudy *self, const char *const *values, guint n, GError **error)
{
  g_return_val_if_fail (!self->complete, FALSE);

  if (n != self->axes->len || n == 0)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                   "a point has %u values, expected %u, one for each axis", n, self->axes->len);
      return FALSE;
    }
  self->kind = PD_POINTS_LIST;
  while (self->found->len < n)
    {
      const PdAxis *axis = g_ptr_array_index (self->axes, self->found->len);
      if (axis->texts->len > 0 || axis->range != NULL)
        {
          g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                       "axis '%s' has values of its own, and points are listed", axis->name);
          return FALSE;
        }
      g_ptr_array_add (self->found, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL));
    }
  for (guint i = 0; i < n; i++)
    {
      guint32 number;
      if (!find_value (self, i, values[i], &number, error))
        return FALSE;
      g_array_append_val (self->indices, number);
    }
  return TRUE;
}

gboolean
pd_study_set_sample (PdStudy *self, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n = g_strv_length (parts);
  guint64 n_points = 0, seed = 0;

  g_return_val_if_fail (!self->complete, FALSE);

  if ((n != 2 && n != 3) || strcmp (parts[0], "sobol") != 0
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, G_MAXINT64, &n_points, NULL)
      || (n == 3 && !g_ascii_string_to_unsigned (parts[2], 10, 0, G_MAXUINT32, &seed, NULL)))
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                   "sample '%s': expected sobol:N with N points, or sobol:N:SEED", text);
      return FALSE;
    }
  if (self->kind != PD_POINTS_PRODUCT)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                   "points are given twice: a sample besides a list or another sample");
      return FALSE;
    }
  self->kind = PD_POINTS_SOBOL;
  self->n_sample = (gint64) n_points;
  self->seed = (guint32) seed;
  return TRUE;
}

void
pd_study_set_per_processor (PdStudy *self, gboolean per_processor)
{
  self->per_processor = per_processor;
}

/* ---- its points */

static gboolean
check_limit (gint64 n, gint64 limit, GError **error)
{
  if (n <= MIN (limit, PD_STUDY_MAX_POINTS))
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_SIZE,
               "the study has %s%" G_GINT64_FORMAT " points, more than %" G_GINT64_FORMAT,
               n == G_MAXINT64 ? "more than " : "", n, MIN (limit, PD_STUDY_MAX_POINTS));
  return FALSE;
}

static gboolean
check_axes (const PdStudy *self, GError **error)
{
  for (guint i = 0; i < self->axes->len; i++)
    {
      const PdAxis *axis = g_ptr_array_index (self->axes, i);
      if (axis->texts->len == 0 && axis->range == NULL)
        g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "axis '%s' has no values",
                     axis->name);
      else if (axis->range != NULL && self->kind != PD_POINTS_SOBOL)
        g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                     "axis '%s': '%s' does not say how many values, as only a sample can do",
                     axis->name, axis->range);
      else
        continue;
      return FALSE;
    }
  if (self->axes->len > 0)
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "the study has no axes");
  return FALSE;
}

static gint64
count_product (const PdStudy *self)
{
  gint64 n = 1;

  for (guint i = 0; i < self->axes->len; i++)
    {
      const PdAxis *axis = g_ptr_array_index (self->axes, i);
      if (__builtin_mul_overflow (n, (gint64) axis->texts->len, &n))
        return G_MAXINT64;
    }
  return n;
}

/* The number of the value at the share @u of axis @i; of a range a new one, or the one
 * before that is the same. */
static guint32
pick_value (PdAxis *axis, GHashTable *known, gdouble u)
{
  if (axis->range == NULL)
    return (guint32) (u * axis->texts->len);
  g_autofree char *text = pd_axis_sample (axis, u);
  gpointer number = g_hash_table_lookup (known, text);
  if (number != NULL)
    return GPOINTER_TO_UINT (number) - 1;
  pd_axis_add (axis, text);
  g_hash_table_insert (known, g_ptr_array_index (axis->texts, axis->texts->len - 1),
                       GUINT_TO_POINTER (axis->texts->len));
  return axis->texts->len - 1;
}

/* Points that fall together are one point. */
static void
make_sample (PdStudy *self)
{
  guint n = self->axes->len;
  g_autoptr (GHashTable) points =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  g_autoptr (GPtrArray) known =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref);
  gdouble u[PD_STUDY_MAX_AXES];
  guint32 row[PD_STUDY_MAX_AXES];
  PdSobol sobol;

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (known, g_hash_table_new (g_str_hash, g_str_equal));
  pd_sobol_init (&sobol, n, self->seed);
  for (gint64 point = 0; point < self->n_sample; point++)
    {
      pd_sobol_next (&sobol, u);
      for (guint i = 0; i < n; i++)
        row[i] = pick_value (g_ptr_array_index (self->axes, i), g_ptr_array_index (known, i), u[i]);
      if (g_hash_table_add (points, g_bytes_new (row, n * sizeof *row)))
        g_array_append_vals (self->indices, row, n);
    }
  self->n_points = self->indices->len / n;
}

static int
compare_parameters (gconstpointer a, gconstpointer b)
{
  return strcmp (((const PdParameter *) a)->name, ((const PdParameter *) b)->name);
}

gboolean
pd_study_complete (PdStudy *self, gint64 limit, GError **error)
{
  g_return_val_if_fail (!self->complete, FALSE);

  if (!check_axes (self, error))
    return FALSE;
  gint64 n = self->kind == PD_POINTS_PRODUCT ? count_product (self)
             : self->kind == PD_POINTS_SOBOL ? self->n_sample
                                             : self->indices->len / self->axes->len;
  if (!check_limit (n, limit, error))
    return FALSE;
  self->n_points = n;
  if (self->kind == PD_POINTS_SOBOL)
    make_sample (self);
  for (guint i = 0; i < self->axes->len; i++)
    pd_axis_measure (g_ptr_array_index (self->axes, i));
  g_array_sort (self->parameters, compare_parameters);
  self->complete = TRUE;
  return TRUE;
}

/* ---- asking one */

gint64
pd_study_get_n_points (const PdStudy *self)
{
  return self->n_points;
}

guint
pd_study_get_n_axes (const PdStudy *self)
{
  return self->axes->len;
}

const PdAxis *
pd_study_get_axis (const PdStudy *self, guint i)
{
  g_return_val_if_fail (i < self->axes->len, NULL);

  return g_ptr_array_index (self->axes, i);
}

const PdAxis *
pd_study_find_axis (const PdStudy *self, const char *name)
{
  for (guint i = 0; i < self->axes->len; i++)
    {
      const PdAxis *axis = g_ptr_array_index (self->axes, i);
      if (strcmp (axis->name, name) == 0)
        return axis;
    }
  return NULL;
}

const GArray *
pd_study_get_parameters (const PdStudy *self)
{
  return self->parameters;
}

const char *
pd_study_find (const PdStudy *self, const char *name)
{
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const PdParameter *parameter = &g_array_index (self->parameters, PdParameter, i);
      if (strcmp (parameter->name, name) == 0)
        return parameter->value;
    }
  return NULL;
}

PdPointsKind
pd_study_get_kind (const PdStudy *self)
{
  return self->kind;
}

gboolean
pd_study_get_per_processor (const PdStudy *self)
{
  return self->per_processor;
}

guint32
pd_study_get_value (const PdStudy *self, gint64 point, guint axis)
{
  guint n = self->axes->len;

  g_return_val_if_fail (point >= 0 && point < self->n_points && axis < n, 0);

  if (self->kind != PD_POINTS_PRODUCT)
    return g_array_index (self->indices, guint32, (gsize) point * n + axis);
  for (guint i = n - 1; i > axis; i--)
    point /= pd_study_get_axis (self, i)->texts->len;
  return (guint32) (point % pd_study_get_axis (self, axis)->texts->len);
}

const char *
pd_study_get_text (const PdStudy *self, gint64 point, guint axis)
{
  guint32 value = pd_study_get_value (self, point, axis);

  return g_ptr_array_index (pd_study_get_axis (self, axis)->texts, value);
}

char *
pd_study_describe_point (const PdStudy *self, gint64 point)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->axes->len; i++)
    g_string_append_printf (text, "%s%s=%s", i == 0 ? "" : " ", pd_study_get_axis (self, i)->name,
                            pd_study_get_text (self, point, i));
  return g_string_free (text, FALSE);
}

/* ---- two of them */

static gboolean
differ (GError **error, const char *what, const char *here, const char *there)
{
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS, "another study: %s is %s, and was %s",
               what, here, there);
  return FALSE;
}

static gboolean
compare_parameter_sets (const PdStudy *self, const PdStudy *expected, GError **error)
{
  for (guint i = 0; i < expected->parameters->len; i++)
    {
      const PdParameter *there = &g_array_index (expected->parameters, PdParameter, i);
      const char *here = pd_study_find (self, there->name);
      g_autofree char *name = g_strdup_printf ("parameter '%s'", there->name);
      if (g_strcmp0 (here, there->value) != 0)
        return differ (error, name, here != NULL ? here : "not given", there->value);
    }
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const PdParameter *here = &g_array_index (self->parameters, PdParameter, i);
      g_autofree char *name = g_strdup_printf ("parameter '%s'", here->name);
      if (pd_study_find (expected, here->name) == NULL)
        return differ (error, name, here->value, "not given");
    }
  return TRUE;
}

static gboolean
compare_axes (const PdStudy *self, const PdStudy *expected, GError **error)
{
  for (guint i = 0; i < MAX (self->axes->len, expected->axes->len); i++)
    {
      g_autofree char *number = g_strdup_printf ("axis number %u", i + 1);
      const PdAxis *here = i < self->axes->len ? g_ptr_array_index (self->axes, i) : NULL;
      const PdAxis *there = i < expected->axes->len ? g_ptr_array_index (expected->axes, i) : NULL;
      const char *here_name = here != NULL ? here->name : "absent";
      const char *there_name = there != NULL ? there->name : "absent";
      if (strcmp (here_name, there_name) != 0)
        return differ (error, number, here_name, there_name);

      g_autofree char *n_here = g_strdup_printf ("of %u values", here->texts->len);
      g_autofree char *n_there = g_strdup_printf ("of %u values", there->texts->len);
      g_autofree char *name = g_strdup_printf ("axis '%s'", here->name);
      for (guint k = 0; k < MIN (here->texts->len, there->texts->len); k++)
        {
          g_autofree char *value = g_strdup_printf ("value %u of axis '%s'", k + 1, here->name);
          const char *a = g_ptr_array_index (here->texts, k);
          const char *b = g_ptr_array_index (there->texts, k);
          if (strcmp (a, b) != 0)
            return differ (error, value, a, b);
        }
      if (here->texts->len != there->texts->len)
        return differ (error, name, n_here, n_there);
    }
  return TRUE;
}

gboolean
pd_study_compare (const PdStudy *self, const PdStudy *expected, GError **error)
{
  static const char *const kinds[] = { "every combination", "a list", "a sample" };

  if (!compare_parameter_sets (self, expected, error) || !compare_axes (self, expected, error))
    return FALSE;
  if (self->kind != expected->kind)
    return differ (error, "what the points are", kinds[self->kind], kinds[expected->kind]);
  if (self->indices->len != expected->indices->len
      || (self->indices->len > 0
          && memcmp (self->indices->data, expected->indices->data,
                     self->indices->len * sizeof (guint32))
                 != 0))
    return differ (error, "the list of points", "another", "different");
  if (self->per_processor != expected->per_processor)
    return differ (error, "the results of each processor", self->per_processor ? "all" : "nothing",
                   expected->per_processor ? "all" : "nothing");
  return TRUE;
}
