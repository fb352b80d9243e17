/* Message-passing programs worked out by hand.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/mp/mp-script.h"
#include "intervals/pd-interval-fold.h"

#include <string.h>

#define MAX_RANKS  4
#define MAX_VALUES 6

/* 10 us and 10 ns a byte; every pair of nodes has the network for itself. */
#define EAGER "myrinet:startup=10us,per-byte=10ns,channels=64,eager=1MB"
#define FREE  "myrinet:startup=10us,per-byte=10ns,channels=64,eager=none,control=free"
#define SLOW  EAGER ",speeds=1:2"
#define SOFT  EAGER ",send-overhead=2us,recv-overhead=3us,wait-overhead=1us"

typedef struct
{
  PdCharacteristic c; /* of the whole program, all ranks */
  gdouble us;
} Value;

static const struct
{
  const char *name;
  const char *machine;
  const char *program;
  guint32 n;
  gboolean simulated;
  gdouble ends[MAX_RANKS]; /* us */
  Value values[MAX_VALUES];
} cases[] = {
  { "compute",
    "ideal",
    "0 compute 5; 0 compute 7; 1 delay 3",
    2,
    FALSE,
    { 12, 3 },
    { { PD_C_CPU_TIME, 15 },
      { PD_C_COMMUNICATION, 0 },
      { PD_C_IDLE, 9 },
      { PD_C_LOAD_IMBALANCE, 9 } } },
  /* the message leaves at 5 and takes 11 */
  { "eager",
    EAGER,
    "0 compute 5; 0 send 1 100; 0 compute 1; 1 recv 0 100",
    2,
    FALSE,
    { 6, 16 },
    { { PD_C_SENDRECV_TIME, 16 }, { PD_C_REAL_SYNC, 5 }, { PD_C_COMMUNICATION, 16 } } },
  { "eager-late",
    EAGER,
    "0 send 1 100; 1 compute 20; 1 recv 0 100",
    2,
    FALSE,
    { 0, 20 },
    { { PD_C_SENDRECV_TIME, 0 }, { PD_C_REAL_SYNC, 0 } } },
  /* the example of the specification, in microseconds: recv at 10, send at 11 */
  { "rendezvous",
    "myrinet:startup=3us,per-byte=0ns,eager=none,control=free",
    "0 compute 10; 0 recv 1 8; 1 compute 11; 1 send 0 8",
    2,
    FALSE,
    { 14, 14 },
    { { PD_C_SENDRECV_TIME, 7 }, { PD_C_REAL_SYNC, 1 } } },
  { "ssend",
    EAGER,
    "0 ssend 1 0; 1 compute 100; 1 recv 0 0",
    2,
    FALSE,
    { 120, 120 },
    { { PD_C_REAL_SYNC, 0 } } },
  /* the sends and receives overlap with 30 us of computation each; the receive only
   * from the send on that it matches */
  { "overlap",
    FREE,
    "0 isend 1 1000 0; 0 compute 30; 0 wait 0; 1 compute 10; 1 irecv 0 1000 0; 1 compute 30; "
    "1 wait 0",
    2,
    FALSE,
    { 30, 40 },
    { { PD_C_OVERLAP, 60 }, { PD_C_SENDRECV_TIME, 0 }, { PD_C_REAL_SYNC, 0 } } },
  { "overlap-late-send",
    EAGER,
    "0 compute 20; 0 send 1 0; 1 irecv 0 0 0; 1 compute 30; 1 wait 0",
    2,
    FALSE,
    { 20, 30 },
    { { PD_C_OVERLAP, 10 }, { PD_C_REAL_SYNC, 0 } } },
  /* waits from 5 on for what is sent at 20 and 25, there at 35 */
  { "waitall",
    EAGER,
    "0 compute 20; 0 send 2 0; 1 compute 25; 1 send 2 0; 2 irecv 0 0 0; 2 irecv 1 0 1; "
    "2 compute 5; 2 waitall",
    3,
    FALSE,
    { 20, 25, 35 },
    { { PD_C_REAL_SYNC, 20 }, { PD_C_OVERLAP, 0 }, { PD_C_SENDRECV_TIME, 30 } } },
  { "waitall-some",
    EAGER,
    "0 compute 20; 0 send 2 0; 1 compute 25; 1 send 2 0; 2 irecv 0 0 0; 2 irecv 1 0 1; "
    "2 waitall 0; 2 wait 1",
    3,
    FALSE,
    { 20, 25, 35 },
    { { PD_C_REAL_SYNC, 20 } } },
  { "overheads",
    SOFT,
    "0 isend 1 0 0; 0 wait 0; 1 irecv 0 0 0; 1 wait 0",
    2,
    FALSE,
    { 3, 13 },
    { { PD_C_OVERLAP, 5 }, { PD_C_SENDRECV_TIME, 16 } } },
  { "sendrecv",
    SOFT,
    "0 sendrecv 1 100 1 100; 1 sendrecv 0 100 0 100",
    2,
    FALSE,
    { 14, 14 },
    { { PD_C_OVERLAP, 0 }, { PD_C_REAL_SYNC, 0 }, { PD_C_SENDRECV_TIME, 28 } } },
  { "sendrecv-null",
    EAGER,
    "0 sendrecv 1 100 null 0; 1 sendrecv null 0 0 100",
    2,
    FALSE,
    { 0, 11 },
    { { PD_C_SENDRECV_TIME, 11 } } },
  { "persistent",
    EAGER,
    "0 sendinit 1 100 0; 0 start 0; 0 wait 0; 0 compute 50; 0 start 0; 0 waitall; 0 free 0; "
    "1 recvinit 0 100 0; 1 start 0; 1 wait 0; 1 start 0; 1 waitall 0",
    2,
    FALSE,
    { 50, 61 },
    { { PD_C_SENDRECV_TIME, 61 }, { PD_C_REAL_SYNC, 39 } } },
  { "cancel",
    EAGER,
    "0 irecv 1 0 0; 0 compute 4; 0 cancel 0; 0 wait 0; 1 compute 1",
    2,
    FALSE,
    { 4, 1 },
    { { PD_C_SENDRECV_TIME, 0 } } },
  { "probe",
    EAGER,
    "0 send 1 0; 1 probe 0; 1 compute 2; 1 recv 0 0",
    2,
    FALSE,
    { 0, 12 },
    { { PD_C_SENDRECV_TIME, 10 } } },
  /* complete at 11, when 0 sends to 1; 1 has sent at 5 */
  { "put-fence",
    EAGER,
    "0 put 1 100; 0 fence; 1 compute 5; 1 fence",
    2,
    FALSE,
    { 15, 21 },
    { { PD_C_COLLECTIVE_TIME, 31 },
      { PD_C_SENDRECV_TIME, 0 },
      { PD_C_SYNCHRONIZATION, 5 },
      { PD_C_TIME_VARIATION, 6 } } },
  { "get-fence",
    EAGER,
    "0 get 1 100; 0 fence; 0 fence; 1 fence; 1 fence",
    2,
    FALSE,
    { 41, 31 },
    { { PD_C_COLLECTIVE_TIME, 72 } } },
  { "put-overhead",
    SOFT,
    "0 put 1 100; 0 put null 100; 0 lock null; 0 unlock null; 0 fence; 1 fence",
    2,
    FALSE,
    { 20, 27 },
    { { PD_C_SENDRECV_TIME, 2 }, { PD_C_COLLECTIVE_TIME, 45 } } },
  { "lock",
    EAGER,
    "0 lock 1; 0 put 1 100; 0 unlock 1; 1 compute 2",
    2,
    FALSE,
    { 31, 2 },
    { { PD_C_SENDRECV_TIME, 31 }, { PD_C_COLLECTIVE_TIME, 0 } } },
  /* given back at 31, granted at 41 */
  { "lock-exclusive",
    EAGER,
    "0 lock 2 1; 0 accumulate 2 100; 0 unlock 2; 1 lock 2 1; 1 unlock 2; 2 delay 1",
    3,
    FALSE,
    { 31, 51, 1 },
    { { PD_C_SENDRECV_TIME, 82 } } },
  /* the lock is asked for with the first operation, and known at 20 */
  { "lock-all",
    EAGER,
    "0 lock any; 0 put 0 100; 0 put 1 100; 0 unlock any; 1 compute 1",
    2,
    FALSE,
    { 20, 1 },
    { { PD_C_SENDRECV_TIME, 20 } } },
  /* posted at 5, known at 15; put until 26, told until 36 */
  { "late-post",
    EAGER,
    "0 begin 1; 0 put 1 100; 0 complete; 1 compute 5; 1 post 0; 1 winwait",
    2,
    FALSE,
    { 26, 36 },
    { { PD_C_SENDRECV_TIME, 57 } } },
  { "late-wait",
    EAGER,
    "0 begin 1; 0 put 1 100; 0 complete; 1 post 0; 1 compute 100; 1 winwait",
    2,
    FALSE,
    { 21, 100 },
    { { PD_C_SENDRECV_TIME, 21 } } },
  { "start-of-two",
    EAGER,
    "0 begin 1 2; 0 put 1 100; 0 put 2 200; 0 complete; 1 post 0; 1 winwait; 2 compute 7; "
    "2 post 0; 2 winwait",
    3,
    FALSE,
    { 29, 39, 39 },
    { { PD_C_SENDRECV_TIME, 29 + 39 + 32 } } },
  { "late-complete",
    EAGER,
    "0 begin 2; 0 complete; 1 compute 30; 1 begin 2; 1 complete; 2 post 0 1; 2 winwait",
    3,
    FALSE,
    { 10, 30, 40 },
    { { PD_C_SENDRECV_TIME, 50 } } },
  /* two posts are there before the first start; the second wait is over at once */
  { "post-twice",
    EAGER,
    "0 compute 20; 0 begin 1; 0 put 1 100; 0 complete; 0 begin 1; 0 complete; 1 post 0; 1 post 0; "
    "1 winwait; 1 winwait",
    2,
    FALSE,
    { 31, 41 },
    { { PD_C_SENDRECV_TIME, 11 + 41 } } },
  { "start-of-nobody",
    EAGER,
    "0 begin; 0 complete; 0 post; 0 winwait; 1 compute 1",
    2,
    FALSE,
    { 0, 1 },
    { { PD_C_SENDRECV_TIME, 0 } } },
  { "flush",
    EAGER,
    "0 lock 1; 0 put 1 100; 0 flush 1; 0 compute 1; 0 unlock 1; 1 compute 2",
    2,
    FALSE,
    { 32, 2 },
    { { PD_C_SENDRECV_TIME, 31 } } },
  /* what goes to 2 is there at 40 */
  { "flush-of-one",
    EAGER,
    "0 lock any; 0 put 1 100; 0 put 2 3000; 0 flush 1; 0 compute 15; 0 unlock any; 1 delay 1; "
    "2 delay 1",
    3,
    FALSE,
    { 40, 1, 1 },
    { { PD_C_SENDRECV_TIME, 25 } } },
  { "flush-all",
    EAGER,
    "0 lock any; 0 put 1 100; 0 put 2 3000; 0 flush any; 0 compute 15; 0 unlock any; 1 delay 1; "
    "2 delay 1",
    3,
    FALSE,
    { 55, 1, 1 },
    { { PD_C_SENDRECV_TIME, 40 } } },
  { "rput",
    EAGER,
    "0 lock 1; 0 rput 1 100 0; 0 compute 5; 0 wait 0; 0 compute 1; 0 unlock 1; 1 compute 2",
    2,
    FALSE,
    { 32, 2 },
    { { PD_C_SENDRECV_TIME, 26 } } },
  { "rget",
    EAGER,
    "0 lock 1; 0 rget 1 100 0; 0 rput null 5 1; 0 waitall 0 1; 0 unlock 1; 1 compute 2",
    2,
    FALSE,
    { 41, 2 },
    { { PD_C_SENDRECV_TIME, 41 } } },
  /* there at 31, back at 41.5 */
  { "get-accumulate",
    EAGER,
    "0 lock 1; 0 getaccumulate 1 100 50; 0 unlock 1; 1 compute 2",
    2,
    FALSE,
    { 41.5, 2 },
    { { PD_C_SENDRECV_TIME, 41.5 } } },
  { "iprobe-recorded",
    EAGER,
    "0 send 1 0; 1 iprobe 0 =; 1 iprobe 0 = 0; 1 recv 0 0",
    2,
    FALSE,
    { 0, 10 },
    { { PD_C_SENDRECV_TIME, 10 } } },
  { "iprobe-unknown", EAGER, "0 send 1 0; 1 iprobe 0; 1 recv 0 0", 2, FALSE, { 0, 10 }, { { 0 } } },
  /* what was successful is waited for */
  { "test-recorded",
    EAGER,
    "0 send 1 0; 1 irecv 0 0 0; 1 test 0 =; 1 test 0 = 0; 1 compute 1",
    2,
    FALSE,
    { 0, 11 },
    { { PD_C_SENDRECV_TIME, 10 } } },
  { "test-unknown",
    EAGER,
    "0 send 1 0; 1 irecv 0 0 0; 1 test 0; 1 compute 20; 1 test 0; 1 wait 0",
    2,
    FALSE,
    { 0, 20 },
    { { PD_C_SENDRECV_TIME, 0 } } },
  { "testall-recorded",
    EAGER,
    "0 send 1 0; 0 send 1 0; 1 irecv 0 0 0; 1 irecv 0 0 1; 1 testall 0 1 = 0 1; 1 compute 1",
    2,
    FALSE,
    { 0, 11 },
    { { 0 } } },
  /* the recorded run got the message of rank 1, which is the later one now */
  { "waitany-recorded",
    EAGER,
    "0 send 2 0; 1 compute 30; 1 send 2 0; 2 irecv 0 0 0; 2 irecv 1 0 1; 2 waitany 0 1 = 1; "
    "2 compute 5; 2 wait 0",
    3,
    FALSE,
    { 0, 30, 45 },
    { { PD_C_SENDRECV_TIME, 40 } } },
  { "waitany-simulated",
    EAGER,
    "0 send 2 0; 1 compute 30; 1 send 2 0; 2 irecv 0 0 0; 2 irecv 1 0 1; 2 waitany 0 1 = 1; "
    "2 compute 5; 2 wait 0",
    3,
    TRUE,
    { 0, 30, 40 },
    { { PD_C_SENDRECV_TIME, 35 } } },
  { "waitany-unknown",
    EAGER,
    "0 send 2 0; 1 compute 30; 1 send 2 0; 2 irecv 0 0 0; 2 irecv 1 0 1; 2 waitany 0 1; "
    "2 compute 5; 2 waitall",
    3,
    FALSE,
    { 0, 30, 40 },
    { { 0 } } },
  { "waitsome-recorded",
    EAGER,
    "0 send 2 0; 1 compute 30; 1 send 2 0; 2 irecv 0 0 0; 2 irecv 1 0 1; 2 waitsome 0 1 = 0 1; "
    "2 compute 5",
    3,
    FALSE,
    { 0, 30, 45 },
    { { 0 } } },
  { "waitsome-simulated",
    EAGER,
    "0 send 2 0; 1 compute 30; 1 send 2 0; 2 irecv 0 0 0; 2 irecv 1 0 1; 2 waitsome 0 1 = 1; "
    "2 compute 5; 2 wait 0",
    3,
    TRUE,
    { 0, 30, 40 },
    { { 0 } } },
  { "waitsome-both",
    EAGER,
    "0 send 2 0; 1 compute 30; 1 send 2 0; 2 irecv 0 0 0; 2 irecv 1 0 1; 2 waitsome 0 1 = 1 0; "
    "2 compute 5",
    3,
    TRUE,
    { 0, 30, 45 },
    { { 0 } } },
  { "any-recorded",
    EAGER,
    "0 send 2 0; 1 compute 30; 1 send 2 0; 2 recv any1 0; 2 compute 5; 2 recv any0 0",
    3,
    FALSE,
    { 0, 30, 45 },
    { { PD_C_REAL_SYNC, 30 } } },
  { "any-simulated",
    EAGER,
    "0 send 2 0; 1 compute 30; 1 send 2 0; 2 recv any1 0; 2 compute 5; 2 recv any0 0",
    3,
    TRUE,
    { 0, 30, 40 },
    { { PD_C_REAL_SYNC, 15 } } },
  /* rank 0 would wait 6 at a barrier, rank 1 is the last; the broadcast's root is
   * through at 2, rank 1 at 12 */
  { "bcast",
    EAGER,
    "0 compute 2; 0 bcast 0 0; 1 compute 8; 1 bcast 0 0",
    2,
    FALSE,
    { 2, 12 },
    { { PD_C_COLLECTIVE_TIME, 4 },
      { PD_C_SYNCHRONIZATION, 6 },
      { PD_C_TIME_VARIATION, 10 },
      { PD_C_SENDRECV_TIME, 0 },
      { PD_C_REAL_SYNC, 0 },
      { PD_C_OVERLAP, 0 } } },
  { "bcasts",
    EAGER,
    "0 bcast 0 0; 0 bcast 0 0; 0 bcast 0 0; 0 bcast 0 0; 0 bcast 0 0; 0 bcast 0 0; "
    "1 compute 50; 1 bcast 0 0; 1 bcast 0 0; 1 bcast 0 0; 1 bcast 0 0; 1 bcast 0 0; 1 bcast 0 0",
    2,
    FALSE,
    { 0, 50 },
    { { PD_C_SYNCHRONIZATION, 300 } } },
  { "reduction-computes",
    "ideal",
    "0 allreduce 8 3; 1 allreduce 8 3",
    2,
    FALSE,
    { 3, 3 },
    { { PD_C_CPU_TIME, 6 }, { PD_C_COLLECTIVE_TIME, 0 } } },
  { "commdup-is-system",
    EAGER,
    "0 commdup; 1 commdup",
    2,
    FALSE,
    { 10.04, 20.08 },
    { { PD_C_SYSTEM_TIME, 30.12 }, { PD_C_COLLECTIVE_TIME, 0 } } },
  /* 20.08 behind both ranks' computation, or waited for */
  { "iallreduce-behind",
    EAGER,
    "0 iallreduce 4 0; 0 compute 50; 0 wait 0; 1 iallreduce 4 0; 1 compute 50; 1 wait 0",
    2,
    FALSE,
    { 50, 50 },
    { { PD_C_COMMUNICATION, 0 }, { PD_C_OVERLAP, 0 } } },
  { "iallreduce-waited",
    EAGER,
    "0 iallreduce 4 0; 0 wait 0; 1 iallreduce 4 0; 1 wait 0",
    2,
    FALSE,
    { 10.04, 20.08 },
    { { PD_C_SENDRECV_TIME, 30.12 }, { PD_C_COLLECTIVE_TIME, 0 } } },
  { "speeds",
    SLOW,
    "0 compute 6; 1 compute 6; 1 delay 1; 1 other MPI_Abc 4",
    2,
    FALSE,
    { 6, 6 },
    { { PD_C_CPU_TIME, 10 }, { PD_C_SYSTEM_TIME, 2 } } },
  { "intervals",
    "ideal",
    "0 enter a; 0 compute 1; 0 leave a; 0 compute 2",
    1,
    FALSE,
    { 3 },
    { { PD_C_CPU_TIME, 3 } } },
};

