/* Calls of programs and, with @collective, of schedules. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CALLS_PRIVATE_H
#define PD_CALLS_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

typedef struct
{
  PdSendMode mode; /* of a send */
  gboolean collective;
  const char *function; /* what a rank is blocked in */
  PdTime overhead;      /* of a blocking send, after it */
} PdCallKind;

/* They set @call->ret, PENDING where it is not known yet; blocking ones are not for
 * MPI_PROC_NULL. The caller of pd_call_begin_send() has to wait for the launch. */
guint32 pd_call_begin_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                            const PdCallKind *kind);
guint32 pd_call_isend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                       const PdCallKind *kind);
guint32 pd_call_irecv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                       const PdCallKind *kind);
void pd_call_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                   const PdCallKind *kind);
void pd_call_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                   const PdCallKind *kind);
/* One half may be to or from MPI_PROC_NULL. */
void pd_call_sendrecv (PdComsys *self, const PdCall *call, PdComm *comm, const PdExchange *exchange,
                       const PdCallKind *kind);

#endif
