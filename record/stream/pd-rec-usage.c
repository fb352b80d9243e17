/* The limits of a process on its host, and its usage.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-usage.h"

#include "record/stream/pd-rec-ompt.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define OWN_THREAD "/proc/thread-self"

static struct
{
  uint32_t n_before; /* threads before MPI_Init; 0 = not counted */
  uint32_t n_of_mpi;
  uint64_t n_switches; /* before the recording */
  uint64_t waited;     /* likewise; 0 = unknown */
} self;

/* ---- threads */

/* A folder has a link for each folder in it, and two of its own; each thread is one. */
static uint32_t
count_all (void)
{
  struct stat info;

  return stat ("/proc/self/task", &info) == 0 && info.st_nlink > 2 ? (uint32_t) info.st_nlink - 2
                                                                   : 0;
}

void
pd_rec_usage_before_mpi (void)
{
  self.n_before = count_all ();
}

uint32_t
pd_rec_usage_count_threads (PdRecUsage *usage)
{
  uint32_t all = count_all (), own = all > self.n_of_mpi ? all - self.n_of_mpi : 0;

  if (own > usage->n_threads)
    usage->n_threads = own;
  return own;
}

/* ---- control groups */

/* Thousandths of a processor, of "QUOTA PERIOD"; 0: no limit. */
static uint32_t
divide (const char *quota, const char *period)
{
  char *rest;
  long long most = strtoll (quota, &rest, 10), each;

  if (rest == quota || most <= 0)
    return 0; /* "max", -1 */
  each = strtoll (period, &rest, 10);
  if (rest == period || each <= 0 || most > INT64_MAX / 1000 || most * 1000 / each > UINT32_MAX)
    return 0;
  return most * 1000 < each ? 1 : (uint32_t) (most * 1000 / each);
}

static int
read_line (const char *folder, const char *name, char *line, size_t n)
{
  char path[4400];
  FILE *file;
  int is_read;

  if ((size_t) snprintf (path, sizeof path, "%s/%s", folder, name) >= sizeof path)
    return 0;
  file = fopen (path, "re");
  if (file == NULL)
    return 0;
  is_read = fgets (line, (int) n, file) != NULL;
  fclose (file);
  return is_read;
}

/* Of one control group, in either version. */
static uint32_t
quota_of (const char *folder)
{
  char quota[100], period[100];

  if (read_line (folder, "cpu.max", quota, sizeof quota))
    {
      const char *second = strchr (quota, ' ');
      return second != NULL ? divide (quota, second + 1) : 0;
    }
  if (read_line (folder, "cpu.cfs_quota_us", quota, sizeof quota)
      && read_line (folder, "cpu.cfs_period_us", period, sizeof period))
    return divide (quota, period);
  return 0;
}

/* The least of the group at @path below @top and of the enclosing ones. Inside a container,
 * invisible parts of the path are absent. */
static uint32_t
least_quota (const char *top, char *path)
{
  char folder[4300];
  uint32_t least = 0, own;

  for (char *end = path + strlen (path);; end = strrchr (path, '/'))
    {
      if (end != NULL)
        *end = '\0';
      snprintf (folder, sizeof folder, "%s%s", top, end != NULL ? path : "");
      own = quota_of (folder);
      if (own > 0 && (least == 0 || own < least))
        least = own;
      if (end == NULL || *path == '\0')
        return least;
    }
}

static int
has_word (const char *words, const char *word)
{
  size_t n = strlen (word);

  for (const char *at = words; (at = strstr (at, word)) != NULL; at += n)
    if ((at == words || at[-1] == ',') && (at[n] == '\0' || at[n] == ','))
      return 1;
  return 0;
}

/* A line "NUMBER:CONTROLLERS:PATH": version 2 names no controllers. */
static uint32_t
quota_of_line (char *line, const char *root)
{
  static const char *const tops[][3] = { { "", "/unified", NULL },
                                         { "/cpu", "/cpu,cpuacct", NULL } };
  char *words = strchr (line, ':'), *path = words != NULL ? strchr (words + 1, ':') : NULL;
  char top[300], copy[4096];
  uint32_t found = 0;
  int is_first;

  if (path == NULL)
    return 0;
  *path++ = '\0';
  path[strcspn (path, "\n")] = '\0';
  words++;
  is_first = *words != '\0';
  if (is_first && !has_word (words, "cpu"))
    return 0;
  for (int i = 0; tops[is_first][i] != NULL && found == 0; i++)
    {
      snprintf (top, sizeof top, "%s%s", root, tops[is_first][i]);
      snprintf (copy, sizeof copy, "%s", path);
      found = least_quota (top, copy);
    }
  return found;
}

