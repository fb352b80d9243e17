/* The limit is the system's (RLIMIT_DATA): it holds for whatever allocates, and is there
 * before the machine begins to swap. GLib ends a process that cannot allocate with an
 * abort; its message is caught where it would be logged.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "predictor/cli/pd-memory-limit.h"

#include "base/pd-target.h"
#include "base/pd-units.h"
#include "base/pd-xml.h"
#include "predictor/common/pd-errors.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define OPTION "--max-memory"
#define MEBI   (1024 * 1024)
#define LEAST  (32 * MEBI) /* the program itself, and something to do */

/* Sanitizers reserve more than any machine has. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED TRUE
#else
#define IS_SANITIZED FALSE
#endif

static struct rlimit before;
static gint64 limit; /* bytes; 0 = none was set */

void
pd_memory_limit_lift (void)
{
  if (limit > 0)
    setrlimit (RLIMIT_DATA, &before);
}

/* Without the limit there is memory for the last words. */
static void
end (const char *message)
{
  gboolean is_memory =
      message == NULL || strstr (message, "allocat") != NULL || strstr (message, "memory") != NULL;
  g_autofree char *size = NULL;

  setrlimit (RLIMIT_DATA, &(struct rlimit){ before.rlim_max, before.rlim_max });
  pd_target_remove_all ();
  size = limit > 0 ? pd_units_format (PD_UNIT_BYTES, (PdNumber){ .i = limit })
                   : g_strdup ("that of the system");
  if (is_memory)
    fprintf (stderr, "%s: out of memory: the limit is %s, see " OPTION "\n", g_get_prgname (),
             size);
  else
    fprintf (stderr, "%s: %s\n", g_get_prgname (), message);
  _exit (1);
}

/* What GLib allocates for itself it ends with an abort, after a line of its own. */
static void
on_abort (int number)
{
  static const char text[] = "out of memory: see " OPTION "\n";

  if (mmap (NULL, LEAST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
    {
      pd_target_remove_all ();
      if (write (STDERR_FILENO, text, sizeof text - 1) >= 0)
        _exit (1);
    }
  signal (number, SIG_DFL);
  raise (number);
}

/* Where a message is logged that would end the process: GLib has no memory, no thread or
 * no descriptor. */
static GLogWriterOutput
on_log (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  const char *message = NULL;

  if ((level & G_LOG_LEVEL_ERROR) == 0)
    return g_log_writer_default (level, fields, n, data);
  for (gsize i = 0; i < n; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      message = fields[i].value;
  end (message);
  return G_LOG_WRITER_HANDLED;
}

/* Nine tenths of the memory of the machine, or of the container, in integer MiB. */
static gint64
get_share (void)
{
  gint64 all = (gint64) sysconf (_SC_PHYS_PAGES) * sysconf (_SC_PAGESIZE), own;
  g_autofree char *text = NULL;

  if (g_file_get_contents ("/sys/fs/cgroup/memory.max", &text, NULL, NULL)
      && g_ascii_string_to_signed (g_strstrip (text), 10, 1, G_MAXINT64, &own, NULL))
    all = MIN (all, own);
  return all / 10 * 9 / MEBI * MEBI;
}

/* Removes the option from the words; its value, NULL if it is not there. */
static gboolean
take_option (int *argc, char **argv, const char **value, GError **error)
{
  int n = 1;

  for (int i = 1; i < *argc; i++)
    {
      if (strcmp (argv[i], "--") == 0)
        {
          while (i < *argc)
            argv[n++] = argv[i++];
          break;
        }
      if (g_str_has_prefix (argv[i], OPTION "="))
        *value = argv[i] + strlen (OPTION "=");
      else if (strcmp (argv[i], OPTION) != 0)
        argv[n++] = argv[i];
      else if (i + 1 < *argc)
        *value = argv[++i];
      else
        return g_set_error (error, PD_USAGE_ERROR, 0, "Missing argument for " OPTION), FALSE;
    }
  *argc = n;
  argv[n] = NULL;
  return TRUE;
}

gboolean
pd_memory_limit_take (int *argc, char **argv, GError **error)
{
  const char *value = NULL;
  PdNumber number = { .i = 0 };

  if (!take_option (argc, argv, &value, error))
    return FALSE;
  if (value != NULL && (!pd_units_parse (PD_UNIT_BYTES, value, &number, NULL) || number.i < LEAST))
    {
      g_set_error (error, PD_USAGE_ERROR, 0, OPTION ": '%s': expected at least 32 MiB, as in 4GiB",
                   value);
      return FALSE;
    }
  g_log_set_writer_func (on_log, NULL, NULL);
  pd_xml_use_glib_memory ();
  gint64 wanted = value != NULL ? number.i : get_share ();
  if (getrlimit (RLIMIT_DATA, &before) != 0 || IS_SANITIZED || wanted <= 0)
    return TRUE;
  struct rlimit own = before;
  own.rlim_cur = MIN ((rlim_t) wanted, before.rlim_cur);
  if (setrlimit (RLIMIT_DATA, &own) == 0)
    limit = (gint64) own.rlim_cur;
  signal (SIGABRT, on_abort);
  return TRUE;
}
