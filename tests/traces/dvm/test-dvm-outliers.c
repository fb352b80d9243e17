/* Outliers among recorded times: the rule, case by case, and what it says of real traces.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-cleaning.h"
#include "traces/open/pd-dvm-set.h"

#include <stdio.h>
#include <string.h>

#define INIT "RTS VERSION = 2889\nret_dvm_Init TIME=0.000500 LINE=1 FILE=a.fdv\n \n"
#define EXIT "Event_dvm_exit TIME=0.00000100 LINE=9 FILE=a.fdv\nrc=0;\n"

/* ---- traces that are made up */

static void
add_call (GString *text, const char *name, gint64 line, guint before, guint inside,
          const char *given, const char *result)
{
  g_string_append_printf (text,
                          "call_%s TIME=%u.%06u00 LINE=%" G_GINT64_FORMAT " FILE=a.fdv\n%s\n"
                          "ret_%s TIME=%u.%06u00 LINE=%" G_GINT64_FORMAT " FILE=a.fdv\n%s\n",
                          name, before / 1000000, before % 1000000, line, given, name,
                          inside / 1000000, inside % 1000000, line, result);
}

/* A loop over @n iterations at line 20, which take @us microseconds. */
static void
add_loop (GString *text, guint n, guint us)
{
  g_autofree char *range =
      g_strdup_printf ("InInitIndexArray[0]=1;\nInLastIndexArray[0]=%u;\nInStepArray[0]=1;", n);

  add_call (text, "crtpl_", 19, 1, 1, "Rank=1;", "LoopRef=1;");
  add_call (text, "mappl_", 19, 1, 1, range, "");
  add_call (text, "dopl_", 20, 1, 1, "", "DoPL=1;");
  add_call (text, "dopl_", 20, us, 1, "", "DoPL=0;");
  add_call (text, "endpl_", 21, 1, 1, "", "");
}

typedef enum
{
  INSIDE, /* times inside the function, at line 5 */
  BEFORE, /* computation before it */
  LOOP,   /* computation of a loop of 100 iterations */
  SIZES,  /* the same, of as many iterations as microseconds */
} Form;

