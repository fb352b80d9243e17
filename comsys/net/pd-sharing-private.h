/* Flows that share links max-min fairly: no flow can have more without taking
 * from one that has no more. Divided by their weights: rates below are levels
 * times weights.
 *
 * A flow is all the messages of one path: these always have the same level, so what each of them
 * has got through is one number of the flow, and what a change costs does not depend on how many
 * they are. Its weight is the sum of theirs.
 *
 * Each flow has a bottleneck, its home: a link that is used up and on which none
 * has a higher level. The flows at home on a link have the same level, the link's;
 * so what each of them has got through is one number of the link (@served, per
 * weight), and they are through in the order of their @finish, whatever the level
 * does meanwhile.
 *
 * A change makes flows float: those that came to links of others, and those at home on links that
 * others left. They are given levels from the lowest up; where that disagrees
 * with flows that do not float (these have more, or their home is not used up any
 * more) those float too. So what a change costs depends on how far it really
 * reaches, not on who is connected with whom.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHARING_PRIVATE_H
#define PD_SHARING_PRIVATE_H

#include "base/pd-time.h"

#define PD_SHARING_NONE G_MAXUINT32

/* Levels, and what a link carries, are equal if they differ by no more than this part. */
#define PD_SHARING_SAME 1e-11

/* One flow of those on a link: its hop with that number. */
typedef struct
{
  guint32 flow;
  guint32 hop;
} PdShareMember;

typedef struct
{
  gdouble finish;
  guint32 flow;
} PdShareHome;

/* All zero until it is first used. Of those on it that do not float, its owner is
 * the home of the first; if it is the home of all, the link is soft: what it
 * carries follows from the owner's level.
 *
 * If all that are at home on a link have only soft links of this owner besides it,
 * the link is uniform: its level may change up to the ceiling without regard to
 * anything else, and without looking at the flows. */
typedef struct
{
  gdouble capacity; /* bytes per ps */
  gdouble fixed;    /* sum of the rates of those that do not float; if it is not soft */
  gdouble floating; /* sum of the weights of those that float */
  gdouble weight;   /* sum of all weights */
  gdouble level;    /* rate per weight of those at home here */
  gdouble served;   /* bytes per weight that these had got through at @base */
  gint64 base;      /* ps */
  gdouble ceiling;  /* at most what the soft links of @uniform allow */
  gdouble highest;  /* of the levels given to flows on it in this update */
  PdShareMember *members;
  PdShareHome *homes; /* heap of those at home here, least finish first */
  guint32 n_members;
  guint32 n_homes;
  guint32 n_floating;
  guint32 owner;
  guint32 n_owned;         /* those that do not float and have @owner as their home */
  guint32 due;             /* 1 + place in PdSharing.due; 0 = none */
  guint32 swept;           /* 1 + place in PdSharing.sweep; 0 = none */
  guint32 members_log : 6; /* logarithm of the room; 0 = none */
  guint32 homes_log : 6;
  guint32 touched : 1; /* in PdSharing.touched */
  guint32 dirty : 1;   /* in PdSharing.dirty */
  guint32 uniform : 1;
} PdShareLink;

#define PD_SHARING_LINK_LINES 2
G_STATIC_ASSERT (sizeof (PdShareLink) <= PD_SHARING_LINK_LINES * 64);

typedef struct
{
  guint32 link;
  guint32 member; /* place in its members */
} PdShareHop;

/* @finish: what its flow has got through, per weight, when the message is through */
typedef struct
{
  gdouble finish;
  guint32 id; /* the caller's */
} PdShareMessage;

typedef struct
{
  gdouble finish; /* @served of its home when its first message is through */
  gdouble weight;
  gdouble unit;   /* weight of each message */
  gdouble offset; /* @served of its home less what it has got through itself */
  PdShareMessage first;
  PdShareMessage *others; /* heap, least finish first */
  guint32 n_others;
  guint32 others_room;
  guint64 path;  /* the caller's */
  guint32 next;  /* of those with such a path, or of the free ones */
  guint32 home;  /* link; PD_SHARING_NONE = it has not shared yet */
  guint32 place; /* in the homes of @home */
  guint32 epoch; /* update for which n_floats counts */
  guint16 n_hops;
  guint8 n_floats;
  guint8 floats;
  PdShareHop hops[];
} PdShareFlow;

