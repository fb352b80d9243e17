/* The environment variables of a recording.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/life/pd-rec-options.h"
#include "record/stream/pd-rec-report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_FOLDER "predictor-record"
#define DEFAULT_BUFFER (1u << 20)
#define MIN_BUFFER     (64u << 10)
#define MAX_BUFFER     (UINT64_C (1) << 30)
#define MAX_SIZE       (UINT64_C (1) << 46)

/* Bytes, with k, M or G for powers of 1000, Ki, Mi or Gi for powers of 1024. */
static int
parse_bytes (const char *text, uint64_t *value)
{
  static const char letters[] = "kMGT";
  char *rest;
  unsigned long long number;

  if (!isdigit ((unsigned char) *text))
    return -1;
  number = strtoull (text, &rest, 10);
  const char *letter = *rest == '\0' ? NULL : strchr (letters, *rest == 'K' ? 'k' : *rest);
  if (letter != NULL)
    {
      uint64_t base = rest[1] == 'i' ? 1024 : 1000;
      rest += rest[1] == 'i' ? 2 : 1;
      for (const char *at = letters; at <= letter; at++)
        {
          if (number > MAX_SIZE / base)
            return -1;
          number *= base;
        }
    }
  if (*rest == 'B')
    rest++;
  *value = number;
  return *rest == '\0' && number <= MAX_SIZE ? 0 : -1;
}

static int
read_bytes (const char *name, uint64_t least, uint64_t *value, PdRecError *error)
{
  const char *text = getenv (name);

  if (text == NULL || *text == '\0')
    return 0;
  if (parse_bytes (text, value) != 0 || *value < least)
    return pd_rec_fail (error,
                        "%s=%.100s: expected a number of bytes of at least %llu, such as 64M", name,
                        text, (unsigned long long) least);
  return 0;
}

static int
read_depth (PdRecOptions *self, PdRecError *error)
{
  const char *text = getenv ("PREDICTOR_STACK_DEPTH");
  char *rest;
  long depth;

  self->depth = 1;
  if (text == NULL || *text == '\0')
    return 0;
  depth = strtol (text, &rest, 10);
  if (!isdigit ((unsigned char) *text) || *rest != '\0' || depth > PD_REC_MAX_DEPTH)
    return pd_rec_fail (error, "PREDICTOR_STACK_DEPTH=%.100s: expected a number from 0 to %d", text,
                        PD_REC_MAX_DEPTH);
  self->depth = (int) depth;
  return 0;
}

static int
read_clock (PdRecOptions *self, PdRecError *error)
{
  static const char *const names[PD_REC_N_CLOCKS] = {
    [PD_REC_CLOCK_AUTO] = "auto",
    [PD_REC_CLOCK_WALL] = "wall",
    [PD_REC_CLOCK_CPU] = "cpu",
  };
  const char *text = getenv ("PREDICTOR_CLOCK");

  self->clock = PD_REC_CLOCK_AUTO;
  if (text == NULL || *text == '\0')
    return 0;
  for (int i = 0; i < PD_REC_N_CLOCKS; i++)
    if (strcmp (text, names[i]) == 0)
      {
        self->clock = (PdRecClock) i;
        return 0;
      }
  return pd_rec_fail (error, "PREDICTOR_CLOCK=%.100s: expected cpu, wall or auto", text);
}

int
pd_rec_options_read (PdRecOptions *self, int size, PdRecError *error)
{
  const char *folder = getenv ("PREDICTOR_RECORD_DIR");
  uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE);
  uint64_t of_run = 0, of_rank = MAX_SIZE;

  self->buffer = DEFAULT_BUFFER;
  if (folder == NULL || *folder == '\0')
    folder = DEFAULT_FOLDER;
  if (strlen (folder) >= sizeof self->folder)
    return pd_rec_fail (error, "PREDICTOR_RECORD_DIR is longer than %zu bytes",
                        sizeof self->folder - 1);
  strcpy (self->folder, folder);
  if (read_bytes ("PREDICTOR_BUFFER_SIZE", MIN_BUFFER, &self->buffer, error) != 0
      || read_bytes ("PREDICTOR_MAX_SIZE", 1, &of_run, error) != 0
      || read_bytes ("PREDICTOR_MAX_RANK_SIZE", 1, &of_rank, error) != 0
      || read_depth (self, error) != 0 || read_clock (self, error) != 0)
    return -1;
  self->n_ranks = (uint32_t) size;
  self->max_size = of_rank;
  if (of_run > 0 && of_run / self->n_ranks < of_rank)
    self->max_size = of_run / self->n_ranks;
  if (self->buffer > self->max_size) /* a stream is cut where it would grow */
    self->buffer = self->max_size > MIN_BUFFER ? self->max_size : MIN_BUFFER;
  self->buffer = self->buffer > MAX_BUFFER ? MAX_BUFFER : self->buffer;
  self->buffer = (self->buffer + page - 1) / page * page;
  return 0;
}

int
pd_rec_options_check (PdRecError *error)
{
  PdRecOptions options;

  return pd_rec_options_read (&options, 1, error);
}

int
pd_rec_stack_depth (void)
{
  static int depth = -1;
  PdRecOptions options;
  PdRecError error = { "" };

  if (depth < 0)
    depth = read_depth (&options, &error) == 0 ? options.depth : 1;
  return depth;
}
