/* predictor-fit: a machine description from the sheets of predictor-measure. A program of
 * its own because of GSL; predictor machine fit starts it.
 * SPDX-License-Identifier: MIT */
#include "base/options/pd-option-words.h"
#include "base/pd-target.h"
#include "base/pd-text.h"
#include "fit/pd-fit-model.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **option_files;
static char *option_name;
static char *option_network;
static char *option_collectives;
static char *option_output;
static gint64 option_nodes;
static gint64 option_processors;
static gdouble option_bound = PD_FIT_BOUND;
static gboolean option_force;

static const GOptionEntry entries[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &option_output,
    "Write the description there (default: standard output)", "FILE" },
  { "name", 0, 0, G_OPTION_ARG_STRING, &option_name, "Name of the machine (default: measured)",
    "NAME" },
  { "network", 0, 0, G_OPTION_ARG_STRING, &option_network,
    "Type of the network: contention, loggops, memory, ethernet or myrinet (default: contention)",
    "TYPE" },
  { "collectives", 0, 0, G_OPTION_ARG_STRING, &option_collectives,
    "Set of collective algorithms (default: that of the MPI measured)", "SET" },
  { "nodes", 0, 0, G_OPTION_ARG_INT64, &option_nodes,
    "Nodes of the machine (default: as many as were measured)", "N" },
  { "processors", 0, 0, G_OPTION_ARG_INT64, &option_processors,
    "Processors of each node (default: as many as were measured)", "N" },
  { "bound", 0, 0, G_OPTION_ARG_DOUBLE, &option_bound,
    "Least R2 of an accepted fit, from 0 to 1 (default: 0.95)", "NUMBER" },
  { "force", 0, 0, G_OPTION_ARG_NONE, &option_force,
    "Accept data that do not fit, were oversubscribed, or are of several libraries (default: "
    "refuse)",
    NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_files, NULL, NULL },
  { .long_name = NULL },
};

static void
say (const char *message)
{
  g_autofree char *shown = pd_text_show (message);

  fprintf (stderr, "predictor-fit: %s\n", shown);
}

static gboolean
parse (int argc, char **argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE…");

  g_option_context_set_summary (
      context, "Fits a machine description to sheets of predictor-measure.\n"
               "Example: predictor-fit transfer.csv collective.csv -o machine.xml");
  if (!pd_option_words_parse (context, (const GOptionEntry *const[]){ entries, NULL }, &argc, &argv,
                              error))
    return FALSE;
  if (option_files == NULL)
    g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_USAGE, "expected at least one FILE");
  else if (!(option_bound >= 0 && option_bound <= 1))
    g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_USAGE, "--bound: expected 0 to 1");
  else if (option_nodes < 0 || option_nodes > 1 << 24 || option_processors < 0
           || option_processors > 1 << 24)
    g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_USAGE, "--nodes, --processors: expected 1 to %d",
                 1 << 24);
  else if (option_name != NULL
           && pd_text_find_forbidden (option_name, strlen (option_name)) != NULL)
    g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_USAGE,
                 "--name: '%s' has characters that XML cannot hold", option_name);
  else
    return TRUE;
  return FALSE;
}

static char *
fit (GPtrArray *sheets, GError **error)
{
  const PdFitOptions options = { .name = option_name != NULL ? option_name : "measured",
                                 .network = option_network != NULL ? option_network : "contention",
                                 .collectives = option_collectives,
                                 .nodes = option_nodes,
                                 .processors = option_processors,
                                 .bound = option_bound,
                                 .force = option_force };

  for (guint i = 0; option_files[i] != NULL; i++)
    {
      PdSheetFile *sheet = pd_sheet_file_load (option_files[i], error);
      if (sheet == NULL)
        return NULL;
      g_ptr_array_add (sheets, sheet);
    }
  g_autoptr (PdFitData) data =
      pd_fit_data_new ((PdSheetFile *const *) sheets->pdata, sheets->len, option_force, error);
  if (data == NULL)
    return NULL;
  if (data->n_left_out > 0)
    fprintf (stderr, "predictor-fit: %u rows of operations are not modelled and left out\n",
             data->n_left_out);
  if (data->n_disturbed > 0)
    fprintf (stderr,
             "predictor-fit: %u times are of disturbed rounds only: measure again on an idle "
             "machine\n",
             data->n_disturbed);
  return pd_fit_description (data, &options, error);
}

static gboolean
write_text (const char *text, GError **error)
{
  return pd_target_save (option_output != NULL ? option_output : "-", text, strlen (text), error);
}

static void
show_help (const char *text)
{
  fputs (text, stdout);
  exit (EXIT_SUCCESS);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sheets =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_sheet_file_free);
  g_autofree char *text = NULL;

  pd_option_words_set_help (show_help);
  setlocale (LC_ALL, "C.UTF-8");
  pd_target_remove_at_signals ();
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    {
      puts (
          "predictor-fit " PD_VERSION "\n"
          "Licence: GPL 3 or later, because of the GNU Scientific Library; its own sources: MIT.\n"
          "There is no warranty.");
      return 0;
    }
  if (!parse (argc, argv, &error))
    {
      say (error->message);
      return 2;
    }
  text = fit (sheets, &error);
  if (text != NULL && write_text (text, &error))
    return 0;
  say (error->message);
  return g_error_matches (error, PD_FIT_ERROR, PD_FIT_ERROR_USAGE) ? 2 : 1;
}
