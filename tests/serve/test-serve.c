/* The data server and its clients, in processes of their own: what it gives is what the
 * files give, whatever happens to it, to them, and to the files.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "serve/pd-client.h"
#include "serve/pd-serve-socket.h"
#include "serve/pd-server.h"
#include "tests/support/folders.h"
#include "tests/support/mp/goal-files.h"
#include "traces/dvm/pd-dvm-reader.h"
#include "traces/graph/pd-graph.h"
#include "traces/program/pd-program-file.h"
#include "traces/dvm/pd-dvm-call.h"
#include "traces/text/pd-text-writer.h"
#include "traces/open/pd-trace-read.h"
#include "traces/open/pd-dvm-open.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define TI   "0 init\n1 init\n0 isend 1 0 5 -1\n0 wait 1 0 9\n0 compute 5 6\n"
#define HEAT "tests/data/heat2d_600.ptr.gz"

typedef struct
{
  char *folder;
  char *socket;
  char *trace; /* in @folder */
  pid_t server;
} Fixture;

/* ---- a server */

static void
serve_for_ever (const char *path)
{
  static const volatile sig_atomic_t never;
  sigset_t none;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  sigemptyset (&none);
  PdServer *server = pd_server_new (path, NULL);
  gboolean ok = server != NULL && pd_server_run (server, &never, &none, NULL);
  pd_server_free (server);
  _exit (ok ? 0 : 1);
}

static void
start_server (Fixture *f)
{
  int fd = -1;

  f->server = fork ();
  if (f->server == 0)
    serve_for_ever (f->socket);
  for (int i = 0; i < 10000 && fd < 0; i++)
    {
      fd = pd_serve_connect (f->socket, NULL);
      if (fd < 0)
        g_usleep (1000);
    }
  g_assert_cmpint (fd, >=, 0);
  close (fd);
}

/* Returns what waitpid() says. */
static int
end_server (Fixture *f, int signal_number)
{
  int status;

  if (signal_number != 0)
    kill (f->server, signal_number);
  g_assert_cmpint (waitpid (f->server, &status, 0), ==, f->server);
  f->server = 0;
  return status;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  (void) data;
  f->folder = g_dir_make_tmp ("test-serve-XXXXXX", NULL);
  f->socket = g_build_filename (f->folder, "socket", NULL);
  f->trace = g_build_filename (f->folder, "trace.ti", NULL);
  g_file_set_contents (f->trace, TI, -1, NULL);
  start_server (f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  (void) data;
  if (f->server > 0)
    end_server (f, SIGKILL);
  test_remove_all (f->folder);
  g_free (f->folder);
  g_free (f->socket);
  g_free (f->trace);
}

/* The line of the status that begins with @name, without it; NULL if there is none. */
static char *
get_status (const Fixture *f, const char *name)
{
  g_autoptr (GBytes) bytes = pd_client_get_status (f->socket, NULL);

  g_assert_nonnull (bytes);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], name) && lines[i][strlen (name)] == ' ')
      return g_strdup (lines[i] + strlen (name) + 1);
  return NULL;
}

/* Until the status says so: what others do takes its time. A @value after a '*' is how the
 * line ends. */
static void
expect_status (const Fixture *f, const char *name, const char *value)
{
  g_autofree char *last = NULL;

  for (int i = 0; i < 5000; i++)
    {
      g_free (last);
      last = get_status (f, name);
      if (value[0] == '*' ? last != NULL && g_str_has_suffix (last, value + 1)
                          : g_strcmp0 (last, value) == 0)
        return;
      g_usleep (1000);
    }
  g_assert_cmpstr (last, ==, value);
}

/* ---- what readers make of a trace */

