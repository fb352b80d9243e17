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

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

/* @max_files: how many file descriptors it may have; 0 = as many as this process */
static void
limit_files (gsize max_files)
{
  const struct rlimit limit = { max_files, max_files };

  g_assert_true (max_files == 0 || setrlimit (RLIMIT_NOFILE, &limit) == 0);
}

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
start_limited_server (Fixture *f, gsize max_files)
{
  int fd = -1;

  f->server = fork ();
  if (f->server == 0)
    {
      limit_files (max_files);
      serve_for_ever (f->socket);
    }
  for (int i = 0; i < 10000 && fd < 0; i++)
    {
      fd = pd_serve_connect (f->socket, NULL);
      if (fd < 0)
        g_usleep (1000);
    }
  g_assert_cmpint (fd, >=, 0);
  close (fd);
}

static void
start_server (Fixture *f)
{
  start_limited_server (f, 0);
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
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = pd_client_get_status (f->socket, &error);
  g_assert_no_error (error);

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

/* ---- clients that mean harm, and too many of them */

static guint
count_files (const Fixture *f)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%ld/fd", (glong) f->server);

  return test_count_entries (folder);
}

/* Until the server has closed all that it is about to close: after an answer, before the end
 * of a connection has reached it. */
static guint
count_files_settled (const Fixture *f)
{
  guint n = count_files (f);

  for (guint same = 0; same < 50; same++)
    {
      g_usleep (1000);
      guint now = count_files (f);
      if (now != n)
        same = 0;
      n = now;
    }
  return n;
}

#define MAX_PASSED 40

/* A question about the status with @n file descriptors that nobody asked for. */
static void
send_files (int fd, guint n)
{
  const PdServeMessage question = { .kind = PD_SERVE_STATUS };
  guint8 packet[PD_SERVE_MAX_PACKET];
  struct iovec part = { packet, pd_serve_message_write (&question, packet) };
  union
  {
    struct cmsghdr head;
    char bytes[CMSG_SPACE (MAX_PASSED * sizeof (int))];
  } control = { .head = { CMSG_LEN (n * sizeof fd), SOL_SOCKET, SCM_RIGHTS } };
  const struct msghdr head = { .msg_iov = &part,
                               .msg_iovlen = 1,
                               .msg_control = &control,
                               .msg_controllen = CMSG_SPACE (n * sizeof fd) };

  for (guint i = 0; i < n; i++)
    memcpy (CMSG_DATA (&control.head) + i * sizeof fd, &fd, sizeof fd);
  g_assert_cmpint (sendmsg (fd, &head, MSG_NOSIGNAL), ==, (gssize) part.iov_len);
}

/* The kind of the next message that does not say to wait; -1 = the end came. */
static int
hear (int fd)
{
  struct pollfd one = { .fd = fd, .events = POLLIN };
  guint8 packet[PD_SERVE_MAX_PACKET];
  PdServeMessage message;
  int passed;

  do
    {
      g_assert_cmpint (poll (&one, 1, 20000), ==, 1);
      if (!pd_serve_receive (fd, packet, &message, &passed, NULL))
        return -1;
      if (passed >= 0)
        close (passed);
    }
  while (message.kind == PD_SERVE_WAIT);
  return (int) message.kind;
}

static int
ask (int fd, const PdServeMessage *question)
{
  return pd_serve_send (fd, question, -1) ? hear (fd) : -1;
}

static void
test_passed_files (Fixture *f, gconstpointer data)
{
  static const guint numbers[] = { 1, 2, 3, MAX_PASSED };
  int clients[50];

  (void) data;
  expect_status (f, "clients", "0");
  guint before = count_files_settled (f);
  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    {
      clients[i] = pd_serve_connect (f->socket, NULL);
      send_files (clients[i], numbers[i % G_N_ELEMENTS (numbers)]);
      g_assert_cmpint (hear (clients[i]), ==, PD_SERVE_REPORT);
    }
  /* one for each, which is its connection */
  g_assert_cmpuint (count_files_settled (f), ==, before + G_N_ELEMENTS (clients));
  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    close (clients[i]);
  expect_status (f, "clients", "0");
  g_assert_cmpuint (count_files_settled (f), ==, before);
}

