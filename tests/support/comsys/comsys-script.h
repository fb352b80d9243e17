/* Little programs for tests of ComSys: a table of what each rank does, run
 * through pd_comsys_next() and pd_comsys_ready(), with the moment of return of
 * every step. The steps of one rank are played in the order of the table.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_COMSYS_SCRIPT_H
#define PD_TEST_COMSYS_SCRIPT_H

#include "comsys/mpi/pd-win.h"
#include "comsys/machine/pd-machine.h"

typedef enum
{
  DO_END, /* ends a table */
  DO_COMPUTE,
  DO_SEND,
  DO_SSEND,
  DO_BSEND,
  DO_RSEND,
  DO_RECV,
  DO_SENDRECV,
  DO_ISEND,
  DO_ISSEND,
  DO_IBSEND,
  DO_IRSEND,
  DO_IRECV,
  DO_SEND_INIT,
  DO_RECV_INIT,
  DO_START, /* as Startall where n > 1 */
  DO_REQUEST_FREE,
  DO_CANCEL,
  DO_PROBE,
  DO_IPROBE,
  DO_WAIT,
  DO_WAITALL,
  DO_WAITALL_BUNDLE,
  DO_WAITANY,
  DO_WAITSOME,
  DO_TEST,
  DO_TESTALL,
  DO_TESTANY,
  DO_TESTSOME,
  DO_COLLECTIVE,
  DO_ICOLLECTIVE,
  DO_COMM_DUP,
  DO_COMM_SPLIT,
  DO_COMM_CREATE,
  DO_COMM_FREE,
  DO_PUT, /* all through one window of the world */
  DO_GET,
  DO_ACCUMULATE,
  DO_FENCE,
  DO_LOCK, /* exclusive where n > 0 */
  DO_UNLOCK,
  DO_FLUSH,
  N_DO,
} TestDo;

typedef struct
{
  guint32 rank;
  TestDo what;
  gint32 peer; /* also the root, and the color of a split */
  gint32 tag;  /* also its key */
  gint64 bytes;
  guint slot;  /* of the rank's request that begins or is waited for; of the new communicator */
  guint n;     /* slots from @slot on */
  gint32 from; /* Sendrecv */
  guint comm;  /* the rank's communicator; 0 = the world */
  PdOp op;
  PdSendMode mode; /* of DO_SEND_INIT */
  const gint64 *send_counts;
  const gint64 *recv_counts;
  const PdGroup *group;
  gdouble duration; /* us, of computing */
  gdouble ret;      /* us, expected moment of return; NEVER: it never returns */
  gint result;      /* expected, of Waitany, Waitsome, Test*, Cancel, Iprobe; where @checked */
  gboolean checked;
} TestStep;

#define NEVER (-1)

/* Rows of a table; every one ends with the expected return in us. */
#define COMPUTE(r, us, t)                                                                          \
  {                                                                                                \
    .rank = r, .what = DO_COMPUTE, .duration = us, .ret = t                                        \
  }
#define SEND(r, to, g, b, t)                                                                       \
  {                                                                                                \
    .rank = r, .what = DO_SEND, .peer = to, .tag = g, .bytes = b, .ret = t                         \
  }
#define SSEND(r, to, g, b, t)                                                                      \
  {                                                                                                \
    .rank = r, .what = DO_SSEND, .peer = to, .tag = g, .bytes = b, .ret = t                        \
  }
#define BSEND(r, to, g, b, t)                                                                      \
  {                                                                                                \
    .rank = r, .what = DO_BSEND, .peer = to, .tag = g, .bytes = b, .ret = t                        \
  }
#define RECV(r, of, g, b, t)                                                                       \
  {                                                                                                \
    .rank = r, .what = DO_RECV, .peer = of, .tag = g, .bytes = b, .ret = t                         \
  }
#define SENDRECV(r, to, of, g, b, t)                                                               \
  {                                                                                                \
    .rank = r, .what = DO_SENDRECV, .peer = to, .from = of, .tag = g, .bytes = b, .ret = t         \
  }