static PdReportRun *
predict (gsize i, gboolean one_step, GError **error)
{
  g_autoptr (PdProgram) program = mp_script_new (cases[i].n, PD_AMOUNT_TIME, cases[i].program);
  const PdMpOptions options = { .trace = "test",
                                .machine = cases[i].machine,
                                .simulated = cases[i].simulated,
                                .one_step = one_step,
                                .check = TRUE };

  return pd_mp_predict_program (&options, program, error);
}

static gdouble
us_of (PdTimeSum sum)
{
  return (gdouble) sum.ps / PD_PS_PER_US;
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  for (gboolean one_step = FALSE; one_step <= TRUE; one_step++)
    {
      g_autoptr (GError) error = NULL;
      PdReportRun *run = predict (i, one_step, &error);
      g_assert_no_error (error);
      for (guint32 rank = 0; rank < cases[i].n; rank++)
        g_assert_cmpfloat_with_epsilon (us_of ((PdTimeSum){ run->end_times[rank].ps }),
                                        cases[i].ends[rank], 1e-6);
      g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);
      const PdIntervalResult *root = &g_array_index (results, PdIntervalResult, 0);
      for (gsize k = 0; k < MAX_VALUES && cases[i].values[k].c != 0; k++)
        g_assert_cmpfloat_with_epsilon (us_of (root->values[cases[i].values[k].c].sum),
                                        cases[i].values[k].us, 1e-6);
      pd_report_run_free (run);
    }
}

