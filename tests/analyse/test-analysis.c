/* Runs of a few calls whose figures are worked out on paper. Times are in
 * microseconds; what is 0 is not shown.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis.h"
#include "tests/support/mp/programs-random.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"
#include "intervals/pd-interval-check.h"
#include "intervals/pd-interval-fold.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-program-builder.h"

#include <math.h>

#define HEAD "predictor-trace 1\nranks 2\n"

static const struct
{
  const char *name;
  const char *text;
  const char *figures;
} cases[] = {
  /* the send begins at 5, the receive waits from 0 to 5 and ends at 7 */
  { "late-sender", HEAD "0 compute 5us\n0 send 1 8 took=1us\n1 recv 0 8 took=7us\n",
    "MAIN: cpu=5 sendrecv=8 real-sync=5 sends=1 receives=1\n"
    "  late_sender=5\n  path: computation=5 communication=2\n"
    "  MPI_Recv: count=1 time=7 real-sync=5 late_sender=5 path=2 ranks=1\n"
    "  MPI_Send: count=1 time=1 ranks=0\n"
    "path from 0 to 1, 1 changes; makespan 7\n" },
  /* posted at 0, sent at 6, waited for from 5 */
  { "late-sender-of-wait",
    HEAD "0 irecv 1 8 request=a took=1us\n0 compute 4us\n0 wait a took=3us\n"
         "1 compute 6us\n1 send 0 8 took=1us\n",
    "MAIN: cpu=10 sendrecv=5 real-sync=1 sends=1 receives=1 waits=1\n"
    "  late_sender=1\n  path: computation=6 communication=2\n"
    "  MPI_Irecv: count=1 time=1 ranks=0\n"
    "  MPI_Send: count=1 time=1 ranks=1\n"
    "  MPI_Wait: count=1 time=3 real-sync=1 late_sender=1 path=2 ranks=0\n"
    "path from 1 to 0, 1 changes; makespan 8\n" },
  /* of the receive from when it was sent, 2, to the wait at 5; of the send from 2 to 7 */
  { "overlap",
    HEAD "0 irecv 1 8 request=a took=1us\n0 compute 4us\n0 wait a took=1us\n"
         "1 compute 2us\n1 isend 0 8 request=b took=1us\n1 compute 4us\n1 wait b took=1us\n",
    "MAIN: cpu=10 sendrecv=4 overlap=8 sends=1 receives=1 waits=2\n"
    "  path: computation=6 communication=2\n"
    "  MPI_Irecv: count=1 time=1 ranks=0\n"
    "  MPI_Isend: count=1 time=1 path=1 ranks=1\n"
    "  MPI_Wait: count=2 time=2 overlap=8 path=1 ranks=0,1\n"
    "path from 1 to 1, 0 changes; makespan 8\n" },
  /* two messages: the later one counts; overlap 5 - 1 and 0 */
  { "waitall",
    HEAD "0 irecv 1 8 request=a took=0us\n0 irecv 1 8 tag=1 request=b took=0us\n0 compute 5us\n"
         "0 waitall a b took=4us\n1 compute 1us\n1 send 0 8 took=1us\n1 compute 5us\n"
         "1 send 0 8 tag=1 took=1us\n",
    "MAIN: cpu=11 sendrecv=6 real-sync=2 overlap=4 sends=2 receives=2 waits=1\n"
    "  late_sender=2\n  path: computation=6 communication=3\n"
    "  MPI_Irecv: count=2 time=0 ranks=0\n"
    "  MPI_Send: count=2 time=2 path=1 ranks=1\n"
    "  MPI_Waitall: count=1 time=4 real-sync=2 overlap=4 late_sender=2 path=2 ranks=0\n"
    "path from 1 to 0, 1 changes; makespan 9\n" },
  /* the receive is posted at 4 */
  { "late-receiver", HEAD "0 ssend 1 8 took=7us\n1 compute 4us\n1 recv 0 8 took=2us\n",
    "MAIN: cpu=4 sendrecv=9 sends=1 receives=1\n"
    "  late_receiver=4\n"
    "  path: computation=4 communication=3\n"
    "  MPI_Recv: count=1 time=2 ranks=1\n"
    "  MPI_Ssend: count=1 time=7 late_receiver=4 path=3 ranks=0\n"
    "path from 1 to 0, 1 changes; makespan 7\n" },
  /* an eager send had returned before */
  { "eager", HEAD "0 send 1 8 took=1us\n1 compute 4us\n1 recv 0 8 took=2us\n",
    "MAIN: cpu=4 sendrecv=3 sends=1 receives=1\n  path: computation=4 communication=2\n"
    "  MPI_Recv: count=1 time=2 path=2 ranks=1\n  MPI_Send: count=1 time=1 ranks=0\n"
    "path from 1 to 1, 0 changes; makespan 6\n" },
  /* each waits for the other's send; rank 1 comes 3 later: that is 0's sender and
   * receiver, late alike */
  { "sendrecv",
    HEAD "0 sendrecv 1 8 from=1 from-bytes=8 took=5us\n1 compute 3us\n"
         "1 sendrecv 0 8 from=0 from-bytes=8 took=2us\n",
    "MAIN: cpu=3 sendrecv=7 real-sync=3 sends=2 receives=2\n"
    "  late_sender=3\n  path: computation=3 communication=2\n"
    "  MPI_Sendrecv: count=2 time=7 real-sync=3 late_sender=3 path=2 ranks=0,1\n"
    "path from 1 to 0, 1 changes; makespan 5\n" },
  /* rank 1 begins at 1 and comes at 3; 0 is through at 5, 1 at 6 */
  { "barrier", HEAD "0 barrier took=5us\n1 begin 1us\n1 compute 2us\n1 barrier took=3us\n",
    "MAIN: cpu=2 collective=8 potential-sync=3 variation=1 collectives=1\n"
    "  wait_at_barrier=3\n  path: computation=2 communication=3\n"
    "  MPI_Barrier: count=2 time=8 potential-sync=3 variation=1 wait_at_barrier=3 path=3 "
    "ranks=0,1\n"
    "path from 1 to 1, 0 changes; makespan 6\n" },
  { "nxn", HEAD "0 allreduce 8 took=4us\n1 compute 3us\n1 allreduce 8 took=2us\n",
    "MAIN: cpu=3 collective=6 potential-sync=3 variation=1 collectives=1\n"
    "  wait_at_nxn=3\n  path: computation=3 communication=2\n"
    "  MPI_Allreduce: count=2 time=6 potential-sync=3 variation=1 wait_at_nxn=3 path=2 "
    "ranks=0,1\n"
    "path from 1 to 1, 0 changes; makespan 5\n" },
  /* the root comes at 3; it does not wait for others */
  { "late-broadcast", HEAD "0 bcast 8 root=1 took=5us\n1 compute 3us\n1 bcast 8 root=1 took=1us\n",
    "MAIN: cpu=3 collective=6 potential-sync=3 variation=1 collectives=1\n"
    "  late_broadcast=3\n  path: computation=3 communication=2\n"
    "  MPI_Bcast: count=2 time=6 potential-sync=3 variation=1 late_broadcast=3 path=2 "
    "ranks=0,1\n"
    "path from 1 to 0, 1 changes; makespan 5\n" },
  { "early-reduce", HEAD "0 reduce 8 took=5us\n1 compute 3us\n1 reduce 8 took=1us\n",
    "MAIN: cpu=3 collective=6 potential-sync=3 variation=1 collectives=1\n"
    "  early_reduce=3\n  path: computation=3 communication=2\n"
    "  MPI_Reduce: count=2 time=6 potential-sync=3 variation=1 early_reduce=3 path=2 "
    "ranks=0,1\n"
    "path from 1 to 0, 1 changes; makespan 5\n" },
  /* the root needs what both bring: rank 2 comes last */
  { "early-reduce-of-three",
    "predictor-trace 1\nranks 3\n0 reduce 8 took=6us\n1 compute 1us\n1 reduce 8 took=1us\n"
    "2 compute 4us\n2 reduce 8 took=1us\n",
    "MAIN: cpu=5 collective=8 potential-sync=7 variation=5 collectives=1\n"
    "  early_reduce=4\n  path: computation=4 communication=2\n"
    "  MPI_Reduce: count=3 time=8 potential-sync=7 variation=5 early_reduce=4 path=2 "
    "ranks=0,1,2\n"
    "path from 2 to 0, 1 changes; makespan 6\n" },
  /* of a communicator of ranks 1 and 0, in this order: 0 waits for 1 */
  { "early-scan",
    HEAD "comm 1: 1 0\n0 scan 8 comm=1 took=5us\n1 compute 3us\n1 scan 8 comm=1 took=1us\n",
    "MAIN: cpu=3 collective=6 potential-sync=3 variation=1 collectives=1\n"
    "  early_scan=3\n  path: computation=3 communication=2\n"
    "  MPI_Scan: count=2 time=6 potential-sync=3 variation=1 early_scan=3 path=2 ranks=0,1\n"
    "path from 1 to 0, 1 changes; makespan 5\n" },
  /* the first member needs nobody, though the second one is late */
  { "exscan", HEAD "0 exscan 8 took=1us\n1 compute 3us\n1 exscan 8 took=1us\n",
    "MAIN: cpu=3 collective=2 potential-sync=3 variation=3 collectives=1\n"
    "  path: computation=3 communication=1\n"
    "  MPI_Exscan: count=2 time=2 potential-sync=3 variation=3 path=1 ranks=0,1\n"
    "path from 1 to 1, 0 changes; makespan 4\n" },
  /* 0 gets from 1 only, who comes at 2; 2, whom it does not need, at 9 */
  { "late-neighbour",
    "predictor-trace 1\nranks 3\n"
    "0 neighbor_allgather 8 sources=[1] targets=[1] took=4us\n1 compute 2us\n"
    "1 neighbor_allgather 8 sources=[0] targets=[0] took=2us\n2 compute 9us\n"
    "2 neighbor_allgather 8 took=1us\n",
    "MAIN: cpu=11 collective=7 potential-sync=16 variation=12 collectives=1\n"
    "  late_neighbour=2\n  path: computation=9 communication=1\n"
    "  MPI_Neighbor_allgather: count=3 time=7 potential-sync=16 variation=12 late_neighbour=2 "
    "path=1 ranks=0,1,2\n"
    "path from 2 to 2, 0 changes; makespan 10\n" },
  /* rank 1 begins it at 5; a barrier between the call and its wait is the second one */
  { "nonblocking-collective",
    HEAD "0 iallreduce 8 request=a took=1us\n0 compute 1us\n0 barrier took=4us\n0 wait a took=2us\n"
         "1 compute 5us\n1 iallreduce 8 request=a took=1us\n1 barrier took=0us\n"
         "1 wait a took=1us\n",
    "MAIN: cpu=6 collective=9 potential-sync=4 waits=2 collectives=2\n"
    "  wait_at_barrier=4\n  path: computation=5 communication=3\n"
    "  MPI_Barrier: count=2 time=4 potential-sync=4 wait_at_barrier=4 ranks=0,1\n"
    "  MPI_Iallreduce: count=2 time=2 path=1 ranks=0,1\n"
    "  MPI_Wait: count=2 time=3 path=2 ranks=0,1\n"
    "path from 1 to 0, 1 changes; makespan 8\n" },
  { "wait-at-nxn",
    HEAD "0 iallreduce 8 request=a took=1us\n0 compute 1us\n0 wait a took=5us\n"
         "1 compute 5us\n1 iallreduce 8 request=a took=1us\n1 wait a took=1us\n",
    "MAIN: cpu=6 collective=8 waits=2 collectives=1\n"
    "  wait_at_nxn=3\n"
    "  path: computation=5 communication=2\n"
    "  MPI_Iallreduce: count=2 time=2 ranks=0,1\n"
    "  MPI_Wait: count=2 time=6 wait_at_nxn=3 path=2 ranks=0,1\n"
    "path from 1 to 0, 1 changes; makespan 7\n" },
  /* the archive says no more of a probe than its name: of the message received next */
  { "probe",
    HEAD "0 local \"MPI_Probe\" 6us\n0 recv 1 8 took=1us\n1 compute 5us\n1 send 0 8 took=1us\n",
    "MAIN: cpu=5 sendrecv=8 real-sync=5 sends=1 receives=1 waits=1\n"
    "  late_sender=5\n  path: computation=5 communication=2\n"
    "  MPI_Probe: count=1 time=6 real-sync=5 late_sender=5 path=1 ranks=0\n"
    "  MPI_Recv: count=1 time=1 path=1 ranks=0\n"
    "  MPI_Send: count=1 time=1 ranks=1\n"
    "path from 1 to 0, 1 changes; makespan 7\n" },
  /* sent at 13: polls from 0 to 2, 4 to 6 (2 us between them are the loop), 12 to 14 (6 us
   * are computation); the last loop has begun at 12 */
  { "polls",
    HEAD "0 irecv 1 8 request=a took=0us\n0 test a done=no took=2us\n0 compute 2us\n"
         "0 test a done=no took=2us\n0 compute 6us\n0 test a done=yes took=2us\n"
         "1 compute 13us\n1 send 0 8 took=1us\n",
    "MAIN: cpu=19 sendrecv=9 real-sync=7 sends=1 receives=1 waits=3\n"
    "  late_sender=7\n  path: computation=13 communication=1\n"
    "  MPI_Irecv: count=1 time=0 ranks=0\n"
    "  MPI_Send: count=1 time=1 ranks=1\n"
    "  MPI_Test: count=3 time=8 real-sync=7 late_sender=7 polls=2 path=1 ranks=0\n"
    "path from 1 to 0, 1 changes; makespan 14\n" },
  /* of two, one comes at 3 and the other at 6: any waits for the first, all for the last */
  { "polls-of-several",
    HEAD "0 irecv 1 8 request=a took=0us\n0 irecv 1 8 tag=1 request=b took=0us\n"
         "0 testany a b done=none took=4us\n0 testall a b done=none took=3us\n"
         "0 waitall a b took=1us\n1 compute 3us\n1 send 0 8 took=0us\n1 compute 3us\n"
         "1 send 0 8 tag=1 took=0us\n",
    "MAIN: cpu=6 sendrecv=8 real-sync=5 overlap=5 sends=2 receives=2 waits=3\n"
    "  late_sender=5\n  path: computation=6 communication=2\n"
    "  MPI_Irecv: count=2 time=0 ranks=0\n"
    "  MPI_Send: count=2 time=0 ranks=1\n"
    "  MPI_Testall: count=1 time=3 real-sync=2 late_sender=2 polls=1 path=1 ranks=0\n"
    "  MPI_Testany: count=1 time=4 real-sync=3 late_sender=3 polls=1 ranks=0\n"
    "  MPI_Waitall: count=1 time=1 overlap=5 path=1 ranks=0\n"
    "path from 1 to 0, 1 changes; makespan 8\n" },
  { "late-constructor", HEAD "0 comm_split took=5us\n1 compute 4us\n1 comm_split took=1us\n",
    "MAIN: cpu=4 system=6\n"
    "  wait_at_nxn=4\n"
    "  path: computation=4 communication=1\n"
    "  MPI_Comm_split: count=2 time=6 wait_at_nxn=4 path=1 ranks=0,1\n"
    "path from 1 to 0, 1 changes; makespan 5\n" },
  /* posted at 4, which start waits for; completed at 6, which wait waits for from 5 on */
  { "late-post",
    HEAD "0 win_start targets=[1] took=5us\n0 put 1 8 took=1us\n0 win_complete took=1us\n"
         "1 compute 4us\n1 win_post sources=[0] took=1us\n1 win_wait took=3us\n",
    "MAIN: cpu=4 sendrecv=11\n"
    "  late_post=4 late_complete=1\n"
    "  path: computation=4 communication=4\n"
    "  MPI_Put: count=1 time=1 path=1 ranks=0\n"
    "  MPI_Win_complete: count=1 time=1 ranks=0\n"
    "  MPI_Win_post: count=1 time=1 ranks=1\n"
    "  MPI_Win_start: count=1 time=5 late_post=4 path=1 ranks=0\n"
    "  MPI_Win_wait: count=1 time=3 late_complete=1 path=2 ranks=1\n"
    "path from 1 to 1, 2 changes; makespan 8\n" },
  /* the first calls had returned before; that is a library that waits at the end */
  { "late-post-at-complete",
    HEAD "0 win_start targets=[1] took=1us\n0 put 1 8 took=1us\n0 win_complete took=4us\n"
         "1 compute 4us\n1 win_post sources=[0] took=1us\n1 win_wait took=3us\n",
    "MAIN: cpu=4 sendrecv=10\n"
    "  late_post=2 late_wait=1\n"
    "  path: computation=4 communication=4\n"
    "  MPI_Put: count=1 time=1 ranks=0\n"
    "  MPI_Win_complete: count=1 time=4 late_post=2 late_wait=1 ranks=0\n"
    "  MPI_Win_post: count=1 time=1 path=1 ranks=1\n"
    "  MPI_Win_start: count=1 time=1 ranks=0\n"
    "  MPI_Win_wait: count=1 time=3 path=3 ranks=1\n"
    "path from 1 to 1, 0 changes; makespan 8\n" },
  /* complete goes on until the target waits, at 5 */
  { "late-wait",
    HEAD "0 win_start targets=[1] took=0us\n0 put 1 8 took=1us\n0 win_complete took=6us\n"
         "1 win_post sources=[0] took=0us\n1 compute 5us\n1 win_wait took=3us\n",
    "MAIN: cpu=5 sendrecv=10\n"
    "  late_wait=4\n"
    "  path: computation=5 communication=3\n"
    "  MPI_Put: count=1 time=1 ranks=0\n"
    "  MPI_Win_complete: count=1 time=6 late_wait=4 ranks=0\n"
    "  MPI_Win_post: count=1 time=0 ranks=1\n"
    "  MPI_Win_start: count=1 time=0 ranks=0\n"
    "  MPI_Win_wait: count=1 time=3 path=3 ranks=1\n"
    "path from 1 to 1, 0 changes; makespan 8\n" },
  /* two epochs: the second start waits for the second post only */
  { "late-post-twice",
    HEAD "0 win_start targets=[1] took=1us\n0 win_complete took=1us\n"
         "0 win_start targets=[1] took=5us\n0 win_complete took=1us\n"
         "1 win_post sources=[0] took=1us\n1 win_wait took=1us\n1 compute 4us\n"
         "1 win_post sources=[0] took=1us\n1 win_wait took=2us\n",
    "MAIN: cpu=4 sendrecv=13\n"
    "  late_post=4\n"
    "  path: computation=4 communication=5\n"
    "  MPI_Win_complete: count=2 time=2 ranks=0\n"
    "  MPI_Win_post: count=2 time=2 path=2 ranks=1\n"
    "  MPI_Win_start: count=2 time=6 late_post=4 ranks=0\n"
    "  MPI_Win_wait: count=2 time=3 path=3 ranks=1\n"
    "path from 1 to 1, 0 changes; makespan 9\n" },
  { "late-complete",
    HEAD "0 win_start targets=[1] took=1us\n0 compute 4us\n0 win_complete took=1us\n"
         "1 win_post sources=[0] took=1us\n1 win_wait took=6us\n",
    "MAIN: cpu=4 sendrecv=9\n"
    "  late_complete=4\n"
    "  path: computation=4 communication=3\n"
    "  MPI_Win_complete: count=1 time=1 ranks=0\n"
    "  MPI_Win_post: count=1 time=1 ranks=1\n"
    "  MPI_Win_start: count=1 time=1 path=1 ranks=0\n"
    "  MPI_Win_wait: count=1 time=6 late_complete=4 path=2 ranks=1\n"
    "path from 0 to 1, 1 changes; makespan 7\n" },
  /* 0 holds until 5, which 1 waits for from 1 on */
  { "lock",
    HEAD "0 win_lock 0 mode=exclusive took=1us\n0 compute 3us\n0 win_unlock 0 took=1us\n"
         "1 compute 1us\n1 win_lock 0 mode=exclusive took=5us\n1 put 0 8 took=1us\n"
         "1 win_unlock 0 took=1us\n",
    "MAIN: cpu=4 sendrecv=9\n"
    "  lock_competition=4\n"
    "  path: computation=3 communication=5\n"
    "  MPI_Put: count=1 time=1 path=1 ranks=1\n"
    "  MPI_Win_lock: count=2 time=6 lock_competition=4 path=2 ranks=0,1\n"
    "  MPI_Win_unlock: count=2 time=2 path=2 ranks=0,1\n"
    "path from 0 to 1, 1 changes; makespan 8\n" },
  /* the lock is asked for in the first call that needs it */
  { "lock-later",
    HEAD "0 win_lock 0 mode=exclusive took=1us\n0 compute 3us\n0 win_unlock 0 took=1us\n"
         "1 win_lock 0 took=1us\n1 put 0 8 took=1us\n1 win_flush 0 took=4us\n"
         "1 win_unlock 0 took=1us\n",
    "MAIN: cpu=3 sendrecv=9\n"
    "  lock_competition=3\n"
    "  path: computation=3 communication=4\n"
    "  MPI_Put: count=1 time=1 ranks=1\n"
    "  MPI_Win_flush: count=1 time=4 lock_competition=3 path=1 ranks=1\n"
    "  MPI_Win_lock: count=2 time=2 path=1 ranks=0,1\n"
    "  MPI_Win_unlock: count=2 time=2 path=2 ranks=0,1\n"
    "path from 0 to 1, 1 changes; makespan 7\n" },
  { "lock-shared",
    HEAD "0 win_lock 0 took=1us\n0 compute 3us\n0 win_unlock 0 took=1us\n"
         "1 win_lock 0 took=6us\n1 win_unlock 0 took=1us\n",
    "MAIN: cpu=3 sendrecv=9\n"
    "  path: communication=7\n"
    "  MPI_Win_lock: count=2 time=7 path=6 ranks=0,1\n"
    "  MPI_Win_unlock: count=2 time=2 path=1 ranks=0,1\n"
    "path from 1 to 1, 0 changes; makespan 7\n" },
  { "lock-of-others",
    HEAD "0 win_lock 0 mode=exclusive took=1us\n0 compute 3us\n0 win_unlock 0 took=1us\n"
         "1 win_lock 1 mode=exclusive took=6us\n1 win_unlock 1 took=1us\n",
    "MAIN: cpu=3 sendrecv=9\n"
    "  path: communication=7\n"
    "  MPI_Win_lock: count=2 time=7 path=6 ranks=0,1\n"
    "  MPI_Win_unlock: count=2 time=2 path=1 ranks=0,1\n"
    "path from 1 to 1, 0 changes; makespan 7\n" },
  /* nothing is known of what a request waits for */
  { "rput",
    HEAD "0 win_lock 1 took=1us\n0 rput 1 8 request=a took=1us\n0 wait a took=3us\n"
         "0 win_unlock 1 took=1us\n1 compute 6us\n",
    "MAIN: cpu=6 sendrecv=6 waits=1\n"
    "  path: communication=6\n"
    "  MPI_Rput: count=1 time=1 path=1 ranks=0\n"
    "  MPI_Wait: count=1 time=3 path=3 ranks=0\n"
    "  MPI_Win_lock: count=1 time=1 path=1 ranks=0\n"
    "  MPI_Win_unlock: count=1 time=1 path=1 ranks=0\n"
    "path from 0 to 0, 0 changes; makespan 6\n" },
  /* what makes communicators is a system call, and so is what has a name only */
  { "system",
    HEAD "0 comm_dup took=2us\n0 local \"MPI_Wtime\" 1us\n0 other \"MPI_File_open\" 4us\n"
         "1 comm_dup took=7us\n",
    "MAIN: system=14\n"
    "  path: communication=7\n"
    "  MPI_Comm_dup: count=2 time=9 path=2 ranks=0,1\n"
    "  MPI_File_open: count=1 time=4 path=4 ranks=0\n"
    "  MPI_Wtime: count=1 time=1 path=1 ranks=0\n"
    "path from 0 to 0, 0 changes; makespan 7\n" },
  /* rank 0 pauses for 5: it sends at 7; a pause is no part of the path either */
  { "pause",
    HEAD "0 compute 2us\n0 delay 0s took=5us\n0 send 1 8 took=1us\n1 compute 1us\n"
         "1 recv 0 8 took=8us\n",
    "MAIN: cpu=3 sendrecv=9 real-sync=6 sends=1 receives=1\n"
    "  late_sender=6\n  path: computation=2 communication=2\n"
    "  MPI_Recv: count=1 time=8 real-sync=6 late_sender=6 path=2 ranks=1\n"
    "  MPI_Send: count=1 time=1 ranks=0\n"
    "path from 0 to 1, 1 changes; makespan 4\nrecording-paused\n" },
  /* who met rank 0 may have been rank 1 in a pause */
  { "pause-alone", HEAD "0 delay 0s took=5us\n0 barrier took=2us\n1 compute 6us\n",
    "MAIN: cpu=6 collective=2 collectives=1\n  path: communication=2\n"
    "  MPI_Barrier: count=1 time=2 path=2 ranks=0\n"
    "path from 0 to 0, 0 changes; makespan 2\nrecording-paused\n" },
  /* an interval entered twice, one inside it; ranks 0 and 1 compute stretch 9 alike */
  { "intervals",
    HEAD "0 enter \"a\"\n0 compute 1us\n0 enter \"b\"\n0 compute 2us\n0 leave \"b\"\n"
         "0 leave \"a\"\n0 enter \"a\"\n0 send 1 8 took=1us\n0 leave \"a\"\n"
         "1 alike_begin 9\n1 compute 2us\n1 alike_end 9\n1 enter \"a\"\n1 recv 0 8 took=4us\n"
         "1 leave \"a\"\n0 alike_begin 9\n0 alike_end 9\n",
    "MAIN: cpu=2 insufficient=1\n"
    "a: cpu=1 sendrecv=5 real-sync=1 sends=1 receives=1 entered=2\n"
    "  late_sender=1\n  path: computation=1 communication=3\n"
    "  MPI_Recv: count=1 time=4 real-sync=1 late_sender=1 path=3 ranks=1\n"
    "  MPI_Send: count=1 time=1 ranks=0\n"
    "b: cpu=2 entered=1\n  path: computation=2\n"
    "path from 0 to 1, 1 changes; makespan 6\n" },
  /* messages of one tag in their order; a cancelled receive gets none of them */
  { "order",
    HEAD "0 irecv 1 8 request=a took=0us\n0 irecv any 8 tag=any matched=1:0 request=b took=0us\n"
         "0 cancel a took=0us\n0 wait a took=0us\n0 recv 1 8 took=4us\n0 wait b took=0us\n"
         "1 compute 1us\n1 send 0 8 took=1us\n1 compute 1us\n1 send 0 8 took=1us\n",
    "MAIN: cpu=2 sendrecv=6 real-sync=3 overlap=3 sends=2 receives=3 waits=2\n"
    "  late_sender=3\n  path: computation=2 communication=2\n"
    "  MPI_Cancel: count=1 time=0 ranks=0\n"
    "  MPI_Irecv: count=2 time=0 ranks=0\n"
    "  MPI_Recv: count=1 time=4 real-sync=3 late_sender=3 path=1 ranks=0\n"
    "  MPI_Send: count=2 time=2 path=1 ranks=1\n"
    "  MPI_Wait: count=2 time=0 overlap=3 ranks=0\n"
    "path from 1 to 0, 1 changes; makespan 4\n" },
  { "persistent",
    HEAD "0 send_init 1 8 request=a took=0us\n0 start a took=1us\n0 compute 2us\n"
         "0 wait a took=1us\n0 start a took=1us\n0 wait a took=1us\n"
         "1 recv 0 8 took=1us\n1 recv 0 8 took=5us\n",
    "MAIN: cpu=2 sendrecv=10 real-sync=3 overlap=4 sends=2 receives=2 waits=2\n"
    "  late_sender=3\n  path: computation=2 communication=4\n"
    "  MPI_Recv: count=2 time=6 real-sync=3 late_sender=3 ranks=1\n"
    "  MPI_Send_init: count=1 time=0 ranks=0\n"
    "  MPI_Start: count=2 time=2 path=2 ranks=0\n"
    "  MPI_Wait: count=2 time=2 overlap=4 path=2 ranks=0\n"
    "path from 0 to 0, 0 changes; makespan 6\n" },
  /* equal calls of other stacks are other sites */
  { "sites",
    HEAD "site 0: \"m.c\" 7 \"main\"\nsite 1: \"x.c\" 2 \"f\" from=0\n"
         "site 2: \"m.c\" 9 \"main\"\nsite 3: \"x.c\" 2 \"f\" from=2\n"
         "0 barrier took=1us site=3\n0 barrier took=2us site=1\n0 barrier took=3us site=1\n"
         "1 barrier took=1us site=3\n1 barrier took=2us site=1\n1 barrier took=3us site=1\n",
    "MAIN: collective=12 collectives=3\n  path: communication=6\n"
    "  x.c:2<m.c:7 MPI_Barrier: count=4 time=10 path=5 ranks=0,1\n"
    "  x.c:2<m.c:9 MPI_Barrier: count=2 time=2 path=1 ranks=0,1\n"
    "path from 0 to 0, 0 changes; makespan 6\n" },
  { "unmatched", HEAD "0 send 1 8 took=1us\n1 barrier took=1us\n0 irecv any 8 request=a took=1us\n",
    "MAIN: sendrecv=2 collective=1 sends=1 receives=1\n  path: communication=2\n"
    "  MPI_Barrier: count=1 time=1 ranks=1\n  MPI_Irecv: count=1 time=1 path=1 ranks=0\n"
    "  MPI_Send: count=1 time=1 path=1 ranks=0\n"
    "path from 0 to 0, 0 changes; makespan 2\nmatching-incomplete\n" },
  { "clocks", HEAD "0 begin 9us\n0 send 1 8 took=1us\n1 recv 0 8 took=2us\n",
    "MAIN: sendrecv=3 real-sync=2 sends=1 receives=1\n  late_sender=2\n"
    "  path: communication=1\n"
    "  MPI_Recv: count=1 time=2 real-sync=2 late_sender=2 ranks=1\n"
    "  MPI_Send: count=1 time=1 path=1 ranks=0\n"
    "path from 0 to 0, 0 changes; makespan 10\nclock-order\n" },
  /* the first send is missing: that is no matter of clocks */
  { "missing-send",
    HEAD "1 recv 0 8 took=2us\n0 compute 3us\n0 send 1 8 took=1us\n1 recv 0 8 took=2us\n",
    "MAIN: cpu=3 sendrecv=5 real-sync=2 sends=1 receives=2\n  late_sender=2\n"
    "  path: computation=3 communication=1\n"
    "  MPI_Recv: count=2 time=4 real-sync=2 late_sender=2 ranks=1\n"
    "  MPI_Send: count=1 time=1 path=1 ranks=0\n"
    "path from 0 to 0, 0 changes; makespan 4\nmatching-incomplete\n" },
};

