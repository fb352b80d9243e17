/* Clients of all kinds come, ask and go at full speed while others stay: the data server has
 * as many file descriptors and as much memory afterwards as before.
 *   test-serve-soak [SECONDS [HELD]]
 * A day with one connection per second has 86400.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "predictor/options/cmd-tools.h"
#include "serve/pd-client.h"
#include "serve/pd-serve-socket.h"
#include "serve/pd-server.h"
#include "tests/support/folders.h"

#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_FILES    65536u
#define N_SPARE    200u    /* file descriptors of either process that are no connections */
#define N_WARM     2000u   /* connections before the server is looked at first */
#define MAX_GROWTH 1048576 /* bytes of memory: what a list or the heap may take at once */

static gdouble seconds = 1;
static guint n_held = 500;

typedef struct
{
  char *folder;
  char *socket;
  pid_t server;
  PdServeMessage get;
  guint64 n; /* connections that have come and gone */
} Soak;

static void
serve_for_ever (const char *path)
{
  static const volatile sig_atomic_t never;
  sigset_t none;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  sigemptyset (&none);
  PdServer *server = pd_server_new (path, NULL);
  _exit (server != NULL && pd_server_run (server, &never, &none, NULL) ? 0 : 1);
}

static int
connect_patiently (const Soak *soak)
{
  int fd = -1;

  for (int i = 0; i < 10000 && (fd = pd_serve_connect (soak->socket, NULL)) < 0; i++)
    g_usleep (1000);
  g_assert_cmpint (fd, >=, 0);
  return fd;
}

/* ---- what is looked at */

static guint
count_files (const Soak *soak)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%ld/fd", (glong) soak->server);

  return test_count_entries (folder);
}

static gint64
get_resident_bytes (const Soak *soak)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/statm", (glong) soak->server);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_ascii_strtoll (strchr (text, ' '), NULL, 10) * sysconf (_SC_PAGESIZE);
}

/* Until only those that stay are there. */
static guint
settle (const Soak *soak)
{
  g_autofree char *wanted = g_strdup_printf ("\nclients %u\n", n_held);
  gboolean is_quiet = FALSE;
  guint least = G_MAXUINT;

  for (int i = 0; i < 10000 && !is_quiet; i++)
    {
      g_autoptr (GBytes) status = pd_client_get_status (soak->socket, NULL);
      g_assert_nonnull (status);
      is_quiet =
          g_strstr_len (g_bytes_get_data (status, NULL), (gssize) g_bytes_get_size (status), wanted)
          != NULL;
      g_usleep (1000);
    }
  g_assert_true (is_quiet);
  /* who asked for the status is about to go */
  for (int i = 0; i < 50; i++)
    {
      least = MIN (least, count_files (soak));
      g_usleep (1000);
    }
  return least;
}

/* ---- clients */

static void
send_two_files (int fd)
{
  const PdServeMessage question = { .kind = PD_SERVE_STATUS };
  const int two[] = { fd, fd };
  guint8 packet[PD_SERVE_MAX_PACKET];
  struct iovec part = { packet, pd_serve_message_write (&question, packet) };
  union
  {
    struct cmsghdr head;
    char bytes[CMSG_SPACE (sizeof two)];
  } control = { .head = { CMSG_LEN (sizeof two), SOL_SOCKET, SCM_RIGHTS } };
  const struct msghdr head = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };

  memcpy (CMSG_DATA (&control.head), two, sizeof two);
  sendmsg (fd, &head, MSG_NOSIGNAL);
}

/* Whatever comes, up to the answer or the end. */
static void
hear (int fd)
{
  struct pollfd one = { .fd = fd, .events = POLLIN };
  guint8 packet[PD_SERVE_MAX_PACKET];
  PdServeMessage message = { .kind = PD_SERVE_WAIT };
  int passed;

  while (message.kind == PD_SERVE_WAIT)
    {
      g_assert_cmpint (poll (&one, 1, 30000), ==, 1);
      if (!pd_serve_receive (fd, packet, &message, &passed, NULL))
        return;
      if (passed >= 0)
        close (passed);
    }
}

/* The kinds of clients by turns: who asks for a trace and gets it, or does not wait for it;
 * who asks for the status; who sends file descriptors, or nonsense, or nothing. */
