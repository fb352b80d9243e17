/* The recorded times of one processor. A call has two: the computation before it, and what the
 * run-time function took. Where a processor may wait for others in the function, the second is
 * communication of the function's kind, else computation, as predictions take it.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/measured/pd-dvm-walk-private.h"

#include "traces/dvm/pd-dvm-call.h"

typedef struct
{
  guint32 node;
  gint64 fragment; /* nfrag */
  gboolean is_user;
} Open;

typedef struct
{
  const PdDvmWalk *to;
  PdDvmReader *reader;
  const PdDvmCall *call;
  guint32 p;              /* whose file it is */
  GArray *open;           /* Open: the intervals around the call, the innermost last */
  PdTime end;             /* sum of all times so far */
  gboolean is_first;      /* nothing was read yet */
  gboolean in_portion;    /* the next computation is iterations of a parallel loop */
  gboolean in_io;         /* in an I/O statement of Fortran */
  gboolean waits_in_dopl; /* the loop under way exchanges messages inside dopl_ and endpl_, */
  gboolean is_ordered;    /* in its order */
} Walker;

/* ---- tables */

/* Kinds of operations by the class of the function; see get_kind(). */
static const PdOperationKind class_kinds[PD_DVM_N_CLASSES] = {
  [PD_DVM_CLASS_SYS] = PD_OPERATION_OTHER,
  [PD_DVM_CLASS_REG] = PD_OPERATION_OTHER,
  [PD_DVM_CLASS_OBJ] = PD_OPERATION_OTHER,
  [PD_DVM_CLASS_INT] = PD_OPERATION_OTHER,
  [PD_DVM_CLASS_TASK] = PD_OPERATION_TASK,
  [PD_DVM_CLASS_DIST] = PD_OPERATION_REDISTRIBUTION,
  [PD_DVM_CLASS_XFER] = PD_OPERATION_REMOTE_ACCESS,
  [PD_DVM_CLASS_LOOP] = PD_OPERATION_SHADOW,
  [PD_DVM_CLASS_RED] = PD_OPERATION_REDUCTION,
  [PD_DVM_CLASS_SHD] = PD_OPERATION_SHADOW,
  [PD_DVM_CLASS_REM] = PD_OPERATION_REMOTE_ACCESS,
  [PD_DVM_CLASS_IND] = PD_OPERATION_REMOTE_ACCESS,
  [PD_DVM_CLASS_CONS] = PD_OPERATION_REMOTE_ACCESS,
  [PD_DVM_CLASS_IO] = PD_OPERATION_IO,
  [PD_DVM_CLASS_MSG] = PD_OPERATION_OTHER,
  [PD_DVM_CLASS_INTL] = PD_OPERATION_OTHER,
  [PD_DVM_CLASS_DEB] = PD_OPERATION_OTHER,
};

/* Functions that begin an operation of their kind; besides across_, runam_ and those of I/O. */
static const gboolean begins[PD_DVM_N_FUNCTIONS] = {
  [PD_DVM_strtrd_] = TRUE, [PD_DVM_strtsh_] = TRUE,    [PD_DVM_sendsh_] = TRUE,
  [PD_DVM_sendsa_] = TRUE, [PD_DVM_doacr_] = TRUE,     [PD_DVM_loadrb_] = TRUE,
  [PD_DVM_loadbg_] = TRUE, [PD_DVM_loadib_] = TRUE,    [PD_DVM_loadig_] = TRUE,
  [PD_DVM_strtac_] = TRUE, [PD_DVM_strtcg_] = TRUE,    [PD_DVM_consda_] = TRUE,
  [PD_DVM_arrcpy_] = TRUE, [PD_DVM_aarrcp_] = TRUE,    [PD_DVM_rwelm_] = TRUE,
  [PD_DVM_arwelm_] = TRUE, [PD_DVM_copelm_] = TRUE,    [PD_DVM_acopel_] = TRUE,
  [PD_DVM_elmcpy_] = TRUE, [PD_DVM_aelmcp_] = TRUE,    [PD_DVM_dacsum_] = TRUE,
  [PD_DVM_redis_] = TRUE,  [PD_DVM_mredis_] = TRUE,    [PD_DVM_realn_] = TRUE,
  [PD_DVM_mrealn_] = TRUE, [PD_DVM_gettar_] = TRUE,    [PD_DVM_bsynch_] = TRUE,
  [PD_DVM_tsynch_] = TRUE, [PD_DVM_dvmreduce_] = TRUE, [PD_DVM_srmem_] = TRUE,
};