static const struct
{
  const char *name;
  const char *function; /* of INSIDE and BEFORE */
  const char *times;    /* microseconds, "24x3" is 3 24 times */
  Form form;
  guint rest;         /* microseconds of the rest of the program */
  guint n_outliers;   /* 0: the place is not reported */
  guint median;       /* microseconds */
  guint64 farthest;   /* likewise */
  gint64 excess;      /* likewise */
  const char *header; /* (nullable): of the trace */
} cases[] = {
  { "alike", "mappl_", "24x3", INSIDE, 1000, 0, 0, 0, 0, NULL },
  { "one", "mappl_", "12x3 12100 12x3", INSIDE, 9000, 1, 3, 12100, 12097, NULL },
  { "the-first", "mappl_", "12100 24x3", INSIDE, 9000, 0, 0, 0, 0, NULL },
  { "the-first-too-small", "mappl_", "1 20x900", INSIDE, 9000, 1, 900, 1, -899, NULL },
  { "the-last", "mappl_", "24x3 12100", INSIDE, 9000, 1, 3, 12100, 12097, NULL },
  { "eight", "mappl_", "7x3 12100", INSIDE, 9000, 1, 3, 12100, 12097, NULL },
  { "seven", "mappl_", "6x3 12100", INSIDE, 9000, 0, 0, 0, 0, NULL },
  { "a-quarter", "mappl_", "6x3 2x500", INSIDE, 9000, 2, 3, 500, 994, NULL },
  { "more-than-a-quarter", "mappl_", "5x3 3x500", INSIDE, 9000, 0, 0, 0, 0, NULL },
  { "less-than-4-times", "mappl_", "20x300 1199", INSIDE, 9000, 0, 0, 0, 0, NULL },
  { "more-than-4-times", "mappl_", "20x300 1201", INSIDE, 9000, 1, 300, 1201, 901, NULL },
  { "within-1-per-cent", "mappl_", "20x1 100", INSIDE, 10000, 0, 0, 0, 0, NULL },
  { "above-1-per-cent", "mappl_", "20x1 110", INSIDE, 9900, 1, 1, 110, 109, NULL },
  { "scattered", "mappl_", "10 20 30 40 50 60 70 80 90 100 100 90 80 70 60 50 40 30 340", INSIDE,
    1000, 0, 0, 0, 0, NULL },
  /* 400 - 10 * 1.4826 * 200 is below 0; 2 us is nothing, 3 us may be something */
  { "scattered-and-nothing", "mappl_", "100 200 3x300 400 500 600 700 800 2 2x900", INSIDE, 1000, 1,
    400, 2, -398, NULL },
  { "scattered-and-little", "mappl_", "100 200 3x300 400 500 600 700 800 3 2x900", INSIDE, 1000, 0,
    0, 0, 0, NULL },
  { "scattered-and-one", "mappl_", "10 20 30 40 50 60 70 80 90 100 100 90 80 70 60 50 40 30 2000",
    INSIDE, 1000, 1, 60, 2000, 1940, NULL },
  { "too-small", "mappl_", "10x900 2x1 8x900", INSIDE, 1000, 2, 900, 1, -1798, NULL },
  { "up-and-down", "mappl_", "10x900 1 8x900 9900", INSIDE, 1000, 2, 900, 9900, 8101, NULL },
  { "moves-data", "arrcpy_", "24x3 12100", INSIDE, 9000, 0, 0, 0, 0, NULL },
  { "distributes", "align_", "24x3 12100", INSIDE, 9000, 0, 0, 0, 0, NULL },
  { "input-output", "dvm_fread", "24x3 12100", INSIDE, 9000, 0, 0, 0, 0, NULL },
  { "interval", "binter_", "24x3 12100", INSIDE, 9000, 0, 0, 0, 0, NULL },
  { "reduction", "strtrd_", "24x3 12100", INSIDE, 9000, 1, 3, 12100, 12097, NULL },
  { "reduction-of-several", "strtrd_", "24x3 12100", INSIDE, 9000, 0, 0, 0, 0,
    "ProcCount=2; PSRank=1; PSSize= 2;\n" },
  { "local-call-of-several", "mappl_", "24x3 12100", INSIDE, 9000, 1, 3, 12100, 12097,
    "ProcCount=2; PSRank=1; PSSize= 2;\n" },
  { "sequential", "begbl_", "24x3 12100", BEFORE, 9000, 0, 0, 0, 0, NULL },
  { "loop", NULL, "10x450 16500 9x450", LOOP, 9000, 1, 450, 16500, 16050, NULL },
  { "loop-too-small", NULL, "10x450 2 9x450", LOOP, 9000, 1, 450, 2, -448, NULL },
  { "loop-of-other-sizes", NULL, "10x450 16500 9x450", SIZES, 9000, 0, 0, 0, 0, NULL },
  { "multigrid", NULL, "4x10 4x40 4x160 4x640 4x2560 4x10 4x40 4x160 4x640 4x2560", SIZES, 0, 0, 0,
    0, 0, NULL },
  { "triangle", NULL, "90 80 70 60 50 40 30 20 10 9 8 7 6 5 4 3 2 1", SIZES, 0, 0, 0, 0, 0, NULL },
};

static void
add_time (GString *text, gsize i, guint us)
{
  switch (cases[i].form)
    {
    case INSIDE:
      add_call (text, cases[i].function, 5, 0, us, "", "");
      break;
    case BEFORE:
      add_call (text, cases[i].function, 5, us, 0, "", "");
      break;
    case LOOP:
      add_loop (text, 100, us);
      break;
    case SIZES:
      add_loop (text, us, us);
      break;
    }
}