/* ---- figures as text */

static void
show (GString *out, const char *name, PdWide ps)
{
  if (ps != 0)
    g_string_append_printf (out, " %s=%g", name, (gdouble) ps / PD_PS_PER_US);
}

static void
show_count (GString *out, const char *name, guint64 count)
{
  if (count != 0)
    g_string_append_printf (out, " %s=%" G_GUINT64_FORMAT, name, count);
}

/* What was added to the interval itself: folded values less those of its children. */
static void
show_interval (GString *out, const GArray *results, guint32 node)
{
  static const struct
  {
    const char *name;
    PdCharacteristic c;
  } times[] = {
    { "cpu", PD_C_CPU_TIME },
    { "sendrecv", PD_C_SENDRECV_TIME },
    { "collective", PD_C_COLLECTIVE_TIME },
    { "system", PD_C_SYSTEM_TIME },
    { "insufficient", PD_C_INSUFFICIENT_PARALLELISM },
    { "real-sync", PD_C_REAL_SYNC },
    { "potential-sync", PD_C_SYNCHRONIZATION },
    { "variation", PD_C_TIME_VARIATION },
    { "overlap", PD_C_OVERLAP },
  };
  static const struct
  {
    const char *name;
    PdQuantity q;
  } counts[] = {
    { "sends", PD_Q_N_SENDS },
    { "receives", PD_Q_N_RECEIVES },
    { "waits", PD_Q_N_WAITS },
    { "collectives", PD_Q_N_COLLECTIVES },
  };
  const PdIntervalResult *own = &g_array_index (results, PdIntervalResult, node);

  g_string_append_printf (out, "%s:", node == 0 ? "MAIN" : own->name);
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      PdWide value = own->values[times[i].c].sum.ps;
      for (guint k = 1; k < results->len; k++)
        {
          const PdIntervalResult *child = &g_array_index (results, PdIntervalResult, k);
          if (child->parent == node)
            value -= child->values[times[i].c].sum.ps;
        }
      show (out, times[i].name, value);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      guint64 value = own->counts[counts[i].q - PD_N_TIMES];
      for (guint k = 1; k < results->len; k++)
        {
          const PdIntervalResult *child = &g_array_index (results, PdIntervalResult, k);
          if (child->parent == node)
            value -= child->counts[counts[i].q - PD_N_TIMES];
        }
      show_count (out, counts[i].name, value);
    }
  if (node != 0)
    show_count (out, "entered", own->counts[PD_Q_EXE_COUNT - PD_N_TIMES]);
  g_string_append_c (out, '\n');
}

