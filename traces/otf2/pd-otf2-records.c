/* OTF2 archives: the types of records of events that are decoded without the library.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-decode-private.h"

#include <stddef.h>
#include <string.h>

/* ---- handlers of events */

#define WHICH  event->location, event->time, 0, event->data, NULL
#define U32(i) (guint32) event->fields[i]
#define U64(i) event->fields[i]
#define U8(i)  (guint8) event->fields[i]

static OTF2_CallbackCode
tell_on_off (const PdOtf2Event *event)
{
  return event->to->on_off (WHICH, U8 (0));
}

static OTF2_CallbackCode
tell_enter (const PdOtf2Event *event)
{
  return event->to->enter (WHICH, U32 (0));
}

static OTF2_CallbackCode
tell_leave (const PdOtf2Event *event)
{
  return event->to->leave (WHICH, U32 (0));
}

static OTF2_CallbackCode
tell_send (const PdOtf2Event *event)
{
  return event->to->send (WHICH, U32 (0), U32 (1), U32 (2), U64 (3));
}

static OTF2_CallbackCode
tell_isend (const PdOtf2Event *event)
{
  return event->to->isend (WHICH, U32 (0), U32 (1), U32 (2), U64 (3), U64 (4));
}

static OTF2_CallbackCode
tell_isend_complete (const PdOtf2Event *event)
{
  return event->to->isend_complete (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_irecv_request (const PdOtf2Event *event)
{
  return event->to->irecv_request (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_recv (const PdOtf2Event *event)
{
  return event->to->recv (WHICH, U32 (0), U32 (1), U32 (2), U64 (3));
}

static OTF2_CallbackCode
tell_irecv (const PdOtf2Event *event)
{
  return event->to->irecv (WHICH, U32 (0), U32 (1), U32 (2), U64 (3), U64 (4));
}

static OTF2_CallbackCode
tell_test (const PdOtf2Event *event)
{
  return event->to->test (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_cancelled (const PdOtf2Event *event)
{
  return event->to->cancelled (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_collective_end (const PdOtf2Event *event)
{
  return event->to->collective_end (WHICH, U8 (0), U32 (1), U32 (2), U64 (3), U64 (4));
}

static OTF2_CallbackCode
tell_metric (const PdOtf2Event *event)
{
  const OTF2_Type type = OTF2_TYPE_UINT64;
  const OTF2_MetricValue value = { .unsigned_int = U64 (3) };

  return event->to->metric (WHICH, U32 (0), 1, &type, &value);
}

static OTF2_CallbackCode
tell_collective_request (const PdOtf2Event *event)
{
  return event->to->collective_request (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_collective_complete (const PdOtf2Event *event)
{
  return event->to->collective_complete (WHICH, U8 (0), U32 (1), U32 (2), U64 (3), U64 (4),
                                         U64 (5));
}

static OTF2_CallbackCode
tell_parameter (const PdOtf2Event *event)
{
  return event->to->parameter (WHICH, U32 (0), (gint64) U64 (1));
}

static OTF2_CallbackCode
tell_rma_collective_end (const PdOtf2Event *event)
{
  return event->to->rma_collective_end (WHICH, U8 (0), U32 (1), U32 (2), U32 (3), U64 (4), U64 (5));
}

static OTF2_CallbackCode
tell_group_sync (const PdOtf2Event *event)
{
  return event->to->group_sync (WHICH, U32 (0), U32 (1), U32 (2));
}

static OTF2_CallbackCode
tell_lock (const PdOtf2Event *event)
{
  return event->to->lock (WHICH, U32 (0), U32 (1), U64 (2), U8 (3));
}

static OTF2_CallbackCode
tell_unlock (const PdOtf2Event *event)
{
  return event->to->unlock (WHICH, U32 (0), U32 (1), U64 (2));
}

static OTF2_CallbackCode
tell_sync (const PdOtf2Event *event)
{
  return event->to->sync (WHICH, U32 (0), U32 (1), U8 (2));
}

static OTF2_CallbackCode
tell_put (const PdOtf2Event *event)
{
  return event->to->put (WHICH, U32 (0), U32 (1), U64 (2), U64 (3));
}

static OTF2_CallbackCode
tell_get (const PdOtf2Event *event)
{
  return event->to->get (WHICH, U32 (0), U32 (1), U64 (2), U64 (3));
}

static OTF2_CallbackCode
tell_atomic (const PdOtf2Event *event)
{
  return event->to->atomic (WHICH, U32 (0), U32 (1), U8 (2), U64 (3), U64 (4), U64 (5));
}

static OTF2_CallbackCode
tell_rma_complete (const PdOtf2Event *event)
{
  return event->to->rma_complete (WHICH, U32 (0), U64 (1));
}

static OTF2_CallbackCode
tell_rma_test (const PdOtf2Event *event)
{
  return event->to->rma_test (WHICH, U32 (0), U64 (1));
}

static OTF2_CallbackCode
tell_io_create (const PdOtf2Event *event)
{
  return event->to->io_create (WHICH, U32 (0), U8 (1), U32 (2), U32 (3));
}

static OTF2_CallbackCode
tell_io_destroy (const PdOtf2Event *event)
{
  return event->to->io_destroy (WHICH, U32 (0));
}

static OTF2_CallbackCode
tell_io_seek (const PdOtf2Event *event)
{
  return event->to->io_seek (WHICH, U32 (0), (gint64) U64 (1), U8 (2), U64 (3));
}

static OTF2_CallbackCode
tell_io_begin (const PdOtf2Event *event)
{
  return event->to->io_begin (WHICH, U32 (0), U8 (1), U32 (2), U64 (3), U64 (4));
}

static OTF2_CallbackCode
tell_io_test (const PdOtf2Event *event)
{
  return event->to->io_test (WHICH, U32 (0), U64 (1));
}

static OTF2_CallbackCode
tell_io_complete (const PdOtf2Event *event)
{
  return event->to->io_complete (WHICH, U32 (0), U64 (1), U64 (2));
}

/* ---- records */

#define TOLD(name, ...)                                                                            \
  {                                                                                                \
    .is_known = TRUE, .tell = tell_##name, .handler = offsetof (PdOtf2Handlers, name), __VA_ARGS__ \
  }
#define SKIPPED(...)                                                                               \
  {                                                                                                \
    .is_known = TRUE, __VA_ARGS__                                                                  \
  }

/* By the numbers of the format (the OTF2 library writes them); the library decodes types that are
 * not here: of programs that use OpenMP, or threads. */
const PdOtf2Record pd_otf2_records[PD_OTF2_MAX_TYPE + 1] = {
  [11] = TOLD (on_off, .n = 1, .most = { 0 }),
  [12] = TOLD (enter, .is_bare = TRUE, .n = 1, .most = { 4 }),
  [13] = TOLD (leave, .is_bare = TRUE, .n = 1, .most = { 4 }),
  [14] = TOLD (send, .n = 4, .most = { 4, 4, 4, 8 }),
  [15] = TOLD (isend, .n = 5, .most = { 4, 4, 4, 8, 8 }),
  [16] = TOLD (isend_complete, .is_bare = TRUE, .n = 1, .most = { 8 }),
  [17] = TOLD (irecv_request, .is_bare = TRUE, .n = 1, .most = { 8 }),
  [18] = TOLD (recv, .n = 4, .most = { 4, 4, 4, 8 }),
  [19] = TOLD (irecv, .n = 5, .most = { 4, 4, 4, 8, 8 }),
  [20] = TOLD (test, .is_bare = TRUE, .n = 1, .most = { 8 }),
  [21] = TOLD (cancelled, .is_bare = TRUE, .n = 1, .most = { 8 }),
  [22] = SKIPPED (.n = 0), /* a collective operation begins */
  [23] = TOLD (collective_end, .n = 5, .most = { 0, 4, 4, 8, 8 }),
  /* that, how many, of which type, it */
  [PD_OTF2_METRIC] = TOLD (metric, .n = 4, .most = { 4, 0, 0, 8 }),
  [33] = TOLD (parameter, .n = 2, .most = { 4, 8 }),
  [35] = SKIPPED (.n = 1, .most = { 4 }), /* a window is made, */
  [36] = SKIPPED (.n = 1, .most = { 4 }), /* and freed */
  [37] = SKIPPED (.n = 0),                /* a collective operation of a window begins */
  [38] = TOLD (rma_collective_end, .n = 6, .most = { 0, 4, 4, 4, 8, 8 }),
  [39] = TOLD (group_sync, .n = 3, .most = { 4, 4, 4 }),
  [41] = TOLD (lock, .n = 4, .most = { 4, 4, 8, 0 }),
  [43] = TOLD (unlock, .n = 3, .most = { 4, 4, 8 }),
  [44] = TOLD (sync, .n = 3, .most = { 4, 4, 0 }),
  [46] = TOLD (put, .n = 4, .most = { 4, 4, 8, 8 }),
  [47] = TOLD (get, .n = 4, .most = { 4, 4, 8, 8 }),
  [48] = TOLD (atomic, .n = 6, .most = { 4, 4, 0, 8, 8, 8 }),
  [49] = SKIPPED (.n = 2, .most = { 4, 8 }), /* an access completes in its call */
  [50] = TOLD (rma_complete, .n = 2, .most = { 4, 8 }),
  [51] = TOLD (rma_test, .n = 2, .most = { 4, 8 }),
  [52] = SKIPPED (.n = 2, .most = { 4, 8 }), /* an access completes at its target */
  [69] = TOLD (io_create, .n = 4, .most = { 4, 0, 4, 4 }),
  [70] = TOLD (io_destroy, .n = 1, .most = { 4 }),
  [72] = TOLD (io_seek, .n = 4, .most = { 4, 8, 0, 8 }),
  [75] = TOLD (io_begin, .n = 5, .most = { 4, 0, 4, 8, 8 }),
  [76] = TOLD (io_test, .n = 2, .most = { 4, 8 }),
  [77] = SKIPPED (.n = 2, .most = { 4, 8 }), /* a call has begun an operation that goes on */
  [78] = TOLD (io_complete, .n = 3, .most = { 4, 8, 8 }),
  [85] = TOLD (collective_request, .n = 1, .most = { 8 }),
  [86] = TOLD (collective_complete, .n = 6, .most = { 0, 4, 4, 8, 8, 8 }),
};

gboolean
pd_otf2_is_handled (const PdOtf2Handlers *handlers, guint type)
{
  const PdOtf2Record *record = &pd_otf2_records[type];
  void (*handler) (void) = NULL;

  if (record->tell != NULL)
    memcpy (&handler, (const char *) handlers + record->handler, sizeof handler);
  return handler != NULL;
}

static void
set_messages (OTF2_EvtReaderCallbacks *c, const PdOtf2Handlers *handlers)
{
  OTF2_EvtReaderCallbacks_SetMpiSendCallback (c, handlers->send);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback (c, handlers->isend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback (c, handlers->isend_complete);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback (c, handlers->irecv_request);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback (c, handlers->recv);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback (c, handlers->irecv);
  OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback (c, handlers->test);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback (c, handlers->cancelled);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback (c, handlers->collective_end);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback (c, handlers->collective_request);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback (c,
                                                                    handlers->collective_complete);
}

static void
set_windows (OTF2_EvtReaderCallbacks *c, const PdOtf2Handlers *handlers)
{
  OTF2_EvtReaderCallbacks_SetRmaPutCallback (c, handlers->put);
  OTF2_EvtReaderCallbacks_SetRmaGetCallback (c, handlers->get);
  OTF2_EvtReaderCallbacks_SetRmaAtomicCallback (c, handlers->atomic);
  OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback (c, handlers->rma_collective_end);
  OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback (c, handlers->lock);
  OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback (c, handlers->unlock);
  OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback (c, handlers->rma_complete);
  OTF2_EvtReaderCallbacks_SetRmaOpTestCallback (c, handlers->rma_test);
  OTF2_EvtReaderCallbacks_SetRmaSyncCallback (c, handlers->sync);
  OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback (c, handlers->group_sync);
}

static void
set_files (OTF2_EvtReaderCallbacks *c, const PdOtf2Handlers *handlers)
{
  OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback (c, handlers->io_create);
  OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback (c, handlers->io_destroy);
  OTF2_EvtReaderCallbacks_SetIoSeekCallback (c, handlers->io_seek);
  OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback (c, handlers->io_begin);
  OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback (c, handlers->io_complete);
  OTF2_EvtReaderCallbacks_SetIoOperationTestCallback (c, handlers->io_test);
}

OTF2_EvtReaderCallbacks *
pd_otf2_handlers_to_callbacks (const PdOtf2Handlers *handlers)
{
  OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New ();

  OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback (c, handlers->on_off);
  OTF2_EvtReaderCallbacks_SetEnterCallback (c, handlers->enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback (c, handlers->leave);
  OTF2_EvtReaderCallbacks_SetMetricCallback (c, handlers->metric);
  OTF2_EvtReaderCallbacks_SetParameterIntCallback (c, handlers->parameter);
  set_messages (c, handlers);
  set_windows (c, handlers);
  set_files (c, handlers);
  return c;
}
