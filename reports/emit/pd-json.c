/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-json.h"
#include "reports/emit/pd-format.h"

#define MAX_INDENT 24 /* deeper trees are not indented any further */

static void
append_quoted (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  g_string_append_c (out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    {
      guchar c = (guchar) *p;
      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", c);
      else if (c < 0x20 || c == 0x7f)
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
}

void
pd_json_begin (PdJson *json, const char *key)
{
  if (!json->first)
    g_string_append (json->out, json->flat ? ", " : ",");
  if (json->depth > 0 && !json->flat)
    g_string_append_printf (json->out, "\n%*s", (int) MIN (json->depth, MAX_INDENT), "");
  json->first = FALSE;
  if (key == NULL)
    return;
  append_quoted (json->out, key);
  g_string_append (json->out, ": ");
}

void
pd_json_open (PdJson *json, const char *key, char bracket)
{
  pd_json_begin (json, key);
  g_string_append_c (json->out, bracket);
  json->depth++;
  json->first = TRUE;
}

void
pd_json_close (PdJson *json, char bracket)
{
  json->depth--;
  if (!json->first && !json->flat)
    g_string_append_printf (json->out, "\n%*s", (int) MIN (json->depth, MAX_INDENT), "");
  g_string_append_c (json->out, bracket);
  json->first = json->flat = FALSE;
}

void
pd_json_open_flat (PdJson *json, const char *key)
{
  pd_json_open (json, key, '{');
  json->flat = TRUE;
}

void
pd_json_add_string (PdJson *json, const char *key, const char *text)
{
  pd_json_begin (json, key);
  if (text == NULL)
    g_string_append (json->out, "null");
  else
    append_quoted (json->out, text);
}

void
pd_json_add_seconds (PdJson *json, const char *key, PdTimeSum sum)
{
  pd_json_begin (json, key);
  pd_report_append_seconds (json->out, sum);
}

void
pd_json_add_integer (PdJson *json, const char *key, PdWide value)
{
  pd_json_begin (json, key);
  pd_report_append_wide (json->out, value);
}

void
pd_json_add_double (PdJson *json, const char *key, const char *format, gdouble value)
{
  pd_json_begin (json, key);
  pd_report_append_double (json->out, format, value);
}

void
pd_json_add_boolean (PdJson *json, const char *key, gboolean value)
{
  pd_json_begin (json, key);
  g_string_append (json->out, value ? "true" : "false");
}
