/* The parts of the OTF2 reader. The library decodes; what it tells is kept here
 * until all that an action needs is known. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_PRIVATE_H
#define PD_OTF2_PRIVATE_H

#include "base/pd-messages.h"
#include "traces/pd-program.h"

#include <otf2/otf2.h>

G_BEGIN_DECLS

/* Parameters with the arguments of MPI_Pcontrol, of type int64, in its region. */
#define PD_OTF2_PCONTROL_LEVEL "MPI_Pcontrol level"
#define PD_OTF2_PCONTROL_ID    "MPI_Pcontrol id"

/* Attributes of events; the first one of Enter. */
typedef enum
{
  PD_OTF2_CALL_STACK, /* who called: a calling context */
  PD_OTF2_WILDCARD,   /* of receives: bits of what was asked for */
  PD_OTF2_SEND_MODE,  /* of sends: 1 buffered, 2 synchronous, 3 ready */
  PD_OTF2_N_ATTRIBUTES,
} PdOtf2Attribute;

enum
{
  PD_OTF2_ANY_SOURCE = 1,
  PD_OTF2_ANY_TAG = 2,
};

typedef struct
{
  const char *name;
  OTF2_Type type;
} PdOtf2AttributeRow;

extern const PdOtf2AttributeRow pd_otf2_attributes[PD_OTF2_N_ATTRIBUTES];

/* What is known of an MPI function. */
typedef enum
{
  PD_OTF2_LOCAL,   /* nothing happens but on this rank: computation */
  PD_OTF2_START,   /* MPI_Init: the time in it does not count */
  PD_OTF2_END,     /* MPI_Finalize: likewise */
  PD_OTF2_SKIP,    /* no record tells what it did, and others wait for it: takes no time */
  PD_OTF2_P2P,     /* @kind for the record of a send; receives follow their records */
  PD_OTF2_WAIT,    /* @kind, of the requests that completed in it */
  PD_OTF2_COLL,    /* @op */
  PD_OTF2_WIN,     /* @kind: one-sided */
  PD_OTF2_CONTROL, /* MPI_Pcontrol */
  PD_OTF2_OTHER,   /* not modelled */
} PdOtf2What;

typedef struct
{
  const char *name;
  PdOtf2What what;
  PdActionKind kind;
  PdCollKind op;
} PdOtf2Call;

typedef struct
{
  const char *name; /* of the archive's strings */
  const char *file;
  guint32 line;
  gboolean is_user;       /* opens an interval */
  const PdOtf2Call *call; /* (nullable): an MPI function */
  guint32 name_index;     /* in the program; %PD_PROGRAM_NONE = not yet */
  guint32 interval;       /* likewise */
  OTF2_Paradigm paradigm;
} PdOtf2Region;

typedef struct
{
  OTF2_GroupType type;
  OTF2_Paradigm paradigm;
  guint32 n;
  guint64 *members;
  GHashTable *index; /* (nullable): 1 + member -> its place, made at need */
} PdOtf2Group;

typedef struct
{
  OTF2_GroupRef group;
  OTF2_GroupRef other; /* of an inter-communicator: its second group */
  gboolean is_inter;
  gboolean is_known; /* @index holds */
  guint32 index;     /* in the program */
  guint32 owner;     /* of one that each rank has for itself: @index is that rank's */
  GArray *gathered;  /* (nullable): GArray* of gint64 per operation, see pd-otf2-counts.c */
} PdOtf2Comm;

/* A place in the source. */
typedef struct
{
  const char *file; /* of the archive's strings */
  guint32 line;
} PdOtf2Place;

/* A call site: in which function, where, and who called that function. */
typedef struct
{
  OTF2_RegionRef region;
  OTF2_SourceCodeLocationRef place;
  OTF2_CallingContextRef parent;
  guint32 site; /* in the program; %PD_PROGRAM_NONE = not yet */
} PdOtf2Context;

/* A location that has events. */
typedef struct
{
  OTF2_LocationRef ref;
  OTF2_LocationType type;
} PdOtf2Location;

