/* predictor machine fit: a description from measurements. predictor-fit fits it, here it
 * is checked and compared with the measured times.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* realpath() */
#include "predictor/cli/cmd-machine-private.h"
#include "base/pd-target.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/options/pd-points-plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "predictor-fit"

static char *option_output;
static char *option_plot;
static char *option_name;
static char *option_network;
static char *option_collectives;
static char *option_nodes;
static char *option_processors;
static char *option_bound;
static gboolean option_force;

static const GOptionEntry entries[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &option_output,
    "Write the description there (default: it is required)", "FILE" },
  { "name", 0, 0, G_OPTION_ARG_STRING, &option_name,
    "Name of the machine (default: that of the file, without its suffix)", "NAME" },
  { "network", 0, 0, G_OPTION_ARG_STRING, &option_network,
    "Type of the network: contention, loggops, memory, ethernet or myrinet (default: contention)",
    "TYPE" },
  { "collectives", 0, 0, G_OPTION_ARG_STRING, &option_collectives,
    "Set of collective algorithms (default: that of the MPI measured)", "SET" },
  { "nodes", 0, 0, G_OPTION_ARG_STRING, &option_nodes,
    "Nodes of the machine (default: as many as were measured)", "N" },
  { "processors", 0, 0, G_OPTION_ARG_STRING, &option_processors,
    "Processors of each node (default: as many as were measured)", "N" },
  { "bound", 0, 0, G_OPTION_ARG_STRING, &option_bound,
    "Least R2 of an accepted fit, from 0 to 1 (default: 0.95)", "NUMBER" },
  { "force", 0, 0, G_OPTION_ARG_NONE, &option_force,
    "Accept data that do not fit, were oversubscribed, or are of several libraries (default: "
    "refuse)",
    NULL },
  { "plot", 0, 0, G_OPTION_ARG_FILENAME, &option_plot,
    "Draw the measured times and the model there, as PNG or SVG (default: do not)", "FILE" },
  { .long_name = NULL },
};

/* The options that are passed to predictor-fit. */
static const struct
{
  const char *option;
  char **value;
} passed[] = {
  { "--network", &option_network }, { "--collectives", &option_collectives },
  { "--nodes", &option_nodes },     { "--processors", &option_processors },
  { "--bound", &option_bound },
};

static void
clear_options (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (passed); i++)
    g_clear_pointer (passed[i].value, g_free);
  g_clear_pointer (&option_output, g_free);
  g_clear_pointer (&option_plot, g_free);
  g_clear_pointer (&option_name, g_free);
  option_force = FALSE;
}

/* Beside this program, where it was built, or where its parts are installed. */
static char *
find_program (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self != NULL ? self : ".");
  char *places[] = {
    g_build_filename (folder, PROGRAM, NULL),
    g_build_filename (folder, "..", "fit", PROGRAM, NULL),
    g_build_filename (folder, "..", "lib", "predictor", PROGRAM, NULL),
    g_build_filename (PD_LIBDIR, PROGRAM, NULL),
  };
  char *found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      if (found == NULL && g_file_test (places[i], G_FILE_TEST_IS_EXECUTABLE))
        found = realpath (places[i], NULL);
      g_free (places[i]);
    }
  return found != NULL ? found : g_find_program_in_path (PROGRAM);
}

/* Of "cluster.xml": "cluster". */
static char *
make_name (void)
{
  char *name = option_name != NULL ? g_strdup (option_name) : g_path_get_basename (option_output);
  char *dot = strrchr (name, '.');

  if (option_name == NULL && dot != NULL && dot != name)
    *dot = '\0';
  return name;
}