static void
show_waits (GString *out, const PdTimeSum *waits)
{
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    show (out, pd_wait_state_id ((PdWaitState) i), waits[i].ps);
}

/* A line of its own, if there is anything on it. */
static void
show_line (GString *out, GString *line, const char *prefix)
{
  if (line->len > 0)
    g_string_append_printf (out, "%s%s\n", prefix, line->str + (*prefix == '\0'));
  g_string_free (line, TRUE);
}

static void
show_site (GString *out, const PdAnalysis *analysis, const PdCallSite *site)
{
  g_string_append (out, "  ");
  for (guint32 at = site->site; at != PD_PROGRAM_NONE;)
    {
      PdProgramSite place = pd_program_get_site (analysis->program, at);
      at = place.parent;
      g_string_append_printf (out, "%s:%d%s", place.file, (int) place.line,
                              at != PD_PROGRAM_NONE ? "<" : " ");
    }
  g_string_append_printf (out, "%s: count=%d time=%g", site->function, (int) site->costs.count,
                          (gdouble) site->costs.time.ps / PD_PS_PER_US);
  show (out, "real-sync", site->costs.real_sync.ps);
  show (out, "potential-sync", site->costs.potential_sync.ps);
  show (out, "variation", site->costs.time_variation.ps);
  show (out, "overlap", site->costs.overlap.ps);
  show_waits (out, site->waits);
  show_count (out, "polls", site->n_polls);
  show (out, "path", site->on_path.ps);
  for (guint i = 0; i < site->ranks->len; i++)
    g_string_append_printf (out, "%s%u", i == 0 ? " ranks=" : ",",
                            g_array_index (site->ranks, PdCallSiteRank, i).rank);
  g_string_append_c (out, '\n');
}