#define ISEND(r, to, g, b, s, t)                                                                   \
  {                                                                                                \
    .rank = r, .what = DO_ISEND, .peer = to, .tag = g, .bytes = b, .slot = s, .ret = t             \
  }
#define ISSEND(r, to, g, b, s, t)                                                                  \
  {                                                                                                \
    .rank = r, .what = DO_ISSEND, .peer = to, .tag = g, .bytes = b, .slot = s, .ret = t            \
  }
#define IBSEND(r, to, g, b, s, t)                                                                  \
  {                                                                                                \
    .rank = r, .what = DO_IBSEND, .peer = to, .tag = g, .bytes = b, .slot = s, .ret = t            \
  }
#define IRECV(r, of, g, b, s, t)                                                                   \
  {                                                                                                \
    .rank = r, .what = DO_IRECV, .peer = of, .tag = g, .bytes = b, .slot = s, .ret = t             \
  }
#define SEND_INIT(r, to, g, b, s, m, t)                                                            \
  {                                                                                                \
    .rank = r, .what = DO_SEND_INIT, .peer = to, .tag = g, .bytes = b, .slot = s, .mode = m,       \
    .ret = t                                                                                       \
  }
#define RECV_INIT(r, of, g, b, s, t)                                                               \
  {                                                                                                \
    .rank = r, .what = DO_RECV_INIT, .peer = of, .tag = g, .bytes = b, .slot = s, .ret = t         \
  }
#define START(r, s, k, t)                                                                          \
  {                                                                                                \
    .rank = r, .what = DO_START, .slot = s, .n = k, .ret = t                                       \
  }
#define REQUEST_FREE(r, s, t)                                                                      \
  {                                                                                                \
    .rank = r, .what = DO_REQUEST_FREE, .slot = s, .n = 1, .ret = t                                \
  }
#define CANCEL(r, s, x, t) ANSWERED (DO_CANCEL, r, s, 1, x, t)
#define PROBE(r, of, g, t)                                                                         \
  {                                                                                                \
    .rank = r, .what = DO_PROBE, .peer = of, .tag = g, .ret = t                                    \
  }
#define IPROBE(r, of, g, x, t)                                                                     \
  {                                                                                                \
    .rank = r, .what = DO_IPROBE, .peer = of, .tag = g, .result = x, .checked = TRUE, .ret = t     \
  }
#define WAIT(r, s, t)                                                                              \
  {                                                                                                \
    .rank = r, .what = DO_WAIT, .slot = s, .n = 1, .ret = t                                        \
  }
#define WAITALL(r, s, k, t)                                                                        \
  {                                                                                                \
    .rank = r, .what = DO_WAITALL, .slot = s, .n = k, .ret = t                                     \
  }
#define WAITALL_BUNDLE(r, s, k, t)                                                                 \
  {                                                                                                \
    .rank = r, .what = DO_WAITALL_BUNDLE, .slot = s, .n = k, .ret = t                              \
  }
#define ANSWERED(w, r, s, k, x, t)                                                                 \
  {                                                                                                \
    .rank = r, .what = w, .slot = s, .n = k, .result = x, .checked = TRUE, .ret = t                \
  }
#define WAITANY(r, s, k, x, t)  ANSWERED (DO_WAITANY, r, s, k, x, t)
#define WAITSOME(r, s, k, x, t) ANSWERED (DO_WAITSOME, r, s, k, x, t)
#define TEST(r, s, x, t)        ANSWERED (DO_TEST, r, s, 1, x, t)
#define TESTALL(r, s, k, x, t)  ANSWERED (DO_TESTALL, r, s, k, x, t)
#define TESTANY(r, s, k, x, t)  ANSWERED (DO_TESTANY, r, s, k, x, t)
#define TESTSOME(r, s, k, x, t) ANSWERED (DO_TESTSOME, r, s, k, x, t)
#define COLLECTIVE(r, o, root, b, t)                                                               \
  {                                                                                                \
    .rank = r, .what = DO_COLLECTIVE, .op = PD_OP_##o, .peer = root, .bytes = b, .ret = t          \
  }
