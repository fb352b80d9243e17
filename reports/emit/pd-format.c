/* Numbers and texts as they are written.
 * SPDX-License-Identifier: MIT */
#include "reports/emit/pd-format.h"

#include "base/pd-text.h"

#include <math.h>
#include <string.h>

/* ---- numbers */

void
pd_report_append_seconds (GString *out, PdTimeSum sum)
{
  char buffer[64];

  g_string_append (out, pd_time_sum_format (sum, buffer));
}

void
pd_report_append_double (GString *out, const char *format, gdouble value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE + 320]; /* "%.3f" of the largest double fits */

  g_string_append (out, g_ascii_formatd (buffer, sizeof buffer, format, value));
}

void
pd_report_append_wide (GString *out, PdWide value)
{
  char digits[48];
  gsize i = sizeof digits;
  gboolean negative = value < 0;

  digits[--i] = '\0';
  do
    digits[--i] = (char) ('0' + ABS ((int) (value % 10)));
  while ((value /= 10) != 0);
  if (negative)
    digits[--i] = '-';
  g_string_append (out, digits + i);
}

int
pd_report_decimals (gdouble largest)
{
  if (!(largest > 0))
    return 0;
  return CLAMP (5 - (int) floor (log10 (largest)), 0, 12);
}

char *
pd_report_fixed (gdouble value, int decimals)
{
  GString *text = g_string_new (NULL);
  char format[16];

  g_snprintf (format, sizeof format, "%%.%df", decimals);
  pd_report_append_double (text, format, value);
  return g_string_free (text, FALSE);
}

char *
pd_report_format_bytes (gdouble bytes)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  guint i = 0;

  while (bytes >= 1023.5 && i + 1 < G_N_ELEMENTS (units))
    {
      bytes /= 1024;
      i++;
    }
  gboolean whole = !(bytes > floor (bytes));
  int decimals = whole || bytes >= 99.5 ? 0 : bytes >= 9.95 ? 1 : 2;
  g_autofree char *number = pd_report_fixed (bytes, decimals);
  return g_strconcat (number, " ", units[i], NULL);
}

/* ---- text */

void
pd_report_append_wrapped (GString *out, const char *text, const char *indent, guint width)
{
  guint n = (guint) strlen (indent);

  pd_text_append_wrapped (out, indent, n, MAX (width, n + 1) - n, text);
}

static gboolean
is_xml_character (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xd7ff)
         || (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000;
}

static void
append_forbidden (GString *out, gunichar c)
{
  char character[7] = "";

  g_unichar_to_utf8 (c, character);
  g_autofree char *shown = pd_text_show (character);
  g_string_append (out, shown);
}

void
pd_report_append_markup (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (!is_xml_character (c))
        append_forbidden (out, c);
      else if (pd_text_is_hidden (c) || strchr ("<>&\"'", (int) (c < 0x80 ? c : 'x')) != NULL)
        g_string_append_printf (out, "&#%u;", c);
      else
        g_string_append_unichar (out, c);
    }
}

void
pd_report_append_shown (GString *out, const char *text)
{
  g_autofree char *shown = pd_text_show_lines (text);

  pd_report_append_markup (out, shown);
}
