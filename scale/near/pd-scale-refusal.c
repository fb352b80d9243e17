/* SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-near-private.h"
#include "scale/pd-scale-calls.h"

#define MOST_SHOWN 4 /* recorded numbers in a message */

#define MEMBER(source, i) (&g_array_index ((source)->members, PdScaleMember, (i)))

static void
describe_numbers (const PdScaleSource *source, guint i, gboolean is_list, GString *text)
{
  PdColumnPlace at = { 0, 0 };
  const PdColumn *column = source->columns[i];
  gsize n = MIN (column->n, MOST_SHOWN);
  const gint64 *list = NULL;

  if (is_list)
    {
      gint64 first = pd_column_next (column, &at);
      n = 0;
      if (first != PD_SCALE_NO_LIST)
        list = pd_scale_words_get_list (source->words, first, &n);
    }
  for (gsize k = 0; k < MIN (n, MOST_SHOWN); k++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, k > 0 ? ", " : "",
                            list != NULL ? list[k] : pd_column_next (column, &at));
  if (MAX (n, is_list ? n : column->n) > MOST_SHOWN)
    g_string_append (text, " ...");
}

gboolean
pd_scale_number_refuse (const PdScaleSource *source, gint column, gboolean is_list, GError **error)
{
  g_autoptr (GString) where = g_string_new (NULL), values = g_string_new (NULL);
  guint n = source->members->len;
  const guint shown[] = { 0, n / 2, n - 1 };

  pd_scale_name_shape (source->words, source->shape, where);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      const PdScaleMember *member = MEMBER (source, shown[i]);
      if (i > 0 && shown[i] == shown[i - 1])
        continue;
      g_string_append_printf (values, "%srank %" G_GINT64_FORMAT " of %u: ", i > 0 ? "; " : "",
                              member->world.rank, member->run->n_ranks);
      describe_numbers (source, shown[i], is_list, values);
    }
  g_set_error (error, PD_SCALE_ERROR, PD_SCALE_ERROR_REFUSED,
               "no rule gives the %s of %s in all recordings (%s)", pd_scale_column_name (column),
               where->str, values->str);
  return FALSE;
}