static GBytes *
make_trace (gsize i)
{
  GString *text = g_string_new (cases[i].header);
  g_auto (GStrv) words = g_strsplit (cases[i].times, " ", -1);

  g_string_append (text, INIT);
  add_call (text, "getam_", 2, 7000000, 0, "", ""); /* the start-up is no program time */
  add_call (text, "getam_", 3, cases[i].rest, 0, "", "");
  for (char **word = words; *word != NULL; word++)
    {
      guint n = 1, us = 0;
      if (sscanf (*word, "%ux%u", &n, &us) != 2)
        n = 1, us = (guint) g_ascii_strtoull (*word, NULL, 10);
      for (guint k = 0; k < n; k++)
        add_time (text, i, us);
    }
  g_string_append (text, EXIT);
  return g_string_free_to_bytes (text);
}

static PdDvmCleaning *
read_cleaning (PdDvmReader *reader, PdDvmOutlierRule rule)
{
  const PdDvmCleanOptions options = { .outliers = rule };
  g_autoptr (GError) error = NULL;
  PdDvmCleaning *cleaning = pd_dvm_cleaning_read (reader, &options, &error);

  g_assert_no_error (error);
  return cleaning;
}

static void
test_rule (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GBytes) bytes = make_trace (i);
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_bytes (bytes, "a.ptr", NULL, &error);
  g_assert_no_error (error);
  g_autoptr (PdDvmCleaning) cleaning = read_cleaning (reader, PD_DVM_OUTLIERS_KEEP);

  const GArray *places = pd_dvm_outliers_get_places (cleaning->outliers);
  pd_dvm_cleaning_report (cleaning, messages);
  g_assert_cmpuint (pd_messages_count (messages, "outlier"), ==, places->len);
  g_assert_cmpuint (places->len, ==, cases[i].n_outliers > 0 ? 1 : 0);
  if (places->len == 0)
    return;
  const PdDvmOutlierPlace *place = &g_array_index (places, PdDvmOutlierPlace, 0);
  g_assert_cmpstr (place->file, ==, "a.fdv");
  g_assert_cmpint (place->line, ==, cases[i].form == INSIDE ? 5 : 20);
  g_assert_cmpint (place->is_loop, ==, cases[i].form != INSIDE);
  g_assert_cmpuint (place->n_outliers, ==, cases[i].n_outliers);
  g_assert_cmpint (place->median.ps, ==, cases[i].median * PD_PS_PER_US);
  g_assert_cmpint (place->farthest.ps, ==, (gint64) cases[i].farthest * PD_PS_PER_US);
  g_assert_cmpint (place->excess, ==, cases[i].excess * PD_PS_PER_US);
}

/* ---- what becomes of outliers */

/* @change: of the whole program, in ns. Of 19 scattered times the median is 60 us and MAD 20 us:
 * at most 60 + 10 * 1.4826 * 20 = 356.52 us are none. */
static const struct
{
  const char *name; /* of @cases */
  PdDvmOutlierRule rule;
  gint64 change;
} changes[] = {
  { "one", PD_DVM_OUTLIERS_KEEP, 0 },
  { "one", PD_DVM_OUTLIERS_MEDIAN, -12097000 },
  { "one", PD_DVM_OUTLIERS_CLIP, -12087000 },
  { "a-quarter", PD_DVM_OUTLIERS_MEDIAN, -994000 },
  { "too-small", PD_DVM_OUTLIERS_MEDIAN, 1798000 },
  { "too-small", PD_DVM_OUTLIERS_CLIP, 448000 },
  { "the-first-too-small", PD_DVM_OUTLIERS_MEDIAN, 899000 },
  { "up-and-down", PD_DVM_OUTLIERS_MEDIAN, -8101000 },
  { "up-and-down", PD_DVM_OUTLIERS_CLIP, -6076000 },
  { "scattered-and-one", PD_DVM_OUTLIERS_CLIP, -1643480 },
  { "loop", PD_DVM_OUTLIERS_MEDIAN, -16050000 },
  { "loop-too-small", PD_DVM_OUTLIERS_CLIP, 110500 },
  { "the-first", PD_DVM_OUTLIERS_MEDIAN, 0 },
};

