/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copy-trace.h"

#include <string.h>

#define ID G_GINT64_MODIFIER "x"

static gint64
new_id (TestTrace *self)
{
  return self->next_id += 8;
}

/* The lists of one side: InitIndexArray and so on, or IndexArray. */
static char *
format_where (const char *prefix, const char *where, gboolean is_element)
{
  static const char *const names[] = { "InitIndexArray", "LastIndexArray", "StepArray" };
  static const char *const garbage[] = { "-1", "7777", "-3" }; /* after Init = -1 */
  g_auto (GStrv) words = g_strsplit (where, ",", -1);
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < (is_element ? 1 : 3); k++)
    for (guint i = 0; words[i] != NULL; i++)
      {
        g_auto (GStrv) parts = g_strsplit (words[i], ":", 3);
        guint n = g_strv_length (parts);
        const char *value = k < n ? parts[k] : n == 1 ? garbage[k] : "1";
        g_string_append_printf (text, "%s%s[%u]=%s; ", prefix, is_element ? "IndexArray" : names[k],
                                i, value);
      }
  return g_string_free (text, FALSE);
}

static void
add_side (GString *params, const char *prefix, TestSide side, gboolean is_rw, gboolean is_element)
{
  if (side.array == 0)
    {
      g_string_append_printf (params, "%sBufferPtr=7ffc2c49c170; ", prefix);
      return;
    }
  g_autofree char *lists = format_where (is_rw ? "" : prefix, side.where, is_element);
  g_string_append_printf (params, "%sArrayHeader=%" ID "; %sArrayHandlePtr=%" ID "; %s\n", prefix,
                          side.array - 8, prefix, side.array, lists);
}

void
test_trace_copy (TestTrace *self, const char *name, TestSide from, TestSide to, const char *more,
                 gint64 ret)
{
  g_autoptr (GString) params = g_string_new (NULL);
  gboolean is_rw = strstr (name, "rwelm") != NULL;
  gboolean is_element = strstr (name, "rcp") == NULL;

  add_side (params, "From", from, is_rw, is_element);
  add_side (params, "To", to, is_rw, is_element);
  g_string_append (params, more);
  test_trace_call (self, name, 0, ret, params->str, "Res=1;");
}

void
test_trace_waitcp (TestTrace *self, const char *flag, gint64 ret)
{
  g_autofree char *params = g_strdup_printf ("CopyFlagPtr=%s;", flag);

  test_trace_call (self, "waitcp_", 0, ret, params, "");
}

void
test_trace_redis (TestTrace *self, gint64 id, gboolean array, const char *axes, int new_sign)
{
  g_auto (GStrv) dims = g_strsplit (axes, ",", -1);
  g_autofree char *axis_list = test_trace_list ("AxisArray", axes);
  g_autoptr (GString) params = g_string_new (NULL);

  if (array)
    g_string_append_printf (params, "ArrayHeader=%" ID "; ArrayHandlePtr=%" ID "; ", id - 8, id);
  else
    g_string_append_printf (params, "AMViewRefPtr=1; AMViewRef=%" ID "; ", id);
  g_string_append_printf (params, "PSRefPtr=NULL; PSRef=0; ParamCount=%u; NewSign=%d;\n%s\n",
                          g_strv_length (dims), new_sign, axis_list);
  for (guint i = 0; dims[i] != NULL; i++)
    g_string_append_printf (params, "DistrParamArray[%u]=0; ", i);
  test_trace_call (self, "redis_", 0, 0, params->str, "IsLocal=1;");
}

static void
align (TestTrace *self, const char *name, gint64 array, gint64 pattern, gboolean on_array,
       const char *rules, int new_sign)
{
  g_autofree char *lines = test_trace_rules (rules);
  g_autofree char *params =
      g_strdup_printf ("ArrayHeader=%" ID "; ArrayHandlePtr=%" ID "; PatternRefPtr=%" ID
                       "; PatternRef=%" ID " %s; NewSign=%x;\n%s",
                       array - 8, array, on_array ? pattern - 8 : 1, pattern,
                       on_array ? "(DisArray)" : "(AMView)", (guint) new_sign, lines);

  test_trace_call (self, name, 0, 0, params, "IsLocal=1");
}