uint32_t
pd_rec_quota_find (const char *groups, const char *root)
{
  FILE *file = fopen (groups, "re");
  char *line = NULL;
  size_t room = 0;
  uint32_t least = 0;

  while (file != NULL && getline (&line, &room, file) > 0)
    {
      uint32_t own = quota_of_line (line, root);
      if (own > 0 && (least == 0 || own < least))
        least = own;
    }
  free (line);
  if (file != NULL)
    fclose (file);
  return least;
}

/* ---- processors */

static int
has_processor (const PdRecUsage *usage, unsigned i)
{
  return i < PD_REC_PROCESSORS && (usage->processors[i / 64] >> i % 64 & 1) != 0;
}

static void
find_processors (PdRecUsage *usage)
{
  size_t size = CPU_ALLOC_SIZE (PD_REC_PROCESSORS);
  cpu_set_t *set = CPU_ALLOC (PD_REC_PROCESSORS);

  if (set == NULL)
    return;
  CPU_ZERO_S (size, set);
  if (sched_getaffinity (0, size, set) == 0)
    for (unsigned i = 0; i < PD_REC_PROCESSORS; i++)
      if (CPU_ISSET_S (i, size, set))
        usage->processors[i / 64] |= (uint64_t) 1 << i % 64;
  CPU_FREE (set);
}

void
pd_rec_processors_format (const PdRecUsage *usage, char *text, size_t n)
{
  size_t used = 0;

  *text = '\0';
  for (unsigned i = 0, last; i < PD_REC_PROCESSORS && used < n; i = last + 1)
    {
      last = i;
      if (!has_processor (usage, i))
        continue;
      while (has_processor (usage, last + 1))
        last++;
      used += (size_t) snprintf (text + used, n - used, "%s%u", used > 0 ? "," : "", i);
      if (last > i && used < n)
        used += (size_t) snprintf (text + used, n - used, "-%u", last);
    }
}

int
pd_rec_processors_parse (PdRecUsage *usage, const char *text)
{
  for (;;)
    {
      char *rest;
      unsigned long first = strtoul (text, &rest, 10), last = first;

      if (rest == text)
        return -1;
      if (*rest == '-')
        last = strtoul (text = rest + 1, &rest, 10);
      if (rest == text || last < first || last >= PD_REC_PROCESSORS)
        return -1;
      for (unsigned long i = first; i <= last; i++)
        usage->processors[i / 64] |= (uint64_t) 1 << i % 64;
      if (*rest == '\0')
        return 0;
      if (*rest != ',')
        return -1;
      text = rest + 1;
    }
}

/* ---- the whole */

static uint64_t
count_switches (void)
{
  struct rusage used;

  return getrusage (RUSAGE_SELF, &used) == 0 ? (uint64_t) used.ru_nivcsw : 0;
}

uint64_t
pd_rec_waited_find (const char *folder)
{
  char line[200];
  uint64_t waited, slices;

  if (!read_line (folder, "schedstat", line, sizeof line)
      || sscanf (line, "%*u %" SCNu64 " %" SCNu64, &waited, &slices) != 2 || slices == 0)
    return 0;
  return 1 + waited;
}

void
pd_rec_usage_begin (PdRecUsage *usage)
{
  uint32_t now = count_all ();

  find_processors (usage);
  usage->quota = pd_rec_quota_find ("/proc/self/cgroup", "/sys/fs/cgroup");
  self.n_of_mpi = self.n_before > 0 && now > self.n_before ? now - self.n_before : 0;
  self.n_switches = count_switches ();
  self.waited = pd_rec_waited_find (OWN_THREAD);
  pd_rec_ompt_begin ();
  pd_rec_usage_count_threads (usage);
}

void
pd_rec_usage_end (PdRecUsage *usage)
{
  struct rusage used;
  uint64_t waited = pd_rec_waited_find (OWN_THREAD);

  pd_rec_usage_count_threads (usage);
  pd_rec_ompt_end (&usage->regions);
  if (self.waited > 0 && waited >= self.waited)
    usage->waited = 1 + waited - self.waited;
  if (getrusage (RUSAGE_SELF, &used) != 0)
    return;
  usage->memory = (uint64_t) used.ru_maxrss * 1024;
  usage->n_switches = 1 + (uint64_t) used.ru_nivcsw - self.n_switches;
}