/* ---- what is told */

static const struct
{
  const char *name;
  const char *program;
  const char *id; /* of the message */
  guint64 count;
  const char *place;
} told[] = {
  { "other", "1 other MPI_Abc 4; 0 compute 1; 0 other MPI_Abc 1; 0 other MPI_Abc 1", "not-modelled",
    3, "test: rank 0, action 1" },
  { "located", "0 location a.c 12; 0 other MPI_Abc 1", "not-modelled", 1,
    "a.c:12: rank 0, action 1" },
  { "open", "0 enter a; 1 compute 1", "interval-open", 1, "test: rank 0, action 1" },
  { "not-open", "0 leave a; 0 enter b; 0 leave b", "interval-mismatch", 1,
    "test: rank 0, action 0" },
  { "crossed", "0 enter a; 0 enter b; 0 leave a; 0 compute 1", "interval-mismatch", 1,
    "test: rank 0, action 2" },
  { "start", "0 irecv null 0 0; 0 start 0; 0 wait 0", "not-startable", 1,
    "test: rank 0, action 1" },
  { "unlock", "0 unlock 1", "lock-mismatch", 1, "test: rank 0, action 0" },
  { "unlock-other", "0 lock 0; 0 unlock any; 0 unlock 1; 0 unlock 0", "lock-mismatch", 2,
    "test: rank 0, action 1" },
  { "lock-twice", "0 lock 1; 0 lock 1 1; 0 lock any; 0 unlock 1", "lock-mismatch", 2,
    "test: rank 0, action 1" },
  { "complete", "0 complete", "epoch-mismatch", 1, "test: rank 0, action 0" },
  { "wait", "0 post; 0 winwait; 0 winwait", "epoch-mismatch", 1, "test: rank 0, action 2" },
  { "flush", "0 lock 0; 0 flush 0; 0 flush 1; 0 unlock 0", "lock-mismatch", 1,
    "test: rank 0, action 2" },
  { "no-wait", "0 post 1; 1 begin 0; 1 complete", "epoch-open", 1, "" },
  { "no-fence", "0 put 1 8; 1 get 0 8", "epoch-open", 1, "" },
  { "no-unlock", "0 lock 1; 0 put 1 8", "epoch-open", 1, "" },
  { "start-twice", "0 sendinit null 0 0; 0 start 0 0; 0 wait 0; 0 free 0", "not-startable", 1,
    "test: rank 0, action 1" },
};

