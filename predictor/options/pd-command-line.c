/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-command-line.h"

#include "base/pd-nearest.h"
#include "base/pd-option-words.h"
#include "traces/open/pd-trace-folder.h"

#include <string.h>

void
pd_command_find_data (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (program != NULL ? program : ".");
  g_autofree char *installed = g_canonicalize_filename ("../share/predictor", folder);
  g_autofree char *built = g_canonicalize_filename ("../..", folder);
  g_autofree char *schema = g_build_filename (built, "schemas", "machine.rng", NULL);

  if (program == NULL || g_getenv ("PREDICTOR_DATADIR") != NULL)
    return;
  if (g_file_test (installed, G_FILE_TEST_IS_DIR))
    g_setenv ("PREDICTOR_DATADIR", installed, TRUE);
  else if (g_file_test (schema, G_FILE_TEST_IS_REGULAR))
    g_setenv ("PREDICTOR_DATADIR", built, TRUE);
}

/* Which of the options was meant; GOption's message ends with the one that was written. */
static char *
format_hint (const GOptionEntry *const *tables, const GError *failure)
{
  const char *word = strstr (failure->message, "--");
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (word == NULL || !g_error_matches (failure, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
    return g_strdup ("");
  for (guint i = 0; tables[i] != NULL; i++)
    for (const GOptionEntry *e = tables[i]; e->long_name != NULL; e++)
      if ((e->flags & G_OPTION_FLAG_HIDDEN) == 0)
        g_ptr_array_add (names, (gpointer) e->long_name);
  g_ptr_array_add (names, NULL);
  const char *name = pd_nearest_find (word + 2, (const char *const *) names->pdata);
  return name != NULL ? g_strdup_printf ("; did you mean --%s?", name) : g_strdup ("");
}

gboolean
pd_command_parse_tables (int *argc, char ***argv, const char *arguments, const char *summary,
                         const GOptionEntry *const *tables, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_autoptr (GError) local = NULL;
  /* another program gives its name, too */
  g_autofree char *name = g_strconcat (
      g_str_has_prefix ((*argv)[0], "predictor-") ? "" : "predictor ", (*argv)[0], NULL);

  g_set_prgname (name);
  g_option_context_set_summary (context, summary);
  if (pd_option_words_parse (context, tables, argc, argv, &local))
    {
      if (*argc > 1)
        (*argv)[1] = (char *) pd_trace_find_recording ((*argv)[1]);
      return TRUE;
    }
  g_autofree char *hint = format_hint (tables, local);
  g_set_error (error, PD_USAGE_ERROR, 0, "%s%s", local->message, hint);
  return FALSE;
}

gboolean
pd_command_parse (int *argc, char ***argv, const char *arguments, const char *summary,
                  const GOptionEntry *entries, GError **error)
{
  const GOptionEntry *const tables[] = { entries, NULL };

  return pd_command_parse_tables (argc, argv, arguments, summary, tables, error);
}
