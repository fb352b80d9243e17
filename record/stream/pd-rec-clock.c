/* The clocks. A test prescribes what they show: PREDICTOR_RECORD_CLOCK names a file
 * with lines
 *
 *   RANK host NAME                 the rank is on the host of that name
 *   RANK skew OFFSET DRIFT         the clock is OFFSET ns ahead, and gains DRIFT ns per second
 *   RANK times NS NS …             the readings, in their order; several lines follow
 *                                  each other, and behind them each is 1000 ns later
 *   RANK usage THREADS SWITCHES BYTES QUOTA PROCESSORS
 *                                  what the process is said to have had and used, where
 *                                  times are prescribed; see PdRecUsage
 *   RANK busy NS N                 from the clock's NS on it keeps N processors busy
 *   RANK own NS N                  likewise its first thread, N of one processor, 0 to 1
 *   RANK reading PS                what reading the first thread's processor time is said to cost
 *
 * of which each rank takes its own; RANK may be "*".
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define STEP     1000
#define MAX_BUSY 16

/* How many processors are busy, from some moments on; before the first one, one. */
typedef struct
{
  struct
  {
    uint64_t from;
    double processors;
  } rows[MAX_BUSY];
  int n;
} Busy;

_Thread_local int pd_rec_own_is_read __attribute__ ((tls_model ("initial-exec")));

static struct
{
  int is_of_test;
  int is_prescribed;
  uint64_t *times;
  size_t n;
  size_t room;
  size_t next;
  uint64_t last;
  uint64_t began; /* when the skewed clock was right but for its offset */
  int64_t offset;
  int64_t drift;
  PdRecUsage usage;
  Busy busy; /* of all threads */
  Busy own;  /* of the first thread */
} self;

