/* SPDX-License-Identifier: MIT */
#include "reports/results/pd-plot-commands.h"

#include "base/pd-text.h"
#include "reports/emit/pd-plot.h"
#include "reports/emit/pd-format.h"

void
pd_plot_append_number (GString *out, gdouble number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, " %s", g_ascii_formatd (text, sizeof text, "%.9g", number));
}

void
pd_plot_append_label (GString *out, char which, const char *name, const char *unit)
{
  g_autofree char *text =
      unit[0] != '\0' ? g_strdup_printf ("%s, %s", name, unit) : g_strdup (name);
  g_autofree char *quoted = pd_plot_quote (text);

  g_string_append_printf (out, "set %clabel %s\n", which, quoted);
}

void
pd_plot_append_curves (GString *out, const char *name, const PdPlotSeries *series, guint n,
                       const char *y_label, gboolean from_zero)
{
  g_autoptr (GString) plot = g_string_new ("plot");
  gboolean named = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *title = pd_plot_quote (series[i].title);
      g_string_append_printf (out, "$%s%u << END\n", name, i);
      for (guint k = 0; k < series[i].n; k++)
        {
          pd_plot_append_number (out, series[i].x[k]);
          pd_plot_append_number (out, series[i].y[k]);
          g_string_append_c (out, '\n');
        }
      g_string_append (out, "END\n");
      g_string_append_printf (plot, "%s $%s%u using 1:2 with linespoints title %s",
                              i > 0 ? "," : "", name, i, title);
      named = named || series[i].title[0] != '\0';
    }
  pd_plot_append_label (out, 'y', y_label, "");
  g_string_append_printf (out, "set yrange [%s:*]\nset grid\n%s\n%s\n", from_zero ? "0" : "*",
                          named ? "set key outside right" : "unset key", plot->str);
}

/* A name at the beginning of a line of data. */
static void
append_name (GString *out, const char *name)
{
  g_autofree char *clean = pd_text_show (name);

  g_strdelimit (clean, "\" \t\\", '_');
  g_string_append_printf (out, "\"%s\"", clean);
}

void
pd_plot_append_shares (GString *out, const char *const *names, const gdouble *shares, guint n)
{
  /* @mark: what a terminal of characters draws them with; @colour: that of pages */
  static const struct
  {
    const char *title, *mark, *colour;
  } parts[PD_PLOT_N_SHARES] = { { "productive", "*", "#1b8a6b" },
                                { "insufficient parallelism", "#", "#d97a16" },
                                { "communication", "$", "#2f74c0" },
                                { "idle", "%", "#97a3b1" } };

  g_string_append (out, "$parts << END\n");
  for (guint i = 0; i < n; i++)
    {
      append_name (out, names[i]);
      for (guint k = 0; k < PD_PLOT_N_SHARES; k++)
        pd_plot_append_number (out, 100 * shares[i * PD_PLOT_N_SHARES + k]);
      g_string_append_c (out, '\n');
    }
  g_string_append (out, "END\nset style data histograms\nset style histogram rowstacked\n"
                        "set style fill solid 0.8 border -1\nset boxwidth 0.8\nset yrange [0:100]\n"
                        "set key outside right invert\nset xtics rotate by -30\n"
                        "set ylabel '% of the total time'\nplot");
  for (guint k = 0; k < PD_PLOT_N_SHARES; k++)
    g_string_append_printf (out,
                            "%s $parts using %u%s linecolor rgb '%s' title "
                            "(GPVAL_TERM eq 'dumb' ? '%s  %s' : '%s')",
                            k > 0 ? "," : "", k + 2, k == 0 ? ":xtic(1)" : "", parts[k].colour,
                            parts[k].title, parts[k].mark, parts[k].title);
  g_string_append_c (out, '\n');
}

void
pd_plot_append_bars (GString *out, const char *const *names, const gdouble *values, guint n,
                     const char *y_label)
{
  g_string_append (out, "$bars << END\n");
  for (guint i = 0; i < n; i++)
    {
      append_name (out, names[i]);
      pd_plot_append_number (out, values[i]);
      g_string_append_c (out, '\n');
    }
  g_string_append (out, "END\nset style data histograms\nset style histogram clustered gap 0.2\n"
                        "set style fill solid 0.8 border -1\nset xtics rotate by -30\n"
                        "set yrange [0:*]\nunset key\nset grid ytics\n");
  pd_plot_append_label (out, 'y', y_label, "");
  g_string_append (out, "plot $bars using 2:xtic(1)\n");
}
