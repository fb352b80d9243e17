/* predictor machine: list, check and import machine descriptions; others show and fit them.
 * SPDX-License-Identifier: MIT */
#include "base/pd-nearest.h"
#include "base/pd-target.h"
#include "base/pd-text.h"
#include "predictor/options/cmd-tools.h"
#include "comsys/description/pd-machine-files.h"
#include "comsys/description/pd-machine-show.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/cli/cmd-machine-private.h"
#include "predictor/common/pd-noise-samples.h"
#include "comsys/import/pd-machine-import.h"
#include "comsys/machine/pd-machine.h"

#include <stdio.h>
#include <string.h>

#define LIST_WIDTH 74 /* characters of a description in one line of the list */

typedef struct
{
  const char *name;
  PdCommandFunc run;
  const char *summary;
} Action;

static char **option_settings;
static char *option_from;
static char *option_output;

static const GOptionEntry no_entries[] = { { .long_name = NULL } };

static const GOptionEntry set_entries[] = {
  { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option_settings,
    "Override an attribute, e.g. network/startup=2us; may be repeated (default: none)",
    "PATH=VALUE" },
  { .long_name = NULL },
};

static const GOptionEntry import_entries[] = {
  { "from", 0, 0, G_OPTION_ARG_STRING, &option_from,
    "Format of the file: dvm-par, the DVM system's Predictor.par; dimemas, a configuration of "
    "Dimemas; or loggopsim, its parameters (default: dvm-par)",
    "FORM" },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &option_output,
    "Write the description there (default: standard output)", "FILE" },
  { .long_name = NULL },
};

/* Options are kept in statics, which GOption needs; a second call starts anew. */
static gboolean
parse (int *argc, char ***argv, const char *arguments, const char *summary,
       const GOptionEntry *entries, GError **error)
{
  g_clear_pointer (&option_settings, g_strfreev);
  g_clear_pointer (&option_from, g_free);
  g_clear_pointer (&option_output, g_free);
  return pd_command_parse (argc, argv, arguments, summary, entries, error);
}

/* A summary of a machine in one line, and its whole description below. */
static void
print_listed (const char *name, int width, const PdMachine *machine)
{
  g_autofree char *topology = pd_machine_describe_topology (machine->network);
  g_autofree char *sources = pd_machine_describe_sources (machine);
  g_autofree char *year =
      machine->year > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, machine->year) : g_strdup ("-");
  g_autofree char *line =
      g_strdup_printf ("%-*s %8u processors  %-10s  %4s  %s", width, name, machine->n_processors,
                       topology, year, *sources != '\0' ? sources : "-");
  g_autoptr (GString) text = g_string_new (NULL);

  pd_text_append_wrapped (text, "    ", 4, LIST_WIDTH, machine->description);
  pd_cmd_say (stdout, "%s", line);
  if (*machine->description != '\0')
    fputs (text->str, stdout);
}

static int
print_list (char **names)
{
  int status = PD_EXIT_OK, width = 0;

  for (guint i = 0; names[i] != NULL; i++)
    width = MAX (width, (int) strlen (names[i]));
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (PdMachine) machine = pd_machine_load (names[i], NULL, 0, &local);
      if (machine != NULL)
        print_listed (names[i], width, machine);
      else
        {
          pd_cmd_say_error ("predictor machine: ", local);
          status = PD_EXIT_FAILURE;
        }
    }
  return status;
}

static int
run_list (int argc, char **argv, GError **error)
{
  if (!parse (&argc, &argv, "",
              "Lists the installed machines: processors, network, year of the figures, the kinds\n"
              "of their sources, and the description.\n"
              "Example: predictor machine list",
              no_entries, error))
    return PD_EXIT_USAGE;
  if (argc > 1)
    return pd_cmd_machine_usage (error, "list: no arguments are expected");
  g_auto (GStrv) names = pd_machine_list ();
  if (names[0] == NULL)
    fputs ("predictor machine: no machines found in $PREDICTOR_MACHINES, ./machines and " PD_DATADIR
           "/machines\n",
           stderr);
  return print_list (names);
}

/* The list of noise samples that the machine names, if it does. */
static gboolean
check_noise_samples (const PdMachine *machine, GError **error)
{
  if (machine->noise.kind != PD_NOISE_TRACE)
    return TRUE;
  g_autoptr (PdNoiseSamples) noise_samples = pd_noise_samples_load (machine->noise.file, error);
  return noise_samples != NULL;
}

