/* How the calls of a DVM trace lie where they are shared. Internal to traces/.
 *
 * A call refers to its site (function and line), and to a block of parameters. Equal
 * blocks are stored once; calls in loops mostly have equal ones. Each message of the reader
 * is stored with the call before which the reader gives it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CALLS_PRIVATE_H
#define PD_DVM_CALLS_PRIVATE_H

#include "traces/dvm/pd-dvm-calls.h"
#include "traces/program/pd-sections.h"

typedef enum
{
  PD_DVM_CALLS_HEAD, /* one PdDvmCallsHead */
  PD_DVM_CALLS_SITES,
  PD_DVM_CALLS_CALLS,
  PD_DVM_CALLS_BLOCKS_FIRST, /* where each block begins in the next, and where the last ends */
  PD_DVM_CALLS_BLOCKS,       /* words of 8 bytes */
  PD_DVM_CALLS_MESSAGES,
  PD_DVM_CALLS_EVENTS,
  PD_DVM_CALLS_STRINGS_FIRST,
  PD_DVM_CALLS_STRINGS, /* each with the 0 at its end */
  PD_DVM_CALLS_N,
} PdDvmCallsSection;

/* Header and trailer of the trace; texts are numbers of strings. */
typedef struct
{
  gint64 rts_version;
  gint64 proc_count;
  gint64 own_number;
  gint64 ps_size[8];
  gint64 vproc_count;
  gint64 vps_size[8];
  gdouble mean_proc_time;
  guint32 ps_rank;
  guint32 vps_rank;
  guint32 host;
  guint32 mps;
  guint32 has_last; /* the last call is not delivered: at the end, places are of it */
  guint32 zero;
  PdDvmTrailer trailer;
} PdDvmCallsHead;

typedef struct
{
  gint64 line;
  guint32 function; /* PdDvmFunction */
  guint32 name;     /* a string; of known functions not used */
  guint32 file;     /* likewise */
  guint32 is_single;
} PdDvmSite;

/* A PdDvmCall. */
typedef struct
{
  gint64 call_times[2]; /* picoseconds, >= 0, by PdDvmTimesForm; likewise the others */
  gint64 ret_times[2];
  guint64 number;
  guint64 physical_line;
  guint32 site;
  guint32 block;
} PdDvmSharedCall;

/* The head of a block. Behind it are scalars of the call_ and of the ret_ record, each
 * ascending by key; arrays, likewise; parameters that cannot be read; and the values of
 * arrays, 8 bytes each. */
typedef struct
{
  guint16 n_scalars[2];
  guint16 n_arrays;
  gint16 pattern; /* as pd_dvm_call_pattern_is_array() gives it */
  guint32 n_bad;
  guint32 n_values;
} PdDvmBlock;

enum
{
  PD_DVM_VALUE_INT = 1,    /* it is a whole number, which @bits are */
  PD_DVM_VALUE_DOUBLE = 2, /* a number, which @bits are if it is not also a whole one */
};

typedef struct
{
  guint16 key;
  guint16 flags;
  guint32 length; /* of the text, in bytes */
  guint64 bits;
} PdDvmScalar;

/* From @at of the block's values on: whole numbers; others, unless they are the same;
 * and rows, of each its number times 2^32 and how many elements it has. */
typedef struct
{
  guint16 key;
  guint16 is_same; /* doubles are the whole numbers */
  guint32 n_ints;
  guint32 n_doubles;
  guint32 n_rows;
  guint32 at;
  guint32 zero;
} PdDvmShared;

/* A value that is none. */
typedef struct
{
  guint32 key;
  guint32 text; /* a string: its beginning */
} PdDvmBad;

typedef struct
{
  guint32 severity;
  guint32 id; /* a string; likewise the others */
  guint32 subject;
  guint32 text;
  guint32 place; /* without the name of the trace before it */
} PdDvmSaid;

/* A message comes so often before the call of that number from 1 is delivered; before 0,
 * when the trace is opened; before one more than there are, at the end. */
typedef struct
{
  guint64 before;
  guint32 message;
  guint32 n;
} PdDvmSaying;

/* ---- what the reader does where it goes through calls; as the functions of pd-dvm-reader.h */

typedef struct _PdDvmCalls PdDvmCalls;

void pd_dvm_calls_free (PdDvmCalls *self);
gboolean pd_dvm_calls_next (PdDvmReader *reader, const PdDvmCall **call);

/* The first scalar of @key; in one record, or with -1 in call_ or else in ret_. */
const PdDvmScalar *pd_dvm_calls_find (const PdDvmCalls *self, PdDvmKey key, int part);

const gint64 *pd_dvm_calls_get_array (const PdDvmCalls *self, PdDvmKey key, guint *n);
const gdouble *pd_dvm_calls_get_doubles (PdDvmCalls *self, PdDvmKey key, guint *n);
guint pd_dvm_calls_get_row_length (const PdDvmCalls *self, PdDvmKey key, guint row);
int pd_dvm_calls_get_pattern (const PdDvmCalls *self);

/* Value @i of the current call that cannot be read; %NULL: there are no more. */
const char *pd_dvm_calls_get_bad (const PdDvmCalls *self, guint i, PdDvmKey *key);

/* ---- where things are in a block; no checks */

static inline const PdDvmScalar *
pd_dvm_block_scalars (const PdDvmBlock *self)
{
  return (const PdDvmScalar *) (self + 1);
}

static inline const PdDvmShared *
pd_dvm_block_arrays (const PdDvmBlock *self)
{
  return (const PdDvmShared *) (pd_dvm_block_scalars (self) + self->n_scalars[0]
                                + self->n_scalars[1]);
}

static inline const PdDvmBad *
pd_dvm_block_bad (const PdDvmBlock *self)
{
  return (const PdDvmBad *) (pd_dvm_block_arrays (self) + self->n_arrays);
}

static inline const guint64 *
pd_dvm_block_values (const PdDvmBlock *self)
{
  return (const guint64 *) (pd_dvm_block_bad (self) + self->n_bad);
}

/* How many words of 8 bytes it has. */
static inline guint64
pd_dvm_block_size (const PdDvmBlock *self)
{
  return 2 + 2 * ((guint64) self->n_scalars[0] + self->n_scalars[1]) + 3 * (guint64) self->n_arrays
         + self->n_bad + self->n_values;
}

G_STATIC_ASSERT (sizeof (PdDvmSite) == 24 && sizeof (PdDvmSharedCall) == 56
                 && sizeof (PdDvmBlock) == 16 && sizeof (PdDvmScalar) == 16
                 && sizeof (PdDvmShared) == 24 && sizeof (PdDvmBad) == 8 && sizeof (PdDvmSaid) == 20
                 && sizeof (PdDvmSaying) == 16);

#endif