static PdReportRun *
predict_text (const char *text, guint32 n, PdAmountUnit unit, PdMpOptions options, GError **error)
{
  g_autoptr (PdProgram) program = mp_script_new (n, unit, text);

  options.trace = "test";
  options.machine = options.machine != NULL ? options.machine : EAGER;
  options.check = TRUE;
  return pd_mp_predict_program (&options, program, error);
}

static void
test_notified (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  PdReportRun *run =
      predict_text (told[i].program, 2, PD_AMOUNT_TIME, (PdMpOptions){ .seed = 0 }, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 1);
  const PdMessage *m = pd_messages_get (run->messages, 0);
  g_assert_cmpstr (m->id, ==, told[i].id);
  g_assert_cmpuint (m->count, ==, told[i].count);
  g_assert_cmpstr (m->place, ==, told[i].place);
  pd_report_run_free (run);
}

/* ---- what cannot go on */

static const struct
{
  const char *name;
  const char *program;
  PdSimulationError code;
  const char *row; /* (nullable): of the table */
} stuck[] = {
  { "recv", "0 location a.c 7; 0 recv 1 16 3", PD_SIMULATION_ERROR_DEADLOCK,
    "        0  MPI_Recv                   1          3           16  action 1 at a.c:7" },
  { "cycle", "0 ssend 1 8; 1 ssend 0 8; 0 recv 1 8; 1 recv 0 8", PD_SIMULATION_ERROR_DEADLOCK,
    "        1  MPI_Ssend                  0          0            8  action 0" },
  { "wait", "0 irecv any 8 0; 0 compute 3; 0 wait 0", PD_SIMULATION_ERROR_DEADLOCK,
    "        0  MPI_Wait                 any          0            8  action 2" },
  { "barrier", "0 barrier", PD_SIMULATION_ERROR_DEADLOCK, "        0  MPI_Barrier " },
  { "lock", "1 lock 1 1; 0 lock 1", PD_SIMULATION_ERROR_DEADLOCK,
    "        0  MPI_Win_lock               1        any            0  action 0" },
  { "no-post", "0 begin 1; 1 compute 1", PD_SIMULATION_ERROR_DEADLOCK,
    "        0  MPI_Win_start " },
  { "no-complete", "0 begin 1; 1 post 0; 1 winwait", PD_SIMULATION_ERROR_DEADLOCK,
    "        1  MPI_Win_wait " },
  { "fence", "0 put 1 8; 0 fence", PD_SIMULATION_ERROR_DEADLOCK,
    "        0  MPI_Win_fence              1" },
  { "unreceived", "0 send 1 8", PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "unsent", "0 irecv 1 8 0", PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "overflow", "0 delay 9e12; 0 delay 9e12", PD_SIMULATION_ERROR_OVERFLOW, NULL },
};

