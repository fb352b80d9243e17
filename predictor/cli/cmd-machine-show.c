/* predictor machine show: a machine, and its simulated times against measured ones.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-machine-private.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/description/pd-machine-show.h"
#include "predictor/options/pd-points-plot.h"

#include <stdio.h>

static char **option_settings;
static gboolean option_measured;
static char *option_plot;
static char *option_points;

static const GOptionEntry entries[] = {
  { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option_settings,
    "Override an attribute, e.g. network/startup=2us; may be repeated (default: none)",
    "PATH=VALUE" },
  { "measured", 0, 0, G_OPTION_ARG_NONE, &option_measured,
    "Show measured times, simulated times and the errors instead (default: do not)", NULL },
  { "points", 0, 0, G_OPTION_ARG_STRING, &option_points,
    "With --measured or --plot, take the measured times of that description (default: the "
    "machine's own)",
    "MACHINE" },
  { "plot", 0, 0, G_OPTION_ARG_FILENAME, &option_plot,
    "Draw the measured times and the model there, as PNG or SVG (default: do not)", "FILE" },
  { .long_name = NULL },
};

static void
clear_options (void)
{
  g_clear_pointer (&option_settings, g_strfreev);
  g_clear_pointer (&option_plot, g_free);
  g_clear_pointer (&option_points, g_free);
  option_measured = FALSE;
}

/* Compares the measured times of another description with this one. */
static gboolean
take_points (PdMachine *machine, GError **error)
{
  g_autoptr (PdMachine) other = pd_machine_load (option_points, NULL, 0, error);

  if (other == NULL)
    return FALSE;
  pd_points_free (machine->measured);
  machine->measured = g_steal_pointer (&other->measured);
  return TRUE;
}

static gboolean
show_measured (const PdMachine *machine, GError **error)
{
  g_autoptr (PdPointsReport) report = pd_points_report_new (machine, error);

  if (report == NULL
      || (option_plot != NULL && !pd_points_report_plot (report, option_plot, error)))
    return FALSE;
  if (option_measured)
    {
      g_autofree char *text = pd_points_report_format (report, TRUE);
      fputs (text, stdout);
    }
  return TRUE;
}

int
pd_cmd_machine_show (int argc, char **argv, GError **error)
{
  clear_options ();
  if (!pd_command_parse (&argc, &argv, "MACHINE",
                         "Shows a machine: a file, a name, or TYPE:key=value,…\n"
                         "Example: predictor machine show mvs1000 --set network/startup=2us",
                         entries, error))
    return PD_EXIT_USAGE;
  if (argc != 2)
    return pd_cmd_machine_usage (error, "show: expected one MACHINE");

  g_autoptr (PdMachine) machine =
      pd_machine_load (argv[1], (const char *const *) option_settings, 0, error);
  if (machine == NULL || (option_points != NULL && !take_points (machine, error)))
    return PD_EXIT_FAILURE;
  if ((option_measured || option_plot != NULL) && !show_measured (machine, error))
    return PD_EXIT_FAILURE;
  if (!option_measured)
    {
      g_autofree char *text = pd_machine_describe (machine);
      fputs (text, stdout);
    }
  return PD_EXIT_OK;
}