typedef struct
{
  const char *path;
  PdMessages *messages; /* (nullable) */
  gboolean recorded;    /* durations of calls are wanted */
  OTF2_Reader *reader;
  guint64 resolution;     /* ticks per second */
  GHashTable *strings;    /* reference -> char* */
  GHashTable *regions;    /* reference -> PdOtf2Region* */
  GHashTable *groups;     /* reference -> PdOtf2Group* */
  GHashTable *comms;      /* reference -> PdOtf2Comm* */
  GHashTable *windows;    /* reference -> reference of its communicator */
  GHashTable *parameters; /* reference -> char* of @strings */
  GHashTable *places;     /* reference -> PdOtf2Place* */
  GHashTable *contexts;   /* reference -> PdOtf2Context* */
  gboolean has_attribute[PD_OTF2_N_ATTRIBUTES];
  OTF2_AttributeRef attributes[PD_OTF2_N_ATTRIBUTES];
  guint64 origin;           /* ticks: before all events */
  GArray *begins;           /* PdTime: of the ranks, since @origin */
  GArray *locations;        /* PdOtf2Location */
  GHashTable *n_events;     /* location -> how many, where there are any */
  const PdOtf2Group *world; /* the location of each rank */
  GHashTable *rank_of;      /* location -> rank */
  gboolean has_init;        /* some rank called it */
  GArray *unfinished;       /* guint32: ranks that did not come to MPI_Finalize */
  PdProgramBuilder *builder;
  GError *error; /* (nullable): the first one met in a callback */
} PdOtf2Archive;

/* ---- pd-otf2-calls.c */

/* What @name, an MPI function, does; NULL for functions nobody has heard of. */
const PdOtf2Call *pd_otf2_call_find (const char *name);
/* What a record of @op tells; of those that make something: a barrier. */
PdCollKind pd_otf2_coll_of_op (OTF2_CollectiveOp op);

/* ---- pd-otf2-defs.c */

gboolean pd_otf2_read_definitions (PdOtf2Archive *archive, GError **error);
/* The communicator in the program, as @rank sees it; FALSE with archive->error set. */
gboolean pd_otf2_find_comm (PdOtf2Archive *archive, OTF2_CommRef ref, guint32 rank, guint32 *index);
/* The site of @ref in the program; %PD_PROGRAM_NONE if nothing is known of it. */
guint32 pd_otf2_find_site (PdOtf2Archive *archive, OTF2_CallingContextRef ref);
/* Where @rank is in the group; FALSE: nowhere. */
gboolean pd_otf2_find_member (PdOtf2Group *group, guint32 rank, guint32 *place);
/* @peer of a message of @rank over @ref, in the program's communicator. */
gint32 pd_otf2_find_peer (PdOtf2Archive *archive, OTF2_CommRef ref, guint32 rank, guint32 peer);

/* ---- pd-otf2-counts.c */

/* Notes what each rank gave in operations with counts; two ranks' records make
 * one vector. */
gboolean pd_otf2_gather_counts (PdOtf2Archive *archive, GError **error);

/* One collective operation as a rank recorded it. */
typedef struct
{
  OTF2_CollectiveOp op;
  OTF2_CommRef comm;
  guint32 root;
  guint64 sent;
  guint64 received;
} PdOtf2Collective;

/* Fills bytes and counts of @action; @number: which operation with counts of the
 * rank on that communicator it is, -1 = not known. */
void pd_otf2_fill_collective (PdOtf2Archive *archive, guint32 rank,
                              const PdOtf2Collective *collective, gint64 number, PdAction *action);
gboolean pd_otf2_has_counts (OTF2_CollectiveOp op);

/* ---- pd-otf2-ahead.c: what a non-blocking call does is recorded at its completion */

typedef struct
{
  guint64 request;
  gboolean is_recv;
  guint32 sender;
  OTF2_CommRef comm;
  guint32 tag;
  guint64 bytes;
  PdOtf2Collective collective;
  guint32 next; /* with the same number of request; 0 = none */
} PdOtf2Completion;

typedef struct _PdOtf2Ahead PdOtf2Ahead;

PdOtf2Ahead *pd_otf2_ahead_new (PdOtf2Archive *archive, OTF2_LocationRef location, GError **error);
void pd_otf2_ahead_free (PdOtf2Ahead *self);
/* The next completion of @request; NULL: the trace has none. */
const PdOtf2Completion *pd_otf2_ahead_take (PdOtf2Ahead *self, guint64 request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdOtf2Ahead, pd_otf2_ahead_free)

/* ---- pd-otf2-events.c */

/* The actions of one rank. */
gboolean pd_otf2_read_rank (PdOtf2Archive *archive, guint32 rank, GError **error);

/* ---- pd-otf2-reader.c */

/* Picoseconds from one moment to another; 0 if it comes before. */
PdTime pd_otf2_to_ps (const PdOtf2Archive *archive, guint64 from, guint64 to);
/* Reads all events of @location with @callbacks; (transfer full) @callbacks. */
gboolean pd_otf2_read_location (PdOtf2Archive *archive, OTF2_LocationRef location,
                                OTF2_EvtReaderCallbacks *callbacks, gpointer data, GError **error);
/* From now on the library tells its complaints to the next function. */
void pd_otf2_listen (void);
/* Whether it has told any since. */
gboolean pd_otf2_has_complaint (void);
/* What the library last complained about; "" if nothing. */
const char *pd_otf2_get_complaint (void);

G_END_DECLS

#endif
