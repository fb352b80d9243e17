/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-command-line.h"

#include "base/pd-nearest.h"
#include "base/options/pd-option-words.h"
#include "comsys/description/pd-machine-faster.h"
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

static gboolean
has_option (const GOptionEntry *const *tables, const char *name)
{
  for (; *tables != NULL; tables++)
    for (const GOptionEntry *e = *tables; e->long_name != NULL; e++)
      if (strcmp (e->long_name, name) == 0)
        return TRUE;
  return FALSE;
}

/* Which of the options was meant; GOption's message ends with the one that was written. */
static char *
format_hint (const GOptionEntry *const *tables, const GError *failure)
{
  const char *begin = strstr (failure->message, "--");
  g_autofree char *word = begin == NULL ? NULL : g_strndup (begin, strcspn (begin, "="));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (word == NULL || !g_error_matches (failure, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
    return g_strdup ("");
  for (guint i = 0; tables[i] != NULL; i++)
    for (const GOptionEntry *e = tables[i]; e->long_name != NULL; e++)
      if ((e->flags & G_OPTION_FLAG_HIDDEN) == 0)
        g_ptr_array_add (names, (gpointer) e->long_name);
  for (guint i = 0; i < PD_MACHINE_N_RATIOS && has_option (tables, "set"); i++)
    g_ptr_array_add (names, (gpointer) pd_machine_ratios[i].name);
  g_ptr_array_add (names, NULL);
  const char *name = pd_nearest_find (word + 2, (const char *const *) names->pdata);
  return name != NULL ? g_strdup_printf ("; did you mean --%s?", name) : g_strdup ("");
}

/* ---- --network-ratio=2, short for --set network-ratio=2 */

/* Returns: (nullable): the setting that @words begin with, as "--NAME=VALUE" or "--NAME" "VALUE";
 * @n gets the number of words. */
static const char *
find_setting (char **words, int *n)
{
  for (guint i = 0; i < PD_MACHINE_N_RATIOS && g_str_has_prefix (words[0], "--"); i++)
    {
      const char *name = pd_machine_ratios[i].name, *word = words[0] + 2;
      gsize length = strlen (name);
      if (strncmp (word, name, length) != 0 || (word[length] != '=' && word[length] != '\0'))
        continue;
      *n = word[length] == '=' || words[1] == NULL ? 1 : 2;
      if (*n == 1)
        return word;
      g_autofree char *both = g_strdup_printf ("%s=%s", name, words[1]);
      return g_intern_string (both);
    }
  return NULL;
}

/* Settings of whole machines are options of commands that have --set. */
static void
expand_settings (int *argc, char **argv)
{
  int to = 1, n = 1;

  for (int from = 1; from < *argc; from += n, to++)
    {
      gboolean is_end = strcmp (argv[from], "--") == 0;
      const char *setting = is_end ? NULL : find_setting (argv + from, &n);
      if (setting == NULL)
        n = 1;
      g_autofree char *word = setting == NULL ? NULL : g_strconcat ("--set=", setting, NULL);
      argv[to] = setting == NULL ? argv[from] : (char *) g_intern_string (word);
      for (; is_end && from + n < *argc; n++)
        argv[++to] = argv[from + n];
    }
  *argc = to;
  argv[to] = NULL;
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
  if (has_option (tables, "set"))
    expand_settings (argc, *argv);
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