static const PdServeMessage ask_status = { .kind = PD_SERVE_STATUS };

/* Connects until somebody is refused. Returns the others. */
static GArray *
connect_many (const Fixture *f)
{
  GArray *clients = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < 1000; i++)
    {
      int fd = pd_serve_connect (f->socket, NULL);
      g_assert_cmpint (fd, >=, 0);
      if (ask (fd, &ask_status) < 0)
        {
          close (fd);
          return clients;
        }
      g_array_append_val (clients, fd);
    }
  g_assert_not_reached ();
}

static void
disconnect_all (const Fixture *f, const GArray *clients)
{
  for (guint i = 0; i < clients->len; i++)
    close (g_array_index (clients, int, i));
  expect_status (f, "clients", "0");
}

static PdServeMessage
make_question (const char *folder, const char *path, PdSharedForm form)
{
  PdServeMessage question = { .kind = PD_SERVE_GET,
                              .folder = folder,
                              .query = { .path = path, .form = form } };

  g_assert_true (pd_file_stamp_get (path, &question.query.stamp));
  return question;
}

/* Those that are there get what they ask, and new ones are refused at once. */
static void
test_exhausted (Fixture *f, gconstpointer data)
{
  g_autofree char *folder = g_get_current_dir ();
  const PdServeMessage question = make_question (folder, HEAT, PD_SHARED_CALLS);

  (void) data;
  end_server (f, SIGKILL);
  start_limited_server (f, 60);
  g_autoptr (GArray) clients = connect_many (f);
  g_assert_cmpuint (clients->len, >, 20);
  for (guint i = 0; i < clients->len; i++)
    {
      int fd = g_array_index (clients, int, i), other = pd_serve_connect (f->socket, NULL);
      g_assert_cmpint (ask (fd, &question), ==, PD_SERVE_FOUND);
      g_assert_cmpint (ask (fd, &ask_status), ==, PD_SERVE_REPORT);
      g_assert_cmpint (ask (other, &ask_status), ==, -1);
      close (other);
    }
  disconnect_all (f, clients);
  expect_status (f, "bytes", "0");
}

/* Also when clients hold so many traces that nothing is left. What is refused for that
 * reason is shared as soon as it can be. */
static void
test_no_files (Fixture *f, gconstpointer data)
{
  g_autofree char *folder = g_get_current_dir ();
  PdServeMessage question;
  int answer = PD_SERVE_FOUND;

  (void) data;
  end_server (f, SIGKILL);
  start_limited_server (f, 40);
  g_autoptr (GArray) clients = connect_many (f);
  for (guint i = 0; i < 40 && answer == PD_SERVE_FOUND; i++)
    {
      g_autofree char *text = g_strdup_printf ("0 compute %u\n", i);
      g_free (f->trace);
      f->trace = g_strdup_printf ("%s/t%u.ti", f->folder, i);
      g_assert_true (g_file_set_contents (f->trace, text, -1, NULL));
      question = make_question (folder, f->trace, PD_SHARED_PROGRAM);
      answer = ask (g_array_index (clients, int, 0), &question);
    }
  g_assert_cmpint (answer, ==, PD_SERVE_NONE);
  int other = pd_serve_connect (f->socket, NULL);
  g_assert_cmpint (ask (other, &ask_status), ==, -1);
  close (other);
  disconnect_all (f, clients);
  other = pd_serve_connect (f->socket, NULL);
  g_assert_cmpint (ask (other, &question), ==, PD_SERVE_FOUND);
  close (other);
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
  ADD ("/serve/many/passed-files", test_passed_files);
  ADD ("/serve/many/exhausted", test_exhausted);
  ADD ("/serve/many/no-files", test_no_files);
  ADD ("/serve/socket/second-server", test_second_server);
  ADD ("/serve/socket/foreign", test_foreign_socket);
  ADD ("/serve/socket/mode", test_mode);
  ADD ("/serve/socket/other-user", test_other_user);
  return g_test_run ();
}