static void
test_stuck (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  for (gboolean one_step = FALSE; one_step <= TRUE; one_step++)
    {
      g_autoptr (GError) error = NULL;
      PdReportRun *run = predict_text (stuck[i].program, 2, PD_AMOUNT_TIME,
                                       (PdMpOptions){ .one_step = one_step }, &error);
      g_assert_null (run);
      g_assert_error (error, PD_SIMULATION_ERROR, (gint) stuck[i].code);
      if (stuck[i].row != NULL)
        g_assert_nonnull (strstr (error->message, stuck[i].row));
    }
}

/* ---- computation */

static const struct
{
  const char *name;
  const char *program;
  PdAmountUnit unit;
  gdouble flops;
  const char *ratios[3];
  gdouble us;
  const char *id; /* (nullable): of the only message */
} computed[] = {
  { "flops", "0 compute 5000; 0 delay 1", PD_AMOUNT_FLOPS, 1e9, { NULL }, 6, NULL },
  { "flops-assumed", "0 compute 5000", PD_AMOUNT_FLOPS, 0, { NULL }, 5, "flops-assumed" },
  { "flops-fast", "0 compute 5000; 0 allreduce 8 1000", PD_AMOUNT_FLOPS, 2e9, { "2" }, 1.5, NULL },
  { "ratio", "0 compute 6; 0 delay 1", PD_AMOUNT_TIME, 0, { "2" }, 4, NULL },
  { "ratio-of-place",
    "0 compute 6; 0 location a.c 3; 0 compute 8; 0 location a.c 4; 0 compute 1",
    PD_AMOUNT_TIME,
    0,
    { "a.c:3=4" },
    9,
    NULL },
  { "ratio-of-both",
    "0 compute 6; 0 location a.c 3; 0 compute 8; 0 location a.c 4; 0 compute 1",
    PD_AMOUNT_FLOPS,
    1e6,
    { "2", "a.c:3=4" },
    5.5,
    NULL },
};

