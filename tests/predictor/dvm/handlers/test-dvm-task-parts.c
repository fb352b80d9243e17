/* Consistent arrays of which tasks compute the parts: who sends how much to
 * whom, worked by hand from the assumption that the tasks have equal blocks.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"
#include "tests/support/dvm/tasks.h"

#include <string.h>

#define ID      G_GINT64_MODIFIER "x"
#define MACHINE "ethernet:startup=1us,per-byte=0"

/* crtrda_: an array of doubles that everybody has. */
static gint64
create_consistent (TestTrace *trace, const char *sizes)
{
  gint64 id = trace->next_id += 8;
  g_auto (GStrv) words = g_strsplit (sizes, ",", -1);
  g_autofree char *list = test_trace_list ("SizeArray", sizes);
  g_autofree char *params = g_strdup_printf ("ArrayHeader=%" ID "; Rank=%u; TypeSize=8; "
                                             "StaticSign=1; ReDistrSign=0; MemPtr=1;\n%s",
                                             (guint64) id + 4, g_strv_length (words), list);
  g_autofree char *result = g_strdup_printf ("ArrayHandlePtr=%" ID ";", (guint64) id);

  test_trace_call (trace, "crtrda_", 0, 0, params, result);
  return id;
}

/* consda_ or, with a group, inclcg_ */
static void
make_consistent (TestTrace *trace, gint64 group, gint64 array, gint64 machines, int axis)
{
  g_autofree char *params =
      g_strdup_printf ("DAConsistGroupRefPtr=1; DAConsistGroupRef=%" ID "; ArrayHeader=1; "
                       "ArrayHandlePtr=%" ID "; AMViewRefPtr=1; AMViewRef=%" ID "; ArrayAxis=%d; "
                       "RenewSign=1; ",
                       (guint64) group, (guint64) array, (guint64) machines, axis);

  test_trace_call (trace, group == 0 ? "consda_" : "inclcg_", 0, 0, params, "");
}

static const struct
{
  const char *name, *grid;
  const char *systems; /* of the tasks: "0:1,2:3"; "-": not mapped */
  const char *sizes;
  int axis;
  const char *expected; /* bytes that each processor sends each other one; NULL: nothing */
} rows[] = {
  { "halves", "4", "0:1,2:3", "10", 1, "40 40 40 40" },
  { "thirds", "4", "0:1,2:2,3:3", "10", 1, "24 24 24 32" },
  { "first-axis", "4", "0:1,2:3", "10,6", 1, "240 240 240 240" },
  { "second-axis", "4", "0:2,3:3", "10,5", 2, "160 160 160 240" },
  { "several-on-one", "2", "0:0,1:1,0:0,0:0", "8", 1, "48 16" },
  { "overlapping", "2", "0:1,1:1", "8", 1, "32 64" },
  { "more-than-elements", "4", "0:0,1:1,2:2,3:3", "2", 1, "8 8 0 0" },
  { "one-not-mapped", "4", "0:1,-,2:3", "9", 1, "24 24 24 24" },
  { "none-mapped", "2", "-,-", "9", 1, NULL },
  { "one-processor", "1", "0:0,0:0", "9", 1, NULL },
};

static gint64
map_tasks (TestTrace *trace, const char *systems)
{
  g_auto (GStrv) words = g_strsplit (systems, ",", -1);
  gint64 machines = test_task_machines (trace, g_strv_length (words));

  for (guint k = 0; words[k] != NULL; k++)
    {
      gint64 machine = test_task_machine (trace, machines, k);
      g_auto (GStrv) ends = g_strsplit (words[k], ":", 2);
      if (strcmp (words[k], "-") != 0)
        test_task_map (trace, machine, test_task_system (trace, 0, ends[0], ends[1]));
      test_task_machine (trace, machines, k); /* the same again */
    }
  return machines;
}

static void
check_parts (const TestLog *log, gsize i, guint times)
{
  g_auto (GStrv) words = g_strsplit (rows[i].expected != NULL ? rows[i].expected : "", " ", -1);

  for (guint32 p = 0; p < (guint32) g_ascii_strtoull (rows[i].grid, NULL, 10); p++)
    {
      g_autofree char *shown = test_log_show_collectives (log, p);
      const char *at = shown;
      guint n = 0;
      g_autofree char *one = g_strdup_printf ("alltoallv:%s", words[0] != NULL ? words[p] : "");
      while ((at = strstr (at, "alltoallv:")) != NULL)
        {
          g_assert_true (g_str_has_prefix (at, one));
          at += strlen (one);
          g_assert_true (*at == ' ' || *at == '\0');
          n++;
        }
      g_assert_cmpuint (n, ==, rows[i].expected != NULL ? times : 0);
    }
}

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  char *dumps[2];

  for (guint k = 0; k < 2; k++)
    {
      PdPredictOptions options = test_options (MACHINE);
      g_autoptr (TestLog) log = test_log_new ();
      PdObserver observer = test_log_observer (log);
      g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", rows[i].grid);
      gint64 array = create_consistent (trace, rows[i].sizes);
      gint64 machines = map_tasks (trace, rows[i].systems);

      options.observer = &observer;
      options.one_step = k == 1;
      make_consistent (trace, 0, array, machines, rows[i].axis);
      test_trace_call (trace, "waitac_", 0, 0, "ArrayHeader=1; ArrayHandlePtr=2;", "");
      g_autoptr (TestRun) run = test_run (trace, rows[i].grid, &options);
      check_parts (log, i, 1);
      g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
      g_assert_cmpuint (pd_messages_count (run->messages, "task-parts-assumed"), ==,
                        strcmp (rows[i].grid, "1") != 0);
      dumps[k] = test_dump (run);
    }
  g_assert_cmpstr (dumps[0], ==, dumps[1]);
  for (guint k = 0; k < 2; k++)
    g_free (dumps[k]);
}

