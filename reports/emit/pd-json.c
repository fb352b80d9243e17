/* SPDX-License-Identifier: MIT */
#include "base/pd-text.h"
#include "reports/emit/pd-json.h"
#include "reports/emit/pd-format.h"

#define BLANKS "                        " /* deeper trees are not indented any further */

static void
begin_line (PdJson *json)
{
  g_string_append_c (json->out, '\n');
  g_string_append_len (json->out, BLANKS, MIN (json->depth, (gssize) sizeof BLANKS - 1));
}

void
pd_json_begin (PdJson *json, const char *key)
{
  if (!json->first)
    g_string_append (json->out, json->flat ? ", " : ",");
  if (json->depth > 0 && !json->flat)
    begin_line (json);
  json->first = FALSE;
  if (key == NULL)
    return;
  pd_text_append_json (json->out, key);
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
    begin_line (json);
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
    pd_text_append_json (json->out, text);
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