static const struct
{
  PdIntervalType type;
  gboolean opens;
} intervals[PD_DVM_N_FUNCTIONS] = {
  [PD_DVM_bsloop_] = { PD_INTERVAL_SEQ, TRUE },   [PD_DVM_bploop_] = { PD_INTERVAL_PAR, TRUE },
  [PD_DVM_binter_] = { PD_INTERVAL_USER, TRUE },  [PD_DVM_enloop_] = { PD_INTERVAL_SEQ, FALSE },
  [PD_DVM_einter_] = { PD_INTERVAL_USER, FALSE },
};

/* ---- charging */

static guint32
get_node (const Walker *self)
{
  guint n = self->open->len;

  return n == 0 ? PD_INTERVAL_ROOT : g_array_index (self->open, Open, n - 1).node;
}

static void
charge (Walker *self, PdQuantity quantity, PdTime time)
{
  PdIntervalTree *tree = self->to->tree;
  guint32 node = get_node (self);

  pd_interval_tree_add (tree, node, quantity, self->p, time);
  self->end = pd_time_add (self->end, time);
  if (quantity == PD_Q_CPU_SEQ)
    pd_interval_tree_add (tree, node, PD_Q_INSUFF_SEQ, self->p,
                          pd_time_scale (time, self->to->n - 1, self->to->n));
}

/* The I/O processor, which is processor 0, does it; the others wait. */
static PdQuantity
get_io (const Walker *self)
{
  return self->p == 0 ? PD_Q_IO
                      : pd_operation_quantity (PD_OPERATION_IO, PD_OPERATION_COMMUNICATION);
}

static void
charge_call (Walker *self)
{
  PdTime time = self->call->call_time;

  /* the start-up before the first call is no part of the program */
  if (self->is_first && !self->call->is_single)
    time = PD_TIME_ZERO;
  self->is_first = FALSE;
  charge (self, self->in_io ? get_io (self) : self->in_portion ? PD_Q_CPU_PAR : PD_Q_CPU_SEQ, time);
}

static gboolean
communicates (const Walker *self, PdDvmFunction function)
{
  if (self->to->n == 1)
    return FALSE;
  return pd_dvm_function_communicates (function)
         || (self->waits_in_dopl && (function == PD_DVM_dopl_ || function == PD_DVM_endpl_));
}

static gint64
get (const Walker *self, PdDvmKey key, gint64 otherwise)
{
  gint64 value = otherwise;

  pd_dvm_call_get (self->reader, key, &value);
  return value;
}

/* As predictions have it. The time of across_ cannot be divided: where it begins an ordered loop,
 * it is that of the pipeline, the exchange before the loop included. */
static PdOperationKind
get_kind (const Walker *self)
{
  PdDvmFunction function = self->call->function;

  if (self->in_io)
    return PD_OPERATION_IO;
  switch (function)
    {
    case PD_DVM_across_:
      return get (self, PD_DVM_KEY_NewShadowGroupRef, 0) != 0 ? PD_OPERATION_PIPELINE
                                                              : PD_OPERATION_SHADOW;
    case PD_DVM_doacr_:
      return PD_OPERATION_PIPELINE;
    case PD_DVM_dopl_:
    case PD_DVM_endpl_:
      return self->is_ordered ? PD_OPERATION_PIPELINE : PD_OPERATION_SHADOW;
    case PD_DVM_srmem_:
      return PD_OPERATION_OTHER;
    default:
      return class_kinds[pd_dvm_function_get_class (function)];
    }
}

static void
charge_ret (Walker *self)
{
  PdDvmFunction function = self->call->function;
  PdDvmClass class_ = pd_dvm_function_get_class (function);
  gboolean is_section = function == PD_DVM_biof_ || function == PD_DVM_eiof_;
  PdTime time = self->call->ret_time;

  if (communicates (self, function))
    {
      const PdDvmPlace place = { get_node (self), function, get_kind (self) };
      charge (self, pd_operation_quantity (place.kind, PD_OPERATION_COMMUNICATION), time);
      pd_dvm_places_add (self->to->places, &place, self->p, time);
    }
  else if (class_ == PD_DVM_CLASS_IO && !is_section)
    charge (self, get_io (self), time);
  else
    charge (self, PD_Q_CPU_SEQ, time);
}

static void
count (Walker *self, PdQuantity counter)
{
  pd_interval_tree_add (self->to->tree, get_node (self), counter, self->p, PD_TIME (1));
}

static void
count_operation (Walker *self, PdOperationKind kind)
{
  count (self, pd_operation_counter (kind));
}

