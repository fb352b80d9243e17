/* The DVM model: interprets a DVM trace for any number of processors.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_H
#define PD_DVM_H

#include "comsys/pd-comsys.h"
#include "dataserver/pd-data-server.h"
#include "intervals/pd-interval.h"
#include "predictor/pd-cpu-ratio.h"
#include "predictor/pd-block-file.h"
#include "predictor/pd-dvm-layout.h"
#include "traces/pd-dvm-reader.h"

G_BEGIN_DECLS

#define PD_DVM_MODEL_ERROR (pd_dvm_model_error_quark ())
typedef enum
{
  PD_DVM_MODEL_ERROR_GRID,      /* the user's grid does not fit the trace */
  PD_DVM_MODEL_ERROR_OBJECT,    /* a record refers to an object that does not exist */
  PD_DVM_MODEL_ERROR_PARAMETER, /* a record lacks a parameter, or has a wrong one */
  PD_DVM_MODEL_ERROR_RECORDED,  /* recorded in a way that is not supported */
  PD_DVM_MODEL_ERROR_INTERVAL,  /* an option names an interval that the trace does not have */
} PdDvmModelError;

/**
 * pd_dvm_model_error_quark:
 * Returns: the domain of #PdDvmModelError.
 */
GQuark pd_dvm_model_error_quark (void);

typedef struct
{
  gboolean keep_startup;    /* count the time of the first record */
  gboolean no_comm_split;   /* do not model Comm_split of replicated reductions */
  gboolean across_tc_known; /* the iteration time of an ordered loop is known at its first
                             * execution: a pipeline at once */
  guint64 most_messages;    /* of an exchange that is simulated one by one; 0: the default */
  gboolean mpi_reduce;      /* reductions by MPI_Allreduce where the run-time does; else by stars */
  gint64 across_groups;     /* portions of an ordered loop whose program says none; 0: computed */
  guint message_mask;       /* bits that the length of a message between two may not have */
  gboolean dedupe_copies;   /* of a copy's source that several hold, only the first one sends */
  const PdBlockFile *blocks;   /* (nullable): lists that the trace does not have; borrowed */
  gboolean weights_from_speed; /* blocks follow the speeds of processors (spec 11 section 2.4) */
} PdDvmOptions;

/* What the model is connected to. Everything is borrowed and must outlive it. */
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
  gboolean own_times;   /* @grid is the recorded one, each processor a class of its own, and each
                         * computes as long as it did */
  PdNodeRatios *ratios; /* (nullable): of the tree; learns of its nodes */
  gboolean separate;    /* ordinary time becomes steps of its own: it differs by processor */
} PdDvmHost;

typedef struct _PdDvm PdDvm;

/**
 * pd_dvm_pad_grid:
 * @header: of the trace
 * @rank: (inout): of the user's grid
 * @sizes: (array length=PD_MAX_GRID_RANK) (inout): its sizes
 * @messages: (nullable): takes the note "grid-padded"
 * @error: return location for %PD_DVM_MODEL_ERROR_GRID
 *
 * The rank rule of spec 11 section 2.1: trailing sizes of 1 up to the rank of
 * the traced processor system; a virtual processor system must be matched.
 */
gboolean pd_dvm_pad_grid (const PdDvmHeader *header, guint *rank, gint64 *sizes,
                          PdMessages *messages, GError **error);

/**
 * pd_dvm_new:
 * @host: copied
 * @options: borrowed
 *
 * Returns: (transfer full): the interpreter, in front of the first record.
 */
PdDvm *pd_dvm_new (const PdDvmHost *host, const PdDvmOptions *options);

/**
 * pd_dvm_free:
 * @self: (nullable): the interpreter; its data server must have been freed
 */
void pd_dvm_free (PdDvm *self);

/**
 * pd_dvm_get_class:
 * Returns: (transfer none): the interpreter as a data server wants it; its
 *   steps are #PdStepDvm.
 */
const PdInterpreterClass *pd_dvm_get_class (void);

/**
 * pd_dvm_get_objects:
 * Returns: (transfer none): its versioned objects.
 */
PdObjects *pd_dvm_get_objects (PdDvm *self);

/**
 * pd_dvm_get_startup:
 * Returns: the time of the first record, which is no program time.
 */
PdTime pd_dvm_get_startup (const PdDvm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvm, pd_dvm_free)

G_END_DECLS

#endif
