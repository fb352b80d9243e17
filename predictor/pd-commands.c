/* SPDX-License-Identifier: MIT */
#include "predictor/pd-commands.h"

G_DEFINE_QUARK (pd_usage_error_quark, pd_usage_error)

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
  for (guint i = 0; tables[i] != NULL; i++)
    g_option_context_add_main_entries (context, tables[i], NULL);
  if (g_option_context_parse (context, argc, argv, &local))
    return TRUE;
  g_set_error_literal (error, PD_USAGE_ERROR, 0, local->message);
  return FALSE;
}

gboolean
pd_command_parse (int *argc, char ***argv, const char *arguments, const char *summary,
                  const GOptionEntry *entries, GError **error)
{
  const GOptionEntry *const tables[] = { entries, NULL };

  return pd_command_parse_tables (argc, argv, arguments, summary, tables, error);
}
