/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "serve/pd-serve-socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG         128
#define CONNECT_SECONDS 30
#define ALL_SEALS       (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)

static gboolean
set_error (PdServeError code, const char *path, GError **error)
{
  g_set_error (error, PD_SERVE_ERROR, (gint) code, "%s: %s", path, g_strerror (errno));
  return FALSE;
}

/* ---- sockets */

static gboolean
make_address (const char *path, struct sockaddr_un *address, GError **error)
{
  *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
  if (path[0] != '\0' && strlen (path) < sizeof address->sun_path)
    {
      strcpy (address->sun_path, path);
      return TRUE;
    }
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET,
               "'%s': the name of a socket has 1 to %u bytes", path,
               (guint) sizeof address->sun_path - 1);
  return FALSE;
}

gboolean
pd_serve_check_peer (int fd, GError **error)
{
  struct ucred peer;
  socklen_t size = sizeof peer;

  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return set_error (PD_SERVE_ERROR_PEER, "the other side of the socket", error);
  if (peer.uid == geteuid () || peer.uid == 0)
    return TRUE;
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_PEER,
               "the other side of the socket is of user %lu", (gulong) peer.uid);
  return FALSE;
}

int
pd_serve_connect (const char *path, GError **error)
{
  const struct timeval patience = { .tv_sec = CONNECT_SECONDS };
  struct sockaddr_un address;

  if (!make_address (path, &address, error))
    return -1;
  int fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  /* a server that has stopped takes no more than fit into its queue */
  if (fd >= 0)
    setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (fd >= 0 && connect (fd, (struct sockaddr *) &address, sizeof address) == 0
      && pd_serve_check_peer (fd, error))
    return fd;
  if (error != NULL && *error == NULL)
    set_error (errno == ECONNREFUSED ? PD_SERVE_ERROR_NOBODY : PD_SERVE_ERROR_SOCKET, path, error);
  if (fd >= 0)
    close (fd);
  return -1;
}

int
pd_serve_listen (const char *path, GError **error)
{
  struct sockaddr_un address;

  if (!make_address (path, &address, error))
    return -1;
  int fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  mode_t mask = umask (0177);
  gboolean bound = fd >= 0 && bind (fd, (struct sockaddr *) &address, sizeof address) == 0;
  umask (mask);
  if (bound && listen (fd, BACKLOG) == 0)
    return fd;
  set_error (PD_SERVE_ERROR_SOCKET, path, error);
  if (bound)
    unlink (path);
  if (fd >= 0)
    close (fd);
  return -1;
}

/* ---- packets */

/* Room for one file descriptor, aligned. On 64 bits, two fit. */
typedef union
{
  struct cmsghdr head;
  char bytes[CMSG_SPACE (sizeof (int))];
} Control;

gboolean
pd_serve_send (int fd, const PdServeMessage *message, int passed)
{
  guint8 packet[PD_SERVE_MAX_PACKET];
  struct iovec part = { packet, pd_serve_message_write (message, packet) };
  struct msghdr head = { .msg_iov = &part, .msg_iovlen = 1 };
  Control control;
  gssize sent;

  if (part.iov_len == 0)
    return FALSE;
  if (passed >= 0)
    {
      memset (&control, 0, sizeof control);
      head.msg_control = &control;
      head.msg_controllen = sizeof control;
      control.head.cmsg_level = SOL_SOCKET;
      control.head.cmsg_type = SCM_RIGHTS;
      control.head.cmsg_len = CMSG_LEN (sizeof passed);
      memcpy (CMSG_DATA (&control.head), &passed, sizeof passed);
    }
  do
    sent = sendmsg (fd, &head, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent >= 0 && (gsize) sent == part.iov_len;
}

/* The first file descriptor of a message. Further ones, which no peer of ours sends, are closed:
 * those that fit are closed here, the others by the system. */
static int
take_passed (struct msghdr *head)
{
  int first = -1, fd;

  for (struct cmsghdr *control = CMSG_FIRSTHDR (head); control != NULL;
       control = CMSG_NXTHDR (head, control))
    {
      if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
        continue;
      for (gsize i = 0; CMSG_LEN ((i + 1) * sizeof fd) <= control->cmsg_len; i++)
        {
          memcpy (&fd, CMSG_DATA (control) + i * sizeof fd, sizeof fd);
          if (first < 0)
            first = fd;
          else
            close (fd);
        }
    }
  return first;
}

gboolean
pd_serve_receive (int fd, guint8 *packet, PdServeMessage *message, int *passed, GError **error)
{
  struct iovec part = { packet, PD_SERVE_MAX_PACKET };
  Control control;
  struct msghdr head = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  gssize n;

  *passed = -1;
  do
    n = recvmsg (fd, &head, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return set_error (PD_SERVE_ERROR_SOCKET, "the data server", error);
  *passed = take_passed (&head);
  if ((head.msg_flags & MSG_TRUNC) == 0
      && pd_serve_message_read (packet, (gsize) n, message, error))
    return TRUE;
  if (error != NULL && *error == NULL)
    g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_MESSAGE, "the data server: a long message");
  if (*passed >= 0)
    close (*passed);
  *passed = -1;
  return FALSE;
}

/* ---- memory */

int
pd_serve_memory_new (const char *name)
{
  return memfd_create (name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

gboolean
pd_serve_memory_seal (int fd, gint64 *size)
{
  struct stat status;

  if (fcntl (fd, F_ADD_SEALS, ALL_SEALS) != 0 || fstat (fd, &status) != 0)
    return FALSE;
  *size = status.st_size;
  return TRUE;
}

/* A mapping, which lives until the last reference to its bytes. */
typedef struct
{
  gpointer address;
  gsize size;
  GDestroyNotify release;
  gpointer data;
} Mapping;

static void
mapping_free (gpointer data)
{
  Mapping *self = data;

  munmap (self->address, self->size);
  self->release (self->data);
  g_free (self);
}

GBytes *
pd_serve_memory_map (int fd, guint64 size, GDestroyNotify release, gpointer data, GError **error)
{
  struct stat status;
  int seals = fcntl (fd, F_GET_SEALS);
  gboolean is_sealed = seals >= 0 && (seals & ALL_SEALS) == ALL_SEALS;
  gpointer address = MAP_FAILED;

  if (is_sealed && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && size > 0
      && (guint64) status.st_size == size)
    /* private: older systems do not share sealed memory; no process writes */
    address = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  close (fd);
  if (address == MAP_FAILED)
    {
      g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_CONTENT,
                   is_sealed ? "the data server: memory of another size than it says"
                             : "the data server: memory that can still change");
      return NULL;
    }
  Mapping *self = g_new (Mapping, 1);
  *self = (Mapping){ address, size, release, data };
  return g_bytes_new_with_free_func (address, size, mapping_free, self);
}