static char *
describe_program (const char *path, gboolean recorded)
{
  const PdTraceSource source = { path, NULL };
  const PdTraceReadOptions options = { .recorded = recorded, .cache = "" };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, messages, &error);
  GString *all = g_string_new (NULL);

  if (trace == NULL)
    {
      g_string_append (all, error->message);
      return g_string_free (all, FALSE);
    }
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      g_string_append_printf (all, "%d %s %s %s %s %u\n", (int) m->severity, m->place, m->id,
                              m->subject, m->text, (guint) m->count);
    }
  g_string_append_printf (all, "%s %d\n", trace->format->name, trace->incomplete);
  for (guint i = 0; trace->parts != NULL && i < trace->parts->len; i++)
    g_string_append_printf (all, "%s\n", (const char *) g_ptr_array_index (trace->parts, i));
  if (trace->program != NULL)
    {
      g_autoptr (GBytes) text = pd_program_to_text (trace->program);
      g_string_append_len (all, g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text));
    }
  if (trace->graph != NULL)
    {
      g_autoptr (GBytes) text = test_goal_write (trace->graph, FALSE);
      g_string_append_len (all, g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text));
    }
  return g_string_free (all, FALSE);
}

static char *
describe_calls (const char *path, gboolean recorded)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdDvmReader) reader = pd_dvm_open (path, messages, &error);
  GString *all = g_string_new (NULL);
  const PdDvmCall *call;
  gint64 value = 0;

  (void) recorded;
  while (reader != NULL && pd_dvm_reader_next (reader, &call, &error))
    {
      pd_dvm_call_get (reader, PD_DVM_KEY_LoopRef, &value);
      g_string_append_printf (all, "%s %s:%d %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                              call->name, call->file, (int) call->line, (guint) call->physical_line,
                              pd_time_sub (call->call_time, call->ret_time).ps, value);
    }
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    g_string_append_printf (all, "%s %s\n", pd_messages_get (messages, i)->place,
                            pd_messages_get (messages, i)->text);
  if (error != NULL)
    g_string_append (all, error->message);
  return g_string_free (all, FALSE);
}

typedef char *(*DescribeFunc) (const char *path, gboolean recorded);

/* ---- the same as from the file */

static const struct
{
  const char *path;
  DescribeFunc describe;
  gboolean recorded;
  gboolean is_shared;
} rows[] = {
  { "tests/data/ring.ti", describe_program, FALSE, TRUE },
  { "tests/data/imbalance.txt", describe_program, FALSE, TRUE },
  { "tests/data/imbalance.txt", describe_program, TRUE, TRUE },
  { "tests/data/allprof/pingpong-0.txt", describe_program, FALSE, TRUE },
  { "tests/data/graphs/wildcards.goal", describe_program, FALSE, TRUE },
  { "tests/data/heat2d.fdv", describe_program, FALSE, FALSE },
  { "tests/data/absent.ti", describe_program, FALSE, FALSE },
  { HEAT, describe_program, FALSE, FALSE },
  { HEAT, describe_calls, FALSE, TRUE },
  { "tests/data/small.ptr", describe_calls, FALSE, TRUE },
  { "tests/data/heat2d_600_np2/heat2d0_0.ptr.gz", describe_calls, FALSE, TRUE },
};

static void
test_same (Fixture *f, gconstpointer data)
{
  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *own = rows[i].describe (rows[i].path, rows[i].recorded);
      g_autoptr (PdClient) client = pd_client_new (f->socket, NULL);
      g_assert_nonnull (client);
      g_autofree char *found = rows[i].describe (rows[i].path, rows[i].recorded);
      g_autofree char *again = rows[i].describe (rows[i].path, rows[i].recorded);
      g_test_message ("%s", rows[i].path);
      g_assert_cmpstr (found, ==, own);
      g_assert_cmpstr (again, ==, own);
      /* shared calls are held by their client, a program was freed; the others stay refused */
      g_autofree char *bytes = get_status (f, "bytes");
      gboolean is_held = rows[i].is_shared && rows[i].describe == describe_calls;
      g_assert_cmpint (strcmp (bytes, "0") != 0, ==, is_held);
    }
}