static void
be_client (const Soak *soak, guint64 number)
{
  static const PdServeMessage status = { .kind = PD_SERVE_STATUS };
  guint kind = (guint) (number % 6);
  int fd = connect_patiently (soak);

  if (kind == 0 || kind == 1)
    pd_serve_send (fd, &soak->get, -1);
  else if (kind == 2)
    pd_serve_send (fd, &status, -1);
  else if (kind == 3)
    send_two_files (fd);
  else if (kind == 4)
    g_assert_cmpint (send (fd, "nonsense", 8, MSG_NOSIGNAL), ==, 8);
  if (kind != 1 && kind != 5)
    hear (fd);
  close (fd);
}

static void
run_clients (Soak *soak, guint64 n, gint64 end)
{
  for (guint64 i = 0; i < n || (n == 0 && g_get_monotonic_time () < end); i++)
    be_client (soak, soak->n++);
}

static int *
hold (const Soak *soak)
{
  int *held = g_new (int, n_held);

  for (guint i = 0; i < n_held; i++)
    held[i] = connect_patiently (soak);
  return held;
}

/* ---- the test */

static void
set_up (Soak *soak)
{
  static const char trace[] = "0 init\n0 compute 5 6\n";
  g_autofree char *path = NULL;

  soak->folder = g_dir_make_tmp ("test-serve-XXXXXX", NULL);
  soak->socket = g_build_filename (soak->folder, "socket", NULL);
  path = g_build_filename (soak->folder, "trace.ti", NULL);
  g_assert_true (g_file_set_contents (path, trace, -1, NULL));
  soak->get = (PdServeMessage){ .kind = PD_SERVE_GET,
                                .folder = soak->folder,
                                .query = { .path = "trace.ti", .form = PD_SHARED_PROGRAM } };
  g_assert_true (pd_file_stamp_get (path, &soak->get.query.stamp));
  soak->server = fork ();
  if (soak->server == 0)
    serve_for_ever (soak->socket);
}

static void
test_soak (void)
{
  Soak soak = { .n = 0 };

  set_up (&soak);
  gint64 begin = g_get_monotonic_time ();
  g_autofree int *held = hold (&soak);
  gdouble held_in = (gdouble) (g_get_monotonic_time () - begin) / 1e6;
  run_clients (&soak, N_WARM, 0);
  guint files = settle (&soak);
  gint64 bytes = get_resident_bytes (&soak);
  begin = g_get_monotonic_time ();
  soak.n = 0;
  run_clients (&soak, 0, begin + (gint64) (seconds * 1e6));
  gdouble took = (gdouble) (g_get_monotonic_time () - begin) / 1e6;
  guint files_after = settle (&soak);
  gint64 growth = get_resident_bytes (&soak) - bytes;
  g_test_message ("%u connections held, made in %.1f s; %" G_GUINT64_FORMAT
                  " others in %.1f s, %.0f per second: a day's worth of %.1f per second; "
                  "descriptors %u, then %u; bytes %" G_GINT64_FORMAT ", then %+" G_GINT64_FORMAT,
                  n_held, held_in, soak.n, took, (gdouble) soak.n / took, (gdouble) soak.n / 86400,
                  files, files_after, bytes, growth);
  g_assert_cmpuint (files_after, ==, files);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what is freed for a while */
  g_assert_cmpint (growth, <, MAX_GROWTH);
#endif
  for (guint i = 0; i < n_held; i++)
    close (held[i]);
  kill (soak.server, SIGKILL);
  waitpid (soak.server, NULL, 0);
  test_remove_all (soak.folder);
  g_free (soak.folder);
  g_free (soak.socket);
}

int
main (int argc, char **argv)
{
  struct rlimit limit;

  g_test_init (&argc, &argv, NULL);
  if (argc > 1)
    seconds = g_ascii_strtod (argv[1], NULL);
  if (argc > 2)
    n_held = (guint) g_ascii_strtoull (argv[2], NULL, 10);
  pd_cmd_allow_files (N_FILES);
  getrlimit (RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < n_held + N_SPARE)
    n_held = (guint) MAX (limit.rlim_cur, N_SPARE) - N_SPARE;
  g_test_add_func ("/serve/soak", test_soak);
  return g_test_run ();
}