void
test_trace_realn (TestTrace *self, gint64 array, gint64 pattern, gboolean on_array,
                  const char *rules, int new_sign)
{
  align (self, "realn_", array, pattern, on_array, rules, new_sign);
}

gint64
test_trace_array_on (TestTrace *self, const char *sizes, gint64 pattern, const char *rules)
{
  gint64 header = new_id (self), id = new_id (self);
  g_auto (GStrv) words = g_strsplit (sizes, ",", -1);
  g_autofree char *size_list = test_trace_list ("SizeArray", sizes);
  g_autofree char *params =
      g_strdup_printf ("ArrayHeader=%" ID "; Rank=%u; TypeSize=8; StaticSign=0; ReDistrSign=3;\n%s",
                       header, g_strv_length (words), size_list);
  g_autofree char *result = g_strdup_printf ("ArrayHandlePtr=%" ID ";", id);

  test_trace_call (self, "crtda_", 0, 0, params, result);
  align (self, "align_", id, pattern, TRUE, rules, 0);
  return id;
}

/* ---- buffers */

gint64
test_trace_buffer (TestTrace *self, const char *name, gint64 remote, gint64 space,
                   const char *rules)
{
  gint64 header = new_id (self), id = new_id (self);
  gboolean by_system = strcmp (name, "crtrbp_") == 0;
  g_autofree char *lines =
      by_system ? test_trace_list ("CoordArray", rules) : test_trace_rules (rules);
  g_autoptr (GString) params = g_string_new (NULL);
  g_autofree char *result = g_strdup_printf ("BufferHandlePtr=%" ID "; IsLocal=1", id);

  g_string_append_printf (params,
                          "RemArrayHeader=%" ID "; RemArrayHandlePtr=%" ID "; BufferHeader=%" ID
                          "; BasePtr=0; StaticSign=0; ",
                          remote - 8, remote, header);
  if (by_system)
    g_string_append (params, "PSRefPtr=NULL; PSRef=0;\n");
  else if (strcmp (name, "crtrba_") == 0)
    g_string_append_printf (params, "LocArrayHeader=%" ID "; LocArrayHandlePtr=%" ID ";\n",
                            space - 8, space);
  else
    g_string_append_printf (params, "LoopRefPtr=1; LoopRef=%" ID ";\n", space);
  g_string_append (params, lines);
  test_trace_call (self, name, 0, 0, params->str, result);
  return id;
}

void
test_trace_load (TestTrace *self, const char *name, gint64 buffer, int renew, gint64 ret)
{
  g_autofree char *params = g_strdup_printf (
      "BufferHeader=%" ID "; BufferHandlePtr=%" ID "; RenewSign=%d;", buffer - 8, buffer, renew);

  test_trace_call (self, name, 0, ret, params, "");
}

gint64
test_trace_crtbg (TestTrace *self, gboolean deletes)
{
  gint64 id = new_id (self);
  g_autofree char *params = g_strdup_printf ("StaticSign=0; DelBufSign=%d;", deletes ? 1 : 0);
  g_autofree char *result = g_strdup_printf ("RegularAccessGroupRef=%" ID ";", id);

  test_trace_call (self, "crtbg_", 0, 0, params, result);
  return id;
}

void
test_trace_insrb (TestTrace *self, gint64 group, gint64 buffer)
{
  g_autofree char *params =
      g_strdup_printf ("RegularAccessGroupRefPtr=1; RegularAccessGroupRef=%" ID
                       "; BufferHeader=%" ID "; BufferHeader[0]=%" ID,
                       group, buffer - 8, buffer);

  test_trace_call (self, "insrb_", 0, 0, params, "");
}

void
test_trace_buffer_group (TestTrace *self, const char *name, gint64 group, int renew, gint64 ret)
{
  g_autofree char *params = g_strdup_printf (
      "RegularAccessGroupRefPtr=1; RegularAccessGroupRef=%" ID "; RenewSign=%d", group, renew);

  test_trace_call (self, name, 0, ret, params, "");
}
