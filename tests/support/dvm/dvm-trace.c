/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/dvm-trace.h"

#include <string.h>

#define ID G_GINT64_MODIFIER "x"

static const char head[] = "RTS VERSION = 2889\n"
                           "ProcCount=1  HasCurrent=1  CentralProc=0  IOProc=0\n"
                           "ProcCount=1;      PSRank=%u;      PSSize= %s;\n"
                           "%s"
                           "MPS=MPI;  Non-standard run;\n"
                           "call_mps_Barrier           TIME=0.01000000 LINE=1      FILE=t.fdv\n"
                           "ret_mps_Barrier            TIME=0.00000100 LINE=1      FILE=t.fdv\n"
                           "Tm=0.000000  Tirecv=0.000001  Twrecv=0.000001\n"
                           "ret_dvm_Init               TIME=0.00030000 LINE=1      FILE=t.fdv\n \n";

static guint
count_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  return g_strv_length (words);
}

static gint64
new_id (TestTrace *self)
{
  return self->next_id += 8;
}

TestTrace *
test_trace_new_virtual (const char *ps, const char *vps)
{
  TestTrace *self = g_new0 (TestTrace, 1);
  g_autofree char *line = vps == NULL
                              ? g_strdup ("VProcCount=0;\n")
                              : g_strdup_printf ("VProcCount=2;     VPSRank=%u;     VPSSize= %s;\n",
                                                 count_words (vps), vps);

  self->text = g_string_new (NULL);
  self->next_id = 0x5650000;
  self->line = 10;
  g_string_append_printf (self->text, head, count_words (ps), ps, line);
  test_trace_call (self, "tstio_", 0, 0, "", "");
  return self;
}

TestTrace *
test_trace_new (const char *ps)
{
  return test_trace_new_virtual (ps, NULL);
}

void
test_trace_free (TestTrace *self)
{
  g_string_free (self->text, TRUE);
  g_free (self);
}

static void
add_record (TestTrace *self, const char *kind, const char *name, gint64 time, const char *body)
{
  g_autofree char *full = g_strconcat (kind, name, NULL);

  self->total += time;
  g_string_append_printf (self->text,
                          "%-26s TIME=%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT
                          "00 LINE=%-6" G_GINT64_FORMAT " FILE=t.fdv\n%s\n",
                          full, time / 1000000, time % 1000000, self->line, body);
}

void
test_trace_call (TestTrace *self, const char *name, gint64 call, gint64 ret, const char *params,
                 const char *results)
{
  add_record (self, "call_", name, call, params);
  add_record (self, "ret_", name, ret, results);
}

void
test_trace_exit (TestTrace *self, gint64 time)
{
  add_record (self, "Event_", "dvm_exit", time, "rc=0;");
}

void
test_trace_ordinary (TestTrace *self, gint64 call, gint64 ret)
{
  test_trace_call (self, "getrnk_", call, ret, "", "");
}

