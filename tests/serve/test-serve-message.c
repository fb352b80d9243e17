/* What comes through the socket of a data server: packets of any kind, and memory that is
 * not what it should be.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "serve/pd-client.h"
#include "serve/pd-serve-socket.h"
#include "serve/pd-server.h"
#include "tests/support/folders.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the lengths of the paths are, and where they begin. */
#define FOLDER_SIZE 80
#define PATH_SIZE   84
#define HEAD_SIZE   88

static gsize
write_get (guint8 *packet)
{
  const PdServeMessage message = {
    .kind = PD_SERVE_GET,
    .folder = "/home",
    .query = { "a.ti", { 1, 2, 3, 4, 5 }, PD_SHARED_CALLS, TRUE, TRUE },
  };

  return pd_serve_message_write (&message, packet);
}

/* ---- messages */

static void
test_round_trip (void)
{
  guint8 packet[PD_SERVE_MAX_PACKET];
  PdServeMessage got;

  for (guint kind = 0; kind < PD_N_SERVE_KINDS; kind++)
    {
      const PdServeMessage sent = { .kind = (PdServeKind) kind,
                                    .id = G_MAXUINT64,
                                    .size = 5,
                                    .folder = "/",
                                    .query = { "x", { 0 }, PD_SHARED_PROGRAM, FALSE, FALSE } };
      gsize n = pd_serve_message_write (&sent, packet);
      g_assert_true (pd_serve_message_read (packet, n, &got, NULL));
      g_assert_cmpint (got.kind, ==, kind);
      g_assert_cmpuint (got.id, ==, G_MAXUINT64);
      g_assert_cmpuint (got.size, ==, 5);
    }
  g_assert_true (pd_serve_message_read (packet, write_get (packet), &got, NULL));
  g_assert_cmpstr (got.folder, ==, "/home");
  g_assert_cmpstr (got.query.path, ==, "a.ti");
  g_assert_cmpint (got.query.stamp.changed, ==, 5);
  g_assert_cmpint (got.query.form, ==, PD_SHARED_CALLS);
  g_assert_true (got.query.recorded && got.query.again);
}

static void
test_cut (void)
{
  guint8 packet[PD_SERVE_MAX_PACKET];
  gsize n = write_get (packet);
  PdServeMessage got;

  g_assert_cmpuint (n, ==, HEAD_SIZE + 6 + 5);
  for (gsize i = 0; i <= n + 1; i++)
    {
      g_autoptr (GError) error = NULL;
      /* of just that size, so that a sanitizer sees what is beyond */
      g_autofree guint8 *cut = g_malloc (i);
      if (i > 0)
        memcpy (cut, packet, i);
      gboolean ok = pd_serve_message_read (cut, i, &got, &error);
      g_assert_cmpint (ok, ==, i == n);
      if (!ok)
        g_assert_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_MESSAGE);
    }
}

static void
test_long_path (void)
{
  guint8 packet[PD_SERVE_MAX_PACKET];
  g_autofree char *path = g_strnfill (PD_SERVE_MAX_PATH, 'a');
  PdServeMessage message = { .kind = PD_SERVE_GET, .folder = "/", .query = { .path = path } };
  PdServeMessage got;

  g_assert_cmpuint (pd_serve_message_write (&message, packet), ==, 0);
  path[PD_SERVE_MAX_PATH - 1] = '\0';
  gsize n = pd_serve_message_write (&message, packet);
  g_assert_cmpuint (n, ==, HEAD_SIZE + 2 + PD_SERVE_MAX_PATH);
  g_assert_true (pd_serve_message_read (packet, n, &got, NULL));
  g_assert_cmpstr (got.query.path, ==, path);
}

static const struct
{
  const char *name;
  gsize at;
  guint32 value;
} bad[] = {
  { "magic", 0, 0 },
  { "version", 4, 0x02657672 },
  { "kind", 8, PD_N_SERVE_KINDS },
  { "kind-negative", 8, G_MAXUINT32 },
  { "kind-with-paths", 8, PD_SERVE_STOP },
  { "form", 12, PD_N_SHARED_FORMS },
  { "recorded", 16, 2 },
  { "again", 20, 2 },
  { "folder-longer", FOLDER_SIZE, 7 },
  { "folder-huge", FOLDER_SIZE, G_MAXUINT32 },
  { "folder-wraps", FOLDER_SIZE, G_MAXUINT32 - 4 },
  { "path-shorter", PATH_SIZE, 4 },
  { "path-huge", PATH_SIZE, G_MAXINT32 },
  { "folder-relative", HEAD_SIZE, 0x6d6f6878 },
  { "folder-has-nul", HEAD_SIZE, 0x2f },
  { "path-has-nul", HEAD_SIZE + 6, 0x61 },
  { "path-has-no-end", HEAD_SIZE + 7, 0x61616161 },
};

