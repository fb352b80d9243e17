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

typedef struct
{
  uint64_t from;
  double processors;
} Busy;

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
  Busy busy[MAX_BUSY];
  int n_busy;
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

/* One processor, but for what is said. */
static uint64_t
processor_time_of_test (uint64_t now)
{
  double sum = 1, processors = 1;
  uint64_t from = 0;

  for (int i = 0; i < self.n_busy && self.busy[i].from < now; i++)
    {
      sum += processors * (double) (self.busy[i].from - from);
      from = self.busy[i].from;
      processors = self.busy[i].processors;
    }
  return (uint64_t) (sum + processors * (double) (now - from));
}

uint64_t
pd_rec_processor_time (uint64_t now)
{
  return self.is_prescribed ? processor_time_of_test (now) : read_clock (CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t
pd_rec_thread_time (uint64_t now)
{
  return self.is_prescribed ? now : read_clock (CLOCK_THREAD_CPUTIME_ID);
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
  char processors[200];

  memset (usage, 0, sizeof *usage);
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
read_busy (const char *text)
{
  Busy *busy = &self.busy[self.n_busy];

  if (self.n_busy == MAX_BUSY
      || sscanf (text, "%" SCNu64 " %lf", &busy->from, &busy->processors) != 2
      || busy->processors < 0 || (self.n_busy > 0 && busy->from < busy[-1].from))
    return -1;
  self.n_busy++;
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
    return read_busy (line + used);
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
                              "NS…, RANK usage THREADS SWITCHES BYTES QUOTA PROCESSORS or RANK "
                              "busy NS N",
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
