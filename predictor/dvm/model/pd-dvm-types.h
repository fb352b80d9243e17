/* The DVM model as its users see it: what it is connected to.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_TYPES_H
#define PD_DVM_TYPES_H

#include "comsys/mpi/pd-comsys-core.h"
#include "dataserver/pd-data-server.h"
#include "intervals/pd-interval.h"
#include "predictor/common/pd-cpu-ratio.h"
#include "predictor/common/pd-dvm-options.h"
#include "predictor/common/pd-errors.h"
#include "predictor/dvm/layout/pd-dvm-layout.h"
#include "traces/dvm/pd-dvm-reader.h"

/* The connections of the model. Everything is borrowed and must outlive it. */
typedef struct
{
  PdDvmReader *reader;
  PdMessages *messages;
  PdComsys *comsys;
  PdIntervalTree *tree;
  PdGrid *grid;            /* the user's, padded */
  const gdouble *speeds;   /* (array length=n_speeds): the distinct processor speeds */
  guint n_speeds;          /* 1 to 65,535 */
  const guint16 *speed_of; /* (array): class of each processor */
  /* a run recorded on several processors; @reader is the file of processor 0 */
  PdDvmReader *const *others; /* (nullable) (array length=n_others): of 1, 2, … */
  guint n_others;
  gboolean own_times;    /* @grid is the recorded one, each processor a class of its own, and each
                          * computes as long as it did */
  PdNodeRatios *ratios;  /* (nullable): of the tree; learns of its nodes */
  gboolean models_files; /* the machine says what reading and writing takes */
  gint64 cache_size;     /* of the last level, bytes; 0 = not known */
  guint32 cache_sharing; /* processors of the grid that share one */
  gboolean separate;     /* ordinary time becomes steps of its own: it differs by processor */
  gboolean scatters;     /* processors take parallel loops as their repetitions scatter */
} PdDvmContext;

typedef struct _PdDvm PdDvm;

#endif
