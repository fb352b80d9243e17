/* The parameters of LogGOPSim, as on its command line: "-L 2500 -o 1500 -g 1000
 * -G 6 -O 0 -S 65535", in nanoseconds, per byte, and bytes. Omitted parameters
 * have its defaults.
 * SPDX-License-Identifier: MIT */
#include "comsys/import/pd-loggopsim-import-private.h"
#include "comsys/description/pd-machine-inline.h"
#include "comsys/description/pd-machine-settings.h"

#include <string.h>

/* How many nodes an imported description has; with -m, as many as needed. */
#define NODES "65536"

static const struct
{
  const char *option;
  const char *name; /* the long form */
  const char *key;  /* of an inline machine */
  const char *unit;
  const char *fallback; /* LogGOPSim's */
} options[] = {
  { "-L", "--LogGOPS_L", "latency", "ns", "2500" }, { "-o", "--LogGOPS_o", "o", "ns", "1500" },
  { "-g", "--LogGOPS_g", "g", "ns", "1000" },       { "-G", "--LogGOPS_G", "G", "ns", "6" },
  { "-O", "--LogGOPS_O", "O", "ns", "0" },          { "-S", "--LogGOPS_S", "eager", "", "65535" },
};

static char **
split (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t\r\n=", -1);
  GPtrArray *kept = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_ptr_array_add (kept, g_strdup (words[i]));
  g_ptr_array_add (kept, NULL);
  return (char **) g_ptr_array_free (kept, FALSE);
}

static gsize
find_option (const char *word)
{
  gsize i = 0;

  while (i < G_N_ELEMENTS (options) && strcmp (word, options[i].option) != 0
         && strcmp (word, options[i].name) != 0)
    i++;
  return i;
}

gboolean
pd_machine_is_loggopsim (const char *text)
{
  g_auto (GStrv) words = split (text);

  return words[0] != NULL && find_option (words[0]) < G_N_ELEMENTS (options);
}

/* A whole number of digits; else @error is set. */
static gboolean
check_number (const char *option, const char *value, const char *origin, GError **error)
{
  if (value != NULL && *value != '\0' && strspn (value, "0123456789") == strlen (value)
      && strlen (value) <= 18)
    return TRUE;
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
               "%s: %s: '%s', expected a whole number", origin, option, value != NULL ? value : "");
  return FALSE;
}

static gboolean
read_values (char **words, const char *origin, const char **values, GError **error)
{
  for (guint i = 0; words[i] != NULL; i += 2)
    {
      gsize at = find_option (words[i]);
      if (at == G_N_ELEMENTS (options))
        {
          g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT,
                       "%s: '%s', expected one of the parameters -L, -o, -g, -G, -O and -S of "
                       "LogGOPSim",
                       origin, words[i]);
          return FALSE;
        }
      if (!check_number (words[i], words[i + 1], origin, error))
        return FALSE;
      values[at] = words[i + 1];
    }
  return TRUE;
}

PdElement *
pd_machine_parse_loggopsim (const char *text, const char *origin, GError **error)
{
  g_auto (GStrv) words = split (text);
  const char *values[G_N_ELEMENTS (options)];
  g_autoptr (GString) spec = g_string_new ("loggops:");

  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    values[i] = options[i].fallback;
  if (!read_values (words, origin, values, error))
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    g_string_append_printf (spec, "%s=%s%s,", options[i].key, values[i], options[i].unit);
  return pd_machine_parse_inline (spec->str, error);
}

PdElement *
pd_machine_import_loggopsim (const char *text, const char *origin, GError **error)
{
  g_autoptr (PdElement) machine = pd_machine_parse_loggopsim (text, origin, error);

  if (machine == NULL || !pd_machine_apply_setting (machine, "network/nodes/count=" NODES, error))
    return NULL;
  return g_steal_pointer (&machine);
}
