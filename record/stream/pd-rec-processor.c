/* SPDX-License-Identifier: MIT */
#include "record/stream/pd-rec-processor.h"

#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-threads.h"
#include "record/stream/pd-rec-usage.h"

#define LEAST_PERIOD 100000   /* ns between two readings of a kind */
#define LEAST_LOOK   10000000 /* ns between two counts of the threads */
#define COST_SHARE   200      /* readings take at most one in so many of the time */
#define OTHERS       0.1      /* of a processor: other threads compute */
#define NEVER        UINT64_MAX

struct PdRecProcessorNext pd_rec_processor_next = { NEVER, NEVER };

static struct
{
  PdRecUsage *usage;
  int is_threaded;    /* the process has, or had, several threads of its own */
  uint64_t next_look; /* at the threads */
  uint64_t looked_at; /* when that was done last */
  uint64_t all;       /* processor time at the last look, of all threads; 0 = none yet */
  uint64_t own;       /* likewise, of the first thread */
  uint64_t period;
  uint64_t look_period;
} self;

static uint64_t
most (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* The allowed rate of readings of processor time, by the cost of a reading here. */
static void
set_periods (void)
{
  enum
  {
    TRIALS = 4
  };
  uint64_t begin, cost;

  self.period = LEAST_PERIOD;
  self.look_period = LEAST_LOOK;
  if (pd_rec_clock_is_prescribed ())
    return;
  begin = pd_rec_now ();
  for (int i = 0; i < TRIALS; i++)
    pd_rec_processor_time (begin);
  cost = (pd_rec_now () - begin) / TRIALS;
  begin = pd_rec_now ();
  pd_rec_usage_count_threads (self.usage);
  self.period = most (LEAST_PERIOD, cost * COST_SHARE);
  self.look_period = most (LEAST_LOOK, (pd_rec_now () - begin) * COST_SHARE);
}

/* Threads that exist, or that computed since the last look and are gone. */
static void
look_at_threads (uint64_t now)
{
  uint64_t all, own;
  double passed = (double) (now - self.looked_at);

  self.next_look = now + self.look_period;
  if (!pd_rec_clock_is_prescribed ())
    self.is_threaded |= pd_rec_usage_count_threads (self.usage) > 1;
  if (self.is_threaded)
    return;
  all = pd_rec_processor_time (now) - self.all;
  own = pd_rec_thread_time (now) - self.own;
  self.is_threaded = self.all > 0 && (double) all > (double) own + OTHERS * passed;
  self.looked_at = now;
  self.all += all;
  self.own += own;
}

/* Where there is one thread only, calls are looked at now and then, at their beginning. */
static void
set_next (void)
{
  if (self.is_threaded)
    return;
  pd_rec_processor_next.entry = self.next_look;
  pd_rec_processor_next.exit = NEVER;
}

uint64_t
pd_rec_processor_begin (PdRecUsage *usage, uint64_t now)
{
  self.usage = usage;
  self.all = self.own = 0;
  self.is_threaded = usage->n_threads > 1;
  set_periods ();
  look_at_threads (now);
  pd_rec_processor_next.entry = pd_rec_processor_next.exit = now;
  set_next ();
  return pd_rec_processor_at_exit (now);
}

void
pd_rec_processor_end (void)
{
  pd_rec_processor_next.entry = pd_rec_processor_next.exit = NEVER;
}

uint64_t
pd_rec_processor_look_entry (uint64_t now)
{
  if (!pd_rec_is_first_thread ())
    return 0;
  if (now >= self.next_look)
    {
      int was_threaded = self.is_threaded;
      look_at_threads (now);
      if (!was_threaded && self.is_threaded)
        pd_rec_processor_next.exit = now;
      set_next ();
    }
  if (!self.is_threaded)
    return 0;
  pd_rec_processor_next.entry = now + self.period;
  return pd_rec_processor_time (now);
}

uint64_t
pd_rec_processor_look_exit (uint64_t now)
{
  if (!pd_rec_is_first_thread ())
    return 0;
  pd_rec_processor_next.exit = now + self.period;
  return pd_rec_processor_time (now);
}
