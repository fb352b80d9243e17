/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/study-points.h"

#include "sweep/study/pd-result-message.h"
#include "tests/support/folders.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static gpointer
state_new (const PdStudy *study, GError **error)
{
  const PdStudy **state = g_new (const PdStudy *, 1);

  *state = study;
  if (pd_study_find (study, "broken") == NULL)
    return state;
  g_free (state);
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "broken");
  return NULL;
}

/* Whatever the program, or its sanitizer, does with that signal. */
static void
die (int number)
{
  signal (number, SIG_DFL);
  raise (number);
}

static gboolean
compute (gpointer state, gint64 point, GByteArray *out, GError **error)
{
  const PdStudy *study = *(const PdStudy *const *) state;
  const char *what = pd_study_get_text (study, point, 0);
  PdReportRun *run;

  if (strcmp (what, "crash") == 0)
    die (SIGSEGV);
  if (strcmp (what, "kill") == 0)
    die (SIGKILL);
  if (strcmp (what, "exit") == 0)
    _exit (9);
  if (strcmp (what, "fatal") == 0)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "no such trace");
      return FALSE;
    }
  if (strcmp (what, "fail") == 0)
    {
      pd_result_message_write_failure (out, point, PD_POINT_FAILED, "a failure", 0);
      return TRUE;
    }
  if (strcmp (what, "nonsense") == 0)
    {
      g_byte_array_append (out, (const guint8 *) "nonsense", 8);
      return TRUE;
    }
  /* slow ones are slow in a way that differs from run to run */
  if (strcmp (what, "slow") == 0)
    g_usleep ((gulong) g_random_int_range (0, 2000));
  run = g_new0 (PdReportRun, 1);
  run->n_processors = 1;
  run->tree = pd_interval_tree_new (1);
  run->messages = pd_messages_new ();
  pd_interval_tree_add (run->tree, 0, PD_Q_EXE_COUNT, 0, PD_TIME (1));
  pd_interval_tree_add (run->tree, 0, PD_Q_CPU_SEQ, 0, PD_TIME (1000 + point * 7 % 100));
  pd_result_message_write_run (out, point, run, FALSE);
  pd_report_run_free (run);
  return TRUE;
}

const PdPointClass test_study_points = { .new = state_new, .compute = compute, .free = g_free };

PdStudy *
test_study_new (const char *whats, guint n, const char *parameter)
{
  PdStudy *study = pd_study_new (NULL);
  g_autofree char *numbers = g_strdup_printf ("1:%u:+1", n);

  if (parameter != NULL)
    g_assert_true (pd_study_set (study, parameter, "yes", NULL));
  g_assert_true (pd_study_add_axis (study, "what", whats, NULL));
  g_assert_true (pd_study_add_axis (study, "n", numbers, NULL));
  g_assert_true (pd_study_complete (study, 100000, NULL));
  return study;
}

void
test_study_folder_set_up (TestStudyFolder *self, gconstpointer data)
{
  (void) data;
  self->folder = g_dir_make_tmp ("predictor-study-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "study.sqlite", NULL);
}

void
test_study_folder_tear_down (TestStudyFolder *self, gconstpointer data)
{
  (void) data;
  test_remove_all (self->folder);
  g_free (self->folder);
  g_free (self->path);
}
