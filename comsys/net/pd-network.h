/* The interface behind which every network stands. ComSys knows no network by
 * name: a network is one file with a #PdNetworkClass, and one row in the
 * registry of pd-network.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_NETWORK_H
#define PD_NETWORK_H

#include "base/pd-messages.h"
#include "base/pd-time.h"
#include "base/pd-units.h"

G_BEGIN_DECLS

/* One parameter of a network: an attribute of its XML element, a key of an
 * inline machine, a path for --set. The unit decides the field's C type:
 * PD_UNIT_TIME: PdTime; PD_UNIT_BYTES and PD_UNIT_COUNT: gint64; the others:
 * gdouble; PD_UNIT_SHAPE: PdShape. With @choices the field is a guint, the index
 * of the word given. */
typedef struct
{
  const char *name; /* "per-byte" */
  PdUnit unit;
  gsize offset;               /* of the field in the network's configuration */
  const char *fallback;       /* text that stands for an absent attribute; NULL = required;
                               * "=NAME": what stands for the attribute NAME */
  gint64 minimum;             /* least value of an integral parameter */
  const char *const *choices; /* (nullable) (array zero-terminated=1): the words accepted */
  const char *meaning;        /* for tables and the man page */
} PdParam;

/* One table of measured times, an element "table" of the network: of what. */
typedef struct
{
  const char *level; /* "memory": its attribute */
  gsize offset;      /* in the network's configuration: PdMeasured *, NULL = absent */
} PdTableParam;

/* One transfer on one network. @source and @target are endpoints of that
 * network: from 0, the number of its nodes (or of its sub-networks). */
typedef struct
{
  guint32 source;
  guint32 target;
  gint64 bytes;             /* on the wire: payload and envelope */
  gboolean control;         /* a control message: no payload */
  guint32 id;               /* the caller's handle; given back by PdNetworkCallbacks.delivered */
  guint32 source_processor; /* which one of its node, from 0 */
  guint32 target_processor;
} PdTransfer;

/* How soon the delivery of a transfer is expected. */
typedef enum
{
  PD_EXPECT_LATER,
  PD_EXPECT_SOON, /* behind a few others */
  PD_EXPECT_NEXT, /* behind one or two */
} PdExpect;

/* Services of the host (ComSys) for networks with events. Filled by the host. */
typedef struct _PdNetworkCallbacks PdNetworkCallbacks;
struct _PdNetworkCallbacks
{
  /* Asks for PdNetworkClass.event (@token) at @when, not before now. */
  void (*schedule) (PdNetworkCallbacks *callbacks, PdTime when, guint32 token);
  /* Transfer @id, for which request() returned PENDING, arrives at @when
   * (now or later). */
  void (*delivered) (PdNetworkCallbacks *callbacks, guint32 id, PdTime when);
  /* (nullable): delivered() of @id comes soon. Only a hint: with many transfers what
   * the host knows of each is far away in memory, and can be loaded meanwhile. */
  void (*expect) (PdNetworkCallbacks *callbacks, guint32 id, PdExpect when);
  /* @id, for which occupy() returned PENDING, has the network now, until @end. */
  void (*occupied) (PdNetworkCallbacks *callbacks, guint32 id, PdTime end);
};

/* Costs of a network at the processors of its ends, besides the software
 * parameters of the machine. */
typedef struct
{
  PdTime before;         /* time that each Send, Isend, blocking Recv and Wait for a receive takes
                          * before it acts, one after the other; Irecv takes none */
  PdTime send_overhead;  /* of the sender's processor for a message … */
  gdouble send_per_byte; /* … and for its bytes, ps per byte */
  PdTime recv_overhead;  /* of the receiver's processor for a message … */
  gdouble recv_per_byte; /* … and for its bytes, ps per byte: a receive takes so much longer */
  gboolean until_match;  /* the sender of a rendezvous waits for the receive only, not for the
                          * transfer */
  gboolean to_itself;    /* messages of a rank to itself take the network, they are not copied */
} PdNetworkCosts;

/* The parts of a message's way through such a network. */
typedef enum
{
  PD_END_LAUNCH,       /* the sender's processor */
  PD_END_GAP_SENT,     /* the sending side of its adapter */
  PD_END_FLIGHT,       /* until it arrives */
  PD_END_RECEIVE,      /* the receiver's processor */
  PD_END_GAP_RECEIVED, /* the receiving side of its adapter */
} PdEndPart;

/* A network whose messages keep processors and adapters at both ends from doing
 * anything else, the receiver's whether or not the message is expected. A message
 * leaves when the processor and the sending side of its source are free; it is received
 * when those of its target are. There are no control messages: a rendezvous only
 * keeps the sender until the match. */
