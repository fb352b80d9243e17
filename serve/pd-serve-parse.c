/* Parsing a trace in a process of its own.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "serve/pd-serve-socket.h"
#include "serve/pd-serve-traces.h"
#include "serve/pd-serve-parse.h"
#include "traces/open/pd-trace-share-make.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a parser ends. */
enum
{
  PARSED,
  PARSED_WITH_NAMES, /* of files, which begin in its folder */
  NOT_SHARED,
};

/* In the new process. Names of files begin in the folder of the client, also for who asks
 * the environment. */
static int
parse (const PdServedTrace *trace)
{
  g_autoptr (GError) error = NULL;
  gboolean names_files;

  if (chdir (trace->folder) != 0)
    return NOT_SHARED;
  g_setenv ("PWD", trace->folder, TRUE);
  pd_trace_share_set (NULL, NULL);
  if (!pd_trace_share_make (&trace->query, trace->fd, &names_files, &error))
    return NOT_SHARED;
  return names_files ? PARSED_WITH_NAMES : PARSED;
}

/* Signals are those of any process again, and it does not outlive the server. */
static void
become_parser (const PdServedTrace *trace, pid_t server)
{
  sigset_t none;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != server)
    _exit (NOT_SHARED);
  signal (SIGTERM, SIG_DFL);
  signal (SIGINT, SIG_IGN);
  signal (SIGHUP, SIG_DFL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  _exit (parse (trace));
}

gboolean
pd_serve_parse_start (PdServedTrace *trace, PdServeCloseFunc close_others, gpointer data)
{
  pid_t server = getpid ();
  int ends[2];

  trace->fd = pd_serve_memory_new ("predictor-trace");
  if (trace->fd < 0 || pipe2 (ends, O_CLOEXEC) != 0)
    return FALSE;
  trace->parser = fork ();
  if (trace->parser == 0)
    {
      close (ends[0]);
      close_others (data);
      become_parser (trace, server);
    }
  close (ends[1]);
  if (trace->parser < 0)
    {
      close (ends[0]);
      trace->parser = 0;
      return FALSE;
    }
  trace->done = ends[0];
  trace->state = PD_SERVED_PARSING;
  return TRUE;
}

void
pd_serve_parse_end (PdServedTrace *trace)
{
  int status = -1;
  pid_t got;

  if (trace->parser > 0)
    do
      got = waitpid (trace->parser, &status, 0);
    while (got < 0 && errno == EINTR);
  trace->parser = 0;
  if (trace->done >= 0)
    close (trace->done);
  trace->done = -1;
  int code = WIFEXITED (status) ? WEXITSTATUS (status) : NOT_SHARED;
  trace->names_files = code == PARSED_WITH_NAMES;
  trace->state = PD_SERVED_READY;
  if ((code == PARSED || code == PARSED_WITH_NAMES)
      && pd_serve_memory_seal (trace->fd, &trace->size))
    return;
  trace->state = PD_SERVED_REFUSED;
  trace->size = 0;
  if (trace->fd >= 0)
    close (trace->fd);
  trace->fd = -1;
}