/* Names of files in messages are those that each reader was given. */
static void
test_names (Fixture *f, gconstpointer data)
{
  g_autofree char *other = g_build_filename (f->folder, ".", "trace.ti", NULL);
  g_autofree char *own = describe_program (f->trace, FALSE);
  g_autofree char *own_other = describe_program (other, FALSE);
  g_autoptr (PdClient) client = pd_client_new (f->socket, NULL);
  g_assert_nonnull (client);

  (void) data;
  g_assert_nonnull (strstr (own, "ti-derived-type"));
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *found = describe_program (f->trace, FALSE);
      g_autofree char *found_other = describe_program (other, FALSE);
      g_assert_cmpstr (found, ==, own);
      g_assert_cmpstr (found_other, ==, own_other);
    }
}

/* ---- files that change */

static void
test_changed (Fixture *f, gconstpointer data)
{
  g_autoptr (PdClient) client = pd_client_new (f->socket, NULL);
  g_assert_nonnull (client);
  const PdTraceSource source = { f->trace, NULL };
  const PdTraceReadOptions options = { .recorded = FALSE, .cache = "" };

  (void) data;
  for (int i = 1; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("0 compute %d\n", i);
      g_file_set_contents (f->trace, text, -1, NULL);
      g_autoptr (PdMpTrace) held = pd_mp_trace_read (&source, &options, NULL, NULL);
      g_assert_nonnull (held);
      expect_status (f, "traces", "1");
      g_file_set_contents (f->trace, "0 compute 77\n", -1, NULL);
      g_autofree char *found = describe_program (f->trace, FALSE);
      g_assert_nonnull (strstr (found, "77"));
      /* what is held stays what it was */
      g_autoptr (GBytes) kept = pd_program_to_text (held->program);
      g_assert_null (
          g_strstr_len (g_bytes_get_data (kept, NULL), (gssize) g_bytes_get_size (kept), "77"));
    }
}

/* The files that a list names have their own stamps. */
static void
test_part_changed (Fixture *f, gconstpointer data)
{
  g_autofree char *part = g_build_filename (f->folder, "r0", NULL);

  (void) data;
  g_file_set_contents (f->trace, "r0\n", -1, NULL);
  g_file_set_contents (part, "0 compute 100\n", -1, NULL);
  g_autofree char *own = describe_program (f->trace, FALSE);
  g_autoptr (PdClient) client = pd_client_new (f->socket, NULL);
  g_assert_nonnull (client);
  g_autofree char *shared = describe_program (f->trace, FALSE);
  g_assert_nonnull (strstr (own, part));
  g_assert_cmpstr (shared, ==, own);
  for (int i = 1; i < 4; i++)
    {
      g_autofree char *text = g_strdup_printf ("0 compute %d\n", 100 + i);
      g_file_set_contents (part, text, -1, NULL);
      g_autofree char *found = describe_program (f->trace, FALSE);
      g_assert_nonnull (strstr (found, text + strlen ("0 compute ") + 1));
      /* held by someone else meanwhile */
      g_autofree char *again = describe_program (f->trace, FALSE);
      g_assert_cmpstr (again, ==, found);
    }
}

/* ---- clients and servers that die */

static void
hold_for_ever (const Fixture *f)
{
  const PdTraceSource source = { "tests/data/ring.ti", NULL };
  const PdTraceReadOptions options = { .recorded = FALSE, .cache = "" };

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  pd_client_new (f->socket, NULL);
  PdMpTrace *trace = pd_mp_trace_read (&source, &options, NULL, NULL);
  while (trace != NULL)
    pause ();
  _exit (1);
}

