/* What "predictor help TOPIC" says.
 * SPDX-License-Identifier: MIT */
#include "predictor/options/pd-help-topics.h"

#include "base/pd-text.h"
#include "comsys/description/pd-machine-files.h"
#include "comsys/net/pd-network.h"
#include "comsys/description/pd-machine-words.h"
#include "traces/open/pd-trace-formats.h"

#include <string.h>

#define NAME_WIDTH 18 /* of the first column */
#define TEXT_WIDTH 58 /* of the second */

typedef struct
{
  const char *name;
  const char *summary;
  void (*append) (GString *out); /* (nullable): what stands between the summary and the page */
  const char *page;
} Topic;

/* "  NAME   text", wrapped. */
static void
append_row (GString *out, const char *name, const char *text)
{
  g_autofree char *first = g_strdup_printf ("  %-*s ", NAME_WIDTH, name);

  pd_text_append_wrapped (out, first, NAME_WIDTH + 3, TEXT_WIDTH, text);
}

static void
append_formats (GString *out)
{
  guint n;
  const PdTraceFormat *formats = pd_trace_format_get_all (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *suffixes =
          formats[i].suffixes != NULL ? g_strjoinv (", ", (char **) formats[i].suffixes) : NULL;
      g_autofree char *text =
          formats[i].write != NULL
              ? g_strdup_printf ("%s; written for names that end with %s, or --to %s",
                                 formats[i].meaning, suffixes, formats[i].name)
              : g_strdup (formats[i].meaning);
      append_row (out, formats[i].name, text);
    }
  g_string_append (
      out, "\nText may be compressed with gzip or zstd. 'predictor info FILE' says what a file "
           "is,\n'predictor convert' writes another format.\n");
}

static void
append_models (GString *out)
{
  for (guint i = 0; pd_network_class_get (i) != NULL; i++)
    append_row (out, pd_network_class_get (i)->type, pd_network_class_get (i)->meaning);
  g_string_append (out, "\nCollective operations are made of messages by a set of algorithms "
                        "(collectives=SET):\n");
  g_auto (GStrv) words = pd_machine_get_words (PD_MACHINE_WORDS_SETTINGS);
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], "collectives/set="))
      g_string_append_printf (out, "  %s\n", words[i] + strlen ("collectives/set="));
  g_string_append (out, "\n'predictor help machines' has the parameters of networks.\n");
}

static const char *
name_unit (const PdParam *param)
{
  static const char *const units[] = {
    [PD_UNIT_TIME] = "time",   [PD_UNIT_PER_BYTE] = "time per byte",
    [PD_UNIT_BYTES] = "size",  [PD_UNIT_RATE] = "rate",
    [PD_UNIT_COUNT] = "count", [PD_UNIT_RATIO] = "ratio",
    [PD_UNIT_SHAPE] = "shape",
  };

  return units[param->unit];
}

static void
append_param (GString *out, const PdParam *param)
{
  g_autofree char *words =
      param->choices != NULL ? g_strjoinv (", ", (char **) param->choices) : NULL;
  const char *fallback = param->fallback;
  g_autofree char *absent = fallback == NULL    ? g_strdup ("required")
                            : *fallback == '\0' ? g_strdup ("chosen if absent")
                            : *fallback == '='  ? g_strdup_printf ("default: %s", fallback + 1)
                                                : g_strdup_printf ("default: %s", fallback);
  g_autofree char *text = g_strdup_printf ("%s (%s; %s)", param->meaning,
                                           words != NULL ? words : name_unit (param), absent);

  append_row (out, param->name, text);
}

static void
append_machines (GString *out)
{
  g_auto (GStrv) names = pd_machine_list ();
  g_autofree char *all = g_strjoinv (", ", names);

  pd_text_append_wrapped (out, "Names: ", 7, 70, all);
  for (guint i = 0; pd_network_class_get (i) != NULL; i++)
    {
      const PdNetworkClass *class = pd_network_class_get (i);
      g_string_append_printf (out, "\n%s: %s\n", class->type, class->meaning);
      for (const PdParam *p = class->params; p->name != NULL; p++)
        append_param (out, p);
    }
  g_string_append (out, "\nExample: predictor machine show "
                        "flow:topology=star,nic-latency=5us,nic-bandwidth=1GB/s,nodes=16\n");
}

static const Topic topics[] = {
  { "formats", "Formats of traces that are read and written.", append_formats, "predictor-trace" },
  { "models", "Models of networks, and of collective operations.", append_models,
    "predictor-machine" },
  { "machines",
    "Machines: a file, a name, or a network in one line, TYPE:key=value,… with these keys.",
    append_machines, "predictor-machine" },
  { "results", "Files of results: XML, JSON, CSV, a database of SQLite, pages.", NULL,
    "predictor-results" },
  { "timelines", "Files with the activity of each rank over time, for other tools.", NULL,
    "predictor-timeline" },
  { "studies", "Studies: many predictions, described in one file, kept in one database.", NULL,
    "predictor-study" },
  { "messages", "Identifiers of warnings and notes, and their meanings.", NULL,
    "predictor-messages" },
  { "blocks", "Sizes of blocks and weights that a DVM trace does not have.", NULL,
    "predictor-blocks" },
  { "dimemas", "Traces and configurations of Dimemas.", NULL, "predictor-dimemas" },
  { "goal", "GOAL schedules, and traces of liballprof.", NULL, "predictor-goal" },
};

const char *const *
pd_help_topics (void)
{
  static const char *names[G_N_ELEMENTS (topics) + 1];

  for (gsize i = 0; i < G_N_ELEMENTS (topics); i++)
    names[i] = topics[i].name;
  return names;
}

char *
pd_help_topic_format (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (topics); i++)
    if (strcmp (topics[i].name, name) == 0)
      {
        GString *out = g_string_new (NULL);
        g_string_append_printf (out, "%s\n", topics[i].summary);
        if (topics[i].append != NULL)
          {
            g_string_append_c (out, '\n');
            topics[i].append (out);
          }
        g_string_append_printf (out, "\nAt length: man 5 %s\n", topics[i].page);
        return g_string_free (out, FALSE);
      }
  return NULL;
}
