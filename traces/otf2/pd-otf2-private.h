/* The parts of the OTF2 reader. The library decodes; what it tells is kept here
 * until all that an action needs is known. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_PRIVATE_H
#define PD_OTF2_PRIVATE_H

#include "base/memory/pd-vector.h"
#include "base/pd-messages.h"
#include "base/pd-progress.h"
#include "traces/program/pd-program.h"

#include <otf2/otf2.h>

/* Parameters with the arguments of MPI_Pcontrol, of type int64, in its region. */
#define PD_OTF2_PCONTROL_LEVEL "MPI_Pcontrol level"
#define PD_OTF2_PCONTROL_ID    "MPI_Pcontrol id"

/* Attributes of events; the first one of Enter, that of files of Leave. */
typedef enum
{
  PD_OTF2_CALL_STACK, /* who called: a calling context */
  PD_OTF2_WILDCARD,   /* of receives: bits of the requested wildcards */
  PD_OTF2_SEND_MODE,  /* of sends: 1 buffered, 2 synchronous, 3 ready */
  PD_OTF2_FILE,       /* of Leave: the handle that the call worked on */
  PD_OTF2_SOURCES,    /* of operations of neighbours: groups, in their order */
  PD_OTF2_TARGETS,
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

/* Of what a metric tells the processor time. */
typedef enum
{
  PD_OTF2_OF_PROCESS, /* all threads */
  PD_OTF2_OF_THREAD,
  PD_OTF2_N_OF,
} PdOtf2Of;

/* The properties of an MPI function. */
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
  gboolean is_lost;       /* between calls: the rank had no processor, see %PD_PROGRAM_LOST */
  const PdOtf2Call *call; /* (nullable): an MPI function */
  guint32 name_index;     /* in the program; %PD_PROGRAM_NONE = not yet */
  guint32 interval;       /* likewise */
  guint32 last_action;    /* 1 + what an MPI function did when it was called last, kind and
                           * operation; 0 = it was not; */
  guint32 called;         /* of that, see #PdAction */
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
  gboolean is_known;  /* @index holds */
  guint32 index;      /* in the program */
  gboolean is_common; /* @index is known, and that of all ranks */
  guint32 owner;      /* of one that each rank has for itself: @index is that rank's */
  GArray *gathered;   /* (nullable): GArray* of gint64 per operation, see pd-otf2-counts.c */
} PdOtf2Comm;

/* The part of a table with small references, as most are. */
typedef struct
{
  gpointer *found; /* (array length=n) (nullable elements) */
  guint32 n;
} PdOtf2Dense;

/* A communicator that got an index: by whom. */
typedef struct
{
  OTF2_CommRef ref;
  guint32 rank;
} PdOtf2NewComm;

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
  gboolean is_known; /* what follows is */
  gboolean has_line; /* it, or one of those around it */
  guint32 site;      /* in the program: of calls from here */
  guint32 around;    /* in the program: what functions called from here have around them */
} PdOtf2Context;

/* A location. */
typedef struct
{
  OTF2_LocationRef ref;
  OTF2_LocationType type;
  OTF2_LocationGroupRef group; /* the process */
  guint32 rank;                /* of a further thread, which is in its rank's group */
} PdOtf2Location;

typedef struct _PdOtf2Attributes PdOtf2Attributes;
typedef struct _PdOtf2ChunkReader PdOtf2ChunkReader;

/* A process: what it had of its host. Strings are references. */
typedef struct
{
  OTF2_SystemTreeNodeRef node;
  OTF2_StringRef processors; /* %OTF2_UNDEFINED_STRING = unknown */
  PdRecordedUsage usage;     /* but for strings */
  gboolean is_known;         /* anything but the host */
} PdOtf2Process;

typedef struct
{
  const char *path;
  PdMessages *messages; /* (nullable) */
  PdProgress *progress; /* (nullable): borrowed: bytes of events, twice: checked, and decoded */
  gboolean recorded;    /* durations of calls are wanted */
  gboolean by_library;  /* which decodes all events */
  gboolean is_trusting; /* events are checked as they are decoded; see pd-otf2-reader.c */
  gboolean is_outline;  /* actions are not kept */
  PdRecordedClock clock;
  PdTime *reading_costs; /* (array length=ranks) (nullable): of processor time */
  guint n_threads;       /* that may read at once, >= 1 */
  OTF2_Reader *reader;
  guint64 resolution;     /* ticks per second */
  guint64 clock_begin;    /* ticks: when the recording began, */
  guint64 clock_length;   /* and how long it was; 0 = not told */
  guint64 until;          /* ticks: later events were not recorded for all ranks */
  guint64 run_end;        /* ticks: when the run was over; 0 = not told */
  gboolean is_cut;        /* recording was stopped before */
  GHashTable *strings;    /* reference -> char* */
  GHashTable *regions;    /* reference -> PdOtf2Region* */
  GHashTable *groups;     /* reference -> PdOtf2Group* */
  GHashTable *comms;      /* reference -> PdOtf2Comm* */
  GHashTable *windows;    /* reference -> reference of its communicator */
  GHashTable *mpi_io;     /* references of paradigms that are MPI-IO */
  GHashTable *files;      /* reference -> char* of @strings */
  GHashTable *handles;    /* of MPI-IO: reference -> char* of @strings: the file's name */
  GHashTable *parameters; /* reference -> char* of @strings */
  GHashTable *places;     /* reference -> PdOtf2Place* */
  GHashTable *contexts;   /* reference -> PdOtf2Context* */
  GHashTable *marked;     /* number of the programmer -> 1 + interval of the program */
  GHashTable *processes;  /* location group -> PdOtf2Process* */
  GHashTable *nodes;      /* system tree node -> reference of its name */
  GHashTable *members;    /* metric members that are processor time in ns -> 1 + its kind */
  GHashTable *metrics[PD_OTF2_N_OF]; /* metric class -> 1 + place of such a member */
  gboolean has_attribute[PD_OTF2_N_ATTRIBUTES];
  OTF2_AttributeRef attributes[PD_OTF2_N_ATTRIBUTES];
  guint64 origin;       /* ticks: before all events */
  GArray *begins;       /* PdTime: of the ranks, since @origin */
  GArray *computed;     /* PdTimeSum: by the ranks */
  GArray *locations;    /* PdOtf2Location, of all */
  GArray *threads;      /* PdOtf2Location: ranks' further threads that have events, by rank */
  GHashTable *n_events; /* location -> how many, where there are any */
  GHashTable *digests;  /* (nullable): location -> digest of its events, as the anchor says, */
  guint64 definitions;  /* and of the definitions */
  GHashTable *plain;    /* locations whose events are decoded without the library */
  PdOtf2ChunkReader *chunk_reader; /* (nullable): the first of those that are open */
  PdVector chunks[2];              /* of readers that are closed, for those that come */
  const PdOtf2Attributes *present; /* (nullable): of the event decoded without the library */
  const PdOtf2Group *world;        /* the location of each rank */
  GHashTable *rank_of;             /* location -> rank */
  gboolean has_init;               /* some rank called it */
  GArray *unfinished;              /* guint32: ranks that did not come to MPI_Finalize */
  guint64 ps_per_tick;             /* 0 = no whole number */
  PdOtf2Dense dense_regions; /* of @regions, @comms and @contexts, which are asked for often */
  PdOtf2Dense dense_comms;
  PdOtf2Dense dense_contexts;
  PdProgramBuilder *builder;
  GArray *new_comms; /* PdOtf2NewComm: those of the program behind the world, by index */
  GError *error;     /* (nullable): the first one met in a callback */
} PdOtf2Archive;

#endif
