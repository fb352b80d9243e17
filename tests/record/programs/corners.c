/* Programs that do what is rare; the argument says what. They print "fine" if
 * recording has not changed what they see.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size, next, before;
static int value = 1, sum;

static void
say_fine (void)
{
  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 0)
    puts ("fine");
}

/* ---- switching on and off, with requests across */

static void
controlled (void)
{
  MPI_Request request;
  MPI_Comm dup;

  MPI_Pcontrol (100, 5);
  MPI_Irecv (&value, 1, MPI_INT, before, 1, MPI_COMM_WORLD, &request);
  MPI_Send (&sum, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
  MPI_Barrier (MPI_COMM_WORLD);
  MPI_Pcontrol (0);
  MPI_Wait (&request, MPI_STATUS_IGNORE); /* was begun before: recorded */
  MPI_Barrier (MPI_COMM_WORLD);           /* not recorded */
  MPI_Comm_dup (MPI_COMM_WORLD, &dup);    /* likewise, but known */
  MPI_Pcontrol (1);
  MPI_Allreduce (&value, &sum, 2, MPI_BYTE, MPI_BOR, dup);
  MPI_Pcontrol (101, 5);
  MPI_Pcontrol (200, 3);
  MPI_Pcontrol (201, 3);
  MPI_Comm_free (&dup);
}

/* ---- MPI called from inside MPI */

static void
add (void *in, void *inout, int *n, MPI_Datatype *type)
{
  int bytes;

  MPI_Type_size (*type, &bytes);
  for (int i = 0; i < *n && bytes == (int) sizeof (int); i++)
    ((int *) inout)[i] += ((int *) in)[i];
}

static int
copy (MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
  int me;

  (void) key;
  (void) extra;
  MPI_Comm_rank (comm, &me);
  memcpy (out, &in, sizeof in);
  *flag = me == rank;
  return MPI_SUCCESS;
}

static void
nested (void)
{
  MPI_Comm dup;
  MPI_Op op;
  int key, has_it = 0;
  void *found;

  MPI_Op_create (add, 1, &op);
  MPI_Allreduce (&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free (&op);
  MPI_Comm_create_keyval (copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr (MPI_COMM_WORLD, key, &value);
  MPI_Comm_dup (MPI_COMM_WORLD, &dup);
  MPI_Comm_get_attr (dup, key, &found, &has_it);
  MPI_Comm_free (&dup);
  MPI_Comm_free_keyval (&key);
  if (sum == size && has_it)
    say_fine ();
}

/* ---- errors that the program handles */

static void
wrong (void)
{
  MPI_Request request = MPI_REQUEST_NULL;
  int failed;

  MPI_Comm_set_errhandler (MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  failed = MPI_Send (&value, 1, MPI_INT, size, 1, MPI_COMM_WORLD) != MPI_SUCCESS;
  failed += MPI_Irecv (&value, 1, MPI_INT, size, 1, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  failed += MPI_Isend (&value, -1, MPI_INT, next, 1, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  failed += MPI_Bcast (&value, 1, MPI_INT, size, MPI_COMM_WORLD) != MPI_SUCCESS;
  if (failed == 4)
    say_fine ();
}

/* ---- another thread calls while one waits */

static void *
send_later (void *data)
{
  (void) data;
  usleep (50000);
  MPI_Send (&value, 1, MPI_INT, rank, 9, MPI_COMM_WORLD);
  return NULL;
}

static void
threads (void)
{
  pthread_t thread;
  int got = 0;

  pthread_create (&thread, NULL, send_later, NULL);
  MPI_Recv (&got, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_join (thread, NULL);
  if (got == value)
    say_fine ();
}

/* One after the other, from several threads. */
static void *
call_once (void *data)
{
  (void) data;
  MPI_Sendrecv (&value, 1, MPI_INT, next, 10, &sum, 1, MPI_INT, before, 10, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
  return NULL;
}

static void
serialized (void)
{
  pthread_t thread;

  for (int i = 0; i < 3; i++)
    {
      pthread_create (&thread, NULL, call_once, NULL);
      pthread_join (thread, NULL);
    }
  say_fine ();
}

/* ---- other processes */

static void
forks (void)
{
  pid_t child = fork ();
  int status = -1;

  if (child == 0)
    _exit (3);
  waitpid (child, &status, 0);
  child = fork ();
  if (child == 0)
    exit (4); /* through what runs at the end */
  waitpid (child, &status, 0);
  MPI_Barrier (MPI_COMM_WORLD);
  if (WEXITSTATUS (status) == 4 && system ("true") == 0)
    say_fine ();
}

static void
spawns (const char *self)
{
  char word[] = "child", *arguments[] = { word, NULL };
  MPI_Comm children;
  int n;

  MPI_Comm_spawn (self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                  MPI_ERRCODES_IGNORE);
  MPI_Comm_remote_size (children, &n);
  MPI_Bcast (&value, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children);
  MPI_Comm_disconnect (&children);
  if (n == 1)
    say_fine ();
}

static void
child (void)
{
  MPI_Comm parents;

  MPI_Comm_get_parent (&parents);
  MPI_Bcast (&value, 1, MPI_INT, 0, parents);
  MPI_Comm_disconnect (&parents);
}

/* ---- ends */

static void
ends (const char *how)
{
  MPI_Barrier (MPI_COMM_WORLD);
  if (strcmp (how, "abort") == 0 && rank == 0)
    MPI_Abort (MPI_COMM_WORLD, 7);
  if (strcmp (how, "kill") == 0 && rank == 0)
    raise (SIGKILL);
  if (strcmp (how, "abort") == 0 || strcmp (how, "kill") == 0)
    MPI_Recv (&value, 1, MPI_INT, (rank + 1) % size, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  int level = strcmp (what, "threads") == 0      ? MPI_THREAD_MULTIPLE
              : strcmp (what, "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                                 : MPI_THREAD_SINGLE;
  int version, subversion, provided, is_over;

  MPI_Get_version (&version, &subversion);
  MPI_Init_thread (&argc, &argv, level, &provided);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  if (strcmp (what, "control") == 0)
    controlled ();
  else if (strcmp (what, "nested") == 0)
    nested ();
  else if (strcmp (what, "wrong") == 0)
    wrong ();
  else if (strcmp (what, "threads") == 0)
    threads ();
  else if (strcmp (what, "serialized") == 0)
    serialized ();
  else if (strcmp (what, "fork") == 0)
    forks ();
  else if (strcmp (what, "spawn") == 0)
    spawns (argv[0]);
  else if (strcmp (what, "child") == 0)
    child ();
  else
    ends (what);
  MPI_Finalize ();
  MPI_Get_version (&version, &subversion);
  MPI_Finalized (&is_over);
  return !is_over;
}