static void
test_computed (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdCpuRatios) ratios = pd_cpu_ratios_parse (computed[i].ratios, &error);
  PdReportRun *run =
      predict_text (computed[i].program, 1, computed[i].unit,
                    (PdMpOptions){ .flops = computed[i].flops, .ratios = ratios }, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon ((gdouble) run->end_times[0].ps / PD_PS_PER_US, computed[i].us,
                                  1e-6);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, computed[i].id != NULL ? 1 : 0);
  if (computed[i].id != NULL)
    g_assert_cmpstr (pd_messages_get (run->messages, 0)->id, ==, computed[i].id);
  pd_report_run_free (run);
}

/* ---- intervals */

/* Each interval has its own account, and counts its entries. */
static void
test_intervals (void)
{
  g_autoptr (GError) error = NULL;
  PdReportRun *run = predict_text (
      "0 compute 1; 0 enter a; 0 compute 2; 0 enter b; 0 send 1 0; 0 compute 4; 0 leave b; "
      "0 enter b; 0 leave b; 0 leave a; 0 compute 8; 1 enter a; 1 recv 0 0; 1 leave a",
      2, PD_AMOUNT_TIME, (PdMpOptions){ .seed = 0 }, &error);
  static const struct
  {
    const char *name;
    gint64 cpu_us;
    gint64 communication_us;
    guint64 exe;
    guint64 sends;
    guint64 receives;
    guint32 processors;
  } wanted[] = { { "", 15, 13, 1, 1, 1, 2 },
                 { "a", 6, 13, 1, 1, 1, 2 },
                 { "b", 4, 0, 2, 1, 0, 1 } };

  g_assert_no_error (error);
  g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);
  g_assert_cmpuint (results->len, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < results->len; i++)
    {
      const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, i);
      g_assert_cmpstr (r->name, ==, wanted[i].name);
      g_assert_true (r->values[PD_C_CPU_TIME].sum.ps == wanted[i].cpu_us * PD_PS_PER_US);
      g_assert_true (r->values[PD_C_COMMUNICATION].sum.ps
                     == wanted[i].communication_us * PD_PS_PER_US);
      g_assert_cmpuint (r->counts[PD_Q_EXE_COUNT - PD_N_TIMES], ==, wanted[i].exe);
      g_assert_cmpuint (r->counts[PD_Q_N_SENDS - PD_N_TIMES], ==, wanted[i].sends);
      g_assert_cmpuint (r->counts[PD_Q_N_RECEIVES - PD_N_TIMES], ==, wanted[i].receives);
      g_assert_cmpuint (r->n_processors, ==, wanted[i].processors);
    }
  pd_report_run_free (run);
}

