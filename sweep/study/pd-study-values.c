/* The values of an axis: lists, ranges and units.
 * SPDX-License-Identifier: MIT */

#include "base/pd-number.h"
#include "base/pd-units.h"
#include "sweep/study/pd-study-values-private.h"

#include <math.h>
#include <string.h>

#define MAX_VALUES PD_STUDY_DEFAULT_LIMIT

/* Units of numbers, in the order in which they are tried: a bare number is a ratio. */
static const struct
{
  PdUnit unit;
  const char *name; /* of the base unit */
  gdouble parts;    /* the number of units of pd_units_parse() in one; 10us / 1e12 is 1e-05, while
                     * 10us * 1e-12 is a little less */
  gboolean integral;
} units[] = {
  { PD_UNIT_RATIO, "", 1, FALSE },          { PD_UNIT_TIME, "s", 1e12, TRUE },
  { PD_UNIT_BYTES, "B", 1, TRUE },          { PD_UNIT_RATE, "B/s", 1, FALSE },
  { PD_UNIT_PER_BYTE, "s/B", 1e12, FALSE },
};

/* Whether @text is a number of some unit, which goes to @unit. */
static gboolean
parse_number (const char *text, guint *unit, gdouble *value)
{
  PdNumber number;

  for (*unit = 0; *unit < G_N_ELEMENTS (units); (*unit)++)
    if (pd_units_parse (units[*unit].unit, text, &number, NULL))
      {
        *value = (units[*unit].integral ? (gdouble) number.i : number.d) / units[*unit].parts;
        return TRUE;
      }
  return FALSE;
}

/* ---- what an axis is */

void
pd_axis_add (PdAxis *axis, const char *text)
{
  g_ptr_array_add (axis->texts, g_strstrip (g_strdup (text)));
}

/* Numbers of one unit, but for a 0 that needs none; else words. */
void
pd_axis_measure (PdAxis *axis)
{
  guint unit = 0, other;
  gboolean is_number = TRUE;
  gdouble value;

  if (axis->kind == PD_AXIS_GRID)
    return;
  g_array_set_size (axis->numbers, 0);
  for (guint i = 0; i < axis->texts->len && is_number; i++)
    {
      is_number = parse_number (g_ptr_array_index (axis->texts, i), &other, &value);
      if (!is_number)
        break;
      if (unit == 0)
        unit = other;
      is_number = unit == other || (other == 0 && !(value > 0)) || i == 0;
      g_array_append_val (axis->numbers, value);
    }
  /* a first value without a unit, and more than 0, where others have one */
  for (guint i = 0; i < axis->numbers->len && is_number && unit != 0; i++)
    is_number = parse_number (g_ptr_array_index (axis->texts, i), &other, &value)
                && (other == unit || !(value > 0));
  axis->kind = is_number && axis->texts->len > 0 ? PD_AXIS_NUMBER : PD_AXIS_WORD;
  g_free (axis->unit);
  axis->unit = g_strdup (axis->kind == PD_AXIS_NUMBER ? units[unit].name : "");
  if (axis->kind == PD_AXIS_NUMBER)
    return;
  g_array_set_size (axis->numbers, 0);
  g_array_set_size (axis->numbers, axis->texts->len);
}

/* ---- ranges */

static gboolean
fail (const PdAxis *axis, const char *item, const char *why, GError **error)
{
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "axis '%s': '%s': %s", axis->name,
               item, why);
  return FALSE;
}

/* A number in the unit of the axis. Twelve digits are more than users write, and hide
 * the rounding of 0.1 + 0.2; values between the ends of a logarithmic range are neat with six. */
static char *
format_value (const PdAxis *axis, gdouble value, guint digits)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[16];

  g_snprintf (format, sizeof format, "%%.%ug", digits);
  if (axis->integral)
    {
      value = floor (value + 0.5);
      g_snprintf (format, sizeof format, "%%.0f");
    }
  return g_strdup_printf ("%s%s", g_ascii_formatd (buffer, sizeof buffer, format, value),
                          axis->suffix);
}

static void
add_value (PdAxis *axis, gdouble value, guint digits)
{
  g_autofree char *text = format_value (axis, value, digits);

  if (axis->texts->len == 0
      || strcmp (g_ptr_array_index (axis->texts, axis->texts->len - 1), text) != 0)
    pd_axis_add (axis, text);
}

/* The value at the share @u of the range, its ends exactly as they are. */
static gdouble
get_between (const PdAxis *axis, gdouble u)
{
  if (!(u > 0) || u >= 1)
    return u > 0 ? axis->to : axis->from;
  return axis->scale == PD_SCALE_LOGARITHMIC ? axis->from * pow (axis->to / axis->from, u)
                                             : axis->from + (axis->to - axis->from) * u;
}

static guint
get_digits (const PdAxis *axis, gdouble u)
{
  return axis->scale == PD_SCALE_LOGARITHMIC && u > 0 && u < 1 ? 6 : 12;
}

