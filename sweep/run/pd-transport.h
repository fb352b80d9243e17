/* How the coordinator of a study reaches its workers: processes of this machine
 * (pd-local-workers.h), or of others.
 *
 * Both directions carry frames: a kind and bytes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRANSPORT_H
#define PD_TRANSPORT_H

#include <glib.h>

/* The kind of a frame. */
typedef enum
{
  PD_FRAME_INPUTS, /* to a worker elsewhere, before all: as pd-input-message.h writes them */
  PD_FRAME_STUDY,  /* to a worker, then: the study as XML */
  PD_FRAME_POINTS, /* to a worker: numbers of points, each a little-endian gint64 */
  PD_FRAME_READY,  /* from a worker: it has the study, and can have points */
  PD_FRAME_RESULT, /* from a worker: as pd-result-message.h writes it */
  PD_FRAME_FATAL,  /* from a worker: why the study cannot be computed at all, a text */
  PD_N_FRAMES,
} PdFrameKind;

/* No frame has more bytes. */
#define PD_FRAME_MAX_SIZE (1u << 30)

#define PD_TRANSPORT_ERROR (pd_transport_error_quark ())
typedef enum
{
  PD_TRANSPORT_ERROR_START,  /* workers cannot be started */
  PD_TRANSPORT_ERROR_BROKEN, /* the other side says what it must not */
  PD_TRANSPORT_ERROR_GONE,   /* the other side is not there any more */
} PdTransportError;

/**
 * pd_transport_error_quark:
 * Returns: the domain of #PdTransportError.
 */
GQuark pd_transport_error_quark (void);

typedef enum
{
  PD_TRANSPORT_NOTHING, /* the time is over, or a signal came */
  PD_TRANSPORT_FRAME,   /* a worker has sent a frame */
  PD_TRANSPORT_DIED,    /* a worker is gone */
} PdTransportEventKind;

typedef struct
{
  PdTransportEventKind kind;
  guint worker;
  PdFrameKind frame;
  const guint8 *data; /* (array length=size): of the frame; until the next call */
  gsize size;
  gboolean killed;  /* it died of a signal that perhaps came from outside */
  const char *text; /* how it died: "signal 11 (Segmentation fault)"; until the next call */
} PdTransportEvent;

typedef struct _PdTransport PdTransport;

/* The functions of a transport; the first field of each is this table. */
typedef struct
{
  guint (*get_n_workers) (PdTransport *self);

  /* Sends a frame; or keeps it until the worker takes it. A frame to a worker that
   * has died is lost, without an error: receive() reports the death. */
  gboolean (*send) (PdTransport *self, guint worker, PdFrameKind kind, gconstpointer data,
                    gsize size, GError **error);

  /* The next event, within @milliseconds. */
  gboolean (*receive) (PdTransport *self, guint milliseconds, PdTransportEvent *event,
                       GError **error);

  /* (nullable): starts a worker again that has died. NULL: it stays away, and when all
   * are gone the study ends with an error. */
  gboolean (*restart) (PdTransport *self, guint worker, GError **error);

  /* (nullable): the machine that a worker runs on. NULL: this one. */
  const char *(*get_host) (PdTransport *self, guint worker);

  /* Ends the workers, whatever they do. */
  void (*free) (PdTransport *self);
} PdTransportClass;

struct _PdTransport
{
  const PdTransportClass *class;
};

/* The side of a worker. */
typedef struct _PdWorkerLink PdWorkerLink;

typedef struct
{
  /* The next frame, whose bytes are @self's until the next call. @data is NULL at the end
   * of the work. */
  gboolean (*receive) (PdWorkerLink *self, PdFrameKind *kind, const guint8 **data, gsize *size,
                       GError **error);

  gboolean (*send) (PdWorkerLink *self, PdFrameKind kind, gconstpointer data, gsize size,
                    GError **error);
} PdWorkerLinkClass;

struct _PdWorkerLink
{
  const PdWorkerLinkClass *class;
};

/**
 * pd_transport_free:
 * @self: (nullable): the transport; its workers end
 */
void pd_transport_free (PdTransport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTransport, pd_transport_free)

#endif