/* Two ranks compute stretch 1 alike, and one alone stretch 2;
 * what is no computation does not count. */
static void
test_alike (void)
{
  g_autoptr (GError) error = NULL;
  PdReportRun *run = predict_text (
      "0 alike 1; 0 compute 4; 0 send 1 0; 0 enter a; 0 compute 8; 0 leave a; 0 unlike 1; "
      "0 compute 100; 0 local f 6; 1 recv 0 0; 1 alike 1; 1 compute 2; 1 unlike 1; "
      "1 alike 2; 1 compute 50; 1 unlike 2",
      2, PD_AMOUNT_TIME, (PdMpOptions){ .seed = 0 }, &error);

  g_assert_no_error (error);
  g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);
  const PdIntervalResult *all = &g_array_index (results, PdIntervalResult, 0);
  const PdIntervalResult *a = &g_array_index (results, PdIntervalResult, 1);
  g_assert_true (all->values[PD_C_INSUFFICIENT_PARALLELISM_SEQ].sum.ps == 7 * PD_PS_PER_US);
  g_assert_true (a->values[PD_C_INSUFFICIENT_PARALLELISM_SEQ].sum.ps == 4 * PD_PS_PER_US);
  g_assert_true (all->values[PD_C_SYSTEM_TIME].sum.ps == 6 * PD_PS_PER_US);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
  pd_report_run_free (run);
}

#define ADD_TABLE(folder, table, function)                                                         \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *path = g_strconcat ("/predictor/mp/" folder "/", table[i].name, NULL);      \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), function);                                 \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_TABLE ("case", cases, test_case)
  ADD_TABLE ("told", told, test_notified)
  ADD_TABLE ("stuck", stuck, test_stuck)
  ADD_TABLE ("computed", computed, test_computed)
  g_test_add_func ("/predictor/mp/intervals", test_intervals);
  g_test_add_func ("/predictor/mp/alike", test_alike);
  return g_test_run ();
}
