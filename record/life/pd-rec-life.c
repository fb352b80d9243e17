/* The life of a recording: MPI_Init to MPI_Finalize.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/life/pd-rec-collect.h"
#include "record/archive/pd-rec-align.h"
#include "record/archive/pd-rec-define.h"
#include "record/life/pd-rec-life.h"
#include "record/life/pd-rec-options.h"
#include "record/life/pd-rec-sharing.h"
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-processor.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-stacks.h"
#include "record/stream/pd-rec-stream.h"
#include "record/stream/pd-rec-usage.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PERIOD 64 /* calls of pd_rec_world_synchronised() between two agreements */

static struct
{
  PdRecMpi mpi;
  PdRecOptions options;
  char host[256];
  char path[1200];
  const char *const *functions; /* their names */
  unsigned n_functions;
  int was_begun;
  uint64_t n_synchronised;
  uint64_t last_size; /* at the last agreement */
} self;

int
pd_rec_was_begun (void)
{
  return self.was_begun;
}

void
pd_rec_set_cost (int kind, uint64_t picoseconds)
{
  if (pd_rec_stream_head (0) != NULL)
    pd_rec_stream_head (0)->costs[kind] = picoseconds;
}

/* ---- the folder and the stream */

/* At rank 0. A recording that is there already stays. */
static int
make_folder (PdRecError *error)
{
  static const char *const taken[] = { "traces.otf2", "traces", "rank-0.raw" };
  char path[1200];

  if (mkdir (self.options.folder, 0777) != 0 && errno != EEXIST)
    return pd_rec_fail (error, "%s: cannot be made: %s", self.options.folder, strerror (errno));
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    {
      snprintf (path, sizeof path, "%s/%s", self.options.folder, taken[i]);
      if (access (path, F_OK) == 0)
        return pd_rec_fail (error, "%s exists: name another folder in PREDICTOR_RECORD_DIR", path);
    }
  return 0;
}

/* The program may change its working folder. */
static int
find_folder (PdRecError *error)
{
  char *path = realpath (self.options.folder, NULL);
  int status = 0;

  if (path == NULL || strlen (path) >= sizeof self.options.folder)
    status = pd_rec_fail (error, "%s: %s", self.options.folder,
                          path == NULL ? strerror (errno) : "the name is too long");
  else
    strcpy (self.options.folder, path);
  free (path);
  return status;
}

