/* SPDX-License-Identifier: MIT */
#include "base/pd-figures.h"

char *
pd_figures_time (PdTimeSum time)
{
  static const struct
  {
    gdouble ps;
    const char *unit;
  } units[] = { { 1e12, "s" }, { 1e9, "ms" }, { 1e6, "us" }, { 1e3, "ns" }, { 1, "ps" } };
  gdouble ps = (gdouble) time.ps;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gsize i = 0;

  while (i + 1 < G_N_ELEMENTS (units) && ps < units[i].ps)
    i++;
  if (ps == 0)
    return g_strdup ("0 s");
  g_ascii_formatd (number, sizeof number, "%.3g", ps / units[i].ps);
  if (ps / units[i].ps >= 999.5) /* no exponent */
    g_ascii_formatd (number, sizeof number, "%.0f", ps / units[i].ps);
  return g_strdup_printf ("%s %s", number, units[i].unit);
}

PdPercent
pd_figures_percent (gdouble part, gdouble whole)
{
  gdouble percent = whole > 0 ? 100 * part / whole : 0;
  PdPercent shown;

  if (percent > 0 && percent < 0.5)
    g_strlcpy (shown.text, "< 1 %", sizeof shown.text);
  else
    g_snprintf (shown.text, sizeof shown.text, "%.0f %%", percent);
  return shown;
}