/* Calls inside an I/O statement are part of it. */
static void
count_call (Walker *self)
{
  PdDvmFunction function = self->call->function;
  gint64 run = 1;

  if (pd_dvm_function_get_class (function) == PD_DVM_CLASS_IO && function != PD_DVM_eiof_)
    count_operation (self, PD_OPERATION_IO);
  if (self->in_io)
    return;
  if (begins[function])
    count_operation (self, get_kind (self));
  if (function == PD_DVM_across_ && get (self, PD_DVM_KEY_OldShadowGroupRef, 0) != 0)
    count_operation (self, PD_OPERATION_SHADOW);
  if (function == PD_DVM_across_ && get (self, PD_DVM_KEY_NewShadowGroupRef, 0) != 0)
    count_operation (self, PD_OPERATION_PIPELINE);
  if (function == PD_DVM_runam_)
    {
      pd_dvm_call_get_ret (self->reader, PD_DVM_KEY_Run, &run);
      if (run != 0)
        count_operation (self, PD_OPERATION_TASK);
    }
}

/* ---- intervals */

static void
open_interval (Walker *self, PdIntervalType type)
{
  gint64 fragment = get (self, PD_DVM_KEY_nfrag, 0);
  gboolean is_user = type == PD_INTERVAL_USER;
  const PdIntervalKey key = { .type = type,
                              .file = self->call->file,
                              .line = self->call->line,
                              .index = is_user ? get (self, PD_DVM_KEY_index, PD_INTERVAL_NO_INDEX)
                                               : PD_INTERVAL_NO_INDEX };

  /* the run-time's own, never closed: the whole program */
  if (type == PD_INTERVAL_SEQ && fragment == -1)
    return;
  Open open = { pd_interval_tree_child (self->to->tree, get_node (self), &key), fragment, is_user };
  g_array_append_val (self->open, open);
  count (self, PD_Q_EXE_COUNT);
}

static void
close_interval (Walker *self, gboolean is_user)
{
  gint64 fragment = get (self, PD_DVM_KEY_nfrag, 0);
  PdPlace place = pd_dvm_reader_get_place (self->reader);

  for (guint i = self->open->len; i-- > 0;)
    {
      const Open *open = &g_array_index (self->open, Open, i);
      if (open->is_user != is_user || open->fragment != fragment)
        continue;
      g_array_set_size (self->open, i);
      return;
    }
  pd_messages_add (self->to->messages, PD_SEVERITY_WARNING, "interval-mismatch", NULL, &place,
                   "'%s' closes interval %" G_GINT64_FORMAT " that is not open: ignored",
                   self->call->name, fragment);
}

static void
move (Walker *self)
{
  PdDvmFunction function = self->call->function;
  PdIntervalType type = intervals[function].type;

  if (type == PD_INTERVAL_MAIN)
    return;
  if (intervals[function].opens)
    open_interval (self, type);
  else
    close_interval (self, type == PD_INTERVAL_USER);
}

/* ---- states of loops and statements */

static void
note_before (Walker *self)
{
  if (self->call->function == PD_DVM_eiof_)
    self->in_io = FALSE;
}

static void
note_after (Walker *self)
{
  switch (self->call->function)
    {
    case PD_DVM_biof_:
      self->in_io = TRUE;
      break;
    case PD_DVM_dopl_:
      self->in_portion = get (self, PD_DVM_KEY_DoPL, 0) != 0;
      break;
    case PD_DVM_crtpl_:
    case PD_DVM_endpl_:
      self->in_portion = self->waits_in_dopl = self->is_ordered = FALSE;
      break;
    case PD_DVM_across_:
    case PD_DVM_doacr_:
    case PD_DVM_exfrst_:
    case PD_DVM_imlast_:
      self->waits_in_dopl = TRUE;
      self->is_ordered |= get_kind (self) == PD_OPERATION_PIPELINE;
      break;
    default:
      break;
    }
}

static void
take (Walker *self)
{
  charge_call (self);
  note_before (self);
  count_call (self);
  move (self);
  charge_ret (self);
  note_after (self);
}

gboolean
pd_dvm_walk (const PdDvmWalk *self, PdDvmReader *reader, guint32 p, PdTime *end, GError **error)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  Walker walker = { .to = self, .reader = reader, .p = p, .open = open, .is_first = TRUE };
  g_autoptr (GError) local = NULL;

  while (pd_dvm_reader_next (reader, &walker.call, &local))
    take (&walker);
  *end = walker.end;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}
