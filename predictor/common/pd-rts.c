/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-rts.h"

#include <string.h>

G_DEFINE_QUARK (pd_rts_error_quark, pd_rts_error)

static void
set_across_groups (PdDvmOptions *options, gint64 value)
{
  options->across_groups = value;
}

static void
set_mpi_reduce (PdDvmOptions *options, gint64 value)
{
  options->mpi_reduce = value != 0;
}

static void
set_message_mask (PdDvmOptions *options, gint64 value)
{
  options->message_mask = (guint) value;
}

static void
set_dedupe_copies (PdDvmOptions *options, gint64 value)
{
  options->dedupe_copies = value != 0;
}

/* Values are multiples of @step up to @most. */
static const struct
{
  const char *key;
  gint64 standard;
  gint64 step;
  gint64 most;
  const char *expected;
  void (*set) (PdDvmOptions *options, gint64 value);
} parameters[] = {
  { "AcrossGroupNumber", 0, 1, 1 << 20, "0 to 1048576", set_across_groups },
  { "MPIReduce", 2, 2, 2, "0 or 2", set_mpi_reduce },
  { "Msk3", 0, 3, 3, "0 or 3", set_message_mask },
  { "dedupe_copies", 0, 1, 1, "0 or 1", set_dedupe_copies },
};

static gboolean
fail_key (const char *text, gsize length, GError **error)
{
  g_autofree char *key = g_strndup (text, length);
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parameters); i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", parameters[i].key);
  g_set_error (error, PD_RTS_ERROR, PD_RTS_ERROR_KEY,
               "the run-time system has no parameter '%s' that is modelled, expected one of %s",
               key, known->str);
  return FALSE;
}

static gboolean
parse_one (const char *text, PdDvmOptions *options, GError **error)
{
  const char *equals = strchr (text, '=');
  gsize length = equals == NULL ? 0 : (gsize) (equals - text);
  gint64 value;
  guint i = 0;

  if (length == 0)
    {
      g_set_error (error, PD_RTS_ERROR, PD_RTS_ERROR_SYNTAX,
                   "parameter '%s' of the run-time system, expected KEY=VALUE", text);
      return FALSE;
    }
  while (
      i < G_N_ELEMENTS (parameters)
      && (strlen (parameters[i].key) != length || strncmp (parameters[i].key, text, length) != 0))
    i++;
  if (i == G_N_ELEMENTS (parameters))
    return fail_key (text, length, error);
  if (g_ascii_string_to_signed (equals + 1, 10, 0, parameters[i].most, &value, NULL)
      && value % parameters[i].step == 0)
    {
      parameters[i].set (options, value);
      return TRUE;
    }
  g_set_error (error, PD_RTS_ERROR, PD_RTS_ERROR_VALUE,
               "parameter %s of the run-time system is '%s', expected %s", parameters[i].key,
               equals + 1, parameters[i].expected);
  return FALSE;
}

gboolean
pd_rts_parse (const char *const *texts, PdDvmOptions *options, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (parameters); i++)
    parameters[i].set (options, parameters[i].standard);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    if (!parse_one (texts[i], options, error))
      return FALSE;
  return TRUE;
}