static char *
show_analysis (const PdAnalysis *analysis, const PdMessages *messages)
{
  g_autoptr (GArray) results = pd_interval_tree_fold (analysis->tree);
  GString *out = g_string_new (NULL);

  for (guint32 node = 0; node < results->len; node++)
    {
      GString *waits = g_string_new (NULL), *path = g_string_new (NULL);
      show_interval (out, results, node);
      show_waits (waits, analysis->waits + node * PD_N_WAIT_STATES);
      show_line (out, waits, " ");
      show (path, "computation", analysis->path[node].computation.ps);
      show (path, "communication", analysis->path[node].communication.ps);
      show_line (out, path, "  path:");
      for (guint i = 0; i < analysis->sites->len; i++)
        {
          const PdCallSite *site = &g_array_index (analysis->sites, PdCallSite, i);
          if (site->node == node)
            show_site (out, analysis, site);
        }
    }
  g_string_append_printf (out, "path from %u to %u, %u changes; makespan %g\n",
                          analysis->path_begin, analysis->path_end, analysis->path_changes,
                          (gdouble) analysis->makespan.ps / PD_PS_PER_US);
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    g_string_append_printf (out, "%s\n", pd_messages_get (messages, i)->id);
  return g_string_free (out, FALSE);
}

/* What actions refer to gets the same numbers. */
static void
copy_tables (const PdProgram *program, PdProgramBuilder *to)
{
  guint32 n;

  for (guint32 i = 0; i < pd_program_get_n_strings (program); i++)
    pd_program_builder_add_string (to, pd_program_get_string (program, i));
  for (guint32 i = 0; i < pd_program_get_n_counts (program); i++)
    {
      const gint64 *counts = pd_program_get_counts (program, i, &n);
      pd_program_builder_add_counts (to, counts, n);
    }
  for (guint32 i = 1; i < pd_program_get_n_comms (program); i++)
    {
      const guint32 *ranks = pd_program_get_comm (program, i, &n);
      pd_program_builder_add_comm (to, ranks, n, NULL);
    }
  for (guint32 i = 0; i < pd_program_get_n_intervals (program); i++)
    pd_program_builder_add_interval (to, pd_program_get_interval (program, i));
  for (guint32 i = 0; i < pd_program_get_n_sites (program); i++)
    {
      const PdProgramSite site = pd_program_get_site (program, i);
      pd_program_builder_add_site (to, &site);
    }
}