static int
open_stream (PdRecError *error)
{
  PdRecHead head = { .magic = PD_REC_MAGIC,
                     .byte_order = PD_REC_BYTE_ORDER,
                     .n_functions = self.n_functions,
                     .rank = self.mpi.rank,
                     .size = self.mpi.size,
                     .pid = (uint32_t) getpid () };
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  head.realtime = (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
  head.began = pd_rec_clock_is_prescribed () ? 0 : pd_rec_now ();
  memcpy (head.host, self.host, sizeof head.host);
  snprintf (self.path, sizeof self.path, "%s/rank-%d.raw", self.options.folder, self.mpi.rank);
  return pd_rec_stream_open (self.path, &head, &self.options, error);
}

static void
define_functions (void)
{
  for (unsigned i = 0; i < self.n_functions; i++)
    pd_rec_define (PD_REC_FIRST (PD_REC_DEF_FUNCTION, 1, i, 0), NULL, 0, self.functions[i],
                   strlen (self.functions[i]));
}

void
pd_rec_thread_begin (void)
{
  if (pd_rec_stream_take (pd_rec_clock_is_prescribed () ? 0 : pd_rec_now ()))
    define_functions ();
}

/* ---- agreement */

/* The lowest rank that failed says why; all give up. */
static int
agree (int status, const PdRecError *error)
{
  uint64_t who = status == 0 ? 0 : (uint64_t) (self.mpi.size - self.mpi.rank);

  if (self.mpi.maximum (self.mpi.data, &who) != 0)
    return -1;
  if (who == 0)
    return 0;
  if (who == (uint64_t) (self.mpi.size - self.mpi.rank))
    pd_rec_say ("nothing is recorded: rank %d: %s", self.mpi.rank, error->text);
  return -1;
}

/* The records until the next agreement must fit twice. */
static int
is_near_limit (void)
{
  uint64_t limit, size = pd_rec_stream_size (&limit);
  uint64_t grown = size - self.last_size, left = limit > size ? limit - size : 0;

  self.last_size = size;
  return left < self.options.buffer || left < 2 * grown;
}

void
pd_rec_world_synchronised (void)
{
  const PdRecHead *head = pd_rec_stream_head (0);
  uint64_t wish;

  if (!self.was_begun || ++self.n_synchronised % PERIOD != 0)
    return;
  wish = head->reason != PD_REC_RUNNING || is_near_limit ();
  if (self.mpi.maximum (self.mpi.data, &wish) == 0 && wish != 0)
    pd_rec_stream_stop (PD_REC_AGREED);
}

/* ---- fork */

static void
in_child (void)
{
  if (!self.was_begun)
    return;
  self.was_begun = 0;
  pd_rec_processor_end ();
  pd_rec_stream_close ();
}

/* ---- begin and end */

static int
begin (PdRecError *error)
{
  int status = 0;

  if (pd_rec_options_read (&self.options, self.mpi.size, error) != 0
      || pd_rec_clock_begin (self.mpi.rank, self.host, sizeof self.host, error) != 0
      || (self.mpi.rank == 0 && make_folder (error) != 0))
    status = -1;
  if (agree (status, error) != 0)
    return -1;
  status = find_folder (error) != 0 || open_stream (error) != 0 ? -1 : 0;
  if (agree (status, error) != 0)
    {
      pd_rec_stream_close ();
      if (status == 0)
        unlink (self.path);
      return -1;
    }
  define_functions ();
  pd_rec_define_begin (self.mpi.rank);
  return 0;
}

/* By which streams of another run are recognised. */
static void
share_run (const PdRecMpi *mpi, PdRecHead *head)
{
  uint64_t run = head->realtime;

  if (mpi->broadcast (mpi->data, &run, sizeof run) == 0)
    head->run = run;
}

int
pd_rec_begin (const PdRecMpi *mpi, const char *const *functions, unsigned n_functions, uint64_t *t0)
{
  static int has_handler;
  PdRecError error = { "" };
  PdRecHead *head;

  if (self.was_begun)
    return 1;
  self.mpi = *mpi;
  self.functions = functions;
  self.n_functions = n_functions;
  self.n_synchronised = 0;
  if (begin (&error) != 0)
    return 0;
  head = pd_rec_stream_head (0);
  if (pd_rec_align (mpi, self.host, &head->offsets[0]) == 0)
    head->n_offsets = 1;
  share_run (mpi, head);
  if (pd_rec_clock_is_prescribed ())
    *t0 = pd_rec_now ();
  self.last_size = pd_rec_stream_size (&(uint64_t){ 0 });
  self.was_begun = 1;
  if (!has_handler)
    has_handler = pthread_atfork (NULL, NULL, in_child) == 0;
  return 1;
}

static void
remove_streams (int n)
{
  char path[1300];

  for (int thread = 0; thread < n; thread++)
    {
      pd_rec_stream_name (path, sizeof path, self.path, thread);
      unlink (path);
    }
}

/* Streams are kept where the archive could not be written. */
static void
make_archive (int n_streams)
{
  PdRecError error = { "" };
  struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
  uint64_t who;

  /* a limit of the size of files is an error like a full disk */
  sigaction (SIGXFSZ, &ignore, &before);
  int status = pd_rec_collect (&self.mpi, self.options.folder, n_streams, &error);
  sigaction (SIGXFSZ, &before, NULL);
  if (status == 0)
    {
      remove_streams (n_streams);
      return;
    }
  /* the rank that knows more than "another rank failed" tells */
  who = strcmp (error.text, "another rank failed") == 0
            ? 0
            : (uint64_t) (self.mpi.size - self.mpi.rank);
  uint64_t most = who;
  if (self.mpi.maximum (self.mpi.data, &most) != 0 || (most == who && who != 0))
    pd_rec_say ("no archive: rank %d: %s; \"predictor record --finish %s\" can still make it",
                self.mpi.rank, error.text, self.options.folder);
}

/* All threads of a process share a clock. */
static void
set_offsets (const PdRecOffset *last)
{
  for (int thread = 0; thread < pd_rec_n_streams; thread++)
    {
      PdRecHead *head = pd_rec_stream_head (thread);
      if (head == NULL || head->n_offsets != 1)
        continue;
      head->offsets[1] = *last;
      head->n_offsets = 2;
    }
}

void
pd_rec_clock_choose (void)
{
  PdRecHead *head = pd_rec_stream_head (0);

  if (pd_rec_clock_is_prescribed ())
    head->usage = *pd_rec_clock_get_usage ();
  else
    pd_rec_usage_begin (&head->usage);
  head->usage.reading_cost = pd_rec_reading_cost ();
  head->clock = pd_rec_sharing_choose (&self.mpi, self.options.clock, self.host, &head->usage);
  pd_rec_own_is_read = head->clock == PD_REC_CLOCK_CPU;
}

uint64_t
pd_rec_usage_start (uint64_t now)
{
  return pd_rec_processor_begin (&pd_rec_stream_head (0)->usage, now);
}

static void
end_usage (void)
{
  PdRecHead *head = pd_rec_stream_head (0);

  pd_rec_processor_end ();
  if (head != NULL && !pd_rec_clock_is_prescribed ())
    pd_rec_usage_end (&head->usage);
}

static void
set_ended (uint64_t now)
{
  for (int thread = 0; thread < pd_rec_n_streams; thread++)
    {
      PdRecHead *head = pd_rec_stream_head (thread);
      if (head != NULL)
        head->ended = now;
    }
}

void
pd_rec_exit (void)
{
  if (!self.was_begun)
    return;
  end_usage ();
  set_ended (pd_rec_now ());
}

void
pd_rec_end (void)
{
  PdRecOffset last;
  int n_streams = pd_rec_n_streams;

  if (!self.was_begun)
    return;
  self.was_begun = pd_rec_own_is_read = 0;
  end_usage ();
  if (pd_rec_state != PD_REC_ON)
    set_ended (pd_rec_now ());
  pd_rec_state = PD_REC_CLOSED;
  if (pd_rec_align (&self.mpi, self.host, &last) == 0)
    set_offsets (&last);
  pd_rec_stream_stop (PD_REC_ENDED);
  pd_rec_stream_close ();
  pd_rec_stacks_clear ();
  make_archive (n_streams);
}
