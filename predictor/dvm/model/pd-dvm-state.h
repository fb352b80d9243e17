/* Shared state of the DVM interpreter. The interpreter turns the calls
 * of a trace into steps; it runs once over the trace, ahead of the fastest
 * processor, and knows nothing of simulated time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_STATE_H
#define PD_DVM_STATE_H

#include "dataserver/pd-data-server.h"
#include "predictor/dvm/model/pd-dvm-objects.h"
#include "predictor/dvm/step/pd-scatter.h"
#include "traces/dvm/pd-dvm-reader.h"

/* A program context: its end deletes the objects that were created in it. */
typedef struct
{
  GHashTable *members; /* (nullable): set of PdMember, borrowed from PdDvm.members */
  gint64 loop;         /* of a loop's context: its reference; else 0 */
} PdContext;

/* The files of a run recorded on several processors; see pd-dvm-multi-file.c. */
typedef struct _PdDvmMultiFile PdDvmMultiFile;

/* Which records of the trace something stands for: the first one's place. */
typedef struct
{
  const char *name; /* borrowed from the reader */
  const char *file;
  gint64 line;
  guint64 first; /* numbers */
  guint64 last;
} PdRecords;

/* The state of across_ (see pd-dvm-across.c). */
typedef struct _PdAcross PdAcross;

/* The bounds that addbnd_ and addshd_ set for the next loop (see pd-dvm-bounds.c). */
typedef struct _PdShadowBounds PdShadowBounds;

/* A handler interprets the current call: charges its times and emits steps. */
typedef gboolean (*PdDvmHandler) (PdDvm *self, GError **error);

/* How a function is interpreted. */
typedef enum
{
  PD_DVM_ORDINARY, /* only its times */
  PD_DVM_PARTIAL,  /* ordinary, though it has effects that are not modelled: warned of */
  PD_DVM_OBJECTS,  /* changes objects; times are ordinary */
  PD_DVM_MESSAGES, /* sends messages between its two times, which are ordinary */
  PD_DVM_COPIES,   /* the same, but its second time is copying, which it charges by itself */
  PD_DVM_ITSELF,   /* charges by itself */
} PdDvmManner;

/* The handlers of all functions, and what goes with objects that are deleted. */
typedef struct
{
  struct
  {
    PdDvmManner manner;
    PdDvmHandler handle; /* (nullable) */
  } rows[PD_DVM_N_FUNCTIONS];
  PdDvmHandler io; /* of functions of the class IO without a row */
  void (*forget[PD_N_KINDS]) (PdDvm *self, gint64 id); /* (nullable): before it is closed */
} PdDvmHandlers;

/* The action of a change: it replaces handlers, which it may call. */
struct _PdDvmChange
{
  void (*apply) (PdDvmHandlers *handlers);
  GDestroyNotify free_held;
  void (*settle) (PdDvm *self); /* does now what it holds back; also at the end of the trace */
};

struct _PdDvm
{
  PdDvmReader *reader;   /* borrowed */
  PdDvmCall current;     /* the current call; its times may be spent already */
  const PdDvmCall *call; /* = &current */
  PdMessages *messages;  /* borrowed */
  PdComsys *comsys;      /* borrowed */
  PdIntervalTree *tree;  /* borrowed */
  const PdDvmOptions *options;
  const PdDvmHandlers *handlers;
  const PdDvmHandlers *plain; /* likewise, without options->change */
  GPtrArray *held;            /* what the change holds back; its own */
  PdDataServer *server;       /* while interpreting */
  PdObjects *objects;
  guint n_speeds;
  const gdouble *speeds;    /* of each class */
  const guint16 *speed_of;  /* (array): class of each processor */
  PdNodeRatios *ratios;     /* (nullable) borrowed */
  gboolean models_files;    /* see PdDvmContext */
  gint64 cache_size;        /* likewise */
  guint32 cache_sharing;    /* likewise */
  gboolean separate;        /* likewise */
  PdTeam *initial;          /* the user's grid */
  PdTeam *team;             /* current */
  gint64 traced_processors; /* the program saw so many */

  GArray *contexts;     /* PdContext, innermost last */
  GHashTable *members;  /* set of PdMember: what dies with its context */
  guint64 last_view;    /* PdView.serial */
  GHashTable *machines; /* see pd_dvm_machines_new() */
  GArray *tasks;        /* see pd_dvm_tasks_new(): those that are open */
  guint n_partial;      /* tasks among them that some processors skip */
  guint context_base;   /* contexts outside the current task */
  guint open_base;      /* likewise, open intervals */
  GHashTable *placed;   /* which template an array lies on, see pd_dvm_placed_list() */
  GHashTable *on_view;  /* … and which arrays lie on a template */
  guint32 node;         /* current interval */
  GArray *open;         /* PdOpenInterval */
  PdTime spent;         /* sequential time not charged yet, at speed 1 */
  guint32 spent_node;   /* interval of @spent */
  PdRecords spent_of;   /* its records */
  PdTime *pending;      /* (array length=n_speeds): charged, but not yet in a step */
  PdTime pending_io;    /* likewise, of the I/O processor alone */
  guint32 pending_node; /* interval of @pending_io */
  PdRecords pending_of; /* its records */
  gboolean in_io;       /* between biof_ and eiof_ */
  gint64 io_bytes;      /* of distributed arrays and memory since biof_ */
  gint32 next_tag;
  PdScatters *scatters;   /* (nullable): the repetitions of loops */
  GHashTable *started;    /* see pd_dvm_started_new() */
  GPtrArray *families;    /* PdCommFamily */
  PdAcross *across;       /* what has been said of ordered loops */
  PdShadowBounds *bounds; /* … and of loops on shadow elements */
  gboolean is_first;      /* the next call carries the start-up time */
  gboolean pushed_back;   /* the current call is to be interpreted again */
  gboolean at_end;        /* of the trace */
  gboolean is_finished;   /* the last step is there, or an error */
  PdTime startup;         /* the time that was left out, or kept */

  PdDvmMultiFile *multi;  /* (nullable): recorded on one processor */
  PdTime *own;            /* (nullable) (array length=n_speeds): besides @spent, of each class */
  GArray *shifts;         /* see pd_dvm_shifts_new() */
  GHashTable *weightings; /* of PdTeam: PdWeighting, its hints for all templates */
  guint8 *seen_blocks;    /* (array) (nullable): lists of options->blocks that were asked for */
};

#endif
