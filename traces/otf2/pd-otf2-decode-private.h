/* Events of a location decoded without the library, in the common case: the
 * files are not compressed, the bytes in this machine's order, the kinds of records those below,
 * and the location has neither numbers of its own nor another clock. The library decodes all other
 * locations. Both give the same events (tests/traces/otf2).
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_DECODE_PRIVATE_H
#define PD_OTF2_DECODE_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* Callbacks by event; %NULL: none. Attributes are in no list of the library; positions are 0. */
typedef struct
{
  OTF2_EvtReaderCallback_MeasurementOnOff on_off;
  OTF2_EvtReaderCallback_Enter enter;
  OTF2_EvtReaderCallback_Leave leave;
  OTF2_EvtReaderCallback_MpiSend send;
  OTF2_EvtReaderCallback_MpiIsend isend;
  OTF2_EvtReaderCallback_MpiIsendComplete isend_complete;
  OTF2_EvtReaderCallback_MpiIrecvRequest irecv_request;
  OTF2_EvtReaderCallback_MpiRecv recv;
  OTF2_EvtReaderCallback_MpiIrecv irecv;
  OTF2_EvtReaderCallback_MpiRequestTest test;
  OTF2_EvtReaderCallback_MpiRequestCancelled cancelled;
  OTF2_EvtReaderCallback_MpiCollectiveEnd collective_end;
  OTF2_EvtReaderCallback_Metric metric; /* of one value, which is of type uint64 */
  OTF2_EvtReaderCallback_NonBlockingCollectiveRequest collective_request;
  OTF2_EvtReaderCallback_NonBlockingCollectiveComplete collective_complete;
  OTF2_EvtReaderCallback_ParameterInt parameter;
  OTF2_EvtReaderCallback_RmaCollectiveEnd rma_collective_end;
  OTF2_EvtReaderCallback_RmaGroupSync group_sync;
  OTF2_EvtReaderCallback_RmaAcquireLock lock;
  OTF2_EvtReaderCallback_RmaReleaseLock unlock;
  OTF2_EvtReaderCallback_RmaSync sync;
  OTF2_EvtReaderCallback_RmaPut put;
  OTF2_EvtReaderCallback_RmaGet get;
  OTF2_EvtReaderCallback_RmaAtomic atomic;
  OTF2_EvtReaderCallback_RmaOpCompleteNonBlocking rma_complete;
  OTF2_EvtReaderCallback_RmaOpTest rma_test;
  OTF2_EvtReaderCallback_IoCreateHandle io_create;
  OTF2_EvtReaderCallback_IoDestroyHandle io_destroy;
  OTF2_EvtReaderCallback_IoSeek io_seek;
  OTF2_EvtReaderCallback_IoOperationBegin io_begin;
  OTF2_EvtReaderCallback_IoOperationTest io_test;
  OTF2_EvtReaderCallback_IoOperationComplete io_complete;
  gboolean with_attributes; /* those in archive->present */
} PdOtf2Handlers;

/* The attributes of an event that are used. */
struct _PdOtf2Attributes
{
  guint has; /* bits, by PdOtf2Attribute: which are there */
  OTF2_AttributeValue values[PD_OTF2_N_ATTRIBUTES];
};

/* ---- pd-otf2-records.c */

#define PD_OTF2_MAX_FIELDS 6
#define PD_OTF2_MAX_TYPE   86
#define PD_OTF2_METRIC     31 /* as many fields as there are values: one is decoded here */

/* An event; its handlers' archive has its attributes. */
typedef struct
{
  OTF2_LocationRef location;
  guint64 time;
  guint64 fields[PD_OTF2_MAX_FIELDS];
  const PdOtf2Handlers *to;
  gpointer data;
} PdOtf2Event;

/* A type of records. */
typedef struct
{
  gboolean is_known; /* it is decoded here */
  gboolean is_bare;  /* without a length */
  guint8 n;
  guint8 most[PD_OTF2_MAX_FIELDS];                      /* bytes of a number; 0: it is a byte */
  OTF2_CallbackCode (*tell) (const PdOtf2Event *event); /* (nullable): no reader handles it */
  gsize handler;                                        /* offset in PdOtf2Handlers */
} PdOtf2Record;

extern const PdOtf2Record pd_otf2_records[PD_OTF2_MAX_TYPE + 1];

/* Whether events of @type have a handler. */
gboolean pd_otf2_is_handled (const PdOtf2Handlers *handlers, guint type);
/* (transfer full): @handlers for the library. */
OTF2_EvtReaderCallbacks *pd_otf2_handlers_to_callbacks (const PdOtf2Handlers *handlers);

/* ---- pd-otf2-decode.c */

/* The state of the events of a location whose chunks come one after the other. */
typedef struct
{
  const PdOtf2Archive *archive;
  guint64 n_events;
  gboolean is_plain; /* all of them can be decoded here */
} PdOtf2Survey;

/* Behind a chunk so many bytes can be read, whatever they are. */
#define PD_OTF2_PADDING 80

/* @data: a chunk, with its header, and %PD_OTF2_PADDING bytes behind its @size. Returns: where in
 * it the record is that ends it; 0: not all of it can be decoded here. */
gsize pd_otf2_survey_chunk (PdOtf2Survey *self, const guint8 *data, gsize size);
/* The location's file has been read to its end; where it is. */
void pd_otf2_survey_end (const PdOtf2Survey *self, PdOtf2Archive *archive,
                         OTF2_LocationRef location);
/* It has numbers or a clock of its own. */
void pd_otf2_decode_not (PdOtf2Archive *archive, OTF2_LocationRef location);
/* Whether the location's events can be decoded here, all that are expected. */
gboolean pd_otf2_can_decode (const PdOtf2Archive *archive, OTF2_LocationRef location);
/* The events of a location that can be decoded here, a chunk at a time: where several are under
 * way, each is where its own chunks have led it. */
typedef struct _PdOtf2Decoding PdOtf2Decoding;

PdOtf2Decoding *pd_otf2_decoding_new (PdOtf2Archive *archive, OTF2_LocationRef location,
                                      const PdOtf2Handlers *handlers, gpointer data);
/* Tells the handlers of the events of the next chunk, or of a part of it. FALSE: there are no more.
 */
gboolean pd_otf2_decoding_next (PdOtf2Decoding *self);
void pd_otf2_decoding_free (PdOtf2Decoding *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdOtf2Decoding, pd_otf2_decoding_free)

/* All of them. FALSE: the file cannot be read any more, or a handler has ended it. */
gboolean pd_otf2_decode_location (PdOtf2Archive *archive, OTF2_LocationRef location,
                                  const PdOtf2Handlers *handlers, gpointer data);

#endif
