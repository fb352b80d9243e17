/* SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-slurm-private.h"
#include "predictor/cli/pd-memory-limit.h"

#include <string.h>

/* Seconds between questions become longer, up to that. */
#define MAX_PAUSE 10
/* So many questions without an answer, and we give up: an hour. */
#define MAX_FAILURES 360

char *
pd_slurm_join (const char *const *argv)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; argv[i] != NULL; i++)
    {
      gboolean plain =
          argv[i][0] != '\0' && strpbrk (argv[i], " \t\n'\"\\$&|;<>()*?[]#~`!{}") == NULL;
      g_autofree char *word = plain ? g_strdup (argv[i]) : g_shell_quote (argv[i]);
      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", word);
    }
  return g_string_free (text, FALSE);
}

/* Slurm would pass the limit on to the jobs. */
static void
lift_limit (gpointer data G_GNUC_UNUSED)
{
  pd_memory_limit_lift ();
}

/* What @argv prints. On an error of its own @error has its last words. */
static char *
run (const char *const *argv, GError **error)
{
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (GError) local = NULL;
  int status;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, lift_limit, NULL, &out, &err,
                     &status, &local))
    {
      g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "cannot run %s: %s", argv[0],
                   local->message);
      return NULL;
    }
  if (g_spawn_check_exit_status (status, &local))
    return g_steal_pointer (&out);
  g_strdelimit (g_strchomp (err), "\n", ' ');
  g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s: %s", argv[0],
               err[0] != '\0' ? err : local->message);
  return NULL;
}

char *
pd_slurm_submit (const char *const *argv, GError **error)
{
  g_autofree char *out = run (argv, error);

  if (out == NULL)
    return NULL;
  /* "12", or "12;cluster" */
  gsize n = strspn (out, "0123456789");
  if (n > 0)
    return g_strndup (out, n);
  g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
               "%s has printed '%s', and not the number of a job", argv[0], g_strchomp (out));
  return NULL;
}

/* Whether a task waits or runs. An old job is none that Slurm knows. */
static gboolean
is_there (const char *job, GError **error)
{
  const char *const argv[] = { "squeue", "--noheader", "--jobs", job, "--format=%T", NULL };
  g_autoptr (GError) local = NULL;
  g_autofree char *out = run (argv, &local);

  if (out != NULL)
    return g_strstrip (out)[0] != '\0';
  if (strstr (local->message, "Invalid job id") == NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static void
cancel (const char *job)
{
  const char *const argv[] = { "scancel", job, NULL };

  g_free (run (argv, NULL));
}

/* An interruption shortens it. */
static void
pause_for (guint seconds, const volatile sig_atomic_t *stop)
{
  sig_atomic_t before = *stop;

  for (guint i = 0; i < seconds * 10 && *stop == before; i++)
    g_usleep (100000);
}

gboolean
pd_slurm_wait (const char *job, const volatile sig_atomic_t *stop, GError **error)
{
  guint n_failures = 0, pause = 1;
  gboolean cancelled = FALSE;

  for (;;)
    {
      g_autoptr (GError) local = NULL;
      gboolean there = is_there (job, &local);
      n_failures = local != NULL ? n_failures + 1 : 0;
      if (local == NULL && !there)
        return TRUE;
      if (n_failures >= MAX_FAILURES)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (*stop != 0 && !cancelled)
        {
          cancelled = TRUE;
          pause = 1;
          cancel (job);
        }
      pause_for (pause, stop);
      pause = MIN (pause + 1, MAX_PAUSE);
    }
}

char *
pd_slurm_get_states (const char *job)
{
  const char *const argv[] = { "scontrol", "--oneliner", "show", "job", job, NULL };
  static const char *const states[] = { "COMPLETED", "FAILED",        "CANCELLED",
                                        "TIMEOUT",   "OUT_OF_MEMORY", "NODE_FAIL",
                                        "BOOT_FAIL", "DEADLINE",      "PREEMPTED" };
  g_autofree char *out = run (argv, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; out != NULL && i < G_N_ELEMENTS (states); i++)
    {
      g_autofree char *word = g_strdup_printf (" JobState=%s ", states[i]);
      guint n = 0;
      for (const char *p = out; (p = strstr (p, word)) != NULL; p++)
        n++;
      if (n > 0)
        g_string_append_printf (text, "%s%u %s", text->len > 0 ? ", " : "", n, states[i]);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