#define ONE_SIDED(w, r, to, b, t)                                                                  \
  {                                                                                                \
    .rank = r, .what = w, .peer = to, .bytes = b, .ret = t                                         \
  }
#define PUT(r, to, b, t)        ONE_SIDED (DO_PUT, r, to, b, t)
#define GET(r, to, b, t)        ONE_SIDED (DO_GET, r, to, b, t)
#define ACCUMULATE(r, to, b, t) ONE_SIDED (DO_ACCUMULATE, r, to, b, t)
#define FENCE(r, t)             ONE_SIDED (DO_FENCE, r, 0, 0, t)
#define LOCK(r, to, x, t)                                                                          \
  {                                                                                                \
    .rank = r, .what = DO_LOCK, .peer = to, .n = x, .ret = t                                       \
  }
#define UNLOCK(r, to, t) ONE_SIDED (DO_UNLOCK, r, to, 0, t)
#define FLUSH(r, to, t)  ONE_SIDED (DO_FLUSH, r, to, 0, t)
#define END                                                                                        \
  {                                                                                                \
    .what = DO_END                                                                                 \
  }

typedef struct
{
  gint64 n; /* told by the observer */
  gint64 bytes;
  gint64 n_collective;
  gint64 n_calls; /* of collectives */
} TestSeen;

/* What came out. */
typedef struct
{
  PdComsys *comsys;
  guint32 n_ranks;
  const TestStep *steps;
  guint n_steps;
  PdTime *ret;        /* (array length=n_steps): PENDING = never */
  gint *result;       /* (array length=n_steps): of Waitany, … */
  PdStatus *statuses; /* (array length=n_steps): of DO_RECV, DO_SENDRECV, DO_WAIT, DO_*PROBE */
  guint32 n_finished;
  TestSeen seen;
  /* per rank */
  guint *at; /* index in @order */
  guint *end;
  guint *order; /* steps by rank */
  gboolean *calling;
  guint n_slots;
  PdRequest *requests;     /* (array length=n_ranks * n_slots) */
  PdStatus *slot_statuses; /* likewise: of Waitall, Waitany, Waitsome, Test* */
  PdBundle *bundles;       /* (array length=n_ranks) */
  PdComm **comms;          /* (array length=n_ranks * n_slots) */
  PdWin *win;
} TestRun;

typedef struct
{
  const PdMachine *machine;
  const guint32 *placement; /* (nullable) */
  guint32 n_ranks;
  gboolean one_step;              /* every step goes through the queue */
  void (*prepare) (TestRun *run); /* (nullable): before the first step; may make communicators */
} TestSetup;

/* Plays @steps until nothing happens any more. */
TestRun *test_run_new (const TestSetup *setup, const TestStep *steps, guint n_steps);
void test_run_free (TestRun *self);

/* The request status of @rank's @slot. */
const PdStatus *test_run_status (const TestRun *self, guint32 rank, guint slot);

guint test_count_steps (const TestStep *steps);

/* Both runs have the same moments and results. */
void test_compare_runs (const TestRun *a, const TestRun *b);

/* Plays @steps (up to END) in both modes on the machine @spec; every return is
 * as the table says, and everybody finishes unless something says NEVER. */
void test_check_steps (const char *spec, guint32 n_ranks, const TestStep *steps);

/* The same with a machine and what else @setup says. */
void test_check_setup (const TestSetup *setup, const TestStep *steps);

/* A hand-worked table. */
typedef struct
{
  const char *name;
  const char *machine;
  guint32 n_ranks;
  TestStep steps[24];
} TestCase;

/* Adds a test FOLDER/NAME for each of @cases, by test_check_steps(). */
void test_add_cases (const char *folder, const TestCase *cases, gsize n);

/* Microseconds, rounded to picoseconds. */
gint64 test_us (gdouble us);

PdMachine *test_machine (const char *spec, guint32 n_ranks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestRun, test_run_free)

#endif