typedef struct
{
  gint64 when;
  guint32 link;
} PdShareDue;

/* @key: at most the link's candidate for the level. */
typedef struct
{
  gdouble key;
  guint32 link;
} PdShareCandidate;

typedef struct
{
  guint32 *items;
  guint32 n;
  guint32 room;
} PdShareList;

typedef struct
{
  char *links; /* PD_SHARING_LINK_LINES each */
  guint32 n_links;
  gdouble (*get_capacity) (gconstpointer data, guint32 link); /* bytes per second */
  gconstpointer data;
  char *flows; /* lines */
  gsize flow_lines;
  guint32 n_flows; /* ever used */
  guint32 flows_room;
  guint32 free;
  guint32 *paths;  /* first flows, by hash of their paths; as many as there is room for flows */
  PdShareDue *due; /* heap of links, by when the first at home there is through */
  guint32 n_due;
  guint32 due_room;
  PdShareList used;        /* links that ever were */
  PdShareList touched;     /* links changed in this update */
  PdShareList dirty;       /* … whose candidate may have become less */
  PdShareList done;        /* messages that are through, by id */
  PdShareCandidate *sweep; /* heap of links with floating flows, by key */
  guint32 n_sweep;
  guint32 sweep_room;
  gint64 now;
  guint32 n_floating;
  guint32 epoch;
  gboolean restless; /* a flow has floated very often in this update */
  guint64 n_restless;
  guint max_floats; /* so often a flow may float in one update */
} PdSharing;

/* ---- pd-sharing.c */

void pd_sharing_init (PdSharing *self, guint32 n_links, guint32 max_hops,
                      gdouble (*get_capacity) (gconstpointer, guint32), gconstpointer data);
void pd_sharing_clear (PdSharing *self);

/* From @self->now on a message of @flow with @bytes to get through shares. */
void pd_sharing_enter (PdSharing *self, guint32 flow, gint64 bytes, guint32 id);
/* Appends the messages that are through at @now, later than all updates, to @done. Flows without
 * messages are gone. */
void pd_sharing_complete (PdSharing *self, gint64 now);
/* When the next one is through; -1: never. */
gint64 pd_sharing_get_next (const PdSharing *self);
/* The message that is likely to be through first then; NONE: there is none. */
guint32 pd_sharing_get_next_message (const PdSharing *self);
/* After an update: the changed links are due when the first at home is through. */
void pd_sharing_conclude (PdSharing *self);

void pd_sharing_list_grow (PdShareList *list);
/* Makes @link the home of @flow. */
void pd_sharing_rehome (PdSharing *self, guint32 flow, guint32 link);
/* Brings the service counter of @link up to the present moment. */
void pd_sharing_advance (PdSharing *self, PdShareLink *link);

/* ---- pd-sharing-flow.c */

/* The flow of @path; PD_SHARING_NONE: it has no messages. */
guint32 pd_sharing_find (const PdSharing *self, guint64 path);
/* A flow over @n_hops different links, of room for so many as max_hops, for messages of weight
 * @unit: the first one has to enter at once. */
guint32 pd_sharing_new_flow (PdSharing *self, guint64 path, const guint32 *links, guint32 n_hops,
                             gdouble unit);
/* Gives a flow back that has no messages. */
void pd_sharing_free_flow (PdSharing *self, guint32 flow);
/* One more message of a flow besides its first. */
void pd_sharing_push_message (PdShareFlow *flow, PdShareMessage message);
/* Takes the first one of those out, which must exist. */
PdShareMessage pd_sharing_pop_message (PdShareFlow *flow);

#endif