static gsize
find_case (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (strcmp (cases[i].name, name) == 0)
      return i;
  g_assert_not_reached ();
}

/* The time of the program of @bytes, its start-up included, with what @cleaning changes. */
static gint64
sum_times (GBytes *bytes, const PdDvmCleaning *cleaning)
{
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_bytes (bytes, "a.ptr", NULL, NULL);
  const PdDvmCall *call;
  gint64 sum = 0;

  if (cleaning != NULL)
    pd_dvm_cleaning_apply (cleaning, reader);
  while (pd_dvm_reader_next (reader, &call, NULL))
    sum += call->call_time.ps + call->ret_time.ps;
  return sum;
}

static void
test_change (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GBytes) bytes = make_trace (find_case (changes[i].name));
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_bytes (bytes, "a.ptr", NULL, NULL);
  g_autoptr (PdDvmCleaning) cleaning = read_cleaning (reader, changes[i].rule);
  gint64 before = sum_times (bytes, NULL), after = sum_times (bytes, cleaning);
  g_autoptr (PdDvmReader) again = pd_dvm_reader_new_from_bytes (bytes, "a.ptr", NULL, NULL);

  g_assert_cmpint (after - before, ==, changes[i].change * PD_PS_PER_NS);
  g_assert_cmpint (pd_dvm_outliers_get_change (cleaning->outliers), ==, after - before);
  g_assert_cmpint ((gint64) cleaning->share.time.ps, ==, after - 7 * PD_PS_PER_S);
  /* what was changed is clean */
  pd_dvm_cleaning_apply (cleaning, again);
  g_autoptr (PdDvmCleaning) clean = read_cleaning (again, changes[i].rule);
  g_assert_cmpint (pd_dvm_outliers_get_change (clean->outliers), ==, 0);
}

/* Both intervals of the trace, two records each, 5 and 7 us inside, of 1012 us. */
static void
test_recorder_share (void)
{
  g_autoptr (GString) text = g_string_new (INIT);
  g_autoptr (PdMessages) messages = pd_messages_new ();

  add_call (text, "getam_", 2, 7000000, 0, "", "");
  add_call (text, "binter_", 3, 500, 5, "nline=3; source_line=3; ", "");
  add_call (text, "einter_", 4, 500, 7, "nline=4; source_line=3; ", "");
  g_string_append (text, "Event_dvm_exit TIME=0.00000000 LINE=9 FILE=a.fdv\nrc=0;\n");
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (g_steal_pointer (&text));
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_bytes (bytes, "a.ptr", NULL, NULL);
  g_autoptr (PdDvmCleaning) cleaning = read_cleaning (reader, PD_DVM_OUTLIERS_KEEP);
  g_assert_cmpuint (cleaning->share.n_interval_records, ==, 4);
  g_assert_true (cleaning->share.interval_time.ps == 12 * PD_PS_PER_US);
  g_assert_true (cleaning->share.time.ps == 1012 * PD_PS_PER_US);
  pd_dvm_recorder_share_report (&cleaning->share, "a.ptr", messages);
  g_assert_cmpuint (pd_messages_count (messages, "recorder"), ==, 1);
  g_assert_cmpstr (pd_messages_get (messages, 0)->text, ==,
                   "the recorder's own share: 4 records of intervals, inside which it spent "
                   "0.000012 s, 1.2 % of the program time");
}

/* ---- recorded traces */

