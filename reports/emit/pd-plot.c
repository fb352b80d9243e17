/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-plot.h"

#include "base/pd-text.h"
#include "reports/emit/pd-format.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

G_DEFINE_QUARK (pd_plot_error_quark, pd_plot_error)

char *
pd_plot_quote (const char *text)
{
  g_autofree char *clean = pd_text_show (text);
  g_auto (GStrv) parts = g_strsplit (clean, "'", -1);
  g_autofree char *joined = g_strjoinv ("''", parts);

  return g_strconcat ("'", joined, "'", NULL);
}

/* ---- gnuplot */

/* What it said, in one line. */
static void
set_failure (const char *program, char *said, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (g_strstrip (said), " \t\n", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_string_append_printf (line, " %s", words[i]);
  g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_GNUPLOT, "%s failed:%s", program, line->str);
}

/* @printed: (out) (transfer full): what it writes to its output */
static gboolean
run_gnuplot (const char *script, char **printed, GError **error)
{
  const char *chosen = g_getenv ("PREDICTOR_GNUPLOT");
  char *argv[] = { (char *) (chosen != NULL ? chosen : "gnuplot"), (char *) script, NULL };
  g_autofree char *said = NULL;
  g_autoptr (GError) local = NULL;
  int status = 0;

  if (!g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, printed, &said, &status,
                     &local))
    {
      g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_GNUPLOT,
                   "pictures need gnuplot (Debian package gnuplot-nox), which cannot be run: %s",
                   local->message);
      return FALSE;
    }
  if (status == 0)
    return TRUE;
  set_failure (argv[0], said, error);
  g_clear_pointer (printed, g_free);
  return FALSE;
}

/* Runs @commands behind @head from a file of their own. */
static gboolean
run_script (const char *head, const char *commands, char **printed, GError **error)
{
  g_autofree char *script = NULL;
  g_autofree char *text = g_strconcat (head, commands, NULL);
  int file = g_file_open_tmp ("predictor-XXXXXX.gnuplot", &script, error);

  if (file < 0)
    return FALSE;
  close (file);
  gboolean ok =
      g_file_set_contents (script, text, -1, error) && run_gnuplot (script, printed, error);
  g_unlink (script);
  return ok;
}

/* ---- forms */

static char *
describe_terminal (const char *kind, guint width, guint height)
{
  if (strcmp (kind, "dumb") == 0)
    return g_strdup_printf ("set terminal dumb noenhanced size %u,%u\n", width, height);
  return g_strdup_printf ("set terminal %s noenhanced size %u,%u background rgb 'white'\n", kind,
                          width, height);
}

/* Beside the file wanted, with its ending. */
static char *
make_other_name (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);

  return g_strdup_printf ("%s/.%d-%s", folder, (int) getpid (), name);
}

gboolean
pd_plot_write (const char *commands, const char *path, guint width, guint height, GError **error)
{
  const char *kind = g_str_has_suffix (path, ".png")   ? "png"
                     : g_str_has_suffix (path, ".svg") ? "svg"
                                                       : NULL;

  if (kind == NULL)
    {
      g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_FORM,
                   "'%s': expected a name that ends with .png or .svg", path);
      return FALSE;
    }
  g_autofree char *other = make_other_name (path);
  g_autofree char *file = pd_plot_quote (other);
  g_autofree char *terminal = describe_terminal (kind, width, height);
  g_autofree char *head = g_strdup_printf ("%sset output %s\n", terminal, file);
  g_autofree char *printed = NULL;
  gboolean ok = run_script (head, commands, &printed, error);
  if (ok && g_rename (other, path) != 0)
    {
      g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_GNUPLOT, "cannot write '%s': %s", path,
                   g_strerror (errno));
      ok = FALSE;
    }
  if (!ok)
    g_unlink (other);
  return ok;
}

char *
pd_plot_format (const char *commands, gboolean svg, guint width, guint height, GError **error)
{
  g_autofree char *head = describe_terminal (svg ? "svg" : "dumb", width, height);
  char *printed = NULL;

  return run_script (head, commands, &printed, error) ? printed : NULL;
}