char *
pd_axis_sample (const PdAxis *axis, gdouble u)
{
  return format_value (axis, get_between (axis, u), axis->scale == PD_SCALE_LOGARITHMIC ? 6 : 12);
}

/* The text after "A:B:": "lin9", "log", "+2", "x2". */
typedef struct
{
  PdScale scale;
  guint64 n;      /* values, 0 = not said */
  gdouble step;   /* > 0: to be added, */
  gdouble factor; /* > 0: to be multiplied by */
} Steps;

static gboolean
parse_steps (const char *text, Steps *steps)
{
  static const char *const scales[] = { NULL, "lin", "log" };
  gdouble value = 0;

  *steps = (Steps){ .scale = PD_SCALE_NONE };
  for (guint s = PD_SCALE_LINEAR; s <= PD_SCALE_LOGARITHMIC; s++)
    if (g_str_has_prefix (text, scales[s]))
      {
        steps->scale = (PdScale) s;
        return text[3] == '\0'
               || g_ascii_string_to_unsigned (text + 3, 10, 1, G_MAXINT64, &steps->n, NULL);
      }
  if ((*text != '+' && *text != 'x') || !(g_ascii_isdigit (text[1]) || text[1] == '.'))
    return FALSE;
  gboolean is_number = pd_number_parse_real (text + 1, &value);
  *(*text == '+' ? &steps->step : &steps->factor) = value;
  return is_number && value > 0;
}

/* Cuts @item at its two colons; whether it has the form of a range at all. */
static gboolean
split_range (const char *item, char **parts)
{
  const char *first = strchr (item, ':'), *last = strrchr (item, ':');

  if (first == NULL || last == first || strchr (first + 1, ':') != last
      || pd_number_end (item + strspn (item, " \t")) == item + strspn (item, " \t"))
    return FALSE;
  parts[0] = g_strstrip (g_strndup (item, (gsize) (first - item)));
  parts[1] = g_strstrip (g_strndup (first + 1, (gsize) (last - first - 1)));
  parts[2] = g_strstrip (g_strdup (last + 1));
  return TRUE;
}

/* The number in front of a unit: @unit is added where @text has none. */
static gboolean
parse_end (const char *text, const char *unit, guint *kind, gdouble *size)
{
  const char *suffix = pd_units_suffix (text);
  g_autofree char *whole = g_strconcat (text, *suffix == '\0' ? unit : "", NULL);

  return parse_number (whole, kind, size);
}

/* The ends of a range in the unit of the first. */
static gboolean
parse_ends (PdAxis *axis, const char *item, char *const *parts, const char *unit, GError **error)
{
  guint kinds[3];
  gdouble sizes[3];
  const char *last = pd_units_suffix (parts[1]), *first = pd_units_suffix (parts[0]);
  const char *behind = *last != '\0' ? last : *first != '\0' ? first : unit;
  const char *chosen = *first != '\0' ? first : behind;
  g_autofree char *one = g_strconcat ("1", chosen, NULL);

  if (!parse_end (parts[0], chosen, &kinds[0], &sizes[0])
      || !parse_end (parts[1], behind, &kinds[1], &sizes[1])
      || !parse_number (one, &kinds[2], &sizes[2]))
    return fail (axis, item, "the ends of a range are numbers, with units if they have any", error);
  if (kinds[0] != kinds[1] && sizes[0] > 0 && sizes[1] > 0)
    return fail (axis, item, "the ends of a range have units of different kinds", error);
  g_free (axis->suffix);
  axis->suffix = g_strdup (chosen);
  /* as written, where no unit has to be converted */
  axis->from = g_ascii_strtod (parts[0], NULL);
  axis->to = strcmp (behind, chosen) == 0 ? g_ascii_strtod (parts[1], NULL) : sizes[1] / sizes[2];
  axis->integral = (*chosen == '\0' || strcmp (chosen, "B") == 0) && strcmp (behind, chosen) == 0
                   && strpbrk (parts[0], ".eE") == NULL && strpbrk (parts[1], ".eE") == NULL;
  return TRUE;
}

static gboolean
check_number (const PdAxis *axis, const char *item, gdouble n, GError **error)
{
  if (n <= (gdouble) MAX_VALUES)
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_SIZE,
               "axis '%s': '%s' has %.0f values, more than %" G_GINT64_FORMAT, axis->name, item, n,
               MAX_VALUES);
  return FALSE;
}

static gboolean
expand_scale (PdAxis *axis, const char *item, const Steps *steps, GError **error)
{
  if (!check_number (axis, item, (gdouble) steps->n, error))
    return FALSE;
  axis->scale = steps->scale;
  for (guint64 i = 0; i < steps->n; i++)
    {
      gdouble u = steps->n == 1 ? 0 : (gdouble) i / (gdouble) (steps->n - 1);
      add_value (axis, get_between (axis, u), get_digits (axis, u));
    }
  axis->scale = PD_SCALE_NONE;
  return TRUE;
}