static uint64_t
read_clock (clockid_t clock)
{
  struct timespec now = { 0, 0 };

  clock_gettime (clock, &now);
  return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

static uint64_t
read_monotonic (void)
{
  return read_clock (CLOCK_MONOTONIC);
}

static uint64_t
read_of_test (void)
{
  if (!self.is_prescribed)
    {
      uint64_t now = read_monotonic ();
      double gained = (double) (now - self.began) * 1e-9 * (double) self.drift;
      return now + (uint64_t) (self.offset + (int64_t) gained);
    }
  self.last = self.next < self.n ? self.times[self.next++] : self.last + STEP;
  return self.last;
}

uint64_t
pd_rec_now (void)
{
  return __builtin_expect (self.is_of_test, 0) ? read_of_test () : read_monotonic ();
}

int
pd_rec_clock_is_prescribed (void)
{
  return self.is_prescribed;
}

static uint64_t
processor_time_of_test (const Busy *busy, uint64_t now)
{
  double sum = 1, processors = 1;
  uint64_t from = 0;

  for (int i = 0; i < busy->n && busy->rows[i].from < now; i++)
    {
      sum += processors * (double) (busy->rows[i].from - from);
      from = busy->rows[i].from;
      processors = busy->rows[i].processors;
    }
  return (uint64_t) (sum + processors * (double) (now - from));
}

uint64_t
pd_rec_processor_time (uint64_t now)
{
  return self.is_prescribed ? processor_time_of_test (&self.busy, now)
                            : read_clock (CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t
pd_rec_thread_time (uint64_t now)
{
  return self.is_prescribed ? processor_time_of_test (&self.own, now)
                            : read_clock (CLOCK_THREAD_CPUTIME_ID);
}

uint64_t
pd_rec_now_at_entry (uint64_t *own)
{
  uint64_t now;

  *own = self.is_prescribed ? 0 : read_clock (CLOCK_THREAD_CPUTIME_ID);
  now = pd_rec_now ();
  if (self.is_prescribed)
    *own = pd_rec_thread_time (now);
  return now;
}

uint64_t
pd_rec_now_at_exit (uint64_t *own)
{
  uint64_t now = pd_rec_now ();

  *own = pd_rec_thread_time (now);
  return now;
}

/* The least of several rounds is without what interrupted them. */
uint64_t
pd_rec_reading_cost (void)
{
  enum
  {
    ROUNDS = 9,
    TIMES = 100
  };
  uint64_t least = UINT64_MAX, first, last = 0;

  if (self.is_prescribed)
    return self.usage.reading_cost;
  for (int round = 0; round < ROUNDS; round++)
    {
      first = read_clock (CLOCK_THREAD_CPUTIME_ID);
      for (int i = 0; i < TIMES; i++)
        last = read_clock (CLOCK_THREAD_CPUTIME_ID);
      least = last - first < least ? last - first : least;
    }
  return least * 1000 / TIMES;
}

const PdRecUsage *
pd_rec_clock_get_usage (void)
{
  return &self.usage;
}

/* ---- the file of a test */

static int
add_time (uint64_t time)
{
  if (self.n == self.room)
    {
      size_t room = self.room == 0 ? 64 : 2 * self.room;
      uint64_t *times = realloc (self.times, room * sizeof *times);
      if (times == NULL)
        return -1;
      self.times = times;
      self.room = room;
    }
  self.times[self.n++] = time;
  return 0;
}

static int
read_times (char *text)
{
  self.is_prescribed = self.is_of_test = 1;
  for (char *word = strtok (text, " \t\n"); word != NULL; word = strtok (NULL, " \t\n"))
    {
      char *rest;
      unsigned long long time = strtoull (word, &rest, 10);
      if (*rest != '\0' || (self.n > 0 && time < self.times[self.n - 1]) || add_time (time) != 0)
        return -1;
    }
  return 0;
}

static int
read_usage (const char *text)
{
  PdRecUsage *usage = &self.usage;
  uint64_t reading_cost = usage->reading_cost;
  char processors[200];

  *usage = (PdRecUsage){ .reading_cost = reading_cost };
  int n = sscanf (text, "%" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu32 " %199s %" SCNu64,
                  &usage->n_threads, &usage->n_switches, &usage->memory, &usage->quota, processors,
                  &usage->waited);

  if (n < 5)
    return -1;
  usage->n_switches++;
  usage->waited += n == 6;
  return pd_rec_processors_parse (usage, processors);
}

static int
read_regions (const char *text)
{
  PdRecRegions *regions = &self.usage.regions;

  if (sscanf (text, "%" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
              &regions->n, &regions->n_threads, &regions->time, &regions->busy, &regions->longest,
              &regions->capacity)
      != 6)
    return -1;
  regions->n++;
  return 0;
}

static int
read_busy (Busy *busy, const char *text, double most)
{
  uint64_t from;
  double processors;

  if (busy->n == MAX_BUSY || sscanf (text, "%" SCNu64 " %lf", &from, &processors) != 2
      || !(processors >= 0 && processors <= most)
      || (busy->n > 0 && from < busy->rows[busy->n - 1].from))
    return -1;
  busy->rows[busy->n].from = from;
  busy->rows[busy->n++].processors = processors;
  return 0;
}

static int
read_line (char *line, int rank, char *host, size_t n_host)
{
  char who[16], what[16], name[200];
  int used = 0;

  if (line[strspn (line, " \t\n")] == '\0' || *line == '#')
    return 0;
  if (sscanf (line, "%15s %15s%n", who, what, &used) != 2)
    return -1;
  if (strcmp (who, "*") != 0 && strtol (who, NULL, 10) != rank)
    return 0;
  if (strcmp (what, "times") == 0)
    return read_times (line + used);
  if (strcmp (what, "usage") == 0)
    return read_usage (line + used);
  if (strcmp (what, "regions") == 0)
    return read_regions (line + used);
  if (strcmp (what, "busy") == 0)
    return read_busy (&self.busy, line + used, PD_REC_PROCESSORS);
  if (strcmp (what, "own") == 0)
    return read_busy (&self.own, line + used, 1);
  if (strcmp (what, "reading") == 0)
    return sscanf (line + used, "%" SCNu64, &self.usage.reading_cost) == 1 ? 0 : -1;
  if (strcmp (what, "skew") == 0)
    {
      self.is_of_test = 1;
      return sscanf (line + used, "%" SCNd64 " %" SCNd64, &self.offset, &self.drift) == 2 ? 0 : -1;
    }
  if (strcmp (what, "host") != 0 || sscanf (line + used, "%199s", name) != 1
      || strlen (name) >= n_host)
    return -1;
  strcpy (host, name);
  return 0;
}

static int
read_file (const char *path, int rank, char *host, size_t n_host, PdRecError *error)
{
  FILE *file = fopen (path, "re");
  char *line = NULL;
  size_t room = 0;
  int status = 0, number = 0;

  if (file == NULL)
    return pd_rec_fail (error, "PREDICTOR_RECORD_CLOCK: %s: %s", path, strerror (errno));
  while (status == 0 && getline (&line, &room, file) > 0)
    {
      number++;
      if (read_line (line, rank, host, n_host) != 0)
        status = pd_rec_fail (error,
                              "%s:%d: expected RANK host NAME, RANK skew OFFSET DRIFT, RANK times "
                              "NS…, RANK usage THREADS SWITCHES BYTES QUOTA PROCESSORS, RANK "
                              "busy NS N, RANK own NS N or RANK reading PS",
                              path, number);
    }
  free (line);
  fclose (file);
  return status;
}

int
pd_rec_clock_begin (int rank, char *host, size_t n, PdRecError *error)
{
  const char *path = getenv ("PREDICTOR_RECORD_CLOCK");

  if (gethostname (host, n) != 0)
    strcpy (host, "unknown");
  host[n - 1] = '\0';
  free (self.times);
  memset (&self, 0, sizeof self);
  self.began = read_monotonic ();
  if (path == NULL || *path == '\0')
    return 0;
  return read_file (path, rank, host, n, error);
}
