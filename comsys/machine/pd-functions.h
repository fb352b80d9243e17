/* The costs of functions of MPI themselves, besides those of their sends, receives and
 * waits. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FUNCTIONS_H
#define PD_FUNCTIONS_H

#include "comsys/coll/pd-op.h"
#include "comsys/machine/pd-machine.h"

/* Functions that may have an overhead of their own; in the order of pd-functions.c. */
typedef enum
{
  PD_FN_SEND, /* in the order of PdSendMode */
  PD_FN_SSEND,
  PD_FN_BSEND,
  PD_FN_RSEND,
  PD_FN_ISEND, /* likewise */
  PD_FN_ISSEND,
  PD_FN_IBSEND,
  PD_FN_IRSEND,
  PD_FN_RECV,
  PD_FN_IRECV,
  PD_FN_SENDRECV,
  PD_FN_START,
  PD_FN_STARTALL,
  PD_FN_PROBE,
  PD_FN_IPROBE,
  PD_FN_WAIT,
  PD_FN_WAITALL,
  PD_FN_WAITANY,
  PD_FN_WAITSOME,
  PD_FN_TEST,
  PD_FN_TESTALL,
  PD_FN_TESTANY,
  PD_FN_TESTSOME,
  PD_FN_PUT,
  PD_FN_GET,
  PD_FN_ACCUMULATE,
  PD_FN_GET_ACCUMULATE,
  PD_FN_WIN_LOCK, /* and _all */
  PD_FN_WIN_UNLOCK,
  PD_FN_WIN_FLUSH,
  PD_FN_WIN_POST,
  PD_FN_WIN_START,
  PD_FN_WIN_COMPLETE,
  PD_FN_WIN_WAIT,
  PD_FN_OPS,                                    /* + PdOp */
  PD_FN_IOPS = PD_FN_OPS + PD_N_OPS,            /* + PdOp: non-blocking ones, */
  PD_N_FUNCTIONS = PD_FN_IOPS + PD_OP_COMM_DUP, /* which communicators are not made by */
} PdFunction;

/* The cost of a function by its size. */
typedef struct
{
  gdouble per_byte; /* ps */
  gint64 from;      /* bytes, and more */
} PdFunctionBytes;

/**
 * pd_function_find:
 * @name: as "MPI_Send"
 *
 * Returns: the #PdFunction; %PD_N_FUNCTIONS if there is none of that name.
 */
guint pd_function_find (const char *name);

/**
 * pd_function_overheads_new:
 * Returns: (transfer full) (nullable) (array length=PD_N_FUNCTIONS): %NULL where no
 *   function costs anything by itself.
 */
PdTime *pd_function_overheads_new (const PdMachine *machine);

/**
 * pd_function_bytes_new:
 * Returns: (transfer full) (nullable) (array length=PD_N_FUNCTIONS): %NULL where none has
 *   costs that depend on its size.
 */
PdFunctionBytes *pd_function_bytes_new (const PdMachine *machine);

#endif
