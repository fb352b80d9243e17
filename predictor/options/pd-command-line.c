/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-command-line.h"

#include "base/pd-nearest.h"
#include "base/options/pd-option-words.h"
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

/* Where options are found in the help of commands that have many of them: a name means the same in
 * all commands. */
static const PdOptionGroup groups[] = {
  { "Machine", "machine set map cpu-ratio seed flops shapes price" },
  { "Output",
    "output xml db csv html json quiet verbose level interval procs per-processor matrix top "
    "no-per-process calls-above calls-above-by-source full" },
  { "Timeline", "timeline timeline-window timeline-ranks timeline-limit" },
  { "Uncertainty and sensitivity",
    "samples no-range reproduce sensitivity pop what-if compensate scaling-traces" },
  { "DVM programs only",
    "startup clamped outliers recorder-cost blocks weights-from-speed no-comm-split "
    "across-tc-known rts" },
  { "Message-passing programs only", "wildcards cache" },
  { "All-to-all only", "alltoall ranks bytes block self timing sockets" },
  { "Clusters", "slurm partition time sbatch wait shard merge" },
  { "Expert", "check one-step strict jobs log log-procs log-records exhaustive limit no-server" },
  { NULL, NULL },
};

/* With fewer, groups are longer than their titles. */
#define MANY_OPTIONS 20

static const PdOptionGroup *
choose_groups (const GOptionEntry *const *tables)
{
  guint n = 0;

  for (; *tables != NULL; tables++)
    for (const GOptionEntry *e = *tables; e->long_name != NULL; e++)
      n += (e->flags & G_OPTION_FLAG_HIDDEN) == 0 ? 1 : 0;
  return n >= MANY_OPTIONS ? groups : NULL;
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
  if (pd_option_words_parse_grouped (context, tables, choose_groups (tables), argc, argv, &local))
    return TRUE;
  g_autofree char *hint = format_hint (tables, local);
  g_set_error (error, PD_USAGE_ERROR, 0, "%s%s", local->message, hint);
  return FALSE;
}

void
pd_command_find_recordings (char **words, int n)
{
  for (int i = 0; i < n; i++)
    words[i] = (char *) pd_trace_find_recording (words[i]);
}

gboolean
pd_command_parse (int *argc, char ***argv, const char *arguments, const char *summary,
                  const GOptionEntry *entries, GError **error)
{
  const GOptionEntry *const tables[] = { entries, NULL };

  return pd_command_parse_tables (argc, argv, arguments, summary, tables, error);
}