/* The same program, three times one behind the other. @is_packed: its actions are, as recorded ones
 */
static PdProgram *
repeat (const PdProgram *program, gboolean is_packed)
{
  guint32 n_ranks = pd_program_get_n_ranks (program);
  PdProgramBuilder *builder = pd_program_builder_new (n_ranks, PD_AMOUNT_TIME);
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  if (is_packed)
    pd_program_builder_pack (builder);
  copy_tables (program, builder);
  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      for (guint i = 0; i < 3; i++)
        {
          pd_action_reader_begin (&reader, rank);
          while ((action = pd_action_reader_next (&reader)) != NULL)
            g_assert_true (pd_program_builder_add (builder, rank, action, NULL));
        }
      pd_program_builder_set_recorded_begin (builder, rank,
                                             pd_program_get_recorded_begin (program, rank));
    }
  return pd_program_builder_finish (builder);
}

/* Returns: (transfer full): its figures. */
static char *
analyse (const PdProgram *program)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (program, "test", messages, &error);

  g_assert_no_error (error);
  g_assert_true (pd_interval_tree_check (analysis->tree, analysis->end_times, FALSE, &error));
  g_assert_no_error (error);
  return show_analysis (analysis, messages);
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMpTrace) trace = test_read_text (cases[i].text);
  g_autofree char *figures = analyse (trace->program);

  g_assert_cmpstr (figures, ==, cases[i].figures);
}

