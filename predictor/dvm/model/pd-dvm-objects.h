/* The objects of the DVM model: what calls of the trace create, change and
 * delete. A change is a new version, by a copy.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_OBJECTS_H
#define PD_DVM_OBJECTS_H

#include "predictor/dvm/copy/pd-dvm-copy.h"
#include "predictor/dvm/model/pd-dvm-types.h"
#include "predictor/dvm/step/pd-step.h"
#include "traces/dvm/pd-dvm-functions.h"

/* Kinds of objects in the versioned store. */
typedef enum
{
  PD_KIND_GRID,           /* PdTeam */
  PD_KIND_AM,             /* PdAm */
  PD_KIND_VIEW,           /* PdView */
  PD_KIND_ARRAY,          /* PdArray; by handle */
  PD_KIND_HEADER,         /* PdArray; by the address of its header */
  PD_KIND_LOOP,           /* PdLoopObject */
  PD_KIND_REDVAR,         /* PdRedVar */
  PD_KIND_REDGROUP,       /* PdRedGroup */
  PD_KIND_SHADOW,         /* PdShadowGroup */
  PD_KIND_CONSISTENT,     /* PdConsistentGroup */
  PD_KIND_INDIRECT,       /* PdIndirect; by the handle of its buffer */
  PD_KIND_INDIRECT_GROUP, /* PdIndirectGroup */
  PD_KIND_BUFFER,         /* PdBuffer; by the handle of its array, with which it goes */
  PD_KIND_BUFGROUP,       /* PdBufferGroup */
  PD_KIND_COPY,           /* PdAsyncCopy; by the address of its flag */
  PD_KIND_VIEW_MAP,       /* PdView; what amvmap_ remembers */
  PD_KIND_ARRAY_MAP,      /* PdArray; what arrmap_ remembers */
  PD_N_KINDS,
  /* no objects: operations of a shadow group besides its full exchange */
  PD_STARTED_HALVES = PD_N_KINDS,
  PD_STARTED_BACK,
} PdObjectKind;

/* All objects start with this. Immutable once stored. */
typedef struct
{
  guint refs;
  GDestroyNotify free;
} PdObject;

/* An abstract machine: which element of which template it is, with which it
 * goes, and where it is mapped. */
typedef struct
{
  PdObject base;
  gint64 view;    /* reference of the template; 0: a machine that was running already */
  guint64 serial; /* PdView.serial: another template may get the same reference */
  gint64 index[PD_MAX_RANK];
  PdTeam *team; /* (nullable): not mapped */
} PdAm;

/* The hints of setpsw_, genblk_ or setelw_ for the blocks of a processor system,
 * and their place; the lists are those of the traced run. */
typedef struct
{
  PdObject base;
  PdTeam *team; /* which it is about */
  PdDvmFunction function;
  const char *file; /* of the program; borrowed from the reader */
  gint64 line;
  gboolean asked[PD_MAX_GRID_RANK];  /* something is said about that dimension … */
  GArray *sizes[PD_MAX_GRID_RANK];   /* (nullable): gint64: … sizes of blocks */
  GArray *weights[PD_MAX_GRID_RANK]; /* (nullable): gdouble: … weights of coordinates */
  GArray *loads[PD_MAX_GRID_RANK];   /* (nullable): gdouble: … loads of elements */
} PdWeighting;

typedef struct
{
  PdObject base;
  guint64 serial; /* from 1, in order of creation */
  guint rank;
  gint64 sizes[PD_MAX_RANK];
  gint64 divisor[PD_MAX_RANK];
  PdWeighting *weighting; /* (nullable): for the next distribution */
  PdLayout *layout;       /* (nullable): not distributed */
  PdTeam *team;           /* (nullable): where */
  guint n_params;         /* of the distribution, as distr_ gave them */
  gint64 axes[PD_MAX_GRID_RANK];
  gint64 params[PD_MAX_GRID_RANK];
} PdView;