static void
test_bad (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      guint8 packet[PD_SERVE_MAX_PACKET];
      g_autoptr (GError) error = NULL;
      PdServeMessage got;
      gsize n = write_get (packet);
      memcpy (packet + bad[i].at, &bad[i].value, sizeof bad[i].value);
      g_test_message ("%s", bad[i].name);
      g_assert_false (pd_serve_message_read (packet, n, &got, &error));
      g_assert_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_MESSAGE);
    }
  /* the other length cannot make good for one */
  guint8 packet[PD_SERVE_MAX_PACKET];
  gsize n = write_get (packet);
  const guint32 sizes[2] = { 7, 4 };
  PdServeMessage got;
  memcpy (packet + FOLDER_SIZE, sizes, sizeof sizes);
  g_assert_false (pd_serve_message_read (packet, n, &got, NULL));
}

/* ---- memory */

#define ALL_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)

static void
count (gpointer data)
{
  (*(guint *) data)++;
}

static int
make_memory (const char *text)
{
  int fd = pd_serve_memory_new ("test");

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (gssize) strlen (text));
  return fd;
}

static void
test_sealed (void)
{
  int fd = make_memory ("text"), copy = dup (fd);
  guint n_released = 0;
  gint64 size;

  g_assert_true (pd_serve_memory_seal (fd, &size));
  g_assert_cmpint (size, ==, 4);
  GBytes *bytes = pd_serve_memory_map (fd, 4, count, &n_released, NULL);
  g_assert_nonnull (bytes);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 4);
  g_assert_true (memcmp (g_bytes_get_data (bytes, NULL), "text", 4) == 0);
  g_assert_cmpint (pwrite (copy, "x", 1, 0), ==, -1);
  g_assert_cmpint (ftruncate (copy, 0), ==, -1);
  g_assert_cmpint (ftruncate (copy, 100), ==, -1);
  g_assert_cmpint (fcntl (copy, F_ADD_SEALS, F_SEAL_WRITE), ==, -1);
  g_assert_true (mmap (NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, copy, 0) == MAP_FAILED);
  close (copy);
  g_assert_cmpuint (n_released, ==, 0);
  g_bytes_unref (bytes);
  g_assert_cmpuint (n_released, ==, 1);
}

/* A seal that is missing, another size, no file in memory. */
static void
test_unsealed (void)
{
  static const int seals[] = { 0, ALL_SEALS & ~F_SEAL_WRITE, ALL_SEALS & ~F_SEAL_SHRINK,
                               ALL_SEALS & ~F_SEAL_GROW, ALL_SEALS & ~F_SEAL_SEAL };
  static const guint64 sizes[] = { 0, 3, 5, 4096, G_MAXUINT64, G_GUINT64_CONSTANT (1) << 63 };
  guint n_released = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (seals) + G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean by_seal = i < G_N_ELEMENTS (seals);
      int fd = make_memory ("text");
      fcntl (fd, F_ADD_SEALS, by_seal ? seals[i] : ALL_SEALS);
      guint64 size = by_seal ? 4 : sizes[i - G_N_ELEMENTS (seals)];
      g_assert_null (pd_serve_memory_map (fd, size, count, &n_released, &error));
      g_assert_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_CONTENT);
      /* it was closed */
      g_assert_cmpint (fcntl (fd, F_GETFD), ==, -1);
    }
  static const char *const files[] = { "tests/data/ring.ti", "/dev/null", "." };
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      int fd = open (files[i], O_RDONLY | O_CLOEXEC);
      g_assert_null (pd_serve_memory_map (fd, 4, count, &n_released, NULL));
    }
  g_assert_cmpuint (n_released, ==, 0);
}

/* ---- a server and its clients that say what they must not */

