/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/tasks.h"

#define ID G_GINT64_MODIFIER "x"

static gint64
new_id (TestTrace *self)
{
  return self->next_id += 8;
}

static guint
count (const char *list)
{
  g_auto (GStrv) words = g_strsplit (list, ",", -1);

  return g_strv_length (words);
}

gint64
test_task_system (TestTrace *self, gint64 parent, const char *first, const char *last)
{
  gint64 id = new_id (self);
  g_autofree char *lo = test_trace_list ("InitIndexArray", first);
  g_autofree char *hi = test_trace_list ("LastIndexArray", last);
  g_autofree char *params =
      g_strdup_printf ("PSRefPtr=1; PSRef=%" ID "; StaticSign=0;\n%s\n%s", parent, lo, hi);
  g_autofree char *result = g_strdup_printf ("PSRef=%" ID ";", id);

  test_trace_call (self, "crtps_", 0, 0, params, result);
  return id;
}

gint64
test_task_view (TestTrace *self, gint64 parent, const char *sizes)
{
  gint64 id = new_id (self);
  g_autofree char *list = test_trace_list ("SizeArray", sizes);
  g_autofree char *params = g_strdup_printf (
      "PSRefPtr=1; PSRef=%" ID "; Rank=%u; StaticSign=0;\n%s", parent, count (sizes), list);
  g_autofree char *result = g_strdup_printf ("PSRef=%" ID ";", id);

  test_trace_call (self, "psview_", 0, 0, params, result);
  return id;
}

gint64
test_task_template (TestTrace *self, const char *sizes, const char *axes, gint64 system)
{
  gint64 id = new_id (self);
  guint n = count (axes);
  g_autofree char *size_list = test_trace_list ("SizeArray", sizes);
  g_autofree char *axis_list = test_trace_list ("AxisArray", axes);
  g_autoptr (GString) widths = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (widths, "DistrParamArray[%u]=0; ", i);
  g_autofree char *made = g_strdup_printf ("AMRefPtr=NULL; AMRef=0; Rank=%u; StaticSign=0;\n%s",
                                           count (sizes), size_list);
  g_autofree char *result = g_strdup_printf ("AMViewRef=%" ID ";", id);
  g_autofree char *params = g_strdup_printf ("AMViewRefPtr=1; AMViewRef=%" ID
                                             "; PSRefPtr=1; PSRef=%" ID "; ParamCount=%u;\n%s\n%s",
                                             id, system, n, axis_list, widths->str);
  test_trace_call (self, "crtamv_", 0, 0, made, result);
  test_trace_call (self, "distr_", 0, 0, params, "IsLocal=1;");
  return id;
}

gint64
test_task_machines (TestTrace *self, guint n)
{
  gint64 id = new_id (self);
  g_autofree char *params =
      g_strdup_printf ("AMRefPtr=NULL; AMRef=0; Rank=1; StaticSign=0;\nSizeArray[0]=%u;", n);
  g_autofree char *result = g_strdup_printf ("AMViewRef=%" ID ";", id);

  test_trace_call (self, "crtamv_", 0, 0, params, result);
  return id;
}

gint64
test_task_machine (TestTrace *self, gint64 view, guint index)
{
  gint64 id = new_id (self);
  g_autofree char *params =
      g_strdup_printf ("AMViewRefPtr=1; AMViewRef=%" ID ";\nIndexArray[0]=%u;", view, index);
  g_autofree char *result = g_strdup_printf ("AMRef=%" ID ";", id);

  test_trace_call (self, "getamr_", 0, 0, params, result);
  return id;
}

void
test_task_map (TestTrace *self, gint64 machine, gint64 system)
{
  g_autofree char *params = g_strdup_printf (
      "AMRefPtr=1; AMRef=%" ID "; PSRefPtr=1; PSRef=%" ID ";\n\n*** MPI_Comm Creating ***\n"
      "&MPI_Comm=1068e9c; &MPI_Group=1068ea0; ProcNumber=1; time=0.000073;\nMPI_Group:    0",
      machine, system);

  test_trace_call (self, "mapam_", 0, 0, params, "");
}

gint64
test_task_on (TestTrace *self, gint64 system)
{
  gint64 machine = test_task_machine (self, test_task_machines (self, 1), 0);

  test_task_map (self, machine, system);
  return machine;
}

void
test_task_run (TestTrace *self, gint64 machine, gint64 call, gint64 ret)
{
  g_autofree char *params = g_strdup_printf ("AMRefPtr=1; AMRef=%" ID ";", machine);

  test_trace_call (self, "runam_", call, ret, params, "Run=1;");
}

void
test_task_stop (TestTrace *self, gint64 call, gint64 ret)
{
  test_trace_call (self, "stopam_", call, ret, "", "");
}