typedef struct
{
  /* When that side of the adapter of @endpoint gets free. */
  PdTime (*get_free) (gconstpointer network, guint32 endpoint, gboolean receives);
  /* How long a message of so many bytes keeps the processor of an end. */
  PdTime (*get_time) (gconstpointer network, gint64 bytes, gboolean receives);
  /* @transfer leaves at @now: keeps the adapter. Returns the moment of arrival. */
  PdTime (*send) (gpointer network, const PdTransfer *transfer, PdTime now);
  /* It is received from @now on: keeps the adapter. */
  void (*receive) (gpointer network, const PdTransfer *transfer, PdTime now);
  /* How long that part takes of a message of so many bytes; by how much it grows with each
   * parameter is added to @shares, as in PdNetworkClass.get_alone. */
  PdTime (*get_part) (gconstpointer network, PdEndPart part, gint64 bytes, gdouble *shares);
} PdNetworkEndpoints;

typedef struct _PdNetworkClass PdNetworkClass;
struct _PdNetworkClass
{
  const char *type;      /* "ethernet" */
  const char *meaning;   /* one sentence */
  gsize config_size;     /* bytes of the configuration that @params fill */
  const PdParam *params; /* ends with a row whose name is NULL */
  gboolean is_eager;     /* of an outermost network: unless the description says otherwise,
                          * messages of any size are eager and control messages cost nothing */
  gboolean is_fifo;      /* what happens at one moment happens in the order in which it was
                          * entered, unless transfers have nothing to do with each other */

  /* A network with @n_endpoints attached. @config outlives the network. */
  gpointer (*create) (gconstpointer config, guint32 n_endpoints, PdNetworkCallbacks *callbacks);
  void (*destroy) (gpointer network);

  /* A transfer is requested at @now; calls come in non-decreasing @now.
   * Returns the moment of delivery, or PENDING if later traffic decides it
   * (an evented network; then host->delivered() follows). */
  PdTime (*request) (gpointer network, const PdTransfer *transfer, PdTime now);

  /* (nullable): a collective operation wants all that the whole network shares, for @duration from
   * when it has it. Returns the end; or PENDING, then host->occupied() of @id follows. */
  PdTime (*occupy) (gpointer network, guint32 id, PdTime duration, PdTime now);

  /* (nullable): then request() is only asked what a message takes that meets nothing. */
  const PdNetworkEndpoints *endpoints;

  /* (nullable): what the network asks of processors; @costs is all zero before. */
  void (*get_costs) (gconstpointer config, PdNetworkCosts *costs);

  /* (nullable): transfers from or to @endpoint come soon. Only a hint, to have
   * what the network knows of it loaded. */
  void (*expect) (gconstpointer network, guint32 endpoint);

  /* (nullable): @now is the moment once given to host->schedule() with @token. */
  void (*event) (gpointer network, guint32 token, PdTime now);

  /* (nullable): ends with a row whose level is NULL. The tables are made and
   * freed with the configuration. */
  const PdTableParam *tables;

  /* (nullable): whether the parameters fit together and the network can have
   * @n_endpoints; completes those that were not given. If FALSE, sets
   * @reason (transfer full). */
  gboolean (*check) (gpointer config, guint32 n_endpoints, char **reason);

  /* (nullable): whether @param has a meaning for this network: for tables. */
  gboolean (*uses_param) (gconstpointer config, const PdParam *param);

  /* (nullable): whether transfers have nothing to do with each other: then they may
   * be requested in any order of time, and take one that depends only on their bytes. */
  gboolean (*is_unshared) (gconstpointer network);

  /* (nullable): how long @transfer takes that meets nothing. Adds to @shares (nullable)
   * (array, by index of @params) by how much that grows with each parameter: times, or
   * bytes; of a parameter in bytes per second, with its reciprocal. */
  PdTime (*get_alone) (gconstpointer network, const PdTransfer *transfer, gdouble *shares);

  /* (nullable): adds what its user should know of how it was used. */
  void (*report) (gconstpointer network, PdMessages *messages);
};

/**
 * pd_network_class_find:
 * @type: "ethernet", "myrinet", …
 *
 * Returns: (nullable): the class of that name.
 */
const PdNetworkClass *pd_network_class_find (const char *type);

/**
 * pd_network_class_get:
 * @i: from 0
 *
 * Returns: (nullable): the @i-th registered class, %NULL behind the last one.
 */
const PdNetworkClass *pd_network_class_get (guint i);

G_END_DECLS

#endif