/* A group sends what was inserted. */
static void
test_group (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", rows[i].grid);
  gint64 array = create_consistent (trace, rows[i].sizes);
  gint64 machines = map_tasks (trace, rows[i].systems);

  options.observer = &observer;
  test_trace_call (trace, "crtcg_", 0, 0, "StaticSign=1; DelDASign=1;", "DAConsistGroupRef=7;");
  make_consistent (trace, 7, array, machines, rows[i].axis);
  make_consistent (trace, 7, array, machines, rows[i].axis);
  for (guint k = 0; k < 2; k++)
    test_trace_call (trace, "strtcg_", 0, 0, "DAConsistGroupRefPtr=1; DAConsistGroupRef=7;", "");
  test_watch (trace, rows[i].grid, &options);
  check_parts (log, i, 4);
}

/* Tasks of another representation that has the same reference are not meant. */
static void
test_reference_again (void)
{
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "2");
  gint64 array = create_consistent (trace, "10");
  gint64 machines = map_tasks (trace, "0:0,1:1");
  g_autofree char *result = g_strdup_printf ("AMViewRef=%" ID ";", (guint64) machines);

  options.observer = &observer;
  test_trace_call (trace, "crtamv_", 0, 0, "AMRef=0; Rank=1; StaticSign=1;\nSizeArray[0]=2; \n",
                   result);
  make_consistent (trace, 0, array, machines, 1);
  test_watch (trace, "2", &options);
  g_assert_cmpuint (test_log_count_collectives (log, "alltoallv", -1), ==, 0);
}

static const struct
{
  const char *name;
  gint64 array, machines; /* 0: those that there are */
  int axis, code;
  const char *replaced, *by; /* (nullable): in the trace */
} damaged[] = {
  { "no-array", 0xbad, 0, 1, PD_DVM_MODEL_ERROR_OBJECT, NULL, NULL },
  { "no-tasks", 0, 0xbad, 1, PD_DVM_MODEL_ERROR_OBJECT, NULL, NULL },
  { "axis-0", 0, 0, 0, PD_DVM_MODEL_ERROR_PARAMETER, NULL, NULL },
  { "axis-beyond-rank", 0, 0, 3, PD_DVM_MODEL_ERROR_PARAMETER, NULL, NULL },
  { "negative-axis", 0, 0, -1, PD_DVM_MODEL_ERROR_PARAMETER, NULL, NULL },
  { "no-tasks-at-all", 0, 0, 1, PD_DVM_MODEL_ERROR_PARAMETER, "SizeArray[0]=2;",
    "SizeArray[0]=0;" },
  { "very-large", 0, 0, 1, PD_DVM_MODEL_ERROR_PARAMETER, "SizeArray[1]=4;",
    "SizeArray[1]=4611686018427387904;" },
  { "large-parts", 0, 0, 1, PD_DVM_MODEL_ERROR_PARAMETER, "SizeArray[0]=10;",
    "SizeArray[0]=4611686018427387904;" },
  { "negative-size", 0, 0, 1, -1, "SizeArray[1]=4;", "SizeArray[1]=-4;" },
  { "negative-axis-size", 0, 0, 1, -1, "SizeArray[0]=10;", "SizeArray[0]=-10;" },
};

static void
test_damaged (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "2");
  gint64 array = create_consistent (trace, "10,4"), machines = map_tasks (trace, "0:0,1:1");
  g_autoptr (GError) error = NULL;

  make_consistent (trace, 0, damaged[i].array != 0 ? damaged[i].array : array,
                   damaged[i].machines != 0 ? damaged[i].machines : machines, damaged[i].axis);
  g_auto (GStrv) pieces = g_strsplit (
      trace->text->str, damaged[i].replaced != NULL ? damaged[i].replaced : "nowhere", 2);
  g_assert_cmpint (pieces[1] != NULL, ==, damaged[i].replaced != NULL);
  g_autofree char *text = g_strjoinv (damaged[i].by, pieces);
  PdReportRun *run = test_predict (text, "2", &options, &error);
  if (damaged[i].code < 0)
    {
      g_assert_no_error (error);
      test_report_run_free (run);
      return;
    }
  g_assert_null (run);
  g_assert_error (error, PD_DVM_MODEL_ERROR, damaged[i].code);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/task-parts/array/", rows[i].name, NULL);
      g_autofree char *group = g_strconcat ("/predictor/task-parts/group/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
      g_test_add_data_func (group, GSIZE_TO_POINTER (i), test_group);
    }
  g_test_add_func ("/predictor/task-parts/reference-again", test_reference_again);
  for (gsize i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/task-parts/damaged/", damaged[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_damaged);
    }
  return g_test_run ();
}