static void
test_crashed_client (Fixture *f, gconstpointer data)
{
  pid_t clients[3];

  (void) data;
  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    if ((clients[i] = fork ()) == 0)
      hold_for_ever (f);
  expect_status (f, "clients", "3");
  expect_status (f, "traces", "1");
  g_autofree char *path = g_canonicalize_filename ("tests/data/ring.ti", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    {
      g_autofree char *name = g_strdup_printf ("trace %s: program,", path);
      g_autofree char *holders = g_strdup_printf ("*, %u holders", 3 - i);
      expect_status (f, name, holders);
      kill (clients[i], SIGKILL);
      waitpid (clients[i], NULL, 0);
    }
  expect_status (f, "clients", "0");
  expect_status (f, "traces", "0");
  expect_status (f, "bytes", "0");
}

/* Nobody waits any more for what it asked for. */
static void
test_impatient_client (Fixture *f, gconstpointer data)
{
  g_autofree char *folder = g_get_current_dir ();
  PdServeMessage question = { .kind = PD_SERVE_GET,
                              .folder = folder,
                              .query = { .path = HEAT, .form = PD_SHARED_CALLS } };

  (void) data;
  g_assert_true (pd_file_stamp_get (HEAT, &question.query.stamp));
  for (int i = 0; i < 3; i++)
    {
      int fd = pd_serve_connect (f->socket, NULL);
      g_assert_true (pd_serve_send (fd, &question, -1));
      close (fd);
      expect_status (f, "clients", "0");
      expect_status (f, "traces", "0");
      expect_status (f, "bytes", "0");
    }
  g_autoptr (PdClient) client = pd_client_new (f->socket, NULL);
  g_autoptr (GBytes) shared = pd_trace_share_get_calls (HEAT);
  g_assert_nonnull (shared);
}

static guint n_lost;

static void
count_lost (const GError *error)
{
  g_assert_nonnull (error);
  n_lost++;
}

static void
test_killed_server (Fixture *f, gconstpointer data)
{
  g_autofree char *own = describe_program (f->trace, FALSE);
  g_autoptr (PdClient) client = pd_client_new (f->socket, count_lost);
  g_assert_nonnull (client);

  (void) data;
  n_lost = 0;
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *with = describe_program (f->trace, FALSE);
      g_assert_cmpstr (with, ==, own);
      end_server (f, SIGKILL);
      for (int k = 0; k < 2; k++)
        {
          g_autofree char *without = describe_program (f->trace, FALSE);
          g_assert_cmpstr (without, ==, own);
        }
      g_assert_cmpuint (n_lost, ==, 1);
      /* the socket that was left is replaced */
      g_assert_true (g_file_test (f->socket, G_FILE_TEST_EXISTS));
      start_server (f);
      g_autoptr (GBytes) shared = pd_trace_share_get_calls (HEAT);
      g_assert_nonnull (shared);
    }
}

/* One that is there and says nothing is asked once. */
static void
test_silent_server (Fixture *f, gconstpointer data)
{
  g_autofree char *own = describe_program (f->trace, FALSE);
  g_autoptr (PdClient) client = pd_client_new (f->socket, count_lost);

  (void) data;
  n_lost = 0;
  pd_client_set_patience (client, 100);
  kill (f->server, SIGSTOP);
  gint64 begin = g_get_monotonic_time ();
  for (int i = 0; i < 500; i++)
    {
      g_autofree char *found = describe_program (f->trace, FALSE);
      g_assert_cmpstr (found, ==, own);
    }
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 500 * 100000);
  g_assert_cmpuint (n_lost, ==, 1);
  kill (f->server, SIGCONT);
}

static void
test_stopped_server (Fixture *f, gconstpointer data)
{
  g_autofree char *lock = g_strconcat (f->socket, ".lock", NULL);

  (void) data;
  g_assert_true (g_file_test (lock, G_FILE_TEST_EXISTS));
  g_assert_true (pd_client_stop_server (f->socket, NULL));
  g_assert_cmpint (end_server (f, 0), ==, 0);
  g_assert_false (g_file_test (f->socket, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (lock, G_FILE_TEST_EXISTS));
  g_assert_false (pd_client_stop_server (f->socket, NULL));
}

static void
test_second_server (Fixture *f, gconstpointer data)
{
  g_autofree char *long_name = g_strnfill (200, 'a');
  const struct
  {
    const char *path;
    PdServeError code;
  } bad[] = {
    { f->socket, PD_SERVE_ERROR_RUNNING }, { f->trace, PD_SERVE_ERROR_RUNNING },
    { f->folder, PD_SERVE_ERROR_RUNNING }, { "/nowhere/at/all", PD_SERVE_ERROR_SOCKET },
    { long_name, PD_SERVE_ERROR_SOCKET },
  };

  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (pd_server_new (bad[i].path, &error));
      g_assert_error (error, PD_SERVE_ERROR, (gint) bad[i].code);
    }
  /* the first one is as it was */
  expect_status (f, "clients", "0");
  g_assert_true (g_file_test (f->trace, G_FILE_TEST_IS_REGULAR));
}

