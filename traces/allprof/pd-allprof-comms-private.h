/* The communicators of liballprof traces. A line names one by a handle, the caller's
 * rank and the size; which new handle a call has made is not written. So the calls that
 * make communicators are gone through in the order of every rank until all members have
 * come: MPI_Comm_split tells its colours and keys; of the others the members are those
 * who use a new handle afterwards. A handle that is used for the first time is the
 * oldest communicator that was made and has that rank and size.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_COMMS_PRIVATE_H
#define PD_ALLPROF_COMMS_PRIVATE_H

#include "traces/allprof/pd-allprof-private.h"

PdAllprofHandles *pd_allprof_handles_new (void);

/* The value kept for @comm; FALSE: it is not known, or another one. */
gboolean pd_allprof_handles_find (PdAllprofHandles *self, const PdAllprofComm *comm,
                                  guint32 *index);
void pd_allprof_handles_put (PdAllprofHandles *self, const PdAllprofComm *comm, guint32 index);

/* Works out the members of all communicators of @events (array length=n_ranks: a
 * GArray of PdAllprofEvent each), adds them to @builder and writes the index of
 * each USE. */
gboolean pd_allprof_resolve (GArray *const *events, guint32 n_ranks, PdProgramBuilder *builder,
                             GError **error);

#endif
