/* SPDX-License-Identifier: MIT */
#include "base/pd-units.h"

#include "base/pd-number.h"

#include <math.h>
#include <string.h>

G_DEFINE_QUARK (pd_units_error_quark, pd_units_error)

typedef struct
{
  const char *name;
  gdouble factor; /* of the base unit: ps, bytes, bytes per second */
  gboolean print; /* may be chosen by pd_units_format() */
} Suffix;

static const Suffix time_suffixes[] = {
  { "s", 1e12, TRUE },     { "ms", 1e9, TRUE },     { "us", 1e6, TRUE },
  { "ns", 1e3, TRUE },     { "ps", 1, TRUE },       { "\xc2\xb5s", 1e6, FALSE },
  { "min", 60e12, FALSE }, { "h", 3600e12, FALSE }, { NULL, 0, FALSE },
};
static const Suffix byte_suffixes[] = {
  { "TiB", 1099511627776., TRUE },
  { "GiB", 1073741824., TRUE },
  { "MiB", 1048576., TRUE },
  { "KiB", 1024., TRUE },
  { "B", 1, TRUE },
  { "kB", 1e3, FALSE },
  { "MB", 1e6, FALSE },
  { "GB", 1e9, FALSE },
  { "TB", 1e12, FALSE },
  { "", 1, FALSE },
  { NULL, 0, FALSE },
};
static const Suffix rate_suffixes[] = {
  { "TB/s", 1e12, TRUE },          { "GB/s", 1e9, TRUE },        { "MB/s", 1e6, TRUE },
  { "kB/s", 1e3, TRUE },           { "B/s", 1, TRUE },           { "TiB/s", 1099511627776., FALSE },
  { "GiB/s", 1073741824., FALSE }, { "MiB/s", 1048576., FALSE }, { "KiB/s", 1024., FALSE },
  { "Gbit/s", 125e6, FALSE },      { "Mbit/s", 125e3, FALSE },   { "kbit/s", 125, FALSE },
  { "bit/s", 0.125, FALSE },       { NULL, 0, FALSE },
};
static const Suffix bare_suffixes[] = { { "", 1, TRUE }, { NULL, 0, FALSE } };

static const struct
{
  const char *expected; /* for messages */
  const Suffix *suffixes;
  gboolean integral;
} kinds[] = {
  [PD_UNIT_TIME] = { "a time such as '7us' (ps, ns, us, ms, s, min, h)", time_suffixes, TRUE },
  [PD_UNIT_PER_BYTE] = { "a time per byte such as '4ns' (ps, ns, us, ms, s)", time_suffixes,
                         FALSE },
  [PD_UNIT_BYTES] = { "a size such as '16KiB' (B, kB, MB, GB, KiB, MiB, GiB)", byte_suffixes,
                      TRUE },
  [PD_UNIT_RATE] = { "a rate such as '12.5GB/s' (B/s, kB/s, MB/s, GB/s, Gbit/s)", rate_suffixes,
                     FALSE },
  [PD_UNIT_COUNT] = { "a whole number", bare_suffixes, TRUE },
  [PD_UNIT_RATIO] = { "a number", bare_suffixes, FALSE },
};

const char *
pd_units_suffix (const char *text)
{
  text += strspn (text, " \t");
  text = pd_number_end (text);
  return text + strspn (text, " \t");
}

static const Suffix *
find_suffix (const Suffix *suffixes, const char *text)
{
  gsize n = strcspn (text, " \t");

  for (const Suffix *s = suffixes; s->name != NULL; s++)
    if (strlen (s->name) == n && strncmp (s->name, text, n) == 0)
      return s;
  return NULL;
}