typedef struct
{
  PdObject base;
  gint64 handle; /* not 0 */
  gint64 header; /* 0 = unknown */
  guint rank;
  gint64 sizes[PD_MAX_RANK];
  gint64 type_size;
  gint64 low[PD_MAX_RANK];
  gint64 high[PD_MAX_RANK];
  PdLayout *layout; /* (nullable): not aligned */
  PdTeam *team;     /* (nullable) */
  gint64 view;      /* reference of the template it lies on; 0 = none */
  gboolean may_redistribute;
  gboolean may_realign;
  gboolean opaque; /* made by a function that is not modelled */
} PdArray;

/* A buffer of remote access, beside the array that it is. */
typedef struct
{
  PdObject base;
  gint64 source;             /* handle of the remote array */
  gint64 first[PD_MAX_RANK]; /* … and its section */
  gint64 last[PD_MAX_RANK];
  gint64 step[PD_MAX_RANK];
  gint64 target_step[PD_MAX_RANK]; /* of the buffer itself, from 0 to its end */
  gboolean is_loaded;
  PdLayout *layout; /* (nullable): of the remote array when the plan was made */
  PdPlan *plan;     /* (nullable): none yet */
} PdBuffer;

typedef struct
{
  PdObject base;
  GArray *buffers; /* gint64: handles */
  gboolean deletes_buffers;
} PdBufferGroup;

/* A copy that is under way; what it sends is among the started operations. */
typedef struct
{
  PdObject base;
  PdSection target; /* layout referenced; NULL: memory */
} PdAsyncCopy;

typedef struct
{
  PdObject base;
  guint rank;
  gint64 exported; /* group that exfrst_ names, or 0 */
  gint64 imported; /* group that imlast_ names, or 0 */
  gboolean is_mapped;
  gboolean on_array;          /* … on an array, not on a template */
  gint8 axis[PD_MAX_RANK];    /* axis of the pattern an index runs along; -1 = none */
  gint64 counts[PD_MAX_RANK]; /* iterations of each index */
  PdLoop *loop;               /* (nullable): not mapped */
  PdInterior *interior;       /* (nullable): there is no such group */
  PdHalo *halo;               /* (nullable): it is not executed on shadow elements */
  gdouble executions;         /* … on which it was so often, on several processors */
  PdTeam *team;
  gboolean downwards[PD_MAX_RANK]; /* that index is traversed from high to low */
  gdouble bytes;                   /* that it works on; 0 = not needed, likewise the next two */
  const char *file;                /* of mappl_; the reader's */
  gint64 line;
} PdLoopObject;

typedef struct
{
  PdObject base;
  gint64 function;
  gint64 type;
  gint64 bytes;    /* of the values */
  gint64 location; /* bytes of the location part */
} PdRedVar;

typedef struct
{
  PdObject base;
  GPtrArray *vars; /* PdRedVar, referenced */
  PdTeam *team;    /* of the first variable; NULL = none inserted */
  gboolean split[PD_MAX_GRID_RANK];
  gboolean deletes_vars;
  gboolean has_split; /* some dimension is split */
  gboolean is_made;   /* its communicators exist already */
  GArray *var_ids;    /* gint64 */
} PdRedGroup;

typedef struct
{
  PdObject base;
  GArray *arrays; /* PdShadowArray, layouts referenced */
  PdTeam *team;   /* of the first array */
  gint32 tags[2]; /* of messages whose sends and receives are started apart: to
                   * shadow edges, and back from them */
} PdShadowGroup;

/* A group of consistent arrays. */
typedef struct _PdConsistentGroup PdConsistentGroup;

PdObject *pd_object_ref (gpointer object);
void pd_object_unref (gpointer object);

/**
 * pd_object_new:
 * @size: of the object, which begins with a #PdObject
 * @free: (nullable): releases what the object refers to
 *
 * Returns: (transfer full): an object of zeros with one reference.
 */
gpointer pd_object_new (gsize size, GDestroyNotify free);

/**
 * pd_dvm_shadow_array_clear:
 * @array: a #PdShadowArray
 *
 * Releases what it refers to.
 */
void pd_dvm_shadow_array_clear (gpointer array);

#endif
