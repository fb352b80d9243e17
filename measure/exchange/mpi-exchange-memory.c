/* Work of processes on their own memory around messages, without messages: packing, and the first
 * touch of memory from the system.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "measure/exchange/mpi-exchange.h"
#include "measure/stats/pd-pattern.h"

#include <string.h>
#include <sys/mman.h>

#define UNIT sizeof (gdouble)

static void
fill (PdExchange *self)
{
  pd_pattern_fill (self->out, self->bytes, 1);
}

/* One run of all bytes. */
static void
run_copy (PdExchange *self, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    {
      memcpy (self->in, self->out, self->bytes);
      __asm__ volatile("" : : "r"(self->in) : "memory"); /* each of them */
    }
}

static gboolean
is_copy_right (PdExchange *self)
{
  return memcmp (self->in, self->out, self->bytes) == 0;
}

/* A run for each double, copied as a run-time library does: by a length that the compiler does not
 * know. */
static void
run_runs (PdExchange *self, gint64 n)
{
  static volatile gsize unit = UNIT;
  gsize run = unit;
  char *to = self->in;
  const char *from = self->out;

  for (gint64 i = 0; i < n; i++)
    {
      for (gsize at = 0; at < self->bytes; at += run)
        memcpy (to + at, from + 2 * at, run);
      __asm__ volatile("" : : "r"(to) : "memory");
    }
}

/* Of all that @run_runs reads. */
static void
fill_runs (PdExchange *self)
{
  pd_pattern_fill (self->out, 2 * self->bytes, 1);
}

static gboolean
are_runs_right (PdExchange *self)
{
  for (gsize k = 0; k < self->bytes / UNIT; k++)
    if (memcmp (self->in + k * UNIT, self->out + 2 * k * UNIT, UNIT) != 0)
      return FALSE;
  return TRUE;
}

/* Memory as an allocator gets it for large blocks: each page comes when it is touched. */
static void
run_touch (PdExchange *self, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    {
      char *fresh =
          mmap (NULL, self->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      self->in[0] = 0; /* without memory the check fails */
      if (fresh == MAP_FAILED)
        return;
      memset (fresh, 1, self->bytes);
      self->in[0] = fresh[self->bytes - 1];
      munmap (fresh, self->bytes);
    }
}

static gboolean
is_touched (PdExchange *self)
{
  return self->in[0] == 1;
}

#define ROW(name, fill, run, is_right)                                                             \
  {                                                                                                \
    name, "memory", UNIT, 0, PD_VARIES_NOTHING, 1, NULL, NULL, fill, run, is_right, NULL           \
  }

const PdExchangeKind pd_exchange_memory[3] = {
  ROW ("copy", fill, run_copy, is_copy_right),
  ROW ("copy-runs", fill_runs, run_runs, are_runs_right),
  ROW ("touch", fill, run_touch, is_touched),
};