/* Packed actions that come again are read by ways of their own: with the same figures. */
static void
test_packed (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PdMpTrace) trace = test_read_text (cases[i].text);
      g_autoptr (PdProgram) cells = repeat (trace->program, FALSE);
      g_autoptr (PdProgram) packed = repeat (trace->program, TRUE);
      g_autofree char *expected = analyse (cells), *figures = analyse (packed);
      g_assert_true (pd_program_is_packed (packed));
      g_assert_cmpstr (figures, ==, expected);
    }
}

/* Two requests overlap for 8e18 ps each, which is more than a time can be. */
static void
test_damaged (void)
{
  g_autoptr (PdMpTrace) trace =
      test_read_text (HEAD "0 isend 1 8 request=a took=0us\n0 isend 1 8 request=b took=0us\n"
                           "0 compute 8000000s\n0 waitall a b took=0us\n"
                           "1 recv 0 8 took=1us\n1 recv 0 8 took=1us\n");
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (trace->program, "test", NULL, NULL);
  g_autoptr (GArray) results = pd_interval_tree_fold (analysis->tree);
  const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, 0);

  g_assert_true (r->values[PD_C_OVERLAP].sum.ps == G_MAXINT64);
}

static void
test_unmeasured (void)
{
  static const char *const texts[] = { HEAD "0 send 1 8\n1 recv 0 8\n",
                                       "predictor-trace 1\nranks 1\ncomputation flops\n"
                                       "0 barrier took=1us\n" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PdMpTrace) trace = test_read_text (texts[i]);
      g_autoptr (GError) error = NULL;
      g_assert_null (pd_analysis_new (trace->program, "test", NULL, &error));
      g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
    }
}