/* Sockets of others, whatever they are for. */
static void
test_foreign_socket (Fixture *f, gconstpointer data)
{
  static const int types[] = { SOCK_STREAM, SOCK_DGRAM };
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  g_autofree char *path = g_build_filename (f->folder, "foreign", NULL);

  (void) data;
  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GError) error = NULL;
      int fd = socket (AF_UNIX, types[i] | SOCK_CLOEXEC, 0);
      g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
      g_assert_true (types[i] != SOCK_STREAM || listen (fd, 1) == 0);
      g_assert_null (pd_server_new (path, &error));
      g_assert_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_RUNNING);
      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
      /* what its owner has left is nobody's */
      close (fd);
      PdServer *server = pd_server_new (path, NULL);
      g_assert_nonnull (server);
      pd_server_free (server);
    }
}

/* ---- who is on the other side */

static void
test_mode (Fixture *f, gconstpointer data)
{
  GStatBuf status;

  (void) data;
  g_assert_cmpint (g_stat (f->socket, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
}

#define NOBODY 65534

/* As another user: 0 = served, 1 = could not connect, 2 = was thrown out. */
static int
try_as_nobody (const Fixture *f)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const PdServeMessage question = { .kind = PD_SERVE_STATUS };
  char byte;

  if (setgroups (0, NULL) != 0 || setgid (NOBODY) != 0 || setuid (NOBODY) != 0)
    return 3;
  int fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  g_strlcpy (address.sun_path, f->socket, sizeof address.sun_path);
  if (connect (fd, (struct sockaddr *) &address, sizeof address) != 0)
    return 1;
  if (!pd_serve_send (fd, &question, -1))
    return 2;
  return recv (fd, &byte, 1, 0) > 0 ? 0 : 2;
}

static int
run_as_nobody (const Fixture *f)
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    _exit (try_as_nobody (f));
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return WEXITSTATUS (status);
}

static void
test_other_user (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  (void) data;
  if (geteuid () != 0)
    {
      g_test_skip ("only root can be someone else");
      return;
    }
  g_chmod (f->folder, 0755);
  g_assert_cmpint (run_as_nobody (f), ==, 1);
  /* also where the file system would let him in */
  g_chmod (f->socket, 0666);
  g_assert_cmpint (run_as_nobody (f), ==, 2);
  expect_status (f, "clients", "0");
  /* and the other way round: a server of someone else is none */
  g_chmod (f->folder, 0777);
  end_server (f, SIGKILL);
  g_unlink (f->socket);
  g_autofree char *lock = g_strconcat (f->socket, ".lock", NULL);
  g_unlink (lock);
  if ((f->server = fork ()) == 0 && setgid (NOBODY) == 0 && setuid (NOBODY) == 0)
    serve_for_ever (f->socket);
  for (int i = 0; i < 10000 && !g_file_test (f->socket, G_FILE_TEST_EXISTS); i++)
    g_usleep (1000);
  g_usleep (10000);
  g_assert_cmpint (pd_serve_connect (f->socket, &error), ==, -1);
  g_assert_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_PEER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/serve/traces/same", test_same);
  ADD ("/serve/traces/names", test_names);
  ADD ("/serve/traces/changed", test_changed);
  ADD ("/serve/traces/part-changed", test_part_changed);
  ADD ("/serve/dead/client", test_crashed_client);
  ADD ("/serve/dead/impatient", test_impatient_client);
  ADD ("/serve/dead/server", test_killed_server);
  ADD ("/serve/dead/silent", test_silent_server);
  ADD ("/serve/dead/stopped", test_stopped_server);
  ADD ("/serve/socket/second-server", test_second_server);
  ADD ("/serve/socket/foreign", test_foreign_socket);
  ADD ("/serve/socket/mode", test_mode);
  ADD ("/serve/socket/other-user", test_other_user);
  return g_test_run ();
}