static pid_t
start_server (const char *path)
{
  static const volatile sig_atomic_t never;
  int fd = -1;
  sigset_t none;
  pid_t pid = fork ();

  if (pid == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      sigemptyset (&none);
      PdServer *server = pd_server_new (path, NULL);
      _exit (server != NULL && pd_server_run (server, &never, &none, NULL) ? 0 : 1);
    }
  while (fd < 0)
    fd = pd_serve_connect (path, NULL);
  close (fd);
  return pid;
}

/* Packets of a client that is thrown out, and leaves no trace; random ones, too. */
static void
test_bad_clients (void)
{
  g_autofree char *folder = g_dir_make_tmp ("test-serve-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "socket", NULL);
  pid_t server = start_server (path);
  guint8 packet[PD_SERVE_MAX_PACKET + 100];

  for (guint i = 0; i < 300; i++)
    {
      gsize n = write_get (packet);
      int fd = pd_serve_connect (path, NULL);
      g_assert_cmpint (fd, >=, 0);
      if (i % 3 == 0)
        n = i < 10 ? sizeof packet : (gsize) g_test_rand_int_range (0, (gint32) n);
      else
        packet[g_test_rand_int_range (0, (gint32) n)] ^= (guint8) (1u << (i % 8));
      if (i % 7 == 0)
        {
          const PdServeMessage release = { .kind = PD_SERVE_RELEASE, .id = i };
          n = pd_serve_message_write (&release, packet);
        }
      g_assert_cmpint (send (fd, packet, n, MSG_NOSIGNAL), ==, (gssize) n);
      close (fd);
    }
  g_autoptr (GBytes) status = pd_client_get_status (path, NULL);
  g_assert_nonnull (status);
  g_autofree char *text = g_strndup (g_bytes_get_data (status, NULL), g_bytes_get_size (status));
  g_assert_nonnull (strstr (text, "bytes 0\n"));
  g_assert_true (pd_client_stop_server (path, NULL));
  waitpid (server, NULL, 0);
  test_remove_all (folder);
}

/* What a server answers the first question; then it is gone. */
static void
answer_wrong (int listener, guint i)
{
  static const PdServeKind kinds[] = { PD_SERVE_GET,   PD_SERVE_WAIT,   PD_SERVE_FOUND,
                                       PD_SERVE_FOUND, PD_SERVE_REPORT, PD_SERVE_NONE };
  const PdServeMessage message = {
    .kind = kinds[i], .size = 4, .folder = "/", .query = { .path = "x" }
  };
  guint8 packet[PD_SERVE_MAX_PACKET];
  int memory = i == 3 ? make_memory ("text") : -1; /* unsealed */

  fcntl (listener, F_SETFL, 0);
  int fd = accept (listener, NULL, NULL);
  if (recv (fd, packet, sizeof packet, 0) > 0)
    pd_serve_send (fd, &message, memory);
  _exit (0);
}

static guint n_lost;

static void
count_lost (const GError *error)
{
  g_assert_nonnull (error);
  n_lost++;
}

static void
test_bad_server (void)
{
  g_autofree char *folder = g_dir_make_tmp ("test-serve-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "socket", NULL);

  for (guint i = 0; i < 6; i++)
    {
      int listener = pd_serve_listen (path, NULL);
      g_assert_cmpint (listener, >=, 0);
      n_lost = 0;
      pid_t server = fork ();
      if (server == 0)
        answer_wrong (listener, i);
      close (listener);
      g_autoptr (PdClient) client = pd_client_new (path, count_lost);
      g_assert_nonnull (client);
      g_assert_null (pd_trace_share_get_calls ("tests/data/small.ptr"));
      /* "not shared" is no mistake */
      g_assert_cmpuint (n_lost, ==, i < 5);
      waitpid (server, NULL, 0);
      g_unlink (path);
    }
  test_remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/serve/message/round-trip", test_round_trip);
  g_test_add_func ("/serve/message/cut", test_cut);
  g_test_add_func ("/serve/message/long-path", test_long_path);
  g_test_add_func ("/serve/message/bad", test_bad);
  g_test_add_func ("/serve/memory/sealed", test_sealed);
  g_test_add_func ("/serve/memory/unsealed", test_unsealed);
  g_test_add_func ("/serve/bad/clients", test_bad_clients);
  g_test_add_func ("/serve/bad/server", test_bad_server);
  return g_test_run ();
}
