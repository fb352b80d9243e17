/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-words.h"

#include "predictor/options/pd-help-topics.h"
#include "comsys/description/pd-machine-files.h"
#include "comsys/description/pd-machine-tools.h"
#include "traces/open/pd-trace-formats.h"
#include "comsys/description/pd-machine-words.h"
#include "comsys/machine/pd-machine.h"

#include <string.h>

static char **
list_types (void)
{
  return pd_machine_get_words (PD_MACHINE_WORDS_TYPES);
}

static char **
list_keys (void)
{
  return pd_machine_get_words (PD_MACHINE_WORDS_KEYS);
}

static char **
list_settings (void)
{
  return pd_machine_get_words (PD_MACHINE_WORDS_SETTINGS);
}

static char **
list_formats (void)
{
  GPtrArray *names = g_ptr_array_new ();
  guint n;
  const PdTraceFormat *formats = pd_trace_format_get_all (&n);

  for (guint i = 0; i < n; i++)
    if (formats[i].write != NULL)
      g_ptr_array_add (names, g_strdup (formats[i].name));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

static char **
list_topics (void)
{
  return g_strdupv ((char **) pd_help_topics ());
}

static const struct
{
  const char *kind;
  char **(*list) (void);
} kinds[] = {
  { "machines", pd_machine_list }, { "types", list_types },     { "keys", list_keys },
  { "settings", list_settings },   { "formats", list_formats }, { "topics", list_topics },
};

char **
pd_words_list (const char *kind)
{
  g_return_val_if_fail (kind != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].kind, kind) == 0)
      return kinds[i].list ();
  return NULL;
}