/* "64 processors"; some machines have as many as are asked for. */
static char *
describe_size (const char *name, const PdMachine *machine)
{
  guint32 n = machine->n_processors;
  g_autoptr (PdMachine) larger =
      pd_machine_load (name, (const char *const *) option_settings, n + 1, NULL);

  if (larger != NULL)
    return g_strdup ("any number of processors");
  return g_strdup_printf ("%u processor%s", n, n == 1 ? "" : "s");
}

static int
run_check (int argc, char **argv, GError **error)
{
  int status = PD_EXIT_OK;

  if (!parse (&argc, &argv, "MACHINE…",
              "Checks machine descriptions.\nExample: predictor machine check mvs1000", set_entries,
              error))
    return PD_EXIT_USAGE;
  if (argc < 2)
    return pd_cmd_machine_usage (error, "check: expected at least one MACHINE");
  for (int i = 1; i < argc; i++)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (PdMachine) machine =
          pd_machine_load (argv[i], (const char *const *) option_settings, 0, &local);
      if (machine != NULL && check_noise_samples (machine, &local))
        {
          g_autofree char *size = describe_size (argv[i], machine);
          pd_cmd_say (stdout, "%s: ok, %s", argv[i], size);
        }
      else
        {
          pd_cmd_say_error ("predictor machine: ", local);
          status = PD_EXIT_FAILURE;
        }
    }
  return status;
}

static int
run_import (int argc, char **argv, GError **error)
{
  if (!parse (&argc, &argv, "FILE",
              "Writes a machine description of another program as XML.\n"
              "Example: predictor machine import --from dvm-par Predictor.par -o cluster.xml",
              import_entries, error))
    return PD_EXIT_USAGE;
  if (argc != 2)
    return pd_cmd_machine_usage (error, "import: expected one FILE");

  static const char *const forms[] = { "dvm-par", "dimemas", "loggopsim", NULL };
  const char *form = option_from != NULL ? option_from : "dvm-par";
  if (!g_strv_contains (forms, form))
    return pd_cmd_machine_usage (error, "import: expected --from dvm-par, dimemas or loggopsim");
  g_autofree char *xml = pd_machine_import (form, argv[1], error);
  if (xml == NULL)
    return PD_EXIT_FAILURE;
  const char *path = option_output != NULL ? option_output : "-";
  return pd_target_save (path, xml, strlen (xml), error) ? PD_EXIT_OK : PD_EXIT_FAILURE;
}

static const Action actions[] = {
  { "list", run_list, "list the installed machines" },
  { "show", pd_cmd_machine_show, "show a machine as a table and a picture" },
  { "check", run_check, "check machine descriptions" },
  { "import", run_import, "convert another program's description" },
  { "fit", pd_cmd_machine_fit, "fit a description to measurements of predictor-measure" },
  { "calibrate-recorder", pd_cmd_machine_calibrate_recorder,
    "determine the cost of recording a DVM program" },
};

/* "predictor machine" with options only: --help, or a mistake. */
static int
run_bare (int argc, char **argv, GError **error)
{
  g_autoptr (GString) summary = g_string_new ("Handles machine descriptions.\n\nActions:\n");

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    g_string_append_printf (summary, "  %-19s %s\n", actions[i].name, actions[i].summary);
  g_string_append (summary, "\n'predictor machine ACTION --help' describes an action.\n\n"
                            "Example: predictor machine show mvs1000");
  if (!parse (&argc, &argv, "ACTION [OPTION…] [ARGUMENT…]", summary->str, no_entries, error))
    return PD_EXIT_USAGE;
  return pd_cmd_machine_usage (error, "expected an action: list, show, check, import, fit or "
                                      "calibrate-recorder");
}

int
pd_cmd_machine (int argc, char **argv, GError **error)
{
  for (gsize i = 0; argc >= 2 && i < G_N_ELEMENTS (actions); i++)
    if (strcmp (argv[1], actions[i].name) == 0)
      {
        g_autofree char *name = g_strconcat (argv[0], " ", argv[1], NULL);
        argv[1] = name;
        return actions[i].run (argc - 1, argv + 1, error);
      }
  if (argc >= 2 && *argv[1] != '-')
    {
      static const char *const names[] = { "list",   "show", "check",
                                           "import", "fit",  "calibrate-recorder",
                                           NULL };
      g_autofree char *hint = pd_nearest_format (argv[1], names);
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "unknown action '%s'; expected list, show, check, import, fit or "
                   "calibrate-recorder%s",
                   argv[1], hint);
      return PD_EXIT_USAGE;
    }
  return run_bare (argc, argv, error);
}