gboolean
pd_units_parse (PdUnit unit, const char *text, PdNumber *number, GError **error)
{
  const char *start = text + strspn (text, " \t");
  const char *end = pd_number_end (start);

  if (end == start)
    {
      g_set_error (error, PD_UNITS_ERROR, PD_UNITS_ERROR_SYNTAX, "'%s' is not %s", text,
                   kinds[unit].expected);
      return FALSE;
    }

  g_autofree char *rest = g_strdup (end + strspn (end, " \t"));
  g_strchomp (rest);
  if (unit == PD_UNIT_PER_BYTE && g_str_has_suffix (rest, "/B"))
    rest[strlen (rest) - 2] = '\0';

  g_autofree char *digits = g_strndup (start, (gsize) (end - start));
  gdouble value = g_ascii_strtod (digits, NULL);
  const Suffix *suffix = find_suffix (kinds[unit].suffixes, rest);

  if (suffix == NULL && !(*rest == '\0' && value >= 0 && value <= 0))
    {
      g_set_error (error, PD_UNITS_ERROR, PD_UNITS_ERROR_UNIT, "'%s' is not %s", text,
                   kinds[unit].expected);
      return FALSE;
    }
  value *= suffix == NULL ? 1 : suffix->factor;
  if (!(value >= 0) || !isfinite (value) || (kinds[unit].integral && value >= 9.2e18))
    {
      g_set_error (error, PD_UNITS_ERROR, PD_UNITS_ERROR_RANGE,
                   "'%s' is out of range: expected %s, not negative", text, kinds[unit].expected);
      return FALSE;
    }
  if ((unit == PD_UNIT_COUNT || unit == PD_UNIT_BYTES) && floor (value) < value)
    {
      g_set_error (error, PD_UNITS_ERROR, PD_UNITS_ERROR_SYNTAX, "'%s' is not %s", text,
                   kinds[unit].expected);
      return FALSE;
    }
  *number = (PdNumber){ .i = kinds[unit].integral ? (gint64) floor (value + 0.5) : 0,
                        .d = kinds[unit].integral ? 0 : value };
  return TRUE;
}

/* Whether @value is written in @suffix: at least one of it, and bytes only in
 * whole multiples, so that 1000 B is not 0.977 KiB. */
static gboolean
suits (const Suffix *suffix, PdUnit unit, gdouble value)
{
  return suffix->print && suffix->factor <= value * (1 + 1e-9)
         && (unit != PD_UNIT_BYTES || !(fmod (value, suffix->factor) > 0));
}

char *
pd_units_format (PdUnit unit, PdNumber number)
{
  gdouble value = kinds[unit].integral ? (gdouble) number.i : number.d;
  const Suffix *best = NULL;

  if (!(value > 0))
    return g_strdup ("0");
  /* the printable rows go from large to small; the last one is for the rest */
  for (const Suffix *s = kinds[unit].suffixes; s->name != NULL && s->print; s++)
    if (best == NULL || !suits (best, unit, value))
      best = s;

  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (digits, sizeof digits, "%.12g", value / best->factor);
  return g_strdup_printf ("%s%s%s%s", digits, *best->name == '\0' ? "" : " ", best->name,
                          unit == PD_UNIT_PER_BYTE ? "/B" : "");
}

gboolean
pd_units_parse_shape (const char *text, PdShape *shape, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "x", PD_SHAPE_MAX + 1);
  PdShape new = { 0, { 0 } };

  for (; parts[new.n] != NULL; new.n++)
    {
      guint64 extent;
      if (new.n == PD_SHAPE_MAX
          || !g_ascii_string_to_unsigned (g_strstrip (parts[new.n]), 10, 1, 1 << 24, &extent, NULL))
        break;
      new.extents[new.n] = (gint64) extent;
    }
  if (new.n > 0 && parts[new.n] == NULL)
    {
      *shape = new;
      return TRUE;
    }
  g_set_error (error, PD_UNITS_ERROR, PD_UNITS_ERROR_SYNTAX,
               "'%s' is not a shape such as '8x8x4' (1 to %d counts of 1 to 16777216)", text,
               PD_SHAPE_MAX);
  return FALSE;
}

char *
pd_units_format_shape (const PdShape *shape)
{
  GString *text = g_string_new (shape->n == 0 ? "none" : NULL);

  for (guint i = 0; i < shape->n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : "x", shape->extents[i]);
  return g_string_free (text, FALSE);
}