/* Ends with NULL; all but the last one are owned. */
static char **
make_command (char **files, const char *name, GError **error)
{
  g_autofree char *program = find_program ();
  GPtrArray *words;

  if (program == NULL)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                   PROGRAM
                   " is neither in the folder of this program nor in $PATH: it is built where GSL "
                   "(Debian package libgsl-dev) is");
      return NULL;
    }
  words = g_ptr_array_new ();
  g_ptr_array_add (words, g_steal_pointer (&program));
  g_ptr_array_add (words, g_strconcat ("--name=", name, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (passed); i++)
    if (*passed[i].value != NULL)
      g_ptr_array_add (words, g_strconcat (passed[i].option, "=", *passed[i].value, NULL));
  if (option_force)
    g_ptr_array_add (words, g_strdup ("--force"));
  g_ptr_array_add (words, g_strdup ("--"));
  for (; *files != NULL; files++)
    g_ptr_array_add (words, g_strdup (*files));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* The error message of predictor-fit, without its name. */
static int
fail (int wait_status, char *said, GError **error)
{
  const char *text = g_strstrip (said);
  const char *last = strrchr (text, '\n');
  gboolean usage = wait_status >> 8 == PD_EXIT_USAGE;

  text = last != NULL ? last + 1 : text;
  if (g_str_has_prefix (text, PROGRAM ": "))
    text += strlen (PROGRAM ": ");
  if (*text == '\0')
    text = PROGRAM " failed";
  if (usage)
    g_set_error_literal (error, PD_USAGE_ERROR, 0, text);
  else
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, text);
  return usage ? PD_EXIT_USAGE : PD_EXIT_FAILURE;
}

/* The description that predictor-fit makes of @files, and what it warned of. */
static int
run_fit (char **files, const char *name, char **xml, GError **error)
{
  g_auto (GStrv) command = make_command (files, name, error);
  g_autofree char *said = NULL;
  /* <(COMMAND) of a shell is a descriptor */
  GSpawnFlags flags = G_SPAWN_CHILD_INHERITS_STDIN | G_SPAWN_LEAVE_DESCRIPTORS_OPEN;
  int status = 0;

  if (command == NULL
      || !g_spawn_sync (NULL, command, NULL, flags, NULL, NULL, xml, &said, &status, error))
    return PD_EXIT_FAILURE;
  if (status != 0)
    return fail (status, said, error);
  fputs (said, stderr);
  return PD_EXIT_OK;
}

#define PER_MEDIAN                                                                                 \
  1.4826 /* standard deviation of a normal distribution by its median deviation                    \
          */

/* The description with the error of its points as the spread of the network, which --samples draws
 * from and ranges have. */
static char *
add_spread (const char *xml, const PdPointsReport *report)
{
  gdouble sigma = PER_MEDIAN * pd_points_report_get_median (report) / 100;
  const char *end = g_strrstr (xml, "</machine>");
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (sigma < 1e-6 || end == NULL)
    return g_strdup (xml);
  return g_strdup_printf (
      "%.*s  <spread path=\"network-ratio\" kind=\"lognormal\" sigma=\"%s\"/>\n%s",
      (int) (end - xml), xml, g_ascii_formatd (text, sizeof text, "%.4g", sigma), end);
}

/* Nothing is written before all of it is known to be right. Returns: the exit status. */
static int
compare (const char *xml, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (xml, strlen (xml));
  g_autoptr (PdMachine) machine = pd_machine_load_bytes (bytes, option_output, NULL, 0, error);
  g_autoptr (PdPointsReport) report =
      machine != NULL ? pd_points_report_new (machine, error) : NULL;

  g_autofree char *whole = report != NULL ? add_spread (xml, report) : NULL;

  if (report == NULL || !pd_target_save (option_output, whole, strlen (whole), error)
      || (option_plot != NULL && !pd_points_report_plot (report, option_plot, error)))
    return PD_EXIT_FAILURE;
  g_autofree char *text = pd_points_report_format (report, TRUE);
  fputs (text, stdout);
  return pd_points_report_get_median (report) <= PD_POINTS_FAIR ? PD_EXIT_OK : PD_EXIT_BEYOND;
}

int
pd_cmd_machine_fit (int argc, char **argv, GError **error)
{
  g_autofree char *name = NULL, *xml = NULL;

  clear_options ();
  if (!pd_command_parse (&argc, &argv, "FILE…",
                         "Fits a machine description to measurements of predictor-measure, and "
                         "compares both.\n"
                         "Example: predictor machine fit transfer.csv collective.csv -o this.xml",
                         entries, error))
    return PD_EXIT_USAGE;
  if (argc < 2 || option_output == NULL)
    return pd_cmd_machine_usage (error, "fit: expected FILE… and -o FILE");
  name = make_name ();
  int status = run_fit (argv + 1, name, &xml, error);
  if (status != PD_EXIT_OK)
    return status;
  return compare (xml, error);
}