/* Call sites of an interval have those inside it, the same one only once. */
static void
test_sites_within (void)
{
  g_autoptr (PdMpTrace) trace =
      test_read_text (HEAD "site 0: \"m.c\" 7\n0 enter \"a\"\n0 barrier took=1us site=0\n"
                           "0 leave \"a\"\n0 barrier took=2us site=0\n"
                           "1 barrier took=4us site=0\n1 barrier took=8us site=0\n");
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (trace->program, "test", NULL, NULL);
  g_autoptr (GArray) all = pd_analysis_get_sites (analysis, 0);
  g_autoptr (GArray) a = pd_analysis_get_sites (analysis, 1);
  const PdCallSite *site = &g_array_index (all, PdCallSite, 0);

  g_assert_cmpuint (analysis->sites->len, ==, 2);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpuint (a->len, ==, 1);
  g_assert_cmpuint (site->costs.count, ==, 4);
  g_assert_true (site->costs.time.ps == 15 * PD_PS_PER_US);
  g_assert_cmpuint (site->ranks->len, ==, 2);
  g_assert_true (g_array_index (site->ranks, PdCallSiteRank, 0).costs.time.ps == 3 * PD_PS_PER_US);
}

/* The sizes of the messages of each function, as "n: bytes, smallest to largest; classes". */
static char *
show_sizes (const PdAnalysis *analysis)
{
  g_autoptr (GArray) all = pd_analysis_get_sites (analysis, 0);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const PdCallSite *site = &g_array_index (all, PdCallSite, i);
      const PdSizes *sizes = &site->sizes;
      if (sizes->n == 0)
        continue;
      g_string_append_printf (out, "%s %d: %d, %d to %d;", site->function, (int) sizes->n,
                              (int) sizes->bytes.ps, (int) sizes->smallest, (int) sizes->largest);
      for (guint k = 0; k < PD_N_SIZE_CLASSES; k++)
        if (sizes->classes[k] > 0)
          g_string_append_printf (out, " %d-%d: %d", (int) pd_sizes_class_from (k),
                                  (int) pd_sizes_class_to (k), (int) sizes->classes[k]);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

static void
test_sizes (void)
{
  static const struct
  {
    const char *text;
    const char *sizes;
  } rows[] = {
    /* class limits; what is waited for is counted where it began */
    { "0 send 1 0 took=0us\n0 send 1 1 took=0us\n0 send 1 4 took=0us\n0 send 1 7 took=0us\n"
      "0 send 1 8 took=0us\n1 irecv 0 0 request=a took=0us\n1 recv 0 1 took=0us\n"
      "1 recv 0 4 took=0us\n1 recv 0 7 took=0us\n1 recv 0 8 took=0us\n1 wait a took=0us\n",
      "MPI_Irecv 1: 0, 0 to 0; 0-0: 1\n"
      "MPI_Recv 4: 20, 1 to 8; 1-1: 1 4-7: 2 8-15: 1\n"
      "MPI_Send 5: 20, 0 to 8; 0-0: 1 1-1: 1 4-7: 2 8-15: 1\n" },
    /* both halves; nothing with nobody; what is persistent begins in MPI_Start */
    { "0 sendrecv 1 100 from=1 from-bytes=3 took=0us\n1 sendrecv 0 3 from=0 from-bytes=100 "
      "took=0us\n"
      "0 send_init 1 9 request=a took=0us\n0 start a took=0us\n0 wait a took=0us\n"
      "1 recv 0 9 took=0us\n0 send none 5 took=0us\n",
      "MPI_Recv 1: 9, 9 to 9; 8-15: 1\n"
      "MPI_Sendrecv 4: 206, 3 to 100; 2-3: 2 64-127: 2\n"
      "MPI_Start 1: 9, 9 to 9; 8-15: 1\n" },
    /* each call once; a barrier has none; blocks of different sizes */
    { "0 allreduce 64 took=0us\n1 allreduce 64 took=0us\n0 barrier took=0us\n1 barrier "
      "took=0us\n"
      "0 reduce_scatter recv=[1,2] took=0us\n1 reduce_scatter recv=[1,2] took=0us\n",
      "MPI_Allreduce 2: 128, 64 to 64; 64-127: 2\n"
      "MPI_Reduce_scatter 2: 6, 3 to 3; 2-3: 2\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = g_strconcat (HEAD, rows[i].text, NULL);
      g_autoptr (PdMpTrace) trace = test_read_text (text);
      g_autoptr (PdAnalysis) analysis = pd_analysis_new (trace->program, "test", NULL, NULL);
      g_autofree char *sizes = show_sizes (analysis);
      g_assert_cmpstr (sizes, ==, rows[i].sizes);
    }
}

/* Of 1, 0 and 5 us, called by three of four ranks. */
static void
test_spread (void)
{
  g_autoptr (PdMpTrace) trace =
      test_read_text ("predictor-trace 1\nranks 4\n0 local \"f\" 1us\n2 local \"f\" 5us\n"
                      "3 local \"f\" 0us\n3 local \"g\" 0us\n");
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (trace->program, "test", NULL, NULL);
  g_autoptr (GArray) all = pd_analysis_get_sites (analysis, 0);
  PdSpread f = pd_call_site_get_spread (&g_array_index (all, PdCallSite, 0));
  PdSpread g = pd_call_site_get_spread (&g_array_index (all, PdCallSite, 1));

  g_assert_cmpfloat (f.imbalance, ==, 2.5);
  g_assert_cmpuint (f.rank, ==, 2);
  g_assert_true (isnan (g.imbalance));
  g_assert_cmpuint (g.rank, ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/analyse/analysis/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/analyse/analysis/packed", test_packed);
  g_test_add_func ("/analyse/analysis/damaged", test_damaged);
  g_test_add_func ("/analyse/analysis/unmeasured", test_unmeasured);
  g_test_add_func ("/analyse/analysis/sites-within", test_sites_within);
  g_test_add_func ("/analyse/analysis/sizes", test_sizes);
  g_test_add_func ("/analyse/analysis/spread", test_spread);
  return g_test_run ();
}