/* The places that have outliers, the worst first. What was recorded on an idle machine has none. */
static const struct
{
  const char *trace; /* in ../shared/traces/dvm, or a path of tests/data */
  const char *places;
} recorded[] = {
  { "tests/data/gauss_240.ptr.gz", "" },
  { "tests/data/heat2d_600.ptr.gz", "dopl_:20 dopl_:27" },
  { "tests/data/heat2d_600_np2", "dopl_:20 | dopl_:20" },
  { "tests/data/small.ptr", "" },
  { "tests/data/sor2d_2000.ptr.gz", "" },
  { "tests/data/tasks2_256.ptr.gz", "dopl_:47" },
  { "tests/data/tasks2_256_userps4.ptr.gz", "dopl_:67" },
  { "adi2d_400.ptr.gz", "dopl_:16" },
  { "heat2d_2000.ptr.gz", "" },
  { "heat3d_80.ptr.gz", "dopl_:19 dopl_:28" },
  { "iodump_300.ptr.gz", "" },
  { "jac1d.ptr", "" },
  { "redblack_500.ptr.gz", "mappl_:18" },
  { "wave1d_2000000.ptr.gz", "" },
  { "2026-11/gauss_240_np2_trace", " | " },
  { "2026-11/heat2d_2000_np2_trace", " | " },
};

static const char *
get_shared (void)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");

  return shared != NULL ? shared : "../shared";
}

static char *
list_places (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (path, NULL, &error);
  GString *list = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint f = 0; f < pd_dvm_set_get_n (set); f++)
    {
      g_autoptr (PdDvmReader) reader = pd_dvm_set_open (set, f, NULL, &error);
      g_assert_no_error (error);
      g_autoptr (PdDvmCleaning) cleaning = read_cleaning (reader, PD_DVM_OUTLIERS_KEEP);
      const GArray *places = pd_dvm_outliers_get_places (cleaning->outliers);
      g_string_append (list, f > 0 ? " | " : "");
      for (guint i = 0; i < places->len; i++)
        {
          const PdDvmOutlierPlace *place = &g_array_index (places, PdDvmOutlierPlace, i);
          g_string_append_printf (list, "%s%s:%" G_GINT64_FORMAT, i > 0 ? " " : "", place->name,
                                  place->line);
        }
    }
  return g_string_free (list, FALSE);
}

static void
test_recorded (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gboolean is_ours = g_str_has_prefix (recorded[i].trace, "tests/");
  g_autofree char *path =
      is_ours ? g_strdup (recorded[i].trace)
              : g_build_filename (get_shared (), "traces", "dvm", recorded[i].trace, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the shared traces are not here");
      return;
    }
  g_autofree char *places = list_places (path);
  g_assert_cmpstr (places, ==, recorded[i].places);
}

/* What is disturbed in recordings of an idle machine: 0.15 and 0.25 ms. */
static const char *
get_idle_places (const char *name)
{
  static const char *const known[][2] = {
    { "gauss_240_trace_2.ptr.gz", "mappl_:20" },
    { "calpar_1_np1_tracens.ptr.gz", "crtrg_:11" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i][0], name) == 0)
      return known[i][1];
  return "";
}

/* Every recording of an idle machine. */
static void
test_idle (void)
{
  static const char *const folders[] = { "2026-11", "calibration" };

  for (gsize f = 0; f < G_N_ELEMENTS (folders); f++)
    {
      g_autofree char *folder = g_build_filename (get_shared (), "traces", "dvm", folders[f], NULL);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *name;
      if (dir == NULL)
        {
          g_test_skip ("the shared traces are not here");
          return;
        }
      while ((name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (folder, name, NULL);
          if (!g_str_has_suffix (name, ".ptr.gz"))
            continue;
          g_autofree char *places = list_places (path);
          g_test_message ("%s", path);
          g_assert_cmpstr (places, ==, get_idle_places (name));
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/dvm-outliers/rule/%s", cases[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_rule);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      static const char *const words[] = { "keep", "median", "clip" };
      g_autofree char *path = g_strdup_printf ("/traces/dvm-outliers/change/%s/%s", changes[i].name,
                                               words[changes[i].rule]);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_change);
    }
  g_test_add_func ("/traces/dvm-outliers/recorder-share", test_recorder_share);
  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/dvm-outliers/recorded/%s",
                                               strrchr (recorded[i].trace, '/') != NULL
                                                   ? strrchr (recorded[i].trace, '/') + 1
                                                   : recorded[i].trace);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_recorded);
    }
  g_test_add_func ("/traces/dvm-outliers/idle", test_idle);
  return g_test_run ();
}
