/* Programs with planted waiting. A pattern is a function that each rank runs; its
 * calls say when they begin and end, in units of time. The same text serves three
 * ways: the plan is printed as clocks for the recorder (PREDICTOR_RECORD_CLOCK), the
 * program runs with such clocks, or it runs with real ones and computes until each
 * call is due.
 * SPDX-License-Identifier: MIT */
#ifndef PLANTED_H
#define PLANTED_H

#include <mpi.h>
#include <stdlib.h>

typedef struct
{
  const char *name; /* NULL: behind the last */
  void (*run) (void);
} Pattern;

/* Of the world; known in a plan, too. */
extern int rank;
extern int n_ranks;

/* Room for messages; LARGE of them are more than any MPI sends at once. */
#define LARGE (1 << 20)
extern char *out;
extern char *in;

/* A call that is to begin at @enter and end at @leave. */
#define CALL(enter, leave, what)                                                                   \
  do                                                                                               \
    {                                                                                              \
      if (is_due (enter, leave))                                                                   \
        what;                                                                                      \
    }                                                                                              \
  while (0)

/* A call that is not recorded. */
#define UNSEEN(what)                                                                               \
  do                                                                                               \
    {                                                                                              \
      if (has_started)                                                                             \
        what;                                                                                      \
    }                                                                                              \
  while (0)

/* Calls that ask whether @done: @n that find nothing, each @length long and @gap
 * behind the one before, from @enter on, and one until @leave that does. With real
 * clocks, as many as it takes. @ready: a call that is not recorded, likewise, which
 * asks until the last one would succeed. Others meet() before they let it. */
#define POLL(enter, length, gap, n, leave, what, ready, done)                                      \
  do                                                                                               \
    {                                                                                              \
      long at = (enter);                                                                           \
      for (int i = 0; i < (n) && !is_real; i++, at += (length) + (gap))                            \
        CALL (at, at + (length), what);                                                            \
      meet ();                                                                                     \
      while (has_started && !is_real && !(done))                                                   \
        ready;                                                                                     \
      (done) = 0;                                                                                  \
      CALL (at, leave, what);                                                                      \
      while (is_real && !(done))                                                                   \
        what;                                                                                      \
    }                                                                                              \
  while (0)

extern int is_real;     /* clocks */
extern int has_started; /* else it is a plan */

/* Whether the call is to be made. */
int is_due (long enter, long leave);
/* Nobody goes on before all have come; not with real clocks, and never recorded. */
void meet (void);

extern const Pattern messages[];
extern const Pattern collectives[];
extern const Pattern polls[];
extern const Pattern files[];
extern const Pattern windows[];

#endif
