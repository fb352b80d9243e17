/* Types that net-dimemas.c and net-dimemas-links.c share: transfers, and the links of
 * endpoints.
 * SPDX-License-Identifier: MIT */
#ifndef NET_DIMEMAS_PRIVATE_H
#define NET_DIMEMAS_PRIVATE_H

#include "comsys/net/pd-network.h"

typedef struct
{
  PdTime latency;    /* on the CPUs, see get_costs */
  gdouble bandwidth; /* bytes per second; 0 = transfers take no time */
  gint64 buses;      /* 0 = unlimited */
  gint64 in_links;   /* of each endpoint; both 0 = unlimited; one of them 0: the */
  gint64 out_links;  /* others carry both directions */
  guint lending;
  guint itself;
} PdDimemasNetwork;

enum
{
  PD_DIMEMAS_LENDS,
  PD_DIMEMAS_KEEPS,
};

/* Messages of a rank to itself. */
enum
{
  PD_DIMEMAS_COPIED,
  PD_DIMEMAS_SENT,
};

/* Queues a transfer can be in: it is linked into one at a time, and besides that
 * into the list of those that can lend. */
typedef enum
{
  PD_LINKS_OUT,
  PD_LINKS_IN,
  PD_LINKS_N_WAYS,
} PdLinksWay;

/* A transfer, or a collective operation, that waits or is under way. */
typedef struct
{
  PdTime duration;
  guint32 id;
  guint32 ends[PD_LINKS_N_WAYS]; /* endpoints: source, target */
  guint32 next;                  /* of its queue, or of the free ones */
  guint32 previous;
  guint32 next_lender;
  guint32 previous_lender;
  guint8 has[PD_LINKS_N_WAYS]; /* a link out of its source, into its target */
  guint8 lends;                /* it is in the list of lenders of its source */
  guint8 is_all;               /* it is a collective operation, which takes all buses */
  gint64 n_held;               /* buses that it has so far */
  guint32 unused[4];
} PdLinksItem;

G_STATIC_ASSERT (sizeof (PdLinksItem) == 64);

/* Numbers of transfers; 0 = none. */
typedef struct
{
  guint32 head;
  guint32 tail;
} PdLinksQueue;

/* The links of an endpoint. */
typedef struct
{
  guint32 free[PD_LINKS_N_WAYS];        /* [OUT] is all there are if they carry both directions */
  PdLinksQueue queues[PD_LINKS_N_WAYS]; /* transfers that wait for one */
  PdLinksQueue lenders;                 /* have a link out of here, and wait for one elsewhere */
} PdLinks;

typedef struct
{
  const PdDimemasNetwork *config;
  PdNetworkCallbacks *callbacks;
  guint32 n_endpoints;
  gboolean is_limited;  /* there are links */
  gboolean half_duplex; /* they carry both directions */
  PdLinks *links;       /* (nullable) (array length=n_endpoints) */
  PdLinksItem *items;   /* 0 is never used */
  guint32 n_items;
  guint32 room;
  guint32 free_item;
  PdLinksQueue bus_queue;
  gint64 n_on_bus;
} PdDimemas;

#endif
