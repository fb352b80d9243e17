/* ComSys: a model of MPI over pluggable networks. It answers one question: if
 * rank r calls this MPI function at moment t, when does the call return?
 *
 * Calling convention. Function names are MPI's without the prefix; arguments
 * that cannot matter (buffers) are left out. A timed function takes a #PdCall:
 * who calls, when, and the slot for the moment of return. If that moment is
 * known at once it is stored; otherwise the slot says %PD_TIME_PENDING and is
 * filled later, when the partner's call makes it known; then the rank comes
 * back from pd_comsys_next() at that moment. The library is single-threaded
 * and never blocks.
 *
 * Order. Calls must come in non-decreasing time. pd_comsys_next() gives the
 * ranks in the right order: the smallest time first, protocol events before
 * ranks, then the lowest rank; or, where the machine's network says so, who was
 * queued first.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMSYS_H
#define PD_COMSYS_H

#include "comsys/coll/pd-op.h"
#include "comsys/comm/pd-cart.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/comm/pd-group.h"
#include "comsys/description/pd-machine-files.h"
#include "comsys/description/pd-machine-ideal.h"
#include "comsys/import/pd-machine-import.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/description/pd-machine-noise.h"
#include "comsys/description/pd-machine-show.h"
#include "comsys/description/pd-machine-tools.h"
#include "comsys/description/pd-machine-words.h"
#include "comsys/machine/pd-machine-place.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/machine/pd-points.h"
#include "comsys/mpi/pd-barrier-state.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/mpi/pd-comm-create.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/mpi/pd-win-active.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/net/pd-network.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/p2p/pd-wait-stats.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/tools/pd-aggregate.h"
#include "comsys/tools/pd-alltoall-execute.h"
#include "comsys/tools/pd-alltoall.h"
#include "comsys/tools/pd-estimate.h"
#include "comsys/tools/pd-point-simulate.h"

#endif
