/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "reports/emit/pd-plot.h"

#include "base/pd-target.h"
#include "base/pd-text.h"
#include "reports/emit/pd-format.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
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

/* Its message, in one line. */
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

/* In the new process, which does not outlive this one; what it prints goes to @data, a file
 * that is open already: by its name it could be another one. */
static void
set_up_gnuplot (gpointer data)
{
  const int *picture = data;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (*picture >= 0)
    dup2 (*picture, STDOUT_FILENO);
}

/* @picture: a file for what it writes to its output; -1: @printed gets that
 * @printed: (out) (transfer full): as text */
static gboolean
run_gnuplot (const char *script, int picture, char **printed, GError **error)
{
  const char *chosen = g_getenv ("PREDICTOR_GNUPLOT");
  char *argv[] = { (char *) (chosen != NULL ? chosen : "gnuplot"), (char *) script, NULL };
  g_autofree char *said = NULL;
  g_autoptr (GError) local = NULL;
  int status = 0;

  if (!g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, set_up_gnuplot, &picture,
                     picture < 0 ? printed : NULL, &said, &status, &local))
    {
      g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_GNUPLOT,
                   "pictures need gnuplot (Debian package gnuplot-nox), which cannot be run: %s",
                   local->message);
      return FALSE;
    }
  if (status == 0)
    return TRUE;
  set_failure (argv[0], said, error);
  if (picture < 0)
    g_clear_pointer (printed, g_free);
  return FALSE;
}

/* Runs @commands behind @head from a file of their own. */
static gboolean
run_script (const char *head, const char *commands, int picture, char **printed, GError **error)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "predictor", NULL);
  g_autofree char *text = g_strconcat (head, commands, NULL);
  g_autoptr (PdTarget) script = pd_target_new_temporary (path);

  if (script != NULL && pd_target_write (script, text, strlen (text)))
    return run_gnuplot (pd_target_get_name (script), picture, printed, error);
  g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_GNUPLOT, "cannot write a file in '%s': %s",
               g_get_tmp_dir (), g_strerror (errno));
  return FALSE;
}

/* ---- forms */

static const struct
{
  const char *suffix;
  const char *kind; /* gnuplot's terminal */
  const char *end;  /* near the end of such a file */
} forms[] = {
  { ".png", "png", "IEND" },
  { ".svg", "svg", "</svg>" },
};

/* gnuplot says nothing of a disk that is full. */
static gboolean
is_whole (const PdTarget *target, const char *end)
{
  int fd = pd_target_get_fd (target);
  char last[64];
  off_t size = lseek (fd, 0, SEEK_END);

  if (pd_target_get_name (target) == NULL)
    return TRUE;
  gssize n = pread (fd, last, sizeof last, MAX (size - (off_t) sizeof last, 0));
  return n > 0 && memmem (last, (gsize) n, end, strlen (end)) != NULL;
}

static char *
describe_terminal (const char *kind, guint width, guint height)
{
  if (strcmp (kind, "dumb") == 0)
    return g_strdup_printf ("set terminal dumb noenhanced size %u,%u\n", width, height);
  return g_strdup_printf ("set terminal %s noenhanced size %u,%u background rgb 'white'\n", kind,
                          width, height);
}

gboolean
pd_plot_write (const char *commands, const char *path, guint width, guint height, GError **error)
{
  gsize form = 0;

  while (form < G_N_ELEMENTS (forms) && !g_str_has_suffix (path, forms[form].suffix))
    form++;
  if (form == G_N_ELEMENTS (forms))
    {
      g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_FORM,
                   "'%s': expected a name that ends with .png or .svg", path);
      return FALSE;
    }
  g_autoptr (PdTarget) target = pd_target_new (path);
  g_autofree char *terminal = describe_terminal (forms[form].kind, width, height);
  if (target != NULL && !run_script (terminal, commands, pd_target_get_fd (target), NULL, error))
    return FALSE;
  gboolean cut = target != NULL && !is_whole (target, forms[form].end);
  if (target != NULL && !cut && pd_target_commit (target))
    return TRUE;
  g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_GNUPLOT, "cannot write '%s': %s", path,
               cut ? "a part of the picture is missing, as on a full disk" : g_strerror (errno));
  return FALSE;
}

char *
pd_plot_format (const char *commands, gboolean svg, guint width, guint height, GError **error)
{
  g_autofree char *head = describe_terminal (svg ? "svg" : "dumb", width, height);
  char *printed = NULL;

  return run_script (head, commands, -1, &printed, error) ? printed : NULL;
}
