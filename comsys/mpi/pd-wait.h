/* The Wait and Test families.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAIT_H
#define PD_WAIT_H

#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_bundle_add:
 * @bundle: requests of one rank
 * @request: one more; from now on only waited for through @bundle
 */
void pd_bundle_add (PdComsys *self, PdBundle *bundle, PdRequest request);

/**
 * pd_comsys_wait:
 * @request: (inout): becomes %PD_REQUEST_NULL; waiting for that costs nothing
 *
 * MPI_Wait: returns at max (when, completion) + wait-overhead.
 */
void pd_comsys_wait (PdComsys *self, const PdCall *call, PdRequest *request);

/**
 * pd_comsys_waitall:
 * @requests: (array length=n) (inout): become %PD_REQUEST_NULL
 * @n: how many
 *
 * MPI_Waitall: one wait for the latest. @call->status, if not %NULL, has @n
 * entries.
 */
void pd_comsys_waitall (PdComsys *self, const PdCall *call, PdRequest *requests, guint n);

/**
 * pd_comsys_waitall_bundle:
 * @bundle: (inout): becomes empty
 *
 * As pd_comsys_waitall() for a bundle; no statuses.
 */
void pd_comsys_waitall_bundle (PdComsys *self, const PdCall *call, PdBundle *bundle);

/**
 * pd_comsys_waitany:
 * @requests: (array length=n) (inout): must stay valid until the call returns;
 *   the one that completed becomes %PD_REQUEST_NULL
 * @n: how many
 * @index: (out): which; written when the call returns; -1 if all are null
 *
 * MPI_Waitany: the first completion; ties by index.
 */
void pd_comsys_waitany (PdComsys *self, const PdCall *call, PdRequest *requests, guint n,
                        gint *index);

/**
 * pd_comsys_waitsome:
 * @count: (out): how many completed; those become %PD_REQUEST_NULL; -1 if all are null
 *
 * MPI_Waitsome: all that have completed at the moment the first one has.
 */
void pd_comsys_waitsome (PdComsys *self, const PdCall *call, PdRequest *requests, guint n,
                         gint *count);

/**
 * pd_comsys_test:
 * Returns: MPI_Test: whether @request has completed by @call->when; then it
 *   becomes %PD_REQUEST_NULL. Costs wait-overhead.
 */
gboolean pd_comsys_test (PdComsys *self, const PdCall *call, PdRequest *request);

/**
 * pd_comsys_testall:
 * Returns: MPI_Testall: whether all @n have completed; only then they are freed.
 */
gboolean pd_comsys_testall (PdComsys *self, const PdCall *call, PdRequest *requests, guint n);

/**
 * pd_comsys_testany:
 * Returns: MPI_Testany: the index of one that has completed and is freed, or -1.
 */
gint pd_comsys_testany (PdComsys *self, const PdCall *call, PdRequest *requests, guint n);

/**
 * pd_comsys_testsome:
 * Returns: MPI_Testsome: the number of those that have completed and are freed.
 */
guint pd_comsys_testsome (PdComsys *self, const PdCall *call, PdRequest *requests, guint n);

G_END_DECLS

#endif