char *
test_trace_list (const char *name, const char *values)
{
  g_auto (GStrv) words = g_strsplit (values, ",", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    g_string_append_printf (text, "%s[%u]=%s; ", name, i, words[i]);
  return g_string_free (text, FALSE);
}

/* ---- objects */

gint64
test_trace_template (TestTrace *self, const char *sizes, const char *axes)
{
  gint64 id = new_id (self);
  g_auto (GStrv) words = g_strsplit (sizes, ",", -1);
  g_auto (GStrv) dims = g_strsplit (axes, ",", -1);
  g_autofree char *size_list = test_trace_list ("SizeArray", sizes);
  g_autofree char *axis_list = test_trace_list ("AxisArray", axes);
  g_autoptr (GString) params = g_string_new (NULL);

  for (guint i = 0; dims[i] != NULL; i++)
    g_string_append_printf (params, "DistrParamArray[%u]=0; ", i);
  g_autofree char *made = g_strdup_printf ("AMRefPtr=NULL; AMRef=0; Rank=%u; StaticSign=0;\n%s",
                                           g_strv_length (words), size_list);
  g_autofree char *result = g_strdup_printf ("AMViewRef=%" ID ";", id);
  test_trace_call (self, "crtamv_", 0, 0, made, result);
  g_autofree char *distributed =
      g_strdup_printf ("AMViewRefPtr=1; AMViewRef=%" ID "; PSRefPtr=NULL; PSRef=0; "
                       "ParamCount=%u;\n%s\n%s",
                       id, g_strv_length (dims), axis_list, params->str);
  test_trace_call (self, "distr_", 0, 0, distributed, "IsLocal=1;");
  return id;
}

char *
test_trace_rules (const char *rules)
{
  static const char *const names[] = { "AxisArray", "CoeffArray", "ConstArray" };
  g_auto (GStrv) words = g_strsplit (rules, ",", -1);
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < 3; k++)
    {
      for (guint i = 0; words[i] != NULL; i++)
        {
          g_auto (GStrv) parts = g_strsplit_set (words[i], "*+", 3);
          g_assert_cmpuint (g_strv_length (parts), ==, 3);
          g_string_append_printf (text, "%s[%u]=%s; ", names[k], i, parts[k]);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

gint64
test_trace_array (TestTrace *self, const char *sizes, gint64 view, const char *rules)
{
  gint64 header = new_id (self), id = new_id (self);
  g_auto (GStrv) words = g_strsplit (sizes, ",", -1);
  g_autofree char *size_list = test_trace_list ("SizeArray", sizes);
  g_autofree char *rule_lines = test_trace_rules (rules);
  g_autoptr (GString) widths = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    g_string_append_printf (widths, "LowShdWidthArray[%u]=1; HiShdWidthArray[%u]=1; ", i, i);
  g_autofree char *made =
      g_strdup_printf ("ArrayHeader=%" ID "; Rank=%u; TypeSize=8; StaticSign=0; "
                       "ReDistrSign=3;\n%s\n%s",
                       header, g_strv_length (words), size_list, widths->str);
  g_autofree char *result = g_strdup_printf ("ArrayHandlePtr=%" ID ";", id);
  test_trace_call (self, "crtda_", 0, 0, made, result);
  g_autofree char *aligned =
      g_strdup_printf ("ArrayHeader=%" ID "; ArrayHandlePtr=%" ID "; PatternRefPtr=1; "
                       "PatternRef=%" ID " (AMView);\n%s",
                       header, id, view, rule_lines);
  test_trace_call (self, "align_", 0, 0, aligned, "IsLocal=1");
  return id;
}

gint64
test_trace_loop (TestTrace *self, gint64 array, const char *ranges, const char *rules)
{
  return test_trace_cut_loop (self, array, ranges, rules, NULL, 0);
}

gint64
test_trace_cut_loop (TestTrace *self, gint64 array, const char *ranges, const char *rules,
                     const char *name, gint64 group)
{
  static const char *const names[] = { "InInitIndexArray", "InLastIndexArray", "InStepArray" };
  static const char *const absent[] = { "0", "0", "1" };
  gint64 id = new_id (self);
  g_auto (GStrv) words = g_strsplit (ranges, ",", -1);
  g_autofree char *rank = g_strdup_printf ("Rank=%u;", g_strv_length (words));
  g_autofree char *result = g_strdup_printf ("LoopRef=%" ID ";", id);
  g_autofree char *rule_lines = test_trace_rules (rules);
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint k = 0; k < 3; k++)
    {
      for (guint i = 0; words[i] != NULL; i++)
        {
          g_auto (GStrv) parts = g_strsplit (words[i], ":", 3);
          g_string_append_printf (lines, "%s[%u]=%s; ", names[k], i,
                                  k < g_strv_length (parts) ? parts[k] : absent[k]);
        }
      g_string_append_c (lines, '\n');
    }
  test_trace_call (self, "crtpl_", 0, 0, rank, result);
  if (name != NULL)
    {
      g_autofree char *params =
          g_strdup_printf ("LoopRefPtr=1; LoopRef=%" ID "; ShadowGroupRefPtr=2; "
                           "ShadowGroupRef=%" ID ";",
                           id, group);
      test_trace_call (self, name, 0, 0, params, "");
    }
  g_autofree char *mapped = g_strdup_printf (
      "LoopRefPtr=1; LoopRef=%" ID "; PatternRefPtr=2; PatternRef=%" ID " (DisArray);\n%s%s", id,
      array, rule_lines, lines->str);
  test_trace_call (self, "mappl_", 0, 0, mapped, "IsLocal=1;");
  return id;
}

void
test_trace_dopl (TestTrace *self, gint64 loop, gint64 time, int more)
{
  g_autofree char *params = g_strdup_printf ("LoopRefPtr=1; LoopRef=%" ID ";", loop);
  g_autofree char *result = g_strdup_printf ("DoPL=%d;", more);

  test_trace_call (self, "dopl_", time, 0, params, result);
}

void
test_trace_run (TestTrace *self, gint64 loop, gint64 time)
{
  test_trace_dopl (self, loop, 0, 1);
  test_trace_dopl (self, loop, time, 0);
  test_trace_end_loop (self, loop);
}

void
test_trace_end_loop (TestTrace *self, gint64 loop)
{
  g_autofree char *params = g_strdup_printf ("LoopRefPtr=1; LoopRef=%" ID ";", loop);

  test_trace_call (self, "endpl_", 0, 0, params, "");
}

/* One variable of @group. */
static void
add_variable (TestTrace *self, gint64 group, const char *text, gint64 loop)
{
  gint64 id = new_id (self);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  g_assert_cmpuint (g_strv_length (words), ==, 4);
  g_autofree char *made =
      g_strdup_printf ("RedFuncNumb=%s; RedArrayPtr=1; RedArrayType=%s; RedArrayLength=%s; "
                       "LocArrayPtr=51b440; LocElmLength=%s; StaticSign=0;",
                       words[0], words[1], words[2], words[3]);
  g_autofree char *result = g_strdup_printf ("RedRef=%" ID ";", id);
  test_trace_call (self, "crtred_", 0, 0, made, result);
  g_autofree char *space = loop != 0 ? g_strdup_printf ("LoopRefPtr=1; LoopRef=%" ID ";", loop)
                                     : g_strdup ("PSSpaceRefPtr=NULL; PSSpaceRef=0;");
  g_autofree char *inserted = g_strdup_printf ("RedGroupRefPtr=1; RedGroupRef=%" ID
                                               "; RedRefPtr=1; RedRef=%" ID "; %s RenewSign=1;",
                                               group, id, space);
  test_trace_call (self, "insred_", 0, 0, inserted, "");
}

gint64
test_trace_reduction (TestTrace *self, const char *vars, gint64 loop)
{
  gint64 id = new_id (self);
  g_auto (GStrv) words = g_strsplit (vars, ",", -1);
  g_autofree char *result = g_strdup_printf ("RedGroupRef=%" ID ";", id);

  test_trace_call (self, "crtrg_", 0, 0, "StaticSign=1; DelRedSign=1;", result);
  for (guint i = 0; words[i] != NULL; i++)
    add_variable (self, id, words[i], loop);
  return id;
}

gint64
test_trace_shadow (TestTrace *self, gint64 array, const char *low, const char *high,
                   gboolean corners)
{
  gint64 id = new_id (self);
  g_autofree char *low_list = test_trace_list ("LowShdWidthArray", low);
  g_autofree char *high_list = test_trace_list ("HiShdWidthArray", high);
  g_autofree char *result = g_strdup_printf ("ShadowGroupRef=%" ID ";", id);
  g_autofree char *inserted =
      g_strdup_printf ("ShadowGroupRefPtr=1; ShadowGroupRef=%" ID "; ArrayHeader=1; "
                       "ArrayHandlePtr=%" ID "; FullShdSign=%d;\n%s\n%s",
                       id, array, corners ? 1 : 0, low_list, high_list);

  test_trace_call (self, "crtshg_", 0, 0, "StaticSign=1;", result);
  test_trace_call (self, "inssh_", 0, 0, inserted, "");
  return id;
}

void
test_trace_group (TestTrace *self, const char *name, gint64 group, gint64 call, gint64 ret)
{
  const char *key = strstr (name, "rd_") != NULL || strstr (name, "rg_") != NULL ? "RedGroupRef"
                                                                                 : "ShadowGroupRef";
  g_autofree char *params = g_strdup_printf ("%sPtr=1; %s=%" ID ";", key, key, group);

  test_trace_call (self, name, call, ret, params, "");
}

/* ---- input and output, intervals */

void
test_trace_io (TestTrace *self, const char *name, gint64 ret, const char *params,
               const char *results)
{
  test_trace_call (self, name, 0, ret, params, results);
}

void
test_trace_open (TestTrace *self, const char *name, gint64 line, gint64 fragment, gint64 call,
                 gint64 ret)
{
  gint64 before = self->line;
  g_autofree char *params =
      g_strdup_printf ("nfrag=%" G_GINT64_FORMAT ";%s", fragment,
                       strcmp (name, "binter_") == 0 ? " index=2000000000 UserInter=1;" : "");

  self->line = line;
  test_trace_call (self, name, call, ret, params, "");
  self->line = before;
}

void
test_trace_close (TestTrace *self, const char *name, gint64 line, gint64 fragment, gint64 call,
                  gint64 ret)
{
  g_autofree char *params =
      g_strdup_printf ("nfrag=%" G_GINT64_FORMAT "; nline=%" G_GINT64_FORMAT, fragment, line);

  test_trace_call (self, name, call, ret, params, "");
}