/* "+S" and "xF": from A as long as it is not beyond B. */
static gboolean
expand_steps (PdAxis *axis, const char *item, const Steps *steps, GError **error)
{
  gdouble n;

  if (steps->factor > 0 && !(axis->from > 0 && steps->factor > 1))
    return fail (axis, item,
                 "to be multiplied, the first value must be above 0, the factor above 1", error);
  n = steps->factor > 0 ? floor (log (axis->to / axis->from) / log (steps->factor) + 1e-9)
                        : floor ((axis->to - axis->from) / steps->step * (1 + 1e-12) + 1e-9);
  axis->integral = axis->integral && !(fmod (MAX (steps->step, steps->factor), 1) > 0);
  if (!check_number (axis, item, n + 1, error))
    return FALSE;
  for (gdouble i = 0; i <= n; i++)
    add_value (
        axis,
        steps->factor > 0 ? axis->from * pow (steps->factor, i) : axis->from + i * steps->step, 12);
  return TRUE;
}

/* @alone: there is no other element. */
static gboolean
expand_range (PdAxis *axis, const char *item, char *const *parts, const char *unit, gboolean alone,
              GError **error)
{
  Steps steps;

  if (!parse_steps (parts[2], &steps))
    return fail (axis, item, "a range ends with lin9 or log9 (nine values), +2 or x2 (steps)",
                 error);
  if (!parse_ends (axis, item, parts, unit, error))
    return FALSE;
  if (axis->to < axis->from)
    return fail (axis, item, "a range begins with its least value", error);
  if (steps.scale == PD_SCALE_LOGARITHMIC && !(axis->from > 0))
    return fail (axis, item, "a logarithmic range begins above 0", error);
  if (steps.scale == PD_SCALE_NONE)
    return expand_steps (axis, item, &steps, error);
  if (steps.n > 0)
    return expand_scale (axis, item, &steps, error);
  if (!alone)
    return fail (axis, item, "a range without a number of values stands alone", error);
  axis->scale = steps.scale;
  axis->range = g_strdup (item);
  return TRUE;
}

/* ---- lists */

/* The unit of the last element, "" if it has none. */
static const char *
find_unit (char *const *items, guint n)
{
  const char *last = items[n - 1];
  char *parts[3];
  gboolean is_range = split_range (last, parts);

  for (guint i = 0; is_range && i < 3; i++)
    g_free (parts[i]);
  if (is_range)
    return "";
  /* words have none */
  const char *suffix = pd_units_suffix (last);
  return suffix != last ? suffix : "";
}

/* "1us:9us": a range that does not say how many values it has. */
static gboolean
is_open_range (const char *item)
{
  const char *colon = strchr (item, ':');
  guint kind;
  gdouble size;

  if (colon == NULL || strchr (colon + 1, ':') != NULL)
    return FALSE;
  g_autofree char *from = g_strndup (item, (gsize) (colon - item));
  g_autofree char *to = g_strdup (colon + 1);
  return parse_number (g_strstrip (from), &kind, &size)
         && parse_number (g_strstrip (to), &kind, &size);
}

static gboolean
expand_item (PdAxis *axis, const char *item, const char *unit, gboolean alone, GError **error)
{
  char *parts[4] = { NULL };
  guint kind;
  gdouble size;

  if (*item == '\0')
    return fail (axis, item, "an empty value", error);
  if (split_range (item, parts))
    {
      gboolean ok = expand_range (axis, item, parts, unit, alone, error);
      for (guint i = 0; i < 3; i++)
        g_free (parts[i]);
      return ok;
    }
  if (is_open_range (item))
    return fail (axis, item,
                 "a range says which values it has: A:B:lin9, A:B:log9, A:B:+2 or A:B:x2; of "
                 "samples A:B:lin or A:B:log",
                 error);
  /* a bare number takes the unit of the last one */
  gboolean bare = *unit != '\0' && parse_number (item, &kind, &size) && kind == 0;
  g_autofree char *whole = g_strconcat (item, bare ? unit : "", NULL);
  pd_axis_add (axis, bare && parse_number (whole, &kind, &size) ? whole : item);
  return TRUE;
}

gboolean
pd_axis_expand (PdAxis *axis, const char *text, GError **error)
{
  g_auto (GStrv) items = g_strsplit (text, strchr (text, ';') != NULL ? ";" : ",", -1);
  guint n = g_strv_length (items);

  for (guint i = 0; i < n; i++)
    g_strstrip (items[i]);
  if (n == 0 || (n == 1 && *items[0] == '\0'))
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "axis '%s' has no values",
                   axis->name);
      return FALSE;
    }
  g_autofree char *unit = g_strdup (find_unit (items, n));
  for (guint i = 0; i < n; i++)
    if (!expand_item (axis, items[i], unit, n == 1, error))
      return FALSE;
  return TRUE;
}
